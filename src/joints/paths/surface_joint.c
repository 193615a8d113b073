// joints/paths/surface_joint.c: keeps a point of b on a surface fixed to frame a.
//
// Symbols: p = frame b's origin as frame a sees it; f(p) = 0 the surface, g its gradient, H its
// second derivatives, l = 1 / |g|; n = g l; q, e: see the torus.
//
// Row (1):  C = f l, the distance to first order, with
//           gradient             l g - f l^3 H g
//           second derivatives   l H - l^3 (g (H g)^T + (H g) g^T), at f = 0
//           as a row: parts/field.c. It is an equality for both sides, and for one side a limit,
//           with the sign of that side.
// Sphere:     f = |p| - R,  H = (1 - n n^T) / |p|
// Cylinder:   the same for p without its part along x
// Torus:      e the direction from the x axis to p, D its distance; q = (D - R) e + x, f = |q| - r,
//             n = q / |q|; its lines of curvature are the circles of the tube, 1 / |q|, and those
//             about x, n . e / D
// Ellipsoid:  f = (x^2 / a^2 + y^2 / b^2 + z^2 / c^2 - 1) / 2
// All of these except the last are distances: l is 1, H g is 0, and everything is exact off the
// surface, too. If there is no direction (at the centre of a sphere, on the axis of a cylinder) the
// row is along an axis. Second derivatives that a callback does not give are central differences of
// its gradient.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (implicit functions as
// constraints); G. Taubin, "Estimation of planar curves, surfaces and nonplanar space curves
// defined by implicit equations", IEEE Trans. PAMI 13(11), 1991 (f / |g| as distance).
// Test: tests/joints/test_rows.c, tests/joints/paths/test_surface_joint.c
#include <string.h>

#include "joints/kind.h"
#include "joints/parts/axis.h"
#include "joints/parts/error.h"
#include "joints/paths/field.h"

#define SURFACE_COINCIDENT 1e-9 // m: nearer than this to a centre there is no direction
#define SURFACE_STEP       1e-5 // m: step of the differences

// f, its gradient and second derivatives, in the axes of frame a.
typedef tni_field surface_function;

static const tni_dvec3 surface_x = {1.0, 0.0, 0.0};

static void surface_add_identity(surface_function *f, double s) {
    for (int i = 0; i < 3; ++i) {
        f->second.m[i][i] += s;
    }
}

// Returns v / |v|, or y.
static tni_dvec3 surface_get_direction(tni_dvec3 v, double length) {
    return length > SURFACE_COINCIDENT ? dvec3_scale(v, 1.0 / length) : dvec3_make(0.0, 1.0, 0.0);
}

static double surface_invert(double length) {
    return length > SURFACE_COINCIDENT ? 1.0 / length : 0.0;
}

// ---- shapes ------------------------------------------------------------------------------------

static void surface_measure_sphere(double radius, tni_dvec3 p, surface_function *f) {
    double length = dvec3_length(p);
    f->value = length - radius;
    f->gradient = surface_get_direction(p, length);
    surface_add_identity(f, surface_invert(length));
    tni_field_add_product(f, -surface_invert(length), f->gradient, f->gradient);
}

static void surface_measure_cylinder(double radius, tni_dvec3 p, surface_function *f) {
    tni_dvec3 across = dvec3_make(0.0, p.y, p.z);
    double length = dvec3_length(across);
    f->value = length - radius;
    f->gradient = surface_get_direction(across, length);
    tni_dvec3 around = dvec3_cross(surface_x, f->gradient);
    tni_field_add_product(f, surface_invert(length), around, around);
}

static void surface_measure_torus(double radius, double tube, tni_dvec3 p, surface_function *f) {
    tni_dvec3 across = dvec3_make(0.0, p.y, p.z);
    double distance = dvec3_length(across);
    tni_dvec3 e = surface_get_direction(across, distance);
    tni_dvec3 q = dvec3_add_scaled(dvec3_make(p.x, 0.0, 0.0), distance - radius, e);
    double length = dvec3_length(q);
    f->value = length - tube;
    f->gradient = length > SURFACE_COINCIDENT ? dvec3_scale(q, 1.0 / length) : surface_x;
    tni_dvec3 around = dvec3_cross(surface_x, e), along = dvec3_cross(around, f->gradient);
    tni_field_add_product(f, surface_invert(length), along, along);
    tni_field_add_product(f, dvec3_dot(f->gradient, e) * surface_invert(distance), around, around);
}

static void surface_measure_ellipsoid(tn_vec3 axes, tni_dvec3 p, surface_function *f) {
    double xx = 1.0 / (axes.x * axes.x), yy = 1.0 / (axes.y * axes.y), zz = 1.0 / (axes.z * axes.z);
    f->gradient = dvec3_make(p.x * xx, p.y * yy, p.z * zz);
    f->value = 0.5 * (dvec3_dot(p, f->gradient) - 1.0);
    f->second.m[0][0] = xx;
    f->second.m[1][1] = yy;
    f->second.m[2][2] = zz;
}

// ---- the callback ------------------------------------------------------------------------------

static tn_surface_value surface_ask(const tn_surface_joint_def *def, tni_dvec3 p) {
    tn_surface_value value;
    memset(&value, 0, sizeof value);
    def->evaluate(dvec3_to_plain(p), &value, def->evaluate_user_data);
    return value;
}

static bool surface_value_is_finite(const tn_surface_value *value) {
    double sum = fabs(value->value) + fabs(value->gradient.x) + fabs(value->gradient.y) +
                 fabs(value->gradient.z);
    if (value->has_second) {
        sum += fabs(value->xx) + fabs(value->yy) + fabs(value->zz) + fabs(value->xy) +
               fabs(value->xz) + fabs(value->yz);
    }
    return isfinite(sum);
}

// Adds the differences column by column, made symmetric.
static void surface_difference(const tn_surface_joint_def *def, tni_dvec3 p, surface_function *f) {
    const tni_dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; ++i) {
        tn_surface_value before = surface_ask(def, dvec3_add_scaled(p, -SURFACE_STEP, axes[i]));
        tn_surface_value after = surface_ask(def, dvec3_add_scaled(p, SURFACE_STEP, axes[i]));
        if (!surface_value_is_finite(&before) || !surface_value_is_finite(&after)) {
            continue;
        }
        tni_dvec3 way =
            dvec3_sub(dvec3_from_plain(after.gradient), dvec3_from_plain(before.gradient));
        tni_field_add_product(f, 0.5 / SURFACE_STEP, way, axes[i]);
    }
}

static void surface_measure_implicit(const tn_surface_joint_def *def, tni_dvec3 p,
                                     surface_function *f) {
    tn_surface_value value = surface_ask(def, p);
    f->is_not_finite = !surface_value_is_finite(&value);
    if (f->is_not_finite) {
        return;
    }
    f->value = value.value;
    f->gradient = dvec3_from_plain(value.gradient);
    if (!value.has_second) {
        surface_difference(def, p, f);
        return;
    }
    f->second = (tni_dmat3){{{value.xx, value.xy, value.xz},
                             {value.xy, value.yy, value.yz},
                             {value.xz, value.yz, value.zz}}};
}

// ---- C -----------------------------------------------------------------------------------------

static void surface_measure_shape(const tn_surface_joint_def *def, tni_dvec3 p,
                                  surface_function *f) {
    switch (def->shape) {
    case TN_SURFACE_SHAPE_ELLIPSOID:
        surface_measure_ellipsoid(def->half_axes, p, f);
        break;
    case TN_SURFACE_SHAPE_CYLINDER:
        surface_measure_cylinder(def->radius, p, f);
        break;
    case TN_SURFACE_SHAPE_TORUS:
        surface_measure_torus(def->radius, def->tube_radius, p, f);
        break;
    case TN_SURFACE_SHAPE_IMPLICIT:
        surface_measure_implicit(def, p, f);
        break;
    default:
        surface_measure_sphere(def->radius, p, f);
        break;
    }
}

// Changes f to f / |g|.
static void surface_make_distance(surface_function *f) {
    tni_dvec3 g = f->gradient, hg = dmat3_mul_vec(&f->second, g);
    double l = maths_inverse_or_zero_d(dvec3_length(g)), cube = l * l * l;
    f->gradient = dvec3_add_scaled(dvec3_scale(g, l), -f->value * cube, hg);
    for (int i = 0; i < 9; ++i) {
        f->second.m[i / 3][i % 3] *= l;
    }
    tni_field_add_product(f, -2.0 * cube, g, hg);
    f->value *= l;
}

static void surface_turn(const tni_axes *axes, tni_field *field) {
    const tni_dmat3 r = {{{axes->x.x, axes->y.x, axes->z.x},
                          {axes->x.y, axes->y.y, axes->z.y},
                          {axes->x.z, axes->y.z, axes->z.z}}};
    const tni_dmat3 back = {{{axes->x.x, axes->x.y, axes->x.z},
                             {axes->y.x, axes->y.y, axes->y.z},
                             {axes->z.x, axes->z.y, axes->z.z}}};
    tni_dmat3 turned = dmat3_mul(&r, &field->second);
    field->second = dmat3_mul(&turned, &back);
    field->gradient = dmat3_mul_vec(&r, field->gradient);
}

static double surface_get_sign(const tni_joint *joint) {
    return joint->def.surface.side == TN_SURFACE_SIDE_INSIDE ? -1.0 : 1.0;
}

// Measures C in world axes. It is positive outside, whatever the side.
static tni_point surface_measure(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, tni_field *field) {
    const tn_surface_joint_def *def = &joint->def.surface;
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes axes = tni_axes_of_frame(&joint->frame_a, a);
    tni_dvec3 p = tni_axes_turn_back(&axes, point.d);
    *field = (tni_field){.value = 0.0};
    surface_measure_shape(def, p, field);
    surface_make_distance(field);
    surface_turn(&axes, field);
    return point;
}

// ---- what a joint gives ------------------------------------------------------------------------

static bool surface_is_equality(const tni_joint *joint) {
    return joint->def.surface.side == TN_SURFACE_SIDE_BOTH;
}

static tni_row_count surface_count_rows(const tni_joint *joint) {
    uint32_t equalities = surface_is_equality(joint) ? 1 : 0;
    tni_row_count count = {1, equalities, 0, equalities};
    return count;
}

static void surface_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                         tni_rows *out) {
    tni_field field;
    tni_point point = surface_measure(joint, a, b, &field);
    out->is_not_finite = field.is_not_finite;
    if (surface_is_equality(joint)) {
        tni_rows_add_field(out, &field, &point);
    } else if (out->bounded != NULL) {
        tni_lone_row lone;
        tni_rows own = tni_rows_of_one(out, &lone);
        tni_rows_add_field(&own, &field, &point);
        tni_rows_bound(&own, surface_get_sign(joint), TNI_ROW_LIMIT, out->bounded);
    }
}

// The error is along the surface's normal; for one side it counts only beyond the surface.
static tn_joint_error surface_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                            const tni_body_motion *b) {
    tni_field field;
    surface_measure(joint, a, b, &field);
    tni_axes axes = tni_axes_of_frame(&joint->frame_a, a);
    bool counts = surface_is_equality(joint) || surface_get_sign(joint) * field.value < 0.0;
    return tni_error_make(&axes, dvec3_scale(field.gradient, counts ? field.value : 0.0),
                          dvec3_make(0.0, 0.0, 0.0));
}

static tni_joint_value surface_measure_value(const tni_joint *joint, uint32_t index,
                                             const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_field field;
    tni_point point = surface_measure(joint, a, b, &field);
    tni_joint_value value = {field.value,
                             dvec3_dot(field.gradient, tni_field_get_velocity(&point, a, b))};
    return value;
}

const tni_joint_kind tni_surface_joint_kind = {.count_rows = surface_count_rows,
                                               .emit = surface_emit,
                                               .measure_error = surface_measure_error,
                                               .measure_value = surface_measure_value,
                                               .has_callback = true};
