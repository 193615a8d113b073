// solver/contacts/contact_group.c: groups of contacts between their sweeps: gates, kicks, views of
// one contact.
//
// A contact that is only near has an open gate. A bound says whether its gap may close within the
// substep (solve A) or has closed (solve B): until then no row of it can act, and it is passed
// over. The bound is derived in contact_prepare.c, the solve in contact_sweep_wide.c.
#include "core/simd_double.h"
#include "solver/contacts/contact_follow.h"
#include "solver/contacts/contact_kernels.h"

// ---- gates ------------------------------------------------------------------------------------

// Returns true while no point can close its gap, at the end of the substep (`use_bias`) or now.
static bool group_stays_open(const tni_solver *solver, const tni_contact_gate *gate,
                             bool use_bias) {
    const float *delta_a = solver->bodies.deltas[gate->body_a].numbers;
    const float *delta_b = solver->bodies.deltas[gate->body_b].numbers;
    tni_f4 way_a = f4_load_aligned(delta_a), turn_a = f4_load_aligned(delta_a + 4);
    tni_f4 way_b = f4_load_aligned(delta_b), turn_b = f4_load_aligned(delta_b + 4);
    if (use_bias) {
        const float *v_a = solver->bodies.states[gate->body_a].numbers;
        const float *v_b = solver->bodies.states[gate->body_b].numbers;
        tni_f4 h = f4_splat(solver->h);
        way_a = f4_add_product(way_a, h, f4_load_aligned(v_a));
        way_b = f4_add_product(way_b, h, f4_load_aligned(v_b));
        turn_a = f4_add_product(turn_a, h, f4_load_aligned(v_a + TNI_STATE_W));
        turn_b = f4_add_product(turn_b, h, f4_load_aligned(v_b + TNI_STATE_W));
    }
    tni_f4 sum = f4_mul(f4_load_aligned(gate->normal), f4_sub(way_b, way_a));
    sum = f4_sub(sum, f4_mul(f4_load_aligned(gate->reach_a), f4_abs(turn_a)));
    sum = f4_sub(sum, f4_mul(f4_load_aligned(gate->reach_b), f4_abs(turn_b)));
    return gate->least + f4_first(f4_sum_splat(sum)) > 0.0f;
}

void tni_contact_group_test(tni_solver *solver, tni_contact_group *group, bool use_bias,
                            bool may_look) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        const tni_contact_gate *gate = &solver->contacts.gates[group->first + lane];
        bool shuts = !gate->is_shut && !group_stays_open(solver, gate, use_bias);
        if (shuts) {
            tni_contact_record *record = &solver->contacts.records[group->first + lane];
            bool looks = record->follow != NULL && record->follow->looks && !gate->is_touch;
            bool is_in_the_way = !looks || (may_look && tni_contact_look(solver, record, use_bias));
            lanes |= is_in_the_way ? 1u << lane : 0u;
        }
    }
    if (lanes != 0) {
        tni_contact_shut_lanes(solver, group, lanes);
    }
}

// ---- phases -----------------------------------------------------------------------------------

// A phase of a substep is solve A or solve B.
typedef struct group_phase {
    tni_solver *solver;
    bool is_first_half;
} group_phase;

static void group_warm_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const group_phase *phase = context;
    for (uint32_t b = first; b < last; ++b) {
        const tni_batch_bodies *batch = &phase->solver->batches.bodies[b];
        for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
            contact_push_body(phase->solver, batch->body[i], phase->is_first_half);
        }
    }
}

void tni_contacts_warm_start(tni_solver *solver, bool is_first_half) {
    group_phase phase = {solver, is_first_half};
    solver->contacts.phase_sweeps = 0;
    solver->contacts.has_old_gaps |= solver->exact.count > 0; // which move bodies at any time
    if (!solver->contacts.kicks_push) {
        tni_parts_run_batches(solver, group_warm_range, CONTACT_MIN_BATCHES, &phase);
    }
}

static void group_sweep_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const group_phase *phase = context;
    tni_solver *solver = phase->solver;
    contact_range groups = contact_get_turns(solver, first, last);
    uint32_t kind = phase->is_first_half ? CONTACT_SWEEP_BIAS : 0;
    kind |= phase->is_first_half && solver->contacts.depths != NULL ? CONTACT_SWEEP_SPARES : 0;
    kind |= solver->contacts.phase_sweeps == 0 ? CONTACT_SWEEP_FIRST : 0;
    kind |= solver->contacts.phase_sweeps + 1 >= solver->settings.contact_iterations
                ? CONTACT_SWEEP_LOOKS
                : 0;
    kind |= solver->contacts.has_old_gaps ? CONTACT_SWEEP_MOVED : 0;
    kind |= solver->is_last_substep && !phase->is_first_half ? CONTACT_SWEEP_MEASURES : 0;
    kind |= solver->is_last_sweep ? CONTACT_SWEEP_LAST : 0;
    WIDE_CALL(solver->uses_avx2, tni_contact_sweep, solver, groups.first, groups.last, kind);
}

void tni_contacts_solve(tni_solver *solver, bool use_bias) {
    group_phase phase = {solver, use_bias};
    tni_tasks_run_chain(solver->tasks, group_sweep_range, solver->contacts.loop_ends,
                        solver->contacts.loop_count, 1, &phase);
    solver->contacts.phase_sweeps += 1;
    solver->contacts.has_old_gaps = false;
}

static void group_forget_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    contact_range groups = contact_get_turns(solver, first, last);
    WIDE_CALL(solver->uses_avx2, tni_contact_sweep, solver, groups.first, groups.last,
              CONTACT_SWEEP_FORGETS);
}

void tni_contacts_forget_blows(tni_solver *solver) {
    tni_tasks_run_chain(solver->tasks, group_forget_range, solver->contacts.loop_ends,
                        solver->contacts.loop_count, 1, solver);
}

static void group_store_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    contact_range groups = contact_get_turns(solver, first, last);
    for (uint32_t i = groups.first; i < groups.last; ++i) {
        const tni_contact_group *group = &solver->contacts.groups[i];
        if (group->shut_count > 0) {
            WIDE_CALL(solver->uses_avx2, tni_contact_store, solver, group);
        }
    }
}

void tni_contacts_store(tni_solver *solver) {
    contact_run_groups(solver, group_store_range);
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        tni_contact_sums *sums = &solver->contacts.records[solver->contacts.bouncing[i]].sums;
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            sums->step[p] += sums->impact[p];
        }
        sums->step_friction = glms_vec3_add(sums->step_friction, sums->impact_friction);
    }
}

// ---- one contact ------------------------------------------------------------------------------

static vec3s group_get_vec(const tni_contact_vec *from, uint32_t lane) {
    return maths_vec3(from->x[lane], from->y[lane], from->z[lane]);
}

void tni_contact_get_view(const tni_solver *solver, uint32_t index, tni_contact_view *view) {
    uint32_t slot = solver->contacts.gates[index].slot, lane = slot % TNI_CONTACTS;
    const tni_contact_wide *wide = &solver->contacts.groups[slot / TNI_CONTACTS].wide;
    view->normal = group_get_vec(&wide->normal, lane);
    view->tangent[0] = group_get_vec(&wide->tangent[0], lane);
    view->tangent[1] = group_get_vec(&wide->tangent[1], lane);
    view->pivot = group_get_vec(&wide->pivot, lane);
    view->offset = group_get_vec(&wide->offset, lane);
    view->middle = group_get_vec(&wide->middle, lane);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        view->turn[p] = group_get_vec(&wide->turn[p], lane);
        view->gap[p] = wide->gap[p][lane];
        view->impulse[p] = wide->impulse[p][lane];
        view->warm[p] = wide->warm[p][lane];
        view->point_mass[p] = wide->point_mass[p][lane];
        for (uint32_t q = 0; q < TNI_LANES; ++q) {
            view->response[p][q] = wide->response[contact_entry(p, q)][lane];
        }
    }
    for (uint32_t t = 0; t < 3; ++t) {
        view->slide_mass[t] = wide->slide_mass[t][lane];
        view->slide[t] = wide->slide[t][lane];
        view->slide_warm[t] = wide->slide_warm[t][lane];
    }
    view->twist_mass = wide->twist_mass[lane];
    view->twist_bound = wide->twist_bound[lane];
}

// Returns J of a point times the way, or the speed, of both bodies.
static float group_get_opening(const tni_contact_wide *wide, uint32_t lane, uint32_t p,
                               const vec3s straight[2], const vec3s turning[2]) {
    vec3s offset = group_get_vec(&wide->offset, lane), turn = group_get_vec(&wide->turn[p], lane);
    vec3s at_b = glms_vec3_add(straight[1], glms_vec3_cross(turning[1], offset));
    return glms_vec3_dot(group_get_vec(&wide->normal, lane), glms_vec3_sub(at_b, straight[0])) +
           glms_vec3_dot(turn, glms_vec3_sub(turning[1], turning[0]));
}

void tni_contact_expect(tni_solver *solver, uint32_t index, const float gaps[TNI_LANES]) {
    const tni_contact_record *record = &solver->contacts.records[index];
    uint32_t slot = solver->contacts.gates[index].slot, lane = slot % TNI_CONTACTS;
    tni_contact_wide *wide = &solver->contacts.groups[slot / TNI_CONTACTS].wide;
    const tni_body_delta *a = &solver->bodies.deltas[record->body_a],
                         *b = &solver->bodies.deltas[record->body_b];
    const tni_body_state *of_a = &solver->bodies.states[record->body_a];
    const tni_body_state *of_b = &solver->bodies.states[record->body_b];
    const vec3s ways[2] = {a->position, b->position}, turns[2] = {a->rotation, b->rotation};
    const vec3s v[2] = {of_a->v, of_b->v}, w[2] = {of_a->w, of_b->w};
    for (uint32_t p = 0; p < record->point_count; ++p) {
        if (!(wide->impulse[p][lane] > 0.0f)) {
            float gap = gaps[p] - solver->h * group_get_opening(wide, lane, p, v, w);
            wide->separation[p][lane] = gap - group_get_opening(wide, lane, p, ways, turns);
            wide->gap[p][lane] = gap;
        }
    }
}

void tni_contact_get_bend(const tni_solver *solver, uint32_t index, tni_contact_bend *bend) {
    uint32_t slot = solver->contacts.gates[index].slot, lane = slot % TNI_CONTACTS;
    contact_bends bends;
    WIDE_CALL(solver->uses_avx2, tni_contact_bend, solver,
              &solver->contacts.groups[slot / TNI_CONTACTS], lane, &bends);
    bend->spin = group_get_vec(&bends.spin, lane);
    bend->along = bends.along[lane];
    bend->slide[0] = bends.slide[0][lane];
    bend->slide[1] = bends.slide[1][lane];
}

void tni_contact_get_load(const tni_solver *solver, uint32_t index, tni_contact_load *load) {
    uint32_t slot = solver->contacts.gates[index].slot, lane = slot % TNI_CONTACTS;
    const tni_contact_group *group = &solver->contacts.groups[slot / TNI_CONTACTS];
    const tni_contact_wide *wide = &group->wide;
    load->move_count = group->move_count;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        load->gap[p] = wide->gap[p][lane];
        load->impulse[p] = wide->impulse[p][lane];
        load->warm[p] = wide->warm[p][lane];
    }
    for (uint32_t t = 0; t < 3; ++t) {
        load->slide[t] = wide->slide[t][lane];
        load->slide_warm[t] = wide->slide_warm[t][lane];
    }
}

void tni_contact_add_impulses(tni_solver *solver, uint32_t index, const double normal[TNI_LANES],
                              const double slide[3]) {
    uint32_t slot = solver->contacts.gates[index].slot, lane = slot % TNI_CONTACTS;
    tni_contact_wide *wide = &solver->contacts.groups[slot / TNI_CONTACTS].wide;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        wide->impulse[p][lane] = (float)((double)wide->impulse[p][lane] + normal[p]);
    }
    for (uint32_t t = 0; t < 3; ++t) {
        wide->slide[t][lane] = (float)((double)wide->slide[t][lane] + slide[t]);
    }
}

// Returns the separation of the nearest point; bodies of a mechanism have no delta, and their gate
// keeps it.
float tni_contact_get_least(const tni_solver *solver, uint32_t index) {
    const tni_contact_gate *gate = &solver->contacts.gates[index];
    if (gate->is_touch) {
        return gate->least;
    }
    uint32_t lane = gate->slot % TNI_CONTACTS;
    const tni_contact_wide *wide = &solver->contacts.groups[gate->slot / TNI_CONTACTS].wide;
    float least = wide->gap[0][lane];
    for (uint32_t p = 1; p < solver->contacts.records[index].point_count; ++p) {
        least = maths_min(least, wide->gap[p][lane]);
    }
    return least;
}
