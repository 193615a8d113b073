// bench/overlap.c: penetration from poses: sweep along x, then separating axes.
//
// Two boxes overlap by the least overlap of their projections on 15 axes: the 3 + 3 face normals
// and the 9 cross products of edges (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996, section
// 5).

#include "bench/overlap.h"

#include "bench/space.h"

#include <stdlib.h>

#define PARALLEL_EDGES                                                                             \
    1e-6 // squared length of a cross product of edges below which it says nothing

typedef struct overlap_item {
    const model_shape *shape;
    tn_pose pose;
    tn_vec3 axes[3];
    double half[3];
    double radius; // of the ball around it
    double lower_x, upper_x;
} overlap_item;

struct overlap_finder {
    const bench_model *model;
    overlap_item *items; // boxes, balls and half-spaces
    overlap_item **sorted;
};

overlap_finder *overlap_finder_create(const bench_model *model) {
    overlap_finder *finder = calloc(1, sizeof(*finder));
    if (finder == NULL) {
        return NULL;
    }
    finder->model = model;
    finder->items = calloc((size_t)model->shape_count + 1, sizeof(overlap_item));
    finder->sorted = calloc((size_t)model->shape_count + 1, sizeof(overlap_item *));
    if (finder->items == NULL || finder->sorted == NULL) {
        overlap_finder_destroy(finder);
        return NULL;
    }
    return finder;
}

void overlap_finder_destroy(overlap_finder *finder) {
    if (finder != NULL) {
        free(finder->items);
        free(finder->sorted);
        free(finder);
    }
}

// ---- pairs ------------------------------------------------------------------------------------

static double overlap_support(const overlap_item *item, tn_vec3 direction) {
    return item->half[0] * fabs(space_dot(item->axes[0], direction)) +
           item->half[1] * fabs(space_dot(item->axes[1], direction)) +
           item->half[2] * fabs(space_dot(item->axes[2], direction));
}

// How far the projections on a unit axis overlap; negative when the axis separates.
static double overlap_on_axis(const overlap_item *a, const overlap_item *b, tn_vec3 axis,
                              tn_vec3 offset) {
    return overlap_support(a, axis) + overlap_support(b, axis) - fabs(space_dot(offset, axis));
}

static double overlap_boxes(const overlap_item *a, const overlap_item *b) {
    tn_vec3 offset = space_subtract(b->pose.position, a->pose.position);
    double least = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        least = fmin(least, overlap_on_axis(a, b, a->axes[i], offset));
        least = fmin(least, overlap_on_axis(a, b, b->axes[i], offset));
    }
    for (int i = 0; i < 3 && least > 0.0; ++i) {
        for (int j = 0; j < 3; ++j) {
            tn_vec3 axis = space_cross(a->axes[i], b->axes[j]);
            double length_squared = space_dot(axis, axis);
            if (length_squared > PARALLEL_EDGES) {
                axis = space_scale(axis, 1.0 / sqrt(length_squared));
                least = fmin(least, overlap_on_axis(a, b, axis, offset));
            }
        }
    }
    return fmax(least, 0.0);
}

static double overlap_with_half_space(const overlap_item *item, const overlap_item *plane) {
    tn_vec3 offset = space_subtract(item->pose.position, plane->pose.position);
    double height = space_dot(offset, plane->axes[1]);
    bool is_box = item->shape->type == TN_SHAPE_TYPE_BOX;
    double reach = is_box ? overlap_support(item, plane->axes[1]) : item->radius;
    return fmax(reach - height, 0.0);
}

static bool overlap_counts(const overlap_finder *finder, const overlap_item *a,
                           const overlap_item *b) {
    const model_body *bodies = finder->model->bodies;
    bool moves = bodies[a->shape->body].type == TN_BODY_TYPE_DYNAMIC ||
                 bodies[b->shape->body].type == TN_BODY_TYPE_DYNAMIC;
    return moves && a->shape->body != b->shape->body && model_may_touch(a->shape, b->shape);
}

// ---- the sweep --------------------------------------------------------------------------------

static void overlap_place(overlap_item *item, const model_shape *shape, const tn_pose *body) {
    item->shape = shape;
    item->pose = space_compose(body, &shape->local_pose);
    item->axes[0] = space_rotate(item->pose.rotation, space_vector(1.0, 0.0, 0.0));
    item->axes[1] = space_rotate(item->pose.rotation, space_vector(0.0, 1.0, 0.0));
    item->axes[2] = space_rotate(item->pose.rotation, space_vector(0.0, 0.0, 1.0));
    item->half[0] = shape->half_extents.x;
    item->half[1] = shape->half_extents.y;
    item->half[2] = shape->half_extents.z;
    tn_vec3 half = space_vector(item->half[0], item->half[1], item->half[2]);
    item->radius = shape->type == TN_SHAPE_TYPE_SPHERE ? (double)shape->radius : space_length(half);
    bool is_ball = shape->type == TN_SHAPE_TYPE_SPHERE;
    double reach = is_ball ? item->radius : overlap_support(item, space_vector(1.0, 0.0, 0.0));
    item->lower_x = item->pose.position.x - reach;
    item->upper_x = item->pose.position.x + reach;
}

static int overlap_compare_lower(const void *a, const void *b) {
    double left = (*(overlap_item *const *)a)->lower_x;
    double right = (*(overlap_item *const *)b)->lower_x;
    return (left > right) - (left < right);
}

static bool overlap_has_form(const model_shape *shape) {
    return shape->type == TN_SHAPE_TYPE_BOX || shape->type == TN_SHAPE_TYPE_SPHERE ||
           shape->type == TN_SHAPE_TYPE_HALF_SPACE;
}

// All but sensors; the boxes are to be sorted.
static uint32_t overlap_place_all(overlap_finder *finder, const model_state *states,
                                  uint32_t *out_box_count) {
    const bench_model *model = finder->model;
    uint32_t count = 0, box_count = 0;
    for (uint32_t i = 0; i < model->shape_count; ++i) {
        const model_shape *shape = &model->shapes[i];
        if (!overlap_has_form(shape) || shape->is_sensor) {
            continue;
        }
        overlap_item *item = &finder->items[count++];
        overlap_place(item, shape, &states[shape->body].pose);
        if (shape->type == TN_SHAPE_TYPE_BOX) {
            finder->sorted[box_count++] = item;
        }
    }
    *out_box_count = box_count;
    return count;
}

static bool overlap_is_near(const overlap_item *a, const overlap_item *b) {
    double reach = a->radius + b->radius;
    return fabs(a->pose.position.y - b->pose.position.y) < reach &&
           fabs(a->pose.position.z - b->pose.position.z) < reach;
}

static double overlap_sweep_boxes(const overlap_finder *finder, uint32_t box_count) {
    double deepest = 0.0;
    qsort(finder->sorted, box_count, sizeof(overlap_item *), overlap_compare_lower);
    for (uint32_t i = 0; i < box_count; ++i) {
        const overlap_item *a = finder->sorted[i];
        for (uint32_t j = i + 1; j < box_count && finder->sorted[j]->lower_x < a->upper_x; ++j) {
            const overlap_item *b = finder->sorted[j];
            if (overlap_is_near(a, b) && overlap_counts(finder, a, b)) {
                deepest = fmax(deepest, overlap_boxes(a, b));
            }
        }
    }
    return deepest;
}

double overlap_finder_find_deepest(overlap_finder *finder, const model_state *states) {
    uint32_t box_count;
    uint32_t count = overlap_place_all(finder, states, &box_count);
    double deepest = overlap_sweep_boxes(finder, box_count);
    for (uint32_t i = 0; i < count; ++i) {
        const overlap_item *plane = &finder->items[i];
        if (plane->shape->type != TN_SHAPE_TYPE_HALF_SPACE) {
            continue;
        }
        for (uint32_t j = 0; j < count; ++j) {
            const overlap_item *item = &finder->items[j];
            if (item->shape->type != TN_SHAPE_TYPE_HALF_SPACE &&
                overlap_counts(finder, item, plane)) {
                deepest = fmax(deepest, overlap_with_half_space(item, plane));
            }
        }
    }
    return deepest;
}

// ---- sensors ----------------------------------------------------------------------------------

static bool overlap_ball_and_box(const overlap_item *ball, const overlap_item *box) {
    tn_vec3 offset = space_subtract(ball->pose.position, box->pose.position);
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        double outside = fmax(fabs(space_dot(offset, box->axes[i])) - box->half[i], 0.0);
        square += outside * outside;
    }
    return square < ball->radius * ball->radius;
}

// One of them is a sensor, and a box.
static bool overlap_is_noticed(const overlap_item *sensor, const overlap_item *other) {
    return other->shape->type == TN_SHAPE_TYPE_SPHERE ? overlap_ball_and_box(other, sensor)
                                                      : overlap_boxes(sensor, other) > 0.0;
}

uint32_t overlap_finder_count_noticed(overlap_finder *finder, const model_state *states) {
    const bench_model *model = finder->model;
    uint32_t count = 0, noticed = 0;
    for (uint32_t i = 0; i < model->shape_count; ++i) {
        const model_shape *shape = &model->shapes[i];
        if (overlap_has_form(shape) && shape->type != TN_SHAPE_TYPE_HALF_SPACE) {
            overlap_place(&finder->items[count], shape, &states[shape->body].pose);
            finder->sorted[count] = &finder->items[count];
            count += 1;
        }
    }
    qsort(finder->sorted, count, sizeof(overlap_item *), overlap_compare_lower);
    for (uint32_t i = 0; i < count; ++i) {
        const overlap_item *a = finder->sorted[i];
        for (uint32_t j = i + 1; j < count && finder->sorted[j]->lower_x < a->upper_x; ++j) {
            const overlap_item *b = finder->sorted[j];
            if (a->shape->is_sensor != b->shape->is_sensor && overlap_is_near(a, b) &&
                overlap_counts(finder, a, b)) {
                noticed +=
                    a->shape->is_sensor ? overlap_is_noticed(a, b) : overlap_is_noticed(b, a);
            }
        }
    }
    return noticed;
}
