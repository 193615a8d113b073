// solver/exact/mechanism_border.c: the rows of spans around the matrix of a mechanism's joints.
//
//     [  A   -B^T ] [ y ]   [ r   ]        A the matrix of bodies and joints, B the spans' rows,
//     [ -B   -F   ] [ s ] = [ r_s ]        F their E (solver/exact/mechanism_system.c)
//
// One row ties up to sixteen bodies. As a node of the sparse matrix it would tie all joints at all
// of these to each other, through every file that eliminates, tears, anchors and steps mechanisms
// side by side; as a border it asks of all these for nothing but solves. With P = A^-1 B^T, one
// solve for each row,
//     (B P + F) s = -(r_s + B A^-1 r),   y = A^-1 r + P s
// where B P + F is symmetric and positive definite, of the spans' rows alone: it is factored as
// L D L^T. Spans are few where there are joints by the thousand; their rows cost a solve each, and
// TN_SOLVER_AUTO sweeps a mechanism of many (solver/step/choice.h).
// Sources: I. Duff, A. Erisman, J. Reid, "Direct methods for sparse matrices", 2nd ed. 2017, 11
// (bordered systems); A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997.
// Test: tests/solver/exact/test_mechanism_span.c
#include "solver/exact/mechanism_span.h"

#include <string.h>

#include "solver/exact/mechanism_system.h"

// Returns the length of a column of P: the speeds of the bodies that move, then the unknowns of the
// joints' matrix.
static size_t border_get_length(const tni_mechanism *mechanism) {
    return (size_t)6 * mechanism->moving_count + mechanism->matrix.pattern.unknown_count;
}

size_t tni_mechanism_border_count(const tni_mechanism *mechanism) {
    size_t rows = mechanism->spans.row_count;
    return rows * rows + (rows + 1) * border_get_length(mechanism);
}

static double *border_get_column(const tni_mechanism *mechanism, uint32_t row) {
    size_t rows = mechanism->spans.row_count;
    return mechanism->spans.border + rows * rows + row * border_get_length(mechanism);
}

static double *border_get_row(const tni_mechanism *mechanism, uint32_t row) {
    return mechanism->spans.border + (size_t)row * mechanism->spans.row_count;
}

// These copy right sides or solutions of bodies and joints to a column, and back.
static void border_save(const tni_mechanism *mechanism, double *column) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memcpy(column + 6 * (size_t)i, mechanism->bodies[i].change, 6 * sizeof(double));
    }
    memcpy(column + 6 * (size_t)mechanism->moving_count, mechanism->matrix.unknowns,
           mechanism->matrix.pattern.unknown_count * sizeof(double));
}

static void border_load(const tni_mechanism *mechanism, const double *column) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memcpy(mechanism->bodies[i].change, column + 6 * (size_t)i, 6 * sizeof(double));
    }
    memcpy(mechanism->matrix.unknowns, column + 6 * (size_t)mechanism->moving_count,
           mechanism->matrix.pattern.unknown_count * sizeof(double));
}

// Sets the right side to B^T of one row.
static void border_pull(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                        uint32_t r) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memset(mechanism->bodies[i].change, 0, sizeof mechanism->bodies[i].change);
    }
    memset(mechanism->matrix.unknowns, 0, mechanism->matrix.pattern.unknown_count * sizeof(double));
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        if (span->bodies[i] < mechanism->moving_count) {
            memcpy(mechanism->bodies[span->bodies[i]].change, tni_mechanism_span_at(span, r, i),
                   6 * sizeof(double));
        }
    }
}

// Returns B x of one row and a column.
static double border_dot(const tni_mechanism *mechanism, const tni_mechanism_span *span, uint32_t r,
                         const double *column) {
    double sum = 0.0;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        if (span->bodies[i] < mechanism->moving_count) {
            sum += tni_mechanism_dot6(tni_mechanism_span_at(span, r, i),
                                      column + 6 * (size_t)span->bodies[i]);
        }
    }
    return sum;
}

static void border_solve_columns(tni_mechanism *mechanism) {
    uint32_t k = 0;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        for (uint32_t r = 0; r < mechanism->spans.spans[s].row_count; ++r, ++k) {
            border_pull(mechanism, &mechanism->spans.spans[s], r);
            tni_mechanism_solve_joints(mechanism, false);
            border_save(mechanism, border_get_column(mechanism, k));
        }
    }
}

// Fills in the lower half of B P + F.
static void border_fill(tni_mechanism *mechanism) {
    uint32_t i = 0;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r, ++i) {
            double *row = border_get_row(mechanism, i);
            for (uint32_t j = 0; j <= i; ++j) {
                row[j] = border_dot(mechanism, span, r, border_get_column(mechanism, j));
            }
            row[i] += span->rows[r].softness;
        }
    }
}

// Factors into L D L^T in place, with L below the diagonal and 1 / D on it. Returns false where D
// is not positive.
static bool border_decompose(const tni_mechanism *mechanism) {
    for (uint32_t j = 0; j < mechanism->spans.row_count; ++j) {
        double *own = border_get_row(mechanism, j), pivot = own[j];
        for (uint32_t k = 0; k < j; ++k) {
            const double *before = border_get_row(mechanism, k);
            double l = own[k];
            for (uint32_t m = 0; m < k; ++m) {
                l -= own[m] * before[m];
            }
            own[k] = l; // L D, until the row is done
        }
        for (uint32_t k = 0; k < j; ++k) {
            double scaled = own[k], l = scaled * border_get_row(mechanism, k)[k];
            pivot -= scaled * l;
            own[k] = l;
        }
        if (!(pivot > 0.0)) {
            return false;
        }
        own[j] = 1.0 / pivot;
    }
    return true;
}

bool tni_mechanism_border_factor(tni_mechanism *mechanism) {
    if (mechanism->spans.row_count == 0) {
        return true;
    }
    double *kept = border_get_column(mechanism, mechanism->spans.row_count);
    border_save(mechanism, kept);
    border_solve_columns(mechanism);
    border_load(mechanism, kept);
    border_fill(mechanism);
    return border_decompose(mechanism);
}

// Substitutes in place, in the unknowns of the spans' rows.
static void border_substitute(tni_mechanism *mechanism) {
    tni_mechanism_span_row *x = mechanism->spans.rows;
    uint32_t n = mechanism->spans.row_count;
    for (uint32_t i = 0; i < n; ++i) {
        const double *row = border_get_row(mechanism, i);
        for (uint32_t j = 0; j < i; ++j) {
            x[i].unknown -= row[j] * x[j].unknown;
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        x[i].unknown *= border_get_row(mechanism, i)[i];
        for (uint32_t j = i + 1; j < n; ++j) {
            x[i].unknown -= border_get_row(mechanism, j)[i] * x[j].unknown;
        }
    }
}

// Sets the unknown of each limit that takes no part to zero: its F is large, and what is left of
// its impulse counts for nothing.
static void border_leave_out(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->unknown = row->is_out ? 0.0 : row->unknown;
    }
}

static void border_add_column(tni_mechanism *mechanism, uint32_t k) {
    const double *column = border_get_column(mechanism, k);
    double x = mechanism->spans.rows[k].unknown;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        for (uint32_t c = 0; c < 6; ++c) {
            mechanism->bodies[i].change[c] += x * *column++;
        }
    }
    for (uint32_t u = 0; u < mechanism->matrix.pattern.unknown_count; ++u) {
        mechanism->matrix.unknowns[u] += x * *column++;
    }
}

void tni_mechanism_border_correct(tni_mechanism *mechanism) {
    double *found = border_get_column(mechanism, mechanism->spans.row_count);
    border_save(mechanism, found);
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            tni_mechanism_span_row *row = &span->rows[r];
            row->unknown = -(row->unknown + border_dot(mechanism, span, r, found));
        }
    }
    border_substitute(mechanism);
    border_leave_out(mechanism);
    for (uint32_t k = 0; k < mechanism->spans.row_count; ++k) {
        border_add_column(mechanism, k);
    }
}
