// core/polar.c: the rotation nearest to a matrix.
//
// The rotation that makes tr(R^T A) greatest has the quaternion q that makes q^T N q greatest, N a
// symmetric 4 x 4 matrix of sums and differences of A's elements: q is its eigenvector with the
// greatest eigenvalue, found by cyclic Jacobi rotations. It needs no start, so that equal matrices
// give equal bits, and needs no case for A that mirrors. The other way, A^T A and its root, loses
// half the digits.
// Source: B. Horn, "Closed-form solution of absolute orientation using unit quaternions", Journal
// of the Optical Society of America A 4, 1987, 4.A. Test: tests/core/test_polar.c
#include "core/polar.h"

#define POLAR_MOST_SWEEPS 12

// Fills N in the order w, x, y, z.
static void polar_fill(const tni_dmat3 *a, double n[4][4]) {
    const double(*m)[3] = a->m;
    n[0][0] = m[0][0] + m[1][1] + m[2][2];
    n[1][1] = m[0][0] - m[1][1] - m[2][2];
    n[2][2] = m[1][1] - m[0][0] - m[2][2];
    n[3][3] = m[2][2] - m[0][0] - m[1][1];
    n[0][1] = n[1][0] = m[2][1] - m[1][2];
    n[0][2] = n[2][0] = m[0][2] - m[2][0];
    n[0][3] = n[3][0] = m[1][0] - m[0][1];
    n[1][2] = n[2][1] = m[0][1] + m[1][0];
    n[1][3] = n[3][1] = m[0][2] + m[2][0];
    n[2][3] = n[3][2] = m[1][2] + m[2][1];
}

// Turns rows and columns p and q so that n[p][q] is 0; returns false if it is round-off already.
static bool polar_turn(double n[4][4], double v[4][4], int p, int q) {
    double off = n[p][q];
    if (fabs(off) <= 1e-17 * (fabs(n[p][p]) + fabs(n[q][q])) || fabs(off) < DBL_MIN) {
        return false;
    }
    double theta = (n[q][q] - n[p][p]) / (2.0 * off);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 4; ++k) {
        double np = n[k][p], nq = n[k][q], vp = v[k][p], vq = v[k][q];
        n[k][p] = c * np - s * nq;
        n[k][q] = s * np + c * nq;
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
    for (int k = 0; k < 4; ++k) {
        double np = n[p][k], nq = n[q][k];
        n[p][k] = c * np - s * nq;
        n[q][k] = s * np + c * nq;
    }
    return true;
}

tni_dquat tni_polar_rotation(const tni_dmat3 *a, tni_dquat before) {
    double n[4][4], v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    polar_fill(a, n);
    bool has_turned = true;
    for (int sweep = 0; sweep < POLAR_MOST_SWEEPS && has_turned; ++sweep) {
        has_turned = false;
        for (int p = 0; p < 3; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                has_turned = polar_turn(n, v, p, q) || has_turned;
            }
        }
    }
    int k = 0;
    for (int i = 1; i < 4; ++i) {
        k = n[i][i] > n[k][k] ? i : k;
    }
    tni_dquat q = dquat_normalize(dquat_make(v[1][k], v[2][k], v[3][k], v[0][k]));
    double along = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
    return along < 0.0 ? dquat_make(-q.x, -q.y, -q.z, -q.w) : q;
}
