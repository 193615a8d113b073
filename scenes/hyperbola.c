// scenes/hyperbola.c: a linkage that keeps an expression: two blocks on crossed rails whose
// distances from the corner have a product that stays.
//
// A motor draws one block along; the other one goes as 1 / x. With the row C = x y - c the blocks
// push each other by y l and x l, l the row's force: at rest under a pull f the motor needs f y /
// x.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

static const scene_option hyperbola_options[] = {
    {"product", 1, 0.1, 4, "m^2 that stays"},
    {"speed", 0.3, -1, 1, "m/s of the block that is drawn"},
};

typedef struct hyperbola_state {
    tn_joint_id joint;
    double farthest_off; // m^2
} hyperbola_state;

// A block on a rail of its own, drawn only.
static tn_body_id hyperbola_add_block(scene_run *run, double way, bool is_up,
                                      tn_joint_id *out_slider) {
    build_part part = build_part_at(is_up ? 0.0 : way, is_up ? way : 0.0, 0.0), rail = part;
    rail.type = TN_BODY_TYPE_STATIC;
    rail.pose.position = build_point(is_up ? 0.0 : 1.5, is_up ? 1.5 : 0.0, -0.1);
    part.mass = 1.0;
    part.filter.mask = rail.filter.mask = 0;
    build_box(run, &rail, is_up ? 0.04 : 3.0, is_up ? 3.0 : 0.04, 0.04);
    tn_body_id block = build_box(run, &part, 0.2, 0.2, 0.1);
    *out_slider = build_slider(run, (tn_body_id){0}, block, part.pose.position,
                               is_up ? build_axis_y() : build_axis_x());
    return block;
}

static tn_joint_id hyperbola_join(scene_run *run, const tn_body_id blocks[2], double product) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_function_joint_def def = tn_function_joint_def_default();
    tn_node ways[2];
    for (uint32_t i = 0; i < 2; ++i) {
        tn_node center = tn_graph_add_point(graph, i, (tn_vec3){0.0, 0.0, 0.0});
        ways[i] = tn_graph_add_component(graph, center, i);
        def.bodies[i] = blocks[i];
    }
    def.graph = graph;
    def.body_count = 2;
    def.row_count = 1;
    def.nodes[0] = tn_graph_add_difference(graph, tn_graph_add_product(graph, ways[0], ways[1]),
                                           tn_graph_add_number(graph, product));
    tn_joint_id joint = tn_function_joint_create(run->world, &def);
    tn_graph_destroy(graph);
    run->has_failed |= joint.value == 0;
    return joint;
}

static bool hyperbola_build(scene_run *run) {
    hyperbola_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double product = scene_run_get_value(run, "product"), speed = scene_run_get_value(run, "speed");
    tn_joint_id sliders[2];
    double start = speed < 0.0 ? 2.0 : 0.5;
    const tn_body_id blocks[2] = {
        hyperbola_add_block(run, start, false, &sliders[0]),
        hyperbola_add_block(run, product / start, true, &sliders[1]),
    };
    tn_motor motor = {
        .mode = TN_MOTOR_MODE_SPEED, .target_speed = (float)speed, .max_force = 1000.0f};
    tn_slider_joint_set_motor(run->world, sliders[0], motor);
    state->joint = hyperbola_join(run, blocks, product);
    scene_run_name_body(run, blocks[0], "drawn");
    scene_run_name_body(run, blocks[1], "led");
    scene_run_name_joint(run, state->joint, "product");
    return true;
}

static void hyperbola_after_step(scene_run *run, double dt) {
    (void)dt;
    hyperbola_state *state = run->state;
    double off = tn_joint_get_error(run->world, state->joint).linear_length;
    state->farthest_off = fmax(state->farthest_off, off);
}

static void hyperbola_measure(scene_run *run) {
    const hyperbola_state *state = run->state;
    scene_run_add_figure(run, "product_off_max_m2", state->farthest_off);
}

const scene scene_hyperbola = {
    .name = "hyperbola",
    .summary = "two blocks on crossed rails whose distances keep their product",
    .time = 5.0,
    .options = hyperbola_options,
    .option_count = 2,
    .build = hyperbola_build,
    .after_step = hyperbola_after_step,
    .measure = hyperbola_measure,
};
