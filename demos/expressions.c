// demos/expressions.c: constraints that no joint has a name for, composed from blocks.
//
// Runs three scenes whose function joints keep an expression of bodies: the volume between four
// balls, the height at which a beam of light arrives over two mirrors, the product of two
// distances. Prints how far each was off at worst, and writes into out/: a picture of each, and
// expressions.svg, how far they are off over time. How a graph is composed stands in each scene.
//
//     demo_expressions
#include "scenes/scene.h"
#include "tools/plot/plot.h"
#include "tools/plot/strobe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEMO_HZ       120
#define DEMO_SUBSTEPS 4
#define DEMO_COUNT    3
#define DEMO_ROUNDING 1e-17 // below is nothing that a logarithmic axis could show

typedef struct demo_expression {
    const char *scene, *joint; // names
    const char *what, *unit;
} demo_expression;

static const demo_expression demo_expressions[DEMO_COUNT] = {
    {"kept_volume", "volume", "volume between four balls", "m^3"},
    {"optical_table", "beam", "height at which a beam arrives", "m"},
    {"hyperbola", "product", "product of two distances", "m^2"},
};

typedef struct demo_course {
    double *times, *errors;
    uint32_t count;
    double worst, step_ms;
} demo_course;

static demo_course demo_make_course(uint32_t steps) {
    demo_course course = {.times = calloc(steps, sizeof(double)),
                          .errors = calloc(steps, sizeof(double))};
    return course;
}

static void demo_free_course(demo_course *course) {
    free(course->times);
    free(course->errors);
}

// Steps to the scene's end, with a pose drawn now and then.
static bool demo_follow(scene_run *run, tn_joint_id joint, strobe *picture, uint32_t steps,
                        demo_course *course) {
    double total_ms = 0.0;
    strobe_step(picture, 0);
    for (uint32_t i = 0; i < steps; ++i) {
        if (scene_run_step(run, 1.0 / DEMO_HZ, DEMO_SUBSTEPS) != TN_RESULT_OK) {
            return false;
        }
        double error = tn_joint_get_error(run->world, joint).linear_length;
        course->times[i] = tn_world_get_time(run->world);
        course->errors[i] = fmax(error, DEMO_ROUNDING);
        course->worst = fmax(course->worst, error);
        total_ms += tn_world_get_telemetry(run->world).step_ms;
        strobe_step(picture, i + 1);
    }
    course->count = steps;
    course->step_ms = total_ms / steps;
    return true;
}

// What it was off by over time; without numbers where it failed.
static demo_course demo_show(const demo_expression *expression) {
    const scene *item = scene_find(expression->scene);
    scene_run *run = scene_run_create(item, NULL, NULL);
    uint32_t steps = (uint32_t)(item->time * DEMO_HZ + 0.5);
    demo_course course = demo_make_course(steps);
    if (run == NULL || course.times == NULL || course.errors == NULL) {
        scene_run_destroy(run);
        return course;
    }
    strobe picture;
    bool is_drawn =
        strobe_create(&picture, run->world, run, item->name, item->summary, steps, 1.0 / DEMO_HZ);
    tn_joint_id joint = scene_run_find_joint(run, expression->joint);
    bool has_run = demo_follow(run, joint, &picture, steps, &course);
    char path[256];
    snprintf(path, sizeof path, "out/%s.svg", item->name);
    bool is_saved = strobe_save(&picture, path) && is_drawn;
    scene_run_destroy(run);
    if (!has_run || !is_saved) {
        course.count = 0;
        fprintf(stderr, "%s\n",
                has_run ? "could not write into out/ (does the folder exist?)" : "a step failed");
    }
    return course;
}

static bool demo_save_plot(const demo_course *courses) {
    plot_figure *figure = plot_figure_create("Function joints: how far their expressions are off");
    for (int i = 0; i < DEMO_COUNT; ++i) {
        const demo_expression *expression = &demo_expressions[i];
        plot_panel *panel =
            plot_figure_add_panel(figure, expression->what, "t [s]", expression->unit);
        plot_panel_set_log(panel, false, true);
        plot_panel_add_series(panel, "off by", courses[i].times, courses[i].errors,
                              courses[i].count);
    }
    bool is_saved = plot_figure_save(figure, "out/expressions.svg");
    plot_figure_destroy(figure);
    return is_saved;
}

int main(void) {
    demo_course courses[DEMO_COUNT];
    bool is_good = true;
    printf("%-32s %14s %12s\n", "expression that is kept", "off at worst", "ms a step");
    for (int i = 0; i < DEMO_COUNT; ++i) {
        const demo_expression *expression = &demo_expressions[i];
        courses[i] = demo_show(expression);
        is_good = is_good && courses[i].count > 0;
        printf("%-32s %10.1e %-4s %11.4f\n", expression->what, courses[i].worst, expression->unit,
               courses[i].step_ms);
    }
    is_good = is_good && demo_save_plot(courses);
    for (int i = 0; i < DEMO_COUNT; ++i) {
        demo_free_course(&courses[i]);
    }
    if (is_good) {
        printf("wrote out/kept_volume.svg, out/optical_table.svg, out/hyperbola.svg, "
               "out/expressions.svg\n");
    }
    return is_good ? 0 : 1;
}
