// world/collide/contact_order_cells.h: how the cells of a sweep's contacts are numbered.
//
// A world that is cut into parts (world/step/parts.h) has cells of two classes each, in loops of
// turns that are swept in parallel. A body belongs to the first cut, counted from the one through
// the whole, that one of its contacts crosses. The first loop has the contacts that share no body
// with another turn, which is most of them. It has a turn for each part: its contacts between
// bodies of no cut, and those across one cut whose bodies belong to no earlier cut. There is one
// cut fewer than there are parts, and each is in the turn of the last part before it. The few
// contacts across a cut that hold a body of an earlier one follow, level by level. The last loop
// has, for each part, the other contacts between its bodies and then those with static ones. So
// other workers need not wait for contacts across cuts. Workers have equal shares, because a
// contact across a cut counts for the part whose turn has it (solver/step/cluster_find.c).
//
// A world of one part has two cells: contacts between moving bodies, and with static ones.
// Clusters, which go through all substeps together (world/step/clusters.h), have two cells of this
// kind each, behind all others.
#ifndef TNI_WORLD_COLLIDE_CONTACT_ORDER_CELLS_H
#define TNI_WORLD_COLLIDE_CONTACT_ORDER_CELLS_H

#include "world/collide/contact_order_pass.h"

// Cells of a part are of one kind; a cut's cells are early, with the first loop, or late.
static inline uint32_t order_get_inside_cell(uint32_t part) {
    return 2 * part + 1;
}

static inline uint32_t order_get_late_cell(const tni_parts *parts, uint32_t node) {
    return 2 * part_count(parts) + node;
}

static inline uint32_t order_get_border_cell(const tni_parts *parts, uint32_t part) {
    return order_get_late_cell(parts, part_count_inner(parts)) + 2 * part;
}

static inline uint32_t order_get_level(uint32_t node) {
    uint32_t level = 0;
    while ((node + 1) >> (level + 1) != 0) {
        level += 1;
    }
    return level;
}

// Returns a cut's early cell, which is in the turn of the last part before the cut.
static inline uint32_t order_get_early_cell(const tni_parts *parts, uint32_t node) {
    uint32_t level = order_get_level(node), width = part_count(parts) >> level;
    uint32_t part = (node + 1 - (1u << level)) * width + width / 2 - 1;
    return 2 * part;
}

static inline uint32_t order_count_own_cells(const tni_parts *parts) {
    return parts->levels > 0 ? order_get_border_cell(parts, part_count(parts)) : 2;
}

// Returns whether a cell has contacts across cuts, whose classes are colored with shared bodies.
static inline bool order_is_between(const tni_parts *parts, uint32_t cell) {
    uint32_t of_first = 2 * part_count(parts), behind = order_get_border_cell(parts, 0);
    return cell < of_first ? cell % 2 == 0 : cell < behind;
}

#endif
