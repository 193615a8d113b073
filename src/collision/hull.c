// collision/hull.c: a convex polyhedron with polygon faces, from the triangles of quickhull.
//
// Triangles are gathered into faces, the largest first: a neighbour joins while all its corners lie
// within HULL_MERGE of the first one's plane, so a face never drifts round a curve. A gathered
// patch is kept only if its rim is one convex loop; else its first triangle stands alone. A corner
// that then lies between two faces only is on a straight edge, and goes; on the rim of a thin sheet
// one is not, and the plain triangles are taken. The mesh is checked (every
// edge has its twin, Euler's V - E + F = 2) and, should the gathering ever have spoilt it, the
// plain triangles, which are valid by construction, are taken instead.
//
// Mass: see mass.c for the sources. With d = det(a, b, c) of a tetrahedron (0, a, b, c):
// volume d / 6, first moment d / 24 (a + b + c), second moment
// d / 120 (a a^T + b b^T + c c^T + s s^T), s = a + b + c.
// Test: tests/collision/test_hull.c
#include "collision/hull.h"
#include "collision/quickhull.h"

#include <string.h>

// Faces are merged within three hundred-thousandths of the largest side, in m per m.
#define HULL_MERGE 3e-5
// A corner on a straight edge is off it by at most this many times as much.
#define HULL_STRAIGHT 4.0
// Corners of a hull that is given by its faces stand out of them by at most this share of its size.
#define HULL_SLACK 1e-3f

// This is the scratch of one build. Loops are the polygons' corners, one after the other.
typedef struct hull_builder {
    tni_allocator *allocator;
    const vec3s *points;
    tni_quickhull quickhull;
    double tolerance; // m
    uint32_t *order;  // live triangles, largest first
    uint32_t triangle_count;
    uint32_t *region;     // of each triangle slot, or TNI_NONE
    uint32_t *queue;      // of triangles
    uint32_t *loop_next;  // per point: the next corner of the rim being traced
    uint32_t *loops;      // 3 * triangle_count at most
    uint32_t *loop_first; // per face
    uint32_t *loop_count; // per face; 0 when the face is gone
    uint32_t face_count;
    uint32_t *faces_at;  // per point: how many faces meet
    uint32_t *vertex_of; // per point: index in the hull, or TNI_NONE
    uint32_t vertex_count;
    uint16_t *targets; // per half edge: the corner it runs to
    uint32_t *scratch; // the block that holds all the arrays above
    size_t scratch_size;
} hull_builder;

static tni_dvec3 hull_point(const hull_builder *b, uint32_t point) {
    return dvec3_from_float(b->points[point]);
}

static bool hull_take_scratch(hull_builder *b) {
    size_t faces = b->quickhull.face_count, points = b->quickhull.point_count;
    size_t words = 11 * faces + 3 * points;
    b->scratch_size = words * sizeof *b->scratch;
    b->scratch = tni_alloc(b->allocator, b->scratch_size);
    if (b->scratch == NULL) {
        return false;
    }
    uint32_t *next = b->scratch;
    b->order = next;
    b->region = next += faces;
    b->queue = next += faces;
    b->loop_first = next += faces;
    b->loop_count = next += faces;
    b->loops = next += faces;
    b->loop_next = next += 3 * faces;
    b->faces_at = next += points;
    b->vertex_of = next += points;
    b->targets = (uint16_t *)(void *)(next + points);
    return true;
}

// ---- faces from triangles ------------------------------------------------------------------

// Orders live triangles by area, largest first, by insertion into gaps (Shell, 1959): it is stable
// enough, as equal areas are ordered by index.
static void hull_order_triangles(hull_builder *b) {
    const tni_quickhull_face *faces = b->quickhull.faces;
    uint32_t n = 0;
    for (uint32_t f = 0; f < b->quickhull.face_count; ++f) {
        if (faces[f].is_live) {
            b->order[n++] = f;
        }
    }
    b->triangle_count = n;
    for (uint32_t gap = n / 2; gap > 0; gap /= 2) {
        for (uint32_t i = gap; i < n; ++i) {
            uint32_t f = b->order[i];
            uint32_t j = i;
            for (; j >= gap; j -= gap) {
                uint32_t g = b->order[j - gap];
                bool is_larger = faces[f].length > faces[g].length ||
                                 (faces[f].length == faces[g].length && f < g);
                if (!is_larger) {
                    break;
                }
                b->order[j] = g;
            }
            b->order[j] = f;
        }
    }
}

static tni_dvec3 hull_triangle_normal(const hull_builder *b, const tni_quickhull_face *face) {
    tni_dvec3 p = hull_point(b, face->vertex[0]);
    tni_dvec3 n = dvec3_cross(dvec3_sub(hull_point(b, face->vertex[1]), p),
                              dvec3_sub(hull_point(b, face->vertex[2]), p));
    return dvec3_scale(n, maths_inverse_or_zero_d(dvec3_length(n)));
}

// Gathers the patch of `base` into the queue and returns how many triangles it has.
static uint32_t hull_gather(hull_builder *b, uint32_t base, uint32_t region) {
    const tni_quickhull_face *faces = b->quickhull.faces;
    tni_dvec3 normal = hull_triangle_normal(b, &faces[base]);
    tni_dvec3 origin = hull_point(b, faces[base].vertex[0]);
    uint32_t count = 0;
    b->queue[count++] = base;
    b->region[base] = region;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t f = faces[b->queue[i]].neighbor[k];
            bool joins = b->region[f] == TNI_NONE &&
                         dvec3_dot(hull_triangle_normal(b, &faces[f]), normal) > 0.0;
            for (uint32_t c = 0; joins && c < 3; ++c) {
                tni_dvec3 d = dvec3_sub(hull_point(b, faces[f].vertex[c]), origin);
                joins = fabs(dvec3_dot(d, normal)) <= b->tolerance;
            }
            if (joins) {
                b->region[f] = region;
                b->queue[count++] = f;
            }
        }
    }
    return count;
}

// Traces the rim of the gathered patch into `loop`. Returns its length, or 0 if it is not one loop.
static uint32_t hull_trace(hull_builder *b, uint32_t patch_count, uint32_t region, uint32_t *loop) {
    const tni_quickhull_face *faces = b->quickhull.faces;
    uint32_t edge_count = 0, first = TNI_NONE;
    bool is_simple = true;
    for (uint32_t i = 0; i < patch_count; ++i) {
        const tni_quickhull_face *face = &faces[b->queue[i]];
        for (uint32_t k = 0; k < 3; ++k) {
            if (b->region[face->neighbor[k]] != region) {
                is_simple = is_simple && b->loop_next[face->vertex[k]] == TNI_NONE;
                b->loop_next[face->vertex[k]] = face->vertex[(k + 1) % 3];
                first = first == TNI_NONE ? face->vertex[k] : first;
                edge_count += 1;
            }
        }
    }
    uint32_t count = 0;
    for (uint32_t p = first; is_simple && count < edge_count; p = b->loop_next[p]) {
        if (count > 0 && p == first) {
            break;
        }
        loop[count++] = p;
    }
    // The table is left as it was found.
    for (uint32_t i = 0; i < patch_count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            b->loop_next[faces[b->queue[i]].vertex[k]] = TNI_NONE;
        }
    }
    return is_simple && count == edge_count && count >= 3 ? count : 0;
}

// Returns whether the rim turns left at every corner, up to the tolerance.
static bool hull_is_convex_loop(const hull_builder *b, const uint32_t *loop, uint32_t count,
                                tni_dvec3 normal) {
    for (uint32_t i = 0; i < count; ++i) {
        tni_dvec3 p = hull_point(b, loop[i]);
        tni_dvec3 q = hull_point(b, loop[(i + 1) % count]);
        tni_dvec3 r = hull_point(b, loop[(i + 2) % count]);
        tni_dvec3 chord = dvec3_sub(r, p);
        // This is how far the corner stands out of the chord between its neighbours.
        double bulge = dvec3_dot(dvec3_cross(dvec3_sub(q, p), chord), normal);
        if (bulge < -b->tolerance * dvec3_length(chord)) {
            return false;
        }
    }
    return true;
}

// Makes polygons from the triangles; with is_merging false every triangle is a polygon.
static void hull_make_faces(hull_builder *b, bool is_merging) {
    const tni_quickhull_face *faces = b->quickhull.faces;
    memset(b->region, 0xff, b->quickhull.face_count * sizeof *b->region);
    memset(b->loop_next, 0xff, b->quickhull.point_count * sizeof *b->loop_next);
    b->face_count = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < b->triangle_count; ++i) {
        uint32_t base = b->order[i];
        if (b->region[base] != TNI_NONE) {
            continue;
        }
        uint32_t region = b->face_count++;
        uint32_t *loop = &b->loops[used];
        uint32_t count = 0;
        if (is_merging) {
            uint32_t patch_count = hull_gather(b, base, region);
            count = hull_trace(b, patch_count, region, loop);
            tni_dvec3 normal = hull_triangle_normal(b, &faces[base]);
            if (count == 0 || !hull_is_convex_loop(b, loop, count, normal)) {
                for (uint32_t k = 1; k < patch_count; ++k) {
                    b->region[b->queue[k]] = TNI_NONE;
                }
                count = 0;
            }
        }
        if (count == 0) {
            b->region[base] = region;
            memcpy(loop, faces[base].vertex, sizeof faces[base].vertex);
            count = 3;
        }
        b->loop_first[region] = used;
        b->loop_count[region] = count;
        used += count;
    }
}

static void hull_count_faces(hull_builder *b) {
    memset(b->faces_at, 0, b->quickhull.point_count * sizeof *b->faces_at);
    for (uint32_t f = 0; f < b->face_count; ++f) {
        for (uint32_t i = 0; i < b->loop_count[f]; ++i) {
            b->faces_at[b->loops[b->loop_first[f] + i]] += 1;
        }
    }
}

// Returns whether a corner of a loop lies on the line between its neighbours. The tip of a needle
// is on that line, too, but not between them.
static bool hull_is_straight(const hull_builder *b, const uint32_t *loop, uint32_t count,
                             uint32_t i) {
    tni_dvec3 p = hull_point(b, loop[(i + count - 1) % count]);
    tni_dvec3 to = dvec3_sub(hull_point(b, loop[i]), p);
    tni_dvec3 chord = dvec3_sub(hull_point(b, loop[(i + 1) % count]), p);
    double length = dvec3_length(chord), slack = HULL_STRAIGHT * b->tolerance * length;
    double along = dvec3_dot(to, chord);
    return dvec3_length(dvec3_cross(to, chord)) <= slack && along >= -slack &&
           along <= length * length + slack;
}

// Is every corner at which only two faces meet on a straight edge? Those on the rim of a thin
// sheet, both of whose sides were gathered, are not.
static bool hull_may_straighten(hull_builder *b) {
    hull_count_faces(b);
    for (uint32_t f = 0; f < b->face_count; ++f) {
        const uint32_t *loop = &b->loops[b->loop_first[f]];
        for (uint32_t i = 0; i < b->loop_count[f]; ++i) {
            if (b->faces_at[loop[i]] < 3 && !hull_is_straight(b, loop, b->loop_count[f], i)) {
                return false;
            }
        }
    }
    return true;
}

// Takes out corners where only two faces meet, and faces that have lost all but two corners.
static void hull_straighten_edges(hull_builder *b) {
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        hull_count_faces(b);
        for (uint32_t f = 0; f < b->face_count; ++f) {
            uint32_t *loop = &b->loops[b->loop_first[f]];
            uint32_t kept = 0;
            for (uint32_t i = 0; i < b->loop_count[f]; ++i) {
                if (b->faces_at[loop[i]] >= 3) {
                    loop[kept++] = loop[i];
                }
            }
            kept = kept >= 3 ? kept : 0;
            is_changed = is_changed || kept != b->loop_count[f];
            b->loop_count[f] = kept;
        }
    }
}

// Numbers the remaining corners and drops the faces that are gone.
static uint32_t hull_number(hull_builder *b) {
    memset(b->vertex_of, 0xff, b->quickhull.point_count * sizeof *b->vertex_of);
    b->vertex_count = 0;
    uint32_t corner_count = 0, kept = 0;
    for (uint32_t f = 0; f < b->face_count; ++f) {
        if (b->loop_count[f] == 0) {
            continue;
        }
        b->loop_first[kept] = b->loop_first[f];
        b->loop_count[kept] = b->loop_count[f];
        kept += 1;
        corner_count += b->loop_count[f];
        for (uint32_t i = 0; i < b->loop_count[f]; ++i) {
            uint32_t point = b->loops[b->loop_first[f] + i];
            if (b->vertex_of[point] == TNI_NONE) {
                b->vertex_of[point] = b->vertex_count++;
            }
        }
    }
    b->face_count = kept;
    return corner_count;
}

// ---- the block -----------------------------------------------------------------------------

static size_t hull_reserve(size_t *size, size_t count, size_t element_size) {
    size_t offset = (*size + 15) & ~(size_t)15;
    *size = offset + count * element_size;
    return offset;
}

static tni_hull *hull_allocate(tni_allocator *allocator, uint32_t vertices, uint32_t half_edges,
                               uint32_t faces) {
    size_t size = sizeof(tni_hull);
    size_t at_vertices = hull_reserve(&size, vertices, sizeof(vec3s));
    uint32_t lanes = (vertices + 3) / 4 * 4;
    size_t at_lanes = hull_reserve(&size, 3 * (size_t)lanes, sizeof(float));
    size_t at_planes = hull_reserve(&size, faces, sizeof(tni_plane));
    size_t at_directions = hull_reserve(&size, half_edges / 2, sizeof(vec3s));
    size_t at_half_edges = hull_reserve(&size, half_edges, sizeof(tni_half_edge));
    size_t at_face_edges = hull_reserve(&size, faces, sizeof(uint16_t));
    size_t at_vertex_edges = hull_reserve(&size, vertices, sizeof(uint16_t));
    unsigned char *block = tni_alloc_zeroed(allocator, size);
    if (block == NULL) {
        return NULL;
    }
    tni_hull *hull = (tni_hull *)(void *)block;
    hull->vertex_count = vertices;
    hull->half_edge_count = half_edges;
    hull->face_count = faces;
    hull->lane_count = lanes;
    hull->vertices = (vec3s *)(void *)(block + at_vertices);
    hull->lanes = (float *)(void *)(block + at_lanes);
    hull->planes = (tni_plane *)(void *)(block + at_planes);
    hull->edge_directions = (vec3s *)(void *)(block + at_directions);
    hull->half_edges = (tni_half_edge *)(void *)(block + at_half_edges);
    hull->face_edges = (uint16_t *)(void *)(block + at_face_edges);
    hull->vertex_edges = (uint16_t *)(void *)(block + at_vertex_edges);
    hull->byte_size = size;
    return hull;
}

static void hull_fill_lanes(tni_hull *hull) {
    for (uint32_t i = 0; i < hull->lane_count; ++i) {
        const float *vertex = hull->vertices[i < hull->vertex_count ? i : 0].raw;
        for (uint32_t k = 0; k < 3; ++k) {
            hull->lanes[k * hull->lane_count + i] = vertex[k];
        }
    }
}

// Returns the half edge that runs from `from` to `to`, among those already named, or TNI_NONE.
static uint32_t hull_find_edge(const tni_hull *hull, const uint16_t *targets, uint32_t count,
                               uint32_t from, uint32_t to) {
    for (uint32_t e = 0; e < count; ++e) {
        if (hull->half_edges[e].origin == from && targets[e] == to) {
            return e;
        }
    }
    return TNI_NONE;
}

// Names both halves of every edge; returns false if an edge does not have exactly two, run both
// ways.
static bool hull_link_edges(const hull_builder *b, tni_hull *hull, uint16_t *targets) {
    // First come the pairs, each made by its half that comes first ...
    uint32_t named = 0;
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t f = 0; f < b->face_count; ++f) {
            const uint32_t *loop = &b->loops[b->loop_first[f]];
            uint32_t count = b->loop_count[f];
            uint32_t previous = TNI_NONE, first = TNI_NONE;
            for (uint32_t i = 0; i < count; ++i) {
                uint32_t from = b->vertex_of[loop[i]];
                uint32_t to = b->vertex_of[loop[(i + 1) % count]];
                uint32_t e = hull_find_edge(hull, targets, named, from, to);
                if (pass == 0) {
                    if (e != TNI_NONE) {
                        continue;
                    }
                    if (named + 2 > hull->half_edge_count) {
                        return false;
                    }
                    hull->half_edges[named].origin = (uint16_t)from;
                    hull->half_edges[named + 1].origin = (uint16_t)to;
                    hull->half_edges[named].face = UINT16_MAX;
                    hull->half_edges[named + 1].face = UINT16_MAX;
                    targets[named] = (uint16_t)to;
                    targets[named + 1] = (uint16_t)from;
                    named += 2;
                    continue;
                }
                // ... then each half is claimed by the one face it runs along.
                if (e == TNI_NONE || hull->half_edges[e].face != UINT16_MAX) {
                    return false;
                }
                hull->half_edges[e].face = (uint16_t)f;
                hull->vertex_edges[from] = (uint16_t)e;
                if (previous != TNI_NONE) {
                    hull->half_edges[previous].next = (uint16_t)e;
                } else {
                    first = e;
                    hull->face_edges[f] = (uint16_t)e;
                }
                previous = e;
            }
            if (pass == 1) {
                hull->half_edges[previous].next = (uint16_t)first;
            }
        }
    }
    return named == hull->half_edge_count;
}

// Links the topology; returns false if it is not that of a closed convex polyhedron.
static bool hull_link(const hull_builder *b, tni_hull *hull) {
    return hull_link_edges(b, hull, b->targets) &&
           hull->vertex_count + hull->face_count == hull->half_edge_count / 2 + 2;
}

// ---- measures ------------------------------------------------------------------------------

// Fits the planes by Newell's normal: the summed cross products round the loop, exact for any
// polygon.
static void hull_fit_planes(tni_hull *hull) {
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        uint32_t first = hull->face_edges[f];
        tni_dvec3 origin = dvec3_from_float(hull->vertices[hull->half_edges[first].origin]);
        tni_dvec3 n = dvec3_make(0.0, 0.0, 0.0);
        uint32_t e = first;
        do {
            uint32_t next = hull->half_edges[e].next;
            tni_dvec3 p = dvec3_from_float(hull->vertices[hull->half_edges[e].origin]);
            tni_dvec3 q = dvec3_from_float(hull->vertices[hull->half_edges[next].origin]);
            n = dvec3_add(n, dvec3_cross(dvec3_sub(p, origin), dvec3_sub(q, origin)));
            e = next;
        } while (e != first);
        n = dvec3_scale(n, maths_inverse_or_zero_d(dvec3_length(n)));
        hull->planes[f].normal = dvec3_to_float(n);
        double offset = -DBL_MAX;
        tni_dvec3 rounded = dvec3_from_float(hull->planes[f].normal);
        do {
            tni_dvec3 p = dvec3_from_float(hull->vertices[hull->half_edges[e].origin]);
            offset = maths_max_d(offset, dvec3_dot(rounded, p));
            e = hull->half_edges[e].next;
        } while (e != first);
        hull->planes[f].offset = (float)offset;
    }
}

static void hull_fit_edges(tni_hull *hull) {
    for (uint32_t e = 0; e < hull->half_edge_count; e += 2) {
        tni_dvec3 d = dvec3_sub(dvec3_from_float(hull->vertices[hull->half_edges[e + 1].origin]),
                                dvec3_from_float(hull->vertices[hull->half_edges[e].origin]));
        hull->edge_directions[e / 2] =
            dvec3_to_float(dvec3_scale(d, maths_inverse_or_zero_d(dvec3_length(d))));
    }
}

static void hull_fit_bounds(tni_hull *hull) {
    vec3s lower = hull->vertices[0], upper = hull->vertices[0];
    for (uint32_t i = 1; i < hull->vertex_count; ++i) {
        vec3s v = hull->vertices[i];
        lower =
            maths_vec3(maths_min(lower.x, v.x), maths_min(lower.y, v.y), maths_min(lower.z, v.z));
        upper =
            maths_vec3(maths_max(upper.x, v.x), maths_max(upper.y, v.y), maths_max(upper.z, v.z));
    }
    hull->lower = lower;
    hull->upper = upper;
}

typedef struct hull_moments {
    double volume;
    tni_dvec3 first;
    double second[3][3];
} hull_moments;

static void hull_add_tetrahedron(hull_moments *m, tni_dvec3 a, tni_dvec3 b, tni_dvec3 c) {
    double det = dvec3_dot(a, dvec3_cross(b, c));
    tni_dvec3 s = dvec3_add(dvec3_add(a, b), c);
    m->volume += det / 6.0;
    m->first = dvec3_add_scaled(m->first, det / 24.0, s);
    const double p[4][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {s.x, s.y, s.z}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) {
                sum += p[k][i] * p[k][j];
            }
            m->second[i][j] += det / 120.0 * sum;
        }
    }
}

static void hull_fit_inner_radius(tni_hull *hull) {
    hull->inner_radius = FLT_MAX;
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        tni_plane plane = hull->planes[f];
        hull->inner_radius =
            maths_min(hull->inner_radius, plane.offset - glms_vec3_dot(plane.normal, hull->center));
    }
    hull->ball_radius = hull->inner_radius;
}

// Fits the mass. Returns false when the hull encloses no volume.
static bool hull_fit_mass(tni_hull *hull) {
    // All points are taken about the middle of the bounds, so that a cloud far from its own origin
    // loses nothing.
    tni_dvec3 middle =
        dvec3_scale(dvec3_add(dvec3_from_float(hull->lower), dvec3_from_float(hull->upper)), 0.5);
    hull_moments m = {0};
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        uint32_t first = hull->face_edges[f];
        tni_dvec3 a =
            dvec3_sub(dvec3_from_float(hull->vertices[hull->half_edges[first].origin]), middle);
        uint32_t e = hull->half_edges[first].next;
        for (uint32_t next = hull->half_edges[e].next; next != first;
             e = next, next = hull->half_edges[e].next) {
            hull_add_tetrahedron(
                &m, a,
                dvec3_sub(dvec3_from_float(hull->vertices[hull->half_edges[e].origin]), middle),
                dvec3_sub(dvec3_from_float(hull->vertices[hull->half_edges[next].origin]), middle));
        }
    }
    if (!(m.volume > 0.0)) {
        return false;
    }
    tni_dvec3 center = dvec3_scale(m.first, 1.0 / m.volume);
    const double d[3] = {center.x, center.y, center.z};
    double trace = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m.second[i][j] = m.second[i][j] / m.volume - d[i] * d[j];
        }
        trace += m.second[i][i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            hull->unit_inertia.m[i][j] = (i == j ? trace : 0.0) - m.second[i][j];
        }
    }
    hull->center = dvec3_to_float(dvec3_add(middle, center));
    hull->volume = (float)m.volume;
    hull_fit_inner_radius(hull);
    return true;
}

// ---- all of it -----------------------------------------------------------------------------

// Makes the hull of the builder's faces.
static tn_result hull_finish(hull_builder *b, tni_hull **out_hull) {
    uint32_t corner_count = hull_number(b);
    if (b->vertex_count > TNI_HULL_MAX_VERTICES) {
        return TN_RESULT_TOO_LARGE;
    }
    if (b->vertex_count < 4 || b->face_count < 4 || corner_count % 2 != 0) {
        return TN_RESULT_DEGENERATE_HULL;
    }
    tni_hull *hull = hull_allocate(b->allocator, b->vertex_count, corner_count, b->face_count);
    if (hull == NULL) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < b->quickhull.point_count; ++i) {
        if (b->vertex_of[i] != TNI_NONE) {
            hull->vertices[b->vertex_of[i]] = b->points[i];
        }
    }
    hull_fill_lanes(hull);
    bool is_sound = hull_link(b, hull);
    if (is_sound) {
        hull_fit_planes(hull);
        hull_fit_edges(hull);
        hull_fit_bounds(hull);
        is_sound = hull_fit_mass(hull);
    }
    if (!is_sound) {
        tni_hull_destroy(b->allocator, hull);
        return TN_RESULT_DEGENERATE_HULL;
    }
    *out_hull = hull;
    return TN_RESULT_OK;
}

static tn_result hull_assemble(hull_builder *b, bool is_merging, tni_hull **out_hull) {
    hull_make_faces(b, is_merging);
    if (is_merging && !hull_may_straighten(b)) {
        return TN_RESULT_DEGENERATE_HULL;
    }
    if (is_merging) {
        hull_straighten_edges(b);
    }
    return hull_finish(b, out_hull);
}

tn_result tni_hull_build(tni_allocator *allocator, const vec3s *points, uint32_t count,
                         tni_hull **out_hull) {
    if (points == NULL || count < 4) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    hull_builder b = {0};
    b.allocator = allocator;
    b.points = points;
    tn_result result = tni_quickhull_run(&b.quickhull, allocator, points, count);
    if (result == TN_RESULT_OK) {
        b.tolerance = HULL_MERGE * TNI_QUICKHULL_GRID * b.quickhull.unit;
        if (hull_take_scratch(&b)) {
            hull_order_triangles(&b);
            result = hull_assemble(&b, true, out_hull);
            if (result == TN_RESULT_DEGENERATE_HULL) {
                result = hull_assemble(&b, false, out_hull);
            }
        } else {
            result = TN_RESULT_OUT_OF_MEMORY;
        }
        tni_free(allocator, b.scratch, b.scratch_size);
    }
    tni_quickhull_destroy(&b.quickhull);
    return result;
}

// ---- from faces --------------------------------------------------------------------------------

// Is every corner behind every face?
static bool hull_is_convex(const tni_hull *hull) {
    vec3s size = glms_vec3_sub(hull->upper, hull->lower);
    float slack = HULL_SLACK * maths_max(size.x, maths_max(size.y, size.z));
    bool is_convex = hull->volume > 0.0f && isfinite(hull->volume);
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        const tni_plane *plane = &hull->planes[f];
        for (uint32_t i = 0; i < hull->vertex_count; ++i) {
            float out = glms_vec3_dot(plane->normal, hull->vertices[i]) - plane->offset;
            is_convex = is_convex && out <= slack;
        }
    }
    return is_convex;
}

// Takes the faces as they are. Returns whether they name all corners, in the order of their
// numbers.
static bool hull_take_faces(hull_builder *b, const tni_hull_faces *faces) {
    uint32_t used = 0;
    for (uint32_t f = 0; f < faces->face_count; ++f) {
        b->loop_first[f] = used;
        b->loop_count[f] = faces->corner_counts[f];
        for (uint32_t i = 0; i < faces->corner_counts[f]; ++i, ++used) {
            b->loops[used] = faces->corners[used];
        }
    }
    b->face_count = faces->face_count;
    hull_number(b);
    bool is_in_order = b->vertex_count == faces->vertex_count;
    for (uint32_t i = 0; i < faces->vertex_count; ++i) {
        is_in_order = is_in_order && b->vertex_of[i] == i;
    }
    return is_in_order;
}

tn_result tni_hull_from_faces(tni_allocator *allocator, const tni_hull_faces *faces,
                              tni_hull **out_hull) {
    hull_builder b = {.allocator = allocator, .points = faces->vertices};
    b.quickhull.point_count = faces->vertex_count;
    b.quickhull.face_count = 2 * faces->vertex_count; // more than it has triangles
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    tni_hull *hull = NULL;
    if (hull_take_scratch(&b)) {
        result = hull_take_faces(&b, faces) ? hull_finish(&b, &hull) : TN_RESULT_DEGENERATE_HULL;
    }
    tni_free(allocator, b.scratch, b.scratch_size);
    if (result == TN_RESULT_OK && !hull_is_convex(hull)) {
        tni_hull_destroy(allocator, hull);
        return TN_RESULT_DEGENERATE_HULL;
    }
    *out_hull = hull;
    return result;
}

void tni_hull_destroy(tni_allocator *allocator, tni_hull *hull) {
    if (hull != NULL) {
        tni_free(allocator, hull, hull->byte_size);
    }
}

// ---- copies ------------------------------------------------------------------------------------

tni_hull *tni_hull_copy(tni_allocator *allocator, const tni_hull *hull) {
    uint32_t vertices = hull->vertex_count, half_edges = hull->half_edge_count;
    uint32_t faces = hull->face_count;
    tni_hull *copy = hull_allocate(allocator, vertices, half_edges, faces);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy->vertices, hull->vertices, vertices * sizeof(vec3s));
    memcpy(copy->lanes, hull->lanes, 3 * (size_t)hull->lane_count * sizeof(float));
    memcpy(copy->planes, hull->planes, faces * sizeof(tni_plane));
    memcpy(copy->edge_directions, hull->edge_directions, half_edges / 2 * sizeof(vec3s));
    memcpy(copy->half_edges, hull->half_edges, half_edges * sizeof(tni_half_edge));
    memcpy(copy->face_edges, hull->face_edges, faces * sizeof(uint16_t));
    memcpy(copy->vertex_edges, hull->vertex_edges, vertices * sizeof(uint16_t));
    copy->center = hull->center;
    copy->lower = hull->lower;
    copy->upper = hull->upper;
    copy->inner_radius = hull->inner_radius;
    copy->ball_radius = hull->ball_radius;
    copy->volume = hull->volume;
    copy->unit_inertia = hull->unit_inertia;
    return copy;
}

// Deforms a hull: faces stay flat, edges straight, and the same ones meet at the same places.
void tni_hull_deform(const tni_hull *hull, const tni_dmat3 *map, tni_hull *copy) {
    for (uint32_t v = 0; v < hull->vertex_count; ++v) {
        tni_dvec3 vertex = dvec3_from_float(hull->vertices[v]);
        copy->vertices[v] = dvec3_to_float(dmat3_mul_vec(map, vertex));
    }
    copy->center = dvec3_to_float(dmat3_mul_vec(map, dvec3_from_float(hull->center)));
    hull_fill_lanes(copy);
    hull_fit_planes(copy);
    hull_fit_edges(copy);
    hull_fit_bounds(copy);
    hull_fit_inner_radius(copy);
}
