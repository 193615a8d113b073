// solver/contact_rows.h: the rows of a contact block on velocities, shared by contacts and impacts.
//
// Inline, because they are the innermost loops: see contact_block.c for the maths.
#ifndef TNI_SOLVER_CONTACT_ROWS_H
#define TNI_SOLVER_CONTACT_ROWS_H

#include "core/lanes.h"
#include "solver/solver.h"

// Six numbers of a body, a velocity or a displacement, in the lanes of tni_body_state: along x, y
// and z, about x, y and z. The fourth lanes stay as they are.
typedef struct contact_motion {
    tni_f4 low, high;
} contact_motion;

TNI_FORCE_INLINE contact_motion contact_get_velocity(const tni_body_state *state) {
    contact_motion m = {f4_load_aligned(state->numbers),
                        f4_load_aligned(state->numbers + TNI_STATE_W)};
    return m;
}

TNI_FORCE_INLINE void contact_set_velocity(tni_body_state *state, contact_motion m) {
    f4_store_aligned(state->numbers, m.low);
    f4_store_aligned(state->numbers + TNI_STATE_W, m.high);
}

TNI_FORCE_INLINE contact_motion contact_get_delta(const tni_body_delta *delta) {
    const float *numbers = (const float *)delta;
    contact_motion m = {f4_load(numbers), f4_drop_first(f4_load(numbers + 2))};
    return m;
}

// turn·w in each lane.
TNI_FORCE_INLINE tni_f4 contact_turn_speeds(const tni_contact_lanes *turn, contact_motion m) {
    tni_f4 sum = f4_mul(f4_load_aligned(turn->x), f4_splat_lane(m.high, 0));
    sum = f4_add_product(sum, f4_load_aligned(turn->y), f4_splat_lane(m.high, 1));
    return f4_add_product(sum, f4_load_aligned(turn->z), f4_splat_lane(m.high, 2));
}

// n·(linear_b - linear_a) + turn_b·angular_b - turn_a·angular_a, for all lanes.
TNI_FORCE_INLINE tni_f4 contact_rows(const tni_contact_block *block, contact_motion a,
                                     contact_motion b) {
    tni_f4 common = f4_mul(f4_load_aligned(block->normal), f4_sub(b.low, a.low));
    tni_f4 turning =
        f4_sub(contact_turn_speeds(&block->turn_b, b), contact_turn_speeds(&block->turn_a, a));
    return f4_add(f4_sum_splat(common), turning);
}

// The same for the rows of friction: along t1, along t2, twist, 0.
TNI_FORCE_INLINE tni_f4 contact_tangent_rows(const tni_contact_block *block, contact_motion a,
                                             contact_motion b) {
    tni_f4 between = f4_sub(b.low, a.low);
    tni_f4 common = f4_sums_of_two(f4_mul(f4_load_aligned(block->tangent[0]), between),
                                   f4_mul(f4_load_aligned(block->tangent[1]), between));
    tni_f4 turning = f4_sub(contact_turn_speeds(&block->tangent_turn_b, b),
                            contact_turn_speeds(&block->tangent_turn_a, a));
    return f4_add(common, turning);
}

// The separations of the points after the displacement since the manifold was made, m.
TNI_FORCE_INLINE tni_f4 contact_separations(const tni_solver *solver,
                                            const tni_contact_block *block) {
    contact_motion a = contact_get_delta(&solver->deltas[block->body_a]);
    contact_motion b = contact_get_delta(&solver->deltas[block->body_b]);
    return f4_add(contact_rows(block, a, b), f4_load_aligned(block->separation));
}

// ---- W J^T x ----------------------------------------------------------------------------------

// A change of velocity from its linear and its angular part.
TNI_FORCE_INLINE contact_motion contact_join(tni_f4 linear, tni_f4 angular) {
    contact_motion m = {linear, angular};
    return m;
}

TNI_FORCE_INLINE contact_motion contact_add(contact_motion a, contact_motion b) {
    contact_motion m = {f4_add(a.low, b.low), f4_add(a.high, b.high)};
    return m;
}

// A change of the angular velocity alone.
TNI_FORCE_INLINE contact_motion contact_turn(vec3s w) {
    const float row[4] = {w.x, w.y, w.z, 0.0f};
    return contact_join(f4_zero(), f4_load(row));
}

TNI_FORCE_INLINE contact_motion contact_subtract(contact_motion a, contact_motion b) {
    contact_motion m = {f4_sub(a.low, b.low), f4_sub(a.high, b.high)};
    return m;
}

TNI_FORCE_INLINE void contact_add_to(float numbers[8], contact_motion m) {
    f4_store_aligned(numbers, f4_add(f4_load_aligned(numbers), m.low));
    f4_store_aligned(numbers + 4, f4_add(f4_load_aligned(numbers + 4), m.high));
}

TNI_FORCE_INLINE void contact_take_from(float numbers[8], contact_motion m) {
    f4_store_aligned(numbers, f4_sub(f4_load_aligned(numbers), m.low));
    f4_store_aligned(numbers + 4, f4_sub(f4_load_aligned(numbers + 4), m.high));
}

// What impulses along the normal at the points change: to be taken from a and added to b.
typedef struct contact_changes {
    contact_motion a, b;
} contact_changes;

TNI_FORCE_INLINE tni_f4 contact_inv_mass(const tni_body_state *state) {
    return f4_load(&state->inv_mass.x); // the fourth lane meets a zero
}

TNI_FORCE_INLINE tni_f4 contact_weigh_spins(const tni_contact_spins *spin, tni_f4 x) {
    tni_f4 low = f4_mul(f4_load_aligned(spin->row[0]), f4_splat_lane(x, 0));
    tni_f4 high = f4_mul(f4_load_aligned(spin->row[2]), f4_splat_lane(x, 2));
    low = f4_add_product(low, f4_load_aligned(spin->row[1]), f4_splat_lane(x, 1));
    high = f4_add_product(high, f4_load_aligned(spin->row[3]), f4_splat_lane(x, 3));
    return f4_add(low, high);
}

TNI_FORCE_INLINE contact_changes contact_normal_changes(const tni_contact_block *block,
                                                        const tni_body_state *a,
                                                        const tni_body_state *b, tni_f4 x) {
    tni_f4 push = f4_mul(f4_load_aligned(block->normal), f4_sum_splat(x));
    contact_changes changes = {
        contact_join(f4_mul(contact_inv_mass(a), push), contact_weigh_spins(&block->spin_a, x)),
        contact_join(f4_mul(contact_inv_mass(b), push), contact_weigh_spins(&block->spin_b, x))};
    return changes;
}

TNI_FORCE_INLINE tni_f4 contact_weigh_tangent_spins(const tni_contact_spins *spin, tni_f4 x) {
    tni_f4 sum = f4_mul(f4_load_aligned(spin->row[0]), f4_splat_lane(x, 0));
    sum = f4_add_product(sum, f4_load_aligned(spin->row[1]), f4_splat_lane(x, 1));
    return f4_add_product(sum, f4_load_aligned(spin->row[2]), f4_splat_lane(x, 2));
}

// The same for impulses of the rows of friction.
TNI_FORCE_INLINE contact_changes contact_tangent_changes(const tni_contact_block *block,
                                                         const tni_body_state *a,
                                                         const tni_body_state *b, tni_f4 x) {
    tni_f4 push = f4_mul(f4_load_aligned(block->tangent[0]), f4_splat_lane(x, 0));
    push = f4_add_product(push, f4_load_aligned(block->tangent[1]), f4_splat_lane(x, 1));
    contact_changes changes = {
        contact_join(f4_mul(contact_inv_mass(a), push),
                     contact_weigh_tangent_spins(&block->tangent_spin_a, x)),
        contact_join(f4_mul(contact_inv_mass(b), push),
                     contact_weigh_tangent_spins(&block->tangent_spin_b, x))};
    return changes;
}

// ---- friction ---------------------------------------------------------------------------------

// What would bring the rows of friction to rest: M v with the 2x2 matrix of the two tangents.
TNI_FORCE_INLINE tni_f4 contact_tangent_impulse(const tni_contact_block *block, tni_f4 speeds) {
    return f4_add_product(f4_mul(f4_load_aligned(block->tangent_mass), speeds),
                          f4_load_aligned(block->tangent_coupling), f4_swap_inner(speeds));
}

// The nearest impulse inside the cone of the given radius; other lanes stay.
TNI_FORCE_INLINE tni_f4 contact_clamp_cone(tni_f4 x, float cap) {
    tni_f4 squares = f4_mul(x, x);
    float square = f4_first(squares) + f4_lane(squares, 1);
    if (square > cap * cap) {
        float scale = cap / sqrtf(square);
        const float scales[4] = {scale, scale, 1.0f, 1.0f};
        return f4_mul(x, f4_load(scales));
    }
    return x;
}

#endif
