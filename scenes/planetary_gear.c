// scenes/planetary_gear.c: a sun that is driven, three planets on a carrier, and a ring that
// stands.
//
// With the teeth z of sun and ring the carrier turns z_s / (z_s + z_r) times as fast as the sun (R.
// Willis), against a load. Each planet meshes twice, with nothing but the two wheels in each gear
// joint. Three planets do what one would do: two of the six gears say what the others say.
#include "scenes/build_wheel.h"
#include "scenes/registry.h"

#define PLANETARY_SUN    24
#define PLANETARY_PLANET 18
#define PLANETARY_RING   60
#define PLANETARY_COUNT  3
#define PLANETARY_MODULE (1.0 / 30.0) // m

static const scene_option planetary_options[] = {
    {"speed", 3, -100, 100, "rad/s of the sun"},
    {"load", 20, 0, 1000, "N m of friction at the carrier"},
};

typedef struct planetary_state {
    tn_joint_id sun, carrier;
    tn_joint_id first; // gear of sun and first planet
    tn_body_id planets[PLANETARY_COUNT];
} planetary_state;

static build_teeth planetary_teeth(int count) {
    build_teeth teeth = {count, PLANETARY_MODULE, 0.1};
    return teeth;
}

static double planetary_get_angle(int planet) {
    return 2.0 * BUILD_PI * planet / PLANETARY_COUNT + 0.5 * BUILD_PI;
}

static tn_vec3 planetary_get_place(int planet) {
    double out = 0.5 * PLANETARY_MODULE * (PLANETARY_SUN + PLANETARY_PLANET);
    static const double across[PLANETARY_COUNT] = {0.0, -0.86602540378443865, 0.86602540378443865};
    static const double up[PLANETARY_COUNT] = {1.0, -0.5, -0.5};
    return build_point(out * across[planet], out * up[planet], 0.0);
}

// A gap of the planet faces the tooth of the sun on the line to it.
static tn_body_id planetary_add_planet(scene_run *run, int planet) {
    tn_vec3 place = planetary_get_place(planet);
    double turned = planetary_get_angle(planet) + BUILD_PI + BUILD_PI / PLANETARY_PLANET;
    build_part part = build_part_turned(place.x, place.y, turned);
    build_teeth teeth = planetary_teeth(PLANETARY_PLANET);
    tn_body_id body = build_wheel(run, &part, &teeth);
    scene_run_name_body(run, body, "planet %d", planet);
    return body;
}

static tn_body_id planetary_add_carrier(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.filter.mask = 0;
    tn_body_id body = build_body(run, &part);
    for (int i = 0; i < PLANETARY_COUNT; i++) {
        tn_vec3 place = planetary_get_place(i);
        build_add_bar(run, body, &part, build_point(0.0, 0.0, 0.1),
                      build_point(place.x, place.y, 0.1), 0.06);
    }
    scene_run_name_body(run, body, "carrier");
    return body;
}

static bool planetary_build(scene_run *run) {
    planetary_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 middle = build_point(0.0, 0.0, 0.0);
    tn_body_id world = {0};
    build_part part = build_part_turned(0.0, 0.0, 0.5 * BUILD_PI);
    build_teeth of_sun = planetary_teeth(PLANETARY_SUN), of_ring = planetary_teeth(PLANETARY_RING);
    tn_body_id sun = build_wheel(run, &part, &of_sun);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id ring = build_ring(run, &part, &of_ring);
    tn_body_id carrier = planetary_add_carrier(run);
    state->sun = build_hinge(run, world, sun, middle, build_axis_z());
    state->carrier = build_hinge(run, world, carrier, middle, build_axis_z());
    build_hinge_speed(run, state->sun, scene_run_get_value(run, "speed"), 1e6);
    tn_hinge_joint_set_friction(run->world, state->carrier,
                                (float)scene_run_get_value(run, "load"));
    for (int i = 0; i < PLANETARY_COUNT; i++) {
        state->planets[i] = planetary_add_planet(run, i);
        build_hinge(run, carrier, state->planets[i], planetary_get_place(i), build_axis_z());
        tn_joint_id gear = build_gear(run, sun, state->planets[i], PLANETARY_SUN, PLANETARY_PLANET);
        build_gear(run, state->planets[i], ring, PLANETARY_PLANET, -PLANETARY_RING);
        state->first = i == 0 ? gear : state->first;
    }
    scene_run_name_body(run, sun, "sun");
    scene_run_name_body(run, ring, "ring");
    return true;
}

static void planetary_measure(scene_run *run) {
    const planetary_state *state = run->state;
    double sun = tn_hinge_joint_get_speed(run->world, state->sun);
    double carrier = tn_hinge_joint_get_speed(run->world, state->carrier);
    scene_run_add_figure(run, "sun_rad_s", sun);
    scene_run_add_figure(run, "carrier_rad_s", carrier);
    scene_run_add_figure(run, "exact_rad_s",
                         sun * PLANETARY_SUN / (double)(PLANETARY_SUN + PLANETARY_RING));
    scene_run_add_figure(run, "motor_Nm",
                         (double)tn_joint_get_motor_effort(run->world, state->sun));
    scene_run_add_figure(run, "phase_error_rad",
                         tn_gear_joint_get_phase_error(run->world, state->first));
}

const scene scene_planetary_gear = {
    .name = "planetary_gear",
    .summary = "a planetary gear of three planets, driven by its sun against a load",
    .time = 3.0,
    .options = planetary_options,
    .option_count = 2,
    .build = planetary_build,
    .measure = planetary_measure,
};
