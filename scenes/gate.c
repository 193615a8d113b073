// scenes/gate.c: balls roll through a sensor, which notices each of them come and go.
//
// A ball of radius r and speed v overlaps a gate of width w for (w + 2 r) / v seconds.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define GATE_MOST   20
#define GATE_RADIUS 0.2 // m of a ball
#define GATE_LEFT   2.0 // m: from where to where the sensor reaches
#define GATE_RIGHT  3.0
#define GATE_LOW    0.05 // m: over the ground, which it would notice, too
#define GATE_HEIGHT 1.2

static const scene_option gate_options[] = {
    {"count", 6, 1, GATE_MOST, "balls"},
    {"speed", 2, 0.5, 10, "m/s"},
};

typedef struct gate_state {
    tn_body_id balls[GATE_MOST];
    tn_shape_id sensor;
    int begins, ends;
    double inside_time; // s, of all balls
} gate_state;

static void gate_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool gate_build(scene_run *run) {
    gate_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    build_part part =
        build_part_at(0.5 * (GATE_LEFT + GATE_RIGHT), 0.5 * (GATE_LOW + GATE_HEIGHT), 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id gate = build_body(run, &part);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_vec3 half = {0.5 * (GATE_RIGHT - GATE_LEFT), 0.5 * (GATE_HEIGHT - GATE_LOW), 1.0};
    state->sensor = tn_box_shape_create(run->world, gate, &def, half);
    run->has_failed |= state->sensor.value == 0;
    double speed = scene_run_get_value(run, "speed");
    int count = (int)scene_run_get_value(run, "count");
    for (int i = 0; i < count; i++) {
        build_part ball = build_part_at(0.8 - 0.7 * i, GATE_RADIUS, 0.0);
        ball.velocity.linear.x = speed;
        ball.velocity.angular.z = -speed / GATE_RADIUS;
        state->balls[i] = build_sphere(run, &ball, GATE_RADIUS);
    }
    return true;
}

static void gate_after_step(scene_run *run, double dt) {
    gate_state *state = run->state;
    tn_events events = tn_world_get_events(run->world);
    state->begins += (int)events.sensor_begin_count;
    state->ends += (int)events.sensor_end_count;
    state->inside_time += dt * tn_shape_get_overlaps(run->world, state->sensor, NULL, 0);
}

static void gate_measure(scene_run *run) {
    const gate_state *state = run->state;
    uint32_t inside = tn_shape_get_overlaps(run->world, state->sensor, NULL, 0);
    double width = GATE_RIGHT - GATE_LEFT + 2.0 * GATE_RADIUS;
    scene_run_add_figure(run, "begins", state->begins);
    scene_run_add_figure(run, "ends", state->ends);
    scene_run_add_figure(run, "inside", inside);
    scene_run_add_figure(run, "time_inside_s", state->inside_time / fmax(1.0, state->ends));
    scene_run_add_figure(run, "expected_s", width / scene_run_get_value(run, "speed"));
}

// The outline of the sensor, and a frame about each ball that it notices.
static void gate_sketch(const scene_run *run, const scene_sketch *sketch) {
    const gate_state *state = run->state;
    const tn_vec3 gate[5] = {{GATE_LEFT, GATE_LOW, 0.0},
                             {GATE_RIGHT, GATE_LOW, 0.0},
                             {GATE_RIGHT, GATE_HEIGHT, 0.0},
                             {GATE_LEFT, GATE_HEIGHT, 0.0},
                             {GATE_LEFT, GATE_LOW, 0.0}};
    sketch->add(sketch->context, SCENE_PEN_CURVE, gate, 5);
    tn_shape_id inside[GATE_MOST];
    uint32_t count = tn_shape_get_overlaps(run->world, state->sensor, inside, GATE_MOST);
    for (uint32_t i = 0; i < count && i < GATE_MOST; i++) {
        tn_bounds b = tn_shape_get_bounds(run->world, inside[i]);
        double left = (double)b.lower.x, right = (double)b.upper.x;
        double low = (double)b.lower.y, high = (double)b.upper.y;
        const tn_vec3 frame[5] = {{left, low, 0.0},
                                  {right, low, 0.0},
                                  {right, high, 0.0},
                                  {left, high, 0.0},
                                  {left, low, 0.0}};
        sketch->add(sketch->context, SCENE_PEN_CURVE, frame, 5);
    }
}

const scene scene_gate = {
    .name = "gate",
    .summary = "balls roll through a sensor",
    .time = 6.0,
    .options = gate_options,
    .option_count = 2,
    .configure = gate_configure,
    .build = gate_build,
    .after_step = gate_after_step,
    .measure = gate_measure,
    .picture = {.moments = 1, .view = SCENE_VIEW_FRONT, .sketch = gate_sketch},
};
