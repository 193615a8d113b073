// scenes/scene.h: scenes as C functions, shared by demos, the tool, tests and benchmarks.
//
// A scene is a constant record: a name, a line about it, options with defaults, functions that
// build it into a world, act before a step (release a sling, drive a winch) and measure it, and how
// it wants to be drawn. Scenes use the public API only.
#ifndef SCENES_SCENE_H
#define SCENES_SCENE_H

#include <tenon/machines.h>

#include "scenes/choice.h"

#define SCENE_MAX_OPTIONS 16
#define SCENE_MAX_FIGURES 24

typedef struct scene_option {
    const char *name;
    double value; // default
    double lower, upper;
    const char *help; // with its unit
} scene_option;

// One measured number: "range_m", "release_speed", "drift_max_m", "stands" ...
typedef struct scene_figure {
    const char *name;
    double value;
} scene_figure;

// A dynamic body and where its centre of mass was before the first step.
typedef struct scene_start {
    tn_body_id body;
    tn_vec3 center;
} scene_start;

typedef struct scene_run scene_run;

// Lines that show what is no body or joint, with the pens of tools/plot/drawing.h.
typedef enum scene_pen {
    SCENE_PEN_FRAME = 0, // broad, behind the bodies: masts, walls, columns
    SCENE_PEN_GRID,      // thin and grey, behind the bodies: the lines of a surface
    SCENE_PEN_THREAD,    // thin: threads, handles
    SCENE_PEN_CURVE,     // colored
    SCENE_PEN_PLATE,     // a closed outline that is filled: webs, wheels
} scene_pen;
typedef struct scene_sketch {
    void (*add)(void *context, scene_pen pen, const tn_vec3 *points, uint32_t count);
    void *context;
} scene_sketch;

typedef enum scene_view {
    SCENE_VIEW_AUTO = 0, // as suits what moves
    SCENE_VIEW_FRONT,    // x to the right, y up
    SCENE_VIEW_SIDE,     // -z to the right, y up
    SCENE_VIEW_TOP,      // x to the right, -z up
    SCENE_VIEW_CORNER,   // from a corner above
} scene_view;

// How a scene is drawn; all zero: as suits what moves.
typedef struct scene_picture {
    scene_view view;
    uint32_t moments; // drawn over each other, paler the earlier. 0: by the number of bodies
    // A second panel of a part of x and y, m, in the first `close_up_time` seconds. 0: none.
    double left, bottom, right, top, close_up_time;
    // Draws what is no body or joint, as it is now. May be null.
    void (*sketch)(const scene_run *run, const scene_sketch *sketch);
} scene_picture;

typedef struct scene {
    const char *name;
    const char *summary; // one line
    double time;         // s, a good length of a run
    const scene_option *options;
    uint32_t option_count;
    // Changes the world's definition (gravity, sleep ...) before the world is made. May be null.
    void (*configure)(const double *values, tn_world_def *def);
    // Adds everything to run->world; false when a creation failed.
    bool (*build)(scene_run *run);
    // Called before each step of dt seconds. May be null.
    void (*before_step)(scene_run *run, double dt);
    // Cuts a step of dt where something happens within it: does what is due now and returns how far
    // the world goes before this is asked again, at most the `left` seconds that remain. Null:
    // steps are whole.
    double (*cut_step)(scene_run *run, double left, double dt);
    // Called after each step. May be null.
    void (*after_step)(scene_run *run, double dt);
    // Adds figures with scene_run_add_figure. May be null.
    void (*measure)(scene_run *run);
    scene_picture picture;
} scene;

struct scene_run {
    const scene *scene;
    tn_world *world;
    double values[SCENE_MAX_OPTIONS]; // in the order of scene->options
    void *state;                      // of the scene, from scene_run_alloc_state
    size_t state_size;
    bool has_failed; // a builder of scenes/build.h could not make something
    scene_figure figures[SCENE_MAX_FIGURES];
    uint32_t figure_count, own_count; // the scene's own come first
    scene_start *starts;              // where the dynamic bodies' centres were when the run began
    uint32_t start_count;
    double joint_gap_max;     // m, over all steps: the largest linear joint error
    double penetration_max;   // m, over all steps
    struct scene_name *names; // of bodies and joints
    uint32_t name_count, name_capacity;
};

// The scenes, in a fixed order; and one by name, or null.
const scene *const *scene_get_all(uint32_t *out_count);
const scene *scene_find(const char *name);
// The index of an option, or -1.
int scene_find_option(const scene *scene, const char *name);
// The value of each option: the scene's own, or what is chosen, up to `count` or the first choice
// without a name. False when the scene has no option of such a name.
bool scene_get_values(const scene *scene, const scene_choice *choices, uint32_t count,
                      double *out_values);

// Makes a world from `def` (null: the default; the scene's configure comes after it) and builds the
// scene in it. `values` null: the defaults. Null when something failed.
scene_run *scene_run_create(const scene *scene, const double *values, const tn_world_def *def);
void scene_run_destroy(scene_run *run);
// Empties the world and builds the scene in it once more. False when something failed.
bool scene_run_restart(scene_run *run);
// before_step, tn_world_step (once for each part of a step that is cut), after_step. Events are
// those of the last part.
tn_result scene_run_step(scene_run *run, double dt, uint32_t substeps);
// Empties and refills run->figures: the scene's own, and of every scene with joints or contacts the
// largest joint gap over the run and now (rebuilt from the bodies' poses), and the deepest contact.
void scene_run_measure(scene_run *run);

// For scenes: their option values, state, names and figures.
double scene_run_get_value(const scene_run *run, const char *option);
void *scene_run_alloc_state(scene_run *run, size_t size); // zeroed
void scene_run_name_body(scene_run *run, tn_body_id body, const char *format, ...);
void scene_run_name_joint(scene_run *run, tn_joint_id joint, const char *format, ...);
void scene_run_add_figure(scene_run *run, const char *name, double value);
// The name given, or null; and the other way round, or a null handle.
const char *scene_run_get_body_name(const scene_run *run, tn_body_id body);
const char *scene_run_get_joint_name(const scene_run *run, tn_joint_id joint);
tn_body_id scene_run_find_body(const scene_run *run, const char *name);
tn_joint_id scene_run_find_joint(const scene_run *run, const char *name);

#endif
