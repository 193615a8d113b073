// joints/six_axis_joint.c: frees, locks or limits each of three translations and three turns.
//
// Equality rows (0 to 6): the locked axes, translations first; see six_axis_lock.c.
// Bounded rows: spring, friction, motor and limit act on the value of each axis that is not locked,
//               see six_axis_value.c and parts/scalar.h; then round limits act on lengths of
//               vectors of these values: C = length - lower >= 0 if lower > 0, and
//               C = upper - length >= 0.
// The definition alone decides which rows there are. Its axes are large and lie apart from the
// joint's record.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_six_axis_joint.c
#include <string.h>

#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/six_axis.h"

static bool six_axis_is_round(const tn_round_limit *limit) {
    return limit->x || limit->y || limit->z;
}

static uint32_t six_axis_count_round(const tn_round_limit *limit) {
    return !six_axis_is_round(limit) ? 0 : (limit->lower > 0.0f ? 2 : 1);
}

uint32_t tni_six_count_rows(const tni_six_axes *axes) {
    uint32_t count =
        six_axis_count_round(&axes->linear_limit) + six_axis_count_round(&axes->angular_limit);
    for (uint32_t i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        tni_scalar_actors actors = tni_scalar_get_actors(&axes->axes[i]);
        count += tni_six_is_locked(axes, i) ? 1 : tni_scalar_count_rows(&actors);
    }
    return count;
}

static tni_row_count six_axis_count_rows(const tni_joint *joint) {
    const tni_six_axes *axes = joint->def.six_axis.apart;
    tni_six_locks locks = tni_six_find_locks(axes);
    tni_row_count count = {tni_six_count_rows(axes), locks.lengths + locks.turns, 0, locks.lengths};
    return count;
}

static tn_limit six_axis_get_range(const tn_round_limit *limit) {
    return (tn_limit){.is_enabled = true, .lower = limit->lower, .upper = limit->upper};
}

static uint32_t six_axis_emit_round(const tni_scalar *scalar, const tn_round_limit *limit,
                                    tni_row *rows) {
    tn_limit range = six_axis_get_range(limit);
    if (six_axis_count_round(limit) == 2) {
        return tni_limit_emit(scalar, &range, rows);
    }
    tni_limit_emit_upper(scalar, &range, &rows[0]);
    return 1;
}

static void six_axis_emit_bounded(const tni_joint *joint, const tni_six_pose *pose,
                                  const tni_six_locks *locks, const tni_rows *out) {
    const tni_six_axes *axes = joint->def.six_axis.apart;
    const tni_body_motion *a = out->ends[0], *b = out->ends[1];
    tni_row *rows = out->bounded;
    tni_dvec3 drift = tni_along_get_drift(&pose->point, a, b);
    for (uint32_t i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        tni_scalar_actors actors = tni_scalar_get_actors(&axes->axes[i]);
        if (locks->is_locked[i] || tni_scalar_count_rows(&actors) == 0) {
            continue;
        }
        tni_scalar scalar = tni_six_make_scalar(joint, pose, locks, i);
        scalar.acceleration =
            i < TNI_SIX_TURNS ? dvec3_dot(tni_six_get_axis(&pose->a, i), drift) : 0.0;
        rows += tni_scalar_emit(&scalar, &actors, rows);
    }
    if (six_axis_is_round(&axes->linear_limit)) {
        tni_scalar scalar = tni_six_make_round_length(pose, &axes->linear_limit, a, b);
        rows += six_axis_emit_round(&scalar, &axes->linear_limit, rows);
    }
    if (six_axis_is_round(&axes->angular_limit)) {
        tni_scalar scalar = tni_six_make_round_turn(pose, &axes->angular_limit);
        six_axis_emit_round(&scalar, &axes->angular_limit, rows);
    }
}

static void six_axis_emit(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_rows *out) {
    tni_six_locks locks = tni_six_find_locks(joint->def.six_axis.apart);
    tni_six_pose pose = tni_six_measure(joint, a, b);
    tni_six_add_locks(&pose, &locks, out);
    if (out->bounded != NULL) {
        six_axis_emit_bounded(joint, &pose, &locks, out);
    }
}

// Returns how far past a round limit the value is, along the direction in which it grows.
static tni_dvec3 six_axis_get_round_excess(const tni_scalar *scalar, const tn_round_limit *limit) {
    tn_limit range = six_axis_get_range(limit);
    float direction[3];
    f4_store3(direction, scalar->is_angular ? scalar->ang_b : scalar->lin_b);
    double excess = tni_limit_get_excess(scalar, &range);
    return dvec3_make(excess * (double)direction[0], excess * (double)direction[1],
                      excess * (double)direction[2]);
}

static tn_joint_error six_axis_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                             const tni_body_motion *b) {
    const tni_six_axes *axes = joint->def.six_axis.apart;
    tni_six_locks locks = tni_six_find_locks(axes);
    tni_six_pose pose = tni_six_measure(joint, a, b);
    double parts[2][3];
    tni_six_measure_lock_errors(&pose, &locks, parts[0], parts[1]);
    for (uint32_t i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        if (!locks.is_locked[i]) {
            tni_scalar scalar = tni_six_make_scalar(joint, &pose, &locks, i);
            parts[i / 3][i % 3] += tni_limit_get_excess(&scalar, &axes->axes[i].limit);
        }
    }
    tni_dvec3 linear = tni_axes_turn(&pose.a, dvec3_make(parts[0][0], parts[0][1], parts[0][2]));
    tni_dvec3 angular = tni_axes_turn(&pose.a, dvec3_make(parts[1][0], parts[1][1], parts[1][2]));
    if (six_axis_is_round(&axes->linear_limit)) {
        tni_scalar scalar = tni_six_make_round_length(&pose, &axes->linear_limit, a, b);
        linear = dvec3_add(linear, six_axis_get_round_excess(&scalar, &axes->linear_limit));
    }
    if (six_axis_is_round(&axes->angular_limit)) {
        tni_scalar scalar = tni_six_make_round_turn(&pose, &axes->angular_limit);
        angular = dvec3_add(angular, six_axis_get_round_excess(&scalar, &axes->angular_limit));
    }
    return tni_error_make(&pose.a, linear, angular);
}

static tni_joint_value six_axis_measure_value(const tni_joint *joint, uint32_t index,
                                              const tni_body_motion *a, const tni_body_motion *b) {
    return tni_six_measure_value(joint, a, b, index);
}

static bool six_axis_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                     const tni_body_motion *b, tni_joint_value turning[2]) {
    tni_six_locks locks = tni_six_find_locks(joint->def.six_axis.apart);
    tni_six_pose pose = tni_six_measure(joint, a, b);
    tni_six_turn turn = tni_six_measure_turn(&pose, &locks, tni_six_get_round_turn(&locks));
    tni_dvec3 relative = dvec3_sub(b->angular_velocity, a->angular_velocity);
    turning[0] = (tni_joint_value){turn.angle, dvec3_dot(turn.direction, relative)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return true;
}

static const tn_limit *six_axis_get_wound(const tni_joint *joint, uint32_t index) {
    const tni_six_axes *axes = joint->def.six_axis.apart;
    tni_six_locks locks = tni_six_find_locks(axes);
    uint32_t which = TNI_SIX_TURNS + tni_six_get_round_turn(&locks);
    bool is_held = index > 0 || tni_six_is_locked(axes, which);
    return is_held ? NULL : tni_twist_get_wound(&axes->axes[which].limit);
}

// ---- the definition -----------------------------------------------------------------------------

static bool six_axis_keep(tni_allocator *allocator, const tni_joint_def *given, tni_joint *joint) {
    const tn_six_axis_joint_def *def = &given->six_axis;
    tni_six_axes *apart = joint->def.six_axis.apart;
    apart = apart != NULL ? apart : tni_alloc(allocator, sizeof *apart);
    if (apart == NULL) {
        return false;
    }
    joint->def.six_axis.base = def->base;
    joint->def.six_axis.apart = apart;
    apart->locks = def->locks;
    memcpy(apart->axes, def->axes, sizeof apart->axes);
    apart->linear_limit = def->linear_limit;
    apart->angular_limit = def->angular_limit;
    return true;
}

static void six_axis_load(const tni_joint *joint, tni_joint_def *out_def) {
    const tni_six_axes *apart = joint->def.six_axis.apart;
    out_def->six_axis.locks = apart->locks;
    memcpy(out_def->six_axis.axes, apart->axes, sizeof apart->axes);
    out_def->six_axis.linear_limit = apart->linear_limit;
    out_def->six_axis.angular_limit = apart->angular_limit;
}

static void six_axis_drop(tni_allocator *allocator, tni_joint *joint) {
    tni_free(allocator, joint->def.six_axis.apart, sizeof(tni_six_axes));
    joint->def.six_axis.apart = NULL;
}

static const tni_joint_keeper six_axis_keeper = {
    .keep = six_axis_keep, .load = six_axis_load, .drop = six_axis_drop};

static const tni_joint_counter six_axis_counter = {.measure_turning = six_axis_measure_turning,
                                                   .get_wound = six_axis_get_wound};

const tni_joint_kind tni_six_axis_joint_kind = {.count_rows = six_axis_count_rows,
                                                .emit = six_axis_emit,
                                                .measure_error = six_axis_measure_error,
                                                .measure_value = six_axis_measure_value,
                                                .counter = &six_axis_counter,
                                                .keeper = &six_axis_keeper};
