/// tenon/tenon.h: everything. Rigid bodies, contacts and joints that hold.
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include "tenon/ball_joint.h"
#include "tenon/base.h"
#include "tenon/body.h"
#include "tenon/contact.h"
#include "tenon/custom_joint.h"
#include "tenon/cylindrical_joint.h"
#include "tenon/distance_joint.h"
#include "tenon/draw.h"
#include "tenon/events.h"
#include "tenon/fixed_joint.h"
#include "tenon/function_joint.h"
#include "tenon/gear_joint.h"
#include "tenon/graph.h"
#include "tenon/hinge_joint.h"
#include "tenon/joint.h"
#include "tenon/mouse_joint.h"
#include "tenon/planar_joint.h"
#include "tenon/pulley_joint.h"
#include "tenon/rack_pinion_joint.h"
#include "tenon/screw_joint.h"
#include "tenon/shape.h"
#include "tenon/six_axis_joint.h"
#include "tenon/slider_joint.h"
#include "tenon/swing_twist_joint.h"
#include "tenon/telemetry.h"
#include "tenon/universal_joint.h"
#include "tenon/wheel_joint.h"
#include "tenon/world.h"

#endif
