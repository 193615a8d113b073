// Static friction, and how the numbers of two materials meet.
#include "tests/world/collide/contact_world.h"

#define GRAVITY 10.0

// A box of 1 m on a floor that is tilted by turning gravity: after how long is it how far and how
// fast?
typedef struct slip_run {
    double way, speed;
} slip_run;

static slip_run run_slope(tn_material material, double slope, double start, double time, double hz,
                          uint32_t substeps) {
    tn_world *world = contact_world_create(0.0);
    tn_world_set_gravity(world, (tn_vec3){GRAVITY * sin(slope), -GRAVITY * cos(slope), 0.0});
    tn_body_def floor = contact_body_at(0.0, -1.0, 0.0);
    floor.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape = tn_shape_def_default();
    shape.material = material;
    tn_box_shape_create(world, tn_body_create(world, &floor), &shape, (tn_vec3){500.0, 1.0, 5.0});
    tn_body_def def = contact_body_at(0.0, 0.5, 0.0);
    def.velocity.linear.x = start;
    tn_body_id box = tn_body_create(world, &def);
    tn_box_shape_create(world, box, &shape, (tn_vec3){0.5, 0.5, 0.5});
    for (int step = 0; step < (int)(time * hz + 0.5); ++step) {
        tn_world_step(world, 1.0 / hz, substeps);
    }
    slip_run run = {tn_body_get_center(world, box).x, tn_body_get_velocity(world, box).linear.x};
    tn_world_destroy(world);
    return run;
}

static tn_material material_of(float kinetic, float at_rest) {
    tn_material material = tn_shape_def_default().material;
    material.friction = kinetic;
    material.static_friction = at_rest;
    return material;
}

// Between the two angles a box that rests stays, and one that slides goes on.
Test(contact_slip, what_rests_holds_up_to_the_static_angle_and_what_slides_goes_on) {
    const double rates[] = {30.0, 60.0, 240.0};
    tn_material material = material_of(0.4f, 0.7f);
    for (int i = 0; i < 3; ++i) {
        for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
            double below = atan(0.68), above = atan(0.72), time = 2.0;
            slip_run rests = run_slope(material, below, 0.0, time, rates[i], substeps);
            cr_assert(fabs(rests.way) < 2e-3, "%g Hz: rests, yet %g m", rates[i], rests.way);
            double pull = GRAVITY * (sin(below) - 0.4 * cos(below));
            slip_run slides = run_slope(material, below, 1.0, time, rates[i], substeps);
            cr_assert(fabs(slides.speed - (1.0 + pull * time)) < 0.01 * slides.speed,
                      "%g Hz: %g m/s", rates[i], slides.speed);
            // The static one holds until it moves at 0.01 m/s, at most.
            pull = GRAVITY * (sin(above) - 0.4 * cos(above));
            double late = 0.01 / (GRAVITY * (sin(above) - 0.7 * cos(above)));
            slip_run breaks = run_slope(material, above, 0.0, time, rates[i], substeps);
            cr_assert(breaks.speed > pull * (time - late - 1.5 / rates[i]) &&
                          breaks.speed < pull * (time + 0.5 / rates[i]),
                      "%g Hz: %g m/s for %g", rates[i], breaks.speed, pull * (time - late));
        }
    }
}

// It slides v^2 / (2 mu g) on the level, and then holds what pulls with less than the static one.
Test(contact_slip, what_slid_to_rest_sticks) {
    tn_material material = material_of(0.3f, 0.6f);
    slip_run run = run_slope(material, 0.0, 3.0, 3.0, 60.0, 4);
    cr_assert(fabs(run.way - 9.0 / (2.0 * 0.3 * GRAVITY)) < 0.02, "%g m", run.way);
    cr_assert(fabs(run.speed) < 1e-4);
    double slope = atan(0.5), slow = GRAVITY * (sin(slope) - 0.3 * cos(slope));
    run = run_slope(material, slope, -1.0, 3.0, 60.0, 4); // up the slope, to rest, and stays there
    double up = GRAVITY * (sin(slope) + 0.3 * cos(slope));
    cr_assert(slow > 0.0 && fabs(run.way + 1.0 / (2.0 * up)) < 0.01, "%g m", run.way);
    cr_assert(fabs(run.speed) < 1e-3, "%g m/s", run.speed);
}

// ---- how two materials meet --------------------------------------------------------------------

static tn_contact meet(tn_material a, tn_material b) {
    tn_world *world = contact_world_create(GRAVITY);
    tn_body_def floor = contact_body_at(0.0, -1.0, 0.0);
    floor.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape = tn_shape_def_default();
    shape.material = a;
    tn_box_shape_create(world, tn_body_create(world, &floor), &shape, (tn_vec3){5.0, 1.0, 5.0});
    tn_body_def def = contact_body_at(0.0, 0.5, 0.0);
    shape.material = b;
    tn_box_shape_create(world, tn_body_create(world, &def), &shape, (tn_vec3){0.5, 0.5, 0.5});
    tn_world_step(world, 1.0 / 60.0, 4);
    tn_contact_id id;
    cr_assert(tn_world_get_contacts(world, &id, 1) == 1);
    tn_contact contact = tn_contact_get(world, id);
    tn_world_destroy(world);
    return contact;
}

Test(contact_slip, materials_meet_as_the_later_of_their_modes_says) {
    tn_material a = tn_shape_def_default().material, b = a;
    a.friction = 0.2f, b.friction = 0.8f;
    a.restitution = 0.5f, b.restitution = 0.25f;
    const float friction[] = {0.4f, 0.5f, 0.2f, 0.16f, 0.8f};
    const float restitution[] = {0.5f, 0.375f, 0.25f, 0.125f, 0.5f};
    for (int p = TN_COMBINE_DEFAULT; p <= TN_COMBINE_MAXIMUM; ++p) {
        for (int q = TN_COMBINE_DEFAULT; q <= TN_COMBINE_MAXIMUM; ++q) {
            int later = p > q ? p : q;
            a.friction_combine = (tn_combine)p, b.friction_combine = (tn_combine)q;
            a.restitution_combine = (tn_combine)q, b.restitution_combine = (tn_combine)p;
            tn_contact contact = meet(a, b);
            cr_assert(fabsf(contact.friction - friction[later]) < 1e-6f, "%d %d", p, q);
            cr_assert(fabsf(contact.restitution - restitution[later]) < 1e-6f, "%d %d", p, q);
        }
    }
}

Test(contact_slip, a_static_friction_below_the_other_and_an_unknown_mode_are_refused) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_shape_id shape = test_first_shape(world, ball);
    tn_material before = tn_shape_get_material(world, shape),
                bad[4] = {before, before, before, before};
    bad[0].static_friction = 0.5f * bad[0].friction;
    bad[1].static_friction = NAN;
    bad[2].friction_combine = (tn_combine)(TN_COMBINE_MAXIMUM + 1);
    bad[3].restitution_combine = (tn_combine)-1;
    for (int i = 0; i < 4; ++i) {
        uint32_t count = reports.count;
        tn_shape_set_material(world, shape, bad[i]);
        cr_assert(reports.count == count + 1, "case %d", i);
        cr_assert(tn_shape_get_material(world, shape).friction == before.friction);
    }
    tn_world_destroy(world);
}
