// world/vehicle/ray_wheel_solve.c: the impulses of the wheels of a chassis, found together.
//
// With s the spring's compression, k its stiffness, c its damping, and u the speed at which it is
// compressed, before the step u0 and after it u1, the spring pushes with the force in mid step (the
// implicit midpoint rule, which neither damps nor feeds a bounce):
//     F = k (s + dt/2 u) + c u,    u = (u0 + u1)/2,    u1 = u1' - K P,    P = dt F >= 0,
// where u1' is what the other wheels, gravity and all else leave and K how P slows it, by the
// chassis and by the ground. So
//     P = dt (k s + q (u0 + u1')/2) / (1 + dt q K/2),    q = c + k dt/2.
//
// The tyre wants no speed of its rim past the ground at the end of the step: v_left = 0 and
// v_forward = r w, with at most friction times the load in both together. The wheel spins with
//     I w = I w0 + dt (drive - brake) - r P_forward;
// a brake that need not give all it has holds w at 0.
//
// All wheels are solved at once, each with its share of the chassis' mass, and the sum moves the
// chassis (mass splitting: R. Tonge, F. Benevolenski, A. Voroshilov, "Mass Splitting for
// Jitter-Free Parallel Rigid Body Simulation", ACM TOG 31(4), 2012). So no wheel comes first, and
// left and right stay alike.
// Test: tests/world/vehicle/test_ray_wheel.c
#include "world/vehicle/ray_wheel_internal.h"

// Rounds after which a car's wheels agree to about 1e-6 of their impulses. In the first of them the
// springs alone come to agree: tyres would hold against what a wheel alone does to the chassis, and
// be left pulling against each other.
#define ROLLING_ROUNDS       60u
#define ROLLING_FIRST_ROUNDS 20u

static double grip_get_speed(const tni_chassis *chassis, const tni_grip *grip) {
    return dvec3_dot(chassis->velocity, grip->direction) +
           dvec3_dot(chassis->angular_velocity, grip->arm_cross) - grip->ground_speed;
}

static void grip_push(tni_chassis *chassis, const tni_grip *grip, double impulse) {
    chassis->velocity = dvec3_add_scaled(chassis->velocity, impulse, grip->linear);
    chassis->angular_velocity = dvec3_add_scaled(chassis->angular_velocity, impulse, grip->angular);
}

// Returns the impulse that a wheel's spring gives if the others give theirs; the wheel has one part
// in `share` of the chassis' mass.
static double rolling_solve_spring(const tn_ray_wheel *wheel, const tni_rolling *rolling,
                                   const tni_chassis *chassis, double share, double dt) {
    const tni_grip *grip = &rolling->spring;
    double k = (double)wheel->stiffness, q = (double)wheel->damping + 0.5 * dt * k;
    double response = share * grip->response;
    double after = -grip_get_speed(chassis, grip) + response * grip->impulse;
    double push = k * rolling->compression + 0.5 * q * (rolling->closing + after);
    double yields = response + grip->ground_response;
    return maths_max_d(dt * push / (1.0 + 0.5 * dt * q * yields), 0.0);
}

// Shortens the pair to a length.
static void rolling_clamp(double most, double *x, double *y) {
    double length = sqrt(*x * *x + *y * *y);
    if (length > most) {
        double scale = length > 0.0 ? most / length : 0.0;
        *x *= scale;
        *y *= scale;
    }
}

// Finds the grip of a wheel that holds to `most`, and its spin.
static void rolling_solve_grip(const tn_ray_wheel *wheel, tni_rolling *rolling,
                               const tni_chassis *chassis, double share, double dt, double most,
                               double *out_forward, double *out_left) {
    const tni_grip *forward = &rolling->forward, *left = &rolling->left;
    double radius = (double)wheel->radius, inertia = (double)wheel->inertia;
    double k_left = share * left->response + left->ground_response;
    double k_forward = share * forward->response + forward->ground_response;
    double v_left = grip_get_speed(chassis, left) - share * left->response * left->impulse;
    double v_forward = grip_get_speed(chassis, forward);
    v_forward -= share * forward->response * forward->impulse;

    // Held by the brake, if it can.
    double p_left = -v_left * maths_inverse_or_zero_d(k_left);
    double p = -v_forward * maths_inverse_or_zero_d(k_forward), p_aside = p_left;
    rolling_clamp(most, &p, &p_aside);
    double brake = radius * p - inertia * rolling->spin_free;
    double cap = (double)wheel->brake_torque * dt;
    rolling->spin = 0.0;
    if (!(fabs(brake) <= cap)) { // rolling, braked with all that the brake has
        brake = brake > 0.0 ? cap : -cap;
        double spin = rolling->spin_free + brake / inertia;
        p = (radius * spin - v_forward) / (k_forward + radius * radius / inertia);
        p_aside = p_left;
        rolling_clamp(most, &p, &p_aside);
        rolling->spin = spin - radius * p / inertia;
    }
    *out_forward = p;
    *out_left = p_aside;
}

static void rolling_spin_in_air(const tn_ray_wheel *wheel, tni_rolling *rolling, double dt) {
    double loss = (double)wheel->brake_torque * dt / (double)wheel->inertia;
    double spin = rolling->spin_free;
    rolling->spin = fabs(spin) <= loss ? 0.0 : spin > 0.0 ? spin - loss : spin + loss;
}

void tni_rollings_solve(const tn_ray_wheel *wheels, tni_rolling *rollings, uint32_t count,
                        tni_chassis *chassis, double dt) {
    double share = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        share += rollings[i].is_touching ? 1.0 : 0.0;
        rolling_spin_in_air(&wheels[i], &rollings[i], dt);
    }
    for (uint32_t round = 0; round < ROLLING_ROUNDS; ++round) {
        const tni_chassis before = *chassis;
        for (uint32_t i = 0; i < count; ++i) {
            tni_rolling *rolling = &rollings[i];
            if (!rolling->is_touching) {
                continue;
            }
            tni_chassis own = before;
            double load = rolling_solve_spring(&wheels[i], rolling, &own, share, dt);
            grip_push(&own, &rolling->spring, share * (load - rolling->spring.impulse));
            grip_push(chassis, &rolling->spring, load - rolling->spring.impulse);
            rolling->spring.impulse = load;
            if (round < ROLLING_FIRST_ROUNDS) {
                continue;
            }
            double most = (double)wheels[i].friction * load / rolling->cosine, forward, left;
            rolling_solve_grip(&wheels[i], rolling, &own, share, dt, most, &forward, &left);
            grip_push(chassis, &rolling->forward, forward - rolling->forward.impulse);
            grip_push(chassis, &rolling->left, left - rolling->left.impulse);
            rolling->forward.impulse = forward;
            rolling->left.impulse = left;
        }
    }
}
