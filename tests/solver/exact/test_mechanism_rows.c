// Room for the rows of a mechanism's joints.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/exact/mechanism.h"
#include "tests/joints/joint_kinds.h"
#include "tests/support/budget.h"

enum {
    BALL,
    MOTOR,
    FIXED,
    JOINTS
};

static tni_allocator allocator;
static tni_joint records[JOINTS];
static tni_mechanism_joint joints[JOINTS];
static tni_mechanism mechanism;

static void setup(void) {
    test_budget = INT32_MAX;
    tni_allocator_init(&allocator, test_alloc, test_free, NULL);
    memset(records, 0, sizeof records);
    memset(joints, 0, sizeof joints);
    joint_set_type(&records[BALL], TN_JOINT_TYPE_BALL);
    joint_set_type(&records[MOTOR], TN_JOINT_TYPE_HINGE);
    records[MOTOR].def.hinge = tn_hinge_joint_def_default();
    records[MOTOR].def.hinge.motor.mode = TN_MOTOR_MODE_SPEED;
    records[MOTOR].def.hinge.motor.max_force = 1.0f;
    joint_set_type(&records[FIXED], TN_JOINT_TYPE_FIXED);
    for (uint32_t i = 0; i < JOINTS; ++i) {
        joints[i].joint = &records[i];
    }
    mechanism = (tni_mechanism){.joints = joints, .joint_count = JOINTS};
}

static void teardown(void) {
    tni_mechanism_forget_rows(&mechanism, &allocator);
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(mechanism_rows, .init = setup, .fini = teardown);

Test(mechanism_rows, of_all_joints_lie_apart) {
    cr_assert(tni_mechanism_make_rows(&mechanism, &allocator));
    for (uint32_t i = 0; i < JOINTS; ++i) {
        tni_mechanism_find_actors(&joints[i]);
        for (uint32_t r = 0; r < joints[i].all_count; ++r) {
            double *numbers[7] = {joints[i].impulse, joints[i].impulse_kept, joints[i].softness,
                                  joints[i].lead,    joints[i].given[0],     joints[i].given[1],
                                  joints[i].given[2]};
            for (uint32_t k = 0; k < 7; ++k) {
                cr_assert_eq(numbers[k][r], 0.0);
                numbers[k][r] = 1000.0 * i + 10.0 * r + k;
            }
            cr_assert_eq(joints[i].rows[r].error, 0.0);
            joints[i].rows[r].error = 1000.0 * i + 10.0 * r + 7.0;
        }
    }
    for (uint32_t i = 0; i < JOINTS; ++i) {
        for (uint32_t r = 0; r < joints[i].all_count; ++r) {
            double first = 1000.0 * i + 10.0 * r;
            cr_assert(joints[i].impulse[r] == first && joints[i].lead[r] == first + 3.0);
            cr_assert(joints[i].rows[r].error == first + 7.0);
        }
    }
    cr_assert(joints[MOTOR].all_count == 6 && joints[MOTOR].actors[5].kind == TNI_ACTOR_SPEED);
}

Test(mechanism_rows, of_equalities_alone_have_no_actors_and_take_little) {
    mechanism.joint_count = 1;
    cr_assert(tni_mechanism_make_rows(&mechanism, &allocator));
    tni_mechanism_find_actors(&joints[BALL]);
    cr_assert(joints[BALL].row_count == 3 && joints[BALL].actors == NULL);
    cr_assert(allocator.bytes <= 512, "%u bytes", (unsigned)allocator.bytes);
}

Test(mechanism_rows, without_memory_there_are_none) {
    test_budget = 0;
    cr_assert(!tni_mechanism_make_rows(&mechanism, &allocator));
    cr_assert(mechanism.row_memory == NULL && mechanism.row_memory_size == 0);
}
