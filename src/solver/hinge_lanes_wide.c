// solver/hinge_lanes_wide.c: rows, K^-1 and responses of four hinges at a new pose.
//
// What joints/hinge_joint.c and solver/pin.c work out for one joint, vector by vector, is here
// worked out number by number, a joint in each lane: the same sums in the same order, so the same
// bits. See there for what they mean; symbols are those of solver/pin.h and joints/parts/axis.h.
// Lanes that no joint is in follow the first one, and what they come to is dropped.
// Test: tests/solver/test_hinge_lanes.c
#include "solver/hinge_lanes.h"

#include <float.h>

#include "core/wide_double.h"
#include "joints/joint.h"
#include "solver/dense.h"
#include "solver/pin.h"

// A vector in each lane.
typedef struct hinge_vector {
    tni_f4 x, y, z;
} hinge_vector;

typedef struct hinge_dvector {
    tni_d4 x, y, z;
} hinge_dvector;

// ---- vectors ----------------------------------------------------------------------------------

TNI_FORCE_INLINE tni_f4 hinge_dot(hinge_vector a, hinge_vector b) {
    tni_f4 sum = f4_add_product(f4_mul(a.x, b.x), a.y, b.y);
    return f4_add_product(sum, a.z, b.z);
}

TNI_FORCE_INLINE hinge_vector hinge_cross(hinge_vector a, hinge_vector b) {
    hinge_vector c = {f4_sub(f4_mul(a.y, b.z), f4_mul(a.z, b.y)),
                      f4_sub(f4_mul(a.z, b.x), f4_mul(a.x, b.z)),
                      f4_sub(f4_mul(a.x, b.y), f4_mul(a.y, b.x))};
    return c;
}

TNI_FORCE_INLINE hinge_vector hinge_add(hinge_vector a, hinge_vector b) {
    hinge_vector c = {f4_add(a.x, b.x), f4_add(a.y, b.y), f4_add(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE hinge_vector hinge_sub(hinge_vector a, hinge_vector b) {
    hinge_vector c = {f4_sub(a.x, b.x), f4_sub(a.y, b.y), f4_sub(a.z, b.z)};
    return c;
}

TNI_FORCE_INLINE hinge_vector hinge_scale(tni_f4 s, hinge_vector a) {
    hinge_vector c = {f4_mul(s, a.x), f4_mul(s, a.y), f4_mul(s, a.z)};
    return c;
}

// a - s b
TNI_FORCE_INLINE hinge_vector hinge_sub_scaled(hinge_vector a, tni_f4 s, hinge_vector b) {
    return hinge_sub(a, hinge_scale(s, b));
}

// The sum of three columns times the numbers of v.
TNI_FORCE_INLINE hinge_vector hinge_mul_columns(const hinge_vector c[3], hinge_vector v) {
    hinge_vector sum = hinge_add(hinge_scale(v.x, c[0]), hinge_scale(v.y, c[1]));
    return hinge_add(sum, hinge_scale(v.z, c[2]));
}

TNI_FORCE_INLINE tni_d4 hinge_double_dot(hinge_dvector a, hinge_dvector b) {
    tni_d4 sum = d4_add_product(d4_mul(a.x, b.x), a.y, b.y);
    return d4_add_product(sum, a.z, b.z);
}

// As rows see numbers: see MATHS_TINY.
TNI_FORCE_INLINE tni_f4 hinge_to_float(tni_d4 x) {
    return f4_flush(d4_to_f4(x), MATHS_TINY);
}

TNI_FORCE_INLINE hinge_vector hinge_vector_to_float(hinge_dvector v) {
    hinge_vector f = {hinge_to_float(v.x), hinge_to_float(v.y), hinge_to_float(v.z)};
    return f;
}

// ---- in ---------------------------------------------------------------------------------------

// Four numbers of each joint, turned to lanes.
TNI_FORCE_INLINE void hinge_load_doubles(const double *const from[HINGE_LANES], tni_d4 out[4]) {
    for (uint32_t l = 0; l < HINGE_LANES; ++l) {
        out[l] = d4_load(from[l]);
    }
    d4_transpose(out);
}

TNI_FORCE_INLINE void hinge_load_floats(const float *const from[HINGE_LANES], uint32_t first,
                                        tni_f4 out[4]) {
    for (uint32_t l = 0; l < HINGE_LANES; ++l) {
        out[l] = f4_load(from[l] + first);
    }
    f4_transpose(&out[0], &out[1], &out[2], &out[3]);
}

// One end of each joint.
typedef struct hinge_ends {
    const tni_body_motion *motion[HINGE_LANES];
    const float *numbers[HINGE_LANES]; // of the bodies' states
    const tni_frame_vectors *vectors[HINGE_LANES];
} hinge_ends;

typedef struct hinge_body {
    hinge_dvector position; // m
    tni_d4 m[3][3];         // rotation
    hinge_vector w;         // rad/s
    hinge_vector inv_mass, inertia[3];
} hinge_body;

// As tni_turn_make().
TNI_FORCE_INLINE void hinge_set_rotation(const tni_d4 q[4], tni_d4 m[3][3]) {
    tni_d4 x = q[0], y = q[1], z = q[2], w = q[3], one = d4_splat(1.0);
    tni_d4 x2 = d4_add(x, x), y2 = d4_add(y, y), z2 = d4_add(z, z);
    tni_d4 xx = d4_mul(x, x2), yy = d4_mul(y, y2), zz = d4_mul(z, z2);
    tni_d4 xy = d4_mul(x, y2), xz = d4_mul(x, z2), yz = d4_mul(y, z2);
    tni_d4 wx = d4_mul(w, x2), wy = d4_mul(w, y2), wz = d4_mul(w, z2);
    m[0][0] = d4_sub(one, d4_add(yy, zz));
    m[0][1] = d4_sub(xy, wz);
    m[0][2] = d4_add(xz, wy);
    m[1][0] = d4_add(xy, wz);
    m[1][1] = d4_sub(one, d4_add(xx, zz));
    m[1][2] = d4_sub(yz, wx);
    m[2][0] = d4_sub(xz, wy);
    m[2][1] = d4_add(yz, wx);
    m[2][2] = d4_sub(one, d4_add(xx, yy));
}

TNI_FORCE_INLINE void hinge_load_body(const hinge_ends *ends, hinge_body *body) {
    const double *position[HINGE_LANES], *rotation[HINGE_LANES], *turn[HINGE_LANES];
    for (uint32_t l = 0; l < HINGE_LANES; ++l) {
        position[l] = &ends->motion[l]->position.x;
        rotation[l] = &ends->motion[l]->rotation.x;
        turn[l] = &ends->motion[l]->angular_velocity.x;
    }
    tni_d4 d[4];
    hinge_load_doubles(rotation, d);
    hinge_set_rotation(d, body->m);
    hinge_load_doubles(position, d);
    body->position = (hinge_dvector){d[0], d[1], d[2]};
    hinge_load_doubles(turn, d);
    body->w = hinge_vector_to_float((hinge_dvector){d[0], d[1], d[2]});
    tni_f4 mass[4], low[4], high[4]; // xx, yy, zz, xy; zz, xy, xz, yz
    hinge_load_floats(ends->numbers, TNI_STATE_INV_MASS, mass);
    hinge_load_floats(ends->numbers, TNI_STATE_INV_INERTIA, low);
    hinge_load_floats(ends->numbers, TNI_STATE_INV_INERTIA + 2, high);
    body->inv_mass = (hinge_vector){mass[0], mass[1], mass[2]};
    body->inertia[0] = (hinge_vector){low[0], low[3], high[2]};
    body->inertia[1] = (hinge_vector){low[3], low[1], high[3]};
    body->inertia[2] = (hinge_vector){high[2], high[3], low[2]};
}

TNI_FORCE_INLINE hinge_dvector hinge_turn(const tni_d4 m[3][3], tni_d4 x, tni_d4 y, tni_d4 z) {
    tni_d4 out[3];
    for (int i = 0; i < 3; ++i) {
        out[i] = d4_add_product(d4_mul(m[i][0], x), m[i][1], y);
        out[i] = d4_add_product(out[i], m[i][2], z);
    }
    hinge_dvector v = {out[0], out[1], out[2]};
    return v;
}

// The frame's origin and axes, turned with the body; y and z if they are asked for.
typedef struct hinge_frame {
    hinge_dvector origin, x, y, z;
} hinge_frame;

TNI_FORCE_INLINE hinge_frame hinge_turn_frame(const hinge_ends *ends, const hinge_body *body,
                                              bool has_all) {
    const double *first[HINGE_LANES], *second[HINGE_LANES], *third[HINGE_LANES];
    for (uint32_t l = 0; l < HINGE_LANES; ++l) {
        first[l] = ends->vectors[l]->origin_x;
        second[l] = ends->vectors[l]->origin_x + 2;
        third[l] = ends->vectors[l]->y_z;
    }
    hinge_frame frame;
    tni_d4 xy[4], yz[4]; // origin and x side by side: of x and y, of y and z; then y and z
    hinge_load_doubles(first, xy);
    hinge_load_doubles(second, yz);
    frame.origin = hinge_turn(body->m, xy[0], xy[2], yz[2]);
    frame.x = hinge_turn(body->m, xy[1], xy[3], yz[3]);
    frame.y = frame.z = frame.x;
    if (has_all) {
        for (uint32_t l = 0; l < HINGE_LANES; ++l) {
            second[l] = ends->vectors[l]->y_z + 2;
        }
        hinge_load_doubles(third, xy);
        hinge_load_doubles(second, yz);
        frame.y = hinge_turn(body->m, xy[0], xy[2], yz[2]);
        frame.z = hinge_turn(body->m, xy[1], xy[3], yz[3]);
    }
    return frame;
}

// ---- rows -------------------------------------------------------------------------------------

typedef struct hinge_rows {
    hinge_vector r_a, r_b, error, term; // of the point: C and Jdot v
    hinge_vector axis[2];
    tni_f4 turn_error[2], turn_term[2];
    uint32_t far; // bits: axes more than 90 degrees apart
} hinge_rows;

// w x (w x r)
TNI_FORCE_INLINE hinge_vector hinge_get_centripetal(hinge_vector w, hinge_vector r) {
    return hinge_cross(w, hinge_cross(w, r));
}

TNI_FORCE_INLINE void hinge_set_point(const hinge_body *a, const hinge_body *b, hinge_dvector arm_a,
                                      hinge_dvector arm_b, hinge_rows *rows) {
    hinge_dvector d = {d4_add(d4_sub(b->position.x, a->position.x), d4_sub(arm_b.x, arm_a.x)),
                       d4_add(d4_sub(b->position.y, a->position.y), d4_sub(arm_b.y, arm_a.y)),
                       d4_add(d4_sub(b->position.z, a->position.z), d4_sub(arm_b.z, arm_a.z))};
    rows->r_a = hinge_vector_to_float(arm_a);
    rows->r_b = hinge_vector_to_float(arm_b);
    rows->error = hinge_vector_to_float(d);
    rows->term =
        hinge_sub(hinge_get_centripetal(b->w, rows->r_b), hinge_get_centripetal(a->w, rows->r_a));
}

TNI_FORCE_INLINE void hinge_set_turns(const hinge_body *a, const hinge_body *b,
                                      const hinge_frame *frame_a, hinge_dvector x_b,
                                      hinge_rows *rows) {
    double cosine[HINGE_LANES];
    d4_store(cosine, hinge_double_dot(frame_a->x, x_b));
    rows->far = 0;
    for (uint32_t l = 0; l < HINGE_LANES; ++l) {
        rows->far |= (cosine[l] < 0.0 ? 1u : 0u) << l;
    }
    const hinge_dvector across[2] = {frame_a->y, frame_a->z};
    hinge_vector x = hinge_vector_to_float(x_b), relative = hinge_sub(b->w, a->w);
    tni_f4 along = hinge_dot(x, relative), along_a = f4_sub(hinge_dot(x, b->w), along);
    tni_f4 square = hinge_dot(relative, relative);
    for (uint32_t k = 0; k < 2; ++k) {
        hinge_vector u = hinge_vector_to_float(across[k]);
        tni_f4 error = hinge_to_float(hinge_double_dot(across[k], x_b));
        tni_f4 term =
            f4_sub(f4_mul(hinge_dot(u, b->w), along), f4_mul(along_a, hinge_dot(u, relative)));
        rows->turn_error[k] = error;
        rows->turn_term[k] = f4_sub(term, f4_mul(error, square));
        rows->axis[k] = hinge_cross(x, u);
    }
}

// ---- K^-1 -------------------------------------------------------------------------------------

typedef struct hinge_matrix {
    hinge_vector spin_a[3], spin_b[3], turn_spin_a[2], turn_spin_b[2];
    hinge_vector inverse[3], to_point[2]; // columns
    tni_f4 turns[3];                      // of the turns' block: 00, 01, 11
    tni_m4 is_sound;
} hinge_matrix;

// I^-1 (r x e_j) and I^-1 u_k
TNI_FORCE_INLINE void hinge_set_spins(const hinge_vector inertia[3], hinge_vector r,
                                      const hinge_vector axis[2], hinge_vector spin[3],
                                      hinge_vector turn_spin[2]) {
    spin[0] = hinge_sub_scaled(hinge_scale(r.z, inertia[1]), r.y, inertia[2]);
    spin[1] = hinge_sub_scaled(hinge_scale(r.x, inertia[2]), r.z, inertia[0]);
    spin[2] = hinge_sub_scaled(hinge_scale(r.y, inertia[0]), r.x, inertia[1]);
    turn_spin[0] = hinge_mul_columns(inertia, axis[0]);
    turn_spin[1] = hinge_mul_columns(inertia, axis[1]);
}

TNI_FORCE_INLINE hinge_vector hinge_couple(const hinge_rows *rows, hinge_vector s_a,
                                           hinge_vector s_b) {
    return hinge_add(hinge_cross(s_b, rows->r_b), hinge_cross(s_a, rows->r_a));
}

TNI_FORCE_INLINE tni_m4 hinge_is_above(tni_f4 x, tni_f4 floor) {
    return m4_and(f4_less(floor, x), f4_less(f4_splat(FLT_MIN), x));
}

// P
TNI_FORCE_INLINE void hinge_invert_point(const hinge_vector c[3], hinge_matrix *k) {
    hinge_vector x = hinge_cross(c[1], c[2]), y = hinge_cross(c[2], c[0]);
    hinge_vector z = hinge_cross(c[0], c[1]);
    tni_f4 first = c[0].x, second = z.z, det = hinge_dot(c[0], x);
    tni_f4 floor = f4_splat(DENSE_PIVOT_FLOOR), scale = f4_div(f4_splat(1.0f), det);
    k->is_sound = hinge_is_above(first, f4_mul(floor, c[0].x));
    k->is_sound = m4_and(k->is_sound, hinge_is_above(second, f4_mul(f4_mul(floor, first), c[1].y)));
    k->is_sound = m4_and(k->is_sound, hinge_is_above(det, f4_mul(f4_mul(floor, second), c[2].z)));
    k->inverse[0] = hinge_scale(scale, x);
    k->inverse[1] = hinge_scale(scale, y);
    k->inverse[2] = hinge_scale(scale, z);
}

// S^-1
TNI_FORCE_INLINE void hinge_invert_turns(const hinge_rows *rows, const hinge_vector turned[2],
                                         const hinge_vector mixed[2], const hinge_vector y[2],
                                         hinge_matrix *k) {
    tni_f4 own_0 = hinge_dot(rows->axis[0], turned[0]), own_1 = hinge_dot(rows->axis[1], turned[1]);
    tni_f4 a = f4_sub(own_0, hinge_dot(mixed[0], y[0]));
    tni_f4 b = f4_sub(hinge_dot(rows->axis[0], turned[1]), hinge_dot(mixed[0], y[1]));
    tni_f4 d = f4_sub(own_1, hinge_dot(mixed[1], y[1]));
    tni_f4 det = f4_sub(f4_mul(a, d), f4_mul(b, b)), floor = f4_splat(DENSE_PIVOT_FLOOR);
    tni_f4 scale = f4_div(f4_splat(1.0f), det);
    k->is_sound = m4_and(k->is_sound, hinge_is_above(a, f4_mul(floor, own_0)));
    k->is_sound = m4_and(k->is_sound, hinge_is_above(det, f4_mul(f4_mul(floor, a), own_1)));
    k->turns[0] = f4_mul(scale, d);
    k->turns[1] = f4_mul(f4_sub(f4_splat(0.0f), scale), b);
    k->turns[2] = f4_mul(scale, a);
}

// The rest of K^-1, from P.
TNI_FORCE_INLINE void hinge_invert_blocks(const hinge_rows *rows, const hinge_vector turned[2],
                                          const hinge_vector mixed[2], hinge_matrix *k) {
    const hinge_vector y[2] = {hinge_mul_columns(k->inverse, mixed[0]),
                               hinge_mul_columns(k->inverse, mixed[1])};
    tni_f4 zero = f4_splat(0.0f);
    const hinge_vector none = {zero, zero, zero};
    hinge_invert_turns(rows, turned, mixed, y, k);
    for (uint32_t m = 0; m < 2; ++m) {
        hinge_vector z = hinge_sub_scaled(none, k->turns[m], y[0]);
        z = hinge_sub_scaled(z, k->turns[m + 1], y[1]);
        k->to_point[m] = z;
        k->inverse[0] = hinge_sub_scaled(k->inverse[0], y[m].x, z);
        k->inverse[1] = hinge_sub_scaled(k->inverse[1], y[m].y, z);
        k->inverse[2] = hinge_sub_scaled(k->inverse[2], y[m].z, z);
    }
}

TNI_FORCE_INLINE void hinge_set_matrix(const hinge_body *a, const hinge_body *b,
                                       const hinge_rows *rows, hinge_matrix *k) {
    hinge_set_spins(a->inertia, rows->r_a, rows->axis, k->spin_a, k->turn_spin_a);
    hinge_set_spins(b->inertia, rows->r_b, rows->axis, k->spin_b, k->turn_spin_b);
    hinge_vector point[3], turned[2], mixed[2];
    for (uint32_t j = 0; j < 3; ++j) {
        point[j] = hinge_couple(rows, k->spin_a[j], k->spin_b[j]);
    }
    hinge_vector mass = hinge_add(a->inv_mass, b->inv_mass);
    point[0].x = f4_add(mass.x, point[0].x);
    point[1].y = f4_add(mass.y, point[1].y);
    point[2].z = f4_add(mass.z, point[2].z);
    for (uint32_t m = 0; m < 2; ++m) {
        turned[m] = hinge_add(k->turn_spin_a[m], k->turn_spin_b[m]);
        mixed[m] = hinge_couple(rows, k->turn_spin_a[m], k->turn_spin_b[m]);
    }
    hinge_invert_point(point, k);
    hinge_invert_blocks(rows, turned, mixed, k);
}

// ---- bias -------------------------------------------------------------------------------------

// What each joint has of its own.
typedef struct hinge_softness {
    tni_f4 slop, rate, turn_rate, most, prediction;
} hinge_softness;

#define HINGE_GATHER(blocks, field)                                                                \
    f4_make((blocks)[0]->field, (blocks)[1]->field, (blocks)[2]->field, (blocks)[3]->field)

TNI_FORCE_INLINE hinge_softness hinge_get_softness(tni_joint_block *const *blocks) {
    hinge_softness own = {.slop = HINGE_GATHER(blocks, slop),
                          .rate = HINGE_GATHER(blocks, softness.rate),
                          .most = HINGE_GATHER(blocks, max_speed),
                          .prediction = HINGE_GATHER(blocks, prediction)};
    own.turn_rate = f4_mul(HINGE_GATHER(blocks, angular_share), own.rate);
    return own;
}

TNI_FORCE_INLINE tni_f4 hinge_get_bias(const hinge_softness *own, tni_f4 rate, tni_f4 error,
                                       tni_f4 term) {
    tni_f4 zero = f4_splat(0.0f);
    error = f4_sub(error, f4_max(f4_min(error, own->slop), f4_sub(zero, own->slop)));
    tni_f4 speed = f4_mul(error, rate);
    speed = f4_max(f4_min(speed, own->most), f4_sub(zero, own->most));
    return f4_add_product(speed, own->prediction, term);
}

// ---- out --------------------------------------------------------------------------------------

// Lanes back to joints: a vector of each.
#define HINGE_STORE(to, vx, vy, vz)                                                                \
    {                                                                                              \
        tni_f4 v_0 = (vx), v_1 = (vy), v_2 = (vz), v_3 = f4_splat(0.0f);                           \
        f4_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->to = v_0;                                                                         \
        pins[1]->to = v_1;                                                                         \
        pins[2]->to = v_2;                                                                         \
        pins[3]->to = v_3;                                                                         \
    }
#define HINGE_STORE_VECTOR(to, v) HINGE_STORE(to, (v).x, (v).y, (v).z)

// A joint's block, or where what comes of an unused lane goes.
typedef union hinge_spare {
    tni_pin_block pin;
    tni_f4 room[(sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(tni_f4)];
} hinge_spare;

TNI_FORCE_INLINE void hinge_store_point(tni_pin_block *const pins[HINGE_LANES],
                                        const hinge_rows *rows, const hinge_matrix *k,
                                        const hinge_softness *own) {
    HINGE_STORE_VECTOR(r_a, rows->r_a)
    HINGE_STORE_VECTOR(r_b, rows->r_b)
    HINGE_STORE_VECTOR(error, rows->error)
    HINGE_STORE(bias, hinge_get_bias(own, own->rate, rows->error.x, rows->term.x),
                hinge_get_bias(own, own->rate, rows->error.y, rows->term.y),
                hinge_get_bias(own, own->rate, rows->error.z, rows->term.z))
    for (uint32_t j = 0; j < 3; ++j) {
        HINGE_STORE_VECTOR(inverse[j], k->inverse[j])
        HINGE_STORE_VECTOR(spin_a[j], k->spin_a[j])
        HINGE_STORE_VECTOR(spin_b[j], k->spin_b[j])
    }
}

TNI_FORCE_INLINE void hinge_store_turns(tni_pin_block *const pins[HINGE_LANES],
                                        const hinge_rows *rows, const hinge_matrix *k,
                                        const hinge_softness *own) {
    tni_f4 zero = f4_splat(0.0f);
    HINGE_STORE(turns->axis[0], rows->axis[0].x, rows->axis[1].x, zero)
    HINGE_STORE(turns->axis[1], rows->axis[0].y, rows->axis[1].y, zero)
    HINGE_STORE(turns->axis[2], rows->axis[0].z, rows->axis[1].z, zero)
    HINGE_STORE(turns->error, rows->turn_error[0], rows->turn_error[1], zero)
    HINGE_STORE(turns->bias,
                hinge_get_bias(own, own->turn_rate, rows->turn_error[0], rows->turn_term[0]),
                hinge_get_bias(own, own->turn_rate, rows->turn_error[1], rows->turn_term[1]), zero)
    HINGE_STORE(turns->from_point[0], k->to_point[0].x, k->to_point[1].x, zero)
    HINGE_STORE(turns->from_point[1], k->to_point[0].y, k->to_point[1].y, zero)
    HINGE_STORE(turns->from_point[2], k->to_point[0].z, k->to_point[1].z, zero)
    for (uint32_t m = 0; m < 2; ++m) {
        HINGE_STORE(turns->inverse[m], k->turns[m], k->turns[m + 1], zero)
        HINGE_STORE_VECTOR(turns->to_point[m], k->to_point[m])
        HINGE_STORE_VECTOR(turns->spin_a[m], k->turn_spin_a[m])
        HINGE_STORE_VECTOR(turns->spin_b[m], k->turn_spin_b[m])
    }
}

// ---- all --------------------------------------------------------------------------------------

TNI_FORCE_INLINE void hinge_set_end(const tni_solver *solver, uint32_t body,
                                    const tni_frame_vectors *vectors, hinge_ends *ends,
                                    uint32_t lane) {
    ends->motion[lane] = &solver->motions[body];
    ends->numbers[lane] = solver->states[body].numbers;
    ends->vectors[lane] = vectors;
}

uint32_t WIDE_NAME(tni_hinges_refresh)(const tni_solver *solver, tni_joint_block *const *blocks,
                                       uint32_t count) {
    hinge_spare spare;
    hinge_ends at_a, at_b;
    tni_joint_block *all[HINGE_LANES];
    tni_pin_block *pins[HINGE_LANES];
    for (uint32_t l = 0; l < HINGE_LANES; ++l) {
        all[l] = blocks[l < count ? l : 0];
        pins[l] = l < count ? all[l]->pin : &spare.pin;
        hinge_set_end(solver, all[l]->body_a, &all[l]->joint->vectors_a, &at_a, l);
        hinge_set_end(solver, all[l]->body_b, &all[l]->joint->vectors_b, &at_b, l);
        pins[l]->mass_a = f4_load(at_a.numbers[l] + TNI_STATE_INV_MASS);
        pins[l]->mass_b = f4_load(at_b.numbers[l] + TNI_STATE_INV_MASS);
    }
    hinge_body a, b;
    hinge_load_body(&at_a, &a);
    hinge_load_body(&at_b, &b);
    hinge_frame frame_a = hinge_turn_frame(&at_a, &a, true);
    hinge_frame frame_b = hinge_turn_frame(&at_b, &b, false);
    hinge_rows rows;
    hinge_matrix k;
    hinge_set_point(&a, &b, frame_a.origin, frame_b.origin, &rows);
    hinge_set_turns(&a, &b, &frame_a, frame_b.x, &rows);
    hinge_set_matrix(&a, &b, &rows, &k);
    hinge_softness own = hinge_get_softness(all);
    hinge_store_point(pins, &rows, &k, &own);
    hinge_store_turns(pins, &rows, &k, &own);
    return (rows.far | ~m4_bits(k.is_sound)) & ((1u << count) - 1u);
}
