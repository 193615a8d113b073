// tests/tool/test_recording.c: `tenon record` writes a scene's steps, and `tenon replay` runs them
// again.
#ifdef TENON_TOOL_PATH

#include "tests/support/tool.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The last word of a text.
static const char *last_word(const char *text) {
    const char *space = strrchr(text, ' ');
    return space != NULL ? space + 1 : text;
}

Test(tool_recording, replay_ends_with_the_hash_of_the_recording) {
    char path[512];
    snprintf(path, sizeof path, "%s", tool_get_path("replay_ends.tenon"));
    tool_result made =
        tool_run("record chain '%s' --time 1 --set ratio=50 --set joint_iterations=6", path);
    cr_assert_eq(made.status, 0, "%s", made.text);
    cr_assert_not_null(strstr(made.text, "60 steps recorded"), "%s", made.text);
    tool_result again = tool_run("replay '%s' --workers 2", path);
    cr_assert_eq(again.status, 0, "%s", again.text);
    cr_assert_not_null(strstr(again.text, "60 steps replayed as they were recorded"), "%s",
                       again.text);
    cr_expect_str_eq(last_word(again.text), last_word(made.text));
    again = tool_run("replay '%s' --seek 45", path);
    cr_assert_eq(again.status, 0, "%s", again.text);
    cr_assert_not_null(strstr(again.text, "15 steps replayed"), "%s", again.text);
    cr_expect_str_eq(last_word(again.text), last_word(made.text));
}

Test(tool_recording, wrong_arguments_are_refused) {
    char path[512];
    tool_write_file("no_recording.tenon", "no recording", path, sizeof path);
    const char *const wrong[][2] = {
        {"record", "expected the name of a scene"},
        {"record car", "expected a file for the recording"},
        {"record nobody x.tenon", "no scene has the name"},
        {"record car x.tenon --set nothing=1", "no such option"},
        {"record car x.tenon --seek 3", "is not an option"},
        {"replay", "expected the file of a recording"},
        {"replay no_such_file", "no_such_file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tool_result result = tool_run("%s", wrong[i][0]);
        cr_expect_eq(result.status, 2, "%s", wrong[i][0]);
        cr_expect_not_null(strstr(result.text, wrong[i][1]), "%s: %s", wrong[i][0], result.text);
    }
    tool_result result = tool_run("replay '%s'", path);
    cr_expect_eq(result.status, 2);
    cr_expect_not_null(strstr(result.text, "not of an object of this kind"), "%s", result.text);
}

Test(tool_recording, file_that_cannot_be_written_fails) {
    tool_result result = tool_run("record pendulum '%s' --time 1", "/no/such/folder/x.tenon");
    cr_expect_eq(result.status, 1);
    cr_expect_not_null(strstr(result.text, "/no/such/folder/x.tenon"), "%s", result.text);
}

#else
typedef int test_recording_needs_the_tool;
#endif
