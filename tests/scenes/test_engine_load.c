// tests/scenes/test_engine_load.c: engines do what the closed form of the slider-crank says.
#include "scenes/engine_load.h"
#include "scenes/figure.h"

#include <criterion/criterion.h>
#include <math.h>

#define LOAD_HZ 960.0

typedef struct load_case {
    const char *scene, *crank, *first;
    scene_choice choices[3];
    double speed; // rad/s
} load_case;

static const load_case load_cases[] = {
    {"piston", "crank", "piston", {{"speed", 40}}, 40.0},
    {"inline_four", "crankshaft", "piston1", {{"rpm", 600}, {"max_torque", 0}}, 62.83185307179586},
    {"radial_engine",
     "crankshaft",
     "piston1",
     {{"rpm", 300}, {"max_torque", 0}},
     31.41592653589793},
};

static scene_run *load_create(const load_case *item) {
    double values[SCENE_MAX_OPTIONS];
    const scene *kind = scene_find(item->scene);
    cr_assert(scene_get_values(kind, item->choices, 3, values));
    scene_run *run = scene_run_create(kind, values, NULL);
    cr_assert_not_null(run);
    return run;
}

// What was farthest off, and the largest value of that.
typedef struct load_watch {
    double torque_off, torque_most; // N·m
    double force_off, force_most;   // N, at the first piston
    double reach_off;               // m, of any piston
} load_watch;

static double load_get_reach(const scene_run *run, const engine_unit *unit) {
    tn_vec3 p = figure_get_joint_place(run->world, unit->wrist);
    return p.x * unit->axis.x + p.y * unit->axis.y;
}

// Forces and torque of the middle of a step, and reaches of its end.
static void load_watch_step(load_watch *watch, const scene_run *run, const engine_model *model,
                            const engine_load *middle, const engine_load *end) {
    const engine_unit *first = &model->units[0];
    tn_joint_id bearing = scene_run_find_joint(run, "bearing");
    double torque = (double)tn_joint_get_motor_effort(run->world, bearing);
    watch->torque_off = fmax(watch->torque_off, fabs(torque - middle->torque));
    watch->torque_most = fmax(watch->torque_most, fabs(middle->torque));
    if (middle->has_forces) {
        tn_vec3 wrist = tn_joint_get_reaction(run->world, first->wrist).force;
        tn_vec3 wall = tn_joint_get_reaction(run->world, first->cylinder).force;
        double side = first->axis.x * wall.y - first->axis.y * wall.x;
        double off = hypot(wrist.x - middle->wrist[0].x, wrist.y - middle->wrist[0].y);
        watch->force_off = fmax(watch->force_off, fmax(off, fabs(side - middle->wall[0])));
        watch->force_most = fmax(watch->force_most, hypot(middle->wrist[0].x, middle->wrist[0].y));
    }
    for (uint32_t k = 0; k < model->count; k++) {
        double reach = load_get_reach(run, &model->units[k]);
        watch->reach_off = fmax(watch->reach_off, fabs(reach - end->reach[k]));
    }
}

// A step's torque and forces are means over it: those of its middle, but for (w dt)^2 / 24 of their
// second derivatives, a thousandth here. After a tenth of a turn of running in.
Test(engine_load, torque_and_forces_are_those_of_the_closed_form) {
    for (int c = 0; c < 3; c++) {
        const load_case *item = &load_cases[c];
        scene_run *run = load_create(item);
        engine_model model;
        cr_assert(engine_model_read(&model, run, item->crank, item->first));
        load_watch watch = {0};
        tn_joint_id bearing = scene_run_find_joint(run, "bearing");
        double start = tn_hinge_joint_get_angle(run->world, bearing), angle = 0.0;
        uint32_t steps = (uint32_t)(2.0 * 6.283185307179586 / item->speed * LOAD_HZ);
        for (uint32_t i = 0; i < steps; i++) {
            scene_run_step(run, 1.0 / LOAD_HZ, 1);
            double now = tn_hinge_joint_get_angle(run->world, bearing) - start;
            double turn = remainder(now - angle, 6.283185307179586);
            if (i >= steps / 20) {
                cr_assert(fabs(turn * LOAD_HZ - item->speed) < 1e-3 * item->speed);
                engine_load middle = engine_model_get_load(&model, angle + 0.5 * turn, item->speed);
                engine_load end = engine_model_get_load(&model, angle + turn, item->speed);
                load_watch_step(&watch, run, &model, &middle, &end);
            }
            angle = now;
        }
        cr_expect(watch.torque_off < 2e-3 * watch.torque_most, "%s: %g of %g N m", item->scene,
                  watch.torque_off, watch.torque_most);
        cr_expect(watch.force_off <= 2e-3 * watch.force_most, "%s: %g of %g N", item->scene,
                  watch.force_off, watch.force_most);
        cr_expect(watch.reach_off < 1e-6, "%s: %g m", item->scene, watch.reach_off);
        scene_run_destroy(run);
    }
}
