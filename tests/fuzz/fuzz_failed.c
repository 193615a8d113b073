// tests/fuzz/fuzz_failed.c: seeds that once failed, which every run begins with.
//
// A seed stands for its numbers as the generator draws them: whoever changes what is drawn looks
// here whether a fault is still met, and finds another seed for it.
#include "fuzz.h"

const fuzz_seed fuzz_failed[] = {
    // A thin sheet lost a corner.
    {"hull", 1170},
    // A point in the plane of a base, beyond its edges, was lost.
    {"hull", 26259},
    {"hull", 36653},
    // The tip of a needle was taken for a corner on a straight edge.
    {"hull", 26939},
    // A ray left a hull before it entered it, by round-off, at a corner.
    {"hull", 12532},
    // A ray shorter than 1e-162 m had no normal.
    {"hull", 14170},
    {"mesh", 17785},
    // A box was rounded, and held a shape that it does not touch.
    {"hull", 29736},
    {"hull", 43055},
    // A body in which others were sunk deep became infinitely fast.
    {"hull", 804},
    {"hull", 38095},
    {"hull", 41850},
    {"compound", 307},
    {"compound", 1168},
    {"compound", 12340},
    {"compound", 12822},
    {"compound", 14490},
    {"compound", 18582},
    // The point on which a long ellipsoid rolls left it.
    {"compound", 69919},
    // A ray had no normal at the tip of a cone.
    {"compound", 61615},
    // The inverse inertia of two lumps far apart was not positive.
    {"query", 514},
};
const uint32_t fuzz_failed_count = sizeof fuzz_failed / sizeof *fuzz_failed;
