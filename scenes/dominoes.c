// scenes/dominoes.c: a row of standing boxes, the first one tipped over.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define DOMINO_HEIGHT 1.0 // m
#define DOMINO_WIDTH  0.5 // m
#define DOMINO_FALLEN 0.3 // rad: tilt from which a domino counts as fallen

static const scene_option dominoes_options[] = {
    {"count", 30, 2, 1000, "dominoes"},
    {"thickness", 0.15, 0.05, 0.4, "m"},
    {"spacing", 0.5, 0.2, 0.9, "m between the middles of neighbours"},
};

typedef struct dominoes_state {
    double front_start, front_end; // s: when domino a quarter and three quarters along fell
} dominoes_state;

static bool dominoes_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    double thickness = scene_run_get_value(run, "thickness");
    double spacing = scene_run_get_value(run, "spacing");
    if (scene_run_alloc_state(run, sizeof(dominoes_state)) == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        build_part part = build_part_at(spacing * i, 0.5 * DOMINO_HEIGHT, 0.0);
        if (i == 0) {
            // Tipped on its lower right edge to just beyond the balance.
            double tilt = portable_atan(thickness / DOMINO_HEIGHT) + 0.02;
            double diagonal = 0.5 * portable_hypot(thickness, DOMINO_HEIGHT);
            part = build_part_turned(0.5 * thickness + diagonal * portable_sin(0.02),
                                     diagonal * portable_cos(0.02), -tilt);
        }
        tn_body_id body = build_box(run, &part, thickness, DOMINO_HEIGHT, DOMINO_WIDTH);
        scene_run_name_body(run, body, "domino%d", i + 1);
    }
    return true;
}

static bool dominoes_has_fallen(const scene_run *run, uint32_t index) {
    tn_body_id body = run->starts[index].body;
    return tn_body_get_world_vector(run->world, body, build_axis_y()).y <
           portable_cos(DOMINO_FALLEN);
}

static void dominoes_after_step(scene_run *run, double dt) {
    (void)dt;
    dominoes_state *state = run->state;
    double now = tn_world_get_time(run->world);
    if (state->front_start == 0.0 && dominoes_has_fallen(run, run->start_count / 4)) {
        state->front_start = now;
    }
    if (state->front_end == 0.0 && dominoes_has_fallen(run, run->start_count * 3 / 4)) {
        state->front_end = now;
    }
}

static void dominoes_measure(scene_run *run) {
    uint32_t fallen = 0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        fallen += dominoes_has_fallen(run, i);
    }
    scene_run_add_figure(run, "fallen", fallen);

    const dominoes_state *state = run->state;
    double time = state->front_end - state->front_start;
    if (time > 0.0) {
        uint32_t passed = run->start_count * 3 / 4 - run->start_count / 4;
        double speed = passed * scene_run_get_value(run, "spacing") / time;
        scene_run_add_figure(run, "front_speed", speed);
        scene_run_add_figure(run, "front_speed_over_sqrt_gh",
                             speed / sqrt(BUILD_GRAVITY * DOMINO_HEIGHT));
    }
}

const scene scene_dominoes = {
    .name = "dominoes",
    .summary = "a row of dominoes, the first one tipped over",
    .time = 8.0,
    .options = dominoes_options,
    .option_count = 3,
    .build = dominoes_build,
    .after_step = dominoes_after_step,
    .measure = dominoes_measure,
};
