// bench/soak_edits.c: see bench/soak.h.
#include "bench/soak.h"

#include <math.h>

double soak_random_get(soak_random *random, double from, double to) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    double share = (double)(random->state >> 11) / 9007199254740992.0;
    return from + share * (to - from);
}

uint32_t soak_random_pick(soak_random *random, uint32_t count) {
    uint32_t index = (uint32_t)soak_random_get(random, 0.0, count);
    return index < count ? index : count - 1;
}

static double soak_get(soak_world *soak, double from, double to) {
    return soak_random_get(soak->random, from, to);
}

static tn_vec3 soak_get_vector(soak_world *soak, double size) {
    double x = soak_get(soak, -size, size), y = soak_get(soak, -size, size);
    return (tn_vec3){x, y, soak_get(soak, -size, size)};
}

static tn_pose soak_get_pose(soak_world *soak) {
    tn_vec3 at = soak_get_vector(soak, 8.0), axis = soak_get_vector(soak, 1.0);
    at.y = fabs(at.y) + 0.5;
    return (tn_pose){at, {axis.x, axis.y, axis.z, 1.5}};
}

static void soak_expect(soak_world *soak, bool is_fine) {
    soak->has_failed |= !is_fine;
}

// ---- bodies ------------------------------------------------------------------------------------

static void soak_add_shape(soak_world *soak, tn_body_id body) {
    tn_shape_def def = tn_shape_def_default();
    def.material.friction = (float)soak_get(soak, 0.0, 1.0);
    def.material.restitution = (float)soak_get(soak, -1.0, 0.8);
    def.material.restitution = fmaxf(def.material.restitution, 0.0f);
    def.density = (float)pow(10.0, soak_get(soak, 1.5, 3.5));
    def.is_sensor = soak_random_pick(soak->random, 20) == 0;
    double size = soak_get(soak, 0.1, 0.5), other = soak_get(soak, 0.1, 0.5);
    tn_shape_id shape = {0};
    switch (soak_random_pick(soak->random, 6)) {
    case 0:
        shape = tn_box_shape_create(soak->world, body, &def, (tn_vec3){size, other, 0.3});
        break;
    case 1:
        shape = tn_capsule_shape_create(soak->world, body, &def, (float)size, (float)other);
        break;
    case 2:
        shape = tn_cylinder_shape_create(soak->world, body, &def, (float)size, (float)other);
        break;
    case 3:
        shape = tn_ellipsoid_shape_create(soak->world, body, &def, (tn_vec3){size, other, 0.3});
        break;
    case 4:
        shape = tn_cone_shape_create(soak->world, body, &def, (float)size, (float)other);
        break;
    default:
        shape = tn_sphere_shape_create(soak->world, body, &def, (float)size);
        break;
    }
    soak_expect(soak, shape.value != 0);
}

static void soak_add_body(soak_world *soak) {
    static const tn_body_type types[] = {TN_BODY_TYPE_DYNAMIC,   TN_BODY_TYPE_DYNAMIC,
                                         TN_BODY_TYPE_DYNAMIC,   TN_BODY_TYPE_DYNAMIC,
                                         TN_BODY_TYPE_KINEMATIC, TN_BODY_TYPE_STATIC};
    if (soak->body_count == SOAK_MOST_BODIES) {
        return;
    }
    tn_body_def def = tn_body_def_default();
    def.type = types[soak_random_pick(soak->random, 6)];
    def.pose = soak_get_pose(soak);
    tn_body_id body = tn_body_create(soak->world, &def);
    soak_expect(soak, body.value != 0);
    for (uint32_t i = soak_random_pick(soak->random, 3) + 1; i > 0; i--) {
        soak_add_shape(soak, body);
    }
    soak->bodies[soak->body_count++] = body;
}

static void soak_forget_joints(soak_world *soak) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < soak->joint_count; i++) {
        if (tn_joint_is_valid(soak->world, soak->joints[i])) {
            soak->joints[kept++] = soak->joints[i];
        }
    }
    soak->joint_count = kept;
}

static void soak_destroy_body(soak_world *soak) {
    uint32_t index = soak_random_pick(soak->random, soak->body_count);
    tn_body_destroy(soak->world, soak->bodies[index]);
    soak->bodies[index] = soak->bodies[--soak->body_count];
    soak_forget_joints(soak);
}

// What is out of the room, or far too fast, comes back.
static void soak_change_body(soak_world *soak) {
    tn_world *world = soak->world;
    tn_body_id body = soak->bodies[soak_random_pick(soak->random, soak->body_count)];
    bool is_static = tn_body_get_type(world, body) == TN_BODY_TYPE_STATIC;
    tn_velocity velocity = {soak_get_vector(soak, 10.0), soak_get_vector(soak, 5.0)};
    switch (soak_random_pick(soak->random, 8)) {
    case 0:
        soak_expect(soak, tn_body_set_pose(world, body, soak_get_pose(soak)) == TN_RESULT_OK);
        break;
    case 1:
        soak_expect(soak, is_static || tn_body_set_velocity(world, body, velocity) == TN_RESULT_OK);
        break;
    case 2:
        tn_body_set_type(world, body, (tn_body_type)soak_random_pick(soak->random, 3));
        break;
    case 3:
        tn_body_set_enabled(world, body, !tn_body_is_enabled(world, body));
        break;
    case 4:
        tn_body_set_awake(world, body, !tn_body_is_awake(world, body));
        break;
    case 5:
        tn_body_apply_impulse(world, body, soak_get_vector(soak, 50.0));
        break;
    case 6:
        tn_body_apply_force(world, body, soak_get_vector(soak, 2000.0));
        break;
    default:
        soak_add_shape(soak, body);
        break;
    }
}

static void soak_destroy_shape(soak_world *soak) {
    tn_shape_id shapes[8];
    tn_body_id body = soak->bodies[soak_random_pick(soak->random, soak->body_count)];
    uint32_t count = tn_body_get_shapes(soak->world, body, shapes, 8);
    if (count > 1) {
        tn_shape_destroy(soak->world,
                         shapes[soak_random_pick(soak->random, count < 8 ? count : 8)]);
    }
}

// ---- joints ------------------------------------------------------------------------------------

static void soak_set_motor(soak_world *soak, tn_motor *motor, tn_limit *limit) {
    if (soak_random_pick(soak->random, 2) == 0) {
        motor->mode = TN_MOTOR_MODE_SPEED;
        motor->target_speed = (float)soak_get(soak, -2.0, 2.0);
        motor->max_force = (float)soak_get(soak, 1.0, 500.0);
    }
    if (soak_random_pick(soak->random, 2) == 0) {
        *limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
    }
}

static tn_joint_id soak_make_joint(soak_world *soak, tn_body_id a, tn_body_id b) {
    tn_world *world = soak->world;
    tn_vec3 at = tn_body_get_center(world, b), axis = {0.0, 0.0, 1.0};
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    tn_fixed_joint_def weld = tn_fixed_joint_def_default();
    switch (soak_random_pick(soak->random, 5)) {
    case 0:
        tn_joint_def_set_frames(world, &hinge.base, a, b, at, axis);
        soak_set_motor(soak, &hinge.motor, &hinge.limit);
        return tn_hinge_joint_create(world, &hinge);
    case 1:
        tn_joint_def_set_frames(world, &slider.base, a, b, at, axis);
        soak_set_motor(soak, &slider.motor, &slider.limit);
        return tn_slider_joint_create(world, &slider);
    case 2:
        tn_joint_def_set_frames(world, &weld.base, a, b, at, axis);
        weld.base.break_force = (float)soak_get(soak, 100.0, 1e5);
        return tn_fixed_joint_create(world, &weld);
    case 3:
        tn_joint_def_set_frames(world, &rod.base, a, b, at, axis);
        rod.length = (float)soak_get(soak, 0.1, 2.0);
        return tn_distance_joint_create(world, &rod);
    default:
        tn_joint_def_set_frames(world, &ball.base, a, b, at, axis);
        return tn_ball_joint_create(world, &ball);
    }
}

// Ties two bodies of which one is dynamic, near to each other or not.
static void soak_add_joint(soak_world *soak) {
    tn_body_id a = soak->bodies[soak_random_pick(soak->random, soak->body_count)];
    tn_body_id b = soak->bodies[soak_random_pick(soak->random, soak->body_count)];
    bool may_be = tn_body_get_type(soak->world, b) == TN_BODY_TYPE_DYNAMIC && a.value != b.value;
    if (may_be && soak->joint_count < SOAK_MOST_JOINTS) {
        a = soak_random_pick(soak->random, 4) == 0 ? (tn_body_id){0} : a;
        tn_joint_id joint = soak_make_joint(soak, a, b);
        soak_expect(soak, joint.value != 0);
        soak->joints[soak->joint_count++] = joint;
    }
}

static void soak_destroy_joint(soak_world *soak) {
    soak_forget_joints(soak); // some broke
    if (soak->joint_count > 0) {
        uint32_t index = soak_random_pick(soak->random, soak->joint_count);
        tn_joint_destroy(soak->world, soak->joints[index]);
        soak->joints[index] = soak->joints[--soak->joint_count];
    }
}

// ---- the world ---------------------------------------------------------------------------------

static void soak_change_world(soak_world *soak) {
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT,
                                        TN_SOLVER_CG};
    if (soak_random_pick(soak->random, 2) == 0) {
        tn_world_set_solver(soak->world, solvers[soak_random_pick(soak->random, 4)]);
    } else {
        tn_vec3 gravity = {0.0, -soak_get(soak, 2.0, 20.0), 0.0};
        tn_world_set_gravity(soak->world, gravity);
    }
}

void soak_world_fill(soak_world *soak) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    tn_body_id floor = tn_body_create(soak->world, &def);
    soak->fixed_count = 1;
    for (int i = 0; i < 5; i++) {
        tn_shape_def shape = tn_shape_def_default();
        double side = i % 2 == 0 ? -15.0 : 15.0;
        tn_vec3 at = {i < 2 ? side : 0.0, i < 4 ? 5.0 : -1.0, i == 2 || i == 3 ? side : 0.0};
        tn_vec3 half = {i < 2 ? 1.0 : 16.0, i < 4 ? 6.0 : 1.0, i == 2 || i == 3 ? 1.0 : 16.0};
        shape.local_pose.position = at;
        soak_expect(soak, tn_box_shape_create(soak->world, floor, &shape, half).value != 0);
    }
}

void soak_world_edit(soak_world *soak) {
    uint32_t what = soak_random_pick(soak->random, 100);
    soak->edits += 1;
    if (soak->body_count < 2 || what < 24) {
        soak_add_body(soak);
    } else if (what < 44) {
        soak_destroy_body(soak);
    } else if (what < 74) {
        soak_change_body(soak);
    } else if (what < 80) {
        soak_destroy_shape(soak);
    } else if (what < 90) {
        soak_add_joint(soak);
    } else if (what < 99) {
        soak_destroy_joint(soak);
    } else {
        soak_change_world(soak);
    }
}

bool soak_world_counts_agree(soak_world *soak) {
    bool are_valid = true;
    for (uint32_t i = 0; i < soak->body_count; i++) {
        are_valid &= tn_body_is_valid(soak->world, soak->bodies[i]);
    }
    soak_forget_joints(soak);
    return are_valid &&
           tn_world_count_bodies(soak->world) == soak->body_count + soak->fixed_count &&
           tn_world_count_joints(soak->world) == soak->joint_count;
}
