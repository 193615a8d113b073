// Tests of solver/small_machine.h: a machine that goes through its substeps in lanes moves as it
// does among others, where it goes as all do; and what it keeps, or leaves to others, never shows.
// That it goes in lanes shows in the last bits: the sums are others.
#include "world_test.h"

#define MOST_BODIES 4
#define STEPS       60

typedef struct machine {
    tn_world *world;
    test_reports reports;
    tn_body_id bodies[MOST_BODIES];
    uint32_t body_count;
    tn_joint_id joint; // one that is asked for what it bears
} machine;

typedef void build_fn(machine *m);

// The world notes its reports there.
static void machine_create_on(machine *m, build_fn *build, bool baseline_only) {
    *m = (machine){0};
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    def.baseline_only = baseline_only;
    m->world = test_def_world_create(def, &m->reports);
    build(m);
}

static void machine_create(machine *m, build_fn *build) {
    machine_create_on(m, build, false);
}

static void machine_destroy(machine *m) {
    test_world_destroy_quiet(m->world, &m->reports);
}

// Pendulums far off, so that the machine is not small any more.
static void add_company(const machine *m) {
    for (int i = 0; i < 5; ++i) {
        tn_body_id far = test_body_create(m->world, TN_BODY_TYPE_DYNAMIC, 1000.0 + i, 0.0, 0.0);
        tn_body_set_mass(m->world, far,
                         (tn_mass){.mass = 1.0, .inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.1}});
        tn_ball_joint_def def = tn_ball_joint_def_default();
        cr_assert(tn_joint_def_set_frames(m->world, &def.base, (tn_body_id){0}, far,
                                          (tn_position){1000.0 + i, 0.2, 0.0},
                                          (tn_dvec3){1.0, 0.0, 0.0}));
        tn_ball_joint_create(m->world, &def);
    }
}

static void step_on(const machine *m, int count) {
    for (int i = 0; i < count; ++i) {
        cr_assert(tn_world_step(m->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

static double get_distance(const machine *m, const machine *other, uint32_t i) {
    tn_position p = tn_body_get_center(m->world, m->bodies[i]);
    tn_position q = tn_body_get_center(other->world, other->bodies[i]);
    return sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z));
}

// The largest of all bodies.
static double get_distances(const machine *m, const machine *other) {
    double largest = 0.0;
    for (uint32_t i = 0; i < m->body_count; ++i) {
        largest = fmax(largest, get_distance(m, other, i));
    }
    return largest;
}

// ---- machines ---------------------------------------------------------------------------------

static tn_body_id add_link(machine *m, double x, double y, double z, double mass,
                           tn_mat3_symmetric inertia) {
    tn_body_id body = test_body_create(m->world, TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_body_set_mass(m->world, body, (tn_mass){.mass = mass, .inertia = inertia});
    m->bodies[m->body_count++] = body;
    return body;
}

static void set_frames(const machine *m, tn_joint_def *def, tn_body_id a, tn_body_id b, double x,
                       double y, double z, tn_dvec3 axis) {
    cr_assert(tn_joint_def_set_frames(m->world, def, a, b, (tn_position){x, y, z}, axis));
}

static const tn_dvec3 slanted = {0.1, 0.2, 1.0};
static const tn_body_id world_body = {0};

static tn_hinge_joint_def make_hinge(const machine *m, tn_body_id a, tn_body_id b, double x,
                                     double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(m, &def.base, a, b, x, y, 0.0, slanted);
    return def;
}

// Two light arms and a weight on balls, which are out of the plane and have three moments.
static void build_balls(machine *m) {
    tn_body_id above = world_body;
    for (int i = 0; i < 3; ++i) {
        tn_body_id link = add_link(m, 0.25 + 0.5 * i, 0.1 * i, 0.05, 1.0 + i,
                                   (tn_mat3_symmetric){.xx = 0.02, .yy = 0.05, .zz = 0.04});
        tn_ball_joint_def def = tn_ball_joint_def_default();
        set_frames(m, &def.base, above, link, 0.5 * i, 0.1 * i, 0.0, (tn_dvec3){1.0, 0.0, 0.0});
        m->joint = tn_ball_joint_create(m->world, &def);
        above = link;
    }
}

// A crank with a motor, a rod and a piston; the cylinder is its own joint.
static void build_crank(machine *m) {
    tn_body_id crank =
        add_link(m, 0.05, 0.0, 0.0, 3.0, (tn_mat3_symmetric){.xx = 0.02, .yy = 0.02, .zz = 0.04});
    tn_body_id rod =
        add_link(m, 0.3, 0.0, 0.0, 1.0, (tn_mat3_symmetric){.xx = 0.001, .yy = 0.02, .zz = 0.0205});
    tn_body_id piston =
        add_link(m, 0.5, 0.0, 0.0, 1.0, (tn_mat3_symmetric){.xx = 0.01, .yy = 0.01, .zz = 0.01});
    tn_hinge_joint_def bearing = make_hinge(m, world_body, crank, 0.0, 0.0);
    bearing.motor =
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 9.0f, .max_force = 40.0f};
    m->joint = tn_hinge_joint_create(m->world, &bearing);
    tn_hinge_joint_def pins[2] = {make_hinge(m, crank, rod, 0.1, 0.0),
                                  make_hinge(m, rod, piston, 0.5, 0.0)};
    tn_hinge_joint_create(m->world, &pins[0]);
    tn_hinge_joint_create(m->world, &pins[1]);
    tn_slider_joint_def cylinder = tn_slider_joint_def_default();
    set_frames(m, &cylinder.base, world_body, piston, 0.5, 0.0, 0.0, (tn_dvec3){1.0, 0.0, -0.1});
    tn_slider_joint_create(m->world, &cylinder);
}

// A beam with a weight that swings on it, and a ball on a rope that is slack at first.
static void build_sling(machine *m) {
    tn_body_id beam =
        add_link(m, -0.5, 0.0, 0.0, 20.0, (tn_mat3_symmetric){.xx = 0.5, .yy = 30.0, .zz = 30.2});
    tn_body_id weight =
        add_link(m, 1.0, -0.5, 0.0, 200.0, (tn_mat3_symmetric){.xx = 9.0, .yy = 9.0, .zz = 9.0});
    tn_body_id ball =
        add_link(m, -2.0, -0.8, 0.1, 2.0, (tn_mat3_symmetric){.xx = 0.01, .yy = 0.01, .zz = 0.01});
    tn_hinge_joint_def pins[2] = {make_hinge(m, world_body, beam, 0.0, 0.0),
                                  make_hinge(m, beam, weight, 1.0, 0.0)};
    pins[0].friction = 30.0f;
    tn_hinge_joint_create(m->world, &pins[0]);
    tn_hinge_joint_create(m->world, &pins[1]);
    tn_distance_joint_def rope = tn_distance_joint_def_default();
    rope.base.body_a = beam;
    rope.base.body_b = ball;
    rope.base.frame_a.position = (tn_position){-1.5, 0.0, 0.0};
    rope.is_rigid = false;
    rope.limit = (tn_limit){.enabled = true, .upper = 1.0f};
    m->joint = tn_distance_joint_create(m->world, &rope);
}

// A body whose principal axes are not its own, fixed to one on a rod.
static void build_turned(machine *m) {
    tn_body_id first = add_link(
        m, 1.0, 0.0, 0.0, 2.0,
        (tn_mat3_symmetric){.xx = 0.3, .yy = 0.2, .zz = 0.4, .xy = 0.05, .xz = -0.03, .yz = 0.02});
    tn_body_id second =
        add_link(m, 1.5, 0.2, 0.1, 1.0, (tn_mat3_symmetric){.xx = 0.2, .yy = 0.1, .zz = 0.15});
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    rod.base.body_a = world_body;
    rod.base.body_b = first;
    rod.base.frame_b.position = (tn_position){-0.1, 0.2, 0.05};
    rod.length = 0.9f;
    m->joint = tn_distance_joint_create(m->world, &rod);
    tn_fixed_joint_def weld = tn_fixed_joint_def_default();
    set_frames(m, &weld.base, first, second, 1.2, 0.1, 0.0, slanted);
    tn_fixed_joint_create(m->world, &weld);
}

static build_fn *const builds[] = {build_balls, build_crank, build_sling, build_turned};
#define BUILD_COUNT (sizeof builds / sizeof builds[0])

// ---- motion -----------------------------------------------------------------------------------

// Both are the same sums but for round-off of floats, which a second hardly lets grow.
Test(small_machine, moves_as_it_does_among_others) {
    for (size_t k = 0; k < BUILD_COUNT; ++k) {
        machine small, one;
        machine_create(&small, builds[k]);
        machine_create(&one, builds[k]);
        add_company(&one);
        step_on(&small, STEPS);
        step_on(&one, STEPS);
        double distance = get_distances(&small, &one);
        cr_expect(distance > 0.0 && distance < 1e-4, "build %zu: %g m", k, distance);
        tn_reaction now = tn_joint_get_reaction(small.world, small.joint);
        tn_reaction then = tn_joint_get_reaction(one.world, one.joint);
        float size = fabsf(then.force.x) + fabsf(then.force.y) + fabsf(then.force.z);
        cr_expect(fabsf(now.force.x - then.force.x) <= 1e-2f * size + 1e-2f);
        cr_expect(fabsf(now.force.y - then.force.y) <= 1e-2f * size + 1e-2f);
        machine_destroy(&small);
        machine_destroy(&one);
    }
}

Test(small_machine, ends_with_the_same_bits_on_every_vector_unit) {
    for (size_t k = 0; k < BUILD_COUNT; ++k) {
        uint64_t hashes[2];
        for (int i = 0; i < 2; ++i) {
            machine m;
            machine_create_on(&m, builds[k], i == 1);
            step_on(&m, STEPS);
            hashes[i] = tn_world_get_hash(m.world);
            machine_destroy(&m);
        }
        cr_expect(hashes[0] == hashes[1], "build %zu", k);
    }
}

Test(small_machine, what_it_keeps_never_shows) {
    for (size_t k = 0; k < BUILD_COUNT; ++k) {
        machine kept, fresh;
        machine_create(&kept, builds[k]);
        machine_create(&fresh, builds[k]);
        for (int step = 0; step < STEPS; ++step) {
            tn_world_set_gravity(fresh.world, tn_world_get_gravity(fresh.world));
            step_on(&kept, 1);
            step_on(&fresh, 1);
            cr_assert(tn_world_get_hash(kept.world) == tn_world_get_hash(fresh.world),
                      "build %zu, step %d", k, step);
        }
        machine_destroy(&kept);
        machine_destroy(&fresh);
    }
}

// ---- what has to stay -------------------------------------------------------------------------

// Two links on hinges at a third, thrown into the air without weight.
static void build_thrown(machine *m) {
    tn_world_set_gravity(m->world, (tn_vec3){0.0f, 0.0f, 0.0f});
    tn_body_id links[3];
    for (int i = 0; i < 3; ++i) {
        links[i] = add_link(m, 0.5 * i, 0.1 * (i % 2), 0.0, 1.0 + i,
                            (tn_mat3_symmetric){.xx = 0.02, .yy = 0.05, .zz = 0.06});
        tn_body_set_velocity(
            m->world, links[i],
            (tn_velocity){.linear = {0.3, 0.5 * i, 0.1}, .angular = {0.2, 0.0, 1.0}});
    }
    for (int i = 0; i < 2; ++i) {
        tn_hinge_joint_def pin = make_hinge(m, links[i], links[i + 1], 0.25 + 0.5 * i, 0.05);
        m->joint = tn_hinge_joint_create(m->world, &pin);
    }
}

Test(small_machine, thrown_keeps_its_momenta) {
    machine m;
    machine_create(&m, build_thrown);
    tn_energy before = tn_world_get_energy(m.world);
    step_on(&m, 120);
    tn_energy after = tn_world_get_energy(m.world);
    const double *p = &before.linear_momentum.x, *q = &after.linear_momentum.x;
    const double *k = &before.angular_momentum.x, *l = &after.angular_momentum.x;
    for (int i = 0; i < 3; ++i) {
        TEST_NEAR(q[i], p[i], 3e-5);
        TEST_NEAR(l[i], k[i], 3e-5);
    }
    machine_destroy(&m);
}

// Two thirds of a radian in a step.
static void build_fast_crank(machine *m) {
    build_crank(m);
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 40.0f, .max_force = 1e4f};
    tn_hinge_joint_set_motor(m->world, m->joint, motor);
}

static double get_widest_gap(const machine *m, int steps) {
    double widest = 0.0;
    for (int i = 0; i < steps; ++i) {
        step_on(m, 1);
        widest = fmax(widest, tn_world_get_telemetry(m->world).worst_joint_linear);
    }
    return widest;
}

Test(small_machine, turns_fast_with_joints_as_close_as_among_others) {
    machine small, one;
    machine_create(&small, build_fast_crank);
    machine_create(&one, build_fast_crank);
    add_company(&one);
    double gap = get_widest_gap(&small, 90), among_others = get_widest_gap(&one, 90);
    cr_expect(gap < 1.02 * among_others, "%g m, among others %g m", gap, among_others);
    machine_destroy(&small);
    machine_destroy(&one);
}

// ---- what it bears ----------------------------------------------------------------------------

static void build_hanging(machine *m) {
    tn_body_id body =
        add_link(m, 0.0, -1.0, 0.0, 3.0, (tn_mat3_symmetric){.xx = 0.1, .yy = 0.2, .zz = 0.3});
    tn_hinge_joint_def pin = make_hinge(m, world_body, body, 0.0, 0.0);
    m->joint = tn_hinge_joint_create(m->world, &pin);
}

Test(small_machine, at_rest_a_joint_bears_the_weight) {
    machine m;
    machine_create(&m, build_hanging);
    step_on(&m, 240);
    tn_reaction reaction = tn_joint_get_reaction(m.world, m.joint);
    cr_expect(fabsf(reaction.force.y - 3.0f * 9.81f) <= 1e-3f);
    cr_expect(fabsf(reaction.force.x - 0.0f) <= 1e-3f);
    cr_expect(tn_world_get_telemetry(m.world).worst_joint_linear < 1e-4);
    machine_destroy(&m);
}

// Work of the motor = kinetic energy of a wheel that it turns, without gravity: 0.5 I w^2.
static void build_wheel(machine *m) {
    tn_world_set_gravity(m->world, (tn_vec3){0.0f, 0.0f, 0.0f});
    tn_body_id wheel =
        add_link(m, 0.0, 0.0, 0.0, 2.0, (tn_mat3_symmetric){.xx = 0.4, .yy = 0.4, .zz = 0.5});
    tn_hinge_joint_def bearing = tn_hinge_joint_def_default();
    set_frames(m, &bearing.base, world_body, wheel, 0.0, 0.0, 0.0, (tn_dvec3){0.0, 0.0, 1.0});
    bearing.motor =
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 20.0f, .max_force = 10.0f};
    m->joint = tn_hinge_joint_create(m->world, &bearing);
}

Test(small_machine, a_motor_gives_what_the_wheel_has) {
    machine m;
    machine_create(&m, build_wheel);
    step_on(&m, 30); // half a second: w = 10 N m / 0.5 kg m^2 * 0.5 s
    double w = tn_body_get_velocity(m.world, m.bodies[0]).angular.z;
    cr_expect(fabs(w - 10.0) <= 1e-4);
    cr_expect(fabs(tn_joint_get_motor_work(m.world, m.joint) - 0.25 * w * w) <= 1e-3);
    cr_expect(fabsf(tn_joint_get_motor_effort(m.world, m.joint) - 10.0f) <= 1e-3f);
    step_on(&m, 90);
    cr_expect(fabs(tn_body_get_velocity(m.world, m.bodies[0]).angular.z - 20.0) <= 1e-4);
    machine_destroy(&m);
}

// ---- what it leaves to others -----------------------------------------------------------------

// Turns that are too large for the series, and tension that asks for inertia.
static void build_whirl(machine *m) {
    build_hanging(m);
    tn_body_set_velocity(m->world, m->bodies[0],
                         (tn_velocity){.linear = {900.0, 0.0, 0.0}, .angular = {0, 0, 900.0}});
}

static void build_strained(machine *m) {
    build_balls(m);
    tn_world_set_gravity(m->world, (tn_vec3){9.81f, 0.0f, 0.0f});
    tn_body_set_mass(m->world, m->bodies[2],
                     (tn_mass){.mass = 2000.0, .inertia = {.xx = 20.0, .yy = 20.0, .zz = 20.0}});
}

static double get_distance_of_twins(build_fn *build, int steps) {
    machine small, one;
    machine_create(&small, build);
    machine_create(&one, build);
    add_company(&one);
    step_on(&small, steps);
    step_on(&one, steps);
    double distance = get_distances(&small, &one);
    machine_destroy(&small);
    machine_destroy(&one);
    return distance;
}

// Nothing is left of the try.
Test(small_machine, what_it_leaves_at_once_goes_to_the_bit_as_among_others) {
    cr_expect(get_distance_of_twins(build_whirl, 20) == 0.0);
}

Test(small_machine, what_it_leaves_on_the_way_goes_on_as_among_others) {
    cr_expect(get_distance_of_twins(build_strained, 20) < 1e-3);
}

// What is small at first, then has a limit, a spring, damping, a lock, a contact, and then nothing.
Test(small_machine, what_changes_is_seen_in_the_next_step) {
    machine small, one;
    machine_create(&small, build_crank);
    machine_create(&one, build_crank);
    machine *both[2] = {&small, &one};
    add_company(&one);
    for (int step = 0; step < 80; ++step) {
        for (int i = 0; i < 2; ++i) {
            tn_world *world = both[i]->world;
            if (step == 10) {
                tn_hinge_joint_set_motor(world, both[i]->joint,
                                         (tn_motor){.mode = TN_MOTOR_MODE_SPEED,
                                                    .target_speed = -4.0f,
                                                    .max_force = 60.0f});
            } else if (step == 20 || step == 30) {
                tn_body_set_damping(world, both[i]->bodies[1], step == 20 ? 0.5f : 0.0f, 0.0f);
            } else if (step == 40) {
                tn_hinge_joint_set_limit(
                    world, both[i]->joint,
                    (tn_limit){.enabled = true, .lower = -30.0f, .upper = 30.0f});
            } else if (step == 50) {
                tn_hinge_joint_set_limit(world, both[i]->joint, (tn_limit){.enabled = false});
            } else if (step == 60) {
                tn_body_apply_torque(world, both[i]->bodies[0], (tn_vec3){0.0f, 0.0f, 5.0f});
            }
            step_on(both[i], 1);
        }
        cr_assert(get_distances(&small, &one) < 1e-4, "step %d", step);
    }
    machine_destroy(&small);
    machine_destroy(&one);
}

// A joint between a body and itself is refused, and two joints between the same two are not small.
static void build_double(machine *m) {
    build_hanging(m);
    tn_body_id second =
        add_link(m, 0.5, -1.0, 0.0, 1.0, (tn_mat3_symmetric){.xx = 0.1, .yy = 0.1, .zz = 0.1});
    tn_hinge_joint_def pins[2] = {make_hinge(m, m->bodies[0], second, 0.2, -1.0),
                                  make_hinge(m, m->bodies[0], second, 0.3, -1.0)};
    tn_hinge_joint_create(m->world, &pins[0]);
    tn_hinge_joint_create(m->world, &pins[1]);
}

Test(small_machine, two_joints_of_the_same_bodies_go_the_other_way) {
    machine m;
    machine_create(&m, build_double);
    step_on(&m, 60);
    cr_expect(tn_world_get_telemetry(m.world).worst_joint_linear < 1e-3);
    machine_destroy(&m);
}

Test(small_machine, what_is_not_finite_is_put_back_and_told) {
    machine m;
    machine_create(&m, build_hanging);
    step_on(&m, 5);
    tn_body_apply_force(m.world, m.bodies[0], (tn_vec3){3e38f, 3e38f, 0.0f});
    tn_body_apply_force(m.world, m.bodies[0], (tn_vec3){3e38f, 3e38f, 0.0f});
    tn_world_step(m.world, 1.0 / 60.0, 4);
    step_on(&m, 3);
    cr_expect(isfinite(tn_body_get_center(m.world, m.bodies[0]).x));
    cr_expect(m.reports.last == TN_RESULT_BODY_NOT_FINITE);
    tn_world_destroy(m.world);
}
