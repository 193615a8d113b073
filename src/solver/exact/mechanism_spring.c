// solver/exact/mechanism_spring.c: springs given by a frequency or an acceleration, as rows of a
// mechanism.
//
// Their stiffness is k = m w^2 and their damping c = 2 m zeta w, with w = 2 pi hertz and m the mass
// of the row while the equality rows of the same joint hold: between its two bodies alone, so that
// these swing at `hertz` where nothing else holds them; of an acceleration, k and c are m times
// what is given. With E the equality rows,
//     1/m = J W J^T - b^T K^-1 b,   b = J_E W J^T,   K = J_E W J_E^T.
// m is that of the poses where the stage begins.
// Source: E. Catto, "Soft constraints", Game Developers Conference, 2011 (k and c from frequency
// and damping ratio). Test: tests/world/mechanisms/test_mechanism_springs.c
#include "solver/exact/mechanism.h"

// A row whose response falls under this share of its own is held by the joint's others.
#define SPRING_HELD 1e-9
#define SPRING_TURN 6.283185307179586

// Finds W J^T at one end of a row.
static void spring_weigh(const tni_mechanism *mechanism, uint32_t index, const double *j,
                         double out[6]) {
    const tni_mechanism_body *body = &mechanism->bodies[index];
    for (uint32_t c = 0; c < 6; ++c) {
        out[c] = 0.0;
    }
    if (index >= mechanism->moving_count) {
        return;
    }
    tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, body->middle.rotation);
    tni_dvec3 turn = dmat3_mul_vec(&inverse, dvec3_make(j[3], j[4], j[5]));
    const double parts[6] = {body->inv_mass * j[0],
                             body->inv_mass * j[1],
                             body->inv_mass * j[2],
                             turn.x,
                             turn.y,
                             turn.z};
    for (uint32_t c = 0; c < 6; ++c) {
        out[c] = tni_mechanism_is_locked(body, c) ? 0.0 : parts[c];
    }
}

// Returns row q of the joint times the weighted row.
static double spring_pair(const tni_mechanism_joint *joint, uint32_t q, const double weighted[12]) {
    double sum = 0.0;
    for (uint32_t c = 0; c < 12; ++c) {
        sum += joint->rows[q].jacobian[c] * weighted[c];
    }
    return sum;
}

// Returns the response of a spring's row with the equalities held. Row by row each equality takes
// its part from those after it: the last is the spring's.
static double spring_get_response(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                                  uint32_t row) {
    double k[TNI_JOINT_MAX_EQUALITY_ROWS + 1][TNI_JOINT_MAX_EQUALITY_ROWS + 1];
    uint32_t n = joint->equality_count;
    for (uint32_t i = 0; i <= n; ++i) {
        const double *j = joint->rows[i < n ? i : row].jacobian;
        double weighted[12];
        spring_weigh(mechanism, joint->a, j, weighted);
        spring_weigh(mechanism, joint->b, j + 6, weighted + 6);
        for (uint32_t q = 0; q <= n; ++q) {
            k[i][q] = spring_pair(joint, q < n ? q : row, weighted);
        }
    }
    double own = k[n][n];
    for (uint32_t i = 0; i < n; ++i) {
        double inverse = k[i][i] > 0.0 ? 1.0 / k[i][i] : 0.0;
        for (uint32_t p = i + 1; p <= n; ++p) {
            double share = k[p][i] * inverse;
            for (uint32_t q = i; q <= n; ++q) {
                k[p][q] -= share * k[i][q];
            }
        }
    }
    return k[n][n] > SPRING_HELD * own ? k[n][n] : 0.0;
}

void tni_springs_start(const tni_mechanism *mechanism, tni_mechanism_joint *joint) {
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        if (!tni_springs_go_by_mass(actor)) {
            continue;
        }
        double response = spring_get_response(mechanism, joint, r);
        double mass = response > 0.0 ? 1.0 / response : 0.0;
        if (actor->form == TNI_ROW_FREQUENCY) {
            double omega = SPRING_TURN * actor->given[0];
            actor->stiffness = mass * omega * omega;
            actor->damping = 2.0 * mass * actor->given[1] * omega;
        } else {
            actor->stiffness = mass * actor->given[0];
            actor->damping = mass * actor->given[1];
        }
    }
}
