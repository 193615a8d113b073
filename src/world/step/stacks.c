// world/step/stacks.c: chooses the islands that are solved at once (solver/stacks/stack.c).
//
// A stack is an island of contacts alone, of up to 64 bodies, that stands on something, is calm,
// and is more than two layers deep: some body has a moving one below it and one above. Islands of
// up to 256 bodies are stacks if their factor costs no more per body than in small ones, as in high
// towers and houses of cards. For other islands, and those in flight, the factor costs more than it
// is worth.
//
// A shallower island, down to a single body, is solved at once if sweeps would let it sink visibly.
// Softness bears the impulse x of a contact, whose mass is m, at the depth
//     leak x / (mass_scale rate m),   1/m = 1/m_upper + 1/m_lower
// (contact_sweep_wide.c), so that small bodies, and light ones below heavy ones, sink by a large
// part of their size. An island is also solved at once if one of its bodies turns so easily that
// sweeps cannot hold it: friction and normals then undo each other's work by turning it, and it
// jumps. Stacks have no rows for rolling resistance. A step has time for a limited number of
// stacks, taken in the order of their first bodies: a world with a hundred towers sweeps most of
// them. The choice depends on bodies and contacts alone. Stacks in clusters come behind the others.
// Test: tests/world/step/test_stacks.c
#include <math.h>
#include <string.h>

#include "solver/stacks/stack.h"
#include "world/collide/contact_order.h"
#include "world/step/clusters.h"
#include "world/step/parts.h"

// An island that may be deep has at least this many bodies.
#define STACKS_LEAST_BODIES 3u
// Sweeps may let a body sink by this share of the size of the smaller body, and by no more than the
// second, m. They lift a sunken body within a second, in which it is not at rest.
#define STACKS_SINK      1e-4f
#define STACKS_MOST_SINK 5e-4f
// A body turns too easily if its inertia is less than this share of its mass times its size
// squared. A cube has 1/6.
#define STACKS_EASY_INERTIA 0.03
// A contact bears load if the sine of its normal's angle over the horizontal exceeds this.
#define STACKS_UPRIGHT 0.1f
// Bodies are stuck in one another if a contact is deeper than this share of the smaller one's size.
#define STACKS_STUCK 0.25f
// An island is calm if the mean square of its velocities about their mean is at most this share of
// g times the size of its bodies: 0.5 m/s for boxes of 1 m. In a large world, where much falls that
// is better swept, 0.3 m/s.
#define STACKS_CALM          0.03
#define STACKS_CALM_IN_LARGE 0.01
// A shallow island is still if the mean square of its velocities, including those by rotation, is
// at most this share of the same: 0.1 m/s for boxes of 1 m.
#define STACKS_STILL 1e-3
// A large world has at least this many contacts. Its step has time for one factor of each stack,
// with the work of this many boxes in towers together, and for this much work of all factors.
#define STACKS_LARGE_WORLD  512u
#define STACKS_MOST_WORK    256u
#define STACKS_MOST_SOLVING 2048u
// A stack may make this many factors in a step. In a large world it is eight in a substep, since a
// stack that needs more is not at rest and is better swept.
#define STACKS_MOST_STEPS          256u
#define STACKS_MOST_STEPS_IN_LARGE 32u
// In a stack of more bodies than this the factor may take this many products of blocks for each. A
// tower takes 2, a house of cards of eight stories 10, a pyramid of base 10 21.
#define STACKS_SMALL         64u
#define STACKS_MOST_PRODUCTS 16u
// A stack that could not be solved is swept for this many steps.
#define STACKS_PAUSE 60u

// An island that may be a stack.
typedef struct stacks_island {
    uint32_t root, bodies, contacts;
    uint32_t stack;      // its number, or TNI_NONE
    float size;          // m, of its smallest body
    double mass, square; // kg; kg·m²/s²: the sum of m v^2
    tni_dvec3 momentum;
    bool is_out, is_deep, is_supported;
    double turning;    // kg·m²/s²: the sum of I w^2
    bool turns_easily; // some body does
    bool sinks;        // sweeps would let some body sink
} stacks_island;

typedef struct stacks_search {
    tn_world *world;
    tni_step *step;
    uint32_t *at;                 // by body: its island, or TNI_NONE
    uint32_t *bodies, body_count; // the bodies of islands that are small enough
    uint16_t *place;
    bool *has_below, *has_above; // by body
    uint32_t island_count, stack_count;
    stacks_island *islands;
    vec3s up;
    double pull;                    // m/s²
    float moving_sink, static_sink; // m: see stacks_get_sink; on a moving body, and on the ground
} stacks_search;

// ---- islands ----------------------------------------------------------------------------------

static bool stacks_is_cut(const tni_step *step, uint32_t body, uint32_t root) {
    const tni_cluster_bodies *clusters = &step->clusters;
    bool is_clustered = clusters->of != NULL && clusters->of[body] != TNI_NONE;
    return !is_clustered && step->solver.batches.part_count > 0 &&
           step->parts.of[body] != step->parts.of[root];
}

static float stacks_get_size(const tn_world *world, uint32_t shape) {
    const tni_geometry *geometry = &tni_shape_at(world, shape)->geometry;
    vec3s h = geometry->box.half_extents;
    if (geometry->type == TNI_GEOMETRY_BOX && geometry->rounding == 0.0f) { // most are
        return 2.0f * maths_min(h.x, maths_min(h.y, h.z));
    }
    return 2.0f * tni_geometry_inner_radius(geometry);
}

// Only a body whose mass was given can have so little inertia for its size.
static bool stacks_turns_easily(const stacks_search *search, uint32_t i) {
    const tni_body_mass *mass = &search->step->solver.bodies.masses[i];
    uint32_t index = search->step->body_of[i];
    if (!search->step->has_given_mass[i] || !mass->is_dynamic || index == TNI_NONE) {
        return false;
    }
    uint32_t shape = tni_body_at(search->world, index)->shape_head;
    double size = shape != TNI_NONE ? (double)stacks_get_size(search->world, shape) : 0.0;
    double least = maths_inverse_or_zero_d(mass->inertia->inverse);
    double of_mass = maths_inverse_or_zero_d(mass->inv_mass);
    return least > 0.0 && least < STACKS_EASY_INERTIA * of_mass * size * size;
}

static bool stacks_has_size(uint32_t bodies, bool is_wanted) {
    uint32_t least = is_wanted ? 1 : STACKS_LEAST_BODIES;
    return bodies >= least && bodies <= TNI_STACK_MAX_BODIES;
}

// Returns whether `sink`, m, is more than bodies of this size may sink by.
static bool stacks_is_sink(float sink, float size) {
    return sink > maths_min(STACKS_SINK * size, STACKS_MOST_SINK);
}

// Returns how deep sweeps let a contact sink, m, under the weight of its mass: see the file's head.
static float stacks_get_sink(const tni_softness *soft, double pull, float h) {
    return 0.5f * h * (float)pull * soft->impulse_scale *
           maths_inverse_or_zero(soft->mass_scale * soft->rate);
}

// Returns whether a body may sink in an island of one or two bodies with this mass, kg.
static bool stacks_may_sink(const stacks_search *search, uint32_t i, float island_mass) {
    uint32_t index = search->step->body_of[i];
    float inv_mass = (float)search->step->solver.bodies.masses[i].inv_mass;
    if (index == TNI_NONE || !(inv_mass > 0.0f)) {
        return false;
    }
    uint32_t shape = tni_body_at(search->world, index)->shape_head;
    float size = shape != TNI_NONE ? stacks_get_size(search->world, shape) : INFINITY;
    float ratio = island_mass * inv_mass, sink = search->static_sink * ratio;
    sink = ratio > 1.5f ? maths_max(sink, search->moving_sink * ratio) : sink;
    return stacks_is_sink(sink, size);
}

// Returns the solver's body, or 0 if it does not give way.
static uint32_t stacks_get_body(const stacks_search *search, uint32_t body) {
    const tni_body *record = tni_body_at(search->world, body);
    bool moves = record->type == TN_BODY_TYPE_DYNAMIC && record->awake_index != TNI_NONE;
    return moves ? record->solver_index : 0;
}

// Returns the solver's body, or 0 if it stands still: the index that its record has is then old.
static uint32_t stacks_get_moving(const stacks_search *search, uint32_t body) {
    const tni_body *record = tni_body_at(search->world, body);
    return record->awake_index != TNI_NONE ? record->solver_index : 0;
}

// Lists the bodies whose islands have contacts, since few falling ones do. Returns how many, or
// TNI_NONE without memory.
static uint32_t stacks_list_bodies(const stacks_search *search, uint32_t *list) {
    const tni_step *step = search->step;
    uint32_t n = step->solver.bodies.count, count = 0;
    bool *is_met = tni_arena_alloc_zeroed(&search->world->arena, n); // by root
    if (is_met == NULL) {
        return TNI_NONE;
    }
    for (uint32_t k = 0; k < step->order->count; ++k) {
        const tni_kept_contact *kept = &step->order->kept[k];
        if (kept->index < step->solver.contacts.own_count) { // a cluster's has no gate yet
            const tni_contact_gate *gate = &step->solver.contacts.gates[kept->index];
            is_met[step->island_of[gate->body_a]] = is_met[step->island_of[gate->body_b]] = true;
            continue;
        }
        const tni_contact *contact = tni_contact_at(search->world, kept->contact);
        is_met[step->island_of[stacks_get_body(search, contact->body_a)]] = true;
        is_met[step->island_of[stacks_get_body(search, contact->body_b)]] = true;
    }
    for (uint32_t i = 1; i < n; ++i) {
        list[count] = i;
        count += is_met[step->island_of[i]] ? 1 : 0;
    }
    return count;
}

// A list of bodies, and what is known of their islands.
typedef struct stacks_bodies {
    uint32_t *list, count;
    uint32_t *island_counts;       // by root: the number of its bodies
    float *masses;                 // by root, kg: of small islands only
    bool *turn_easily, *is_wanted; // by root
} stacks_bodies;

static bool stacks_allocate_bodies(const stacks_search *search, stacks_bodies *bodies) {
    tni_arena *arena = &search->world->arena;
    size_t n = search->step->solver.bodies.count;
    bodies->list = tni_arena_alloc(arena, n * sizeof *bodies->list);
    bodies->island_counts = tni_arena_alloc_zeroed(arena, n * sizeof *bodies->island_counts);
    bodies->masses = tni_arena_alloc_zeroed(arena, n * sizeof *bodies->masses);
    bodies->turn_easily = tni_arena_alloc_zeroed(arena, n);
    bodies->is_wanted = tni_arena_alloc_zeroed(arena, n);
    return bodies->list != NULL && bodies->island_counts != NULL && bodies->masses != NULL &&
           bodies->turn_easily != NULL && bodies->is_wanted != NULL;
}

// Takes the bodies of too large islands off the list.
static void stacks_leave_large(const uint32_t *island_of, stacks_bodies *bodies) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < bodies->count; ++k) {
        uint32_t i = bodies->list[k];
        bodies->list[count] = i;
        count += bodies->island_counts[island_of[i]] <= TNI_STACK_MAX_BODIES ? 1 : 0;
    }
    bodies->count = count;
}

// Counts the bodies of islands, and finds the small islands that are wanted.
static void stacks_weigh_islands(const stacks_search *search, stacks_bodies *bodies) {
    const uint32_t *island_of = search->step->island_of;
    const tni_body_mass *masses = search->step->solver.bodies.masses;
    for (uint32_t k = 0; k < bodies->count; ++k) {
        bodies->island_counts[island_of[bodies->list[k]]] += 1;
    }
    stacks_leave_large(island_of, bodies);
    for (uint32_t k = 0; k < bodies->count; ++k) {
        uint32_t i = bodies->list[k], root = island_of[i];
        if (bodies->island_counts[root] < STACKS_LEAST_BODIES) {
            bodies->masses[root] += (float)maths_inverse_or_zero_d(masses[i].inv_mass);
        }
        bodies->turn_easily[root] = bodies->turn_easily[root] || stacks_turns_easily(search, i);
    }
    for (uint32_t k = 0; k < bodies->count; ++k) {
        uint32_t i = bodies->list[k], root = island_of[i];
        bool may_sink = bodies->island_counts[root] < STACKS_LEAST_BODIES &&
                        stacks_may_sink(search, i, bodies->masses[root]);
        bodies->is_wanted[root] = bodies->is_wanted[root] || bodies->turn_easily[root] || may_sink;
    }
}

// Lists the islands of the right size that have contacts. Returns false without memory.
static bool stacks_list_islands(stacks_search *search) {
    tni_arena *arena = &search->world->arena;
    const uint32_t *island_of = search->step->island_of;
    size_t n = search->step->solver.bodies.count;
    stacks_bodies bodies;
    search->at = tni_arena_alloc(arena, n * sizeof *search->at);
    if (search->at == NULL || !stacks_allocate_bodies(search, &bodies)) {
        return false;
    }
    bodies.count = stacks_list_bodies(search, bodies.list);
    if (bodies.count == TNI_NONE) {
        return false;
    }
    memset(search->at, 0xff, n * sizeof *search->at); // all are TNI_NONE
    stacks_weigh_islands(search, &bodies);
    const uint32_t *counts = bodies.island_counts;
    for (uint32_t k = 0; k < bodies.count; ++k) {
        uint32_t i = bodies.list[k];
        bool is_root = island_of[i] == i;
        search->island_count += is_root && stacks_has_size(counts[i], bodies.is_wanted[i]) ? 1 : 0;
    }
    search->bodies = bodies.list;
    search->body_count = bodies.count;
    search->islands = tni_arena_alloc_zeroed(arena, search->island_count * sizeof *search->islands);
    if (search->islands == NULL) {
        return false;
    }
    uint32_t next = 0;
    for (uint32_t k = 0; k < bodies.count; ++k) { // roots come before their bodies
        uint32_t i = bodies.list[k];
        if (island_of[i] == i && stacks_has_size(counts[i], bodies.is_wanted[i])) {
            search->at[i] = next++;
            search->islands[search->at[i]] = (stacks_island){.root = i,
                                                             .bodies = counts[i],
                                                             .size = INFINITY,
                                                             .turns_easily = bodies.turn_easily[i]};
        }
        search->at[i] = search->at[island_of[i]];
    }
    return true;
}

// Returns whether the body's stack could not be solved lately, and is swept for some time.
static bool stacks_is_paused(const stacks_search *search, uint32_t i) {
    const tn_world *world = search->world;
    uint32_t body = search->step->body_of[i], now = (uint32_t)world->step_count;
    return body == TNI_NONE || tni_body_at(world, body)->stack_resume - now - 1 < STACKS_PAUSE;
}

static void stacks_look_at_bodies(stacks_search *search, const bool *is_blocked) {
    const tni_step *step = search->step;
    const tni_solver *solver = &step->solver;
    for (uint32_t k = 0; k < search->body_count; ++k) {
        uint32_t i = search->bodies[k];
        if (search->at[i] == TNI_NONE) {
            continue;
        }
        stacks_island *island = &search->islands[search->at[i]];
        double mass = maths_inverse_or_zero_d(solver->bodies.masses[i].inv_mass);
        tni_dvec3 velocity = solver->bodies.motions[i].velocity;
        island->is_out = island->is_out || is_blocked[i] || stacks_is_paused(search, i) ||
                         stacks_is_cut(step, i, island->root);
        island->mass += mass;
        tni_dvec3 spin = solver->bodies.motions[i].angular_velocity;
        double inertia = maths_inverse_or_zero_d(solver->bodies.masses[i].inertia->inverse);
        island->square += mass * dvec3_dot(velocity, velocity);
        island->turning += inertia * dvec3_dot(spin, spin);
        island->momentum = dvec3_add(island->momentum, dvec3_scale(velocity, mass));
    }
}

// ---- contacts ---------------------------------------------------------------------------------

// Returns the island of a contact, or null, and the contact's solver bodies.
static stacks_island *stacks_find(const stacks_search *search, const tni_contact *contact,
                                  uint32_t *a, uint32_t *b) {
    *a = stacks_get_body(search, contact->body_a);
    *b = stacks_get_body(search, contact->body_b);
    uint32_t at = search->at[*a != 0 ? *a : *b];
    bool is_between = *a != 0 && *b != 0 && search->at[*b] != at;
    return at != TNI_NONE && !is_between && !search->islands[at].is_out ? &search->islands[at]
                                                                        : NULL;
}

static float stacks_get_least_size(const tn_world *world, const tni_contact *contact) {
    return maths_min(stacks_get_size(world, contact->shape_a),
                     stacks_get_size(world, contact->shape_b));
}

// Returns whether a contact is of no small island, as most in a heap. (Clusters have no gates yet.)
static bool stacks_is_elsewhere(const stacks_search *search, const tni_kept_contact *kept) {
    const tni_solver *solver = &search->step->solver;
    if (kept->index >= solver->contacts.own_count) {
        return false;
    }
    const tni_contact_gate *gate = &solver->contacts.gates[kept->index];
    return search->at[gate->body_a] == TNI_NONE && search->at[gate->body_b] == TNI_NONE;
}

// Returns whether two bodies are stuck in one another. Solved at once, their contacts would press
// them together with ever greater impulses; sweeps take them apart.
static bool stacks_is_stuck(const tni_contact *contact, float size) {
    return tni_manifold_get_least(&contact->manifold) < -STACKS_STUCK * size;
}

// Returns whether sweeps would let the upper of two bodies, a and b, sink in, or the one that
// stands on the ground (0).
static bool stacks_sinks(const stacks_search *search, uint32_t a, uint32_t b, float slope,
                         float size) {
    const tni_body_mass *masses = search->step->solver.bodies.masses;
    if (a == 0 || b == 0) {
        return stacks_is_sink(search->static_sink, size);
    }
    uint32_t upper = slope > 0.0f ? b : a, lower = slope > 0.0f ? a : b;
    double ratio = masses[lower].inv_mass * maths_inverse_or_zero_d(masses[upper].inv_mass);
    return stacks_is_sink((1.0f + (float)ratio) * search->moving_sink, size);
}

static void stacks_look_at_contact(stacks_search *search, const tni_kept_contact *kept) {
    uint32_t a, b;
    if (stacks_is_elsewhere(search, kept)) {
        return;
    }
    const tni_contact *contact = tni_contact_at(search->world, kept->contact);
    stacks_island *island = stacks_find(search, contact, &a, &b);
    if (island == NULL) {
        return;
    }
    island->contacts += 1;
    float size = stacks_get_least_size(search->world, contact);
    island->is_out =
        contact->rolling_resistance > 0.0f || contact->has_extras || stacks_is_stuck(contact, size);
    island->size = maths_min(island->size, size);
    float slope = glms_vec3_dot(contact->manifold.normal, search->up);
    if (fabsf(slope) > STACKS_UPRIGHT) {
        island->sinks = island->sinks || stacks_sinks(search, a, b, slope, size);
    }
    if (a == 0 || b == 0) {
        island->is_supported = true;
    } else if (fabsf(slope) > STACKS_UPRIGHT) {
        search->has_above[slope > 0.0f ? a : b] = true;
        search->has_below[slope > 0.0f ? b : a] = true;
        island->is_deep = island->is_deep || (search->has_above[a] && search->has_below[a]) ||
                          (search->has_above[b] && search->has_below[b]);
    }
}

// ---- choice -----------------------------------------------------------------------------------

static bool stacks_is_calm(const stacks_search *search, const stacks_island *island) {
    double common = dvec3_dot(island->momentum, island->momentum) / island->mass;
    bool is_large = search->step->solver.contacts.count >= STACKS_LARGE_WORLD;
    double share = is_large ? STACKS_CALM_IN_LARGE : STACKS_CALM;
    double most = share * search->pull * (double)island->size;
    return island->square - common <= most * island->mass;
}

// Returns whether the island hardly moves. A sinking island that moves is swept: its rows hold for
// a step, but its arms do not.
static bool stacks_is_still(const stacks_search *search, const stacks_island *island) {
    double most = STACKS_STILL * search->pull * (double)island->size;
    return island->square + island->turning <= most * island->mass;
}

// Estimates the products of blocks in a factor. It grows with the square of the contacts per body,
// from one per contact in a tower.
static uint64_t stacks_get_work(const stacks_island *island) {
    uint64_t bodies = island->bodies, contacts = island->contacts;
    return 1 + contacts * contacts * contacts / (bodies * bodies);
}

// Chooses the stacks. Returns the work of their factors.
static uint64_t stacks_choose(stacks_search *search) {
    bool is_large = search->step->solver.contacts.count >= STACKS_LARGE_WORLD;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < search->island_count; ++k) {
        stacks_island *island = &search->islands[k];
        bool is_wanted =
            ((island->is_deep || island->turns_easily) && stacks_is_calm(search, island)) ||
            (island->sinks && stacks_is_still(search, island));
        bool is_stack = !island->is_out && island->is_supported && is_wanted;
        uint64_t work = is_stack ? stacks_get_work(island) : 0;
        island->is_out = !is_stack || (is_large && sum + work > STACKS_MOST_WORK);
        sum += island->is_out ? 0 : work;
    }
    return sum;
}

// Numbers the stacks of no cluster, then those of each cluster, whose islands may be apart.
static void stacks_number(stacks_search *search) {
    tni_solver *solver = &search->step->solver;
    const uint32_t *of = search->step->clusters.of;
    uint32_t count = 0;
    for (uint32_t k = 0; k < search->island_count; ++k) {
        stacks_island *island = &search->islands[k];
        uint32_t cluster = of != NULL ? of[island->root] : TNI_NONE;
        if (cluster != TNI_NONE && !island->is_out) {
            island->stack = solver->clusters.clusters[cluster].stack_count++;
        } else {
            island->stack = island->is_out ? TNI_NONE : count++;
        }
    }
    solver->contacts.stack_count = count;
    for (uint32_t c = 0; c < solver->clusters.count; ++c) {
        solver->clusters.clusters[c].first_stack = count;
        count += solver->clusters.clusters[c].stack_count;
    }
    for (uint32_t k = 0; k < search->island_count && of != NULL; ++k) {
        stacks_island *island = &search->islands[k];
        uint32_t cluster = of[island->root];
        island->stack += cluster != TNI_NONE && !island->is_out
                             ? solver->clusters.clusters[cluster].first_stack
                             : 0;
    }
    search->stack_count = count;
}

// ---- stacks -----------------------------------------------------------------------------------

static bool stacks_allocate_sets(tni_arena *arena, uint32_t bodies, tni_stack_matrix *matrix) {
    matrix->words = tni_stack_get_words(bodies);
    size_t size = (size_t)bodies * matrix->words;
    matrix->beside = tni_arena_alloc_zeroed(arena, 3 * size * sizeof *matrix->beside);
    matrix->first_block = tni_arena_alloc(arena, bodies * sizeof *matrix->first_block);
    if (matrix->beside == NULL || matrix->first_block == NULL) {
        return false;
    }
    matrix->below = matrix->beside + size;
    matrix->filled = matrix->below + size;
    return true;
}

static bool stacks_allocate(stacks_search *search, uint64_t work) {
    tni_arena *arena = &search->world->arena;
    tni_solver *solver = &search->step->solver;
    bool is_large = solver->contacts.count >= STACKS_LARGE_WORLD;
    bool is_shared = is_large && work > 0;
    uint64_t steps = is_shared ? STACKS_MOST_SOLVING / work : STACKS_MOST_STEPS;
    uint64_t most = is_large ? STACKS_MOST_STEPS_IN_LARGE : STACKS_MOST_STEPS;
    solver->contacts.stacks =
        tni_arena_alloc_zeroed(arena, search->stack_count * sizeof *solver->contacts.stacks);
    solver->contacts.depths =
        tni_arena_alloc_zeroed(arena, solver->contacts.count * sizeof *solver->contacts.depths);
    if (solver->contacts.stacks == NULL || solver->contacts.depths == NULL) {
        return false;
    }
    for (uint32_t k = 0; k < search->island_count; ++k) {
        const stacks_island *island = &search->islands[k];
        if (island->is_out) {
            continue;
        }
        tni_stack *stack = &solver->contacts.stacks[island->stack];
        stack->allowance = (uint32_t)(steps < most ? steps : most);
        stack->part = solver->batches.part_count > 0 ? search->step->parts.of[island->root] : 0;
        stack->bodies = tni_arena_alloc_zeroed(arena, island->bodies * sizeof *stack->bodies);
        stack->contacts = tni_arena_alloc_zeroed(arena, island->contacts * sizeof *stack->contacts);
        if (stack->bodies == NULL || stack->contacts == NULL ||
            !stacks_allocate_sets(arena, island->bodies, &stack->matrix)) {
            return false;
        }
    }
    return true;
}

static void stacks_add_bodies(stacks_search *search) {
    const tni_solver *solver = &search->step->solver;
    for (uint32_t k = 0; k < search->body_count; ++k) {
        uint32_t i = search->bodies[k];
        const stacks_island *island =
            search->at[i] != TNI_NONE ? &search->islands[search->at[i]] : NULL;
        if (island != NULL && !island->is_out) {
            tni_stack *stack = &solver->contacts.stacks[island->stack];
            search->place[i] = (uint16_t)stack->body_count;
            stack->bodies[stack->body_count++].body = i;
        }
    }
}

// Returns the first contact of the body's cluster, or 0: a stack counts its contacts from there.
static uint32_t stacks_get_first_contact(const stacks_search *search, uint32_t body) {
    const uint32_t *of = search->step->clusters.of;
    uint32_t cluster = of != NULL ? of[body] : TNI_NONE;
    return cluster != TNI_NONE ? search->step->solver.clusters.clusters[cluster].first_contact : 0;
}

static void stacks_add_contact(stacks_search *search, const tni_kept_contact *kept) {
    tni_solver *solver = &search->step->solver;
    const tni_contact *contact = tni_contact_at(search->world, kept->contact);
    uint32_t a, b;
    const stacks_island *island = stacks_find(search, contact, &a, &b);
    if (island == NULL) {
        return;
    }
    uint32_t first = stacks_get_first_contact(search, island->root);
    tni_stack *stack = &solver->contacts.stacks[island->stack];
    tni_stack_contact *to = &stack->contacts[stack->contact_count++];
    to->contact = kept->index - first;
    to->body_a = stacks_get_moving(search, contact->body_a);
    to->body_b = stacks_get_moving(search, contact->body_b);
    to->a = a != 0 ? search->place[a] : TNI_STACK_NOBODY;
    to->b = b != 0 ? search->place[b] : TNI_STACK_NOBODY;
    if (a != 0 && b != 0) {
        tni_stack_put(tni_stack_get_set(stack, stack->matrix.beside, to->a), to->b);
        tni_stack_put(tni_stack_get_set(stack, stack->matrix.beside, to->b), to->a);
    }
    solver->contacts.depths[kept->index] =
        TNI_STACK_DEPTH * stacks_get_least_size(search->world, contact);
}

// Gives up a large stack, before it is tried, whose factor would cost too much.
static void stacks_give_up(stacks_search *search, tni_stack *stack) {
    uint32_t first = stacks_get_first_contact(search, stack->bodies[0].body);
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        search->step->solver.contacts.depths[first + stack->contacts[i].contact] = 0.0f;
    }
    stack->has_failed = true;
}

// Puts bodies in the order of elimination and allocates the matrix. Returns false without memory.
static bool stacks_finish(stacks_search *search, tni_stack *stack) {
    uint16_t order[TNI_STACK_MAX_BODIES], place[TNI_STACK_MAX_BODIES];
    uint32_t bodies[TNI_STACK_MAX_BODIES], count = stack->body_count;
    tni_stack_order(stack, order);
    if (count > STACKS_SMALL && stack->matrix.products > STACKS_MOST_PRODUCTS * count) {
        stacks_give_up(search, stack);
        return true;
    }
    for (uint32_t k = 0; k < count; ++k) {
        bodies[k] = stack->bodies[order[k]].body;
        place[order[k]] = (uint16_t)k;
    }
    for (uint32_t k = 0; k < count; ++k) {
        stack->bodies[k].body = bodies[k];
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        c->a = c->a != TNI_STACK_NOBODY ? place[c->a] : TNI_STACK_NOBODY;
        c->b = c->b != TNI_STACK_NOBODY ? place[c->b] : TNI_STACK_NOBODY;
    }
    tni_arena *arena = &search->world->arena;
    size_t block = TNI_STACK_BLOCK * sizeof(double);
    stack->matrix.diagonal = tni_arena_alloc(arena, count * block);
    stack->matrix.blocks = tni_arena_alloc(arena, stack->matrix.block_count * block);
    stack->matrix.column = tni_arena_alloc(arena, stack->matrix.longest * block);
    return stack->matrix.diagonal != NULL && stack->matrix.blocks != NULL &&
           stack->matrix.column != NULL;
}

static bool stacks_fill(stacks_search *search) {
    const tni_contact_order *order = search->step->order;
    stacks_add_bodies(search);
    for (uint32_t k = 0; k < order->count; ++k) {
        if (!stacks_is_elsewhere(search, &order->kept[k])) {
            stacks_add_contact(search, &order->kept[k]);
        }
    }
    bool has_memory = true;
    for (uint32_t s = 0; s < search->stack_count && has_memory; ++s) {
        has_memory = stacks_finish(search, &search->step->solver.contacts.stacks[s]);
    }
    return has_memory;
}

static bool stacks_prepare(stacks_search *search, bool **is_blocked) {
    tni_arena *arena = &search->world->arena;
    size_t n = search->step->solver.bodies.count;
    *is_blocked = tni_arena_alloc_zeroed(arena, n);
    search->has_below = tni_arena_alloc_zeroed(arena, n);
    search->has_above = tni_arena_alloc_zeroed(arena, n);
    search->place = tni_arena_alloc(arena, n * sizeof *search->place);
    return *is_blocked != NULL && search->has_below != NULL && search->has_above != NULL &&
           search->place != NULL;
}

bool tni_step_find_stacks(tn_world *world, tni_step *step) {
    const tni_contact_order *order = step->order;
    vec3s gravity = dvec3_to_float(tni_world_get_gravity(world));
    float pull = glms_vec3_norm(gravity);
    if (step->solver.contacts.count == 0 || !(pull > 0.0f)) {
        return true;
    }
    stacks_search search = {.world = world, .step = step, .pull = (double)pull};
    search.up = glms_vec3_scale(gravity, -1.0f / pull);
    const tni_solver *solver = &step->solver;
    search.moving_sink =
        stacks_get_sink(&solver->settings.contact_softness, search.pull, solver->h);
    search.static_sink = stacks_get_sink(&solver->settings.static_softness, search.pull, solver->h);
    bool *is_blocked = NULL;
    if (!stacks_list_islands(&search)) {
        return false;
    }
    if (search.island_count == 0) {
        return true;
    }
    if (!stacks_prepare(&search, &is_blocked)) {
        return false;
    }
    tni_step_block_bodies(step, is_blocked);
    stacks_look_at_bodies(&search, is_blocked);
    for (uint32_t k = 0; k < order->count; ++k) {
        stacks_look_at_contact(&search, &order->kept[k]);
    }
    uint64_t work = stacks_choose(&search);
    stacks_number(&search);
    return search.stack_count == 0 || (stacks_allocate(&search, work) && stacks_fill(&search));
}

void tni_step_scatter_stacks(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t count = solver->contacts.stacks != NULL ? solver->contacts.stack_count : 0;
    for (uint32_t c = 0; c < solver->clusters.count && solver->contacts.stacks != NULL; ++c) {
        count += solver->clusters.clusters[c].stack_count;
    }
    for (uint32_t s = 0; s < count; ++s) {
        const tni_stack *stack = &solver->contacts.stacks[s];
        for (uint32_t i = 0; i < stack->body_count && stack->has_failed; ++i) {
            tni_body *body = tni_body_at(world, step->body_of[stack->bodies[i].body]);
            body->stack_resume = (uint32_t)world->step_count + STACKS_PAUSE;
        }
    }
}
