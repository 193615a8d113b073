// tools/tenon/record.h: the CSV files of a run: bodies, outputs, events.
#ifndef TOOLS_TENON_RECORD_H
#define TOOLS_TENON_RECORD_H

#include "tools/tenon/options.h"
#include "tools/tenon/subject.h"

#include <stdio.h>

typedef struct output_record output_record;

typedef struct run_record {
    FILE *csv, *events;
    output_record *outputs;
    const run_subject *subject;
    double time; // s: of the step before
} run_record;

// Opens the files that the options name; they stay where they are until closed. False with a line
// in `error` when one cannot be opened.
bool record_open(run_record *files, const run_options *options, run_subject *subject, char *error);
// After each step, and once before the first with `is_sample` true.
void record_step(run_record *files, run_subject *subject, double time, bool is_sample);
// Writes what is pending, which may take one more step, and closes the files. False when something
// could not be written.
bool record_close(run_record *files, run_subject *subject, double dt, uint32_t substeps);

// record_output.c
output_record *output_record_create(FILE *file, const run_subject *subject);
void output_record_step(output_record *list, const run_subject *subject, double time,
                        bool is_sample);
bool output_record_is_pending(const output_record *list);
// Writes what waits for a step that does not come. Closes the file.
bool output_record_destroy(output_record *list);
// record_event.c
void record_write_events(FILE *file, const run_subject *subject, double start, double time);
// A field of a CSV line: in quotes where it holds a comma or a quote.
void record_write_text(FILE *file, const char *text);
// Opens a file for writing, or writes a line to `error`.
FILE *record_open_file(const char *path, char *error);

#endif
