// solver/joint_columns.c: which nets of joints have their bodies in columns, and in what order the
// joints of a color then stand.
//
// Joints of a color share no body that moves, so their order is free. Those that lead the same way,
// from body i to body i + d, stand together; where eight of them follow each other, from i, i + 1,
// ... or with d = 1 from i, i + 2, ..., they make a group whose bodies' numbers come at once. A net
// built row by row has few ways, and a group in ten or so at the ends of rows that is of neither
// kind. See solver/body_columns.h. Test: tests/solver/test_joint_columns.c
#include <string.h>

#include "solver/body_columns.h"
#include "solver/joint_group.h"
#include "solver/joint_strips.h"

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

void tni_joint_columns_sort(const tni_joint_block *joints, uint32_t *order, uint32_t count,
                            uint32_t *scratch) {
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
}

// ---- groups -----------------------------------------------------------------------------------

// Bodies that do not move are read by whoever is tied to them, and written by nobody.
static bool columns_are_alike(const float mass[WIDE_LANES]) {
    bool are_alike = true;
    for (uint32_t lane = 1; lane < WIDE_LANES; ++lane) {
        are_alike = are_alike && (mass[lane] > 0.0f) == (mass[0] > 0.0f);
    }
    return are_alike;
}

tni_group_reach tni_joint_columns_find_reach(const tni_joint_group *group, uint32_t count) {
    const tni_joint_round *round = &group->round;
    uint32_t a = group->body_a[0], b = group->body_b[0];
    bool has_runs =
        count == WIDE_LANES && columns_are_alike(round->mass_a) && columns_are_alike(round->mass_b);
    bool has_pairs = has_runs && b == a + 1 && round->mass_a[0] > 0.0f && round->mass_b[0] > 0.0f;
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

static void *columns_begin(void *memory) {
    return (void *)(((uintptr_t)memory + TNI_CACHE_LINE - 1) / TNI_CACHE_LINE * TNI_CACHE_LINE);
}

// Behind what stands there, on a line of its own. One thread leaves no lines between.
static uint32_t columns_leave_gap(const tni_solver *solver, uint32_t count) {
    uint32_t gap = tni_tasks_have_helpers(solver->tasks) ? COLUMN_STRIP_GAP : 0;
    return ((count + COLUMN_LINE - 1) / COLUMN_LINE + gap) * COLUMN_LINE;
}

// From `first` on; returns how many places are taken then.
static uint32_t columns_add(tni_solver *solver, uint32_t first, uint32_t end, uint32_t count) {
    uint32_t place = first < end ? columns_leave_gap(solver, count) : count;
    for (uint32_t i = first; i < end; ++i) {
        solver->column_of[i] = place++;
    }
    return place;
}

// The world, strip by strip what moves, and what comes behind it. Returns how long a column is.
static uint32_t columns_order(tni_solver *solver) {
    uint32_t end = solver->body_count, count = 1, first = 1;
    while (end > 1 && !solver->masses[end - 1].is_dynamic) {
        --end;
    }
    solver->column_of[0] = 0;
    for (uint32_t s = 0; s + 1 < solver->strip_count && solver->strips[s].end_body < end; ++s) {
        count = columns_add(solver, first, solver->strips[s].end_body, count);
        first = solver->strips[s].end_body;
    }
    count = columns_add(solver, first, end, count);
    return columns_add(solver, end, solver->body_count, count);
}

// Where a group's bodies stand; one whose do not follow each other there takes them one by one.
static void columns_find_group(const tni_solver *solver, tni_joint_group *group) {
    const uint32_t *of = solver->column_of;
    group->column_a = of[group->body_a[0]];
    group->column_b = of[group->body_b[0]];
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        bool follows =
            of[group->body_a[lane]] - group->column_a == group->body_a[lane] - group->body_a[0] &&
            of[group->body_b[lane]] - group->column_b == group->body_b[lane] - group->body_b[0];
        group->reach = follows ? group->reach : TNI_REACH_ANY;
    }
}

bool tni_joint_columns_make(tni_solver *solver, tni_arena *arena) {
    solver->columns = NULL;
    if (!columns_pay(solver)) {
        return true;
    }
    solver->column_of = tni_arena_alloc(arena, solver->body_count * sizeof *solver->column_of);
    if (solver->column_of == NULL) {
        return false;
    }
    size_t stride = solver->column_stride = columns_get_stride(columns_order(solver));
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        columns_find_group(solver, &solver->groups[g]);
    }
    float *numbers = tni_arena_alloc_zeroed(arena, (COLUMN_COUNT + 1) * stride * sizeof *numbers);
    double *poses = tni_arena_alloc_zeroed(arena, (POSE_COLUMN_COUNT + 1) * stride * sizeof *poses);
    if (numbers == NULL || poses == NULL) {
        return false;
    }
    solver->columns = columns_begin(numbers);
    solver->pose_columns = columns_begin(poses);
    return true;
}

void tni_joint_columns_choose(tni_solver *solver) {
    solver->uses_columns = solver->columns != NULL && solver->contact_count == 0 &&
                           solver->mechanism_count == 0 && !solver->measures_work &&
                           solver->breakable_count == 0 && tni_solver_has_only_pairs(solver);
    // Batches that are kept lie as they did.
    solver->uses_strips =
        solver->uses_columns && (solver->has_kept_bodies || tni_joint_strips_find_batches(solver));
    if (!solver->uses_strips && solver->strip_count > 0) {
        tni_joint_strips_forget(solver);
        tni_joint_groups_clear_range(solver, 0, solver->group_count);
    }
}
