/// tenon/goal_force.h: a force that makes an expression of bodies as small as it can: fit, arrange,
/// aim, optimise while a hand pulls.
///
/// The expression E is a number of a graph (tenon/graph.h) of up to sixteen bodies. On each of them
/// acts -strength times the gradient of E by where the body is, and by how it is turned. Where
/// nothing else acts a world of first order (tn_world_def.dynamics) comes to rest in a minimum of
/// E, the next one downhill. Variables are the coordinates of particles: tn_graph_add_component of
/// tn_graph_add_point, and locks for those that are not wanted.
///
/// A goal may be as strong as you like: the second derivatives of E, which the graph gives exactly,
/// are taken along, so that a strong goal is Newton's method; and where E is not what these promise
/// the step is shortened until E falls. Source: A. Witkin, M. Gleicher, W. Welch, "Interactive
/// dynamics", 1990. Derivation: docs/maths/optimise.md.
///
/// Goals are forces: what tenon/force.h says of thread, order, sleep and destruction holds of them.
#ifndef TENON_GOAL_FORCE_H
#define TENON_GOAL_FORCE_H

#include "tenon/force.h"
#include "tenon/graph.h"

TN_EXTERN_C_BEGIN

typedef struct tn_force_goal {
    double strength; ///< J by unit of E, >= 0. Default 1
} tn_force_goal;

typedef struct tn_goal_force_def {
    /// The graph's bodies in its order, null the world; of connectors only the body is looked at.
    /// tn_goal_force_def_default has none.
    tn_force_base base;
    const tn_graph *graph; ///< not null; copied
    tn_node node;          ///< E: of one number
    tn_force_goal goal;
} tn_goal_force_def;

/// The gradient of E by a body: by its place, and by a turn about its centre of mass, world axes.
typedef struct tn_goal_gradient {
    tn_vec3 by_position; ///< of E by m
    tn_vec3 by_rotation; ///< of E by rad
} tn_goal_gradient;

TN_API tn_goal_force_def tn_goal_force_def_default(void);
/// Errors: see tn_force_create; SAME_BODY for a body that is named twice; INVALID_ARGUMENT for a
/// strength below 0, a graph that refused a block, has a body that is not named, or not the node;
/// NOT_FINITE also where E or its derivatives are not finite as the bodies stand.
TN_API tn_force_id tn_goal_force_create(tn_world *world, const tn_goal_force_def *def);
/// Wakes the bodies. Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE, INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_goal_force_set(tn_world *world, tn_force_id force, tn_force_goal goal);
TN_API tn_force_goal tn_goal_force_get(const tn_world *world, tn_force_id force);
/// Of an input node of the goal's own graph. Wakes the bodies. Errors: INVALID_ID, WRONG_TYPE,
/// INVALID_ARGUMENT for what is no input, NOT_FINITE (call ignored).
TN_API tn_result tn_goal_force_set_input(tn_world *world, tn_force_id force, tn_node input,
                                         double number);
TN_API double tn_goal_force_get_input(const tn_world *world, tn_force_id force, tn_node input);
/// What a node of one number, E or any other, is as the bodies stand now. 0 for what is no such
/// node. It writes what the goal works with: not from several threads.
TN_API double tn_goal_force_get_value(tn_world *world, tn_force_id force, tn_node node);
/// The gradient of E, without the strength, as the bodies stand now. Thread: as
/// tn_goal_force_get_value. Errors: INVALID_ARGUMENT beyond the last connector.
TN_API tn_goal_gradient tn_goal_force_get_gradient(tn_world *world, tn_force_id force,
                                                   uint32_t connector);

TN_EXTERN_C_END

#endif
