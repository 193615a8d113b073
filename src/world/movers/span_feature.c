// world/movers/span_feature.c: the table of functions for spans and reduced bodies. See
// world/records/features.h.
#include <string.h>

#include "joints/functions/rope_joint.h"
#include "solver/movers/affine.h"
#include "solver/movers/reduced.h"
#include "solver/movers/span_ops.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/step/step_internal.h"

static void feature_join(const tn_world *world, const tni_solver *solver, uint32_t *parents) {
    tni_step_join_reduced(solver, parents);
    tni_step_join_span_contacts(world, solver, parents);
}

static void feature_forget_impulses(tni_function *function) {
    memset(function->impulses, 0, sizeof function->impulses);
    if (function->rope != NULL) {
        memset(function->rope->tensions, 0, sizeof function->rope->tensions);
    }
}

static void feature_forget_function(tn_world *world, tni_function *function) {
    feature_forget_impulses(function);
    memset(function->forces, 0, sizeof function->forces);
    memset(function->errors, 0, sizeof function->errors);
    memset(&function->bearing, 0, sizeof function->bearing);
    tni_rope *rope = function->rope;
    if (rope == NULL) {
        return;
    }
    memset(rope->forces, 0, sizeof rope->forces);
    memset(rope->holds, 0, sizeof rope->holds);
    rope->error = rope->elastic_energy = rope->motor_work = 0.0;
    tni_rope_respread(world, function);
}

// Restores the coordinates of the step's start.
static void feature_restore_reduced(tni_reduced *reduced) {
    size_t size = sizeof reduced->coordinates;
    memcpy(reduced->coordinates, reduced->start_coordinates, size);
    memcpy(reduced->speeds, reduced->start_speeds, size);
    memset(reduced->drag, 0, sizeof reduced->drag);
    memset(reduced->shift, 0, sizeof reduced->shift);
    tni_reduced_ask(reduced, reduced->coordinates, reduced->speeds);
    if (reduced->affine != NULL) {
        tni_reduced_begin(reduced, 0.0);
        tni_affine_keep_rate(NULL, reduced, reduced->speeds);
    }
}

const tni_span_feature tni_spans_feature = {
    .ops = &tni_spans_ops,
    .adopt_joints = tni_step_adopt_joints,
    .gather_reduced = tni_step_gather_reduced,
    .gather = tni_step_gather_spans,
    .gather_contacts = tni_step_gather_span_contacts,
    .gather_closings = tni_step_gather_closings,
    .join = feature_join,
    .scatter_contacts = tni_step_scatter_span_contacts,
    .scatter_reduced = tni_step_scatter_reduced,
    .scatter = tni_step_scatter_spans,
    .forget_function = feature_forget_function,
    .forget_impulses = feature_forget_impulses,
    .restore_reduced = feature_restore_reduced,
    .deform_shape = tni_shape_deform,
    .destroy_reduced = tni_reduced_destroy_at,
    .center_functions = tni_functions_center,
    .read_error = tni_function_read_error,
    .read_elastic_energy = tni_function_read_elastic_energy,
    .read_rope_shape = tni_rope_read_shape,
};
