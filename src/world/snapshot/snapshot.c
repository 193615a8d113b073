// world/snapshot/snapshot.c: saves a world's state into memory, and loads it.
//
// Test: tests/world/snapshot/test_snapshot.c
#include "world/snapshot/snapshot.h"

#include "core/saved.h"
#include "solver/contacts/contact_sweeps.h"
#include "tenon/snapshot.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/records/world_def.h"
#include "world/step/step_mechanisms.h"

// ---- numbers ------------------------------------------------------------------------------------

static void snapshot_visit_bias(tni_stream *s, tn_bias *bias) {
    int mode = stream_choice(s, (int)bias->mode, TN_BIAS_MODE_BAUMGARTE);
    if (s->mode == TNI_STREAM_LOADS) {
        bias->mode = (tn_bias_mode)mode;
    }
    stream_f32(s, &bias->hertz);
    stream_f32(s, &bias->damping_ratio);
    stream_f32(s, &bias->beta);
    stream_f32(s, &bias->slop);
    stream_f32(s, &bias->max_speed);
}

static void snapshot_visit_research(tni_stream *s, tn_research *research) {
    int integrator = stream_choice(s, (int)research->integrator, TN_INTEGRATOR_PENALTY);
    int mode =
        stream_choice(s, (int)research->stabilization.mode, TN_STABILIZATION_MODE_PROJECT_AFTER);
    int conditioner =
        stream_choice(s, (int)research->cg.preconditioner, TN_PRECONDITIONER_GAUSS_SEIDEL);
    if (s->mode == TNI_STREAM_LOADS) {
        research->integrator = (tn_integrator)integrator;
        research->stabilization.mode = (tn_stabilization_mode)mode;
        research->cg.preconditioner = (tn_preconditioner)conditioner;
    }
    stream_f64(s, &research->stabilization.beta);
    stream_f64(s, &research->stabilization.stiffness);
    stream_f64(s, &research->stabilization.damping);
    stream_f64(s, &research->stabilization.penalty_hertz);
    stream_f64(s, &research->stabilization.penalty_damping_ratio);
    stream_u32(s, &research->cg.iterations);
    stream_f32(s, &research->cg.tolerance);
}

// The hooks and the workers are the loading world's own. The seed of handles follows from the
// pools.
static void snapshot_visit_def(tni_stream *s, tn_world_def *def) {
    stream_plain(s, &def->gravity);
    int dynamics = stream_choice(s, (int)def->dynamics, TN_DYNAMICS_FIRST_ORDER);
    int solver = stream_choice(s, (int)def->solver, TN_SOLVER_CG);
    if (s->mode == TNI_STREAM_LOADS) {
        def->dynamics = (tn_dynamics)dynamics;
        def->solver = (tn_solver)solver;
    }
    stream_f64(s, &def->mobility);
    snapshot_visit_bias(s, &def->joint_bias);
    snapshot_visit_bias(s, &def->contact_bias);
    stream_u32(s, &def->joint_iterations);
    stream_u32(s, &def->contact_iterations);
    stream_u32(s, &def->relax_iterations);
    snapshot_visit_research(s, &def->research);
    stream_f64(s, &def->joint_tolerance);
    stream_f64(s, &def->joint_tolerance_angular);
    stream_f32(s, &def->restitution_threshold);
    stream_f32(s, &def->hit_event_threshold);
    stream_bool(s, &def->is_one_mask_enough);
    stream_f32(s, &def->contact_margin);
    stream_bool(s, &def->is_sleep_allowed);
    stream_f32(s, &def->sleep_linear_speed);
    stream_f32(s, &def->sleep_angular_speed);
    stream_f32(s, &def->sleep_time);
    stream_bool(s, &def->has_energy_ledger);
}

static void snapshot_visit_flags(tni_stream *s, tni_snapshot_numbers *numbers) {
    stream_bool(s, &numbers->is_quiet);
    stream_bool(s, &numbers->has_notes);
    stream_bool(s, &numbers->has_max_speeds);
    stream_bool(s, &numbers->is_choice_stale);
    stream_bool(s, &numbers->has_adopted);
    stream_bool(s, &numbers->has_space_keys);
    stream_bool(s, &numbers->has_new_keys);
    stream_bool(s, &numbers->has_persists);
    stream_bool(s, &numbers->has_driven);
    stream_bool(s, &numbers->has_set_drives);
    stream_bool(s, &numbers->mixes_materials);
}

static void snapshot_visit_numbers(tni_stream *s, tni_snapshot_numbers *numbers) {
    snapshot_visit_def(s, &numbers->def);
    stream_f64(s, &numbers->time);
    stream_f64(s, &numbers->inverse_dt);
    stream_f64(s, &numbers->previous_h);
    stream_u64(s, &numbers->step_count);
    stream_u64(s, &numbers->change_count);
    stream_u64(s, &numbers->known_changes);
    stream_f64s(s, &numbers->ledger.gravity, sizeof numbers->ledger / sizeof(double));
    stream_u32(s, &numbers->contact_sweeps);
    stream_u32(s, &numbers->parts_across);
    stream_u32(s, &numbers->limit_event_joints);
    stream_u32(s, &numbers->tie_count);
    snapshot_visit_flags(s, numbers);
}

static tni_snapshot_numbers snapshot_get_numbers(const tn_world *world) {
    return (tni_snapshot_numbers){.def = world->def,
                                  .time = world->time,
                                  .inverse_dt = world->inverse_dt,
                                  .previous_h = world->previous_h,
                                  .step_count = world->step_count,
                                  .change_count = world->change_count,
                                  .known_changes = world->known_changes,
                                  .ledger = world->ledger,
                                  .contact_sweeps = world->contact_sweeps,
                                  .parts_across = world->parts_across,
                                  .limit_event_joints = world->limit_event_joints,
                                  .tie_count = world->tie_count,
                                  .is_quiet = world->is_quiet,
                                  .has_notes = world->has_notes,
                                  .has_max_speeds = world->has_max_speeds,
                                  .is_choice_stale = world->is_choice_stale,
                                  .has_adopted = world->has_adopted,
                                  .has_space_keys = world->has_space_keys,
                                  .has_new_keys = world->has_new_keys,
                                  .has_persists = world->has_persists,
                                  .has_driven = world->has_driven,
                                  .has_set_drives = world->has_set_drives,
                                  .mixes_materials = world->mixes_materials};
}

// A world that has callbacks may mix materials anew even if the one that was saved did not.
static void snapshot_set_numbers(tn_world *world, const tni_snapshot_numbers *numbers) {
    world->def = numbers->def;
    world->time = numbers->time;
    world->inverse_dt = numbers->inverse_dt;
    world->previous_h = numbers->previous_h;
    world->step_count = numbers->step_count;
    world->change_count = numbers->change_count;
    world->known_changes = numbers->known_changes;
    world->ledger = numbers->ledger;
    world->contact_sweeps = numbers->contact_sweeps;
    world->parts_across = numbers->parts_across;
    world->limit_event_joints = numbers->limit_event_joints;
    world->tie_count = numbers->tie_count;
    world->is_quiet = numbers->is_quiet;
    world->has_notes = numbers->has_notes;
    world->has_max_speeds = numbers->has_max_speeds;
    world->is_choice_stale = numbers->is_choice_stale;
    world->has_adopted = numbers->has_adopted;
    world->has_space_keys = numbers->has_space_keys;
    world->has_new_keys = numbers->has_new_keys;
    world->has_persists = numbers->has_persists;
    world->has_driven = numbers->has_driven;
    world->has_set_drives = numbers->has_set_drives;
    world->mixes_materials = numbers->mixes_materials || world->pre_solve != NULL;
}

bool tni_snapshot_visit_numbers(tni_snapshot *snapshot) {
    snapshot_visit_numbers(&snapshot->stream, &snapshot->numbers);
    if (snapshot->checks) {
        bool is_sound = tni_world_def_check(&snapshot->numbers.def).result == TN_RESULT_OK;
        tni_stream_expect(&snapshot->stream,
                          is_sound && isfinite(snapshot->numbers.time) &&
                              snapshot->numbers.contact_sweeps <= TNI_CONTACT_SWEEPS_MOST);
    }
    return true;
}

// ---- all ----------------------------------------------------------------------------------------

// Visits all sections but the last. Returns false without memory.
static bool snapshot_visit(tni_snapshot *snapshot) {
    static bool (*const sections[TNI_SNAPSHOT_SECTIONS])(tni_snapshot *) = {
        tni_snapshot_visit_numbers, tni_snapshot_visit_pools,  tni_snapshot_visit_bodies,
        tni_snapshot_visit_shapes,  tni_snapshot_visit_trees,  tni_snapshot_visit_contacts,
        tni_snapshot_visit_joints,  tni_snapshot_visit_movers, tni_snapshot_visit_lists,
    };
    const tni_stream *s = &snapshot->stream;
    bool has_room = true;
    for (size_t i = 0; i < TNI_SNAPSHOT_SECTIONS; ++i) {
        if (has_room && !s->is_damaged && !s->is_other) {
            snapshot->sections_at[i] = s->at;
            has_room = sections[i](snapshot);
        }
    }
    return has_room;
}

// A world to save, and where in its bytes the states of mechanisms begin.
typedef struct snapshot_source {
    tn_world *world;
    uint64_t *out_states_at;
} snapshot_source;

static void snapshot_save(tni_stream *stream, const void *object) {
    const snapshot_source *source = object;
    tn_world *world = source->world;
    tni_snapshot snapshot = {
        .world = world, .stream = *stream, .numbers = snapshot_get_numbers(world)};
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_KINDS; ++kind) {
        snapshot.pools[kind] = *tni_snapshot_get_pool(world, kind);
    }
    snapshot_visit(&snapshot);
    *source->out_states_at = snapshot.stream.at;
    tni_mechanism_save_states(world, &snapshot.stream);
    *stream = snapshot.stream;
}

uint64_t tni_snapshot_save(const tn_world *world, void *out_memory, uint64_t capacity,
                           uint64_t *out_states_at) {
    // Saving only reads the world.
    snapshot_source source = {.world = (tn_world *)world, .out_states_at = out_states_at};
    tni_float_environment host = tni_float_environment_enter();
    uint64_t size = tni_saved_write(TNI_SAVED_WORLD, TNI_SNAPSHOT_VERSION, snapshot_save, &source,
                                    out_memory, capacity);
    tni_float_environment_leave(host);
    return size;
}

uint64_t tn_world_save(const tn_world *world, void *out_memory, uint64_t capacity) {
    uint64_t states_at;
    bool is_refused = world == NULL || tni_world_refuses_query(world, __func__);
    return is_refused ? 0 : tni_snapshot_save(world, out_memory, capacity, &states_at);
}

// ---- loading ------------------------------------------------------------------------------------

void tni_snapshot_free(tni_snapshot *snapshot) {
    tni_allocator *allocator = &snapshot->world->allocator;
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_KINDS; ++kind) {
        tni_pool *pool = &snapshot->pools[kind];
        if (pool->allocator != NULL) {
            tni_pool_destroy(pool);
        }
    }
    tni_snapshot_free_links(snapshot);
    tni_snapshot_free_parts(snapshot);
    tni_snapshot_free_hulls(snapshot);
    tni_free(allocator, snapshot->states, (size_t)snapshot->states_size);
}

// Counts of joints are at most the number of all.
static bool snapshot_counts_are_sound(const tni_snapshot *snapshot) {
    uint32_t joints = snapshot->pools[TNI_SNAPSHOT_JOINTS].live_count;
    return snapshot->numbers.limit_event_joints <= joints && snapshot->numbers.tie_count <= joints;
}

// Reads all bytes without changing a record, and makes room for what they hold.
static tn_result snapshot_check(tni_snapshot *snapshot) {
    tni_stream *s = &snapshot->stream;
    snapshot->checks = true;
    bool has_room = snapshot_visit(snapshot);
    if (s->is_damaged || s->is_other) {
        return s->is_damaged ? TN_RESULT_DAMAGED_DATA : TN_RESULT_UNKNOWN_OBJECT;
    }
    if (!has_room) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    uint64_t first = s->at;
    if (!tni_mechanism_check_states(s) || s->at != s->size ||
        !snapshot_counts_are_sound(snapshot)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    tn_result result = tni_snapshot_check_links(snapshot);
    if (result != TN_RESULT_OK) {
        return result;
    }
    snapshot->states_size = s->size - first;
    snapshot->states = tni_alloc(&snapshot->world->allocator, (size_t)snapshot->states_size);
    return snapshot->states != NULL ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
}

// Gives the world the pools of the snapshot, which takes the world's.
static void snapshot_swap_pools(tni_snapshot *snapshot) {
    for (uint32_t kind = 0; kind < TNI_SNAPSHOT_KINDS; ++kind) {
        tni_pool *own = tni_snapshot_get_pool(snapshot->world, kind), before = *own;
        *own = snapshot->pools[kind];
        snapshot->pools[kind] = before;
    }
}

// Writes the records. Nothing can fail here.
static void snapshot_apply(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    tni_joint_plan_drop(world);
    tni_mechanisms_forget_all(world);
    tni_snapshot_drop_movers(snapshot);
    tni_snapshot_drop_joints(snapshot);
    tni_snapshot_drop_shapes(snapshot);
    snapshot->checks = false;
    snapshot->stream.at = snapshot->sections_at[0];
    snapshot_visit(snapshot);
    memcpy(snapshot->states, snapshot->stream.bytes + snapshot->stream.at,
           (size_t)snapshot->states_size);
    world->kept_states = snapshot->states;
    world->kept_states_size = snapshot->states_size;
    snapshot->states = NULL;
    snapshot_swap_pools(snapshot);
    snapshot_set_numbers(world, &snapshot->numbers);
    world->def.handle_seed = (uint16_t)(world->body_pool.first_generation - 1);
    tni_snapshot_finish_shapes(snapshot);
    tni_snapshot_finish_lists(snapshot);
    tni_blend_place_all(world);
}

tn_result tni_snapshot_open(tni_snapshot *snapshot, tn_world *world, const void *memory,
                            uint64_t size) {
    *snapshot = (tni_snapshot){.world = world, .numbers = snapshot_get_numbers(world)};
    if (memory == NULL) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tn_result result =
        tni_saved_open(&snapshot->stream, memory, size, TNI_SAVED_WORLD, TNI_SNAPSHOT_VERSION);
    return result == TN_RESULT_OK ? snapshot_check(snapshot) : result;
}

static tn_result snapshot_load(tn_world *world, const void *memory, uint64_t size) {
    tni_snapshot snapshot;
    tn_result result = tni_snapshot_open(&snapshot, world, memory, size);
    if (result == TN_RESULT_OK) {
        snapshot_apply(&snapshot);
    }
    tni_snapshot_free(&snapshot);
    return result;
}

tn_result tn_world_load(tn_world *world, const void *memory, uint64_t size) {
    if (tni_world_begin_change(world, __func__)) {
        tn_result result = snapshot_load(world, memory, size);
        if (result != TN_RESULT_OK) {
            world->change_count -= 1; // it changed nothing
            tni_world_report(world, result, __func__, tn_result_text(result), 0);
        }
    }
    return tni_world_end_change(world);
}
