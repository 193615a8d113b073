// What slides with friction: straight on, by v^2 / (2 mu g), and not turned.
#include "tests/world/collide/contact_world.h"

#define FRICTION 0.3
#define GRAVITY  9.81

TestSuite(sliding, .timeout = 60);

typedef struct slide {
    tn_vec3 half; // m
    double yaw;   // rad
    double seam;  // m: width of the tiles side by side along z, 0 for one slab
    bool is_grid; // tiles are as long as they are wide
    double z;     // m: where its middle is
    double speed, hz;
    uint32_t substeps;
} slide;

static void make_floor(tn_world *world, const slide *run, double length) {
    tn_material material = contact_material(FRICTION, 0.0);
    double width = run->seam > 0.0 ? run->seam : 8.0,
           long_way = run->is_grid ? width : length + 4.0;
    for (double x = -2.0; x < length + 2.0; x += long_way) {
        for (double z = run->seam > 0.0 ? -4.0 * width : -4.0; z < 4.0 * width; z += width) {
            contact_block_create(world, (tn_vec3){x, -1.0, z},
                                 (tn_vec3){x + long_way, 0.0, z + width}, material);
        }
    }
}

static tn_body_id make_plank(tn_world *world, const slide *run, double y) {
    tn_body_def def = contact_body_at(0.0, y, run->z);
    contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, run->yaw);
    def.velocity.linear.x = run->speed;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.material = contact_material(FRICTION, 0.0);
    tn_box_shape_create(world, body, &shape, run->half);
    return body;
}

// Within 0.5 % of the way, 1 mm in 10 m beside it (`aside` times that), and 2 mrad.
static void assert_goes_straight(const slide *run) {
    double way = run->speed * run->speed / (2.0 * FRICTION * GRAVITY);
    double time = run->speed / (FRICTION * GRAVITY) + 0.1;
    tn_world *world = contact_world_create(GRAVITY);
    make_floor(world, run, way);
    tn_body_id body = make_plank(world, run, run->half.y);
    double yaw = atan2(sin(run->yaw), cos(run->yaw));
    contact_step(world, (int)(time * run->hz), run->hz, run->substeps);
    tn_vec3 end = tn_body_get_center(world, body);
    tn_vec3 ahead = tn_body_get_world_vector(world, body, (tn_vec3){1.0, 0.0, 0.0});
    double turn = atan2(-ahead.z, ahead.x) - yaw;
    cr_assert(fabs(end.x - way) < 5e-3 * way && fabs(end.z - run->z) < 1e-3 && fabs(turn) < 2e-3,
              "%g x %g x %g, yaw %g, seams %g: %g m for %g, %g m aside, turned %g", run->half.x,
              run->half.y, run->half.z, run->yaw, run->seam, end.x, way, end.z - run->z, turn);
    tn_world_destroy(world);
}

// A plank is much harder to tip about one axis than about the other. (It left its line by 0.35 m
// of 11.)
Test(sliding, a_plank_askew_keeps_its_line) {
    for (int i = 0; i < 6; ++i) {
        slide run = {.half = {0.5, 0.05, 0.2},
                     .yaw = 0.4 * (i % 3),
                     .speed = 8.0,
                     .hz = i < 3 ? 60.0 : 30.0,
                     .substeps = i < 3 ? 4 : 1};
        assert_goes_straight(&run);
    }
}

// Each tile rubs beside the middle of the body, where its pull to one side is met by the body's
// turning. (It left its line by up to 0.1 m.)
Test(sliding, what_lies_on_two_tiles_keeps_its_line) {
    for (int i = 0; i < 8; ++i) {
        slide run = {.half = {0.25, 0.25, 0.25},
                     .yaw = i % 2 == 0 ? 0.0 : 0.3,
                     .seam = i / 2 % 2 == 0 ? 2.0 : 0.3,
                     .z = i < 4 ? 0.0 : 0.07,
                     .speed = 8.0,
                     .hz = 60.0,
                     .substeps = 4};
        assert_goes_straight(&run);
    }
}

// At each seam the load goes from tile to tile, and the points of the contacts jump. (It was turned
// by up to 1.7 rad.)
Test(sliding, what_crosses_seams_keeps_its_line_and_its_heading) {
    static const tn_vec3 halves[2] = {{0.25, 0.25, 0.25}, {0.5, 0.05, 0.2}};
    for (int i = 0; i < 12; ++i) {
        slide run = {.half = halves[i % 2],
                     .yaw = 0.4 * (i / 2 % 3),
                     .seam = 0.5,
                     .is_grid = true,
                     .z = i < 6 ? 0.0 : 0.07,
                     .speed = 8.0,
                     .hz = 60.0,
                     .substeps = 4};
        assert_goes_straight(&run);
    }
}
