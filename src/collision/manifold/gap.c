// collision/manifold/gap.c: contacts that no face carries: crossed edges, and the closest points
// across a gap. Test: tests/collision/manifold/test_gap.c
#include "collision/gjk.h"

bool tni_collide_edges(const narrow_segment *a, const narrow_segment *b, vec3s normal,
                       float tolerance, uint32_t feature, tni_manifold *manifold) {
    vec3s between = glms_vec3_sub(b->middle, a->middle);
    float k = narrow_dot(a->direction, b->direction);
    float p = narrow_dot(a->direction, between), q = narrow_dot(b->direction, between);
    float sine2 = maths_max(1.0f - k * k, 1e-6f);
    float s = (p - k * q) / sine2, t = (k * p - q) / sine2;
    bool is_inside =
        fabsf(s) <= a->half_length + tolerance && fabsf(t) <= b->half_length + tolerance;
    s = maths_clamp(s, -a->half_length, a->half_length);
    t = maths_clamp(t, -b->half_length, b->half_length);
    vec3s on_a = maths_vec3_add_scaled(a->middle, s, a->direction);
    vec3s on_b = maths_vec3_add_scaled(b->middle, t, b->direction);
    manifold->normal = normal;
    manifold->point_count = 1;
    manifold->points[0].position = glms_vec3_scale(glms_vec3_add(on_a, on_b), 0.5f);
    manifold->points[0].separation = narrow_dot(normal, glms_vec3_sub(on_b, on_a));
    manifold->points[0].feature = feature;
    return is_inside;
}

static uint32_t gap_count_unique(const uint16_t *index, uint32_t count, uint16_t unique[2]) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool is_known =
            (found > 0 && unique[0] == index[i]) || (found > 1 && unique[1] == index[i]);
        if (is_known) {
            continue;
        }
        if (found == 2) {
            return 3;
        }
        unique[found++] = index[i];
    }
    return found;
}

// Returns the edge between two corners, or TNI_NONE when they are not neighbours.
static uint32_t gap_edge_between(const tni_hull *hull, uint32_t from, uint32_t to) {
    uint32_t first = hull->vertex_edges[from], e = first;
    do {
        if (hull->half_edges[e ^ 1u].origin == to) {
            return e / 2;
        }
        e = hull->half_edges[e ^ 1u].next;
    } while (e != first);
    return TNI_NONE;
}

static uint32_t gap_gap_feature(const tni_hull *a, const tni_hull *b, const tni_gjk_result *gjk) {
    uint16_t corner_a[2], corner_b[2];
    uint32_t count_a = gap_count_unique(gjk->index_a, gjk->count, corner_a);
    uint32_t count_b = gap_count_unique(gjk->index_b, gjk->count, corner_b);
    if (count_a == 1) {
        return feature_of_vertex(true, corner_a[0]);
    }
    if (count_b == 1) {
        return feature_of_vertex(false, corner_b[0]);
    }
    if (count_a == 2 && count_b == 2) {
        uint32_t edge_a = gap_edge_between(a, corner_a[0], corner_a[1]);
        uint32_t edge_b = gap_edge_between(b, corner_b[0], corner_b[1]);
        if (edge_a != TNI_NONE && edge_b != TNI_NONE) {
            return feature_of_edges(edge_a, edge_b);
        }
    }
    return feature_of_other(1);
}

bool tni_collide_gap(const tni_hull *a, const tni_hull *b, const tni_relative *relative,
                     float margin, vec3s *out_axis, tni_manifold *manifold) {
    tni_gjk_result gjk;
    tni_gjk_set set_a = gjk_set_of_hull(a), set_b = gjk_set_of_hull(b);
    tni_gjk_distance(&set_a, &set_b, relative, &gjk);
    *out_axis = gjk.normal;
    if (gjk.is_overlapping || gjk.distance > margin) {
        return false;
    }
    manifold->normal = gjk.normal;
    manifold->point_count = 1;
    manifold->points[0].position = glms_vec3_scale(glms_vec3_add(gjk.point_a, gjk.point_b), 0.5f);
    manifold->points[0].separation = gjk.distance;
    manifold->points[0].feature = gap_gap_feature(a, b, &gjk);
    return true;
}
