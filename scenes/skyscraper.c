// scenes/skyscraper.c: two towers in gusts, one of them with a tuned mass on its top floor.
//
// Eight floors each, which slide on springs as those of a shear building do. Its modes are
// w_i = 2 sqrt(k / m) sin((2 i - 1) pi / (2 (2 n + 1))) (A. Chopra, "Dynamics of structures", 2012,
// chapter 12). The wind blows at 20 m/s with gusts in step with the first one, the worst case. The
// tuned mass is that of J. P. Den Hartog ("Mechanical vibrations", 1956, section 3.3): of u times
// the mode's mass, its frequency is w_1 / (1 + u) and its damping ratio sqrt(3 u / (8 (1 + u)^3)).
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#define SKYSCRAPER_FLOORS    8
#define SKYSCRAPER_STORY     4.0  // m
#define SKYSCRAPER_WIDTH     10.0 // m
#define SKYSCRAPER_SLAB      0.6  // m, thickness of a floor
#define SKYSCRAPER_MASS      2e5  // kg of a floor
#define SKYSCRAPER_HERTZ     0.2  // of the first mode
#define SKYSCRAPER_RATIO     0.01 // damping of the first mode
#define SKYSCRAPER_DRAG      1.3  // of a square in the wind
#define SKYSCRAPER_FROM_TIME 60.0 // s: sway is measured from here on
#define SKYSCRAPER_COLUMN    6    // pieces of a column as it is drawn

static const scene_option skyscraper_options[] = {
    {"share", 0.03, 0.001, 0.2, "of the tuned mass in that of the first mode"},
    {"wind", 20, 0, 60, "m/s"},
    {"gust", 3, 0, 20, "m/s: amplitude in step with the first mode"},
};

typedef struct skyscraper_state {
    tn_body_id floors[2][SKYSCRAPER_FLOORS];
    tn_body_id tops[2];           // without and with the tuned mass
    double lowest[2], highest[2]; // m: where the tops were
} skyscraper_state;

static void skyscraper_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_spring skyscraper_get_spring(double stiffness, double damping) {
    tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS};
    spring.stiffness = (float)stiffness;
    spring.damping = (float)damping;
    return spring;
}

// One body that slides along x on another, with a spring.
static tn_body_id skyscraper_add(scene_run *run, tn_body_id below, tn_vec3 at, tn_vec3 size,
                                 double mass, tn_spring spring) {
    build_part part = build_part_at(at.x, at.y, at.z);
    part.mass = mass;
    part.filter.mask = 0;
    tn_body_id body = build_box(run, &part, size.x, size.y, size.z);
    tn_joint_id slider = build_slider(run, below, body, at, build_axis_x());
    tn_slider_joint_set_spring(run->world, slider, spring);
    return body;
}

static void skyscraper_blow(scene_run *run, const tn_body_id *floors) {
    tn_air_force_def def = tn_air_force_def_default();
    def.base.connector_count = SKYSCRAPER_FLOORS;
    def.base.keeps_awake = true;
    for (int i = 0; i < SKYSCRAPER_FLOORS; i++) {
        def.base.connectors[i].body = floors[i];
        def.base.connectors[i].is_at_center = true;
        def.base.connectors[i].amount = SKYSCRAPER_STORY * SKYSCRAPER_WIDTH;
    }
    def.air.coefficient = SKYSCRAPER_DRAG;
    def.air.wind.x = scene_run_get_value(run, "wind");
    def.air.gusts[0].amplitude.x = scene_run_get_value(run, "gust");
    def.air.gusts[0].hertz = SKYSCRAPER_HERTZ;
    def.air.gust_count = 1;
    run->has_failed |= tn_air_force_create(run->world, &def).value == 0;
}

// Returns the top floor.
static tn_body_id skyscraper_build_tower(scene_run *run, double x, bool is_tuned) {
    const double pi = BUILD_PI, w = 2.0 * pi * SKYSCRAPER_HERTZ;
    double angle = pi / (2.0 * (2.0 * SKYSCRAPER_FLOORS + 1.0)), sine = portable_sin(angle);
    double stiffness = SKYSCRAPER_MASS * w * w / (4.0 * sine * sine);
    tn_spring spring = skyscraper_get_spring(stiffness, 2.0 * SKYSCRAPER_RATIO / w * stiffness);
    tn_vec3 size = build_point(SKYSCRAPER_WIDTH, SKYSCRAPER_SLAB, SKYSCRAPER_WIDTH);
    skyscraper_state *state = run->state;
    tn_body_id *floors = state->floors[is_tuned ? 1 : 0], below = {0};
    double modal = 0.0, top = portable_sin(2.0 * angle * SKYSCRAPER_FLOORS);
    for (int i = 0; i < SKYSCRAPER_FLOORS; i++) {
        tn_vec3 at = build_point(x, (i + 0.5) * SKYSCRAPER_STORY, 0.0);
        below = floors[i] = skyscraper_add(run, below, at, size, SKYSCRAPER_MASS, spring);
        double shape = portable_sin(2.0 * angle * (i + 1)) / top;
        modal += SKYSCRAPER_MASS * shape * shape;
    }
    skyscraper_blow(run, floors);
    if (is_tuned) {
        double u = scene_run_get_value(run, "share"), own = w / (1.0 + u), mass = u * modal;
        double ratio = sqrt(3.0 * u / (8.0 * (1.0 + u) * (1.0 + u) * (1.0 + u)));
        tn_vec3 at = build_point(x, (SKYSCRAPER_FLOORS + 0.3) * SKYSCRAPER_STORY, 0.0);
        tn_body_id damper =
            skyscraper_add(run, below, at, build_point(3.0, 2.0, 3.0), mass,
                           skyscraper_get_spring(mass * own * own, 2.0 * ratio * mass * own));
        scene_run_name_body(run, damper, "tuned mass");
    }
    return below;
}

static bool skyscraper_build(scene_run *run) {
    skyscraper_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        double x = 2.0 * SKYSCRAPER_WIDTH * i;
        state->tops[i] = skyscraper_build_tower(run, x, i == 1);
        state->lowest[i] = 1e30;
        state->highest[i] = -1e30;
        scene_run_name_body(run, state->tops[i], i == 1 ? "tuned top" : "top");
    }
    return true;
}

static void skyscraper_after_step(scene_run *run, double dt) {
    (void)dt;
    skyscraper_state *state = run->state;
    for (int i = 0; i < 2 && tn_world_get_time(run->world) > SKYSCRAPER_FROM_TIME; i++) {
        double x = tn_body_get_center(run->world, state->tops[i]).x;
        state->lowest[i] = fmin(state->lowest[i], x);
        state->highest[i] = fmax(state->highest[i], x);
    }
}

static void skyscraper_measure(scene_run *run) {
    const skyscraper_state *state = run->state;
    if (tn_world_get_time(run->world) <= SKYSCRAPER_FROM_TIME) {
        return;
    }
    double without = 0.5 * (state->highest[0] - state->lowest[0]);
    double with = 0.5 * (state->highest[1] - state->lowest[1]);
    scene_run_add_figure(run, "sway_without_m", without);
    scene_run_add_figure(run, "sway_with_tuned_mass_m", with);
    scene_run_add_figure(run, "sway_share", without > 0.0 ? with / without : 0.0);
}

// A column of a story from one point to another, upright at both ends: x goes as 3 u^2 - 2 u^3.
static void skyscraper_sketch_column(const scene_sketch *sketch, tn_vec3 low, tn_vec3 high) {
    tn_vec3 points[SKYSCRAPER_COLUMN + 1];
    for (int i = 0; i <= SKYSCRAPER_COLUMN; i++) {
        double u = (double)i / SKYSCRAPER_COLUMN, bend = u * u * (3.0 - 2.0 * u);
        points[i] = build_point(low.x + bend * (high.x - low.x), low.y + u * (high.y - low.y), 0.0);
    }
    sketch->add(sketch->context, SCENE_PEN_FRAME, points, SKYSCRAPER_COLUMN + 1);
}

static void skyscraper_sketch(const scene_run *run, const scene_sketch *sketch) {
    const skyscraper_state *state = run->state;
    for (int tower = 0; tower < 2; tower++) {
        tn_vec3 below = build_point(2.0 * SKYSCRAPER_WIDTH * tower, 0.0, 0.0);
        for (int i = 0; i < SKYSCRAPER_FLOORS; i++) {
            tn_vec3 floor = tn_body_get_center(run->world, state->floors[tower][i]);
            for (int k = -2; k <= 2; k++) {
                double x = 0.22 * SKYSCRAPER_WIDTH * k;
                skyscraper_sketch_column(sketch, build_point(below.x + x, below.y, 0.0),
                                         build_point(floor.x + x, floor.y, 0.0));
            }
            below = floor;
        }
        sketch_line(sketch, SCENE_PEN_FRAME,
                    build_point(2.0 * SKYSCRAPER_WIDTH * tower - 6.5, 0.0, 0.0),
                    build_point(2.0 * SKYSCRAPER_WIDTH * tower + 6.5, 0.0, 0.0));
    }
}

const scene scene_skyscraper = {
    .name = "skyscraper",
    .summary = "two towers in gusts, one with a tuned mass that takes its sway",
    .time = 120.0,
    .options = skyscraper_options,
    .option_count = 3,
    .configure = skyscraper_configure,
    .build = skyscraper_build,
    .after_step = skyscraper_after_step,
    .measure = skyscraper_measure,
    .picture = {.moments = 1, .sketch = skyscraper_sketch},
};
