// scenes/clock.c: a pendulum clock: a weight on a drum, a train of wheels, Graham's escapement.
//
// The weight unwinds the drum, whose wheel drives a pinion with a wheel that drives the pinion of
// the escape wheel. That goes on by half a tooth for each swing of the pendulum and pushes it on by
// as much as the air takes. What the weight brings in a beat, for 36 turns of the escape wheel for
// one of the drum and z teeth, is
//     m g r (pi / z) / 36,
// of which the drop gives a part to the wheel's fall. The pendulum loses pi c w A^2 / 2 in a beat,
// by which its amplitude A settles. Its free period at A is 2 pi / (w agm(1, cos(A / 2))), w its
// frequency at small swings (C. F. Gauss). An impulse t / I from x_1 before the middle to x_2 after
// it makes that longer by t (x_2^2 - x_1^2) / (2 pi I A^3 w^2) (G. B. Airy, "On the disturbances of
// pendulums and balances", 1827).
#include "scenes/build_wheel.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define CLOCK_MODULE 0.002 // m of the train
#define CLOCK_WHEEL  60
#define CLOCK_PINION 10
#define CLOCK_TEETH  30   // of the escape wheel
#define CLOCK_DRUM   0.02 // m, its radius
#define CLOCK_ESCAPE 0.08 // m: of the escape wheel below the pendulum's hinge
#define CLOCK_LENGTH 0.25 // m of the pendulum
#define CLOCK_LATER  20.0 // s: the weight and the swings are measured from then on

static const scene_option clock_options[] = {
    {"weight", 0.45, 0, 100, "kg"},
    {"bob", 1, 0.01, 100, "kg of the pendulum"},
    {"friction", 0.004, 0, 1, "N m s/rad at the pendulum's hinge"},
    {"angle", 4.5, -30, 30, "degrees of the pendulum, at the start"},
};

typedef struct clock_state {
    tn_body_id weight, pendulum;
    tn_joint_id escapement;
    double before;      // rad: the pendulum's angle a step ago
    double first, last; // s: of the passages upward
    double top;         // m: of the weight at the first of them
    double fallen;      // m: from there to the last
    double amplitudes;  // rad: their sum
    int passages, swings;
} clock_state;

static tn_vec3 clock_get_place(int arbor) {
    double apart = 0.5 * CLOCK_MODULE * (CLOCK_WHEEL + CLOCK_PINION);
    tn_vec3 places[3] = {build_point(apart, -CLOCK_ESCAPE - apart, 0.0),
                         build_point(apart, -CLOCK_ESCAPE, 0.0),
                         build_point(0.0, -CLOCK_ESCAPE, 0.0)};
    return places[arbor];
}

// A wheel of thin brass with a pinion, or the drum, in front of it.
static tn_body_id clock_add_arbor(scene_run *run, int arbor, int teeth, double module,
                                  double radius, const char *name) {
    tn_vec3 place = clock_get_place(arbor);
    build_part part = build_part_at(place.x, place.y, -0.01 * arbor);
    build_teeth of_wheel = {teeth, module, 0.002};
    tn_body_id body = build_wheel(run, &part, &of_wheel), world = {0};
    part.filter.mask = 0;
    build_add_disc(run, body, &part, build_point(0.0, 0.0, 0.005), radius, 0.006);
    place.z = part.pose.position.z;
    build_hinge(run, world, body, place, build_axis_z());
    scene_run_name_body(run, body, "%s", name);
    return body;
}

static tn_body_id clock_add_pendulum(scene_run *run) {
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    build_part part = build_part_turned(0.0, 0.0, angle);
    part.filter.mask = 0;
    part.density = 100.0;
    tn_body_id body = build_body(run, &part), world = {0};
    build_add_box(run, body, &part, build_point(0.0, -0.5 * CLOCK_LENGTH, 0.02),
                  build_point(0.006, CLOCK_LENGTH, 0.004));
    // The anchor's arms, a third of the wheel apart.
    build_add_bar(run, body, &part, build_point(0.0, 0.0, 0.01), build_point(0.03, -0.06, 0.01),
                  0.004);
    build_add_bar(run, body, &part, build_point(0.0, 0.0, 0.01), build_point(-0.03, -0.06, 0.01),
                  0.004);
    double radius = 0.04, thickness = 0.02;
    part.density = scene_run_get_value(run, "bob") / (BUILD_PI * radius * radius * thickness);
    build_add_disc(run, body, &part, build_point(0.0, -CLOCK_LENGTH, 0.02), radius, thickness);
    tn_joint_id hinge = build_hinge(run, world, body, build_point(0.0, 0.0, 0.0), build_axis_z());
    tn_hinge_joint_set_viscous_friction(run->world, hinge,
                                        (float)scene_run_get_value(run, "friction"));
    scene_run_name_body(run, body, "pendulum");
    return body;
}

// On a line that unwinds from the drum.
static tn_body_id clock_add_weight(scene_run *run, tn_body_id drum) {
    tn_vec3 axis = clock_get_place(0), side = axis;
    side.x += CLOCK_DRUM;
    build_part part = build_part_at(side.x, axis.y - 0.12, 0.0);
    part.mass = scene_run_get_value(run, "weight");
    part.filter.mask = 0;
    tn_body_id weight = build_box(run, &part, 0.03, 0.06, 0.03), world = {0};
    scene_run_name_body(run, weight, "weight");
    build_slider(run, world, weight, part.pose.position, build_axis_y());
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    tn_joint_def of_a = tn_joint_def_default(), of_b = of_a;
    run->has_failed |=
        !tn_joint_def_set_frames(run->world, &of_a, drum, world, axis, build_axis_z());
    run->has_failed |= !tn_joint_def_set_frames(run->world, &of_b, weight, world,
                                                part.pose.position, build_axis_y());
    def.base.body_a = drum;
    def.base.body_b = weight;
    def.base.frame_a = of_a.frame_a;
    def.base.frame_b = of_b.frame_a;
    def.radius = CLOCK_DRUM;
    run->has_failed |= tn_rack_pinion_joint_create(run->world, &def).value == 0;
    return weight;
}

// The drum turns clockwise under the weight, the arbor after it the other way, and the escape wheel
// as the drum.
static tn_joint_id clock_add_escapement(scene_run *run, tn_body_id wheel, tn_body_id pendulum) {
    tn_escapement_joint_def def = tn_escapement_joint_def_default();
    double quarter = 0.70710678118654752;
    tn_pose about_z = {.rotation = {0.0, -quarter, 0.0, quarter}};
    tn_pose down = {.rotation = {quarter, 0.0, quarter, 0.0}}; // x along z, y down
    def.base.body_a = wheel;
    def.base.body_b = pendulum;
    def.base.frame_a = about_z;
    def.base.frame_b = down;
    def.teeth = CLOCK_TEETH;
    def.direction = -1;
    tn_joint_id joint = tn_escapement_joint_create(run->world, &def);
    scene_run_name_joint(run, joint, "escapement");
    return joint;
}

static bool clock_build(scene_run *run) {
    clock_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id drum = clock_add_arbor(run, 0, CLOCK_WHEEL, CLOCK_MODULE, CLOCK_DRUM, "great wheel");
    tn_body_id middle = clock_add_arbor(run, 1, CLOCK_WHEEL, CLOCK_MODULE,
                                        0.5 * CLOCK_MODULE * CLOCK_PINION, "second wheel");
    tn_body_id escape = clock_add_arbor(run, 2, CLOCK_TEETH, 0.0018,
                                        0.5 * CLOCK_MODULE * CLOCK_PINION, "escape wheel");
    build_gear(run, drum, middle, CLOCK_WHEEL, CLOCK_PINION);
    build_gear(run, middle, escape, CLOCK_WHEEL, CLOCK_PINION);
    state->weight = clock_add_weight(run, drum);
    state->pendulum = clock_add_pendulum(run);
    state->escapement = clock_add_escapement(run, escape, state->pendulum);
    state->before = tn_escapement_joint_get_angle(run->world, state->escapement);
    return state->escapement.value != 0;
}

// ---- keeping time ------------------------------------------------------------------------------

// Of small swings, rad/s.
static double clock_get_frequency(scene_run *run) {
    const clock_state *state = run->state;
    tn_mass mass = tn_body_get_mass(run->world, state->pendulum);
    double arm = mass.center.y;
    return sqrt(-mass.mass * BUILD_GRAVITY * arm / (mass.inertia.zz + mass.mass * arm * arm));
}

static double clock_get_inertia(scene_run *run) {
    const clock_state *state = run->state;
    tn_mass mass = tn_body_get_mass(run->world, state->pendulum);
    return mass.inertia.zz + mass.mass * mass.center.y * mass.center.y;
}

// The swing that the pendulum's energy now is that of, rad.
static double clock_get_amplitude(scene_run *run) {
    const clock_state *state = run->state;
    double angle = tn_escapement_joint_get_angle(run->world, state->escapement);
    double speed = tn_escapement_joint_get_speed(run->world, state->escapement);
    double sine = portable_sin(0.5 * angle), share = 0.5 * speed / clock_get_frequency(run);
    return 2.0 * portable_asin(sqrt(sine * sine + share * share));
}

static double clock_get_period(double frequency, double amplitude) {
    double a = 1.0, g = portable_cos(0.5 * amplitude);
    for (int i = 0; i < 6; i++) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    return 2.0 * BUILD_PI / (frequency * a);
}

// What Airy's formula says that it gains, of 1.
static double clock_get_airy(scene_run *run, double frequency, double amplitude) {
    const clock_state *state = run->state;
    tn_escapement_joint_def def = tn_escapement_joint_get_def(run->world, state->escapement);
    double train = (double)(CLOCK_WHEEL * CLOCK_WHEEL) / (CLOCK_PINION * CLOCK_PINION);
    double torque = scene_run_get_value(run, "weight") * BUILD_GRAVITY * CLOCK_DRUM / train;
    double push = torque * (BUILD_PI / CLOCK_TEETH - def.drop_angle) / def.lift_angle;
    double begin = 0.5 * (def.lift_angle - def.lock_angle);
    double end = 0.5 * (def.lift_angle + def.lock_angle);
    double cube = amplitude * amplitude * amplitude;
    return -push * (end * end - begin * begin) /
           (2.0 * BUILD_PI * clock_get_inertia(run) * cube * frequency * frequency);
}

static void clock_note_passage(scene_run *run, double time) {
    clock_state *state = run->state;
    double height = tn_body_get_center(run->world, state->weight).y;
    if (state->passages == 0) {
        state->first = time;
        state->top = height;
    }
    state->passages += 1;
    state->last = time;
    state->fallen = state->top - height;
}

static void clock_after_step(scene_run *run, double dt) {
    clock_state *state = run->state;
    double now = tn_escapement_joint_get_angle(run->world, state->escapement);
    double time = tn_world_get_time(run->world), before = state->before;
    state->before = now;
    if (time < CLOCK_LATER) {
        return;
    }
    if (before < 0.0 && now >= 0.0) {
        clock_note_passage(run, time - dt * now / (now - before));
    }
    // Once in a swing, away from the impulse.
    if (state->passages > 0 && fabs(before) < 0.035 && fabs(now) >= 0.035) {
        state->amplitudes += clock_get_amplitude(run);
        state->swings += 1;
    }
}

static void clock_measure(scene_run *run) {
    const clock_state *state = run->state;
    scene_run_add_figure(run, "beats",
                         (double)tn_escapement_joint_get_beats(run->world, state->escapement));
    if (state->passages < 2 || state->swings == 0) {
        return;
    }
    int periods = state->passages - 1;
    double amplitude = state->amplitudes / state->swings, frequency = clock_get_frequency(run);
    double period = (state->last - state->first) / periods;
    double free_period = clock_get_period(frequency, amplitude);
    double weight = scene_run_get_value(run, "weight") * BUILD_GRAVITY;
    double rate = amplitude * frequency;
    scene_run_add_figure(run, "amplitude_deg", amplitude * 180.0 / BUILD_PI);
    scene_run_add_figure(run, "period_s", period);
    scene_run_add_figure(run, "free_period_s", free_period);
    scene_run_add_figure(run, "gains_s_per_day", 86400.0 * (free_period / period - 1.0));
    scene_run_add_figure(run, "airy_s_per_day",
                         86400.0 * clock_get_airy(run, frequency, amplitude));
    scene_run_add_figure(run, "weight_J_per_beat", weight * state->fallen / (2.0 * periods));
    scene_run_add_figure(run, "friction_J_per_beat",
                         0.5 * BUILD_PI * scene_run_get_value(run, "friction") * rate * rate /
                             frequency);
    scene_run_add_figure(run, "pendulum_J", 0.5 * clock_get_inertia(run) * rate * rate);
}

const scene scene_clock = {
    .name = "clock",
    .summary = "a pendulum clock with a weight, a train of wheels and Graham's escapement",
    .time = 60.0,
    .options = clock_options,
    .option_count = 4,
    .build = clock_build,
    .after_step = clock_after_step,
    .measure = clock_measure,
};
