// solver/contact_block.c: contacts under projected Gauss-Seidel.
//
// Per point i, with n from a to b and r the arms from the centres of mass:
//     J v = n·(v_b + w_b x r_b - v_a - w_a x r_a)
//         = n·(v_b - v_a) + (r_b x n)·w_b - (r_a x n)·w_a
//     s   = separation + J (displacement since the manifold was made)
//     s > 0:  J v >= -s/h (speculative: may close the gap, no more); in solve B only where solve A
//             pushed, so that what will hit in a later substep is not slowed before it
//     s <= 0: J v + rate (s + slop) + gamma x >= 0, at most max_speed; in solve B: J v >= 0
// The points of a manifold couple most strongly with each other, so they are solved together. Where
// all are closed, x - K^-1 (J v + bias) with K = J W J^T is tried first, and taken if no impulse
// comes out negative: the usual case of a box at rest. Otherwise the points are swept on their
// small matrix. Four points in a plane say one thing twice; a share of the diagonal keeps K
// invertible, and because the update is driven by J v alone, it leaves that spare direction of x as
// it is. Friction is one vector per manifold, in the tangent plane at the middle of the points,
// inside the true cone |x_t| <= friction * sum x_n, solved with its 2x2 mass. Twisting is bounded
// by (friction * patch radius + twisting_resistance) * sum x_n, rolling by rolling_resistance * sum
// x_n. In solve A friction comes first and the normals last, for they matter more. Its softness
// lets normal impulses fall below what bears the load, and solve B restores them: there friction
// comes last, so that its bound is that of the full load. Arms and normal stay those of the step's
// start; the separation follows the bodies' displacement to first order.
//
// Half of the last substep's impulses is added in each kick. The blocks hold the sum T of a
// substep from its start on: first the last substep's T = 2 H, to which the solves add their
// changes. So the impulse itself is T - H in solve A, and T in solve B. What T does to each body is
// summed along with it; so a kick is a pass over the bodies and not over the contacts.
//
// A contact that is only near has an open gate. A bound says whether its gap may close within the
// substep (solve A) or has closed (solve B): until then no row of it can act, and it is passed
// over. Sources: E. Catto, "Iterative dynamics with temporal coherence", 2005; M. Anitescu, F.
// Potra, "Formulating dynamic multi-rigid-body contact problems", 1997 (velocity-level
// complementarity).
#include "solver/contact_rows.h"

// Sweeps over the points of one manifold when the direct solution does not hold.
#define CONTACT_INNER_SWEEPS 2

// What a sweep has in common for all contacts.
typedef struct contact_phase {
    tni_f4 inv_h, slop, max_speed; // the last negative
    // Of contacts between moving bodies, and with static ones.
    tni_f4 rate[2], mass_scale[2], impulse_scale[2];
    bool is_first; // of its phase
} contact_phase;

// ---- gates ------------------------------------------------------------------------------------

// True while no point can close its gap: at the end of the substep, or now.
TNI_FORCE_INLINE bool contact_stays_open(const tni_solver *solver, const tni_contact_gate *gate,
                                         bool use_bias) {
    const float *delta_a = (const float *)&solver->deltas[gate->body_a];
    const float *delta_b = (const float *)&solver->deltas[gate->body_b];
    tni_f4 way_a = f4_load(delta_a), turn_a = f4_load(delta_a + 2);
    tni_f4 way_b = f4_load(delta_b), turn_b = f4_load(delta_b + 2);
    if (use_bias) {
        const float *v_a = solver->states[gate->body_a].numbers;
        const float *v_b = solver->states[gate->body_b].numbers;
        tni_f4 h = f4_splat(solver->h);
        way_a = f4_add_product(way_a, h, f4_load(v_a));
        way_b = f4_add_product(way_b, h, f4_load(v_b));
        turn_a = f4_add_product(turn_a, h, f4_load(v_a + TNI_STATE_W - 1));
        turn_b = f4_add_product(turn_b, h, f4_load(v_b + TNI_STATE_W - 1));
    }
    tni_f4 sum = f4_mul(f4_load_aligned(gate->normal), f4_sub(way_b, way_a));
    sum = f4_sub(sum, f4_mul(f4_load_aligned(gate->reach_a), f4_abs(turn_a)));
    sum = f4_sub(sum, f4_mul(f4_load_aligned(gate->reach_b), f4_abs(turn_b)));
    return gate->least + f4_first(f4_sum_splat(sum)) > 0.0f;
}

// ---- kicks ------------------------------------------------------------------------------------

void tni_contact_blocks_warm_start(tni_solver *solver, bool is_first_half) {
    solver->is_phase_start = true;
    if (solver->contact_count == 0) {
        return;
    }
    tni_f4 half = f4_splat(0.5f);
    for (uint32_t i = 0; i < solver->contact_body_count; ++i) {
        uint32_t body = solver->contact_bodies[i];
        tni_contact_push *push = &solver->contact_pushes[body];
        if (is_first_half) {
            f4_store_aligned(push->warm, f4_mul(half, f4_load_aligned(push->total)));
            f4_store_aligned(push->warm + 4, f4_mul(half, f4_load_aligned(push->total + 4)));
        }
        contact_motion warm = {f4_load_aligned(push->warm), f4_load_aligned(push->warm + 4)};
        tni_body_state *state = &solver->states[body];
        contact_set_velocity(state, contact_add(contact_get_velocity(state), warm));
    }
}

// The last substep's impulses are halved and counted.
static inline void contact_start_substep(tni_contact_block *block) {
    tni_f4 half = f4_splat(0.5f);
    tni_f4 x = f4_load_aligned(block->impulse), t = f4_load_aligned(block->tangent_impulse);
    f4_store_aligned(block->warm, f4_mul(half, x));
    f4_store_aligned(block->step_impulse, f4_add(f4_load_aligned(block->step_impulse), x));
    f4_store_aligned(block->tangent_warm, f4_mul(half, t));
    f4_store_aligned(block->tangent_step_impulse,
                     f4_add(f4_load_aligned(block->tangent_step_impulse), t));
    if (block->has_rolling) {
        block->rolling_warm = glms_vec3_scale(block->rolling_impulse, 0.5f);
    }
}

// ---- solve ------------------------------------------------------------------------------------

// A contact under way: its bodies' velocities, and how they have changed. (Not as the difference of
// velocities: that has the round-off of a fast body's.)
typedef struct contact_work {
    tni_contact_block *block;
    const tni_body_state *a, *b;
    contact_motion v_a, v_b;
    contact_changes total;
} contact_work;

TNI_FORCE_INLINE void contact_change(contact_work *work, contact_changes changes) {
    work->v_a = contact_subtract(work->v_a, changes.a);
    work->v_b = contact_add(work->v_b, changes.b);
    work->total.a = contact_add(work->total.a, changes.a);
    work->total.b = contact_add(work->total.b, changes.b);
}

// Friction and twisting from the velocities before any of them.
TNI_FORCE_INLINE void contact_solve_tangents(contact_work *work, tni_f4 normal, bool use_bias) {
    tni_contact_block *block = work->block;
    tni_f4 total = f4_load_aligned(block->tangent_impulse), old = total;
    if (use_bias) {
        old = f4_sub(old, f4_load_aligned(block->tangent_warm));
    }
    tni_f4 sum = f4_sum_splat(normal);
    if (!m4_any(f4_less(f4_zero(), f4_max(sum, f4_abs(old))))) {
        return; // no impulse anywhere
    }
    tni_f4 speeds = contact_tangent_rows(block, work->v_a, work->v_b);
    tni_f4 x = f4_sub(old, contact_tangent_impulse(block, speeds));
    tni_f4 bound = f4_mul(f4_load_aligned(block->tangent_bound), sum);
    x = f4_min(f4_max(x, f4_sub(f4_zero(), bound)), bound);
    x = contact_clamp_cone(x, block->friction * f4_first(sum));
    tni_f4 change = f4_sub(x, old);
    f4_store_aligned(block->tangent_impulse, f4_add(total, change));
    contact_change(work, contact_tangent_changes(block, work->a, work->b, change));
}

// Per lane: J v is to be at least -bias; an update is -scale m (J v + bias) - leak x.
typedef struct contact_targets {
    tni_f4 bias, scale, leak;
} contact_targets;

TNI_FORCE_INLINE contact_targets contact_set_targets(const contact_phase *phase,
                                                     const tni_contact_block *block, tni_f4 gap,
                                                     tni_f4 x, tni_m4 is_open, bool use_bias) {
    tni_f4 one = f4_splat(1.0f), zero = f4_zero(), to_close = f4_mul(gap, phase->inv_h);
    uint32_t kind = block->is_static ? 1 : 0;
    contact_targets targets;
    if (use_bias) {
        tni_f4 depth = f4_min(f4_add(gap, phase->slop), zero);
        tni_f4 push = f4_max(f4_mul(phase->rate[kind], depth), phase->max_speed);
        targets.bias = f4_pick(is_open, to_close, push);
        targets.scale = f4_pick(is_open, one, phase->mass_scale[kind]);
        targets.leak = f4_pick(is_open, zero, phase->impulse_scale[kind]);
    } else {
        targets.bias = f4_pick(is_open, to_close, zero);
        targets.scale = f4_pick(is_open, f4_pick(f4_less(zero, x), one, zero), one);
        targets.leak = zero;
    }
    return targets;
}

// All points pushing: one solution of the whole block.
TNI_FORCE_INLINE tni_f4 contact_solve_closed(const contact_phase *phase,
                                             const tni_contact_block *block, tni_f4 gap,
                                             tni_f4 speeds, tni_f4 x, bool use_bias) {
    tni_f4 missing = speeds, sum = x;
    if (use_bias) {
        uint32_t kind = block->is_static ? 1 : 0;
        tni_f4 depth = f4_min(f4_add(gap, phase->slop), f4_zero());
        tni_f4 push = f4_max(f4_mul(phase->rate[kind], depth), phase->max_speed);
        missing = f4_mul(phase->mass_scale[kind], f4_add(speeds, push));
        sum = f4_sub(sum, f4_mul(phase->impulse_scale[kind], x));
    }
    tni_f4 low = f4_mul(f4_load_aligned(block->inverse[0]), f4_splat_lane(missing, 0));
    tni_f4 high = f4_mul(f4_load_aligned(block->inverse[2]), f4_splat_lane(missing, 2));
    low = f4_add_product(low, f4_load_aligned(block->inverse[1]), f4_splat_lane(missing, 1));
    high = f4_add_product(high, f4_load_aligned(block->inverse[3]), f4_splat_lane(missing, 3));
    return f4_sub(sum, f4_add(low, high));
}

typedef struct contact_lane_targets {
    float bias[TNI_LANES], scale[TNI_LANES], leak[TNI_LANES];
} contact_lane_targets;

TNI_FORCE_INLINE void contact_sweep_lane(const tni_contact_block *block,
                                         const contact_lane_targets *targets, float x[TNI_LANES],
                                         tni_f4 *speeds, uint32_t i) {
    float missing = f4_lane(*speeds, i) + targets->bias[i];
    float wanted =
        x[i] - targets->leak[i] * x[i] - targets->scale[i] * block->normal_mass[i] * missing;
    wanted = maths_max(wanted, 0.0f);
    float change = wanted - x[i];
    x[i] = wanted;
    *speeds = f4_add_product(*speeds, f4_load_aligned(block->response[i]), f4_splat(change));
}

static tni_f4 contact_sweep_lanes(const tni_contact_block *block, const contact_targets *targets,
                                  tni_f4 impulse, tni_f4 speeds) {
    contact_lane_targets lanes;
    float x[TNI_LANES];
    f4_store(lanes.bias, targets->bias);
    f4_store(lanes.scale, targets->scale);
    f4_store(lanes.leak, targets->leak);
    f4_store(x, impulse);
    uint32_t count = block->point_count;
    for (int sweep = 0; sweep < (count > 1 ? CONTACT_INNER_SWEEPS : 1); ++sweep) {
        contact_sweep_lane(block, &lanes, x, &speeds, 0);
        if (count > 1) {
            contact_sweep_lane(block, &lanes, x, &speeds, 1);
        }
        if (count > 2) {
            contact_sweep_lane(block, &lanes, x, &speeds, 2);
        }
        if (count > 3) {
            contact_sweep_lane(block, &lanes, x, &speeds, 3);
        }
    }
    return f4_load(x);
}

// Points that do not push and are not asked to: the sweeps would leave all as it is.
TNI_FORCE_INLINE bool contact_is_idle(const contact_targets *targets, tni_f4 x, tni_f4 speeds) {
    tni_f4 missing = f4_mul(targets->scale, f4_add(speeds, targets->bias));
    tni_f4 zero = f4_zero();
    return !m4_any(f4_less(missing, zero)) && !m4_any(f4_less(zero, x));
}

TNI_FORCE_INLINE void contact_solve_normals(const contact_phase *phase, contact_work *work,
                                            bool use_bias) {
    tni_contact_block *block = work->block;
    tni_f4 zero = f4_zero(), gap = f4_load_aligned(block->gap);
    tni_f4 total = f4_load_aligned(block->impulse), old = total;
    if (use_bias) {
        old = f4_sub(old, f4_load_aligned(block->warm));
    }
    tni_f4 speeds = contact_rows(block, work->v_a, work->v_b);
    tni_m4 is_open = f4_less(zero, gap);
    bool is_solved = false;
    tni_f4 x = old;
    if (!m4_any(is_open)) {
        x = contact_solve_closed(phase, block, gap, speeds, old, use_bias);
        is_solved = !m4_any(f4_less(x, zero));
    }
    if (!is_solved) {
        contact_targets targets = contact_set_targets(phase, block, gap, old, is_open, use_bias);
        if (contact_is_idle(&targets, old, speeds)) {
            return;
        }
        x = contact_sweep_lanes(block, &targets, old, speeds);
    }
    tni_f4 change = f4_sub(x, old);
    f4_store_aligned(block->impulse, f4_add(total, change));
    contact_change(work, contact_normal_changes(block, work->a, work->b, change));
}

static vec3s contact_clamp_rolling(const tni_contact_block *block, vec3s x, float cap) {
    vec3s n = maths_vec3(block->normal[0], block->normal[1], block->normal[2]);
    x = maths_vec3_add_scaled(x, -glms_vec3_dot(x, n), n);
    float length = glms_vec3_norm(x);
    return length > cap ? glms_vec3_scale(x, cap / length) : x;
}

static void contact_solve_rolling(contact_work *work, tni_f4 normal, bool use_bias) {
    tni_contact_block *block = work->block;
    vec3s n = maths_vec3(block->normal[0], block->normal[1], block->normal[2]);
    tni_f4 turning = f4_sub(work->v_b.high, work->v_a.high);
    vec3s w = maths_vec3(f4_lane(turning, 0), f4_lane(turning, 1), f4_lane(turning, 2));
    vec3s across = maths_vec3_add_scaled(w, -glms_vec3_dot(w, n), n);
    vec3s old = block->rolling_impulse;
    if (use_bias) {
        old = glms_vec3_sub(old, block->rolling_warm);
    }
    vec3s x = glms_vec3_sub(old, sym3_mul(block->rolling_mass, across));
    x = contact_clamp_rolling(block, x, block->rolling_resistance * f4_sum(normal));
    vec3s change = glms_vec3_sub(x, old);
    block->rolling_impulse = glms_vec3_add(block->rolling_impulse, change);
    contact_changes changes = {contact_turn(sym3_mul(work->a->inv_inertia, change)),
                               contact_turn(sym3_mul(work->b->inv_inertia, change))};
    contact_change(work, changes);
}

// Friction, twisting and rolling.
TNI_FORCE_INLINE void contact_solve_friction(contact_work *work, bool use_bias) {
    tni_contact_block *block = work->block;
    tni_f4 normal = f4_load_aligned(block->impulse);
    if (use_bias) {
        normal = f4_sub(normal, f4_load_aligned(block->warm));
    }
    contact_solve_tangents(work, normal, use_bias);
    if (block->has_rolling) {
        contact_solve_rolling(work, normal, use_bias);
    }
}

TNI_FORCE_INLINE void contact_solve(tni_solver *solver, const contact_phase *phase,
                                    tni_contact_block *block, bool use_bias) {
    tni_body_state *a = &solver->states[block->body_a], *b = &solver->states[block->body_b];
    contact_motion none = {f4_zero(), f4_zero()};
    contact_work work = {block,       a, b, contact_get_velocity(a), contact_get_velocity(b),
                         {none, none}};
    if (phase->is_first) {
        f4_store_aligned(block->gap, contact_separations(solver, block));
        if (use_bias) {
            contact_start_substep(block);
        }
    }
    if (use_bias) {
        contact_solve_friction(&work, true);
        contact_solve_normals(phase, &work, true);
    } else {
        contact_solve_normals(phase, &work, false);
        contact_solve_friction(&work, false);
    }
    contact_set_velocity(a, work.v_a);
    contact_set_velocity(b, work.v_b);
    contact_take_from(solver->contact_pushes[block->body_a].total, work.total.a);
    contact_add_to(solver->contact_pushes[block->body_b].total, work.total.b);
}

static contact_phase contact_begin(const tni_solver *solver) {
    const tni_softness *soft[2] = {&solver->contact_softness, &solver->static_softness};
    contact_phase phase = {.inv_h = f4_splat(solver->inv_h),
                           .slop = f4_splat(solver->contact_bias.slop),
                           .max_speed = f4_splat(-solver->contact_bias.max_speed),
                           .is_first = solver->is_phase_start};
    for (int i = 0; i < 2; ++i) {
        phase.rate[i] = f4_splat(soft[i]->rate);
        phase.mass_scale[i] = f4_splat(soft[i]->mass_scale);
        phase.impulse_scale[i] = f4_splat(soft[i]->impulse_scale);
    }
    return phase;
}

TNI_FORCE_INLINE void contact_sweep(tni_solver *solver, bool use_bias) {
    contact_phase phase = contact_begin(solver);
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_gate *gate = &solver->contact_gates[i];
        if (!gate->is_shut) {
            if (contact_stays_open(solver, gate, use_bias)) {
                continue;
            }
            tni_contact_block_prepare(solver, i);
        }
        contact_solve(solver, &phase, &solver->contact_blocks[i], use_bias);
    }
    solver->is_phase_start = false;
}

void tni_contact_blocks_solve(tni_solver *solver, bool use_bias) {
    if (use_bias) {
        contact_sweep(solver, true);
    } else {
        contact_sweep(solver, false);
    }
}

// ---- the end ----------------------------------------------------------------------------------

// A mechanism's bodies have no delta.
float tni_contact_get_least(const tni_solver *solver, uint32_t index) {
    if (solver->contact_gates[index].is_touch) {
        return solver->contact_gates[index].least;
    }
    const tni_contact_block *block = &solver->contact_blocks[index];
    float separations[TNI_LANES];
    f4_store(separations, contact_separations(solver, block));
    float least = separations[0];
    for (uint32_t p = 1; p < block->point_count; ++p) {
        least = maths_min(least, separations[p]);
    }
    return least;
}

void tni_contact_blocks_store(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        if (!solver->contact_gates[i].is_shut) {
            continue;
        }
        const tni_contact_block *block = &solver->contact_blocks[i];
        tni_contact_sums *sums = &solver->contact_records[i].sums;
        for (int p = 0; p < TNI_LANES; ++p) {
            sums->step[p] = block->step_impulse[p] + block->impulse[p] + sums->impact[p];
        }
        for (int t = 0; t < 2; ++t) {
            sums->step_tangent[t] = block->tangent_step_impulse[t] + block->tangent_impulse[t] +
                                    sums->impact_tangent[t];
        }
    }
}
