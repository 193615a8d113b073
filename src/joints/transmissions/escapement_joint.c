// joints/transmissions/escapement_joint.c: an escape wheel advances by half a tooth for each swing
// of an anchor.
//
// Symbols: V = p_b - p_a the line of centres; alpha the wheel's turn against V in the direction in
// which it is driven, beta the anchor's angle from its middle, both by the azimuth of the line in
// their bodies (parts/azimuth.c); z teeth, p = pi / z half their pitch; j the beats: in each one
// pallet holds, on the side s = 1 for even j and -1 for odd ones; x = s beta; f the lift angle, l
// the lock angle, d the drop angle.
//
//   C = L(x) + p j - alpha - phase >= 0       alpha - p j as in parts/teeth.h, with 2 z teeth
//   dead face       L = 0                                   x >= (f - l) / 2
//   impulse face    L = (p - d) ((f - l) / 2 - x) / f       from there down to x = -(f + l) / 2
//   past its edge   L = p, plus the other pallet's L = 0    x' = -x >= (f - l) / 2 + l
// A beat ends when the wheel has advanced by more than the impulse face reaches, p - d: the tooth
// is past the edge. This can happen only if the anchor is past it, too. From then on j + 1 gives
// what j gave for the other pallet, so that C goes on as it was. If the anchor turns round while
// the wheel is late, the tooth is on the same face again.
//
// The row is  -alpha' + L' s beta',  L' the slope of the face: two azimuths, as in a gear. On the
// dead face it acts on the anchor only through the line of centres.
// Source: G. Graham, 1715, after L. Defossez, "Theory of the escapements", and E. Bruton, "Clocks
// and watches" (dead beat: rest and impulse faces, drop, lock); as in the parts.
// Test: tests/joints/transmissions/test_escapement_joint.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/transmissions/azimuth.h"
#include "joints/transmissions/teeth.h"

typedef struct escapement_pair {
    tni_azimuth wheel, anchor;
    double side;         // s
    double limit, slope; // L and its derivative
    double room;         // C
} escapement_pair;

static tni_teeth escapement_get_teeth(const tni_joint *joint) {
    tni_teeth teeth = {2 * joint->def.escapement.teeth, -joint->def.escapement.direction};
    return teeth;
}

// Returns how far the impulse takes the wheel.
static double escapement_get_push(const tni_joint *joint) {
    return tni_teeth_get_pitch(escapement_get_teeth(joint)) - joint->def.escapement.drop_angle;
}

static void escapement_find_face(const tni_joint *joint, escapement_pair *pair) {
    const tn_escapement_joint_def *def = &joint->def.escapement;
    double edge = 0.5 * (def->lift_angle - def->lock_angle), x = -pair->side * pair->anchor.angle;
    double push = escapement_get_push(joint);
    pair->limit = pair->slope = 0.0;
    if (x < edge - def->lift_angle) {
        pair->limit = push + def->drop_angle;
    } else if (x < edge) {
        pair->slope = -push / def->lift_angle;
        pair->limit = pair->slope * (x - edge);
    }
}

static escapement_pair escapement_measure(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    const tni_joint_memory *memory = &joint->memory;
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    tni_point point = tni_point_measure(joint, a, b);
    escapement_pair pair = {.side = memory->tooth % 2 == 0 ? 1.0 : -1.0};
    pair.wheel = tni_azimuth_of_line(&frame_a, point.d, point.r_a, point.r_b);
    pair.anchor = tni_azimuth_of_line(&frame_b, dvec3_scale(point.d, -1.0), point.r_b, point.r_a);
    if (!(pair.wheel.inverse > 0.0 && pair.anchor.inverse > 0.0)) {
        pair.wheel.inverse = pair.anchor.inverse = 0.0;
        return pair;
    }
    escapement_find_face(joint, &pair);
    pair.room = pair.limit -
                tni_teeth_get_way(escapement_get_teeth(joint), &memory->turns[0], pair.wheel.angle,
                                  memory->tooth) -
                memory->phase;
    return pair;
}

static tni_row_count escapement_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {1, 0, 0, 0};
    return count;
}

// alpha is the negative of its azimuth, and so is beta.
static void escapement_emit(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_rows *out) {
    if (out->bounded == NULL) {
        return;
    }
    escapement_pair pair = escapement_measure(joint, a, b);
    tni_lone_row lone;
    tni_rows own = tni_rows_of_one(out, &lone);
    uint32_t r = tni_rows_begin(&own, true);
    tni_rows_put_azimuth(&own, r, &pair.wheel, joint->def.escapement.direction, 0);
    tni_rows_put_azimuth(&own, r, &pair.anchor, -pair.side * pair.slope, 1);
    tni_rows_set_error(&own, r, pair.room);
    tni_rows_bound(&own, 1.0, TNI_ROW_LIMIT, out->bounded);
}

// The error is about the wheel's axis: how far its tooth is in the pallet.
static tn_joint_error escapement_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                               const tni_body_motion *b) {
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    double room = escapement_measure(joint, a, b).room;
    return tni_error_make(&frame_a, dvec3_make(0.0, 0.0, 0.0),
                          dvec3_scale(frame_a.x, room < 0.0 ? room : 0.0));
}

// Measures beta (0) or C.
static tni_joint_value escapement_measure_value(const tni_joint *joint, uint32_t index,
                                                const tni_body_motion *a,
                                                const tni_body_motion *b) {
    escapement_pair pair = escapement_measure(joint, a, b);
    double beta_rate = -tni_azimuth_get_rate(&pair.anchor, b, a);
    if (index == 0) {
        return (tni_joint_value){-pair.anchor.angle, beta_rate};
    }
    double alpha_rate = -joint->def.escapement.direction * tni_azimuth_get_rate(&pair.wheel, a, b);
    return (tni_joint_value){pair.room, pair.slope * pair.side * beta_rate - alpha_rate};
}

static bool escapement_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                       const tni_body_motion *b, tni_joint_value turning[2]) {
    escapement_pair pair = escapement_measure(joint, a, b);
    turning[0] = (tni_joint_value){pair.wheel.angle, tni_azimuth_get_rate(&pair.wheel, a, b)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return pair.wheel.inverse > 0.0;
}

static double escapement_measure_phase(const tni_joint *joint, const tni_body_motion *a,
                                       const tni_body_motion *b) {
    return escapement_measure(joint, a, b).room;
}

// Begins with the pallet on whose side the anchor is.
static void escapement_mesh(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    escapement_pair pair = escapement_measure(joint, a, b);
    if (-pair.side * pair.anchor.angle < 0.0) {
        joint->memory.tooth += 1;
    }
}

static void escapement_advance(tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b) {
    escapement_pair pair = escapement_measure(joint, a, b);
    if (pair.wheel.inverse > 0.0 && pair.limit - pair.room > escapement_get_push(joint)) {
        joint->memory.tooth = tni_teeth_add(joint->memory.tooth, 1.0);
    }
}

static const tni_joint_counter escapement_counter = {.measure_turning = escapement_measure_turning,
                                                     .mesh = escapement_mesh,
                                                     .measure_phase = escapement_measure_phase,
                                                     .advance = escapement_advance};

const tni_joint_kind tni_escapement_joint_kind = {.count_rows = escapement_count_rows,
                                                  .emit = escapement_emit,
                                                  .measure_error = escapement_measure_error,
                                                  .measure_value = escapement_measure_value,
                                                  .counter = &escapement_counter};
