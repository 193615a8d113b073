// solver/contacts/contact_work.h: the work of contacts over a phase, for the ledger: see
// contact_work_wide.c.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_WORK_H
#define TNI_SOLVER_CONTACTS_CONTACT_WORK_H

#include "solver/contacts/contact.h"

// A group has these impulses at the start of a phase, without what the second kick adds. N·s, N·m·s
struct tni_contact_start {
    float impulse[TNI_LANES][TNI_CONTACTS], slide[3][TNI_CONTACTS];
    tni_contact_vec rolling;
};

// The contacts of a group gave b this impulse in a phase, and turned a and b by these, about their
// centres of mass. N·s, N·m·s
typedef struct tni_contact_effort {
    tni_contact_vec force, turn_a, turn_b;
} tni_contact_effort;

void tni_contact_begin_work_baseline(const tni_contact_group *group, tni_contact_start *start);
void tni_contact_begin_work_avx2(const tni_contact_group *group, tni_contact_start *start);
// These find the impulses of a phase; `start` is null for the first half of a substep.
void tni_contact_end_work_baseline(const tni_contact_group *group, const tni_contact_start *start,
                                   tni_contact_effort *normal, tni_contact_effort *friction);
void tni_contact_end_work_avx2(const tni_contact_group *group, const tni_contact_start *start,
                               tni_contact_effort *normal, tni_contact_effort *friction);

#endif
