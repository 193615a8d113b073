// world/vehicle/ray_wheel.c: wheels on rays: what is checked, what a wheel stands on, and the
// forces that its impulses are.
//
// The forces act through the whole step (F = P / dt), because gravity does: impulses would throw a
// parked car up, and let it fall, in each step. Friction and brakes look at the velocity at the
// end of the step, with gravity and the applied forces in it, so that a braked car stands on a
// slope. Test: tests/world/vehicle/test_ray_wheel.c
#include "world/bodies.h"
#include "world/queries/query_internal.h"
#include "world/records/check.h"
#include "world/records/convert.h"
#include "world/vehicle/ray_wheel_internal.h"

#include <string.h>

// A surface that is met at less than this, as a cosine, is a wall, and bears no wheel.
#define ROLLING_LEAST_COSINE 0.2
// The least sine of the angle between up and forward.
#define ROLLING_LEAST_SINE 1e-6

tn_ray_wheel tn_ray_wheel_make(tn_vec3 anchor) {
    return (tn_ray_wheel){.anchor = anchor,
                          .up = {0.0, 1.0, 0.0},
                          .forward = {1.0, 0.0, 0.0},
                          .radius = 0.35f,
                          .rest_length = 0.4f,
                          .stiffness = 25000.0f,
                          .damping = 2500.0f,
                          .friction = 1.0f,
                          .inertia = 1.0f,
                          .length = 0.4f};
}

// ---- checks -------------------------------------------------------------------------------------

static double rolling_get_sine(const tn_ray_wheel *wheel) {
    tni_dvec3 up = dvec3_from_plain(wheel->up), forward = dvec3_from_plain(wheel->forward);
    double size = dvec3_length(up) * dvec3_length(forward);
    return dvec3_length(dvec3_cross(up, forward)) * maths_inverse_or_zero_d(size);
}

static tni_check rolling_check(const tn_ray_wheel *w) {
    const tni_check checks[] = {
        tni_check_that(
            convert_is_finite_float(w->anchor) && convert_is_finite_float(w->up) &&
                convert_is_finite_float(w->forward) && isfinite(w->spin) && isfinite(w->angle),
            TN_RESULT_NOT_FINITE, "A wheel's anchor, axes, spin and angle must be finite."),
        tni_check_that(rolling_get_sine(w) > ROLLING_LEAST_SINE, TN_RESULT_ZERO_AXIS,
                       "A wheel's up and forward must have a length, and not be parallel."),
        tni_check_number(isfinite(w->radius), w->radius > 0.0f,
                         "A wheel's radius must be finite and > 0."),
        tni_check_number(isfinite(w->rest_length), w->rest_length > 0.0f,
                         "A wheel's rest length must be finite and > 0."),
        tni_check_amount(w->stiffness, "A wheel's stiffness must be finite and >= 0."),
        tni_check_amount(w->damping, "A wheel's damping must be finite and >= 0."),
        tni_check_amount(w->friction, "A wheel's friction must be finite and >= 0."),
        tni_check_number(isfinite(w->inertia), w->inertia > 0.0f,
                         "A wheel's inertia must be finite and > 0."),
        tni_check_finite(w->steering, "A steering angle must be finite."),
        tni_check_finite(w->drive_torque, "A drive's torque must be finite."),
        tni_check_cap(w->brake_torque, "A brake's torque must be >= 0, or infinite."),
        tni_check_finite(w->length, "A wheel's length must be finite."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check rolling_check_call(const tn_ray_wheel *wheels, uint32_t count, double dt) {
    tni_check check = tni_check_that(wheels != NULL && count > 0 && count <= TN_RAY_WHEEL_MAX,
                                     TN_RESULT_INVALID_ARGUMENT,
                                     "There must be wheels, at most TN_RAY_WHEEL_MAX.");
    check =
        tni_check_both(check, tni_check_that(isfinite(dt) && dt > 0.0, TN_RESULT_INVALID_TIME_STEP,
                                             "The time must be finite and > 0."));
    for (uint32_t i = 0; check.result == TN_RESULT_OK && i < count; ++i) {
        check = rolling_check(&wheels[i]);
    }
    return check;
}

static tni_check rolling_check_chassis(const tni_body *body) {
    bool is_free =
        body->type == TN_BODY_TYPE_DYNAMIC && !body->is_particle && body->reduced == TNI_NONE;
    return tni_check_that(is_free, TN_RESULT_WRONG_TYPE,
                          "A chassis must be dynamic, with an extent, and not of coordinates.");
}

// ---- where a wheel is ---------------------------------------------------------------------------

typedef struct tni_wheel_axes {
    tni_dvec3 anchor, up, forward, left; // in the world; forward and left are steered
} tni_wheel_axes;

static tni_wheel_axes rolling_get_axes(const tni_body *body, const tn_ray_wheel *wheel) {
    tni_dpose place = tni_body_get_place(body);
    tni_dvec3 up = dvec3_from_plain(wheel->up), forward = dvec3_from_plain(wheel->forward);
    up = dvec3_scale(up, 1.0 / dvec3_length(up));
    forward = dvec3_add_scaled(forward, -dvec3_dot(forward, up), up);
    forward = dvec3_scale(forward, 1.0 / dvec3_length(forward));
    tni_dvec3 left = dvec3_cross(up, forward);
    double c = tni_maths_cos((double)wheel->steering), s = tni_maths_sin((double)wheel->steering);
    tni_dvec3 ahead = dvec3_add_scaled(dvec3_scale(forward, c), s, left);
    tni_wheel_axes axes = {.up = dquat_rotate(place.rotation, up),
                           .forward = dquat_rotate(place.rotation, ahead)};
    axes.left = dvec3_cross(axes.up, axes.forward);
    tni_dvec3 arm = dquat_rotate(place.rotation, dvec3_from_plain(wheel->anchor));
    axes.anchor = dvec3_add(place.position, arm);
    return axes;
}

tn_pose tn_ray_wheel_get_pose(const tn_world *world, tn_body_id chassis,
                              const tn_ray_wheel *wheel) {
    uint32_t index = tni_world_find_body(world, chassis, __func__);
    if (index == TNI_NONE) {
        return (tn_pose){0};
    }
    tni_check check = {TN_RESULT_INVALID_ARGUMENT, "There is no wheel."};
    check = wheel != NULL ? rolling_check(wheel) : check;
    if (!tni_world_accepts(world, check, __func__, chassis.value) || wheel == NULL) {
        return (tn_pose){0};
    }
    tni_wheel_axes axes = rolling_get_axes(tni_body_at(world, index), wheel);
    double c = tni_maths_cos(wheel->angle), s = tni_maths_sin(wheel->angle);
    // A wheel that rolls forward turns x down.
    tni_dvec3 x = dvec3_add_scaled(dvec3_scale(axes.forward, c), -s, axes.up);
    tni_dvec3 y = dvec3_add_scaled(dvec3_scale(axes.up, c), s, axes.forward);
    tni_dvec3 z = dvec3_scale(axes.left, -1.0);
    tni_dvec3 middle = dvec3_add_scaled(axes.anchor, -(double)wheel->length, axes.up);
    return convert_to_pose(middle, dquat_from_axes(x, y, z));
}

// ---- looking ------------------------------------------------------------------------------------

typedef struct tni_ground_filter {
    const tn_query_filter *own;
    tn_body_id chassis;
} tni_ground_filter;

static bool rolling_accept(const tn_world *world, tn_shape_id shape, void *user_data) {
    const tni_ground_filter *filter = user_data;
    const tn_query_filter *own = filter->own;
    return tn_shape_get_body(world, shape).value != filter->chassis.value &&
           (own == NULL || own->accept == NULL || own->accept(world, shape, own->user_data));
}

// Finds what is under a wheel: its shape, point, normal and length.
static void rolling_look(const tn_world *world, const tn_ray_wheel *wheel,
                         const tni_wheel_axes *axes, const tn_query_filter *filter,
                         tni_rolling *rolling) {
    double radius = (double)wheel->radius, rest = (double)wheel->rest_length;
    double way = wheel->is_ball ? rest : rest + radius;
    tn_vec3 from = dvec3_to_plain(axes->anchor);
    tn_vec3 down = dvec3_to_plain(dvec3_scale(axes->up, -way));
    tn_probe_hit hit = {0};
    rolling->length = rest;
    if (wheel->is_ball) {
        tn_probe probe = tn_sphere_probe_make(from, wheel->radius);
        probe.translation = down;
        probe.filter = filter;
        rolling->is_touching = tn_world_cast_probe(world, &probe, &hit);
    } else {
        tn_ray ray = tn_ray_make(from, down);
        ray.filter = filter;
        ray.inside = TN_QUERY_INSIDE_IGNORE;
        tn_ray_hit met = {0};
        rolling->is_touching = tn_world_cast_ray(world, &ray, &met);
        hit = (tn_probe_hit){
            .shape = met.shape, .point = met.point, .normal = met.normal, .fraction = met.fraction};
    }
    rolling->shape = hit.shape;
    rolling->point = dvec3_from_plain(hit.point);
    rolling->normal = dvec3_from_plain(hit.normal);
    rolling->cosine = dvec3_dot(rolling->normal, axes->up);
    rolling->is_touching = rolling->is_touching && rolling->cosine > ROLLING_LEAST_COSINE;
    if (rolling->is_touching) {
        rolling->length = hit.fraction * way - (wheel->is_ball ? 0.0 : radius);
    }
}

// ---- directions ---------------------------------------------------------------------------------

static tni_grip rolling_make_grip(const tni_chassis *chassis, tni_dvec3 direction, tni_dvec3 point,
                                  tni_dvec3 ground_velocity) {
    tni_grip grip = {.direction = direction};
    tni_dvec3 d = direction, m = chassis->inv_mass;
    grip.linear = dvec3_make(m.x * d.x, m.y * d.y, m.z * d.z);
    grip.arm_cross = dvec3_cross(dvec3_sub(point, chassis->center), d);
    grip.angular = dmat3_mul_vec(&chassis->inv_inertia, grip.arm_cross);
    grip.response = dvec3_dot(grip.linear, d) + dvec3_dot(grip.angular, grip.arm_cross);
    grip.ground_speed = dvec3_dot(ground_velocity, d);
    return grip;
}

// Returns how much the body under a wheel gives way along a direction, where `sharers` wheels
// stand on it.
static double rolling_get_ground_response(const tni_body *ground, tni_dvec3 point,
                                          tni_dvec3 direction, double sharers) {
    tni_dmat3 inverse = tni_body_world_inv_inertia_exact(ground);
    tni_dvec3 turn = dvec3_cross(dvec3_sub(point, ground->position), direction);
    bool is_free = ground->type == TN_BODY_TYPE_DYNAMIC && ground->reduced == TNI_NONE;
    double angular = dvec3_dot(turn, dmat3_mul_vec(&inverse, turn));
    return is_free ? sharers * (ground->inv_mass + angular) : 0.0;
}

// Makes the directions in which a wheel pushes. The ground does not give way along the suspension:
// it mostly lies on something that bears it. It does so sideways, or the damper of a wheel that
// meets an edge would throw a light plank away.
static void rolling_prepare(const tn_world *world, const tni_chassis *chassis,
                            const tni_chassis *now, const tni_wheel_axes *axes, double sharers,
                            tni_rolling *rolling) {
    uint32_t index = tni_world_get_shape_index(world, rolling->shape);
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_body *ground = tni_body_at(world, shape->body);
    tni_dvec3 n = rolling->normal, point = rolling->point;
    tni_dvec3 arm = dvec3_sub(point, ground->position);
    tni_dvec3 v = dvec3_add(ground->velocity, dvec3_cross(ground->angular_velocity, arm));
    tni_dvec3 forward = dvec3_add_scaled(axes->forward, -dvec3_dot(axes->forward, n), n);
    forward = dvec3_scale(forward, maths_inverse_or_zero_d(dvec3_length(forward)));
    tni_dvec3 scaled = dvec3_scale(n, 1.0 / rolling->cosine);
    rolling->spring = rolling_make_grip(chassis, scaled, point, v);
    rolling->closing =
        -(dvec3_dot(now->velocity, scaled) +
          dvec3_dot(now->angular_velocity, rolling->spring.arm_cross) - dvec3_dot(v, scaled));
    tni_dvec3 moving = dvec3_add(v, tni_shape_get_surface_speed(world, shape, point));
    tni_dvec3 sideways = dvec3_sub(scaled, axes->up);
    rolling->spring.ground_response = rolling_get_ground_response(ground, point, sideways, sharers);
    rolling->forward = rolling_make_grip(chassis, forward, point, moving);
    rolling->left = rolling_make_grip(chassis, dvec3_cross(n, forward), point, moving);
    rolling->forward.ground_response =
        rolling_get_ground_response(ground, point, rolling->forward.direction, sharers);
    rolling->left.ground_response =
        rolling_get_ground_response(ground, point, rolling->left.direction, sharers);
}

// ---- forces -------------------------------------------------------------------------------------

// Returns the chassis as it is, or with `dt` of gravity and applied forces.
static tni_chassis rolling_get_chassis(const tn_world *world, const tni_body *body, double dt) {
    tni_chassis chassis = {.center = body->position,
                           .inv_mass = tni_locks_get_inv_mass(body->locks, body->inv_mass),
                           .inv_inertia = tni_body_world_inv_inertia_exact(body)};
    tni_dvec3 gravity = dvec3_from_plain(tn_world_get_gravity(world));
    double weight = body->mass * (double)body->gravity_scale;
    tni_dvec3 push = dvec3_scale(dvec3_add_scaled(body->force, weight, gravity), dt);
    tni_dvec3 gain = {chassis.inv_mass.x * push.x, chassis.inv_mass.y * push.y,
                      chassis.inv_mass.z * push.z};
    chassis.velocity = dvec3_add(body->velocity, gain);
    tni_dvec3 turn = dmat3_mul_vec(&chassis.inv_inertia, body->torque);
    chassis.angular_velocity = dvec3_add_scaled(body->angular_velocity, dt, turn);
    return chassis;
}

// Returns the impulse of a wheel on the chassis.
static tni_dvec3 rolling_get_impulse(const tni_rolling *rolling) {
    tni_dvec3 p = dvec3_scale(rolling->spring.direction, rolling->spring.impulse);
    p = dvec3_add_scaled(p, rolling->forward.impulse, rolling->forward.direction);
    return dvec3_add_scaled(p, rolling->left.impulse, rolling->left.direction);
}

static void rolling_write(tn_ray_wheel *wheel, const tni_rolling *rolling, double dt) {
    double angle = wheel->angle + 0.5 * dt * (wheel->spin + rolling->spin);
    wheel->angle = angle - 2.0 * MATHS_PI * floor(angle / (2.0 * MATHS_PI) + 0.5);
    wheel->spin = rolling->spin;
    wheel->length = (float)rolling->length;
    wheel->ground = (tn_shape_id){0};
    wheel->ground_point = wheel->ground_normal = (tn_vec3){0};
    wheel->load = wheel->grip_forward = wheel->grip_left = 0.0f;
    wheel->is_sliding = false;
    if (rolling->is_touching) {
        wheel->ground = rolling->shape;
        wheel->ground_point = dvec3_to_plain(rolling->point);
        wheel->ground_normal = dvec3_to_plain(rolling->normal);
        double load = rolling->spring.impulse / (rolling->cosine * dt);
        double forward = rolling->forward.impulse / dt, left = rolling->left.impulse / dt;
        double most = (double)wheel->friction * load;
        wheel->load = (float)load;
        wheel->grip_forward = (float)forward;
        wheel->grip_left = (float)left;
        wheel->is_sliding = forward * forward + left * left > 0.999 * most * most;
    }
}

// Applies what the rollings found. Returns false, and does nothing, if some number is too large.
static bool rolling_apply(tn_world *world, tn_body_id chassis, tn_ray_wheel *wheels,
                          const tni_rolling *rollings, uint32_t count, double dt) {
    tni_dvec3 sums[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    bool is_finite = true;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_rolling *r = &rollings[i];
        double gained = (r->spin - wheels[i].spin) * (double)wheels[i].inertia;
        sums[1] = dvec3_add_scaled(sums[1], -gained, r->axle);
        is_finite = is_finite && isfinite(r->spin);
        if (r->is_touching) {
            sums[0] = dvec3_add(sums[0], rolling_get_impulse(r));
            sums[1] = dvec3_add_scaled(sums[1], r->spring.impulse, r->spring.arm_cross);
            sums[1] = dvec3_add_scaled(sums[1], r->forward.impulse, r->forward.arm_cross);
            sums[1] = dvec3_add_scaled(sums[1], r->left.impulse, r->left.arm_cross);
        }
    }
    tn_vec3 force = dvec3_to_plain(dvec3_scale(sums[0], 1.0 / dt));
    tn_vec3 torque = dvec3_to_plain(dvec3_scale(sums[1], 1.0 / dt));
    if (!is_finite || !convert_is_finite_float(force) || !convert_is_finite_float(torque)) {
        return false;
    }
    tn_body_apply_force(world, chassis, force);
    tn_body_apply_torque(world, chassis, torque);
    for (uint32_t i = 0; i < count; ++i) {
        if (rollings[i].is_touching) {
            tn_vec3 push =
                dvec3_to_plain(dvec3_scale(rolling_get_impulse(&rollings[i]), -1.0 / dt));
            tn_body_apply_force_at(world, tn_shape_get_body(world, rollings[i].shape), push,
                                   dvec3_to_plain(rollings[i].point));
        }
        rolling_write(&wheels[i], &rollings[i], dt);
    }
    return true;
}

// Returns how many of the wheels stand on the same body as wheel i.
static double rolling_count_sharers(const tn_world *world, const tni_rolling *rollings,
                                    uint32_t count, uint32_t i) {
    uint32_t body = tn_shape_get_body(world, rollings[i].shape).value;
    double sharers = 0.0;
    for (uint32_t k = 0; k < count; ++k) {
        bool is_same =
            rollings[k].is_touching && tn_shape_get_body(world, rollings[k].shape).value == body;
        sharers += is_same ? 1.0 : 0.0;
    }
    return sharers;
}

static tn_result rolling_run(tn_world *world, tn_body_id chassis_id, tn_ray_wheel *wheels,
                             uint32_t count, const tn_query_filter *filter, double dt,
                             const char *function) {
    uint32_t index = tni_world_find_body(world, chassis_id, function);
    if (index == TNI_NONE) {
        return TN_RESULT_INVALID_ID;
    }
    const tni_body *body = tni_body_at(world, index);
    tni_check check =
        tni_check_both(rolling_check_call(wheels, count, dt), rolling_check_chassis(body));
    if (!tni_world_accepts(world, check, function, chassis_id.value)) {
        return check.result;
    }
    if (!tni_query_check_filter(world, filter, function)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (!body->is_enabled) {
        return TN_RESULT_OK;
    }
    tni_rolling rollings[TN_RAY_WHEEL_MAX];
    tni_wheel_axes axes[TN_RAY_WHEEL_MAX];
    memset(rollings, 0, count * sizeof *rollings);
    tni_ground_filter ground = {filter, chassis_id};
    tn_query_filter others = filter != NULL ? *filter : tn_query_filter_default();
    others.accept = rolling_accept;
    others.user_data = &ground;
    for (uint32_t i = 0; i < count; ++i) {
        axes[i] = rolling_get_axes(body, &wheels[i]);
        rolling_look(world, &wheels[i], &axes[i], &others, &rollings[i]);
    }
    tni_chassis chassis = rolling_get_chassis(world, body, dt);
    tni_chassis now = chassis;
    now.velocity = body->velocity;
    now.angular_velocity = body->angular_velocity;
    for (uint32_t i = 0; i < count; ++i) {
        tni_rolling *rolling = &rollings[i];
        rolling->axle = axes[i].left;
        rolling->compression = (double)wheels[i].rest_length - rolling->length;
        rolling->spin_free =
            wheels[i].spin + dt * (double)wheels[i].drive_torque / (double)wheels[i].inertia;
        if (rolling->is_touching) {
            double sharers = rolling_count_sharers(world, rollings, count, i);
            rolling_prepare(world, &chassis, &now, &axes[i], sharers, rolling);
        }
    }
    tni_rollings_solve(wheels, rollings, count, &chassis, dt);
    if (!rolling_apply(world, chassis_id, wheels, rollings, count, dt)) {
        tni_check large = {TN_RESULT_NOT_FINITE, "The forces of the wheels are too large."};
        tni_world_accepts(world, large, function, chassis_id.value);
        return large.result;
    }
    return TN_RESULT_OK;
}

tn_result tn_ray_wheels_apply(tn_world *world, tn_body_id chassis_id, tn_ray_wheel *wheels,
                              uint32_t count, const tn_query_filter *filter, double dt) {
    if (world == NULL) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tn_result result = TN_RESULT_WORLD_LOCKED;
    if (tni_world_begin_change(world, __func__)) {
        result = rolling_run(world, chassis_id, wheels, count, filter, dt, __func__);
    }
    tni_world_end_change(world);
    return result;
}
