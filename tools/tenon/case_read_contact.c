// tools/tenon/case_read_contact.c: shapes and contacts out of a case's JSON.
#include "tools/tenon/case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool case_read_vertices(const json_node *shape, case_shape *out) {
    json_node list;
    if (!json_node_get_array(shape, "vertices", &list)) {
        return false;
    }
    int count = json_node_count(&list);
    if (count < 4) {
        return json_node_fail(&list, "expected at least 4 vertices, found %d", count);
    }
    out->vertices = case_alloc(&list, (uint32_t)count, sizeof *out->vertices);
    for (int i = 0; i < count && out->vertices != NULL; i++) {
        json_node element = json_node_get_element(&list, i);
        double p[3];
        if (!json_node_read_numbers(&element, p, 3)) {
            return false;
        }
        out->vertices[i] = (tn_vec3){p[0], p[1], p[2]};
    }
    out->vertex_count = (uint32_t)count;
    return out->vertices != NULL;
}

// An axis is a vector, or the letter of a body axis.
static bool case_read_cylinder_axis(const json_node *shape, tn_vec3 *out) {
    json_node axis = json_node_get(shape, "axis");
    if (!cJSON_IsString(axis.item)) {
        return json_node_get_direction(shape, "axis", out);
    }
    const char *text = axis.item->valuestring;
    *out = (tn_vec3){strcmp(text, "x") == 0, strcmp(text, "y") == 0, strcmp(text, "z") == 0};
    return out->x + out->y + out->z > 0.0 ||
           json_node_fail(&axis, "expected \"x\", \"y\", \"z\" or a vector, found \"%s\"", text);
}

// Without a length a cylinder is as long as its radius: some cases give it for drawing only.
static bool case_read_cylinder(const json_node *shape, case_shape *out) {
    if (!json_node_get_positive(shape, "radius", &out->radius)) {
        return false;
    }
    out->axis = (tn_vec3){0.0, 0.0, 1.0};
    out->length = out->radius;
    const char *key = json_node_has(shape, "thickness") ? "thickness" : "length";
    if (json_node_has(shape, key) && !json_node_get_positive(shape, key, &out->length)) {
        return false;
    }
    return !json_node_has(shape, "axis") || case_read_cylinder_axis(shape, &out->axis);
}

bool case_read_shape(const json_node *body, case_shape *out) {
    static const char *const names[] = {"rod", "sphere", "box", "cylinder", "convex"};
    json_node shape = json_node_get(body, "shape");
    uint32_t type;
    if (!json_node_has(body, "shape")) {
        return true;
    }
    if (!json_node_get_object(body, "shape", &shape) || !case_read_type(&shape, names, 5, &type)) {
        return false;
    }
    out->type = (case_shape_type)type;
    switch (out->type) {
    case CASE_SHAPE_TYPE_NONE:
        return true;
    case CASE_SHAPE_TYPE_SPHERE:
        return json_node_get_positive(&shape, "radius", &out->radius);
    case CASE_SHAPE_TYPE_BOX:
        if (!json_node_get_vector(&shape, "size", &out->size)) {
            return false;
        }
        shape = json_node_get(&shape, "size");
        return (out->size.x > 0.0 && out->size.y > 0.0 && out->size.z > 0.0) ||
               json_node_fail(&shape, "expected three lengths above 0");
    case CASE_SHAPE_TYPE_CYLINDER:
        return case_read_cylinder(&shape, out);
    case CASE_SHAPE_TYPE_CONVEX:
        return case_read_vertices(&shape, out);
    }
    return true;
}

// Who takes part: those in `bodies`, or all.
static bool case_read_parties(const json_node *node, const case_model *model,
                              case_contact *contact) {
    contact->takes_part = case_alloc(node, model->body_count, sizeof *contact->takes_part);
    if (contact->takes_part == NULL) {
        return false;
    }
    bool has_list = json_node_has(node, "bodies");
    for (uint32_t i = 0; i < model->body_count; i++) {
        contact->takes_part[i] = !has_list;
    }
    json_node list;
    if (!has_list) {
        return true;
    }
    if (!json_node_get_array(node, "bodies", &list)) {
        return false;
    }
    int count = json_node_count(&list);
    for (int i = 0; i < count; i++) {
        json_node element = json_node_get_element(&list, i);
        int body = cJSON_IsString(element.item)
                       ? case_model_find_body(model, element.item->valuestring)
                       : -2;
        if (body < 0) {
            return json_node_fail(&element, "expected the name of a body");
        }
        contact->takes_part[body] = true;
    }
    return true;
}

static bool case_read_static_box(const json_node *node, case_contact *contact) {
    json_node box;
    contact->kind = CASE_CONTACT_KIND_BOX;
    if (!json_node_get_object(node, "static_box", &box) ||
        !json_node_get_vector(&box, "center", &contact->center) ||
        !json_node_get_vector(&box, "size", &contact->size)) {
        return false;
    }
    json_node size = json_node_get(&box, "size");
    if (!(contact->size.x > 0.0 && contact->size.y > 0.0 && contact->size.z > 0.0)) {
        return json_node_fail(&size, "expected three lengths above 0");
    }
    return case_read_orientation(&box, &contact->orientation);
}

// The plane is n.x = offset, for the vector n as it is given.
static bool case_read_plane(const json_node *node, case_contact *contact) {
    tn_vec3 n;
    contact->kind = CASE_CONTACT_KIND_PLANE;
    if (!json_node_get_direction(node, "normal", &contact->normal) ||
        !json_node_get_vector(node, "normal", &n) ||
        !json_node_get_optional_number(node, "offset", &contact->offset)) {
        return false;
    }
    contact->offset /= sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    return true;
}

static bool case_read_coefficient(const json_node *node, const char *key, double *out) {
    if (!json_node_get_optional_number(node, key, out)) {
        return false;
    }
    json_node member = json_node_get(node, key);
    return *out >= 0.0 ||
           json_node_fail(&member, "expected a number of at least 0, found %g", *out);
}

static bool case_read_restitution(const json_node *node, double *out) {
    json_node member = json_node_get(node, "restitution");
    return case_read_coefficient(node, "restitution", out) &&
           (*out <= 1.0 ||
            json_node_fail(&member, "expected a number of at most 1, found %g", *out));
}

static bool case_read_contact(const json_node *node, const case_model *model,
                              case_contact *contact) {
    if (json_node_has(node, "normal")) {
        if (!case_read_plane(node, contact)) {
            return false;
        }
    } else if (json_node_has(node, "static_box") && !case_read_static_box(node, contact)) {
        return false;
    }
    contact->has_friction = json_node_has(node, "friction");
    json_node pairs = json_node_get(node, "pairs");
    contact->neighbours_only =
        cJSON_IsString(pairs.item) && strcmp(pairs.item->valuestring, "neighbours") == 0;
    return case_read_coefficient(node, "friction", &contact->friction) &&
           case_read_restitution(node, &contact->restitution) &&
           case_read_coefficient(node, "rolling_resistance", &contact->rolling_resistance) &&
           case_read_parties(node, model, contact);
}

// A plane or box without friction of its own has that of contacts between bodies.
static void case_share_friction(case_model *model) {
    for (uint32_t i = 0; i < model->contact_count; i++) {
        case_contact *contact = &model->contacts[i];
        for (uint32_t k = 0; k < model->contact_count && !contact->has_friction; k++) {
            const case_contact *other = &model->contacts[k];
            if (other->kind == CASE_CONTACT_KIND_BODIES && other->has_friction) {
                contact->friction = other->friction;
                contact->has_friction = true;
            }
        }
    }
}

bool case_read_contacts(const json_node *node, case_model *model) {
    json_node list = json_node_get(node, "contacts");
    model->has_contacts = json_node_has(node, "contacts");
    if (!model->has_contacts) {
        return true;
    }
    if (!json_node_get_object(node, "contacts", &list)) {
        return false;
    }
    uint32_t count = (uint32_t)json_node_count(&list);
    model->contacts = case_alloc(&list, count, sizeof *model->contacts);
    if (model->contacts == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *key = json_node_get_element(&list, (int)i).item->string;
        json_node entry = json_node_get(&list, key);
        if (cJSON_IsString(entry.item)) {
            continue; // a note
        }
        case_contact *contact = &model->contacts[model->contact_count];
        snprintf(contact->name, sizeof contact->name, "%.*s", CASE_NAME_SIZE - 1, key);
        model->contact_count += 1;
        if (!json_node_get_object(&list, key, &entry) ||
            !case_read_contact(&entry, model, contact)) {
            return false;
        }
    }
    case_share_friction(model);
    return true;
}
