// scenes/scene.c: finds scenes and runs them. The scenes themselves are one per file, listed in
// scenes/registry.c.
#include "scenes/scene.h"

#include "scenes/figure.h"
#include "scenes/release.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_NAME_LENGTH 32

typedef struct scene_name {
    char text[SCENE_NAME_LENGTH];
    uint32_t id;
    bool is_joint;
} scene_name;

const scene *scene_find(const char *name) {
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}

int scene_find_option(const scene *kind, const char *name) {
    for (uint32_t i = 0; i < kind->option_count; i++) {
        if (strcmp(kind->options[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

bool scene_get_values(const scene *kind, const scene_choice *choices, uint32_t count,
                      double *out_values) {
    for (uint32_t i = 0; i < kind->option_count; i++) {
        out_values[i] = kind->options[i].value;
    }
    for (uint32_t i = 0; i < count && choices[i].name != NULL; i++) {
        int index = scene_find_option(kind, choices[i].name);
        if (index < 0) {
            return false;
        }
        out_values[index] = choices[i].value;
    }
    return true;
}

// Takes over the option values; false when one is out of its range (or not a number).
static bool scene_set_values(scene_run *run, const double *values) {
    for (uint32_t i = 0; i < run->scene->option_count; i++) {
        const scene_option *option = &run->scene->options[i];
        double value = values == NULL ? option->value : values[i];
        if (!(value >= option->lower && value <= option->upper)) {
            return false;
        }
        run->values[i] = value;
    }
    return true;
}

// Remembers where every dynamic body is.
static bool scene_record_starts(scene_run *run) {
    uint32_t count = tn_world_count_bodies(run->world);
    tn_body_id *bodies = calloc(count + 1u, sizeof *bodies);
    run->starts = calloc(count + 1u, sizeof *run->starts);
    if (bodies == NULL || run->starts == NULL) {
        free(bodies);
        return false;
    }

    tn_world_get_bodies(run->world, bodies, count);
    for (uint32_t i = 0; i < count; i++) {
        if (tn_body_get_type(run->world, bodies[i]) == TN_BODY_TYPE_DYNAMIC) {
            scene_start *start = &run->starts[run->start_count++];
            start->body = bodies[i];
            start->center = tn_body_get_center(run->world, bodies[i]);
        }
    }
    free(bodies);
    return true;
}

static bool scene_fill(scene_run *run) {
    return run->scene->build(run) && !run->has_failed && scene_record_starts(run);
}

static bool scene_run_build(scene_run *run, const tn_world_def *def) {
    tn_world_def world_def = def == NULL ? tn_world_def_default() : *def;
    if (run->scene->configure != NULL) {
        run->scene->configure(run->values, &world_def);
    }
    run->world = tn_world_create(&world_def, NULL);
    return run->world != NULL && scene_fill(run);
}

// Forgets all but the scene, its values and the world.
bool scene_run_restart(scene_run *run) {
    scene_run again = {.scene = run->scene, .world = run->world};
    memcpy(again.values, run->values, sizeof again.values);
    free(run->starts);
    free(run->names);
    free(run->state);
    *run = again;
    return tn_world_clear(run->world) == TN_RESULT_OK && scene_fill(run);
}

scene_run *scene_run_create(const scene *kind, const double *values, const tn_world_def *def) {
    scene_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return NULL;
    }
    run->scene = kind;
    if (!scene_set_values(run, values) || !scene_run_build(run, def)) {
        scene_run_destroy(run);
        return NULL;
    }
    return run;
}

void scene_run_destroy(scene_run *run) {
    if (run == NULL) {
        return;
    }
    tn_world_destroy(run->world);
    free(run->starts);
    free(run->names);
    free(run->state);
    free(run);
}

static tn_result scene_step_part(scene_run *run, double dt, uint32_t substeps) {
    tn_result result = tn_world_step(run->world, dt, substeps);
    tn_telemetry telemetry = tn_world_get_telemetry(run->world);
    run->joint_gap_max = fmax(run->joint_gap_max, telemetry.worst_joint_linear);
    run->penetration_max = fmax(run->penetration_max, telemetry.deepest_penetration);
    return result;
}

static tn_result scene_step_cut(scene_run *run, double dt, uint32_t substeps) {
    double left = dt;
    tn_result result = TN_RESULT_OK;
    while (result == TN_RESULT_OK && left > RELEASE_REST * dt) {
        double part = run->scene->cut_step(run, left, dt);
        result = scene_step_part(run, part, substeps);
        left -= part;
    }
    return result;
}

tn_result scene_run_step(scene_run *run, double dt, uint32_t substeps) {
    if (run->scene->before_step != NULL) {
        run->scene->before_step(run, dt);
    }
    tn_result result = run->scene->cut_step != NULL ? scene_step_cut(run, dt, substeps)
                                                    : scene_step_part(run, dt, substeps);
    if (result == TN_RESULT_OK && run->scene->after_step != NULL) {
        run->scene->after_step(run, dt);
    }
    return result;
}

void scene_run_measure(scene_run *run) {
    run->figure_count = 0;
    if (run->scene->measure != NULL) {
        run->scene->measure(run);
    }
    run->own_count = run->figure_count;
    if (run->joint_gap_max > 0.0) {
        scene_run_add_figure(run, "joint_gap_max_m", run->joint_gap_max);
        scene_run_add_figure(run, "joint_gap_end_m", figure_get_joint_gap(run));
    }
    if (run->penetration_max > 0.0) {
        scene_run_add_figure(run, "penetration_max_m", run->penetration_max);
    }
}

double scene_run_get_value(const scene_run *run, const char *option) {
    int index = scene_find_option(run->scene, option);
    return index < 0 ? 0.0 : run->values[index];
}

void *scene_run_alloc_state(scene_run *run, size_t size) {
    free(run->state);
    run->state = calloc(1, size);
    run->state_size = run->state == NULL ? 0 : size;
    if (run->state == NULL) {
        run->has_failed = true;
    }
    return run->state;
}

// A free name record, or null when there is no memory; a nameless body is no failure.
static scene_name *scene_run_add_name(scene_run *run) {
    if (run->name_count == run->name_capacity) {
        uint32_t capacity = run->name_capacity == 0 ? 16 : 2 * run->name_capacity;
        scene_name *names = realloc(run->names, capacity * sizeof *names);
        if (names == NULL) {
            return NULL;
        }
        run->names = names;
        run->name_capacity = capacity;
    }
    return &run->names[run->name_count++];
}

static void scene_run_name(scene_run *run, uint32_t id, bool is_joint, const char *format,
                           va_list arguments) {
    scene_name *name = scene_run_add_name(run);
    if (name != NULL) {
        name->id = id;
        name->is_joint = is_joint;
        vsnprintf(name->text, sizeof name->text, format, arguments);
    }
}

void scene_run_name_body(scene_run *run, tn_body_id body, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    scene_run_name(run, body.value, false, format, arguments);
    va_end(arguments);
}

void scene_run_name_joint(scene_run *run, tn_joint_id joint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    scene_run_name(run, joint.value, true, format, arguments);
    va_end(arguments);
}

void scene_run_add_figure(scene_run *run, const char *name, double value) {
    if (run->figure_count < SCENE_MAX_FIGURES) {
        run->figures[run->figure_count++] = (scene_figure){name, value};
    }
}

static const char *scene_run_get_name(const scene_run *run, uint32_t id, bool is_joint) {
    for (uint32_t i = 0; i < run->name_count; i++) {
        if (run->names[i].id == id && run->names[i].is_joint == is_joint) {
            return run->names[i].text;
        }
    }
    return NULL;
}

static uint32_t scene_run_find_name(const scene_run *run, const char *text, bool is_joint) {
    for (uint32_t i = 0; i < run->name_count; i++) {
        if (run->names[i].is_joint == is_joint && strcmp(run->names[i].text, text) == 0) {
            return run->names[i].id;
        }
    }
    return 0;
}

const char *scene_run_get_body_name(const scene_run *run, tn_body_id body) {
    return scene_run_get_name(run, body.value, false);
}

const char *scene_run_get_joint_name(const scene_run *run, tn_joint_id joint) {
    return scene_run_get_name(run, joint.value, true);
}

tn_body_id scene_run_find_body(const scene_run *run, const char *name) {
    return (tn_body_id){scene_run_find_name(run, name, false)};
}

tn_joint_id scene_run_find_joint(const scene_run *run, const char *name) {
    return (tn_joint_id){scene_run_find_name(run, name, true)};
}
