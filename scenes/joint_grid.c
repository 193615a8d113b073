// scenes/joint_grid.c: a curtain of balls tied to their neighbours, hung by its top row or by two
// corners.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#define JOINT_GRID_MAX_SIDE 200
#define JOINT_GRID_RADIUS   0.2 // m
#define JOINT_GRID_SPACING  0.5 // m

static const scene_option joint_grid_options[] = {
    {"side", 50, 2, JOINT_GRID_MAX_SIDE, "balls along each edge"},
    {"corners", 0, 0, 1, "0: the whole top row is fixed; 1: its two corners are"},
    {"tilt", 0, 0, 90, "deg: 0 hangs straight down, 90 starts level"},
};

static void joint_grid_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_body_id joint_grid_add(scene_run *run, tn_vec3 place, bool is_fixed) {
    build_part part = build_part_at(place.x, place.y, place.z);
    part.type = is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    part.filter.group = -1;
    return build_sphere(run, &part, JOINT_GRID_RADIUS);
}

// Ties two neighbours halfway between them, unless both are fixed.
static void joint_grid_tie(scene_run *run, tn_body_id a, tn_body_id b) {
    if (tn_body_get_type(run->world, a) == TN_BODY_TYPE_STATIC &&
        tn_body_get_type(run->world, b) == TN_BODY_TYPE_STATIC) {
        return;
    }
    tn_vec3 p = tn_body_get_center(run->world, a);
    tn_vec3 q = tn_body_get_center(run->world, b);
    build_ball_joint(run, a, b,
                     build_point(0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)),
                     build_axis_x());
}

static bool joint_grid_build(scene_run *run) {
    int side = (int)scene_run_get_value(run, "side");
    bool by_corners = scene_run_get_value(run, "corners") >= 0.5;
    double tilt = scene_run_get_value(run, "tilt") * BUILD_PI / 180.0;
    tn_body_id above[JOINT_GRID_MAX_SIDE] = {{0}};
    for (int row = 0; row < side; row++) {
        double down = JOINT_GRID_SPACING * row;
        tn_body_id left = {0};
        for (int i = 0; i < side; i++) {
            double x = JOINT_GRID_SPACING * (i - 0.5 * (side - 1));
            tn_vec3 place = build_point(x, -down * portable_cos(tilt), down * portable_sin(tilt));
            bool is_fixed = row == 0 && (!by_corners || i == 0 || i == side - 1);
            tn_body_id body = joint_grid_add(run, place, is_fixed);
            if (i > 0) {
                joint_grid_tie(run, left, body);
            }
            if (row > 0) {
                joint_grid_tie(run, above[i], body);
            }
            left = body;
            above[i] = body;
        }
    }
    return true;
}

static void joint_grid_measure(scene_run *run) {
    scene_run_add_figure(run, "joints", tn_world_count_joints(run->world));
    scene_run_add_figure(run, "sink_max_m", figure_get_sink(run));
}

const scene scene_joint_grid = {
    .name = "joint_grid",
    .summary = "a curtain of balls tied to their neighbours",
    .time = 10.0,
    .options = joint_grid_options,
    .option_count = 3,
    .configure = joint_grid_configure,
    .build = joint_grid_build,
    .measure = joint_grid_measure,
};
