// demos/piston.c: three engines: a single cylinder, an in-line four and a radial one, turned
// evenly.
//
// Each runs with exact joints and with Gauss-Seidel. A table holds strokes, torque and forces
// beside the closed form of the slider-crank (scenes/engine_load.h), and tells how far joints came
// apart. Writes into out/: piston_single.svg, piston_four.svg and piston_radial.svg, the engines
// drawn, and piston_single_plot.svg and so on, torque, forces and joint error over the crank's
// angle.
//
//     demo_piston [HZ]              steps per second, 480 when left out
#include "scenes/engine_load.h"
#include "scenes/figure.h"
#include "tools/plot/drawing_scene.h"
#include "tools/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PISTON_SUBSTEPS 4
#define PISTON_TURNS    2  // that are recorded, after one of running in
#define PISTON_DOTS     72 // of the closed form in a plot, at most
#define PISTON_TURN     6.283185307179586
#define PISTON_METHODS  2
#define PISTON_ROUNDOFF 1e-10 // micrometres: what a plot shows of a joint error that is less

typedef struct piston_show {
    const char *name, *title, *scene, *crank, *first;
    scene_choice choices[3];
    double speed; // rad/s
    double shown; // turns after the running in: when it is drawn
} piston_show;

static const piston_show piston_shows[] = {
    {"single",
     "A single cylinder",
     "piston",
     "crank",
     "piston",
     {{"speed", 60}, {"max_torque", 0}},
     60.0,
     0.86},
    {"four",
     "An in-line four",
     "inline_four",
     "crankshaft",
     "piston1",
     {{"rpm", 900}, {"max_torque", 0}},
     900.0 / 60.0 * PISTON_TURN,
     0.16},
    {"radial",
     "A radial engine of seven cylinders",
     "radial_engine",
     "crankshaft",
     "piston1",
     {{"rpm", 600}, {"max_torque", 0}},
     600.0 / 60.0 * PISTON_TURN,
     0.1},
};
#define PISTON_SHOWS (sizeof piston_shows / sizeof piston_shows[0])

static const char *const piston_methods[PISTON_METHODS] = {"exact joints", "Gauss-Seidel"};
static const tn_solver piston_solvers[PISTON_METHODS] = {TN_SOLVER_AUTO, TN_SOLVER_PGS};

// What is plotted of each step, and what the table tells.
typedef enum piston_quantity {
    PISTON_TORQUE = 0, // N·m
    PISTON_PIN,        // N, the crank pin of the first cylinder
    PISTON_WRIST,      // N
    PISTON_WALL,       // N
    PISTON_BEARING,    // N
    PISTON_QUANTITIES
} piston_quantity;

static const char *const piston_texts[PISTON_QUANTITIES] = {
    "motor torque, N m", "crank pin, N", "wrist pin, N", "cylinder wall, N", "main bearing, N"};

// One run; index 0 of each pair is measured, 1 is the closed form.
typedef struct piston_run {
    uint32_t count, capacity;
    double *angles; // degrees, at the middle of each step
    double *values[2][PISTON_QUANTITIES];
    double *errors;                 // micrometres
    double shortest[2], longest[2]; // m: strokes
    bool has_forces;
} piston_run;

// ---- running -----------------------------------------------------------------------------------

static void piston_free(piston_run *record) {
    free(record->angles);
    memset(record, 0, sizeof *record);
}

static bool piston_allocate(piston_run *record, uint32_t capacity) {
    *record = (piston_run){.capacity = capacity};
    double *at = calloc((size_t)capacity * (2 + 2 * PISTON_QUANTITIES), sizeof *at);
    record->angles = at;
    for (int i = 0; i < 2 * PISTON_QUANTITIES && at != NULL; i++) {
        record->values[i % 2][i / 2] = at + (size_t)(i + 2) * capacity;
    }
    record->errors = at != NULL ? at + capacity : NULL;
    return at != NULL;
}

static scene_run *piston_create(const piston_show *show, tn_solver solver, engine_model *model) {
    double values[SCENE_MAX_OPTIONS];
    const scene *kind = scene_find(show->scene);
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    if (kind == NULL || !scene_get_values(kind, show->choices, 3, values)) {
        return NULL;
    }
    scene_run *run = scene_run_create(kind, values, &def);
    if (run != NULL && !engine_model_read(model, run, show->crank, show->first)) {
        scene_run_destroy(run);
        run = NULL;
    }
    return run;
}

static double piston_get_force(const scene_run *run, tn_joint_id joint) {
    tn_vec3 force = tn_joint_get_reaction(run->world, joint).force;
    return hypot(force.x, force.y);
}

static void piston_measure(const scene_run *run, const engine_unit *first, tn_joint_id bearing,
                           double out[PISTON_QUANTITIES]) {
    tn_vec3 wall = tn_joint_get_reaction(run->world, first->cylinder).force;
    out[PISTON_TORQUE] = (double)tn_joint_get_motor_effort(run->world, bearing);
    out[PISTON_PIN] = piston_get_force(run, first->big_end);
    out[PISTON_WRIST] = piston_get_force(run, first->wrist);
    out[PISTON_WALL] = first->axis.x * wall.y - first->axis.y * wall.x;
    out[PISTON_BEARING] = piston_get_force(run, bearing);
}

static void piston_add(engine_point *sum, engine_point p, double weight) {
    sum->x += weight * p.x;
    sum->y += weight * p.y;
}

// What is measured is the mean over a step: by Simpson's rule, of the closed form at its ends and
// in its middle.
static bool piston_reckon(const engine_model *model, double from, double turn, double speed,
                          double out[PISTON_QUANTITIES]) {
    static const double weights[3] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
    engine_point pin = {0}, wrist = {0}, bearing = {0};
    bool has_forces = true;
    out[PISTON_TORQUE] = out[PISTON_WALL] = 0.0;
    for (int i = 0; i < 3; i++) {
        engine_load load = engine_model_get_load(model, from + 0.5 * i * turn, speed);
        has_forces = has_forces && load.has_forces;
        out[PISTON_TORQUE] += weights[i] * load.torque;
        out[PISTON_WALL] += weights[i] * load.wall[0];
        piston_add(&pin, load.pin[0], weights[i]);
        piston_add(&wrist, load.wrist[0], weights[i]);
        piston_add(&bearing, load.bearing, weights[i]);
    }
    out[PISTON_PIN] = hypot(pin.x, pin.y);
    out[PISTON_WRIST] = hypot(wrist.x, wrist.y);
    out[PISTON_BEARING] = hypot(bearing.x, bearing.y);
    return has_forces;
}

// The reaches that a run has come to.
typedef struct piston_reach {
    double least[2][ENGINE_MAX_CYLINDERS], most[2][ENGINE_MAX_CYLINDERS];
} piston_reach;

static void piston_note_reach(piston_reach *reach, const scene_run *run, const engine_model *model,
                              const engine_load *load, bool is_first) {
    for (uint32_t k = 0; k < model->count; k++) {
        tn_vec3 p = figure_get_joint_place(run->world, model->units[k].wrist);
        double values[2] = {p.x * model->units[k].axis.x + p.y * model->units[k].axis.y,
                            load->reach[k]};
        for (int i = 0; i < 2; i++) {
            reach->least[i][k] = is_first ? values[i] : fmin(reach->least[i][k], values[i]);
            reach->most[i][k] = is_first ? values[i] : fmax(reach->most[i][k], values[i]);
        }
    }
}

static void piston_find_strokes(piston_run *record, const piston_reach *reach, uint32_t count) {
    for (int i = 0; i < 2; i++) {
        record->shortest[i] = HUGE_VAL;
        for (uint32_t k = 0; k < count; k++) {
            double stroke = reach->most[i][k] - reach->least[i][k];
            record->shortest[i] = fmin(record->shortest[i], stroke);
            record->longest[i] = fmax(record->longest[i], stroke);
        }
    }
}

static bool piston_draw(const piston_show *show, const scene_run *run, const engine_model *model);

// A turn of running in, then the turns that are recorded; drawn on the way where `draws` says so.
static bool piston_follow(const piston_show *show, scene_run *run, const engine_model *model,
                          double hz, bool draws, piston_run *record) {
    tn_joint_id bearing = scene_run_find_joint(run, "bearing");
    double start = tn_hinge_joint_get_angle(run->world, bearing), turned = 0.0;
    piston_reach reach = {{{0.0}}, {{0.0}}};
    bool is_good = true, is_drawn = !draws;
    while (turned < (PISTON_TURNS + 1) * PISTON_TURN && record->count < record->capacity) {
        double before = tn_hinge_joint_get_angle(run->world, bearing);
        if (scene_run_step(run, 1.0 / hz, PISTON_SUBSTEPS) != TN_RESULT_OK) {
            return false;
        }
        double now = tn_hinge_joint_get_angle(run->world, bearing);
        double turn = remainder(now - before, PISTON_TURN);
        turned += turn;
        if (turned < PISTON_TURN) {
            continue;
        }
        uint32_t i = record->count++;
        double measured[PISTON_QUANTITIES], exact[PISTON_QUANTITIES];
        piston_measure(run, &model->units[0], bearing, measured);
        record->has_forces = piston_reckon(model, before - start, turn, show->speed, exact);
        for (int q = 0; q < PISTON_QUANTITIES; q++) {
            record->values[0][q][i] = measured[q];
            record->values[1][q][i] = exact[q];
        }
        record->angles[i] = (turned - 0.5 * turn - PISTON_TURN) * 360.0 / PISTON_TURN;
        tn_telemetry telemetry = tn_world_get_telemetry(run->world);
        record->errors[i] = fmax(1e6 * telemetry.worst_joint_linear, PISTON_ROUNDOFF);
        engine_load load = engine_model_get_load(model, now - start, show->speed);
        piston_note_reach(&reach, run, model, &load, i == 0);
        if (!is_drawn && turned >= (1.0 + show->shown) * PISTON_TURN) {
            is_good = piston_draw(show, run, model);
            is_drawn = true;
        }
    }
    piston_find_strokes(record, &reach, model->count);
    return is_good && record->count > 0;
}

static bool piston_run_one(const piston_show *show, int method, double hz, piston_run *record) {
    engine_model model;
    uint32_t capacity = (uint32_t)((PISTON_TURNS + 2) * PISTON_TURN / show->speed * hz) + 8u;
    scene_run *run = piston_create(show, piston_solvers[method], &model);
    bool is_good = piston_allocate(record, capacity) && run != NULL &&
                   piston_follow(show, run, &model, hz, method == 0, record);
    scene_run_destroy(run);
    return is_good;
}

// ---- pictures ----------------------------------------------------------------------------------

static void piston_label(drawing_sheet *sheet, const scene_run *run, const engine_model *model) {
    const engine_unit *first = &model->units[0];
    tn_vec3 pin = figure_get_joint_place(run->world, first->big_end);
    tn_vec3 wrist = figure_get_joint_place(run->world, first->wrist);
    tn_vec3 rod = {0.5 * (pin.x + wrist.x), 0.5 * (pin.y + wrist.y), pin.z};
    drawing_add_label(sheet, pin, "crank pin");
    drawing_add_label(sheet, rod,
                      model->units[model->count - 1].is_on_crank ? "connecting rod" : "master rod");
    drawing_add_label(sheet, wrist, "wrist pin, piston");
    drawing_add_label(sheet,
                      figure_get_joint_place(run->world, scene_run_find_joint(run, "bearing")),
                      "crankshaft");
}

static bool piston_draw(const piston_show *show, const scene_run *run, const engine_model *model) {
    drawing_options options = drawing_scene_options(run->scene);
    options.title = show->title;
    drawing_sheet *sheet = drawing_create(&options);
    drawing_add_scene(sheet, run, 0.0);
    piston_label(sheet, run, model);
    char path[64];
    snprintf(path, sizeof path, "out/piston_%s.svg", show->name);
    bool is_saved = drawing_save(sheet, path);
    drawing_destroy(sheet);
    return is_saved;
}

// Beside the closed form, where there is one: of a radial engine that is the torque alone.
static void piston_plot_quantity(plot_figure *figure, const piston_run *records,
                                 piston_quantity quantity) {
    plot_panel *panel =
        plot_figure_add_panel(figure, piston_texts[quantity], "crank angle [degrees]", "");
    for (int m = 0; m < PISTON_METHODS; m++) {
        plot_panel_add_series(panel, piston_methods[m], records[m].angles,
                              records[m].values[0][quantity], records[m].count);
    }
    if (quantity != PISTON_TORQUE && !records[0].has_forces) {
        return;
    }
    double angles[PISTON_DOTS], values[PISTON_DOTS];
    uint32_t stride = records[0].count / PISTON_DOTS + 1, count = 0;
    for (uint32_t i = 0; i < records[0].count; i += stride) {
        angles[count] = records[0].angles[i];
        values[count++] = records[0].values[1][quantity][i];
    }
    plot_panel_add_dots(panel, "closed form", angles, values, count);
}

// Measured less closed form; it takes the place of what is measured.
static void piston_plot_torque_error(plot_figure *figure, piston_run *records) {
    plot_panel *panel = plot_figure_add_panel(figure, "torque off the closed form, N m",
                                              "crank angle [degrees]", "");
    for (int m = 0; m < PISTON_METHODS; m++) {
        double *measured = records[m].values[0][PISTON_TORQUE];
        for (uint32_t i = 0; i < records[m].count; i++) {
            measured[i] -= records[m].values[1][PISTON_TORQUE][i];
        }
        plot_panel_add_series(panel, piston_methods[m], records[m].angles, measured,
                              records[m].count);
    }
}

static bool piston_plot(const piston_show *show, piston_run *records) {
    plot_figure *figure = plot_figure_create(show->title);
    piston_plot_quantity(figure, records, PISTON_TORQUE);
    piston_plot_quantity(figure, records, PISTON_PIN);
    piston_plot_quantity(figure, records, PISTON_WALL);
    piston_plot_quantity(figure, records, PISTON_BEARING);
    piston_plot_torque_error(figure, records);
    plot_panel *panel = plot_figure_add_panel(figure, "worst joint error, micrometres",
                                              "crank angle [degrees]", "");
    plot_panel_set_log(panel, false, true);
    for (int m = 0; m < PISTON_METHODS; m++) {
        plot_panel_add_series(panel, piston_methods[m], records[m].angles, records[m].errors,
                              records[m].count);
    }
    char path[64];
    snprintf(path, sizeof path, "out/piston_%s_plot.svg", show->name);
    bool is_saved = plot_figure_save(figure, path);
    plot_figure_destroy(figure);
    return is_saved;
}

// ---- the table ---------------------------------------------------------------------------------

static double piston_find_most(const double *values, uint32_t count) {
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

// Root mean square of measured less closed form, in % of the closed form's.
static double piston_find_off(const piston_run *record, piston_quantity quantity) {
    double off = 0.0, all = 0.0;
    for (uint32_t i = 0; i < record->count; i++) {
        double exact = record->values[1][quantity][i];
        double difference = record->values[0][quantity][i] - exact;
        off += difference * difference;
        all += exact * exact;
    }
    return 100.0 * sqrt(off / all);
}

static void piston_print_row(const char *text, const char *format, double exact,
                             const double measured[PISTON_METHODS]) {
    char cells[1 + PISTON_METHODS][32] = {"-"};
    if (isfinite(exact)) {
        snprintf(cells[0], sizeof cells[0], format, exact);
    }
    for (int m = 0; m < PISTON_METHODS; m++) {
        snprintf(cells[1 + m], sizeof cells[0], format, measured[m]);
    }
    printf("  %-34s %14s %14s %14s\n", text, cells[0], cells[1], cells[2]);
}

static void piston_print(const piston_show *show, const piston_run *records, double hz) {
    double row[PISTON_METHODS];
    printf("%s, %.1f rad/s, %g Hz x %d\n", show->title, show->speed, hz, PISTON_SUBSTEPS);
    printf("  %-34s %14s %14s %14s\n", "", "closed form", piston_methods[0], piston_methods[1]);
    bool has_one = records[0].longest[1] - records[0].shortest[1] < 1e-6;
    for (int k = has_one ? 1 : 0; k < 2; k++) {
        for (int m = 0; m < PISTON_METHODS; m++) {
            row[m] = 1e3 * (k == 0 ? records[m].shortest[0] : records[m].longest[0]);
        }
        double exact = 1e3 * (k == 0 ? records[0].shortest[1] : records[0].longest[1]);
        piston_print_row(has_one  ? "stroke, mm"
                         : k == 0 ? "shortest stroke, mm"
                                  : "longest stroke, mm",
                         "%.4f", exact, row);
    }
    for (int q = 0; q < (records[0].has_forces ? PISTON_QUANTITIES : 1); q++) {
        char text[64];
        for (int m = 0; m < PISTON_METHODS; m++) {
            row[m] = piston_find_most(records[m].values[0][q], records[m].count);
        }
        snprintf(text, sizeof text, "greatest %s", piston_texts[q]);
        piston_print_row(text, "%.2f", piston_find_most(records[0].values[1][q], records[0].count),
                         row);
        for (int m = 0; m < PISTON_METHODS; m++) {
            row[m] = piston_find_off(&records[m], (piston_quantity)q);
        }
        piston_print_row("  off it all along, rms, %", "%.3f", (double)NAN, row);
    }
    for (int m = 0; m < PISTON_METHODS; m++) {
        row[m] = piston_find_most(records[m].errors, records[m].count);
    }
    piston_print_row("worst joint error, micrometres", "%.3g", (double)NAN, row);
    printf("\n");
}

static bool piston_present(const piston_show *show, double hz) {
    piston_run records[PISTON_METHODS] = {{0}};
    bool is_good = true;
    for (int m = 0; m < PISTON_METHODS && is_good; m++) {
        is_good = piston_run_one(show, m, hz, &records[m]);
    }
    if (is_good) {
        piston_print(show, records, hz);
        is_good = piston_plot(show, records);
    }
    for (int m = 0; m < PISTON_METHODS; m++) {
        piston_free(&records[m]);
    }
    if (!is_good) {
        fprintf(stderr, "%s: a step failed, or out/ could not be written (does it exist?)\n",
                show->name);
    }
    return is_good;
}

int main(int argc, char **argv) {
    double hz = argc > 1 ? strtod(argv[1], NULL) : 480.0;
    if (!(hz >= 60.0 && hz <= 10000.0)) {
        fprintf(stderr, "usage: demo_piston [HZ], 60 to 10000\n");
        return 2;
    }
    bool is_good = true;
    for (size_t i = 0; i < PISTON_SHOWS; i++) {
        is_good = piston_present(&piston_shows[i], hz) && is_good;
    }
    if (is_good) {
        printf(
            "wrote out/piston_single.svg, piston_four.svg, piston_radial.svg and a plot of each\n");
    }
    return is_good ? 0 : 1;
}
