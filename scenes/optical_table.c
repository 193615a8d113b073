// scenes/optical_table.c: a beam of light that goes over two mirrors and must hit a target.
//
// The laser stands still; a motor turns the first mirror to and fro, and the second one turns so
// that the beam stays on the target: one row of a function joint of both mirrors. With the beam
// o + s d and a mirror through p with normal n of unit length
//     it is met at s = (p - o) . n / (d . n), and goes on along d - 2 (d . n) n
// which is all that the graph is told.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define TABLE_MIRRORS   2
#define TABLE_LASER_X   (-2.0) // m
#define TABLE_TARGET_X  2.5
#define TABLE_RAY_SHARE 1.03 // rays are drawn so much longer: they keep their length
#define TABLE_TARGET_Y  1.5
#define TABLE_MIRROR_Y  1.5 // m, of the second mirror above the first

static const scene_option optical_table_options[] = {
    {"swing", 0.06, 0, 0.2, "rad that the first mirror is turned to either side"},
    {"hertz", 0.25, 0.01, 2, "Hz, how often"},
};

typedef struct optical_table_state {
    tn_joint_id beam, motor;
    tn_node height;                                     // of where it arrives
    tn_node met_x[TABLE_MIRRORS], met_y[TABLE_MIRRORS]; // where it meets the mirrors
    tn_body_id rays[TABLE_MIRRORS + 1];                 // for the eye
    double time, farthest_off;
} optical_table_state;

// A beam as two nodes: a point of it and where it goes.
typedef struct optical_beam {
    tn_node from, along;
} optical_beam;

static optical_beam optical_table_reflect(tn_graph *graph, optical_beam in, uint32_t mirror) {
    tn_node p = tn_graph_add_point(graph, mirror, (tn_vec3){0.0, 0.0, 0.0});
    tn_node n = tn_graph_add_direction(graph, mirror, (tn_vec3){0.0, 1.0, 0.0});
    tn_node into = tn_graph_add_dot(graph, in.along, n);
    tn_node way = tn_graph_add_dot(graph, tn_graph_add_difference(graph, p, in.from), n);
    tn_node share = tn_graph_add_quotient(graph, way, into);
    tn_node twice = tn_graph_add_product(graph, tn_graph_add_number(graph, 2.0), into);
    optical_beam out;
    out.from = tn_graph_add_sum(graph, in.from, tn_graph_add_product(graph, share, in.along));
    out.along = tn_graph_add_difference(graph, in.along, tn_graph_add_product(graph, twice, n));
    return out;
}

// How high the beam is where it meets the plane of the target.
static tn_node optical_table_get_height(tn_graph *graph, optical_beam beam) {
    tn_node x = tn_graph_add_component(graph, beam.from, 0);
    tn_node left = tn_graph_add_difference(graph, tn_graph_add_number(graph, TABLE_TARGET_X), x);
    tn_node share =
        tn_graph_add_quotient(graph, left, tn_graph_add_component(graph, beam.along, 0));
    tn_node rise = tn_graph_add_product(graph, share, tn_graph_add_component(graph, beam.along, 1));
    return tn_graph_add_sum(graph, tn_graph_add_component(graph, beam.from, 1), rise);
}

static tn_joint_id optical_table_join(scene_run *run, optical_table_state *state, tn_body_id first,
                                      tn_body_id second) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    optical_beam beam = {tn_graph_add_vector(graph, (tn_vec3){TABLE_LASER_X, 0.0, 0.0}),
                         tn_graph_add_vector(graph, (tn_vec3){1.0, 0.0, 0.0})};
    for (uint32_t i = 0; i < TABLE_MIRRORS; ++i) {
        beam = optical_table_reflect(graph, beam, i);
        state->met_x[i] = tn_graph_add_component(graph, beam.from, 0);
        state->met_y[i] = tn_graph_add_component(graph, beam.from, 1);
    }
    state->height = optical_table_get_height(graph, beam);
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    def.bodies[0] = first;
    def.bodies[1] = second;
    def.body_count = 2;
    def.row_count = 1;
    def.nodes[0] =
        tn_graph_add_difference(graph, state->height, tn_graph_add_number(graph, TABLE_TARGET_Y));
    tn_joint_id joint = tn_function_joint_create(run->world, &def);
    tn_graph_destroy(graph);
    run->has_failed |= joint.value == 0;
    return joint;
}

// A plate whose y axis is the normal, on a hinge across the table.
static tn_body_id optical_table_add_mirror(scene_run *run, double y, double angle,
                                           tn_joint_id *out_hinge) {
    build_part part = build_part_turned(0.0, y, angle);
    part.mass = 0.5;
    part.filter.mask = 0;
    tn_body_id mirror = build_box(run, &part, 0.5, 0.03, 0.3);
    *out_hinge =
        build_hinge(run, (tn_body_id){0}, mirror, build_point(0.0, y, 0.0), build_axis_z());
    return mirror;
}

// From the laser over the mirrors to the target, as the beam goes now.
static void optical_table_get_way(scene_run *run, tn_vec3 points[TABLE_MIRRORS + 2]) {
    const optical_table_state *state = run->state;
    points[0] = build_point(TABLE_LASER_X, 0.0, 0.0);
    for (int i = 0; i < TABLE_MIRRORS; ++i) {
        double x = tn_function_joint_get_value(run->world, state->beam, state->met_x[i]);
        double y = tn_function_joint_get_value(run->world, state->beam, state->met_y[i]);
        points[i + 1] = build_point(x, y, 0.0);
    }
    double height = tn_function_joint_get_value(run->world, state->beam, state->height);
    points[TABLE_MIRRORS + 1] = build_point(TABLE_TARGET_X, height, 0.0);
}

static void optical_table_add_rays(scene_run *run) {
    optical_table_state *state = run->state;
    tn_vec3 points[TABLE_MIRRORS + 2];
    optical_table_get_way(run, points);
    for (int i = 0; i <= TABLE_MIRRORS; ++i) {
        build_part part = build_part_between(points[i], points[i + 1]);
        part.type = TN_BODY_TYPE_KINEMATIC;
        part.filter.mask = 0;
        state->rays[i] = build_box(
            run, &part, TABLE_RAY_SHARE * build_distance(points[i], points[i + 1]), 0.01, 0.01);
    }
}

static void optical_table_add_marks(scene_run *run) {
    build_part laser = build_part_at(TABLE_LASER_X, 0.0, 0.0),
               target = build_part_at(TABLE_TARGET_X, 0, 0);
    laser.type = target.type = TN_BODY_TYPE_STATIC;
    laser.filter.mask = target.filter.mask = 0;
    target.pose.position.y = TABLE_TARGET_Y;
    build_box(run, &laser, 0.4, 0.12, 0.12);
    build_box(run, &target, 0.05, 0.3, 0.3);
}

static bool optical_table_build(scene_run *run) {
    optical_table_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_joint_id hinge;
    tn_body_id first = optical_table_add_mirror(run, 0.0, 0.75 * BUILD_PI, &state->motor);
    tn_body_id second = optical_table_add_mirror(run, TABLE_MIRROR_Y, -0.25 * BUILD_PI, &hinge);
    optical_table_add_marks(run);
    tn_motor motor = {
        .mode = TN_MOTOR_MODE_POSITION, .stiffness = 100.0f, .damping = 10.0f, .max_force = 50.0f};
    tn_hinge_joint_set_motor(run->world, state->motor, motor);
    state->beam = optical_table_join(run, state, first, second);
    optical_table_add_rays(run);
    scene_run_name_body(run, first, "first_mirror");
    scene_run_name_body(run, second, "second_mirror");
    scene_run_name_joint(run, state->beam, "beam");
    return true;
}

static void optical_table_before_step(scene_run *run, double dt) {
    optical_table_state *state = run->state;
    state->time += dt;
    double phase = 2.0 * BUILD_PI * scene_run_get_value(run, "hertz") * state->time;
    tn_hinge_joint_def def = tn_hinge_joint_get_def(run->world, state->motor);
    def.motor.target_position = (float)(scene_run_get_value(run, "swing") * portable_sin(phase));
    tn_hinge_joint_set_motor(run->world, state->motor, def.motor);
}

static void optical_table_after_step(scene_run *run, double dt) {
    (void)dt;
    optical_table_state *state = run->state;
    double height = tn_function_joint_get_value(run->world, state->beam, state->height);
    state->farthest_off = fmax(state->farthest_off, fabs(height - TABLE_TARGET_Y));
    tn_vec3 points[TABLE_MIRRORS + 2];
    optical_table_get_way(run, points);
    for (int i = 0; i <= TABLE_MIRRORS; ++i) {
        tn_body_set_pose(run->world, state->rays[i],
                         build_part_between(points[i], points[i + 1]).pose);
    }
}

static void optical_table_measure(scene_run *run) {
    const optical_table_state *state = run->state;
    scene_run_add_figure(run, "off_the_target_max_m", state->farthest_off);
}

const scene scene_optical_table = {
    .name = "optical_table",
    .summary = "a mirror that turns so that a beam hits its target, whatever another one does",
    .time = 5.2,
    .options = optical_table_options,
    .option_count = 2,
    .build = optical_table_build,
    .before_step = optical_table_before_step,
    .after_step = optical_table_after_step,
    .measure = optical_table_measure,
};
