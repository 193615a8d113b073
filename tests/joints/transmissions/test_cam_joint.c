// Cams against closed forms: the lift and the force of an eccentric circle and of a harmonic cam,
// the speed at which a follower jumps, free flight, energy.
#include "transmission_world.h"

TestSuite(cam_joint, .timeout = 60);

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
static const char *const names[] = {"PGS", "DIRECT", "CG", "AUTO"};

#define RADII 360
#define BASE  0.05 // m: radius of the circle
#define OFF   0.02 // m: how far its centre is from the axis
#define MASS  0.5  // kg

static double radii[RADII];

// About a centre that is off the axis, toward the angle 0.
static void cut_circle(void) {
    for (int i = 0; i < RADII; ++i) {
        double angle = 2.0 * PI * i / RADII, side = OFF * sin(angle);
        radii[i] = OFF * cos(angle) + sqrt(BASE * BASE - side * side);
    }
}

static void cut_harmonic(void) {
    for (int i = 0; i < RADII; ++i) {
        radii[i] = BASE + OFF * cos(2.0 * PI * i / RADII);
    }
}

typedef struct cam_rig {
    tn_world *world;
    tn_body_id cam, follower;
    tn_joint_id joint, guide;
} cam_rig;

typedef struct cam_choice {
    tn_solver solver;
    tn_cam_follower follower;
    double roller;
    bool is_desmodromic, is_free; // the cam has inertia and nothing that turns it
    double angle, speed;          // of the cam at the start, rad and rad/s
    double stiffness, preload;    // of the follower's spring, N/m and m, where the cam is lowest
} cam_choice;

// The cam about z at the origin, the follower above it on a guide along y, where it touches at a
// height of `top`.
static cam_rig make_rig(cam_choice choice, double top) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, -9.81, 0.0};
    def.is_sleep_allowed = false;
    def.solver = choice.solver;
    cam_rig rig = {.world = tn_world_create(&def, NULL)};
    tn_body_def cam = tn_body_def_default();
    cam.type = choice.is_free ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_KINEMATIC;
    cam.pose.rotation.z = sin(0.5 * choice.angle);
    cam.pose.rotation.w = cos(0.5 * choice.angle);
    cam.velocity.angular.z = choice.speed;
    cam.has_mass = choice.is_free;
    cam.mass.mass = 2.0;
    cam.mass.inertia.xx = cam.mass.inertia.yy = cam.mass.inertia.zz = 0.002;
    rig.cam = tn_body_create(rig.world, &cam);
    tn_vec3 origin = {0.0, 0.0, 0.0}, above = {0.0, top + choice.roller, 0.0};
    rig.follower = body_make(rig.world, 0.0, above.y, 0.0, MASS, 0.001);
    if (choice.is_free) {
        joint_make(rig.world, TN_JOINT_TYPE_HINGE, world_body, rig.cam, origin, along_z);
    }
    rig.guide =
        joint_make(rig.world, TN_JOINT_TYPE_SLIDER, world_body, rig.follower, above, along_y);
    double lowest = BASE - OFF - top;
    tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS,
                        .stiffness = (float)choice.stiffness,
                        .rest = (float)(lowest - choice.preload)};
    tn_slider_joint_set_spring(rig.world, rig.guide, spring);
    tn_cam_joint_def joint = tn_cam_joint_def_default();
    joint.base.body_a = rig.cam;
    joint.base.body_b = rig.follower;
    tn_joint_def of_a = tn_joint_def_default(), of_b = of_a;
    set_frames(rig.world, &of_b, rig.follower, world_body, above, along_y);
    // x along z, and y along the body's own y.
    of_a.frame_a.rotation.y = -sqrt(0.5);
    of_a.frame_a.rotation.w = sqrt(0.5);
    joint.base.frame_a = of_a.frame_a;
    joint.base.frame_b = of_b.frame_a;
    joint.radii = radii;
    joint.radius_count = RADII;
    joint.follower = choice.follower;
    joint.roller_radius = choice.roller;
    joint.is_desmodromic = choice.is_desmodromic;
    rig.joint = tn_cam_joint_create(rig.world, &joint);
    cr_assert(rig.joint.value != 0);
    return rig;
}

// A roller's centre goes about the circle's at the distance of both radii; a face with the circle's
// highest point. Lift and its second derivative by the angle.
static double circle_lift(const cam_choice *choice, double angle) {
    double side = OFF * sin(angle), reach = BASE + choice->roller;
    bool is_flat = choice->follower == TN_CAM_FOLLOWER_FLAT;
    double height = is_flat ? BASE : sqrt(reach * reach - side * side) - choice->roller;
    return OFF * cos(angle) + height - (BASE - OFF);
}

static double circle_bend(const cam_choice *choice, double angle) {
    const double d = 1e-4;
    return (circle_lift(choice, angle + d) - 2.0 * circle_lift(choice, angle) +
            circle_lift(choice, angle - d)) /
           (d * d);
}

static double get_force(const cam_rig *rig) {
    return tn_joint_get_reaction(rig->world, rig->joint).force.y;
}

static void check_circle(int s, cam_choice choice, double rate, double lift_share,
                         double force_share) {
    cut_circle();
    choice.solver = solvers[s];
    choice.speed = 20.0;
    choice.stiffness = 2000.0;
    choice.preload = 0.02;
    cam_rig rig = make_rig(choice, BASE - OFF + circle_lift(&choice, choice.angle));
    run(rig.world, 0.1, rate, 4);
    double step = choice.speed / rate, worst_lift = 0.0, worst_force = 0.0;
    for (int i = 0; i < (int)(0.5 * rate); ++i) {
        double before = choice.angle + choice.speed * tn_world_get_time(rig.world);
        run(rig.world, 1.0 / rate, rate, 4);
        double lift = circle_lift(&choice, before + step);
        // Mean over the step.
        double middle = before + 0.5 * step;
        double force = MASS * (choice.speed * choice.speed * circle_bend(&choice, middle) + 9.81) +
                       2000.0 * (circle_lift(&choice, middle) + 0.02);
        double found = tn_cam_joint_get_lift(rig.world, rig.joint);
        worst_lift = fmax(worst_lift, fabs(found - lift));
        worst_force = fmax(worst_force, fabs(get_force(&rig) - force));
        double rise = choice.speed *
                      (circle_lift(&choice, before + step + 1e-5) -
                       circle_lift(&choice, before + step - 1e-5)) /
                      2e-5;
        double speed = tn_cam_joint_get_lift_rate(rig.world, rig.joint);
        cr_expect_float_eq(speed, rise, 0.02 * choice.speed * OFF, "%s: %g for %g", names[s], speed,
                           rise);
    }
    cr_expect(worst_lift < lift_share * 2.0 * OFF, "%s, follower %d: lift off by %g", names[s],
              (int)choice.follower, worst_lift);
    cr_expect(worst_force < force_share * 140.0, "%s, follower %d: force off by %g", names[s],
              (int)choice.follower, worst_force);
    tn_world_destroy(rig.world);
}

static const cam_choice circles[] = {
    {.follower = TN_CAM_FOLLOWER_FLAT},
    {.follower = TN_CAM_FOLLOWER_FLAT, .is_desmodromic = true},
    {.follower = TN_CAM_FOLLOWER_ROLLER, .roller = 0.01, .angle = 0.5},
    {.follower = TN_CAM_FOLLOWER_ROLLER, .roller = 0.01, .is_desmodromic = true},
    {.follower = TN_CAM_FOLLOWER_ROLLER, .roller = 0.0, .angle = 1.0},
};

Test(cam_joint, lifts_by_an_eccentric_circle_as_its_geometry_says) {
    for (int s = 0; s < 4; ++s) {
        for (int k = 0; k < 5; ++k) {
            check_circle(s, circles[k], 960.0, 2e-4, 1e-3);
        }
    }
}

// A knife's edge on r = r_0 + e cos: the lift is the cosine itself, and the spline's error is
// nothing beside it.
Test(cam_joint, of_a_harmonic_profile_moves_harmonically) {
    cut_harmonic();
    cam_choice choice = {
        .solver = TN_SOLVER_DIRECT, .is_desmodromic = true, .speed = 10.0, .angle = 0.3};
    cam_rig rig = make_rig(choice, BASE + OFF * cos(0.3));
    for (int i = 0; i < 240; ++i) {
        run(rig.world, 1.0 / 240.0, 240.0, 4);
        double angle = 0.3 + 10.0 * tn_world_get_time(rig.world);
        double lift = tn_cam_joint_get_lift(rig.world, rig.joint);
        cr_expect_float_eq(lift, OFF * (1.0 + cos(angle)), 1e-7, "%d: %g", i, lift);
        cr_expect(fabs(tn_cam_joint_get_gap(rig.world, rig.joint)) < 1e-8);
    }
    tn_world_destroy(rig.world);
}

// Does the follower come off in a turn from the lowest point on?
static bool jumps(tn_solver solver, double speed) {
    cam_choice choice = {.solver = solver,
                         .follower = TN_CAM_FOLLOWER_FLAT,
                         .angle = PI,
                         .speed = speed,
                         .stiffness = 2000.0,
                         .preload = 0.03};
    cam_rig rig = make_rig(choice, BASE - OFF);
    double rate = 100.0 * speed / (2.0 * PI), least = 1e9;
    for (int i = 0; i < 70; ++i) {
        cr_assert(tn_world_step(rig.world, 1.0 / rate, 4) == TN_RESULT_OK);
        least = i > 10 ? fmin(least, get_force(&rig)) : least;
    }
    tn_world_destroy(rig.world);
    return !(least > 0.0);
}

// m w^2 e = k (preload + 2 e) + m g at the top.
Test(cam_joint, lets_its_follower_jump_at_the_speed_of_the_closed_form) {
    cut_circle();
    double exact = sqrt((2000.0 * (0.03 + 2.0 * OFF) + MASS * 9.81) / (MASS * OFF));
    for (int s = 0; s < 2; ++s) {
        double lower = 0.8 * exact, upper = 1.2 * exact;
        cr_assert(!jumps(solvers[s], lower) && jumps(solvers[s], upper), "%s", names[s]);
        for (int i = 0; i < 9; ++i) {
            double middle = 0.5 * (lower + upper);
            bool is_above = jumps(solvers[s], middle);
            upper = is_above ? middle : upper;
            lower = is_above ? lower : middle;
        }
        cr_expect_float_eq(upper, exact, 0.01 * exact, "%s: %g rad/s for %g", names[s], upper,
                           exact);
    }
}

// Thrown up at 2 m/s from the cam that stands it comes back after 2 v / g, and stays.
Test(cam_joint, lets_its_follower_fly_and_catches_it) {
    cut_circle();
    for (int s = 0; s < 4; ++s) {
        cam_choice choice = {.solver = solvers[s], .follower = TN_CAM_FOLLOWER_FLAT};
        cam_rig rig = make_rig(choice, BASE + OFF);
        tn_body_set_linear_velocity(rig.world, rig.follower, (tn_vec3){0.0, 2.0, 0.0});
        run(rig.world, 0.3, 240.0, 4);
        double gap = tn_cam_joint_get_gap(rig.world, rig.joint);
        cr_expect_float_eq(gap, 2.0 * 0.3 - 0.5 * 9.81 * 0.09, 1e-3, "%s: %g", names[s], gap);
        // The direct solver leaves a row that takes no part 1e-12 of what it could do.
        cr_expect(fabs(get_force(&rig)) < 1e-6, "%s: %g", names[s], get_force(&rig));
        cr_expect_eq(tn_joint_get_error(rig.world, rig.joint).linear_length, 0.0);
        run(rig.world, 0.5, 240.0, 4);
        cr_expect_float_eq(tn_cam_joint_get_gap(rig.world, rig.joint), 0.0, 1e-5);
        cr_expect_float_eq(get_force(&rig), MASS * 9.81, 1e-3 * MASS * 9.81);
        tn_world_destroy(rig.world);
    }
}

static double get_energy(const cam_rig *rig, const cam_choice *choice) {
    double w = tn_body_get_velocity(rig->world, rig->cam).angular.z;
    double v = tn_body_get_velocity(rig->world, rig->follower).linear.y;
    double lift = tn_cam_joint_get_lift(rig->world, rig->joint);
    double stretch = lift + choice->preload;
    return 0.5 * 0.002 * w * w + 0.5 * MASS * v * v + 0.5 * choice->stiffness * stretch * stretch +
           MASS * 9.81 * lift;
}

// A cam with a flywheel's inertia that goes on by itself: what the spring takes it gives back.
Test(cam_joint, makes_no_energy) {
    cut_circle();
    for (int s = 0; s < 4; ++s) {
        for (int k = 0; k < 5; ++k) {
            cam_choice choice = circles[k];
            choice.solver = solvers[s];
            choice.is_free = true;
            choice.speed = 60.0;
            choice.angle = PI;
            choice.stiffness = 1000.0;
            choice.preload = 0.02;
            cam_rig rig = make_rig(choice, BASE - OFF);
            double first = get_energy(&rig, &choice), most = first, least = first;
            for (int i = 0; i < 480; ++i) {
                run(rig.world, 1.0 / 480.0, 480.0, 4);
                double energy = get_energy(&rig, &choice);
                most = fmax(most, energy);
                least = fmin(least, energy);
            }
            cr_expect(most < first * 1.0001, "%s %d: gains %g of %g", names[s], k, most - first,
                      first);
            cr_expect(least > first * (solvers[s] == TN_SOLVER_DIRECT ? 0.9999 : 0.999),
                      "%s %d: loses %g of %g", names[s], k, first - least, first);
            tn_world_destroy(rig.world);
        }
    }
}

// A weight on a cam that stands: 4.905 N.
Test(cam_joint, breaks_above_its_force_and_not_below) {
    cut_circle();
    for (int s = 0; s < 4; ++s) {
        cam_choice choice = {.solver = solvers[s], .follower = TN_CAM_FOLLOWER_FLAT};
        cam_rig rig = make_rig(choice, BASE + OFF);
        run(rig.world, 0.5, 60.0, 4);
        tn_joint_set_break_force(rig.world, rig.joint, 4.95f, INFINITY);
        run(rig.world, 0.5, 60.0, 4);
        cr_expect(tn_joint_is_valid(rig.world, rig.joint), "%s", names[s]);
        tn_joint_set_break_force(rig.world, rig.joint, 4.85f, INFINITY);
        run(rig.world, 1.0 / 60.0, 60.0, 4);
        cr_expect(!tn_joint_is_valid(rig.world, rig.joint), "%s", names[s]);
        tn_world_destroy(rig.world);
    }
}

// The same lift far from the origin, to the doubles' spacing there.
Test(cam_joint, is_the_same_100_km_from_the_origin) {
    cut_circle();
    double lifts[2];
    for (int i = 0; i < 2; ++i) {
        double x = i == 0 ? 0.0 : 1e5;
        tn_world *world = world_make(weightless, NULL);
        tn_body_id cam = wheel_make(world, world_body, (tn_vec3){x, x, -x}, along_z, 1.0, 0.01);
        tn_body_id follower = body_make(world, x, x + BASE + OFF, -x, MASS, 0.001);
        joint_make(world, TN_JOINT_TYPE_SLIDER, world_body, follower,
                   (tn_vec3){x, x + BASE + OFF, -x}, along_y);
        tn_cam_joint_def def = tn_cam_joint_def_default();
        def.base.body_a = cam;
        def.base.body_b = follower;
        def.base.frame_a.rotation.y = -sqrt(0.5);
        def.base.frame_a.rotation.w = sqrt(0.5);
        def.radii = radii;
        def.radius_count = RADII;
        def.is_desmodromic = true;
        tn_joint_id joint = tn_cam_joint_create(world, &def);
        tn_body_set_angular_velocity(world, cam, (tn_vec3){0.0, 0.0, 3.0});
        run(world, 1.0, 60.0, 4);
        lifts[i] = tn_cam_joint_get_lift(world, joint);
        tn_world_destroy(world);
    }
    cr_expect(lifts[0] < 1.5 * OFF);
    cr_expect_float_eq(lifts[0], lifts[1], 1e-7, "%g, %g", lifts[0], lifts[1]);
}
