// world/step_net.c: what went through something within a step is put back to it.
//
// Contacts stop what comes (world/contact_path.c), but they are made for the velocities with which
// a step begins. A ball that a blow sends on through a corner, or a stick that a blow makes spin,
// may leave the planes that were made for it. So a body that has gone farther than half its inner
// radius has a core, its shape less half its inner radius, swept from where it was to where it is.
// What that meets on the way is what the body has gone through. The body is put back to where its
// surface met it and keeps its velocity. The next step has the contact. It is a net and no first
// means: the body loses the time from there on. Of two that move, the one that went farther is put
// back. Bodies on joints are not: their joints would open. For those of
// mechanisms that are solved exactly see solver/touch_net.c. Test: tests/world/test_step_net.c
#include <math.h>

#include "collision/path_meet.h"
#include "world/narrow.h"
#include "world/step_internal.h"

// rad: what turned farther is swept as a ball.
#define NET_TURN 0.5
// Bodies of one part of the loop.
#define NET_PART 256u

typedef struct net_pass {
    tn_world *world;
    const tni_step *step;
    double dt;
    double *shares; // by solver body: of its way, that it keeps
} net_pass;

// A shape on its way through the step, and what it meets first.
typedef struct net_sweep {
    const net_pass *pass;
    uint32_t shape, body; // the world's
    tni_path_end core, whole;
    double inner, reach; // m
    double way;          // m: of its body
    double share;        // of dt, up to the first meeting
} net_sweep;

// ---- shapes -----------------------------------------------------------------------------------

static const tni_body_motion *net_get_end(const net_pass *pass, const tni_body *body) {
    return body->awake_index != TNI_NONE ? &pass->step->solver.motions[body->solver_index]
                                         : &body->motion;
}

// The rotation vector of the shortest turn from p to q, divided by dt.
static tni_dvec3 net_get_spin(tni_dquat p, tni_dquat q, double dt) {
    tni_dquat d = dquat_mul(q, dquat_conjugate(p));
    double sign = d.w < 0.0 ? -1.0 : 1.0;
    tni_dvec3 v = dvec3_make(sign * d.x, sign * d.y, sign * d.z);
    double sine = dvec3_length(v), half = tni_maths_atan2(sine, sign * d.w);
    double scale = sine > 1e-12 ? 2.0 * half / sine : 2.0;
    return dvec3_scale(v, scale / dt);
}

static bool net_turns_far(const net_pass *pass, const tni_body_motion *end) {
    tni_dvec3 w = end->angular_velocity;
    return dvec3_dot(w, w) * pass->dt * pass->dt > NET_TURN * NET_TURN;
}

// From where the step began to where it ends, straight on.
static tni_path_end net_make_end(const net_pass *pass, const tni_shape *shape) {
    const tni_body *body = tni_body_at(pass->world, shape->body);
    const tni_body_motion *end = net_get_end(pass, body);
    const tni_geometry *geometry = tni_shape_get_geometry(shape);
    tni_dvec3 local = dvec3_sub(dvec3_from_float(geometry->position), body->local_center);
    tni_dquat rotation = dquat_mul(body->rotation, dquat_from_float(geometry->rotation));
    tni_path_end out = {.geometry = geometry, .position = body->position};
    out.center = dvec3_add(body->position, dquat_rotate(body->rotation, local));
    out.rotation = maths_quat_normalize(dquat_to_float(rotation));
    out.velocity = dvec3_scale(dvec3_sub(end->position, body->position), 1.0 / pass->dt);
    out.angular_velocity = net_get_spin(body->rotation, end->rotation, pass->dt);
    return out;
}

// ---- one pair ---------------------------------------------------------------------------------

// Does anything stand against the two shapes touching?
static bool net_may_touch(const net_sweep *sweep, uint32_t other) {
    const tn_world *world = sweep->pass->world;
    uint32_t contact = tni_map_get(&world->pairs, tni_pair_key(sweep->shape, other));
    return contact != TNI_NONE ? !tni_contact_at(world, contact)->is_disabled
                               : tni_shapes_may_touch(world, sweep->shape, other);
}

static void net_meet(net_sweep *sweep, uint32_t other) {
    const net_pass *pass = sweep->pass;
    const tni_shape *shape = tni_shape_at(pass->world, other);
    if (shape->body == sweep->body) {
        return;
    }
    tni_path path = {.a = net_make_end(pass, shape), .b = sweep->core, .dt = pass->dt};
    double way = dvec3_length(path.a.velocity) * pass->dt;
    if (way > sweep->way || (way == sweep->way && shape->body > sweep->body)) {
        return; // it is its own turn to be put back
    }
    double turn_a = tni_path_get_turn_speed(&path.a, shape->turn_reach);
    double turn_b = tni_path_get_turn_speed(&path.b, (float)sweep->reach);
    path.origin = sweep->core.center;
    path.reach_speed = turn_a + turn_b;
    path.margin = (float)(sweep->way + way + path.reach_speed * pass->dt + sweep->inner);
    double touch = TNI_MEET_TOUCH * sweep->inner, until = sweep->share * pass->dt;
    double share = tni_path_find_meeting(&path, touch, until);
    if (share >= sweep->share || !net_may_touch(sweep, other)) {
        return;
    }
    path.b = sweep->whole;
    sweep->share = fmin(share, tni_path_find_meeting(&path, touch, share * pass->dt));
}

static bool net_visit(uint32_t other, void *context) {
    net_meet(context, other);
    return true;
}

// ---- one body ---------------------------------------------------------------------------------

static double net_sweep_shape(const net_pass *pass, uint32_t index, double way, double share) {
    const tn_world *world = pass->world;
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_geometry *whole = tni_shape_get_geometry(shape);
    float inner = tni_geometry_inner_radius(whole);
    const tni_body_motion *end = net_get_end(pass, tni_body_at(world, shape->body));
    bool is_ball = net_turns_far(pass, end);
    if (whole->type == TNI_GEOMETRY_HALF_SPACE ||
        (!is_ball && way < (double)(TNI_MEET_CORE * inner))) {
        return share;
    }
    net_sweep sweep = {.pass = pass, .shape = index, .body = shape->body, .way = way};
    sweep.whole = sweep.core = net_make_end(pass, shape);
    tni_geometry core = tni_path_make_core(whole, inner, is_ball);
    sweep.core.geometry = &core;
    tni_path_center_core(whole, &sweep.core);
    sweep.inner = (double)inner;
    sweep.reach = (double)shape->turn_reach;
    sweep.share = share;
    tni_dvec3 from = sweep.core.center;
    tni_dvec3 to = dvec3_add_scaled(from, pass->dt, sweep.core.velocity);
    double reach = (double)(shape->size + inner);
    tni_dvec3 room = dvec3_make(reach, reach, reach);
    tni_dvec3 low = dvec3_make(fmin(from.x, to.x), fmin(from.y, to.y), fmin(from.z, to.z));
    tni_dvec3 high = dvec3_make(fmax(from.x, to.x), fmax(from.y, to.y), fmax(from.z, to.z));
    tni_bounds bounds = tni_bounds_round(dvec3_sub(low, room), dvec3_add(high, room));
    tni_tree_query(&world->static_tree, &bounds, net_visit, &sweep);
    tni_tree_query(&world->moving_tree, &bounds, net_visit, &sweep);
    for (uint32_t i = 0; i < world->half_spaces.count; ++i) {
        net_meet(&sweep, world->half_spaces.items[i]);
    }
    return sweep.share;
}

static bool net_is_fast(const net_pass *pass, const tni_body *body) {
    if (body->type != TN_BODY_TYPE_DYNAMIC || body->joint_head != TNI_NONE ||
        body->reduced != TNI_NONE) {
        return false;
    }
    const tni_body_motion *end = net_get_end(pass, body);
    if (net_turns_far(pass, end)) {
        return true;
    }
    tni_dvec3 way = dvec3_sub(end->position, body->position);
    for (uint32_t s = body->shape_head; s != TNI_NONE;) {
        const tni_shape *shape = tni_shape_at(pass->world, s);
        float least = TNI_MEET_CORE * tni_geometry_inner_radius(tni_shape_get_geometry(shape));
        if (dvec3_dot(way, way) > (double)least * (double)least) {
            return true;
        }
        s = shape->next;
    }
    return false;
}

static void net_mark(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const net_pass *pass = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        const tni_body *body = tni_body_at(pass->world, pass->step->body_of[i]);
        pass->shares[i] = net_is_fast(pass, body) ? 1.0 : 2.0;
    }
}

// On one thread, for it may ask the user's filter.
static void net_sweep_body(const net_pass *pass, uint32_t i) {
    const tni_body *body = tni_body_at(pass->world, pass->step->body_of[i]);
    tni_dvec3 way = dvec3_sub(pass->step->solver.motions[i].position, body->position);
    double length = dvec3_length(way), share = 1.0;
    if (!isfinite(length)) {
        return;
    }
    for (uint32_t s = body->shape_head; s != TNI_NONE; s = tni_shape_at(pass->world, s)->next) {
        share = net_sweep_shape(pass, s, length, share);
    }
    pass->shares[i] = share;
}

// Of the way and the turn that the step made.
static void net_put_back(const net_pass *pass, uint32_t i) {
    const tni_body *body = tni_body_at(pass->world, pass->step->body_of[i]);
    tni_body_motion *motion = &pass->step->solver.motions[i];
    double share = pass->shares[i];
    tni_dvec3 way = dvec3_sub(motion->position, body->position);
    motion->position = dvec3_add_scaled(body->position, share, way);
    tni_dquat p = body->rotation, q = motion->rotation;
    double sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0.0 ? -share : share;
    double rest = 1.0 - share;
    motion->rotation =
        dquat_normalize(dquat_make(rest * p.x + sign * q.x, rest * p.y + sign * q.y,
                                   rest * p.z + sign * q.z, rest * p.w + sign * q.w));
}

void tni_step_cast_net(tn_world *world, const tni_step *step, double dt) {
    uint32_t count = world->awake_bodies.count;
    net_pass pass = {world, step, dt, step->shares};
    tni_tasks_run(&world->tasks, net_mark, count, tni_world_cut(world, NET_PART), &pass);
    bool has_any = false;
    for (uint32_t i = 1; i <= count; ++i) {
        if (pass.shares[i] <= 1.0) {
            net_sweep_body(&pass, i);
            has_any |= pass.shares[i] < 1.0;
        }
    }
    for (uint32_t i = 1; has_any && i <= count; ++i) {
        if (pass.shares[i] < 1.0) {
            net_put_back(&pass, i);
        }
    }
}
