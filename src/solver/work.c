// solver/work.c: whose work changed the kinetic energy.
//
// An impulse x along a row J changes the velocities from v to v' = v + W J^T x; summed over all
// impulses of a phase the kinetic energy changes by  sum of x J (v + v')/2  exactly, v and v' the
// velocities before and after the phase. So each row's share is its impulse times its mean speed
// over the phase. A phase is a half kick with the solve that follows it; its rows do not move. What
// a fast body's rotation gains or loses in the drift is left out (the integrator keeps it bounded).
#include <string.h>

#include "solver/breaking.h"
#include "solver/reduced.h"
#include "solver/span.h"
#include "solver/span_contact.h"

void tni_work_begin_phase(tni_solver *solver) {
    tni_joint_blocks_sync(solver);
    tni_spans_begin_phase(solver);
    tni_span_contacts_begin_phase(solver);
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        solver->motions_before[i] = solver->motions[i];
    }
    for (uint32_t i = 0; i < solver->row_count; ++i) {
        solver->row_states[i].phase_start = solver->row_states[i].impulse;
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        if (!solver->contact_gates[i].is_shut) {
            continue;
        }
        tni_contact_record *record = &solver->contact_records[i];
        tni_contact_sums *sums = &record->sums;
        tni_contact_load load;
        tni_contact_get_load(solver, i, &load);
        for (int p = 0; p < TNI_LANES; ++p) {
            sums->phase_start[p] = load.impulse[p] - load.warm[p];
        }
        for (int t = 0; t < 3; ++t) {
            sums->phase_start_slide[t] = load.slide[t] - load.slide_warm[t];
        }
        memset(&sums->phase_blow, 0, sizeof sums->phase_blow);
        memset(&sums->phase_rub, 0, sizeof sums->phase_rub);
        if (record->rolling_resistance > 0.0f) {
            tni_contact_view view;
            tni_contact_get_view(solver, i, &view);
            sums->phase_start_rolling = glms_vec3_sub(view.rolling, view.rolling_warm);
        }
    }
}

// Twice the mean velocity of a body over the phase.
static void work_mean(const tni_solver *solver, uint32_t body, tni_dvec3 *out_v, tni_dvec3 *out_w) {
    const tni_body_motion *before = &solver->motions_before[body];
    const tni_body_motion *after = &solver->motions[body];
    *out_v = dvec3_scale(dvec3_add(before->velocity, after->velocity), 0.5);
    *out_w = dvec3_scale(dvec3_add(before->angular_velocity, after->angular_velocity), 0.5);
}

static double work_row_speed(const tni_solver *solver, const tni_joint_block *block,
                             const tni_row *row) {
    tni_dvec3 va, wa, vb, wb;
    work_mean(solver, block->body_a, &va, &wa);
    work_mean(solver, block->body_b, &vb, &wb);
    return dvec3_dot(dvec3_from_float(row->lin_a), va) +
           dvec3_dot(dvec3_from_float(row->ang_a), wa) +
           dvec3_dot(dvec3_from_float(row->lin_b), vb) +
           dvec3_dot(dvec3_from_float(row->ang_b), wb);
}

static void work_measure_joints(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        for (uint32_t r = 0; r < block->row_count; ++r) {
            const tni_row *row = &solver->rows[block->first_row + r];
            const tni_row_state *state = &solver->row_states[block->first_row + r];
            double work = tni_row_get_phase_impulse(row, state, is_first_half) *
                          work_row_speed(solver, block, row);
            switch ((tni_row_role)row->role) {
            case TNI_ROLE_MOTOR:
                solver->work.motor += work;
                solver->motor_work[i] += work;
                break;
            case TNI_ROLE_SPRING:
                solver->work.spring += work;
                break;
            case TNI_ROLE_FRICTION:
                solver->work.friction += work;
                break;
            default:
                solver->work.joint += work;
                break;
            }
        }
    }
}

// What broke took back in solve B what it did in solve A.
static void work_measure_breaking(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->breakable_count; ++i) {
        tni_breakable *it = &solver->breakables[i];
        const tni_joint_block *block = &solver->joints[it->block];
        const tni_joint_push *taken = &it->taken;
        if (!it->has_taken) {
            continue;
        }
        tni_dvec3 va, wa, vb, wb;
        work_mean(solver, block->body_a, &va, &wa);
        work_mean(solver, block->body_b, &vb, &wb);
        solver->work.joint -= dvec3_dot(taken->linear_a, va) + dvec3_dot(taken->angular_a, wa) +
                              dvec3_dot(taken->linear_b, vb) + dvec3_dot(taken->angular_b, wb);
        it->has_taken = false;
    }
}

static double work_point_speed(vec3s d, vec3s r_a, vec3s r_b, const tni_dvec3 mean[4]) {
    tni_dvec3 at_a = dvec3_add(mean[0], dvec3_cross(mean[1], dvec3_from_float(r_a)));
    tni_dvec3 at_b = dvec3_add(mean[2], dvec3_cross(mean[3], dvec3_from_float(r_b)));
    return dvec3_dot(dvec3_from_float(d), dvec3_sub(at_b, at_a));
}

// The same of a row along d with the turns r_a x d and r_b x d.
static double work_turn_speed(vec3s d, vec3s turn_a, vec3s turn_b, const tni_dvec3 mean[4]) {
    return dvec3_dot(dvec3_from_float(d), dvec3_sub(mean[2], mean[0])) +
           dvec3_dot(dvec3_from_float(turn_b), mean[3]) -
           dvec3_dot(dvec3_from_float(turn_a), mean[1]);
}

static void work_measure_contact(tni_solver *solver, uint32_t index, bool is_first_half) {
    const tni_contact_gate *gate = &solver->contact_gates[index];
    if (!gate->is_shut) {
        return;
    }
    const tni_contact_record *record = &solver->contact_records[index];
    const tni_contact_sums *sums = &record->sums;
    tni_contact_view view;
    tni_contact_get_view(solver, index, &view);
    tni_dvec3 mean[4];
    work_mean(solver, gate->body_a, &mean[0], &mean[1]);
    work_mean(solver, gate->body_b, &mean[2], &mean[3]);
    // See contact_sweep_wide.c: in the first half a sum holds what the second kick adds.
    float ahead = is_first_half ? 1.0f : 0.0f, before = 1.0f - ahead;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        float x = view.impulse[p] - ahead * view.warm[p] - before * sums->phase_start[p];
        vec3s turn_b = glms_vec3_add(view.turn[p], glms_vec3_cross(view.offset, view.normal));
        solver->work.impact += (double)x * work_turn_speed(view.normal, view.turn[p], turn_b, mean);
    }
    float slides[3];
    for (int t = 0; t < 3; ++t) {
        slides[t] =
            view.slide[t] - ahead * view.slide_warm[t] - before * sums->phase_start_slide[t];
    }
    const tni_contact_blow *blow = &sums->phase_blow, *rub = &sums->phase_rub;
    solver->work.impact += work_turn_speed(blow->force, blow->turn_a, blow->turn_b, mean);
    solver->work.friction += work_turn_speed(rub->force, rub->turn_a, rub->turn_b, mean);
    vec3s friction = glms_vec3_scale(view.tangent[0], slides[0]);
    friction = maths_vec3_add_scaled(friction, slides[1], view.tangent[1]);
    solver->work.friction +=
        work_point_speed(friction, view.middle, glms_vec3_add(view.middle, view.offset), mean);
    vec3s roll = maths_vec3_add_scaled(view.rolling, -ahead, view.rolling_warm);
    roll = maths_vec3_add_scaled(roll, -before, sums->phase_start_rolling);
    vec3s turn = maths_vec3_add_scaled(roll, slides[2], view.pivot);
    solver->work.friction += dvec3_dot(dvec3_from_float(turn), dvec3_sub(mean[3], mean[1]));
}

// Gravity, applied forces and damping acted in the kick; damping is what is left of a body's own
// change: its kick turned v into (v + h/2 a) / (1 + h/2 c), an impulse of -h/2 c times the result.
void tni_work_measure_body(tni_solver *solver, uint32_t body, const tni_body_motion *before,
                           const tni_body_motion *after) {
    const tni_body_mass *mass = &solver->masses[body];
    if (!mass->is_dynamic || !(mass->inv_mass > 0.0)) {
        return;
    }
    double half = 0.5 * solver->dh, m = 1.0 / mass->inv_mass;
    tni_dvec3 v = dvec3_scale(dvec3_add(before->velocity, after->velocity), 0.5);
    tni_dvec3 w = dvec3_scale(dvec3_add(before->angular_velocity, after->angular_velocity), 0.5);
    solver->work.gravity += half * m * dvec3_dot(mass->gravity, v);
    tni_dvec3 force = dvec3_sub(mass->acceleration, mass->gravity);
    solver->work.force += half * (m * dvec3_dot(force, v) + dvec3_dot(mass->torque, w));
    double c = (double)mass->linear_damping, c_w = (double)mass->angular_damping;
    if (c > 0.0) {
        tni_dvec3 kicked = dvec3_add_scaled(before->velocity, half, mass->acceleration);
        solver->work.damping -= half * c / (1.0 + half * c) * m * dvec3_dot(kicked, v);
    }
    if (c_w > 0.0) {
        tni_dmat3 inertia = inertia_in_world(mass->inertia, before->rotation);
        tni_dvec3 l = dmat3_mul_vec(&inertia, before->angular_velocity);
        solver->work.damping -= half * c_w / (1.0 + half * c_w) * dvec3_dot(l, w);
    }
}

static bool work_is_same_rotation(tni_dquat p, tni_dquat q) {
    return p.x == q.x && p.y == q.y && p.z == q.z && p.w == q.w;
}

// A blow takes its body to the time of the hit and back, and so leaves it at another rotation. Both
// ways keep momentum L = I w and energy L w / 2. So torques add up to the change of L, and their
// work at the mean velocity is short of that of the energy by w_0 (I_0 - I_1) w_1 / 2.
static void work_measure_blown(tni_solver *solver, uint32_t body) {
    const tni_body_motion *before = &solver->motions_before[body], *after = &solver->motions[body];
    const tni_inertia *inertia = solver->masses[body].inertia;
    if (!solver->masses[body].is_dynamic || inertia->is_round ||
        work_is_same_rotation(before->rotation, after->rotation)) {
        return;
    }
    tni_dmat3 first = inertia_in_world(inertia, before->rotation);
    tni_dmat3 last = inertia_in_world(inertia, after->rotation);
    tni_dvec3 l_0 = dmat3_mul_vec(&first, after->angular_velocity);
    tni_dvec3 l_1 = dmat3_mul_vec(&last, after->angular_velocity);
    solver->work.impact += 0.5 * dvec3_dot(before->angular_velocity, dvec3_sub(l_0, l_1));
}

static void work_measure_bodies(tni_solver *solver) {
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (!solver->is_free[i] && !solver->is_exact[i]) {
            tni_work_measure_body(solver, i, &solver->motions_before[i], &solver->motions[i]);
            work_measure_blown(solver, i);
        }
    }
}

void tni_work_end_phase(tni_solver *solver, bool is_first_half) {
    tni_joint_blocks_sync(solver);
    work_measure_joints(solver, is_first_half);
    tni_spans_end_phase(solver, is_first_half);
    tni_span_contacts_end_phase(solver, is_first_half);
    work_measure_breaking(solver);
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        work_measure_contact(solver, i, is_first_half);
    }
    tni_touches_measure_loose(solver);
    tni_reduced_measure(solver);
    work_measure_bodies(solver);
}
