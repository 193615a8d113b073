// scenes/door_bolt.c: a bolt that is slid home and whose handle falls down behind a catch: one
// cylindrical joint, with stops and friction for its slide and its turn.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define BOLT_LENGTH   0.30   // m
#define BOLT_DIAMETER 0.02   // m
#define BOLT_HANDLE   0.12   // m
#define BOLT_WAY      0.15   // m it may slide
#define BOLT_DENSITY  7800.0 // kg/m^3, of steel

static const scene_option door_bolt_options[] = {
    {"push", 0.8, -10, 10, "m/s along the bolt, at the start"},
    {"friction", 1.0, 0, 100, "N against sliding"},
    {"drag", 0.01, 0, 10, "N m against turning"},
};

typedef struct door_bolt_state {
    tn_joint_id guide;
} door_bolt_state;

// A bar along x, and a handle that stands a little off upright, toward the reader.
static tn_body_id door_bolt_add_body(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.density = BOLT_DENSITY;
    part.filter.mask = 0;
    tn_body_id bolt = build_body(run, &part);
    build_add_box(run, bolt, &part, build_point(0.0, 0.0, 0.0),
                  build_point(BOLT_LENGTH, BOLT_DIAMETER, BOLT_DIAMETER));
    build_add_bar(run, bolt, &part, build_point(0.0, 0.0, 0.0), build_point(0.0, BOLT_HANDLE, 0.05),
                  0.014);
    scene_run_name_body(run, bolt, "bolt");
    return bolt;
}

static void door_bolt_set_stops(const scene_run *run, tn_joint_id guide) {
    tn_cylindrical_joint_def def = tn_cylindrical_joint_get_def(run->world, guide);
    def.slide.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = (float)BOLT_WAY};
    def.slide.friction = (float)scene_run_get_value(run, "friction");
    // The handle lies on the plate on either side.
    def.turn.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = 2.4f};
    def.turn.friction = (float)scene_run_get_value(run, "drag");
    tn_cylindrical_joint_set_slide(run->world, guide, def.slide);
    tn_cylindrical_joint_set_turn(run->world, guide, def.turn);
}

// The plate that the bolt slides on, drawn only.
static void door_bolt_add_plate(scene_run *run) {
    build_part plate = build_part_at(0.5 * BOLT_WAY, 0.0, -0.03);
    plate.type = TN_BODY_TYPE_STATIC;
    plate.filter.mask = 0;
    build_box(run, &plate, BOLT_LENGTH + BOLT_WAY + 0.04, 0.12, 0.01);
}

static bool door_bolt_build(scene_run *run) {
    door_bolt_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    door_bolt_add_plate(run);
    tn_body_id bolt = door_bolt_add_body(run);
    tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
    if (!tn_joint_def_set_frames(run->world, &def.base, (tn_body_id){0}, bolt,
                                 build_point(0.0, 0.0, 0.0), build_axis_x())) {
        return false;
    }
    state->guide = tn_cylindrical_joint_create(run->world, &def);
    run->has_failed = run->has_failed || state->guide.value == 0;
    door_bolt_set_stops(run, state->guide);
    tn_vec3 push = build_point(scene_run_get_value(run, "push"), 0.0, 0.0);
    tn_body_set_linear_velocity(run->world, bolt, push);
    scene_run_name_joint(run, state->guide, "guide");
    return true;
}

static void door_bolt_measure(scene_run *run) {
    const door_bolt_state *state = run->state;
    tn_reaction reaction = tn_joint_get_reaction(run->world, state->guide);
    scene_run_add_figure(run, "slide_end_m",
                         tn_cylindrical_joint_get_translation(run->world, state->guide));
    scene_run_add_figure(run, "turn_end_deg",
                         tn_cylindrical_joint_get_angle(run->world, state->guide) * 180.0 /
                             BUILD_PI);
    scene_run_add_figure(run, "weight_on_guide", reaction.force.y);
}

const scene scene_door_bolt = {
    .name = "door_bolt",
    .summary = "a bolt slides home, and its handle falls down: a cylindrical joint",
    .time = 2.0,
    .options = door_bolt_options,
    .option_count = 3,
    .build = door_bolt_build,
    .measure = door_bolt_measure,
};
