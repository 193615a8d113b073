// A stub: see tests/platforms/check_syntax.sh.
#include <stdint.h>

typedef enum clockid_t {
    CLOCK_MONOTONIC = 6,
    CLOCK_UPTIME_RAW = 8
} clockid_t;
uint64_t clock_gettime_nsec_np(clockid_t clock);
