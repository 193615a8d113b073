// world/records/pair_exceptions.h: the pairs of bodies that the user forbade to touch.
//
// An exception names its bodies by their handles. If one of them is gone, it is void; its place is
// used again before the array grows. Function: world/api/pair_collision.c
#ifndef TNI_WORLD_RECORDS_PAIR_EXCEPTIONS_H
#define TNI_WORLD_RECORDS_PAIR_EXCEPTIONS_H

#include "core/hash.h"

typedef struct tni_pair_exception {
    uint32_t body_a, body_b; // handles
} tni_pair_exception;

typedef struct tni_pair_exceptions {
    tni_map places; // the bodies' indices -> place in items
    tni_pair_exception *items;
    uint32_t count, capacity;
} tni_pair_exceptions;

#endif
