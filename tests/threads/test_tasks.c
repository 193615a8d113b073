// The library's threads: each turn of a loop runs once, loops follow each other, also in chains,
// sleepers wake, and worlds move to the last bit as on one thread. A plain program, for sanitizers
// of threads.
#define _POSIX_C_SOURCE 200809L // nanosleep

#include "core/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/counter.h"
#include "tenon/tenon.h"

#define TURNS       5000
#define LOOPS       700
#define LEVELS      8
#define CHAIN_LOOPS 400
#define CHAIN_MOST  150
#define SWINGS      40
#define MEETING_MS  20000.0

static int failures;

static void expect(bool is_right, const char *what) {
    if (!is_right) {
        fprintf(stderr, "test_tasks: not so: %s\n", what);
        failures += 1;
    }
}

// ---- loops ------------------------------------------------------------------------------------

typedef struct tasks_loop {
    const tni_tasks *tasks;
    uint32_t runs[TURNS], inner[TURNS];
    uint32_t workers;
    bool is_wrong[64]; // by worker: what it was told cannot be
} tasks_loop;

static void count_inner(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    uint32_t *inner = context;
    *inner += worker == 0 ? last - first : 100;
}

static void count_runs(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    tasks_loop *loop = context;
    loop->is_wrong[worker % 64] |= worker >= loop->workers || last > TURNS || first >= last;
    for (uint32_t i = first; i < last; ++i) {
        loop->runs[i] += 1;
    }
    // A loop inside of a task.
    tni_tasks_run(loop->tasks, count_inner, 3, 1, &loop->inner[first]);
}

static void sleep_a_little(void) {
    struct timespec time = {0, 2000000};
    nanosleep(&time, NULL);
}

// All lengths, with pieces of all sizes.
static uint32_t get_length(uint32_t loop) {
    return loop % 7 == 0 ? TURNS : loop % 90;
}

static void test_loops(uint32_t worker_count) {
    static tasks_loop loop;
    memset(&loop, 0, sizeof loop);
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_tasks tasks = {.workers = tni_workers_create(&allocator, worker_count)};
    expect((tasks.workers != NULL) == (worker_count > 1), "threads come with the second worker");
    loop.tasks = &tasks;
    loop.workers = worker_count;
    for (uint32_t k = 0; k < LOOPS; ++k) {
        if (k % 300 == 150) {
            tni_tasks_begin(&tasks);
        }
        tni_tasks_run(&tasks, count_runs, get_length(k), 1 + k % 64, &loop);
        if (k % 300 == 250) {
            tni_tasks_end(&tasks);
        }
        if (k % 100 == 0) {
            sleep_a_little(); // and so do the workers, but between begin and end
        }
    }
    tni_tasks_begin(&tasks); // they are told to stop all the same
    uint32_t whole = 0, wrong = 0;
    for (uint32_t i = 0; i < TURNS; ++i) {
        uint32_t expected = 0;
        for (uint32_t k = 0; k < LOOPS; ++k) {
            expected += i < get_length(k) ? 1 : 0;
        }
        whole += loop.runs[i] == expected ? 1 : 0;
        wrong += loop.inner[i] % 3 != 0 ? 1 : 0;
    }
    expect(whole == TURNS, "each turn of each loop runs once");
    expect(wrong == 0, "loops inside of tasks run on their caller");
    for (uint32_t i = 0; i < 64; ++i) {
        expect(!loop.is_wrong[i], "workers have numbers under their count");
    }
    tni_workers_destroy(&allocator, tasks.workers);
    expect(allocator.bytes == 0, "nothing is left");
}

// Each of two pieces waits until both have begun.
static void meet_other(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_counter *begun = context;
    for (uint32_t i = first; i < last; ++i) {
        tni_counter_raise(begun);
    }
    double start = tni_platform_get_ms();
    while (tni_counter_read(begun) < 2 && tni_platform_get_ms() - start < MEETING_MS) {
        tni_tasks_look_again(TURNS);
    }
    expect(tni_counter_read(begun) == 2, "two workers run at the same time");
}

static void test_meeting(void) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_tasks tasks = {.workers = tni_workers_create(&allocator, 2)};
    tni_counter begun = 0;
    tni_tasks_run(&tasks, meet_other, 2, 1, &begun);
    tni_workers_destroy(&allocator, tasks.workers);
}

// ---- chains -----------------------------------------------------------------------------------

// A ring of cells: loop k makes row k + 1 of row k, each cell from itself and the next.
typedef struct tasks_rows {
    uint32_t starts[CHAIN_LOOPS + 1]; // where the turns of a loop begin
    uint32_t cells[CHAIN_LOOPS + 1][CHAIN_MOST];
    uint32_t runs[CHAIN_LOOPS * CHAIN_MOST];
} tasks_rows;

static void mix_cells(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tasks_rows *rows = context;
    for (uint32_t turn = first, k = 0; turn < last; ++turn) {
        while (turn >= rows->starts[k + 1]) {
            ++k;
        }
        uint32_t i = turn - rows->starts[k], count = rows->starts[k + 1] - rows->starts[k];
        // The loop before may have been shorter: then its cells lie there twice.
        uint32_t of = k > 0 ? rows->starts[k] - rows->starts[k - 1] : count;
        of = of > 0 ? of : 1;
        const uint32_t *from = rows->cells[k];
        rows->cells[k + 1][i] = 3 * from[i % of] + from[(i + 1) % of] + k;
        rows->runs[turn] += 1;
    }
}

// Long loops, runs of short ones, and some without a turn.
static uint32_t get_chain_length(uint32_t loop, uint32_t seed) {
    uint32_t kind = (loop * 7 + seed) % 11;
    return kind < 5 ? 1 + kind : (kind == 5 && loop > 0 ? 0 : CHAIN_MOST - 3 * kind);
}

static uint64_t run_chain(const tni_tasks *tasks, uint32_t seed, uint32_t loops) {
    static tasks_rows rows;
    memset(&rows, 0, sizeof rows);
    uint32_t wrong = 0;
    for (uint32_t k = 0; k < loops; ++k) {
        rows.starts[k + 1] = rows.starts[k] + get_chain_length(k, seed);
    }
    for (uint32_t i = 0; i < CHAIN_MOST; ++i) {
        rows.cells[0][i] = i * seed;
    }
    tni_tasks_run_chain(tasks, mix_cells, rows.starts + 1, loops, 1 + seed % 9, &rows);
    uint64_t sum = 0;
    for (uint32_t turn = 0; turn < rows.starts[loops]; ++turn) {
        wrong += rows.runs[turn] != 1 ? 1 : 0;
    }
    for (uint32_t k = 0; k <= loops; ++k) {
        for (uint32_t i = 0; i < CHAIN_MOST; ++i) {
            sum = 31 * sum + rows.cells[k][i];
        }
    }
    expect(wrong == 0, "each turn of a chain runs once");
    return sum;
}

static void *run_hook(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                      void *user_data) {
    expect(count >= 2 * min_range, "only long loops are given out");
    task(count / 2, count, 0, context);
    task(0, count / 2, 0, context);
    return user_data;
}

static void finish_hook(void *task, void *user_data) {
    expect(task == user_data, "what was begun is waited for");
}

static void test_chains(uint32_t worker_count) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_tasks tasks = {.workers = tni_workers_create(&allocator, worker_count)};
    int token = 0;
    tni_tasks hooks = {run_hook, finish_hook, &token, NULL};
    for (uint32_t seed = 1; seed < 120; ++seed) {
        // Also more loops than are handed over at once.
        uint32_t loops = seed % 10 == 0 ? CHAIN_LOOPS : 1 + seed;
        uint64_t alone = run_chain(NULL, seed, loops);
        expect(run_chain(&tasks, seed, loops) == alone, "no loop begins before the last ends");
        expect(run_chain(&hooks, seed, loops) == alone, "nor on the application's threads");
        if (seed % 30 == 0) {
            sleep_a_little();
        }
    }
    tni_tasks_run_chain(&tasks, mix_cells, NULL, 0, 1, NULL);
    tni_workers_destroy(&allocator, tasks.workers);
}

// ---- worlds -----------------------------------------------------------------------------------

static tn_body_id add_box(tn_world *world, double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, z};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.25, 0.25, 0.25});
    return body;
}

static void add_swing(tn_world *world, double z) {
    tn_body_id before = {0};
    for (int k = 0; k < 3; ++k) {
        tn_body_id body = add_box(world, 20.0 + k, 5.0, z);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &joint.base, before, body, (tn_vec3){19.5 + k, 5.0, z},
                                (tn_vec3){1.0, 0.0, 0.0});
        tn_ball_joint_create(world, &joint);
        before = body;
    }
}

// A heap of boxes and a row of swings.
static uint64_t run_world(tn_solver solver, uint32_t worker_count) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.worker_count = worker_count;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_def ground = tn_body_def_default();
    ground.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, tn_body_create(world, &ground), &shape);
    for (int i = 0; i < LEVELS * 36; ++i) {
        add_box(world, 0.49 * (i % 6) + 0.003 * (i % 5), 0.26 + 0.51 * (i / 36),
                0.49 * (i / 6 % 6) + 0.002 * (i % 7));
    }
    for (int i = 0; i < SWINGS; ++i) {
        add_swing(world, 2.0 * i);
    }
    for (int i = 0; i < 6; ++i) {
        expect(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK, "a step is taken");
    }
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

static void test_worlds(void) {
    static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int s = 0; s < 2; ++s) {
        uint64_t alone = run_world(solvers[s], 1);
        expect(run_world(solvers[s], 2) == alone, "two workers give the bits of one");
        expect(run_world(solvers[s], 5) == alone, "five workers give the bits of one");
    }
}

int main(void) {
    test_loops(1);
    test_loops(2);
    test_loops(5);
    test_meeting();
    test_chains(1);
    test_chains(2);
    test_chains(5);
    test_worlds();
    if (failures == 0) {
        printf("test_tasks: passed\n");
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
