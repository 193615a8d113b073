// world/records/features.h: tables through which a world calls parts of the library that many
// programs do not use.
//
// Only the functions that create a part's objects name the part: they put its table of functions
// into the world. A linker therefore drops the parts whose objects a program never creates. A table
// is null until the first object of its kind is created.
// Test: tests/consumer/run.sh
#ifndef TNI_WORLD_RECORDS_FEATURES_H
#define TNI_WORLD_RECORDS_FEATURES_H

#include "tenon/joint.h"

typedef struct tni_solver tni_solver;
struct tni_function;
struct tni_joint;
struct tni_part_feature;
struct tni_reduced;
struct tni_rope_shape;
struct tni_step;

// Forces (world/api/force.c, world/step/step_forces.c).
typedef struct tni_force_feature {
    // Adds the forces that act to the step, once bodies are numbered; false without memory.
    bool (*gather)(tn_world *world, struct tni_step *step);
    // The next two are asked where forces act in the step. The bodies of a force are one island.
    void (*join)(const tni_solver *solver, uint32_t *parents);
    void (*scatter)(tn_world *world, struct tni_step *step);
    void (*wake_bodies)(tn_world *world, uint32_t force);
    // Destroys the forces on a body.
    void (*leave_body)(tn_world *world, uint32_t body);
    void (*destroy)(tn_world *world, uint32_t force);
    // Frees the memory that forces have beside their records.
    void (*drop)(tn_world *world);
} tni_force_feature;

// Rows over several bodies (function joints, ropes), and bodies that are given by coordinates
// (world/movers/step_spans.c, step_reduced.c, step_span_contacts.c, step_closings.c).
typedef struct tni_span_feature {
    const struct tni_span_ops *ops; // for the solver: solver/movers/span_ops.h

    // A step calls these in this order while it gathers: see step_internal.h.
    bool (*adopt_joints)(tn_world *world);
    bool (*gather_reduced)(tn_world *world, struct tni_step *step);
    bool (*gather)(tn_world *world, struct tni_step *step);
    bool (*gather_contacts)(tn_world *world, struct tni_step *step);
    bool (*gather_closings)(tn_world *world, struct tni_step *step);
    void (*join)(const tn_world *world, const tni_solver *solver, uint32_t *parents);
    void (*scatter_contacts)(tn_world *world, const struct tni_step *step);
    void (*scatter_reduced)(tn_world *world, const struct tni_step *step);
    void (*scatter)(tn_world *world, struct tni_step *step);
    // These forget a step that went wrong: see world/step/step_lost.c.
    void (*forget_function)(tn_world *world, struct tni_function *function);
    // Forgets only the impulses that the next step begins with.
    void (*forget_impulses)(struct tni_function *function);
    void (*restore_reduced)(struct tni_reduced *reduced);

    void (*deform_shape)(tn_world *world, uint32_t shape);
    void (*destroy_reduced)(tn_world *world, uint32_t reduced);
    // The dynamic bodies of function joints may have changed.
    void (*center_functions)(tn_world *world);
    tn_joint_error (*read_error)(const struct tni_joint *joint);
    double (*read_elastic_energy)(const struct tni_joint *joint);
    void (*read_rope_shape)(const tn_world *world, const struct tni_function *function,
                            struct tni_rope_shape *out_shape);
} tni_span_feature;
extern const tni_span_feature tni_spans_feature;

// A recording (world/recording/recording.c).
typedef struct tni_recording_feature {
    // Steps, and records the step if the world has a recording.
    tn_result (*step)(tn_world *world, double dt, uint32_t substeps);
    // Ends the world's recording.
    void (*drop)(tn_world *world);
} tni_recording_feature;

typedef struct tni_features {
    const tni_force_feature *forces;
    const tni_span_feature *spans;
    const struct tni_part_feature *parts; // of concave shapes: world/parts.h
    const tni_recording_feature *recording;
    void (*drop_replay)(tn_world *world); // world/recording/replay.c
} tni_features;

#endif
