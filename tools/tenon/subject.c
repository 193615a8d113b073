// tools/tenon/subject.c: gathers the bodies and joints of what is run, with their names.
#include "tools/tenon/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *subject_find_case_name(const case_world *model, tn_body_id body) {
    for (uint32_t i = 0; i < model->model->body_count; i++) {
        if (model->bodies[i].value == body.value) {
            return model->model->bodies[i].name;
        }
    }
    for (uint32_t i = 0; i < model->model->contact_count; i++) {
        if (model->statics[i].value == body.value) {
            return model->model->contacts[i].name;
        }
    }
    return NULL;
}

static const char *subject_find_case_joint_name(const case_world *model, tn_joint_id joint) {
    for (uint32_t i = 0; i < model->model->joint_count; i++) {
        if (model->joints[i].value == joint.value) {
            return model->model->joints[i].name;
        }
    }
    return NULL;
}

static void subject_name(char *out, const char *name, const char *kind, uint32_t index) {
    if (name != NULL && name[0] != '\0') {
        snprintf(out, CASE_NAME_SIZE, "%.*s", CASE_NAME_SIZE - 1, name);
    } else {
        snprintf(out, CASE_NAME_SIZE, "%s%u", kind, (unsigned)index + 1);
    }
}

static int subject_compare(const void *a, const void *b) {
    const subject_body *p = *(const subject_body *const *)a;
    const subject_body *q = *(const subject_body *const *)b;
    return (p->id.value > q->id.value) - (p->id.value < q->id.value);
}

static bool subject_sort_bodies(run_subject *subject) {
    const subject_body **order = calloc(subject->body_count + 1, sizeof *order);
    subject->body_order = calloc(subject->body_count + 1, sizeof *subject->body_order);
    if (order == NULL || subject->body_order == NULL) {
        free(order);
        return false;
    }
    for (uint32_t i = 0; i < subject->body_count; i++) {
        order[i] = &subject->bodies[i];
    }
    if (subject->body_count > 0) {
        qsort(order, subject->body_count, sizeof *order, subject_compare);
    }
    for (uint32_t i = 0; i < subject->body_count; i++) {
        subject->body_order[i] = (uint32_t)(order[i] - subject->bodies);
    }
    free(order);
    return true;
}

static bool subject_gather_bodies(run_subject *subject) {
    uint32_t count = tn_world_count_bodies(subject->world);
    tn_body_id *ids = calloc(count + 1, sizeof *ids);
    subject->bodies = calloc(count + 1, sizeof *subject->bodies);
    if (ids == NULL || subject->bodies == NULL) {
        free(ids);
        return false;
    }
    tn_world_get_bodies(subject->world, ids, count);
    subject->body_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = subject->scene != NULL ? scene_run_get_body_name(subject->scene, ids[i])
                                                  : subject_find_case_name(subject->model, ids[i]);
        subject->bodies[i].id = ids[i];
        subject->bodies[i].is_static =
            tn_body_get_type(subject->world, ids[i]) == TN_BODY_TYPE_STATIC;
        subject_name(subject->bodies[i].name, name, "body", i);
    }
    free(ids);
    return subject_sort_bodies(subject);
}

static bool subject_gather_joints(run_subject *subject) {
    uint32_t count = tn_world_count_joints(subject->world);
    tn_joint_id *ids = calloc(count + 1, sizeof *ids);
    subject->joints = calloc(count + 1, sizeof *subject->joints);
    if (ids == NULL || subject->joints == NULL) {
        free(ids);
        return false;
    }
    tn_world_get_joints(subject->world, ids, count);
    subject->joint_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = subject->scene != NULL
                               ? scene_run_get_joint_name(subject->scene, ids[i])
                               : subject_find_case_joint_name(subject->model, ids[i]);
        subject->joints[i].id = ids[i];
        subject_name(subject->joints[i].name, name, "joint", i);
    }
    free(ids);
    return true;
}

bool subject_init_scene(run_subject *subject, scene_run *run) {
    memset(subject, 0, sizeof *subject);
    subject->scene = run;
    subject->world = run->world;
    subject->time = run->scene->time;
    subject->sample = 0.05;
    snprintf(subject->name, sizeof subject->name, "%s", run->scene->name);
    return subject_gather_bodies(subject) && subject_gather_joints(subject);
}

bool subject_init_case(run_subject *subject, const case_file *file, case_world *model) {
    memset(subject, 0, sizeof *subject);
    subject->model = model;
    subject->file = file;
    subject->world = model->world;
    subject->time = model->model->time;
    subject->sample = file->sample;
    subject->every_step = file->every_step;
    bool is_scenario = model->model->name[0] != '\0';
    snprintf(subject->name, sizeof subject->name, "%s%s%s", file->name, is_scenario ? " " : "",
             model->model->name);
    return subject_gather_bodies(subject) && subject_gather_joints(subject);
}

void subject_destroy(run_subject *subject) {
    if (subject->scene != NULL) {
        scene_run_destroy(subject->scene);
    }
    case_world_destroy(subject->model);
    free(subject->bodies);
    free(subject->joints);
    free(subject->body_order);
    memset(subject, 0, sizeof *subject);
}

tn_result subject_step(run_subject *subject, double dt, uint32_t substeps) {
    return subject->scene != NULL ? scene_run_step(subject->scene, dt, substeps)
                                  : case_world_step(subject->model, dt, substeps);
}

const char *subject_get_body_name(const run_subject *subject, tn_body_id body) {
    uint32_t low = 0;
    uint32_t high = subject->body_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const subject_body *entry = &subject->bodies[subject->body_order[middle]];
        if (entry->id.value == body.value) {
            return entry->name;
        }
        if (entry->id.value < body.value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return body.value == 0 ? "world" : "?";
}

const char *subject_get_joint_name(const run_subject *subject, tn_joint_id joint) {
    for (uint32_t i = 0; i < subject->joint_count; i++) {
        if (subject->joints[i].id.value == joint.value) {
            return subject->joints[i].name;
        }
    }
    return "?";
}
