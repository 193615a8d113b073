// solver/exact/mechanism_force.c: the effect of a mechanism's joints on its bodies in a stage: J^T
// l, and the curvature K(l) of their rows (joints/exact_row.h). See solver/exact/midpoint.c. Test:
// tests/solver/exact/test_mechanism.c
#include "joints/parts/point.h"
#include "solver/exact/mechanism_span.h"

#include <string.h>

// Applies J^T l by rows.
static void force_apply_rows(const tni_mechanism_joint *joint, const tni_exact_row *rows,
                             tni_mechanism_body *a, tni_mechanism_body *b) {
    const double *x = joint->impulse;
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        const tni_exact_row *row = r < joint->equality_count ? &rows[r] : &joint->rows[r];
        a->linear = dvec3_add_scaled(a->linear, x[r], row->lin_a);
        a->angular = dvec3_add_scaled(a->angular, x[r], row->ang_a);
        b->linear = dvec3_add_scaled(b->linear, x[r], row->lin_b);
        b->angular = dvec3_add_scaled(b->angular, x[r], row->ang_b);
    }
}

static void force_apply_pin(const tni_mechanism_joint *joint, const tni_exact_row *rows,
                            tni_mechanism_body *a, tni_mechanism_body *b) {
    const double *x = joint->impulse;
    tni_dvec3 force = dvec3_make(x[0], x[1], x[2]);
    a->linear = dvec3_sub(a->linear, force);
    a->angular = dvec3_add(a->angular, dvec3_cross(tni_exact_rows_get_arm(rows, 0), force));
    b->linear = dvec3_add(b->linear, force);
    b->angular = dvec3_add(b->angular, dvec3_cross(tni_exact_rows_get_arm(rows, 1), force));
    if (!joint->is_ball) {
        tni_dvec3 turn = tni_mechanism_sum_turns(joint, rows, x);
        a->angular = dvec3_sub(a->angular, turn);
        b->angular = dvec3_add(b->angular, turn);
    }
}

// Applies a joint by given rows of its equalities, which may differ from the joint's own.
static void force_apply_joint(const tni_mechanism_joint *joint, const tni_exact_row *rows,
                              tni_mechanism_body *a, tni_mechanism_body *b) {
    if (joint->is_free) {
        force_apply_pin(joint, rows, a, b);
    } else {
        force_apply_rows(joint, rows, a, b);
    }
}

static void force_clear_bodies(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].linear = mechanism->bodies[i].angular = dvec3_make(0.0, 0.0, 0.0);
    }
}

void tni_mechanism_apply_joints(tni_mechanism *mechanism) {
    force_clear_bodies(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        force_apply_joint(joint, joint->rows, &mechanism->bodies[joint->a],
                          &mechanism->bodies[joint->b]);
    }
    tni_mechanism_spans_apply(mechanism);
}

void tni_mechanism_clear_joints(tni_mechanism *mechanism) {
    force_clear_bodies(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        memset(joint->impulse, 0, joint->row_count * sizeof(double));
    }
    tni_mechanism_spans_scale_impulses(mechanism, 0.0);
}

// Applies the joints by rows of the present poses, while those of the factor stay where they are:
// where rows depend on others the old ones agree with each other in another way than the new ones,
// and the small E would make a large stress of the difference.
void tni_mechanism_apply_fresh(tni_mechanism *mechanism) {
    force_clear_bodies(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        tni_mechanism_body *a = &mechanism->bodies[joint->a], *b = &mechanism->bodies[joint->b];
        tni_exact_row own[TNI_JOINT_MAX_EQUALITY_ROWS];
        bool is_kept = mechanism->matrix.fresh_rows != NULL;
        tni_exact_row *rows = is_kept ? mechanism->matrix.fresh_rows + joint->first_unknown : own;
        tni_joint_emit_exact(joint->joint, &a->middle, &b->middle, rows);
        if (joint->row_count > joint->equality_count) {
            tni_actors_emit(joint, &a->middle, &b->middle);
            tni_mechanism_lock_rows(mechanism, joint);
        }
        force_apply_joint(joint, rows, a, b);
    }
    tni_mechanism_spans_apply_fresh(mechanism);
}

// Clears a body's curvature. The blocks that are not about turns alone are zero already if the body
// had no curvature of lengths before.
static void force_clear_curvature(tni_mechanism_body *body) {
    if (body->block.has_linear_curvature) {
        memset(body->block.curvature, 0, sizeof body->block.curvature);
    }
    for (uint32_t i = 3; i < 6; ++i) {
        for (uint32_t j = 3; j < 6; ++j) {
            body->block.curvature[i][j] = 0.0;
        }
    }
    body->block.has_curvature = body->block.has_linear_curvature = false;
}

// Takes locked axes out of a joint's sways.
static void force_lock_sways(const tni_mechanism *mechanism, tni_mechanism_joint *joint) {
    const uint32_t ends[2] = {joint->a, joint->b};
    for (uint32_t end = 0; end < 2; ++end) {
        uint32_t locks = tni_mechanism_get_locks(mechanism, ends[end]);
        for (uint32_t r = 0; r < joint->sway_count && locks != 0; ++r) {
            double *jacobian = joint->rows[joint->row_count + r].jacobian + 6 * end;
            for (uint32_t c = 0; c < 6; ++c) {
                bool is_locked = tni_mechanism_is_locked(&mechanism->bodies[ends[end]], c);
                jacobian[c] = is_locked ? 0.0 : jacobian[c];
            }
        }
    }
}

// Adds t K(l), which is K(t l).
static void force_add_curvature(tni_mechanism_joint *joint, tni_mechanism_body *a,
                                tni_mechanism_body *b, double half) {
    double x[TNI_MECHANISM_MAX_ROWS];
    bool pulls = false;
    x[0] = x[1] = x[2] = 0.0; // of a ball
    for (uint32_t r = 0; r < joint->equality_count; ++r) {
        x[r] = half * joint->impulse[r];
        pulls |= x[r] != 0.0;
    }
    if (!pulls) {
        return;
    }
    tni_curvature k = {.a = a->block.curvature, .b = b->block.curvature};
    k.sways = joint->sway_room > 0 ? joint->rows + joint->row_count : NULL;
    if (joint->is_ball) {
        tni_point point = {.r_a = dvec3_scale(tni_mechanism_get_arm(joint, 0), -1.0),
                           .r_b = tni_mechanism_get_arm(joint, 1)};
        tni_curvature_add_point(&point, x, &k);
    } else {
        tni_joint_add_curvature(joint->joint, &a->middle, &b->middle, x, &k);
    }
    joint->sway_count = k.sway_count;
    a->block.has_curvature = b->block.has_curvature = true;
    a->block.has_linear_curvature |= k.a_has_linear;
    b->block.has_linear_curvature |= k.b_has_linear;
}

void tni_mechanism_add_curvatures(tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        force_clear_curvature(&mechanism->bodies[i]);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        force_add_curvature(joint, &mechanism->bodies[joint->a], &mechanism->bodies[joint->b],
                            half);
        force_lock_sways(mechanism, joint);
    }
    tni_mechanism_spans_add_curvatures(mechanism, half);
}
