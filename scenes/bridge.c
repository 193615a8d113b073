// scenes/bridge.c: a suspended bridge of planks; load after load drops on it until it breaks, or
// all lie on it from the start.
//
// A deck that hangs between its ends with the sag f over the span l pulls at them with
// H = q l^2 / (8 f), q its weight per length; a load P in the middle adds P l / (4 f).
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define BRIDGE_MAX_PLANKS 300
#define BRIDGE_SPAN       12.0  // m, for which sag and height are given: both grow with the span
#define BRIDGE_SAG        0.9   // m
#define BRIDGE_HEIGHT     6.0   // m of the ends above the ground
#define BRIDGE_WIDTH      1.4   // m
#define BRIDGE_THICKNESS  0.1   // m
#define BRIDGE_DENSITY    600.0 // kg/m^3, of wood
#define BRIDGE_GAP        0.02  // m between planks
#define BRIDGE_DAMPING    1.0f  // 1/s: the creaking of the ropes
#define BRIDGE_SETTLING   3.0   // s before the first load, and between loads
#define BRIDGE_DROP       0.3   // m that a load falls
#define BRIDGE_LAID       0.005 // m that one falls that lies on the bridge from the start

static const scene_option bridge_options[] = {
    {"planks", 24, 2, BRIDGE_MAX_PLANKS, "in the deck"},
    {"break_force", 30000, 0, 1e9, "N that a joint of the deck bears"},
    {"load", 250, 1, 10000, "kg of each load"},
    {"loads", 6, 0, 100, "how many fall, one after another"},
    {"span", 12, 1, 1000, "m"},
    {"laid", 0, 0, 1, "1: all loads lie on the bridge from the start, evenly spread"},
    {"break_time", 0, 0, 60, "s over which a joint's load is averaged"},
};

typedef struct bridge_state {
    double span, sag, height; // m: height of the ends above the ground
    tn_joint_id joints[BRIDGE_MAX_PLANKS + 1];
    uint32_t joint_count;
    int dropped;
    double tension_max;  // N: the largest reaction of a joint
    double tension_rest; // N: the same before the first load
    int broken_at;       // loads dropped when the first joint broke; 0: none broke
} bridge_state;

// m: of the deck above the ground, at a share of the span.
static double bridge_get_deck(const bridge_state *state, double share) {
    return state->height - 4.0 * state->sag * share * (1.0 - share);
}

static void bridge_add_bank(scene_run *run, const bridge_state *state, double side) {
    build_part part = build_part_at(side * (0.5 * state->span + 1.55), 0.5 * state->height, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    scene_run_name_body(run, build_box(run, &part, 3.0, state->height, 2.0),
                        side < 0.0 ? "bank_left" : "bank_right");
}

// Ties two planks, or a plank and the bank. One hinge, not two points at the edges: those could
// pull against each other across the deck, and their reactions would not be what the deck bears.
static void bridge_tie(scene_run *run, bridge_state *state, tn_body_id a, tn_body_id b,
                       tn_vec3 place) {
    tn_joint_id joint = build_hinge(run, a, b, place, build_axis_z());
    tn_joint_set_break_force(run->world, joint, (float)scene_run_get_value(run, "break_force"),
                             INFINITY);
    tn_joint_set_break_time(run->world, joint, (float)scene_run_get_value(run, "break_time"));
    state->joints[state->joint_count++] = joint;
}

static void bridge_add_deck(scene_run *run, bridge_state *state) {
    int count = (int)scene_run_get_value(run, "planks");
    tn_body_id previous = {0};
    tn_vec3 from = build_point(-0.5 * state->span, state->height, 0.0);
    for (int i = 0; i < count; i++) {
        double share = (i + 1.0) / count;
        tn_vec3 to = build_point((share - 0.5) * state->span, bridge_get_deck(state, share), 0.0);
        build_part part = build_part_between(from, to);
        part.density = BRIDGE_DENSITY;
        tn_body_id plank = build_box(run, &part, build_distance(from, to) - BRIDGE_GAP,
                                     BRIDGE_THICKNESS, BRIDGE_WIDTH);
        tn_body_set_damping(run->world, plank, BRIDGE_DAMPING, BRIDGE_DAMPING);
        scene_run_name_body(run, plank, "plank%02d", i + 1);
        bridge_tie(run, state, previous, plank, from);
        previous = plank;
        from = to;
    }
    bridge_tie(run, state, previous, (tn_body_id){0}, from);
}

// m: the edge of a load, a cube of steel and air.
static double bridge_get_load_size(const scene_run *run) {
    return portable_cbrt(scene_run_get_value(run, "load") / 2000.0);
}

static void bridge_add_load(scene_run *run, bridge_state *state, build_part part) {
    double size = bridge_get_load_size(run);
    part.mass = scene_run_get_value(run, "load");
    tn_body_id load = build_box(run, &part, size, size, size);
    state->dropped++;
    scene_run_name_body(run, load, "load%d", state->dropped);
}

// As the planks lie there, a little above them.
static void bridge_lay_load(scene_run *run, bridge_state *state, double share) {
    double slope = portable_atan(4.0 * state->sag / state->span * (2.0 * share - 1.0));
    double above = 0.5 * (BRIDGE_THICKNESS + bridge_get_load_size(run)) + BRIDGE_LAID;
    bridge_add_load(run, state,
                    build_part_turned(state->span * (share - 0.5) - above * portable_sin(slope),
                                      bridge_get_deck(state, share) + above * portable_cos(slope),
                                      slope));
}

static bool bridge_build(scene_run *run) {
    bridge_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->span = scene_run_get_value(run, "span");
    state->sag = BRIDGE_SAG * state->span / BRIDGE_SPAN;
    state->height = BRIDGE_HEIGHT * state->span / BRIDGE_SPAN;
    build_ground(run, 0.0);
    bridge_add_bank(run, state, -1.0);
    bridge_add_bank(run, state, 1.0);
    bridge_add_deck(run, state);
    int laid = scene_run_get_value(run, "laid") >= 0.5 ? (int)scene_run_get_value(run, "loads") : 0;
    for (int i = 0; i < laid; i++) {
        bridge_lay_load(run, state, (i + 0.5) / laid);
    }
    return true;
}

static double bridge_get_tension(const scene_run *run, const bridge_state *state) {
    double largest = 0.0;
    for (uint32_t i = 0; i < state->joint_count; i++) {
        if (tn_joint_is_valid(run->world, state->joints[i])) {
            tn_vec3 f = tn_joint_get_reaction(run->world, state->joints[i]).force;
            largest = fmax(largest, build_length(f));
        }
    }
    return largest;
}

// Alternately left and right of the middle.
static void bridge_drop_load(scene_run *run, bridge_state *state) {
    double x = (state->dropped % 2 == 0 ? 1.0 : -1.0) * (0.6 + 0.35 * state->dropped);
    double deck = bridge_get_deck(state, x / state->span + 0.5);
    double above = BRIDGE_DROP + 0.5 * bridge_get_load_size(run);
    bridge_add_load(run, state, build_part_at(x, deck + above, 0.0));
}

static void bridge_before_step(scene_run *run, double dt) {
    (void)dt;
    bridge_state *state = run->state;
    double now = tn_world_get_time(run->world);
    if (now < BRIDGE_SETTLING * (state->dropped + 1) || state->broken_at > 0 ||
        state->dropped >= (int)scene_run_get_value(run, "loads")) {
        return;
    }
    if (state->dropped == 0) {
        state->tension_rest = bridge_get_tension(run, state);
    }
    bridge_drop_load(run, state);
}

static void bridge_after_step(scene_run *run, double dt) {
    (void)dt;
    bridge_state *state = run->state;
    state->tension_max = fmax(state->tension_max, bridge_get_tension(run, state));
    bool is_whole = tn_world_count_joints(run->world) == state->joint_count;
    if (state->broken_at == 0 && !is_whole) {
        state->broken_at = state->dropped;
    }
}

static void bridge_measure(scene_run *run) {
    const bridge_state *state = run->state;
    double gaps = BRIDGE_GAP * scene_run_get_value(run, "planks") / state->span;
    double planks = BRIDGE_DENSITY * BRIDGE_THICKNESS * BRIDGE_WIDTH * (1.0 - gaps);
    double pull = planks * BUILD_GRAVITY * state->span * state->span / (8.0 * state->sag);
    double end = portable_hypot(pull, 0.5 * planks * BUILD_GRAVITY * state->span);
    scene_run_add_figure(run, "tension_rest_N", state->tension_rest);
    scene_run_add_figure(run, "tension_rest_cable_N", end);
    scene_run_add_figure(run, "tension_max_N", state->tension_max);
    scene_run_add_figure(run, "loads_dropped", state->dropped);
    scene_run_add_figure(run, "joints_broken",
                         state->joint_count - tn_world_count_joints(run->world));
    scene_run_add_figure(run, "broke_at_load", state->broken_at);
}

const scene scene_bridge = {
    .name = "bridge",
    .summary = "a suspended bridge of planks that breaks under its loads",
    .time = 24.0,
    .options = bridge_options,
    .option_count = 7,
    .build = bridge_build,
    .before_step = bridge_before_step,
    .after_step = bridge_after_step,
    .measure = bridge_measure,
};
