// collision/path/path_meet.h: whether shapes have gone through each other on a way that is known.
#ifndef TNI_COLLISION_PATH_PATH_MEET_H
#define TNI_COLLISION_PATH_PATH_MEET_H

#include "collision/path/path.h"

// These are shares of the inner radius: a core is smaller by the first, and a body must go as far
// to be looked at; the second counts as a touch.
#define TNI_MEET_CORE  0.5f
#define TNI_MEET_TOUCH 0.01

// The first makes the core, a shape less a share of its inner radius: when that goes through
// something, the shape has gone through in earnest. For a hull it is the ball in its middle, to
// which the second moves the centre of the end.
tni_geometry tni_path_make_core(const tni_geometry *whole, float inner, bool is_ball);
void tni_path_center_core(const tni_geometry *whole, tni_path_end *core);
// Sets the way between two poses in dt: a turn about an axis, with which a body that hangs on a
// joint goes round, and a shift along it. The poses are those of the centre of mass. Returns how
// far the axis is from the body's centre of mass, 0 where it goes straight. `end` is the shape at
// the first pose.
double tni_path_end_span(tni_path_end *end, const tni_dpose *from, const tni_dpose *to, double dt);
// Returns when the shapes of a path come as near as `touch`, as a share of its time; it is above 1
// when they do not before `most`, s, or overlap from the start, which is a matter for contacts. A
// body that the last net left at a surface meets it at once, but only if it still comes nearer: a
// body that falls along with the other would be held in the air.
double tni_path_find_meeting(const tni_path *path, double touch, double most);

#endif
