// joints/transmissions/gear_joint.c: keeps the turns of two wheels in a ratio.
//
// Symbols: x_a, x_b the axes of the wheels; V the direction of reference; phi the azimuth of V
// about a wheel's axis, measured in the wheel (parts/azimuth.c), so that the wheel's turn against V
// is alpha = -phi; w angular velocity, u the rate at which V turns; i the ratio.
//
// Equality row (1):  C = alpha_a + i alpha_b - phase,  C' = (w_a - u) . x_a + i (w_b - u) . x_b
//   CENTERS  V = p_b - p_a, from frame to frame. With V across the axes, |V| = d, t = x x V / d:
//            lin_b = -(1 + i) / d t: the force at the pitch point, since the pitch radii that fit d
//            are d / (1 + i) and i d / (1 + i). Wheels may stand on a carrier that turns with u.
//   AXES     V = x_a x x_b. Seen along x_a it is x_b turned by a quarter, so that x_b, fixed to b,
//            and x_a, fixed to a, take its place: a pure couple.
//   WORLD    V = y of each frame as it stood in the world when the wheels meshed. The world then
//            bears the torque that turns both wheels.
// phi is known modulo 2 pi: whole turns n are remembered (parts/turns.h). With teeth z their part
// of C is 2 pi (z_a n_a + z_b n_b) / z_a, of which the sum is exact. Signs: see tenon/gear_joint.h.
// If there is no direction of reference the row is zero.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (J, Jdot v); R. Willis,
// "Principles of mechanism", 1841 (speeds keep their ratio relative to the carrier).
// Test: tests/joints/transmissions/test_gear_joint.c, tests/joints/test_exact_rows.c
#include <stdlib.h>

#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/transmissions/azimuth.h"

// Up to this many turns the sum of teeth is exact.
#define GEAR_MOST_TURNS 4000000000000LL

// The azimuths phi of both wheels.
typedef struct gear_pair {
    tni_azimuth a, b;
    tni_dvec3 x_a;
} gear_pair;

// The numbers of the pair, from a gear or a belt: see joints/transmissions/belt_joint.c for the
// latter.
typedef struct gear_numbers {
    tn_gear_reference reference;
    int32_t teeth_a, teeth_b;
    double ratio;
} gear_numbers;

static gear_numbers gear_get_numbers(const tni_joint *joint) {
    if (joint->type == TN_JOINT_TYPE_BELT) {
        const tn_belt_joint_def *belt = &joint->def.belt;
        int32_t sign = belt->is_crossed ? 1 : -1;
        gear_numbers numbers = {TN_GEAR_REFERENCE_CENTERS, belt->teeth_a, sign * belt->teeth_b,
                                sign * belt->radius_b / belt->radius_a};
        return numbers;
    }
    const tn_gear_joint_def *gear = &joint->def.gear;
    gear_numbers numbers = {gear->reference, gear->teeth_a, gear->teeth_b, gear->ratio};
    return numbers;
}

static bool gear_has_reference(const gear_pair *pair) {
    return pair->a.inverse > 0.0 && pair->b.inverse > 0.0;
}

static gear_pair gear_measure(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    gear_pair pair = {.x_a = frame_a.x};
    tn_gear_reference reference = gear_get_numbers(joint).reference;
    if (reference == TN_GEAR_REFERENCE_CENTERS) {
        tni_point point = tni_point_measure(joint, a, b);
        pair.a = tni_azimuth_of_line(&frame_a, point.d, point.r_a, point.r_b);
        pair.b = tni_azimuth_of_line(&frame_b, dvec3_scale(point.d, -1.0), point.r_b, point.r_a);
    } else if (reference == TN_GEAR_REFERENCE_AXES) {
        pair.a = tni_azimuth_of_direction(&frame_a, frame_b.x, false);
        pair.b = tni_azimuth_of_direction(&frame_b, frame_a.x, false);
    } else {
        pair.a = tni_azimuth_of_direction(&frame_a, joint->memory.directions[0], true);
        pair.b = tni_azimuth_of_direction(&frame_b, joint->memory.directions[1], true);
    }
    if (!gear_has_reference(&pair)) {
        pair.a.inverse = pair.b.inverse = 0.0;
    }
    return pair;
}

static double gear_divide(int32_t teeth_a, int32_t teeth_b, double ratio) {
    return teeth_a != 0 && teeth_b != 0 ? (double)teeth_b / (double)teeth_a : ratio;
}

double tni_gear_get_ratio(const tn_gear_joint_def *def) {
    return gear_divide(def->teeth_a, def->teeth_b, def->ratio);
}

static double gear_get_ratio(const tni_joint *joint) {
    gear_numbers numbers = gear_get_numbers(joint);
    return gear_divide(numbers.teeth_a, numbers.teeth_b, numbers.ratio);
}

// Returns n_a + i n_b.
static double gear_get_whole_turns(const tni_joint *joint, const gear_pair *pair) {
    gear_numbers numbers = gear_get_numbers(joint);
    int64_t n_a = tni_turns_count(&joint->memory.turns[0], pair->a.angle);
    int64_t n_b = tni_turns_count(&joint->memory.turns[1], pair->b.angle);
    bool has_teeth = numbers.teeth_a != 0 && numbers.teeth_b != 0;
    if (has_teeth && llabs(n_a) < GEAR_MOST_TURNS && llabs(n_b) < GEAR_MOST_TURNS) {
        return (double)(numbers.teeth_a * n_a + numbers.teeth_b * n_b) / (double)numbers.teeth_a;
    }
    return (double)n_a + gear_get_ratio(joint) * (double)n_b;
}

static double gear_get_error(const tni_joint *joint, const gear_pair *pair) {
    if (!gear_has_reference(pair)) {
        return 0.0;
    }
    double rests = pair->a.angle + gear_get_ratio(joint) * pair->b.angle;
    return -rests - 2.0 * MATHS_PI * gear_get_whole_turns(joint, pair) - joint->memory.phase;
}

static tni_row_count gear_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {1, 1, 0, 0};
    return count;
}

static void gear_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_rows *out) {
    gear_pair pair = gear_measure(joint, a, b);
    uint32_t r = tni_rows_begin(out, true);
    tni_rows_put_azimuth(out, r, &pair.a, -1.0, 0);
    tni_rows_put_azimuth(out, r, &pair.b, -gear_get_ratio(joint), 1);
    tni_rows_set_error(out, r, gear_get_error(joint, &pair));
}

// The error is about the axis of a.
static tn_joint_error gear_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    gear_pair pair = gear_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_error_make(&frame_a, dvec3_make(0.0, 0.0, 0.0),
                          dvec3_scale(pair.x_a, gear_get_error(joint, &pair)));
}

static tni_joint_value gear_measure_value(const tni_joint *joint, uint32_t index,
                                          const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    gear_pair pair = gear_measure(joint, a, b);
    double ratio = gear_get_ratio(joint);
    tni_joint_value value = {gear_get_error(joint, &pair),
                             -tni_azimuth_get_rate(&pair.a, a, b) -
                                 ratio * tni_azimuth_get_rate(&pair.b, b, a)};
    return value;
}

static bool gear_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, tni_joint_value turning[2]) {
    gear_pair pair = gear_measure(joint, a, b);
    turning[0] = (tni_joint_value){pair.a.angle, tni_azimuth_get_rate(&pair.a, a, b)};
    turning[1] = (tni_joint_value){pair.b.angle, tni_azimuth_get_rate(&pair.b, b, a)};
    return gear_has_reference(&pair);
}

// Remembers the y axes, which are perpendicular to x.
static void gear_mesh(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    joint->memory.directions[0] = tni_axes_of_frame(&joint->frame_a, a).y;
    joint->memory.directions[1] = tni_axes_of_frame(&joint->frame_b, b).y;
}

static const tni_joint_counter gear_counter = {.measure_turning = gear_measure_turning,
                                               .mesh = gear_mesh};

const tni_joint_kind tni_gear_joint_kind = {.count_rows = gear_count_rows,
                                            .emit = gear_emit,
                                            .measure_error = gear_measure_error,
                                            .measure_value = gear_measure_value,
                                            .counter = &gear_counter};
