// tests/hostile/hostile_callbacks.c: callbacks that call back, and an allocator that fails.
#include "hostile.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- rounding ----------------------------------------------------------------------------------

// fegetround asks another unit of an x86 processor than the one that adds.
static bool hostile_rounds_up(void) {
    volatile double one = 1.0, little = 1e-30;
    return one + little > one;
}

void hostile_begin_call(hostile *h) {
    if (h->depth == 0) {
        fesetround(h->rounding);
    }
}

void hostile_end_call(hostile *h) {
    if (h->depth == 0) {
        h->has_changed_rounding |= hostile_rounds_up() != (h->rounding != FE_TONEAREST);
        fesetround(FE_TONEAREST);
    }
}

// ---- calls -------------------------------------------------------------------------------------

// At times a callback calls a public function, of its own world or of the other, or destroys its
// own world, which is refused.
void hostile_call_back(hostile_place *place) {
    hostile *h = place->h;
    if (h->is_calm || h->depth >= 2 || !hostile_chance(h, 8)) {
        return;
    }
    uint32_t at = h->at;
    bool is_null = h->is_null;
    bool rounds_up = hostile_rounds_up(); // the report of a function that only reads
    if (rounds_up) {
        fesetround(FE_TONEAREST);
    }
    h->depth += 1;
    if (hostile_chance(h, 50)) {
        tn_world_destroy(place->world);
    } else {
        // Rarely another world: its step has callbacks as well.
        h->at = hostile_chance(h, 20) ? hostile_below(h, HOSTILE_WORLDS) : h->at;
        hostile_call_any(h);
    }
    h->depth -= 1;
    h->at = at;
    h->is_null = is_null;
    if (rounds_up) {
        fesetround(h->rounding);
    }
}

static void hostile_evaluate_custom(const tn_pose *frame_a, const tn_pose *frame_b,
                                    tn_custom_row *rows, void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    rows[0].error = frame_b->position.x - frame_a->position.x;
    rows[0].linear_b.x = 1.0;
    rows[0].linear_a.x = -1.0;
    if (place->has_threads) {
        return;
    }
    hostile_call_back(place);
    if (hostile_chance(h, 20 * h->malice)) {
        rows[0].linear_a = hostile_vector(h);
    }
}

tn_custom_joint_fn hostile_custom_joint_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_evaluate_custom;
}

static void hostile_evaluate_force(const tn_force_input *input, tn_force_output *out_output,
                                   void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    hostile_call_back(place);
    out_output->force[0].y = -input->connectors[0].position.y;
    if (!h->is_calm && hostile_chance(h, 4)) {
        tn_force_slope *slope = tn_force_output_add_slope(out_output, hostile_uint32_t(h),
                                                          hostile_uint32_t(h), hostile_bool(h));
        if (slope != NULL) {
            slope->by_position[1][1] = -hostile_unit(h);
        }
    }
    if (hostile_chance(h, 20 * h->malice)) {
        out_output->torque[hostile_below(h, TN_FORCE_MAX_CONNECTORS)] = hostile_vector(h);
        out_output->slope_count = hostile_chance(h, 2) ? UINT32_MAX : TN_FORCE_MAX_SLOPES + 1;
    }
}

tn_force_fn hostile_force_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_evaluate_force;
}

static void hostile_evaluate_motion_path(double time, tn_motion_path_state *out_state,
                                         void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    hostile_call_back(place);
    out_state->position.x = time;
    out_state->velocity.x = 1.0;
    if (hostile_chance(h, 20 * h->malice)) {
        out_state->acceleration = hostile_vector(h);
        double *const numbers[4] = {&out_state->rotation.x, &out_state->rotation.y,
                                    &out_state->rotation.z, &out_state->rotation.w};
        *numbers[hostile_below(h, 4)] = hostile_double(h);
    }
}

tn_motion_path_joint_fn hostile_motion_path_joint_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_evaluate_motion_path;
}

static void hostile_evaluate_reduced(const tn_reduced_input *input, tn_reduced_output *out_output,
                                     void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    hostile_call_back(place);
    for (uint32_t i = 0; i < input->body_count; ++i) {
        tn_reduced_motion *motion = &out_output->bodies[i];
        motion->pose.position.x = input->coordinates[0] + 2.0 * i;
        motion->linear[0].x = 1.0;
        if (hostile_chance(h, 20 * h->malice)) {
            motion->acceleration = hostile_vector(h);
        }
    }
}

tn_reduced_fn hostile_reduced_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_evaluate_reduced;
}

static void hostile_evaluate_surface(tn_vec3 point, tn_surface_value *out_value, void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    hostile_call_back(place);
    out_value->value = point.y;
    out_value->gradient.y = 1.0;
    if (hostile_chance(h, 20 * h->malice)) {
        out_value->gradient = hostile_vector(h);
    }
}

tn_surface_joint_fn hostile_surface_joint_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_evaluate_surface;
}

void hostile_evaluate_function(const double *x, uint32_t count, tn_function_value *out_value,
                               void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    hostile_call_back(place);
    for (uint32_t i = 0; i < count; ++i) {
        out_value->value += x[i];
        out_value->first[i] = 1.0;
    }
    if (hostile_chance(h, 20 * h->malice)) {
        out_value->value = hostile_double(h);
    }
}

bool hostile_filter(const tn_world *world, tn_shape_id shape_a, tn_shape_id shape_b,
                    void *user_data) {
    (void)world;
    hostile_place *place = user_data;
    hostile *h = place->h;
    hostile_keep(h, HOSTILE_SHAPE_ID, 0, shape_a.value);
    hostile_keep(h, HOSTILE_SHAPE_ID, 0, shape_b.value);
    hostile_call_back(place);
    return !hostile_chance(h, 10);
}

bool hostile_pre_solve(const tn_world *world, const tn_contact *contact,
                       tn_contact_settings *settings, void *user_data) {
    (void)world, (void)contact;
    hostile_place *place = user_data;
    hostile *h = place->h;
    hostile_call_back(place);
    if (hostile_chance(h, 4)) {
        settings->friction = hostile_float(h);
        settings->restitution = hostile_float(h);
        settings->rolling_resistance = hostile_float(h);
        settings->target_velocity = hostile_vector(h);
        settings->normal = hostile_vector(h);
        settings->point_count = hostile_uint32_t(h) % 6;
        settings->points[0].position = hostile_vector(h);
        settings->points[1].separation = hostile_float(h);
    }
    if (hostile_chance(h, 4)) {
        settings->inverse_mass_scale_a = hostile_float(h);
        settings->inverse_inertia_scale_b = hostile_float(h);
    }
    return !hostile_chance(h, 10);
}

static bool hostile_accept(const tn_world *world, tn_shape_id shape, void *user_data) {
    (void)world;
    hostile_place *place = user_data;
    if (!place->has_threads && !place->h->is_calm) {
        hostile_keep(place->h, HOSTILE_SHAPE_ID, 0, shape.value);
        hostile_call_back(place);
    }
    return shape.value % 3 != 0;
}

tn_query_accept_fn hostile_query_accept_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_accept;
}

static double hostile_visit(const tn_tree *tree, tn_leaf_id leaf, double value, double limit,
                            void *user_data) {
    (void)user_data;
    uint64_t number = tn_tree_get_number(tree, leaf);
    return number % 7 == 0 ? (double)NAN : number % 5 == 0 ? -1.0 : number % 2 == 0 ? value : limit;
}

tn_tree_visit_fn hostile_tree_visit_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_visit;
}

const tn_body_id *hostile_bodies(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        h->bodies[i].value = hostile_handle(h, HOSTILE_BODY_ID, 0);
    }
    return hostile_chance(h, h->malice) ? NULL : h->bodies;
}

void hostile_report(const tn_report *report, void *user_data) {
    hostile_place *place = user_data;
    hostile *h = place->h;
    h->report_count += 1;
    h->is_wrong |= report->function == NULL || report->message == NULL;
    if (h->is_traced) {
        printf("        %s: %s\n", report->function, report->message);
    }
    hostile_call_back(place);
}

// Runs a loop from its end, in pieces of three lengths and as two workers.
void *hostile_cut_loop(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                       void *user_data) {
    (void)user_data;
    for (uint32_t last = count, k = 0; last > 0; ++k) {
        uint32_t size = min_range * (1 + k % 3), first = last > size ? last - size : 0;
        task(first, last, k % 2, context);
        last = first;
    }
    return NULL;
}

void hostile_finish_loop(void *task, void *user_data) {
    (void)task, (void)user_data;
}

tn_report_fn hostile_report_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_report;
}

tn_task_enqueue_fn hostile_task_enqueue_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_cut_loop;
}

tn_task_finish_fn hostile_task_finish_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_finish_loop;
}

// ---- memory ------------------------------------------------------------------------------------

void *hostile_alloc(size_t size, size_t alignment, void *user_data) {
    hostile *h = ((hostile_place *)user_data)->h;
    if (h->failure_share > 0 && hostile_chance(h, h->failure_share)) {
        return NULL;
    }
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory != NULL) {
        h->allocated += size;
        memset(memory, 0xcd, size);
    }
    return memory;
}

void hostile_free(void *memory, size_t size, void *user_data) {
    hostile *h = ((hostile_place *)user_data)->h;
    h->allocated -= size;
    free(memory);
}

static bool hostile_go_on(float fraction, void *user_data) {
    hostile *h = ((hostile_place *)user_data)->h;
    h->is_wrong |= !(fraction >= 0.0f && fraction <= 1.0f);
    return !hostile_chance(h, 8);
}

tn_mesh_progress_fn hostile_mesh_progress_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_go_on;
}

tn_alloc_fn hostile_alloc_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_alloc;
}

tn_free_fn hostile_free_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_free;
}
