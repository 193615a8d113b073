// solver/rows/drive.c: what a bounded row asks of its impulse in a substep.
//
//     LIMIT   C >= 0 with x >= 0: J v >= -C/h while it is open, soft bias when it is passed
//     SPEED   J v = target with |x| <= max_force h, half of that in solve A
//     SPRING  one theta step. Solve A applies x = -theta h [k (C + theta h J v) + c (J v -
//             target)], implicit in J v; the second kick applies (1 - theta)/theta x. theta = 1/2
//             is the implicit midpoint rule: second order, no loss of energy. For springs too stiff
//             for the substep theta rises to 1, implicit Euler, which damps what it cannot resolve.
//     SOFT    a limit: the same with x >= 0, without damping where it begins open. A substep that
//             is open for the first share r of its way takes as much from the motion as the spring
//             has in the end, k ((1 - r) way)^2 / 2, if theta = (1 + r^2) / 2: no energy comes of
//             it.
// If C changes by itself at a rate, the speed is J v + rate, and a spring takes the C of the
// middle of the substep. All of it is known at the refresh, so that each sweep has one rule for
// every row: see tni_row_drive.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (rows, J W J^T).
// Test: tests/solver/joints/test_joint_bounded.c, tests/joints/test_joint_physics.c,
// tests/world/movers/test_reduced_joints.c
#include "solver/rows/drive.h"

// Springs with h^2 k/m + h c/m up to the first figure use the midpoint rule, from the second on
// Euler.
#define DRIVE_SPRING_MIDPOINT 0.5f
#define DRIVE_SPRING_EULER    2.0f
// The greatest h^2 k/m and h c/m of a spring.
#define DRIVE_SPRING_STIFFEST 1e6f

static void drive_make_limit(const tni_drive_setting *s, const tni_row *row,
                             tni_row_drive drive[2]) {
    for (int phase = 0; phase < 2; ++phase) {
        drive[phase] = (tni_row_drive){.keep = 1.0f, .bias = s->rate, .upper = INFINITY};
    }
    drive[0].mass = maths_inverse_or_zero(s->k);
    drive[1].mass = maths_inverse_or_zero(s->soft_k);
    drive[1].bias +=
        tni_drive_get_approach(s->solver, s->softness, s->max_speed, row->error) + s->drift;
    if (row->error > 0.0f) {
        drive[0].bias += row->error * s->solver->inv_h;
    } else {
        drive[1].keep = 1.0f - s->softness.impulse_scale;
        drive[1].mass *= s->softness.mass_scale;
    }
}

static void drive_make_speed(const tni_drive_setting *s, const tni_row *row,
                             tni_row_drive drive[2]) {
    float cap = row->max_force * s->solver->h, bias = -(row->target_speed - s->rate);
    drive[0] = (tni_row_drive){1.0f, maths_inverse_or_zero(s->k), bias, -cap, cap};
    drive[1] =
        (tni_row_drive){1.0f, maths_inverse_or_zero(s->soft_k), bias, -0.5f * cap, 0.5f * cap};
}

// Stiffness and damping of a spring on a row, N/m and N·s/m. One stiffer than a float can
// distinguish from a rigid row is taken as that stiff.
typedef struct drive_spring {
    float stiffness, damping;
} drive_spring;

static drive_spring drive_get_spring(const tni_row *row, float mass, float h) {
    float stiffest = DRIVE_SPRING_STIFFEST * mass * maths_inverse_or_zero(h * h);
    drive_spring spring = {row->stiffness, row->damping};
    if (row->kind == TNI_ROW_FREQUENCY) {
        float omega = 2.0f * (float)MATHS_PI * row->stiffness;
        spring.stiffness = mass * omega * omega;
        spring.damping = 2.0f * mass * row->damping * omega;
    } else if (row->kind == TNI_ROW_ACCELERATION) {
        spring.stiffness *= mass;
        spring.damping *= mass;
    } else if (row->kind == TNI_ROW_SOFT_LIMIT && row->error > 0.0f) {
        spring.damping = 0.0f;
    }
    spring.stiffness = maths_min(spring.stiffness, stiffest);
    spring.damping = maths_min(spring.damping, stiffest * h);
    return spring;
}

// Nothing is left of a spring that the joint holds already (k zero).
float tni_drive_make_spring(const tni_row *row, float k, float soft_k, float h, float least_share,
                            tni_row_drive drive[2]) {
    drive_spring spring = drive_get_spring(row, maths_inverse_or_zero(k), h);
    float stiffness = spring.stiffness, damping = spring.damping;
    float speed = h * (h * stiffness + damping) * k;
    float rise = (speed - DRIVE_SPRING_MIDPOINT) / (DRIVE_SPRING_EULER - DRIVE_SPRING_MIDPOINT);
    float theta = maths_max(0.5f + 0.5f * maths_clamp(rise, 0.0f, 1.0f), least_share);
    float part = theta * h;
    float gamma = maths_inverse_or_zero(part * (part * stiffness + damping)); // 1/kg
    float soft_mass = gamma > 0.0f ? 1.0f / (soft_k + gamma) : 0.0f;
    float cap = row->max_force * theta * h;
    drive[1].keep = 1.0f - soft_mass * gamma;
    drive[1].mass = soft_mass;
    drive[1].bias = part * (stiffness * row->error - damping * row->target_speed) * gamma;
    drive[1].lower = -cap;
    drive[1].upper = cap;
    return theta;
}

// Returns the share of its way to come that a soft limit is open for.
static float drive_get_open_share(const tni_solver *solver, const tni_row *row, float speed) {
    if (!(row->error > 0.0f) || !(speed < 0.0f)) {
        return row->error > 0.0f ? 1.0f : 0.0f;
    }
    return maths_min(row->error / (-speed * solver->h), 1.0f);
}

static float drive_make_soft(const tni_drive_setting *s, const tni_row *row,
                             tni_row_drive drive[2]) {
    tni_row moved = *row;
    moved.error += 0.5f * s->solver->h * s->rate;
    moved.target_speed -= s->rate;
    if (row->kind != TNI_ROW_SOFT_LIMIT) {
        return tni_drive_make_spring(&moved, s->k, s->soft_k, s->solver->h, 0.5f, drive);
    }
    float open = drive_get_open_share(s->solver, row, s->speed + s->rate);
    float theta = tni_drive_make_spring(&moved, s->k, s->soft_k, s->solver->h,
                                        0.5f * (1.0f + open * open), drive);
    drive[1].lower = 0.0f;
    return theta;
}

float tni_drive_make(const tni_drive_setting *setting, const tni_row *row, tni_row_drive drive[2]) {
    if (tni_row_is_spring(row)) {
        return drive_make_soft(setting, row, drive);
    }
    if (row->kind == TNI_ROW_LIMIT) {
        drive_make_limit(setting, row, drive);
    } else {
        drive_make_speed(setting, row, drive);
    }
    return 0.0f;
}

void tni_drive_cap(const tni_solver *solver, const tni_row *row, float cap, float theta,
                   tni_row_drive drive[2]) {
    for (int phase = 0; phase < 2; ++phase) {
        float share = tni_row_is_spring(row) ? theta : phase == 0 ? 1.0f : 0.5f;
        float whole = row->max_force * solver->h * share, part = share * cap;
        drive[phase].upper = part > 0.0f ? maths_min(part, whole) : whole;
        drive[phase].lower = part < 0.0f ? maths_max(part, -whole) : -whole;
    }
}
