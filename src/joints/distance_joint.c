// joints/distance_joint.c: keeps two points at a distance: rod, rope, spring.
//
// Symbols: L the length of the line from anchor to anchor, with its row: parts/line.c.
//
// Rod: C = L - length. Limits, spring, motor and friction act on L itself; a rope is an upper limit
// alone. Signs: positive is longer, so a rod's impulse is positive when it pushes.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_distance_joint.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/parts/line.h"

static tni_line distance_measure(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b) {
    tni_point point = tni_point_measure(joint, a, b);
    return tni_line_make(&point, 0, 1);
}

// The limit's rows are those of a line, so that it is none of these actors.
static tni_scalar_actors distance_get_actors(const tn_distance_joint_def *def) {
    static const tn_limit none = {.is_enabled = false};
    tni_scalar_actors actors = {&def->spring, &def->motor, &none, def->friction,
                                def->viscous_friction};
    return actors;
}

static tni_row_count distance_count_rows(const tni_joint *joint) {
    const tn_distance_joint_def *def = &joint->def.distance;
    tni_scalar_actors actors = distance_get_actors(def);
    uint32_t equalities = def->is_rigid ? 1 : 0;
    uint32_t limits = tni_line_count_limit(&def->limit);
    tni_row_count count = {equalities + tni_scalar_count_rows(&actors) + limits, equalities, 0,
                           equalities};
    return count;
}

static void distance_emit(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_rows *out) {
    const tn_distance_joint_def *def = &joint->def.distance;
    tni_line line = distance_measure(joint, a, b);
    if (def->is_rigid) {
        uint32_t r = tni_rows_begin(out, false);
        tni_rows_put_line(out, r, &line, 1.0);
        tni_rows_set_error(out, r, line.length - (double)def->length);
    }
    if (out->bounded != NULL) {
        tni_scalar_actors actors = distance_get_actors(def);
        tni_scalar scalar = tni_line_make_scalar(&line);
        uint32_t count = tni_scalar_emit(&scalar, &actors, out->bounded);
        tni_line_emit_limit(&line, &def->limit, out, out->bounded + count);
    }
}

// The error is along the line: the rod's, or how far a rope is past its limits.
static tn_joint_error distance_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                             const tni_body_motion *b) {
    const tn_distance_joint_def *def = &joint->def.distance;
    tni_line line = distance_measure(joint, a, b);
    tni_scalar scalar = tni_line_make_scalar(&line);
    double excess = def->is_rigid ? line.length - (double)def->length
                                  : tni_limit_get_excess(&scalar, &def->limit);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_error_make(&frame_a, dvec3_scale(line.n, excess), dvec3_make(0.0, 0.0, 0.0));
}

static tni_joint_value distance_measure_value(const tni_joint *joint, uint32_t index,
                                              const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_line line = distance_measure(joint, a, b);
    return (tni_joint_value){line.length, tni_line_get_rate(&line, a, b)};
}

static bool distance_get_line(const tni_joint *joint, tni_joint_line *out_line) {
    const tn_distance_joint_def *def = &joint->def.distance;
    out_line->is_rod = def->is_rigid;
    out_line->is_rope = def->limit.is_enabled;
    out_line->is_spring = def->spring.mode != TN_SPRING_MODE_OFF;
    out_line->length = def->length;
    out_line->upper = def->limit.upper;
    out_line->rest = def->spring.rest;
    uint32_t rows = (out_line->is_rod ? 1u : 0u) + (out_line->is_rope ? 1u : 0u) +
                    (out_line->is_spring ? 1u : 0u);
    return distance_count_rows(joint).rows == rows && tni_limit_is_hard(&def->limit) &&
           (!out_line->is_rod || rows == 1);
}

const tni_joint_kind tni_distance_joint_kind = {.count_rows = distance_count_rows,
                                                .emit = distance_emit,
                                                .measure_error = distance_measure_error,
                                                .measure_value = distance_measure_value,
                                                .get_line = distance_get_line};
