// solver/contacts/contact_follow.c: the geometry of a contact follows a shape that rolls over edges
// within a step.
//
// A contact's normal is that of the step's start, or of the time at which its pair meets, and does
// not change until the step ends. That is right on a face. A ball that rolls over an edge turns the
// normal by v dt / r, and with a fixed normal it goes on straight and hovers by (v dt)²/2r. So the
// world marks the contacts of round shapes whose normal or cores turn within the step
// (world/collide/contact_path.c). After each drift their manifolds are made anew, where solve B
// begins, so that velocities come to agree with the normal there as they do with the rows of
// joints. The impulses go along with the features that they belong to. The impulse that has been
// given already is turned: with F the half of the last substep's impulse that the kick just gave,
// along the old normal, and F' the same along the new one, the bodies get F' - F. Gaps are those of
// the shapes:
//     separation = s - J (displacement so far)
// with J of the new arms. A capsule that rolls over level neighbours has planes instead
// (world/collide/contact_ghosts.c): the normal stays, and the ends of the axis go on. With the
// geometry of the step's start a capsule that rolls at 160 rad/s would meet its floor at 0.1 m/s
// for 1e-3 rad of yaw. Test: tests/solver/contacts/test_contact_follow.c
#include "solver/contacts/contact_follow.h"

#include <float.h>
#include <string.h>

#include "solver/contacts/contact_arms.h"
#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/contact_work.h"
#include "solver/contacts/grain.h"

// A lane gives this impulse, and these torques about a's centre of mass and b's.
typedef struct follow_push {
    vec3s force, of_a, of_b;
} follow_push;

// ---- geometry ---------------------------------------------------------------------------------

tni_dvec3 tni_contact_follow_get_center(const tni_solver *solver, const tni_contact_follow_end *end,
                                        uint32_t body) {
    return end->is_fixed ? end->center : solver->bodies.motions[body].position;
}

tni_frame tni_contact_follow_get_frame(const tni_solver *solver, const tni_contact_follow_end *end,
                                       uint32_t body, tni_dvec3 origin) {
    tni_dvec3 center = end->position;
    tni_dquat rotation = end->rotation;
    if (!end->is_fixed) {
        const tni_body_motion *motion = &solver->bodies.motions[body];
        center = dvec3_add(motion->position, dquat_rotate(motion->rotation, center));
        rotation = dquat_mul(motion->rotation, rotation);
    }
    tni_frame frame = {dvec3_to_float(dvec3_sub(center, origin)),
                       maths_quat_normalize(dquat_to_float(rotation))};
    return frame;
}

float tni_contact_follow_get_way(const tni_solver *solver, const tni_contact_record *record,
                                 uint32_t p) {
    const tni_body_delta *a = &solver->bodies.deltas[record->body_a],
                         *b = &solver->bodies.deltas[record->body_b];
    vec3s arm = maths_vec3(record->arm.x[p], record->arm.y[p], record->arm.z[p]);
    vec3s way = glms_vec3_sub(b->position, a->position);
    way = glms_vec3_add(way, glms_vec3_cross(b->rotation, glms_vec3_add(arm, record->offset)));
    way = glms_vec3_sub(way, glms_vec3_cross(a->rotation, arm));
    return glms_vec3_dot(record->normal, way);
}

void tni_contact_follow_set_pivot(const tni_solver *solver, const tni_manifold *manifold,
                                  tni_contact_record *record) {
    const tni_contact_follow *follow = record->follow;
    const tni_contact_follow_end *ends[2] = {&follow->a, &follow->b};
    const uint32_t bodies[2] = {record->body_a, record->body_b};
    tni_contact_stand(record);
    for (uint32_t i = 0; i < 2 && tni_manifold_has_line(manifold); ++i) {
        if (tni_geometry_may_lie(ends[i]->geometry)) {
            tni_dquat turn = ends[i]->rotation;
            turn = ends[i]->is_fixed ? turn
                                     : dquat_mul(solver->bodies.motions[bodies[i]].rotation, turn);
            tni_dvec3 axis = dquat_axis_y(turn);
            if (tni_manifold_lies_along(manifold, ends[i]->geometry, axis)) {
                tni_contact_lie(record, axis, i == 1);
                return;
            }
        }
    }
}

static void follow_set_record(const tni_solver *solver, const tni_contact_follow *follow,
                              const tni_manifold *manifold, tni_dvec3 origin,
                              tni_contact_record *record) {
    tni_dvec3 x_a = tni_contact_follow_get_center(solver, &follow->a, record->body_a);
    tni_dvec3 x_b = tni_contact_follow_get_center(solver, &follow->b, record->body_b);
    vec3s from_a = dvec3_to_float(dvec3_sub(origin, x_a));
    record->normal = manifold->normal;
    record->offset = dvec3_to_float(dvec3_sub(x_a, x_b));
    record->point_count = (uint16_t)manifold->point_count;
    tni_contact_follow_set_pivot(solver, manifold, record);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        const tni_manifold_point *point = &manifold->points[p];
        record->arm.x[p] = from_a.x + point->position.x;
        record->arm.y[p] = from_a.y + point->position.y;
        record->arm.z[p] = from_a.z + point->position.z;
        record->gap_then[p] = point->separation;
        record->separation[p] = point->separation - tni_contact_follow_get_way(solver, record, p);
    }
}

// ---- impulses ---------------------------------------------------------------------------------

static vec3s follow_get_vector(const tni_contact_vec *v, uint32_t lane) {
    return maths_vec3(v->x[lane], v->y[lane], v->z[lane]);
}

static void follow_set_vector(tni_contact_vec *to, uint32_t lane, vec3s v) {
    to->x[lane] = v.x;
    to->y[lane] = v.y;
    to->z[lane] = v.z;
}

static vec3s follow_get_friction(const tni_contact_wide *wide, uint32_t lane,
                                 float slide[3][TNI_CONTACTS]) {
    vec3s force = glms_vec3_scale(follow_get_vector(&wide->tangent[0], lane), slide[0][lane]);
    return maths_vec3_add_scaled(force, slide[1][lane], follow_get_vector(&wide->tangent[1], lane));
}

static follow_push follow_get_push(const tni_contact_wide *wide, uint32_t lane,
                                   float normal[TNI_LANES][TNI_CONTACTS],
                                   float slide[3][TNI_CONTACTS], const tni_contact_vec *rolling) {
    vec3s n = follow_get_vector(&wide->normal, lane);
    vec3s friction = follow_get_friction(wide, lane, slide);
    follow_push push = {.force = friction, .of_a = follow_get_vector(rolling, lane)};
    push.of_a =
        maths_vec3_add_scaled(push.of_a, slide[2][lane], follow_get_vector(&wide->pivot, lane));
    vec3s middle = follow_get_vector(&wide->middle, lane);
    push.of_a = glms_vec3_add(push.of_a, glms_vec3_cross(middle, friction));
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        push.force = maths_vec3_add_scaled(push.force, normal[p][lane], n);
        push.of_a = maths_vec3_add_scaled(push.of_a, normal[p][lane],
                                          follow_get_vector(&wide->turn[p], lane));
    }
    vec3s offset = follow_get_vector(&wide->offset, lane);
    push.of_b = glms_vec3_add(push.of_a, glms_vec3_cross(offset, push.force));
    return push;
}

static follow_push follow_get_total(tni_contact_wide *wide, uint32_t lane) {
    return follow_get_push(wide, lane, wide->impulse, wide->slide, &wide->rolling);
}

static follow_push follow_get_warm(tni_contact_wide *wide, uint32_t lane) {
    return follow_get_push(wide, lane, wide->warm, wide->slide_warm, &wide->rolling_warm);
}

static void follow_add(float sum[8], float sign, vec3s force, vec3s torque) {
    for (int k = 0; k < 3; ++k) {
        sum[k] += sign * force.raw[k];
        sum[4 + k] += sign * torque.raw[k];
    }
}

// Adds a push to the sums of the bodies that move, and if `is_warm` to these bodies as well.
static void follow_push_bodies(tni_solver *solver, const tni_contact_record *record, float sign,
                               const follow_push *push, bool is_warm) {
    const uint32_t bodies[2] = {record->body_a, record->body_b};
    for (int end = 0; end < 2; ++end) {
        if (!solver->bodies.masses[bodies[end]].is_dynamic) {
            continue;
        }
        tni_contact_push *sums = &solver->contacts.pushes[bodies[end]];
        vec3s force = push->force, torque = end == 0 ? push->of_a : push->of_b;
        if (record->extras != NULL && record->extras->has_shares) {
            force = glms_vec3_scale(force, record->extras->shares.mass[end]);
            torque = glms_vec3_scale(torque, record->extras->shares.inertia[end]);
        }
        float own = end == 0 ? -sign : sign;
        follow_add(is_warm ? sums->warm : sums->total, own, force, torque);
        if (is_warm) {
            tni_body_state *state = &solver->bodies.states[bodies[end]];
            vec3s dv = glms_vec3_mul(state->inv_mass, force);
            state->v = maths_vec3_add_scaled(state->v, own, dv);
            state->w = maths_vec3_add_scaled(state->w, own, sym3_mul(state->inv_inertia, torque));
        }
    }
}

// Returns which earlier point is the same as point p now, or TNI_LANES.
static uint32_t follow_find(const tni_contact_follow *follow, const tni_manifold *manifold,
                            uint32_t count, uint32_t p) {
    for (uint32_t q = 0; q < count; ++q) {
        if (follow->features[q] == manifold->points[p].feature) {
            return q;
        }
    }
    return manifold->point_count == count ? p : TNI_LANES;
}

// ---- a lane -----------------------------------------------------------------------------------

// Gives the new lane the impulses of the old one, and how far its arms have come.
static void follow_carry(const tni_solver *solver, const tni_contact_record *record,
                         const tni_contact_wide *old, const uint32_t same[TNI_LANES], uint32_t lane,
                         vec3s warm, vec3s step, tni_contact_wide *wide) {
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        bool is_same = same[p] < TNI_LANES;
        wide->warm[p][lane] = is_same ? old->warm[same[p]][lane] : 0.0f;
        wide->step_impulse[p][lane] = is_same ? old->step_impulse[same[p]][lane] : 0.0f;
    }
    for (uint32_t t = 0; t < 2; ++t) {
        vec3s tangent = follow_get_vector(&wide->tangent[t], lane);
        float inverse = 1.0f;
        if (tni_grain_is_any(record->extras)) { // a tangent that is no unit vector
            inverse = maths_inverse_or_zero(glms_vec3_dot(tangent, tangent));
        }
        wide->slide_warm[t][lane] = inverse * glms_vec3_dot(tangent, warm);
        wide->step_slide[t][lane] = inverse * glms_vec3_dot(tangent, step);
    }
    wide->slide_warm[2][lane] = old->slide_warm[2][lane];
    wide->step_slide[2][lane] = old->step_slide[2][lane];
    wide->rolling_warm.x[lane] = old->rolling_warm.x[lane];
    wide->rolling_warm.y[lane] = old->rolling_warm.y[lane];
    wide->rolling_warm.z[lane] = old->rolling_warm.z[lane];
    const tni_body_delta *a = &solver->bodies.deltas[record->body_a],
                         *b = &solver->bodies.deltas[record->body_b];
    vec3s way = glms_vec3_sub(a->position, b->position);
    follow_set_vector(&wide->followed_way, lane, way);
    follow_set_vector(&wide->followed_turn_a, lane, a->rotation);
    follow_set_vector(&wide->followed_turn_b, lane, b->rotation);
}

// A lane that is made anew has this: which earlier point each of its points is, and the impulses of
// the lane until then.
typedef struct follow_change {
    uint32_t same[TNI_LANES];
    follow_push warm; // the kick of before
    vec3s slide_warm, slide_step;
    float approach[TNI_LANES];
} follow_change;

// Takes the lane's impulses into its record, which has the new geometry, and from its bodies.
static void follow_begin_change(tni_solver *solver, tni_contact_group *group, uint32_t lane,
                                follow_change *change) {
    tni_contact_record *record = &solver->contacts.records[group->first + lane];
    tni_contact_wide *old = &group->wide;
    follow_push before = follow_get_total(old, lane);
    change->warm = follow_get_warm(old, lane);
    change->slide_warm = follow_get_friction(old, lane, old->slide_warm);
    change->slide_step = follow_get_friction(old, lane, old->step_slide);
    memcpy(change->approach, record->approach_speed, sizeof change->approach);
    record->friction_impulse = follow_get_friction(old, lane, old->slide);
    record->rolling_impulse = maths_vec3_add_scaled(follow_get_vector(&old->rolling, lane),
                                                    old->slide[2][lane], record->normal);
    record->borne = old->borne[lane];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        uint32_t same = change->same[p];
        record->impulse[p] = same < TNI_LANES ? old->impulse[same][lane] : 0.0f;
    }
    follow_push_bodies(solver, record, -1.0f, &before, false);
}

// Starts the lane's work anew: for the ledger (solver/step/work.c) its impulses before the second
// kick are the new ones.
static void follow_begin_work(tni_solver *solver, const tni_contact_group *group, uint32_t lane) {
    const tni_contact_wide *wide = &group->wide;
    tni_contact_start *start = &solver->contacts.starts[group - solver->contacts.groups];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        start->impulse[p][lane] = wide->impulse[p][lane] - wide->warm[p][lane];
    }
    for (uint32_t t = 0; t < 3; ++t) {
        start->slide[t][lane] = wide->slide[t][lane] - wide->slide_warm[t][lane];
    }
    follow_set_vector(&start->rolling, lane,
                      glms_vec3_sub(follow_get_vector(&wide->rolling, lane),
                                    follow_get_vector(&wide->rolling_warm, lane)));
}

static void follow_end_change(tni_solver *solver, tni_contact_group *group, uint32_t lane,
                              const follow_change *change, tni_contact_wide *made) {
    tni_contact_record *record = &solver->contacts.records[group->first + lane];
    follow_carry(solver, record, &group->wide, change->same, lane, change->slide_warm,
                 change->slide_step, made);
    tni_contact_copy_lane(made, lane, &group->wide);
    follow_push warm_after = follow_get_warm(&group->wide, lane);
    follow_push_bodies(solver, record, -1.0f, &change->warm, true);
    follow_push_bodies(solver, record, 1.0f, &warm_after, true);
    if (solver->ledger.measures_work) {
        follow_begin_work(solver, group, lane);
    }
    memcpy(record->approach_speed, change->approach, sizeof change->approach);
}

static bool follow_has_pushed(const tni_contact_wide *wide, uint32_t lane) {
    float most = 0.0f;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        most = maths_max(most, wide->impulse[p][lane]);
    }
    return most > 0.0f;
}

// Has a blow of this substep lifted it off? Its impulse before the blow was along the normal it
// had.
static bool follow_is_lifted(const tni_solver *solver, const tni_contact_record *record) {
    const uint32_t bodies[2] = {record->body_a, record->body_b};
    float left = 0.0f, gap = FLT_MAX;
    for (int end = 0; end < 2; ++end) {
        if (solver->bodies.masses[bodies[end]].is_dynamic) {
            left =
                maths_max(left, tni_contact_push_get_left(&solver->contacts.pushes[bodies[end]]));
        }
    }
    for (uint32_t p = 0; p < record->point_count && left > 0.0f; ++p) {
        float way = tni_contact_follow_get_way(solver, record, p);
        gap = maths_min(gap, record->separation[p] + way);
    }
    return left > 0.0f && gap > 0.0f && !record->follow->looks;
}

// Returns how fast turning moves the surface of an end, m/s.
static float follow_get_turn_speed(const tni_solver *solver, const tni_contact_follow_end *end,
                                   uint32_t body) {
    return end->is_fixed ? 0.0f : end->reach * glms_vec3_norm(solver->bodies.states[body].w);
}

// Returns how far points are looked for, m, with those that may close in the next drift: the other
// end of a stick that turns.
static float follow_get_margin(const tni_solver *solver, const tni_contact_record *record) {
    const tni_contact_follow *follow = record->follow;
    vec3s v_a = follow->a.is_fixed ? maths_vec3_zero() : solver->bodies.states[record->body_a].v;
    vec3s v_b = follow->b.is_fixed ? maths_vec3_zero() : solver->bodies.states[record->body_b].v;
    float speed = glms_vec3_norm(glms_vec3_sub(v_a, v_b));
    speed += follow_get_turn_speed(solver, &follow->a, record->body_a);
    speed += follow_get_turn_speed(solver, &follow->b, record->body_b);
    return follow->margin + solver->h * speed;
}

// Makes the manifold of the shapes as they are now. Returns false when it stays as it is.
static bool follow_make_shapes(const tni_solver *solver, const tni_contact_record *record,
                               const tni_contact_wide *wide, uint32_t lane, tni_dvec3 origin,
                               tni_manifold *manifold) {
    const tni_contact_follow *follow = record->follow;
    if (record->time > solver->elapsed + 0.5f * solver->h && !follow_has_pushed(wide, lane)) {
        return false; // its planes are those of the time at which it will
    }
    tni_frame a = tni_contact_follow_get_frame(solver, &follow->a, record->body_a, origin);
    tni_frame b = tni_contact_follow_get_frame(solver, &follow->b, record->body_b, origin);
    tni_manifold_cache cache = {0};
    tni_manifold_compute(follow->a.geometry, &a, follow->b.geometry, &b,
                         follow_get_margin(solver, record), &cache, manifold);
    return manifold->point_count > 0; // else it left: the planes that it has are behind it
}

static tni_dvec3 follow_turn(const tni_solver *solver, uint32_t body, bool is_fixed, tni_dvec3 v) {
    return is_fixed ? v : dquat_rotate(solver->bodies.motions[body].rotation, v);
}

// Makes the manifold of a curved shape over a plane: its lowest places go on with each turn.
// Returns false when it has left the plane.
static bool follow_make_curved_plane(const tni_solver *solver, const tni_contact_record *record,
                                     tni_dvec3 n, tni_dvec3 surface, tni_dvec3 origin,
                                     tni_manifold *manifold) {
    const tni_contact_follow *follow = record->follow;
    const tni_contact_follow_end *end = follow->is_of_b ? &follow->b : &follow->a;
    uint32_t body = follow->is_of_b ? record->body_b : record->body_a;
    tni_frame frame = tni_contact_follow_get_frame(solver, end, body, origin);
    tni_frame level = {dvec3_to_float(dvec3_sub(surface, origin)),
                       maths_quat_between(maths_vec3(0.0f, 1.0f, 0.0f), dvec3_to_float(n))};
    tni_geometry plane = {.type = TNI_GEOMETRY_HALF_SPACE};
    tni_manifold_cache cache = {0};
    tni_manifold_compute(end->geometry, &frame, &plane, &level, follow_get_margin(solver, record),
                         &cache, manifold);
    manifold->normal = dvec3_to_float(follow->is_of_b ? n : dvec3_scale(n, -1.0));
    return manifold->point_count > 0;
}

// Makes the manifold of the cores of a round shape over the plane of the other one. Returns false
// when it stays as it is.
static bool follow_make_plane(const tni_solver *solver, const tni_contact_record *record,
                              tni_dvec3 origin, tni_manifold *manifold) {
    const tni_contact_follow *follow = record->follow;
    bool is_of_b = follow->is_of_b;
    uint32_t round = is_of_b ? record->body_b : record->body_a;
    uint32_t flat = is_of_b ? record->body_a : record->body_b;
    bool is_fixed = is_of_b ? follow->a.is_fixed : follow->b.is_fixed;
    const tni_body_motion *motion = &solver->bodies.motions[round];
    tni_dvec3 n = follow_turn(solver, flat, is_fixed, follow->normal);
    tni_dvec3 surface = follow_turn(solver, flat, is_fixed, follow->surface);
    surface = is_fixed ? surface : dvec3_add(solver->bodies.motions[flat].position, surface);
    if (tni_geometry_is_curved(is_of_b ? follow->b.geometry : follow->a.geometry)) {
        return follow_make_curved_plane(solver, record, n, surface, origin, manifold);
    }
    manifold->normal = dvec3_to_float(is_of_b ? n : dvec3_scale(n, -1.0));
    manifold->point_count = record->point_count;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        tni_dvec3 core = dquat_rotate(motion->rotation, follow->cores[p]);
        core = dvec3_add(motion->position, core);
        double gap = dvec3_dot(n, dvec3_sub(core, surface)) - follow->radius;
        tni_dvec3 point = dvec3_add_scaled(core, -(follow->radius + 0.5 * gap), n);
        manifold->points[p].position = dvec3_to_float(dvec3_sub(point, origin));
        manifold->points[p].separation = (float)gap;
        manifold->points[p].feature = follow->features[p];
    }
    return true;
}

// Sets the lane's record to the present geometry. Returns false when it stays as it is.
static bool follow_lane(tni_solver *solver, tni_contact_group *group, uint32_t lane,
                        follow_change *change) {
    tni_contact_record *record = &solver->contacts.records[group->first + lane];
    tni_contact_follow *follow = record->follow;
    bool is_of_a = solver->bodies.masses[record->body_a].is_dynamic;
    tni_dvec3 origin = is_of_a ? tni_contact_follow_get_center(solver, &follow->a, record->body_a)
                               : tni_contact_follow_get_center(solver, &follow->b, record->body_b);
    tni_manifold manifold;
    if (follow->is_plane) {
        if (!follow_make_plane(solver, record, origin, &manifold)) {
            return false;
        }
    } else if (!follow_make_shapes(solver, record, &group->wide, lane, origin, &manifold)) {
        return false;
    }
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        bool is_point = p < manifold.point_count;
        change->same[p] =
            is_point ? follow_find(follow, &manifold, record->point_count, p) : TNI_LANES;
    }
    for (uint32_t p = 0; p < manifold.point_count; ++p) {
        follow->features[p] = manifold.points[p].feature;
    }
    record->time = solver->elapsed + solver->h; // for impacts: the end of the drift
    record->is_now = record->rolls;
    follow_set_record(solver, follow, &manifold, origin, record);
    follow_begin_change(solver, group, lane, change);
    return true;
}

// Makes all lanes of a group at once that follow: they share no body that moves.
void tni_contact_group_follow(tni_solver *solver, tni_contact_group *group) {
    follow_change changes[TNI_CONTACTS];
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        const tni_contact_gate *gate = &solver->contacts.gates[group->first + lane];
        const tni_contact_record *record = &solver->contacts.records[group->first + lane];
        if ((group->follows >> lane & 1) != 0 && gate->is_shut && !gate->is_touch &&
            !follow_is_lifted(solver, record) && follow_lane(solver, group, lane, &changes[lane])) {
            lanes |= 1u << lane;
        }
    }
    if (lanes == 0) {
        return;
    }
    tni_contact_wide made;
    WIDE_CALL(solver->uses_avx2, tni_contact_make, solver, group, lanes, true, &made);
    group->move_count += 1;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        if ((lanes >> lane & 1) != 0) {
            follow_end_change(solver, group, lane, &changes[lane], &made);
        }
    }
}
