// solver/touches/touch.c: touches that bounce before the stage, and settle after it.
//
//     bounce   a point of a contact with restitution e that would meet within h, after the time
//              t = gap / |u|, leaves at -e u. Its poses are put back by t times the change of
//              velocity, so that after the stage they are on the path after the impact.
//     settle   poses (solver/touches/touch_pose.c); then velocities, J v >= -gap / h, with
//     friction's cone.
//              The sweeps begin with what was fed (solver/touches/touch_feed.c), so that they may
//              also take of it.
// Sweeps over wedged bodies see conjugate directions (solver/touches/touch_speed_up.c).
// When normal impulses and friction raise each other, as under a thin rod that is held at its end,
// the sweeps never end, or grow. Touches that have not settled after TOUCH_SWEEPS therefore go on
// with friction's caps as they are then: the impulses that are left to find minimise the energy of
// motion over a convex set, which sweeps do without ever raising it. Maths and source:
// solver/touches/touch.h; bouncing: solver/contacts/impact.c. Test:
// tests/world/mechanisms/test_mechanism_contacts.c
#include <string.h>

#include "solver/step/breaking.h"
#include "solver/touches/touch.h"

#define TOUCH_SWEEPS 20
// With wedged bodies there are this many sweeps.
#define TOUCH_WEDGED_SWEEPS 60
// m/s: a sweep that changes less than this has settled.
#define TOUCH_SETTLED 1e-6
// m/s: a touch that the last of these sweeps changed by more has not settled: it gets this many
// more sweeps, until they change it by less than this.
#define TOUCH_UNSETTLED      0.1
#define TOUCH_CAPPED_SWEEPS  100
#define TOUCH_CAPPED_SETTLED 0.01

// ---- rows --------------------------------------------------------------------------------------

bool tni_touch_factor(tni_mechanism *mechanism) {
    if (!mechanism->matrix.is_factored) {
        if (!mechanism->traits.is_coupled) {
            tni_actors_give_way(mechanism);
        }
        mechanism->matrix.is_stuck = !tni_mechanism_project_begin(mechanism, mechanism->touch.half);
        mechanism->matrix.is_factored = true;
    }
    return !mechanism->matrix.is_stuck;
}

bool tni_touch_ready_row(const tni_solver *solver, tni_touch *touch, tni_touch_row *row) {
    if (row->is_made) {
        return row->inverse > 0.0;
    }
    for (uint32_t e = 0; e < 2; ++e) {
        tni_mechanism *mechanism = touch->ends[e].mechanism;
        if (mechanism != NULL && !tni_touch_factor(mechanism)) {
            row->inverse = 0.0;
            row->is_made = true;
            return false;
        }
    }
    tni_touch_make_row(solver, touch, row);
    return row->inverse > 0.0;
}

// Starts factors anew: a matrix that could not be factored before may be by now.
void tni_touches_start_factors(const tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            tni_mechanism *mechanism = set->touches[i].ends[e].mechanism;
            if (mechanism != NULL) {
                mechanism->touch.half = set->is_coupled ? 0.0 : 0.5 * solver->dh;
                mechanism->matrix.is_factored =
                    mechanism->matrix.is_factored && !mechanism->matrix.is_stuck;
                mechanism->matrix.is_stuck = false;
            }
        }
    }
}

bool tni_touch_takes_part(const tni_solver *solver, const tni_touch_set *set,
                          const tni_touch *touch) {
    if (set->is_of_spans) {
        return true;
    }
    return set->is_coupled ? solver->contacts.gates[touch->contact].is_shut
                           : touch_is_active(touch);
}

// Notes the joints' part in the impulses of contacts.
static void touches_note_blows(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism_note_blows(solver->exact.mechanisms[i]);
    }
}

// ---- bounce ------------------------------------------------------------------------------------

// Returns how fast a point would hit within h, negative, or 0.
static double touch_get_hit(const tni_solver *solver, const tni_touch *touch, uint32_t p) {
    const tni_contact_record *record = touch->record;
    if (!(record->restitution > 0.0f)) {
        return 0.0;
    }
    double speed = tni_touch_get_speed(touch, &touch->rows[p]);
    bool is_fast = speed < -(double)solver->settings.restitution_threshold && speed < 0.0;
    return is_fast && touch->gap[p] + solver->dh * speed < 0.0 ? speed : 0.0;
}

// Measures the work of an impulse that is about to push an end.
static void touch_measure_end(tni_solver *solver, tni_touch *touch, uint32_t r, uint32_t e,
                              double x) {
    const tni_touch_row *row = &touch->rows[r];
    const tni_touch_end *end = &touch->ends[e];
    const double *j = row->jacobian[e];
    double response = 0.0;
    if (end->is_loose) {
        response = touch_dot6(j, row->weighted[e]);
    } else if (end->mechanism != NULL) {
        const double *column = row->columns[e] != NULL ? row->columns[e] : row->columns[0];
        response = column != NULL ? touch_dot6(j, column + 6 * end->local) : 0.0;
    }
    double work = x * (tni_touch_get_end_speed(end->motion, j) + 0.5 * x * response);
    work += end->is_loose ? tni_touch_get_stiffened(solver, touch, row, e, x) : 0.0;
    *touch_work_of(solver, touch, r) += work;
    solver->ledger.work.force -= solver->bodies.masses[end->body].is_kinematic ? work : 0.0;
    if (end->mechanism != NULL) {
        end->mechanism->touch.work += work;
    }
}

// Adds v += u x, with the work of it.
static void touch_push(tni_solver *solver, tni_touch *touch, uint32_t r, double x) {
    tni_touch_row *row = &touch->rows[r];
    if (x == 0.0) {
        return;
    }
    if (solver->ledger.measures_work && row->inverse > 0.0) {
        touch_measure_end(solver, touch, r, 0, x);
        touch_measure_end(solver, touch, r, 1, x);
    }
    tni_touch_push(touch, row, x);
}

// Gives one point its blow, with friction at the patch's middle.
static void touch_bounce_point(tni_solver *solver, tni_touch *touch, uint32_t p, double speed) {
    const tni_contact_record *record = touch->record;
    tni_touch_row *row = &touch->rows[p];
    double slides[2] = {0.0, 0.0}, target = -(double)record->restitution * speed;
    double x = (target - speed) * row->inverse;
    double t = touch->gap[p] > 0.0 ? touch->gap[p] / -speed : 0.0;
    touch_push(solver, touch, p, x);
    tni_touch_shift(touch, row, -t * x);
    if (record->friction > 0.0f) {
        tni_touch_rub(solver, touch, (double)record->friction * x, slides);
        touch_push(solver, touch, touch->point_count, slides[0]);
        touch_push(solver, touch, touch->point_count + 1, slides[1]);
    }
    for (uint32_t e = 0; e < 2; ++e) {
        if (touch->ends[e].mechanism != NULL) {
            touch->ends[e].mechanism->touch.is_touched = true;
        }
    }
    tni_touch_note_impact(touch, p, x, slides);
}

static bool touches_sweep_bounces(tni_solver *solver, tni_touch_set *set) {
    bool has_hit = false;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        for (uint32_t p = 0; p < touch->point_count && touch_is_active(touch); ++p) {
            double speed = touch_get_hit(solver, touch, p);
            if (speed < 0.0 && tni_touch_ready_row(solver, touch, &touch->rows[p])) {
                touch_bounce_point(solver, touch, p, speed);
                has_hit = true;
            }
        }
    }
    return has_hit;
}

// Lets touches bounce. The rows are those of the present poses: tni_touches_feed comes before.
void tni_touches_bounce(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    tni_touches_clear_shifts(set);
    tni_touches_start_factors(solver, set);
    bool has_hit = false;
    for (uint32_t sweep = 0; sweep < TOUCH_SWEEPS; ++sweep) {
        if (!touches_sweep_bounces(solver, set)) {
            break;
        }
        has_hit = true;
    }
    if (has_hit) {
        touches_note_blows(solver);
        tni_touches_move(solver, set);
    }
}

// ---- settle ------------------------------------------------------------------------------------

double tni_touch_set_impulse(tni_solver *solver, tni_touch *touch, uint32_t r, double wanted) {
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
    if (!tni_touch_ready_row(solver, touch, row)) {
        touch->impulse[p] = 0.0;
        return 0.0;
    }
    double wanted = touch->impulse[p] + (least - speed) * row->inverse;
    return tni_touch_set_impulse(solver, touch, p, wanted > 0.0 ? wanted : 0.0);
}

// Makes one sweep over points and friction. Returns the sum of the rows' changes, m/s.
static double touches_sweep_rows(tni_solver *solver, tni_touch_set *set) {
    double sum = 0.0;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch)) {
            continue;
        }
        double total = 0.0;
        touch->change = 0.0;
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            touch->change += touch_settle_point(solver, touch, p);
            total += touch->impulse[p];
        }
        touch->change += tni_touch_settle_friction(solver, touch, total);
        sum += touch->change;
    }
    return sum;
}

static bool touch_is_unsettled(const tni_touch *touch) {
    const tni_mechanism *a = touch->ends[0].mechanism, *b = touch->ends[1].mechanism;
    return (a != NULL && a->touch.is_unsettled) || (b != NULL && b->touch.is_unsettled);
}

// Finds the mechanisms that the last sweep changed much, and the loads that set friction's caps
// from now on. Returns whether there are any.
static bool touches_find_unsettled(const tni_solver *solver, tni_touch_set *set) {
    bool any = false;
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        solver->exact.mechanisms[i]->touch.is_unsettled = false;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch)) {
            continue;
        }
        touch->load = 0.0;
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            touch->load += touch->impulse[p];
        }
        for (uint32_t e = 0; e < 2 && touch->change > TOUCH_UNSETTLED; ++e) {
            if (touch->ends[e].mechanism != NULL) {
                touch->ends[e].mechanism->touch.is_unsettled = any = true;
            }
        }
    }
    for (uint32_t i = 0; i < set->count && any; ++i) {
        const tni_touch *touch = &set->touches[i];
        for (uint32_t e = 0; e < 2 && !touch_is_inner(touch); ++e) {
            if (touch->ends[e].mechanism != NULL) {
                touch->ends[e].mechanism->touch.is_unsettled = false;
            }
        }
    }
    return any;
}

// Sweeps over the touches of these mechanisms. Returns the greatest change of one.
static double touches_sweep_capped(tni_solver *solver, tni_touch_set *set) {
    double worst = 0.0;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch) || !touch_is_unsettled(touch)) {
            continue;
        }
        double change = tni_touch_slide_capped(solver, touch);
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            change += touch_settle_point(solver, touch, p);
        }
        worst = change > worst ? change : worst;
    }
    return worst;
}

// Moves friction to the place of a blow: it rubs where it strikes, and not where the load was.
// Returns true where that is another place.
static bool touches_center_blows(tni_solver *solver, tni_touch_set *set) {
    bool any = false;
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch) || !tni_touch_is_struck_aside(touch)) {
            continue;
        }
        uint32_t n = touch->point_count;
        for (uint32_t r = n; r < n + 3; ++r) {
            if (touch->impulse[r] != 0.0 && tni_touch_ready_row(solver, touch, &touch->rows[r])) {
                tni_touch_set_impulse(solver, touch, r, 0.0);
            }
        }
        tni_touch_center_friction(touch);
        any = true;
    }
    return any;
}

static double touches_sweep_until_settled(tni_solver *solver, tni_touch_set *set) {
    double change = 1.0, square = 0.0;
    uint32_t sweeps = set->has_wedged ? TOUCH_WEDGED_SWEEPS : TOUCH_SWEEPS;
    tni_touches_start_pushes(solver, set);
    for (uint32_t sweep = 0; sweep < sweeps && change > TOUCH_SETTLED; ++sweep) {
        if (set->has_wedged && sweep > 0) {
            square = tni_touches_end_sweep(solver, set, false, square);
        }
        if (set->has_wedged) {
            tni_touches_begin_sweep(solver, set, false);
        }
        change = touches_sweep_rows(solver, set);
    }
    tni_touches_end_pushes(solver, set);
    return change;
}

static void touches_sweep_velocities(tni_solver *solver, tni_touch_set *set) {
    double change = touches_sweep_until_settled(solver, set);
    if (!set->is_coupled && touches_center_blows(solver, set)) {
        change = touches_sweep_until_settled(solver, set);
    }
    if (set->is_coupled || change <= TOUCH_UNSETTLED || !touches_find_unsettled(solver, set)) {
        return;
    }
    for (uint32_t sweep = 0; sweep < TOUCH_CAPPED_SWEEPS; ++sweep) {
        if (touches_sweep_capped(solver, set) < TOUCH_CAPPED_SETTLED) {
            break;
        }
    }
}

static bool touch_has_let_go(const tni_touch_end *end) {
    return end->mechanism != NULL && end->mechanism->stage.has_let_go;
}

// Starts a touch of a mechanism that let go of the fed impulses with none; they are taken back from
// the loose body at its other end.
static void touch_let_go(tni_solver *solver, tni_touch *touch) {
    for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
        tni_touch_row *row = &touch->rows[r];
        double x = -touch->fed[r];
        if (x != 0.0) {
            *touch_work_of(solver, touch, r) += tni_touch_push_loose(solver, touch, row, x);
        }
        for (uint32_t e = 0; e < 2 && x != 0.0; ++e) {
            const tni_touch_end *end = &touch->ends[e];
            if (solver->ledger.has_leads && solver->bodies.masses[end->body].is_kinematic) {
                touch_measure_end(solver, touch, r, e, x);
            }
            if (end->mechanism == NULL || end->mechanism->stage.has_let_go ||
                !tni_touch_ready_row(solver, touch, row)) {
                continue;
            }
            if (solver->ledger.measures_work) {
                touch_measure_end(solver, touch, r, e, x);
            }
            tni_touch_push_end(touch, row, e, x);
        }
    }
    memset(touch->impulse, 0, sizeof touch->impulse);
}

void tni_touches_measure(const tni_solver *solver, tni_touch_set *set, double ahead) {
    tni_touches_straighten(set);
    for (uint32_t i = 0; i < set->count; ++i) {
        if (tni_touch_takes_part(solver, set, &set->touches[i])) {
            tni_touch_measure(solver, &set->touches[i], ahead);
        }
    }
    tni_touches_lay_ghosts(solver, set, ahead);
}

// Takes a blow back under which a joint breaks, the joints' part too: the joint breaks before the
// blow counts, and the blow is found again without it.
static void touches_take_back(tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        for (uint32_t r = 0; r < touch_get_row_count(touch) && touch_is_active(touch); ++r) {
            tni_touch_set_impulse(solver, touch, r, touch->kept[r]);
        }
    }
    touches_note_blows(solver);
}

static void touches_keep(tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        memcpy(set->touches[i].kept, set->touches[i].impulse, sizeof set->touches[i].kept);
    }
}

static void touches_settle_velocities(tni_solver *solver, tni_touch_set *set) {
    bool may_break = tni_breaking_has_any(solver) && !set->is_coupled;
    if (may_break) {
        touches_keep(set);
    }
    touches_sweep_velocities(solver, set);
    touches_note_blows(solver);
    for (uint32_t round = 0;
         may_break && round < TNI_BREAKING_MOST_ROUNDS && tni_breaking_weigh(solver, TNI_LOOK_BLOW);
         ++round) {
        touches_take_back(solver, set);
        tni_breaking_break(solver, TNI_LOOK_BLOW);
        tni_touches_start_factors(solver, set);
        tni_touches_measure(solver, set, solver->dh);
        touches_sweep_velocities(solver, set);
        touches_note_blows(solver);
    }
}

void tni_touches_settle(tni_solver *solver, tni_touch_set *set) {
    if (!set->is_coupled) {
        tni_touches_start_factors(solver, set);
    }
    tni_touches_measure(solver, set, solver->dh);
    if (set->has_wedged) {
        tni_touches_feed_late(solver);
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        if (!tni_touch_takes_part(solver, set, touch)) {
            continue;
        }
        if (set->is_coupled) {
            memset(touch->impulse, 0, sizeof touch->impulse);
        } else if (touch_has_let_go(&touch->ends[0]) || touch_has_let_go(&touch->ends[1])) {
            touch_let_go(solver, touch);
        }
    }
    tni_touches_settle_poses(solver, set);
    touches_settle_velocities(solver, set);
}

// ---- what was swept in the last step ------------------------------------------------------------

// Lets touches meet before the first stage the shapes that have come between since the last step:
// sweeps look before a drift at the contacts that it closes, touches at the end of the substep
// before. A blow is no load.
void tni_touches_meet(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    if (!set->has_wedged) {
        return;
    }
    tni_touches_start_factors(solver, set);
    tni_touches_measure(solver, set, solver->dh);
    touches_keep(set);
    touches_sweep_until_settled(solver, set);
    touches_note_blows(solver);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        double slides[2] = {0.0, 0.0};
        for (uint32_t t = 0; t < 2 && touch->point_count > 0; ++t) {
            uint32_t r = touch->point_count + t;
            slides[t] = touch->impulse[r] - touch->kept[r];
        }
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            tni_touch_note_impact(touch, p, touch->impulse[p] - touch->kept[p], slides);
            slides[0] = slides[1] = 0.0;
        }
        memcpy(touch->impulse, touch->kept, sizeof touch->impulse);
    }
}
