// bench/queries_tenon.c: tenon answers queries, one by one and as batches.
#include "bench/queries.h"

#include <stdlib.h>

#define TENON_BATCH    16384u
#define TENON_OVERLAPS 64u // of one query that are listed

typedef struct queries_world {
    tn_world *world;
    tn_ray *rays;
    tn_ray_hit *ray_hits;
    tn_probe *probes;
    tn_probe_hit *hits;
    uint32_t *counts;
} queries_world;

static void tenon_destroy(void *engine_world) {
    queries_world *w = engine_world;
    if (w->world != NULL) {
        tn_world_destroy(w->world);
    }
    free(w->rays);
    free(w->ray_hits);
    free(w->probes);
    free(w->hits);
    free(w->counts);
    free(w);
}

static bool tenon_add_mesh(tn_world *world, const queries_scene *scene) {
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = scene->points;
    def.position_count = scene->point_count;
    def.indices = scene->indices;
    def.triangle_count = scene->triangle_count;
    tn_mesh *mesh = tn_mesh_create(&def, NULL);
    tn_body_def ground = tn_body_def_default();
    ground.type = TN_BODY_TYPE_STATIC;
    tn_body_id body = tn_body_create(world, &ground);
    tn_shape_def shape = tn_shape_def_default();
    tn_shape_id id = tn_mesh_shape_create(world, body, &shape, mesh, NULL, 0);
    tn_mesh_release(mesh);
    return id.value != 0;
}

static bool tenon_add_boxes(tn_world *world, const queries_scene *scene) {
    bool is_good = true;
    for (uint32_t i = 0; i < scene->box_count && is_good; ++i) {
        tn_body_def def = tn_body_def_default();
        def.pose = scene->boxes[i].pose;
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        tn_vec3 half = scene->boxes[i].half_extents;
        is_good = tn_box_shape_create(world, body, &shape, half).value != 0;
    }
    return is_good;
}

static void *tenon_create(const queries_scene *scene, uint32_t workers) {
    queries_world *w = calloc(1, sizeof(*w));
    if (w == NULL) {
        return NULL;
    }
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    w->world = tn_world_create(&def, NULL);
    w->rays = calloc(TENON_BATCH, sizeof(*w->rays));
    w->ray_hits = calloc(TENON_BATCH, sizeof(*w->ray_hits));
    w->probes = calloc(TENON_BATCH, sizeof(*w->probes));
    w->hits = calloc((size_t)TENON_BATCH * TENON_OVERLAPS, sizeof(*w->hits));
    w->counts = calloc(TENON_BATCH, sizeof(*w->counts));
    bool is_good = w->world != NULL && w->rays != NULL && w->ray_hits != NULL &&
                   w->probes != NULL && w->hits != NULL && w->counts != NULL;
    if (is_good) {
        is_good = scene->triangle_count > 0 ? tenon_add_mesh(w->world, scene)
                                            : tenon_add_boxes(w->world, scene);
    }
    if (!is_good) {
        tenon_destroy(w);
        return NULL;
    }
    return w;
}

// Bullet does not see a box that a ray begins inside.
static tn_ray tenon_make_ray(const queries_ask *ask) {
    tn_ray ray = tn_ray_make(ask->pose.position, ask->translation);
    ray.inside = TN_QUERY_INSIDE_IGNORE;
    return ray;
}

static tn_probe tenon_make_probe(const queries_ask *ask) {
    tn_probe probe = ask->radius > 0.0f ? tn_sphere_probe_make(ask->pose.position, ask->radius)
                                        : tn_box_probe_make(ask->pose, ask->half_extents);
    probe.translation = ask->translation;
    return probe;
}

static void tenon_answer(void *engine_world, queries_kind kind, const queries_ask *asks,
                         uint32_t count, double *out_answers) {
    const queries_world *w = engine_world;
    for (uint32_t i = 0; i < count; ++i) {
        tn_ray_hit ray_hit;
        tn_probe_hit hit;
        tn_ray ray;
        tn_probe probe;
        switch (kind) {
        case QUERIES_RAY:
            ray = tenon_make_ray(&asks[i]);
            out_answers[i] = tn_world_cast_ray(w->world, &ray, &ray_hit) ? ray_hit.fraction : 2.0;
            break;
        case QUERIES_CAST:
            probe = tenon_make_probe(&asks[i]);
            out_answers[i] = tn_world_cast_probe(w->world, &probe, &hit) ? hit.fraction : 2.0;
            break;
        default:
            probe = tenon_make_probe(&asks[i]);
            out_answers[i] = tn_world_overlap_probe(w->world, &probe, w->hits, TENON_OVERLAPS);
            break;
        }
    }
}

static void tenon_answer_some(const queries_world *w, queries_kind kind, const queries_ask *asks,
                              uint32_t count, double *out_answers) {
    for (uint32_t i = 0; i < count; ++i) {
        if (kind == QUERIES_RAY) {
            w->rays[i] = tenon_make_ray(&asks[i]);
        } else {
            w->probes[i] = tenon_make_probe(&asks[i]);
        }
    }
    if (kind == QUERIES_RAY) {
        tn_world_cast_rays(w->world, w->rays, count, w->ray_hits);
    } else if (kind == QUERIES_CAST) {
        tn_world_cast_probes(w->world, w->probes, count, w->hits);
    } else {
        tn_world_overlap_probes(w->world, w->probes, count, w->hits, TENON_OVERLAPS, w->counts);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (kind == QUERIES_RAY) {
            out_answers[i] = w->ray_hits[i].shape.value != 0 ? w->ray_hits[i].fraction : 2.0;
        } else if (kind == QUERIES_CAST) {
            out_answers[i] = w->hits[i].shape.value != 0 ? w->hits[i].fraction : 2.0;
        } else {
            out_answers[i] = w->counts[i];
        }
    }
}

static void tenon_answer_batch(void *engine_world, queries_kind kind, const queries_ask *asks,
                               uint32_t count, double *out_answers) {
    for (uint32_t i = 0; i < count; i += TENON_BATCH) {
        uint32_t some = count - i < TENON_BATCH ? count - i : TENON_BATCH;
        tenon_answer_some(engine_world, kind, &asks[i], some, &out_answers[i]);
    }
}

const queries_engine queries_engine_tenon = {
    "tenon", false, tenon_create, tenon_answer, tenon_answer_batch, tenon_destroy};
