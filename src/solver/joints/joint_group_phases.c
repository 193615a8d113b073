// solver/joints/joint_group_phases.c: the phases of a substep over groups of joints.
//
// Sweeps and warm starts, which have an order, are solver/joints/joint_sweep.c; the phases here go
// over all groups, or some that lie together, in any order: see solver/joints/joint_group.h. Test:
// tests/solver/joints/test_joint_group.c
#include <string.h>

#include "solver/bodies/integrate.h"
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_threads.h"

// ---- what a step begins with ------------------------------------------------------------------

void tni_joint_groups_restart(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        tni_joint_group_rest *rest = &solver->lanes.rests[g];
        memset(&rest->force, 0, sizeof rest->force);
        memset(&rest->torque, 0, sizeof rest->torque);
        if (rest->angles != NULL) {
            tni_joint_angles_restart(rest->angles);
        }
    }
}

// ---- refresh ----------------------------------------------------------------------------------

// Writes all places at first, and where mechanisms move bodies; else the drift keeps them.
void tni_joint_groups_place(tni_solver *solver) {
    if (solver->lanes.has_places && solver->exact.count == 0) {
        return;
    }
    for (uint32_t i = 0; i < solver->lanes.place_count; ++i) {
        tni_joint_place(solver, solver->lanes.place_bodies[i]);
    }
    solver->lanes.has_places = true;
}

static void group_refresh(const tni_solver *solver, tni_joint_group *group,
                          tni_joint_group_rest *rest) {
    bool is_sound = WIDE_CALL(solver->uses_avx2, tni_joint_group_refresh, solver, group, rest);
    for (uint32_t lane = 0; lane < rest->count && !is_sound; ++lane) {
        if (!(group->inverse[0][lane] > 0.0f)) {
            tni_joint_angles_invert_lane(solver, group, rest, lane);
        }
    }
    const tni_joint_angles *angles = rest->angles;
    if (angles != NULL && (angles->swing.is_awake || angles->twist.is_awake)) {
        WIDE_CALL(solver->uses_avx2, tni_joint_group_prepare, solver, group, rest);
    }
}

static void group_refresh_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const tni_solver *solver = context;
    for (uint32_t g = first; g < last; ++g) {
        tni_joint_group *group = &solver->lanes.groups[g];
        tni_joint_group_rest *rest = &solver->lanes.rests[g];
        if (rest->threads != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_threads_refresh, solver, group, rest);
        } else {
            group_refresh(solver, group, rest);
        }
    }
}

void tni_joint_groups_refresh(tni_solver *solver) {
    tni_joint_groups_place(solver);
    tni_tasks_run(solver->tasks, group_refresh_range, solver->lanes.group_count,
                  JOINT_GROUP_MIN_RANGE, solver);
}

// ---- what is left -----------------------------------------------------------------------------

static vec3s group_get_impulse(const tni_joint_group *group, uint32_t lane) {
    return maths_vec3(group->impulse.n[0][lane], group->impulse.n[1][lane],
                      group->impulse.n[2][lane]);
}

static void group_stiffen(tni_solver *solver, const tni_joint_group *group,
                          const tni_joint_group_rest *rest) {
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        vec3s x = group_get_impulse(group, lane);
        if (glms_vec3_dot(x, x) > rest->threshold[lane]) {
            tni_geometric_stiffness_add(solver, &solver->joints.blocks[rest->block[lane]], x);
        }
    }
}

void tni_joint_groups_stiffen(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        group_stiffen(solver, &solver->lanes.groups[g], &solver->lanes.rests[g]);
    }
}

void tni_joint_groups_store(tni_solver *solver) {
    bool may_stiffen = false;
    for (uint32_t g = 0; g < solver->lanes.group_count; ++g) {
        const tni_joint_group *group = &solver->lanes.groups[g];
        tni_joint_group_rest *rest = &solver->lanes.rests[g];
        if (rest->threads != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_threads_store, group, rest);
            continue;
        }
        rest->may_stiffen = WIDE_CALL(solver->uses_avx2, tni_joint_group_store, group, rest);
        may_stiffen = may_stiffen || rest->may_stiffen;
    }
    for (uint32_t g = 0; g < solver->lanes.group_count && may_stiffen; ++g) {
        if (solver->lanes.rests[g].may_stiffen) {
            group_stiffen(solver, &solver->lanes.groups[g], &solver->lanes.rests[g]);
        }
    }
}
