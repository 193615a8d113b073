// world/stacks.c: which islands are solved at once (solver/stack.c), and memory for them.
//
// An island of contacts alone, of 3 to 64 bodies, that is more than two layers deep: some body has
// one that moves below it and one above. Shallower ones gain nothing, and larger ones cost more
// than they are worth. Rolling resistance has no rows there. Who is a stack depends on bodies and
// contacts alone. Those in clusters come behind the others. Test: tests/world/test_stacks.c
#include <math.h>
#include <string.h>

#include "solver/stack.h"
#include "world/clusters.h"
#include "world/contact_order.h"
#include "world/parts.h"

#define STACKS_LEAST_BODIES 3u
// Slope of a contact that bears: a normal is farther than this from the horizontal. Sine.
#define STACKS_UPRIGHT 0.1f
// Depth at which points rest, of the size of the smaller body. Far more than the rounding of a
// separation, and still too little to be seen.
#define STACKS_DEPTH 2e-5f
// Steps for which a stack that could not be solved is swept.
#define STACKS_PAUSE 60u

// What is known of the bodies, by body; `count`, `is_out` and `is_deep` at the roots of islands.
typedef struct stacks_search {
    tn_world *world;
    tni_step *step;
    uint32_t *count;
    uint32_t *stack_of; // at the roots, then of each body
    uint8_t *place;
    bool *is_out, *is_deep, *has_below, *has_above;
    vec3s up;
} stacks_search;

static bool stacks_allocate(stacks_search *search) {
    tni_arena *arena = &search->world->arena;
    size_t n = search->step->solver.body_count;
    search->count = tni_arena_alloc_zeroed(arena, n * sizeof *search->count);
    search->is_out = tni_arena_alloc_zeroed(arena, n);
    search->is_deep = tni_arena_alloc_zeroed(arena, n);
    search->has_below = tni_arena_alloc_zeroed(arena, n);
    search->has_above = tni_arena_alloc_zeroed(arena, n);
    search->place = tni_arena_alloc(arena, n);
    search->stack_of = tni_arena_alloc(arena, n * sizeof *search->stack_of);
    return search->count && search->is_out && search->is_deep && search->has_below &&
           search->has_above && search->place && search->stack_of;
}

// ---- islands ----------------------------------------------------------------------------------

static bool stacks_is_cut(const tni_step *step, uint32_t body, uint32_t root) {
    const tni_cluster_bodies *clusters = &step->clusters;
    bool is_clustered = clusters->of != NULL && clusters->of[body] != TNI_NONE;
    return !is_clustered && step->solver.part_count > 0 &&
           step->parts.of[body] != step->parts.of[root];
}

// A stack that could not be solved is left alone for some time.
static bool stacks_is_paused(const stacks_search *search, uint32_t i) {
    const tn_world *world = search->world;
    uint32_t body = search->step->body_of[i], now = (uint32_t)world->step_count;
    return body == TNI_NONE || tni_body_at(world, body)->stack_resume - now - 1 < STACKS_PAUSE;
}

// Returns whether there is an island of the right size.
static bool stacks_find_islands(stacks_search *search, const bool *is_blocked) {
    const tni_step *step = search->step;
    const tni_solver *solver = &step->solver;
    bool has_any = false;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        uint32_t root = step->island_of[i];
        if (solver->masses[i].is_dynamic) {
            search->count[root] += 1;
            search->is_out[root] |= is_blocked[i] || stacks_is_cut(step, i, root);
        }
    }
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        search->is_out[i] |= step->island_of[i] != i || search->count[i] < STACKS_LEAST_BODIES ||
                             search->count[i] > TNI_STACK_MAX_BODIES;
        has_any = has_any || !search->is_out[i];
    }
    for (uint32_t i = 1; i < solver->body_count && has_any; ++i) {
        uint32_t root = step->island_of[i];
        if (!search->is_out[root] && solver->masses[i].is_dynamic) {
            search->is_out[root] = stacks_is_paused(search, i);
        }
    }
    return has_any;
}

// The solver's body, or 0 where it does not give way.
static uint32_t stacks_get_body(const stacks_search *search, uint32_t body) {
    const tni_body *record = tni_body_at(search->world, body);
    bool moves = record->type == TN_BODY_TYPE_DYNAMIC && record->awake_index != TNI_NONE;
    return moves ? record->solver_index : 0;
}

// The root of the island that a contact belongs to, or 0 where that is none.
static uint32_t stacks_get_root(const stacks_search *search, uint32_t a, uint32_t b) {
    const uint32_t *of = search->step->island_of;
    bool is_between = a != 0 && b != 0 && of[a] != of[b];
    uint32_t root = is_between ? 0 : of[a != 0 ? a : b];
    return root != 0 && !search->is_out[root] ? root : 0;
}

static void stacks_mark_contact(stacks_search *search, const tni_contact *contact) {
    uint32_t a = stacks_get_body(search, contact->body_a);
    uint32_t b = stacks_get_body(search, contact->body_b);
    uint32_t root = stacks_get_root(search, a, b);
    if (root == 0) {
        return;
    }
    search->is_out[root] |= contact->rolling_resistance > 0.0f;
    float slope = glms_vec3_dot(contact->manifold.normal, search->up);
    if (a != 0 && b != 0 && fabsf(slope) > STACKS_UPRIGHT) {
        search->has_above[slope > 0.0f ? a : b] = true;
        search->has_below[slope > 0.0f ? b : a] = true;
        search->is_deep[root] |= search->has_above[a] && search->has_below[a];
        search->is_deep[root] |= search->has_above[b] && search->has_below[b];
    }
}

// ---- stacks -----------------------------------------------------------------------------------

static void stacks_start(stacks_search *search, uint32_t root) {
    tni_solver *solver = &search->step->solver;
    tni_stack *stack = &solver->stacks[search->stack_of[root]];
    memset(stack, 0, sizeof *stack);
    stack->part = solver->part_count > 0 ? search->step->parts.of[root] : 0;
}

// Numbers the stacks: those of no cluster, then cluster by cluster, whose roots follow each other.
static bool stacks_number(stacks_search *search) {
    tni_solver *solver = &search->step->solver;
    const uint32_t *clusters = search->step->clusters.of;
    uint32_t count = 0;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        search->stack_of[i] = TNI_NONE;
        bool is_stack = !search->is_out[i] && search->is_deep[i];
        search->stack_of[i] =
            is_stack && (clusters == NULL || clusters[i] == TNI_NONE) ? count++ : TNI_NONE;
    }
    solver->stack_count = count;
    for (uint32_t i = 1; i < solver->body_count && clusters != NULL; ++i) {
        if (!search->is_out[i] && search->is_deep[i] && clusters[i] != TNI_NONE) {
            tni_cluster *cluster = &solver->clusters[clusters[i]];
            cluster->first_stack = cluster->stack_count == 0 ? count : cluster->first_stack;
            cluster->stack_count += 1;
            search->stack_of[i] = count++;
        }
    }
    if (count == 0) {
        return true;
    }
    tni_arena *arena = &search->world->arena;
    solver->stacks = tni_arena_alloc(arena, count * sizeof *solver->stacks);
    solver->contact_depths =
        tni_arena_alloc_zeroed(arena, solver->contact_count * sizeof *solver->contact_depths);
    if (solver->stacks == NULL || solver->contact_depths == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (search->stack_of[i] != TNI_NONE && search->step->island_of[i] == i) {
            stacks_start(search, i);
        }
    }
    return true;
}

static uint32_t stacks_count(const tni_solver *solver) {
    uint32_t count = solver->stack_count;
    for (uint32_t c = 0; c < solver->cluster_count; ++c) {
        count += solver->clusters[c].stack_count;
    }
    return count;
}

static bool stacks_list_bodies(stacks_search *search) {
    tni_arena *arena = &search->world->arena;
    tni_solver *solver = &search->step->solver;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        uint32_t root = search->step->island_of[i];
        search->stack_of[i] =
            solver->masses[i].is_dynamic ? search->stack_of[root] : TNI_NONE; // roots come first
        if (search->stack_of[i] == TNI_NONE) {
            continue;
        }
        tni_stack *stack = &solver->stacks[search->stack_of[i]];
        if (stack->bodies == NULL) {
            size_t size = search->count[root] * sizeof *stack->bodies;
            stack->bodies = tni_arena_alloc_zeroed(arena, size);
        }
        if (stack->bodies == NULL) {
            return false;
        }
        search->place[i] = (uint8_t)stack->body_count;
        stack->bodies[stack->body_count++].body = i;
    }
    return true;
}

static uint32_t stacks_find(const stacks_search *search, const tni_contact *contact) {
    uint32_t a = stacks_get_body(search, contact->body_a);
    uint32_t b = stacks_get_body(search, contact->body_b);
    uint32_t root = stacks_get_root(search, a, b);
    return root != 0 ? search->stack_of[root] : TNI_NONE;
}

static bool stacks_make_room(stacks_search *search, const tni_contact_order *order) {
    tni_arena *arena = &search->world->arena;
    tni_solver *solver = &search->step->solver;
    for (uint32_t k = 0; k < order->count; ++k) {
        const tni_contact *contact = tni_contact_at(search->world, order->kept[k].contact);
        uint32_t s = stacks_find(search, contact);
        if (s != TNI_NONE) {
            solver->stacks[s].contact_count += 1;
        }
    }
    uint32_t count = stacks_count(solver);
    for (uint32_t s = 0; s < count; ++s) {
        tni_stack *stack = &solver->stacks[s];
        stack->contacts = tni_arena_alloc(arena, stack->contact_count * sizeof *stack->contacts);
        if (stack->contacts == NULL) {
            return false;
        }
        stack->contact_count = 0;
    }
    return true;
}

static float stacks_get_size(const tn_world *world, uint32_t shape) {
    const tni_geometry *geometry = &tni_shape_at(world, shape)->geometry;
    vec3s h = geometry->box.half_extents;
    switch (geometry->type) {
    case TNI_GEOMETRY_BOX:
        return 2.0f * maths_min(h.x, maths_min(h.y, h.z));
    case TNI_GEOMETRY_HULL:
        return 2.0f * geometry->hull.hull->inner_radius;
    case TNI_GEOMETRY_SPHERE:
        return 2.0f * geometry->sphere.radius;
    case TNI_GEOMETRY_CAPSULE:
        return 2.0f * geometry->capsule.radius;
    default:
        return INFINITY;
    }
}

static void stacks_add_contact(stacks_search *search, const tni_kept_contact *kept) {
    tni_solver *solver = &search->step->solver;
    const tni_contact *contact = tni_contact_at(search->world, kept->contact);
    uint32_t s = stacks_find(search, contact);
    if (s == TNI_NONE) {
        return;
    }
    tni_stack *stack = &solver->stacks[s];
    uint32_t a = stacks_get_body(search, contact->body_a);
    uint32_t b = stacks_get_body(search, contact->body_b);
    const uint32_t *clusters = search->step->clusters.of;
    uint32_t cluster = clusters != NULL ? clusters[a != 0 ? a : b] : TNI_NONE;
    uint32_t first = cluster != TNI_NONE ? solver->clusters[cluster].first_contact : 0;
    tni_stack_contact *to = &stack->contacts[stack->contact_count++];
    memset(to, 0, sizeof *to);
    to->contact = kept->index - first;
    to->body_a = tni_body_at(search->world, contact->body_a)->solver_index;
    to->body_b = tni_body_at(search->world, contact->body_b)->solver_index;
    to->a = a != 0 ? search->place[a] : TNI_STACK_NOBODY;
    to->b = b != 0 ? search->place[b] : TNI_STACK_NOBODY;
    if (a != 0 && b != 0) {
        stack->beside[to->a] |= tni_stack_bit(to->b);
        stack->beside[to->b] |= tni_stack_bit(to->a);
    }
    solver->contact_depths[kept->index] =
        STACKS_DEPTH * maths_min(stacks_get_size(search->world, contact->shape_a),
                                 stacks_get_size(search->world, contact->shape_b));
}

// Bodies in the order of elimination.
static bool stacks_finish(tn_world *world, tni_stack *stack) {
    uint8_t order[TNI_STACK_MAX_BODIES], place[TNI_STACK_MAX_BODIES];
    uint32_t bodies[TNI_STACK_MAX_BODIES];
    tni_stack_order(stack, order);
    for (uint32_t k = 0; k < stack->body_count; ++k) {
        bodies[k] = stack->bodies[order[k]].body;
        place[order[k]] = (uint8_t)k;
    }
    for (uint32_t k = 0; k < stack->body_count; ++k) {
        stack->bodies[k].body = bodies[k];
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        c->a = c->a != TNI_STACK_NOBODY ? place[c->a] : TNI_STACK_NOBODY;
        c->b = c->b != TNI_STACK_NOBODY ? place[c->b] : TNI_STACK_NOBODY;
    }
    size_t block = TNI_STACK_BLOCK * sizeof(double);
    stack->diagonal = tni_arena_alloc(&world->arena, stack->body_count * block);
    stack->blocks = tni_arena_alloc(&world->arena, stack->block_count * block);
    return stack->diagonal != NULL && stack->blocks != NULL;
}

static bool stacks_fill(stacks_search *search, const tni_contact_order *order) {
    tni_solver *solver = &search->step->solver;
    if (!stacks_list_bodies(search) || !stacks_make_room(search, order)) {
        return false;
    }
    for (uint32_t k = 0; k < order->count; ++k) {
        stacks_add_contact(search, &order->kept[k]);
    }
    uint32_t count = stacks_count(solver);
    for (uint32_t s = 0; s < count; ++s) {
        if (!stacks_finish(search->world, &solver->stacks[s])) {
            return false;
        }
    }
    return true;
}

void tni_step_scatter_stacks(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t count = solver->stacks != NULL ? stacks_count(solver) : 0;
    for (uint32_t s = 0; s < count; ++s) {
        const tni_stack *stack = &solver->stacks[s];
        for (uint32_t i = 0; i < stack->body_count && stack->has_failed; ++i) {
            tni_body *body = tni_body_at(world, step->body_of[stack->bodies[i].body]);
            body->stack_resume = (uint32_t)world->step_count + STACKS_PAUSE;
        }
    }
}

bool tni_step_find_stacks(tn_world *world, tni_step *step) {
    const tni_contact_order *order = step->order;
    vec3s gravity = maths_vec3(world->def.gravity.x, world->def.gravity.y, world->def.gravity.z);
    float pull = glms_vec3_norm(gravity);
    if (step->solver.contact_count < STACKS_LEAST_BODIES || !(pull > 0.0f)) {
        return true;
    }
    stacks_search search = {.world = world, .step = step};
    search.up = glms_vec3_scale(gravity, -1.0f / pull);
    bool *is_blocked = tni_arena_alloc_zeroed(&world->arena, step->solver.body_count);
    if (is_blocked == NULL || !stacks_allocate(&search)) {
        return false;
    }
    tni_step_block_bodies(step, is_blocked);
    if (!stacks_find_islands(&search, is_blocked)) {
        return true;
    }
    for (uint32_t k = 0; k < order->count; ++k) {
        stacks_mark_contact(&search, tni_contact_at(world, order->kept[k].contact));
    }
    return stacks_number(&search) && (step->solver.stacks == NULL || stacks_fill(&search, order));
}
