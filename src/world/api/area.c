// world/api/area.c: makes sensors areas. The list of areas stands in the order in which they act.
// Test: tests/world/api/test_area.c
#include "tenon/area.h"

#include "world/bodies.h"
#include "world/records/convert.h"
#include "world/sensors.h"

tn_area tn_area_default(void) {
    return (tn_area){.gravity_mode = TN_AREA_GRAVITY_NONE};
}

static tni_check area_check(const tn_area *area) {
    bool is_finite = convert_is_finite_float(area->gravity) &&
                     convert_is_finite_float(area->wind) && isfinite(area->linear_damping) &&
                     isfinite(area->angular_damping) && isfinite(area->wind_drag);
    bool is_within =
        area->linear_damping >= 0.0f && area->angular_damping >= 0.0f && area->wind_drag >= 0.0f;
    bool has_mode = (uint32_t)area->gravity_mode <= TN_AREA_GRAVITY_REPLACE;
    const tni_check checks[] = {
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "The numbers of an area must be finite."),
        tni_check_that(is_within, TN_RESULT_INVALID_ARGUMENT,
                       "The dampings and the drag of an area must not be negative."),
        tni_check_that(has_mode, TN_RESULT_INVALID_ARGUMENT,
                       "What an area does to gravity must be one of tn_area_gravity."),
    };
    return tni_check_all(checks, sizeof checks);
}

// Returns the place of a shape's area in the list, or TNI_NONE.
static uint32_t area_find(const tni_sensing *sensing, uint32_t shape) {
    for (uint32_t i = 0; i < sensing->area_count; ++i) {
        if (sensing->areas[i].shape == shape) {
            return i;
        }
    }
    return TNI_NONE;
}

static void area_take_out(tni_sensing *sensing, uint32_t place) {
    sensing->area_count -= 1;
    for (uint32_t i = place; i < sensing->area_count; ++i) {
        sensing->areas[i] = sensing->areas[i + 1];
    }
}

static bool area_is_before(const tni_area *a, const tni_area *b) {
    return a->numbers.priority != b->numbers.priority ? a->numbers.priority < b->numbers.priority
                                                      : a->shape < b->shape;
}

// There is room for it.
static void area_put_in(tni_sensing *sensing, tni_area area) {
    uint32_t place = sensing->area_count;
    while (place > 0 && area_is_before(&area, &sensing->areas[place - 1])) {
        sensing->areas[place] = sensing->areas[place - 1];
        place -= 1;
    }
    sensing->areas[place] = area;
    sensing->area_count += 1;
}

static bool area_reserve(tn_world *world) {
    tni_sensing *sensing = &world->sensing;
    tni_area *areas =
        tni_array_grow(&world->allocator, sensing->areas, sensing->area_count,
                       &sensing->area_capacity, sensing->area_count + 1, sizeof *areas);
    if (areas == NULL) {
        return false;
    }
    sensing->areas = areas;
    return true;
}

// Wakes the bodies that the sensor noticed last.
static void area_wake(tn_world *world, uint32_t sensor) {
    uint32_t count;
    const uint64_t *overlaps = tni_sensing_find(world, sensor, &count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t shape = tni_pool_find(&world->shape_pool, tni_overlap_get_shape(overlaps[i]));
        if (shape != TNI_POOL_NONE && !tni_shape_at(world, shape)->is_sensor) {
            tni_body_wake(world, tni_shape_at(world, shape)->body);
        }
    }
}

void tni_area_remove(tn_world *world, uint32_t shape) {
    uint32_t place = area_find(&world->sensing, shape);
    if (place != TNI_NONE) {
        area_wake(world, shape);
        area_take_out(&world->sensing, place);
    }
    tni_shape_at(world, shape)->is_area = false;
}

static bool area_is_same_vec3(tn_vec3 a, tn_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool area_is_same(const tn_area *a, const tn_area *b) {
    return a->gravity_mode == b->gravity_mode && a->priority == b->priority &&
           area_is_same_vec3(a->gravity, b->gravity) && area_is_same_vec3(a->wind, b->wind) &&
           a->linear_damping == b->linear_damping && a->angular_damping == b->angular_damping &&
           a->wind_drag == b->wind_drag;
}

static void area_give(tn_world *world, uint32_t shape, const tn_area *area) {
    tni_sensing *sensing = &world->sensing;
    uint32_t place = area_find(sensing, shape);
    if (place != TNI_NONE && area_is_same(&sensing->areas[place].numbers, area)) {
        return;
    }
    if (place != TNI_NONE) {
        area_take_out(sensing, place);
    }
    area_put_in(sensing, (tni_area){shape, *area});
    tni_shape_at(world, shape)->is_area = true;
    area_wake(world, shape);
}

tn_result tn_shape_set_area(tn_world *world, tn_shape_id id, const tn_area *area) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    if (area == NULL) {
        if (tni_shape_at(world, index)->is_area) {
            tni_area_remove(world, index);
        }
        return tni_world_end_change(world);
    }
    tni_check check = tni_check_that(tni_shape_at(world, index)->is_sensor, TN_RESULT_WRONG_TYPE,
                                     "Only a sensor can be an area.");
    if (!tni_world_accepts(world, check, __func__, id.value) ||
        !tni_world_accepts(world, area_check(area), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    if (!area_reserve(world)) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory for another area.", id.value);
        return tni_world_end_change(world);
    }
    area_give(world, index, area);
    return tni_world_end_change(world);
}

bool tn_shape_get_area(const tn_world *world, tn_shape_id id, tn_area *out_area) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    uint32_t place = index != TNI_NONE ? area_find(&world->sensing, index) : TNI_NONE;
    if (out_area != NULL) {
        *out_area = place != TNI_NONE ? world->sensing.areas[place].numbers : tn_area_default();
    }
    return place != TNI_NONE;
}
