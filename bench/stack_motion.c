// bench/stack_motion.c: motion through contacts that stay active: their order in the step shows.
#include "bench/stack_families.h"
#include "bench/stack_watch.h"
#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double motion_get_figure(const scene_run *run, const char *name) {
    for (uint32_t i = 0; i < run->figure_count; i++) {
        if (strcmp(run->figures[i].name, name) == 0) {
            return run->figures[i].value;
        }
    }
    return NAN;
}

// A scene's figure after a run with three options chosen; NAN when there is none.
static double motion_run_scene(const char *name, const scene_choice *choices, double seconds,
                               double hz, const char *figure) {
    double values[SCENE_MAX_OPTIONS];
    const scene *item = scene_find(name);
    if (item == NULL || !scene_get_values(item, choices, 3, values)) {
        return NAN;
    }
    scene_run *run = scene_run_create(item, values, NULL);
    if (run == NULL) {
        return NAN;
    }
    uint32_t steps = quality_count_steps(seconds, hz);
    for (uint32_t i = 0; i < steps; i++) {
        scene_run_step(run, 1.0 / hz, 4);
    }
    scene_run_measure(run);
    double value = motion_get_figure(run, figure);
    scene_run_destroy(run);
    return value;
}

#define MOTION_DOMINOES 24

typedef struct motion_row {
    double thickness, spacing; // m; the height is 1 m
} motion_row;

// The mean speed of the front, where a domino tilts by 0.1 rad, from the 8th to the 18th domino; in
// sqrt(g h). NAN when it does not come that far.
static double motion_run_row(motion_row row, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    quality_shape domino = {QUALITY_BOX, {0.5 * row.thickness, 0.5, 0.25}};
    tn_body_id bodies[MOTION_DOMINOES];
    for (int i = 0; i < MOTION_DOMINOES; i++) {
        tn_body_def def = quality_body_at(row.spacing * i, 0.5, 0.0);
        if (i == 0) { // beyond the balance, on its edge
            double diagonal = 0.5 * hypot(row.thickness, 1.0);
            def = quality_body_at(0.5 * row.thickness + diagonal * sin(0.02), diagonal * cos(0.02),
                                  0.0);
            quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), -atan(row.thickness) - 0.02);
        }
        bodies[i] = quality_body_create(world, &def, &material, &domino);
    }
    double tilts[2] = {0}, times[2] = {NAN, NAN};
    static const int watched[] = {7, 17};
    for (int i = 0; i < 8.0 * hz && isnan(times[1]); i++) {
        tn_world_step(world, 1.0 / hz, 4);
        for (int k = 0; k < 2; k++) {
            tn_vec3 up =
                tn_body_get_world_vector(world, bodies[watched[k]], quality_vector(0.0, 1.0, 0.0));
            double tilt = atan2(up.x, up.y);
            if (isnan(times[k]) && tilt > 0.1) {
                times[k] = (i + (0.1 - tilts[k]) / (tilt - tilts[k])) / hz;
            }
            tilts[k] = tilt;
        }
    }
    tn_world_destroy(world);
    return 10.0 * row.spacing / (times[1] - times[0]) / sqrt(QUALITY_GRAVITY);
}

// The speed of the front at 30 to 240 Hz beside that at 1,920 Hz.
void stack_motion_run_dominoes(quality *report) {
    static const motion_row rows[] = {{0.15, 0.5}, {0.1, 0.4}, {0.2, 0.6}, {0.1, 0.6}};
    static const double rates[] = {60.0, 30.0, 240.0};
    for (uint32_t i = 0; i < 4; i++) {
        double fine = motion_run_row(rows[i], 1920.0);
        for (uint32_t k = 0; k < 3; k++) {
            double speed = motion_run_row(rows[i], rates[k]);
            double off = fabs(speed / fine - 1.0);
            quality_report(report, off < 0.02, off,
                           "%g m thick, %g m apart, %g Hz: %.4f sqrt(g h), fine steps %.4f",
                           rows[i].thickness, rows[i].spacing, rates[k], speed, fine);
        }
    }
}

typedef struct motion_energy {
    double first, off, largest; // J
} motion_energy;

static void motion_add_energy(motion_energy *energy, const tn_world *world, double sunk) {
    tn_energy now = tn_world_get_energy(world);
    double total = now.kinetic + now.potential + sunk;
    if (energy->largest == 0.0) {
        energy->first = total;
    }
    energy->off = fmax(energy->off, fabs(total - energy->first));
    energy->largest = fmax(energy->largest, now.kinetic);
}

// A ladder without friction slides down a wall, leaves it and falls; while it leans by more than
// 0.25 rad its energy is kept, within 0.1 % of the largest kinetic energy.
static void motion_run_ladder(quality *report, double lean, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def ice = quality_material(0.0);
    quality_plane_create(world, &ice, 0.0);
    tn_body_def wall = quality_body_at(0.0, 0.0, 0.0);
    wall.type = TN_BODY_TYPE_STATIC;
    quality_body_turn(&wall, quality_vector(0.0, 0.0, 1.0), -0.5 * QUALITY_PI);
    tn_half_space_shape_create(world, tn_body_create(world, &wall), &ice);
    double length = 2.0, thick = 0.05; // halves, m
    tn_body_def def = quality_body_at(length * cos(lean) + thick * sin(lean),
                                      length * sin(lean) + thick * cos(lean), 0.0);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), QUALITY_PI - lean);
    quality_shape shape = {QUALITY_BOX, {length, thick, 0.25}};
    tn_body_id ladder = quality_body_create(world, &def, &ice, &shape);
    motion_energy energy = {0};
    for (int i = 0; i < 4.0 * hz; i++) {
        tn_world_step(world, 1.0 / hz, 4);
        tn_vec3 along = tn_body_get_world_vector(world, ladder, quality_vector(1.0, 0.0, 0.0));
        if (fabs(along.y) < sin(0.25)) {
            break;
        }
        motion_add_energy(&energy, world, 0.0);
    }
    double off = energy.off / energy.largest;
    quality_report(report, off < 1e-3, off, "from %g rad, %g Hz: %.3g J of %.3g", lean, hz,
                   energy.off, energy.largest);
    tn_world_destroy(world);
}

void stack_motion_run_ladder(quality *report) {
    static const double leans[] = {1.0, 1.2, 1.35};
    static const double rates[] = {60.0, 30.0, 240.0};
    for (uint32_t i = 0; i < 9; i++) {
        motion_run_ladder(report, leans[i % 3], rates[i / 3]);
    }
}

// A domino that stands on its edge beyond the balance turns about it without slip, for with
// friction 2 the edge holds up to 0.9 rad: its energy is kept within 0.1 % of the largest kinetic
// energy. What it loses because its edge sinks to where it rests, 0.15 mm, is not of the motion.
static void motion_run_pivot(quality *report, double beyond, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def rough = quality_material(2.0);
    quality_plane_create(world, &rough, 0.0);
    double width = 0.15, height = 1.0;
    double tilt = atan(width / height) + beyond, diagonal = 0.5 * hypot(width, height);
    tn_body_def def = quality_body_at(diagonal * sin(beyond), diagonal * cos(beyond), 0.0);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), -tilt);
    quality_shape shape = {QUALITY_BOX, {0.5 * width, 0.5 * height, 0.25}};
    tn_body_id domino = quality_body_create(world, &def, &rough, &shape);
    motion_energy energy = {0};
    for (int i = 0; i < 4.0 * hz; i++) {
        tn_world_step(world, 1.0 / hz, 4);
        tn_vec3 up = tn_body_get_world_vector(world, domino, quality_vector(0.0, 1.0, 0.0));
        if (up.y < cos(0.9)) {
            break;
        }
        double mass = tn_body_get_mass(world, domino).mass;
        double edge = tn_body_get_center(world, domino).y -
                      0.5 * (height * up.y + width * sqrt(fmax(1.0 - up.y * up.y, 0.0)));
        motion_add_energy(&energy, world, -mass * QUALITY_GRAVITY * edge);
    }
    double off = energy.off / energy.largest;
    quality_report(report, off < 1e-3, off, "%g rad beyond the balance, %g Hz: %.3g J of %.3g",
                   beyond, hz, energy.off, energy.largest);
    tn_world_destroy(world);
}

void stack_motion_run_pivot(quality *report) {
    static const double beyonds[] = {0.02, 0.1};
    static const double rates[] = {60.0, 30.0, 240.0};
    for (uint32_t i = 0; i < 6; i++) {
        motion_run_pivot(report, beyonds[i % 2], rates[i / 2]);
    }
}

// A cube of 1 m and 1 t whose inertia is a share of its own slides from 2 m/s to rest: v^2 / (2 mu
// g) = 0.34 m, flat, without a jump of more than 1 mm.
static void motion_run_tiny_inertia(quality *report, double share, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, 0.0);
    tn_body_def def = quality_body_at(0.0, 0.5, 0.0);
    def.velocity.linear.x = 2.0;
    def.has_mass = true;
    double inertia = share * 1000.0 / 6.0;
    def.mass = (tn_mass){.mass = 1000.0, .inertia = {.xx = inertia, .yy = inertia, .zz = inertia}};
    quality_shape cube = {QUALITY_BOX, {0.5, 0.5, 0.5}};
    tn_body_id body = quality_body_create(world, &def, &material, &cube);
    double jump = 0.0, tilt = 0.0;
    for (int i = 0; i < 2.0 * hz; i++) {
        tn_world_step(world, 1.0 / hz, 4);
        tn_pose pose = tn_body_get_pose(world, body);
        jump = fmax(jump, pose.position.y - 0.5);
        tilt = fmax(tilt, quality_angle_between(def.pose.rotation, pose.rotation));
    }
    double want = 4.0 / (2.0 * 0.6 * QUALITY_GRAVITY);
    double way = tn_body_get_center(world, body).x, off = fabs(way - want);
    quality_report(report, off < 0.2 * want && jump < 1e-3 && tilt < 0.01, off,
                   "%g of its inertia, %g Hz: %.3f m for %.3f, jumps %.2g m, tilts %.2g rad", share,
                   hz, way, want, jump, tilt);
    tn_world_destroy(world);
}

void stack_motion_run_tiny_inertia(quality *report) {
    static const double shares[] = {1.0, 0.1, 0.01, 0.001};
    for (uint32_t i = 0; i < 8; i++) {
        motion_run_tiny_inertia(report, shares[i % 4], i / 4 == 0 ? 60.0 : 240.0);
    }
}

// How far a block is from its place after 5 s on a table that goes A sin(w t), A growing to its
// size in the first second: friction, mu g dt a step, takes as much of the difference of velocities
// as it can. m
static double motion_slide_on_table(double amplitude, double hz, double friction) {
    double w = 2.0 * QUALITY_PI * hz, dt = 1e-5, v = 0.0, before = 0.0, slid = 0.0;
    double most = friction * QUALITY_GRAVITY * dt;
    for (int i = 1; i <= 500000; i++) {
        double t = i * dt, size = amplitude * fmin(1.0, t), rate = t < 1.0 ? amplitude : 0.0;
        double table = size * w * cos(w * t) + rate * sin(w * t);
        double old = v - before;
        v += fmax(-most, fmin(most, table - v));
        slid += 0.5 * (old + v - table) * dt;
        before = table;
    }
    return fabs(slid);
}

// Scene shake_table with one block. (A tower of four sways on the edge of falling over: what it
// does differs from step to step.)
void stack_motion_run_shake_table(quality *report) {
    static const double amplitudes[] = {0.03, 0.04, 0.05, 0.06};
    static const double rates[] = {60.0, 30.0, 240.0};
    for (uint32_t i = 0; i < 4; i++) {
        scene_choice choices[3] = {{"amplitude", amplitudes[i]}, {"blocks", 1.0}, {"hertz", 2.0}};
        double want = motion_slide_on_table(amplitudes[i], 2.0, 0.6);
        for (uint32_t k = 0; k < 3; k++) {
            double slid = motion_run_scene("shake_table", choices, 5.0, rates[k], "slid_m");
            double off = fabs(slid - want);
            quality_report(report, off < fmax(1e-3, 0.05 * want), off,
                           "amplitude %g m, %g Hz: slid %.4f m for %.4f", amplitudes[i], rates[k],
                           slid, want);
        }
    }
}
