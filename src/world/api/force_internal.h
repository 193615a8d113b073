// world/api/force_internal.h: what the files of forces share.
#ifndef TNI_WORLD_API_FORCE_INTERNAL_H
#define TNI_WORLD_API_FORCE_INTERNAL_H

#include "world/world_internal.h"

// They look at the connectors and, by the type, at the numbers (world/api/force_check.c).
tni_check tni_force_check_base(const tn_force_base *base);
tni_check tni_force_check_numbers(const tni_force *force);
tni_check tni_force_check_amount(tn_force_type type, double amount);
// Evaluates the expression of a goal where these bodies stand (world/api/force_goal.c).
tni_check tni_force_check_goal(const tn_world *world, const tni_force *force,
                               const uint32_t *bodies);

// Makes a force from `given`, whose type, callback and numbers are set, and connectors. Null after
// a report; `base` null: refused. What a goal has of its own is the force's once it is made.
tn_force_id tni_force_create(tn_world *world, const tni_force *given, const tn_force_base *base,
                             const char *function);
// The index, or TNI_NONE after a report; of a type, WRONG_TYPE. The latter for a change begins it.
uint32_t tni_world_find_force(const tn_world *world, tn_force_id id, const char *function);
uint32_t tni_world_find_force_of_type(const tn_world *world, tn_force_id id, tn_force_type type,
                                      const char *function);
// An end of a force, by its index; null after a report, and of TNI_NONE without one.
tni_force_end *tni_force_find_end(const tn_world *world, uint32_t force, uint32_t connector,
                                  const char *function);
// Puts changed numbers into a force of that type, where they are in order, and wakes its bodies.
tn_result tni_force_change(tn_world *world, tn_force_id id, const tni_force *changed,
                           const char *function);

// A step asks forces for this (world/step/step_forces.c): see tni_force_feature.
bool tni_step_gather_forces(tn_world *world, struct tni_step *step);
void tni_step_join_forces(const tni_solver *solver, uint32_t *parents);
void tni_step_scatter_forces(tn_world *world, struct tni_step *step);

#endif
