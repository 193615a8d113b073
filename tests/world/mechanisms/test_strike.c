// Bodies that hang and run into their own limits, under AUTO.
#include "tests/world/world_test.h"

typedef struct strike {
    tn_world *world;
    tn_joint_id last;
} strike;

// Bars of half a metre, one behind the other, on hinges that stop them a little below the level.
// Those behind the first have limits that they do not reach.
static strike strike_make(uint32_t count) {
    tn_world_def world = tn_world_def_default();
    world.is_sleep_allowed = false;
    strike made = {.world = tn_world_create(&world, NULL)};
    tn_body_id before = {0};
    for (uint32_t i = 0; i < count; ++i) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){0.25 + 0.5 * i, 2.0, 0.0};
        tn_body_id body = tn_body_create(made.world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.filter.mask = 0;
        tn_box_shape_create(made.world, body, &shape, (tn_vec3){0.25, 0.05, 0.05});
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(made.world, &hinge.base, before, body, (tn_vec3){0.5 * i, 2.0, 0.0},
                                (tn_vec3){0.0, 0.0, 1.0});
        float range = i == 0 ? 0.5f : 3.0f;
        hinge.limit = (tn_limit){.is_enabled = true, .lower = -range, .upper = range};
        made.last = tn_hinge_joint_create(made.world, &hinge);
        before = body;
    }
    return made;
}

static tn_mechanism_method strike_get_method(const strike *made) {
    tn_mechanism_info info = {0};
    cr_assert_eq(tn_world_get_mechanisms(made->world, &info, 1), 1);
    return info.method;
}

static double strike_get_energy(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.potential;
}

// The first bar meets its limit after about 0.2 s. Their joint opened by 0.9 mm, and lifted them by
// 0.6 % of their energy.
Test(strike, the_direct_solver_takes_a_blow_that_stops_a_pair) {
    strike pair = strike_make(2);
    double speed = 0.0, worst = 0.0, lowest = strike_get_energy(pair.world), rise = 0.0;
    double start = lowest;
    uint32_t exact = 0;
    for (int i = 0; i < 60; ++i) {
        test_step(pair.world, 1);
        tn_mechanism_method method = strike_get_method(&pair);
        exact += method == TN_MECHANISM_METHOD_DIRECT ? 1 : 0;
        cr_expect(i > 5 || method == TN_MECHANISM_METHOD_PGS, "step %d", i);
        worst = fmax(worst, tn_world_get_telemetry(pair.world).worst_joint_linear);
        double energy = strike_get_energy(pair.world);
        lowest = fmin(lowest, energy);
        rise = fmax(rise, energy - lowest);
        speed = fmax(speed, tn_world_get_energy(pair.world).kinetic);
    }
    cr_expect(exact > 0 && exact < 50, "%u steps", exact);
    cr_expect(start - lowest > 0.1 * speed); // there was a blow
    cr_expect(worst < 6e-4, "%g m", worst);
    cr_expect(rise < 0.005 * speed, "%g of %g J", rise, speed);
    tn_world_destroy(pair.world);
}

Test(strike, a_door_stays_with_the_sweeps) {
    strike door = strike_make(1);
    for (int i = 0; i < 60; ++i) {
        test_step(door.world, 1);
        cr_expect_eq(strike_get_method(&door), TN_MECHANISM_METHOD_PGS, "step %d", i);
    }
    cr_expect(fabs(tn_hinge_joint_get_angle(door.world, door.last) + 0.5) < 1e-3);
    tn_world_destroy(door.world);
}
