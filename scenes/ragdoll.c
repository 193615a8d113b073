// scenes/ragdoll.c: a person falls down a flight of stairs.
#include "scenes/doll.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define STAIR_RISE  0.18 // m
#define STAIR_RUN   0.28 // m
#define STAIR_WIDTH 3.0  // m

static const scene_option ragdoll_options[] = {
    {"steps", 14, 0, 100, "of the stairs"},
    {"push", 1.5, 0, 20, "m/s at the start, toward the stairs"},
};

// Step 0 is the landing at the top; every step reaches down to the ground.
static void ragdoll_add_stairs(scene_run *run, int steps) {
    for (int i = 0; i < steps; i++) {
        double height = STAIR_RISE * (steps - i);
        double run_length = i == 0 ? 3.0 : STAIR_RUN;
        double x = i == 0 ? -1.5 : STAIR_RUN * (i - 0.5);
        build_part part = build_part_at(x, 0.5 * height, 0.0);
        part.type = TN_BODY_TYPE_STATIC;
        build_box(run, &part, run_length, height, STAIR_WIDTH);
    }
}

static bool ragdoll_build(scene_run *run) {
    int steps = (int)scene_run_get_value(run, "steps");
    build_ground(run, 0.0);
    ragdoll_add_stairs(run, steps);
    tn_vec3 place = build_point(-0.5, STAIR_RISE * steps + DOLL_HIP_HEIGHT, 0.0);
    doll person = doll_add(run, place, 0.2, -0.1, -1);
    tn_vec3 push = build_point(scene_run_get_value(run, "push"), 0.0, 0.0);
    for (uint32_t i = 0; i < DOLL_BODIES; i++) {
        tn_body_set_linear_velocity(run->world, person.bodies[i], push);
    }
    scene_run_name_body(run, person.bodies[0], "pelvis");
    return true;
}

static void ragdoll_measure(scene_run *run) {
    tn_vec3 pelvis = tn_body_get_center(run->world, run->starts[0].body);
    scene_run_add_figure(run, "pelvis_x_m", pelvis.x);
    scene_run_add_figure(run, "pelvis_y_m", pelvis.y);
}

const scene scene_ragdoll = {
    .name = "ragdoll",
    .summary = "a person falls down a flight of stairs",
    .time = 6.0,
    .options = ragdoll_options,
    .option_count = 2,
    .build = ragdoll_build,
    .measure = ragdoll_measure,
};
