// What lies behind the plane on which a shape is carried.
#include <criterion/criterion.h>

#include "collision/manifold/ghost.h"
#include "collision/stretch.h"

static const tni_geometry ball = {.type = TNI_GEOMETRY_SPHERE, .sphere.radius = 0.25f};

static tni_geometry make_box(float x, float y, float z) {
    tni_geometry box = {.type = TNI_GEOMETRY_BOX};
    box.box.half_extents = maths_vec3(x, y, z);
    return box;
}

static tni_path_end make_end(const tni_geometry *geometry, double x, double y) {
    tni_path_end end = {.geometry = geometry, .center = dvec3_make(x, y, 0.0)};
    end.rotation = maths_quat_identity();
    end.position = end.center;
    return end;
}

// A ball on the middle of a tile, and the next one: of the same height, or higher by so much.
static bool next_tile_is_ghost(double higher, double normal_x) {
    tni_geometry tile = make_box(0.5f, 0.1f, 0.5f);
    tni_path_end moving = make_end(&ball, 0.3, 0.25), carrier = make_end(&tile, 0.0, -0.1);
    tni_ghost_plane plane;
    tni_dvec3 up = dvec3_make(0.0, 1.0, 0.0);
    cr_assert(tni_ghost_find_plane(&moving, &carrier, up, 0.0, dvec3_make(0.3, 0.0, 0.0), &plane));
    tni_ghost_trial trial = {.moving = moving,
                             .other = make_end(&tile, 1.0, -0.1 + higher),
                             .normal = dvec3_make(-normal_x, sqrt(1.0 - normal_x * normal_x), 0.0),
                             .point = dvec3_make(0.5, 0.0, 0.0),
                             .dt = 1.0 / 60.0};
    return tni_ghost_lies_behind(&trial, &plane);
}

Test(ghost, a_level_neighbour_lies_behind_the_plane) {
    cr_assert(next_tile_is_ghost(0.0, 0.6));
    cr_assert(next_tile_is_ghost(-0.01, 0.6));
}

Test(ghost, a_higher_neighbour_is_met) {
    cr_assert_not(next_tile_is_ghost(0.01, 0.6));
}

Test(ghost, a_contact_with_the_same_normal_is_none) {
    cr_assert_not(next_tile_is_ghost(0.0, 0.0));
}

// m/s upward, and rad/s about z of what moves.
typedef struct speeds {
    double moving, carrier, other, spin;
} speeds;

// A box on one tile that reaches over the next one, level with it, within a sixtieth of a second.
static bool moving_tile_is_ghost(speeds v) {
    tni_geometry tile = make_box(0.5f, 0.1f, 0.5f), box = make_box(0.25f, 0.25f, 0.25f);
    tni_path_end moving = make_end(&box, 0.3, 0.25), carrier = make_end(&tile, 0.0, -0.1);
    tni_path_end other = make_end(&tile, 1.0, -0.1);
    tni_dvec3 up = dvec3_make(0.0, 1.0, 0.0);
    moving.velocity = dvec3_scale(up, v.moving);
    moving.angular_velocity = dvec3_make(0.0, 0.0, v.spin);
    carrier.velocity = dvec3_scale(up, v.carrier);
    other.velocity = dvec3_scale(up, v.other);
    tni_ghost_plane plane;
    cr_assert(tni_ghost_find_plane(&moving, &carrier, up, 0.0, dvec3_make(0.3, 0.0, 0.0), &plane));
    tni_ghost_trial trial = {.moving = moving,
                             .other = other,
                             .normal = dvec3_make(-1.0, 0.0, 0.0),
                             .point = dvec3_make(0.55, 0.0, 0.0),
                             .dt = 1.0 / 60.0};
    return tni_ghost_lies_behind(&trial, &plane);
}

Test(ghost, a_neighbour_that_rises_is_met) {
    cr_assert(moving_tile_is_ghost((speeds){.other = 0.1}));
    cr_assert_not(moving_tile_is_ghost((speeds){.other = 0.2})); // 3.3 mm of 2
    cr_assert(moving_tile_is_ghost((speeds){.other = -1.0}));
}

Test(ghost, neighbours_that_rise_together_stay_level) {
    cr_assert(moving_tile_is_ghost((speeds){.moving = 1.0, .carrier = 1.0, .other = 1.0}));
    cr_assert_not(moving_tile_is_ghost((speeds){.moving = -1.0, .carrier = -1.0}));
}

// What falls on the carrier comes no farther; what turns about it comes down beside it.
Test(ghost, what_turns_down_beside_its_carrier_meets_the_neighbour) {
    cr_assert(moving_tile_is_ghost((speeds){.moving = -1.0}));
    cr_assert(moving_tile_is_ghost((speeds){.spin = -0.2}));
    cr_assert_not(moving_tile_is_ghost((speeds){.spin = -1.0})); // 4.2 mm of 2
    cr_assert(moving_tile_is_ghost((speeds){.spin = 1.0}));
}

Test(ghost, an_edge_is_no_plane) {
    tni_geometry tile = make_box(0.5f, 0.1f, 0.5f);
    tni_path_end moving = make_end(&ball, 0.6, 0.2), carrier = make_end(&tile, 0.0, -0.1);
    tni_ghost_plane plane;
    tni_dvec3 aslant = dvec3_make(0.6, 0.8, 0.0);
    cr_assert_not(
        tni_ghost_find_plane(&moving, &carrier, aslant, 0.0, dvec3_make(0.5, 0.0, 0.0), &plane));
}

Test(ghost, a_normal_that_is_nearly_that_of_a_face_becomes_it) {
    tni_geometry tile = make_box(0.5f, 0.1f, 0.5f);
    tni_path_end moving = make_end(&ball, 0.3, 0.25), carrier = make_end(&tile, 0.0, -0.1);
    tni_ghost_plane plane;
    tni_dvec3 nearly = dvec3_make(5e-4, sqrt(1.0 - 25e-8), 0.0);
    cr_assert(
        tni_ghost_find_plane(&moving, &carrier, nearly, 0.0, dvec3_make(0.3, 0.0, 0.0), &plane));
    cr_assert(plane.normal.x == 0.0 && plane.normal.y == 1.0 && plane.normal.z == 0.0);
    cr_assert_not(tni_ghost_is_face(&carrier, nearly));
    cr_assert(tni_ghost_is_face(&carrier, plane.normal));
}

Test(ghost, a_normal_is_level_within_a_hundredth) {
    tni_ghost_plane plane = {.normal = {0.0, 1.0, 0.0}};
    tni_ghost_trial trial = {.normal = {0.01, sqrt(1.0 - 1e-4), 0.0}};
    cr_assert(tni_ghost_is_level(&trial, &plane));
    trial.normal = dvec3_make(0.02, sqrt(1.0 - 4e-4), 0.0);
    cr_assert_not(tni_ghost_is_level(&trial, &plane));
    trial.normal = dvec3_make(0.0, -1.0, 0.0);
    cr_assert_not(tni_ghost_is_level(&trial, &plane));
}

// A box with round edges keeps a contact that is nearly level, and a box with sharp ones does not.
Test(ghost, a_nearly_level_contact_of_a_rounded_box_may_be_one) {
    tni_geometry tile = make_box(0.5f, 0.1f, 0.5f), box = make_box(0.2f, 0.2f, 0.2f);
    for (int is_rounded = 0; is_rounded < 2; ++is_rounded) {
        box.rounding = is_rounded ? 0.05f : 0.0f;
        tni_path_end moving = make_end(&box, 0.3, 0.2 + (double)box.rounding);
        tni_path_end carrier = make_end(&tile, 0.0, -0.1);
        tni_ghost_plane plane;
        cr_assert(tni_ghost_find_plane(&moving, &carrier, dvec3_make(0.0, 1.0, 0.0), 0.0,
                                       dvec3_make(0.3, 0.0, 0.0), &plane));
        tni_ghost_trial trial = {.moving = moving,
                                 .other = make_end(&tile, 1.0, -0.1),
                                 .normal = dvec3_make(-0.01, sqrt(1.0 - 1e-4), 0.0),
                                 .point = dvec3_make(0.5, 0.0, 0.0),
                                 .dt = 1.0 / 60.0};
        cr_assert(tni_ghost_lies_behind(&trial, &plane) == (is_rounded == 1));
    }
}

Test(ghost, a_stretched_ball_reaches_as_far_as_its_ellipsoid) {
    tni_dmat3 map = dmat3_from_quat((tni_dquat){0.0, 0.0, 0.0, 1.0});
    map = dmat3_rotate_diagonal(&map, dvec3_make(2.0, 0.5, 1.0));
    tni_stretch stretch;
    tni_geometry long_ball = ball;
    tni_stretch_make(&ball, &map, &stretch, &long_ball);
    tni_path_end end = make_end(&long_ball, 1.0, 2.0);
    tni_dvec3 origin = dvec3_make(0.0, 0.0, 0.0);
    cr_assert_float_eq(tni_ghost_get_top(&end, dvec3_make(1.0, 0.0, 0.0), origin), 1.5, 1e-6);
    cr_assert_float_eq(tni_ghost_get_top(&end, dvec3_make(0.0, 1.0, 0.0), origin), 2.125, 1e-6);
    tni_dvec3 aslant = dvec3_make(0.6, 0.8, 0.0);
    double exact = 0.6 + 1.6 + 0.25 * hypot(2.0 * 0.6, 0.5 * 0.8);
    cr_assert_float_eq(tni_ghost_get_top(&end, aslant, origin), exact, 1e-6);
}
