// solver/touch.c: touches that bounce before the stage, and settle after it.
//
//     bounce   a point of a contact with restitution e that would meet within h, after the time
//              t = gap / |u|, leaves at -e u. Its poses are put back by t times the change of
//              velocity, so that after the stage they are on the path after the impact.
//     settle   poses, in which no gap may close further than to touching and a depth shrinks by a
//              share; then velocities, J v >= -gap / h, with friction's cone. The sweeps begin with
//              what was fed (solver/touch_feed.c), so that they may also take of it.
// Maths and source: solver/touch.h; bouncing: solver/impact.c.
// Test: tests/world/test_mechanism_contacts.c
#include <string.h>

#include "solver/touch.h"

#define TOUCH_SWEEPS 20
// m/s and m: what a sweep changes less than this has settled.
#define TOUCH_SETTLED       1e-6
#define TOUCH_SETTLED_POSES 1e-7
// Share of a depth that is left after a substep, and m: a depth that may stay.
#define TOUCH_DEPTH_LEFT 0.5
#define TOUCH_DEPTH_FREE 2e-5
// m or rad: joints this close are closed; and how often poses are put right for it.
#define TOUCH_CLOSED       1e-9
#define TOUCH_CLOSE_ROUNDS 4
// rad: as far as a body is turned in putting poses right.
#define TOUCH_MAX_TURN 0.2
// How often a share of the way is tried where joints do not close after it, and which share.
#define TOUCH_TRIES     3
#define TOUCH_TRY_SHARE 0.25

// ---- rows --------------------------------------------------------------------------------------

// The factor of a mechanism at its present poses. Where there is none, nothing pushes it.
static bool touch_factor(tni_mechanism *mechanism) {
    if (!mechanism->is_factored) {
        if (!mechanism->is_coupled) {
            tni_actors_give_way(mechanism);
        }
        mechanism->is_stuck = !tni_mechanism_project_begin(mechanism, mechanism->touch_half);
        mechanism->is_factored = true;
    }
    return !mechanism->is_stuck;
}

// False where the joints hold the row.
static bool touch_ready_row(const tni_solver *solver, tni_touch *touch, tni_touch_row *row) {
    if (row->is_made) {
        return row->inverse > 0.0;
    }
    for (uint32_t e = 0; e < 2; ++e) {
        tni_mechanism *mechanism = touch->ends[e].mechanism;
        if (mechanism != NULL && !touch_factor(mechanism)) {
            row->inverse = 0.0;
            row->is_made = true;
            return false;
        }
    }
    tni_touch_make_row(solver, touch, row);
    return row->inverse > 0.0;
}

// What could not be factored before may be by now.
static void touches_start_factors(const tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            tni_mechanism *mechanism = set->touches[i].ends[e].mechanism;
            if (mechanism != NULL) {
                mechanism->touch_half = set->is_coupled ? 0.0 : 0.5 * solver->dh;
                mechanism->is_factored = mechanism->is_factored && !mechanism->is_stuck;
                mechanism->is_stuck = false;
            }
        }
    }
}

static bool touch_takes_part(const tni_solver *solver, const tni_touch_set *set,
                             const tni_touch *touch) {
    return set->is_coupled ? solver->contact_gates[touch->contact].is_shut : touch_is_active(touch);
}

// ---- poses -------------------------------------------------------------------------------------

static void touches_clear_shifts(tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            const tni_touch_end *end = &set->touches[i].ends[e];
            if (end->mechanism != NULL) {
                end->mechanism->is_shifted = false;
                memset(end->mechanism->shift, 0, 6 * end->mechanism->moving_count * sizeof(double));
            } else if (end->is_loose) {
                memset(end->shift, 0, 6 * sizeof(double));
            }
        }
    }
}

// Returns how far it moved the point.
static double touch_shift_point(const tni_solver *solver, tni_touch *touch, uint32_t p) {
    tni_touch_row *row = &touch->rows[p];
    double gap = touch->gap[p], target = gap < 0.0 ? TOUCH_DEPTH_LEFT * gap : 0.0;
    target = gap < 0.0 && gap > -TOUCH_DEPTH_FREE ? gap : target;
    double missing = target - gap - tni_touch_get_shift(touch, row);
    if ((missing <= 0.0 && touch->moved[p] == 0.0) || !touch_ready_row(solver, touch, row)) {
        return 0.0;
    }
    double wanted = touch->moved[p] + missing * row->inverse;
    double change = (wanted > 0.0 ? wanted : 0.0) - touch->moved[p];
    touch->moved[p] += change;
    tni_touch_shift(touch, row, change);
    return fabs(change) / row->inverse;
}

static bool touches_sweep_poses(const tni_solver *solver, tni_touch_set *set) {
    double moved = 1.0;
    bool any = false;
    for (uint32_t sweep = 0; sweep < TOUCH_SWEEPS && moved > TOUCH_SETTLED_POSES; ++sweep) {
        moved = 0.0;
        for (uint32_t i = 0; i < set->count; ++i) {
            tni_touch *touch = &set->touches[i];
            for (uint32_t p = 0; p < touch->point_count && touch_takes_part(solver, set, touch);
                 ++p) {
                touch->moved[p] = sweep == 0 ? 0.0 : touch->moved[p];
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
    tni_body_delta *delta = &solver->deltas[end->body];
    end->motion->position = dvec3_add(end->motion->position, way);
    end->motion->rotation = dquat_normalize(dquat_mul(dquat_cayley(turn), end->motion->rotation));
    delta->position = glms_vec3_add(delta->position, dvec3_to_float(way));
    delta->rotation = glms_vec3_add(delta->rotation, dvec3_to_float(turn));
    memset(end->shift, 0, 6 * sizeof(double)); // once, however many touches it has
}

// The greatest turn of a body.
static double touch_get_turn(const tni_mechanism *mechanism) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const double *d = mechanism->shift + 6 * i + 3;
        greatest = fmax(greatest, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return sqrt(greatest);
}

// The move was straight, joints turn: what that left open is closed. False where it cannot be.
static bool touch_close(tni_mechanism *mechanism) {
    for (uint32_t round = 0; round < TOUCH_CLOSE_ROUNDS; ++round) {
        mechanism->is_factored = false;
        if (!touch_factor(mechanism)) {
            return false;
        }
        if (tni_mechanism_get_worst_error(mechanism) <= TOUCH_CLOSED) {
            return true;
        }
        tni_mechanism_project_poses(mechanism);
        tni_mechanism_project_move(mechanism);
    }
    mechanism->is_factored = false;
    return touch_factor(mechanism) && tni_mechanism_get_worst_error(mechanism) <= TOUCH_CLOSED;
}

// A share of the shift. Where the joints do not close again after it the poses stay.
static bool touch_try_move(tni_mechanism *mechanism, double share) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->before = body->motion;
        for (uint32_t c = 0; c < 6; ++c) {
            body->change[c] = share * mechanism->shift[6 * i + c];
        }
    }
    tni_mechanism_project_move(mechanism);
    if (touch_close(mechanism)) {
        return true;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].before;
    }
    mechanism->is_factored = false;
    return false;
}

// Joints come first: what they do not bear in one go is tried in part. Speeds fit the new poses.
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
        if (mechanism->shift[c] != 0.0) {
            return true;
        }
    }
    return false;
}

// The poses by their shifts; then everything is measured anew.
static void touches_move(tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            const tni_touch_end *end = &set->touches[i].ends[e];
            if (end->is_loose) {
                touch_move_loose(solver, end);
            } else if (end->mechanism != NULL && !end->mechanism->is_shifted) {
                end->mechanism->is_shifted = true;
                if (touch_has_shift(end->mechanism)) {
                    touch_move_mechanism(end->mechanism);
                }
            }
        }
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        if (touch_takes_part(solver, set, &set->touches[i])) {
            tni_touch_measure(solver, &set->touches[i]);
        }
    }
}

// The joints' part in what contacts gave.
static void touches_note_blows(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->mechanism_count; ++i) {
        tni_mechanism_note_blows(solver->mechanisms[i]);
    }
}

// ---- bounce ------------------------------------------------------------------------------------

// How fast a point would hit within h, negative, or 0.
static double touch_get_hit(const tni_solver *solver, const tni_touch *touch, uint32_t p) {
    const tni_contact_record *record = &solver->contact_records[touch->contact];
    if (!(record->restitution > 0.0f)) {
        return 0.0;
    }
    double speed = tni_touch_get_speed(touch, &touch->rows[p]);
    bool is_fast = speed < -(double)solver->restitution_threshold && speed < 0.0;
    return is_fast && touch->gap[p] + solver->dh * speed < 0.0 ? speed : 0.0;
}

// The work of an impulse that is about to push, for each end what is done to it.
static void touch_measure_push(tni_solver *solver, tni_touch *touch, uint32_t r, double x) {
    const tni_touch_row *row = &touch->rows[r];
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_touch_end *end = &touch->ends[e];
        const double *j = row->jacobian[e];
        double response = 0.0;
        if (end->is_loose) {
            response = touch_dot6(j, row->weighted[e]);
        } else if (end->mechanism != NULL) {
            const double *column = row->columns[e] != NULL ? row->columns[e] : row->columns[0];
            response = touch_dot6(j, column + 6 * end->local);
        }
        double work = x * (tni_touch_get_end_speed(end->motion, j) + 0.5 * x * response);
        *touch_work_of(solver, touch, r) += work;
        if (end->mechanism != NULL) {
            end->mechanism->touch_work += work;
        }
    }
}

// v += u x, with the work of it.
static void touch_push(tni_solver *solver, tni_touch *touch, uint32_t r, double x) {
    const tni_touch_row *row = &touch->rows[r];
    if (x == 0.0) {
        return;
    }
    if (solver->measures_work && row->inverse > 0.0) {
        touch_measure_push(solver, touch, r, x);
    }
    tni_touch_push(touch, row, x);
}

// One point's blow, with its friction at the patch's middle.
static void touch_bounce_point(tni_solver *solver, tni_touch *touch, uint32_t p, double speed) {
    const tni_contact_record *record = &solver->contact_records[touch->contact];
    tni_touch_row *row = &touch->rows[p];
    double slides[2] = {0.0, 0.0}, target = -(double)record->restitution * speed;
    double x = (target - speed) * row->inverse;
    double t = touch->gap[p] > 0.0 ? touch->gap[p] / -speed : 0.0;
    touch_push(solver, touch, p, x);
    tni_touch_shift(touch, row, -t * x);
    for (uint32_t k = 0; k < 2; ++k) {
        tni_touch_row *slide = &touch->rows[touch->point_count + k];
        if (!(record->friction > 0.0f) || !touch_ready_row(solver, touch, slide)) {
            continue;
        }
        double cap = (double)record->friction * x;
        double y = -tni_touch_get_speed(touch, slide) * slide->inverse;
        slides[k] = y > cap ? cap : (y < -cap ? -cap : y);
        touch_push(solver, touch, touch->point_count + k, slides[k]);
    }
    tni_touch_note_impact(solver, touch, p, x, slides);
}

static bool touches_sweep_bounces(tni_solver *solver, tni_touch_set *set) {
    bool has_hit = false;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        for (uint32_t p = 0; p < touch->point_count && touch_is_active(touch); ++p) {
            double speed = touch_get_hit(solver, touch, p);
            if (speed < 0.0 && touch_ready_row(solver, touch, &touch->rows[p])) {
                touch_bounce_point(solver, touch, p, speed);
                has_hit = true;
            }
        }
    }
    return has_hit;
}

// The rows are those of the present poses: after tni_touches_feed.
void tni_touches_bounce(tni_solver *solver) {
    tni_touch_set *set = &solver->touch_sets[0];
    touches_clear_shifts(set);
    touches_start_factors(solver, set);
    bool has_hit = false;
    for (uint32_t sweep = 0; sweep < TOUCH_SWEEPS; ++sweep) {
        if (!touches_sweep_bounces(solver, set)) {
            break;
        }
        has_hit = true;
    }
    if (has_hit) {
        touches_note_blows(solver);
        touches_move(solver, set);
    }
}

// ---- settle ------------------------------------------------------------------------------------

// Changes an impulse to what is wanted. Returns how much that changes the row's speed.
static double touch_set_impulse(tni_solver *solver, tni_touch *touch, uint32_t r, double wanted) {
    double change = wanted - touch->impulse[r];
    touch_push(solver, touch, r, change);
    touch->impulse[r] = wanted;
    return touch->rows[r].inverse > 0.0 ? fabs(change) / touch->rows[r].inverse : 0.0;
}

static double touch_settle_point(tni_solver *solver, tni_touch *touch, uint32_t p) {
    tni_touch_row *row = &touch->rows[p];
    double least = touch->gap[p] > 0.0 ? -touch->gap[p] / solver->dh : 0.0;
    double speed = tni_touch_get_speed(touch, row);
    if (touch->impulse[p] == 0.0 && (speed >= least || touch_get_hit(solver, touch, p) < 0.0)) {
        return 0.0;
    }
    if (!touch_ready_row(solver, touch, row)) {
        touch->impulse[p] = 0.0;
        return 0.0;
    }
    double wanted = touch->impulse[p] + (least - speed) * row->inverse;
    return touch_set_impulse(solver, touch, p, wanted > 0.0 ? wanted : 0.0);
}

static double touch_settle_friction(tni_solver *solver, tni_touch *touch, double total) {
    uint32_t n = touch->point_count, count = touch->slide_count;
    double wanted[TNI_TOUCH_SLIDES], *x = touch->impulse + n, change = 0.0;
    bool is_idle = total == 0.0;
    for (uint32_t t = 0; t < count; ++t) {
        is_idle &= x[t] == 0.0;
    }
    if (is_idle) {
        return 0.0;
    }
    for (uint32_t t = 0; t < count; ++t) {
        tni_touch_row *row = &touch->rows[n + t];
        bool is_held = !touch_ready_row(solver, touch, row);
        wanted[t] = is_held ? 0.0 : x[t] - tni_touch_get_speed(touch, row) * row->inverse;
        x[t] = is_held ? 0.0 : x[t];
    }
    tni_touch_clamp_friction(solver, touch, total, wanted);
    for (uint32_t t = 0; t < count; ++t) {
        change += touch_set_impulse(solver, touch, n + t, wanted[t]);
    }
    return change;
}

static void touches_sweep_velocities(tni_solver *solver, tni_touch_set *set) {
    double change = 1.0;
    for (uint32_t sweep = 0; sweep < TOUCH_SWEEPS && change > TOUCH_SETTLED; ++sweep) {
        change = 0.0;
        for (uint32_t i = 0; i < set->count; ++i) {
            tni_touch *touch = &set->touches[i];
            if (!touch_takes_part(solver, set, touch)) {
                continue;
            }
            double total = 0.0;
            for (uint32_t p = 0; p < touch->point_count; ++p) {
                change += touch_settle_point(solver, touch, p);
                total += touch->impulse[p];
            }
            change += touch_settle_friction(solver, touch, total);
        }
    }
}

// A mechanism that let go of what it was fed begins with nothing; so does what pushes it.
static void touch_let_go(tni_solver *solver, tni_touch *touch) {
    for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
        if (touch->fed[r] != 0.0) {
            *touch_work_of(solver, touch, r) +=
                tni_touch_push_loose(solver, touch, &touch->rows[r], -touch->fed[r]);
        }
    }
    memset(touch->impulse, 0, sizeof touch->impulse);
}

void tni_touches_settle(tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        const tni_mechanism *a = touch->ends[0].mechanism, *b = touch->ends[1].mechanism;
        if (!touch_takes_part(solver, set, touch)) {
            continue;
        }
        tni_touch_measure(solver, touch);
        if (set->is_coupled) {
            memset(touch->impulse, 0, sizeof touch->impulse);
        } else if ((a != NULL && a->has_let_go) || (b != NULL && b->has_let_go)) {
            touch_let_go(solver, touch);
        }
    }
    touches_clear_shifts(set);
    if (!set->is_coupled) {
        touches_start_factors(solver, set);
    }
    if (touches_sweep_poses(solver, set)) {
        touches_move(solver, set);
    }
    touches_sweep_velocities(solver, set);
    touches_note_blows(solver);
}
