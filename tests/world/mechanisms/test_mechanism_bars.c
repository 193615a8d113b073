// What the direct solver has to bear: a chain of 20 links under heavy loads. The bars are those of
// docs/maths/mechanism.md.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static const double end_masses[4] = {10.0, 100.0, 1000.0, 10000.0};

#define LINKS 20

typedef struct chain {
    tn_world *world;
    tn_body_id bodies[LINKS + 1]; // the last is the ball at the end
    double end_mass;
} chain;

static tn_world *make_world(void) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.is_sleep_allowed = false;
    return tn_world_create(&def, NULL);
}

// Links half a metre long of 1 kg from the origin along x, or down, and a ball at the end.
static chain make_chain(double end_mass, bool hangs) {
    chain c = {.world = make_world(), .end_mass = end_mass};
    tn_body_id before = {0};
    for (int i = 0; i <= LINKS; ++i) {
        double at = i < LINKS ? 0.25 + 0.5 * i : 10.2;
        tn_body_def def = tn_body_def_default();
        def.pose.position = hangs ? (tn_vec3){0.0, -at, 0.0} : (tn_vec3){at, 0.0, 0.0};
        if (hangs) {
            def.pose.rotation.z = -sqrt(0.5);
            def.pose.rotation.w = sqrt(0.5);
        }
        tn_body_id body = tn_body_create(c.world, &def);
        tn_mass mass = {.mass = i < LINKS ? 1.0 : end_mass};
        mass.inertia.xx = i < LINKS ? 0.005 / 12.0 : 0.016 * end_mass;
        mass.inertia.yy = mass.inertia.zz = i < LINKS ? 0.2525 / 12.0 : 0.016 * end_mass;
        tn_body_set_mass(c.world, body, mass);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_vec3 pin = hangs ? (tn_vec3){0.0, -0.5 * i, 0.0} : (tn_vec3){0.5 * i, 0.0, 0.0};
        cr_assert(tn_joint_def_set_frames(c.world, &joint.base, before, body, pin,
                                          (tn_vec3){1.0, 0.0, 0.0}));
        tn_ball_joint_create(c.world, &joint);
        c.bodies[i] = before = body;
    }
    return c;
}

// What sways stays as small as it began: the tension's springs are far faster than the substep.
Test(mechanism_bars, a_chain_hangs_still_under_a_heavy_load) {
    for (int k = 0; k < 4; ++k) {
        chain c = make_chain(end_masses[k], true);
        tn_body_set_velocity(c.world, c.bodies[LINKS / 2],
                             (tn_velocity){.linear = {1e-5, 0.0, 0.0}});
        double across = 0.0, sag = 0.0;
        for (int i = 0; i < 600; ++i) {
            test_step(c.world, 1);
            double gap = (double)tn_world_get_telemetry(c.world).worst_joint_linear;
            cr_assert(gap < 1e-6, "%g kg: %g m", c.end_mass, gap);
            tn_vec3 end = tn_body_get_pose(c.world, c.bodies[LINKS]).position;
            sag = fmax(sag, fabs(end.y + 10.2));
            for (int n = 0; n <= LINKS; ++n) {
                tn_vec3 at = tn_body_get_pose(c.world, c.bodies[n]).position;
                across = fmax(across, hypot(at.x, at.z));
            }
        }
        cr_assert(across < 1e-6 && sag < 1e-6, "%g kg: %g m across, %g m down", c.end_mass, across,
                  sag);
        tn_world_destroy(c.world);
    }
}

// A motor that can do nothing but pull: it is at its cap from the first stage on.
Test(mechanism_bars, a_hanging_chain_is_pulled_by_a_motor_at_its_cap) {
    const float caps[3] = {1e4f, 1e5f, 1e6f};
    for (int k = 0; k < 12; ++k) {
        chain c = make_chain(end_masses[k % 4], true);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.is_rigid = false;
        def.motor = (tn_motor){
            .mode = TN_MOTOR_MODE_SPEED, .target_speed = -1.0f, .max_force = caps[k / 4]};
        def.base.body_b = c.bodies[LINKS];
        def.base.frame_a.position = (tn_vec3){0.0, -200.0, 0.0};
        cr_assert(tn_distance_joint_create(c.world, &def).value != 0);
        // A nudge, which the tension must not make more of.
        tn_body_set_velocity(c.world, c.bodies[LINKS / 2],
                             (tn_velocity){.linear = {1e-5, 0.0, 0.0}});
        for (int i = 0; i < 600; ++i) {
            test_step(c.world, 1);
            tn_mechanism_info info;
            cr_assert(tn_world_get_mechanisms(c.world, &info, 1) == 1);
            cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.failures == 0);
            cr_assert(info.worst_joint_linear < 1e-9, "%d: %g", k, info.worst_joint_linear);
        }
        double across = 0.0;
        for (int i = 0; i <= LINKS; ++i) {
            tn_vec3 at = tn_body_get_pose(c.world, c.bodies[i]).position;
            across = fmax(across, hypot(at.x, at.z));
        }
        cr_assert(across < 1e-6, "%g kg, %g N: %g m across", c.end_mass, (double)caps[k / 4],
                  across);
        tn_world_destroy(c.world);
    }
}

static double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / (double)(1u << 30) - 1.0;
}

static void throw_chain(chain *c, uint64_t seed) {
    uint64_t state = 7919u * seed + 17u;
    for (int i = 0; i < LINKS; ++i) {
        double r[6];
        for (int k = 0; k < 6; ++k) {
            r[k] = next_random(&state);
        }
        tn_body_set_velocity(c->world, c->bodies[i],
                             (tn_velocity){.linear = {3.0 * r[0], 3.0 * r[1], 3.0 * r[2]},
                                           .angular = {10.0 * r[3], 10.0 * r[4], 10.0 * r[5]}});
    }
}

LONG_TEST(mechanism_bars, a_chain_tumbles_from_random_speeds_without_a_gain) {
    for (uint32_t run = 0; run < 40; ++run) {
        chain c = make_chain(end_masses[run % 4], false);
        throw_chain(&c, run / 4);
        double start = 0.0, most = 0.0, gap = 0.0;
        for (int i = 0; i < 300; ++i) {
            test_step(c.world, 1);
            tn_energy energy = tn_world_get_energy(c.world);
            double now = energy.kinetic + energy.potential;
            // The first step closes what the speeds contradict.
            start = i == 0 ? now : start;
            most = fmax(most, now - start);
            gap = fmax(gap, tn_world_get_telemetry(c.world).worst_joint_linear);
            cr_assert(isfinite(now));
            tn_mechanism_info info;
            cr_assert(tn_world_get_mechanisms(c.world, &info, 1) == 1);
            cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.failures == 0);
        }
        cr_assert(gap < 1e-9, "run %u: gap %g", run, gap);
        cr_assert(most < 1e-6 * 9.81 * 10.0 * c.end_mass, "run %u: %g J gained", run, most);
        tn_world_destroy(c.world);
    }
}

// Links that collide with each other may be whipped into each other, thin as they are.
static void add_floor(chain *c, double y, float friction, bool links_collide) {
    tn_body_id floor = test_body_create(c->world, TN_BODY_TYPE_STATIC, 0.0, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = friction;
    tn_half_space_shape_create(c->world, floor, &def);
    def.density = 0.0f;
    def.filter.group = links_collide ? 0 : -1;
    for (int i = 0; i < LINKS; ++i) {
        tn_box_shape_create(c->world, c->bodies[i], &def, (tn_vec3){0.2, 0.025, 0.025});
    }
    tn_sphere_shape_create(c->world, c->bodies[LINKS], &def, 0.2f);
}

// It whips down onto the floor and lies there, links across each other.
LONG_TEST(mechanism_bars, a_chain_falls_on_a_floor_with_its_joints_closed) {
    for (int k = 0; k < 12; ++k) {
        chain c = make_chain(end_masses[k % 4], false);
        bool links_collide = k >= 8;
        add_floor(&c, -6.0, k < 4 ? 0.0f : 0.5f, links_collide);
        tn_energy energy = tn_world_get_energy(c.world);
        double start = energy.kinetic + energy.potential, most = 0.0, gap = 0.0, depth = 0.0;
        double drop = 9.81 * (10.2 * c.end_mass + 100.0);
        uint32_t failures = 0;
        for (int i = 0; i < 300; ++i) {
            test_step(c.world, 1);
            energy = tn_world_get_energy(c.world);
            most = fmax(most, energy.kinetic + energy.potential - start);
            tn_telemetry telemetry = tn_world_get_telemetry(c.world);
            gap = fmax(gap, telemetry.worst_joint_linear);
            depth = fmax(depth, telemetry.deepest_penetration);
            tn_mechanism_info info;
            cr_assert(tn_world_get_mechanisms(c.world, &info, 1) == 1);
            cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT);
            failures += info.failures;
        }
        // The fall is chaotic: of 120 runs with end masses a few per ten thousand apart two or
        // three have a stage that fails once, by the last bit of their sums, and stay closed. Of as
        // many whose links are whipped into each other seven have such a step, two of them two.
        cr_assert(failures <= (links_collide ? 2u : 1u), "%d: %u failures", k, failures);
        cr_assert(gap < 1e-6, "%d: gap %g", k, gap);
        cr_assert(most < 1e-3 * drop, "%d: %g J gained", k, most);
        cr_assert(depth < 0.01 || links_collide, "%d: depth %g", k, depth);
        tn_world_destroy(c.world);
    }
}

// The deepest corner of a link below the floor, as the poses are, not as contacts tell.
static double get_depth(const chain *c, double floor) {
    double depth = 0.0;
    for (int i = 0; i < LINKS; ++i) {
        tn_pose pose = tn_body_get_pose(c->world, c->bodies[i]);
        depth = fmax(depth, floor - test_box_bottom(&pose, (tn_vec3){0.2, 0.025, 0.025}));
    }
    return depth;
}

// Starts after which links, whipped to more than a radian in a step, were up to 77 mm deep in the
// floor or 36 mm in each other; and, the first two, some after which contacts drove the chain by
// 0.85 % of its fall in one step.
LONG_TEST(mechanism_bars, a_whipped_chain_finds_the_floor_and_gains_nothing_from_it) {
    const struct {
        double mass;
        uint64_t seed;
        int steps;
        bool links_collide;
    } runs[] = {
        {100.0, 47, 100, false},   {100.0, 2, 200, false},   {10000.0, 14, 170, false},
        {10000.0, 12, 190, false}, {1000.0, 43, 180, false}, {10000.0, 17, 200, true},
        {10000.0, 14, 170, true},  {1000.0, 28, 195, true},  {1000.0, 33, 180, true},
        {10000.0, 13, 295, true},
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
        chain c = make_chain(runs[k].mass, false);
        throw_chain(&c, runs[k].seed);
        add_floor(&c, -6.0, 0.5f, runs[k].links_collide);
        double gap = 0.0, depth = 0.0, rise = 0.0, before = (double)INFINITY;
        for (int i = 0; i < runs[k].steps; ++i) {
            test_step(c.world, 1);
            tn_telemetry telemetry = tn_world_get_telemetry(c.world);
            tn_energy energy = tn_world_get_energy(c.world);
            double now = energy.kinetic + energy.potential;
            rise = fmax(rise, now - before);
            before = now;
            gap = fmax(gap, telemetry.worst_joint_linear);
            depth = fmax(depth, fmax(get_depth(&c, -6.0), telemetry.deepest_penetration));
        }
        cr_assert(gap < 1e-6, "%zu: gap %g", k, gap);
        cr_assert(depth < 0.005, "%zu: %g m deep", k, depth);
        cr_assert(rise < 1e-3 * 9.81 * (10.2 * c.end_mass + 100.0), "%zu: %g J", k, rise);
        tn_world_destroy(c.world);
    }
}
