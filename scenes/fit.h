// scenes/fit.h: what scenes that fit something have in common: variables, goals, a hand, dots.
//
// Variables are coordinates of particles that touch nothing, in a world of first order without
// gravity: they go where goals and hands pull them and stay where nothing does.
#ifndef SCENES_FIT_H
#define SCENES_FIT_H

#include "scenes/build.h"

// First-order dynamics, no gravity, no sleep. s: velocity for a force of 1 N on 1 kg.
void fit_configure(tn_world_def *def, double mobility);

// Two variables, the x and y of a particle of 1 kg that keeps its z = 0; shown as a ball.
tn_body_id fit_add_point(scene_run *run, double x, double y, double radius);
// Something to be seen: a kinematic ball, which fit_move puts elsewhere.
tn_body_id fit_add_dot(scene_run *run, double x, double y, double radius);
void fit_move(scene_run *run, tn_body_id dot, double x, double y);
tn_vec3 fit_get(const scene_run *run, tn_body_id body);

// A coordinate of a body of the graph: a variable.
tn_node fit_variable(tn_graph *graph, uint32_t body, uint32_t axis);
// sum + (a - b)^2 / 2
tn_node fit_add_square(tn_graph *graph, tn_node sum, tn_node a, tn_node b);
// Makes `node` of these bodies a goal and destroys the graph.
tn_force_id fit_add_goal(scene_run *run, tn_graph *graph, tn_node node, const tn_body_id *bodies,
                         uint32_t count, double strength);

// A hand that holds a body with a spring, and what it lets go when its time is over: it moves its
// target in a line from where the body is to `target` in half of that time.
typedef struct fit_hand {
    tn_joint_id joint;
    tn_vec3 from, to;
    double time, held; // s: since the start, and until it lets go
} fit_hand;
void fit_hand_take(fit_hand *hand, scene_run *run, tn_body_id body, tn_vec3 target, double held);
void fit_hand_move(fit_hand *hand, scene_run *run, double dt);

// The largest number of the gradients of a goal by its bodies, of E by m.
double fit_get_steepness(scene_run *run, tn_force_id goal, uint32_t count);

#endif
