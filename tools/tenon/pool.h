// tools/tenon/pool.h: a few threads behind a world's task hooks.
#ifndef TOOLS_TENON_POOL_H
#define TOOLS_TENON_POOL_H

#include <tenon/world.h>

typedef struct worker_pool worker_pool;

// `workers` counts the thread that steps the world. Null when threads cannot be had.
worker_pool *pool_create(uint32_t workers);
void pool_destroy(worker_pool *pool);
// Sets the hooks of a world's definition. The pool must outlive the world.
void pool_set_hooks(worker_pool *pool, tn_world_def *def);

#endif
