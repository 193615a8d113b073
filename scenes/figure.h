// scenes/figure.h: figures that many scenes measure, from the poses of bodies.
#ifndef SCENES_FIGURE_H
#define SCENES_FIGURE_H

#include "scenes/scene.h"

// m: the largest distance of two anchors of a joint, the excess over a rod's or rope's length, or
// of what slides the distance from its axis or plane; of all joints now.
double figure_get_joint_gap(const scene_run *run);
// Where a joint's frame b is now.
tn_vec3 figure_get_joint_place(const tn_world *world, tn_joint_id joint);
// m: how far the dynamic body that moved most is from where it began, and the one that sank most.
double figure_get_drift(const scene_run *run);
double figure_get_sink(const scene_run *run);
// Adds drift_max_m, sink_max_m, and stands: 1 when no body is `distance` or more from its start.
void figure_add_stability(scene_run *run, double distance);
// How many dynamic bodies have their centre below a height, m.
uint32_t figure_count_below(const scene_run *run, double height);
// The same below a ground whose height, m, is a function of the place.
uint32_t figure_count_under(const scene_run *run,
                            double (*get_height)(double x, double z, const void *context),
                            const void *context);

// Energy of the world: kinetic, potential and of springs, J.
double figure_get_energy(const scene_run *run);

// The exact period, s, of a pendulum of this reduced length (m) and amplitude (rad):
// T = 2 pi sqrt(L/g) / agm(1, cos(amplitude / 2)).
double figure_get_pendulum_period(double length, double amplitude);
// The complete elliptic integral of the first kind K(k), by the
// arithmetic-geometric mean.
double figure_get_elliptic_k(double modulus);

// The period of something that swings: fed with a value after every step, it times the rising
// passages through zero.
typedef struct figure_period {
    double value, time; // of the last step
    double first, last; // s: the first and the latest passage
    uint32_t passages;
} figure_period;
void figure_period_add(figure_period *period, double time, double value);
// s; 0 before two passages.
double figure_period_get(const figure_period *period);

// A throw: when it was released, how fast, and where it came down.
typedef struct figure_flight {
    bool is_released, has_landed;
    double release_time, release_speed, release_elevation; // s, m/s, rad
    double apex, landing_x, landing_time;                  // m, m, s
    tn_vec3 previous;
} figure_flight;
void figure_flight_release(figure_flight *flight, const scene_run *run, tn_body_id body);
// After every step; the flight ends when the body's centre comes below `height`.
void figure_flight_add(figure_flight *flight, const scene_run *run, tn_body_id body, double height);
// Adds release_time_s, release_speed, release_elevation_deg, apex_m and, once landed,
// flight_time_s.
void figure_flight_measure(const figure_flight *flight, scene_run *run);

// Of bodies that are affine: elastic energy (J); and the world's energy, how deep shapes are in
// each other at the end, and bodies below the ground.
void figure_add_affine(scene_run *run, const tn_reduced_id *bodies, int count);

#endif
