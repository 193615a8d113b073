// solver/step/breaking_sweep.c: sweeps over all that hangs together with joints that have broken.
//
// After a joint has broken all that joints and contacts tie to its bodies is swept again, and
// nothing else: a joint that breaks in one corner of a world does not change the bits of another.
// Rows stand eight at a time, of any islands. So the lanes of other islands are emptied while their
// group is swept, and stand there again afterwards. Few islands break at once, and seldom: these
// sweeps go on one thread, in the order of the others.
// Test: tests/joints/test_breaking.c, tests/solver/joints/test_joint_group.c
#include <string.h>

#include "solver/contacts/contact_kernels.h"
#include "solver/joints/joint_angles.h"
#include "solver/movers/span_ops.h"
#include "solver/step/breaking.h"

// ---- whose lanes -------------------------------------------------------------------------------

void tni_breaking_mark(const tni_solver *solver, const tni_joint_block *block) {
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    for (uint32_t i = 0; i < 2; ++i) {
        if (solver->bodies.masses[bodies[i]].is_dynamic) {
            solver->breaking.marks[solver->bodies.island_of[bodies[i]]] = true;
        }
    }
}

// Is the island of a moving body marked? A root is the first body of its island, and has joints
// where it is marked.
static bool sweep_has_body(const tni_solver *solver, uint32_t body) {
    uint32_t root = solver->bodies.island_of[body];
    return root < solver->breaking.body_count && solver->breaking.marks[root] &&
           solver->bodies.masses[body].is_dynamic;
}

static bool sweep_has(const tni_solver *solver, uint32_t body_a, uint32_t body_b) {
    return sweep_has_body(solver, body_a) || sweep_has_body(solver, body_b);
}

// Returns a bit for each lane whose island is marked.
static uint32_t sweep_find_lanes(const tni_solver *solver, const uint32_t *body_a,
                                 const uint32_t *body_b, uint32_t count) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < count; ++lane) {
        lanes |= sweep_has(solver, body_a[lane], body_b[lane]) ? 1u << lane : 0u;
    }
    return lanes;
}

// ---- joints ------------------------------------------------------------------------------------

static void sweep_take_range(const tni_angle_range *from, uint32_t lane, tni_angle_range *to) {
    for (uint32_t e = 0; e < 2; ++e) {
        to->end[e].impulse[lane] = from->end[e].impulse[lane];
    }
}

// Copies the numbers of a lane that a sweep changes.
static void sweep_take_angles(const tni_joint_angles *from, uint32_t lane, tni_joint_angles *to) {
    for (uint32_t k = 0; k < 3; ++k) {
        to->impulse[k][lane] = from->impulse[k][lane];
    }
    sweep_take_range(&from->swing, lane, &to->swing);
    sweep_take_range(&from->twist, lane, &to->twist);
}

// Puts the bounded rows of the other lanes to sleep, which come after their group and stand in
// blocks; returns which were awake.
static uint32_t sweep_put_to_sleep(tni_solver *solver, const tni_joint_group_rest *rest,
                                   uint32_t lanes) {
    uint32_t awake = 0;
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        tni_joint_block *block = &solver->joints.blocks[rest->block[lane]];
        if ((lanes >> lane & 1u) == 0 && block->has_awake_bounded) {
            awake |= 1u << lane;
            block->has_awake_bounded = false;
        }
    }
    return awake;
}

static void sweep_wake(tni_solver *solver, const tni_joint_group_rest *rest, uint32_t awake) {
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        if ((awake >> lane & 1u) != 0) {
            solver->joints.blocks[rest->block[lane]].has_awake_bounded = true;
        }
    }
}

static void sweep_joint_group(tni_solver *solver, uint32_t g) {
    tni_joint_group *group = &solver->lanes.groups[g];
    const tni_joint_group_rest *rest = &solver->lanes.rests[g];
    tni_joint_angles *angles = rest->angles;
    uint32_t lanes = sweep_find_lanes(solver, group->body_a, group->body_b, rest->count);
    if (lanes == 0) {
        return;
    }
    tni_joint_group whole = *group;
    tni_joint_angles whole_angles;
    if (angles != NULL) {
        whole_angles = *angles;
    }
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        if ((lanes >> lane & 1u) == 0) {
            joint_group_empty_lane(group, lane);
            if (angles != NULL) {
                tni_joint_angles_clear_lane(angles, lane);
            }
        }
    }
    uint32_t awake = sweep_put_to_sleep(solver, rest, lanes);
    tni_joint_groups_sweep(solver, TNI_SWEEP_RELAX, g, g + 1);
    sweep_wake(solver, rest, awake);
    for (uint32_t lane = 0; lane < rest->count; ++lane) {
        if ((lanes >> lane & 1u) != 0) {
            joint_group_set(&whole.impulse, lane, joint_group_get(&group->impulse, lane));
            if (angles != NULL) {
                sweep_take_angles(angles, lane, &whole_angles);
            }
        }
    }
    *group = whole;
    if (angles != NULL) {
        *angles = whole_angles;
    }
}

static void sweep_block(tni_solver *solver, uint32_t index) {
    const tni_joint_block *block = &solver->joints.blocks[index];
    if (sweep_has(solver, block->body_a, block->body_b)) {
        tni_joint_blocks_solve(solver, index, 1, false);
    }
}

static void sweep_joints(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joints.swept_count && solver->lanes.group_count == 0; ++i) {
        sweep_block(solver, i);
    }
    for (uint32_t i = 0; i < solver->lanes.item_count && solver->lanes.group_count > 0; ++i) {
        const tni_joint_item *item = &solver->lanes.items[i];
        if (item->group != TNI_NONE) {
            sweep_joint_group(solver, item->group);
        }
        for (uint32_t k = 0; k < item->single_count; ++k) {
            sweep_block(solver, solver->lanes.singles[item->first_single + k]);
        }
    }
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        if (sweep_has_body(solver, solver->gradients.systems[i].bodies[0])) {
            tni_gradients_relax(solver, &solver->gradients.systems[i]);
        }
    }
}

// ---- contacts ----------------------------------------------------------------------------------

// Sets one lane of numbers that stand eight side by side.
static void sweep_set_lane(float *numbers, size_t count, uint32_t lane, const float *from) {
    for (size_t i = lane; i < count; i += TNI_CONTACTS) {
        numbers[i] = from != NULL ? from[i] : 0.0f;
    }
}

static void sweep_contact_group(tni_solver *solver, uint32_t g) {
    tni_contact_group *group = &solver->contacts.groups[g];
    uint32_t lanes = sweep_find_lanes(solver, group->body_a, group->body_b, group->count);
    if (lanes == 0) {
        return;
    }
    tni_contact_group whole = *group;
    group->shut_count = group->count; // open gates stay open
    const size_t count = sizeof whole.wide / sizeof(float);
    float *numbers = (float *)&group->wide, *whole_numbers = (float *)&whole.wide;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        if ((lanes >> lane & 1u) == 0) {
            sweep_set_lane(numbers, count, lane, NULL);
            group->body_a[lane] = group->body_b[lane] = 0;
            group->moving_a &= (uint8_t) ~(1u << lane);
            group->moving_b &= (uint8_t) ~(1u << lane);
        }
    }
    WIDE_CALL(solver->uses_avx2, tni_contact_sweep, solver, g, g + 1, 0);
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        if ((lanes >> lane & 1u) != 0) {
            sweep_set_lane(whole_numbers, count, lane, numbers);
        }
    }
    *group = whole;
}

static void sweep_contacts(tni_solver *solver) {
    uint32_t loops = solver->contacts.own_count > 0 ? solver->contacts.loop_count : 0;
    uint32_t turns = loops > 0 ? solver->contacts.loop_ends[loops - 1] : 0;
    contact_range range = {0, 0};
    if (turns > 0) {
        range = contact_get_turns(solver, 0, turns);
    }
    for (uint32_t g = range.first; g < range.last; ++g) {
        if (solver->contacts.groups[g].shut_count > 0) {
            sweep_contact_group(solver, g);
        }
    }
}

void tni_breaking_sweep(tni_solver *solver) {
    uint32_t least = TNI_BREAKING_SWEEPS, asked = solver->settings.relax_iterations;
    for (uint32_t i = 0; i < (asked > least ? asked : least); ++i) {
        sweep_joints(solver);
        if (solver->movers.span_ops != NULL) {
            solver->movers.span_ops->sweep_marked(solver);
            solver->movers.span_ops->sweep_marked_closings(solver);
        }
        sweep_contacts(solver);
        if (solver->movers.span_ops != NULL) {
            solver->movers.span_ops->sweep_contacts(solver, false);
        }
    }
    memset(solver->breaking.marks, 0, solver->breaking.body_count * sizeof *solver->breaking.marks);
}
