// joints/joint.c: calls the functions of a joint's type, and does what all types share.
//
// A joint with a stiffness of its own (hertz, damping_ratio) has no equalities: its RIGID rows
// become springs of that frequency, which give way alike at every step rate. Their order stays the
// same. A joint that broke in the step at hand has rows of zero in double until the step ends, so
// that a matrix that contains it need not change.
// Test: tests/joints/test_rows.c, tests/joints/test_joint_values.c
#include "joints/joint.h"

#include "joints/functions/function_joint.h"

#include <string.h>

#include "core/hash.h"
#include "joints/kind.h"
#include "joints/parts/axis.h"
#include "joints/parts/twist.h"

// The equalities already hold a row whose response is below this share of its own.
#define JOINT_HELD_SHARE 1e-5

static void joint_lay_side_by_side(tni_dvec3 a, tni_dvec3 b, double out[6]) {
    const double vectors[6] = {a.x, b.x, a.y, b.y, a.z, b.z};
    memcpy(out, vectors, sizeof vectors);
}

static tni_frame_vectors joint_get_vectors(const tni_dpose *frame) {
    tni_axes axes = tni_axes_from_rotation(frame->rotation);
    tni_frame_vectors vectors;
    joint_lay_side_by_side(frame->position, axes.x, vectors.origin_x);
    joint_lay_side_by_side(axes.y, axes.z, vectors.y_z);
    return vectors;
}

void tni_joint_set_frames(tni_joint *joint, const tni_dpose *frame_a, const tni_dpose *frame_b) {
    joint->frame_a = *frame_a;
    joint->frame_b = *frame_b;
    joint->vectors_a = joint_get_vectors(frame_a);
    joint->vectors_b = joint_get_vectors(frame_b);
}

tni_row_count tni_joint_count_rows(const tni_joint *joint) {
    tni_row_count count = joint->kind->count_rows(joint);
    if (tni_joint_is_soft(joint)) {
        count.equalities = 0;
        count.point_rows = 0;
        count.lengths = 0;
    }
    return count;
}

bool tni_joint_may_break(const tni_joint *joint) {
    const tn_joint_def *def = &joint->def.base;
    tn_vec3 linear = def->break_linear, angular = def->break_angular;
    double linear_least = maths_min_d(linear.x, maths_min_d(linear.y, linear.z));
    double angular_least = maths_min_d(angular.x, maths_min_d(angular.y, angular.z));
    return def->break_force < INFINITY || def->break_torque < INFINITY ||
           maths_min_d(linear_least, angular_least) < (double)INFINITY ||
           tni_joint_rows_may_break(joint);
}

const tn_custom_row_def *tni_joint_get_own_rows(const tni_joint *joint, uint32_t *out_count) {
    *out_count = 0;
    if (joint->type == TN_JOINT_TYPE_CUSTOM) {
        *out_count = joint->def.custom.apart->def.row_count;
        return joint->def.custom.apart->def.rows;
    }
    if (joint->type == TN_JOINT_TYPE_FUNCTION && !tni_joint_is_tie(joint)) {
        *out_count = joint->def.function.apart->row_count;
        return joint->def.function.apart->rows;
    }
    return NULL;
}

tni_row_bearing *tni_joint_get_row_bearing(const tni_joint *joint) {
    uint32_t count;
    if (tni_joint_get_own_rows(joint, &count) == NULL) {
        return NULL;
    }
    return joint->type == TN_JOINT_TYPE_CUSTOM ? &joint->def.custom.apart->bearing
                                               : &joint->def.function.apart->bearing;
}

bool tni_joint_rows_may_break(const tni_joint *joint) {
    uint32_t count;
    const tn_custom_row_def *rows = tni_joint_get_own_rows(joint, &count);
    bool may_break = false;
    for (uint32_t r = 0; r < count; ++r) {
        may_break = may_break || (rows[r].break_load > 0.0f && rows[r].break_load < INFINITY);
    }
    return may_break;
}

// Makes springs of the n equality rows.
static void joint_soften(const tn_joint_def *def, tni_row *rows, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
        rows[i].kind = TNI_ROW_FREQUENCY;
        rows[i].stiffness = def->hertz;
        rows[i].damping = def->damping_ratio;
        rows[i].velocity_term = 0.0f;
    }
}

// Writes the bounded rows, the first of which is rows[equalities].
static void joint_emit_bounded(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, bool is_still, tni_row *rows) {
    tni_row_count count = joint->kind->count_rows(joint);
    if (count.rows > count.equalities) {
        tni_rows out = {.ends = {a, b}, .is_still = is_still, .bounded = rows + count.equalities};
        joint->kind->emit(joint, a, b, &out);
    }
}

void tni_joint_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    tni_row *rows) {
    tni_row_count count = joint->kind->count_rows(joint);
    tni_exact_row exact[TNI_JOINT_MAX_EQUALITY_ROWS];
    double terms[TNI_JOINT_MAX_EQUALITY_ROWS], rates[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_rows out = {.ends = {a, b},
                    .goes_home = true,
                    .exact = exact,
                    .terms = terms,
                    .rates = tni_joint_has_rates(joint) ? rates : NULL,
                    .bounded = count.rows > count.equalities ? rows + count.equalities : NULL};
    joint->kind->emit(joint, a, b, &out);
    tni_rows_round(&out, rows);
    if (tni_joint_is_soft(joint)) {
        joint_soften(&joint->def.base, rows, count.equalities);
    }
}

void tni_joint_emit_bounded(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_row *rows) {
    if (tni_joint_is_soft(joint)) {
        tni_joint_emit(joint, a, b, rows);
    } else {
        joint_emit_bounded(joint, a, b, false, rows);
    }
}

void tni_joint_emit_actors(const tni_joint *joint, const tni_body_motion *a,
                           const tni_body_motion *b, tni_row *rows) {
    if (joint->bearing.is_broken) {
        memset(rows, 0, joint->rows.rows * sizeof *rows);
    } else if (tni_joint_is_soft(joint)) {
        tni_joint_emit(joint, a, b, rows);
    } else {
        joint_emit_bounded(joint, a, b, true, rows);
    }
}

void tni_joint_emit_pin(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_pin *pin, tni_row *bounded) {
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS], terms[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_rows out = {.ends = {a, b},
                    .goes_home = true,
                    .pin = pin,
                    .errors = errors,
                    .terms = terms,
                    .bounded = bounded};
    joint->kind->emit(joint, a, b, &out);
    tni_pin_set_numbers(pin, out.count - out.turn_count, out.turn_count, errors, terms);
}

bool tni_joint_get_ranges(const tni_joint *joint, tni_joint_ranges *out_ranges) {
    memset(out_ranges, 0, sizeof *out_ranges);
    return joint->kind->get_ranges != NULL && joint->kind->get_ranges(joint, out_ranges);
}

bool tni_joint_get_line(const tni_joint *joint, tni_joint_line *out_line) {
    memset(out_line, 0, sizeof *out_line);
    return joint->kind->get_line != NULL && joint->kind->get_line(joint, out_line);
}

// Returns whether a row drives a value into a limit: a motor, whose target may be anywhere, or a
// spring that comes to rest beyond the end of its own value, or takes another one along.
static bool joint_drives_limit(const tni_row *rows, uint32_t count, uint32_t i) {
    bool drives = rows[i].role == TNI_ROLE_MOTOR;
    for (uint32_t k = 0; k < count && !drives && tni_row_drives(&rows[i]); ++k) {
        if (rows[k].kind == TNI_ROW_LIMIT) {
            float way = tni_row_compare(&rows[i], &rows[k]);
            drives = way == 0.0f || way * rows[i].error > rows[k].error;
        }
    }
    return drives;
}

void tni_joint_note_row_kinds(tni_joint *joint) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_body_motion still = {.rotation = dquat_identity()};
    tni_row_count count = tni_joint_count_rows(joint);
    tni_joint_emit(joint, &still, &still, rows);
    uint8_t kinds[TNI_JOINT_MAX_ROWS];
    joint->has_limits = joint->has_motors = joint->drives_limits = false;
    for (uint32_t i = 0; i < count.rows; ++i) {
        kinds[i] = rows[i].kind;
        joint->has_limits = joint->has_limits || rows[i].kind == TNI_ROW_LIMIT;
        joint->has_motors = joint->has_motors || rows[i].role == TNI_ROLE_MOTOR;
        joint->drives_limits = joint->drives_limits || joint_drives_limit(rows, count.rows, i);
    }
    joint->row_kinds = tni_hash_bytes(TNI_HASH_SEED, kinds, count.rows);
}

tn_joint_error tni_joint_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                       const tni_body_motion *b) {
    return joint->kind->measure_error(joint, a, b);
}

tni_joint_value tni_joint_measure_value(const tni_joint *joint, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b) {
    return joint->kind->measure_value(joint, index, a, b);
}

bool tni_joint_has_callback(const tni_joint *joint) {
    return joint->kind->has_callback;
}

bool tni_joint_is_finite(const tni_joint *joint, const tni_body_motion *a,
                         const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_exact_row exact[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_rows out = {.ends = {a, b}, .is_still = true, .exact = exact, .bounded = rows};
    if (joint->kind->has_callback) {
        joint->kind->emit(joint, a, b, &out);
    }
    return !out.is_not_finite;
}

uint32_t tni_joint_get_motor_value(const tni_joint *joint, uint32_t motor) {
    const tni_joint_kind *kind = joint->kind;
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t count = kind->get_axes != NULL ? kind->get_axes(joint, axes) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool has_motor = axes[i]->motor.mode != TN_MOTOR_MODE_OFF;
        if (has_motor && motor-- == 0) {
            return i;
        }
    }
    return 0;
}

// ---- whole turns -------------------------------------------------------------------------------

uint32_t tni_joint_get_counted(const tni_joint *joint) {
    const tni_joint_counter *counter = joint->kind->counter;
    if (counter == NULL) {
        return 0;
    }
    if (counter->get_wound == NULL) {
        return TNI_COUNTS_BOTH;
    }
    return (counter->get_wound(joint, 0) != NULL ? 1u : 0u) |
           (counter->get_wound(joint, 1) != NULL ? 2u : 0u);
}

bool tni_joint_has_memory(const tni_joint *joint) {
    return tni_joint_get_counted(joint) != 0;
}

bool tni_joint_meshes(const tni_joint *joint) {
    const tni_joint_counter *counter = joint->kind->counter;
    return counter != NULL && counter->get_wound == NULL;
}

bool tni_joint_has_teeth(const tni_joint *joint) {
    return joint->kind->counter != NULL && joint->kind->counter->advance != NULL;
}

bool tni_joint_has_reference(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b) {
    tni_joint_value turning[2];
    return joint->kind->counter == NULL ||
           joint->kind->counter->measure_turning(joint, a, b, turning);
}

double tni_joint_get_phase_error(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b) {
    const tni_joint_counter *counter = joint->kind->counter;
    if (!tni_joint_meshes(joint)) {
        return 0.0;
    }
    if (counter->measure_phase != NULL) {
        return counter->measure_phase(joint, a, b);
    }
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS] = {0.0};
    tni_rows out = {.ends = {a, b}, .errors = errors};
    joint->kind->emit(joint, a, b, &out);
    return errors[counter->phase_row];
}

// Returns the whole turns that an angle begins with.
static int64_t joint_get_first_turn(const tni_joint *joint, uint32_t angle, double rest) {
    const tni_joint_counter *counter = joint->kind->counter;
    const tn_limit *wound = counter->get_wound != NULL ? counter->get_wound(joint, angle) : NULL;
    return wound != NULL ? tni_twist_get_first_turn(wound, rest) : 0;
}

void tni_joint_mesh(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    double error, uint32_t angles) {
    const tni_joint_counter *counter = joint->kind->counter;
    if (!tni_joint_has_memory(joint)) {
        return;
    }
    if (counter->mesh != NULL) {
        counter->mesh(joint, a, b);
    }
    tni_joint_value turning[2];
    counter->measure_turning(joint, a, b, turning);
    for (uint32_t i = 0; i < 2; ++i) {
        if ((angles & 1u << i) != 0) {
            tni_turns_start(&joint->memory.turns[i], turning[i].position);
            joint->memory.turns[i].count = joint_get_first_turn(joint, i, turning[i].position);
            joint->memory.starts[i] = turning[i].position;
        }
    }
    joint->memory.phase = 0.0;
    joint->memory.phase = tni_joint_get_phase_error(joint, a, b) - error;
}

double tni_joint_get_turn(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, uint32_t angle) {
    tni_joint_value turning[2];
    const tni_turns *turns = &joint->memory.turns[angle];
    bool is_known = joint->kind->counter->measure_turning(joint, a, b, turning);
    double now = tni_turns_get_angle(turns, is_known ? turning[angle].position : turns->rest);
    return now - joint->memory.starts[angle];
}

void tni_joint_expect(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      double time) {
    tni_joint_value turning[2];
    bool is_known = joint->kind->counter->measure_turning(joint, a, b, turning);
    for (int i = 0; i < 2; ++i) {
        joint->memory.turns[i].ahead = is_known ? time * turning[i].speed : 0.0;
    }
}

void tni_joint_remember(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    tni_joint_value turning[2];
    const tni_joint_counter *counter = joint->kind->counter;
    bool is_known = counter->measure_turning(joint, a, b, turning);
    for (int i = 0; i < 2 && is_known; ++i) {
        tni_turns_take(&joint->memory.turns[i], turning[i].position);
    }
    if (is_known && counter->advance != NULL) {
        counter->advance(joint, a, b);
    }
}

void tni_joint_seek(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b) {
    const tni_joint_counter *counter = joint->kind->counter;
    if (counter != NULL && counter->seek != NULL) {
        counter->seek(joint, a, b);
    }
}

// ---- springs -----------------------------------------------------------------------------------

// Returns one body's share of J_1 W J_2^T.
static double joint_couple_body(vec3s linear_1, vec3s angular_1, vec3s linear_2, vec3s angular_2,
                                const tni_body_mobility *body) {
    vec3s scaled = glms_vec3_mul(body->inv_mass, linear_2);
    return (double)glms_vec3_dot(linear_1, scaled) +
           (double)glms_vec3_dot(angular_1, sym3_mul(body->inv_inertia, angular_2));
}

static double joint_couple_rows(const tni_row *p, const tni_row *q, const tni_body_mobility *a,
                                const tni_body_mobility *b) {
    return joint_couple_body(p->lin_a, p->ang_a, q->lin_a, q->ang_a, a) +
           joint_couple_body(p->lin_b, p->ang_b, q->lin_b, q->ang_b, b);
}

// Returns the response of a bounded row while the joint's n equality rows hold: the Schur
// complement K_bb - K_be K_ee^-1 K_eb, by eliminating the equalities from K = J W J^T of all these
// rows.
static double joint_row_response(const tni_row *equalities, uint32_t n, const tni_row *row,
                                 const tni_body_mobility *a, const tni_body_mobility *b) {
    double k[TNI_JOINT_MAX_EQUALITY_ROWS + 1][TNI_JOINT_MAX_EQUALITY_ROWS + 1];
    for (uint32_t i = 0; i <= n; ++i) {
        for (uint32_t j = 0; j <= n; ++j) {
            k[i][j] =
                joint_couple_rows(i < n ? &equalities[i] : row, j < n ? &equalities[j] : row, a, b);
        }
    }
    double own = k[n][n];
    for (uint32_t i = 0; i < n; ++i) {
        double inverse = maths_inverse_or_zero_d(k[i][i]);
        for (uint32_t j = i + 1; j <= n; ++j) {
            for (uint32_t m = i + 1; m <= n; ++m) {
                k[j][m] -= k[j][i] * k[i][m] * inverse;
            }
        }
    }
    return k[n][n] > JOINT_HELD_SHARE * own ? k[n][n] : 0.0;
}

// Returns N/m or N·m/rad of a spring row, as given or from its frequency: k = m (2 pi hertz)^2. A
// soft limit that is not violated has none.
static double joint_row_stiffness(const tni_row *equalities, uint32_t n, const tni_row *row,
                                  const tni_body_mobility *a, const tni_body_mobility *b) {
    if (row->kind == TNI_ROW_SOFT_LIMIT && !(row->error < 0.0f)) {
        return 0.0;
    }
    if (row->kind != TNI_ROW_FREQUENCY) {
        return (double)row->stiffness;
    }
    double omega = 2.0 * MATHS_PI * (double)row->stiffness;
    return maths_inverse_or_zero_d(joint_row_response(equalities, n, row, a, b)) * omega * omega;
}

// Sums k C^2 / 2 over the spring rows: this is the potential of a spring row in any joint.
double tni_joint_measure_elastic_energy(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b, const tni_body_mobility *of_a,
                                        const tni_body_mobility *of_b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = tni_joint_count_rows(joint);
    if (count.rows == count.equalities) {
        return 0.0;
    }
    tni_joint_emit(joint, a, b, rows);
    double energy = 0.0;
    for (uint32_t i = count.equalities; i < count.rows; ++i) {
        if (tni_row_is_spring(&rows[i]) && rows[i].role != TNI_ROLE_MOTOR) {
            double error = (double)rows[i].error;
            energy += 0.5 * joint_row_stiffness(rows, count.equalities, &rows[i], of_a, of_b) *
                      error * error;
        }
    }
    return energy;
}
