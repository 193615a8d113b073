// solver/contacts/impact.c: impacts that bounce, at their time and with the bodies as they are
// then.
//
// Time. A contact with restitution e whose point would close its gap s within the substep meets
// after t with  s + v t + a t²/2 = 0,  v the relative normal velocity at the start, a the relative
// normal acceleration: that of forces, and w x (w x c) of a corner c that goes round. (After the
// first kick the states hold v + a h/2 of the forces.) The time of a corner is refined on its
// circle. The point hits at u = v + a t < 0 and leaves at -e u.
//
// Place. The two bodies are taken to that time: turned freely by t, with the inertia they have
// there (solver/bodies/rotate.c), and their arms with them. A surface is a radius r around a core,
// which turns with the body: the centre of a ball, the axis of a capsule, the corner of a box (r =
// 0). So at the time of the hit, when there is no gap, the arm is c + r n, whatever the gap was at
// the start. This holds for the carrier of solver/contacts/contact_arms.h; the other body is met
// where its surface happens to be, at the arm that is left. When points hit one after the other
// only the first ones count.
//
// Blow. The impulses x change velocities by W J^T x there; friction acts at the middle of the blow,
// by the cone, on the bodies as they slide at that time. Then the bodies are taken back by t with
// their new velocities,
//     x -= t dv        R <- exp(-t w') exp(t w) R,
// so that the drift and the second kick bring them exactly to where the true path ends: of a point
// that falls freely (expand both in t and h: they agree term by term) and of a body that turns
// freely. The points of one manifold are solved together; manifolds one after another, over and
// over, so that a blow travels through a row of touching balls as it does in a cradle: one pair at
// a time. Slower impacts than the threshold are left to the contact rows. Sources: E. Guendelman,
// R. Bridson, R. Fedkiw, "Nonconvex rigid bodies with stacking", SIGGRAPH 2003 (collisions before
// contacts, in sequence); time and place are direct expansions, above. Test:
// tests/solver/contacts/test_impact.c
#include "solver/bodies/integrate.h"
#include "solver/contacts/grain.h"
#include "solver/contacts/slip.h"
#include "solver/movers/span_contact.h"
#include "solver/movers/span_ops.h"

// One substep makes up to this many passes over the bouncing contacts; a blow travels one contact
// per pass or more.
#define IMPACT_MAX_PASSES 32
// The points of one manifold are swept this many times at most; before that its linear system is
// solved in this many rounds, with this share of its diagonal added, which makes it solvable.
#define IMPACT_SWEEPS   32
#define IMPACT_ROUNDS   3
#define IMPACT_SOFTNESS 1e-5
// This many Newton steps lead to the time of a corner that goes round.
#define IMPACT_REFINEMENTS 2
// This is ARMS_THROUGH of solver/contacts/contact_arms.h.
#define IMPACT_THROUGH 1e-3f

// Returns the first time in [0, h] at which s + v t + a t²/2 falls to 0, by two Newton steps from
// the straight line's; 0 when it is closed already.
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
    bool bounces = *out_speed < -solver->settings.restitution_threshold && *out_speed < 0.0f;
    return bounces ? t : -1.0f;
}

// ---- a manifold under way ----------------------------------------------------------------------

typedef struct impact_end {
    uint32_t index; // the solver's
    tni_body_state *state;
    const tni_body_mass *mass;
    const tni_body_pull *pull;
    bool moves;
    float side;                      // 1 of a, -1 of b: the surface is at core + side radius n
    float radius;                    // m
    vec3s turn;                      // rad, since the time of the record's arms
    float mass_share, inertia_share; // see solver/contacts/contact_shares.h
} impact_end;

typedef struct impact_work {
    tni_contact_record *record;
    impact_end ends[2];
    vec3s core[2][TNI_LANES]; // from the centres of mass, at the time of the record
    float speed[TNI_LANES];   // J v
    // The points that hit: arms, J v to reach, and the impulse that does it.
    bool is_hit[TNI_LANES];
    vec3s arm[2][TNI_LANES];
    float target[TNI_LANES], impulse[TNI_LANES];
} impact_work;

static vec3s impact_get_arm(const tni_contact_record *record, uint32_t e, uint32_t p) {
    vec3s arm = maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
    return e == 0 ? arm : glms_vec3_add(arm, record->offset);
}

// Turns r by the Cayley form, whose vector is 2 tan(angle/2) long: its length is found by a series
// that is right to 1e-5 at 0.5 rad.
static vec3s impact_turn(vec3s r, vec3s turn) {
    float square = glms_vec3_dot(turn, turn);
    turn = glms_vec3_scale(turn, 1.0f + square * (1.0f / 12.0f + square * (1.0f / 120.0f)));
    float scale = 1.0f / (1.0f + 0.25f * glms_vec3_dot(turn, turn));
    vec3s across = glms_vec3_cross(turn, r);
    r = maths_vec3_add_scaled(r, scale, across);
    return maths_vec3_add_scaled(r, 0.5f * scale, glms_vec3_cross(turn, across));
}

static vec3s impact_get_core(const impact_work *work, uint32_t e, uint32_t p, float ahead) {
    const impact_end *end = &work->ends[e];
    vec3s turn = maths_vec3_add_scaled(end->turn, ahead, end->state->w);
    return impact_turn(work->core[e][p], turn);
}

static void impact_set_end(const tni_solver *solver, impact_work *work, uint32_t e) {
    const tni_contact_record *record = work->record;
    impact_end *end = &work->ends[e];
    end->index = e == 0 ? record->body_a : record->body_b;
    end->state = &solver->bodies.states[end->index];
    end->mass = &solver->bodies.masses[end->index];
    end->pull = &solver->bodies.pulls[end->index];
    end->moves = end->mass->is_dynamic;
    end->side = e == 0 ? 1.0f : -1.0f;
    end->radius = e == 0 ? record->radius_a : record->radius_b;
    bool has_shares = record->extras != NULL && record->extras->has_shares;
    end->mass_share = has_shares ? record->extras->shares.mass[e] : 1.0f;
    end->inertia_share = has_shares ? record->extras->shares.inertia[e] : 1.0f;
    end->turn = record->time > 0.0f ? glms_vec3_scale(end->state->w, solver->elapsed - record->time)
                                    : solver->bodies.deltas[end->index].rotation;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        float gap = record->time > 0.0f ? record->gap_then[p] : record->separation[p];
        work->core[e][p] = maths_vec3_add_scaled(
            impact_get_arm(record, e, p), -end->side * (end->radius + 0.5f * gap), record->normal);
    }
}

// ---- when --------------------------------------------------------------------------------------

// Returns the present gap: by the way since the step's start, and by what turning adds in second
// order.
static float impact_get_gap(const tni_solver *solver, const impact_work *work, uint32_t p) {
    const tni_contact_record *record = work->record;
    vec3s n = record->normal;
    float gap = record->separation[p];
    for (uint32_t e = 0; e < 2; ++e) {
        const impact_end *end = &work->ends[e];
        const tni_body_delta *delta = &solver->bodies.deltas[end->index];
        vec3s core = work->core[e][p];
        vec3s way = glms_vec3_cross(delta->rotation, impact_get_arm(record, e, p));
        vec3s bend = glms_vec3_sub(impact_turn(core, end->turn), core);
        bend = glms_vec3_sub(bend, glms_vec3_cross(end->turn, core));
        way = glms_vec3_add(glms_vec3_add(delta->position, way), bend);
        gap -= end->side * glms_vec3_dot(n, way);
    }
    return gap;
}

// Returns J v, and its change by going round, m/s^2.
static float impact_get_speed(const impact_work *work, uint32_t p, float *out_turning) {
    float speed = 0.0f, turning = 0.0f;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body_state *state = work->ends[e].state;
        float side = work->ends[e].side;
        vec3s round = glms_vec3_cross(state->w, impact_get_core(work, e, p, 0.0f));
        vec3s n = glms_vec3_scale(work->record->normal, side);
        speed -= glms_vec3_dot(n, glms_vec3_add(state->v, round));
        turning -= glms_vec3_dot(n, glms_vec3_cross(state->w, round));
    }
    *out_turning = turning;
    return speed;
}

static vec3s impact_get_pull(const impact_work *work) {
    return dvec3_to_float(
        dvec3_sub(work->ends[1].pull->acceleration, work->ends[0].pull->acceleration));
}

static bool impact_turns(const impact_work *work) {
    vec3s w_a = work->ends[0].state->w, w_b = work->ends[1].state->w;
    return glms_vec3_dot(w_a, w_a) + glms_vec3_dot(w_b, w_b) > 0.0f;
}

// Returns the gap of a point after t on its true path, and the gap's rate: cores move on their
// circles.
static float impact_get_gap_after(const impact_work *work, uint32_t p, float gap, float t, float h,
                                  float *out_rate) {
    vec3s n = work->record->normal, pull = impact_get_pull(work);
    vec3s v = glms_vec3_sub(work->ends[1].state->v, work->ends[0].state->v);
    gap += glms_vec3_dot(n, v) * t - 0.5f * glms_vec3_dot(n, pull) * t * (h - t);
    float rate = glms_vec3_dot(n, v) + glms_vec3_dot(n, pull) * (t - 0.5f * h);
    for (uint32_t e = 0; e < 2; ++e) {
        vec3s side = glms_vec3_scale(n, work->ends[e].side);
        vec3s now = impact_get_core(work, e, p, 0.0f), then = impact_get_core(work, e, p, t);
        gap -= glms_vec3_dot(side, glms_vec3_sub(then, now));
        rate -= glms_vec3_dot(side, glms_vec3_cross(work->ends[e].state->w, then));
    }
    *out_rate = rate;
    return gap;
}

// Refines the time of a hit that a parabola has found, and the speed then, by Newton steps on the
// true path.
static float impact_refine(const tni_solver *solver, const impact_work *work, uint32_t p, float gap,
                           float t, float *speed) {
    float h = solver->h, rate = 0.0f;
    for (int i = 0; i < IMPACT_REFINEMENTS && gap > 0.0f; ++i) {
        float left = impact_get_gap_after(work, p, gap, t, h, &rate);
        if (rate < 0.0f) {
            t = maths_clamp(t - left / rate, 0.0f, h);
        }
    }
    impact_get_gap_after(work, p, gap, t, h, &rate);
    *speed = rate < 0.0f ? rate : *speed;
    return t;
}

// Returns how long after another point, s, a point that hits at the speed of its target still hits
// at once with it.
static float impact_get_at_once(const tni_solver *solver, const impact_work *work, uint32_t p) {
    float speed = fabsf(work->target[p]) / (1.0f + work->record->restitution);
    return speed * TNI_IMPACT_AT_ONCE * solver->h > TNI_IMPACT_ROUNDED
               ? TNI_IMPACT_ROUNDED / speed
               : TNI_IMPACT_AT_ONCE * solver->h;
}

// Marks the points of a manifold that hit first within the substep, and sets `target` to the
// changes of their speeds. Returns the time, or -1.
static float impact_find(const tni_solver *solver, impact_work *work) {
    const tni_contact_record *record = work->record;
    float pull = glms_vec3_dot(record->normal, impact_get_pull(work));
    float times[TNI_LANES], first = -1.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        float turning, u = 0.0f;
        float v_middle = impact_get_speed(work, p, &turning) + 0.5f * solver->h * turning;
        float gap = impact_get_gap(solver, work, p);
        times[p] = tni_impact_find_time(solver, gap, v_middle, pull + turning, &u);
        if (times[p] >= 0.0f && impact_turns(work)) {
            times[p] = impact_refine(solver, work, p, gap, times[p], &u);
        }
        work->target[p] = -(1.0f + record->restitution) * u;
        first = times[p] >= 0.0f && (first < 0.0f || times[p] < first) ? times[p] : first;
    }
    for (uint32_t p = 0; p < record->point_count && first >= 0.0f; ++p) {
        float at_once = impact_get_at_once(solver, work, p);
        work->is_hit[p] = times[p] >= 0.0f && times[p] - first <= at_once;
    }
    return first;
}

// ---- where -------------------------------------------------------------------------------------

// Returns x_a - x_b after t.
static vec3s impact_get_offset(const tni_solver *solver, const impact_work *work, float t) {
    const tni_contact_record *record = work->record;
    const impact_end *a = &work->ends[0], *b = &work->ends[1];
    vec3s speed = glms_vec3_sub(a->state->v, b->state->v);
    vec3s way = glms_vec3_sub(solver->bodies.deltas[a->index].position,
                              solver->bodies.deltas[b->index].position);
    if (record->time > 0.0f) {
        way = glms_vec3_scale(speed, solver->elapsed - record->time);
    }
    // The kick gave the speed of the middle of the substep.
    way = maths_vec3_add_scaled(way, t, speed);
    way = maths_vec3_add_scaled(way, 0.5f * t * (solver->h - t), impact_get_pull(work));
    return glms_vec3_add(record->offset, way);
}

static float impact_get_miss(vec3s arm, vec3s n) {
    vec3s across = glms_vec3_cross(arm, n);
    return glms_vec3_dot(across, across);
}

// Returns which end takes the points along, by all of those that hit; 2: neither, ball on ball.
static uint32_t impact_find_carrier(const impact_work *work) {
    float miss[2] = {0.0f, 0.0f}, length[2] = {0.0f, 0.0f};
    if (!work->ends[0].moves || !work->ends[1].moves) {
        return work->ends[1].moves ? 1 : 0;
    }
    for (uint32_t p = 0; p < work->record->point_count; ++p) {
        for (uint32_t e = 0; e < 2 && work->is_hit[p]; ++e) {
            miss[e] += impact_get_miss(work->arm[e][p], work->record->normal);
            length[e] += glms_vec3_dot(work->arm[e][p], work->arm[e][p]);
        }
    }
    float least = IMPACT_THROUGH * IMPACT_THROUGH;
    if (miss[0] <= least * length[0] && miss[1] <= least * length[1]) {
        return 2;
    }
    return miss[0] < miss[1] ? 0 : 1;
}

// Places the arms of the points that hit, after t.
static void impact_place(const tni_solver *solver, impact_work *work, float t) {
    uint32_t count = work->record->point_count;
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t e = 0; e < 2; ++e) {
            const impact_end *end = &work->ends[e];
            work->arm[e][p] = maths_vec3_add_scaled(impact_get_core(work, e, p, t),
                                                    end->side * end->radius, work->record->normal);
        }
    }
    vec3s offset = impact_get_offset(solver, work, t);
    uint32_t carrier = impact_find_carrier(work);
    for (uint32_t p = 0; p < count && carrier < 2; ++p) {
        if (carrier == 0) {
            work->arm[1][p] = glms_vec3_add(work->arm[0][p], offset);
        } else {
            work->arm[0][p] = glms_vec3_sub(work->arm[1][p], offset);
        }
    }
}

void tni_impact_rotate(tni_solver *solver, uint32_t body, float t) {
    tni_body_state *state = &solver->bodies.states[body];
    const tni_body_mass *mass = &solver->bodies.masses[body];
    vec3s w = state->w;
    if (w.x == 0.0f && w.y == 0.0f && w.z == 0.0f) {
        return;
    }
    tni_body_motion *motion = &solver->bodies.motions[body];
    tni_dvec3 kept = motion->angular_velocity;
    motion->angular_velocity = dvec3_from_float(w);
    tni_integrate_rotate(motion, mass, (double)t, 1);
    state->w = dvec3_to_float(motion->angular_velocity);
    motion->angular_velocity = kept;
    if (!mass->inertia->is_round) {
        tni_body_refresh_inertia(solver, body);
    }
}

static void impact_rotate(tni_solver *solver, const impact_end *end, float t) {
    if (end->moves) {
        tni_impact_rotate(solver, end->index, t);
    }
}

// ---- the blow ----------------------------------------------------------------------------------

// Returns the change of the speed along k, at its arms, by an impulse along d at these arms.
static float impact_respond(const impact_work *work, const vec3s of_d[2], vec3s d,
                            const vec3s of_k[2], vec3s k) {
    float sum = 0.0f;
    for (uint32_t e = 0; e < 2; ++e) {
        const impact_end *end = &work->ends[e];
        if (end->moves) {
            vec3s turn_d = glms_vec3_cross(of_d[e], d), turn_k = glms_vec3_cross(of_k[e], k);
            float straight = glms_vec3_dot(k, glms_vec3_mul(end->state->inv_mass, d));
            float turning = glms_vec3_dot(turn_k, sym3_mul(end->state->inv_inertia, turn_d));
            sum += end->mass_share * straight + end->inertia_share * turning;
        }
    }
    return sum;
}

static vec3s impact_get_relative(const impact_work *work, const vec3s arm[2]) {
    const tni_body_state *a = work->ends[0].state, *b = work->ends[1].state;
    vec3s at_a = glms_vec3_add(a->v, glms_vec3_cross(a->w, arm[0]));
    return glms_vec3_sub(glms_vec3_add(b->v, glms_vec3_cross(b->w, arm[1])), at_a);
}

static void impact_apply(const impact_work *work, vec3s force, vec3s turn_a, vec3s turn_b,
                         tni_contact_blow *sum) {
    const vec3s turns[2] = {turn_a, turn_b};
    for (uint32_t e = 0; e < 2; ++e) {
        const impact_end *end = &work->ends[e];
        if (end->moves) { // what no impulse moves others may be reading
            tni_body_state *state = end->state;
            vec3s dv = glms_vec3_mul(state->inv_mass, force);
            vec3s dw = sym3_mul(state->inv_inertia, turns[e]);
            state->v = maths_vec3_add_scaled(state->v, -end->side * end->mass_share, dv);
            state->w = maths_vec3_add_scaled(state->w, -end->side * end->inertia_share, dw);
        }
    }
    sum->force = glms_vec3_add(sum->force, force);
    sum->turn_a = glms_vec3_add(sum->turn_a, turn_a);
    sum->turn_b = glms_vec3_add(sum->turn_b, turn_b);
}

// Solves (K + softness) x = missing for the points of `set` by elimination; the others get 0.
static void impact_eliminate(float k[TNI_LANES][TNI_LANES], const double missing[TNI_LANES],
                             const bool set[TNI_LANES], uint32_t count, double x[TNI_LANES]) {
    double rows[TNI_LANES][TNI_LANES + 1], most = 0.0;
    for (uint32_t p = 0; p < count; ++p) {
        most = set[p] ? maths_max_d(most, (double)k[p][p]) : most;
    }
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = 0; q < count; ++q) {
            rows[p][q] = set[p] && set[q] ? (double)k[p][q] : 0.0;
        }
        rows[p][p] = set[p] ? rows[p][p] + IMPACT_SOFTNESS * most : 1.0;
        rows[p][count] = set[p] ? missing[p] : 0.0;
    }
    for (uint32_t p = 0; p < count; ++p) {
        double inverse = rows[p][p] > 0.0 ? 1.0 / rows[p][p] : 0.0;
        for (uint32_t r = p + 1; r < count; ++r) {
            double factor = rows[r][p] * inverse;
            for (uint32_t q = p; q <= count; ++q) {
                rows[r][q] -= factor * rows[p][q];
            }
        }
    }
    for (uint32_t p = count; p-- > 0;) {
        double sum = rows[p][count];
        for (uint32_t q = p + 1; q < count; ++q) {
            sum -= rows[p][q] * x[q];
        }
        x[p] = rows[p][p] > 0.0 ? sum / rows[p][p] : 0.0;
    }
}

// Finds the impulses x that change the speeds of a set of points by `missing`, K x = missing. Four
// points in a plane have one redundant row: a little softness makes all of them share alike, and
// further rounds take the softness out again.
static void impact_share(float k[TNI_LANES][TNI_LANES], const float missing[TNI_LANES],
                         const bool set[TNI_LANES], uint32_t count, double x[TNI_LANES]) {
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        x[p] = 0.0;
    }
    for (int round = 0; round < IMPACT_ROUNDS; ++round) {
        double left[TNI_LANES], more[TNI_LANES] = {0.0};
        for (uint32_t p = 0; p < count; ++p) {
            left[p] = (double)missing[p];
            for (uint32_t q = 0; q < count; ++q) {
                left[p] -= (double)k[p][q] * x[q];
            }
        }
        impact_eliminate(k, left, set, count, more);
        for (uint32_t p = 0; p < count; ++p) {
            x[p] += more[p];
        }
    }
}

void tni_impact_begin_points(float response[TNI_LANES][TNI_LANES], const float missing[TNI_LANES],
                             const bool is_hit[TNI_LANES], uint32_t count,
                             float impulse[TNI_LANES]) {
    bool set[TNI_LANES] = {false}, has_pull = true;
    double x[TNI_LANES];
    for (uint32_t p = 0; p < count; ++p) {
        set[p] = is_hit[p];
    }
    for (uint32_t round = 0; round < count && has_pull; ++round) {
        impact_share(response, missing, set, count, x);
        has_pull = false;
        for (uint32_t p = 0; p < count; ++p) {
            has_pull |= x[p] < 0.0;
            set[p] = set[p] && x[p] >= 0.0;
        }
    }
    for (uint32_t p = 0; p < count; ++p) {
        impulse[p] = (float)maths_max_d(x[p], 0.0);
    }
}

// Gives the points that hit the impulses that change their speeds by the targets; sweeps on their
// own matrix find which of them push, where that is not at once clear.
static void impact_solve_points(impact_work *work) {
    uint32_t count = work->record->point_count;
    float response[TNI_LANES][TNI_LANES], missing[TNI_LANES] = {0.0f};
    vec3s n = work->record->normal;
    for (uint32_t p = 0; p < count; ++p) {
        vec3s at_p[2] = {work->arm[0][p], work->arm[1][p]};
        missing[p] = work->target[p];
        for (uint32_t q = 0; q < count; ++q) {
            vec3s at_q[2] = {work->arm[0][q], work->arm[1][q]};
            bool both = work->is_hit[p] && work->is_hit[q];
            response[p][q] = both ? impact_respond(work, at_p, n, at_q, n) : 0.0f;
        }
    }
    tni_impact_begin_points(response, missing, work->is_hit, count, work->impulse);
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = 0; q < count; ++q) {
            missing[p] -= response[p][q] * work->impulse[q];
        }
    }
    for (int sweep = 0; sweep < IMPACT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < count; ++p) {
            float mass = maths_inverse_or_zero(response[p][p]);
            float x = maths_max(work->impulse[p] + mass * missing[p], 0.0f);
            float change = x - work->impulse[p];
            work->impulse[p] = x;
            for (uint32_t q = 0; q < count; ++q) {
                missing[q] -= response[p][q] * change;
            }
        }
    }
}

// Notes when the first blow of a step was and how fast its points came, for the event that reports
// it.
static void impact_note(impact_work *work, float time) {
    tni_contact_record *record = work->record;
    float before = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        before += record->sums.impact[p];
    }
    if (before > 0.0f) {
        return;
    }
    record->sums.time = time;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        float speed = -work->target[p] / (1.0f + record->restitution);
        record->approach_speed[p] = work->is_hit[p] ? speed : 0.0f;
    }
}

static void impact_push(impact_work *work) {
    tni_contact_sums *sums = &work->record->sums;
    vec3s n = work->record->normal, turn_a = maths_vec3_zero(), turn_b = maths_vec3_zero();
    float sum = 0.0f;
    for (uint32_t p = 0; p < work->record->point_count; ++p) {
        float x = work->impulse[p];
        if (work->is_hit[p]) {
            sum += x;
            turn_a = maths_vec3_add_scaled(turn_a, x, glms_vec3_cross(work->arm[0][p], n));
            turn_b = maths_vec3_add_scaled(turn_b, x, glms_vec3_cross(work->arm[1][p], n));
            sums->impact[p] += x;
        }
    }
    impact_apply(work, glms_vec3_scale(n, sum), turn_a, turn_b, &sums->phase_blow);
}

// Finds the directions of friction with a grain as the bodies lie now.
static void impact_find_grain(const tni_solver *solver, const impact_work *work, vec3s *t1,
                              vec3s *t2) {
    const tni_contact_extras *extras = work->record->extras;
    tni_dquat turned[2];
    tni_grain_axes axes;
    for (uint32_t e = 0; e < 2; ++e) {
        turned[e] = tni_grain_get_turned(solver, &extras->grains[e], work->ends[e].index);
    }
    tni_grain_find_axes(extras, turned, dvec3_from_float(work->record->normal), &axes);
    *t1 = dvec3_to_float(dvec3_scale(axes.axis[0], axes.scale[0]));
    *t2 = dvec3_to_float(dvec3_scale(axes.axis[1], axes.scale[1]));
}

// Applies the friction of the blow, at its middle and in the cone, to the bodies as they slide
// there after t.
static void impact_rub(const tni_solver *solver, const impact_work *work, float t) {
    tni_contact_sums *sums = &work->record->sums;
    vec3s arm[2] = {maths_vec3_zero(), maths_vec3_zero()};
    float sum = 0.0f;
    for (uint32_t p = 0; p < work->record->point_count; ++p) {
        sum += work->impulse[p];
        arm[0] = maths_vec3_add_scaled(arm[0], work->impulse[p], work->arm[0][p]);
        arm[1] = maths_vec3_add_scaled(arm[1], work->impulse[p], work->arm[1][p]);
    }
    if (!(sum > 0.0f)) {
        return;
    }
    arm[0] = glms_vec3_scale(arm[0], 1.0f / sum);
    arm[1] = glms_vec3_scale(arm[1], 1.0f / sum);
    bool has_grain = tni_grain_is_any(work->record->extras);
    vec3s t1 = maths_vec3_perpendicular(work->record->normal);
    vec3s t2 = glms_vec3_cross(work->record->normal, t1);
    if (has_grain) {
        impact_find_grain(solver, work, &t1, &t2);
    }
    vec3s speed = impact_get_relative(work, arm);
    speed = maths_vec3_add_scaled(speed, t - 0.5f * solver->h, impact_get_pull(work));
    if (work->record->extras != NULL) {
        speed = glms_vec3_add(speed, contact_extras_get_speed(work->record->extras, arm[0]));
    }
    float s1 = glms_vec3_dot(t1, speed), s2 = glms_vec3_dot(t2, speed);
    float k11 = impact_respond(work, arm, t1, arm, t1),
          k12 = impact_respond(work, arm, t1, arm, t2);
    float k22 = impact_respond(work, arm, t2, arm, t2);
    float inverse = maths_inverse_or_zero(k11 * k22 - k12 * k12);
    double mass[3] = {(double)(inverse * k22), (double)(inverse * k11), (double)(-inverse * k12)};
    double x[2] = {-(mass[0] * (double)s1 + mass[2] * (double)s2),
                   -(mass[1] * (double)s2 + mass[2] * (double)s1)};
    tni_slip_solve_as(has_grain, mass, (double)(work->record->friction * sum), x);
    vec3s force = maths_vec3_add_scaled(glms_vec3_scale(t1, (float)x[0]), (float)x[1], t2);
    impact_apply(work, force, glms_vec3_cross(arm[0], force), glms_vec3_cross(arm[1], force),
                 &sums->phase_rub);
    sums->impact_friction = glms_vec3_add(sums->impact_friction, force);
}

// ---- there and back ----------------------------------------------------------------------------

static void impact_shift(tni_solver *solver, const impact_end *end, vec3s v_before, vec3s w_before,
                         float t) {
    if (!end->moves) {
        return;
    }
    tni_body_delta *delta = &solver->bodies.deltas[end->index];
    tni_body_motion *motion = &solver->bodies.motions[end->index];
    vec3s shift = glms_vec3_scale(glms_vec3_sub(end->state->v, v_before), -t);
    delta->position = glms_vec3_add(delta->position, shift);
    motion->position = dvec3_add(motion->position, dvec3_from_float(shift));
    delta->rotation =
        maths_vec3_add_scaled(delta->rotation, -t, glms_vec3_sub(end->state->w, w_before));
}

static impact_work impact_begin(const tni_solver *solver, uint32_t index) {
    impact_work work = {.record = &solver->contacts.records[index]};
    impact_set_end(solver, &work, 0);
    impact_set_end(solver, &work, 1);
    return work;
}

// Sets the targets by the speeds that points have when they hit: a body that tumbles has turned its
// angular velocity until then. No energy may come of that, so the speeds after the hit are measured
// by these.
static void impact_aim(const tni_solver *solver, impact_work *work, float t) {
    const tni_contact_record *record = work->record;
    float pull = glms_vec3_dot(record->normal, impact_get_pull(work)) * (t - 0.5f * solver->h);
    for (uint32_t p = 0; p < record->point_count; ++p) {
        vec3s arm[2] = {work->arm[0][p], work->arm[1][p]};
        float speed = glms_vec3_dot(record->normal, impact_get_relative(work, arm)) + pull;
        work->target[p] = -(1.0f + record->restitution) * speed;
    }
}

static void impact_strike(tni_solver *solver, impact_work *work, float t) {
    const impact_end *a = &work->ends[0], *b = &work->ends[1];
    vec3s v_a = a->state->v, w_a = a->state->w, v_b = b->state->v, w_b = b->state->w;
    impact_place(solver, work, t);
    impact_rotate(solver, a, t);
    impact_rotate(solver, b, t);
    impact_aim(solver, work, t);
    impact_solve_points(work);
    impact_note(work, solver->elapsed + t);
    impact_push(work);
    impact_rub(solver, work, t);
    impact_rotate(solver, a, -t);
    impact_rotate(solver, b, -t);
    impact_shift(solver, a, v_a, w_a, t);
    impact_shift(solver, b, v_b, w_b, t);
    solver->contacts.has_old_gaps = true;
}

// ---- in order ----------------------------------------------------------------------------------

// Notes when each body is struck first, by the velocities that bodies have now. A later blow is
// another one once the first has changed them.
static void impact_look(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[solver->contacts.bouncing[i]];
        solver->contacts.first_hits[record->body_a] = solver->contacts.first_hits[record->body_b] =
            solver->h;
    }
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        impact_work work = impact_begin(solver, solver->contacts.bouncing[i]);
        float t = impact_find(solver, &work);
        for (uint32_t e = 0; e < 2 && t >= 0.0f; ++e) {
            float *first = &solver->contacts.first_hits[work.ends[e].index];
            *first = work.ends[e].moves ? maths_min(*first, t) : *first;
        }
    }
}

// Returns whether the contact hits within the substep. It does so in this pass if nothing strikes
// its bodies before.
static bool impact_solve_contact(tni_solver *solver, uint32_t index) {
    impact_work work = impact_begin(solver, index);
    float t = impact_find(solver, &work);
    if (t < 0.0f) {
        return false;
    }
    float first = solver->h;
    for (uint32_t e = 0; e < 2; ++e) {
        const impact_end *end = &work.ends[e];
        first = end->moves ? maths_min(first, solver->contacts.first_hits[end->index]) : first;
    }
    float at_once = 0.0f;
    for (uint32_t p = 0; p < work.record->point_count; ++p) {
        float own = work.is_hit[p] ? impact_get_at_once(solver, &work, p) : 0.0f;
        at_once = maths_max(at_once, own);
    }
    if (t - first <= at_once) {
        impact_strike(solver, &work, t);
    }
    return true;
}

// Gives rows the places where their points will be: rows go on along a straight line, and would
// stop a corner that swings past or comes later.
static void impact_tell_rows(tni_solver *solver, uint32_t index) {
    impact_work work = impact_begin(solver, index);
    if (!impact_turns(&work)) {
        return;
    }
    float gaps[TNI_LANES] = {0.0f}, rate, h = solver->h;
    for (uint32_t p = 0; p < work.record->point_count; ++p) {
        float gap = impact_get_gap(solver, &work, p);
        gaps[p] = impact_get_gap_after(&work, p, gap, h, h, &rate);
    }
    tni_contact_expect(solver, index, gaps);
}

// Returns whether there was a blow.
static bool impact_run_passes(tni_solver *solver) {
    bool has_hit = true;
    int pass = 0;
    for (; pass < IMPACT_MAX_PASSES && has_hit; ++pass) {
        has_hit = false;
        impact_look(solver);
        for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
            has_hit |= impact_solve_contact(solver, solver->contacts.bouncing[i]);
        }
        if (solver->movers.span_ops != NULL) {
            has_hit |= solver->movers.span_ops->solve_impacts(solver);
        }
    }
    return pass > 1;
}

bool tni_impact_solve(tni_solver *solver) {
    if (solver->movers.span_ops != NULL) {
        solver->movers.span_ops->begin_impacts(solver);
    }
    bool has_struck = impact_run_passes(solver);
    for (uint32_t i = 0; i < solver->contacts.bouncing_count; ++i) {
        impact_tell_rows(solver, solver->contacts.bouncing[i]);
    }
    return has_struck;
}
