// Scenes that fit something: where they come to rest, against the same fit worked out directly.
#include <math.h>
#include <stdio.h>

#include "scene_test.h"
#include "tests/support/long_test.h"

TestSuite(fit_scenes, .timeout = 60);

static tn_vec3 find(const scene_run *run, const char *kind, int index) {
    char name[32];
    snprintf(name, sizeof name, "%s_%d", kind, index);
    tn_body_id body = scene_run_find_body(run, name);
    cr_assert(body.value != 0, "%s", name);
    return tn_body_get_center(run->world, body);
}

// Gauss-Jordan without pivoting, of matrices that are positive: x of A x = b, in b.
static void solve(double *a, double *b, int n) {
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < n; ++i) {
            double factor = i == k ? 0.0 : a[i * n + k] / a[k * n + k];
            for (int j = 0; j < n; ++j) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; ++k) {
        b[k] /= a[k * n + k];
    }
}

// Gauss and Newton's way to the geometric fit: J^T J step = J^T r.
static void fit_circle(const scene_run *run, int count, double circle[3]) {
    for (int step = 0; step < 60; ++step) {
        double a[9] = {0.0}, b[3] = {0.0};
        for (int i = 0; i < count; ++i) {
            tn_vec3 p = find(run, "data", i);
            double x = circle[0] - p.x, y = circle[1] - p.y, apart = sqrt(x * x + y * y);
            const double j[3] = {x / apart, y / apart, -1.0};
            for (int k = 0; k < 9; ++k) {
                a[k] += j[k / 3] * j[k % 3];
            }
            for (int k = 0; k < 3; ++k) {
                b[k] += j[k] * (apart - circle[2]);
            }
        }
        solve(a, b, 3);
        for (int k = 0; k < 3; ++k) {
            circle[k] -= b[k];
        }
    }
}

Test(fit_scenes, a_circle_comes_to_rest_in_the_least_squares) {
    const double strengths[] = {100.0, 1e8};
    for (int i = 0; i < 2; ++i) {
        const scene_choice choices[3] = {{"strength", strengths[i]}};
        scene_run *run = run_scene("fit_circle", choices, 5.0);
        double circle[3] = {0.0, 0.5, 1.0};
        fit_circle(run, 24, circle);
        double x = get_figure(run, "center_x_m"), y = get_figure(run, "center_y_m");
        double r = get_figure(run, "radius_m");
        cr_assert(fabs(x - circle[0]) < 1e-6 && fabs(y - circle[1]) < 1e-6 &&
                      fabs(r - circle[2]) < 1e-6,
                  "%.9f %.9f %.9f, not %.9f %.9f %.9f", x, y, r, circle[0], circle[1], circle[2]);
        scene_run_destroy(run);
    }
}

// ---- spline ------------------------------------------------------------------------------------

#define CONTROLS 12

static int weigh(double u, double w[4]) {
    int segment = (int)fmin(floor(u), CONTROLS - 4);
    double t = u - segment;
    w[0] = (1.0 - 3.0 * t + 3.0 * t * t - t * t * t) / 6.0;
    w[1] = (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0;
    w[2] = (1.0 + 3.0 * t + 3.0 * t * t - 3.0 * t * t * t) / 6.0;
    w[3] = t * t * t / 6.0;
    return segment;
}

Test(fit_scenes, a_spline_comes_to_rest_where_the_normal_equations_say) {
    const double counts[] = {40.0, 200.0};
    for (int c = 0; c < 2; ++c) {
        int count = (int)counts[c];
        const scene_choice choices[3] = {{"points", counts[c]}, {"strength", 1e5}};
        scene_run *run = run_scene("fit_spline", choices, 4.0);
        double a[2][CONTROLS * CONTROLS] = {{0.0}}, b[2][CONTROLS] = {{0.0}};
        for (int i = 0; i < count; ++i) {
            double w[4];
            int first = weigh((CONTROLS - 3.0) * i / (count - 1), w);
            tn_vec3 p = find(run, "data", i);
            for (int k = 0; k < 4; ++k) {
                b[0][first + k] += w[k] * p.x;
                b[1][first + k] += w[k] * p.y;
                for (int l = 0; l < 4; ++l) {
                    a[0][(first + k) * CONTROLS + first + l] += w[k] * w[l];
                }
            }
        }
        memcpy(a[1], a[0], sizeof a[0]);
        solve(a[0], b[0], CONTROLS);
        solve(a[1], b[1], CONTROLS);
        for (int k = 0; k < CONTROLS; ++k) {
            tn_vec3 p = find(run, "control", k);
            cr_assert(fabs(p.x - b[0][k]) < 1e-6 && fabs(p.y - b[1][k]) < 1e-6,
                      "%d points: control %d: %.9f, %.9f, not %.9f, %.9f", count, k, p.x, p.y,
                      b[0][k], b[1][k]);
        }
        scene_run_destroy(run);
    }
}

// ---- linkage -----------------------------------------------------------------------------------

// The known one is that of scenes/fit_coupler.c. What is left of E is that of its path: nothing.
Test(fit_scenes, a_linkage_is_found_again_from_the_path_that_it_drew) {
    const scene_choice choices[3] = {{NULL, 0.0}};
    scene_run *run = run_scene("fit_coupler", choices, 2.0);
    // While the hand pulls.
    cr_assert(get_figure(run, "off_path_rms_m") > 5e-3);
    cr_assert(get_figure(run, "ground_m") > 1.1, "%g", get_figure(run, "ground_m"));
    scene_run_destroy(run);
    run = run_scene("fit_coupler", choices, 8.0);
    cr_assert(get_figure(run, "off_path_rms_m") < 1e-9, "%g", get_figure(run, "off_path_rms_m"));
    cr_assert(fabs(get_figure(run, "crank_m") - 0.5) < 1e-6);
    cr_assert(fabs(get_figure(run, "coupler_m") - 1.2) < 1e-6);
    cr_assert(fabs(get_figure(run, "rocker_m") - 1.1) < 1e-6);
    cr_assert(fabs(get_figure(run, "ground_m") - 1.0) < 1e-6);
    scene_run_destroy(run);
}

// ---- snake -------------------------------------------------------------------------------------

// On one blob it is a regular polygon of radius r, in which the springs pull inwards with
// 4 k r sin^2(pi / n) and the edge holds with -w (I - 1/4) I'.
LONG_TEST(fit_scenes, a_snake_lies_on_the_edge_as_far_as_its_springs_let_it) {
    const double stiffness = 200.0, w = 1e4, radius = 0.9;
    const scene_choice choices[3] = {{"blobs", 1.0}, {"stiffness", stiffness}, {"mobility", 1.0}};
    scene_run *run = run_scene("snake", choices, 15.0);
    double inner = 0.5, outer = radius, s = sin(acos(-1.0) / 60.0);
    for (int i = 0; i < 60; ++i) {
        double r = 0.5 * (inner + outer), q = r * r / (radius * radius);
        double brightness = 1.0 / ((1.0 + q) * (1.0 + q));
        double slope = -4.0 * r / (radius * radius) / ((1.0 + q) * (1.0 + q) * (1.0 + q));
        double outward = -w * (brightness - 0.25) * slope - 4.0 * stiffness * r * s * s;
        inner = outward > 0.0 ? r : inner;
        outer = outward > 0.0 ? outer : r;
    }
    for (int i = 0; i < 60; ++i) {
        tn_vec3 p = find(run, "bead", i);
        double r = sqrt(p.x * p.x + p.y * p.y);
        cr_assert(fabs(r - inner) < 1e-6, "bead %d: %.9f, not %.9f", i, r, inner);
    }
    scene_run_destroy(run);
}

Test(fit_scenes, a_snake_finds_the_edge_of_what_it_was_put_around) {
    const scene_choice choices[3] = {{NULL, 0.0}};
    scene_run *run = run_scene("snake", choices, 8.0);
    double off = get_figure(run, "off_edge_max_m");
    cr_assert(off < 2e-3, "%g m", off);
    scene_run_destroy(run);
}
