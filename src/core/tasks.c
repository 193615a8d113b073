// core/tasks.c: threads that share loops, one chain of loops after the other.
//
// A chain becomes stages: a long loop is one, cut into pieces; short ones that follow each other
// are one together, in one piece. Each worker has a share of the pieces of a stage, the same part
// of it in every loop of that length, so that its data stay in its cache; a worker that is done
// with its own takes pieces of others. The next piece to take is one number for each share:
// [generation of the chain : 32 | stage : 16 | next piece : 16]. It only grows, so that a worker
// that comes late finds everything taken. A stage begins when the pieces of those before it are
// done, which workers count once for each stage: handing over from one stage to the next takes two
// trips of a cache line between processors.
//
// A chain is written while `state` is closed, first the shares and then the stages. So a worker
// that reads a stage of the new chain finds the new shares too, from which it can take nothing for
// the old one.
//
// A step hands out loops of some microseconds, one right after the other, and waking a thread takes
// longer than that. So workers look for the next chain until the step says that it is done, and
// then for a while (TASKS_LOOKS) before they sleep; between two steps they sleep. A mutex around
// the pieces would cost a call of the kernel for each loop. Test: tests/threads/test_tasks.c
#include "core/tasks.h"

#include "core/float_environment.h"

#if TNI_HAVE_THREADS
#include <stdatomic.h>

#include "core/platform_threads.h"
#endif

// ---- stages -------------------------------------------------------------------------------------

// A plan has the loops that are not stages yet.
typedef struct tasks_plan {
    const uint32_t *ends;
    uint32_t loop_count, min_range;
    uint32_t loop, turn; // where the next stage begins
} tasks_plan;

// Returns how many pieces of at least min_range turns there are.
static uint32_t tasks_cut(uint32_t count, uint32_t min_range, uint32_t most) {
    uint32_t pieces = count / (min_range > 0 ? min_range : 1);
    return pieces < 1 ? 1 : (pieces < most ? pieces : most);
}

// Plans the next stage: a long loop, or all short ones before the next long one. Returns its
// pieces, and 0 behind the last.
static uint32_t tasks_plan_next(tasks_plan *plan, uint32_t most, uint32_t *first, uint32_t *last) {
    *first = plan->turn;
    for (; plan->loop < plan->loop_count; ++plan->loop) {
        uint32_t end = plan->ends[plan->loop];
        uint32_t pieces = tasks_cut(end - plan->turn, plan->min_range, most);
        if (pieces > 1 && plan->turn > *first) {
            break; // after the short ones
        }
        plan->turn = *last = end;
        if (pieces > 1) {
            plan->loop += 1;
            return pieces;
        }
    }
    return plan->turn > *first ? 1 : 0;
}

#if TNI_HAVE_THREADS

#define TASKS_MAX_WORKERS 64
// A long loop has this many pieces for each worker, since some workers are held up.
#define TASKS_PIECES 16
// A chain has no more stages than this; longer ones are run in parts.
#define TASKS_MAX_STAGES 128
// A worker looks this many times for a chain before it sleeps, which takes 50 microseconds and
// more, and as many times for the end of a stage before it lets others use its processor.
#define TASKS_LOOKS 4000

typedef struct tasks_thread {
    tni_workers *workers;
    uint32_t index;
    tni_thread thread;
} tasks_thread;

typedef struct tasks_stage {
    _Atomic uint32_t first, last; // turns
    _Atomic uint32_t pieces;
    _Atomic uint32_t before; // pieces of the stages before it
} tasks_stage;

typedef struct tasks_share {
    _Alignas(TNI_CACHE_LINE) _Atomic uint64_t next;
} tasks_share;

struct tni_workers {
    _Alignas(TNI_CACHE_LINE) _Atomic uint32_t state; // the chain's generation: odd while it is open
    _Atomic uint32_t sleeping;
    atomic_bool stops, is_busy;                     // is_busy: more chains come soon
    _Alignas(TNI_CACHE_LINE) _Atomic uint64_t done; // [generation : 32 | pieces : 32]
    // These are the chain.
    _Alignas(TNI_CACHE_LINE) _Atomic(tn_task_fn) task;
    _Atomic(void *) context;
    _Atomic uint32_t stage_count;
    tasks_stage stages[TASKS_MAX_STAGES];
    tasks_share shares[TASKS_MAX_WORKERS];
    _Alignas(TNI_CACHE_LINE) bool is_running; // the caller's: a chain is under way
    uint32_t thread_count;
    tni_gate has_work;
    tasks_thread threads[TASKS_MAX_WORKERS];
};

// ---- a chain's pieces ---------------------------------------------------------------------------

void tni_tasks_look_again(uint32_t looks) {
    if (looks >= TASKS_LOOKS) {
        tni_thread_yield();
    } else {
        tni_thread_pause();
    }
}

static uint64_t tasks_pack(uint32_t generation, uint32_t low) {
    return (uint64_t)generation << 32 | low;
}

// Waits until the stages before are done. Returns false when the chain is over.
static bool tasks_wait(const tni_workers *workers, uint32_t generation, uint32_t before) {
    for (uint32_t looks = 0;; ++looks) {
        uint64_t done = atomic_load_explicit(&workers->done, memory_order_acquire);
        if ((uint32_t)(done >> 32) != generation) {
            return false;
        }
        if ((uint32_t)done >= before) {
            return true;
        }
        tni_tasks_look_again(looks);
    }
}

// Takes the next piece of a share whose pieces are from `begin` to `end`. Returns false when there
// is none.
static bool tasks_take(tasks_share *share, uint64_t stage, uint32_t begin, uint32_t end,
                       uint32_t *out_piece) {
    uint64_t next = atomic_load_explicit(&share->next, memory_order_relaxed);
    for (;;) {
        // This is below 0 when no piece of this stage is taken yet, and large when the stage is
        // over.
        int64_t ahead = (int64_t)(next - stage);
        if (ahead >= (int64_t)end) {
            return false;
        }
        uint32_t piece = ahead < (int64_t)begin ? begin : (uint32_t)ahead;
        if (piece >= end) {
            return false;
        }
        if (atomic_compare_exchange_weak_explicit(&share->next, &next, stage + piece + 1,
                                                  memory_order_acq_rel, memory_order_relaxed)) {
            *out_piece = piece;
            return true;
        }
    }
}

// A worker sees a stage like this.
typedef struct tasks_view {
    uint32_t first, count, pieces; // turns from `first` on
} tasks_view;

// Runs the remaining pieces of the share of `owner`. Returns how many pieces.
static uint32_t tasks_run_share(tni_workers *workers, uint64_t stage, const tasks_view *view,
                                uint32_t owner, uint32_t worker) {
    uint32_t workers_all = workers->thread_count + 1, piece, count = 0;
    uint32_t begin = (view->pieces * owner + workers_all - 1) / workers_all;
    uint32_t end = (view->pieces * (owner + 1) + workers_all - 1) / workers_all;
    while (tasks_take(&workers->shares[owner], stage, begin, end, &piece)) {
        uint64_t from = (uint64_t)view->count * piece / view->pieces;
        uint64_t to = (uint64_t)view->count * (piece + 1) / view->pieces;
        tn_task_fn task = atomic_load_explicit(&workers->task, memory_order_relaxed);
        void *context = atomic_load_explicit(&workers->context, memory_order_relaxed);
        task(view->first + (uint32_t)from, view->first + (uint32_t)to, worker, context);
        count += 1;
    }
    return count;
}

// Walks through the stages of a chain, as long as it is not over.
static void tasks_walk(tni_workers *workers, uint32_t generation, uint32_t worker) {
    uint32_t all = workers->thread_count + 1;
    uint32_t stage_count = atomic_load_explicit(&workers->stage_count, memory_order_acquire);
    for (uint32_t s = 0; s < stage_count; ++s) {
        const tasks_stage *stage = &workers->stages[s];
        uint32_t first = atomic_load_explicit(&stage->first, memory_order_acquire);
        uint32_t last = atomic_load_explicit(&stage->last, memory_order_acquire);
        uint32_t pieces = atomic_load_explicit(&stage->pieces, memory_order_acquire);
        uint32_t before = atomic_load_explicit(&stage->before, memory_order_acquire);
        if (!tasks_wait(workers, generation, before)) {
            return;
        }
        tasks_view view = {first, last - first, pieces};
        uint32_t count = 0;
        for (uint32_t k = 0; k < all; ++k) {
            uint32_t owner = worker + k < all ? worker + k : worker + k - all;
            count +=
                tasks_run_share(workers, tasks_pack(generation, s << 16), &view, owner, worker);
        }
        if (count > 0) {
            atomic_fetch_add_explicit(&workers->done, count, memory_order_acq_rel);
        }
    }
}

// ---- threads ------------------------------------------------------------------------------------

static bool tasks_have_chain(tni_workers *workers, uint32_t seen) {
    uint32_t state = atomic_load(&workers->state);
    return state != seen && (state & 1) != 0;
}

// Sleeps until there is another chain, or more come soon, or the end. `sleeping` is raised before
// this look, and read after a chain is there: one of the two threads sees the other.
static void tasks_sleep(tni_workers *workers, uint32_t seen) {
    tni_gate_lock(&workers->has_work);
    atomic_fetch_add(&workers->sleeping, 1);
    while (!tasks_have_chain(workers, seen) && !atomic_load(&workers->stops) &&
           !atomic_load(&workers->is_busy)) {
        tni_gate_wait(&workers->has_work);
    }
    atomic_fetch_sub(&workers->sleeping, 1);
    tni_gate_unlock(&workers->has_work);
}

static void tasks_wake(tni_workers *workers) {
    if (atomic_load(&workers->sleeping) > 0) {
        tni_gate_lock(&workers->has_work);
        tni_gate_wake_all(&workers->has_work);
        tni_gate_unlock(&workers->has_work);
    }
}

static void tasks_work(void *argument) {
    tasks_thread *thread = argument;
    tni_workers *workers = thread->workers;
    uint32_t looks = 0, seen = 0;
    (void)tni_float_environment_enter(); // for good: the thread runs nothing else
    while (!atomic_load_explicit(&workers->stops, memory_order_relaxed)) {
        uint32_t state = atomic_load_explicit(&workers->state, memory_order_acquire);
        if (state != seen && (state & 1) != 0) {
            tasks_walk(workers, state, thread->index);
            seen = state;
            looks = 0;
        } else if (++looks < TASKS_LOOKS ||
                   atomic_load_explicit(&workers->is_busy, memory_order_relaxed)) {
            tni_tasks_look_again(looks);
        } else {
            tasks_sleep(workers, seen);
            looks = 0;
        }
    }
}

tni_workers *tni_workers_create(tni_allocator *allocator, uint32_t count) {
    if (count < 2 || count > TASKS_MAX_WORKERS) {
        return NULL;
    }
    tni_workers *workers = tni_alloc_zeroed(allocator, sizeof *workers);
    if (!workers) {
        return NULL;
    }
    if (!tni_gate_init(&workers->has_work)) {
        tni_free(allocator, workers, sizeof *workers);
        return NULL;
    }
    for (uint32_t i = 1; i < count; ++i) {
        tasks_thread *thread = &workers->threads[workers->thread_count];
        *thread = (tasks_thread){.workers = workers, .index = i};
        if (!tni_thread_start(&thread->thread, tasks_work, thread)) {
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
        tni_thread_join(&workers->threads[i].thread);
    }
    tni_gate_destroy(&workers->has_work);
    tni_free(allocator, workers, sizeof *workers);
}

uint32_t tni_tasks_count_workers(const tni_tasks *tasks) {
    bool has_own = tasks != NULL && tasks->enqueue == NULL && tasks->workers != NULL;
    return has_own ? tasks->workers->thread_count + 1 : 1;
}

static void tasks_set_busy(tni_workers *workers, bool is_busy) {
    atomic_store(&workers->is_busy, is_busy);
    if (is_busy) {
        tasks_wake(workers);
    }
}

// ---- chains -------------------------------------------------------------------------------------

// Writes as many stages as there is room for, and returns their pieces.
static uint32_t tasks_open(tni_workers *workers, tn_task_fn task, tasks_plan *plan, void *context) {
    uint32_t all = workers->thread_count + 1, total = 0, count = 0, first = 0, last = 0;
    uint32_t state = atomic_load_explicit(&workers->state, memory_order_relaxed);
    uint32_t generation = (state | 1) + 2;
    atomic_store(&workers->state, generation - 1);
    for (uint32_t i = 0; i < all; ++i) {
        atomic_store_explicit(&workers->shares[i].next, tasks_pack(generation, 0),
                              memory_order_release);
    }
    atomic_store_explicit(&workers->done, tasks_pack(generation, 0), memory_order_release);
    atomic_store_explicit(&workers->task, task, memory_order_release);
    atomic_store_explicit(&workers->context, context, memory_order_release);
    while (count < TASKS_MAX_STAGES) {
        uint32_t pieces = tasks_plan_next(plan, TASKS_PIECES * all, &first, &last);
        if (pieces == 0) {
            break;
        }
        // Each worker gets the same number.
        pieces -= all > 1 && pieces > all ? pieces % all : 0;
        tasks_stage *stage = &workers->stages[count++];
        atomic_store_explicit(&stage->first, first, memory_order_release);
        atomic_store_explicit(&stage->last, last, memory_order_release);
        atomic_store_explicit(&stage->pieces, pieces, memory_order_release);
        atomic_store_explicit(&stage->before, total, memory_order_release);
        total += pieces;
    }
    atomic_store_explicit(&workers->stage_count, count, memory_order_release);
    atomic_store(&workers->state, generation);
    tasks_wake(workers);
    return total;
}

// Returns true if there is something to share.
static bool tasks_has_long(const tasks_plan *plan) {
    uint32_t turn = 0;
    for (uint32_t i = 0; i < plan->loop_count; ++i) {
        if (tasks_cut(plan->ends[i] - turn, plan->min_range, 2) > 1) {
            return true;
        }
        turn = plan->ends[i];
    }
    return false;
}

// Shares a chain among the workers. Returns false for a loop inside of another.
static bool tasks_share_chain(tni_workers *workers, tn_task_fn task, tasks_plan *plan,
                              void *context) {
    if (workers->is_running) {
        return false;
    }
    workers->is_running = true;
    if (!tasks_has_long(plan)) {
        task(0, plan->ends[plan->loop_count - 1], 0, context);
        plan->loop = plan->loop_count;
    }
    while (plan->loop < plan->loop_count) {
        uint32_t total = tasks_open(workers, task, plan, context);
        uint32_t generation = atomic_load_explicit(&workers->state, memory_order_relaxed);
        tasks_walk(workers, generation, 0);
        tasks_wait(workers, generation, total);
    }
    workers->is_running = false;
    return true;
}

#else

void tni_tasks_look_again(uint32_t looks) {
    (void)looks;
}

uint32_t tni_tasks_count_workers(const tni_tasks *tasks) {
    (void)tasks;
    return 1;
}

tni_workers *tni_workers_create(tni_allocator *allocator, uint32_t count) {
    (void)allocator;
    (void)count;
    return NULL;
}

void tni_workers_destroy(tni_allocator *allocator, tni_workers *workers) {
    (void)allocator;
    (void)workers;
}

static void tasks_set_busy(tni_workers *workers, bool is_busy) {
    (void)workers;
    (void)is_busy;
}

static bool tasks_share_chain(tni_workers *workers, tn_task_fn task, tasks_plan *plan,
                              void *context) {
    (void)workers;
    (void)task;
    (void)plan;
    (void)context;
    return false;
}

#endif

// ---- the application's threads ------------------------------------------------------------------

// This is a loop whose turns do not begin at 0.
typedef struct tasks_shifted {
    tn_task_fn task;
    void *context;
    uint32_t first;
} tasks_shifted;

// The application's threads have environments of their own.
static void tasks_run_shifted(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tasks_shifted *loop = context;
    tni_float_environment host = tni_float_environment_enter();
    loop->task(loop->first + first, loop->first + last, worker, loop->context);
    tni_float_environment_leave(host);
}

static void tasks_enqueue(const tni_tasks *tasks, tn_task_fn task, tasks_plan *plan,
                          void *context) {
    uint32_t first = 0, last = 0, pieces;
    while ((pieces = tasks_plan_next(plan, UINT32_MAX, &first, &last)) > 0) {
        tasks_shifted loop = {task, context, first};
        if (pieces == 1) {
            task(first, last, 0, context);
            continue;
        }
        void *handle = tasks->enqueue(tasks_run_shifted, last - first, plan->min_range, &loop,
                                      tasks->user_data);
        if (handle) {
            tasks->finish(handle, tasks->user_data);
        }
    }
}

// ---- more soon ----------------------------------------------------------------------------------

void tni_tasks_begin(const tni_tasks *tasks) {
    if (tasks->workers != NULL && !tasks->enqueue) {
        tasks_set_busy(tasks->workers, true);
    }
}

void tni_tasks_end(const tni_tasks *tasks) {
    if (tasks->workers != NULL && !tasks->enqueue) {
        tasks_set_busy(tasks->workers, false);
    }
}

// ---- loops --------------------------------------------------------------------------------------

void tni_tasks_run_chain(const tni_tasks *tasks, tn_task_fn task, const uint32_t *ends,
                         uint32_t loop_count, uint32_t min_range, void *context) {
    uint32_t count = loop_count > 0 ? ends[loop_count - 1] : 0;
    if (count == 0 || !tni_tasks_have_helpers(tasks)) {
        if (count > 0) {
            task(0, count, 0, context);
        }
        return;
    }
    tasks_plan plan = {ends, loop_count, min_range, 0, 0};
    if (tasks->enqueue) {
        tasks_enqueue(tasks, task, &plan, context);
    } else if (!tasks_share_chain(tasks->workers, task, &plan, context)) {
        task(0, count, 0, context);
    }
}

typedef struct tasks_spans {
    tn_task_fn task;
    void *context;
    const uint32_t *ends;
} tasks_spans;

static void tasks_run_span_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tasks_spans *spans = context;
    uint32_t begin = first > 0 ? spans->ends[first - 1] : 0;
    spans->task(begin, spans->ends[last - 1], worker, spans->context);
}

void tni_tasks_run_spans(const tni_tasks *tasks, tn_task_fn task, const uint32_t *ends,
                         uint32_t span_count, void *context) {
    tasks_spans spans = {task, context, ends};
    tni_tasks_run(tasks, tasks_run_span_range, span_count, 1, &spans);
}
