// scenes/doll.c: a figure of a person.
#include "scenes/doll.h"
#include "scenes/portable.h"

typedef enum doll_part {
    DOLL_PELVIS,
    DOLL_CHEST,
    DOLL_HEAD,
    DOLL_ARM_LEFT,
    DOLL_FOREARM_LEFT,
    DOLL_ARM_RIGHT,
    DOLL_FOREARM_RIGHT,
    DOLL_THIGH_LEFT,
    DOLL_SHIN_LEFT,
    DOLL_THIGH_RIGHT,
    DOLL_SHIN_RIGHT,
} doll_part;

// A capsule between two points of the doll, m from the middle of the pelvis: x ahead, y up, and so
// z to the right.
typedef struct doll_bone {
    double from[3], to[3];
    double radius, mass; // m, kg
} doll_bone;

static const doll_bone doll_bones[DOLL_BODIES] = {
    {{0.00, 0.00, -0.08}, {0.00, 0.00, 0.08}, 0.11, 13.0},
    {{0.00, 0.30, -0.10}, {0.00, 0.30, 0.10}, 0.13, 24.0},
    {{0.00, 0.59, 0.00}, {0.00, 0.65, 0.00}, 0.10, 5.0},
    {{0.00, 0.37, -0.25}, {0.00, 0.12, -0.25}, 0.05, 2.2},
    {{0.00, 0.12, -0.25}, {0.00, -0.14, -0.25}, 0.04, 1.6},
    {{0.00, 0.37, 0.25}, {0.00, 0.12, 0.25}, 0.05, 2.2},
    {{0.00, 0.12, 0.25}, {0.00, -0.14, 0.25}, 0.04, 1.6},
    {{0.00, -0.10, -0.09}, {0.00, -0.48, -0.09}, 0.07, 8.0},
    {{0.00, -0.48, -0.09}, {0.00, -0.88, -0.09}, 0.05, 4.2},
    {{0.00, -0.10, 0.09}, {0.00, -0.48, 0.09}, 0.07, 8.0},
    {{0.00, -0.48, 0.09}, {0.00, -0.88, 0.09}, 0.05, 4.2},
};

// A joint of the doll: a hinge about z that bends between two angles, or a ball joint whose twist
// axis points along `axis` and which opens to a cone.
typedef struct doll_link {
    doll_part a, b;
    double anchor[3], axis[3];
    bool is_hinge;
    float lower, upper; // rad: the bend of a hinge, the twist of a ball joint
    float cone;         // rad
} doll_link;

static const doll_link doll_links[] = {
    {DOLL_PELVIS, DOLL_CHEST, {0.0, 0.14, 0.0}, {0, 1, 0}, false, -0.5f, 0.5f, 0.5f},
    {DOLL_CHEST, DOLL_HEAD, {0.0, 0.48, 0.0}, {0, 1, 0}, false, -0.8f, 0.8f, 0.6f},
    {DOLL_CHEST, DOLL_ARM_LEFT, {0.0, 0.37, -0.25}, {0, -1, 0}, false, -1.0f, 1.0f, 1.5f},
    {DOLL_ARM_LEFT, DOLL_FOREARM_LEFT, {0.0, 0.12, -0.25}, {0, 0, 1}, true, 0.0f, 2.4f, 0.0f},
    {DOLL_CHEST, DOLL_ARM_RIGHT, {0.0, 0.37, 0.25}, {0, -1, 0}, false, -1.0f, 1.0f, 1.5f},
    {DOLL_ARM_RIGHT, DOLL_FOREARM_RIGHT, {0.0, 0.12, 0.25}, {0, 0, 1}, true, 0.0f, 2.4f, 0.0f},
    {DOLL_PELVIS, DOLL_THIGH_LEFT, {0.0, -0.10, -0.09}, {0, -1, 0}, false, -0.5f, 0.5f, 1.0f},
    {DOLL_THIGH_LEFT, DOLL_SHIN_LEFT, {0.0, -0.48, -0.09}, {0, 0, 1}, true, -2.4f, 0.0f, 0.0f},
    {DOLL_PELVIS, DOLL_THIGH_RIGHT, {0.0, -0.10, 0.09}, {0, -1, 0}, false, -0.5f, 0.5f, 1.0f},
    {DOLL_THIGH_RIGHT, DOLL_SHIN_RIGHT, {0.0, -0.48, 0.09}, {0, 0, 1}, true, -2.4f, 0.0f, 0.0f},
};

// A vector of the doll in the world: leaned about z, then turned about y.
static tn_vec3 doll_turn(const double v[3], double yaw, double lean) {
    double x = v[0] * portable_cos(lean) - v[1] * portable_sin(lean);
    double y = v[0] * portable_sin(lean) + v[1] * portable_cos(lean);
    return (tn_vec3){x * portable_cos(yaw) + v[2] * portable_sin(yaw), y,
                     v[2] * portable_cos(yaw) - x * portable_sin(yaw)};
}

static tn_vec3 doll_get_point(tn_vec3 place, const double v[3], double yaw, double lean) {
    tn_vec3 d = doll_turn(v, yaw, lean);
    return build_point(place.x + d.x, place.y + d.y, place.z + d.z);
}

static void doll_add_joint(scene_run *run, const doll *person, const doll_link *link,
                           tn_vec3 anchor, tn_vec3 axis) {
    tn_body_id a = person->bodies[link->a];
    tn_body_id b = person->bodies[link->b];
    tn_limit limit = {.is_enabled = true, .lower = link->lower, .upper = link->upper};
    if (link->is_hinge) {
        tn_hinge_joint_set_limit(run->world, build_hinge(run, a, b, anchor, axis), limit);
        return;
    }
    tn_joint_id joint = build_ball_joint(run, a, b, anchor, axis);
    tn_ball_joint_set_cone_limit(run->world, joint,
                                 (tn_limit){.is_enabled = true, .upper = link->cone});
    tn_ball_joint_set_twist_limit(run->world, joint, limit);
}

doll doll_add(scene_run *run, tn_vec3 place, double yaw, double lean, int32_t group) {
    doll out;
    for (uint32_t i = 0; i < DOLL_BODIES; i++) {
        const doll_bone *bone = &doll_bones[i];
        tn_vec3 from = doll_get_point(place, bone->from, yaw, lean);
        tn_vec3 to = doll_get_point(place, bone->to, yaw, lean);
        build_part part = build_part_between(from, to);
        part.mass = bone->mass;
        part.filter.group = group;
        out.bodies[i] = build_capsule(run, &part, build_distance(from, to), bone->radius);
    }
    for (uint32_t i = 0; i < sizeof doll_links / sizeof doll_links[0]; i++) {
        const doll_link *link = &doll_links[i];
        doll_add_joint(run, &out, link, doll_get_point(place, link->anchor, yaw, lean),
                       doll_turn(link->axis, yaw, lean));
    }
    return out;
}
