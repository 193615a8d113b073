/// tenon/tenon.h: includes what a game needs: rigid bodies, contacts, queries, and the joints of
/// ragdolls, doors and cars. tenon/machines.h has ropes, gears and everything else.
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include "tenon/area.h"
#include "tenon/ball_joint.h"
#include "tenon/base.h"
#include "tenon/body.h"
#include "tenon/character.h"
#include "tenon/compound.h"
#include "tenon/contact.h"
#include "tenon/distance_joint.h"
#include "tenon/draw.h"
#include "tenon/events.h"
#include "tenon/fixed_joint.h"
#include "tenon/force.h"
#include "tenon/height_field.h"
#include "tenon/hinge_joint.h"
#include "tenon/hull.h"
#include "tenon/joint.h"
#include "tenon/mesh.h"
#include "tenon/mouse_joint.h"
#include "tenon/query.h"
#include "tenon/ray_wheel.h"
#include "tenon/record.h"
#include "tenon/sensor.h"
#include "tenon/shape.h"
#include "tenon/six_axis_joint.h"
#include "tenon/slider_joint.h"
#include "tenon/snapshot.h"
#include "tenon/swing_twist_joint.h"
#include "tenon/telemetry.h"
#include "tenon/tree.h"
#include "tenon/universal_joint.h"
#include "tenon/wheel_joint.h"
#include "tenon/world.h"

#endif
