// world/step/joint_limits.c: finds at which ends of its limits a joint is, for queries and events.
//
// A limit is known by its rows, lower before upper, which are each other's opposites. A cone and a
// round limit have only the upper one. So the type of the joint does not matter, and limits among
// the user's own rows are reported too.
// Test: tests/joints/test_limit_events.c
#include "world/joints.h"
#include "world/step/step_internal.h"

#define LIMITS_NEAR 1e-3f // m, rad

static bool limits_are_opposite(const tni_row *a, const tni_row *b) {
    bool are_opposite = tni_row_is_limit(b);
    for (int i = 0; i < 12 && are_opposite; ++i) {
        are_opposite = a->jacobian[i] == -b->jacobian[i];
    }
    return are_opposite;
}

static tn_joint_limits limits_read(const tni_row *rows, uint32_t count) {
    tn_joint_limits limits = {0, 0};
    for (uint32_t i = 0, bit = 1; i < count; ++i) {
        if (!tni_row_is_limit(&rows[i])) {
            continue;
        }
        bool has_lower = i + 1 < count && limits_are_opposite(&rows[i], &rows[i + 1]);
        limits.lower |= has_lower && rows[i].error <= LIMITS_NEAR ? bit : 0;
        i += has_lower ? 1 : 0;
        limits.upper |= rows[i].error <= LIMITS_NEAR ? bit : 0;
        bit <<= 1;
    }
    return limits;
}

static tn_joint_limits limits_find(const tn_world *world, const tni_joint *joint) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_body_motion a, b;
    if (joint->is_disabled || joint->rows.rows == joint->rows.equalities) {
        return (tn_joint_limits){0, 0};
    }
    tni_joint_get_motions(world, joint, &a, &b);
    tni_world_begin_reading(world);
    tni_joint_emit_actors(joint, &a, &b, rows);
    tni_world_end_reading(world);
    return limits_read(rows + joint->rows.equalities, joint->rows.rows - joint->rows.equalities);
}

tn_joint_limits tn_joint_get_limits(const tn_world *world, tn_joint_id id) {
    uint32_t index = world ? tni_world_find_joint(world, id, __func__) : TNI_NONE;
    return index == TNI_NONE ? (tn_joint_limits){0, 0}
                             : limits_find(world, tni_joint_at(world, index));
}

tn_result tn_joint_set_limit_events(tn_world *world, tn_joint_id id, bool has_events) {
    bool may_change = tni_world_begin_change(world, __func__);
    uint32_t index = may_change ? tni_world_find_joint(world, id, __func__) : TNI_NONE;
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tn_joint_def *def = &tni_joint_at(world, index)->def.base;
    if (def->has_limit_events != has_events) {
        def->has_limit_events = has_events;
        world->limit_event_joints += has_events ? 1u : UINT32_MAX;
    }
    return tni_world_end_change(world);
}

void tni_step_tell_limits(tn_world *world) {
    tni_event_lists *events = &world->events;
    for (uint32_t i = 0; world->limit_event_joints > 0 && i < world->awake_joints.count; ++i) {
        tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        if (!joint->def.base.has_limit_events) {
            continue;
        }
        tn_joint_limits before = joint->limits, now = limits_find(world, joint);
        if (now.lower != before.lower || now.upper != before.upper) {
            TN_ASSERT(events->joint_limit_count < events->joint_limit_capacity);
            joint->limits = now;
            events->joint_limits[events->joint_limit_count++] =
                (tn_joint_limit_event){{joint->handle}, joint->def.base.user_data, now, before};
        }
    }
}
