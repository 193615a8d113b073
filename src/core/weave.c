// core/weave.c: who takes which turn of a weave. See core/weave.h.
//
// Of each strand and each knot there are two numbers, each in a line of the cache of its own: the
// next round that nobody has taken, and how many rounds are over, its last one among them. A worker
// looks through its own list for a turn that may begin, takes it by compare and exchange, and
// writes down when it is done: so where each has its own nothing goes from one processor to another
// but what the neighbors at the border ask for.
#include "core/weave.h"

#if TNI_HAVE_THREADS
#include <stdatomic.h>
#endif

// ---- round by round ---------------------------------------------------------------------------

typedef struct weave_round {
    const tni_weave *weave;
    uint32_t round;
} weave_round;

static void weave_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const weave_round *round = context;
    for (uint32_t i = first; i < last; ++i) {
        round->weave->task(round->round, i, false, round->weave->context);
    }
}

static void weave_run_rounds(const tni_tasks *tasks, const tni_weave *weave) {
    for (uint32_t r = 0; r < weave->round_count; ++r) {
        weave_round round = {weave, r};
        uint32_t turns = weave->strand_count - (weave_is_of_knots(weave, r) ? 1 : 0);
        tni_tasks_run(tasks, weave_run_range, turns, 1, &round);
    }
}

#if TNI_HAVE_THREADS

// Strands and knots by turns: strand i is 2 i, the knot behind it 2 i + 1.
#define WEAVE_MOST_LINES (2 * TNI_WEAVE_MOST_STRANDS)
// How often a worker looks for a turn of its own before it takes those of others: tens of
// microseconds, for theirs may have lost its processor. Half as often after each that it took.
#define WEAVE_PATIENCE 1024

typedef struct weave_line {
    _Alignas(TNI_CACHE_LINE) _Atomic uint32_t next; // round
    _Alignas(TNI_CACHE_LINE) _Atomic uint32_t done; // rounds: neighbors look at it
} weave_line;

typedef struct weave_run {
    const tni_weave *weave;
    uint32_t line_count, worker_count;
    uint32_t owners[WEAVE_MOST_LINES]; // by line: worker
    bool is_shared[WEAVE_MOST_LINES];
    weave_line lines[WEAVE_MOST_LINES];
    _Alignas(TNI_CACHE_LINE) atomic_bool has_come[WEAVE_MOST_LINES]; // by worker
} weave_run;

// What a worker looks through: first its own.
typedef struct weave_list {
    uint32_t worker, own_count, count;
    uint32_t lines[WEAVE_MOST_LINES];
    bool is_listed[WEAVE_MOST_LINES];
} weave_list;

static uint32_t weave_get_cost(const tni_weave *weave, uint32_t strand) {
    return weave->costs != NULL ? weave->costs[strand] : 1;
}

// Whose part of the whole cost has the middle of the strand's. Who would get none has none. A knot
// goes with the strand before it; between two workers, with that of the one who has less to do.
static void weave_find_owners(weave_run *run) {
    const tni_weave *weave = run->weave;
    uint64_t all = 0, before = 0, costs[TNI_WEAVE_MOST_STRANDS] = {0};
    for (uint32_t i = 0; i < weave->strand_count; ++i) {
        all += weave_get_cost(weave, i);
    }
    for (uint32_t i = 0; i < weave->strand_count; ++i) {
        uint32_t cost = weave_get_cost(weave, i);
        uint64_t owner = all > 0 ? (2 * before + cost) * run->worker_count / (2 * all) : 0;
        run->owners[2 * i] = owner < run->worker_count ? (uint32_t)owner : run->worker_count - 1;
        costs[run->owners[2 * i]] += cost;
        before += cost;
    }
    for (uint32_t i = 0; i < weave->strand_count; ++i) {
        uint32_t owner = run->owners[2 * i];
        uint32_t next = i + 1 < weave->strand_count ? run->owners[2 * i + 2] : owner;
        run->owners[2 * i + 1] = costs[next] < costs[owner] ? next : owner;
    }
}

// A strand beside one of another's, or the knot between the two.
static bool weave_is_shared(const weave_run *run, uint32_t line) {
    uint32_t before = line > 1 ? line - 1 - (line + 1) % 2 : 0, behind = line + 1 + (line + 1) % 2;
    uint32_t owner = run->owners[line];
    return run->owners[before] != owner ||
           (behind < run->line_count && run->owners[behind] != owner);
}

static void weave_add(const weave_run *run, weave_list *list, uint32_t line) {
    if (line < run->line_count && !list->is_listed[line]) {
        list->is_listed[line] = true;
        list->lines[list->count++] = line;
    }
}

// The first line of the worker's, or of those behind it; owners only grow.
static uint32_t weave_find_first(const weave_run *run, uint32_t worker) {
    uint32_t line = 0;
    while (line < 2 * run->weave->strand_count && run->owners[line] < worker) {
        ++line;
    }
    return line;
}

// The knot and the strands at its borders before what lies between them.
static void weave_make_list(const weave_run *run, uint32_t worker, weave_list *list) {
    uint32_t begin = weave_find_first(run, worker), end = weave_find_first(run, worker + 1);
    *list = (weave_list){.worker = worker};
    if (begin < end && end < run->line_count) {
        weave_add(run, list, end - 1);
        if (begin + 1 < end) { // it may have one line alone
            weave_add(run, list, end - 2);
        }
    }
    if (begin < end && begin > 0) {
        weave_add(run, list, begin);
        weave_add(run, list, begin + begin % 2);
    }
    for (uint32_t line = begin; line < end; ++line) {
        weave_add(run, list, line);
    }
    list->own_count = list->count;
    for (uint32_t line = 0; line < run->line_count; ++line) {
        weave_add(run, list, line);
    }
}

static bool weave_have_done(const weave_run *run, uint32_t line, uint32_t rounds) {
    return atomic_load_explicit(&run->lines[line].done, memory_order_acquire) >= rounds;
}

// What it asks for has been done up to the round before, and its own up to the one before that.
static bool weave_is_ready(const weave_run *run, uint32_t line, uint32_t round) {
    bool has_before = line > 0, has_behind = line + 1 < run->line_count;
    return (round < 2 || weave_have_done(run, line, round - 1)) &&
           (!has_before || weave_have_done(run, line - 1, round)) &&
           (!has_behind || weave_have_done(run, line + 1, round));
}

static bool weave_try(weave_run *run, uint32_t line) {
    const tni_weave *weave = run->weave;
    weave_line *own = &run->lines[line];
    uint32_t round = atomic_load_explicit(&own->next, memory_order_relaxed);
    if (round >= weave->round_count || !weave_is_ready(run, line, round) ||
        !atomic_compare_exchange_strong_explicit(&own->next, &round, round + 2,
                                                 memory_order_acq_rel, memory_order_relaxed)) {
        return false;
    }
    weave->task(round, line / 2, run->is_shared[line], weave->context);
    atomic_store_explicit(&own->done, round + 1, memory_order_release);
    return true;
}

static bool weave_try_own(weave_run *run, const weave_list *list) {
    for (uint32_t i = 0; i < list->own_count; ++i) {
        if (weave_try(run, list->lines[i])) {
            return true;
        }
    }
    return false;
}

static bool weave_try_others(weave_run *run, const weave_list *list, bool is_patient) {
    for (uint32_t i = list->own_count; i < list->count; ++i) {
        uint32_t line = list->lines[i];
        uint32_t owner = run->owners[line];
        bool has_come = atomic_load_explicit(&run->has_come[owner], memory_order_relaxed);
        if (!(has_come && is_patient) && weave_try(run, line)) {
            return true;
        }
    }
    return false;
}

// All, and its own first: the others' lines are theirs as long as it has some.
static bool weave_are_taken(const weave_run *run, const weave_list *list) {
    for (uint32_t i = 0; i < list->count; ++i) {
        const weave_line *line = &run->lines[list->lines[i]];
        if (atomic_load_explicit(&line->next, memory_order_relaxed) < run->weave->round_count) {
            return false;
        }
    }
    return true;
}

static void weave_work(weave_run *run, uint32_t worker) {
    weave_list list;
    weave_make_list(run, worker, &list);
    atomic_store_explicit(&run->has_come[worker], true, memory_order_relaxed);
    for (uint32_t looks = 0, patience = WEAVE_PATIENCE;; ++looks) {
        if (weave_try_own(run, &list)) {
            patience = looks == 0 ? WEAVE_PATIENCE : patience;
            looks = UINT32_MAX; // 0 at the next
        } else if (weave_try_others(run, &list, looks < patience)) {
            patience -= patience / 2;
        } else if (weave_are_taken(run, &list)) {
            return;
        } else {
            tni_tasks_look_again(looks);
        }
    }
}

static void weave_work_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    for (uint32_t i = first; i < last; ++i) {
        weave_work(context, i);
    }
}

void tni_weave_run(const tni_tasks *tasks, const tni_weave *weave) {
    uint32_t workers = tni_tasks_count_workers(tasks);
    TN_ASSERT(weave->strand_count <= TNI_WEAVE_MOST_STRANDS);
    if (workers < 2 || weave->strand_count < 2) {
        weave_run_rounds(tasks, weave);
        return;
    }
    weave_run run = {.weave = weave,
                     .line_count = 2 * weave->strand_count - 1,
                     .worker_count = workers < weave->strand_count ? workers : weave->strand_count};
    weave_find_owners(&run);
    for (uint32_t line = 0; line < run.line_count; ++line) {
        bool is_knot = line % 2 != 0;
        atomic_init(&run.lines[line].next, is_knot == weave->begins_with_knots ? 0u : 1u);
        atomic_init(&run.lines[line].done, 0u);
        run.is_shared[line] = weave_is_shared(&run, line);
    }
    tni_tasks_run(tasks, weave_work_range, run.worker_count, 1, &run);
}

#else

void tni_weave_run(const tni_tasks *tasks, const tni_weave *weave) {
    weave_run_rounds(tasks, weave);
}

#endif
