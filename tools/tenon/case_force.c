// tools/tenon/case_force.c: the forces of a case before each step, and the release of its sling.
//
// A release happens within a step. The angle between arm and sling is read before each step with
// its rate, and where the two foretell the moment inside the step, the step is cut: parts
// that go three quarters of the way that is left, the release, and the rest.
#include "tools/tenon/case_world.h"

#include "scenes/release.h"
#include "tools/tenon/vector.h"

// Position and velocity of a point of a body (or of the world).
typedef struct case_point {
    tn_vec3 position, velocity;
} case_point;

static case_point case_get_point(const case_world *run, int body, tn_vec3 local) {
    case_point point = {.position = local};
    if (body != CASE_WORLD) {
        tn_vec3 p = tn_body_get_world_point(run->world, run->bodies[body], local);
        point.position = p;
        point.velocity = tn_body_get_point_velocity(run->world, run->bodies[body], p);
    }
    return point;
}

// Springs are joints of the world and need nothing here.
void case_force_apply(case_world *run) {
    for (uint32_t i = 0; i < run->model->force_count; i++) {
        const case_force *force = &run->model->forces[i];
        if (force->type == CASE_FORCE_TYPE_FORCE) {
            tn_body_apply_force(run->world, run->bodies[force->b], force->vector);
        } else if (force->type == CASE_FORCE_TYPE_TORQUE) {
            tn_body_apply_torque(run->world, run->bodies[force->b], force->vector);
        }
    }
}

// The angle between two vectors, and how fast it grows: from d/dt of the cosine
// u.v / (|u| |v|), or of the sine where the vectors are nearly in line.
static double case_get_angle(const case_point *u, const case_point *v, double *out_rate) {
    tn_vec3 a = u->position;
    tn_vec3 b = v->position;
    double aa = vector_dot(a, a);
    double bb = vector_dot(b, b);
    double scale = sqrt(aa * bb);
    if (scale < 1e-12) {
        *out_rate = 0.0;
        return 0.0;
    }
    double cosine = fmax(-1.0, fmin(1.0, vector_dot(a, b) / scale));
    double cosine_rate =
        (vector_dot(u->velocity, b) + vector_dot(a, v->velocity)) / scale -
        cosine * (vector_dot(a, u->velocity) / aa + vector_dot(b, v->velocity) / bb);
    double sine = sqrt(1.0 - cosine * cosine);
    *out_rate = sine > 1e-6 ? -cosine_rate / sine : 0.0;
    return acos(cosine);
}

static double case_get_release_angle(const case_world *run, double *out_rate) {
    const case_release *release = &run->model->release;
    tn_joint_def def = tn_joint_get_def(run->world, run->joints[release->joint]);
    const case_joint *sling = &run->model->joints[release->joint];
    case_point tip = case_get_point(run, sling->a, def.frame_a.position);
    case_point load = case_get_point(run, sling->b, def.frame_b.position);
    case_point arm = {vector_subtract(tip.position, release->pivot), tip.velocity};
    case_point line = {vector_subtract(load.position, tip.position),
                       vector_subtract(load.velocity, tip.velocity)};
    return case_get_angle(&arm, &line, out_rate);
}

// When the angle will have fallen to the release's, in seconds from now; negative: not foreseeable.
static double case_foresee_release(const case_world *run) {
    double rate;
    double above = case_get_release_angle(run, &rate) - run->model->release.angle;
    if (above <= 0.0) {
        return rate < 0.0 ? 0.0 : -1.0;
    }
    return rate < 0.0 ? -above / rate : -1.0;
}

static tn_result case_step_part(case_world *run, double dt, uint32_t substeps) {
    case_force_apply(run);
    return tn_world_step(run->world, dt, substeps);
}

// What has broken is not to be taken off.
static bool case_awaits_release(const case_world *run) {
    const case_release *release = &run->model->release;
    return release->is_given && !run->is_released &&
           tn_joint_is_valid(run->world, run->joints[release->joint]);
}

static void case_take_off(case_world *run) {
    tn_joint_destroy(run->world, run->joints[run->model->release.joint]);
    run->joints[run->model->release.joint] = (tn_joint_id){0};
    run->is_released = true;
    run->release_time = tn_world_get_time(run->world);
    if (run->on_release != NULL) {
        run->on_release(run->release_time, run->user_data);
    }
}

tn_result case_world_step(case_world *run, double dt, uint32_t substeps) {
    double left = dt;
    tn_result result = TN_RESULT_OK;
    while (result == TN_RESULT_OK && left > RELEASE_REST * dt) {
        double part = left;
        if (case_awaits_release(run)) {
            double until = case_foresee_release(run);
            if (until >= 0.0 && until < RELEASE_SMALLEST * dt) {
                case_take_off(run);
            } else if (until >= 0.0) {
                part = release_get_cut(until, left, dt);
            }
        }
        result = case_step_part(run, part, substeps);
        left -= part;
    }
    return result;
}
