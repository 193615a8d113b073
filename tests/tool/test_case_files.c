// tests/tool/test_case_files.c: wrong case files get one line that names the place, and exit
// status 2.
#ifdef TENON_TOOL_PATH

#include "tests/support/tool.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A right case; each wrong one has one of its parts replaced.
static const char *const case_text =
    "{\"case\": \"hang\", \"gravity\": [0, -9.81, 0], \"t_end\": 0.5, \"sample_dt\": 0.05,\n"
    " \"bodies\": [{\"name\": \"load\", \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [0, -1, "
    "0],\n"
    "   \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}],\n"
    " \"joints\": [{\"type\": \"distance\", \"name\": \"rod\", \"a\": \"world\", \"b\": \"load\",\n"
    "   \"anchor_a\": [0, 0, 0], \"anchor_b\": [0, -1, 0], \"length\": 1}],\n"
    " \"forces\": [{\"type\": \"force\", \"body\": \"load\", \"force\": [0, 0, 0]}],\n"
    " \"contacts\": {\"floor\": {\"normal\": [0, 1, 0], \"offset\": -5, \"friction\": 0.5}}}\n";

typedef struct wrong_case {
    const char *name, *part, *instead, *line;
} wrong_case;

static const wrong_case wrong_cases[] = {
    {"not JSON", "\"t_end\": 0.5,", "\"t_end\": 0.5,,", "line 1, column 58: not valid JSON"},
    {"text behind the last brace", "\"friction\": 0.5}}}\n", "\"friction\": 0.5}}}\n}",
     "line 8, column 1: expected the end of the file"},
    {"a key that stands twice", "\"mass\": 2", "\"mass\": 2, \"mass\": 3",
     "bodies[0]: the key \"mass\" stands twice"},
    {"too many steps", "\"t_end\": 0.5", "\"t_end\": 1e12",
     "t_end: 1e+12 s at 60 Hz are too many steps"},
    {"NaN", "\"mass\": 2", "\"mass\": NaN", "line 2, column 38: not valid JSON"},
    {"infinite", "\"mass\": 2", "\"mass\": 1e999",
     "bodies[0].mass: expected a number, found a number that is not finite"},
    {"no name", "\"case\": \"hang\", ", "", "case: expected a text, found nothing"},
    {"no end", "\"t_end\": 0.5,", "", "t_end: expected a number, found nothing"},
    {"end before the start", "\"t_end\": 0.5", "\"t_end\": -1",
     "t_end: expected a number above 0, found -1"},
    {"no mass", "\"mass\": 2, ", "", "bodies[0].mass: expected a number, found nothing"},
    {"a text for a mass", "\"mass\": 2", "\"mass\": \"2\"",
     "bodies[0].mass: expected a number, found a text"},
    {"mass 0", "\"mass\": 2", "\"mass\": 0", "bodies[0].mass: expected a number above 0, found 0"},
    {"a short vector", "\"position\": [0, -1, 0]", "\"position\": [0, -1]",
     "bodies[0].position: expected 3 numbers, found 2"},
    {"inertia with two rows", "\"inertia\": [1, 1, 1]", "\"inertia\": [[1, 0, 0], [0, 1, 0]]",
     "bodies[0].inertia: expected 3 numbers, or 3 rows of 3 numbers"},
    {"lopsided inertia", "\"inertia\": [1, 1, 1]",
     "\"inertia\": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]",
     "bodies[0].inertia: expected a symmetric matrix"},
    {"negative inertia", "\"inertia\": [1, 1, 1]", "\"inertia\": [1, -1, 1]",
     "bodies[0].inertia: expected moments above 0 about every axis"},
    {"inertia that is not positive", "\"inertia\": [1, 1, 1]",
     "\"inertia\": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]",
     "bodies[0].inertia: expected moments above 0 about every axis"},
    {"inertia of no body", "\"inertia\": [1, 1, 1]",
     "\"inertia\": [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 3]]",
     "bodies[0].inertia: a principal moment is larger than the sum of the other two"},
    {"a number too large", "\"position\": [0, -1, 0]", "\"position\": [0, -1e30, 0]",
     "bodies[0].position[1]: expected a number, found -1e+30, which is too large"},
    {"a joint that bears less than nothing", "\"length\": 1", "\"length\": 1, \"break_force\": -1",
     "joints[0].break_force: expected a number >= 0, found -1"},
    {"a break time in the past", "\"length\": 1", "\"length\": 1, \"break_time\": -1",
     "joints[0].break_time: expected a number >= 0, found -1"},
    {"two axes that bear", "\"length\": 1", "\"length\": 1, \"break_linear\": [1, null]",
     "joints[0].break_linear: expected 3 numbers, found 2"},
    {"an axis that bears a text", "\"length\": 1",
     "\"length\": 1, \"break_angular\": [1, \"2\", null]",
     "joints[0].break_angular[1]: expected a number >= 0 or null"},
    {"restitution 2", "\"friction\": 0.5", "\"restitution\": 2",
     "contacts.floor.restitution: expected a number of at most 1, found 2"},
    {"a quaternion of length 2", "\"mass\": 2", "\"orientation\": [0, 0, 0, 2], \"mass\": 2",
     "bodies[0].orientation: expected a unit quaternion, found one of length 2"},
    {"a body called world", "\"name\": \"load\"", "\"name\": \"world\"",
     "bodies[0].name: expected a name other than \"world\""},
    {"an unknown shape", "\"sphere\"", "\"torus\"",
     "bodies[0].shape.type: \"torus\" is not known; expected one of rod, sphere, box, cylinder, "
     "convex"},
    {"a ball without radius", ", \"radius\": 0.1", "",
     "bodies[0].shape.radius: expected a number, found nothing"},
    {"a particle that is yes", "\"mass\": 2", "\"particle\": \"yes\", \"mass\": 2",
     "bodies[0].particle: expected true or false, found a text"},
    {"a particle that spins", "\"mass\": 2",
     "\"particle\": true, \"angular_velocity\": [0, 1, 0], \"mass\": 2",
     "bodies[0]: A particle has no angular velocity."},
    {"a flat hull", "\"sphere\"",
     "\"convex\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
     "bodies[0]: A hull needs"},
    {"an unknown joint", "\"type\": \"distance\"", "\"type\": \"glue\"",
     "joints[0].type: \"glue\" is not known; expected one of distance, rope, ball, hinge, slider, "
     "fixed, universal, cylindrical, planar, motor, gear, rack_pinion, screw, pulley"},
    {"a cross with arms askew", "\"type\": \"distance\"",
     "\"type\": \"universal\", \"axis_a\": [0, 1, 0], \"axis_b\": [0, 1, 1]",
     "joints[0].axis_b: expected an axis perpendicular to \"axis_a\""},
    {"a gear", "\"type\": \"distance\"", "\"type\": \"gear\"",
     "joints[0].axis_a: expected an array of numbers, found nothing"},
    {"a gear against nothing", "\"type\": \"distance\"",
     "\"reference\": \"stars\", \"type\": \"gear\"",
     "joints[0].reference: \"stars\" is not known; expected one of centers, axes, world"},
    {"a rack without a ratio", "\"type\": \"distance\"",
     "\"axis_a\": [0, 0, 1], \"axis_b\": [0, 1, 0], \"type\": \"rack_pinion\"",
     "joints[0].ratio: expected a number, found nothing"},
    {"a screw without a lead", "\"type\": \"distance\"",
     "\"anchor\": [0, 0, 0], \"axis\": [0, 0, 1], \"lead\": 0, \"type\": \"screw\"",
     "joints[0].lead: expected a number other than 0"},
    {"a pulley", "\"type\": \"distance\"", "\"type\": \"pulley\"",
     "joints[0].ground_a: expected an array of numbers, found nothing"},
    {"an unknown body", "\"b\": \"load\"", "\"b\": \"lode\"",
     "joints[0].b: no body has the name \"lode\"; expected that of a body, or \"world\""},
    {"a joint of the world with itself", "\"b\": \"load\"", "\"b\": \"world\"",
     "joints[0]: expected two different ends \"a\" and \"b\""},
    {"a hinge without an axis", "\"type\": \"distance\"", "\"type\": \"hinge\"",
     "joints[0].axis: expected an array of numbers, found nothing"},
    {"an axis of length 0", "\"type\": \"distance\"", "\"axis\": [0, 0, 0], \"type\": \"hinge\"",
     "joints[0].axis: expected a direction, found a vector of length 0"},
    {"a motor without a hinge", "\"type\": \"distance\"",
     "\"axis\": [0, 0, 1], \"speed\": 1, \"type\": \"motor\"",
     "joints[0]: a motor needs a hinge between the same bodies along the same axis"},
    {"an unknown force", "\"type\": \"force\"", "\"type\": \"wind\"",
     "forces[0].type: \"wind\" is not known; expected one of spring_damper, force, torque"},
    {"a force on the world", "\"body\": \"load\"", "\"body\": \"world\"",
     "forces[0].body: expected the name of a body"},
    {"negative friction", "\"friction\": 0.5", "\"friction\": -0.5",
     "contacts.floor.friction: expected a number of at least 0, found -0.5"},
    {"contacts of an unknown body", "\"friction\": 0.5", "\"bodies\": [\"lode\"]",
     "contacts.floor.bodies[0]: expected the name of a body"},
    {"release of no joint", "\"t_end\": 0.5",
     "\"release\": {\"angle_deg\": 30, \"remove_joint\": \"sling\"}, \"t_end\": 0.5",
     "release.remove_joint: no distance joint or rope has the name \"sling\""},
    {"an unknown kind", "\"t_end\": 0.5", "\"kind\": \"guess\", \"t_end\": 0.5",
     "kind: expected \"trajectory\" or \"criteria\", found \"guess\""},
    {"criteria without scenarios", "\"t_end\": 0.5", "\"kind\": \"criteria\", \"t_end\": 0.5",
     "scenarios: expected an array, found nothing"},
};

#define WRONG_COUNT (sizeof wrong_cases / sizeof wrong_cases[0])

static void replace(const char *part, const char *instead, char *out, size_t size) {
    const char *at = strstr(case_text, part);
    cr_assert_not_null(at, "the case has no %s", part);
    snprintf(out, size, "%.*s%s%s", (int)(at - case_text), case_text, instead, at + strlen(part));
}

Test(case_files, right_one_runs) {
    char path[1024];
    tool_write_file("case_right.json", case_text, path, sizeof path);
    tool_result result = tool_run("run '%s' --quiet", path);
    cr_assert_eq(result.status, 0, "%s", result.text);
    cr_assert_str_empty(result.text);
}

Test(case_files, wrong_ones_get_one_line_that_names_the_place) {
    for (size_t i = 0; i < WRONG_COUNT; i++) {
        const wrong_case *wrong = &wrong_cases[i];
        char text[4096], path[1024], line[1536];
        replace(wrong->part, wrong->instead, text, sizeof text);
        tool_write_file("case_wrong.json", text, path, sizeof path);
        tool_result result = tool_run("run '%s'", path);
        snprintf(line, sizeof line, "%s: %s", path, wrong->line);
        cr_expect_eq(result.status, 2, "%s: status %d", wrong->name, result.status);
        cr_expect_eq(tool_count_lines(result.text), 1, "%s: %s", wrong->name, result.text);
        cr_expect_eq(strncmp(result.text, line, strlen(line)), 0, "%s:\n  %s\n  %s", wrong->name,
                     line, result.text);
    }
}

// The last value of a name in the lines t,name,value.
static double last_value(const char *text, const char *name) {
    double value = (double)NAN;
    char key[64];
    snprintf(key, sizeof key, ",%s,", name);
    for (const char *at = strstr(text, key); at != NULL; at = strstr(at + 1, key)) {
        value = strtod(at + strlen(key), NULL);
    }
    return value;
}

// Each bears what it should: its load's weight of 10 N where its axis does not lead down, and of
// the torque of 3 N·m about the shaft, 2 about an arm of the cross, the first.
// 1e18 N on 1e-18 kg.
Test(case_files, a_body_that_turns_non_finite_fails_the_run_by_name_and_time) {
    static const char *const text =
        "{\"case\": \"wild\", \"gravity\": [0, 0, 0], \"t_end\": 0.5, \"bodies\": ["
        "{\"name\": \"calm\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [9, 0, 0]},"
        "{\"name\": \"wild\", \"mass\": 1e-18, \"inertia\": [1e-18, 1e-18, 1e-18], "
        "\"position\": [0, 0, 0]}],"
        "\"forces\": [{\"type\": \"force\", \"body\": \"wild\", \"force\": [1e18, 0, 0]}]}";
    char path[1024];
    tool_write_file("case_wild.json", text, path, sizeof path);
    tool_result result = tool_run("run '%s' --quiet", path);
    cr_assert_eq(result.status, 1, "status %d: %s", result.status, result.text);
    const char *line = "step 1, 0.0166667 s: the state of the body \"wild\" became non-finite";
    cr_assert_not_null(strstr(result.text, line), "%s", result.text);
}

// Read in quadratic time they take 45 s.
Test(case_files, a_list_of_70000_vertices_is_refused_at_once, .timeout = 10) {
    const char *before = strstr(case_text, "\"sphere\", \"radius\": 0.1");
    size_t room = strlen(case_text) + 70000 * 16, used = (size_t)(before - case_text);
    char *text = malloc(room), path[1024];
    memcpy(text, case_text, used);
    used += (size_t)snprintf(text + used, room - used, "\"convex\", \"vertices\": [[0, 0, 0]");
    for (int i = 1; i < 70000; i++) {
        used += (size_t)snprintf(text + used, room - used, ",[%d,%d,%d]", i % 7, i % 11, i % 13);
    }
    snprintf(text + used, room - used, "]%s", before + strlen("\"sphere\", \"radius\": 0.1"));
    tool_write_file("case_large.json", text, path, sizeof path);
    free(text);
    tool_result result = tool_run("run '%s' --quiet", path);
    cr_assert_eq(result.status, 2, "%s", result.text);
    cr_assert_not_null(strstr(result.text, "bodies[0]: A hull"), "%s", result.text);
    cr_assert_not_null(strstr(result.text, "65535 points"), "%s", result.text);
}

// Each has lists of its own. In quadratic time they take a minute.
Test(case_files, names_of_60000_bodies_are_compared_at_once, .timeout = 10) {
    static const char *const body = "{\"name\": \"b%d\", \"mass\": 1, \"inertia\": [1, 1, 1], "
                                    "\"position\": [%d, 0, 0], \"linear_velocity\": [0, 0, 0], "
                                    "\"angular_velocity\": [0, 0, 0]},\n";
    size_t room = 60001 * (strlen(body) + 8) + 256, used = 0;
    char *text = malloc(room), path[1024];
    used += (size_t)snprintf(text, room,
                             "{\"case\": \"many\", \"gravity\": [0, 0, 0], \"t_end\": 1, "
                             "\"bodies\": [");
    for (int i = 0; i < 60000; i++) {
        used += (size_t)snprintf(text + used, room - used, body, i, 2 * i);
    }
    snprintf(text + used, room - used,
             "{\"name\": \"b7\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0, 0]}]}");
    tool_write_file("case_many.json", text, path, sizeof path);
    free(text);
    tool_result result = tool_run("run '%s' --quiet", path);
    cr_assert_eq(result.status, 2, "%s", result.text);
    const char *line = "bodies[60000].name: two bodies have the name \"b7\"";
    cr_assert_not_null(strstr(result.text, line), "%s", result.text);
}

Test(case_files, joints_with_several_values_hold_what_they_should) {
    static const char *const text =
        "{\"case\": \"wide\", \"gravity\": [0, -10, 0], \"t_end\": 1, \"bodies\": ["
        "{\"name\": \"u\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0, 0]},"
        "{\"name\": \"c\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 0, 0]},"
        "{\"name\": \"p\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [2, 0, 0]}],"
        "\"joints\": ["
        "{\"type\": \"universal\", \"b\": \"u\", \"anchor\": [0, 0, 0], "
        "\"axis_a\": [0, 1, 0], \"axis_b\": [0, 0, 1]},"
        "{\"type\": \"cylindrical\", \"b\": \"c\", \"anchor\": [1, 0, 0], \"axis\": [0, 1, 0]},"
        "{\"type\": \"planar\", \"b\": \"p\", \"anchor\": [2, 0, 0], \"axis\": [0, 1, 0]}],"
        "\"forces\": [{\"type\": \"torque\", \"body\": \"u\", \"torque\": [3, 0, 2]}]}";
    char path[1024], outputs[1024];
    tool_write_file("case_wide.json", text, path, sizeof path);
    tool_write_file("case_wide.csv", "", outputs, sizeof outputs);
    tool_result result = tool_run("run '%s' --quiet --solver direct --outputs '%s'", path, outputs);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *lines = tool_read_file(outputs);
    cr_assert_float_eq(last_value(lines, "world-u.force_y"), 10.0, 1e-3, "%s", lines);
    cr_assert_float_eq(last_value(lines, "world-u.torque_x"), -3.0, 1e-3);
    cr_assert_float_eq(last_value(lines, "world-u.torque_z"), 0.0, 1e-3);
    cr_assert_float_eq(last_value(lines, "world-c.force_y"), 0.0, 1e-3);
    cr_assert_float_eq(last_value(lines, "world-p.force_y"), 10.0, 1e-3);
    free(lines);
}

// Two loads of 20 N: one joint bears 15 of it, by what it averages from ln 4 tenths of a second on.
Test(case_files, joints_break_where_they_bear_too_little) {
    static const char *const text =
        "{\"case\": \"break\", \"gravity\": [0, -10, 0], \"t_end\": 1, \"bodies\": ["
        "{\"name\": \"p\", \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [0, -1, 0]},"
        "{\"name\": \"q\", \"mass\": 2, \"inertia\": [1, 1, 1], \"position\": [3, -1, 0]}],"
        "\"joints\": ["
        "{\"type\": \"ball\", \"b\": \"p\", \"anchor\": [0, 0, 0], "
        "\"break_linear\": [1, 15, null], \"break_time\": 0.1},"
        "{\"type\": \"ball\", \"b\": \"q\", \"anchor\": [3, 0, 0], "
        "\"break_linear\": [1, 25, 1], \"break_force\": 21}]}";
    char path[1024], events[1024];
    tool_write_file("case_break.json", text, path, sizeof path);
    tool_write_file("case_break.csv", "", events, sizeof events);
    tool_result result = tool_run("run '%s' --quiet --solver direct --events '%s'", path, events);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *lines = tool_read_file(events);
    const char *at = strstr(lines, ",break,");
    cr_assert_not_null(at, "%s", lines);
    cr_assert_null(strstr(at + 1, ",break,"), "%s", lines);
    while (at > lines && at[-1] != '\n') {
        at -= 1;
    }
    cr_assert_float_eq(strtod(at, NULL), 0.1 * log(4.0), 1.0 / 60.0, "%s", lines);
    free(lines);
}

// Two points of 1 and 3 kg on a pulley: the lighter goes up with g / 2, the other down.
Test(case_files, particles_go_without_inertia) {
    static const char *const text =
        "{\"case\": \"points\", \"gravity\": [0, -10, 0], \"t_end\": 1, \"bodies\": ["
        "{\"name\": \"p\", \"mass\": 1, \"particle\": true, \"position\": [-1, -5, 0]},"
        "{\"name\": \"q\", \"mass\": 3, \"particle\": true, \"position\": [1, -5, 0]}],"
        "\"joints\": [{\"type\": \"pulley\", \"a\": \"p\", \"b\": \"q\", "
        "\"anchor_a\": [-1, -5, 0], \"anchor_b\": [1, -5, 0], \"ground_a\": [-1, 0, 0], "
        "\"ground_b\": [1, 0, 0], \"ratio\": 1, \"length\": 10}]}";
    char path[1024], rows[1024];
    tool_write_file("case_points.json", text, path, sizeof path);
    tool_write_file("case_points.csv", "", rows, sizeof rows);
    tool_result result =
        tool_run("run '%s' --quiet --solver direct --csv '%s' --sample 1", path, rows);
    cr_assert_eq(result.status, 0, "%s", result.text);
    char *lines = tool_read_file(rows);
    double end[2] = {0.0, 0.0}; // their heights
    const char *const keys[2] = {"1,p,-1,", "1,q,1,"};
    for (int i = 0; i < 2; i++) {
        const char *at = strstr(lines, keys[i]);
        cr_assert_not_null(at, "%s", lines);
        end[i] = strtod(at + strlen(keys[i]), NULL);
    }
    cr_assert_float_eq(end[0], -2.5, 1e-6, "%s", lines);
    cr_assert_float_eq(end[1], -7.5, 1e-6, "%s", lines);
    free(lines);
}

Test(case_files, two_bodies_of_one_name_are_refused) {
    static const char *const text =
        "{\"case\": \"two\", \"gravity\": [0, 0, 0], \"t_end\": 1, \"bodies\": ["
        "{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [0, 0, 0]},"
        "{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"position\": [1, 0, 0]}]}";
    char path[1024];
    tool_write_file("case_two.json", text, path, sizeof path);
    tool_result result = tool_run("run '%s'", path);
    cr_assert_eq(result.status, 2);
    cr_assert_not_null(strstr(result.text, "bodies[1].name: two bodies have the name \"a\""));
}

Test(case_files, missing_and_empty_files_are_refused) {
    char path[1024];
    tool_result result = tool_run("run '%s'", tool_get_path("no_such_case.json"));
    cr_assert_eq(result.status, 2);
    cr_assert_not_null(strstr(result.text, "no_such_case.json: cannot be read"));
    tool_write_file("case_empty.json", "", path, sizeof path);
    result = tool_run("run '%s'", path);
    cr_assert_eq(result.status, 2);
    cr_assert_not_null(strstr(result.text, "not valid JSON"));
    tool_write_file("case_list.json", "[1, 2]", path, sizeof path);
    result = tool_run("run '%s'", path);
    cr_assert_eq(result.status, 2);
    cr_assert_not_null(strstr(result.text, "expected an object"));
}

#else
typedef int test_case_files_need_the_tool;
#endif
