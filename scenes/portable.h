// scenes/portable.h: sines and the like that are the same on every platform.
//
// The library takes nothing from libm whose last bit a platform may choose; the scenes that are
// built for it would, and start a bit apart. Here each value of libm is rounded to a multiple of
// 2^-40, about 1e-12, in which its last bits are lost: tests/platforms compares what comes of it.
#ifndef SCENES_PORTABLE_H
#define SCENES_PORTABLE_H

#include <math.h>

static inline double portable_round(double x) {
    return ldexp(rint(ldexp(x, 40)), -40);
}

static inline double portable_sin(double x) {
    return portable_round(sin(x));
}
static inline double portable_cos(double x) {
    return portable_round(cos(x));
}
static inline double portable_tan(double x) {
    return portable_round(tan(x));
}
static inline double portable_asin(double x) {
    return portable_round(asin(x));
}
static inline double portable_acos(double x) {
    return portable_round(acos(x));
}
static inline double portable_atan(double x) {
    return portable_round(atan(x));
}
static inline double portable_atan2(double y, double x) {
    return portable_round(atan2(y, x));
}
static inline double portable_cbrt(double x) {
    return portable_round(cbrt(x));
}
static inline double portable_hypot(double x, double y) {
    return sqrt(x * x + y * y); // which every platform rounds correctly
}

#endif
