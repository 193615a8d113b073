// tools/tenon/reduced.c: plane mechanisms in reduced coordinates.
//
// Every body is a sum of arms that turn with angles theta_k(q), so that with P v = v turned by 90
// degrees, v_k the turned arms, q the coordinates and u their rates
//     x = base + sum v_k,   x' = sum P v_k theta_k',   x'' = A u' + sum (P v_k c_k - v_k
//     theta_k'^2)
// where theta_k' = B_k u and theta_k'' = B_k u' + c_k. By virtual power
//     (sum m A^T A + I B^T B) u' = sum A^T m (g - x''_0) - B^T I c
// with x''_0 what x'' is at u' = 0. Rods on hinges: theta_k = q_k, c_k = 0. Slider-crank with pin p
// (turning with q) and rod l (with phi), the end of the rod on a line with normal n:
//     n . (p + l) = height,   phi' = -(n . P p) / (n . P l) q',
//     c = (n . p q'^2 + n . l phi'^2) / (n . P l)
// Sources: T. Kane, D. Levinson, "Dynamics: theory and applications", 1985 (virtual power); the
// slider-crank by differentiating its loop. Test: tests/tool/test_compare.c
#include "tools/tenon/reduced.h"

#include "tools/tenon/vector.h"

#include <string.h>

#define REDUCED_TINY  1e-9 // m
#define REDUCED_ALIKE 1e-6 // of velocities: what a case's digits and the float of a scene leave

static double reduced_dot(reduced_vector a, reduced_vector b) {
    return a.x * b.x + a.y * b.y;
}

static reduced_vector reduced_add(reduced_vector a, double s, reduced_vector b) {
    return (reduced_vector){a.x + s * b.x, a.y + s * b.y};
}

// By 90 degrees.
static reduced_vector reduced_turn(reduced_vector v) {
    return (reduced_vector){-v.y, v.x};
}

static reduced_vector reduced_rotate(reduced_vector v, double angle) {
    double c = cos(angle), s = sin(angle);
    return (reduced_vector){c * v.x - s * v.y, s * v.x + c * v.y};
}

static reduced_vector reduced_between(tn_vec3 from, tn_vec3 to) {
    return (reduced_vector){to.x - from.x, to.y - from.y};
}

// ---- motion ------------------------------------------------------------------------------------

// Of each angle: its value, its rate, B and c.
typedef struct reduced_angle {
    double value, rate, b[REDUCED_MAX_COORDINATES], c;
} reduced_angle;

static void reduced_measure_rod(const reduced_model *model, reduced_angle angles[2]) {
    reduced_vector n = model->across, p = reduced_rotate(model->pin, angles[0].value);
    double length = sqrt(reduced_dot(model->rod, model->rod));
    double sine = (model->height - reduced_dot(n, p)) / length;
    double tilt = asin(fmax(-1.0, fmin(1.0, sine)));
    // From the line's direction, which is the normal turned back.
    double start = atan2(reduced_dot(n, model->rod), -reduced_dot(reduced_turn(n), model->rod));
    angles[1].value = (model->is_folded ? acos(-1.0) - tilt : tilt) - start;
    reduced_vector l = reduced_rotate(model->rod, angles[1].value);
    double inverse = 1.0 / reduced_dot(n, reduced_turn(l));
    angles[1].b[0] = -reduced_dot(n, reduced_turn(p)) * inverse;
    angles[1].rate = angles[1].b[0] * angles[0].rate;
    angles[1].c = (reduced_dot(n, p) * angles[0].rate * angles[0].rate +
                   reduced_dot(n, l) * angles[1].rate * angles[1].rate) *
                  inverse;
}

static void reduced_measure_angles(const reduced_model *model, const double *q, const double *u,
                                   reduced_angle angles[2]) {
    memset(angles, 0, 2 * sizeof *angles);
    for (uint32_t k = 0; k < model->coordinate_count; k++) {
        angles[k].value = q[k];
        angles[k].rate = u[k];
        angles[k].b[k] = 1.0;
    }
    if (model->is_slider_crank) {
        reduced_measure_rod(model, angles);
    }
}

// Of one body: where it is, A and x''_0.
typedef struct reduced_motion {
    reduced_vector x, a[REDUCED_MAX_COORDINATES], bend;
} reduced_motion;

static reduced_motion reduced_measure_body(const reduced_body *body,
                                           const reduced_angle angles[2]) {
    reduced_motion motion = {.x = body->base};
    for (uint32_t k = 0; k < 2; k++) {
        reduced_vector v = reduced_rotate(body->arm[k], angles[k].value), across = reduced_turn(v);
        motion.x = reduced_add(motion.x, 1.0, v);
        for (uint32_t i = 0; i < REDUCED_MAX_COORDINATES; i++) {
            motion.a[i] = reduced_add(motion.a[i], angles[k].b[i], across);
        }
        motion.bend = reduced_add(motion.bend, angles[k].c, across);
        motion.bend = reduced_add(motion.bend, -angles[k].rate * angles[k].rate, v);
    }
    return motion;
}

// Mass matrix and right side; 0 where there is no coordinate.
typedef struct reduced_system {
    double m[REDUCED_MAX_COORDINATES][REDUCED_MAX_COORDINATES], f[REDUCED_MAX_COORDINATES];
} reduced_system;

static reduced_system reduced_measure_system(const reduced_model *model, const double *q,
                                             const double *u) {
    reduced_system system = {{{0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0}};
    reduced_angle angles[2], none = {0.0, 0.0, {0.0, 0.0}, 0.0};
    reduced_measure_angles(model, q, u, angles);
    for (uint32_t k = 0; k < model->body_count; k++) {
        const reduced_body *body = &model->bodies[k];
        const reduced_angle *turn = body->turn >= 0 ? &angles[body->turn] : &none;
        reduced_motion motion = reduced_measure_body(body, angles);
        reduced_vector rest = reduced_add(model->gravity, -1.0, motion.bend);
        for (uint32_t i = 0; i < REDUCED_MAX_COORDINATES; i++) {
            for (uint32_t j = 0; j < REDUCED_MAX_COORDINATES; j++) {
                system.m[i][j] += body->mass * reduced_dot(motion.a[i], motion.a[j]) +
                                  body->inertia * turn->b[i] * turn->b[j];
            }
            system.f[i] +=
                body->mass * reduced_dot(motion.a[i], rest) - body->inertia * turn->b[i] * turn->c;
        }
    }
    return system;
}

static void reduced_accelerate(const reduced_model *model, const double *q, const double *u,
                               double *out) {
    reduced_system s = reduced_measure_system(model, q, u);
    if (model->coordinate_count == 1) {
        out[0] = s.f[0] / s.m[0][0];
        out[1] = 0.0;
        return;
    }
    double determinant = s.m[0][0] * s.m[1][1] - s.m[0][1] * s.m[1][0];
    out[0] = (s.f[0] * s.m[1][1] - s.f[1] * s.m[0][1]) / determinant;
    out[1] = (s.f[1] * s.m[0][0] - s.f[0] * s.m[1][0]) / determinant;
}

void reduced_step(reduced_model *model, double h) {
    static const double reach[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double q[2], u[2], dq[2] = {0.0, 0.0}, du[2] = {0.0, 0.0};
    double sum_q[2] = {0.0, 0.0}, sum_u[2] = {0.0, 0.0};
    for (uint32_t k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < REDUCED_MAX_COORDINATES; i++) {
            q[i] = model->q[i] + reach[k] * h * dq[i];
            u[i] = model->u[i] + reach[k] * h * du[i];
        }
        reduced_accelerate(model, q, u, du);
        for (uint32_t i = 0; i < REDUCED_MAX_COORDINATES; i++) {
            dq[i] = u[i];
            sum_q[i] += weight[k] * dq[i];
            sum_u[i] += weight[k] * du[i];
        }
    }
    for (uint32_t i = 0; i < REDUCED_MAX_COORDINATES; i++) {
        model->q[i] += h / 6.0 * sum_q[i];
        model->u[i] += h / 6.0 * sum_u[i];
    }
}

tn_vec3 reduced_get_center(const reduced_model *model, uint32_t body) {
    reduced_angle angles[2];
    reduced_measure_angles(model, model->q, model->u, angles);
    reduced_vector x = reduced_measure_body(&model->bodies[body], angles).x;
    return (tn_vec3){x.x, x.y, model->bodies[body].z};
}

double reduced_get_kinetic_energy(const reduced_model *model) {
    reduced_system s = reduced_measure_system(model, model->q, model->u);
    double sum = 0.0;
    for (uint32_t i = 0; i < REDUCED_MAX_COORDINATES; i++) {
        for (uint32_t j = 0; j < REDUCED_MAX_COORDINATES; j++) {
            sum += 0.5 * model->u[i] * s.m[i][j] * model->u[j];
        }
    }
    return sum;
}

double reduced_get_energy(const reduced_model *model) {
    double energy = reduced_get_kinetic_energy(model);
    for (uint32_t k = 0; k < model->body_count; k++) {
        tn_vec3 x = reduced_get_center(model, k);
        energy -= model->bodies[k].mass * (model->gravity.x * x.x + model->gravity.y * x.y);
    }
    return energy;
}

// ---- which subject -----------------------------------------------------------------------------

// What the joints of a subject tell, in the order in which they were made.
typedef struct reduced_joint {
    tn_joint_type type;
    tn_body_id a, b;
    tn_vec3 anchor; // of body b
    tn_vec3 axis;   // of frame a, in the world
} reduced_joint;

static tn_vec3 reduced_rotate_x(tn_quat q) {
    return (tn_vec3){1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                     2.0 * (q.x * q.z - q.w * q.y)};
}

static reduced_joint reduced_read_joint(const run_subject *subject, uint32_t index) {
    tn_world *world = subject->world;
    tn_joint_id id = subject->joints[index].id;
    tn_joint_def def = tn_joint_get_def(world, id);
    reduced_joint joint = {.type = tn_joint_get_type(world, id), .a = def.body_a, .b = def.body_b};
    tn_vec3 local = def.frame_b.position;
    joint.anchor = local;
    if (def.body_b.value != 0) {
        joint.anchor = tn_body_get_world_point(world, def.body_b, local);
    }
    joint.axis = reduced_rotate_x(def.frame_a.rotation);
    if (def.body_a.value != 0) {
        joint.axis = tn_body_get_world_vector(world, def.body_a, joint.axis);
    }
    return joint;
}

static bool reduced_is_hinge(const reduced_joint *joint) {
    return joint->type == TN_JOINT_TYPE_HINGE && fabs(joint->axis.z) > 1.0 - REDUCED_TINY;
}

// A world hinge's anchor and a rod's may stand on static bodies; here they are of the world.
static bool reduced_ties(const reduced_joint *joint, tn_body_id a, tn_body_id b) {
    return joint->a.value == a.value && joint->b.value == b.value;
}

// Mass, place and spin of the k-th body, on one arm so far.
static void reduced_add_body(reduced_model *model, const run_subject *subject, tn_body_id id,
                             tn_vec3 pivot, int turn) {
    reduced_body *body = &model->bodies[model->body_count];
    tn_mass mass = tn_body_get_mass(subject->world, id);
    tn_vec3 center = tn_body_get_center(subject->world, id);
    *body = (reduced_body){.id = id, .mass = mass.mass, .inertia = mass.inertia.zz, .turn = turn};
    body->base = (reduced_vector){pivot.x, pivot.y};
    body->arm[0] = reduced_between(pivot, center);
    body->z = center.z;
    model->body_count += 1;
}

static double reduced_get_spin(const run_subject *subject, tn_body_id id) {
    return tn_body_get_velocity(subject->world, id).angular.z;
}

static bool reduced_init_bead(reduced_model *model, const run_subject *subject,
                              const reduced_joint *rod) {
    tn_joint_def def = tn_joint_get_def(subject->world, subject->joints[0].id);
    reduced_add_body(model, subject, rod->b, def.frame_a.position, -1);
    reduced_vector arm = model->bodies[0].arm[0], across = reduced_turn(arm);
    tn_vec3 v = tn_body_get_velocity(subject->world, rod->b).linear;
    model->coordinate_count = 1;
    model->u[0] = reduced_dot(across, (reduced_vector){v.x, v.y}) / reduced_dot(arm, arm);
    // The rod must hold the centre of mass: the particle itself does not turn.
    tn_vec3 center = tn_body_get_center(subject->world, rod->b);
    tn_vec3 offset = {rod->anchor.x - center.x, rod->anchor.y - center.y, rod->anchor.z - center.z};
    bool is_flat = fabs(center.z - def.frame_a.position.z) < REDUCED_TINY;
    return is_flat && vector_length(offset) < REDUCED_TINY;
}

static bool reduced_init_rods(reduced_model *model, const run_subject *subject,
                              const reduced_joint *joints, uint32_t count) {
    tn_vec3 pivot = joints[0].anchor;
    reduced_add_body(model, subject, joints[0].b, pivot, 0);
    model->coordinate_count = count;
    model->u[0] = reduced_get_spin(subject, joints[0].b);
    if (count == 1) {
        return true;
    }
    reduced_add_body(model, subject, joints[1].b, pivot, 1);
    reduced_body *second = &model->bodies[1];
    tn_vec3 center = tn_body_get_center(subject->world, joints[1].b);
    second->arm[0] = reduced_between(pivot, joints[1].anchor);
    second->arm[1] = reduced_between(joints[1].anchor, center);
    model->u[1] = reduced_get_spin(subject, joints[1].b);
    return true;
}

static bool reduced_init_slider_crank(reduced_model *model, const run_subject *subject,
                                      const reduced_joint *joints) {
    tn_vec3 pivot = joints[0].anchor, pin = joints[1].anchor, wrist = joints[2].anchor;
    tn_vec3 line = joints[3].axis;
    reduced_add_body(model, subject, joints[0].b, pivot, 0);
    reduced_add_body(model, subject, joints[1].b, pivot, 1);
    reduced_add_body(model, subject, joints[2].b, pivot, -1);
    reduced_body *rod = &model->bodies[1], *piston = &model->bodies[2];
    model->pin = reduced_between(pivot, pin);
    model->rod = reduced_between(pin, wrist);
    rod->arm[0] = piston->arm[0] = model->pin;
    rod->arm[1] = reduced_between(pin, tn_body_get_center(subject->world, rod->id));
    piston->arm[1] = model->rod;
    piston->base = reduced_add(
        piston->base, 1.0, reduced_between(wrist, tn_body_get_center(subject->world, piston->id)));
    model->is_slider_crank = true;
    model->across = reduced_turn((reduced_vector){line.x, line.y});
    model->height = reduced_dot(model->across, reduced_between(pivot, wrist));
    model->is_folded = reduced_dot((reduced_vector){line.x, line.y}, model->rod) < 0.0;
    model->coordinate_count = 1;
    model->u[0] = reduced_get_spin(subject, joints[0].b);
    return fabs(line.z) < REDUCED_TINY;
}

// The body moves as the model says it does.
static bool reduced_fits_motion(const reduced_model *model, const run_subject *subject,
                                const reduced_body *body) {
    reduced_angle angles[2];
    reduced_measure_angles(model, model->q, model->u, angles);
    reduced_motion motion = reduced_measure_body(body, angles);
    tn_velocity velocity = tn_body_get_velocity(subject->world, body->id);
    tn_vec3 off = velocity.linear;
    for (uint32_t i = 0; i < model->coordinate_count; i++) {
        off.x -= motion.a[i].x * model->u[i];
        off.y -= motion.a[i].y * model->u[i];
    }
    double spin = body->turn >= 0 ? velocity.angular.z - angles[body->turn].rate : 0.0;
    return vector_length(off) + fabs(spin) <
           REDUCED_ALIKE * (1.0 + vector_length(velocity.linear) + vector_length(velocity.angular));
}

// Nothing else moves, and nothing acts but gravity.
static bool reduced_fits_bodies(const reduced_model *model, const run_subject *subject) {
    uint32_t moving = 0;
    for (uint32_t i = 0; i < subject->body_count; i++) {
        moving += !subject->bodies[i].is_static;
    }
    bool is_plain = moving == model->body_count;
    for (uint32_t i = 0; i < model->body_count; i++) {
        tn_body_id id = model->bodies[i].id;
        is_plain = is_plain && tn_body_get_linear_damping(subject->world, id) == 0.0f &&
                   tn_body_get_angular_damping(subject->world, id) == 0.0f &&
                   tn_body_get_gravity_scale(subject->world, id) == 1.0f &&
                   reduced_fits_motion(model, subject, &model->bodies[i]);
    }
    is_plain = is_plain && (subject->file == NULL || subject->file->models[0].force_count == 0);
    return is_plain;
}

bool reduced_init(reduced_model *model, const run_subject *subject) {
    reduced_joint joints[4];
    tn_body_id world = {0};
    tn_vec3 gravity = tn_world_get_gravity(subject->world);
    memset(model, 0, sizeof *model);
    model->gravity = (reduced_vector){gravity.x, gravity.y};
    uint32_t count = subject->joint_count;
    if (count == 0 || count > 4 || gravity.z != 0.0) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = reduced_read_joint(subject, i);
    }
    bool ok = false;
    if (count == 1 && joints[0].type == TN_JOINT_TYPE_DISTANCE) {
        ok = joints[0].a.value == 0 && reduced_init_bead(model, subject, &joints[0]);
    } else if (count <= 2) {
        ok = reduced_is_hinge(&joints[0]) && joints[0].a.value == 0 &&
             (count == 1 ||
              (reduced_is_hinge(&joints[1]) && reduced_ties(&joints[1], joints[0].b, joints[1].b)));
        ok = ok && reduced_init_rods(model, subject, joints, count);
    } else if (count == 4) {
        ok = reduced_is_hinge(&joints[0]) && reduced_is_hinge(&joints[1]) &&
             reduced_is_hinge(&joints[2]) && joints[3].type == TN_JOINT_TYPE_SLIDER &&
             joints[0].a.value == 0 && reduced_ties(&joints[1], joints[0].b, joints[1].b) &&
             reduced_ties(&joints[2], joints[1].b, joints[2].b) &&
             reduced_ties(&joints[3], world, joints[2].b);
        ok = ok && reduced_init_slider_crank(model, subject, joints);
    }
    return ok && reduced_fits_bodies(model, subject);
}
