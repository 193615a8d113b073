/// tenon/goal_force.h: makes a force that minimises an expression of bodies: fit, arrange, aim,
/// optimise while a hand pulls.
///
/// The expression E is a number of a graph (tenon/graph.h) of up to sixteen bodies. The force on
/// each of them is -strength times the gradient of E by the body's place, and the torque that by
/// its rotation. If nothing else acts, a world of first order (tn_world_def.dynamics) comes to rest
/// in the next minimum of E downhill. The coordinates of particles serve as variables:
/// tn_graph_add_component of tn_graph_add_point, and locks for those that are not wanted.
///
/// A goal may be as strong as you like. It uses the second derivatives of E, which the graph gives
/// exactly, so that a strong goal is Newton's method; if E is not what these promise, the step is
/// shortened until E falls. Derivation: docs/maths/optimise.md.
/// Source: A. Witkin, M. Gleicher, W. Welch, "Interactive dynamics", 1990.
///
/// Goals are forces: thread, order, sleep and destruction are as in tenon/force.h.
#ifndef TENON_GOAL_FORCE_H
#define TENON_GOAL_FORCE_H

#include "tenon/force.h"
#include "tenon/graph.h"

TN_EXTERN_C_BEGIN

typedef struct tn_force_goal {
    double strength; ///< J per unit of E, >= 0. Default 1
} tn_force_goal;

typedef struct tn_goal_force_def {
    /// The graph's bodies in its order, null for the world; of a connector only the body counts.
    /// tn_goal_force_def_default has none.
    tn_force_base base;
    const tn_graph *graph; ///< not null; copied
    tn_node node;          ///< E: a node of one number
    tn_force_goal goal;
} tn_goal_force_def;

/// The gradient of E by a body's place, and by a turn about its centre of mass, in world axes.
typedef struct tn_goal_gradient {
    tn_vec3 by_position; ///< E per m
    tn_vec3 by_rotation; ///< E per rad
} tn_goal_gradient;

TN_API tn_goal_force_def tn_goal_force_def_default(void);
/// Makes the force. Errors: see tn_force_create; SAME_BODY for a body that is named twice;
/// INVALID_ARGUMENT for a strength below 0, or a graph that refused a block, uses a body that is
/// not named or lacks the node; NOT_FINITE also if E or its derivatives are not finite as the
/// bodies stand.
TN_API tn_force_id tn_goal_force_create(tn_world *world, const tn_goal_force_def *def);
/// Sets the goal. Wakes the bodies. Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE, INVALID_ARGUMENT.
TN_API tn_result tn_goal_force_set(tn_world *world, tn_force_id force, tn_force_goal goal);
TN_API tn_force_goal tn_goal_force_get(const tn_world *world, tn_force_id force);
/// Set and return an input node of the goal's own graph. Setting wakes the bodies. Errors:
/// INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT for a node that is no input, NOT_FINITE (call ignored).
TN_API tn_result tn_goal_force_set_input(tn_world *world, tn_force_id force, tn_node input,
                                         double number);
TN_API double tn_goal_force_get_input(const tn_world *world, tn_force_id force, tn_node input);
/// Returns the value of a node of one number, E or another, as the bodies stand now; 0 for any
/// other node. Thread: one at a time, since it writes the goal's working memory.
TN_API double tn_goal_force_get_value(tn_world *world, tn_force_id force, tn_node node);
/// Returns the gradient of E, without the strength, as the bodies stand now. Thread: as
/// tn_goal_force_get_value. Errors: INVALID_ARGUMENT beyond the last connector.
TN_API tn_goal_gradient tn_goal_force_get_gradient(tn_world *world, tn_force_id force,
                                                   uint32_t connector);

TN_EXTERN_C_END

#endif
