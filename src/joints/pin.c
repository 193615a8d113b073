// joints/pin.c: writes the rows of a point and turns from their compact form.
// Test: tests/joints/test_rows.c
#include "joints/pin.h"

#include "joints/parts/row_clear.h"

static vec3s pin_get_vector(tni_f4 v) {
    float lanes[4];
    f4_store(lanes, v);
    return maths_vec3(lanes[0], lanes[1], lanes[2]);
}

static void pin_write_point(const tni_pin *pin, tni_row *rows) {
    vec3s error = pin_get_vector(pin->error), velocity_term = pin_get_vector(pin->velocity_term);
    vec3s r_a = pin_get_vector(pin->r_a), r_b = pin_get_vector(pin->r_b);
    for (int i = 0; i < 3; ++i) {
        tni_row_clear(&rows[i], TNI_ROW_RIGID, TNI_ROLE_JOINT, false);
        rows[i].lin_a.raw[i] = -1.0f;
        rows[i].lin_b.raw[i] = 1.0f;
        rows[i].error = error.raw[i];
        rows[i].velocity_term = velocity_term.raw[i];
    }
    rows[0].ang_a = maths_vec3(0.0f, -r_a.z, r_a.y);
    rows[1].ang_a = maths_vec3(r_a.z, 0.0f, -r_a.x);
    rows[2].ang_a = maths_vec3(-r_a.y, r_a.x, 0.0f);
    rows[0].ang_b = maths_vec3(0.0f, r_b.z, -r_b.y);
    rows[1].ang_b = maths_vec3(-r_b.z, 0.0f, r_b.x);
    rows[2].ang_b = maths_vec3(r_b.y, -r_b.x, 0.0f);
}

static void pin_write_slide(const tni_pin *pin, uint32_t count, tni_row *rows) {
    vec3s error = pin_get_vector(pin->error), velocity_term = pin_get_vector(pin->velocity_term);
    for (uint32_t i = 0; i < count; ++i) {
        tni_row_clear(&rows[i], TNI_ROW_RIGID, TNI_ROLE_JOINT, false);
        rows[i].lin_b = pin_get_vector(pin->plane[i]);
        rows[i].lin_a = glms_vec3_negate(rows[i].lin_b);
        rows[i].ang_a = pin_get_vector(f4_cross(pin->plane[i], pin->r_a));
        rows[i].ang_b = pin_get_vector(f4_cross(pin->r_b, pin->plane[i]));
        rows[i].error = error.raw[i];
        rows[i].velocity_term = velocity_term.raw[i];
    }
}

static void pin_write_turns(const tni_pin *pin, uint32_t turns, tni_row *rows) {
    if (turns == 0) {
        return;
    }
    vec3s error = pin_get_vector(pin->turn_error);
    vec3s velocity_term = pin_get_vector(pin->turn_velocity_term);
    for (uint32_t k = 0; k < turns; ++k) {
        tni_row_clear(&rows[k], TNI_ROW_RIGID, TNI_ROLE_JOINT, true);
        rows[k].ang_b = pin_get_vector(pin->axis[k]);
        rows[k].ang_a = glms_vec3_negate(rows[k].ang_b);
        rows[k].error = error.raw[k];
        rows[k].velocity_term = velocity_term.raw[k];
    }
}

void tni_pin_write_rows(const tni_pin *pin, uint32_t point_rows, uint32_t equalities,
                        tni_row *rows) {
    if (point_rows == TNI_PIN_POINT_ROWS) {
        pin_write_point(pin, rows);
    } else {
        pin_write_slide(pin, point_rows, rows);
    }
    pin_write_turns(pin, equalities - point_rows, rows + point_rows);
}

static tni_f4 pin_gather(const double *numbers, uint32_t count) {
    return tni_pin_lanes(numbers[0], count > 1 ? numbers[1] : 0.0, count > 2 ? numbers[2] : 0.0);
}

void tni_pin_set_numbers(tni_pin *pin, uint32_t point_rows, uint32_t turns, const double *errors,
                         const double *terms) {
    pin->error = pin_gather(errors, point_rows);
    pin->velocity_term = pin_gather(terms, point_rows);
    if (turns > 0) {
        pin->turn_error = pin_gather(errors + point_rows, turns);
        pin->turn_velocity_term = pin_gather(terms + point_rows, turns);
    }
    if (point_rows == 1) {
        pin->plane[1] = f4_splat(0.0f);
    }
}
