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
//
// A clump that is between but too large, or that something swept touches too, would be too dear as
// touches. So a mechanism that presses one alternates with the sweeps (mechanism_heaps.c): a
// wrecking ball of 8 t would push crates of 150 kg a quarter of a metre into those behind them.
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
    uint32_t *owners; // by body: its mechanism if that solves its contacts, or TNI_NONE
    uint32_t *roots;  // by body: union-find over loose bodies that touch
    bool *is_held;    // by body: a joint holds it
    wedged_clump *clumps;
} wedged_search;

static bool wedged_is_loose(const wedged_search *search, uint32_t body) {
    return search->solver->bodies.masses[body].is_dynamic && !search->is_held[body];
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
    uint32_t m = search->owners[other];
    clump->is_between =
        clump->is_between || (clump->outside != TNI_NONE && clump->outside != other);
    clump->outside = other;
    clump->mechanism = m < clump->mechanism ? m : clump->mechanism;
    clump->is_out =
        clump->is_out || (search->solver->bodies.masses[other].is_dynamic && m == TNI_NONE);
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
    search->owners = tni_arena_alloc(&world->arena, n * sizeof *search->owners);
    search->roots = tni_arena_alloc(&world->arena, n * sizeof *search->roots);
    search->is_held = tni_arena_alloc_zeroed(&world->arena, n * sizeof *search->is_held);
    search->clumps = tni_arena_alloc_zeroed(&world->arena, n * sizeof *search->clumps);
    if (search->owners == NULL || search->roots == NULL || search->is_held == NULL ||
        search->clumps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; ++i) {
        search->roots[i] = i;
        search->owners[i] = search->clumps[i].mechanism = search->clumps[i].outside = TNI_NONE;
    }
    return true;
}

// Finds the clumps, of what neither a joint nor a mechanism holds.
static void wedged_find_clumps(const wedged_search *search) {
    wedged_join(search);
    for (uint32_t i = 0; i < search->solver->contacts.own_count; ++i) {
        wedged_add(search, &search->solver->contacts.records[i]);
    }
}

static wedged_clump *wedged_get_clump(const wedged_search *search, uint32_t body) {
    return &search->clumps[union_find_root(search->roots, body)];
}

static bool wedged_is_wedged(const wedged_clump *clump) {
    return clump->is_between && !clump->is_out && clump->contacts <= WEDGED_MOST_CONTACTS;
}

// ---- bodies that are wedged in -----------------------------------------------------------------

static bool wedged_is_asked_for(const tni_solver *solver) {
    bool any = false;
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[m];
        any |= mechanism->touch.count > 0 && tni_mechanism_has_contacts(mechanism);
    }
    return any;
}

static void wedged_set_owners(const wedged_search *search) {
    const tni_solver *solver = search->solver;
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        search->is_held[solver->joints.blocks[i].body_a] = true;
        search->is_held[solver->joints.blocks[i].body_b] = true;
    }
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        uint32_t m = solver->exact.mechanism_of[i];
        search->is_held[i] = search->is_held[i] || m != TNI_NONE || solver->bodies.is_exact[i];
        if (m != TNI_NONE && tni_mechanism_has_contacts(solver->exact.mechanisms[m])) {
            search->owners[i] = m;
        }
    }
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
    wedged_set_owners(&search);
    wedged_find_clumps(&search);
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        const wedged_clump *clump = wedged_get_clump(&search, i);
        bool is_wedged = wedged_is_loose(&search, i) && wedged_is_wedged(clump);
        beside[i] = is_wedged ? clump->mechanism : TNI_NONE;
    }
    *out_beside = beside;
    return true;
}

// ---- mechanisms that press large clumps --------------------------------------------------------

static bool wedged_is_planned(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total) {
    bool any = false;
    for (uint32_t i = 0; i < total && !any; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        any =
            block->is_projected && plan->contacts[tni_mechanism_plan_root(solver, plan, block)] > 0;
    }
    return any;
}

// Takes the mechanisms of the plan as if each solved its contacts.
static void wedged_set_planned_owners(const wedged_search *search, tni_mechanism_plan *plan,
                                      uint32_t total) {
    const tni_solver *solver = search->solver;
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        const uint32_t ends[2] = {block->body_a, block->body_b};
        for (uint32_t e = 0; e < 2; ++e) {
            bool is_owned = block->is_projected && tni_mechanism_moves(solver, ends[e]);
            search->is_held[ends[e]] = true;
            search->owners[ends[e]] =
                is_owned ? union_find_root(plan->roots, ends[e]) : search->owners[ends[e]];
        }
    }
}

bool tni_mechanism_plan_find_pressing(tn_world *world, const tni_solver *solver,
                                      tni_mechanism_plan *plan, uint32_t total) {
    wedged_search search = {.solver = solver};
    if (!wedged_is_planned(solver, plan, total)) {
        return true;
    }
    if (!wedged_allocate(world, &search)) {
        return false;
    }
    wedged_set_planned_owners(&search, plan, total);
    wedged_find_clumps(&search);
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        const uint32_t ends[2] = {record->body_a, record->body_b};
        for (uint32_t e = 0; e < 2; ++e) {
            uint32_t owner = search.owners[ends[1 - e]];
            if (owner == TNI_NONE || !wedged_is_loose(&search, ends[e])) {
                continue;
            }
            const wedged_clump *clump = wedged_get_clump(&search, ends[e]);
            plan->presses[owner] |= clump->is_between && !wedged_is_wedged(clump);
        }
    }
    return true;
}
