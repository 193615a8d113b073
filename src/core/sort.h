// core/sort.h: a stable radix sort of 64-bit keys, so that an order never depends on a library's
// qsort.
#ifndef TNI_CORE_SORT_H
#define TNI_CORE_SORT_H

#include "core/base.h"

// Sorts keys ascending in place; `scratch` holds `count` keys too. It is stable and allocates
// nothing.
void tni_sort_u64(uint64_t *keys, uint64_t *scratch, uint32_t count);

#endif
