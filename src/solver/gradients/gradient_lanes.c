// solver/gradients/gradient_lanes.c: joints are put into groups of eight.
//
// See solver/gradients/gradient_lanes.h. Groups are filled in the order of the joints: a joint
// joins the first of the last few groups that has room and none of its bodies. So neighbours stay
// near in memory, and a sweep keeps about the order of the blocks, which converges better than
// colour by colour (lattices of welds: a seventh fewer iterations). Test:
// tests/solver/gradients/test_gradient_lanes.c
#include "solver/gradients/gradient_lanes.h"

#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

// A joint may join one of this many groups.
#define LANES_OPEN 8
// Up to this many joints gain nothing by groups of solver/joints/joint_group.h.
#define LANES_LEAST_GROUPED 64

// ---- groups -----------------------------------------------------------------------------------

static tni_lanes_kind lanes_get_kind(const tni_joint_block *block) {
    if (block->point_rows == 0) {
        return TNI_LANES_ROWS;
    }
    const tni_lanes_kind kinds[4] = {TNI_LANES_POINT, TNI_LANES_UNIVERSAL, TNI_LANES_HINGE,
                                     TNI_LANES_FRAME};
    return kinds[block->turns];
}

// May the joint stand in a group of solver/joints/joint_group.h? Arms of joints that end at the
// world reach from its origin, too far for float.
static bool lanes_are_grouped(const tni_gradients *g, const tni_joint_block *block) {
    return g->count > LANES_LEAST_GROUPED && g->bounded_count == 0 &&
           block->point_rows == TNI_PIN_POINT_ROWS && block->turns == 0 && block->body_a != 0 &&
           block->body_b != 0 && !tni_joint_is_soft(block->joint);
}

// Says which of the last groups have a body: bit k is the one before the last by k, when there
// were `count`.
typedef struct lanes_uses {
    uint32_t count, bits;
} lanes_uses;

typedef struct lanes_plan {
    tni_lanes_members *members;
    uint32_t count;
    lanes_uses *uses; // by body of the mechanism; of the first, which does not move, none
} lanes_plan;

static uint32_t lanes_get_uses(const lanes_plan *plan, uint32_t body) {
    uint32_t passed = plan->count - plan->uses[body].count;
    return passed < LANES_OPEN ? plan->uses[body].bits << passed : 0;
}

static void lanes_use(lanes_plan *plan, uint32_t body, uint32_t group) {
    if (body != 0) {
        uint32_t bits = lanes_get_uses(plan, body) | 1u << (plan->count - 1 - group);
        plan->uses[body] = (lanes_uses){plan->count, bits};
    }
}

// Returns the group into which a joint between these bodies goes; `count` where that is a new one.
static uint32_t lanes_choose(const lanes_plan *plan, tni_lanes_kind kind, bool is_grouped,
                             uint32_t own_a, uint32_t own_b) {
    uint32_t uses = lanes_get_uses(plan, own_a) | lanes_get_uses(plan, own_b);
    uint32_t i = plan->count > LANES_OPEN ? plan->count - LANES_OPEN : 0;
    for (; i < plan->count; ++i) {
        const tni_lanes_members *members = &plan->members[i];
        if ((uses >> (plan->count - 1 - i) & 1u) == 0 && members->count < TNI_GRADIENT_LANES &&
            members->kind == kind && members->is_grouped == is_grouped) {
            break;
        }
    }
    return i;
}

static void lanes_open(tni_lanes_members *members, uint32_t joint, tni_lanes_kind kind,
                       bool is_grouped) {
    *members = (tni_lanes_members){.kind = kind, .is_grouped = is_grouped};
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        members->joint[i] = joint;
    }
}

static void lanes_add_joint(const tni_solver *solver, const tni_gradients *g, uint32_t joint,
                            lanes_plan *plan) {
    const tni_joint_block *block = &solver->joints.blocks[g->first + joint];
    uint32_t own_a = solver->gradients.bodies[block->body_a];
    uint32_t own_b = solver->gradients.bodies[block->body_b];
    tni_lanes_kind kind = lanes_get_kind(block);
    bool is_grouped = lanes_are_grouped(g, block);
    uint32_t chosen = lanes_choose(plan, kind, is_grouped, own_a, own_b);
    tni_lanes_members *members = &plan->members[chosen];
    if (chosen == plan->count) {
        plan->count += 1;
        lanes_open(members, joint, kind, is_grouped);
    }
    uint32_t lane = members->count++;
    members->body_a[lane] = block->body_a;
    members->body_b[lane] = block->body_b;
    members->own_a[lane] = own_a;
    members->own_b[lane] = own_b;
    members->joint[lane] = joint;
    lanes_use(plan, own_a, chosen);
    lanes_use(plan, own_b, chosen);
}

// These are the parts that a group has by its kind, from memory for all groups.
typedef struct lanes_memory {
    tni_lanes_turns *turns;
    tni_lanes *jacobians;
    tni_lanes_masses *masses;
    tni_lanes_points *points;
} lanes_memory;

#define LANES_JACOBIAN 36 // numbers of three rows

static bool lanes_allocate(const tni_gradients *g, const tni_lanes_members *all, tni_arena *arena,
                           lanes_memory *memory) {
    size_t frames = 0, rows = 0, points = 0,
           swept = g->state.is_swept ? 2 * (size_t)g->lanes_count : 0;
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        frames += lanes_have_turns(all[i].kind) ? 1 : 0;
        rows += all[i].kind == TNI_LANES_ROWS ? 1 : 0;
        points += all[i].is_grouped ? 0 : 1;
    }
    memory->turns = tni_arena_alloc(arena, frames * sizeof *memory->turns);
    memory->jacobians = tni_arena_alloc(arena, rows * LANES_JACOBIAN * sizeof(tni_lanes));
    memory->masses = tni_arena_alloc(arena, swept * sizeof *memory->masses);
    memory->points = tni_arena_alloc(arena, points * sizeof *memory->points);
    return memory->turns != NULL && memory->jacobians != NULL && memory->masses != NULL &&
           memory->points != NULL;
}

static void lanes_set_group(const tni_gradients *g, lanes_memory *memory,
                            tni_gradient_lanes *group) {
    group->group = NULL;
    group->rest = NULL;
    group->turns = NULL;
    group->jacobian = NULL;
    group->points = NULL;
    group->of_a = group->of_b = NULL;
    if (!group->members.is_grouped) {
        group->points = memory->points++;
        group->r_a = group->points->r_a[0].lane;
        group->r_b = group->points->r_b[0].lane;
        group->inverse = group->points->inverse[0].lane;
    }
    if (lanes_have_turns(group->members.kind)) {
        group->turns = memory->turns++;
    } else if (group->members.kind == TNI_LANES_ROWS) {
        group->jacobian = memory->jacobians;
        memory->jacobians += LANES_JACOBIAN;
    }
    if (g->state.is_swept) {
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

// Returns a bound of a body's inverse inertia, whichever way it turns.
static float lanes_get_turnable(const tni_body_mass *mass) {
    const tni_inertia *inertia = mass->inertia;
    double most = maths_max_d(1.0, maths_max_d(1.0 + inertia->rate_j, 1.0 + inertia->rate_k));
    return mass->is_dynamic ? (float)(inertia->inverse * most) : 0.0f;
}

static void lanes_set_turnable(const tni_solver *solver, tni_gradient_lanes *group) {
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        float of_a = lanes_get_turnable(&solver->bodies.masses[group->members.body_a[i]]);
        float of_b = lanes_get_turnable(&solver->bodies.masses[group->members.body_b[i]]);
        group->turnable.lane[i] = maths_max(of_a, of_b);
    }
}

bool tni_gradient_lanes_pack(const tni_solver *solver, tni_gradients *g, tni_arena *arena) {
    lanes_plan plan = {
        .members = tni_arena_alloc(arena, g->count * sizeof *plan.members),
        .uses = tni_arena_alloc_zeroed(arena, ((size_t)g->body_count + 1) * sizeof *plan.uses)};
    lanes_memory memory;
    if (plan.members == NULL || plan.uses == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < g->count; ++i) {
        if (solver->joints.blocks[g->first + i].equality_count > 0) {
            lanes_add_joint(solver, g, i, &plan);
        }
    }
    g->lanes_count = plan.count;
    g->lanes = tni_arena_alloc(arena, plan.count * sizeof *g->lanes);
    if (g->lanes == NULL || !lanes_allocate(g, plan.members, arena, &memory)) {
        return false;
    }
    uint32_t rows = 0;
    g->grouped_count = 0;
    for (uint32_t i = 0; i < plan.count; ++i) {
        tni_gradient_lanes *group = &g->lanes[i];
        group->members = plan.members[i];
        group->first_row = rows;
        rows += lanes_rows(group->members.kind);
        g->grouped_count += group->members.is_grouped ? 1 : 0;
        lanes_set_group(g, &memory, group);
        lanes_set_turnable(solver, group);
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
