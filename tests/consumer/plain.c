// tests/consumer/plain.c: a program that creates boxes and a hinge and nothing else: run.sh looks
// at what a linker leaves of the library in it. Prints nothing.
#include <tenon/tenon.h>

static tn_body_id make_box(tn_world *world, tn_body_type type) {
    tn_body_def body = tn_body_def_default();
    body.type = type;
    tn_shape_def shape = tn_shape_def_default();
    tn_vec3 half = {0.5, 0.5, 0.5};
    tn_body_id box = tn_body_create(world, &body);
    tn_box_shape_create(world, box, &shape, half);
    return box;
}

int main(void) {
    tn_world_def def = tn_world_def_default();
    tn_world *world = tn_world_create(&def, NULL);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    hinge.base.body_a = make_box(world, TN_BODY_TYPE_STATIC);
    hinge.base.body_b = make_box(world, TN_BODY_TYPE_DYNAMIC);
    tn_joint_id joint = tn_hinge_joint_create(world, &hinge);
    tn_result result = tn_world_step(world, 1.0 / 60.0, 4);
    bool is_fine = result == TN_RESULT_OK && tn_joint_is_valid(world, joint);
    tn_world_destroy(world);
    return is_fine ? 0 : 1;
}
