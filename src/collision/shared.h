// collision/shared.h: geometry that is made once, never changes, and counts its users.
//
// The users may be on several threads: shapes of any worlds, and whoever made or retained it.
#ifndef TNI_COLLISION_SHARED_H
#define TNI_COLLISION_SHARED_H

#include "core/counter.h"
#include "core/memory/alloc.h"

// The first member of such a geometry.
typedef struct tni_shared {
    tni_allocator allocator; // its own
    tni_counter users;
    void (*destroy)(struct tni_shared *shared);
} tni_shared;

// Begins with one user.
static inline void tni_shared_init(tni_shared *shared, const tni_allocator *allocator,
                                   void (*destroy)(tni_shared *)) {
    shared->allocator = *allocator;
    shared->destroy = destroy;
    tni_counter_write(&shared->users, 1);
}

// Null is allowed.
static inline void tni_shared_retain(tni_shared *shared) {
    if (shared != NULL) {
        tni_counter_raise(&shared->users);
    }
}

static inline void tni_shared_release(tni_shared *shared) {
    if (shared != NULL && tni_counter_lower_last(&shared->users)) {
        shared->destroy(shared);
    }
}

#endif
