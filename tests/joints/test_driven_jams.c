// Tests of solver/joints/joint_machine.c and joint_press.c: motors in linkages that cannot move,
// under sweeps and conjugate gradients.
#include "joint_world.h"
#include "tests/support/long_test.h"

typedef enum jam_kind {
    JAM_ROD,    // a rod from the crank to the world
    JAM_TRUSS,  // three of them
    JAM_WELDS,  // the crank on the first of three welds, the last of which holds the world
    JAM_GEARS,  // two gears to a wheel that is welded to the world
    JAM_RACK,   // a rack that is welded to the world
    JAM_SLIDES, // the welds before a driven slider
    JAM_KINDS
} jam_kind;

typedef struct jam_case {
    jam_kind kind;
    tn_solver solver;
    bool is_stiff; // a drive to a position far away, else one to a speed
    double load, sign, hz;
    uint32_t substeps;
} jam_case;

typedef struct jam {
    tn_joint_id driver, joints[8];
    uint32_t count;
    tn_body_id crank;
} jam;

// rad/s or m/s.
#define JAM_SPEED 5.0f
// m and rad: what a joint may stand open by while a motor presses it, and s: after this time. What
// a drive throws about before it yields comes back until then.
#define JAM_OPEN   5e-3
#define JAM_TURNED 1.5e-2
#define JAM_TIME   0.35

static tn_motor jam_motor(const jam_case *it) {
    float sign = (float)it->sign;
    if (it->is_stiff) {
        return (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                          .target_position = sign,
                          .stiffness = 1e7f,
                          .damping = 1e5f};
    }
    return (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = sign * JAM_SPEED};
}

static void jam_add(jam *made, tn_joint_id joint) {
    cr_assert(joint.value != 0);
    made->joints[made->count++] = joint;
}

static void jam_add_weld(tn_world *world, jam *made, tn_body_id a, tn_body_id b, double x,
                         double y) {
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0}, (tn_vec3){1.0, 0.0, 0.0});
    jam_add(made, tn_fixed_joint_create(world, &def));
}

// From a point of the crank to one of the world.
static void jam_add_rod(tn_world *world, jam *made, tn_vec3 from, tn_vec3 to) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = made->crank;
    def.base.frame_a.position = from;
    def.base.frame_b.position = to;
    def.length = (float)hypot(to.x - from.x, to.y - from.y);
    jam_add(made, tn_distance_joint_create(world, &def));
}

static tn_body_id jam_add_gear(tn_world *world, jam *made, tn_body_id from, double x, double mass) {
    tn_body_id wheel = body_make(world, x, 0, 0, mass, 0.4 * mass);
    tn_gear_joint_def def = tn_gear_joint_def_default();
    def.base.body_a = from;
    def.base.body_b = wheel;
    def.base.frame_a.rotation.y = def.base.frame_b.rotation.y = -sqrt(0.5); // x along the axle
    def.base.frame_a.rotation.w = def.base.frame_b.rotation.w = sqrt(0.5);
    def.ratio = 1.0;
    jam_add(made, tn_gear_joint_create(world, &def));
    return wheel;
}

static void jam_add_rack(tn_world *world, jam *made, double mass) {
    tn_body_id rack = body_make(world, 0, 0.3, 0, mass, 0.4 * mass);
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    def.base.body_a = made->crank;
    def.base.body_b = rack;
    def.base.frame_a.rotation.y = -sqrt(0.5); // x along the axle
    def.base.frame_a.rotation.w = sqrt(0.5);
    def.radius = 0.3;
    jam_add(made, tn_rack_pinion_joint_create(world, &def));
    jam_add_weld(world, made, rack, world_body, 0.0, 0.3);
}

static void jam_add_welds(tn_world *world, jam *made, double mass) {
    tn_body_id near = body_make(world, 0.5, 0.5, 0, mass, 0.4 * mass);
    tn_body_id far = body_make(world, 1.0, 0, 0, mass, 0.4 * mass);
    jam_add_weld(world, made, made->crank, near, 0.25, 0.25);
    jam_add_weld(world, made, near, far, 0.75, 0.25);
    jam_add_weld(world, made, far, world_body, 1.0, 0.0);
}

static void jam_add_stop(tn_world *world, jam *made, const jam_case *it) {
    const tn_vec3 pin = {0.0, 0.3, 0.0};
    tn_body_id wheel = world_body;
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    switch (it->kind) {
    case JAM_TRUSS:
        jam_add_rod(world, made, pin, (tn_vec3){0.5, 1.0, 0.0});
        jam_add_rod(world, made, (tn_vec3){0.3, 0.0, 0.0}, (tn_vec3){0.5, 1.0, 0.0});
        jam_add_rod(world, made, pin, (tn_vec3){1.2, 0.1, 0.0});
        break;
    case JAM_ROD:
        jam_add_rod(world, made, pin, (tn_vec3){1.2, 0.1, 0.0});
        break;
    case JAM_GEARS:
        wheel = jam_add_gear(world, made, made->crank, 1.0, 5.0);
        set_frames(world, &hinge.base, world_body, wheel, (tn_vec3){1.0, 0.0, 0.0},
                   (tn_vec3){0.0, 0.0, 1.0});
        jam_add(made, tn_hinge_joint_create(world, &hinge));
        wheel = jam_add_gear(world, made, wheel, 2.0, it->load);
        jam_add_weld(world, made, wheel, world_body, 2.0, 0.0);
        break;
    case JAM_RACK:
        jam_add_rack(world, made, it->load);
        break;
    default:
        jam_add_welds(world, made, it->load);
        break;
    }
}

static jam jam_make(tn_world *world, const jam_case *it) {
    jam made = {.crank = body_make(world, 0, 0, 0, 10, 2)};
    if (it->kind == JAM_SLIDES) {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        set_frames(world, &def.base, world_body, made.crank, (tn_vec3){0.0, 0.0, 0.0},
                   (tn_vec3){1.0, 0.0, 0.0});
        def.motor = jam_motor(it);
        made.driver = tn_slider_joint_create(world, &def);
    } else {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        set_frames(world, &def.base, world_body, made.crank, (tn_vec3){0.0, 0.0, 0.0},
                   (tn_vec3){0.0, 0.0, 1.0});
        def.motor = jam_motor(it);
        made.driver = tn_hinge_joint_create(world, &def);
    }
    jam_add(&made, made.driver);
    jam_add_stop(world, &made, it);
    return made;
}

static jam_case jam_get_case(uint32_t i) {
    static const double rates[2] = {60.0, 240.0}, loads[2] = {5.0, 10.0};
    static const uint32_t substeps[2] = {4, 1};
    return (jam_case){.kind = (jam_kind)(i % JAM_KINDS),
                      .solver = i / JAM_KINDS % 2 == 0 ? TN_SOLVER_PGS : TN_SOLVER_CG,
                      .is_stiff = i / (2 * JAM_KINDS) % 2 == 1,
                      .sign = i / (4 * JAM_KINDS) % 2 == 0 ? 1.0 : -1.0,
                      .load = loads[i / (8 * JAM_KINDS) % 2],
                      .hz = rates[i / (16 * JAM_KINDS)],
                      .substeps = substeps[i / (16 * JAM_KINDS)]};
}
#define JAM_CASES (32 * JAM_KINDS)

static tn_world *jam_make_world(const jam_case *it) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    tn_world_set_solver(world, it->solver);
    return world;
}

static void jam_check(const tn_world *world, const jam *made, uint32_t i) {
    for (uint32_t k = 0; k < made->count; ++k) {
        tn_joint_error error = tn_joint_get_error(world, made->joints[k]);
        cr_assert(error.linear_length < JAM_OPEN && error.angular_length < JAM_TURNED,
                  "case %u, joint %u: open by %g m, %g rad", i, k, error.linear_length,
                  error.angular_length);
    }
}

LONG_TEST(driven_jams, a_motor_in_a_linkage_that_cannot_move_tears_nothing) {
    for (uint32_t i = 0; i < JAM_CASES; ++i) {
        jam_case it = jam_get_case(i);
        tn_world *world = jam_make_world(&it);
        jam made = jam_make(world, &it);
        for (int k = 0; k < (int)(2.0 * JAM_TIME * it.hz); ++k) {
            cr_assert(tn_world_step(world, 1.0 / it.hz, it.substeps) == TN_RESULT_OK);
            if (k > JAM_TIME * it.hz) {
                jam_check(world, &made, i);
            }
        }
        double effort = fabs((double)tn_joint_get_motor_effort(world, made.driver));
        cr_assert(effort < 2e4, "case %u: %g N m", i, effort);
        tn_world_destroy(world);
    }
}

static double jam_get_speed(const tn_world *world, const jam *made, const jam_case *it) {
    return it->kind == JAM_SLIDES ? (double)tn_slider_joint_get_speed(world, made->driver)
                                  : (double)tn_hinge_joint_get_speed(world, made->driver);
}

Test(driven_jams, a_motor_that_was_jammed_turns_again_when_its_linkage_is_loose) {
    for (uint32_t i = 0; i < JAM_CASES; ++i) {
        jam_case it = jam_get_case(i);
        if (it.is_stiff) {
            continue;
        }
        tn_world *world = jam_make_world(&it);
        jam made = jam_make(world, &it);
        for (int k = 0; k < (int)(JAM_TIME * it.hz); ++k) {
            tn_world_step(world, 1.0 / it.hz, it.substeps);
        }
        for (uint32_t k = 1; k < made.count; ++k) {
            tn_joint_destroy(world, made.joints[k]);
        }
        for (int k = 0; k < (int)(0.25 * it.hz); ++k) {
            tn_world_step(world, 1.0 / it.hz, it.substeps);
        }
        double speed = it.sign * jam_get_speed(world, &made, &it);
        cr_assert_float_eq(speed, (double)JAM_SPEED, 0.05, "case %u: %g", i, speed);
        tn_world_destroy(world);
    }
}

// Its joints carry forty times the weight of the arm's first half, at an arm of a metre.
Test(driven_jams, a_motor_lifts_what_hangs_on_a_light_arm) {
    static const double rates[][2] = {{60.0, 4.0}, {240.0, 1.0}, {60.0, 1.0}, {30.0, 1.0}};
    for (uint32_t i = 0; i < 16; ++i) {
        jam_case it = {.solver = i / 4 % 2 == 0 ? TN_SOLVER_PGS : TN_SOLVER_CG,
                       .hz = rates[i % 4][0],
                       .substeps = (uint32_t)rates[i % 4][1]};
        tn_world *world = jam_make_world(&it);
        tn_body_id arm = body_make(world, 0.5, 0, 0, 5, 0.5),
                   load = body_make(world, 1, 0, 0, 200, 8);
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        set_frames(world, &def.base, world_body, arm, (tn_vec3){0.0, 0.0, 0.0},
                   (tn_vec3){0.0, 0.0, 1.0});
        def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 0.5f};
        def.motor.max_force = i / 8 == 0 ? 0.0f : 5000.0f;
        tn_joint_id driver = tn_hinge_joint_create(world, &def);
        jam made = {.driver = driver};
        jam_add_weld(world, &made, arm, load, 1.0, 0.0);
        for (int k = 0; k < (int)it.hz; ++k) {
            tn_world_step(world, 1.0 / it.hz, it.substeps);
        }
        double angle = tn_hinge_joint_get_angle(world, driver);
        cr_assert_float_eq(angle, 0.5, 0.05, "case %u: %g rad", i, angle);
        tn_world_destroy(world);
    }
}
