// Trigonometry against the C library's, rotations against their matrices, eigenvalues and inverses
// against the products they must give back.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "core/maths.h"

static uint64_t random_state = 88172645463325252ull;

// Uniform in [-1, 1).
static double next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) * 0x1p-52 - 1.0;
}

static vec3s random_vec3(void) {
    float x = (float)next_random(), y = (float)next_random(), z = (float)next_random();
    return maths_vec3(x, y, z);
}

static tni_dvec3 random_dvec3(void) {
    double x = next_random(), y = next_random(), z = next_random();
    return dvec3_make(x, y, z);
}

static tni_dquat random_dquat(void) {
    double x = next_random(), y = next_random(), z = next_random(), w = next_random();
    return dquat_normalize(dquat_make(x, y, z, w));
}

static double dmat3_distance(const tni_dmat3 *a, const tni_dmat3 *b) {
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            largest = fmax(largest, fabs(a->m[i][j] - b->m[i][j]));
        }
    }
    return largest;
}

static double dvec3_distance(tni_dvec3 a, tni_dvec3 b) {
    return dvec3_length(dvec3_sub(a, b));
}

// ---- trigonometry ----

#define TRIGONOMETRY_ERROR 1e-14 // the promise of core/maths.h

static void expect_sine_and_cosine(double x) {
    cr_assert(fabs(tni_maths_sin(x) - sin(x)) < TRIGONOMETRY_ERROR, "sin %.17g", x);
    cr_assert(fabs(tni_maths_cos(x) - cos(x)) < TRIGONOMETRY_ERROR, "cos %.17g", x);
}

Test(maths, sine_and_cosine_are_exact_to_1e_14_up_to_a_million_radians) {
    static const double scales[] = {1e-10, 1e-3, 1.0, 3.2, 100.0, 1e4, 1e6};
    for (int s = 0; s < 7; ++s) {
        for (int i = 0; i < 100000; ++i) {
            expect_sine_and_cosine(next_random() * scales[s]);
        }
    }
    // At and beside multiples of pi/4, where the reduction changes over.
    for (int k = -1000000; k <= 1000000; k += 37) {
        double x = (double)k * (MATHS_PI / 4.0);
        expect_sine_and_cosine(x);
        expect_sine_and_cosine(nextafter(x, 1e9));
        expect_sine_and_cosine(nextafter(x, -1e9));
    }
    expect_sine_and_cosine(1e6);
    expect_sine_and_cosine(-1e6);
}

Test(maths, sine_and_cosine_take_any_number) {
    cr_assert_eq(tni_maths_sin(0.0), 0.0);
    cr_assert_eq(tni_maths_cos(0.0), 1.0);
    cr_assert(fabs(tni_maths_sin(1e9) - sin(1e9)) < 1e-6);
    double values[] = {1e12, -1e15, 1e300, DBL_MAX, DBL_MIN, 5e-324};
    for (int i = 0; i < 6; ++i) {
        cr_assert(fabs(tni_maths_sin(values[i])) <= 1.0);
        cr_assert(fabs(tni_maths_cos(values[i])) <= 1.0);
    }
    cr_assert(isnan(tni_maths_sin((double)INFINITY)) && isnan(tni_maths_cos(-(double)INFINITY)));
    cr_assert(isnan(tni_maths_sin((double)NAN)) && isnan(tni_maths_cos((double)NAN)));
}

Test(maths, arctangent_is_exact_to_1e_14) {
    for (int i = 0; i < 200000; ++i) {
        double y = next_random(), x = next_random();
        double scale = pow(10.0, 12.0 * next_random());
        cr_assert(fabs(tni_maths_atan2(y * scale, x) - atan2(y * scale, x)) < TRIGONOMETRY_ERROR);
        cr_assert(fabs(tni_maths_atan2(y, x) - atan2(y, x)) < TRIGONOMETRY_ERROR);
    }
    // Where one table entry takes over from the next.
    for (int i = 0; i <= 1000; ++i) {
        double t = (double)i / 1000.0;
        cr_assert(fabs(tni_maths_atan2(t, 1.0) - atan(t)) < TRIGONOMETRY_ERROR);
        cr_assert(fabs(tni_maths_atan2(-1.0, t) - atan2(-1.0, t)) < TRIGONOMETRY_ERROR);
    }
}

Test(maths, arctangent_knows_the_axes_and_the_origin) {
    cr_assert_eq(tni_maths_atan2(0.0, 0.0), 0.0);
    cr_assert_eq(tni_maths_atan2(0.0, 2.0), 0.0);
    cr_assert_eq(tni_maths_atan2(0.0, -2.0), MATHS_PI);
    cr_assert_eq(tni_maths_atan2(3.0, 0.0), MATHS_PI / 2.0);
    cr_assert_eq(tni_maths_atan2(-3.0, 0.0), -MATHS_PI / 2.0);
    cr_assert(fabs(tni_maths_atan2(DBL_MAX, DBL_MAX) - MATHS_PI / 4.0) < 1e-15);
    cr_assert(fabs(tni_maths_atan2(5e-324, 5e-324) - MATHS_PI / 4.0) < 1e-15);
    cr_assert_eq(tni_maths_atan2(DBL_MIN, DBL_MAX), 0.0);
    cr_assert(isnan(tni_maths_atan2((double)NAN, 1.0)));
    cr_assert(isnan(tni_maths_atan2(1.0, (double)NAN)));
    cr_assert(isnan(tni_maths_atan2((double)INFINITY, (double)INFINITY)));
}

// ---- scalars and vectors ----

Test(maths, inverse_of_what_cannot_be_inverted_is_zero) {
    cr_assert_eq(maths_inverse_or_zero(4.0f), 0.25f);
    cr_assert_eq(maths_inverse_or_zero(0.0f), 0.0f);
    cr_assert_eq(maths_inverse_or_zero(-2.0f), 0.0f);
    cr_assert_eq(maths_inverse_or_zero(1e-40f), 0.0f);
    cr_assert_eq(maths_inverse_or_zero((float)NAN), 0.0f);
    cr_assert_eq(maths_inverse_or_zero_d(8.0), 0.125);
    cr_assert_eq(maths_inverse_or_zero_d(0.0), 0.0);
    cr_assert_eq(maths_inverse_or_zero_d(5e-324), 0.0);
    cr_assert_eq(maths_clamp(5.0f, -1.0f, 2.0f), 2.0f);
    cr_assert_eq(maths_clamp(-5.0f, -1.0f, 2.0f), -1.0f);
    cr_assert_eq(maths_clamp(0.5f, -1.0f, 2.0f), 0.5f);
}

Test(maths, a_perpendicular_is_a_unit_vector_at_right_angles) {
    for (int i = 0; i < 10000; ++i) {
        vec3s n = maths_vec3_normalize_or(random_vec3(), maths_vec3(1.0f, 0.0f, 0.0f));
        vec3s p = maths_vec3_perpendicular(n);
        cr_assert(fabsf(glms_vec3_dot(n, p)) < 1e-6f);
        cr_assert(fabsf(glms_vec3_dot(p, p) - 1.0f) < 1e-6f);
    }
    for (int axis = 0; axis < 3; ++axis) {
        vec3s n = maths_vec3_zero();
        n.raw[axis] = -1.0f;
        cr_assert(fabsf(glms_vec3_dot(n, maths_vec3_perpendicular(n))) < 1e-6f);
    }
}

Test(maths, a_vector_without_length_takes_the_fallback) {
    vec3s up = maths_vec3(0.0f, 1.0f, 0.0f);
    cr_assert_eq(maths_vec3_normalize_or(maths_vec3_zero(), up).y, 1.0f);
    cr_assert_eq(maths_vec3_normalize_or(maths_vec3(1e-30f, 0.0f, 0.0f), up).y, 1.0f);
    cr_assert_eq(maths_vec3_normalize_or(maths_vec3((float)NAN, 0.0f, 0.0f), up).y, 1.0f);
    cr_assert_eq(maths_vec3_normalize_or(maths_vec3(0.0f, 0.0f, -3.0f), up).z, -1.0f);
}

// ---- quaternions ----

Test(maths, a_quaternion_turns_a_vector_as_its_matrix_does) {
    for (int i = 0; i < 10000; ++i) {
        tni_dquat q = random_dquat();
        tni_dvec3 v = random_dvec3();
        tni_dmat3 m = dmat3_from_quat(q);
        tni_dvec3 turned = dquat_rotate(q, v);
        cr_assert(dvec3_distance(turned, dmat3_mul_vec(&m, v)) < 1e-14);
        cr_assert(dvec3_distance(dquat_rotate_inverse(q, turned), v) < 1e-14);
        // Float does the same to its own precision.
        vec3s f = maths_rotate(dquat_to_float(q), dvec3_to_float(v));
        cr_assert(dvec3_distance(dvec3_from_float(f), turned) < 2e-6);
        vec3s back = maths_rotate_inverse(dquat_to_float(q), f);
        cr_assert(dvec3_distance(dvec3_from_float(back), v) < 4e-6);
    }
}

Test(maths, a_product_of_quaternions_turns_by_the_right_one_first) {
    for (int i = 0; i < 10000; ++i) {
        tni_dquat p = random_dquat(), q = random_dquat();
        tni_dvec3 v = random_dvec3();
        tni_dvec3 expected = dquat_rotate(p, dquat_rotate(q, v));
        cr_assert(dvec3_distance(dquat_rotate(dquat_mul(p, q), v), expected) < 1e-14);
        versors product = maths_quat_mul(dquat_to_float(p), dquat_to_float(q));
        vec3s f = maths_rotate(product, dvec3_to_float(v));
        cr_assert(dvec3_distance(dvec3_from_float(f), expected) < 4e-6);
        tni_dmat3 mp = dmat3_from_quat(p), mq = dmat3_from_quat(q);
        tni_dmat3 mpq = dmat3_mul(&mp, &mq), direct = dmat3_from_quat(dquat_mul(p, q));
        cr_assert(dmat3_distance(&mpq, &direct) < 1e-14);
    }
}

Test(maths, x_turned_by_a_quarter_about_z_is_y) {
    double half = sqrt(0.5);
    tni_dvec3 y = dquat_rotate(dquat_make(0.0, 0.0, half, half), dvec3_make(1.0, 0.0, 0.0));
    cr_assert(dvec3_distance(y, dvec3_make(0.0, 1.0, 0.0)) < 1e-15);
}

Test(maths, a_quaternion_without_length_becomes_the_identity) {
    cr_assert_eq(dquat_normalize(dquat_make(0.0, 0.0, 0.0, 0.0)).w, 1.0);
    cr_assert_eq(maths_quat_normalize(maths_quat(0.0f, 0.0f, 0.0f, 0.0f)).raw[3], 1.0f);
    cr_assert_eq(dquat_normalize(dquat_make((double)NAN, 0.0, 0.0, 0.0)).w, 1.0);
}

Test(maths, the_rotation_between_two_directions_takes_one_to_the_other) {
    vec3s x = maths_vec3(1.0f, 0.0f, 0.0f);
    for (int i = 0; i < 10000; ++i) {
        vec3s a = maths_vec3_normalize_or(random_vec3(), x);
        // Every third pair is opposite, up to the last bits.
        vec3s b = maths_vec3_normalize_or(random_vec3(), x);
        b = i % 3 == 0 ? maths_vec3(-a.x, -a.y, -a.z) : b;
        vec3s turned = maths_rotate(maths_quat_between(a, b), a);
        cr_assert(fabsf(turned.x - b.x) < 2e-3f && fabsf(turned.y - b.y) < 2e-3f &&
                  fabsf(turned.z - b.z) < 2e-3f);
    }
    versors none = maths_quat_between(x, x);
    cr_assert_eq(none.raw[3], 1.0f);
}

Test(maths, the_cayley_map_is_the_exponential_to_second_order) {
    for (int i = 0; i < 1000; ++i) {
        tni_dvec3 r = dvec3_scale(random_dvec3(), 1e-2);
        double angle = dvec3_length(r);
        double s = tni_maths_sin(0.5 * angle) / angle;
        tni_dquat exact = dquat_make(s * r.x, s * r.y, s * r.z, tni_maths_cos(0.5 * angle));
        tni_dquat q = dquat_cayley(r);
        // The first difference is angle^3 / 24.
        cr_assert(fabs(q.x - exact.x) + fabs(q.y - exact.y) + fabs(q.z - exact.z) <
                  angle * angle * angle / 12.0);
        cr_assert(fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0) < 1e-15);
    }
}

// ---- symmetric matrices ----

// R diag(d) R^T of the result, against the matrix; and that R is a rotation.
Test(maths, the_turned_axes_are_the_columns_of_the_matrix) {
    for (int i = 0; i < 1000; ++i) {
        tni_dquat q = random_dquat();
        tni_dmat3 m = dmat3_from_quat(q);
        const tni_dvec3 axes[3] = {dquat_axis_x(q), dquat_axis_y(q), dquat_axis_z(q)};
        for (int k = 0; k < 3; ++k) {
            cr_assert(axes[k].x == m.m[0][k] && axes[k].y == m.m[1][k] && axes[k].z == m.m[2][k]);
        }
    }
}

Test(maths, renormalize_gives_unit_length_near_it_and_far_from_it) {
    const double scales[] = {1.0, 1.0 + 1e-15, 1.0 - 3e-9, 1.0 + 4e-7, 1.0 - 6e-7, 1.5, 1e-3};
    for (int i = 0; i < 1000; ++i) {
        tni_dquat q = random_dquat();
        for (int k = 0; k < 7; ++k) {
            double s = scales[k];
            tni_dquat r = dquat_renormalize(dquat_make(s * q.x, s * q.y, s * q.z, s * q.w));
            double square = r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w;
            cr_assert(fabs(square - 1.0) < 1e-15, "%g: %g", s, square - 1.0);
        }
    }
}

static void expect_diagonalized(const tni_dmat3 *a, double scale) {
    tni_dvec3 values;
    tni_dquat rotation;
    tni_maths_diagonalize(a, &values, &rotation);
    double norm = rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z +
                  rotation.w * rotation.w;
    cr_assert(fabs(norm - 1.0) < 1e-14);
    tni_dmat3 r = dmat3_from_quat(rotation);
    tni_dmat3 product = dmat3_rotate_diagonal(&r, values);
    cr_assert(dmat3_distance(&product, a) < 1e-14 * scale, "off by %g",
              dmat3_distance(&product, a) / scale);
}

Test(maths, diagonalize_gives_the_matrix_back) {
    for (int i = 0; i < 20000; ++i) {
        tni_dmat3 r = dmat3_from_quat(random_dquat());
        double spread = pow(10.0, 8.0 * next_random());
        tni_dvec3 d = dvec3_make(1.0 + next_random(), 1.0 + next_random(), 1.0 + next_random());
        d.z *= spread;
        tni_dmat3 a = dmat3_rotate_diagonal(&r, d);
        a.m[1][0] = a.m[0][1];
        a.m[2][0] = a.m[0][2];
        a.m[2][1] = a.m[1][2];
        expect_diagonalized(&a, 4.0 + 4.0 * d.z);
    }
}

Test(maths, diagonalize_takes_equal_zero_and_tiny_values) {
    for (int i = 0; i < 5000; ++i) {
        tni_dmat3 r = dmat3_from_quat(random_dquat());
        tni_dvec3 cases[] = {{2.0, 2.0, 2.0}, {3.0, 3.0, 1.0}, {1.0, 1.0, 1.0 + 1e-15},
                             {1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {-1.0, 2.0, 0.5}};
        for (int k = 0; k < 6; ++k) {
            tni_dmat3 a = dmat3_rotate_diagonal(&r, cases[k]);
            a.m[1][0] = a.m[0][1];
            a.m[2][0] = a.m[0][2];
            a.m[2][1] = a.m[1][2];
            expect_diagonalized(&a, 4.0);
        }
        tni_dmat3 tiny = dmat3_rotate_diagonal(&r, dvec3_make(1e-20, 2e-20, 3e-20));
        tiny.m[1][0] = tiny.m[0][1];
        tiny.m[2][0] = tiny.m[0][2];
        tiny.m[2][1] = tiny.m[1][2];
        expect_diagonalized(&tiny, 12e-20);
    }
}

Test(maths, diagonalize_leaves_a_diagonal_matrix_in_its_order) {
    tni_dmat3 a = {{{3.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 2.0}}};
    tni_dvec3 values;
    tni_dquat rotation;
    tni_maths_diagonalize(&a, &values, &rotation);
    cr_assert(values.x == 3.0 && values.y == 1.0 && values.z == 2.0);
    cr_assert(rotation.x == 0.0 && rotation.y == 0.0 && rotation.z == 0.0 && rotation.w == 1.0);
}

Test(maths, diagonalize_of_no_number_ends) {
    tni_dmat3 a = {{{1.0, (double)NAN, 0.0}, {(double)NAN, 1.0, 0.0}, {0.0, 0.0, 2.0}}};
    tni_dvec3 values;
    tni_dquat rotation;
    tni_maths_diagonalize(&a, &values, &rotation);
    cr_assert(isnan(values.x));
}

Test(maths, the_inverse_times_the_matrix_is_the_identity) {
    tni_dmat3 identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    for (int i = 0; i < 20000; ++i) {
        tni_dmat3 r = dmat3_from_quat(random_dquat());
        double smallest = pow(10.0, -6.0 * fabs(next_random()));
        tni_dmat3 a = dmat3_rotate_diagonal(&r, dvec3_make(1.0, 0.5, smallest));
        tni_dmat3 inverse;
        cr_assert(tni_maths_invert_spd(&a, &inverse));
        tni_dmat3 product = dmat3_mul(&a, &inverse);
        // Round-off grows with the condition number.
        cr_assert(dmat3_distance(&product, &identity) < 1e-14 / smallest);
        cr_assert_eq(inverse.m[0][1], inverse.m[1][0]);
        cr_assert_eq(inverse.m[1][2], inverse.m[2][1]);
    }
}

Test(maths, a_matrix_that_is_not_positive_definite_has_no_inverse) {
    tni_dmat3 kept = {{{7.0, 0.0, 0.0}, {0.0, 7.0, 0.0}, {0.0, 0.0, 7.0}}};
    for (int i = 0; i < 5000; ++i) {
        tni_dmat3 r = dmat3_from_quat(random_dquat());
        tni_dvec3 cases[] = {{1.0, 2.0, -0.1}, {1.0, -1.0, 1.0}, {-1.0, -1.0, -1.0}};
        for (int k = 0; k < 3; ++k) {
            tni_dmat3 a = dmat3_rotate_diagonal(&r, cases[k]);
            tni_dmat3 inverse = kept;
            cr_assert_not(tni_maths_invert_spd(&a, &inverse));
            cr_assert_eq(dmat3_distance(&inverse, &kept), 0.0);
        }
    }
    tni_dmat3 zero = {{{0.0}}};
    tni_dmat3 singular = {{{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    tni_dmat3 broken = {{{1.0, 0.0, 0.0}, {0.0, (double)NAN, 0.0}, {0.0, 0.0, 1.0}}};
    tni_dmat3 inverse = kept;
    cr_assert_not(tni_maths_invert_spd(&zero, &inverse));
    cr_assert_not(tni_maths_invert_spd(&singular, &inverse));
    cr_assert_not(tni_maths_invert_spd(&broken, &inverse));
    cr_assert_eq(dmat3_distance(&inverse, &kept), 0.0);
}

Test(maths, what_is_rounding_becomes_a_float_of_zero) {
    vec3s v = dvec3_to_float(dvec3_make(9e-16, -9e-16, -2e-15));
    cr_assert(v.x == 0.0f && v.y == 0.0f && v.z == -2e-15f);
    v = dvec3_to_float(dvec3_make((double)NAN, (double)INFINITY, 1.0));
    cr_assert(isnan(v.x) && isinf(v.y) && v.z == 1.0f);
}

Test(maths, a_turn_of_less_than_half_is_read_back) {
    const double angles[] = {0.0, 1e-13, 1e-6, 0.5, 2.0, 3.1};
    tni_dvec3 axis = dvec3_make(0.48, -0.6, 0.64);
    tni_dquat from = dquat_normalize(dquat_make(0.2, -0.1, 0.4, 0.8));
    for (int i = 0; i < 6; ++i) {
        tni_dvec3 w = dvec3_scale(axis, 0.5 * angles[i]);
        tni_dquat to = dquat_mul(dquat_turn(w, 2.0), from);
        tni_dvec3 turn = dquat_get_turn(from, to);
        cr_expect(dvec3_length(dvec3_sub(turn, dvec3_scale(w, 2.0))) < 1e-14 + 1e-14 * angles[i]);
    }
}

Test(maths, a_turn_of_more_than_half_is_read_back_the_other_way_round) {
    tni_dvec3 w = dvec3_make(0.0, 0.0, 1.5 * MATHS_PI);
    tni_dvec3 turn = dquat_get_turn(dquat_identity(), dquat_turn(w, 1.0));
    cr_expect(fabs(turn.z + 0.5 * MATHS_PI) < 1e-14);
}
