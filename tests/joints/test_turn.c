// Tests of joints/parts/turn.h: two vectors turned at once are each turned as if alone.
#include <criterion/criterion.h>

#include "joint_motion.h"
#include "joints/parts/turn.h"

#define CASES 200

static void assert_same_bits(tni_dvec3 got, tni_dvec3 wanted) {
    cr_assert(memcmp(&got, &wanted, sizeof got) == 0);
}

Test(turn, of_a_frame_is_that_of_its_origin_and_axes_by_the_matrix) {
    test_random random = {31};
    for (int i = 0; i < CASES; ++i) {
        tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
        random_frames(&random, &joint);
        tni_dquat rotation = random_rotation(&random);
        tni_dmat3 turn = dmat3_from_quat(rotation);
        tni_dmat3 axes = dmat3_from_quat(joint.frame_a.rotation);
        tni_turned_frame frame = tni_frame_turn(rotation, &joint.vectors_a);
        tni_axes turned = tni_turned_axes(&frame);
        const tni_dvec3 got[3] = {turned.x, turned.y, turned.z};
        assert_same_bits(pair_first(&frame.origin_x), dmat3_mul_vec(&turn, joint.frame_a.position));
        for (int k = 0; k < 3; ++k) {
            tni_dvec3 axis = dvec3_make(axes.m[0][k], axes.m[1][k], axes.m[2][k]);
            assert_same_bits(got[k], dmat3_mul_vec(&turn, axis));
        }
    }
}

Test(turn, dots_of_pairs_are_those_of_the_vectors) {
    test_random random = {32};
    for (int i = 0; i < CASES; ++i) {
        tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
        random_frames(&random, &joint);
        tni_turned_frame a = tni_frame_turn(random_rotation(&random), &joint.vectors_a);
        tni_turned_frame b = tni_frame_turn(random_rotation(&random), &joint.vectors_b);
        tni_d2 dots = pair_dot(&a.y_z, &b.origin_x);
        tni_axes axes_a = tni_turned_axes(&a), axes_b = tni_turned_axes(&b);
        cr_assert(d2_low(dots) == dvec3_dot(axes_a.y, pair_first(&b.origin_x)));
        cr_assert(d2_high(dots) == dvec3_dot(axes_a.z, axes_b.x));
    }
}
