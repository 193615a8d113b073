// scenes/shake_table.c: a tower of blocks on a table that is shaken.
//
// The table rests in a six-axis joint: springs of five axes carry it, and a drive shakes it along
// the sixth, x, within a limit.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define TABLE_MASS   400.0 // kg
#define TABLE_SIDE   1.6   // m
#define TABLE_HEIGHT 0.5   // m of its middle
#define TABLE_BLOCK  0.3   // m

static const scene_option table_options[] = {
    {"blocks", 4, 0, 20, "in the tower"},
    {"hertz", 2, 0, 20, "Hz of the shaking"},
    {"amplitude", 0.04, 0, 0.2, "m of the shaking"},
    {"mount", 6, 1, 50, "Hz of the mount's springs"},
};

typedef struct table_state {
    tn_joint_id mount;
    double time;  // s
    double reach; // m: the farthest the table went along x
} table_state;

static void table_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->enable_sleep = false;
}

static tn_joint_id table_add_mount(scene_run *run, tn_body_id table) {
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    tn_body_id world = {0};
    if (!tn_joint_def_set_frames(run->world, &def.base, world, table,
                                 build_point(0.0, TABLE_HEIGHT, 0.0), build_axis_x())) {
        run->has_failed = true;
    }
    for (int i = 0; i < TN_SIX_AXIS_COUNT; i++) {
        def.axes[i].is_locked = false;
        def.axes[i].spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY,
                                         .hertz = (float)scene_run_get_value(run, "mount"),
                                         .damping_ratio = 0.3f};
    }
    tn_axis *shaken = &def.axes[TN_SIX_AXIS_LINEAR_X];
    shaken->spring.mode = TN_SPRING_MODE_OFF;
    shaken->limit = (tn_limit){.enabled = true, .lower = -0.25f, .upper = 0.25f};
    tn_joint_id joint = tn_six_axis_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

static bool table_build(scene_run *run) {
    table_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_part part = build_part_at(0.0, TABLE_HEIGHT, 0.0);
    part.mass = TABLE_MASS;
    tn_body_id table = build_box(run, &part, TABLE_SIDE, 0.2, TABLE_SIDE);
    state->mount = table_add_mount(run, table);
    int blocks = (int)scene_run_get_value(run, "blocks");
    for (int i = 0; i < blocks; i++) {
        build_part block = build_part_at(0.0, TABLE_HEIGHT + 0.1 + TABLE_BLOCK * (i + 0.5), 0.0);
        block.density = 300.0;
        tn_body_id body = build_box(run, &block, TABLE_BLOCK, TABLE_BLOCK, TABLE_BLOCK);
        scene_run_name_body(run, body, "block_%d", i + 1);
    }
    build_ground(run, 0.0);
    scene_run_name_body(run, table, "table");
    scene_run_name_joint(run, state->mount, "mount");
    return true;
}

// The drive follows x = A sin(w t), which grows to its size in the first second.
static void table_before_step(scene_run *run, double dt) {
    table_state *state = run->state;
    state->time += dt;
    double w = 2.0 * BUILD_PI * scene_run_get_value(run, "hertz");
    double size = scene_run_get_value(run, "amplitude") * fmin(1.0, state->time);
    tn_motor motor = {.mode = TN_MOTOR_MODE_POSITION,
                      .target_position = (float)(size * portable_sin(w * state->time)),
                      .target_speed = (float)(size * w * portable_cos(w * state->time)),
                      .stiffness = 1e7f,
                      .damping = 1e5f,
                      .max_force = INFINITY};
    tn_six_axis_joint_set_motor(run->world, state->mount, TN_SIX_AXIS_LINEAR_X, motor);
}

static void table_after_step(scene_run *run, double dt) {
    (void)dt;
    table_state *state = run->state;
    double x = tn_six_axis_joint_get_position(run->world, state->mount, TN_SIX_AXIS_LINEAR_X);
    state->reach = fmax(state->reach, fabs(x));
}

static void table_measure(scene_run *run) {
    const table_state *state = run->state;
    tn_body_id top = scene_run_find_body(run, "block_1");
    scene_run_add_figure(run, "reach_m", state->reach);
    scene_run_add_figure(
        run, "sag_m",
        -tn_six_axis_joint_get_position(run->world, state->mount, TN_SIX_AXIS_LINEAR_Y));
    if (top.value != 0) {
        tn_position p = tn_body_get_center(run->world, top);
        tn_position t = tn_body_get_center(run->world, scene_run_find_body(run, "table"));
        scene_run_add_figure(run, "slid_m", fabs(p.x - t.x));
    }
}

const scene scene_shake_table = {
    .name = "shake_table",
    .summary = "a tower on a table on springs that is shaken",
    .time = 5.0,
    .options = table_options,
    .option_count = 4,
    .configure = table_configure,
    .build = table_build,
    .before_step = table_before_step,
    .after_step = table_after_step,
    .measure = table_measure,
};
