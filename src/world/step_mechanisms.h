// world/step_mechanisms.h: what the files that gather mechanisms share.
#ifndef TNI_WORLD_STEP_MECHANISMS_H
#define TNI_WORLD_STEP_MECHANISMS_H

#include "world/step_internal.h"

// Doubles that the responses of one mechanism's contacts may take; each is a part of a solve. Where
// there would be more, Gauss-Seidel moves the mechanism.
#define TNI_MECHANISM_MOST_COLUMNS 60000

// Which joint belongs to which mechanism.
typedef struct tni_mechanism_plan {
    uint32_t *roots;    // by solver body: union-find over exact joints
    uint32_t *group_of; // by root: which mechanism, or TNI_NONE
    uint32_t *joints;   // exact blocks, by mechanism
    uint32_t *first;    // by mechanism, and one more: its first block in `joints`
    uint32_t *local_of; // by solver body: its place in the mechanism at work
    uint32_t *stamp;    // by solver body: for which mechanism that holds
    bool *is_barred;    // by root: something in it only Gauss-Seidel does
    uint32_t group_count;
} tni_mechanism_plan;

// The bodies of a mechanism in the order its joints name them: those that move, then the others.
typedef struct tni_mechanism_cast {
    uint32_t *bodies; // solver bodies
    uint32_t count, moving;
    uint64_t signature;
} tni_mechanism_cast;

static inline bool tni_mechanism_moves(const tni_solver *solver, uint32_t body) {
    return solver->masses[body].is_dynamic;
}

// ---- world/mechanism_groups.c: in this order ---------------------------------------------------

// A joint is exact when it is asked for and ties something that moves by rows of its own.
void tni_mechanism_plan_mark(const tn_world *world, tni_solver *solver);
bool tni_mechanism_plan_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_plan *plan);
// `total`: of all joints, exact or not.
void tni_mechanism_plan_join(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);
// What hangs on a joint that is not exact is moved by Gauss-Seidel as a whole.
void tni_mechanism_plan_bar(tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);
// Mechanisms numbered by their first joint; then their joints sorted by number, in order.
void tni_mechanism_plan_number(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);

// ---- world/mechanism_records.c -----------------------------------------------------------------

bool tni_mechanism_records_reserve(tn_world *world, uint32_t count);
void tni_mechanism_find_cast(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t group,
                             tni_mechanism_cast *cast);
// Composition anew. On failure the record is empty.
bool tni_mechanism_record_rebuild(tn_world *world, const tni_solver *solver,
                                  const tni_mechanism_plan *plan, uint32_t group,
                                  const tni_mechanism_cast *cast, tni_mechanism_record *record);

// ---- world/mechanism_fill.c and mechanism_contacts.c -------------------------------------------

bool tni_mechanism_fill(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                        uint32_t group, const tni_mechanism_cast *cast,
                        tni_mechanism_record *record);
bool tni_mechanism_contacts_gather(tn_world *world, tni_solver *solver);

#endif
