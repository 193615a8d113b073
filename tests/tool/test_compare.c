// tests/tool/test_compare.c: what `tenon compare` says of the methods is what theory says of them.
#ifdef TENON_TOOL_PATH

#include "tests/support/long_test.h"
#include "tests/support/tool.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES TENON_DATA_PATH "/cases/"

// One line of the table of one rate; energies as shares.
typedef struct compare_line {
    double gap, energy_end, energy, path, us, cost;
} compare_line;

static compare_line get_line(const char *text, const char *method) {
    compare_line line = {0};
    char start[64];
    snprintf(start, sizeof start, "\n| %-40s | ", method);
    const char *at = strstr(text, start);
    cr_assert_not_null(at, "no %s:\n%s", method, text);
    int found = sscanf(at + strlen(start), "%lf | %lf | %lf | %lf | %lf | %lf |", &line.gap,
                       &line.energy_end, &line.energy, &line.path, &line.us, &line.cost);
    cr_assert_eq(found, 6, "%s: %s", method, at);
    line.energy_end *= 0.01;
    line.energy *= 0.01;
    return line;
}

// From the table of an error at two rates: the order in its last column.
static double get_order(const char *text, const char *head, const char *method) {
    char start[64];
    double coarse, fine, order;
    const char *at = strstr(text, head);
    cr_assert_not_null(at, "%s", text);
    snprintf(start, sizeof start, "\n| %-40s | ", method);
    at = strstr(at, start);
    cr_assert_not_null(at, "no %s:\n%s", method, text);
    int found = sscanf(at + strlen(start), "%lf | %lf | %lf |", &coarse, &fine, &order);
    cr_assert_eq(found, 3, "%s: %s", method, at);
    cr_expect(fabs(log(coarse / fine) / log(2.0) - order) < 0.15, "%g, %g: %g", coarse, fine,
              order);
    return order;
}

typedef struct compare_order {
    const char *method;
    double order;
} compare_order;

static void expect_orders(const char *arguments, const compare_order *orders, size_t count) {
    tool_result result = tool_run("compare %s", arguments);
    cr_assert_eq(result.status, 0, "%s", result.text);
    for (size_t i = 0; i < count; i++) {
        double order = get_order(result.text, "| largest path error, m ", orders[i].method);
        cr_expect(fabs(order - orders[i].order) < 0.25, "%s: %s: order %.2f", arguments,
                  orders[i].method, order);
    }
}

// Against the closed form, which thereby is the motion of the joints.
Test(compare, each_method_has_its_order_of_accuracy) {
    static const compare_order double_pendulum[] = {
        {"acceleration: explicit Euler", 1.0},
        {"acceleration: explicit Euler, feedback", 1.0},
        {"acceleration: symplectic Euler", 1.0},
        {"acceleration: RK4", 4.0},
        {"acceleration: RK4, feedback", 4.0},
        {"acceleration: RK4, projected after", 4.0},
        {"reduced coordinates: RK4", 4.0},
        {"velocities: Euler", 1.0},
        {"velocities: Euler, Baumgarte", 1.0},
        {"velocities: Euler, projected before", 1.0},
        {"velocities: Euler, projected after", 1.0},
        {"RATTLE", 2.0},
        {"direct (implicit midpoint)", 2.0},
    };
    static const compare_order others[] = {
        {"acceleration: RK4, projected after", 4.0},
        {"reduced coordinates: RK4", 4.0},
        {"RATTLE", 2.0},
        {"direct (implicit midpoint)", 2.0},
    };
    expect_orders("double_pendulum --time 0.5 --hz 120,240", double_pendulum, 13);
    expect_orders("bead --time 0.5 --hz 60,120", others, 4);
    expect_orders("pendulum --time 2 --hz 120,240", others, 4);
    // Here what is left of the direct solver's second order is less than its third.
    expect_orders("slider_crank --time 0.5 --hz 240,480", others, 3);
}

// Without feedback errors add up; what is projected, or solved for, is closed.
Test(compare, gaps_are_those_of_the_methods) {
    static const int rates[] = {60, 600};
    tool_result result;
    for (int i = 1; i >= 0; i--) {
        result = tool_run("compare bead --hz %d", rates[i]);
        cr_assert_eq(result.status, 0, "%s", result.text);
        double plain = get_line(result.text, "acceleration: RK4").gap;
        double fed = get_line(result.text, "acceleration: RK4, feedback").gap;
        cr_expect(fed < 0.02 * plain, "%g, %g", fed, plain);
        double euler = get_line(result.text, "velocities: Euler").gap;
        double baumgarte = get_line(result.text, "velocities: Euler, Baumgarte").gap;
        cr_expect(baumgarte < 0.05 * euler, "%g, %g", baumgarte, euler);
        static const char *const closed[] = {
            "acceleration: RK4, projected after", "velocities: Euler, projected after", "RATTLE",
            "direct (implicit midpoint)", "reduced coordinates: RK4"};
        for (size_t k = 0; k < sizeof closed / sizeof closed[0]; k++) {
            double gap = get_line(result.text, closed[k]).gap;
            cr_expect(gap < 1e-11, "%s: %g", closed[k], gap);
        }
    }
    // At 1/60 s explicit Euler leaves the circle of 1 m, with feedback it is gone altogether.
    cr_expect(get_line(result.text, "acceleration: explicit Euler").gap > 10.0);
    cr_expect_not_null(strstr(result.text, "explodes at 2."));
}

Test(compare, gauss_seidel_is_the_unit_of_cost) {
    tool_result result = tool_run("compare pendulum --time 1 --substeps 4");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "1 s in steps of 1/60 s of 4 substeps"));
    compare_line unit = get_line(result.text, "Gauss-Seidel");
    compare_line other = get_line(result.text, "direct (implicit midpoint)");
    cr_expect(unit.us > 0.0 && unit.cost == 1.0);
    cr_expect(fabs(other.cost - other.us / unit.us) < 0.1 * other.cost + 0.1);
}

Test(compare, says_which_methods_do_not_apply) {
    tool_result result = tool_run("compare piston --time 0.1");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "against the direct solver in 64 substeps"));
    cr_expect_not_null(strstr(result.text, "| RATTLE                                   | refused"));
    cr_expect_not_null(strstr(result.text, "| no closed form is known"));
    get_line(result.text, "Gauss-Seidel");
    get_line(result.text, "direct (implicit midpoint)");
    // Rigid joints, but no closed form: a fine run of the library is the reference.
    result = tool_run("compare chain --time 0.05");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "against RK4, projected, in 64 substeps"));
    cr_expect(get_line(result.text, "RATTLE").path < 1e-4);
}

// Two four-bar linkages in a row pass ten poses in which rows depend on others that do not else.
LONG_TEST(compare, accelerations_pass_singular_poses) {
    tool_result result = tool_run("compare '%s' --hz 240", CASES "A02_fourbar_n2.json");
    cr_assert_eq(result.status, 0, "%s", result.text);
    double projected = get_line(result.text, "acceleration: RK4, projected after").path;
    double fed = get_line(result.text, "acceleration: RK4, feedback").path;
    cr_expect(projected < 1e-5, "%g m", projected);
    cr_expect(fed < 5e-5, "%g m", fed);
}

// A force on the pendulum is not in the closed form.
Test(compare, closed_form_is_not_used_where_a_force_acts) {
    char path[1024];
    tool_result result = tool_run("compare '%s' --time 0.1", CASES "pendulum_rod_120.json");
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_not_null(strstr(result.text, "against reduced coordinates"));
    char *text = tool_read_file(CASES "pendulum_rod_120.json");
    static const char bodies[] = "\"bodies\":[{";
    const char *at = strstr(text, bodies);
    cr_assert_not_null(at);
    size_t size = strlen(text) + 256;
    char *with = malloc(size);
    snprintf(with, size,
             "%.*s\"forces\":[{\"type\":\"force\",\"body\":\"rod\",\"force\":[1,0,0]}],%s",
             (int)(at - text), text, at);
    tool_write_file("compare_force.json", with, path, sizeof path);
    free(text);
    free(with);
    result = tool_run("compare '%s' --time 0.1", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_expect_null(strstr(result.text, "against reduced coordinates"));
    cr_expect_not_null(strstr(result.text, "| no closed form is known"));
}

Test(compare, plots_over_time_and_over_the_step) {
    static const char *const rates[] = {"60", "60,120"};
    static const char *const labels[] = {"t [s]", "step [s]"};
    for (int i = 0; i < 2; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s", tool_get_path("compare.svg"));
        tool_result result =
            tool_run("compare double_pendulum --time 0.2 --hz %s --plot '%s'", rates[i], path);
        cr_assert_eq(result.status, 0, "%s", result.text);
        char *text = tool_read_file(path);
        cr_assert_eq(strncmp(text, "<svg ", 5), 0);
        cr_expect_null(strstr(text, "nan"));
        cr_expect_not_null(strstr(text, labels[i]));
        cr_expect_not_null(strstr(text, "largest joint gap"));
        cr_expect_not_null(strstr(text, "ms of computing for a second of motion"));
        cr_expect_not_null(strstr(text, "RATTLE"));
        free(text);
    }
}

typedef struct wrong_line {
    const char *arguments, *expected;
    int status;
} wrong_line;

Test(compare, wrong_command_lines_get_a_line) {
    static const wrong_line lines[] = {
        {"", "expected the name of a scene or the file of a case", 2},
        {"no_such_scene", "no scene has the name \"no_such_scene\"", 2},
        {"no_such_file.json", "no_such_file.json", 2},
        {"bead --hz 60,0", "--hz: expected up to 8 numbers above 0", 2},
        {"bead --hz 60,", "--hz: expected up to 8 numbers above 0", 2},
        {"bead --hz 1,2,3,4,5,6,7,8,9", "--hz: expected up to 8 numbers above 0", 2},
        {"bead --time -1", "--time: expected a number above 0", 2},
        {"bead --solver direct", "\"--solver\" is not an option", 2},
        {"bead --set no_such=1", "--set no_such: no such option", 2},
        {"bead --hz 1e9", "too many steps", 1},
        {"pyramid", "there are no joints to compare", 1},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        tool_result result = tool_run("compare %s", lines[i].arguments);
        cr_expect_eq(result.status, lines[i].status, "%s: status %d", lines[i].arguments,
                     result.status);
        cr_expect_eq(tool_count_lines(result.text), 1, "%s: %s", lines[i].arguments, result.text);
        cr_expect_not_null(strstr(result.text, lines[i].expected), "%s: %s", lines[i].arguments,
                           result.text);
    }
    tool_result result =
        tool_run("compare bead --time 0.1 --plot '%s'", tool_get_path("no_such_folder/file"));
    cr_expect_eq(result.status, 1);
    cr_expect_not_null(strstr(result.text, "cannot be written"));
}

#endif
