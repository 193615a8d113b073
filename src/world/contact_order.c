// world/contact_order.c: which contacts are swept, in which order, and which of them side by side.
//
// Contacts with static bodies are swept last, for they must not give way; and those that push
// before those that are only near, so that groups are full of either. These four classes are
// colored each by itself (solver/colors.h), and a color is cut into groups of eight.
//
// Workers count what each part of the list of awake contacts has of each class; from the sums over
// the parts before it a part knows where its contacts go, so that all parts are filled at once and
// in the order of the list. Colors are found one contact after the other, but of the classes at
// once. What goes through the substeps in clusters (world/clusters.h) has four such classes for
// each cluster, which come behind those of everything else.
#include <string.h>

#include "solver/colors.h"
#include "solver/integrate.h"
#include "world/clusters.h"
#include "world/contact_order.h"
#include "world/narrow.h"

// Contacts of the list in one part.
#define ORDER_PART 256u
// Contacts ahead of the one that is filled in: little is done about each.
#define ORDER_AHEAD 16u
// Fewer are colored before another thread has looked.
#define ORDER_LEAST_SHARED 256u
// Clusters to be colored by one worker.
#define ORDER_LEAST_CLUSTERS 4u

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
} order_class;

typedef struct order_pass {
    const tn_world *world;
    const tni_solver *solver;
    const tni_cluster_bodies *clusters;
    order_part *parts;
    tni_kept_contact *kept;
    uint32_t *kept_at;                   // as the order's
    tni_touching *touching;              // of what is kept
    tni_color_block *blocks;             // class by class
    uint32_t *kept_of;                   // of the blocks
    bool *is_driven;                     // of the blocks as they are listed: see world/clusters.h
    uint32_t *color_ends;                // of each class from its start on, in contacts of all
    tni_color_body *bodies[ORDER_KINDS]; // by solver body
    order_class listed[ORDER_KINDS];
    order_class *classes; // of what is in no cluster, then of each cluster
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
        pass->listed[kind].start = start;
        for (uint32_t part = 0; part < part_count; ++part) {
            uint32_t count = pass->parts[part].of_kind[kind];
            pass->parts[part].of_kind[kind] = start;
            start += count;
        }
        pass->listed[kind].count = start - pass->listed[kind].start;
    }
    return kept;
}

TNI_FORCE_INLINE void order_fetch(const tn_world *world, uint32_t at, uint32_t end) {
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

// A body that moves and does not give way: it goes through the substeps with all it touches.
static bool order_drives(const order_pass *pass, uint32_t body) {
    const tni_body *record = tni_body_at(pass->world, body);
    return record->type == TN_BODY_TYPE_KINEMATIC && record->awake_index != TNI_NONE &&
           pass->solver->kinds[record->solver_index] != TNI_BATCH_NONE;
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
            pass->kept[k] = (tni_kept_contact){entry->contact, i, TNI_NONE, entry->has_static};
            pass->kept_of[to] = k;
            pass->is_driven[to] = entry->has_static && (order_drives(pass, contact->body_a) ||
                                                        order_drives(pass, contact->body_b));
            uint32_t a = order_get_moving(world, contact->body_a);
            uint32_t b = order_get_moving(world, contact->body_b);
            pass->blocks[to] = (tni_color_block){a, b, entry->contact, 0};
            bool holds = contact->is_touching && a != TNI_COLOR_NO_BODY && b != TNI_COLOR_NO_BODY;
            pass->touching[k] = holds ? (tni_touching){a, b} : (tni_touching){0, 0};
        }
    }
}

// ---- colors and groups --------------------------------------------------------------------------

// Colors of a class one after the other.
static void order_color_class(const order_pass *pass, uint32_t index) {
    order_class *class = &pass->classes[index];
    tni_color_block *blocks = pass->blocks + class->start;
    class->color_count = tni_colors_find(blocks, class->count, pass->bodies[index % ORDER_KINDS]);
    uint32_t *next = pass->color_ends + class->start; // first counts, then where the next one goes
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
        uint32_t k = pass->kept_of[class->start + i], at = next[blocks[i].color]++;
        pass->kept[k].index = at;
        if (index >= ORDER_KINDS) {
            pass->kept_at[at] = k;
        }
    }
}

static void order_color_kinds(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    order_pass *pass = context;
    for (uint32_t kind = first; kind < last; ++kind) {
        if (pass->listed[kind].count > 0) {
            memset(pass->bodies[kind], 0, pass->solver->body_count * sizeof *pass->bodies[kind]);
            order_color_class(pass, kind);
        }
    }
}

static void order_color_clusters(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    order_pass *pass = context;
    for (uint32_t i = (1 + first) * ORDER_KINDS; i < (1 + last) * ORDER_KINDS; ++i) {
        if (pass->classes[i].count > 0) {
            order_color_class(pass, i);
        }
    }
}

static void order_add_groups(const order_pass *pass, uint32_t index, tni_contact_order *order) {
    const order_class *class = &pass->classes[index];
    const uint32_t *color_ends = pass->color_ends + class->start;
    uint32_t at = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        for (; at < color_ends[c]; at += TNI_CONTACTS) {
            order->groups[order->group_count++] = at;
        }
        at = color_ends[c];
        if (index < ORDER_KINDS) {
            order->color_ends[order->color_count++] = order->group_count;
        }
    }
}

static void order_add_all_groups(const order_pass *pass, tni_contact_order *order) {
    for (uint32_t i = 0; i < (1 + pass->clusters->count) * ORDER_KINDS; ++i) {
        tni_cluster *cluster = i >= ORDER_KINDS ? &order->clusters[i / ORDER_KINDS - 1] : NULL;
        if (cluster != NULL && i % ORDER_KINDS == 0) {
            *cluster = (tni_cluster){.first_group = order->group_count,
                                     .first_contact = pass->classes[i].start};
        }
        order_add_groups(pass, i, order);
        if (cluster != NULL) {
            cluster->group_count = order->group_count - cluster->first_group;
            cluster->contact_count += pass->classes[i].count;
        } else {
            order->own_group_count = order->group_count;
            order->own_count += pass->classes[i].count;
        }
    }
    order->groups[order->group_count] = order->count;
}

// ---- clusters -----------------------------------------------------------------------------------

static uint32_t order_get_class(const order_pass *pass, uint32_t kind,
                                const tni_color_block *block) {
    uint32_t body = block->body_a != TNI_COLOR_NO_BODY ? block->body_a : block->body_b;
    uint32_t cluster = pass->clusters->of[body];
    return cluster == TNI_NONE ? kind : (1 + cluster) * ORDER_KINDS + kind;
}

// The blocks as they are listed, kind by kind, into the classes of the clusters.
static void order_move_blocks(const order_pass *pass, tni_color_block *to, uint32_t *kept_of) {
    order_class *classes = pass->classes;
    for (uint32_t kind = 0; kind < ORDER_KINDS; ++kind) {
        const order_class *listed = &pass->listed[kind];
        for (uint32_t k = listed->start; k < listed->start + listed->count; ++k) {
            classes[order_get_class(pass, kind, &pass->blocks[k])].count += 1;
        }
    }
    uint32_t start = 0;
    for (uint32_t i = 0; i < (1 + pass->clusters->count) * ORDER_KINDS; ++i) {
        classes[i].start = start;
        start += classes[i].count;
        classes[i].count = 0;
    }
    for (uint32_t kind = 0; kind < ORDER_KINDS; ++kind) {
        const order_class *listed = &pass->listed[kind];
        for (uint32_t k = listed->start; k < listed->start + listed->count; ++k) {
            order_class *class = &classes[order_get_class(pass, kind, &pass->blocks[k])];
            uint32_t at = class->start + class->count++;
            to[at] = pass->blocks[k];
            kept_of[at] = pass->kept_of[k];
        }
    }
}

static bool order_split(tn_world *world, order_pass *pass, tni_contact_order *order) {
    tni_arena *arena = &world->arena;
    size_t clusters = pass->clusters->count;
    tni_color_block *blocks = tni_arena_alloc(arena, order->count * sizeof *blocks);
    uint32_t *kept_of = tni_arena_alloc(arena, order->count * sizeof *kept_of);
    order->clusters = tni_arena_alloc(arena, clusters * sizeof *order->clusters);
    pass->classes =
        tni_arena_alloc_zeroed(arena, (1 + clusters) * ORDER_KINDS * sizeof *pass->classes);
    order->kept_at = pass->kept_at = tni_arena_alloc(arena, order->count * sizeof *pass->kept_at);
    if (blocks == NULL || kept_of == NULL || order->clusters == NULL || pass->classes == NULL ||
        pass->kept_at == NULL) {
        return false;
    }
    order_move_blocks(pass, blocks, kept_of);
    pass->blocks = blocks;
    pass->kept_of = kept_of;
    return true;
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
    pass->color_ends = tni_arena_alloc(arena, count * sizeof *pass->color_ends);
    pass->is_driven = tni_arena_alloc(arena, count * sizeof *pass->is_driven);
    order->touching = pass->touching = tni_arena_alloc(arena, count * sizeof *pass->touching);
    bool has_all = pass->kept && pass->touching && pass->blocks && pass->kept_of && order->groups &&
                   order->color_ends && pass->color_ends && pass->is_driven;
    for (uint32_t kind = 0; kind < ORDER_KINDS && has_all; ++kind) {
        if (pass->listed[kind].count > 0) {
            size_t size = pass->solver->body_count * sizeof *pass->bodies[kind];
            pass->bodies[kind] = tni_arena_alloc(arena, size);
            has_all = pass->bodies[kind] != NULL;
        }
    }
    return has_all;
}

bool tni_contact_order_find(tn_world *world, tni_step *step, tni_contact_order *order) {
    uint32_t part_count = (world->awake_contacts.count + ORDER_PART - 1) / ORDER_PART;
    order_pass pass = {.world = world, .solver = &step->solver, .clusters = &step->clusters};
    pass.classes = pass.listed;
    pass.parts = tni_arena_alloc(&world->arena, part_count * sizeof *pass.parts);
    if (pass.parts == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_count_parts, part_count, 4, &pass);
    order->count = order_place_parts(&pass, part_count);
    if (!order_allocate(world, &pass, order)) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_fill_parts, part_count, 1, &pass);
    const tni_cluster_contacts contacts = {pass.blocks, pass.is_driven, order->count};
    if (!tni_step_find_clusters(world, step, &contacts) ||
        (step->clusters.count > 0 && !order_split(world, &pass, order))) {
        return false;
    }
    // The smaller of the classes are not worth a loop.
    uint32_t shared = order->count >= ORDER_LEAST_SHARED ? 1 : ORDER_KINDS;
    tni_tasks_run(&world->tasks, order_color_kinds, ORDER_KINDS, shared, &pass);
    tni_tasks_run(&world->tasks, order_color_clusters, step->clusters.count, ORDER_LEAST_CLUSTERS,
                  &pass);
    order_add_all_groups(&pass, order);
    return true;
}
