// collision/concave/compound.h: many convex shapes as one, with a tree of their boxes.
#ifndef TNI_COLLISION_CONCAVE_COMPOUND_H
#define TNI_COLLISION_CONCAVE_COMPOUND_H

#include "collision/concave/box_tree.h"
#include "collision/concave/concave.h"

#define TNI_COMPOUND_MOST (1u << 24)

typedef struct tni_compound {
    tni_concave base;
    tni_geometry *children; // hulls are its own
    uint16_t *materials;    // by child
    tni_box_tree tree;
} tni_compound;

// A child: its geometry, and of a hull the points.
typedef struct tni_compound_child {
    tni_geometry geometry;
    const vec3s *points;
    uint32_t point_count;
    uint16_t material;
} tni_compound_child;

// Asks for a child by its number.
typedef tni_compound_child (*tni_compound_child_fn)(const void *source, uint32_t child);

// Makes a compound with one user. The numbers of the children must have been checked. Returns null
// if memory is short or a hull cannot be built; *out_result says which.
tni_compound *tni_compound_make(const tni_allocator *allocator, uint32_t count,
                                tni_compound_child_fn get_child, const void *source,
                                tn_result *out_result);

// The steps of making one: the first returns null without memory, else a compound with one user and
// no tree, whose children are zero; the last counts materials.
tni_compound *tni_compound_allocate(const tni_allocator *allocator, uint32_t child_count);
tni_bounds tni_compound_get_box(const void *compound, uint32_t child);
void tni_compound_finish(tni_compound *compound);

// Saves a compound, and loads one with one user, whose lengths but for hulls are not checked.
// Returns null after DAMAGED_DATA or OUT_OF_MEMORY (compound_saved.c).
#define TNI_COMPOUND_VERSION 1
void tni_compound_save(tni_stream *stream, const void *compound);
tni_shared *tni_compound_load(tni_stream *stream, const tni_allocator *allocator,
                              tn_result *out_result);

#endif
