// A stub: see tests/platforms/check_syntax.sh.
#ifndef STUB_MATH_H
#define STUB_MATH_H

#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define HUGE_VAL    __builtin_inf()
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x)    __builtin_isinf(x)
#define isnan(x)    __builtin_isnan(x)

double ceil(double x);
double copysign(double x, double sign);
double fabs(double x);
double floor(double x);
double fmax(double x, double y);
double fmin(double x, double y);
double fmod(double x, double y);
double frexp(double x, int *exponent);
double sqrt(double x);
float acosf(float x);
float cosf(float x);
float fabsf(float x);
float sinf(float x);
float sqrtf(float x);

#endif
