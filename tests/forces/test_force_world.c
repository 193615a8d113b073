// Forces among the other things of a world: sleep, joints, contacts, workers.
#include "force_world.h"
#include "tests/support/long_test.h"

TestSuite(force_world, .timeout = 60);

// ---- sleep -------------------------------------------------------------------------------------

static tn_world *sleepy_world(tn_vec3 gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

Test(force_world, bodies_of_a_force_sleep_and_wake_together) {
    tn_world *world = sleepy_world(force_no_gravity);
    tn_body_id a = body_make(world, 0, 0, 0, 1.0, 1.0), b = body_make(world, 2, 0, 0, 1.0, 1.0);
    tn_body_id alone = body_make(world, 50, 0, 0, 1.0, 1.0);
    spring_make(world, connector_at(a, 0, 0, 0), connector_at(b, 0, 0, 0), 10.0, 20.0, 2.0);
    tn_body_set_sleep_allowed(world, b, false);
    run(world, 2.0, 60.0, 2);
    cr_assert(tn_body_is_awake(world, a) && !tn_body_is_awake(world, alone));
    tn_body_set_sleep_allowed(world, b, true);
    run(world, 2.0, 60.0, 2);
    cr_assert(!tn_body_is_awake(world, a) && !tn_body_is_awake(world, b));
    tn_body_set_awake(world, a, true);
    cr_assert(tn_body_is_awake(world, b) && !tn_body_is_awake(world, alone));
    tn_body_set_awake(world, b, false);
    cr_assert(!tn_body_is_awake(world, a));
    tn_world_destroy(world);
}

Test(force_world, a_force_wakes_its_bodies_when_it_is_changed_and_only_then) {
    tn_world *world = sleepy_world(force_no_gravity);
    tn_body_id body = body_make(world, 0, 0, 0, 1.0, 1.0);
    tn_force_id spring = spring_make(world, connector_at(world_body, 0, 0, 0),
                                     connector_at(body, 0, 0, 0), 1.0, 0.0, 0.0);
    run(world, 2.0, 60.0, 2);
    cr_assert(!tn_body_is_awake(world, body));
    run(world, 1.0, 60.0, 2);
    cr_assert(!tn_body_is_awake(world, body));
    tn_spring_force_set(world, spring, (tn_force_spring){2.0, 0.0, 0.0});
    cr_assert(tn_body_is_awake(world, body));
    run(world, 2.0, 60.0, 2);
    tn_force_set_amount(world, spring, 0, 1.0);
    cr_assert(tn_body_is_awake(world, body));
    run(world, 2.0, 60.0, 2);
    tn_force_set_enabled(world, spring, false);
    cr_assert(tn_body_is_awake(world, body) && !tn_force_is_enabled(world, spring));
    run(world, 2.0, 60.0, 2);
    cr_assert(!tn_body_is_awake(world, body));
    tn_force_destroy(world, spring);
    cr_assert(tn_body_is_awake(world, body));
    tn_world_destroy(world);
}

Test(force_world, a_force_that_keeps_awake_does) {
    tn_world *world = sleepy_world(force_no_gravity);
    tn_body_id body = body_make(world, 0, 0, 0, 1e6, 1.0);
    tn_air_force_def def = tn_air_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.base.keeps_awake = true;
    tn_air_force_create(world, &def);
    run(world, 3.0, 60.0, 2);
    cr_assert(tn_body_is_awake(world, body));
    tn_world_destroy(world);
}

Test(force_world, a_force_of_a_disabled_body_does_nothing) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id a = body_make(world, 0, 0, 0, 1.0, 1.0), b = body_make(world, 2, 0, 0, 1.0, 1.0);
    tn_force_id spring =
        spring_make(world, connector_at(a, 0, 0, 0), connector_at(b, 0, 0, 0), 10.0, 0.0, 1.0);
    tn_body_set_enabled(world, b, false);
    run(world, 0.5, 60.0, 2);
    cr_assert(velocity_of(world, a).x == 0.0 && tn_force_get_force(world, spring, 0).x == 0.0);
    tn_body_set_enabled(world, b, true);
    run(world, 0.5, 60.0, 2);
    cr_assert(velocity_of(world, a).x > 0.1);
    tn_world_destroy(world);
}

Test(force_world, a_moving_kinematic_body_pulls) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_KINEMATIC;
    def.velocity.linear.x = 2.0;
    tn_body_id cart = tn_body_create(world, &def);
    tn_body_id body = body_make(world, 1.0, 0, 0, 1.0, 1.0);
    spring_make(world, connector_at(cart, 0, 0, 0), connector_at(body, 0, 0, 0), 100.0, 20.0, 1.0);
    run(world, 5.0, 60.0, 4);
    cr_assert(fabs(velocity_of(world, body).x - 2.0) < 1e-9, "%.12f", velocity_of(world, body).x);
    cr_assert(fabs(center_of(world, body).x - center_of(world, cart).x - 1.0) < 1e-9);
    tn_world_destroy(world);
}

// ---- once per step -----------------------------------------------------------------------------

static void count_calls(const tn_force_input *input, tn_force_output *out, void *context) {
    *(int *)context += 1;
    out->force[0].x = 3.0 * input->time;
}

// 3 t newtons: asked at middles both give t^2 exactly.
Test(force_world, a_force_may_be_asked_once_in_a_step) {
    for (int once = 0; once < 2; ++once) {
        tn_world *world = world_make(force_no_gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 1.5, 1.0);
        int calls = 0;
        tn_force_def def = tn_force_def_default();
        def.base.connectors[0].body = body;
        def.base.connector_count = 1;
        def.base.acts_once_per_step = once != 0;
        def.function = count_calls;
        def.function_user_data = &calls;
        tn_force_create(world, &def);
        run(world, 1.0, 60.0, 4);
        cr_assert(calls == (once ? 60 : 240), "%d", calls);
        cr_assert(fabs(velocity_of(world, body).x - 1.0) < 1e-12, "%g", velocity_of(world, body).x);
        tn_world_destroy(world);
    }
}

// ---- joints ------------------------------------------------------------------------------------

// A pendulum in air of 7 m/s: it hangs where the drag and the weight have no moment.
Test(force_world, every_solver_lets_a_pendulum_lean_with_the_wind) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int s = 0; s < 4; ++s) {
        tn_world *world = world_make(force_gravity, NULL);
        tn_world_set_solver(world, solvers[s]);
        tn_body_id bob = body_make(world, 0.0, -2.0, 0.0, 1.5, 0.1);
        joint_make(world, TN_JOINT_TYPE_HINGE, world_body, bob, (tn_vec3){0, 0, 0},
                   (tn_vec3){0, 0, 1});
        air_make(world, connector_at(bob, 0, 0, 0), 0.2, (tn_vec3){7.0, 0.0, 0.0});
        run(world, 120.0, 60.0, 4);
        double drag = 0.5 * 1.2 * 0.2 * 49.0, angle = atan2(drag, 1.5 * FORCE_G);
        tn_vec3 p = center_of(world, bob);
        cr_assert(fabs(atan2(p.x, -p.y) - angle) < 1e-4, "solver %d: %g, not %g", s,
                  atan2(p.x, -p.y), angle);
        tn_world_destroy(world);
    }
}

// Springs and joints together keep the energy that they begin with, within what the substep
// makes of it.
Test(force_world, every_solver_keeps_the_energy_of_a_spring_on_a_pendulum) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int s = 0; s < 4; ++s) {
        tn_world *world = world_make(force_gravity, NULL);
        tn_world_set_solver(world, solvers[s]);
        tn_body_id a = body_make(world, 1.0, 0.0, 0.0, 1.0, 0.1);
        tn_body_id b = body_make(world, 2.0, 0.0, 0.0, 1.0, 0.1);
        joint_make(world, TN_JOINT_TYPE_BALL, world_body, a, (tn_vec3){0, 0, 0},
                   (tn_vec3){1, 0, 0});
        joint_make(world, TN_JOINT_TYPE_BALL, a, b, (tn_vec3){1.5, 0, 0}, (tn_vec3){1, 0, 0});
        spring_make(world, connector_at(world_body, 2.0, 1.0, 0.0), connector_at(b, 0, 0, 0), 40.0,
                    0.0, 0.0);
        double worst = 0.0;
        for (int i = 0; i < 1200; ++i) {
            run(world, 1.0 / 60.0, 60.0, 8);
            tn_energy energy = tn_world_get_energy(world);
            tn_vec3 p = center_of(world, b);
            double x = p.x - 2.0, y = p.y - 1.0;
            double spring = 20.0 * (x * x + y * y + p.z * p.z);
            worst = fmax(worst, fabs(energy.kinetic + energy.potential + spring - 20.0));
        }
        cr_assert(worst < 0.4, "solver %d: %g J of some 60", s, worst);
        tn_world_destroy(world);
    }
}

// ---- the same bits -----------------------------------------------------------------------------

static uint64_t hash_of_pile(uint32_t workers, bool baseline) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_baseline_only = baseline;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id floor = static_body_make(world, 0, 0, 0);
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, floor, &shape);
    tn_body_id before = world_body;
    for (int i = 0; i < 600; ++i) {
        tn_vec3 at = {(i % 10) * 0.9, 0.5 + (i / 100) * 1.1, (i / 10 % 10) * 0.9};
        tn_body_id body = box_make(world, at, (tn_vec3){0.4, 0.4, 0.4}, 300.0f);
        if (i % 7 == 0) {
            air_make(world, connector_at(body, 0, 0.2, 0), 1.0, (tn_vec3){20.0, 0.0, 3.0});
        }
        if (i % 50 == 0 && before.value != 0) {
            spring_make(world, connector_at(before, 0, 0, 0), connector_at(body, 0, 0, 0), 1e6,
                        10.0, 1.0);
        }
        before = i % 50 == 0 ? body : before;
    }
    run(world, 1.0, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

LONG_TEST(force_world, workers_and_vector_units_do_not_change_a_bit) {
    uint64_t hash = hash_of_pile(1, false);
    cr_assert(hash_of_pile(4, false) == hash);
    cr_assert(hash_of_pile(1, true) == hash);
}

Test(force_world, allocations_end_after_the_first_steps) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id body = box_make(world, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0.5, 1}, 500.0f);
    water_make(world, body, 1.0);
    air_make(world, connector_at(body, 0, 0, 0), 1.0, (tn_vec3){5, 0, 0});
    run(world, 0.5, 60.0, 4);
    for (int i = 0; i < 60; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        cr_assert(tn_world_get_telemetry(world).allocations == 0);
    }
    tn_world_destroy(world);
}

// ---- drawing -----------------------------------------------------------------------------------

// A cross at each connector, a line for the spring, and one for what acts on each.
Test(force_world, a_force_is_drawn_with_what_acts) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 1.0, 0.0, 0.0, 1.0, 1.0);
    spring_make(world, connector_at(world_body, 0, 0, 0), connector_at(body, 0, 0.5, 0), 10.0, 0.0,
                0.0);
    run(world, 1.0 / 60.0, 60.0, 1);
    tn_draw_options options = tn_draw_options_default();
    tn_draw drawn;
    cr_assert(tn_world_draw(world, &options, &drawn) == TN_RESULT_OK && drawn.line_count == 7);
    options.draws_forces = true;
    options.force_scale = 0.1f;
    cr_assert(tn_world_draw(world, &options, &drawn) == TN_RESULT_OK && drawn.line_count == 9);
    // That of the first connector: 10 N for each metre to the second, a tenth of it drawn.
    const tn_draw_line *pull = &drawn.lines[3];
    cr_assert(fabs((double)pull->b[0] - 1.0) < 1e-6 && fabs((double)pull->b[1] - 0.5) < 1e-6,
              "%g %g", (double)pull->b[0], (double)pull->b[1]);
    tn_world_destroy(world);
}

// ---- anything ----------------------------------------------------------------------------------

// Springs at random of 1 to 1e8 N/m, with dampers, that begin without a pull, between bodies of 0.3
// to 30 kg of which some are on joints: what they give back is never more than they took.
static void tie_at_random(tn_world *world, uint32_t seed, tn_body_id *bodies) {
    uint32_t state = seed * 7919u;
    for (int i = 0; i < 12; ++i) {
        state = state * 1664525u + 1013904223u;
        double mass = pow(10.0, (double)(state >> 24) / 128.0 - 0.5);
        bodies[i] = box_make(world, (tn_vec3){i % 4 * 1.2, i / 4 * 1.2, 0.1 * (i % 3)},
                             (tn_vec3){0.3, 0.3, 0.3}, (float)(mass / 0.216));
        tn_body_id other = i > 0 ? bodies[(state >> 8) % (uint32_t)i] : world_body;
        tn_vec3 p = center_of(world, bodies[i]), q = {0.0, 0.0, 0.0};
        q = i > 0 ? center_of(world, other) : q;
        double x = p.x + 0.1 - q.x, y = p.y + 0.1 - q.y, z = p.z - 0.3 - q.z;
        spring_make(world, connector_at(other, 0.0, 0.1, 0.3),
                    connector_at(bodies[i], 0.1, 0.2, 0.0), pow(10.0, state % 9),
                    pow(10.0, state % 5), sqrt(x * x + y * y + z * z));
        if (i % 3 == 2) {
            joint_make(world, TN_JOINT_TYPE_BALL, bodies[i - 1], bodies[i],
                       center_of(world, bodies[i]), (tn_vec3){1, 0, 0});
        }
    }
}

LONG_TEST(force_world, crowds_of_springs_give_no_energy_under_any_solver) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (uint32_t seed = 1; seed <= 16; ++seed) {
        tn_world *world = world_make(force_gravity, NULL);
        tn_world_set_solver(world, solvers[seed % 4]);
        tn_body_id bodies[12];
        tie_at_random(world, seed, bodies);
        double start = tn_world_get_energy(world).potential, mass = 0.0;
        for (int i = 0; i < 12; ++i) {
            mass += tn_body_get_mass(world, bodies[i]).mass;
        }
        for (int i = 0; i < 240; ++i) {
            run(world, 1.0 / 60.0, 60.0, 8);
            tn_energy energy = tn_world_get_energy(world);
            double more = energy.kinetic + energy.potential - start;
            cr_assert(more < 0.01 * mass * FORCE_G, "seed %u, step %d: %g J on %g kg", seed, i,
                      more, mass);
        }
        tn_world_destroy(world);
    }
}

// 100 km out a spring swings as it does here.
Test(force_world, far_from_the_origin_a_spring_does_the_same) {
    double found[2];
    for (int i = 0; i < 2; ++i) {
        double at = 1e5 * i;
        tn_world *world = world_make(force_no_gravity, NULL);
        tn_body_id body = body_make(world, at + 1.2, 0.0, 0.0, 1.0, 1.0);
        spring_make(world, connector_at(world_body, at, 0, 0), connector_at(body, 0, 0, 0), 30.0,
                    0.1, 1.0);
        run(world, 2.0, 60.0, 4);
        found[i] = center_of(world, body).x - at;
        tn_world_destroy(world);
    }
    cr_assert(fabs(found[1] - found[0]) < 1e-9, "%.12f, %.12f", found[0], found[1]);
}

// A locked axis does not give way, also where the slope is stiff.
Test(force_world, locked_axes_stay) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 1.0, 1.0, 0.0, 1.0, 1.0);
    tn_body_set_locks(world, body, TN_BODY_LOCK_LINEAR_X | TN_BODY_LOCK_ANGULAR_Z);
    spring_make(world, connector_at(world_body, 0, 0, 0), connector_at(body, 0.2, 0, 0), 1e6, 1e3,
                0.0);
    run(world, 2.0, 60.0, 1);
    cr_assert(center_of(world, body).x == 1.0);
    cr_assert(fabs(center_of(world, body).y) < 1e-6, "%g", center_of(world, body).y);
    cr_assert(tn_body_get_velocity(world, body).angular.z == 0.0);
    tn_world_destroy(world);
}
