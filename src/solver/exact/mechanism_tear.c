// solver/exact/mechanism_tear.c: hubs are torn into pieces, so that links between them fill little.
//
// A link between two hubs, or between a hub and something that does not move, is over-determined
// while both are held, so that its joints have to wait until one of the hubs is eliminated, and
// that ties all links to each other row by row (block_order.c): the cube of their number. So a hub
// H that holds many links is torn: its joints go to copies of it, two to each, with equal shares of
// the mass; six rows tie each copy to the next, and the last one to what is left of H. With k
// copies,
//     M_H = (k + 1) M_H / (k + 1),   v_1 = v_2 = ... = v_k = v_H
// it is the same system. But now all goes from one end of the copies to the other: links, then the
// tie to the next copy, where only six rows are left of all before them. Links stand in the order
// of their joints, so that those between two torn hubs make a ladder.
// A link is a joint, or a leg: bodies without a node that hang together, with their joints. Hubs
// that are torn are of no use as anchors any more: so one hub of two is enough. Source: C. Farhat,
// F.-X. Roux, "A method of finite element tearing and interconnecting and its parallel solution
// algorithm", Int. J. Numer. Methods Eng. 32, 1991. Test: tests/solver/exact/test_mechanism_tear.c
#include <string.h>

#include "core/sort.h"
#include "solver/exact/mechanism_system.h"

// A tie has this many rows.
#define TEAR_ROWS 6
// A copy has no more joints than this, beside its ties to the copy before it and to the next one.
#define TEAR_MOST_JOINTS (TNI_MECHANISM_MOST_ENDS - 2)
// A hub is torn if at least this many rows have to wait at it: fewer are eliminated sooner with the
// hub than with copies of it.
#define TEAR_LEAST_ROWS 48
// The E of the copies' joints is twice as large where the square of their number is SOFTENS; it
// grows by no more than MOST_SOFT times.
#define TEAR_SOFTENS   512
#define TEAR_MOST_SOFT 10000
// Keys of two hubs or legs and the end of a joint have this many bits for each.
#define TEAR_BITS 21

typedef struct tear_state {
    tni_mechanism *mechanism;
    bool *is_torn;          // by body that moves
    uint32_t *legs;         // by body that moves: a body of its leg, by union-find
    uint32_t *lows, *highs; // by leg body: the first and the last hub that it hangs on, in which
                            // moving_count stands for what does not move; or TNI_NONE
    uint32_t *firsts;       // by leg body: the first of its leg's joints
    uint64_t *keys, *scratch;
    uint32_t key_count;
} tear_state;

static uint32_t tear_find(uint32_t *legs, uint32_t i) {
    while (legs[i] != i) {
        legs[i] = legs[legs[i]];
        i = legs[i];
    }
    return i;
}

// Returns the body at an end of a joint.
static uint32_t tear_get_body(const tear_state *state, uint32_t end) {
    const tni_mechanism_joint *joint = &state->mechanism->joints[end >> 1];
    return (end & 1) == 0 ? joint->a : joint->b;
}

static bool tear_is_of_leg(const tear_state *state, uint32_t body) {
    return body < state->mechanism->moving_count &&
           (state->mechanism->bodies[body].place.node == TNI_NONE || state->is_torn[body]);
}

static uint32_t tear_get_anchor(const tear_state *state, uint32_t body) {
    uint32_t moving = state->mechanism->moving_count;
    return body < moving ? body : moving;
}

static void tear_join_legs(tear_state *state) {
    const tni_mechanism *mechanism = state->mechanism;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        state->legs[i] = i;
        state->lows[i] = state->highs[i] = state->firsts[i] = TNI_NONE;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        uint32_t a = mechanism->joints[i].a, b = mechanism->joints[i].b;
        bool ties = !tni_mechanism_is_bare(&mechanism->joints[i]);
        if (ties && tear_is_of_leg(state, a) && tear_is_of_leg(state, b)) {
            a = tear_find(state->legs, a);
            b = tear_find(state->legs, b);
            state->legs[a > b ? a : b] = a > b ? b : a;
        }
    }
}

// Notes for a leg what the other end of a joint hangs on, where this end is on the leg.
static void tear_note_anchor(tear_state *state, uint32_t end) {
    uint32_t body = tear_get_body(state, end), other = tear_get_body(state, end ^ 1);
    if (!tear_is_of_leg(state, body)) {
        return;
    }
    uint32_t leg = tear_find(state->legs, body);
    if (state->firsts[leg] == TNI_NONE) {
        state->firsts[leg] = end >> 1;
    }
    if (!tear_is_of_leg(state, other)) {
        uint32_t anchor = tear_get_anchor(state, other);
        bool is_first = state->lows[leg] == TNI_NONE;
        state->lows[leg] = is_first || anchor < state->lows[leg] ? anchor : state->lows[leg];
        state->highs[leg] = is_first || anchor > state->highs[leg] ? anchor : state->highs[leg];
    }
}

static void tear_find_legs(tear_state *state) {
    tear_join_legs(state);
    for (uint32_t end = 0; end < 2 * state->mechanism->joint_count; ++end) {
        if (!tni_mechanism_is_bare(&state->mechanism->joints[end >> 1])) {
            tear_note_anchor(state, end);
        }
    }
}

// Finds for a joint's end that is on no leg the first and the last hub of what the joint belongs
// to. Returns false if there is only one, or if the end is on a leg.
static bool tear_get_span(tear_state *state, uint32_t end, uint32_t *out_low, uint32_t *out_high) {
    uint32_t body = tear_get_body(state, end), other = tear_get_body(state, end ^ 1);
    if (tni_mechanism_is_bare(&state->mechanism->joints[end >> 1]) || tear_is_of_leg(state, body)) {
        return false;
    }
    if (tear_is_of_leg(state, other)) {
        uint32_t leg = tear_find(state->legs, other);
        *out_low = state->lows[leg];
        *out_high = state->highs[leg];
    } else {
        uint32_t one = tear_get_anchor(state, body), two = tear_get_anchor(state, other);
        *out_low = one < two ? one : two;
        *out_high = one < two ? two : one;
    }
    return *out_low != *out_high;
}

// ---- which hubs --------------------------------------------------------------------------------

static bool tear_allocate(tear_state *state, tni_arena *arena) {
    uint32_t n = state->mechanism->moving_count, ends = 2 * state->mechanism->joint_count;
    state->is_torn = tni_arena_alloc_zeroed(arena, n * sizeof(bool));
    state->legs = tni_arena_alloc(arena, n * sizeof(uint32_t));
    state->lows = tni_arena_alloc(arena, n * sizeof(uint32_t));
    state->highs = tni_arena_alloc(arena, n * sizeof(uint32_t));
    state->firsts = tni_arena_alloc(arena, n * sizeof(uint32_t));
    state->keys = tni_arena_alloc(arena, ends * sizeof(uint64_t));
    state->scratch = tni_arena_alloc(arena, ends * sizeof(uint64_t));
    return state->is_torn != NULL && state->legs != NULL && state->lows != NULL &&
           state->highs != NULL && state->firsts != NULL && state->keys != NULL &&
           state->scratch != NULL;
}

// Sorts links by the two hubs that they hang on.
static void tear_sort_links(tear_state *state) {
    state->key_count = 0;
    for (uint32_t end = 0; end < 2 * state->mechanism->joint_count; ++end) {
        uint32_t low, high;
        if (tear_get_span(state, end, &low, &high)) {
            state->keys[state->key_count++] =
                (uint64_t)low << (2 * TEAR_BITS) | (uint64_t)high << TEAR_BITS | end;
        }
    }
    tni_sort_u64(state->keys, state->scratch, state->key_count);
}

// Returns which of two hubs to tear, if neither has been torn since the links were sorted: the one
// with fewer joints; or TNI_NONE.
static uint32_t tear_choose(const tear_state *state, uint32_t low, uint32_t high) {
    const tni_mechanism *mechanism = state->mechanism;
    uint32_t moving = mechanism->moving_count;
    if (state->is_torn[low] || (high < moving && state->is_torn[high])) {
        return TNI_NONE;
    }
    bool is_low = high == moving ||
                  mechanism->bodies[low].place.end_count <= mechanism->bodies[high].place.end_count;
    return is_low ? low : high;
}

// Tears one hub of each two that many links lie between. Returns true if there was one.
static bool tear_choose_hubs(tear_state *state) {
    const uint64_t mask = (1u << TEAR_BITS) - 1;
    bool any = false;
    for (uint32_t k = 0, next; k < state->key_count; k = next) {
        uint64_t pair = state->keys[k] >> TEAR_BITS;
        uint32_t low = (uint32_t)(pair >> TEAR_BITS), high = (uint32_t)(pair & mask);
        uint32_t of_low = 0, of_high = 0;
        for (next = k; next < state->key_count && state->keys[next] >> TEAR_BITS == pair; ++next) {
            uint32_t end = (uint32_t)(state->keys[next] & mask);
            uint32_t body = tear_get_anchor(state, tear_get_body(state, end));
            uint32_t rows = state->mechanism->joints[end >> 1].row_count;
            of_low += body == low ? rows : 0;
            of_high += body == high ? rows : 0;
        }
        uint32_t waiting = of_low < of_high ? of_low : of_high;
        uint32_t hub = waiting < TEAR_LEAST_ROWS ? TNI_NONE : tear_choose(state, low, high);
        if (hub != TNI_NONE) {
            state->is_torn[hub] = true;
            any = true;
        }
    }
    return any;
}

// ---- copies ------------------------------------------------------------------------------------

// Sorts the ends of joints that go to copies, by hub, then by the leg or joint that they belong to.
static void tear_sort_ends(tear_state *state, const bool *is_torn) {
    uint32_t count = 0;
    for (uint32_t end = 0; end < 2 * state->mechanism->joint_count; ++end) {
        uint32_t low, high, hub = tear_get_body(state, end);
        if (hub >= state->mechanism->moving_count || !is_torn[hub] ||
            !tear_get_span(state, end, &low, &high)) {
            continue;
        }
        uint32_t other = tear_get_body(state, end ^ 1);
        uint32_t first =
            tear_is_of_leg(state, other) ? state->firsts[tear_find(state->legs, other)] : end >> 1;
        state->keys[count++] =
            (uint64_t)hub << (2 * TEAR_BITS) | (uint64_t)first << TEAR_BITS | end;
    }
    state->key_count = count;
    tni_sort_u64(state->keys, state->scratch, count);
}

static uint32_t tear_get_hub(const tear_state *state, uint32_t key) {
    return (uint32_t)(state->keys[key] >> (2 * TEAR_BITS));
}

// Returns how many of the ends from `first` on go to one copy.
static uint32_t tear_get_length(const tear_state *state, uint32_t first) {
    uint32_t length = 1;
    while (length < TEAR_MOST_JOINTS && first + length < state->key_count &&
           tear_get_hub(state, first + length) == tear_get_hub(state, first)) {
        length += 1;
    }
    return length;
}

// Returns the bytes of a copy and its tie.
static size_t tear_get_size(void) {
    return sizeof(tni_mechanism_body) + sizeof(tni_mechanism_joint) +
           TEAR_ROWS * (sizeof(tni_exact_row) + sizeof(double));
}

static void tear_make_tie(tni_mechanism_joint *tie, uint32_t a, uint32_t b) {
    tie->a = a;
    tie->b = b;
    tie->equality_count = tie->row_count = TEAR_ROWS;
    tie->is_pin = true;
    for (uint32_t r = 0; r < TEAR_ROWS; ++r) {
        tie->rows[r].jacobian[r] = -1.0;
        tie->rows[r].jacobian[6 + r] = 1.0;
    }
}

// Makes a copy, and ties it to the copy before it where that is of the same hub, else to the hub.
static void tear_make_copy(const tear_state *state, uint32_t first, uint32_t length,
                           uint32_t *copy_of) {
    tni_mechanism *mechanism = state->mechanism;
    uint32_t index = mechanism->copy_count++, hub = tear_get_hub(state, first);
    uint32_t tie = 2 * (mechanism->joint_count + index), next = mechanism->body_count + index;
    tni_mechanism_body *copy = &mechanism->copies[index];
    bool is_first = first == 0 || tear_get_hub(state, first - 1) != hub;
    copy->place.node = copy->place.anchor = copy->place.carrier = TNI_NONE;
    copy->locks = mechanism->bodies[hub].locks;
    for (uint32_t k = 0; k < length; ++k) {
        uint32_t end = (uint32_t)state->keys[first + k] & ((1u << TEAR_BITS) - 1);
        copy->place.ends[copy->place.end_count++] = end;
        copy_of[end] = index;
    }
    copy->place.ends[copy->place.end_count++] = tie;
    if (!is_first) {
        tni_mechanism_body *before = &mechanism->copies[index - 1];
        before->place.ends[before->place.end_count++] = tie + 1;
    }
    mechanism->bodies[hub].place.share_count += 1;
    tear_make_tie(&mechanism->ties[index], next, is_first ? hub : next - 1);
}

static bool tear_make_room(tni_mechanism *mechanism, uint32_t count, tni_allocator *allocator) {
    size_t body_bytes = count * sizeof(tni_mechanism_body);
    mechanism->copies = tni_alloc_zeroed(allocator, count * tear_get_size());
    if (mechanism->copies == NULL) {
        return false;
    }
    mechanism->ties = (tni_mechanism_joint *)((uint8_t *)mechanism->copies + body_bytes);
    tni_exact_row *rows = (tni_exact_row *)(mechanism->ties + count);
    double *softness = (double *)(rows + (size_t)count * TEAR_ROWS);
    for (uint32_t c = 0; c < count; ++c) {
        mechanism->ties[c].rows = rows + (size_t)c * TEAR_ROWS;
        mechanism->ties[c].softness = softness + (size_t)c * TEAR_ROWS;
    }
    return true;
}

// Softens the joints on copies. A copy has k + 1 times the response of its hub, and so k + 1 times
// its round-off, which adds up over k copies: where joints are redundant, their E must stand out
// from the square of that.
static void tear_soften(const tear_state *state) {
    const tni_mechanism *mechanism = state->mechanism;
    for (uint32_t k = 0; k < state->key_count; ++k) {
        uint32_t end = (uint32_t)state->keys[k] & ((1u << TEAR_BITS) - 1);
        uint32_t share_count = mechanism->bodies[tear_get_hub(state, k)].place.share_count;
        uint32_t count = share_count * share_count / TEAR_SOFTENS;
        count = count < TEAR_MOST_SOFT ? count : TEAR_MOST_SOFT;
        uint32_t *most = &mechanism->joints[end >> 1].sharer_count;
        *most = count > *most ? count : *most;
    }
}

static bool tear_make_copies(tear_state *state, uint32_t *copy_of, tni_allocator *allocator) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < state->key_count; k += tear_get_length(state, k)) {
        count += 1;
    }
    if (!tear_make_room(state->mechanism, count, allocator)) {
        return false;
    }
    for (uint32_t k = 0, length; k < state->key_count; k += length) {
        length = tear_get_length(state, k);
        tear_make_copy(state, k, length, copy_of);
    }
    tear_soften(state);
    return true;
}

bool tni_mechanism_tear(tni_mechanism *mechanism, uint32_t *copy_of, tni_allocator *allocator,
                        tni_arena *arena) {
    tear_state state = {.mechanism = mechanism};
    memset(copy_of, 0xff, 2 * (size_t)mechanism->joint_count * sizeof *copy_of);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].place.share_count = 1;
    }
    if (mechanism->hub_count == 0 || 2 * mechanism->joint_count >= 1u << TEAR_BITS) {
        return true;
    }
    if (!tear_allocate(&state, arena)) {
        return false;
    }
    uint32_t rounds = 0;
    do {
        tear_find_legs(&state);
        tear_sort_links(&state);
        rounds += 1;
    } while (tear_choose_hubs(&state));
    if (rounds == 1) {
        return true;
    }
    bool *is_torn = state.is_torn;
    state.is_torn = tni_arena_alloc_zeroed(arena, mechanism->moving_count * sizeof(bool));
    if (state.is_torn == NULL) {
        return false;
    }
    tear_find_legs(&state);
    tear_sort_ends(&state, is_torn);
    return tear_make_copies(&state, copy_of, allocator);
}

void tni_mechanism_forget(tni_mechanism *mechanism, tni_allocator *allocator) {
    tni_free(allocator, mechanism->copies, mechanism->copy_count * tear_get_size());
    mechanism->copies = NULL;
    mechanism->ties = NULL;
    mechanism->copy_count = 0;
    tni_block_pattern_destroy(&mechanism->matrix.pattern, allocator);
    tni_mechanism_forget_rows(mechanism, allocator);
}

// ---- numbers -----------------------------------------------------------------------------------

// Returns the hub of a copy, `before` being the hub of the copy before it: copies of a hub follow
// each other, and the first is tied to the hub.
static uint32_t tear_get_original(const tni_mechanism *mechanism, uint32_t copy, uint32_t before) {
    uint32_t b = mechanism->ties[copy].b;
    return b < mechanism->body_count ? b : before;
}

void tni_mechanism_scale_ties(const tni_mechanism *mechanism) {
    for (uint32_t c = 0, original = TNI_NONE; c < mechanism->copy_count; ++c) {
        original = tear_get_original(mechanism, c, original);
        const tni_mechanism_body *hub = &mechanism->bodies[original];
        for (uint32_t r = 0; r < TEAR_ROWS; ++r) {
            // system_inertia holds the inverse here. A locked axis has a one in its block.
            double own = tni_mechanism_is_locked(hub, r) ? 1.0
                         : r < 3                         ? hub->inv_mass
                                                         : hub->block.inertia.m[r - 3][r - 3];
            mechanism->matrix.scales[mechanism->ties[c].first_unknown + r] =
                2.0 * hub->place.share_count * own;
        }
    }
}

bool tni_mechanism_eliminate_copies(const tni_mechanism *mechanism) {
    for (uint32_t c = 0, original = TNI_NONE; c < mechanism->copy_count; ++c) {
        uint32_t before = original;
        original = tear_get_original(mechanism, c, before);
        tni_mechanism_body *copy = &mechanism->copies[c], *hub = &mechanism->bodies[original];
        if (original != before && !tni_mechanism_invert_block(hub)) {
            return false;
        }
        copy->block.is_parted = hub->block.is_parted;
        for (uint32_t i = 0; i < 36; ++i) {
            copy->block.inverse[i / 6][i % 6] =
                hub->place.share_count * hub->block.inverse[i / 6][i % 6];
        }
        tni_mechanism_eliminate_body(mechanism, copy);
    }
    return true;
}

void tni_mechanism_clear_ties(const tni_mechanism *mechanism) {
    for (uint32_t c = 0; c < mechanism->copy_count; ++c) {
        memset(mechanism->matrix.unknowns + mechanism->ties[c].first_unknown, 0,
               TEAR_ROWS * sizeof(double));
    }
}
