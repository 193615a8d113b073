// tools/tenon/case_read_transmission.c: gears, racks, screws and pulleys out of a case's JSON.
#include "tools/tenon/case.h"

#include <string.h>

// Where nothing is said, a wheel or a rack is at its body's centre.
static bool case_read_place(const json_node *node, const case_model *model, const char *key,
                            int body, tn_vec3 *out) {
    if (body != CASE_WORLD) {
        *out = model->bodies[body].position;
    }
    return json_node_get_optional_vector(node, key, out);
}

static bool case_read_reference(const json_node *node, case_joint *joint) {
    static const char *const names[] = {"centers", "axes", "world"};
    char name[CASE_NAME_SIZE] = "world";
    if (!json_node_get_optional_text(node, "reference", name, sizeof name)) {
        return false;
    }
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            joint->reference = (tn_gear_reference)i;
            return true;
        }
    }
    json_node member = json_node_get(node, "reference");
    return json_node_fail(&member, "\"%s\" is not known; expected one of centers, axes, world",
                          name);
}

static bool case_read_ratio(const json_node *node, const char *key, case_joint *joint) {
    json_node member = json_node_get(node, key);
    return json_node_get_number(node, key, &joint->ratio) &&
           (joint->ratio != 0.0 || json_node_fail(&member, "expected a number other than 0"));
}

static bool case_read_coupling(const json_node *node, const case_model *model, case_joint *joint) {
    return json_node_get_direction(node, "axis_a", &joint->axis) &&
           json_node_get_direction(node, "axis_b", &joint->axis_b) &&
           case_read_ratio(node, "ratio", joint) &&
           case_read_place(node, model, "anchor_a", joint->a, &joint->anchor_a) &&
           case_read_place(node, model, "anchor_b", joint->b, &joint->anchor_b);
}

static bool case_read_pulley(const json_node *node, case_joint *joint) {
    return json_node_get_vector(node, "anchor_a", &joint->anchor_a) &&
           json_node_get_vector(node, "anchor_b", &joint->anchor_b) &&
           json_node_get_vector(node, "ground_a", &joint->ground_a) &&
           json_node_get_vector(node, "ground_b", &joint->ground_b) &&
           json_node_get_positive(node, "ratio", &joint->ratio) &&
           json_node_get_positive(node, "length", &joint->length);
}

bool case_read_transmission(const json_node *node, const case_model *model, case_joint *joint) {
    switch (joint->type) {
    case CASE_JOINT_TYPE_GEAR:
        return case_read_reference(node, joint) && case_read_coupling(node, model, joint);
    case CASE_JOINT_TYPE_RACK_PINION:
        return case_read_coupling(node, model, joint);
    case CASE_JOINT_TYPE_SCREW:
        return json_node_get_vector(node, "anchor", &joint->anchor_a) &&
               json_node_get_direction(node, "axis", &joint->axis) &&
               case_read_ratio(node, "lead", joint);
    default:
        return case_read_pulley(node, joint);
    }
}
