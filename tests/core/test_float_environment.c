#include "core/float_environment.h"

#include <criterion/criterion.h>
#include <float.h>

#include "tests/support/host_environment.h"

static volatile double one = 1.0, little = 1e-30, least = DBL_MIN, half = 0.5;

static bool is_to_nearest(void) {
    return one + little == one && -one - little == -one && one + 0.75 * DBL_EPSILON > one;
}

static bool has_subnormals(void) {
    double subnormal = least * half;
    return subnormal > 0.0 && subnormal * 2.0 == least;
}

Test(float_environment, is_the_same_for_every_host) {
    for (int i = 0; i < HOST_ENVIRONMENTS; ++i) {
        host_set(host_environments[i].control);
        tni_float_environment host = tni_float_environment_enter();
        bool is_right = is_to_nearest() && has_subnormals();
        tni_float_environment_leave(host);
        uint64_t after = host_get();
        host_set(host_environments[0].control);
        cr_assert(is_right, "%s", host_environments[i].name);
        cr_assert(after == host_environments[i].control, "%s", host_environments[i].name);
    }
}

Test(float_environment, nests) {
    host_set(host_environments[HOST_ENVIRONMENTS - 1].control);
    tni_float_environment outer = tni_float_environment_enter();
    tni_float_environment_leave(tni_float_environment_enter());
    bool is_right = is_to_nearest() && has_subnormals();
    tni_float_environment_leave(outer);
    uint64_t after = host_get();
    host_set(host_environments[0].control);
    cr_assert(is_right);
    cr_assert(after == host_environments[HOST_ENVIRONMENTS - 1].control);
}
