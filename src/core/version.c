// core/version.c: which library runs.
// Test: tests/core/test_version.c
#include "core/base.h"

tn_version tn_get_version(void) {
    tn_version version = {TN_VERSION_MAJOR, TN_VERSION_MINOR, TN_VERSION_PATCH};
    return version;
}
