/// tenon/graph.h: functions of bodies, composed of blocks: what a function joint holds.
///
/// A graph grows block by block. A connector block gives a point or a direction of a body; other
/// blocks take what is there and give sums, products, norms, angles, areas, volumes, functions of
/// time or of your own. Each block gives a node, which is one number or a vector of three. What the
/// rows of a joint need besides the number, its derivatives by the poses of the bodies and by time,
/// follows by the chain rule.
///
/// Bodies are named by their place, 0 to TN_GRAPH_MAX_BODIES - 1, in the list that the joint is
/// given: a graph belongs to no world and may serve many joints, each of which copies it.
///
/// Errors: a block that is refused (a node of another graph's, a vector where a number is asked
/// for, a number that is not finite, no memory) gives the null node {0}, and so does every block
/// that is given one. The first reason stays: tn_graph_get_result. A null graph is refused
/// likewise. Thread rule: one thread at a time per graph. Source: M. Gleicher, A. Witkin, "Snap
/// together mathematics", 1990; A. Witkin, M. Gleicher, W. Welch, "Interactive dynamics", 1990
/// (connectors and function blocks).
#ifndef TENON_GRAPH_H
#define TENON_GRAPH_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// The most bodies of one graph.
#define TN_GRAPH_MAX_BODIES 16
/// The most numbers of one graph: a vector is three, and a block may need some between.
#define TN_GRAPH_MAX_NUMBERS 65536
/// The most inputs of a function of your own.
#define TN_GRAPH_MAX_ARGUMENTS 8

/// Opaque; its maker destroys it.
typedef struct tn_graph tn_graph;

/// What a block gives. Null is {0}.
typedef struct tn_node {
    uint32_t value;
} tn_node;

/// A function of your own of `count` numbers x: its value, its first derivatives by them and, row
/// by row, the second ones. It is called in every substep, also with numbers that the bodies never
/// reach, and must give the same for the same x.
typedef struct tn_function_value {
    double value;
    double first[TN_GRAPH_MAX_ARGUMENTS];
    double second[TN_GRAPH_MAX_ARGUMENTS][TN_GRAPH_MAX_ARGUMENTS]; ///< symmetric
} tn_function_value;
typedef void (*tn_function_fn)(const double *x, uint32_t count, tn_function_value *out_value,
                               void *user_data);

/// Null hooks choose the C library's allocator. Returns null without memory.
TN_API tn_graph *tn_graph_create(tn_alloc_fn alloc, tn_free_fn free, void *user_data);
/// Null is allowed. Joints keep their copies.
TN_API void tn_graph_destroy(tn_graph *graph);
/// OK, or why the first block that was refused was.
TN_API tn_result tn_graph_get_result(const tn_graph *graph);
/// 1, 3, or 0 of what is no node of the graph.
TN_API uint32_t tn_graph_get_width(const tn_graph *graph, tn_node node);

// ---- connectors --------------------------------------------------------------------------------

/// Where a point of a body is in the world. `local_point` is in the body's frame, m. A vector, m.
TN_API tn_node tn_graph_add_point(tn_graph *graph, uint32_t body, tn_vec3 local_point);
/// Where a direction of a body points in the world. Need not be of unit length. A vector. Of an
/// affine body (tenon/affine.h) in a function joint both are of the material: a direction is
/// stretched as it is.
TN_API tn_node tn_graph_add_direction(tn_graph *graph, uint32_t body, tn_vec3 local_direction);
/// The world's time, s.
TN_API tn_node tn_graph_add_time(tn_graph *graph);
TN_API tn_node tn_graph_add_number(tn_graph *graph, double number);
TN_API tn_node tn_graph_add_vector(tn_graph *graph, tn_vec3 vector);
/// A number that the joint's owner may change while it runs: tn_function_joint_set_input.
TN_API tn_node tn_graph_add_input(tn_graph *graph, double number);

// ---- arithmetic --------------------------------------------------------------------------------

/// Of two numbers or two vectors.
TN_API tn_node tn_graph_add_sum(tn_graph *graph, tn_node a, tn_node b);
TN_API tn_node tn_graph_add_difference(tn_graph *graph, tn_node a, tn_node b);
/// Of two numbers, or of a number and a vector in either order.
TN_API tn_node tn_graph_add_product(tn_graph *graph, tn_node a, tn_node b);
/// A number or vector by a number. Where that is zero the quotient has no derivatives and is zero.
TN_API tn_node tn_graph_add_quotient(tn_graph *graph, tn_node a, tn_node b);
/// Of a number. Below zero it is zero.
TN_API tn_node tn_graph_add_root(tn_graph *graph, tn_node a);
/// Of an angle in rad.
TN_API tn_node tn_graph_add_sine(tn_graph *graph, tn_node a);
TN_API tn_node tn_graph_add_cosine(tn_graph *graph, tn_node a);
/// The angle of the point (x, y), in (-pi, pi], rad: it jumps on the negative x axis.
TN_API tn_node tn_graph_add_angle_of(tn_graph *graph, tn_node y, tn_node x);
/// The smaller and the greater of two numbers: their derivatives jump where they change places.
TN_API tn_node tn_graph_add_minimum(tn_graph *graph, tn_node a, tn_node b);
TN_API tn_node tn_graph_add_maximum(tn_graph *graph, tn_node a, tn_node b);
/// A function of your own of `count` numbers, 1 to TN_GRAPH_MAX_ARGUMENTS.
TN_API tn_node tn_graph_add_function(tn_graph *graph, tn_function_fn function, void *user_data,
                                     const tn_node *arguments, uint32_t count);

// ---- vectors -----------------------------------------------------------------------------------

/// Of three numbers; and back, axis 0 to 2.
TN_API tn_node tn_graph_add_vector_of(tn_graph *graph, tn_node x, tn_node y, tn_node z);
TN_API tn_node tn_graph_add_component(tn_graph *graph, tn_node vector, uint32_t axis);
TN_API tn_node tn_graph_add_dot(tn_graph *graph, tn_node a, tn_node b);
TN_API tn_node tn_graph_add_cross(tn_graph *graph, tn_node a, tn_node b);
/// The length of a vector. At zero it has no derivatives.
TN_API tn_node tn_graph_add_norm(tn_graph *graph, tn_node a);
/// Of unit length; zero stays zero.
TN_API tn_node tn_graph_add_unit(tn_graph *graph, tn_node a);

// ---- geometry ----------------------------------------------------------------------------------

/// Between two points, m.
TN_API tn_node tn_graph_add_distance(tn_graph *graph, tn_node p, tn_node q);
/// Between two directions, 0 to pi, rad. Where they agree or oppose each other it has no
/// derivatives.
TN_API tn_node tn_graph_add_angle(tn_graph *graph, tn_node a, tn_node b);
/// Of a triangle, m^2, >= 0.
TN_API tn_node tn_graph_add_area(tn_graph *graph, tn_node p, tn_node q, tn_node r);
/// Of a tetrahedron, m^3: (q - p) . ((r - p) x (s - p)) / 6, so that its sign tells its hand.
TN_API tn_node tn_graph_add_volume(tn_graph *graph, tn_node p, tn_node q, tn_node r, tn_node s);

TN_EXTERN_C_END

#endif
