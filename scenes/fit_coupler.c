// scenes/fit_coupler.c: a four-bar linkage whose coupler draws a given path: its pivots and lengths
// are found while a hand pulls a pivot away and lets go.
//
// Variables are the pivots a_0, b_0, the lengths a, c, b of crank, coupler and rocker, the
// coupler's point (u, v) in its own frame, and for each of the points p_i of the path the turn t_i
// of the crank where a copy of the linkage passes it. With the crank's end a_i, d = b_0 - a_i of
// length l
//
//     a_i = a_0 + a (cos t_i, sin t_i)    m = (c^2 - b^2 + l^2) / (2 l)    n^2 = c^2 - m^2
//     e_i = (m d + n d') / (l c)          E = sum_i |a_i + u e_i + v e_i' - p_i|^2 / 2
//
// ' being a quarter turn to the left: e_i is the direction of the coupler where the linkage closes.
// The path is that of a known linkage, so that E can be zero. Sources: A. Witkin, M. Gleicher, W.
// Welch, "Interactive dynamics", 1990; J. Angeles, S. Bai, "Kinematics of mechanical systems",
// 2022.
#include "scenes/fit.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define COUPLER_POINTS 18
#define COUPLER_TURNS  (COUPLER_POINTS / 3) // bodies with three of them each
#define COUPLER_BODIES (4 + COUPLER_TURNS)
#define COUPLER_DOTS   60
#define COUPLER_TURN   (2.0 * BUILD_PI)
#define COUPLER_HELD   2.0  // s
#define COUPLER_SHOWN  0.16 // of a turn: where the linkage is shown

static const scene_option fit_coupler_options[] = {
    {"strength", 1e5, 0, 1e12, "N/m, of each distance from the path"},
    {"mobility", 0.1, 0.001, 100, "s: velocity for a force of 1 N on 1 kg"},
};

// Which body has which numbers; from COUPLER_FIRST_TURN on three turns each.
enum {
    COUPLER_CRANK,
    COUPLER_ROCKER,
    COUPLER_LENGTHS,
    COUPLER_PLACE,
    COUPLER_FIRST_TURN
};

// A linkage in numbers.
typedef struct coupler_linkage {
    double ax, ay, bx, by; // pivots, m
    double a, c, b;        // crank, coupler, rocker, m
    double u, v;           // of the coupler's point, m
} coupler_linkage;
static const coupler_linkage coupler_known = {0.0, 0.0, 1.0, 0.0, 0.5, 1.2, 1.1, 0.5, 1.2};
static const coupler_linkage coupler_start = {-0.1, 0.1, 1.1, -0.1, 0.55, 1.3, 1.2, 0.6, 1.1};

typedef struct fit_coupler_state {
    tn_body_id variables[COUPLER_BODIES];
    tn_body_id dots[COUPLER_DOTS];
    tn_body_id joints[2];
    tn_force_id goal;
    tn_node error;
    fit_hand hand;
} fit_coupler_state;

static void fit_coupler_configure(const double *values, tn_world_def *def) {
    fit_configure(def, values[1]);
}

// ---- linkages ----------------------------------------------------------------------------------

// The two joints and the coupler's point where the crank has made a share of a turn.
static void coupler_find(const coupler_linkage *l, double share, tn_vec3 out[3]) {
    double turn = COUPLER_TURN * share;
    out[0] = build_point(l->ax + l->a * portable_cos(turn), l->ay + l->a * portable_sin(turn), 0.0);
    out[1] = build_meet(out[0], l->c, build_point(l->bx, l->by, 0.0), l->b);
    double x = (out[1].x - out[0].x) / l->c, y = (out[1].y - out[0].y) / l->c;
    out[2] = build_point(out[0].x + l->u * x - l->v * y, out[0].y + l->u * y + l->v * x, 0.0);
}

static coupler_linkage coupler_get(const scene_run *run) {
    const fit_coupler_state *state = run->state;
    tn_vec3 a = fit_get(run, state->variables[COUPLER_CRANK]);
    tn_vec3 b = fit_get(run, state->variables[COUPLER_ROCKER]);
    tn_vec3 lengths = fit_get(run, state->variables[COUPLER_LENGTHS]);
    tn_vec3 place = fit_get(run, state->variables[COUPLER_PLACE]);
    return (coupler_linkage){a.x, a.y, b.x, b.y, lengths.x, lengths.y, lengths.z, place.x, place.y};
}

// In whole turns.
static double coupler_get_turn(int i) {
    return (double)i / COUPLER_POINTS;
}

// ---- the goal ----------------------------------------------------------------------------------
//
// Sums go in the order of the nodes, and the order of a call's arguments is the compiler's: at most
// one of them adds nodes.

// A quarter turn to the left.
static tn_node coupler_turn(tn_graph *graph, tn_node direction) {
    tn_node up = tn_graph_add_vector(graph, (tn_vec3){0.0, 0.0, 1.0});
    return tn_graph_add_cross(graph, up, direction);
}

static tn_node coupler_square(tn_graph *graph, tn_node a) {
    return tn_graph_add_product(graph, a, a);
}

static tn_node coupler_add_crank(tn_graph *graph, int i) {
    tn_node share = fit_variable(graph, (uint32_t)(COUPLER_FIRST_TURN + i / 3), (uint32_t)(i % 3));
    tn_node turn = tn_graph_add_product(graph, tn_graph_add_number(graph, COUPLER_TURN), share);
    tn_node zero = tn_graph_add_number(graph, 0.0);
    tn_node cosine = tn_graph_add_cosine(graph, turn), sine = tn_graph_add_sine(graph, turn);
    tn_node way = tn_graph_add_vector_of(graph, cosine, sine, zero);
    tn_node pivot = tn_graph_add_point(graph, COUPLER_CRANK, (tn_vec3){0.0, 0.0, 0.0});
    tn_node length = fit_variable(graph, COUPLER_LENGTHS, 0);
    return tn_graph_add_sum(graph, pivot, tn_graph_add_product(graph, length, way));
}

// The direction of the coupler from the crank's end.
static tn_node coupler_add_direction(tn_graph *graph, tn_node crank) {
    tn_node c = fit_variable(graph, COUPLER_LENGTHS, 1),
            b = fit_variable(graph, COUPLER_LENGTHS, 2);
    tn_node pivot = tn_graph_add_point(graph, COUPLER_ROCKER, (tn_vec3){0.0, 0.0, 0.0});
    tn_node d = tn_graph_add_difference(graph, pivot, crank), l = tn_graph_add_norm(graph, d);
    tn_node cc = coupler_square(graph, c), bb = coupler_square(graph, b);
    tn_node rest = tn_graph_add_difference(graph, cc, bb);
    tn_node sum = tn_graph_add_sum(graph, rest, coupler_square(graph, l));
    tn_node twice = tn_graph_add_product(graph, tn_graph_add_number(graph, 2.0), l);
    tn_node m = tn_graph_add_quotient(graph, sum, twice);
    tn_node nn = tn_graph_add_difference(graph, cc, coupler_square(graph, m));
    tn_node n = tn_graph_add_root(graph, nn);
    tn_node along = tn_graph_add_product(graph, m, d);
    tn_node across = tn_graph_add_product(graph, n, coupler_turn(graph, d));
    tn_node lc = tn_graph_add_product(graph, l, c);
    return tn_graph_add_quotient(graph, tn_graph_add_sum(graph, along, across), lc);
}

static tn_node coupler_add_square(tn_graph *graph, tn_node sum, int i, tn_vec3 target) {
    tn_node crank = coupler_add_crank(graph, i), e = coupler_add_direction(graph, crank);
    tn_node u = fit_variable(graph, COUPLER_PLACE, 0), v = fit_variable(graph, COUPLER_PLACE, 1);
    tn_node along = tn_graph_add_product(graph, u, e);
    tn_node across = tn_graph_add_product(graph, v, coupler_turn(graph, e));
    tn_node p = tn_graph_add_sum(graph, crank, tn_graph_add_sum(graph, along, across));
    tn_node x = tn_graph_add_component(graph, p, 0), y = tn_graph_add_component(graph, p, 1);
    sum = fit_add_square(graph, sum, x, tn_graph_add_number(graph, target.x));
    return fit_add_square(graph, sum, y, tn_graph_add_number(graph, target.y));
}

// ---- the scene ---------------------------------------------------------------------------------

// Three numbers.
static tn_body_id coupler_add_numbers(scene_run *run, double x, double y, double z, double mass) {
    build_part part = build_part_at(x, y, z);
    part.mass = mass;
    return build_particle(run, &part, 0.0);
}

static void coupler_add_variables(scene_run *run) {
    fit_coupler_state *state = run->state;
    const coupler_linkage *start = &coupler_start;
    state->variables[COUPLER_CRANK] = fit_add_point(run, start->ax, start->ay, 0.06);
    state->variables[COUPLER_ROCKER] = fit_add_point(run, start->bx, start->by, 0.06);
    state->variables[COUPLER_LENGTHS] = coupler_add_numbers(run, start->a, start->c, start->b, 1.0);
    state->variables[COUPLER_PLACE] = coupler_add_numbers(run, start->u, start->v, 0.0, 1.0);
    // In turns: as willing to move as they would be in radians.
    for (int k = 0; k < COUPLER_TURNS; ++k) {
        state->variables[COUPLER_FIRST_TURN + k] =
            coupler_add_numbers(run, coupler_get_turn(3 * k), coupler_get_turn(3 * k + 1),
                                coupler_get_turn(3 * k + 2), COUPLER_TURN * COUPLER_TURN);
    }
}

static void coupler_place_dots(scene_run *run) {
    const fit_coupler_state *state = run->state;
    coupler_linkage linkage = coupler_get(run);
    tn_vec3 at[3];
    for (int i = 0; i < COUPLER_DOTS; ++i) {
        coupler_find(&linkage, (double)i / COUPLER_DOTS, at);
        fit_move(run, state->dots[i], at[2].x, at[2].y);
    }
    coupler_find(&linkage, COUPLER_SHOWN, at);
    fit_move(run, state->joints[0], at[0].x, at[0].y);
    fit_move(run, state->joints[1], at[1].x, at[1].y);
}

static bool fit_coupler_build(scene_run *run) {
    fit_coupler_state *state = scene_run_alloc_state(run, sizeof *state);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    if (state == NULL || graph == NULL) {
        tn_graph_destroy(graph);
        return false;
    }
    coupler_add_variables(run);
    state->error = tn_graph_add_number(graph, 0.0);
    for (int i = 0; i < COUPLER_POINTS; ++i) {
        tn_vec3 at[3];
        coupler_find(&coupler_known, coupler_get_turn(i), at);
        fit_add_dot(run, at[2].x, at[2].y, 0.03);
        state->error = coupler_add_square(graph, state->error, i, at[2]);
    }
    state->goal = fit_add_goal(run, graph, state->error, state->variables, COUPLER_BODIES,
                               scene_run_get_value(run, "strength"));
    for (int i = 0; i < COUPLER_DOTS; ++i) {
        state->dots[i] = fit_add_dot(run, 0.0, 0.0, 0.012);
    }
    state->joints[0] = fit_add_dot(run, 0.0, 0.0, 0.04);
    state->joints[1] = fit_add_dot(run, 0.0, 0.0, 0.04);
    coupler_place_dots(run);
    fit_hand_take(&state->hand, run, state->variables[COUPLER_ROCKER], build_point(1.4, 0.3, 0.0),
                  COUPLER_HELD);
    return true;
}

static void fit_coupler_before_step(scene_run *run, double dt) {
    fit_coupler_state *state = run->state;
    fit_hand_move(&state->hand, run, dt);
}

static void fit_coupler_after_step(scene_run *run, double dt) {
    (void)dt;
    coupler_place_dots(run);
}

static void fit_coupler_measure(scene_run *run) {
    const fit_coupler_state *state = run->state;
    double sum = tn_goal_force_get_value(run->world, state->goal, state->error);
    coupler_linkage linkage = coupler_get(run);
    scene_run_add_figure(run, "off_path_rms_m", sqrt(2.0 * sum / COUPLER_POINTS));
    scene_run_add_figure(run, "steepness", fit_get_steepness(run, state->goal, COUPLER_BODIES));
    scene_run_add_figure(run, "crank_m", linkage.a);
    scene_run_add_figure(run, "coupler_m", linkage.c);
    scene_run_add_figure(run, "rocker_m", linkage.b);
    scene_run_add_figure(run, "ground_m",
                         portable_hypot(linkage.bx - linkage.ax, linkage.by - linkage.ay));
}

// The path that the coupler draws, and the linkage in one place: crank, coupler with its point,
// rocker.
static void fit_coupler_sketch(const scene_run *run, const scene_sketch *sketch) {
    const fit_coupler_state *state = run->state;
    coupler_linkage l = coupler_get(run);
    tn_vec3 at[3];
    coupler_find(&l, COUPLER_SHOWN, at);
    tn_vec3 a = build_point(l.ax, l.ay, 0.0), b = build_point(l.bx, l.by, 0.0);
    tn_vec3 plate[4] = {at[0], at[1], at[2], at[0]};
    sketch_thread(sketch, SCENE_PEN_CURVE, run->world, state->dots, COUPLER_DOTS, true);
    sketch_line(sketch, SCENE_PEN_FRAME, a, at[0]);
    sketch_line(sketch, SCENE_PEN_FRAME, at[1], b);
    sketch->add(sketch->context, SCENE_PEN_FRAME, plate, 4);
}

const scene scene_fit_coupler = {
    .name = "fit_coupler",
    .summary = "pivots and lengths of a four-bar linkage, found from the path it shall draw",
    .time = 8.0,
    .options = fit_coupler_options,
    .option_count = 2,
    .configure = fit_coupler_configure,
    .build = fit_coupler_build,
    .before_step = fit_coupler_before_step,
    .after_step = fit_coupler_after_step,
    .measure = fit_coupler_measure,
    .picture = {.moments = 1, .sketch = fit_coupler_sketch},
};
