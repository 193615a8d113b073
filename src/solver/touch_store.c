// solver/touch_store.c: touches and the contacts' own records: impulses in and out.
//
// What a touch leaves for the next step is the impulse that it would feed: the lesser of the last
// two substeps'. What it did over the step is summed as Gauss-Seidel sums it.
// Maths: solver/touch.h. Test: tests/world/test_mechanism_contacts.c
#include <string.h>

#include "solver/touch.h"

// The point of the touch that is the contact's point in a lane, or TNI_NONE.
static uint32_t touch_find_point(const tni_touch *touch, uint32_t lane) {
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        if (touch->features[p] == touch->lanes[lane]) {
            return p;
        }
    }
    return TNI_NONE;
}

static void touch_load(tni_touch *touch, const tni_contact_block *block,
                       const tni_contact_record *record) {
    uint32_t n = touch->point_count;
    for (uint32_t lane = 0; lane < record->point_count; ++lane) {
        uint32_t p = touch_find_point(touch, lane);
        if (p != TNI_NONE) {
            touch->impulse[p] = (double)block->impulse[lane];
        }
    }
    tni_dvec3 slide = dvec3_from_float(record->friction_impulse);
    touch->impulse[n] = dvec3_dot(touch->tangents[0], slide);
    touch->impulse[n + 1] = dvec3_dot(touch->tangents[1], slide);
    touch->impulse[n + 2] = (double)block->tangent_impulse[2];
    for (uint32_t t = 3; t < touch->slide_count; ++t) {
        tni_dvec3 roll = dvec3_from_float(block->rolling_impulse);
        touch->impulse[n + t] = dvec3_dot(touch->tangents[t - 3], roll);
    }
    memcpy(touch->before, touch->impulse, sizeof touch->before);
}

void tni_touches_start(tni_solver *solver) {
    tni_touch_set *set = &solver->touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        tni_contact_record *record = &solver->contact_records[touch->contact];
        tni_contact_block_prepare(solver, touch->contact);
        solver->contact_gates[touch->contact].is_shut = false; // for Gauss-Seidel
        tni_touch_measure(solver, touch);
        if (touch->point_count > 0) {
            touch_load(touch, &solver->contact_blocks[touch->contact], record);
        }
        for (uint32_t lane = 0; lane < record->point_count; ++lane) {
            uint32_t p = touch_find_point(touch, lane);
            double speed = p != TNI_NONE ? tni_touch_get_speed(touch, &touch->rows[p]) : 0.0;
            record->approach_speed[lane] = (float)speed;
        }
    }
}

// Replaces the impulses of the block, which join those of the step. What points push with that were
// not there at the start of the step goes to the first.
static void touch_store(const tni_touch *touch, const double *x, const tni_contact_record *record,
                        tni_contact_block *block) {
    uint32_t n = touch->point_count;
    double rest = 0.0;
    for (uint32_t p = 0; p < n; ++p) {
        rest += x[p];
    }
    for (uint32_t lane = 0; lane < record->point_count; ++lane) {
        uint32_t p = touch_find_point(touch, lane);
        block->step_impulse[lane] += block->impulse[lane];
        block->impulse[lane] = p != TNI_NONE ? (float)x[p] : 0.0f;
        rest -= p != TNI_NONE ? x[p] : 0.0;
    }
    block->impulse[0] += rest > 0.0 ? (float)rest : 0.0f;
    tni_dvec3 slide = n == 0 ? dvec3_make(0.0, 0.0, 0.0)
                             : dvec3_add(dvec3_scale(touch->tangents[0], x[n]),
                                         dvec3_scale(touch->tangents[1], x[n + 1]));
    const double tangents[3] = {dvec3_dot(slide, dvec3_from_float(record->tangent[0])),
                                dvec3_dot(slide, dvec3_from_float(record->tangent[1])),
                                n == 0 ? 0.0 : x[n + 2]};
    for (uint32_t t = 0; t < 3; ++t) {
        block->tangent_step_impulse[t] += block->tangent_impulse[t];
        block->tangent_impulse[t] = (float)tangents[t];
    }
    tni_dvec3 roll = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t t = 3; t < touch->slide_count && n > 0; ++t) {
        roll = dvec3_add_scaled(roll, x[n + t], touch->tangents[t - 3]);
    }
    block->rolling_impulse = dvec3_to_float(roll);
}

void tni_touch_note_impact(tni_solver *solver, const tni_touch *touch, uint32_t p, double x,
                           const double slides[2]) {
    tni_contact_record *record = &solver->contact_records[touch->contact];
    uint32_t at = 0;
    for (uint32_t lane = 0; lane < record->point_count; ++lane) {
        at = touch->lanes[lane] == touch->features[p] ? lane : at;
    }
    record->sums.impact[at] += (float)x;
    tni_dvec3 slide = dvec3_add(dvec3_scale(touch->tangents[0], slides[0]),
                                dvec3_scale(touch->tangents[1], slides[1]));
    for (uint32_t t = 0; t < 2; ++t) {
        record->sums.impact_tangent[t] +=
            (float)dvec3_dot(slide, dvec3_from_float(record->tangent[t]));
    }
}

void tni_touches_note(tni_solver *solver) {
    tni_touch_set *set = &solver->touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        if (touch_is_active(touch)) {
            touch_store(touch, touch->impulse, &solver->contact_records[touch->contact],
                        &solver->contact_blocks[touch->contact]);
        }
    }
}

void tni_touches_finish(tni_solver *solver) {
    tni_touch_set *set = &solver->touch_sets[0];
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        tni_contact_block *block = &solver->contact_blocks[touch->contact];
        tni_touch_measure(solver, touch);
        tni_touch_choose_fed(solver, touch);
        touch_store(touch, touch->fed, &solver->contact_records[touch->contact], block);
        // What is left for the next step was no impulse of this one.
        for (uint32_t p = 0; p < block->point_count; ++p) {
            block->step_impulse[p] -= block->impulse[p];
        }
        for (uint32_t t = 0; t < 3; ++t) {
            block->tangent_step_impulse[t] -= block->tangent_impulse[t];
        }
        solver->contact_gates[touch->contact].is_shut = true;
        for (uint32_t p = 0; p < touch->point_count; ++p) {
            float *least = &solver->contact_gates[touch->contact].least;
            *least = maths_min(*least, (float)touch->gap[p]);
        }
    }
}
