// world/records/world_def.c: the default definition of a world, and the check of every number in
// one. Test: tests/world/records/test_world.c
#include "world/records/world_def.h"

#include "core/pool.h"
#include "world/records/convert.h"

tn_world_def tn_world_def_default(void) {
    tn_world_def def = {0};
    def.gravity.y = -9.81;
    def.joint_bias = (tn_bias){.mode = TN_BIAS_MODE_SOFT,
                               .hertz = 1000.0f,
                               .damping_ratio = 2.0f,
                               .beta = 0.2f,
                               .slop = 0.0f,
                               .max_speed = 100.0f};
    def.contact_bias = (tn_bias){.mode = TN_BIAS_MODE_SOFT,
                                 .hertz = 60.0f,
                                 .damping_ratio = 14.0f,
                                 .beta = 0.2f,
                                 .slop = 0.0f,
                                 .max_speed = 3.0f};
    def.mobility = 1.0;
    def.solver = TN_SOLVER_AUTO;
    def.research.stabilization = (tn_stabilization){
        .beta = 0.2, .stiffness = 100.0, .damping = 20.0, .penalty_damping_ratio = 0.2};
    def.research.cg.tolerance = 1e-2f;
    def.relax_iterations = 1;
    def.restitution_threshold = 1.0f;
    def.hit_event_threshold = 1.0f;
    def.contact_margin = 0.02f;
    def.is_sleep_allowed = true;
    def.sleep_linear_speed = 0.05f;
    def.sleep_angular_speed = 0.05f;
    def.sleep_time = 0.5f;
    def.worker_count = 1;
    return def;
}

static bool def_is_not_negative(float x) {
    return isfinite(x) && x >= 0.0f;
}

tn_result tni_bias_check(const tn_bias *bias, const char **out_message) {
    *out_message = "A bias needs finite numbers; max_speed alone may be infinite.";
    if (!isfinite(bias->hertz) || !isfinite(bias->damping_ratio) || !isfinite(bias->beta) ||
        !isfinite(bias->slop) || isnan(bias->max_speed)) {
        return TN_RESULT_NOT_FINITE;
    }
    *out_message =
        "A bias needs mode SOFT or BAUMGARTE, hertz > 0, damping_ratio >= 0, beta from 0 "
        "to 1, slop >= 0 and max_speed > 0.";
    bool has_mode = bias->mode == TN_BIAS_MODE_SOFT || bias->mode == TN_BIAS_MODE_BAUMGARTE;
    bool is_valid = has_mode && bias->hertz > 0.0f && bias->damping_ratio >= 0.0f &&
                    bias->beta >= 0.0f && bias->beta <= 1.0f && bias->slop >= 0.0f &&
                    bias->max_speed > 0.0f;
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

tn_result tni_stabilization_check(const tn_stabilization *s, const char **out_message) {
    *out_message = "A stabilization needs finite numbers.";
    if (!isfinite(s->beta) || !isfinite(s->stiffness) || !isfinite(s->damping) ||
        !isfinite(s->penalty_hertz) || !isfinite(s->penalty_damping_ratio)) {
        return TN_RESULT_NOT_FINITE;
    }
    *out_message = "A stabilization needs a mode of the enumeration, beta from 0 to 1, and no "
                   "number below 0.";
    bool is_valid = (uint32_t)s->mode <= TN_STABILIZATION_MODE_PROJECT_AFTER && s->beta >= 0.0 &&
                    s->beta <= 1.0 && s->stiffness >= 0.0 && s->damping >= 0.0 &&
                    s->penalty_hertz >= 0.0 && s->penalty_damping_ratio >= 0.0;
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

tn_result tni_cg_check(const tn_cg *cg, const char **out_message) {
    *out_message = "The tolerance of conjugate gradients must be finite.";
    if (!isfinite(cg->tolerance)) {
        return TN_RESULT_NOT_FINITE;
    }
    *out_message = "Conjugate gradients need a preconditioner of the enumeration, 4 to 1000 "
                   "iterations or 0, and a tolerance above 0 and below 1.";
    bool has_iterations = cg->iterations == 0 || (cg->iterations >= 4 && cg->iterations <= 1000);
    bool is_valid = (uint32_t)cg->preconditioner <= TN_PRECONDITIONER_GAUSS_SEIDEL &&
                    has_iterations && cg->tolerance > 0.0f && cg->tolerance < 1.0f;
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

tn_result tni_dynamics_check(tn_dynamics dynamics, double mobility, const char **out_message) {
    *out_message = "mobility must be finite.";
    if (!isfinite(mobility)) {
        return TN_RESULT_NOT_FINITE;
    }
    *out_message = "dynamics must be SECOND_ORDER or FIRST_ORDER, mobility above 0.";
    bool is_valid = (uint32_t)dynamics <= TN_DYNAMICS_FIRST_ORDER && mobility > 0.0;
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

bool tni_integrator_is_valid(tn_integrator integrator) {
    return (uint32_t)integrator <= TN_INTEGRATOR_PENALTY;
}

static tn_result def_check_numbers(const tn_world_def *def, const char **out_message) {
    *out_message = "Gravity must be finite.";
    if (!convert_is_finite_float(def->gravity)) {
        return TN_RESULT_NOT_FINITE;
    }
    *out_message = "solver must be AUTO, PGS, DIRECT or CG.";
    if (def->solver < TN_SOLVER_AUTO || def->solver > TN_SOLVER_CG) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "integrator must be one of the enumeration.";
    if (!tni_integrator_is_valid(def->research.integrator)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "joint_iterations, contact_iterations and relax_iterations are at most 255.";
    if (def->joint_iterations > 255 || def->contact_iterations > 255 ||
        def->relax_iterations > 255) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "joint_tolerance and joint_tolerance_angular must be finite and not negative.";
    if (!isfinite(def->joint_tolerance) || !(def->joint_tolerance >= 0.0) ||
        !isfinite(def->joint_tolerance_angular) || !(def->joint_tolerance_angular >= 0.0)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "Thresholds, contact_margin, sleep speeds and sleep_time must be finite and not "
                   "negative.";
    bool is_valid =
        def_is_not_negative(def->restitution_threshold) &&
        def_is_not_negative(def->hit_event_threshold) && def_is_not_negative(def->contact_margin) &&
        def_is_not_negative(def->sleep_linear_speed) &&
        def_is_not_negative(def->sleep_angular_speed) && def_is_not_negative(def->sleep_time);
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

static tn_result def_check_hooks(const tn_world_def *def, const char **out_message) {
    *out_message = "alloc and free come together or not at all.";
    if (!def->alloc != !def->free) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "enqueue and finish come together or not at all.";
    if (!def->enqueue != !def->finish) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "handle_seed is at most 1022.";
    if (def->handle_seed >= TNI_POOL_LAST_GENERATION) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    *out_message = "worker_count must be from 1 to 64.";
    bool is_valid = def->worker_count >= 1 && def->worker_count <= 64;
    return is_valid ? TN_RESULT_OK : TN_RESULT_INVALID_ARGUMENT;
}

tn_result tni_world_def_check(const tn_world_def *def, const char **out_message) {
    tn_result result = def_check_numbers(def, out_message);
    if (result == TN_RESULT_OK) {
        result = tni_dynamics_check(def->dynamics, def->mobility, out_message);
    }
    if (result == TN_RESULT_OK) {
        result = tni_bias_check(&def->joint_bias, out_message);
    }
    if (result == TN_RESULT_OK) {
        result = tni_bias_check(&def->contact_bias, out_message);
    }
    if (result == TN_RESULT_OK) {
        result = tni_stabilization_check(&def->research.stabilization, out_message);
    }
    if (result == TN_RESULT_OK) {
        result = tni_cg_check(&def->research.cg, out_message);
    }
    if (result == TN_RESULT_OK) {
        result = def_check_hooks(def, out_message);
    }
    return result;
}
