// scenes/tinkertoys.c: a mast of balls and rods that grows while it stands, is leaned by one of its
// legs, which gets longer, and falls when a foot is taken away.
//
// Layers of three balls, each turned by 60 degrees against the one below, are a pile of octahedra
// with the edge a: the balls stand a / sqrt(3) from the axis and the layers sqrt(2/3) a above each
// other. Each layer has nine coordinates and nine rods: three of its own and six down. So nothing
// is redundant and nothing loose, whatever the height, and the six rods on the ground bear the
// weight of all above them. Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997
// (tinkertoys: particles and rods).
#include "scenes/build_particles.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define TINKERTOYS_MOST  20
#define TINKERTOYS_EDGE  0.4 // m
#define TINKERTOYS_MASS  0.1 // kg, of a ball
#define TINKERTOYS_BALL  0.05
#define TINKERTOYS_PAUSE 0.3  // s, from layer to layer
#define TINKERTOYS_STAND 1.5  // s: then the leg begins to grow
#define TINKERTOYS_LEAN  2.0  // s: how long it grows
#define TINKERTOYS_LONG  1.25 // times its length, in the end
#define TINKERTOYS_FALL  0.5  // s later the foot goes
#define TINKERTOYS_RODS  9    // of a layer

static const scene_option tinkertoys_options[] = {
    {"layers", 8, 1, TINKERTOYS_MOST, "of three balls, above the feet"},
};

typedef struct tinkertoys_state {
    tn_body_id balls[TINKERTOYS_MOST + 1][3];
    tn_joint_id rods[TINKERTOYS_MOST + 1][TINKERTOYS_RODS];
    int count, layers; // that there are, and will be
    double time;
    double carried;         // N: by the rods on the ground, while it stands
    double gap_max, leaned; // m, until it falls: of a rod; how far the top goes to the side
} tinkertoys_state;

static void tinkertoys_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// s: when it is whole, and when the foot goes.
static double tinkertoys_get_whole(const tinkertoys_state *state) {
    return state->layers * TINKERTOYS_PAUSE;
}

static double tinkertoys_get_end(const tinkertoys_state *state) {
    return tinkertoys_get_whole(state) + TINKERTOYS_STAND + TINKERTOYS_LEAN + TINKERTOYS_FALL;
}

// ---- it grows ----------------------------------------------------------------------------------

// A layer stands on the one below where that is now.
static tn_vec3 tinkertoys_find(const scene_run *run, int layer, int index) {
    const tinkertoys_state *state = run->state;
    double turn = BUILD_PI / 3.0 * (2.0 * index + layer), radius = TINKERTOYS_EDGE / sqrt(3.0);
    tn_vec3 place =
        build_point(radius * portable_cos(turn), TINKERTOYS_BALL, radius * portable_sin(turn));
    if (layer > 0) {
        place.y = TINKERTOYS_EDGE * sqrt(2.0 / 3.0);
        for (int i = 0; i < 3; ++i) {
            place.y += tn_body_get_center(run->world, state->balls[layer - 1][i]).y / 3.0;
        }
    }
    return place;
}

static void tinkertoys_add_rods(scene_run *run, int layer) {
    static const build_threads threads = {.type = BUILD_THREAD_ROD, .slack = 1.0};
    tinkertoys_state *state = run->state;
    const tn_body_id *here = state->balls[layer], *below = state->balls[layer - 1];
    for (int i = 0; i < 3; ++i) {
        tn_joint_id *rods = &state->rods[layer][3 * i];
        rods[0] = build_thread(run, &threads, below[i], here[i]);
        rods[1] = build_thread(run, &threads, below[(i + 1) % 3], here[i]);
        rods[2] = build_thread(run, &threads, here[i], here[(i + 1) % 3]);
        for (int k = 0; k < 3; ++k) {
            tn_distance_joint_set_length(run->world, rods[k], (float)TINKERTOYS_EDGE);
        }
    }
}

static void tinkertoys_add_layer(scene_run *run) {
    tinkertoys_state *state = run->state;
    int layer = state->count;
    for (int i = 0; i < 3; ++i) {
        tn_vec3 place = tinkertoys_find(run, layer, i);
        build_part part = build_part_at(place.x, place.y, place.z);
        part.mass = TINKERTOYS_MASS;
        part.filter.group = -1;
        part.type = layer == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
        state->balls[layer][i] = build_particle(run, &part, TINKERTOYS_BALL);
    }
    if (layer > 0) {
        tinkertoys_add_rods(run, layer);
    }
    state->count += 1;
}

static bool tinkertoys_build(scene_run *run) {
    tinkertoys_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    state->layers = (int)scene_run_get_value(run, "layers");
    tinkertoys_add_layer(run);
    tinkertoys_add_layer(run);
    scene_run_name_body(run, state->balls[1][0], "ball");
    return true;
}

// ---- and is changed ----------------------------------------------------------------------------

static void tinkertoys_lean(scene_run *run) {
    const tinkertoys_state *state = run->state;
    double since = state->time - tinkertoys_get_whole(state) - TINKERTOYS_STAND;
    double share = fmin(fmax(since / TINKERTOYS_LEAN, 0.0), 1.0);
    share = share * share * (3.0 - 2.0 * share);
    double length = TINKERTOYS_EDGE * (1.0 + share * (TINKERTOYS_LONG - 1.0));
    tn_distance_joint_set_length(run->world, state->rods[1][0], (float)length);
}

// The two rods on the first foot.
static void tinkertoys_cut(scene_run *run) {
    tinkertoys_state *state = run->state;
    tn_joint_id *rods[2] = {&state->rods[1][0], &state->rods[1][7]};
    for (int i = 0; i < 2; ++i) {
        if (rods[i]->value != 0) {
            tn_joint_destroy(run->world, *rods[i]);
            *rods[i] = (tn_joint_id){0};
        }
    }
}

static void tinkertoys_before_step(scene_run *run, double dt) {
    tinkertoys_state *state = run->state;
    state->time += dt;
    if (state->count <= state->layers && state->time > state->count * TINKERTOYS_PAUSE) {
        tinkertoys_add_layer(run);
    }
    if (state->time >= tinkertoys_get_end(state)) {
        tinkertoys_cut(run);
    } else if (state->time >= tinkertoys_get_whole(state) + TINKERTOYS_STAND) {
        tinkertoys_lean(run);
    }
}

// ---- what it measures --------------------------------------------------------------------------

static double tinkertoys_get_carried(const scene_run *run) {
    const tinkertoys_state *state = run->state;
    double sum = 0.0;
    for (int i = 0; i < TINKERTOYS_RODS; ++i) {
        sum += i % 3 < 2 ? tn_joint_get_reaction(run->world, state->rods[1][i]).force.y : 0.0;
    }
    return sum;
}

static void tinkertoys_after_step(scene_run *run, double dt) {
    tinkertoys_state *state = run->state;
    double stands_until = tinkertoys_get_whole(state) + TINKERTOYS_STAND;
    if (state->time < stands_until && state->time + dt >= stands_until) {
        state->carried = tinkertoys_get_carried(run);
    }
    if (state->time >= tinkertoys_get_end(state)) {
        return;
    }
    for (int layer = 1; layer < state->count; ++layer) {
        for (int i = 0; i < TINKERTOYS_RODS; ++i) {
            tn_joint_error error = tn_joint_get_error(run->world, state->rods[layer][i]);
            state->gap_max = fmax(state->gap_max, error.linear_length);
        }
    }
    double x = 0.0, z = 0.0;
    for (int i = 0; i < 3; ++i) {
        tn_vec3 place = tn_body_get_center(run->world, state->balls[state->count - 1][i]);
        x += place.x / 3.0;
        z += place.z / 3.0;
    }
    state->leaned = portable_hypot(x, z);
}

static void tinkertoys_measure(scene_run *run) {
    const tinkertoys_state *state = run->state;
    double highest = 0.0;
    for (int layer = 1; layer < state->count; ++layer) {
        for (int i = 0; i < 3; ++i) {
            double y = tn_body_get_center(run->world, state->balls[layer][i]).y;
            highest = fmax(highest, y);
        }
    }
    scene_run_add_figure(run, "rod_off_max_m", state->gap_max);
    scene_run_add_figure(run, "carried_N", state->carried);
    scene_run_add_figure(run, "weight_N", 3.0 * state->layers * TINKERTOYS_MASS * BUILD_GRAVITY);
    scene_run_add_figure(run, "leaned_m", state->leaned);
    scene_run_add_figure(run, "highest_ball_m", highest);
}

const scene scene_tinkertoys = {
    .name = "tinkertoys",
    .summary = "a mast of balls and rods that grows while it stands, leans and falls",
    .time = 10.0,
    .options = tinkertoys_options,
    .option_count = 1,
    .configure = tinkertoys_configure,
    .build = tinkertoys_build,
    .before_step = tinkertoys_before_step,
    .after_step = tinkertoys_after_step,
    .measure = tinkertoys_measure,
};
