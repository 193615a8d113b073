// solver/pin_lanes_wide.c: rows, K^-1 and responses of four pins at a new pose.
//
// What joints/hinge_joint.c, joints/slider_joint.c and solver/pin.c work out for one joint, vector
// by vector, is here worked out number by number, a joint in each lane: the same sums in the same
// order, so the same bits. See there for what they mean; symbols are those of solver/pin.h,
// joints/parts/axis.h and angle.c. Where hinges and sliders are among the four, lanes go both ways
// and each keeps its own; the third turn that a hinge has not is zero. Lanes that no joint is in
// follow the first one, and what they come to is dropped.
// Test: tests/solver/test_pin_lanes.c
#include "solver/pin.h"
#include "solver/pin_lanes_matrix.h"

// ---- bias -------------------------------------------------------------------------------------

// What each joint has of its own.
typedef struct pins_softness {
    tni_f4 slop, rate, turn_rate, most, prediction;
} pins_softness;

#define PINS_GATHER(blocks, field)                                                                 \
    f4_make((blocks)[0]->field, (blocks)[1]->field, (blocks)[2]->field, (blocks)[3]->field)

TNI_FORCE_INLINE pins_softness pins_get_softness(tni_joint_block *const *blocks) {
    pins_softness own = {.slop = PINS_GATHER(blocks, slop),
                         .rate = PINS_GATHER(blocks, softness.rate),
                         .most = PINS_GATHER(blocks, max_speed),
                         .prediction = PINS_GATHER(blocks, prediction)};
    own.turn_rate = f4_mul(PINS_GATHER(blocks, angular_share), own.rate);
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

// Lanes back to joints: a vector of each.
#define PINS_STORE(to, vx, vy, vz)                                                                 \
    {                                                                                              \
        tni_f4 v_0 = (vx), v_1 = (vy), v_2 = (vz), v_3 = pins_make_zero();                         \
        f4_transpose(&v_0, &v_1, &v_2, &v_3);                                                      \
        pins[0]->to = v_0;                                                                         \
        pins[1]->to = v_1;                                                                         \
        pins[2]->to = v_2;                                                                         \
        pins[3]->to = v_3;                                                                         \
    }
#define PINS_STORE_VECTOR(to, v) PINS_STORE(to, (v).x, (v).y, (v).z)

// A joint's block, or where what comes of an unused lane goes.
typedef union pins_spare {
    tni_pin_block pin;
    tni_f4 room[(sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(tni_f4)];
} pins_spare;

TNI_FORCE_INLINE void pins_store_point(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       const pins_matrix *k, tni_v4 bias) {
    PINS_STORE_VECTOR(r_a, rows->r_a)
    PINS_STORE_VECTOR(r_b, rows->r_b)
    PINS_STORE_VECTOR(error, rows->error)
    PINS_STORE_VECTOR(bias, bias)
    for (uint32_t j = 0; j < 3; ++j) {
        PINS_STORE_VECTOR(inverse[j], k->inverse[j])
        PINS_STORE_VECTOR(spin_a[j], k->spin_a[j])
        PINS_STORE_VECTOR(spin_b[j], k->spin_b[j])
    }
}

TNI_FORCE_INLINE void pins_store_turns(tni_pin_block *const pins[PINS_LANES], const pins_rows *rows,
                                       const pins_matrix *k, uint32_t turns, tni_v4 bias) {
    tni_f4 zero = f4_splat(0.0f);
    const tni_v4 *u = rows->axis, *z = k->to_point;
    bool has_three = turns > 2;
    PINS_STORE(turns->axis[0], u[0].x, u[1].x, u[2].x)
    PINS_STORE(turns->axis[1], u[0].y, u[1].y, u[2].y)
    PINS_STORE(turns->axis[2], u[0].z, u[1].z, u[2].z)
    PINS_STORE(turns->error, rows->turn_error[0], rows->turn_error[1], rows->turn_error[2])
    PINS_STORE_VECTOR(turns->bias, bias)
    PINS_STORE(turns->from_point[0], z[0].x, z[1].x, has_three ? z[2].x : zero)
    PINS_STORE(turns->from_point[1], z[0].y, z[1].y, has_three ? z[2].y : zero)
    PINS_STORE(turns->from_point[2], z[0].z, z[1].z, has_three ? z[2].z : zero)
    for (uint32_t m = 0; m < turns; ++m) {
        PINS_STORE_VECTOR(turns->inverse[m], k->turns[m])
        PINS_STORE_VECTOR(turns->to_point[m], k->to_point[m])
        PINS_STORE_VECTOR(turns->spin_a[m], k->turn_spin_a[m])
        PINS_STORE_VECTOR(turns->spin_b[m], k->turn_spin_b[m])
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

typedef struct pins_all {
    tni_joint_block *blocks[PINS_LANES];
    tni_pin_block *pins[PINS_LANES];
    pins_ends at_a, at_b;
    pins_some slides;
} pins_all;

TNI_FORCE_INLINE void pins_set_end(const tni_solver *solver, uint32_t body,
                                   const tni_frame_vectors *vectors, pins_ends *ends,
                                   uint32_t lane) {
    ends->motion[lane] = &solver->motions[body];
    ends->numbers[lane] = solver->states[body].numbers;
    ends->vectors[lane] = vectors;
}

TNI_FORCE_INLINE void pins_find(const tni_solver *solver, tni_joint_block *const *blocks,
                                uint32_t count, tni_pin_block *spare, pins_all *all) {
    float is_slide[PINS_LANES];
    all->slides.bits = 0;
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        tni_joint_block *block = all->blocks[l] = blocks[l < count ? l : 0];
        tni_pin_block *pin = all->pins[l] = l < count ? block->pin : spare;
        bool slides = block->point_rows == TNI_PIN_SLIDE_ROWS;
        pins_set_end(solver, block->body_a, &block->joint->vectors_a, &all->at_a, l);
        pins_set_end(solver, block->body_b, &block->joint->vectors_b, &all->at_b, l);
        pin->mass_a = f4_load(all->at_a.numbers[l] + TNI_STATE_INV_MASS);
        pin->mass_b = f4_load(all->at_b.numbers[l] + TNI_STATE_INV_MASS);
        is_slide[l] = slides ? 1.0f : 0.0f;
        all->slides.bits |= (slides ? 1u : 0u) << l;
    }
    all->slides.mask = f4_less(f4_splat(0.5f), f4_load(is_slide));
}

// With hinges alone there are two turns and no plane.
TNI_FORCE_INLINE uint32_t pins_run(const pins_all *all, uint32_t count, uint32_t turns) {
    const pins_some *slides = &all->slides;
    pins_body a, b;
    pins_load_body(&all->at_a, turns > 2, &a);
    pins_load_body(&all->at_b, turns > 2, &b);
    pins_frame frame_a = pins_turn_frame(&all->at_a, &a, true);
    pins_frame frame_b = pins_turn_frame(&all->at_b, &b, false);
    pins_rows rows;
    pins_matrix k;
    pins_set_point(&a, &b, frame_a.origin, frame_b.origin, &rows);
    pins_set_axes(&a, &b, &frame_a, frame_b.x, &rows);
    if (turns > 2) {
        pins_quat q = pins_measure_relative(all->blocks, &all->at_a, &all->at_b);
        pins_set_slide(&a, &b, &frame_a, frame_b.origin, slides->mask, &rows);
        pins_set_angles(&a, &b, &frame_a, &q, slides, &rows);
    }
    pins_set_matrix(&a, &b, &rows, slides, turns, &k);
    pins_softness own = pins_get_softness(all->blocks);
    tni_v4 bias = pins_get_biases(&own, own.rate, rows.error, rows.term);
    tni_v4 turn_bias = pins_get_biases(
        &own, own.turn_rate, (tni_v4){rows.turn_error[0], rows.turn_error[1], rows.turn_error[2]},
        (tni_v4){rows.turn_term[0], rows.turn_term[1], rows.turn_term[2]});
    uint32_t left = (rows.far | ~m4_bits(k.is_sound)) & ((1u << count) - 1u);
    if (turns > 2) {
        bias = v4_pick(slides->mask, pins_from_plane(rows.plane, bias.x, bias.y), bias);
        pins_turn_planes(all->pins, &rows, slides->bits & ((1u << count) - 1u), left);
    }
    pins_store_point(all->pins, &rows, &k, bias);
    pins_store_turns(all->pins, &rows, &k, turns, turn_bias);
    return left;
}

uint32_t WIDE_NAME(tni_pins_refresh)(const tni_solver *solver, tni_joint_block *const *blocks,
                                     uint32_t count) {
    pins_spare spare;
    pins_all all;
    pins_find(solver, blocks, count, &spare.pin, &all);
    return all.slides.bits == 0 ? pins_run(&all, count, 2) : pins_run(&all, count, 3);
}
