// scenes/coaster.c: a bead on a curve that its scene makes up: two rows of a custom joint.
//
// The curve is y = f(x) = h (x / l)^2 + a cos(k x), a bowl with waves. Without friction the bead's
// energy stays, and so does the curve.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define COASTER_WIDTH  2.0 // m: l, of half of the bowl
#define COASTER_HEIGHT 1.5 // m: h
#define COASTER_NUMBER 5.0 // 1/m: k

static const scene_option coaster_options[] = {
    {"waves", 0.12, 0, 1, "m, how high the waves in the bowl are"},
    {"drag", 0, 0, 10, "N s/m along the way"},
};

typedef struct coaster_state {
    tn_joint_id joint;
    tn_body_id bead;
    double waves;        // m
    double energy, lost; // J: at the start, the most that was off
    double farthest_off; // m off the curve
} coaster_state;

static double coaster_height(double waves, double x) {
    double part = x / COASTER_WIDTH;
    return COASTER_HEIGHT * part * part + waves * portable_cos(COASTER_NUMBER * x);
}

static double coaster_slope(double waves, double x) {
    return 2.0 * COASTER_HEIGHT * x / (COASTER_WIDTH * COASTER_WIDTH) -
           waves * COASTER_NUMBER * portable_sin(COASTER_NUMBER * x);
}

static void coaster_evaluate(const tn_pose *a, const tn_pose *b, tn_custom_row *rows,
                             void *user_data) {
    double waves = *(const double *)user_data, x = b->position.x - a->position.x;
    rows[0].error = b->position.y - a->position.y - coaster_height(waves, x);
    rows[0].linear_b = (tn_vec3){-coaster_slope(waves, x), 1.0, 0.0};
    rows[0].linear_a = (tn_vec3){coaster_slope(waves, x), -1.0, 0.0};
    rows[1].error = b->position.z - a->position.z;
    rows[1].linear_b = (tn_vec3){0.0, 0.0, 1.0};
    rows[1].linear_a = (tn_vec3){0.0, 0.0, -1.0};
    rows[2].error = x;
    rows[2].linear_b = (tn_vec3){1.0, 0.0, 0.0};
    rows[2].linear_a = (tn_vec3){-1.0, 0.0, 0.0};
}

// The rails, for the eye: bars that touch nothing.
static void coaster_build_rails(scene_run *run, double waves) {
    for (int i = -12; i < 12; ++i) {
        double from = i * COASTER_WIDTH / 12.0, to = (i + 1) * COASTER_WIDTH / 12.0;
        build_part part =
            build_part_between(build_point(from, coaster_height(waves, from) - 0.1, 0.0),
                               build_point(to, coaster_height(waves, to) - 0.1, 0.0));
        part.type = TN_BODY_TYPE_STATIC;
        part.filter.mask = 0;
        double length = hypot(to - from, coaster_height(waves, to) - coaster_height(waves, from));
        build_box(run, &part, length, 0.03, 0.1);
    }
}

static bool coaster_build(scene_run *run) {
    coaster_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->waves = scene_run_get_value(run, "waves");
    double start = -0.9 * COASTER_WIDTH;
    build_part part = build_part_at(start, coaster_height(state->waves, start), 0.0);
    part.mass = 1.0;
    part.filter.mask = 0;
    state->bead = build_sphere(run, &part, 0.08);
    tn_custom_joint_def def = tn_custom_joint_def_default();
    def.base.body_b = state->bead;
    def.evaluate = coaster_evaluate;
    def.evaluate_user_data = &state->waves;
    def.row_count = scene_run_get_value(run, "drag") > 0.0 ? 3 : 2;
    def.rows[2].kind = TN_CUSTOM_ROW_SPRING;
    def.rows[2].damping = (float)scene_run_get_value(run, "drag");
    state->joint = tn_custom_joint_create(run->world, &def);
    run->has_failed |= state->joint.value == 0;
    coaster_build_rails(run, state->waves);
    state->energy = figure_get_energy(run);
    scene_run_name_body(run, state->bead, "bead");
    scene_run_name_joint(run, state->joint, "curve");
    return true;
}

static void coaster_after_step(scene_run *run, double dt) {
    (void)dt;
    coaster_state *state = run->state;
    double off = fabs(tn_custom_joint_get_error(run->world, state->joint, 0));
    state->farthest_off = fmax(state->farthest_off, off);
    state->lost = fmax(state->lost, fabs(figure_get_energy(run) - state->energy));
}

static void coaster_measure(scene_run *run) {
    const coaster_state *state = run->state;
    scene_run_add_figure(run, "off_the_curve_max_m", state->farthest_off);
    scene_run_add_figure(run, "energy_off_max_J", state->lost);
}

const scene scene_coaster = {
    .name = "coaster",
    .summary = "a bead on a curve of the scene's own, held by a custom joint",
    .time = 10.0,
    .options = coaster_options,
    .option_count = 2,
    .build = coaster_build,
    .after_step = coaster_after_step,
    .measure = coaster_measure,
};
