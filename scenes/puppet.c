// scenes/puppet.c: a soft puppet whose hands and feet are led through keyframes.
//
// Ten affine boxes on hinges: a head, a body, arms and legs in halves. Motion paths lead the hands
// and the feet from key to key and round again; the rest follows by its own elasticity. Source: the
// texts' keyframe puppets, of affine bodies ("troids") on constraints that depend on time.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define PUPPET_PARTS   10
#define PUPPET_HELD    4     // hands, feet
#define PUPPET_KEYS    5     // the last is the first again
#define PUPPET_BEAT    0.5   // s from key to key
#define PUPPET_DENSITY 300.0 // kg/m^3
#define PUPPET_DEPTH   0.15  // m
#define PUPPET_RATIO   0.3   // Poisson's
#define PUPPET_SPRING  60.0f // N·m/rad, of its hinges
#define PUPPET_DAMPING 4.0f  // N·m·s/rad

static const scene_option puppet_options[] = {
    {"modulus", 2e4, 1e3, 1e12, "Pa, Young's"},
    {"viscosity", 0.03, 0, 1, "s"},
};

// From point to point, hung at the first one; `on` is the part that it hangs on, or -1.
typedef struct puppet_part {
    const char *name;
    double x0, y0, x1, y1, width; // m
    int on;
} puppet_part;

static const puppet_part puppet_parts[PUPPET_PARTS] = {
    {"body", 0.0, 1.45, 0.0, 0.85, 0.34, -1},
    {"head", 0.0, 1.45, 0.0, 1.75, 0.22, 0},
    {"left_arm", -0.2, 1.4, -0.5, 1.3, 0.1, 0},
    {"right_arm", 0.2, 1.4, 0.5, 1.3, 0.1, 0},
    {"left_forearm", -0.5, 1.3, -0.75, 1.45, 0.09, 2},
    {"right_forearm", 0.5, 1.3, 0.75, 1.45, 0.09, 3},
    {"left_thigh", -0.12, 0.85, -0.2, 0.45, 0.14, 0},
    {"right_thigh", 0.12, 0.85, 0.2, 0.45, 0.14, 0},
    {"left_shin", -0.2, 0.45, -0.2, 0.05, 0.11, 6},
    {"right_shin", 0.2, 0.45, 0.2, 0.05, 0.11, 7},
};

// The parts whose far ends are held, and how far from their first places the keys are, m.
static const int puppet_held[PUPPET_HELD] = {4, 5, 8, 9};
static const tn_vec3 puppet_keys[PUPPET_HELD][PUPPET_KEYS] = {
    {{0, 0, 0}, {0.05, 0.25, 0}, {0.2, 0.35, 0}, {0.05, -0.15, 0}, {0, 0, 0}},
    {{0, 0, 0}, {-0.05, -0.2, 0}, {-0.2, 0.35, 0}, {-0.05, 0.25, 0}, {0, 0, 0}},
    {{0, 0, 0}, {-0.1, 0.12, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0.1, 0.12, 0}, {0, 0, 0}},
};

typedef struct puppet_state {
    tn_reduced_id parts[PUPPET_PARTS];
    tn_vec3 tips[PUPPET_HELD]; // in the body's frame
    double time, most_off, most_energy;
} puppet_state;

static void puppet_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// On a hinge with a spring that holds it as it is drawn.
static void puppet_hang(scene_run *run, tn_body_id a, tn_body_id b, tn_vec3 at) {
    tn_joint_id hinge = build_hinge(run, a, b, at, build_axis_z());
    tn_hinge_joint_set_spring(run->world, hinge,
                              (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                          .stiffness = PUPPET_SPRING,
                                          .damping = PUPPET_DAMPING});
}

// From key to key by a smooth curve, and round again.
static void puppet_lead(scene_run *run, tn_body_id body, tn_vec3 tip, const tn_vec3 *keys) {
    double times[PUPPET_KEYS];
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    for (int k = 0; k < PUPPET_KEYS; k++) {
        times[k] = k * PUPPET_BEAT;
    }
    tn_body_id world = {0};
    if (!tn_joint_def_set_frames(run->world, &def.base, world, body, tip, build_axis_x())) {
        run->has_failed = true;
    }
    def.times = times;
    def.points = keys;
    def.point_count = PUPPET_KEYS;
    def.is_looped = true;
    tn_joint_id joint = tn_motion_path_joint_create(run->world, &def);
    run->has_failed = run->has_failed || joint.value == 0;
}

static bool puppet_build(scene_run *run) {
    puppet_state *state = scene_run_alloc_state(run, sizeof *state);
    tn_body_id bodies[PUPPET_PARTS];
    if (state == NULL) {
        return false;
    }
    for (int i = 0; i < PUPPET_PARTS; i++) {
        const puppet_part *part = &puppet_parts[i];
        tn_vec3 from = build_point(part->x0, part->y0, 0.0);
        tn_vec3 to = build_point(part->x1, part->y1, 0.0);
        double mass = PUPPET_DENSITY * build_distance(from, to) * part->width * PUPPET_DEPTH;
        bodies[i] = build_bar(run, from, to, mass, part->width, PUPPET_DEPTH);
        state->parts[i] =
            build_affine(run, bodies[i], PUPPET_RATIO, scene_run_get_value(run, "viscosity"));
        if (part->on >= 0) {
            puppet_hang(run, bodies[part->on], bodies[i], from);
        }
        scene_run_name_body(run, bodies[i], "%s", part->name);
    }
    for (int i = 0; i < PUPPET_HELD; i++) {
        const puppet_part *part = &puppet_parts[puppet_held[i]];
        tn_body_id body = bodies[puppet_held[i]];
        tn_vec3 tip = build_point(part->x1, part->y1, 0.0);
        tn_vec3 local = tn_body_get_local_point(run->world, body, tip);
        state->tips[i] = build_point(local.x, local.y, local.z);
        puppet_lead(run, body, tip, puppet_keys[i]);
    }
    return true;
}

// How far hands and feet are from a key, when its time comes.
static void puppet_compare(scene_run *run, puppet_state *state, int key) {
    for (int i = 0; i < PUPPET_HELD; i++) {
        const puppet_part *part = &puppet_parts[puppet_held[i]];
        const tn_vec3 *off = &puppet_keys[i][key];
        tn_vec3 asked = build_point(part->x1 + off->x, part->y1 + off->y, off->z);
        tn_vec3 is = tn_affine_get_point(run->world, state->parts[puppet_held[i]], state->tips[i]);
        state->most_off = fmax(state->most_off, build_distance(asked, is));
    }
}

static void puppet_after_step(scene_run *run, double dt) {
    puppet_state *state = run->state;
    state->time += dt;
    double beats = state->time / PUPPET_BEAT, nearest = floor(beats + 0.5);
    if (fabs(beats - nearest) * PUPPET_BEAT < 1e-9) {
        puppet_compare(run, state, (int)fmod(nearest, PUPPET_KEYS - 1.0));
    }
    tn_energy energy = tn_world_get_energy(run->world);
    state->most_energy = fmax(state->most_energy, energy.kinetic + energy.elastic);
}

static void puppet_measure(scene_run *run) {
    const puppet_state *state = run->state;
    scene_run_add_figure(run, "key_error_m", state->most_off);
    scene_run_add_figure(run, "most_energy_j", state->most_energy);
    scene_run_add_figure(run, "joint_gap_m", figure_get_joint_gap(run));
}

const scene scene_puppet = {
    .name = "puppet",
    .summary = "a soft puppet, its hands and feet led through keyframes",
    .time = 6.0,
    .options = puppet_options,
    .option_count = 2,
    .configure = puppet_configure,
    .build = puppet_build,
    .after_step = puppet_after_step,
    .measure = puppet_measure,
};
