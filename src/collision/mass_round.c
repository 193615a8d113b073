// collision/mass_round.c: see mass_round.h.
//
// A shape of revolution has the profile rho(y), and with it the volume pi S rho^2 dy, the moments
// pi S rho^2 y dy and pi S rho^2 y^2 dy, and the axial inertia pi/2 S rho^4 dy. A profile is made
// of lines, on which these are polynomials, and of arcs, on which they are polynomials of sine and
// cosine: Gauss' rule with five points in each of 16 parts leaves round-off.
//
// Any solid has, by the divergence theorem, with x on its surface and N the outward normal,
//     V = 1/3 S x.N dA,    V c = 1/4 S x (x.N) dA,    C = S x x^T dV = 1/5 S x x^T (x.N) dA.
// The surface of a rounded polyhedron is its faces, moved out by r, a part of a cylinder about each
// edge, and a part of a ball about each corner (J. Steiner, "Über parallele Flächen", 1840). The
// surface of a rounded ellipsoid has at x = p + r N
//     dA = (1 + 2 H r + K r^2) dA_p,    K = h^4 / (a b c)^2,
//     2 H = h^3 (a^2 + b^2 + c^2 - p.p) / (a b c)^2,    h = p.N.
// Test: tests/collision/test_mass.c
#include "collision/mass_round.h"

#include "core/dmat3.h"

#define MASS_GAUSS 5
static const double mass_nodes[MASS_GAUSS] = {-0.906179845938663992798, -0.538469310105683091036,
                                              0.0, 0.538469310105683091036,
                                              0.906179845938663992798};
static const double mass_weights[MASS_GAUSS] = {0.236926885056189087514, 0.478628670499366468041,
                                                0.568888888888888888889, 0.478628670499366468041,
                                                0.236926885056189087514};

// An arc, or a quarter turn of an ellipsoid, has this many parts; the part of a cylinder fewer.
#define MASS_PARTS      16
#define MASS_EDGE_PARTS 4
// A spherical triangle with a longer side than this is cut into four, at most so many times.
#define MASS_LONG 0.5
#define MASS_DEEP 4

// Returns the point `k` of Gauss' rule in part `i` of `parts` from a to b, and its weight.
static double mass_get_node(double a, double b, int parts, int i, int k, double *weight) {
    double half = 0.5 * (b - a) / parts;
    *weight = half * mass_weights[k];
    return a + half * (2.0 * i + 1.0 + mass_nodes[k]);
}

// ---- revolution ----------------------------------------------------------------------------

typedef struct mass_profile {
    double volume, moment, square, fourth; // S rho^2, rho^2 y, rho^2 y^2, rho^4 dy
} mass_profile;

static void mass_add_slice(mass_profile *sum, double y, double rho, double dy) {
    double square = rho * rho * dy;
    sum->volume += square;
    sum->moment += square * y;
    sum->square += square * y * y;
    sum->fourth += square * rho * rho;
}

static void mass_add_line(mass_profile *sum, double y, double rho, double to_y, double to_rho) {
    for (int k = 0; k < MASS_GAUSS; ++k) {
        double weight, t = mass_get_node(0.0, 1.0, 1, 0, k, &weight);
        mass_add_slice(sum, y + t * (to_y - y), rho + t * (to_rho - rho), weight * (to_y - y));
    }
}

// Adds an arc about a point of the profile's plane, from one angle of its normal to another, up
// from square to the axis.
static void mass_add_arc(mass_profile *sum, double y, double rho, double radius, double from,
                         double to) {
    for (int i = 0; i < MASS_PARTS && radius > 0.0; ++i) {
        for (int k = 0; k < MASS_GAUSS; ++k) {
            double weight, angle = mass_get_node(from, to, MASS_PARTS, i, k, &weight);
            double sine = tni_maths_sin(angle), cosine = tni_maths_cos(angle);
            mass_add_slice(sum, y + radius * sine, rho + radius * cosine, weight * radius * cosine);
        }
    }
}

static void mass_finish_profile(const mass_profile *sum, tni_mass_properties *out) {
    double inverse = maths_inverse_or_zero_d(sum->volume), y = sum->moment * inverse;
    double axial = 0.5 * sum->fourth * inverse;
    double transverse = 0.5 * axial + sum->square * inverse - y * y;
    tni_dmat3 identity = dmat3_from_quat(dquat_identity());
    out->volume = MATHS_PI * sum->volume;
    out->center = dvec3_make(0.0, y, 0.0);
    out->unit_inertia = dmat3_rotate_diagonal(&identity, dvec3_make(transverse, axial, transverse));
}

// Adds two arcs about points of the profile, and the line that is tangent to both.
static void mass_add_sides(mass_profile *sum, double half, const double centers[2],
                           const double radii[2], double sine) {
    double cosine = sqrt(maths_max_d(1.0 - sine * sine, 0.0)),
           angle = tni_maths_atan2(sine, cosine);
    mass_add_arc(sum, -half, centers[0], radii[0], -0.5 * MATHS_PI, angle);
    mass_add_line(sum, -half + radii[0] * sine, centers[0] + radii[0] * cosine,
                  half + radii[1] * sine, centers[1] + radii[1] * cosine);
    mass_add_arc(sum, half, centers[1], radii[1], angle, 0.5 * MATHS_PI);
}

void tni_mass_of_cylinder(const tni_geometry *geometry, tni_mass_properties *out) {
    double half = (double)geometry->cylinder.half_length, r = (double)geometry->rounding;
    const double rims[2] = {(double)geometry->cylinder.radius_bottom,
                            (double)geometry->cylinder.radius_top};
    const double radii[2] = {r, r};
    double slant = rims[0] - rims[1];
    mass_profile sum = {0.0, 0.0, 0.0, 0.0};
    mass_add_sides(&sum, half, rims, radii, slant / sqrt(4.0 * half * half + slant * slant));
    mass_finish_profile(&sum, out);
}

void tni_mass_of_tapered_capsule(const tni_geometry *geometry, tni_mass_properties *out) {
    double half = (double)geometry->tapered_capsule.half_length;
    const double centers[2] = {0.0, 0.0};
    const double radii[2] = {(double)geometry->tapered_capsule.radius_bottom,
                             (double)geometry->tapered_capsule.radius_top};
    mass_profile sum = {0.0, 0.0, 0.0, 0.0};
    mass_add_sides(&sum, half, centers, radii, (radii[0] - radii[1]) / (2.0 * half));
    mass_finish_profile(&sum, out);
}

// ---- surfaces ------------------------------------------------------------------------------

typedef struct mass_surface {
    double volume;     // S x.N dA
    tni_dvec3 moment;  // S x (x.N) dA
    tni_dmat3 squares; // S x x^T (x.N) dA
} mass_surface;

// Adds `area` at x, where x.N is `height`.
static void mass_add_area(mass_surface *sum, tni_dvec3 x, double height, double area) {
    double weight = height * area;
    const double at[3] = {x.x, x.y, x.z};
    sum->volume += weight;
    sum->moment = dvec3_add_scaled(sum->moment, weight, x);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum->squares.m[i][j] += weight * at[i] * at[j];
        }
    }
}

static void mass_finish_surface(const mass_surface *sum, tni_mass_properties *out) {
    double volume = sum->volume / 3.0, inverse = maths_inverse_or_zero_d(volume);
    out->volume = volume;
    out->center = dvec3_scale(sum->moment, 0.25 * inverse);
    const double c[3] = {out->center.x, out->center.y, out->center.z};
    double covariance[3][3], trace = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            covariance[i][j] = 0.2 * inverse * sum->squares.m[i][j] - c[i] * c[j];
        }
        trace += covariance[i][i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out->unit_inertia.m[i][j] = (i == j ? trace : 0.0) - covariance[i][j];
        }
    }
}

// ---- ellipsoids ----------------------------------------------------------------------------

// Adds the point p of the ellipsoid whose unrounded area is `area`, h from the tangent plane.
static void mass_add_offset(mass_surface *sum, const double axes[3], double r, const double u[3],
                            double solid_angle) {
    double product = axes[0] * axes[1] * axes[2], squares = 0.0, p[3], n[3], length = 0.0;
    for (int i = 0; i < 3; ++i) {
        p[i] = axes[i] * u[i];
        n[i] = u[i] / axes[i];
        length += n[i] * n[i];
        squares += axes[i] * axes[i] - p[i] * p[i];
    }
    double h = 1.0 / sqrt(length), cube = h * h * h / (product * product);
    double growth = 1.0 + r * (cube * squares + r * h * cube);
    tni_dvec3 x = dvec3_make(p[0] + r * h * n[0], p[1] + r * h * n[1], p[2] + r * h * n[2]);
    mass_add_area(sum, x, h + r, growth * product / h * solid_angle);
}

void tni_mass_of_ellipsoid(const tni_geometry *geometry, tni_mass_properties *out) {
    vec3s radii = geometry->ellipsoid.radii;
    double a = (double)radii.x, b = (double)radii.y, c = (double)radii.z;
    tni_dmat3 identity = dmat3_from_quat(dquat_identity());
    out->volume = 4.0 / 3.0 * MATHS_PI * a * b * c;
    out->center = dvec3_make(0.0, 0.0, 0.0);
    out->unit_inertia = dmat3_rotate_diagonal(
        &identity, dvec3_make(0.2 * (b * b + c * c), 0.2 * (a * a + c * c), 0.2 * (a * a + b * b)));
    if (geometry->rounding == 0.0f) {
        return;
    }
    const double axes[3] = {a, b, c};
    mass_surface sum = {0};
    for (int i = 0; i < MASS_PARTS * MASS_GAUSS; ++i) { // one of the eight equal parts
        double weight, up = mass_get_node(0.0, 0.5 * MATHS_PI, MASS_PARTS, i / MASS_GAUSS,
                                          i % MASS_GAUSS, &weight);
        double sine = tni_maths_sin(up), cosine = tni_maths_cos(up);
        for (int j = 0; j < MASS_PARTS * MASS_GAUSS; ++j) {
            double other, round = mass_get_node(0.0, 0.5 * MATHS_PI, MASS_PARTS, j / MASS_GAUSS,
                                                j % MASS_GAUSS, &other);
            const double u[3] = {cosine * tni_maths_cos(round), sine,
                                 cosine * tni_maths_sin(round)};
            mass_add_offset(&sum, axes, (double)geometry->rounding, u,
                            8.0 * weight * other * cosine);
        }
    }
    sum.moment = dvec3_make(0.0, 0.0, 0.0); // what the other parts cancel
    for (int i = 0; i < 9; ++i) {
        sum.squares.m[i / 3][i % 3] *= i / 3 == i % 3 ? 1.0 : 0.0;
    }
    mass_finish_surface(&sum, out);
}

// ---- rounded polyhedra ---------------------------------------------------------------------

static tni_dvec3 mass_get_corner(const tni_hull *hull, uint32_t edge) {
    return dvec3_from_float(hull->vertices[hull->half_edges[edge].origin]);
}

static tni_dvec3 mass_get_normal(const tni_hull *hull, uint32_t edge) {
    tni_dvec3 n = dvec3_from_float(hull->planes[hull->half_edges[edge].face].normal);
    return dvec3_scale(n, maths_inverse_or_zero_d(dvec3_length(n)));
}

// Adds a triangle: the sum of the products of corners is that of three points at the sides'
// middles, whose weights are equal.
static void mass_add_triangle(mass_surface *sum, tni_dvec3 a, tni_dvec3 b, tni_dvec3 c,
                              tni_dvec3 n) {
    tni_dvec3 across = dvec3_cross(dvec3_sub(b, a), dvec3_sub(c, a));
    double area = 0.5 * dvec3_dot(across, n), height = dvec3_dot(a, n);
    mass_add_area(sum, dvec3_scale(dvec3_add(a, b), 0.5), height, area / 3.0);
    mass_add_area(sum, dvec3_scale(dvec3_add(b, c), 0.5), height, area / 3.0);
    mass_add_area(sum, dvec3_scale(dvec3_add(c, a), 0.5), height, area / 3.0);
}

static void mass_add_faces(mass_surface *sum, const tni_hull *hull, double r) {
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        uint32_t first = hull->face_edges[f], e = hull->half_edges[first].next;
        tni_dvec3 n = mass_get_normal(hull, first), out = dvec3_scale(n, r);
        tni_dvec3 a = dvec3_add(mass_get_corner(hull, first), out);
        for (uint32_t next = hull->half_edges[e].next; next != first;
             next = hull->half_edges[e].next) {
            mass_add_triangle(sum, a, dvec3_add(mass_get_corner(hull, e), out),
                              dvec3_add(mass_get_corner(hull, next), out), n);
            e = next;
        }
    }
}

// Returns the unit vector a part t of the way from one to another that is `angle` off.
static tni_dvec3 mass_turn(tni_dvec3 from, tni_dvec3 to, double angle, double t) {
    double inverse = maths_inverse_or_zero_d(tni_maths_sin(angle));
    return dvec3_add_scaled(dvec3_scale(from, tni_maths_sin((1.0 - t) * angle) * inverse),
                            tni_maths_sin(t * angle) * inverse, to);
}

static double mass_get_angle(tni_dvec3 a, tni_dvec3 b) {
    return tni_maths_atan2(dvec3_length(dvec3_cross(a, b)), dvec3_dot(a, b));
}

static void mass_add_edges(mass_surface *sum, const tni_hull *hull, double r) {
    for (uint32_t e = 0; e < hull->half_edge_count; e += 2) {
        tni_dvec3 p = mass_get_corner(hull, e), q = mass_get_corner(hull, e + 1);
        tni_dvec3 from = mass_get_normal(hull, e), to = mass_get_normal(hull, e + 1);
        double angle = mass_get_angle(from, to), length = dvec3_length(dvec3_sub(q, p));
        for (int i = 0; i < MASS_EDGE_PARTS * MASS_GAUSS; ++i) {
            double weight, t = mass_get_node(0.0, 1.0, MASS_EDGE_PARTS, i / MASS_GAUSS,
                                             i % MASS_GAUSS, &weight);
            tni_dvec3 n = mass_turn(from, to, angle, t);
            for (int k = 0; k < MASS_GAUSS; ++k) {
                double along, s = mass_get_node(0.0, 1.0, 1, 0, k, &along);
                tni_dvec3 x = dvec3_add_scaled(p, s, dvec3_sub(q, p));
                x = dvec3_add_scaled(x, r, n);
                mass_add_area(sum, x, dvec3_dot(x, n), weight * angle * r * along * length);
            }
        }
    }
}

// Adds the part of the ball about v whose normals are in the triangle of a, b and c. From the flat
// triangle, y to m = y / |y|, the solid angle is det(a, b, c) / |y|^3.
static void mass_add_sector(mass_surface *sum, tni_dvec3 v, double r, const tni_dvec3 corners[3],
                            int depth) {
    tni_dvec3 a = corners[0], b = corners[1], c = corners[2];
    double longest =
        maths_max_d(mass_get_angle(a, b), maths_max_d(mass_get_angle(b, c), mass_get_angle(c, a)));
    if (longest > MASS_LONG && depth < MASS_DEEP) {
        tni_dvec3 ab = mass_turn(a, b, mass_get_angle(a, b), 0.5);
        tni_dvec3 bc = mass_turn(b, c, mass_get_angle(b, c), 0.5);
        tni_dvec3 ca = mass_turn(c, a, mass_get_angle(c, a), 0.5);
        const tni_dvec3 parts[4][3] = {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}};
        for (int i = 0; i < 4; ++i) {
            mass_add_sector(sum, v, r, parts[i], depth + 1);
        }
        return;
    }
    tni_dvec3 ab = dvec3_sub(b, a), ac = dvec3_sub(c, a);
    double volume = dvec3_dot(a, dvec3_cross(ab, ac));
    for (int i = 0; i < MASS_GAUSS; ++i) {
        double weight, s = mass_get_node(0.0, 1.0, 1, 0, i, &weight);
        for (int k = 0; k < MASS_GAUSS; ++k) {
            double other, t = mass_get_node(0.0, 1.0, 1, 0, k, &other);
            tni_dvec3 y = dvec3_add_scaled(dvec3_add_scaled(a, s * (1.0 - t), ab), s * t, ac);
            double length = dvec3_length(y);
            tni_dvec3 n = dvec3_scale(y, 1.0 / length), x = dvec3_add_scaled(v, r, n);
            double angle = volume * s * weight * other / (length * length * length);
            mass_add_area(sum, x, dvec3_dot(x, n), r * r * angle);
        }
    }
}

static void mass_add_corners(mass_surface *sum, const tni_hull *hull, double r) {
    for (uint32_t v = 0; v < hull->vertex_count; ++v) {
        uint32_t first = hull->vertex_edges[v], e = hull->half_edges[first ^ 1u].next;
        tni_dvec3 corner = mass_get_corner(hull, first), normal = mass_get_normal(hull, first);
        for (uint32_t next = hull->half_edges[e ^ 1u].next; next != first;
             next = hull->half_edges[e ^ 1u].next) {
            const tni_dvec3 corners[3] = {normal, mass_get_normal(hull, next),
                                          mass_get_normal(hull, e)};
            mass_add_sector(sum, corner, r, corners, 0);
            e = next;
        }
    }
}

void tni_mass_of_rounded_hull(const tni_hull *hull, double rounding, tni_mass_properties *out) {
    mass_surface sum = {0};
    mass_add_faces(&sum, hull, rounding);
    mass_add_edges(&sum, hull, rounding);
    mass_add_corners(&sum, hull, rounding);
    mass_finish_surface(&sum, out);
}
