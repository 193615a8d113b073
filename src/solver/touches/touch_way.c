// solver/touches/touch_way.c: a touch along the way of its pair through the next substep.
//
// Contacts of mechanisms are planes that hold for a substep, as those of other bodies are for a
// step (collision/path/path.c): a block that a link swings past does not push it. The ends keep
// their velocities, except for the pull of their joints: a body that hangs on a joint does not go
// straight. The mean velocity of a substep h is v + b with the bend
//
//     b = - W J^T (J W J^T)^-1 C(q + h v) / h
//
// for C(q + h v), by which the joints would open if bodies went straight on, is h^2/2 dJ/dt v up to
// the third order. It takes one solve with the factor of the projection, and only for a mechanism
// whose bodies would leave their straight way by more than TOUCH_STRAIGHT. Gaps are linear in the
// velocities v of the substep's beginning. h J b is added to the gaps, so that a body that goes on
// as foreseen meets the planes as foreseen. Test: tests/solver/touches/test_touch_way.c
#include <string.h>

#include "collision/path/path.h"
#include "collision/path/path_hold.h"
#include "solver/exact/mechanism_span.h"
#include "solver/touches/touch.h"

// m: a body that leaves its straight way by no more than this within a substep counts as straight.
#define TOUCH_STRAIGHT 2e-4

// ---- what joints do to ways --------------------------------------------------------------------

void tni_touches_straighten(tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            if (set->touches[i].ends[e].mechanism != NULL) {
                set->touches[i].ends[e].mechanism->touch.bend = TNI_BEND_UNKNOWN;
            }
        }
    }
}

void tni_touches_hold_straight(tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            if (set->touches[i].ends[e].mechanism != NULL) {
                set->touches[i].ends[e].mechanism->touch.bend = TNI_BEND_NONE;
            }
        }
    }
}

// Returns by how much a body can leave its straight way within h, m.
static double touch_get_sag(const tni_mechanism *mechanism, double h) {
    double v2 = 0.0, w2 = 0.0;
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        const tni_body_motion *motion = &mechanism->bodies[i].motion;
        v2 = maths_max_d(v2, dvec3_dot(motion->velocity, motion->velocity));
        w2 = maths_max_d(w2, dvec3_dot(motion->angular_velocity, motion->angular_velocity));
    }
    return 0.5 * h * h * sqrt(v2 * w2);
}

static void touch_go_straight(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 r = dvec3_scale(body->motion.angular_velocity, h);
        double more = 1.0 + dvec3_dot(r, r) / 12.0; // of Cayley's map: see solver/exact/midpoint.c
        body->end = body->motion;
        body->end.position = dvec3_add_scaled(body->motion.position, h, body->motion.velocity);
        body->end.rotation = dquat_mul(dquat_cayley(dvec3_scale(r, more)), body->motion.rotation);
    }
}

// Finds how fast the joints would open straight on.
static void touch_open_joint(tni_mechanism *mechanism, uint32_t index, double h) {
    const tni_mechanism_joint *joint = &mechanism->joints[index];
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS], *r = tni_mechanism_of_joint(mechanism, index);
    tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].end,
                            &mechanism->bodies[joint->b].end, errors);
    for (uint32_t k = 0; k < joint->row_count; ++k) {
        r[k] = k < joint->equality_count ? (errors[k] - joint->rest[k]) / h : 0.0;
    }
}

static void touch_make_bends(tni_mechanism *mechanism, double h) {
    touch_go_straight(mechanism, h);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        touch_open_joint(mechanism, i, h);
    }
    tni_mechanism_spans_clear(mechanism);
    tni_mechanism_solve(mechanism, true);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memcpy(mechanism->touch.bends + 6 * i, mechanism->bodies[i].change, 6 * sizeof(double));
    }
}

// Finds the bends. Returns false where the mechanism goes straight.
static bool touch_bend(tni_mechanism *mechanism, double h) {
    if (mechanism->touch.bend == TNI_BEND_UNKNOWN) {
        bool bends = !mechanism->traits.is_coupled &&
                     touch_get_sag(mechanism, h) > TOUCH_STRAIGHT && tni_touch_factor(mechanism);
        mechanism->touch.bend = bends ? TNI_BEND_MADE : TNI_BEND_NONE;
        if (bends) {
            touch_make_bends(mechanism, h);
        }
    }
    return mechanism->touch.bend == TNI_BEND_MADE;
}

// ---- the way -----------------------------------------------------------------------------------

static void touch_set_path_end(const tni_touch_end *end, double h, tni_path_end *out,
                               tni_twist *out_bend) {
    const tni_body_motion *motion = end->motion;
    *out_bend = end->bend;
    if (end->mechanism != NULL && touch_bend(end->mechanism, h)) {
        const double *d = end->mechanism->touch.bends + 6 * end->local;
        out_bend->linear = dvec3_make(d[0], d[1], d[2]);
        out_bend->angular = dvec3_make(d[3], d[4], d[5]);
    }
    tni_dquat rotation = dquat_mul(motion->rotation, end->rotation);
    *out =
        (tni_path_end){.geometry = end->geometry,
                       .center = tni_touch_get_center(end),
                       .rotation = maths_quat_normalize(dquat_to_float(rotation)),
                       .position = motion->position,
                       .velocity = dvec3_add(motion->velocity, out_bend->linear),
                       .angular_velocity = dvec3_add(motion->angular_velocity, out_bend->angular)};
}

// Is the pair far apart? Compares the least gap with what the ends may close in h on any way.
static bool touch_is_far(const tni_touch *touch, const tni_manifold *manifold, double h) {
    double way = 0.0, least = HUGE_VAL;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_touch_end *end = &touch->ends[e];
        way += h * end->reach * dvec3_length(end->motion->angular_velocity);
        way += end->mechanism != NULL ? 2.0 * touch_get_sag(end->mechanism, h) : 0.0;
        way += h * (dvec3_length(end->bend.linear) + end->reach * dvec3_length(end->bend.angular));
    }
    way += h * dvec3_length(
                   dvec3_sub(touch->ends[0].motion->velocity, touch->ends[1].motion->velocity));
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        least = maths_min_d(least, (double)manifold->points[p].separation);
    }
    return least > way;
}

static bool touch_stays(const tni_path *path, tni_touch *touch, const tni_manifold *manifold) {
    const tni_path_end *a = &path->a, *b = &path->b;
    bool is_confirmed;
    tni_path_sums sums = {.manifold = manifold,
                          .velocity_a = a->velocity,
                          .velocity_b = b->velocity,
                          .spin_a = a->angular_velocity,
                          .spin_b = b->angular_velocity,
                          .from_a = dvec3_sub(path->origin, a->position),
                          .from_b = dvec3_sub(path->origin, b->position),
                          .dt = path->dt,
                          .tolerance = path->tolerance,
                          .reach_speed = path->reach_speed,
                          .has_axes = tni_geometry_is_sharp(a->geometry) &&
                                      tni_geometry_is_sharp(b->geometry),
                          .is_confirmed = touch->is_confirmed};
    bool stays = tni_path_stays(&sums, &is_confirmed);
    touch->is_confirmed |= stays && is_confirmed;
    return stays;
}

// Adds h J b, by the bends, to the gaps. They only open present planes, and those of points that do
// not push.
static void touch_add_bends(const tni_path *path, const tni_twist bends[2], double h,
                            const tni_dvec3 *offset, bool is_walked, tni_manifold *manifold) {
    tni_dvec3 n = dvec3_from_float(manifold->normal);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        tni_manifold_point *point = &manifold->points[p];
        tni_dvec3 at = dvec3_add(path->origin, dvec3_from_float(point->position));
        tni_dvec3 r_a = dvec3_sub(at, path->a.position), r_b = dvec3_add(r_a, *offset);
        tni_dvec3 u = dvec3_sub(bends[1].linear, bends[0].linear);
        u = dvec3_add(u, dvec3_cross(bends[1].angular, r_b));
        u = dvec3_sub(u, dvec3_cross(bends[0].angular, r_a));
        double way = h * dvec3_dot(n, u);
        if (is_walked || (way > 0.0 && point->separation > 0.0f)) {
            point->separation += (float)way;
        }
    }
}

static bool touch_pushes(const tni_touch *touch) {
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        if (touch->impulse[p] != 0.0) {
            return true;
        }
    }
    return false;
}

void tni_touch_follow(const tni_solver *solver, tni_touch *touch, tni_dvec3 origin, double ahead,
                      tni_manifold *manifold, tni_dvec3 *offset, float gaps[TNI_LANES]) {
    if (touch_is_far(touch, manifold, ahead)) {
        return;
    }
    tni_path path = {.origin = origin, .dt = ahead};
    tni_twist bends[2];
    touch_set_path_end(&touch->ends[0], ahead, &path.a, &bends[0]);
    touch_set_path_end(&touch->ends[1], ahead, &path.b, &bends[1]);
    path.margin = tni_touch_get_margin(solver, touch);
    path.tolerance = tni_path_get_tolerance(path.a.geometry, path.b.geometry);
    path.reach_speed = tni_path_get_turn_speed(&path.a, (float)touch->ends[0].reach) +
                       tni_path_get_turn_speed(&path.b, (float)touch->ends[1].reach);
    tni_path_meeting meeting = {0};
    if (!touch_stays(&path, touch, manifold)) {
        tni_path_follow(&path, manifold, &meeting);
    }
    touch->is_confirmed |= meeting.is_confirmed;
    touch->is_walked = meeting.is_walked;
    if (meeting.is_walked) {
        *manifold = meeting.manifold;
        *offset = meeting.offset;
        memcpy(gaps, meeting.gaps, manifold->point_count * sizeof *gaps);
    } else if (meeting.hits || touch_pushes(touch)) {
        return;
    }
    touch_add_bends(&path, bends, ahead, offset, meeting.is_walked, manifold);
}
