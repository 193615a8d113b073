// collision/manifold/clip.c: clips one face against the sides of another, and thins the points to
// four.
//
// Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974: the incident face's polygon is cut by
// the reference face's side planes, one after the other. Every corner of the polygon carries the
// feature that made it and every side of the polygon the edge it lies on: a cut of an incident edge
// by a side plane is that pair of edges, a cut of two side planes is the reference face's corner.
// Test: tests/collision/manifold/test_clip.c
#include "collision/narrow.h"

// An incident face has at most 255 corners, and gets one more for each of at most 255 sides.
#define CLIP_MAX_CUTS 512

typedef struct clip_vertex {
    vec3s position; // in the reference hull's frame
    uint32_t feature;
    uint16_t edge; // half edge of the polygon's side that leaves this corner
    bool edge_is_reference;
} clip_vertex;

typedef struct clip_task {
    const tni_hull *reference, *incident;
    bool reference_is_a;
    float tolerance;
} clip_task;

// ---- features ------------------------------------------------------------------------------

static uint32_t clip_edge_pair(const clip_task *task, uint32_t reference, uint32_t incident) {
    return task->reference_is_a ? feature_of_edges(reference / 2, incident / 2)
                                : feature_of_edges(incident / 2, reference / 2);
}

// Returns the feature of the point where the polygon's side that leaves `from` crosses the plane of
// half edge `side`.
static uint32_t clip_cut_feature(const clip_task *task, const clip_vertex *from, uint32_t side) {
    if (!from->edge_is_reference) {
        return clip_edge_pair(task, side, from->edge);
    }
    const tni_half_edge *edges = task->reference->half_edges;
    if (edges[side].next == from->edge) {
        return feature_of_vertex(task->reference_is_a, edges[from->edge].origin);
    }
    if (edges[from->edge].next == side) {
        return feature_of_vertex(task->reference_is_a, edges[side].origin);
    }
    // These sides do not meet: this is round-off at a very blunt corner. Any steady name will do.
    return feature_of_other(1u << 22 | (side & 0x7ffu) << 11 | (from->edge & 0x7ffu));
}

// ---- clipping ------------------------------------------------------------------------------

static uint32_t clip_start(const clip_task *task, uint32_t face, const tni_relative *relative,
                           clip_vertex *polygon) {
    const tni_hull *hull = task->incident;
    uint32_t count = 0;
    uint32_t first = hull->face_edges[face];
    uint32_t e = first;
    do {
        const tni_half_edge *edge = &hull->half_edges[e];
        clip_vertex *v = &polygon[count++];
        v->position = relative_point(relative, hull->vertices[edge->origin]);
        v->feature = feature_of_vertex(!task->reference_is_a, edge->origin);
        v->edge = (uint16_t)e;
        v->edge_is_reference = false;
        e = edge->next;
    } while (e != first && count < CLIP_MAX_CUTS / 2);
    return count;
}

// Measures how far corners lie beyond the plane dot(normal, p) = offset. Returns whether any does.
static bool clip_measure(const clip_vertex *in, uint32_t count, vec3s normal, float offset,
                         float beyond[CLIP_MAX_CUTS]) {
    float most = -FLT_MAX;
    for (uint32_t i = 0; i < count; ++i) {
        beyond[i] = narrow_dot(normal, in[i].position) - offset;
        most = maths_max(beyond[i], most);
    }
    return most > 0.0f;
}

// Cuts off the part of the polygon that lies beyond the plane. A corner beyond by less than the
// tolerance stays, moved onto the plane; then its side needs no cut.
static uint32_t clip_by_side(const clip_task *task, uint32_t side, vec3s normal,
                             const float beyond[CLIP_MAX_CUTS], const clip_vertex *in,
                             uint32_t count, clip_vertex *out) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && kept + 2 <= CLIP_MAX_CUTS; ++i) {
        uint32_t next = i + 1 < count ? i + 1 : 0;
        const clip_vertex *p = &in[i], *q = &in[next];
        float dp = beyond[i], dq = beyond[next];
        bool p_inside = dp <= task->tolerance, q_inside = dq <= task->tolerance;
        if (p_inside) {
            out[kept] = *p;
            out[kept].position = maths_vec3_add_scaled(p->position, -maths_max(dp, 0.0f), normal);
            kept += 1;
        }
        if (p_inside == q_inside) {
            continue;
        }
        float inner = p_inside ? dp : dq;
        if (inner < 0.0f) {
            clip_vertex *cut = &out[kept++];
            float t = dp / (dp - dq);
            cut->position =
                maths_vec3_add_scaled(p->position, t, glms_vec3_sub(q->position, p->position));
            cut->feature = clip_cut_feature(task, p, side);
            cut->edge = p_inside ? (uint16_t)side : p->edge;
            cut->edge_is_reference = p_inside ? true : p->edge_is_reference;
        } else if (p_inside) {
            // From p on, the polygon runs along the side plane.
            out[kept - 1].edge = (uint16_t)side;
            out[kept - 1].edge_is_reference = true;
        }
    }
    return kept;
}

// Picks, among the faces that meet at the support corner, the one that looks most against the
// normal.
static uint32_t clip_incident_face(const tni_hull *hull, uint32_t support, vec3s normal) {
    uint32_t first = hull->vertex_edges[support];
    uint32_t e = first;
    uint32_t best = hull->half_edges[first].face;
    float best_dot = FLT_MAX;
    uint32_t guard = hull->half_edge_count;
    do {
        uint32_t face = hull->half_edges[e].face;
        float d = narrow_dot(hull->planes[face].normal, normal);
        if (d < best_dot) {
            best_dot = d;
            best = face;
        }
        e = hull->half_edges[e ^ 1u].next;
    } while (e != first && --guard > 0);
    return best;
}

void tni_clip_faces(const tni_hull *reference, uint32_t face, const tni_hull *incident,
                    uint32_t support, const tni_relative *relative, bool reference_is_a,
                    float margin, tni_manifold *manifold) {
    clip_task task = {reference, incident, reference_is_a,
                      narrow_clip_tolerance(reference->inner_radius, incident->inner_radius)};
    tni_plane plane = reference->planes[face];
    vec3s local_normal = basis_mul_transposed(&relative->basis, plane.normal);
    uint32_t incident_face = clip_incident_face(incident, support, local_normal);
    clip_vertex buffers[2][CLIP_MAX_CUTS];
    uint32_t current = 0;
    uint32_t count = clip_start(&task, incident_face, relative, buffers[0]);
    uint32_t first = reference->face_edges[face];
    uint32_t e = first;
    do {
        const tni_half_edge *edge = &reference->half_edges[e];
        vec3s along = reference->edge_directions[e / 2];
        vec3s outward = glms_vec3_cross(along, plane.normal);
        outward = (e & 1u) != 0 ? glms_vec3_negate(outward) : outward;
        float offset = narrow_dot(outward, reference->vertices[edge->origin]);
        float beyond[CLIP_MAX_CUTS];
        if (clip_measure(buffers[current], count, outward, offset, beyond)) {
            count = clip_by_side(&task, e, outward, beyond, buffers[current], count,
                                 buffers[1 - current]);
            current = 1 - current;
        }
        e = edge->next;
    } while (e != first && count > 0);

    tni_manifold_point points[CLIP_MAX_CUTS];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const clip_vertex *v = &buffers[current][i];
        float separation = narrow_dot(plane.normal, v->position) - plane.offset;
        if (separation <= margin) {
            points[kept].position =
                maths_vec3_add_scaled(v->position, -0.5f * separation, plane.normal);
            points[kept].separation = separation;
            points[kept].feature = v->feature;
            kept += 1;
        }
    }
    tni_manifold_reduce(points, kept, plane.normal, manifold);
}

// ---- four points ---------------------------------------------------------------------------

// Returns twice the area of the triangle, positive when it turns left about the normal.
static float clip_area(vec3s a, vec3s b, vec3s c, vec3s normal) {
    return narrow_dot(glms_vec3_cross(glms_vec3_sub(b, a), glms_vec3_sub(c, a)), normal);
}

// A candidate must beat the best so far by this factor: among equals the first in order stays
// first.
#define CLIP_CLEARLY 1.001f

// Returns some vector square to the normal that turns smoothly with it, wherever normals usually
// are: the one break is off the axes, or a trembling floor would have another first point in every
// step.
static vec3s clip_tangent(vec3s normal) {
    vec3s reference =
        fabsf(normal.x) < 0.83f ? maths_vec3(1.0f, 0.0f, 0.0f) : maths_vec3(0.0f, 1.0f, 0.0f);
    return maths_vec3_normalize_or(glms_vec3_cross(normal, reference), reference);
}

// Returns the point farthest along a fixed direction, among those as deep as the deepest up to a
// millimetre or a hundredth of the patch: not the deepest itself, which changes by round-off in a
// resting patch.
static uint32_t clip_choose_first(const tni_manifold_point *points, uint32_t count, vec3s normal) {
    float deepest = points[0].separation;
    float reach = 0.0f;
    for (uint32_t i = 1; i < count; ++i) {
        deepest = maths_min(deepest, points[i].separation);
        reach = maths_max(reach, glms_vec3_distance2(points[i].position, points[0].position));
    }
    float band = maths_min(1e-3f, 0.01f * sqrtf(reach));
    vec3s u = clip_tangent(normal);
    vec3s v = glms_vec3_cross(normal, u);
    // This direction is off the axes, so that no side of a box is square to it.
    vec3s along = maths_vec3_add_scaled(u, 0.37f, v);
    uint32_t best = TNI_NONE;
    float best_dot = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        float d = narrow_dot(points[i].position, along);
        if (points[i].separation <= deepest + band && (best == TNI_NONE || d > best_dot)) {
            best = i;
            best_dot = d;
        }
    }
    return best == TNI_NONE ? 0 : best;
}

static uint32_t clip_choose_farthest(const tni_manifold_point *points, uint32_t count,
                                     uint32_t from) {
    uint32_t best = TNI_NONE;
    float best_distance = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        float d = glms_vec3_distance2(points[i].position, points[from].position);
        if (i != from && d > best_distance * CLIP_CLEARLY) {
            best = i;
            best_distance = d;
        }
    }
    return best;
}

// Returns the point with the largest triangle on the line of the first two, on either side.
static uint32_t clip_choose_third(const tni_manifold_point *points, uint32_t count, vec3s normal,
                                  const uint32_t *chosen) {
    uint32_t best = TNI_NONE;
    float best_area = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        float area = fabsf(clip_area(points[chosen[0]].position, points[chosen[1]].position,
                                     points[i].position, normal));
        if (i != chosen[0] && i != chosen[1] && area > best_area * CLIP_CLEARLY) {
            best = i;
            best_area = area;
        }
    }
    return best;
}

// Returns the point that adds the largest triangle outside of the triangle of the first three.
static uint32_t clip_choose_fourth(const tni_manifold_point *points, uint32_t count, vec3s normal,
                                   const uint32_t *chosen) {
    vec3s a = points[chosen[0]].position, b = points[chosen[1]].position;
    vec3s c = points[chosen[2]].position;
    float sense = clip_area(a, b, c, normal) < 0.0f ? -1.0f : 1.0f;
    uint32_t best = TNI_NONE;
    float best_area = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        vec3s p = points[i].position;
        float outside = maths_max(
            -sense * clip_area(a, b, p, normal),
            maths_max(-sense * clip_area(b, c, p, normal), -sense * clip_area(c, a, p, normal)));
        bool is_new = i != chosen[0] && i != chosen[1] && i != chosen[2];
        if (is_new && outside > best_area * CLIP_CLEARLY) {
            best = i;
            best_area = outside;
        }
    }
    return best;
}

void tni_manifold_reduce(const tni_manifold_point *points, uint32_t count, vec3s normal,
                         tni_manifold *manifold) {
    manifold->normal = normal;
    if (count <= TNI_MANIFOLD_MAX_POINTS) {
        manifold->point_count = count;
        for (uint32_t i = 0; i < count; ++i) {
            manifold->points[i] = points[i];
        }
        return;
    }
    uint32_t chosen[4] = {0, TNI_NONE, TNI_NONE, TNI_NONE};
    chosen[0] = clip_choose_first(points, count, normal);
    chosen[1] = clip_choose_farthest(points, count, chosen[0]);
    if (chosen[1] != TNI_NONE) {
        chosen[2] = clip_choose_third(points, count, normal, chosen);
    }
    if (chosen[2] != TNI_NONE) {
        chosen[3] = clip_choose_fourth(points, count, normal, chosen);
    }
    manifold->point_count = 0;
    for (uint32_t i = 0; i < 4 && chosen[i] != TNI_NONE; ++i) {
        manifold->points[manifold->point_count++] = points[chosen[i]];
    }
}
