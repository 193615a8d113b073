// Memory that cannot be had: the n-th allocation of a script fails, for every n. Whatever was
// refused, the world stays valid: it goes on, and gives back every byte at its end.
#include <stdlib.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

TestSuite(oom, .timeout = 120);

// Fails the allocation number `fail_at`, and all later ones when it fails for good.
typedef struct failing_memory {
    uint64_t count, fail_at;
    bool fails_for_good;
    int64_t blocks, bytes;
} failing_memory;

static void *failing_alloc(size_t size, size_t alignment, void *user_data) {
    failing_memory *memory = user_data;
    memory->count += 1;
    bool fails = memory->count == memory->fail_at ||
                 (memory->fails_for_good && memory->count > memory->fail_at);
    if (fails) {
        return NULL;
    }
    memory->blocks += 1;
    memory->bytes += (int64_t)size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void failing_free(void *block, size_t size, void *user_data) {
    failing_memory *memory = user_data;
    memory->blocks -= 1;
    memory->bytes -= (int64_t)size;
    free(block);
}

static void check_report(const tn_report *report, void *user_data) {
    (void)user_data;
    // What a null handle leads to is refused; nothing else is wrong in the script.
    cr_assert(report->result == TN_RESULT_OUT_OF_MEMORY || report->result == TN_RESULT_INVALID_ID ||
                  report->result == TN_RESULT_SAME_BODY ||
                  report->result == TN_RESULT_NO_DYNAMIC_BODY,
              "%s: %s", report->function, report->message);
}

// Everything that is listed exists, and hangs on bodies that exist.
static void check_lists(const tn_world *world) {
    tn_body_id bodies[64];
    tn_contact_id contacts[256];
    tn_joint_id joints[16];
    uint32_t body_count = tn_world_get_bodies(world, bodies, 64);
    uint32_t contact_count = tn_world_get_contacts(world, contacts, 256);
    uint32_t joint_count = tn_world_get_joints(world, joints, 16);
    cr_assert(body_count <= 64 && contact_count <= 256 && joint_count <= 16);
    uint32_t contact_ends = 0, joint_ends = 0;
    for (uint32_t i = 0; i < body_count; ++i) {
        contact_ends += tn_body_get_contacts(world, bodies[i], NULL, 0);
        joint_ends += tn_body_get_joints(world, bodies[i], NULL, 0);
    }
    cr_assert(contact_ends == 2 * contact_count);
    // One end of each joint may be the world.
    cr_assert(joint_ends >= joint_count && joint_ends <= 2 * joint_count);
    for (uint32_t i = 0; i < contact_count; ++i) {
        tn_contact contact = tn_contact_get(world, contacts[i]);
        cr_assert(tn_shape_is_valid(world, contact.shape_a));
        cr_assert(tn_shape_is_valid(world, contact.shape_b));
    }
}

// ---- the script -------------------------------------------------------------------------------

static tn_body_id make_body(tn_world *world, tn_body_type type, double x, double y) {
    tn_body_def def = tn_body_def_default();
    def.type = type;
    def.pose.position = (tn_vec3){x, y, 0.0};
    return tn_body_create(world, &def);
}

static void make_shapes(tn_world *world, tn_body_id *bodies) {
    tn_shape_def def = tn_shape_def_default();
    tn_vec3 points[8];
    for (int i = 0; i < 8; ++i) {
        points[i] = (tn_vec3){i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, i & 4 ? 0.4 : -0.4};
    }
    tn_hull *hull = hull_make(points, 8);
    bodies[0] = make_body(world, TN_BODY_TYPE_STATIC, 0.0, 0.0);
    tn_half_space_shape_create(world, bodies[0], &def);
    bodies[1] = make_body(world, TN_BODY_TYPE_STATIC, 0.0, 0.2);
    tn_box_shape_create(world, bodies[1], &def, (tn_vec3){3.0, 0.2, 1.0});
    for (int i = 2; i < 14; ++i) {
        bodies[i] = make_body(world, TN_BODY_TYPE_DYNAMIC, 0.7 * (i % 4), 0.9 + 0.85 * (i / 4));
        switch (i % 4) {
        case 0:
            tn_sphere_shape_create(world, bodies[i], &def, 0.4f);
            break;
        case 1:
            tn_box_shape_create(world, bodies[i], &def, (tn_vec3){0.4, 0.4, 0.4});
            break;
        case 2:
            tn_capsule_shape_create(world, bodies[i], &def, 0.2f, 0.3f);
            break;
        default:
            tn_hull_shape_create(world, bodies[i], &def, hull);
            break;
        }
    }
    tn_hull_release(hull);
}

static void make_joints(tn_world *world, const tn_body_id *bodies) {
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    ball.base.body_a = bodies[2];
    ball.base.body_b = bodies[3];
    tn_ball_joint_create(world, &ball);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    hinge.base.body_b = bodies[4];
    tn_hinge_joint_create(world, &hinge);
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    slider.base.body_a = bodies[5];
    slider.base.body_b = bodies[6];
    tn_slider_joint_create(world, &slider);
    tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
    fixed.base.body_a = bodies[7];
    fixed.base.body_b = bodies[8];
    tn_fixed_joint_create(world, &fixed);
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    rod.base.body_a = bodies[9];
    rod.base.body_b = bodies[10];
    tn_distance_joint_create(world, &rod);
    const tn_vec3 points[3] = {{0.0, 3.0, 0.0}, {1.0, 2.5, 0.0}, {2.0, 3.0, 0.0}};
    const double times[3] = {0.0, 1.0, 2.0};
    tn_curve_joint_def curve = tn_curve_joint_def_default();
    curve.base.body_b = bodies[11];
    curve.points = points;
    curve.point_count = 3;
    tn_curve_joint_create(world, &curve);
    tn_motion_path_joint_def path = tn_motion_path_joint_def_default();
    path.base.body_b = bodies[12];
    path.points = points;
    path.times = times;
    path.point_count = 3;
    tn_motion_path_joint_create(world, &path);
}

// Hangs in the air where nothing touches it: what the direct solver works on.
static void make_machine(tn_world *world) {
    tn_body_id before = {0};
    for (int i = 0; i < 4; ++i) {
        tn_body_id body = make_body(world, TN_BODY_TYPE_DYNAMIC, 100.5 + i, 50.0);
        tn_mass mass = {.mass = 1.0, .inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.1}};
        tn_body_set_mass(world, body, mass);
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &hinge.base, before, body, (tn_vec3){100.0 + i, 50.0, 0.0},
                                (tn_vec3){0.0, 0.0, 1.0});
        tn_hinge_joint_create(world, &hinge);
        before = body;
    }
}

static void step_and_check(tn_world *world, int count) {
    for (int i = 0; i < count; ++i) {
        double before = tn_world_get_time(world);
        tn_result result = tn_world_step(world, 1.0 / 60.0, 2);
        cr_assert(result == TN_RESULT_OK || result == TN_RESULT_OUT_OF_MEMORY);
        cr_assert((tn_world_get_time(world) > before) == (result == TN_RESULT_OK));
        check_lists(world);
    }
}

static void run_script(tn_world *world) {
    tn_body_id bodies[14];
    make_shapes(world, bodies);
    make_joints(world, bodies);
    make_machine(world);
    step_and_check(world, 3);
    tn_body_set_type(world, bodies[1], TN_BODY_TYPE_KINEMATIC);
    tn_body_set_type(world, bodies[11], TN_BODY_TYPE_STATIC);
    tn_body_set_enabled(world, bodies[12], false);
    tn_draw draw;
    tn_world_draw(world, NULL, &draw);
    step_and_check(world, 2);
    tn_body_set_enabled(world, bodies[12], true);
    tn_body_set_type(world, bodies[11], TN_BODY_TYPE_DYNAMIC);
    tn_body_destroy(world, bodies[3]);
    tn_body_destroy(world, bodies[7]);
    step_and_check(world, 3);
}

// Returns false when the script ended before the allocation that was to fail.
static bool run_with(failing_memory *memory, tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.alloc = failing_alloc;
    def.free = failing_free;
    def.memory_user_data = memory;
    def.report = check_report;
    tn_result result;
    tn_world *world = tn_world_create(&def, &result);
    if (!world) {
        cr_assert(result == TN_RESULT_OUT_OF_MEMORY && memory->blocks == 0);
        return true;
    }
    run_script(world);
    bool was_reached = memory->count >= memory->fail_at;
    // With memory again, all goes on.
    memory->fail_at = UINT64_MAX;
    check_lists(world);
    for (int i = 0; i < 3; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 2) == TN_RESULT_OK);
    }
    make_body(world, TN_BODY_TYPE_DYNAMIC, 0.0, 9.0);
    check_lists(world);
    tn_world_destroy(world);
    cr_assert(memory->blocks == 0 && memory->bytes == 0);
    return was_reached;
}

static uint64_t run_for_all(bool fails_for_good, tn_solver solver) {
    for (uint64_t n = 1;; ++n) {
        failing_memory memory = {.fail_at = n, .fails_for_good = fails_for_good};
        if (!run_with(&memory, solver)) {
            return n - 1;
        }
    }
}

Test(oom, one_failed_allocation_leaves_a_valid_world) {
    cr_assert(run_for_all(false, TN_SOLVER_PGS) > 100);
}

Test(oom, memory_that_is_gone_for_good_leaves_a_valid_world) {
    cr_assert(run_for_all(true, TN_SOLVER_PGS) > 100);
}

Test(oom, the_choice_of_a_solver_leaves_a_valid_world) {
    cr_assert(run_for_all(false, TN_SOLVER_AUTO) > 100);
    cr_assert(run_for_all(true, TN_SOLVER_AUTO) > 100);
}

Test(oom, the_direct_solver_leaves_a_valid_world_too) {
    cr_assert(run_for_all(false, TN_SOLVER_DIRECT) > 100);
    cr_assert(run_for_all(true, TN_SOLVER_DIRECT) > 100);
}
