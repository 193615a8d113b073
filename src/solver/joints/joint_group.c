// solver/joints/joint_group.c: joints are put into groups of eight by level.
//
// See solver/joints/joint_group.h. Levels are found joint by joint, in one pass: the level of a
// joint is the greatest of its bodies' levels, and theirs is one more from then on. Joints are then
// sorted by level, in their order. A level's last joints, if they are few, stay single.
//
// Many mechanisms that share no body have their levels found for one part of them after the other,
// for workers to take (solver/joints/joint_part.c).
//
// A large net has many levels, each of a few groups: none is worth a second worker. There colors
// take the place of levels. A color has joints that share no body that moves, and there are about
// as many as a body has joints: four in a grid. The sweep then has another order, in which the
// effect of a joint travels a few joints far in a sweep instead of through the whole net. With soft
// joints the result is nearly the same: a net of 50 by 50 that hangs by its top row has a gap of
// 6.24 mm instead of 6.42, by two corners 93.6 instead of 94.1. Chains and machines keep their
// order: solved from the ground outward a sweep carries a motor's push all the way, and in the
// order of colors a four-cylinder engine flies apart. The phases over groups are
// solver/joints/joint_group_phases.c. Test: tests/solver/joints/test_joint_group.c
#include "solver/joints/joint_group.h"

#include <string.h>

#include "solver/gradients/gradient_lanes.h"
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_threads.h"

// Up to this many joints groups gain nothing.
#define GROUP_LEAST_JOINTS 64
// From this many joints on, in more than this many levels of more than this many joints on the
// average, groups go by color.
#define GROUP_MANY_JOINTS 1000
#define GROUP_MANY_LEVELS 32
#define GROUP_WIDE_LEVEL  16
#define GROUP_COLORS      24
// A group of fewer than this is slower than its joints one by one.
#define GROUP_LEAST_LANES 3

// ---- levels and colors --------------------------------------------------------------------------

typedef struct group_plan {
    uint32_t *level; // by body that moves: the first that is free of it; of others TNI_NONE
    uint32_t *key;   // by swept joint: GROUP_FORMS times its level, those of the second part behind
                     // those of the first, and its form
    uint32_t *first; // by key: where its joints end in `order`
    uint32_t *order;
    uint32_t level_count, part_count;
    uint32_t *part; // by swept joint, of what hangs together in small trees
    uint32_t *scratch;
    bool has_colors;
} group_plan;

// The joints of a group are of one form.
typedef enum group_form {
    GROUP_FORM_POINT,  // ball joints alone
    GROUP_FORM_RANGES, // ball joints with limits, or on the world
    GROUP_FORM_HINGE,  // hinges, with limits or without
    GROUP_FORM_FRAME,  // fixed joints
    GROUP_FORM_SLIDE,  // sliders
    GROUP_FORM_ROD,    // between particles, and so are
    GROUP_FORM_ROPE,
    GROUP_FORM_SPRING,
    GROUP_FORM_ROPE_AND_SPRING,
    GROUP_FORM_NONE, // no group
    GROUP_FORMS,
} group_form;

// Is it a joint with a point and turns, in one of the sizes that lanes know?
static bool group_is_known(const tni_joint_block *block) {
    return block->point_rows == TNI_PIN_POINT_ROWS
               ? block->turns != 1
               : block->point_rows == TNI_PIN_SLIDE_ROWS && block->turns == 3;
}

static group_form group_get_thread_form(tni_thread_kind kind) {
    switch (kind) {
    case TNI_THREAD_ROD:
        return GROUP_FORM_ROD;
    case TNI_THREAD_ROPE:
        return GROUP_FORM_ROPE;
    case TNI_THREAD_SPRING:
        return GROUP_FORM_SPRING;
    default:
        return GROUP_FORM_ROPE_AND_SPRING;
    }
}

static bool group_has_threads(group_form form) {
    return form == GROUP_FORM_ROD || form == GROUP_FORM_ROPE || form == GROUP_FORM_SPRING ||
           form == GROUP_FORM_ROPE_AND_SPRING;
}

static bool group_is_locked(const tni_solver *solver, const tni_joint_block *block) {
    return solver->bodies.masses[block->body_a].locks != 0 ||
           solver->bodies.masses[block->body_b].locks != 0;
}

// Returns the form of a joint's group. Joints of a group are as soft as most; those that a
// mechanism closes are not.
static group_form group_get_form(const tni_solver *solver, const tni_joint_block *block) {
    tni_thread_kind thread = tni_joint_threads_get_kind(solver, block);
    if (group_is_locked(solver, block) || tni_joint_has_memory(block->joint)) {
        return GROUP_FORM_NONE;
    }
    if (!(thread != 0 || group_is_known(block)) || block->is_projected || block->body_b == 0 ||
        block->softness.rate != solver->settings.joint_softness.rate) {
        return GROUP_FORM_NONE;
    }
    if (thread != 0) {
        return group_get_thread_form(thread);
    }
    if (block->turns == 0 && block->body_a != 0 && block->row_count == block->equality_count) {
        return GROUP_FORM_POINT;
    }
    if (!tni_joint_angles_suit(block)) {
        return GROUP_FORM_NONE;
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

// Writes the levels into `key`, by joint; returns how many there are.
static uint32_t group_find_levels(const tni_solver *solver, group_plan *plan) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        plan->level[i] = solver->bodies.masses[i].is_dynamic ? 0 : TNI_NONE;
    }
    for (uint32_t i = 0; i < solver->joints.swept_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        uint32_t *a = &plan->level[block->body_a], *b = &plan->level[block->body_b];
        uint32_t own = *a != TNI_NONE ? *a : 0;
        own = *b != TNI_NONE && *b > own ? *b : own;
        *a = *a != TNI_NONE ? own + 1 : TNI_NONE;
        *b = *b != TNI_NONE ? own + 1 : TNI_NONE;
        plan->key[i] = own;
        count = own >= count ? own + 1 : count;
    }
    return count;
}

// Does the same by color: a joint gets the first one that neither body has yet. Joints that find
// none get the last color, in which joints may share a body: these are swept one by one.
static uint32_t group_find_colors(const tni_solver *solver, group_plan *plan) {
    uint32_t count = 0;
    memset(plan->level, 0, solver->bodies.count * sizeof *plan->level); // colors, as bits
    for (uint32_t i = 0; i < solver->joints.swept_count; ++i) {
        uint32_t a = solver->joints.blocks[i].body_a, b = solver->joints.blocks[i].body_b, own = 0;
        uint32_t used = solver->bodies.masses[a].is_dynamic ? plan->level[a] : 0;
        used |= solver->bodies.masses[b].is_dynamic ? plan->level[b] : 0;
        while (own < GROUP_COLORS && (used >> own & 1u) != 0) {
            ++own;
        }
        if (own < GROUP_COLORS) {
            plan->level[a] |= 1u << own;
            plan->level[b] |= 1u << own;
        }
        plan->key[i] = own;
        count = own >= count ? own + 1 : count;
    }
    return count;
}

static bool group_want_colors(const tni_solver *solver, uint32_t levels) {
    return solver->joints.swept_count > GROUP_MANY_JOINTS && levels > GROUP_MANY_LEVELS &&
           solver->joints.swept_count > levels * GROUP_WIDE_LEVEL;
}

// ---- keys ---------------------------------------------------------------------------------------

static bool group_find_keys(tni_solver *solver, tni_arena *arena, group_plan *plan) {
    uint32_t levels = group_find_levels(solver, plan);
    plan->has_colors = group_want_colors(solver, levels);
    plan->level_count = plan->has_colors ? group_find_colors(solver, plan) : levels;
    if (!plan->has_colors && levels <= GROUP_MANY_LEVELS) {
        if (!tni_joint_parts_find(solver, arena, plan->part, plan->scratch)) {
            return false;
        }
        plan->part_count = solver->joint_parts.count;
        plan->level_count = plan->part_count * levels;
    }
    for (uint32_t i = 0; i < solver->joints.swept_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        bool is_lone = plan->has_colors && plan->key[i] == GROUP_COLORS;
        group_form form = is_lone ? GROUP_FORM_NONE : group_get_form(solver, block);
        uint32_t before = plan->part_count > 1 ? levels * plan->part[i] : 0;
        plan->key[i] = GROUP_FORMS * (before + plan->key[i]) + (uint32_t)form;
    }
    return true;
}

// Sorts the joints by key.
static void group_sort(const tni_solver *solver, group_plan *plan) {
    uint32_t keys = GROUP_FORMS * plan->level_count;
    memset(plan->first, 0, (keys + 1) * sizeof *plan->first);
    for (uint32_t i = 0; i < solver->joints.swept_count; ++i) {
        plan->first[plan->key[i] + 1] += 1;
    }
    for (uint32_t k = 0; k < keys; ++k) {
        plan->first[k + 1] += plan->first[k];
    }
    // Each start moves to its end, which is the next one's start.
    for (uint32_t i = 0; i < solver->joints.swept_count; ++i) {
        plan->order[plan->first[plan->key[i]]++] = i;
    }
}

// ---- groups -----------------------------------------------------------------------------------

// Returns true for the forms of nets, which go by color.
static bool group_is_of_nets(group_form form) {
    return form == GROUP_FORM_POINT || group_has_threads(form);
}

// Returns how many of a level's joints of one form go into groups. In a color all ball joints do,
// and all threads: it has one group that is not full.
static uint32_t group_take(const group_plan *plan, group_form form, uint32_t count) {
    uint32_t left = count % WIDE_LANES;
    bool takes_all = left >= GROUP_LEAST_LANES || (plan->has_colors && group_is_of_nets(form));
    return takes_all ? count : count - left;
}

static void group_set_lane(tni_solver *solver, uint32_t group, uint32_t lane, uint32_t joint) {
    tni_joint_group *own = &solver->lanes.groups[group];
    tni_joint_group_rest *rest = &solver->lanes.rests[group];
    tni_joint_block *block = &solver->joints.blocks[joint];
    own->body_a[lane] = block->body_a;
    own->body_b[lane] = block->body_b;
    own->moving_a |= (uint8_t)(solver->bodies.masses[block->body_a].is_dynamic ? 1u << lane : 0u);
    own->moving_b |= (uint8_t)(solver->bodies.masses[block->body_b].is_dynamic ? 1u << lane : 0u);
    rest->threshold[lane] = block->stiffness_threshold;
    rest->rate = block->softness.rate;
    rest->block[lane] = joint;
    rest->count = lane + 1;
    rest->length[lane] = (float)block->joint->linear_error;
    block->group = own;
    block->lane = lane;
}

void tni_joint_group_start(const tni_solver *solver, const tni_joint_block *block,
                           const float *impulses) {
    tni_joint_group_rest *rest = joint_group_rest(solver, block);
    const double *a = &block->joint->frame_a.position.x, *b = &block->joint->frame_b.position.x;
    for (uint32_t i = 0; i < 3; ++i) {
        rest->anchor_a.n[i][block->lane] = (float)a[i];
        rest->anchor_b.n[i][block->lane] = (float)b[i];
    }
    if (rest->threads != NULL) {
        tni_joint_threads_start(solver, block, impulses);
        return;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        block->group->impulse.n[i][block->lane] = impulses[i];
    }
    if (rest->angles != NULL) {
        tni_joint_angles_start(solver, block, impulses);
    }
}

static void group_fill(tni_solver *solver, group_form form, const uint32_t *joints,
                       uint32_t count) {
    uint32_t group = solver->lanes.group_count++;
    memset(&solver->lanes.groups[group], 0, sizeof *solver->lanes.groups);
    memset(&solver->lanes.rests[group], 0, sizeof *solver->lanes.rests);
    if (group_has_angles(form)) {
        solver->lanes.rests[group].angles = &solver->lanes.angles[solver->lanes.angles_count++];
        tni_joint_angles_init(solver->lanes.rests[group].angles,
                              solver->joints.blocks[joints[0]].turns, form == GROUP_FORM_SLIDE);
    }
    if (group_has_threads(form)) {
        solver->lanes.rests[group].threads = &solver->lanes.threads[solver->lanes.threads_count++];
    }
    for (uint32_t lane = 0; lane < count; ++lane) {
        group_set_lane(solver, group, lane, joints[lane]);
    }
    if (group_has_threads(form)) {
        tni_joint_threads_init(
            solver, solver->lanes.rests[group].threads, &solver->lanes.groups[group],
            tni_joint_threads_get_kind(solver, &solver->joints.blocks[joints[0]]));
    }
}

// A range has the joints of a key.
typedef struct group_range {
    uint32_t begin, count;
    group_form form;
    uint32_t taken; // of them into groups
} group_range;

static group_range group_get_range(const group_plan *plan, uint32_t key) {
    group_range range = {.begin = key > 0 ? plan->first[key - 1] : 0,
                         .form = (group_form)(key % GROUP_FORMS)};
    range.count = plan->first[key] - range.begin;
    range.taken = range.form == GROUP_FORM_NONE ? 0 : group_take(plan, range.form, range.count);
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

// Adds the groups of each form of a level, then its remaining joints, to the last turn, or makes
// another.
static void group_add_level(tni_solver *solver, const group_plan *plan, uint32_t level) {
    tni_joint_turn *turn = &solver->lanes.turns[solver->lanes.turn_count - 1];
    uint32_t first = GROUP_FORMS * level, taken = 0;
    for (uint32_t key = first; key < first + GROUP_FORMS; ++key) {
        taken += group_get_range(plan, key).taken;
    }
    uint32_t part = level * plan->part_count / plan->level_count;
    if ((taken > 0 && turn->single_count > 0) || part != turn->part) {
        turn = &solver->lanes.turns[solver->lanes.turn_count++];
        *turn = (tni_joint_turn){.part = part};
    }
    for (uint32_t key = first; key < first + GROUP_FORMS; ++key) {
        group_range range = group_get_range(plan, key);
        group_add_groups(solver, plan->order + range.begin, &range, turn);
    }
    for (uint32_t key = first; key < first + GROUP_FORMS; ++key) {
        group_range range = group_get_range(plan, key);
        for (uint32_t i = range.taken; i < range.count; ++i) {
            solver->lanes.singles[solver->lanes.single_count++] = plan->order[range.begin + i];
            turn->single_count += 1;
        }
    }
}

typedef struct group_counts {
    uint32_t groups, angles, threads; // and how many of them have a tni_joint_angles, or threads
} group_counts;

// Counts the groups that there will be.
static group_counts group_count_groups(const group_plan *plan) {
    group_counts counts = {0, 0, 0};
    for (uint32_t key = 0; key < GROUP_FORMS * plan->level_count; ++key) {
        group_range range = group_get_range(plan, key);
        uint32_t count = (range.taken + WIDE_LANES - 1) / WIDE_LANES;
        counts.groups += count;
        counts.angles += group_has_angles(range.form) ? count : 0;
        counts.threads += group_has_threads(range.form) ? count : 0;
    }
    return counts;
}

static bool group_allocate(tni_solver *solver, group_counts counts, uint32_t levels,
                           tni_arena *arena) {
    uint32_t count = counts.groups;
    solver->lanes.groups = tni_arena_alloc(arena, count * sizeof *solver->lanes.groups);
    solver->lanes.rests = tni_arena_alloc(arena, count * sizeof *solver->lanes.rests);
    solver->lanes.angles = tni_arena_alloc(arena, counts.angles * sizeof *solver->lanes.angles);
    solver->lanes.threads = tni_arena_alloc(arena, counts.threads * sizeof *solver->lanes.threads);
    solver->lanes.singles =
        tni_arena_alloc(arena, solver->joints.count * sizeof *solver->lanes.singles);
    solver->lanes.turns = tni_arena_alloc(arena, (levels + 1) * sizeof *solver->lanes.turns);
    solver->lanes.places =
        tni_arena_alloc(arena, solver->bodies.count * sizeof *solver->lanes.places);
    solver->lanes.place_bodies =
        tni_arena_alloc(arena, solver->bodies.count * sizeof *solver->lanes.place_bodies);
    return solver->lanes.groups != NULL && solver->lanes.rests != NULL &&
           solver->lanes.angles != NULL && solver->lanes.threads != NULL &&
           solver->lanes.singles != NULL && solver->lanes.turns != NULL &&
           solver->lanes.places != NULL && solver->lanes.place_bodies != NULL;
}

static void group_find_bodies(tni_solver *solver, uint32_t *is_used) {
    memset(is_used, 0, solver->bodies.count * sizeof *is_used);
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
            is_used[solver->lanes.groups[g].body_a[lane]] = 1;
            is_used[solver->lanes.groups[g].body_b[lane]] = 1;
        }
    }
    // If there are parts, `key` 0 belongs to bodies that do not move.
    uint32_t keys = solver->joint_parts.part_of != NULL ? solver->joint_parts.count + 1 : 1;
    for (uint32_t key = 0; key < keys; ++key) {
        for (uint32_t i = 0; i < solver->bodies.count; ++i) {
            bool is_of_part = keys > 1 && solver->bodies.masses[i].is_dynamic;
            if (is_used[i] != 0 && (is_of_part ? solver->joint_parts.part_of[i] + 1u : 0u) == key) {
                solver->lanes.place_bodies[solver->lanes.place_count++] = i;
            }
        }
    }
}

// Returns whether there are enough swept joints for groups.
static bool group_are_enough(const tni_solver *solver) {
    return solver->joints.swept_count > GROUP_LEAST_JOINTS;
}

static bool group_plan_swept(tni_solver *solver, tni_arena *arena, tni_arena *scratch,
                             group_plan *plan) {
    uint32_t joints = solver->joints.swept_count, bodies = solver->bodies.count;
    size_t keys = (size_t)GROUP_FORMS * joints + 1; // at most, with one more
    uint32_t *memory =
        tni_arena_alloc(scratch, (3 * (size_t)bodies + 3 * (size_t)joints + keys) * sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    *plan = (group_plan){.level = memory,
                         .key = memory + bodies,
                         .first = memory + bodies + joints,
                         .order = memory + bodies + joints + keys,
                         .part = memory + bodies + 2 * (size_t)joints + keys,
                         .scratch = memory + bodies + 3 * (size_t)joints + keys,
                         .part_count = 1};
    if (group_are_enough(solver)) {
        if (!group_find_keys(solver, arena, plan)) {
            return false;
        }
        group_sort(solver, plan);
    }
    return true;
}

// Adds, without levels, the swept joints as they lie.
static void group_add_swept(tni_solver *solver, const group_plan *plan) {
    solver->lanes.turn_count = 1;
    solver->lanes.turns[0] = (tni_joint_turn){0};
    for (uint32_t level = 0; level < plan->level_count; ++level) {
        group_add_level(solver, plan, level);
    }
    uint32_t planned = plan->level_count > 0 ? solver->joints.swept_count : 0;
    for (uint32_t i = planned; i < solver->joints.swept_count; ++i) {
        solver->lanes.singles[solver->lanes.single_count++] = i;
        solver->lanes.turns[solver->lanes.turn_count - 1].single_count += 1;
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
            lanes->group = &solver->lanes.groups[solver->lanes.group_count];
            lanes->rest = &solver->lanes.rests[solver->lanes.group_count];
            lanes->r_a = lanes->group->r_a.n[0];
            lanes->r_b = lanes->group->r_b.n[0];
            lanes->inverse = lanes->group->inverse[0];
            group_fill(solver, GROUP_FORM_POINT, joints, lanes->members.count);
        }
    }
    for (uint32_t i = g->first; i < g->first + g->count; ++i) {
        if (solver->joints.blocks[i].group == NULL) {
            solver->lanes.singles[solver->lanes.single_count++] = i;
        }
    }
}

bool tni_joint_groups_make(tni_solver *solver, tni_arena *arena, tni_arena *scratch) {
    uint32_t of_gradients = 0;
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        of_gradients += solver->gradients.systems[i].grouped_count;
    }
    if (of_gradients == 0 && !group_are_enough(solver)) {
        return true;
    }
    group_plan plan;
    if (!group_plan_swept(solver, arena, scratch, &plan)) {
        return false;
    }
    group_counts counts = group_count_groups(&plan);
    counts.groups += of_gradients;
    if (!group_allocate(solver, counts, plan.level_count, arena)) {
        return false;
    }
    group_add_swept(solver, &plan);
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        group_add_gradients(solver, &solver->gradients.systems[i]);
    }
    group_find_bodies(solver, plan.level);
    return tni_joint_items_make(solver, arena, scratch) && tni_joint_parts_make(solver, arena);
}
