// bench/threads.c: what more threads would make of a step: a model of measured loops.

#include "bench/threads.h"

#include "bench/clock.h"
#include "bench/tenon_engine.h"

#include <math.h>
#include <stdlib.h>

#if !defined(_WIN32) && !defined(__STDC_NO_ATOMICS__)
#define THREADS_HAVE_PTHREADS 1
#include "bench/spin.h"

#include <pthread.h>
#include <stdatomic.h>
#endif

#define WARM_UP_STEPS     20
#define PIECES_OF_EACH    16  // the most of a loop for each thread
#define HAND_OVERS        100 // there and back
#define HAND_OVER_RUNS    200
#define HAND_OVER_SECONDS 1.0 // of all runs, where the threads have one processor between them

const uint32_t threads_counts[THREADS_COUNTS] = {2, 4, 8, 16, 32};

// ---- a cache line between two threads -----------------------------------------------------------

#ifdef THREADS_HAVE_PTHREADS

// The other thread's answers end with it.
#define HAND_OVER_END UINT32_MAX

// Waits for another number than the last one seen.
static uint32_t threads_wait(const _Atomic uint32_t *number, uint32_t seen) {
    uint32_t now;
    for (uint32_t looks = 0; (now = atomic_load(number)) == seen; ++looks) {
        spin_look_again(looks);
    }
    return now;
}

// A number that two threads count up in turns; the odd ones are the other thread's to answer.
static void *threads_answer(void *argument) {
    _Atomic uint32_t *number = argument;
    uint32_t seen = 0;
    while ((seen = threads_wait(number, seen)) != HAND_OVER_END) {
        seen += 1;
        atomic_store(number, seen);
    }
    return NULL;
}

// Of many short runs the quickest: both threads had a processor.
double threads_measure_hand_over(void) {
    _Atomic uint32_t number;
    pthread_t other;
    double least = 1.0, begin = bench_clock_get_wall_seconds(), end = begin;
    uint32_t seen = 0;
    atomic_init(&number, 0);
    if (pthread_create(&other, NULL, threads_answer, &number) != 0) {
        return 0.0;
    }
    for (uint32_t run = 0; run < HAND_OVER_RUNS && end < begin + HAND_OVER_SECONDS; ++run) {
        double start = end;
        for (uint32_t k = 0; k < HAND_OVERS; ++k) {
            atomic_store(&number, seen + 1);
            seen = threads_wait(&number, seen + 1);
        }
        end = bench_clock_get_wall_seconds();
        least = fmin(least, (end - start) / (2 * HAND_OVERS));
    }
    atomic_store(&number, HAND_OVER_END);
    pthread_join(other, NULL);
    return least;
}

#else

double threads_measure_hand_over(void) {
    return 0.0;
}

#endif

// ---- loops --------------------------------------------------------------------------------------

// Of one step.
typedef struct threads_step {
    double all_ms, serial_ms, loops;
    double predicted_ms[THREADS_COUNTS];
} threads_step;

typedef struct threads_clock {
    double hand_over, overhead; // s
    double loop_ms, loops;
    double shared_ms[THREADS_COUNTS]; // what the loops would take
} threads_clock;

static double threads_share(uint32_t threads, uint32_t count, uint32_t min_range) {
    uint32_t pieces = min_range > 0 ? count / min_range : count;
    uint32_t most = PIECES_OF_EACH * threads;
    pieces = pieces < 1 ? 1 : (pieces < most ? pieces : most);
    pieces -= pieces > threads ? pieces % threads : 0;
    uint32_t rounds = (pieces + threads - 1) / threads;
    return (double)rounds / pieces;
}

static void *threads_enqueue(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                             void *user_data) {
    threads_clock *clock = user_data;
    double start = bench_clock_get_seconds();
    task(0, count, 0, context);
    double time = bench_clock_get_seconds() - start - clock->overhead;
    clock->loop_ms += 1e3 * (time + clock->overhead);
    clock->loops += 1.0;
    for (int i = 0; i < THREADS_COUNTS; ++i) {
        uint32_t threads = threads_counts[i];
        double of_loop = time * threads_share(threads, count, min_range);
        clock->shared_ms[i] += 1e3 * (of_loop + (threads + 1) * clock->hand_over);
    }
    return NULL;
}

static void threads_finish(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

static threads_step threads_time_step(scene_run *run, threads_clock *clock, double dt) {
    const threads_clock fresh = {.hand_over = clock->hand_over, .overhead = clock->overhead};
    *clock = fresh;
    if (run->scene->before_step != NULL) {
        run->scene->before_step(run, dt);
    }
    double start = bench_clock_get_seconds();
    tn_world_step(run->world, dt, BENCH_SUBSTEPS);
    double time_ms = 1e3 * (bench_clock_get_seconds() - start);
    if (run->scene->after_step != NULL) {
        run->scene->after_step(run, dt);
    }
    // Each loop reads the clock twice, once within its own time.
    threads_step step = {.loops = clock->loops};
    double serial_ms = time_ms - clock->loop_ms - 1e3 * clock->loops * clock->overhead;
    step.serial_ms = fmax(serial_ms, 0.0);
    step.all_ms = time_ms - 2e3 * clock->loops * clock->overhead;
    for (int i = 0; i < THREADS_COUNTS; ++i) {
        step.predicted_ms[i] = step.serial_ms + clock->shared_ms[i];
    }
    return step;
}

// ---- medians ------------------------------------------------------------------------------------

static int threads_compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// Of the numbers at `offset` in the steps.
static double threads_get_median(const threads_step *steps, uint32_t count, size_t offset,
                                 double *scratch) {
    for (uint32_t i = 0; i < count; ++i) {
        scratch[i] = *(const double *)((const char *)&steps[i] + offset);
    }
    qsort(scratch, count, sizeof(double), threads_compare);
    return scratch[count / 2];
}

static void threads_summarize(const threads_step *steps, uint32_t count, double *scratch,
                              bench_threads *out) {
    out->step_ms = threads_get_median(steps, count, offsetof(threads_step, all_ms), scratch);
    out->serial_ms = threads_get_median(steps, count, offsetof(threads_step, serial_ms), scratch);
    out->loops = threads_get_median(steps, count, offsetof(threads_step, loops), scratch);
    for (size_t i = 0; i < THREADS_COUNTS; ++i) {
        size_t offset = offsetof(threads_step, predicted_ms) + i * sizeof(double);
        out->predicted_ms[i] = threads_get_median(steps, count, offset, scratch);
    }
    out->has_run = true;
}

void threads_measure(const bench_case *item, uint32_t steps, double hand_over, bench_threads *out) {
    double overhead = bench_clock_get_overhead(bench_clock_get_seconds);
    threads_clock clock = {.hand_over = hand_over, .overhead = overhead};
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.worker_count = 2; // of whom one does all
    def.enqueue = threads_enqueue;
    def.finish = threads_finish;
    def.task_user_data = &clock;
    scene_run *run = tenon_engine_create_run(item, &def);
    threads_step *taken = calloc((size_t)steps + 1, sizeof(*taken));
    double *scratch = calloc((size_t)steps + 1, sizeof(*scratch));
    uint32_t warm_up = item->warm_up > 0 ? item->warm_up : WARM_UP_STEPS;
    warm_up = warm_up < steps ? warm_up : steps / 2;
    if (run != NULL && taken != NULL && scratch != NULL && steps > 0) {
        for (uint32_t i = 0; i < steps; ++i) {
            threads_step step = threads_time_step(run, &clock, 1.0 / item->hertz);
            if (i >= warm_up) {
                taken[i - warm_up] = step;
            }
        }
        threads_summarize(taken, steps - warm_up, scratch, out);
    }
    scene_run_destroy(run);
    free(taken);
    free(scratch);
}
