// solver/exact/mechanism_set.c: mechanisms of one shape, stepped side by side.
//
// A hundred engines of one make have a hundred matrices of one pattern. Up to four mechanisms go
// through their substeps together: each for itself up to where it asks for a solve, then a factor
// or a solve for all that wait for one, each in its lane (mechanism_lanes.h). A mechanism that
// needs one iteration more is served alone or with others that do, while the remaining ones wait
// for their factor: a factor is made only when none needs the one that is there, as a stage does
// that begins with that of the projection before it. The motion of a mechanism depends on itself
// alone, and a lane's numbers too: it has the same bits in any set and without.
//
// A mechanism that touches something gets its factor when it is done, for its contacts to solve
// with. A large one goes alone: its four matrices would not stay in the cache.
// Test: tests/world/mechanisms/test_mechanism_sets.c
#include "core/timer.h"
#include "solver/exact/mechanism_lanes.h"
#include "solver/exact/mechanism_stage.h"
#include "solver/solver.h"

// Numbers of a matrix.
#define SET_MOST_NUMBERS 8192
// Sets that are not full yet, among which a mechanism looks for its own.
#define SET_MOST_OPEN 16

// ---- who goes with whom ------------------------------------------------------------------------

static bool set_may_hold(const tni_solver *solver, const tni_mechanism *mechanism) {
    return !mechanism->is_coupled && !mechanism->may_break && mechanism->copy_count == 0 &&
           mechanism->span_count == 0 && mechanism->pattern.value_count <= SET_MOST_NUMBERS &&
           !tni_method_is_compared(solver->integrator);
}

// Open sets, the oldest first; how many they may hold.
typedef struct set_queue {
    uint32_t capacity, count, sets[SET_MOST_OPEN];
} set_queue;

// With few mechanisms for each worker it is better that all have something to do.
static uint32_t set_get_capacity(const tni_solver *solver, uint32_t worker_count) {
    uint32_t share = solver->mechanism_count / worker_count;
    return share > TNI_MECHANISM_LANES ? TNI_MECHANISM_LANES : share;
}

static void set_remove(set_queue *queue, uint32_t place) {
    queue->count -= 1;
    for (uint32_t i = place; i < queue->count; ++i) {
        queue->sets[i] = queue->sets[i + 1];
    }
}

static bool set_join(tni_mechanism_lanes *sets, set_queue *queue, tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < queue->count; ++i) {
        tni_mechanism_lanes *set = &sets[queue->sets[i]];
        if (tni_mechanism_has_shape(mechanism, set->members[0])) {
            set->members[set->count++] = mechanism;
            if (set->count == queue->capacity) {
                set_remove(queue, i);
            }
            return true;
        }
    }
    return false;
}

static void set_open(tni_solver *solver, set_queue *queue, tni_mechanism *mechanism) {
    tni_mechanism_lanes *set = &solver->sets[solver->set_count];
    set->members[0] = mechanism;
    set->count = 1;
    if (queue->capacity > 1 && set_may_hold(solver, mechanism)) {
        if (queue->count == SET_MOST_OPEN) {
            set_remove(queue, 0);
        }
        queue->sets[queue->count++] = solver->set_count;
    }
    solver->set_count += 1;
}

static bool set_allocate(const tni_solver *solver, tni_arena *arena) {
    for (uint32_t s = 0; s < solver->set_count; ++s) {
        tni_mechanism_lanes *set = &solver->sets[s];
        const tni_mechanism *shape = set->members[0];
        if (set->count > 1) {
            void *memory = tni_arena_alloc(arena, tni_mechanism_lanes_get_size(shape));
            if (memory == NULL) {
                return false;
            }
            tni_mechanism_lanes_place(set, shape, memory);
        }
    }
    return true;
}

bool tni_mechanism_sets_make(tni_solver *solver, uint32_t worker_count, tni_arena *arena) {
    set_queue queue = {set_get_capacity(solver, worker_count), 0, {0}};
    solver->set_count = 0;
    solver->sets = tni_arena_alloc_zeroed(arena, solver->mechanism_count * sizeof *solver->sets);
    if (solver->sets == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < solver->mechanism_count; ++i) {
        tni_mechanism *mechanism = solver->mechanisms[i];
        if (!set_may_hold(solver, mechanism) || !set_join(solver->sets, &queue, mechanism)) {
            set_open(solver, &queue, mechanism);
        }
    }
    return set_allocate(solver, arena);
}

// ---- their way ---------------------------------------------------------------------------------

// One mechanism's.
typedef struct set_lane {
    tni_course course;
    tni_ask ask; // nothing: it is through
    uint32_t substeps;
} set_lane;

typedef struct set_run {
    const tni_solver *solver;
    tni_mechanism_lanes *set;
    set_lane lanes[TNI_MECHANISM_LANES];
} set_run;

static void set_begin_substep(set_run *run, uint32_t k) {
    set_lane *lane = &run->lanes[k];
    lane->substeps -= 1;
    lane->ask = tni_course_begin(run->set->members[k], run->solver->dh, &lane->course);
}

static void set_begin(set_run *run, uint32_t k) {
    tni_mechanism *mechanism = run->set->members[k];
    set_lane *lane = &run->lanes[k];
    lane->ask = TNI_ASK_NOTHING;
    if (mechanism->is_active) {
        mechanism->integrator = TN_INTEGRATOR_MIDPOINT;
        lane->substeps = mechanism->is_ahead ? run->solver->substeps : 1;
        tni_mechanism_start_measure(run->solver, mechanism);
        run->set->is_alone[k] = mechanism->has_factor; // with the mechanism, since the last substep
        set_begin_substep(run, k);
    }
}

static void set_go_on(set_run *run, uint32_t k, bool is_sound) {
    tni_mechanism *mechanism = run->set->members[k];
    set_lane *lane = &run->lanes[k];
    lane->ask = tni_course_go_on(mechanism, &lane->course, is_sound);
    if (lane->ask != TNI_ASK_NOTHING) {
        return;
    }
    bool needs_factor = mechanism->is_factored || (mechanism->has_factor && !mechanism->is_ahead);
    if (needs_factor && !lane->course.has_fallen_back) {
        tni_mechanism_lanes_give_factor(run->set, k);
    }
    if (lane->substeps > 0) {
        tni_mechanism_follow_hung(run->solver, mechanism);
        set_begin_substep(run, k);
    }
}

// Chooses which are served now: among those that wait for a solve, or else for a factor, the first
// and all that ask for the same.
static uint32_t set_choose(const set_run *run, tni_ask *out_ask, bool *out_rests) {
    uint32_t mask = 0;
    for (tni_ask ask = TNI_ASK_SOLVE; ask <= TNI_ASK_FACTOR && mask == 0; ++ask) {
        for (uint32_t k = 0; k < run->set->count; ++k) {
            bool rests = tni_stage_is_at_rest(&run->lanes[k].course.stage);
            if (run->lanes[k].ask == ask && (mask == 0 || rests == *out_rests)) {
                *out_ask = ask;
                *out_rests = rests;
                mask |= 1u << k;
            }
        }
    }
    return mask;
}

static void set_serve(set_run *run, uint32_t mask, tni_ask ask, bool rests) {
    bool uses_avx2 = run->solver->uses_avx2;
    uint32_t sound = mask;
    if (ask == TNI_ASK_FACTOR) {
        sound = tni_mechanism_lanes_factor(run->set, mask, uses_avx2);
    }
    tni_mechanism_lanes_solve(run->set, sound, rests, uses_avx2);
    for (uint32_t k = 0; k < run->set->count; ++k) {
        if ((mask >> k & 1) != 0) {
            set_go_on(run, k, (sound >> k & 1) != 0);
        }
    }
}

void tni_mechanism_set_run(const tni_solver *solver, tni_mechanism_lanes *set) {
    set_run run = {.solver = solver, .set = set};
    double start = tni_timer_ms();
    tni_ask ask = TNI_ASK_NOTHING;
    bool rests = false;
    for (uint32_t k = 0; k < set->count; ++k) {
        set_begin(&run, k);
    }
    for (uint32_t mask = set_choose(&run, &ask, &rests); mask != 0;
         mask = set_choose(&run, &ask, &rests)) {
        set_serve(&run, mask, ask, rests);
    }
    double share = (tni_timer_ms() - start) / set->count;
    for (uint32_t k = 0; k < set->count; ++k) {
        set->members[k]->solve_ms += share;
    }
}
