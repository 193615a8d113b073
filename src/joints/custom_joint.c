// joints/custom_joint.c: rows of the user's own, from a callback or from a graph of functions.
//
// A graph (of a function joint with one or two bodies, joints/functions/function_joint.h) gives L,
// A, Jdot v and K. A callback's rows need:
//
// Symbols: C the error of a row; p, w origin of a frame and angular velocity of its body; L, A the
// callback's vectors, with C' = L_a . p_a' + A_a . w_a + L_b . p_b' + A_b . w_b; x, r the centre of
// mass and p - x; all in world axes.
//
//   p' = v + w x r, so that about the centre   lin = L,   ang = A + r x L
//
// The rest comes from central differences of J, on poses moved by d:
//   Jdot v      = (J(q + t V) - J(q - t V)) V / 2t,  V the velocities, t such that nothing goes or
//                 turns farther than d: the second derivative of C at zero acceleration
//   K           = -sum_k x_k d^2 C_k / dq^2, column c from (J(q + d e_c) - J(q - d e_c)) / 2d, made
//                 symmetric: turns from the left do not commute, and the half that is left out is
//                 their difference
// d = 1e-5 m or rad: an error of d^2 times the fourth derivative, and round-off of 1e-16 / d. A
// turn that is so short is Cayley's map except for d^3 / 12.
// Source: A. Witkin, M. Gleicher, W. Welch, "Interactive dynamics", Symposium on Interactive 3D
// Graphics, 1990 (constraints that anyone can add); exact_row.h for K.
// Test: tests/joints/test_custom_joint.c
#include <string.h>

#include "joints/functions/function_joint.h"
#include "joints/kind.h"

#define CUSTOM_STEP 1e-5 // m or rad

typedef struct custom_rows {
    uint32_t count, equalities;
    bool is_finite;
    tni_exact_row rows[TN_CUSTOM_MAX_ROWS];
} custom_rows;

// Returns the definitions of its rows.
static const tn_custom_row_def *custom_get_defs(const tni_joint *joint) {
    return tni_joint_is_function(joint) ? joint->def.function.apart->rows
                                        : joint->def.custom.apart->def.rows;
}

// Returns the number of rows: 0 for a tie, and for a joint whose rows a span has.
static uint32_t custom_count(const tni_joint *joint) {
    if (!tni_joint_is_function(joint)) {
        return joint->def.custom.apart->def.row_count;
    }
    return tni_joint_is_tie(joint) || joint->def.function.apart->is_span
               ? 0
               : joint->def.function.apart->row_count;
}

static uint32_t custom_count_equalities(const tni_joint *joint) {
    uint32_t rows = custom_count(joint), count = 0;
    while (count < rows && custom_get_defs(joint)[count].kind == TN_CUSTOM_ROW_EQUALITY) {
        count += 1;
    }
    return count;
}

static tn_pose custom_get_pose(const tni_dpose *frame, const tni_body_motion *body) {
    tni_dpose world = tni_joint_world_frame(frame, body);
    tn_pose pose = {
        {world.position.x, world.position.y, world.position.z},
        {world.rotation.x, world.rotation.y, world.rotation.z, world.rotation.w},
    };
    return pose;
}

static bool custom_row_is_finite(const tn_custom_row *row) {
    const tn_vec3 *vectors[4] = {&row->linear_a, &row->angular_a, &row->linear_b, &row->angular_b};
    double sum = fabs(row->error);
    for (int i = 0; i < 4; ++i) {
        sum += fabs(vectors[i]->x) + fabs(vectors[i]->y) + fabs(vectors[i]->z);
    }
    return isfinite(sum);
}

static void custom_ask(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tn_custom_row *out_rows) {
    const tn_custom_joint_def *def = &joint->def.custom.apart->def;
    tn_pose pose_a = custom_get_pose(&joint->frame_a, a);
    tn_pose pose_b = custom_get_pose(&joint->frame_b, b);
    memset(out_rows, 0, TN_CUSTOM_MAX_ROWS * sizeof *out_rows);
    def->evaluate(&pose_a, &pose_b, out_rows, def->evaluate_user_data);
}

// ---- the rows -----------------------------------------------------------------------------------

// Measures the rows about the centres of mass, and Jdot v of a graph's rows if `terms` is not null.
static void custom_measure(const tni_joint *joint, const tni_body_motion *a,
                           const tni_body_motion *b, double *terms, custom_rows *out) {
    out->count = custom_count(joint);
    out->equalities = custom_count_equalities(joint);
    out->is_finite = true;
    memset(out->rows, 0, out->count * sizeof *out->rows);
    if (tni_joint_is_function(joint)) {
        out->is_finite = tni_function_measure(joint, a, b, out->count, out->rows, terms);
        return;
    }
    tn_custom_row rows[TN_CUSTOM_MAX_ROWS];
    custom_ask(joint, a, b, rows);
    tni_dvec3 r_a = dquat_rotate(a->rotation, joint->frame_a.position);
    tni_dvec3 r_b = dquat_rotate(b->rotation, joint->frame_b.position);
    for (uint32_t i = 0; i < out->count; ++i) {
        tni_exact_row *row = &out->rows[i];
        if (!custom_row_is_finite(&rows[i])) {
            out->is_finite = false;
            continue;
        }
        row->lin_a = dvec3_from_plain(rows[i].linear_a);
        row->lin_b = dvec3_from_plain(rows[i].linear_b);
        row->ang_a = dvec3_add(dvec3_from_plain(rows[i].angular_a), dvec3_cross(r_a, row->lin_a));
        row->ang_b = dvec3_add(dvec3_from_plain(rows[i].angular_b), dvec3_cross(r_b, row->lin_b));
        row->error = rows[i].error;
    }
}

// ---- differences -------------------------------------------------------------------------------

// Returns the pose after a shift and a turn, with the same velocities.
static tni_body_motion custom_move(const tni_body_motion *body, tni_dvec3 way, tni_dvec3 turn) {
    tni_body_motion moved = *body;
    moved.position = dvec3_add(body->position, way);
    moved.rotation = dquat_normalize(dquat_mul(dquat_cayley(turn), body->rotation));
    return moved;
}

static tni_body_motion custom_drift(const tni_body_motion *body, double time) {
    return custom_move(body, dvec3_scale(body->velocity, time),
                       dvec3_scale(body->angular_velocity, time));
}

static double custom_get_fastest(const tni_body_motion *body) {
    return maths_max_d(dvec3_length(body->velocity), dvec3_length(body->angular_velocity));
}

// Writes Jdot v of a callback's rows, or nothing if both bodies are at rest.
static void custom_difference_terms(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b, double *terms) {
    double fastest = maths_max_d(custom_get_fastest(a), custom_get_fastest(b));
    if (!(fastest > (double)MATHS_TINY)) {
        return;
    }
    double time = CUSTOM_STEP / fastest;
    custom_rows before, after;
    tni_body_motion a_before = custom_drift(a, -time), b_before = custom_drift(b, -time);
    tni_body_motion a_after = custom_drift(a, time), b_after = custom_drift(b, time);
    custom_measure(joint, &a_before, &b_before, NULL, &before);
    custom_measure(joint, &a_after, &b_after, NULL, &after);
    for (uint32_t i = 0; i < after.count; ++i) {
        terms[i] = (tni_exact_row_get_speed(&after.rows[i], a, b) -
                    tni_exact_row_get_speed(&before.rows[i], a, b)) /
                   (2.0 * time);
    }
}

// Sums x_k J_k of one end.
static void custom_sum_rows(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, uint32_t end, const double *x,
                            double out_sum[6]) {
    custom_rows all;
    custom_measure(joint, a, b, NULL, &all);
    for (uint32_t c = 0; c < 6; ++c) {
        out_sum[c] = 0.0;
        for (uint32_t i = 0; i < all.equalities; ++i) {
            out_sum[c] += x[i] * all.rows[i].jacobian[6 * end + c];
        }
    }
}

static void custom_add_body_curvature(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, uint32_t end, const double *x,
                                      double (*k)[6]) {
    double columns[6][6];
    for (uint32_t c = 0; c < 6; ++c) {
        double way[6] = {0.0}, sums[2][6];
        for (uint32_t side = 0; side < 2; ++side) {
            way[c] = side == 0 ? -CUSTOM_STEP : CUSTOM_STEP;
            tni_body_motion moved =
                custom_move(end == 0 ? a : b, dvec3_make(way[0], way[1], way[2]),
                            dvec3_make(way[3], way[4], way[5]));
            custom_sum_rows(joint, end == 0 ? &moved : a, end == 0 ? b : &moved, end, x,
                            sums[side]);
        }
        for (uint32_t i = 0; i < 6; ++i) {
            columns[c][i] = (sums[1][i] - sums[0][i]) / (2.0 * CUSTOM_STEP);
        }
    }
    for (uint32_t i = 0; i < 6; ++i) {
        for (uint32_t j = 0; j < 6; ++j) {
            k[i][j] -= 0.5 * (columns[i][j] + columns[j][i]);
        }
    }
}

// ---- what a joint gives ------------------------------------------------------------------------

static tni_row_count custom_count_rows(const tni_joint *joint) {
    tni_row_count count = {.rows = custom_count(joint)};
    count.equalities = custom_count_equalities(joint);
    while (count.lengths < count.equalities && !custom_get_defs(joint)[count.lengths].is_angular) {
        count.lengths += 1;
    }
    return count;
}

static void custom_set_kind(const tn_custom_row_def *def, tni_row *row) {
    const tni_row_kind kinds[] = {
        [TN_CUSTOM_ROW_EQUALITY] = TNI_ROW_RIGID,
        [TN_CUSTOM_ROW_LIMIT] = TNI_ROW_LIMIT,
        [TN_CUSTOM_ROW_SPEED] = TNI_ROW_SPEED,
        [TN_CUSTOM_ROW_SPRING] = TNI_ROW_SPRING,
    };
    const tni_row_role roles[] = {
        [TN_CUSTOM_ROW_EQUALITY] = TNI_ROLE_JOINT,
        [TN_CUSTOM_ROW_LIMIT] = TNI_ROLE_JOINT,
        [TN_CUSTOM_ROW_SPEED] = TNI_ROLE_MOTOR,
        [TN_CUSTOM_ROW_SPRING] = TNI_ROLE_SPRING,
    };
    bool is_driven = def->kind == TN_CUSTOM_ROW_SPEED || def->kind == TN_CUSTOM_ROW_SPRING;
    row->kind = (uint8_t)kinds[def->kind];
    row->role = (uint8_t)roles[def->kind];
    row->target_speed = is_driven ? def->target_speed : 0.0f;
    row->stiffness = def->kind == TN_CUSTOM_ROW_SPRING ? def->stiffness : 0.0f;
    row->damping = def->kind == TN_CUSTOM_ROW_SPRING ? def->damping : 0.0f;
    row->max_force = is_driven ? tni_row_get_cap(def->max_force) : INFINITY;
    if (is_driven) {
        row->velocity_term = 0.0f;
    }
}

static void custom_add_curvature(const tni_joint *joint, const tni_rows *out) {
    const tni_body_motion *a = out->ends[0], *b = out->ends[1];
    tni_curvature *curvature = out->curvature;
    curvature->a_has_linear = curvature->b_has_linear = true;
    if (tni_joint_is_function(joint)) {
        tni_function_add_curvature(joint, a, b, out->strengths, curvature);
        return;
    }
    custom_add_body_curvature(joint, a, b, 0, out->strengths, curvature->a);
    custom_add_body_curvature(joint, a, b, 1, out->strengths, curvature->b);
}

// A callback gives all rows at once, so that they are made together and handed out as they are
// asked for.
static void custom_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_rows *out) {
    bool has_terms = out->terms != NULL || (out->bounded != NULL && !out->is_still);
    double terms[TN_CUSTOM_MAX_ROWS] = {0.0};
    if (out->curvature != NULL) {
        custom_add_curvature(joint, out);
        return;
    }
    custom_rows all;
    custom_measure(joint, a, b, has_terms ? terms : NULL, &all);
    if (has_terms && !tni_joint_is_function(joint)) {
        custom_difference_terms(joint, a, b, terms);
    }
    out->is_not_finite = !all.is_finite;
    for (uint32_t i = 0; i < all.count; ++i) {
        const tn_custom_row_def *def = &custom_get_defs(joint)[i];
        if (i < all.equalities) {
            tni_rows_add_made(out, &all.rows[i], terms[i], def->is_angular);
        } else if (out->bounded != NULL) {
            tni_lone_row lone;
            tni_rows own = tni_rows_of_one(out, &lone);
            tni_rows_add_made(&own, &all.rows[i], terms[i], def->is_angular);
            tni_rows_bound(&own, 1.0, TNI_ROW_LIMIT, &out->bounded[i - all.equalities]);
            custom_set_kind(def, &out->bounded[i - all.equalities]);
        }
    }
}

// Rows have no axes of frame a: lengths go into linear.x, angles into angular.x.
static tn_joint_error custom_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    custom_rows all;
    double squares[2] = {0.0, 0.0};
    custom_measure(joint, a, b, NULL, &all);
    for (uint32_t i = 0; i < all.count; ++i) {
        const tn_custom_row_def *def = &custom_get_defs(joint)[i];
        double error = all.rows[i].error;
        bool counts = def->kind == TN_CUSTOM_ROW_EQUALITY ||
                      (def->kind == TN_CUSTOM_ROW_LIMIT && error < 0.0);
        squares[def->is_angular ? 1 : 0] += counts ? error * error : 0.0;
    }
    double linear = sqrt(squares[0]), angular = sqrt(squares[1]);
    tn_joint_error error = {{linear, 0.0, 0.0}, {angular, 0.0, 0.0}, linear, angular};
    return error;
}

// Measures C of a row and its rate.
static tni_joint_value custom_measure_value(const tni_joint *joint, uint32_t index,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    custom_rows all;
    tni_joint_value value = {0.0, 0.0};
    custom_measure(joint, a, b, NULL, &all);
    if (index < all.count) {
        value.position = all.rows[index].error;
        value.speed = tni_exact_row_get_speed(&all.rows[index], a, b);
    }
    return value;
}

// ---- the definition -----------------------------------------------------------------------------

static bool custom_keep(tni_allocator *allocator, const tni_joint_def *given, tni_joint *joint) {
    const tn_custom_joint_def *def = &given->custom;
    tni_custom *apart = joint->def.custom.apart;
    apart = apart != NULL ? apart : tni_alloc(allocator, sizeof *apart);
    if (apart == NULL) {
        return false;
    }
    if (joint->def.custom.apart == NULL) {
        memset(&apart->bearing, 0, sizeof apart->bearing);
    }
    apart->def = *def;
    joint->def.custom.base = def->base;
    joint->def.custom.apart = apart;
    return true;
}

static void custom_load(const tni_joint *joint, tni_joint_def *out_def) {
    out_def->custom = joint->def.custom.apart->def;
}

static void custom_drop(tni_allocator *allocator, tni_joint *joint) {
    tni_free(allocator, joint->def.custom.apart, sizeof(tni_custom));
    joint->def.custom.apart = NULL;
}

static const tni_joint_keeper custom_keeper = {
    .keep = custom_keep, .load = custom_load, .drop = custom_drop};

const tni_joint_kind tni_custom_joint_kind = {.count_rows = custom_count_rows,
                                              .emit = custom_emit,
                                              .measure_error = custom_measure_error,
                                              .measure_value = custom_measure_value,
                                              .keeper = &custom_keeper,
                                              .has_callback = true};

// A function joint keeps its definition elsewhere: joints/functions/function_joint.h. A tie and a
// rope have no rows here.
const tni_joint_kind tni_function_joint_kind = {.count_rows = custom_count_rows,
                                                .emit = custom_emit,
                                                .measure_error = custom_measure_error,
                                                .measure_value = custom_measure_value,
                                                .has_callback = true};
