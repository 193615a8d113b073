// Tests of solver/joints/joint_machine.c: limits of machines against a motor on another joint,
// under sweeps and conjugate gradients.
#include "joint_world.h"
#include "tests/support/long_test.h"

typedef enum machine_way {
    MACHINE_HINGES, // a second hinge of the crank's own
    MACHINE_ROD,    // a rod to a slider
    MACHINE_LINK,   // a link to a slider, on two hinges
    MACHINE_GEARS,  // two gears
    MACHINE_WAYS
} machine_way;

typedef struct machine_case {
    machine_way way;
    tn_solver solver;
    float cap;
    double load, hz; // kg of what has the limit
    uint32_t substeps;
} machine_case;

typedef struct machine {
    tn_joint_id driver, end;
    bool slides;
} machine;

#define MACHINE_END   0.1f
#define MACHINE_SPEED 5.0f

static const tn_motor machine_off = {.mode = TN_MOTOR_MODE_OFF};
static const tn_limit machine_free = {.is_enabled = false};
static const tn_limit machine_ends = {
    .is_enabled = true, .lower = -MACHINE_END, .upper = MACHINE_END};

static tn_joint_id add_hinge(tn_world *world, tn_body_id a, tn_body_id b, tn_vec3 at,
                             tn_motor motor, tn_limit limit) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(world, &def.base, a, b, at, (tn_vec3){0.0, 0.0, 1.0});
    def.motor = motor;
    def.limit = limit;
    return tn_hinge_joint_create(world, &def);
}

static tn_joint_id add_slider(tn_world *world, tn_body_id block, tn_vec3 at) {
    tn_slider_joint_def def = tn_slider_joint_def_default();
    set_frames(world, &def.base, world_body, block, at, (tn_vec3){1.0, 0.0, 0.0});
    def.limit = machine_ends;
    return tn_slider_joint_create(world, &def);
}

static tn_joint_id add_gear(tn_world *world, tn_body_id from, double x, double y, double mass,
                            tn_limit limit, tn_body_id *out_wheel) {
    *out_wheel = body_make(world, x, y, 0, mass, 0.4 * mass);
    tn_gear_joint_def gear = tn_gear_joint_def_default();
    gear.base.body_a = from;
    gear.base.body_b = *out_wheel;
    gear.base.frame_a.rotation.y = gear.base.frame_b.rotation.y = -sqrt(0.5); // x along the axle
    gear.base.frame_a.rotation.w = gear.base.frame_b.rotation.w = sqrt(0.5);
    gear.ratio = 1.0;
    cr_assert(tn_gear_joint_create(world, &gear).value != 0);
    return add_hinge(world, world_body, *out_wheel, (tn_vec3){x, y, 0.0}, machine_off, limit);
}

// Its crank turns about (0, y).
static machine add_machine(tn_world *world, const machine_case *it, double y) {
    const tn_motor motor = {
        .mode = TN_MOTOR_MODE_SPEED, .target_speed = MACHINE_SPEED, .max_force = it->cap};
    const tn_vec3 axle = {0.0, y, 0.0}, pin = {0.0, y + 0.3, 0.0}, far = {1.2, y, 0.0};
    machine made = {.slides = it->way == MACHINE_ROD || it->way == MACHINE_LINK};
    tn_body_id crank = body_make(world, 0, y, 0, 10, 2), load = world_body;
    made.driver = add_hinge(world, world_body, crank, axle, motor, machine_free);
    if (it->way == MACHINE_HINGES) {
        made.end = add_hinge(world, world_body, crank, axle, machine_off, machine_ends);
        return made;
    }
    if (it->way == MACHINE_GEARS) {
        add_gear(world, crank, 1.0, y, 5.0, machine_free, &load);
        made.end = add_gear(world, load, 2.0, y, it->load, machine_ends, &load);
        return made;
    }
    load = body_make(world, 1.2, y, 0, it->load, 0.4 * it->load);
    if (it->way == MACHINE_ROD) {
        tn_distance_joint_def rod = tn_distance_joint_def_default();
        rod.base.body_a = crank;
        rod.base.body_b = load;
        rod.base.frame_a.position.y = 0.3;
        rod.length = (float)sqrt(1.2 * 1.2 + 0.3 * 0.3);
        tn_distance_joint_create(world, &rod);
    } else {
        tn_body_id link = body_make(world, 0.6, y + 0.15, 0, 1, 0.2);
        add_hinge(world, crank, link, pin, machine_off, machine_free);
        add_hinge(world, link, load, far, machine_off, machine_free);
    }
    made.end = add_slider(world, load, far);
    return made;
}

static double machine_passed(const tn_world *world, const machine *it) {
    double at = it->slides ? tn_slider_joint_get_translation(world, it->end)
                           : tn_hinge_joint_get_angle(world, it->end);
    return fabs(at) - (double)MACHINE_END;
}

static double machine_speed(const tn_world *world, const machine *it) {
    return (double)tn_hinge_joint_get_speed(world, it->driver);
}

// So many of them at once, 10 m apart.
static void check_machines(const machine_case *it, int count) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    tn_world_set_solver(world, it->solver);
    machine all[32];
    for (int i = 0; i < count; ++i) {
        all[i] = add_machine(world, it, 10.0 * i);
    }
    double passed = -1.0, most = 0.0;
    for (int k = 0; k < (int)(0.5 * it->hz); ++k) {
        cr_assert(tn_world_step(world, 1.0 / it->hz, it->substeps) == TN_RESULT_OK);
        for (int i = 0; i < count; ++i) {
            double now = machine_passed(world, &all[i]);
            passed = now > passed || isnan(now) ? now : passed;
            most = fmax(most, fabs((double)tn_joint_get_motor_effort(world, all[i].driver)));
        }
    }
    double at_end = fabs((double)tn_joint_get_motor_effort(world, all[0].driver));
    cr_assert(passed > -0.1 && passed < 1e-3, "way %d, solver %d, cap %g, %g kg, %g Hz: %g",
              (int)it->way, (int)it->solver, (double)it->cap, it->load, it->hz, passed);
    cr_assert(it->cap > 0.0f ? most < 1.001 * (double)it->cap : at_end < 5e4, "%g N m, %g", most,
              at_end);
    tn_world_destroy(world);
}

static machine_case machine_get_case(uint32_t i) {
    static const double rates[4] = {60.0, 60.0, 240.0, 30.0}, loads[3] = {5.0, 0.1, 100.0};
    static const uint32_t substeps[4] = {4, 1, 4, 1};
    static const float caps[3] = {0.0f, 1e6f, 50.0f};
    return (machine_case){.way = (machine_way)(i % MACHINE_WAYS),
                          .solver = i / 4 % 2 == 0 ? TN_SOLVER_PGS : TN_SOLVER_CG,
                          .cap = caps[i / 8 % 3],
                          .load = loads[i / 24 % 3],
                          .hz = rates[i / 72],
                          .substeps = substeps[i / 72]};
}

Test(driven_machines, an_end_holds_against_a_motor_elsewhere) {
    for (uint32_t i = 0; i < 288; ++i) {
        machine_case it = machine_get_case(i);
        check_machines(&it, 1);
    }
}

// Joints that are swept eight at a time.
LONG_TEST(driven_machines, ends_of_many_machines_hold_together) {
    for (uint32_t i = 0; i < 12; ++i) {
        machine_case it = machine_get_case(i % 4 + 24 * (i / 4));
        check_machines(&it, 32);
    }
}

// It stands at the end; told to turn back it does so at once.
Test(driven_machines, a_motor_that_has_yielded_turns_back_at_its_speed) {
    for (int i = 0; i < 8; ++i) {
        machine_case it = machine_get_case((uint32_t)i);
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_world_set_solver(world, it.solver);
        machine made = add_machine(world, &it, 0.0);
        for (int k = 0; k < 60; ++k) {
            tn_world_step(world, 1.0 / 60.0, 4);
        }
        double stands = machine_speed(world, &made);
        tn_motor back = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = -MACHINE_SPEED};
        tn_hinge_joint_set_motor(world, made.driver, back);
        tn_world_step(world, 1.0 / 60.0, 4);
        double speed = machine_speed(world, &made);
        cr_assert(fabs(stands) < 0.5, "case %d: %g rad/s", i, stands);
        cr_assert(fabs(speed + (double)MACHINE_SPEED) < 0.5, "case %d: %g rad/s", i, speed);
        tn_world_destroy(world);
    }
}

// Also in the step in which the end is met.
Test(driven_machines, a_motor_of_an_exact_machine_gives_no_more_than_its_cap) {
    static const float caps[3] = {50.0f, 1000.0f, 1e6f};
    for (uint32_t i = 0; i < 288; ++i) {
        machine_case it = machine_get_case(i);
        it.solver = i / 4 % 2 == 0 ? TN_SOLVER_AUTO : TN_SOLVER_DIRECT;
        it.cap = caps[i / 8 % 3];
        check_machines(&it, 1);
    }
}

static double get_works(const tn_energy *energy) {
    return energy->gravity_work + energy->motor_work + energy->spring_work + energy->force_work +
           energy->joint_work + energy->friction_work + energy->impact_work + energy->damping_work;
}

static tn_body_id add_falling_box(tn_world *world) {
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id floor = static_body_make(world, 100, 0, 0);
    tn_box_shape_create(world, floor, &shape, (tn_vec3){10.0, 0.5, 10.0});
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){100.0, 1.5, 0.0};
    def.velocity = (tn_velocity){{3.0, -2.0, 0.0}, {1.0, 2.0, 3.0}};
    tn_body_id box = tn_body_create(world, &def);
    tn_box_shape_create(world, box, &shape, (tn_vec3){0.4, 0.2, 0.3});
    return box;
}

// Where a box is that falls and tumbles far from the machine; with a ledger, that it closes.
static tn_vec3 watch_fall(const machine_case *it, bool has_machine, bool has_ledger) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = has_ledger;
    def.solver = it->solver;
    tn_world *world = tn_world_create(&def, NULL);
    if (has_machine) {
        add_machine(world, it, 0.0);
    }
    tn_body_id box = add_falling_box(world);
    double before = tn_world_get_energy(world).kinetic;
    for (int k = 0; k < (int)it->hz; ++k) {
        tn_world_step(world, 1.0 / it->hz, it->substeps);
        tn_energy energy = tn_world_get_energy(world);
        double missing = fabs(energy.kinetic - before - get_works(&energy));
        cr_assert(!has_ledger || missing < 1e-4 * fabs(energy.impact_work) + 1e-2,
                  "way %d, solver %d, %g x %u: %g of %g J", (int)it->way, (int)it->solver, it->hz,
                  it->substeps, missing, energy.impact_work);
    }
    tn_vec3 at = tn_body_get_center(world, box);
    tn_world_destroy(world);
    return at;
}

// The blow that a contact takes is over with its substep, whatever the joints do then.
Test(driven_machines, a_machine_changes_nothing_for_what_falls_elsewhere) {
    for (uint32_t i = 0; i < 288; i += 8) {
        for (uint32_t k = 0; k < 2; ++k) {
            machine_case it = machine_get_case(i + i / 8 % 4 + 4 * k);
            it.cap = 50.0f;
            tn_vec3 with = watch_fall(&it, true, false), without = watch_fall(&it, false, false);
            double off = hypot(hypot(with.x - without.x, with.y - without.y), with.z - without.z);
            cr_assert(off < 1e-9, "way %d, solver %d, %g x %u: %g m", (int)it.way, (int)it.solver,
                      it.hz, it.substeps, off);
        }
    }
}

Test(driven_machines, the_ledger_closes_beside_a_machine) {
    for (uint32_t i = 0; i < 288; i += 8) {
        for (uint32_t k = 0; k < 2; ++k) {
            machine_case it = machine_get_case(i + i / 8 % 4 + 4 * k);
            it.cap = 50.0f;
            watch_fall(&it, true, true);
        }
    }
}

// ---- hands -------------------------------------------------------------------------------------

// Four boxes in a row on swing-twist joints, whose limits bear what swings. Returns the first.
static tn_body_id add_limp_figure(tn_world *world) {
    tn_body_id first = {0}, last = {0};
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.group = -1;
    for (int i = 0; i < 4; ++i) {
        tn_body_def def = tn_body_def_default();
        def.pose.position.y = -0.4 * i;
        tn_body_id body = tn_body_create(world, &def);
        tn_box_shape_create(world, body, &shape, (tn_vec3){0.08, 0.18, 0.08});
        if (i == 0) {
            first = last = body;
            continue;
        }
        tn_swing_twist_joint_def joint = tn_swing_twist_joint_def_default();
        set_frames(world, &joint.base, last, body, (tn_vec3){0.0, 0.2 - 0.4 * i, 0.0},
                   (tn_vec3){0.0, -1.0, 0.0});
        joint.twist_limit = (tn_limit){.is_enabled = true, .lower = -0.3f, .upper = 0.3f};
        joint.swing_limit_y = joint.swing_limit_z =
            (tn_limit){.is_enabled = true, .lower = -0.4f, .upper = 0.4f};
        tn_swing_twist_joint_create(world, &joint);
        last = body;
    }
    return first;
}

// Returns how far a figure stays behind the hand that swings it to and fro, m.
static double carry_figure(tn_solver solver, int hz, uint32_t substeps) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    tn_world *world = tn_world_create(&def, NULL);
    tn_mouse_joint_def hand = tn_mouse_joint_def_default();
    hand.base.body_b = add_limp_figure(world);
    tn_joint_id held = tn_mouse_joint_create(world, &hand);
    double farthest = 0.0;
    for (int i = 0; i < 5 * hz; ++i) {
        double x = 0.8 * sin(3.14159265358979 * tn_world_get_time(world));
        tn_mouse_joint_set_target(world, held, (tn_vec3){x, 0.0, 0.0});
        tn_world_step(world, 1.0 / hz, substeps);
        farthest = fmax(farthest, tn_mouse_joint_get_distance(world, held));
    }
    tn_world_destroy(world);
    return farthest;
}

// Its joints' limits sink under what swings, and the hand does not let go for it.
Test(driven_machines, hand_carries_a_limp_figure) {
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT,
                                        TN_SOLVER_CG};
    static const int rates[][2] = {{60, 4}, {60, 1}, {30, 4}, {120, 4}};
    for (int i = 0; i < 16; ++i) {
        const int *rate = rates[i / 4];
        double behind = carry_figure(solvers[i % 4], rate[0], (uint32_t)rate[1]);
        cr_assert(behind < 0.3, "%g m behind by solver %d at %d x %d", behind, solvers[i % 4],
                  rate[0], rate[1]);
    }
}
