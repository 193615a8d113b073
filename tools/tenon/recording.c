// tools/tenon/recording.c: records a scene to a file, and replays such a file or an application's.
//
// The note of a scene's recording is what rebuilds the scene: its name, and each option that was
// set, a line each. A recording with another note is replayed into an empty world.
#include "tools/tenon/recording.h"

#include "tools/tenon/file.h"
#include "tools/tenon/run.h"

#include <tenon/record.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDING_NOTE_SIZE 4096
#define RECORDING_MARK      "scene "

static int recording_fail(const char *error, int status) {
    fprintf(stderr, "tenon: %s\n", error);
    return status;
}

// ---- record -------------------------------------------------------------------------------------

static bool recording_write_note(const run_options *options, char note[RECORDING_NOTE_SIZE],
                                 char *error) {
    int size = snprintf(note, RECORDING_NOTE_SIZE, RECORDING_MARK "%s\n", options->subject);
    for (uint32_t i = 0; i < options->setting_count && size < RECORDING_NOTE_SIZE; i++) {
        size += snprintf(note + size, (size_t)(RECORDING_NOTE_SIZE - size), "%s\n",
                         options->settings[i]);
    }
    if (size >= RECORDING_NOTE_SIZE) {
        snprintf(error, OPTIONS_ERROR_SIZE, "--set: too many options for a recording");
    }
    return size < RECORDING_NOTE_SIZE;
}

static bool recording_take(const void *bytes, uint64_t size, void *user_data) {
    return fwrite(bytes, 1, (size_t)size, user_data) == size;
}

static bool recording_step_all(scene_run *run, const run_options *options, char *error) {
    double time = options->time > 0.0 ? options->time : run->scene->time;
    double steps = ceil(time * options->hz - 1e-6);
    if (!(steps < 4e9)) {
        snprintf(error, OPTIONS_ERROR_SIZE, "--time: %g s are too many steps", time);
        return false;
    }
    for (uint32_t i = 0; i < (uint32_t)steps; i++) {
        if (scene_run_step(run, 1.0 / options->hz, options->substeps) != TN_RESULT_OK) {
            snprintf(error, OPTIONS_ERROR_SIZE, "%s: step %u failed", run->scene->name,
                     (unsigned)i);
            return false;
        }
        if (!tn_record_is_active(run->world)) {
            snprintf(error, OPTIONS_ERROR_SIZE, "%s: could not be written", options->file);
            return false;
        }
    }
    return true;
}

static bool recording_record(scene_run *run, const run_options *options, const char *note,
                             char *error) {
    FILE *file = fopen(options->file, "wb");
    if (file == NULL) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: %s", options->file, strerror(errno));
        return false;
    }
    tn_record_def def = tn_record_def_default();
    def.write = recording_take;
    def.user_data = file;
    def.note = note;
    bool is_begun = tn_record_start(run->world, &def) == TN_RESULT_OK;
    bool has_stepped = is_begun && recording_step_all(run, options, error);
    bool is_ended = tn_record_stop(run->world) == TN_RESULT_OK;
    bool is_closed = fclose(file) == 0;
    if (has_stepped && !(is_ended && is_closed)) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: could not be written", options->file);
    } else if (!is_begun) {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s: the recording could not begin", options->file);
    }
    return has_stepped && is_ended && is_closed;
}

int record_command(const run_options *options) {
    char error[OPTIONS_ERROR_SIZE], note[RECORDING_NOTE_SIZE];
    const scene *kind = run_options_find_scene(options->subject, error);
    if (kind == NULL || !recording_write_note(options, note, error)) {
        return recording_fail(error, RUN_EXIT_WRONG);
    }
    tn_world_def def = tn_world_def_default();
    def.worker_count = options->workers;
    scene_run *run = run_options_build(options, kind, &def, error);
    if (run == NULL) {
        return recording_fail(error, RUN_EXIT_WRONG);
    }
    bool is_good = recording_record(run, options, note, error);
    if (is_good) {
        printf("%s: %" PRIu64 " steps recorded, hash %016" PRIx64 "\n", kind->name,
               tn_world_get_step_count(run->world), tn_world_get_hash(run->world));
    }
    scene_run_destroy(run);
    return is_good ? RUN_EXIT_OK : recording_fail(error, RUN_EXIT_FAILED);
}

// ---- replay -------------------------------------------------------------------------------------

// A recording, and the world that replays it.
typedef struct recording_replay {
    const run_options *options;
    char *bytes;
    uint64_t size;
    tn_recording_info info;
    scene_run *run; // null: the world is not a scene's
    tn_world *world;
    char error[OPTIONS_ERROR_SIZE];
} recording_replay;

static bool recording_read_file(recording_replay *replay) {
    const char *path = replay->options->subject;
    size_t size = 0;
    replay->bytes = file_read(path, &size);
    replay->size = size;
    if (replay->bytes == NULL) {
        snprintf(replay->error, OPTIONS_ERROR_SIZE, "%s: %s", path, strerror(errno));
        return false;
    }
    tn_result result = tn_recording_get_info(replay->bytes, replay->size, &replay->info);
    if (result != TN_RESULT_OK) {
        snprintf(replay->error, OPTIONS_ERROR_SIZE, "%s: %s", path, tn_result_text(result));
    }
    return result == TN_RESULT_OK;
}

static void recording_report(const tn_report *report, void *user_data) {
    recording_replay *replay = user_data;
    if (report->result != TN_RESULT_DIVERGED) { // that is told with its numbers
        fprintf(stderr, "tenon: %s: %s (%s)\n", report->function, report->message,
                tn_result_name(report->result));
    }
    snprintf(replay->error, OPTIONS_ERROR_SIZE, "%s: %s", replay->options->subject,
             tn_result_text(report->result));
}

// Builds the scene that a note names.
static bool recording_build_noted(recording_replay *replay, tn_world_def *def) {
    static char note[RECORDING_NOTE_SIZE]; // the options point into it
    snprintf(note, sizeof note, "%s", replay->info.note + strlen(RECORDING_MARK));
    run_options options = *replay->options;
    options.subject = strtok(note, "\n");
    for (char *line = strtok(NULL, "\n");
         line != NULL && options.setting_count < OPTIONS_MAX_SETTINGS; line = strtok(NULL, "\n")) {
        options.settings[options.setting_count++] = line;
    }
    const scene *kind =
        run_options_find_scene(options.subject != NULL ? options.subject : "", replay->error);
    replay->run = kind != NULL ? run_options_build(&options, kind, def, replay->error) : NULL;
    replay->world = replay->run != NULL ? replay->run->world : NULL;
    return replay->run != NULL;
}

static bool recording_build_world(recording_replay *replay) {
    tn_world_def def = tn_world_def_default();
    def.report = recording_report;
    def.report_user_data = replay;
    def.worker_count = replay->options->workers;
    if (strncmp(replay->info.note, RECORDING_MARK, strlen(RECORDING_MARK)) == 0) {
        return recording_build_noted(replay, &def);
    }
    replay->world = tn_world_create(&def, NULL);
    return replay->world != NULL;
}

static void recording_print_info(const recording_replay *replay) {
    const tn_recording_info *info = &replay->info;
    printf("%s: %" PRIu64 " steps, %" PRIu64 " key frames, recorded by tenon %u.%u.%u%s\n",
           replay->run != NULL ? replay->run->scene->name : replay->options->subject,
           info->step_count, info->key_count, (unsigned)(info->version / 1000000),
           (unsigned)(info->version / 1000 % 1000), (unsigned)(info->version % 1000),
           info->is_cut ? "; it was not ended" : "");
    if (info->has_filter || info->has_pre_solve) {
        printf("the recorded world had callbacks of its own:%s%s\n",
               info->has_filter ? " a contact filter" : "",
               info->has_pre_solve ? " pre-solve" : "");
    }
}

static void recording_print_divergence(const recording_replay *replay) {
    static const char *const members[] = {"", "position", "rotation", "velocity",
                                          "angular velocity"};
    tn_divergence divergence = tn_replay_get_divergence(replay->world);
    const char *name = replay->run != NULL && divergence.body.value != 0
                           ? scene_run_get_body_name(replay->run, divergence.body)
                           : NULL;
    printf("step %" PRIu64 " differs: ", divergence.step);
    if (divergence.lacks_change) {
        printf("the changes before it do not fit\n");
    } else if (divergence.body.value == 0) {
        printf("no body is known to, but joints or coordinates; hash %016" PRIx64
               " recorded, %016" PRIx64 " replayed\n",
               divergence.recorded_hash, divergence.replayed_hash);
    } else {
        printf("body 0x%x%s%s%s, %s %c: %.17g recorded, %.17g replayed\n",
               (unsigned)divergence.body.value, name != NULL ? " (" : "", name != NULL ? name : "",
               name != NULL ? ")" : "", members[divergence.member], "xyzw"[divergence.axis],
               divergence.recorded, divergence.replayed);
    }
    if (divergence.lacks_callback) {
        printf("the recorded world had a callback in this step that this one lacks\n");
    }
}

// Returns false if the replay ended before its last step.
static bool recording_replay_all(recording_replay *replay) {
    tn_world *world = replay->world;
    tn_result result = tn_replay_start(world, replay->bytes, replay->size);
    uint64_t first = replay->options->seek;
    if (result == TN_RESULT_OK && first > 0) {
        result = tn_replay_seek(world, first);
    }
    while (result == TN_RESULT_OK && tn_replay_get_step(world) < tn_replay_count_steps(world)) {
        result = tn_replay_step(world);
    }
    if (tn_replay_get_divergence(world).has_diverged) {
        recording_print_divergence(replay);
        return false;
    }
    if (result == TN_RESULT_OK) {
        printf("%" PRIu64 " steps replayed as they were recorded, hash %016" PRIx64 "\n",
               tn_replay_get_step(world) - first, tn_world_get_hash(world));
    }
    return result == TN_RESULT_OK;
}

int replay_command(const run_options *options) {
    recording_replay replay = {.options = options};
    int status = RUN_EXIT_WRONG;
    if (recording_read_file(&replay) && recording_build_world(&replay)) {
        recording_print_info(&replay);
        status = recording_replay_all(&replay) ? RUN_EXIT_OK : RUN_EXIT_FAILED;
    } else {
        recording_fail(replay.error, status);
    }
    if (replay.run != NULL) {
        scene_run_destroy(replay.run);
    } else {
        tn_world_destroy(replay.world);
    }
    free(replay.bytes);
    return status;
}
