// Threads share a hull, each with worlds of its own, and the last one frees it. A plain program,
// for sanitizers of threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <malloc.h> // has the same under other names
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define aligned_free                   _aligned_free
#else
#define aligned_free free
#endif

#include "tenon/tenon.h"

#define THREADS 4
#define WORLDS  30
#define SHAPES  20

static void *count_alloc(size_t size, size_t alignment, void *user_data) {
    (void)alignment;
    atomic_fetch_add((atomic_int *)user_data, 1);
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void count_free(void *memory, size_t size, void *user_data) {
    (void)size;
    atomic_fetch_sub((atomic_int *)user_data, 1);
    aligned_free(memory);
}

// Shapes of the hull come and go in worlds that come and go.
static void *use_hull(void *context) {
    tn_hull *hull = context;
    tn_shape_def def = tn_shape_def_default();
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_DYNAMIC;
    for (int i = 0; i < WORLDS; ++i) {
        tn_world *world = tn_world_create(NULL, NULL);
        tn_body_id body = tn_body_create(world, &body_def);
        for (int k = 0; k < SHAPES; ++k) {
            tn_shape_id shape = tn_hull_shape_create(world, body, &def, hull);
            tn_hull *own = tn_hull_shape_get_hull(world, shape);
            tn_hull_retain(own);
            tn_shape_destroy(world, shape);
            tn_hull_release(own);
        }
        tn_hull_shape_create(world, body, &def, hull);
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_world_destroy(world);
    }
    tn_hull_release(hull);
    return NULL;
}

int main(void) {
    static const tn_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    atomic_int blocks = 0;
    tn_hull_def def = tn_hull_def_default();
    def.points = points;
    def.point_count = 4;
    def.alloc = count_alloc;
    def.free = count_free;
    def.memory_user_data = &blocks;
    tn_hull *hull = tn_hull_create(&def, NULL);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        tn_hull_retain(hull);
        pthread_create(&threads[i], NULL, use_hull, hull);
    }
    tn_hull_release(hull);
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
    int left = atomic_load(&blocks);
    if (hull == NULL || left != 0) {
        printf("%d blocks of a hull were not freed\n", left);
    }
    return hull == NULL || left != 0;
}
