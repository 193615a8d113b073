// The library and the headers that a program was built with.
#include "tenon/tenon.h"

#include <criterion/criterion.h>

Test(version, a_program_can_ask_which_library_runs) {
    tn_version version = tn_get_version();
    cr_expect_eq(version.major * 1000000 + version.minor * 1000 + version.patch, TN_VERSION_NUMBER);
}

Test(version, headers_of_another_version_make_no_world) {
    tn_world_def def = tn_world_def_default();
    tn_result result = TN_RESULT_OK;
    cr_expect_null(tn_world_create_checked(&def, &result, TN_VERSION_NUMBER + 1, sizeof def));
    cr_expect_eq(result, TN_RESULT_WRONG_HEADER);
    cr_expect_null(tn_world_create_checked(&def, &result, TN_VERSION_NUMBER, sizeof def - 8));
    cr_expect_eq(result, TN_RESULT_WRONG_HEADER);
    cr_expect_null(tn_world_create_checked(NULL, NULL, 0, 0));
}

Test(version, a_program_that_knows_no_macros_makes_a_world_too) {
    tn_world *(*create)(const tn_world_def *, tn_result *) = tn_world_create;
    tn_world *world = create(NULL, NULL);
    cr_expect_not_null(world);
    tn_world_destroy(world);
}
