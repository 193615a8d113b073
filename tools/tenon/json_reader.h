// tools/tenon/json_reader.h: values out of a JSON file, with an error line that names the place.
//
// A node is a value together with where it stands, as "bodies[2].mass". The first thing that is
// wrong is kept in the reader as "FILE: PLACE: what is wrong and what was expected"; every call
// after that returns false, so a caller may read on and check once.
#ifndef TOOLS_TENON_JSON_READER_H
#define TOOLS_TENON_JSON_READER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <tenon/base.h>

#define JSON_PLACE_SIZE 160
#define JSON_ERROR_SIZE 512

// Lists within lists whose elements are read in turn: one for each depth.
#define JSON_CURSORS 16

// Of a list, the element that was asked for last.
typedef struct json_cursor {
    const cJSON *list, *element;
    int index;
} json_cursor;

typedef struct json_reader {
    const char *file;
    cJSON *root;
    json_cursor cursors[JSON_CURSORS]; // by depth, of the list that was read last there
    char error[JSON_ERROR_SIZE];       // empty: nothing is wrong
} json_reader;

typedef struct json_node {
    json_reader *reader;
    const cJSON *item; // null: not there
    int depth;         // of the root: 0
    char place[JSON_PLACE_SIZE];
} json_node;

// Reads and parses the file. False with an error line when it cannot be read or is not JSON.
bool json_reader_load(json_reader *reader, const char *file);
void json_reader_clear(json_reader *reader);
bool json_reader_has_error(const json_reader *reader);
json_node json_reader_get_root(json_reader *reader);

// Sets the error line unless there is one. Returns false.
bool json_node_fail(const json_node *node, const char *format, ...);
bool json_node_has(const json_node *node, const char *key);
// The member of an object, or the element of an array. The item is null when there is none.
json_node json_node_get(const json_node *node, const char *key);
json_node json_node_get_element(const json_node *node, int index);
// The same, but it must be there and be an object (or an array).
bool json_node_get_object(const json_node *node, const char *key, json_node *out);
bool json_node_get_array(const json_node *node, const char *key, json_node *out);
int json_node_count(const json_node *node);

// Required members. Numbers are finite, or they are refused.
bool json_node_get_number(const json_node *node, const char *key, double *out);
bool json_node_get_positive(const json_node *node, const char *key, double *out);
bool json_node_get_text(const json_node *node, const char *key, char *out, size_t size);
bool json_node_get_vector(const json_node *node, const char *key, tn_vec3 *out);
// A direction: a vector that is not zero, made a unit vector.
bool json_node_get_direction(const json_node *node, const char *key, tn_vec3 *out);
// The node itself as an array of `count` numbers.
bool json_node_read_numbers(const json_node *node, double *out, int count);
// A member that may be missing; `out` is left as it is then.
bool json_node_get_optional_number(const json_node *node, const char *key, double *out);
bool json_node_get_optional_bool(const json_node *node, const char *key, bool *out);
bool json_node_get_optional_vector(const json_node *node, const char *key, tn_vec3 *out);
bool json_node_get_optional_text(const json_node *node, const char *key, char *out, size_t size);

#endif
