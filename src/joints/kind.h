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

// For joints that count turns, teeth or time.
typedef struct tni_joint_counter {
    // The angles that they count, as their poses tell them, and how fast they grow; false where
    // they have none.
    bool (*measure_turning)(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_joint_value turning[2]);
    // For joints that count an angle only for a limit a turn wide or wider, else null: gives that
    // limit, or null where the angle has none.
    const tn_limit *(*get_wound)(const tni_joint *joint, uint32_t angle);
    // Notes what else meshing has to, or null.
    void (*mesh)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    uint32_t phase_row; // the equality that the memory is for; or it is no equality, and:
    double (*measure_phase)(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b);
    // Counts the teeth that have passed where the bodies are now, after the turns; or null.
    void (*advance)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    // Finds the place that is remembered without what is remembered of it, or null.
    void (*seek)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    // Whether the equalities depend on time. Jdot v is all of C'' then, at zero acceleration.
    bool has_rates;
} tni_joint_counter;

typedef struct tni_joint_kind {
    tni_row_count (*count_rows)(const tni_joint *joint);
    // Writes what is asked of its rows: equalities by parts, then bounded rows (joints/rows.h).
    void (*emit)(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                 tni_rows *out);
    tn_joint_error (*measure_error)(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b);
    tni_joint_value (*measure_value)(const tni_joint *joint, uint32_t index,
                                     const tni_body_motion *a, const tni_body_motion *b);
    // For a joint with several values, else null: what acts on each; returns how many.
    uint32_t (*get_axes)(const tni_joint *joint, const tn_axis *axes[TNI_JOINT_MAX_VALUES]);
    // Null where a joint of this type never stands in those lanes.
    bool (*get_ranges)(const tni_joint *joint, tni_joint_ranges *out_ranges);
    bool (*get_line)(const tni_joint *joint, tni_joint_line *out_line);
    const tni_joint_counter *counter; // null where it remembers nothing
    const tni_joint_keeper *keeper;   // null where the record has room for the definition
    bool has_callback;                // which may give what is no number
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
