// solver/contacts/contact_sweeps.c: see solver/contacts/contact_sweeps.h.
#include "solver/contacts/contact_sweeps.h"

// These are shares of the load: above the first the next step has one sweep more, below the second
// one less.
#define SWEEPS_RAISE 2e-3
#define SWEEPS_LOWER 5e-4
// Above this share blows are under way, which sweeps do not settle.
#define SWEEPS_BLOWS 5e-2
// Slow bodies must bear this share of the load on all.
#define SWEEPS_SLOW_SHARE 0.5

uint32_t tni_contact_sweeps_choose(uint32_t sweeps, const tni_contact_residual *residual) {
    double slow = residual->slow_load;
    bool is_quiet =
        slow > SWEEPS_SLOW_SHARE * residual->load && residual->change < SWEEPS_BLOWS * slow;
    if (is_quiet && residual->change > SWEEPS_RAISE * slow) {
        uint32_t more = sweeps < TNI_CONTACT_SWEEPS_SOON ? TNI_CONTACT_SWEEPS_PART : 1;
        return sweeps < TNI_CONTACT_SWEEPS_MOST ? sweeps + more : TNI_CONTACT_SWEEPS_MOST;
    }
    bool is_done = !is_quiet || residual->change < SWEEPS_LOWER * slow;
    uint32_t less = (sweeps - 1) / TNI_CONTACT_SWEEPS_PART * TNI_CONTACT_SWEEPS_PART;
    return is_done && sweeps > TNI_CONTACT_SWEEPS_LEAST ? less : sweeps;
}
