// tests/hostile/hostile.h: what the files of the generated caller share. Its names follow the types
// of the interface, since write_calls.py makes hostile_<type>(h) of a type.
#ifndef TESTS_HOSTILE_HOSTILE_H
#define TESTS_HOSTILE_HOSTILE_H

#include <tenon/machines.h>

#define HOSTILE_ARRAY       32
#define HOSTILE_KEPT        64
#define HOSTILE_SAVED       8192
#define HOSTILE_WORLDS      2
#define HOSTILE_SOUND_NODES 7
#define HOSTILE_MOST_BODIES 40
#define HOSTILE_MOST_JOINTS 60

typedef enum hostile_kind {
    HOSTILE_BODY_ID,
    HOSTILE_SHAPE_ID,
    HOSTILE_JOINT_ID,
    HOSTILE_FORCE_ID,
    HOSTILE_REDUCED_ID,
    HOSTILE_CONTACT_ID,
    HOSTILE_NODE,
    HOSTILE_LEAF_ID,
    HOSTILE_KIND_COUNT,
} hostile_kind;

typedef struct hostile hostile;

// A world, as the context of all its callbacks.
typedef struct hostile_place {
    hostile *h;
    tn_world *world;  // null inside the callbacks of a graph, which belongs to no world
    bool has_threads; // of its own: its joints' callbacks draw no numbers
    unsigned char *recorded, *replayed; // recordings, or null
    uint64_t recorded_size;
} hostile_place;

struct hostile {
    uint64_t random;
    hostile_place places[HOSTILE_WORLDS + 1]; // the last is that of graphs
    uint32_t at;                              // the world that is called
    tn_graph *graph;                          // what the calls make of one
    tn_graph *sound_graph;                    // one that definitions can use
    tn_tree *tree;
    tn_node sound_nodes[HOSTILE_SOUND_NODES];
    uint32_t handles[HOSTILE_KIND_COUNT][HOSTILE_KEPT];
    uint32_t families[HOSTILE_KIND_COUNT][HOSTILE_KEPT];
    uint32_t handle_counts[HOSTILE_KIND_COUNT];
    double doubles[HOSTILE_ARRAY];
    tn_vec3 points[HOSTILE_ARRAY];
    tn_body_id bodies[HOSTILE_ARRAY];
    tn_query_filter query_filter;
    tn_hull *hull;
    tn_mesh *mesh;
    tn_height_field *height_field;
    tn_compound *compound;
    unsigned char saved[HOSTILE_SAVED];
    unsigned char *snapshot; // of some world, at some time
    uint64_t snapshot_size;
    uint8_t bytes[HOSTILE_ARRAY];
    float floats[3 * HOSTILE_ARRAY];
    uint32_t indices[3 * HOSTILE_ARRAY];
    uint16_t places_of[HOSTILE_ARRAY];
    uint64_t allocated;     // bytes that the library has now
    uint32_t failure_share; // one allocation in so many fails; 0: none does
    uint32_t malice;        // one value in so many is hostile
    int depth;              // of callbacks
    int rounding;           // of the caller during a call, as fenv.h names it
    uint64_t hash;          // of the worlds after each call
    bool has_changed_rounding;
    uint64_t report_count;
    bool is_null; // the call was given a null world
    bool is_wrong;
    bool is_traced;
    bool is_calm;   // callbacks answer as they did before, and call nothing
    uint64_t noted; // a hash of what calls returned
};

typedef struct hostile_function {
    const char *name;
    void (*call)(hostile *h);
    uint32_t weight;
    bool makes; // it gives a handle
    bool sets;  // it changes a world, as a recording has to know
    bool reads; // it returns something of a world
} hostile_function;

// ---- recordings (hostile_recording.c)
// ------------------------------------------------------------

// Starts a recording of the world that is called, or a replay into it.
void hostile_record(hostile *h);
// Frees the recordings of worlds that are no more.
void hostile_forget_recordings(hostile *h);

// ---- setters (hostile_setters.c) ----------------------------------------------------------------

// Calls all functions that set something while a world records, and compares it with its replay.
// Returns false if it differs.
bool hostile_check_setters(uint64_t seed, bool is_traced);
// Names those that were always refused.
bool hostile_has_set_all(void);

// ---- values (hostile_values.c) ------------------------------------------------------------------

// Adds what a call returned to the hash of that.
void hostile_note(hostile *h, const void *bytes, size_t size);

// These draw a value of one type, nearly always an ordinary one.
uint64_t hostile_next(hostile *h);
uint32_t hostile_below(hostile *h, uint32_t end);
bool hostile_chance(hostile *h, uint32_t one_in);
double hostile_unit(hostile *h);
double hostile_double(hostile *h);
float hostile_float(hostile *h);
bool hostile_bool(hostile *h);
uint32_t hostile_uint32_t(hostile *h);
uint16_t hostile_uint16_t(hostile *h);
int32_t hostile_int32_t(hostile *h);
uint64_t hostile_uint64_t(hostile *h);
uint32_t hostile_enum(hostile *h);
uint32_t hostile_count(hostile *h, bool has_pointer);
const double *hostile_doubles(hostile *h);
// Coordinates and corners of triangles, and places in a list.
const float *hostile_floats(hostile *h);
const uint32_t *hostile_indices(hostile *h);
const uint16_t *hostile_places(hostile *h);
const uint8_t *hostile_bytes(hostile *h);
tn_vec3 hostile_vector(hostile *h);
const tn_vec3 *hostile_points(hostile *h);

// The first remembers a handle that a call gave, unless it is null; the others draw one of those,
// and the other arguments of a call.
void hostile_keep(hostile *h, hostile_kind kind, uint32_t family, uint32_t value);
uint32_t hostile_handle(hostile *h, hostile_kind kind, uint32_t family);
tn_world *hostile_world(hostile *h);
tn_graph *hostile_graph(hostile *h);
tn_hull *hostile_hull(hostile *h);
tn_mesh *hostile_mesh(hostile *h);
tn_height_field *hostile_height_field(hostile *h);
tn_compound *hostile_compound(hostile *h);
const tn_graph *hostile_sound_graph(hostile *h);
tn_tree *hostile_tree(hostile *h);
tn_node hostile_sound_node(hostile *h);
double hostile_dt(hostile *h);
uint32_t hostile_substeps(hostile *h);
void *hostile_user_data(hostile *h);
void *hostile_context(hostile *h);

// ---- callbacks (hostile_callbacks.c) ------------------------------------------------------------

// These choose the callbacks of definitions, and at times none.
tn_custom_joint_fn hostile_custom_joint_fn(hostile *h);
tn_force_fn hostile_force_fn(hostile *h);
tn_motion_path_joint_fn hostile_motion_path_joint_fn(hostile *h);
tn_reduced_fn hostile_reduced_fn(hostile *h);
tn_surface_joint_fn hostile_surface_joint_fn(hostile *h);
tn_query_accept_fn hostile_query_accept_fn(hostile *h);
tn_tree_visit_fn hostile_tree_visit_fn(hostile *h);
tn_report_fn hostile_report_fn(hostile *h);
tn_task_enqueue_fn hostile_task_enqueue_fn(hostile *h);
tn_task_finish_fn hostile_task_finish_fn(hostile *h);
tn_alloc_fn hostile_alloc_fn(hostile *h);
tn_mesh_progress_fn hostile_mesh_progress_fn(hostile *h);
tn_free_fn hostile_free_fn(hostile *h);
// hostile.c gives these by hand.
void hostile_evaluate_function(const double *x, uint32_t count, tn_function_value *out_value,
                               void *context);
bool hostile_filter(const tn_world *world, tn_shape_id shape_a, tn_shape_id shape_b,
                    void *user_data);
bool hostile_pre_solve(const tn_world *world, const tn_contact *contact,
                       tn_contact_settings *settings, void *user_data);
const tn_body_id *hostile_bodies(hostile *h);
void hostile_report(const tn_report *report, void *user_data);
void *hostile_cut_loop(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                       void *user_data);
void hostile_finish_loop(void *task, void *user_data);
void *hostile_alloc(size_t size, size_t alignment, void *user_data);
void hostile_free(void *memory, size_t size, void *user_data);

// ---- calls (hostile.c) --------------------------------------------------------------------------

// A call from outside of callbacks stands between these two: the first sets how the caller rounds,
// and the second notes whether it still does. Values are drawn while it rounds to nearest, so that
// they do not depend on it.
void hostile_begin_call(hostile *h);
void hostile_end_call(hostile *h);

// Begin and end with a seed. They begin with worlds in which one allocation in `failure_share`
// fails.
void hostile_begin(hostile *h, uint64_t seed);
void hostile_make_worlds(hostile *h, uint32_t failure_share);
void hostile_end(hostile *h);
// Makes some of everything that can be made, of ordinary values.
void hostile_make_all(hostile *h);
// Returns all functions that are generated.
const hostile_function *hostile_get_functions(uint32_t *out_count);
// Calls any public function.
void hostile_call_any(hostile *h);
// Calls something from inside a callback of the world, now and then.
void hostile_call_back(hostile_place *place);

#endif
