// world/step/step.c: runs one step of the world:
//
//     bounds and pairs -> manifolds -> gather -> islands -> substeps -> net, balance ->
//     scatter, hits -> breaks -> sleep -> events
//
// A step obtains all its memory before anything moves: it reserves contacts and events, and takes
// the solver's arrays from the arena. If any of it fails the step returns OUT_OF_MEMORY and no time
// has passed.
#include <string.h>

#include "core/platform.h"
#include "world/bodies.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"
#include "world/sensors.h"
#include "world/step/step_areas.h"
#include "world/step/step_internal.h"

// With fewer awake bodies and contacts a second worker is hardly worth it.
#define STEP_LEAST_SHARED 512u
// With fewer awake bodies and contacts a stage takes less time than reading the clock.
#define STEP_LEAST_TIMED 32u
// The news of this many bodies are compared at once.
#define STEP_NEWS_AT_ONCE 8u
// Loops prefetch this many bodies ahead, and multiples of it.
#define STEP_AHEAD 4

static bool step_time_is_valid(double dt, uint32_t substeps) {
    return isfinite(dt) && dt > 0.0 && (float)(dt / (double)substeps) > 0.0f && substeps >= 1 &&
           substeps <= TNI_STEP_MAX_SUBSTEPS;
}

// Ends a stage and begins the next, with one reading of the clock. A small world reads none.
static double step_end_stage(const tn_world *world, double *stage_start) {
    if (!world->times_stages) {
        return 0.0;
    }
    double now = tni_platform_get_ms(), took = now - *stage_start;
    *stage_start = now;
    return took;
}

// The result of predicting an awake body's bounds.
typedef enum step_news {
    STEP_NEWS_NONE,
    STEP_NEWS_LEAVES,  // a shape leaves its box in the tree
    STEP_NEWS_RUNAWAY, // too fast for a float
} step_news;

typedef struct step_bounds {
    tn_world *world;
    double dt;
    bool may_run_away; // velocities were set: a step by itself leaves no body too fast
    bool has_contacts; // then the motions of shapes are needed
    uint8_t *news;     // step_news, by place in the list of awake bodies
} step_bounds;

// Prefetches a body, and the first shape of a nearer one.
TNI_KERNEL void step_fetch_ahead(const tn_world *world, const uint32_t *bodies, uint32_t at,
                                 uint32_t last) {
    if (at + 2 * STEP_AHEAD < last) {
        tni_body_fetch(tni_body_at(world, bodies[at + 2 * STEP_AHEAD]));
    }
    if (at + STEP_AHEAD < last) {
        uint32_t shape = tni_body_at(world, bodies[at + STEP_AHEAD])->shape_head;
        if (shape != TNI_NONE) {
            tni_narrow_fetch(tni_shape_at(world, shape), sizeof(tni_shape));
        }
    }
}

// Predicts bounds and updates motions in one pass, because both read the body and its shapes.
static void step_predict_bounds(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const step_bounds *pass = context;
    tn_world *world = pass->world;
    const uint32_t *awake = world->awake_bodies.items;
    for (uint32_t i = first; i < last; ++i) {
        step_fetch_ahead(world, awake, i, last);
        bool leaves = !tni_body_predict_bounds(world, awake[i], pass->dt);
        if (pass->has_contacts) {
            tni_body_update_motions(world, awake[i], pass->dt);
        }
        bool runs_away = pass->may_run_away && tni_body_is_runaway(tni_body_at(world, awake[i]));
        pass->news[i] = (uint8_t)(runs_away ? STEP_NEWS_RUNAWAY
                                  : leaves  ? STEP_NEWS_LEAVES
                                            : STEP_NEWS_NONE);
    }
}

// Returns whether STEP_NEWS_AT_ONCE bodies, starting at `first`, have no news.
static bool step_has_no_news(const step_bounds *pass, uint32_t first, uint32_t count) {
    static const uint8_t none[STEP_NEWS_AT_ONCE] = {STEP_NEWS_NONE};
    return first + STEP_NEWS_AT_ONCE <= count &&
           memcmp(&pass->news[first], none, STEP_NEWS_AT_ONCE) == 0;
}

// Returns the leaf of a body's first shape, or TNI_NONE.
TNI_KERNEL uint32_t step_get_leaf(const tn_world *world, uint32_t body) {
    uint32_t shape = tni_body_at(world, body)->shape_head;
    return shape != TNI_NONE ? tni_shape_at(world, shape)->leaf : TNI_NONE;
}

// Prefetches for bodies that leave their boxes: a body, the first shape of a nearer one, then the
// leaf of that, then the nodes around the leaf.
TNI_KERNEL void step_fetch_leaving(const tn_world *world, const uint32_t *leaving, uint32_t at,
                                   uint32_t count) {
    if (at + 4 * STEP_AHEAD < count) {
        tni_body_fetch(tni_body_at(world, leaving[at + 4 * STEP_AHEAD]));
    }
    if (at + 3 * STEP_AHEAD < count) {
        uint32_t shape = tni_body_at(world, leaving[at + 3 * STEP_AHEAD])->shape_head;
        if (shape != TNI_NONE) {
            tni_narrow_fetch(tni_shape_at(world, shape), sizeof(tni_shape));
            tni_narrow_fetch(tni_shape_boxes_at(world, shape), sizeof(tni_shape_boxes));
        }
    }
    uint32_t leaf = TNI_NONE;
    if (at + 2 * STEP_AHEAD < count &&
        (leaf = step_get_leaf(world, leaving[at + 2 * STEP_AHEAD])) != TNI_NONE) {
        tni_tree_fetch(&world->moving_tree, leaf);
    }
    if (at + STEP_AHEAD < count &&
        (leaf = step_get_leaf(world, leaving[at + STEP_AHEAD])) != TNI_NONE) {
        tni_tree_fetch_around(&world->moving_tree, leaf);
    }
}

// Moves the bounds of the bodies that leave their boxes, in the order of the list. Returns false
// without memory.
static bool step_move_bounds(const step_bounds *pass, uint32_t count) {
    tn_world *world = pass->world;
    uint32_t *leaving = tni_arena_alloc(&world->arena, count * sizeof *leaving), leaving_count = 0;
    if (leaving == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (step_has_no_news(pass, i, count)) {
            i += STEP_NEWS_AT_ONCE - 1;
        } else if (pass->news[i] != STEP_NEWS_NONE) {
            leaving[leaving_count++] = world->awake_bodies.items[i];
        }
    }
    for (uint32_t i = 0; i < leaving_count; ++i) {
        step_fetch_leaving(world, leaving, i, leaving_count);
        tni_body_move_bounds(world, leaving[i], pass->dt);
    }
    return true;
}

// Predicts bounds on workers; then moves, in order, those whose tree changes. Disables runaways
// before they carry along what they touch. Sets for how many awake bodies the motions of shapes are
// known. Returns false without memory.
static bool step_update_bounds(tn_world *world, double dt, uint32_t *out_known) {
    uint32_t count = world->awake_bodies.count;
    step_bounds pass = {.world = world,
                        .dt = dt,
                        .may_run_away = !world->is_quiet,
                        .has_contacts = world->awake_contacts.count > 0,
                        .news = tni_arena_alloc(&world->arena, count)};
    if (pass.news == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, step_predict_bounds, count,
                  tni_world_cut(world, TNI_STEP_MIN_RANGE), &pass);
    if (memchr(pass.news, STEP_NEWS_RUNAWAY, count) != NULL) {
        tni_step_quarantine_runaways(world);
        count = world->awake_bodies.count; // some may have woken
        pass.news = tni_arena_alloc(&world->arena, count);
        if (pass.news == NULL) {
            return false;
        }
        tni_tasks_run(&world->tasks, step_predict_bounds, count,
                      tni_world_cut(world, TNI_STEP_MIN_RANGE), &pass);
    }
    *out_known = pass.has_contacts ? count : 0;
    return step_move_bounds(&pass, count);
}

// Updates bounds, pairs and manifolds. Returns false without memory.
static bool step_find_contacts(tn_world *world, double dt, double *clock) {
    uint32_t known = 0;
    if (!step_update_bounds(world, dt, &known) || !tni_world_update_pairs(world) ||
        !tni_events_reserve(world)) {
        return false;
    }
    world->telemetry.pairs_ms = step_end_stage(world, clock);
    world->telemetry.manifolds_ms = 0.0;
    if (world->awake_contacts.count > 0) {
        if (!tni_world_update_manifolds(world, dt, known)) {
            return false;
        }
        world->telemetry.manifolds_ms = step_end_stage(world, clock);
    }
    return true;
}

static void step_finish(tn_world *world, tni_step *step, double dt, uint32_t substeps) {
    world->inverse_dt = 1.0 / dt;
    world->previous_h = dt / (double)substeps;
    tni_step_find_lost(world, step, dt);
    tni_step_cast_net(world, step, dt);
    tni_step_balance(world, step, dt);
    tni_step_scatter_bodies(world, step);
    tni_step_scatter_contacts(world, step);
    const tni_span_feature *spans = world->features.spans;
    if (spans != NULL) {
        spans->scatter_contacts(world, step);
    }
    tni_step_scatter_stacks(world, step);
    tni_step_scatter_joints(world, step);
    tni_step_find_fights(world, step, dt);
    tni_step_balance_impulses(world, step);
    if (spans != NULL) {
        spans->scatter_reduced(world, step);
        spans->scatter(world, step);
    }
    if (step->solver.movers.forces != NULL) {
        world->features.forces->scatter(world, step);
    }
    tni_step_scatter_mechanisms(world, step);
    tni_step_scatter_gradients(world, step);
    tni_step_forget_lost(world, step);
    if (step->solver.ledger.measures_work) {
        tni_step_add_work(world, step);
    }
    tni_events_gather_persists(world);
    tni_step_break_joints(world, step);
    tni_step_quarantine(world, step);
    tni_step_limit_speeds(world);
    tni_step_tell_limits(world);
    if (world->def.is_sleep_allowed) {
        tni_step_sleep(world, step, dt);
    }
    tni_step_order_in_space(world, step);
    world->time += dt;
    world->step_count += 1;
    tni_latch_reopen(&world->knows_strays);
    tni_world_sense(world);
}

static tn_result step_run(tn_world *world, double dt, uint32_t substeps, double *clock) {
    world->mechanism_count = world->gradients_count = world->told_choice_count = 0;
    if (!tni_events_reserve(world)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tni_events_clear(world);
    tni_step_areas areas;
    if (!tni_step_apply_areas(world, dt, &areas)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    if (!step_find_contacts(world, dt, clock)) {
        tni_step_take_back_areas(world, &areas);
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tni_step step = {0};
    bool is_ready = tni_step_gather(world, &step, dt, substeps);
    bool has_blocks =
        step.solver.joints.count + step.solver.joints.exact_count + step.solver.contacts.count > 0;
    world->telemetry.islands_ms = has_blocks ? step_end_stage(world, clock) : 0.0;
    if (is_ready) {
        tni_step_keep_poses(world);
        tni_solver_run(&step.solver);
        world->telemetry.solve_ms = step_end_stage(world, clock);
        step_finish(world, &step, dt, substeps);
    } else {
        tni_step_take_back_areas(world, &areas);
    }
    tni_events_publish(world, step.has_moves);
    tni_step_note_moves(world);
    world->telemetry.finish_ms = step_end_stage(world, clock);
    return is_ready ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
}

// Notes whether nothing else changed the world since the last step. (A step counts as one change.)
static void step_note_changes(tn_world *world) {
    world->is_quiet = world->change_count == world->known_changes + 1;
    world->known_changes = world->change_count;
}

static tn_result step_world(tn_world *world, double dt, uint32_t substeps) {
    if (!step_time_is_valid(dt, substeps)) {
        return tni_world_report(world, TN_RESULT_INVALID_TIME_STEP, "tn_world_step",
                                "dt must be finite and above 0, substeps from 1 to 64.", 0);
    }
    step_note_changes(world);
    double start = tni_platform_get_ms(), clock = start;
    uint64_t allocations = world->allocator.allocations;
    world->is_locked = true;
    uint32_t awake = world->awake_bodies.count + world->awake_contacts.count;
    world->has_loops = awake >= STEP_LEAST_SHARED;
    world->times_stages = awake >= STEP_LEAST_TIMED;
    if (world->has_loops) {
        tni_tasks_begin(&world->tasks);
    }
    tn_result result = step_run(world, dt, substeps, &clock);
    if (world->has_loops) {
        tni_tasks_end(&world->tasks);
    }
    tni_arena_reset(&world->arena);
    world->is_locked = false;
    if (!world->times_stages) {
        clock = tni_platform_get_ms();
        world->telemetry.solve_ms = clock - start;
        tni_mechanism_note_time(world);
    }
    world->telemetry.step_ms = clock - start;
    world->telemetry.substeps = substeps;
    world->telemetry.allocations = world->allocator.allocations - allocations;
    if (result == TN_RESULT_OUT_OF_MEMORY) {
        world->known_changes = UINT64_MAX; // the next step must not count as quiet
        tni_world_report(world, result, "tn_world_step",
                         "The memory of a step cannot be had; no time has passed.", 0);
    }
    return result;
}

tn_result tni_world_step(tn_world *world, double dt, uint32_t substeps) {
    tn_result result = TN_RESULT_WORLD_LOCKED;
    if (tni_world_begin_change(world, "tn_world_step")) {
        result = step_world(world, dt, substeps);
    }
    tni_world_end_change(world);
    return result;
}

tn_result tn_world_step(tn_world *world, double dt, uint32_t substeps) {
    if (world == NULL) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    const tni_recording_feature *recording = world->features.recording;
    return recording != NULL ? recording->step(world, dt, substeps)
                             : tni_world_step(world, dt, substeps);
}
