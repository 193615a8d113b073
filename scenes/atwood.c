// scenes/atwood.c: two weights on two ropes that run over a wheel.
//
// The ropes are chains of capsules that lie on the wheel and turn it by friction. With the masses
// m1 > m2, a rope density q (kg/m, both ropes), all rope of mass m_r, and a wheel of inertia I
// whose ropes run at the radius r, the weights move by s with
//     (m1 + m2 + m_r + I / r^2) s'' = (m1 - m2 + 2 q s) g,
// so s = (m1 - m2) / (2 q) (cosh(k t) - 1) with k^2 = 2 q g / (m1 + m2 + m_r + I / r^2).
// A brake holds the wheel for a second, in which the ropes tighten.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define ATWOOD_RADIUS       0.5  // m of the wheel
#define ATWOOD_ROPE         0.02 // m, radius
#define ATWOOD_ARC          16   // links on the upper half of the wheel
#define ATWOOD_SIDE         20   // links that hang on either side
#define ATWOOD_LINKS        (ATWOOD_ARC + 2 * ATWOOD_SIDE)
#define ATWOOD_APART        0.15 // m from the middle to either rope
#define ATWOOD_FILTER_WHEEL 2    // category: ropes touch the wheel only
#define ATWOOD_FILTER_ROPE  4
#define ATWOOD_BRAKE        1.0 // s: when the brake comes off

static const scene_option atwood_options[] = {
    {"mass1", 30, 1, 1000, "kg of the left weight"},
    {"mass2", 20, 1, 1000, "kg of the right weight"},
    {"wheel", 10, 0.1, 1000, "kg of the wheel"},
    {"link", 0.3, 0.001, 10, "kg of a link of the ropes"},
};

typedef struct atwood_state {
    tn_body_id left, right, wheel;
    tn_joint_id axle;
    bool is_free;        // the brake is off
    double left_height;  // m, when the brake came off
    double right_height; // m
    double wheel_angle;  // rad, turned since
    double last_angle;   // rad
} atwood_state;

static double atwood_get_rope_radius(void) {
    return ATWOOD_RADIUS + ATWOOD_ROPE;
}

static double atwood_get_link_length(void) {
    return 2.0 * atwood_get_rope_radius() * portable_sin(0.5 * BUILD_PI / ATWOOD_ARC);
}

// From the left end up, over the wheel and down to the right end.
static void atwood_get_points(double z, tn_vec3 *out_points) {
    double radius = atwood_get_rope_radius();
    double length = atwood_get_link_length();
    for (int i = 0; i <= ATWOOD_LINKS; i++) {
        int on_arc = i - ATWOOD_SIDE;
        if (on_arc < 0) {
            out_points[i] = build_point(-radius, on_arc * length, z);
        } else if (on_arc > ATWOOD_ARC) {
            out_points[i] = build_point(radius, (ATWOOD_ARC - on_arc) * length, z);
        } else {
            double angle = BUILD_PI * (1.0 - (double)on_arc / ATWOOD_ARC);
            out_points[i] =
                build_point(radius * portable_cos(angle), radius * portable_sin(angle), z);
        }
    }
}

static void atwood_add_rope(scene_run *run, const atwood_state *state, double z) {
    tn_vec3 points[ATWOOD_LINKS + 1];
    tn_body_id links[ATWOOD_LINKS];
    atwood_get_points(z, points);
    build_links rope = {.points = points,
                        .count = ATWOOD_LINKS,
                        .link_mass = scene_run_get_value(run, "link"),
                        .radius = ATWOOD_ROPE};
    rope.material.friction = 1.0f;
    rope.filter.category = ATWOOD_FILTER_ROPE;
    rope.filter.mask = ATWOOD_FILTER_WHEEL;
    build_rope_of_links(run, &rope, links);
    build_ball_joint(run, state->left, links[0], points[0], build_axis_y());
    build_ball_joint(run, links[ATWOOD_LINKS - 1], state->right, points[ATWOOD_LINKS],
                     build_axis_y());
}

// A weight whose top is where the ropes end.
static tn_body_id atwood_add_weight(scene_run *run, double x, double mass, const char *name) {
    double size = portable_cbrt(mass / 7800.0 * 2.0);
    double top = -ATWOOD_SIDE * atwood_get_link_length();
    build_part part = build_part_at(x, top - 0.5 * size, 0.0);
    part.mass = mass;
    part.filter.mask = 0;
    tn_body_id body = build_box(run, &part, size, size, fmax(size, 2.4 * ATWOOD_APART));
    scene_run_name_body(run, body, "%s", name);
    return body;
}

static bool atwood_build(scene_run *run) {
    atwood_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double radius = atwood_get_rope_radius();
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.mass = scene_run_get_value(run, "wheel");
    part.material.friction = 1.0f;
    part.filter.category = ATWOOD_FILTER_WHEEL;
    part.filter.mask = ATWOOD_FILTER_ROPE;
    state->wheel = build_disc(run, &part, ATWOOD_RADIUS, 2.6 * ATWOOD_APART);
    state->axle =
        build_hinge(run, (tn_body_id){0}, state->wheel, part.pose.position, build_axis_z());
    build_hinge_speed(run, state->axle, 0.0, 1e6);
    scene_run_name_body(run, state->wheel, "wheel");
    scene_run_name_joint(run, state->axle, "axle");
    state->left = atwood_add_weight(run, -radius, scene_run_get_value(run, "mass1"), "left");
    state->right = atwood_add_weight(run, radius, scene_run_get_value(run, "mass2"), "right");
    atwood_add_rope(run, state, -ATWOOD_APART);
    atwood_add_rope(run, state, ATWOOD_APART);
    return true;
}

static double atwood_get_height(const scene_run *run, tn_body_id body) {
    return tn_body_get_center(run->world, body).y;
}

static void atwood_before_step(scene_run *run, double dt) {
    atwood_state *state = run->state;
    if (state->is_free || tn_world_get_time(run->world) < ATWOOD_BRAKE - 0.5 * dt) {
        return;
    }
    state->is_free = true;
    state->left_height = atwood_get_height(run, state->left);
    state->right_height = atwood_get_height(run, state->right);
    state->last_angle = tn_hinge_joint_get_angle(run->world, state->axle);
    tn_hinge_joint_set_motor(run->world, state->axle, tn_hinge_joint_def_default().motor);
}

static void atwood_after_step(scene_run *run, double dt) {
    (void)dt;
    atwood_state *state = run->state;
    if (state->is_free) {
        double angle = tn_hinge_joint_get_angle(run->world, state->axle);
        state->wheel_angle += remainder(angle - state->last_angle, 2.0 * BUILD_PI);
        state->last_angle = angle;
    }
}

static void atwood_measure(scene_run *run) {
    const atwood_state *state = run->state;
    double mass1 = scene_run_get_value(run, "mass1");
    double mass2 = scene_run_get_value(run, "mass2");
    double link = scene_run_get_value(run, "link");
    double radius = atwood_get_rope_radius();
    double inertia = tn_body_get_mass(run->world, state->wheel).inertia.zz;
    double moved = mass1 + mass2 + 2.0 * ATWOOD_LINKS * link + inertia / (radius * radius);
    double density = 2.0 * link / atwood_get_link_length();
    double rate = sqrt(2.0 * density * BUILD_GRAVITY / moved);
    double time = fmax(0.0, tn_world_get_time(run->world) - ATWOOD_BRAKE);
    double exact = 0.5 * (mass1 - mass2) / density * (cosh(rate * time) - 1.0);

    double fallen = state->left_height - atwood_get_height(run, state->left);
    double risen = atwood_get_height(run, state->right) - state->right_height;
    scene_run_add_figure(run, "left_fallen_m", state->is_free ? fallen : 0.0);
    scene_run_add_figure(run, "right_risen_m", state->is_free ? risen : 0.0);
    if (exact < ATWOOD_SIDE * atwood_get_link_length()) { // then a rope's end comes to the wheel
        scene_run_add_figure(run, "exact_m", exact);
    }
    scene_run_add_figure(run, "wheel_turned_m", state->wheel_angle * radius);
}

const scene scene_atwood = {
    .name = "atwood",
    .summary = "two weights on two ropes (chains of capsules) over a wheel, held by friction",
    .time = 2.25,
    .options = atwood_options,
    .option_count = 4,
    .build = atwood_build,
    .before_step = atwood_before_step,
    .after_step = atwood_after_step,
    .measure = atwood_measure,
};
