// solver/joint_group.c: joints into groups of eight by level, and the phases over them.
//
// See solver/joint_group.h. Levels are found joint by joint, in one pass: that of a joint is the
// greatest of its bodies', and theirs is one more from then on. Joints are then sorted by level,
// in their order. A level's last joints, if they are few, stay single.
// Test: tests/solver/test_joint_group.c
#include "solver/joint_group.h"

#include <string.h>

#include "solver/dense.h"
#include "solver/gradient_lanes.h"
#include "solver/joint_angles.h"
#include "solver/joint_bounded.h"

// Up to so many joints nothing is gained.
#define GROUP_LEAST_JOINTS 64
// Fewer than this in a group are faster one by one.
#define GROUP_LEAST_LANES 3

// ---- making -----------------------------------------------------------------------------------

typedef struct group_plan {
    uint32_t *level; // by body that moves: the first that is free of it; of others TNI_NONE
    uint32_t *key;   // by swept joint: GROUP_FORMS times its level, and its form
    uint32_t *first; // by key: where its joints end in `order`
    uint32_t *order;
    uint32_t level_count;
} group_plan;

// The joints of a group are of one form.
typedef enum group_form {
    GROUP_FORM_POINT,   // ball joints alone
    GROUP_FORM_RANGES,  // ball joints with limits, or on the world
    GROUP_FORM_BOUNDED, // ball joints with other bounded rows, which come one at a time
    GROUP_FORM_HINGE,   // hinges, with limits or without
    GROUP_FORM_FRAME,   // fixed joints
    GROUP_FORM_SLIDE,   // sliders
    GROUP_FORM_NONE,    // no group
    GROUP_FORMS,
} group_form;

// And as soft as most; those that a mechanism closes are not.
static group_form group_get_form(const tni_solver *solver, const tni_joint_block *block) {
    if (block->point_rows == 0 || block->is_projected || block->body_b == 0 ||
        block->softness.rate != solver->joint_softness.rate) {
        return GROUP_FORM_NONE;
    }
    bool is_point = block->turns == 0 && block->body_a != 0;
    if (is_point && block->row_count == block->equality_count) {
        return GROUP_FORM_POINT;
    }
    if (!tni_joint_angles_suit(block)) {
        return is_point ? GROUP_FORM_BOUNDED : GROUP_FORM_NONE;
    }
    if (block->point_rows == TNI_PIN_SLIDE_ROWS) {
        return GROUP_FORM_SLIDE;
    }
    if (block->turns == 0) {
        return GROUP_FORM_RANGES;
    }
    return block->turns == 2 ? GROUP_FORM_HINGE : GROUP_FORM_FRAME;
}

static bool group_has_angles(group_form form) {
    return form == GROUP_FORM_RANGES || form == GROUP_FORM_HINGE || form == GROUP_FORM_FRAME ||
           form == GROUP_FORM_SLIDE;
}

static void group_find_levels(const tni_solver *solver, group_plan *plan) {
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        plan->level[i] = solver->masses[i].is_dynamic ? 0 : TNI_NONE;
    }
    for (uint32_t i = 0; i < solver->swept_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        uint32_t *a = &plan->level[block->body_a], *b = &plan->level[block->body_b];
        uint32_t own = *a != TNI_NONE ? *a : 0;
        own = *b != TNI_NONE && *b > own ? *b : own;
        *a = *a != TNI_NONE ? own + 1 : TNI_NONE;
        *b = *b != TNI_NONE ? own + 1 : TNI_NONE;
        plan->key[i] = GROUP_FORMS * own + (uint32_t)group_get_form(solver, block);
        plan->level_count = own >= plan->level_count ? own + 1 : plan->level_count;
    }
}

// By key.
static void group_sort(const tni_solver *solver, group_plan *plan) {
    uint32_t keys = GROUP_FORMS * plan->level_count;
    memset(plan->first, 0, (keys + 1) * sizeof *plan->first);
    for (uint32_t i = 0; i < solver->swept_count; ++i) {
        plan->first[plan->key[i] + 1] += 1;
    }
    for (uint32_t k = 0; k < keys; ++k) {
        plan->first[k + 1] += plan->first[k];
    }
    // Each start moves to its end, which is the next one's start.
    for (uint32_t i = 0; i < solver->swept_count; ++i) {
        plan->order[plan->first[plan->key[i]]++] = i;
    }
}

// How many of a level's joints of one form go into groups.
static uint32_t group_take(uint32_t count) {
    uint32_t left = count % WIDE_LANES;
    return left < GROUP_LEAST_LANES ? count - left : count;
}

static void group_set_lane(tni_solver *solver, uint32_t group, uint32_t lane, uint32_t joint) {
    tni_joint_group *own = &solver->groups[group];
    tni_joint_group_rest *rest = &solver->group_rests[group];
    tni_joint_block *block = &solver->joints[joint];
    own->body_a[lane] = block->body_a;
    own->body_b[lane] = block->body_b;
    rest->threshold[lane] = block->stiffness_threshold;
    rest->rate = block->softness.rate;
    rest->block[lane] = joint;
    rest->count = lane + 1;
    rest->has_bounded =
        rest->has_bounded || (rest->angles == NULL && block->row_count > block->equality_count);
    rest->may_break = rest->may_break || block->joint->def.base.break_force < INFINITY ||
                      block->joint->def.base.break_torque < INFINITY;
    rest->length[lane] = (float)block->joint->linear_error;
    block->group = own;
    block->lane = lane;
}

void tni_joint_group_start(const tni_solver *solver, const tni_joint_block *block,
                           const float *impulses) {
    tni_joint_group_rest *rest = joint_group_rest(solver, block);
    const double *a = &block->joint->frame_a.position.x, *b = &block->joint->frame_b.position.x;
    for (uint32_t i = 0; i < 3; ++i) {
        block->group->impulse.n[i][block->lane] = impulses[i];
        rest->anchor_a.n[i][block->lane] = (float)a[i];
        rest->anchor_b.n[i][block->lane] = (float)b[i];
    }
    if (rest->angles != NULL) {
        tni_joint_angles_start(solver, block, impulses);
    }
}

static void group_fill(tni_solver *solver, group_form form, const uint32_t *joints,
                       uint32_t count) {
    uint32_t group = solver->group_count++;
    memset(&solver->groups[group], 0, sizeof *solver->groups);
    memset(&solver->group_rests[group], 0, sizeof *solver->group_rests);
    if (group_has_angles(form)) {
        solver->group_rests[group].angles = &solver->group_angles[solver->angles_count++];
        tni_joint_angles_init(solver->group_rests[group].angles, solver->joints[joints[0]].turns,
                              form == GROUP_FORM_SLIDE);
    }
    for (uint32_t lane = 0; lane < count; ++lane) {
        group_set_lane(solver, group, lane, joints[lane]);
    }
}

// The joints of a key.
typedef struct group_range {
    uint32_t begin, count;
    group_form form;
    uint32_t taken; // of them into groups
} group_range;

static group_range group_get_range(const group_plan *plan, uint32_t key) {
    group_range range = {.begin = key > 0 ? plan->first[key - 1] : 0,
                         .form = (group_form)(key % GROUP_FORMS)};
    range.count = plan->first[key] - range.begin;
    range.taken = range.form == GROUP_FORM_NONE ? 0 : group_take(range.count);
    return range;
}

static void group_add_groups(tni_solver *solver, const uint32_t *joints, const group_range *range,
                             tni_joint_turn *turn) {
    for (uint32_t i = 0; i < range->taken; i += WIDE_LANES) {
        uint32_t left = range->taken - i;
        group_fill(solver, range->form, joints + i, left < WIDE_LANES ? left : WIDE_LANES);
        turn->group_count += 1;
    }
}

// The groups of each form, then what is left; adds to the last turn, or makes another.
static void group_add_level(tni_solver *solver, const group_plan *plan, uint32_t level) {
    tni_joint_turn *turn = &solver->turns[solver->turn_count - 1];
    uint32_t first = GROUP_FORMS * level, taken = 0;
    for (uint32_t key = first; key < first + GROUP_FORMS; ++key) {
        taken += group_get_range(plan, key).taken;
    }
    if (taken > 0 && turn->single_count > 0) {
        turn = &solver->turns[solver->turn_count++];
        *turn = (tni_joint_turn){0};
    }
    for (uint32_t key = first; key < first + GROUP_FORMS; ++key) {
        group_range range = group_get_range(plan, key);
        group_add_groups(solver, plan->order + range.begin, &range, turn);
    }
    for (uint32_t key = first; key < first + GROUP_FORMS; ++key) {
        group_range range = group_get_range(plan, key);
        for (uint32_t i = range.taken; i < range.count; ++i) {
            solver->singles[solver->single_count++] = plan->order[range.begin + i];
            turn->single_count += 1;
        }
    }
}

typedef struct group_counts {
    uint32_t groups, angles; // and how many of them have a tni_joint_angles
} group_counts;

// How many there will be.
static group_counts group_count_groups(const group_plan *plan) {
    group_counts counts = {0, 0};
    for (uint32_t key = 0; key < GROUP_FORMS * plan->level_count; ++key) {
        group_range range = group_get_range(plan, key);
        uint32_t count = (range.taken + WIDE_LANES - 1) / WIDE_LANES;
        counts.groups += count;
        counts.angles += group_has_angles(range.form) ? count : 0;
    }
    return counts;
}

static bool group_allocate(tni_solver *solver, group_counts counts, uint32_t levels,
                           tni_arena *arena) {
    uint32_t count = counts.groups;
    solver->groups = tni_arena_alloc(arena, count * sizeof *solver->groups);
    solver->group_rests = tni_arena_alloc(arena, count * sizeof *solver->group_rests);
    solver->group_angles = tni_arena_alloc(arena, counts.angles * sizeof *solver->group_angles);
    solver->singles = tni_arena_alloc(arena, solver->joint_count * sizeof *solver->singles);
    solver->turns = tni_arena_alloc(arena, (levels + 1) * sizeof *solver->turns);
    solver->places = tni_arena_alloc(arena, solver->body_count * sizeof *solver->places);
    solver->place_bodies =
        tni_arena_alloc(arena, solver->body_count * sizeof *solver->place_bodies);
    return solver->groups != NULL && solver->group_rests != NULL && solver->group_angles != NULL &&
           solver->singles != NULL && solver->turns != NULL && solver->places != NULL &&
           solver->place_bodies != NULL;
}

static void group_find_bodies(tni_solver *solver, uint32_t *is_used) {
    memset(is_used, 0, solver->body_count * sizeof *is_used);
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
            is_used[solver->groups[g].body_a[lane]] = 1;
            is_used[solver->groups[g].body_b[lane]] = 1;
        }
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        if (is_used[i] != 0) {
            solver->place_bodies[solver->place_count++] = i;
        }
    }
}

static bool group_plan_swept(const tni_solver *solver, tni_arena *arena, group_plan *plan) {
    uint32_t joints = solver->swept_count, bodies = solver->body_count;
    size_t keys = (size_t)GROUP_FORMS * joints + 1; // at most, with one more
    uint32_t *memory =
        tni_arena_alloc(arena, (bodies + 2 * (size_t)joints + keys) * sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    *plan = (group_plan){memory, memory + bodies, memory + bodies + joints,
                         memory + bodies + joints + keys, 0};
    if (joints > GROUP_LEAST_JOINTS) {
        group_find_levels(solver, plan);
        group_sort(solver, plan);
    }
    return true;
}

// Without levels, the swept joints as they lie.
static void group_add_swept(tni_solver *solver, const group_plan *plan) {
    solver->turn_count = 1;
    solver->turns[0] = (tni_joint_turn){0};
    for (uint32_t level = 0; level < plan->level_count; ++level) {
        group_add_level(solver, plan, level);
    }
    uint32_t planned = plan->level_count > 0 ? solver->swept_count : 0;
    for (uint32_t i = planned; i < solver->swept_count; ++i) {
        solver->singles[solver->single_count++] = i;
        solver->turns[solver->turn_count - 1].single_count += 1;
    }
}

static void group_add_gradients(tni_solver *solver, tni_gradients *g) {
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        tni_gradient_lanes *lanes = &g->lanes[i];
        uint32_t joints[WIDE_LANES];
        for (uint32_t k = 0; k < lanes->members.count; ++k) {
            joints[k] = g->first + lanes->members.joint[k];
        }
        if (lanes->members.is_grouped) {
            lanes->group = &solver->groups[solver->group_count];
            lanes->rest = &solver->group_rests[solver->group_count];
            group_fill(solver, GROUP_FORM_POINT, joints, lanes->members.count);
        }
    }
    for (uint32_t i = g->first; i < g->first + g->count; ++i) {
        if (solver->joints[i].group == NULL) {
            solver->singles[solver->single_count++] = i;
        }
    }
}

bool tni_joint_groups_make(tni_solver *solver, tni_arena *arena, tni_arena *scratch) {
    uint32_t of_gradients = 0;
    for (uint32_t i = 0; i < solver->gradients_count; ++i) {
        of_gradients += solver->gradients[i].grouped_count;
    }
    if (of_gradients == 0 && solver->swept_count <= GROUP_LEAST_JOINTS) {
        return true;
    }
    group_plan plan;
    if (!group_plan_swept(solver, scratch, &plan)) {
        return false;
    }
    group_counts counts = group_count_groups(&plan);
    counts.groups += of_gradients;
    if (!group_allocate(solver, counts, plan.level_count, arena)) {
        return false;
    }
    group_add_swept(solver, &plan);
    for (uint32_t i = 0; i < solver->gradients_count; ++i) {
        group_add_gradients(solver, &solver->gradients[i]);
    }
    group_find_bodies(solver, plan.level);
    return true;
}

void tni_joint_groups_restart(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        tni_joint_group_rest *rest = &solver->group_rests[g];
        memset(&rest->force, 0, sizeof rest->force);
        memset(&rest->torque, 0, sizeof rest->torque);
        if (rest->angles != NULL) {
            tni_joint_angles_restart(rest->angles);
        }
    }
}

// ---- refresh ----------------------------------------------------------------------------------

// All at first, and where mechanisms move bodies; else the drift keeps them.
static void group_place(tni_solver *solver) {
    if (solver->has_places && solver->mechanism_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < solver->place_count; ++i) {
        tni_joint_place(solver, solver->place_bodies[i]);
    }
    solver->has_places = true;
}

static void group_refresh_pin(const tni_solver *solver, const tni_joint_group *group, uint32_t lane,
                              tni_pin_block *out) {
    tni_pin pin = {.r_a = joint_group_get(&group->r_a, lane),
                   .r_b = joint_group_get(&group->r_b, lane),
                   .error = f4_splat(0.0f)};
    tni_pin_refresh(out, &pin, 0, TNI_PIN_BOTH, &solver->states[group->body_a[lane]],
                    &solver->states[group->body_b[lane]]);
}

void tni_joint_group_get_pin(const tni_solver *solver, const tni_joint_block *block) {
    group_refresh_pin(solver, block->group, block->lane, block->pin);
}

// K where it is singular, by general elimination.
static void group_invert_lane(const tni_solver *solver, tni_joint_group *group, uint32_t lane) {
    tni_pin_block block;
    group_refresh_pin(solver, group, lane, &block);
    float columns[3][4];
    for (uint32_t i = 0; i < 3; ++i) {
        f4_store(columns[i], block.inverse[i]);
        group->inverse[i][lane] = columns[i][i];
    }
    group->inverse[3][lane] = columns[1][0];
    group->inverse[4][lane] = columns[2][0];
    group->inverse[5][lane] = columns[2][1];
}

void tni_joint_groups_refresh(tni_solver *solver) {
    group_place(solver);
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        tni_joint_group *group = &solver->groups[g];
        tni_joint_group_rest *rest = &solver->group_rests[g];
        if (rest->angles != NULL) {
            tni_joint_angles_refresh(solver, group, rest);
            continue;
        }
        bool is_sound = WIDE_CALL(solver->uses_avx2, tni_joint_group_refresh, solver, group, rest);
        for (uint32_t lane = 0; lane < rest->count && !is_sound; ++lane) {
            if (!(group->inverse[0][lane] > 0.0f)) {
                group_invert_lane(solver, group, lane);
            }
        }
    }
}

// ---- sweeps -----------------------------------------------------------------------------------

// How many groups from `first` on, of `count`, can be swept in one go: up to the first that has
// more than points.
static uint32_t group_count_points(const tni_solver *solver, uint32_t first, uint32_t count) {
    uint32_t points = 0;
    while (points < count && solver->group_rests[first + points].angles == NULL &&
           !solver->group_rests[first + points].has_bounded) {
        ++points;
    }
    return points;
}

static void group_warm_start_all(const tni_solver *solver, bool is_first_half) {
    for (uint32_t g = 0, count; g < solver->group_count; g += count) {
        count = group_count_points(solver, g, solver->group_count - g);
        count = count > 0 ? count : 1;
        if (solver->group_rests[g].angles != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_angles_warm_start, solver, &solver->groups[g],
                      solver->group_rests[g].angles, is_first_half);
        } else {
            WIDE_CALL(solver->uses_avx2, tni_joint_group_warm_start, solver, &solver->groups[g],
                      count, is_first_half);
        }
    }
}

void tni_joint_groups_warm_start(tni_solver *solver, bool is_first_half) {
    group_warm_start_all(solver, is_first_half);
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        const tni_joint_group_rest *rest = &solver->group_rests[g];
        for (uint32_t lane = 0; lane < rest->count && rest->has_bounded; ++lane) {
            const tni_joint_block *block = &solver->joints[rest->block[lane]];
            if (block->has_awake_bounded) {
                tni_joint_bounded_warm_start(solver, block, is_first_half);
            }
        }
    }
}

static void group_solve_bounded(const tni_solver *solver, const tni_joint_group_rest *rest,
                                bool use_bias) {
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        const tni_joint_block *block = &solver->joints[rest->block[lane]];
        if (block->has_awake_bounded) {
            tni_joint_bounded_solve(solver, block, use_bias);
        }
    }
}

// Groups that lie together.
static void group_solve_some(const tni_solver *solver, uint32_t first, uint32_t end,
                             bool use_bias) {
    for (uint32_t g = first, count; g < end; g += count) {
        const tni_joint_group_rest *rest = &solver->group_rests[g];
        count = group_count_points(solver, g, end - g);
        count = count > 0 ? count : 1;
        if (rest->angles != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_angles_solve, solver, &solver->groups[g],
                      rest->angles, use_bias);
            continue;
        }
        WIDE_CALL(solver->uses_avx2, tni_joint_group_solve, solver, &solver->groups[g], count,
                  solver->joint_softness, use_bias);
        if (rest->has_bounded) {
            group_solve_bounded(solver, rest, use_bias);
        }
    }
}

void tni_joint_groups_solve(tni_solver *solver, bool use_bias) {
    uint32_t group = 0, single = 0;
    for (uint32_t t = 0; t < solver->turn_count; ++t) {
        const tni_joint_turn *turn = &solver->turns[t];
        group_solve_some(solver, group, group + turn->group_count, use_bias);
        for (uint32_t i = 0; i < turn->single_count; ++i) {
            tni_joint_blocks_solve(solver, solver->singles[single + i], 1, use_bias);
        }
        group += turn->group_count;
        single += turn->single_count;
    }
}

// ---- what is left -----------------------------------------------------------------------------

static void group_stiffen(tni_solver *solver, tni_joint_group *group,
                          const tni_joint_group_rest *rest) {
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        vec3s x = maths_vec3(group->impulse.n[0][lane], group->impulse.n[1][lane],
                             group->impulse.n[2][lane]);
        if (glms_vec3_dot(x, x) > rest->threshold[lane]) {
            tni_geometric_stiffness_add(solver, &solver->joints[rest->block[lane]], x);
        }
    }
}

void tni_joint_groups_stiffen(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        if (!solver->group_rests[g].has_bounded) {
            group_stiffen(solver, &solver->groups[g], &solver->group_rests[g]);
        }
    }
}

void tni_joint_groups_store(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        tni_joint_group *group = &solver->groups[g];
        tni_joint_group_rest *rest = &solver->group_rests[g];
        if (rest->has_bounded) {
            continue;
        }
        bool may_stiffen = rest->angles != NULL
                               ? WIDE_CALL(solver->uses_avx2, tni_joint_angles_store, group, rest)
                               : WIDE_CALL(solver->uses_avx2, tni_joint_group_store, group, rest);
        if (may_stiffen) {
            group_stiffen(solver, group, rest);
        }
    }
}
