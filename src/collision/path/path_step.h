// collision/path/path_step.h: how long a plane parts two shapes on their way.
#ifndef TNI_COLLISION_PATH_PATH_STEP_H
#define TNI_COLLISION_PATH_PATH_STEP_H

#include "collision/path/path.h"

// Returns a time from t on, s, for which the plane with this normal, from a to b, parts the shapes
// or lets them overlap by no more than `depth`, m. It is never beyond path->dt; it is 0 where
// nothing is known.
double tni_path_get_step(const tni_path *path, double t, vec3s normal, double depth);

#endif
