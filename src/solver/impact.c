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
    float acceleration = glms_vec3_dot(block->normal, dvec3_to_float(pull));
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

// Friction of the blow, at the middle of the points.
static void impact_solve_friction(const tni_contact_block *block, tni_contact_record *record,
                                  float normal_impulse, tni_body_state *a, tni_body_state *b) {
    vec3s v = contact_middle_velocity(block, a, b);
    float v1 = glms_vec3_dot(block->tangent[0], v), v2 = glms_vec3_dot(block->tangent[1], v);
    const float *m = block->tangent_mass;
    float x1 = -(m[0] * v1 + m[1] * v2), x2 = -(m[1] * v1 + m[2] * v2);
    contact_clamp_cone(&x1, &x2, block->friction * normal_impulse);
    vec3s x = maths_vec3_add_scaled(glms_vec3_scale(block->tangent[0], x1), x2, block->tangent[1]);
    contact_apply_middle(block, a, b, x, maths_vec3_zero());
    record->step_tangent_impulse[0] += x1;
    record->step_tangent_impulse[1] += x2;
    record->tangent_phase_impact[0] += x1;
    record->tangent_phase_impact[1] += x2;
}

static void impact_shift(tni_solver *solver, uint32_t body, vec3s v_before, float t) {
    vec3s dv = glms_vec3_sub(solver->states[body].v, v_before);
    vec3s shift = glms_vec3_scale(dv, -t);
    solver->deltas[body].position = glms_vec3_add(solver->deltas[body].position, shift);
    solver->motions[body].position =
        dvec3_add(solver->motions[body].position, dvec3_from_float(shift));
}

static bool impact_solve_block(tni_solver *solver, uint32_t index) {
    const tni_contact_block *block = &solver->contacts[index];
    tni_contact_record *record = &solver->contact_records[index];
    tni_body_state *a = &solver->states[block->body_a];
    tni_body_state *b = &solver->states[block->body_b];
    impact_points points = {0};
    float speeds[TNI_LANES];
    f4_store(speeds, contact_rows(block, a->v, a->w, b->v, b->w));
    float t = impact_find(solver, block, record->restitution, speeds, &points);
    if (t < 0.0f) {
        return false;
    }
    vec3s v_a = a->v, v_b = b->v;
    impact_solve_points(block, speeds, &points);
    contact_apply(block, a, b, f4_load(points.impulse));
    float normal_impulse = 0.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        normal_impulse += points.impulse[p];
        record->step_impulse[p] += points.impulse[p];
        record->phase_impact[p] += points.impulse[p];
    }
    impact_solve_friction(block, record, normal_impulse, a, b);
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
