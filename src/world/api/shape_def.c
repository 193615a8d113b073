// world/api/shape_def.c: the default definition of a shape, and the checks of materials and
// geometry. Test: tests/world/api/test_shape.c
#include "world/api/shape_def.h"

#include "world/bodies.h"
#include "world/records/convert.h"

tn_material tn_material_default(void) {
    return (tn_material){.friction = 0.6f};
}

tn_filter tn_filter_default(void) {
    return (tn_filter){.category = 1, .mask = UINT64_MAX};
}

tn_shape_def tn_shape_def_default(void) {
    tn_shape_def def = {0};
    def.local_pose.rotation.w = 1.0;
    def.density = 1000.0f;
    def.material = tn_material_default();
    def.filter = tn_filter_default();
    def.has_hit_events = true;
    return def;
}

// A scale of friction is at most this, so that its square fits in any sum.
#define SHAPE_MOST_FRICTION_SCALE 1000.0

static bool shape_is_friction_scale(double scale) {
    return scale >= 0.0 && scale <= SHAPE_MOST_FRICTION_SCALE;
}

tni_check tni_material_check(const tn_material *material) {
    bool are_finite = isfinite(material->friction) && isfinite(material->static_friction) &&
                      isfinite(material->restitution) && isfinite(material->rolling_resistance) &&
                      isfinite(material->twisting_resistance) && isfinite(material->hertz) &&
                      isfinite(material->damping_ratio) &&
                      convert_is_finite_float(material->friction_scale);
    bool are_within = material->friction >= 0.0f && material->restitution >= 0.0f &&
                      material->restitution <= 1.0f && material->rolling_resistance >= 0.0f &&
                      material->twisting_resistance >= 0.0f && material->hertz >= 0.0f &&
                      material->damping_ratio >= 0.0f;
    bool sticks =
        material->static_friction == 0.0f || material->static_friction >= material->friction;
    bool combines = (uint32_t)material->friction_combine <= TN_COMBINE_MAXIMUM &&
                    (uint32_t)material->restitution_combine <= TN_COMBINE_MAXIMUM;
    tn_vec3 scale = material->friction_scale;
    bool scales = shape_is_friction_scale(scale.x) && shape_is_friction_scale(scale.y) &&
                  shape_is_friction_scale(scale.z);
    const tni_check checks[] = {
        tni_check_that(are_finite, TN_RESULT_NOT_FINITE,
                       "The numbers of a material must be finite."),
        tni_check_that(scales, TN_RESULT_INVALID_ARGUMENT,
                       "Scales of friction must be from 0 to 1000."),
        tni_check_that(are_within, TN_RESULT_INVALID_ARGUMENT,
                       "The numbers of a material must not be negative, restitution from 0 to 1."),
        tni_check_that(sticks, TN_RESULT_INVALID_ARGUMENT,
                       "Static friction must be 0, or at least the friction of what slides."),
        tni_check_that(combines, TN_RESULT_INVALID_ARGUMENT,
                       "A way to combine materials must be one of tn_combine."),
    };
    return tni_check_all(checks, sizeof checks);
}

tni_check tni_density_check(float density) {
    return tni_check_amount(density, "The density must be finite and not negative.");
}

tni_check tni_rounding_check(float rounding) {
    return tni_check_amount(rounding, "The rounding must be finite and not negative.");
}

tni_check tni_surface_check(const tn_surface_velocity *velocity) {
    bool is_finite =
        convert_is_finite_float(velocity->linear) && convert_is_finite_float(velocity->angular);
    return tni_check_that(is_finite, TN_RESULT_NOT_FINITE,
                          "The velocity of a surface must be finite.");
}

bool tni_surface_moves(const tn_surface_velocity *velocity) {
    tn_vec3 v = velocity->linear, w = velocity->angular;
    return v.x != 0.0 || v.y != 0.0 || v.z != 0.0 || w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
}

tni_check tni_local_pose_check(const tn_pose *pose) {
    bool fits = convert_is_finite_float(pose->position);
    return (tni_check){fits ? convert_check_pose(pose) : TN_RESULT_NOT_FINITE,
                       "The local pose must be finite, and its quaternion must have a length: "
                       "start from tn_shape_def_default()."};
}

tni_check tni_shape_def_check(const tn_shape_def *def) {
    if (!def) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A shape needs a definition."};
    }
    const tni_check checks[] = {
        tni_local_pose_check(&def->local_pose),    tni_density_check(def->density),
        tni_rounding_check(def->rounding),         tni_material_check(&def->material),
        tni_surface_check(&def->surface_velocity),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check shape_check_sizes(const float *sizes, int count, const char *message) {
    tni_check check = {TN_RESULT_OK, NULL};
    for (int i = 0; i < count; ++i) {
        check =
            tni_check_both(check, tni_check_number(isfinite(sizes[i]), sizes[i] > 0.0f, message));
    }
    return check;
}

static tni_check shape_check_cylinder(const tni_geometry *geometry) {
    const char *message = "The half length must be positive and finite, and so must a radius; the "
                          "other one must not be negative.";
    float bottom = geometry->cylinder.radius_bottom, top = geometry->cylinder.radius_top;
    bool is_within = bottom >= 0.0f && top >= 0.0f && bottom + top > 0.0f;
    return tni_check_both(shape_check_sizes(&geometry->cylinder.half_length, 1, message),
                          tni_check_number(isfinite(bottom) && isfinite(top), is_within, message));
}

static tni_check shape_check_tapered_capsule(const tni_geometry *geometry) {
    const float sizes[] = {geometry->tapered_capsule.half_length,
                           geometry->tapered_capsule.radius_bottom,
                           geometry->tapered_capsule.radius_top};
    bool is_within = fabsf(sizes[1] - sizes[2]) < 2.0f * sizes[0];
    return tni_check_both(
        shape_check_sizes(sizes, 3, "The half length and both radii must be positive and finite."),
        tni_check_that(is_within, TN_RESULT_INVALID_ARGUMENT,
                       "Neither ball of a tapered capsule may hold the other."));
}

// Products of two lengths must not overflow.
static tni_check shape_check_reach(const tni_geometry *geometry) {
    bool is_bounded = geometry->type < TNI_GEOMETRY_HALF_SPACE;
    float reach = is_bounded ? tni_geometry_reach(geometry, geometry->position) : 0.0f;
    return tni_check_that(reach <= TNI_GEOMETRY_FARTHEST, TN_RESULT_INVALID_ARGUMENT,
                          "A shape may not reach farther than 1e9 m.");
}

static tni_check shape_check_lengths(const tni_geometry *geometry) {
    const float capsule[] = {geometry->capsule.half_length, geometry->capsule.radius};
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        return shape_check_sizes(&geometry->sphere.radius, 1,
                                 "The radius must be positive and finite.");
    case TNI_GEOMETRY_CAPSULE:
        return shape_check_sizes(capsule, 2,
                                 "The half length and the radius must be positive and finite.");
    case TNI_GEOMETRY_BOX:
        return shape_check_sizes(geometry->box.half_extents.raw, 3,
                                 "The half extents must be positive and finite.");
    case TNI_GEOMETRY_CYLINDER:
        return shape_check_cylinder(geometry);
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        return shape_check_tapered_capsule(geometry);
    case TNI_GEOMETRY_ELLIPSOID:
        return shape_check_sizes(geometry->ellipsoid.radii.raw, 3,
                                 "The radii must be positive and finite.");
    case TNI_GEOMETRY_HULL:
        return (tni_check){TN_RESULT_OK, NULL};
    default:
        return tni_check_that(geometry->rounding == 0.0f, TN_RESULT_WRONG_TYPE,
                              "Half-spaces, meshes, height fields and compounds have no rounding.");
    }
}

tni_check tni_geometry_check(const tni_geometry *geometry) {
    tni_check check = shape_check_lengths(geometry);
    return check.result == TN_RESULT_OK ? shape_check_reach(geometry) : check;
}

// They are such as a definition may have.
tni_check tni_shape_check_saved(const tni_shape *shape) {
    const tni_geometry *geometry = &shape->geometry;
    bool is_placed = maths_vec3_is_finite(geometry->position) &&
                     dquat_is_normal(dquat_from_float(geometry->rotation));
    const tni_check checks[] = {
        tni_check_that(is_placed, TN_RESULT_NOT_FINITE, "The local pose is none."),
        tni_geometry_check(geometry),
        tni_rounding_check(geometry->rounding),
        tni_density_check(shape->density),
        tni_material_check(&shape->material),
    };
    return tni_check_all(checks, sizeof checks);
}

tni_check tni_geometry_check_affine(const tni_geometry *geometry) {
    bool deforms = geometry->rounding == 0.0f && !tni_geometry_is_curved(geometry);
    return tni_check_that(deforms, TN_RESULT_WRONG_TYPE,
                          "The shapes of an affine body are spheres, capsules, boxes and hulls "
                          "without a rounding.");
}
