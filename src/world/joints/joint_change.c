// world/joints/joint_change.c: changes and reads a joint's definition.
//
// A change may add or take rows. The impulses kept for warm starting follow the rows: rows are of a
// class (role, and whether they are equalities, limits or the rest), and a class keeps its impulses
// when it has as many rows as before. Otherwise it starts from zero.
// Test: tests/joints/test_joint_setters.c
#include <string.h>

#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/row.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

#define JOINT_ROW_CLASSES 12

// The class of each row of a joint, by index.
typedef struct joint_layout {
    uint32_t count;
    uint32_t class_of[TNI_JOINT_MAX_ROWS];
    uint32_t class_count[JOINT_ROW_CLASSES];
} joint_layout;

static uint32_t joint_row_class(const tni_row *row) {
    uint32_t form = row->kind == TNI_ROW_RIGID ? 0 : (tni_row_is_limit(row) ? 1 : 2);
    return (uint32_t)row->role * 3 + form;
}

static joint_layout joint_get_layout(const tn_world *world, const tni_joint *joint) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    tni_joint_emit(joint, &a, &b, rows);
    joint_layout layout = {.count = tni_joint_count_rows(joint).rows};
    for (uint32_t i = 0; i < layout.count; ++i) {
        layout.class_of[i] = joint_row_class(&rows[i]);
        layout.class_count[layout.class_of[i]] += 1;
    }
    return layout;
}

// Returns the old impulse of the nth row of a class.
static float joint_find_impulse(const joint_layout *old, const float *impulses, uint32_t row_class,
                                uint32_t n) {
    for (uint32_t i = 0; i < old->count; ++i) {
        if (old->class_of[i] == row_class && n-- == 0) {
            return impulses[i];
        }
    }
    return 0.0f;
}

static void joint_move_impulses(tni_joint *joint, const joint_layout *old,
                                const joint_layout *now) {
    float before[TNI_JOINT_MAX_ROWS];
    uint32_t seen[JOINT_ROW_CLASSES] = {0};
    memcpy(before, joint->impulses, sizeof before);
    memset(joint->impulses, 0, sizeof joint->impulses);
    for (uint32_t i = 0; i < now->count; ++i) {
        uint32_t row_class = now->class_of[i];
        if (old->class_count[row_class] == now->class_count[row_class]) {
            joint->impulses[i] = joint_find_impulse(old, before, row_class, seen[row_class]);
        }
        seen[row_class] += 1;
    }
}

// Loads a definition with no byte left unset.
static void joint_load(const tni_joint *joint, tni_joint_def *out_def) {
    memset(out_def, 0, sizeof *out_def);
    tni_joint_def_load(joint, out_def);
}

// Returns whether the definition differs, as given and once its frames are normalised.
static bool joint_changes(const tni_joint *joint, const tni_joint_def *def) {
    tni_joint_def now, normal = *def;
    joint_load(joint, &now);
    tni_joint_def_normalize(&normal);
    return !tni_is_same(&now, def, sizeof now) && !tni_is_same(&now, &normal, sizeof now);
}

bool tni_cap_set(float *cap, float given) {
    bool is_same = given >= 0.0f && tni_row_get_cap(*cap) == tni_row_get_cap(given);
    *cap = is_same ? *cap : given;
    return !is_same;
}

bool tni_rotation_set(tn_quat *rotation, const tn_quat *given) {
    bool is_same = convert_is_same_turn(*rotation, *given, CONVERT_SAME_TURN_FLOAT);
    *rotation = is_same ? *rotation : *given;
    return !is_same;
}

void tni_limit_set(tn_limit *limit, const tn_limit *given) {
    limit->is_enabled = given->is_enabled;
    tni_float_set(&limit->lower, given->lower);
    tni_float_set(&limit->upper, given->upper);
    tni_float_set(&limit->stiffness, given->stiffness);
    tni_float_set(&limit->damping, given->damping);
    tni_float_set(&limit->restitution, given->restitution);
}

// Sets a motor. If any number changes, a getter returns all of them as given.
void tni_motor_set(tn_motor *motor, const tn_motor *given) {
    tn_motor now = *motor;
    bool is_other = now.mode != given->mode || now.drive != given->drive;
    is_other |= tni_float_set(&now.target_speed, given->target_speed);
    is_other |= tni_float_set(&now.target_position, given->target_position);
    is_other |= tni_float_set(&now.stiffness, given->stiffness);
    is_other |= tni_float_set(&now.damping, given->damping);
    is_other |= tni_cap_set(&now.max_force, given->max_force);
    *motor = is_other ? *given : now;
}

void tni_ball_motor_set(tn_ball_motor *motor, const tn_ball_motor *given) {
    tn_ball_motor now = *motor;
    bool is_other = now.mode != given->mode || now.drive != given->drive;
    is_other |= convert_set_vec3(&now.target_velocity, &given->target_velocity);
    is_other |= tni_rotation_set(&now.target_rotation, &given->target_rotation);
    is_other |= tni_float_set(&now.stiffness, given->stiffness);
    is_other |= tni_float_set(&now.damping, given->damping);
    is_other |= tni_cap_set(&now.max_torque, given->max_torque);
    *motor = is_other ? *given : now;
}

void tni_spring_set(tn_spring *spring, const tn_spring *given) {
    spring->mode = given->mode;
    tni_float_set(&spring->hertz, given->hertz);
    tni_float_set(&spring->damping_ratio, given->damping_ratio);
    tni_float_set(&spring->stiffness, given->stiffness);
    tni_float_set(&spring->damping, given->damping);
    tni_float_set(&spring->rest, given->rest);
}

void tni_joint_axis_set(tn_axis *axis, const tn_axis *given) {
    tni_limit_set(&axis->limit, &given->limit);
    tni_motor_set(&axis->motor, &given->motor);
    tni_spring_set(&axis->spring, &given->spring);
    tni_float_set(&axis->friction, given->friction);
    tni_float_set(&axis->viscous_friction, given->viscous_friction);
}

bool tni_custom_row_set(tn_custom_row_def *row, const tn_custom_row_def *given) {
    bool is_other = row->kind != given->kind || row->is_angular != given->is_angular;
    row->kind = given->kind;
    row->is_angular = given->is_angular;
    is_other |= tni_float_set(&row->target_speed, given->target_speed);
    is_other |= tni_float_set(&row->stiffness, given->stiffness);
    is_other |= tni_float_set(&row->damping, given->damping);
    is_other |= tni_cap_set(&row->max_force, given->max_force);
    is_other |= tni_float_set(&row->break_load, given->break_load);
    return is_other;
}

// Begins a change of a joint that was found, or of none after a report.
static tni_joint_change joint_change_begin(const tn_world *world, uint32_t joint,
                                           const char *function) {
    tni_joint_change change = {.joint = joint, .function = function};
    if (joint != TNI_NONE) {
        joint_load(tni_joint_at(world, joint), &change.def);
    }
    return change;
}

tni_joint_change tni_joint_begin_change_of_any(tn_world *world, tn_joint_id id,
                                               const char *function) {
    bool may_change = tni_world_begin_change(world, function);
    uint32_t joint = may_change ? tni_world_find_joint(world, id, function) : TNI_NONE;
    return joint_change_begin(world, joint, function);
}

tni_joint_change tni_joint_begin_change(tn_world *world, tn_joint_id id, tn_joint_type type,
                                        const char *function) {
    bool may_change = tni_world_begin_change(world, function);
    uint32_t joint =
        may_change ? tni_world_find_joint_of_type(world, id, type, function) : TNI_NONE;
    return joint_change_begin(world, joint, function);
}

// Gives the joint this definition, with the impulses of the rows that stay.
static void joint_apply_change(tn_world *world, uint32_t joint_index, const tni_joint_def *def) {
    tni_joint *joint = tni_joint_at(world, joint_index);
    tni_joint_plan_drop(world);
    joint_layout old = joint_get_layout(world, joint);
    world->is_choice_stale |= def->base.solver != joint->def.base.solver;
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    double error = tni_joint_get_phase_error(joint, &a, &b);
    uint32_t counted = tni_joint_get_counted(joint);
    tni_joint_def normal = *def;
    tni_joint_def_normalize(&normal);
    tni_joint_def_keep(world, &normal, joint);
    tni_joint_update_frames(world, joint_index);
    uint32_t begins = tni_joint_get_counted(joint) & ~counted;
    if (begins != 0 || tni_joint_get_phase_error(joint, &a, &b) != error) {
        tni_joint_mesh(joint, &a, &b, error, begins != 0 ? begins : TNI_COUNTS_BOTH);
    }
    world->is_choice_stale |= begins != 0;
    joint_layout now = joint_get_layout(world, joint);
    uint64_t kinds = joint->row_kinds;
    tni_joint_note_row_kinds(joint);
    world->is_choice_stale |= kinds != joint->row_kinds;
    world->has_set_drives |= joint->drives_limits;
    joint->rows = tni_joint_count_rows(joint);
    joint_move_impulses(joint, &old, &now);
    tni_joint_wake_bodies(world, joint_index);
}

static tni_check joint_check_change(const tn_world *world, const tni_joint_change *change) {
    const tni_joint *joint = tni_joint_at(world, change->joint);
    tni_check check = tni_joint_def_check(joint->type, &change->def);
    if (check.result == TN_RESULT_OK) {
        check = tni_particle_check_joint(world, joint->type, &change->def, joint->body_a,
                                         joint->body_b);
    }
    return check;
}

tn_result tni_joint_commit_change(tn_world *world, const tni_joint_change *change) {
    if (change->joint == TNI_NONE) {
        return tni_world_end_change(world);
    }
    const tni_joint *joint = tni_joint_at(world, change->joint);
    tni_check check = joint_check_change(world, change);
    if (tni_world_accepts(world, check, change->function, joint->handle) &&
        joint_changes(joint, &change->def)) {
        tni_world_begin_callback(world); // asks the joint's callback
        joint_apply_change(world, change->joint, &change->def);
        tni_world_end_callback(world);
    }
    tni_world_end_change(world);
    return check.result;
}

bool tni_joint_gives_numbers(const tn_world *world, const tni_joint *joint, const char *function) {
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    bool is_finite = tni_joint_is_finite(joint, &a, &b);
    if (!is_finite) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, function,
                         "The callback of a joint gives numbers that are not finite.",
                         joint->handle);
    }
    return is_finite;
}

const tni_joint *tni_joint_read(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                const char *function) {
    if (!world) {
        return NULL;
    }
    uint32_t joint = tni_world_find_joint_of_type(world, id, type, function);
    return joint == TNI_NONE ? NULL : tni_joint_at(world, joint);
}

tni_joint_def tni_joint_read_def(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                 const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    tni_joint_def def;
    memset(&def, 0, sizeof def);
    if (joint) {
        tni_joint_def_load(joint, &def);
    }
    return def;
}

float tni_joint_read_effort(const tn_world *world, tn_joint_id id, tn_joint_type type,
                            uint32_t motor, const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    return joint ? joint->motor_efforts[motor] : 0.0f;
}

tni_joint_value tni_joint_read_value(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                     const char *function) {
    return tni_joint_read_value_at(world, id, type, 0, function);
}

tni_joint_value tni_joint_read_value_at(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                        uint32_t value, const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    tni_joint_value zero = {0.0, 0.0};
    if (!joint) {
        return zero;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    tni_world_begin_reading(world);
    tni_joint_value result = tni_joint_measure_value(joint, value, &a, &b);
    tni_world_end_reading(world);
    return result;
}

tn_quat tni_joint_read_rotation(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    tn_quat rotation = {0.0, 0.0, 0.0, 0.0};
    if (joint) {
        tni_body_motion a, b;
        tni_joint_get_motions(world, joint, &a, &b);
        rotation = dquat_to_plain(tni_angle_measure_relative(joint, &a, &b));
    }
    return rotation;
}

tn_vec3 tni_joint_read_velocity(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    tn_vec3 velocity = {0.0, 0.0, 0.0};
    if (joint) {
        tni_body_motion a, b;
        tni_joint_get_motions(world, joint, &a, &b);
        tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, &a);
        velocity = tni_error_to_frame(&frame_a, dvec3_sub(b.angular_velocity, a.angular_velocity));
    }
    return velocity;
}

double tni_joint_read_phase_error(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                  const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    if (!joint) {
        return 0.0;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    return tni_joint_get_phase_error(joint, &a, &b);
}

double tni_joint_read_turn(const tn_world *world, tn_joint_id id, tn_joint_type type,
                           uint32_t angle, const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, type, function);
    if (!joint) {
        return 0.0;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    return tni_joint_get_turn(joint, &a, &b, angle);
}
