/// tenon/sensor.h: shapes that notice what overlaps them and push nothing.
///
/// A sensor has no contacts and no mass, and wakes nobody (unless it is an area: tenon/area.h).
/// After each step it knows the shapes that it really overlaps (not their boxes): of dynamic,
/// kinematic and static bodies, asleep or awake, whatever made them, moved them or took them away.
/// The filters of both shapes decide what it notices; joints and the contact filter do not. It
/// never notices shapes of its own body, and other sensors only if its `detects_sensors` is true. A
/// half-space notices all shapes but other half-spaces. tn_world_get_events says what began and
/// ended.
#ifndef TENON_SENSOR_H
#define TENON_SENSOR_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// Set and return whether a shape is a sensor. When it becomes one, its contacts end, what they
/// touched wakes, and its mass is gone; when it ceases to be one, its overlaps end with the next
/// step. Errors: INVALID_ID, WORLD_LOCKED, OUT_OF_MEMORY.
TN_API tn_result tn_shape_set_sensor(tn_world *world, tn_shape_id shape, bool is_sensor);
TN_API bool tn_shape_is_sensor(const tn_world *world, tn_shape_id shape);
/// Set and return whether a shape, as a sensor, notices other sensors. Holds from the next step on.
TN_API tn_result tn_shape_set_detects_sensors(tn_world *world, tn_shape_id shape,
                                              bool detects_sensors);
TN_API bool tn_shape_get_detects_sensors(const tn_world *world, tn_shape_id shape);
/// Finds what overlapped a sensor after the last step, and still exists. Fills in at most
/// `capacity` handles, in the order of their indices, and returns how many there are. Errors:
/// INVALID_ID, WRONG_TYPE (no sensor): returns 0.
TN_API uint32_t tn_shape_get_overlaps(const tn_world *world, tn_shape_id sensor,
                                      tn_shape_id *out_shapes, uint32_t capacity);

TN_EXTERN_C_END

#endif
