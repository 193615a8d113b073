// bench/queries.h: what rays, casts and overlaps cost in a mesh and among many boxes, in every
// engine that answers them.
#ifndef BENCH_QUERIES_H
#define BENCH_QUERIES_H

#include "tenon/tenon.h"

TN_EXTERN_C_BEGIN

typedef struct queries_box {
    tn_pose pose;
    tn_vec3 half_extents;
} queries_box;

// One static mesh, or bodies that are boxes.
typedef struct queries_scene {
    const float *points; // x, y, z of each
    const uint32_t *indices;
    uint32_t point_count, triangle_count;
    const queries_box *boxes;
    uint32_t box_count;
} queries_scene;

typedef enum queries_kind {
    QUERIES_RAY = 0,
    QUERIES_CAST,
    QUERIES_OVERLAP,
} queries_kind;

// A ray, a box or, if it has a radius, a ball.
typedef struct queries_ask {
    tn_pose pose;
    tn_vec3 translation; // m; none for overlaps
    tn_vec3 half_extents;
    float radius;
} queries_ask;

typedef struct queries_engine {
    const char *name;
    bool is_for_rays; // alone
    // Returns null without memory.
    void *(*create)(const queries_scene *scene, uint32_t workers);
    // Answers with the fraction of the way that is free, 2 if all is, or the number of overlaps.
    void (*answer)(void *world, queries_kind kind, const queries_ask *asks, uint32_t count,
                   double *out_answers);
    // Does the same as batches. Null: the engine has none.
    void (*answer_batch)(void *world, queries_kind kind, const queries_ask *asks, uint32_t count,
                         double *out_answers);
    void (*destroy)(void *world);
} queries_engine;

extern const queries_engine queries_engine_tenon, queries_engine_bullet, queries_engine_bullet_rays;
// The peers of a program; the last is null.
extern const queries_engine *const queries_peers[];

// Prints a table: tenon by single calls, by batches on one thread and on `workers`, and its peers.
// Asks one in `share` of the full number, in all cases or in the one of this name. Returns false
// without memory.
bool queries_run(uint32_t workers, uint32_t share, const char *only);

TN_EXTERN_C_END

#endif
