// tests/scenes/golden_hashes.h: the state after some steps of many scenes, as hashes.
//
// The same for every build of the library (debug, release, sanitizers), every compiler, vector
// unit, platform and run. Where a change of behaviour is meant, the new values go in here and a
// `behavior:` line into the changelog; `TENON_PRINT_HASHES=1` lets tests/scenes/test_hashes.c print
// the tables.
#ifndef TENON_GOLDEN_HASHES_H
#define TENON_GOLDEN_HASHES_H

#include <stdint.h>

#include "tenon/machines.h"

typedef struct golden_hash {
    const char *scene;
    int steps;
    uint64_t hash;
} golden_hash;

static const golden_hash golden_hashes[] = {
    {"arch", 60, 0xf23e0a00c9fad9cd},          {"bowl", 60, 0xf7bbf36a89f99c3c},
    {"bridge", 60, 0xbe608401a360dbd1},        {"catapult", 60, 0x992330943d671edf},
    {"chain", 120, 0xcddb6de24ab6c301},        {"dominoes", 60, 0xdc5ec48e1cb38936},
    {"four_bar", 120, 0xd7eb48ce3023a080},     {"house", 60, 0x1be58d0d53f93b09},
    {"joint_grid", 10, 0x37b84fe6cc129431},    {"newtons_cradle", 60, 0xa418efceea4c65c7},
    {"pile", 5, 0x000cd1dba52b70c3},           {"piston", 60, 0xe6281296451bc7be},
    {"pyramid", 60, 0xa165db31bc049c8b},       {"radial_engine", 60, 0x9f78cecfe5b1a8e6},
    {"ragdolls", 30, 0x64fa59198069fe7a},      {"t_handle", 120, 0x546bdd29fef82e87},
    {"trebuchet", 120, 0xdfabbe992646e32b},    {"walker", 60, 0xba3069cbd659cdfe},
    {"air_hockey", 60, 0xd588e3cb7c13e2ef},    {"cardan", 60, 0xb8fed9cfc87fc4d3},
    {"coaster", 120, 0x812df081d39fdab7},      {"door_bolt", 60, 0x68c0908fdd2c67ee},
    {"hand", 120, 0x688db17f53db80e5},         {"arm", 60, 0x528187d86bd26fc3},
    {"car", 60, 0x4d5548957347a680},           {"shake_table", 60, 0x2d708de960d87512},
    {"kept_volume", 120, 0x3ae00958f8434791},  {"optical_table", 120, 0xdd5f974b6eb944dd},
    {"hyperbola", 120, 0x29d345ce118740f5},    {"drawing", 120, 0x40fe43be084d434e},
    {"snap", 120, 0x0a8b42f13421a67d},         {"tinkertoys", 120, 0x73f89b7af4f2076b},
    {"torus", 120, 0x3213853f4e148cf2},        {"roller_coaster", 120, 0x66a6837575deb468},
    {"kapitza", 120, 0xac07bfc47c9d57c5},      {"tackle", 120, 0x5ee4530e8b8862c5},
    {"capstan", 60, 0x05f73728e8d1cf5a},       {"belt_drive", 60, 0x64592e0761665e5d},
    {"raft", 120, 0xf7e09d5a13df7da7},         {"magnets", 120, 0x33afb0abbe3cafde},
    {"skyscraper", 120, 0xdc103681e9b2a04d},   {"lagrangian_pendulum", 60, 0x33e1f84f0a372619},
    {"hybrid_crank", 120, 0xb6d8d936bcbd1220}, {"pinball", 120, 0xa43b22e53ed84200},
    {"fit_circle", 120, 0x965fa1045d42c302},   {"fit_spline", 60, 0x7127d158e8045a8a},
    {"snake", 120, 0x61edf6fd8092a7d9},        {"fit_coupler", 60, 0x58747f9df6388ec2},
    {"troids", 60, 0x76fd8e0a3d5afe4b},        {"puppet", 60, 0xc8f2613cb098fc66},
    {"jelly", 120, 0x717841403775b2de},        {"balls", 120, 0x3837ad50799f9ee8},
};

// Machines that only an exact solution holds.
static const golden_hash machine_hashes[] = {
    {"cam", 60, 0xc15b28588ff9d723},         {"crane", 60, 0x2ff2a687caeb0c53},
    {"excavator", 60, 0x225a240e26594b24},   {"hoist", 60, 0x4ea37f17b935666b},
    {"piston_stop", 60, 0x1a9b3c9f05e9da56}, {"planetary_gear", 60, 0x137c7cb13c7ff68d},
    {"rack_jack", 60, 0xe479719fa16f6169},   {"scissor_lift", 60, 0x10b299042edcb602},
    {"screw_press", 60, 0x1822c10d8e16db5d}, {"barrier", 240, 0xfdf9dcd2b69b5de0},
    {"winch", 240, 0xc18d940026738b45},      {"clock", 240, 0x6744706a2a92a650},
};

// The same with Gauss-Seidel, of scenes in which AUTO has something exact.
static const golden_hash pgs_hashes[] = {
    {"bridge", 60, 0xa0259ed03568d7aa},
    {"catapult", 60, 0x7b9027e8651f5c02},
    {"chain", 120, 0xb43b1b9028df840d},
    {"four_bar", 120, 0xfcc90ae808b18821},
    {"newtons_cradle", 60, 0xf7ac051fcc1312a1},
    {"piston", 60, 0xd0b6f06e6d252ad1},
    {"radial_engine", 60, 0x52068a7f6782ced0},
    {"trebuchet", 120, 0xe93954797fc4f409},
    {"joint_grid", 10, 0x9f59942f5dadadb5},
    {"walker", 60, 0x7d3abd556ddc083b},
    {"air_hockey", 60, 0x113c24c9648f9a2c},
    {"cardan", 60, 0xaaa981654f16db98},
    {"door_bolt", 60, 0x68c0908fdd2c67ee},
    {"arm", 60, 0x7172cf15e435760d},
    {"car", 60, 0x4d5548957347a680},
    {"planetary_gear", 60, 0x4d26e102db3feacd},
    {"rack_jack", 60, 0xabb25d603a883041},
    {"screw_press", 60, 0x6b8ea33282711daa},
    {"cam", 60, 0xadb522cffdfa68a1},
    {"winch", 240, 0xcd7b7ac54f90773f},
    {"clock", 240, 0xa2c52b5bd8c1b41e},
    {"barrier", 240, 0xfdf9dcd2b69b5de0},
    {"roller_coaster", 120, 0x0f4bb5f56c9a1a51},
    {"torus", 120, 0x59671a3f5dd490a2},
    {"kapitza", 120, 0xd531a0eebda23c31},
    {"magnets", 120, 0x33afb0abbe3cafde},
    {"skyscraper", 120, 0x30232a91221e81f8},
};

// The same with the direct solver.
static const golden_hash direct_hashes[] = {
    {"chain", 60, 0x092bc1cedc9f1d7d},          {"four_bar", 60, 0x985da6c5208272fb},
    {"trebuchet", 60, 0xeaf92b833caa4741},      {"hoist", 60, 0x4ea37f17b935666b},
    {"roller_coaster", 60, 0xe8d2daeb9278093b}, {"kapitza", 60, 0xac36af09dbbc36c0},
    {"magnets", 60, 0xe2f46bd195780bde},        {"skyscraper", 60, 0xa660739ce7cb1722},
};

// And with conjugate gradients: equalities alone, redundant ones, and some with bounds.
static const golden_hash gradients_hashes[] = {
    {"joint_grid", 20, 0xb9f565726d79e521},  {"lattice", 20, 0xf59b090a05ae7936},
    {"ragdolls", 20, 0x481a16a969753f61},    {"air_hockey", 20, 0xd7b5b8b7d7431bd3},
    {"cardan", 20, 0x4f9037b1481bba20},      {"door_bolt", 20, 0x11591b95717fd62b},
    {"hoist", 60, 0x183153f63aa36cad},       {"planetary_gear", 60, 0x2a7541745e8ccf62},
    {"screw_press", 60, 0x81b1f42931739d93}, {"cam", 60, 0xb513e60f3fbdf036},
    {"winch", 240, 0x22d0d9327b12ec2a},      {"clock", 240, 0xd2ddcef123dcdbd3},
};

// A table and the solver that it was made with.
typedef struct golden_table {
    const char *name;
    tn_solver solver;
    const golden_hash *hashes;
    size_t count;
} golden_table;

#define GOLDEN_TABLE(name, solver, table)                                                          \
    { name, solver, table, sizeof(table) / sizeof(table)[0] }
static const golden_table golden_tables[] = {
    GOLDEN_TABLE("auto", TN_SOLVER_AUTO, golden_hashes),
    GOLDEN_TABLE("machines", TN_SOLVER_AUTO, machine_hashes),
    GOLDEN_TABLE("pgs", TN_SOLVER_PGS, pgs_hashes),
    GOLDEN_TABLE("direct", TN_SOLVER_DIRECT, direct_hashes),
    GOLDEN_TABLE("cg", TN_SOLVER_CG, gradients_hashes),
};
#define GOLDEN_TABLE_COUNT (sizeof golden_tables / sizeof golden_tables[0])

#endif
