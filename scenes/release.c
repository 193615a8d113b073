// scenes/release.c: see scenes/release.h.
#include "scenes/release.h"

#define RELEASE_SHARE 0.75 // of the way to the moment that one cut goes
#define RELEASE_CLOSE 0.02 // of a step: from here the rate tells the moment well enough

double release_get_cut(double until, double left, double dt) {
    if (until > left) {
        return until < 2.0 * left && left > 0.1 * dt ? 0.5 * left : left;
    }
    return until > RELEASE_CLOSE * dt ? RELEASE_SHARE * until : until;
}
