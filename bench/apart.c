// bench/apart.c: worlds with nothing in common, a thread for each; a step is one of every world.
//
// The caller has the first world, helpers the others. Between steps a helper looks for the next one
// for a while, and then sleeps, for other engines take their turns meanwhile.
#include "bench/apart.h"

#include <stdlib.h>

#if !defined(_WIN32) && !defined(__STDC_NO_ATOMICS__)
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define APART_LOOKS 4000 // before a thread lets others on its processor

typedef struct apart_worlds apart_worlds;

typedef struct apart_helper {
    apart_worlds *all;
    void *world;
    pthread_t thread;
} apart_helper;

struct apart_worlds {
    void *own; // the caller's
    apart_helper *helpers;
    uint32_t helper_count, thread_count; // worlds there are, threads there are
    _Atomic uint32_t step, done;         // steps begun; worlds of helpers that have made theirs
    _Atomic uint32_t sleeping;
    atomic_bool stops;
    pthread_mutex_t lock;
    pthread_cond_t has_work;
};

static void apart_look_again(uint32_t looks) {
    if (looks > APART_LOOKS) {
        sched_yield();
    }
}

// Until there is a step after `seen`, or the end.
static void apart_sleep(apart_worlds *all, uint32_t seen) {
    pthread_mutex_lock(&all->lock);
    atomic_fetch_add(&all->sleeping, 1);
    while (atomic_load(&all->step) == seen && !atomic_load(&all->stops)) {
        pthread_cond_wait(&all->has_work, &all->lock);
    }
    atomic_fetch_sub(&all->sleeping, 1);
    pthread_mutex_unlock(&all->lock);
}

static void apart_wake(apart_worlds *all) {
    if (atomic_load(&all->sleeping) > 0) {
        pthread_mutex_lock(&all->lock);
        pthread_cond_broadcast(&all->has_work);
        pthread_mutex_unlock(&all->lock);
    }
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
        } else if (++looks > APART_LOOKS) {
            apart_sleep(all, seen);
            looks = 0;
        }
    }
    return NULL;
}

static void apart_destroy(void *engine_world) {
    apart_worlds *all = engine_world;
    atomic_store(&all->stops, true);
    apart_wake(all);
    for (uint32_t i = 0; i < all->thread_count; ++i) {
        pthread_join(all->helpers[i].thread, NULL);
    }
    for (uint32_t i = 0; i < all->helper_count; ++i) {
        bench_engine_tenon.destroy(all->helpers[i].world);
    }
    bench_engine_tenon.destroy(all->own);
    pthread_cond_destroy(&all->has_work);
    pthread_mutex_destroy(&all->lock);
    free(all->helpers);
    free(all);
}

static apart_worlds *apart_make(uint32_t helpers) {
    apart_worlds *all = calloc(1, sizeof(*all));
    if (all == NULL) {
        return NULL;
    }
    all->helpers = calloc(helpers, sizeof(*all->helpers));
    if (all->helpers == NULL || pthread_mutex_init(&all->lock, NULL) != 0) {
        free(all->helpers);
        free(all);
        return NULL;
    }
    if (pthread_cond_init(&all->has_work, NULL) != 0) {
        pthread_mutex_destroy(&all->lock);
        free(all->helpers);
        free(all);
        return NULL;
    }
    return all;
}

static bool apart_add_helper(apart_worlds *all, const bench_case *item, const bench_model *model) {
    apart_helper *helper = &all->helpers[all->helper_count];
    helper->all = all;
    helper->world = bench_engine_tenon.create(&bench_engine_tenon, item, model);
    if (helper->world == NULL) {
        return false;
    }
    all->helper_count += 1;
    bool has_thread = pthread_create(&helper->thread, NULL, apart_help, helper) == 0;
    all->thread_count += has_thread ? 1 : 0;
    return has_thread;
}

static void *apart_create(const bench_engine *engine, const bench_case *item,
                          const bench_model *model) {
    uint32_t helpers = engine->worker_count > 1 ? engine->worker_count - 1 : 0;
    apart_worlds *all = helpers > 0 ? apart_make(helpers) : NULL;
    if (all == NULL) {
        return NULL;
    }
    all->own = bench_engine_tenon.create(&bench_engine_tenon, item, model);
    bool is_made = all->own != NULL;
    for (uint32_t i = 0; i < helpers && is_made; ++i) {
        is_made = apart_add_helper(all, item, model);
    }
    if (!is_made) {
        apart_destroy(all);
        return NULL;
    }
    return all;
}

static void apart_before_step(void *engine_world) {
    apart_worlds *all = engine_world;
    bench_engine_tenon.before_step(all->own);
    for (uint32_t i = 0; i < all->helper_count; ++i) {
        bench_engine_tenon.before_step(all->helpers[i].world);
    }
}

static void apart_step(void *engine_world) {
    apart_worlds *all = engine_world;
    uint32_t looks = 0;
    atomic_store(&all->done, 0);
    atomic_fetch_add(&all->step, 1);
    apart_wake(all);
    bench_engine_tenon.step(all->own);
    while (atomic_load(&all->done) < all->helper_count) {
        apart_look_again(++looks);
    }
}

static void apart_after_step(void *engine_world) {
    apart_worlds *all = engine_world;
    bench_engine_tenon.after_step(all->own);
    for (uint32_t i = 0; i < all->helper_count; ++i) {
        bench_engine_tenon.after_step(all->helpers[i].world);
    }
}

static void apart_read(const void *engine_world, model_state *out_states) {
    const apart_worlds *all = engine_world;
    bench_engine_tenon.read(all->own, out_states);
}

const bench_engine bench_engine_tenon_apart = {
    .name = "apart",
    .create = apart_create,
    .before_step = apart_before_step,
    .step = apart_step,
    .after_step = apart_after_step,
    .read = apart_read,
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
