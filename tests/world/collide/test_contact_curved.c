// Cylinders, cones, tapered capsules, ellipsoids and rounded shapes in a world: they rest, roll,
// stack, bounce and hang, and nothing lets them through.
#include "tests/world/collide/contact_world.h"

TestSuite(contact_curved, .timeout = 120);

typedef enum curved_kind {
    CURVED_CYLINDER,
    CURVED_CONE,
    CURVED_TAPERED_CYLINDER,
    CURVED_TAPERED_CAPSULE,
    CURVED_ELLIPSOID,
    CURVED_ROUNDED_BOX,
    CURVED_ROUNDED_CYLINDER,
    CURVED_KINDS
} curved_kind;

static const char *const curved_names[CURVED_KINDS] = {
    "cylinder",  "cone",        "tapered cylinder", "tapered capsule",
    "ellipsoid", "rounded box", "rounded cylinder"};

// Adds a shape. Each is 0.3 m from its middle to the lowest point when it stands.
static tn_shape_id curved_add(tn_world *world, tn_body_id body, curved_kind kind,
                              tn_material material) {
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    switch (kind) {
    case CURVED_CYLINDER:
        return tn_cylinder_shape_create(world, body, &def, 0.3f, 0.25f);
    case CURVED_CONE:
        return tn_cone_shape_create(world, body, &def, 0.3f, 0.25f);
    case CURVED_TAPERED_CYLINDER:
        return tn_tapered_cylinder_shape_create(world, body, &def, 0.3f, 0.3f, 0.2f);
    case CURVED_TAPERED_CAPSULE:
        return tn_tapered_capsule_shape_create(world, body, &def, 0.1f, 0.2f, 0.15f);
    case CURVED_ELLIPSOID:
        return tn_ellipsoid_shape_create(world, body, &def, (tn_vec3){0.4, 0.3, 0.5});
    case CURVED_ROUNDED_BOX:
        def.rounding = 0.05f;
        return tn_box_shape_create(world, body, &def, (tn_vec3){0.3, 0.25, 0.2});
    default:
        def.rounding = 0.05f;
        return tn_cylinder_shape_create(world, body, &def, 0.25f, 0.2f);
    }
}

static void curved_add_ground(tn_world *world, bool is_box, tn_material material) {
    tn_body_def still = contact_body_at(0.0, 0.0, 0.0);
    still.type = TN_BODY_TYPE_STATIC;
    if (is_box) {
        contact_block_create(world, (tn_vec3){-50.0, -1.0, -50.0}, (tn_vec3){50.0, 0.0, 50.0},
                             material);
        return;
    }
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    tn_half_space_shape_create(world, tn_body_create(world, &still), &def);
}

// ---- rest --------------------------------------------------------------------------------------

Test(contact_curved, each_stands_where_it_is_put) {
    for (int i = 0; i < 2 * CURVED_KINDS; ++i) {
        curved_kind kind = (curved_kind)(i / 2);
        tn_world *world = contact_world_create(9.81);
        tn_material material = contact_material(0.6, 0.0);
        curved_add_ground(world, i % 2 == 1, material);
        tn_body_def def = contact_body_at(0.1, 0.3, -0.2);
        tn_body_id body = tn_body_create(world, &def);
        curved_add(world, body, kind, material);
        double before = tn_body_get_center(world, body).y;
        contact_step(world, 240, 60.0, 4);
        tn_vec3 at = tn_body_get_center(world, body);
        double sunk = before - at.y, aside = hypot(at.x - 0.1, at.z + 0.2);
        cr_assert(fabs(sunk) < 2e-5 && aside < 1e-9, "%s, ground %d: sank %g m, went %g m",
                  curved_names[kind], i % 2, sunk, aside);
        tn_world_destroy(world);
    }
}

// One that is round about a point may spin on the spot for long.
Test(contact_curved, each_falls_asleep_from_any_pose) {
    for (int i = 0; i < 12 * CURVED_KINDS; ++i) {
        curved_kind kind = (curved_kind)(i / 12);
        tn_world_def wdef = tn_world_def_default();
        tn_world *world = tn_world_create(&wdef, NULL);
        tn_material material = contact_material(0.6, 0.1);
        material.rolling_resistance = material.twisting_resistance = 0.01f;
        curved_add_ground(world, i % 2 == 1, material);
        tn_body_def def = contact_body_at(0.0, 0.8, 0.0);
        contact_body_turn(&def, (tn_vec3){0.6, 0.0, 0.8}, 0.5 * (i % 12));
        tn_body_id body = tn_body_create(world, &def);
        curved_add(world, body, kind, material);
        int steps = 0;
        while (steps < 1800 && tn_body_is_awake(world, body)) {
            contact_step(world, 1, 60.0, 4);
            steps += 1;
        }
        tn_vec3 at = tn_body_get_center(world, body);
        cr_assert(steps < 900 && at.y > 0.1, "%s, pose %d: %d steps, at %g m", curved_names[kind],
                  i % 12, steps, at.y);
        tn_world_destroy(world);
    }
}

// Drums, and coins.
Test(contact_curved, ten_cylinders_stack_and_sleep) {
    for (int flat = 0; flat < 2; ++flat) {
        tn_world_def wdef = tn_world_def_default();
        tn_world *world = tn_world_create(&wdef, NULL);
        tn_material material = contact_material(0.6, 0.0);
        curved_add_ground(world, true, material);
        tn_body_id bodies[10];
        double half = flat ? 0.03 : 0.25;
        for (int i = 0; i < 10; ++i) {
            tn_body_def def = contact_body_at(0.002 * (i % 3), half * (2 * i + 1), 0.002 * (i % 2));
            contact_body_turn(&def, (tn_vec3){0.0, 1.0, 0.0}, 0.7 * i);
            bodies[i] = tn_body_create(world, &def);
            tn_shape_def sdef = tn_shape_def_default();
            tn_cylinder_shape_create(world, bodies[i], &sdef, (float)half, 0.3f);
        }
        int steps = 0;
        while (steps < 1200 && tn_body_is_awake(world, bodies[9])) {
            contact_step(world, 1, 60.0, 4);
            steps += 1;
        }
        tn_vec3 at = tn_body_get_center(world, bodies[9]);
        double sunk = 19.0 * half - at.y, aside = hypot(at.x, at.z - 0.002);
        cr_assert(steps < 60 && fabs(sunk) < 5e-5 && aside < 1e-6,
                  "stack %d: %d steps, sank %g m, went %g m", flat, steps, sunk, aside);
        tn_world_destroy(world);
    }
}

Test(contact_curved, a_wheel_loses_no_speed) {
    for (int i = 0; i < 8; ++i) {
        bool is_box = i % 2 == 1;
        double thick = i / 2 % 2 == 0 ? 0.1 : 0.5, speed = i / 4 == 0 ? 3.0 : 20.0;
        tn_world *world = contact_world_create(9.81);
        tn_material material = contact_material(0.8, 0.0);
        if (is_box) {
            contact_block_create(world, (tn_vec3){-5.0, -1.0, -5.0}, (tn_vec3){120.0, 0.0, 5.0},
                                 material);
        } else {
            curved_add_ground(world, false, material);
        }
        tn_body_def def = contact_body_at(0.0, 0.25, 0.0);
        contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
        def.velocity.linear.x = speed;
        def.velocity.angular.z = -speed / 0.25;
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def sdef = tn_shape_def_default();
        tn_cylinder_shape_create(world, body, &sdef, (float)(0.5 * thick), 0.25f);
        double up = 0.0;
        for (int k = 0; k < 240; ++k) {
            contact_step(world, 1, 60.0, 4);
            up = fmax(up, fabs(tn_body_get_velocity(world, body).linear.y));
        }
        tn_vec3 at = tn_body_get_center(world, body);
        double lost = 1.0 - tn_body_get_velocity(world, body).linear.x / speed;
        cr_assert(fabs(lost) < 1e-4 && fabs(at.z) < 2e-4 && fabs(at.y - 0.25) < 1e-4 && up < 2e-3,
                  "ground %d, %g m, %g m/s: lost %g, %g m aside, %g m high, %g m/s up", is_box,
                  thick, speed, lost, at.z, at.y, up);
        tn_world_destroy(world);
    }
}

// A wheel, a coin and an ellipsoid.
Test(contact_curved, seams_do_not_catch_what_rolls) {
    for (int i = 0; i < 12; ++i) {
        int kind = i % 3;
        double speed = i / 3 % 2 == 0 ? 3.0 : 20.0;
        bool one = i / 6 == 1;
        tn_world *world = contact_world_create(9.81);
        contact_tiles tiles = {{0}, -2.0, 65.0, 0.37, one, 0.6};
        contact_tiles_create(world, &tiles);
        tn_body_def def = contact_body_at(-0.1, 0.25, 0.1);
        if (kind != 2) {
            contact_body_turn(&def, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
        }
        def.velocity.linear.x = speed;
        def.velocity.angular.z = -speed / 0.25;
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def sdef = tn_shape_def_default();
        if (kind == 0) {
            tn_cylinder_shape_create(world, body, &sdef, 0.2f, 0.25f);
        } else if (kind == 1) {
            tn_cylinder_shape_create(world, body, &sdef, 0.03f, 0.25f);
        } else {
            tn_ellipsoid_shape_create(world, body, &sdef, (tn_vec3){0.25, 0.25, 0.15});
        }
        double up = 0.0;
        for (int k = 0; k < 180; ++k) {
            contact_step(world, 1, 60.0, 4);
            up = fmax(up, fabs(tn_body_get_velocity(world, body).linear.y));
        }
        tn_vec3 at = tn_body_get_center(world, body);
        double lost = 1.0 - tn_body_get_velocity(world, body).linear.x / speed;
        cr_assert(fabs(lost) < 1e-4 && fabs(at.z - 0.1) < 3e-4 && up < 2e-3,
                  "shape %d, %g m/s, one body %d: lost %g, %g m aside, %g m/s up", kind, speed, one,
                  lost, at.z - 0.1, up);
        tn_world_destroy(world);
    }
}

Test(contact_curved, a_thin_sheet_stops_each_at_100_metres_a_second) {
    for (int i = 0; i < 20 * CURVED_KINDS; ++i) {
        curved_kind kind = (curved_kind)(i / 20);
        tn_world *world = contact_world_create(9.81);
        tn_material material = contact_material(0.6, 0.0);
        contact_block_create(world, (tn_vec3){-20.0, -0.002, -20.0}, (tn_vec3){20.0, 0.0, 20.0},
                             material);
        tn_body_def def = contact_body_at(0.0, 5.0 + 0.05 * i, 0.0);
        contact_body_turn(&def, (tn_vec3){0.6, 0.0, 0.8}, 0.5 * i);
        def.velocity.linear.y = -100.0;
        def.velocity.angular = (tn_vec3){(i % 3) * 7.0, (i % 2) * 5.0, (i % 5) * 4.0};
        tn_body_id body = tn_body_create(world, &def);
        curved_add(world, body, kind, material);
        contact_step(world, 60, 60.0, 4);
        cr_assert(tn_body_get_center(world, body).y > 0.0, "%s %d", curved_names[kind], i % 20);
        tn_world_destroy(world);
    }
}

// ---- bounces -----------------------------------------------------------------------------------

// Standing, it gives back what it had: 1 m up, less what a step at the top hides.
Test(contact_curved, each_bounces_back) {
    for (int i = 0; i < 2 * CURVED_KINDS; ++i) {
        curved_kind kind = (curved_kind)(i / 2);
        tn_world *world = contact_world_create(9.81);
        tn_material material = contact_material(0.0, 1.0);
        curved_add_ground(world, i % 2 == 1, material);
        tn_body_def def = contact_body_at(0.0, 1.3, 0.0);
        tn_body_id body = tn_body_create(world, &def);
        curved_add(world, body, kind, material);
        double start = tn_body_get_center(world, body).y, highest = 0.0;
        for (int k = 0; k < 70; ++k) { // it lands after 27 steps
            contact_step(world, 1, 60.0, 4);
            highest = k > 40 ? fmax(highest, tn_body_get_center(world, body).y) : 0.0;
        }
        cr_assert(fabs(highest - start) < 2e-3, "%s, ground %d: %g m, not %g m", curved_names[kind],
                  i % 2, highest, start);
        tn_world_destroy(world);
    }
}

// ---- a coin that rolls in a circle -------------------------------------------------------------

// With n up, a the axis, lean the angle between them, W the precession about n and s the spin about
// a, the middle of mass goes at v = -w x r past the point r = -h a + R e that touches, e down the
// cap. The equation of motion of the angular momentum L,
//     W n x L = r x m (g n + W n x v),
// is linear in s. E. J. Routh, "Advanced Dynamics of a System of Rigid Bodies", 1905, section 244.
typedef struct coin_motion {
    double lean, precession; // rad, rad/s
    double spin, speed;      // s, and v along the circle's tangent
} coin_motion;

#define COIN_RADIUS 0.3
#define COIN_HALF   0.03

static void coin_solve(coin_motion *coin) {
    double s = sin(coin->lean), c = cos(coin->lean), w = coin->precession, g = 9.81;
    double x = -COIN_HALF * s + COIN_RADIUS * c, y = -COIN_HALF * c - COIN_RADIUS * s; // r
    double axial = 0.5 * COIN_RADIUS * COIN_RADIUS;
    double across = 0.25 * COIN_RADIUS * COIN_RADIUS + COIN_HALF * COIN_HALF / 3.0;
    // v = -((spin s) y - (w + spin c) x), and L . x = across part + axial part.
    double slope = -w * axial * s - w * y * (s * y - c * x);
    double rest = w * w * c * s * (across - axial) - x * g + w * w * y * x;
    coin->spin = -rest / slope;
    coin->speed = -(coin->spin * s * y - (w + coin->spin * c) * x);
}

static tn_body_id coin_create(tn_world *world, const coin_motion *coin) {
    double s = sin(coin->lean), c = cos(coin->lean);
    tn_body_def def =
        contact_body_at(-coin->speed / coin->precession, COIN_HALF * c + COIN_RADIUS * s, 0.0);
    contact_body_turn(&def, (tn_vec3){0.0, 0.0, -1.0}, coin->lean);
    def.velocity.linear.z = coin->speed;
    def.velocity.angular = (tn_vec3){coin->spin * s, coin->precession + coin->spin * c, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.material = contact_material(1.0, 0.0);
    tn_cylinder_shape_create(world, body, &shape, (float)COIN_HALF, (float)COIN_RADIUS);
    return body;
}

// The angle that it has gone round the origin in one period, less a turn.
static double coin_run(const coin_motion *coin, bool is_box, double hz, double *out_lean,
                       double *out_radius) {
    tn_world *world = contact_world_create(9.81);
    curved_add_ground(world, is_box, contact_material(1.0, 0.0));
    tn_body_id body = coin_create(world, coin);
    tn_vec3 start = tn_body_get_center(world, body);
    int steps = (int)lround(2.0 * M_PI / coin->precession * hz);
    contact_step(world, steps, hz, 4);
    tn_vec3 at = tn_body_get_center(world, body);
    tn_vec3 axis = tn_body_get_world_vector(world, body, (tn_vec3){0.0, 1.0, 0.0});
    double gone = atan2(start.z, start.x) - atan2(at.z, at.x);
    *out_lean = acos(axis.y);
    *out_radius = hypot(at.x, at.z);
    tn_world_destroy(world);
    return remainder(gone - coin->precession * steps / hz, 2.0 * M_PI);
}

Test(contact_curved, a_coin_rolls_in_its_steady_circle) {
    const double leans[] = {60.0, 45.0, 30.0}, precessions[] = {3.0, 4.0, 6.0};
    for (int i = 0; i < 12; ++i) {
        double hz = i / 6 == 0 ? 60.0 : 240.0;
        coin_motion coin = {.lean = leans[i % 3] * M_PI / 180.0, .precession = precessions[i % 3]};
        coin_solve(&coin);
        double lean, radius;
        double late = coin_run(&coin, i / 3 % 2 == 1, hz, &lean, &radius);
        double most = hz < 100.0 ? 2e-3 : 1e-3; // rad in a turn: 3e-4 and 2e-4 of the period
        double off = fabs(radius / fabs(coin.speed / coin.precession) - 1.0);
        cr_assert(fabs(late) < most && fabs(lean - coin.lean) < most && off < 5e-3,
                  "lean %g, ground %d, %g Hz: %g rad late, leans %g rad more, circle %g off",
                  leans[i % 3], i / 3 % 2, hz, late, lean - coin.lean, off);
    }
}

// A cone that lies rolls about its apex. It turns about the line that touches by w, and so goes
// round by w tan(half angle).
Test(contact_curved, a_cone_rolls_about_its_apex) {
    const double half = 0.3, radius = 0.2, turn = 4.0;
    double slant = hypot(2.0 * half, radius), sine = radius / slant, cosine = 2.0 * half / slant;
    double round = turn * sine / cosine;
    for (int i = 0; i < 4; ++i) {
        double hz = i / 2 == 0 ? 60.0 : 240.0;
        tn_world *world = contact_world_create(9.81);
        curved_add_ground(world, i % 2 == 1, contact_material(1.0, 0.0));
        tn_body_def def = contact_body_at(-half * cosine, half * sine, 0.0);
        contact_body_turn(&def, (tn_vec3){0.0, 0.0, -1.0}, 0.5 * M_PI + asin(sine));
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.material = contact_material(1.0, 0.0);
        tn_cone_shape_create(world, body, &shape, (float)half, (float)radius);
        double height = tn_body_get_center(world, body).y;
        tn_velocity start = {{0.0, 0.0, turn * height}, {turn, 0.0, 0.0}};
        tn_body_set_velocity(world, body, start);
        int steps = (int)lround(2.0 * M_PI / round * hz);
        contact_step(world, steps, hz, 4);
        tn_vec3 at = tn_body_get_center(world, body);
        tn_vec3 apex = tn_body_get_world_point(world, body, (tn_vec3){0.0, half, 0.0});
        double late = remainder(atan2(at.z, -at.x) - round * steps / hz, 2.0 * M_PI);
        cr_assert(fabs(late) < 0.02 && hypot(apex.x, apex.z) < 1e-3 && fabs(at.y - height) < 5e-4,
                  "%g Hz, ground %d: %g rad late, apex at %g %g, %g m up", hz, i % 2, late, apex.x,
                  apex.z, at.y - height);
        tn_world_destroy(world);
    }
}

// ---- wheels on hinges --------------------------------------------------------------------------

// A cart on four wheels: they turn on hinges, and roll.
Test(contact_curved, a_cart_rolls_on_its_wheels_under_every_solver) {
    const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    for (int i = 0; i < 4; ++i) {
        tn_world_def wdef = tn_world_def_default();
        wdef.is_sleep_allowed = false;
        wdef.solver = solvers[i];
        tn_world *world = tn_world_create(&wdef, NULL);
        tn_material material = contact_material(0.9, 0.0);
        contact_tiles tiles = {{0}, -2.0, 20.0, 0.37, false, 0.9};
        contact_tiles_create(world, &tiles);
        tn_body_def def = contact_body_at(0.0, 0.35, 0.0);
        def.velocity.linear.x = 3.0;
        tn_body_id cart = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.material = material;
        shape.filter.group = -1;
        tn_box_shape_create(world, cart, &shape, (tn_vec3){0.5, 0.1, 0.25});
        for (int k = 0; k < 4; ++k) {
            tn_vec3 place = {k % 2 == 0 ? -0.4 : 0.4, 0.25, k / 2 == 0 ? -0.4 : 0.4};
            tn_body_def at = contact_body_at(place.x, place.y, place.z);
            contact_body_turn(&at, (tn_vec3){1.0, 0.0, 0.0}, 0.5 * M_PI);
            at.velocity.linear.x = 3.0;
            at.velocity.angular.z = -3.0 / 0.25;
            tn_body_id wheel = tn_body_create(world, &at);
            tn_cylinder_shape_create(world, wheel, &shape, 0.05f, 0.25f);
            tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
            tn_joint_def_set_frames(world, &hinge.base, cart, wheel, place,
                                    (tn_vec3){0.0, 0.0, 1.0});
            tn_hinge_joint_create(world, &hinge);
        }
        contact_step(world, 180, 60.0, 4);
        tn_vec3 now = tn_body_get_center(world, cart);
        double lost = 1.0 - tn_body_get_velocity(world, cart).linear.x / 3.0;
        cr_assert(fabs(lost) < 0.01 && fabs(now.x - 9.0) < 0.05 && fabs(now.z) < 0.01 &&
                      fabs(now.y - 0.35) < 1e-3,
                  "solver %d: lost %g, at %g %g %g", i, lost, now.x, now.y, now.z);
        tn_world_destroy(world);
    }
}
