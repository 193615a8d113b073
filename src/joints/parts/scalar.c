// joints/parts/scalar.c: rows on the free values of a joint.
// Test: tests/joints/test_rows_bounded.c
#include "joints/parts/scalar.h"

#include "core/simd_double.h"
#include "joints/parts/axis.h"
#include "joints/parts/limit.h"
#include "joints/parts/motor.h"
#include "joints/parts/row_clear.h"
#include "joints/parts/spring.h"

tni_scalar tni_scalar_of_angle(tni_dvec3 direction, double angle) {
    tni_f4 ang_b = tni_pin_vector(direction), zero = f4_splat(0.0f);
    tni_scalar scalar = {.lin_a = zero,
                         .ang_a = tni_scalar_turn(ang_b),
                         .lin_b = zero,
                         .ang_b = ang_b,
                         .value = angle,
                         .period = 2.0 * MATHS_PI,
                         .is_angular = true};
    return scalar;
}

tni_scalar tni_scalar_of_twist(const tni_axes *frame_a, const tni_axes *frame_b) {
    tni_scalar scalar = tni_scalar_of_angle(tni_axis_get_twist_direction(frame_a->x, frame_b->x),
                                            tni_axis_measure_twist(frame_a, frame_b));
    scalar.ease = tni_axis_get_twist_ease(frame_a->x, frame_b->x);
    return scalar;
}

double tni_scalar_get_difference(const tni_scalar *scalar, double target) {
    double difference = scalar->value - target;
    if (scalar->period > 0.0 && fabs(difference) >= 0.5 * scalar->period) {
        difference -= scalar->period * floor(difference / scalar->period + 0.5);
    }
    return difference;
}

void tni_scalar_emit_row(const tni_scalar *scalar, tni_row *row, tni_row_kind kind,
                         tni_row_role role, double error) {
    tni_row_clear(row, kind, role, scalar->is_angular);
    f4_store3(row->lin_a.raw, scalar->lin_a);
    f4_store3(row->ang_a.raw, scalar->ang_a);
    f4_store3(row->lin_b.raw, scalar->lin_b);
    f4_store3(row->ang_b.raw, scalar->ang_b);
    row->error = (float)error;
}

bool tni_scalar_needs_value(const tni_scalar_actors *actors) {
    return actors->spring->mode != TN_SPRING_MODE_OFF || actors->limit->is_enabled ||
           actors->motor->mode == TN_MOTOR_MODE_POSITION;
}

uint32_t tni_scalar_count_rows(const tni_scalar_actors *actors) {
    return tni_spring_count_rows(actors->spring) + tni_friction_count_rows(actors->friction) +
           tni_friction_count_rows(actors->viscous_friction) + tni_motor_count_rows(actors->motor) +
           tni_limit_count_rows(actors->limit);
}

uint32_t tni_scalar_emit(const tni_scalar *scalar, const tni_scalar_actors *actors, tni_row *rows) {
    uint32_t count = tni_spring_emit(scalar, actors->spring, actors->limit, rows);
    count += tni_friction_emit(scalar, actors->friction, rows + count);
    count += tni_viscous_friction_emit(scalar, actors->viscous_friction, rows + count);
    count += tni_motor_emit(scalar, actors->motor, actors->limit, rows + count);
    count += tni_limit_emit(scalar, actors->limit, rows + count);
    return count;
}

tni_scalar_actors tni_scalar_get_actors(const tn_axis *axis) {
    tni_scalar_actors actors = {&axis->spring, &axis->motor, &axis->limit, axis->friction,
                                axis->viscous_friction};
    return actors;
}

uint32_t tni_scalar_count_axes(const tn_axis *const *axes, uint32_t count) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; ++i) {
        tni_scalar_actors actors = tni_scalar_get_actors(axes[i]);
        rows += tni_scalar_count_rows(&actors);
    }
    return rows;
}

void tni_scalar_emit_axes(const tni_scalar *scalars, const tn_axis *const *axes, uint32_t count,
                          tni_row *rows) {
    for (uint32_t i = 0; i < count; ++i) {
        tni_scalar_actors actors = tni_scalar_get_actors(axes[i]);
        rows += tni_scalar_emit(&scalars[i], &actors, rows);
    }
}
