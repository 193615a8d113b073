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
#include "solver/pin_lanes_bias.h"
#include "solver/pin_lanes_matrix.h"

// ---- bias -------------------------------------------------------------------------------------

#define PINS_GATHER(blocks, field)                                                                 \
    f4_make((blocks)[0]->field, (blocks)[1]->field, (blocks)[2]->field, (blocks)[3]->field)

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

// ---- planes ------------------------------------------------------------------------------------

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
    all->turns_rows = false;
    for (uint32_t l = 0; l < PINS_LANES; ++l) {
        tni_joint_block *block = all->blocks[l] = blocks[l < count ? l : 0];
        all->pins[l] = l < count ? block->pin : spare;
        bool slides = block->point_rows == TNI_PIN_SLIDE_ROWS;
        pins_set_end(solver, block->body_a, &block->joint->vectors_a, &all->a, l);
        pins_set_end(solver, block->body_b, &block->joint->vectors_b, &all->b, l);
        all->slides.bits |= (slides ? 1u : 0u) << l;
        all->turns_rows |= block->only_turns_rows;
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

// The rows, whose biases are stored. Returns the first inverse mass, which stands behind w.
TNI_FORCE_INLINE tni_f8 pins_begin(const tni_solver *solver, const pins_all *all, uint32_t count,
                                   uint32_t turns, pins_rows *rows) {
    tni_f8 w_and_mass[4];
    pins_set_rows(all, turns, rows);
    pins_load_floats(all->a.numbers, all->b.numbers, TNI_STATE_W, w_and_mass);
    pins_softness own = pins_get_softness(solver, all->blocks, count, pins_get_turn(w_and_mass));
    pins_store_biases(all, &own, rows, turns);
    return w_and_mass[3];
}

TNI_FORCE_INLINE uint32_t pins_refresh(const tni_solver *solver, const pins_all *all,
                                       uint32_t count, uint32_t turns) {
    pins_rows rows;
    pins_bodies bodies;
    tni_f8 first_mass = pins_begin(solver, all, count, turns, &rows);
    pins_store_rows(all->pins, &rows);
    if (all->turns_rows) {
        tni_pin_block *const *pins = all->pins;
        PINS_STORE_VECTOR(turns->twist, rows.twist)
    }
    pins_load_bodies(&all->a, &all->b, first_mass, &bodies);
    tni_m4 is_sound = pins_set_matrix(all->pins, &bodies, &rows, &all->slides, turns);
    uint32_t left = (rows.far | ~m4_bits(is_sound)) & ((1u << count) - 1u);
    if (turns > 2) {
        pins_turn_planes(all->pins, &rows, all->slides.bits & ((1u << count) - 1u), left);
    }
    pins_store_masses(all);
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
    pins_begin(solver, all, count, turns, &rows);
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
