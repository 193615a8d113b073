// world/joints/joint_function.c: the public functions of function joints, and the ties of their
// bodies.
//
// Lists, islands and sleep know joints of two bodies. So a function joint joins its center, which
// is the first of its bodies that moves, to another body, and has a tie from the center to each
// remaining one: a joint of the same type without rows or memory of its own. See
// joints/functions/function_joint.h. The code that ropes share is here too.
// Test: tests/joints/functions/test_function_joint.c
#include <string.h>

#include "core/same.h"
#include "joints/functions/rope_joint.h"
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"

static const tn_joint_id function_null = {0};
static const char *const function_no_memory = "There is no memory for another joint.";

tn_function_joint_def tn_function_joint_def_default(void) {
    tn_function_joint_def def = {.base = tn_joint_def_default()};
    def.base.is_collision_allowed = true;
    for (uint32_t i = 0; i < TN_CUSTOM_MAX_ROWS; ++i) {
        def.rows[i].max_force = INFINITY;
    }
    return def;
}

// ---- checks ------------------------------------------------------------------------------------

static tn_joint_id function_refuse(const tn_world *world, tn_result result, const char *function,
                                   const char *message) {
    tni_world_report(world, result, function, message, 0);
    return function_null;
}

static const char *function_find_fault(const tn_function_joint_def *def) {
    if (def->graph == NULL || def->graph->result != TN_RESULT_OK) {
        return "The graph is null, or has refused a block.";
    }
    if (def->body_count < 1 || def->body_count > TN_GRAPH_MAX_BODIES) {
        return "body_count must be from 1 to 16.";
    }
    if ((def->graph->bodies >> def->body_count) != 0) {
        return "The graph has a body that is not among the joint's.";
    }
    for (uint32_t r = 0; r < def->row_count && r < TN_CUSTOM_MAX_ROWS; ++r) {
        if (tn_graph_get_width(def->graph, def->nodes[r]) != 1) {
            return "A row's node must be a number of the graph.";
        }
    }
    return NULL;
}

// Finds the bodies' indices; null is the world. Returns false after a report.
static bool function_find_bodies(tn_world *world, const tn_function_joint_def *def,
                                 const char *function, uint32_t *out_bodies) {
    for (uint32_t i = 0; i < def->body_count; ++i) {
        out_bodies[i] = TNI_NONE;
        if (def->bodies[i].value == 0) {
            continue;
        }
        out_bodies[i] = tni_world_find_body(world, def->bodies[i], function);
        if (out_bodies[i] == TNI_NONE) {
            return false;
        }
        for (uint32_t k = 0; k < i; ++k) {
            if (out_bodies[k] == out_bodies[i]) {
                function_refuse(world, TN_RESULT_SAME_BODY, function, "A body is named twice.");
                return false;
            }
        }
    }
    return true;
}

// Returns false after a report if a point on a particle is not its centre.
static bool function_suits_particles(const tn_world *world, const tn_graph *graph,
                                     const uint32_t *bodies, const char *function) {
    for (uint32_t i = 0; i < graph->number_count; ++i) {
        const tni_graph_number *number = &graph->numbers[i];
        if (number->op != TNI_GRAPH_POINT) {
            continue;
        }
        tni_check check = tni_particle_check_point(world, bodies[number->body], number->local);
        if (!tni_world_accepts(world, check, function, 0)) {
            return false;
        }
    }
    return true;
}

// ---- memory ------------------------------------------------------------------------------------

void tni_function_free(tn_world *world, tni_function *function) {
    if (function != NULL) {
        tni_graph_free(function->graph, &world->allocator);
        tni_free(&world->allocator, function->rope, sizeof(tni_rope));
        tni_free(&world->allocator, function->memory, function->memory_size);
        tni_free(&world->allocator, function, sizeof *function);
    }
}

void tni_function_drop(tn_world *world, tni_joint *joint) {
    if (tni_joint_is_function(joint)) {
        tni_function_free(world, joint->def.function.apart);
        joint->def.function.apart = NULL;
    }
}

static bool function_asks_for_time(const tn_graph *graph) {
    bool asks = false;
    for (uint32_t i = 0; i < graph->number_count; ++i) {
        asks = asks || graph->numbers[i].op == TNI_GRAPH_TIME;
    }
    return asks;
}

// Counts the bodies after the first, without the world.
static uint32_t function_count_others(const uint32_t *bodies, uint32_t count) {
    uint32_t others = 0;
    for (uint32_t i = 0; i < count; ++i) {
        others += bodies[i] != TNI_NONE ? 1 : 0;
    }
    return others > 0 ? others - 1 : 0;
}

bool tni_function_is_wide(const tni_function *function) {
    return function->has_time || function_count_others(function->bodies, function->body_count) > 1;
}

static bool function_has_affine(const tn_world *world, const tni_function *function) {
    bool has_one = false;
    for (uint32_t i = 0; i < function->body_count; ++i) {
        uint32_t body = function->bodies[i];
        has_one = has_one || (body != TNI_NONE &&
                              tni_body_get_affine(world, tni_body_at(world, body)) != NULL);
    }
    return has_one;
}

// Returns null without memory.
static tni_function *function_make(tn_world *world, const tn_function_joint_def *def,
                                   const uint32_t *bodies) {
    tni_function *function = tni_alloc_zeroed(&world->allocator, sizeof *function);
    if (function == NULL) {
        return NULL;
    }
    function->body_count = def->body_count;
    memcpy(function->bodies, bodies, def->body_count * sizeof *bodies);
    function->has_time = function_asks_for_time(def->graph);
    function->is_span = tni_function_is_wide(function) || function_has_affine(world, function);
    size_t of_values = tni_graph_values_size(def->graph), side = 6 * (size_t)def->body_count;
    size_t doubles = def->graph->number_count + (tni_function_is_wide(function) ? 0 : side * side);
    function->memory_size = of_values + doubles * sizeof(double);
    function->graph = tni_graph_copy(def->graph, &world->allocator);
    function->memory = tni_alloc(&world->allocator, function->memory_size);
    if (function->graph == NULL || function->memory == NULL) {
        tni_function_free(world, function);
        return NULL;
    }
    function->values = tni_graph_values_make(function->graph, function->memory);
    function->adjoints = (double *)((char *)function->memory + of_values);
    function->curvature = function->adjoints + def->graph->number_count;
    function->row_count = def->row_count;
    function->equality_count = tni_function_count_equalities(def->rows, def->row_count);
    for (uint32_t r = 0; r < def->row_count; ++r) {
        function->rows[r] = def->rows[r];
        function->numbers[r] = def->graph->nodes[def->nodes[r].value - 1].first;
    }
    return function;
}

// ---- values ------------------------------------------------------------------------------------

tni_dvec3 tni_function_get_center(const tn_world *world, const tni_function *function,
                                  uint32_t body) {
    uint32_t index = function->bodies[body];
    return index != TNI_NONE ? tni_body_at(world, index)->local_center : dvec3_make(0.0, 0.0, 0.0);
}

void tni_function_find_place(const tn_world *world, const tni_function *function,
                             tni_function_place *place) {
    for (uint32_t i = 0; i < function->body_count; ++i) {
        uint32_t body = function->bodies[i];
        const tni_reduced *affine =
            body != TNI_NONE ? tni_body_get_affine(world, tni_body_at(world, body)) : NULL;
        place->motions[i] = tni_joint_get_body_motion(world, body);
        place->bodies[i] = (tni_graph_body){.motion = &place->motions[i],
                                            .center = tni_function_get_center(world, function, i)};
        if (affine != NULL) {
            place->affine[i] = tni_affine_get_motion(affine, true);
            place->bodies[i].affine = &place->affine[i];
        }
    }
}

static void function_evaluate(const tn_world *world, tni_function *function) {
    tni_function_place place;
    tni_function_find_place(world, function, &place);
    tni_world_begin_callback(world);
    tni_graph_evaluate(function->graph, place.bodies, world->time, &function->values);
    tni_world_end_callback(world);
}

static void function_set_errors(const tn_world *world, tni_function *function) {
    function_evaluate(world, function);
    for (uint32_t r = 0; r < function->row_count; ++r) {
        function->errors[r] = function->values.numbers[function->numbers[r]].value;
    }
}

static bool function_is_finite(const tni_function *function) {
    double sum = 0.0;
    for (uint32_t r = 0; r < function->row_count; ++r) {
        const tni_graph_value *value = &function->values.numbers[function->numbers[r]];
        sum += fabs(value->value) + fabs(value->first) + fabs(value->second);
        for (uint32_t i = 0; i < function->body_count; ++i) {
            const double *g =
                tni_graph_get_gradient(function->graph, &function->values, function->numbers[r], i);
            for (uint32_t c = 0; c < 6 && g != NULL; ++c) {
                sum += fabs(g[c]);
            }
        }
    }
    return isfinite(sum);
}

tn_joint_error tni_function_read_error(const tni_joint *joint) {
    double linear, angular;
    const tni_function *function = joint->def.function.apart;
    tni_function_get_error(function, &linear, &angular);
    linear = function->rope != NULL ? function->rope->error : linear;
    tn_joint_error error = {{linear, 0.0, 0.0}, {angular, 0.0, 0.0}, linear, angular};
    return error;
}

double tni_function_read_elastic_energy(const tni_joint *joint) {
    const tni_function *function = joint->def.function.apart;
    if (tni_joint_is_tie(joint)) {
        return 0.0;
    }
    return function->rope != NULL ? function->rope->elastic_energy
                                  : tni_function_get_elastic_energy(function);
}

// ---- ties --------------------------------------------------------------------------------------

static bool function_is_dynamic(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && tni_body_at(world, body)->type == TN_BODY_TYPE_DYNAMIC;
}

// Returns the first dynamic body, else the first body, else TNI_NONE.
static uint32_t function_find_center(const tn_world *world, const tni_function *function) {
    uint32_t center = TNI_NONE;
    for (uint32_t i = 0; i < function->body_count; ++i) {
        uint32_t body = function->bodies[i];
        bool is_better = center == TNI_NONE ||
                         (!function_is_dynamic(world, center) && function_is_dynamic(world, body));
        center = body != TNI_NONE && is_better ? body : center;
    }
    return center;
}

static tn_body_id function_get_id(const tn_world *world, uint32_t body) {
    tn_body_id id = {body != TNI_NONE ? tni_body_at(world, body)->handle : 0};
    return id;
}

// Returns the nth body other than the center, or TNI_NONE.
static uint32_t function_find_other(const tni_function *function, uint32_t center, uint32_t n) {
    for (uint32_t i = 0; i < function->body_count; ++i) {
        uint32_t body = function->bodies[i];
        if (body != TNI_NONE && body != center && n-- == 0) {
            return body;
        }
    }
    return TNI_NONE;
}

static tn_joint_id function_add(tn_world *world, tn_joint_type type, const tni_function_def *own,
                                uint32_t center, uint32_t other, const char *function) {
    tni_function_def def = *own;
    def.base.body_a = function_get_id(world, center);
    def.base.body_b = function_get_id(world, other);
    return tni_joint_create(world, type, &tni_function_joint_kind, &def, sizeof def, function);
}

// Adds the ties, for which there is room already.
static void function_add_ties(tn_world *world, tni_function *own, uint32_t owner, uint32_t center,
                              const char *function) {
    tni_function_def def = {.base = tn_joint_def_default(), .owner = owner};
    def.base.is_collision_allowed = true;
    uint32_t other;
    while ((other = function_find_other(own, center, own->tie_count + 1)) != TNI_NONE) {
        tn_joint_id id = function_add(world, TN_JOINT_TYPE_FUNCTION, &def, center, other, function);
        TN_ASSERT(id.value != 0);
        own->ties[own->tie_count++] = id.value & TNI_POOL_INDEX_MASK;
        world->tie_count += 1;
    }
}

// Sets the bodies of a joint that is tied already.
static void function_set_bodies(tn_world *world, uint32_t index, uint32_t center, uint32_t other) {
    tni_joint *joint = tni_joint_at(world, index);
    tni_joint_unlink(world, index, 0);
    tni_joint_unlink(world, index, 1);
    joint->body_a = center;
    joint->body_b = other;
    joint->def.base.body_a = function_get_id(world, center);
    joint->def.base.body_b = function_get_id(world, other);
    tni_joint_link(world, index, 0);
    tni_joint_link(world, index, 1);
    tni_joint_update_frames(world, index);
    tni_joint_update_awake(world, index);
}

void tni_functions_center(tn_world *world) {
    for (uint32_t i = 0; i < world->function_joints.count; ++i) {
        uint32_t index = world->function_joints.items[i];
        const tni_function *function = tni_joint_at(world, index)->def.function.apart;
        uint32_t center = function_find_center(world, function);
        if (center == tni_joint_at(world, index)->body_a) {
            continue;
        }
        function_set_bodies(world, index, center, function_find_other(function, center, 0));
        for (uint32_t k = 0; k < function->tie_count; ++k) {
            function_set_bodies(world, function->ties[k], center,
                                function_find_other(function, center, k + 1));
        }
    }
}

void tni_function_untie(tn_world *world, uint32_t index) {
    tni_function *function = tni_joint_at(world, index)->def.function.apart;
    while (function->tie_count > 0) {
        uint32_t tie = function->ties[--function->tie_count];
        tni_joint_at(world, tie)->def.function.owner = TNI_NONE;
        world->tie_count -= 1;
        tni_joint_destroy_at(world, tie);
    }
    uint32_t last = world->function_joints.items[--world->function_joints.count];
    world->function_joints.items[function->place] = last;
    tni_joint_at(world, last)->def.function.apart->place = function->place;
}

// ---- affine bodies -----------------------------------------------------------------------------

// Starts its rows anew if they become a span's or cease to be.
static void function_update_rows(tn_world *world, uint32_t index) {
    tni_joint *joint = tni_joint_at(world, index);
    tni_function *function = joint->def.function.apart;
    bool is_span = tni_function_is_wide(function) || function_has_affine(world, function);
    if (function->rope != NULL || is_span == function->is_span) {
        return;
    }
    tni_joint_plan_drop(world);
    world->is_choice_stale = true;
    function->is_span = is_span;
    function->span = TNI_NONE;
    memset(function->impulses, 0, sizeof function->impulses);
    memset(function->forces, 0, sizeof function->forces);
    memset(joint->impulses, 0, sizeof joint->impulses);
    function_set_errors(world, function);
    tni_world_begin_callback(world);
    joint->rows = tni_joint_count_rows(joint);
    tni_joint_note_row_kinds(joint);
    tni_world_end_callback(world);
}

void tni_body_update_functions(tn_world *world, uint32_t body) {
    uint32_t key = tni_body_at(world, body)->joint_head;
    while (key != TNI_NONE) {
        const tni_joint *joint = tni_joint_at(world, key >> 1);
        bool is_tie = tni_joint_is_function(joint) && tni_joint_is_tie(joint);
        uint32_t index = is_tie ? joint->def.function.owner : key >> 1;
        if (tni_joint_is_function(joint) && index != TNI_NONE) {
            function_update_rows(world, index);
        }
        key = joint->edges[key & 1].next;
    }
}

// ---- creation ----------------------------------------------------------------------------------

tn_joint_id tni_function_insert(tn_world *world, tn_joint_type type, const tn_joint_def *base,
                                tni_function *own, const char *function) {
    uint32_t others = function_count_others(own->bodies, own->body_count);
    if (!tni_index_list_reserve(&world->allocator, &world->function_joints,
                                world->function_joints.count + 1)) {
        tni_function_free(world, own);
        return function_refuse(world, TN_RESULT_OUT_OF_MEMORY, function, function_no_memory);
    }
    if (!tni_joints_reserve(world, 1 + others, function)) { // the joint and its ties
        tni_function_free(world, own);
        return function_null;
    }
    world->features.spans = &tni_spans_feature;
    uint32_t center = function_find_center(world, own);
    uint32_t other = function_find_other(own, center, 0);
    tni_function_def def = {.base = *base, .apart = own, .owner = TNI_NONE};
    tn_joint_id id = function_add(world, type, &def, center, other, function);
    if (id.value == 0) {
        tni_function_free(world, own);
        return function_null;
    }
    uint32_t index = id.value & TNI_POOL_INDEX_MASK;
    own->place = world->function_joints.count;
    world->function_joints.items[world->function_joints.count++] = index;
    function_add_ties(world, own, index, center, function);
    return id;
}

static tn_joint_id function_create(tn_world *world, const tn_function_joint_def *def,
                                   const char *name) {
    if (def == NULL) {
        return function_refuse(world, TN_RESULT_INVALID_ARGUMENT, name, "The definition is null.");
    }
    const char *fault = function_find_fault(def);
    if (fault != NULL) {
        return function_refuse(world, TN_RESULT_INVALID_ARGUMENT, name, fault);
    }
    uint32_t bodies[TN_GRAPH_MAX_BODIES];
    if (!tni_world_accepts(world, tni_custom_rows_check(def->rows, def->row_count), name, 0) ||
        !function_find_bodies(world, def, name, bodies) ||
        !function_suits_particles(world, def->graph, bodies, name)) {
        return function_null;
    }
    tni_function *own = function_make(world, def, bodies);
    if (own == NULL) {
        return function_refuse(world, TN_RESULT_OUT_OF_MEMORY, name, function_no_memory);
    }
    function_set_errors(world, own);
    if (!function_is_finite(own)) {
        tni_function_free(world, own);
        return function_refuse(world, TN_RESULT_NOT_FINITE, name,
                               "A row of the graph is not finite as the bodies stand.");
    }
    return tni_function_insert(world, TN_JOINT_TYPE_FUNCTION, &def->base, own, name);
}

tn_joint_id tn_function_joint_create(tn_world *world, const tn_function_joint_def *def) {
    tn_joint_id made = function_null;
    if (tni_world_begin_change(world, __func__)) {
        made = function_create(world, def, __func__);
    }
    tni_world_end_change(world);
    return made;
}

// ---- changing and reading ----------------------------------------------------------------------

// Returns the joint's function, or null after a report.
static tni_function *function_read(const tn_world *world, tn_joint_id id, const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, TN_JOINT_TYPE_FUNCTION, function);
    return joint != NULL ? joint->def.function.apart : NULL;
}

void tni_function_wake(tn_world *world, const tni_function *function) {
    tni_joint_plan_drop(world);
    for (uint32_t i = 0; i < function->body_count; ++i) {
        if (function->bodies[i] != TNI_NONE) {
            tni_body_wake(world, function->bodies[i]);
        }
    }
}

tn_result tn_function_joint_set_row(tn_world *world, tn_joint_id joint, uint32_t row,
                                    tn_custom_row_def def) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    tni_function *function = function_read(world, joint, __func__);
    if (function == NULL) {
        return tni_world_end_change(world);
    }
    tn_custom_row_def *own = &function->rows[row < TN_CUSTOM_MAX_ROWS ? row : 0];
    if (row >= function->row_count || def.kind != own->kind || def.is_angular != own->is_angular) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                         "The joint has no such row, or one of another kind or unit.", joint.value);
        return tni_world_end_change(world);
    }
    if (!tni_world_accepts(world, tni_custom_rows_check(&def, 1), __func__, joint.value)) {
        return tni_world_end_change(world);
    }
    if (tni_custom_row_set(own, &def)) {
        tni_function_wake(world, function);
    }
    return tni_world_end_change(world);
}

tn_custom_row_def tn_function_joint_get_row(const tn_world *world, tn_joint_id joint,
                                            uint32_t row) {
    const tni_function *function = function_read(world, joint, __func__);
    tn_custom_row_def none = {.stiffness = 0.0f};
    return function != NULL && row < function->row_count ? function->rows[row] : none;
}

static uint32_t function_find_input(const tn_world *world, const tni_function *function,
                                    tn_joint_id joint, tn_node node, const char *name) {
    uint32_t number = tni_graph_find_input(function->graph, node);
    if (number == TNI_NONE) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, name,
                         "The node is no input of the joint's graph.", joint.value);
        return TNI_NONE;
    }
    return number;
}

tn_result tn_function_joint_set_input(tn_world *world, tn_joint_id joint, tn_node input,
                                      double number) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    tni_function *function = function_read(world, joint, __func__);
    if (function == NULL) {
        return tni_world_end_change(world);
    }
    if (!isfinite(number)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__, "An input must be finite.",
                         joint.value);
        return tni_world_end_change(world);
    }
    uint32_t place = function_find_input(world, function, joint, input, __func__);
    if (place != TNI_NONE && function->values.inputs[place] != number) {
        function->values.inputs[place] = number;
        tni_function_wake(world, function);
    }
    return tni_world_end_change(world);
}

double tn_function_joint_get_input(const tn_world *world, tn_joint_id joint, tn_node input) {
    const tni_function *function = function_read(world, joint, __func__);
    uint32_t place =
        function != NULL ? function_find_input(world, function, joint, input, __func__) : TNI_NONE;
    return place != TNI_NONE ? function->values.inputs[place] : 0.0;
}

static tni_graph_value function_compute(tn_world *world, tn_joint_id joint, tn_node node,
                                        const char *name) {
    tni_graph_value none = {0.0, 0.0, 0.0};
    tni_function *function = function_read(world, joint, name);
    uint32_t number = function != NULL ? tni_graph_find_number(function->graph, node) : TNI_NONE;
    if (number == TNI_NONE) {
        return none;
    }
    function_evaluate(world, function);
    return function->values.numbers[number];
}

static tni_graph_value function_read_value(tn_world *world, tn_joint_id joint, tn_node node,
                                           const char *name) {
    tni_graph_value value = {0.0, 0.0, 0.0};
    if (tni_world_begin_change(world, name)) {
        value = function_compute(world, joint, node, name);
    }
    tni_world_end_change(world);
    return value;
}

double tn_function_joint_get_value(tn_world *world, tn_joint_id joint, tn_node node) {
    return function_read_value(world, joint, node, __func__).value;
}

double tn_function_joint_get_rate(tn_world *world, tn_joint_id joint, tn_node node) {
    return function_read_value(world, joint, node, __func__).first;
}

// Returns the force of a row, by whatever method: a spring's from its present place, others' from
// the last impulse.
static double function_get_force(const tn_world *world, const tni_joint *joint, uint32_t row) {
    const tn_custom_row_def *def = &joint->def.function.apart->rows[row];
    if (def->kind != TN_CUSTOM_ROW_SPRING) {
        return (double)joint->impulses[row] * maths_inverse_or_zero_d(world->previous_h);
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    tni_world_begin_reading(world);
    tni_joint_value value = tni_joint_measure_value(joint, row, &a, &b);
    tni_world_end_reading(world);
    double force = -(double)def->stiffness * value.position -
                   (double)def->damping * (value.speed - (double)def->target_speed);
    double cap = (double)tni_row_get_cap(def->max_force);
    return maths_max_d(-cap, maths_min_d(force, cap));
}

static float function_read_force(const tn_world *world, tn_joint_id joint, uint32_t row,
                                 const char *name) {
    const tni_function *function = function_read(world, joint, name);
    if (function == NULL || row >= function->row_count) {
        return 0.0f;
    }
    uint32_t index = joint.value & TNI_POOL_INDEX_MASK;
    return function->is_span ? function->forces[row]
                             : (float)function_get_force(world, tni_joint_at(world, index), row);
}

float tn_function_joint_get_force(tn_world *world, tn_joint_id joint, uint32_t row) {
    float force = 0.0f;
    if (tni_world_begin_change(world, __func__)) {
        force = function_read_force(world, joint, row, __func__);
    }
    tni_world_end_change(world);
    return force;
}

uint32_t tn_function_joint_get_bodies(const tn_world *world, tn_joint_id joint,
                                      tn_body_id *out_bodies, uint32_t capacity) {
    const tni_function *function = function_read(world, joint, __func__);
    if (function == NULL) {
        return 0;
    }
    for (uint32_t i = 0; out_bodies != NULL && i < function->body_count && i < capacity; ++i) {
        out_bodies[i] = function_get_id(world, function->bodies[i]);
    }
    return function->body_count;
}
