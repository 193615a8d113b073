// tools/tenon/compare.h: the command `tenon compare`: one motion by every method there is.
#ifndef TOOLS_TENON_COMPARE_H
#define TOOLS_TENON_COMPARE_H

#include "tools/tenon/options.h"
#include "tools/tenon/reduced.h"
#include "tools/tenon/subject.h"

#define COMPARE_MAX_METHODS 20
#define COMPARE_MAX_POINTS  80 // of a curve: as many as a plot can show

typedef struct compare_method {
    const char *name;
    tn_solver solver;
    tn_integrator integrator;
    tn_stabilization_mode mode;
    bool is_reduced; // in reduced coordinates: none of the above
    bool is_plotted;
} compare_method;

// What is compared: a scene or the first model of a case, with the settings of the command line.
typedef struct compare_setup {
    const run_options *options;
    const scene *scene; // or
    case_file *file;
    const char *name;
} compare_setup;

// The motion that all others are measured against.
typedef struct compare_reference {
    const char *name;
    double rate; // steps per second
    uint32_t steps, body_count;
    bool is_plain;    // rigid joints alone: the integrators take it
    bool is_reduced;  // there is a closed form in reduced coordinates
    double *centers;  // of mass, x, y, z, by step and body; m
    double *energies; // by step, over that of the start; J
    double kinetic;   // J: the largest
} compare_reference;

typedef enum compare_status {
    COMPARE_STATUS_OK = 0,
    COMPARE_STATUS_EXPLODED,
    COMPARE_STATUS_REFUSED, // by the library: more than rigid joints
    COMPARE_STATUS_UNKNOWN, // no closed form
} compare_status;

// What a run had come to at one moment: each the largest so far. Energies are those over the start
// less the reference's, as shares of its largest kinetic energy.
typedef struct compare_errors {
    double drift;  // m: joint gap
    double energy; // absolute
    double path;   // m: distance of a centre of mass from the reference
} compare_errors;

// One method's run at one rate.
typedef struct compare_result {
    const compare_method *method;
    compare_status status;
    compare_errors most;
    double energy_end;  // with its sign
    double step_us;     // the median
    double exploded_at; // s
    uint32_t refused;   // steps that the integrator did not take
    double time[COMPARE_MAX_POINTS];
    compare_errors curve[COMPARE_MAX_POINTS];
    uint32_t point_count;
} compare_result;

// All methods at one rate.
typedef struct compare_sheet {
    compare_reference reference;
    compare_result results[COMPARE_MAX_METHODS];
    uint32_t result_count;
} compare_sheet;

// The exit status of the program. Errors are printed on the standard error, a line each.
int compare_command(const run_options *options);

// The parts. Those that can fail leave a line in `error` (OPTIONS_ERROR_SIZE).

// compare_reference.c: a fresh subject, to be moved by the method. To be destroyed in any case.
bool compare_open(const compare_setup *setup, const compare_method *method, run_subject *out,
                  char *error);
// The reference of the setup at a rate; to be released in any case.
bool compare_reference_init(compare_reference *reference, const compare_setup *setup, double rate,
                            char *error);
void compare_reference_release(compare_reference *reference);
// Kinetic, potential and elastic, J.
double compare_get_energy(const run_subject *subject);
// Centres of mass of the dynamic bodies, x, y, z: of the world, and of the model.
void compare_get_centers(const run_subject *subject, double *out);
void compare_get_reduced_centers(const run_subject *subject, const reduced_model *model,
                                 double *out);
// Did a mechanism refuse the world's integrator in the last step, or is there none?
bool compare_is_refused(const run_subject *subject);

// compare_run.c
bool compare_run(const compare_setup *setup, const compare_reference *reference,
                 const compare_method *method, compare_result *result, char *error);

// compare_table.c: tables in Markdown on the terminal: at one rate of all errors, at several one
// for each error.
void compare_print(const compare_setup *setup, const compare_sheet *sheets, uint32_t count);

// compare_plot.c: the same as a plot.
bool compare_save_plot(const compare_setup *setup, const compare_sheet *sheets, uint32_t count,
                       const char *path);

#endif
