// world/contact_path.c: planes that hold on the whole way of a pair.
//
// A contact is a plane that two convex shapes may not cross, and the solver keeps it for a step.
// Made where the shapes stand when the step begins it is wrong for what moves: the plane that parts
// a box from the next tile of its floor stands across its way. Convex shapes that move straight
// along are parted by one plane for as long as they do not meet, that of their nearest approach,
// and when they meet they do so at planes of that time. So a pair whose planes would be crossed
// within the step is followed, by conservative advancement (B. Mirtich, "Impulse-based dynamic
// simulation of rigid body systems", 1996, section 2.3.2), until planes are found that are not, or
// the shapes meet. With m(t) the manifold at t, n its normal, s_p the gaps of its points, s the
// least of them, r_a, r_b the arms:
//
//     point speed  c_p = n.(v_a + w_a x r_a - v_b - w_b x r_b)     what the point itself does
//     bound        c   = n.(v_a - v_b) + |w_a| R_a + |w_b| R_b     no surface closes faster
//     end          e   = min s_p - c_p (dt - t)                    gap at the end, straight on
//     tolerance    q                                               a shallow overlap
//
// The planes hold from t on when e > 0, and for turning shapes s - c (dt - t) > -q. The way goes on
// by (s + 2 q) / c, to a shallow overlap and not to none: of two axes the one that has been shallow
// for long carries, and the one that has just closed is what stands across the way. Where both
// are shallow, as at a seam of tiles, b is pushed along -n and looked at again: another axis that
// closes more slowly than n is the one that carries (`confirm`).
//
// What is found at t is brought back to the start, for the solver follows gaps from there to first
// order: arms and normal are those of t, and each gap is s_p + c_p t. Then its gap at t is s_p.
// Test: tests/world/test_contact_path.c
#include "world/contact_path.h"

#include <math.h>

#include "collision/narrow.h"

// Steps along the way, and halvings of an interval of it.
#define PATH_STEPS   16
#define PATH_HALVES  6
// A thin patch of points ends within a step that carries the shapes across this share of it.
#define PATH_PATCH   0.7
// Turning by less than this share of the reach leaves a straight way straight.
#define PATH_STRAIGHT 0.02
// m: the tolerance of round shapes, whose normals depth spoils, and its share of that of others.
#define PATH_ROUND_MOST  1e-4
#define PATH_ROUND_SHARE 0.1
// Two normals closer than this are one: 1 - cosine.
#define PATH_SAME 1e-4
// rad: boxes that turn by less in a step are known by their motions alone.
#define PATH_BOX_TURN 0.25f

// The pair at a time.
typedef struct path_view {
    tni_manifold manifold;
    tni_manifold_cache cache;
    double time;
    double gap;     // s
    double closing; // c, m/s
    double end;     // e, m
} path_view;

typedef struct path_walk {
    const tni_contact_path *path;
    const tni_geometry *geometry_a, *geometry_b;
    tni_dvec3 origin;
    double tolerance;
    double reach_speed; // m/s: |w_a| R_a + |w_b| R_b
    bool has_axes;      // both are boxes or hulls
} path_walk;

// ---- shapes -----------------------------------------------------------------------------------

static float path_get_box_radius(const tni_shape_motion *motion) {
    const float *h = motion->box.half_extents;
    return maths_min(h[0], maths_min(h[1], h[2]));
}

// m/s: no point of the surface moves faster by turning, but along itself.
static double path_get_turn_speed(const tni_shape *shape, const tni_geometry *geometry,
                                  const tni_shape_motion *motion) {
    tni_dvec3 w = motion->angular_velocity;
    if (!tni_geometry_is_round(geometry) || geometry->stretch != NULL) {
        return dvec3_length(w) * (double)shape->turn_reach;
    }
    double speed = dvec3_length(dvec3_cross(w, dvec3_sub(motion->center, motion->position)));
    if (geometry->type == TNI_GEOMETRY_CAPSULE) {
        const float *y = motion->box.axes[1];
        tni_dvec3 axis = dvec3_make((double)y[0], (double)y[1], (double)y[2]);
        speed += dvec3_length(dvec3_cross(w, axis)) * (double)geometry->capsule.half_length;
    }
    return speed;
}

// The motions of two boxes say all there is to know of them while they turn little.
static bool path_knows_boxes(const tni_contact_path *path) {
    const tni_shape_motion *a = path->a, *b = path->b;
    return a->is_box && b->is_box && a->turn < PATH_BOX_TURN && b->turn < PATH_BOX_TURN;
}

static void path_set_boxes(path_walk *walk) {
    const tni_shape_motion *a = walk->path->a, *b = walk->path->b;
    walk->has_axes = true;
    walk->tolerance = (double)narrow_axis_tolerance(path_get_box_radius(a), path_get_box_radius(b));
    walk->reach_speed = (double)(a->turn_way + b->turn_way) / walk->path->dt;
}

static void path_set_shapes(path_walk *walk, const tni_contact *contact) {
    const tni_contact_path *path = walk->path;
    const tni_shape *shape_a = tni_shape_at(path->world, contact->shape_a);
    const tni_shape *shape_b = tni_shape_at(path->world, contact->shape_b);
    const tni_geometry *a = tni_shape_get_geometry(shape_a), *b = tni_shape_get_geometry(shape_b);
    walk->has_axes = tni_geometry_is_polyhedron(a) && tni_geometry_is_polyhedron(b);
    double tolerance =
        (double)narrow_axis_tolerance(tni_geometry_inner_radius(a), tni_geometry_inner_radius(b));
    bool is_round = tni_geometry_is_round(a) || tni_geometry_is_round(b);
    walk->tolerance = is_round ? fmin(PATH_ROUND_SHARE * tolerance, PATH_ROUND_MOST) : tolerance;
    walk->reach_speed =
        path_get_turn_speed(shape_a, a, path->a) + path_get_turn_speed(shape_b, b, path->b);
}

// ---- the pair at a time -----------------------------------------------------------------------

static tni_dquat path_turn(tni_dvec3 w, double t) {
    double speed = dvec3_length(w), half = 0.5 * speed * t;
    double share = speed > 0.0 ? tni_maths_sin(half) / speed : 0.0;
    tni_dvec3 v = dvec3_scale(w, share);
    return dquat_make(v.x, v.y, v.z, tni_maths_cos(half));
}

static tni_frame path_frame(const path_walk *walk, const tni_shape_motion *motion, double t) {
    tni_dvec3 center = motion->center;
    tni_dquat rotation = dquat_from_float(motion->rotation);
    tni_dvec3 w = motion->angular_velocity;
    if (w.x != 0.0 || w.y != 0.0 || w.z != 0.0) {
        tni_dquat turn = path_turn(w, t);
        rotation = dquat_mul(turn, rotation);
        center = dvec3_add(motion->position,
                           dquat_rotate(turn, dvec3_sub(center, motion->position)));
    }
    center = dvec3_add_scaled(center, t, motion->velocity);
    tni_frame frame = {dvec3_to_float(dvec3_sub(center, walk->origin)),
                       maths_quat_normalize(dquat_to_float(rotation))};
    return frame;
}

// A point of a manifold at t, from a body's centre of mass then.
static tni_dvec3 path_get_arm(const path_walk *walk, const tni_shape_motion *motion, double t,
                              const tni_manifold_point *p) {
    tni_dvec3 center = dvec3_add_scaled(motion->position, t, motion->velocity);
    return dvec3_sub(dvec3_add(walk->origin, dvec3_from_float(p->position)), center);
}

// c_p
static double path_get_point_speed(const path_walk *walk, const path_view *view,
                                   const tni_manifold_point *p) {
    const tni_shape_motion *a = walk->path->a, *b = walk->path->b;
    tni_dvec3 n = dvec3_from_float(view->manifold.normal);
    tni_dvec3 r_a = path_get_arm(walk, a, view->time, p), r_b = path_get_arm(walk, b, view->time, p);
    tni_dvec3 u = dvec3_sub(a->velocity, b->velocity);
    u = dvec3_add(u, dvec3_cross(a->angular_velocity, r_a));
    u = dvec3_sub(u, dvec3_cross(b->angular_velocity, r_b));
    return dvec3_dot(n, u);
}

static void path_measure_gap(const path_walk *walk, path_view *view) {
    const tni_shape_motion *a = walk->path->a, *b = walk->path->b;
    tni_dvec3 n = dvec3_from_float(view->manifold.normal);
    view->closing = dvec3_dot(n, dvec3_sub(a->velocity, b->velocity)) + walk->reach_speed;
    view->gap = HUGE_VAL;
    for (uint32_t i = 0; i < view->manifold.point_count; ++i) {
        view->gap = fmin(view->gap, (double)view->manifold.points[i].separation);
    }
}

static void path_measure_end(const path_walk *walk, path_view *view) {
    double left = walk->path->dt - view->time;
    view->end = HUGE_VAL;
    for (uint32_t i = 0; i < view->manifold.point_count; ++i) {
        const tni_manifold_point *p = &view->manifold.points[i];
        double speed = path_get_point_speed(walk, view, p);
        view->end = fmin(view->end, (double)p->separation - speed * left);
    }
}

// What of the view follows from its manifold.
static void path_measure(const path_walk *walk, path_view *view) {
    path_measure_gap(walk, view);
    path_measure_end(walk, view);
}

// The pair at t, b pushed by so much along its normal.
static void path_look(const path_walk *walk, double t, vec3s push, path_view *view) {
    const tni_contact_path *path = walk->path;
    tni_frame frame_a = path_frame(walk, path->a, t), frame_b = path_frame(walk, path->b, t);
    frame_b.position = glms_vec3_add(frame_b.position, push);
    view->time = t;
    view->cache = (tni_manifold_cache){0};
    tni_manifold_compute(walk->geometry_a, &frame_a, walk->geometry_b, &frame_b,
                         2.0f * path->margin, &view->cache, &view->manifold);
    path_measure(walk, view);
}

// ---- cheap answers ----------------------------------------------------------------------------

// Half the width of the patch across which the points lie, m: the root of the least eigenvalue of
// their covariance in the plane.
static double path_get_patch_width(const tni_manifold *manifold) {
    vec3s n = manifold->normal, e1 = maths_vec3_perpendicular(n), e2 = glms_vec3_cross(n, e1);
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    double share = 1.0 / (double)manifold->point_count;
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        double u = (double)glms_vec3_dot(e1, manifold->points[p].position);
        double v = (double)glms_vec3_dot(e2, manifold->points[p].position);
        x += share * u;
        y += share * v;
        xx += share * u * u;
        xy += share * u * v;
        yy += share * v * v;
    }
    xx -= x * x;
    yy -= y * y;
    xy -= x * y;
    double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy);
    double least = mean - sqrt(half * half + xy * xy);
    return least > 0.0 ? sqrt(least) : 0.0;
}

// Three points or more that stay where they are, as shares of their patch go.
static bool path_has_lasting_patch(const path_walk *walk, const path_view *view) {
    const tni_contact_path *path = walk->path;
    if (view->manifold.point_count < 3) {
        return false;
    }
    tni_dvec3 n = dvec3_from_float(view->manifold.normal);
    tni_dvec3 u = dvec3_sub(path->b->velocity, path->a->velocity);
    tni_dvec3 across = dvec3_add_scaled(u, -dvec3_dot(n, u), n);
    double way = (dvec3_length(across) + walk->reach_speed) * path->dt + walk->tolerance;
    return way < PATH_PATCH * path_get_patch_width(&view->manifold);
}

// ---- the way ----------------------------------------------------------------------------------

static bool path_is_same_normal(const path_view *a, const path_view *b) {
    return (double)glms_vec3_dot(a->manifold.normal, b->manifold.normal) > 1.0 - PATH_SAME;
}

// Two axes may be shallow at once. The one that closes faster has closed last.
static void path_confirm(const path_walk *walk, path_view *view) {
    if (!walk->has_axes) {
        return;
    }
    path_view other;
    double way = view->gap + walk->tolerance;
    path_look(walk, view->time, glms_vec3_scale(view->manifold.normal, (float)-way), &other);
    if (other.manifold.point_count == 0 || path_is_same_normal(view, &other) ||
        other.closing >= view->closing) {
        return;
    }
    // As it is without the push.
    float back = (float)(way * (double)glms_vec3_dot(view->manifold.normal, other.manifold.normal));
    for (uint32_t p = 0; p < other.manifold.point_count; ++p) {
        tni_manifold_point *point = &other.manifold.points[p];
        point->separation += back;
        point->position = maths_vec3_add_scaled(point->position, (float)(0.5 * way),
                                                view->manifold.normal);
    }
    path_measure(walk, &other);
    *view = other;
}

static bool path_holds(const path_walk *walk, const path_view *view) {
    double left = walk->path->dt - view->time;
    return view->end > 0.0 &&
           (view->time == 0.0 || view->gap - view->closing * left > -walk->tolerance);
}

// The least gap that the planes of a later time have at the start.
static double path_get_start_gap(const path_walk *walk, const path_view *view) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < view->manifold.point_count; ++i) {
        const tni_manifold_point *p = &view->manifold.points[i];
        double speed = path_get_point_speed(walk, view, p);
        least = fmin(least, (double)p->separation + speed * view->time);
    }
    return least;
}

// Planes that are in nobody's way before their time either, between `from`, whose planes are
// crossed later, and the view's time, whose planes are crossed before. False when there are none.
static bool path_guard(const path_walk *walk, double from, path_view *view) {
    double low = from, high = view->time;
    for (int i = 0; i < PATH_HALVES; ++i) {
        bool holds_later = path_holds(walk, view);
        if (holds_later && path_get_start_gap(walk, view) >= -walk->tolerance) {
            return true;
        }
        low = holds_later ? low : view->time;
        high = holds_later ? view->time : high;
        path_look(walk, 0.5 * (low + high), maths_vec3_zero(), view);
    }
    return path_holds(walk, view) && path_get_start_gap(walk, view) >= -walk->tolerance;
}

// Neither shape turns much, so that the way is straight.
static bool path_is_straight(const path_walk *walk) {
    float inner = maths_min(tni_geometry_inner_radius(walk->geometry_a),
                            tni_geometry_inner_radius(walk->geometry_b));
    return walk->reach_speed * walk->path->dt < PATH_STRAIGHT * (double)inner;
}

// Into terms of the start: see the head.
static void path_bring_back(const path_walk *walk, path_view *view, tni_contact *contact,
                            tni_contact_meeting *meeting) {
    const tni_shape_motion *a = walk->path->a, *b = walk->path->b;
    double t = view->time;
    vec3s way_a = dvec3_to_float(dvec3_scale(a->velocity, -t));
    tni_manifold manifold = view->manifold;
    for (uint32_t i = 0; i < manifold.point_count; ++i) {
        tni_manifold_point *p = &manifold.points[i];
        double speed = path_get_point_speed(walk, view, &view->manifold.points[i]);
        p->separation = (float)((double)p->separation + speed * t);
        p->position = glms_vec3_add(p->position, way_a);
    }
    contact->manifold = manifold;
    tni_dvec3 x_a = dvec3_add_scaled(a->position, t, a->velocity);
    tni_dvec3 x_b = dvec3_add_scaled(b->position, t, b->velocity);
    meeting->offset = dvec3_to_float(dvec3_sub(x_a, x_b));
    meeting->is_walked = true;
}

// Goes on until planes hold, the shapes meet, or the step ends. Returns the time of the last planes
// before the view's, which did not hold.
static double path_advance(const path_walk *walk, path_view *view, tni_contact_meeting *meeting) {
    double from = 0.0, dt = walk->path->dt, q = walk->tolerance;
    for (int i = 0; i < PATH_STEPS; ++i) {
        if (view->manifold.point_count == 0 || path_holds(walk, view)) {
            break;
        }
        bool is_shallow = view->end > -q && view->gap <= q;
        if (view->gap <= -q) {
            break;
        }
        if (is_shallow || view->time >= dt || view->closing <= 0.0) {
            path_confirm(walk, view);
            break;
        }
        from = view->time;
        path_look(walk, fmin(view->time + (view->gap + 2.0 * q) / view->closing, dt),
                  maths_vec3_zero(), view);
    }
    meeting->hits = view->manifold.point_count > 0 && (view->gap <= -q || view->end <= 0.0);
    meeting->time = view->time;
    meeting->blow = meeting->hits && fmin(view->gap, view->end) <= -q ? view->time : dt;
    return from;
}

static void path_set_geometries(path_walk *walk, const tni_contact *contact) {
    const tn_world *world = walk->path->world;
    walk->geometry_a = tni_shape_get_geometry(tni_shape_at(world, contact->shape_a));
    walk->geometry_b = tni_shape_get_geometry(tni_shape_at(world, contact->shape_b));
}

static void path_walk_on(path_walk *walk, path_view *view, tni_contact *contact,
                         tni_contact_meeting *meeting) {
    path_set_geometries(walk, contact);
    double from = path_advance(walk, view, meeting);
    path_view start = {.manifold = contact->manifold};
    if (view->time == 0.0 && path_is_same_normal(view, &start)) {
        meeting->is_confirmed = walk->has_axes;
        return;
    }
    if (!meeting->hits && view->manifold.point_count > 0 && !path_guard(walk, from, view)) {
        if (!path_is_straight(walk)) {
            return; // what turns keeps the guard that it has
        }
        view->manifold.point_count = 0;
    }
    meeting->time = view->time;
    path_bring_back(walk, view, contact, meeting);
}

void tni_contact_path_begin(const tni_contact_path *path, tni_contact *contact) {
    path_walk walk = {.path = path, .origin = contact->origin};
    path_set_geometries(&walk, contact);
    path_view view;
    path_look(&walk, 0.0, maths_vec3_zero(), &view);
    contact->manifold = view.manifold;
}

void tni_contact_path_note(const tni_contact_path *path, tni_contact *contact,
                           const tni_contact_meeting *meeting) {
    contact->is_walked = meeting->is_walked;
    contact->is_confirmed = contact->is_confirmed || meeting->is_confirmed;
    if (meeting->is_walked) {
        tni_contact_memory *memory =
            tni_contact_memory_at(path->world, contact->handle & TNI_POOL_INDEX_MASK);
        memory->offset = meeting->offset;
        memory->time = (float)meeting->time;
        memory->blow = (float)meeting->blow;
        contact->is_remembered = false;
    }
}

tni_contact_meeting tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact) {
    path_walk walk = {.path = path, .origin = contact->origin};
    if (path_knows_boxes(path)) {
        path_set_boxes(&walk);
    } else {
        path_set_shapes(&walk, contact);
    }
    walk.tolerance += path->strain;
    path_view view = {.manifold = contact->manifold, .time = 0.0};
    tni_contact_meeting meeting = {.blow = path->dt};
    path_measure_gap(&walk, &view);
    double q = walk.tolerance, way = view.closing * path->dt;
    if (view.manifold.point_count == 0 || view.gap > way || view.gap <= -q) {
        return meeting;
    }
    if (contact->is_confirmed && view.gap - way > -q) {
        meeting.is_confirmed = true;
        return meeting;
    }
    path_measure_end(&walk, &view);
    if (view.end > 0.0) {
        return meeting;
    }
    if (path_has_lasting_patch(&walk, &view)) {
        meeting.is_confirmed = walk.has_axes;
        return meeting;
    }
    path_walk_on(&walk, &view, contact, &meeting);
    return meeting;
}
