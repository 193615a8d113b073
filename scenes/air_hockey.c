// scenes/air_hockey.c: pucks that float on a table without friction, between cushions: each is held
// on the table by a planar joint, and a mallet by another one whose motors move it.
//
// The table is the x-y plane, seen from above; it is level, so that weight would do nothing, and
// there is none. The pucks meet each other and the cushions as contacts; all else they do is free.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define HOCKEY_LENGTH    2.0  // m, of the table
#define HOCKEY_WIDTH     1.0  // m
#define HOCKEY_CUSHION   0.06 // m, thickness and height
#define HOCKEY_PUCK      0.05 // m, radius
#define HOCKEY_THICKNESS 0.02 // m
#define HOCKEY_MOST      12

static const scene_option air_hockey_options[] = {
    {"pucks", 4, 1, HOCKEY_MOST, "that lie on the table"},
    {"strike", 6, 0, 200, "N of the mallet's motor"},
    {"bounce", 0.9, 0, 1, "of pucks and cushions"},
};

typedef struct air_hockey_state {
    tn_joint_id mallet, pucks[HOCKEY_MOST];
    uint32_t count;
    double highest; // m: the farthest that a puck's centre has been from the table
} air_hockey_state;

static void air_hockey_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->gravity = (tn_vec3){0.0, 0.0, 0.0};
    def->is_sleep_allowed = false;
}

static build_part air_hockey_part(const scene_run *run, double x, double y) {
    build_part part = build_part_at(x, y, 0.0);
    part.material.friction = 0.1f;
    part.material.restitution = (float)scene_run_get_value(run, "bounce");
    return part;
}

static void air_hockey_add_cushions(scene_run *run) {
    for (int k = -1; k <= 1; k += 2) {
        double x = 0.5 * (HOCKEY_LENGTH + HOCKEY_CUSHION) * k;
        double y = 0.5 * (HOCKEY_WIDTH + HOCKEY_CUSHION) * k;
        build_part side = air_hockey_part(run, 0.0, y), end = air_hockey_part(run, x, 0.0);
        side.type = end.type = TN_BODY_TYPE_STATIC;
        build_box(run, &side, HOCKEY_LENGTH + 2.0 * HOCKEY_CUSHION, HOCKEY_CUSHION, HOCKEY_CUSHION);
        build_box(run, &end, HOCKEY_CUSHION, HOCKEY_WIDTH, HOCKEY_CUSHION);
    }
}

// Its frames are about the middle of the table, so that its values are places on it: with x of the
// frame upward, y of the frame along the world's and z of it against the world's x.
static tn_joint_id air_hockey_add_puck(scene_run *run, double x, double y, double radius) {
    build_part part = air_hockey_part(run, x, y);
    tn_body_id body = build_disc(run, &part, radius, HOCKEY_THICKNESS);
    double half = sqrt(0.5);
    tn_planar_joint_def def = tn_planar_joint_def_default();
    def.base.body_b = body;
    def.base.frame_a = (tn_pose){{0.0, 0.0, 0.0}, {0.0, -half, 0.0, half}};
    def.base.frame_b = def.base.frame_a;
    tn_joint_id joint = tn_planar_joint_create(run->world, &def);
    run->has_failed = run->has_failed || joint.value == 0;
    return joint;
}

static tn_motor air_hockey_motor(double target, double stiffness, double damping, double most) {
    return (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                      .target_position = (float)target,
                      .stiffness = (float)stiffness,
                      .damping = (float)damping,
                      .max_force = (float)most};
}

// It runs into the pucks along the table, to the end of its own half, and holds its line.
static void air_hockey_drive(scene_run *run, tn_joint_id mallet) {
    tn_planar_joint_def def = tn_planar_joint_get_def(run->world, mallet);
    def.z.motor = air_hockey_motor(0.2, 300.0, 12.0, scene_run_get_value(run, "strike"));
    def.y.motor = air_hockey_motor(0.1, 2000.0, 60.0, 200.0);
    tn_planar_joint_set_z(run->world, mallet, def.z);
    tn_planar_joint_set_y(run->world, mallet, def.y);
}

static bool air_hockey_build(scene_run *run) {
    air_hockey_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    air_hockey_add_cushions(run);
    state->count = (uint32_t)scene_run_get_value(run, "pucks");
    for (uint32_t i = 0; i < state->count; i++) {
        double x = 0.2 * (i / 3) - 0.1, y = 0.22 * (i % 3) - 0.13;
        state->pucks[i] = air_hockey_add_puck(run, x, y, HOCKEY_PUCK);
    }
    state->mallet = air_hockey_add_puck(run, -0.85, 0.1, 1.4 * HOCKEY_PUCK);
    air_hockey_drive(run, state->mallet);
    scene_run_name_joint(run, state->mallet, "mallet");
    return true;
}

static void air_hockey_after_step(scene_run *run, double dt) {
    (void)dt;
    air_hockey_state *state = run->state;
    for (uint32_t i = 0; i < state->count; i++) {
        double off = tn_joint_get_error(run->world, state->pucks[i]).linear_length;
        state->highest = fmax(state->highest, off);
    }
}

static void air_hockey_measure(scene_run *run) {
    const air_hockey_state *state = run->state;
    uint32_t on_table = 0;
    for (uint32_t i = 0; i < state->count; i++) {
        on_table += fabs(tn_planar_joint_get_y(run->world, state->pucks[i])) < 0.5 * HOCKEY_WIDTH &&
                    fabs(tn_planar_joint_get_z(run->world, state->pucks[i])) < 0.5 * HOCKEY_LENGTH;
    }
    scene_run_add_figure(run, "pucks_on_table", (double)on_table);
    scene_run_add_figure(run, "off_table_max_m", state->highest);
    scene_run_add_figure(run, "mallet_x_m", -tn_planar_joint_get_z(run->world, state->mallet));
}

const scene scene_air_hockey = {
    .name = "air_hockey",
    .summary = "a mallet strikes pucks that float on a table: planar joints",
    .time = 4.0,
    .options = air_hockey_options,
    .option_count = 3,
    .configure = air_hockey_configure,
    .build = air_hockey_build,
    .after_step = air_hockey_after_step,
    .measure = air_hockey_measure,
};
