/// tenon/area.h: sensors that change gravity, slow down, or blow.
///
/// An area acts on the dynamic bodies of which its sensor noticed a shape in the last step, in the
/// step that follows, once on each body. Bodies asleep wake when they come into an area, when they
/// leave one, and when its numbers change. Areas act in the order of their priorities, the lowest
/// first, and those of one priority in the order of their shapes' indices.
#ifndef TENON_AREA_H
#define TENON_AREA_H

#include "tenon/sensor.h"

TN_EXTERN_C_BEGIN

/// Chooses what an area does to gravity.
typedef enum tn_area_gravity {
    TN_AREA_GRAVITY_NONE = 0, ///< nothing
    TN_AREA_GRAVITY_ADD,      ///< adds to that of the world and of the areas before it
    TN_AREA_GRAVITY_REPLACE,  ///< takes their place
} tn_area_gravity;

/// Says what an area does. Start from tn_area_default().
typedef struct tn_area {
    tn_area_gravity gravity_mode; ///< default NONE
    tn_vec3 gravity;       ///< m/s^2, world axes; times the gravity_scale of each body. Default 0
    float linear_damping;  ///< 1/s, >= 0, beside that of the body. Default 0
    float angular_damping; ///< 1/s, >= 0, likewise. Default 0
    tn_vec3 wind;          ///< m/s, world axes. Default 0
    float wind_drag;       ///< 1/s, >= 0: how fast a body takes on the speed of the wind. Default 0
    int32_t priority;      ///< default 0
} tn_area;

/// Returns an area that does nothing. Thread: any.
TN_API tn_area tn_area_default(void);
/// Makes a sensor an area, changes what the area does, or, with a null `area`, makes it a sensor
/// again. A shape that ceases to be a sensor keeps its area, which then acts on nothing. Errors:
/// INVALID_ID, WRONG_TYPE (no sensor), NOT_FINITE, INVALID_ARGUMENT, OUT_OF_MEMORY.
TN_API tn_result tn_shape_set_area(tn_world *world, tn_shape_id sensor, const tn_area *area);
/// Returns whether a shape is an area, and fills in what it does (`out_area` may be null).
TN_API bool tn_shape_get_area(const tn_world *world, tn_shape_id sensor, tn_area *out_area);

TN_EXTERN_C_END

#endif
