// demos/trebuchet.c: one throw of the trebuchet, told in numbers and pictures.
//
// Prints range, release speed, the worst joint error, the energy ledger and the time of a step, and
// writes into out/: trebuchet.csv (the bodies' poses and velocities), trebuchet.svg (the toss,
// drawn) and trebuchet_energy.svg (energy and joint error over time).
//
//     demo_trebuchet [HZ]           steps per second, 240 when left out
#include "scenes/scene.h"
#include "tools/plot/plot.h"
#include "tools/plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEMO_SUBSTEPS 4
#define DEMO_TIME     20.0 // s at most; the demo ends a second after the landing
#define DEMO_STROBE   0.1  // s between drawn poses
#define DEMO_BODIES   3

static const char *const demo_names[DEMO_BODIES] = {"beam", "counterweight", "ball"};

// What is kept of every step.
typedef struct demo_sample {
    double time;                               // s
    tn_pose poses[DEMO_BODIES];                // in the order of demo_names
    tn_velocity velocities[DEMO_BODIES];       // of the same
    double kinetic, potential;                 // J
    double joint_work, friction_work, impacts; // J since the start
    double joint_error;                        // m, of the worst joint
    bool is_held;                              // the sling holds the ball
} demo_sample;

typedef struct demo_throw {
    demo_sample *samples;
    uint32_t count, capacity;
    uint32_t release;    // index of the first sample without the sling
    double step_ms;      // mean
    double joint_error;  // m, over all steps
    tn_energy energy;    // at the end, with the ledger
    double range, speed; // m, m/s at the release
    double release_time; // s, within a step
} demo_throw;

static demo_sample demo_get_sample(const scene_run *run, tn_joint_id sling) {
    demo_sample sample = {.time = tn_world_get_time(run->world)};
    for (int i = 0; i < DEMO_BODIES; i++) {
        tn_body_id body = scene_run_find_body(run, demo_names[i]);
        sample.poses[i] = tn_body_get_pose(run->world, body);
        sample.velocities[i] = tn_body_get_velocity(run->world, body);
    }
    tn_energy energy = tn_world_get_energy(run->world);
    sample.kinetic = energy.kinetic;
    sample.potential = energy.potential;
    sample.joint_work = energy.joint_work;
    sample.friction_work = energy.friction_work;
    sample.impacts = energy.impact_work;
    sample.joint_error = tn_world_get_telemetry(run->world).worst_joint_linear;
    sample.is_held = tn_joint_is_valid(run->world, sling);
    return sample;
}

static double demo_find_figure(const scene_run *run, const char *name) {
    for (uint32_t i = 0; i < run->figure_count; i++) {
        if (strcmp(run->figures[i].name, name) == 0) {
            return run->figures[i].value;
        }
    }
    return 0.0;
}

static bool demo_has_landed(scene_run *run) {
    scene_run_measure(run);
    return demo_find_figure(run, "flight_time_s") > 0.0;
}

// Steps until a second after the landing, and keeps a sample before the first and after every step.
static bool demo_run(scene_run *run, demo_throw *out, double hz) {
    tn_joint_id sling = scene_run_find_joint(run, "sling");
    out->samples[out->count++] = demo_get_sample(run, sling);
    double end = DEMO_TIME;
    double total_ms = 0.0;
    while (tn_world_get_time(run->world) < end && out->count < out->capacity) {
        if (scene_run_step(run, 1.0 / hz, DEMO_SUBSTEPS) != TN_RESULT_OK) {
            return false;
        }
        total_ms += tn_world_get_telemetry(run->world).step_ms;
        out->samples[out->count] = demo_get_sample(run, sling);
        if (out->release == 0 && !out->samples[out->count].is_held) {
            out->release = out->count;
        }
        out->count++;
        if (end == DEMO_TIME && demo_has_landed(run)) {
            end = tn_world_get_time(run->world) + 1.0;
        }
    }
    out->step_ms = total_ms / (out->count - 1);
    out->joint_error = run->joint_gap_max;
    out->energy = tn_world_get_energy(run->world);
    out->range = demo_find_figure(run, "range_m");
    out->speed = demo_find_figure(run, "release_speed");
    out->release_time = demo_find_figure(run, "release_time_s");
    return true;
}

static void demo_print(const scene_run *run, const demo_throw *toss, double hz) {
    const tn_energy *e = &toss->energy;
    double change = e->kinetic - toss->samples[0].kinetic;
    double sum = e->gravity_work + e->motor_work + e->spring_work + e->force_work + e->joint_work +
                 e->friction_work + e->impact_work + e->damping_work;
    printf("trebuchet: %.0f kg counterweight, %.0f kg ball, %.0f Hz x %d substeps\n\n",
           scene_run_get_value(run, "weight"), scene_run_get_value(run, "ball"), hz, DEMO_SUBSTEPS);
    printf("  range                  %10.2f m\n", toss->range);
    printf("  release speed          %10.2f m/s at %.1f degrees, after %.2f s\n", toss->speed,
           demo_find_figure(run, "release_elevation_deg"), toss->release_time);
    printf("  highest point          %10.2f m\n", demo_find_figure(run, "apex_m"));
    printf("  worst joint error      %10.1e m\n", toss->joint_error);
    printf("  time of a step         %10.4f ms\n\n", toss->step_ms);
    printf("  energy ledger, J: work since the start\n");
    printf("    gravity              %12.1f\n", e->gravity_work);
    printf("    joints               %12.1f\n", e->joint_work);
    printf("    friction             %12.1f\n", e->friction_work);
    printf("    impacts              %12.1f\n", e->impact_work);
    printf("    motors, springs      %12.1f\n", e->motor_work + e->spring_work);
    printf("    forces, damping      %12.1f\n", e->force_work + e->damping_work);
    printf("    sum                  %12.1f\n", sum);
    printf("    kinetic energy gained%12.1f\n\n", change);
}

static bool demo_save_csv(const demo_throw *toss, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    fprintf(file, "t,body,px,py,pz,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n");
    for (uint32_t i = 0; i < toss->count; i++) {
        for (int k = 0; k < DEMO_BODIES; k++) {
            const tn_pose *pose = &toss->samples[i].poses[k];
            const tn_velocity *v = &toss->samples[i].velocities[k];
            tn_quat q = pose->rotation;
            fprintf(file, "%.9g,%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,", toss->samples[i].time,
                    demo_names[k], pose->position.x, pose->position.y, pose->position.z, q.x, q.y,
                    q.z, q.w);
            fprintf(file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", v->linear.x, v->linear.y, v->linear.z,
                    v->angular.x, v->angular.y, v->angular.z);
        }
    }
    return fclose(file) == 0;
}

// Energies in kJ, zero at the start; errors in micrometres.
static bool demo_save_plot(const demo_throw *toss, const char *path) {
    uint32_t count = toss->count;
    double *data = count > 0 ? calloc((size_t)count * 8u, sizeof *data) : NULL;
    if (data == NULL) {
        return false;
    }
    double *columns[8];
    for (uint32_t i = 0; i < 8; i++) {
        columns[i] = data + (size_t)i * count;
    }
    const demo_sample *first = &toss->samples[0];
    for (uint32_t i = 0; i < count; i++) {
        const demo_sample *s = &toss->samples[i];
        columns[0][i] = s->time;
        columns[1][i] = (s->kinetic - first->kinetic) / 1000.0;
        columns[2][i] = (s->potential - first->potential) / 1000.0;
        columns[3][i] = columns[1][i] + columns[2][i];
        columns[4][i] = s->joint_work / 1000.0;
        columns[5][i] = s->friction_work / 1000.0;
        columns[6][i] = s->impacts / 1000.0;
        columns[7][i] = i == 0 ? (double)NAN : 1e6 * s->joint_error;
    }

    plot_figure *figure = plot_figure_create("The trebuchet's throw: energy and joint error");
    plot_panel *energy = plot_figure_add_panel(figure, "energy since the start", "t [s]", "kJ");
    plot_panel_add_series(energy, "kinetic", columns[0], columns[1], count);
    plot_panel_add_series(energy, "potential", columns[0], columns[2], count);
    plot_panel_add_series(energy, "sum", columns[0], columns[3], count);
    plot_panel *work = plot_figure_add_panel(figure, "where the sum went", "t [s]", "kJ");
    plot_panel_add_series(work, "joints", columns[0], columns[4], count);
    plot_panel_add_series(work, "friction", columns[0], columns[5], count);
    plot_panel_add_series(work, "impacts", columns[0], columns[6], count);
    plot_panel *error =
        plot_figure_add_panel(figure, "error of the worst joint", "t [s]", "micrometres");
    plot_panel_add_series(error, "linear", columns[0], columns[7], count);
    bool is_saved = plot_figure_save(figure, path);
    plot_figure_destroy(figure);
    free(data);
    return is_saved;
}

// A part of the picture: how world metres become page units.
typedef struct demo_view {
    double left, bottom; // page units where the world's (x0, 0) is
    double x0;           // m
    double scale;        // page units per m
} demo_view;

static svg_point demo_project(const demo_view *view, double x, double y) {
    return (svg_point){view->left + (x - view->x0) * view->scale, view->bottom - y * view->scale};
}

static svg_style demo_get_fill(uint32_t color) {
    return (svg_style){.fill = color};
}

static svg_style demo_get_stroke(uint32_t color, double width) {
    return (svg_style){.stroke = color, .stroke_width = width};
}

// A point of a body's frame, in the plane of the throw.
static svg_point demo_project_local(const demo_view *view, const tn_pose *pose, double x,
                                    double y) {
    double angle = 2.0 * atan2(pose->rotation.z, pose->rotation.w);
    return demo_project(view, pose->position.x + x * cos(angle) - y * sin(angle),
                        pose->position.y + x * sin(angle) + y * cos(angle));
}

static void demo_draw_box(svg_page *page, const demo_view *view, const tn_pose *pose, double x,
                          double y, svg_style style) {
    svg_point corners[4] = {
        demo_project_local(view, pose, -x, -y), demo_project_local(view, pose, x, -y),
        demo_project_local(view, pose, x, y), demo_project_local(view, pose, -x, y)};
    svg_page_add_polygon(page, corners, 4, style);
}

#define DEMO_INK       0x2b3138ffu
#define DEMO_PAPER     0xfbfbfaffu
#define DEMO_EARTH     0xe4e2ddffu
#define DEMO_WOOD      0x9a6b3fffu
#define DEMO_WEIGHT    0x4f6d8fffu
#define DEMO_BALL      0xb5402fffu
#define DEMO_PATH_STEP 2.0 // px: points of a path that are nearer are left out
#define DEMO_FOLLOW    1.0 // s after the release that the close-up follows the ball

// Half the sizes of what is drawn, m.
typedef struct demo_sizes {
    double beam_length, beam_height, weight, ball;
} demo_sizes;

static demo_sizes demo_get_sizes(const scene_run *run) {
    demo_sizes sizes = {0.5 * scene_run_get_value(run, "length"), 0.15, 0.5, 0.1};
    tn_shape_id shape = {0};
    tn_body_get_shapes(run->world, scene_run_find_body(run, "counterweight"), &shape, 1);
    sizes.weight = tn_box_shape_get_half_extents(run->world, shape).x;
    tn_body_get_shapes(run->world, scene_run_find_body(run, "ball"), &shape, 1);
    sizes.ball = (double)tn_sphere_shape_get_radius(run->world, shape);
    return sizes;
}

// One pose of the machine, mixed with the paper by `fade`.
static void demo_draw_pose(svg_page *page, const demo_view *view, const demo_sizes *sizes,
                           const demo_sample *sample, double fade) {
    uint32_t wood = svg_color_mix(DEMO_WOOD, DEMO_PAPER, fade);
    uint32_t weight = svg_color_mix(DEMO_WEIGHT, DEMO_PAPER, fade);
    uint32_t ball = svg_color_mix(DEMO_BALL, DEMO_PAPER, fade);
    uint32_t ink = svg_color_mix(DEMO_INK, DEMO_PAPER, fade);
    svg_point long_tip = demo_project_local(view, &sample->poses[0], -sizes->beam_length, 0.0);
    svg_point short_tip = demo_project_local(view, &sample->poses[0], sizes->beam_length, 0.0);
    tn_vec3 at = sample->poses[2].position;
    svg_point stone = demo_project(view, at.x, at.y);
    svg_point hung = demo_project(view, sample->poses[1].position.x, sample->poses[1].position.y);
    if (sample->is_held) {
        svg_page_add_line(page, long_tip, stone, demo_get_stroke(ink, 1.2));
    }
    svg_page_add_line(page, short_tip, hung, demo_get_stroke(ink, 2.5));
    demo_draw_box(page, view, &sample->poses[1], sizes->weight, sizes->weight,
                  (svg_style){.fill = weight, .stroke = ink, .stroke_width = 0.8});
    demo_draw_box(page, view, &sample->poses[0], sizes->beam_length, sizes->beam_height,
                  (svg_style){.fill = wood, .stroke = ink, .stroke_width = 0.8});
    svg_page_add_circle(page, short_tip, 2.5, demo_get_fill(ink));
    double radius = fmax(4.0, sizes->ball * view->scale);
    svg_page_add_circle(page, stone, radius,
                        (svg_style){.fill = ball, .stroke = ink, .stroke_width = 0.8});
}

static void demo_draw_path(svg_page *page, const demo_view *view, const demo_throw *toss,
                           uint32_t first, uint32_t last, svg_style style) {
    svg_point *points = calloc((size_t)last - first + 1u, sizeof *points);
    if (points == NULL) {
        return;
    }
    size_t count = 0;
    for (uint32_t i = first; i <= last; i++) {
        tn_vec3 p = toss->samples[i].poses[2].position;
        svg_point point = demo_project(view, p.x, p.y);
        svg_point kept = points[count > 0 ? count - 1 : 0];
        bool is_near = hypot(point.x - kept.x, point.y - kept.y) < DEMO_PATH_STEP;
        if (count == 0 || i == last || !is_near) {
            points[count++] = point;
        }
    }
    svg_page_add_polyline(page, points, count, style);
    free(points);
}

static void demo_draw_text(svg_page *page, svg_point at, svg_anchor anchor, double size,
                           const char *text) {
    svg_font font = {.size = size, .color = DEMO_INK, .anchor = anchor};
    svg_page_add_text(page, at, font, text);
}

// A bar of a round length with its ends marked.
static void demo_draw_scale(svg_page *page, const demo_view *view, svg_point at, double metres) {
    char text[32];
    svg_point end = {at.x + metres * view->scale, at.y};
    svg_style style = demo_get_stroke(DEMO_INK, 1.5);
    svg_page_add_line(page, at, end, style);
    svg_page_add_line(page, (svg_point){at.x, at.y - 4.0}, (svg_point){at.x, at.y + 4.0}, style);
    svg_page_add_line(page, (svg_point){end.x, at.y - 4.0}, (svg_point){end.x, at.y + 4.0}, style);
    snprintf(text, sizeof text, "%.0f m", metres);
    demo_draw_text(page, (svg_point){0.5 * (at.x + end.x), at.y - 7.0}, SVG_ANCHOR_MIDDLE, 12.0,
                   text);
}

static void demo_draw_ground(svg_page *page, const demo_view *view, double right) {
    svg_page_add_rectangle(page, (svg_point){view->left, view->bottom}, right - view->left, 24.0,
                           demo_get_fill(DEMO_EARTH));
    svg_page_add_line(page, (svg_point){view->left, view->bottom}, (svg_point){right, view->bottom},
                      demo_get_stroke(DEMO_INK, 1.0));
}

// Trough and trestle, which do not move.
static void demo_draw_frame(svg_page *page, const demo_view *view) {
    svg_point trough[4] = {demo_project(view, -14.0, 0.0), demo_project(view, 2.0, 0.0),
                           demo_project(view, 2.0, 0.1), demo_project(view, -14.0, 0.1)};
    svg_page_add_polygon(page, trough, 4, demo_get_fill(DEMO_WOOD));
    svg_style post = demo_get_stroke(svg_color_mix(DEMO_WOOD, DEMO_PAPER, 0.35), 5.0);
    svg_point pivot = demo_project(view, 0.0, 6.0);
    svg_page_add_line(page, demo_project(view, -2.2, 0.0), pivot, post);
    svg_page_add_line(page, demo_project(view, 2.2, 0.0), pivot, post);
    svg_page_add_circle(page, pivot, 4.0, demo_get_fill(DEMO_INK));
}

// The machine at every tenth of a second from the start to just after the release.
static void demo_draw_machine(svg_page *page, const demo_view *view, const demo_sizes *sizes,
                              const demo_throw *toss, double right, double top) {
    svg_page_set_clip(page, (svg_point){view->left, top}, right - view->left,
                      view->bottom + 24.0 - top);
    demo_draw_ground(page, view, right);
    demo_draw_frame(page, view);
    double end = toss->samples[toss->release].time;
    uint32_t last = toss->release;
    while (last + 1 < toss->count && toss->samples[last].time < end + DEMO_FOLLOW) {
        last++;
    }
    demo_draw_path(page, view, toss, 0, last,
                   (svg_style){.stroke = DEMO_BALL, .stroke_width = 1.2, .dash = 5.0});
    double next = 0.0;
    for (uint32_t i = 0; i < toss->release; i++) {
        double time = toss->samples[i].time;
        if (time >= next - 1e-9) {
            demo_draw_pose(page, view, sizes, &toss->samples[i], 0.88 - 0.5 * time / end);
            next += DEMO_STROBE;
        }
    }
    demo_draw_pose(page, view, sizes, &toss->samples[toss->release], 0.0);
    svg_page_clear_clip(page);
    demo_draw_scale(page, view, (svg_point){right - 6.0 * view->scale, view->bottom + 17.0}, 5.0);
}

static void demo_draw_release(svg_page *page, const demo_view *view, const demo_throw *toss) {
    const demo_sample *sample = &toss->samples[toss->release];
    tn_vec3 v = sample->velocities[2].linear;
    tn_vec3 p = sample->poses[2].position;
    svg_point from = demo_project(view, p.x, p.y);
    svg_point to = demo_project(view, p.x + 0.02 * v.x, p.y + 0.02 * v.y);
    svg_page_add_line(page, from, to, demo_get_stroke(DEMO_BALL, 2.0));
    char text[64];
    snprintf(text, sizeof text, "release: %.1f m/s after %.2f s", toss->speed, toss->release_time);
    demo_draw_text(page, (svg_point){from.x + 16.0, from.y + 18.0}, SVG_ANCHOR_START, 13.0, text);
}

// The whole flight to one scale, from the trough to where the ball comes to rest in the picture.
static void demo_draw_flight(svg_page *page, const demo_view *view, const demo_throw *toss,
                             double right) {
    demo_draw_ground(page, view, right);
    uint32_t last = toss->count - 1;
    demo_draw_path(page, view, toss, 0, last, demo_get_stroke(DEMO_BALL, 1.5));
    svg_point pivot = demo_project(view, 0.0, 6.0);
    svg_page_add_line(page, demo_project(view, -2.2, 0.0), pivot, demo_get_stroke(DEMO_WOOD, 2.0));
    svg_page_add_line(page, demo_project(view, 2.2, 0.0), pivot, demo_get_stroke(DEMO_WOOD, 2.0));
    if (toss->range > 0.0) {
        char text[64];
        svg_point at = demo_project(view, toss->range, 0.0);
        snprintf(text, sizeof text, "lands at %.1f m", toss->range);
        svg_page_add_circle(page, at, 4.0, demo_get_fill(DEMO_BALL));
        demo_draw_text(page, (svg_point){at.x - 8.0, at.y + 17.0}, SVG_ANCHOR_END, 13.0, text);
    }
    demo_draw_scale(page, view, (svg_point){view->left + 40.0, view->bottom + 19.0}, 50.0);
}

static double demo_get_apex(const demo_throw *toss) {
    double apex = 0.0;
    for (uint32_t i = 0; i < toss->count; i++) {
        apex = fmax(apex, toss->samples[i].poses[2].position.y);
    }
    return apex;
}

#define DEMO_PAGE_WIDTH 1000.0
#define DEMO_MARGIN     30.0
#define DEMO_CLOSE_TOP  64.0
#define DEMO_CLOSE_UP   660.0 // height of the close-up

static bool demo_save_picture(const scene_run *run, const demo_throw *toss, const char *path) {
    double right = DEMO_PAGE_WIDTH - DEMO_MARGIN;
    double width = right - DEMO_MARGIN;
    double far = fmax(50.0, toss->samples[toss->count - 1].poses[2].position.x) + 30.0;
    double scale = width / far;
    double flight = fmin(400.0, demo_get_apex(toss) * scale + 40.0);
    double height = DEMO_CLOSE_TOP + DEMO_CLOSE_UP + 30.0 + flight + 60.0;
    demo_view close_up = {DEMO_MARGIN, DEMO_CLOSE_TOP + DEMO_CLOSE_UP, -15.5, width / 31.0};
    demo_view whole = {DEMO_MARGIN, height - 44.0, -20.0, scale};
    demo_sizes sizes = demo_get_sizes(run);

    svg_page *page = svg_page_create(DEMO_PAGE_WIDTH, height, DEMO_PAPER);
    demo_draw_machine(page, &close_up, &sizes, toss, right, DEMO_CLOSE_TOP);
    demo_draw_release(page, &close_up, toss);
    demo_draw_flight(page, &whole, toss, right);
    char text[160];
    snprintf(text, sizeof text, "A trebuchet: %.0f kg throw a ball of %.0f kg %.0f m far",
             scene_run_get_value(run, "weight"), scene_run_get_value(run, "ball"), toss->range);
    svg_font title = {.size = 20.0, .color = DEMO_INK, .is_bold = true};
    svg_page_add_text(page, (svg_point){DEMO_MARGIN, 32.0}, title, text);
    snprintf(text, sizeof text, "a pose every %.1f s; worst joint error %.0e m", DEMO_STROBE,
             toss->joint_error);
    demo_draw_text(page, (svg_point){DEMO_MARGIN, 52.0}, SVG_ANCHOR_START, 13.0, text);
    bool is_saved = svg_page_save(page, path);
    svg_page_destroy(page);
    return is_saved;
}

static int demo_tell(scene_run *run, demo_throw *toss, double hz) {
    if (!demo_run(run, toss, hz)) {
        fprintf(stderr, "a step failed\n");
        return 1;
    }
    demo_print(run, toss, hz);
    bool is_saved = demo_save_csv(toss, "out/trebuchet.csv");
    is_saved = demo_save_plot(toss, "out/trebuchet_energy.svg") && is_saved;
    is_saved = toss->release > 0 && demo_save_picture(run, toss, "out/trebuchet.svg") && is_saved;
    if (!is_saved) {
        fprintf(stderr, "could not write into out/ (does the folder exist?)\n");
        return 1;
    }
    printf("  wrote out/trebuchet.csv, out/trebuchet.svg, out/trebuchet_energy.svg\n");
    return 0;
}

int main(int argc, char **argv) {
    double hz = argc > 1 ? strtod(argv[1], NULL) : 240.0;
    if (!(hz >= 10.0 && hz <= 10000.0)) {
        fprintf(stderr, "usage: demo_trebuchet [HZ], 10 to 10000\n");
        return 2;
    }
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    def.joint_bias.hertz = (float)hz; // as stiff as the substeps can bear: a quarter of their rate
    scene_run *run = scene_run_create(scene_find("trebuchet"), NULL, &def);
    demo_throw toss = {.capacity = (uint32_t)(DEMO_TIME * hz) + 2u};
    toss.samples = calloc(toss.capacity, sizeof *toss.samples);
    int status = 1;
    if (run != NULL && toss.samples != NULL) {
        status = demo_tell(run, &toss, hz);
    }
    scene_run_destroy(run);
    free(toss.samples);
    return status;
}
