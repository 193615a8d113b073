/// tenon/custom_joint.h: a joint of your own: a callback says how far two frames are from where
/// they should be, and every solver, the telemetry and the events treat it as one of theirs.
///
/// Each row constrains one number C of the two frames. The callback gives C and its Jacobian, the
/// four vectors with
///     C' = linear_a . v_a + angular_a . w_a + linear_b . v_b + angular_b . w_b
/// where v_a is the velocity of the origin of frame a, w_a the angular velocity of its body, and
/// likewise of b. World axes. Second derivatives are taken from differences of these.
#ifndef TENON_CUSTOM_JOINT_H
#define TENON_CUSTOM_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The most rows of one joint, and how many of them may be equalities.
#define TN_CUSTOM_MAX_ROWS       12
#define TN_CUSTOM_MAX_EQUALITIES 6

typedef enum tn_custom_row_kind {
    TN_CUSTOM_ROW_EQUALITY = 0, ///< C = 0
    TN_CUSTOM_ROW_LIMIT,        ///< C >= 0
    TN_CUSTOM_ROW_SPEED,        ///< C' = target_speed as long as max_force allows: motor, friction
    TN_CUSTOM_ROW_SPRING,       ///< force = -stiffness C - damping (C' - target_speed)
} tn_custom_row_kind;

/// What a row does with its C. The force of a row of stiffness, speed or limit acts along C.
typedef struct tn_custom_row_def {
    tn_custom_row_kind kind;
    bool is_angular;    ///< C is in rad and the force in N·m; else m and N
    float target_speed; ///< m/s or rad/s. SPEED, SPRING
    float stiffness;    ///< N/m or N·m/rad, >= 0. SPRING
    float damping;      ///< N·s/m or N·m·s/rad, >= 0. SPRING
    float max_force;    ///< N or N·m, >= 0. 0 or INFINITY (default): no cap. SPEED, SPRING
    float break_load;   ///< N or N·m, >= 0: a larger force of this row, averaged over the joint's
                        ///< break_time, breaks the joint. Default 0: none does
} tn_custom_row_def;

/// What the callback gives for one row. Zero when it is called.
typedef struct tn_custom_row {
    double error; ///< C: m or rad
    tn_vec3 linear_a, angular_a, linear_b, angular_b;
} tn_custom_row;

/// Fills all rows of a joint for two frames in the world. It must give the same numbers for the
/// same frames and user data, for the step asks it many times and from several threads, with frames
/// that the bodies may never take. It must not call anything that changes the world. Numbers that
/// are not finite make the row do nothing, which the world reports after the step (NOT_FINITE).
typedef void (*tn_custom_joint_fn)(const tn_pose *frame_a, const tn_pose *frame_b,
                                   tn_custom_row *rows, void *user_data);

typedef struct tn_custom_joint_def {
    tn_joint_def base;
    tn_custom_joint_fn evaluate;                ///< not null
    void *evaluate_user_data;                   ///< handed through; not owned
    uint32_t row_count;                         ///< 1 to TN_CUSTOM_MAX_ROWS
    tn_custom_row_def rows[TN_CUSTOM_MAX_ROWS]; ///< equalities first, of these m before rad
} tn_custom_joint_def;

/// Rows are equalities without a cap; none is there yet.
TN_API tn_custom_joint_def tn_custom_joint_def_default(void);
/// Errors: see tn_distance_joint_create; NOT_FINITE also where the callback gives such numbers now.
TN_API tn_joint_id tn_custom_joint_create(tn_world *world, const tn_custom_joint_def *def);
TN_API tn_custom_joint_def tn_custom_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Changes the numbers of a row; its kind and unit stay. Wakes both bodies.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_custom_joint_set_row(tn_world *world, tn_joint_id joint, uint32_t row,
                                         tn_custom_row_def def);
/// C of a row and its rate, now; 0 beyond the last row. m or rad, and per second.
TN_API double tn_custom_joint_get_error(const tn_world *world, tn_joint_id joint, uint32_t row);
TN_API double tn_custom_joint_get_rate(const tn_world *world, tn_joint_id joint, uint32_t row);

TN_EXTERN_C_END

#endif
