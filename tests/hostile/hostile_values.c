// tests/hostile/hostile_values.c: draws numbers, handles and arrays, ordinary ones and hostile
// ones.
#include "hostile.h"

#include <math.h>

// The generator is splitmix64: the same numbers on every platform.
uint64_t hostile_next(hostile *h) {
    uint64_t z = h->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t hostile_below(hostile *h, uint32_t end) {
    return (uint32_t)(hostile_next(h) >> 32) % end;
}

bool hostile_chance(hostile *h, uint32_t one_in) {
    return hostile_below(h, one_in) == 0;
}

double hostile_unit(hostile *h) {
    return (double)(hostile_next(h) >> 11) * 0x1p-53;
}

double hostile_double(hostile *h) {
    static const double hostile_numbers[] = {
        0.0,
        -0.0,
        (double)NAN,
        (double)INFINITY,
        -(double)INFINITY,
        1e308,
        -1e308,
        5e-324,
        1e-300,
        1e30,
        -1e30,
        1e-30,
        3.4e38,
        1e9,
        -1e9,
        1e-9,
        3.14159265358979,
        -1.0,
        1e-7,
        1e15,
        1.0e-12,
        6.2832,
        1e5,
        -1e5,
        1e-45,
        1.0e20,
    };
    if (hostile_chance(h, h->malice)) {
        return hostile_numbers[hostile_below(
            h, (uint32_t)(sizeof hostile_numbers / sizeof *hostile_numbers))];
    }
    switch (hostile_below(h, 16)) {
    case 0:
    case 1:
        return 0.0;
    case 2:
    case 3:
        return 1.0;
    case 4:
        return -hostile_unit(h);
    case 5:
    case 6:
        return 10.0 * hostile_unit(h);
    default:
        return hostile_unit(h);
    }
}

float hostile_float(hostile *h) {
    double value = hostile_double(h);
    return value > 3.4e38 ? INFINITY : value < -3.4e38 ? -INFINITY : (float)value;
}

bool hostile_bool(hostile *h) {
    return hostile_chance(h, 2);
}

uint32_t hostile_uint32_t(hostile *h) {
    static const uint32_t hostile_numbers[] = {
        UINT32_MAX, UINT32_MAX - 1, 0x80000000u, 0x7fffffffu, 65536, 4096, 1000, 255, 64, 0};
    if (hostile_chance(h, h->malice)) {
        return hostile_numbers[hostile_below(
            h, (uint32_t)(sizeof hostile_numbers / sizeof *hostile_numbers))];
    }
    return hostile_below(h, 6);
}

uint16_t hostile_uint16_t(hostile *h) {
    return (uint16_t)hostile_uint32_t(h);
}

int32_t hostile_int32_t(hostile *h) {
    static const int32_t hostile_numbers[] = {INT32_MAX, INT32_MIN, -1, 1000000, 0};
    return hostile_chance(h, h->malice) ? hostile_numbers[hostile_below(h, 5)]
                                        : (int32_t)hostile_below(h, 9) - 2;
}

uint64_t hostile_uint64_t(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_next(h) : UINT64_MAX >> hostile_below(h, 64);
}

uint32_t hostile_enum(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_uint32_t(h) : hostile_below(h, 3);
}

// How many there are of what a pointer points at must be true; of an array inside a struct a caller
// may say anything.
uint32_t hostile_count(hostile *h, bool has_pointer) {
    if (!has_pointer && hostile_chance(h, h->malice)) {
        return hostile_uint32_t(h);
    }
    return hostile_chance(h, 4) ? hostile_below(h, HOSTILE_ARRAY + 1) : 1 + hostile_below(h, 4);
}

const double *hostile_doubles(hostile *h) {
    double sum = 0.0;
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        sum += fabs(hostile_double(h));
        h->doubles[i] = hostile_chance(h, 2) ? sum : 0.1 + hostile_unit(h);
    }
    return hostile_chance(h, h->malice) ? NULL : h->doubles;
}

const float *hostile_floats(hostile *h) {
    for (uint32_t i = 0; i < 3 * HOSTILE_ARRAY; ++i) {
        h->floats[i] = hostile_chance(h, 2) ? hostile_float(h) : (float)hostile_below(h, 5) - 2.0f;
    }
    return hostile_chance(h, h->malice) ? NULL : h->floats;
}

const uint32_t *hostile_indices(hostile *h) {
    uint32_t end = 1 + hostile_below(h, HOSTILE_ARRAY);
    for (uint32_t i = 0; i < 3 * HOSTILE_ARRAY; ++i) {
        h->indices[i] =
            hostile_chance(h, 20 * h->malice) ? hostile_uint32_t(h) : hostile_below(h, end);
    }
    return hostile_chance(h, h->malice) ? NULL : h->indices;
}

const uint16_t *hostile_places(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        h->places_of[i] = (uint16_t)hostile_below(h, 3);
    }
    return hostile_chance(h, 2) ? NULL : h->places_of;
}

const uint8_t *hostile_bytes(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        h->bytes[i] = (uint8_t)hostile_below(h, 2);
    }
    return hostile_chance(h, 2) ? NULL : h->bytes;
}

tn_vec3 hostile_vector(hostile *h) {
    tn_vec3 v;
    v.x = hostile_double(h);
    v.y = hostile_double(h);
    v.z = hostile_double(h);
    return v;
}

const tn_vec3 *hostile_points(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        h->points[i] = hostile_vector(h);
    }
    return hostile_chance(h, h->malice) ? NULL : h->points;
}

void hostile_note(hostile *h, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; ++i) {
        h->noted = (h->noted ^ at[i]) * 0x100000001b3u;
    }
}

// ---- handles -----------------------------------------------------------------------------------

void hostile_keep(hostile *h, hostile_kind kind, uint32_t family, uint32_t value) {
    if (value == 0) {
        return;
    }
    uint32_t *count = &h->handle_counts[kind];
    uint32_t place = *count < HOSTILE_KEPT ? (*count)++ : hostile_below(h, HOSTILE_KEPT);
    h->handles[kind][place] = value;
    h->families[kind][place] = family;
}

static bool hostile_is_live(const hostile *h, hostile_kind kind, uint32_t value) {
    const tn_world *world = h->places[h->at].world;
    switch (kind) {
    case HOSTILE_BODY_ID:
        return tn_body_is_valid(world, (tn_body_id){value});
    case HOSTILE_SHAPE_ID:
        return tn_shape_is_valid(world, (tn_shape_id){value});
    case HOSTILE_JOINT_ID:
        return tn_joint_is_valid(world, (tn_joint_id){value});
    case HOSTILE_FORCE_ID:
        return tn_force_is_valid(world, (tn_force_id){value});
    case HOSTILE_REDUCED_ID:
        return tn_reduced_is_valid(world, (tn_reduced_id){value}) ||
               tn_affine_is_valid(world, (tn_reduced_id){value});
    default:
        return true;
    }
}

// A handle that was given once: nearly always a live one, of the family that the function is for;
// at times none, a stale one, one of another family, or one that is made up.
uint32_t hostile_handle(hostile *h, hostile_kind kind, uint32_t family) {
    if (hostile_chance(h, 3 * h->malice)) {
        return (uint32_t)hostile_next(h) >> hostile_below(h, 32);
    }
    uint32_t count = h->handle_counts[kind];
    if (count == 0 || hostile_chance(h, 12)) {
        return 0;
    }
    uint32_t start = hostile_below(h, count);
    for (uint32_t i = 0; i < count && !hostile_chance(h, 4 * HOSTILE_KEPT); ++i) {
        uint32_t place = (start + i) % count, value = h->handles[kind][place];
        if ((family == 0 || family == h->families[kind][place]) &&
            hostile_is_live(h, kind, value)) {
            return value;
        }
    }
    return h->handles[kind][start];
}

tn_world *hostile_world(hostile *h) {
    h->is_null = hostile_chance(h, 1000);
    return h->is_null ? NULL : h->places[h->at].world;
}

tn_hull *hostile_hull(hostile *h) {
    return hostile_chance(h, 50) ? NULL : h->hull;
}

tn_mesh *hostile_mesh(hostile *h) {
    return hostile_chance(h, 50) ? NULL : h->mesh;
}

tn_height_field *hostile_height_field(hostile *h) {
    return hostile_chance(h, 50) ? NULL : h->height_field;
}

tn_compound *hostile_compound(hostile *h) {
    return hostile_chance(h, 50) ? NULL : h->compound;
}

tn_graph *hostile_graph(hostile *h) {
    return hostile_chance(h, 200) ? NULL : h->graph;
}

tn_tree *hostile_tree(hostile *h) {
    return hostile_chance(h, 200) ? NULL : h->tree;
}

const tn_graph *hostile_sound_graph(hostile *h) {
    return hostile_chance(h, h->malice) ? h->graph : h->sound_graph;
}

tn_node hostile_sound_node(hostile *h) {
    return hostile_chance(h, h->malice) ? (tn_node){hostile_handle(h, HOSTILE_NODE, 0)}
                                        : h->sound_nodes[hostile_below(h, HOSTILE_SOUND_NODES)];
}

double hostile_dt(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_double(h) : 1.0 / 60.0;
}

uint32_t hostile_substeps(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_uint32_t(h) : 1 + hostile_below(h, 4);
}

void *hostile_user_data(hostile *h) {
    return &h->bytes[hostile_below(h, HOSTILE_ARRAY)];
}

void *hostile_context(hostile *h) {
    return &h->places[h->at]; // every callback gets it back
}
