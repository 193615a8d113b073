// solver/joints/joint_threads.c: rods, ropes and springs between particles, eight at a time: how
// they begin, and what they report.
//
// A thread has rows along n from point to point, d = |d| n, one of a rod or a rope, and one of a
// spring. Each has an impulse X on b along n and on a against it, so that it pulls where it is
// negative, with one rule for all of them (u is the speed of the points against each other):
//     X' = keep X - mass (n . u + bias),    1 / m = 1/m_a + 1/m_b
// solver/joints/joint_bounded.c says what keep, mass and bias are; a rod takes its error back as a
// pin does. A rope is the limit of a length alone, so the row of its joint is along -n, and X <= 0
// here stands for an impulse >= 0 there. Only the bias of springs changes with the pose.
//
// Bodies do not turn, so a sweep reads their velocities alone, and rows that are on one line share
// n . u. The speed of points beside the centre of a body that only other joints turn (a bar, the
// world) stands in the bias: it does not change in a substep. Ropes far from their end are swept
// with the others. For nets and ropes of many particles. Test:
// tests/solver/joints/test_joint_threads.c
#include "solver/joints/joint_threads.h"

#include <string.h>

#include "solver/rows/drive.h"

static bool threads_hold_still(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    bool is_particle = mass->is_dynamic && !(mass->inertia->inverse > 0.0) && mass->locks == 0;
    return body != 0 && (!mass->is_dynamic || is_particle);
}

tni_thread_kind tni_joint_threads_get_kind(const tni_solver *solver, const tni_joint_block *block) {
    tni_joint_line line;
    // A rope whose spring ends beyond it needs the hard end of solver/joints/joint_foresee.c.
    bool may_stand = tni_joint_get_line(block->joint, &line) && !block->may_break &&
                     !block->joint->drives_limits && threads_hold_still(solver, block->body_a) &&
                     threads_hold_still(solver, block->body_b);
    int kind = (line.is_rod ? TNI_THREAD_ROD : 0) | (line.is_rope ? TNI_THREAD_ROPE : 0) |
               (line.is_spring ? TNI_THREAD_SPRING : 0);
    return (tni_thread_kind)(may_stand ? kind : 0);
}

// ---- into lanes -------------------------------------------------------------------------------

static float threads_get_inverse_mass(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    return mass->is_dynamic ? (float)mass->inv_mass : 0.0f;
}

void tni_joint_threads_init(const tni_solver *solver, tni_joint_threads *threads,
                            const tni_joint_group *group, tni_thread_kind kind) {
    memset(threads, 0, sizeof *threads);
    threads->group = group;
    threads->kind = (uint8_t)kind;
    threads->moving_a = group->moving_a;
    threads->moving_b = group->moving_b;
    memcpy(threads->body_a, group->body_a, sizeof threads->body_a);
    memcpy(threads->body_b, group->body_b, sizeof threads->body_b);
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        threads->inv_mass_a[lane] = threads_get_inverse_mass(solver, group->body_a[lane]);
        threads->inv_mass_b[lane] = threads_get_inverse_mass(solver, group->body_b[lane]);
    }
}

static void threads_start_line(const tni_joint_block *block, const tni_joint_line *line,
                               tni_joint_threads *threads, float mass, float impulse) {
    tni_thread_row *row = &threads->line;
    uint32_t lane = block->lane;
    threads->length[lane] = line->is_rope ? line->upper : line->length;
    row->impulse[lane] = line->is_rope ? 0.0f - impulse : impulse;
    row->more[lane] = 0.0f;
    row->keep[lane] = 1.0f - block->softness.impulse_scale;
    row->mass[0][lane] = mass;
    row->mass[1][lane] = block->softness.mass_scale * mass;
}

// Starts a spring, whose bias is that of one metre times how far it is stretched.
static void threads_start_spring(const tni_solver *solver, const tni_joint_block *block,
                                 const tni_joint_line *line, tni_joint_threads *threads,
                                 float response, float impulse) {
    tni_thread_row *spring = &threads->spring;
    uint32_t lane = block->lane;
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_drive drive[2];
    tni_joint_emit(block->joint, &solver->bodies.motions[block->body_a],
                   &solver->bodies.motions[block->body_b], rows);
    rows[0].error = 1.0f;
    float share = tni_drive_make_spring(&rows[0], response, response, solver->h, 0.5f, drive);
    threads->rest[lane] = line->rest;
    threads->gain[lane] = drive[1].bias;
    spring->impulse[lane] = impulse;
    spring->keep[lane] = drive[1].keep;
    spring->mass[1][lane] = drive[1].mass;
    spring->more[lane] = (1.0f - share) * maths_inverse_or_zero(share);
    solver->joints.row_states[block->first_row].share = share; // for the ledger
}

static bool threads_has_arm(const tni_joint *joint) {
    tni_dvec3 a = joint->frame_a.position, b = joint->frame_b.position;
    return dvec3_dot(a, a) > 0.0 || dvec3_dot(b, b) > 0.0;
}

void tni_joint_threads_start(const tni_solver *solver, const tni_joint_block *block,
                             const float *impulses) {
    tni_joint_threads *threads = joint_group_rest(solver, block)->threads;
    float response = threads->inv_mass_a[block->lane] + threads->inv_mass_b[block->lane];
    tni_joint_line line;
    tni_joint_get_line(block->joint, &line);
    threads->has_arms = threads->has_arms || threads_has_arm(block->joint);
    if ((threads->kind & TNI_THREAD_SPRING) != 0) {
        threads_start_spring(solver, block, &line, threads, response, *impulses++);
    }
    if (threads->kind != TNI_THREAD_SPRING) {
        threads_start_line(block, &line, threads, maths_inverse_or_zero(response), *impulses);
    }
}

// ---- out of lanes -----------------------------------------------------------------------------

void tni_joint_threads_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                                    float out_impulses[TNI_JOINT_MAX_ROWS]) {
    const tni_joint_threads *threads = joint_group_rest(solver, block)->threads;
    float line = threads->line.impulse[block->lane];
    if ((threads->kind & TNI_THREAD_SPRING) != 0) {
        *out_impulses++ = threads->spring.impulse[block->lane];
    }
    if (threads->kind != TNI_THREAD_SPRING) {
        *out_impulses = (threads->kind & TNI_THREAD_ROPE) != 0 ? 0.0f - line : line;
    }
}

void tni_joint_threads_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                  float out_errors[TNI_JOINT_MAX_ROWS]) {
    const tni_joint_group_rest *rest = joint_group_rest(solver, block);
    float error = rest->error.n[0][block->lane];
    if ((rest->threads->kind & TNI_THREAD_SPRING) != 0) {
        *out_errors++ = 0.0f;
    }
    if (rest->threads->kind != TNI_THREAD_SPRING) {
        *out_errors = (rest->threads->kind & TNI_THREAD_ROPE) != 0 ? 0.0f - error : error;
    }
}
