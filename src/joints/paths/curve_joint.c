// joints/paths/curve_joint.c: a point of b stays on a curve fixed to frame a.
//
// Symbols: p = frame b's origin as frame a sees it; c the nearest point of the curve, d = p - c; t,
// n_1, n_2 the curve's frame there, k = dt/ds its bend, k_i = k . n_i, o = dn_1/ds . n_2 the rate
// at which the frame turns about t, g = 1 / (1 - d . k), so that ds/dp = g t; see
// joints/paths/curve.c.
//
// Equality rows (2):  C_1 = n_1 . d   with gradient  n_1 + o (n_2 . d) g t
//                     C_2 = n_2 . d                  n_2 - o (n_1 . d) g t
//                     second derivatives, at d = 0:
//                     -k_1 g t t^T + o g (t n_2^T + n_2 t^T)
//                     -k_2 g t t^T - o g (t n_1^T + n_1 t^T)
//                     as rows: parts/field.c
// The frame hardly turns, and never flips, so that impulses kept from one substep mean the same in
// the next one. Nearer to the centre of curvature than a quarter of its radius g would grow without
// bound, and no point is the nearest for certain: g is 0 there, and nothing acts along the curve.
// Value:              s, with gradient g t and, at d = 0, second derivatives k t^T + t k^T
// Limits, motor, spring and friction act on s. Signs: positive moves b from the first point to the
// second. The spline's parameter is stored as an angle, of which a full turn is the whole of a
// closed curve, so that the memory of turns (parts/turns.h) holds where on the curve the point was,
// how far it goes and how many rounds it made. The nearest point is sought from there.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (C, its derivatives);
// those of n_i, d and s by differentiating d . t = 0.
// Test: tests/joints/test_rows.c, tests/joints/paths/test_curve_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/paths/curve.h"
#include "joints/paths/field.h"

// rad: an open curve reaches from minus OPEN_ANGLE to OPEN_ANGLE, and points beyond its ends at
// most to FARTHEST, so that no full turn is ever counted.
#define CURVE_OPEN_ANGLE (0.25 * MATHS_PI)
#define CURVE_FARTHEST   (0.45 * MATHS_PI)

typedef struct curve_spot {
    tni_point point;
    tni_curve_place place; // its vectors in world axes
    double way;            // m, with whole rounds
} curve_spot;

// ---- where on the curve ------------------------------------------------------------------------

static const tni_curve *curve_of(const tni_joint *joint) {
    return joint->def.curve.apart;
}

static double curve_get_angle(const tni_curve *curve, double u) {
    double share = u / tni_spline_get_end(&curve->spline);
    if (tni_spline_is_closed(&curve->spline)) {
        return 2.0 * MATHS_PI * share - MATHS_PI;
    }
    double angle = (2.0 * share - 1.0) * CURVE_OPEN_ANGLE;
    return maths_min_d(maths_max_d(angle, -CURVE_FARTHEST), CURVE_FARTHEST);
}

static double curve_get_parameter(const tni_curve *curve, double angle) {
    double share = tni_spline_is_closed(&curve->spline) ? angle / (2.0 * MATHS_PI) + 0.5
                                                        : 0.5 * (angle / CURVE_OPEN_ANGLE + 1.0);
    return share * tni_spline_get_end(&curve->spline);
}

static curve_spot curve_measure(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b) {
    const tni_curve *curve = curve_of(joint);
    const tni_turns *turns = &joint->memory.turns[0];
    tni_axes axes = tni_axes_of_frame(&joint->frame_a, a);
    curve_spot spot = {.point = tni_point_measure(joint, a, b)};
    double expected = curve_get_parameter(curve, turns->rest + turns->ahead);
    tni_curve_place *place = &spot.place;
    *place = tni_curve_find_near(curve, expected, tni_axes_turn_back(&axes, spot.point.d));
    double rounds = (double)tni_turns_count(turns, curve_get_angle(curve, place->u));
    spot.way = place->way + rounds * curve->length;
    place->off = tni_axes_turn(&axes, place->off);
    place->tangent = tni_axes_turn(&axes, place->tangent);
    place->normals[0] = tni_axes_turn(&axes, place->normals[0]);
    place->normals[1] = tni_axes_turn(&axes, place->normals[1]);
    place->bend = tni_axes_turn(&axes, place->bend);
    return spot;
}

static double curve_get_speed(const curve_spot *spot, const tni_body_motion *a,
                              const tni_body_motion *b) {
    const tni_curve_place *place = &spot->place;
    return place->stretch * dvec3_dot(place->tangent, tni_field_get_velocity(&spot->point, a, b));
}

// ---- rows --------------------------------------------------------------------------------------

static void curve_make_field(const curve_spot *spot, int row, tni_field *field) {
    const tni_curve_place *place = &spot->place;
    tni_dvec3 own = place->normals[row], other = place->normals[1 - row], t = place->tangent;
    double turning = (row == 0 ? 1.0 : -1.0) * place->turning * place->stretch;
    *field = (tni_field){.value = dvec3_dot(own, place->off)};
    field->gradient = dvec3_add_scaled(own, turning * dvec3_dot(other, place->off), t);
    tni_field_add_product(field, -dvec3_dot(place->bend, own) * place->stretch, t, t);
    tni_field_add_product(field, 2.0 * turning, t, other);
}

static void curve_make_way(const curve_spot *spot, tni_field *field) {
    const tni_curve_place *place = &spot->place;
    *field = (tni_field){.value = spot->way};
    field->gradient = dvec3_scale(place->tangent, place->stretch);
    tni_field_add_product(field, 2.0, place->tangent, place->bend);
}

// Returns the limit in force: an open curve ends at its ends.
static tn_limit curve_get_limit(const tni_curve *curve) {
    tn_limit limit = curve->def.limit;
    float length = (float)curve->length;
    if (!tni_spline_is_closed(&curve->spline)) {
        limit.lower = limit.is_enabled ? maths_clamp(limit.lower, 0.0f, length) : 0.0f;
        limit.upper = limit.is_enabled ? maths_clamp(limit.upper, 0.0f, length) : length;
        limit.is_enabled = true;
    }
    return limit;
}

static tni_scalar_actors curve_get_actors(const tni_curve *curve, const tn_limit *limit) {
    const tn_curve_joint_def *def = &curve->def;
    tni_scalar_actors actors = {&def->spring, &def->motor, limit, def->friction,
                                def->viscous_friction};
    return actors;
}

static tni_row_count curve_count_rows(const tni_joint *joint) {
    tn_limit limit = curve_get_limit(curve_of(joint));
    tni_scalar_actors actors = curve_get_actors(curve_of(joint), &limit);
    tni_row_count count = {2 + tni_scalar_count_rows(&actors), 2, 0, 2};
    return count;
}

static void curve_emit_way(const tni_joint *joint, const curve_spot *spot, const tni_rows *out) {
    tn_limit limit = curve_get_limit(curve_of(joint));
    tni_scalar_actors actors = curve_get_actors(curve_of(joint), &limit);
    tni_field field;
    curve_make_way(spot, &field);
    tni_scalar scalar = tni_along_make_scalar(&spot->point, field.gradient);
    scalar.value = spot->way;
    scalar.acceleration =
        out->is_still ? 0.0
                      : tni_field_measure_term(&field, &spot->point, out->ends[0], out->ends[1]);
    tni_scalar_emit(&scalar, &actors, out->bounded);
}

static void curve_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_rows *out) {
    curve_spot spot = curve_measure(joint, a, b);
    for (int i = 0; i < 2; ++i) {
        tni_field field;
        curve_make_field(&spot, i, &field);
        tni_rows_add_field(out, &field, &spot.point);
    }
    if (out->bounded != NULL) {
        curve_emit_way(joint, &spot, out);
    }
}

// ---- values ------------------------------------------------------------------------------------

// The error is the distance from the curve, and along it the distance past the limits.
static tn_joint_error curve_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    curve_spot spot = curve_measure(joint, a, b);
    tni_axes axes = tni_axes_of_frame(&joint->frame_a, a);
    tn_limit limit = curve_get_limit(curve_of(joint));
    tni_scalar scalar = {.value = spot.way};
    tni_dvec3 linear =
        dvec3_add_scaled(spot.place.off, tni_limit_get_excess(&scalar, &limit), spot.place.tangent);
    return tni_error_make(&axes, linear, dvec3_make(0.0, 0.0, 0.0));
}

static tni_joint_value curve_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    curve_spot spot = curve_measure(joint, a, b);
    tni_joint_value value = {spot.way, curve_get_speed(&spot, a, b)};
    return value;
}

static bool curve_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b, tni_joint_value turning[2]) {
    const tni_curve *curve = curve_of(joint);
    curve_spot spot = curve_measure(joint, a, b);
    double per_parameter =
        (tni_spline_is_closed(&curve->spline) ? 2.0 * MATHS_PI : 2.0 * CURVE_OPEN_ANGLE) /
        tni_spline_get_end(&curve->spline);
    double rate = curve_get_speed(&spot, a, b) * maths_inverse_or_zero_d(spot.place.speed);
    turning[0] = (tni_joint_value){curve_get_angle(curve, spot.place.u), per_parameter * rate};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return true;
}

// Finds the nearest point of the whole curve; rounds go on from those already made.
static void curve_seek(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    const tni_curve *curve = curve_of(joint);
    tni_axes axes = tni_axes_of_frame(&joint->frame_a, a);
    tni_point point = tni_point_measure(joint, a, b);
    tni_curve_place place = tni_curve_find_anywhere(curve, tni_axes_turn_back(&axes, point.d));
    joint->memory.turns[0].rest = curve_get_angle(curve, place.u);
    joint->memory.turns[0].ahead = 0.0;
}

// ---- the definition -----------------------------------------------------------------------------

// The points stay as they were made.
static bool curve_keep(tni_allocator *allocator, const tni_joint_def *given, tni_joint *joint) {
    const tn_curve_joint_def *def = &given->curve;
    tni_curve *apart = joint->def.curve.apart;
    apart = apart != NULL ? apart : tni_curve_make(allocator, def);
    if (apart == NULL) {
        return false;
    }
    apart->def = *def;
    apart->def.points = apart->points;
    joint->def.curve.base = def->base;
    joint->def.curve.apart = apart;
    return true;
}

static void curve_load(const tni_joint *joint, tni_joint_def *out_def) {
    out_def->curve = joint->def.curve.apart->def;
}

static void curve_drop(tni_allocator *allocator, tni_joint *joint) {
    tni_curve_forget(allocator, joint->def.curve.apart);
    joint->def.curve.apart = NULL;
}

static const char *curve_find_fault(const tni_joint *joint) {
    return joint->def.curve.apart->is_smooth ? NULL : "The curve turns back on itself in a point.";
}

static const tni_joint_keeper curve_keeper = {
    .keep = curve_keep, .load = curve_load, .drop = curve_drop, .find_fault = curve_find_fault};

static const tni_joint_counter curve_counter = {
    .measure_turning = curve_measure_turning, .mesh = curve_seek, .seek = curve_seek};

const tni_joint_kind tni_curve_joint_kind = {.count_rows = curve_count_rows,
                                             .emit = curve_emit,
                                             .measure_error = curve_measure_error,
                                             .measure_value = curve_measure_value,
                                             .counter = &curve_counter,
                                             .keeper = &curve_keeper};
