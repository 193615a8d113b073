/// tenon/graph.h: composes functions of bodies from blocks, for function joints and goal forces.
///
/// A graph grows block by block. A connector block gives a point or a direction of a body; other
/// blocks take nodes and give sums, products, norms, angles, areas, volumes, functions of time or
/// of your own. Each block gives a node, which is one number or a vector of three. The derivatives
/// by the bodies' poses and by time that rows need follow by the chain rule.
///
/// A body is named by its place, 0 to TN_GRAPH_MAX_BODIES - 1, in the list that the joint is given:
/// a graph belongs to no world and may serve many joints, each of which copies it.
///
/// Errors: a block that is refused (a node of another graph, a vector in place of a number, a
/// number that is not finite, no memory, a null graph) gives the null node {0}, and so does every
/// block that takes that node. tn_graph_get_result returns the first reason. Thread: one at a
/// time per graph.
/// Source: M. Gleicher, A. Witkin, "Snap together mathematics", 1990; A. Witkin, M. Gleicher, W.
/// Welch, "Interactive dynamics", 1990 (connectors and function blocks).
#ifndef TENON_GRAPH_H
#define TENON_GRAPH_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// The limit on the bodies of one graph.
#define TN_GRAPH_MAX_BODIES 16
/// The limit on the numbers of one graph: a vector is three, and a block may need some of its own.
#define TN_GRAPH_MAX_NUMBERS 65536
/// The limit on the inputs of a function of your own.
#define TN_GRAPH_MAX_ARGUMENTS 8

/// A graph. It is opaque; whoever made it destroys it.
typedef struct tn_graph tn_graph;

/// The result of a block. Null is {0}.
typedef struct tn_node {
    uint32_t value;
} tn_node;

/// Computes your own function of `count` numbers x: its value, its first derivatives by them, and
/// its second derivatives row by row. Every substep calls it, also with numbers that the bodies
/// never reach. It must give the same result for the same x.
typedef struct tn_function_value {
    double value;
    double first[TN_GRAPH_MAX_ARGUMENTS];
    double second[TN_GRAPH_MAX_ARGUMENTS][TN_GRAPH_MAX_ARGUMENTS]; ///< symmetric
} tn_function_value;
typedef void (*tn_function_fn)(const double *x, uint32_t count, tn_function_value *out_value,
                               void *user_data);

/// Makes an empty graph. Null hooks choose the C library's allocator. Returns null without memory.
TN_API tn_graph *tn_graph_create(tn_alloc_fn alloc, tn_free_fn free, void *user_data);
/// Destroys the graph; joints keep their copies. Null is allowed.
TN_API void tn_graph_destroy(tn_graph *graph);
/// Returns OK, or the reason for which the first block was refused.
TN_API tn_result tn_graph_get_result(const tn_graph *graph);
/// Returns 1 for a number, 3 for a vector, or 0 for a node that is not of the graph.
TN_API uint32_t tn_graph_get_width(const tn_graph *graph, tn_node node);

// ---- connectors --------------------------------------------------------------------------------

/// Adds where a point of a body is in the world, a vector, m. `local_point` is in the body's frame,
/// m.
TN_API tn_node tn_graph_add_point(tn_graph *graph, uint32_t body, tn_vec3 local_point);
/// Adds where a direction of a body, of any length, points in the world, a vector. For an affine
/// body (tenon/affine.h) in a function joint, point and direction are of the material, and a
/// direction is stretched with it.
TN_API tn_node tn_graph_add_direction(tn_graph *graph, uint32_t body, tn_vec3 local_direction);
/// Adds the world's time, s.
TN_API tn_node tn_graph_add_time(tn_graph *graph);
TN_API tn_node tn_graph_add_number(tn_graph *graph, double number);
TN_API tn_node tn_graph_add_vector(tn_graph *graph, tn_vec3 vector);
/// Adds a number that may change while a joint runs: see tn_function_joint_set_input.
TN_API tn_node tn_graph_add_input(tn_graph *graph, double number);

// ---- arithmetic --------------------------------------------------------------------------------

/// Add the sum and the difference of two numbers or two vectors.
TN_API tn_node tn_graph_add_sum(tn_graph *graph, tn_node a, tn_node b);
TN_API tn_node tn_graph_add_difference(tn_graph *graph, tn_node a, tn_node b);
/// Adds the product of two numbers, or of a number and a vector in either order.
TN_API tn_node tn_graph_add_product(tn_graph *graph, tn_node a, tn_node b);
/// Adds a number or vector divided by a number. For a zero divisor it and its derivatives are zero.
TN_API tn_node tn_graph_add_quotient(tn_graph *graph, tn_node a, tn_node b);
/// Adds the square root of a number, which is zero for a negative one.
TN_API tn_node tn_graph_add_root(tn_graph *graph, tn_node a);
/// Add the sine and the cosine of an angle in rad.
TN_API tn_node tn_graph_add_sine(tn_graph *graph, tn_node a);
TN_API tn_node tn_graph_add_cosine(tn_graph *graph, tn_node a);
/// Adds the angle of the point (x, y), in (-pi, pi] rad. It jumps at the negative x axis.
TN_API tn_node tn_graph_add_angle_of(tn_graph *graph, tn_node y, tn_node x);
/// Add the smaller and the greater of two numbers. Their derivatives jump where the numbers are
/// equal.
TN_API tn_node tn_graph_add_minimum(tn_graph *graph, tn_node a, tn_node b);
TN_API tn_node tn_graph_add_maximum(tn_graph *graph, tn_node a, tn_node b);
/// Adds your own function of `count` numbers, 1 to TN_GRAPH_MAX_ARGUMENTS.
TN_API tn_node tn_graph_add_function(tn_graph *graph, tn_function_fn function, void *user_data,
                                     const tn_node *arguments, uint32_t count);

// ---- vectors -----------------------------------------------------------------------------------

/// Add a vector of three numbers, and the component of a vector along axis 0 to 2.
TN_API tn_node tn_graph_add_vector_of(tn_graph *graph, tn_node x, tn_node y, tn_node z);
TN_API tn_node tn_graph_add_component(tn_graph *graph, tn_node vector, uint32_t axis);
TN_API tn_node tn_graph_add_dot(tn_graph *graph, tn_node a, tn_node b);
TN_API tn_node tn_graph_add_cross(tn_graph *graph, tn_node a, tn_node b);
/// Adds the length of a vector. At zero it has no derivatives.
TN_API tn_node tn_graph_add_norm(tn_graph *graph, tn_node a);
/// Adds the vector scaled to unit length; zero stays zero.
TN_API tn_node tn_graph_add_unit(tn_graph *graph, tn_node a);

// ---- geometry ----------------------------------------------------------------------------------

/// Adds the distance of two points, m.
TN_API tn_node tn_graph_add_distance(tn_graph *graph, tn_node p, tn_node q);
/// Adds the angle between two directions, 0 to pi rad. It has no derivatives if they are parallel.
TN_API tn_node tn_graph_add_angle(tn_graph *graph, tn_node a, tn_node b);
/// Adds the area of a triangle, m^2, >= 0.
TN_API tn_node tn_graph_add_area(tn_graph *graph, tn_node p, tn_node q, tn_node r);
/// Adds the signed volume of a tetrahedron, m^3: (q - p) . ((r - p) x (s - p)) / 6.
TN_API tn_node tn_graph_add_volume(tn_graph *graph, tn_node p, tn_node q, tn_node r, tn_node s);

TN_EXTERN_C_END

#endif
