// solver/mechanism_anchor.c: bodies that a hinge or a slider holds to what does not move.
//
// Such a body has one freedom left: it moves by q s, with J s = 0 for the rows J of its anchor. So
// it is eliminated with its anchor's rows, which need no place in the matrix and no E:
//     M dv = r + J^T x + g,  J dv = -c   gives   dv = d + q s,  q = s . (r + g - M d) / s . M s
// where J d = -c, and g is what its other joints push with: for these it is a body of
// M^-1 = s s^T / (s . M s). The anchor has what is left, J^T x = M dv - r - g.
// Of a hinge, with arm r (J v = w x r + v of body b, w x r - v of body a) and rows of turns g_1 and
// g_2 with u = g_1 x g_2, to which h_1 = g_2 x u / |u|^2 and h_2 = u x g_1 / |u|^2 are dual:
//     s = (+-(r x u), u),   d = (+-(-c_p - w x r), w) with w = -c_1 h_1 - c_2 h_2,
//     x_p = +-F,   x_i = h_i . (T - r x x_p)
// Of a slider, with rows (n_i, a_i) of unit vectors across it and rows of turns g_k, dual to h_k:
//     s = (n_1 x n_2, 0),   w = -sum c_k h_k,   v = -sum (c_i + a_i . w) n_i,
//     x_i = n_i . F,   x_k = h_k . (T - sum x_i a_i)
// A motor, spring or limit j v + E y = -e beside these rows, j its speed under s, adds j^2 / E to
// s . M s; with p = s . (r + g - M d) and e at d, and k = 1 / (E s . M s + j^2):
//     q = k (E p - j e),   y = -k (j p + s . M s e)
// A body with two such anchors keeps both as rows, so that they share what they carry.
// Source: R. Featherstone, "Rigid body dynamics algorithms", 2008, 3.2 (motion subspaces).
// Test: tests/solver/test_mechanism_anchor.c, tests/world/test_mechanism_sets.c
#include "solver/mechanism_system.h"

// Equalities of an anchor.
#define ANCHOR_ROWS 5

// ---- who is anchored ---------------------------------------------------------------------------

// Five rows in one of the two forms above, and one more at most.
static bool anchor_is_one(const tni_mechanism_joint *joint) {
    return joint->equality_count == ANCHOR_ROWS && joint->all_count <= ANCHOR_ROWS + 1 &&
           (joint->is_pin || joint->is_slide);
}

// The end at a body of a joint whose other end does not move.
static bool anchor_is_hung(const tni_mechanism *mechanism, uint32_t end) {
    const tni_mechanism_joint *joint = &mechanism->joints[end >> 1];
    return ((end & 1) == 0 ? joint->b : joint->a) >= mechanism->moving_count;
}

static void anchor_find(tni_mechanism *mechanism, tni_mechanism_body *body) {
    uint32_t count = 0, at = 0;
    for (uint32_t e = 0; e < body->end_count; ++e) {
        if (anchor_is_hung(mechanism, body->ends[e])) {
            count += 1;
            at = e;
        }
    }
    if (count != 1 || !anchor_is_one(&mechanism->joints[body->ends[at] >> 1])) {
        return;
    }
    body->anchor = body->ends[at];
    mechanism->joints[body->anchor >> 1].is_anchor = true;
    body->end_count -= 1;
    for (uint32_t e = at; e < body->end_count; ++e) {
        body->ends[e] = body->ends[e + 1];
    }
}

void tni_mechanism_find_anchors(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        mechanism->joints[i].is_anchor = false;
    }
    // Beside hubs they save little, and cost four lanes more than they save.
    for (uint32_t i = 0; i < mechanism->moving_count && mechanism->hub_count == 0; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->node == TNI_NONE && body->locks == 0) {
            anchor_find(mechanism, body);
        }
    }
}

// ---- its rows ----------------------------------------------------------------------------------

// An anchor's rows of one end.
typedef struct anchor_rows {
    const tni_mechanism_joint *joint;
    uint32_t first; // of its numbers in a row
    double sign;    // of v in the rows of a pin
} anchor_rows;

static anchor_rows anchor_get_rows(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    uint32_t end = body->anchor & 1;
    anchor_rows rows = {&mechanism->joints[body->anchor >> 1], 6 * end, end == 0 ? -1.0 : 1.0};
    return rows;
}

static tni_dvec3 anchor_load(const double *x) {
    return dvec3_make(x[0], x[1], x[2]);
}

static tni_dvec3 anchor_get_linear(const anchor_rows *rows, uint32_t r) {
    return anchor_load(rows->joint->rows[r].jacobian + rows->first);
}

static tni_dvec3 anchor_get_angular(const anchor_rows *rows, uint32_t r) {
    return anchor_load(rows->joint->rows[r].jacobian + rows->first + 3);
}

// h, r and s.
static void anchor_open_hinge(const anchor_rows *rows, tni_mechanism_body *body) {
    tni_dvec3 one = anchor_get_angular(rows, 3), two = anchor_get_angular(rows, 4);
    tni_dvec3 u = dvec3_cross(one, two);
    double share = maths_inverse_or_zero_d(dvec3_dot(u, u));
    body->anchor_arm = tni_mechanism_get_arm(rows->joint, body->anchor & 1);
    body->anchor_dual[0] = dvec3_scale(dvec3_cross(two, u), share);
    body->anchor_dual[1] = dvec3_scale(dvec3_cross(u, one), share);
    tni_mechanism_store6(body->inverse[0],
                         dvec3_scale(dvec3_cross(body->anchor_arm, u), rows->sign), u);
}

static void anchor_open_slider(const anchor_rows *rows, tni_mechanism_body *body) {
    tni_dvec3 x = anchor_get_angular(rows, 2), y = anchor_get_angular(rows, 3);
    tni_dvec3 z = anchor_get_angular(rows, 4), yz = dvec3_cross(y, z);
    double volume = dvec3_dot(x, yz); // negative at end a
    double share =
        volume > 0.0 ? maths_inverse_or_zero_d(volume) : -maths_inverse_or_zero_d(-volume);
    tni_dvec3 along = dvec3_cross(anchor_get_linear(rows, 0), anchor_get_linear(rows, 1));
    body->anchor_dual[0] = dvec3_scale(yz, share);
    body->anchor_dual[1] = dvec3_scale(dvec3_cross(z, x), share);
    body->anchor_dual[2] = dvec3_scale(dvec3_cross(x, y), share);
    tni_mechanism_store6(body->inverse[0], along, dvec3_make(0.0, 0.0, 0.0));
}

// d: a motion with J d = -c.
static void anchor_find_motion(const anchor_rows *rows, const tni_mechanism_body *body,
                               const double *c, double *d) {
    const tni_dvec3 *h = body->anchor_dual;
    if (rows->joint->is_pin) {
        tni_dvec3 w = dvec3_add_scaled(dvec3_scale(h[0], -c[3]), -c[4], h[1]);
        tni_dvec3 v = dvec3_add(anchor_load(c), dvec3_cross(w, body->anchor_arm));
        tni_mechanism_store6(d, dvec3_scale(v, -rows->sign), w);
        return;
    }
    tni_dvec3 w = dvec3_add_scaled(dvec3_scale(h[0], -c[2]), -c[3], h[1]);
    w = dvec3_add_scaled(w, -c[4], h[2]);
    double one = c[0] + dvec3_dot(anchor_get_angular(rows, 0), w);
    double two = c[1] + dvec3_dot(anchor_get_angular(rows, 1), w);
    tni_dvec3 v = dvec3_scale(anchor_get_linear(rows, 0), -one);
    tni_mechanism_store6(d, dvec3_add_scaled(v, -two, anchor_get_linear(rows, 1)), w);
}

// x with J^T x = load.
static void anchor_find_impulses(const anchor_rows *rows, const tni_mechanism_body *body,
                                 const double *load, double *x) {
    const tni_dvec3 *h = body->anchor_dual;
    tni_dvec3 force = anchor_load(load), torque = anchor_load(load + 3);
    if (rows->joint->is_pin) {
        tni_dvec3 push = dvec3_scale(force, rows->sign);
        torque = dvec3_sub(torque, dvec3_cross(body->anchor_arm, push));
        x[0] = push.x;
        x[1] = push.y;
        x[2] = push.z;
        x[3] = dvec3_dot(h[0], torque);
        x[4] = dvec3_dot(h[1], torque);
        return;
    }
    x[0] = dvec3_dot(anchor_get_linear(rows, 0), force);
    x[1] = dvec3_dot(anchor_get_linear(rows, 1), force);
    torque = dvec3_add_scaled(torque, -x[0], anchor_get_angular(rows, 0));
    torque = dvec3_add_scaled(torque, -x[1], anchor_get_angular(rows, 1));
    x[2] = dvec3_dot(h[0], torque);
    x[3] = dvec3_dot(h[1], torque);
    x[4] = dvec3_dot(h[2], torque);
}

// ---- its body ----------------------------------------------------------------------------------

static void anchor_add_curvature(const tni_mechanism_body *body, const double *x, double *y) {
    uint32_t first = body->is_held || body->has_linear_curvature ? 0 : 3;
    for (uint32_t i = first; i < 6; ++i) {
        for (uint32_t k = first; k < 6; ++k) {
            y[i] += body->curvature[i][k] * x[k];
        }
    }
}

// M x: mass and inertia, and what curvature the block has.
static void anchor_weigh(const tni_mechanism_body *body, const double *x, double *y) {
    tni_dvec3 spin = dmat3_mul_vec(&body->system_inertia, anchor_load(x + 3));
    tni_mechanism_store6(y, dvec3_scale(anchor_load(x), body->system_mass), spin);
    if (body->is_held || body->has_curvature) {
        anchor_add_curvature(body, x, y);
    }
}

static bool anchor_weigh_freedom(tni_mechanism_body *body) {
    const double *s = body->inverse[0];
    anchor_weigh(body, s, body->freedom_momentum);
    body->freedom_mass = tni_mechanism_dot6(s, body->freedom_momentum);
    return body->freedom_mass > 0.0 && body->freedom_mass < DBL_MAX;
}

bool tni_mechanism_invert_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    anchor_rows rows = anchor_get_rows(mechanism, body);
    body->is_parted = false;
    if (rows.joint->is_pin) {
        anchor_open_hinge(&rows, body);
    } else {
        anchor_open_slider(&rows, body);
    }
    if (!anchor_weigh_freedom(body)) {
        // Under compression: without what takes away.
        body->has_curvature = false;
        if (!anchor_weigh_freedom(body)) {
            return false;
        }
    }
    double share = 1.0 / body->freedom_mass;
    if (rows.joint->row_count > ANCHOR_ROWS) {
        double softness = rows.joint->softness[ANCHOR_ROWS];
        const double *j = rows.joint->rows[ANCHOR_ROWS].jacobian + rows.first;
        body->lever = tni_mechanism_dot6(j, body->inverse[0]);
        body->actor_share =
            maths_inverse_or_zero_d(softness * body->freedom_mass + body->lever * body->lever);
        share = softness * body->actor_share;
    }
    body->inverse[1][0] = share;
    return true;
}

void tni_mechanism_start_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body,
                                  bool was_at_rest) {
    anchor_rows rows = anchor_get_rows(mechanism, body);
    double *x = tni_mechanism_of_joint(mechanism, body->anchor >> 1);
    double *change = body->change, *given = body->anchor_given, d[6];
    const double *s = body->inverse[0];
    anchor_find_motion(&rows, body, x, d);
    for (uint32_t c = 0; c < 6; ++c) {
        given[c] = was_at_rest ? 0.0 : change[c];
    }
    double p = tni_mechanism_dot6(s, given) - tni_mechanism_dot6(body->freedom_momentum, d);
    double q = body->inverse[1][0] * p;
    if (rows.joint->row_count > ANCHOR_ROWS) {
        double e = x[ANCHOR_ROWS] +
                   tni_mechanism_dot6(rows.joint->rows[ANCHOR_ROWS].jacobian + rows.first, d);
        q -= body->actor_share * body->lever * e;
        x[ANCHOR_ROWS] = -body->actor_share * (body->lever * p + body->freedom_mass * e);
    }
    for (uint32_t c = 0; c < 6; ++c) {
        change[c] = d[c] + q * s[c];
    }
}

void tni_mechanism_finish_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body,
                                   const double impulse[6]) {
    anchor_rows rows = anchor_get_rows(mechanism, body);
    double *x = tni_mechanism_of_joint(mechanism, body->anchor >> 1), load[6];
    const double *s = body->inverse[0];
    double p = tni_mechanism_dot6(s, impulse), q = body->inverse[1][0] * p;
    for (uint32_t c = 0; c < 6; ++c) {
        body->change[c] += q * s[c];
    }
    anchor_weigh(body, body->change, load);
    for (uint32_t c = 0; c < 6; ++c) {
        load[c] -= body->anchor_given[c] + impulse[c];
    }
    if (rows.joint->row_count > ANCHOR_ROWS) {
        const double *j = rows.joint->rows[ANCHOR_ROWS].jacobian + rows.first;
        x[ANCHOR_ROWS] -= body->actor_share * body->lever * p;
        for (uint32_t c = 0; c < 6; ++c) {
            load[c] -= x[ANCHOR_ROWS] * j[c];
        }
    }
    anchor_find_impulses(&rows, body, load, x);
}
