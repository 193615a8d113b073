// tools/tenon/case_read_breaking.c: what a joint of a case bears, out of its JSON.
#include "tools/tenon/case.h"

#include <math.h>

// A number that is missing leaves `out` as it is.
static bool breaking_read_amount(const json_node *node, const char *key, double *out) {
    if (!json_node_get_optional_number(node, key, out)) {
        return false;
    }
    json_node member = json_node_get(node, key);
    return *out >= 0.0 || json_node_fail(&member, "expected a number >= 0, found %g", *out);
}

// Three of them, or null where it bears anything.
static bool breaking_read_axes(const json_node *node, const char *key, double out[3]) {
    json_node list;
    if (!json_node_has(node, key)) {
        return true;
    }
    if (!json_node_get_array(node, key, &list)) {
        return false;
    }
    if (json_node_count(&list) != 3) {
        return json_node_fail(&list, "expected 3 numbers, found %d", json_node_count(&list));
    }
    for (int i = 0; i < 3; i++) {
        json_node element = json_node_get_element(&list, i);
        if (cJSON_IsNull(element.item)) {
            continue;
        }
        if (!cJSON_IsNumber(element.item) || !isfinite(element.item->valuedouble) ||
            element.item->valuedouble < 0.0) {
            return json_node_fail(&element, "expected a number >= 0 or null");
        }
        out[i] = element.item->valuedouble;
    }
    return true;
}

bool case_read_breaking(const json_node *node, case_breaking *breaking) {
    const double all = (double)INFINITY;
    *breaking = (case_breaking){
        .force = all, .torque = all, .linear = {all, all, all}, .angular = {all, all, all}};
    breaking->is_given =
        json_node_has(node, "break_force") || json_node_has(node, "break_torque") ||
        json_node_has(node, "break_linear") || json_node_has(node, "break_angular");
    return breaking_read_amount(node, "break_force", &breaking->force) &&
           breaking_read_amount(node, "break_torque", &breaking->torque) &&
           breaking_read_axes(node, "break_linear", breaking->linear) &&
           breaking_read_axes(node, "break_angular", breaking->angular) &&
           breaking_read_amount(node, "break_time", &breaking->time);
}
