// solver/touches/touch_pose.c: poses of touching bodies, put right without speed.
//
// No gap may close further than to touching, and a depth shrinks by a share: sweeps over the points
// with their responses through the joints find a shift of all bodies. The shift is straight and
// joints turn, so the errors that it left are closed by Newton's method; and shapes that are turned
// out of each other meet with other corners, so points that are still deep are measured and moved
// again.
// Maths and source: solver/touches/touch.h. Test: tests/world/mechanisms/test_mechanism_contacts.c
#include <string.h>

#include "solver/touches/touch.h"

#define TOUCH_SWEEPS 20
// With wedged bodies there are this many sweeps.
#define TOUCH_WEDGED_SWEEPS 60
// m: a sweep that moves less than this has settled.
#define TOUCH_POSE_SETTLED 1e-7
// A substep leaves the share LEFT of a depth; a depth of FREE m may stay.
#define TOUCH_DEPTH_LEFT 0.5
#define TOUCH_DEPTH_FREE 2e-5
// Poses are put right this many times at most, as long as some point is as deep as this, m.
#define TOUCH_ROUNDS    4
#define TOUCH_POSE_DEEP 3e-3
// m or rad: joints this close are closed; poses are put right this many times for it.
#define TOUCH_CLOSED       1e-9
#define TOUCH_CLOSE_ROUNDS 4
// rad: a body is turned by no more than this when poses are put right.
#define TOUCH_MAX_TURN 0.2
// If joints do not close after a shift, TRY_SHARE of it is tried, and again, up to TRIES times.
#define TOUCH_TRIES     3
#define TOUCH_TRY_SHARE 0.25

void tni_touches_clear_shifts(tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            const tni_touch_end *end = &set->touches[i].ends[e];
            if (end->mechanism != NULL) {
                end->mechanism->touch.is_shifted = false;
                memset(end->mechanism->touch.shift, 0,
                       6 * end->mechanism->moving_count * sizeof(double));
            } else if (end->is_loose) {
                memset(end->shift, 0, 6 * sizeof(double));
            }
        }
    }
}

// Shifts a point. Returns how far it moved the point.
static double touch_shift_point(const tni_solver *solver, tni_touch *touch, uint32_t p) {
    tni_touch_row *row = &touch->rows[p];
    double gap = touch->gap[p], target = gap < 0.0 ? TOUCH_DEPTH_LEFT * gap : 0.0;
    target = gap < 0.0 && gap > -TOUCH_DEPTH_FREE ? gap : target;
    double missing = target - gap - tni_touch_get_shift(touch, row);
    if ((missing <= 0.0 && touch->moved[p] == 0.0) || !tni_touch_ready_row(solver, touch, row)) {
        return 0.0;
    }
    double wanted = touch->moved[p] + missing * row->inverse;
    double change = (wanted > 0.0 ? wanted : 0.0) - touch->moved[p];
    touch->moved[p] += change;
    tni_touch_shift(touch, row, change);
    return fabs(change) / row->inverse;
}

static void touches_clear_moves(const tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        if (tni_touch_takes_part(solver, set, &set->touches[i])) {
            memset(set->touches[i].moved, 0, sizeof set->touches[i].moved);
        }
    }
}

static bool touches_sweep_poses(tni_solver *solver, tni_touch_set *set) {
    double moved = 1.0, square = 0.0;
    bool any = false;
    uint32_t sweeps = set->has_wedged ? TOUCH_WEDGED_SWEEPS : TOUCH_SWEEPS;
    touches_clear_moves(solver, set);
    for (uint32_t sweep = 0; sweep < sweeps && moved > TOUCH_POSE_SETTLED; ++sweep) {
        moved = 0.0;
        if (set->has_wedged && sweep > 0) {
            square = tni_touches_end_sweep(solver, set, true, square);
        }
        if (set->has_wedged) {
            tni_touches_begin_sweep(solver, set, true);
        }
        for (uint32_t i = 0; i < set->count; ++i) {
            tni_touch *touch = &set->touches[i];
            for (uint32_t p = 0; p < touch->point_count && tni_touch_takes_part(solver, set, touch);
                 ++p) {
                moved += touch_shift_point(solver, touch, p);
            }
        }
        any |= moved > 0.0;
    }
    return any;
}

static void touch_move_loose(tni_solver *solver, const tni_touch_end *end) {
    tni_dvec3 way = dvec3_make(end->shift[0], end->shift[1], end->shift[2]);
    tni_dvec3 turn = dvec3_make(end->shift[3], end->shift[4], end->shift[5]);
    tni_body_delta *delta = &solver->bodies.deltas[end->body];
    end->motion->position = dvec3_add(end->motion->position, way);
    end->motion->rotation = dquat_normalize(dquat_mul(dquat_cayley(turn), end->motion->rotation));
    delta->position = glms_vec3_add(delta->position, dvec3_to_float(way));
    delta->rotation = glms_vec3_add(delta->rotation, dvec3_to_float(turn));
    memset(end->shift, 0, 6 * sizeof(double)); // once, however many touches it has
}

// Returns the greatest turn of a body.
static double touch_get_turn(const tni_mechanism *mechanism) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const double *d = mechanism->touch.shift + 6 * i + 3;
        greatest = maths_max_d(greatest, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return sqrt(greatest);
}

// Closes the joints that the move left open, since it was straight and joints turn. Returns false
// where they cannot be closed.
static bool touch_close(tni_mechanism *mechanism) {
    for (uint32_t round = 0; round < TOUCH_CLOSE_ROUNDS; ++round) {
        mechanism->matrix.is_factored = false;
        if (!tni_touch_factor(mechanism)) {
            return false;
        }
        if (tni_mechanism_get_worst_error(mechanism) <= TOUCH_CLOSED) {
            return true;
        }
        tni_mechanism_project_poses(mechanism);
        tni_mechanism_project_move(mechanism);
    }
    mechanism->matrix.is_factored = false;
    return tni_touch_factor(mechanism) && tni_mechanism_get_worst_error(mechanism) <= TOUCH_CLOSED;
}

// Moves by a share of the shift. If the joints do not close again after it the poses stay.
static bool touch_try_move(tni_mechanism *mechanism, double share) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->before = body->motion;
        for (uint32_t c = 0; c < 6; ++c) {
            body->change[c] = share * mechanism->touch.shift[6 * i + c];
        }
    }
    tni_mechanism_project_move(mechanism);
    if (touch_close(mechanism)) {
        return true;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].before;
    }
    mechanism->matrix.is_factored = false;
    return false;
}

// Moves a mechanism by its shift. Joints come first: a shift that they do not bear in one go is
// tried in part. Speeds fit the new poses.
static void touch_move_mechanism(tni_mechanism *mechanism) {
    double turn = touch_get_turn(mechanism);
    double share = turn > TOUCH_MAX_TURN ? TOUCH_MAX_TURN / turn : 1.0;
    bool has_moved = false;
    for (uint32_t i = 0; i < TOUCH_TRIES && !has_moved; ++i) {
        has_moved = touch_try_move(mechanism, share);
        share *= TOUCH_TRY_SHARE;
    }
    if (!has_moved) {
        return;
    }
    tni_mechanism_project_velocities(mechanism);
}

static bool touch_has_shift(const tni_mechanism *mechanism) {
    for (uint32_t c = 0; c < 6 * mechanism->moving_count; ++c) {
        if (mechanism->touch.shift[c] != 0.0) {
            return true;
        }
    }
    return false;
}

// Moves the poses by their shifts; then everything is measured anew.
void tni_touches_move(tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            const tni_touch_end *end = &set->touches[i].ends[e];
            if (end->is_loose) {
                touch_move_loose(solver, end);
            } else if (end->mechanism != NULL && !end->mechanism->touch.is_shifted) {
                end->mechanism->touch.is_shifted = true;
                if (touch_has_shift(end->mechanism)) {
                    touch_move_mechanism(end->mechanism);
                }
            }
        }
    }
    tni_touches_measure(solver, set, solver->dh);
}

static double touches_get_deepest(const tni_solver *solver, const tni_touch_set *set) {
    double least = 0.0;
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        for (uint32_t p = 0; p < touch->point_count && tni_touch_takes_part(solver, set, touch);
             ++p) {
            least = touch->gap[p] < least ? touch->gap[p] : least;
        }
    }
    return -least;
}

// Puts poses right in rounds. Shapes turn while they are moved out of each other, and meet with
// other corners: points that are still deep are moved again.
void tni_touches_settle_poses(tni_solver *solver, tni_touch_set *set) {
    for (uint32_t round = 0; round < TOUCH_ROUNDS; ++round) {
        tni_touches_clear_shifts(set);
        if (!touches_sweep_poses(solver, set)) {
            break;
        }
        tni_touches_move(solver, set);
        if (set->is_coupled || touches_get_deepest(solver, set) < TOUCH_POSE_DEEP) {
            break;
        }
    }
}
