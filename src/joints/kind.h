// joints/kind.h: the functions that each joint type fills in. A joint names those of its type from
// when it is created: a linker leaves out the types that a program does not create.
#ifndef TNI_JOINTS_KIND_H
#define TNI_JOINTS_KIND_H

#include "core/alloc.h"
#include "joints/joint.h"

// For definitions that do not fit into the record: the record and memory of its own hold them.
typedef struct tni_joint_keeper {
    // Makes that memory the first time, and overwrites it later; false where there is none.
    bool (*keep)(tni_allocator *allocator, const tni_joint_def *def, tni_joint *joint);
    // The definition as it was given, but for its base.
    void (*load)(const tni_joint *joint, tni_joint_def *out_def);
    void (*drop)(tni_allocator *allocator, tni_joint *joint);
    // Null where nothing can be wrong with what was kept; returns null where nothing is, else a
    // sentence.
    const char *(*find_fault)(const tni_joint *joint);
} tni_joint_keeper;

typedef struct tni_joint_kind {
    tni_row_count (*count_rows)(const tni_joint *joint);
    // Of a joint that is a pin: its equalities as a pin (where that is not null), its bounded rows
    // as rows; these may be null where they are limits alone. Of any other: all of it as rows, and
    // `pin` is not looked at.
    void (*emit)(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                 tni_pin *pin, tni_row *rows);
    // Where it is less, or null: as `emit` of what is no pin, but for Jdot v; the errors of limits,
    // at the places of their rows.
    void (*emit_still)(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_row *rows);
    void (*measure_limits)(const tni_joint *joint, const tni_body_motion *a,
                           const tni_body_motion *b, double *errors);
    // The equality rows alone, in double, and their curvature for strengths x: see exact_row.h.
    // Null of joints that never have such, and so are the two after it and Jdot v.
    void (*emit_exact)(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_exact_row *rows);
    // The errors of those rows alone.
    void (*measure_exact)(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double *errors);
    void (*add_curvature)(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, const double *x, tni_curvature *curvature);
    // Jdot v of those rows.
    void (*measure_terms)(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double *terms);
    tn_joint_error (*measure_error)(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b);
    tni_joint_value (*measure_value)(const tni_joint *joint, uint32_t index,
                                     const tni_body_motion *a, const tni_body_motion *b);
    // Of a joint with several values: what acts on each; returns how many. Else null.
    uint32_t (*get_axes)(const tni_joint *joint, const tn_axis *axes[TNI_JOINT_MAX_VALUES]);
    // Of joints with a memory, else null: the angles that they count, as their poses tell them, and
    // how fast they grow; false where they have none. What else meshing has to note, or null; and
    // which row it is for.
    bool (*measure_turning)(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_joint_value turning[2]);
    void (*mesh)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    uint32_t phase_row;
    // Joints that count an angle only for a limit a turn wide or wider have this, others null. It
    // gives that limit, or null where the angle has none.
    const tn_limit *(*get_wound)(const tni_joint *joint, uint32_t angle);
    // Of those among them that count teeth: the error of the row that is for them, which is no
    // equality; and after the turns the teeth that have passed where the bodies are now.
    double (*measure_phase)(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b);
    void (*advance)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    // Of those whose equalities depend on time, else null: dC/dt. Jdot v is all of C'' then, at
    // zero acceleration, and float rows have -dC/dt as target_speed.
    void (*measure_rates)(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double *rates);
    // Of those with a callback, else null: does it give numbers?
    bool (*gives_numbers)(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b);
    // Of those that remember a place, else null: finds it without what is remembered.
    void (*seek)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    // Null where a joint of this type never stands in those lanes.
    bool (*get_ranges)(const tni_joint *joint, tni_joint_ranges *out_ranges);
    bool (*get_line)(const tni_joint *joint, tni_joint_line *out_line);
    const tni_joint_keeper *keeper; // null where the record has room for the definition
} tni_joint_kind;

extern const tni_joint_kind tni_distance_joint_kind;
extern const tni_joint_kind tni_ball_joint_kind;
extern const tni_joint_kind tni_hinge_joint_kind;
extern const tni_joint_kind tni_slider_joint_kind;
extern const tni_joint_kind tni_fixed_joint_kind;
extern const tni_joint_kind tni_universal_joint_kind;
extern const tni_joint_kind tni_cylindrical_joint_kind;
extern const tni_joint_kind tni_planar_joint_kind;
extern const tni_joint_kind tni_mouse_joint_kind;
extern const tni_joint_kind tni_custom_joint_kind;
extern const tni_joint_kind tni_function_joint_kind; // of ropes too
extern const tni_joint_kind tni_curve_joint_kind;
extern const tni_joint_kind tni_surface_joint_kind;
extern const tni_joint_kind tni_motion_path_joint_kind;
extern const tni_joint_kind tni_swing_twist_joint_kind;
extern const tni_joint_kind tni_six_axis_joint_kind;
extern const tni_joint_kind tni_wheel_joint_kind;
extern const tni_joint_kind tni_gear_joint_kind;
extern const tni_joint_kind tni_belt_joint_kind;
extern const tni_joint_kind tni_rack_pinion_joint_kind;
extern const tni_joint_kind tni_screw_joint_kind;
extern const tni_joint_kind tni_pulley_joint_kind;
extern const tni_joint_kind tni_cam_joint_kind;
extern const tni_joint_kind tni_ratchet_joint_kind;
extern const tni_joint_kind tni_escapement_joint_kind;

#endif
