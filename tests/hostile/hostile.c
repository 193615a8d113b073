// tests/hostile/hostile.c: a generated caller over the whole public interface.
//
//     tenon_hostile [--first SEED] [--seeds N] [--calls N] [--trace]
//
// Each seed makes two worlds and calls public functions at random, with values at random: ordinary
// ones, so that things get built, and among them NaN, infinities, huge and tiny numbers, stale and
// foreign handles, null pointers, callbacks that call back and an allocator that fails. Nothing is
// asked of the results. The program runs under sanitizers, which find the faults inside, and checks
// memory itself: a world gives back all that it took, with the sizes it asked for. In a run of at
// least HOSTILE_FULL_RUN calls every public function must have been called, and each that makes
// something must have made it. tests/hostile/write_calls.py writes the calls from the headers.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/machines.h>

#define HOSTILE_ARRAY       32
#define HOSTILE_KEPT        64
#define HOSTILE_WORLDS      2
#define HOSTILE_FULL_RUN    100000
#define HOSTILE_SOUND_NODES 7
#define HOSTILE_MOST_BODIES 40
#define HOSTILE_MOST_JOINTS 60

typedef enum hostile_kind {
    HOSTILE_BODY_ID,
    HOSTILE_SHAPE_ID,
    HOSTILE_JOINT_ID,
    HOSTILE_FORCE_ID,
    HOSTILE_HULL_ID,
    HOSTILE_REDUCED_ID,
    HOSTILE_CONTACT_ID,
    HOSTILE_NODE,
    HOSTILE_KIND_COUNT,
} hostile_kind;

typedef struct hostile hostile;

// A world, as the context of all its callbacks.
typedef struct hostile_place {
    hostile *h;
    tn_world *world;  // null inside the callbacks of a graph, which belongs to no world
    bool has_threads; // of its own: its joints' callbacks draw no numbers
} hostile_place;

struct hostile {
    uint64_t random;
    hostile_place places[HOSTILE_WORLDS + 1]; // the last is that of graphs
    uint32_t at;                              // the world that is called
    tn_graph *graph;                          // what the calls make of one
    tn_graph *sound_graph;                    // one that definitions can use
    tn_node sound_nodes[HOSTILE_SOUND_NODES];
    uint32_t handles[HOSTILE_KIND_COUNT][HOSTILE_KEPT];
    uint32_t families[HOSTILE_KIND_COUNT][HOSTILE_KEPT];
    uint32_t handle_counts[HOSTILE_KIND_COUNT];
    double doubles[HOSTILE_ARRAY];
    tn_vec3 points[HOSTILE_ARRAY];
    tn_body_id bodies[HOSTILE_ARRAY];
    tn_query_filter query_filter;
    uint64_t allocated;     // bytes that the library has now
    uint32_t failure_share; // one allocation in so many fails; 0: none does
    uint32_t malice;        // one value in so many is hostile
    int depth;              // of callbacks
    uint64_t report_count;
    bool is_null; // the call was given a null world
    bool is_wrong;
    bool is_traced;
};

typedef struct hostile_function {
    const char *name;
    void (*call)(hostile *h);
    uint32_t weight;
    bool makes; // it gives a handle
} hostile_function;

// ---- values ------------------------------------------------------------------------------------

// The generator is splitmix64: the same numbers on every platform.
static uint64_t hostile_next(hostile *h) {
    uint64_t z = h->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t hostile_below(hostile *h, uint32_t end) {
    return (uint32_t)(hostile_next(h) >> 32) % end;
}

static bool hostile_chance(hostile *h, uint32_t one_in) {
    return hostile_below(h, one_in) == 0;
}

static double hostile_unit(hostile *h) {
    return (double)(hostile_next(h) >> 11) * 0x1p-53;
}

static double hostile_double(hostile *h) {
    static const double hostile_numbers[] = {
        0.0,
        -0.0,
        (double)NAN,
        (double)INFINITY,
        -(double)INFINITY,
        1e308,
        -1e308,
        5e-324,
        1e-300,
        1e30,
        -1e30,
        1e-30,
        3.4e38,
        1e9,
        -1e9,
        1e-9,
        3.14159265358979,
        -1.0,
        1e-7,
        1e15,
        1.0e-12,
        6.2832,
        1e5,
        -1e5,
        1e-45,
        1.0e20,
    };
    if (hostile_chance(h, h->malice)) {
        return hostile_numbers[hostile_below(
            h, (uint32_t)(sizeof hostile_numbers / sizeof *hostile_numbers))];
    }
    switch (hostile_below(h, 16)) {
    case 0:
    case 1:
        return 0.0;
    case 2:
    case 3:
        return 1.0;
    case 4:
        return -hostile_unit(h);
    case 5:
    case 6:
        return 10.0 * hostile_unit(h);
    default:
        return hostile_unit(h);
    }
}

static float hostile_float(hostile *h) {
    double value = hostile_double(h);
    return value > 3.4e38 ? INFINITY : value < -3.4e38 ? -INFINITY : (float)value;
}

static bool hostile_bool(hostile *h) {
    return hostile_chance(h, 2);
}

static uint32_t hostile_uint32_t(hostile *h) {
    static const uint32_t hostile_numbers[] = {
        UINT32_MAX, UINT32_MAX - 1, 0x80000000u, 0x7fffffffu, 65536, 4096, 1000, 255, 64, 0};
    if (hostile_chance(h, h->malice)) {
        return hostile_numbers[hostile_below(
            h, (uint32_t)(sizeof hostile_numbers / sizeof *hostile_numbers))];
    }
    return hostile_below(h, 6);
}

static uint16_t hostile_uint16_t(hostile *h) {
    return (uint16_t)hostile_uint32_t(h);
}

static int32_t hostile_int32_t(hostile *h) {
    static const int32_t hostile_numbers[] = {INT32_MAX, INT32_MIN, -1, 1000000, 0};
    return hostile_chance(h, h->malice) ? hostile_numbers[hostile_below(h, 5)]
                                        : (int32_t)hostile_below(h, 9) - 2;
}

static uint64_t hostile_uint64_t(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_next(h) : UINT64_MAX >> hostile_below(h, 64);
}

static uint32_t hostile_enum(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_uint32_t(h) : hostile_below(h, 3);
}

// How many there are of what a pointer points at must be true; of an array inside a struct a caller
// may say anything.
static uint32_t hostile_count(hostile *h, bool has_pointer) {
    if (!has_pointer && hostile_chance(h, h->malice)) {
        return hostile_uint32_t(h);
    }
    return hostile_chance(h, 4) ? hostile_below(h, HOSTILE_ARRAY + 1) : 1 + hostile_below(h, 4);
}

static const double *hostile_doubles(hostile *h) {
    double sum = 0.0;
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        sum += fabs(hostile_double(h));
        h->doubles[i] = hostile_chance(h, 2) ? sum : 0.1 + hostile_unit(h);
    }
    return hostile_chance(h, h->malice) ? NULL : h->doubles;
}

static tn_vec3 hostile_vector(hostile *h) {
    tn_vec3 v;
    v.x = hostile_double(h);
    v.y = hostile_double(h);
    v.z = hostile_double(h);
    return v;
}

static const tn_vec3 *hostile_points(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        h->points[i] = hostile_vector(h);
    }
    return hostile_chance(h, h->malice) ? NULL : h->points;
}

// ---- handles -----------------------------------------------------------------------------------

static void hostile_keep(hostile *h, hostile_kind kind, uint32_t family, uint32_t value) {
    if (value == 0) {
        return;
    }
    uint32_t *count = &h->handle_counts[kind];
    uint32_t place = *count < HOSTILE_KEPT ? (*count)++ : hostile_below(h, HOSTILE_KEPT);
    h->handles[kind][place] = value;
    h->families[kind][place] = family;
}

static bool hostile_is_live(const hostile *h, hostile_kind kind, uint32_t value) {
    const tn_world *world = h->places[h->at].world;
    switch (kind) {
    case HOSTILE_BODY_ID:
        return tn_body_is_valid(world, (tn_body_id){value});
    case HOSTILE_SHAPE_ID:
        return tn_shape_is_valid(world, (tn_shape_id){value});
    case HOSTILE_JOINT_ID:
        return tn_joint_is_valid(world, (tn_joint_id){value});
    case HOSTILE_FORCE_ID:
        return tn_force_is_valid(world, (tn_force_id){value});
    case HOSTILE_REDUCED_ID:
        return tn_reduced_is_valid(world, (tn_reduced_id){value}) ||
               tn_affine_is_valid(world, (tn_reduced_id){value});
    default:
        return true;
    }
}

// A handle that was given once: nearly always a live one, of the family that the function is for;
// at times none, a stale one, one of another family, or one that is made up.
static uint32_t hostile_handle(hostile *h, hostile_kind kind, uint32_t family) {
    if (hostile_chance(h, 3 * h->malice)) {
        return (uint32_t)hostile_next(h) >> hostile_below(h, 32);
    }
    uint32_t count = h->handle_counts[kind];
    if (count == 0 || hostile_chance(h, 12)) {
        return 0;
    }
    uint32_t start = hostile_below(h, count);
    for (uint32_t i = 0; i < count && !hostile_chance(h, 4 * HOSTILE_KEPT); ++i) {
        uint32_t place = (start + i) % count, value = h->handles[kind][place];
        if ((family == 0 || family == h->families[kind][place]) &&
            hostile_is_live(h, kind, value)) {
            return value;
        }
    }
    return h->handles[kind][start];
}

static tn_world *hostile_world(hostile *h) {
    h->is_null = hostile_chance(h, 1000);
    return h->is_null ? NULL : h->places[h->at].world;
}

static tn_graph *hostile_graph(hostile *h) {
    return hostile_chance(h, 200) ? NULL : h->graph;
}

static const tn_graph *hostile_sound_graph(hostile *h) {
    return hostile_chance(h, h->malice) ? h->graph : h->sound_graph;
}

static tn_node hostile_sound_node(hostile *h) {
    return hostile_chance(h, h->malice) ? (tn_node){hostile_handle(h, HOSTILE_NODE, 0)}
                                        : h->sound_nodes[hostile_below(h, HOSTILE_SOUND_NODES)];
}

static double hostile_dt(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_double(h) : 1.0 / 60.0;
}

static uint32_t hostile_substeps(hostile *h) {
    return hostile_chance(h, h->malice) ? hostile_uint32_t(h) : 1 + hostile_below(h, 4);
}

static void *hostile_context(hostile *h) {
    return &h->places[h->at]; // every callback gets it back
}

// ---- callbacks ---------------------------------------------------------------------------------

static void hostile_call_any(hostile *h);

// At times a callback calls a public function, of its own world or of the other, or destroys its
// own world, which is refused.
static void hostile_call_back(hostile_place *place) {
    hostile *h = place->h;
    if (h->depth >= 2 || !hostile_chance(h, 8)) {
        return;
    }
    uint32_t at = h->at;
    bool is_null = h->is_null;
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

static tn_custom_joint_fn hostile_custom_joint_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_evaluate_custom;
}

static void hostile_evaluate_force(const tn_force_input *input, tn_force_output *out_output,
                                   void *context) {
    hostile_place *place = context;
    hostile *h = place->h;
    hostile_call_back(place);
    out_output->force[0].y = -input->connectors[0].position.y;
    if (hostile_chance(h, 4)) {
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

static tn_force_fn hostile_force_fn(hostile *h) {
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

static tn_motion_path_joint_fn hostile_motion_path_joint_fn(hostile *h) {
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

static tn_reduced_fn hostile_reduced_fn(hostile *h) {
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

static tn_surface_joint_fn hostile_surface_joint_fn(hostile *h) {
    return hostile_chance(h, h->malice) ? NULL : hostile_evaluate_surface;
}

static void hostile_evaluate_function(const double *x, uint32_t count, tn_function_value *out_value,
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

static bool hostile_filter(const tn_world *world, tn_shape_id shape_a, tn_shape_id shape_b,
                           void *user_data) {
    (void)world;
    hostile_place *place = user_data;
    hostile *h = place->h;
    hostile_keep(h, HOSTILE_SHAPE_ID, 0, shape_a.value);
    hostile_keep(h, HOSTILE_SHAPE_ID, 0, shape_b.value);
    hostile_call_back(place);
    return !hostile_chance(h, 10);
}

static bool hostile_pre_solve(const tn_world *world, const tn_contact *contact,
                              tn_contact_settings *settings, void *user_data) {
    (void)world, (void)contact;
    hostile_place *place = user_data;
    hostile *h = place->h;
    hostile_call_back(place);
    if (hostile_chance(h, 4)) {
        settings->friction = hostile_float(h);
        settings->restitution = hostile_float(h);
        settings->rolling_resistance = hostile_float(h);
    }
    return !hostile_chance(h, 10);
}

static bool hostile_accept(const tn_world *world, tn_shape_id shape, void *user_data) {
    (void)world;
    hostile_place *place = user_data;
    if (!place->has_threads) {
        hostile_keep(place->h, HOSTILE_SHAPE_ID, 0, shape.value);
        hostile_call_back(place);
    }
    return shape.value % 3 != 0;
}

static tn_query_accept_fn hostile_query_accept_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_accept;
}

static const tn_body_id *hostile_bodies(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_ARRAY; ++i) {
        h->bodies[i].value = hostile_handle(h, HOSTILE_BODY_ID, 0);
    }
    return hostile_chance(h, h->malice) ? NULL : h->bodies;
}

static void set_tn_query_filter(hostile *h, tn_query_filter *value, bool all);

static const tn_query_filter *hostile_query_filter(hostile *h) {
    h->query_filter = tn_query_filter_default();
    set_tn_query_filter(h, &h->query_filter, false);
    return hostile_chance(h, 3) ? NULL : &h->query_filter;
}

static void hostile_report(const tn_report *report, void *user_data) {
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
static void *hostile_cut_loop(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                              void *user_data) {
    (void)user_data;
    for (uint32_t last = count, k = 0; last > 0; ++k) {
        uint32_t size = min_range * (1 + k % 3), first = last > size ? last - size : 0;
        task(first, last, k % 2, context);
        last = first;
    }
    return NULL;
}

static void hostile_finish_loop(void *task, void *user_data) {
    (void)task, (void)user_data;
}

static tn_report_fn hostile_report_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_report;
}

static tn_task_enqueue_fn hostile_task_enqueue_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_cut_loop;
}

static tn_task_finish_fn hostile_task_finish_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_finish_loop;
}

// ---- memory ------------------------------------------------------------------------------------

static void *hostile_alloc(size_t size, size_t alignment, void *user_data) {
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

static void hostile_free(void *memory, size_t size, void *user_data) {
    hostile *h = ((hostile_place *)user_data)->h;
    h->allocated -= size;
    free(memory);
}

static tn_alloc_fn hostile_alloc_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_alloc;
}

static tn_free_fn hostile_free_fn(hostile *h) {
    return hostile_chance(h, 2) ? NULL : hostile_free;
}

// ---- worlds ------------------------------------------------------------------------------------

#include "hostile_calls.h"

#define HOSTILE_FUNCTIONS ((uint32_t)(sizeof hostile_functions / sizeof *hostile_functions))

// How often each function was called; of those that make something, without being refused.
static uint32_t hostile_counts[HOSTILE_FUNCTIONS];

static tn_world *hostile_create_world(hostile_place *place, bool is_hostile) {
    hostile *h = place->h;
    tn_world_def def = tn_world_def_default();
    place->has_threads = false;
    if (is_hostile) {
        set_tn_bias(h, &def.joint_bias, false);
        set_tn_bias(h, &def.contact_bias, false);
        set_tn_cg(h, &def.research.cg, false);
        def.solver = (tn_solver)hostile_below(h, 4);
        def.research.integrator = (tn_integrator)hostile_below(h, 4);
        def.dynamics = (tn_dynamics)hostile_chance(h, 8);
        def.is_sleep_allowed = hostile_bool(h);
        def.has_energy_ledger = hostile_bool(h);
        def.contact_margin = hostile_chance(h, 4) ? hostile_float(h) : def.contact_margin;
        def.handle_seed = hostile_uint16_t(h);
        def.is_baseline_only = hostile_bool(h);
        def.worker_count = hostile_chance(h, 2) ? 1 + hostile_below(h, 4) : 1;
        place->has_threads = def.worker_count > 1 && hostile_chance(h, 4);
        if (!place->has_threads) {
            def.enqueue = hostile_cut_loop;
            def.finish = hostile_finish_loop;
        }
    }
    def.alloc = hostile_alloc;
    def.free = hostile_free;
    def.memory_user_data = place;
    def.report = hostile_report;
    def.report_user_data = place;
    return tn_world_create(&def, NULL);
}

// A graph of a distance, an angle and what they are made of.
static void hostile_make_sound_graph(hostile *h) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node *nodes = h->sound_nodes;
    nodes[0] = tn_graph_add_point(graph, 0, (tn_vec3){0.1, 0.2, 0.3});
    nodes[1] = tn_graph_add_point(graph, 1, (tn_vec3){-0.3, 0.1, 0.0});
    nodes[2] = tn_graph_add_distance(graph, nodes[0], nodes[1]);
    nodes[3] = tn_graph_add_component(graph, nodes[0], 1);
    nodes[4] = tn_graph_add_function(graph, hostile_evaluate_function, &h->places[HOSTILE_WORLDS],
                                     &nodes[2], 1);
    nodes[5] = tn_graph_add_sum(graph, nodes[3], tn_graph_add_time(graph));
    nodes[6] = tn_graph_add_input(graph, 0.5);
    h->sound_graph = graph;
}

// A floor, a body that is led and two that fall.
static void hostile_make_bodies(hostile *h, tn_world *world) {
    tn_body_def def = tn_body_def_default();
    tn_shape_def shape = tn_shape_def_default();
    for (uint32_t i = 0; i < 4; ++i) {
        def.type = i == 0   ? TN_BODY_TYPE_STATIC
                   : i == 1 ? TN_BODY_TYPE_KINEMATIC
                            : TN_BODY_TYPE_DYNAMIC;
        def.pose.position.y = i;
        tn_body_id body = tn_body_create(world, &def);
        hostile_keep(h, HOSTILE_BODY_ID, 0, body.value);
        if (i == 0) {
            tn_half_space_shape_create(world, body, &shape);
        } else {
            tn_box_shape_create(world, body, &shape, (tn_vec3){0.5, 0.4, 0.3});
        }
    }
}

// The world has its first memory, whatever fails later.
static void hostile_make_world(hostile *h, hostile_place *place) {
    uint32_t failure_share = h->failure_share;
    h->failure_share = 0;
    place->world = hostile_create_world(place, hostile_chance(h, 2));
    if (place->world == NULL) {
        place->world = hostile_create_world(place, false);
    }
    hostile_make_bodies(h, place->world);
    h->failure_share = failure_share;
    if (hostile_chance(h, 2)) {
        tn_world_set_contact_filter(place->world, hostile_filter, place);
        tn_world_set_pre_solve(place->world, hostile_pre_solve, place);
    }
}

static void hostile_make_worlds(hostile *h, uint32_t failure_share) {
    for (uint32_t i = 0; i <= HOSTILE_WORLDS; ++i) {
        h->places[i].h = h;
    }
    for (uint32_t i = 0; i < HOSTILE_WORLDS; ++i) {
        hostile_make_world(h, &h->places[i]);
    }
    h->graph = tn_graph_create(hostile_alloc, hostile_free, &h->places[HOSTILE_WORLDS]);
    hostile_make_sound_graph(h);
    h->failure_share = failure_share;
}

// A world of a definition of which anything may be wrong lives for a moment, and one of the two is
// made anew.
static void hostile_change_worlds(hostile *h) {
    hostile_place *place = &h->places[h->at];
    hostile_place moment = {.h = h};
    tn_world_def def = tn_world_def_default();
    set_tn_world_def(h, &def, hostile_chance(h, 4));
    def.memory_user_data = def.report_user_data = def.task_user_data = &moment;
    tn_result result = TN_RESULT_OK;
    moment.world = tn_world_create(hostile_chance(h, 10) ? NULL : &def, &result);
    h->is_wrong |= (moment.world != NULL) != (result == TN_RESULT_OK);
    uint32_t version = TN_VERSION_NUMBER + 1 + hostile_below(h, 1 << 20);
    h->is_wrong |= tn_world_create_checked(&def, &result, version, sizeof def) != NULL ||
                   result != TN_RESULT_WRONG_HEADER;
    hostile_make_bodies(h, moment.world);
    tn_world_step(moment.world, 1.0 / 60.0, 4);
    tn_world_destroy(moment.world);
    tn_world_destroy(place->world);
    place->world = NULL; // a report of the next one's creation may call back
    hostile_make_world(h, place);
}

static void hostile_call_any(hostile *h) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < HOSTILE_FUNCTIONS; ++i) {
        total += hostile_functions[i].weight;
    }
    uint32_t at = hostile_below(h, total), chosen = 0;
    while (at >= hostile_functions[chosen].weight) {
        at -= hostile_functions[chosen++].weight;
    }
    if (h->is_traced) {
        printf("    %s%s\n", h->depth > 0 ? "    (from a callback) " : "",
               hostile_functions[chosen].name);
        fflush(stdout);
    }
    uint64_t report_count = h->report_count;
    h->is_null = false;
    hostile_functions[chosen].call(h);
    bool is_refused = h->report_count != report_count || h->is_null;
    hostile_counts[chosen] += is_refused && hostile_functions[chosen].makes ? 0 : 1;
}

// Begins with some of everything that can be made, of ordinary values: each kind of function finds
// an object that it is for.
static void hostile_make_all(hostile *h) {
    uint32_t malice = h->malice, failure_share = h->failure_share;
    h->malice = UINT32_MAX;
    h->failure_share = 0;
    hostile_make_bodies(h, h->places[h->at].world);
    for (uint32_t i = 0; i < HOSTILE_FUNCTIONS; ++i) {
        for (uint32_t k = 0; k < 3 && hostile_functions[i].makes; ++k) {
            hostile_functions[i].call(h);
        }
    }
    h->malice = malice;
    h->failure_share = failure_share;
}

// Notes contacts, and destroys what is too much for a run to take its time.
static void hostile_tend(hostile *h) {
    tn_world *world = h->places[h->at].world;
    tn_contact_id contacts[4];
    uint32_t contact_count = tn_world_get_contacts(world, contacts, 4);
    for (uint32_t i = 0; i < contact_count && i < 4; ++i) {
        hostile_keep(h, HOSTILE_CONTACT_ID, 0, contacts[i].value);
    }
    tn_body_id bodies[HOSTILE_MOST_BODIES];
    uint32_t count = tn_world_get_bodies(world, bodies, HOSTILE_MOST_BODIES);
    if (count == HOSTILE_MOST_BODIES) {
        for (uint32_t i = 0; i < count; i += 8) {
            tn_body_destroy(world, bodies[i]);
        }
    }
    tn_joint_id joints[HOSTILE_MOST_JOINTS];
    count = tn_world_get_joints(world, joints, HOSTILE_MOST_JOINTS);
    if (count == HOSTILE_MOST_JOINTS) {
        for (uint32_t i = 0; i < count; i += 8) {
            tn_joint_destroy(world, joints[i]);
        }
    }
}

static bool hostile_run(uint32_t seed, uint32_t calls, bool is_traced) {
    hostile *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return false;
    }
    h->random = seed;
    h->is_traced = is_traced;
    h->malice = 8u << hostile_below(h, 4);
    hostile_make_worlds(h, hostile_chance(h, 3) ? 10u << hostile_below(h, 6) : 0);
    if (hostile_chance(h, 2)) {
        hostile_make_all(h);
    }
    for (uint32_t i = 0; i < calls; ++i) {
        h->at = hostile_chance(h, 8) ? 1 : 0;
        if (hostile_chance(h, 500)) {
            hostile_change_worlds(h);
        }
        hostile_call_any(h);
        hostile_tend(h);
    }
    for (uint32_t i = 0; i < HOSTILE_WORLDS; ++i) {
        tn_world_destroy(h->places[i].world);
    }
    tn_graph_destroy(h->graph);
    tn_graph_destroy(h->sound_graph);
    bool is_right = !h->is_wrong && h->allocated == 0;
    if (!is_right) {
        printf("seed %u: %llu bytes were not given back%s\n", seed,
               (unsigned long long)h->allocated, h->is_wrong ? ", a report without text" : "");
    }
    free(h);
    return is_right;
}

// Names the functions that were never called, or made nothing.
static bool hostile_has_called_all(void) {
    bool has_all = true;
    for (uint32_t i = 0; i < HOSTILE_FUNCTIONS; ++i) {
        if (hostile_counts[i] == 0) {
            printf("%s was never called, or always refused\n", hostile_functions[i].name);
            has_all = false;
        }
    }
    return has_all;
}

static bool hostile_read_number(const char *text, uint32_t *out_number) {
    char *end = NULL;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    *out_number = (uint32_t)number;
    return errno == 0 && end != text && *end == '\0' && number <= UINT32_MAX;
}

int main(int count, char **arguments) {
    uint32_t first = 1, seeds = 100, calls = 1000, wrong = 0;
    bool is_traced = false;
    for (int i = 1; i < count; ++i) {
        uint32_t *number = strcmp(arguments[i], "--first") == 0   ? &first
                           : strcmp(arguments[i], "--seeds") == 0 ? &seeds
                           : strcmp(arguments[i], "--calls") == 0 ? &calls
                                                                  : NULL;
        if (strcmp(arguments[i], "--trace") == 0) {
            is_traced = true;
        } else if (number == NULL || ++i == count || !hostile_read_number(arguments[i], number)) {
            fprintf(stderr, "usage: %s [--first SEED] [--seeds N] [--calls N] [--trace]\n",
                    arguments[0]);
            return 2;
        }
    }
    for (uint32_t i = 0; i < seeds; ++i) {
        if (is_traced) {
            printf("seed %u\n", first + i);
        }
        wrong += !hostile_run(first + i, calls, is_traced);
    }
    bool is_full = (uint64_t)seeds * calls >= HOSTILE_FULL_RUN;
    bool is_right = wrong == 0 && (!is_full || hostile_has_called_all());
    printf("%u seeds of %u calls, %u wrong\n", seeds, calls, wrong);
    return is_right ? 0 : 1;
}
