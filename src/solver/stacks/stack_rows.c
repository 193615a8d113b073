// solver/stacks/stack_rows.c: a stack's bodies and the rows of its contacts, before a solve.
//
// The rows of a contact are [n, r_i x n] of each point, [t, m x t] of friction at the middle m of
// the points, and [0, p] of twisting about the pivot p; on b, and the opposite on a, about the
// centre of a. The centre of b is `offset` away, so that on b an impulse F with torque T has T +
// offset x F (solver/contacts/contact_lanes.h). The rows are derived in stack.c and
// contact_sweep_wide.c. Test: tests/solver/stacks/test_stack.c
#include <string.h>

#include "solver/solver.h"
#include "solver/stacks/stack_rows.h"

// Points that are this many times as deep as they rest are lifted at the rate of all contacts;
// those nearer to it more slowly in proportion, down to the share STACK_GENTLE of that rate for the
// mean of a contact. Lifting points that bear and lowering those that do not drives a tower that
// sways, the more the faster it is, and the longer the higher the tower is. But a tower that sways
// levels its contacts and keeps their means, so these alone go at that share.
#define STACK_DEEP   100.0
#define STACK_GENTLE 0.03
// In a stack of no more bodies than this, points are leveled with each other at that share, too.
// The square of a tower's frequency falls with that of its height, and so does the share beyond.
#define STACK_LEVELED 10.0
// A point may go down to where it rests at this share of the speed that forces give a body in a
// substep, so that a tower whose points all do so still bears its weight.
#define STACK_LOWERING (1.0 / 256.0)
// An inverse inertia that has changed by this, relative to its trace, is inverted again.
#define STACK_NEW_INERTIA 1e-6f

// ---- bodies -----------------------------------------------------------------------------------

static bool stack_is_near(const tni_sym3 *p, const tni_sym3 *q) {
    float limit = STACK_NEW_INERTIA * (q->xx + q->yy + q->zz);
    return fabsf(p->xx - q->xx) <= limit && fabsf(p->yy - q->yy) <= limit &&
           fabsf(p->zz - q->zz) <= limit && fabsf(p->xy - q->xy) <= limit &&
           fabsf(p->xz - q->xz) <= limit && fabsf(p->yz - q->yz) <= limit;
}

// Inverts an inverse inertia; axes that are locked, whose numbers are 0, get 1.
static void stack_invert_inertia(const tni_sym3 *w, uint32_t locks, double out[6]) {
    double xx = (double)w->xx + ((locks & TN_BODY_LOCK_ANGULAR_X) != 0 ? 1.0 : 0.0);
    double yy = (double)w->yy + ((locks & TN_BODY_LOCK_ANGULAR_Y) != 0 ? 1.0 : 0.0);
    double zz = (double)w->zz + ((locks & TN_BODY_LOCK_ANGULAR_Z) != 0 ? 1.0 : 0.0);
    double xy = (double)w->xy, xz = (double)w->xz, yz = (double)w->yz;
    double x = yy * zz - yz * yz, y = xz * yz - xy * zz, z = xy * yz - xz * yy;
    double det = xx * x + xy * y + xz * z, s = det > 0.0 ? 1.0 / det : 0.0;
    out[0] = s * x;
    out[1] = s * (xx * zz - xz * xz);
    out[2] = s * (xx * yy - xy * xy);
    out[3] = s * y;
    out[4] = s * z;
    out[5] = s * (xy * xz - xx * yz);
}

// Updates the mass and inertia, the inverses of the state's numbers, where they are old.
static void stack_update_mass(const tni_solver *solver, tni_stack *stack, tni_stack_body *body) {
    const tni_body_state *state = &solver->bodies.states[body->body];
    const tni_body_mass *mass = &solver->bodies.masses[body->body];
    if (body->mass > 0.0 && stack_is_near(&state->inv_inertia, &body->inv_inertia)) {
        return;
    }
    body->locks = tni_body_mass_get_locks(mass);
    body->inv_inertia = state->inv_inertia;
    float inv_mass = maths_max(state->inv_mass.x, maths_max(state->inv_mass.y, state->inv_mass.z));
    body->mass = inv_mass > 0.0f ? 1.0 / (double)inv_mass : 1.0;
    stack_invert_inertia(&state->inv_inertia, body->locks, body->inertia);
    body->spin = (double)maths_max(state->inv_inertia.xx,
                                   maths_max(state->inv_inertia.yy, state->inv_inertia.zz));
    stack->matrix.is_factored = false;
}

// Starts a body before a solve. Returns the speed that forces give it in a substep, m/s.
double tni_stack_start_body(const tni_solver *solver, tni_stack *stack, tni_stack_body *body) {
    tni_dvec3 kick = dvec3_scale(solver->bodies.pulls[body->body].acceleration, solver->dh);
    memset(body->dv, 0, sizeof body->dv);
    stack_update_mass(solver, stack, body);
    return sqrt(dvec3_dot(kick, kick));
}

// ---- contacts ---------------------------------------------------------------------------------

static void stack_set_row(double row[STACK_N], vec3s line, vec3s turn) {
    for (uint32_t k = 0; k < 3; ++k) {
        row[k] = (double)line.raw[k];
        row[3 + k] = (double)turn.raw[k];
    }
}

// Loads the data that stay the same until arms follow the bodies.
static void stack_load(const tni_solver *solver, tni_stack *stack, tni_stack_contact *c) {
    const tni_contact_record *record = &solver->contacts.records[c->contact];
    tni_contact_view view;
    tni_contact_get_view(solver, c->contact, &view);
    memset(c->rows, 0, sizeof c->rows);
    for (uint32_t p = 0; p < record->point_count; ++p) {
        stack_set_row(c->rows[p], view.normal, view.turn[p]);
        c->stiffness[p] = (double)view.point_mass[p] / STACK_SOFTNESS;
    }
    for (uint32_t t = 0; t < 2; ++t) {
        stack_set_row(c->rows[TNI_STACK_SLIDE + t], view.tangent[t],
                      glms_vec3_cross(view.middle, view.tangent[t]));
        c->stiffness[TNI_STACK_SLIDE + t] =
            0.5 * ((double)view.slide_mass[0] + (double)view.slide_mass[1]) / STACK_SOFTNESS;
    }
    stack_set_row(c->rows[TNI_STACK_TWIST], maths_vec3_zero(), view.pivot);
    c->stiffness[TNI_STACK_TWIST] = (double)view.twist_mass / STACK_SOFTNESS;
    for (uint32_t k = 0; k < 3; ++k) {
        c->offset[k] = (double)view.offset.raw[k];
    }
    c->point_count = (uint8_t)record->point_count;
    c->friction = (double)record->friction;
    c->twist_bound = (double)view.twist_bound;
    c->is_loaded = true;
    stack->matrix.is_factored = false;
}

// Finds J of two velocities, either of which may be null for zero.
void tni_stack_get_speeds(const tni_stack_contact *c, const double *of_a, const double *of_b,
                          double out[TNI_STACK_ROWS]) {
    double m[STACK_N] = {0.0};
    if (of_b != NULL) {
        memcpy(m, of_b, sizeof m);
        tni_stack_add_cross(m, of_b + 3, c->offset);
    }
    for (uint32_t k = 0; k < STACK_N && of_a != NULL; ++k) {
        m[k] -= of_a[k];
    }
    // All points have one direction, and twisting has none.
    const double *n = c->rows[0], *t1 = c->rows[TNI_STACK_SLIDE],
                 *t2 = c->rows[TNI_STACK_SLIDE + 1], *pivot = c->rows[TNI_STACK_TWIST];
    double common = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        const double *row = c->rows[p];
        out[p] = common + row[3] * m[3] + row[4] * m[4] + row[5] * m[5];
    }
    out[TNI_STACK_SLIDE] = tni_stack_dot(t1, m);
    out[TNI_STACK_SLIDE + 1] = tni_stack_dot(t2, m);
    out[TNI_STACK_TWIST] = pivot[3] * m[3] + pivot[4] * m[4] + pivot[5] * m[5];
}

static void stack_get_velocity(const tni_solver *solver, uint32_t body, double out[STACK_N]) {
    const tni_body_state *state = &solver->bodies.states[body];
    for (uint32_t k = 0; k < 3; ++k) {
        out[k] = (double)state->v.raw[k];
        out[3 + k] = (double)state->w.raw[k];
    }
}

// Starts a contact in solve B: points that are open take part if they were pushed.
static void stack_start_relax(const tni_solver *solver, tni_stack_contact *c,
                              const tni_contact_load *load) {
    double depth = (double)solver->contacts.depths[c->contact];
    for (uint32_t p = 0; p < c->point_count; ++p) {
        double gap = (double)load->gap[p], x = (double)load->impulse[p];
        bool is_open = gap > 0.0 && !(x > 0.0);
        c->open |= is_open ? (uint8_t)(1u << p) : 0;
        c->speed[p] += gap > depth && !is_open ? (gap - depth) * (double)solver->inv_h : 0.0;
        c->old[p] = c->center[p] = x;
    }
    for (uint32_t r = TNI_STACK_SLIDE; r < TNI_STACK_ROWS; ++r) {
        c->old[r] = c->center[r] = (double)load->slide[r - TNI_STACK_SLIDE];
    }
}

// Sets the shares once coarseness is known. A stack that is coarse is mended at the rate of all
// contacts.
void tni_stack_set_shares(tni_stack *stack) {
    bool is_coarse = stack->coarseness > 1.0;
    double height = maths_max_d((double)stack->body_count / STACK_LEVELED, 1.0);
    stack->mean_share = is_coarse ? 1.0 : STACK_GENTLE;
    stack->tilt_share = is_coarse ? 1.0 : STACK_GENTLE / (height * height);
}

// Returns the speed at which solve A draws a point to the depth at which it rests, m/s: positive is
// down. `middle` is the mean of the contact's closed points.
static double stack_get_draw(const tni_solver *solver, const tni_stack *stack, double rate,
                             double gap, double middle, double depth) {
    double slop = (double)solver->settings.contact_bias.slop;
    double way = maths_min_d(gap + slop, 0.0) + depth,
           mean = maths_min_d(middle + slop, 0.0) + depth;
    double share = fabs(way) / (STACK_DEEP * depth);
    double of_mean = maths_min_d(maths_max_d(share, stack->mean_share), 1.0);
    double of_tilt = maths_min_d(maths_max_d(share, stack->tilt_share), 1.0);
    double most_down = stack->is_new ? 0.0 : STACK_LOWERING * stack->mean_kick;
    double speed = rate * (of_mean * mean + of_tilt * (way - mean));
    return maths_min_d(maths_max_d(speed, -(double)solver->settings.contact_bias.max_speed),
                       most_down);
}

// Adds the bend: rows that turn ask for velocities that fit the middle of the drift:
// solver/contacts/contact_arms.h.
static void stack_bend(const tni_solver *solver, tni_stack_contact *c) {
    tni_contact_bend bend;
    tni_contact_get_bend(solver, c->contact, &bend);
    for (uint32_t p = 0; p < c->point_count; ++p) {
        const double *turn = &c->rows[p][3];
        c->speed[p] += (double)bend.along + turn[0] * (double)bend.spin.x +
                       turn[1] * (double)bend.spin.y + turn[2] * (double)bend.spin.z;
    }
    c->speed[TNI_STACK_SLIDE] += (double)bend.slide[0];
    c->speed[TNI_STACK_SLIDE + 1] += (double)bend.slide[1];
}

static bool stack_turns(const tni_solver *solver, const double *v_a, const double *v_b) {
    double least = (double)TNI_CONTACT_LEAST_TURN * (double)solver->inv_h, square = least * least;
    return v_a[3] * v_a[3] + v_a[4] * v_a[4] + v_a[5] * v_a[5] > square ||
           v_b[3] * v_b[3] + v_b[4] * v_b[4] + v_b[5] * v_b[5] > square;
}

// Starts a contact in solve A: rows are proximal about the load, half of the last substep's
// impulses.
static void stack_start_bias(const tni_solver *solver, const tni_stack *stack, tni_stack_contact *c,
                             const tni_contact_load *load) {
    bool is_static = solver->contacts.records[c->contact].is_static;
    const tni_softness *soft =
        is_static ? &solver->settings.static_softness : &solver->settings.contact_softness;
    double depth = (double)solver->contacts.depths[c->contact], rate = (double)soft->rate;
    double sum = 0.0, closed = 0.0;
    for (uint32_t p = 0; p < c->point_count; ++p) {
        sum += maths_min_d((double)load->gap[p], 0.0);
        closed += load->gap[p] > 0.0f ? 0.0 : 1.0;
    }
    double middle = sum / maths_max_d(closed, 1.0);
    for (uint32_t p = 0; p < c->point_count; ++p) {
        double gap = (double)load->gap[p];
        c->speed[p] += gap > 0.0 ? gap * (double)solver->inv_h
                                 : stack_get_draw(solver, stack, rate, gap, middle, depth);
        c->center[p] = (double)load->warm[p];
        c->old[p] = (double)load->impulse[p] - c->center[p];
    }
    for (uint32_t r = TNI_STACK_SLIDE; r < TNI_STACK_ROWS; ++r) {
        c->center[r] = (double)load->slide_warm[r - TNI_STACK_SLIDE];
        c->old[r] = (double)load->slide[r - TNI_STACK_SLIDE] - c->center[r];
    }
}

// Starts a contact before a solve.
void tni_stack_start_contact(const tni_solver *solver, tni_stack *stack, tni_stack_contact *c,
                             bool use_bias) {
    const tni_contact_gate *gate = &solver->contacts.gates[c->contact];
    c->is_shut = gate->is_shut && !gate->is_touch;
    if (!c->is_shut) {
        c->set = 0;
        c->slides = false;
        c->slide_cap = 0.0;
        return;
    }
    tni_contact_load load;
    double v_a[STACK_N], v_b[STACK_N], sum = 0.0;
    tni_contact_get_load(solver, c->contact, &load);
    if (!c->is_loaded || c->move_count != load.move_count) {
        c->move_count = load.move_count;
        stack_load(solver, stack, c);
    }
    stack_get_velocity(solver, c->body_a, v_a);
    stack_get_velocity(solver, c->body_b, v_b);
    tni_stack_get_speeds(c, v_a, v_b, c->speed);
    memset(c->change, 0, sizeof c->change);
    c->open = (uint8_t)(0xfu << c->point_count & 0xfu);
    if (use_bias) {
        if (stack_turns(solver, v_a, v_b)) {
            stack_bend(solver, c);
        }
        stack_start_bias(solver, stack, c, &load);
    } else {
        stack_start_relax(solver, c, &load);
    }
    for (uint32_t p = 0; p < c->point_count; ++p) {
        sum += c->center[p];
    }
    c->slide_cap = c->friction * sum;
    c->twist_cap = c->twist_bound * sum;
}
