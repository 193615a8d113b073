// Tests of solver/movers/span_contact_blow.c: what contacts of bodies with coordinates gave before
// a blow.
#include "tests/world/movers/affine_world.h"
#include "tests/world/movers/reduced_contacts.h"

#define RADIUS 2.0  // m, of the groove's inner circle
#define BALL   0.15 // m

static test_reports reports;

TestSuite(span_contact_blow, .timeout = 60);

typedef enum ball_way {
    BALL_RIGID,
    BALL_REDUCED,
    BALL_AFFINE
} ball_way;

// A facet that coordinates give moves along the groove alone, where nothing pushes it.
static void lie_along(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    const double tilt = *(const double *)context, far = RADIUS + 0.1;
    tn_reduced_motion *motion = &out->bodies[0];
    reduced_place(motion, far * sin(tilt), RADIUS - far * cos(tilt), tilt);
    motion->pose.position.z = input->coordinates[0];
    motion->linear[0] = (tn_vec3){0.0, 0.0, 1.0};
}

// Facets from `tilts` on; every other one may have a coordinate.
static void add_groove(tn_world *world, double angle, bool has_reduced, double *tilts) {
    tn_shape_def def = contacts_shape(0.0f, 0.0f);
    tn_vec3 facet = {(RADIUS * tan(0.5 * angle)), 0.1, 1.0};
    int most = (int)(1.5 / angle);
    for (int i = -most; i <= most; ++i) {
        double tilt = tilts[i + most] = i * angle, far = RADIUS + 0.1;
        bool is_reduced = has_reduced && (i + most) % 2 == 1;
        tn_body_def place = tn_body_def_default();
        place.type = is_reduced ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC;
        place.pose.position = (tn_vec3){far * sin(tilt), RADIUS - far * cos(tilt), 0.0};
        place.pose.rotation.z = sin(0.5 * tilt);
        place.pose.rotation.w = cos(0.5 * tilt);
        tn_body_id body = tn_body_create(world, &place);
        cr_assert(tn_box_shape_create(world, body, &def, facet).value != 0);
        if (is_reduced) {
            tn_reduced_def object = tn_reduced_def_default();
            object.freedoms = object.body_count = 1;
            object.bodies[0] = body;
            object.function = lie_along;
            object.function_user_data = &tilts[i + most];
            cr_assert(tn_reduced_create(world, &object).value != 0);
        }
    }
}

static tn_body_id add_ball(tn_world *world, ball_way way, double tilt) {
    double far = RADIUS - BALL;
    const double u[6] = {far * sin(tilt), RADIUS - far * cos(tilt)};
    tn_body_id ball = contacts_ball_make(world, u[0], u[1], (float)BALL, 0.0f, 0.0f);
    if (way == BALL_REDUCED) {
        contacts_make(world, ball, 6, quality_reduced_free, u, NULL);
    } else if (way == BALL_AFFINE) {
        affine_make(world, ball, 1e8, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
    }
    return ball;
}

// J/kg after 2 s of sliding from facet to facet.
static double slide(ball_way way, bool has_reduced, double angle, double hz, uint32_t substeps) {
    double tilts[64];
    tn_world *world = contacts_world_create(9.81, 0.0, &reports);
    add_groove(world, angle, has_reduced, tilts);
    tn_body_id ball = add_ball(world, way, (int)(-1.0 / angle - 0.5) * angle);
    double energy = 0.0, least = 1e9, begin = 9.81 * (tn_body_get_center(world, ball).y - BALL);
    for (int i = 0; i < 2 * hz; ++i) {
        tn_world_step(world, 1.0 / hz, substeps);
        tn_velocity v = tn_body_get_velocity(world, ball);
        energy = 9.81 * (tn_body_get_center(world, ball).y - BALL) +
                 0.5 * (v.linear.x * v.linear.x + v.linear.y * v.linear.y);
        cr_assert(energy - least < 5e-4 * begin, "rises by %g of %g J/kg", energy - least, begin);
        least = fmin(least, energy);
    }
    test_world_destroy_quiet(world, &reports);
    return energy;
}

static void check_slides(ball_way way, bool has_reduced) {
    const double angles[2] = {0.1, 0.2}, rates[2] = {60.0, 240.0};
    for (int i = 0; i < 2 * 2; ++i) {
        double angle = angles[i % 2], hz = rates[i / 2];
        uint32_t substeps = hz > 100.0 ? 1 : 4;
        double right = slide(BALL_RIGID, false, angle, hz, substeps);
        double now = slide(way, has_reduced, angle, hz, substeps);
        cr_assert(fabs(now / right - 1.0) < 1.2e-3, "%g rad, %g Hz: %g for %g J/kg", angle, hz, now,
                  right);
    }
}

// Without what facets gave before the blow a ball loses up to 2 % more; with what they had yet to
// give it would gain or lose 0.4 %.
Test(span_contact_blow, a_ball_with_coordinates_slides_from_facet_to_facet_as_a_rigid_one) {
    check_slides(BALL_REDUCED, false);
}

Test(span_contact_blow, an_affine_ball_slides_from_facet_to_facet_as_a_rigid_one) {
    check_slides(BALL_AFFINE, false);
}

// Blows on the one kind of contacts leave what the other kind gave.
Test(span_contact_blow, a_rigid_ball_slides_over_facets_with_coordinates_as_over_others) {
    check_slides(BALL_RIGID, true);
}
