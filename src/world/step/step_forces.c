// world/step/step_forces.c: gathers the forces of a step, ties their bodies together and reports
// faults.
//
// A force takes part while it and all its bodies are enabled and one of them is awake. A body that
// stands still or sleeps stays where it is. Bodies on which forces act go through the substeps with
// those that rows hold, one by one, so that a force may differ in each substep.
// Test: tests/forces/test_force.c
#include "solver/movers/force.h"

#include "core/union_find.h"
#include "solver/bodies/integrate.h"
#include "world/api/force_internal.h"
#include "world/bodies.h"
#include "world/step/step_internal.h"

static bool forces_is_active(const tn_world *world, const tni_force *force) {
    bool is_awake = false, is_whole = force->is_enabled;
    for (uint32_t i = 0; i < force->end_count; ++i) {
        if (force->ends[i].body != TNI_NONE) {
            const tni_body *body = tni_body_at(world, force->ends[i].body);
            is_awake = is_awake || body->awake_index != TNI_NONE;
            is_whole = is_whole && body->is_enabled;
        }
    }
    return is_awake && is_whole;
}

static void forces_clear_told(tni_force *force) {
    for (uint32_t i = 0; i < force->end_count; ++i) {
        force->ends[i].force = force->ends[i].torque = dvec3_make(0.0, 0.0, 0.0);
    }
}

// ---- bodies ------------------------------------------------------------------------------------

static void forces_add_standing(const tn_world *world, uint32_t index, tni_forced_body *out) {
    *out =
        (tni_forced_body){.body = TNI_NONE, .motion.rotation = dquat_identity(), .is_loose = true};
    if (index != TNI_NONE) {
        const tni_body *body = tni_body_at(world, index);
        out->motion.position = body->position;
        out->motion.rotation = body->rotation;
        out->center = body->local_center;
    }
}

static void forces_see_coordinates(const tn_world *world, tni_solver *solver, uint32_t index,
                                   tni_forced_body *out) {
    uint32_t object = tni_body_at(world, index)->reduced;
    if (object == TNI_NONE) {
        return;
    }
    out->reduced = tni_reduced_at(world, object);
    out->member = tni_reduced_find_member(out->reduced, index);
    solver->movers.forces->has_reduced = true;
}

// Takes acceleration and torque out of the passes over four bodies: they come with every kick.
static void forces_add_moving(const tn_world *world, tni_solver *solver, uint32_t index,
                              tni_forced_body *out) {
    const tni_body *body = tni_body_at(world, index);
    uint32_t i = body->solver_index;
    tni_body_mass *mass = &solver->bodies.masses[i];
    *out = (tni_forced_body){.body = i,
                             .center = body->local_center,
                             .moves = mass->is_dynamic,
                             .is_loose = body->joint_count + body->contact_count == 0 &&
                                         body->reduced == TNI_NONE};
    solver->bodies.is_free[i] = false;
    if (!mass->is_dynamic) {
        return;
    }
    forces_see_coordinates(world, solver, index, out);
    out->acceleration = solver->bodies.pulls[i].acceleration;
    out->torque = mass->torque;
    out->inv_mass = tni_locks_get_inv_mass(mass->locks, mass->inv_mass);
    mass->has_torque = true;
    solver->bodies.kinds[i] = (uint8_t)integrate_find_kind(mass, &solver->bodies.motions[i]);
}

// Returns the body's place among the forced ones. `known` has that plus 1, or 0, by solver body.
static uint32_t forces_add_body(const tn_world *world, tni_solver *solver, uint32_t *known,
                                uint32_t index) {
    tni_forces *forces = solver->movers.forces;
    bool moves = index != TNI_NONE && tni_body_at(world, index)->awake_index != TNI_NONE;
    uint32_t *place = moves ? &known[tni_body_at(world, index)->solver_index] : NULL;
    if (place != NULL && *place != 0) {
        return *place - 1;
    }
    tni_forced_body *body = &forces->bodies[forces->body_count++];
    if (place != NULL) {
        *place = forces->body_count;
        forces_add_moving(world, solver, index, body);
    } else {
        forces_add_standing(world, index, body);
    }
    return forces->body_count - 1;
}

// ---- water -------------------------------------------------------------------------------------

// Finds the shapes of its bodies. Returns false without memory.
static bool forces_find_members(tn_world *world, tni_force *force) {
    tni_arena *arena = &world->arena;
    tni_force_body *bodies = tni_arena_alloc_zeroed(arena, force->end_count * sizeof *bodies);
    for (uint32_t i = 0; bodies != NULL && i < force->end_count; ++i) {
        const tni_body *body = tni_body_at(world, force->ends[i].body);
        const tni_geometry **members =
            tni_arena_alloc(arena, body->shape_count * sizeof(tni_geometry *));
        if (members == NULL) {
            return false;
        }
        for (uint32_t s = body->shape_head; s != TNI_NONE; s = tni_shape_at(world, s)->next) {
            if (tni_shape_is_solid(tni_shape_at(world, s))) {
                members[bodies[i].member_count++] = &tni_shape_at(world, s)->geometry;
            }
        }
        bodies[i].members = members;
    }
    force->gravity = tni_world_get_gravity(world);
    force->bodies = bodies;
    return bodies != NULL;
}

// ---- gathering ---------------------------------------------------------------------------------

typedef struct forces_counts {
    size_t actors, ends, links, goals;
} forces_counts;

static forces_counts forces_count(const tn_world *world) {
    forces_counts counts = {0};
    for (uint32_t i = 0; i < world->force_list.count; ++i) {
        tni_force *force = tni_force_at(world, world->force_list.items[i]);
        if (forces_is_active(world, force)) {
            counts.actors += 1;
            counts.ends += force->end_count;
            counts.links += tni_force_count_slopes(force);
            counts.goals += force->type == TN_FORCE_TYPE_GOAL ? 1 : 0;
        }
    }
    return counts;
}

// Returns null without memory.
static tni_forces *forces_allocate(tn_world *world, forces_counts counts) {
    tni_arena *arena = &world->arena;
    tni_forces *forces = tni_arena_alloc_zeroed(arena, sizeof *forces);
    if (forces == NULL) {
        return NULL;
    }
    forces->run = tni_forces_run;
    forces->actors = tni_arena_alloc(arena, counts.actors * sizeof *forces->actors);
    forces->end_bodies = tni_arena_alloc(arena, counts.ends * sizeof *forces->end_bodies);
    forces->bodies = tni_arena_alloc(arena, counts.ends * sizeof *forces->bodies);
    forces->links = tni_arena_alloc(arena, counts.links * sizeof *forces->links);
    forces->goals = tni_arena_alloc(arena, counts.goals * sizeof *forces->goals);
    bool has_all = forces->actors != NULL && forces->end_bodies != NULL && forces->bodies != NULL &&
                   forces->links != NULL && forces->goals != NULL;
    return has_all ? forces : NULL;
}

static bool forces_add(tn_world *world, tni_solver *solver, tni_force *force, uint32_t *known,
                       uint32_t *ends) {
    tni_forces *forces = solver->movers.forces;
    tni_force_actor *actor = &forces->actors[forces->actor_count++];
    actor->force = force;
    actor->first_end = *ends;
    forces->has_held = forces->has_held || force->acts_once_per_step;
    for (uint32_t i = 0; i < force->end_count; ++i) {
        forces->end_bodies[(*ends)++] = forces_add_body(world, solver, known, force->ends[i].body);
    }
    return force->type != TN_FORCE_TYPE_BUOYANCY || forces_find_members(world, force);
}

bool tni_step_gather_forces(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    if (world->force_list.count == 0) {
        return true;
    }
    forces_counts counts = forces_count(world);
    for (uint32_t i = 0; i < world->force_list.count; ++i) {
        forces_clear_told(tni_force_at(world, world->force_list.items[i]));
    }
    if (counts.actors == 0) {
        return true;
    }
    uint32_t *known = tni_arena_alloc_zeroed(&world->arena, solver->bodies.count * sizeof *known);
    solver->movers.forces = forces_allocate(world, counts);
    if (known == NULL || solver->movers.forces == NULL) {
        return false;
    }
    uint32_t ends = 0;
    for (uint32_t i = 0; i < world->force_list.count; ++i) {
        tni_force *force = tni_force_at(world, world->force_list.items[i]);
        if (forces_is_active(world, force) && !forces_add(world, solver, force, known, &ends)) {
            return false;
        }
    }
    return true;
}

// ---- islands -----------------------------------------------------------------------------------

// Joins the dynamic bodies of each force into one island.
void tni_step_join_forces(const tni_solver *solver, uint32_t *parents) {
    const tni_forces *forces = solver->movers.forces;
    for (uint32_t i = 0; forces != NULL && i < forces->actor_count; ++i) {
        const tni_force_actor *actor = &forces->actors[i];
        uint32_t first = TNI_NONE;
        for (uint32_t k = 0; k < actor->force->end_count; ++k) {
            const tni_forced_body *body = &forces->bodies[forces->end_bodies[actor->first_end + k]];
            if (body->moves && first != TNI_NONE) {
                union_find_join(parents, first, body->body);
            }
            first = body->moves && first == TNI_NONE ? body->body : first;
        }
    }
}

// ---- back --------------------------------------------------------------------------------------

static void forces_keep_awake(tni_step *step, const tni_force_actor *actor) {
    const tni_forces *forces = step->solver.movers.forces;
    for (uint32_t k = 0; k < actor->force->end_count; ++k) {
        const tni_forced_body *body = &forces->bodies[forces->end_bodies[actor->first_end + k]];
        if (body->moves) {
            step->is_restless[step->island_of[body->body]] = true;
        }
    }
}

void tni_step_scatter_forces(tn_world *world, tni_step *step) {
    const tni_forces *forces = step->solver.movers.forces;
    for (uint32_t i = 0; forces != NULL && i < forces->actor_count; ++i) {
        tni_force *force = forces->actors[i].force;
        if (force->keeps_awake) {
            forces_keep_awake(step, &forces->actors[i]);
        }
        if (force->is_faulty && !force->is_told) {
            force->is_told = true;
            tni_world_report(world, TN_RESULT_NOT_FINITE, "tn_world_step",
                             "A force's callback or goal gave numbers that are not finite, or "
                             "slopes between connectors that are not there.",
                             force->handle);
        }
        force->is_faulty = false;
        force->bodies = NULL;
    }
}
