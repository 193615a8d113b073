// solver/touches/touch_feed.c: the pushes of touches during a stage, and stages in pieces.
//
// A contact that has pushed through two substeps goes on with the lesser of their impulses, as a
// force that is constant over the stage. The tension that this makes is then in the joints'
// impulses, of which the stage knows the curvature; a contact that has only hit does not push on. A
// loose body has half of the impulse in each of its kicks, as Gauss-Seidel does it.
//
// A stage that brings a point down too deep is taken again in pieces, which are fed, may bounce and
// settle each; impulses are then those of a piece.
// Maths and source: solver/touches/touch.h. Test: tests/world/mechanisms/test_mechanism_contacts.c
#include <string.h>

#include "solver/touches/touch.h"

// m: a stage that brings a point deeper by more is taken again in pieces.
#define TOUCH_FEED_DEEP 2e-3
// m: a contact that has opened farther does not go on pushing.
#define TOUCH_FED_GAP 1e-3
// m/s: a point that the sweeps left with more than this holds nothing.
#define TOUCH_FED_SPEED 0.1
double tni_touch_get_lesser(double x, double y) {
    if (x * y <= 0.0) {
        return 0.0;
    }
    return fabs(x) < fabs(y) ? x : y;
}

static bool touch_holds(const tni_touch *touch, uint32_t p) {
    bool is_still = fabs(tni_touch_get_speed(touch, &touch->rows[p])) < TOUCH_FED_SPEED;
    return touch->gap[p] < TOUCH_FED_GAP && (is_still || !touch_is_alone(touch));
}

void tni_touch_choose_fed(tni_touch *touch) {
    double total = 0.0;
    uint32_t n = touch->point_count;
    const tni_mechanism *beside = touch->beside;
    for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
        double x = beside != NULL ? beside->touch.wedged_share * touch->impulse[r]
                                  : tni_touch_get_lesser(touch->impulse[r], touch->before[r]);
        touch->fed[r] = r >= n || touch_holds(touch, r) ? x : 0.0;
        total += r < n ? touch->fed[r] : 0.0;
    }
    tni_touch_clamp_friction(touch, total, touch->fed + n);
    memcpy(touch->before, touch->impulse, sizeof touch->before);
    memcpy(touch->impulse, touch->fed, sizeof touch->impulse);
}

// Adds the row's force over h to those of the stage.
static void touch_feed_mechanism(const tni_touch_end *end, const double *j, double force,
                                 bool is_friction) {
    tni_mechanism_body *body = &end->mechanism->bodies[end->local];
    tni_dvec3 linear = dvec3_scale(dvec3_make(j[0], j[1], j[2]), force * body->inv_mass);
    tni_dvec3 angular = dvec3_scale(dvec3_make(j[3], j[4], j[5]), force);
    if (is_friction) {
        body->fed_friction.linear = dvec3_add(body->fed_friction.linear, linear);
        body->fed_friction.angular = dvec3_add(body->fed_friction.angular, angular);
    }
    body->fed.linear = dvec3_add(body->fed.linear, linear);
    body->fed.angular = dvec3_add(body->fed.angular, angular);
    body->acceleration = dvec3_add(body->acceleration, linear);
    body->torque = dvec3_add(body->torque, angular);
    end->mechanism->stage.is_fed = true;
}

// Books the work of a push on a kinematic end: in the ledger a push is between its ends; see
// solver/step/work.c.
static void touch_feed_kinematic(tni_solver *solver, const tni_touch *touch, uint32_t r,
                                 uint32_t e) {
    const tni_touch_end *end = &touch->ends[e];
    if (solver->ledger.has_leads && solver->bodies.masses[end->body].is_kinematic) {
        const double *j = touch->rows[r].jacobian[e];
        double work = touch->fed[r] * tni_touch_get_end_speed(end->motion, j);
        *touch_work_of(solver, touch, r) += work;
        solver->ledger.work.force -= work;
    }
}

// Returns the deepest point's gap, or 0.
static double touch_get_least(const tni_touch *touch) {
    double least = 0.0;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        least = touch->gap[p] < least ? touch->gap[p] : least;
    }
    return least;
}

// Feeds a loose end for a piece: it has been given its share for the whole substep, and the
// difference goes to it at once.
static void touch_feed_loose_piece(tni_solver *solver, tni_touch *touch, double share) {
    touch->late = 0.0;
    for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
        double missing = touch->fed[r] - share * touch->loose_fed[r];
        if (missing != 0.0) {
            *touch_work_of(solver, touch, r) +=
                tni_touch_push_loose(solver, touch, &touch->rows[r], missing);
        }
    }
}

static void touches_find_alone(const tni_solver *solver, const tni_touch_set *set) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        solver->exact.mechanisms[i]->touch.is_alone = true;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2 && !touch_is_inner(&set->touches[i]); ++e) {
            if (set->touches[i].ends[e].mechanism != NULL) {
                set->touches[i].ends[e].mechanism->touch.is_alone = false;
            }
        }
    }
}

// Finds which mechanisms are touched: a stage in which no contact pushes is taken as if there were
// none.
static void touches_find_touched(const tni_solver *solver, const tni_touch_set *set) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        mechanism->touch.is_touched = mechanism->touch.is_touched && !mechanism->stage.is_active;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        bool pushes = false;
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            pushes |= touch->before[p] != 0.0 || touch->fed[p] != 0.0;
        }
        for (uint32_t e = 0; e < 2 && pushes; ++e) {
            if (touch->ends[e].mechanism != NULL) {
                touch->ends[e].mechanism->touch.is_touched = true;
            }
        }
    }
}

void tni_touches_feed(tni_solver *solver, double share) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    touches_find_alone(solver, set);
    tni_touches_start_factors(solver, set);
    double inv_h = maths_inverse_or_zero_d(solver->dh);
    tni_touches_measure(solver, set, solver->dh);
    tni_touches_share_wedged(solver);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!touch_is_active(touch)) {
            continue;
        }
        tni_touch_choose_fed(touch);
        touch->least = touch_get_least(touch);
        for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
            for (uint32_t e = 0; e < 2 && touch->fed[r] != 0.0; ++e) {
                const tni_mechanism *mechanism = touch->ends[e].mechanism;
                if (mechanism != NULL && mechanism->stage.is_active) {
                    touch_feed_mechanism(&touch->ends[e], touch->rows[r].jacobian[e],
                                         touch->fed[r] * inv_h, r >= touch->point_count);
                }
                touch_feed_kinematic(solver, touch, r, e);
            }
        }
        if (share < 1.0) {
            touch_feed_loose_piece(solver, touch, share);
        } else {
            touch->late = touch->beside != NULL ? touch->beside->touch.wedged_late : 0.0;
            for (uint32_t r = 0; r < TNI_TOUCH_ROWS; ++r) {
                touch->loose_fed[r] = (1.0 - touch->late) * touch->fed[r];
            }
        }
    }
    touches_find_touched(solver, set);
}

void tni_touches_feed_loose(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
            if (touch->loose_fed[r] != 0.0) {
                tni_touch_push_loose(solver, touch, &touch->rows[r], 0.5 * touch->loose_fed[r]);
            }
        }
    }
    if (set->has_wedged) {
        tni_touches_hold_late(solver);
    }
}

// ---- work and pieces ---------------------------------------------------------------------------

void tni_touches_measure_loose(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    tni_touches_measure_late(solver);
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
            for (uint32_t e = 0; e < 2 && touch->loose_fed[r] != 0.0; ++e) {
                const tni_touch_end *end = &touch->ends[e];
                if (!end->is_loose) {
                    continue;
                }
                const double *j = touch->rows[r].jacobian[e];
                double twice =
                    tni_touch_get_end_speed(&solver->ledger.motions_before[end->body], j) +
                    tni_touch_get_end_speed(&solver->bodies.motions[end->body], j);
                // This is half of the impulse, at the mean speed.
                *touch_work_of(solver, touch, r) += 0.25 * touch->loose_fed[r] * twice;
            }
        }
    }
}

// Returns the deepest gap when bodies that are on no mechanism will have drifted.
static double touch_get_least_ahead(const tni_solver *solver, const tni_touch *touch) {
    double least = 0.0;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        double gap = touch->gap[p];
        for (uint32_t e = 0; e < 2; ++e) {
            const tni_touch_end *end = &touch->ends[e];
            if (end->mechanism == NULL) {
                const double *j = touch->rows[p].jacobian[e];
                gap += solver->dh * tni_touch_get_end_speed(end->motion, j);
            }
        }
        least = gap < least ? gap : least;
    }
    return least;
}

bool tni_touches_find_deep(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    bool any = false;
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        solver->exact.mechanisms[i]->stage.is_deep = false;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch_measure(solver, &set->touches[i], 0.0);
    }
    tni_touches_lay_ghosts(solver, set, 0.0);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        bool has_stage = touch->ends[0].mechanism != NULL || touch->ends[1].mechanism != NULL;
        if (has_stage && touch_get_least_ahead(solver, touch) < touch->least - TOUCH_FEED_DEEP) {
            any = true;
            for (uint32_t e = 0; e < 2; ++e) {
                if (touch->ends[e].mechanism != NULL) {
                    touch->ends[e].mechanism->stage.is_deep = true;
                }
            }
        }
    }
    return any;
}

// Marks all mechanisms beside one wedged body as deep if one of them is.
void tni_touches_spread_deep(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    bool has_changed = set->has_wedged;
    while (has_changed) {
        has_changed = false;
        for (uint32_t i = 0; i < set->count; ++i) {
            tni_mechanism *beside = set->touches[i].beside;
            for (uint32_t e = 0; e < 2 && beside != NULL; ++e) {
                tni_mechanism *mechanism = set->touches[i].ends[e].mechanism;
                if (mechanism != NULL && mechanism->stage.is_deep != beside->stage.is_deep) {
                    mechanism->stage.is_deep = beside->stage.is_deep = has_changed = true;
                }
            }
        }
    }
}

static void touch_scale(tni_touch *touch, double factor) {
    for (uint32_t r = 0; r < TNI_TOUCH_ROWS; ++r) {
        touch->impulse[r] *= factor;
        touch->before[r] *= factor;
        touch->fed[r] *= factor;
    }
}

void tni_touches_scale(tni_solver *solver, double factor) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count && factor != 1.0; ++i) {
        if (touch_is_active(&set->touches[i])) {
            touch_scale(&set->touches[i], factor);
        }
    }
}

void tni_touches_cut(tni_solver *solver, uint32_t pieces) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        touch->pieces = touch_is_active(touch) ? pieces : 1;
        if (touch->pieces > 1) {
            touch_scale(touch, 1.0 / pieces);
        }
    }
}

void tni_touches_join(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        if (set->touches[i].pieces > 1) {
            touch_scale(&set->touches[i], set->touches[i].pieces);
        }
        set->touches[i].pieces = 1;
    }
}
