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
#include "solver/joint_bounded.h"

// Up to so many joints nothing is gained.
#define GROUP_LEAST_JOINTS 64
// Fewer than this in a group are faster one by one.
#define GROUP_LEAST_LANES 3

// ---- making -----------------------------------------------------------------------------------

typedef struct group_plan {
    uint32_t *level; // by body that moves: the first that is free of it; of others TNI_NONE
    uint32_t *key;   // by swept joint: twice its level, and one more where it does not suit
    uint32_t *first; // by key: where its joints end in `order`
    uint32_t *order;
    uint32_t level_count;
} group_plan;

// The joints of a group are as soft as most; those that a mechanism closes are not.
static bool group_suits(const tni_solver *solver, const tni_joint_block *block) {
    return block->point_rows == TNI_PIN_POINT_ROWS && block->turns == 0 && !block->is_projected &&
           block->softness.rate == solver->joint_softness.rate && block->body_a != 0 &&
           block->body_b != 0;
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
        plan->key[i] = 2 * own + (group_suits(solver, block) ? 0 : 1);
        plan->level_count = own >= plan->level_count ? own + 1 : plan->level_count;
    }
}

// By key; in a level what can stand in lanes comes first.
static void group_sort(const tni_solver *solver, group_plan *plan) {
    uint32_t keys = 2 * plan->level_count;
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

// How many of a level's joints go into groups.
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
    rest->has_bounded = rest->has_bounded || block->row_count > block->equality_count;
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
}

static void group_fill(tni_solver *solver, const uint32_t *joints, uint32_t count) {
    uint32_t group = solver->group_count++;
    memset(&solver->groups[group], 0, sizeof *solver->groups);
    memset(&solver->group_rests[group], 0, sizeof *solver->group_rests);
    for (uint32_t lane = 0; lane < count; ++lane) {
        group_set_lane(solver, group, lane, joints[lane]);
    }
}

// Joints that suit, then those that do not; adds to the last turn, or makes another.
static void group_add_level(tni_solver *solver, const uint32_t *joints, uint32_t suited,
                            uint32_t count) {
    tni_joint_turn *turn = &solver->turns[solver->turn_count - 1];
    uint32_t taken = group_take(suited);
    if (taken > 0 && turn->single_count > 0) {
        turn = &solver->turns[solver->turn_count++];
        *turn = (tni_joint_turn){0};
    }
    for (uint32_t i = 0; i < taken; i += WIDE_LANES) {
        uint32_t left = taken - i;
        group_fill(solver, joints + i, left < WIDE_LANES ? left : WIDE_LANES);
        turn->group_count += 1;
    }
    for (uint32_t i = taken; i < count; ++i) {
        solver->singles[solver->single_count++] = joints[i];
        turn->single_count += 1;
    }
}

// How many groups there will be.
static uint32_t group_count_groups(const group_plan *plan) {
    uint32_t count = 0, begin = 0;
    for (uint32_t level = 0; level < plan->level_count; ++level) {
        count += (group_take(plan->first[2 * level] - begin) + WIDE_LANES - 1) / WIDE_LANES;
        begin = plan->first[2 * level + 1];
    }
    return count;
}

static bool group_allocate(tni_solver *solver, uint32_t count, uint32_t levels, tni_arena *arena) {
    solver->groups = tni_arena_alloc(arena, count * sizeof *solver->groups);
    solver->group_rests = tni_arena_alloc(arena, count * sizeof *solver->group_rests);
    solver->singles = tni_arena_alloc(arena, solver->joint_count * sizeof *solver->singles);
    solver->turns = tni_arena_alloc(arena, (levels + 1) * sizeof *solver->turns);
    solver->places = tni_arena_alloc(arena, solver->body_count * sizeof *solver->places);
    solver->place_bodies =
        tni_arena_alloc(arena, solver->body_count * sizeof *solver->place_bodies);
    return solver->groups != NULL && solver->group_rests != NULL && solver->singles != NULL &&
           solver->turns != NULL && solver->places != NULL && solver->place_bodies != NULL;
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
    uint32_t *memory = tni_arena_alloc(arena, ((size_t)bodies + 4 * joints + 3) * sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    *plan = (group_plan){memory, memory + bodies, memory + bodies + joints,
                         memory + bodies + 3 * joints + 3, 0};
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
    uint32_t begin = 0;
    for (uint32_t level = 0; level < plan->level_count; ++level) {
        uint32_t end = plan->first[2 * level + 1];
        group_add_level(solver, plan->order + begin, plan->first[2 * level] - begin, end - begin);
        begin = end;
    }
    for (; begin < solver->swept_count; ++begin) {
        solver->singles[solver->single_count++] = begin;
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
            group_fill(solver, joints, lanes->members.count);
        }
    }
    for (uint32_t i = g->first; i < g->first + g->count; ++i) {
        if (solver->joints[i].group == NULL) {
            solver->singles[solver->single_count++] = i;
        }
    }
}

bool tni_joint_groups_make(tni_solver *solver, tni_arena *arena, tni_arena *scratch) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < solver->gradients_count; ++i) {
        count += solver->gradients[i].grouped_count;
    }
    if (count == 0 && solver->swept_count <= GROUP_LEAST_JOINTS) {
        return true;
    }
    group_plan plan;
    if (!group_plan_swept(solver, scratch, &plan)) {
        return false;
    }
    count += group_count_groups(&plan);
    if (!group_allocate(solver, count, plan.level_count, arena)) {
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
        bool is_sound = WIDE_CALL(solver->uses_avx2, tni_joint_group_refresh, solver, group, rest);
        for (uint32_t lane = 0; lane < rest->count && !is_sound; ++lane) {
            if (!(group->inverse[0][lane] > 0.0f)) {
                group_invert_lane(solver, group, lane);
            }
        }
    }
}

// ---- sweeps -----------------------------------------------------------------------------------

void tni_joint_groups_warm_start(tni_solver *solver, bool is_first_half) {
    WIDE_CALL(solver->uses_avx2, tni_joint_group_warm_start, solver, solver->groups,
              solver->group_count, is_first_half);
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

// Groups that lie together: as many at once as have no bounded rows.
static void group_solve_some(const tni_solver *solver, uint32_t first, uint32_t count,
                             bool use_bias) {
    for (uint32_t done = 0, next; done < count; done = next) {
        next = done + 1;
        while (next < count && !solver->group_rests[first + next - 1].has_bounded) {
            ++next;
        }
        WIDE_CALL(solver->uses_avx2, tni_joint_group_solve, solver, solver->groups + first + done,
                  next - done, solver->joint_softness, use_bias);
        if (solver->group_rests[first + next - 1].has_bounded) {
            group_solve_bounded(solver, &solver->group_rests[first + next - 1], use_bias);
        }
    }
}

void tni_joint_groups_solve(tni_solver *solver, bool use_bias) {
    uint32_t group = 0, single = 0;
    for (uint32_t t = 0; t < solver->turn_count; ++t) {
        const tni_joint_turn *turn = &solver->turns[t];
        group_solve_some(solver, group, turn->group_count, use_bias);
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
        if (!rest->has_bounded &&
            WIDE_CALL(solver->uses_avx2, tni_joint_group_store, group, rest)) {
            group_stiffen(solver, group, rest);
        }
    }
}
