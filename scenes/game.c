// scenes/game.c: what a level of a game has: crates, a car, a doll in the player's hand and doors.
//
// Nothing here asks for exact joints: figures and cars are loose and carry little, doors hang by a
// hinge with a spring. It stands for what a default has to afford.
#include "scenes/build_car.h"
#include "scenes/doll.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define GAME_CRATE  0.5 // m
#define GAME_STACK  4   // crates one on another
#define GAME_REACH  0.8 // m to and fro of the hand
#define GAME_PERIOD 2.0 // s, there and back
#define GAME_DOOR   0.9 // m wide

static const scene_option game_options[] = {
    {"crates", 200, 0, 10000, "in stacks of four"},
    {"cars", 1, 0, 20, ""},
    {"dolls", 1, 0, 20, "held by the head and swung"},
    {"doors", 1, 0, 20, "with springs that close them"},
};

#define GAME_MOST 20

typedef struct game_state {
    tn_joint_id hands[GAME_MOST], doors[GAME_MOST];
    tn_vec3 held[GAME_MOST]; // where each hand began
    int dolls, count_doors;
} game_state;

static void game_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void game_add_crates(scene_run *run, int count) {
    int stacks = (count + GAME_STACK - 1) / GAME_STACK, across = (int)ceil(sqrt(stacks));
    for (int i = 0; i < count; i++) {
        int stack = i / GAME_STACK, level = i % GAME_STACK;
        double x = 2.0 * GAME_CRATE * (stack % across), z = 2.0 * GAME_CRATE * (stack / across);
        build_part part = build_part_at(6.0 + x, GAME_CRATE * (level + 0.5), z);
        part.density = 200.0;
        build_box(run, &part, GAME_CRATE, GAME_CRATE, GAME_CRATE);
    }
}

static void game_add_doll(scene_run *run, game_state *state, int i) {
    doll person = doll_add(run, build_point(-4.0, 1.5, 2.0 * i), 0.0, 0.0, -1 - i);
    tn_body_id head = person.bodies[2];
    tn_mouse_joint_def def = tn_mouse_joint_def_default();
    def.base.body_b = head;
    def.base.hertz = 4.0f;
    def.base.frame_a.position = state->held[i] = tn_body_get_center(run->world, head);
    state->hands[i] = tn_mouse_joint_create(run->world, &def);
    run->has_failed |= state->hands[i].value == 0;
}

static void game_add_door(scene_run *run, game_state *state, int i) {
    double x = -8.0 + 2.0 * i;
    build_part part = build_part_at(x + 0.5 * GAME_DOOR, 1.02, -6.0);
    part.density = 600.0;
    part.velocity.angular.y = 2.0;
    tn_body_id door = build_box(run, &part, GAME_DOOR, 2.0, 0.04);
    tn_vec3 edge = build_point(x, 1.02, -6.0);
    state->doors[i] = build_hinge(run, (tn_body_id){0}, door, edge, build_axis_y());
    tn_spring closer = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 30.0f, .damping = 3.0f};
    tn_limit limit = {.is_enabled = true, .lower = -1.9f, .upper = 1.9f};
    tn_hinge_joint_set_spring(run->world, state->doors[i], closer);
    tn_hinge_joint_set_limit(run->world, state->doors[i], limit);
}

static bool game_build(scene_run *run) {
    game_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    game_add_crates(run, (int)scene_run_get_value(run, "crates"));
    for (int i = 0; i < (int)scene_run_get_value(run, "cars"); i++) {
        build_car_def car = {.z = -3.0 - 2.5 * i, .speed = 5.0, .steer = 0.3};
        build_add_car(run, &car);
    }
    state->dolls = (int)scene_run_get_value(run, "dolls");
    for (int i = 0; i < state->dolls; i++) {
        game_add_doll(run, state, i);
    }
    state->count_doors = (int)scene_run_get_value(run, "doors");
    for (int i = 0; i < state->count_doors; i++) {
        game_add_door(run, state, i);
    }
    return true;
}

static void game_before_step(scene_run *run, double dt) {
    (void)dt;
    const game_state *state = run->state;
    double turn = 2.0 * BUILD_PI * tn_world_get_time(run->world) / GAME_PERIOD;
    for (int i = 0; i < state->dolls; i++) {
        tn_vec3 target = state->held[i];
        target.x += GAME_REACH * portable_sin(turn);
        tn_mouse_joint_set_target(run->world, state->hands[i], target);
    }
}

static void game_measure(scene_run *run) {
    const game_state *state = run->state;
    double behind = 0.0, open = 0.0;
    for (int i = 0; i < state->dolls; i++) {
        behind = fmax(behind, tn_mouse_joint_get_distance(run->world, state->hands[i]));
    }
    for (int i = 0; i < state->count_doors; i++) {
        open = fmax(open, fabs(tn_hinge_joint_get_angle(run->world, state->doors[i])));
    }
    scene_run_add_figure(run, "hand_behind_m", behind);
    scene_run_add_figure(run, "door_open_rad", open);
}

const scene scene_game = {
    .name = "game",
    .summary = "what a level has: crates, a car, a doll in the player's hand and a door",
    .time = 5.0,
    .options = game_options,
    .option_count = 4,
    .configure = game_configure,
    .build = game_build,
    .before_step = game_before_step,
    .measure = game_measure,
};
