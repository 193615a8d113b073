// Tests of world/collide/contact_lift.h: what is too large to be solved at once does not sink into
// itself.
#include "tests/world/world_test.h"

#define LIFT_PI    3.14159265358979323846
#define LIFT_BASE  12
#define LIFT_BOXES (LIFT_BASE * (LIFT_BASE + 1) / 2)

static const tn_vec3 half = {0.5, 0.5, 0.5};

static const struct { int hertz, substeps; } lift_rates[] = {{60, 4}, {30, 4}, {240, 4}, {120, 2}};

// g / (2 w^2): how deep the spring of a contact lets one box sink by its own weight, as this world
// may have it at most. m
static double lift_get_unit(int hertz, int substeps) {
    double most = 0.25 * hertz * substeps;
    double w = 2.0 * LIFT_PI * (most < 60.0 ? most : 60.0);
    return 9.81 / (2.0 * w * w);
}

static tn_world *lift_create_pyramid(double lean, tn_body_id boxes[LIFT_BOXES],
                                     tn_vec3 places[LIFT_BOXES]) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.gravity = (tn_vec3){9.81 * sin(lean), -9.81 * cos(lean), 0.0};
    tn_world *world = tn_world_create(&def, NULL);
    test_floor_create(world);
    int count = 0;
    for (int row = 0; row < LIFT_BASE; ++row) {
        for (int i = 0; i < LIFT_BASE - row; ++i) {
            tn_vec3 at = {i - 0.5 * (LIFT_BASE - row - 1), row + 0.5, 0.0};
            places[count] = at;
            boxes[count++] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, at.x, at.y, at.z, half);
        }
    }
    return world;
}

// The top of a pyramid of base n would lie n (n + 1) / 2 such units deep.
Test(contact_lift, a_pyramid_sinks_by_less_than_half_of_what_its_springs_give, .timeout = 60) {
    tn_body_id boxes[LIFT_BOXES];
    tn_vec3 places[LIFT_BOXES];
    for (size_t r = 0; r < sizeof lift_rates / sizeof lift_rates[0]; ++r) {
        int hertz = lift_rates[r].hertz, substeps = lift_rates[r].substeps;
        tn_world *world = lift_create_pyramid(r == 3 ? 0.05 : 0.0, boxes, places);
        for (int i = 0; i < 2 * hertz; ++i) {
            tn_world_step(world, 1.0 / hertz, (uint32_t)substeps);
        }
        double top = tn_body_get_pose(world, boxes[LIFT_BOXES - 1]).position.y;
        double sink = places[LIFT_BOXES - 1].y - top;
        double limit = 0.5 * LIFT_BOXES * lift_get_unit(hertz, substeps);
        cr_expect(sink < limit && sink > -1e-4, "%d Hz x %d: %g m of %g", hertz, substeps, sink,
                  limit);
        tn_world_destroy(world);
    }
}

// What bears nothing any more is not held off what it lies on.
Test(contact_lift, goes_when_the_load_is_taken_off, .timeout = 60) {
    tn_body_id boxes[LIFT_BOXES];
    tn_vec3 places[LIFT_BOXES];
    tn_world *world = lift_create_pyramid(0.0, boxes, places);
    test_step(world, 120);
    for (int i = LIFT_BASE; i < LIFT_BOXES; ++i) {
        tn_body_destroy(world, boxes[i]);
    }
    test_step(world, 60);
    for (int i = 0; i < LIFT_BASE; ++i) {
        double above = tn_body_get_pose(world, boxes[i]).position.y - places[i].y;
        cr_expect(fabs(above) < 5e-5, "box %d: %g m", i, above);
    }
    tn_world_destroy(world);
}

// With many substeps a step brings the lift near to its goal at once, but not beyond it.
Test(contact_lift, throws_nothing_up_however_many_substeps, .timeout = 60) {
    tn_body_id boxes[LIFT_BOXES];
    tn_vec3 places[LIFT_BOXES];
    tn_world *world = lift_create_pyramid(0.0, boxes, places);
    double highest = 0.0;
    for (int i = 0; i < 20; ++i) {
        tn_world_step(world, 1.0 / 60.0, 64);
        for (int k = 0; k < LIFT_BOXES; ++k) {
            double above = tn_body_get_pose(world, boxes[k]).position.y - places[k].y;
            highest = above > highest ? above : highest;
        }
    }
    cr_assert(highest < 1e-6, "%g m", highest);
    tn_world_destroy(world);
}
