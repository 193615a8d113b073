// solver/movers/span_contact_row.c: the rows of a contact with bodies that are given by
// coordinates.
//
// For an end whose point at the arm r from its centre of mass moves by the columns p_k(r), freedom
// by freedom, and that turns by the columns q_k, the rows of solver/contacts/contact_sweep_wide.c
// are
//     along d, of a point:  J_k = d . p_k(r)        about d:  J_k = d . q_k
// for b, and the opposite for a. For a rigid body the columns p are the three axes and their cross
// products with r, and q are three zeros and the three axes: six freedoms like those of any object.
// If both ends belong to one object their columns add up. An impulse x changes the speeds by W J^T
// x, W the inverse mass of a body or M^-1 of an object (solver/movers/reduced.c).
//
// Bodies that coordinates give need not give way in a contact at all, or not along both tangents,
// or all points of a contact may depend on one freedom: masses count what can move, and are zero if
// nothing can. The motion of an object's point along a normal or a tangent is ignored if it is so
// small that the guide and the surface are taken for parallel.
// Sources: those of solver/movers/reduced.c and solver/contacts/contact_sweep_wide.c.
// Test: tests/world/movers/test_reduced_contacts.c
#include <string.h>

#include "core/simd_double.h"
#include "solver/bodies/integrate.h"
#include "solver/movers/affine.h"
#include "solver/movers/reduced_point.h"
#include "solver/movers/span_contact.h"
#include "solver/movers/span_row.h"
#include "solver/rows/dense.h"

// The squares of larger numbers of a row, times an inverse mass, may exceed float.
#define CONTACT_MOST_NUMBER 1e15
// The index of the points' middle, behind the points.
#define CONTACT_MIDDLE TNI_LANES
// The share of its diagonal that is added to the matrix of several points before it is inverted, as
// in contact_prepare_wide.c.
#define CONTACT_REGULARIZATION 1e-3f
// A column's part along a row is zero below this share of the column, rad.
#define CONTACT_LEAST_SHARE 1e-4
// A 2 x 2 matrix with a determinant below this share of its trace squared has one direction only.
#define CONTACT_PAIR_FLOOR 1e-6f

// ---- columns -----------------------------------------------------------------------------------

typedef struct contact_columns {
    tni_dvec3 of[2][TN_REDUCED_MAX_FREEDOMS]; // by end
} contact_columns;

static const tni_dvec3 contact_axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static uint32_t contact_count_freedoms(const tni_span_contact_end *end) {
    return end->reduced != NULL ? end->reduced->freedoms : TNI_REDUCED_SLOT;
}

static void contact_get_point_columns(const tni_span_contact_end *end, uint32_t point, vec3s arm,
                                      tni_dvec3 *columns) {
    tni_dvec3 r = dvec3_from_float(arm);
    if (tni_span_contact_is_affine(end)) {
        tni_reduced_get_material_columns(end->material[point], columns);
        return;
    }
    if (end->reduced != NULL) {
        tni_reduced_get_point_columns(end->reduced, end->member, r, columns);
        return;
    }
    for (uint32_t k = 0; k < 3; ++k) {
        columns[k] = contact_axes[k];
        columns[k + 3] = dvec3_cross(contact_axes[k], r);
    }
}

static void contact_get_turn_columns(const tni_span_contact_end *end, tni_dvec3 *columns) {
    if (end->reduced != NULL) {
        tni_reduced_get_turn_columns(end->reduced, end->member, columns);
        return;
    }
    for (uint32_t k = 0; k < 3; ++k) {
        columns[k] = dvec3_make(0.0, 0.0, 0.0);
        columns[k + 3] = contact_axes[k];
    }
}

static void contact_find_point(const tni_span_contact *contact, uint32_t point,
                               contact_columns *columns) {
    for (uint32_t e = 0; e < 2; ++e) {
        contact_get_point_columns(&contact->ends[e], point, contact->arms[e][point],
                                  columns->of[e]);
    }
}

static void contact_find_turn(const tni_span_contact *contact, contact_columns *columns) {
    for (uint32_t e = 0; e < 2; ++e) {
        contact_get_turn_columns(&contact->ends[e], columns->of[e]);
    }
}

// ---- one row -----------------------------------------------------------------------------------

// Returns the entry of freedom k, summed over both ends if one object has both.
static double contact_get_entry(const tni_span_contact *contact, const contact_columns *columns,
                                uint32_t e, uint32_t k, tni_dvec3 d) {
    tni_dvec3 column = columns->of[e][k];
    double square = dvec3_dot(column, column), sign = e == 0 ? -1.0 : 1.0;
    double sum = sign * dvec3_dot(d, column);
    if (contact->is_of_one) {
        tni_dvec3 other = columns->of[1 - e][k];
        square += dvec3_dot(other, other);
        sum -= sign * dvec3_dot(d, other);
    }
    bool counts = contact->ends[e].reduced == NULL ||
                  tni_span_contact_is_affine(&contact->ends[e]) ||
                  sum * sum > CONTACT_LEAST_SHARE * CONTACT_LEAST_SHARE * square;
    return counts ? sum : 0.0;
}

static void contact_respond(const tni_solver *solver, tni_span_contact *contact, uint32_t row) {
    for (uint32_t e = contact->is_of_one ? 1 : 0; e < 2; ++e) {
        const tni_span_contact_end *end = &contact->ends[e];
        const float *j = contact->jacobian[row] + end->entry * 8;
        float *w = contact->pushes[row] + end->entry * 8;
        if (!end->has_entry || !contact->moves[end->entry]) {
            continue;
        }
        if (end->reduced != NULL) {
            tni_reduced_respond(end->reduced, j, w);
        } else {
            tni_span_respond_body(&solver->bodies.states[end->body], j, w);
        }
    }
}

// Sets J = d . columns. A row that is not finite does nothing.
static void contact_set_row(const tni_solver *solver, tni_span_contact *contact, uint32_t row,
                            const contact_columns *columns, vec3s direction) {
    float *j = contact->jacobian[row];
    tni_dvec3 d = dvec3_from_float(direction);
    double sum = 0.0;
    for (uint32_t e = contact->is_of_one ? 1 : 0; e < 2; ++e) {
        const tni_span_contact_end *end = &contact->ends[e];
        for (uint32_t k = 0; k < contact_count_freedoms(end) && end->has_entry; ++k) {
            double number = contact_get_entry(contact, columns, e, k, d);
            uint32_t slot = end->entry + k / TNI_REDUCED_SLOT;
            j[slot * 8 + tni_reduced_get_lane(k)] = maths_to_float(number);
            sum += fabs(number);
        }
    }
    if (!(sum < CONTACT_MOST_NUMBER)) { // true for a NaN
        contact->is_sound = false;
        memset(j, 0, sizeof contact->jacobian[row]);
    }
    contact_respond(solver, contact, row);
}

float tni_span_contact_get_speed(const tni_solver *solver, const tni_span_contact *contact,
                                 uint32_t row) {
    tni_f4 sum = f4_splat(0.0f);
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        const float *v = solver->bodies.states[contact->bodies[i]].numbers;
        const float *j = contact->jacobian[row] + i * 8;
        sum = f4_add_product(sum, f4_load(j), f4_load(v));
        sum = f4_add_product(sum, f4_load(j + 4), f4_load(v + TNI_STATE_W));
    }
    return f4_sum3(sum);
}

float tni_span_contact_get_product(const tni_span_contact *contact, uint32_t row,
                                   const float *numbers) {
    tni_f4 sum = f4_splat(0.0f);
    for (uint32_t i = 0; i < contact->entry_count * 8; i += 4) {
        sum = f4_add_product(sum, f4_load(contact->jacobian[row] + i), f4_load(numbers + i));
    }
    return f4_sum3(sum);
}

void tni_span_contact_push(const tni_solver *solver, const tni_span_contact *contact, uint32_t row,
                           float x) {
    tni_f4 factor = f4_splat(x);
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        if (contact->moves[i]) {
            float *v = solver->bodies.states[contact->bodies[i]].numbers;
            const float *w = contact->pushes[row] + i * 8;
            f4_store(v, f4_add_product(f4_load(v), factor, f4_load(w)));
            f4_store(v + TNI_STATE_W,
                     f4_add_product(f4_load(v + TNI_STATE_W), factor, f4_load(w + 4)));
        }
    }
}

// Returns J_i W J_k^T.
static float contact_get_coupling(const tni_span_contact *contact, uint32_t i, uint32_t k) {
    tni_f4 sum = f4_splat(0.0f);
    for (uint32_t n = 0; n < contact->entry_count * 8; n += 4) {
        sum =
            f4_add_product(sum, f4_load(contact->jacobian[i] + n), f4_load(contact->pushes[k] + n));
    }
    return f4_sum3(sum);
}

// ---- masses ------------------------------------------------------------------------------------

static void contact_weigh_points(tni_span_contact *contact) {
    uint32_t count = contact->point_count;
    float share = count > 1 ? CONTACT_REGULARIZATION : 0.0f;
    float k[TNI_LANES * TNI_LANES] = {0.0f};
    for (uint32_t p = 0; p < count; ++p) {
        for (uint32_t q = 0; q <= p; ++q) {
            float entry = contact_get_coupling(contact, p, q);
            contact->response[p][q] = contact->response[q][p] = entry;
            k[p * TNI_LANES + q] = k[q * TNI_LANES + p] = entry;
        }
        k[p * TNI_LANES + p] += share * k[p * TNI_LANES + p];
        contact->states[p].mass = maths_inverse_or_zero(contact->response[p][p]);
    }
    tni_dense_invert(k, contact->inverse, count, TNI_LANES);
}

// Inverts the 2 x 2 matrix of two rows, or along its only direction: K / tr(K)^2. How many it has
// is judged by rows of length 1.
static void contact_weigh_pair(const tni_span_contact *contact, uint32_t row,
                               const float lengths[2], float out_mass[3]) {
    float shares[2] = {maths_inverse_or_zero(lengths[0]), maths_inverse_or_zero(lengths[1])};
    float a = shares[0] * shares[0] * contact_get_coupling(contact, row, row);
    float b = shares[1] * shares[1] * contact_get_coupling(contact, row + 1, row + 1);
    float c = shares[0] * shares[1] * contact_get_coupling(contact, row, row + 1);
    float trace = a + b, determinant = a * b - c * c;
    float scale = maths_inverse_or_zero(trace * trace);
    out_mass[0] = scale * a;
    out_mass[1] = scale * b;
    out_mass[2] = scale * c;
    if (determinant > CONTACT_PAIR_FLOOR * trace * trace) {
        scale = maths_inverse_or_zero(determinant);
        out_mass[0] = scale * b;
        out_mass[1] = scale * a;
        out_mass[2] = -scale * c;
    }
    out_mass[0] *= shares[0] * shares[0];
    out_mass[1] *= shares[1] * shares[1];
    out_mass[2] *= shares[0] * shares[1];
}

void tni_span_contact_refresh(const tni_solver *solver, tni_span_contact *contact) {
    contact_columns columns;
    if (contact->point_count == 0) {
        return;
    }
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        contact_find_point(contact, p, &columns);
        contact_set_row(solver, contact, p, &columns, contact->normal);
    }
    contact_find_point(contact, CONTACT_MIDDLE, &columns);
    for (uint32_t t = 0; t < 2; ++t) {
        contact_set_row(solver, contact, TNI_SPAN_SLIDE + t, &columns,
                        glms_vec3_scale(contact->tangent[t], contact->grip[t]));
    }
    contact_find_turn(contact, &columns);
    contact_set_row(solver, contact, TNI_SPAN_TWIST, &columns, contact->normal);
    contact_weigh_points(contact);
    contact_weigh_pair(contact, TNI_SPAN_SLIDE, contact->grip, contact->slide_mass);
    contact->states[TNI_SPAN_TWIST].mass =
        maths_inverse_or_zero(contact_get_coupling(contact, TNI_SPAN_TWIST, TNI_SPAN_TWIST));
    if (contact->row_count > TNI_SPAN_ROLL) {
        contact_set_row(solver, contact, TNI_SPAN_ROLL, &columns, contact->tangent[0]);
        contact_set_row(solver, contact, TNI_SPAN_ROLL + 1, &columns, contact->tangent[1]);
        const float lengths[2] = {1.0f, 1.0f};
        contact_weigh_pair(contact, TNI_SPAN_ROLL, lengths, contact->roll_mass);
    }
}

float tni_span_contact_get_drive(const tni_span_contact *contact, uint32_t row) {
    const tni_contact_extras *extras = contact->record.extras;
    if (extras == NULL || row > TNI_SPAN_TWIST) {
        return 0.0f;
    }
    if (row == TNI_SPAN_TWIST) {
        return glms_vec3_dot(contact->normal, extras->turn);
    }
    tni_dvec3 middle = dvec3_from_float(contact->arms[0][TNI_LANES]);
    middle = dvec3_add(contact->ends[0].motion.position, middle);
    vec3s arm = dvec3_to_float(dvec3_sub(middle, extras->center));
    uint32_t t = row - TNI_SPAN_SLIDE;
    return contact->grip[t] *
           glms_vec3_dot(contact->tangent[t], contact_extras_get_speed(extras, arm));
}
