// world/step/report.c: reports refused calls, and makes the checks with which every public function
// begins.
//
// A report locks the world while the user's hook runs, so that the hook cannot change what the
// refusing function returns to. A report from inside the hook is only counted: it would call the
// hook again without end. So is one of another thread that comes at the same time.
// Test: tests/world/step/test_report.c, tests/threads/test_queries.c
#include "world/world.h"

void tni_world_begin_callback(const tn_world *world) {
    tni_counter_raise(&((tn_world *)world)->callbacks);
}

void tni_world_end_callback(const tn_world *world) {
    tni_counter_lower(&((tn_world *)world)->callbacks);
}

void tni_world_begin_reading(const tn_world *world) {
    tni_counter_raise(&((tn_world *)world)->asked);
}

void tni_world_end_reading(const tn_world *world) {
    tni_counter_lower(&((tn_world *)world)->asked);
}

tn_result tni_world_report(const tn_world *world, tn_result result, const char *function,
                           const char *message, uint32_t id) {
    tn_world *counted = (tn_world *)world;
    tni_counter_raise(&counted->report_count);
    tni_counter_write(&counted->refusal, result);
    if (!world->def.report || !tni_latch_try(&counted->reports)) {
        return result;
    }
    tni_world_begin_reading(world);
    tn_report report = {result, function, message, id};
    world->def.report(&report, world->def.report_user_data);
    tni_counter_write(&counted->refusal, result); // the hook may have made a call that was refused
    tni_world_end_reading(world);
    tni_latch_reopen(&counted->reports);
    return result;
}

static bool report_is_locked(const tn_world *world) {
    return world && (world->is_locked || tni_counter_read(&world->callbacks) > 0);
}

bool tni_world_accepts(const tn_world *world, tni_check check, const char *function, uint32_t id) {
    if (check.result != TN_RESULT_OK) {
        tni_world_report(world, check.result, function, check.message, id);
    }
    return check.result == TN_RESULT_OK;
}

static bool report_forbids_changes(const tn_world *world) {
    return report_is_locked(world) || (world && tni_counter_read(&world->asked) > 0);
}

bool tni_world_is_locked(const tn_world *world) {
    return report_forbids_changes(world);
}

bool tni_world_refuses(const tn_world *world, const char *function) {
    if (world) {
        tni_counter_write(&((tn_world *)world)->refusal, TN_RESULT_OK);
    }
    bool is_locked = report_forbids_changes(world);
    if (is_locked) {
        tni_world_report(world, TN_RESULT_WORLD_LOCKED, function,
                         "The world cannot be changed from inside a callback or during a step.", 0);
    }
    return !world || is_locked;
}

bool tni_world_refuses_query(const tn_world *world, const char *function) {
    bool is_locked = report_is_locked(world);
    if (is_locked) {
        tni_world_report(world, TN_RESULT_WORLD_LOCKED, function,
                         "Nothing can be asked from inside a callback of a step or during one.", 0);
    }
    return !world || is_locked;
}

bool tni_world_begin_change(tn_world *world, const char *function) {
    if (tni_world_refuses(world, function)) {
        return false;
    }
    world->change_count += 1;
    if (world->change_depth++ == 0) {
        world->host_environment = tni_float_environment_enter();
    }
    return true;
}

// A call that was refused, from a callback or during a step, ends in the midst of another one.
tn_result tni_world_end_change(tn_world *world) {
    if (!world) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (world->change_depth > 0 && !report_forbids_changes(world)) {
        world->change_depth -= 1;
        if (world->change_depth == 0) {
            tni_float_environment_leave(world->host_environment);
        }
    }
    return (tn_result)tni_counter_read(&world->refusal);
}

uint32_t tni_world_find(const tn_world *world, const tni_pool *pool, uint32_t handle,
                        const char *function, const char *message) {
    uint32_t index = world ? tni_pool_find(pool, handle) : TNI_POOL_NONE;
    if (world && index == TNI_POOL_NONE) {
        tni_world_report(world, TN_RESULT_INVALID_ID, function, message, handle);
    }
    return index;
}

uint32_t tni_world_find_body(const tn_world *world, tn_body_id id, const char *function) {
    return tni_world_find(world, world ? &world->body_pool : NULL, id.value, function,
                          "The handle names no body of this world.");
}

// Parts belong to their concave shape alone: no handle reaches them.
uint32_t tni_world_get_shape_index(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_pool_find(&world->shape_pool, id.value);
    bool is_part = index != TNI_POOL_NONE && tni_shape_at(world, index)->part != NULL;
    return is_part ? TNI_NONE : index;
}

uint32_t tni_world_find_shape(const tn_world *world, tn_shape_id id, const char *function) {
    uint32_t index = world ? tni_world_get_shape_index(world, id) : TNI_NONE;
    if (world && index == TNI_NONE) {
        tni_world_report(world, TN_RESULT_INVALID_ID, function,
                         "The handle names no shape of this world.", id.value);
    }
    return index;
}

// Ties belong to their function joint alone: no handle reaches them.
uint32_t tni_world_get_joint_index(const tn_world *world, tn_joint_id id) {
    uint32_t index = tni_pool_find(&world->joint_pool, id.value);
    bool is_tie = index != TNI_NONE && tni_joint_is_tie(tni_joint_at(world, index));
    return is_tie ? TNI_NONE : index;
}

uint32_t tni_world_find_joint(const tn_world *world, tn_joint_id id, const char *function) {
    uint32_t index = world ? tni_world_get_joint_index(world, id) : TNI_NONE;
    if (world && index == TNI_NONE) {
        tni_world_report(world, TN_RESULT_INVALID_ID, function,
                         "The handle names no joint of this world.", id.value);
    }
    return index;
}

uint32_t tni_world_find_body_to_change(tn_world *world, tn_body_id id, const char *function) {
    return tni_world_begin_change(world, function) ? tni_world_find_body(world, id, function)
                                                   : TNI_NONE;
}

uint32_t tni_world_find_shape_to_change(tn_world *world, tn_shape_id id, const char *function) {
    return tni_world_begin_change(world, function) ? tni_world_find_shape(world, id, function)
                                                   : TNI_NONE;
}

uint32_t tni_world_find_joint_of_type(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                      const char *function) {
    uint32_t joint = tni_world_find_joint(world, id, function);
    if (joint == TNI_NONE || tni_joint_at(world, joint)->type == type) {
        return joint;
    }
    tni_world_report(world, TN_RESULT_WRONG_TYPE, function,
                     "The joint is of another type than this function is for.", id.value);
    return TNI_NONE;
}
