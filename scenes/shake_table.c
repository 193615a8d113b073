// scenes/shake_table.c: a tower of blocks on a table that is shaken.
//
// A carriage is led along x = A sin(w t), which grows to its size in the first second. The table
// rests on it in a six-axis joint: springs of five axes carry it, and the sixth, x, is locked. A
// block slides where the shaking exceeds friction, A w^2 > mu g. (A motor that is told a target
// once in a step would shake it by steps.)
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define TABLE_MASS   400.0 // kg
#define TABLE_LEADER 4e4   // kg: of the carriage
#define TABLE_SIDE   1.6   // m
#define TABLE_HEIGHT 0.5   // m of its middle
#define TABLE_BLOCK  0.3   // m

static const scene_option table_options[] = {
    {"blocks", 4, 0, 20, "in the tower"},
    {"hertz", 1, 0, 20, "Hz of the shaking"},
    {"amplitude", 0.1, 0, 0.2, "m of the shaking"},
    {"mount", 6, 1, 50, "Hz of the mount's springs"},
};

typedef struct table_state {
    tn_joint_id mount;
    double amplitude, frequency; // m, rad/s
    double reach;                // m: the farthest the table went along x
} table_state;

static void table_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void table_shake(double time, tn_motion_path_state *out, void *user_data) {
    const table_state *state = user_data;
    double w = state->frequency, rate = time < 1.0 ? state->amplitude : 0.0;
    double size = state->amplitude * fmin(1.0, time);
    double s = portable_sin(w * time), c = portable_cos(w * time);
    out->position.x = size * s;
    out->position.y = TABLE_HEIGHT;
    out->velocity.x = size * w * c + rate * s;
    out->acceleration.x = 2.0 * rate * w * c - size * w * w * s;
}

static tn_body_id table_build_carriage(scene_run *run, table_state *state) {
    build_part part = build_part_at(0.0, TABLE_HEIGHT, 0.0);
    part.mass = TABLE_LEADER;
    part.filter.mask = 0;
    tn_body_id carriage = build_box(run, &part, 0.6, 0.1, 0.6);
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    def.base.body_b = carriage;
    def.evaluate = table_shake;
    def.evaluate_user_data = state;
    def.leads_rotation = true;
    tn_joint_id path = tn_motion_path_joint_create(run->world, &def);
    run->has_failed |= path.value == 0;
    scene_run_name_body(run, carriage, "carriage");
    scene_run_name_joint(run, path, "path");
    return carriage;
}

static tn_joint_id table_add_mount(scene_run *run, tn_body_id carriage, tn_body_id table) {
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    if (!tn_joint_def_set_frames(run->world, &def.base, carriage, table,
                                 build_point(0.0, TABLE_HEIGHT, 0.0), build_axis_x())) {
        run->has_failed = true;
    }
    def.locks = TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_X);
    for (int i = 0; i < TN_SIX_AXIS_COUNT; i++) {
        def.axes[i].spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY,
                                         .hertz = (float)scene_run_get_value(run, "mount"),
                                         .damping_ratio = 0.3f};
    }
    def.axes[TN_SIX_AXIS_LINEAR_X].spring.mode = TN_SPRING_MODE_OFF;
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
    state->amplitude = scene_run_get_value(run, "amplitude");
    state->frequency = 2.0 * BUILD_PI * scene_run_get_value(run, "hertz");
    state->mount = table_add_mount(run, table_build_carriage(run, state), table);
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

static void table_after_step(scene_run *run, double dt) {
    (void)dt;
    table_state *state = run->state;
    double x = tn_body_get_center(run->world, scene_run_find_body(run, "table")).x;
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
        tn_vec3 p = tn_body_get_center(run->world, top);
        tn_vec3 t = tn_body_get_center(run->world, scene_run_find_body(run, "table"));
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
    .after_step = table_after_step,
    .measure = table_measure,
};
