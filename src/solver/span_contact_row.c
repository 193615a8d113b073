// solver/span_contact_row.c: the rows of a contact with bodies that are given by coordinates.
//
// Of an end whose point at the arm r from its centre of mass moves by the columns p_k(r), freedom
// by freedom, and that turns by the columns q_k, the rows of solver/contact_sweep_wide.c are
//     along d, of a point:  J_k = d . p_k(r)        about d:  J_k = d . q_k
// of b, and the opposite of a. Of a rigid body p is the three axes and their cross products with r,
// and q none and the three axes: six freedoms like those of any object. Where both ends are of one
// object their columns add up. An impulse x changes the speeds by W J^T x, W the inverse mass of a
// body or M^-1 of an object (solver/reduced.c).
//
// Bodies that coordinates give need not give way in a contact at all, or not along both tangents,
// or all points of a contact say the same: masses are those of what can move, and zero where
// nothing can. What an object's point does along a normal or a tangent counts for nothing if it is
// so little that the guide and the surface are taken for parallel.
// Sources: those of solver/reduced.c and solver/contact_sweep_wide.c.
// Test: tests/world/test_reduced_contacts.c
#include <string.h>

#include "core/simd_double.h"
#include "solver/affine.h"
#include "solver/dense.h"
#include "solver/integrate.h"
#include "solver/reduced_point.h"
#include "solver/span_contact.h"
#include "solver/span_row.h"

// The points' middle, behind the points.
#define CONTACT_MIDDLE TNI_LANES
// Share of its diagonal that is added to the points' matrix before it is inverted, where there are
// several: as in contact_prepare_wide.c.
#define CONTACT_REGULARIZATION 1e-3f
// Of a column: what is left of it along a row under this share is nothing, rad.
#define CONTACT_LEAST_SHARE 1e-4
// Of its trace squared: a 2 x 2 matrix with a smaller determinant has one direction only.
#define CONTACT_PAIR_FLOOR 1e-6f

// ---- columns -----------------------------------------------------------------------------------

typedef struct contact_columns {
    tni_dvec3 of[2][TN_REDUCED_MAX_FREEDOMS]; // by end
} contact_columns;

static const tni_dvec3 contact_axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static uint32_t contact_count_freedoms(const tni_span_contact_end *end) {
    return end->reduced != NULL ? end->reduced->freedoms : TNI_REDUCED_SLOT;
}

static bool contact_is_affine(const tni_span_contact_end *end) {
    return end->reduced != NULL && end->reduced->affine != NULL;
}

static void contact_get_point_columns(const tni_span_contact_end *end, uint32_t point, vec3s arm,
                                      tni_dvec3 *columns) {
    tni_dvec3 r = dvec3_from_float(arm);
    if (contact_is_affine(end)) {
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

static vec3s contact_get_end_arm(const tni_span_contact *contact, uint32_t e, uint32_t point) {
    vec3s arm = contact->arms[point];
    return e == 0 ? arm : glms_vec3_add(arm, contact->offset);
}

// The same at the step's start.
static vec3s contact_get_first_arm(const tni_span_contact *contact, uint32_t e, uint32_t point) {
    const tni_contact_lanes *arms = &contact->record.arm;
    vec3s arm = maths_vec3(arms->x[point], arms->y[point], arms->z[point]);
    return e == 0 ? arm : glms_vec3_add(arm, contact->record.offset);
}

static void contact_find_point(const tni_span_contact *contact, uint32_t point,
                               contact_columns *columns) {
    for (uint32_t e = 0; e < 2; ++e) {
        vec3s arm = contact_get_end_arm(contact, e, point);
        contact_get_point_columns(&contact->ends[e], point, arm, columns->of[e]);
    }
}

static void contact_find_turn(const tni_span_contact *contact, contact_columns *columns) {
    for (uint32_t e = 0; e < 2; ++e) {
        contact_get_turn_columns(&contact->ends[e], columns->of[e]);
    }
}

// ---- one row -----------------------------------------------------------------------------------

// The entry of freedom k; of an object that has both ends, of both.
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
    bool counts = contact->ends[e].reduced == NULL || contact_is_affine(&contact->ends[e]) ||
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
            tni_span_respond_body(&solver->states[end->body], j, w);
        }
    }
}

// J = d . columns. What is not finite does nothing.
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
    if (!(sum < (double)FLT_MAX)) { // not so of a NaN
        contact->is_sound = false;
        memset(j, 0, sizeof contact->jacobian[row]);
    }
    contact_respond(solver, contact, row);
}

float tni_span_contact_get_speed(const tni_solver *solver, const tni_span_contact *contact,
                                 uint32_t row) {
    tni_f4 sum = f4_splat(0.0f);
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        const float *v = solver->states[contact->bodies[i]].numbers;
        const float *j = contact->jacobian[row] + i * 8;
        sum = f4_add_product(sum, f4_load(j), f4_load(v));
        sum = f4_add_product(sum, f4_load(j + 4), f4_load(v + TNI_STATE_W));
    }
    return f4_sum3(sum);
}

void tni_span_contact_push(const tni_solver *solver, const tni_span_contact *contact, uint32_t row,
                           float x) {
    tni_f4 factor = f4_splat(x);
    for (uint32_t i = 0; i < contact->entry_count; ++i) {
        if (contact->moves[i]) {
            float *v = solver->states[contact->bodies[i]].numbers;
            const float *w = contact->pushes[row] + i * 8;
            f4_store(v, f4_add_product(f4_load(v), factor, f4_load(w)));
            f4_store(v + TNI_STATE_W,
                     f4_add_product(f4_load(v + TNI_STATE_W), factor, f4_load(w + 4)));
        }
    }
}

// J_i W J_k^T
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
    uint32_t count = contact->record.point_count;
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

// The inverse of the 2 x 2 matrix of two rows; of one that holds one direction only the inverse
// along that: K / tr(K)^2.
static void contact_weigh_pair(const tni_span_contact *contact, uint32_t row, float out_mass[3]) {
    float a = contact_get_coupling(contact, row, row);
    float b = contact_get_coupling(contact, row + 1, row + 1);
    float c = contact_get_coupling(contact, row, row + 1);
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
}

void tni_span_contact_refresh(const tni_solver *solver, tni_span_contact *contact) {
    const tni_contact_record *record = &contact->record;
    contact_columns columns;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        contact_find_point(contact, p, &columns);
        contact_set_row(solver, contact, p, &columns, record->normal);
    }
    contact_find_point(contact, CONTACT_MIDDLE, &columns);
    contact_set_row(solver, contact, TNI_SPAN_SLIDE, &columns, contact->tangent[0]);
    contact_set_row(solver, contact, TNI_SPAN_SLIDE + 1, &columns, contact->tangent[1]);
    contact_find_turn(contact, &columns);
    contact_set_row(solver, contact, TNI_SPAN_TWIST, &columns, record->normal);
    contact_weigh_points(contact);
    contact_weigh_pair(contact, TNI_SPAN_SLIDE, contact->slide_mass);
    contact->states[TNI_SPAN_TWIST].mass =
        maths_inverse_or_zero(contact_get_coupling(contact, TNI_SPAN_TWIST, TNI_SPAN_TWIST));
    if (contact->row_count > TNI_SPAN_ROLL) {
        contact_set_row(solver, contact, TNI_SPAN_ROLL, &columns, contact->tangent[0]);
        contact_set_row(solver, contact, TNI_SPAN_ROLL + 1, &columns, contact->tangent[1]);
        contact_weigh_pair(contact, TNI_SPAN_ROLL, contact->roll_mass);
    }
}

// ---- gaps --------------------------------------------------------------------------------------

// Turned a little, q is [r / 2, 1] from what it was.
static void contact_follow_end(const tni_solver *solver, tni_span_contact_end *end) {
    const tni_body_motion *motion = &solver->motions[end->body];
    if (!end->has_entry) {
        return;
    }
    tni_dquat turned = dquat_mul(motion->rotation, dquat_conjugate(end->rotation));
    double twice = turned.w < 0.0 ? -2.0 : 2.0;
    vec3s turn = dvec3_to_float(dvec3_make(twice * turned.x, twice * turned.y, twice * turned.z));
    end->turn = glms_vec3_add(end->turn, turn);
    float length = glms_vec3_norm(end->turn);
    if (length > INTEGRATE_FOLLOWED_TURN) {
        end->turn = glms_vec3_scale(end->turn, INTEGRATE_FOLLOWED_TURN / length);
    }
    end->rotation = motion->rotation;
    end->way = dvec3_to_float(dvec3_sub(motion->position, end->start));
}

// How far a point of it has gone: of an affine body exactly, else to first order.
static vec3s contact_get_way(const tni_span_contact *contact, uint32_t e, uint32_t p) {
    const tni_span_contact_end *end = &contact->ends[e];
    if (contact_is_affine(end)) {
        tni_dvec3 now = tni_affine_get_point(end->reduced, end->material[p]);
        return dvec3_to_float(dvec3_sub(now, end->begun[p]));
    }
    vec3s arm = contact_get_first_arm(contact, e, p);
    return glms_vec3_add(end->way, glms_vec3_cross(end->turn, arm));
}

void tni_span_contact_follow(const tni_solver *solver, tni_span_contact *contact) {
    const tni_contact_record *record = &contact->record;
    contact_follow_end(solver, &contact->ends[0]);
    contact_follow_end(solver, &contact->ends[1]);
    for (uint32_t p = 0; p < record->point_count; ++p) {
        vec3s way_a = contact_get_way(contact, 0, p), way_b = contact_get_way(contact, 1, p);
        contact->gap[p] =
            record->separation[p] + glms_vec3_dot(record->normal, glms_vec3_sub(way_b, way_a));
    }
}

// ---- the step's start --------------------------------------------------------------------------

// The centre of pressure: points weighed by their impulses, or evenly in a new contact; and how far
// the load stands from it.
void tni_span_contact_center(tni_span_contact *contact) {
    const tni_contact_record *record = &contact->record;
    const tni_span_contact_state *states = contact->states;
    uint32_t count = record->point_count;
    float total = 0.0f, radius = 0.0f;
    for (uint32_t p = 0; p < count; ++p) {
        total += states[p].impulse;
    }
    vec3s arms[TNI_LANES], middle = maths_vec3_zero();
    float shares[TNI_LANES];
    for (uint32_t p = 0; p < count; ++p) {
        shares[p] = total > 0.0f ? states[p].impulse / total : 1.0f / (float)count;
        arms[p] = maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
        middle = maths_vec3_add_scaled(middle, shares[p], arms[p]);
    }
    for (uint32_t p = 0; p < count; ++p) {
        radius += shares[p] * glms_vec3_norm(glms_vec3_sub(arms[p], middle));
    }
    contact->middle = middle;
    contact->twist_bound = record->twisting_resistance + record->friction * radius;
}

static void contact_set_impulses(tni_span_contact *contact) {
    const tni_contact_record *record = &contact->record;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        contact->states[p].impulse = record->impulse[p];
    }
    tni_span_contact_state *states = contact->states;
    for (uint32_t t = 0; t < 2; ++t) {
        states[TNI_SPAN_SLIDE + t].impulse =
            glms_vec3_dot(contact->tangent[t], record->friction_impulse);
        states[TNI_SPAN_ROLL + t].impulse =
            contact->row_count > TNI_SPAN_ROLL
                ? glms_vec3_dot(contact->tangent[t], record->rolling_impulse)
                : 0.0f;
    }
    states[TNI_SPAN_TWIST].impulse = glms_vec3_dot(record->normal, record->rolling_impulse);
}

// What of an affine body the points take hold of.
static void contact_set_material(tni_span_contact *contact, uint32_t e) {
    tni_span_contact_end *end = &contact->ends[e];
    tni_dvec3 points[TNI_LANES + 1];
    if (!contact_is_affine(end)) {
        return;
    }
    for (uint32_t p = 0; p <= CONTACT_MIDDLE; ++p) {
        vec3s arm = contact_get_end_arm(contact, e, p);
        points[p] = dvec3_add(end->start, dvec3_from_float(arm));
    }
    tni_affine_find_material(end->reduced, points, TNI_LANES + 1, end->material);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        end->begun[p] = tni_affine_get_point(end->reduced, end->material[p]);
    }
}

void tni_span_contact_make(tni_solver *solver, tni_span_contact *contact) {
    tni_contact_record *record = &contact->record;
    memset(&record->sums, 0, sizeof record->sums);
    contact->row_count =
        record->rolling_resistance > 0.0f ? TNI_SPAN_CONTACT_ROWS : (uint32_t)TNI_SPAN_ROLL;
    contact->is_sound = true;
    contact->tangent[0] = maths_vec3_perpendicular(record->normal);
    contact->tangent[1] = glms_vec3_cross(record->normal, contact->tangent[0]);
    contact_set_impulses(contact);
    tni_span_contact_center(contact);
    tni_span_contact_begin_arms(contact);
    for (uint32_t e = 0; e < 2; ++e) {
        tni_span_contact_end *end = &contact->ends[e];
        end->start = solver->motions[end->body].position;
        end->rotation = solver->motions[end->body].rotation;
        contact_set_material(contact, e);
    }
    tni_span_contact_follow(solver, contact);
    tni_span_contact_refresh(solver, contact);
}
