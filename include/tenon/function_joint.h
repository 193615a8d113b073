/// tenon/function_joint.h: a joint of one to sixteen bodies whose rows are functions composed of
/// blocks (tenon/graph.h): keep this volume, let this beam meet that point, hold this expression.
///
/// Each row takes one number of the graph as its C and does with it what a row of a custom joint
/// does. Jacobian, Jdot v and the speed that C has of itself where it depends on time follow from
/// the graph. C may be in any unit, m^3 say; its force is then such that force times C is an
/// energy. A joint of one or two bodies whose rows do not ask for the time is solved by every
/// method, as a custom joint is; one with affine bodies (tenon/affine.h) with the joints of these.
/// Of others rigid equalities and limits are part of a mechanism that
/// is solved exactly where they ask for DIRECT (or for CG with no other joint of CG beside them),
/// or where AUTO chooses so; springs, motors and a hertz of its own leave all of the joint to
/// projected Gauss-Seidel.
#ifndef TENON_FUNCTION_JOINT_H
#define TENON_FUNCTION_JOINT_H

#include "tenon/custom_joint.h"
#include "tenon/graph.h"

TN_EXTERN_C_BEGIN

typedef struct tn_function_joint_def {
    /// Its bodies and frames are not looked at. A hertz above 0 makes springs of the equalities.
    /// break_force and break_torque are, of more than two bodies, of affine ones or of the time, of
    /// the force of each row, as break_load of a row is. Default is_collision_allowed: true.
    tn_joint_def base;
    const tn_graph *graph;                      ///< not null; copied
    tn_body_id bodies[TN_GRAPH_MAX_BODIES];     ///< the graph's, in its order; null: the world
    uint32_t body_count;                        ///< 1 to TN_GRAPH_MAX_BODIES
    uint32_t row_count;                         ///< 1 to TN_CUSTOM_MAX_ROWS
    tn_custom_row_def rows[TN_CUSTOM_MAX_ROWS]; ///< equalities first, at most six
    tn_node nodes[TN_CUSTOM_MAX_ROWS];          ///< of one number each: C of the rows
} tn_function_joint_def;

/// Rows are equalities without a cap; none is there yet.
TN_API tn_function_joint_def tn_function_joint_def_default(void);
/// Errors: see tn_distance_joint_create; SAME_BODY also for a body that is named twice;
/// INVALID_ARGUMENT for a graph that refused a block, has a body that is not named, not the node,
/// or a point of a particle beside its centre; NOT_FINITE where the functions give such numbers
/// now.
TN_API tn_joint_id tn_function_joint_create(tn_world *world, const tn_function_joint_def *def);
/// Changes the numbers of a row; its kind and unit stay. Wakes the bodies.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_function_joint_set_row(tn_world *world, tn_joint_id joint, uint32_t row,
                                           tn_custom_row_def def);
TN_API tn_custom_row_def tn_function_joint_get_row(const tn_world *world, tn_joint_id joint,
                                                   uint32_t row);
/// Of an input node of the joint's own graph. Wakes the bodies. Errors: INVALID_ID, WRONG_TYPE,
/// INVALID_ARGUMENT for what is no input, NOT_FINITE (call ignored).
TN_API tn_result tn_function_joint_set_input(tn_world *world, tn_joint_id joint, tn_node input,
                                             double number);
TN_API double tn_function_joint_get_input(const tn_world *world, tn_joint_id joint, tn_node input);
/// What a node of one number, not only a row's, is at the poses that the bodies have now, and its
/// rate with their velocities. 0 for what is no such node. It writes what the joint works with: not
/// from several threads.
TN_API double tn_function_joint_get_value(tn_world *world, tn_joint_id joint, tn_node node);
TN_API double tn_function_joint_get_rate(tn_world *world, tn_joint_id joint, tn_node node);
/// Of more than two bodies, of affine ones, or of the time, the mean over the last step; else that
/// of its last substep, and of a spring that of now. 0 beyond the last row. Thread: as
/// tn_function_joint_get_value.
TN_API float tn_function_joint_get_force(tn_world *world, tn_joint_id joint, uint32_t row);
/// Fills in the bodies, up to `capacity`; returns how many there are.
TN_API uint32_t tn_function_joint_get_bodies(const tn_world *world, tn_joint_id joint,
                                             tn_body_id *out_bodies, uint32_t capacity);

TN_EXTERN_C_END

#endif
