// world/collide/contact_order_list.c: lists the contacts that have points, in the order of the list
// of awake ones, and their blocks kind by kind.
//
// Workers count the kinds in each piece of the list of awake contacts; from the sums over the
// pieces before it a piece knows where its contacts go, so that all are filled at once and in the
// order of the list.
#include "solver/bodies/integrate.h"
#include "world/collide/contact_order_pass.h"

// The number of contacts in one piece of the list.
#define ORDER_PIECE 64u
// Memory is fetched this many contacts ahead: filling one in takes little time.
#define ORDER_AHEAD 16u

// A piece of the list, by kind: the number, then the next place.
typedef struct order_piece {
    uint32_t kept;
    uint32_t of_kind[TNI_ORDER_KINDS];
} order_piece;

typedef struct order_listing {
    tni_order_pass *pass;
    order_piece *pieces;
} order_listing;

// Returns whether contacts must be asked about: disabled ones and spans' are not listed.
static bool order_asks(const tni_order_pass *pass) {
    return pass->world->pre_solve != NULL || pass->solver->movers.span_contact_count > 0;
}

static bool order_keeps(const tn_world *world, bool asks, const tni_awake_contact *entry) {
    return entry->has_points && (!asks || tni_step_lists_contact(world, entry));
}

static tni_order_kind order_get_kind(const tni_awake_contact *entry) {
    return (tni_order_kind)((entry->has_static ? TNI_ORDER_PUSHING_STATIC : TNI_ORDER_PUSHING) +
                            (entry->is_near ? 1 : 0));
}

static uint32_t order_get_piece_end(const tn_world *world, uint32_t piece) {
    uint32_t end = (piece + 1) * ORDER_PIECE, count = world->awake_contacts.count;
    return end < count ? end : count;
}

static void order_count_pieces(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_listing *listing = context;
    const tn_world *world = listing->pass->world;
    bool asks = order_asks(listing->pass);
    for (uint32_t piece = first; piece < last; ++piece) {
        order_piece counts = {0};
        for (uint32_t i = piece * ORDER_PIECE; i < order_get_piece_end(world, piece); ++i) {
            const tni_awake_contact *entry = &world->awake_contacts.items[i];
            if (order_keeps(world, asks, entry)) {
                counts.kept += 1;
                counts.of_kind[order_get_kind(entry)] += 1;
            }
        }
        listing->pieces[piece] = counts;
    }
}

// Turns counts into places. Returns how many contacts are kept.
static uint32_t order_place_pieces(order_listing *listing, uint32_t piece_count) {
    tni_order_class *listed = listing->pass->listed;
    order_piece *pieces = listing->pieces;
    uint32_t kept = 0, start = 0;
    for (uint32_t piece = 0; piece < piece_count; ++piece) {
        uint32_t count = pieces[piece].kept;
        pieces[piece].kept = kept;
        kept += count;
    }
    for (uint32_t kind = 0; kind < TNI_ORDER_KINDS; ++kind) {
        listed[kind].start = start;
        for (uint32_t piece = 0; piece < piece_count; ++piece) {
            uint32_t count = pieces[piece].of_kind[kind];
            pieces[piece].of_kind[kind] = start;
            start += count;
        }
        listed[kind].count = start - listed[kind].start;
    }
    return kept;
}

TNI_KERNEL void order_fetch(const tn_world *world, uint32_t at, uint32_t end) {
    const tni_awake_contact *items = world->awake_contacts.items;
    if (at + ORDER_AHEAD < end && items[at + ORDER_AHEAD].has_points) {
        TNI_PREFETCH(tni_contact_at(world, items[at + ORDER_AHEAD].contact));
    }
    if (at + ORDER_AHEAD / 2 < end && items[at + ORDER_AHEAD / 2].has_points) {
        const tni_contact *contact = tni_contact_at(world, items[at + ORDER_AHEAD / 2].contact);
        TNI_PREFETCH(&tni_body_at(world, contact->body_a)->solver_index);
        TNI_PREFETCH(&tni_body_at(world, contact->body_b)->solver_index);
    }
}

static uint32_t order_get_moving(const tn_world *world, uint32_t body) {
    const tni_body *record = tni_body_at(world, body);
    bool moves = record->type == TN_BODY_TYPE_DYNAMIC && record->awake_index != TNI_NONE;
    return moves ? record->solver_index : TNI_COLOR_NO_BODY;
}

// Returns whether a body moves without giving way: all that it touches goes along with it.
static bool order_drives(const tni_order_pass *pass, uint32_t body) {
    const tni_body *record = tni_body_at(pass->world, body);
    return record->type == TN_BODY_TYPE_KINEMATIC && record->awake_index != TNI_NONE &&
           pass->solver->bodies.kinds[record->solver_index] != TNI_BATCH_NONE;
}

static void order_fill_pieces(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_listing *listing = context;
    const tni_order_pass *pass = listing->pass;
    const tn_world *world = pass->world;
    bool asks = order_asks(pass);
    tni_contact_order *order = pass->order;
    for (uint32_t piece = first; piece < last; ++piece) {
        order_piece *at = &listing->pieces[piece];
        uint32_t end = order_get_piece_end(world, piece);
        for (uint32_t i = piece * ORDER_PIECE; i < end; ++i) {
            const tni_awake_contact *entry = &world->awake_contacts.items[i];
            order_fetch(world, i, end);
            if (!order_keeps(world, asks, entry)) {
                continue;
            }
            const tni_contact *contact = tni_contact_at(world, entry->contact);
            uint32_t k = at->kept++, to = at->of_kind[order_get_kind(entry)]++;
            order->kept[k] = (tni_kept_contact){entry->contact, i, TNI_NONE, entry->has_static};
            pass->kept_of[to] = k;
            pass->is_driven[to] = entry->has_static && (order_drives(pass, contact->body_a) ||
                                                        order_drives(pass, contact->body_b));
            uint32_t a = order_get_moving(world, contact->body_a);
            uint32_t b = order_get_moving(world, contact->body_b);
            // The key is the contact's index, which stays while it lasts. Its place in the list
            // would change whenever another contact ends, and its color from step to step. So
            // results depend on indices, modulo the palette of solver/step/colors.c.
            pass->blocks[to] = (tni_color_block){a, b, entry->contact, 0};
            bool holds = contact->is_touching && a != TNI_COLOR_NO_BODY && b != TNI_COLOR_NO_BODY;
            order->touching[k] = holds ? (tni_touching){a, b} : (tni_touching){0, 0};
        }
    }
}

static bool order_allocate_list(tni_order_pass *pass) {
    tni_arena *arena = &pass->world->arena;
    tni_contact_order *order = pass->order;
    size_t count = order->count;
    order->kept = tni_arena_alloc(arena, count * sizeof *order->kept);
    order->touching = tni_arena_alloc(arena, count * sizeof *order->touching);
    pass->blocks = tni_arena_alloc(arena, count * sizeof *pass->blocks);
    pass->kept_of = tni_arena_alloc(arena, count * sizeof *pass->kept_of);
    pass->is_driven = tni_arena_alloc(arena, count * sizeof *pass->is_driven);
    return order->kept && order->touching && pass->blocks && pass->kept_of && pass->is_driven;
}

bool tni_contact_order_list(tni_order_pass *pass) {
    tn_world *world = pass->world;
    uint32_t piece_count = (world->awake_contacts.count + ORDER_PIECE - 1) / ORDER_PIECE;
    order_listing listing = {pass, NULL};
    listing.pieces = tni_arena_alloc(&world->arena, piece_count * sizeof *listing.pieces);
    if (listing.pieces == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_count_pieces, piece_count, 16, &listing);
    pass->order->count = order_place_pieces(&listing, piece_count);
    if (!order_allocate_list(pass)) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_fill_pieces, piece_count, 1, &listing);
    return true;
}
