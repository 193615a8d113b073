// solver/gradient_lanes.c: joints into groups of eight.
//
// See solver/gradient_lanes.h. Groups are filled in the order of the joints: a joint joins the
// first of the last few groups that has room and none of its bodies. So neighbours stay near in
// memory, and a sweep keeps about the order of the blocks, which converges better than colour by
// colour (lattices of welds: a seventh fewer iterations).
// Test: tests/solver/test_gradient_lanes.c
#include "solver/gradient_lanes.h"

#include "solver/equality.h"
#include "solver/pin.h"

// Groups that a joint may join.
#define LANES_OPEN 8
// Up to so many joints nothing is gained by groups of solver/joint_group.h.
#define LANES_LEAST_GROUPED 64

// ---- groups -----------------------------------------------------------------------------------

static tni_lanes_kind lanes_get_kind(const tni_joint_block *block) {
    if (block->point_rows == 0) {
        return TNI_LANES_ROWS;
    }
    if (block->turns == 0) {
        return TNI_LANES_POINT;
    }
    return block->turns == 2 ? TNI_LANES_HINGE : TNI_LANES_FRAME;
}

static bool lanes_have_body(const tni_lanes_members *members, uint32_t body) {
    for (uint32_t i = 0; i < members->count; ++i) {
        if (members->body_a[i] == body || members->body_b[i] == body) {
            return true;
        }
    }
    return false;
}

// Arms of joints that end at the world reach from its origin, too far for float.
static bool lanes_are_grouped(const tni_gradients *g, const tni_joint_block *block) {
    return g->count > LANES_LEAST_GROUPED && g->bounded_count == 0 &&
           block->point_rows == TNI_PIN_POINT_ROWS && block->turns == 0 && block->body_a != 0 &&
           block->body_b != 0 && !(block->joint->def.base.hertz > 0.0f);
}

static bool lanes_take(const tni_solver *solver, const tni_gradients *g,
                       const tni_lanes_members *members, const tni_joint_block *block) {
    return members->count < TNI_GRADIENT_LANES && members->kind == lanes_get_kind(block) &&
           members->is_grouped == lanes_are_grouped(g, block) &&
           !(solver->masses[block->body_a].is_dynamic && lanes_have_body(members, block->body_a)) &&
           !(solver->masses[block->body_b].is_dynamic && lanes_have_body(members, block->body_b));
}

// Into which group a joint goes; `count` where that is a new one.
static uint32_t lanes_choose(const tni_solver *solver, const tni_gradients *g,
                             const tni_lanes_members *all, uint32_t count,
                             const tni_joint_block *block) {
    uint32_t i = count > LANES_OPEN ? count - LANES_OPEN : 0;
    while (i < count && !lanes_take(solver, g, &all[i], block)) {
        ++i;
    }
    return i;
}

static tni_lanes_members lanes_open(const tni_gradients *g, uint32_t joint,
                                    const tni_joint_block *block) {
    tni_lanes_members members = {.kind = lanes_get_kind(block),
                                 .is_grouped = lanes_are_grouped(g, block)};
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        members.joint[i] = joint;
    }
    return members;
}

// The members of every group; how many groups.
static uint32_t lanes_gather(const tni_solver *solver, const tni_gradients *g,
                             tni_lanes_members *all) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        if (block->equality_count == 0) {
            continue;
        }
        uint32_t chosen = lanes_choose(solver, g, all, count, block);
        tni_lanes_members *members = &all[chosen];
        if (chosen == count) {
            ++count;
            *members = lanes_open(g, i, block);
        }
        members->body_a[members->count] = block->body_a;
        members->body_b[members->count] = block->body_b;
        members->own_a[members->count] = solver->gradient_bodies[block->body_a];
        members->own_b[members->count] = solver->gradient_bodies[block->body_b];
        members->joint[members->count++] = i;
    }
    return count;
}

// What a group has by its kind, from memory for all of them.
typedef struct lanes_memory {
    tni_lanes_turns *turns;
    tni_lanes *jacobians;
    tni_lanes_masses *masses;
} lanes_memory;

#define LANES_JACOBIAN 36 // numbers of three rows

static bool lanes_allocate(const tni_gradients *g, const tni_lanes_members *all, tni_arena *arena,
                           lanes_memory *memory) {
    size_t frames = 0, rows = 0, swept = g->is_swept ? 2 * (size_t)g->lanes_count : 0;
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        frames += lanes_have_turns(all[i].kind) ? 1 : 0;
        rows += all[i].kind == TNI_LANES_ROWS ? 1 : 0;
    }
    memory->turns = tni_arena_alloc(arena, frames * sizeof *memory->turns);
    memory->jacobians = tni_arena_alloc(arena, rows * LANES_JACOBIAN * sizeof(tni_lanes));
    memory->masses = tni_arena_alloc(arena, swept * sizeof *memory->masses);
    return memory->turns != NULL && memory->jacobians != NULL && memory->masses != NULL;
}

static void lanes_set_group(const tni_gradients *g, lanes_memory *memory,
                            tni_gradient_lanes *group) {
    if (lanes_have_turns(group->members.kind)) {
        group->turns = memory->turns++;
    } else if (group->members.kind == TNI_LANES_ROWS) {
        group->jacobian = memory->jacobians;
        memory->jacobians += LANES_JACOBIAN;
    }
    if (g->is_swept) {
        group->of_a = memory->masses++;
        group->of_b = memory->masses++;
    }
}

static bool lanes_allocate_numbers(tni_gradients *g, size_t rows, tni_arena *arena) {
    size_t bodies = ((size_t)g->body_count + 1) * TNI_MOTION_FLOATS * sizeof(float);
    g->change = tni_arena_alloc_zeroed(arena, bodies);
    g->along = tni_arena_alloc_zeroed(arena, bodies);
    g->weights = tni_arena_alloc(arena, bodies);
    g->products = tni_arena_alloc(arena, 2 * bodies);
    bool has_all =
        g->change != NULL && g->along != NULL && g->weights != NULL && g->products != NULL;
    for (uint32_t i = 0; i < TNI_GRADIENT_VECTORS; ++i) {
        g->lane_vectors[i] = tni_arena_alloc(arena, rows * sizeof(tni_lanes));
        has_all = has_all && g->lane_vectors[i] != NULL;
    }
    return has_all;
}

bool tni_gradient_lanes_pack(const tni_solver *solver, tni_gradients *g, tni_arena *arena) {
    tni_lanes_members *all = tni_arena_alloc(arena, g->count * sizeof *all);
    lanes_memory memory;
    if (all == NULL) {
        return false;
    }
    g->lanes_count = lanes_gather(solver, g, all);
    g->lanes = tni_arena_alloc_zeroed(arena, g->lanes_count * sizeof *g->lanes);
    if (g->lanes == NULL || !lanes_allocate(g, all, arena, &memory)) {
        return false;
    }
    uint32_t rows = 0;
    g->grouped_count = 0;
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        g->lanes[i].members = all[i];
        g->lanes[i].first_row = rows;
        rows += lanes_rows(all[i].kind);
        g->grouped_count += all[i].is_grouped ? 1 : 0;
        lanes_set_group(g, &memory, &g->lanes[i]);
    }
    return lanes_allocate_numbers(g, rows, arena);
}

void tni_gradient_lanes_load(const tni_solver *solver, tni_gradients *g) {
    if (!g->has_lanes) {
        WIDE_CALL(solver->uses_avx2, tni_lanes_load, solver, g);
    }
    g->has_lanes = true;
}

tni_pin_numbers tni_gradient_lanes_get_found(const tni_gradients *g,
                                             const tni_gradient_lanes *group, uint32_t lane) {
    const float *x = lanes_numbers(g, group).x + lane;
    const uint32_t n = TNI_GRADIENT_LANES;
    tni_pin_numbers found = {f4_make(x[0], x[n], x[2 * n], 0.0f), f4_zero()};
    float turn[3] = {0.0f};
    for (uint32_t k = 0; k < 3 && lanes_have_turns(group->members.kind); ++k) {
        for (uint32_t c = 0; c < 3; ++c) {
            turn[k] += group->turns->dual[3 * k + c].lane[lane] * x[(3 + c) * n];
        }
    }
    found.turn = f4_make(turn[0], turn[1], turn[2], 0.0f);
    return found;
}
