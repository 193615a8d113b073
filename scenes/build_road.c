// scenes/build_road.c: see build_road.h.
#include "scenes/build_road.h"
#include "scenes/build_car.h"
#include "scenes/build_terrain.h"
#include "scenes/portable.h"

#include <math.h>

#define ROAD_START  (-4.0) // m: where the road begins
#define ROAD_END    90.0
#define ROAD_HALF   6.0  // m: half of the road's width
#define ROAD_SWAY   1.2  // m: how far the line goes to either side
#define ROAD_PERIOD 40.0 // m of the line
#define ROAD_AHEAD  3.5  // m: how far ahead the driver looks

// From 0 to 1 between two places, without a kink.
static double road_rise(double x, double from, double to) {
    double t = fmin(1.0, fmax(0.0, (x - from) / (to - from)));
    return t * t * (3.0 - 2.0 * t);
}

static double road_get_height(double x, double z, const void *context) {
    const double *height = context;
    bool is_hill = x > 8.0 && x < 36.0;
    double hills = is_hill ? 0.3 * (1.0 - portable_cos(2.0 * BUILD_PI * (x - 8.0) / 14.0)) : 0.0;
    double bank = 0.2 * z * road_rise(x, 38.0, 43.0) * road_rise(x, 61.0, 56.0);
    double up = fmin(1.0, fmax(0.0, (x - 64.0) / 6.0));
    double down = fmin(1.0, fmax(0.0, (82.0 - x) / 6.0));
    return *height * (hills + bank + 0.8 * fmin(up, down));
}

double build_get_road_line(double x) {
    double begins = road_rise(x, 2.0, 10.0);
    return begins * ROAD_SWAY * portable_sin(2.0 * BUILD_PI * x / ROAD_PERIOD);
}

tn_body_id build_add_road(scene_run *run, double height, double cell) {
    build_terrain road = build_terrain_make();
    road.left = ROAD_START;
    road.right = ROAD_END;
    road.front = ROAD_HALF;
    road.back = -ROAD_HALF;
    road.columns = (uint32_t)((ROAD_END - ROAD_START) / cell);
    road.rows = (uint32_t)fmax(1.0, 2.0 * ROAD_HALF / cell);
    road.get_height = road_get_height;
    road.context = &height;
    road.material.friction = 0.9f;
    return build_add_terrain(run, &road);
}

// The circle through the rear axle's middle, along the car, and a point ahead on the line ("pure
// pursuit": R. C. Coulter, CMU-RI-TR-92-01, 1992).
double build_steer_along_road(const scene_run *run, tn_body_id chassis) {
    tn_vec3 rear = build_point(-0.5 * BUILD_CAR_BASE, 0.0, 0.0);
    tn_vec3 at = tn_body_get_world_point(run->world, chassis, rear);
    double x = at.x + ROAD_AHEAD;
    tn_vec3 ahead = build_point(x, at.y, build_get_road_line(x));
    tn_vec3 goal = tn_body_get_local_point(run->world, chassis, ahead);
    double forward = goal.x + 0.5 * BUILD_CAR_BASE;
    double bend = -2.0 * goal.z / (forward * forward + goal.z * goal.z);
    return portable_atan(BUILD_CAR_BASE * bend);
}
