// Contacts that see other masses than the bodies have, by the pre-solve callback: blows against
// their closed form, what nothing moves, and stacks.
#include "tests/world/world_test.h"

static test_reports reports;

// The scales of the two bodies that a test makes first, and of how many contacts it was asked.
typedef struct scale_rule {
    tn_body_id first;
    float mass[2], inertia[2];
    uint32_t asked;
} scale_rule;

static bool scale_pair(const tn_world *world, const tn_contact *contact,
                       tn_contact_settings *settings, void *user_data) {
    scale_rule *rule = user_data;
    if (tn_body_get_type(world, contact->body_a) == TN_BODY_TYPE_STATIC ||
        tn_body_get_type(world, contact->body_b) == TN_BODY_TYPE_STATIC) {
        return true;
    }
    int a = contact->body_a.value == rule->first.value ? 0 : 1;
    settings->inverse_mass_scale_a = rule->mass[a];
    settings->inverse_mass_scale_b = rule->mass[1 - a];
    settings->inverse_inertia_scale_a = rule->inertia[a];
    settings->inverse_inertia_scale_b = rule->inertia[1 - a];
    rule->asked += 1;
    return true;
}

static tn_world *make_world(tn_solver solver, double gravity, scale_rule *rule) {
    tn_world *world = test_solver_world_create(solver, &reports);
    tn_world_set_gravity(world, (tn_vec3){0.0, -gravity, 0.0});
    tn_world_set_pre_solve(world, scale_pair, rule);
    return world;
}

static tn_body_id add_box(tn_world *world, double x, double y, double mass, float restitution,
                          tn_vec3 half) {
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.restitution = restitution;
    def.material.friction = 0.0f;
    def.has_pre_solve = true;
    def.density = (float)(mass / (8.0 * half.x * half.y * half.z));
    cr_assert(tn_box_shape_create(world, box, &def, half).value != 0);
    return box;
}

static const tn_vec3 cube = {0.5, 0.5, 0.5};

// ---- blows --------------------------------------------------------------------------------------

// Two boxes of 2 and 3 kg meet at 4 and -1 m/s: with K = s_a / m_a + s_b / m_b the impulse is
// (1 + e) 5 / K, and each gets its share.
static void check_blow(tn_solver solver, float s_a, float s_b, float restitution) {
    scale_rule rule = {.mass = {s_a, s_b}, .inertia = {s_a, s_b}};
    tn_world *world = make_world(solver, 0.0, &rule);
    tn_body_id a = add_box(world, -0.7, 0.0, 2.0, restitution, cube);
    tn_body_id b = add_box(world, 0.7, 0.0, 3.0, restitution, cube);
    rule.first = a;
    tn_body_set_linear_velocity(world, a, (tn_vec3){4.0, 0.0, 0.0});
    tn_body_set_linear_velocity(world, b, (tn_vec3){-1.0, 0.0, 0.0});
    test_step(world, 20);
    double k = (double)s_a / 2.0 + (double)s_b / 3.0, x = (1.0 + (double)restitution) * 5.0 / k;
    double v_a = tn_body_get_linear_velocity(world, a).x;
    double v_b = tn_body_get_linear_velocity(world, b).x;
    double off_a = v_a - (4.0 - (double)s_a * x / 2.0),
           off_b = v_b - (-1.0 + (double)s_b * x / 3.0);
    double most = restitution > 0.0f ? 2e-3 : 1e-2; // what overlaps is pushed out
    cr_assert(fabs(off_a) < most && fabs(off_b) < most, "solver %d, %g %g, e %g: %g and %g m/s",
              solver, (double)s_a, (double)s_b, (double)restitution, v_a, v_b);
    cr_assert(rule.asked > 0);
    test_world_destroy_quiet(world, &reports);
}

Test(mass_scale, gives_each_body_its_share_of_a_blow) {
    const float scales[][2] = {{1.0f, 1.0f}, {0.5f, 1.0f}, {1.0f, 0.0f},
                               {0.0f, 1.0f}, {0.2f, 3.0f}, {2.0f, 2.0f}};
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        for (int i = 0; i < 6; ++i) {
            check_blow(solver, scales[i][0], scales[i][1], 0.0f);
            check_blow(solver, scales[i][0], scales[i][1], 0.5f);
            check_blow(solver, scales[i][0], scales[i][1], 1.0f);
        }
    }
}

// A ball of 1 kg hits a slab of 3 kg 0.4 m beside its middle: K has t (r x n)^2 / I of the slab.
static void check_spin(float mass, float inertia, float restitution) {
    scale_rule rule = {.mass = {mass, 1.0f}, .inertia = {inertia, 1.0f}};
    tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &rule);
    tn_body_id slab = add_box(world, 0.0, 0.0, 3.0, restitution, (tn_vec3){0.1, 1.0, 0.5});
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, -0.33, 0.4, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = 0.0f;
    def.density = (float)(1.0 / (4.0 / 3.0 * 3.14159265358979 * 0.008));
    tn_sphere_shape_create(world, ball, &def, 0.2f);
    rule.first = slab;
    tn_body_set_linear_velocity(world, ball, (tn_vec3){3.0, 0.0, 0.0});
    test_step(world, 1);
    double i_z = 3.0 / 12.0 * (0.04 + 4.0), r = 0.4;
    double k = (double)mass / 3.0 + (double)inertia * r * r / i_z + 1.0;
    double x = (1.0 + (double)restitution) * 3.0 / k;
    double most = restitution > 0.0f ? 5e-3 : 1e-2; // else they stay together, and the slab turns
    tn_velocity v = tn_body_get_velocity(world, slab);
    TEST_NEAR(tn_body_get_linear_velocity(world, ball).x, 3.0 - x, most);
    TEST_NEAR(v.linear.x, (double)mass * x / 3.0, most);
    TEST_NEAR(v.angular.z, -(double)inertia * r * x / i_z, most);
    test_world_destroy_quiet(world, &reports);
}

Test(mass_scale, of_inertia_is_apart_from_that_of_mass) {
    for (int i = 0; i < 2; ++i) {
        float restitution = i == 0 ? 0.0f : 0.8f;
        check_spin(1.0f, 1.0f, restitution);
        check_spin(0.0f, 1.0f, restitution);
        check_spin(1.0f, 0.0f, restitution);
        check_spin(0.3f, 2.0f, restitution);
    }
}

// ---- who is pushed ------------------------------------------------------------------------------

// A crate of 1000 kg that runs into a hero of 80 kg stops, and the hero stays where he is; when he
// walks he pushes it along at his speed, and does not get slower.
Test(mass_scale, of_zero_makes_a_body_immovable_for_the_contact) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        scale_rule rule = {.mass = {0.0f, 1.0f}, .inertia = {0.0f, 1.0f}};
        tn_world *world = make_world(solver, 9.81, &rule);
        test_floor_create(world);
        tn_body_id hero = add_box(world, 0.0, 0.5, 80.0, 0.0f, cube);
        tn_body_id crate = add_box(world, 2.0, 0.5, 1000.0, 0.0f, cube);
        rule.first = hero;
        tn_body_set_linear_velocity(world, crate, (tn_vec3){-2.0, 0.0, 0.0});
        test_step(world, 90);
        TEST_NEAR(tn_body_get_linear_velocity(world, crate).x, 0.0, 2e-2);
        TEST_NEAR(tn_body_get_linear_velocity(world, hero).x, 0.0, 1e-6);
        TEST_NEAR(tn_body_get_center(world, hero).x, 0.0, 1e-6);
        tn_body_set_linear_velocity(world, hero, (tn_vec3){1.0, 0.0, 0.0});
        test_step(world, 60);
        TEST_NEAR(tn_body_get_linear_velocity(world, hero).x, 1.0, 1e-6);
        TEST_NEAR(tn_body_get_linear_velocity(world, crate).x, 1.0, 2e-2);
        test_world_destroy_quiet(world, &reports);
    }
}

// Two crates that show no mass at all to each other pass through.
Test(mass_scale, of_zero_for_both_gives_nothing) {
    scale_rule rule = {.mass = {0.0f, 0.0f}, .inertia = {0.0f, 0.0f}};
    tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &rule);
    tn_body_id a = add_box(world, -0.7, 0.0, 2.0, 0.5f, cube);
    tn_body_id b = add_box(world, 0.7, 0.0, 3.0, 0.5f, cube);
    rule.first = a;
    tn_body_set_linear_velocity(world, a, (tn_vec3){4.0, 0.0, 0.0});
    test_step(world, 60);
    TEST_NEAR(tn_body_get_linear_velocity(world, a).x, 4.0, 1e-6);
    TEST_NEAR(tn_body_get_linear_velocity(world, b).x, 0.0, 1e-6);
    test_world_destroy_quiet(world, &reports);
}

// ---- stacks -------------------------------------------------------------------------------------

// The lower one of two bodies does not feel the upper one.
static bool bear_all(const tn_world *world, const tn_contact *contact,
                     tn_contact_settings *settings, void *user_data) {
    (void)world;
    (void)user_data;
    bool is_a_below = contact->normal.y > 0.0;
    *(is_a_below ? &settings->inverse_mass_scale_a : &settings->inverse_mass_scale_b) = 0.0f;
    *(is_a_below ? &settings->inverse_inertia_scale_a : &settings->inverse_inertia_scale_b) = 0.0f;
    return true;
}

Test(mass_scale, leaves_stacks_stable_and_makes_no_energy) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world *world = make_world(solver, 9.81, NULL);
        tn_world_set_pre_solve(world, bear_all, NULL);
        test_floor_create(world);
        tn_body_id boxes[6];
        for (int i = 0; i < 6; ++i) {
            boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + 1.01 * i, 0.0, cube);
        }
        test_want_pre_solve(world);
        tn_energy start = tn_world_get_energy(world);
        double most = start.kinetic + start.potential, energy = most;
        for (int step = 0; step < 300; ++step) {
            test_step(world, 1);
            tn_energy now = tn_world_get_energy(world);
            energy = now.kinetic + now.potential;
            cr_assert(energy <= most + 1e-5 * fabs(most), "solver %d, step %d: %g J for %g", solver,
                      step, energy, most);
            most = energy;
        }
        for (int i = 0; i < 6; ++i) {
            tn_vec3 p = tn_body_get_center(world, boxes[i]);
            cr_assert(hypot(p.x, p.z) < 1e-3 && fabs(p.y - 0.5 - i) < 1e-2,
                      "solver %d, box %d: %g %g %g", solver, i, p.x, p.y, p.z);
        }
        TEST_NEAR(tn_world_get_energy(world).kinetic, 0.0, 1e-3);
        test_world_destroy_quiet(world, &reports);
    }
}

Test(mass_scale, is_energy_that_the_ledger_knows) {
    scale_rule rule = {.mass = {0.2f, 3.0f}, .inertia = {0.2f, 3.0f}};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &rule);
        tn_body_id a = add_box(world, -0.7, 0.0, 2.0, i == 0 ? 0.0f : 0.5f, cube);
        add_box(world, 0.7, 0.0, 3.0, 0.0f, cube);
        rule.first = a;
        tn_body_set_linear_velocity(world, a, (tn_vec3){4.0, 0.0, 0.0});
        double before = tn_world_get_energy(world).kinetic;
        test_step(world, 20);
        tn_energy energy = tn_world_get_energy(world);
        double sum = energy.joint_work + energy.friction_work + energy.impact_work;
        TEST_NEAR(before + sum, energy.kinetic, 1e-4 * before);
        test_world_destroy_quiet(world, &reports);
    }
}

// ---- the interface ------------------------------------------------------------------------------

Test(mass_scale, is_refused_out_of_range_and_holds_for_one_step) {
    const float wrong[] = {-0.5f, NAN, INFINITY, 1001.0f};
    for (int i = 0; i < 4; ++i) {
        scale_rule rule = {.mass = {wrong[i], 1.0f}, .inertia = {1.0f, 1.0f}};
        tn_world *world = make_world(TN_SOLVER_AUTO, 9.81, &rule);
        rule.first = add_box(world, 0.0, 0.0, 2.0, 0.0f, cube);
        add_box(world, 0.0, 0.995, 2.0, 0.0f, cube);
        TEST_REPORTS(&reports, test_step(world, 1), TN_RESULT_INVALID_ARGUMENT);
        tn_world_destroy(world);
    }
    scale_rule rule = {.mass = {0.0f, 1.0f}, .inertia = {0.0f, 1.0f}};
    tn_world *world = make_world(TN_SOLVER_AUTO, 0.0, &rule);
    tn_body_id a = add_box(world, 0.0, 0.0, 2.0, 0.0f, cube);
    tn_body_id b = add_box(world, 1.0, 0.0, 2.0, 0.0f, cube);
    rule.first = a;
    tn_body_set_linear_velocity(world, b, (tn_vec3){-1.0, 0.0, 0.0});
    test_step(world, 2);
    TEST_NEAR(tn_body_get_linear_velocity(world, a).x, 0.0, 1e-6);
    tn_world_set_pre_solve(world, NULL, NULL);
    tn_body_set_linear_velocity(world, b, (tn_vec3){-1.0, 0.0, 0.0});
    test_step(world, 2);
    TEST_NEAR(tn_body_get_linear_velocity(world, a).x, -0.5, 2e-2);
    test_world_destroy_quiet(world, &reports);
}
