// scenes/doll.h: a figure of a person: 11 bodies, 10 joints with limits, 74 kg, 1.7 m.
#ifndef SCENES_DOLL_H
#define SCENES_DOLL_H

#include "scenes/build.h"

#define DOLL_BODIES     11
#define DOLL_HIP_HEIGHT 0.95 // m of the place below when the feet are on the ground

// A doll standing upright with the middle of its pelvis at a place, facing x and then turned about
// y by `yaw` and about its own left-right axis by `lean` (rad). Its parts do not touch one another
// when `group` is negative and its own. The first body is the pelvis.
typedef struct doll {
    tn_body_id bodies[DOLL_BODIES];
} doll;
doll doll_add(scene_run *run, tn_vec3 place, double yaw, double lean, int32_t group);

#endif
