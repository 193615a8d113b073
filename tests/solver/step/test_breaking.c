// How fast the mean of a load follows it.
#include <criterion/criterion.h>
#include <math.h>

#include "solver/step/breaking.h"

// 1 - e^-x, to x^4 / 24.
Test(breaking_share, follows_the_exponential) {
    double x = 1e-4;
    for (int i = 0; i < 22; ++i, x *= 1.5) {
        double share = tni_breaking_get_share(x * 0.3, 0.3), exact = 1.0 - exp(-x);
        cr_assert_float_eq(share, exact, x * x * x * x / 24.0 + 1e-15, "x = %g: %g, not %g", x,
                           share, exact);
    }
}

Test(breaking_share, is_one_without_a_time_and_never_more) {
    cr_assert(tni_breaking_get_share(0.01, 0.0) == 1.0);
    cr_assert(tni_breaking_get_share(1e300, 1e-300) == 1.0);
    double x = 1.0;
    for (int i = 0; i < 18; ++i, x *= 3.0) {
        double share = tni_breaking_get_share(x, 1.0);
        cr_assert(share > 0.6 && share <= 1.0);
    }
}
