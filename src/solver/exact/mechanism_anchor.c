// solver/exact/mechanism_anchor.c: bodies that a hinge or a slider holds to something that does not
// move, and bodies that a hinge holds to these.
//
// A body anchored in this way has one freedom left: it moves by q s, with J s = 0 for the rows J of
// its anchor. So it is eliminated with its anchor's rows, which need no place in the matrix and no
// E:
//     M dv = r + J^T x + g,  J dv = -c   gives   dv = d + q s,  q = s . (r + g - M d) / s . M s
// where J d = -c, and g is the push of its other joints: for these it is a body of M^-1 = s s^T /
// (s . M s). The anchor has the remaining part, J^T x = M dv - r - g.
// For a hinge, with arm r (J v = w x r + v of body b, w x r - v of body a) and rows of turns g_1
// and g_2 with u = g_1 x g_2, to which h_1 = g_2 x u / |u|^2 and h_2 = u x g_1 / |u|^2 are dual:
//     s = (+-(r x u), u),   d = (+-(-c_p - w x r), w) with w = -c_1 h_1 - c_2 h_2,
//     x_p = +-F,   x_i = h_i . (T - r x x_p)
// For a slider, with rows (n_i, a_i) of unit vectors across it and rows of turns g_k, dual to h_k:
//     s = (n_1 x n_2, 0),   w = -sum c_k h_k,   v = -sum (c_i + a_i . w) n_i,
//     x_i = n_i . F,   x_k = h_k . (T - sum x_i a_i)
// A motor, spring or limit j v + E y = -e beside these rows, j its speed under s, adds j^2 / E to
// s . M s; with p = s . (r + g - M d) and e at d, and k = 1 / (E s . M s + j^2):
//     q = k (E p - j e),   y = -k (j p + s . M s e)
//
// A body that rides: its anchor hangs on a carrier, which has an anchor itself, and it moves as
// this one moves it, X (v, w) = (v + w x t, w) with the way t from centre to centre by the anchor's
// arms, and by q s beside that. When the carrier goes by its s_c, the rider goes by
//     f = X s_c - k E (s . M X s_c) s,
// which is what the others feel of it: the carrier's s_c . M_c s_c has f . M f + E (k j s . M X
// s_c)^2 beside it, its p has f . (r + g - M d) + (k j s . M X s_c) e, with d = X d_c and what is
// the rider's own. By the joints at a rider's ends two freedoms are seen: s, of the rider alone,
// and s_c, of the carrier with all its riders. The rider's anchor takes X^T of its push on the
// rider from the carrier. Source: R. Featherstone, "Rigid body dynamics algorithms", 2008, 3.2
// (motion subspaces), 7.2 (articulated bodies). Test: tests/solver/exact/test_mechanism_anchor.c,
// tests/world/mechanisms/test_mechanism_sets.c
#include "solver/exact/mechanism_system.h"

#define ANCHOR_ROWS TNI_MECHANISM_ANCHOR_ROWS

// ---- its rows ----------------------------------------------------------------------------------

// These are an anchor's rows as one of its ends sees them.
typedef struct anchor_rows {
    const tni_mechanism_joint *joint;
    uint32_t first; // of its numbers in a row
    double sign;    // of v in the rows of a pin
} anchor_rows;

static anchor_rows anchor_get_rows(const tni_mechanism_body *body) {
    uint32_t end = body->place.anchor & 1;
    anchor_rows rows = {body->anchored.joint, 6 * end, end == 0 ? -1.0 : 1.0};
    return rows;
}

// Returns the unknowns of a body's anchor.
static double *anchor_get_unknowns(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    return mechanism->matrix.unknowns + body->anchored.joint->first_unknown;
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

// Sets h, r and s of a hinge.
static void anchor_open_hinge(const anchor_rows *rows, tni_mechanism_body *body) {
    tni_dvec3 one = anchor_get_angular(rows, 3), two = anchor_get_angular(rows, 4);
    tni_dvec3 u = dvec3_cross(one, two);
    double share = maths_inverse_or_zero_d(dvec3_dot(u, u));
    body->anchored.arm = tni_mechanism_get_arm(rows->joint, body->place.anchor & 1);
    body->anchored.dual[0] = dvec3_scale(dvec3_cross(two, u), share);
    body->anchored.dual[1] = dvec3_scale(dvec3_cross(u, one), share);
    tni_mechanism_store6(body->block.inverse[0],
                         dvec3_scale(dvec3_cross(body->anchored.arm, u), rows->sign), u);
}

static void anchor_open_slider(const anchor_rows *rows, tni_mechanism_body *body) {
    tni_dvec3 x = anchor_get_angular(rows, 2), y = anchor_get_angular(rows, 3);
    tni_dvec3 z = anchor_get_angular(rows, 4), yz = dvec3_cross(y, z);
    double volume = dvec3_dot(x, yz); // negative at end a
    double share =
        volume > 0.0 ? maths_inverse_or_zero_d(volume) : -maths_inverse_or_zero_d(-volume);
    tni_dvec3 along = dvec3_cross(anchor_get_linear(rows, 0), anchor_get_linear(rows, 1));
    body->anchored.dual[0] = dvec3_scale(yz, share);
    body->anchored.dual[1] = dvec3_scale(dvec3_cross(z, x), share);
    body->anchored.dual[2] = dvec3_scale(dvec3_cross(x, y), share);
    tni_mechanism_store6(body->block.inverse[0], along, dvec3_make(0.0, 0.0, 0.0));
}

// Returns d: a motion with J d = -c.
static tni_twist anchor_find_motion(const anchor_rows *rows, const tni_mechanism_body *body,
                                    const double *c) {
    const tni_dvec3 *h = body->anchored.dual;
    if (rows->joint->is_pin) {
        tni_dvec3 w = dvec3_add_scaled(dvec3_scale(h[0], -c[3]), -c[4], h[1]);
        tni_dvec3 v = dvec3_add(anchor_load(c), dvec3_cross(w, body->anchored.arm));
        return (tni_twist){dvec3_scale(v, -rows->sign), w};
    }
    tni_dvec3 w = dvec3_add_scaled(dvec3_scale(h[0], -c[2]), -c[3], h[1]);
    w = dvec3_add_scaled(w, -c[4], h[2]);
    double one = c[0] + dvec3_dot(anchor_get_angular(rows, 0), w);
    double two = c[1] + dvec3_dot(anchor_get_angular(rows, 1), w);
    tni_dvec3 v = dvec3_scale(anchor_get_linear(rows, 0), -one);
    return (tni_twist){dvec3_add_scaled(v, -two, anchor_get_linear(rows, 1)), w};
}

// Finds the x with J^T x = load.
static void anchor_find_impulses(const anchor_rows *rows, const tni_mechanism_body *body,
                                 const double *load, double *x) {
    const tni_dvec3 *h = body->anchored.dual;
    tni_dvec3 force = anchor_load(load), torque = anchor_load(load + 3);
    if (rows->joint->is_pin) {
        tni_dvec3 push = dvec3_scale(force, rows->sign);
        torque = dvec3_sub(torque, dvec3_cross(body->anchored.arm, push));
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
    uint32_t first = body->block.is_held || body->block.has_linear_curvature ? 0 : 3;
    for (uint32_t i = first; i < 6; ++i) {
        for (uint32_t k = first; k < 6; ++k) {
            y[i] += body->block.curvature[i][k] * x[k];
        }
    }
}

// Sets y to M x: mass and inertia, and curvature where the block has it.
static void anchor_weigh(const tni_mechanism_body *body, const double *x, double *y) {
    tni_dvec3 spin = dmat3_mul_vec(&body->block.inertia, anchor_load(x + 3));
    tni_mechanism_store6(y, dvec3_scale(anchor_load(x), body->block.mass), spin);
    if (body->block.is_held || body->block.has_curvature) {
        anchor_add_curvature(body, x, y);
    }
}

static void anchor_open(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    body->anchored.joint = &mechanism->joints[body->place.anchor >> 1];
    body->anchored.has_actor = body->anchored.joint->row_count > ANCHOR_ROWS;
    anchor_rows rows = anchor_get_rows(body);
    body->block.is_parted = false;
    if (rows.joint->is_pin) {
        anchor_open_hinge(&rows, body);
    } else {
        anchor_open_slider(&rows, body);
    }
}

// Returns s . M s without curvature.
static double anchor_weigh_plainly(const tni_mechanism_body *body, const double *s) {
    tni_dvec3 v = anchor_load(s), w = anchor_load(s + 3);
    tni_dvec3 spin = dmat3_mul_vec(&body->block.inertia, w);
    return body->block.mass * dvec3_dot(v, v) + dvec3_dot(w, spin);
}

// Finds s . M s and the shares that follow from it, and returns whether it is sound. `beside` is
// what the bodies that ride on it add.
static bool anchor_weigh_freedom(tni_mechanism_body *body, double beside) {
    anchor_rows rows = anchor_get_rows(body);
    const double *s = body->block.inverse[0];
    anchor_weigh(body, s, body->anchored.freedom_momentum);
    body->anchored.freedom_mass = tni_mechanism_dot6(s, body->anchored.freedom_momentum) + beside;
    double share = 1.0 / body->anchored.freedom_mass;
    if (body->anchored.has_actor) {
        double softness = rows.joint->softness[ANCHOR_ROWS];
        const double *j = rows.joint->rows[ANCHOR_ROWS].jacobian + rows.first;
        body->anchored.lever = tni_mechanism_dot6(j, s);
        body->anchored.actor_share = maths_inverse_or_zero_d(
            softness * body->anchored.freedom_mass + body->anchored.lever * body->anchored.lever);
        share = softness * body->anchored.actor_share;
    }
    body->block.inverse[1][0] = share;
    double least = body->block.has_curvature
                       ? TNI_MECHANISM_SPARE_INERTIA * anchor_weigh_plainly(body, s)
                       : 0.0;
    return body->anchored.freedom_mass > least && body->anchored.freedom_mass < DBL_MAX;
}

// ---- riders ------------------------------------------------------------------------------------

// Returns the vector from a centre to where a hinge turns.
static tni_dvec3 anchor_get_way(const tni_mechanism_joint *joint, uint32_t end) {
    return dvec3_scale(tni_mechanism_get_arm(joint, end), end == 0 ? -1.0 : 1.0);
}

static void anchor_open_ride(tni_mechanism_body *rider) {
    const tni_mechanism_joint *joint = rider->anchored.joint;
    uint32_t end = rider->place.anchor & 1;
    rider->anchored.ride_arm =
        dvec3_sub(anchor_get_way(joint, 1 - end), anchor_get_way(joint, end));
}

// Returns X x.
static tni_twist anchor_carry(const tni_mechanism_body *rider, const double *x) {
    tni_dvec3 w = anchor_load(x + 3);
    return (tni_twist){dvec3_add(anchor_load(x), dvec3_cross(w, rider->anchored.ride_arm)), w};
}

// Adds: y += X^T load.
static void anchor_bear(const tni_mechanism_body *rider, const double *load, double *y) {
    tni_dvec3 force = anchor_load(load);
    tni_dvec3 torque =
        dvec3_add(anchor_load(load + 3), dvec3_cross(rider->anchored.ride_arm, force));
    tni_mechanism_store6(y, dvec3_add(anchor_load(y), force),
                         dvec3_add(anchor_load(y + 3), torque));
}

// Sets f, which stands in the third row of the inverse, and returns what it adds to the carrier's s
// . M s.
static double anchor_weigh_ride(tni_mechanism_body *rider, const double *of_carrier) {
    const tni_mechanism_joint *joint = rider->anchored.joint;
    double *f = rider->block.inverse[2];
    tni_twist carried = anchor_carry(rider, of_carrier);
    tni_mechanism_store6(f, carried.linear, carried.angular);
    double across = tni_mechanism_dot6(rider->anchored.freedom_momentum, f), mass = 0.0;
    tni_mechanism_add6(f, -(rider->block.inverse[1][0] * across), rider->block.inverse[0]);
    if (rider->anchored.has_actor) {
        rider->anchored.ride_share = rider->anchored.actor_share * rider->anchored.lever * across;
        mass =
            joint->softness[ANCHOR_ROWS] * rider->anchored.ride_share * rider->anchored.ride_share;
    }
    anchor_weigh(rider, f, rider->anchored.ride_momentum);
    return mass + tni_mechanism_dot6(f, rider->anchored.ride_momentum);
}

// Weighs a body and those that ride on it.
static bool anchor_weigh_all(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    double beside = 0.0;
    bool is_sound = true;
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        tni_mechanism_body *rider = &mechanism->bodies[r];
        is_sound &= anchor_weigh_freedom(rider, 0.0);
        beside += anchor_weigh_ride(rider, body->block.inverse[0]);
    }
    return is_sound && anchor_weigh_freedom(body, beside);
}

bool tni_mechanism_invert_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    if (body->place.carrier != TNI_NONE) {
        return true; // with its carrier
    }
    anchor_open(mechanism, body);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        anchor_open(mechanism, &mechanism->bodies[r]);
        anchor_open_ride(&mechanism->bodies[r]);
    }
    if (anchor_weigh_all(mechanism, body)) {
        return true;
    }
    // Under compression the matrix does without curvature that takes away from M.
    body->block.has_curvature = false;
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        mechanism->bodies[r].block.has_curvature = false;
    }
    return anchor_weigh_all(mechanism, body);
}

// ---- right sides -------------------------------------------------------------------------------

// Puts d in the place of the change; a rider's d counts beside the motion that its carrier gives
// it.
static void anchor_start(const tni_mechanism *mechanism, tni_mechanism_body *body,
                         bool was_at_rest) {
    anchor_rows rows = anchor_get_rows(body);
    const double *x = anchor_get_unknowns(mechanism, body);
    double *d = body->change, *given = body->anchored.given;
    for (uint32_t c = 0; c < 6; c += 2) {
        d2_store(given + c, was_at_rest ? d2_splat(0.0) : d2_load(d + c));
    }
    tni_twist motion = anchor_find_motion(&rows, body, x);
    tni_mechanism_store6(d, motion.linear, motion.angular);
    if (body->anchored.has_actor) {
        body->anchored.actor_fault =
            x[ANCHOR_ROWS] +
            tni_mechanism_dot6(rows.joint->rows[ANCHOR_ROWS].jacobian + rows.first, d);
    }
    if (body->place.carrier != TNI_NONE) {
        tni_twist carried = anchor_carry(body, mechanism->bodies[body->place.carrier].change);
        tni_mechanism_store6(d, dvec3_add(motion.linear, carried.linear),
                             dvec3_add(motion.angular, carried.angular));
    }
    body->anchored.pull = tni_mechanism_dot6(body->block.inverse[0], given) -
                          tni_mechanism_dot6(body->anchored.freedom_momentum, d);
}

// Returns q, which follows from the pull, and finds the unknown of the row beside the anchor's.
static double anchor_find_way(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    double q = body->block.inverse[1][0] * body->anchored.pull;
    if (body->anchored.has_actor) {
        double *x = anchor_get_unknowns(mechanism, body), e = body->anchored.actor_fault;
        q -= body->anchored.actor_share * body->anchored.lever * e;
        x[ANCHOR_ROWS] = -body->anchored.actor_share * (body->anchored.lever * body->anchored.pull +
                                                        body->anchored.freedom_mass * e);
    }
    return q;
}

// Adds: change += q s.
static void anchor_go(tni_mechanism_body *body, const double *s, double q) {
    tni_mechanism_add6(body->change, q, s);
}

// Moves a rider, whose carrier goes by `way`.
static void anchor_ride(const tni_mechanism *mechanism, tni_mechanism_body *rider, double way) {
    anchor_go(rider, rider->block.inverse[2], way);
    if (rider->anchored.has_actor) {
        anchor_get_unknowns(mechanism, rider)[ANCHOR_ROWS] += rider->anchored.ride_share * way;
    }
}

void tni_mechanism_start_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body,
                                  bool was_at_rest) {
    if (body->place.carrier != TNI_NONE) {
        return; // with its carrier
    }
    anchor_start(mechanism, body, was_at_rest);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        tni_mechanism_body *rider = &mechanism->bodies[r];
        anchor_start(mechanism, rider, was_at_rest);
        body->anchored.pull += tni_mechanism_dot6(rider->block.inverse[2], rider->anchored.given) -
                               tni_mechanism_dot6(rider->anchored.ride_momentum, rider->change);
        body->anchored.pull += rider->anchored.has_actor
                                   ? rider->anchored.ride_share * rider->anchored.actor_fault
                                   : 0.0;
    }
    double way = anchor_find_way(mechanism, body);
    anchor_go(body, body->block.inverse[0], way);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        tni_mechanism_body *rider = &mechanism->bodies[r];
        anchor_go(rider, rider->block.inverse[0], anchor_find_way(mechanism, rider));
        anchor_ride(mechanism, rider, way);
    }
}

// ---- solutions ---------------------------------------------------------------------------------

// Returns how far a pull by the joints at its ends moves the body along s.
static double anchor_push_on(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                             double pull) {
    if (body->anchored.has_actor) {
        anchor_get_unknowns(mechanism, body)[ANCHOR_ROWS] -=
            body->anchored.actor_share * body->anchored.lever * pull;
    }
    return body->block.inverse[1][0] * pull;
}

// Finds the impulses of its anchor, which are the remaining part of what moves it. `load` begins as
// what they give to the bodies that ride on it, and ends with what the body itself gets added.
static void anchor_finish(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                          double load[6]) {
    anchor_rows rows = anchor_get_rows(body);
    double *x = anchor_get_unknowns(mechanism, body), gain[6], left[6];
    anchor_weigh(body, body->change, gain);
    for (uint32_t c = 0; c < 6; c += 2) {
        tni_d2 got = d2_add(d2_load(body->anchored.given + c), d2_load(body->anchored.pushed + c));
        tni_d2 sum = d2_add(d2_load(load + c), d2_sub(d2_load(gain + c), got));
        d2_store(load + c, sum);
        d2_store(left + c, sum);
    }
    if (body->anchored.has_actor) {
        const double *j = rows.joint->rows[ANCHOR_ROWS].jacobian + rows.first;
        tni_mechanism_add6(left, -x[ANCHOR_ROWS], j);
    }
    anchor_find_impulses(&rows, body, left, x);
}

// Finishes the anchors of a body that has moved, and of those that ride on it.
static void anchor_finish_all(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    double load[6] = {0.0};
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        const tni_mechanism_body *rider = &mechanism->bodies[r];
        double own[6] = {0.0};
        anchor_finish(mechanism, rider, own);
        anchor_bear(rider, own, load);
    }
    anchor_finish(mechanism, body, load);
}

void tni_mechanism_finish_anchored(const tni_mechanism *mechanism, tni_mechanism_body *body) {
    double pull = tni_mechanism_dot6(body->block.inverse[0], body->anchored.pushed);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        const tni_mechanism_body *rider = &mechanism->bodies[r];
        pull += tni_mechanism_dot6(rider->block.inverse[2], rider->anchored.pushed);
    }
    double way = anchor_push_on(mechanism, body, pull);
    anchor_go(body, body->block.inverse[0], way);
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        tni_mechanism_body *rider = &mechanism->bodies[r];
        pull = tni_mechanism_dot6(rider->block.inverse[0], rider->anchored.pushed);
        anchor_go(rider, rider->block.inverse[0], anchor_push_on(mechanism, rider, pull));
        anchor_ride(mechanism, rider, way);
    }
    if (!mechanism->stage.asks_for_changes) {
        anchor_finish_all(mechanism, body);
    }
}
