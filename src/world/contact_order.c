// world/contact_order.c: which contacts are swept, in which order, and which of them side by side.
//
// Contacts with static bodies are swept last, for they must not give way; and those that push
// before those that are only near, so that groups are full of either. These four classes are
// colored each by itself (solver/colors.h), and a color is cut into groups of eight.
//
// Workers count what each part of the list of awake contacts has of each class; from the sums over
// the parts before it a part knows where its contacts go, so that all parts are filled at once and
// in the order of the list. Colors are found one contact after the other, but of the classes at
// once.
#include <string.h>

#include "solver/colors.h"
#include "world/contact_order.h"
#include "world/narrow.h"

// Contacts of the list in one part.
#define ORDER_PART 256u
// Fewer are colored before another thread has looked.
#define ORDER_LEAST_SHARED 256u

typedef enum order_kind {
    ORDER_PUSHING,
    ORDER_NEAR,
    ORDER_PUSHING_STATIC,
    ORDER_NEAR_STATIC,
    ORDER_KINDS,
} order_kind;

// A part of the list: how many there are, then where the next one goes.
typedef struct order_part {
    uint32_t kept;
    uint32_t of_kind[ORDER_KINDS];
} order_part;

typedef struct order_class {
    uint32_t start, count;
    uint32_t color_count;
    uint32_t *color_ends;   // in contacts of all classes
    tni_color_body *bodies; // by solver body
} order_class;

typedef struct order_pass {
    const tn_world *world;
    uint32_t body_count; // of the solver
    order_part *parts;
    tni_kept_contact *kept;
    tni_color_block *blocks; // class by class
    uint32_t *kept_of;       // of the blocks
    order_class classes[ORDER_KINDS];
} order_pass;

// ---- parts of the list --------------------------------------------------------------------------

static bool order_keeps(const tn_world *world, const tni_awake_contact *entry) {
    return entry->has_points &&
           (world->pre_solve == NULL || !tni_contact_at(world, entry->contact)->is_disabled);
}

static order_kind order_get_kind(const tni_awake_contact *entry) {
    return (order_kind)((entry->has_static ? ORDER_PUSHING_STATIC : ORDER_PUSHING) +
                        (entry->is_near ? 1 : 0));
}

static uint32_t order_get_part_end(const tn_world *world, uint32_t part) {
    uint32_t end = (part + 1) * ORDER_PART, count = world->awake_contacts.count;
    return end < count ? end : count;
}

static void order_count_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_pass *pass = context;
    for (uint32_t part = first; part < last; ++part) {
        order_part counts = {0};
        for (uint32_t i = part * ORDER_PART; i < order_get_part_end(pass->world, part); ++i) {
            const tni_awake_contact *entry = &pass->world->awake_contacts.items[i];
            if (order_keeps(pass->world, entry)) {
                counts.kept += 1;
                counts.of_kind[order_get_kind(entry)] += 1;
            }
        }
        pass->parts[part] = counts;
    }
}

// Counts to places. Returns how many are kept.
static uint32_t order_place_parts(order_pass *pass, uint32_t part_count) {
    uint32_t kept = 0, start = 0;
    for (uint32_t part = 0; part < part_count; ++part) {
        uint32_t count = pass->parts[part].kept;
        pass->parts[part].kept = kept;
        kept += count;
    }
    for (uint32_t kind = 0; kind < ORDER_KINDS; ++kind) {
        pass->classes[kind].start = start;
        for (uint32_t part = 0; part < part_count; ++part) {
            uint32_t count = pass->parts[part].of_kind[kind];
            pass->parts[part].of_kind[kind] = start;
            start += count;
        }
        pass->classes[kind].count = start - pass->classes[kind].start;
    }
    return kept;
}

static void order_fetch(const tn_world *world, uint32_t at, uint32_t end) {
    const tni_awake_contact *items = world->awake_contacts.items;
    if (at + TNI_NARROW_AHEAD < end && items[at + TNI_NARROW_AHEAD].has_points) {
        TNI_PREFETCH(tni_contact_at(world, items[at + TNI_NARROW_AHEAD].contact));
    }
    if (at + TNI_NARROW_AHEAD / 2 < end && items[at + TNI_NARROW_AHEAD / 2].has_points) {
        const tni_contact *contact =
            tni_contact_at(world, items[at + TNI_NARROW_AHEAD / 2].contact);
        TNI_PREFETCH(&tni_body_at(world, contact->body_a)->solver_index);
        TNI_PREFETCH(&tni_body_at(world, contact->body_b)->solver_index);
    }
}

static uint32_t order_get_moving(const tn_world *world, uint32_t body) {
    const tni_body *record = tni_body_at(world, body);
    bool moves = record->type == TN_BODY_TYPE_DYNAMIC && record->awake_index != TNI_NONE;
    return moves ? record->solver_index : TNI_COLOR_NO_BODY;
}

static void order_fill_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_pass *pass = context;
    const tn_world *world = pass->world;
    for (uint32_t part = first; part < last; ++part) {
        order_part *at = &pass->parts[part];
        uint32_t end = order_get_part_end(world, part);
        for (uint32_t i = part * ORDER_PART; i < end; ++i) {
            const tni_awake_contact *entry = &world->awake_contacts.items[i];
            order_fetch(world, i, end);
            if (!order_keeps(world, entry)) {
                continue;
            }
            const tni_contact *contact = tni_contact_at(world, entry->contact);
            uint32_t k = at->kept++, to = at->of_kind[order_get_kind(entry)]++;
            pass->kept[k] = (tni_kept_contact){entry->contact, i, TNI_NONE};
            pass->kept_of[to] = k;
            pass->blocks[to] =
                (tni_color_block){order_get_moving(world, contact->body_a),
                                  order_get_moving(world, contact->body_b), entry->contact, 0};
        }
    }
}

// ---- colors and groups --------------------------------------------------------------------------

// Colors of a class one after the other.
static void order_color_class(const order_pass *pass, order_class *class) {
    tni_color_block *blocks = pass->blocks + class->start;
    memset(class->bodies, 0, pass->body_count * sizeof *class->bodies);
    class->color_count = tni_colors_find(blocks, class->count, class->bodies);
    uint32_t *next = class->color_ends; // first counts, then where the next one goes
    memset(next, 0, class->color_count * sizeof *next);
    for (uint32_t i = 0; i < class->count; ++i) {
        next[blocks[i].color] += 1;
    }
    uint32_t start = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        uint32_t count = next[c];
        next[c] = start;
        start += count;
    }
    for (uint32_t i = 0; i < class->count; ++i) {
        pass->kept[pass->kept_of[class->start + i]].index = next[blocks[i].color]++;
    }
}

static void order_color_classes(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    order_pass *pass = context;
    for (uint32_t kind = first; kind < last; ++kind) {
        if (pass->classes[kind].count > 0) {
            order_color_class(pass, &pass->classes[kind]);
        }
    }
}

static void order_add_groups(const order_class *class, tni_contact_order *order) {
    uint32_t at = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        for (; at < class->color_ends[c]; at += TNI_CONTACTS) {
            order->groups[order->group_count++] = at;
        }
        at = class->color_ends[c];
        order->color_ends[order->color_count++] = order->group_count;
    }
}

// ---- all of it ----------------------------------------------------------------------------------

static bool order_allocate(tn_world *world, order_pass *pass, tni_contact_order *order) {
    tni_arena *arena = &world->arena;
    size_t count = order->count;
    order->kept = pass->kept = tni_arena_alloc(arena, count * sizeof *pass->kept);
    pass->blocks = tni_arena_alloc(arena, count * sizeof *pass->blocks);
    pass->kept_of = tni_arena_alloc(arena, count * sizeof *pass->kept_of);
    order->groups = tni_arena_alloc(arena, (count + 1) * sizeof *order->groups);
    order->color_ends = tni_arena_alloc(arena, count * sizeof *order->color_ends);
    bool has_all =
        pass->kept && pass->blocks && pass->kept_of && order->groups && order->color_ends;
    for (uint32_t kind = 0; kind < ORDER_KINDS; ++kind) {
        order_class *class = &pass->classes[kind];
        if (class->count > 0) {
            class->color_ends = tni_arena_alloc(arena, class->count * sizeof *class->color_ends);
            class->bodies = tni_arena_alloc(arena, pass->body_count * sizeof *class->bodies);
            has_all = has_all && class->color_ends && class->bodies;
        }
    }
    return has_all;
}

bool tni_contact_order_find(tn_world *world, const tni_solver *solver, tni_contact_order *order) {
    uint32_t part_count = (world->awake_contacts.count + ORDER_PART - 1) / ORDER_PART;
    order_pass pass = {.world = world, .body_count = solver->body_count};
    pass.parts = tni_arena_alloc(&world->arena, part_count * sizeof *pass.parts);
    if (pass.parts == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_count_parts, part_count, 4, &pass);
    order->count = order_place_parts(&pass, part_count);
    order->first_static = pass.classes[ORDER_PUSHING_STATIC].start;
    if (!order_allocate(world, &pass, order)) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_fill_parts, part_count, 1, &pass);
    // The smaller of the classes are not worth a loop.
    uint32_t shared = order->count >= ORDER_LEAST_SHARED ? 1 : ORDER_KINDS;
    tni_tasks_run(&world->tasks, order_color_classes, ORDER_KINDS, shared, &pass);
    for (uint32_t kind = 0; kind < ORDER_KINDS; ++kind) {
        order_add_groups(&pass.classes[kind], order);
    }
    order->groups[order->group_count] = order->count;
    return true;
}
