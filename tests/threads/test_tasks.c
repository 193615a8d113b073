// The library's threads: each turn of a loop runs once, loops follow each other, sleepers wake, and
// worlds move to the last bit as on one thread. A plain program, for sanitizers of threads.
#define _POSIX_C_SOURCE 200809L // nanosleep

#include "core/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tenon/tenon.h"

#define TURNS  5000
#define LOOPS  700
#define LEVELS 8
#define SWINGS 40

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
        tni_tasks_run(&tasks, count_runs, get_length(k), 1 + k % 64, &loop);
        if (k % 100 == 0) {
            sleep_a_little(); // and so do the workers
        }
    }
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

// ---- worlds -----------------------------------------------------------------------------------

static tn_body_id add_box(tn_world *world, double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_position){x, y, z};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.25f, 0.25f, 0.25f});
    return body;
}

static void add_swing(tn_world *world, double z) {
    tn_body_id before = {0};
    for (int k = 0; k < 3; ++k) {
        tn_body_id body = add_box(world, 20.0 + k, 5.0, z);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &joint.base, before, body, (tn_position){19.5 + k, 5.0, z},
                                (tn_dvec3){1.0, 0.0, 0.0});
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
    test_worlds();
    if (failures == 0) {
        printf("test_tasks: passed\n");
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
