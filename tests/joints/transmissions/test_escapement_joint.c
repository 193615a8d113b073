// Graham's escapement against closed forms: the faces, the energy that a beat brings, the amplitude
// that this keeps up, the period; a thousand beats without a slip; what it does when it is held,
// hindered, or driven the other way.
#include "tests/support/long_test.h"
#include "transmission_world.h"

TestSuite(escapement_joint, .timeout = 60);

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_AUTO, TN_SOLVER_CG};
static const char *const names[] = {"PGS", "DIRECT", "AUTO", "CG"};

#define TEETH    30
#define LIFT     0.035
#define LOCK     0.009
#define DROP     0.026
#define HALF     (PI / TEETH) // rad of the wheel for each beat
#define TORQUE   2.4e-3       // N·m at the wheel
#define WHEEL    2e-5         // kg·m^2
#define BOB      1.0          // kg
#define LENGTH   0.25         // m
#define FRICTION 4e-3         // N·m·s/rad at the pendulum's hinge

static const tn_vec3 above = {0.0, 0.0, 0.0};
static const tn_vec3 below = {0.0, -0.08, 0.0};

typedef struct clock_rig {
    tn_world *world;
    tn_body_id wheel, anchor;
    tn_joint_id wheel_hinge, anchor_hinge, joint;
    double torque; // N·m on the wheel
} clock_rig;

static tn_body_id add_anchor(tn_world *world, bool is_driven, double angle) {
    tn_body_def def = tn_body_def_default();
    def.type = is_driven ? TN_BODY_TYPE_KINEMATIC : TN_BODY_TYPE_DYNAMIC;
    def.pose.rotation.z = sin(0.5 * angle);
    def.pose.rotation.w = cos(0.5 * angle);
    def.has_mass = true;
    def.mass.mass = BOB;
    def.mass.center.y = is_driven ? 0.0 : -LENGTH;
    def.mass.inertia.xx = def.mass.inertia.yy = def.mass.inertia.zz = 1e-4;
    return tn_body_create(world, &def);
}

// A wheel below the anchor, with a pendulum on the anchor; or an anchor that moves as it is told.
static clock_rig make_rig(tn_solver solver, int32_t direction, bool is_driven, double angle) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, -9.81, 0.0};
    def.is_sleep_allowed = false;
    def.solver = solver;
    clock_rig rig = {.world = tn_world_create(&def, NULL)};
    rig.wheel = body_make(rig.world, below.x, below.y, below.z, 0.01, WHEEL);
    rig.anchor = add_anchor(rig.world, is_driven, angle);
    rig.wheel_hinge =
        joint_make(rig.world, TN_JOINT_TYPE_HINGE, world_body, rig.wheel, below, along_z);
    if (!is_driven) {
        rig.anchor_hinge =
            joint_make(rig.world, TN_JOINT_TYPE_HINGE, world_body, rig.anchor, above, along_z);
    }
    tn_escapement_joint_def joint = tn_escapement_joint_def_default();
    joint.base.body_a = rig.wheel;
    joint.base.body_b = rig.anchor;
    joint.base.frame_a = wheel_frame(rig.world, rig.wheel, below, along_z);
    // x along z and y down.
    joint.base.frame_b.rotation.x = joint.base.frame_b.rotation.z = sqrt(0.5);
    joint.base.frame_b.rotation.w = 0.0;
    joint.teeth = TEETH;
    joint.direction = direction;
    joint.lift_angle = LIFT;
    joint.lock_angle = LOCK;
    joint.drop_angle = DROP;
    rig.joint = tn_escapement_joint_create(rig.world, &joint);
    cr_assert(rig.joint.value != 0);
    return rig;
}

// With its torque on the wheel.
static void go(const clock_rig *rig, double time, double rate) {
    uint32_t steps = (uint32_t)floor(time * rate + 0.5);
    for (uint32_t i = 0; i < steps; ++i) {
        tn_body_apply_torque(rig->world, rig->wheel, (tn_vec3){0.0, 0.0, rig->torque});
        cr_assert(tn_world_step(rig->world, 1.0 / rate, 4) == TN_RESULT_OK);
    }
}

static int64_t get_beats(const clock_rig *rig) {
    return tn_escapement_joint_get_beats(rig->world, rig->joint);
}

static double get_angle(const clock_rig *rig) {
    return tn_escapement_joint_get_angle(rig->world, rig->joint);
}

// All turns that the wheel made, from where a tooth was at a dead face.
static double get_way(const clock_rig *rig, double *turned) {
    double now = tn_hinge_joint_get_angle(rig->world, rig->wheel_hinge);
    *turned += remainder(now - *turned, 2.0 * PI);
    return *turned;
}

// ---- the faces ---------------------------------------------------------------------------------

// How far the wheel may go at an anchor's angle to the side of the pallet that holds.
static double get_limit(double x) {
    double edge = 0.5 * (LIFT - LOCK);
    return x >= edge ? 0.0 : (HALF - DROP) * (edge - x) / LIFT;
}

// An anchor that is led slowly to and fro: the wheel follows the impulse face, drops where it ends,
// and stands on the other pallet.
Test(escapement_joint, lets_the_wheel_go_as_its_faces_say) {
    for (int s = 0; s < 4; ++s) {
        for (int32_t direction = -1; direction <= 1; direction += 2) {
            clock_rig rig = make_rig(solvers[s], direction, true, 0.06);
            rig.torque = direction * TORQUE;
            double turned = 0.0, amplitude = 0.06, side = 1.0;
            for (int64_t beat = 0; beat < 6; ++beat, side = -side) {
                double speed = -side * 0.1;
                tn_body_set_angular_velocity(rig.world, rig.anchor, (tn_vec3){0.0, 0.0, speed});
                for (int i = 0; i < 288; ++i) { // 1.2 s for 0.12 rad
                    go(&rig, 1.0 / 240.0, 240.0);
                    double x = side * get_angle(&rig), way = direction * get_way(&rig, &turned);
                    if (x > -0.5 * (LIFT + LOCK) + 1e-3) {
                        double wanted = (double)beat * HALF + get_limit(x);
                        cr_expect_float_eq(way, wanted, 1e-3, "%s beat %d, x %g: %g for %g",
                                           names[s], (int)beat, x, way, wanted);
                        cr_expect_eq(get_beats(&rig), beat);
                    } else if (x < -0.5 * (LIFT + LOCK) - 0.01) {
                        cr_expect_float_eq(way, (double)(beat + 1) * HALF, 1e-4, "%s: %g", names[s],
                                           way);
                        cr_expect_eq(get_beats(&rig), beat + 1);
                    }
                }
                cr_expect_float_eq(get_angle(&rig), -side * amplitude, 1e-3);
            }
            tn_world_destroy(rig.world);
        }
    }
}

// It stands as long as the anchor does, and where it stands.
Test(escapement_joint, holds_the_wheel_while_the_anchor_stands) {
    for (int s = 0; s < 2; ++s) {
        clock_rig rig = make_rig(solvers[s], 1, true, -0.06);
        rig.torque = TORQUE;
        int64_t beats = get_beats(&rig);
        go(&rig, 1.0, 60.0);
        double turned = 0.0, first = get_way(&rig, &turned);
        go(&rig, 60.0, 60.0);
        cr_expect_float_eq(get_way(&rig, &turned), first, 1e-9, "%s", names[s]);
        cr_expect_float_eq(first, 0.0, 1e-3, "%s: %g", names[s], first);
        cr_expect_eq(get_beats(&rig), beats);
        tn_world_destroy(rig.world);
    }
}

// An anchor that turns round in the middle of the impulse pushes the wheel back, and the same tooth
// is on the same pallet.
Test(escapement_joint, takes_back_a_beat_that_was_not_finished) {
    for (int s = 0; s < 2; ++s) {
        clock_rig rig = make_rig(solvers[s], 1, true, 0.02);
        rig.torque = TORQUE;
        double turned = 0.0;
        for (int k = 0; k < 10; ++k) {
            float speed = k % 2 == 0 ? -0.02f : 0.02f; // to 0 and back
            tn_body_set_angular_velocity(rig.world, rig.anchor, (tn_vec3){0.0, 0.0, (double)speed});
            go(&rig, 1.0, 240.0);
            double wanted = get_limit(k % 2 == 0 ? 0.0 : 0.02);
            cr_expect_float_eq(get_way(&rig, &turned), wanted, 1e-3, "%s %d", names[s], k);
        }
        cr_expect_eq(get_beats(&rig), 0);
        tn_world_destroy(rig.world);
    }
}

// ---- a clock -----------------------------------------------------------------------------------

static double get_inertia(void) {
    return 1e-4 + BOB * LENGTH * LENGTH;
}

static double get_frequency(void) {
    return sqrt(BOB * 9.81 * LENGTH / get_inertia());
}

// The amplitude that the pendulum's energy now is that of.
static double get_amplitude(const clock_rig *rig) {
    double speed = tn_escapement_joint_get_speed(rig->world, rig->joint) / get_frequency();
    double sine = sin(0.5 * get_angle(rig));
    return 2.0 * asin(sqrt(0.25 * speed * speed + sine * sine));
}

// With pi c w A^2 / 2 lost in each swing and TORQUE times the wheel's push gained.
static double get_steady_amplitude(void) {
    return sqrt(2.0 * TORQUE * (HALF - DROP) / (PI * FRICTION * get_frequency()));
}

// Away from the impulse the pendulum swings free: nothing is taken from it on the dead face.
Test(escapement_joint, leaves_the_pendulum_alone_on_the_dead_face) {
    clock_rig rig = make_rig(TN_SOLVER_DIRECT, 1, false, 0.1);
    rig.torque = TORQUE;
    for (int i = 0; get_angle(&rig) > 0.02 && i < 240; ++i) {
        go(&rig, 1.0 / 240.0, 240.0);
        cr_expect_float_eq(get_amplitude(&rig), 0.1, 1e-6);
    }
    cr_expect_eq(get_beats(&rig), 0);
    tn_world_destroy(rig.world);
}

typedef struct clock_record {
    double period, amplitude; // means after the first hundred beats
    int64_t beats, slips;
} clock_record;

// Passages of zero, upward, of the anchor's angle; each is two beats.
static clock_record keep_time(const clock_rig *rig, int64_t beats, double rate) {
    clock_record record = {0.0, 0.0, 0, 0};
    double before = get_angle(rig), first = 0.0, last = 0.0, turned = 0.0;
    int64_t passages = 0, start = get_beats(rig);
    uint64_t samples = 0;
    while (record.beats < beats && tn_world_get_time(rig->world) < (double)beats) {
        go(rig, 1.0 / rate, rate);
        double now = get_angle(rig), way = get_way(rig, &turned);
        record.beats = get_beats(rig) - start;
        // A beat behind or ahead of its wheel.
        record.slips += fabs(way - (double)record.beats * HALF) > HALF ? 1 : 0;
        if (before < 0.0 && now >= 0.0) {
            last = tn_world_get_time(rig->world) - now / (now - before) / rate;
            passages += record.beats >= 100 ? 1 : 0;
            first = passages == 1 ? last : first;
        }
        if (record.beats >= 100 && fabs(now) > 0.03) {
            record.amplitude += get_amplitude(rig);
            samples += 1;
        }
        before = now;
    }
    record.period = (last - first) / (double)(passages - 1);
    record.amplitude /= (double)samples;
    return record;
}

// By how much an impulse that is not evenly about the middle makes the period longer: a push f over
// the inertia at the angle x delays the swing by f x dx / (A^3 w^2) rad (G. B. Airy, 1827).
static double get_delay(double amplitude) {
    double w = get_frequency(), push = TORQUE * (HALF - DROP) / LIFT / get_inertia();
    double begin = 0.5 * (LIFT - LOCK), end = 0.5 * (LIFT + LOCK);
    return push * 0.5 * (end * end - begin * begin) / (pow(amplitude, 3.0) * w * w * PI);
}

// From the amplitude that it will keep up: a thousand ticks, each on its tooth.
static void check_clock(int s) {
    clock_rig rig = make_rig(solvers[s], 1, false, get_steady_amplitude());
    rig.torque = TORQUE;
    tn_hinge_joint_set_viscous_friction(rig.world, rig.anchor_hinge, (float)FRICTION);
    clock_record record = keep_time(&rig, 1000, 60.0);
    double wanted =
        pendulum_period(get_frequency(), record.amplitude) * (1.0 + get_delay(record.amplitude));
    cr_expect_eq(record.beats, 1000, "%s: %d", names[s], (int)record.beats);
    cr_expect_eq(record.slips, 0, "%s", names[s]);
    // On the impulse face the wheel swings, too: 1e-4 kg·m^2 of 0.063 for a tenth of the time.
    cr_expect_float_eq(record.period, wanted, 2e-4 * wanted, "%s: %.6f for %.6f", names[s],
                       record.period, wanted);
    cr_expect_float_eq(record.amplitude, get_steady_amplitude(), 0.1 * get_steady_amplitude(),
                       "%s: %g for %g", names[s], record.amplitude, get_steady_amplitude());
    tn_world_destroy(rig.world);
}

Test(escapement_joint, counts_a_thousand_beats_without_a_slip_by_sweeps) {
    check_clock(0);
}

LONG_TEST(escapement_joint, counts_a_thousand_beats_without_a_slip_exactly_solved) {
    check_clock(1);
}

// What is too weak stops: then the wheel stands, and nothing is counted any more.
Test(escapement_joint, stops_with_a_weight_that_is_too_light) {
    clock_rig rig = make_rig(TN_SOLVER_DIRECT, 1, false, 0.05);
    rig.torque = 0.05 * TORQUE;
    tn_hinge_joint_set_viscous_friction(rig.world, rig.anchor_hinge, (float)FRICTION);
    go(&rig, 400.0, 60.0);
    int64_t beats = get_beats(&rig);
    double turned = 0.0, way = get_way(&rig, &turned);
    cr_expect(beats > 5 && beats < 200, "%d", (int)beats);
    go(&rig, 60.0, 60.0);
    cr_expect_eq(get_beats(&rig), beats);
    cr_expect_float_eq(get_way(&rig, &turned), way, 1e-3);
    tn_world_destroy(rig.world);
}

// Nine clocks in a world, each with a pendulum of its own: the same bits on four workers as on one.
LONG_TEST(escapement_joint, ticks_alike_on_any_number_of_workers) {
    for (int s = 0; s < 4; ++s) {
        uint64_t hashes[2];
        for (uint32_t workers = 0; workers < 2; ++workers) {
            tn_world_def def = tn_world_def_default();
            def.gravity = (tn_vec3){0.0, -9.81, 0.0};
            def.solver = solvers[s];
            def.worker_count = 1 + 3 * workers;
            tn_world *world = tn_world_create(&def, NULL);
            tn_body_id wheels[9];
            tn_joint_id clocks[9];
            for (int i = 0; i < 9; ++i) {
                tn_vec3 at = {2.0 * i, 0.0, 0.0}, under = {2.0 * i, below.y, 0.0};
                tn_body_id anchor = add_anchor(world, false, 0.06 + 0.005 * i);
                tn_pose pose = tn_body_get_pose(world, anchor);
                pose.position = at;
                tn_body_set_pose(world, anchor, pose);
                joint_make(world, TN_JOINT_TYPE_HINGE, world_body, anchor, at, along_z);
                wheels[i] = wheel_make(world, world_body, under, along_z, 0.01, WHEEL);
                tn_escapement_joint_def joint = tn_escapement_joint_def_default();
                joint.base.body_a = wheels[i];
                joint.base.body_b = anchor;
                joint.base.frame_a = wheel_frame(world, wheels[i], under, along_z);
                joint.base.frame_b.rotation.x = joint.base.frame_b.rotation.z = sqrt(0.5);
                joint.base.frame_b.rotation.w = 0.0;
                clocks[i] = tn_escapement_joint_create(world, &joint);
                cr_assert(clocks[i].value != 0);
            }
            for (int k = 0; k < 600; ++k) {
                for (int i = 0; i < 9; ++i) {
                    tn_body_apply_torque(world, wheels[i], (tn_vec3){0.0, 0.0, TORQUE});
                }
                cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
            }
            for (int i = 0; i < 9; ++i) { // in ten seconds of 1.004 s to two beats
                int64_t beats = tn_escapement_joint_get_beats(world, clocks[i]);
                cr_expect(beats >= 19 && beats <= 20, "%s: %d", names[s], (int)beats);
            }
            hashes[workers] = tn_world_get_hash(world);
            tn_world_destroy(world);
        }
        cr_expect_eq(hashes[0], hashes[1], "%s", names[s]);
    }
}
