// solver/joint_columns.c: which nets of joints have their bodies in columns, and in what order the
// joints of a color then stand.
//
// Joints of a color share no body that moves, so their order is free. Those that lead the same way,
// from body i to body i + d, stand together; where eight of them follow each other, from i, i + 1,
// ... or with d = 1 from i, i + 2, ..., they make a group whose bodies' numbers come at once. A net
// built row by row has few ways, and a group in ten or so at the ends of rows that is of neither
// kind. Groups then stand in the order of their bodies, so that a worker that has the first half of
// each color has the first half of the net. See solver/body_columns.h. Test:
// tests/solver/test_joint_columns.c
#include <string.h>

#include "core/sort.h"
#include "solver/body_columns.h"
#include "solver/joint_group.h"

// Of joints that lead other ways than the first of so many nothing is asked.
#define COLUMNS_WAYS 16

// The pair that each lane has: so evens and odds of a vector of eight lie, half by half.
static const uint32_t columns_pair_order[WIDE_LANES] = {0, 1, 4, 5, 2, 3, 6, 7};

// ---- order ------------------------------------------------------------------------------------

// Joints that follow each other, and where they go: full groups to the front, the others behind.
typedef struct columns_sort {
    const tni_joint_block *joints;
    uint32_t *order;
    uint32_t front, back; // of `order`: what lies between is free
    uint32_t run[WIDE_LANES];
    uint32_t run_count;
} columns_sort;

static void columns_end_run(columns_sort *sort) {
    for (uint32_t i = 0; i < sort->run_count; ++i) {
        sort->order[--sort->back] = sort->run[i];
    }
    sort->run_count = 0;
}

static void columns_add_to_run(columns_sort *sort, uint32_t joint, bool has_pairs) {
    uint32_t step = has_pairs ? 2 : 1, count = sort->run_count;
    if (count > 0 &&
        sort->joints[joint].body_a != sort->joints[sort->run[count - 1]].body_a + step) {
        columns_end_run(sort);
    }
    sort->run[sort->run_count++] = joint;
    if (sort->run_count == WIDE_LANES) {
        for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
            uint32_t place = has_pairs ? columns_pair_order[lane] : lane;
            sort->order[sort->front++] = sort->run[place];
        }
        sort->run_count = 0;
    }
}

static uint32_t columns_get_way(const tni_joint_block *block) {
    return block->body_b - block->body_a;
}

// Groups by their first bodies, and a last one that is not full.
static void columns_sort_groups(const tni_joint_block *joints, uint32_t *order, uint32_t count,
                                uint32_t *scratch, uint64_t *keys) {
    uint32_t group_count = count / WIDE_LANES;
    for (uint32_t g = 0; g < group_count; ++g) {
        uint32_t first = UINT32_MAX;
        for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
            uint32_t body = joints[order[WIDE_LANES * g + lane]].body_a;
            first = body < first ? body : first;
        }
        keys[g] = (uint64_t)first << 32 | g;
    }
    tni_sort_u64(keys, keys + group_count, group_count);
    memcpy(scratch, order, count * sizeof *order);
    for (uint32_t g = 0; g < group_count; ++g) {
        memcpy(order + WIDE_LANES * g, scratch + WIDE_LANES * (uint32_t)keys[g],
               WIDE_LANES * sizeof *order);
    }
}

static void columns_reverse(uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; ++i) {
        uint32_t swapped = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = swapped;
    }
}

void tni_joint_columns_sort(const tni_joint_block *joints, uint32_t *order, uint32_t count,
                            uint32_t *scratch, uint64_t *keys) {
    columns_sort sort = {.joints = joints, .order = order, .back = count};
    memcpy(scratch, order, count * sizeof *order);
    uint32_t left = count;
    for (uint32_t k = 0; k < COLUMNS_WAYS && left > 0; ++k) {
        uint32_t way = columns_get_way(&joints[scratch[0]]), kept = 0;
        for (uint32_t i = 0; i < left; ++i) {
            if (columns_get_way(&joints[scratch[i]]) == way) {
                columns_add_to_run(&sort, scratch[i], way == 1);
            } else {
                scratch[kept++] = scratch[i];
            }
        }
        columns_end_run(&sort);
        left = kept;
    }
    memcpy(order + sort.front, scratch, left * sizeof *order);
    columns_reverse(order + sort.back, count - sort.back);
    columns_sort_groups(joints, order, count, scratch, keys);
}

// ---- groups -----------------------------------------------------------------------------------

tni_group_reach tni_joint_columns_find_reach(const tni_joint_group *group, uint32_t count) {
    uint32_t a = group->body_a[0], b = group->body_b[0];
    bool has_runs = count == WIDE_LANES, has_pairs = has_runs && b == a + 1;
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        uint32_t pair = 2 * columns_pair_order[lane];
        has_runs = has_runs && group->body_a[lane] == a + lane && group->body_b[lane] == b + lane;
        has_pairs = has_pairs && group->body_a[lane] == a + pair && group->body_b[lane] == b + pair;
    }
    if (has_runs) {
        return TNI_REACH_RUNS;
    }
    return has_pairs ? TNI_REACH_PAIRS : TNI_REACH_ANY;
}

static bool columns_pay(const tni_solver *solver) {
    uint32_t regular_count = 0;
    bool are_round = solver->single_count == 0 && solver->gradients_count == 0;
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        const tni_joint_group_rest *rest = &solver->group_rests[g];
        are_round = are_round && rest->is_round && !rest->has_bounded && rest->angles == NULL;
        regular_count += solver->groups[g].reach != TNI_REACH_ANY ? 1 : 0;
    }
    return are_round && 4 * regular_count > 3 * solver->group_count;
}

bool tni_joint_columns_make(tni_solver *solver, tni_arena *arena) {
    solver->columns = NULL;
    if (!columns_pay(solver)) {
        return true;
    }
    solver->column_stride = columns_get_stride(solver->body_count);
    solver->columns = tni_arena_alloc_zeroed(arena, COLUMN_COUNT * solver->column_stride *
                                                        sizeof *solver->columns);
    return solver->columns != NULL;
}

void tni_joint_columns_choose(tni_solver *solver) {
    solver->uses_columns = solver->columns != NULL && solver->contact_count == 0 &&
                           solver->mechanism_count == 0 && !solver->measures_work;
}
