// Weaves: every turn runs once, after those it asks for and before those that ask for it, and what
// comes of it is the same for any number of threads. A plain program, for sanitizers of threads.
#include "core/weave.h"

#include <stdio.h>
#include <string.h>

#define MOST_LINES  (2 * TNI_WEAVE_MOST_STRANDS)
#define MOST_ROUNDS 12
#define REPEATS     20

static int failures;

static void expect(bool is_right, const char *what, uint32_t strands, uint32_t rounds) {
    if (!is_right) {
        fprintf(stderr, "test_weave: not so with %u strands, %u rounds: %s\n", strands, rounds,
                what);
        failures += 1;
    }
}

// Strands and knots by turns.
typedef struct weave_board {
    tni_weave weave;
    uint32_t runs[MOST_LINES];    // of each
    uint32_t numbers[MOST_LINES]; // what became of its neighbors' numbers
    bool is_wrong[MOST_LINES];    // one began too early or too late
} weave_board;

static uint32_t count_rounds_before(const tni_weave *weave, uint32_t round, bool of_knots) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < round; ++r) {
        count += weave_is_of_knots(weave, r) == of_knots ? 1 : 0;
    }
    return count;
}

static void run_turn(uint32_t round, uint32_t turn, bool is_shared, void *context) {
    (void)is_shared;
    weave_board *board = context;
    const tni_weave *weave = &board->weave;
    bool is_knot = weave_is_of_knots(weave, round);
    uint32_t line = 2 * turn + (is_knot ? 1 : 0), last = 2 * weave->strand_count - 2;
    uint32_t others = count_rounds_before(weave, round, !is_knot);
    bool is_right = board->runs[line] == count_rounds_before(weave, round, is_knot);
    uint32_t number = board->numbers[line] + 1;
    if (line > 0) {
        is_right = is_right && board->runs[line - 1] == others;
        number = 3 * number + board->numbers[line - 1];
    }
    if (line < last) {
        is_right = is_right && board->runs[line + 1] == others;
        number = 5 * number + board->numbers[line + 1];
    }
    board->is_wrong[line] = board->is_wrong[line] || !is_right;
    board->numbers[line] = number;
    board->runs[line] += 1;
}

static void start_board(weave_board *board, uint32_t strands, uint32_t rounds, bool knots_first) {
    memset(board, 0, sizeof *board);
    board->weave = (tni_weave){strands, rounds, knots_first, run_turn, board, NULL};
}

static void check_weave(const tni_tasks *tasks, uint32_t strands, uint32_t rounds, bool knots_first,
                        const uint32_t *costs) {
    weave_board board, alone;
    start_board(&board, strands, rounds, knots_first);
    board.weave.costs = costs;
    start_board(&alone, strands, rounds, knots_first);
    tni_weave_run(tasks, &board.weave);
    tni_weave_run(NULL, &alone.weave);
    for (uint32_t line = 0; line + 1 < 2 * strands; ++line) {
        bool is_knot = line % 2 != 0;
        uint32_t runs = count_rounds_before(&board.weave, rounds, is_knot);
        expect(!board.is_wrong[line], "turns wait for their neighbors", strands, rounds);
        expect(board.runs[line] == runs, "every turn runs once", strands, rounds);
        expect(board.numbers[line] == alone.numbers[line], "as on one thread", strands, rounds);
    }
}

// All alike, all nothing, and one that takes as much as all others: whoever has which strands.
static void check_costs(const tni_tasks *tasks, uint32_t strands, uint32_t rounds) {
    uint32_t costs[TNI_WEAVE_MOST_STRANDS] = {0};
    check_weave(tasks, strands, rounds, rounds % 3 == 0, NULL);
    check_weave(tasks, strands, rounds, rounds % 3 == 0, costs);
    for (uint32_t i = 0; i < strands; ++i) {
        costs[i] = i == rounds % strands ? UINT32_MAX : i;
    }
    check_weave(tasks, strands, rounds, rounds % 3 == 0, costs);
}

static void check_weaves(uint32_t worker_count) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_tasks tasks = {.workers = tni_workers_create(&allocator, worker_count)};
    tni_tasks_begin(&tasks);
    for (uint32_t strands = 1; strands <= TNI_WEAVE_MOST_STRANDS; ++strands) {
        for (uint32_t rounds = 0; rounds <= MOST_ROUNDS; ++rounds) {
            check_costs(&tasks, strands, rounds);
        }
    }
    for (uint32_t i = 0; i < REPEATS; ++i) {
        check_weave(&tasks, 6, 9, i % 2 == 0, NULL);
    }
    tni_tasks_end(&tasks);
    tni_workers_destroy(&allocator, tasks.workers);
}

int main(void) {
    const uint32_t worker_counts[] = {1, 2, 3, 8};
    for (int i = 0; i < 4; ++i) {
        check_weaves(worker_counts[i]);
    }
    printf("test_weave: %s\n", failures == 0 ? "passed" : "failed");
    return failures == 0 ? 0 : 1;
}
