// tools/tenon/pool.c: workers wait for tasks, take pieces of them one by one under a lock, and run
// them.
//
// The lock is held only while a piece is taken or given back, and pieces are large (a quarter of an
// even share each), so that its cost does not show. The stepping thread is worker 0 and helps while
// it waits.
#include "tools/tenon/pool.h"

#include <pthread.h>
#include <stdlib.h>

#define POOL_MAX_WORKERS 64
#define POOL_MAX_TASKS   32
#define POOL_PIECES      4 // of a task for each worker

typedef struct pool_task {
    tn_task_fn run;
    void *context;
    uint32_t next, count, piece;
    uint32_t running; // pieces taken and not given back
    bool is_live;
} pool_task;

typedef struct pool_worker {
    worker_pool *pool;
    uint32_t index;
    pthread_t thread;
} pool_worker;

struct worker_pool {
    pthread_mutex_t lock;
    pthread_cond_t has_work, has_finished;
    pool_task tasks[POOL_MAX_TASKS];
    pool_worker workers[POOL_MAX_WORKERS];
    uint32_t worker_count;
    bool stops;
};

// Runs one piece of the task. Called with the lock held, which is let go while the piece runs.
static void pool_run_piece(worker_pool *pool, pool_task *task, uint32_t worker) {
    uint32_t first = task->next;
    uint32_t left = task->count - first;
    uint32_t last = first + (left < task->piece ? left : task->piece);
    task->next = last;
    task->running += 1;
    pthread_mutex_unlock(&pool->lock);
    task->run(first, last, worker, task->context);
    pthread_mutex_lock(&pool->lock);
    task->running -= 1;
    if (task->running == 0 && task->next == task->count) {
        pthread_cond_broadcast(&pool->has_finished);
    }
}

static pool_task *pool_find_work(worker_pool *pool) {
    for (uint32_t i = 0; i < POOL_MAX_TASKS; i++) {
        pool_task *task = &pool->tasks[i];
        if (task->is_live && task->next < task->count) {
            return task;
        }
    }
    return NULL;
}

static void *pool_work(void *argument) {
    pool_worker *worker = argument;
    worker_pool *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    while (!pool->stops) {
        pool_task *task = pool_find_work(pool);
        if (task != NULL) {
            pool_run_piece(pool, task, worker->index);
        } else {
            pthread_cond_wait(&pool->has_work, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void *pool_enqueue(tn_task_fn run, uint32_t count, uint32_t min_range, void *context,
                          void *user_data) {
    worker_pool *pool = user_data;
    uint32_t piece = count / (POOL_PIECES * pool->worker_count) + 1;
    piece = piece > min_range ? piece : min_range;
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < POOL_MAX_TASKS; i++) {
        pool_task *task = &pool->tasks[i];
        if (!task->is_live) {
            *task = (pool_task){run, context, 0, count, piece, 0, true};
            pthread_cond_broadcast(&pool->has_work);
            pthread_mutex_unlock(&pool->lock);
            return task;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    run(0, count, 0, context);
    return NULL;
}

static void pool_finish(void *handle, void *user_data) {
    worker_pool *pool = user_data;
    pool_task *task = handle;
    if (task == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    while (task->next < task->count) {
        pool_run_piece(pool, task, 0);
    }
    while (task->running > 0) {
        pthread_cond_wait(&pool->has_finished, &pool->lock);
    }
    task->is_live = false;
    pthread_mutex_unlock(&pool->lock);
}

worker_pool *pool_create(uint32_t workers) {
    worker_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL || workers < 1 || workers > POOL_MAX_WORKERS) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_work, NULL);
    pthread_cond_init(&pool->has_finished, NULL);
    pool->worker_count = 1;
    for (uint32_t i = 1; i < workers; i++) {
        pool_worker *worker = &pool->workers[i];
        worker->pool = pool;
        worker->index = i;
        if (pthread_create(&worker->thread, NULL, pool_work, worker) != 0) {
            pool_destroy(pool);
            return NULL;
        }
        pool->worker_count += 1;
    }
    return pool;
}

void pool_destroy(worker_pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->stops = true;
    pthread_cond_broadcast(&pool->has_work);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 1; i < pool->worker_count; i++) {
        pthread_join(pool->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->has_finished);
    pthread_cond_destroy(&pool->has_work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pool_set_hooks(worker_pool *pool, tn_world_def *def) {
    def->enqueue = pool_enqueue;
    def->finish = pool_finish;
    def->task_user_data = pool;
    def->worker_count = pool->worker_count;
}
