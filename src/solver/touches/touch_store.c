// solver/touches/touch_store.c: touches and the contacts' own records: impulses in and out.
//
// A touch leaves the last substep's impulses to the next step, and as a share of them the part that
// it would feed, which is the lesser of the last two substeps': a step of one substep has no other
// memory of the substep before. Its impulse over the step is summed as Gauss-Seidel sums it. Maths:
// solver/touches/touch.h. Test: tests/world/mechanisms/test_mechanism_contacts.c
#include <string.h>

#include "solver/touches/touch.h"

// Returns the point of the touch that is the contact's point in a lane, or TNI_NONE.
static uint32_t touch_find_point(const tni_touch *touch, uint32_t lane) {
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        if (touch->features[p] == touch->lanes[lane]) {
            return p;
        }
    }
    return TNI_NONE;
}

uint32_t tni_touch_find_lane(const tni_touch *touch, uint32_t p) {
    uint32_t at = 0;
    for (uint32_t lane = 0; lane < touch->record->point_count; ++lane) {
        at = touch->lanes[lane] == touch->features[p] ? lane : at;
    }
    return at;
}

void tni_touch_load(tni_touch *touch) {
    const tni_contact_record *record = touch->record;
    uint32_t n = touch->point_count;
    for (uint32_t lane = 0; lane < record->point_count; ++lane) {
        uint32_t p = touch_find_point(touch, lane);
        if (p != TNI_NONE) {
            touch->impulse[p] = (double)record->impulse[lane];
        }
    }
    tni_dvec3 slide = dvec3_from_float(record->friction_impulse);
    tni_dvec3 spin = dvec3_from_float(record->rolling_impulse);
    tni_touch_split_slide(touch, slide, touch->impulse + n);
    touch->impulse[n + 2] = dvec3_dot(dvec3_from_float(record->normal), spin);
    for (uint32_t t = 3; t < touch->slide_count; ++t) {
        touch->impulse[n + t] = dvec3_dot(touch->tangents[t - 3], spin);
    }
    for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
        touch->before[r] = touch->lasting * touch->impulse[r];
    }
}

void tni_touch_start_sums(tni_contact_record *record) {
    tni_contact_sums *sums = &record->sums;
    memset(sums, 0, sizeof *sums);
    for (uint32_t lane = 0; lane < TNI_LANES; ++lane) {
        sums->step[lane] = -record->impulse[lane];
    }
    sums->step_friction = glms_vec3_negate(record->friction_impulse);
}

void tni_touches_start(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    tni_touches_hold_straight(set);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        tni_contact_record *record = touch->record;
        tni_touch_start_sums(record);
        tni_touch_measure(solver, touch, solver->dh);
        if (touch->point_count > 0) {
            tni_touch_load(touch);
        }
        double step = (double)solver->substeps * solver->dh, first = step;
        for (uint32_t lane = 0; lane < record->point_count; ++lane) {
            uint32_t p = touch_find_point(touch, lane);
            double speed = p != TNI_NONE ? tni_touch_get_speed(touch, &touch->rows[p]) : 0.0;
            record->approach_speed[lane] = (float)speed;
            first = speed < 0.0 ? maths_min_d(first, touch->gap[p] / -speed) : first;
        }
        record->sums.time = (float)maths_max_d(first, 0.0);
    }
    tni_touches_lay_ghosts(solver, set, solver->dh);
}

// Stores the impulses; those of points that were not there at the start of the step go to the
// first.
void tni_touch_store(const tni_touch *touch, const double *x) {
    tni_contact_record *record = touch->record;
    uint32_t n = touch->point_count;
    double rest = 0.0;
    for (uint32_t p = 0; p < n; ++p) {
        rest += x[p];
    }
    for (uint32_t lane = 0; lane < record->point_count; ++lane) {
        uint32_t p = touch_find_point(touch, lane);
        record->sums.step[lane] += record->impulse[lane];
        record->impulse[lane] = p != TNI_NONE ? (float)x[p] : 0.0f;
        rest -= p != TNI_NONE ? x[p] : 0.0;
    }
    record->impulse[0] += rest > 0.0 ? (float)rest : 0.0f;
    tni_dvec3 none = dvec3_make(0.0, 0.0, 0.0);
    tni_dvec3 slide = n == 0 ? none : tni_touch_get_slide(touch, x + n);
    tni_dvec3 spin = n == 0 ? none : dvec3_scale(dvec3_from_float(record->normal), x[n + 2]);
    for (uint32_t t = 3; t < touch->slide_count && n > 0; ++t) {
        spin = dvec3_add_scaled(spin, x[n + t], touch->tangents[t - 3]);
    }
    record->sums.step_friction =
        glms_vec3_add(record->sums.step_friction, record->friction_impulse);
    record->friction_impulse = dvec3_to_float(slide);
    record->rolling_impulse = dvec3_to_float(spin);
}

void tni_touch_note_impact(const tni_touch *touch, uint32_t p, double x, const double slides[2]) {
    tni_contact_record *record = touch->record;
    uint32_t at = tni_touch_find_lane(touch, p);
    tni_dvec3 slide = tni_touch_get_slide(touch, slides);
    record->sums.step[at] += (float)x;
    record->sums.step_friction = glms_vec3_add(record->sums.step_friction, dvec3_to_float(slide));
}

void tni_touches_note(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        if (touch_is_active(touch)) {
            tni_touch_store(touch, touch->impulse);
        }
    }
}

// Sums the impulses that all points together were fed.
static float touch_sum_fed(const tni_touch *touch) {
    double sum = 0.0;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        sum += touch->fed[p];
    }
    return (float)sum;
}

void tni_touches_finish(tni_solver *solver) {
    tni_touch_set *set = &solver->exact.touch_sets[0];
    tni_touches_hold_straight(set);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        tni_touch_measure(solver, touch, solver->dh);
    }
    tni_touches_lay_ghosts(solver, set, solver->dh);
    tni_touches_share_wedged(solver);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        tni_touch_choose_fed(touch);
        tni_touch_store(touch, touch->before);
        touch->record->borne = touch_sum_fed(touch);
        solver->contacts.gates[touch->contact].is_shut = true;
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            float *least = &solver->contacts.gates[touch->contact].least;
            *least = maths_min(*least, (float)touch->gap[p]);
        }
    }
}
