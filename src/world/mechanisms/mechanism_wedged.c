// world/mechanisms/mechanism_wedged.c: finds loose bodies between a mechanism and the body that it
// presses them against.
//
// A ram presses a crate to the ground, a jack lifts a car, a crate jams a door: the load goes from
// the mechanism through loose bodies into something else. If the contact with the mechanism is
// solved with its joints and the one behind it is left to the sweeps, each solution undoes the
// other: in every substep a heavy ram gives the light crate its own speed, the ground stops the
// crate, and the ram goes on. So all contacts of loose bodies that are wedged in are touches, and
// the sweeps have none of them.
//
// Loose bodies that touch each other are one clump. A clump is wedged in if it is small, touches a
// mechanism that solves its contacts and another body that is not loose, and touches no dynamic
// body that something else solves, as one on a swept joint.
// Test: tests/world/mechanisms/test_press.c
#include "core/union_find.h"

#include "solver/touches/touch.h"

#include "world/step/step_mechanisms.h"

// The most contacts of a clump that may be wedged in.
#define WEDGED_MOST_CONTACTS 48u

// A clump, listed by its first body.
typedef struct wedged_clump {
    uint32_t contacts;
    uint32_t outside;   // the last body found that is not loose and touches it, or TNI_NONE
    bool is_between;    // another such body touches it too
    uint32_t mechanism; // the first mechanism that touches it, or TNI_NONE
    bool is_out;        // a dynamic body that something else solves touches it
} wedged_clump;

typedef struct wedged_search {
    const tni_solver *solver;
    uint32_t *roots; // by body: union-find over loose bodies that touch
    bool *is_held;   // by body: a swept joint holds it
    wedged_clump *clumps;
} wedged_search;

static bool wedged_is_loose(const wedged_search *search, uint32_t body) {
    const tni_solver *solver = search->solver;
    return solver->bodies.masses[body].is_dynamic && solver->exact.mechanism_of[body] == TNI_NONE &&
           !solver->bodies.is_exact[body] && !search->is_held[body];
}

static void wedged_mark_held(const wedged_search *search) {
    const tni_solver *solver = search->solver;
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        search->is_held[solver->joints.blocks[i].body_a] = true;
        search->is_held[solver->joints.blocks[i].body_b] = true;
    }
}

static void wedged_join(const wedged_search *search) {
    const tni_solver *solver = search->solver;
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        if (wedged_is_loose(search, record->body_a) && wedged_is_loose(search, record->body_b)) {
            union_find_join(search->roots, record->body_a, record->body_b);
        }
    }
}

// Adds a clump's contact with `other`, which is not loose.
static void wedged_add_outside(const wedged_search *search, wedged_clump *clump, uint32_t other) {
    const tni_solver *solver = search->solver;
    uint32_t m = solver->exact.mechanism_of[other];
    bool is_own = m != TNI_NONE && tni_mechanism_has_contacts(solver->exact.mechanisms[m]);
    clump->is_between =
        clump->is_between || (clump->outside != TNI_NONE && clump->outside != other);
    clump->outside = other;
    clump->mechanism = is_own && m < clump->mechanism ? m : clump->mechanism;
    clump->is_out = clump->is_out || (solver->bodies.masses[other].is_dynamic && !is_own);
}

static void wedged_add(const wedged_search *search, const tni_contact_record *record) {
    const uint32_t ends[2] = {record->body_a, record->body_b};
    bool is_loose[2];
    for (uint32_t e = 0; e < 2; ++e) {
        is_loose[e] = wedged_is_loose(search, ends[e]);
    }
    for (uint32_t e = 0; e < 2; ++e) {
        if (!is_loose[e] || (e == 1 && is_loose[0])) {
            continue;
        }
        wedged_clump *clump = &search->clumps[union_find_root(search->roots, ends[e])];
        clump->contacts += 1;
        if (!is_loose[1 - e]) {
            wedged_add_outside(search, clump, ends[1 - e]);
        }
    }
}

static bool wedged_allocate(tn_world *world, wedged_search *search) {
    size_t n = search->solver->bodies.count;
    search->roots = tni_arena_alloc(&world->arena, n * sizeof *search->roots);
    search->is_held = tni_arena_alloc_zeroed(&world->arena, n * sizeof *search->is_held);
    search->clumps = tni_arena_alloc_zeroed(&world->arena, n * sizeof *search->clumps);
    if (search->roots == NULL || search->is_held == NULL || search->clumps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; ++i) {
        search->roots[i] = i;
        search->clumps[i].mechanism = search->clumps[i].outside = TNI_NONE;
    }
    return true;
}

static bool wedged_is_asked_for(const tni_solver *solver) {
    bool any = false;
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[m];
        any |= mechanism->touch.count > 0 && tni_mechanism_has_contacts(mechanism);
    }
    return any;
}

bool tni_mechanism_find_wedged(tn_world *world, const tni_solver *solver, uint32_t **out_beside) {
    wedged_search search = {.solver = solver};
    *out_beside = NULL;
    if (!wedged_is_asked_for(solver)) {
        return true;
    }
    uint32_t *beside = tni_arena_alloc(&world->arena, solver->bodies.count * sizeof *beside);
    if (beside == NULL || !wedged_allocate(world, &search)) {
        return false;
    }
    wedged_mark_held(&search);
    wedged_join(&search);
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        wedged_add(&search, &solver->contacts.records[i]);
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        const wedged_clump *clump = &search.clumps[union_find_root(search.roots, i)];
        bool is_wedged = wedged_is_loose(&search, i) && clump->is_between && !clump->is_out &&
                         clump->contacts <= WEDGED_MOST_CONTACTS;
        beside[i] = is_wedged ? clump->mechanism : TNI_NONE;
    }
    *out_beside = beside;
    return true;
}
