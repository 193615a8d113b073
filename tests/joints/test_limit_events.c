// Which ends of its limits a joint is at, and events when it comes to one and leaves it.
#include "joint_world.h"

static tn_world *world;
static test_reports reports;
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};
static const tn_vec3 axis_z = {0.0, 0.0, 1.0};
static const tn_limit range = {.is_enabled = true, .lower = -0.5f, .upper = 0.25f};

static void setup(void) {
    world = world_make(origin, &reports);
}

static void teardown(void) {
    cr_assert(reports.count == 0);
    tn_world_destroy(world);
}

TestSuite(limit_events, .init = setup, .fini = teardown);

static tn_joint_id make_hinge(tn_body_id body, bool tells) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(world, &def.base, world_body, body, origin, axis_z);
    def.base.has_limit_events = tells;
    def.base.user_data = &world;
    def.limit = range;
    return tn_hinge_joint_create(world, &def);
}

// Turned to one end at 1 rad/s, then to the other: reached once, left once, reached once.
Test(limit_events, tell_once_when_an_end_is_reached_and_left) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int k = 0; k < 4; ++k) {
        tn_world_set_solver(world, solvers[k]);
        tn_body_id body = body_make(world, 0, 0, 0, 1, 0.2),
                   other = body_make(world, 5, 0, 0, 1, 1);
        tn_joint_id joint = make_hinge(body, true);
        make_hinge(other, false);
        tn_joint_limits at[4] = {{0, 0}};
        uint32_t count = 0, step_of[4] = {0};
        for (uint32_t i = 0; i < 150; ++i) {
            double rate = i == 0 ? 1.0 : (i == 60 ? -1.0 : 0.0);
            if (rate != 0.0) {
                tn_body_set_angular_velocity(world, body, (tn_vec3){0.0, 0.0, rate});
                tn_body_set_angular_velocity(world, other, (tn_vec3){0.0, 0.0, rate});
            }
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_events events = tn_world_get_events(world);
            for (uint32_t e = 0; e < events.joint_limit_count; ++e) {
                const tn_joint_limit_event *event = &events.joint_limits[e];
                cr_assert(event->joint.value == joint.value && event->user_data == &world);
                cr_assert(count < 3);
                cr_assert(memcmp(&event->before, count > 0 ? &at[count - 1] : &at[3],
                                 sizeof event->before) == 0);
                step_of[count] = i;
                at[count++] = event->limits;
                tn_joint_limits now = tn_joint_get_limits(world, joint);
                cr_assert(now.lower == event->limits.lower && now.upper == event->limits.upper);
            }
        }
        cr_assert(count == 3, "solver %d: %u events", k, count);
        cr_assert(at[0].upper == 1 && at[0].lower == 0 && at[1].upper == 0 && at[1].lower == 0);
        cr_assert(at[2].lower == 1 && at[2].upper == 0);
        // 0.25 rad at 1 rad/s are 15 steps, and 0.75 rad are 45.
        cr_assert(step_of[0] >= 13 && step_of[0] <= 15, "%u", step_of[0]);
        cr_assert(step_of[2] >= 60 + 43 && step_of[2] <= 60 + 45, "%u", step_of[2]);
        tn_body_destroy(world, body);
        tn_body_destroy(world, other);
    }
}

// A bit for each limit that is on, in the order of the definition.
Test(limit_events, limits_of_a_joint_with_several_values_are_told_apart) {
    tn_body_id body = body_make(world, 0.5, 0.0, 0.0, 1.0, 0.2);
    tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
    set_frames(world, &def.base, world_body, body, origin, axis_x);
    def.slide.limit = range;
    def.turn.limit = range;
    tn_joint_id joint = tn_cylindrical_joint_create(world, &def);
    tn_body_set_velocity(world, body, (tn_velocity){{-2.0, 0.0, 0.0}, {2.0, 0.0, 0.0}});
    run(world, 1.0, 60.0, 4);
    tn_joint_limits limits = tn_joint_get_limits(world, joint);
    cr_assert(limits.lower == 1 && limits.upper == 2, "%u %u", limits.lower, limits.upper);
    def.slide.limit.is_enabled = false;
    tn_cylindrical_joint_set_slide(world, joint, def.slide);
    limits = tn_joint_get_limits(world, joint);
    cr_assert(limits.lower == 0 && limits.upper == 1);
    tn_joint_destroy(world, joint);

    tn_ball_joint_def ball = tn_ball_joint_def_default();
    set_frames(world, &ball.base, world_body, body, origin, axis_x);
    ball.cone_limit = (tn_limit){.is_enabled = true, .upper = 0.3f};
    ball.twist_limit = range;
    joint = tn_ball_joint_create(world, &ball);
    tn_body_set_velocity(world, body, (tn_velocity){{0.0, 0.0, 0.0}, {-3.0, 0.0, 0.0}});
    run(world, 1.0, 60.0, 4);
    limits = tn_joint_get_limits(world, joint);
    cr_assert(limits.lower == 2 && limits.upper == 0, "%u %u", limits.lower, limits.upper);
    tn_body_set_velocity(world, body, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 3.0, 0.0}});
    run(world, 1.0, 60.0, 4);
    limits = tn_joint_get_limits(world, joint);
    cr_assert((limits.upper & 1) == 1, "%u %u", limits.lower, limits.upper);
}

// Soft ends are told of as well, and a joint without limits is at none.
Test(limit_events, a_soft_end_counts_and_no_limit_does_not) {
    tn_body_id body = body_make(world, 0, 0, 0, 1, 0.2);
    tn_joint_id joint = make_hinge(body, true);
    tn_limit soft = range;
    soft.stiffness = 50.0f;
    soft.damping = 5.0f;
    tn_hinge_joint_set_limit(world, joint, soft);
    tn_body_apply_torque(world, body, (tn_vec3){0.0, 0.0, 5.0});
    for (int i = 0; i < 120; ++i) {
        tn_body_apply_torque(world, body, (tn_vec3){0.0, 0.0, 5.0});
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert(tn_joint_get_limits(world, joint).upper == 1);
    soft.is_enabled = false;
    tn_hinge_joint_set_limit(world, joint, soft);
    cr_assert(tn_joint_get_limits(world, joint).upper == 0);
    tn_world_step(world, 1.0 / 60.0, 4);
    cr_assert(tn_world_get_events(world).joint_limit_count == 1);
    tn_joint_set_limit_events(world, joint, false);
    tn_hinge_joint_set_limit(world, joint, range);
    tn_world_step(world, 1.0 / 60.0, 4);
    cr_assert(tn_world_get_events(world).joint_limit_count == 0);
    cr_assert(!tn_joint_get_def(world, joint).has_limit_events);
    tn_joint_destroy(world, joint);
    joint = joint_make(world, TN_JOINT_TYPE_FIXED, world_body, body, origin, axis_z);
    tn_joint_limits none = tn_joint_get_limits(world, joint);
    cr_assert(none.lower == 0 && none.upper == 0);
}
