// tools/tenon/case.h: a case: a small world given as JSON, with what is to be measured in it.
//
// docs/cases.md describes the format. A case of kind "trajectory" has one model; one of kind
// "criteria" has a model for each scenario. A model says nothing of tenon: case_world.h builds a
// world from it.
#ifndef TOOLS_TENON_CASE_H
#define TOOLS_TENON_CASE_H

#include <tenon/gear_joint.h>

#include "tools/tenon/json_reader.h"

#define CASE_NAME_SIZE  64
#define CASE_RULE_SIZE  400
#define CASE_WORLD      (-1) // in place of a body's index
#define CASE_MAX_EXPECT 12

typedef enum case_shape_type {
    CASE_SHAPE_TYPE_NONE = 0, // also a rod, which is drawn by its joints
    CASE_SHAPE_TYPE_SPHERE,
    CASE_SHAPE_TYPE_BOX,
    CASE_SHAPE_TYPE_CYLINDER,
    CASE_SHAPE_TYPE_CONVEX,
} case_shape_type;

typedef struct case_shape {
    case_shape_type type;
    double radius, length; // m
    tn_vec3 size;          // m, whole edges
    tn_vec3 axis;          // of a cylinder, body axes
    tn_vec3 *vertices;     // m, body axes
    uint32_t vertex_count;
} case_shape;

typedef struct case_body {
    char name[CASE_NAME_SIZE];
    double mass; // kg
    bool is_particle;
    tn_mat3_symmetric inertia; // kg·m², about the centre of mass, body axes
    tn_vec3 position;          // of the centre of mass
    tn_quat orientation;
    tn_vec3 linear_velocity, angular_velocity;
    case_shape shape;
} case_body;

typedef enum case_joint_type {
    CASE_JOINT_TYPE_DISTANCE = 0,
    CASE_JOINT_TYPE_ROPE,
    CASE_JOINT_TYPE_BALL,
    CASE_JOINT_TYPE_HINGE,
    CASE_JOINT_TYPE_SLIDER,
    CASE_JOINT_TYPE_FIXED,
    CASE_JOINT_TYPE_UNIVERSAL,
    CASE_JOINT_TYPE_CYLINDRICAL,
    CASE_JOINT_TYPE_PLANAR,
    CASE_JOINT_TYPE_MOTOR,
    CASE_JOINT_TYPE_GEAR,
    CASE_JOINT_TYPE_RACK_PINION,
    CASE_JOINT_TYPE_SCREW,
    CASE_JOINT_TYPE_PULLEY,
    CASE_JOINT_TYPE_COUNT,
} case_joint_type;

// What a joint bears; INFINITY: anything.
typedef struct case_breaking {
    bool is_given;
    double force, torque, linear[3], angular[3]; // N and N·m
    double time;                                 // s
} case_breaking;

typedef struct case_joint {
    char name[CASE_NAME_SIZE];
    case_joint_type type;
    int a, b;                    // indices of bodies, or CASE_WORLD
    tn_vec3 anchor_a, anchor_b;  // world, at t = 0; equal but for distance, rope and transmissions
    tn_vec3 axis, axis_b;        // unit; of a universal joint along the shafts; the second of
                                 // transmissions, at their body b
    tn_vec3 arm;                 // unit, universal: of the cross, on a; the other is axis x arm
    double length;               // m, distance, rope and pulley
    double speed;                // rad/s, motor
    int driven;                  // motor: index of the hinge that it drives
    double ratio;                // gear and pulley; of a rack the radius, of a screw the lead, m
    tn_gear_reference reference; // gear
    tn_vec3 ground_a, ground_b;  // pulley, world
    case_breaking breaking;
} case_joint;

typedef enum case_force_type {
    CASE_FORCE_TYPE_SPRING = 0,
    CASE_FORCE_TYPE_FORCE,
    CASE_FORCE_TYPE_TORQUE,
} case_force_type;

typedef struct case_force {
    case_force_type type;
    int a, b; // force and torque act on b
    tn_vec3 anchor_a, anchor_b;
    double stiffness, damping, rest; // N/m, N·s/m, m
    tn_vec3 vector;                  // N or N·m, world
} case_force;

typedef enum case_contact_kind {
    CASE_CONTACT_KIND_BODIES = 0, // between bodies
    CASE_CONTACT_KIND_PLANE,
    CASE_CONTACT_KIND_BOX,
} case_contact_kind;

typedef struct case_contact {
    char name[CASE_NAME_SIZE];
    case_contact_kind kind;
    tn_vec3 normal;
    double offset;
    tn_vec3 center, size;
    tn_quat orientation;
    double friction, restitution, rolling_resistance;
    bool has_friction;
    bool neighbours_only;
    bool *takes_part; // one for each body
} case_contact;

typedef struct case_probe {
    char name[CASE_NAME_SIZE];
    int body;
    tn_vec3 anchor; // world, at t = 0
} case_probe;

typedef struct case_release {
    bool is_given;
    int joint;     // index of the joint to take out
    double angle;  // rad, between the long arm and the sling
    tn_vec3 pivot; // where the arm's hinge stands, world
} case_release;

typedef struct case_model {
    char name[CASE_NAME_SIZE]; // of the scenario, or empty
    tn_vec3 gravity;
    double time; // s: t_end or t_check
    case_body *bodies;
    uint32_t body_count;
    const case_body **bodies_by_name; // in the order of strcmp
    case_joint *joints;
    uint32_t joint_count;
    case_force *forces;
    uint32_t force_count;
    case_contact *contacts;
    uint32_t contact_count;
    bool has_contacts;
    case_probe *probes;
    uint32_t probe_count;
    case_release release;
    double rule_distance; // m
    char rule[CASE_RULE_SIZE];
    char expect[CASE_MAX_EXPECT][CASE_NAME_SIZE]; // quantities asked for
    uint32_t expect_count;
    char also_report[CASE_RULE_SIZE]; // text that may name more of them
} case_model;

typedef struct case_file {
    char name[CASE_NAME_SIZE];
    char family[CASE_NAME_SIZE];
    bool is_criteria;
    double sample;      // s
    bool every_step;    // impacts are looked for, so that no step may be left out
    case_model *models; // one, or one for each scenario
    uint32_t model_count;
    char (*outputs)[CASE_NAME_SIZE]; // names in reference.outputs
    uint32_t output_count;
} case_file;

// Reads a case. Null and an error line in `error` (of JSON_ERROR_SIZE) when the file is wrong.
case_file *case_file_load(const char *path, char *error);
void case_file_destroy(case_file *file);
// The index of a body by name, CASE_WORLD for "world", or -2.
int case_model_find_body(const case_model *model, const char *name);
// For case_read.c: the parts that have a file of their own.
bool case_read_shape(const json_node *body, case_shape *out);
bool case_read_orientation(const json_node *node, tn_quat *out);
bool case_read_joints(const json_node *node, case_model *model);
bool case_read_transmission(const json_node *node, const case_model *model, case_joint *joint);
bool case_read_breaking(const json_node *node, case_breaking *breaking);
bool case_read_forces(const json_node *node, case_model *model);
bool case_read_contacts(const json_node *node, case_model *model);
bool case_read_release(const json_node *node, case_model *model);
bool case_read_body_name(const json_node *node, const char *key, const case_model *model, int *out);
// Which type a text names. Fails with a line that lists those it could be.
bool case_read_type(const json_node *node, const char *const *names, uint32_t count, uint32_t *out);
// Zeroed memory for `count` elements; null fails the node's reader.
void *case_alloc(const json_node *node, uint32_t count, size_t size);

#endif
