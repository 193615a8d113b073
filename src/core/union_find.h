// core/union_find.h: the root of a set in a forest of disjoint sets (Galler and Fisher, "An
// improved equivalence algorithm", 1964), with path halving.
//
// `parents[i] == i` is a root. Callers join sets by making one root the other's parent.
// Test: tests/core/test_union_find.c
#ifndef TNI_CORE_UNION_FIND_H
#define TNI_CORE_UNION_FIND_H

#include <stdint.h>

static inline uint32_t union_find_root(uint32_t *parents, uint32_t i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

#endif
