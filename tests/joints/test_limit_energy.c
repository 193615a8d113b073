// Rigid limits of bodies thrown about, solved exactly: they take energy, and never give any.
#include "joint_world.h"
#include "tests/support/long_test.h"

#define SEEDS       60
#define MOST_BODIES 6

static uint64_t random_state;

static double unit(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static double any(double size) {
    return size * (2.0 * unit() - 1.0);
}

static tn_vec3 any_point(double size) {
    return (tn_vec3){any(size), any(size), any(size)};
}

typedef struct limit_case {
    const char *name;
    tn_joint_type type; // of the chain; DISTANCE: ropes
    double arm;         // m: how far off the centres ropes are tied, at most
    uint32_t substeps;
    double most; // gain, of the energy at the start
} limit_case;

// Half of the limits are met at the start. Ropes between centres pull along straight lines and
// sliders go along some, which the midpoint rule does exactly. What turns has its error of second
// order: rods in the place of these ropes gain 1e-3 at 4 substeps.
static const limit_case cases[] = {
    {"slider", TN_JOINT_TYPE_SLIDER, 0.0, 4, 1e-8},
    {"hinge", TN_JOINT_TYPE_HINGE, 0.0, 16, 1e-6},
    {"rope between centres", TN_JOINT_TYPE_DISTANCE, 0.0, 4, 1e-6},
    {"rope", TN_JOINT_TYPE_DISTANCE, 0.7, 16, 1e-4},
};
#define CASES (sizeof cases / sizeof *cases)

static tn_limit limit_of(double lower, double upper) {
    return (tn_limit){.is_enabled = true, .lower = (float)lower, .upper = (float)upper};
}

static void tie(tn_world *world, tn_body_id a, tn_body_id b, double arm) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.is_rigid = false;
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position = any_point(a.value == 0 ? 3.0 : arm);
    def.base.frame_b.position = any_point(arm);
    tn_joint_id rope = tn_distance_joint_create(world, &def);
    double length = tn_distance_joint_get_length(world, rope);
    double upper = unit() < 0.4 ? length : (1.0 + 0.5 * unit()) * length;
    double lower = unit() < 0.3 ? 0.7 * length : 0.0;
    tn_distance_joint_set_limit(world, rope, limit_of(lower, upper));
}

static void link(tn_world *world, tn_joint_type type, tn_body_id a, tn_body_id b, double x) {
    tn_vec3 axis = {0.01 + any(1.0), any(1.0), any(1.0)};
    tn_limit limit = limit_of(unit() < 0.4 ? 0.0 : -unit(), unit() < 0.4 ? 0.0 : 0.1 + unit());
    tn_joint_id joint = joint_make(world, type, a, b, (tn_vec3){x, 0.0, 0.0}, axis);
    if (type == TN_JOINT_TYPE_HINGE) {
        tn_hinge_joint_set_limit(world, joint, limit);
    } else {
        tn_slider_joint_set_limit(world, joint, limit);
    }
}

// A chain that hangs on the world, and of ropes up to two more.
static void make_any(tn_world *world, const limit_case *kind) {
    bool has_ropes = kind->type == TN_JOINT_TYPE_DISTANCE;
    tn_body_id bodies[MOST_BODIES];
    int count = 1 + (int)(MOST_BODIES * unit());
    for (int i = 0; i < count; ++i) {
        tn_vec3 p = has_ropes ? any_point(3.0) : (tn_vec3){i + 1.0, 0.0, 0.0};
        bodies[i] = body_make(world, p.x, p.y, p.z, pow(10.0, any(1.0)), 0.1 + unit());
        tn_velocity velocity = {.linear = {any(3.0), any(3.0), any(3.0)},
                                .angular = {any(3.0), any(3.0), any(3.0)}};
        tn_body_set_velocity(world, bodies[i], velocity);
    }
    for (int i = 0; i < count; ++i) {
        tn_body_id before = i == 0 ? world_body : bodies[i - 1];
        if (has_ropes) {
            tie(world, before, bodies[i], kind->arm);
        } else {
            link(world, kind->type, before, bodies[i], i + 0.5);
        }
    }
    for (int k = (int)(3.0 * unit()); k > 0 && has_ropes; --k) {
        int a = (int)(count * unit()), b = (int)(count * unit());
        tie(world, a == b ? world_body : bodies[a], bodies[b], kind->arm);
    }
}

// Of a second, over the least energy until then, as a share of what there was.
static double get_gain(const limit_case *kind, uint64_t seed, tn_vec3 gravity) {
    random_state = seed * 7919 + 1;
    unit();
    tn_world *world = world_make(gravity, NULL);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    make_any(world, kind);
    tn_energy start = tn_world_get_energy(world);
    double size = start.kinetic + fabs(start.potential), gain = 0.0, least = (double)INFINITY;
    for (int i = 0; i <= 60; ++i) {
        tn_energy now = tn_world_get_energy(world);
        double energy = now.kinetic + now.potential;
        least = fmin(least, energy);
        // Written so that what is no number fails.
        gain = energy - least <= gain * size ? gain : (energy - least) / size;
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, kind->substeps), TN_RESULT_OK);
    }
    tn_world_destroy(world);
    return gain;
}

LONG_TEST(limit_energy, of_bodies_thrown_about_only_falls, .timeout = 60) {
    const tn_vec3 pulls[2] = {{0.0, 0.0, 0.0}, {0.0, -9.81, 0.0}};
    for (size_t k = 0; k < CASES; ++k) {
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            for (int g = 0; g < 2; ++g) {
                double gain = get_gain(&cases[k], seed, pulls[g]);
                cr_assert(gain < cases[k].most, "%s %d.%d: %g", cases[k].name, (int)seed, g, gain);
            }
        }
    }
}

// A weight that is put 0.2 m below its rope's end is put back without a speed.
Test(limit_energy, a_passed_rope_is_put_back_without_speed) {
    tn_world *world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    tn_body_id body = body_make(world, 0, -1.2, 0, 1.0, 0.1);
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.is_rigid = false;
    def.limit = limit_of(0.0, 1.0);
    def.base.body_b = body;
    tn_joint_id rope = tn_distance_joint_create(world, &def);
    for (int i = 0; i < 60; ++i) {
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
        double speed = fabs(tn_body_get_velocity(world, body).linear.y);
        cr_assert(speed < 1e-9, "step %d: %g m/s", i, speed);
    }
    double length = tn_distance_joint_get_length(world, rope);
    cr_assert(fabs(length - 1.0) < 1e-7, "%.9g m", length);
    tn_world_destroy(world);
}
