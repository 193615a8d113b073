// scenes/skittles.c: a wheel rolls into ten skittles, and a cone and a coin go round.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define SKITTLES_COUNT  10
#define SKITTLES_HALF   0.19  // m: half a skittle's height without its rounding
#define SKITTLES_ROUND  0.01  // m
#define SKITTLES_APART  0.17  // m, from middle to middle
#define SKITTLES_WHEEL  0.25  // m
#define SKITTLES_COIN   0.3   // m
#define SKITTLES_EDGE   0.03  // m: half a coin's thickness
#define SKITTLES_FALLEN 0.866 // the cosine of the lean of one that has fallen

static const scene_option skittles_options[] = {
    {"speed", 4, 0, 30, "m/s of the wheel"},
    {"lean", 60, 20, 85, "degrees from the coin's axis to the vertical"},
    {"turn", 3, 0.5, 20, "rad/s at which the coin goes round"},
};

typedef struct skittles_state {
    tn_body_id pins[SKITTLES_COUNT], coin;
    tn_vec3 middle;            // of the coin's circle
    double radius, height;     // m: of the circle, and of the coin's centre
    double aside_max, off_max; // m
} skittles_state;

static tn_body_id skittles_add(scene_run *run, double x, double y, double z) {
    build_part part = build_part_at(x, y, z);
    return build_body(run, &part);
}

static tn_shape_def skittles_def(double density, double friction) {
    tn_shape_def def = tn_shape_def_default();
    def.density = (float)density;
    def.material.friction = (float)friction;
    return def;
}

static void skittles_add_pins(scene_run *run, skittles_state *state) {
    int index = 0;
    for (int row = 0; row < 4; row++) {
        for (int i = 0; i <= row; i++) {
            double x = 2.0 + row * SKITTLES_APART * 0.866, z = (i - 0.5 * row) * SKITTLES_APART;
            tn_body_id pin = skittles_add(run, x, SKITTLES_HALF + SKITTLES_ROUND, z);
            tn_shape_def def = skittles_def(700.0, 0.5);
            def.rounding = (float)SKITTLES_ROUND;
            tn_tapered_cylinder_shape_create(run->world, pin, &def, (float)SKITTLES_HALF, 0.05f,
                                             0.025f);
            state->pins[index++] = pin;
        }
    }
}

static void skittles_add_wheel(scene_run *run, double speed) {
    build_part part = build_part_at(-2.0, SKITTLES_WHEEL, 0.04);
    build_turn(&part.pose, build_point(1.0, 0.0, 0.0), 0.5 * BUILD_PI);
    part.velocity.linear.x = speed;
    part.velocity.angular.z = -speed / SKITTLES_WHEEL;
    tn_body_id wheel = build_body(run, &part);
    tn_shape_def def = skittles_def(300.0, 0.8);
    tn_cylinder_shape_create(run->world, wheel, &def, 0.06f, (float)SKITTLES_WHEEL);
    scene_run_name_body(run, wheel, "wheel");
}

// Sets the coin into its steady circle. With r from its centre of mass to the point that touches, W
// its turn about n and s its spin about the axis a, the angular momentum L and the load obey
//     W n x L = r x m (g n + W n x v),    v = -w x r,
// which is linear in s: E. J. Routh, "Advanced Dynamics of a System of Rigid Bodies", 1905.
static void skittles_add_coin(scene_run *run, skittles_state *state) {
    double lean = scene_run_get_value(run, "lean") * BUILD_PI / 180.0;
    double turn = scene_run_get_value(run, "turn"), g = 9.81;
    double sine = portable_sin(lean), cosine = portable_cos(lean);
    double x = -SKITTLES_EDGE * sine + SKITTLES_COIN * cosine;
    double y = -SKITTLES_EDGE * cosine - SKITTLES_COIN * sine;
    double axial = 0.5 * SKITTLES_COIN * SKITTLES_COIN;
    double across = 0.5 * axial + SKITTLES_EDGE * SKITTLES_EDGE / 3.0;
    double slope = -turn * axial * sine - turn * y * (sine * y - cosine * x);
    double rest = turn * turn * (cosine * sine * (across - axial) + y * x) - x * g;
    double spin = -rest / slope, speed = (turn + spin * cosine) * x - spin * sine * y;
    state->middle = build_point(-0.5, 0.0, 2.0);
    state->radius = fabs(speed / turn);
    state->height = -y;
    build_part part = build_part_at(state->middle.x - speed / turn, -y, state->middle.z);
    build_turn(&part.pose, build_point(0.0, 0.0, -1.0), lean);
    part.velocity.linear.z = speed;
    part.velocity.angular = build_point(spin * sine, turn + spin * cosine, 0.0);
    state->coin = build_body(run, &part);
    tn_shape_def def = skittles_def(2000.0, 1.0);
    tn_cylinder_shape_create(run->world, state->coin, &def, (float)SKITTLES_EDGE,
                             (float)SKITTLES_COIN);
    scene_run_name_body(run, state->coin, "coin");
}

// A cone that lies on its side rolls about its apex: it turns about the line that touches.
static void skittles_add_cone(scene_run *run) {
    const double half = 0.3, radius = 0.2, turn = 4.0; // rad/s
    double slant = sqrt(4.0 * half * half + radius * radius), sine = radius / slant;
    build_part part = build_part_at(-0.5, half * sine, -2.0);
    build_turn(&part.pose, build_point(0.0, 0.0, 1.0), -0.5 * BUILD_PI - portable_asin(sine));
    part.velocity.linear.z = turn * half * sine;
    part.velocity.angular.x = turn;
    tn_body_id cone = build_body(run, &part);
    tn_shape_def def = skittles_def(500.0, 0.8);
    tn_cone_shape_create(run->world, cone, &def, (float)half, (float)radius);
    scene_run_name_body(run, cone, "cone");
}

static bool skittles_build(scene_run *run) {
    skittles_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    skittles_add_pins(run, state);
    skittles_add_wheel(run, scene_run_get_value(run, "speed"));
    skittles_add_coin(run, state);
    skittles_add_cone(run);
    return true;
}

static void skittles_after_step(scene_run *run, double dt) {
    (void)dt;
    skittles_state *state = run->state;
    tn_vec3 at = tn_body_get_center(run->world, state->coin);
    double reach = portable_hypot(at.x - state->middle.x, at.z - state->middle.z);
    state->off_max = fmax(state->off_max, fabs(reach - state->radius));
    state->aside_max = fmax(state->aside_max, fabs(at.y - state->height));
}

static void skittles_measure(scene_run *run) {
    const skittles_state *state = run->state;
    int fallen = 0;
    for (int i = 0; i < SKITTLES_COUNT; i++) {
        tn_vec3 up = build_point(0.0, 1.0, 0.0);
        tn_vec3 axis = tn_body_get_world_vector(run->world, state->pins[i], up);
        fallen += axis.y < SKITTLES_FALLEN ? 1 : 0;
    }
    scene_run_add_figure(run, "fallen", fallen);
    scene_run_add_figure(run, "coin_off_circle_m", state->off_max);
    scene_run_add_figure(run, "coin_rise_m", state->aside_max);
}

const scene scene_skittles = {
    .name = "skittles",
    .summary = "a wheel rolls into ten skittles; a coin and a cone go round",
    .time = 4.0,
    .options = skittles_options,
    .option_count = 3,
    .build = skittles_build,
    .after_step = skittles_after_step,
    .measure = skittles_measure,
};
