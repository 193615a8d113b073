// scenes/inline_four.c: an in-line four: one crankshaft, throws at 0, 180, 180 and 0 degrees; or
// many of them side by side, each with its own motor.
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#define INLINE_FOUR_THROW 0.045 // m
#define INLINE_FOUR_ROD   0.14  // m
#define INLINE_FOUR_BORE  0.08  // m
#define INLINE_FOUR_PITCH 0.1   // m between cylinders
#define INLINE_FOUR_SPACE 0.5   // m between the crankshafts of neighbours
#define INLINE_FOUR_SIDE  10    // engines in a line, then the next line follows behind

static const scene_option inline_four_options[] = {
    {"rpm", 900, 0, 10000, "turns a minute that the motor holds"},
    {"max_torque", 100, 0, 1e6, "N m of the motor; 0: no cap"},
    {"count", 1, 1, 1000, "engines"},
};

typedef struct inline_four_state {
    tn_joint_id bearing;          // of the first engine
    engine_cylinder cylinders[4]; // of the same
    engine_speed speed;
} inline_four_state;

static engine_cylinder inline_four_add_cylinder(scene_run *run, tn_body_id crank, tn_vec3 middle,
                                                int index) {
    tn_vec3 center = middle;
    center.z += (index - 1.5) * INLINE_FOUR_PITCH;
    double angle = index == 0 || index == 3 ? 0.0 : BUILD_PI;
    tn_vec3 pin = engine_add_throw(run, crank, center, INLINE_FOUR_THROW, angle);
    engine_cylinder cylinder = {.carrier = crank,
                                .pin = pin,
                                .center = center,
                                .direction = 0.5 * BUILD_PI,
                                .rod_length = INLINE_FOUR_ROD,
                                .rod_mass = 0.6,
                                .piston_mass = 0.4,
                                .bore = INLINE_FOUR_BORE};
    engine_piston piston = engine_add_cylinder(run, &cylinder);
    scene_run_name_body(run, piston.rod, "rod%d", index + 1);
    scene_run_name_body(run, piston.piston, "piston%d", index + 1);
    return cylinder;
}

// Returns the bearing that the motor turns.
static tn_joint_id inline_four_add(scene_run *run, tn_vec3 middle,
                                   engine_cylinder out_cylinders[4]) {
    tn_joint_id bearing;
    tn_body_id crank = engine_add_crankshaft(run, middle, 15.0, 0.07, &bearing);
    scene_run_name_body(run, crank, "crankshaft");
    scene_run_name_joint(run, bearing, "bearing");
    for (int i = 0; i < 4; i++) {
        out_cylinders[i] = inline_four_add_cylinder(run, crank, middle, i);
    }
    double speed = scene_run_get_value(run, "rpm") * 2.0 * BUILD_PI / 60.0;
    build_hinge_speed(run, bearing, speed, scene_run_get_value(run, "max_torque"));
    return bearing;
}

static bool inline_four_build(scene_run *run) {
    inline_four_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    int count = (int)scene_run_get_value(run, "count");
    for (int i = 0; i < count; i++) {
        double x = INLINE_FOUR_SPACE * (i % INLINE_FOUR_SIDE);
        double z = -INLINE_FOUR_SPACE * (i / INLINE_FOUR_SIDE);
        engine_cylinder cylinders[4];
        tn_joint_id bearing =
            inline_four_add(run, build_point(x, 0.0, z), i == 0 ? state->cylinders : cylinders);
        state->bearing = i == 0 ? bearing : state->bearing;
    }
    return true;
}

static void inline_four_after_step(scene_run *run, double dt) {
    (void)dt;
    inline_four_state *state = run->state;
    if (tn_world_get_time(run->world) > 1.0) {
        engine_speed_add(&state->speed, run, state->bearing);
    }
}

static void inline_four_measure(scene_run *run) {
    const inline_four_state *state = run->state;
    double speed = engine_speed_get(&state->speed, run);
    scene_run_add_figure(run, "crank_rpm", speed * 60.0 / (2.0 * BUILD_PI));
}

// The first engine, from the side. Its pins are where the webs say.
static void inline_four_sketch(const scene_run *run, const scene_sketch *sketch) {
    const inline_four_state *state = run->state;
    double angle = tn_hinge_joint_get_angle(run->world, state->bearing);
    for (int i = 0; i < 4; i++) {
        const engine_cylinder *cylinder = &state->cylinders[i];
        double turn = angle + (i == 0 || i == 3 ? 0.0 : BUILD_PI);
        tn_vec3 pin = {cylinder->center.x + INLINE_FOUR_THROW * portable_cos(turn),
                       cylinder->center.y + INLINE_FOUR_THROW * portable_sin(turn),
                       cylinder->center.z};
        engine_sketch_cylinder(sketch, cylinder, INLINE_FOUR_THROW, true);
        engine_sketch_throw(sketch, cylinder->center, pin, INLINE_FOUR_PITCH);
    }
}

const scene scene_inline_four = {
    .name = "inline_four",
    .summary = "four-cylinder engines in line, turned by motors",
    .time = 4.0,
    .options = inline_four_options,
    .option_count = 3,
    .build = inline_four_build,
    .after_step = inline_four_after_step,
    .measure = inline_four_measure,
    .picture = {.view = SCENE_VIEW_SIDE, .moments = 1, .sketch = inline_four_sketch},
};
