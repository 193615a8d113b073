// world/mechanisms/mechanism_contacts.c: gives each contact to the mechanism that solves it.
//
// A contact with a mechanism that takes its own step is hidden from Gauss-Seidel, and so are
// contacts of loose bodies that are wedged in (mechanism_wedged.c). A contact with a mechanism that
// is only closed stays with Gauss-Seidel too. A mechanism that alternates leaves its contacts to
// Gauss-Seidel, and holds on to them while it is closed.
// Test: tests/world/mechanisms/test_mechanisms.c
#include "world/bodies.h"
#include "world/collide/narrow.h"
#include "world/step/step_mechanisms.h"

// Returns whether a mechanism solves its contacts itself.
static bool contacts_are_own(const tni_mechanism *mechanism) {
    return !mechanism->traits.alternates && !mechanism->touch.is_crowded;
}

bool tni_mechanism_has_contacts(const tni_mechanism *mechanism) {
    return contacts_are_own(mechanism) && !mechanism->traits.is_coupled;
}

// Returns the mechanism beside a contact of a loose body that is wedged in, or TNI_NONE.
static uint32_t contacts_get_beside(const tni_solver *solver, const uint32_t *beside,
                                    uint32_t contact) {
    const tni_contact_record *record = &solver->contacts.records[contact];
    uint32_t m = beside != NULL ? beside[record->body_a] : TNI_NONE;
    return m != TNI_NONE || beside == NULL ? m : beside[record->body_b];
}

// Returns a contact's set: 0 with a mechanism that takes its own step, 1 with one that is only
// closed, or TNI_NONE.
static uint32_t contacts_get_set(const tni_solver *solver, const uint32_t *beside,
                                 uint32_t contact) {
    if (contacts_get_beside(solver, beside, contact) != TNI_NONE) {
        return 0;
    }
    const tni_contact_record *record = &solver->contacts.records[contact];
    const uint32_t ends[2] = {solver->exact.mechanism_of[record->body_a],
                              solver->exact.mechanism_of[record->body_b]};
    uint32_t set = TNI_NONE;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_mechanism *mechanism =
            ends[e] != TNI_NONE ? solver->exact.mechanisms[ends[e]] : NULL;
        if (mechanism != NULL && contacts_are_own(mechanism)) {
            uint32_t own = mechanism->traits.is_coupled ? 1 : 0;
            set = own < set ? own : set;
        }
    }
    return set;
}

// Returns how many doubles the responses of one row take.
static size_t contacts_get_width(const tni_touch *touch) {
    const tni_mechanism *a = touch->ends[0].mechanism, *b = touch->ends[1].mechanism;
    return 6 * (size_t)((a != NULL ? a->moving_count : 0) +
                        (b != NULL && b != a ? b->moving_count : 0));
}

static void contacts_set_end(const tni_solver *solver, uint32_t set, uint32_t body,
                             tni_touch_end *end) {
    uint32_t index = solver->exact.mechanism_of[body];
    tni_mechanism *mechanism = index != TNI_NONE ? solver->exact.mechanisms[index] : NULL;
    bool is_own = mechanism != NULL && contacts_are_own(mechanism) &&
                  mechanism->traits.is_coupled == (set == 1);
    end->body = body;
    end->mechanism = is_own ? mechanism : NULL;
    end->local = is_own ? solver->exact.local_of[body] : TNI_NONE;
    // A body that takes its own step moves on while others are only closed.
    end->is_loose =
        !is_own && solver->bodies.masses[body].is_dynamic && !solver->bodies.is_exact[body];
    end->motion = is_own ? &mechanism->bodies[end->local].motion : &solver->bodies.motions[body];
    end->shift = is_own          ? mechanism->touch.shift + 6 * end->local
                 : end->is_loose ? solver->exact.touch_sets[set].loose_shifts + 6 * body
                                 : NULL;
}

// Sets the shape's frame in the body of that end; all static bodies are the solver's body 0.
static void contacts_set_shape(const tn_world *world, const tni_solver *solver, uint32_t index,
                               tni_touch_end *end) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_body_motion *body = &solver->bodies.motions[end->body];
    tni_shape_motion own;
    const tni_shape_motion *motion = tni_shape_get_motion(world, index, 0.0, &own);
    tni_dquat back = dquat_conjugate(body->rotation);
    end->geometry = tni_shape_get_geometry(shape);
    end->position = dquat_rotate(back, dvec3_sub(motion->center, body->position));
    end->rotation = dquat_mul(back, dquat_from_float(motion->rotation));
    end->reach = (double)shape->turn_reach;
    end->has_neighbours = tni_body_may_have_neighbours(tni_body_at(world, shape->body));
}

// Returns the share of a contact's impulses that pushed for two substeps: all if Gauss-Seidel had
// it.
static double contacts_get_lasting(const tni_contact *contact) {
    double sum = 0.0;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        sum += (double)contact->normal_impulses[p];
    }
    bool is_all = contact->borne < 0.0f || !((double)contact->borne < sum);
    return is_all ? 1.0 : (double)contact->borne / sum;
}

void tni_step_set_touch(const tn_world *world, const tni_solver *solver, tni_contact_record *record,
                        tni_touch *touch) {
    const tni_contact *contact = tni_contact_at(world, record->contact);
    touch->record = record;
    touch->margin = world->def.contact_margin;
    touch->slide_count = record->rolling_resistance > 0.0f ? TNI_TOUCH_SLIDES : 3;
    touch->cache = contact->cache;
    touch->lasting = contacts_get_lasting(contact);
    contacts_set_shape(world, solver, contact->shape_a, &touch->ends[0]);
    contacts_set_shape(world, solver, contact->shape_b, &touch->ends[1]);
    for (uint32_t p = 0; p < record->point_count; ++p) {
        touch->lanes[p] = contact->manifold.points[p].feature;
    }
}

static void contacts_fill(const tn_world *world, const tni_solver *solver, uint32_t set,
                          uint32_t index, tni_touch *touch) {
    tni_contact_record *record = &solver->contacts.records[index];
    touch->contact = index;
    contacts_set_end(solver, set, record->body_a, &touch->ends[0]);
    contacts_set_end(solver, set, record->body_b, &touch->ends[1]);
    tni_step_set_touch(world, solver, record, touch);
}

// Allocates memory for the responses of a set's rows.
static bool contacts_allocate_columns(tn_world *world, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        size_t width = contacts_get_width(touch);
        uint32_t rows = TNI_LANES + touch->slide_count;
        double *columns = tni_arena_alloc(&world->arena, rows * width * sizeof(double));
        if (columns == NULL) {
            return false;
        }
        const tni_mechanism *a = touch->ends[0].mechanism, *b = touch->ends[1].mechanism;
        for (uint32_t r = 0; r < rows; ++r) {
            double *next = columns + r * width;
            touch->rows[r].columns[0] = a != NULL ? next : NULL;
            touch->rows[r].columns[1] =
                b != NULL && b != a ? next + (a != NULL ? 6 * a->moving_count : 0) : NULL;
        }
    }
    return true;
}

static bool contacts_allocate(tn_world *world, tni_solver *solver) {
    tni_arena *arena = &world->arena;
    for (uint32_t s = 0; s < 2; ++s) {
        tni_touch_set *set = &solver->exact.touch_sets[s];
        set->is_coupled = s == 1;
        set->has_wedged = false;
        set->touches = tni_arena_alloc_zeroed(arena, set->count * sizeof(tni_touch));
        size_t shifts = set->count > 0 ? 6 * (size_t)solver->bodies.count : 0;
        set->loose_shifts = tni_arena_alloc(arena, shifts * sizeof(double));
        if (set->touches == NULL || set->loose_shifts == NULL) {
            return false;
        }
        set->count = 0;
    }
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        tni_mechanism *mechanism = solver->exact.mechanisms[m];
        size_t numbers = 6 * (size_t)mechanism->moving_count;
        mechanism->touch.shift = tni_arena_alloc(&world->joint_arena, 2 * numbers * sizeof(double));
        if (mechanism->touch.shift == NULL) {
            return false;
        }
        mechanism->touch.bends = mechanism->touch.shift + numbers;
    }
    return true;
}

static bool contacts_map_bodies(tn_world *world, tni_solver *solver) {
    size_t n = solver->bodies.count;
    solver->exact.mechanism_of = tni_arena_alloc(&world->joint_arena, 2 * n * sizeof(uint32_t));
    if (solver->exact.mechanism_of == NULL) {
        return false;
    }
    solver->exact.local_of = solver->exact.mechanism_of + n;
    for (size_t i = 0; i < n; ++i) {
        solver->exact.mechanism_of[i] = TNI_NONE;
    }
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[m];
        for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
            solver->exact.mechanism_of[mechanism->bodies[i].solver_body] = m;
            solver->exact.local_of[mechanism->bodies[i].solver_body] = i;
        }
    }
    return true;
}

// Counts contacts. A mechanism of uneven masses that is only closed and touches very much is left
// open: closed without its contacts it would sink into its support, and the hold on contacts while
// poses are closed cannot bear its loads.
static void contacts_count(tni_solver *solver) {
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        solver->exact.mechanisms[m]->touch.count = solver->exact.mechanisms[m]->hold_count = 0;
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        const uint32_t ends[2] = {record->body_a, record->body_b};
        for (uint32_t e = 0; e < 2; ++e) {
            uint32_t m = solver->exact.mechanism_of[ends[e]];
            if (m != TNI_NONE) {
                solver->exact.mechanisms[m]->touch.count += 1;
            }
        }
    }
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        tni_mechanism *mechanism = solver->exact.mechanisms[m];
        mechanism->touch.is_touched = mechanism->touch.count > 0;
        size_t columns =
            (size_t)mechanism->touch.count * TNI_TOUCH_ROWS * 6 * mechanism->moving_count;
        mechanism->touch.is_crowded = mechanism->traits.is_coupled &&
                                      !mechanism->traits.alternates &&
                                      columns > TNI_MECHANISM_MOST_COLUMNS;
    }
}

// Returns the contacts in the order of the world's list, those with static bodies last: mechanisms
// take them in this order, which does not depend on colors. Returns null when memory cannot be had.
static uint32_t *contacts_find_order(tn_world *world, const tni_solver *solver) {
    uint32_t most = world->awake_contacts.count, at = 0;
    uint32_t *order = tni_arena_alloc(&world->arena, solver->contacts.own_count * sizeof *order);
    uint32_t *by_place = tni_arena_alloc(&world->arena, most * sizeof *by_place);
    if (order == NULL || by_place == NULL) {
        return NULL;
    }
    for (uint32_t place = 0; place < most; ++place) {
        by_place[place] = TNI_NONE;
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        by_place[solver->contacts.records[i].place] = i;
    }
    for (int is_static = 0; is_static < 2; ++is_static) {
        for (uint32_t place = 0; place < most; ++place) {
            uint32_t i = by_place[place];
            if (i != TNI_NONE && solver->contacts.records[i].is_static == (is_static == 1)) {
                order[at++] = i;
            }
        }
    }
    return order;
}

// Lists each end of a contact at a mechanism that alternates, in the order of the contacts.
static bool contacts_list_holds(tn_world *world, tni_solver *solver, const uint32_t *order) {
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        tni_mechanism *mechanism = solver->exact.mechanisms[m];
        uint32_t count = mechanism->traits.alternates ? mechanism->touch.count : 0;
        mechanism->holds = tni_arena_alloc(&world->arena, count * sizeof(tni_hold));
        if (mechanism->holds == NULL) {
            return false;
        }
    }
    for (uint32_t k = 0; k < solver->contacts.own_count; ++k) {
        uint32_t i = order[k];
        const tni_contact_record *record = &solver->contacts.records[i];
        const uint32_t ends[2] = {record->body_a, record->body_b};
        for (uint32_t e = 0; e < 2; ++e) {
            uint32_t m = solver->exact.mechanism_of[ends[e]];
            if (m != TNI_NONE && solver->exact.mechanisms[m]->traits.alternates) {
                tni_mechanism *mechanism = solver->exact.mechanisms[m];
                tni_hold hold = {i, e, solver->exact.local_of[ends[e]]};
                mechanism->holds[mechanism->hold_count++] = hold;
            }
        }
    }
    return true;
}

// Gives hidden contacts a gate that never shuts, so that Gauss-Seidel passes them over, also for
// restitution.
static void contacts_hide(tni_solver *solver) {
    const tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_contact_gate *gate = &solver->contacts.gates[set->touches[i].contact];
        gate->is_shut = false;
        gate->is_touch = true;
        gate->least = FLT_MAX;
    }
    uint32_t kept = 0;
    for (uint32_t k = 0; k < solver->contacts.bouncing_count; ++k) {
        uint32_t contact = solver->contacts.bouncing[k];
        if (!solver->contacts.gates[contact].is_touch) {
            solver->contacts.bouncing[kept++] = contact;
        }
    }
    solver->contacts.bouncing_count = kept;
}

bool tni_mechanism_contacts_gather(tn_world *world, tni_solver *solver) {
    if (!contacts_map_bodies(world, solver)) {
        return false;
    }
    contacts_count(solver);
    uint32_t *beside;
    const uint32_t *order = contacts_find_order(world, solver);
    if (order == NULL || !contacts_list_holds(world, solver, order) ||
        !tni_mechanism_find_wedged(world, solver, &beside)) {
        return false;
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        uint32_t set = contacts_get_set(solver, beside, i);
        if (set != TNI_NONE) {
            solver->exact.touch_sets[set].count += 1;
        }
    }
    if (!contacts_allocate(world, solver)) {
        return false;
    }
    for (uint32_t k = 0; k < solver->contacts.own_count; ++k) {
        uint32_t i = order[k], index = contacts_get_set(solver, beside, i);
        if (index == TNI_NONE) {
            continue;
        }
        tni_touch_set *set = &solver->exact.touch_sets[index];
        tni_touch *touch = &set->touches[set->count++];
        contacts_fill(world, solver, index, i, touch);
        uint32_t m = contacts_get_beside(solver, beside, i);
        touch->beside = m != TNI_NONE ? solver->exact.mechanisms[m] : NULL;
        set->has_wedged = set->has_wedged || m != TNI_NONE;
    }
    contacts_hide(solver);
    return contacts_allocate_columns(world, &solver->exact.touch_sets[0]) &&
           contacts_allocate_columns(world, &solver->exact.touch_sets[1]);
}
