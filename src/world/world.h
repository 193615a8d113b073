// world/world.h: a world with its pools and lists, access to their elements, and its reports.
//
// Awake objects stand in dense lists (awake_bodies, awake_contacts, awake_joints), so that a step
// never looks at sleeping ones.
#ifndef TNI_WORLD_WORLD_H
#define TNI_WORLD_WORLD_H

#include "collision/tree.h"
#include "core/counter.h"
#include "core/float_environment.h"
#include "core/hash.h"
#include "core/latch.h"
#include "core/memory/arena.h"
#include "core/memory/pages.h"
#include "core/memory/pool.h"
#include "core/sort.h"
#include "core/tasks.h"
#include "forces/force.h"
#include "world/objects.h"
#include "world/records/check.h"
#include "world/records/features.h"
#include "world/records/pair_exceptions.h"
#include "world/records/sensing.h"

struct tn_world {
    tn_world_def def;      // the present settings. Gravity is rounded to float, because
                           // contacts compute in float and a step uses one gravity throughout
    tni_features features; // the kinds of objects it has: see world/records/features.h
    struct tni_recording *recording; // null: the world does not record
    struct tni_replay *replay;       // null: it does not replay
    tni_allocator allocator;
    tni_tasks tasks;
    tni_arena arena;                   // scratch memory of one step
    tni_arena joint_arena;             // holds joint_plan
    struct tni_joint_plan *joint_plan; // what the last step learned about joints, or null
    uint64_t change_count;             // counts the calls that change the world, steps included
    uint64_t known_changes;            // change_count after the last step
    bool is_quiet;                     // nothing changed the world between the last two steps
    bool has_notes;                    // records of joints may name mechanisms
    bool uses_avx2;                    // runs the inner loops for AVX2: see core/cpu.h
    bool is_locked;                    // inside a step
    tni_counter callbacks;             // how many callbacks run now
    tni_counter asked;                 // threads in a callback of a reader: it forbids only changes
    bool has_loops;                    // so much moves that workers stay awake during a step
    bool times_stages;                 // so much moves that the clock is read after each stage
    tni_latch reports; // one thread at a time is in the report hook; other reports are only counted

    tni_pool body_pool, shape_pool, contact_pool, joint_pool, force_pool, reduced_pool;
    tni_pages bodies;         // tni_body
    tni_pages previous_poses; // tni_previous_pose, by body; empty unless the definition asks
    tni_pages shapes;         // tni_shape
    tni_pages shape_boxes;    // tni_shape_boxes, by shape
    tni_pages shape_motions;  // tni_shape_motion, by shape: valid in this step if its body is awake
    tni_pages contacts;       // tni_contact
    tni_pages contact_memories;  // tni_contact_memory, by contact
    tni_pages contact_edges;     // two tni_contact_edge, by contact: see tni_contact_edge_at
    tni_pages joints;            // tni_joint
    tni_pages forces;            // tni_force
    tni_index_list force_list;   // all forces, in the order of their creation
    tni_pages reduced;           // tni_reduced
    tni_index_list reduced_list; // all reduced objects, likewise

    tni_mechanism_record *mechanisms; // of the last steps, ordered by their first joints
    uint32_t mechanism_capacity;
    uint32_t mechanism_full;  // records before this one all have a mechanism
    uint32_t mechanism_count; // of the last step; later records may be reused
    // A snapshot's bytes of what mechanisms carry from step to step, until a step makes them: see
    // world/mechanisms/mechanism_state.c. Or null.
    unsigned char *kept_states;
    uint64_t kept_states_size;
    tn_mechanism_info *gradients_infos; // of conjugate gradients, in the last step
    uint32_t gradients_capacity, gradients_count;
    // The choices of TN_SOLVER_AUTO, one for each mechanism that was awake when it last chose.
    tni_mechanism_choice *choices;
    uint32_t choice_capacity, choice_count;
    uint32_t told_choice_count;  // how many users may read: all of them after a step
    uint32_t limit_event_joints; // joints that ask for limit events
    bool has_max_speeds;         // some body has a speed limit
    bool is_choice_stale;        // joints or masses changed since then, or something woke
    bool has_set_drives;         // a joint with drives changed since then

    tni_index_list awake_bodies, awake_joints;
    tni_index_list function_joints; // all function joints
    uint32_t tie_count;             // joints that exist as ties of these
    bool has_adopted;          // some joint of rigid bodies is solved with those of reduced bodies
    bool is_joint_order_stale; // see world/step/joint_order.c
    // space_keys is parallel to awake_bodies: where in space a body was when last determined, from
    // 0 to TNI_SPACE_KEYS - 1. parts_across: how many of a thousand contacts crossed parts.
    // has_new_keys: the keys are of the end of the last step. See world/step/parts.c.
    tni_index_list space_keys;
    uint32_t parts_across;
    bool has_space_keys, has_new_keys;
    tni_awake_contact_list awake_contacts;
    tni_index_list move_list;   // shapes whose enlarged bounds changed: a step seeks their pairs
    tni_index_list half_spaces; // shapes without a leaf
    tni_tree static_tree, moving_tree;
    tni_sensing sensing;
    tni_pair_exceptions exceptions;
    uint32_t follower_count; // contacts that follow in this step
    tni_index_list strays;   // shapes outside their boxes in the trees: see world/queries/query.c
    tni_latch knows_strays;  // shut while strays holds: until a step, or until a shape leaves
    tni_latch knows_boxes;   // shut while the trees are ready for rays: until a box changes
    tni_latch helps_query;   // the workers cast rays for one thread
    // Parts: where the shape of a child is, all slots for parts, and those that are free. See
    // world/collide/parts.c.
    tni_map part_map;
    tni_index_list parts, free_parts;
    tni_map part_touches; // pair of shapes as users see them -> how many of its contacts touch
    tni_map pairs;        // shape_a << 32 | shape_b -> contact index; shape_b > shape_a, so never 0
    uint64_t *pair_keys, *pair_scratch; // the candidates of one search, and room to sort them
    uint32_t pair_key_count, pair_key_capacity, pair_scratch_capacity;

    tn_contact_filter_fn filter;
    void *filter_user_data;
    tn_pre_solve_fn pre_solve;
    void *pre_solve_user_data;
    bool has_persists;    // some shape wants persist events, or did
    bool has_driven;      // some surface moves along its body, or did
    bool mixes_materials; // a callback may change the mixed values: they are renewed in each step

    tni_event_lists events;
    tn_telemetry telemetry;
    tni_ledger ledger;

    tn_draw_line *draw_lines;
    tn_draw_triangle *draw_triangles;
    uint32_t draw_line_capacity, draw_triangle_capacity;

    double time;
    uint64_t step_count;
    tni_counter report_count;
    tni_counter refusal;                    // tn_result: so far, of the call that changes the world
    uint32_t change_depth;                  // calls inside each other that change the world
    tni_float_environment host_environment; // of the outermost of these calls
    uint32_t contact_sweeps; // over contacts in no cluster, in eighths: see contact_sweeps.h
    double inverse_dt;       // of the last step, 1/s: turns impulses into forces
    double previous_h; // s: the last step's substep, 0 before the first; scales the warm start
};

static inline tni_dvec3 tni_world_get_gravity(const tn_world *world) {
    return dvec3_from_plain(world->def.gravity);
}
// Returns the fewest elements of a piece of a loop over bodies or contacts. If a step has few of
// these loops, workers do not stay awake for them, and waking one takes longer than its share of
// the work: then the whole loop is one piece.
static inline uint32_t tni_world_cut(const tn_world *world, uint32_t min_range) {
    return world->has_loops ? min_range : UINT32_MAX;
}

// ---- elements ---------------------------------------------------------------------------------

static inline tni_body *tni_body_at(const tn_world *world, uint32_t body) {
    return tni_pages_at(&world->bodies, body, sizeof(tni_body));
}
static inline tni_shape *tni_shape_at(const tn_world *world, uint32_t shape) {
    return tni_pages_at(&world->shapes, shape, sizeof(tni_shape));
}
static inline tni_shape_boxes *tni_shape_boxes_at(const tn_world *world, uint32_t shape) {
    return tni_pages_at(&world->shape_boxes, shape, sizeof(tni_shape_boxes));
}
static inline tni_shape_motion *tni_shape_motion_at(const tn_world *world, uint32_t shape) {
    return tni_pages_at(&world->shape_motions, shape, sizeof(tni_shape_motion));
}
static inline tni_contact *tni_contact_at(const tn_world *world, uint32_t contact) {
    return tni_pages_at(&world->contacts, contact, sizeof(tni_contact));
}
static inline tni_contact_memory *tni_contact_memory_at(const tn_world *world, uint32_t contact) {
    return tni_pages_at(&world->contact_memories, contact, sizeof(tni_contact_memory));
}
static inline tni_contact_edge *tni_contact_edge_at(const tn_world *world, uint32_t key) {
    tni_contact_edge *ends =
        tni_pages_at(&world->contact_edges, key >> 1, 2 * sizeof(tni_contact_edge));
    return &ends[key & 1];
}
static inline tni_joint *tni_joint_at(const tn_world *world, uint32_t joint) {
    return tni_pages_at(&world->joints, joint, sizeof(tni_joint));
}
static inline tni_force *tni_force_at(const tn_world *world, uint32_t force) {
    return tni_pages_at(&world->forces, force, sizeof(tni_force));
}
static inline tni_reduced *tni_reduced_at(const tn_world *world, uint32_t reduced) {
    return tni_pages_at(&world->reduced, reduced, sizeof(tni_reduced));
}
static inline tni_force_end *tni_force_end_at(const tn_world *world, uint32_t key) {
    return &tni_force_at(world, key >> TNI_FORCE_END_BITS)->ends[key & TNI_FORCE_END_MASK];
}

// ---- reports (world/step/report.c) --------------------------------------------------------------

// Counts the report and hands it to the world's hook. `world` may be const: only the counter and
// the user's hook are touched. Returns `result`, so that callers can pass it on.
tn_result tni_world_report(const tn_world *world, tn_result result, const char *function,
                           const char *message, uint32_t id);
// Reports what is wrong with the object that has this handle, 0 for a new one. Returns true if
// nothing is.
bool tni_world_accepts(const tn_world *world, tni_check check, const char *function, uint32_t id);
// A user's callback runs between these two calls, and may change nothing and make no query. The
// cast from const is valid: no world is a constant object, and the const of a reading function only
// promises to leave the simulation alone.
void tni_world_begin_callback(const tn_world *world);
void tni_world_end_callback(const tn_world *world);
// The same for functions that only read, on several threads at once: other threads go on with their
// queries.
void tni_world_begin_reading(const tn_world *world);
void tni_world_end_reading(const tn_world *world);
// Returns whether the world may not be changed now: during a step and inside a callback.
bool tni_world_is_locked(const tn_world *world);
// Returns true during a step and inside a callback, after a report of WORLD_LOCKED, and for a null
// world.
bool tni_world_refuses(const tn_world *world, const char *function);
// The same for a query, which the callback of another query may call.
bool tni_world_refuses_query(const tn_world *world, const char *function);
// Every function that changes what a step computes calls this first, and tni_world_end_change last.
// Between the two the thread computes in the library's environment (core/float_environment.h).
// Returns false if the call is refused; such a call, too, ends with tni_world_end_change. Calls
// nest.
bool tni_world_begin_change(tn_world *world, const char *function);
// Returns the result of a call that began with tni_world_begin_change or tni_world_refuses.
tn_result tni_world_end_change(tn_world *world);
// Returns whether the ledger counts the work of the world's steps.
static inline bool tni_world_keeps_ledger(const tn_world *world) {
    return world->def.has_energy_ledger && world->def.dynamics == TN_DYNAMICS_SECOND_ORDER;
}
// Every public function given a null world returns zero at once, without a report:
// tni_world_refuses is true for null, and the functions find_... return TNI_NONE.

// Returns the index of a live object in a pool of the world, or TNI_NONE after a report of
// INVALID_ID with this message; TNI_NONE without a report if the world is null.
uint32_t tni_world_find(const tn_world *world, const tni_pool *pool, uint32_t handle,
                        const char *function, const char *message);
uint32_t tni_world_find_body(const tn_world *world, tn_body_id id, const char *function);
uint32_t tni_world_find_shape(const tn_world *world, tn_shape_id id, const char *function);
uint32_t tni_world_find_joint(const tn_world *world, tn_joint_id id, const char *function);
// The same without a report. The world must not be null.
uint32_t tni_world_get_shape_index(const tn_world *world, tn_shape_id id);
uint32_t tni_world_get_joint_index(const tn_world *world, tn_joint_id id);
// The same for a call that changes something: it checks for WORLD_LOCKED first.
uint32_t tni_world_find_body_to_change(tn_world *world, tn_body_id id, const char *function);
uint32_t tni_world_find_shape_to_change(tn_world *world, tn_shape_id id, const char *function);
// The same, and WRONG_TYPE when the joint is of another type.
uint32_t tni_world_find_joint_of_type(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                      const char *function);

// ---- the step (world/step/step.c) ---------------------------------------------------------------

// Does what tn_world_step does, and records nothing.
tn_result tni_world_step(tn_world *world, double dt, uint32_t substeps);

// ---- lists (world/records/lists.c) --------------------------------------------------------------

bool tni_index_list_reserve(tni_allocator *allocator, tni_index_list *list, uint32_t needed);
bool tni_index_list_add(tni_allocator *allocator, tni_index_list *list, uint32_t item);

#endif
