// world/records/world_def.c: the default definition of a world, and the check of every number in a
// definition. Test: tests/world/records/test_world.c
#include "world/records/world_def.h"

#include "core/memory/pool.h"
#include "world/records/convert.h"

tn_stabilization tn_stabilization_default(void) {
    return (tn_stabilization){
        .beta = 0.2, .stiffness = 100.0, .damping = 20.0, .penalty_damping_ratio = 0.2};
}

tn_cg tn_cg_default(void) {
    return (tn_cg){.tolerance = 1e-2f};
}

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
    def.research.stabilization = tn_stabilization_default();
    def.research.cg = tn_cg_default();
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

tni_check tni_bias_check(const tn_bias *bias) {
    bool are_numbers = isfinite(bias->hertz) && isfinite(bias->damping_ratio) &&
                       isfinite(bias->beta) && isfinite(bias->slop) && !isnan(bias->max_speed);
    bool has_mode = bias->mode == TN_BIAS_MODE_SOFT || bias->mode == TN_BIAS_MODE_BAUMGARTE;
    bool is_valid = has_mode && bias->hertz > 0.0f && bias->damping_ratio >= 0.0f &&
                    bias->beta >= 0.0f && bias->beta <= 1.0f && bias->slop >= 0.0f &&
                    bias->max_speed > 0.0f;
    return tni_check_both(
        tni_check_that(are_numbers, TN_RESULT_NOT_FINITE,
                       "A bias needs finite numbers; max_speed alone may be infinite."),
        tni_check_that(is_valid, TN_RESULT_INVALID_ARGUMENT,
                       "A bias needs mode SOFT or BAUMGARTE, hertz > 0, damping_ratio >= 0, beta "
                       "from 0 to 1, slop >= 0 and max_speed > 0."));
}

tni_check tni_stabilization_check(const tn_stabilization *s) {
    bool is_finite = isfinite(s->beta) && isfinite(s->stiffness) && isfinite(s->damping) &&
                     isfinite(s->penalty_hertz) && isfinite(s->penalty_damping_ratio);
    bool is_valid = (uint32_t)s->mode <= TN_STABILIZATION_MODE_PROJECT_AFTER && s->beta >= 0.0 &&
                    s->beta <= 1.0 && s->stiffness >= 0.0 && s->damping >= 0.0 &&
                    s->penalty_hertz >= 0.0 && s->penalty_damping_ratio >= 0.0;
    return tni_check_both(
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "A stabilization needs finite numbers."),
        tni_check_that(is_valid, TN_RESULT_INVALID_ARGUMENT,
                       "A stabilization needs a mode of the enumeration, beta from 0 to 1, and no "
                       "number below 0."));
}

tni_check tni_cg_check(const tn_cg *cg) {
    bool has_iterations = cg->iterations == 0 || (cg->iterations >= 4 && cg->iterations <= 1000);
    bool is_valid = (uint32_t)cg->preconditioner <= TN_PRECONDITIONER_GAUSS_SEIDEL &&
                    has_iterations && cg->tolerance > 0.0f && cg->tolerance < 1.0f;
    return tni_check_both(
        tni_check_finite(cg->tolerance, "The tolerance of conjugate gradients must be finite."),
        tni_check_that(is_valid, TN_RESULT_INVALID_ARGUMENT,
                       "Conjugate gradients need a preconditioner of the enumeration, 4 to 1000 "
                       "iterations or 0, and a tolerance above 0 and below 1."));
}

tni_check tni_dynamics_check(tn_dynamics dynamics, double mobility) {
    bool is_valid = (uint32_t)dynamics <= TN_DYNAMICS_FIRST_ORDER && mobility > 0.0;
    return tni_check_both(
        tni_check_that(isfinite(mobility), TN_RESULT_NOT_FINITE, "mobility must be finite."),
        tni_check_that(is_valid, TN_RESULT_INVALID_ARGUMENT,
                       "dynamics must be SECOND_ORDER or FIRST_ORDER, mobility above 0: start from "
                       "tn_world_def_default()."));
}

bool tni_integrator_is_valid(tn_integrator integrator) {
    return (uint32_t)integrator <= TN_INTEGRATOR_PENALTY;
}

static tni_check def_check_valid(bool is_valid, const char *message) {
    return tni_check_that(is_valid, TN_RESULT_INVALID_ARGUMENT, message);
}

static tni_check def_check_numbers(const tn_world_def *def) {
    bool are_few = def->joint_iterations <= 255 && def->contact_iterations <= 255 &&
                   def->relax_iterations <= 255;
    bool are_tolerances = isfinite(def->joint_tolerance) && def->joint_tolerance >= 0.0 &&
                          isfinite(def->joint_tolerance_angular) &&
                          def->joint_tolerance_angular >= 0.0;
    bool are_amounts =
        def_is_not_negative(def->restitution_threshold) &&
        def_is_not_negative(def->hit_event_threshold) && def_is_not_negative(def->contact_margin) &&
        def_is_not_negative(def->sleep_linear_speed) &&
        def_is_not_negative(def->sleep_angular_speed) && def_is_not_negative(def->sleep_time);
    const tni_check checks[] = {
        tni_check_that(convert_is_finite_float(def->gravity), TN_RESULT_NOT_FINITE,
                       "Gravity must be finite."),
        def_check_valid(def->solver >= TN_SOLVER_AUTO && def->solver <= TN_SOLVER_CG,
                        "solver must be AUTO, PGS, DIRECT or CG."),
        def_check_valid(tni_integrator_is_valid(def->research.integrator),
                        "integrator must be one of the enumeration."),
        def_check_valid(are_few, "joint_iterations, contact_iterations and relax_iterations are at "
                                 "most 255."),
        def_check_valid(are_tolerances,
                        "joint_tolerance and joint_tolerance_angular must be finite "
                        "and not negative."),
        def_check_valid(are_amounts, "Thresholds, contact_margin, sleep speeds and sleep_time must "
                                     "be finite and not negative."),
    };
    return tni_check_all(checks, sizeof checks);
}

tni_check tni_world_def_check(const tn_world_def *def) {
    const tni_check checks[] = {
        def_check_numbers(def),
        tni_dynamics_check(def->dynamics, def->mobility),
        tni_bias_check(&def->joint_bias),
        tni_bias_check(&def->contact_bias),
        tni_stabilization_check(&def->research.stabilization),
        tni_cg_check(&def->research.cg),
        def_check_valid(!def->alloc == !def->free, "alloc and free come together or not at all."),
        def_check_valid(!def->enqueue == !def->finish,
                        "enqueue and finish come together or not at all."),
        def_check_valid(def->handle_seed < TNI_POOL_LAST_GENERATION,
                        "handle_seed is at most 1022."),
        def_check_valid(def->worker_count >= 1 && def->worker_count <= 64,
                        "worker_count must be from 1 to 64."),
    };
    return tni_check_all(checks, sizeof checks);
}
