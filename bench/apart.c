// bench/apart.c: worlds with nothing in common, a thread for each; a step is one of every world.
//
// The caller has the first world, helpers the others. Between steps a helper looks for the next one
// for a while, and then sleeps, for other engines take their turns meanwhile.
#include "bench/apart.h"

#include <stdlib.h>

#if !defined(_WIN32) && !defined(__STDC_NO_ATOMICS__)
#include "bench/spin.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct apart_worlds apart_worlds;

typedef struct apart_helper {
    apart_worlds *all;
    void *world;
    pthread_t thread;
} apart_helper;

struct apart_worlds {
    void **worlds; // the caller's first
    apart_helper *helpers;
    uint32_t world_count, helper_count;
    _Atomic uint32_t step, done; // steps begun; helpers that have made theirs
    atomic_bool stops;
    pthread_mutex_t lock; // of what a helper sleeps for
    pthread_cond_t has_work;
};

// Until there is a step after `seen`, or the end.
static void apart_sleep(apart_worlds *all, uint32_t seen) {
    pthread_mutex_lock(&all->lock);
    while (atomic_load(&all->step) == seen && !atomic_load(&all->stops)) {
        pthread_cond_wait(&all->has_work, &all->lock);
    }
    pthread_mutex_unlock(&all->lock);
}

static void *apart_help(void *argument) {
    apart_helper *helper = argument;
    apart_worlds *all = helper->all;
    uint32_t seen = 0, looks = 0;
    while (!atomic_load(&all->stops)) {
        if (atomic_load(&all->step) != seen) {
            seen += 1;
            bench_engine_tenon.step(helper->world);
            atomic_fetch_add(&all->done, 1);
            looks = 0;
        } else if (++looks > SPIN_LOOKS) {
            apart_sleep(all, seen);
            looks = 0;
        }
    }
    return NULL;
}

// One step more for all helpers, or their end.
static void apart_call(apart_worlds *all, bool is_end) {
    pthread_mutex_lock(&all->lock);
    atomic_store(&all->stops, is_end);
    atomic_fetch_add(&all->step, is_end ? 0 : 1);
    pthread_cond_broadcast(&all->has_work);
    pthread_mutex_unlock(&all->lock);
}

static void apart_destroy(void *engine_world) {
    apart_worlds *all = engine_world;
    apart_call(all, true);
    for (uint32_t i = 0; i < all->helper_count; ++i) {
        pthread_join(all->helpers[i].thread, NULL);
    }
    for (uint32_t i = 0; i < all->world_count; ++i) {
        bench_engine_tenon.destroy(all->worlds[i]);
    }
    pthread_cond_destroy(&all->has_work);
    pthread_mutex_destroy(&all->lock);
    free(all->worlds);
    free(all->helpers);
    free(all);
}

static apart_worlds *apart_make(void) {
    apart_worlds *all = calloc(1, sizeof(*all));
    bool has_lock = all != NULL && pthread_mutex_init(&all->lock, NULL) == 0;
    if (has_lock && pthread_cond_init(&all->has_work, NULL) == 0) {
        return all;
    }
    if (has_lock) {
        pthread_mutex_destroy(&all->lock);
    }
    free(all);
    return NULL;
}

static bool apart_add_world(apart_worlds *all, const bench_case *item, const bench_model *model) {
    void *world = bench_engine_tenon.create(&bench_engine_tenon, item, model);
    all->worlds[all->world_count] = world;
    all->world_count += world != NULL ? 1 : 0;
    return world != NULL;
}

static bool apart_add_helper(apart_worlds *all) {
    apart_helper *helper = &all->helpers[all->helper_count];
    *helper = (apart_helper){.all = all, .world = all->worlds[all->helper_count + 1]};
    bool has_thread = pthread_create(&helper->thread, NULL, apart_help, helper) == 0;
    all->helper_count += has_thread ? 1 : 0;
    return has_thread;
}

static bool apart_fill(apart_worlds *all, const bench_case *item, const bench_model *model,
                       uint32_t count) {
    bool is_good = all->worlds != NULL && all->helpers != NULL;
    for (uint32_t i = 0; i < count && is_good; ++i) {
        is_good = apart_add_world(all, item, model);
    }
    for (uint32_t i = 1; i < count && is_good; ++i) {
        is_good = apart_add_helper(all);
    }
    return is_good;
}

static void *apart_create(const bench_engine *engine, const bench_case *item,
                          const bench_model *model) {
    uint32_t count = engine->worker_count;
    apart_worlds *all = count > 1 ? apart_make() : NULL;
    if (all == NULL) {
        return NULL;
    }
    all->worlds = calloc(count, sizeof(*all->worlds));
    all->helpers = calloc(count, sizeof(*all->helpers));
    if (!apart_fill(all, item, model, count)) {
        apart_destroy(all);
        return NULL;
    }
    return all;
}

static void apart_before_step(void *engine_world) {
    apart_worlds *all = engine_world;
    for (uint32_t i = 0; i < all->world_count; ++i) {
        bench_engine_tenon.before_step(all->worlds[i]);
    }
}

static void apart_step(void *engine_world) {
    apart_worlds *all = engine_world;
    atomic_store(&all->done, 0);
    apart_call(all, false);
    bench_engine_tenon.step(all->worlds[0]);
    for (uint32_t looks = 0; atomic_load(&all->done) < all->helper_count; ++looks) {
        spin_look_again(looks);
    }
}

static void apart_after_step(void *engine_world) {
    apart_worlds *all = engine_world;
    for (uint32_t i = 0; i < all->world_count; ++i) {
        bench_engine_tenon.after_step(all->worlds[i]);
    }
}

const bench_engine bench_engine_tenon_apart = {
    .name = "apart",
    .create = apart_create,
    .before_step = apart_before_step,
    .step = apart_step,
    .after_step = apart_after_step,
    .destroy = apart_destroy,
};

#else

static void *apart_create(const bench_engine *engine, const bench_case *item,
                          const bench_model *model) {
    (void)engine;
    (void)item;
    (void)model;
    return NULL;
}

const bench_engine bench_engine_tenon_apart = {.name = "apart", .create = apart_create};

#endif
