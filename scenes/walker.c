// scenes/walker.c: a walking machine on twelve legs of Theo Jansen's linkage, with one motor.
//
// The eleven bars of a leg, in the designer's proportions (T. Jansen, The Great Pretender, 2007):
// the crank m turns about O; B is fixed at (-a, -l) from O. Bars j and k hang from the crank pin P;
// the upper triangle B-C-D (b, e, d) and the bar c turn about B; f joins D to the lower triangle
// E-F-G (g, h, i), whose corner G is the foot. Six legs on each side of the body, at cranks 120
// degrees apart, a leg and its mirror image on each crank.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define WALKER_SCALE 0.01 // m for each unit of the proportions below
#define WALKER_A     38.0
#define WALKER_B     41.5
#define WALKER_C     39.3
#define WALKER_D     40.1
#define WALKER_E     55.8
#define WALKER_F     39.4
#define WALKER_G     36.7
#define WALKER_H     65.7
#define WALKER_I     49.0
#define WALKER_J     50.0
#define WALKER_K     61.9
#define WALKER_L     7.8
#define WALKER_M     15.0

#define WALKER_BAR        0.02 // m, thickness
#define WALKER_FOOT       0.03 // m, radius
#define WALKER_PITCH      0.15 // m between cranks
#define WALKER_HEIGHT     0.96 // m of the crank axis at the start: no foot is in the ground
#define WALKER_MASS       10.0 // kg of the body
#define WALKER_FILTER_LEG 2    // category of legs: they touch the ground only

static const scene_option walker_options[] = {
    {"speed", 3, -20, 20, "rad/s of the motor; positive walks to the left"},
    {"max_torque", 200, 0, 10000, "N m of the motor; 0: no cap"},
};

typedef struct walker_state {
    tn_body_id body;
    double lowest, highest; // m: of the body, once it walks
} walker_state;

// The points of a leg, in the machine's frame.
typedef struct walker_leg {
    tn_vec3 p, b, c, d, e, f, g;
} walker_leg;

// The leg on the left, the right one mirrored in x; `angle` is the crank's.
static walker_leg walker_get_leg(double angle, double side, double z) {
    double s = WALKER_SCALE;
    walker_leg leg;
    leg.p = build_point(s * WALKER_M * portable_cos(angle) * side,
                        s * WALKER_M * portable_sin(angle), z);
    leg.b = build_point(-s * WALKER_A, -s * WALKER_L, z);
    leg.c = build_meet(leg.b, s * WALKER_B, leg.p, s * WALKER_J);
    leg.e = build_meet(leg.p, s * WALKER_K, leg.b, s * WALKER_C);
    leg.d = build_meet(leg.b, s * WALKER_D, leg.c, s * WALKER_E);
    leg.f = build_meet(leg.e, s * WALKER_G, leg.d, s * WALKER_F);
    leg.g = build_meet(leg.e, s * WALKER_I, leg.f, s * WALKER_H);

    tn_vec3 *points = &leg.p;
    for (uint32_t i = 0; i < sizeof leg / sizeof leg.p; i++) {
        points[i].x *= side;
        points[i].y += WALKER_HEIGHT;
    }
    return leg;
}

static build_part walker_get_part(void) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.density = 700.0;
    part.material.friction = 1.0f;
    part.filter.category = WALKER_FILTER_LEG;
    part.filter.mask = 1;
    return part;
}

static tn_body_id walker_add_bar(scene_run *run, tn_vec3 from, tn_vec3 to) {
    build_part place = build_part_between(from, to);
    build_part part = walker_get_part();
    part.pose = place.pose;
    return build_box(run, &part, build_distance(from, to), WALKER_BAR, WALKER_BAR);
}

static tn_vec3 walker_get_difference(tn_vec3 p, tn_vec3 q) {
    return build_point(q.x - p.x, q.y - p.y, q.z - p.z);
}

// Three bars between three corners, one body; its frame is at the first corner.
static tn_body_id walker_add_triangle(scene_run *run, tn_vec3 a, tn_vec3 b, tn_vec3 c) {
    build_part part = walker_get_part();
    part.pose.position = a;
    tn_body_id body = build_body(run, &part);
    tn_vec3 origin = {0.0, 0.0, 0.0};
    tn_vec3 to_b = walker_get_difference(a, b);
    tn_vec3 to_c = walker_get_difference(a, c);
    build_add_bar(run, body, &part, origin, to_b, WALKER_BAR);
    build_add_bar(run, body, &part, to_b, to_c, WALKER_BAR);
    build_add_bar(run, body, &part, to_c, origin, WALKER_BAR);
    return body;
}

static void walker_add_leg(scene_run *run, tn_body_id chassis, tn_body_id crank,
                           const walker_leg *leg) {
    tn_body_id upper = walker_add_triangle(run, leg->b, leg->c, leg->d);
    tn_body_id lower = walker_add_triangle(run, leg->e, leg->f, leg->g);
    build_part part = walker_get_part();
    build_add_sphere(run, lower, &part, walker_get_difference(leg->e, leg->g), WALKER_FOOT);
    tn_body_id j = walker_add_bar(run, leg->p, leg->c);
    tn_body_id k = walker_add_bar(run, leg->p, leg->e);
    tn_body_id c = walker_add_bar(run, leg->b, leg->e);
    tn_body_id f = walker_add_bar(run, leg->d, leg->f);

    tn_vec3 z = build_axis_z();
    build_hinge(run, crank, j, leg->p, z);
    build_hinge(run, crank, k, leg->p, z);
    build_hinge(run, chassis, upper, leg->b, z);
    build_hinge(run, chassis, c, leg->b, z);
    build_hinge(run, j, upper, leg->c, z);
    build_hinge(run, upper, f, leg->d, z);
    build_hinge(run, k, lower, leg->e, z);
    build_hinge(run, c, lower, leg->e, z);
    build_hinge(run, f, lower, leg->f, z);
}

static bool walker_build(scene_run *run) {
    walker_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    build_part part = walker_get_part();
    part.pose.position.y = WALKER_HEIGHT;
    part.mass = WALKER_MASS;
    double length = 2.0 * WALKER_A * WALKER_SCALE;
    state->body = build_box(run, &part, length, 0.06, 6.0 * WALKER_PITCH);
    part.mass = 2.0;
    tn_body_id crank = build_disc(run, &part, 0.1, 6.0 * WALKER_PITCH);
    tn_joint_id motor = build_hinge(run, state->body, crank, part.pose.position, build_axis_z());
    build_hinge_speed(run, motor, scene_run_get_value(run, "speed"),
                      scene_run_get_value(run, "max_torque"));
    scene_run_name_body(run, state->body, "body");
    scene_run_name_body(run, crank, "crankshaft");
    scene_run_name_joint(run, motor, "motor");

    for (int i = 0; i < 6; i++) {
        double z = (i - 2.5) * WALKER_PITCH;
        double angle = 2.0 * BUILD_PI * (i % 3) / 3.0 + (i < 3 ? 0.0 : BUILD_PI);
        walker_leg left = walker_get_leg(angle, 1.0, z);
        walker_leg right = walker_get_leg(angle, -1.0, z);
        walker_add_leg(run, state->body, crank, &left);
        walker_add_leg(run, state->body, crank, &right);
    }
    state->lowest = HUGE_VAL;
    return true;
}

static void walker_after_step(scene_run *run, double dt) {
    (void)dt;
    walker_state *state = run->state;
    if (tn_world_get_time(run->world) > 1.0) {
        double y = tn_body_get_center(run->world, state->body).y;
        state->lowest = fmin(state->lowest, y);
        state->highest = fmax(state->highest, y);
    }
}

static void walker_measure(scene_run *run) {
    const walker_state *state = run->state;
    tn_vec3 now = tn_body_get_center(run->world, state->body);
    double time = tn_world_get_time(run->world);
    scene_run_add_figure(run, "walked_m", now.x);
    scene_run_add_figure(run, "walking_speed", time > 0.0 ? now.x / time : 0.0);
    scene_run_add_figure(run, "bob_m", fmax(0.0, state->highest - state->lowest));
    scene_run_add_figure(run, "upright",
                         tn_body_get_world_vector(run->world, state->body, build_axis_y()).y);
}

const scene scene_walker = {
    .name = "walker",
    .summary = "a walking machine: twelve legs of Jansen's linkage on one crankshaft",
    .time = 10.0,
    .options = walker_options,
    .option_count = 2,
    .build = walker_build,
    .after_step = walker_after_step,
    .measure = walker_measure,
};
