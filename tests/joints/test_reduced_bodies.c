// Every type of joint on a body that is given by a coordinate, and on a stiff affine one on a
// hinge, beside a rigid one on a hinge.
#include "joint_world.h"
#include "tests/support/long_test.h"

TestSuite(reduced_bodies, .timeout = 60);

#define ARM 0.5 // m from the pivot, at the origin, to the arm's middle

static const tn_vec3 about_z = {0.0, 0.0, 1.0};

static void swing(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    double q = input->coordinates[0], w = input->speeds[0], s = sin(q), c = cos(q);
    tn_reduced_motion *arm = &out->bodies[0];
    arm->pose.position = (tn_vec3){ARM * s, -ARM * c, 0.0};
    arm->pose.rotation.z = sin(0.5 * q);
    arm->pose.rotation.w = cos(0.5 * q);
    arm->linear[0] = (tn_vec3){ARM * c, ARM * s, 0.0};
    arm->angular[0] = about_z;
    arm->acceleration = (tn_vec3){-ARM * s * w * w, ARM * c * w * w, 0.0};
}

typedef enum arm_kind {
    ARM_RIGID,
    ARM_REDUCED,
    ARM_AFFINE,
} arm_kind;

// An arm at an angle of 1 from hanging, given by that or on a hinge.
static tn_body_id make_arm(tn_world *world, arm_kind kind) {
    tn_body_id arm = body_make(world, ARM * sin(1.0), -ARM * cos(1.0), 0.0, 1.0, 0.1);
    tn_pose pose = tn_body_get_pose(world, arm);
    pose.rotation.z = sin(0.5);
    pose.rotation.w = cos(0.5);
    tn_body_set_pose(world, arm, pose);
    if (kind == ARM_REDUCED) {
        tn_reduced_def def = tn_reduced_def_default();
        def.body_count = 1;
        def.bodies[0] = arm;
        def.function = swing;
        def.coordinates[0] = 1.0;
        cr_assert(tn_reduced_create(world, &def).value != 0);
        return arm;
    }
    if (kind == ARM_AFFINE) {
        tn_affine_def def = tn_affine_def_default();
        def.body = arm;
        def.youngs_modulus = 1e12;
        def.volume = 1.0;
        cr_assert(tn_affine_create(world, &def).value != 0);
    }
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    set_frames(world, &def.base, (tn_body_id){0}, arm, (tn_vec3){0.0, 0.0, 0.0}, about_z);
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    return arm;
}

// Where the other body is after a while; the arm is body a or b of the joint.
static tn_pose swing_with(tn_joint_type type, arm_kind kind, bool is_a, double *out_error) {
    test_reports reports;
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, &reports);
    tn_body_id arm = make_arm(world, kind);
    tn_vec3 end = {2.0 * ARM * sin(1.0), -2.0 * ARM * cos(1.0), 0.0};
    tn_body_id bob = body_make(world, end.x + 0.2, end.y - 0.3, 0.1, 0.7, 0.05);
    tn_joint_id joint =
        joint_make(world, type, is_a ? arm : bob, is_a ? bob : arm, end, carrying_axis(type));
    cr_assert(joint.value != 0, "%d", type);
    for (int i = 0; i < 30; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 32) == TN_RESULT_OK);
    }
    cr_assert(reports.count == 0, "%d: %s", type, reports.function);
    tn_joint_error error = tn_joint_get_error(world, joint);
    *out_error = error.linear_length + error.angular_length;
    tn_pose pose = tn_body_get_pose(world, bob);
    tn_world_destroy(world);
    return pose;
}

// Not the mouse: its spring is of the mass it moves, which is that of a coordinate here and of a
// body there.
static const tn_joint_type others[] = {
    TN_JOINT_TYPE_GEAR, TN_JOINT_TYPE_RACK_PINION, TN_JOINT_TYPE_SCREW,     TN_JOINT_TYPE_PULLEY,
    TN_JOINT_TYPE_CAM,  TN_JOINT_TYPE_RATCHET,     TN_JOINT_TYPE_ESCAPEMENT};

// The rigid arm is solved exactly and the other swept: what they differ by is what a swept joint is
// off.
static void try_every_type(arm_kind kind, double tolerance) {
    int count = (int)JOINT_TYPES + (int)(sizeof others / sizeof *others);
    for (int t = 0; t < 2 * count; ++t) {
        int k = t / 2 - (int)JOINT_TYPES;
        tn_joint_type type = k >= 0 ? others[k] : (tn_joint_type)(t / 2);
        double error, exact_error;
        tn_pose p = swing_with(type, kind, t % 2 == 0, &error);
        tn_pose q = swing_with(type, ARM_RIGID, t % 2 == 0, &exact_error);
        double x = p.position.x - q.position.x, y = p.position.y - q.position.y;
        double off = sqrt(x * x + y * y) + fabs(p.position.z - q.position.z);
        double turned = fabs(p.rotation.z - q.rotation.z) + fabs(p.rotation.x - q.rotation.x);
        cr_assert(error < tolerance && exact_error < 1e-12, "%d: %g, %g", t, error, exact_error);
        cr_assert(off < tolerance && turned < tolerance, "%d: %g %g", t, off, turned);
    }
}

Test(reduced_bodies, bear_every_type_of_joint) {
    try_every_type(ARM_REDUCED, 1e-5);
}

// Its own hinge is swept too, and a joint and that hinge pull against each other.
LONG_TEST(reduced_bodies, affine_ones_bear_every_type_of_joint) {
    try_every_type(ARM_AFFINE, 1e-4);
}

// What the arm resists the length with changes as it turns, and with it the part of a stiff drive
// that is solved ahead.
static double pull_with_cap(arm_kind kind, tn_solver solver, uint32_t substeps) {
    const double cap = 300.0;
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    cr_assert(tn_world_set_solver(world, solver) == TN_RESULT_OK);
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = make_arm(world, kind);
    def.base.frame_a.position = (tn_vec3){1.0, 0.5, 0.0};
    def.base.frame_b.position.x = -0.3;
    def.is_rigid = false;
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                           .target_position = 0.2f,
                           .stiffness = 3000.0f,
                           .damping = 100.0f,
                           .max_force = (float)cap};
    tn_joint_id joint = tn_distance_joint_create(world, &def);
    cr_assert(joint.value != 0);
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        tn_world_step(world, 1.0 / 60.0, substeps);
        most = fmax(most, fabs((double)tn_joint_get_motor_effort(world, joint)));
        most = fmax(most, length_of(tn_joint_get_reaction(world, joint).force));
    }
    tn_world_destroy(world);
    return most / cap;
}

Test(reduced_bodies, no_drive_exceeds_its_cap_as_the_body_turns) {
    static const tn_solver solvers[4] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT,
                                         TN_SOLVER_CG};
    for (int i = 0; i < 24; ++i) {
        arm_kind kind = (arm_kind)(i / 8);
        uint32_t substeps = i % 2 == 0 ? 1 : 4;
        double most = pull_with_cap(kind, solvers[i / 2 % 4], substeps);
        cr_assert(most > 0.99 && most < 1.0001, "arm %d, solver %d, %u substeps: %g", (int)kind,
                  i / 2 % 4, substeps, most);
    }
}
