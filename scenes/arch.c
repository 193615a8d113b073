// scenes/arch.c: a masonry arch: wedges of stone (voussoirs) that hold one another by weight alone.
//
// A semicircular arch of thickness t about a mean radius r can stand under its own weight when
// t / r >= 0.1075 (J. Heyman, The Safety of Masonry Arches, 1969, after Milankovitch 1907).
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#define ARCH_RADIUS  4.0    // m, mean
#define ARCH_DEPTH   1.0    // m
#define ARCH_DENSITY 2400.0 // kg/m^3, of stone

static const scene_option arch_options[] = {
    {"stones", 15, 3, 99, "voussoirs"},
    {"thickness", 0.2, 0.05, 0.8, "of the arch, as a share of its mean radius"},
    {"load", 0, 0, 5000, "kg: a block laid on the keystone"},
};

// The wedge around the angle zero, seen from the arch's centre; its frame lies at the mean radius.
static tn_body_id arch_add_stone(scene_run *run, double angle, double half_angle,
                                 double thickness) {
    tn_vec3 points[8];
    for (uint32_t i = 0; i < 8; i++) {
        double radius = ARCH_RADIUS + (i & 1 ? 0.5 : -0.5) * thickness;
        double side = i & 2 ? half_angle : -half_angle;
        double z = i & 4 ? 0.5 * ARCH_DEPTH : -0.5 * ARCH_DEPTH;
        points[i] =
            build_point(radius * portable_cos(side) - ARCH_RADIUS, radius * portable_sin(side), z);
    }
    build_part part = build_part_turned(ARCH_RADIUS * portable_cos(angle),
                                        ARCH_RADIUS * portable_sin(angle), angle);
    part.density = ARCH_DENSITY;
    return build_hull(run, &part, points, 8);
}

static bool arch_build(scene_run *run) {
    int stones = (int)scene_run_get_value(run, "stones");
    double thickness = ARCH_RADIUS * scene_run_get_value(run, "thickness");
    double load = scene_run_get_value(run, "load");
    build_ground(run, 0.0);
    double half_angle = 0.5 * BUILD_PI / stones;
    for (int i = 0; i < stones; i++) {
        tn_body_id stone = arch_add_stone(run, (2 * i + 1) * half_angle, half_angle, thickness);
        scene_run_name_body(run, stone, "voussoir%02d", i + 1);
    }
    if (load > 0.0) {
        double crown =
            (ARCH_RADIUS + 0.5 * thickness) * portable_cos(stones % 2 ? half_angle : 0.0);
        build_part part = build_part_at(0.0, crown + 0.6, 0.0);
        part.mass = load;
        scene_run_name_body(run, build_box(run, &part, 1.0, 1.0, 1.0), "load");
    }
    return true;
}

static void arch_measure(scene_run *run) {
    figure_add_stability(run, 0.3);
}

const scene scene_arch = {
    .name = "arch",
    .summary = "a masonry arch of voussoirs, held by its own weight",
    .time = 5.0,
    .options = arch_options,
    .option_count = 3,
    .build = arch_build,
    .measure = arch_measure,
};
