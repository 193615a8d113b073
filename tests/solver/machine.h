// tests/solver/machine.h: mechanisms built by hand, stepped by themselves, and what is read off
// them.
#ifndef TESTS_SOLVER_MACHINE_H
#define TESTS_SOLVER_MACHINE_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "solver/exact/mechanism_stage.h"
#include "tests/joints/joint_kinds.h"

#define MOST_BODIES 64
#define MOST_JOINTS 96

// A mechanism built by hand. Body 0 of the caller is the world.
typedef struct machine {
    tni_mechanism mechanism;
    tni_mechanism_body bodies[MOST_BODIES];
    tni_mechanism_joint joints[MOST_JOINTS];
    tni_joint records[MOST_JOINTS];
    tni_allocator allocator;
    tni_arena arena;
} machine;

static inline machine *machine_create(void) {
    machine *m = calloc(1, sizeof *m);
    m->mechanism.bodies = m->bodies;
    m->mechanism.joints = m->joints;
    tni_allocator_init(&m->allocator, NULL, NULL, NULL);
    tni_arena_init(&m->arena, &m->allocator);
    return m;
}

static inline uint32_t machine_add_body(machine *m, double mass, tni_dvec3 inertia,
                                        tni_dvec3 position) {
    uint32_t index = m->mechanism.moving_count++;
    tni_mechanism_body *body = &m->bodies[index];
    const tni_dmat3 matrix = {{{inertia.x, 0, 0}, {0, inertia.y, 0}, {0, 0, inertia.z}}};
    body->mass = mass;
    body->inv_mass = 1.0 / mass;
    body->inertia = tni_inertia_make(&matrix);
    body->motion.position = position;
    body->motion.rotation = dquat_identity();
    body->acceleration = dvec3_make(0.0, -9.81, 0.0);
    return index;
}

#define WORLD UINT32_MAX

// At a point of the world, frames along the axes of the world while all bodies stand upright.
static inline tni_joint *machine_add_joint(machine *m, tn_joint_type type, uint32_t a, uint32_t b,
                                           tni_dvec3 point, tni_dquat frame) {
    uint32_t index = m->mechanism.joint_count++;
    tni_joint *record = &m->records[index];
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    joint_set_type(record, type);
    tni_dpose frame_a = {dvec3_sub(point, a == WORLD ? zero : m->bodies[a].motion.position), frame};
    tni_dpose frame_b = {dvec3_sub(point, b == WORLD ? zero : m->bodies[b].motion.position), frame};
    tni_joint_set_frames(record, &frame_a, &frame_b);
    m->joints[index].joint = record;
    m->joints[index].a = a;
    m->joints[index].b = b;
    return record;
}

static inline void machine_finish(machine *m) {
    tni_mechanism *mechanism = &m->mechanism;
    uint32_t world = mechanism->moving_count;
    mechanism->body_count = world + 1;
    m->bodies[world].inertia = tni_inertia_infinite();
    m->bodies[world].motion.rotation = dquat_identity();
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        m->joints[i].a = m->joints[i].a == WORLD ? world : m->joints[i].a;
        m->joints[i].b = m->joints[i].b == WORLD ? world : m->joints[i].b;
    }
    cr_assert(tni_mechanism_make_rows(mechanism, &m->allocator));
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_find_actors(&m->joints[i]);
    }
    cr_assert(tni_mechanism_analyze(mechanism, &m->allocator, &m->arena));
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    mechanism->matrix.values = malloc(pattern->value_count * sizeof(double));
    mechanism->matrix.scratch = malloc((pattern->scratch_count + 1) * sizeof(double));
    mechanism->matrix.scales = malloc(pattern->unknown_count * sizeof(double));
    mechanism->matrix.unknowns = malloc(pattern->unknown_count * sizeof(double));
    mechanism->matrix.kept = malloc(tni_mechanism_secant_count(mechanism) * sizeof(double));
}

static inline void machine_destroy(machine *m) {
    free(m->mechanism.matrix.values);
    free(m->mechanism.matrix.scratch);
    free(m->mechanism.matrix.scales);
    free(m->mechanism.matrix.unknowns);
    free(m->mechanism.matrix.kept);
    tni_mechanism_forget(&m->mechanism, &m->allocator);
    tni_arena_destroy(&m->arena);
    cr_assert(m->allocator.bytes == 0);
    free(m);
}

static inline double machine_gap(const machine *m) {
    double worst = 0.0;
    for (uint32_t i = 0; i < m->mechanism.joint_count; ++i) {
        const tni_mechanism_joint *joint = &m->joints[i];
        tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
        tni_joint_emit_exact(joint->joint, &m->bodies[joint->a].motion, &m->bodies[joint->b].motion,
                             rows);
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            worst = fmax(worst, fabs(rows[r].error));
        }
    }
    return worst;
}

static inline double machine_energy(const machine *m) {
    double energy = 0.0;
    for (uint32_t i = 0; i < m->mechanism.moving_count; ++i) {
        const tni_mechanism_body *body = &m->bodies[i];
        tni_dvec3 v = body->motion.velocity;
        tni_dvec3 w = body->motion.angular_velocity;
        tni_dmat3 inertia = inertia_in_world(&body->inertia, body->motion.rotation);
        energy += 0.5 * body->mass * dvec3_dot(v, v) +
                  0.5 * dvec3_dot(w, dmat3_mul_vec(&inertia, w)) -
                  body->mass * dvec3_dot(body->acceleration, body->motion.position);
    }
    return energy;
}

static inline void machine_run(machine *m, double h, uint32_t steps) {
    for (uint32_t i = 0; i < steps; ++i) {
        tni_mechanism_step(&m->mechanism, h);
    }
}

static const tni_dquat upright = {0.0, 0.0, 0.0, 1.0};
// Frame x along the world's z: hinges of machines in the plane.
static inline tni_dquat across(void) {
    return dquat_make(0.0, -sqrt(0.5), 0.0, sqrt(0.5));
}

// ---- machines of several tests ----------------------------------------------------------------

// 20 links of 1 kg and half a metre from the origin along x, a ball at the end.
static inline machine *make_chain(double end_mass) {
    machine *m = machine_create();
    uint32_t before = WORLD;
    for (int i = 0; i < 20; ++i) {
        tni_dvec3 inertia = dvec3_make(0.005 / 12.0, 0.2525 / 12.0, 0.2525 / 12.0);
        uint32_t link = machine_add_body(m, 1.0, inertia, dvec3_make(0.25 + 0.5 * i, 0.0, 0.0));
        machine_add_joint(m, TN_JOINT_TYPE_BALL, before, link, dvec3_make(0.5 * i, 0.0, 0.0),
                          upright);
        before = link;
    }
    double moment = 0.4 * end_mass * 0.04;
    uint32_t ball = machine_add_body(m, end_mass, dvec3_make(moment, moment, moment),
                                     dvec3_make(10.2, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_BALL, before, ball, dvec3_make(10.0, 0.0, 0.0), upright);
    machine_finish(m);
    return m;
}

// Two rods of a metre, released lying.
static inline machine *make_double_pendulum(void) {
    machine *m = machine_create();
    uint32_t upper =
        machine_add_body(m, 1.0, dvec3_make(1e-3, 1.0 / 12, 1.0 / 12), dvec3_make(0.5, 0.0, 0.0));
    uint32_t lower =
        machine_add_body(m, 1.0, dvec3_make(1e-3, 1.0 / 12, 1.0 / 12), dvec3_make(1.5, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, upper, dvec3_make(0, 0, 0), across());
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, upper, lower, dvec3_make(1, 0, 0), across());
    machine_finish(m);
    return m;
}

// ---- one solve ---------------------------------------------------------------------------------

// The largest fault of M v - J^T x = r over all bodies and -J v - E x = s over all joints, as a
// share of the largest impulse: the legs close more loops than the crank has freedoms, and E alone
// bounds what fights. The right sides are 1, 2, 3 ... over 10.
static inline double get_fault_of_solution(machine *m) {
    tni_mechanism *mechanism = &m->mechanism;
    static double faults[MOST_BODIES][6];
    double worst = 0.0, size = 1.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &m->bodies[i];
        const double *v = body->change;
        for (uint32_t k = 0; k < 6; ++k) {
            faults[i][k] = -0.1 * (i + k);
            for (uint32_t c = 0; c < 3 && k >= 3; ++c) {
                faults[i][k] += body->block.inertia.m[k - 3][c] * v[3 + c];
            }
            faults[i][k] += k < 3 ? body->mass * v[k] : 0.0;
        }
    }
    for (uint32_t j = 0; j < mechanism->joint_count; ++j) {
        const tni_mechanism_joint *joint = &m->joints[j];
        const double *x = tni_mechanism_of_joint(mechanism, j);
        const uint32_t ends[2] = {joint->a, joint->b};
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            double fault = -0.1 * (j + r) - joint->softness[r] * x[r];
            size = fmax(size, fabs(x[r]));
            for (uint32_t k = 0; k < 12 && ends[k / 6] != WORLD; ++k) {
                double jacobian = joint->rows[r].jacobian[k];
                if (ends[k / 6] < mechanism->moving_count) {
                    fault -= jacobian * m->bodies[ends[k / 6]].change[k % 6];
                    faults[ends[k / 6]][k % 6] -= jacobian * x[r];
                }
            }
            worst = fmax(worst, fabs(fault));
        }
    }
    for (uint32_t i = 0; i < 6 * mechanism->moving_count; ++i) {
        worst = fmax(worst, fabs(faults[i / 6][i % 6]));
    }
    return worst / size;
}

// Of the right sides that get_fault_of_solution knows.
static inline void solve_numbered(machine *m) {
    for (uint32_t i = 0; i < m->mechanism.moving_count; ++i) {
        for (uint32_t k = 0; k < 6; ++k) {
            m->bodies[i].change[k] = 0.1 * (i + k);
        }
    }
    for (uint32_t j = 0; j < m->mechanism.joint_count; ++j) {
        for (uint32_t r = 0; r < m->joints[j].row_count; ++r) {
            tni_mechanism_of_joint(&m->mechanism, j)[r] = 0.1 * (j + r);
        }
    }
    tni_mechanism_solve(&m->mechanism, false);
}

#endif
