/// tenon/custom_joint.h: makes a joint of your own: a callback says how far two frames are from
/// where they should be, and every solver, the telemetry and the events treat it as any other
/// joint.
///
/// Each row constrains one number C of the two frames. The callback gives C and its Jacobian, which
/// is the four vectors, in world axes, with
///     C' = linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b
/// where v_a is the velocity of the origin of frame a, w_a the angular velocity of its body, and
/// likewise for b. Second derivatives are differences of these.
#ifndef TENON_CUSTOM_JOINT_H
#define TENON_CUSTOM_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The limits on the rows of one joint, and on the equalities among them.
#define TN_CUSTOM_MAX_ROWS       12
#define TN_CUSTOM_MAX_EQUALITIES 6

typedef enum tn_custom_row_kind {
    TN_CUSTOM_ROW_EQUALITY = 0, ///< C = 0
    TN_CUSTOM_ROW_LIMIT,        ///< C >= 0
    TN_CUSTOM_ROW_SPEED,        ///< C' = target_speed with at most max_force: motor, friction
    TN_CUSTOM_ROW_SPRING,       ///< force = -stiffness C - damping (C' - target_speed)
} tn_custom_row_kind;

/// Says what a row does with its C. The force of a SPRING, SPEED or LIMIT row acts along C.
typedef struct tn_custom_row_def {
    tn_custom_row_kind kind;
    bool is_angular;    ///< C is in rad and its force in N·m, else in m and N
    float target_speed; ///< m/s or rad/s. SPEED, SPRING
    float stiffness;    ///< N/m or N·m/rad, >= 0. SPRING
    float damping;      ///< N·s/m or N·m·s/rad, >= 0. SPRING
    float max_force;    ///< N or N·m, >= 0. 0 or INFINITY (default): no cap. SPEED, SPRING
    float break_load;   ///< N or N·m, >= 0: a larger force of this row, averaged over the joint's
                        ///< break_time, breaks the joint. Default 0: none does
} tn_custom_row_def;

/// The result of the callback for one row. It is zero when the callback begins.
typedef struct tn_custom_row {
    double error; ///< C: m or rad
    tn_vec3 linear_a, angular_a, linear_b, angular_b;
} tn_custom_row;

/// Fills in all rows of a joint for two frames in the world. It must give the same numbers for the
/// same frames and user data: the step calls it many times, from several threads, and with frames
/// that the bodies may never take. It must not change the world. A row with numbers that are not
/// finite does nothing, and the world reports it after the step (NOT_FINITE).
typedef void (*tn_custom_joint_fn)(const tn_pose *frame_a, const tn_pose *frame_b,
                                   tn_custom_row *rows, void *user_data);

typedef struct tn_custom_joint_def {
    tn_joint_def base;
    tn_custom_joint_fn evaluate;                ///< not null
    void *evaluate_user_data;                   ///< passed to `evaluate`; not owned
    uint32_t row_count;                         ///< 1 to TN_CUSTOM_MAX_ROWS
    tn_custom_row_def rows[TN_CUSTOM_MAX_ROWS]; ///< equalities first; among these, m before rad
} tn_custom_joint_def;

/// Returns a definition whose rows are equalities without a cap, with a row_count of 0.
TN_API tn_custom_joint_def tn_custom_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; NOT_FINITE also for the callback's
/// numbers.
TN_API tn_joint_id tn_custom_joint_create(tn_world *world, const tn_custom_joint_def *def);
TN_API tn_custom_joint_def tn_custom_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Changes the numbers of a row, but not its kind and unit. Wakes both bodies.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_custom_joint_set_row(tn_world *world, tn_joint_id joint, uint32_t row,
                                         tn_custom_row_def def);
/// Return C of a row now, m or rad, and its rate, per second; 0 beyond the last row.
TN_API double tn_custom_joint_get_error(const tn_world *world, tn_joint_id joint, uint32_t row);
TN_API double tn_custom_joint_get_rate(const tn_world *world, tn_joint_id joint, uint32_t row);

TN_EXTERN_C_END

#endif
