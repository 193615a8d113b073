// joints/rows.h: says what a caller asks of a joint's rows, and where the answers go.
//
// A joint names its parts (joints/parts) once, in one function. Each part adds equalities and
// writes what is asked for: their rows in double, their errors alone, Jdot v, dC/dt, their
// curvature, or the arms and directions of a pin. Float rows and pins are the numbers in double,
// rounded.
//
// A row may be a sum of parts: it begins as zero, parts add their share to it, and the joint sets
// its error. A bounded row that consists of parts is an equality among rows of its own, which is
// then rounded (tni_rows_of_one).
// Test: tests/joints/test_exact_rows.c, tests/joints/test_rows.c
#ifndef TNI_JOINTS_ROWS_H
#define TNI_JOINTS_ROWS_H

#include <string.h>

#include "joints/exact_row.h"
#include "joints/pin.h"

typedef struct tni_rows {
    const tni_body_motion *ends[2]; // bodies a and b
    uint32_t count;                 // equalities that were added
    uint32_t turn_count, turns;     // how many of them are turns, and which, as bits
    bool goes_home;                 // if a pose is far off, rows take the shortest turn back
    bool is_not_finite;             // a callback gave a number that is not finite
    bool is_still;                  // bounded rows are wanted without Jdot v
    // The results for the equalities, by their number; null for what is not asked for.
    tni_exact_row *exact;    // J and C
    tni_pin *pin;            // its arms and directions; its numbers are `errors` and `terms`
    double *errors;          // C, asked for alone or with a pin
    double *terms;           // Jdot v
    double *rates;           // dC/dt, for rows that depend on time
    const double *strengths; // x of the curvature, which is asked for alone
    tni_curvature *curvature;
    tni_row *bounded; // the rows after the equalities, or null
} tni_rows;

// Returns J v.
static inline double tni_exact_row_get_speed(const tni_exact_row *row, const tni_body_motion *a,
                                             const tni_body_motion *b) {
    return dvec3_dot(row->lin_a, a->velocity) + dvec3_dot(row->ang_a, a->angular_velocity) +
           dvec3_dot(row->lin_b, b->velocity) + dvec3_dot(row->ang_b, b->angular_velocity);
}

// Adds n equalities and returns the number of the first.
static inline uint32_t tni_rows_add(tni_rows *out, uint32_t n) {
    uint32_t first = out->count;
    out->count = first + n;
    return first;
}

// Returns whether only the errors of the equalities are asked for.
static inline bool tni_rows_are_errors(const tni_rows *out) {
    return out->errors != NULL && out->pin == NULL;
}

static inline void tni_rows_set_error(const tni_rows *out, uint32_t r, double error) {
    if (out->errors != NULL) {
        out->errors[r] = error;
    } else if (out->exact != NULL) {
        out->exact[r].error = error;
    }
}

static inline void tni_rows_set_term(const tni_rows *out, uint32_t r, double term) {
    if (out->terms != NULL) {
        out->terms[r] = term;
    }
}

// Adds an equality that is zero, for parts to add to.
static inline uint32_t tni_rows_begin(tni_rows *out, bool is_angular) {
    uint32_t r = tni_rows_add(out, 1);
    out->turns |= is_angular ? 1u << r : 0u;
    if (out->exact != NULL) {
        memset(&out->exact[r], 0, sizeof out->exact[r]);
    }
    tni_rows_set_error(out, r, 0.0);
    tni_rows_set_term(out, r, 0.0);
    return r;
}

// Adds an equality that turns b against a: ang_b = j, ang_a = -j.
static inline uint32_t tni_rows_add_turn(tni_rows *out, tni_dvec3 j, double error) {
    uint32_t r = tni_rows_add(out, 1);
    out->turns |= 1u << r;
    if (out->exact != NULL) {
        out->exact[r].lin_a = out->exact[r].lin_b = dvec3_make(0.0, 0.0, 0.0);
        out->exact[r].ang_a = dvec3_scale(j, -1.0);
        out->exact[r].ang_b = j;
    }
    if (out->pin != NULL) {
        out->pin->axis[out->turn_count] = tni_pin_vector(j);
    }
    out->turn_count += 1;
    tni_rows_set_error(out, r, error);
    return r;
}

// Adds an equality that was made elsewhere, with its Jdot v.
void tni_rows_add_made(tni_rows *out, const tni_exact_row *row, double term, bool is_angular);

// Writes the float rows of the equalities, from their rows in double and their Jdot v.
void tni_rows_round(const tni_rows *rows, tni_row *out_rows);

// Rows of the same bodies with room for one equality, which becomes a bounded row of `out`.
typedef struct tni_lone_row {
    tni_exact_row exact;
    double term;
} tni_lone_row;
tni_rows tni_rows_of_one(const tni_rows *out, tni_lone_row *lone);
// Rounds it, times `sign`, to a row of the given kind.
void tni_rows_bound(const tni_rows *lone, double sign, tni_row_kind kind, tni_row *row);

#endif
