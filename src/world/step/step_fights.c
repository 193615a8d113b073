// world/step/step_fights.c: finds swept joints that contradict others.
//
// Joints that cannot all be closed come to rest where their errors balance. There each of them
// pulls toward its closed position with far more force than there is load. So a joint fights if it
// has been open for FIGHTS_TIME and bears more than FIGHTS_SHARE of the load of its island,
//
//     L = sum m (|a| + |w| |v|)      a from gravity and applied forces, w x v for whirling bodies,
//
// or of L l in torque, where l is the sum of the bodies' radii of gyration and of the arms to the
// frames. A joint that only gives way under a load bears a share of L, which levers raise a little.
// Islands that motors, springs or led bodies drive are left alone, since these may load a joint as
// much. Mechanisms that are solved exactly find their own (solver/exact/mechanism_close.c).
// Test: tests/world/step/test_step_fights.c
#include "world/joints.h"
#include "world/step/step_internal.h"

// m or rad: a joint is open beyond this error.
#define FIGHTS_OPEN 1e-3
// s: a joint fights after it has been open for this long. 1/s: it still opens or closes if its
// error changes by more than this share. The last is a multiple of the load.
#define FIGHTS_TIME  0.25
#define FIGHTS_RATE  0.5
#define FIGHTS_SHARE 4.0

// Counts for how long the joint has been open, s.
static void fights_follow(const tn_world *world, tni_joint *joint, double dt) {
    double linear = tni_joint_get_linear_error(world, joint);
    double angular = tni_joint_get_angular_error(world, joint);
    double error = linear + angular;
    bool is_open = linear > FIGHTS_OPEN || angular > FIGHTS_OPEN;
    bool is_still = fabs(error - joint->open_error) <= FIGHTS_RATE * dt * error;
    bool stands = is_open && is_still && !(joint->def.base.hertz > 0.0f);
    joint->open_time = stands ? joint->open_time + (float)dt : 0.0f;
    joint->open_error = is_open ? error : 0.0;
    joint->is_opposed = joint->is_opposed && stands;
}

static bool fights_is_driven(const tni_joint *joint) {
    static const tni_body_motion still = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    return joint->has_motors || tni_step_may_feed(joint, &still, &still);
}

// Finds L by island, N; infinite if it is driven.
static void fights_find_loads(tn_world *world, tni_step *step, double *loads) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 1; i <= world->awake_bodies.count; ++i) {
        const tni_body_mass *mass = &solver->bodies.masses[i];
        const tni_body_motion *motion = &solver->bodies.motions[i];
        tni_dvec3 pull = solver->bodies.pulls[i].acceleration;
        if (mass->is_dynamic) {
            double whirl = dvec3_length(motion->angular_velocity) * dvec3_length(motion->velocity);
            loads[step->island_of[i]] +=
                maths_inverse_or_zero_d(mass->inv_mass) * (dvec3_length(pull) + whirl);
        }
    }
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        bool is_led = !tni_motion_is_still(&solver->bodies.motions[block->body_a]) &&
                      !solver->bodies.masses[block->body_a].is_dynamic;
        is_led |= !tni_motion_is_still(&solver->bodies.motions[block->body_b]) &&
                  !solver->bodies.masses[block->body_b].is_dynamic;
        if (is_led || fights_is_driven(tni_joint_at(world, block->world_joint))) {
            loads[step_get_island(step, block)] = (double)INFINITY;
        }
    }
}

// Returns l, m.
static double fights_get_length(const tni_step *step, const tni_joint_block *block,
                                const tni_joint *joint) {
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    const tni_dpose *frames[2] = {&joint->frame_a, &joint->frame_b};
    double length = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body_mass *mass = &step->solver.bodies.masses[bodies[e]];
        if (mass->is_dynamic) {
            length +=
                sqrt(mass->inertia->moment * mass->inv_mass) + dvec3_length(frames[e]->position);
        }
    }
    return length;
}

static bool fights_bears_too_much(const tn_world *world, const tni_step *step,
                                  const tni_joint_block *block, const tni_joint *joint,
                                  double load) {
    tn_reaction reaction = tni_joint_get_reaction(world, joint);
    double most = FIGHTS_SHARE * load;
    return dvec3_length(dvec3_from_plain(reaction.force)) > most ||
           dvec3_length(dvec3_from_plain(reaction.torque)) >
               most * fights_get_length(step, block, joint);
}

void tni_step_find_fights(tn_world *world, tni_step *step, double dt) {
    const tni_solver *solver = &step->solver;
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[i].world_joint);
        fights_follow(world, joint, dt);
        any |= (double)joint->open_time >= FIGHTS_TIME;
    }
    double *loads =
        any ? tni_arena_alloc_zeroed(&world->arena, solver->bodies.count * sizeof *loads) : NULL;
    if (loads == NULL) {
        return;
    }
    fights_find_loads(world, step, loads);
    for (uint32_t i = 0; i < count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        tni_joint *joint = tni_joint_at(world, block->world_joint);
        if ((double)joint->open_time >= FIGHTS_TIME) {
            joint->is_opposed = fights_bears_too_much(world, step, block, joint,
                                                      loads[step_get_island(step, block)]);
        }
    }
}
