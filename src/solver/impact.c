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
#include "solver/span_contact.h"

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

float tni_impact_find_time(const tni_solver *solver, float gap, float v_middle, float acceleration,
                           float *out_speed) {
    if (!(v_middle < 0.0f) || gap + solver->h * v_middle >= 0.0f) {
        return -1.0f;
    }
    float v = v_middle - 0.5f * acceleration * solver->h;
    float t = impact_time(gap, v, acceleration, solver->h);
    *out_speed = v + acceleration * t;
    bool bounces = *out_speed < -solver->restitution_threshold && *out_speed < 0.0f;
    return bounces ? t : -1.0f;
}

// A manifold under way.
typedef struct impact_work {
    tni_contact_record *record;
    tni_contact_view view;
    tni_body_state *a, *b;
    bool moves_a, moves_b;
    // Of the points that hit: J v to reach, and the impulse that does it.
    float target[TNI_LANES], impulse[TNI_LANES];
    bool is_hit[TNI_LANES];
} impact_work;

// The speed, or the way, of b's point against a's at the arms r from a and r + offset from b.
static vec3s impact_get_relative(vec3s r, vec3s offset, vec3s v_a, vec3s w_a, vec3s v_b,
                                 vec3s w_b) {
    vec3s at_b = glms_vec3_add(v_b, glms_vec3_cross(w_b, glms_vec3_add(r, offset)));
    return glms_vec3_sub(at_b, glms_vec3_add(v_a, glms_vec3_cross(w_a, r)));
}

static vec3s impact_get_arm(const tni_contact_record *record, uint32_t p) {
    return maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
}

static float impact_get_speed(const impact_work *work, uint32_t p) {
    const tni_body_state *a = work->a, *b = work->b;
    vec3s arm = impact_get_arm(work->record, p);
    return glms_vec3_dot(work->record->normal,
                         impact_get_relative(arm, work->record->offset, a->v, a->w, b->v, b->w));
}

static float impact_get_gap(const tni_solver *solver, const impact_work *work, uint32_t p) {
    const tni_contact_record *record = work->record;
    const tni_body_delta *a = &solver->deltas[record->body_a], *b = &solver->deltas[record->body_b];
    vec3s way = impact_get_relative(impact_get_arm(record, p), record->offset, a->position,
                                    a->rotation, b->position, b->rotation);
    return record->separation[p] + glms_vec3_dot(record->normal, way);
}

// Marks the points of a manifold that hit within the substep. Returns the earliest time, or -1.
static float impact_find(const tni_solver *solver, impact_work *work,
                         const float speeds[TNI_LANES]) {
    const tni_contact_record *record = work->record;
    tni_dvec3 pull = dvec3_sub(solver->masses[record->body_b].acceleration,
                               solver->masses[record->body_a].acceleration);
    float acceleration = glms_vec3_dot(record->normal, dvec3_to_float(pull));
    float first = -1.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        float s = impact_get_gap(solver, work, p), v_middle = speeds[p], u = 0.0f;
        float t = tni_impact_find_time(solver, s, v_middle, acceleration, &u);
        if (t < 0.0f) {
            continue;
        }
        work->is_hit[p] = true;
        work->target[p] = v_middle - (1.0f + record->restitution) * u;
        first = first < 0.0f || t < first ? t : first;
    }
    return first;
}

// Sweeps over the points that hit, on their own matrix.
static void impact_solve_points(impact_work *work, float speeds[TNI_LANES]) {
    for (int sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < work->record->point_count; ++p) {
            if (!work->is_hit[p]) {
                continue;
            }
            float missing = work->target[p] - speeds[p];
            float x = maths_max(work->impulse[p] + work->view.point_mass[p] * missing, 0.0f);
            float change = x - work->impulse[p];
            work->impulse[p] = x;
            for (int q = 0; q < TNI_LANES; ++q) {
                speeds[q] += work->view.response[p][q] * change;
            }
        }
    }
}

// An impulse on b with its torque about a's centre of mass: see solver/contact_lanes.h.
// What no impulse moves others may be reading.
static void impact_apply(const impact_work *work, vec3s force, vec3s torque) {
    tni_body_state *a = work->a, *b = work->b;
    vec3s of_b = glms_vec3_add(torque, glms_vec3_cross(work->view.offset, force));
    if (work->moves_a) {
        a->v = glms_vec3_sub(a->v, glms_vec3_mul(a->inv_mass, force));
        a->w = glms_vec3_sub(a->w, sym3_mul(a->inv_inertia, torque));
    }
    if (work->moves_b) {
        b->v = glms_vec3_add(b->v, glms_vec3_mul(b->inv_mass, force));
        b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, of_b));
    }
}

static float impact_push(const impact_work *work) {
    tni_contact_sums *sums = &work->record->sums;
    vec3s torque = maths_vec3_zero();
    float sum = 0.0f;
    for (uint32_t p = 0; p < work->record->point_count; ++p) {
        float x = work->impulse[p];
        sum += x;
        torque = maths_vec3_add_scaled(torque, x, work->view.turn[p]);
        sums->impact[p] += x;
        sums->phase_impact[p] += x;
    }
    impact_apply(work, glms_vec3_scale(work->record->normal, sum), torque);
    return sum;
}

// Friction of the blow, at the middle of the points, in the cone.
static void impact_rub(const impact_work *work, float normal_impulse) {
    const tni_contact_view *view = &work->view;
    const tni_body_state *a = work->a, *b = work->b;
    vec3s speed = impact_get_relative(view->middle, view->offset, a->v, a->w, b->v, b->w);
    float s1 = glms_vec3_dot(view->tangent[0], speed), s2 = glms_vec3_dot(view->tangent[1], speed);
    const float *m = view->slide_mass;
    float x1 = -(m[0] * s1 + m[2] * s2), x2 = -(m[1] * s2 + m[2] * s1);
    float cap = work->record->friction * normal_impulse, square = x1 * x1 + x2 * x2;
    float share = square > cap * cap ? cap / sqrtf(square) : 1.0f;
    vec3s force = glms_vec3_scale(view->tangent[0], share * x1);
    force = maths_vec3_add_scaled(force, share * x2, view->tangent[1]);
    impact_apply(work, force, glms_vec3_cross(view->middle, force));
    tni_contact_sums *sums = &work->record->sums;
    sums->impact_friction = glms_vec3_add(sums->impact_friction, force);
    sums->phase_impact_friction = glms_vec3_add(sums->phase_impact_friction, force);
}

static void impact_shift(tni_solver *solver, uint32_t body, vec3s v_before, float t) {
    vec3s dv = glms_vec3_sub(solver->states[body].v, v_before);
    vec3s shift = glms_vec3_scale(dv, -t);
    solver->deltas[body].position = glms_vec3_add(solver->deltas[body].position, shift);
    solver->motions[body].position =
        dvec3_add(solver->motions[body].position, dvec3_from_float(shift));
}

static bool impact_solve_contact(tni_solver *solver, uint32_t index) {
    tni_contact_record *record = &solver->contact_records[index];
    impact_work work = {.record = record,
                        .a = &solver->states[record->body_a],
                        .b = &solver->states[record->body_b],
                        .moves_a = solver->masses[record->body_a].is_dynamic,
                        .moves_b = solver->masses[record->body_b].is_dynamic};
    float speeds[TNI_LANES] = {0.0f};
    for (uint32_t p = 0; p < record->point_count; ++p) {
        speeds[p] = impact_get_speed(&work, p);
    }
    float t = impact_find(solver, &work, speeds);
    if (t < 0.0f) {
        return false;
    }
    vec3s v_a = work.a->v, v_b = work.b->v;
    tni_contact_get_view(solver, index, &work.view);
    impact_solve_points(&work, speeds);
    impact_rub(&work, impact_push(&work));
    if (work.moves_a) {
        impact_shift(solver, record->body_a, v_a, t);
    }
    if (work.moves_b) {
        impact_shift(solver, record->body_b, v_b, t);
    }
    solver->has_old_gaps = true;
    return true;
}

void tni_impact_solve(tni_solver *solver) {
    tni_span_impacts_begin(solver);
    for (int pass = 0; pass < IMPACT_MAX_PASSES; ++pass) {
        bool has_hit = false;
        for (uint32_t i = 0; i < solver->bouncing_count; ++i) {
            has_hit |= impact_solve_contact(solver, solver->bouncing[i]);
        }
        has_hit |= tni_span_impacts_solve(solver);
        if (!has_hit) {
            return;
        }
    }
}
