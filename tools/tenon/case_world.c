// tools/tenon/case_world.c: builds a world from a case's model.
//
// Bodies stand with their frame at the centre of mass. Nothing sleeps and nothing is damped.
#include "tools/tenon/case_world.h"
#include "tools/tenon/vector.h"

#include <stdlib.h>

static void *case_world_alloc(uint32_t count, size_t size) {
    return calloc(count > 0 ? count : 1, size);
}

// A point mass may come without inertia, and a link of a planar case with a token where it never
// turns, too small for any real body. The first gets that of a solid ball of its size, the second
// just enough about the two smaller axes that the largest is their sum.
static tn_mat3_symmetric case_mend_inertia(const case_body *body) {
    tn_mat3_symmetric inertia = body->inertia;
    if (inertia.xx <= 0.0 && inertia.yy <= 0.0 && inertia.zz <= 0.0) {
        double radius = body->shape.radius > 0.0 ? body->shape.radius : 0.1;
        double moment = 0.4 * body->mass * radius * radius;
        return (tn_mat3_symmetric){.xx = moment, .yy = moment, .zz = moment};
    }
    double *moments[3] = {&inertia.xx, &inertia.yy, &inertia.zz};
    bool is_diagonal = inertia.xy == 0.0 && inertia.xz == 0.0 && inertia.yz == 0.0;
    for (uint32_t i = 0; i < 3 && is_diagonal; i++) {
        double *a = moments[(i + 1) % 3];
        double *b = moments[(i + 2) % 3];
        double missing = *moments[i] - *a - *b;
        if (missing > 0.0) {
            *a += 0.5 * missing;
            *b += 0.5 * missing;
        }
    }
    return inertia;
}

static bool case_add_body(case_world *run, uint32_t index) {
    const case_body *body = &run->model->bodies[index];
    tn_body_def def = tn_body_def_default();
    def.pose.position = body->position;
    def.pose.rotation = body->orientation;
    def.velocity.linear = body->linear_velocity;
    def.velocity.angular = body->angular_velocity;
    def.has_mass = true;
    def.mass.mass = body->mass;
    def.is_particle = body->is_particle;
    if (!body->is_particle) {
        def.mass.inertia = case_mend_inertia(body);
    }
    def.is_sleep_allowed = false;
    run->bodies[index] = tn_body_create(run->world, &def);
    run->tags[index] = (case_tag){.body = (int)index, .contact = -1};
    return run->bodies[index].value != 0 && case_shape_add(run, index);
}

// Turns the y axis, which is a half-space's normal, to `normal`.
static tn_quat case_turn_to_normal(tn_vec3 normal) {
    double w = 1.0 + normal.y;
    double length = sqrt(normal.z * normal.z + normal.x * normal.x + w * w);
    bool is_down = w < 1e-9;
    return is_down ? (tn_quat){1.0, 0.0, 0.0, 0.0}
                   : (tn_quat){normal.z / length, 0.0, -normal.x / length, w / length};
}

static bool case_add_static(case_world *run, uint32_t index) {
    const case_contact *contact = &run->model->contacts[index];
    if (contact->kind == CASE_CONTACT_KIND_BODIES) {
        return true;
    }
    tn_body_def body = tn_body_def_default();
    body.type = TN_BODY_TYPE_STATIC;
    case_tag *tag = &run->tags[run->model->body_count + index];
    *tag = (case_tag){.body = CASE_WORLD, .contact = (int)index};
    tn_shape_def def = tn_shape_def_default();
    def.material = case_contact_static_material(run->model, index);
    def.user_data = tag;
    if (contact->kind == CASE_CONTACT_KIND_PLANE) {
        const tn_vec3 *n = &contact->normal;
        double d = contact->offset;
        body.pose.position = (tn_vec3){n->x * d, n->y * d, n->z * d};
        body.pose.rotation = case_turn_to_normal(contact->normal);
        run->statics[index] = tn_body_create(run->world, &body);
        return tn_half_space_shape_create(run->world, run->statics[index], &def).value != 0;
    }
    body.pose.position = contact->center;
    body.pose.rotation = contact->orientation;
    tn_vec3 half = {(0.5 * contact->size.x), (0.5 * contact->size.y), (0.5 * contact->size.z)};
    run->statics[index] = tn_body_create(run->world, &body);
    return tn_box_shape_create(run->world, run->statics[index], &def, half).value != 0;
}

static tn_body_id case_get_body(const case_world *run, int index) {
    return index == CASE_WORLD ? (tn_body_id){0} : run->bodies[index];
}

static tn_vec3 case_get_local_point(const case_world *run, int body, tn_vec3 point) {
    if (body == CASE_WORLD) {
        return point;
    }
    return tn_body_get_local_point(run->world, run->bodies[body], point);
}

// Two points, of which only the distance matters.
static void case_set_line(const case_world *run, tn_joint_def *def, int a, int b, tn_vec3 anchor_a,
                          tn_vec3 anchor_b) {
    tn_vec3 p = case_get_local_point(run, a, anchor_a);
    tn_vec3 q = case_get_local_point(run, b, anchor_b);
    def->body_a = case_get_body(run, a);
    def->body_b = case_get_body(run, b);
    def->frame_a.position = p;
    def->frame_b.position = q;
}

static tn_joint_id case_add_line(case_world *run, const case_joint *joint) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    case_set_line(run, &def.base, joint->a, joint->b, joint->anchor_a, joint->anchor_b);
    def.length = (float)joint->length;
    if (joint->type == CASE_JOINT_TYPE_ROPE) {
        def.is_rigid = false;
        def.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = (float)joint->length};
    }
    return tn_distance_joint_create(run->world, &def);
}

static bool case_set_frames(const case_world *run, tn_joint_def *def, const case_joint *joint) {
    tn_vec3 anchor = joint->anchor_a;
    return tn_joint_def_set_frames(run->world, def, case_get_body(run, joint->a),
                                   case_get_body(run, joint->b), anchor, joint->axis);
}

// Turns a frame about its own x axis by twice the angle of this sine and cosine.
static void case_roll_frame(tn_pose *frame, double s, double c) {
    tn_quat q = frame->rotation;
    frame->rotation =
        (tn_quat){q.x * c + q.w * s, q.y * c + q.z * s, q.z * c - q.y * s, q.w * c - q.x * s};
}

// x along the axis and y along the arm, as things are now.
static bool case_set_cross(const case_world *run, tn_joint_def *def, const case_joint *joint) {
    tn_joint_def in_world = tn_joint_def_default();
    tn_body_id world = {0};
    tn_vec3 anchor = joint->anchor_a;
    if (!case_set_frames(run, def, joint) ||
        !tn_joint_def_set_frames(run->world, &in_world, world, world, anchor, joint->axis)) {
        return false;
    }
    tn_vec3 arm = vector_rotate_back(in_world.frame_a.rotation, joint->arm);
    double roll = 0.5 * atan2(arm.z, arm.y);
    case_roll_frame(&def->frame_a, sin(roll), cos(roll));
    case_roll_frame(&def->frame_b, sin(roll), cos(roll));
    return true;
}

// A motor's hinge turns by the motor's speed: reversed where its axis or the order of its bodies
// is.
static tn_joint_id case_add_motor(case_world *run, uint32_t index) {
    const case_joint *joint = &run->model->joints[index];
    const case_joint *hinge = &run->model->joints[joint->driven];
    double along = vector_dot(hinge->axis, joint->axis);
    run->motor_signs[index] = (along > 0.0) == (hinge->a == joint->a) ? 1.0 : -1.0;
    tn_motor motor = tn_hinge_joint_def_default().motor;
    motor.mode = TN_MOTOR_MODE_SPEED;
    motor.target_speed = (float)(run->motor_signs[index] * joint->speed);
    motor.max_force = INFINITY;
    tn_hinge_joint_set_motor(run->world, run->joints[joint->driven], motor);
    return run->joints[joint->driven];
}

// Of those that leave several values free.
static tn_joint_id case_add_wide_joint(case_world *run, const case_joint *joint) {
    tn_joint_id none = {0};
    tn_universal_joint_def universal = tn_universal_joint_def_default();
    tn_cylindrical_joint_def cylindrical = tn_cylindrical_joint_def_default();
    tn_planar_joint_def planar = tn_planar_joint_def_default();
    if (joint->type == CASE_JOINT_TYPE_UNIVERSAL) {
        return case_set_cross(run, &universal.base, joint)
                   ? tn_universal_joint_create(run->world, &universal)
                   : none;
    }
    if (joint->type == CASE_JOINT_TYPE_CYLINDRICAL) {
        return case_set_frames(run, &cylindrical.base, joint)
                   ? tn_cylindrical_joint_create(run->world, &cylindrical)
                   : none;
    }
    return case_set_frames(run, &planar.base, joint) ? tn_planar_joint_create(run->world, &planar)
                                                     : none;
}

static tn_joint_id case_add_joint(case_world *run, uint32_t index) {
    const case_joint *joint = &run->model->joints[index];
    tn_joint_id none = {0};
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
    switch (joint->type) {
    case CASE_JOINT_TYPE_DISTANCE:
    case CASE_JOINT_TYPE_ROPE:
        return case_add_line(run, joint);
    case CASE_JOINT_TYPE_BALL:
        return case_set_frames(run, &ball.base, joint) ? tn_ball_joint_create(run->world, &ball)
                                                       : none;
    case CASE_JOINT_TYPE_HINGE:
        return case_set_frames(run, &hinge.base, joint) ? tn_hinge_joint_create(run->world, &hinge)
                                                        : none;
    case CASE_JOINT_TYPE_SLIDER:
        return case_set_frames(run, &slider.base, joint)
                   ? tn_slider_joint_create(run->world, &slider)
                   : none;
    case CASE_JOINT_TYPE_FIXED:
        return case_set_frames(run, &fixed.base, joint) ? tn_fixed_joint_create(run->world, &fixed)
                                                        : none;
    case CASE_JOINT_TYPE_UNIVERSAL:
    case CASE_JOINT_TYPE_CYLINDRICAL:
    case CASE_JOINT_TYPE_PLANAR:
        return case_add_wide_joint(run, joint);
    case CASE_JOINT_TYPE_GEAR:
    case CASE_JOINT_TYPE_RACK_PINION:
    case CASE_JOINT_TYPE_SCREW:
    case CASE_JOINT_TYPE_PULLEY:
        return case_add_transmission(run, joint);
    case CASE_JOINT_TYPE_MOTOR: // after all others, for it needs its hinge
    case CASE_JOINT_TYPE_COUNT:
        break;
    }
    return none;
}

static tn_vec3 case_get_bears(const double bears[3]) {
    return (tn_vec3){bears[0], bears[1], bears[2]};
}

static void case_set_breaking(const case_world *run, uint32_t index) {
    const case_breaking *breaking = &run->model->joints[index].breaking;
    if (breaking->is_given) {
        tn_joint_id joint = run->joints[index];
        tn_joint_set_break_force(run->world, joint, (float)breaking->force,
                                 (float)breaking->torque);
        tn_joint_set_break_axes(run->world, joint, case_get_bears(breaking->linear),
                                case_get_bears(breaking->angular));
        tn_joint_set_break_time(run->world, joint, (float)breaking->time);
    }
}

static bool case_add_joints(case_world *run) {
    bool ok = true;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < run->model->joint_count && ok; i++) {
            bool is_motor = run->model->joints[i].type == CASE_JOINT_TYPE_MOTOR;
            if (is_motor == (pass == 1)) {
                run->place = (case_place){"joints", i};
                run->joints[i] = is_motor ? case_add_motor(run, i) : case_add_joint(run, i);
                ok = run->joints[i].value != 0;
                case_set_breaking(run, i);
            }
        }
    }
    return ok;
}

// A spring is a distance joint without a rod: the library solves it at the substep's middle, which
// keeps its energy and is stable at any stiffness.
static bool case_add_spring(case_world *run, uint32_t index) {
    const case_force *force = &run->model->forces[index];
    if (force->type != CASE_FORCE_TYPE_SPRING) {
        return true;
    }
    tn_distance_joint_def def = tn_distance_joint_def_default();
    case_set_line(run, &def.base, force->a, force->b, force->anchor_a, force->anchor_b);
    def.base.is_collision_allowed = true;
    def.is_rigid = false;
    def.spring.mode = TN_SPRING_MODE_STIFFNESS;
    def.spring.stiffness = (float)force->stiffness;
    def.spring.damping = (float)force->damping;
    def.spring.rest = (float)force->rest;
    run->springs[index] = tn_distance_joint_create(run->world, &def);
    return run->springs[index].value != 0;
}

static bool case_world_alloc_all(case_world *run) {
    const case_model *model = run->model;
    run->bodies = case_world_alloc(model->body_count, sizeof *run->bodies);
    run->statics = case_world_alloc(model->contact_count, sizeof *run->statics);
    run->joints = case_world_alloc(model->joint_count, sizeof *run->joints);
    run->motor_signs = case_world_alloc(model->joint_count, sizeof *run->motor_signs);
    run->springs = case_world_alloc(model->force_count, sizeof *run->springs);
    run->tags = case_world_alloc(model->body_count + model->contact_count, sizeof *run->tags);
    return run->bodies != NULL && run->statics != NULL && run->joints != NULL &&
           run->motor_signs != NULL && run->springs != NULL && run->tags != NULL;
}

static bool case_world_build(case_world *run) {
    bool ok = true;
    for (uint32_t i = 0; i < run->model->body_count && ok; i++) {
        run->place = (case_place){"bodies", i};
        ok = case_add_body(run, i);
    }
    for (uint32_t i = 0; i < run->model->contact_count && ok; i++) {
        run->place = (case_place){"contacts", i};
        ok = case_add_static(run, i);
    }
    ok = ok && case_add_joints(run);
    for (uint32_t i = 0; i < run->model->force_count && ok; i++) {
        run->place = (case_place){"forces", i};
        ok = case_add_spring(run, i);
    }
    return ok;
}

case_world *case_world_create(const case_model *model, const tn_world_def *def,
                              case_place *out_place) {
    case_world *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return NULL;
    }
    run->model = model;
    run->release_time = (double)NAN;
    run->report = def->report;
    run->report_user_data = def->report_user_data;
    tn_world_def own = *def;
    own.gravity = model->gravity;
    own.is_sleep_allowed = false;
    if (case_world_alloc_all(run)) {
        run->world = tn_world_create(&own, NULL);
    }
    if (run->world != NULL) {
        case_contact_install(run);
    }
    if (run->world == NULL || !case_world_build(run)) {
        if (out_place != NULL) {
            *out_place = run->place;
        }
        case_world_destroy(run);
        return NULL;
    }
    return run;
}

void case_world_destroy(case_world *run) {
    if (run == NULL) {
        return;
    }
    tn_world_destroy(run->world);
    free(run->bodies);
    free(run->statics);
    free(run->joints);
    free(run->motor_signs);
    free(run->springs);
    free(run->tags);
    free(run);
}
