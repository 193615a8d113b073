// solver/small_rows.h: the rows of a small machine at a new pose, a joint in each lane.
//
// For solver/small_machine_wide.c. Symbols are those of solver/pin.h, joints/hinge_joint.c,
// joints/slider_joint.c and joints/distance_joint.c; rotations and frames are in float, positions
// in two floats, the second what the first leaves of the double. Bounded rows are written by the
// point and the turn that equalities have, too: J = line . (speed of b's anchor less that of a's)
// + twist . (w_b - w_a), which is the line of a rod or a rope, or the axis of a hinge.
//
// What bodies get of an impulse -x is here that of a solve, so responses stand with the sign that a
// and b have in it: S = I^-1 (r x e_j) for a, and the opposite for b.
#ifndef TNI_SOLVER_SMALL_ROWS_H
#define TNI_SOLVER_SMALL_ROWS_H

#include <float.h>

#include "solver/joint_bounded.h"
#include "solver/pin_lanes_bias.h"
#include "solver/pin_lanes_matrix.h"
#include "solver/rotate_four.h"
#include "solver/small_machine.h"

// The code of a step is to stay in the cache of instructions, so that what is called more than once
// is there once: for machines of two turns a joint, and for those of three.
#define SMALL_APART        TNI_NO_INLINE static
#define SMALL_BY(turns, f) ((turns) > 2 ? f##_three : f##_two)

// m: shorter, and the line has no direction.
#define SMALL_COINCIDENT 1e-9f

// The bodies, of which rows see and change v and w.
typedef struct small_bodies {
    tni_dv4 position, velocity, turning;
    rotate_lanes rotation;
    tni_v4 v, w;
    tni_v4 shown_v, shown_w; // as they were at the last kick
    tni_f4 inertia[6];       // I^-1: xx, yy, zz, xy, xz, yz
} small_bodies;

typedef struct small_impulses {
    tni_v4 point, turn;
    tni_f4 bounded;
} small_impulses;

// See tni_row_drive.
typedef struct small_drive {
    tni_f4 keep, mass, bias, lower, upper;
} small_drive;

typedef struct small_rows {
    tni_v8 r;
    tni_v4 plane[2], axis[3];
    tni_v4 error, bias, turn_bias;
    tni_f4 turn_error[3];
    tni_v4 inverse[3], to_point[3], turns[3]; // K^-1
    tni_v8 spin[3], turn_spin[3];             // with signs
    // Bounded rows.
    tni_v4 line, twist;
    tni_v8 twist_spin;
    tni_v4 tied, tied_turn;       // J_E W J^T
    tni_v4 through, through_turn; // K^-1 times that
    tni_f4 alone, taken;          // J_b W J_b^T; what of it the equalities take
    tni_f4 k[2];                  // what is left, in solve B and in solve A
    tni_f4 bounded_error;
    small_drive drive[2]; // of solve B and of solve A
} small_rows;

// ---- moves between lanes ----------------------------------------------------------------------

TNI_FORCE_INLINE tni_f4 small_number(const small_numbers numbers) {
    return f4_load(numbers);
}

TNI_FORCE_INLINE tni_m4 small_mask(const small_numbers numbers) {
    return f4_less(f4_splat(0.5f), f4_load(numbers));
}

// Of bodies that move, and zeros of others.
TNI_FORCE_INLINE tni_f8 small_at_ends(const tni_small_machine *m, tni_f4 of_bodies) {
    return f8_permute(f8_widen(of_bodies), m->end);
}

TNI_FORCE_INLINE tni_v8 small_vector_at_ends(const tni_small_machine *m, tni_v4 v) {
    return v8_make(small_at_ends(m, v.x), small_at_ends(m, v.y), small_at_ends(m, v.z));
}

// And of those that do not.
TNI_FORCE_INLINE tni_f8 small_at_all_ends(const tni_small_machine *m, tni_f4 moving,
                                          const small_numbers fixed) {
    return f8_permute(f8_join(moving, f4_load(fixed)), m->end);
}

TNI_FORCE_INLINE tni_f4 small_of_b_less_a(tni_f8 x) {
    return f4_sub(f8_high(x), f8_low(x));
}

TNI_FORCE_INLINE tni_v4 small_vector_of_b_less_a(tni_v8 v) {
    return (tni_v4){small_of_b_less_a(v.x), small_of_b_less_a(v.y), small_of_b_less_a(v.z)};
}

// What responses with signs add up to.
TNI_FORCE_INLINE tni_v4 small_sum(tni_v8 v) {
    return v4_sub(pins_low(v), pins_high(v));
}

TNI_FORCE_INLINE tni_v8 small_load_ends(const small_ends numbers[3]) {
    return v8_make(f8_load(numbers[0]), f8_load(numbers[1]), f8_load(numbers[2]));
}

TNI_FORCE_INLINE tni_v4 small_zero(void) {
    return (tni_v4){f4_zero(), f4_zero(), f4_zero()};
}

// ---- frames -----------------------------------------------------------------------------------

typedef struct small_frames {
    tni_f8 q[4];        // of the bodies
    tni_v8 x, y, z;     // axes
    tni_v8 w, v, of;    // of the bodies; w x r
    tni_v4 between;     // from anchor to anchor
    tni_v4 centripetal; // w x (w x r), b's less a's
} small_frames;

TNI_FORCE_INLINE tni_v8 small_turn(tni_v8 column[3], tni_v8 v) {
    tni_v8 sum = v8_add(v8_scale(v.x, column[0]), v8_scale(v.y, column[1]));
    return v8_add_scaled(sum, v.z, column[2]);
}

// As tni_turn_make(), by columns.
TNI_FORCE_INLINE void small_set_rotation(const tni_f8 q[4], tni_v8 column[3]) {
    tni_f8 x = q[0], y = q[1], z = q[2], w = q[3], one = f8_splat(1.0f);
    tni_f8 x2 = f8_add(x, x), y2 = f8_add(y, y), z2 = f8_add(z, z);
    tni_f8 xx = f8_mul(x, x2), yy = f8_mul(y, y2), zz = f8_mul(z, z2);
    tni_f8 xy = f8_mul(x, y2), xz = f8_mul(x, z2), yz = f8_mul(y, z2);
    tni_f8 wx = f8_mul(w, x2), wy = f8_mul(w, y2), wz = f8_mul(w, z2);
    column[0] = v8_make(f8_sub(one, f8_add(yy, zz)), f8_add(xy, wz), f8_sub(xz, wy));
    column[1] = v8_make(f8_sub(xy, wz), f8_sub(one, f8_add(xx, zz)), f8_add(yz, wx));
    column[2] = v8_make(f8_add(xz, wy), f8_sub(yz, wx), f8_sub(one, f8_add(xx, yy)));
}

// b's centre less a's.
TNI_FORCE_INLINE tni_f4 small_get_offset(const tni_small_machine *m, tni_d4 x, uint32_t c) {
    tni_f4 high = d4_to_f4(x), low = d4_to_f4(d4_sub(x, d4_from_f4(high)));
    return f4_add(small_of_b_less_a(small_at_all_ends(m, high, m->fixed_high[c])),
                  small_of_b_less_a(small_at_all_ends(m, low, m->fixed_low[c])));
}

TNI_FORCE_INLINE void small_set_frames(const tni_small_machine *m, const small_bodies *bodies,
                                       small_frames *frames, small_rows *rows) {
    const tni_d4 q[4] = {bodies->rotation.x, bodies->rotation.y, bodies->rotation.z,
                         bodies->rotation.w};
    tni_v8 column[3];
    for (uint32_t c = 0; c < 4; ++c) {
        frames->q[c] = small_at_all_ends(m, d4_to_f4(q[c]), m->fixed_rotation[c]);
    }
    small_set_rotation(frames->q, column);
    rows->r = small_turn(column, small_load_ends(m->origin));
    frames->x = small_turn(column, small_load_ends(m->axis_x));
    frames->y = small_turn(column, small_load_ends(m->axis_y));
    frames->z = v8_cross(frames->x, frames->y);
    frames->w = small_vector_at_ends(m, bodies->w);
    frames->v = small_vector_at_ends(m, bodies->v);
    frames->of = v8_cross(frames->w, rows->r);
    frames->centripetal = small_vector_of_b_less_a(v8_cross(frames->w, frames->of));
    tni_v4 offset = {small_get_offset(m, bodies->position.x, 0),
                     small_get_offset(m, bodies->position.y, 1),
                     small_get_offset(m, bodies->position.z, 2)};
    frames->between = v4_add(offset, small_vector_of_b_less_a(rows->r));
    frames->between =
        (tni_v4){f4_flush(frames->between.x, MATHS_TINY), f4_flush(frames->between.y, MATHS_TINY),
                 f4_flush(frames->between.z, MATHS_TINY)};
}

// ---- equalities -------------------------------------------------------------------------------

typedef struct small_terms {
    tni_v4 point;
    tni_f4 turn[3];
} small_terms;

// Of a hinge, as pins_set_axes(); zero where there is no such turn. Bits: turned away.
TNI_FORCE_INLINE uint32_t small_set_axes(const tni_small_machine *m, const small_frames *frames,
                                         small_rows *rows, small_terms *terms) {
    tni_v4 x = pins_high(frames->x), w_b = pins_high(frames->w);
    tni_v4 relative = small_vector_of_b_less_a(frames->w);
    tni_f4 along = v4_dot(x, relative), along_a = f4_sub(v4_dot(x, w_b), along);
    tni_f4 square = v4_dot(relative, relative), zero = f4_zero();
    const tni_v4 across[2] = {pins_low(frames->y), pins_low(frames->z)};
    for (uint32_t k = 0; k < 2; ++k) {
        tni_v4 u = across[k];
        tni_f4 has = small_number(m->turns[k]), error = v4_dot(u, x);
        tni_f4 term = f4_sub(f4_mul(v4_dot(u, w_b), along), f4_mul(along_a, v4_dot(u, relative)));
        term = f4_sub(term, f4_mul(error, square));
        rows->plane[k] = u;
        rows->axis[k] = v4_scale(has, v4_cross(x, u));
        rows->turn_error[k] = f4_mul(has, error);
        terms->turn[k] = f4_mul(has, term);
    }
    rows->axis[2] = small_zero();
    rows->turn_error[2] = terms->turn[2] = zero;
    return m4_bits(m4_and(f4_less(v4_dot(pins_low(frames->x), x), zero), small_mask(m->turns[0])));
}

typedef struct small_quat {
    tni_f4 x, y, z, w;
} small_quat;

// The frames' rotations: as dquat_mul().
TNI_FORCE_INLINE void small_turn_frames(const tni_small_machine *m, const tni_f8 a[4],
                                        tni_f8 out[4]) {
    tni_f8 x = f8_load(m->frame[0]), y = f8_load(m->frame[1]), z = f8_load(m->frame[2]);
    tni_f8 w = f8_load(m->frame[3]);
    out[0] =
        f8_sub_product(f8_add_product(f8_add_product(f8_mul(a[3], x), a[0], w), a[1], z), a[2], y);
    out[1] =
        f8_add_product(f8_add_product(f8_sub_product(f8_mul(a[3], y), a[0], z), a[1], w), a[2], x);
    out[2] =
        f8_add_product(f8_sub_product(f8_add_product(f8_mul(a[3], z), a[0], y), a[1], x), a[2], w);
    out[3] =
        f8_sub_product(f8_sub_product(f8_sub_product(f8_mul(a[3], w), a[0], x), a[1], y), a[2], z);
}

// Of frame b in frame a.
TNI_FORCE_INLINE small_quat small_measure_relative(const tni_small_machine *m,
                                                   const small_frames *frames) {
    tni_f8 turned[4];
    small_turn_frames(m, frames->q, turned);
    tni_v4 a = {f8_low(turned[0]), f8_low(turned[1]), f8_low(turned[2])};
    tni_v4 b = {f8_high(turned[0]), f8_high(turned[1]), f8_high(turned[2])};
    tni_f4 w_a = f8_low(turned[3]), w_b = f8_high(turned[3]);
    tni_v4 v = v4_sub(v4_sub(v4_scale(w_a, b), v4_scale(w_b, a)), v4_cross(a, b));
    return (small_quat){v.x, v.y, v.z, f4_add(f4_mul(w_a, w_b), v4_dot(a, b))};
}

// Of a slider and what is fixed, as pins_set_angles().
TNI_FORCE_INLINE uint32_t small_set_angles(const tni_small_machine *m, const small_frames *frames,
                                           small_rows *rows, small_terms *terms) {
    small_quat q = small_measure_relative(m, frames);
    tni_m4 is_negative = f4_less(q.w, f4_zero()), has = small_mask(m->angles);
    tni_f4 sign = f4_pick(is_negative, f4_splat(-1.0f), f4_splat(1.0f)), cosine = f4_mul(sign, q.w);
    const tni_v4 part = v4_scale(sign, (tni_v4){q.x, q.y, q.z});
    const tni_v4 axes[3] = {pins_low(frames->x), pins_low(frames->y), pins_low(frames->z)};
    tni_v4 v = v4_mul_columns(axes, part), relative = small_vector_of_b_less_a(frames->w);
    tni_v4 turning = v4_cross(relative, pins_low(frames->w));
    tni_f4 slowing = f4_mul(f4_splat(0.5f), v4_dot(relative, relative));
    const tni_f4 parts[3] = {part.x, part.y, part.z};
    for (uint32_t k = 0; k < 3; ++k) {
        tni_v4 axis = v4_add(v4_cross(v, axes[k]), v4_scale(cosine, axes[k]));
        tni_f4 term = f4_sub(v4_dot(axis, turning), f4_mul(slowing, parts[k]));
        rows->axis[k] = v4_pick(has, axis, rows->axis[k]);
        rows->turn_error[k] = f4_pick(has, f4_add(parts[k], parts[k]), rows->turn_error[k]);
        terms->turn[k] = f4_pick(has, term, terms->turn[k]);
    }
    return m4_bits(m4_and(f4_less(cosine, f4_splat((float)TNI_ANGLE_FAR_COSINE)), has));
}

// As pins_set_slide() and pins_set_reach().
TNI_FORCE_INLINE void small_set_slide(const tni_small_machine *m, const small_frames *frames,
                                      small_rows *rows, small_terms *terms) {
    tni_m4 slides = small_mask(m->slides);
    tni_v4 d = frames->between, speed = small_vector_of_b_less_a(frames->v);
    tni_v4 drift = pins_get_drift(frames->w, frames->of, speed, d);
    tni_v4 error = {v4_dot(rows->plane[0], d), v4_dot(rows->plane[1], d), f4_zero()};
    tni_v4 term = {v4_dot(rows->plane[0], drift), v4_dot(rows->plane[1], drift), f4_zero()};
    rows->error = v4_pick(slides, error, rows->error);
    terms->point = v4_pick(slides, term, terms->point);
    tni_v4 r_a = pins_low(rows->r);
    rows->r = pins_join(v4_pick(slides, v4_add(r_a, d), r_a), pins_high(rows->r));
}

TNI_FORCE_INLINE void small_set_biases(const tni_small_machine *m, const pins_softness *own,
                                       const small_terms *terms, small_rows *rows) {
    const tni_f4 *error = rows->turn_error, *term = terms->turn;
    rows->bias = pins_get_biases(own, own->rate, rows->error, terms->point);
    if (m->has_slides) {
        rows->bias = v4_pick(small_mask(m->slides),
                             pins_from_plane(rows->plane, rows->bias.x, rows->bias.y), rows->bias);
    }
    rows->turn_bias = pins_get_biases(own, own->turn_rate, (tni_v4){error[0], error[1], error[2]},
                                      (tni_v4){term[0], term[1], term[2]});
}

// ---- matrix -----------------------------------------------------------------------------------

// I^-1 at the ends, with signs.
TNI_FORCE_INLINE tni_s8 small_get_inertia(const tni_small_machine *m, const small_bodies *bodies) {
    tni_f4 zero = f4_zero(), one = f4_splat(1.0f);
    tni_f8 sign = f8_join(one, f4_sub(zero, one)), n[6];
    for (uint32_t i = 0; i < 6; ++i) {
        n[i] = f8_mul(sign, small_at_ends(m, bodies->inertia[i]));
    }
    return (tni_s8){n[0], n[1], n[2], n[3], n[4], n[5]};
}

// K_pp, its columns; one where there is no point.
TNI_FORCE_INLINE void small_set_point(const tni_small_machine *m, const tni_s8 *i, small_rows *rows,
                                      tni_v4 point[3]) {
    tni_v8 r = rows->r;
    tni_v8 x = {i->xx, i->xy, i->xz}, y = {i->xy, i->yy, i->yz}, z = {i->xz, i->yz, i->zz};
    tni_f4 mass = pins_add_halves(f8_load(m->mass)), one = f4_splat(1.0f);
    tni_m4 holds = small_mask(m->holds);
    rows->spin[0] = v8_sub(v8_scale(r.z, y), v8_scale(r.y, z));
    rows->spin[1] = v8_sub(v8_scale(r.x, z), v8_scale(r.z, x));
    rows->spin[2] = v8_sub(v8_scale(r.y, x), v8_scale(r.x, y));
    for (uint32_t j = 0; j < 3; ++j) {
        point[j] = small_sum(v8_cross(rows->spin[j], r));
    }
    point[0].x = f4_add(mass, point[0].x);
    point[1].y = f4_add(mass, point[1].y);
    point[2].z = f4_add(mass, point[2].z);
    if (m->has_lines || m->joint_count < SMALL_LANES) {
        tni_v4 zero = small_zero();
        point[0] = v4_pick(holds, point[0], (tni_v4){one, zero.y, zero.z});
        point[1] = v4_pick(holds, point[1], (tni_v4){zero.x, one, zero.z});
        point[2] = v4_pick(holds, point[2], (tni_v4){zero.x, zero.y, one});
    }
}

// S^-1; one where there is no such turn.
TNI_FORCE_INLINE void small_invert_turns(const tni_small_machine *m, const small_rows *rows,
                                         const tni_v4 *turned, const tni_v4 *mixed, const tni_v4 *y,
                                         uint32_t turns, pins_matrix *k) {
    tni_f4 own[3], s[3][3], one = f4_splat(1.0f);
    for (uint32_t l = 0; l < turns; ++l) {
        for (uint32_t n = l; n < turns; ++n) {
            tni_f4 alone = v4_dot(rows->axis[l], turned[n]);
            s[l][n] = f4_sub(alone, v4_dot(mixed[l], y[n]));
            own[l] = l == n ? alone : own[l];
        }
        tni_m4 has = small_mask(m->turns[l]);
        own[l] = f4_pick(has, own[l], one);
        s[l][l] = f4_pick(has, s[l][l], one);
    }
    if (turns > 2) {
        const tni_v4 c[3] = {
            {s[0][0], s[0][1], s[0][2]}, {s[0][1], s[1][1], s[1][2]}, {s[0][2], s[1][2], s[2][2]}};
        tni_m4 is_sound = pins_invert_three(c, (tni_v4){own[0], own[1], own[2]}, k->turns);
        k->is_sound = m4_and(k->is_sound, is_sound);
        return;
    }
    pins_invert_two(s[0][0], s[0][1], s[1][1], own[0], own[1], k);
}

// Responses and K^-1. Bits: lanes where it is not sound.
TNI_FORCE_INLINE uint32_t small_set_matrix(const tni_small_machine *m, const tni_s8 *inertia,
                                           uint32_t turns, small_rows *rows) {
    pins_matrix k;
    tni_v4 point[3], turned[3], mixed[3], y[3];
    small_set_point(m, inertia, rows, point);
    pins_invert_point(point, &k);
    if (m->has_slides) {
        pins_invert_plane(point, rows->plane, small_mask(m->slides), &k);
    }
    for (uint32_t j = 0; j < 3; ++j) {
        k.inverse[j] = v4_scale(small_number(m->holds), k.inverse[j]);
    }
    for (uint32_t n = 0; n < turns; ++n) {
        rows->turn_spin[n] = s8_mul(inertia, pins_join(rows->axis[n], rows->axis[n]));
        turned[n] = small_sum(rows->turn_spin[n]);
        mixed[n] = small_sum(v8_cross(rows->turn_spin[n], rows->r));
        y[n] = v4_mul_columns(k.inverse, mixed[n]);
    }
    small_invert_turns(m, rows, turned, mixed, y, turns, &k);
    for (uint32_t n = 0; n < turns; ++n) {
        tni_v4 z = v4_sub_scaled(small_zero(), k.turns[n].x, y[0]);
        z = v4_sub_scaled(z, k.turns[n].y, y[1]);
        z = turns > 2 ? v4_sub_scaled(z, k.turns[n].z, y[2]) : z;
        k.inverse[0] = v4_sub_scaled(k.inverse[0], y[n].x, z);
        k.inverse[1] = v4_sub_scaled(k.inverse[1], y[n].y, z);
        k.inverse[2] = v4_sub_scaled(k.inverse[2], y[n].z, z);
        rows->to_point[n] = z;
        rows->turns[n] = k.turns[n];
    }
    rows->inverse[0] = k.inverse[0];
    rows->inverse[1] = k.inverse[1];
    rows->inverse[2] = k.inverse[2];
    return ~m4_bits(k.is_sound) & m4_bits(small_mask(m->holds));
}

// K^-1 times point and turn, in two sums.
typedef struct small_answer {
    tni_v4 point, turn;
} small_answer;

TNI_FORCE_INLINE small_answer small_invert(const small_rows *rows, tni_v4 p, tni_v4 t,
                                           uint32_t turns) {
    const tni_v4 *z = rows->to_point, *s = rows->turns;
    tni_v4 point = v4_add(v4_scale(p.x, rows->inverse[0]), v4_scale(p.y, rows->inverse[1]));
    tni_v4 rest = v4_add(v4_scale(p.z, rows->inverse[2]), v4_scale(t.x, z[0]));
    tni_v4 turned = v4_scale(t.y, z[1]);
    tni_f4 zero = f4_zero();
    small_answer x;
    if (turns > 2) {
        turned = v4_add(turned, v4_scale(t.z, z[2]));
    }
    x.point = v4_add(v4_add(point, rest), turned);
    tni_f4 of_turns[3];
    for (uint32_t k = 0; k < 3; ++k) {
        of_turns[k] = zero;
        if (k < turns) {
            tni_f4 first = f4_add(f4_mul(z[k].x, p.x), f4_mul(z[k].y, p.y));
            tni_f4 second = f4_add(f4_mul(z[k].z, p.z), f4_mul(s[k].x, t.x));
            tni_f4 third = f4_mul(s[k].y, t.y);
            third = turns > 2 ? f4_add(third, f4_mul(s[k].z, t.z)) : third;
            of_turns[k] = f4_add(f4_add(first, second), third);
        }
    }
    x.turn = (tni_v4){of_turns[0], of_turns[1], of_turns[2]};
    return x;
}

// ---- speeds and responses ---------------------------------------------------------------------

typedef struct small_speeds {
    tni_v4 point, relative;
} small_speeds;

TNI_FORCE_INLINE small_speeds small_get_speeds(const tni_small_machine *m, const small_rows *rows,
                                               const small_bodies *bodies) {
    tni_v8 v = small_vector_at_ends(m, bodies->v), w = small_vector_at_ends(m, bodies->w);
    tni_v8 of_anchors = v8_add(v, v8_cross(w, rows->r));
    return (small_speeds){small_vector_of_b_less_a(of_anchors), small_vector_of_b_less_a(w)};
}

TNI_FORCE_INLINE tni_f4 small_get_bounded_speed(const tni_small_machine *m, const small_rows *rows,
                                                const small_speeds *speeds) {
    tni_f4 speed = m->has_lines ? v4_dot(rows->line, speeds->point) : f4_zero();
    return m->has_twists ? f4_add(speed, v4_dot(rows->twist, speeds->relative)) : speed;
}

typedef struct small_changes {
    tni_v8 v, w;
} small_changes;

// Of the ends, of impulses -x of points, -t of turns and `twist` of bounded rows about an axis.
TNI_FORCE_INLINE small_changes small_respond(const tni_small_machine *m, const small_rows *rows,
                                             const small_answer *x, tni_f4 twist, uint32_t turns) {
    tni_v8 p = pins_join(x->point, x->point);
    tni_f8 t_0 = f8_join(x->turn.x, x->turn.x), t_1 = f8_join(x->turn.y, x->turn.y);
    tni_v8 first = v8_add(v8_scale(p.x, rows->spin[0]), v8_scale(p.y, rows->spin[1]));
    tni_v8 second = v8_add(v8_scale(p.z, rows->spin[2]), v8_scale(t_0, rows->turn_spin[0]));
    tni_v8 third = v8_scale(t_1, rows->turn_spin[1]);
    if (turns > 2) {
        third = v8_add_scaled(third, f8_join(x->turn.z, x->turn.z), rows->turn_spin[2]);
    }
    if (m->has_twists) {
        tni_f4 back = f4_sub(f4_zero(), twist);
        third = v8_add_scaled(third, f8_join(back, back), rows->twist_spin);
    }
    tni_f8 mass = f8_load(m->mass_of_solve);
    return (small_changes){v8_scale(mass, p), v8_add(v8_add(first, second), third)};
}

// ---- bounded rows -----------------------------------------------------------------------------

typedef struct small_line {
    tni_f4 error, term;
} small_line;

// Of a rod, or a rope's upper limit: joints/distance_joint.c.
TNI_FORCE_INLINE small_line small_set_line(const tni_small_machine *m, const small_frames *frames,
                                           small_rows *rows) {
    tni_v4 d = frames->between;
    tni_f4 zero = f4_zero(), one = f4_splat(1.0f), least = f4_splat(SMALL_COINCIDENT);
    tni_f4 length = f4_sqrt(v4_dot(d, d)), wanted = small_number(m->length);
    tni_m4 has = f4_less(least, length), is_rope = small_mask(m->ropes);
    tni_f4 inverse = f4_div(one, f4_max(length, least));
    tni_v4 n = v4_pick(has, v4_scale(inverse, d), (tni_v4){one, zero, zero});
    tni_v4 rate = v4_add(small_vector_of_b_less_a(frames->v), small_vector_of_b_less_a(frames->of));
    tni_f4 along = v4_dot(n, rate), across = f4_sub(v4_dot(rate, rate), f4_mul(along, along));
    tni_f4 longest = f4_pick(is_rope, f4_max(length, wanted), length);
    tni_f4 turning = f4_div(f4_max(across, zero), f4_max(longest, least));
    turning = f4_pick(f4_less(least, longest), turning, zero);
    tni_f4 sign = f4_mul(small_number(m->lines), f4_pick(is_rope, f4_splat(-1.0f), one));
    small_line line = {f4_mul(sign, f4_sub(length, wanted)),
                       f4_mul(sign, f4_add(v4_dot(n, frames->centripetal), turning))};
    rows->line = v4_scale(sign, n);
    return line;
}

// As tni_axis_get_twist_direction() of axes that are less than 90 degrees apart.
TNI_FORCE_INLINE void small_set_twist(const tni_small_machine *m, const small_frames *frames,
                                      small_rows *rows) {
    tni_v4 sum = v4_add(pins_low(frames->x), pins_high(frames->x));
    tni_f4 square = f4_pick(small_mask(m->twists), v4_dot(sum, sum), f4_splat(1.0f));
    tni_f4 scale = f4_mul(small_number(m->twists), f4_div(f4_splat(2.0f), square));
    rows->twist = v4_scale(scale, sum);
}

TNI_FORCE_INLINE tni_f4 small_inverse_or_zero(tni_f4 k) {
    tni_m4 is_some = f4_less(f4_zero(), k);
    tni_f4 inverse = f4_div(f4_splat(1.0f), f4_pick(is_some, k, f4_splat(1.0f)));
    return f4_pick(is_some, inverse, f4_zero());
}

// As solver/joint_bounded.c drives limits and speeds, and solver/joint_block.c what is rigid.
TNI_FORCE_INLINE void small_drive_rows(const tni_small_machine *m, const tni_solver *solver,
                                       const pins_softness *own, small_line line,
                                       small_rows *rows) {
    tni_f4 zero = f4_zero(), one = f4_splat(1.0f), endless = f4_splat(INFINITY);
    tni_f4 mass = small_inverse_or_zero(rows->k[0]);
    tni_f4 soft_mass = small_inverse_or_zero(rows->k[1]);
    tni_m4 is_line = small_mask(m->lines), is_rope = small_mask(m->ropes);
    tni_f4 cap = small_number(m->cap), half_cap = f4_mul(f4_splat(0.5f), cap);
    tni_f4 target = f4_sub(zero, small_number(m->target));
    small_drive *b = &rows->drive[0], *a = &rows->drive[1];
    *b = (small_drive){one, mass, target, f4_sub(zero, cap), cap};
    *a = (small_drive){one, soft_mass, target, f4_sub(zero, half_cap), half_cap};
    rows->bounded_error = line.error;
    if (!m->has_lines) {
        return;
    }
    tni_m4 is_open = m4_and(f4_less(zero, line.error), is_rope);
    tni_f4 closing = f4_mul(line.error, f4_splat(solver->inv_h));
    tni_f4 drift = f4_mul(own->prediction, line.term);
    // A rope is fed back without slop.
    tni_f4 speed = f4_max(f4_mul(own->rate, line.error), f4_sub(zero, own->most));
    tni_f4 bias = f4_pick(is_rope, f4_add(speed, drift),
                          pins_get_bias(own, own->rate, line.error, line.term));
    tni_f4 lower = f4_pick(is_rope, zero, f4_sub(zero, endless));
    b->bias = f4_pick(is_line, f4_pick(is_open, closing, zero), b->bias);
    a->bias = f4_pick(is_line, f4_pick(is_open, f4_add(closing, drift), bias), a->bias);
    tni_f4 keep = f4_sub(one, small_number(m->impulse_scale));
    tni_m4 is_soft = m4_and_not(is_line, is_open);
    a->keep = f4_pick(is_soft, keep, one);
    a->mass = f4_pick(is_soft, f4_mul(a->mass, small_number(m->mass_scale)), a->mass);
    b->lower = f4_pick(is_line, lower, b->lower);
    a->lower = f4_pick(is_line, lower, a->lower);
    b->upper = f4_pick(is_line, endless, b->upper);
    a->upper = f4_pick(is_line, endless, a->upper);
}

// Line and twist are set.
TNI_FORCE_INLINE void small_set_bounded(const tni_small_machine *m, const tni_s8 *inertia,
                                        uint32_t turns, small_rows *rows) {
    tni_v8 n = pins_join(rows->line, rows->line), spin = v8_zero();
    if (m->has_lines) {
        spin = v8_add(v8_scale(n.x, rows->spin[0]), v8_scale(n.y, rows->spin[1]));
        spin = v8_add_scaled(spin, n.z, rows->spin[2]);
    }
    rows->twist_spin = v8_zero();
    if (m->has_twists) {
        rows->twist_spin = s8_mul(inertia, pins_join(rows->twist, rows->twist));
        spin = v8_add(spin, rows->twist_spin);
    }
    tni_f4 mass = pins_add_halves(f8_load(m->mass));
    tni_v4 turned = small_sum(spin), zero = small_zero();
    rows->tied = v4_add(v4_scale(mass, rows->line), small_sum(v8_cross(spin, rows->r)));
    tni_f4 k = f4_add(v4_dot(rows->line, rows->tied), v4_dot(rows->twist, turned)), soft_k = k;
    rows->tied_turn = rows->through = rows->through_turn = zero;
    rows->alone = k;
    rows->taken = f4_zero();
    if (m->has_twists) {
        tni_f4 of_turns[3] = {f4_zero(), f4_zero(), f4_zero()};
        for (uint32_t i = 0; i < turns; ++i) {
            of_turns[i] = v4_dot(rows->axis[i], turned);
        }
        rows->tied_turn = (tni_v4){of_turns[0], of_turns[1], of_turns[2]};
        small_answer y = small_invert(rows, rows->tied, rows->tied_turn, turns);
        rows->through = y.point;
        rows->through_turn = y.turn;
        rows->taken = f4_add(v4_dot(y.point, rows->tied), v4_dot(y.turn, rows->tied_turn));
        k = f4_sub(rows->alone, rows->taken);
        soft_k = f4_sub(rows->alone, f4_mul(small_number(m->mass_scale), rows->taken));
        // What the equalities hold already.
        tni_m4 is_left = f4_less(f4_mul(f4_splat(JOINT_RESPONSE_FLOOR), rows->alone), k);
        k = f4_pick(is_left, k, f4_zero());
        soft_k = f4_pick(is_left, soft_k, f4_zero());
    }
    rows->k[0] = k;
    rows->k[1] = soft_k;
}

// ---- all --------------------------------------------------------------------------------------

TNI_FORCE_INLINE pins_softness small_get_softness(const tni_small_machine *m, float h, tni_v8 w) {
    tni_f8 square = v8_dot(w, w);
    pins_softness own = {.slop = small_number(m->slop),
                         .rate = small_number(m->rate),
                         .most = small_number(m->most)};
    pins_fade_with_turn(f4_max(f8_low(square), f8_high(square)), h, &own);
    return own;
}

// Rows; responses and K^-1, too, but where these are kept. False where something is not as it is
// done here.
TNI_FORCE_INLINE bool small_refresh_by(const tni_solver *solver, const tni_small_machine *m,
                                       const small_bodies *bodies, bool is_kept, uint32_t turns,
                                       small_rows *rows) {
    small_frames frames;
    small_terms terms;
    small_set_frames(m, bodies, &frames, rows);
    rows->error = frames.between;
    terms.point = frames.centripetal;
    uint32_t far = small_set_axes(m, &frames, rows, &terms) & ~m4_bits(small_mask(m->angles));
    if (turns > 2) {
        far |= small_set_angles(m, &frames, rows, &terms);
    }
    if (m->has_slides) {
        small_set_slide(m, &frames, rows, &terms);
    }
    pins_softness own = small_get_softness(m, solver->h, frames.w);
    small_set_biases(m, &own, &terms, rows);
    small_line line = {f4_zero(), f4_zero()};
    if (m->has_bounded) {
        rows->line = rows->twist = small_zero();
        if (m->has_lines) {
            line = small_set_line(m, &frames, rows);
        }
        if (m->has_twists) {
            small_set_twist(m, &frames, rows);
        }
    }
    if (!is_kept) {
        tni_s8 inertia = small_get_inertia(m, bodies);
        far |= small_set_matrix(m, &inertia, turns, rows);
        if (m->has_bounded) {
            small_set_bounded(m, &inertia, turns, rows);
        }
    }
    if (m->has_bounded) {
        small_drive_rows(m, solver, &own, line, rows);
    }
    return far == 0;
}

SMALL_APART bool small_refresh_two(const tni_solver *solver, const tni_small_machine *m,
                                   const small_bodies *bodies, bool is_kept, small_rows *rows) {
    return small_refresh_by(solver, m, bodies, is_kept, 2, rows);
}

SMALL_APART bool small_refresh_three(const tni_solver *solver, const tni_small_machine *m,
                                     const small_bodies *bodies, bool is_kept, small_rows *rows) {
    return small_refresh_by(solver, m, bodies, is_kept, 3, rows);
}

#endif
