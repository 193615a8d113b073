// collision/path/path_meet.c: sweeps over a way that is known.
//
// The shapes are moved by conservative advancement as in collision/path/path.c, until they touch. A
// body that hangs on a joint goes round, so the way between two poses is that of a screw: with the
// turn w dt between them and d the way of the centre of mass, its axis is off from there by
//
//     c = d'/2 + cot(|w| dt / 2) (w/|w| x d') / 2,       d' the part of d across w
//
// and a point of the axis goes straight on, by the remaining part of d. The "position" of a path's
// end may be any point of the body that goes straight. Test: tests/solver/touches/test_touch_net.c
#include "collision/path/path_meet.h"

#include <math.h>

#define MEET_STEPS 32
// A body that has turned far is swept as a ball of this share of its inner radius.
#define MEET_BALL 0.25f
// rad: a body that turns by less than this goes straight.
#define MEET_TURN 1e-3
// A bound in float is multiplied by this to leave room for its round-off.
#define MEET_ROUND_OFF 1.0001

// Makes a shape smaller by a factor. It keeps the same share of its inner radius away from the
// whole's surface.
static tni_geometry meet_shrink(const tni_geometry *whole, float factor) {
    tni_geometry core = *whole;
    core.rounding *= factor;
    switch (whole->type) {
    case TNI_GEOMETRY_BOX:
        core.box.half_extents = glms_vec3_scale(whole->box.half_extents, factor);
        break;
    case TNI_GEOMETRY_ELLIPSOID:
        core.ellipsoid.radii = glms_vec3_scale(whole->ellipsoid.radii, factor);
        break;
    case TNI_GEOMETRY_CYLINDER:
        core.cylinder.half_length *= factor;
        core.cylinder.radius_bottom *= factor;
        core.cylinder.radius_top *= factor;
        break;
    default:
        core.tapered_capsule.half_length *= factor;
        core.tapered_capsule.radius_bottom *= factor;
        core.tapered_capsule.radius_top *= factor;
        break;
    }
    return core;
}

tni_geometry tni_path_make_core(const tni_geometry *whole, float inner, bool is_ball) {
    tni_geometry core = *whole;
    float less = TNI_MEET_CORE * inner;
    core.stretch = NULL;
    if (!is_ball && (tni_geometry_is_curved(whole) ||
                     (whole->type == TNI_GEOMETRY_BOX && whole->rounding > 0.0f))) {
        return meet_shrink(whole, 1.0f - TNI_MEET_CORE);
    }
    core.rounding = 0.0f;
    if (is_ball || whole->type == TNI_GEOMETRY_HULL || whole->type == TNI_GEOMETRY_SPHERE) {
        core.type = TNI_GEOMETRY_SPHERE;
        core.sphere.radius = is_ball ? MEET_BALL * inner : inner - less;
    } else if (whole->type == TNI_GEOMETRY_CAPSULE) {
        core.capsule.radius -= less;
    } else {
        vec3s h = whole->box.half_extents;
        core.box.half_extents = maths_vec3(h.x - less, h.y - less, h.z - less);
    }
    return core;
}

void tni_path_center_core(const tni_geometry *whole, tni_path_end *core) {
    if (whole->type == TNI_GEOMETRY_HULL) {
        vec3s middle = maths_rotate(core->rotation, whole->hull.hull->center);
        core->center = dvec3_add(core->center, dvec3_from_float(middle));
    }
}

double tni_path_end_span(tni_path_end *end, const tni_dpose *from, const tni_dpose *to, double dt) {
    tni_dvec3 turn = dquat_get_turn(from->rotation, to->rotation);
    tni_dvec3 way = dvec3_sub(to->position, from->position);
    double angle = dvec3_length(turn), off = 0.0;
    end->position = from->position;
    if (angle > MEET_TURN) {
        tni_dvec3 axis = dvec3_scale(turn, 1.0 / angle);
        tni_dvec3 along = dvec3_scale(axis, dvec3_dot(axis, way));
        tni_dvec3 across = dvec3_sub(way, along);
        double cot = tni_maths_cos(0.5 * angle) / tni_maths_sin(0.5 * angle);
        tni_dvec3 c = dvec3_scale(dvec3_add_scaled(across, cot, dvec3_cross(axis, across)), 0.5);
        end->position = dvec3_add(end->position, c);
        off = dvec3_length(c);
        way = along;
    }
    end->velocity = dvec3_scale(way, 1.0 / dt);
    end->angular_velocity = dvec3_scale(turn, 1.0 / dt);
    return off;
}

// Returns the path with a margin beyond which the shapes do not meet in the remaining time: half of
// that, for looks go twice as far. Shapes farther apart have no points, and most pairs are.
static tni_path meet_get_path(const tni_path *path, double left) {
    tni_path out = *path;
    double speed = dvec3_length(dvec3_sub(path->a.velocity, path->b.velocity)) + path->reach_speed;
    out.margin = fminf(path->margin, (float)(0.5 * MEET_ROUND_OFF * speed * left));
    return out;
}

double tni_path_find_meeting(const tni_path *path, double touch, double most) {
    double t = 0.0;
    for (int i = 0; i < MEET_STEPS; ++i) {
        tni_manifold manifold;
        tni_path left = meet_get_path(path, most - t);
        double gap = tni_path_look(&left, t, &manifold);
        tni_dvec3 n = dvec3_from_float(manifold.normal);
        double closing = dvec3_dot(n, dvec3_sub(path->a.velocity, path->b.velocity));
        double coming = closing * most;
        closing += path->reach_speed;
        bool parts = manifold.point_count == 0 || !(closing * (most - t) > gap);
        bool lies_there = i == 0 && gap <= touch && (gap <= -touch || coming <= touch);
        if (parts || lies_there) {
            return 2.0;
        }
        if (gap <= touch) {
            break;
        }
        t += gap / closing;
    }
    return t / path->dt;
}
