// Tests of solver/contacts/contact_sweep_wide.c: resting, sliding, rolling, spinning, heavy on
// light.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

static tn_world *make_world(double slope) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){9.81 * sin(slope), -9.81 * cos(slope), 0.0};
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static tn_material make_material(float friction, float rolling, float twisting) {
    tn_material material = {
        .friction = friction, .rolling_resistance = rolling, .twisting_resistance = twisting};
    return material;
}

static void add_floor(tn_world *world, tn_material material) {
    tn_body_id floor = test_floor_create(world);
    tn_shape_set_material(world, test_first_shape(world, floor), material);
}

static tn_body_id add_box(tn_world *world, double y, tn_material material, float density) {
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    def.density = density;
    cr_assert(tn_box_shape_create(world, box, &def, half).value != 0);
    return box;
}

Test(contact_sweep, a_resting_box_is_carried_by_its_weight) {
    tn_world *world = make_world(0.0);
    tn_material material = make_material(0.6f, 0.0f, 0.0f);
    add_floor(world, material);
    tn_body_id box = add_box(world, 0.5, material, 1000.0f);
    test_step(world, 120);
    tn_contact_id id = {0};
    cr_assert(tn_body_get_contacts(world, box, &id, 1) == 1);
    tn_contact contact = tn_contact_get(world, id);
    cr_assert(contact.point_count == 4);
    double impulse = 0.0;
    for (uint32_t i = 0; i < 4; ++i) {
        impulse += (double)contact.points[i].normal_impulse;
    }
    TEST_NEAR(impulse * 60.0 / (1000.0 * 9.81), 1.0, 1e-4);
    TEST_NEAR(tn_body_get_center(world, box).y, 0.5, 1.5e-3);
    tn_world_destroy(world);
}

Test(contact_sweep, friction_holds_below_its_angle_and_slides_above_at_the_exact_rate) {
    double angle = atan(0.5);
    for (int above = 0; above < 2; ++above) {
        double slope = above != 0 ? angle * 1.2 : angle * 0.98;
        tn_world *world = make_world(slope);
        tn_material material = make_material(0.5f, 0.0f, 0.0f);
        add_floor(world, material);
        tn_body_id box = add_box(world, 0.5, material, 1000.0f);
        test_step(world, 120);
        double rate = 9.81 * (sin(slope) - 0.5 * cos(slope));
        double way = above != 0 ? 0.5 * rate * 4.0 : 0.0;
        // The first steps settle into the contact.
        TEST_NEAR(tn_body_get_center(world, box).x, way, above != 0 ? 0.01 * way : 2e-3);
        tn_world_destroy(world);
    }
}

Test(contact_sweep, friction_is_the_same_in_every_direction) {
    double ways[5];
    for (int i = 0; i < 5; ++i) {
        tn_world *world = make_world(0.0);
        tn_material material = make_material(0.4f, 0.0f, 0.0f);
        add_floor(world, material);
        tn_body_id box = add_box(world, 0.5, material, 1000.0f);
        test_step(world, 30);
        double direction = 0.3 * i;
        tn_velocity velocity = {{4.0 * cos(direction), 0.0, 4.0 * sin(direction)}, {0.0, 0.0, 0.0}};
        tn_body_set_velocity(world, box, velocity);
        test_step(world, 120);
        tn_vec3 p = tn_body_get_center(world, box);
        ways[i] = sqrt(p.x * p.x + p.z * p.z);
        TEST_NEAR(ways[i], 16.0 / (2.0 * 0.4 * 9.81), 0.02); // v² / (2 mu g)
        TEST_NEAR(atan2(p.z, p.x), direction, 5e-3);
        tn_world_destroy(world);
    }
}

Test(contact_sweep, rolling_resistance_stops_a_ball_at_the_exact_rate) {
    tn_world *world = make_world(0.0);
    tn_material material = make_material(1.0f, 0.01f, 0.0f);
    add_floor(world, material);
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    tn_sphere_shape_create(world, ball, &def, 0.5f);
    tn_velocity velocity = {{2.0, 0.0, 0.0}, {0.0, 0.0, -4.0}};
    tn_body_set_velocity(world, ball, velocity);
    test_step(world, 120);
    // The torque N * 0.01 m acts on I + m r² = 1.4 m r²: a = 0.01 g / (1.4 r).
    double rate = 0.01 * 9.81 / (1.4 * 0.5);
    TEST_NEAR(tn_body_get_velocity(world, ball).linear.x, 2.0 - 2.0 * rate, 5e-3);
    tn_world_destroy(world);
}

Test(contact_sweep, twisting_resistance_stops_a_spinning_ball) {
    tn_world *world = make_world(0.0);
    tn_material material = make_material(0.5f, 0.0f, 0.05f);
    add_floor(world, material);
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    tn_sphere_shape_create(world, ball, &def, 0.5f);
    tn_velocity velocity = {{0.0, 0.0, 0.0}, {0.0, 10.0, 0.0}};
    tn_body_set_velocity(world, ball, velocity);
    test_step(world, 60);
    // 0.05 m * m g on 0.4 m r².
    TEST_NEAR(tn_body_get_velocity(world, ball).angular.y, 10.0 - 0.05 * 9.81 / (0.4 * 0.25), 0.05);
    tn_world_destroy(world);
}

Test(contact_sweep, a_box_100_times_heavier_rests_on_a_light_one) {
    tn_world *world = make_world(0.0);
    tn_material material = make_material(0.6f, 0.0f, 0.0f);
    add_floor(world, material);
    add_box(world, 0.5, material, 10.0f);
    tn_body_id heavy = add_box(world, 1.5, material, 1000.0f);
    test_step(world, 300);
    tn_vec3 p = tn_body_get_center(world, heavy);
    TEST_NEAR(p.y, 1.5, 0.03);
    TEST_NEAR(p.x, 0.0, 1e-3);
    tn_world_destroy(world);
}

Test(contact_sweep, a_deep_overlap_is_pushed_out_no_faster_than_asked) {
    tn_world *world = make_world(0.0);
    tn_material material = make_material(0.6f, 0.0f, 0.0f);
    add_floor(world, material);
    tn_body_id box = add_box(world, 0.2, material, 1000.0f); // 0.3 m deep
    double fastest = 0.0, last = 0.2;
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        double y = tn_body_get_center(world, box).y;
        fastest = fmax(fastest, (y - last) * 60.0);
        last = y;
        // The push leaves no speed behind.
        cr_assert(tn_body_get_velocity(world, box).linear.y < 0.1);
    }
    float cap = tn_world_get_contact_bias(world).max_speed;
    cr_assert(fastest <= (double)cap * 1.01, "%g m/s", fastest);
    TEST_NEAR(last, 0.5, 2e-3);
    tn_world_destroy(world);
}

static void use_baumgarte(tn_world *world, float slop) {
    tn_bias bias = tn_world_get_contact_bias(world);
    bias.mode = TN_BIAS_MODE_BAUMGARTE;
    bias.beta = 0.2f;
    bias.slop = slop;
    tn_world_set_contact_bias(world, bias);
}

Test(contact_sweep, baumgarte_feedback_holds_a_stack_too) {
    tn_world *world = make_world(0.0);
    use_baumgarte(world, 0.001f);
    tn_material material = make_material(0.6f, 0.0f, 0.0f);
    add_floor(world, material);
    tn_body_id top = {0};
    for (int i = 0; i < 6; ++i) {
        top = add_box(world, 0.5 + i, material, 1000.0f);
    }
    test_step(world, 300);
    TEST_NEAR(tn_body_get_center(world, top).y, 5.5, 0.02);
    tn_world_destroy(world);
}

// Pushed rigidly towards a gap of 0 they shake, and towers of 20 fall after 6 s.
LONG_TEST(contact_sweep, towers_stand_still_on_baumgarte_feedback, .timeout = 60) {
    for (int count = 10; count <= 30; count += 10) {
        tn_world *world = make_world(0.0);
        use_baumgarte(world, 0.0f);
        tn_material material = make_material(0.6f, 0.0f, 0.0f);
        add_floor(world, material);
        tn_body_id top = {0};
        for (int i = 0; i < count; ++i) {
            top = add_box(world, 0.5 + i, material, 1000.0f);
        }
        test_step(world, 1800);
        tn_vec3 p = tn_body_get_center(world, top);
        cr_expect(hypot(p.x, p.z) < 1e-3, "%d boxes: %g m aside", count, hypot(p.x, p.z));
        TEST_NEAR(p.y, count - 0.5, 0.03);
        cr_expect(tn_world_get_energy(world).kinetic < 1e-3, "%d boxes", count);
        tn_world_destroy(world);
    }
}

// Whatever its speed, and where in its substep it strikes.
Test(contact_sweep, a_ball_without_restitution_stays_where_it_strikes) {
    for (int i = 0; i < 40; ++i) {
        tn_world *world = make_world(0.0);
        add_floor(world, make_material(0.6f, 0.0f, 0.0f));
        tn_body_id ball = test_ball_create(world, 0.0, 1.0 + 0.031 * i, 0.0, 0.5f);
        double speed = 2.0 + 0.37 * i, up = 0.0;
        tn_body_set_velocity(world, ball, (tn_velocity){.linear = {0.0, -speed, 0.0}});
        for (int k = 0; k < 60; ++k) {
            test_step(world, 1);
            up = fmax(up, tn_body_get_velocity(world, ball).linear.y);
        }
        cr_expect(up < 1e-3 * speed, "%g m/s after %g m/s", up, speed);
        tn_world_destroy(world);
    }
}

// A hub: a raft on the floor with 300 boxes on it, one of them for each color and many beyond.
static uint64_t let_raft_lie(bool is_baseline_only) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.is_baseline_only = is_baseline_only;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.25, 0.0, (tn_vec3){8.0, 0.25, 6.0});
    tn_body_id boxes[300];
    for (int i = 0; i < 300; ++i) {
        boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.75 * (i % 20) - 7.1, 0.7,
                                   0.75 * (double)(i / 20) - 5.2, (tn_vec3){0.2, 0.2, 0.2});
    }
    test_step(world, 60);
    for (int i = 0; i < 300; ++i) {
        cr_assert(fabs(tn_body_get_pose(world, boxes[i]).position.y - 0.7) < 2e-3);
        cr_assert(tn_body_get_linear_velocity(world, boxes[i]).y < 1e-3);
    }
    cr_assert(tn_world_get_telemetry(world).manifolds == 301);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(contact_sweep, hundreds_lie_on_one_body_with_the_same_bits_at_every_width) {
    cr_assert(let_raft_lie(false) == let_raft_lie(true));
}

// From 0 to 1.
static double get_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

// Shapes of random sizes and turns fall on each other.
static tn_world *make_fall(uint32_t seed, bool has_boxes) {
    tn_world *world = make_world(0.0);
    tn_material material = make_material(0.6f, 0.0f, 0.0f);
    add_floor(world, material);
    tn_shape_def shape = tn_shape_def_default();
    shape.material = material;
    for (int i = 0; i < 10; ++i) {
        tn_body_def def = tn_body_def_default();
        def.pose.position.x = 2.0 * get_random(&seed) - 1.0;
        def.pose.position.y = 1.5 + 1.2 * i;
        def.pose.position.z = 2.0 * get_random(&seed) - 1.0;
        double angle = 3.0 * get_random(&seed);
        def.pose.rotation.x = 0.6 * sin(angle);
        def.pose.rotation.z = 0.8 * sin(angle);
        def.pose.rotation.w = cos(angle);
        tn_body_id body = tn_body_create(world, &def);
        tn_vec3 size = {(0.15 + 0.35 * get_random(&seed)), (0.15 + 0.35 * get_random(&seed)),
                        (0.15 + 0.35 * get_random(&seed))};
        if (has_boxes) {
            tn_box_shape_create(world, body, &shape, size);
        } else {
            tn_sphere_shape_create(world, body, &shape, (float)size.x);
        }
    }
    return world;
}

// What the energy rises by after a low, of the largest kinetic energy.
static double get_rise(tn_world *world, int steps) {
    double lowest = 1e300, rise = 0.0, largest = 0.0;
    for (int i = 0; i < steps; ++i) {
        test_step(world, 1);
        tn_energy energy = tn_world_get_energy(world);
        double now = energy.kinetic + energy.potential;
        largest = fmax(largest, energy.kinetic);
        lowest = fmin(lowest, now);
        rise = fmax(rise, now - lowest);
    }
    return rise / largest;
}

// A blow that is given again in the next kicks, as a load is, makes these 1.3 and 0.6 % on average,
// not 0.2. What is left is mostly the height that overlaps are pushed out to.
Test(contact_sweep, blows_that_are_over_drive_nothing_apart) {
    for (int has_boxes = 0; has_boxes < 2; ++has_boxes) {
        double sum = 0.0;
        for (uint32_t seed = 1; seed <= 20; ++seed) {
            tn_world *world = make_fall(seed * 7919u, has_boxes != 0);
            sum += get_rise(world, 150);
            tn_world_destroy(world);
        }
        cr_assert(sum / 20.0 < 4e-3, "boxes %d: %g of the kinetic energy", has_boxes, sum / 20.0);
    }
}

// A ball in a groove of facets, `angle` rad from one to the next, whose inner circle it would touch
// at the distance `reach` from the middle. It slides as far as the next facet, and loses there what
// it has across that.
typedef struct groove_ball {
    double angle, reach, from_middle, speed; // m along the facet, m/s
    int facet;
} groove_ball;

static void run_groove_ball(groove_ball *ball, double time) {
    double half_length = ball->reach * tan(0.5 * ball->angle);
    for (int i = 0; i < 1000 && time > 0.0; ++i) {
        double pull = -9.81 * sin(ball->facet * ball->angle), soonest = time;
        int side = 0;
        for (int to = -1; to <= 1; to += 2) {
            // The speed at the edge, if it gets there.
            double way = to * half_length - ball->from_middle;
            double square = ball->speed * ball->speed + 2.0 * pull * way;
            if (square < 0.0 || (square == 0.0 && pull == 0.0)) {
                continue;
            }
            double last = to * sqrt(square);
            double needed = 2.0 * way / (ball->speed + last);
            if (needed > 0.0 && needed < soonest && last * to > 0.0) {
                soonest = needed;
                side = to;
            }
        }
        ball->from_middle += soonest * (ball->speed + 0.5 * pull * soonest);
        ball->speed += pull * soonest;
        time -= soonest;
        if (side != 0) {
            ball->facet += side;
            ball->from_middle = -side * half_length;
            ball->speed *= cos(ball->angle);
        }
    }
}

// J/kg over the bottom.
static double get_groove_energy(const groove_ball *ball) {
    double tilt = ball->facet * ball->angle;
    double height = ball->from_middle * sin(tilt) + ball->reach * (1.0 - cos(tilt));
    return 9.81 * height + 0.5 * ball->speed * ball->speed;
}

static void add_groove(tn_world *world, double angle, double radius) {
    tn_shape_def def = tn_shape_def_default();
    def.material = make_material(0.0f, 0.0f, 0.0f);
    tn_vec3 facet = {(radius * tan(0.5 * angle)), 0.1, 1.0};
    for (int i = (int)(-1.5 / angle); i <= 1.5 / angle; ++i) {
        double tilt = i * angle, out = radius + 0.1;
        tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, out * sin(tilt),
                                           radius - out * cos(tilt), 0.0);
        tn_pose pose = tn_body_get_pose(world, body);
        pose.rotation.z = sin(0.5 * tilt);
        pose.rotation.w = cos(0.5 * tilt);
        tn_body_set_pose(world, body, pose);
        cr_assert(tn_box_shape_create(world, body, &def, facet).value != 0);
    }
}

static void check_groove(double angle, double hz, uint32_t substeps, double tolerance) {
    double radius = 2.0, ball_radius = 0.15;
    groove_ball exact = {.angle = angle, .reach = radius - ball_radius};
    exact.facet = (int)(-1.0 / angle - 0.5);
    double tilt = exact.facet * angle;
    tn_world *world = make_world(0.0);
    add_groove(world, angle, radius);
    tn_body_id ball = test_body_create(world, TN_BODY_TYPE_DYNAMIC, exact.reach * sin(tilt),
                                       radius - exact.reach * cos(tilt), 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = make_material(0.0f, 0.0f, 0.0f);
    cr_assert(tn_sphere_shape_create(world, ball, &def, (float)ball_radius).value != 0);
    double begin = get_groove_energy(&exact), least = begin, rise = 0.0;
    for (int i = 0; i < 2 * hz; ++i) {
        tn_world_step(world, 1.0 / hz, substeps);
        run_groove_ball(&exact, 1.0 / hz);
        tn_velocity v = tn_body_get_velocity(world, ball);
        double energy = 9.81 * (tn_body_get_center(world, ball).y - ball_radius) +
                        0.5 * (v.linear.x * v.linear.x + v.linear.y * v.linear.y);
        TEST_NEAR(energy / begin, get_groove_energy(&exact) / begin, tolerance);
        least = fmin(least, energy);
        rise = fmax(rise, energy - least);
    }
    cr_assert(rise < 5e-4 * begin, "rises by %g of %g J/kg", rise, begin);
    tn_world_destroy(world);
}

// What the facet behind has borne until the blow is not taken back: else the ball loses 2 % more.
Test(contact_sweep, a_ball_that_slides_from_facet_to_facet_loses_what_its_blows_take) {
    check_groove(0.1, 60.0, 4, 5e-3);
    check_groove(0.2, 60.0, 4, 3e-3);
    check_groove(0.1, 240.0, 1, 5e-3);
}

// A box that stands on one corner, turned about x and then z, tips over. Returns its greatest spin
// about the normal. A corner that comes down is stopped where it strikes, and the one that bore the
// box so far is free to go, so there is next to none.
static double tip_over(double about_x, double about_z, uint32_t substeps) {
    tn_world *world = make_world(0.0);
    add_floor(world, make_material(0.6f, 0.0f, 0.0f));
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_vec3 sides = {0.5, 0.3, 0.4};
    double sine_x = sin(about_x), cosine_x = cos(about_x);
    double sine_z = sin(about_z), cosine_z = cos(about_z);
    tn_pose pose = tn_body_get_pose(world, body);
    pose.rotation.x = sin(0.5 * about_x) * cos(0.5 * about_z);
    pose.rotation.y = sin(0.5 * about_x) * sin(0.5 * about_z);
    pose.rotation.z = cos(0.5 * about_x) * sin(0.5 * about_z);
    pose.rotation.w = cos(0.5 * about_x) * cos(0.5 * about_z);
    pose.position.y = 1e-4 + (double)sides.x * sine_z +
                      cosine_z * ((double)sides.y * cosine_x + (double)sides.z * sine_x);
    tn_body_set_pose(world, body, pose);
    tn_shape_def def = tn_shape_def_default();
    def.material = make_material(0.6f, 0.0f, 0.0f);
    cr_assert(tn_box_shape_create(world, body, &def, sides).value != 0);
    double most = 0.0;
    for (int i = 0; i < 30; ++i) {
        tn_world_step(world, 1.0 / 60.0, substeps);
        most = fmax(most, fabs(tn_body_get_velocity(world, body).angular.y));
    }
    tn_world_destroy(world);
    return most;
}

// Friction of the blow at the corner that bore it before would spin the box by 0.6 to 0.8 rad/s.
Test(contact_sweep, a_box_that_tips_onto_the_next_corner_does_not_spin) {
    static const double tilts[][2] = {{0.2, 0.1}, {0.3, 0.1}, {0.3, 0.2}};
    for (uint32_t i = 0; i < 3; ++i) {
        double spin = tip_over(tilts[i][0], tilts[i][1], 4);
        cr_assert(spin < 0.2, "tilted by %g and %g: %g rad/s", tilts[i][0], tilts[i][1], spin);
    }
    double spin = tip_over(0.2, 0.1, 1);
    cr_assert(spin < 0.2, "one substep: %g rad/s", spin);
}
