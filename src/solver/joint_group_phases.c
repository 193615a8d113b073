// solver/joint_group_phases.c: the phases of a substep over groups of joints.
//
// Sweeps and warm starts, which have an order, are solver/joint_sweep.c; here is what goes over all
// groups, or some that lie together, in any order: see solver/joint_group.h.
// Test: tests/solver/test_joint_group.c
#include <string.h>

#include "solver/body_columns.h"
#include "solver/integrate.h"
#include "solver/joint_angles.h"
#include "solver/joint_group.h"
#include "solver/joint_threads.h"

// ---- what a step begins with ------------------------------------------------------------------

void tni_joint_groups_clear_range(const tni_solver *solver, uint32_t first, uint32_t last) {
    for (uint32_t g = first; g < last; ++g) {
        tni_joint_group_rest *rest = &solver->group_rests[g];
        memset(&rest->force, 0, sizeof rest->force);
        memset(&rest->torque, 0, sizeof rest->torque);
        if (rest->angles != NULL) {
            tni_joint_angles_restart(rest->angles);
        }
    }
}

// Strips clear their own, or whoever does without them: see tni_joint_columns_choose.
void tni_joint_groups_restart(tni_solver *solver) {
    if (solver->strip_count == 0) {
        tni_joint_groups_clear_range(solver, 0, solver->group_count);
    }
}

// ---- refresh ----------------------------------------------------------------------------------

// All at first, and where mechanisms move bodies; else the drift keeps them.
bool tni_joint_groups_place(tni_solver *solver) {
    bool has_moved = false;
    if (solver->has_places && solver->mechanism_count == 0) {
        return false;
    }
    for (uint32_t i = 0; i < solver->place_count; ++i) {
        uint32_t body = solver->place_bodies[i];
        if (!solver->uses_columns) {
            tni_joint_place(solver, body);
        } else if (solver->kinds[body] == TNI_BATCH_NONE) {
            // Others are placed where they start.
            has_moved |= columns_place(solver, body);
            columns_set_vector(solver, COLUMN_V, body, f4_zero());
            columns_set_vector(solver, COLUMN_W, body, f4_zero());
        }
    }
    solver->has_places = true;
    return has_moved;
}

static void group_refresh_pin(const tni_solver *solver, const tni_joint_group *group, uint32_t lane,
                              tni_pin_block *out) {
    tni_pin pin = {.r_a = joint_group_get(&group->r_a, lane),
                   .r_b = joint_group_get(&group->r_b, lane),
                   .error = f4_splat(0.0f)};
    tni_pin_refresh(out, &pin, 0, TNI_ENDS_BOTH, &solver->states[group->body_a[lane]],
                    &solver->states[group->body_b[lane]]);
}

void tni_joint_group_get_pin(const tni_solver *solver, const tni_joint_block *block) {
    group_refresh_pin(solver, block->group, block->lane, block->pin);
}

// K where it is singular, by general elimination.
static void group_invert_lane(const tni_solver *solver, tni_joint_group *group, uint32_t lane) {
    tni_pin_block block;
    group_refresh_pin(solver, group, lane, &block);
    joint_group_set_symmetric(group->inverse, lane, block.inverse);
}

void tni_joint_group_invert_lanes(const tni_solver *solver, tni_joint_group *group,
                                  const tni_joint_group_rest *rest) {
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        if (!(group->inverse[0][lane] > 0.0f)) {
            group_invert_lane(solver, group, lane);
        }
    }
}

// What joints have added to a body's inertia is not round. States know it from the last drift on.
static bool group_has_stiff_body(const tni_solver *solver, const tni_joint_group *group) {
    bool has_stiff = false;
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        has_stiff = has_stiff || solver->has_added_inertia[group->body_a[lane]] ||
                    solver->has_added_inertia[group->body_b[lane]];
    }
    return has_stiff;
}

// What a group asks at the start of a step whose bodies are where the last one left them: their
// velocities alone, unless inertia has been added. K^-1 and arms are still those of these poses.
static bool group_rebias(const tni_solver *solver, tni_joint_group *group,
                         tni_joint_group_rest *rest) {
    if (group->is_stiff || (!solver->has_start && group_has_stiff_body(solver, group))) {
        return false;
    }
    WIDE_CALL(solver->uses_avx2, tni_joint_column_rebias, solver, group, rest);
    return true;
}

void tni_joint_groups_rebias_range(const tni_solver *solver, uint32_t first, uint32_t last) {
    for (uint32_t g = first; g < last; ++g) {
        if (!group_rebias(solver, &solver->groups[g], &solver->group_rests[g])) {
            tni_joint_groups_refresh_range(solver, g, g + 1, false);
        }
    }
}

void tni_joint_groups_refresh_range(const tni_solver *solver, uint32_t first, uint32_t last,
                                    bool defers) {
    for (uint32_t g = first; g < last; ++g) {
        tni_joint_group *group = &solver->groups[g];
        tni_joint_group_rest *rest = &solver->group_rests[g];
        group->is_stiff = solver->has_stiffened && group_has_stiff_body(solver, group);
        if (rest->angles != NULL) {
            tni_joint_angles_refresh(solver, group, rest);
            continue;
        }
        if (rest->threads != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_threads_refresh, solver, group, rest);
            continue;
        }
        if (defers && joint_group_is_round(group, rest)) {
            continue;
        }
        bool is_sound =
            solver->uses_columns
                ? WIDE_CALL(solver->uses_avx2, tni_joint_column_refresh, solver, group, rest)
                : WIDE_CALL(solver->uses_avx2, tni_joint_group_refresh, solver, group, rest);
        if (!is_sound) {
            tni_joint_group_invert_lanes(solver, group, rest);
        }
    }
}

static void group_refresh_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const tni_solver *solver = context;
    tni_joint_groups_refresh_range(solver, first, last, solver->defers_refresh);
}

void tni_joint_groups_refresh(tni_solver *solver) {
    tni_joint_groups_place(solver);
    // Round groups alone, which are renewed later.
    if (solver->uses_columns && solver->defers_refresh && !solver->was_stiffened) {
        return;
    }
    tni_tasks_run(solver->tasks, group_refresh_range, solver->group_count, JOINT_GROUP_MIN_RANGE,
                  solver);
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
            tni_geometric_stiffness_add(solver, &solver->joints[rest->block[lane]], x);
        }
    }
}

void tni_joint_groups_look_range(tni_solver *solver, uint32_t first, uint32_t last) {
    for (uint32_t g = first; g < last; ++g) {
        solver->group_rests[g].may_stiffen = true;
    }
}

void tni_joint_groups_stiffen(tni_solver *solver) {
    for (uint32_t g = 0; g < solver->group_count; ++g) {
        if (!solver->group_rests[g].has_bounded) {
            group_stiffen(solver, &solver->groups[g], &solver->group_rests[g]);
        }
    }
}

bool tni_joint_groups_store_range(const tni_solver *solver, uint32_t first, uint32_t last) {
    bool may_stiffen = false;
    for (uint32_t g = first; g < last; ++g) {
        const tni_joint_group *group = &solver->groups[g];
        tni_joint_group_rest *rest = &solver->group_rests[g];
        if (rest->has_bounded) {
            continue;
        }
        if (rest->threads != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_threads_store, group, rest);
            continue;
        }
        if (!rest->is_settled) {
            rest->may_stiffen =
                rest->angles != NULL
                    ? WIDE_CALL(solver->uses_avx2, tni_joint_angles_store, group, rest)
                    : WIDE_CALL(solver->uses_avx2, tni_joint_group_store, group, rest);
        }
        rest->is_settled = false;
        may_stiffen = may_stiffen || rest->may_stiffen;
    }
    return may_stiffen;
}

void tni_joint_groups_stiffen_range(tni_solver *solver, uint32_t first, uint32_t last) {
    for (uint32_t g = first; g < last; ++g) {
        if (solver->group_rests[g].may_stiffen) {
            group_stiffen(solver, &solver->groups[g], &solver->group_rests[g]);
        }
    }
}

void tni_joint_groups_stiffen_within(tni_solver *solver, uint32_t first, uint32_t last,
                                     bool are_pushed, uint32_t first_body, uint32_t end_body) {
    for (uint32_t g = first; g < last; ++g) {
        const tni_joint_group_rest *rest = &solver->group_rests[g];
        for (uint32_t lane = 0; lane < rest->count && rest->may_stiffen; ++lane) {
            const tni_joint_block *block = &solver->joints[rest->block[lane]];
            vec3s x = group_get_impulse(&solver->groups[g], lane);
            x = are_pushed ? glms_vec3_add(x, x) : x;
            if (!(glms_vec3_dot(x, x) > rest->threshold[lane])) {
                continue;
            }
            if (block->body_b >= first_body && block->body_b < end_body) {
                tni_geometric_stiffness_add_to_b(solver, block, x);
            }
            if (block->body_a >= first_body && block->body_a < end_body) {
                tni_geometric_stiffness_add_to_a(solver, block, x);
            }
        }
    }
}

void tni_joint_groups_store(tni_solver *solver) {
    if (tni_joint_groups_store_range(solver, 0, solver->group_count)) {
        tni_joint_groups_stiffen_range(solver, 0, solver->group_count);
    }
}
