// scenes/pendulum_wave.c: a row of pendulums that drift out of step and come together again.
//
// Pendulum k makes slowest + k swings in one cycle, so after the cycle all are where they began.
// Its length follows from the period T by l = g (T agm(1, cos(a/2)) / 2 pi)^2 for the amplitude a.
// Each ball is a point on two rods, in a V, so that it stays in its plane.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define PENDULUM_WAVE_SLOWEST 18   // swings of the longest pendulum in a cycle
#define PENDULUM_WAVE_RADIUS  0.03 // m
#define PENDULUM_WAVE_SPACING 0.08 // m

static const scene_option pendulum_wave_options[] = {
    {"count", 15, 2, 40, "pendulums"},
    {"cycle", 30, 5, 120, "s until all are together again"},
    {"angle", 15, 1, 60, "deg of the swing"},
};

static void pendulum_wave_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void pendulum_wave_add(scene_run *run, int index, double length, double angle) {
    double z = index * PENDULUM_WAVE_SPACING;
    double half = 0.3 * length;
    build_part part = build_part_at(length * portable_sin(angle), -length * portable_cos(angle), z);
    part.mass = 0.5;
    part.filter.mask = 0;
    tn_body_id ball = build_sphere(run, &part, PENDULUM_WAVE_RADIUS);
    scene_run_name_body(run, ball, "ball%02d", index + 1);
    tn_vec3 center = part.pose.position;
    for (int side = -1; side <= 1; side += 2) {
        tn_vec3 anchor = build_point(0.0, 0.0, z + side * half);
        build_rod(run, (tn_body_id){0}, ball, anchor, center);
    }
}

static bool pendulum_wave_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    double cycle = scene_run_get_value(run, "cycle");
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    for (int i = 0; i < count; i++) {
        double period = cycle / (PENDULUM_WAVE_SLOWEST + i);
        double unit = figure_get_pendulum_period(1.0, angle);
        pendulum_wave_add(run, i, (period / unit) * (period / unit), angle);
    }
    return true;
}

// How far apart the balls are in the swing, as angles; 0 when all are together.
static void pendulum_wave_measure(scene_run *run) {
    double lower = HUGE_VAL;
    double upper = -HUGE_VAL;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 p = tn_body_get_center(run->world, run->starts[i].body);
        double angle = portable_atan2(p.x, -p.y) * 180.0 / BUILD_PI;
        lower = fmin(lower, angle);
        upper = fmax(upper, angle);
    }
    scene_run_add_figure(run, "angle_min_deg", lower);
    scene_run_add_figure(run, "angle_max_deg", upper);
    scene_run_add_figure(run, "spread_deg", upper - lower);
}

const scene scene_pendulum_wave = {
    .name = "pendulum_wave",
    .summary = "pendulums that drift apart and come together again after a cycle",
    .time = 30.0,
    .options = pendulum_wave_options,
    .option_count = 3,
    .configure = pendulum_wave_configure,
    .build = pendulum_wave_build,
    .measure = pendulum_wave_measure,
};
