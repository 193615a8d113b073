// solver/touch_ghosts.c: touches with edges that lie behind another touch's plane.
//
// The rule is that of collision/ghost.c, asked of the poses and the way of a substep. A ghost of
// boxes and hulls has no points. A round shape is measured on the plane instead, at the height of
// the top of what it cannot meet, for that may be what carries it next. Test:
// tests/solver/test_touch_ghosts.c
#include "collision/ghost.h"
#include "solver/touch.h"

// Times that touches are looked at: a ghost that was turned may make ghosts of others.
#define GHOST_ROUNDS 3u

static tni_path_end ghost_get_end(const tni_touch_end *end) {
    tni_dquat rotation = dquat_mul(end->motion->rotation, end->rotation);
    tni_path_end out = {.geometry = end->geometry,
                        .center = tni_touch_get_center(end),
                        .rotation = maths_quat_normalize(dquat_to_float(rotation)),
                        .position = end->motion->position,
                        .velocity = end->motion->velocity,
                        .angular_velocity = end->motion->angular_velocity};
    return out;
}

static double ghost_get_least(const tni_touch *touch) {
    double least = touch->gap[0];
    for (uint32_t p = 1; p < touch->point_count; ++p) {
        least = fmin(least, touch->gap[p]);
    }
    return least;
}

static bool ghost_pushes(const tni_touch *touch) {
    bool pushes = false;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        pushes |= touch->impulse[p] > 0.0;
    }
    return pushes;
}

// Toward end e.
static tni_dvec3 ghost_get_normal(const tni_touch *touch, uint32_t e) {
    return e == 0 ? dvec3_scale(touch->normal, -1.0) : touch->normal;
}

// May the other end be a neighbour that lies level with what carries end `r`?
static bool ghost_is_suspect(const tni_touch *touch, uint32_t r) {
    const tni_touch_end *moving = &touch->ends[r], *other = &touch->ends[1 - r];
    if (touch->point_count == 0 || (moving->mechanism == NULL && !moving->is_loose) ||
        !tni_geometry_is_polyhedron(other->geometry)) {
        return false;
    }
    if (!tni_geometry_is_round(moving->geometry)) {
        bool is_new = touch->is_walked || (!touch->is_confirmed && ghost_get_least(touch) <= 0.0);
        return other->has_neighbours && is_new;
    }
    tni_path_end end = ghost_get_end(other);
    return !tni_ghost_is_face(&end, ghost_get_normal(touch, r));
}

// The plane of touch j, if it carries the trial's moving shape on a face.
static bool ghost_find_plane(const tni_ghost_trial *trial, const tni_touch *touch,
                             tni_ghost_plane *plane) {
    const tni_geometry *moving = trial->moving.geometry;
    uint32_t r = touch->ends[0].geometry == moving ? 0 : 1;
    if (touch->point_count == 0 || touch->ends[r].geometry != moving) {
        return false;
    }
    double least = ghost_get_least(touch);
    if (least > tni_ghost_get_tolerance(moving) && !ghost_pushes(touch)) {
        return false;
    }
    tni_path_end carrier = ghost_get_end(&touch->ends[1 - r]);
    return tni_ghost_find_plane(&trial->moving, &carrier, ghost_get_normal(touch, r), least,
                                touch->at[0], plane);
}

static void ghost_turn(const tni_solver *solver, tni_touch *touch, uint32_t r,
                       const tni_ghost_trial *trial, const tni_ghost_plane *plane) {
    double top = tni_ghost_get_top(&trial->other, plane->normal, trial->moving.center);
    tni_dvec3 at = dvec3_add_scaled(trial->moving.center, top, plane->normal);
    tni_touch_measure_plane(solver, touch, 1 - r, plane->normal, at);
}

static bool ghost_try(const tni_solver *solver, tni_touch_set *set, tni_touch *touch, uint32_t r,
                      double ahead) {
    if (!ghost_is_suspect(touch, r)) {
        return false;
    }
    tni_ghost_trial trial = {.moving = ghost_get_end(&touch->ends[r]),
                             .other = ghost_get_end(&touch->ends[1 - r]),
                             .normal = ghost_get_normal(touch, r),
                             .point = touch->at[0],
                             .dt = ahead};
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_ghost_plane plane;
        if (&set->touches[i] == touch || !tni_touch_takes_part(solver, set, &set->touches[i]) ||
            !ghost_find_plane(&trial, &set->touches[i], &plane) ||
            !tni_ghost_lies_behind(&trial, &plane)) {
            continue;
        }
        if (tni_geometry_is_round(trial.moving.geometry)) {
            ghost_turn(solver, touch, r, &trial, &plane);
        } else {
            touch->point_count = 0;
        }
        return true;
    }
    return false;
}

bool tni_touch_lay_ghost(const tni_solver *solver, tni_touch_set *set, tni_touch *touch,
                         double ahead) {
    return ghost_try(solver, set, touch, 0, ahead) || ghost_try(solver, set, touch, 1, ahead);
}

void tni_touches_lay_ghosts(const tni_solver *solver, tni_touch_set *set, double ahead) {
    bool has_changed = set->count > 1;
    for (uint32_t round = 0; round < GHOST_ROUNDS && has_changed; ++round) {
        has_changed = false;
        for (uint32_t i = 0; i < set->count; ++i) {
            tni_touch *touch = &set->touches[i];
            has_changed |= tni_touch_takes_part(solver, set, touch) &&
                           tni_touch_lay_ghost(solver, set, touch, ahead);
        }
    }
}
