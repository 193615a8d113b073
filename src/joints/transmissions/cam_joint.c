// joints/transmissions/cam_joint.c: a follower on the profile of a disk cam.
//
// Symbols: x, y, z axes of frame a, x that of the cam; d = p_b - p_a from frame to frame; r_a, r_b
// from the centres of mass to the frames; P, P', P'' the profile's point at its angle and the
// derivatives by that (parts/profile.c), in the plane of y and z; w_a, w_b angular velocities,
// D = w_b - w_a; all in world axes.
//
// Roller of radius R. q is the part of d across x; P the point nearest to q; n the outward normal
// there and t the tangent, k its curvature, s = (q - P) . n:
//     C = s - R             C' = n . q',  q' and q'' = d' and d'' as seen from the cam
//     C'' = n . q'' + k / (1 + k s) (t . q')^2
// The row is that of a point along n fixed to a (parts/along.c). The second part is the curvature
// of the curves at equal distances from the profile: at the distance s the radius of curvature is
// larger by s. So n goes through the roller's centre and through the contact: the row's force is
// the contact's.
//
// Flat face. u = x_b, fixed to b; P the point farthest along u, its distance the support function:
//     C = u . (d - P)       C' as if P were fixed to a, since moving P along the profile
//                           changes nothing
//     C'' = that of P fixed to a - ((u x P') . D)^2 / g,   g = -u . P''
// which is the second derivative of a minimum over the angle: that at a fixed angle less the square
// of the mixed one over g. The row is that of a point along an axis of the other body, reversed.
//
// A desmodromic cam has C = 0, any other a limit, C >= 0. On a hollow profile the nearest point may
// jump from one place to another: C does not jump, but its row does. If 1 + k s or g is not above 0
// there is no nearest point to follow, and that part is left out.
// Source: M. do Carmo, "Differential geometry of curves and surfaces", 1976, section 1.5 (parallel
// curves); F. Reuleaux, "The kinematics of machinery", 1876 (higher pairs); parts as there.
// Test: tests/joints/transmissions/test_cam_joint.c, tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/transmissions/profile.h"

// If 1 + k s of a roller, or g over the largest radius, is below this there is no nearest point.
#define CAM_HOLLOW 1e-6

typedef struct cam_contact {
    tni_point point;    // of the frames; for a flat face from b to the contact: "a" in it is b
    tni_axes a;         // frame a
    tni_dvec3 d;        // from frame to frame
    tni_dvec3 n;        // the direction in which the follower is pushed
    double gap, height; // m: C; distance of the follower's contact from the axis
    tni_dvec3 bend;     // t, or u x P': C'' has `sharp` times the square of its product
    double sharp;       // k / (1 + k s), or -1 / g
} cam_contact;

static bool cam_is_flat(const tni_joint *joint) {
    return joint->def.cam.follower == TN_CAM_FOLLOWER_FLAT;
}

// Returns a vector of the plane in world axes.
static tni_dvec3 cam_lay(const tni_axes *a, double y, double z) {
    return dvec3_add_scaled(dvec3_scale(a->y, y), z, a->z);
}

static tni_planar cam_project(const tni_axes *a, tni_dvec3 v) {
    tni_planar in_plane = {dvec3_dot(a->y, v), dvec3_dot(a->z, v)};
    return in_plane;
}

static void cam_measure_roller(const tni_joint *joint, cam_contact *contact) {
    tni_planar q = cam_project(&contact->a, contact->d);
    tni_profile_point at = tni_profile_find_nearest(joint->def.cam.profile, q);
    double length = sqrt(at.first.y * at.first.y + at.first.z * at.first.z);
    double inverse = maths_inverse_or_zero_d(length);
    tni_planar t = {at.first.y * inverse, at.first.z * inverse};
    double away = (q.y - at.p.y) * t.z - (q.z - at.p.z) * t.y;
    double curvature = (t.y * at.second.z - t.z * at.second.y) * inverse * inverse;
    double spread = 1.0 + curvature * away;
    contact->n = cam_lay(&contact->a, t.z, -t.y);
    contact->bend = cam_lay(&contact->a, t.y, t.z);
    contact->sharp = spread > CAM_HOLLOW ? curvature / spread : 0.0;
    contact->gap = away - joint->def.cam.roller_radius;
    contact->height = sqrt(q.y * q.y + q.z * q.z) - joint->def.cam.roller_radius;
}

static void cam_measure_flat(const tni_joint *joint, tni_dvec3 u, cam_contact *contact) {
    const tni_profile *profile = joint->def.cam.profile;
    tni_planar in_plane = cam_project(&contact->a, u);
    tni_profile_point at = tni_profile_find_farthest(profile, in_plane);
    tni_dvec3 p = cam_lay(&contact->a, at.p.y, at.p.z);
    double g = -(in_plane.y * at.second.y + in_plane.z * at.second.z);
    contact->n = u;
    contact->bend = dvec3_cross(u, cam_lay(&contact->a, at.first.y, at.first.z));
    contact->sharp = g > CAM_HOLLOW * profile->greatest ? -1.0 / g : 0.0;
    contact->height = dvec3_dot(u, contact->d);
    contact->gap = dvec3_dot(u, dvec3_sub(contact->d, p));
    contact->point =
        (tni_point){contact->point.r_b, dvec3_add(contact->point.r_a, p), dvec3_sub(p, contact->d)};
}

static cam_contact cam_measure(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b) {
    cam_contact contact = {.point = tni_point_measure(joint, a, b),
                           .a = tni_axes_of_frame(&joint->frame_a, a)};
    contact.d = contact.point.d;
    if (cam_is_flat(joint)) {
        cam_measure_flat(joint, tni_axes_of_frame(&joint->frame_b, b).x, &contact);
    } else {
        cam_measure_roller(joint, &contact);
    }
    return contact;
}

// ---- rows --------------------------------------------------------------------------------------

static tni_row_count cam_count_rows(const tni_joint *joint) {
    uint32_t equalities = joint->def.cam.is_desmodromic ? 1 : 0;
    tni_row_count count = {1, equalities, 0, equalities};
    return count;
}

// k += s v v^T
static void cam_add_square(double k[6][6], double s, tni_dvec3 linear, tni_dvec3 angular) {
    double v[6];
    curvature_lay(linear, angular, v);
    curvature_add_products(k, 0.5 * s, v, v);
}

// Returns q', of the roller as the cam sees it.
static tni_dvec3 cam_get_rate(const cam_contact *contact, const tni_body_motion *a,
                              const tni_body_motion *b) {
    return dvec3_sub(tni_point_get_rate(&contact->point, a, b),
                     dvec3_cross(a->angular_velocity, contact->d));
}

// Adds to row r the share of C'' and of the curvature K that the turning of the normal has.
static void cam_put_bend(const tni_joint *joint, const cam_contact *contact, const tni_rows *out,
                         uint32_t r) {
    const tni_body_motion *a = out->ends[0], *b = out->ends[1];
    bool is_flat = cam_is_flat(joint);
    tni_dvec3 t = contact->bend, s = dvec3_add(contact->point.r_a, contact->d);
    if (out->terms != NULL) {
        double rate = dvec3_dot(t, is_flat ? dvec3_sub(b->angular_velocity, a->angular_velocity)
                                           : cam_get_rate(contact, a, b));
        out->terms[r] += contact->sharp * rate * rate;
    }
    if (out->curvature != NULL) {
        double x = -out->strengths[r] * contact->sharp;
        tni_dvec3 linear = is_flat ? dvec3_make(0.0, 0.0, 0.0) : t;
        cam_add_square(curvature_get_end(out->curvature, 0, !is_flat), x, linear,
                       is_flat ? t : dvec3_cross(s, t));
        cam_add_square(curvature_get_end(out->curvature, 1, !is_flat), x, linear,
                       is_flat ? t : dvec3_cross(contact->point.r_b, t));
    }
}

static void cam_add_contact(const tni_joint *joint, const cam_contact *contact, tni_rows *out) {
    bool is_flat = cam_is_flat(joint);
    uint32_t r = tni_rows_begin(out, false);
    tni_rows_put_along(out, r, &contact->point,
                       is_flat ? dvec3_scale(contact->n, -1.0) : contact->n, is_flat ? 1 : 0);
    cam_put_bend(joint, contact, out, r);
    tni_rows_set_error(out, r, contact->gap);
}

static void cam_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                     tni_rows *out) {
    cam_contact contact = cam_measure(joint, a, b);
    if (joint->def.cam.is_desmodromic) {
        cam_add_contact(joint, &contact, out);
    } else if (out->bounded != NULL) {
        tni_lone_row lone;
        tni_rows own = tni_rows_of_one(out, &lone);
        cam_add_contact(joint, &contact, &own);
        tni_rows_bound(&own, 1.0, TNI_ROW_LIMIT, out->bounded);
    }
}

// ---- values ------------------------------------------------------------------------------------

// The error is along the normal; a follower that may lift off has one only inside the cam.
static tn_joint_error cam_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b) {
    cam_contact contact = cam_measure(joint, a, b);
    bool counts = joint->def.cam.is_desmodromic || contact.gap < 0.0;
    return tni_error_make(&contact.a, dvec3_scale(contact.n, counts ? contact.gap : 0.0),
                          dvec3_make(0.0, 0.0, 0.0));
}

// Returns the rate of the contact's height: a roller's is that of its centre, a face's that along
// its normal.
static double cam_get_lift_rate(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b) {
    tni_point point = tni_point_measure(joint, a, b);
    tni_dvec3 rate = tni_point_get_rate(&point, a, b);
    if (cam_is_flat(joint)) {
        tni_dvec3 u = tni_axes_of_frame(&joint->frame_b, b).x;
        return dvec3_dot(u, rate) + dvec3_dot(dvec3_cross(b->angular_velocity, u), point.d);
    }
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_planar q = cam_project(&frame_a, point.d);
    tni_planar v =
        cam_project(&frame_a, dvec3_sub(rate, dvec3_cross(a->angular_velocity, point.d)));
    return (q.y * v.y + q.z * v.z) * maths_inverse_or_zero_d(sqrt(q.y * q.y + q.z * q.z));
}

static double cam_get_least_radius(const tni_profile *profile) {
    double least = profile->radii[0];
    for (uint32_t i = 1; i < profile->count; ++i) {
        least = maths_min_d(least, profile->radii[i]);
    }
    return least;
}

// Measures the lift (0) or the gap.
static tni_joint_value cam_measure_value(const tni_joint *joint, uint32_t index,
                                         const tni_body_motion *a, const tni_body_motion *b) {
    cam_contact contact = cam_measure(joint, a, b);
    if (index == 0) {
        double lift = contact.height - cam_get_least_radius(joint->def.cam.profile);
        return (tni_joint_value){lift, cam_get_lift_rate(joint, a, b)};
    }
    tni_lone_row lone;
    tni_rows own = {.ends = {a, b}, .exact = &lone.exact};
    cam_add_contact(joint, &contact, &own);
    double speed = tni_exact_row_get_speed(&lone.exact, a, b);
    return (tni_joint_value){contact.gap, speed};
}

// ---- the definition -----------------------------------------------------------------------------

// The profile stays as it was made.
static bool cam_keep(tni_allocator *allocator, const tni_joint_def *given, tni_joint *joint) {
    const tn_cam_joint_def *def = &given->cam;
    tni_profile *profile = joint->def.cam.profile;
    if (profile == NULL) {
        void *memory = tni_alloc(allocator, tni_profile_get_size(def->radius_count));
        if (memory == NULL) {
            return false;
        }
        profile = tni_profile_make(memory, def->radii, def->radius_count);
    }
    joint->def.cam.base = def->base;
    joint->def.cam.profile = profile;
    joint->def.cam.follower = def->follower;
    joint->def.cam.is_desmodromic = def->is_desmodromic;
    joint->def.cam.roller_radius = def->roller_radius;
    return true;
}

static void cam_load(const tni_joint *joint, tni_joint_def *out_def) {
    out_def->cam.radii = joint->def.cam.profile->radii;
    out_def->cam.radius_count = joint->def.cam.profile->count;
    out_def->cam.follower = joint->def.cam.follower;
    out_def->cam.roller_radius = joint->def.cam.roller_radius;
    out_def->cam.is_desmodromic = joint->def.cam.is_desmodromic;
}

static void cam_drop(tni_allocator *allocator, tni_joint *joint) {
    tni_profile *profile = joint->def.cam.profile;
    tni_free(allocator, profile, tni_profile_get_size(profile ? profile->count : 0));
    joint->def.cam.profile = NULL;
}

static const char *cam_find_fault(const tni_joint *joint) {
    return joint->def.cam.profile->least > 0.0
               ? NULL
               : "The curve through a cam's radii must not come to its axis.";
}

static const tni_joint_keeper cam_keeper = {
    .keep = cam_keep, .load = cam_load, .drop = cam_drop, .find_fault = cam_find_fault};

const tni_joint_kind tni_cam_joint_kind = {.count_rows = cam_count_rows,
                                           .emit = cam_emit,
                                           .measure_error = cam_measure_error,
                                           .measure_value = cam_measure_value,
                                           .keeper = &cam_keeper};
