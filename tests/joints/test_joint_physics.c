// What every joint type must do: carry weight, keep momenta, bear great mass ratios, break, and be
// the same far from the origin.
#include "joint_world.h"

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};

// A rod from the origin down, or any other joint at the origin with x along the given axis.
static tn_joint_id hang(tn_world *world, tn_joint_type type, tn_body_id body, tn_vec3 at) {
    if (type == TN_JOINT_TYPE_DISTANCE) {
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = body;
        def.base.frame_a.position = at;
        return tn_distance_joint_create(world, &def);
    }
    return joint_make(world, type, world_body, body, at, carrying_axis(type));
}

Test(joint_physics, a_hanging_weight_is_its_reaction) {
    for (int r = 0; r < 2; ++r) {
        for (int type = 0; type < JOINT_TYPES; ++type) {
            tn_world *world = world_make(gravity, NULL);
            tn_body_id body = body_make(world, 0, -1, 0, 3, 0.1);
            tn_joint_id joint = hang(world, (tn_joint_type)type, body, (tn_vec3){0, 0, 0});
            run(world, 2.0, test_rates[r], 4);
            tn_reaction reaction = tn_joint_get_reaction(world, joint);
            cr_assert_float_eq(reaction.force.y, 29.43, 1e-3);
            cr_assert(fabs(reaction.force.x) < 1e-3 && length_of(reaction.torque) < 1e-2);
            cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-4);
            tn_world_destroy(world);
        }
    }
}

// With the world as body b the reaction is the opposite: that on the world.
Test(joint_physics, the_reaction_is_that_on_body_b) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 1, 0, 0, 3, 1);
    tn_joint_id joint = joint_make(world, TN_JOINT_TYPE_FIXED, body, world_body, (tn_vec3){0, 0, 0},
                                   (tn_vec3){1, 0, 0});
    run(world, 2.0, 60.0, 4);
    tn_reaction reaction = tn_joint_get_reaction(world, joint);
    cr_assert_float_eq(reaction.force.y, -29.43, 1e-2);
    cr_assert_float_eq(reaction.torque.z, -29.43, 1e-2);
    tn_world_destroy(world);
}

// Thrown with speeds the joint does not allow: momenta stay from the first step on, and from the
// second on energy too. Round-off: 1e-7 of the momenta, 1200 substeps.
Test(joint_physics, two_free_bodies_keep_their_momenta) {
    for (int type = 0; type < JOINT_TYPES; ++type) {
        tn_world *world = world_make(none, NULL);
        tn_body_id a = body_make(world, 0, 0, 0, 1, 0.2), b = body_make(world, 1, 0.3, 0, 2, 0.3);
        tn_joint_id joint = joint_make(world, (tn_joint_type)type, a, b, (tn_vec3){0.5, 0.2, 0.1},
                                       (tn_vec3){0, 0.6, 0.8});
        tn_body_set_velocity(world, a, (tn_velocity){{1, 2, 3}, {1, -2, 0.5}});
        tn_energy start = tn_world_get_energy(world);
        run(world, 1.0 / 60.0, 60.0, 4);
        tn_energy early = tn_world_get_energy(world);
        run(world, 5.0, 60.0, 4);
        tn_energy end = tn_world_get_energy(world);
        const double p[2][6] = {
            {start.linear_momentum.x, start.linear_momentum.y, start.linear_momentum.z,
             start.angular_momentum.x, start.angular_momentum.y, start.angular_momentum.z},
            {end.linear_momentum.x, end.linear_momentum.y, end.linear_momentum.z,
             end.angular_momentum.x, end.angular_momentum.y, end.angular_momentum.z}};
        for (int i = 0; i < 6; ++i) {
            cr_assert_float_eq(p[1][i], p[0][i], i < 3 ? 1e-4 : 1e-3, "type %d, %d: %g for %g",
                               type, i, p[1][i], p[0][i]);
        }
        cr_assert(end.kinetic < 1.02 * early.kinetic && end.kinetic > 0.9 * early.kinetic,
                  "type %d: %g, %g, %g", type, start.kinetic, early.kinetic, end.kinetic);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-3);
        tn_world_destroy(world);
    }
}

// The same of joints that leave nearly all free; what they hold they take no energy from but where
// something meets its limit.
Test(joint_physics, two_free_bodies_keep_their_momenta_with_what_ticks) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_CAM, TN_JOINT_TYPE_CAM, TN_JOINT_TYPE_RATCHET,
                                   TN_JOINT_TYPE_ESCAPEMENT};
    for (int k = 0; k < 4; ++k) {
        tn_world *world = world_make(none, NULL);
        tn_body_id a = body_make(world, 0, 0, 0, 1, 0.2), b = body_make(world, 1, 0.3, 0, 2, 0.3);
        tn_joint_id joint =
            joint_make(world, types[k], a, b, (tn_vec3){0.5, 0.2, 0.1}, (tn_vec3){0, 0.6, 0.8});
        if (k == 1) {
            tn_cam_joint_set_desmodromic(world, joint, true);
        }
        tn_body_set_velocity(world, a, (tn_velocity){{0.1, 0.2, 0.3}, {1, -2, 0.5}});
        tn_body_set_velocity(world, b, (tn_velocity){{0.1, -0.2, 0.3}, {-1, 1, -2}});
        tn_energy start = tn_world_get_energy(world), early = start;
        for (int i = 0; i < 300; ++i) {
            run(world, 1.0 / 60.0, 60.0, 4);
            tn_energy now = tn_world_get_energy(world);
            cr_assert(i == 0 || now.kinetic < early.kinetic * 1.001, "%d, step %d: %g, %g", k, i,
                      early.kinetic, now.kinetic);
            early = now;
        }
        const tn_vec3 p[2] = {start.linear_momentum, early.linear_momentum};
        const tn_vec3 l[2] = {start.angular_momentum, early.angular_momentum};
        cr_expect_float_eq(p[0].x, p[1].x, 1e-4, "%d", k);
        cr_expect_float_eq(p[0].y, p[1].y, 1e-4, "%d", k);
        cr_expect_float_eq(p[0].z, p[1].z, 1e-4, "%d", k);
        cr_expect_float_eq(l[0].x, l[1].x, 1e-3, "%d: %g for %g", k, l[1].x, l[0].x);
        cr_expect_float_eq(l[0].y, l[1].y, 1e-3, "%d: %g for %g", k, l[1].y, l[0].y);
        cr_expect_float_eq(l[0].z, l[1].z, 1e-3, "%d: %g for %g", k, l[1].z, l[0].z);
        tn_world_destroy(world);
    }
}

// A gram under a ton and a ton under a gram.
Test(joint_physics, a_mass_ratio_of_a_million_holds) {
    for (int type = 1; type < JOINT_TYPES; ++type) {
        for (int heavy_first = 0; heavy_first < 2; ++heavy_first) {
            tn_world *world = world_make(gravity, NULL);
            double m_1 = heavy_first ? 1000.0 : 0.001, m_2 = heavy_first ? 0.001 : 1000.0;
            tn_body_id first = body_make(world, 0, -1, 0, m_1, 0.1 * m_1);
            tn_body_id second = body_make(world, 0, -2, 0, m_2, 0.1 * m_2);
            hang(world, TN_JOINT_TYPE_BALL, first, (tn_vec3){0, 0, 0});
            tn_joint_id joint =
                joint_make(world, (tn_joint_type)type, first, second, (tn_vec3){0, -1.5, 0},
                           carrying_axis((tn_joint_type)type));
            run(world, 3.0, 60.0, 4);
            tn_vec3 p = tn_body_get_pose(world, second).position;
            cr_assert(isfinite(p.x) && isfinite(p.y));
            if (heavy_first) {
                // The light one hangs from the heavy one, as from a wall.
                cr_assert_float_eq(p.y, -2.0, 1e-2, "type %d: %g", type, p.y);
                cr_assert_float_eq(tn_joint_get_reaction(world, joint).force.y, 0.00981, 1e-4);
            }
            tn_world_destroy(world);
        }
    }
}

static tn_joint_break_event last_break(const tn_world *world, uint32_t *out_count) {
    tn_events events = tn_world_get_events(world);
    tn_joint_break_event none_broken = {.force = 0.0f};
    *out_count = events.joint_break_count;
    return events.joint_break_count > 0 ? events.joint_breaks[0] : none_broken;
}

Test(joint_physics, breaks_above_its_force_and_not_below) {
    for (int type = 0; type < JOINT_TYPES; ++type) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, -1, 0, 3, 0.1);
        tn_joint_id joint = hang(world, (tn_joint_type)type, body, (tn_vec3){0, 0, 0});
        int marker;
        uint32_t count;
        tn_joint_set_user_data(world, joint, &marker);
        run(world, 1.0, 60.0, 4);
        tn_joint_set_break_force(world, joint, 29.6f, INFINITY);
        run(world, 1.0, 60.0, 4);
        cr_assert(tn_joint_is_valid(world, joint), "type %d", type);
        tn_joint_set_break_force(world, joint, 29.2f, INFINITY);
        run(world, 1.0 / 60.0, 60.0, 4);
        cr_assert(!tn_joint_is_valid(world, joint), "type %d", type);
        tn_joint_break_event event = last_break(world, &count);
        cr_assert(count == 1 && event.joint.value == joint.value && event.user_data == &marker);
        cr_assert(event.body_a.value == 0 && event.body_b.value == body.value);
        cr_assert_float_eq((double)event.force, 29.43, 1e-2);
        run(world, 1.0 / 60.0, 60.0, 4);
        last_break(world, &count);
        cr_assert(count == 0 && tn_world_count_joints(world) == 0);
        run(world, 1.0, 60.0, 4);
        cr_assert(tn_body_get_linear_velocity(world, body).y < -9.0);
        tn_world_destroy(world);
    }
}

Test(joint_physics, breaks_above_its_torque_and_not_below) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id arm = body_make(world, 1, 0, 0, 1, 1);
    tn_joint_id weld = joint_make(world, TN_JOINT_TYPE_FIXED, world_body, arm, (tn_vec3){0, 0, 0},
                                  (tn_vec3){1, 0, 0});
    run(world, 2.0, 60.0, 4);
    tn_joint_set_break_force(world, weld, INFINITY, 9.9f);
    run(world, 1.0, 60.0, 4);
    cr_assert(tn_joint_is_valid(world, weld));
    tn_joint_set_break_force(world, weld, INFINITY, 9.7f);
    run(world, 1.0 / 60.0, 60.0, 4);
    cr_assert(!tn_joint_is_valid(world, weld));
    tn_world_destroy(world);
}

// A double pendulum 100 km out keeps step with the same at the origin: the rows are floats of small
// differences, so that only the doubles' spacing of 1.5e-11 m sets them apart, and chaos makes more
// of that in the seconds that follow.
Test(joint_physics, is_the_same_100_km_from_the_origin) {
    for (int type = 1; type < JOINT_TYPES; ++type) {
        double angles[2];
        for (int i = 0; i < 2; ++i) {
            double x = i == 0 ? 0.0 : 1e5, y = i == 0 ? 0.0 : -1e5, z = x;
            tn_world *world = world_make(gravity, NULL);
            tn_body_id first = body_make(world, x + 0.5, y, z, 1, 0.1);
            tn_body_id second = body_make(world, x + 1.5, y, z, 1, 0.1);
            tn_joint_id top = joint_make(world, TN_JOINT_TYPE_HINGE, world_body, first,
                                         (tn_vec3){x, y, z}, (tn_vec3){0, 0, 1});
            tn_joint_id joint = joint_make(world, (tn_joint_type)type, first, second,
                                           (tn_vec3){x + 1.0, y, z}, (tn_vec3){0, 0, 1});
            run(world, 2.0, 60.0, 4);
            angles[i] = tn_hinge_joint_get_angle(world, top);
            cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-2);
            tn_world_destroy(world);
        }
        cr_assert_float_eq(angles[0], angles[1], 1e-4, "type %d: %g, %g", type, angles[0],
                           angles[1]);
    }
}

// ---- stiffness of its own ---------------------------------------------------------------------

static double height(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.y;
}

// Sag g / w^2 and a swing at its frequency, at any step rate. Tolerance: round-off of a float; for
// the period that of measure_period, and of the midpoint rule at the coarsest rate.
Test(joint_physics, a_soft_joint_is_as_soft_at_every_step_rate) {
    const double rates[] = {60.0, 60.0, 60.0, 240.0};
    const uint32_t substeps[] = {1, 4, 16, 4};
    double w = 2.0 * 3.14159265358979323846 * 2.0;
    for (int r = 0; r < 4; ++r) {
        for (int type = 1; type < JOINT_TYPES; ++type) {
            tn_world *world = world_make(none, NULL);
            tn_body_id body = body_make(world, 0, 0, 0, 3, 0.1);
            tn_joint_id joint = hang(world, (tn_joint_type)type, body, (tn_vec3){0, 0, 0});
            tn_joint_set_stiffness(world, joint, 2.0f, 0.0f);
            tn_body_set_linear_velocity(world, body, (tn_vec3){0.0, 0.5, 0.0});
            double period = measure_period(world, joint, height, 5.0, rates[r], substeps[r]);
            double h = 1.0 / (rates[r] * substeps[r]);
            double measured = 2.0 * 3.14159265358979323846 / period;
            cr_assert_float_eq(measured / midpoint_frequency(w, h), 1.0, 2e-3, "type %d, %g x %u",
                               type, rates[r], substeps[r]);
            tn_joint_set_stiffness(world, joint, 2.0f, 1.0f);
            tn_world_set_gravity(world, gravity);
            run(world, 5.0, rates[r], substeps[r]);
            cr_assert_float_eq(height(world, joint), -9.81 / (w * w), 1e-5, "type %d, %g x %u: %g",
                               type, rates[r], substeps[r], height(world, joint));
            tn_world_destroy(world);
        }
    }
}

// A chain that starts with gaps of half a metre and turned frames pulls itself together.
Test(joint_physics, a_joint_made_apart_pulls_itself_together) {
    for (int type = 1; type < JOINT_TYPES; ++type) {
        tn_world *world = world_make(none, NULL);
        tn_body_id a = body_make(world, 0, 0, 0, 1, 0.2), b = body_make(world, 1, 0, 0, 2, 0.3);
        tn_joint_id joint =
            joint_make(world, (tn_joint_type)type, a, b, (tn_vec3){0.5, 0, 0}, (tn_vec3){0, 0, 1});
        tn_pose frame = tn_joint_get_def(world, joint).frame_b;
        frame.position.y += 0.5;
        frame.rotation.x += 0.3;
        tn_joint_set_frame_b(world, joint, frame);
        run(world, 3.0, 60.0, 4);
        tn_joint_error error = tn_joint_get_error(world, joint);
        cr_assert(error.linear_length < 1e-3 && error.angular_length < 1e-3, "type %d: %g %g", type,
                  error.linear_length, error.angular_length);
        tn_world_destroy(world);
    }
}
