// Contacts of round shapes that are made anew in each substep.
#include "tests/world/collide/contact_world.h"

TestSuite(contact_follow, .timeout = 60);

// The lower end of a rod lies on the floor and stays, the other one comes down within the step.
static double drop_other_end(double hz, uint32_t substeps, double tilt) {
    const double half = 0.25, radius = 0.01, spin = 0.33 * hz;
    tn_world *world = contact_world_create(0.0);
    tn_vec3 lower = {-1.0, -1.0, -1.0}, upper = {1.0, 0.0, 1.0};
    contact_block_create(world, lower, upper, contact_material(0.6, 0.0));
    tn_body_def def = contact_body_at(0.0, half * sin(tilt) + radius - 0.002, 0.0);
    contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, tilt - 0.5 * M_PI);
    def.velocity.angular.z = -spin;
    def.velocity.linear.y = -1.004 * spin * half * cos(tilt);
    tn_body_id rod = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_capsule_shape_create(world, rod, &shape, (float)half, (float)radius);
    contact_step(world, 1, hz, substeps);
    tn_vec3 axis = tn_body_get_world_vector(world, rod, (tn_vec3){0.0, 1.0, 0.0});
    double bottom = tn_body_get_center(world, rod).y + half * axis.y - radius;
    tn_world_destroy(world);
    return bottom;
}

Test(contact_follow, the_far_end_of_a_rod_that_lies_down_is_stopped) {
    const double rates[3] = {30.0, 60.0, 240.0};
    for (int i = 0; i < 3 * 2 * 3; ++i) {
        double tilt = 0.26 + 0.02 * (i / 6), bottom;
        bottom = drop_other_end(rates[i % 3], i / 3 % 2 == 0 ? 4 : 8, tilt);
        cr_assert(bottom > -0.003, "%g Hz, from %g rad: at %g m", rates[i % 3], tilt, bottom);
    }
}

// A body slides over the edge of a block without friction and down round it. Returns by how much
// the impulses that a step reports differ at most from what changes its momentum beside gravity, as
// a share of what gravity gives.
static double slide_over_edge(contact_kind kind, double speed) {
    const double hz = 60.0, radius = 0.25;
    tn_world *world = contact_world_create(9.81);
    tn_vec3 lower = {-2.0, -1.0, -5.0}, upper = {0.0, 0.0, 5.0};
    contact_block_create(world, lower, upper, contact_material(0.0, 0.0));
    tn_body_def def = contact_body_at(-0.2, radius, 0.0);
    if (kind == CONTACT_CAPSULE) { // along the edge
        contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
    }
    def.velocity.linear.x = speed;
    tn_body_id body = contact_body_create(world, &def, kind, radius, contact_material(0.0, 0.0));
    double mass = tn_body_get_mass(world, body).mass, worst = 0.0;
    contact_step(world, 4, hz, 4);
    for (int i = 0; i < 60 && tn_body_get_center(world, body).y > 0.1; ++i) {
        tn_vec3 before = tn_body_get_velocity(world, body).linear;
        contact_step(world, 1, hz, 4);
        tn_vec3 after = tn_body_get_velocity(world, body).linear;
        tn_contact_id ids[4];
        uint32_t count = tn_body_get_contacts(world, body, ids, 4);
        double told = 0.0;
        for (uint32_t k = 0; k < count; ++k) {
            tn_contact contact = tn_contact_get(world, ids[k]);
            for (uint32_t p = 0; p < contact.point_count; ++p) {
                told += (double)contact.points[p].normal_impulse;
            }
        }
        double given = mass * hypot(after.x - before.x, after.y - before.y + 9.81 / hz);
        worst = fmax(worst, fabs(told - given) / (mass * 9.81 / hz));
    }
    tn_world_destroy(world);
    return worst;
}

// The normal turns by up to 0.1 rad in a step, so that the sum of its impulses is a little more.
Test(contact_follow, what_goes_over_an_edge_tells_all_that_bears_it) {
    const double speeds[] = {0.3, 0.6, 0.9, 1.2};
    for (int i = 0; i < 2 * 4; ++i) {
        contact_kind kind = i < 4 ? CONTACT_BALL : CONTACT_CAPSULE;
        double worst = slide_over_edge(kind, speeds[i % 4]);
        cr_assert(worst < 0.02, "%s, %g m/s: %g", contact_kind_names[kind], speeds[i % 4], worst);
    }
}

// Returns what a ball with rolling resistance has left after it rolled down a larger one for 0.3 s,
// J/kg.
static double roll_down_ball(double hz) {
    const double large = 1.0, small = 0.25, angle = 0.1, speed = 1.0;
    tn_world *world = contact_world_create(9.81);
    tn_material material = contact_material(0.9, 0.0);
    material.rolling_resistance = 0.05f;
    tn_body_def hill = contact_body_at(0.0, -large, 0.0);
    hill.type = TN_BODY_TYPE_STATIC;
    contact_body_create(world, &hill, CONTACT_BALL, large, material);
    double far = large + small;
    tn_body_def def = contact_body_at(far * sin(angle), far * cos(angle) - large, 0.0);
    def.velocity.linear = (tn_vec3){speed * cos(angle), -speed * sin(angle), 0.0};
    def.velocity.angular.z = -speed / small;
    tn_body_id ball = contact_body_create(world, &def, CONTACT_BALL, small, material);
    contact_step(world, (int)(0.3 * hz), hz, 4);
    tn_vec3 v = tn_body_get_velocity(world, ball).linear;
    double spin = small * tn_body_get_velocity(world, ball).angular.z;
    double height = tn_body_get_center(world, ball).y;
    tn_world_destroy(world);
    return 0.5 * (v.x * v.x + v.y * v.y) + 0.2 * spin * spin + 9.81 * height;
}

// Finds the same by the law of a ball that rolls without sliding: 1.4 v' = g sin p - c N / r, with
// N = g cos p - v^2 / R, by midpoint steps.
static double find_rolling_energy(void) {
    const double far = 1.25, small = 0.25, resistance = 0.05, g = 9.81, dt = 1e-4;
    double angle = 0.1, v = 1.0;
    for (int i = 0; i < 3000; ++i) {
        double middle = angle, v_middle = v;
        for (int k = 2; k > 0; --k) {
            double load = g * cos(middle) - v_middle * v_middle / far;
            double rate = (g * sin(middle) - resistance * load / small) / 1.4;
            double speed = v_middle;
            v_middle = v + dt / k * rate;
            middle = angle + dt / k * speed / far;
        }
        angle = middle;
        v = v_middle;
    }
    return 0.7 * v * v + g * (far * cos(angle) - 1.0);
}

// It takes 0.53 of 3.09 J/kg.
Test(contact_follow, rolling_resistance_takes_the_same_at_every_rate) {
    const double rates[] = {60.0, 240.0, 960.0};
    double expected = find_rolling_energy();
    for (int i = 0; i < 3; ++i) {
        double left = roll_down_ball(rates[i]);
        cr_assert(fabs(left - expected) < 0.01, "%g Hz: %g, not %g J/kg", rates[i], left, expected);
    }
}
