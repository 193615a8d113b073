// world/api/sensor.c: makes shapes sensors, and says what overlaps them.
// Test: tests/world/api/test_sensor.c
#include "tenon/sensor.h"

#include "world/bodies.h"
#include "world/contacts.h"
#include "world/sensors.h"

// Moves a shape between the trees and in its body's list. Returns false without memory, and then
// the shape is as it was.
static bool sensor_turn(tn_world *world, uint32_t index, bool is_sensor) {
    tni_shape *shape = tni_shape_at(world, index);
    tni_shape_leave_broad_phase(world, index);
    shape->is_sensor = is_sensor;
    bool succeeds = tni_shape_enter_broad_phase(world, index);
    if (!succeeds) { // the tree that it left has room for it
        shape->is_sensor = !is_sensor;
        tni_shape_enter_broad_phase(world, index);
        return false;
    }
    shape->is_sensor = !is_sensor;
    tni_shape_unlink(world, index);
    shape->is_sensor = is_sensor;
    tni_shape_link(world, index);
    return true;
}

tn_result tn_shape_set_sensor(tn_world *world, tn_shape_id id, bool is_sensor) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE || tni_shape_at(world, index)->is_sensor == is_sensor) {
        return tni_world_end_change(world);
    }
    if (!sensor_turn(world, index, is_sensor)) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory for another sensor or solid shape.", id.value);
        return tni_world_end_change(world);
    }
    uint32_t body = tni_shape_at(world, index)->body;
    tni_body_wake_neighbours(world, body);
    tni_shape_destroy_contacts(world, index);
    tni_body_update_mass(world, body);
    return tni_world_end_change(world);
}

bool tn_shape_is_sensor(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index != TNI_NONE && tni_shape_at(world, index)->is_sensor;
}

tn_result tn_shape_set_detects_sensors(tn_world *world, tn_shape_id id, bool detects_sensors) {
    uint32_t index = tni_world_find_shape_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tni_shape *shape = tni_shape_at(world, index);
    if (shape->detects_sensors != detects_sensors) {
        shape->detects_sensors = detects_sensors;
        tni_sensing_note_change(world, shape->body);
    }
    return tni_world_end_change(world);
}

bool tn_shape_get_detects_sensors(const tn_world *world, tn_shape_id id) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    return index != TNI_NONE && tni_shape_at(world, index)->detects_sensors;
}

// Returns whether a shape is still there and not disabled.
static bool sensor_is_present(const tn_world *world, uint32_t handle) {
    uint32_t index = tni_pool_find(&world->shape_pool, handle);
    if (index == TNI_POOL_NONE) {
        return false;
    }
    const tni_shape *shape = tni_shape_at(world, index);
    return shape->leaf != TNI_NONE || shape->plane_index != TNI_NONE;
}

uint32_t tn_shape_get_overlaps(const tn_world *world, tn_shape_id id, tn_shape_id *out_shapes,
                               uint32_t capacity) {
    uint32_t index = tni_world_find_shape(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    if (!tni_shape_at(world, index)->is_sensor) {
        tni_world_report(world, TN_RESULT_WRONG_TYPE, __func__, "The shape is no sensor.",
                         id.value);
        return 0;
    }
    uint32_t known, count = 0;
    const uint64_t *overlaps = tni_sensing_find(world, index, &known);
    bool looks = sensor_is_present(world, id.value);
    for (uint32_t i = 0; i < known && looks; ++i) {
        tn_shape_id shape = {tni_overlap_get_shape(overlaps[i])};
        if (!sensor_is_present(world, shape.value)) {
            continue;
        }
        if (out_shapes != NULL && count < capacity) {
            out_shapes[count] = shape;
        }
        count += 1;
    }
    return count;
}
