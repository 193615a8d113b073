// world/api/particle.c: particles, and the checks of what users give them.
//
// A particle is a body that is a point. It has three degrees of freedom; its rotation never
// changes. To the solver it is a body whose inverse inertia is 0, so that all rows, contacts and
// methods serve it as they serve other bodies: only the linear part of J M^-1 J^T remains, and a
// purely angular row has nothing to act on. Joints with such rows are refused, and so are an anchor
// off the centre, whose torque nothing would feel, and points of ropes and functions off it.
// Anything else that would turn a particle does nothing: a torque, friction that acts beside the
// centre, or the angular numbers of a custom joint's callback.
//
// The alternative, a record of its own with half the numbers, would need every pass of a step
// twice. Test: tests/world/api/test_particle.c
#include "world/bodies.h"
#include "world/joints/joint_internal.h"

// m: an anchor nearer to the centre than this is off it by rounding, and is put there.
#define PARTICLE_MOST_OFFSET 1e-6

static bool particle_is_at_center(double x, double y, double z) {
    return x * x + y * y + z * z <= PARTICLE_MOST_OFFSET * PARTICLE_MOST_OFFSET;
}

bool tni_body_may_turn(const tni_body *body, tni_dvec3 w) {
    return !body->is_particle || (w.x == 0.0 && w.y == 0.0 && w.z == 0.0);
}

// ---- shape -------------------------------------------------------------------------------------

tni_check tni_particle_check_shape(const tn_shape_def *def, const tni_geometry *geometry) {
    static const char *const message = "A particle bears only spheres around its centre.";
    tn_vec3 p = def->local_pose.position;
    return tni_check_both(
        tni_check_that(geometry->type == TNI_GEOMETRY_SPHERE, TN_RESULT_WRONG_TYPE, message),
        tni_check_that(particle_is_at_center(p.x, p.y, p.z), TN_RESULT_INVALID_ARGUMENT, message));
}

// ---- joints -------------------------------------------------------------------------------------

static bool particle_is(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && tni_body_at(world, body)->is_particle;
}

// Returns whether a ball joint holds or drives its free turns.
static bool particle_ball_turns(const tn_ball_joint_def *def) {
    return def->cone_limit.is_enabled || def->twist_limit.is_enabled ||
           def->motor.mode != TN_MOTOR_MODE_OFF || def->spring.mode != TN_SPRING_MODE_OFF ||
           def->friction > 0.0f || def->viscous_friction > 0.0f;
}

// Returns whether all rows of a joint act on points. If so, `out_carries_a` is set if something is
// fixed to frame a, whose orientation then counts.
static bool particle_suits(tn_joint_type type, const tni_joint_def *def, bool *out_carries_a) {
    *out_carries_a = false;
    switch (type) {
    case TN_JOINT_TYPE_DISTANCE:
    case TN_JOINT_TYPE_PULLEY:
    case TN_JOINT_TYPE_MOUSE:
    case TN_JOINT_TYPE_CUSTOM:
    case TN_JOINT_TYPE_FUNCTION:
    case TN_JOINT_TYPE_ROPE:
        return true;
    case TN_JOINT_TYPE_BALL:
        return !particle_ball_turns(&def->ball);
    case TN_JOINT_TYPE_CURVE:
    case TN_JOINT_TYPE_SURFACE:
        *out_carries_a = true;
        return true;
    case TN_JOINT_TYPE_MOTION_PATH:
        *out_carries_a = true;
        return !def->motion_path.leads_rotation;
    default:
        return false;
    }
}

static bool particle_is_held_at_center(bool is_particle, const tn_pose *frame) {
    tn_vec3 p = frame->position;
    return !is_particle || particle_is_at_center(p.x, p.y, p.z);
}

tni_check tni_particle_check_point(const tn_world *world, uint32_t body, tni_dvec3 at) {
    bool is_held = !particle_is(world, body) || particle_is_at_center(at.x, at.y, at.z);
    return tni_check_that(is_held, TN_RESULT_INVALID_ARGUMENT,
                          "A point on a particle lies in its centre.");
}

tni_check tni_particle_check_joint(const tn_world *world, tn_joint_type type,
                                   const tni_joint_def *def, uint32_t body_a, uint32_t body_b) {
    bool is_a = particle_is(world, body_a), is_b = particle_is(world, body_b), carries_a;
    bool suits = particle_suits(type, def, &carries_a) && !(carries_a && is_a);
    bool is_central = particle_is_held_at_center(is_a, &def->base.frame_a) &&
                      particle_is_held_at_center(is_b, &def->base.frame_b);
    return tni_check_both(
        tni_check_that(suits || (!is_a && !is_b), TN_RESULT_WRONG_TYPE,
                       "A particle does not turn: the joint may only hold its centre. A ball joint "
                       "without limits holds all of it."),
        tni_check_that(is_central, TN_RESULT_INVALID_ARGUMENT,
                       "The frame of a joint on a particle has its origin in the particle's "
                       "centre."));
}
