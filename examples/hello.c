// A door on its hinge, pushed at the handle and slowed by friction.
#include <stdio.h>
#include <tenon/tenon.h>

int main(void) {
    tn_world *world = tn_world_create(NULL, NULL);

    // A door of wood, 0.9 m wide and 2 m high. Its frame is in its middle.
    tn_body_def body = tn_body_def_default();
    body.pose.position.x = 0.45;
    tn_body_id door = tn_body_create(world, &body);
    tn_shape_def wood = tn_shape_def_default();
    wood.density = 600.0f;
    tn_vec3 half = {0.45, 1.0, 0.02};
    tn_box_shape_create(world, door, &wood, half);

    // The hinge stands upright at the origin and ties the door to the world: a
    // null body.
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_body_id ground = {0};
    tn_vec3 anchor = {0.0, 0.0, 0.0};
    tn_vec3 up = {0.0, 1.0, 0.0};
    tn_joint_def_set_frames(world, &def.base, ground, door, anchor, up);
    def.friction = 2.0f; // N·m
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);

    tn_vec3 push = {0.0, 0.0, -14.0}; // N·s
    tn_vec3 handle = {0.85, 0.0, 0.0};
    tn_body_apply_impulse_at(world, door, push, handle);
    for (int frame = 1; frame <= 180; ++frame) {
        tn_world_step(world, 1.0 / 60.0, 4);
        if (frame % 30 == 0) {
            double angle = tn_hinge_joint_get_angle(world, hinge);
            printf("%.1f s: %.1f degrees\n", frame / 60.0, angle * 57.29578);
        }
    }
    tn_world_destroy(world);
}
