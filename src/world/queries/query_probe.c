// world/queries/query_probe.c: checks and reads the convex shapes that ask.
//
// Test: tests/world/queries/test_query_probes.c
#include "world/queries/query_probe.h"

#include "world/bodies.h"
#include "world/records/check.h"
#include "world/records/convert.h"

// The number of probes in one piece of a loop, which takes some ten microseconds.
#define PROBE_PIECE 4u

// ---- making -----------------------------------------------------------------------------------

static tn_probe probe_make(tn_shape_type type, tn_pose pose) {
    return (tn_probe){
        .type = type, .pose = pose, .max_distance = (double)INFINITY, .has_depth = true};
}

static tn_pose probe_make_pose(tn_vec3 position) {
    return (tn_pose){position, {0.0, 0.0, 0.0, 1.0}};
}

tn_probe tn_point_probe_make(tn_vec3 point) {
    return probe_make(TN_SHAPE_TYPE_SPHERE, probe_make_pose(point));
}

tn_probe tn_sphere_probe_make(tn_vec3 center, float radius) {
    tn_probe probe = probe_make(TN_SHAPE_TYPE_SPHERE, probe_make_pose(center));
    probe.radius = radius;
    return probe;
}

tn_probe tn_capsule_probe_make(tn_pose pose, float half_length, float radius) {
    tn_probe probe = probe_make(TN_SHAPE_TYPE_CAPSULE, pose);
    probe.half_length = half_length;
    probe.radius = radius;
    return probe;
}

tn_probe tn_box_probe_make(tn_pose pose, tn_vec3 half_extents) {
    tn_probe probe = probe_make(TN_SHAPE_TYPE_BOX, pose);
    probe.half_extents = half_extents;
    return probe;
}

static tn_probe probe_make_tapered(tn_shape_type type, tn_pose pose, float half_length,
                                   float radius_bottom, float radius_top) {
    tn_probe probe = probe_make(type, pose);
    probe.half_length = half_length;
    probe.radius = radius_bottom;
    probe.radius_top = radius_top;
    return probe;
}

tn_probe tn_cylinder_probe_make(tn_pose pose, float half_length, float radius) {
    return probe_make_tapered(TN_SHAPE_TYPE_CYLINDER, pose, half_length, radius, radius);
}

tn_probe tn_cone_probe_make(tn_pose pose, float half_length, float radius) {
    return probe_make_tapered(TN_SHAPE_TYPE_CONE, pose, half_length, radius, 0.0f);
}

tn_probe tn_tapered_cylinder_probe_make(tn_pose pose, float half_length, float radius_bottom,
                                        float radius_top) {
    return probe_make_tapered(TN_SHAPE_TYPE_TAPERED_CYLINDER, pose, half_length, radius_bottom,
                              radius_top);
}

tn_probe tn_tapered_capsule_probe_make(tn_pose pose, float half_length, float radius_bottom,
                                       float radius_top) {
    return probe_make_tapered(TN_SHAPE_TYPE_TAPERED_CAPSULE, pose, half_length, radius_bottom,
                              radius_top);
}

tn_probe tn_ellipsoid_probe_make(tn_pose pose, tn_vec3 radii) {
    tn_probe probe = probe_make(TN_SHAPE_TYPE_ELLIPSOID, pose);
    probe.half_extents = radii;
    return probe;
}

tn_probe tn_hull_probe_make(tn_pose pose, const tn_hull *hull) {
    tn_probe probe = probe_make(TN_SHAPE_TYPE_HULL, pose);
    probe.hull = hull;
    return probe;
}

tn_probe tn_shape_probe_make(tn_pose pose, tn_shape_id shape) {
    tn_probe probe = probe_make(TN_SHAPE_TYPE_SPHERE, pose);
    probe.shape = shape;
    return probe;
}

// ---- checks -----------------------------------------------------------------------------------

static tni_check probe_check_extents(tn_vec3 h) {
    const double most = (double)TNI_GEOMETRY_FARTHEST;
    bool are_within =
        h.x >= 0.0 && h.y >= 0.0 && h.z >= 0.0 && h.x <= most && h.y <= most && h.z <= most;
    return tni_check_number(convert_is_finite_float(h), are_within,
                            "A probe's lengths must be finite, not negative and at most 1e9 m.");
}

// Returns the radius at the top, which some types have from that at the bottom.
static float probe_get_top(const tn_probe *probe) {
    return probe->type == TN_SHAPE_TYPE_CYLINDER ? probe->radius
           : probe->type == TN_SHAPE_TYPE_CONE   ? 0.0f
                                                 : probe->radius_top;
}

// Checks what is round about an axis, and has a volume.
static tni_check probe_check_tapered(const tn_probe *probe) {
    double half = (double)probe->half_length, bottom = (double)probe->radius;
    double top = (double)probe_get_top(probe);
    bool is_capsule = probe->type == TN_SHAPE_TYPE_TAPERED_CAPSULE;
    bool has_radii = is_capsule ? bottom > 0.0 && top > 0.0 && fabs(bottom - top) < 2.0 * half
                                : bottom + top > 0.0;
    return tni_check_both(probe_check_extents((tn_vec3){half, bottom, top}),
                          tni_check_that(half > 0.0 && has_radii, TN_RESULT_INVALID_ARGUMENT,
                                         "A cylinder, a cone or a tapered capsule has a length and "
                                         "a radius, and neither ball of a capsule holds the "
                                         "other."));
}

static tni_check probe_check_ellipsoid(tn_vec3 r) {
    return tni_check_both(probe_check_extents(r),
                          tni_check_that(r.x > 0.0 && r.y > 0.0 && r.z > 0.0,
                                         TN_RESULT_INVALID_ARGUMENT,
                                         "The half axes of an ellipsoid must be positive."));
}

static tni_check probe_check_size(const tn_probe *probe) {
    switch (probe->type) {
    case TN_SHAPE_TYPE_CYLINDER:
    case TN_SHAPE_TYPE_CONE:
    case TN_SHAPE_TYPE_TAPERED_CYLINDER:
    case TN_SHAPE_TYPE_TAPERED_CAPSULE:
        return probe_check_tapered(probe);
    case TN_SHAPE_TYPE_ELLIPSOID:
        return probe_check_ellipsoid(probe->half_extents);
    case TN_SHAPE_TYPE_SPHERE:
        return probe_check_extents((tn_vec3){(double)probe->radius, 0.0, 0.0});
    case TN_SHAPE_TYPE_CAPSULE:
        return probe_check_extents(
            (tn_vec3){(double)probe->radius, (double)probe->half_length, 0.0});
    case TN_SHAPE_TYPE_BOX:
        return probe_check_extents(probe->half_extents);
    case TN_SHAPE_TYPE_HULL:
        return tni_check_that(probe->hull != NULL, TN_RESULT_INVALID_ARGUMENT,
                              "A probe that is a hull needs one.");
    default:
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A probe is of a convex type, or a shape."};
    }
}

static tni_check probe_check_ways(const tn_probe *probe) {
    const tni_check checks[] = {
        tni_check_that(convert_is_finite_float(probe->translation), TN_RESULT_NOT_FINITE,
                       "A probe's translation must be finite."),
        tni_check_number(!isnan(probe->max_distance), probe->max_distance >= 0.0,
                         "A probe's greatest distance must not be negative."),
        tni_check_choice((int)probe->inside, TN_QUERY_INSIDE_IGNORE,
                         "A probe's `inside` must be REPORT, PASS or IGNORE."),
        tni_check_that(convert_is_finite_float(probe->pose.position), TN_RESULT_NOT_FINITE,
                       "A probe's position must be finite."),
        tni_check_that(convert_check_pose(&probe->pose) == TN_RESULT_OK,
                       convert_check_pose(&probe->pose),
                       "A probe's rotation must be finite and not zero."),
    };
    return tni_check_all(checks, sizeof checks);
}

// Checks the shape that replaces the numbers of a probe, if there is one. Returns false after a
// report.
static bool probe_check_shape(const tn_world *world, const tn_probe *probe, const char *function) {
    if (probe->shape.value == 0) {
        return true;
    }
    uint32_t shape = tni_world_find_shape(world, probe->shape, function);
    if (shape == TNI_NONE) {
        return false;
    }
    tni_geometry_type type = tni_shape_at(world, shape)->geometry.type;
    bool is_convex = type != TNI_GEOMETRY_HALF_SPACE && !tni_geometry_is_concave(type);
    tni_check check = tni_check_that(
        is_convex, TN_RESULT_WRONG_TYPE,
        "A half-space, a mesh, a height field or a compound is no shape to ask with.");
    return tni_world_accepts(world, check, function, probe->shape.value);
}

static bool probe_check(const tn_world *world, const tn_probe *probe, const char *function) {
    tni_check check = probe_check_ways(probe);
    if (check.result == TN_RESULT_OK && probe->shape.value == 0) {
        check = tni_check_both(probe_check_size(probe),
                               probe_check_extents((tn_vec3){(double)probe->rounding, 0.0, 0.0}));
    }
    return tni_world_accepts(world, check, function, 0) &&
           probe_check_shape(world, probe, function) &&
           tni_query_check_filter(world, probe->filter, function);
}

bool tni_probe_begin(const tn_world *world, const tn_probe *probes, uint32_t count, const void *out,
                     const char *function) {
    if (!tni_query_begin(world, function)) {
        return false;
    }
    if ((probes == NULL || out == NULL) && count > 0) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         probes == NULL ? "There is no probe." : "There is no room for the hits.",
                         0);
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!probe_check(world, &probes[i], function)) {
            return false;
        }
    }
    return true;
}

// ---- reading ----------------------------------------------------------------------------------

// Reads the lengths of a probe without its rounding.
static tni_geometry probe_read_sharp(const tn_probe *given) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_SPHERE};
    switch (given->type) {
    case TN_SHAPE_TYPE_CAPSULE:
        geometry.type = TNI_GEOMETRY_CAPSULE;
        geometry.capsule.radius = given->radius;
        geometry.capsule.half_length = given->half_length;
        break;
    case TN_SHAPE_TYPE_BOX:
        geometry.type = TNI_GEOMETRY_BOX;
        geometry.box.half_extents = convert_to_float(given->half_extents);
        break;
    case TN_SHAPE_TYPE_HULL:
        geometry.type = TNI_GEOMETRY_HULL;
        geometry.hull.hull = ((const tni_shared_hull *)(const void *)given->hull)->hull;
        break;
    case TN_SHAPE_TYPE_CYLINDER:
    case TN_SHAPE_TYPE_CONE:
    case TN_SHAPE_TYPE_TAPERED_CYLINDER:
        geometry.type = TNI_GEOMETRY_CYLINDER;
        geometry.cylinder.half_length = given->half_length;
        geometry.cylinder.radius_bottom = given->radius;
        geometry.cylinder.radius_top = probe_get_top(given);
        break;
    case TN_SHAPE_TYPE_TAPERED_CAPSULE:
        geometry.type = TNI_GEOMETRY_TAPERED_CAPSULE;
        geometry.tapered_capsule.half_length = given->half_length;
        geometry.tapered_capsule.radius_bottom = given->radius;
        geometry.tapered_capsule.radius_top = given->radius_top;
        break;
    case TN_SHAPE_TYPE_ELLIPSOID:
        geometry.type = TNI_GEOMETRY_ELLIPSOID;
        geometry.ellipsoid.radii = convert_to_float(given->half_extents);
        break;
    default:
        geometry.sphere.radius = given->radius;
        break;
    }
    return geometry;
}

static tni_geometry probe_read_geometry(const tn_world *world, const tn_probe *given) {
    tni_geometry geometry;
    if (given->shape.value != 0) {
        geometry = tni_shape_at(world, given->shape.value & TNI_POOL_INDEX_MASK)->geometry;
    } else {
        geometry = probe_read_sharp(given);
        tni_geometry_round(&geometry, given->rounding);
    }
    geometry.position = maths_vec3_zero();
    geometry.rotation = maths_quat_identity();
    return geometry;
}

void tni_probe_read(const tn_world *world, const tn_probe *given, tni_probe *out_probe) {
    tni_dpose pose = {dvec3_from_plain(given->pose.position),
                      convert_from_rotation(given->pose.rotation)};
    out_probe->world = world;
    out_probe->given = given;
    out_probe->filter = tni_query_read_filter(given->filter);
    out_probe->geometry = probe_read_geometry(world, given);
    out_probe->translation = dvec3_from_plain(given->translation);
    out_probe->bounds = tni_geometry_bounds(&out_probe->geometry, &pose);
    tni_placed_set(&out_probe->placed, &out_probe->geometry, pose.position, pose.rotation);
}

// ---- hits -------------------------------------------------------------------------------------

// A normal's square is 1 up to this.
#define PROBE_UNIT 1e-4

bool tni_probe_is_gap(const tni_placed_gap *gap) {
    bool is_unit = fabs(dvec3_dot(gap->normal, gap->normal) - 1.0) < PROBE_UNIT;
    return is_unit && isfinite(gap->separation) && dvec3_is_finite(gap->point_a);
}

tn_probe_hit tni_probe_describe(const tn_world *world, uint32_t shape, const tni_placed_gap *gap,
                                double fraction) {
    tn_probe_hit hit = {.shape = {tni_shape_at(world, shape)->handle}, .fraction = fraction};
    hit.point = dvec3_to_plain(gap->point_a);
    hit.normal = dvec3_to_plain(gap->normal);
    hit.distance = gap->separation;
    return hit;
}

static int probe_compare(double x, double y) {
    return x < y ? -1 : x > y ? 1 : 0;
}

int tni_probe_compare_shapes(const void *a, const void *b) {
    uint32_t x = ((const tn_probe_hit *)a)->shape.value & TNI_POOL_INDEX_MASK;
    uint32_t y = ((const tn_probe_hit *)b)->shape.value & TNI_POOL_INDEX_MASK;
    return x < y ? -1 : x > y ? 1 : 0;
}

int tni_probe_compare_fractions(const void *a, const void *b) {
    const tn_probe_hit *x = a, *y = b;
    int order = probe_compare(x->fraction, y->fraction);
    return order != 0 ? order : tni_probe_compare_shapes(a, b);
}

int tni_probe_compare_distances(const void *a, const void *b) {
    const tn_probe_hit *x = a, *y = b;
    int order = probe_compare(x->distance, y->distance);
    return order != 0 ? order : tni_probe_compare_shapes(a, b);
}

// ---- batches ----------------------------------------------------------------------------------

typedef struct probe_batch {
    const tn_world *world;
    const tn_probe *probes;
    tni_probe_fn *run;
    tn_probe_hit *hits;
    uint32_t capacity;
    uint32_t *counts; // or null: then one hit each, whose shape says whether there is one
} probe_batch;

static void probe_answer(const void *context, uint32_t i) {
    const probe_batch *batch = context;
    tn_probe_hit *hits = batch->hits != NULL ? &batch->hits[(size_t)i * batch->capacity] : NULL;
    uint32_t count = batch->run(batch->world, &batch->probes[i], hits, batch->capacity);
    if (batch->counts != NULL) {
        batch->counts[i] = count;
    }
}

static void probe_get_line(const void *context, uint32_t i, tni_dvec3 out_ends[2]) {
    const tn_probe *probe = &((const probe_batch *)context)->probes[i];
    out_ends[0] = dvec3_from_plain(probe->pose.position);
    out_ends[1] = dvec3_add(out_ends[0], dvec3_from_plain(probe->translation));
}

uint32_t tni_probe_run(const tn_world *world, const tn_probe *probe, tni_probe_fn *run,
                       tn_probe_hit *hits, uint32_t capacity, const char *function) {
    tni_float_environment host = tni_float_environment_enter();
    bool may_ask = tni_probe_begin(world, probe, 1, world, function);
    uint32_t count = may_ask ? run(world, probe, hits, capacity) : 0;
    tni_float_environment_leave(host);
    return count;
}

uint32_t tni_probe_run_batch(const tn_world *world, const tn_probe *probes, uint32_t count,
                             tni_probe_fn *run, tn_probe_hit *hits, uint32_t capacity,
                             uint32_t *counts, const char *function) {
    const void *out = counts != NULL ? (const void *)counts : (const void *)hits;
    for (uint32_t i = 0; i < count && out != NULL; ++i) {
        if (counts != NULL) {
            counts[i] = 0;
        } else {
            hits[i] = (tn_probe_hit){0};
        }
    }
    tni_float_environment host = tni_float_environment_enter();
    bool may_ask = tni_probe_begin(world, probes, count, out, function);
    if (may_ask) {
        probe_batch batch = {world, probes, run, hits, hits != NULL ? capacity : 0, counts};
        tni_query_batch queries = {probe_answer, probe_get_line, &batch, count, PROBE_PIECE};
        tni_query_run_batch(world, &queries);
    }
    tni_float_environment_leave(host);
    if (!may_ask) {
        return 0;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        found += counts != NULL ? counts[i] > 0 : hits[i].shape.value != 0;
    }
    return found;
}
