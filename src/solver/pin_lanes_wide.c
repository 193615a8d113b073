// solver/pin_lanes_wide.c: rows, K^-1 and responses of four pins at a new pose.
//
// What joints/hinge_joint.c, joints/slider_joint.c and solver/pin.c work out for one joint, vector
// by vector, is here worked out number by number, a joint in each lane: the same sums in the same
// order, so the same bits. See there for what they mean; symbols are those of solver/pin.h,
// joints/parts/axis.h and angle.c. Where hinges and sliders are among the four, lanes go both ways
// and each keeps its own; the third turn that a hinge has not is zero. Lanes that no joint is in
// follow the first one, and what they come to is dropped.
// Test: tests/solver/test_pin_lanes.c
#include "solver/joint_group.h"
#include "solver/pin.h"
#include "solver/pin_lanes_matrix.h"

// ---- bias -------------------------------------------------------------------------------------

// What each joint has of its own.
typedef struct pins_softness {
    tni_f4 slop, rate, turn_rate, most, prediction;
} pins_softness;

#define PINS_GATHER(blocks, field)                                                                 \
    f4_make((blocks)[0]->field, (blocks)[1]->field, (blocks)[2]->field, (blocks)[3]->field)

// As joint_fade_with_turn() in solver/joint_block.c.
TNI_FORCE_INLINE void pins_fade_with_turn(tni_f4 turn, float h, pins_softness *own) {
    const float begin = JOINT_PREDICTION_END - 1.0f;
    tni_f4 square = f4_mul(turn, f4_splat(h * h)), zero = f4_splat(0.0f), one = f4_splat(1.0f);
    tni_f4 faded = f4_max(zero, f4_sub(f4_splat(JOINT_PREDICTION_END), f4_sqrt(square)));
    tni_f4 share = f4_pick(f4_at_most(square, f4_splat(begin * begin)), one, faded);
    tni_f4 lost = f4_mul(square, f4_splat(1.0f / (JOINT_BIAS_TURN * JOINT_BIAS_TURN)));
    own->prediction = f4_mul(f4_splat(0.5f * h), share);
    own->turn_rate = f4_mul(f4_max(zero, f4_sub(one, lost)), own->rate);
}

TNI_FORCE_INLINE pins_softness pins_get_softness(const tni_solver *solver,
                                                 tni_joint_block *const *blocks, uint32_t count,
                                                 tni_f4 turn) {
    pins_softness own = {.slop = PINS_GATHER(blocks, slop),
                         .rate = PINS_GATHER(blocks, softness.rate),
                         .most = PINS_GATHER(blocks, max_speed)};
    pins_fade_with_turn(turn, solver->h, &own);
    float prediction[PINS_LANES];
    f4_store(prediction, own.prediction);
    for (uint32_t l = 0; l < count; ++l) {
        blocks[l]->prediction = prediction[l];
    }
    return own;
}

TNI_FORCE_INLINE tni_f4 pins_get_bias(const pins_softness *own, tni_f4 rate, tni_f4 error,
                                      tni_f4 term) {
    tni_f4 zero = f4_splat(0.0f);
    error = f4_sub(error, f4_max(f4_min(error, own->slop), f4_sub(zero, own->slop)));
    tni_f4 speed = f4_mul(error, rate);
    speed = f4_max(f4_min(speed, own->most), f4_sub(zero, own->most));
    return f4_add_product(speed, own->prediction, term);
}

TNI_FORCE_INLINE tni_v4 pins_get_biases(const pins_softness *own, tni_f4 rate, tni_v4 error,
                                        tni_v4 term) {
    tni_v4 bias = {pins_get_bias(own, rate, error.x, term.x),
                   pins_get_bias(own, rate, error.y, term.y),
                   pins_get_bias(own, rate, error.z, term.z)};
    return bias;
}

// ---- out --------------------------------------------------------------------------------------

// A zero that the compiler does not know as one. gcc writes the transposition of a zero it knows as
// a move between registers in an encoding that valgrind up to 3.19 does not have.
TNI_FORCE_INLINE tni_f4 pins_make_zero(void) {
    tni_f4 zero = f4_splat(0.0f);
#if defined(__GNUC__) && defined(__SSE2__)
    __asm__("" : "+x"(zero));
#endif
    return zero;
}

// Lanes back to joints: a vector of each; two of them at once.
#define PINS_STORE_VECTOR(to, v)                                                                   \
    {                                                                                              \
        tni_f4 v_0 = (v).x, v_1 = (v).y, v_2 = (v).z, v_3 = pins_make_zero();                      \
        f4_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->to = v_0;                                                                         \
        pins[1]->to = v_1;                                                                         \
        pins[2]->to = v_2;                                                                         \
        pins[3]->to = v_3;                                                                         \
    }
#define PINS_STORE_TWO(low_to, high_to, v)                                                         \
    {                                                                                              \
        tni_f8 v_0 = (v).x, v_1 = (v).y, v_2 = (v).z, v_3 = f8_zero();                             \
        f8_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->low_to = f8_low(v_0), pins[0]->high_to = f8_high(v_0);                            \
        pins[1]->low_to = f8_low(v_1), pins[1]->high_to = f8_high(v_1);                            \
        pins[2]->low_to = f8_low(v_2), pins[2]->high_to = f8_high(v_2);                            \
        pins[3]->low_to = f8_low(v_3), pins[3]->high_to = f8_high(v_3);                            \
    }

// A joint's block, or where what comes of an unused lane goes.
typedef union pins_spare {
    tni_pin_block pin;
    tni_f4 room[(sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(tni_f4)];
} pins_spare;

TNI_FORCE_INLINE void pins_store_point(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       const pins_matrix *k) {
    PINS_STORE_TWO(r_a, r_b, rows->r)
    PINS_STORE_VECTOR(error, rows->error)
    for (uint32_t j = 0; j < 3; ++j) {
        PINS_STORE_VECTOR(inverse[j], k->inverse[j])
        PINS_STORE_TWO(spin_a[j], spin_b[j], k->spin[j])
    }
}

TNI_FORCE_INLINE void pins_store_turns(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       const pins_matrix *k, uint32_t turns) {
    tni_f4 zero = f4_splat(0.0f);
    const tni_v4 *u = rows->axis, *z = k->to_point;
    bool has_three = turns > 2;
    PINS_STORE_VECTOR(turns->axis[0], ((tni_v4){u[0].x, u[1].x, u[2].x}))
    PINS_STORE_VECTOR(turns->axis[1], ((tni_v4){u[0].y, u[1].y, u[2].y}))
    PINS_STORE_VECTOR(turns->axis[2], ((tni_v4){u[0].z, u[1].z, u[2].z}))
    PINS_STORE_VECTOR(turns->error,
                      ((tni_v4){rows->turn_error[0], rows->turn_error[1], rows->turn_error[2]}))
    PINS_STORE_VECTOR(turns->from_point[0], ((tni_v4){z[0].x, z[1].x, has_three ? z[2].x : zero}))
    PINS_STORE_VECTOR(turns->from_point[1], ((tni_v4){z[0].y, z[1].y, has_three ? z[2].y : zero}))
    PINS_STORE_VECTOR(turns->from_point[2], ((tni_v4){z[0].z, z[1].z, has_three ? z[2].z : zero}))
    for (uint32_t m = 0; m < turns; ++m) {
        PINS_STORE_TWO(turns->inverse[m], turns->to_point[m],
                       pins_join(k->turns[m], k->to_point[m]))
        PINS_STORE_TWO(turns->spin_a[m], turns->spin_b[m], k->turn_spin[m])
    }
}

// Impulses turn with the plane: see tni_pin_refresh_slide(). What is left keeps its own.
TNI_FORCE_INLINE void pins_turn_planes(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       uint32_t slides, uint32_t left) {
    tni_f4 before[PINS_LANES][2];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        before[l][0] = pins[l]->turns->plane[0];
        before[l][1] = pins[l]->turns->plane[1];
    }
    PINS_STORE_VECTOR(turns->plane[0], rows->plane[0])
    PINS_STORE_VECTOR(turns->plane[1], rows->plane[1])
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        tni_pin_block *pin = pins[l];
        tni_f4 *now = pin->turns->plane;
        if ((left >> l & 1u) != 0) {
            now[0] = before[l][0];
            now[1] = before[l][1];
        } else if ((slides >> l & 1u) != 0) {
            pin->impulse = tni_pin_from_plane(now, tni_pin_to_plane(before[l], pin->impulse));
            pin->warm = tni_pin_from_plane(now, tni_pin_to_plane(before[l], pin->warm));
        }
    }
}

// ---- all --------------------------------------------------------------------------------------

TNI_FORCE_INLINE void pins_set_end(const tni_solver *solver, uint32_t body,
                                   const tni_frame_vectors *vectors, pins_end *end, uint32_t lane) {
    end->motion[lane] = &solver->motions[body];
    end->numbers[lane] = solver->states[body].numbers;
    end->vectors[lane] = vectors;
}

TNI_FORCE_INLINE tni_m4 pins_make_mask(uint32_t bits) {
    float numbers[PINS_LANES];
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        numbers[l] = (float)(bits >> l & 1u);
    }
    return f4_less(f4_splat(0.5f), f4_load(numbers));
}

TNI_FORCE_INLINE void pins_find(const tni_solver *solver, tni_joint_block *const *blocks,
                                uint32_t count, tni_pin_block *spare, pins_all *all) {
    all->slides.bits = 0;
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        tni_joint_block *block = all->blocks[l] = blocks[l < count ? l : 0];
        all->pins[l] = l < count ? block->pin : spare;
        bool slides = block->point_rows == TNI_PIN_SLIDE_ROWS;
        pins_set_end(solver, block->body_a, &block->joint->vectors_a, &all->a, l);
        pins_set_end(solver, block->body_b, &block->joint->vectors_b, &all->b, l);
        all->slides.bits |= (slides ? 1u : 0u) << l;
    }
    all->slides.mask = pins_make_mask(all->slides.bits);
}

TNI_FORCE_INLINE void pins_store_biases(const pins_all *all, const pins_softness *own,
                                        const pins_rows *rows, uint32_t turns) {
    tni_pin_block *const *pins = all->pins;
    const tni_f4 *error = rows->turn_error, *term = rows->turn_term;
    tni_v4 bias = pins_get_biases(own, own->rate, rows->error, rows->term);
    if (turns > 2) {
        bias = v4_pick(all->slides.mask, pins_from_plane(rows->plane, bias.x, bias.y), bias);
    }
    tni_v4 turn_bias = pins_get_biases(own, own->turn_rate, (tni_v4){error[0], error[1], error[2]},
                                       (tni_v4){term[0], term[1], term[2]});
    PINS_STORE_TWO(bias, turns->bias, pins_join(bias, turn_bias))
}

TNI_FORCE_INLINE void pins_store_masses(const pins_all *all) {
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        all->pins[l]->mass_a = f4_load(all->a.numbers[l] + TNI_STATE_INV_MASS);
        all->pins[l]->mass_b = f4_load(all->b.numbers[l] + TNI_STATE_INV_MASS);
    }
}

TNI_FORCE_INLINE uint32_t pins_refresh(const tni_solver *solver, const pins_all *all,
                                       uint32_t count, uint32_t turns) {
    pins_rows rows;
    pins_bodies bodies;
    pins_matrix k;
    pins_set_rows(all, turns, &rows);
    pins_load_bodies(&all->a, &all->b, &bodies);
    pins_softness own = pins_get_softness(solver, all->blocks, count, bodies.turn);
    pins_store_biases(all, &own, &rows, turns);
    pins_set_matrix(&bodies, &rows, &all->slides, turns, &k);
    uint32_t left = (rows.far | ~m4_bits(k.is_sound)) & ((1u << count) - 1u);
    if (turns > 2) {
        pins_turn_planes(all->pins, &rows, all->slides.bits & ((1u << count) - 1u), left);
    }
    pins_store_masses(all);
    pins_store_point(all->pins, &rows, &k);
    pins_store_turns(all->pins, &rows, &k, turns);
    return left;
}

uint32_t WIDE_NAME(tni_pins_refresh)(const tni_solver *solver, tni_joint_block *const *blocks,
                                     uint32_t count) {
    pins_spare spare;
    pins_all all;
    pins_find(solver, blocks, count, &spare.pin, &all);
    return all.slides.bits == 0 ? pins_refresh(solver, &all, count, 2)
                                : pins_refresh(solver, &all, count, 3);
}

TNI_FORCE_INLINE uint32_t pins_rebias(const tni_solver *solver, const pins_all *all, uint32_t count,
                                      uint32_t turns) {
    pins_rows rows;
    tni_f8 turning[4];
    pins_set_rows(all, turns, &rows);
    pins_load_floats(all->a.numbers, all->b.numbers, TNI_STATE_W, turning);
    pins_softness own = pins_get_softness(solver, all->blocks, count, pins_get_turn(turning));
    pins_store_biases(all, &own, &rows, turns);
    return rows.far & ((1u << count) - 1u);
}

uint32_t WIDE_NAME(tni_pins_rebias)(const tni_solver *solver, tni_joint_block *const *blocks,
                                    uint32_t count) {
    pins_spare spare;
    pins_all all;
    pins_find(solver, blocks, count, &spare.pin, &all);
    return all.slides.bits == 0 ? pins_rebias(solver, &all, count, 2)
                                : pins_rebias(solver, &all, count, 3);
}
