// scenes/torus.c: beads that slide on a torus, without weight: each goes along a geodesic.
//
// Clairaut's law: on a surface round about an axis D cos(a) stays, D the distance from the axis and
// a the angle of the way to the circles about it. The steeper a bead sets out from the outermost
// circle, the farther in it comes; the steepest go round the tube.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define TORUS_BEADS 6   // at most
#define TORUS_SPEED 2.0 // m/s
#define TORUS_LINES 24  // circles each way, as it is drawn
#define TORUS_SIDES 60  // of one of them

static const scene_option torus_options[] = {
    {"beads", 3, 1, TORUS_BEADS, "that set out, each steeper"},
    {"tube", 0.6, 0.1, 1.5, "m: radius of the tube, round a circle of 2 m"},
};

typedef struct torus_state {
    tn_body_id beads[TORUS_BEADS];
    tn_joint_id joints[TORUS_BEADS];
    double constants[TORUS_BEADS]; // m: D cos(a) at the start
    uint32_t count;
    double stray; // m that a constant was off, at most
} torus_state;

static void torus_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->gravity = (tn_vec3){0.0, 0.0, 0.0};
    def->is_sleep_allowed = false;
}

// The axis of the torus is y: frame a is turned so that its x axis is.
static void torus_build_bead(scene_run *run, torus_state *state, uint32_t i, double tube) {
    double out = 2.0 + tube, steep = 0.3 + 0.25 * i;
    build_part part = build_part_at(out, 0.0, 0.0);
    part.mass = 1.0;
    part.filter.mask = 0;
    part.velocity.linear.y = TORUS_SPEED * portable_sin(steep);
    part.velocity.linear.z = TORUS_SPEED * portable_cos(steep);
    state->beads[i] = build_sphere(run, &part, 0.08);
    tn_surface_joint_def def = tn_surface_joint_def_default();
    const tn_pose upright = {{0.0, 0.0, 0.0}, {0.0, 0.0, sqrt(0.5), sqrt(0.5)}};
    def.base.frame_a = upright;
    def.base.body_b = state->beads[i];
    def.shape = TN_SURFACE_SHAPE_TORUS;
    def.radius = 2.0;
    def.tube_radius = tube;
    state->joints[i] = tn_surface_joint_create(run->world, &def);
    run->has_failed |= state->joints[i].value == 0;
    state->constants[i] = out * portable_cos(steep);
}

static bool torus_build(scene_run *run) {
    torus_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->count = (uint32_t)scene_run_get_value(run, "beads");
    for (uint32_t i = 0; i < state->count; ++i) {
        torus_build_bead(run, state, i, scene_run_get_value(run, "tube"));
    }
    scene_run_name_body(run, state->beads[0], "bead");
    scene_run_name_joint(run, state->joints[0], "torus");
    return true;
}

static void torus_after_step(scene_run *run, double dt) {
    (void)dt;
    torus_state *state = run->state;
    for (uint32_t i = 0; i < state->count; ++i) {
        tn_vec3 p = tn_body_get_center(run->world, state->beads[i]);
        tn_vec3 v = tn_body_get_velocity(run->world, state->beads[i]).linear;
        double constant = (p.x * v.z - p.z * v.x) / build_length(v);
        state->stray = fmax(state->stray, fabs(constant - state->constants[i]));
    }
}

static void torus_measure(scene_run *run) {
    const torus_state *state = run->state;
    double worst = 0.0;
    for (uint32_t i = 0; i < state->count; ++i) {
        worst = fmax(worst, tn_joint_get_error(run->world, state->joints[i]).linear_length);
    }
    scene_run_add_figure(run, "clairaut_off_max_m", state->stray);
    scene_run_add_figure(run, "off_the_surface_m", worst);
}

// A point at the angles about the axis and about the tube.
static tn_vec3 torus_find(double tube, double about, double round) {
    double out = 2.0 + tube * portable_cos(round);
    return build_point(out * portable_cos(about), tube * portable_sin(round),
                       out * portable_sin(about));
}

// The circles about the tube, and the outermost, innermost, highest and lowest about the axis.
static void torus_sketch(const scene_run *run, const scene_sketch *sketch) {
    double tube = scene_run_get_value(run, "tube");
    for (int line = 0; line < TORUS_LINES + 4; line++) {
        tn_vec3 points[TORUS_SIDES + 1];
        for (int i = 0; i <= TORUS_SIDES; i++) {
            double along = 2.0 * BUILD_PI * i / TORUS_SIDES;
            points[i] = line < TORUS_LINES
                            ? torus_find(tube, 2.0 * BUILD_PI * line / TORUS_LINES, along)
                            : torus_find(tube, along, 0.5 * BUILD_PI * (line - TORUS_LINES));
        }
        sketch->add(sketch->context, SCENE_PEN_GRID, points, TORUS_SIDES + 1);
    }
}

const scene scene_torus = {
    .name = "torus",
    .summary = "beads without weight on a torus: geodesics",
    .time = 10.0,
    .options = torus_options,
    .option_count = 2,
    .configure = torus_configure,
    .build = torus_build,
    .after_step = torus_after_step,
    .measure = torus_measure,
    .picture = {.view = SCENE_VIEW_CORNER, .moments = 1, .sketch = torus_sketch},
};
