// tests/solver/methods/method_world.h: a world whose mechanisms go by an integrator to be compared,
// with a bead on a rod of 1 m, and what is read off it.
#ifndef TESTS_SOLVER_METHOD_WORLD_H
#define TESTS_SOLVER_METHOD_WORLD_H

#include <criterion/criterion.h>
#include <math.h>
#include <tenon/machines.h>

#define GRAVITY 9.81

static const tn_integrator all_integrators[] = {
    TN_INTEGRATOR_EULER,          TN_INTEGRATOR_RATTLE,           TN_INTEGRATOR_RK4,
    TN_INTEGRATOR_EXPLICIT_EULER, TN_INTEGRATOR_SYMPLECTIC_EULER, TN_INTEGRATOR_PENALTY,
};
#define INTEGRATORS (sizeof all_integrators / sizeof all_integrators[0])

typedef struct choice {
    tn_integrator integrator;
    tn_stabilization_mode mode;
} choice;

static uint32_t reports;

static inline void note_report(const tn_report *report, void *user_data) {
    (void)report;
    (void)user_data;
    reports += 1;
}

static inline tn_world *make_world(choice asked, double gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, -gravity, 0.0};
    def.solver = TN_SOLVER_DIRECT;
    def.research.integrator = asked.integrator;
    def.research.stabilization.mode = asked.mode;
    def.is_sleep_allowed = false;
    def.report = note_report;
    reports = 0;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static inline tn_body_id make_body(tn_world *world, tn_vec3 at, tn_mat3_symmetric inertia) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.position = at;
    tn_body_id body = tn_body_create(world, &def);
    tn_body_set_mass(world, body, (tn_mass){.mass = 1.0, .inertia = inertia});
    return body;
}

static const tn_mat3_symmetric round_inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.1};

// On a rod of 1 m about the origin, hanging.
static inline tn_body_id make_bead(tn_world *world, double distance, double speed) {
    tn_body_id bead = make_body(world, (tn_vec3){0.0, -distance, 0.0}, round_inertia);
    tn_body_set_velocity(world, bead, (tn_velocity){.linear = {speed, 0.0, 0.0}});
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = bead;
    def.is_rigid = true;
    def.length = 1.0f;
    cr_assert(tn_distance_joint_create(world, &def).value != 0);
    return bead;
}

static inline void run(tn_world *world, double seconds, double rate) {
    int steps = (int)(seconds * rate + 0.5);
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / rate, 1) == TN_RESULT_OK);
    }
}

static inline tn_mechanism_info get_info(const tn_world *world) {
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    return info;
}

static inline double get_radius(tn_world *world, tn_body_id bead) {
    tn_vec3 at = tn_body_get_center(world, bead);
    return sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
}

static const tn_mat3_symmetric slender_inertia = {.xx = 0.02, .yy = 0.03, .zz = 0.045};

static inline void finish_joint(tn_world *world, tn_joint_def *base, tn_body_id a, tn_body_id b,
                                tn_vec3 at, tn_vec3 axis) {
    cr_assert(tn_joint_def_set_frames(world, base, a, b, at, axis));
}

// Bodies in space with a joint of every kind between them, none of them round, thrown about.
static inline tn_body_id make_mobile(tn_world *world) {
    tn_body_id none = {0}, bodies[5];
    // The last two are a metre apart to the last digit: a rod's length is a float.
    for (int i = 0; i < 5; ++i) {
        double k = i < 4 ? i : 3;
        bodies[i] = make_body(world, (tn_vec3){0.5 + i, 0.1 * k, 0.05 * k * k}, slender_inertia);
    }
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    finish_joint(world, &ball.base, none, bodies[0], (tn_vec3){0.0, 0.0, 0.0},
                 (tn_vec3){1.0, 0.0, 0.0});
    tn_ball_joint_create(world, &ball);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    finish_joint(world, &hinge.base, bodies[0], bodies[1], (tn_vec3){1.0, 0.05, 0.0},
                 (tn_vec3){0.6, 0.0, 0.8});
    tn_hinge_joint_create(world, &hinge);
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    finish_joint(world, &slider.base, bodies[1], bodies[2], (tn_vec3){2.0, 0.1, 0.1},
                 (tn_vec3){0.0, 0.8, 0.6});
    tn_slider_joint_create(world, &slider);
    tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
    finish_joint(world, &fixed.base, bodies[2], bodies[3], (tn_vec3){3.0, 0.2, 0.3},
                 (tn_vec3){1.0, 0.0, 0.0});
    tn_fixed_joint_create(world, &fixed);
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    rod.base.body_a = bodies[3];
    rod.base.body_b = bodies[4];
    rod.is_rigid = true;
    rod.length = 1.0f;
    tn_distance_joint_create(world, &rod);
    return bodies[4];
}

static inline double get_distance(tn_vec3 a, tn_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

#endif
