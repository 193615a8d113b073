#include "core/union_find.h"

#include <criterion/criterion.h>

Test(union_find, finds_the_root_of_a_set_and_shortens_the_way) {
    uint32_t parents[] = {0, 0, 1, 2, 3, 4, 6};
    cr_assert(union_find_root(parents, 6) == 6, "a set of one");
    cr_assert(union_find_root(parents, 5) == 0, "the end of a chain");
    cr_assert(parents[5] == 3 && parents[3] == 1 && parents[1] == 0, "every other one is skipped");
    parents[0] = 6;
    cr_assert(union_find_root(parents, 5) == 6 && union_find_root(parents, 2) == 6, "joined sets");
}

Test(union_find, joins_sets_under_the_smaller_root) {
    uint32_t parents[] = {0, 1, 2, 3};
    cr_assert(union_find_join(parents, 3, 2) && parents[3] == 2);
    cr_assert(union_find_join(parents, 0, 3) && union_find_root(parents, 3) == 0);
    cr_assert(!union_find_join(parents, 2, 0), "one set already");
    cr_assert(union_find_root(parents, 1) == 1, "a set of its own");
}
