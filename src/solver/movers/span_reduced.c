// solver/movers/span_reduced.c: rows of functions and ropes over bodies that are given by
// coordinates.
//
// A row has six numbers J_b for each of its bodies. For a body with [v, w] = P u' and [v, w]' = P
// u'' + d (solver/movers/reduced.c) they become J_b P, in the columns of its object behind those of
// all bodies; several bodies of one object add up there. At u'' = 0 the J_b d of all bodies remain
// of C''. An affine body's row is given by c and A: its numbers are the columns, and nothing of C''
// remains (joints/functions/graph_affine.c). The response is M^-1 (J P)^T, as for joints
// (solver/movers/span_joint.c).
// Sources: those of solver/movers/span_joint.c. Test: tests/world/movers/test_reduced_functions.c
#include "solver/movers/span_reduced.h"

#include <string.h>

#include "solver/movers/span_row.h"

// A column below this share of its terms is the rounding of rows, which are float.
#define SPAN_LEAST_SHARE 1e-6

typedef struct span_columns {
    double sum[TN_REDUCED_MAX_FREEDOMS], size[TN_REDUCED_MAX_FREEDOMS];
} span_columns;

// Adds J_b P, and the sum of its terms without their signs. Returns J_b d.
static double span_add_body(const tni_reduced_body *body, const float *j, uint32_t freedoms,
                            span_columns *columns) {
    tni_dvec3 lin = dvec3_make((double)j[0], (double)j[1], (double)j[2]);
    tni_dvec3 ang = dvec3_make((double)j[4], (double)j[5], (double)j[6]);
    double l = dvec3_length(lin), a = dvec3_length(ang);
    for (uint32_t k = 0; k < freedoms; ++k) {
        columns->sum[k] += dvec3_dot(lin, body->linear[k]) + dvec3_dot(ang, body->angular[k]);
        columns->size[k] += l * dvec3_length(body->linear[k]) + a * dvec3_length(body->angular[k]);
    }
    return dvec3_dot(lin, body->drift) + dvec3_dot(ang, body->angular_drift);
}

static void span_add_affine(const tni_affine_row *row, span_columns *columns) {
    for (uint32_t k = 0; k < TNI_GRAPH_AFFINE_NUMBERS; ++k) {
        columns->sum[k] += row->numbers[k];
    }
}

static void span_write(const tni_span *span, uint32_t row, const tni_span_object *object,
                       const span_columns *columns) {
    const tni_reduced *reduced = object->reduced;
    float *j = tni_span_at(span, span->jacobian, row, object->entry);
    float *w = tni_span_at(span, span->response, row, object->entry);
    memset(j, 0, tni_reduced_count_slots(reduced) * 8 * sizeof *j);
    memset(w, 0, tni_reduced_count_slots(reduced) * 8 * sizeof *w);
    for (uint32_t k = 0; k < reduced->freedoms; ++k) {
        bool counts = fabs(columns->sum[k]) > SPAN_LEAST_SHARE * columns->size[k];
        j[tni_reduced_get_place(k)] = counts ? maths_to_float(columns->sum[k]) : 0.0f;
    }
    tni_reduced_respond(reduced, j, w);
}

double tni_span_project(const tni_span *span, uint32_t row, const tni_affine_row *affine) {
    double drift = 0.0;
    for (uint32_t o = 0; o < span->object_count; ++o) {
        const tni_span_object *object = &span->objects[o];
        span_columns columns = {{0.0}, {0.0}};
        for (uint32_t i = 0; i < span->part_count; ++i) {
            if (span->member_of[i] == o && span->affine[i] != NULL) {
                span_add_affine(&affine[i], &columns);
            } else if (span->member_of[i] == o) {
                float *j = tni_span_at(span, span->jacobian, row, i);
                drift += span_add_body(&object->reduced->bodies[span->members[i]], j,
                                       object->reduced->freedoms, &columns);
                memset(j, 0, 8 * sizeof *j);
            }
        }
        span_write(span, row, object, &columns);
    }
    return drift;
}
