// joints/transmissions/ratchet_joint.c: lets b turn about the x axis of frame a one way, and back
// to the last tooth.
//
// Symbols: x_a the axis; y_b axis of frame b; phi the azimuth of y_b about x_a, measured in a
// (parts/azimuth.c), which is the turn of b; s = 1 or -1 the direction; z teeth, p = 2 pi / z; k
// the last tooth that was passed.
//
//   C = s phi - p k - phase >= 0      parts/teeth.h
// k grows by the whole teeth in C / p whenever the pose is remembered, at the end of each substep,
// so that C falls by p where the pawl drops, and stays >= 0. A lifted pawl follows both ways. The
// pawl's friction is a row of its own, a speed of 0 with a cap.
// Source: as in the parts; F. Reuleaux, "The kinematics of machinery", 1876 (ratchets).
// Test: tests/joints/transmissions/test_ratchet_joint.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/transmissions/azimuth.h"
#include "joints/transmissions/teeth.h"

static tni_azimuth ratchet_measure(const tni_joint *joint, const tni_body_motion *a,
                                   const tni_body_motion *b) {
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_azimuth_of_direction(&frame_a, tni_axes_of_frame(&joint->frame_b, b).y, false);
}

static tni_teeth ratchet_get_teeth(const tni_joint *joint) {
    tni_teeth teeth = {joint->def.ratchet.teeth, joint->def.ratchet.direction};
    return teeth;
}

// Returns C.
static double ratchet_get_room(const tni_joint *joint, const tni_azimuth *phi) {
    const tni_joint_memory *memory = &joint->memory;
    if (!(phi->inverse > 0.0)) {
        return 0.0;
    }
    return tni_teeth_get_way(ratchet_get_teeth(joint), &memory->turns[0], phi->angle,
                             memory->tooth) -
           memory->phase;
}

static bool ratchet_has_drag(const tni_joint *joint) {
    return joint->def.ratchet.drag > 0.0f;
}

static tni_row_count ratchet_count_rows(const tni_joint *joint) {
    tni_row_count count = {
        (ratchet_has_drag(joint) ? 1 : 0) + (joint->def.ratchet.is_engaged ? 1 : 0), 0, 0, 0};
    return count;
}

static void ratchet_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                         tni_rows *out) {
    if (out->bounded == NULL) {
        return;
    }
    tni_azimuth phi = ratchet_measure(joint, a, b);
    tni_lone_row lone;
    tni_rows own = tni_rows_of_one(out, &lone);
    tni_row *rows = out->bounded;
    tni_rows_put_azimuth(&own, tni_rows_begin(&own, true), &phi, joint->def.ratchet.direction, 0);
    tni_rows_set_error(&own, 0, ratchet_get_room(joint, &phi));
    if (ratchet_has_drag(joint)) {
        tni_rows_bound(&own, 1.0, TNI_ROW_SPEED, rows);
        rows->role = TNI_ROLE_FRICTION;
        rows->error = rows->velocity_term = 0.0f;
        rows->max_force = joint->def.ratchet.drag;
        rows += 1;
    }
    if (joint->def.ratchet.is_engaged) {
        tni_rows_bound(&own, 1.0, TNI_ROW_LIMIT, rows);
    }
}

// The error is about the axis of a: how far the wheel has turned back past its tooth.
static tn_joint_error ratchet_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                            const tni_body_motion *b) {
    tni_azimuth phi = ratchet_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    double room = ratchet_get_room(joint, &phi);
    bool counts = joint->def.ratchet.is_engaged && room < 0.0;
    double angle = counts ? joint->def.ratchet.direction * room : 0.0;
    return tni_error_make(&frame_a, dvec3_make(0.0, 0.0, 0.0), dvec3_scale(frame_a.x, angle));
}

static tni_joint_value ratchet_measure_value(const tni_joint *joint, uint32_t index,
                                             const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_azimuth phi = ratchet_measure(joint, a, b);
    double passed = tni_teeth_get_pitch(ratchet_get_teeth(joint)) * (double)joint->memory.tooth;
    tni_joint_value value = {passed + ratchet_get_room(joint, &phi),
                             joint->def.ratchet.direction * tni_azimuth_get_rate(&phi, a, b)};
    return value;
}

static bool ratchet_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b, tni_joint_value turning[2]) {
    tni_azimuth phi = ratchet_measure(joint, a, b);
    turning[0] = (tni_joint_value){phi.angle, tni_azimuth_get_rate(&phi, a, b)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return phi.inverse > 0.0;
}

static double ratchet_measure_phase(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b) {
    tni_azimuth phi = ratchet_measure(joint, a, b);
    return ratchet_get_room(joint, &phi);
}

static void ratchet_advance(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    tni_azimuth phi = ratchet_measure(joint, a, b);
    double room = ratchet_get_room(joint, &phi);
    double teeth = floor(room / tni_teeth_get_pitch(ratchet_get_teeth(joint)));
    if (teeth > 0.0 || !joint->def.ratchet.is_engaged) {
        joint->memory.tooth = tni_teeth_add(joint->memory.tooth, teeth);
    }
}

static const tni_joint_counter ratchet_counter = {.measure_turning = ratchet_measure_turning,
                                                  .measure_phase = ratchet_measure_phase,
                                                  .advance = ratchet_advance};

const tni_joint_kind tni_ratchet_joint_kind = {.count_rows = ratchet_count_rows,
                                               .emit = ratchet_emit,
                                               .measure_error = ratchet_measure_error,
                                               .measure_value = ratchet_measure_value,
                                               .counter = &ratchet_counter};
