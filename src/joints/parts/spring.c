// joints/parts/spring.c: a spring with a damper on a joint's value.
//
// Symbols: x the value, J its Jacobian, J v its speed, f the force along x.
//
// STIFFNESS:  f = -stiffness (x - rest) - damping J v
// FREQUENCY:  the same with k = m w^2, c = 2 m zeta w, w = 2 pi hertz, zeta = damping_ratio, and m
//             the effective mass of the row while the joint's equality rows hold, which the solver
//             knows. Two bodies that are otherwise free swing at `hertz`, whatever their masses.
// The solver takes both implicitly (the force is that at the end of the substep).
// Source: E. Catto, "Soft constraints", Game Developers Conference, 2011 (k and c from frequency
// and damping ratio, implicit Euler).
// Test: tests/joints/test_rows_bounded.c
#include "joints/parts/spring.h"

#include "joints/parts/limit.h"

static void spring_fill(const tn_spring *spring, tni_row *row) {
    bool is_frequency = spring->mode == TN_SPRING_MODE_FREQUENCY;
    row->kind = (uint8_t)(is_frequency ? TNI_ROW_FREQUENCY : TNI_ROW_SPRING);
    row->role = TNI_ROLE_SPRING;
    row->stiffness = is_frequency ? spring->hertz : spring->stiffness;
    row->damping = is_frequency ? spring->damping_ratio : spring->damping;
    row->max_force = INFINITY;
}

uint32_t tni_spring_emit(const tni_scalar *scalar, const tn_spring *spring, const tn_limit *limit,
                         tni_row *rows) {
    if (spring->mode == TN_SPRING_MODE_OFF) {
        return 0;
    }
    double error = tni_limit_get_difference(scalar, limit, (double)spring->rest);
    tni_scalar_emit_row(scalar, &rows[0], TNI_ROW_SPRING, TNI_ROLE_SPRING, error);
    spring_fill(spring, &rows[0]);
    return 1;
}

void tni_spring_soften(const tn_spring *spring, tni_row *rows) {
    for (int i = 0; i < 3; ++i) {
        spring_fill(spring, &rows[i]);
        rows[i].velocity_term = 0.0f;
        rows[i].group = i == 0 ? 3 : 0;
    }
}

void tni_point_emit_soft(const tni_point *point, const tn_spring *spring, tni_row *rows) {
    tni_exact_row exact[TNI_PIN_POINT_ROWS];
    tni_rows out = {.exact = exact};
    tni_rows_add_point(&out, point);
    tni_rows_round(&out, rows);
    tni_spring_soften(spring, rows);
}
