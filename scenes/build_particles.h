// scenes/build_particles.h: ropes and nets of particles.
//
// Threads tie particle to particle: distance joints, as long as what they tie is apart when they
// are made, times `slack`. To hold a knot or a bead where it is, make it static afterwards.
#ifndef SCENES_BUILD_PARTICLES_H
#define SCENES_BUILD_PARTICLES_H

#include "scenes/build.h"

typedef enum build_thread_type {
    BUILD_THREAD_ROD,
    BUILD_THREAD_ROPE,
    BUILD_THREAD_SPRING,
} build_thread_type;

typedef struct build_threads {
    build_thread_type type;
    double slack;              // its length over the distance, 1 or more. Of a spring: of its rest
    double stiffness, damping; // N/m, N·s/m: of springs
} build_threads;

// A thread between the centres of two bodies.
tn_joint_id build_thread(scene_run *run, const build_threads *threads, tn_body_id a, tn_body_id b);

// What all beads or knots have in common.
typedef struct build_beads {
    double mass, radius; // kg; m of the sphere around it, or 0
    double damping;      // 1/s
    tn_filter filter;
    build_threads threads;
} build_beads;

// A bead at each point, tied to the one before. `out_beads` receives `count` bodies.
void build_bead_rope(scene_run *run, const build_beads *beads, const tn_vec3 *points,
                     uint32_t count, tn_body_id *out_beads);

// Knots in rows from `corner`, each row `columns` knots `across` apart and the next `down` from it,
// tied to those beside, above and below. `out_knots` receives columns * rows bodies, row by row.
typedef struct build_net {
    uint32_t columns, rows;
    tn_vec3 corner;
    tn_vec3 across, down; // m, from knot to knot
    build_beads knots;
} build_net;
void build_net_of_knots(scene_run *run, const build_net *net, tn_body_id *out_knots);

#endif
