// collision/path/path.c: planes that hold on the whole way of a pair.
//
// A contact is a plane that two convex shapes may not cross, and the solver keeps it for a step.
// A plane that is made where the shapes stand when the step begins is wrong for moving shapes: the
// plane that parts a box from the next tile of its floor stands across its way. Convex shapes that
// move straight along are parted by one plane for as long as they do not meet, that of their
// nearest approach, and when they meet they do so at planes of that time. So a pair whose planes
// would be crossed within the step is followed, by conservative advancement (B. Mirtich,
// "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3.2), until planes are
// found that are not, or the shapes meet. With m(t) the manifold at t, n its normal, s_p the gaps
// of its points, s the least of them, r_a, r_b the arms:
//
//     point speed  c_p = n.(v_a + w_a x r_a - v_b - w_b x r_b)     what the point itself does
//     bound        c   = n.(v_a - v_b) + |w_a| R_a + |w_b| R_b     no surface closes faster
//     end          e   = min s_p - c_p (dt - t)                    gap at the end, straight on
//     tolerance    q                                               a shallow overlap
//
// The planes hold from t on when e > 0, for boxes and hulls e > q, and for turning shapes s - c (dt
// - t) > -q; where shapes turn by less than a fifth of a radian, e is enough at the start. The way
// goes on by (s + 2 q) / c, or as long as the plane parts the shapes (path_step.h), to a shallow
// overlap and not to none: of two axes the one that has been shallow for long carries, and the one
// that has just closed stands across the way. If both are shallow, as at a seam of tiles, b is
// pushed along -n and looked at again: another axis that closes more slowly than n is the one that
// carries (`confirm`).
//
// The planes found at t are brought back to the start, for the solver follows gaps from there to
// first order: arms and normal are those of t, and each gap is s_p + c_p t. Then its gap at t is
// s_p.
// Test: tests/collision/path/test_path.c
#include "collision/path/path.h"

#include <math.h>

#include "collision/narrow.h"
#include "collision/path/path_hold.h"
#include "collision/path/path_step.h"

// A way has this many steps at most, and an interval of it is halved this many times.
#define PATH_STEPS  16
#define PATH_HALVES 12
// rad within dt: a pair that turns farther is not left without planes, though they are in its way.
// The second is the share of the inner radius by which turning may move the surface of bodies that
// joints hold.
#define PATH_MOST_TURN 0.6
#define PATH_STRAIGHT  0.02
// rad within dt: beyond this, first order does not say where points were at the start.
#define PATH_FIRST_ORDER 1.6
// m: round shapes, whose normals depth spoils, have this tolerance at most, and this share of that
// of others.
#define PATH_ROUND_MOST  1e-4
#define PATH_ROUND_SHARE 0.1
// A shape goes along a surface when less than this share of its speed is off it.
#define PATH_ALONG 0.05
// Two normals closer than this are one: 1 - cosine.
#define PATH_SAME 1e-4

// This is the pair at a time.
typedef struct path_view {
    tni_manifold manifold;
    double time;
    double gap;     // s
    double closing; // c, m/s
    double end;     // e, m
} path_view;

// ---- shapes -----------------------------------------------------------------------------------

double tni_path_get_tolerance(const tni_geometry *a, const tni_geometry *b) {
    double tolerance =
        (double)narrow_axis_tolerance(tni_geometry_inner_radius(a), tni_geometry_inner_radius(b));
    bool is_round = tni_geometry_may_roll(a) || tni_geometry_may_roll(b);
    return is_round ? maths_min_d(PATH_ROUND_SHARE * tolerance, PATH_ROUND_MOST) : tolerance;
}

double tni_path_get_turn_speed(const tni_path_end *end, float reach) {
    const tni_geometry *geometry = end->geometry;
    tni_dvec3 w = end->angular_velocity;
    if (tni_geometry_is_revolution(geometry)) {
        tni_dvec3 axis = dquat_axis_y(dquat_from_float(end->rotation));
        double own = (double)tni_geometry_reach(geometry, geometry->position);
        return dvec3_length(dvec3_cross(w, dvec3_sub(end->center, end->position))) +
               dvec3_length(dvec3_cross(w, axis)) * own;
    }
    if (!tni_geometry_is_round(geometry) || geometry->stretch != NULL) {
        return dvec3_length(w) * (double)reach;
    }
    double speed = dvec3_length(dvec3_cross(w, dvec3_sub(end->center, end->position)));
    if (geometry->type == TNI_GEOMETRY_CAPSULE) {
        tni_dvec3 axis = dquat_axis_y(dquat_from_float(end->rotation));
        speed += dvec3_length(dvec3_cross(w, axis)) * (double)geometry->capsule.half_length;
    }
    return speed;
}

static bool path_has_axes(const tni_path *path) {
    return tni_geometry_is_sharp(path->a.geometry) && tni_geometry_is_sharp(path->b.geometry);
}

// ---- the pair at a time -----------------------------------------------------------------------

static tni_dvec3 path_get_position(const tni_path_end *end, double t) {
    return dvec3_add_scaled(end->position, t, end->velocity);
}

tni_path_end tni_path_end_move(const tni_path_end *end, double t) {
    tni_path_end out = *end;
    tni_dvec3 w = end->angular_velocity;
    bool turns = w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
    if (turns && t == 0.0) { // by nothing: what is left of the sums below
        out.rotation = maths_quat_normalize(end->rotation);
        out.center = dvec3_add(end->position, dvec3_sub(end->center, end->position));
    } else if (turns) {
        tni_dquat turn = dquat_turn(w, t);
        tni_dquat rotation = dquat_mul(turn, dquat_from_float(end->rotation));
        out.rotation = maths_quat_normalize(dquat_to_float(rotation));
        tni_dvec3 arm = dvec3_sub(end->center, end->position);
        out.center = dvec3_add(end->position, dquat_rotate(turn, arm));
    }
    out.center = dvec3_add_scaled(out.center, t, end->velocity);
    out.position = path_get_position(end, t);
    return out;
}

static tni_frame path_frame(const tni_path *path, const tni_path_end *end, double t) {
    tni_path_end then = tni_path_end_move(end, t);
    tni_frame frame = {dvec3_to_float(dvec3_sub(then.center, path->origin)), then.rotation};
    return frame;
}

// Returns c_p.
static double path_get_point_speed(const tni_path *path, const path_view *view,
                                   const tni_manifold_point *p) {
    const tni_path_end *a = &path->a, *b = &path->b;
    tni_dvec3 n = dvec3_from_float(view->manifold.normal);
    tni_dvec3 at = dvec3_add(path->origin, dvec3_from_float(p->position));
    tni_dvec3 r_a = dvec3_sub(at, path_get_position(a, view->time));
    tni_dvec3 r_b = dvec3_sub(at, path_get_position(b, view->time));
    tni_dvec3 u = dvec3_sub(a->velocity, b->velocity);
    u = dvec3_add(u, dvec3_cross(a->angular_velocity, r_a));
    u = dvec3_sub(u, dvec3_cross(b->angular_velocity, r_b));
    return dvec3_dot(n, u);
}

// Measures a view by its manifold: gap, closing speed, and gap at the end.
static void path_measure(const tni_path *path, path_view *view) {
    const tni_path_end *a = &path->a, *b = &path->b;
    const tni_manifold *manifold = &view->manifold;
    tni_path_sums sums = {.manifold = manifold,
                          .velocity_a = a->velocity,
                          .velocity_b = b->velocity,
                          .spin_a = a->angular_velocity,
                          .spin_b = b->angular_velocity,
                          .from_a = dvec3_sub(path->origin, path_get_position(a, view->time)),
                          .from_b = dvec3_sub(path->origin, path_get_position(b, view->time)),
                          .dt = path->dt - view->time};
    tni_dvec3 n = dvec3_from_float(manifold->normal);
    view->closing = dvec3_dot(n, dvec3_sub(a->velocity, b->velocity)) + path->reach_speed;
    view->gap = manifold->point_count > 0 ? (double)tni_manifold_get_least(manifold) : HUGE_VAL;
    view->end = tni_path_get_end(&sums);
}

// Looks at the pair at t, with b pushed by `push`.
static void path_look(const tni_path *path, double t, vec3s push, path_view *view) {
    tni_frame frame_a = path_frame(path, &path->a, t), frame_b = path_frame(path, &path->b, t);
    frame_b.position = glms_vec3_add(frame_b.position, push);
    tni_manifold_cache cache = {0};
    view->time = t;
    tni_manifold_compute(path->a.geometry, &frame_a, path->b.geometry, &frame_b,
                         2.0f * path->margin, &cache, &view->manifold);
    path_measure(path, view);
}

double tni_path_look(const tni_path *path, double t, tni_manifold *out_manifold) {
    path_view view;
    path_look(path, t, maths_vec3_zero(), &view);
    *out_manifold = view.manifold;
    return view.gap;
}

// ---- the way ----------------------------------------------------------------------------------

static bool path_is_same_normal(const path_view *a, const path_view *b) {
    return (double)glms_vec3_dot(a->manifold.normal, b->manifold.normal) > 1.0 - PATH_SAME;
}

// Confirms the axis: two axes may be shallow at once, and the one that closes faster has closed
// last.
static void path_confirm(const tni_path *path, path_view *view) {
    if (!path_has_axes(path)) {
        return;
    }
    path_view other;
    double way = view->gap + path->tolerance;
    path_look(path, view->time, glms_vec3_scale(view->manifold.normal, (float)-way), &other);
    if (other.manifold.point_count == 0 || path_is_same_normal(view, &other) ||
        other.closing >= view->closing) {
        return;
    }
    // The gap is taken as it is without the push.
    float back = (float)(way * (double)glms_vec3_dot(view->manifold.normal, other.manifold.normal));
    for (uint32_t p = 0; p < other.manifold.point_count; ++p) {
        tni_manifold_point *point = &other.manifold.points[p];
        point->separation += back;
        point->position =
            maths_vec3_add_scaled(point->position, (float)(0.5 * way), view->manifold.normal);
    }
    path_measure(path, &other);
    *view = other;
}

static bool path_turns(const tni_path *path, double most) {
    double turn = dvec3_length(path->a.angular_velocity) + dvec3_length(path->b.angular_velocity);
    return path->reach_speed > 0.0 && turn * path->dt > most;
}

// Turns v by a rotation vector, by the Cayley form, which is right to 1e-5 at half a radian.
static tni_dvec3 path_turn_vector(tni_dvec3 v, tni_dvec3 turn) {
    double square = dvec3_dot(turn, turn);
    turn = dvec3_scale(turn, 1.0 + square * (1.0 / 12.0 + square * (1.0 / 120.0)));
    double scale = 1.0 / (1.0 + 0.25 * dvec3_dot(turn, turn));
    tni_dvec3 across = dvec3_cross(turn, v);
    v = dvec3_add_scaled(v, scale, across);
    return dvec3_add_scaled(v, 0.5 * scale, dvec3_cross(turn, across));
}

// Returns how far the shape of a body reaches along d at t, from the manifolds' origin: d is turned
// back to the pose that the shape has at first.
static double path_get_top(const tni_path *path, const tni_path_end *end, double t, tni_dvec3 d) {
    tni_dvec3 then = path_turn_vector(d, dvec3_scale(end->angular_velocity, -t));
    vec3s own = maths_rotate_inverse(end->rotation, dvec3_to_float(then));
    return dvec3_dot(d, dvec3_sub(path_get_position(end, t), path->origin)) +
           dvec3_dot(then, dvec3_sub(end->center, end->position)) +
           (double)tni_geometry_extent(end->geometry, own);
}

// Do the planes of a view still part the whole shapes at the end, and half way to it?
static bool path_is_parted(const tni_path *path, const path_view *view, double least) {
    tni_dvec3 n = dvec3_from_float(view->manifold.normal), back = dvec3_scale(n, -1.0);
    if (path->a.geometry->stretch != NULL || path->b.geometry->stretch != NULL) {
        return false;
    }
    for (int half = 1; half <= 2; ++half) {
        double t = view->time + 0.5 * half * (path->dt - view->time);
        if (-path_get_top(path, &path->b, t, back) - path_get_top(path, &path->a, t, n) <= least) {
            return false;
        }
    }
    return true;
}

// Do the planes of a view hold? At the start the points' speeds describe the whole way, if the
// shapes do not turn. Planes that come nearer than `least` by its end do not hold.
static bool path_holds(const tni_path *path, const path_view *view, double least) {
    least = path_has_axes(path) ? path->tolerance : least;
    if (view->end <= least) {
        return false;
    }
    double left = path->dt - view->time;
    bool is_told =
        view->time == 0.0 && (view->gap <= path->tolerance || !path_turns(path, TNI_PATH_TURN));
    return is_told || view->gap - view->closing * left > -path->tolerance ||
           path_is_parted(path, view, least);
}

// Returns the least gap that the planes of a later time have at the start.
static double path_get_start_gap(const tni_path *path, const path_view *view) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < view->manifold.point_count; ++i) {
        const tni_manifold_point *p = &view->manifold.points[i];
        double speed = path_get_point_speed(path, view, p);
        least = maths_min_d(least, (double)p->separation + speed * view->time);
    }
    return least;
}

// Drops points that leave: a shape that turns far may have points at a later time that go away
// then, and by first order would have been behind their planes at the start. Only points that come
// to meet count.
static void path_drop_leaving(const tni_path *path, path_view *view) {
    tni_manifold *manifold = &view->manifold;
    uint32_t count = 0;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        const tni_manifold_point *p = &manifold->points[i];
        double way = path_get_point_speed(path, view, p) * view->time;
        if ((double)p->separation + way >= -path->tolerance) {
            manifold->points[count++] = *p;
        }
    }
    manifold->point_count = count;
}

// Finds planes that are in no shape's way before their time either, between `from`, whose planes
// are crossed later, and the view's time, whose planes are crossed before. Returns false when there
// are none.
static bool path_guard(const tni_path *path, double from, path_view *view) {
    double low = from, high = view->time;
    for (int i = 0; i < PATH_HALVES; ++i) {
        bool holds_later = path_holds(path, view, 0.0);
        if (holds_later && path_get_start_gap(path, view) >= -path->tolerance) {
            return true;
        }
        low = holds_later ? low : view->time;
        high = holds_later ? view->time : high;
        path_look(path, 0.5 * (low + high), maths_vec3_zero(), view);
    }
    return path_holds(path, view, 0.0) && path_get_start_gap(path, view) >= -path->tolerance;
}

// Are the ways of the shapes' points known well enough to leave them without planes?
static bool path_is_known(const tni_path *path) {
    if (path->is_held) {
        float inner = maths_min(tni_geometry_inner_radius(path->a.geometry),
                                tni_geometry_inner_radius(path->b.geometry));
        return path->reach_speed * path->dt < PATH_STRAIGHT * (double)inner;
    }
    tni_dvec3 w_a = path->a.angular_velocity, w_b = path->b.angular_velocity;
    double square = maths_max_d(dvec3_dot(w_a, w_a), dvec3_dot(w_b, w_b));
    return square * path->dt * path->dt < PATH_MOST_TURN * PATH_MOST_TURN;
}

// Do the shapes overlap and go along each other's surface?
static bool path_is_carried(const tni_path *path, const path_view *start) {
    tni_dvec3 u = dvec3_sub(path->a.velocity, path->b.velocity);
    double off = dvec3_dot(dvec3_from_float(start->manifold.normal), u);
    return start->gap <= 0.0 && fabs(off) < PATH_ALONG * dvec3_length(u);
}

// Brings planes back to the start: see the head.
static void path_bring_back(const tni_path *path, const path_view *view,
                            tni_path_meeting *meeting) {
    double t = view->time;
    vec3s way_a = dvec3_to_float(dvec3_scale(path->a.velocity, -t));
    meeting->manifold = view->manifold;
    for (uint32_t i = 0; i < view->manifold.point_count; ++i) {
        tni_manifold_point *p = &meeting->manifold.points[i];
        double speed = path_get_point_speed(path, view, &view->manifold.points[i]);
        meeting->gaps[i] = p->separation;
        p->separation = (float)((double)p->separation + speed * t);
        p->position = glms_vec3_add(p->position, way_a);
    }
    meeting->offset = dvec3_sub(path_get_position(&path->a, t), path_get_position(&path->b, t));
    meeting->time = t;
    meeting->is_walked = true;
}

// Goes on until planes hold, the shapes meet, or the step ends. Returns the time of the last planes
// before the view's, which did not hold.
static double path_advance(const tni_path *path, path_view *view, tni_path_meeting *meeting) {
    double from = 0.0, dt = path->dt, q = path->tolerance;
    for (int i = 0; i < PATH_STEPS; ++i) {
        if (view->manifold.point_count == 0 || path_holds(path, view, path->slack)) {
            break;
        }
        bool is_shallow = view->end > -q && view->gap <= q;
        if (view->gap <= -q) {
            break;
        }
        if (is_shallow || view->time >= dt || view->closing <= 0.0) {
            path_confirm(path, view);
            break;
        }
        from = view->time;
        double bound = (view->gap + 2.0 * q) / view->closing;
        double step = tni_path_get_step(path, view->time, view->manifold.normal, 2.0 * q);
        path_look(path, maths_min_d(view->time + maths_max_d(bound, step), dt), maths_vec3_zero(),
                  view);
    }
    meeting->hits = view->manifold.point_count > 0 && (view->gap <= -q || view->end <= 0.0);
    meeting->time = view->time;
    meeting->blow = meeting->hits && maths_min_d(view->gap, view->end) <= -q ? view->time : dt;
    return from;
}

void tni_path_follow(const tni_path *path, const tni_manifold *start,
                     tni_path_meeting *out_meeting) {
    path_view view = {.manifold = *start, .time = 0.0};
    *out_meeting = (tni_path_meeting){.blow = path->dt};
    path_measure(path, &view);
    bool is_carried = path_is_carried(path, &view);
    double from = path_advance(path, &view, out_meeting);
    path_view before = {.manifold = *start};
    if (view.time == 0.0 && path_is_same_normal(&view, &before)) {
        out_meeting->is_confirmed = path_has_axes(path);
        return;
    }
    // Planes of a later time may be behind the start by more than first order describes.
    if (path_turns(path, TNI_PATH_FAR_TURN)) {
        if (out_meeting->hits && !path_turns(path, PATH_FIRST_ORDER)) {
            path_drop_leaving(path, &view);
        }
        if (view.manifold.point_count == 0 ||
            (out_meeting->hits && path_get_start_gap(path, &view) < -path->tolerance)) {
            return;
        }
    }
    if (!out_meeting->hits && view.manifold.point_count > 0 && !path_guard(path, from, &view)) {
        if (!path_is_known(path)) {
            return; // it keeps the guard that it has
        }
        view.manifold.point_count = 0;
    }
    if (is_carried && view.manifold.point_count == 0) {
        return; // and is until it has left
    }
    path_bring_back(path, &view, out_meeting);
}
