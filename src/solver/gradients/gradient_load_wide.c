// solver/gradients/gradient_load_wide.c: loads the rows of joints out of their blocks into lanes.
//
// solver/gradients/gradient_lanes.h says which number stands where. U^-T has the columns u_1 x u_2,
// u_2 x u_0 and u_0 x u_1 over the determinant of U. Test:
// tests/solver/gradients/test_gradient_lanes.c, tests/solver/gradients/test_conjugate_gradients.c
#include <float.h>

#include "solver/gradients/gradient_bodies.h"

// These are the blocks of a group; a lane without a joint has that of the first.
typedef struct load_blocks {
    const tni_joint_block *block[TNI_GRADIENT_LANES];
} load_blocks;

TNI_KERNEL void load_store(tni_lanes *out, tni_v8 v) {
    f8_store(out[0].lane, v.x);
    f8_store(out[1].lane, v.y);
    f8_store(out[2].lane, v.z);
}

// Stores the upper half of a symmetric matrix of columns.
TNI_KERNEL void load_store_sym3(tni_lanes *out, const tni_v8 column[3]) {
    f8_store(out[0].lane, column[0].x);
    f8_store(out[1].lane, column[1].y);
    f8_store(out[2].lane, column[2].z);
    f8_store(out[3].lane, column[1].x);
    f8_store(out[4].lane, column[2].x);
    f8_store(out[5].lane, column[2].y);
}

static void load_pins(const load_blocks *blocks, tni_gradient_lanes *group) {
    tni_f4 r_a[8], r_b[8], column[3][8];
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        const tni_pin_block *pin = blocks->block[i]->pin;
        r_a[i] = pin->r_a;
        r_b[i] = pin->r_b;
        for (uint32_t j = 0; j < 3; ++j) {
            column[j][i] = pin->inverse[j];
        }
    }
    tni_v8 inverse[3] = {lanes_turn(column[0]), lanes_turn(column[1]), lanes_turn(column[2])};
    load_store(group->points->r_a, lanes_turn(r_a));
    load_store(group->points->r_b, lanes_turn(r_b));
    load_store_sym3(group->points->inverse, inverse);
}

// Returns 1 / x where that is a number, else 0.
TNI_KERNEL tni_f8 load_invert(tni_f8 x) {
    tni_f8 one = f8_splat(1.0f);
    tni_m8 is_sound = f8_less(f8_splat(FLT_MIN), f8_abs(x));
    return f8_pick(is_sound, f8_div(one, f8_pick(is_sound, x, one)), f8_zero());
}

static void load_store_axes(const tni_v8 axis[3], const tni_v8 dual[3], tni_lanes_turns *turns) {
    for (uint32_t k = 0; k < 3; ++k) {
        load_store(turns->axis + 3 * k, axis[k]);
        load_store(turns->dual + 3 * k, dual[k]);
    }
}

// Loads the axes of `count` turns and U^-T; those of turns that are not there are zero.
TNI_KERNEL void load_axes(const load_blocks *blocks, uint32_t count, tni_v8 axis[3],
                          tni_lanes_turns *turns) {
    tni_f4 row[3][8];
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        const tni_pin_turns *own = blocks->block[i]->pin->turns;
        for (uint32_t c = 0; c < 3; ++c) {
            row[c][i] = own->axis[c];
        }
    }
    tni_v8 x = lanes_turn(row[0]), y = lanes_turn(row[1]), z = lanes_turn(row[2]);
    axis[0] = (tni_v8){x.x, y.x, z.x};
    axis[1] = (tni_v8){x.y, y.y, z.y};
    axis[2] = (tni_v8){x.z, y.z, z.z};
    if (count == 1) {
        tni_f8 square = v8_dot(axis[0], axis[0]);
        const tni_v8 alone[3] = {v8_scale(load_invert(square), axis[0]), v8_zero(), v8_zero()};
        load_store_axes(axis, alone, turns);
        return;
    }
    tni_v8 across = v8_cross(axis[0], axis[1]);
    if (count == 2) {
        axis[2] = v8_scale(load_invert(f8_sqrt(v8_dot(across, across))), across);
    }
    tni_v8 dual[3] = {v8_cross(axis[1], axis[2]), v8_cross(axis[2], axis[0]), across};
    tni_f8 scale = load_invert(v8_dot(axis[0], dual[0]));
    for (uint32_t k = 0; k < 3; ++k) {
        dual[k] = k < count ? v8_scale(scale, dual[k]) : v8_zero();
    }
    load_store_axes(axis, dual, turns);
}

static void load_turns(const load_blocks *blocks, uint32_t count, tni_lanes_turns *turns) {
    tni_f4 zero = f4_splat(0.0f);
    tni_v8 axis[3], own[3], mixed[3], sum[3], row[3];
    load_axes(blocks, count, axis, turns);
    for (uint32_t k = 0; k < 3; ++k) {
        tni_f4 inverse[8], to_point[8];
        for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
            const tni_pin_turns *own_turns = blocks->block[i]->pin->turns;
            // Turns that are not there keep the numbers from before.
            inverse[i] = k < count ? own_turns->inverse[k] : zero;
            to_point[i] = k < count ? own_turns->to_point[k] : zero;
        }
        own[k] = lanes_turn(inverse);
        mixed[k] = lanes_turn(to_point);
        row[k] = sum[k] = v8_zero();
    }
    // These are the columns of U S^-1 U^T, and the rows of the point's block times U^T.
    for (uint32_t k = 0; k < 3; ++k) {
        tni_v8 turned = v8_scale(own[k].x, axis[0]);
        turned = v8_add_scaled(turned, own[k].y, axis[1]);
        turned = v8_add_scaled(turned, own[k].z, axis[2]);
        sum[0] = v8_add_scaled(sum[0], axis[k].x, turned);
        sum[1] = v8_add_scaled(sum[1], axis[k].y, turned);
        sum[2] = v8_add_scaled(sum[2], axis[k].z, turned);
        row[0] = v8_add_scaled(row[0], mixed[k].x, axis[k]);
        row[1] = v8_add_scaled(row[1], mixed[k].y, axis[k]);
        row[2] = v8_add_scaled(row[2], mixed[k].z, axis[k]);
    }
    load_store_sym3(turns->inverse, sum);
    for (uint32_t j = 0; j < 3; ++j) {
        load_store(turns->coupling + 3 * j, row[j]);
    }
}

static void load_rows(const load_blocks *blocks, tni_gradient_lanes *group) {
    tni_v8 column[15];
    for (uint32_t c = 0; c < 15; ++c) {
        tni_f4 each[8];
        for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
            each[i] = f4_load(blocks->block[i]->equality + 4 * c);
        }
        column[c] = lanes_turn(each);
    }
    for (uint32_t c = 0; c < 12; ++c) {
        load_store(group->jacobian + 3 * c, column[c]);
    }
    load_store_sym3(group->points->inverse, column + 12);
}

static void load_masses(const tni_solver *solver, const uint32_t *body, tni_lanes_masses *masses) {
    tni_wide_body own = wide_body_load(solver->bodies.states, body);
    const tni_s8 *m = &own.inv_inertia;
    const tni_f8 numbers[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz};
    load_store(masses->mass, own.inv_mass);
    for (uint32_t i = 0; i < 6; ++i) {
        f8_store(masses->inertia[i].lane, numbers[i]);
    }
}

// Is some row far off? This is written so that a NaN is far.
static bool load_is_far(const tni_solver *solver, const tni_joint_block *block) {
    bool is_far = false;
    for (uint32_t r = 0; r < block->equality_count && block->point_rows == 0; ++r) {
        is_far |=
            !(fabsf(solver->joints.rows[block->first_row + r].error) <= TNI_GRADIENTS_FARTHEST);
    }
    if (block->point_rows > 0) {
        tni_f4 most = f4_splat(TNI_GRADIENTS_FARTHEST), far = f4_splat(1.0f), near = f4_zero();
        tni_f4 sum = f4_pick(f4_less(f4_abs(block->pin->error), most), near, far);
        if (block->turns > 0) {
            tni_f4 error = block->pin->turns->error;
            error = block->turns > 2 ? error : f4_set_lane(error, 2, 0.0f);
            sum = f4_add(sum, f4_pick(f4_less(f4_abs(error), most), near, far));
        }
        is_far = f4_sum3(sum) > 0.0f;
    }
    return is_far;
}

// Loads from another group, which has the rows. The joints are as soft as the mechanism; lanes
// without a joint have K^-1 = 0.
static void load_grouped(tni_gradients *g, tni_gradient_lanes *group) {
    tni_softness soft = g->state.is_soft ? g->sweep_softness : g->softness;
    float gamma = soft.impulse_scale * maths_inverse_or_zero(soft.mass_scale);
    f8_store(group->mass_scale.lane, f8_splat(soft.mass_scale));
    f8_store(group->impulse_scale.lane, f8_splat(soft.impulse_scale));
    f8_store(group->gamma.lane, f8_splat(gamma));
    tni_f8 most = f8_splat(TNI_GRADIENTS_FARTHEST), near = f8_zero(), far = f8_splat(1.0f);
    for (uint32_t i = 0; i < 3; ++i) {
        near = f8_pick(f8_less(f8_abs(f8_load(group->rest->error.n[i])), most), near, far);
    }
    g->is_far = g->is_far || m8_any(f8_less(f8_zero(), near));
}

// Loads the softness of a lane; one without a joint has no scale.
static void load_softness(tni_gradient_lanes *group, uint32_t lane, const tni_softness *softness) {
    bool is_used = lane < group->members.count;
    float mass_scale = is_used ? softness->mass_scale : 0.0f;
    float impulse_scale = is_used ? softness->impulse_scale : 0.0f;
    group->mass_scale.lane[lane] = mass_scale;
    group->impulse_scale.lane[lane] = impulse_scale;
    group->gamma.lane[lane] = impulse_scale * maths_inverse_or_zero(mass_scale);
}

static void load_blocks_of(const tni_solver *solver, tni_gradients *g, tni_gradient_lanes *group) {
    const tni_lanes_members *members = &group->members;
    load_blocks blocks;
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        const tni_joint_block *block = lanes_block(solver, g, group, i);
        load_softness(group, i, &block->softness);
        g->is_far = g->is_far || load_is_far(solver, block);
        blocks.block[i] = block;
    }
    if (members->kind == TNI_LANES_ROWS) {
        load_rows(&blocks, group);
    } else {
        load_pins(&blocks, group);
    }
    if (lanes_have_turns(members->kind)) {
        load_turns(&blocks, blocks.block[0]->turns, group->turns);
    }
}

static void load_group(const tni_solver *solver, tni_gradients *g, tni_gradient_lanes *group) {
    if (group->group != NULL) {
        load_grouped(g, group);
    } else {
        load_blocks_of(solver, g, group);
    }
    if (g->state.is_swept) {
        load_masses(solver, group->members.body_a, group->of_a);
        load_masses(solver, group->members.body_b, group->of_b);
    }
}

// Loads W by body.
static void load_weights(const tni_solver *solver, tni_gradients *g) {
    g->has_products = false;
    for (uint32_t k = 1; k <= g->body_count; ++k) {
        const tni_body_state *state = &solver->bodies.states[g->bodies[k - 1]];
        tni_sym3 m = state->inv_inertia;
        float *weights = g->weights + (size_t)TNI_MOTION_FLOATS * k;
        vec3s mass = state->inv_mass;
        f4_store(weights, f4_make(mass.x, mass.y, mass.z, 0.0f));
        f4_store(weights + 4, f4_make(m.xx, m.yy, m.zz, 0.0f));
        g->has_products |= m.xy != 0.0f || m.xz != 0.0f || m.yz != 0.0f;
    }
    for (uint32_t k = 1; k <= g->body_count && g->has_products; ++k) {
        tni_sym3 m = solver->bodies.states[g->bodies[k - 1]].inv_inertia;
        float *products = g->products + (size_t)TNI_MOTION_FLOATS * 2 * k;
        f8_store(products, f8_join(f4_zero(), f4_make(m.xy, m.yz, m.xz, 0.0f)));
        f8_store(products + TNI_MOTION_FLOATS, f8_join(f4_zero(), f4_make(m.xz, m.xy, m.yz, 0.0f)));
    }
}

void WIDE_NAME(tni_lanes_load)(const tni_solver *solver, tni_gradients *g) {
    g->is_far = false;
    load_weights(solver, g);
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        load_group(solver, g, &g->lanes[i]);
    }
}
