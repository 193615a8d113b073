// tools/tenon/case_output.c: the named scalars of a case: what its reference lists, where the name
// says what it is. docs/cases.md has the table. A name that is not understood is left out.
//
//   PROBEx PROBEvx            position and velocity of a probe (and y, z)
//   JOINT_force_on_BODY_x     the joint's force on that body
//   JOINT_wall_force_x        the same, on the joint's second body; also JOINT_force_x
//   motor_torque              of the case's motor
//   BODY_x BODY_speed         position and speed of a body; BODY_v, BODY_a along its slider's axis
//   BODY_angle                its rotation about its hinge's axis, counting turns
// and for a case of one body: x y z, height, com_height, distance, slip, angle, radius_error.
//
// Names are compared with spaces as underscores. BODY may be the end of a body's name ("rod" for
// "conrod") or its beginning ("ball" for "ball01").
#include "tools/tenon/case_world.h"
#include "tools/tenon/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum case_output_kind {
    CASE_OUTPUT_KIND_PROBE = 0,
    CASE_OUTPUT_KIND_PROBE_VELOCITY,
    CASE_OUTPUT_KIND_FORCE,
    CASE_OUTPUT_KIND_MOTOR,
    CASE_OUTPUT_KIND_POSITION,
    CASE_OUTPUT_KIND_SPEED,
    CASE_OUTPUT_KIND_RATE,
    CASE_OUTPUT_KIND_ANGLE,
    CASE_OUTPUT_KIND_HEIGHT,       // of the lowest point of a ball over y = 0
    CASE_OUTPUT_KIND_DISTANCE,     // along the slope, downward positive
    CASE_OUTPUT_KIND_SLIP,         // of the ball's lowest point, along x
    CASE_OUTPUT_KIND_SWING,        // of the centre about the first joint, from hanging down
    CASE_OUTPUT_KIND_RADIUS_ERROR, // distance from the first joint's anchor, less its length
} case_output_kind;

typedef struct case_output {
    char name[CASE_NAME_SIZE];
    case_output_kind kind;
    int body, joint, probe;
    uint32_t axis; // 0, 1, 2: x, y, z
    double sign;
    tn_vec3 direction;
    double turned, last_angle; // of an angle: what it counted so far
} case_output;

struct case_output_list {
    const case_world *run;
    case_output *outputs;
    uint32_t count;
};

static double case_part(tn_vec3 v, uint32_t axis) {
    const double parts[3] = {v.x, v.y, v.z};
    return parts[axis];
}

static bool case_same(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char x = a[i] == ' ' ? '_' : a[i];
        char y = b[i] == ' ' ? '_' : b[i];
        if (x != y || x == '\0') {
            return false;
        }
    }
    return true;
}

// The body that a part of a name means: its name, or the beginning or the end of it. Or -1.
static int case_guess_body(const case_model *model, const char *name, size_t length) {
    int guess = -1;
    for (uint32_t i = 0; i < model->body_count && length > 0; i++) {
        const char *body = model->bodies[i].name;
        size_t size = strlen(body);
        if (size < length) {
            continue;
        }
        bool starts = case_same(body, name, length);
        bool ends = case_same(body + size - length, name, length);
        if (size == length && starts) {
            return (int)i;
        }
        guess = guess < 0 && (starts || ends) ? (int)i : guess;
    }
    return guess;
}

static int case_guess_joint(const case_model *model, const char *name, size_t length) {
    for (uint32_t i = 0; i < model->joint_count && length > 0; i++) {
        const char *joint = model->joints[i].name;
        if (strlen(joint) == length && case_same(joint, name, length)) {
            return (int)i;
        }
    }
    return -1;
}

// The part of `name` before `ending`, or 0 when it does not end so.
static size_t case_strip(const char *name, const char *ending) {
    size_t size = strlen(name);
    size_t length = strlen(ending);
    return size > length && strcmp(name + size - length, ending) == 0 ? size - length : 0;
}

static bool case_resolve_probe(const case_model *model, const char *name, case_output *out) {
    for (uint32_t i = 0; i < model->probe_count; i++) {
        size_t size = strlen(model->probes[i].name);
        if (strncmp(name, model->probes[i].name, size) != 0) {
            continue;
        }
        const char *rest = name + size;
        bool is_velocity = rest[0] == 'v';
        rest += is_velocity;
        if (rest[0] >= 'x' && rest[0] <= 'z' && rest[1] == '\0') {
            out->kind = is_velocity ? CASE_OUTPUT_KIND_PROBE_VELOCITY : CASE_OUTPUT_KIND_PROBE;
            out->probe = (int)i;
            out->axis = (uint32_t)(rest[0] - 'x');
            return true;
        }
    }
    return false;
}

static bool case_resolve_force(const case_model *model, const char *name, case_output *out) {
    static const char *const endings[] = {"_wall_force", "_force"};
    size_t size = strlen(name);
    if (size < 3 || name[size - 2] != '_' || name[size - 1] < 'x' || name[size - 1] > 'z') {
        return false;
    }
    out->kind = CASE_OUTPUT_KIND_FORCE;
    out->axis = (uint32_t)(name[size - 1] - 'x');
    out->sign = 1.0;
    char stem[CASE_NAME_SIZE];
    snprintf(stem, sizeof stem, "%.*s", (int)(size - 2), name);
    const char *on = strstr(stem, "_force_on_");
    if (on != NULL) {
        const char *body_name = on + strlen("_force_on_");
        int body = case_guess_body(model, body_name, strlen(body_name));
        out->joint = case_guess_joint(model, stem, (size_t)(on - stem));
        if (body < 0 || out->joint < 0) {
            return false;
        }
        const case_joint *joint = &model->joints[out->joint];
        out->sign = joint->b == body ? 1.0 : -1.0;
        return joint->a == body || joint->b == body;
    }
    for (uint32_t i = 0; i < 2; i++) {
        out->joint = case_guess_joint(model, stem, case_strip(stem, endings[i]));
        if (out->joint >= 0) {
            return true;
        }
    }
    return false;
}

static bool case_resolve_motor(const case_model *model, const char *name, case_output *out) {
    for (uint32_t i = 0; i < model->joint_count && strcmp(name, "motor_torque") == 0; i++) {
        if (model->joints[i].type == CASE_JOINT_TYPE_MOTOR) {
            out->kind = CASE_OUTPUT_KIND_MOTOR;
            out->joint = (int)i;
            return true;
        }
    }
    return false;
}

// The axis of the first joint of a type on a body; x when there is none.
static tn_vec3 case_get_joint_axis(const case_model *model, case_joint_type type, int body) {
    for (uint32_t i = 0; i < model->joint_count; i++) {
        const case_joint *joint = &model->joints[i];
        if (joint->type == type && (joint->a == body || joint->b == body)) {
            return joint->axis;
        }
    }
    return type == CASE_JOINT_TYPE_HINGE ? (tn_vec3){0.0, 0.0, 1.0} : (tn_vec3){1.0, 0.0, 0.0};
}

static bool case_resolve_body(const case_model *model, const char *name, case_output *out) {
    static const struct {
        const char *ending;
        case_output_kind kind;
        uint32_t axis;
    } endings[] = {
        {"_x", CASE_OUTPUT_KIND_POSITION, 0},  {"_y", CASE_OUTPUT_KIND_POSITION, 1},
        {"_z", CASE_OUTPUT_KIND_POSITION, 2},  {"_speed", CASE_OUTPUT_KIND_SPEED, 0},
        {"_angle", CASE_OUTPUT_KIND_ANGLE, 0}, {"_v", CASE_OUTPUT_KIND_RATE, 0},
    };
    for (uint32_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        out->body = case_guess_body(model, name, case_strip(name, endings[i].ending));
        if (out->body >= 0) {
            bool is_angle = endings[i].kind == CASE_OUTPUT_KIND_ANGLE;
            out->kind = endings[i].kind;
            out->axis = endings[i].axis;
            out->direction = case_get_joint_axis(
                model, is_angle ? CASE_JOINT_TYPE_HINGE : CASE_JOINT_TYPE_SLIDER, out->body);
            return true;
        }
    }
    return false;
}

static bool case_resolve_single(const case_model *model, const char *name, case_output *out) {
    static const struct {
        const char *name;
        case_output_kind kind;
        uint32_t axis;
    } names[] = {
        {"x", CASE_OUTPUT_KIND_POSITION, 0},
        {"y", CASE_OUTPUT_KIND_POSITION, 1},
        {"z", CASE_OUTPUT_KIND_POSITION, 2},
        {"height", CASE_OUTPUT_KIND_HEIGHT, 1},
        {"com_height", CASE_OUTPUT_KIND_HEIGHT, 0},
        {"distance", CASE_OUTPUT_KIND_DISTANCE, 0},
        {"slip", CASE_OUTPUT_KIND_SLIP, 0},
        {"angle", CASE_OUTPUT_KIND_SWING, 0},
        {"radius_error", CASE_OUTPUT_KIND_RADIUS_ERROR, 0},
    };
    if (model->body_count != 1) {
        return false;
    }
    out->body = 0;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i].name) == 0) {
            out->kind = names[i].kind;
            out->axis = names[i].axis;
            return true;
        }
    }
    return false;
}

case_output_list *case_output_list_create(const case_world *run, const case_file *file) {
    case_output_list *list = calloc(1, sizeof *list);
    case_output *outputs = calloc(file->output_count + 1, sizeof *outputs);
    if (list == NULL || outputs == NULL) {
        free(list);
        free(outputs);
        return NULL;
    }
    list->run = run;
    list->outputs = outputs;
    for (uint32_t i = 0; i < file->output_count; i++) {
        case_output *out = &outputs[list->count];
        const char *name = file->outputs[i];
        *out = (case_output){.body = -1, .joint = -1, .probe = -1, .sign = 1.0};
        memcpy(out->name, name, CASE_NAME_SIZE);
        bool is_known = case_resolve_probe(run->model, name, out) ||
                        case_resolve_motor(run->model, name, out) ||
                        case_resolve_force(run->model, name, out) ||
                        case_resolve_single(run->model, name, out) ||
                        case_resolve_body(run->model, name, out);
        list->count += is_known;
    }
    return list;
}

void case_output_list_destroy(case_output_list *list) {
    if (list != NULL) {
        free(list->outputs);
        free(list);
    }
}

uint32_t case_output_list_count(const case_output_list *list) {
    return list->count;
}

static double case_get_probe(const case_world *run, const case_output *out) {
    const case_probe *probe = &run->model->probes[out->probe];
    if (probe->body == CASE_WORLD) {
        return out->kind == CASE_OUTPUT_KIND_PROBE ? case_part(probe->anchor, out->axis) : 0.0;
    }
    const case_body *body = &run->model->bodies[probe->body];
    tn_vec3 arm = vector_subtract(probe->anchor, body->position);
    tn_vec3 local = vector_rotate_back(body->orientation, arm);
    tn_body_id id = run->bodies[probe->body];
    tn_vec3 p = tn_body_get_world_point(run->world, id, local);
    if (out->kind == CASE_OUTPUT_KIND_PROBE) {
        return case_part(p, out->axis);
    }
    return case_part(tn_body_get_point_velocity(run->world, id, p), out->axis);
}

static double case_get_joint_force(const case_world *run, const case_output *out) {
    tn_joint_id joint = run->joints[out->joint];
    if (!tn_joint_is_valid(run->world, joint)) {
        return 0.0; // released, or broken
    }
    tn_vec3 force = tn_joint_get_reaction(run->world, joint).force;
    return out->sign * case_part(force, out->axis);
}

static double case_get_motor_effort(const case_world *run, const case_output *out) {
    tn_joint_id joint = run->joints[out->joint];
    return tn_joint_is_valid(run->world, joint)
               ? run->motor_signs[out->joint] * (double)tn_joint_get_motor_effort(run->world, joint)
               : 0.0;
}

// Counts whole turns: the value nearest to the last one.
static double case_count_turns(case_output *out, double angle) {
    const double turn = 6.283185307179586;
    out->turned -= turn * floor((angle - out->last_angle + out->turned) / turn + 0.5);
    out->last_angle = angle + out->turned;
    return out->last_angle;
}

// The twist of the orientation about the axis, 2 atan2(q.n, w).
static double case_get_angle(const case_world *run, case_output *out) {
    tn_pose pose = tn_body_get_pose(run->world, run->bodies[out->body]);
    tn_quat q = pose.rotation;
    tn_vec3 v = {q.x, q.y, q.z};
    return case_count_turns(out, 2.0 * atan2(vector_dot(v, out->direction), q.w));
}

// The angle about the joint's axis, right-handed, from the downward direction to the centre of
// mass.
static double case_get_swing(const case_world *run, case_output *out) {
    const case_model *model = run->model;
    if (model->joint_count == 0) {
        return (double)NAN;
    }
    const case_joint *joint = &model->joints[0];
    tn_vec3 n = case_get_joint_axis(model, CASE_JOINT_TYPE_HINGE, out->body);
    tn_vec3 g = model->gravity;
    double along = vector_dot(g, n);
    tn_vec3 down = {g.x - along * n.x, g.y - along * n.y, g.z - along * n.z};
    tn_vec3 center = tn_body_get_center(run->world, run->bodies[out->body]);
    tn_vec3 arm = vector_subtract(center, joint->anchor_a);
    double across = vector_dot(arm, vector_cross(n, down));
    return case_count_turns(out, atan2(across, vector_dot(arm, down)));
}

static double case_get_distance(const case_world *run, const case_output *out) {
    const case_model *model = run->model;
    tn_vec3 n = model->contact_count > 0 ? model->contacts[0].normal : (tn_vec3){0.0, 1.0, 0.0};
    double along = vector_dot(model->gravity, n);
    tn_vec3 slope = {model->gravity.x - along * n.x, model->gravity.y - along * n.y,
                     model->gravity.z - along * n.z};
    double length = vector_length(slope);
    tn_vec3 p = tn_body_get_center(run->world, run->bodies[out->body]);
    tn_vec3 way = vector_subtract(p, model->bodies[out->body].position);
    return length > 0.0 ? vector_dot(way, slope) / length : vector_length(way);
}

static double case_get_radius_error(const case_world *run, const case_output *out) {
    if (run->model->joint_count == 0) {
        return 0.0;
    }
    const case_joint *joint = &run->model->joints[0];
    tn_vec3 p = tn_body_get_center(run->world, run->bodies[out->body]);
    tn_vec3 d = vector_subtract(p, joint->anchor_a);
    return vector_length(d) - joint->length;
}

static double case_get_body_value(const case_world *run, case_output *out) {
    tn_body_id body = run->bodies[out->body];
    tn_vec3 p = tn_body_get_center(run->world, body);
    tn_velocity v = tn_body_get_velocity(run->world, body);
    tn_vec3 center = p;
    double radius = run->model->bodies[out->body].shape.radius;
    const tn_vec3 *g = &run->model->gravity;
    switch (out->kind) {
    case CASE_OUTPUT_KIND_POSITION:
        return case_part(center, out->axis);
    case CASE_OUTPUT_KIND_SPEED:
        return sqrt(vector_dot(v.linear, v.linear));
    case CASE_OUTPUT_KIND_RATE:
        return vector_dot(v.linear, out->direction);
    case CASE_OUTPUT_KIND_HEIGHT:
        if (out->axis == 1) {
            return center.y - radius;
        }
        return -vector_dot(center, *g) / fmax(vector_length(*g), 1e-30);
    case CASE_OUTPUT_KIND_SLIP:
        return v.linear.x + v.angular.z * radius;
    default:
        return (double)NAN;
    }
}

const char *case_output_list_get_name(const case_output_list *list, uint32_t index) {
    return list->outputs[index].name;
}

bool case_output_list_is_force(const case_output_list *list, uint32_t index) {
    case_output_kind kind = list->outputs[index].kind;
    return kind == CASE_OUTPUT_KIND_FORCE || kind == CASE_OUTPUT_KIND_MOTOR;
}

double case_output_list_get_value(case_output_list *list, uint32_t index) {
    case_output *out = &list->outputs[index];
    switch (out->kind) {
    case CASE_OUTPUT_KIND_PROBE:
    case CASE_OUTPUT_KIND_PROBE_VELOCITY:
        return case_get_probe(list->run, out);
    case CASE_OUTPUT_KIND_FORCE:
        return case_get_joint_force(list->run, out);
    case CASE_OUTPUT_KIND_MOTOR:
        return case_get_motor_effort(list->run, out);
    case CASE_OUTPUT_KIND_ANGLE:
        return case_get_angle(list->run, out);
    case CASE_OUTPUT_KIND_SWING:
        return case_get_swing(list->run, out);
    case CASE_OUTPUT_KIND_DISTANCE:
        return case_get_distance(list->run, out);
    case CASE_OUTPUT_KIND_RADIUS_ERROR:
        return case_get_radius_error(list->run, out);
    default:
        return case_get_body_value(list->run, out);
    }
}
