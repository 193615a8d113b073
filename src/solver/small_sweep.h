// solver/small_sweep.h: sweeps over the joints of a small machine, by their rows alone.
//
// For solver/small_machine_wide.c. A sweep of Gauss-Seidel asks velocities for J v, and gives them
// back what W J^T x changes: each joint waits for all of that of the one before it. Here r = J v +
// bias of every joint is kept instead, and joint i tells its neighbours what its answer does to
// theirs. With x = K_i^-1 y, its answer is y itself, and
//     solve A  y = mass_scale r_i + impulse_scale K_i X_i      solve B  y = r_i
//     r_i -= y,   r_j -= C_ji y,   C_ji = J_j W J_i^T K_i^-1
// so that one product with a matrix lies between a joint and the next. Bodies get W J^T K^-1 of
// what all answers of a joint add up to when the sweeps are over. The order is that of
// solver/joint_block.c, joint after joint.
//
// A joint's rows stand in a vector of eight: its point, then its bounded row b, then its turns. The
// impulse d of the bounded row takes mass_scale K^-1 J_E W J_b^T d along (solver/joint_bounded.c),
// which as an answer y is mass_scale J_E W J_b^T d, and what it does by itself is one more column.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (J W J^T); R. Cottle, J.
// Pang, R. Stone, "The linear complementarity problem", 1992, 5.2 (the same sweep by residuals).
#ifndef TNI_SOLVER_SMALL_SWEEP_H
#define TNI_SOLVER_SMALL_SWEEP_H

#include "solver/small_rows.h"

// What an answer does to other joints, and what bounded rows ask for.
typedef struct small_coupling {
    float column[SMALL_LANES * SMALL_LANES][SMALL_COLUMNS][2 * SMALL_LANES]; // by m->edge_place
    tni_f8 tied[SMALL_LANES];                                                // J_E W J_b^T
    tni_f8 through[SMALL_LANES];                                             // K^-1 J_E W J_b^T
    small_numbers own[2]; // J W J_b^T of the bounded row with what equalities do, B and A
    struct {
        small_numbers keep, mass, lower, upper;
    } drive[2];
} small_coupling;

// ---- what joints tell each other --------------------------------------------------------------

// At the ends of edges that are told.
typedef struct small_targets {
    tni_f8 sign;
    tni_v8 r, axis[3], line, twist;
} small_targets;

TNI_FORCE_INLINE tni_v8 small_permute(tni_v8 v, const uint32_t *order) {
    return v8_make(f8_permute(v.x, order), f8_permute(v.y, order), f8_permute(v.z, order));
}

TNI_FORCE_INLINE small_targets small_get_targets(const tni_small_machine *m, const small_rows *rows,
                                                 uint32_t first, uint32_t turns) {
    const uint32_t *target = &m->edge_target[first];
    small_targets to = {.sign = f8_load(&m->edge_sign[first]), .r = small_permute(rows->r, target)};
    for (uint32_t k = 0; k < turns; ++k) {
        to.axis[k] = small_permute(pins_join(rows->axis[k], rows->axis[k]), target);
    }
    if (m->has_bounded) {
        to.line = small_permute(pins_join(rows->line, rows->line), target);
        to.twist = small_permute(pins_join(rows->twist, rows->twist), target);
    }
    return to;
}

// One column of eight edges, from what ends change.
TNI_FORCE_INLINE void small_set_column(const tni_small_machine *m, const small_targets *to,
                                       const small_changes *changes, uint32_t first, uint32_t turns,
                                       float *const places[2 * SMALL_LANES], uint32_t c) {
    const uint32_t *source = &m->edge_source[first];
    uint32_t at = 2 * SMALL_LANES * c;
    tni_v8 v = v8_scale(to->sign, small_permute(changes->v, source));
    tni_v8 w = v8_scale(to->sign, small_permute(changes->w, source));
    tni_v8 point = v8_add(v, v8_cross(w, to->r));
    tni_f8 bounded = f8_zero(), none = f8_zero();
    if (m->has_bounded) {
        bounded = f8_add(v8_dot(to->line, point), v8_dot(to->twist, w));
    }
    tni_f8 p[4] = {point.x, point.y, point.z, bounded};
    tni_f8 t[4] = {v8_dot(to->axis[0], w), v8_dot(to->axis[1], w),
                   turns > 2 ? v8_dot(to->axis[2], w) : none, none};
    f8_transpose(&p[0], &p[1], &p[2], &p[3]);
    f8_transpose(&t[0], &t[1], &t[2], &t[3]);
    for (uint32_t e = 0; e < 4; ++e) {
        f8_store(places[e] + at, f8_join(f8_low(p[e]), f8_low(t[e])));
        f8_store(places[e + 4] + at, f8_join(f8_high(p[e]), f8_high(t[e])));
    }
}

// K^-1 of unit answers; and of a unit impulse on the bounded row.
TNI_FORCE_INLINE void small_get_units(const small_rows *rows, small_answer units[SMALL_COLUMNS]) {
    const tni_v4 *z = rows->to_point;
    tni_v4 zero = small_zero();
    units[0] = (small_answer){rows->inverse[0], {z[0].x, z[1].x, z[2].x}};
    units[1] = (small_answer){rows->inverse[1], {z[0].y, z[1].y, z[2].y}};
    units[2] = (small_answer){rows->inverse[2], {z[0].z, z[1].z, z[2].z}};
    for (uint32_t k = 0; k < 3; ++k) {
        units[3 + k] = (small_answer){z[k], rows->turns[k]};
    }
    units[SMALL_COLUMNS - 1] = (small_answer){v4_sub(zero, rows->line), zero};
}

TNI_FORCE_INLINE void small_set_columns(const tni_small_machine *m, const small_rows *rows,
                                        uint32_t turns, small_coupling *coupling) {
    small_answer units[SMALL_COLUMNS];
    small_get_units(rows, units);
    for (uint32_t first = 0; first < m->edge_count; first += 2 * SMALL_LANES) {
        small_targets to = small_get_targets(m, rows, first, turns);
        float *places[2 * SMALL_LANES];
        for (uint32_t e = 0; e < 2 * SMALL_LANES; ++e) {
            places[e] = coupling->column[m->edge_place[first + e]][0];
        }
        for (uint32_t c = 0; c < SMALL_COLUMNS; ++c) {
            bool is_bounded = c == SMALL_COLUMNS - 1;
            if (is_bounded ? m->has_bounded : c < 3 + turns) {
                tni_f4 twist = f4_splat(is_bounded ? 1.0f : 0.0f);
                small_changes changes = small_respond(m, rows, &units[c], twist, turns);
                small_set_column(m, &to, &changes, first, turns, places, c);
            }
        }
    }
}

// From a joint in each lane to a vector for each joint, and back.
TNI_FORCE_INLINE void small_to_joints(tni_v4 point, tni_f4 bounded, tni_v4 turn, tni_f8 out[4]) {
    out[0] = f8_join(point.x, turn.x);
    out[1] = f8_join(point.y, turn.y);
    out[2] = f8_join(point.z, turn.z);
    out[3] = f8_join(bounded, f4_zero());
    f8_transpose(&out[0], &out[1], &out[2], &out[3]);
}

TNI_FORCE_INLINE small_answer small_from_joints(tni_f8 of[4]) {
    f8_transpose(&of[0], &of[1], &of[2], &of[3]);
    return (small_answer){{f8_low(of[0]), f8_low(of[1]), f8_low(of[2])},
                          {f8_high(of[0]), f8_high(of[1]), f8_high(of[2])}};
}

TNI_FORCE_INLINE void small_couple_by(const tni_small_machine *m, const small_rows *rows,
                                      uint32_t turns, small_coupling *coupling) {
    small_set_columns(m, rows, turns, coupling);
    if (!m->has_bounded) {
        return;
    }
    tni_f4 zero = f4_zero();
    small_to_joints(rows->tied, zero, rows->tied_turn, coupling->tied);
    small_to_joints(rows->through, zero, rows->through_turn, coupling->through);
    f4_store(coupling->own[0], f4_sub(rows->alone, rows->taken));
    f4_store(coupling->own[1],
             f4_sub(rows->alone, f4_mul(small_number(m->mass_scale), rows->taken)));
}

// What drives bounded rows.
TNI_FORCE_INLINE void small_store_drives(const small_rows *rows, small_coupling *coupling) {
    for (uint32_t s = 0; s < 2; ++s) {
        f4_store(coupling->drive[s].keep, rows->drive[s].keep);
        f4_store(coupling->drive[s].mass, rows->drive[s].mass);
        f4_store(coupling->drive[s].lower, rows->drive[s].lower);
        f4_store(coupling->drive[s].upper, rows->drive[s].upper);
    }
}

SMALL_APART void small_couple_two(const tni_small_machine *m, const small_rows *rows,
                                  small_coupling *coupling) {
    small_couple_by(m, rows, 2, coupling);
}

SMALL_APART void small_couple_three(const tni_small_machine *m, const small_rows *rows,
                                    small_coupling *coupling) {
    small_couple_by(m, rows, 3, coupling);
}

// ---- sweeps -----------------------------------------------------------------------------------

// By joint.
typedef struct small_residuals {
    tni_f8 r[SMALL_LANES];
    tni_f8 given[SMALL_LANES];  // impulse_scale K X, X from before
    tni_f8 answer[SMALL_LANES]; // sum of all y
    tni_f4 bounded;             // impulses, by lane
} small_residuals;

// The eight numbers in all lanes.
TNI_FORCE_INLINE float small_sum_all(tni_f8 a) {
    return f4_first(f4_sum_splat(f4_add(f8_low(a), f8_high(a))));
}

// Of a joint with a bounded row: y, what is left of r, the row's impulse and by how much it is
// another.
typedef struct small_bounded_answer {
    tni_f8 y, left;
    float impulse, change;
} small_bounded_answer;

TNI_FORCE_INLINE small_bounded_answer small_solve_bounded(const tni_small_machine *m,
                                                          const small_coupling *c, uint32_t i,
                                                          bool use_bias, float before, tni_f8 r,
                                                          tni_f8 y) {
    uint32_t solve = use_bias ? 1 : 0;
    float speed = f4_lane(f8_low(r), SMALL_BOUNDED_ROW);
    small_bounded_answer out = {.y = y, .left = f8_sub(r, y)};
    if (m->has_twists) {
        speed -= small_sum_all(f8_mul(c->through[i], y));
    }
    float x = c->drive[solve].keep[i] * before - c->drive[solve].mass[i] * speed;
    x = maths_max(maths_min(x, c->drive[solve].upper[i]), c->drive[solve].lower[i]);
    out.impulse = x;
    out.change = x - before;
    if (m->has_twists) {
        float share = use_bias ? m->mass_scale[i] * out.change : out.change;
        tni_f8 along = f8_mul(f8_splat(share), c->tied[i]);
        out.y = f8_add(y, along);
        out.left = f8_add_product(f8_sub(out.left, along), f8_splat(out.change), c->tied[i]);
    }
    tni_m8 is_bounded = f8_less(f8_splat(0.5f), f8_load(m->is_bounded_row));
    out.left = f8_pick(is_bounded, f8_splat(speed + c->own[solve][i] * out.change), out.left);
    return out;
}

// What joint i does to joint j.
TNI_FORCE_INLINE void small_tell(const small_coupling *c, uint32_t i, uint32_t j, uint32_t kind,
                                 const tni_f8 y[6], tni_f8 d, uint32_t turns,
                                 small_residuals *all) {
    const float(*column)[2 * SMALL_LANES] = c->column[SMALL_LANES * i + j];
    tni_f8 r = all->r[j];
    if ((kind & SMALL_HOLDS) != 0) {
        tni_f8 first = f8_add_product(f8_mul(f8_load(column[0]), y[0]), f8_load(column[1]), y[1]);
        tni_f8 second = f8_add_product(f8_mul(f8_load(column[2]), y[2]), f8_load(column[3]), y[3]);
        tni_f8 third = f8_mul(f8_load(column[4]), y[4]);
        third = turns > 2 ? f8_add_product(third, f8_load(column[5]), y[5]) : third;
        r = f8_add(f8_add(first, second), f8_add(third, r));
    }
    if ((kind & SMALL_IS_BOUNDED) != 0) {
        r = f8_add_product(r, f8_load(column[SMALL_COLUMNS - 1]), d);
    }
    all->r[j] = r;
}

// A turn of joint i, which is of this kind.
TNI_FORCE_INLINE void small_take_turn_of(const tni_small_machine *m, const small_coupling *c,
                                         uint32_t i, uint32_t kind, bool use_bias, uint32_t turns,
                                         small_residuals *all) {
    uint32_t ties = m->ties[i];
    tni_f8 y = f8_zero(), left = all->r[i], spread[6];
    if ((kind & SMALL_HOLDS) != 0) {
        y = f8_mul(f8_load(m->mass_scales[use_bias ? 1 : 0][i]), left);
        if (use_bias) {
            tni_f8 taken = f8_mul(f8_load(m->impulse_scales[i]), all->answer[i]);
            y = f8_add(y, f8_sub(all->given[i], taken));
        }
    }
    float d = 0.0f;
    if ((kind & SMALL_IS_BOUNDED) != 0) {
        small_bounded_answer both =
            small_solve_bounded(m, c, i, use_bias, f4_lane(all->bounded, i), left, y);
        y = both.y;
        d = both.change;
        all->bounded = f4_set_lane(all->bounded, i, both.impulse);
        all->r[i] = both.left;
    } else {
        all->r[i] = f8_sub(left, y);
    }
    all->answer[i] = f8_add(all->answer[i], y);
    tni_f8 points = f8_lows(y), turned = f8_highs(y);
    for (uint32_t k = 0; k < 3; ++k) {
        spread[k] = f8_splat_lane(points, k);
        spread[3 + k] = k < turns ? f8_splat_lane(turned, k) : f8_zero();
    }
#define SMALL_TELL(j)                                                                              \
    if (i != (j) && (ties >> (j)&1u) != 0) {                                                       \
        small_tell(c, i, j, kind, spread, f8_splat(d), turns, all);                                \
    }
    SMALL_TELL(0)
    SMALL_TELL(1)
    SMALL_TELL(2)
    SMALL_TELL(3)
#undef SMALL_TELL
}

TNI_FORCE_INLINE void small_take_turn(const tni_small_machine *m, const small_coupling *c,
                                      uint32_t i, bool use_bias, uint32_t turns,
                                      small_residuals *all) {
    if (m->kind[i] == SMALL_HOLDS) {
        small_take_turn_of(m, c, i, SMALL_HOLDS, use_bias, turns, all);
    } else if (m->kind[i] == SMALL_IS_BOUNDED) {
        small_take_turn_of(m, c, i, SMALL_IS_BOUNDED, use_bias, turns, all);
    } else {
        small_take_turn_of(m, c, i, SMALL_HOLDS | SMALL_IS_BOUNDED, use_bias, turns, all);
    }
}

TNI_FORCE_INLINE void small_take_turns(const tni_small_machine *m, const small_coupling *c,
                                       uint32_t count, bool use_bias, uint32_t turns,
                                       small_residuals *all) {
    for (uint32_t n = 0; n < count; ++n) {
        small_take_turn(m, c, 0, use_bias, turns, all);
        if (m->joint_count > 1) {
            small_take_turn(m, c, 1, use_bias, turns, all);
        }
        if (m->joint_count > 2) {
            small_take_turn(m, c, 2, use_bias, turns, all);
        }
        if (m->joint_count > 3) {
            small_take_turn(m, c, 3, use_bias, turns, all);
        }
    }
}

// J of what bodies get of impulses X, changes = W J^T X, and of bounded ones: K X of the
// equalities.
TNI_FORCE_INLINE small_answer small_multiply(const tni_small_machine *m, const small_rows *rows,
                                             const small_changes *changes, tni_f4 bounded,
                                             uint32_t turns) {
    tni_v4 point = small_vector_of_b_less_a(v8_add(changes->v, v8_cross(changes->w, rows->r)));
    tni_v4 relative = small_vector_of_b_less_a(changes->w);
    small_answer kx = {point,
                       {v4_dot(rows->axis[0], relative), v4_dot(rows->axis[1], relative),
                        turns > 2 ? v4_dot(rows->axis[2], relative) : f4_zero()}};
    if (m->has_bounded) {
        kx.point = v4_sub_scaled(kx.point, bounded, rows->tied);
        kx.turn = v4_sub_scaled(kx.turn, bounded, rows->tied_turn);
    }
    return kx;
}

// J v, with bias in solve A, of all joints; bounded rows have theirs in both. `pushed` is what
// bodies got of the impulses in solve A.
TNI_FORCE_INLINE void small_find_residuals(const tni_small_machine *m, const small_rows *rows,
                                           const small_bodies *bodies,
                                           const small_impulses *impulses,
                                           const small_changes *pushed, bool use_bias,
                                           uint32_t turns, small_residuals *all) {
    for (uint32_t i = 0; i < SMALL_LANES; ++i) {
        all->given[i] = all->answer[i] = f8_zero();
    }
    small_speeds speeds = small_get_speeds(m, rows, bodies);
    tni_v4 p = speeds.point, relative = speeds.relative;
    tni_v4 t = {v4_dot(rows->axis[0], relative), v4_dot(rows->axis[1], relative),
                turns > 2 ? v4_dot(rows->axis[2], relative) : f4_zero()};
    tni_f4 bounded = f4_zero();
    if (m->has_bounded) {
        bounded =
            f4_add(small_get_bounded_speed(m, rows, &speeds), rows->drive[use_bias ? 1 : 0].bias);
    }
    if (use_bias) {
        p = v4_add(p, rows->bias);
        t = v4_add(t, rows->turn_bias);
        small_answer given = small_multiply(m, rows, pushed, impulses->bounded, turns);
        tni_f4 scale = small_number(m->impulse_scale);
        small_to_joints(v4_scale(scale, given.point), f4_zero(), v4_scale(scale, given.turn),
                        all->given);
    }
    small_to_joints(p, bounded, t, all->r);
    all->bounded = impulses->bounded;
}

// J v of bounded rows after the sweeps.
TNI_FORCE_INLINE tni_f4 small_get_bounded_left(const small_residuals *all,
                                               const small_drive *drive) {
    const tni_f8 *r = all->r;
    return f4_sub(
        f4_make(f4_lane(f8_low(r[0]), SMALL_BOUNDED_ROW), f4_lane(f8_low(r[1]), SMALL_BOUNDED_ROW),
                f4_lane(f8_low(r[2]), SMALL_BOUNDED_ROW), f4_lane(f8_low(r[3]), SMALL_BOUNDED_ROW)),
        drive->bias);
}

// What sweeps came to: impulses -x, which bodies are to get, and those about the twist.
TNI_FORCE_INLINE small_answer small_finish_sweeps(const tni_small_machine *m,
                                                  const small_rows *rows, uint32_t turns,
                                                  small_residuals *all, small_impulses *impulses,
                                                  tni_f4 *out_twist) {
    small_answer y = small_from_joints(all->answer);
    small_answer x = small_invert(rows, y.point, y.turn, turns);
    tni_f4 d = f4_sub(all->bounded, impulses->bounded);
    impulses->point = v4_sub(impulses->point, x.point);
    impulses->turn = v4_sub(impulses->turn, x.turn);
    impulses->bounded = all->bounded;
    if (m->has_lines) {
        x.point = v4_sub_scaled(x.point, d, rows->line);
    }
    *out_twist = d;
    return x;
}

#endif
