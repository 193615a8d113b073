// tests/support/places.h: how far the bodies of one world are from those of another.
#ifndef TESTS_SUPPORT_PLACES_H
#define TESTS_SUPPORT_PLACES_H

#include <math.h>

#include <tenon/machines.h>

// m, along the axis where it is most.
static inline double test_compare_places(const tn_world *a, const tn_body_id *of_a,
                                         const tn_world *b, const tn_body_id *of_b, int count) {
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        tn_vec3 p = tn_body_get_pose(a, of_a[i]).position;
        tn_vec3 q = tn_body_get_pose(b, of_b[i]).position;
        most = fmax(most, fmax(fabs(p.x - q.x), fmax(fabs(p.y - q.y), fabs(p.z - q.z))));
    }
    return most;
}

#endif
