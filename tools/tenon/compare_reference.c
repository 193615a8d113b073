// tools/tenon/compare_reference.c: the motion that the methods are measured against.
//
// In reduced coordinates (tools/tenon/reduced.h) where the subject has a closed form, integrated in
// steps so fine that nothing is left but round-off; else a run in many substeps: by Runge-Kutta
// with projection where that can be done and holds, else by the direct solver.
#include "tools/tenon/compare.h"

#include "tools/tenon/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE_RATE       20000.0 // 1/s: steps in reduced coordinates
#define REFERENCE_SUBSTEPS   64      // of the run without them
#define REFERENCE_MOST       1e6     // steps
#define REFERENCE_MECHANISMS 64      // looked at, for refusals
#define REFERENCE_CLOSED     1e-6    // m: a run that keeps its joints to it is one to go by

static bool reference_fail(char *error, const char *message) {
    if (error[0] == '\0') {
        snprintf(error, OPTIONS_ERROR_SIZE, "%s", message);
    }
    return false;
}

// ---- subjects ----------------------------------------------------------------------------------

bool compare_open(const compare_setup *setup, const compare_method *method, run_subject *out,
                  char *error) {
    double values[SCENE_MAX_OPTIONS] = {0.0};
    tn_world_def def = tn_world_def_default();
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; setup->scene != NULL && i < setup->scene->option_count; i++) {
        values[i] = setup->scene->options[i].value;
    }
    if (!run_options_apply(setup->options, setup->scene, values, &def, error)) {
        return false;
    }
    def.solver = method->solver;
    def.research.integrator = method->integrator;
    def.research.stabilization.mode = method->mode;
    if (setup->scene != NULL) {
        scene_run *made = scene_run_create(setup->scene, values, &def);
        return (made != NULL && subject_init_scene(out, made)) ||
               reference_fail(error, "the scene could not be built");
    }
    case_world *made = case_world_create(&setup->file->models[0], &def, NULL);
    return (made != NULL && subject_init_case(out, setup->file, made)) ||
           reference_fail(error, "the case asks for what the library refuses");
}

bool compare_is_refused(const run_subject *subject) {
    tn_mechanism_info infos[REFERENCE_MECHANISMS];
    uint32_t count = tn_world_get_mechanisms(subject->world, infos, REFERENCE_MECHANISMS);
    bool is_refused = count == 0;
    for (uint32_t i = 0; i < count && i < REFERENCE_MECHANISMS; i++) {
        is_refused = is_refused || infos[i].refusals > 0;
    }
    return is_refused;
}

// Are there rows that say what others say? In the last step.
static bool reference_is_redundant(const run_subject *subject) {
    tn_mechanism_info infos[REFERENCE_MECHANISMS];
    uint32_t count = tn_world_get_mechanisms(subject->world, infos, REFERENCE_MECHANISMS);
    bool is_redundant = false;
    for (uint32_t i = 0; i < count && i < REFERENCE_MECHANISMS; i++) {
        is_redundant = is_redundant || infos[i].dependent_rows > 0;
    }
    return is_redundant;
}

double compare_get_energy(const run_subject *subject) {
    tn_energy energy = tn_world_get_energy(subject->world);
    return energy.kinetic + energy.potential + energy.elastic;
}

static double *reference_put(double *out, tn_vec3 center) {
    out[0] = center.x;
    out[1] = center.y;
    out[2] = center.z;
    return out + 3;
}

void compare_get_centers(const run_subject *subject, double *out) {
    for (uint32_t i = 0; i < subject->body_count; i++) {
        if (!subject->bodies[i].is_static) {
            out = reference_put(out, tn_body_get_center(subject->world, subject->bodies[i].id));
        }
    }
}

void compare_get_reduced_centers(const run_subject *subject, const reduced_model *model,
                                 double *out) {
    for (uint32_t i = 0; i < subject->body_count; i++) {
        for (uint32_t k = 0; k < model->body_count; k++) {
            if (model->bodies[k].id.value == subject->bodies[i].id.value) {
                out = reference_put(out, reduced_get_center(model, k));
            }
        }
    }
}

// ---- the reference -----------------------------------------------------------------------------

// How long, of how many bodies, and whether of rigid joints alone: one step by RATTLE tells.
static bool reference_probe(compare_reference *reference, const compare_setup *setup, char *error) {
    static const compare_method rattle = {.solver = TN_SOLVER_DIRECT,
                                          .integrator = TN_INTEGRATOR_RATTLE};
    run_subject subject;
    bool ok = compare_open(setup, &rattle, &subject, error);
    if (ok) {
        double seconds = setup->options->time > 0.0 ? setup->options->time : subject.time;
        double steps = fmax(1.0, ceil(seconds * reference->rate - 1e-6));
        for (uint32_t i = 0; i < subject.body_count; i++) {
            reference->body_count += !subject.bodies[i].is_static;
        }
        ok = (steps <= REFERENCE_MOST || reference_fail(error, "too many steps")) &&
             (subject.joint_count > 0 || reference_fail(error, "there are no joints to compare")) &&
             (subject_step(&subject, 1.0 / reference->rate, 1) == TN_RESULT_OK ||
              reference_fail(error, "the first step failed"));
        reference->steps = ok ? (uint32_t)steps : 0;
        reference->is_plain = ok && !compare_is_refused(&subject);
    }
    subject_destroy(&subject);
    return ok;
}

static void reference_follow_model(compare_reference *reference, const run_subject *subject,
                                   reduced_model *model) {
    uint32_t pieces = (uint32_t)ceil(REFERENCE_RATE / reference->rate);
    double *centers = reference->centers;
    reference->name = "reduced coordinates, integrated finely";
    double start = reduced_get_energy(model);
    for (uint32_t step = 0; step <= reference->steps; step++) {
        reference->energies[step] = reduced_get_energy(model) - start;
        compare_get_reduced_centers(subject, model, centers);
        centers += 3 * reference->body_count;
        reference->kinetic = fmax(reference->kinetic, reduced_get_kinetic_energy(model));
        for (uint32_t k = 0; k < pieces; k++) {
            reduced_step(model, 1.0 / reference->rate / pieces);
        }
    }
}

static const compare_method reference_runge_kutta = {.name = "RK4, projected, in 64 substeps",
                                                     .solver = TN_SOLVER_DIRECT,
                                                     .integrator = TN_INTEGRATOR_RK4,
                                                     .mode = TN_STABILIZATION_MODE_PROJECT_AFTER};
static const compare_method reference_direct = {.name = "the direct solver in 64 substeps",
                                                .solver = TN_SOLVER_DIRECT};

// After a step: no joint open, no step refused, no row that says what others say.
static bool reference_is_sound(const run_subject *subject) {
    double gap = tn_world_get_telemetry(subject->world).worst_joint_linear;
    return gap < REFERENCE_CLOSED && !compare_is_refused(subject) &&
           !reference_is_redundant(subject);
}

// Stops where it is not one to go by and `out_is_sound` asks.
static bool reference_follow_run(compare_reference *reference, run_subject *subject,
                                 bool *out_is_sound, char *error) {
    double *centers = reference->centers;
    double start = compare_get_energy(subject);
    bool is_sound = true;
    reference->kinetic = 0.0;
    for (uint32_t step = 0; step <= reference->steps && is_sound; step++) {
        reference->energies[step] = compare_get_energy(subject) - start;
        compare_get_centers(subject, centers);
        centers += 3 * reference->body_count;
        reference->kinetic = fmax(reference->kinetic, tn_world_get_energy(subject->world).kinetic);
        if (subject_step(subject, 1.0 / reference->rate, REFERENCE_SUBSTEPS) != TN_RESULT_OK) {
            return reference_fail(error, "the reference could not be stepped");
        }
        is_sound = out_is_sound == NULL || reference_is_sound(subject);
    }
    if (out_is_sound != NULL) {
        *out_is_sound = is_sound;
    }
    return true;
}

static bool reference_run(compare_reference *reference, const compare_setup *setup,
                          const compare_method *method, bool *out_is_sound, char *error) {
    run_subject subject;
    bool ok = compare_open(setup, method, &subject, error) &&
              reference_follow_run(reference, &subject, out_is_sound, error);
    reference->name = method->name;
    subject_destroy(&subject);
    return ok;
}

// In reduced coordinates, if there is a closed form.
static bool reference_reduce(compare_reference *reference, const compare_setup *setup,
                             char *error) {
    run_subject subject;
    reduced_model model;
    bool ok = compare_open(setup, &reference_direct, &subject, error);
    reference->is_reduced = ok && reference->is_plain && reduced_init(&model, &subject);
    if (reference->is_reduced) {
        reference_follow_model(reference, &subject, &model);
    }
    subject_destroy(&subject);
    return ok;
}

bool compare_reference_init(compare_reference *reference, const compare_setup *setup, double rate,
                            char *error) {
    *reference = (compare_reference){.rate = rate};
    if (!reference_probe(reference, setup, error)) {
        return false;
    }
    size_t moments = (size_t)reference->steps + 1;
    reference->centers = calloc(moments * reference->body_count * 3 + 1, sizeof(double));
    reference->energies = calloc(moments, sizeof(double));
    if (reference->centers == NULL || reference->energies == NULL) {
        return reference_fail(error, "not enough memory");
    }
    if (!reference_reduce(reference, setup, error)) {
        return false;
    }
    bool ok = true, is_sound = reference->is_reduced;
    if (!is_sound && reference->is_plain) {
        ok = reference_run(reference, setup, &reference_runge_kutta, &is_sound, error);
    }
    if (ok && !is_sound) {
        ok = reference_run(reference, setup, &reference_direct, NULL, error);
    }
    return ok;
}

void compare_reference_release(compare_reference *reference) {
    free(reference->centers);
    free(reference->energies);
    reference->centers = reference->energies = NULL;
}
