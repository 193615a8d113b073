// What a step keeps of the bodies of a net or a machine, and of the rows of the latter, for the
// next one never shows: a world that keeps it moves to the bit as one in which something that
// changes nothing is set before every step, whatever else is changed in between, and however often
// it is drawn.
#include "world_test.h"

// Enough for strips.
#define SIDE  32
#define STEPS 90

typedef struct net {
    tn_world *world;
    test_reports reports;
    tn_body_id balls[SIDE][SIDE];
} net;

static void net_tie(const net *n, tn_body_id a, tn_body_id b, double x, double y) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    tn_position at = {x, y, 0.0};
    cr_assert(tn_joint_def_set_frames(n->world, &def.base, a, b, at, (tn_dvec3){1.0, 0.0, 0.0}));
    tn_ball_joint_create(n->world, &def);
}

// Hung by its upper corners, under a tension that stiffens some of its balls.
static void net_create(net *n, uint32_t workers) {
    memset(n, 0, sizeof *n);
    tn_world_def def = tn_world_def_default();
    tn_shape_def shape = tn_shape_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    def.worker_count = workers;
    def.gravity = (tn_vec3){0.0f, -9.0f, 2.0f};
    shape.filter.group = -1;
    n->world = test_def_world_create(def, &n->reports);
    for (int i = 0; i < SIDE; ++i) {
        for (int k = 0; k < SIDE; ++k) {
            double x = 0.5 * k, y = -0.5 * i;
            bool is_fixed = i == 0 && (k == 0 || k == SIDE - 1);
            tn_body_type type = is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
            n->balls[i][k] = test_body_create(n->world, type, x, y, 0.0);
            tn_sphere_shape_create(n->world, n->balls[i][k], &shape, 0.2f);
            if (i > 0) {
                net_tie(n, n->balls[i - 1][k], n->balls[i][k], x, y + 0.25);
            }
            if (k > 0) {
                net_tie(n, n->balls[i][k - 1], n->balls[i][k], x - 0.25, y);
            }
        }
    }
}

static void net_set_nothing(const net *n) {
    tn_world_set_gravity(n->world, tn_world_get_gravity(n->world));
}

// A ball of its own that falls through the net, or onto it.
static void net_drop(const net *n, bool hits) {
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id loose = test_body_create(n->world, TN_BODY_TYPE_DYNAMIC, 8.0, -3.0, -1.0);
    shape.filter.group = hits ? 0 : -1;
    tn_sphere_shape_create(n->world, loose, &shape, 0.3f);
    tn_body_set_velocity(n->world, loose,
                         (tn_velocity){.linear = {0.0, 0.0, 4.0}, .angular = {0.0, 1.0, 0.0}});
}

static void net_change(net *n, int step) {
    tn_body_id ball = n->balls[20][7];
    switch (step) {
    case 8:
        tn_body_apply_force(n->world, ball, (tn_vec3){900.0f, 200.0f, 0.0f});
        break;
    case 14:
        tn_body_apply_torque(n->world, ball, (tn_vec3){0.0f, 20.0f, 30.0f});
        break;
    case 20:
        tn_body_set_velocity(n->world, ball,
                             (tn_velocity){.linear = {1.0, 0.0, 2.0}, .angular = {3.0, 0.0, 0.0}});
        break;
    case 26:
        tn_world_set_gravity(n->world, (tn_vec3){1.0f, -8.0f, 0.0f});
        break;
    case 32:
        tn_body_set_damping(n->world, ball, 0.5f, 0.2f);
        break;
    case 38:
        tn_body_set_damping(n->world, ball, 0.0f, 0.0f);
        break;
    case 44:
        tn_body_set_pose(n->world, n->balls[0][0],
                         (tn_pose){{0.02, 0.01, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        break;
    case 50:
        net_drop(n, false);
        break;
    case 56:
        net_drop(n, true);
        break;
    case 80:
        tn_body_set_enabled(n->world, n->balls[SIDE - 1][3], false);
        break;
    default:
        break;
    }
}

Test(kept_bodies, what_is_kept_never_shows, .timeout = 60) {
    net kept, fresh;
    net_create(&kept, 1);
    net_create(&fresh, 2);
    for (int step = 0; step < STEPS; ++step) {
        net_change(&kept, step);
        net_change(&fresh, step);
        net_set_nothing(&fresh);
        tn_world_step(kept.world, 1.0 / 60.0, 4);
        tn_world_step(fresh.world, 1.0 / 60.0, 4);
        cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world), "step %d", step);
        tn_telemetry t = tn_world_get_telemetry(kept.world);
        tn_telemetry u = tn_world_get_telemetry(fresh.world);
        cr_assert(t.islands == u.islands && t.awake_bodies == u.awake_bodies);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}

// A step of another length, and one that cannot be made, leave nothing behind.
Test(kept_bodies, steps_of_any_length_follow_each_other, .timeout = 60) {
    net kept, fresh;
    net_create(&kept, 2);
    net_create(&fresh, 1);
    for (int step = 0; step < 30; ++step) {
        double dt = step == 12 || step > 20 ? 1.0 / 90.0 : 1.0 / 60.0;
        uint32_t substeps = step == 16 ? 8 : 4;
        net_set_nothing(&fresh);
        tn_world_step(kept.world, dt * substeps / 4, substeps);
        tn_world_step(fresh.world, dt * substeps / 4, substeps);
        cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world), "step %d", step);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}

// ---- a machine --------------------------------------------------------------------------------

#define MACHINE_STEPS 200

// A crank with a motor, a rod and a piston that slides up to a stop; on the crank a lever with a
// spring, another that swings between limits, and a bead that slides; a ball on a rope; and two
// light links with a weight below them, which stiffens them where it is great.
typedef struct machine {
    tn_world *world;
    test_reports reports;
    tn_body_id crank, rod, piston, lever, ball, loose;
    tn_joint_id motor, slide, rope, limited;
} machine;

static tn_hinge_joint_def machine_hinge(const machine *m, tn_body_id a, tn_body_id b, double x,
                                        double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(m->world, &def.base, a, b, (tn_position){x, y, 0.0},
                                      (tn_dvec3){0.0, 0.1, 1.0}));
    return def;
}

static void machine_add_crank(machine *m) {
    tn_body_id world = {0};
    m->crank = test_rod_create(m->world, 0.25, 0.0, 3.0, 0.5);
    m->rod = test_rod_create(m->world, 1.25, 0.0, 1.0, 1.5);
    m->piston = test_rod_create(m->world, 2.0, 0.0, 2.0, 0.3);
    tn_hinge_joint_def motor = machine_hinge(m, world, m->crank, 0.0, 0.0);
    motor.motor =
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 12.0f, .max_force = 300.0f};
    m->motor = tn_hinge_joint_create(m->world, &motor);
    tn_hinge_joint_def pins[2] = {machine_hinge(m, m->crank, m->rod, 0.5, 0.0),
                                  machine_hinge(m, m->rod, m->piston, 2.0, 0.0)};
    tn_hinge_joint_create(m->world, &pins[0]);
    tn_hinge_joint_create(m->world, &pins[1]);
    tn_slider_joint_def slide = tn_slider_joint_def_default();
    cr_assert(tn_joint_def_set_frames(m->world, &slide.base, world, m->piston,
                                      (tn_position){2.0, 0.0, 0.0}, (tn_dvec3){1.0, 0.02, 0.1}));
    slide.friction = 0.5f;
    m->slide = tn_slider_joint_create(m->world, &slide);
}

static void machine_add_levers(machine *m) {
    m->lever = test_rod_create(m->world, 0.25, 0.5, 0.5, 0.4);
    tn_hinge_joint_def spring = machine_hinge(m, m->crank, m->lever, 0.25, 0.3);
    spring.spring =
        (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 5.0f, .damping_ratio = 0.3f};
    tn_hinge_joint_create(m->world, &spring);
    tn_body_id swing = test_rod_create(m->world, 0.25, -0.5, 0.5, 0.4);
    tn_hinge_joint_def limited = machine_hinge(m, m->crank, swing, 0.25, -0.3);
    limited.limit = (tn_limit){.enabled = true, .lower = -0.4f, .upper = 0.7f};
    m->limited = tn_hinge_joint_create(m->world, &limited);
    tn_body_id bead = test_rod_create(m->world, 0.4, 0.0, 0.3, 0.1);
    tn_slider_joint_def along = tn_slider_joint_def_default();
    cr_assert(tn_joint_def_set_frames(m->world, &along.base, m->crank, bead,
                                      (tn_position){0.4, 0.0, 0.0}, (tn_dvec3){1.0, 0.2, 0.0}));
    along.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 8.0f};
    tn_slider_joint_create(m->world, &along);
}

static void machine_add_weights(machine *m, double weight) {
    m->ball = test_rod_create(m->world, 2.0, -1.0, 1.0, 0.3);
    tn_distance_joint_def rope = tn_distance_joint_def_default();
    rope.base.body_a = m->piston;
    rope.base.body_b = m->ball;
    rope.is_rigid = false;
    rope.limit = (tn_limit){.enabled = true, .lower = 0.0f, .upper = 1.1f};
    m->rope = tn_distance_joint_create(m->world, &rope);
    tn_body_id above = {0};
    const double masses[3] = {0.2, 0.2, weight};
    for (int i = 0; i < 3; ++i) {
        tn_body_id link = test_rod_create(m->world, 5.25 + 0.5 * i, 0.0, masses[i], 0.5);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        cr_assert(tn_joint_def_set_frames(m->world, &def.base, above, link,
                                          (tn_position){5.0 + 0.5 * i, 0.0, 0.0},
                                          (tn_dvec3){1.0, 0.0, 0.0}));
        tn_ball_joint_create(m->world, &def);
        above = link;
    }
}

static void machine_create(machine *m, uint32_t workers, double weight) {
    memset(m, 0, sizeof *m);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    def.worker_count = workers;
    def.gravity = (tn_vec3){0.5f, -9.0f, 1.0f};
    m->world = test_def_world_create(def, &m->reports);
    machine_add_crank(m);
    machine_add_levers(m);
    machine_add_weights(m, weight);
}

// A sphere beside the ball on the rope, which falls onto another that is at rest.
static void machine_drop(machine *m) {
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id below = test_body_create(m->world, TN_BODY_TYPE_STATIC, 9.0, -4.0, 0.0);
    m->loose = test_body_create(m->world, TN_BODY_TYPE_DYNAMIC, 9.0, -3.0, 0.1);
    tn_sphere_shape_create(m->world, below, &shape, 0.4f);
    tn_sphere_shape_create(m->world, m->loose, &shape, 0.2f);
}

static void machine_change(machine *m, int step) {
    switch (step) {
    case 20:
        tn_body_apply_force(m->world, m->rod, (tn_vec3){90.0f, 20.0f, 0.0f});
        break;
    case 30:
        tn_slider_joint_set_limit(m->world, m->slide,
                                  (tn_limit){.enabled = true, .lower = -0.6f, .upper = -0.1f});
        break;
    case 40:
        tn_hinge_joint_set_limit(
            m->world, m->limited,
            (tn_limit){.enabled = true, .lower = -0.4f, .upper = 0.7f, .restitution = 0.8f});
        tn_slider_joint_set_viscous_friction(m->world, m->slide, 2.0f);
        break;
    case 50:
        tn_distance_joint_set_limit(
            m->world, m->rope,
            (tn_limit){.enabled = true, .upper = 1.1f, .stiffness = 400.0f, .damping = 5.0f});
        break;
    case 60:
        tn_hinge_joint_set_motor(m->world, m->motor,
                                 (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                            .target_position = 1.0f,
                                            .stiffness = 400.0f,
                                            .damping = 20.0f,
                                            .max_force = INFINITY});
        break;
    case 80:
        tn_body_set_damping(m->world, m->lever, 0.5f, 0.2f);
        break;
    case 90:
        machine_drop(m);
        break;
    case 150:
        tn_body_set_velocity(m->world, m->ball,
                             (tn_velocity){.linear = {1.0, 3.0, 2.0}, .angular = {3.0, 0.0, 0.0}});
        break;
    case 170:
        tn_body_set_pose(m->world, m->loose, (tn_pose){{9.0, 9.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        break;
    case 180:
        tn_joint_destroy(m->world, m->rope);
        break;
    default:
        break;
    }
}

// What a machine has beside its joints.
typedef enum machine_more {
    MACHINE_PLAIN,
    MACHINE_WINDY, // air pulls at rod and ball
    MACHINE_FIRST_ORDER,
} machine_more;

static void machine_add(const machine *m, machine_more more) {
    const tn_body_id bodies[2] = {m->rod, m->ball};
    for (int i = 0; i < 2 && more == MACHINE_WINDY; ++i) {
        tn_air_force_def def = tn_air_force_def_default();
        def.base.connectors[0].body = bodies[i];
        def.base.connectors[0].amount = 0.3;
        def.base.connector_count = 1;
        def.air.wind = (tn_dvec3){4.0, 1.0, -6.0};
        cr_assert(tn_air_force_create(m->world, &def).value != 0);
    }
    if (more == MACHINE_FIRST_ORDER) {
        tn_world_set_dynamics(m->world, TN_DYNAMICS_FIRST_ORDER, 0.25);
    }
}

static void machine_compare(double weight, machine_more more) {
    machine kept, fresh;
    machine_create(&kept, 1, weight);
    machine_create(&fresh, 2, weight);
    machine_add(&kept, more);
    machine_add(&fresh, more);
    for (int step = 0; step < MACHINE_STEPS; ++step) {
        machine_change(&kept, step);
        machine_change(&fresh, step);
        tn_world_set_gravity(fresh.world, tn_world_get_gravity(fresh.world));
        double dt = step >= 120 && step < 130 ? 1.0 / 75.0 : 1.0 / 60.0;
        tn_draw draw;
        cr_assert(tn_world_draw(kept.world, NULL, &draw) == TN_RESULT_OK && draw.line_count > 0);
        tn_world_step(kept.world, dt, 4);
        tn_world_step(fresh.world, dt, 4);
        cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world), "step %d", step);
        tn_telemetry t = tn_world_get_telemetry(kept.world);
        tn_telemetry u = tn_world_get_telemetry(fresh.world);
        cr_assert(t.islands == u.islands && t.awake_bodies == u.awake_bodies);
        cr_assert(t.worst_joint_linear == u.worst_joint_linear && t.joints == u.joints);
    }
    test_world_destroy_quiet(kept.world, &kept.reports);
    test_world_destroy_quiet(fresh.world, &fresh.reports);
}

Test(kept_bodies, what_is_kept_of_a_machine_never_shows) {
    machine_compare(0.2, MACHINE_PLAIN);
}

Test(kept_bodies, what_is_stiffened_is_not_kept) {
    machine_compare(400.0, MACHINE_PLAIN);
}

Test(kept_bodies, what_is_kept_never_shows_in_the_wind_or_without_inertia) {
    machine_compare(0.2, MACHINE_WINDY);
    machine_compare(0.2, MACHINE_FIRST_ORDER);
}

// A pendulum swings while a box of its own tumbles onto a floor, with a turn that it did not have
// when it was gathered.
static void fall_create(machine *m) {
    memset(m, 0, sizeof *m);
    tn_world_def def = tn_world_def_default();
    tn_shape_def shape = tn_shape_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    m->world = test_def_world_create(def, &m->reports);
    tn_body_id rod = test_rod_create(m->world, 0.5, 0.0, 1.0, 1.0);
    tn_hinge_joint_def hinge = machine_hinge(m, (tn_body_id){0}, rod, 0.0, 0.0);
    tn_hinge_joint_create(m->world, &hinge);
    tn_body_id floor = test_body_create(m->world, TN_BODY_TYPE_STATIC, 9.0, -2.0, 0.0);
    m->loose = test_body_create(m->world, TN_BODY_TYPE_DYNAMIC, 9.0, -0.5, 0.0);
    tn_box_shape_create(m->world, floor, &shape, (tn_vec3){10.0f, 0.5f, 10.0f});
    tn_box_shape_create(m->world, m->loose, &shape, (tn_vec3){0.4f, 0.2f, 0.3f});
    tn_velocity velocity = {{3.0, -2.0, 0.0}, {1.0, 2.0, 3.0}};
    tn_body_set_velocity(m->world, m->loose, velocity);
}

Test(kept_bodies, what_falls_beside_a_kept_machine_meets_the_floor_as_it_stands) {
    for (uint32_t substeps = 1; substeps <= 4; ++substeps) {
        machine kept, fresh;
        fall_create(&kept);
        fall_create(&fresh);
        for (int step = 0; step < 60; ++step) {
            tn_world_set_gravity(fresh.world, tn_world_get_gravity(fresh.world));
            tn_world_step(kept.world, 1.0 / 60.0, substeps);
            tn_world_step(fresh.world, 1.0 / 60.0, substeps);
            cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world),
                      "%u substeps, step %d", substeps, step);
        }
        test_world_destroy_quiet(kept.world, &kept.reports);
        test_world_destroy_quiet(fresh.world, &fresh.reports);
    }
}

// ---- changes ----------------------------------------------------------------------------------

#define CHANGES 6

// Sets one thing of the ball on the rope, which moves it along z, across the rope.
static void change_ball(const machine *m, int change) {
    tn_velocity velocity = tn_body_get_velocity(m->world, m->ball);
    tn_pose pose = tn_body_get_pose(m->world, m->ball);
    tn_mass mass = tn_body_get_mass(m->world, m->ball);
    switch (change) {
    case 0:
        velocity.linear.z += 2.0;
        tn_body_set_velocity(m->world, m->ball, velocity);
        break;
    case 1:
        tn_body_apply_force(m->world, m->ball, (tn_vec3){0.0f, 0.0f, 120.0f});
        break;
    case 2:
        tn_body_apply_impulse(m->world, m->ball, (tn_vec3){0.0f, 0.0f, 2.0f});
        break;
    case 3:
        pose.position.z += 2.0 / 60.0;
        tn_body_set_pose(m->world, m->ball, pose);
        break;
    case 4:
        tn_world_set_gravity(m->world, (tn_vec3){0.5f, -9.0f, 121.0f}); // from 1 m/s^2
        break;
    default:
        mass.mass = 3.0;
        tn_body_set_mass(m->world, m->ball, mass);
        tn_body_apply_force(m->world, m->ball, (tn_vec3){0.0f, 0.0f, 360.0f});
        break;
    }
}

// How far the ball comes along z in the next step.
static double move_ball(int quiet, int change) {
    machine m;
    machine_create(&m, 1, 0.2);
    for (int step = 0; step < quiet; ++step) {
        tn_world_step(m.world, 1.0 / 60.0, 4);
    }
    double before = tn_body_get_center(m.world, m.ball).z;
    if (change < CHANGES) {
        change_ball(&m, change);
    }
    tn_world_step(m.world, 1.0 / 60.0, 4);
    double way = tn_body_get_center(m.world, m.ball).z - before;
    test_world_destroy_quiet(m.world, &m.reports);
    return way;
}

// What is kept is not what it was: each change is one of 2 m/s, at once or over the step.
Test(kept_bodies, what_is_set_after_quiet_steps_takes_effect) {
    for (int quiet = 1; quiet < 8; ++quiet) {
        double alone = move_ball(quiet, CHANGES);
        for (int change = 0; change < CHANGES; ++change) {
            double way = 60.0 * (move_ball(quiet, change) - alone);
            bool is_at_once = change == 0 || change == 2 || change == 3;
            double wanted = is_at_once ? 2.0 : 1.0; // in the mean
            cr_expect(fabs(way - wanted) < 0.1 * wanted, "%d steps, change %d: %g m/s", quiet,
                      change, way);
        }
    }
}
