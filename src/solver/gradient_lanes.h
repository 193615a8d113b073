// solver/gradient_lanes.h: joints of a mechanism in groups of four, one in each lane.
//
// Conjugate gradients read the rows of every joint twice in each iteration, and do little with what
// they read. So the rows are copied out of the blocks, four joints side by side: number c of J, of
// the arms, of K^-1 or of W is one vector of four, and nothing is shuffled but the velocities of
// the bodies on their way in and out. The joints of a group share no body that moves, so that a
// sweep may take them at once. There are three kinds,
//     POINT  three rows of a point
//     FRAME  a point and up to three turns; fewer turns leave zeros in K^-1
//     ROWS   up to three rows of any J: rods, welds with a soft point
// A lane that no joint is in has K^-1 = 0 and the world for bodies, so nothing comes of it.
// `inverse` is D'^-1 = K^-1 / (1 + gamma): see solver/conjugate_gradients.c. For the symbols of a
// point and its turns see solver/pin.h. Test: tests/solver/test_gradient_lanes.c
#ifndef TNI_SOLVER_GRADIENT_LANES_H
#define TNI_SOLVER_GRADIENT_LANES_H

#include "core/arena.h"
#include "solver/gradient_block.h"

#define TNI_GRADIENT_LANES 4

typedef enum tni_lanes_kind {
    TNI_LANES_POINT,
    TNI_LANES_FRAME,
    TNI_LANES_ROWS,
} tni_lanes_kind;

// A symmetric matrix of three: xx, yy, zz, xy, xz, yz.
typedef struct tni_lanes_sym3 {
    tni_f4 m[6];
} tni_lanes_sym3;

typedef struct tni_lanes_masses {
    tni_f4 mass[3]; // inverse, by axis
    tni_lanes_sym3 inertia;
} tni_lanes_masses;

typedef struct tni_lanes_turns {
    tni_f4 axis[3][3];     // component c of u_k in [c][k]
    tni_f4 coupling[3][3]; // row j of the point, turn k in [j][k]
    tni_lanes_sym3 inverse;
} tni_lanes_turns;

typedef struct tni_lanes_members {
    uint32_t body_a[TNI_GRADIENT_LANES], body_b[TNI_GRADIENT_LANES]; // of the solver
    uint32_t joint[TNI_GRADIENT_LANES]; // of the mechanism; the first where there is none
    uint32_t count;
    tni_lanes_kind kind;
} tni_lanes_members;

struct tni_gradient_lanes {
    tni_lanes_members members;
    uint32_t first_row; // in vectors of lanes
    tni_f4 gamma, impulse_scale;
    tni_lanes_sym3 inverse; // of the point or the rows
    tni_lanes_masses of_a, of_b;
    union {
        struct {
            tni_f4 r_a[3], r_b[3];
            tni_lanes_turns turns;
        };
        tni_f4 jacobian[12][3]; // lin_a, ang_a, lin_b, ang_b of row i in [..][i]
    };
};

// Velocities, or forces and torques, of four bodies.
typedef struct tni_lanes_motion {
    tni_f4 v[3], w[3];
} tni_lanes_motion;

// Groups for the joints of a mechanism; false when memory cannot be had.
bool tni_gradient_lanes_pack(const tni_solver *solver, tni_gradients *gradients, tni_arena *arena);
// Their rows as they are now, where they are not there yet.
void tni_gradient_lanes_load(const tni_solver *solver, tni_gradients *gradients);

// Before and after the iterations: solver/gradient_start.c. Solve A: the residual r; b.D^-1 b, and
// r.D^-1 r in out_now. Solve B: r; r.D^-1 r.
double tni_gradients_start_bias(const tni_solver *solver, const tni_gradients *gradients,
                                double *out_now);
double tni_gradients_start_relax(const tni_solver *solver, const tni_gradients *gradients);
// What was found to velocities and impulses; or joint by joint.
void tni_gradients_take(const tni_solver *solver, const tni_gradients *gradients);
void tni_gradients_unload(const tni_gradients *gradients);
// The motions of all bodies that the groups name, also of those that do not move.
void tni_gradients_clear_all(const tni_gradients *gradients);

// An iteration: solver/gradient_passes.c. The first z, from which comes r.z; p, from which comes
// p.A p; the step, from which comes r.z.
double tni_gradients_begin(const tni_gradients *gradients);
double tni_gradients_turn(const tni_solver *solver, const tni_gradients *gradients, float beta);
double tni_gradients_advance(const tni_gradients *gradients, float alpha);

// The numbers of a group in the vectors, by either preconditioner's names.
typedef struct tni_lanes_numbers {
    union {
        tni_f4 *r, *s;
    };
    union {
        tni_f4 *z, *y;
    };
    union {
        tni_f4 *image, *w; // image: A p
    };
    tni_f4 *x, *p, *q, *m;
} tni_lanes_numbers;

TNI_FORCE_INLINE tni_lanes_numbers lanes_numbers(const tni_gradients *g,
                                                 const tni_gradient_lanes *group) {
    tni_f4 *const *vectors = g->lane_vectors;
    uint32_t at = group->first_row;
    tni_lanes_numbers numbers = {.r = vectors[0] + at,
                                 .z = vectors[1] + at,
                                 .image = vectors[2] + at,
                                 .x = vectors[3] + at,
                                 .p = vectors[4] + at,
                                 .q = vectors[5] + at,
                                 .m = vectors[6] + at};
    return numbers;
}

static inline uint32_t lanes_rows(tni_lanes_kind kind) {
    return kind == TNI_LANES_FRAME ? 6 : 3;
}

// Three numbers of four joints or bodies into lanes.
TNI_FORCE_INLINE void lanes_turn(tni_f4 p, tni_f4 q, tni_f4 r, tni_f4 s, tni_f4 out[3]) {
    f4_transpose(&p, &q, &r, &s);
    out[0] = p;
    out[1] = q;
    out[2] = r;
}

// And back: three numbers and a zero of each.
TNI_FORCE_INLINE void lanes_part(const tni_f4 in[3], tni_f4 out[4]) {
    for (uint32_t i = 0; i < 3; ++i) {
        out[i] = in[i];
    }
    out[3] = f4_splat(0.0f);
    f4_transpose(&out[0], &out[1], &out[2], &out[3]);
}

TNI_FORCE_INLINE const tni_joint_block *lanes_block(const tni_solver *solver,
                                                    const tni_gradients *g,
                                                    const tni_gradient_lanes *group, uint32_t i) {
    return &solver->joints[g->first + group->members.joint[i]];
}

// One number for every row of four joints.
TNI_FORCE_INLINE void lanes_turn_numbers(const tni_pin_numbers x[4], tni_lanes_kind kind,
                                         tni_f4 out[6]) {
    lanes_turn(x[0].point, x[1].point, x[2].point, x[3].point, out);
    if (kind == TNI_LANES_FRAME) {
        lanes_turn(x[0].turn, x[1].turn, x[2].turn, x[3].turn, out + 3);
    }
}

TNI_FORCE_INLINE void lanes_get_impulses(const tni_solver *solver, const tni_gradients *g,
                                         const tni_gradient_lanes *group, tni_lanes_kind kind,
                                         tni_f4 out[6]) {
    tni_pin_numbers x[4];
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        x[i] = gradient_get_impulse(lanes_block(solver, g, group, i));
    }
    lanes_turn_numbers(x, kind, out);
}

// The numbers of one joint out of its lane; those of turns are only there in a frame.
TNI_FORCE_INLINE void lanes_split(const tni_f4 *x, tni_lanes_kind kind, tni_pin_numbers out[4]) {
    tni_f4 zero = f4_splat(0.0f), point[4], turn[4] = {zero, zero, zero, zero};
    lanes_part(x, point);
    if (kind == TNI_LANES_FRAME) {
        lanes_part(x + 3, turn);
    }
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        out[i].point = point[i];
        out[i].turn = turn[i];
    }
}

TNI_FORCE_INLINE tni_lanes_motion lanes_get(const tni_gradient_motion *motions,
                                            const uint32_t body[TNI_GRADIENT_LANES]) {
    const tni_gradient_motion *p = &motions[body[0]], *q = &motions[body[1]];
    const tni_gradient_motion *r = &motions[body[2]], *s = &motions[body[3]];
    tni_lanes_motion lanes;
    lanes_turn(p->v, q->v, r->v, s->v, lanes.v);
    lanes_turn(p->w, q->w, r->w, s->w, lanes.w);
    return lanes;
}

TNI_FORCE_INLINE void lanes_set(tni_gradient_motion *motions,
                                const uint32_t body[TNI_GRADIENT_LANES],
                                const tni_lanes_motion *lanes) {
    tni_f4 v[4], w[4];
    lanes_part(lanes->v, v);
    lanes_part(lanes->w, w);
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        motions[body[i]].v = v[i];
        motions[body[i]].w = w[i];
    }
}

// motions += lanes
TNI_FORCE_INLINE void lanes_add(tni_gradient_motion *motions,
                                const uint32_t body[TNI_GRADIENT_LANES],
                                const tni_lanes_motion *lanes) {
    tni_f4 v[4], w[4];
    lanes_part(lanes->v, v);
    lanes_part(lanes->w, w);
    for (uint32_t i = 0; i < TNI_GRADIENT_LANES; ++i) {
        tni_gradient_motion *motion = &motions[body[i]];
        motion->v = f4_add(motion->v, v[i]);
        motion->w = f4_add(motion->w, w[i]);
    }
}

// out += a x b
TNI_FORCE_INLINE void lanes_add_cross(tni_f4 out[3], const tni_f4 a[3], const tni_f4 b[3]) {
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = f4_add(out[i], f4_sub(f4_mul(a[j], b[k]), f4_mul(a[k], b[j])));
    }
}

// out += M x
TNI_FORCE_INLINE void lanes_add_sym3(tni_f4 out[3], const tni_lanes_sym3 *s, const tni_f4 x[3]) {
    const tni_f4 *m = s->m;
    const uint32_t place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            out[i] = f4_add_product(out[i], m[place[i][j]], x[j]);
        }
    }
}

TNI_FORCE_INLINE void lanes_add_rows_speed(const tni_gradient_lanes *group, uint32_t first,
                                           const tni_f4 v[3], tni_f4 out[3]) {
    for (uint32_t c = 0; c < 3; ++c) {
        for (uint32_t i = 0; i < 3; ++i) {
            out[i] = f4_add_product(out[i], group->jacobian[first + c][i], v[c]);
        }
    }
}

// J v
TNI_FORCE_INLINE void lanes_speed(const tni_gradient_lanes *group, tni_lanes_kind kind,
                                  const tni_lanes_motion *a, const tni_lanes_motion *b,
                                  tni_f4 *out) {
    if (kind == TNI_LANES_ROWS) {
        out[0] = out[1] = out[2] = f4_splat(0.0f);
        lanes_add_rows_speed(group, 0, a->v, out);
        lanes_add_rows_speed(group, 3, a->w, out);
        lanes_add_rows_speed(group, 6, b->v, out);
        lanes_add_rows_speed(group, 9, b->w, out);
        return;
    }
    for (uint32_t c = 0; c < 3; ++c) {
        out[c] = f4_sub(b->v[c], a->v[c]);
    }
    lanes_add_cross(out, b->w, group->r_b);
    lanes_add_cross(out, group->r_a, a->w);
    for (uint32_t k = 0; kind == TNI_LANES_FRAME && k < 3; ++k) {
        out[3 + k] = f4_splat(0.0f);
        for (uint32_t c = 0; c < 3; ++c) {
            tni_f4 w = f4_sub(b->w[c], a->w[c]);
            out[3 + k] = f4_add_product(out[3 + k], group->turns.axis[c][k], w);
        }
    }
}

// D'^-1 r
TNI_FORCE_INLINE void lanes_invert(const tni_gradient_lanes *group, tni_lanes_kind kind,
                                   const tni_f4 *r, tni_f4 *x) {
    for (uint32_t i = 0; i < lanes_rows(kind); ++i) {
        x[i] = f4_splat(0.0f);
    }
    lanes_add_sym3(x, &group->inverse, r);
    if (kind == TNI_LANES_FRAME) {
        lanes_add_sym3(x + 3, &group->turns.inverse, r + 3);
        for (uint32_t j = 0; j < 3; ++j) {
            for (uint32_t k = 0; k < 3; ++k) {
                tni_f4 coupling = group->turns.coupling[j][k];
                x[j] = f4_add_product(x[j], coupling, r[3 + k]);
                x[3 + k] = f4_add_product(x[3 + k], coupling, r[j]);
            }
        }
    }
}

// J^T x
TNI_FORCE_INLINE void lanes_forces(const tni_gradient_lanes *group, tni_lanes_kind kind,
                                   const tni_f4 *x, tni_lanes_motion *a, tni_lanes_motion *b) {
    for (uint32_t c = 0; c < 3; ++c) {
        a->v[c] = a->w[c] = b->v[c] = b->w[c] = f4_splat(0.0f);
    }
    if (kind == TNI_LANES_ROWS) {
        for (uint32_t c = 0; c < 3; ++c) {
            for (uint32_t i = 0; i < 3; ++i) {
                a->v[c] = f4_add_product(a->v[c], group->jacobian[c][i], x[i]);
                a->w[c] = f4_add_product(a->w[c], group->jacobian[3 + c][i], x[i]);
                b->v[c] = f4_add_product(b->v[c], group->jacobian[6 + c][i], x[i]);
                b->w[c] = f4_add_product(b->w[c], group->jacobian[9 + c][i], x[i]);
            }
        }
        return;
    }
    tni_f4 zero = f4_splat(0.0f);
    for (uint32_t c = 0; c < 3; ++c) {
        b->v[c] = x[c];
        for (uint32_t k = 0; kind == TNI_LANES_FRAME && k < 3; ++k) {
            b->w[c] = f4_add_product(b->w[c], group->turns.axis[c][k], x[3 + k]);
        }
        a->v[c] = f4_sub(zero, x[c]);
        a->w[c] = f4_sub(zero, b->w[c]);
    }
    lanes_add_cross(a->w, x, group->r_a);
    lanes_add_cross(b->w, group->r_b, x);
}

// v += W J^T x
TNI_FORCE_INLINE void lanes_push(const tni_gradient_lanes *group, tni_lanes_kind kind,
                                 const tni_f4 *x, tni_lanes_motion *a, tni_lanes_motion *b) {
    tni_lanes_motion on_a, on_b;
    lanes_forces(group, kind, x, &on_a, &on_b);
    for (uint32_t c = 0; c < 3; ++c) {
        a->v[c] = f4_add_product(a->v[c], group->of_a.mass[c], on_a.v[c]);
        b->v[c] = f4_add_product(b->v[c], group->of_b.mass[c], on_b.v[c]);
    }
    lanes_add_sym3(a->w, &group->of_a.inertia, on_a.w);
    lanes_add_sym3(b->w, &group->of_b.inertia, on_b.w);
}

#endif
