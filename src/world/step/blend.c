// world/step/blend.c: poses between the begin and the end of the last step, for renderers.
//
// A world that is asked to keeps the pose with which each body began the last step, and the number
// of the step in which the body last moved. A body that is made or placed by hand counts as moved,
// and its kept pose is the new one: there is nothing to blend with, so a teleport is a jump. A
// reader names the step that it read last: it gets what has moved in that step or since, because
// what it drew was between two poses. Test: tests/world/step/test_blend.c
#include "tenon/events.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/records/convert.h"
#include "world/step/step_internal.h"

// ---- one pose -----------------------------------------------------------------------------------

static double blend_mix(double from, double to, double share) {
    return from + share * (to - from);
}

// Two unit quaternions that make an acute angle, or are turned to, add up to at least the square
// root of a half in length.
static tn_quat blend_rotations(tn_quat p, tn_quat q, double share) {
    double sign = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0.0 ? -1.0 : 1.0;
    tn_quat r = {blend_mix(sign * p.x, q.x, share), blend_mix(sign * p.y, q.y, share),
                 blend_mix(sign * p.z, q.z, share), blend_mix(sign * p.w, q.w, share)};
    double scale = maths_inverse_or_zero_d(sqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w));
    return scale > 0.0 ? (tn_quat){scale * r.x, scale * r.y, scale * r.z, scale * r.w} : q;
}

static tn_pose blend_poses(const tn_pose *before, const tn_pose *after, double fraction) {
    if (!(fraction < 1.0)) {
        return *after;
    }
    if (fraction <= 0.0) {
        return *before;
    }
    tn_vec3 x = before->position, y = after->position;
    return (tn_pose){
        {blend_mix(x.x, y.x, fraction), blend_mix(x.y, y.y, fraction),
         blend_mix(x.z, y.z, fraction)},
        blend_rotations(before->rotation, after->rotation, fraction),
    };
}

tn_pose tn_pose_blend(tn_pose before, tn_pose after, double fraction) {
    tni_float_environment host = tni_float_environment_enter();
    tn_pose pose = blend_poses(&before, &after, fraction);
    tni_float_environment_leave(host);
    return pose;
}

// ---- what a world keeps -------------------------------------------------------------------------

bool tni_blend_reserve(tn_world *world, uint32_t count) {
    return !world->def.keeps_previous_poses || tni_pages_reserve(&world->previous_poses, count);
}

static tni_previous_pose *blend_at(const tn_world *world, uint32_t body) {
    return tni_pages_at(&world->previous_poses, body, sizeof(tni_previous_pose));
}

void tni_blend_place(tn_world *world, uint32_t body) {
    if (world->def.keeps_previous_poses) {
        *blend_at(world, body) =
            (tni_previous_pose){tni_body_get_frame(tni_body_at(world, body)), world->step_count};
    }
}

void tni_blend_place_all(tn_world *world) {
    for (uint32_t i = 0; world->def.keeps_previous_poses && i < world->body_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->body_pool, i) != 0) {
            tni_blend_place(world, i);
        }
    }
}

static void blend_keep(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tn_world *world = context;
    (void)worker;
    for (uint32_t i = first; i < last; ++i) {
        uint32_t body = world->awake_bodies.items[i];
        blend_at(world, body)->pose = tni_body_get_frame(tni_body_at(world, body));
    }
}

void tni_step_keep_poses(tn_world *world) {
    if (world->def.keeps_previous_poses) {
        tni_tasks_run(&world->tasks, blend_keep, world->awake_bodies.count,
                      tni_world_cut(world, TNI_STEP_MIN_RANGE), world);
    }
}

void tni_step_note_moves(tn_world *world) {
    const tni_event_lists *events = &world->events;
    for (uint32_t i = 0; world->def.keeps_previous_poses && i < events->move_count; ++i) {
        uint32_t body = events->moves[i].body.value & TNI_POOL_INDEX_MASK;
        blend_at(world, body)->step = world->step_count;
    }
}

// ---- reading ------------------------------------------------------------------------------------

// Where and how the poses are to be.
typedef struct blend_view {
    tn_vec3 origin;
    double fraction;
    uint64_t since;
} blend_view;

static uint32_t blend_read(const tn_world *world, const blend_view *view, float *out_poses,
                           tn_body_id *out_bodies, uint32_t capacity) {
    uint64_t since = view->since <= world->step_count ? view->since : 0; // a load goes back
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        uint32_t handle = tni_pool_handle(&world->body_pool, i);
        const tni_previous_pose *previous = blend_at(world, i);
        if (handle == 0 || previous->step < since) {
            continue;
        }
        if (count < capacity && out_poses != NULL) {
            tn_pose pose = tni_body_get_frame(tni_body_at(world, i));
            if (previous->step == world->step_count) {
                pose = blend_poses(&previous->pose, &pose, view->fraction);
            }
            tni_pose_write(&pose, view->origin, out_poses + 7 * (size_t)count);
        }
        if (count < capacity && out_bodies != NULL) {
            out_bodies[count] = (tn_body_id){handle};
        }
        count += 1;
    }
    return count;
}

uint32_t tn_world_get_blended_poses(const tn_world *world, uint64_t since, double fraction,
                                    tn_vec3 origin, float *out_poses, tn_body_id *out_bodies,
                                    uint32_t capacity) {
    if (world == NULL) {
        return 0;
    }
    if (!world->def.keeps_previous_poses) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                         "The world keeps no poses to blend: its definition says whether it does.",
                         0);
        return 0;
    }
    tni_float_environment host = tni_float_environment_enter();
    const blend_view view = {origin, fraction, since};
    uint32_t count = blend_read(world, &view, out_poses, out_bodies, capacity);
    tni_float_environment_leave(host);
    return count;
}
