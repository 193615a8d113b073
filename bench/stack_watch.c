// bench/stack_watch.c: follows a world step by step.
#include "bench/stack_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct stack_start {
    tn_body_id body;
    tn_vec3 place;
} stack_start;

stack_plan stack_plan_of(double seconds, double size) {
    stack_plan plan = {seconds, 60.0, 4, 0.5 * size, false};
    return plan;
}

// The dynamic bodies and where they are; null when memory cannot be had.
static stack_start *stack_get_starts(tn_world *world, uint32_t *out_count) {
    uint32_t all = tn_world_count_bodies(world), count = 0;
    stack_start *starts = calloc(all + 1, sizeof *starts);
    tn_body_id *bodies = calloc(all + 1, sizeof *bodies);
    if (starts != NULL && bodies != NULL) {
        tn_world_get_bodies(world, bodies, all);
        for (uint32_t i = 0; i < all; i++) {
            if (tn_body_get_type(world, bodies[i]) == TN_BODY_TYPE_DYNAMIC) {
                starts[count].body = bodies[i];
                starts[count++].place = tn_body_get_center(world, bodies[i]);
            }
        }
    }
    free(bodies);
    *out_count = count;
    return starts;
}

static bool stack_is_asleep(tn_world *world, const stack_start *starts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (tn_body_is_awake(world, starts[i].body)) {
            return false;
        }
    }
    return true;
}

static void stack_measure(tn_world *world, const stack_start *starts, uint32_t count,
                          stack_result *result) {
    for (uint32_t i = 0; i < count; i++) {
        tn_vec3 way = quality_between(starts[i].place, tn_body_get_center(world, starts[i].body));
        result->sink = fmax(result->sink, -way.y);
        double aside = hypot(way.x, way.z);
        result->drift = isfinite(aside) ? fmax(result->drift, aside) : aside;
    }
}

// The largest distance of a body from its start.
static bool stack_has_fallen(tn_world *world, const stack_start *starts, uint32_t count,
                             double fallen) {
    for (uint32_t i = 0; i < count; i++) {
        tn_vec3 way = quality_between(starts[i].place, tn_body_get_center(world, starts[i].body));
        if (!(quality_length(way) < fallen)) {
            return true;
        }
    }
    return false;
}

stack_result stack_follow(const quality *report, tn_world *world, stack_plan plan) {
    plan.seconds = report->seconds > 0.0 ? report->seconds : plan.seconds;
    plan.hz = report->hz > 0.0 ? report->hz : plan.hz;
    plan.substeps = report->substeps > 0 ? report->substeps : plan.substeps;
    if (report->is_sleep_allowed) {
        tn_world_set_sleep_allowed(world, true);
    }
    stack_result result = {.asleep = -1.0};
    uint32_t count = 0;
    stack_start *starts = stack_get_starts(world, &count);
    if (starts == NULL) {
        return result;
    }
    tn_energy energy = tn_world_get_energy(world);
    double first = energy.kinetic + energy.potential + energy.elastic, lowest = first;
    bool has_fallen = false;
    uint32_t steps = quality_count_steps(plan.seconds, plan.hz);
    for (uint32_t i = 0; i < steps && !has_fallen; i++) {
        tn_world_step(world, 1.0 / plan.hz, plan.substeps);
        energy = tn_world_get_energy(world);
        double now = energy.kinetic + energy.potential + energy.elastic;
        result.largest = fmax(result.largest, energy.kinetic);
        lowest = fmin(lowest, now);
        result.rise = fmax(result.rise, now - lowest);
        result.gain = fmax(result.gain, now - first);
        if (i % 16 == 0 || i + 1 == steps) {
            has_fallen = stack_has_fallen(world, starts, count, plan.fallen);
        }
        bool is_asleep = stack_is_asleep(world, starts, count);
        if (is_asleep && result.asleep < 0.0) {
            result.asleep = (i + 1) / plan.hz;
        }
        if (is_asleep && plan.ends_asleep) {
            break;
        }
    }
    has_fallen = has_fallen || stack_has_fallen(world, starts, count, plan.fallen);
    result.stands = !has_fallen;
    result.kinetic = tn_world_get_energy(world).kinetic;
    stack_measure(world, starts, count, &result);
    free(starts);
    return result;
}

const char *stack_describe(const stack_result *result) {
    static char text[128];
    char asleep[32] = "awake";
    if (result->asleep >= 0.0) {
        snprintf(asleep, sizeof asleep, "asleep at %.2f s", result->asleep);
    }
    snprintf(text, sizeof text, "sink %.3g mm, drift %.2g mm, %.2g J, %s%s", 1e3 * result->sink,
             1e3 * result->drift, result->kinetic, asleep, result->stands ? "" : ", FALLS");
    return text;
}

tn_world *stack_tower_create(int height, double size, double gravity, double ratio) {
    tn_world *world = quality_world_create(gravity);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    quality_shape cube = {QUALITY_BOX, {0.5 * size, 0.5 * size, 0.5 * size}};
    for (int i = 0; i < height; i++) {
        tn_body_def def = quality_body_at(0.0, size * (i + 0.5), 0.0);
        material.density = (float)(i + 1 == height ? 1000.0 * ratio : 1000.0);
        quality_body_create(world, &def, &material, &cube);
    }
    return world;
}
