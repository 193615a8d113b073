// scenes/radial_engine.c: a radial engine: one master rod on the crank pin, the other rods on pins
// around the master rod's big end, as in the real thing.
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#define RADIAL_THROW      0.07 // m
#define RADIAL_ROD        0.26 // m, of the master rod
#define RADIAL_KNUCKLE    0.05 // m from the crank pin to a slave rod's pin
#define RADIAL_FLANGE     0.07 // m, radius of the master rod's big end
#define RADIAL_BORE       0.12 // m
#define RADIAL_MAX_JOINTS 32

static const scene_option radial_engine_options[] = {
    {"cylinders", 7, 3, 9, "cylinders in the star"},
    {"rpm", 600, 0, 10000, "turns a minute that the motor holds"},
    {"max_torque", 200, 0, 1e6, "N m of the motor; 0: no cap"},
};

typedef struct radial_engine_state {
    tn_joint_id bearing;
    engine_speed speed;
} radial_engine_state;

static engine_cylinder radial_engine_get_cylinder(double direction) {
    return (engine_cylinder){.direction = direction,
                             .rod_length = RADIAL_ROD,
                             .rod_mass = 1.0,
                             .piston_mass = 1.2,
                             .bore = RADIAL_BORE};
}

// The master rod's big end is a flange that carries the slave rods' pins. It is a heavy part.
static void radial_engine_add_flange(scene_run *run, tn_body_id rod) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.mass = 3.0;
    part.filter.mask = 0;
    build_add_disc(run, rod, &part, build_point(-0.5 * RADIAL_ROD, 0.0, 0.0), RADIAL_FLANGE, 0.03);
}

// The slave rods' pins stand around the crank pin as the cylinders around the crank, turned as far
// as the master rod leans from its cylinder.
static void radial_engine_add_slaves(scene_run *run, const engine_piston *master, tn_vec3 pin,
                                     int count) {
    double lean = portable_atan2(master->wrist_point.y - pin.y, master->wrist_point.x - pin.x);
    for (int i = 1; i < count; i++) {
        double angle = 2.0 * BUILD_PI * i / count;
        engine_cylinder cylinder = radial_engine_get_cylinder(0.5 * BUILD_PI + angle);
        cylinder.carrier = master->rod;
        cylinder.pin = build_point(pin.x + RADIAL_KNUCKLE * portable_cos(lean + angle),
                                   pin.y + RADIAL_KNUCKLE * portable_sin(lean + angle), pin.z);
        cylinder.rod_length = RADIAL_ROD - RADIAL_KNUCKLE;
        engine_piston piston = engine_add_cylinder(run, &cylinder);
        scene_run_name_body(run, piston.rod, "rod%d", i + 1);
        scene_run_name_body(run, piston.piston, "piston%d", i + 1);
    }
}

static bool radial_engine_build(scene_run *run) {
    radial_engine_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 center = build_point(0.0, 0.0, 0.0);
    tn_body_id crank = engine_add_crankshaft(run, center, 20.0, 0.09, &state->bearing);
    tn_vec3 pin = engine_add_throw(run, crank, center, RADIAL_THROW, 0.3);
    engine_cylinder cylinder = radial_engine_get_cylinder(0.5 * BUILD_PI);
    cylinder.carrier = crank;
    cylinder.pin = pin;
    engine_piston master = engine_add_cylinder(run, &cylinder);
    radial_engine_add_flange(run, master.rod);
    scene_run_name_body(run, crank, "crankshaft");
    scene_run_name_body(run, master.rod, "master_rod");
    scene_run_name_body(run, master.piston, "piston1");
    scene_run_name_joint(run, state->bearing, "bearing");
    radial_engine_add_slaves(run, &master, pin, (int)scene_run_get_value(run, "cylinders"));

    double speed = scene_run_get_value(run, "rpm") * 2.0 * BUILD_PI / 60.0;
    build_hinge_speed(run, state->bearing, speed, scene_run_get_value(run, "max_torque"));
    return true;
}

static void radial_engine_after_step(scene_run *run, double dt) {
    (void)dt;
    radial_engine_state *state = run->state;
    if (tn_world_get_time(run->world) > 1.0) {
        engine_speed_add(&state->speed, run, state->bearing);
    }
}

static void radial_engine_measure(scene_run *run) {
    const radial_engine_state *state = run->state;
    double speed = engine_speed_get(&state->speed, run);
    scene_run_add_figure(run, "crank_rpm", speed * 60.0 / (2.0 * BUILD_PI));
}

static void radial_engine_sketch(const scene_run *run, const scene_sketch *sketch) {
    int count = (int)scene_run_get_value(run, "cylinders");
    for (int i = 0; i < count; i++) {
        double angle = 0.5 * BUILD_PI + 2.0 * BUILD_PI * i / count;
        engine_cylinder cylinder = radial_engine_get_cylinder(angle);
        engine_sketch_cylinder(sketch, &cylinder, RADIAL_THROW, false);
    }
    uint32_t joints = tn_world_count_joints(run->world);
    tn_joint_id hinges[RADIAL_MAX_JOINTS];
    tn_world_get_joints(run->world, hinges, RADIAL_MAX_JOINTS);
    for (uint32_t i = 0; i < joints && i < RADIAL_MAX_JOINTS; i++) {
        if (tn_joint_get_type(run->world, hinges[i]) == TN_JOINT_TYPE_HINGE) {
            engine_sketch_pin(sketch, run, hinges[i], 0.08 * RADIAL_BORE);
        }
    }
}

const scene scene_radial_engine = {
    .name = "radial_engine",
    .summary = "a radial engine with a master rod, turned by a motor",
    .time = 4.0,
    .options = radial_engine_options,
    .option_count = 3,
    .build = radial_engine_build,
    .after_step = radial_engine_after_step,
    .measure = radial_engine_measure,
    .picture = {.moments = 1, .sketch = radial_engine_sketch},
};
