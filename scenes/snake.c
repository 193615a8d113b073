// scenes/snake.c: a snake, a closed chain of particles, draws itself together around a shape in an
// image and stays on its edge; a hand pulls it off and lets go.
//
// The image has blobs of radius R_b, and its brightness at p is
//
//     I(p) = sum_b 1 / (1 + q_b)^2      q_b = |p - c_b|^2 / R_b^2
//
// The edge is where it is 1/4: of one blob alone its circle. Each particle has the goal
// E = (I(p) - 1/4)^2 / 2, and springs without length tie it to its neighbours. Source: M. Kass, A.
// Witkin, D. Terzopoulos, "Snakes: active contour models", International Journal of Computer Vision
// 1, 1988.
#include "scenes/fit.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define SNAKE_BEADS 60
#define SNAKE_DOTS  90
#define SNAKE_BLOBS 3
#define SNAKE_LEVEL 0.25
#define SNAKE_START 2.4 // m
#define SNAKE_HELD  4.0 // s

static const scene_option snake_options[] = {
    {"blobs", SNAKE_BLOBS, 1, SNAKE_BLOBS, "in the image"},
    {"strength", 1e4, 0, 1e12, "J, of the squared brightness"},
    {"stiffness", 5, 0, 1e6, "N/m, of the springs"},
    {"mobility", 0.1, 0.001, 100, "s: velocity for a force of 1 N on 1 kg"},
};

typedef struct snake_blob {
    double x, y, radius; // m
} snake_blob;
static const snake_blob snake_blobs[SNAKE_BLOBS] = {
    {0.0, 0.0, 0.9}, {0.8, 0.5, 0.6}, {-0.5, 0.8, 0.5}};

typedef struct snake_state {
    double blobs; // for the callback
    tn_body_id beads[SNAKE_BEADS];
    fit_hand hand;
} snake_state;

static void snake_configure(const double *values, tn_world_def *def) {
    fit_configure(def, values[3]);
}

// ---- the image ---------------------------------------------------------------------------------

// With f = (1 + q)^-2 and g = 2 (p - c) / R^2 = dq/dp: f' g, and f'' g g^T + 2 f' / R^2.
static void snake_get_brightness(const double *x, uint32_t count, tn_function_value *out,
                                 void *user_data) {
    (void)count;
    for (int b = 0; b < (int)*(const double *)user_data; ++b) {
        const snake_blob *blob = &snake_blobs[b];
        double scale = 2.0 / (blob->radius * blob->radius);
        const double g[2] = {scale * (x[0] - blob->x), scale * (x[1] - blob->y)};
        double q = (g[0] * g[0] + g[1] * g[1]) / (2.0 * scale), s = 1.0 / (1.0 + q);
        double first = -2.0 * s * s * s, second = 6.0 * s * s * s * s;
        out->value += s * s;
        for (int i = 0; i < 2; ++i) {
            out->first[i] += first * g[i];
            out->second[i][i] += first * scale;
            out->second[i][0] += second * g[i] * g[0];
            out->second[i][1] += second * g[i] * g[1];
        }
    }
}

static double snake_look(const snake_state *state, double x, double y, double *out_slope) {
    const double place[2] = {x, y};
    tn_function_value value = {0};
    double blobs = state->blobs;
    snake_get_brightness(place, 2, &value, &blobs);
    *out_slope = portable_hypot(value.first[0], value.first[1]);
    return value.value;
}

// The edge on a ray from the first blob's centre.
static tn_vec3 snake_find_edge(const snake_state *state, double turn) {
    double x = portable_cos(turn), y = portable_sin(turn), inside = 0.0, outside = SNAKE_START,
           slope;
    for (int i = 0; i < 50; ++i) {
        double r = 0.5 * (inside + outside);
        bool is_inside = snake_look(state, r * x, r * y, &slope) > SNAKE_LEVEL;
        inside = is_inside ? r : inside;
        outside = is_inside ? outside : r;
    }
    return build_point(inside * x, inside * y, 0.0);
}

// ---- the snake ---------------------------------------------------------------------------------

static void snake_add_goal(scene_run *run, tn_body_id bead) {
    snake_state *state = run->state;
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    const tn_node place[2] = {fit_variable(graph, 0, 0), fit_variable(graph, 0, 1)};
    tn_node brightness =
        tn_graph_add_function(graph, snake_get_brightness, &state->blobs, place, 2);
    tn_node error = fit_add_square(graph, tn_graph_add_number(graph, 0.0), brightness,
                                   tn_graph_add_number(graph, SNAKE_LEVEL));
    fit_add_goal(run, graph, error, &bead, 1, scene_run_get_value(run, "strength"));
}

static void snake_tie(scene_run *run, tn_body_id a, tn_body_id b) {
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connectors[0].body = a;
    def.base.connectors[1].body = b;
    def.spring.stiffness = scene_run_get_value(run, "stiffness");
    run->has_failed |= tn_spring_force_create(run->world, &def).value == 0;
}

static bool snake_build(scene_run *run) {
    snake_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->blobs = floor(scene_run_get_value(run, "blobs"));
    for (int i = 0; i < SNAKE_BEADS; ++i) {
        double turn = 2.0 * BUILD_PI * i / SNAKE_BEADS;
        state->beads[i] = fit_add_point(run, SNAKE_START * portable_cos(turn),
                                        SNAKE_START * portable_sin(turn), 0.04);
        scene_run_name_body(run, state->beads[i], "bead_%d", i);
        snake_add_goal(run, state->beads[i]);
    }
    for (int i = 0; i < SNAKE_BEADS; ++i) {
        snake_tie(run, state->beads[i], state->beads[(i + 1) % SNAKE_BEADS]);
    }
    for (int i = 0; i < SNAKE_DOTS; ++i) {
        tn_vec3 edge = snake_find_edge(state, 2.0 * BUILD_PI * i / SNAKE_DOTS);
        fit_add_dot(run, edge.x, edge.y, 0.015);
    }
    fit_hand_take(&state->hand, run, state->beads[50], build_point(0.8, -1.6, 0.0), SNAKE_HELD);
    return true;
}

static void snake_before_step(scene_run *run, double dt) {
    snake_state *state = run->state;
    fit_hand_move(&state->hand, run, dt);
}

static void snake_measure(scene_run *run) {
    const snake_state *state = run->state;
    double farthest = 0.0;
    for (int i = 0; i < SNAKE_BEADS; ++i) {
        tn_vec3 p = fit_get(run, state->beads[i]);
        double slope, off = snake_look(state, p.x, p.y, &slope) - SNAKE_LEVEL;
        farthest = fmax(farthest, fabs(off) / slope);
    }
    scene_run_add_figure(run, "off_edge_max_m", farthest);
}

// The shape in the image, and the snake.
static void snake_sketch(const scene_run *run, const scene_sketch *sketch) {
    const snake_state *state = run->state;
    tn_vec3 edge[SNAKE_DOTS + 1];
    for (int i = 0; i <= SNAKE_DOTS; ++i) {
        edge[i] = snake_find_edge(state, 2.0 * BUILD_PI * i / SNAKE_DOTS);
    }
    sketch->add(sketch->context, SCENE_PEN_FRAME, edge, SNAKE_DOTS + 1);
    sketch_thread(sketch, SCENE_PEN_CURVE, run->world, state->beads, SNAKE_BEADS, true);
}

const scene scene_snake = {
    .name = "snake",
    .summary = "a chain of particles draws itself around a shape in an image: goals and springs",
    .time = 8.0,
    .options = snake_options,
    .option_count = 4,
    .configure = snake_configure,
    .build = snake_build,
    .before_step = snake_before_step,
    .measure = snake_measure,
    .picture = {.moments = 2, .sketch = snake_sketch},
};
