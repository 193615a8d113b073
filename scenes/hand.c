// scenes/hand.c: a hand drags a plank by its end; another holds a block that is too heavy for it.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define HAND_LENGTH 1.2 // m, of the plank
#define HAND_RADIUS 1.0 // m, half of the way that the hand goes
#define HAND_BLOCK  0.5 // m
#define HAND_PLACE  1.8 // m, where the block stands
#define HAND_PERIOD 4.0 // s, there and back
#define HAND_LIFT   0.4 // m: half of how high it goes

static const scene_option hand_options[] = {
    {"force", 120, 0, 1e6, "N, the most that the hand pulls with"},
    {"hertz", 5, 0.1, 60, "Hz, how fast the plank follows"},
};

typedef struct hand_state {
    tn_joint_id hand, grip; // on the plank, on the block
    tn_body_id block;
    double time;              // s
    double farthest, hardest; // m behind the hand, N
} hand_state;

static tn_joint_id hand_hold(scene_run *run, tn_body_id body, double x) {
    tn_mouse_joint_def def = tn_mouse_joint_def_default();
    def.base.body_b = body;
    def.base.frame_b.position = build_point(x, 0.0, 0.0);
    def.base.frame_a.position = tn_body_get_world_point(run->world, body, (tn_vec3){x, 0.0, 0.0});
    def.base.hertz = (float)scene_run_get_value(run, "hertz");
    def.max_force = (float)scene_run_get_value(run, "force");
    tn_joint_id joint = tn_mouse_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

static bool hand_build(scene_run *run) {
    hand_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    build_part part = build_part_at(HAND_RADIUS - 0.5 * HAND_LENGTH, 0.05, 0.0);
    part.density = 400.0;
    tn_body_id plank = build_box(run, &part, HAND_LENGTH, 0.1, 0.2);
    part = build_part_at(HAND_PLACE, 0.5 * HAND_BLOCK, 0.0);
    part.density = 2000.0;
    state->block = build_box(run, &part, HAND_BLOCK, HAND_BLOCK, HAND_BLOCK);
    state->hand = hand_hold(run, plank, 0.5 * HAND_LENGTH);
    state->grip = hand_hold(run, state->block, 0.0);
    tn_mouse_joint_set_target(run->world, state->grip, build_point(HAND_PLACE, 3.0, 0.0));
    scene_run_name_body(run, plank, "plank");
    scene_run_name_body(run, state->block, "block");
    scene_run_name_joint(run, state->hand, "hand");
    return true;
}

static void hand_before_step(scene_run *run, double dt) {
    hand_state *state = run->state;
    state->time += dt;
    double angle = 2.0 * BUILD_PI * state->time / HAND_PERIOD;
    tn_vec3 target = build_point(HAND_RADIUS * portable_cos(angle),
                                 HAND_LIFT * (1.0 - portable_cos(2.0 * angle)), 0.0);
    tn_mouse_joint_set_target(run->world, state->hand, target);
}

static void hand_after_step(scene_run *run, double dt) {
    (void)dt;
    hand_state *state = run->state;
    tn_vec3 f = tn_joint_get_reaction(run->world, state->hand).force;
    tn_vec3 force = f;
    state->farthest = fmax(state->farthest, tn_mouse_joint_get_distance(run->world, state->hand));
    state->hardest = fmax(state->hardest, build_length(force));
}

static void hand_measure(scene_run *run) {
    const hand_state *state = run->state;
    scene_run_add_figure(run, "behind_max_m", state->farthest);
    scene_run_add_figure(run, "force_max_N", state->hardest);
    scene_run_add_figure(run, "block_lifted_m",
                         tn_body_get_pose(run->world, state->block).position.y - 0.5 * HAND_BLOCK);
}

const scene scene_hand = {
    .name = "hand",
    .summary = "a hand lifts and drags a plank; another cannot lift its block",
    .time = 8.0,
    .options = hand_options,
    .option_count = 2,
    .build = hand_build,
    .before_step = hand_before_step,
    .after_step = hand_after_step,
    .measure = hand_measure,
};
