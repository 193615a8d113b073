// The trebuchet of the benchmark, whose ball hangs free, against its equations of motion in three
// angles: a of the beam, from the pivot to the short tip, b of the counterweight from hanging
// straight down, c of the sling from the long tip to the ball. u(x) = (cos x, sin x):
//     short tip s u(a), beam's middle e u(a), long tip -l u(a),
//     weight s u(a) + d (sin b, -cos b), ball -l u(a) + r u(c).
// Lagrange's equations M q'' + h = Q of these, by Runge-Kutta at 1/12000 s.
// Symbols: W, w the counterweight's mass and moment of inertia, B, i the beam's, m the ball's.
#include "scenes/scene.h"

#include <criterion/criterion.h>
#include <math.h>

#define GRAVITY 9.81
#define STEPS   78  // the ball is fastest in the 75th
#define PARTS   200 // of a step, for the reference

#define SHORT_ARM 3.0
#define LONG_ARM  9.0
#define HANGER    2.0
#define SLING     6.0
#define WEIGHT    4000.0
#define BEAM      200.0
#define BALL      10.0

typedef struct angles {
    double a, b, c, da, db, dc;
} angles;

static angles add_scaled(angles x, double t, angles y) {
    return (angles){x.a + t * y.a,   x.b + t * y.b,   x.c + t * y.c,
                    x.da + t * y.da, x.db + t * y.db, x.dc + t * y.dc};
}

static angles get_rate(angles q) {
    const double s = SHORT_ARM, l = LONG_ARM, d = HANGER, r = SLING, e = 0.5 * (s - l);
    double edge = cbrt(WEIGHT / 2000.0);
    double w = WEIGHT * edge * edge / 6.0;
    double i = BEAM * ((s + l) * (s + l) + 0.3 * 0.3) / 12.0;
    double aa = i + BEAM * e * e + WEIGHT * s * s + BALL * l * l;
    double bb = w + WEIGHT * d * d, cc = BALL * r * r;
    double ab = WEIGHT * s * d * sin(q.b - q.a), ac = -BALL * l * r * cos(q.a - q.c);
    double lever = BEAM * e + WEIGHT * s - BALL * l;
    double fa = -GRAVITY * lever * cos(q.a) - WEIGHT * s * d * q.db * q.db * cos(q.a - q.b) -
                BALL * l * r * q.dc * q.dc * sin(q.c - q.a);
    double fb = -GRAVITY * WEIGHT * d * sin(q.b) + WEIGHT * s * d * q.da * q.da * cos(q.a - q.b);
    double fc = -GRAVITY * BALL * r * cos(q.c) - BALL * l * r * q.da * q.da * sin(q.a - q.c);
    double dda = (fa - ab * fb / bb - ac * fc / cc) / (aa - ab * ab / bb - ac * ac / cc);
    return (angles){q.da, q.db, q.dc, dda, (fb - ab * dda) / bb, (fc - ac * dda) / cc};
}

static angles advance(angles q, double h) {
    angles k1 = get_rate(q);
    angles k2 = get_rate(add_scaled(q, 0.5 * h, k1));
    angles k3 = get_rate(add_scaled(q, 0.5 * h, k2));
    angles k4 = get_rate(add_scaled(q, h, k3));
    q = add_scaled(q, h / 6.0, k1);
    q = add_scaled(q, h / 3.0, k2);
    q = add_scaled(q, h / 3.0, k3);
    return add_scaled(q, h / 6.0, k4);
}

static double get_ball_speed(angles q) {
    double x = LONG_ARM * q.da * sin(q.a) - SLING * q.dc * sin(q.c);
    double y = -LONG_ARM * q.da * cos(q.a) + SLING * q.dc * cos(q.c);
    return sqrt(x * x + y * y);
}

// The speeds after each step.
static void get_reference(angles q, double *speeds) {
    for (int k = 0; k < STEPS; ++k) {
        for (int part = 0; part < PARTS; ++part) {
            q = advance(q, 1.0 / (60.0 * PARTS));
        }
        speeds[k] = get_ball_speed(q);
    }
}

static scene_run *make_run(void) {
    const scene *found = scene_find("trebuchet");
    double values[SCENE_MAX_OPTIONS];
    const scene_choice choices[] = {{"trough", 0.0}, {"release", -60.0}};
    cr_assert(scene_get_values(found, choices, 2, values));
    return scene_run_create(found, values, NULL);
}

static angles get_start(const scene_run *run) {
    tn_vec3 ball = tn_body_get_center(run->world, scene_run_find_body(run, "ball"));
    angles q = {.a = asin(5.4 / LONG_ARM)};
    q.c = atan2(ball.y - 6.0 + LONG_ARM * sin(q.a), ball.x + LONG_ARM * cos(q.a));
    return q;
}

// A top speed told to 10 mm/s is right. Measured: 88.9126 of 88.9165 m/s; 15 mm/s off at most on
// the way, where the sling comes around and the ball gains 400 m/s in a second.
Test(trebuchet, ball_is_as_fast_as_the_equations_of_motion_say) {
    scene_run *run = make_run();
    cr_assert_not_null(run);
    double wanted[STEPS], top = 0.0, wanted_top = 0.0, off = 0.0, gap = 0.0;
    get_reference(get_start(run), wanted);
    tn_body_id ball = scene_run_find_body(run, "ball");
    for (int k = 0; k < STEPS; ++k) {
        cr_assert_eq(scene_run_step(run, 1.0 / 60.0, 4), TN_RESULT_OK);
        tn_vec3 v = tn_body_get_velocity(run->world, ball).linear;
        double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        top = fmax(top, speed);
        wanted_top = fmax(wanted_top, wanted[k]);
        off = fmax(off, fabs(speed - wanted[k]));
        gap = fmax(gap, (double)tn_world_get_telemetry(run->world).worst_joint_linear);
    }
    cr_expect(fabs(top - wanted_top) < 5e-3, "%.6g of %.6g m/s", top, wanted_top);
    cr_expect(off < 2e-2, "%g m/s", off);
    cr_expect(gap < 1e-6, "%g m", gap);
    scene_run_destroy(run);
}
