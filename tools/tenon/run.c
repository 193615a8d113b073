// tools/tenon/run.c: steps a scene or a case to its end and writes what was asked for.
#define _POSIX_C_SOURCE 200809L // isatty
#include "tools/tenon/run.h"

#include "tools/plot/strobe.h"
#include "tools/tenon/history.h"
#include "tools/tenon/picture.h"
#include "tools/tenon/record.h"
#include "tools/tenon/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RUN_MAX_REPORTS     20    // lines of the library's reports before they are only counted
#define RUN_REFUSAL_SIZE    256   // of what the library says of a wrong file
#define RUN_MAX_FIGURES     512   // of all scenarios
#define RUN_PROGRESS_AFTER  1.5   // s of waiting before progress is shown
#define RUN_PROGRESS_PERIOD 0.2   // s
#define RUN_HIT_THRESHOLD   0.01f // m/s: cases want every bounce in the events

// Everything of one `tenon run`.
typedef struct run_state {
    const run_options *options;
    tn_world_def def;
    uint32_t report_count;
    bool is_building; // a case's world: reports are kept for the one line of a wrong file
    bool is_wrong;    // the case asks for what the library refuses
    tn_body_id lost;  // the first body that became non-finite, and what is told of it at the end
    char lost_error[OPTIONS_ERROR_SIZE];
    run_figure figures[RUN_MAX_FIGURES];
    uint32_t figure_count;
    char refusal[RUN_REFUSAL_SIZE]; // the last one while a case's world is built
    char error[OPTIONS_ERROR_SIZE];
} run_state;

static double run_get_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run_report(const tn_report *report, void *user_data) {
    run_state *state = user_data;
    state->report_count += 1;
    if (report->result == TN_RESULT_BODY_NOT_FINITE && state->lost.value == 0) {
        state->lost.value = report->id;
    }
    if (state->is_building) {
        snprintf(state->refusal, sizeof state->refusal, "%s", report->message);
    } else if (state->report_count <= RUN_MAX_REPORTS) {
        fprintf(stderr, "tenon: %s: %s (%s)\n", report->function, report->message,
                tn_result_name(report->result));
    } else if (state->report_count == RUN_MAX_REPORTS + 1) {
        fprintf(stderr, "tenon: more reports are only counted\n");
    }
}

static void run_add_figure(run_state *state, const char *scenario, const char *name, double value) {
    if (state->figure_count < RUN_MAX_FIGURES) {
        run_figure *figure = &state->figures[state->figure_count];
        snprintf(figure->scenario, sizeof figure->scenario, "%s", scenario);
        snprintf(figure->name, sizeof figure->name, "%s", name);
        figure->value = value;
        state->figure_count += 1;
    }
}

// ---- one subject ----

// One subject on its way to its end.
typedef struct run_loop {
    run_state *state;
    run_subject *subject;
    bool writes; // the files of the options: a case of criteria writes those of its first scenario
    uint32_t steps, sample_steps; // sample_steps 0: samples lie between steps
    double sample, next_sample;
    run_record files;
    strobe picture;
    history record;
    case_watch *watch; // of a scenario, else null
    double shown_at, started_at;
} run_loop;

static void run_choose_samples(run_loop *loop) {
    const run_options *options = loop->state->options;
    double hz = options->hz;
    loop->sample = options->sample > 0.0 ? options->sample : loop->subject->sample;
    double ratio = loop->sample * hz;
    bool is_whole = fabs(ratio - floor(ratio + 0.5)) < 1e-6 && ratio > 0.5;
    if (is_whole) {
        loop->sample_steps = (uint32_t)(ratio + 0.5);
    } else if (!(options->sample > 0.0)) {
        loop->sample_steps = 1;
    }
    if (!(options->sample > 0.0) && loop->subject->every_step) {
        loop->sample_steps = 1;
    }
}

// Between steps a sample is the first step that is not before it.
static bool run_is_sample(run_loop *loop, uint32_t step, double time) {
    if (loop->sample_steps > 0) {
        return step % loop->sample_steps == 0;
    }
    if (time < loop->next_sample - 1e-9 * loop->sample) {
        return false;
    }
    loop->next_sample = (floor(time / loop->sample + 1e-9) + 1.0) * loop->sample;
    return true;
}

static bool run_open(run_loop *loop) {
    const run_options *options = loop->state->options;
    if (!loop->writes) {
        return true;
    }
    run_options files = *options;
    files.csv = loop->watch == NULL ? options->csv : NULL;
    if (!record_open(&loop->files, &files, loop->subject, loop->state->error)) {
        return false;
    }
    char caption[160];
    snprintf(caption, sizeof caption, "%u steps of 1/%g s, %u substeps", (unsigned)loop->steps,
             options->hz, (unsigned)options->substeps);
    const run_subject *subject = loop->subject;
    if (options->svg != NULL &&
        !strobe_create(&loop->picture, subject->world, subject->scene, subject->name, caption,
                       loop->steps, 1.0 / options->hz)) {
        snprintf(loop->state->error, OPTIONS_ERROR_SIZE, "not enough memory");
        return false;
    }
    return true;
}

static bool run_note(run_loop *loop, uint32_t step, double step_ms) {
    double time = step / loop->state->options->hz;
    if (!history_add(&loop->record, loop->subject, time, step_ms)) {
        snprintf(loop->state->error, OPTIONS_ERROR_SIZE, "not enough memory");
        return false;
    }
    if (loop->watch != NULL && step > 0) {
        case_watch_step(loop->watch, time);
    }
    if (loop->writes) {
        record_step(&loop->files, loop->subject, time, run_is_sample(loop, step, time));
        strobe_step(&loop->picture, step);
    }
    return true;
}

static void run_show_progress(run_loop *loop, uint32_t step) {
    double now = run_get_seconds();
    if (loop->state->options->quiet || now - loop->started_at < RUN_PROGRESS_AFTER ||
        now - loop->shown_at < RUN_PROGRESS_PERIOD || !isatty(fileno(stderr))) {
        return;
    }
    loop->shown_at = now;
    fprintf(stderr, "\r%s: %.1f of %.1f s, %.0f %%  ", loop->subject->name,
            step / loop->state->options->hz, loop->steps / loop->state->options->hz,
            100.0 * step / loop->steps);
    fflush(stderr);
}

// The rest of the world goes on, and so does the run; but it has failed.
static void run_note_lost(run_loop *loop, uint32_t step) {
    run_state *state = loop->state;
    if (state->lost.value != 0 && state->lost_error[0] == '\0') {
        snprintf(state->lost_error, OPTIONS_ERROR_SIZE,
                 "step %u, %g s: the state of the body \"%s\" became non-finite", (unsigned)step,
                 step / state->options->hz, subject_get_body_name(loop->subject, state->lost));
    }
}

static bool run_step_all(run_loop *loop) {
    const run_options *options = loop->state->options;
    double dt = 1.0 / options->hz;
    loop->started_at = run_get_seconds();
    bool ok = run_note(loop, 0, 0.0);
    for (uint32_t step = 1; step <= loop->steps && ok; step++) {
        double before = run_get_seconds();
        tn_result result = subject_step(loop->subject, dt, options->substeps);
        double step_ms = 1e3 * (run_get_seconds() - before);
        if (result != TN_RESULT_OK) {
            snprintf(loop->state->error, OPTIONS_ERROR_SIZE, "step %u: %s", (unsigned)step,
                     tn_result_text(result));
            return false;
        }
        run_note_lost(loop, step);
        ok = run_note(loop, step, step_ms);
        run_show_progress(loop, step);
    }
    if (loop->shown_at > 0.0) {
        fprintf(stderr, "\r%70s\r", "");
    }
    return ok;
}

// What is expected, then what the scenario's text asks for beside it.
static void run_measure_scenario(run_loop *loop) {
    const case_model *model = loop->subject->model->model;
    double value;
    for (uint32_t i = 0; i < model->expect_count; i++) {
        if (case_watch_get(loop->watch, model->expect[i], &value)) {
            run_add_figure(loop->state, model->name, model->expect[i], value);
        } else {
            fprintf(stderr, "tenon: %s: \"%s\" is not measured\n", loop->subject->name,
                    model->expect[i]);
        }
    }
    for (uint32_t i = 0; case_watch_get_name(i) != NULL; i++) {
        const char *name = case_watch_get_name(i);
        bool is_expected = false;
        for (uint32_t k = 0; k < model->expect_count; k++) {
            is_expected = is_expected || strcmp(model->expect[k], name) == 0;
        }
        if (!is_expected && strstr(model->also_report, name) != NULL &&
            case_watch_get(loop->watch, name, &value)) {
            run_add_figure(loop->state, model->name, name, value);
        }
    }
}

static void run_measure(run_loop *loop) {
    run_state *state = loop->state;
    const run_subject *subject = loop->subject;
    if (subject->scene != NULL) {
        scene_run_measure(subject->scene);
        for (uint32_t i = 0; i < subject->scene->figure_count; i++) {
            run_add_figure(state, "", subject->scene->figures[i].name,
                           subject->scene->figures[i].value);
        }
        return;
    }
    if (loop->watch == NULL) {
        if (subject->model->is_released) {
            run_add_figure(state, "", "release_time_s", subject->model->release_time);
        }
        return;
    }
    run_measure_scenario(loop);
}

static bool run_fail_to_write(run_state *state, const char *path) {
    if (state->error[0] == '\0') {
        snprintf(state->error, OPTIONS_ERROR_SIZE, "%s: cannot be written", path);
    }
    return false;
}

// The CSV of a case of criteria, over all its scenarios.
static bool run_save_figures(run_state *state, const char *path) {
    FILE *file = record_open_file(path, state->error);
    if (file == NULL) {
        return false;
    }
    fputs("scenario,quantity,value\n", file);
    for (uint32_t i = 0; i < state->figure_count; i++) {
        record_write_text(file, state->figures[i].scenario);
        fputc(',', file);
        record_write_text(file, state->figures[i].name);
        fprintf(file, ",%.17g\n", state->figures[i].value);
    }
    return fclose(file) == 0 || run_fail_to_write(state, path);
}

// Saves all files but the CSVs, which are written on the way.
static bool run_save(run_loop *loop) {
    run_state *state = loop->state;
    const run_options *options = state->options;
    run_summary summary = {.options = options,
                           .subject = loop->subject,
                           .record = &loop->record,
                           .figures = state->figures,
                           .figure_count = state->figure_count,
                           .steps = loop->steps,
                           .hash = tn_world_get_hash(loop->subject->world)};
    bool ok = true;
    if (options->summary != NULL && !summary_save(&summary, options->summary)) {
        ok = run_fail_to_write(state, options->summary);
    }
    if (options->plot != NULL && !picture_save_plot(&loop->record, loop->subject, options->plot)) {
        ok = run_fail_to_write(state, options->plot);
    }
    if (!options->quiet) {
        summary_print(&summary);
    }
    return ok;
}

static bool run_close(run_loop *loop, bool ok) {
    run_state *state = loop->state;
    const run_options *options = state->options;
    if (loop->picture.panel_count > 0 && !strobe_save(&loop->picture, options->svg) && ok) {
        ok = run_fail_to_write(state, options->svg);
    }
    double dt = 1.0 / options->hz;
    if (!record_close(&loop->files, loop->subject, dt, options->substeps) && ok) {
        ok = run_fail_to_write(state, "a CSV file");
    }
    return ok;
}

// Runs one subject. `is_last`: the summary may be written, for all figures are there.
static bool run_subject_to_end(run_state *state, run_subject *subject, bool is_first, bool is_last,
                               case_watch *watch) {
    const run_options *options = state->options;
    run_loop loop = {.state = state, .subject = subject, .writes = is_first, .watch = watch};
    double time = options->time > 0.0 ? options->time : subject->time;
    double steps = ceil(time * options->hz - 1e-6);
    if (!(steps < 1e9)) {
        bool is_of_case = !(options->time > 0.0) && subject->scene == NULL;
        state->is_wrong = is_of_case;
        snprintf(state->error, OPTIONS_ERROR_SIZE, "%s%s: %g s at %g Hz are too many steps",
                 is_of_case ? options->subject : "",
                 is_of_case            ? ": t_end"
                 : options->time > 0.0 ? "--time"
                                       : "--hz",
                 time, options->hz);
        return false;
    }
    loop.steps = steps > 1.0 ? (uint32_t)steps : 1;
    run_choose_samples(&loop);
    bool ok = run_open(&loop) && run_step_all(&loop);
    if (ok) {
        run_measure(&loop);
        ok = !is_last || run_save(&loop);
    }
    ok = run_close(&loop, ok);
    history_destroy(&loop.record);
    if (ok && state->lost_error[0] != '\0') {
        snprintf(state->error, OPTIONS_ERROR_SIZE, "%s", state->lost_error);
        ok = false;
    }
    return ok;
}

// ---- scenes and cases ----

static bool run_scene(run_state *state, const scene *which) {
    scene_run *made = run_options_build(state->options, which, &state->def, state->error);
    if (made == NULL) {
        return false;
    }
    run_subject subject;
    bool ok =
        subject_init_scene(&subject, made) && run_subject_to_end(state, &subject, true, true, NULL);
    subject_destroy(&subject);
    return ok;
}

// A file that the library refuses is wrong: one line says where and why.
static void run_note_refusal(run_state *state, case_place place) {
    const char *file = state->options->subject, *why = state->refusal;
    state->is_wrong = why[0] != '\0';
    if (!state->is_wrong) {
        snprintf(state->error, OPTIONS_ERROR_SIZE, "not enough memory");
    } else if (place.list == NULL) {
        snprintf(state->error, OPTIONS_ERROR_SIZE, "%s: %s", file, why);
    } else {
        snprintf(state->error, OPTIONS_ERROR_SIZE, "%s: %s[%u]: %s", file, place.list, place.index,
                 why);
    }
}

static bool run_model(run_state *state, const case_file *file, uint32_t index) {
    const case_model *model = &file->models[index];
    double dt = 1.0 / state->options->hz;
    state->is_building = true;
    case_place place = {NULL, 0};
    case_world *world = case_world_create(model, &state->def, &place);
    state->is_building = false;
    if (world == NULL) {
        run_note_refusal(state, place);
        return false;
    }
    run_subject subject;
    case_watch watch;
    bool ok = subject_init_case(&subject, file, world);
    if (ok && file->is_criteria) {
        ok = case_watch_create(&watch, world, dt);
    }
    if (ok) {
        ok = run_subject_to_end(state, &subject, index == 0, index + 1 == file->model_count,
                                file->is_criteria ? &watch : NULL);
        if (file->is_criteria) {
            case_watch_destroy(&watch);
        }
    }
    subject_destroy(&subject);
    return ok;
}

static bool run_case(run_state *state, const case_file *file) {
    // A reference knows neither a speed below which nothing bounces nor an overlap that is left
    // alone.
    state->def.restitution_threshold = 0.0f;
    state->def.contact_bias.slop = 0.0f;
    state->def.hit_event_threshold = RUN_HIT_THRESHOLD;
    if (!run_options_apply(state->options, NULL, NULL, &state->def, state->error)) {
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < file->model_count && ok; i++) {
        ok = run_model(state, file, i);
    }
    if (ok && file->is_criteria && state->options->csv != NULL) {
        ok = run_save_figures(state, state->options->csv);
    }
    return ok;
}

bool run_looks_like_file(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

static int run_with_state(run_state *state) {
    const char *name = state->options->subject;
    if (!run_looks_like_file(name)) {
        const scene *which = run_options_find_scene(name, state->error);
        if (which == NULL) {
            return RUN_EXIT_WRONG;
        }
        return run_scene(state, which) ? RUN_EXIT_OK : RUN_EXIT_FAILED;
    }
    char error[JSON_ERROR_SIZE] = "";
    case_file *file = case_file_load(name, error);
    if (file == NULL) {
        fprintf(stderr, "%s\n", error);
        return RUN_EXIT_WRONG;
    }
    int status = run_case(state, file) ? RUN_EXIT_OK : RUN_EXIT_FAILED;
    case_file_destroy(file);
    return status;
}

int run_command(const run_options *options) {
    run_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        fprintf(stderr, "tenon: not enough memory\n");
        return RUN_EXIT_FAILED;
    }
    state->options = options;
    state->def = tn_world_def_default();
    state->def.has_energy_ledger = true;
    state->def.report = run_report;
    state->def.report_user_data = state;
    state->def.worker_count = options->workers;
    int status = run_with_state(state);
    if (state->error[0] != '\0') {
        fprintf(stderr, "%s%s\n", state->is_wrong ? "" : "tenon: ", state->error);
        // Settings and names are read when the world is made.
        bool is_option = strncmp(state->error, "--", 2) == 0;
        status = is_option || state->is_wrong ? RUN_EXIT_WRONG : status;
    }
    free(state);
    return status;
}
