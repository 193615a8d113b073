// The name and the sentence of every result.
#include <criterion/criterion.h>
#include <string.h>

#include "tenon/base.h"

Test(result, every_result_has_a_name_and_a_sentence_of_its_own) {
    for (int i = 0; i < TN_RESULT_COUNT; ++i) {
        const char *name = tn_result_name((tn_result)i);
        const char *text = tn_result_text((tn_result)i);
        cr_assert(name && strncmp(name, "TN_RESULT_", 10) == 0, "result %d", i);
        cr_assert(text && text[strlen(text) - 1] == '.', "result %d", i);
        for (int j = 0; j < i; ++j) {
            cr_assert_str_neq(name, tn_result_name((tn_result)j));
            cr_assert_str_neq(text, tn_result_text((tn_result)j));
        }
    }
    cr_assert_str_eq(tn_result_name(TN_RESULT_OK), "TN_RESULT_OK");
    cr_assert_str_eq(tn_result_name(TN_RESULT_BODY_NOT_FINITE), "TN_RESULT_BODY_NOT_FINITE");
}

Test(result, a_number_that_is_no_result_still_has_a_name) {
    cr_assert_not_null(tn_result_name(TN_RESULT_COUNT));
    cr_assert_not_null(tn_result_text((tn_result)1000));
    cr_assert_str_eq(tn_result_name((tn_result)-1), "TN_RESULT_UNKNOWN");
}
