// Limits of the direct solver's mechanisms: far from their ends they cost nothing, and they are met
// in time.
#include "tests/world/world_test.h"

#define LINKS 8

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_limits, .init = setup, .fini = teardown);

// Boxes half a metre long from the origin along x, hinged about z within `limit` of straight.
static void make_chain(int count, float limit, tn_joint_id *joints) {
    tn_body_id before = {0};
    for (int i = 0; i < count; ++i) {
        tn_body_id link = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.25 + 0.5 * i, 0.0, 0.0);
        tn_shape_def shape = tn_shape_def_default();
        shape.filter.mask = 0; // no pairs, whose list would grow
        cr_assert(tn_box_shape_create(world, link, &shape, (tn_vec3){0.25, 0.05, 0.05}).value != 0);
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.limit = (tn_limit){.is_enabled = true, .lower = -limit, .upper = limit};
        cr_assert(tn_joint_def_set_frames(world, &def.base, before, link,
                                          (tn_vec3){0.5 * i, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
        joints[i] = tn_hinge_joint_create(world, &def);
        cr_assert(joints[i].value != 0);
        before = link;
    }
}

static tn_mechanism_info step_and_get_info(void) {
    tn_mechanism_info info;
    test_step(world, 1);
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.failures == 0);
    return info;
}

// The rows told are all of them, those in the matrix are not.
Test(mechanism_limits, that_are_far_take_no_room_in_the_matrix) {
    tn_joint_id joints[LINKS];
    make_chain(LINKS, 2.5f, joints);
    uint32_t free = step_and_get_info().fill;
    tn_mechanism_info info = step_and_get_info();
    cr_assert(info.rows == 7 * LINKS && info.fill == free);
    for (int i = 0; i < LINKS; ++i) {
        tn_limit limit = {.is_enabled = true, .lower = -0.09f, .upper = 0.09f};
        tn_hinge_joint_set_limit(world, joints[i], limit);
    }
    info = step_and_get_info();
    cr_assert(info.rows == 7 * LINKS && info.fill > free, "%u and %u", info.fill, free);
    for (int i = 0; i < LINKS; ++i) {
        tn_limit limit = {.is_enabled = true, .lower = -2.5f, .upper = 2.5f};
        tn_hinge_joint_set_limit(world, joints[i], limit);
    }
    info = step_and_get_info();
    cr_assert(info.fill == free && info.worst_joint_linear < 1e-9);
}

// A chain whips and swings for 5 s, up to thirty radians a second. Limits come and go.
Test(mechanism_limits, are_met_in_time_and_cost_no_memory) {
    tn_joint_id joints[LINKS];
    make_chain(LINKS, 0.7f, joints);
    double deepest = 0.0, gap = 0.0, start = tn_world_get_energy(world).potential;
    uint32_t least = UINT32_MAX, most = 0;
    for (int i = 0; i < 300; ++i) {
        tn_mechanism_info info = step_and_get_info();
        gap = fmax(gap, info.worst_joint_linear);
        least = info.fill < least ? info.fill : least;
        most = info.fill > most ? info.fill : most;
        cr_assert(i < 2 || tn_world_get_telemetry(world).allocations == 0, "step %d", i);
        for (int k = 0; k < LINKS; ++k) {
            double angle = fabs((double)tn_hinge_joint_get_angle(world, joints[k]));
            deepest = fmax(deepest, angle - 0.7);
        }
        tn_energy energy = tn_world_get_energy(world);
        cr_assert(energy.kinetic + energy.potential < start + 0.01);
    }
    cr_assert(most > least, "no limit came or went");
    cr_assert(gap < 1e-9 && deepest < 0.01, "%g m, %g rad", gap, deepest);
}
