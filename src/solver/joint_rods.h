// solver/joint_rods.h: rods between particles in groups of eight: see solver/joint_rods.c.
#ifndef TNI_SOLVER_JOINT_RODS_H
#define TNI_SOLVER_JOINT_RODS_H

#include "solver/joint_group.h"

// m: below this length the direction between the points is not trusted. As of one rod.
#define JOINT_RODS_COINCIDENT 1e-9f

// Beside a group: the directions from a to b at the last refresh, and how long the rods are, m.
struct tni_joint_rods {
    tni_group_vectors along;
    _Alignas(32) float length[WIDE_LANES];
};

// May this one stand in such a group?
bool tni_joint_rods_suit(const tni_solver *solver, const tni_joint_block *block);
// In its lane, with the impulse that its row starts from.
void tni_joint_rods_start(const tni_solver *solver, const tni_joint_block *block, float impulse);
// Of a vector of the group its number along the rod: impulse or error of the row.
float tni_joint_rods_get(const tni_joint_rods *rods, const tni_group_vectors *v, uint32_t lane);

#define JOINT_RODS_KERNELS(suffix)                                                                 \
    void tni_joint_rods_refresh##suffix(const tni_solver *solver, tni_joint_group *group,          \
                                        tni_joint_group_rest *rest)
JOINT_RODS_KERNELS(_baseline);
JOINT_RODS_KERNELS(_avx2);

#endif
