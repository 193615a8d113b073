// bench/tenon_engine.c: tenon as one of the engines: a scene of scenes/ at its defaults.

#include "bench/tenon_engine.h"

#include "bench/engine.h"
#include "scenes/scene.h"

#include <stdlib.h>

typedef struct tenon_world {
    scene_run *run;
    tn_body_id *bodies; // in the order of the model
    uint32_t body_count;
    tn_shape_id *sensors;
    uint32_t sensor_count;
    double dt;
    uint64_t allocations; // in steps, since it was made
} tenon_world;

scene_run *tenon_engine_create_run(const bench_case *item, tn_world_def *def) {
    const scene *source = scene_find(item->scene);
    if (source == NULL) {
        return NULL;
    }
    double values[SCENE_MAX_OPTIONS];
    if (!scene_get_values(source, item->options, BENCH_MAX_CASE_OPTIONS, values)) {
        return NULL;
    }
    scene_run *run = scene_run_create(source, values, def);
    if (run != NULL) {
        tn_world_set_sleep_allowed(run->world, item->is_asleep);
    }
    return run;
}

static void tenon_engine_destroy(void *engine_world) {
    tenon_world *world = engine_world;
    if (world != NULL) {
        scene_run_destroy(world->run);
        free(world->bodies);
        free(world->sensors);
        free(world);
    }
}

// Null without memory. The caller frees it.
static tn_shape_id *tenon_engine_find_sensors(const tenon_world *world, uint32_t count) {
    const tn_world *inner = world->run->world;
    tn_shape_id *result = calloc((size_t)count + 1, sizeof(tn_shape_id));
    for (uint32_t i = 0, found = 0; result != NULL && i < world->body_count; ++i) {
        // A body with a sensor has it alone, or no peer takes the scene.
        tn_shape_id shape = {0};
        tn_body_get_shapes(inner, world->bodies[i], &shape, 1);
        if (shape.value != 0 && tn_shape_is_sensor(inner, shape) && found < count) {
            result[found++] = shape;
        }
    }
    return result;
}

static void *tenon_engine_create_with(const bench_engine *engine, const bench_case *item,
                                      const bench_model *model, tn_solver solver) {
    tenon_world *world = calloc(1, sizeof(*world));
    if (world == NULL) {
        return NULL;
    }
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.worker_count = engine->worker_count > 1 ? engine->worker_count : 1;
    world->run = tenon_engine_create_run(item, &def);
    world->bodies = calloc((size_t)model->body_count + 1, sizeof(tn_body_id));
    if (world->run == NULL || world->bodies == NULL) {
        tenon_engine_destroy(world);
        return NULL;
    }
    world->dt = 1.0 / item->hertz;
    world->body_count = model->body_count;
    tn_world_get_bodies(world->run->world, world->bodies, world->body_count);
    world->sensor_count = model->sensor_count;
    world->sensors = tenon_engine_find_sensors(world, world->sensor_count);
    if (world->sensors == NULL) {
        tenon_engine_destroy(world);
        return NULL;
    }
    return world;
}

// As its peers do.
static void *tenon_engine_create(const bench_engine *engine, const bench_case *item,
                                 const bench_model *model) {
    return tenon_engine_create_with(engine, item, model, TN_SOLVER_PGS);
}

// As the world does by itself: the same where there are no joints.
static void *tenon_engine_create_auto(const bench_engine *engine, const bench_case *item,
                                      const bench_model *model) {
    tenon_world *world = tenon_engine_create_with(engine, item, model, TN_SOLVER_AUTO);
    if (world != NULL && tn_world_count_joints(world->run->world) == 0) {
        tenon_engine_destroy(world);
        return NULL;
    }
    return world;
}

static void tenon_engine_before_step(void *engine_world) {
    tenon_world *world = engine_world;
    if (world->run->scene->before_step != NULL) {
        world->run->scene->before_step(world->run, world->dt);
    }
}

static void tenon_engine_step(void *engine_world) {
    tenon_world *world = engine_world;
    tn_world_step(world->run->world, world->dt, BENCH_SUBSTEPS);
    world->allocations += tn_world_get_telemetry(world->run->world).allocations;
}

static void tenon_engine_after_step(void *engine_world) {
    tenon_world *world = engine_world;
    if (world->run->scene->after_step != NULL) {
        world->run->scene->after_step(world->run, world->dt);
    }
}

static void tenon_engine_read(const void *engine_world, model_state *out_states) {
    const tenon_world *world = engine_world;
    for (uint32_t i = 0; i < world->body_count; ++i) {
        out_states[i].pose = tn_body_get_pose(world->run->world, world->bodies[i]);
        out_states[i].velocity = tn_body_get_velocity(world->run->world, world->bodies[i]);
    }
}

static void tenon_engine_cast_rays(void *engine_world, const bench_ray *rays, uint32_t count,
                                   double *out_free) {
    tenon_world *world = engine_world;
    tn_ray *asked = calloc(count, sizeof(*asked));
    tn_ray_hit *hits = calloc(count, sizeof(*hits));
    for (uint32_t i = 0; asked != NULL && hits != NULL && i < count; ++i) {
        const double *o = rays[i].origin, *t = rays[i].translation;
        asked[i] = tn_ray_make((tn_vec3){o[0], o[1], o[2]}, (tn_vec3){t[0], t[1], t[2]});
    }
    if (asked != NULL && hits != NULL) {
        tn_world_cast_rays(world->run->world, asked, count, hits);
    }
    for (uint32_t i = 0; i < count; ++i) {
        out_free[i] = hits != NULL && hits[i].shape.value != 0 ? hits[i].fraction : 1.0;
    }
    free(asked);
    free(hits);
}

static uint32_t tenon_engine_count_noticed(void *engine_world) {
    const tenon_world *world = engine_world;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->sensor_count; ++i) {
        count += tn_shape_get_overlaps(world->run->world, world->sensors[i], NULL, 0);
    }
    return count;
}

tn_telemetry tenon_engine_get_telemetry(const void *engine_world) {
    const tenon_world *world = engine_world;
    return tn_world_get_telemetry(world->run->world);
}

tenon_report tenon_engine_get_report(const void *engine_world) {
    const tenon_world *world = engine_world;
    tn_telemetry telemetry = tn_world_get_telemetry(world->run->world);
    tenon_report report = {
        .hash = tn_world_get_hash(world->run->world),
        .allocations = world->allocations,
        .peak_bytes = telemetry.peak_bytes,
        .telemetry = telemetry,
    };
    return report;
}

#define TENON_ENGINE(its_name, its_create)                                                         \
    {                                                                                              \
        .name = (its_name), .create = (its_create), .before_step = tenon_engine_before_step,       \
        .step = tenon_engine_step, .after_step = tenon_engine_after_step,                          \
        .read = tenon_engine_read, .destroy = tenon_engine_destroy, .is_tenon = true,              \
        .cast_rays = tenon_engine_cast_rays, .count_noticed = tenon_engine_count_noticed           \
    }

const bench_engine bench_engine_tenon = TENON_ENGINE("tenon", tenon_engine_create);
const bench_engine bench_engine_tenon_auto = TENON_ENGINE("tenon AUTO", tenon_engine_create_auto);
const bench_engine bench_engine_tenon_workers = TENON_ENGINE("workers", tenon_engine_create);
