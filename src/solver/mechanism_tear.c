// solver/mechanism_tear.c: hubs in several pieces, so that what hangs between them fills little.
//
// A leg between two hubs (a body and its crank) is over-determined while both are held, so that its
// joints have to wait until one of the hubs is eliminated, and that ties the legs to each other row
// by row (block_order.c). So a hub H is torn: each leg that hangs on it by several joints and on
// something else gets a copy of it for these joints, with its share of the mass, and a tie of six
// rows between the copy and what is left of H. With k copies,
//     M_H = (k + 1) M_H / (k + 1),   v_copy = v_H
// it is the same system. But a leg with its copies is free and goes at once, pivots and all; of
// its rows only the ties' are left for the hubs.
// A leg is what hangs together through bodies without a node. Source: C. Farhat, F.-X. Roux, "A
// method of finite element tearing and interconnecting and its parallel solution algorithm", Int.
// J. Numer. Methods Eng. 32, 1991. Test: tests/solver/test_mechanism_tear.c
#include <string.h>

#include "core/sort.h"
#include "solver/mechanism_system.h"

// Rows of a tie.
#define TEAR_ROWS 6
// A copy's joints, beside its tie.
#define TEAR_MOST_JOINTS (TNI_MECHANISM_MOST_ENDS - 1)
// Keys of hub, leg and end of a joint have room for fewer than so many bodies and ends.
#define TEAR_BITS 21
#define TEAR_MANY (TNI_NONE - 1)

typedef struct tear_state {
    tni_mechanism *mechanism;
    uint32_t *legs;    // by body that moves: a body of its leg, by union-find
    uint32_t *anchors; // by such a body: the hub it hangs on (moving_count: what does not move),
                       // TEAR_MANY or TNI_NONE
    uint64_t *keys;    // hub, leg, end of a joint
    uint32_t key_count;
} tear_state;

static uint32_t tear_find(uint32_t *legs, uint32_t i) {
    while (legs[i] != i) {
        legs[i] = legs[legs[i]];
        i = legs[i];
    }
    return i;
}

static bool tear_is_of_leg(const tni_mechanism *mechanism, uint32_t body) {
    return body < mechanism->moving_count && mechanism->bodies[body].node == TNI_NONE;
}

static void tear_find_legs(tear_state *state) {
    const tni_mechanism *mechanism = state->mechanism;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        state->legs[i] = i;
        state->anchors[i] = TNI_NONE;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        uint32_t a = mechanism->joints[i].a, b = mechanism->joints[i].b;
        bool ties = !tni_mechanism_is_bare(&mechanism->joints[i]);
        if (ties && tear_is_of_leg(mechanism, a) && tear_is_of_leg(mechanism, b)) {
            a = tear_find(state->legs, a);
            b = tear_find(state->legs, b);
            state->legs[a > b ? a : b] = a > b ? b : a;
        }
    }
}

static void tear_note_anchor(tear_state *state, uint32_t body, uint32_t other) {
    const tni_mechanism *mechanism = state->mechanism;
    if (!tear_is_of_leg(mechanism, body) || tear_is_of_leg(mechanism, other)) {
        return;
    }
    uint32_t anchor = other < mechanism->moving_count ? other : mechanism->moving_count;
    uint32_t *own = &state->anchors[tear_find(state->legs, body)];
    *own = *own == TNI_NONE || *own == anchor ? anchor : TEAR_MANY;
}

static void tear_add_key(tear_state *state, uint32_t hub, uint32_t other, uint32_t end) {
    const tni_mechanism *mechanism = state->mechanism;
    if (hub >= mechanism->moving_count || mechanism->bodies[hub].node == TNI_NONE ||
        !tear_is_of_leg(mechanism, other)) {
        return;
    }
    uint64_t leg = tear_find(state->legs, other);
    if (state->anchors[leg] == TEAR_MANY) {
        state->keys[state->key_count++] = (uint64_t)hub << (2 * TEAR_BITS) | leg << TEAR_BITS | end;
    }
}

static bool tear_find_keys(tear_state *state, tni_arena *arena) {
    const tni_mechanism *mechanism = state->mechanism;
    uint32_t n = mechanism->moving_count, ends = 2 * mechanism->joint_count;
    state->legs = tni_arena_alloc(arena, n * sizeof(uint32_t));
    state->anchors = tni_arena_alloc(arena, n * sizeof(uint32_t));
    state->keys = tni_arena_alloc(arena, ends * sizeof(uint64_t));
    uint64_t *scratch = tni_arena_alloc(arena, ends * sizeof(uint64_t));
    if (state->legs == NULL || state->anchors == NULL || state->keys == NULL || scratch == NULL) {
        return false;
    }
    tear_find_legs(state);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (!tni_mechanism_is_bare(&mechanism->joints[i])) {
            tear_note_anchor(state, mechanism->joints[i].a, mechanism->joints[i].b);
            tear_note_anchor(state, mechanism->joints[i].b, mechanism->joints[i].a);
        }
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (!tni_mechanism_is_bare(&mechanism->joints[i])) {
            tear_add_key(state, mechanism->joints[i].a, mechanism->joints[i].b, 2 * i);
            tear_add_key(state, mechanism->joints[i].b, mechanism->joints[i].a, 2 * i + 1);
        }
    }
    tni_sort_u64(state->keys, scratch, state->key_count);
    return true;
}

// How many keys from `first` on are of the same hub and leg.
static uint32_t tear_get_length(const tear_state *state, uint32_t first) {
    uint32_t end = first;
    while (end < state->key_count &&
           state->keys[end] >> TEAR_BITS == state->keys[first] >> TEAR_BITS) {
        end += 1;
    }
    return end - first;
}

static bool tear_is_worth_it(uint32_t length) {
    return length >= 2 && length <= TEAR_MOST_JOINTS;
}

// Of a copy and its tie.
static size_t tear_get_size(void) {
    return sizeof(tni_mechanism_body) + sizeof(tni_mechanism_joint) +
           TEAR_ROWS * (sizeof(tni_exact_row) + sizeof(double));
}

static void tear_make_tie(tni_mechanism_joint *tie, uint32_t copy, uint32_t hub) {
    tie->a = copy;
    tie->b = hub;
    tie->equality_count = tie->row_count = TEAR_ROWS;
    tie->is_pin = true;
    for (uint32_t r = 0; r < TEAR_ROWS; ++r) {
        tie->rows[r].jacobian[r] = -1.0;
        tie->rows[r].jacobian[6 + r] = 1.0;
    }
}

static void tear_make_copy(const tear_state *state, uint32_t first, uint32_t length, uint32_t index,
                           uint32_t *copy_of) {
    tni_mechanism *mechanism = state->mechanism;
    tni_mechanism_body *copy = &mechanism->copies[index];
    uint32_t hub = (uint32_t)(state->keys[first] >> (2 * TEAR_BITS));
    copy->node = copy->anchor = copy->carrier = TNI_NONE;
    copy->locks = mechanism->bodies[hub].locks;
    for (uint32_t k = 0; k < length; ++k) {
        uint32_t end = (uint32_t)state->keys[first + k] & ((1u << TEAR_BITS) - 1);
        copy->ends[copy->end_count++] = end;
        copy_of[end] = index;
    }
    copy->ends[copy->end_count++] = 2 * (mechanism->joint_count + index);
    mechanism->bodies[hub].share_count += 1;
    tear_make_tie(&mechanism->ties[index], mechanism->body_count + index, hub);
}

bool tni_mechanism_tear(tni_mechanism *mechanism, uint32_t *copy_of, tni_allocator *allocator,
                        tni_arena *arena) {
    tear_state state = {.mechanism = mechanism};
    uint32_t count = 0;
    memset(copy_of, 0xff, 2 * (size_t)mechanism->joint_count * sizeof *copy_of);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].share_count = 1;
    }
    if (mechanism->hub_count == 0 || 2 * mechanism->joint_count >= 1u << TEAR_BITS) {
        return true;
    }
    if (!tear_find_keys(&state, arena)) {
        return false;
    }
    for (uint32_t k = 0; k < state.key_count; k += tear_get_length(&state, k)) {
        count += tear_is_worth_it(tear_get_length(&state, k)) ? 1 : 0;
    }
    if (count == 0) {
        return true;
    }
    size_t body_bytes = count * sizeof(tni_mechanism_body);
    mechanism->copies = tni_alloc_zeroed(allocator, count * tear_get_size());
    if (mechanism->copies == NULL) {
        return false;
    }
    mechanism->ties = (tni_mechanism_joint *)((uint8_t *)mechanism->copies + body_bytes);
    tni_exact_row *rows = (tni_exact_row *)(mechanism->ties + count);
    double *softness = (double *)(rows + count * TEAR_ROWS);
    for (uint32_t c = 0; c < count; ++c) {
        mechanism->ties[c].rows = rows + c * TEAR_ROWS;
        mechanism->ties[c].softness = softness + c * TEAR_ROWS;
    }
    for (uint32_t k = 0, length; k < state.key_count; k += length) {
        length = tear_get_length(&state, k);
        if (tear_is_worth_it(length)) {
            tear_make_copy(&state, k, length, mechanism->copy_count++, copy_of);
        }
    }
    return true;
}

void tni_mechanism_forget(tni_mechanism *mechanism, tni_allocator *allocator) {
    tni_free(allocator, mechanism->copies, mechanism->copy_count * tear_get_size());
    mechanism->copies = NULL;
    mechanism->ties = NULL;
    mechanism->copy_count = 0;
    tni_block_pattern_destroy(&mechanism->pattern, allocator);
    tni_mechanism_forget_rows(mechanism, allocator);
}

// ---- numbers -----------------------------------------------------------------------------------

void tni_mechanism_scale_ties(const tni_mechanism *mechanism) {
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        const tni_mechanism_joint *tie = &mechanism->ties[c];
        const tni_mechanism_body *hub = &mechanism->bodies[tie->b];
        for (uint32_t r = 0; r < TEAR_ROWS; ++r) {
            // system_inertia holds the inverse here. A locked axis has a one in its block.
            double own = tni_mechanism_is_locked(hub, r) ? 1.0
                         : r < 3                         ? hub->inv_mass
                                                         : hub->system_inertia.m[r - 3][r - 3];
            mechanism->scales[tie->first_unknown + r] = 2.0 * hub->share_count * own;
        }
    }
}

bool tni_mechanism_eliminate_copies(const tni_mechanism *mechanism) {
    uint32_t before = TNI_NONE;
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        tni_mechanism_body *copy = &mechanism->copies[c];
        tni_mechanism_body *hub = &mechanism->bodies[mechanism->ties[c].b];
        if (mechanism->ties[c].b != before && !tni_mechanism_invert_block(hub)) {
            return false;
        }
        before = mechanism->ties[c].b; // copies of a hub follow each other
        copy->is_parted = hub->is_parted;
        for (uint32_t i = 0; i < 36; ++i) {
            copy->inverse[i / 6][i % 6] = hub->share_count * hub->inverse[i / 6][i % 6];
        }
        tni_mechanism_eliminate_body(mechanism, copy);
    }
    return true;
}

void tni_mechanism_clear_ties(const tni_mechanism *mechanism) {
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        memset(mechanism->unknowns + mechanism->ties[c].first_unknown, 0,
               TEAR_ROWS * sizeof(double));
    }
}
