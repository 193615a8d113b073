// bench/queries.c: the cases of queries.h, and their table.
//
// The mesh is a rolling terrain of 100,352 triangles, 224 m long. The boxes are 10,000 turned
// boxes of 0.4 m to 2 m in a block of 100 m: about one in a hundred of its points is in a box. Rays
// and casts go from places above to places in the terrain or the block, or 30 m in any direction
// among boxes. All engines get the same numbers, and their answers are compared one by one. The
// quickest of several rounds counts, by the clock on the wall.
#include "bench/queries.h"

#include "bench/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES_RAYS     1000000u
#define QUERIES_CASTS    100000u
#define QUERIES_OVERLAPS 100000u
#define QUERIES_BOXES    10000u
#define QUERIES_CELLS    224u
#define QUERIES_ROUNDS   4
#define QUERIES_LINES    8
#define QUERIES_SIZE     100.0 // m, of the block
#define QUERIES_REACH    30.0  // m
#define QUERIES_AGREE    1e-4
#define QUERIES_NEAR     0.01 // m: Bullet's own tolerance for a ray at a convex shape

typedef struct queries_case {
    const char *name;
    bool is_mesh, is_ball;
    queries_kind kind;
    uint32_t count;
} queries_case;

static const queries_case queries_cases[] = {
    {"rays into 100,352 triangles", true, false, QUERIES_RAY, QUERIES_RAYS},
    {"rays into 10,000 boxes", false, false, QUERIES_RAY, QUERIES_RAYS},
    {"balls cast into the triangles", true, true, QUERIES_CAST, QUERIES_CASTS},
    {"boxes cast into the triangles", true, false, QUERIES_CAST, QUERIES_CASTS},
    {"balls cast into the boxes", false, true, QUERIES_CAST, QUERIES_CASTS},
    {"boxes cast into the boxes", false, false, QUERIES_CAST, QUERIES_CASTS},
    {"balls that overlap boxes", false, true, QUERIES_OVERLAP, QUERIES_OVERLAPS},
    {"boxes that overlap boxes", false, false, QUERIES_OVERLAP, QUERIES_OVERLAPS},
};

// ---- data -------------------------------------------------------------------------------------

// Returns 0 to 1, the same on all machines.
static double queries_draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

static tn_vec3 queries_draw_vec(uint32_t *seed, double size) {
    tn_vec3 v;
    v.x = size * (queries_draw(seed) - 0.5);
    v.y = size * (queries_draw(seed) - 0.5);
    v.z = size * (queries_draw(seed) - 0.5);
    return v;
}

static tn_quat queries_draw_turn(uint32_t *seed) {
    for (;;) {
        tn_vec3 v = queries_draw_vec(seed, 2.0);
        double w = 2.0 * queries_draw(seed) - 1.0;
        double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z + w * w);
        if (length > 0.1 && length < 1.0) {
            return (tn_quat){v.x / length, v.y / length, v.z / length, w / length};
        }
    }
}

static bool queries_make_terrain(queries_scene *scene) {
    uint32_t across = QUERIES_CELLS + 1;
    float *points = calloc((size_t)across * across, 3 * sizeof(*points));
    uint32_t *indices = calloc((size_t)QUERIES_CELLS * QUERIES_CELLS, 6 * sizeof(*indices));
    *scene = (queries_scene){.points = points, .indices = indices};
    if (points == NULL || indices == NULL) {
        return false;
    }
    for (uint32_t j = 0; j < across; ++j) {
        for (uint32_t i = 0; i < across; ++i) {
            double x = (double)i - 0.5 * QUERIES_CELLS, z = (double)j - 0.5 * QUERIES_CELLS;
            double y = 4.0 * sin(0.06 * x) * cos(0.045 * z) + 0.8 * sin(0.5 * x + 0.3 * z) +
                       0.15 * sin(2.1 * x) * sin(1.7 * z);
            float *p = &points[3 * scene->point_count++];
            p[0] = (float)x;
            p[1] = (float)y;
            p[2] = (float)z;
        }
    }
    for (uint32_t j = 0; j < QUERIES_CELLS; ++j) {
        for (uint32_t i = 0; i < QUERIES_CELLS; ++i) {
            uint32_t a = j * across + i, b = a + across;
            const uint32_t corners[6] = {a, b, a + 1, a + 1, b, b + 1};
            memcpy(&indices[3 * scene->triangle_count], corners, sizeof corners);
            scene->triangle_count += 2;
        }
    }
    return true;
}

static bool queries_make_boxes(queries_scene *scene) {
    queries_box *boxes = calloc(QUERIES_BOXES, sizeof(*boxes));
    *scene = (queries_scene){.boxes = boxes, .box_count = QUERIES_BOXES};
    uint32_t seed = 7;
    for (uint32_t i = 0; boxes != NULL && i < QUERIES_BOXES; ++i) {
        boxes[i].pose.position = queries_draw_vec(&seed, QUERIES_SIZE);
        boxes[i].pose.rotation = queries_draw_turn(&seed);
        boxes[i].half_extents =
            (tn_vec3){0.2 + 0.8 * queries_draw(&seed), 0.2 + 0.8 * queries_draw(&seed),
                      0.2 + 0.8 * queries_draw(&seed)};
    }
    return boxes != NULL;
}

static void queries_draw_ask(const queries_case *item, uint32_t *seed, queries_ask *ask) {
    memset(ask, 0, sizeof *ask);
    ask->pose.rotation = (tn_quat){0.0, 0.0, 0.0, 1.0};
    if (item->is_mesh) {
        ask->pose.position = queries_draw_vec(seed, 0.9 * QUERIES_CELLS);
        tn_vec3 to = queries_draw_vec(seed, 0.4 * QUERIES_CELLS);
        ask->pose.position.y = 10.0 + 20.0 * queries_draw(seed);
        ask->translation.x = to.x;
        ask->translation.y = -ask->pose.position.y - 10.0 * queries_draw(seed);
        ask->translation.z = to.z;
    } else {
        ask->pose.position = queries_draw_vec(seed, QUERIES_SIZE);
        tn_vec3 way = queries_draw_vec(seed, 2.0);
        double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z) + 1e-3;
        ask->translation.x = way.x * QUERIES_REACH / length;
        ask->translation.y = way.y * QUERIES_REACH / length;
        ask->translation.z = way.z * QUERIES_REACH / length;
    }
    double size = item->kind == QUERIES_OVERLAP ? 2.0 : 0.5;
    if (item->kind == QUERIES_OVERLAP) {
        ask->translation = (tn_vec3){0.0, 0.0, 0.0};
    }
    if (item->kind != QUERIES_RAY && item->is_ball) {
        ask->radius = (float)(size * (0.5 + queries_draw(seed)));
    } else if (item->kind != QUERIES_RAY) {
        ask->pose.rotation = queries_draw_turn(seed);
        ask->half_extents =
            (tn_vec3){size * (0.5 + queries_draw(seed)), size * (0.5 + queries_draw(seed)),
                      size * (0.5 + queries_draw(seed))};
    }
}

// ---- measures ---------------------------------------------------------------------------------

typedef void queries_answer_fn(void *world, queries_kind kind, const queries_ask *asks,
                               uint32_t count, double *out_answers);

// One line of the table: an engine, and how it is asked.
typedef struct queries_line {
    const char *name;
    queries_answer_fn *answer;
    void (*destroy)(void *world);
    void *world;
    double *answers;
    double ns; // of one query, in the quickest round
} queries_line;

typedef struct queries_table {
    const queries_case *item;
    queries_ask *asks;
    uint32_t count, line_count;
    queries_line lines[QUERIES_LINES]; // single calls of tenon, its batches, peers
} queries_table;

static bool queries_add_line(queries_table *table, const queries_scene *scene,
                             const queries_engine *engine, const char *name, bool is_batch,
                             uint32_t workers) {
    queries_line *line = &table->lines[table->line_count++];
    *line = (queries_line){.name = name, .ns = HUGE_VAL};
    line->answer = is_batch ? engine->answer_batch : engine->answer;
    line->destroy = engine->destroy;
    line->world = engine->create(scene, workers);
    line->answers = calloc(table->count, sizeof(*line->answers));
    return line->world != NULL && line->answers != NULL;
}

static bool queries_fill_table(queries_table *table, const queries_scene *scene, uint32_t workers) {
    const queries_engine *tenon = &queries_engine_tenon;
    uint32_t seed = 11;
    table->asks = calloc(table->count, sizeof(*table->asks));
    for (uint32_t i = 0; i < table->count && table->asks != NULL; ++i) {
        queries_draw_ask(table->item, &seed, &table->asks[i]);
    }
    bool is_good = table->asks != NULL &&
                   queries_add_line(table, scene, tenon, "single calls", false, 1) &&
                   queries_add_line(table, scene, tenon, "batches", true, 1);
    if (is_good && workers > 1) {
        is_good = queries_add_line(table, scene, tenon, "batches on threads", true, workers);
    }
    for (uint32_t i = 0; queries_peers[i] != NULL && is_good; ++i) {
        const queries_engine *peer = queries_peers[i];
        if (!peer->is_for_rays || table->item->kind == QUERIES_RAY) {
            is_good = queries_add_line(table, scene, peer, peer->name, false, 1);
        }
    }
    return is_good;
}

static void queries_empty_table(queries_table *table) {
    for (uint32_t i = 0; i < table->line_count; ++i) {
        if (table->lines[i].world != NULL) {
            table->lines[i].destroy(table->lines[i].world);
        }
        free(table->lines[i].answers);
    }
    free(table->asks);
}

// Rounds of all engines alternate, so that a slow second of the machine meets all of them.
static void queries_measure(queries_table *table) {
    for (int round = 0; round < QUERIES_ROUNDS; ++round) {
        for (uint32_t i = 0; i < table->line_count; ++i) {
            queries_line *line = &table->lines[i];
            double begin = bench_clock_get_wall_seconds();
            line->answer(line->world, table->item->kind, table->asks, table->count, line->answers);
            double seconds = bench_clock_get_wall_seconds() - begin;
            line->ns = fmin(line->ns, 1e9 * seconds / table->count);
        }
    }
}

static double queries_count_hits(const queries_table *table, const double *answers) {
    double hits = 0.0;
    for (uint32_t i = 0; i < table->count; ++i) {
        bool is_overlap = table->item->kind == QUERIES_OVERLAP;
        hits += is_overlap ? answers[i] : answers[i] <= 1.0 ? 1.0 : 0.0;
    }
    return hits;
}

// Returns the share of queries about which two engines say the same to a fraction of 1e-4, or, with
// `near`, to so many m.
static double queries_compare(const queries_table *table, const double *a, const double *b,
                              double near) {
    double agreed = 0.0;
    for (uint32_t i = 0; i < table->count; ++i) {
        tn_vec3 way = table->asks[i].translation;
        double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
        double error = near > 0.0 ? fabs(a[i] - b[i]) * fmax(length, 1.0) : fabs(a[i] - b[i]);
        agreed += error <= (near > 0.0 ? near : QUERIES_AGREE) ? 1.0 : 0.0;
    }
    return agreed / table->count;
}

static void queries_print(const queries_table *table) {
    const queries_line *first = &table->lines[0];
    printf("| **%s** | | | | | | |\n", table->item->name);
    for (uint32_t i = 0; i < table->line_count; ++i) {
        const queries_line *line = &table->lines[i];
        printf("| %s | %.0f | %.2f | %.2f | %.0f | %.4f | %.4f |\n", line->name, line->ns,
               line->ns / first->ns, line->ns / table->lines[1].ns,
               queries_count_hits(table, line->answers),
               queries_compare(table, first->answers, line->answers, 0.0),
               queries_compare(table, first->answers, line->answers, QUERIES_NEAR));
    }
    fflush(stdout);
}

bool queries_run(uint32_t workers, uint32_t share, const char *only) {
    queries_scene terrain = {0}, boxes = {0};
    bool is_good = queries_make_terrain(&terrain) && queries_make_boxes(&boxes);
    if (is_good) {
        puts("| queries | ns each | to single calls | to batches | hits | agree to 1e-4 | to 1 cm "
             "|\n"
             "|---|---|---|---|---|---|---|");
    }
    for (uint32_t i = 0; i < sizeof queries_cases / sizeof *queries_cases && is_good; ++i) {
        if (only != NULL && strcmp(only, queries_cases[i].name) != 0) {
            continue;
        }
        const queries_case *item = &queries_cases[i];
        queries_table table = {.item = item, .count = item->count / share};
        is_good = queries_fill_table(&table, item->is_mesh ? &terrain : &boxes, workers);
        if (is_good) {
            queries_measure(&table);
            queries_print(&table);
        }
        queries_empty_table(&table);
    }
    if (!is_good) {
        fputs("tenon_bench: out of memory\n", stderr);
    }
    free((void *)terrain.points);
    free((void *)terrain.indices);
    free((void *)boxes.boxes);
    return is_good;
}
