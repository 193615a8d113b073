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
    {"bridge", 60, 0xbe608401a360dbd1},        {"catapult", 60, 0x78a83a91dcaaf0fe},
    {"chain", 120, 0xcddb6de24ab6c301},        {"dominoes", 60, 0xdc5ec48e1cb38936},
    {"four_bar", 120, 0xd7eb48ce3023a080},     {"house", 60, 0xce7279326d8ad22c},
    {"joint_grid", 10, 0x37b84fe6cc129431},    {"newtons_cradle", 60, 0xa418efceea4c65c7},
    {"pile", 5, 0x000cd1dba52b70c3},           {"piston", 60, 0xe6281296451bc7be},
    {"pyramid", 60, 0x4be3ce6ef638f59a},       {"radial_engine", 60, 0x9f78cecfe5b1a8e6},
    {"ragdolls", 30, 0x98c15dd20562c5f4},      {"t_handle", 120, 0x546bdd29fef82e87},
    {"trebuchet", 120, 0xab89909abd3360e9},    {"walker", 60, 0xf078f127afc55d43},
    {"air_hockey", 60, 0xf01798d3ee824457},    {"cardan", 60, 0xe42026a91200c771},
    {"coaster", 120, 0x812df081d39fdab7},      {"door_bolt", 60, 0x16f2e3cf27788265},
    {"hand", 120, 0x688db17f53db80e5},         {"arm", 60, 0x7cc6242e33a28625},
    {"car", 60, 0x117b403b03589a45},           {"shake_table", 60, 0x186a04cb57dfd68b},
    {"kept_volume", 120, 0x3ae00958f8434791},  {"optical_table", 120, 0xdd5f974b6eb944dd},
    {"hyperbola", 120, 0x29d345ce118740f5},    {"drawing", 120, 0x40fe43be084d434e},
    {"snap", 120, 0x42ede48bca1619b2},         {"tinkertoys", 120, 0x73f89b7af4f2076b},
    {"torus", 120, 0x3213853f4e148cf2},        {"roller_coaster", 120, 0x66a6837575deb468},
    {"kapitza", 120, 0xac07bfc47c9d57c5},      {"tackle", 120, 0x5ee4530e8b8862c5},
    {"capstan", 60, 0x05f73728e8d1cf5a},       {"belt_drive", 60, 0x64592e0761665e5d},
    {"raft", 120, 0x5e117773115d3e1c},         {"magnets", 120, 0x33afb0abbe3cafde},
    {"skyscraper", 120, 0xdc103681e9b2a04d},   {"lagrangian_pendulum", 60, 0x756ce0741b397bc1},
    {"hybrid_crank", 120, 0x89d22a8a086d7246}, {"pinball", 120, 0xa43b22e53ed84200},
    {"fit_circle", 120, 0x965fa1045d42c302},   {"fit_spline", 60, 0x7127d158e8045a8a},
    {"snake", 120, 0x61edf6fd8092a7d9},        {"fit_coupler", 60, 0x58747f9df6388ec2},
    {"troids", 60, 0xfd880c43d84b53f1},        {"puppet", 60, 0x73fd708dcf025ccb},
    {"jelly", 120, 0x717841403775b2de},        {"balls", 120, 0x3837ad50799f9ee8},
    {"skittles", 60, 0x6771466206e7ad85},      {"mesh_ground", 90, 0x9974240658fb955c},
    {"vehicle", 120, 0xb5856b057640735f},      {"buggy", 120, 0xc0527889ba1a48c8},
    {"tank", 240, 0x05f4c77ccc9d8492},         {"character", 900, 0xc4c0ea84c3ee51cc},
    {"shapes", 60, 0x194beb893402d311},        {"gate", 60, 0x9afd271c1a627e11},
    {"queries", 60, 0xb0aa91148cc2cdec},
};

// Machines that only an exact solution holds.
static const golden_hash machine_hashes[] = {
    {"cam", 60, 0x3fc54a94411895e4},         {"crane", 60, 0x0ff1f62b3cddd536},
    {"excavator", 60, 0x0fce803c38436b86},   {"hoist", 60, 0x71c6c31860a75934},
    {"piston_stop", 60, 0x1a9b3c9f05e9da56}, {"planetary_gear", 60, 0x137c7cb13c7ff68d},
    {"rack_jack", 60, 0xe479719fa16f6169},   {"scissor_lift", 60, 0x9b6ce0393f22f845},
    {"screw_press", 60, 0xe713545ed25e3178}, {"barrier", 240, 0xbf6b3c1428645cd1},
    {"winch", 240, 0xe7bea519678dc2e1},      {"clock", 240, 0x1d1c7611fbf3994f},
};

// The same with Gauss-Seidel, of scenes in which AUTO has something exact.
static const golden_hash pgs_hashes[] = {
    {"bridge", 60, 0xbfb873409f6b8605},
    {"catapult", 60, 0x40c37616af4c4d3d},
    {"chain", 120, 0xb185b39ebeb1a996},
    {"four_bar", 120, 0xb6ab571fedb66858},
    {"newtons_cradle", 60, 0xf7ac051fcc1312a1},
    {"piston", 60, 0xd3c11e02cc7f1a38},
    {"radial_engine", 60, 0x426dd4183de10757},
    {"trebuchet", 120, 0xb9167b567897d65c},
    {"joint_grid", 10, 0x9f59942f5dadadb5},
    {"walker", 60, 0xe9d3e71c2a4c0f7b},
    {"air_hockey", 60, 0x6cfb1248709fdd56},
    {"cardan", 60, 0xd450dca76f6bd80d},
    {"door_bolt", 60, 0x16f2e3cf27788265},
    {"arm", 60, 0xd7d4ea6c72ceb22d},
    {"car", 60, 0x117b403b03589a45},
    {"planetary_gear", 60, 0xbfd6a6e6ffe9c2fc},
    {"rack_jack", 60, 0xe59134dce9605127},
    {"screw_press", 60, 0x08a6f24d4033121c},
    {"cam", 60, 0x63e874f1464644fa},
    {"winch", 240, 0xde7a6ecb584b2a1b},
    {"clock", 240, 0xfd63385bac6dcea6},
    {"barrier", 240, 0x2b9be80552a66031},
    {"roller_coaster", 120, 0x0f4bb5f56c9a1a51},
    {"torus", 120, 0x59671a3f5dd490a2},
    {"kapitza", 120, 0xd531a0eebda23c31},
    {"magnets", 120, 0x33afb0abbe3cafde},
    {"skyscraper", 120, 0x98be1bbaa6bbc6b3},
};

// The same with the direct solver.
static const golden_hash direct_hashes[] = {
    {"chain", 60, 0x092bc1cedc9f1d7d},          {"four_bar", 60, 0x985da6c5208272fb},
    {"trebuchet", 60, 0x2f0a1ced0a0540f5},      {"hoist", 60, 0x71c6c31860a75934},
    {"roller_coaster", 60, 0xe8d2daeb9278093b}, {"kapitza", 60, 0xac36af09dbbc36c0},
    {"magnets", 60, 0xe2f46bd195780bde},        {"skyscraper", 60, 0xa660739ce7cb1722},
};

// And with conjugate gradients: equalities alone, redundant ones, and some with bounds.
static const golden_hash gradients_hashes[] = {
    {"joint_grid", 20, 0xb9f565726d79e521},  {"lattice", 20, 0x17528ed3d2c14eef},
    {"ragdolls", 20, 0xd1d6922f77231a3e},    {"air_hockey", 20, 0xfe6dcf2df5a2f8f8},
    {"cardan", 20, 0x73704a7cfc07fe31},      {"door_bolt", 20, 0x3ec3215d87080950},
    {"hoist", 60, 0x26adcbb604ad6346},       {"planetary_gear", 60, 0x2029af867d8c2df4},
    {"screw_press", 60, 0x9c49e431c7b1ae1e}, {"cam", 60, 0x93e78d455fb90427},
    {"winch", 240, 0xdd654e7d268b95b5},      {"clock", 240, 0x7d63a1f28c566ceb},
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
