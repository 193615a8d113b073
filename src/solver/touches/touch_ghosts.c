// solver/touches/touch_ghosts.c: touches with edges that lie behind another touch's plane.
//
// The rule is that of collision/manifold/ghost.c, asked of the poses and the way of a substep. A
// ghost of boxes and hulls has no points; that of a rounded one whose normal is nearly that of the
// plane takes the plane's. A round shape is measured on the plane instead, at the height of the top
// of the shape that it cannot meet, for that one may carry it next.
//
// A round shape that rolls from one tile to the next then has two redundant touches: their rows
// have one normal, arm and gap. Two equal rows share a load by chance, and each bounds its friction
// by its own share, so that a wheel would be pulled aside at each seam. The touch that carries
// keeps it all, and hands its impulses to the other one when the shape has left its face. Test:
// tests/solver/touches/test_touch_ghosts.c
#include <math.h>

#include "collision/manifold/ghost.h"
#include "solver/touches/touch.h"

// Touches are looked at this many times: a ghost that was turned may make ghosts of others.
#define GHOST_ROUNDS 3u
// Rows are the same where their arms, gaps and, over a substep, speeds differ by less than this, m;
// and their normals by less than this, 1 - cosine.
#define GHOST_SAME_ARM   1e-2
#define GHOST_SAME_GAP   2e-5
#define GHOST_SAME_ANGLE 1e-6

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
        least = maths_min_d(least, touch->gap[p]);
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

// Returns the normal toward end e.
static tni_dvec3 ghost_get_normal(const tni_touch *touch, uint32_t e) {
    return e == 0 ? dvec3_scale(touch->normal, -1.0) : touch->normal;
}

// May the other end be a neighbour that lies level with the shape that carries end `r`?
static bool ghost_is_suspect(const tni_touch *touch, uint32_t r) {
    const tni_touch_end *moving = &touch->ends[r], *other = &touch->ends[1 - r];
    if (touch->point_count == 0 || (moving->mechanism == NULL && !moving->is_loose) ||
        !tni_geometry_is_polyhedron(other->geometry)) {
        return false;
    }
    bool may_roll = tni_geometry_may_roll(moving->geometry);
    if (!may_roll && !other->has_neighbours) {
        return false;
    }
    bool has_flats = !tni_geometry_is_round(moving->geometry);
    if (has_flats &&
        (touch->is_walked || (!touch->is_confirmed && ghost_get_least(touch) <= 0.0))) {
        return true;
    }
    if (tni_geometry_is_sharp(moving->geometry)) {
        return false;
    }
    tni_path_end end = ghost_get_end(other);
    return !tni_ghost_is_face(&end, ghost_get_normal(touch, r));
}

// Finds the plane of a touch, if it carries the trial's moving shape on a face.
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

// ---- touches that say the same ------------------------------------------------------------------

static tni_dvec3 ghost_get_arm(const tni_touch *touch, uint32_t p, uint32_t r) {
    tni_dvec3 arm = dvec3_sub(touch->at[p], touch->ends[0].motion->position);
    return r == 0 ? arm : dvec3_add(arm, touch->offset);
}

// Returns the point of the carrier whose row is that of point p, or TNI_NONE. R is end `r` of the
// touch, and end `r_carrier` of the carrier.
static uint32_t ghost_find_same(const tni_solver *solver, const tni_touch *touch, uint32_t r,
                                uint32_t p, const tni_touch *carrier, uint32_t r_carrier) {
    tni_dvec3 arm = ghost_get_arm(touch, p, r);
    double speed = tni_touch_get_speed(touch, &touch->rows[p]);
    for (uint32_t q = 0; q < carrier->point_count; ++q) {
        double off = dvec3_length(dvec3_sub(arm, ghost_get_arm(carrier, q, r_carrier)));
        double gap = fabs(touch->gap[p] - carrier->gap[q]);
        double change = fabs(speed - tni_touch_get_speed(carrier, &carrier->rows[q])) * solver->dh;
        if (off < GHOST_SAME_ARM && gap < GHOST_SAME_GAP && change < GHOST_SAME_GAP) {
            return q;
        }
    }
    return TNI_NONE;
}

// Adds the impulses of row r of `from` to the carrier's row `to`.
static void ghost_hand_row(const tni_touch *from, uint32_t r, tni_touch *carrier, uint32_t to,
                           double share) {
    carrier->impulse[to] += share * from->impulse[r];
    carrier->before[to] += share * from->before[r];
    carrier->fed[to] += share * from->fed[r];
    carrier->loose_fed[to] += share * from->loose_fed[r];
}

// Returns the direction of a row of friction: two slide, one twists, two roll.
static tni_dvec3 ghost_get_direction(const tni_touch *touch, uint32_t t) {
    return t == 2 ? touch->normal : touch->tangents[t % 3];
}

// Hands the impulses by which the touch pushes R to the carrier. R is end `r` of the touch, and end
// `r_carrier` of the carrier; point p of the touch is same[p] of the carrier.
static void ghost_hand_on(tni_touch *touch, uint32_t r, const uint32_t same[TNI_LANES],
                          tni_touch *carrier, uint32_t r_carrier) {
    double sign = r == r_carrier ? 1.0 : -1.0;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        ghost_hand_row(touch, p, carrier, same[p], 1.0);
    }
    for (uint32_t t = 0; t < touch->slide_count; ++t) {
        for (uint32_t u = 0; u < carrier->slide_count; ++u) {
            tni_dvec3 from = ghost_get_direction(touch, t), to = ghost_get_direction(carrier, u);
            bool is_alike = (t < 2) == (u < 2) && (t == 2) == (u == 2);
            double share = is_alike ? sign * dvec3_dot(from, to) : 0.0;
            if (t < 2 && u < 2) {
                share *= touch->grip[t] * maths_inverse_or_zero_d(carrier->grip[u]);
            }
            ghost_hand_row(touch, touch->point_count + t, carrier, carrier->point_count + u, share);
        }
    }
    touch->point_count = 0;
}

// Drops the touch of a round shape R if the carrier has all its rows. Returns true when it was
// dropped.
static bool ghost_merge(const tni_solver *solver, tni_touch *touch, uint32_t r,
                        tni_touch *carrier) {
    uint32_t r_carrier = touch->ends[r].geometry == carrier->ends[0].geometry ? 0 : 1;
    tni_dvec3 n = ghost_get_normal(touch, r), of_carrier = ghost_get_normal(carrier, r_carrier);
    uint32_t same[TNI_LANES];
    bool is_same = dvec3_dot(n, of_carrier) > 1.0 - GHOST_SAME_ANGLE;
    for (uint32_t p = 0; p < touch->point_count && is_same; ++p) {
        same[p] = ghost_find_same(solver, touch, r, p, carrier, r_carrier);
        is_same = same[p] != TNI_NONE;
    }
    if (is_same) {
        ghost_hand_on(touch, r, same, carrier, r_carrier);
    }
    return is_same;
}

// Has a round shape come to a face that it has not pushed yet? Another may carry it still.
static bool ghost_is_new(const tni_touch *touch, uint32_t r) {
    const tni_touch_end *moving = &touch->ends[r], *other = &touch->ends[1 - r];
    bool is_new = touch->point_count > 0 && (moving->mechanism != NULL || moving->is_loose) &&
                  tni_geometry_is_polyhedron(other->geometry) &&
                  tni_geometry_may_roll(moving->geometry);
    for (uint32_t p = 0; p < touch->point_count && is_new; ++p) {
        is_new = touch->impulse[p] == 0.0 && touch->before[p] == 0.0;
    }
    return is_new;
}

// A touch of a shape R, which is end `r`, among those of its set.
typedef struct ghost_case {
    const tni_solver *solver;
    tni_touch_set *set;
    tni_touch *touch;
    uint32_t r;
    tni_ghost_trial trial;
} ghost_case;

static ghost_case ghost_make_case(const tni_solver *solver, tni_touch_set *set, tni_touch *touch,
                                  uint32_t r, double ahead) {
    return (ghost_case){.solver = solver,
                        .set = set,
                        .touch = touch,
                        .r = r,
                        .trial = {.moving = ghost_get_end(&touch->ends[r]),
                                  .other = ghost_get_end(&touch->ends[1 - r]),
                                  .normal = ghost_get_normal(touch, r),
                                  .point = touch->at[0],
                                  .dt = ahead}};
}

// Finds the plane on which another touch i carries R, if it does.
static bool ghost_carries(const ghost_case *of, uint32_t i, tni_ghost_plane *plane) {
    const tni_touch *carrier = &of->set->touches[i];
    return carrier != of->touch && tni_touch_takes_part(of->solver, of->set, carrier) &&
           ghost_find_plane(&of->trial, carrier, plane);
}

// Does touch i carry R on a plane that keeps it from what it touches?
static bool ghost_is_behind(const ghost_case *of, uint32_t i, tni_ghost_plane *plane) {
    return ghost_carries(of, i, plane) && tni_ghost_lies_behind(&of->trial, plane);
}

// Is a carrier a ghost itself, whatever becomes of this touch? The side of a tile carries nothing
// if the floor keeps R from it.
static bool ghost_is_carried(const ghost_case *of, uint32_t i) {
    tni_touch *carrier = &of->set->touches[i];
    uint32_t r = carrier->ends[0].geometry == of->trial.moving.geometry ? 0 : 1;
    if (!ghost_is_suspect(carrier, r)) {
        return false;
    }
    ghost_case own = ghost_make_case(of->solver, of->set, carrier, r, of->trial.dt);
    bool is_carried = false;
    for (uint32_t k = 0; k < of->set->count && !is_carried; ++k) {
        tni_ghost_plane plane;
        is_carried = &of->set->touches[k] != of->touch && ghost_is_behind(&own, k, &plane);
    }
    return is_carried;
}

// Makes the ghost of a plane, by which touch i carries R.
static void ghost_lay(const ghost_case *of, uint32_t i, const tni_ghost_plane *plane) {
    tni_touch *touch = of->touch;
    if (tni_geometry_may_roll(of->trial.moving.geometry) ||
        (!tni_geometry_is_sharp(of->trial.moving.geometry) &&
         tni_ghost_is_level(&of->trial, plane))) {
        ghost_turn(of->solver, touch, of->r, &of->trial, plane);
        if (!of->set->is_of_spans) { // which keep their impulses elsewhere
            ghost_merge(of->solver, touch, of->r, &of->set->touches[i]);
        }
    } else {
        touch->point_count = 0;
    }
}

// Merges a touch that has the rows of another.
static bool ghost_try_merging(const ghost_case *of) {
    bool is_merged = false;
    for (uint32_t i = 0; i < of->set->count && !is_merged; ++i) {
        tni_ghost_plane plane;
        is_merged = ghost_carries(of, i, &plane) &&
                    ghost_merge(of->solver, of->touch, of->r, &of->set->touches[i]);
    }
    return is_merged;
}

static bool ghost_try(const tni_solver *solver, tni_touch_set *set, tni_touch *touch, uint32_t r,
                      double ahead) {
    bool is_suspect = ghost_is_suspect(touch, r);
    if (!is_suspect && (set->is_of_spans || !ghost_is_new(touch, r))) {
        return false;
    }
    ghost_case of = ghost_make_case(solver, set, touch, r, ahead);
    if (!is_suspect) {
        return ghost_try_merging(&of);
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_ghost_plane plane;
        if (ghost_is_behind(&of, i, &plane) && !ghost_is_carried(&of, i)) {
            ghost_lay(&of, i, &plane);
            return true;
        }
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
