// solver/gradient_lanes.c: joints into groups of four, their rows into lanes, impulses back.
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

// ---- groups -----------------------------------------------------------------------------------

static tni_lanes_kind lanes_get_kind(const tni_joint_block *block) {
    if (block->point_rows == 0) {
        return TNI_LANES_ROWS;
    }
    return block->turns > 0 ? TNI_LANES_FRAME : TNI_LANES_POINT;
}

static bool lanes_have_body(const tni_lanes_members *members, uint32_t body) {
    for (uint32_t i = 0; i < members->count; ++i) {
        if (members->body_a[i] == body || members->body_b[i] == body) {
            return true;
        }
    }
    return false;
}

static bool lanes_take(const tni_solver *solver, const tni_lanes_members *members,
                       const tni_joint_block *block) {
    return members->count < TNI_GRADIENT_LANES && members->kind == lanes_get_kind(block) &&
           !(solver->masses[block->body_a].is_dynamic && lanes_have_body(members, block->body_a)) &&
           !(solver->masses[block->body_b].is_dynamic && lanes_have_body(members, block->body_b));
}

// Into which group a joint goes; `count` where that is a new one.
static uint32_t lanes_choose(const tni_solver *solver, const tni_lanes_members *all, uint32_t count,
                             const tni_joint_block *block) {
    uint32_t i = count > LANES_OPEN ? count - LANES_OPEN : 0;
    while (i < count && !lanes_take(solver, &all[i], block)) {
        ++i;
    }
    return i;
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
        uint32_t chosen = lanes_choose(solver, all, count, block);
        tni_lanes_members *members = &all[chosen];
        if (chosen == count) {
            ++count;
            *members = (tni_lanes_members){.joint = {i, i, i, i}, .kind = lanes_get_kind(block)};
        }
        members->body_a[members->count] = block->body_a;
        members->body_b[members->count] = block->body_b;
        members->joint[members->count++] = i;
    }
    return count;
}

bool tni_gradient_lanes_pack(const tni_solver *solver, tni_gradients *g, tni_arena *arena) {
    tni_lanes_members *all = tni_arena_alloc(arena, g->count * sizeof *all);
    if (all == NULL) {
        return false;
    }
    g->lanes_count = lanes_gather(solver, g, all);
    g->lanes = tni_arena_alloc(arena, g->lanes_count * sizeof *g->lanes);
    if (g->lanes == NULL) {
        return false;
    }
    size_t rows = 0;
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        g->lanes[i].members = all[i];
        g->lanes[i].first_row = (uint32_t)rows;
        rows += lanes_rows(all[i].kind);
    }
    for (uint32_t i = 0; i < TNI_GRADIENT_VECTORS; ++i) {
        g->lane_vectors[i] = tni_arena_alloc(arena, rows * sizeof(tni_f4));
        if (g->lane_vectors[i] == NULL) {
            return false;
        }
    }
    return true;
}

// ---- rows -------------------------------------------------------------------------------------

// The upper half of symmetric matrices of columns in lanes, scaled.
static inline void lanes_set_sym3(tni_f4 c[3][3], tni_f4 scale, tni_lanes_sym3 *out) {
    const uint32_t place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}, {2, 1}};
    for (uint32_t i = 0; i < 6; ++i) {
        out->m[i] = f4_mul(scale, c[place[i][0]][place[i][1]]);
    }
}

static void lanes_load_pins(const tni_joint_block *const block[4], tni_f4 scale,
                            tni_gradient_lanes *group) {
    const tni_pin_block *p = block[0]->pin, *q = block[1]->pin;
    const tni_pin_block *r = block[2]->pin, *s = block[3]->pin;
    tni_f4 column[3][3];
    lanes_turn(p->r_a, q->r_a, r->r_a, s->r_a, group->r_a);
    lanes_turn(p->r_b, q->r_b, r->r_b, s->r_b, group->r_b);
    for (uint32_t j = 0; j < 3; ++j) {
        lanes_turn(p->inverse[j], q->inverse[j], r->inverse[j], s->inverse[j], column[j]);
    }
    lanes_set_sym3(column, scale, &group->inverse);
}

// Of a joint with two turns the third is whatever was there before.
static inline tni_f4 lanes_turn_column(const tni_joint_block *block, uint32_t k,
                                       const tni_f4 *columns) {
    return k < block->turns ? columns[k] : f4_splat(0.0f);
}

static void lanes_load_turns(const tni_joint_block *const block[4], tni_f4 scale,
                             tni_lanes_turns *turns) {
    tni_f4 inverse[3][3];
    for (uint32_t k = 0; k < 3; ++k) {
        tni_f4 part[4], coupling[4], own[3];
        for (uint32_t i = 0; i < 4; ++i) {
            part[i] = lanes_turn_column(block[i], k, block[i]->pin->turns->inverse);
            coupling[i] = lanes_turn_column(block[i], k, block[i]->pin->turns->to_point);
        }
        lanes_turn(part[0], part[1], part[2], part[3], inverse[k]);
        lanes_turn(coupling[0], coupling[1], coupling[2], coupling[3], own);
        for (uint32_t j = 0; j < 3; ++j) {
            turns->coupling[j][k] = f4_mul(scale, own[j]);
        }
        lanes_turn(block[0]->pin->turns->axis[k], block[1]->pin->turns->axis[k],
                   block[2]->pin->turns->axis[k], block[3]->pin->turns->axis[k], turns->axis[k]);
    }
    lanes_set_sym3(inverse, scale, &turns->inverse);
}

static void lanes_load_rows(const tni_joint_block *const block[4], tni_f4 scale,
                            tni_gradient_lanes *group) {
    const float *p = block[0]->equality, *q = block[1]->equality;
    const float *r = block[2]->equality, *s = block[3]->equality;
    for (uint32_t c = 0; c < 12; ++c) {
        lanes_turn(f4_load(p + 4 * c), f4_load(q + 4 * c), f4_load(r + 4 * c), f4_load(s + 4 * c),
                   group->jacobian[c]);
    }
    tni_f4 column[3][3];
    for (uint32_t j = 0; j < 3; ++j) {
        uint32_t at = 4 * (12 + j);
        lanes_turn(f4_load(p + at), f4_load(q + at), f4_load(r + at), f4_load(s + at), column[j]);
    }
    lanes_set_sym3(column, scale, &group->inverse);
}

// W of four bodies.
static void lanes_load_masses(const tni_solver *solver, const uint32_t body[4],
                              tni_lanes_masses *masses) {
    tni_f4 first[4], second[4];
    float last[4];
    for (uint32_t i = 0; i < 4; ++i) {
        const float *numbers = solver->states[body[i]].numbers;
        first[i] = f4_load(numbers + TNI_STATE_INV_MASS);
        second[i] = f4_load(numbers + TNI_STATE_INV_INERTIA + 1);
        last[i] = numbers[TNI_STATE_INV_INERTIA + 5];
    }
    f4_transpose(&first[0], &first[1], &first[2], &first[3]);
    f4_transpose(&second[0], &second[1], &second[2], &second[3]);
    tni_f4 *m = masses->inertia.m;
    for (uint32_t c = 0; c < 3; ++c) {
        masses->mass[c] = first[c];
    }
    m[0] = first[3];
    for (uint32_t c = 0; c < 4; ++c) {
        m[1 + c] = second[c];
    }
    m[5] = f4_load(last);
}

static void lanes_load_group(const tni_solver *solver, const tni_gradients *g,
                             tni_gradient_lanes *group) {
    const tni_lanes_members *members = &group->members;
    const tni_joint_block *block[4];
    float mass_scale[4] = {0.0f}, impulse_scale[4] = {0.0f}, gamma[4] = {0.0f};
    for (uint32_t i = 0; i < 4; ++i) {
        block[i] = &solver->joints[g->first + members->joint[i]];
        if (i < members->count) {
            mass_scale[i] = block[i]->softness.mass_scale;
            impulse_scale[i] = block[i]->softness.impulse_scale;
            gamma[i] = impulse_scale[i] * maths_inverse_or_zero(mass_scale[i]);
        }
    }
    tni_f4 scale = f4_load(mass_scale);
    group->impulse_scale = f4_load(impulse_scale);
    group->gamma = f4_load(gamma);
    if (members->kind == TNI_LANES_ROWS) {
        lanes_load_rows(block, scale, group);
    } else {
        lanes_load_pins(block, scale, group);
    }
    if (members->kind == TNI_LANES_FRAME) {
        lanes_load_turns(block, scale, &group->turns);
    }
    lanes_load_masses(solver, members->body_a, &group->of_a);
    lanes_load_masses(solver, members->body_b, &group->of_b);
}

void tni_gradient_lanes_load(const tni_solver *solver, tni_gradients *g) {
    for (uint32_t i = 0; i < g->lanes_count && !g->has_lanes; ++i) {
        lanes_load_group(solver, g, &g->lanes[i]);
    }
    g->has_lanes = true;
}
