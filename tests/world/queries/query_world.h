// tests/world/queries/query_world.h: a world of shapes of all types in random places, and what is
// true of them by plain maths.
#ifndef TESTS_WORLD_QUERIES_QUERY_WORLD_H
#define TESTS_WORLD_QUERIES_QUERY_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "tests/support/hull_make.h"
#include "tests/world/movers/affine_world.h"

enum {
    QUERY_SHAPES = 1500,
    QUERY_CORNERS = 64,
    QUERY_PLANES = 128,
};

typedef struct query_solid {
    tn_shape_id shape;
    tn_body_id body;
    tn_shape_type type;
    tn_pose local;
    tn_vec3 half; // of a box; x is a radius and y a half length
    tn_reduced_id affine;
    uint32_t plane_count; // of a hull
    tn_vec3 normals[QUERY_PLANES];
    double offsets[QUERY_PLANES];
} query_solid;

typedef struct query_world {
    tn_world *world;
    uint32_t seed;
    double size;
    query_solid *solids; // QUERY_SHAPES + 1 of them, used again by the next one; the last is a
                         // half-space
    uint32_t count;
} query_world;

// ---- maths ------------------------------------------------------------------------------------

static inline double query_draw(query_world *q) {
    q->seed = q->seed * 1664525u + 1013904223u;
    return (double)(q->seed >> 8) / 16777216.0;
}

static inline tn_vec3 query_draw_vec(query_world *q, double size) {
    tn_vec3 v;
    v.x = size * (2.0 * query_draw(q) - 1.0);
    v.y = size * (2.0 * query_draw(q) - 1.0);
    v.z = size * (2.0 * query_draw(q) - 1.0);
    return v;
}

static inline tn_quat query_draw_turn(query_world *q) {
    for (;;) {
        tn_vec3 v = query_draw_vec(q, 1.0);
        double w = 2.0 * query_draw(q) - 1.0;
        double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z + w * w);
        if (length > 0.1 && length < 1.0) {
            return (tn_quat){v.x / length, v.y / length, v.z / length, w / length};
        }
    }
}

static inline tn_vec3 query_add(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline tn_vec3 query_sub(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline tn_vec3 query_scale(tn_vec3 a, double s) {
    return (tn_vec3){a.x * s, a.y * s, a.z * s};
}
static inline double query_dot(tn_vec3 a, tn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double query_length(tn_vec3 a) {
    return sqrt(query_dot(a, a));
}
static inline tn_vec3 query_cross(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Turns v by q, or back.
static inline tn_vec3 query_turn(tn_quat q, tn_vec3 v) {
    tn_vec3 u = {q.x, q.y, q.z};
    tn_vec3 t = query_scale(query_cross(u, v), 2.0);
    return query_add(query_add(v, query_scale(t, q.w)), query_cross(u, t));
}
static inline tn_vec3 query_turn_back(tn_quat q, tn_vec3 v) {
    return query_turn((tn_quat){-q.x, -q.y, -q.z, q.w}, v);
}

static inline tn_vec3 query_solve(const double *a, tn_vec3 b) {
    tn_vec3 x = {a[0], a[3], a[6]}, y = {a[1], a[4], a[7]}, z = {a[2], a[5], a[8]};
    double d = query_dot(x, query_cross(y, z));
    return (tn_vec3){query_dot(b, query_cross(y, z)) / d, query_dot(b, query_cross(z, x)) / d,
                     query_dot(b, query_cross(x, y)) / d};
}

// ---- solids -----------------------------------------------------------------------------------

// Returns the world's point in the frame of the shape at rest.
static inline tn_vec3 query_to_local(const query_world *q, const query_solid *solid, tn_vec3 p) {
    tn_vec3 in_body;
    if (solid->affine.value != 0) {
        double u[TN_AFFINE_FREEDOMS];
        tn_reduced_get_coordinates(q->world, solid->affine, u, TN_AFFINE_FREEDOMS);
        tn_vec3 center = {u[0], u[1], u[2]};
        in_body = query_solve(u + 3, query_sub(p, center));
        in_body = query_add(in_body, tn_body_get_mass(q->world, solid->body).center);
    } else {
        in_body = tn_body_get_local_point(q->world, solid->body, p);
    }
    return query_turn_back(solid->local.rotation, query_sub(in_body, solid->local.position));
}

// Returns a convex function of the point that is below 0 inside: for spheres, capsules and
// half-spaces, and for boxes and hulls inside, the signed distance.
static inline double query_get_height(const query_world *q, const query_solid *solid, tn_vec3 p) {
    tn_vec3 at = query_to_local(q, solid, p), h = solid->half;
    double most = -1e300;
    switch (solid->type) {
    case TN_SHAPE_TYPE_SPHERE:
        return query_length(at) - h.x;
    case TN_SHAPE_TYPE_CAPSULE:
        at.y = at.y > h.y ? at.y - h.y : at.y < -h.y ? at.y + h.y : 0.0;
        return query_length(at) - h.x;
    case TN_SHAPE_TYPE_BOX:
        return fmax(fabs(at.x) - h.x, fmax(fabs(at.y) - h.y, fabs(at.z) - h.z));
    case TN_SHAPE_TYPE_HULL:
        for (uint32_t i = 0; i < solid->plane_count; ++i) {
            most = fmax(most, query_dot(solid->normals[i], at) - solid->offsets[i]);
        }
        return most;
    default:
        return at.y;
    }
}

static inline double query_get_height_on(const query_world *q, const query_solid *solid, tn_vec3 o,
                                         tn_vec3 t, double s) {
    return query_get_height(q, solid, query_add(o, query_scale(t, s)));
}

// Finds the part of the ray within a solid: the first and the last fraction. Returns false if there
// is none that is deeper than a hair.
static inline bool query_find_part(const query_world *q, const query_solid *solid, tn_vec3 o,
                                   tn_vec3 t, double *out_first, double *out_last) {
    double a = 0.0, b = 1.0;
    for (int i = 0; i < 90; ++i) {
        double x = a + 0.382 * (b - a), y = b - 0.382 * (b - a);
        if (query_get_height_on(q, solid, o, t, x) < query_get_height_on(q, solid, o, t, y)) {
            b = y;
        } else {
            a = x;
        }
    }
    double middle = 0.5 * (a + b);
    if (query_get_height_on(q, solid, o, t, middle) > -1e-6) {
        return false;
    }
    double ends[2] = {0.0, 1.0};
    for (int end = 0; end < 2; ++end) {
        double out = ends[end], in = middle;
        if (query_get_height_on(q, solid, o, t, out) <= 0.0) {
            continue;
        }
        for (int i = 0; i < 60; ++i) {
            double half = 0.5 * (out + in);
            if (query_get_height_on(q, solid, o, t, half) > 0.0) {
                out = half;
            } else {
                in = half;
            }
        }
        ends[end] = in;
    }
    *out_first = ends[0];
    *out_last = ends[1];
    return true;
}

// ---- the world --------------------------------------------------------------------------------

static inline void query_read_planes(query_solid *solid, const tn_hull *hull) {
    tn_vec3 corners[QUERY_CORNERS];
    uint32_t indices[3 * QUERY_PLANES];
    cr_assert(tn_hull_get_vertices(hull, corners, QUERY_CORNERS) <= QUERY_CORNERS);
    uint32_t count = tn_hull_get_triangles(hull, indices, 3 * QUERY_PLANES);
    cr_assert(count <= 3 * QUERY_PLANES);
    solid->plane_count = count / 3;
    for (uint32_t i = 0; i < count / 3; ++i) {
        tn_vec3 a = corners[indices[3 * i]], b = corners[indices[3 * i + 1]];
        tn_vec3 n = query_cross(query_sub(b, a), query_sub(corners[indices[3 * i + 2]], a));
        solid->normals[i] = query_scale(n, 1.0 / query_length(n));
        solid->offsets[i] = query_dot(solid->normals[i], a);
    }
}

static inline tn_hull *query_make_hull(query_world *q) {
    tn_vec3 points[20];
    for (int i = 0; i < 20; ++i) {
        points[i] = query_draw_vec(q, 0.7);
    }
    return hull_make(points, 20);
}

static inline void query_add_shape(query_world *q, query_solid *solid, const tn_shape_def *def) {
    solid->type = (tn_shape_type)(uint32_t)(4.0 * query_draw(q));
    double x = 0.1 + 0.6 * query_draw(q), y = 0.1 + 0.6 * query_draw(q);
    solid->half = (tn_vec3){(double)(float)x, (double)(float)y, 0.1 + 0.6 * query_draw(q)};
    solid->half.z = (double)(float)solid->half.z;
    if (solid->type == TN_SHAPE_TYPE_SPHERE) {
        solid->shape = tn_sphere_shape_create(q->world, solid->body, def, (float)x);
    } else if (solid->type == TN_SHAPE_TYPE_CAPSULE) {
        solid->shape = tn_capsule_shape_create(q->world, solid->body, def, (float)y, (float)x);
    } else if (solid->type == TN_SHAPE_TYPE_BOX) {
        solid->shape = tn_box_shape_create(q->world, solid->body, def, solid->half);
    } else {
        tn_hull *hull = query_make_hull(q);
        query_read_planes(solid, hull);
        solid->shape = tn_hull_shape_create(q->world, solid->body, def, hull);
        tn_hull_release(hull);
    }
    cr_assert(solid->shape.value != 0);
}

static inline void query_deform(query_world *q, query_solid *solid) {
    double u[TN_AFFINE_FREEDOMS];
    solid->affine = affine_make(q->world, solid->body, 1e5, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    tn_reduced_get_coordinates(q->world, solid->affine, u, TN_AFFINE_FREEDOMS);
    for (int k = 0; k < 9; ++k) {
        u[3 + k] += 0.5 * (query_draw(q) - 0.5);
    }
    tn_reduced_set_coordinates(q->world, solid->affine, u, TN_AFFINE_FREEDOMS);
}

static inline void query_add_solid(query_world *q, uint32_t i) {
    query_solid *solid = &q->solids[i];
    tn_body_def def = tn_body_def_default();
    def.pose.position = query_draw_vec(q, q->size);
    def.pose.rotation = query_draw_turn(q);
    def.gravity_scale = 0.0f;
    def.type = i % 5 == 0   ? TN_BODY_TYPE_STATIC
               : i % 5 == 1 ? TN_BODY_TYPE_KINEMATIC
                            : TN_BODY_TYPE_DYNAMIC;
    def.is_awake = i % 3 != 0;
    if (def.type != TN_BODY_TYPE_STATIC && def.is_awake) {
        def.velocity.linear = query_draw_vec(q, i % 7 == 0 ? 200.0 : 2.0);
    }
    solid->body = tn_body_create(q->world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.category = 1u << i % 8;
    shape.filter.group = -1; // they pass through each other
    if (i % 2 == 0) {
        shape.local_pose.position = query_draw_vec(q, 0.5);
        shape.local_pose.rotation = query_draw_turn(q);
    }
    query_add_shape(q, solid, &shape);
    solid->local = tn_shape_get_local_pose(q->world, solid->shape);
    if (i % 5 == 4 && i % 3 != 0) {
        query_deform(q, solid);
    }
}

// Fills a cube of 2 * size, over a half-space. Some bodies are thrown out of their boxes.
static inline void query_world_create(query_world *q, double size, uint32_t count,
                                      uint32_t workers) {
    size_t size_of_solids = (QUERY_SHAPES + 1) * sizeof *q->solids;
    if (q->solids == NULL) {
        q->solids = malloc(size_of_solids);
    }
    memset(q->solids, 0, size_of_solids);
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    q->world = tn_world_create(&def, NULL);
    q->seed = 7;
    q->size = size;
    q->count = count + 1;
    for (uint32_t i = 0; i < count; ++i) {
        query_add_solid(q, i);
    }
    query_solid *ground = &q->solids[count];
    ground->body = test_body_create(q->world, TN_BODY_TYPE_STATIC, 0.0, -0.8 * size, 0.0);
    ground->type = TN_SHAPE_TYPE_HALF_SPACE;
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.group = -1;
    ground->shape = tn_half_space_shape_create(q->world, ground->body, &shape);
    ground->local = tn_shape_get_local_pose(q->world, ground->shape);
    for (int step = 0; step < 3; ++step) {
        cr_assert(tn_world_step(q->world, 1.0 / 60.0, 2) == TN_RESULT_OK);
    }
}

// Are two hits the same to the last bit? There are unused bytes between their members.
static inline bool query_is_same_ray_hit(const tn_ray_hit *a, const tn_ray_hit *b) {
    return a->shape.value == b->shape.value && a->is_back == b->is_back &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->fraction == b->fraction;
}

static inline bool query_is_same_probe_hit(const tn_probe_hit *a, const tn_probe_hit *b) {
    return a->shape.value == b->shape.value && a->distance == b->distance &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->fraction == b->fraction;
}

#endif
