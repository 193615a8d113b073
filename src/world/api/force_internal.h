// world/api/force_internal.h: what the files of forces share.
#ifndef TNI_WORLD_API_FORCE_INTERNAL_H
#define TNI_WORLD_API_FORCE_INTERNAL_H

#include "world/joints.h"

// Check the connectors, and an amount by type (world/api/force_check.c).
tni_check tni_force_check_base(const tn_force_base *base);
tni_check tni_force_check_amount(tn_force_type type, double amount);
// Evaluates the expression of a goal where these bodies stand (world/api/force_goal.c).
tni_check tni_force_check_goal(const tn_world *world, const tni_force *force,
                               const uint32_t *bodies);

// Makes a force from its connectors and from `given`, whose type, callback and numbers are set.
// Returns null after a report; a null `base` is refused. The force then owns a goal's memory.
tn_force_id tni_force_create(tn_world *world, const tni_force *given, const tn_force_base *base,
                             const char *function);
// Return the index, or TNI_NONE after a report (also for a wrong type). The last begins a change.
uint32_t tni_world_find_force(const tn_world *world, tn_force_id id, const char *function);
uint32_t tni_world_find_force_of_type(const tn_world *world, tn_force_id id, tn_force_type type,
                                      const char *function);
// Returns an end of a force; null after a report, or without one if `force` is TNI_NONE.
tni_force_end *tni_force_find_end(const tn_world *world, uint32_t force, uint32_t connector,
                                  const char *function);
// Puts changed numbers that are in order into a force of that type and wakes its bodies.
tn_result tni_force_change(tn_world *world, tn_force_id id, const tni_force *changed,
                           const char *function);

// A step calls these through tni_force_feature (world/step/step_forces.c).
bool tni_step_gather_forces(tn_world *world, struct tni_step *step);
void tni_step_join_forces(const tni_solver *solver, uint32_t *parents);
void tni_step_scatter_forces(tn_world *world, struct tni_step *step);

#endif
