// solver/contacts/contact_kernels.h: the files of the contacts share these functions, and the two
// widths of their inner loops: see core/wide.h.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_KERNELS_H
#define TNI_SOLVER_CONTACTS_CONTACT_KERNELS_H

#include "core/simd_double.h"
#include "core/wide.h"
#include "solver/solver.h"

// This many batches of bodies, or turns of a sweep without parts, are worth a second worker: about
// a microsecond of work.
#define CONTACT_MIN_BATCHES 32
#define CONTACT_MIN_TURNS   8

// Solve B multiplies its updates of whole blocks by this: see solver/contacts/contact_sweep_wide.c.
#define CONTACT_RELAXATION    1.3f
#define CONTACT_RESTING_SHARE 0.5f // of half the last impulse: what changes less is at rest

// A contact of slow bodies may change by this share of its load in a substep; the excess of a fall
// beyond that is forgotten with this factor: see solver/contacts/contact_sweep_blows.h.
#define CONTACT_SLOW_CHANGE 0.25f
#define CONTACT_FORGETTING  3.0f

// A range has the groups from the first to before the last.
typedef struct contact_range {
    uint32_t first, last;
} contact_range;

// Returns the contacts of these turns of a sweep.
TNI_KERNEL contact_range contact_get_turns(const tni_solver *solver, uint32_t first,
                                           uint32_t last) {
    uint32_t before = first > 0 ? solver->contacts.turn_ends[first - 1] : 0;
    contact_range range = {before, solver->contacts.turn_ends[last - 1]};
    return range;
}

// Runs a task over all groups, in no order: by turns of a sweep, so that each worker has those that
// it sweeps.
TNI_KERNEL void contact_run_groups(tni_solver *solver, tn_task_fn task) {
    if (solver->batches.part_count > 0) {
        tni_parts_run_turns(solver, task, solver);
    } else if (solver->contacts.loop_count > 0) {
        uint32_t turns = solver->contacts.loop_ends[solver->contacts.loop_count - 1];
        tni_tasks_run(solver->tasks, task, turns, CONTACT_MIN_TURNS, solver);
    }
}

// Returns where a symmetric matrix of four rows keeps an entry.
TNI_KERNEL uint32_t contact_entry(uint32_t row, uint32_t column) {
    return row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row;
}

// Adds v += P/m, w += W L, with half of the impulses that the contacts gave a body in the last
// substep.
TNI_KERNEL void contact_push_body(const tni_solver *solver, uint32_t body, bool is_first_half) {
    if (!solver->contacts.is_pushed[body]) {
        return;
    }
    tni_contact_push *push = &solver->contacts.pushes[body];
    float *numbers = solver->bodies.states[body].numbers;
    tni_f4 p = f4_load_aligned(push->warm), l = f4_load_aligned(push->warm + 4), columns[3];
    if (is_first_half) {
        p = f4_mul(f4_splat(0.5f), f4_load_aligned(push->total));
        l = f4_mul(f4_splat(0.5f), f4_load_aligned(push->total + 4));
        f4_store_aligned(push->warm, p);
        f4_store_aligned(push->warm + 4, l);
        tni_contact_push_forget(push);
    }
    f4_load_symmetric(numbers + TNI_STATE_INV_INERTIA, columns);
    tni_f4 inv_mass = f4_load(numbers + TNI_STATE_INV_MASS); // the fourth lane meets a zero
    tni_f4 v = f4_load_aligned(numbers), w = f4_load_aligned(numbers + TNI_STATE_W);
    f4_store_aligned(numbers, f4_add(v, f4_mul(inv_mass, p)));
    f4_store_aligned(numbers + TNI_STATE_W, f4_add(w, f4_mul_columns(columns, l)));
}

// contact_prepare.c: these make the lanes of the groups in these turns of a sweep; find the bodies
// whose inertia has turned, in these batches of bodies; and make new masses for groups that have
// one of them.
void tni_contacts_make_turns(tni_solver *solver, uint32_t first, uint32_t last);
void tni_contacts_find_new_inertias(tni_solver *solver, uint32_t first, uint32_t last);
void tni_contacts_weigh_turns(tni_solver *solver, uint32_t first, uint32_t last);

// contact_group.c: tests a group with open gates, whether they stay open until the end of the
// substep (solve A), or are open now; makes the lanes of the others. Contacts that look before they
// push may do so, or wait.
void tni_contact_group_test(tni_solver *solver, tni_contact_group *group, bool use_bias,
                            bool may_look);

// Copies one lane, which was made beside its group.
void tni_contact_copy_lane(const tni_contact_wide *made, uint32_t lane, tni_contact_wide *out);

// A sweep is of these kinds: with bias or without, the first of its phase, the first since bodies
// have moved, one that measures what it changes, one that is not for all; and the last one of solve
// A, when joints have said where bodies will go: contacts that look before they push do so.
typedef enum contact_sweep_kind {
    CONTACT_SWEEP_BIAS = 1,
    CONTACT_SWEEP_FIRST = 2,
    CONTACT_SWEEP_MOVED = 4,
    CONTACT_SWEEP_MEASURES = 8, // without bias
    CONTACT_SWEEP_SPARES = 16,  // with bias, leaving stacks as they are: solver/stacks/stack.c
    CONTACT_SWEEP_LAST = 32,    // without bias, the last one of a substep
    CONTACT_SWEEP_FORGETS = 64, // no sweep: blows are forgotten, as the last one does
    CONTACT_SWEEP_LOOKS = 128,
} contact_sweep_kind;

// contact_sweep_wide.c: these sweep the groups once; `kind` holds flags of contact_sweep_kind.
void tni_contact_sweep_baseline(tni_solver *solver, uint32_t first, uint32_t last, uint32_t kind);
void tni_contact_sweep_avx2(tni_solver *solver, uint32_t first, uint32_t last, uint32_t kind);

// Holds a tni_contact_bend in its lane, by the present velocities. Other lanes mean nothing: their
// bodies may belong to another stack, which another thread moves at the same time.
typedef struct contact_bends {
    _Alignas(64) tni_contact_vec spin;
    float along[TNI_CONTACTS], slide[2][TNI_CONTACTS];
} contact_bends;

void tni_contact_bend_baseline(const tni_solver *solver, const tni_contact_group *group,
                               uint32_t lane, contact_bends *out);
void tni_contact_bend_avx2(const tni_solver *solver, const tni_contact_group *group, uint32_t lane,
                           contact_bends *out);

// contact_prepare_wide.c: these make lanes from the records; `lanes` has a bit for each lane to
// make, the others stay without a contact. Arms are the present ones, or those of the record. The
// effect of the impulses on the bodies is added to their pushes.
void tni_contact_make_baseline(tni_solver *solver, const tni_contact_group *group, uint32_t lanes,
                               bool is_at_start, tni_contact_wide *out);
void tni_contact_make_avx2(tni_solver *solver, const tni_contact_group *group, uint32_t lanes,
                           bool is_at_start, tni_contact_wide *out);
// These make new masses, for the bodies' present inertia.
void tni_contact_weigh_baseline(const tni_solver *solver, tni_contact_group *group);
void tni_contact_weigh_avx2(const tni_solver *solver, tni_contact_group *group);
// These set the masses of friction, and the bound of twisting, of lanes whose middle has moved:
// `moved` is above 0.
void tni_contact_weigh_slides_baseline(const tni_solver *solver, tni_contact_group *group,
                                       const float moved[TNI_CONTACTS]);
void tni_contact_weigh_slides_avx2(const tni_solver *solver, tni_contact_group *group,
                                   const float moved[TNI_CONTACTS]);
// These store impulses and sums in the records at the end of the step.
void tni_contact_store_baseline(tni_solver *solver, const tni_contact_group *group);
void tni_contact_store_avx2(tni_solver *solver, const tni_contact_group *group);

#endif
