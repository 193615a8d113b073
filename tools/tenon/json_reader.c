// tools/tenon/json_reader.c: typed access to a parsed JSON file. cJSON does the parsing.
#include "tools/tenon/json_reader.h"

#include "tools/tenon/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a float still holds with its square, and far more than any case needs.
#define JSON_LARGEST_NUMBER 1e18

static void json_find_line(const char *text, const char *at, unsigned *line, unsigned *column) {
    *line = 1;
    *column = 1;
    for (const char *c = text; c < at; c++) {
        *column += 1;
        if (*c == '\n') {
            *line += 1;
            *column = 1;
        }
    }
}

static int json_compare_keys(const void *a, const void *b) {
    return strcmp((*(cJSON *const *)a)->string, (*(cJSON *const *)b)->string);
}

// False with an error line when a key stands twice in the object.
static bool json_has_each_key_once(const json_node *node) {
    size_t count = (size_t)json_node_count(node), k = 0;
    const cJSON **members = malloc((count + 1) * sizeof *members);
    if (members == NULL) {
        return json_node_fail(node, "not enough memory");
    }
    for (const cJSON *member = node->item->child; member != NULL; member = member->next) {
        members[k++] = member;
    }
    qsort(members, count, sizeof *members, json_compare_keys);
    bool is_right = true;
    for (k = 1; k < count && is_right; k++) {
        if (strcmp(members[k - 1]->string, members[k]->string) == 0) {
            is_right = json_node_fail(node, "the key \"%.80s\" stands twice", members[k]->string);
        }
    }
    free(members);
    return is_right;
}

// Returns the member of an object, or null in its place.
static json_node json_node_of(const json_node *node, const cJSON *item, const char *key) {
    json_node member = {.reader = node->reader, .item = item, .depth = node->depth + 1};
    // The parent's place is cut short where both do not fit.
    int room = JSON_PLACE_SIZE - 1 - (int)strlen(key);
    snprintf(member.place, sizeof member.place, "%.*s%s%s", room > 0 ? room : 0, node->place,
             node->place[0] != '\0' ? "." : "", key);
    return member;
}

// The same of it and all that is in it. cJSON bounds the depth.
static bool json_check_keys(const json_node *node) {
    bool is_object = cJSON_IsObject(node->item);
    bool is_right = !is_object || json_has_each_key_once(node);
    int index = 0;
    for (const cJSON *item = node->item->child; item != NULL && is_right; item = item->next) {
        if (item->child != NULL) {
            json_node member = is_object ? json_node_of(node, item, item->string)
                                         : json_node_get_element(node, index);
            is_right = json_check_keys(&member);
        }
        index += 1;
    }
    return is_right;
}

// The first character behind the text that is neither blank nor a line break, or the end.
static const char *json_find_rest(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
        at++;
    }
    return at;
}

bool json_reader_load(json_reader *reader, const char *file) {
    *reader = (json_reader){.file = file};
    size_t size = 0;
    char *text = file_read(file, &size);
    if (text == NULL) {
        snprintf(reader->error, sizeof reader->error, "%s: cannot be read", file);
        return false;
    }
    const char *end = text;
    reader->root = cJSON_ParseWithLengthOpts(text, size, &end, false);
    const char *rest = reader->root != NULL ? json_find_rest(end, text + size) : end;
    if (reader->root == NULL || rest < text + size) {
        unsigned line, column;
        json_find_line(text, rest, &line, &column);
        snprintf(reader->error, sizeof reader->error, "%s: line %u, column %u: %s", file, line,
                 column, reader->root == NULL ? "not valid JSON" : "expected the end of the file");
    } else if (!cJSON_IsObject(reader->root)) {
        snprintf(reader->error, sizeof reader->error, "%s: expected an object", file);
    } else {
        json_node root = json_reader_get_root(reader);
        json_check_keys(&root);
    }
    free(text);
    return reader->error[0] == '\0';
}

void json_reader_clear(json_reader *reader) {
    cJSON_Delete(reader->root);
    reader->root = NULL;
}

bool json_reader_has_error(const json_reader *reader) {
    return reader->error[0] != '\0';
}

json_node json_reader_get_root(json_reader *reader) {
    return (json_node){.reader = reader, .item = reader->root};
}

bool json_node_fail(const json_node *node, const char *format, ...) {
    json_reader *reader = node->reader;
    if (json_reader_has_error(reader)) {
        return false;
    }
    const char *between = node->place[0] != '\0' ? ": " : "";
    int used = snprintf(reader->error, sizeof reader->error, "%s%s%s: ", reader->file, between,
                        node->place);
    size_t start = used < (int)sizeof reader->error ? (size_t)used : sizeof reader->error - 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error + start, sizeof reader->error - start, format, arguments);
    va_end(arguments);
    return false;
}

// What a value is, for the second half of an error line.
static const char *json_describe(const cJSON *item) {
    if (item == NULL) {
        return "nothing";
    }
    if (cJSON_IsString(item)) {
        return "a text";
    }
    if (cJSON_IsNumber(item)) {
        return isfinite(item->valuedouble) ? "a number" : "a number that is not finite";
    }
    if (cJSON_IsArray(item)) {
        return "an array";
    }
    if (cJSON_IsObject(item)) {
        return "an object";
    }
    return cJSON_IsNull(item) ? "null" : "true or false";
}

bool json_node_has(const json_node *node, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(node->item, key);
    return item != NULL && !cJSON_IsNull(item);
}

json_node json_node_get(const json_node *node, const char *key) {
    return json_node_of(node, cJSON_GetObjectItemCaseSensitive(node->item, key), key);
}

// A list is read in order: the next element is found from the one before. Lists within it, however
// many there are, are deeper.
static const cJSON *json_find_element(const json_node *list, int index) {
    int depth = list->depth < JSON_CURSORS ? list->depth : JSON_CURSORS - 1;
    json_cursor *cursor = &list->reader->cursors[depth];
    if (cursor->list != list->item || cursor->element == NULL || cursor->index > index) {
        *cursor = (json_cursor){list->item, cJSON_GetArrayItem(list->item, 0), 0};
    }
    for (; cursor->index < index && cursor->element != NULL; cursor->index++) {
        cursor->element = cursor->element->next;
    }
    return cursor->element;
}

json_node json_node_get_element(const json_node *node, int index) {
    json_node element = {
        .reader = node->reader, .item = json_find_element(node, index), .depth = node->depth + 1};
    snprintf(element.place, sizeof element.place, "%.*s[%d]", JSON_PLACE_SIZE - 14, node->place,
             index);
    return element;
}

static bool json_node_expect(const json_node *node, bool is_right, const char *expected) {
    if (json_reader_has_error(node->reader)) {
        return false;
    }
    return is_right ||
           json_node_fail(node, "expected %s, found %s", expected, json_describe(node->item));
}

bool json_node_get_object(const json_node *node, const char *key, json_node *out) {
    *out = json_node_get(node, key);
    return json_node_expect(out, cJSON_IsObject(out->item), "an object");
}

bool json_node_get_array(const json_node *node, const char *key, json_node *out) {
    *out = json_node_get(node, key);
    return json_node_expect(out, cJSON_IsArray(out->item), "an array");
}

int json_node_count(const json_node *node) {
    return cJSON_GetArraySize(node->item);
}

static bool json_node_read_number(const json_node *node, double *out) {
    bool is_right = cJSON_IsNumber(node->item) && isfinite(node->item->valuedouble);
    if (!json_node_expect(node, is_right, "a number")) {
        return false;
    }
    *out = node->item->valuedouble;
    return fabs(*out) <= JSON_LARGEST_NUMBER ||
           json_node_fail(node, "expected a number, found %g, which is too large", *out);
}

bool json_node_get_number(const json_node *node, const char *key, double *out) {
    json_node member = json_node_get(node, key);
    return json_node_read_number(&member, out);
}

bool json_node_get_positive(const json_node *node, const char *key, double *out) {
    json_node member = json_node_get(node, key);
    if (!json_node_read_number(&member, out)) {
        return false;
    }
    return *out > 0.0 || json_node_fail(&member, "expected a number above 0, found %g", *out);
}

bool json_node_get_text(const json_node *node, const char *key, char *out, size_t size) {
    json_node member = json_node_get(node, key);
    if (!json_node_expect(&member, cJSON_IsString(member.item), "a text")) {
        return false;
    }
    if (strlen(member.item->valuestring) >= size) {
        return json_node_fail(&member, "expected at most %zu characters", size - 1);
    }
    snprintf(out, size, "%s", member.item->valuestring);
    return true;
}

bool json_node_read_numbers(const json_node *node, double *out, int count) {
    if (!json_node_expect(node, cJSON_IsArray(node->item), "an array of numbers")) {
        return false;
    }
    if (json_node_count(node) != count) {
        return json_node_fail(node, "expected %d numbers, found %d", count, json_node_count(node));
    }
    for (int i = 0; i < count; i++) {
        json_node element = json_node_get_element(node, i);
        if (!json_node_read_number(&element, &out[i])) {
            return false;
        }
    }
    return true;
}

bool json_node_get_vector(const json_node *node, const char *key, tn_vec3 *out) {
    json_node member = json_node_get(node, key);
    double parts[3];
    if (!json_node_read_numbers(&member, parts, 3)) {
        return false;
    }
    *out = (tn_vec3){parts[0], parts[1], parts[2]};
    return true;
}

bool json_node_get_direction(const json_node *node, const char *key, tn_vec3 *out) {
    tn_vec3 v;
    if (!json_node_get_vector(node, key, &v)) {
        return false;
    }
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    if (length < 1e-9) {
        json_node member = json_node_get(node, key);
        return json_node_fail(&member, "expected a direction, found a vector of length 0");
    }
    *out = (tn_vec3){v.x / length, v.y / length, v.z / length};
    return true;
}

bool json_node_get_optional_number(const json_node *node, const char *key, double *out) {
    return !json_node_has(node, key) || json_node_get_number(node, key, out);
}

bool json_node_get_optional_bool(const json_node *node, const char *key, bool *out) {
    if (!json_node_has(node, key)) {
        return true;
    }
    json_node member = json_node_get(node, key);
    *out = cJSON_IsTrue(member.item);
    return json_node_expect(&member, cJSON_IsBool(member.item), "true or false");
}

bool json_node_get_optional_vector(const json_node *node, const char *key, tn_vec3 *out) {
    return !json_node_has(node, key) || json_node_get_vector(node, key, out);
}

bool json_node_get_optional_text(const json_node *node, const char *key, char *out, size_t size) {
    return !json_node_has(node, key) || json_node_get_text(node, key, out, size);
}
