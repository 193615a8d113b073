// A character walks, climbs, slides, rides, pushes and crouches.
#include "tests/world/world_test.h"

#include "tenon/character.h"

#define DT          (1.0 / 60.0)
#define RADIUS      0.3f
#define HALF_LENGTH 0.5f
#define FEET        0.8 // of the shape's middle over its lowest point

static tn_world *world;
static test_reports reports;
static tn_character walker;

static tn_probe make_capsule(double x, double y, double z, float half_length) {
    tn_pose pose = {{x, y, z}, {0.0, 0.0, 0.0, 1.0}};
    return tn_capsule_probe_make(pose, half_length, RADIUS);
}

static void setup(void) {
    world = test_world_create(&reports);
    walker = tn_character_make(make_capsule(0.0, FEET, 0.0, HALF_LENGTH));
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(character, .init = setup, .fini = teardown, .timeout = 60);

static tn_body_id add_box(tn_body_type type, tn_vec3 at, tn_vec3 half, double angle) {
    tn_body_def def = tn_body_def_default();
    def.type = type;
    def.pose.position = at;
    def.pose.rotation = (tn_quat){0.0, 0.0, sin(0.5 * angle), cos(0.5 * angle)};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = 100.0f;
    cr_assert(tn_box_shape_create(world, body, &shape, half).value != 0);
    return body;
}

static void add_floor(void) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, body, &shape);
}

static tn_vec3 get_position(void) {
    return walker.probe.pose.position;
}

static double get_feet(void) {
    return get_position().y - FEET;
}

// Moves with gravity, as an application does.
static void walk(double x, double z) {
    double fall = walker.state == TN_CHARACTER_STATE_GROUND ? 0.0 : walker.velocity.y - 9.81 * DT;
    tn_vec3 velocity = {x, fall, z};
    cr_assert(tn_character_move(world, &walker, velocity, DT) == TN_RESULT_OK);
    cr_assert(tn_world_step(world, DT, 4) == TN_RESULT_OK);
}

static void walk_for(double seconds, double x, double z) {
    for (int i = 0; i < (int)(seconds / DT + 0.5); ++i) {
        walk(x, z);
    }
}

Test(character, falls_lands_and_walks_at_the_speed_it_is_told) {
    add_floor();
    walker.probe.pose.position.y = 5.0;
    walk_for(2.0, 0.0, 0.0);
    cr_assert(walker.state == TN_CHARACTER_STATE_GROUND && walker.ground_normal.y > 0.999);
    cr_assert(get_feet() > 0.0 && get_feet() < 0.03, "feet at %g", get_feet());
    double x = get_position().x, y = get_position().y;
    walk_for(2.0, 3.0, 0.0);
    cr_assert(fabs(get_position().x - x - 6.0) < 1e-6 && fabs(walker.velocity.x - 3.0) < 1e-6);
    cr_assert(fabs(get_position().y - y) < 0.02 && walker.state == TN_CHARACTER_STATE_GROUND);
}

Test(character, jumps_as_high_as_the_ballistic_path) {
    add_floor();
    walk_for(0.2, 0.0, 0.0);
    double start = get_feet(), top = 0.0, fall = 4.0;
    for (int i = 0; i < 120; ++i) {
        cr_assert(tn_character_move(world, &walker, (tn_vec3){0.0, fall, 0.0}, DT) == TN_RESULT_OK);
        cr_assert(i == 0 || i > 40 || walker.state == TN_CHARACTER_STATE_AIR);
        fall = walker.state == TN_CHARACTER_STATE_GROUND ? 0.0 : fall - 9.81 * DT;
        top = fmax(top, get_feet());
    }
    cr_assert(fabs(top - start - (4.0 * 4.0 / (2.0 * 9.81) + 0.5 * 4.0 * DT)) < 5e-3, "%g", top);
    cr_assert(walker.state == TN_CHARACTER_STATE_GROUND && fabs(get_feet() - start) < 0.02);
}

Test(character, slides_along_a_wall_and_stops_in_a_corner) {
    add_floor();
    add_box(TN_BODY_TYPE_STATIC, (tn_vec3){2.0, 1.0, 0.0}, (tn_vec3){0.1, 2.0, 20.0}, 0.0);
    walk_for(2.0, 2.0, 2.0);
    cr_assert(fabs(get_position().x - (1.9 - (double)RADIUS)) < 0.02, "x %g", get_position().x);
    cr_assert(fabs(get_position().z - 4.0) < 0.02, "z %g", get_position().z);
    add_box(TN_BODY_TYPE_STATIC, (tn_vec3){0.0, 1.0, 5.0}, (tn_vec3){5.0, 2.0, 0.1}, 0.0);
    walk_for(2.0, 2.0, 2.0);
    tn_vec3 at = get_position();
    cr_assert(fabs(at.x - (1.9 - (double)RADIUS)) < 0.02 &&
              fabs(at.z - (4.9 - (double)RADIUS)) < 0.02);
    walk_for(2.0, 2.0, 2.0);
    cr_assert(fabs(get_position().x - at.x) < 1e-4 && fabs(get_position().z - at.z) < 1e-4);
    cr_assert(walker.state == TN_CHARACTER_STATE_GROUND);
}

// Ten steps of 0.2 m by 0.3 m, up and down again: it never leaves the ground.
Test(character, walks_up_and_down_stairs) {
    add_floor();
    for (int i = 0; i < 10; ++i) {
        double top = 0.2 * (i + 1), x = 2.0 + 0.3 * i;
        add_box(TN_BODY_TYPE_STATIC, (tn_vec3){x + 5.0, 0.5 * top, 0.0},
                (tn_vec3){5.0, 0.5 * top, 2.0}, 0.0);
    }
    walk_for(0.2, 0.0, 0.0);
    double highest = 0.0;
    for (int way = 0; way < 2; ++way) {
        for (int i = 0; i < 200; ++i) {
            double before = get_feet();
            walk(way == 0 ? 2.0 : -2.0, 0.0);
            cr_assert(walker.state == TN_CHARACTER_STATE_GROUND, "way %d, move %d", way, i);
            cr_assert(fabs(get_feet() - before) < 0.25);
            highest = fmax(highest, get_feet());
        }
        double expected = way == 0 ? 2.0 : 0.0;
        cr_assert(fabs(get_feet() - expected) < 0.03, "way %d: feet at %g", way, get_feet());
        cr_assert(fabs(get_position().x - (way == 0 ? 400.0 / 60.0 : 0.0)) < 0.5, "x %g",
                  get_position().x);
    }
    cr_assert(highest < 2.1);
}

Test(character, climbs_what_is_no_higher_than_a_step) {
    const double heights[4] = {0.3, 0.34, 0.37, 0.6};
    for (int i = 0; i < 4; ++i) {
        double z = 10.0 * i;
        add_box(TN_BODY_TYPE_STATIC, (tn_vec3){0.0, -0.5, z}, (tn_vec3){20.0, 0.5, 4.0}, 0.0);
        add_box(TN_BODY_TYPE_STATIC, (tn_vec3){4.0, 0.5 * heights[i], z},
                (tn_vec3){2.0, 0.5 * heights[i], 4.0}, 0.0);
        walker = tn_character_make(make_capsule(0.0, FEET + 0.01, z, HALF_LENGTH));
        for (int k = 0; k < 180; ++k) {
            walk(1.0, 0.0);
            cr_assert(walker.state == TN_CHARACTER_STATE_GROUND, "%g m, move %d", heights[i], k);
        }
        bool climbs = heights[i] <= (double)walker.step_height;
        cr_assert(climbs == (get_position().x > 2.5), "%g m: at %g", heights[i], get_position().x);
        cr_assert(fabs(get_feet() - (climbs ? heights[i] : 0.0)) < 0.03, "%g m: %g", heights[i],
                  get_feet());
    }
}

Test(character, walks_up_a_slope_but_slides_down_a_steep_one) {
    const double angles[3] = {0.3, 0.8, 1.1};
    for (int i = 0; i < 3; ++i) {
        double z = 10.0 * i, a = angles[i];
        add_box(TN_BODY_TYPE_STATIC, (tn_vec3){0.0, -0.5, z}, (tn_vec3){20.0, 0.5, 4.0}, 0.0);
        add_box(TN_BODY_TYPE_STATIC,
                (tn_vec3){1.0 + 5.0 * cos(a) + 0.5 * sin(a), 5.0 * sin(a) - 0.5 * cos(a), z},
                (tn_vec3){5.0, 0.5, 4.0}, a);
        walker = tn_character_make(make_capsule(0.0, FEET + 0.01, z, HALF_LENGTH));
        walk_for(2.0, 1.0, 0.0);
        if (i < 2) {
            cr_assert(fabs(get_position().x - 2.0) < 0.02, "%g rad: x %g", a, get_position().x);
            cr_assert(get_feet() > 0.5 * tan(a) && walker.state == TN_CHARACTER_STATE_GROUND);
            tn_vec3 at = get_position();
            walk_for(3.0, 0.0, 0.0); // it stands still
            cr_assert(fabs(get_position().x - at.x) < 1e-3 && fabs(get_position().y - at.y) < 0.02);
            walk_for(2.0, -1.0, 0.0); // and goes down without a hop
            cr_assert(fabs(get_position().x) < 0.02 && get_feet() < 0.03);
        } else {
            cr_assert(get_position().x < 1.3 && get_feet() < 0.05, "%g, %g", get_position().x,
                      get_feet());
            walker.probe.pose.position = (tn_vec3){2.0, 3.5, z};
            bool was_steep = false;
            for (int k = 0; k < 240; ++k) {
                walk(0.0, 0.0);
                was_steep = was_steep || walker.state == TN_CHARACTER_STATE_STEEP;
            }
            cr_assert(was_steep && walker.state == TN_CHARACTER_STATE_GROUND && get_feet() < 0.05);
        }
    }
}

Test(character, rides_a_lift_up_and_down) {
    add_floor();
    tn_body_id lift =
        add_box(TN_BODY_TYPE_KINEMATIC, (tn_vec3){0.0, 0.1, 0.0}, (tn_vec3){1.0, 0.1, 1.0}, 0.0);
    walker.probe.pose.position.y = 0.22 + FEET;
    walk_for(0.2, 0.0, 0.0);
    for (int i = 0; i < 360; ++i) {
        double speed = i < 120 ? 2.0 : i < 240 ? 0.0 : -1.9;
        tn_body_set_linear_velocity(world, lift, (tn_vec3){0.0, speed, 0.0});
        walk(0.1 * sin(0.1 * i), 0.0);
        double top = tn_body_get_pose(world, lift).position.y + 0.1;
        cr_assert(walker.state == TN_CHARACTER_STATE_GROUND, "move %d", i);
        cr_assert(fabs(get_feet() - top - 0.01) < 0.02, "move %d: %g over the lift", i,
                  get_feet() - top);
    }
}

Test(character, stays_in_its_place_on_a_platform_that_goes_and_turns) {
    tn_body_id disc =
        add_box(TN_BODY_TYPE_KINEMATIC, (tn_vec3){0.0, -0.1, 0.0}, (tn_vec3){4.0, 0.1, 4.0}, 0.0);
    tn_velocity motion = {{1.0, 0.0, 0.0}, {0.0, 1.5, 0.0}};
    walker.probe.pose.position = (tn_vec3){2.0, FEET + 0.01, 0.0};
    walk_for(0.2, 0.0, 0.0);
    tn_body_set_velocity(world, disc, motion);
    walk_for(DT, 0.0, 0.0); // it learns of the motion
    tn_vec3 place = tn_body_get_local_point(world, disc, get_position());
    walk_for(4.0, 0.0, 0.0);
    tn_vec3 now = tn_body_get_local_point(world, disc, get_position());
    cr_assert(fabs(now.x - place.x) < 0.01 && fabs(now.z - place.z) < 0.01, "%g %g to %g %g",
              place.x, place.z, now.x, now.z);
    cr_assert(walker.state == TN_CHARACTER_STATE_GROUND && fabs(walker.velocity.x) < 1e-3);
}

// A conveyor is static: its surface takes the character along, also against its own way.
Test(character, rides_on_a_conveyor) {
    add_floor();
    tn_body_id belt =
        add_box(TN_BODY_TYPE_STATIC, (tn_vec3){0.0, 0.1, 0.0}, (tn_vec3){9.0, 0.1, 1.0}, 0.0);
    tn_surface_velocity speed = {.linear = {1.2, 0.0, 0.0}};
    tn_shape_set_surface_velocity(world, test_first_shape(world, belt), speed);
    walker.probe.pose.position.y = 0.22 + FEET;
    walk_for(0.2, 0.0, 0.0);
    double x = get_position().x;
    walk_for(3.0, 0.0, 0.3);
    cr_assert(fabs(get_position().x - x - 3.6) < 1e-3, "%g m", get_position().x - x);
    cr_assert(fabs(walker.ground_velocity.x - 1.2) < 1e-9 && fabs(walker.velocity.x) < 1e-6);
    cr_assert(walker.state == TN_CHARACTER_STATE_GROUND);
    add_box(TN_BODY_TYPE_STATIC, (tn_vec3){6.0, 1.0, 0.0}, (tn_vec3){0.5, 2.0, 2.0}, 0.0);
    walk_for(3.0, 0.0, 0.0); // into a wall
    cr_assert(fabs(get_position().x - 5.2) < 0.02 && !walker.is_stuck, "%g", get_position().x);
    x = get_position().x;
    walk_for(1.0, -2.0, 0.0);
    cr_assert(fabs(get_position().x - x + 0.8) < 2e-3, "%g m", get_position().x - x);
}

Test(character, stays_in_its_circle_on_a_turntable) {
    tn_body_id table =
        add_box(TN_BODY_TYPE_STATIC, (tn_vec3){0.0, -0.1, 0.0}, (tn_vec3){4.0, 0.1, 4.0}, 0.0);
    tn_surface_velocity turn = {.angular = {0.0, 1.5, 0.0}};
    tn_shape_set_surface_velocity(world, test_first_shape(world, table), turn);
    walker.probe.pose.position = (tn_vec3){2.0, FEET + 0.01, 0.0};
    walk_for(5.0, 0.0, 0.0);
    double angle = 1.5 * 5.0;
    cr_assert(fabs(get_position().x - 2.0 * cos(angle)) < 0.06 &&
                  fabs(get_position().z + 2.0 * sin(angle)) < 0.06,
              "%g, %g", get_position().x, get_position().z);
    cr_assert(fabs(hypot(get_position().x, get_position().z) - 2.0) < 1e-3);
}

Test(character, pushes_a_light_box_and_no_more_than_its_force) {
    add_floor();
    tn_body_id light =
        add_box(TN_BODY_TYPE_DYNAMIC, (tn_vec3){1.0, 0.3, 0.0}, (tn_vec3){0.3, 0.3, 0.3}, 0.0);
    tn_body_id heavy =
        add_box(TN_BODY_TYPE_DYNAMIC, (tn_vec3){1.0, 0.8, 10.0}, (tn_vec3){0.3, 0.8, 0.3}, 0.0);
    tn_body_set_locks(world, light, TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Z);
    tn_body_set_locks(world, heavy, TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Z);
    tn_mass mass = tn_body_get_mass(world, heavy);
    mass.mass = 1000.0;
    tn_body_set_mass(world, heavy, mass);
    walk_for(3.0, 1.0, 0.0);
    cr_assert(tn_body_get_center(world, light).x > 2.5, "%g", tn_body_get_center(world, light).x);
    cr_assert(get_position().x > 1.5 && get_position().x < 3.0 + 1e-6);
    walker = tn_character_make(make_capsule(0.0, FEET + 0.01, 10.0, HALF_LENGTH));
    walk_for(3.0, 1.0, 0.0);
    cr_assert(tn_body_get_center(world, heavy).x < 1.01, "%g", tn_body_get_center(world, heavy).x);
    cr_assert(fabs(get_position().x - 0.4) < 0.03, "%g", get_position().x);
}

Test(character, is_pushed_by_a_kinematic_wall) {
    add_floor();
    tn_body_id wall =
        add_box(TN_BODY_TYPE_KINEMATIC, (tn_vec3){-2.0, 1.0, 0.0}, (tn_vec3){0.5, 1.0, 2.0}, 0.0);
    walk_for(0.1, 0.0, 0.0);
    tn_body_set_linear_velocity(world, wall, (tn_vec3){1.5, 0.0, 0.0});
    walk_for(3.0, 0.0, 0.0);
    double face = tn_body_get_pose(world, wall).position.x + 0.5;
    cr_assert(fabs(get_position().x - face - (double)RADIUS) < 0.04, "%g before the wall",
              get_position().x - face);
    cr_assert(walker.state == TN_CHARACTER_STATE_GROUND && !walker.is_stuck && get_feet() > 0.0);
    add_box(TN_BODY_TYPE_STATIC, (tn_vec3){4.0, 1.0, 0.0}, (tn_vec3){0.5, 1.0, 2.0}, 0.0);
    bool was_stuck = false; // the wall squeezes it
    for (int i = 0; i < 60 && !was_stuck; ++i) {
        walk(0.0, 0.0);
        was_stuck = walker.is_stuck;
    }
    cr_assert(was_stuck);
}

Test(character, crouches_under_a_beam_and_gets_up_where_there_is_room) {
    add_floor();
    add_box(TN_BODY_TYPE_STATIC, (tn_vec3){2.0, 2.2, 0.0}, (tn_vec3){1.0, 1.0, 2.0}, 0.0);
    walk_for(2.0, 1.0, 0.0);
    cr_assert(get_position().x < 0.75, "%g", get_position().x);
    double feet = get_feet();
    tn_probe low = make_capsule(0.0, 0.0, 0.0, 0.2f),
             high = make_capsule(0.0, 0.0, 0.0, HALF_LENGTH);
    cr_assert(tn_character_set_probe(world, &walker, &low));
    cr_assert(fabs(get_position().y - 0.5 - feet) < 1e-6);
    walk_for(1.5, 1.0, 0.0);
    cr_assert(get_position().x > 1.9 && walker.state == TN_CHARACTER_STATE_GROUND);
    cr_assert(!tn_character_set_probe(world, &walker, &high));
    walk_for(1.5, 1.0, 0.0);
    cr_assert(tn_character_set_probe(world, &walker, &high));
    cr_assert(fabs(get_feet()) < 0.03 && reports.count == 0);
}

// Its two shapes are disabled ones of the world, which change their lengths in place.
Test(character, crouches_as_a_cylinder_whose_length_changes) {
    add_floor();
    add_box(TN_BODY_TYPE_STATIC, (tn_vec3){2.0, 2.2, 0.0}, (tn_vec3){1.0, 1.0, 2.0}, 0.0);
    tn_body_id owner = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_shape_id shapes[2];
    for (int i = 0; i < 2; ++i) {
        shapes[i] = tn_cylinder_shape_create(world, owner, &def, (float)FEET, RADIUS);
        tn_shape_set_enabled(world, shapes[i], false);
    }
    tn_pose pose = {{0.0, FEET, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    tn_probe high = tn_shape_probe_make(pose, shapes[0]);
    tn_probe low = tn_shape_probe_make(pose, shapes[1]);
    walker = tn_character_make(high);
    walk_for(2.0, 1.0, 0.0);
    cr_assert(get_position().x < 0.75, "%g", get_position().x);
    double feet = get_feet();
    tn_cylinder_shape_set_half_length(world, shapes[1], 0.65f);
    cr_assert(tn_character_set_probe(world, &walker, &low), "1.3 m is higher than the beam");
    cr_assert(tn_character_set_probe(world, &walker, &high));
    walk_for(0.5, 1.0, 0.0);
    cr_assert(get_position().x < 0.75);
    tn_cylinder_shape_set_half_length(world, shapes[1], 0.5f);
    cr_assert(tn_character_set_probe(world, &walker, &low));
    cr_assert(fabs(get_position().y - 0.5 - feet) < 1e-2);
    walk_for(1.5, 1.0, 0.0);
    cr_assert(get_position().x > 1.9 && walker.state == TN_CHARACTER_STATE_GROUND);
    cr_assert(!tn_character_set_probe(world, &walker, &high), "there is no room");
    tn_cylinder_shape_set_half_length(world, shapes[0], 0.55f);
    cr_assert(tn_character_set_probe(world, &walker, &high), "now there is");
    cr_assert(reports.count == 0);
}

Test(character, rests_its_weight_on_what_it_stands_on) {
    add_floor();
    tn_body_id plank =
        add_box(TN_BODY_TYPE_DYNAMIC, (tn_vec3){0.0, 0.5, 0.0}, (tn_vec3){2.0, 0.05, 0.5}, 0.0);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, plank, (tn_vec3){0.0, 0.5, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    tn_joint_id seesaw = tn_hinge_joint_create(world, &hinge);
    walker.probe.pose.position = (tn_vec3){1.0, 0.57 + FEET, 0.0};
    walk_for(1.0, 0.0, 0.0);
    cr_assert(tn_hinge_joint_get_angle(world, seesaw) < -0.1, "%g",
              tn_hinge_joint_get_angle(world, seesaw));
    cr_assert(walker.ground.value == test_first_shape(world, plank).value);
}

// Among many boxes and balls, going every way, it never gets into one.
Test(character, gets_into_nothing_in_a_maze) {
    add_floor();
    uint32_t seed = 5;
    for (int i = 0; i < 300; ++i) {
        double at[4];
        for (int k = 0; k < 4; ++k) {
            seed = seed * 1664525u + 1013904223u;
            at[k] = (double)(seed >> 8) / 16777216.0;
        }
        tn_vec3 place = {20.0 * (at[0] - 0.5), 2.0 * at[1], 20.0 * (at[2] - 0.5)};
        if (fabs(place.x) < 1.5 && fabs(place.z) < 1.5) {
            continue;
        }
        add_box(TN_BODY_TYPE_STATIC, place, (tn_vec3){0.4, 0.3, 0.6}, 3.0 * at[3]);
    }
    double farthest = 0.0;
    for (int i = 0; i < 1500; ++i) {
        double turn = 0.4 * (i / 40);
        walk(4.0 * cos(turn), 4.0 * sin(turn));
        tn_probe probe = walker.probe;
        tn_probe_hit hit;
        uint32_t count = tn_world_overlap_probe(world, &probe, &hit, 1);
        cr_assert(count == 0, "move %d: %g m deep", i, count > 0 ? hit.distance : 0.0);
        cr_assert(!walker.is_stuck && get_feet() > -0.01);
        farthest = fmax(farthest, fabs(get_position().x));
    }
    cr_assert(farthest > 2.0);
}

Test(character, two_runs_are_equal_and_asking_wakes_nothing) {
    add_floor();
    tn_body_id far =
        add_box(TN_BODY_TYPE_DYNAMIC, (tn_vec3){9.0, 0.3, 9.0}, (tn_vec3){0.3, 0.3, 0.3}, 0.0);
    walk_for(3.0, 0.1, 0.0);
    cr_assert(!tn_body_is_awake(world, far));
    tn_character twin = walker;
    tn_character_move(world, &walker, (tn_vec3){1.0, 0.0, 0.3}, DT);
    tn_character_move(world, &twin, (tn_vec3){1.0, 0.0, 0.3}, DT);
    cr_assert(memcmp(&walker.probe.pose, &twin.probe.pose, sizeof twin.probe.pose) == 0);
    cr_assert(!tn_body_is_awake(world, far));
}

Test(character, bad_moves_are_refused) {
    add_floor();
    tn_character before = walker, bad;
    tn_vec3 ahead = {1.0, 0.0, 0.0}, wrong = {(double)NAN, 0.0, 0.0};
    cr_assert(tn_character_move(NULL, &walker, ahead, DT) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_character_move(world, NULL, ahead, DT) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_character_move(world, &walker, wrong, DT) == TN_RESULT_NOT_FINITE);
    cr_assert(tn_character_move(world, &walker, ahead, 0.0) == TN_RESULT_INVALID_TIME_STEP);
    bad = walker;
    bad.up = (tn_vec3){0};
    cr_assert(tn_character_move(world, &bad, ahead, DT) == TN_RESULT_ZERO_AXIS);
    bad = walker;
    bad.skin = 0.0f;
    cr_assert(tn_character_move(world, &bad, ahead, DT) == TN_RESULT_INVALID_ARGUMENT);
    bad = walker;
    bad.max_slope = (float)NAN;
    cr_assert(tn_character_move(world, &bad, ahead, DT) == TN_RESULT_NOT_FINITE);
    bad = walker;
    bad.probe.radius = -1.0f;
    cr_assert(tn_character_move(world, &bad, ahead, DT) != TN_RESULT_OK);
    cr_assert(!tn_character_set_probe(world, &walker, NULL));
    cr_assert(!tn_character_set_probe(world, &walker, &bad.probe));
    cr_assert(tn_character_set_position(world, &walker, wrong) == TN_RESULT_NOT_FINITE);
    cr_assert(memcmp(&walker, &before, sizeof walker) == 0 && reports.count == 10);
    reports.count = 0;
}
