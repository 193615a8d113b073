// solver/touches/touch_net.c: touches whose shapes went through each other in a stage.
//
// Planes are made for the velocities with which a stage begins. The joints' answer to these, and
// events that are new in the step, may send a body through something thin all the same. The poses
// before a stage are kept until it is accepted, so a body that went farther than half its inner
// radius has its core swept from the one to the other (collision/path/path_meet.c), against the
// other shape of each of its contacts. A mechanism that went through something takes its stage
// again, up to the time when it met that (solver/exact/mechanism_run.c): joints stay closed, and no
// time is lost. Test: tests/solver/touches/test_touch_net.c
#include "collision/path/path_meet.h"
#include "solver/touches/touch.h"

static const tni_body_motion *net_get_before(const tni_solver *solver, const tni_touch_end *end) {
    return end->before != NULL ? end->before : &solver->bodies.motions[end->body];
}

// Finds where an end was when the stage began, and where it is after it. Bodies of no mechanism go
// on by themselves.
static void net_find_way(const tni_solver *solver, const tni_touch_end *end, tni_dpose *from,
                         tni_dpose *to) {
    const tni_body_motion *before = net_get_before(solver, end), *after = end->motion;
    *from = (tni_dpose){before->position, before->rotation};
    *to = (tni_dpose){after->position, after->rotation};
    if (end->mechanism == NULL && end->before == NULL) {
        tni_dvec3 r = dvec3_scale(before->angular_velocity, solver->dh);
        to->position = dvec3_add_scaled(from->position, solver->dh, before->velocity);
        to->rotation = dquat_mul(dquat_cayley(r), from->rotation);
    }
}

// Sets the end's shape on its way. Returns how fast turning moves its surface, m/s.
static double net_set_end(const tni_solver *solver, const tni_touch_end *end, tni_path_end *out,
                          double *out_way) {
    tni_dpose from, to;
    net_find_way(solver, end, &from, &to);
    tni_dquat rotation = dquat_mul(from.rotation, end->rotation);
    out->geometry = end->geometry;
    out->center = dvec3_add(from.position, dquat_rotate(from.rotation, end->position));
    out->rotation = maths_quat_normalize(dquat_to_float(rotation));
    double off = tni_path_end_span(out, &from, &to, solver->dh);
    *out_way = dvec3_length(dvec3_sub(to.position, from.position));
    return tni_path_get_turn_speed(out, (float)(end->reach + off));
}

// Returns how far a surface has gone at most, m.
static double net_get_way(const tni_solver *solver, const tni_touch_end *end) {
    const tni_body_motion *before = net_get_before(solver, end), *after = end->motion;
    bool is_known = end->mechanism != NULL || end->before != NULL;
    tni_dvec3 way = is_known ? dvec3_sub(after->position, before->position)
                             : dvec3_scale(before->velocity, solver->dh);
    double turn = dvec3_length(after->angular_velocity) * solver->dh;
    return dvec3_length(way) + end->reach * turn;
}

// Returns the share of the stage after which the core of end `e` meets the other end.
static double net_find_pair(const tni_solver *solver, const tni_touch *touch, uint32_t e,
                            double most_way) {
    const tni_touch_end *end = &touch->ends[e];
    float inner = tni_geometry_inner_radius(end->geometry);
    if (end->geometry->type == TNI_GEOMETRY_HALF_SPACE || tni_geometry_is_triangle(end->geometry) ||
        most_way < (double)(TNI_MEET_CORE * inner)) {
        return 2.0;
    }
    tni_path path = {.dt = solver->dh};
    double ways[2];
    path.reach_speed = net_set_end(solver, &touch->ends[0], &path.a, &ways[0]) +
                       net_set_end(solver, &touch->ends[1], &path.b, &ways[1]);
    tni_path_end *core = e == 0 ? &path.a : &path.b, whole = *core;
    tni_geometry geometry = tni_path_make_core(end->geometry, inner, false);
    path.origin = core->center;
    path.margin = (float)(ways[0] + ways[1] + path.reach_speed * solver->dh) + inner;
    core->geometry = &geometry;
    tni_path_center_core(end->geometry, core);
    double near = TNI_MEET_TOUCH * (double)inner;
    double share = tni_path_find_meeting(&path, near, solver->dh);
    if (share > 1.0) {
        return share;
    }
    *core = whole;
    return maths_min_d(share, tni_path_find_meeting(&path, near, share * solver->dh));
}

double tni_touch_find_passed(const tni_solver *solver, const tni_touch *touch) {
    double share = 2.0;
    double way = net_get_way(solver, &touch->ends[0]) + net_get_way(solver, &touch->ends[1]);
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_touch_end *end = &touch->ends[e];
        if (end->mechanism != NULL || (end->before != NULL && end->is_loose)) {
            share = maths_min_d(share, net_find_pair(solver, touch, e, way));
        }
    }
    return share;
}

double tni_touches_find_passed(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    double least = 2.0;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        double share = touch_is_active(touch) ? tni_touch_find_passed(solver, touch) : 2.0;
        for (uint32_t e = 0; e < 2 && share < 1.0; ++e) {
            if (touch->ends[e].mechanism != NULL) {
                touch->ends[e].mechanism->stage.is_deep = true;
            }
        }
        least = maths_min_d(least, share);
    }
    return least;
}
