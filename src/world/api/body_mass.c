// world/api/body_mass.c: a body's mass, given or summed over its shapes, and its inverse.
//
//     m = sum m_i      c = sum m_i c_i / m      I = sum m_i (U_i + |d_i|^2 1 - d_i d_i^T),  d_i =
//     c_i - c
//
// m_i is density times volume, U_i the inertia per kilogram about the shape's own centroid, and the
// bracket's second half is Steiner's parallel-axis theorem (H. Goldstein, "Classical Mechanics",
// 1980, 5-3). An inertia is one of a real body if its principal moments A <= B <= C have A > 0 and
// A + B >= C; the test allows for round-off in what the user computed.
// A particle has a mass alone: its centre and its inertia stay 0 in its record, and the solver
// reads an inverse inertia of 0.
// A locked axis has infinite inertia: the inverse is that of the matrix without the axis' row and
// column, and zero there.
// Test: tests/world/api/test_body_mass.c
#include "world/bodies.h"
#include "world/joints.h"
#include "world/parts.h"
#include "world/records/convert.h"

// A dynamic body without shapes: a ball of 1 kg and radius 0.5 m has 2/5 m r^2.
#define MASS_DEFAULT         1.0
#define MASS_DEFAULT_INERTIA 0.1
// A + B may fall short of C by this share of C, and A may be as small as the second. A rod of 1 mm
// by 10 m has A/C = 6e-8.
#define MASS_TRIANGLE_TOLERANCE 1e-6
#define MASS_MIN_RATIO          1e-12
// Moments this close are equal: the body turns like a ball.
#define MASS_ISOTROPIC_TOLERANCE 1e-9
// Below these a float cannot hold the inverse.
#define MASS_MIN         1e-30
#define MASS_MIN_INERTIA 1e-36

static tn_mat3_symmetric mass_to_symmetric(const tni_dmat3 *m) {
    return (tn_mat3_symmetric){.xx = m->m[0][0],
                               .yy = m->m[1][1],
                               .zz = m->m[2][2],
                               .xy = m->m[0][1],
                               .xz = m->m[0][2],
                               .yz = m->m[1][2]};
}

static tni_dmat3 mass_from_symmetric(const tn_mat3_symmetric *s) {
    tni_dmat3 m = {{{s->xx, s->xy, s->xz}, {s->xy, s->yy, s->yz}, {s->xz, s->yz, s->zz}}};
    return m;
}

static tni_dmat3 mass_diagonal(double xx, double yy, double zz) {
    tni_dmat3 m = {{{xx, 0.0, 0.0}, {0.0, yy, 0.0}, {0.0, 0.0, zz}}};
    return m;
}

// ---- checks -----------------------------------------------------------------------------------

static bool mass_is_finite(const tn_mass *mass) {
    const tn_mat3_symmetric *s = &mass->inertia;
    return isfinite(mass->mass) && convert_is_finite(mass->center) && isfinite(s->xx) &&
           isfinite(s->yy) && isfinite(s->zz) && isfinite(s->xy) && isfinite(s->xz) &&
           isfinite(s->yz);
}

static void mass_sort_moments(const tni_dmat3 *inertia, double *a, double *b, double *c) {
    tni_dvec3 values;
    tni_dquat rotation;
    tni_maths_diagonalize(inertia, &values, &rotation);
    *a = maths_min_d(values.x, maths_min_d(values.y, values.z));
    *c = maths_max_d(values.x, maths_max_d(values.y, values.z));
    *b = values.x + values.y + values.z - *a - *c;
}

static bool mass_is_inertia(const tni_dmat3 *inertia) {
    double a, b, c;
    mass_sort_moments(inertia, &a, &b, &c);
    return a >= MASS_MIN_INERTIA && a > MASS_MIN_RATIO * c &&
           a + b >= c * (1.0 - MASS_TRIANGLE_TOLERANCE);
}

// Checks a mass. A particle has no inertia to check.
tni_check tni_mass_check(const tn_mass *mass, tn_body_type type, bool is_particle) {
    tn_vec3 c = mass->center;
    tni_dmat3 inertia = mass_from_symmetric(&mass->inertia);
    bool is_needed = type == TN_BODY_TYPE_DYNAMIC || mass->mass > 0.0;
    bool has_mass = mass->mass >= (type == TN_BODY_TYPE_DYNAMIC ? MASS_MIN : 0.0);
    bool is_central = !is_particle || (c.x == 0.0 && c.y == 0.0 && c.z == 0.0);
    bool is_finite = mass_is_finite(mass);
    bool has_inertia = is_particle || !is_needed || !is_finite || mass_is_inertia(&inertia);
    const tni_check checks[] = {
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "Mass, centre and inertia must be finite."),
        tni_check_that(has_mass, TN_RESULT_INVALID_MASS,
                       "The mass must not be negative, and a dynamic body needs at least 1e-30 "
                       "kg."),
        tni_check_that(is_central, TN_RESULT_INVALID_MASS,
                       "A particle's centre of mass is the origin of its frame."),
        tni_check_that(has_inertia, TN_RESULT_INVALID_INERTIA,
                       "The inertia must be positive definite, and no principal moment larger than "
                       "the sum of the other two."),
    };
    return tni_check_all(checks, sizeof checks);
}

// ---- from shapes ------------------------------------------------------------------------------

static void mass_add_steiner(tni_dmat3 *sum, double mass, const tni_dmat3 *unit, tni_dvec3 d) {
    double v[3] = {d.x, d.y, d.z};
    double square = dvec3_dot(d, d);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double axis = (i == j ? square : 0.0) - v[i] * v[j];
            sum->m[i][j] += mass * (unit->m[i][j] + axis);
        }
    }
}

// Sensors and disabled shapes have no mass.
static double mass_get_density(const tni_shape *shape) {
    return tni_shape_is_solid(shape) ? (double)shape->density : 0.0;
}

static double mass_sum_center(const tn_world *world, const tni_body *body, tni_dvec3 *out_center) {
    double total = 0.0;
    tni_dvec3 moment = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        const tni_shape *shape = tni_shape_at(world, i);
        tni_mass_properties part = tni_geometry_mass_properties(&shape->geometry);
        double mass = mass_get_density(shape) * part.volume;
        total += mass;
        moment = dvec3_add_scaled(moment, mass, part.center);
    }
    *out_center = dvec3_scale(moment, maths_inverse_or_zero_d(total));
    return total;
}

static tni_dmat3 mass_sum_inertia(const tn_world *world, const tni_body *body, tni_dvec3 center) {
    tni_dmat3 sum = mass_diagonal(0.0, 0.0, 0.0);
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        const tni_shape *shape = tni_shape_at(world, i);
        tni_mass_properties part = tni_geometry_mass_properties(&shape->geometry);
        double mass = mass_get_density(shape) * part.volume;
        mass_add_steiner(&sum, mass, &part.unit_inertia, dvec3_sub(part.center, center));
    }
    return sum;
}

// Static bodies do not ask: their mass moves nothing, and a level of ten thousand shapes would be
// summed ten thousand times while it is built.
static void body_sum_mass(const tn_world *world, tni_body *body) {
    if (body->type == TN_BODY_TYPE_STATIC) {
        body->mass = 0.0;
        body->local_center = dvec3_make(0.0, 0.0, 0.0);
        body->inertia = (tn_mat3_symmetric){0};
        return;
    }
    tni_dvec3 center;
    double mass = mass_sum_center(world, body, &center);
    if (body->is_particle) {
        body->mass = isfinite(mass) && mass >= MASS_MIN ? mass : MASS_DEFAULT;
        return;
    }
    tni_dmat3 inertia = mass_sum_inertia(world, body, center);
    bool is_usable = isfinite(mass) && mass >= MASS_MIN && mass_is_inertia(&inertia);
    if (is_usable) {
        body->mass = mass;
        body->local_center = center;
        body->inertia = mass_to_symmetric(&inertia);
    } else {
        body->mass = MASS_DEFAULT;
        body->local_center = dvec3_make(0.0, 0.0, 0.0);
        body->inertia = (tn_mat3_symmetric){
            .xx = MASS_DEFAULT_INERTIA, .yy = MASS_DEFAULT_INERTIA, .zz = MASS_DEFAULT_INERTIA};
    }
}

// ---- what the solver reads --------------------------------------------------------------------

static void body_mark_isotropic(tni_body *body) {
    tni_dmat3 inertia = mass_from_symmetric(&body->inertia);
    double a, b, c;
    mass_sort_moments(&inertia, &a, &b, &c);
    body->is_isotropic = c - a <= MASS_ISOTROPIC_TOLERANCE * c;
    if (body->is_isotropic) {
        double mean = (a + b + c) / 3.0;
        body->inertia = (tn_mat3_symmetric){.xx = mean, .yy = mean, .zz = mean};
    }
}

static void body_invert_mass(tni_body *body) {
    body->inv_mass = 0.0;
    body->principal = tni_inertia_infinite();
    if (body->type != TN_BODY_TYPE_DYNAMIC) {
        return;
    }
    if (!body->is_particle) {
        tni_dmat3 inertia = mass_from_symmetric(&body->inertia);
        body->principal = tni_inertia_make(&inertia);
    }
    body->inv_mass = maths_inverse_or_zero_d(body->mass);
}

static void body_update_reach(tn_world *world, const tni_body *body) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        tni_shape_update_reach(world, i);
        if (tni_shape_at(world, i)->concave != NULL) {
            world->features.parts->renew(world, i);
        }
    }
}

void tni_body_update_mass(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    tn_pose frame = tni_body_get_frame(body);
    tni_dvec3 old_center = body->local_center;
    if (!body->has_given_mass) {
        body_sum_mass(world, body);
    }
    body_mark_isotropic(body);
    body_invert_mass(body);
    // A body keeps its motion as a whole, so the new centre has the velocity of that point. A
    // centre that was never recomputed from the frame keeps the very bits it had.
    tni_body_move_center(body, &frame, old_center);
    body_update_reach(world, body);
    world->is_choice_stale |= body->joint_head != TNI_NONE;
    for (uint32_t key = body->joint_head; key != TNI_NONE;) {
        uint32_t next = tni_joint_at(world, key >> 1)->edges[key & 1].next;
        tni_joint_update_frames(world, key >> 1);
        key = next;
    }
}

void tni_body_give_mass(tni_body *body, const tn_mass *mass) {
    tn_pose frame = tni_body_get_frame(body);
    tni_dvec3 old_center = body->local_center;
    body->has_given_mass = true;
    body->mass = mass->mass;
    if (body->is_particle) {
        return;
    }
    body->inertia = mass->inertia;
    body->local_center = dvec3_from_plain(mass->center);
    tni_body_move_center(body, &frame, old_center);
}

tn_mass tni_body_get_mass(const tni_body *body) {
    tn_mass mass;
    mass.mass = body->mass;
    mass.center = dvec3_to_plain(body->local_center);
    mass.inertia = body->inertia;
    return mass;
}

// Returns R M R^T.
static tni_dmat3 mass_turn(const tni_dmat3 *m, tni_dquat rotation) {
    tni_dmat3 r = dmat3_from_quat(rotation);
    tni_dmat3 rm = dmat3_mul(&r, m);
    tni_dmat3 result;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            result.m[i][j] =
                rm.m[i][0] * r.m[j][0] + rm.m[i][1] * r.m[j][1] + rm.m[i][2] * r.m[j][2];
        }
    }
    return result;
}

tni_dmat3 tni_body_world_inertia(const tni_body *body) {
    tni_dmat3 inertia = mass_from_symmetric(&body->inertia);
    return body->is_isotropic ? inertia : mass_turn(&inertia, body->rotation);
}

// Inverts the rows and columns of the free axes and leaves zero elsewhere. A locked axis is
// decoupled and given the largest moment, so that one inversion serves every set of locks.
static tni_dmat3 mass_invert_unlocked(tni_dmat3 inertia, const bool locked[3]) {
    double scale = maths_max_d(inertia.m[0][0], maths_max_d(inertia.m[1][1], inertia.m[2][2]));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (locked[i] || locked[j]) {
                inertia.m[i][j] = i == j ? scale : 0.0;
            }
        }
    }
    tni_dmat3 inverse;
    if (!tni_maths_invert_spd(&inertia, &inverse)) {
        return mass_diagonal(0.0, 0.0, 0.0);
    }
    for (int i = 0; i < 3; ++i) {
        if (locked[i]) {
            inverse.m[i][i] = 0.0;
        }
    }
    return inverse;
}

tni_dmat3 tni_body_world_inv_inertia_exact(const tni_body *body) {
    const uint32_t all = TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y | TN_BODY_LOCK_ANGULAR_Z;
    if (body->type != TN_BODY_TYPE_DYNAMIC || (body->locks & all) == all) {
        return mass_diagonal(0.0, 0.0, 0.0);
    }
    if ((body->locks & all) == 0) {
        tni_dmat3 inertia = mass_from_symmetric(&body->inertia), inverse;
        if (!tni_maths_invert_spd(&inertia, &inverse)) {
            return mass_diagonal(0.0, 0.0, 0.0);
        }
        return body->is_isotropic ? inverse : mass_turn(&inverse, body->rotation);
    }
    bool locked[3] = {(body->locks & TN_BODY_LOCK_ANGULAR_X) != 0,
                      (body->locks & TN_BODY_LOCK_ANGULAR_Y) != 0,
                      (body->locks & TN_BODY_LOCK_ANGULAR_Z) != 0};
    return mass_invert_unlocked(tni_body_world_inertia(body), locked);
}

tni_sym3 tni_body_world_inv_inertia(const tni_body *body) {
    tni_dmat3 inverse = tni_body_world_inv_inertia_exact(body);
    return dmat3_to_sym3(&inverse);
}

vec3s tni_body_axis_inv_mass(const tni_body *body) {
    tni_dvec3 inverse = tni_locks_get_inv_mass(body->locks, body->inv_mass);
    return maths_vec3((float)inverse.x, (float)inverse.y, (float)inverse.z);
}
