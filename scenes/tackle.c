// scenes/tackle.c: a winch hauls in a load through a block and tackle of four parts.
//
// The rope goes from the beam down to the load's block and up again, twice, and over a last sheave
// to the winch on the ground. Each sheave takes its share, q = exp(mu wrap): what the winch pulls
// with is the load's weight over q^-1 + q^-2 + q^-3 + q^-4 where all wraps are half a turn.
#include "scenes/build.h"
#include "scenes/registry.h"

#define TACKLE_HEIGHT 4.0  // m, of the beam's sheaves
#define TACKLE_BLOCK  1.1  // m, of the load's at the start
#define TACKLE_APART  0.12 // m, from one sheave to the next
#define TACKLE_PARTS  4

static const scene_option tackle_options[] = {
    {"load", 200, 0.1, 10000, "kg"},
    {"friction", 0.05, 0, 2, "mu, of the rope on its sheaves"},
    {"speed", 0.8, -10, 10, "m/s at which the winch hauls in"},
    {"brake", 2000, 0, 1e9, "N that its drum holds; 0: any"},
};

typedef struct tackle_state {
    tn_body_id load;
    tn_joint_id rope;
    double start; // m
} tackle_state;

static void tackle_add_box(scene_run *run, double x, double y, double width, double height,
                           const char *name) {
    build_part part = build_part_at(x, y, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    part.filter.mask = 0;
    tn_body_id body = build_box(run, &part, width, height, 0.3);
    scene_run_name_body(run, body, "%s", name);
}

static tn_body_id tackle_add_load(scene_run *run) {
    build_part part = build_part_at(0.0, TACKLE_BLOCK - 0.4, 0.0);
    part.mass = scene_run_get_value(run, "load");
    tn_body_id body = build_box(run, &part, 0.8, 0.8, 0.8);
    scene_run_name_body(run, body, "load");
    return body;
}

// To and fro between the beam, above, and the top of the load.
static void tackle_set_points(tn_rope_joint_def *def, tn_body_id load, float friction) {
    for (uint32_t k = 0; k <= TACKLE_PARTS; ++k) {
        double x = ((double)k - 0.5 * TACKLE_PARTS) * TACKLE_APART;
        bool is_above = k % 2 == 0;
        def->points[k].body = is_above ? (tn_body_id){0} : load;
        def->points[k].position = (tn_vec3){x, is_above ? TACKLE_HEIGHT : 0.4, 0.0};
        def->points[k].friction = k > 0 ? friction : 0.0f;
    }
    def->points[TACKLE_PARTS + 1].position = (tn_vec3){1.6, 0.4, 0.0};
    def->point_count = TACKLE_PARTS + 2;
}

static bool tackle_build(scene_run *run) {
    tackle_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    tackle_add_box(run, 0.0, TACKLE_HEIGHT + 0.1, 1.2, 0.12, "beam");
    tackle_add_box(run, 1.7, 0.2, 0.5, 0.4, "winch");
    state->load = tackle_add_load(run);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    tackle_set_points(&def, state->load, (float)scene_run_get_value(run, "friction"));
    def.payout_speed = -(float)scene_run_get_value(run, "speed");
    def.max_tension = (float)scene_run_get_value(run, "brake");
    state->rope = tn_rope_joint_create(run->world, &def);
    state->start = tn_body_get_center(run->world, state->load).y;
    scene_run_name_joint(run, state->rope, "rope");
    return state->rope.value != 0;
}

static void tackle_measure(scene_run *run) {
    const tackle_state *state = run->state;
    const tn_world *world = run->world;
    double raised = tn_body_get_center(world, state->load).y - state->start;
    scene_run_add_figure(run, "raised_m", raised);
    scene_run_add_figure(run, "hauled_m",
                         scene_run_get_value(run, "speed") * tn_world_get_time(world));
    scene_run_add_figure(run, "first_N", (double)tn_rope_joint_get_tension(world, state->rope, 0));
    scene_run_add_figure(run, "winch_N",
                         (double)tn_rope_joint_get_tension(world, state->rope, TACKLE_PARTS));
    scene_run_add_figure(run, "winch_J", tn_joint_get_motor_work(world, state->rope));
}

const scene scene_tackle = {
    .name = "tackle",
    .summary = "a winch hauls in a load through a block and tackle with friction",
    .time = 6.0,
    .options = tackle_options,
    .option_count = 4,
    .build = tackle_build,
    .measure = tackle_measure,
};
