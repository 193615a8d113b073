// solver/contacts/contact_look.c: a contact of bodies whose way joints bend looks before it pushes.
//
// The planes of a contact are made for the way that its bodies will go in the step
// (world/collide/contact_path.c). A body that swings on joints moves along a path that is not known
// well enough: at 20 m/s on an arm of a metre it leaves the straight way by 56 mm in a step, and an
// obstacle 1 mm beside its path must not stop it. So where joints bend the way of a body, a contact
// that has not touched keeps the planes of the step's start, and its gate stands as far off as any
// point of the shapes may come by turning. When the gate is about to shut, the shapes are looked at
// as they are then, and followed through the rest of the substep, in which bodies do go straight,
// with the velocities that the joints have left them. If they do not meet, the gate stays open: it
// is as if there were no contact, to the last bit. If they meet, the contact pushes at the planes
// of that time. Test: tests/solver/contacts/test_contact_look.c
#include "collision/path/path.h"
#include "solver/contacts/contact_follow.h"
#include "solver/solver.h"

// s: contacts whose time is above 0 have arms that are right at that time, and that stay.
#define LOOK_LEAST_TIME 1e-9f

static tni_path_end look_get_end(const tni_solver *solver, const tni_contact_follow_end *end,
                                 uint32_t body, tni_dvec3 origin) {
    tni_frame frame = tni_contact_follow_get_frame(solver, end, body, origin);
    const tni_body_state *state = &solver->bodies.states[body];
    tni_path_end out = {.geometry = end->geometry,
                        .center = dvec3_add(origin, dvec3_from_float(frame.position)),
                        .rotation = frame.rotation,
                        .position = tni_contact_follow_get_center(solver, end, body)};
    if (!end->is_fixed) {
        out.velocity = dvec3_from_float(state->v);
        out.angular_velocity = dvec3_from_float(state->w);
    }
    return out;
}

static void look_set_path(const tni_solver *solver, const tni_contact_record *record, double dt,
                          tni_path *path) {
    const tni_contact_follow *follow = record->follow;
    bool is_of_a = !follow->a.is_fixed;
    *path = (tni_path){.dt = dt, .is_held = true};
    path->origin = tni_contact_follow_get_center(solver, is_of_a ? &follow->a : &follow->b,
                                                 is_of_a ? record->body_a : record->body_b);
    path->a = look_get_end(solver, &follow->a, record->body_a, path->origin);
    path->b = look_get_end(solver, &follow->b, record->body_b, path->origin);
    path->tolerance = tni_path_get_tolerance(path->a.geometry, path->b.geometry);
    path->reach_speed = tni_path_get_turn_speed(&path->a, follow->a.reach) +
                        tni_path_get_turn_speed(&path->b, follow->b.reach);
    double closing = dvec3_length(dvec3_sub(path->a.velocity, path->b.velocity));
    path->margin = follow->margin + (float)((closing + path->reach_speed) * dt);
}

// Sets the record to that of the meeting: gaps go on from the present displacement.
static void look_set_record(const tni_solver *solver, const tni_path *path,
                            const tni_path_meeting *meeting, tni_contact_record *record) {
    const tni_manifold *manifold = &meeting->manifold;
    tni_dvec3 from_a = dvec3_sub(path->origin, path->a.position);
    record->normal = manifold->normal;
    record->offset = dvec3_to_float(meeting->offset);
    record->point_count = (uint16_t)manifold->point_count;
    record->time = maths_max(solver->elapsed + (float)meeting->time, LOOK_LEAST_TIME);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        const tni_manifold_point *point = &manifold->points[p];
        vec3s arm = dvec3_to_float(dvec3_add(from_a, dvec3_from_float(point->position)));
        record->arm.x[p] = arm.x;
        record->arm.y[p] = arm.y;
        record->arm.z[p] = arm.z;
        record->gap_then[p] = meeting->gaps[p];
        record->separation[p] = point->separation - tni_contact_follow_get_way(solver, record, p);
    }
    tni_contact_follow_set_pivot(solver, manifold, record);
    record->follow->has_met = record->follow->is_new = true;
    record->follow->manifold = *manifold;
    record->follow->origin = path->origin;
}

bool tni_contact_look(tni_solver *solver, tni_contact_record *record, bool use_bias) {
    tni_path path;
    tni_path_meeting meeting;
    tni_manifold now;
    look_set_path(solver, record, use_bias ? (double)solver->h : 0.0, &path);
    tni_path_look(&path, 0.0, &now);
    if (now.point_count == 0) {
        return false;
    }
    tni_path_follow(&path, &now, &meeting);
    if (!meeting.hits) {
        return false;
    }
    if (!meeting.is_walked) {
        meeting.manifold = now;
        meeting.offset = dvec3_sub(path.a.position, path.b.position);
        for (uint32_t p = 0; p < now.point_count; ++p) {
            meeting.gaps[p] = now.points[p].separation;
        }
    }
    look_set_record(solver, &path, &meeting, record);
    return true;
}
