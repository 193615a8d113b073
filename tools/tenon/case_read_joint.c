// tools/tenon/case_read_joint.c: joints, forces and the release out of a case's JSON.
#include "tools/tenon/case.h"
#include "tools/tenon/vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const case_joint_names[CASE_JOINT_TYPE_COUNT] = {
    "distance",    "rope",   "ball",  "hinge", "slider",      "fixed", "universal",
    "cylindrical", "planar", "motor", "gear",  "rack_pinion", "screw", "pulley"};

// A joint without an `a` or `b` is tied to the world there.
static bool case_read_ends(const json_node *node, const case_model *model, int *a, int *b) {
    *a = CASE_WORLD;
    *b = CASE_WORLD;
    if (json_node_has(node, "a") && !case_read_body_name(node, "a", model, a)) {
        return false;
    }
    if (json_node_has(node, "b") && !case_read_body_name(node, "b", model, b)) {
        return false;
    }
    return *a != *b || json_node_fail(node, "expected two different ends \"a\" and \"b\"");
}

// Both arms of the cross: perpendicular, since they stay so.
static bool case_read_arms(const json_node *node, case_joint *joint) {
    tn_vec3 other;
    if (!json_node_get_direction(node, "axis_a", &joint->arm) ||
        !json_node_get_direction(node, "axis_b", &other)) {
        return false;
    }
    if (fabs(vector_dot(joint->arm, other)) > 1e-6) {
        json_node member = json_node_get(node, "axis_b");
        return json_node_fail(&member, "expected an axis perpendicular to \"axis_a\"");
    }
    joint->axis = vector_cross(joint->arm, other);
    return true;
}

static bool case_read_joint(const json_node *node, const case_model *model, case_joint *joint) {
    uint32_t type;
    joint->axis = joint->axis_b = (tn_vec3){1.0, 0.0, 0.0};
    joint->driven = -1;
    if (!case_read_type(node, case_joint_names, CASE_JOINT_TYPE_COUNT, &type) ||
        !json_node_get_optional_text(node, "name", joint->name, sizeof joint->name) ||
        !case_read_ends(node, model, &joint->a, &joint->b) ||
        !case_read_breaking(node, &joint->breaking)) {
        return false;
    }
    joint->type = (case_joint_type)type;
    switch (joint->type) {
    case CASE_JOINT_TYPE_DISTANCE:
    case CASE_JOINT_TYPE_ROPE:
        return json_node_get_vector(node, "anchor_a", &joint->anchor_a) &&
               json_node_get_vector(node, "anchor_b", &joint->anchor_b) &&
               json_node_get_positive(node, "length", &joint->length);
    case CASE_JOINT_TYPE_HINGE:
    case CASE_JOINT_TYPE_SLIDER:
    case CASE_JOINT_TYPE_CYLINDRICAL:
    case CASE_JOINT_TYPE_PLANAR:
        if (!json_node_get_direction(node, "axis", &joint->axis)) {
            return false;
        }
        break;
    case CASE_JOINT_TYPE_UNIVERSAL:
        if (!case_read_arms(node, joint)) {
            return false;
        }
        break;
    case CASE_JOINT_TYPE_MOTOR:
        return json_node_get_direction(node, "axis", &joint->axis) &&
               json_node_get_number(node, "speed", &joint->speed);
    case CASE_JOINT_TYPE_GEAR:
    case CASE_JOINT_TYPE_RACK_PINION:
    case CASE_JOINT_TYPE_PULLEY:
        return case_read_transmission(node, model, joint);
    case CASE_JOINT_TYPE_SCREW:
        if (!case_read_transmission(node, model, joint)) {
            return false;
        }
        joint->axis_b = joint->axis;
        break;
    case CASE_JOINT_TYPE_BALL:
    case CASE_JOINT_TYPE_FIXED:
    case CASE_JOINT_TYPE_COUNT:
        break;
    }
    bool is_read = json_node_get_vector(node, "anchor", &joint->anchor_a);
    joint->anchor_b = joint->anchor_a;
    return is_read;
}

static bool case_joint_ties(const case_joint *joint, int a, int b) {
    return (joint->a == a && joint->b == b) || (joint->a == b && joint->b == a);
}

// A motor drives the hinge between its two bodies whose axis is parallel to its own.
static bool case_find_driven(const json_node *node, case_model *model, case_joint *motor) {
    for (uint32_t i = 0; i < model->joint_count; i++) {
        const case_joint *hinge = &model->joints[i];
        double cosine = hinge->axis.x * motor->axis.x + hinge->axis.y * motor->axis.y +
                        hinge->axis.z * motor->axis.z;
        if (hinge->type == CASE_JOINT_TYPE_HINGE && case_joint_ties(hinge, motor->a, motor->b) &&
            fabs(cosine) > 0.9999) {
            motor->driven = (int)i;
            return true;
        }
    }
    return json_node_fail(node,
                          "a motor needs a hinge between the same bodies along the same axis");
}

static void case_name_joint(const case_model *model, case_joint *joint) {
    if (joint->name[0] == '\0') {
        const char *a = joint->a == CASE_WORLD ? "world" : model->bodies[joint->a].name;
        const char *b = joint->b == CASE_WORLD ? "world" : model->bodies[joint->b].name;
        snprintf(joint->name, sizeof joint->name, "%.30s-%.30s", a, b);
    }
}

bool case_read_joints(const json_node *node, case_model *model) {
    if (!json_node_has(node, "joints")) {
        return true;
    }
    json_node list;
    if (!json_node_get_array(node, "joints", &list)) {
        return false;
    }
    uint32_t count = (uint32_t)json_node_count(&list);
    model->joints = case_alloc(&list, count, sizeof *model->joints);
    if (model->joints == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        json_node element = json_node_get_element(&list, (int)i);
        if (!case_read_joint(&element, model, &model->joints[i])) {
            return false;
        }
        case_name_joint(model, &model->joints[i]);
        model->joint_count = i + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        json_node element = json_node_get_element(&list, (int)i);
        case_joint *joint = &model->joints[i];
        if (joint->type == CASE_JOINT_TYPE_MOTOR && !case_find_driven(&element, model, joint)) {
            return false;
        }
    }
    return true;
}

static bool case_read_spring(const json_node *node, const case_model *model, case_force *force) {
    return case_read_ends(node, model, &force->a, &force->b) &&
           json_node_get_vector(node, "anchor_a", &force->anchor_a) &&
           json_node_get_vector(node, "anchor_b", &force->anchor_b) &&
           json_node_get_number(node, "k", &force->stiffness) &&
           json_node_get_optional_number(node, "c", &force->damping) &&
           json_node_get_number(node, "rest_length", &force->rest);
}

static bool case_read_force(const json_node *node, const case_model *model, case_force *force) {
    static const char *const names[] = {"spring_damper", "force", "torque"};
    uint32_t type;
    if (!case_read_type(node, names, 3, &type)) {
        return false;
    }
    force->type = (case_force_type)type;
    if (force->type == CASE_FORCE_TYPE_SPRING) {
        return case_read_spring(node, model, force);
    }
    if (!case_read_body_name(node, "body", model, &force->b) ||
        !json_node_get_vector(node, names[type], &force->vector)) {
        return false;
    }
    json_node body = json_node_get(node, "body");
    return force->b != CASE_WORLD || json_node_fail(&body, "expected the name of a body");
}

bool case_read_forces(const json_node *node, case_model *model) {
    if (!json_node_has(node, "forces")) {
        return true;
    }
    json_node list;
    if (!json_node_get_array(node, "forces", &list)) {
        return false;
    }
    uint32_t count = (uint32_t)json_node_count(&list);
    model->forces = case_alloc(&list, count, sizeof *model->forces);
    for (uint32_t i = 0; i < count && model->forces != NULL; i++) {
        json_node element = json_node_get_element(&list, (int)i);
        if (!case_read_force(&element, model, &model->forces[i])) {
            return false;
        }
        model->force_count = i + 1;
    }
    return model->forces != NULL;
}

// The long arm runs from the hinge that ties the sling's first body to the world to the sling's
// anchor.
bool case_read_release(const json_node *node, case_model *model) {
    if (!json_node_has(node, "release")) {
        return true;
    }
    json_node member;
    char name[CASE_NAME_SIZE];
    double degrees;
    if (!json_node_get_object(node, "release", &member) ||
        !json_node_get_number(&member, "angle_deg", &degrees) ||
        !json_node_get_text(&member, "remove_joint", name, sizeof name)) {
        return false;
    }
    case_release *release = &model->release;
    release->joint = -1;
    for (uint32_t i = 0; i < model->joint_count; i++) {
        const case_joint *joint = &model->joints[i];
        bool is_line =
            joint->type == CASE_JOINT_TYPE_DISTANCE || joint->type == CASE_JOINT_TYPE_ROPE;
        release->joint = is_line && strcmp(joint->name, name) == 0 ? (int)i : release->joint;
    }
    json_node joint_name = json_node_get(&member, "remove_joint");
    if (release->joint < 0) {
        return json_node_fail(&joint_name, "no distance joint or rope has the name \"%s\"", name);
    }
    for (uint32_t i = 0; i < model->joint_count; i++) {
        const case_joint *joint = &model->joints[i];
        if (joint->type == CASE_JOINT_TYPE_HINGE &&
            case_joint_ties(joint, CASE_WORLD, model->joints[release->joint].a)) {
            release->is_given = true;
            release->angle = degrees * (3.14159265358979324 / 180.0);
            release->pivot = joint->anchor_a;
            return true;
        }
    }
    return json_node_fail(&joint_name, "expected a hinge between the world and \"%s\"'s first body",
                          name);
}
