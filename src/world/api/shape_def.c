// world/api/shape_def.c: the default definition of a shape, and the checks of materials and
// geometry. Test: tests/world/api/test_shape.c
#include "world/api/shape_def.h"

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

tn_result tni_material_check(const tn_material *material, const char **out_message) {
    *out_message = "Friction, restitution and resistances must be finite.";
    if (!isfinite(material->friction) || !isfinite(material->static_friction) ||
        !isfinite(material->restitution) || !isfinite(material->rolling_resistance) ||
        !isfinite(material->twisting_resistance)) {
        return TN_RESULT_NOT_FINITE;
    }
    *out_message = "Friction and resistances must not be negative, restitution from 0 to 1.";
    bool is_valid = material->friction >= 0.0f && material->restitution >= 0.0f &&
                    material->restitution <= 1.0f && material->rolling_resistance >= 0.0f &&
                    material->twisting_resistance >= 0.0f;
    if (is_valid && material->static_friction != 0.0f) {
        *out_message = "Static friction must be 0, or at least the friction of what slides.";
        is_valid = material->static_friction >= material->friction;
    }
    if (is_valid) {
        *out_message = "A way to combine materials must be one of tn_combine.";
        is_valid = (uint32_t)material->friction_combine <= TN_COMBINE_MAXIMUM &&
                   (uint32_t)material->restitution_combine <= TN_COMBINE_MAXIMUM;
    }
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

tn_result tni_density_check(float density, const char **out_message) {
    *out_message = "The density must be finite and not negative.";
    if (!isfinite(density)) {
        return TN_RESULT_NOT_FINITE;
    }
    return density >= 0.0f ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

static tn_result shape_check_local_pose(const tn_pose *pose, const char **out_message) {
    *out_message = "The local pose must be finite, and its quaternion must have a length.";
    bool fits = convert_is_finite_float(pose->position);
    return fits ? convert_check_pose(pose) : TN_RESULT_NOT_FINITE;
}

tn_result tni_shape_def_check(const tn_shape_def *def, const char **out_message) {
    *out_message = "A shape needs a definition.";
    if (!def) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tn_result result = shape_check_local_pose(&def->local_pose, out_message);
    if (result == TN_RESULT_OK) {
        result = tni_density_check(def->density, out_message);
    }
    if (result == TN_RESULT_OK) {
        result = tni_material_check(&def->material, out_message);
    }
    return result;
}

static tn_result shape_check_size(float size) {
    if (!isfinite(size)) {
        return TN_RESULT_NOT_FINITE;
    }
    return size > 0.0f ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

static tn_result shape_check_sizes(const float *sizes, int count) {
    tn_result result = TN_RESULT_OK;
    for (int i = 0; i < count && result == TN_RESULT_OK; ++i) {
        result = shape_check_size(sizes[i]);
    }
    return result;
}

tn_result tni_geometry_check(const tni_geometry *geometry, const char **out_message) {
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        *out_message = "The radius must be positive and finite.";
        return shape_check_size(geometry->sphere.radius);
    case TNI_GEOMETRY_CAPSULE: {
        *out_message = "The half length and the radius must be positive and finite.";
        float sizes[2] = {geometry->capsule.half_length, geometry->capsule.radius};
        return shape_check_sizes(sizes, 2);
    }
    case TNI_GEOMETRY_BOX:
        *out_message = "The half extents must be positive and finite.";
        return shape_check_sizes(geometry->box.half_extents.raw, 3);
    default:
        return TN_RESULT_OK;
    }
}
