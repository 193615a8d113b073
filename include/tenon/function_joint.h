/// tenon/function_joint.h: makes a joint of one to sixteen bodies whose rows are functions composed
/// of blocks (tenon/graph.h): keep this volume, let this beam meet that point, hold this
/// expression.
///
/// Each row takes one number of the graph as its C and does with it what a row of a custom joint
/// does. Its Jacobian, its Jdot v and the rate at which C changes with time alone follow from the
/// graph. C may be in any unit, such as m^3; force times C is an energy. A joint of one or two
/// bodies that does not use the time is solved by every method, as a custom joint is, and one with
/// affine bodies (tenon/affine.h) as their joints are. In any other, rigid equalities and limits
/// are part of a mechanism that is solved exactly if they ask for DIRECT (or for CG with no other
/// joint of CG beside them), or if AUTO chooses so; springs, motors and a hertz leave the whole
/// joint to projected Gauss-Seidel.
#ifndef TENON_FUNCTION_JOINT_H
#define TENON_FUNCTION_JOINT_H

#include "tenon/custom_joint.h"
#include "tenon/graph.h"

TN_EXTERN_C_BEGIN

typedef struct tn_function_joint_def {
    /// Its bodies and frames are ignored. A hertz above 0 makes springs of the equalities. With
    /// more than two bodies, affine ones or the time, break_force and break_torque bound the force
    /// of each row, as break_load does. Default is_collision_allowed: true.
    tn_joint_def base;
    const tn_graph *graph;                  ///< not null; copied
    tn_body_id bodies[TN_GRAPH_MAX_BODIES]; ///< the graph's bodies in its order; null: the world
    uint32_t body_count;                    ///< 1 to TN_GRAPH_MAX_BODIES
    uint32_t row_count;                     ///< 1 to TN_CUSTOM_MAX_ROWS
    tn_custom_row_def rows[TN_CUSTOM_MAX_ROWS]; ///< equalities first, at most six
    tn_node nodes[TN_CUSTOM_MAX_ROWS];          ///< one number each: C of the rows
} tn_function_joint_def;

/// Returns a definition whose rows are equalities without a cap, with a row_count of 0.
TN_API tn_function_joint_def tn_function_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; SAME_BODY also for a body that is named
/// twice; INVALID_ARGUMENT for a graph that refused a block, uses a body that is not named, lacks
/// the node, or uses a point of a particle off its centre; NOT_FINITE if the functions are not
/// finite now.
TN_API tn_joint_id tn_function_joint_create(tn_world *world, const tn_function_joint_def *def);
/// Changes the numbers of a row, but not its kind and unit. Wakes the bodies.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_function_joint_set_row(tn_world *world, tn_joint_id joint, uint32_t row,
                                           tn_custom_row_def def);
TN_API tn_custom_row_def tn_function_joint_get_row(const tn_world *world, tn_joint_id joint,
                                                   uint32_t row);
/// Set and return an input node of the joint's own graph. Setting wakes the bodies. Errors:
/// INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT for a node that is no input, NOT_FINITE (call ignored).
TN_API tn_result tn_function_joint_set_input(tn_world *world, tn_joint_id joint, tn_node input,
                                             double number);
TN_API double tn_function_joint_get_input(const tn_world *world, tn_joint_id joint, tn_node input);
/// Return the value of a node of one number, of a row or not, at the poses of the bodies now, and
/// its rate with their velocities; 0 for any other node. Thread: one at a time, since they write
/// the joint's working memory.
TN_API double tn_function_joint_get_value(tn_world *world, tn_joint_id joint, tn_node node);
TN_API double tn_function_joint_get_rate(tn_world *world, tn_joint_id joint, tn_node node);
/// Returns the force of a row: with more than two bodies, affine ones or the time the mean over the
/// last step, else that of its last substep, for a spring that of now. 0 beyond the last row.
/// Thread: as tn_function_joint_get_value.
TN_API float tn_function_joint_get_force(tn_world *world, tn_joint_id joint, uint32_t row);
/// Fills in at most `capacity` bodies, and returns how many there are.
TN_API uint32_t tn_function_joint_get_bodies(const tn_world *world, tn_joint_id joint,
                                             tn_body_id *out_bodies, uint32_t capacity);

TN_EXTERN_C_END

#endif
