// scenes/net.c: a level net of particles, and a ball that falls into it.
//
// The knots touch the ball and not each other. Threads are longer than the way between knots in the
// frame, so that the net hangs loose and the ball takes it along before it is caught.
#include "scenes/build_particles.h"
#include "scenes/registry.h"

#define NET_MAX_SIDE    200
#define NET_MESH        0.1   // m between knots
#define NET_KNOT_RADIUS 0.02  // m
#define NET_KNOT_MASS   0.005 // kg
#define NET_BALL_RADIUS 0.2   // m
#define NET_BALL_HEIGHT 1.0   // m above the net
#define NET_DAMPING     0.5   // 1/s: of the air
#define NET_STIFFNESS   500.0 // N/m, of threads that are springs

static const scene_option net_options[] = {
    {"side", 20, 3, NET_MAX_SIDE, "knots along each edge"},
    {"thread", 1, 0, 2, "0: rods; 1: ropes; 2: springs"},
    {"slack", 1.1, 1, 2, "length of a thread over the way between knots; of a rod 1"},
    {"corners", 0, 0, 1, "0: the whole border is fixed; 1: its corners"},
    {"ball", 1, 0, 100, "kg of the ball; 0: none"},
    {"speed", 3, 0, 100, "m/s of the ball, down and a tenth of it to the side"},
};

typedef struct net_state {
    tn_body_id ball;
    tn_body_id knots[NET_MAX_SIDE * NET_MAX_SIDE];
} net_state;

static void net_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// The knots of the border are the frame, or four of them.
static void net_hold(scene_run *run, const net_state *state, uint32_t side) {
    bool by_corners = scene_run_get_value(run, "corners") >= 0.5;
    for (uint32_t i = 0; i < side * side; i++) {
        bool is_on_rows = i / side == 0 || i / side == side - 1;
        bool is_on_columns = i % side == 0 || i % side == side - 1;
        if (by_corners ? is_on_rows && is_on_columns : is_on_rows || is_on_columns) {
            tn_body_set_type(run->world, state->knots[i], TN_BODY_TYPE_STATIC);
        }
    }
}

static void net_throw(scene_run *run, net_state *state) {
    double mass = scene_run_get_value(run, "ball"), speed = scene_run_get_value(run, "speed");
    if (mass <= 0.0) {
        return;
    }
    build_part part = build_part_at(0.0, NET_BALL_HEIGHT, 0.0);
    part.mass = mass;
    part.velocity.linear = (tn_vec3){0.1 * speed, -speed, 0.0};
    state->ball = build_sphere(run, &part, NET_BALL_RADIUS);
    scene_run_name_body(run, state->ball, "ball");
}

static bool net_build(scene_run *run) {
    net_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    uint32_t side = (uint32_t)scene_run_get_value(run, "side");
    double half = 0.5 * NET_MESH * (side - 1);
    build_net net = {.columns = side,
                     .rows = side,
                     .corner = build_point(-half, 0.0, -half),
                     .across = {NET_MESH, 0.0, 0.0},
                     .down = {0.0, 0.0, NET_MESH},
                     .knots = {.mass = NET_KNOT_MASS,
                               .radius = NET_KNOT_RADIUS,
                               .damping = NET_DAMPING,
                               .filter = build_part_at(0.0, 0.0, 0.0).filter}};
    net.knots.filter.group = -1;
    build_threads *threads = &net.knots.threads;
    threads->type = (build_thread_type)scene_run_get_value(run, "thread");
    threads->slack = threads->type == BUILD_THREAD_ROD ? 1.0 : scene_run_get_value(run, "slack");
    threads->stiffness = NET_STIFFNESS;
    build_net_of_knots(run, &net, state->knots);
    net_hold(run, state, side);
    net_throw(run, state);
    return true;
}

static void net_measure(scene_run *run) {
    const net_state *state = run->state;
    scene_run_add_figure(run, "joints", tn_world_count_joints(run->world));
    if (state->ball.value != 0) {
        scene_run_add_figure(run, "ball_height_m", tn_body_get_center(run->world, state->ball).y);
    }
}

const scene scene_net = {
    .name = "net",
    .summary = "a net of particles that catches a ball",
    .time = 4.0,
    .options = net_options,
    .option_count = 6,
    .configure = net_configure,
    .build = net_build,
    .measure = net_measure,
    .picture = {.view = SCENE_VIEW_CORNER, .moments = 1},
};
