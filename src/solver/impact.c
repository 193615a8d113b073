// solver/impact.c: impacts that bounce, exact in time for a point that falls freely.
//
// A contact with restitution e whose point would close its separation s within the substep meets
// after t with  s + v t + a t²/2 = 0,  v the relative normal velocity at the start, a the relative
// normal acceleration. (After the first kick the states hold v + a h/2.) It hits at u = v + a t < 0
// and leaves at -e u. Adding to the velocity now the change it suffers then, -(1 + e) u, and taking
// back what that change would move the bodies before t,
//     v += W J^T x        with  J v = (v + a h/2) - (1 + e) u         q -= t W J^T x
// gives after the drift and the second kick exactly the position and velocity of the true path
// (expand both in t and h: they agree term by term). The points of one manifold are solved
// together; manifolds one after another, over and over, so that a blow travels through a row of
// touching balls as it does in a cradle: one pair at a time. Friction acts on the impact's impulse
// by the same cone. Slower impacts than the threshold are left to the contact rows. Sources: E.
// Guendelman, R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with stacking", SIGGRAPH 2003
// (collisions before contacts, in sequence); the timing is a direct expansion, above.
#include "solver/contact_rows.h"

// Passes over the bouncing contacts in one substep; a blow travels one contact per pass or more.
#define IMPACT_MAX_PASSES 32
// Sweeps over the points of one manifold.
#define IMPACT_SWEEPS 8

// The first time in [0, h] at which s + v t + a t²/2 falls to 0, by two Newton steps from the
// straight line's; 0 when it is closed already.
static float impact_time(float s, float v, float a, float h) {
    if (s <= 0.0f) {
        return 0.0f;
    }
    float middle = v + 0.5f * a * h; // negative: the caller has checked that the gap closes
    float t = maths_clamp(s * maths_inverse_or_zero(-middle), 0.0f, h);
    for (int i = 0; i < 2; ++i) {
        float rate = v + a * t;
        if (!(rate < 0.0f)) {
            break;
        }
        t = maths_clamp(t - (s + v * t + 0.5f * a * t * t) / rate, 0.0f, h);
    }
    return t;
}

// Of the lanes that hit: J v to reach, and the impulse that does it.
typedef struct impact_points {
    float target[TNI_LANES], impulse[TNI_LANES];
    bool is_hit[TNI_LANES];
} impact_points;

// Marks the points of a manifold that hit within the substep. Returns the earliest time, or -1.
static float impact_find(const tni_solver *solver, const tni_contact_block *block,
                         float restitution, const float speeds[TNI_LANES], impact_points *points) {
    tni_dvec3 pull = dvec3_sub(solver->masses[block->body_b].acceleration,
                               solver->masses[block->body_a].acceleration);
    vec3s normal = maths_vec3(block->normal[0], block->normal[1], block->normal[2]);
    float acceleration = glms_vec3_dot(normal, dvec3_to_float(pull));
    float separations[TNI_LANES];
    f4_store(separations, contact_separations(solver, block));
    float first = -1.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        float s = separations[p], v_middle = speeds[p];
        if (!(v_middle < 0.0f) || s + solver->h * v_middle >= 0.0f) {
            continue;
        }
        float v = v_middle - 0.5f * acceleration * solver->h;
        float t = impact_time(s, v, acceleration, solver->h);
        float u = v + acceleration * t;
        if (!(u < -solver->restitution_threshold) || !(u < 0.0f)) {
            continue;
        }
        points->is_hit[p] = true;
        points->target[p] = v_middle - (1.0f + restitution) * u;
        first = first < 0.0f || t < first ? t : first;
    }
    return first;
}

// Sweeps over the points that hit, on their own matrix.
static void impact_solve_points(const tni_contact_block *block, float speeds[TNI_LANES],
                                impact_points *points) {
    for (int sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < block->point_count; ++p) {
            if (!points->is_hit[p]) {
                continue;
            }
            float missing = points->target[p] - speeds[p];
            float x = maths_max(points->impulse[p] + block->normal_mass[p] * missing, 0.0f);
            float change = x - points->impulse[p];
            points->impulse[p] = x;
            for (int q = 0; q < TNI_LANES; ++q) {
                speeds[q] += block->response[p][q] * change;
            }
        }
    }
}

static void impact_apply(tni_body_state *a, tni_body_state *b, contact_changes changes) {
    contact_set_velocity(a, contact_subtract(contact_get_velocity(a), changes.a));
    contact_set_velocity(b, contact_add(contact_get_velocity(b), changes.b));
}

// Friction of the blow, at the middle of the points.
static void impact_solve_friction(const tni_contact_block *block, tni_contact_sums *sums,
                                  float normal_impulse, tni_body_state *a, tni_body_state *b) {
    tni_f4 speeds = contact_tangent_rows(block, contact_get_velocity(a), contact_get_velocity(b));
    tni_f4 wanted = f4_sub(f4_zero(), contact_tangent_impulse(block, speeds));
    tni_f4 x = contact_clamp_cone(f4_set_lane(wanted, 2, 0.0f), block->friction * normal_impulse);
    impact_apply(a, b, contact_tangent_changes(block, a, b, x));
    for (uint32_t t = 0; t < 2; ++t) {
        sums->impact_tangent[t] += f4_lane(x, t);
        sums->phase_impact_tangent[t] += f4_lane(x, t);
    }
}

static void impact_shift(tni_solver *solver, uint32_t body, vec3s v_before, float t) {
    vec3s dv = glms_vec3_sub(solver->states[body].v, v_before);
    vec3s shift = glms_vec3_scale(dv, -t);
    solver->deltas[body].position = glms_vec3_add(solver->deltas[body].position, shift);
    solver->motions[body].position =
        dvec3_add(solver->motions[body].position, dvec3_from_float(shift));
}

static bool impact_solve_block(tni_solver *solver, uint32_t index) {
    const tni_contact_block *block = &solver->contact_blocks[index];
    tni_contact_record *record = &solver->contact_records[index];
    tni_body_state *a = &solver->states[block->body_a];
    tni_body_state *b = &solver->states[block->body_b];
    impact_points points = {0};
    float speeds[TNI_LANES];
    f4_store(speeds, contact_rows(block, contact_get_velocity(a), contact_get_velocity(b)));
    float t = impact_find(solver, block, record->restitution, speeds, &points);
    if (t < 0.0f) {
        return false;
    }
    vec3s v_a = a->v, v_b = b->v;
    impact_solve_points(block, speeds, &points);
    impact_apply(a, b, contact_normal_changes(block, a, b, f4_load(points.impulse)));
    float normal_impulse = 0.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        normal_impulse += points.impulse[p];
        record->sums.impact[p] += points.impulse[p];
        record->sums.phase_impact[p] += points.impulse[p];
    }
    impact_solve_friction(block, &record->sums, normal_impulse, a, b);
    impact_shift(solver, block->body_a, v_a, t);
    impact_shift(solver, block->body_b, v_b, t);
    return true;
}

void tni_impact_solve(tni_solver *solver) {
    for (int pass = 0; pass < IMPACT_MAX_PASSES; ++pass) {
        bool has_hit = false;
        for (uint32_t i = 0; i < solver->bouncing_count; ++i) {
            has_hit |= impact_solve_block(solver, solver->bouncing[i]);
        }
        if (!has_hit) {
            return;
        }
    }
}
