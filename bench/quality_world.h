// bench/quality_world.h: the worlds and bodies that quality runs are made of. Public API only.
#ifndef BENCH_QUALITY_WORLD_H
#define BENCH_QUALITY_WORLD_H

#include <tenon/machines.h>

#define QUALITY_PI      3.14159265358979323846
#define QUALITY_GRAVITY 9.81 // m/s^2

typedef enum quality_kind {
    QUALITY_BALL = 0, // radius `half.x`
    QUALITY_CAPSULE,  // radius `half.x`; `half.y` from its middle to a cap's center, along y
    QUALITY_BOX,      // half extents `half`
    QUALITY_HULL,     // a prism of eight sides about y: inner radius `half.x`, half height `half.y`
    QUALITY_KIND_COUNT,
} quality_kind;

// The solvers that runs on joints are repeated with.
#define QUALITY_SOLVER_COUNT 4
extern const tn_solver quality_solvers[QUALITY_SOLVER_COUNT];
const char *quality_solver_name(tn_solver solver);
// A solver by the word of an option: auto, pgs, direct or cg. False when it is none.
bool quality_read_solver(const char *word, tn_solver *out_solver);

typedef struct quality_shape {
    quality_kind kind;
    tn_vec3 half; // m
} quality_shape;

const char *quality_kind_name(quality_kind kind);
// A shape that reaches `reach` from its middle along its own y axis and, capsules apart, also x.
quality_shape quality_shape_of(quality_kind kind, double reach);
// How far the shape, turned as the pose says, reaches from its middle along a world direction of
// unit length. m.
double quality_shape_get_reach(const quality_shape *shape, tn_quat rotation, tn_vec3 along);

// A world without sleep, gravity down (0: none).
tn_world *quality_world_create(double gravity);
// The definition of a dynamic body at a place, unturned, at rest.
tn_body_def quality_body_at(double x, double y, double z);
// Turns the definition about a world axis (any length), rad, after what it is turned by so far.
void quality_body_turn(tn_body_def *def, tn_vec3 axis, double angle);
// The default material but for its friction.
tn_shape_def quality_material(double friction);
tn_body_id quality_body_create(tn_world *world, const tn_body_def *def,
                               const tn_shape_def *material, const quality_shape *shape);
// A shape that is the hull of points.
tn_shape_id quality_hull_shape_create(tn_world *world, tn_body_id body,
                                      const tn_shape_def *material, const tn_vec3 *points,
                                      uint32_t count);
// A static box between two corners.
tn_body_id quality_block_create(tn_world *world, const tn_shape_def *material, tn_vec3 lower,
                                tn_vec3 upper);
// A static half-space with its surface at this height.
tn_body_id quality_plane_create(tn_world *world, const tn_shape_def *material, double top);

// A floor of level static tiles along x, 10 m wide and 1 m thick, with a seam at `origin`.
typedef struct quality_floor {
    tn_vec3 origin;
    double from, to; // m, along x from the origin
    double tile;     // m
    bool is_one_body;
    tn_shape_def material;
} quality_floor;
void quality_floor_create(tn_world *world, const quality_floor *tiles);

// Steps for a time, rounded to whole steps.
void quality_world_run(tn_world *world, double seconds, double hz, uint32_t substeps);
uint32_t quality_count_steps(double seconds, double hz);

tn_vec3 quality_vector(double x, double y, double z);
double quality_length(tn_vec3 v);
double quality_dot(tn_vec3 a, tn_vec3 b);
tn_vec3 quality_cross(tn_vec3 a, tn_vec3 b);
tn_vec3 quality_subtract(tn_vec3 a, tn_vec3 b);
tn_vec3 quality_between(tn_vec3 from, tn_vec3 to);
// a + factor b.
tn_vec3 quality_add(tn_vec3 a, double factor, tn_vec3 b);
// The vector, turned by the quaternion x, y, z, w.
tn_vec3 quality_rotate(tn_quat rotation, tn_vec3 v);
// The angle between two rotations, rad.
double quality_angle_between(tn_quat a, tn_quat b);
// How far two velocities are apart, m/s, counting rad/s like m/s. 0: equal to the last bit.
double quality_velocity_change(tn_velocity a, tn_velocity b);

// A tn_reduced_fn of a free body: x, y, z, then turns about y, about x of what that makes of it,
// and about its own z.
void quality_reduced_free(const tn_reduced_input *input, tn_reduced_output *out, void *context);

#endif
