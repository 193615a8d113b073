// Hinges, fixed joints, sliders and limits in lanes: worlds of many joints move as worlds of few
// do, whose joints are swept one at a time.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <tenon/tenon.h>

#define MANY 12 // of each kind in a world of many joints

// An arm of two boxes that hangs on a frame; both joints are of one kind.
typedef enum arm_type {
    ARM_HINGE,
    ARM_BALL,
    ARM_WELD,
    ARM_SLIDER,
} arm_type;

typedef struct arm_kind {
    const char *name;
    arm_type type;
    float lower, upper; // rad: of a hinge, or the twist of a ball joint, where upper > lower
    float cone;         // rad, where > 0
    float tilt;         // rad, by which frame b is off at first, about z of the frames
    uint32_t locks;     // of the second box
    float break_torque; // N·m, where > 0
    bool is_on_world;   // it hangs on no body
} arm_kind;

static const arm_kind arm_kinds[] = {
    {.name = "hinge", .type = ARM_HINGE},
    {.name = "hinge that stops", .type = ARM_HINGE, .lower = -0.25f, .upper = 0.1f},
    {.name = "hinge that stops at once", .type = ARM_HINGE, .lower = 0.0f, .upper = 2.4f},
    {.name = "hinge at the far side of a turn", .type = ARM_HINGE, .lower = 6.0f, .upper = 6.2f},
    {.name = "hinge off by 115 degrees", .type = ARM_HINGE, .tilt = 2.0f},
    {.name = "hinge that cannot turn",
     .type = ARM_HINGE,
     .locks = TN_BODY_LOCK_ANGULAR_X | 16 | 32},
    {.name = "hinge that breaks", .type = ARM_HINGE, .break_torque = 0.3f},
    {.name = "ball with a cone", .type = ARM_BALL, .cone = 0.3f},
    {.name = "ball with all limits",
     .type = ARM_BALL,
     .lower = -0.05f,
     .upper = 0.1f,
     .cone = 0.4f},
    {.name = "weld", .type = ARM_WELD},
    {.name = "weld off by 45 degrees", .type = ARM_WELD, .tilt = 0.8f},
    {.name = "weld off by 145 degrees", .type = ARM_WELD, .tilt = 2.5f},
    {.name = "slider", .type = ARM_SLIDER},
    {.name = "slider off by 10 degrees", .type = ARM_SLIDER, .tilt = 0.17f},
    {.name = "slider of a box that cannot turn", .type = ARM_SLIDER, .locks = 8 | 16 | 32},
    {.name = "slider on the world", .type = ARM_SLIDER, .is_on_world = true},
    {.name = "hinge on the world", .type = ARM_HINGE, .is_on_world = true},
    {.name = "ball on the world", .type = ARM_BALL, .is_on_world = true},
    {.name = "weld of a locked box", .type = ARM_WELD, .locks = TN_BODY_LOCK_ANGULAR_Y},
};

#define KINDS (sizeof arm_kinds / sizeof arm_kinds[0])

typedef struct arms {
    tn_world *world;
    tn_joint_id joints[2 * MANY * KINDS];
    tn_body_id boxes[2 * MANY * KINDS];
    uint32_t count;
} arms;

static void arm_finish(const arm_kind *kind, tn_joint_def *base) {
    tn_quat q = base->frame_b.rotation;
    double half = 0.5 * (double)kind->tilt, s = sin(half), c = cos(half);
    base->frame_b.rotation =
        (tn_quat){q.x * c + q.y * s, q.y * c - q.x * s, q.z * c + q.w * s, q.w * c - q.z * s};
    if (kind->break_torque > 0.0f) {
        base->break_torque = kind->break_torque;
    }
}

static tn_joint_id arm_add_joint(tn_world *world, const arm_kind *kind, tn_body_id a, tn_body_id b,
                                 tn_vec3 at) {
    tn_limit limit = {
        .is_enabled = kind->upper > kind->lower, .lower = kind->lower, .upper = kind->upper};
    tn_vec3 axis = {0.3, 0.1, 1.0};
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_fixed_joint_def weld = tn_fixed_joint_def_default();
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    switch (kind->type) {
    case ARM_HINGE:
        cr_assert(tn_joint_def_set_frames(world, &hinge.base, a, b, at, axis));
        hinge.limit = limit;
        arm_finish(kind, &hinge.base);
        return tn_hinge_joint_create(world, &hinge);
    case ARM_BALL:
        cr_assert(tn_joint_def_set_frames(world, &ball.base, a, b, at, axis));
        ball.twist_limit = limit;
        ball.cone_limit = (tn_limit){.is_enabled = kind->cone > 0.0f, .upper = kind->cone};
        arm_finish(kind, &ball.base);
        return tn_ball_joint_create(world, &ball);
    case ARM_SLIDER:
        cr_assert(tn_joint_def_set_frames(world, &slider.base, a, b, at, axis));
        arm_finish(kind, &slider.base);
        return tn_slider_joint_create(world, &slider);
    default:
        cr_assert(tn_joint_def_set_frames(world, &weld.base, a, b, at, axis));
        arm_finish(kind, &weld.base);
        return tn_fixed_joint_create(world, &weld);
    }
}

static void arm_add(arms *s, const arm_kind *kind, double z) {
    tn_body_def frame = tn_body_def_default();
    frame.type = TN_BODY_TYPE_STATIC;
    frame.pose.position = (tn_vec3){0.0, 0.0, z};
    tn_body_id none = {0}, last = kind->is_on_world ? none : tn_body_create(s->world, &frame);
    tn_shape_def shape = tn_shape_def_default();
    shape.density = 500.0f;
    for (uint32_t k = 0; k < 2; ++k) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){0.15 + 0.4 * k, 0.1 * k, z};
        def.velocity.angular = (tn_vec3){1.0, 0.5 - (double)k, 0.0};
        def.locks = k == 1 ? kind->locks : 0;
        tn_body_id box = tn_body_create(s->world, &def);
        tn_box_shape_create(s->world, box, &shape, (tn_vec3){0.15, 0.05, 0.08});
        tn_vec3 at = {0.4 * k, 0.1 * k, z};
        s->boxes[s->count] = box;
        s->joints[s->count++] = arm_add_joint(s->world, kind, last, box, at);
        last = box;
    }
}

// `copies` of each kind from `first` on; a lone world of one kind has too few joints for groups.
static arms *arms_create(uint32_t first, uint32_t kinds, uint32_t copies, bool ledger) {
    arms *s = calloc(1, sizeof *s);
    cr_assert_not_null(s);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.joint_iterations = 3;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = ledger;
    s->world = tn_world_create(&def, NULL);
    for (uint32_t i = 0; i < copies; ++i) {
        for (uint32_t k = 0; k < kinds; ++k) {
            arm_add(s, &arm_kinds[first + k], 3.0 * (double)(i * KINDS + first + k));
        }
    }
    return s;
}

static void arms_destroy(arms *s) {
    tn_world_destroy(s->world);
    free(s);
}

static double arm_get_distance(tn_vec3 a, tn_vec3 b) {
    double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
    return sqrt(x * x + y * y + z * z);
}

// Box i of `many`, box k of `few`, of one kind.
static void assert_same(const arms *many, uint32_t i, const arms *few, uint32_t k,
                        const arm_kind *kind, int step) {
    tn_pose p = tn_body_get_pose(many->world, many->boxes[i]);
    tn_pose q = tn_body_get_pose(few->world, few->boxes[k]);
    double off = fmax(fabs(p.position.x - q.position.x), fabs(p.position.y - q.position.y));
    off = fmax(off, fabs(p.rotation.x - q.rotation.x));
    off = fmax(off, fabs(p.rotation.z - q.rotation.z));
    // What is turned back by much within a step, as by a radian or into a range that it begins
    // outside of, drives round-off up, and what the world then takes of the energy that this makes
    // (world/step/step_balance.c) again.
    bool is_violent = kind->tilt > 0.5f || kind->lower > 3.0f;
    cr_assert(off < (is_violent ? 0.02 : 3e-5), "%s %u, step %d: off by %g", kind->name, i, step,
              off);
    bool is_there = tn_joint_is_valid(many->world, many->joints[i]);
    cr_assert(is_there == tn_joint_is_valid(few->world, few->joints[k]), "%s", kind->name);
    if (!is_there || is_violent) {
        return;
    }
    tn_joint_error d = tn_joint_get_error(many->world, many->joints[i]);
    tn_joint_error e = tn_joint_get_error(few->world, few->joints[k]);
    cr_assert(fabs(d.linear_length - e.linear_length) < 3e-4 &&
                  fabs(d.angular_length - e.angular_length) < 3e-4,
              "%s %u, step %d", kind->name, i, step);
    tn_reaction r = tn_joint_get_reaction(many->world, many->joints[i]);
    tn_reaction t = tn_joint_get_reaction(few->world, few->joints[k]);
    double force = arm_get_distance(r.force, t.force), turn = arm_get_distance(r.torque, t.torque);
    double most = 1.0 + 1e-3 * arm_get_distance(t.force, (tn_vec3){0.0, 0.0, 0.0});
    cr_assert(force < 0.1 * most && turn < 0.1 * most, "%s %u, step %d: %g N, %g N·m", kind->name,
              i, step, force, turn);
}

static void compare_arms(bool ledger) {
    arms *many = arms_create(0, KINDS, MANY, ledger), *few[KINDS];
    for (uint32_t k = 0; k < KINDS; ++k) {
        few[k] = arms_create(k, 1, 1, ledger);
    }
    double linear = 0.0, angular = 0.0;
    for (int step = 0; step < 20; ++step) {
        tn_world_step(many->world, 1.0 / 60.0, 4);
        linear = angular = 0.0;
        for (uint32_t k = 0; k < KINDS; ++k) {
            tn_world_step(few[k]->world, 1.0 / 60.0, 4);
            tn_telemetry t = tn_world_get_telemetry(few[k]->world);
            linear = fmax(linear, t.worst_joint_linear);
            angular = fmax(angular, t.worst_joint_angular);
            for (uint32_t i = 0; i < 2 * MANY; ++i) {
                uint32_t box = 2 * (uint32_t)KINDS * (i / 2) + 2 * k + i % 2;
                assert_same(many, box, few[k], i % 2, &arm_kinds[k], step);
            }
        }
    }
    cr_assert(linear > 1e-7 && angular > 1e-4);
    double joint_work = 0.0;
    for (uint32_t k = 0; k < KINDS; ++k) {
        joint_work += ledger ? MANY * tn_world_get_energy(few[k]->world).joint_work : 0.0;
        arms_destroy(few[k]);
    }
    if (ledger) {
        double own = tn_world_get_energy(many->world).joint_work;
        cr_assert(fabs(joint_work) > 1.0 && fabs(own - joint_work) < 0.01 * fabs(joint_work),
                  "%g and %g J", own, joint_work);
    }
    arms_destroy(many);
}

Test(joint_angles, many_arms_move_as_few_do) {
    compare_arms(false);
}

Test(joint_angles, many_arms_have_the_ledger_of_few) {
    compare_arms(true);
}

// At 1,000 km, where a float tells no more than 6 cm. The world has one place for all its joints.
Test(joint_angles, joints_on_the_world_hold_far_from_the_origin) {
    double gaps[2] = {0.0, 0.0};
    for (int far = 0; far < 2; ++far) {
        tn_world_def def = tn_world_def_default();
        def.solver = TN_SOLVER_PGS;
        tn_world *world = tn_world_create(&def, NULL);
        for (uint32_t i = 0; i < 96; ++i) {
            tn_body_def body = tn_body_def_default();
            tn_shape_def shape = tn_shape_def_default();
            tn_vec3 at = {far * 1e6 + 3.0 * i, 0.0, 0.0};
            body.pose.position = (tn_vec3){at.x + 0.5, 0.0, 0.0};
            tn_body_id box = tn_body_create(world, &body);
            tn_box_shape_create(world, box, &shape, (tn_vec3){0.3, 0.1, 0.1});
            arm_add_joint(world, &arm_kinds[i % 2 == 0 ? 0 : KINDS - 2], (tn_body_id){0}, box, at);
        }
        for (int step = 0; step < 120; ++step) {
            tn_world_step(world, 1.0 / 60.0, 4);
            gaps[far] = fmax(gaps[far], tn_world_get_telemetry(world).worst_joint_linear);
        }
        tn_world_destroy(world);
    }
    cr_assert(gaps[0] > 1e-7 && gaps[1] < 1.01 * gaps[0] + 1e-7, "%g and %g m", gaps[0], gaps[1]);
}

// Swings that end within the limits and against them.
Test(joint_angles, limits_in_lanes_hold) {
    arms *s = arms_create(1, 2, 40, false);
    double most = 0.0, least = 0.0;
    for (int step = 0; step < 240; ++step) {
        tn_world_step(s->world, 1.0 / 60.0, 4);
        for (uint32_t i = 0; i < s->count; ++i) {
            double angle = tn_hinge_joint_get_angle(s->world, s->joints[i]);
            bool is_first = i % 4 < 2;
            least = fmin(least, angle - (is_first ? -0.25 : 0.0));
            most = fmax(most, angle - (is_first ? 0.1 : 2.4));
        }
    }
    cr_assert(least < 0.0 && least > -0.03 && most < 0.03, "%g and %g", least, most);
    arms_destroy(s);
}

// Boxes hang on joints to the world, in lanes: the i-th one (i + 0.5) 1.3 mm from `x`. Gives where
// they are from there after a second.
static void hang_boxes(double x, arm_type type, tn_vec3 places[100]) {
    tn_world_def world_def = tn_world_def_default();
    world_def.solver = TN_SOLVER_PGS;
    world_def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&world_def, NULL);
    tn_body_id boxes[100];
    const arm_kind arm = {.type = type};
    for (int i = 0; i < 100; ++i) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){x + 0.0013 * (i + 0.5), -0.4, 2.0 * i};
        tn_vec3 at = {def.pose.position.x, 0.0, def.pose.position.z};
        boxes[i] = tn_body_create(world, &def);
        tn_mass mass = {.mass = 2.0, .inertia = {.xx = 0.02, .yy = 0.02, .zz = 0.02}};
        tn_body_set_mass(world, boxes[i], mass);
        cr_assert(arm_add_joint(world, &arm, (tn_body_id){0}, boxes[i], at).value != 0);
    }
    for (int i = 0; i < 60; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    for (int i = 0; i < 100; ++i) {
        places[i] = tn_body_get_center(world, boxes[i]);
        places[i].x -= x + 0.0013 * (i + 0.5);
    }
    tn_world_destroy(world);
}

// 20 km off, where floats are 2 mm apart, they hang as near the origin.
Test(joint_angles, many_joints_on_the_world_hold_as_well_far_from_the_origin) {
    for (int type = ARM_HINGE; type <= ARM_WELD; ++type) {
        tn_vec3 near[100], far[100];
        hang_boxes(0.0, (arm_type)type, near);
        hang_boxes(20000.0, (arm_type)type, far);
        for (int i = 0; i < 100; ++i) {
            double off = hypot(far[i].x - near[i].x, far[i].y - near[i].y);
            cr_assert(off < 1e-6, "type %d, box %d: %g m", type, i, off);
        }
    }
}
