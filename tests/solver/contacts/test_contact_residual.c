// Tests of solver/contacts/contact_sweeps.h: how many sweeps over contacts the next step makes.
#include <criterion/criterion.h>

#include "solver/contacts/contact_sweeps.h"

static uint32_t choose(uint32_t sweeps, double change, double slow_load) {
    tni_contact_residual residual = {change, slow_load, 1.0};
    return tni_contact_sweeps_choose(sweeps, &residual);
}

Test(contact_residual, sweeps_are_more_while_much_changes_and_less_when_little_does) {
    cr_assert(choose(2, 0.01, 1.0) == 3 && choose(3, 0.01, 1.0) == 4);
    cr_assert(choose(4, 1e-4, 1.0) == 3 && choose(3, 1e-4, 1.0) == 2);
}

Test(contact_residual, sweeps_stay_between_their_bounds) {
    cr_assert(choose(4, 0.01, 1.0) == 4);
    cr_assert(choose(2, 1e-4, 1.0) == 2);
    cr_assert(choose(3, 1e-3, 1.0) == 3, "neither much nor little");
}

Test(contact_residual, sweeps_are_the_least_for_what_falls_and_what_lies_on_the_floor) {
    cr_assert(choose(2, 0.3, 0.4) == 2, "most of the load is on what is fast, or on the floor");
    cr_assert(choose(4, 0.3, 0.4) == 3);
    cr_assert(choose(4, 0.0, 0.0) == 3);
    tni_contact_residual none = {0.0, 0.0, 0.0};
    cr_assert(tni_contact_sweeps_choose(3, &none) == 2);
}

Test(contact_residual, sweeps_are_the_least_while_blows_go_through_a_pile) {
    cr_assert(choose(2, 0.2, 1.0) == 2 && choose(4, 0.2, 1.0) == 3);
}
