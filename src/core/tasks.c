// core/tasks.c: threads that share one loop at a time.
//
// `state` holds the generation of the loop and the next of its pieces: [generation : 32 | piece :
// 32]. A worker reads it, then the loop, and takes the piece by raising `state` by one, if that is
// still what it was: then it has read the loop of that generation. Before a new loop is written
// `state` becomes closed, with a piece beyond all; whoever reads the new loop therefore finds
// another state than that of the old one.
//
// A step hands out loops of some microseconds, one right after the other, and waking a thread takes
// longer than that. So workers look for the next loop for a while (TASKS_LOOKS) before they sleep;
// between two steps they sleep. A mutex around the pieces would cost a call of the kernel for each
// loop.
// Test: tests/threads/test_tasks.c
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // sched_yield, pthreads
#endif

#include "core/tasks.h"

#if !defined(_WIN32) && !defined(__STDC_NO_ATOMICS__) &&                                           \
    (!defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__))
#define TASKS_HAVE_THREADS 1
#else
#define TASKS_HAVE_THREADS 0
#endif

#if TASKS_HAVE_THREADS

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define TASKS_MAX_WORKERS 64
// Of a loop for each worker: some are held up.
#define TASKS_PIECES 4
// How often a worker looks for a loop before it sleeps, some tens of microseconds, and how often
// the caller looks for the last pieces before it lets others on its processor.
#define TASKS_LOOKS  4000
#define TASKS_CLOSED UINT32_MAX

typedef struct tasks_thread {
    tni_workers *workers;
    uint32_t index;
    pthread_t thread;
} tasks_thread;

struct tni_workers {
    _Alignas(TNI_CACHE_LINE) _Atomic uint64_t state;
    // The loop.
    _Alignas(TNI_CACHE_LINE) _Atomic(tn_task_fn) task;
    _Atomic(void *) context;
    _Atomic uint32_t count, size, pieces;           // turns, turns of a piece
    _Alignas(TNI_CACHE_LINE) _Atomic uint32_t done; // pieces
    _Alignas(TNI_CACHE_LINE) _Atomic uint32_t sleeping;
    atomic_bool stops;
    bool is_running; // the caller's: a loop is under way
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    uint32_t thread_count;
    tasks_thread threads[TASKS_MAX_WORKERS];
};

static void tasks_look_again(void) {
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#endif
}

static bool tasks_have_piece(tni_workers *workers) {
    uint32_t next = (uint32_t)atomic_load(&workers->state);
    return next < atomic_load(&workers->pieces);
}

// Takes a piece and runs it. False when there is none.
static bool tasks_take(tni_workers *workers, uint32_t worker) {
    uint64_t state = atomic_load(&workers->state);
    for (;;) {
        uint32_t piece = (uint32_t)state;
        if (piece >= atomic_load(&workers->pieces)) {
            return false;
        }
        tn_task_fn task = atomic_load(&workers->task);
        void *context = atomic_load(&workers->context);
        uint32_t count = atomic_load(&workers->count), size = atomic_load(&workers->size);
        if (atomic_compare_exchange_weak(&workers->state, &state, state + 1)) {
            uint32_t first = piece * size, left = count - first;
            task(first, first + (left < size ? left : size), worker, context);
            atomic_fetch_add(&workers->done, 1);
            return true;
        }
    }
}

// Until there is a loop or the end. `sleeping` is raised before the look, and looked at after a
// loop is there: one of the two sees the other.
static void tasks_sleep(tni_workers *workers) {
    pthread_mutex_lock(&workers->lock);
    atomic_fetch_add(&workers->sleeping, 1);
    while (!tasks_have_piece(workers) && !atomic_load(&workers->stops)) {
        pthread_cond_wait(&workers->has_work, &workers->lock);
    }
    atomic_fetch_sub(&workers->sleeping, 1);
    pthread_mutex_unlock(&workers->lock);
}

static void tasks_wake(tni_workers *workers) {
    if (atomic_load(&workers->sleeping) > 0) {
        pthread_mutex_lock(&workers->lock);
        pthread_cond_broadcast(&workers->has_work);
        pthread_mutex_unlock(&workers->lock);
    }
}

static void *tasks_work(void *argument) {
    tasks_thread *thread = argument;
    tni_workers *workers = thread->workers;
    uint32_t looks = 0;
    while (!atomic_load(&workers->stops)) {
        if (tasks_take(workers, thread->index)) {
            looks = 0;
        } else if (++looks < TASKS_LOOKS) {
            tasks_look_again();
        } else {
            tasks_sleep(workers);
            looks = 0;
        }
    }
    return NULL;
}

tni_workers *tni_workers_create(tni_allocator *allocator, uint32_t count) {
    if (count < 2 || count > TASKS_MAX_WORKERS) {
        return NULL;
    }
    tni_workers *workers = tni_alloc_zeroed(allocator, sizeof *workers);
    if (!workers) {
        return NULL;
    }
    atomic_init(&workers->state, TASKS_CLOSED);
    if (pthread_mutex_init(&workers->lock, NULL) != 0) {
        tni_free(allocator, workers, sizeof *workers);
        return NULL;
    }
    if (pthread_cond_init(&workers->has_work, NULL) != 0) {
        pthread_mutex_destroy(&workers->lock);
        tni_free(allocator, workers, sizeof *workers);
        return NULL;
    }
    for (uint32_t i = 1; i < count; ++i) {
        tasks_thread *thread = &workers->threads[workers->thread_count];
        *thread = (tasks_thread){.workers = workers, .index = i};
        if (pthread_create(&thread->thread, NULL, tasks_work, thread) != 0) {
            break;
        }
        workers->thread_count += 1;
    }
    return workers;
}

void tni_workers_destroy(tni_allocator *allocator, tni_workers *workers) {
    if (!workers) {
        return;
    }
    atomic_store(&workers->stops, true);
    tasks_wake(workers);
    for (uint32_t i = 0; i < workers->thread_count; ++i) {
        pthread_join(workers->threads[i].thread, NULL);
    }
    pthread_cond_destroy(&workers->has_work);
    pthread_mutex_destroy(&workers->lock);
    tni_free(allocator, workers, sizeof *workers);
}

static void tasks_open(tni_workers *workers, tn_task_fn task, uint32_t count, uint32_t min_range,
                       void *context) {
    uint64_t generation = (atomic_load(&workers->state) >> 32) + 1;
    uint32_t most = TASKS_PIECES * (workers->thread_count + 1), size = (count - 1) / most + 1;
    size = size > min_range ? size : min_range;
    atomic_store(&workers->state, (generation << 32) | TASKS_CLOSED);
    atomic_store(&workers->task, task);
    atomic_store(&workers->context, context);
    atomic_store(&workers->count, count);
    atomic_store(&workers->size, size);
    atomic_store(&workers->pieces, (count - 1) / size + 1);
    atomic_store(&workers->done, 0);
    atomic_store(&workers->state, (generation + 1) << 32);
    tasks_wake(workers);
}

static void tasks_run_pieces(tni_workers *workers, tn_task_fn task, uint32_t count,
                             uint32_t min_range, void *context) {
    tasks_open(workers, task, count, min_range, context);
    while (tasks_take(workers, 0)) {
    }
    uint32_t pieces = atomic_load(&workers->pieces);
    for (uint32_t looks = 0; atomic_load(&workers->done) < pieces; ++looks) {
        if (looks < TASKS_LOOKS) {
            tasks_look_again();
        } else {
            sched_yield();
        }
    }
}

// False where it is inside of another.
static bool tasks_share(tni_workers *workers, tn_task_fn task, uint32_t count, uint32_t min_range,
                        void *context) {
    if (workers->is_running) {
        return false;
    }
    workers->is_running = true;
    if (count > min_range && workers->thread_count > 0) {
        tasks_run_pieces(workers, task, count, min_range, context);
    } else {
        task(0, count, 0, context);
    }
    workers->is_running = false;
    return true;
}

#else

tni_workers *tni_workers_create(tni_allocator *allocator, uint32_t count) {
    (void)allocator;
    (void)count;
    return NULL;
}

void tni_workers_destroy(tni_allocator *allocator, tni_workers *workers) {
    (void)allocator;
    (void)workers;
}

static bool tasks_share(tni_workers *workers, tn_task_fn task, uint32_t count, uint32_t min_range,
                        void *context) {
    (void)workers;
    (void)task;
    (void)count;
    (void)min_range;
    (void)context;
    return false;
}

#endif

void tni_tasks_run(const tni_tasks *tasks, tn_task_fn task, uint32_t count, uint32_t min_range,
                   void *context) {
    if (tasks && tasks->enqueue && count > min_range) {
        void *handle = tasks->enqueue(task, count, min_range, context, tasks->user_data);
        if (handle) {
            tasks->finish(handle, tasks->user_data);
        }
    } else if (count > 0 && !(tasks && tasks->workers &&
                              tasks_share(tasks->workers, task, count, min_range, context))) {
        task(0, count, 0, context);
    }
}
