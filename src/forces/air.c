// forces/air.c: drag in still air or wind.
//
// With u the speed of the air past a point of drag area A:
//
//     F = 1/2 rho C A |u| u      dF/dv = -1/2 rho C A (|u| 1 + u u^T / |u|)
//
// (L. Landau, E. Lifshitz, "Fluid mechanics", 1987, section 45, for the coefficient.) The wind is
// its mean plus gusts, sines in time.
// Test: tests/forces/test_force_kinds.c
#include "forces/force.h"

// rad: the sines get angles within one whole turn.
#define AIR_TURN (2.0 * MATHS_PI)

static tni_dvec3 air_get_wind(const tn_force_air *air, double time) {
    tni_dvec3 wind = dvec3_from_plain(air->wind);
    for (uint32_t i = 0; i < air->gust_count; ++i) {
        const tn_gust *gust = &air->gusts[i];
        double turns = gust->hertz * time + gust->phase / AIR_TURN;
        double sine = tni_maths_sin(AIR_TURN * (turns - floor(turns)));
        wind = dvec3_add_scaled(wind, sine, dvec3_from_plain(gust->amplitude));
    }
    return wind;
}

void tni_force_air(const tn_force_input *input, tn_force_output *out, void *own) {
    const tn_force_air *air = &((const tni_force *)own)->air;
    tni_dvec3 wind = air_get_wind(air, input->time);
    for (uint32_t i = 0; i < input->connector_count; ++i) {
        const tn_connector_state *at = &input->connectors[i];
        tni_dvec3 u = dvec3_sub(wind, dvec3_from_plain(at->velocity));
        double speed = dvec3_length(u);
        double factor = 0.5 * air->density * air->coefficient * at->amount * speed;
        out->force[i] = dvec3_to_plain(dvec3_scale(u, factor));
        if (speed > 0.0) {
            tn_force_slope *slope =
                tn_force_output_add_slope(out, TN_FORCE_AGAINST_WORLD, i, false);
            tni_dvec3 d = dvec3_scale(u, 1.0 / speed);
            force_add_about(slope->by_velocity, d, -factor, -2.0 * factor);
        }
    }
}
