// solver/impact.c: impacts that bounce, exact in time for a point that falls freely.
//
// A contact with restitution e whose point would close its separation s within the substep meets after
// t with  s + v t + a t²/2 = 0,  v the relative normal velocity at the start, a the relative normal
// acceleration. (After the first kick the states hold v + a h/2.) It hits at u = v + a t < 0 and leaves
// at -e u. Adding to the velocity now the change it suffers then, -(1 + e) u, and taking back what that
// change would move the bodies before t,
//     v += W J^T x        with  J v = (v + a h/2) - (1 + e) u         q -= t W J^T x
// gives after the drift and the second kick exactly the position and velocity of the true path
// (expand both in t and h: they agree term by term). The points of one manifold are solved together;
// manifolds one after another, over and over, so that a blow travels through a row of touching balls
// as it does in a cradle: one pair at a time.
// Friction acts on the impact's impulse by the same cone. Slower impacts than the threshold are
// left to the contact rows.
// Sources: E. Guendelman, R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with stacking", SIGGRAPH 2003
// (collisions before contacts, in sequence); the timing is a direct expansion, above.
#include "solver/solver.h"

// Passes over the bouncing contacts in one substep; a blow travels one contact per pass or more.
#define IMPACT_MAX_PASSES 32
// Sweeps over the points of one manifold.
#define IMPACT_SWEEPS 8

static inline vec3s impact_scale_axes(vec3s a, vec3s b) {
    return maths_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static vec3s impact_relative_velocity(const tni_body_state *a, const tni_body_state *b, vec3s r_a,
                                      vec3s r_b) {
    vec3s at_a = glms_vec3_add(a->v, glms_vec3_cross(a->w, r_a));
    vec3s at_b = glms_vec3_add(b->v, glms_vec3_cross(b->w, r_b));
    return glms_vec3_sub(at_b, at_a);
}

static void impact_apply(tni_body_state *a, tni_body_state *b, vec3s r_a, vec3s r_b, vec3s x) {
    a->v = glms_vec3_sub(a->v, impact_scale_axes(a->inv_mass, x));
    a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, glms_vec3_cross(r_a, x)));
    b->v = glms_vec3_add(b->v, impact_scale_axes(b->inv_mass, x));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, glms_vec3_cross(r_b, x)));
}

// The first time in [0, h] at which s + v t + a t²/2 falls to 0, by two Newton steps from the straight
// line's; 0 when it is closed already.
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

typedef struct impact_point {
    float target;  // J v to reach
    float impulse; // x
    bool is_hit;
} impact_point;

// Marks the points of a manifold that hit within the substep. Returns the earliest time, or -1.
static float impact_find(const tni_solver *solver, const tni_contact_block *block,
                         impact_point *points) {
    const tni_body_state *a = &solver->states[block->body_a];
    const tni_body_state *b = &solver->states[block->body_b];
    tni_dvec3 pull = dvec3_sub(solver->masses[block->body_b].acceleration,
                               solver->masses[block->body_a].acceleration);
    float acceleration = glms_vec3_dot(block->normal, dvec3_to_float(pull));
    float first = -1.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        const tni_contact_point_state *point = &block->points[p];
        float s = tni_contact_separation(solver, block, point);
        float v_middle = glms_vec3_dot(
            block->normal, impact_relative_velocity(a, b, point->r_a, point->r_b));
        points[p] = (impact_point){0.0f, 0.0f, false};
        if (!(v_middle < 0.0f) || s + solver->h * v_middle >= 0.0f) {
            continue;
        }
        float v = v_middle - 0.5f * acceleration * solver->h;
        float t = impact_time(s, v, acceleration, solver->h);
        float u = v + acceleration * t;
        if (!(u < -solver->restitution_threshold) || !(u < 0.0f)) {
            continue;
        }
        points[p].is_hit = true;
        points[p].target = v_middle - (1.0f + block->restitution) * u;
        first = first < 0.0f || t < first ? t : first;
    }
    return first;
}

static void impact_solve_points(const tni_contact_block *block, impact_point *points,
                                tni_body_state *a, tni_body_state *b) {
    for (int sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < block->point_count; ++p) {
            const tni_contact_point_state *point = &block->points[p];
            if (!points[p].is_hit) {
                continue;
            }
            float speed = glms_vec3_dot(
                block->normal, impact_relative_velocity(a, b, point->r_a, point->r_b));
            float x = maths_max(
                points[p].impulse + point->normal_mass * (points[p].target - speed), 0.0f);
            impact_apply(a, b, point->r_a, point->r_b,
                         glms_vec3_scale(block->normal, x - points[p].impulse));
            points[p].impulse = x;
        }
    }
}

// Friction of the blow, at the middle of the points.
static void impact_solve_friction(tni_contact_block *block, float normal_impulse,
                                  tni_body_state *a, tni_body_state *b) {
    vec3s v = impact_relative_velocity(a, b, block->r_a, block->r_b);
    float v1 = glms_vec3_dot(block->tangent[0], v), v2 = glms_vec3_dot(block->tangent[1], v);
    const float *m = block->tangent_mass;
    float x1 = -(m[0] * v1 + m[1] * v2), x2 = -(m[1] * v1 + m[2] * v2);
    float cap = block->friction * normal_impulse;
    float square = x1 * x1 + x2 * x2;
    if (square > cap * cap) {
        float scale = cap / sqrtf(square);
        x1 *= scale;
        x2 *= scale;
    }
    vec3s x = maths_vec3_add_scaled(glms_vec3_scale(block->tangent[0], x1), x2, block->tangent[1]);
    impact_apply(a, b, block->r_a, block->r_b, x);
    block->step_tangent_impulse[0] += x1;
    block->step_tangent_impulse[1] += x2;
    block->tangent_phase_impact[0] += x1;
    block->tangent_phase_impact[1] += x2;
}

static void impact_shift(tni_solver *solver, uint32_t body, vec3s v_before, float t) {
    vec3s dv = glms_vec3_sub(solver->states[body].v, v_before);
    vec3s shift = glms_vec3_scale(dv, -t);
    solver->deltas[body].position = glms_vec3_add(solver->deltas[body].position, shift);
    solver->motions[body].position =
        dvec3_add(solver->motions[body].position, dvec3_from_float(shift));
}

static bool impact_solve_block(tni_solver *solver, tni_contact_block *block) {
    impact_point points[TN_CONTACT_MAX_POINTS];
    float t = impact_find(solver, block, points);
    if (t < 0.0f) {
        return false;
    }
    tni_body_state *a = &solver->states[block->body_a];
    tni_body_state *b = &solver->states[block->body_b];
    vec3s v_a = a->v, v_b = b->v;
    impact_solve_points(block, points, a, b);
    float normal_impulse = 0.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        normal_impulse += points[p].impulse;
        block->points[p].step_impulse += points[p].impulse;
        block->points[p].phase_impact += points[p].impulse;
        block->points[p].largest_impulse =
            maths_max(block->points[p].largest_impulse, points[p].impulse);
    }
    impact_solve_friction(block, normal_impulse, a, b);
    impact_shift(solver, block->body_a, v_a, t);
    impact_shift(solver, block->body_b, v_b, t);
    return true;
}

void tni_impact_solve(tni_solver *solver) {
    for (int pass = 0; pass < IMPACT_MAX_PASSES; ++pass) {
        bool has_hit = false;
        for (uint32_t i = 0; i < solver->bouncing_count; ++i) {
            has_hit |= impact_solve_block(solver, &solver->contacts[solver->bouncing[i]]);
        }
        if (!has_hit) {
            return;
        }
    }
}
