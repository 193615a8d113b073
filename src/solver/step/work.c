// solver/step/work.c: whose work changed the kinetic energy.
//
// An impulse x along a row J changes the velocities from v to v' = v + W J^T x; summed over all
// impulses of a phase the kinetic energy changes by  sum of x J (v + v')/2  exactly, v and v' the
// velocities before and after the phase. So each row's share is its impulse times its mean speed
// over the phase. A phase is a half kick with the solve that follows it; its rows do not move. The
// integrator only keeps the energy of rotations bounded; joints, if there are any, have to give or
// take the energy that rotations gain or lose in the drift: a body that joints throw about may turn
// by radians in a substep. Without joints this is left out.
//
// Joints also have the round-off of their rows, which is in single precision: joints that
// contradict each other may give and take 1e10 J in a step that leaves none.
//
// Rows do their work between their ends, so that friction on a conveyor takes the energy that
// becomes heat. The work on a kinematic body, which has no kinetic energy, is taken back as the
// work of the force that leads it: the conveyor's motor.
#include <string.h>

#include "core/wide.h"
#include "solver/contacts/contact_work.h"
#include "solver/movers/span_ops.h"
#include "solver/step/breaking.h"

// Round-off of rows is within this share of what their impulses would do if bodies moved along
// them, and of the kinetic energy that rows see. 2e-8 is usual, 7e-6 the most that was measured;
// where rows see added inertia, 3e-5. Locks leave rows that see next to nothing of a body, and
// whose impulses pass on the more: 4.2e-4.
#define WORK_ROUNDING        1e-5
#define WORK_ROUNDING_STIFF  1e-4
#define WORK_ROUNDING_LOCKED 5e-4

// Begins contacts: blows come in the first half only, and only to contacts that bounce.
static void work_begin_contacts(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        tni_contact_sums *sums = &solver->contacts.records[solver->contacts.bouncing[i]].sums;
        memset(&sums->phase_blow, 0, sizeof sums->phase_blow);
        memset(&sums->phase_rub, 0, sizeof sums->phase_rub);
    }
    for (uint32_t g = 0; g < solver->contacts.group_count; ++g) {
        const tni_contact_group *group = &solver->contacts.groups[g];
        tni_contact_start *start = &solver->contacts.starts[g];
        if (group->shut_count > 0) {
            WIDE_CALL(solver->uses_avx2, tni_contact_begin_work, group, start);
        } else {
            *start = (tni_contact_start){0}; // one may shut in the phase
        }
    }
}

static double work_sum(const tni_solver_work *work) {
    return work->gravity + work->force + work->motor + work->spring + work->joint + work->friction +
           work->impact + work->damping;
}

void tni_work_begin_phase(tni_solver *solver) {
    tni_joint_blocks_sync(solver);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->begin_phase(solver);
    }
    for (uint32_t k = 0; k < solver->ledger.body_count; ++k) {
        uint32_t i = solver->ledger.bodies[k];
        solver->ledger.motions_before[i] = solver->bodies.motions[i];
    }
    for (uint32_t i = 0; i < solver->joints.row_count; ++i) {
        solver->joints.row_states[i].phase_start = solver->joints.row_states[i].impulse;
    }
    work_begin_contacts(solver);
    solver->ledger.has_seen_inertia = solver->bodies.was_stiffened || solver->exact.count > 0;
    solver->ledger.phase_gross = 0.0;
    solver->ledger.phase_start = work_sum(&solver->ledger.work);
}

// Finds the mean velocity of a body over the phase.
TNI_KERNEL void work_mean(const tni_solver *solver, uint32_t body, tni_dvec3 *out_v,
                          tni_dvec3 *out_w) {
    const tni_body_motion *before = &solver->ledger.motions_before[body];
    const tni_body_motion *after = &solver->bodies.motions[body];
    *out_v = dvec3_scale(dvec3_add(before->velocity, after->velocity), 0.5);
    *out_w = dvec3_scale(dvec3_add(before->angular_velocity, after->angular_velocity), 0.5);
}

// Takes back the work of an impulse on two bodies, of which one may be kinematic.
static void work_take_back(tni_solver *solver, uint32_t a, double of_a, uint32_t b, double of_b) {
    solver->ledger.work.force -= solver->bodies.masses[a].is_kinematic ? of_a : 0.0;
    solver->ledger.work.force -= solver->bodies.masses[b].is_kinematic ? of_b : 0.0;
}

// Returns the most that an impulse of 1 along a part of a row does at such a speed.
static double work_get_most(vec3s row, tni_dvec3 speed) {
    return dvec3_length(dvec3_from_float(row)) * dvec3_length(speed);
}

// Returns the work of an impulse along a row.
static double work_of_row(tni_solver *solver, const tni_joint_block *block, const tni_row *row,
                          const tni_row_state *state, double x) {
    tni_dvec3 va, wa, vb, wb;
    work_mean(solver, block->body_a, &va, &wa);
    work_mean(solver, block->body_b, &vb, &wb);
    double of_a = x * (dvec3_dot(dvec3_from_float(row->lin_a), va) +
                       dvec3_dot(dvec3_from_float(row->ang_a), wa));
    double of_b = x * (dvec3_dot(dvec3_from_float(row->lin_b), vb) +
                       dvec3_dot(dvec3_from_float(row->ang_b), wb));
    double most = maths_max_d(fabs((double)state->impulse), fabs((double)state->phase_start));
    solver->ledger.phase_gross +=
        most * (work_get_most(row->lin_a, va) + work_get_most(row->ang_a, wa) +
                work_get_most(row->lin_b, vb) + work_get_most(row->ang_b, wb));
    if (solver->ledger.has_leads) {
        work_take_back(solver, block->body_a, of_a, block->body_b, of_b);
    }
    return of_a + of_b;
}

static void work_measure_joints(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        for (uint32_t r = 0; r < block->row_count; ++r) {
            const tni_row *row = &solver->joints.rows[block->first_row + r];
            const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
            double x = tni_row_get_phase_impulse(row, state, is_first_half);
            double work = work_of_row(solver, block, row, state, x);
            switch ((tni_row_role)row->role) {
            case TNI_ROLE_MOTOR:
                solver->ledger.work.motor += work;
                solver->joints.motor_work[i] += work;
                break;
            case TNI_ROLE_SPRING:
                solver->ledger.work.spring += work;
                break;
            case TNI_ROLE_FRICTION:
                solver->ledger.work.friction += work;
                break;
            default:
                solver->ledger.work.joint += work;
                break;
            }
        }
    }
}

// Returns how much faster a body has become in the phase.
static tni_body_motion work_get_change(const tni_solver *solver, uint32_t body) {
    const tni_body_motion *before = &solver->ledger.motions_before[body];
    const tni_body_motion *after = &solver->bodies.motions[body];
    tni_body_motion change;
    change.velocity = dvec3_sub(after->velocity, before->velocity);
    change.angular_velocity = dvec3_sub(after->angular_velocity, before->angular_velocity);
    return change;
}

// Puts right the work of a motor. What it gives as in the substep before works on the way of the
// drift, with the velocities that solve A ends with and solve B begins with: solve B leaves others,
// which move nothing, and a motor that holds a joint still would do work at them in every substep.
// A share of it as large as its impulse has changed works at the mean velocities of the phase. What
// is left over is the joint's. (Where joints contradict each other, a drift has nothing to do with
// what motors do.)
static void work_shift_motor(tni_solver *solver, uint32_t index, uint32_t r, bool is_first_half) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    const tni_row *row = &solver->joints.rows[block->first_row + r];
    const tni_row_state *state = &solver->joints.row_states[block->first_row + r];
    double x = tni_row_get_phase_impulse(row, state, is_first_half);
    double change = tni_row_is_spring(row) ? 0.0 : fabs(x - (double)state->warm);
    if (!(change < fabs(x))) {
        return;
    }
    double steady = 1.0 - change / fabs(x);
    tni_body_motion a = work_get_change(solver, block->body_a);
    tni_body_motion b = work_get_change(solver, block->body_b);
    double half = 0.5 * steady * x * tni_row_get_speed(row, &a, &b);
    double more = is_first_half ? half : -half;
    solver->ledger.work.motor += more;
    solver->joints.motor_work[index] += more;
    solver->ledger.work.joint -= more;
}

static void work_shift_motors(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->joints.count && solver->joints.bounded_count > 0; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        bool has_motors = block->joint->has_motors && !block->joint->starts_cold;
        uint32_t end = has_motors ? block->row_count : 0;
        for (uint32_t r = block->equality_count; r < end; ++r) {
            if (solver->joints.rows[block->first_row + r].role == TNI_ROLE_MOTOR) {
                work_shift_motor(solver, i, r, is_first_half);
            }
        }
    }
}

// Measures the work of joints that broke: they took back in solve B their impulses of solve A.
static void work_measure_breaking(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        tni_breakable *it = &solver->breaking.breakables[i];
        const tni_joint_block *block = &solver->joints.blocks[it->block];
        const tni_joint_push *taken = &it->taken;
        if (!it->has_taken) {
            continue;
        }
        tni_dvec3 va, wa, vb, wb;
        work_mean(solver, block->body_a, &va, &wa);
        work_mean(solver, block->body_b, &vb, &wb);
        double of_a = -dvec3_dot(taken->linear_a, va) - dvec3_dot(taken->angular_a, wa);
        double of_b = -dvec3_dot(taken->linear_b, vb) - dvec3_dot(taken->angular_b, wb);
        if (solver->ledger.has_leads) {
            work_take_back(solver, block->body_a, of_a, block->body_b, of_b);
        }
        solver->ledger.work.joint += of_a + of_b;
        it->has_taken = false;
    }
}

static vec3s work_get_vec(const tni_contact_vec *from, uint32_t lane) {
    return maths_vec3(from->x[lane], from->y[lane], from->z[lane]);
}

// Returns the work of an impulse on b and its torques at the mean velocities.
TNI_KERNEL double work_of(vec3s force, vec3s turn_a, vec3s turn_b, const tni_dvec3 mean[4]) {
    return dvec3_dot(dvec3_from_float(force), dvec3_sub(mean[2], mean[0])) +
           dvec3_dot(dvec3_from_float(turn_b), mean[3]) -
           dvec3_dot(dvec3_from_float(turn_a), mean[1]);
}

TNI_KERNEL double work_of_lane(const tni_contact_effort *effort, uint32_t lane,
                               const tni_dvec3 mean[4]) {
    return work_of(work_get_vec(&effort->force, lane), work_get_vec(&effort->turn_a, lane),
                   work_get_vec(&effort->turn_b, lane), mean);
}

// Multiplies the mean velocities of a contact's bodies by the shares of its impulses that they get,
// where it sees other masses than they have: their work is that share of it.
static TNI_NO_INLINE void work_share(const tni_solver *solver, uint32_t index, tni_dvec3 mean[4]) {
    const tni_contact_extras *extras = solver->contacts.records[index].extras;
    for (uint32_t e = 0; e < 2 && extras != NULL && extras->has_shares; ++e) {
        mean[2 * e] = dvec3_scale(mean[2 * e], (double)extras->shares.mass[e]);
        mean[2 * e + 1] = dvec3_scale(mean[2 * e + 1], (double)extras->shares.inertia[e]);
    }
}

static void work_measure_blows(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        uint32_t index = solver->contacts.bouncing[i];
        const tni_contact_gate *gate = &solver->contacts.gates[index];
        const tni_contact_sums *sums = &solver->contacts.records[index].sums;
        if (gate->is_shut) {
            const tni_contact_blow *blow = &sums->phase_blow, *rub = &sums->phase_rub;
            tni_dvec3 mean[4];
            work_mean(solver, gate->body_a, &mean[0], &mean[1]);
            work_mean(solver, gate->body_b, &mean[2], &mean[3]);
            work_share(solver, index, mean);
            solver->ledger.work.impact += work_of(blow->force, blow->turn_a, blow->turn_b, mean);
            solver->ledger.work.friction += work_of(rub->force, rub->turn_a, rub->turn_b, mean);
        }
    }
}

static void work_measure_contacts(tni_solver *solver, bool is_first_half) {
    work_measure_blows(solver);
    for (uint32_t g = 0; g < solver->contacts.group_count; ++g) {
        const tni_contact_group *group = &solver->contacts.groups[g];
        if (group->shut_count == 0) {
            continue;
        }
        tni_contact_effort normal, friction;
        WIDE_CALL(solver->uses_avx2, tni_contact_end_work, group,
                  is_first_half ? NULL : &solver->contacts.starts[g], &normal, &friction);
        for (uint32_t lane = 0; lane < group->count; ++lane) {
            if (solver->contacts.gates[group->first + lane].is_shut) {
                tni_dvec3 mean[4];
                work_mean(solver, group->body_a[lane], &mean[0], &mean[1]);
                work_mean(solver, group->body_b[lane], &mean[2], &mean[3]);
                if (group->has_shares) {
                    work_share(solver, group->first + lane, mean);
                }
                solver->ledger.work.impact += work_of_lane(&normal, lane, mean);
                solver->ledger.work.friction += work_of_lane(&friction, lane, mean);
            }
        }
    }
}

// ---- kinematic bodies ------------------------------------------------------------------------

static void work_take_back_contact(tni_solver *solver, const tni_contact_gate *gate, vec3s force,
                                   vec3s turn_a, vec3s turn_b) {
    tni_dvec3 mean[4], push = dvec3_from_float(force);
    work_mean(solver, gate->body_a, &mean[0], &mean[1]);
    work_mean(solver, gate->body_b, &mean[2], &mean[3]);
    work_share(solver, (uint32_t)(gate - solver->contacts.gates), mean);
    double of_a = dvec3_dot(push, mean[0]) + dvec3_dot(dvec3_from_float(turn_a), mean[1]);
    double of_b = dvec3_dot(push, mean[2]) + dvec3_dot(dvec3_from_float(turn_b), mean[3]);
    work_take_back(solver, gate->body_a, -of_a, gate->body_b, of_b);
}

static void work_take_back_lane(tni_solver *solver, const tni_contact_gate *gate,
                                const tni_contact_effort *effort, uint32_t lane) {
    work_take_back_contact(solver, gate, work_get_vec(&effort->force, lane),
                           work_get_vec(&effort->turn_a, lane),
                           work_get_vec(&effort->turn_b, lane));
}

// Goes over the work of contacts once more, for the bodies that are led: few worlds have any.
static void work_take_back_contacts(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        const tni_contact_gate *gate = &solver->contacts.gates[solver->contacts.bouncing[i]];
        const tni_contact_sums *sums = &solver->contacts.records[solver->contacts.bouncing[i]].sums;
        const tni_contact_blow *blow = &sums->phase_blow, *rub = &sums->phase_rub;
        if (gate->is_shut) {
            work_take_back_contact(solver, gate, blow->force, blow->turn_a, blow->turn_b);
            work_take_back_contact(solver, gate, rub->force, rub->turn_a, rub->turn_b);
        }
    }
    for (uint32_t g = 0; g < solver->contacts.group_count; ++g) {
        const tni_contact_group *group = &solver->contacts.groups[g];
        tni_contact_effort normal, friction;
        if (group->shut_count == 0) {
            continue;
        }
        WIDE_CALL(solver->uses_avx2, tni_contact_end_work, group,
                  is_first_half ? NULL : &solver->contacts.starts[g], &normal, &friction);
        for (uint32_t lane = 0; lane < group->count; ++lane) {
            const tni_contact_gate *gate = &solver->contacts.gates[group->first + lane];
            if (gate->is_shut) {
                work_take_back_lane(solver, gate, &normal, lane);
                work_take_back_lane(solver, gate, &friction, lane);
            }
        }
    }
}

// ---- bodies ----------------------------------------------------------------------------------

// Measures gravity, applied forces and damping, which acted in the kick; damping has the remaining
// part of a body's own change: its kick turned v into (v + h/2 a) / (1 + h/2 c), an impulse of -h/2
// c times the result.
void tni_work_measure_body(tni_solver *solver, uint32_t body, const tni_body_motion *before,
                           const tni_body_motion *after) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    if (!mass->is_dynamic || !(mass->inv_mass > 0.0)) {
        return;
    }
    double half = 0.5 * solver->dh, m = 1.0 / mass->inv_mass;
    tni_dvec3 v = dvec3_scale(dvec3_add(before->velocity, after->velocity), 0.5);
    tni_dvec3 w = dvec3_scale(dvec3_add(before->angular_velocity, after->angular_velocity), 0.5);
    solver->ledger.work.gravity += half * m * dvec3_dot(tni_body_get_gravity(solver, body), v);
    tni_dvec3 force = tni_body_get_applied(solver, body);
    solver->ledger.work.force += half * (m * dvec3_dot(force, v) + dvec3_dot(mass->torque, w));
    double c = (double)mass->linear_damping, c_w = (double)mass->angular_damping;
    if (c > 0.0) {
        tni_dvec3 kicked =
            dvec3_add_scaled(before->velocity, half, solver->bodies.pulls[body].acceleration);
        solver->ledger.work.damping -= half * c / (1.0 + half * c) * m * dvec3_dot(kicked, v);
    }
    if (c_w > 0.0) {
        tni_dmat3 inertia = inertia_in_world(mass->inertia, before->rotation);
        tni_dvec3 l = dmat3_mul_vec(&inertia, before->angular_velocity);
        l = dvec3_add_scaled(l, half, mass->torque);
        solver->ledger.work.damping -= half * c_w / (1.0 + half * c_w) * dvec3_dot(l, w);
    }
}

double tni_work_get_spin(const tni_solver *solver) {
    double energy = 0.0;
    for (uint32_t k = 0; k < solver->ledger.body_count; ++k) {
        uint32_t i = solver->ledger.bodies[k];
        const tni_body_mass *mass = &solver->bodies.masses[i];
        if (mass->is_dynamic && !mass->inertia->is_round) {
            energy += inertia_get_energy(mass->inertia, solver->bodies.motions[i].rotation,
                                         solver->bodies.motions[i].angular_velocity);
        }
    }
    return energy;
}

static bool work_is_same_rotation(tni_dquat p, tni_dquat q) {
    return p.x == q.x && p.y == q.y && p.z == q.z && p.w == q.w;
}

// Measures a blown body: a blow takes it to the time of the hit and back, and so leaves it at
// another rotation. There and back it keeps momentum L = I w and energy L w / 2. So torques add up
// to the change of L, and their work at the mean velocity is short of that of the energy by w_0
// (I_0 - I_1) w_1 / 2.
static void work_measure_blown(tni_solver *solver, uint32_t body) {
    const tni_body_motion *before = &solver->ledger.motions_before[body],
                          *after = &solver->bodies.motions[body];
    const tni_inertia *inertia = solver->bodies.masses[body].inertia;
    if (!solver->bodies.masses[body].is_dynamic || inertia->is_round ||
        work_is_same_rotation(before->rotation, after->rotation)) {
        return;
    }
    tni_dmat3 first = inertia_in_world(inertia, before->rotation);
    tni_dmat3 last = inertia_in_world(inertia, after->rotation);
    tni_dvec3 l_0 = dmat3_mul_vec(&first, after->angular_velocity);
    tni_dvec3 l_1 = dmat3_mul_vec(&last, after->angular_velocity);
    solver->ledger.work.impact += 0.5 * dvec3_dot(before->angular_velocity, dvec3_sub(l_0, l_1));
}

// Finds the inertia that rows see: the inverse of the W of a body's state. Returns false where
// there is none.
static bool work_get_seen_inertia(const tni_solver *solver, uint32_t body, tni_dmat3 *out) {
    const tni_sym3 *w = &solver->bodies.states[body].inv_inertia;
    const float own[3] = {w->xx, w->yy, w->zz}, mixed[3] = {w->yz, w->xz, w->xy};
    tni_dmat3 response;
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            response.m[i][j] = (double)(i == j ? own[i] : mixed[3 - i - j]);
        }
        response.m[i][i] += own[i] == 0.0f ? 1.0 : 0.0; // of what is locked, and does not turn
    }
    return tni_maths_invert_spd(&response, out);
}

// Torques T turn a body by W T with the W of its state, and its own inertia I has the energy: I W T
// differs from T where inertia was added, or where a mechanism has closed and turned the body since
// the drift.
double tni_work_get_stiffened(const tni_solver *solver, uint32_t body, tni_dvec3 mean,
                              tni_dvec3 turned, tni_dvec3 torque) {
    if (!solver->ledger.has_seen_inertia || !(solver->bodies.masses[body].inertia->inverse > 0.0)) {
        return 0.0;
    }
    tni_dmat3 inertia = inertia_in_world(solver->bodies.masses[body].inertia,
                                         solver->bodies.motions[body].rotation);
    return dvec3_dot(mean, dvec3_sub(dmat3_mul_vec(&inertia, turned), torque));
}

// The added inertia changes with every substep that stores its joints, the state with the next
// drift, so T is W^-1 of the change.
double tni_work_find_stiffened(const tni_solver *solver, uint32_t body, tni_dvec3 mean,
                               tni_dvec3 turned) {
    tni_dmat3 seen;
    if (!solver->ledger.has_seen_inertia || !work_get_seen_inertia(solver, body, &seen)) {
        return 0.0;
    }
    return tni_work_get_stiffened(solver, body, mean, turned, dmat3_mul_vec(&seen, turned));
}

// Measures the work of damping on a stiffened body, which it turns by -k w_0 with k = h/2 c / (1 +
// h/2 c).
static void work_measure_stiffened(tni_solver *solver, uint32_t body) {
    tni_dvec3 before = solver->ledger.motions_before[body].angular_velocity;
    tni_dvec3 after = solver->bodies.motions[body].angular_velocity;
    tni_dvec3 mean = dvec3_scale(dvec3_add(before, after), 0.5);
    double c = 0.5 * solver->dh * (double)solver->bodies.masses[body].angular_damping;
    tni_dvec3 turned = dvec3_add_scaled(dvec3_sub(after, before), c / (1.0 + c), before);
    solver->ledger.work.joint += tni_work_find_stiffened(solver, body, mean, turned);
}

// Is the body's motion the ledger's own to account for? Free bodies and mechanisms account for
// theirs.
static bool work_is_own(const tni_solver *solver, uint32_t body) {
    return !solver->bodies.is_free[body] && !solver->bodies.is_exact[body];
}

static void work_measure_bodies(tni_solver *solver) {
    for (uint32_t k = 0; k < solver->ledger.body_count; ++k) {
        uint32_t i = solver->ledger.bodies[k];
        if (work_is_own(solver, i)) {
            tni_work_measure_body(solver, i, &solver->ledger.motions_before[i],
                                  &solver->bodies.motions[i]);
            work_measure_blown(solver, i);
        }
    }
    for (uint32_t k = 0; k < solver->ledger.body_count && solver->ledger.has_seen_inertia; ++k) {
        if (work_is_own(solver, solver->ledger.bodies[k])) {
            work_measure_stiffened(solver, solver->ledger.bodies[k]);
        }
    }
}

// Returns how much kinetic energy a body has gained in the phase.
static double work_get_gain(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    const tni_body_motion *before = &solver->ledger.motions_before[body],
                          *after = &solver->bodies.motions[body];
    double m = maths_inverse_or_zero_d(mass->inv_mass);
    double linear =
        dvec3_dot(after->velocity, after->velocity) - dvec3_dot(before->velocity, before->velocity);
    return 0.5 * m * linear +
           inertia_get_energy(mass->inertia, after->rotation, after->angular_velocity) -
           inertia_get_energy(mass->inertia, before->rotation, before->angular_velocity);
}

// Returns a bound of the kinetic energies that rows see at both ends of the phase.
static double work_get_seen_energy(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    const tni_body_motion *before = &solver->ledger.motions_before[body],
                          *after = &solver->bodies.motions[body];
    double v2 =
        dvec3_dot(before->velocity, before->velocity) + dvec3_dot(after->velocity, after->velocity);
    double w2 = dvec3_dot(before->angular_velocity, before->angular_velocity) +
                dvec3_dot(after->angular_velocity, after->angular_velocity);
    double moments = inertia_trace(mass->inertia);
    tni_dmat3 seen;
    if (solver->ledger.has_seen_inertia && work_get_seen_inertia(solver, body, &seen)) {
        moments = seen.m[0][0] + seen.m[1][1] + seen.m[2][2];
    }
    return 0.5 * (maths_inverse_or_zero_d(mass->inv_mass) * v2 + moments * w2);
}

// Rows add to velocities in floats, and their round-off does work, too: it is the joints'. Joints
// that contradict each other throw bodies about with thousands of times the energy that a step
// leaves. What is off by more than round-off stays open: some other work is missing.
static void work_measure_rounding(tni_solver *solver) {
    double gain = 0.0, seen = solver->ledger.phase_gross;
    bool has_locks = false;
    for (uint32_t k = 0; k < solver->ledger.body_count; ++k) {
        uint32_t i = solver->ledger.bodies[k];
        if (work_is_own(solver, i) && solver->bodies.masses[i].is_dynamic) {
            gain += work_get_gain(solver, i);
            seen += work_get_seen_energy(solver, i);
            has_locks |= tni_body_mass_get_locks(&solver->bodies.masses[i]) != 0;
        }
    }
    double share = has_locks                      ? WORK_ROUNDING_LOCKED
                   : solver->bodies.was_stiffened ? WORK_ROUNDING_STIFF
                                                  : WORK_ROUNDING;
    double off = gain - (work_sum(&solver->ledger.work) - solver->ledger.phase_start);
    solver->ledger.work.joint += fabs(off) < share * seen ? off : 0.0;
}

void tni_work_end_phase(tni_solver *solver, bool is_first_half) {
    tni_joint_blocks_sync(solver);
    work_measure_joints(solver, is_first_half);
    work_shift_motors(solver, is_first_half);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->end_phase(solver, is_first_half);
    }
    work_measure_breaking(solver);
    work_measure_contacts(solver, is_first_half);
    if (solver->ledger.has_leads) {
        work_take_back_contacts(solver, is_first_half);
    }
    tni_touches_measure_loose(solver);
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->measure_reduced(solver);
    }
    work_measure_bodies(solver);
    if (solver->joints.count > 0 && solver->movers.reduced_count == 0) {
        work_measure_rounding(solver);
    }
}
