// bench/peers/principal.cpp: diagonalises a symmetric 3x3 matrix by Jacobi rotations.
//
// Each rotation by the angle that zeroes one off-diagonal element, tan 2t = 2 a_pq / (a_pp - a_qq);
// a few sweeps reach round-off (Golub and Van Loan, Matrix Computations, 4th ed., 2013,
// section 8.5).

#include "bench/peers/principal.h"

#include "bench/space.h"

namespace {

constexpr int sweep_count = 20;

// Rotates rows and columns p and q of `a` so that a[p][q] vanishes; `axes` gathers the rotations.
void rotate(double a[3][3], double axes[3][3], int p, int q) {
    double angle = 0.5 * std::atan2(2.0 * a[p][q], a[p][p] - a[q][q]);
    double c = std::cos(angle), s = std::sin(angle);
    for (int k = 0; k < 3; ++k) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp + s * kq;
        a[k][q] = c * kq - s * kp;
    }
    for (int k = 0; k < 3; ++k) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk + s * qk;
        a[q][k] = c * qk - s * pk;
        double kp = axes[k][p], kq = axes[k][q];
        axes[k][p] = c * kp + s * kq;
        axes[k][q] = c * kq - s * kp;
    }
}

// The quaternion of a rotation matrix, by its largest component.
tn_quat read_quaternion(const double m[3][3]) {
    double trace = m[0][0] + m[1][1] + m[2][2];
    int i = 0;
    for (int k = 1; k < 3; ++k) {
        i = m[k][k] > m[i][i] ? k : i;
    }
    if (trace > m[i][i]) {
        double s = 2.0 * std::sqrt(1.0 + trace);
        return {(m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s,
                0.25 * s};
    }
    double out[3];
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double s = 2.0 * std::sqrt(1.0 + m[i][i] - m[j][j] - m[k][k]);
    out[i] = 0.25 * s;
    out[j] = (m[j][i] + m[i][j]) / s;
    out[k] = (m[k][i] + m[i][k]) / s;
    return {out[0], out[1], out[2], (m[k][j] - m[j][k]) / s};
}

} // namespace

tn_pose principal_identity() {
    return {{0, 0, 0}, {0, 0, 0, 1}};
}

tn_pose principal_get_frame(const tn_mass *mass, tn_vec3 *out_moments) {
    const tn_mat3_symmetric &inertia = mass->inertia;
    double a[3][3] = {{inertia.xx, inertia.xy, inertia.xz},
                      {inertia.xy, inertia.yy, inertia.yz},
                      {inertia.xz, inertia.yz, inertia.zz}};
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double small = 1e-9 * (a[0][0] + a[1][1] + a[2][2]);
    for (int sweep = 0; sweep < sweep_count; ++sweep) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (std::fabs(a[p][q]) > small) {
                    rotate(a, axes, p, q);
                }
            }
        }
    }
    tn_pose frame = principal_identity();
    frame.position = {mass->center.x, mass->center.y, mass->center.z};
    frame.rotation = read_quaternion(axes);
    *out_moments = {a[0][0], a[1][1], a[2][2]};
    return frame;
}

tn_pose principal_invert(const tn_pose *pose) {
    tn_quat q = pose->rotation;
    tn_vec3 p = space_rotate_inverse(q, pose->position);
    return {{-p.x, -p.y, -p.z}, {-q.x, -q.y, -q.z, q.w}};
}
