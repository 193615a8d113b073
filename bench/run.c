// bench/run.c: the loop around a step, and the statistics of its times.

#include "bench/run.h"

#include "bench/clock.h"
#include "bench/counter.h"

#include <math.h>
#include <stdlib.h>

#define WARM_UP_STEPS   20 // buffers reach their size and contacts settle into their order
#define RUN_LEAST_STEPS 4  // in a turn: the first of them find their data out of the cache

struct run_state {
    const bench_case *item;
    const bench_engine *engine;
    void *world;
    bench_measure *measure; // null: times only
    model_state *states;
    double *times;               // ms, of the steps after the warm-up
    double (*get_seconds)(void); // on the wall for threads
    double clock_overhead;       // s
    bench_counter counter;
    double instructions; // sum over the steps after the warm-up
    uint32_t time_count;
    uint32_t done, steps;
    uint64_t allocations; // of tenon only: before the first step that is timed
    bench_stages stages;  // sums, of tenon only
};

static uint32_t run_get_warm_up(const run_state *run) {
    uint32_t warm_up = run->item->warm_up;
    if (warm_up != 0 && warm_up < run->steps) {
        return warm_up;
    }
    return run->steps > 2 * WARM_UP_STEPS ? WARM_UP_STEPS : run->steps / 2;
}

static void run_add_stages(bench_stages *sums, const tn_telemetry *telemetry) {
    sums->pairs += telemetry->pairs_ms;
    sums->manifolds += telemetry->manifolds_ms;
    sums->islands += telemetry->islands_ms;
    sums->solve += telemetry->solve_ms;
    sums->finish += telemetry->finish_ms;
}

static bench_stages run_get_mean_stages(const run_state *run) {
    const bench_stages *sums = &run->stages;
    double share = 1.0 / run->time_count;
    return (bench_stages){sums->pairs * share, sums->manifolds * share, sums->islands * share,
                          sums->solve * share, sums->finish * share};
}

static void run_step(run_state *run, uint32_t step) {
    const bench_engine *engine = run->engine;
    if (engine->before_step != NULL) {
        engine->before_step(run->world);
    }
    double count = counter_read(&run->counter);
    double start = run->get_seconds();
    engine->step(run->world);
    double elapsed_ms = 1e3 * (run->get_seconds() - start - run->clock_overhead);
    count = counter_read(&run->counter) - count;
    if (engine->after_step != NULL) {
        engine->after_step(run->world);
    }
    if (step >= run_get_warm_up(run)) {
        run->times[run->time_count++] = elapsed_ms;
        run->instructions += count;
        if (engine->is_tenon) {
            tn_telemetry telemetry = tenon_engine_get_telemetry(run->world);
            run_add_stages(&run->stages, &telemetry);
        }
    }
    if (run->measure != NULL) {
        double dt = 1.0 / run->item->hertz;
        engine->read(run->world, run->states);
        measure_add_sample(run->measure, run->states, dt * (step + 1), dt * run->steps);
        if (engine->count_noticed != NULL) {
            measure_add_noticed(run->measure, run->states, engine->count_noticed(run->world));
        }
    }
}

static void run_merge_times(run_state *run, bench_result *result) {
    double instructions =
        counter_is_open(&run->counter) ? run->instructions / run->time_count : -1.0;
    double median = lowest_summarize(run->times, run->time_count).median;
    bool is_first = !result->has_run;
    if (!lowest_add(&result->times, run->times, run->time_count)) {
        return;
    }
    lowest_summary summary = lowest_summarize(result->times.times, result->times.count);
    result->mean_ms = summary.mean;
    result->median_ms = summary.median;
    result->p95_ms = summary.p95;
    result->p99_ms = summary.p99;
    result->highest_median_ms = is_first ? median : fmax(result->highest_median_ms, median);
    result->instructions = is_first ? instructions : fmin(result->instructions, instructions);
    result->steps = run->steps;
    result->has_run = true;
}

void run_clear(bench_result *result) {
    lowest_clear(&result->times);
}

bool run_is_for(const bench_case *item, const bench_engine *engine) {
    return (item->is_small || !engine->is_for_small) &&
           (!item->is_series || engine == &bench_engine_tenon);
}

static bool run_is_ready(const run_state *run, bool has_quality) {
    return run->world != NULL && run->states != NULL && run->times != NULL &&
           (run->measure != NULL || !has_quality);
}

static void run_destroy(run_state *run) {
    if (run->world != NULL) {
        run->engine->destroy(run->world);
    }
    counter_close(&run->counter);
    measure_destroy(run->measure);
    free(run->states);
    free(run->times);
    free(run);
}

run_state *run_begin(const bench_case *item, const bench_engine *engine, const bench_model *model,
                     uint32_t steps, bool has_quality) {
    run_state *run = run_is_for(item, engine) && steps > 0 ? calloc(1, sizeof(*run)) : NULL;
    if (run == NULL) {
        return NULL;
    }
    double (*get_seconds)(void) =
        engine->worker_count > 1 ? bench_clock_get_wall_seconds : bench_clock_get_seconds;
    *run = (run_state){
        .item = item,
        .engine = engine,
        .world = engine->create(engine, item, model),
        .measure = has_quality ? measure_create(model, item->figures) : NULL,
        .states = calloc((size_t)model->body_count + 1, sizeof(model_state)),
        .times = calloc(steps, sizeof(double)),
        .get_seconds = get_seconds,
        .clock_overhead = bench_clock_get_overhead(get_seconds),
        .counter = counter_open(),
        .steps = steps,
    };
    if (!run_is_ready(run, has_quality)) {
        run_destroy(run);
        return NULL;
    }
    return run;
}

uint32_t run_advance(run_state *run, uint32_t count, double seconds) {
    double start = bench_clock_get_wall_seconds();
    uint32_t first = run->done;
    while (
        run->done < run->steps && run->done - first < count &&
        (run->done - first < RUN_LEAST_STEPS || bench_clock_get_wall_seconds() - start < seconds)) {
        if (run->engine->is_tenon && run->done == run_get_warm_up(run)) {
            run->allocations = tenon_engine_get_report(run->world).allocations;
        }
        run_step(run, run->done);
        run->done += 1;
    }
    return run->done - first;
}

void run_end(run_state *run, bench_result *result) {
    if (run->done == run->steps) {
        run_merge_times(run, result);
        if (run->measure != NULL) {
            result->quality = measure_get_quality(run->measure);
        }
        if (run->engine->is_tenon) {
            result->report = tenon_engine_get_report(run->world);
            result->step_allocations = result->report.allocations - run->allocations;
            result->stages = run_get_mean_stages(run);
        }
    }
    run_destroy(run);
}
