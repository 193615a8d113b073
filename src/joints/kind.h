// joints/kind.h: the functions that each joint type fills in. A joint points to those of its type
// from its creation on, so that a linker leaves out the types that a program does not create.
#ifndef TNI_JOINTS_KIND_H
#define TNI_JOINTS_KIND_H

#include "core/memory/alloc.h"
#include "joints/joint.h"

// Keeps definitions that do not fit into the record, in memory that the record owns.
typedef struct tni_joint_keeper {
    // Makes that memory the first time, and overwrites it later. Returns false without memory.
    bool (*keep)(tni_allocator *allocator, const tni_joint_def *def, tni_joint *joint);
    // Loads the definition as it was given, without its base.
    void (*load)(const tni_joint *joint, tni_joint_def *out_def);
    void (*drop)(tni_allocator *allocator, tni_joint *joint);
    // Returns a sentence about a fault of the definition kept, or null if it has none. The function
    // is null if no fault is possible.
    const char *(*find_fault)(const tni_joint *joint);
} tni_joint_keeper;

// Serves joints that count turns, teeth or time.
typedef struct tni_joint_counter {
    // Measures the angles that they count, modulo 2 pi, and their rates. Returns false if these
    // have no reference.
    bool (*measure_turning)(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_joint_value turning[2]);
    // Returns the limit of an angle that is counted only because its limit is a full turn wide or
    // wider, or null. The function is null if the joint always counts.
    const tn_limit *(*get_wound)(const tni_joint *joint, uint32_t angle);
    // Notes more when the joint meshes, or null.
    void (*mesh)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    uint32_t phase_row; // the equality that the memory serves; if it serves none:
    double (*measure_phase)(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b);
    // Counts the teeth that have passed at the present poses, after the turns; or null.
    void (*advance)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    // Finds the remembered place without what was remembered of it, or null.
    void (*seek)(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
    // The equalities depend on time. Jdot v is then all of C'' at zero acceleration.
    bool has_rates;
} tni_joint_counter;

typedef struct tni_joint_kind {
    tni_row_count (*count_rows)(const tni_joint *joint);
    // Writes the rows that are asked for: equalities by parts, then bounded rows (joints/rows.h).
    void (*emit)(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                 tni_rows *out);
    tn_joint_error (*measure_error)(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b);
    tni_joint_value (*measure_value)(const tni_joint *joint, uint32_t index,
                                     const tni_body_motion *a, const tni_body_motion *b);
    // For a joint with several values, else null: gets what acts on each, and returns how many.
    uint32_t (*get_axes)(const tni_joint *joint, const tn_axis *axes[TNI_JOINT_MAX_VALUES]);
    // Null if a joint of this type never stands in those lanes.
    bool (*get_ranges)(const tni_joint *joint, tni_joint_ranges *out_ranges);
    bool (*get_line)(const tni_joint *joint, tni_joint_line *out_line);
    const tni_joint_counter *counter; // null if it remembers nothing
    const tni_joint_keeper *keeper;   // null if the record has room for the definition
    bool has_callback;                // which may give numbers that are not finite
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
extern const tni_joint_kind tni_function_joint_kind; // for ropes, too
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
