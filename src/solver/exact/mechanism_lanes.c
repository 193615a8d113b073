// solver/exact/mechanism_lanes.c: mechanisms of one shape side by side: which one stands in which
// lane.
//
// A lane that waits for nothing is given the numbers of one that does, so that no lane holds
// unknown numbers. Test: tests/world/mechanisms/test_mechanism_sets.c
#include "solver/exact/mechanism_lanes.h"
#include "solver/exact/mechanism_system.h"

#include <string.h>

size_t tni_mechanism_lanes_get_size(const tni_mechanism *shape) {
    const tni_block_pattern *pattern = &shape->pattern;
    size_t numbers = (size_t)pattern->value_count + pattern->scratch_count +
                     pattern->unknown_count + 12 * (size_t)pattern->unknown_count +
                     42 * (size_t)shape->moving_count;
    return numbers * TNI_MECHANISM_LANES * sizeof(double);
}

void tni_mechanism_lanes_place(tni_mechanism_lanes *lanes, const tni_mechanism *shape,
                               void *memory) {
    const tni_block_pattern *pattern = &shape->pattern;
    double *next = memory;
    lanes->values = next;
    next += TNI_MECHANISM_LANES * (size_t)pattern->value_count;
    lanes->unknowns = next;
    next += TNI_MECHANISM_LANES * (size_t)pattern->unknown_count;
    lanes->jacobians = next;
    next += TNI_MECHANISM_LANES * 12 * (size_t)pattern->unknown_count;
    lanes->inverses = next;
    next += TNI_MECHANISM_LANES * 36 * (size_t)shape->moving_count;
    lanes->changes = next;
    next += TNI_MECHANISM_LANES * 6 * (size_t)shape->moving_count;
    lanes->scratch = next;
}

// ---- shapes ------------------------------------------------------------------------------------

static bool lanes_have_like_bodies(const tni_mechanism_body *a, const tni_mechanism_body *b) {
    return a->node == b->node && a->anchor == b->anchor && a->carrier == b->carrier &&
           a->end_count == b->end_count && a->locks == b->locks &&
           a->hangs_on_balls == b->hangs_on_balls && a->share_count == b->share_count &&
           memcmp(a->ends, b->ends, sizeof a->ends) == 0;
}

static bool lanes_have_like_joints(const tni_mechanism_joint *a, const tni_mechanism_joint *b) {
    return a->a == b->a && a->b == b->b && a->equality_count == b->equality_count &&
           a->row_count == b->row_count && a->is_pin == b->is_pin && a->is_ball == b->is_ball &&
           a->joint->type == b->joint->type;
}

bool tni_mechanism_has_shape(const tni_mechanism *mechanism, const tni_mechanism *shape) {
    const tni_block_pattern *a = &mechanism->pattern, *b = &shape->pattern;
    bool is_like = mechanism->body_count == shape->body_count &&
                   mechanism->moving_count == shape->moving_count &&
                   mechanism->joint_count == shape->joint_count &&
                   mechanism->hub_count == shape->hub_count && mechanism->copy_count == 0 &&
                   shape->copy_count == 0 && !shape->has_sways &&
                   a->memory_size == b->memory_size && a->value_count == b->value_count &&
                   a->unknown_count == b->unknown_count && a->panel_count == b->panel_count;
    for (uint32_t i = 0; i < shape->moving_count && is_like; ++i) {
        is_like = lanes_have_like_bodies(&mechanism->bodies[i], &shape->bodies[i]);
    }
    for (uint32_t i = 0; i < shape->joint_count && is_like; ++i) {
        is_like = lanes_have_like_joints(&mechanism->joints[i], &shape->joints[i]);
    }
    return is_like && memcmp(a->memory, b->memory, b->memory_size) == 0;
}

// ---- factor and solve --------------------------------------------------------------------------

static bool lanes_is_in(uint32_t mask, uint32_t lane) {
    return (mask >> lane & 1) != 0;
}

static bool lanes_invert_blocks(const tni_mechanism *mechanism) {
    bool is_sound = true;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        is_sound &= body->node != TNI_NONE || tni_mechanism_invert_body(mechanism, body);
    }
    return is_sound;
}

static bool lanes_are_parted_alike(const tni_mechanism *a, const tni_mechanism *b) {
    for (uint32_t i = 0; i < a->moving_count; ++i) {
        if (a->bodies[i].node == TNI_NONE && a->bodies[i].is_parted != b->bodies[i].is_parted) {
            return false;
        }
    }
    return true;
}

// Chooses the mechanisms of the mask; the other lanes take the first of these.
static const tni_mechanism *lanes_choose(const tni_mechanism_lanes *lanes, uint32_t mask,
                                         const tni_mechanism *sources[TNI_MECHANISM_LANES]) {
    const tni_mechanism *first = NULL;
    for (uint32_t k = lanes->count; k-- > 0;) {
        first = lanes_is_in(mask, k) ? lanes->members[k] : first;
    }
    for (uint32_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
        sources[k] = lanes_is_in(mask, k) ? lanes->members[k] : first;
    }
    return first;
}

static uint32_t lanes_factor_together(tni_mechanism_lanes *lanes, uint32_t mask, bool uses_avx2) {
    const tni_mechanism *sources[TNI_MECHANISM_LANES];
    const double *scales[TNI_MECHANISM_LANES];
    tni_block_report reports[TNI_MECHANISM_LANES];
    const tni_mechanism *first = lanes_choose(lanes, mask, sources);
    uint32_t sound = 0;
    for (uint32_t k = 0; k < TNI_MECHANISM_LANES; ++k) {
        scales[k] = sources[k]->scales;
    }
    WIDE_CALL(uses_avx2, tni_mechanism_lanes_fill, lanes, sources);
    WIDE_CALL(uses_avx2, tni_block_lanes_factor, &first->pattern, scales, lanes->values,
              lanes->scratch, reports);
    for (uint32_t k = 0; k < lanes->count; ++k) {
        if (lanes_is_in(mask, k)) {
            tni_mechanism_note_factor(lanes->members[k], &reports[k]);
            sound |= reports[k].is_sound ? 1u << k : 0;
        }
    }
    return sound;
}

uint32_t tni_mechanism_lanes_factor(tni_mechanism_lanes *lanes, uint32_t mask, bool uses_avx2) {
    const tni_mechanism *first = NULL;
    uint32_t together = 0, sound = 0, count = 0;
    for (uint32_t k = 0; k < lanes->count; ++k) {
        tni_mechanism *mechanism = lanes->members[k];
        if (!lanes_is_in(mask, k)) {
            continue;
        }
        lanes->is_alone[k] = false;
        if (!lanes_invert_blocks(mechanism)) {
            continue;
        }
        first = first == NULL ? mechanism : first;
        lanes->is_alone[k] = !lanes_are_parted_alike(mechanism, first);
        together |= lanes->is_alone[k] ? 0 : 1u << k;
        count += lanes->is_alone[k] ? 0 : 1;
    }
    for (uint32_t k = 0; k < lanes->count; ++k) {
        lanes->is_alone[k] |= count == 1 && lanes_is_in(together, k);
        if (lanes_is_in(mask, k) && lanes->is_alone[k]) {
            sound |= tni_mechanism_factor(lanes->members[k]) ? 1u << k : 0;
        }
    }
    return count > 1 ? sound | lanes_factor_together(lanes, together, uses_avx2) : sound;
}

// Returns the lanes of the mask whose bodies are parted as the first one's. Some may have the
// factor of a projection, others that of an iteration.
static uint32_t lanes_find_alike(const tni_mechanism_lanes *lanes, uint32_t mask) {
    const tni_mechanism *first = NULL;
    uint32_t alike = 0;
    for (uint32_t k = 0; k < lanes->count; ++k) {
        if (lanes_is_in(mask, k)) {
            first = first == NULL ? lanes->members[k] : first;
            alike |= lanes_are_parted_alike(lanes->members[k], first) ? 1u << k : 0;
        }
    }
    return alike;
}

typedef void lanes_body_fn(const tni_mechanism *mechanism, tni_mechanism_body *body,
                           bool bodies_rest);

// Anchored bodies one by one: before the solve and after it.
static void lanes_go_through_anchored(const tni_mechanism_lanes *lanes, uint32_t mask,
                                      bool bodies_rest, lanes_body_fn *turn) {
    for (uint32_t k = 0; k < lanes->count; ++k) {
        tni_mechanism *mechanism = lanes->members[k];
        for (uint32_t i = 0; i < mechanism->moving_count && lanes_is_in(mask, k); ++i) {
            if (mechanism->bodies[i].anchor != TNI_NONE) {
                turn(mechanism, &mechanism->bodies[i], bodies_rest);
            }
        }
    }
}

void tni_mechanism_lanes_solve(tni_mechanism_lanes *lanes, uint32_t mask, bool bodies_rest,
                               bool uses_avx2) {
    const tni_mechanism *sources[TNI_MECHANISM_LANES];
    for (uint32_t k = 0; k < lanes->count; ++k) {
        if (lanes_is_in(mask, k) && lanes->is_alone[k]) {
            tni_mechanism_solve(lanes->members[k], bodies_rest);
            mask &= ~(1u << k);
        }
    }
    while (mask != 0) {
        uint32_t alike = lanes_find_alike(lanes, mask);
        const tni_mechanism *first = lanes_choose(lanes, alike, sources);
        lanes_go_through_anchored(lanes, alike, bodies_rest, tni_mechanism_start_anchored);
        WIDE_CALL(uses_avx2, tni_mechanism_lanes_reduce, lanes, sources, bodies_rest);
        WIDE_CALL(uses_avx2, tni_block_lanes_solve, &first->pattern, lanes->values,
                  lanes->unknowns);
        WIDE_CALL(uses_avx2, tni_mechanism_lanes_expand, lanes, first, alike, bodies_rest);
        lanes_go_through_anchored(lanes, alike, bodies_rest, tni_mechanism_expand_body);
        mask &= ~alike;
    }
}

void tni_mechanism_lanes_give_factor(const tni_mechanism_lanes *lanes, uint32_t lane) {
    tni_mechanism *mechanism = lanes->members[lane];
    for (uint32_t i = 0; i < mechanism->pattern.value_count && !lanes->is_alone[lane]; ++i) {
        mechanism->values[i] = lanes->values[TNI_MECHANISM_LANES * i + lane];
    }
}
