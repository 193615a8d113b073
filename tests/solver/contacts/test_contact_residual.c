// Tests of solver/contacts/contact_sweeps.h: how many sweeps over contacts the next step makes.
#include <criterion/criterion.h>

#include "solver/contacts/contact_sweeps.h"

// Chooses by whole sweeps.
static uint32_t choose(uint32_t sweeps, double change, double slow_load) {
    tni_contact_residual residual = {change, slow_load, 1.0};
    uint32_t next = tni_contact_sweeps_choose(sweeps * TNI_CONTACT_SWEEPS_PART, &residual);
    return contact_sweeps_count(next);
}

Test(contact_residual, sweeps_are_more_while_much_changes_and_less_when_little_does) {
    cr_assert(choose(2, 0.01, 1.0) == 3 && choose(3, 0.01, 1.0) == 4);
    cr_assert(choose(4, 1e-4, 1.0) == 3 && choose(3, 1e-4, 1.0) == 2);
}

Test(contact_residual, sweeps_stay_between_their_bounds) {
    cr_assert(choose(6, 0.01, 1.0) == 6);
    cr_assert(choose(2, 1e-4, 1.0) == 2);
    cr_assert(choose(3, 1e-3, 1.0) == 3, "neither much nor little");
}

Test(contact_residual, sweeps_are_the_least_for_what_falls_and_what_lies_on_the_floor) {
    cr_assert(choose(2, 0.3, 0.4) == 2, "most of the load is on what is fast, or on the floor");
    cr_assert(choose(4, 0.3, 0.4) == 3);
    cr_assert(choose(4, 0.0, 0.0) == 3);
    tni_contact_residual none = {0.0, 0.0, 0.0};
    cr_assert(tni_contact_sweeps_choose(3 * TNI_CONTACT_SWEEPS_PART, &none) ==
              2 * TNI_CONTACT_SWEEPS_PART);
}

Test(contact_residual, a_fifth_sweep_comes_after_eight_steps_and_goes_at_once) {
    tni_contact_residual much = {0.01, 1.0, 1.0}, little = {1e-4, 1.0, 1.0};
    uint32_t sweeps = 4 * TNI_CONTACT_SWEEPS_PART;
    for (int i = 0; i < 7; ++i) {
        sweeps = tni_contact_sweeps_choose(sweeps, &much);
        cr_assert(contact_sweeps_count(sweeps) == 4);
    }
    sweeps = tni_contact_sweeps_choose(sweeps, &much);
    cr_assert(contact_sweeps_count(sweeps) == 5);
    sweeps = tni_contact_sweeps_choose(sweeps + 3, &little);
    cr_assert(contact_sweeps_count(sweeps) == 5);
    sweeps = tni_contact_sweeps_choose(sweeps, &little);
    cr_assert(contact_sweeps_count(sweeps) == 4);
}

Test(contact_residual, sweeps_are_the_least_while_blows_go_through_a_pile) {
    cr_assert(choose(2, 0.2, 1.0) == 2 && choose(4, 0.2, 1.0) == 3);
}
