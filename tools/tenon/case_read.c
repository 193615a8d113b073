// tools/tenon/case_read.c: a case out of a JSON file: bodies, what is measured, and the parts
// together.
#include "tools/tenon/case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *case_alloc(const json_node *node, uint32_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        json_node_fail(node, "not enough memory");
    }
    return memory;
}

int case_model_find_body(const case_model *model, const char *name) {
    if (strcmp(name, "world") == 0) {
        return CASE_WORLD;
    }
    uint32_t first = 0, last = model->body_count;
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        const case_body *body = model->bodies_by_name[middle];
        int order = strcmp(name, body->name);
        if (order == 0) {
            return (int)(body - model->bodies);
        }
        first = order > 0 ? middle + 1 : first;
        last = order > 0 ? last : middle;
    }
    return -2;
}

bool case_read_body_name(const json_node *node, const char *key, const case_model *model,
                         int *out) {
    char name[CASE_NAME_SIZE];
    if (!json_node_get_text(node, key, name, sizeof name)) {
        return false;
    }
    *out = case_model_find_body(model, name);
    json_node member = json_node_get(node, key);
    return *out >= CASE_WORLD ||
           json_node_fail(
               &member, "no body has the name \"%s\"; expected that of a body, or \"world\"", name);
}

bool case_read_type(const json_node *node, const char *const *names, uint32_t count,
                    uint32_t *out) {
    char type[CASE_NAME_SIZE];
    if (!json_node_get_text(node, "type", type, sizeof type)) {
        return false;
    }
    char list[256] = "";
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(type, names[i]) == 0) {
            *out = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    json_node member = json_node_get(node, "type");
    return json_node_fail(&member, "\"%s\" is not known; expected one of %s", type, list);
}

// Is the symmetric matrix positive semidefinite, but for `slack`? By its principal minors.
static bool case_is_positive(const tn_mat3_symmetric *m, double slack) {
    double xy = m->xx * m->yy - m->xy * m->xy;
    double xz = m->xx * m->zz - m->xz * m->xz;
    double yz = m->yy * m->zz - m->yz * m->yz;
    double all = m->xx * yz - m->xy * (m->xy * m->zz - m->xz * m->yz) +
                 m->xz * (m->xy * m->yz - m->xz * m->yy);
    return fmin(m->xx, fmin(m->yy, m->zz)) >= -slack && fmin(xy, fmin(xz, yz)) >= -slack * slack &&
           all >= -slack * slack * slack;
}

// An inertia J belongs to a body if its second moments, tr(J)/2 - J, are not negative: then no
// principal moment is larger than the sum of the others. Three moments that are not so are mended
// later.
static bool case_check_inertia(const json_node *node, const tn_mat3_symmetric *m) {
    double size = m->xx + m->yy + m->zz;
    double half = 0.5 * size;
    tn_mat3_symmetric second = {half - m->xx, half - m->yy, half - m->zz, -m->xy, -m->xz, -m->yz};
    bool is_diagonal = m->xy == 0.0 && m->xz == 0.0 && m->yz == 0.0;
    double least = fmin(m->xx, fmin(m->yy, m->zz));
    bool is_point = is_diagonal && least == 0.0 && size == 0.0;
    if (is_point || (is_diagonal && least > 0.0)) {
        return true;
    }
    if (is_diagonal || !(least > 0.0) || !case_is_positive(m, 0.0)) {
        return json_node_fail(node, "expected moments above 0 about every axis");
    }
    return case_is_positive(&second, 1e-6 * size) ||
           json_node_fail(node, "a principal moment is larger than the sum of the other two");
}

static bool case_read_moments(const json_node *node, tn_mat3_symmetric *out) {
    double moments[3];
    if (!json_node_read_numbers(node, moments, 3)) {
        return false;
    }
    *out = (tn_mat3_symmetric){.xx = moments[0], .yy = moments[1], .zz = moments[2]};
    return true;
}

static bool case_read_matrix(const json_node *node, tn_mat3_symmetric *out) {
    double m[3][3];
    if (json_node_count(node) != 3) {
        return json_node_fail(node, "expected 3 numbers, or 3 rows of 3 numbers");
    }
    for (int i = 0; i < 3; i++) {
        json_node row = json_node_get_element(node, i);
        if (!json_node_read_numbers(&row, m[i], 3)) {
            return false;
        }
    }
    double size = fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2]);
    if (fabs(m[0][1] - m[1][0]) + fabs(m[0][2] - m[2][0]) + fabs(m[1][2] - m[2][1]) > 1e-9 * size) {
        return json_node_fail(node, "expected a symmetric matrix");
    }
    *out = (tn_mat3_symmetric){m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]};
    return true;
}

// Three principal moments, or a symmetric matrix of 3 x 3.
static bool case_read_inertia(const json_node *body, tn_mat3_symmetric *out) {
    json_node node;
    if (!json_node_get_array(body, "inertia", &node)) {
        return false;
    }
    json_node first = json_node_get_element(&node, 0);
    bool is_matrix = cJSON_IsArray(first.item);
    return (is_matrix ? case_read_matrix(&node, out) : case_read_moments(&node, out)) &&
           case_check_inertia(&node, out);
}

// The unit quaternion of a member "orientation"; no turn where there is none.
bool case_read_orientation(const json_node *node, tn_quat *out) {
    double q[4] = {0.0, 0.0, 0.0, 1.0};
    json_node member = json_node_get(node, "orientation");
    if (json_node_has(node, "orientation") && !json_node_read_numbers(&member, q, 4)) {
        return false;
    }
    *out = (tn_quat){q[0], q[1], q[2], q[3]};
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return fabs(length - 1.0) < 1e-3 ||
           json_node_fail(&member, "expected a unit quaternion, found one of length %g", length);
}

static bool case_read_body(const json_node *node, case_body *body) {
    if (!json_node_get_text(node, "name", body->name, sizeof body->name)) {
        return false;
    }
    json_node name = json_node_get(node, "name");
    if (body->name[0] == '\0' || strcmp(body->name, "world") == 0) {
        return json_node_fail(&name, "expected a name other than \"%s\"", body->name);
    }
    json_node_get_positive(node, "mass", &body->mass);
    json_node_get_optional_bool(node, "particle", &body->is_particle);
    if (!body->is_particle) {
        case_read_inertia(node, &body->inertia);
    }
    json_node_get_vector(node, "position", &body->position);
    case_read_orientation(node, &body->orientation);
    json_node_get_optional_vector(node, "linear_velocity", &body->linear_velocity);
    json_node_get_optional_vector(node, "angular_velocity", &body->angular_velocity);
    return !json_reader_has_error(node->reader) && case_read_shape(node, &body->shape);
}

// Those of one name in their order in the file.
static int case_compare_names(const void *a, const void *b) {
    const case_body *of_a = *(const case_body *const *)a, *of_b = *(const case_body *const *)b;
    int order = strcmp(of_a->name, of_b->name);
    return order != 0 ? order : (of_a > of_b) - (of_a < of_b);
}

static bool case_sort_names(const json_node *list, case_model *model) {
    model->bodies_by_name = case_alloc(list, model->body_count, sizeof *model->bodies_by_name);
    if (model->bodies_by_name == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < model->body_count; i++) {
        model->bodies_by_name[i] = &model->bodies[i];
    }
    qsort(model->bodies_by_name, model->body_count, sizeof *model->bodies_by_name,
          case_compare_names);
    for (uint32_t i = 1; i < model->body_count; i++) {
        const case_body *body = model->bodies_by_name[i];
        if (strcmp(model->bodies_by_name[i - 1]->name, body->name) == 0) {
            json_node element = json_node_get_element(list, (int)(body - model->bodies));
            json_node name = json_node_get(&element, "name");
            return json_node_fail(&name, "two bodies have the name \"%s\"", body->name);
        }
    }
    return true;
}

static bool case_read_bodies(const json_node *node, case_model *model) {
    json_node list;
    if (!json_node_get_array(node, "bodies", &list)) {
        return false;
    }
    uint32_t count = (uint32_t)json_node_count(&list);
    if (count == 0) {
        return json_node_fail(&list, "expected at least one body");
    }
    model->bodies = case_alloc(&list, count, sizeof *model->bodies);
    if (model->bodies == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        json_node element = json_node_get_element(&list, (int)i);
        model->body_count = i + 1;
        if (!case_read_body(&element, &model->bodies[i])) {
            return false;
        }
    }
    return case_sort_names(&list, model);
}

static bool case_read_probes(const json_node *node, case_model *model) {
    if (!json_node_has(node, "probes")) {
        return true;
    }
    json_node list;
    if (!json_node_get_object(node, "probes", &list)) {
        return false;
    }
    uint32_t count = (uint32_t)json_node_count(&list);
    model->probes = case_alloc(&list, count, sizeof *model->probes);
    for (uint32_t i = 0; i < count && model->probes != NULL; i++) {
        json_node element = json_node_get_element(&list, (int)i);
        json_node probe = json_node_get(&list, element.item->string);
        case_probe *out = &model->probes[i];
        snprintf(out->name, sizeof out->name, "%.*s", CASE_NAME_SIZE - 1, element.item->string);
        if (!case_read_body_name(&probe, "body", model, &out->body) ||
            !json_node_get_vector(&probe, "anchor", &out->anchor)) {
            return false;
        }
        model->probe_count = i + 1;
    }
    return model->probes != NULL;
}

// The quantities that a scenario asks for are the keys of its "expect".
static bool case_read_rule(const json_node *node, case_model *model) {
    model->rule_distance = 0.05;
    json_node expect;
    if (!json_node_get_text(node, "name", model->name, sizeof model->name) ||
        !json_node_get_positive(node, "t_check", &model->time) ||
        !json_node_get_optional_text(node, "rule", model->rule, sizeof model->rule) ||
        !json_node_get_optional_text(node, "also_report", model->also_report,
                                     sizeof model->also_report) ||
        !json_node_get_optional_number(node, "rule_distance", &model->rule_distance) ||
        !json_node_get_object(node, "expect", &expect)) {
        return false;
    }
    int count = json_node_count(&expect);
    if (count > CASE_MAX_EXPECT) {
        return json_node_fail(&expect, "expected at most %d quantities", CASE_MAX_EXPECT);
    }
    for (int i = 0; i < count; i++) {
        const char *key = json_node_get_element(&expect, i).item->string;
        snprintf(model->expect[i], CASE_NAME_SIZE, "%.*s", CASE_NAME_SIZE - 1, key);
    }
    model->expect_count = (uint32_t)count;
    return true;
}

// `outer` holds what a scenario leaves to the case: gravity.
static bool case_read_model(const json_node *node, const json_node *outer, case_model *model) {
    const json_node *holder = json_node_has(node, "gravity") ? node : outer;
    return json_node_get_vector(holder, "gravity", &model->gravity) &&
           case_read_bodies(node, model) && case_read_joints(node, model) &&
           case_read_forces(node, model) && case_read_contacts(node, model) &&
           case_read_probes(node, model) && case_read_release(node, model);
}

static bool case_read_output_names(const json_node *root, case_file *file) {
    json_node reference = json_node_get(root, "reference");
    json_node outputs = json_node_get(&reference, "outputs");
    if (!cJSON_IsObject(outputs.item)) {
        return true;
    }
    uint32_t count = (uint32_t)json_node_count(&outputs);
    file->outputs = case_alloc(&outputs, count, sizeof *file->outputs);
    if (file->outputs == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *key = json_node_get_element(&outputs, (int)i).item->string;
        snprintf(file->outputs[i], CASE_NAME_SIZE, "%.*s", CASE_NAME_SIZE - 1, key);
    }
    file->output_count = count;
    return true;
}

static bool case_read_trajectory(const json_node *root, case_file *file) {
    file->models = case_alloc(root, 1, sizeof *file->models);
    if (file->models == NULL) {
        return false;
    }
    file->model_count = 1;
    case_model *model = &file->models[0];
    file->sample = 0.05;
    if (!json_node_get_positive(root, "t_end", &model->time) ||
        !json_node_get_optional_number(root, "sample_dt", &file->sample) ||
        !case_read_model(root, root, model) || !case_read_output_names(root, file)) {
        return false;
    }
    json_node sample = json_node_get(root, "sample_dt");
    if (!(file->sample > 0.0)) {
        return json_node_fail(&sample, "expected a number above 0, found %g", file->sample);
    }
    for (uint32_t i = 0; i < model->contact_count; i++) {
        file->every_step = file->every_step || model->contacts[i].restitution > 0.0;
    }
    return true;
}

static bool case_read_scenarios(const json_node *root, case_file *file) {
    json_node list;
    if (!json_node_get_array(root, "scenarios", &list)) {
        return false;
    }
    uint32_t count = (uint32_t)json_node_count(&list);
    if (count == 0) {
        return json_node_fail(&list, "expected at least one scenario");
    }
    file->models = case_alloc(&list, count, sizeof *file->models);
    if (file->models == NULL) {
        return false;
    }
    file->sample = 0.05;
    for (uint32_t i = 0; i < count; i++) {
        json_node scenario = json_node_get_element(&list, (int)i);
        file->model_count = i + 1;
        if (!case_read_rule(&scenario, &file->models[i]) ||
            !case_read_model(&scenario, root, &file->models[i])) {
            return false;
        }
    }
    return true;
}

static bool case_read_file(const json_node *root, case_file *file) {
    char kind[CASE_NAME_SIZE] = "trajectory";
    if (!json_node_get_text(root, "case", file->name, sizeof file->name) ||
        !json_node_get_optional_text(root, "family", file->family, sizeof file->family) ||
        !json_node_get_optional_text(root, "kind", kind, sizeof kind)) {
        return false;
    }
    file->is_criteria = strcmp(kind, "criteria") == 0;
    if (file->is_criteria) {
        return case_read_scenarios(root, file);
    }
    json_node member = json_node_get(root, "kind");
    return strcmp(kind, "trajectory") == 0
               ? case_read_trajectory(root, file)
               : json_node_fail(&member, "expected \"trajectory\" or \"criteria\", found \"%s\"",
                                kind);
}

case_file *case_file_load(const char *path, char *error) {
    json_reader reader;
    case_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        snprintf(error, JSON_ERROR_SIZE, "%s: not enough memory", path);
        return NULL;
    }
    if (json_reader_load(&reader, path)) {
        json_node root = json_reader_get_root(&reader);
        case_read_file(&root, file);
    }
    json_reader_clear(&reader);
    if (json_reader_has_error(&reader)) {
        memcpy(error, reader.error, JSON_ERROR_SIZE);
        case_file_destroy(file);
        return NULL;
    }
    return file;
}

static void case_model_clear(case_model *model) {
    for (uint32_t i = 0; i < model->body_count; i++) {
        free(model->bodies[i].shape.vertices);
    }
    for (uint32_t i = 0; i < model->contact_count; i++) {
        free(model->contacts[i].takes_part);
    }
    free(model->bodies_by_name);
    free(model->bodies);
    free(model->joints);
    free(model->forces);
    free(model->contacts);
    free(model->probes);
}

void case_file_destroy(case_file *file) {
    if (file == NULL) {
        return;
    }
    for (uint32_t i = 0; i < file->model_count; i++) {
        case_model_clear(&file->models[i]);
    }
    free(file->models);
    free(file->outputs);
    free(file);
}
