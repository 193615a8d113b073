// Bodies that roll and slide over level neighbours: straight on, as over one slab.
#include "tests/world/collide/contact_world.h"

#define HALF 0.25 // m: of what moves, from its middle to the floor

TestSuite(contact_roll, .timeout = 60);

typedef struct roll_case {
    contact_kind kind;
    double speed, tile, hz; // tile 0: one slab
    uint32_t substeps;
    double friction, seconds;
} roll_case;

typedef struct roll_result {
    double way, rise, aside; // the share of the way that is missing, m/s, m
} roll_result;

// A ball, or a capsule that lies across its way; with friction it rolls.
static roll_result roll_run(const roll_case *item) {
    tn_world *world = contact_world_create(9.81);
    double length = item->speed * item->seconds + 2.0;
    if (item->tile > 0.0) {
        contact_tiles tiles = {{0}, -2.0, length, item->tile, false, item->friction};
        contact_tiles_create(world, &tiles);
    } else {
        contact_block_create(world, (tn_vec3){-2.0, -1.0, -5.0}, (tn_vec3){length, 0.0, 5.0},
                             contact_material(item->friction, 0.0));
    }
    tn_body_def def = contact_body_at(-0.1, HALF, 0.1);
    if (item->kind == CONTACT_CAPSULE) {
        contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
    }
    def.velocity.linear.x = item->speed;
    def.velocity.angular.z = item->friction > 0.0 ? -item->speed / HALF : 0.0;
    tn_body_id body =
        contact_body_create(world, &def, item->kind, HALF, contact_material(item->friction, 0.0));
    roll_result result = {0.0, 0.0, 0.0};
    int steps = (int)(item->seconds * item->hz);
    for (int i = 0; i < steps; ++i) {
        contact_step(world, 1, item->hz, item->substeps);
        result.rise = fmax(result.rise, fabs(tn_body_get_velocity(world, body).linear.y));
        result.aside = fmax(result.aside, fabs(tn_body_get_center(world, body).z - 0.1));
    }
    double way = item->speed * steps / item->hz;
    result.way = fabs(tn_body_get_center(world, body).x + 0.1 - way) / way;
    tn_world_destroy(world);
    return result;
}

static void assert_goes_straight(const roll_case *item, double rise, double aside) {
    roll_result result = roll_run(item);
    cr_assert(result.way < 3e-3 && result.rise < rise && result.aside < aside,
              "%s, %g m/s, tiles of %g m, %g Hz x %u: way %g off, %g m/s up, %g m aside",
              contact_kind_names[item->kind], item->speed, item->tile, item->hz, item->substeps,
              result.way, result.rise, result.aside);
}

// Up to 2.7 rad a substep. A capsule whose axis leans by what it is sunk rolled like a cone, and
// its contacts with the next tile took its ends for where they would be later.
Test(contact_roll, a_capsule_rolls_straight_at_40_metres_a_second) {
    for (uint32_t i = 0; i < 2 * 2 * 2; ++i) {
        roll_case item = {.kind = CONTACT_CAPSULE,
                          .speed = i % 2 == 0 ? 20.0 : 40.0,
                          .tile = i / 2 % 2 == 0 ? 1.0 : 0.37,
                          .hz = 60.0,
                          .substeps = i / 4 == 0 ? 4 : 1,
                          .friction = 0.6,
                          .seconds = i % 2 == 0 ? 2.0 : 1.0};
        assert_goes_straight(&item, 0.02, 1e-4);
    }
}

Test(contact_roll, a_capsule_rolls_straight_on_one_slab_at_any_rate) {
    for (uint32_t i = 0; i < 3 * 2; ++i) {
        const double rates[3] = {30.0, 60.0, 240.0};
        roll_case item = {.kind = CONTACT_CAPSULE,
                          .speed = i / 3 == 0 ? 2.0 : 7.0,
                          .hz = rates[i % 3],
                          .substeps = i % 2 == 0 ? 1 : 4,
                          .friction = 0.6,
                          .seconds = 2.0};
        assert_goes_straight(&item, 0.02, 2e-5);
    }
}

// 0.67 m a step: the second blow of a step is at a place to which the first has bent the way.
Test(contact_roll, a_ball_goes_over_two_seams_in_one_step) {
    for (uint32_t i = 0; i < 2; ++i) {
        roll_case item = {CONTACT_BALL, 40.0, 0.37, 60.0, 1, i == 0 ? 0.0 : 0.6, 1.0};
        assert_goes_straight(&item, 0.01, 1e-6);
    }
}

// An ellipsoid is turned like a ball, at its lowest point.
Test(contact_roll, an_affine_ball_slides_over_seams) {
    for (uint32_t i = 0; i < 2; ++i) {
        double speed = i == 0 ? 7.0 : 40.0, rise = 0.0;
        tn_world *world = contact_world_create(9.81);
        for (int k = -2; k < (int)speed + 3; ++k) { // 5 mm thick
            contact_block_create(world, (tn_vec3){k, -0.005, -2.0}, (tn_vec3){k + 1.0, 0.0, 2.0},
                                 contact_material(0.0, 0.0));
        }
        tn_body_def def = contact_body_at(-0.35, HALF, 0.0);
        def.velocity.linear.x = speed;
        tn_body_id body =
            contact_body_create(world, &def, CONTACT_BALL, HALF, contact_material(0.0, 0.0));
        tn_affine_def affine = tn_affine_def_default();
        affine.body = body;
        affine.youngs_modulus = 1e7;
        affine.viscosity = 0.01;
        tn_affine_create(world, &affine);
        for (int k = 0; k < 60; ++k) {
            contact_step(world, 1, 60.0, 4);
            double up = fabs(tn_body_get_velocity(world, body).linear.y);
            rise = k >= 6 ? fmax(rise, up) : rise; // it has settled
        }
        cr_assert(rise < 0.02, "%g m/s: %g m/s up", speed, rise);
        TEST_NEAR(tn_body_get_velocity(world, body).linear.x, speed, 0.003 * speed);
        tn_world_destroy(world);
    }
}

// A ball or a capsule rolls uphill over the seams of a plank of tiles that turns down in front of
// it. Returns the greatest error of its height over the plank.
static double roll_on_turning_plank(contact_kind kind, double rate, uint32_t substeps) {
    tn_world *world = contact_world_create(9.81);
    tn_body_def def = contact_body_at(0.0, 0.0, 0.0);
    def.type = TN_BODY_TYPE_KINEMATIC;
    def.velocity.angular.z = -0.3;
    contact_body_turn(&def, (tn_vec3){0.0, 0.0, 1.0}, 0.2);
    tn_body_id plank = tn_body_create(world, &def);
    for (int i = -6; i < 6; ++i) {
        tn_shape_def tile = tn_shape_def_default();
        tile.local_pose.position.x = 0.5 * i + 0.25;
        tile.local_pose.position.y = -0.1;
        tn_box_shape_create(world, plank, &tile, (tn_vec3){0.25, 0.1, 1.0});
    }
    tn_vec3 place = tn_body_get_world_vector(world, plank, (tn_vec3){-2.0, 0.2, 0.0});
    tn_body_def at = contact_body_at(place.x, place.y, place.z);
    at.velocity.linear = tn_body_get_world_vector(world, plank, (tn_vec3){3.0, 0.0, 0.0});
    at.velocity.linear.x += 0.3 * place.y;
    at.velocity.linear.y -= 0.3 * place.x;
    at.velocity.angular.z = -15.3;
    contact_body_turn(&at, (tn_vec3){1.0, 0.0, 0.0}, kind == CONTACT_CAPSULE ? 0.5 * M_PI : 0.0);
    tn_body_id ball = contact_body_create(world, &at, kind, 0.2, contact_material(0.6, 0.0));
    double worst = 0.0;
    for (int i = 0; i < (int)(1.2 * rate); ++i) {
        contact_step(world, 1, rate, substeps);
        tn_vec3 center = tn_body_get_center(world, ball);
        tn_pose pose = tn_body_get_pose(world, plank);
        tn_vec3 up = tn_body_get_world_vector(world, plank, (tn_vec3){0.0, 1.0, 0.0});
        double height = up.x * (center.x - pose.position.x) + up.y * (center.y - pose.position.y);
        worst = fmax(worst, fabs(height - 0.2));
    }
    tn_world_destroy(world);
    return worst;
}

Test(contact_roll, stays_on_a_plank_of_tiles_that_turns) {
    for (int i = 0; i < 8; ++i) {
        contact_kind kind = i < 4 ? CONTACT_BALL : CONTACT_CAPSULE;
        double rate = i % 2 == 0 ? 60.0 : 240.0;
        uint32_t substeps = i % 4 < 2 ? 4 : 1;
        double worst = roll_on_turning_plank(kind, rate, substeps);
        double most = rate > 100.0 ? 5e-5 : substeps == 4 ? 2e-3 : 6e-3; // 16 um, 0.8 and 4.5 mm
        cr_assert(worst < most, "%s, %g Hz x %u: %g m", contact_kind_names[kind], rate, substeps,
                  worst);
    }
}
