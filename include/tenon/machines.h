/// tenon/machines.h: includes everything: what a game needs (tenon/tenon.h), the joints of
/// machines, ropes and belts, curves and surfaces, joints from callbacks, functions and graphs of
/// them, reduced and elastic bodies, ready-made forces and goals.
#ifndef TENON_MACHINES_H
#define TENON_MACHINES_H

#include "tenon/affine.h"
#include "tenon/belt_joint.h"
#include "tenon/cam_joint.h"
#include "tenon/curve_joint.h"
#include "tenon/custom_joint.h"
#include "tenon/cylindrical_joint.h"
#include "tenon/escapement_joint.h"
#include "tenon/force_kinds.h"
#include "tenon/function_joint.h"
#include "tenon/gear_joint.h"
#include "tenon/goal_force.h"
#include "tenon/graph.h"
#include "tenon/motion_path_joint.h"
#include "tenon/planar_joint.h"
#include "tenon/pulley_joint.h"
#include "tenon/rack_pinion_joint.h"
#include "tenon/ratchet_joint.h"
#include "tenon/reduced.h"
#include "tenon/rope_joint.h"
#include "tenon/screw_joint.h"
#include "tenon/surface_joint.h"
#include "tenon/tenon.h"

#endif
