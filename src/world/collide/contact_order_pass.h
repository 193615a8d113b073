// world/collide/contact_order_pass.h: declares what the files of the contacts' order share.
#ifndef TNI_WORLD_COLLIDE_CONTACT_ORDER_PASS_H
#define TNI_WORLD_COLLIDE_CONTACT_ORDER_PASS_H

#include "solver/step/colors.h"
#include "world/collide/contact_order.h"

// A worker's share of the sorted list has at least this many contacts, and there are at most this
// many shares.
#define TNI_ORDER_SHARE  128u
#define TNI_ORDER_SHARES 16u

typedef enum tni_order_kind {
    TNI_ORDER_PUSHING,
    TNI_ORDER_NEAR,
    TNI_ORDER_PUSHING_STATIC,
    TNI_ORDER_NEAR_STATIC,
    TNI_ORDER_KINDS,
} tni_order_kind;

// Contacts that follow each other: first those of a kind, then those of a class.
typedef struct tni_order_class {
    uint32_t start, count;
    uint32_t color_count;
} tni_order_class;

typedef struct tni_order_pass {
    tn_world *world;
    const tni_solver *solver;
    const tni_cluster_bodies *clusters;
    const tni_parts *parts;
    tni_contact_order *order; // the result
    tni_color_block *blocks;  // kind by kind, then class by class
    uint32_t *kept_of;        // by block: the place in order->kept
    bool *is_driven;          // by block in list order: see world/step/clusters.h
    tni_order_class listed[TNI_ORDER_KINDS];
    tni_order_class *classes; // two per cell: contacts that push, and contacts that are only near
    uint32_t own_cells, cell_count;
    uint32_t share_size;  // contacts of each share but the last
    uint8_t *cut_of;      // by body: the level of the first cut that one of its contacts crosses
    uint32_t *color_ends; // by class, from its start: where each color ends among all contacts
} tni_order_pass;

static inline uint32_t order_count_shares(const tni_order_pass *pass) {
    return (pass->order->count + pass->share_size - 1) / pass->share_size;
}

static inline uint32_t order_get_share_end(const tni_order_pass *pass, uint32_t share) {
    uint32_t end = (share + 1) * pass->share_size;
    return end < pass->order->count ? end : pass->order->count;
}

// These run one after the other; each returns false when memory cannot be had.
// Lists the contacts with points, and their blocks kind by kind: world/collide/contact_order_list.c
bool tni_contact_order_list(tni_order_pass *pass);
// With parts, finds the cuts that stay, and `cut_of`: world/collide/contact_order_cuts.c
bool tni_contact_order_choose_parts(tni_step *step, tni_order_pass *pass);
// Sorts the blocks by the classes of the cells: world/collide/contact_order_cells.c
bool tni_contact_order_sort(tni_order_pass *pass);
// Finds the place of each contact in the sweep: world/collide/contact_order_colors.c
bool tni_contact_order_color(tni_order_pass *pass);
// Makes groups, turns, loops and clusters: world/collide/contact_order_groups.c
bool tni_contact_order_group(const tni_order_pass *pass);

#endif
