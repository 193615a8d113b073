// joints/parts/scalar.h: a free value of a joint (an angle, a translation, a length) and the actors
// on it: spring, friction, motor and limit, in this order, so that the limit is the last to act in
// a sweep. The rows of a joint with several values follow value by value.
#ifndef TNI_JOINTS_PARTS_SCALAR_H
#define TNI_JOINTS_PARTS_SCALAR_H

#include "joints/joint.h"

typedef struct tni_scalar {
    tni_f4 lin_a, ang_a, lin_b, ang_b; // its Jacobian, in the first three lanes
    double value;                      // m or rad
    double acceleration; // Jdot v, m/s^2: for limits; 0 for an angle about its own axis
    double period;       // 2 pi for an angle that wraps, 0 for a length
    double ease;         // share of the violation of a limit that is not corrected
    bool is_angular;
} tni_scalar;

// The actors on a scalar, as the definitions of the joints hold them.
typedef struct tni_scalar_actors {
    const tn_spring *spring;
    const tn_motor *motor;
    const tn_limit *limit;
    float friction, viscous_friction;
} tni_scalar_actors;

// Returns the opposite vector.
static inline tni_f4 tni_scalar_turn(tni_f4 v) {
    return f4_mul(v, f4_splat(-1.0f));
}

// Makes the value about an angular direction t of b relative to a: ang_b = t, ang_a = -t.
tni_scalar tni_scalar_of_angle(tni_dvec3 direction, double angle);
// Makes the turn of frame b about the x axes, which may lie apart.
tni_scalar tni_scalar_of_twist(const tni_axes *frame_a, const tni_axes *frame_b);
// Returns value - target, for an angle the difference nearest to zero.
double tni_scalar_get_difference(const tni_scalar *scalar, double target);
// Writes a row with the scalar's Jacobian.
void tni_scalar_emit_row(const tni_scalar *scalar, tni_row *row, tni_row_kind kind,
                         tni_row_role role, double error);

// Returns whether an actor reads the value itself; otherwise it may be left unmeasured.
bool tni_scalar_needs_value(const tni_scalar_actors *actors);
uint32_t tni_scalar_count_rows(const tni_scalar_actors *actors);
// Writes those rows and returns how many.
uint32_t tni_scalar_emit(const tni_scalar *scalar, const tni_scalar_actors *actors, tni_row *rows);

tni_scalar_actors tni_scalar_get_actors(const tn_axis *axis);
// Do the same for `count` values and what their joint's definition has for each.
uint32_t tni_scalar_count_axes(const tn_axis *const *axes, uint32_t count);
void tni_scalar_emit_axes(const tni_scalar *scalars, const tn_axis *const *axes, uint32_t count,
                          tni_row *rows);

#endif
