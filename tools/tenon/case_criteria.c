// tools/tenon/case_criteria.c: the quantities of a scenario.
//
// Up is against gravity, snapped to the normal of the first plane where there is one: a tilted
// gravity stands for a tilted floor. Quantities at t_check unless they say otherwise:
//   stands                   1 if every body's centre has moved less than rule_distance, else 0
//   falls                    1 if the first body's centre is below 0.4 times its height, else 0
//   distance_m               how far the centre has moved; of several bodies the farthest
//   top_sink_m               how far the topmost body's centre has come down
//   max_horizontal_drift_m   the largest way of a centre across the vertical
//   contact_force_bottom_N   what static shapes push with along the vertical, mean over the last
//   step all_fall                 1 if every body is tilted more than 0.3 rad time_s when the last
//   body that is to fall did: tilted over 0.3 rad, or for a single
//                            body its centre below 0.4 times its height; -1 if it never did
//   speed_over_sqrt_gh       mean speed of the falling front (tilt over 0.1 rad) from the 8th body
//   to the
//                            18th, or to the last, over sqrt(g h)
#include "tools/tenon/case_world.h"
#include "tools/tenon/vector.h"

#include <stdlib.h>
#include <string.h>

#define CASE_FALL_SHARE  0.4 // of the height
#define CASE_TILT_FALLEN 0.3 // rad
#define CASE_TILT_FRONT  0.1 // rad
#define CASE_FRONT_FIRST 7   // index of the 8th body
#define CASE_FRONT_LAST  17

static tn_vec3 case_get_up(const case_model *model) {
    for (uint32_t i = 0; i < model->contact_count; i++) {
        if (model->contacts[i].kind == CASE_CONTACT_KIND_PLANE) {
            return model->contacts[i].normal;
        }
    }
    double g = vector_length(model->gravity);
    if (g <= 0.0) {
        return (tn_vec3){0.0, 1.0, 0.0};
    }
    return (tn_vec3){-model->gravity.x / g, -model->gravity.y / g, -model->gravity.z / g};
}

static tn_vec3 case_get_center(const case_watch *watch, uint32_t body) {
    return tn_body_get_center(watch->run->world, watch->run->bodies[body]);
}

static tn_vec3 case_get_way(const case_watch *watch, uint32_t body) {
    return vector_subtract(case_get_center(watch, body), watch->run->model->bodies[body].position);
}

// The angle between what was up on the body at the start and up.
static double case_get_tilt(const case_watch *watch, uint32_t body) {
    tn_vec3 up = case_get_up(watch->run->model);
    tn_quat q = watch->run->model->bodies[body].orientation;
    tn_vec3 local = vector_rotate_back(q, up);
    tn_vec3 now = tn_body_get_world_vector(watch->run->world, watch->run->bodies[body], local);
    return acos(fmax(-1.0, fmin(1.0, vector_dot(now, up))));
}

// Of the body's bounds along up.
static double case_get_height(const case_watch *watch, uint32_t body) {
    tn_bounds b = tn_body_get_bounds(watch->run->world, watch->run->bodies[body]);
    tn_vec3 up = case_get_up(watch->run->model);
    return fabs(up.x) * (b.upper.x - b.lower.x) + fabs(up.y) * (b.upper.y - b.lower.y) +
           fabs(up.z) * (b.upper.z - b.lower.z);
}

// Height of the centre over the first plane, or over the world's origin.
static double case_get_elevation(const case_watch *watch, uint32_t body) {
    const case_model *model = watch->run->model;
    double offset = 0.0;
    for (uint32_t i = model->contact_count; i > 0; i--) {
        if (model->contacts[i - 1].kind == CASE_CONTACT_KIND_PLANE) {
            offset = model->contacts[i - 1].offset;
        }
    }
    return vector_dot(case_get_center(watch, body), case_get_up(model)) - offset;
}

bool case_watch_create(case_watch *watch, const case_world *run, double dt) {
    uint32_t count = run->model->body_count;
    *watch = (case_watch){.run = run, .dt = dt};
    watch->tilt_times = malloc(count * sizeof(double));
    watch->fall_times = malloc(count * sizeof(double));
    if (watch->tilt_times == NULL || watch->fall_times == NULL) {
        case_watch_destroy(watch);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        watch->tilt_times[i] = -1.0;
        watch->fall_times[i] = -1.0;
    }
    watch->height = case_get_height(watch, 0);
    return true;
}

void case_watch_destroy(case_watch *watch) {
    free(watch->tilt_times);
    free(watch->fall_times);
    watch->tilt_times = NULL;
    watch->fall_times = NULL;
}

void case_watch_step(case_watch *watch, double time) {
    uint32_t count = watch->run->model->body_count;
    watch->time = time;
    for (uint32_t i = 0; i < count; i++) {
        double tilt = case_get_tilt(watch, i);
        bool falls = count == 1 ? case_get_elevation(watch, 0) < CASE_FALL_SHARE * watch->height
                                : tilt > CASE_TILT_FALLEN;
        if (tilt > CASE_TILT_FRONT && watch->tilt_times[i] < 0.0) {
            watch->tilt_times[i] = time;
        }
        if (falls && watch->fall_times[i] < 0.0) {
            watch->fall_times[i] = time;
        }
    }
}

static double case_get_distance(const case_watch *watch) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < watch->run->model->body_count; i++) {
        tn_vec3 way = case_get_way(watch, i);
        farthest = fmax(farthest, vector_length(way));
    }
    return farthest;
}

static double case_get_drift(const case_watch *watch) {
    tn_vec3 up = case_get_up(watch->run->model);
    double largest = 0.0;
    for (uint32_t i = 0; i < watch->run->model->body_count; i++) {
        tn_vec3 way = case_get_way(watch, i);
        double rise = vector_dot(way, up);
        largest = fmax(largest, sqrt(fmax(0.0, vector_dot(way, way) - rise * rise)));
    }
    return largest;
}

static double case_get_sink(const case_watch *watch) {
    const case_model *model = watch->run->model;
    tn_vec3 up = case_get_up(model);
    uint32_t top = 0;
    for (uint32_t i = 1; i < model->body_count; i++) {
        if (vector_dot(model->bodies[i].position, up) >
            vector_dot(model->bodies[top].position, up)) {
            top = i;
        }
    }
    return -vector_dot(case_get_way(watch, top), up);
}

static double case_get_last_fall(const case_watch *watch) {
    double last = 0.0;
    for (uint32_t i = 0; i < watch->run->model->body_count; i++) {
        if (watch->fall_times[i] < 0.0) {
            return -1.0;
        }
        last = fmax(last, watch->fall_times[i]);
    }
    return last;
}

static double case_get_all_tilted(const case_watch *watch) {
    for (uint32_t i = 0; i < watch->run->model->body_count; i++) {
        if (!(case_get_tilt(watch, i) > CASE_TILT_FALLEN)) {
            return 0.0;
        }
    }
    return 1.0;
}

static double case_get_front_speed(const case_watch *watch) {
    const case_model *model = watch->run->model;
    uint32_t last = model->body_count > CASE_FRONT_LAST ? CASE_FRONT_LAST : model->body_count - 1;
    uint32_t first = CASE_FRONT_FIRST < last ? CASE_FRONT_FIRST : 0;
    tn_vec3 way = vector_subtract(model->bodies[last].position, model->bodies[first].position);
    double time = watch->tilt_times[last] - watch->tilt_times[first];
    double g = vector_length(model->gravity);
    if (watch->tilt_times[last] < 0.0 || time <= 0.0 || g * watch->height <= 0.0) {
        return 0.0;
    }
    return vector_length(way) / time / sqrt(g * watch->height);
}

static double case_get_static_force(const case_watch *watch) {
    const tn_world *world = watch->run->world;
    tn_vec3 up = case_get_up(watch->run->model);
    uint32_t count = tn_world_count_contacts(world);
    tn_contact_id *contacts = calloc(count > 0 ? count : 1, sizeof *contacts);
    double impulse = 0.0;
    if (contacts == NULL) {
        return (double)NAN;
    }
    tn_world_get_contacts(world, contacts, count);
    for (uint32_t i = 0; i < count; i++) {
        tn_contact contact = tn_contact_get(world, contacts[i]);
        bool a = tn_body_get_type(world, contact.body_a) == TN_BODY_TYPE_STATIC;
        bool b = tn_body_get_type(world, contact.body_b) == TN_BODY_TYPE_STATIC;
        tn_vec3 n = contact.normal;
        for (uint32_t k = 0; k < contact.point_count && a != b; k++) {
            double along = vector_dot(n, up) * (double)contact.points[k].normal_impulse;
            impulse += a ? along : -along;
        }
    }
    free(contacts);
    return impulse / watch->dt;
}

static double case_get_stands(const case_watch *watch) {
    return case_get_distance(watch) < watch->run->model->rule_distance ? 1.0 : 0.0;
}

static double case_get_falls(const case_watch *watch) {
    return case_get_elevation(watch, 0) < CASE_FALL_SHARE * watch->height ? 1.0 : 0.0;
}

typedef struct case_quantity {
    const char *name;
    double (*get)(const case_watch *watch);
} case_quantity;

static const case_quantity case_quantities[] = {
    {"stands", case_get_stands},
    {"falls", case_get_falls},
    {"distance_m", case_get_distance},
    {"top_sink_m", case_get_sink},
    {"max_horizontal_drift_m", case_get_drift},
    {"contact_force_bottom_N", case_get_static_force},
    {"all_fall", case_get_all_tilted},
    {"time_s", case_get_last_fall},
    {"speed_over_sqrt_gh", case_get_front_speed},
};

#define CASE_QUANTITY_COUNT (sizeof case_quantities / sizeof case_quantities[0])

bool case_watch_get(const case_watch *watch, const char *quantity, double *out) {
    for (uint32_t i = 0; i < CASE_QUANTITY_COUNT; i++) {
        if (strcmp(quantity, case_quantities[i].name) == 0) {
            *out = case_quantities[i].get(watch);
            return true;
        }
    }
    return false;
}

const char *case_watch_get_name(uint32_t index) {
    return index < CASE_QUANTITY_COUNT ? case_quantities[index].name : NULL;
}
