// world/mechanism_contacts.c: each contact to the mechanism that solves it.
//
// A contact with a mechanism that takes its own step is hidden from Gauss-Seidel; one with a
// mechanism that is only closed stays there too.
// Test: tests/world/test_mechanisms.c
#include "world/step_mechanisms.h"

static uint32_t contacts_owner(const tni_solver *solver, uint32_t contact) {
    const tni_contact_record *record = &solver->contact_records[contact];
    uint32_t owner = solver->mechanism_of[record->body_a];
    return owner != TNI_NONE ? owner : solver->mechanism_of[record->body_b];
}

static bool contacts_allocate(tn_world *world, tni_mechanism *mechanism) {
    size_t rows = (size_t)mechanism->contact_count * TNI_MECHANISM_CONTACT_ROWS;
    size_t columns = rows * 6 * mechanism->moving_count;
    if (columns > TNI_MECHANISM_MOST_COLUMNS) {
        mechanism->contact_count = 0;
        rows = columns = 0;
    }
    tni_arena *arena = &world->arena;
    uint32_t count = mechanism->contact_count;
    mechanism->contacts = tni_arena_alloc(arena, count * sizeof(uint32_t));
    mechanism->contact_rows = tni_arena_alloc(arena, rows * sizeof(tni_mechanism_row));
    mechanism->columns = tni_arena_alloc(arena, columns * sizeof(double));
    mechanism->contact_impulses = tni_arena_alloc(arena, rows * sizeof(double));
    mechanism->shift = tni_arena_alloc(arena, 6 * mechanism->moving_count * sizeof(double));
    return mechanism->contacts != NULL && mechanism->contact_rows != NULL &&
           mechanism->columns != NULL && mechanism->contact_impulses != NULL &&
           mechanism->shift != NULL;
}

// A gate that never shuts: Gauss-Seidel passes it over.
static void contacts_hide(tni_solver *solver, const tni_mechanism *mechanism, uint32_t contact) {
    if (!mechanism->is_coupled) {
        solver->contact_gates[contact].is_shut = false;
        solver->contact_gates[contact].least = FLT_MAX;
    }
}

bool tni_mechanism_contacts_gather(tn_world *world, tni_solver *solver) {
    size_t n = solver->body_count;
    solver->mechanism_of = tni_arena_alloc(&world->arena, 2 * n * sizeof(uint32_t));
    if (solver->mechanism_of == NULL) {
        return false;
    }
    solver->mechanism_local = solver->mechanism_of + n;
    for (size_t i = 0; i < n; ++i) {
        solver->mechanism_of[i] = TNI_NONE;
    }
    for (uint32_t m = 0; m < solver->mechanism_count; ++m) {
        tni_mechanism *mechanism = solver->mechanisms[m];
        mechanism->contact_count = 0;
        for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
            solver->mechanism_of[mechanism->bodies[i].solver_body] = m;
            solver->mechanism_local[mechanism->bodies[i].solver_body] = i;
        }
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        uint32_t owner = contacts_owner(solver, i);
        if (owner != TNI_NONE) {
            solver->mechanisms[owner]->contact_count += 1;
        }
    }
    for (uint32_t m = 0; m < solver->mechanism_count; ++m) {
        tni_mechanism *mechanism = solver->mechanisms[m];
        if (!contacts_allocate(world, mechanism)) {
            return false;
        }
        mechanism->is_full = mechanism->contact_count == 0;
        mechanism->contact_count = 0;
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        uint32_t owner = contacts_owner(solver, i);
        if (owner != TNI_NONE && !solver->mechanisms[owner]->is_full) {
            tni_mechanism *mechanism = solver->mechanisms[owner];
            mechanism->contacts[mechanism->contact_count++] = i;
            contacts_hide(solver, mechanism, i);
        }
    }
    // Restitution of what is hidden is not the solver's.
    uint32_t kept = 0;
    for (uint32_t k = 0; k < solver->bouncing_count; ++k) {
        uint32_t contact = solver->bouncing[k];
        if (solver->contact_gates[contact].least < FLT_MAX) {
            solver->bouncing[kept++] = contact;
        }
    }
    solver->bouncing_count = kept;
    return true;
}
