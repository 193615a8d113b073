// collision/manifold/manifold_round.c: spheres and capsules against each other, and a sphere
// against a box.
//
// A round shape is a point or a segment with a radius: the closest points of the cores give the
// normal, and the radii come off the distance. Two capsules that lie nearly parallel touch along a
// line: they get a point at each end of the stretch they share.
// Closest points of segments: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9.
// Test: tests/collision/manifold/test_manifold_round.c
#include "collision/narrow.h"

// m: cores closer than this have no direction between them.
#define ROUND_COINCIDENT 1e-7f
// Capsules whose axes meet at a smaller angle (sine squared; 3 degrees) lie alongside.
#define ROUND_ALONGSIDE_SINE2 2.7e-3f

static vec3s round_up_axis(void) {
    return maths_vec3(0.0f, 1.0f, 0.0f);
}

static void round_add_point(tni_manifold *manifold, vec3s core_a, vec3s core_b, float radius_a,
                            float radius_b, float margin, uint32_t feature) {
    float gap = narrow_dot(glms_vec3_sub(core_b, core_a), manifold->normal);
    float separation = gap - radius_a - radius_b;
    if (separation > margin) {
        return;
    }
    tni_manifold_point *p = &manifold->points[manifold->point_count++];
    p->separation = separation;
    p->feature = feature;
    // The point is midway between core_a + n radius_a and core_b - n radius_b, above a's core.
    p->position = maths_vec3_add_scaled(glms_vec3_scale(glms_vec3_add(core_a, core_b), 0.5f),
                                        0.5f * (radius_a - radius_b), manifold->normal);
}

// Adds the contact of two cores at their closest points.
static void round_touch(vec3s core_a, vec3s core_b, float radius_a, float radius_b, vec3s fallback,
                        float margin, uint32_t feature, tni_manifold *manifold) {
    vec3s d = glms_vec3_sub(core_b, core_a);
    manifold->normal = glms_vec3_norm2(d) > ROUND_COINCIDENT * ROUND_COINCIDENT
                           ? maths_vec3_normalize_or(d, fallback)
                           : fallback;
    round_add_point(manifold, core_a, core_b, radius_a, radius_b, margin, feature);
}

void tni_collide_spheres(float radius_a, float radius_b, const tni_relative *relative, float margin,
                         tni_manifold *manifold) {
    round_touch(maths_vec3_zero(), relative->position, radius_a, radius_b, round_up_axis(), margin,
                feature_of_other(1), manifold);
}

void tni_collide_sphere_capsule(float radius_a, float half_length, float radius_b,
                                const tni_relative *relative, float margin,
                                tni_manifold *manifold) {
    vec3s axis = relative->basis.y;
    float along = maths_clamp(-narrow_dot(relative->position, axis), -half_length, half_length);
    vec3s core = maths_vec3_add_scaled(relative->position, along, axis);
    round_touch(maths_vec3_zero(), core, radius_a, radius_b, relative->basis.x, margin,
                feature_of_other(1), manifold);
}

// ---- capsules ------------------------------------------------------------------------------

// Finds the parameters, as distances from the middle, of the closest points of the segments s * (0,
// 1, 0), |s| <= half_a, and center + t * axis, |t| <= half_b.
static void round_closest_segments(float half_a, vec3s center, vec3s axis, float half_b,
                                   float *out_s, float *out_t) {
    // |s y - center - t axis|^2 is least where s - t k = center.y and t - s k = -center . axis.
    float k = axis.y;
    float p = center.y, q = -narrow_dot(center, axis);
    float sine2 = axis.x * axis.x + axis.z * axis.z;
    float s = sine2 > 1e-8f ? (p + k * q) / sine2 : p;
    s = maths_clamp(s, -half_a, half_a);
    float t = q + s * k;
    if (t < -half_b || t > half_b) {
        t = maths_clamp(t, -half_b, half_b);
        s = maths_clamp(p + t * k, -half_a, half_a);
    }
    *out_s = s;
    *out_t = t;
}

void tni_collide_capsules(const tni_geometry *a, const tni_geometry *b,
                          const tni_relative *relative, float margin, tni_manifold *manifold) {
    float half_a = a->capsule.half_length, half_b = b->capsule.half_length;
    float radius_a = a->capsule.radius, radius_b = b->capsule.radius;
    vec3s center = relative->position, axis = relative->basis.y;
    float s, t;
    round_closest_segments(half_a, center, axis, half_b, &s, &t);
    vec3s core_a = maths_vec3(0.0f, s, 0.0f);
    vec3s core_b = maths_vec3_add_scaled(center, t, axis);
    vec3s d = glms_vec3_sub(core_b, core_a);
    float distance = glms_vec3_norm(d);
    if (distance > radius_a + radius_b + margin) {
        return;
    }
    // Cores that cross are pushed apart square to both.
    vec3s across = maths_vec3_normalize_or(glms_vec3_cross(maths_vec3(0.0f, 1.0f, 0.0f), axis),
                                           maths_vec3(1.0f, 0.0f, 0.0f));
    manifold->normal = distance > ROUND_COINCIDENT ? glms_vec3_scale(d, 1.0f / distance) : across;

    float sine2 = axis.x * axis.x + axis.z * axis.z;
    // This is the stretch of a's segment that b's covers.
    float reach = half_b * fabsf(axis.y);
    float lower = maths_max(-half_a, center.y - reach);
    float upper = maths_min(half_a, center.y + reach);
    float shortest = 0.1f * maths_min(radius_a, radius_b);
    bool is_side_on = fabsf(manifold->normal.y) < 0.1f;
    if (sine2 < ROUND_ALONGSIDE_SINE2 && is_side_on && upper - lower > shortest) {
        const float ends[2] = {lower, upper};
        for (uint32_t i = 0; i < 2; ++i) {
            float along = (ends[i] - center.y) / axis.y; // |axis.y| is nearly 1
            along = maths_clamp(along, -half_b, half_b);
            round_add_point(manifold, maths_vec3(0.0f, ends[i], 0.0f),
                            maths_vec3_add_scaled(center, along, axis), radius_a, radius_b, margin,
                            feature_of_other(1 + i));
        }
        return;
    }
    round_add_point(manifold, core_a, core_b, radius_a, radius_b, margin,
                    feature_of_other(s <= 0.0f ? 1 : 2));
}

// ---- sphere and box ------------------------------------------------------------------------

// Collides a sphere with a box. The sphere's centre is taken in the box's frame; from inside it
// leaves by the nearest face.
void tni_collide_sphere_box(float radius, vec3s half_extents, const tni_relative *relative,
                            float margin, tni_manifold *manifold) {
    vec3s c = relative_point_inverse(relative, maths_vec3_zero());
    vec3s h = half_extents;
    vec3s closest = maths_vec3(maths_clamp(c.x, -h.x, h.x), maths_clamp(c.y, -h.y, h.y),
                               maths_clamp(c.z, -h.z, h.z));
    vec3s d = glms_vec3_sub(c, closest);
    float distance = glms_vec3_norm(d);
    vec3s outward;
    if (distance > ROUND_COINCIDENT) {
        outward = glms_vec3_scale(d, 1.0f / distance);
    } else {
        uint32_t axis = 0;
        float nearest = FLT_MAX;
        for (uint32_t k = 0; k < 3; ++k) {
            float gap = h.raw[k] - fabsf(c.raw[k]);
            if (gap < nearest) {
                nearest = gap;
                axis = k;
            }
        }
        outward = maths_vec3_zero();
        outward.raw[axis] = c.raw[axis] < 0.0f ? -1.0f : 1.0f;
        distance = -nearest;
    }
    if (distance - radius > margin) {
        return;
    }
    manifold->normal = glms_vec3_negate(basis_mul(&relative->basis, outward));
    manifold->point_count = 1;
    manifold->points[0].separation = distance - radius;
    manifold->points[0].feature = feature_of_other(1);
    // The point is midway between the surfaces at radius and at distance from the sphere's centre.
    manifold->points[0].position = glms_vec3_scale(manifold->normal, 0.5f * (radius + distance));
}
