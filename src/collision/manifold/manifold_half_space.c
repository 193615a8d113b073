// collision/manifold/manifold_half_space.c: every shape against a half-space.
//
// Depth is measured along the plane's normal only, and the height of the shape above the plane is
// summed in double: the plane's own origin may be kilometres away.
// Test: tests/collision/manifold/test_manifold_half_space.c
#include "collision/manifold/facet.h"
#include "collision/narrow.h"

typedef struct half_space_plane {
    vec3s normal; // out of the solid, in a's frame
    float height; // of the origin of a's frame above the plane
    float margin;
} half_space_plane;

// Makes a point of a's core with a radius. Returns false when it is out of the margin.
static bool half_space_point(const half_space_plane *plane, vec3s core, float radius,
                             uint32_t feature, tni_manifold_point *out) {
    float separation = narrow_dot(plane->normal, core) + plane->height - radius;
    out->separation = separation;
    out->feature = feature;
    out->position = maths_vec3_add_scaled(core, -radius - 0.5f * separation, plane->normal);
    return separation <= plane->margin;
}

static void half_space_add(const half_space_plane *plane, vec3s core, float radius,
                           uint32_t feature, tni_manifold *manifold) {
    tni_manifold_point *point = &manifold->points[manifold->point_count];
    if (half_space_point(plane, core, radius, feature, point)) {
        manifold->point_count += 1;
    }
}

// Adds the four corners of the face that looks most into the solid.
static void half_space_box(const half_space_plane *plane, vec3s h, tni_manifold *manifold) {
    const float *n = plane->normal.raw;
    uint32_t k = 0;
    k = fabsf(n[1]) > fabsf(n[k]) ? 1 : k;
    k = fabsf(n[2]) > fabsf(n[k]) ? 2 : k;
    uint32_t k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    static const uint8_t signs[4] = {0, 1, 3, 2}; // once round the face
    for (uint32_t i = 0; i < 4; ++i) {
        uint32_t vertex =
            (n[k] < 0.0f ? 1u : 0u) << k | (signs[i] & 1u) << k1 | (uint32_t)(signs[i] >> 1) << k2;
        vec3s corner = maths_vec3((vertex & 1) != 0 ? h.x : -h.x, (vertex & 2) != 0 ? h.y : -h.y,
                                  (vertex & 4) != 0 ? h.z : -h.z);
        half_space_add(plane, corner, 0.0f, feature_of_vertex(true, vertex), manifold);
    }
}

// Adds the corners of the face at the deepest corner that looks most into the solid.
static void half_space_hull(const half_space_plane *plane, const tni_hull *hull,
                            tni_manifold *manifold) {
    uint32_t deepest = 0;
    float lowest = FLT_MAX;
    for (uint32_t i = 0; i < hull->vertex_count; ++i) {
        float d = narrow_dot(plane->normal, hull->vertices[i]);
        if (d < lowest) {
            lowest = d;
            deepest = i;
        }
    }
    if (lowest + plane->height > plane->margin) {
        return;
    }
    uint32_t first = hull->vertex_edges[deepest];
    uint32_t e = first, face = hull->half_edges[first].face;
    float best = FLT_MAX;
    do {
        float d = narrow_dot(hull->planes[hull->half_edges[e].face].normal, plane->normal);
        if (d < best) {
            best = d;
            face = hull->half_edges[e].face;
        }
        e = hull->half_edges[e ^ 1u].next;
    } while (e != first);

    tni_manifold_point points[TNI_HULL_MAX_VERTICES];
    uint32_t count = 0;
    first = hull->face_edges[face];
    e = first;
    do {
        uint32_t vertex = hull->half_edges[e].origin;
        if (half_space_point(plane, hull->vertices[vertex], 0.0f, feature_of_vertex(true, vertex),
                             &points[count])) {
            count += 1;
        }
        e = hull->half_edges[e].next;
    } while (e != first && count < TNI_HULL_MAX_VERTICES);
    tni_manifold_reduce(points, count, manifold->normal, manifold);
}

// Adds the rims' lowest points, which are two of a line when the side lies on the plane, or all
// four of the cap that looks most into the solid. `convex` is a's core.
static void half_space_cylinder(const half_space_plane *plane, const tni_convex *convex,
                                tni_manifold *manifold) {
    tni_facet facet;
    tni_dvec3 down = dvec3_scale(dvec3_from_float(plane->normal), -1.0);
    down = dvec3_scale(down, maths_inverse_or_zero_d(dvec3_length(down)));
    tni_facet_find(convex, down, &facet);
    for (uint32_t i = 0; i < facet.count; ++i) {
        half_space_add(plane, dvec3_to_float(facet.points[i]), 0.0f,
                       feature_of_other(facet.numbers[i]), manifold);
    }
}

static void half_space_ellipsoid(const half_space_plane *plane, vec3s radii,
                                 tni_manifold *manifold) {
    vec3s scaled = glms_vec3_mul(radii, plane->normal);
    float inverse = maths_inverse_or_zero(glms_vec3_norm(scaled));
    vec3s lowest = glms_vec3_scale(glms_vec3_mul(radii, scaled), -inverse);
    half_space_add(plane, lowest, 0.0f, feature_of_other(1), manifold);
}

void tni_collide_half_space(const tni_geometry *a, const tni_frame *frame_a,
                            const tni_frame *frame_b, float margin, tni_manifold *manifold) {
    tni_dvec3 between =
        dvec3_sub(dvec3_from_float(frame_a->position), dvec3_from_float(frame_b->position));
    tni_dvec3 up = dquat_rotate(dquat_from_float(frame_b->rotation), dvec3_make(0.0, 1.0, 0.0));
    half_space_plane plane;
    plane.normal = dvec3_to_float(dquat_rotate_inverse(dquat_from_float(frame_a->rotation), up));
    plane.height = (float)dvec3_dot(between, up);
    plane.margin = margin;
    manifold->normal = glms_vec3_negate(plane.normal);
    switch (a->type) {
    case TNI_GEOMETRY_SPHERE:
        half_space_add(&plane, maths_vec3_zero(), a->sphere.radius, feature_of_other(1), manifold);
        break;
    case TNI_GEOMETRY_CAPSULE:
        for (uint32_t i = 0; i < 2; ++i) {
            float y = i == 0 ? -a->capsule.half_length : a->capsule.half_length;
            half_space_add(&plane, maths_vec3(0.0f, y, 0.0f), a->capsule.radius,
                           feature_of_other(1 + i), manifold);
        }
        break;
    case TNI_GEOMETRY_BOX:
        half_space_box(&plane, a->box.half_extents, manifold);
        break;
    case TNI_GEOMETRY_HULL:
        half_space_hull(&plane, a->hull.hull, manifold);
        break;
    case TNI_GEOMETRY_CYLINDER: {
        tni_convex convex;
        tni_convex_set(&convex, a);
        half_space_cylinder(&plane, &convex, manifold);
        break;
    }
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        for (uint32_t i = 0; i < 2; ++i) {
            float half = a->tapered_capsule.half_length;
            half_space_add(&plane, maths_vec3(0.0f, i == 0 ? -half : half, 0.0f),
                           i == 0 ? a->tapered_capsule.radius_bottom
                                  : a->tapered_capsule.radius_top,
                           feature_of_other(1 + i), manifold);
        }
        break;
    case TNI_GEOMETRY_ELLIPSOID:
        half_space_ellipsoid(&plane, a->ellipsoid.radii, manifold);
        break;
    case TNI_GEOMETRY_HALF_SPACE:
    default:
        break;
    }
}
