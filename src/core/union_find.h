// core/union_find.h: the root of a set in a forest of disjoint sets (Galler and Fisher, "An
// improved equivalence algorithm", 1964), with path halving.
//
// `parents[i] == i` is a root. The smaller root becomes the other's parent, so that sets are named
// the same in every run.
// Test: tests/core/test_union_find.c
#ifndef TNI_CORE_UNION_FIND_H
#define TNI_CORE_UNION_FIND_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t union_find_root(uint32_t *parents, uint32_t i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// Joins the sets of a and b. Returns false if they were in one set already.
static inline bool union_find_join(uint32_t *parents, uint32_t a, uint32_t b) {
    uint32_t root_a = union_find_root(parents, a), root_b = union_find_root(parents, b);
    parents[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
    return root_a != root_b;
}

#endif
