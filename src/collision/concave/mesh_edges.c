// collision/concave/mesh_edges.c: the neighbours of a mesh's triangles: which edges may be met,
// whether the mesh is closed, and the mass of what it encloses.
//
// Corners at the same place are one, whatever their numbers. Each edge is filed under the smaller
// of its two corners, and the edges of a corner are sorted by the other one: triangles that share
// an edge then stand side by side. An edge is active, so that something may be met there with
// another normal than that of a face, if it has no neighbour or more than one, if the neighbour is
// wound the other way, or if both stand out (triangle.c). A concave edge is not: what comes there
// meets the faces.
//
// Mass: each triangle makes a tetrahedron with the middle of the bounds; see collision/hull.c.
// Test: tests/collision/concave/test_mesh.c
#include "collision/concave/mesh.h"

#include <string.h>

#include "core/sort.h"

typedef struct edges_builder {
    tni_mesh *mesh;
    uint32_t *corner;  // by point: the first point at the same place
    uint32_t *starts;  // by corner: where its edges begin in `edges`
    uint64_t *edges;   // other corner << 32 | half edge (3 * triangle + i)
    uint64_t *scratch; // room to sort as many
    uint32_t edge_count, table_size;
    uint32_t *table;
} edges_builder;

// ---- corners ----------------------------------------------------------------------------------

static uint32_t edges_hash(vec3s p) {
    uint32_t hash = 2166136261u, bits[3];
    vec3s place = maths_vec3(p.x + 0.0f, p.y + 0.0f, p.z + 0.0f); // -0 becomes 0
    memcpy(bits, &place, sizeof bits);
    for (int i = 0; i < 3; ++i) {
        hash = (hash ^ bits[i]) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

// Finds the first point at each place, in a table with open addressing.
static void edges_weld(const edges_builder *b) {
    const tni_mesh *mesh = b->mesh;
    memset(b->table, 0xff, b->table_size * sizeof *b->table);
    for (uint32_t i = 0; i < mesh->point_count; ++i) {
        vec3s p = mesh->points[i];
        uint32_t slot = edges_hash(p) & (b->table_size - 1);
        for (; b->table[slot] != TNI_NONE; slot = (slot + 1) & (b->table_size - 1)) {
            vec3s q = mesh->points[b->table[slot]];
            if (p.x == q.x && p.y == q.y && p.z == q.z) {
                break;
            }
        }
        b->table[slot] = b->table[slot] == TNI_NONE ? i : b->table[slot];
        b->corner[i] = b->table[slot];
    }
}

// ---- edges ------------------------------------------------------------------------------------

// Gets the corners of a half edge, in its own direction.
static void edges_get_ends(const edges_builder *b, uint32_t half_edge, uint32_t ends[2]) {
    uint32_t triangle = half_edge / 3, i = half_edge % 3;
    const uint32_t *index = &b->mesh->indices[3 * (size_t)triangle];
    ends[0] = b->corner[index[i]];
    ends[1] = b->corner[index[(i + 1) % 3]];
}

// Files the half edges under the smaller corner.
static void edges_file(edges_builder *b) {
    const tni_mesh *mesh = b->mesh;
    uint32_t ends[2];
    memset(b->starts, 0, (mesh->point_count + 1) * sizeof *b->starts);
    for (uint32_t k = 0; k < 3 * mesh->tree.count; ++k) {
        edges_get_ends(b, 3 * mesh->tree.order[k / 3] + k % 3, ends);
        b->starts[(ends[0] < ends[1] ? ends[0] : ends[1]) + 1] += 1;
    }
    for (uint32_t i = 0; i < mesh->point_count; ++i) {
        b->starts[i + 1] += b->starts[i];
    }
    for (uint32_t k = 0; k < 3 * mesh->tree.count; ++k) {
        uint32_t half_edge = 3 * mesh->tree.order[k / 3] + k % 3;
        edges_get_ends(b, half_edge, ends);
        bool is_up = ends[0] < ends[1];
        uint32_t *place = &b->starts[is_up ? ends[0] : ends[1]];
        b->edges[(*place)++] = (uint64_t)ends[is_up ? 1 : 0] << 32 | half_edge;
    }
    // Each start is now the next corner's.
    memmove(b->starts + 1, b->starts, mesh->point_count * sizeof *b->starts);
    b->starts[0] = 0;
}

static void edges_sort(const edges_builder *b, uint32_t first, uint32_t count) {
    uint64_t *keys = &b->edges[first];
    if (count > 32) {
        tni_sort_u64(keys, b->scratch, count);
        return;
    }
    for (uint32_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; --at) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

static void edges_activate(const edges_builder *b, uint32_t half_edge) {
    b->mesh->sides[half_edge / 3] |= (uint8_t)(1u << half_edge % 3);
}

static bool edges_is_same_way(const edges_builder *b, uint32_t p, uint32_t q) {
    uint32_t ends_p[2], ends_q[2];
    edges_get_ends(b, p, ends_p);
    edges_get_ends(b, q, ends_q);
    return ends_p[0] == ends_q[0];
}

// Does the edge between two triangles stand out?
static bool edges_stands_out(const edges_builder *b, uint32_t p, uint32_t q, bool is_two_sided) {
    vec3s corners[2][3];
    mesh_get_corners(b->mesh, p / 3, corners[0]);
    mesh_get_corners(b->mesh, q / 3, corners[1]);
    tni_dvec3 m = tni_triangle_get_area(corners[0]), n = tni_triangle_get_area(corners[1]);
    tni_dvec3 to = dvec3_sub(dvec3_from_float(corners[1][(q % 3 + 2) % 3]),
                             dvec3_from_float(corners[0][p % 3]));
    return tni_triangles_stand_out(m, n, to, is_two_sided);
}

// Marks the edges between two corners: `count` half edges from `first` on.
static void edges_mark_group(const edges_builder *b, uint32_t first, uint32_t count,
                             bool is_two_sided) {
    const uint64_t *keys = &b->edges[first];
    uint32_t p = (uint32_t)keys[0], q = (uint32_t)keys[count - 1];
    bool is_pair = count == 2 && !edges_is_same_way(b, p, q);
    b->mesh->base.is_closed = b->mesh->base.is_closed && is_pair;
    if (is_pair && !edges_stands_out(b, p, q, is_two_sided)) {
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        edges_activate(b, (uint32_t)keys[i]);
    }
}

static void edges_mark(const edges_builder *b, bool is_two_sided) {
    for (uint32_t corner = 0; corner < b->mesh->point_count; ++corner) {
        uint32_t end = b->starts[corner + 1];
        edges_sort(b, b->starts[corner], end - b->starts[corner]);
        for (uint32_t first = b->starts[corner]; first < end;) {
            uint32_t count = 1;
            while (first + count < end && b->edges[first + count] >> 32 == b->edges[first] >> 32) {
                count += 1;
            }
            edges_mark_group(b, first, count, is_two_sided);
            first += count;
        }
    }
}

// ---- mass -------------------------------------------------------------------------------------

// Adds a tetrahedron from the origin, as collision/hull.c does.
static void edges_add_mass(const vec3s corners[3], tni_dvec3 middle, tni_mass_properties *sum,
                           double second[3][3]) {
    tni_dvec3 p[4];
    p[3] = dvec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        p[i] = dvec3_sub(dvec3_from_float(corners[i]), middle);
        p[3] = dvec3_add(p[3], p[i]);
    }
    double det = dvec3_dot(p[0], dvec3_cross(p[1], p[2]));
    sum->volume += det / 6.0;
    sum->center = dvec3_add_scaled(sum->center, det / 24.0, p[3]);
    for (int k = 0; k < 4; ++k) {
        const double v[3] = {p[k].x, p[k].y, p[k].z};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                second[i][j] += det / 120.0 * v[i] * v[j];
            }
        }
    }
}

// Measures what a closed mesh encloses: nothing if it is wound inside out.
static void edges_measure(tni_mesh *mesh) {
    tni_mass_properties *mass = &mesh->base.mass;
    double second[3][3] = {{0.0}};
    tni_dvec3 middle =
        dvec3_from_float(mesh->points[mesh->indices[3 * (size_t)mesh->tree.order[0]]]);
    for (uint32_t i = 0; i < mesh->tree.count; ++i) {
        vec3s corners[3];
        mesh_get_corners(mesh, mesh->tree.order[i], corners);
        edges_add_mass(corners, middle, mass, second);
    }
    mesh->base.is_closed = mass->volume > 0.0;
    if (!mesh->base.is_closed) {
        *mass = (tni_mass_properties){0};
        return;
    }
    tni_dvec3 center = dvec3_scale(mass->center, 1.0 / mass->volume);
    const double d[3] = {center.x, center.y, center.z};
    double trace = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            second[i][j] = second[i][j] / mass->volume - d[i] * d[j];
        }
        trace += second[i][i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            mass->unit_inertia.m[i][j] = (i == j ? trace : 0.0) - second[i][j];
        }
    }
    mass->center = dvec3_add(middle, center);
}

// ---- all of it --------------------------------------------------------------------------------

static bool edges_reserve(edges_builder *b, tni_allocator *allocator) {
    size_t points = b->mesh->point_count;
    b->edge_count = 3 * b->mesh->tree.count;
    b->table_size = 16;
    while (b->table_size < 2 * points) {
        b->table_size *= 2;
    }
    b->corner = tni_alloc(allocator, points * sizeof *b->corner);
    b->starts = tni_alloc(allocator, (points + 1) * sizeof *b->starts);
    b->edges = tni_alloc(allocator, b->edge_count * sizeof *b->edges);
    b->scratch = tni_alloc(allocator, b->edge_count * sizeof *b->scratch);
    b->table = tni_alloc(allocator, b->table_size * sizeof *b->table);
    return b->corner && b->starts && b->edges && b->scratch && b->table;
}

static void edges_free(const edges_builder *b, tni_allocator *allocator) {
    size_t points = b->mesh->point_count;
    tni_free(allocator, b->corner, points * sizeof *b->corner);
    tni_free(allocator, b->starts, (points + 1) * sizeof *b->starts);
    tni_free(allocator, b->edges, b->edge_count * sizeof *b->edges);
    tni_free(allocator, b->scratch, b->edge_count * sizeof *b->scratch);
    tni_free(allocator, b->table, b->table_size * sizeof *b->table);
}

bool tni_mesh_mark_edges(tni_mesh *mesh, bool is_two_sided) {
    edges_builder builder = {.mesh = mesh};
    bool succeeds = edges_reserve(&builder, &mesh->base.shared.allocator);
    if (succeeds) {
        mesh->base.is_closed = true;
        edges_weld(&builder);
        edges_file(&builder);
        edges_mark(&builder, is_two_sided);
        if (mesh->base.is_closed) {
            edges_measure(mesh);
        }
        for (uint32_t i = 0; i < mesh->triangle_count && is_two_sided; ++i) {
            mesh->sides[i] |= TNI_TRIANGLE_TWO_SIDED;
        }
    }
    edges_free(&builder, &mesh->base.shared.allocator);
    return succeeds;
}
