// solver/contacts/contact_sweep_work.h: eight contacts while they are swept: see
// solver/contacts/contact_sweep_wide.c.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SWEEP_WORK_H
#define TNI_SOLVER_CONTACTS_CONTACT_SWEEP_WORK_H

#include "solver/contacts/contact_arms.h"

// This is added under the root, so that nothing is divided by zero.
#define SWEEP_TINY 1e-30f

// All contacts of a kind share this in a sweep.
typedef struct sweep_phase {
    tni_f8 inv_h, slop, max_speed; // slop: as deep is at rest; the last negative
    tni_f8 rate, mass_scale, impulse_scale;
    tni_f8 calm;   // m/s
    bool is_mixed; // BAUMGARTE: soft only where it pushes
} sweep_phase;

// This is a group under way. `force` and `torque` are its impulses so far, on b and about a's
// centres.
typedef struct sweep_work {
    tni_solver *solver;
    tni_contact_group *group;
    tni_contact_wide *wide;
    tni_wide_body a, b;
    tni_v8 offset, normal, force, torque;
    bool has_extras;       // of the group: where it is known to have none, nothing asks for a grain
    bool spares_stacks;    // whose impulses stay as they are
    const arms_bend *bend; // of solve A, where something turns; or null
} sweep_work;

// The points of eight contacts have these: J v, gap, impulse.
typedef struct sweep_points {
    tni_f8 speed[TNI_LANES], gap[TNI_LANES], x[TNI_LANES];
    tni_f8 closed; // wider points are open
} sweep_points;

#endif
