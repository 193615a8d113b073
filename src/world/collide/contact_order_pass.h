// world/collide/contact_order_pass.h: what the files of the contacts' order share.
#ifndef TNI_WORLD_COLLIDE_CONTACT_ORDER_PASS_H
#define TNI_WORLD_COLLIDE_CONTACT_ORDER_PASS_H

#include "solver/step/colors.h"
#include "world/collide/contact_order.h"

// Shares of the list for workers, once it goes by kinds: how many contacts each has at least, and
// how many shares there are at most.
#define TNI_ORDER_SHARE  128u
#define TNI_ORDER_SHARES 16u

typedef enum tni_order_kind {
    TNI_ORDER_PUSHING,
    TNI_ORDER_NEAR,
    TNI_ORDER_PUSHING_STATIC,
    TNI_ORDER_NEAR_STATIC,
    TNI_ORDER_KINDS,
} tni_order_kind;

// Contacts that follow each other: of a kind as they are listed, then of a class.
typedef struct tni_order_class {
    uint32_t start, count;
    uint32_t color_count;
} tni_order_class;

typedef struct tni_order_pass {
    tn_world *world;
    const tni_solver *solver;
    const tni_cluster_bodies *clusters;
    const tni_parts *parts;
    tni_contact_order *order; // what comes of it
    tni_color_block *blocks;  // kind by kind, then class by class
    uint32_t *kept_of;        // of the blocks: the place in order->kept
    bool *is_driven;          // of the blocks as they are listed: see world/step/clusters.h
    tni_order_class listed[TNI_ORDER_KINDS];
    tni_order_class *classes; // two of each cell: those that push, and those that are only near
    uint32_t own_cells, cell_count;
    uint32_t share_size; // contacts of each share but the last
    uint8_t *cut_of;     // by body: the level of the first cut that one of its contacts goes across
    uint32_t *color_ends; // of each class from its start on, in contacts of all
} tni_order_pass;

static inline uint32_t order_count_shares(const tni_order_pass *pass) {
    return (pass->order->count + pass->share_size - 1) / pass->share_size;
}

static inline uint32_t order_get_share_end(const tni_order_pass *pass, uint32_t share) {
    uint32_t end = (share + 1) * pass->share_size;
    return end < pass->order->count ? end : pass->order->count;
}

// One after the other; each is false when memory cannot be had.
// The contacts with points, and their blocks kind by kind: world/collide/contact_order_list.c
bool tni_contact_order_list(tni_order_pass *pass);
// With parts: which of the cuts stay, and `cut_of`: world/collide/contact_order_cuts.c
bool tni_contact_order_choose_parts(tni_step *step, tni_order_pass *pass);
// The classes of the cells, and the blocks class by class: world/collide/contact_order_cells.c
bool tni_contact_order_sort(tni_order_pass *pass);
// The place of each contact in the sweep: world/collide/contact_order_colors.c
bool tni_contact_order_color(tni_order_pass *pass);
// Groups, turns, loops and clusters: world/collide/contact_order_groups.c
bool tni_contact_order_group(const tni_order_pass *pass);

#endif
