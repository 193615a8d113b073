// world/records/world.c: creates and destroys a world, and changes its settings.
// Test: tests/world/records/test_world.c
#include <string.h>

#include "core/cpu.h"
#include "solver/contacts/contact_sweeps.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/parts.h"
#include "world/records/convert.h"
#include "world/records/world_def.h"
#include "world/sensors.h"

// Starts threads only if the application brings no task system.
static void world_init_tasks(tn_world *world) {
    const tn_world_def *def = &world->def;
    if (def->worker_count >= 2 && def->enqueue) {
        world->tasks = (tni_tasks){def->enqueue, def->finish, def->task_user_data, NULL};
    } else if (def->worker_count >= 2) {
        world->tasks.workers = tni_workers_create(&world->allocator, def->worker_count);
    }
}

static void world_init_pages(tn_world *world) {
    tni_allocator *allocator = &world->allocator;
    tni_pages_init(&world->bodies, allocator, sizeof(tni_body));
    tni_pages_init(&world->previous_poses, allocator, sizeof(tni_previous_pose));
    tni_pages_init(&world->shapes, allocator, sizeof(tni_shape));
    tni_pages_init(&world->shape_boxes, allocator, sizeof(tni_shape_boxes));
    tni_pages_init(&world->shape_motions, allocator, sizeof(tni_shape_motion));
    tni_pages_init(&world->contacts, allocator, sizeof(tni_contact));
    tni_pages_init(&world->contact_memories, allocator, sizeof(tni_contact_memory));
    tni_pages_init(&world->contact_edges, allocator, 2 * sizeof(tni_contact_edge));
    tni_pages_init(&world->joints, allocator, sizeof(tni_joint));
    tni_pages_init(&world->forces, allocator, sizeof(tni_force));
    tni_pages_init(&world->reduced, allocator, sizeof(tni_reduced));
}

static void world_init(tn_world *world, const tn_world_def *def, const tni_allocator *allocator) {
    memset(world, 0, sizeof *world);
    world->def = *def;
    tni_float_environment host = tni_float_environment_enter();
    world->def.gravity = convert_from_float(convert_to_float(def->gravity));
    tni_float_environment_leave(host);
    world->contact_sweeps = TNI_CONTACT_SWEEPS_LEAST;
    world->allocator = *allocator;
    tni_arena_init(&world->arena, &world->allocator);
    tni_arena_init(&world->joint_arena, &world->allocator);
    world->telemetry.meets_tolerance = true;
    world->uses_avx2 = !def->is_baseline_only && tni_cpu_has_avx2();
    uint16_t first_generation = (uint16_t)(1 + def->handle_seed);
    tni_pool_init(&world->body_pool, &world->allocator, first_generation);
    tni_pool_init(&world->shape_pool, &world->allocator, first_generation);
    tni_pool_init(&world->contact_pool, &world->allocator, first_generation);
    tni_pool_init(&world->joint_pool, &world->allocator, first_generation);
    tni_pool_init(&world->force_pool, &world->allocator, first_generation);
    tni_pool_init(&world->reduced_pool, &world->allocator, first_generation);
    world_init_pages(world);
    tni_tree_init(&world->static_tree, &world->allocator, &world->knows_boxes);
    tni_tree_init(&world->moving_tree, &world->allocator, &world->knows_boxes);
    tni_sensing_init(world);
    tni_map_init(&world->exceptions.places, &world->allocator);
    tni_map_init(&world->pairs, &world->allocator);
    tni_map_init(&world->part_map, &world->allocator);
    tni_map_init(&world->part_touches, &world->allocator);
    world_init_tasks(world);
}

// Reports a refused creation: there is no world yet to count it.
static tn_world *world_refuse(const tn_world_def *def, tn_result result, const char *message,
                              tn_result *out_result) {
    if (def->report) {
        tn_report report = {result, "tn_world_create", message, 0};
        def->report(&report, def->report_user_data);
    }
    if (out_result) {
        *out_result = result;
    }
    return NULL;
}

// The macro of this name is for callers.
#undef tn_world_create
tn_world *tn_world_create_checked(const tn_world_def *def, tn_result *out_result, uint32_t version,
                                  uint32_t def_size) {
    if (version == TN_VERSION_NUMBER && def_size == sizeof *def) {
        return tn_world_create(def, out_result);
    }
    if (out_result) { // the definition's hook may be anywhere
        *out_result = TN_RESULT_WRONG_HEADER;
    }
    return NULL;
}

tn_world *tn_world_create(const tn_world_def *given_def, tn_result *out_result) {
    tn_world_def def = given_def ? *given_def : tn_world_def_default();
    tni_check check = tni_world_def_check(&def);
    if (check.result != TN_RESULT_OK) {
        return world_refuse(&def, check.result, check.message, out_result);
    }
    tni_allocator allocator;
    tni_allocator_init(&allocator, def.alloc, def.free, def.memory_user_data);
    tn_world *world = tni_alloc(&allocator, sizeof *world);
    if (!world) {
        return world_refuse(&def, TN_RESULT_OUT_OF_MEMORY, "There is no memory for a world.",
                            out_result);
    }
    world_init(world, &def, &allocator);
    if (out_result) {
        *out_result = TN_RESULT_OK;
    }
    return world;
}

static void world_free_list(tn_world *world, tni_index_list *list) {
    tni_free(&world->allocator, list->items, list->capacity * sizeof *list->items);
}

static void world_free_events(tn_world *world) {
    tni_allocator *allocator = &world->allocator;
    tni_event_lists *events = &world->events;
    tni_free(allocator, events->begins, events->begin_capacity * sizeof *events->begins);
    tni_free(allocator, events->ends, events->end_capacity * sizeof *events->ends);
    tni_free(allocator, events->hits, events->hit_capacity * sizeof *events->hits);
    tni_free(allocator, events->joint_breaks,
             events->joint_break_capacity * sizeof *events->joint_breaks);
    tni_free(allocator, events->joint_limits,
             events->joint_limit_capacity * sizeof *events->joint_limits);
    tni_free(allocator, events->moves, events->move_capacity * sizeof *events->moves);
    tni_free(allocator, events->sleeps, events->sleep_capacity * sizeof *events->sleeps);
    tni_free(allocator, events->pending_ends,
             events->pending_end_capacity * sizeof *events->pending_ends);
    tni_free(allocator, events->persists, events->persist_capacity * sizeof *events->persists);
    tni_free(allocator, events->sensor_begins,
             events->sensor_begin_capacity * sizeof *events->sensor_begins);
    tni_free(allocator, events->sensor_ends,
             events->sensor_end_capacity * sizeof *events->sensor_ends);
    tni_free(allocator, events->sort_keys, events->sort_key_capacity * sizeof *events->sort_keys);
    tni_free(allocator, events->sort_scratch,
             events->sort_scratch_capacity * sizeof *events->sort_scratch);
    world_free_list(world, &events->sleep_notes);
}

static void world_free_objects(tn_world *world) {
    tni_allocator *allocator = &world->allocator;
    tni_world_drop_hulls(world);
    tni_world_drop_deformed(world);
    if (world->features.parts != NULL) {
        world->features.parts->drop_all(world);
    }
    tni_pages_destroy(&world->bodies);
    tni_pages_destroy(&world->previous_poses);
    tni_pages_destroy(&world->shapes);
    tni_pages_destroy(&world->shape_boxes);
    tni_pages_destroy(&world->shape_motions);
    tni_pages_destroy(&world->contacts);
    tni_pages_destroy(&world->contact_memories);
    tni_pages_destroy(&world->contact_edges);
    tni_world_drop_joint_defs(world);
    tni_pages_destroy(&world->joints);
    if (world->features.forces != NULL) {
        world->features.forces->drop(world);
    }
    tni_pages_destroy(&world->forces);
    tni_world_drop_reduced(world);
    tni_pages_destroy(&world->reduced);
    for (uint32_t i = 0; i < world->mechanism_capacity; ++i) {
        tni_mechanism_record_clear(world, &world->mechanisms[i]);
    }
    tni_free(allocator, world->mechanisms, world->mechanism_capacity * sizeof *world->mechanisms);
    tni_free(allocator, world->kept_states, (size_t)world->kept_states_size);
    tni_free(allocator, world->gradients_infos,
             world->gradients_capacity * sizeof *world->gradients_infos);
    tni_free(allocator, world->choices, world->choice_capacity * sizeof *world->choices);
    tni_pool_destroy(&world->body_pool);
    tni_pool_destroy(&world->shape_pool);
    tni_pool_destroy(&world->contact_pool);
    tni_pool_destroy(&world->joint_pool);
    tni_pool_destroy(&world->force_pool);
    tni_pool_destroy(&world->reduced_pool);
}

void tn_world_destroy(tn_world *world) {
    if (tni_world_refuses(world, __func__)) {
        return;
    }
    tni_allocator *allocator = &world->allocator;
    if (world->features.recording != NULL) {
        world->features.recording->drop(world);
    }
    if (world->features.drop_replay != NULL) {
        world->features.drop_replay(world);
    }
    tni_workers_destroy(allocator, world->tasks.workers);
    world_free_objects(world);
    world_free_events(world);
    world_free_list(world, &world->awake_bodies);
    world_free_list(world, &world->space_keys);
    tni_free(allocator, world->awake_contacts.items,
             world->awake_contacts.capacity * sizeof *world->awake_contacts.items);
    world_free_list(world, &world->awake_joints);
    world_free_list(world, &world->function_joints);
    world_free_list(world, &world->force_list);
    world_free_list(world, &world->reduced_list);
    world_free_list(world, &world->move_list);
    world_free_list(world, &world->half_spaces);
    world_free_list(world, &world->strays);
    tni_sensing_free(world);
    tni_map_destroy(&world->exceptions.places);
    tni_free(allocator, world->exceptions.items,
             world->exceptions.capacity * sizeof *world->exceptions.items);
    tni_tree_destroy(&world->static_tree);
    tni_tree_destroy(&world->moving_tree);
    tni_map_destroy(&world->pairs);
    tni_free(allocator, world->pair_keys, world->pair_key_capacity * sizeof *world->pair_keys);
    tni_free(allocator, world->pair_scratch,
             world->pair_scratch_capacity * sizeof *world->pair_scratch);
    tni_free(allocator, world->draw_lines, world->draw_line_capacity * sizeof *world->draw_lines);
    tni_free(allocator, world->draw_triangles,
             world->draw_triangle_capacity * sizeof *world->draw_triangles);
    tni_arena_destroy(&world->arena);
    tni_arena_destroy(&world->joint_arena);
    // The world's own block goes last, through a copy of the allocator that lies in it.
    tni_allocator last = *allocator;
    tni_free(&last, world, sizeof *world);
}

// ---- settings ---------------------------------------------------------------------------------

static void world_wake_all(tn_world *world) {
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->body_pool, i) != 0) {
            tni_body_wake(world, i);
        }
    }
}

static void world_stop_all(tn_world *world) {
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->body_pool, i) == 0) {
            continue;
        }
        tni_body *body = tni_body_at(world, i);
        if (body->type == TN_BODY_TYPE_DYNAMIC) {
            body->velocity = body->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
        }
    }
    for (uint32_t i = 0; i < world->reduced_list.count; ++i) {
        tni_reduced *reduced = tni_reduced_at(world, world->reduced_list.items[i]);
        memset(reduced->speeds, 0, sizeof reduced->speeds);
    }
}

tn_result tn_world_set_gravity(tn_world *world, tn_vec3 gravity) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    if (!convert_is_finite_float(gravity)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__, "Gravity must be finite.", 0);
        return tni_world_end_change(world);
    }
    tn_vec3 given = convert_from_float(convert_to_float(gravity)), *own = &world->def.gravity;
    if (own->x != given.x || own->y != given.y || own->z != given.z) {
        *own = given;
        world_wake_all(world);
    }
    return tni_world_end_change(world);
}

tn_vec3 tn_world_get_gravity(const tn_world *world) {
    return world ? world->def.gravity : (tn_vec3){0};
}

double tn_world_get_time(const tn_world *world) {
    return world ? world->time : 0.0;
}

uint64_t tn_world_get_step_count(const tn_world *world) {
    return world ? world->step_count : 0;
}

void *tn_world_get_user_data(const tn_world *world) {
    return world ? world->def.user_data : NULL;
}

tn_result tn_world_set_user_data(tn_world *world, void *user_data) {
    if (tni_world_begin_change(world, __func__)) {
        world->def.user_data = user_data;
    }
    return tni_world_end_change(world);
}

static void world_set_bias(tn_world *world, tn_bias *target, const tn_bias *bias,
                           const char *function) {
    if (tni_world_accepts(world, tni_bias_check(bias), function, 0)) {
        *target = *bias;
    }
}

tn_result tn_world_set_joint_bias(tn_world *world, tn_bias bias) {
    if (tni_world_begin_change(world, __func__)) {
        world_set_bias(world, &world->def.joint_bias, &bias, __func__);
    }
    return tni_world_end_change(world);
}

tn_bias tn_world_get_joint_bias(const tn_world *world) {
    return world ? world->def.joint_bias : (tn_bias){0};
}

tn_result tn_world_set_contact_bias(tn_world *world, tn_bias bias) {
    if (tni_world_begin_change(world, __func__)) {
        world_set_bias(world, &world->def.contact_bias, &bias, __func__);
    }
    return tni_world_end_change(world);
}

tn_bias tn_world_get_contact_bias(const tn_world *world) {
    return world ? world->def.contact_bias : (tn_bias){0};
}

tn_result tn_world_set_dynamics(tn_world *world, tn_dynamics dynamics, double mobility) {
    if (!tni_world_begin_change(world, __func__) ||
        !tni_world_accepts(world, tni_dynamics_check(dynamics, mobility), __func__, 0)) {
        return tni_world_end_change(world);
    }
    if (dynamics != world->def.dynamics) {
        world_stop_all(world);
        world_wake_all(world);
        world->is_choice_stale = true;
    }
    world->def.dynamics = dynamics;
    world->def.mobility = mobility;
    return tni_world_end_change(world);
}

tn_dynamics tn_world_get_dynamics(const tn_world *world) {
    return world ? world->def.dynamics : TN_DYNAMICS_SECOND_ORDER;
}

double tn_world_get_mobility(const tn_world *world) {
    return world ? world->def.mobility : 0.0;
}

tn_result tn_world_set_solver(tn_world *world, tn_solver solver) {
    bool is_one = solver >= TN_SOLVER_AUTO && solver <= TN_SOLVER_CG;
    tni_check check = tni_check_that(is_one, TN_RESULT_INVALID_ARGUMENT,
                                     "A world's solver is AUTO, PGS, DIRECT or CG.");
    if (tni_world_begin_change(world, __func__) && tni_world_accepts(world, check, __func__, 0)) {
        world->def.solver = solver;
        world->is_choice_stale = true;
    }
    return tni_world_end_change(world);
}

tn_solver tn_world_get_solver(const tn_world *world) {
    return world ? world->def.solver : TN_SOLVER_AUTO;
}

tn_result tn_world_set_integrator(tn_world *world, tn_integrator integrator) {
    tni_check check =
        tni_check_that(tni_integrator_is_valid(integrator), TN_RESULT_INVALID_ARGUMENT,
                       "The integrator must be one of the enumeration.");
    if (tni_world_begin_change(world, __func__) && tni_world_accepts(world, check, __func__, 0)) {
        world->def.research.integrator = integrator;
    }
    return tni_world_end_change(world);
}

tn_integrator tn_world_get_integrator(const tn_world *world) {
    return world ? world->def.research.integrator : TN_INTEGRATOR_AUTO;
}

tn_result tn_world_set_stabilization(tn_world *world, tn_stabilization stabilization) {
    if (tni_world_begin_change(world, __func__) &&
        tni_world_accepts(world, tni_stabilization_check(&stabilization), __func__, 0)) {
        world->def.research.stabilization = stabilization;
    }
    return tni_world_end_change(world);
}

tn_stabilization tn_world_get_stabilization(const tn_world *world) {
    return world ? world->def.research.stabilization : (tn_stabilization){0};
}

tn_result tn_world_set_cg(tn_world *world, tn_cg cg) {
    if (tni_world_begin_change(world, __func__) &&
        tni_world_accepts(world, tni_cg_check(&cg), __func__, 0)) {
        world->def.research.cg = cg;
    }
    return tni_world_end_change(world);
}

tn_cg tn_world_get_cg(const tn_world *world) {
    return world ? world->def.research.cg : (tn_cg){0};
}

tn_result tn_world_set_sleep_allowed(tn_world *world, bool is_allowed) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    bool had_sleep = world->def.is_sleep_allowed;
    world->def.is_sleep_allowed = is_allowed;
    if (had_sleep && !is_allowed) {
        world_wake_all(world);
    }
    return tni_world_end_change(world);
}

bool tn_world_is_sleep_allowed(const tn_world *world) {
    return world && world->def.is_sleep_allowed;
}

tn_result tn_world_set_restitution_threshold(tn_world *world, float speed) {
    tni_check check = tni_check_both(tni_check_finite(speed, "The speed must be finite."),
                                     tni_check_amount(speed, "The speed must not be negative."));
    if (tni_world_begin_change(world, __func__) && tni_world_accepts(world, check, __func__, 0)) {
        world->def.restitution_threshold = speed;
    }
    return tni_world_end_change(world);
}

float tn_world_get_restitution_threshold(const tn_world *world) {
    return world ? world->def.restitution_threshold : 0.0f;
}

tn_result tn_world_set_contact_filter(tn_world *world, tn_contact_filter_fn filter,
                                      void *user_data) {
    if (tni_world_begin_change(world, __func__)) {
        world->filter = filter;
        world->filter_user_data = user_data;
    }
    return tni_world_end_change(world);
}

tn_result tn_world_set_pre_solve(tn_world *world, tn_pre_solve_fn pre_solve, void *user_data) {
    if (tni_world_begin_change(world, __func__)) {
        world->pre_solve = pre_solve;
        world->mixes_materials |= pre_solve != NULL;
        world->pre_solve_user_data = user_data;
    }
    return tni_world_end_change(world);
}
