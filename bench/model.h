// bench/model.h: a scene as plain data, read out of a tenon world, from which any engine can be
// fed.
//
// A scene is written once, for tenon (scenes/); the model is what its world holds after it is
// built: bodies with mass, centre and inertia, shapes with local poses and materials, joints with
// frames, limits and motors. Every figure of quality is computed from a model and poses, for all
// engines alike.
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <tenon/machines.h>

TN_EXTERN_C_BEGIN

#define MODEL_NO_BODY UINT32_MAX // the world, where a joint ends there

typedef struct model_body {
    tn_body_type type;
    tn_pose pose; // of the body's frame
    tn_velocity velocity;
    tn_mass mass;
    float linear_damping, angular_damping, gravity_scale;
    uint32_t locks;
    uint32_t first_shape, shape_count;
} model_body;

typedef struct model_shape {
    tn_shape_type type;
    uint32_t body;
    tn_pose local_pose;
    tn_vec3 half_extents;      // of a box
    float radius, half_length; // of a sphere or capsule
    // Of a hull, a mesh or a height field; owned by the model. A field has its samples, row by row
    // along x.
    tn_vec3 *vertices;
    uint32_t *triangles; // of the same: 3 indices each, counter-clockwise; owned by the model
    uint32_t vertex_count, index_count;
    uint32_t columns, rows;      // samples of a height field along x and z
    double spacing_x, spacing_z; // m between them
    bool is_sensor;
    tn_material material;
    tn_filter filter;
} model_shape;

typedef struct model_joint {
    tn_joint_type type;
    uint32_t body_a, body_b; // indices into the bodies, or MODEL_NO_BODY
    tn_pose frame_a, frame_b;
    bool is_collision_allowed;
    tn_limit limit;   // of a ball joint: twist
    tn_motor motor;   // not of a ball joint
    tn_spring spring; // of a fixed joint: the linear one
    float friction;
    bool enable_cone; // of a ball joint
    float cone_angle;
    bool is_rigid; // of a distance joint
    float length;
} model_joint;

typedef struct bench_model {
    tn_vec3 gravity;
    model_body *bodies;
    model_shape *shapes; // sorted by body
    model_joint *joints;
    uint32_t body_count, shape_count, joint_count;
    uint32_t sensor_count; // of the shapes
} bench_model;

// Where a body is and how it moves: the pose of its frame, the velocity of its centre of mass.
typedef struct model_state {
    tn_pose pose;
    tn_velocity velocity;
} model_state;

// Reads a world. Null when memory cannot be had. The caller destroys the model.
bench_model *model_create(const tn_world *world);
void model_destroy(bench_model *model);
// May these two shapes touch, by their filters?
bool model_may_touch(const model_shape *a, const model_shape *b);
// Two frames of a joint in the world.
void model_get_joint_frames(const model_joint *joint, const model_state *states, tn_pose *out_a,
                            tn_pose *out_b);

TN_EXTERN_C_END

#endif
