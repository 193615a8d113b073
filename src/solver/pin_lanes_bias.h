// solver/pin_lanes_bias.h: what carries the errors of four pins home, a joint in each lane.
//
// As solver/joint_block.c has it for one. Test: tests/solver/test_pin_lanes.c
#ifndef TNI_SOLVER_PIN_LANES_BIAS_H
#define TNI_SOLVER_PIN_LANES_BIAS_H

#include "core/four_vector.h"
#include "solver/joint_group.h"

// What each joint has of its own.
typedef struct pins_softness {
    tni_f4 slop, rate, turn_rate, most, prediction;
} pins_softness;

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

#endif
