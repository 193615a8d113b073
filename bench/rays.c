// bench/rays.c: what a ray into a pile costs, in every engine that casts rays.
//
// Each engine steps its own pile of 5,000 boxes, then all cast the same 20,000 rays at once: from
// random places on a ball around the pile's beginning to random places within. The quickest of
// several casts counts, by the clock on the wall, for workers share them. Piles have come down
// differently, so engines agree about the share of rays that meet something, not about each ray.
#include "bench/rays.h"

#include "bench/clock.h"
#include "bench/engines.h"
#include "bench/tenon_engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAYS    20000
#define REPEATS 7
#define STEPS   60

// From 0 to 1, the same on all machines.
static double rays_draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

typedef struct rays_box {
    double lower[3], upper[3];
} rays_box;

// Of the dynamic bodies.
static rays_box rays_get_box(const bench_model *model) {
    rays_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (uint32_t i = 0; i < model->body_count; ++i) {
        const tn_vec3 *p = &model->bodies[i].pose.position;
        const double at[3] = {p->x, p->y, p->z};
        for (int k = 0; k < 3 && model->bodies[i].type == TN_BODY_TYPE_DYNAMIC; ++k) {
            box.lower[k] = fmin(box.lower[k], at[k]);
            box.upper[k] = fmax(box.upper[k], at[k]);
        }
    }
    return box;
}

static void rays_draw_all(const bench_model *model, bench_ray *rays) {
    rays_box box = rays_get_box(model);
    uint32_t seed = 1;
    double radius = 0.0;
    for (int k = 0; k < 3; ++k) {
        radius += (box.upper[k] - box.lower[k]) * (box.upper[k] - box.lower[k]);
    }
    radius = sqrt(radius);
    for (uint32_t i = 0; i < RAYS; ++i) {
        double height = rays_draw(&seed), turn = 6.283185307179586 * rays_draw(&seed);
        double flat = sqrt(1.0 - height * height);
        const double out[3] = {flat * cos(turn), height, flat * sin(turn)};
        for (int k = 0; k < 3; ++k) {
            double within = box.lower[k] + rays_draw(&seed) * (box.upper[k] - box.lower[k]);
            rays[i].origin[k] = 0.5 * (box.lower[k] + box.upper[k]) + radius * out[k];
            rays[i].translation[k] = within - rays[i].origin[k];
        }
    }
}

static const bench_case *rays_find_case(const char *name) {
    uint32_t count;
    const bench_case *cases = bench_case_get_all(&count);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(cases[i].name, name) == 0) {
            return &cases[i];
        }
    }
    return NULL;
}

typedef struct rays_cost {
    double first_us, ns; // the first cast after a step; of one ray in the quickest
    double share;        // that meet something
} rays_cost;

static rays_cost rays_measure(const bench_engine *engine, void *world, const bench_ray *rays,
                              double *room) {
    rays_cost cost = {0.0, HUGE_VAL, 0.0};
    for (uint32_t i = 0; i < STEPS; ++i) {
        if (engine->before_step != NULL) {
            engine->before_step(world);
        }
        engine->step(world);
        if (engine->after_step != NULL) {
            engine->after_step(world);
        }
    }
    double begin = bench_clock_get_wall_seconds();
    engine->cast_rays(world, rays, 1, room);
    cost.first_us = 1e6 * (bench_clock_get_wall_seconds() - begin);
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        begin = bench_clock_get_wall_seconds();
        engine->cast_rays(world, rays, RAYS, room);
        cost.ns = fmin(cost.ns, 1e9 * (bench_clock_get_wall_seconds() - begin) / RAYS);
    }
    for (uint32_t i = 0; i < RAYS; ++i) {
        cost.share += room[i] < 1.0 ? 1.0 / RAYS : 0.0;
    }
    return cost;
}

static bool rays_print(const bench_engine *engine, const bench_case *item, const bench_model *model,
                       const bench_ray *rays, double *room, double *tenon_ns) {
    void *world = engine->create(engine, item, model);
    if (world == NULL) {
        return false;
    }
    rays_cost cost = rays_measure(engine, world, rays, room);
    engine->destroy(world);
    *tenon_ns = *tenon_ns == 0.0 ? cost.ns : *tenon_ns;
    printf("| %s | %.0f | %.2f | %.1f | %.3f |\n", engine->name, cost.ns, cost.ns / *tenon_ns,
           cost.first_us, cost.share);
    return true;
}

static bool rays_print_all(const bench_case *item, const bench_model *model, const bench_ray *rays,
                           double *room, uint32_t workers) {
    bench_engine shared = bench_engine_tenon_workers;
    shared.worker_count = workers;
    double tenon_ns = 0.0;
    puts("| engine | ns a ray | to tenon | the first ray after a step, µs | share that hits |\n"
         "|---|---|---|---|---|");
    bool is_good = rays_print(&bench_engine_tenon, item, model, rays, room, &tenon_ns);
    if (is_good && workers > 1) {
        is_good = rays_print(&shared, item, model, rays, room, &tenon_ns);
    }
    for (uint32_t i = 0; i < bench_engine_count && is_good; ++i) {
        if (!bench_engines[i]->is_tenon && bench_engines[i]->cast_rays != NULL) {
            is_good = rays_print(bench_engines[i], item, model, rays, room, &tenon_ns);
        }
    }
    return is_good;
}

bool rays_run(uint32_t workers) {
    const bench_case *item = rays_find_case("pile");
    tn_world_def def = tn_world_def_default();
    scene_run *run = item != NULL ? tenon_engine_create_run(item, &def) : NULL;
    bench_model *model = run != NULL ? model_create(run->world) : NULL;
    bench_ray *rays = calloc(RAYS, sizeof(*rays));
    double *room = calloc(RAYS, sizeof(*room));
    bool is_good = model != NULL && rays != NULL && room != NULL;
    if (is_good) {
        rays_draw_all(model, rays);
        is_good = rays_print_all(item, model, rays, room, workers);
    }
    if (!is_good) {
        fputs("tenon_bench: out of memory\n", stderr);
    }
    free(room);
    free(rays);
    if (model != NULL) {
        model_destroy(model);
    }
    if (run != NULL) {
        scene_run_destroy(run);
    }
    return is_good;
}
