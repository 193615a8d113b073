// Reference cases. Mechanisms under the direct solver: as near to their solutions as a second-order
// method comes that solves all rows to round-off (RATTLE at 1/240 and 1/1000 s), within a factor of
// two. The errors measured stand beside the bars; docs/accuracy.md has all of them.
#ifdef TENON_TOOL_PATH

#include "tests/support/long_test.h"
#include "tests/support/tool.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reference_run {
    const char *name;
    double hz;
    int substeps;
    double time; // s
    double bar;  // m, of any centre of mass
} reference_run;

static cJSON *load_case(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/cases/%s.json", TENON_DATA_PATH, name);
    char *text = tool_read_file(path);
    cJSON *root = cJSON_Parse(text);
    cr_assert_not_null(root, "%s", path);
    free(text);
    return root;
}

// A column of a body's row of the reference.
static double get_number(const cJSON *bodies, const char *body, int row, int column) {
    const cJSON *rows = cJSON_GetObjectItem(bodies, body);
    const cJSON *number = cJSON_GetArrayItem(cJSON_GetArrayItem(rows, row), column);
    cr_assert(cJSON_IsNumber(number), "%s, row %d", body, row);
    return number->valuedouble;
}

// The greatest distance between the rows of a run and those of the reference at the same times.
static double measure_rows(const char *text, const cJSON *reference) {
    const cJSON *times = cJSON_GetObjectItem(reference, "times");
    const cJSON *bodies = cJSON_GetObjectItem(reference, "bodies");
    const int count = cJSON_GetArraySize(bodies), last = cJSON_GetArraySize(times) - 1;
    double worst = 0.0;
    int compared = 0;
    const char *line = strchr(text, '\n') + 1;
    for (int row = 0; *line != '\0'; line = strchr(line, '\n') + 1) {
        char body[64];
        double t, p[3];
        cr_assert_eq(sscanf(line, "%lf,%63[^,],%lf,%lf,%lf", &t, body, &p[0], &p[1], &p[2]), 5);
        while (row < last && cJSON_GetArrayItem(times, row)->valuedouble < t - 1e-9) {
            ++row;
        }
        if (fabs(cJSON_GetArrayItem(times, row)->valuedouble - t) > 1e-9) {
            continue;
        }
        double square = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            double difference = p[axis] - get_number(bodies, body, row, axis);
            square += difference * difference;
        }
        worst = sqrt(square) > worst ? sqrt(square) : worst;
        ++compared;
    }
    cr_assert(compared >= 2 * count, "%d rows", compared);
    return worst;
}

// Runs a case with its joints closed to 1e-6 m at every step.
static double measure(const reference_run *run) {
    char path[1024], file[64];
    snprintf(file, sizeof file, "reference_%s_%g.csv", run->name, run->hz);
    snprintf(path, sizeof path, "%s", tool_get_path(file));
    tool_result result =
        tool_run("run '%s/cases/%s.json' --solver direct --hz %g --substeps %d "
                 "--time %g --tolerance 1e-6 --csv '%s'",
                 TENON_DATA_PATH, run->name, run->hz, run->substeps, run->time, path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "1e-06 m: met"), "%s: %s", run->name, result.text);
    char *text = tool_read_file(path);
    cJSON *root = load_case(run->name);
    double worst = measure_rows(text, cJSON_GetObjectItem(root, "reference"));
    cJSON_Delete(root);
    free(text);
    return worst;
}

static void expect_within_bars(const reference_run *runs, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        double worst = measure(&runs[i]);
        cr_expect(worst < runs[i].bar, "%s at %g Hz: %.3g m, bar %.3g m", runs[i].name, runs[i].hz,
                  worst, runs[i].bar);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

LONG_TEST(reference, mechanisms_at_60_hz_are_as_near_as_rattle_at_240, .timeout = 120) {
    static const reference_run runs[] = {
        {"A01_pendulum", 60, 4, 10, 2.0e-3},        // 2.1e-4
        {"pendulum_rod_120", 60, 4, 10, 2.2e-3},    // 8.0e-5
        {"double_pendulum_rods", 60, 4, 5, 4.8e-3}, // 1.6e-3
        {"A02_fourbar_n2", 60, 4, 10, 2.4e-3},      // 2.1e-4
        {"A04_bricard", 60, 4, 10, 3.2e-3},         // 2.9e-5
        {"slider_crank_free", 60, 4, 2, 2.2e-3},    // 3.7e-5
        {"A02_fourbar_n1", 60, 4, 10, 2.4e-3},      // 2.2e-4; no bar of its own
        {"slider_crank_driven", 60, 4, 2, 1.5e-3},  // 1.4e-4; Box3D's at 1000 Hz
        {"bead_circle_v7", 60, 4, 10, 4.4e-3},      // 2.4e-3; RK4's at 60 Hz is 4.3e-2
        {"chain_10_rest", 60, 4, 5, 1e-6},          // 5e-13
        {"heavy_end_100", 60, 4, 5, 1e-6},          // 0
    };
    expect_within_bars(runs, COUNT(runs));
}

LONG_TEST(reference, mechanisms_at_1000_hz_are_as_near_as_rattle, .timeout = 120) {
    static const reference_run runs[] = {
        {"A01_pendulum", 1000, 1, 10, 1.2e-4},        // 1.1e-5
        {"pendulum_rod_120", 1000, 1, 10, 1.2e-4},    // 4.6e-6
        {"double_pendulum_rods", 1000, 1, 5, 3.2e-4}, // 9.0e-5
        {"A02_fourbar_n2", 1000, 1, 5, 8e-5},         // 5.7e-6 in 10 s
        {"A04_bricard", 1000, 1, 5, 2.4e-4},          // 1.4e-6 in 10 s
        {"slider_crank_free", 1000, 1, 2, 1.2e-4},    // 2.2e-6
        {"heavy_top_fast", 1000, 1, 1, 0.36},         // 2.0e-3 in 2 s
    };
    expect_within_bars(runs, COUNT(runs));
}

// Closed forms: what is left is the case's gravity and torque as floats.
Test(reference, transmissions_are_as_near_as_their_forces_are_to_floats) {
    static const reference_run runs[] = {
        {"atwood_3_2", 60, 4, 1, 1e-6},          // 4.2e-8
        {"tackle_2", 60, 4, 1.5, 1e-6},          // 5.6e-8
        {"rack_drop", 60, 4, 1.5, 1e-6},         // 2.4e-7
        {"screw_drop", 60, 4, 1.5, 1e-6},        // 3.6e-8
        {"planet_on_carrier", 60, 4, 2, 1e-6},   // 2.2e-8
        {"planet_on_carrier", 1000, 1, 2, 1e-6}, // 2.2e-8
    };
    expect_within_bars(runs, COUNT(runs));
}

// rad: the greatest turn between the rows of a run and those of the reference: twice the distance
// of the quaternions.
static double measure_turns(const char *text, const cJSON *reference) {
    const cJSON *times = cJSON_GetObjectItem(reference, "times");
    const cJSON *bodies = cJSON_GetObjectItem(reference, "bodies");
    const char *line = strchr(text, '\n') + 1;
    double worst = 0.0;
    int compared = 0;
    for (int row = 0; *line != '\0'; line = strchr(line, '\n') + 1) {
        char body[64];
        double t, p[3], q[4], same = 0.0, opposite = 0.0;
        cr_assert_eq(sscanf(line, "%lf,%63[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf", &t, body, &p[0], &p[1],
                            &p[2], &q[0], &q[1], &q[2], &q[3]),
                     9);
        for (; cJSON_GetArrayItem(times, row)->valuedouble < t - 1e-9; ++row) {
        }
        if (fabs(cJSON_GetArrayItem(times, row)->valuedouble - t) > 1e-9) {
            continue;
        }
        for (int i = 0; i < 4; ++i) {
            double wanted = get_number(bodies, body, row, 3 + i);
            same += (q[i] - wanted) * (q[i] - wanted);
            opposite += (q[i] + wanted) * (q[i] + wanted);
        }
        worst = fmax(worst, 2.0 * sqrt(fmin(same, opposite)));
        ++compared;
    }
    cr_assert(compared > 40, "%d rows", compared);
    return worst;
}

// Wheels of 20 and 60 teeth, 9 turns of the small one.
Test(reference, gears_turn_as_far_as_they_should) {
    char path[1024];
    snprintf(path, sizeof path, "%s", tool_get_path("reference_gears.csv"));
    const double rates[] = {60, 1000};
    for (int i = 0; i < 2; ++i) {
        tool_result result =
            tool_run("run '%s/cases/gears_20_60.json' --solver direct --hz %g --substeps %d "
                     "--tolerance 1e-6 --csv '%s'",
                     TENON_DATA_PATH, rates[i], i == 0 ? 4 : 1, path);
        cr_assert_eq(result.status, 0, "%s", result.text);
        char *text = tool_read_file(path);
        cJSON *root = load_case("gears_20_60");
        double worst = measure_turns(text, cJSON_GetObjectItem(root, "reference"));
        cr_expect(worst < 1e-6, "%g Hz: %g rad", rates[i], worst); // 3.6e-7, 3.7e-8
        cJSON_Delete(root);
        free(text);
    }
}

// At 2.5e-5 s RATTLE leaves 1.1e-6 m, and the midpoint rule alone 2.6e-6.
Test(reference, squeezing_mechanism_is_right_at_small_steps) {
    static const reference_run runs[] = {
        {"A03_andrews", 10000, 1, 0.05, 3.6e-5}, // 2.4e-5
        {"A03_andrews", 40000, 1, 0.05, 2.2e-6}, // 4.8e-7
    };
    expect_within_bars(runs, COUNT(runs));
}

// The next row of a body in a run.
static bool read_row(const char **line, const char *body, double *out_row) {
    char name[64];
    for (; **line != '\0'; *line = strchr(*line, '\n') + 1) {
        int used;
        cr_assert_eq(sscanf(*line, "%lf,%63[^,],%n", &out_row[0], name, &used), 2);
        if (strcmp(name, body) != 0) {
            continue;
        }
        char *at = (char *)*line + used - 1;
        for (int i = 1; i < 14; ++i) {
            out_row[i] = strtod(at + 1, &at);
        }
        *line = strchr(*line, '\n') + 1;
        return true;
    }
    return false;
}

static char *run_and_read(const char *name, const char *arguments, const char **out_line) {
    char path[1024], file[64];
    snprintf(file, sizeof file, "reference_rows_%s.csv", name);
    snprintf(path, sizeof path, "%s", tool_get_path(file));
    tool_result result = tool_run("run '%s/cases/%s.json' %s --quiet --csv '%s'", TENON_DATA_PATH,
                                  name, arguments, path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *text = tool_read_file(path);
    *out_line = strchr(text, '\n') + 1;
    return text;
}

static void rotate(const double *q, const double *v, double *out) {
    double t[3], u[3] = {q[0], q[1], q[2]};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        t[i] = 2.0 * (u[j] * v[k] - u[k] * v[j]);
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = v[i] + q[3] * t[i] + u[j] * t[k] - u[k] * t[j];
    }
}

// R I R^T w of a row: its columns are time, position, quaternion, velocity, angular velocity.
static void get_spin(const double *row, const double *inertia, double *out) {
    const double back[4] = {-row[4], -row[5], -row[6], row[7]};
    double local[3];
    rotate(back, row + 11, local);
    for (int i = 0; i < 3; ++i) {
        local[i] *= inertia[i];
    }
    rotate(row + 4, local, out);
}

Test(reference, a_free_box_keeps_its_attitude_and_its_momentum) {
    cJSON *root = load_case("boxes_complex");
    const cJSON *body = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "bodies"), 0);
    const char *name = cJSON_GetObjectItem(body, "name")->valuestring;
    const cJSON *reference = cJSON_GetObjectItem(root, "reference");
    const cJSON *bodies = cJSON_GetObjectItem(reference, "bodies");
    double inertia[3], start[3], row[14], turned = 0.0, lost = 0.0;
    for (int i = 0; i < 3; ++i) {
        const cJSON *moments = cJSON_GetObjectItem(body, "inertia");
        inertia[i] = cJSON_GetArrayItem(moments, i)->valuedouble;
    }
    const char *line;
    char *text = run_and_read("boxes_complex", "--hz 60 --substeps 4", &line);
    int count = 0;
    for (; read_row(&line, name, row); ++count) {
        double spin[3], dot = 0.0, square = 0.0, size = 0.0;
        get_spin(row, inertia, spin);
        for (int i = 0; i < 3; ++i) {
            start[i] = count == 0 ? spin[i] : start[i];
            square += (spin[i] - start[i]) * (spin[i] - start[i]);
            size += start[i] * start[i];
        }
        for (int i = 0; i < 4; ++i) {
            dot += row[4 + i] * get_number(bodies, name, count, 3 + i);
        }
        turned = fmax(turned, 2.0 * acos(fmin(fabs(dot), 1.0)));
        lost = fmax(lost, sqrt(square / size));
    }
    cr_assert_geq(count, cJSON_GetArraySize(cJSON_GetObjectItem(reference, "times")));
    cr_expect(turned < 5e-3, "%g rad", turned); // 6.9e-4
    cr_expect(lost < 1e-6, "%g", lost);         // 3.3e-15
    cJSON_Delete(root);
    free(text);
}

Test(reference, a_trebuchet_throws_as_far_as_it_should) {
    const char *line;
    char *text = run_and_read("trebuchet_12m", "--hz 60 --substeps 4", &line);
    double row[14];
    int count = 0;
    while (read_row(&line, "projectile", row)) {
        ++count;
    }
    cr_assert(count > 100);
    // From there on it flies: until its centre is a radius above the ground.
    double rise = row[9], height = row[2] - 0.2;
    double time = (rise + sqrt(rise * rise + 2.0 * 9.81 * height)) / 9.81;
    double range = row[1] + row[8] * time;
    cr_expect(fabs(range - 359.1890244837) < 3e-3 * 359.0, "%.7g m", range); // 1.5e-5
    free(text);
}

#else

typedef int test_reference_needs_the_tool;

#endif
