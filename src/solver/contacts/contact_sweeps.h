// solver/contacts/contact_sweeps.h: chooses how many sweeps over contacts the next step makes, by
// the errors that this one left.
//
// A sweep carries a load down a stack by one contact, so the sweeps that a pile needs grow with its
// height, while bodies that fall or lie on the floor need the least. The last relaxing sweep of a
// step measures, over the normals of contacts whose bodies are slow,
//     r = sum of |change of impulse| / sum of impulses
// and the next step makes one sweep more while r is above a bound, one less while it is below
// another, a quarter of it, so that the number does not go to and fro. Two more come slowly, one in
// eight such steps: they calm high walls that sway, which need seconds, and not piles that sink for
// half a second, which would sleep before they are lifted (world/collide/contact_lift.h). When most
// of the load is on bodies that are not slow, r is always large and more sweeps would only cost
// time: then there are fewer. There are less, too, while r is so large that blows go through a
// pile, as when it lands: sweeps settle loads, and the next blow undoes them. Only contacts of two
// bodies that move count as slow: a body that lies alone on the floor is no stack. Contacts that no
// cluster has share one number, and so have those of each cluster (world/step/clusters.c): it is
// the largest that one of its contacts has from the last step. Test:
// tests/solver/contacts/test_contact_residual.c, tests/world/collide/test_contact_sweeps.c
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SWEEPS_H
#define TNI_SOLVER_CONTACTS_CONTACT_SWEEPS_H

#include <stdbool.h>
#include <stdint.h>

// Numbers are kept in eighths of a sweep.
#define TNI_CONTACT_SWEEPS_PART  8u
#define TNI_CONTACT_SWEEPS_LEAST (2u * TNI_CONTACT_SWEEPS_PART)
#define TNI_CONTACT_SWEEPS_SOON  (4u * TNI_CONTACT_SWEEPS_PART)
#define TNI_CONTACT_SWEEPS_MOST  (6u * TNI_CONTACT_SWEEPS_PART)
// BAUMGARTE makes this many sweeps: see solver/contacts/contact_sweep_wide.c.
#define TNI_CONTACT_SWEEPS_BAUMGARTE 8u

// The last relaxing sweep changed and left these impulses, N·s: in contacts of two bodies that move
// slowly; and in all.
typedef struct tni_contact_residual {
    double change, slow_load, load;
} tni_contact_residual;

// Returns how many whole sweeps a number of eighths is.
static inline uint32_t contact_sweeps_count(uint32_t eighths) {
    return eighths / TNI_CONTACT_SWEEPS_PART;
}
// Returns the sweeps of the next step after one that had `sweeps`, in eighths.
uint32_t tni_contact_sweeps_choose(uint32_t sweeps, const tni_contact_residual *residual);

#endif
