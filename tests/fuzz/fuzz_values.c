// tests/fuzz/fuzz_values.c: draws numbers, poses and clouds of points, ordinary and hostile ones.
#include "fuzz.h"

#include <math.h>

// The generator is splitmix64: the same numbers on every platform.
static uint64_t fuzz_next(fuzz *f) {
    uint64_t z = f->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t fuzz_below(fuzz *f, uint32_t end) {
    return (uint32_t)(fuzz_next(f) >> 32) % end;
}

bool fuzz_chance(fuzz *f, uint32_t one_in) {
    return fuzz_below(f, one_in) == 0;
}

double fuzz_unit(fuzz *f) {
    return (double)(fuzz_next(f) >> 11) * 0x1p-53;
}

double fuzz_between(fuzz *f, double lower, double upper) {
    return lower + (upper - lower) * fuzz_unit(f);
}

double fuzz_spread(fuzz *f, double lower, double upper) {
    return lower * pow(upper / lower, fuzz_unit(f));
}

static double fuzz_any(fuzz *f) {
    static const double numbers[] = {
        (double)NAN,
        (double)INFINITY,
        -(double)INFINITY,
        1e308,
        -1e308,
        3.4e38,
        -3.4e38,
        1e30,
        -1e30,
        1e20,
        -1e15,
        1e12,
        1e9,
        -1e9,
        1e6,
        1e-6,
        1e-9,
        1e-15,
        1e-20,
        1e-30,
        1e-38,
        1.2e-45,
        5e-324,
        -1.0,
    };
    return numbers[fuzz_below(f, (uint32_t)(sizeof numbers / sizeof *numbers))];
}

double fuzz_number(fuzz *f) {
    if (f->is_hostile && fuzz_chance(f, 12)) {
        return fuzz_any(f);
    }
    switch (fuzz_below(f, 8)) {
    case 0:
        return 0.0;
    case 1:
        return fuzz_chance(f, 2) ? f->scale : -f->scale;
    default:
        return f->scale * fuzz_between(f, -2.0, 2.0);
    }
}

double fuzz_length(fuzz *f) {
    if (f->is_hostile && fuzz_chance(f, 12)) {
        return fuzz_any(f);
    }
    double share = fuzz_chance(f, 8) ? fuzz_spread(f, 1e-4, 1e2) : fuzz_spread(f, 0.05, 2.0);
    return fmin(fmax(f->scale * share, 1e-4), 1e4);
}

tn_vec3 fuzz_lengths(fuzz *f) {
    tn_vec3 lengths;
    lengths.x = fuzz_length(f);
    lengths.y = fuzz_length(f);
    lengths.z = fuzz_length(f);
    return lengths;
}

tn_vec3 fuzz_vector(fuzz *f) {
    tn_vec3 v;
    v.x = fuzz_number(f);
    v.y = fuzz_number(f);
    v.z = fuzz_number(f);
    return v;
}

tn_quat fuzz_rotation(fuzz *f) {
    static const tn_quat turns[] = {
        {0.0, 0.0, 0.0, 1.0}, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.5, 0.5}, {0.5, 0.5, 0.5, 0.5}};
    if (fuzz_chance(f, 4)) {
        return turns[fuzz_below(f, 4)];
    }
    tn_quat q;
    q.x = fuzz_between(f, -1.0, 1.0);
    q.y = fuzz_between(f, -1.0, 1.0);
    q.z = fuzz_between(f, -1.0, 1.0);
    q.w = fuzz_between(f, -1.0, 1.0) + 1e-3;
    return q;
}

tn_pose fuzz_pose(fuzz *f) {
    tn_pose pose;
    pose.position = fuzz_chance(f, 6) ? (tn_vec3){0} : fuzz_vector(f);
    pose.rotation = fuzz_rotation(f);
    return pose;
}

// ---- clouds -------------------------------------------------------------------------------------

static tn_vec3 fuzz_ball_point(fuzz *f) {
    for (;;) {
        tn_vec3 p;
        p.x = fuzz_between(f, -1.0, 1.0);
        p.y = fuzz_between(f, -1.0, 1.0);
        p.z = fuzz_between(f, -1.0, 1.0);
        double square = p.x * p.x + p.y * p.y + p.z * p.z;
        if (square < 1.0 && square > 0.01) {
            return p;
        }
    }
}

static tn_vec3 fuzz_cloud_point(fuzz *f, uint32_t kind, double thin) {
    tn_vec3 p = fuzz_ball_point(f);
    double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z), angle = 6.28318530718 * fuzz_unit(f);
    switch (kind) {
    case 0: // a sphere
        return (tn_vec3){p.x / length, p.y / length, p.z / length};
    case 1: // a needle
        return (tn_vec3){p.x, thin * p.y, thin * p.z};
    case 2: // a sheet
        return (tn_vec3){p.x, thin * p.y, p.z};
    case 3: // a tilted plane
        return (tn_vec3){p.x, 0.3 * p.x + 0.7 * p.z, p.z};
    case 4: // a line
        return (tn_vec3){p.x, 0.3 * p.x, -0.7 * p.x};
    case 5: // a grid
        return (tn_vec3){(double)fuzz_below(f, 4), (double)fuzz_below(f, 4),
                         (double)fuzz_below(f, 4)};
    case 6: // a prism
        return (tn_vec3){cos(angle), fuzz_chance(f, 2) ? 1.0 : -1.0, sin(angle)};
    case 7: // corners of a box
        return (tn_vec3){fuzz_chance(f, 2) ? 1.0 : -1.0, fuzz_chance(f, 2) ? 0.5 : -0.5,
                         fuzz_chance(f, 2) ? thin : -thin};
    case 8: // two places, and a little beside them
        return (tn_vec3){(fuzz_chance(f, 2) ? 1.0 : 0.0) + thin * p.x, thin * p.y, thin * p.z};
    default: // a ball
        return p;
    }
}

uint32_t fuzz_cloud(fuzz *f, tn_vec3 *points) {
    uint32_t kind = fuzz_below(f, 12);
    uint32_t count = fuzz_chance(f, 8) ? fuzz_below(f, FUZZ_MOST_POINTS) : 4 + fuzz_below(f, 40);
    double thin = fuzz_spread(f, 1e-9, 1.0);
    bool is_far = fuzz_chance(f, 6);
    tn_vec3 middle = is_far ? fuzz_ball_point(f) : (tn_vec3){0};
    double distance = f->scale * fuzz_spread(f, 1.0, 1e5);
    for (uint32_t i = 0; i < count; ++i) {
        tn_vec3 p = fuzz_cloud_point(f, kind, thin);
        points[i].x = f->scale * p.x + distance * middle.x;
        points[i].y = f->scale * p.y + distance * middle.y;
        points[i].z = f->scale * p.z + distance * middle.z;
        if (i > 0 && fuzz_chance(f, 10)) {
            points[i] = points[fuzz_below(f, i)];
        }
        if (f->is_hostile && fuzz_chance(f, 40)) {
            points[i] = fuzz_vector(f);
        }
    }
    return count;
}
