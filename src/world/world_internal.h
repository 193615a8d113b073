// world/world_internal.h: the records of a world and the functions its files share.
//
// Objects live in arrays parallel to a pool of handles: body i belongs to slot i of body_pool. The
// arrays grow by pages; tni_body_at and the functions like it find an element. Lists thread through
// the arrays by index. Awake objects stand in dense lists (awake_bodies, awake_contacts,
// awake_joints), so that a step never looks at sleeping ones.
#ifndef TNI_WORLD_WORLD_INTERNAL_H
#define TNI_WORLD_WORLD_INTERNAL_H

#include "collision/hull.h"
#include "collision/manifold.h"
#include "collision/tree.h"
#include "core/arena.h"
#include "core/counter.h"
#include "core/hash.h"
#include "core/inertia.h"
#include "core/latch.h"
#include "core/pages.h"
#include "core/pool.h"
#include "core/sort.h"
#include "core/tasks.h"
#include "forces/force.h"
#include "joints/joint.h"
#include "solver/exact/mechanism.h"
#include "solver/movers/affine.h"
#include "solver/step/choice.h"
#include "tenon/machines.h"
#include "world/records/check.h"
#include "world/records/features.h"

// Records how a slow body moves, by thirds of the sleep time: see world/step/sleep.c.
typedef struct tni_rest {
    tni_dquat rotation; // this and the position are of the end of the last third
    tni_dvec3 position;
    vec3s velocity, spin;               // m/s, rad/s: the means over that third
    float velocity_change, spin_change; // m/s, rad/s: how much they changed since the third before
    float since;                        // s: rest_time when that third ended
    uint32_t thirds;                    // how many have ended, at most TNI_REST_THIRDS
} tni_rest;

#define TNI_REST_THIRDS 3u

// The members that every pass of a step reads come first, in whole cache lines: the motion fills
// two, and a line of members that most passes read follows. A body begins at a multiple of 16
// bytes, and the members from handle to solver_index lie in one line wherever that is.
typedef struct tni_body {
    union {
        tni_body_motion motion;
        struct {                // other names for the members of `motion`
            tni_dvec3 position; // of the centre of mass, world
            double unused;
            tni_dquat rotation; // body axes to world axes
            tni_dvec3 velocity;
            double unused_too;
            tni_dvec3 angular_velocity;
            double unused_last;
        };
    };

    uint32_t handle;
    tn_body_type type;
    uint32_t awake_index;  // in world->awake_bodies, or TNI_NONE: static, asleep or disabled
    uint32_t solver_index; // during a step: in the solver's arrays
    uint32_t locks;        // tn_body_lock bits
    bool is_enabled, is_sleep_allowed, has_given_mass;
    bool is_isotropic;    // inertia is a multiple of the identity
    bool has_target : 1;  // kinematic: velocity came from a target pose, for one step
    bool met_target : 1;  // the last step took it to a target pose
    bool is_particle : 1; // never turns: its inertia is 0 and `principal` infinite
    bool is_touched : 1;  // a contact pushed it in the last step, or could have
    bool is_exact;        // a mechanism moved it in the last step
    bool is_pushed;       // force or torque is not 0
    bool was_awake;       // whether it was when an event last reported it
    uint32_t shape_head;  // first shape, or TNI_NONE
    float rest_time;      // s: for how long it has been slow
    float linear_damping, angular_damping, gravity_scale;
    double inv_mass; // zero for static and kinematic bodies

    tni_dvec3 local_center; // centre of mass in the body's frame
    void *user_data;
    tni_inertia principal; // inertia by its principal axes; infinite for static and kinematic ones

    tni_dvec3 force, torque; // applied since the last step; world axes, torque about the centre
    double mass;             // kg, as given; of static and kinematic bodies only the inverse is 0
    tni_dmat3 inertia;       // about the centre of mass, body axes
    uint32_t contact_head;   // first contact edge key (contact index * 2 + end), or TNI_NONE
    uint32_t joint_head;     // first joint edge key, or TNI_NONE
    uint32_t shape_count, contact_count, joint_count;
    uint32_t sleep_next;   // ring of the bodies that fell asleep together, or TNI_NONE when awake
    uint32_t sleep_note;   // in events.sleep_notes, or TNI_NONE
    uint32_t force_head;   // first force end key (force index * 16 + end), or TNI_NONE
    uint32_t reduced;      // the reduced object whose coordinates give its pose, or TNI_NONE
    uint32_t stack_resume; // step_count from which its stack is solved at once: world/step/stacks.c
    vec3s bend;            // m/s^2: how the velocity of a body on joints changed over the last step
    tni_rest rest;
    float max_linear_speed, max_angular_speed; // m/s, rad/s; INFINITY means no bound
    uint32_t unused_end;
} tni_body;

// Prefetches a body. A pass over the awake bodies calls this for bodies some places ahead.
TNI_KERNEL void tni_body_fetch(const tni_body *body) {
    const char *bytes = (const char *)body;
    for (uint32_t line = 0; line < 4; ++line) {
        TNI_PREFETCH(bytes + line * TNI_CACHE_LINE);
    }
}

// The data of a shape and its body that the narrow phase reads, in three cache lines: see
// world/api/shape_motion.c.
typedef struct tni_shape_motion {
    tni_oriented_box box;   // in the geometry's own axes; half extents are set for boxes only
    tni_dvec3 center;       // of that frame, in the world
    tni_dvec3 velocity;     // of the body's centre of mass; in free fall that of mid step
    float turn_way;         // m: how far rotation carries the surface outward in this step
    float turn, turn_reach; // rad: see tni_body_turn_ahead and tni_body_turn_reach
    bool is_box : 1, is_dynamic : 1, is_static : 1;
    bool is_bent : 1;     // joints bend its body's path: see tni_body_bend_velocity
    bool is_deformed : 1; // its body is affine
    bool is_awake;        // if not, the other members are stale
    tni_dvec3 position;   // of the body's centre of mass
    tni_dvec3 angular_velocity;
    versors rotation; // of the geometry's frame
} tni_shape_motion;

// The two boxes of a shape. Every step reads them for every pair in the list of contacts.
typedef struct tni_shape_boxes {
    tni_bounds needed;   // where it may be in this step, with half the contact margin added
    tni_bounds enlarged; // as it stands in the tree
} tni_shape_boxes;

typedef struct tni_shape {
    uint32_t handle;
    uint32_t body;
    uint32_t next; // the next shape of the same body
    uint32_t hull; // index in hulls, or TNI_NONE
    tni_geometry geometry;
    tni_deformed *deformed; // null unless its body is affine
    float density;
    tn_material material;
    tn_filter filter;
    bool has_hit_events;
    bool is_central_ball; // a ball in the middle of its body: rotation does not move it
    uint32_t move_index;  // in move_list, whose pairs the next step looks for; or TNI_NONE
    uint32_t leaf;        // in the tree of its body's type, or TNI_NONE
    uint32_t spare_leaf;  // while the body changes its type: the leaf in the other tree
    uint32_t plane_index; // half-space: in world->half_spaces, or TNI_NONE
    float turn_reach;     // m per rad: how fast rotation about the body's centre moves the surface
    float turn_limit;     // m: the most by which rotation can move it outward
    float size;           // m: about half its extent, for the margin of its bounds
    void *user_data;
} tni_shape;

typedef struct tni_hull_record {
    uint32_t handle;
    tni_hull *hull;
    uint32_t user_count; // shapes that use it, plus 1 while the user owns it
    bool is_given_back;  // the user released it, and shapes still use it
} tni_hull_record;

typedef struct tni_contact_edge {
    uint32_t previous, next; // keys, or TNI_NONE
} tni_contact_edge;

// The load that was on points of a contact which ended in this step: see
// world/collide/contact_hand_on.c.
typedef struct tni_contact_lost {
    vec3s normal;   // from body a to b
    float load;     // N·s per substep; 0 when there is none or it was handed on
    vec3s moment;   // about the moving body's centre of mass, N·m·s
    vec3s friction; // on b
} tni_contact_lost;

// A manifold remembers the poses that it was made from, and its points on both surfaces: see
// world/collide/contact_recycle.c.
typedef struct tni_contact_memory {
    vec3s position; // of b's frame in a's
    versors rotation;
    float most_way2, most_turn2; // the squares of how far b may move and turn in a's frame
    float margin;                // m: points were sought up to this separation
    vec3s normal;                // in a's frame
    uint32_t features[TNI_MANIFOLD_MAX_POINTS];
    float anchor_a[3][TNI_MANIFOLD_MAX_POINTS], anchor_b[3][TNI_MANIFOLD_MAX_POINTS];
    uint32_t point_count;
    // For a walked contact (world/collide/contact_path.c): the vector from b's centre of mass to
    // a's at the time of its manifold, m; that time, s; and the time at which the pair really
    // meets, s.
    vec3s offset;
    float time, blow;
    float gaps[TNI_MANIFOLD_MAX_POINTS]; // m: the points' gaps at that time
    uint32_t follower;                   // the number, in this step, of a contact that follows
    bool looks; // a contact that follows looks ahead: see solver/contacts/contact_look.c
    tni_contact_lost lost;
} tni_contact_memory;

// The data that a step reads of every contact with points, in four cache lines. Rarely read data
// stands in parallel arrays: the memory, and the contact's edges in the lists of both bodies.
typedef struct tni_contact {
    uint32_t handle;
    uint32_t shape_a, shape_b; // indices, shape_a < shape_b
    uint32_t body_a, body_b;
    uint32_t awake_index;
    tni_manifold_cache cache;
    uint16_t sweeps; // of its cluster in the next step, 0 for the least: see contact_sweeps.h
    bool is_touching, was_touching;
    bool is_disabled;   // the pre-solve callback disabled it for this step
    bool may_wake;      // touches, and one of the bodies is not awake
    bool is_remembered; // its memory is valid
    bool is_walked;     // its manifold is of a later time in the step: see contact_path.c
    bool is_confirmed;  // no other axis of the two shapes carries load while they touch as they do
    uint8_t follows;    // tni_follows: its normal or arms turn within the step
    bool slides;        // friction was at its bound in the last substep: see contact_slip.c
    // For this step. The static coefficient holds while nothing slides.
    float friction, static_friction, restitution, rolling_resistance, twisting_resistance;
    tni_dvec3 origin;      // the world point to which the manifold's positions are relative
    tni_manifold manifold; // normal from body a to body b
    float normal_impulses[TNI_MANIFOLD_MAX_POINTS]; // per substep, for warm starting
    float step_impulses[TNI_MANIFOLD_MAX_POINTS];   // over the last step, for users
    vec3s friction_impulse;                         // per substep, world axes, on body b
    vec3s rolling_impulse; // per substep, angular, world axes, on body b (rolling and twisting)
    vec3s step_friction_impulse;
    // N·s: the load on its points in the last substep; if a mechanism solves it, the smaller of the
    // last two. Below 0: Gauss-Seidel solves it and joints hold one of the bodies.
    float borne;
    float lift; // m: it is closed that much sooner, see world/collide/contact_lift.h
    vec3s slip; // m/s: b past a before the last step, if static friction differs
} tni_contact;

// An entry in the list of awake contacts. Its flags say whether the contact itself must be read:
// most contacts of a pile are only near.
typedef struct tni_awake_contact {
    uint32_t contact;
    uint32_t shape_a, shape_b;
    bool has_points, has_static; // has_static: a body is static or kinematic
    bool is_quiet;  // it had no points, no touch and no end of a touch in the last step
    bool has_news;  // it began, ended or may wake a body, which is reported in order
    bool is_apart;  // the enlarged boxes no longer overlap: the end of the pass removes it
    bool has_plane; // one of the shapes is a half-space
    bool is_near;   // it has points that neither touched nor pushed: see step_contacts.c
} tni_awake_contact;

typedef struct tni_awake_contact_list {
    tni_awake_contact *items;
    uint32_t count, capacity;
} tni_awake_contact_list;

// A growing list of indices.
typedef struct tni_index_list {
    uint32_t *items;
    uint32_t count, capacity;
} tni_index_list;

// The arrays behind tn_events. A step refills them, and reserves room before anything moves.
typedef struct tni_event_lists {
    tn_contact_event *begins, *ends;
    tn_hit_event *hits;
    tn_joint_break_event *joint_breaks;
    tn_body_move_event *moves;
    tn_sleep_event *sleeps;
    tn_joint_limit_event *joint_limits;
    uint32_t joint_limit_count, joint_limit_capacity;
    uint32_t begin_count, end_count, hit_count, joint_break_count, move_count, sleep_count;
    uint32_t begin_capacity, end_capacity, hit_capacity, joint_break_capacity, move_capacity,
        sleep_capacity;
    // Ends since the last publication, including those between steps. It always has room for one
    // more end of every contact.
    tn_contact_event *pending_ends;
    uint32_t pending_end_count, pending_end_capacity;
    tni_index_list sleep_notes; // bodies that fell asleep or woke since, each once
    uint64_t *sort_keys, *sort_scratch;
    uint32_t sort_key_capacity, sort_scratch_capacity;
} tni_event_lists;

// Energy that was put in since the world was created, J. See tn_energy.
typedef struct tni_ledger {
    double gravity, motor, spring, force, joint, friction, impact, damping;
} tni_ledger;

// A mechanism's composition: see world/mechanisms/mechanism_records.c.
typedef struct tni_mechanism_record {
    tni_mechanism mechanism;
    uint64_t signature;
    tn_mechanism_info info; // of the last step
    void *memory;           // holds its bodies and joints; null when there are none
    size_t memory_size;
    // A hash table with chains finds records by signature: first_found heads the chain of the
    // bucket with this record's index, signature % mechanism_capacity, and next_found is the next
    // in this one's chain. Both are indices from 1; 0 is none.
    uint32_t first_found, next_found;
} tni_mechanism_record;
void tni_mechanism_record_clear(tn_world *world, tni_mechanism_record *record);

// The choice of TN_SOLVER_AUTO for a mechanism: see world/mechanisms/mechanism_choice.c.
typedef struct tni_mechanism_choice {
    tni_choice choice;
    tn_mechanism_info info; // of the last step, if Gauss-Seidel solved it
    bool is_seen;           // it took part in the last step
    bool has_ties;          // rigid rows or ropes
    bool is_loaded;         // light bodies carry heavy ones
    bool is_held;           // its joints were too far open after the last step
    bool is_net;            // it is of particles, and swept unless something heavy lies in it
    bool is_pressed;        // something heavy pressed it in the last step
    double pressed_down;    // how hard contacts pushed it then, along gravity
    bool presses;           // it pressed a loose body in the last step
    bool is_pair;           // two bodies, one of which hangs on something that does not move
    bool strikes;           // it is about to run into a limit of its own
    uint32_t open_steps;    // how many steps in a row they were open
    uint32_t rows;          // how many its joints have
} tni_mechanism_choice;

struct tn_world {
    tn_world_def def;      // the present settings. Gravity is rounded to float, because
                           // contacts compute in float and a step uses one gravity throughout
    tni_features features; // the kinds of objects it has: see world/records/features.h
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
    tni_counter asked;                 // threads in a query's callback, which forbids only changes
    bool has_loops;                    // so much moves that workers stay awake during a step
    bool times_stages;                 // so much moves that the clock is read after each stage
    bool is_reporting; // inside the report hook, where further reports are only counted

    tni_pool body_pool, shape_pool, hull_pool, contact_pool, joint_pool, force_pool, reduced_pool;
    tni_pages bodies;        // tni_body
    tni_pages shapes;        // tni_shape
    tni_pages shape_boxes;   // tni_shape_boxes, by shape
    tni_pages shape_motions; // tni_shape_motion, by shape: valid in this step if its body is awake
    tni_hull_record *hulls;
    uint32_t hull_capacity;
    tni_pages contacts;          // tni_contact
    tni_pages contact_memories;  // tni_contact_memory, by contact
    tni_pages contact_edges;     // two tni_contact_edge, by contact: see tni_contact_edge_at
    tni_pages joints;            // tni_joint
    tni_pages forces;            // tni_force
    tni_index_list force_list;   // all forces, in the order of their creation
    tni_pages reduced;           // tni_reduced
    tni_index_list reduced_list; // all reduced objects, likewise

    tni_mechanism_record *mechanisms; // of the last steps, ordered by their first joints
    uint32_t mechanism_capacity;
    uint32_t mechanism_full;            // records before this one all have a mechanism
    uint32_t mechanism_count;           // of the last step; later records may be reused
    tn_mechanism_info *gradients_infos; // of conjugate gradients, in the last step
    uint32_t gradients_capacity, gradients_count;
    // The choices of TN_SOLVER_AUTO, one for each mechanism that was awake when it last chose.
    tni_mechanism_choice *choices;
    uint32_t choice_capacity, choice_count;
    uint32_t told_choice_count;  // how many users may read: all of them after a step
    uint32_t limit_event_joints; // joints that ask for limit events
    bool has_max_speeds;         // some body has a speed limit
    bool is_choice_stale;        // joints or masses changed since then, or something woke

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
    uint32_t follower_count; // contacts that follow in this step
    tni_index_list strays;   // shapes outside their boxes in the trees: see world/api/query.c
    tni_latch knows_strays;  // shut while strays holds: until a step, or until a shape leaves
    tni_latch helps_query;   // the workers cast rays for one thread
    tni_map pairs; // shape_a << 32 | shape_b -> contact index; shape_b > shape_a, so never 0
    uint64_t *pair_keys, *pair_scratch; // the candidates of one search, and room to sort them
    uint32_t pair_key_count, pair_key_capacity, pair_scratch_capacity;

    tn_contact_filter_fn filter;
    void *filter_user_data;
    tn_pre_solve_fn pre_solve;
    void *pre_solve_user_data;
    bool mixes_materials; // in every step, because a callback may change the mixed values

    tni_event_lists events;
    tn_telemetry telemetry;
    tni_ledger ledger;

    tn_draw_line *draw_lines;
    tn_draw_triangle *draw_triangles;
    uint32_t draw_line_capacity, draw_triangle_capacity;

    double time;
    uint64_t step_count;
    uint64_t report_count;
    tn_result refusal;       // the result so far of the call that changes the world
    uint32_t contact_sweeps; // of the next step, over contacts in no cluster
    double inverse_dt;       // of the last step, 1/s: turns impulses into forces
    double previous_h; // s: the last step's substep, 0 before the first; scales the warm start
};

static inline tni_dvec3 tni_world_get_gravity(const tn_world *world) {
    return dvec3_from_plain(world->def.gravity);
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
// Returns whether coordinates move one of its bodies. If so, the solver makes the contact anew in
// each substep: solver/movers/span_contact_place.c. A sleeping body is like any other.
static inline bool tni_contact_is_led(const tn_world *world, const tni_contact *contact) {
    if (world->reduced_list.count == 0) {
        return false;
    }
    const tni_body *a = tni_body_at(world, contact->body_a);
    const tni_body *b = tni_body_at(world, contact->body_b);
    return (a->reduced != TNI_NONE && a->awake_index != TNI_NONE) ||
           (b->reduced != TNI_NONE && b->awake_index != TNI_NONE);
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
// A user's callback runs between these two calls, and may change nothing. Functions that only read
// call callbacks too, from several threads. The cast from const is valid: no world is a constant
// object, and the const of a reading function only promises to leave the simulation alone.
void tni_world_begin_callback(const tn_world *world);
void tni_world_end_callback(const tn_world *world);
// Returns true during a step and inside a callback, after a report of WORLD_LOCKED, and for a null
// world.
bool tni_world_refuses(const tn_world *world, const char *function);
// The same for a query, which the callback of another query may call.
bool tni_world_refuses_query(const tn_world *world, const char *function);
// Every function that changes what a step computes calls this first. Returns false if it is
// refused.
bool tni_world_begin_change(tn_world *world, const char *function);
// Returns the result of a call that began with tni_world_begin_change or tni_world_refuses.
static inline tn_result tni_world_get_refusal(const tn_world *world) {
    return world ? world->refusal : TN_RESULT_INVALID_ARGUMENT;
}
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
// Frees what joints own outside their records.
void tni_world_drop_joint_defs(tn_world *world);
uint32_t tni_world_find_joint(const tn_world *world, tn_joint_id id, const char *function);
// The same without a report. The world must not be null.
uint32_t tni_world_get_joint_index(const tn_world *world, tn_joint_id id);
// Refuses a hull that the user released.
uint32_t tni_world_find_owned_hull(const tn_world *world, tn_hull_id id, const char *function);
// The same for a call that changes something: it checks for WORLD_LOCKED first.
uint32_t tni_world_find_body_to_change(tn_world *world, tn_body_id id, const char *function);
uint32_t tni_world_find_shape_to_change(tn_world *world, tn_shape_id id, const char *function);
// The same, and WRONG_TYPE when the joint is of another type.
uint32_t tni_world_find_joint_of_type(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                      const char *function);

// ---- lists (world/records/lists.c) --------------------------------------------------------------

bool tni_index_list_reserve(tni_allocator *allocator, tni_index_list *list, uint32_t needed);
bool tni_index_list_add(tni_allocator *allocator, tni_index_list *list, uint32_t item);

// ---- bodies (world/api/body.c, body_mass.c) -----------------------------------------------------

// Converts between the body's frame and the pose of its centre of mass.
tn_pose tni_body_get_frame(const tni_body *body);
void tni_body_set_frame(tni_body *body, const tn_pose *pose);
// Call it after local_center changed. Puts the centre where the frame, which stays, now has it,
// with the velocity that the body has there.
void tni_body_move_center(tni_body *body, const tn_pose *frame, tni_dvec3 old_center);
// Returns the motion of the body as joints see it.
static inline tni_body_motion tni_body_get_motion(const tni_body *body) {
    return body->motion;
}
// Recomputes mass, centre and inertia, from the shapes unless they were given, and the frames of
// the joints. The body's frame stays in place.
void tni_body_update_mass(tn_world *world, uint32_t body);
// Sets a mass that passed the check; update_mass must follow.
void tni_body_give_mass(tni_body *body, const tn_mass *mass);
tn_mass tni_body_get_mass(const tni_body *body);
// Checks whether a particle may have this shape, and whether a body may have this angular velocity:
// a particle only 0. (world/api/particle.c)
tni_check tni_particle_check_shape(const tn_shape_def *def, const tni_geometry *geometry);
bool tni_body_may_turn(const tni_body *body, tni_dvec3 angular_velocity);
// Takes the body out of the simulation: contacts, trees and awake lists. Never fails.
void tni_body_disable(tn_world *world, uint32_t body);
// Checks whether a body of this type, or a particle, may have this mass.
tni_check tni_mass_check(const tn_mass *mass, tn_body_type type, bool is_particle);
// Return the inertia in world axes, and its inverse with angular locks applied.
tni_dmat3 tni_body_world_inertia(const tni_body *body);
tni_dmat3 tni_body_world_inv_inertia_exact(const tni_body *body);
// Return the angular momentum about the centre of mass, world axes, N·m·s, and kinetic energy, J.
tni_dvec3 tni_body_spin(const tn_world *world, const tni_body *body);
double tni_body_kinetic_energy(const tn_world *world, const tni_body *body);
// Check, set and note the greatest speeds with which a body leaves a step: world/api/body_speeds.c.
tni_check tni_body_check_max_speeds(float linear, float angular);
void tni_body_give_max_speeds(tni_body *body, float linear, float angular);
void tni_body_note_max_speeds(tn_world *world, const tni_body *body);
tni_sym3 tni_body_world_inv_inertia(const tni_body *body);
vec3s tni_body_axis_inv_mass(const tni_body *body);

// Returns the fewest elements of a piece of a loop over bodies or contacts. If a step has few of
// these loops, workers do not stay awake for them, and waking one takes longer than its share of
// the work: then the whole loop is one piece.
static inline uint32_t tni_world_cut(const tn_world *world, uint32_t min_range) {
    return world->has_loops ? min_range : UINT32_MAX;
}

// ---- shapes and the broad phase (world/api/shape.c, broad_phase.c) ------------------------------

// The first puts a shape into its tree, unless it is there, its body is disabled, or its filter
// lets it touch nothing; it returns false without memory. The second takes it out.
bool tni_shape_enter_broad_phase(tn_world *world, uint32_t shape);
void tni_shape_leave_broad_phase(tn_world *world, uint32_t shape);
// Enters or leaves, as the shape's changed filter requires.
bool tni_shape_update_presence(tn_world *world, uint32_t shape);
// The same for all shapes of a body. The first takes in all of them, or none if it returns false.
bool tni_body_enter_broad_phase(tn_world *world, uint32_t body);
void tni_body_leave_broad_phase(tn_world *world, uint32_t body);
// Call it before a body's type changes. Moves its leaves to the tree of the new type. Returns false
// without memory, and then changes nothing.
bool tni_body_change_tree(tn_world *world, uint32_t body, tn_body_type type);
// Call it after the geometry or the body's centre of mass changed.
void tni_shape_update_reach(tn_world *world, uint32_t shape);
// Returns the body's frame in double.
tni_dpose tni_body_get_place(const tni_body *body);
// Returns the box around a shape now, not enlarged.
tni_bounds tni_shape_tight_bounds(const tn_world *world, uint32_t shape);
// The same; for an affine body, the box around the deformed shape.
tni_bounds tni_shape_get_bounds(const tn_world *world, uint32_t shape);
// The place of a half-space's plane. The functions return it, and the height of a box's deepest
// corner over it, m.
typedef struct tni_plane_place {
    tni_dvec3 normal, point;
} tni_plane_place;
tni_plane_place tni_shape_get_plane(const tn_world *world, const tni_shape *half_space);
double tni_plane_get_height(const tni_plane_place *plane, const tni_bounds *bounds);
// Returns whether the enlarged bounds of two shapes overlap. One may be a half-space.
bool tni_shapes_are_near(const tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Returns whether the boxes of this step overlap: if not, the shapes cannot meet in it. One must be
// a half-space; for two other shapes compare their tni_shape_boxes.
bool tni_shapes_may_meet(const tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Wakes the bodies whose bounds overlap those of the body's shapes.
void tni_body_wake_overlapping(tn_world *world, uint32_t body);
// Destroys a shape without touching its body's mass.
void tni_shape_destroy_at(tn_world *world, uint32_t shape);
void tni_shape_destroy_contacts(tn_world *world, uint32_t shape);
// Frees the hull when nothing uses it any more.
void tni_hull_release(tn_world *world, uint32_t hull);
// A dynamic body with one shape seldom has level neighbours: boxes and hulls in a heap have none.
// See world/collide/contact_ghosts.c.
static inline bool tni_body_may_have_neighbours(const tni_body *body) {
    return body->type != TN_BODY_TYPE_DYNAMIC || body->shape_count > 1;
}
// Returns whether the body hangs on joints or coordinates, and so may leave a straight path.
static inline bool tni_body_is_hung(const tni_body *body) {
    return body->type == TN_BODY_TYPE_DYNAMIC &&
           (body->joint_head != TNI_NONE || body->reduced != TNI_NONE);
}
// rad per step: see tni_body_turn_ahead.
#define TNI_BODY_MAX_TURN 1.0
// Returns the angle, rad, by which the body turns within dt, as far as a gap that this turning
// closes counts as closed. Looking ahead follows the tangents, because the solver follows gaps to
// first order. That holds for half a radian. A body that turns by more than one radian in a step
// gets 0, or it could push itself off things that it would never reach.
static inline double tni_body_turn_ahead(const tni_body *body, double dt) {
    double turn = dvec3_length(body->angular_velocity) * dt;
    double rest = turn <= 0.5 * TNI_BODY_MAX_TURN ? turn : TNI_BODY_MAX_TURN - turn;
    return rest > 0.0 ? rest : 0.0;
}
// Returns the angle, rad, by which points are sought ahead of the body. Contacts of bodies on
// joints are measured anew in every substep (solver/touches/touch.h), or looked at before they push
// (solver/contacts/contact_look.c). They must know everything that their bodies may come near,
// however fast these turn. A kinematic body turns regardless of what it meets, and is followed
// along its arc (collision/path.c).
static inline double tni_body_turn_reach(const tni_body *body, double dt) {
    bool turns_on = tni_body_is_hung(body) || body->type == TN_BODY_TYPE_KINEMATIC;
    return turns_on ? dvec3_length(body->angular_velocity) * dt : tni_body_turn_ahead(body, dt);
}
// Returns the mean velocity over dt of a body on joints, whose path these bend.
tni_dvec3 tni_body_bend_velocity(const tni_body *body, double dt);
// Returns how far that velocity takes it from its straight path within dt, m.
double tni_body_get_sag(const tni_body *body, double dt);
// Returns how far outward turning by an angle, rad, moves the shape's surface, m.
float tni_shape_turn_way(const tni_shape *shape, double turn);
// Makes new bounds for those shapes of a body that leave their enlarged bounds within the next dt
// seconds at the body's speed. Never allocates: move_list has room for every shape. Call it for
// every awake body at the start of a step, after all changes by the user.
void tni_body_update_bounds(tn_world *world, uint32_t body, double dt);
// Its two halves. The first runs on any worker: it deforms the shapes of affine bodies, writes only
// the shapes' boxes, and returns whether all fit into their enlarged ones. The second runs on one
// thread, and writes the trees and move_list.
bool tni_body_predict_bounds(tn_world *world, uint32_t body, double dt);
void tni_body_move_bounds(tn_world *world, uint32_t body, double dt);
// Finds new pairs for the shapes of move_list and makes their contacts. Returns false without
// memory; the list then stays as it was.
bool tni_world_update_pairs(tn_world *world);
// Makes the next step look for the pairs of a shape, or of all the body's shapes (after a joint
// that forbade them is gone).
void tni_shape_queue(tn_world *world, uint32_t shape);
void tni_body_queue_shapes(tn_world *world, uint32_t body);
// Returns the key of a pair of shapes, in either order. Never 0.
static inline uint64_t tni_pair_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// ---- shapes of affine bodies (world/api/shape_deform.c) -----------------------------------------

// Returns the geometry that contacts see.
static inline const tni_geometry *tni_shape_get_geometry(const tni_shape *shape) {
    return shape->deformed != NULL ? &shape->deformed->geometry : &shape->geometry;
}
// The first two make room for the deformed form of one shape, or of all shapes of a body that is to
// be affine; they return false without memory, and then reserve nothing. The others free it.
bool tni_shape_reserve_deformed(tn_world *world, uint32_t shape);
bool tni_body_reserve_deformed(tn_world *world, uint32_t body);
void tni_shape_drop_deformed(tn_world *world, uint32_t shape);
void tni_body_drop_deformed(tn_world *world, uint32_t body);
// Deforms the shape to the body's present coordinates. Does nothing if its body is not affine.
void tni_shape_deform(tn_world *world, uint32_t shape);
// Returns how far straining moves its surface within dt, m: 0 if its body is not affine.
float tni_shape_get_strain_way(const tn_world *world, const tni_shape *shape, double dt);
// Call it after a body became affine or ceased to be. Destroys the contacts of its shapes.
void tni_body_renew_shapes(tn_world *world, uint32_t body);
// Frees all deformed shapes when the world is destroyed.
void tni_world_drop_deformed(tn_world *world);

// ---- contacts (world/collide/contact.c) ---------------------------------------------------------

// Fills the public view of a contact.
void tni_contact_describe(const tn_world *world, uint32_t contact, tn_contact *out_contact);
// Asks the pre-solve callback about every awake contact that has points.
void tni_world_call_pre_solve(tn_world *world);
// Makes a contact between two shapes, or finds it. Returns TNI_NONE without memory.
uint32_t tni_contact_create(tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Returns the coefficient that holds in this step.
static inline float contact_get_friction(const tni_contact *contact) {
    return contact->slides ? contact->friction : contact->static_friction;
}
// Judge whether the contact slides: world/collide/contact_slip.c. The first judges by the impulses
// of the last step, before the manifold is made anew, and returns false if nothing pushed. The
// second judges a new contact by its manifold and the bodies' velocities.
bool tni_contact_judge_slip(const tn_world *world, tni_contact *contact);
void tni_contact_judge_new_slip(const tn_world *world, tni_contact *contact);
// Sets friction and the other coefficients from both shapes' materials.
void tni_contact_mix_materials(const tn_world *world, tni_contact *contact);
// Puts it into the list of awake contacts, or takes it out.
void tni_contact_enter_awake(tn_world *world, uint32_t contact);
void tni_contact_leave_awake(tn_world *world, uint32_t contact);
// Adds an end event if it was touching. (Every contact has room reserved for one.)
void tni_contact_destroy(tn_world *world, uint32_t contact);
void tni_body_destroy_contacts(tn_world *world, uint32_t body);
// Destroys the contacts between two bodies, for a new joint that forbids them.
void tni_bodies_destroy_contacts_between(tn_world *world, uint32_t body_a, uint32_t body_b);
bool tni_filters_pass(const tn_filter *a, const tn_filter *b);
bool tni_shapes_may_touch(const tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Runs the narrow phase of all awake contacts for a step of dt: manifolds, matching of impulses,
// the materials of this step, begin and end events, waking of touched bodies, the pre-solve
// callback. A contact `is_touching` if its surfaces meet, or will within dt at the present speeds;
// one with points that is not touching is only near. Room for the events must have been reserved
// (tni_events_reserve). The first `known` awake bodies have had tni_body_update_motions.
bool tni_world_update_manifolds(tn_world *world, double dt, uint32_t known);
// Returns the impulse of its points along the normal over the last step, N·s.
double tni_contact_get_impulse(const tni_contact *contact);
static inline uint32_t tni_contact_edge_next(const tn_world *world, uint32_t key) {
    return tni_contact_edge_at(world, key)->next;
}

// ---- events (world/step/events.c) ---------------------------------------------------------------

// A step reserves before anything moves, and again after pairs were made (false without memory). It
// clears, reserves room for hits once the number of solved contacts is known, adds, and publishes.
// Publishing sorts all lists, and makes the sleep events itself.
bool tni_events_reserve(tn_world *world);
bool tni_events_reserve_hits(tn_world *world, uint32_t needed);
void tni_events_clear(tn_world *world);
void tni_events_add_hit(tn_world *world, const tn_hit_event *event);
void tni_events_add_joint_break(tn_world *world, const tn_joint_break_event *event);
// Call it when a body woke or fell asleep, at any time. An event reports it if it is still so when
// the next step ends. Never fails.
void tni_events_note_sleep(tn_world *world, uint32_t body);
void tni_events_publish(tn_world *world, bool has_moves);
// A pass over the bodies may write their move events once each body has its new pose, on any
// worker, if awake bodies stand in order and none woke or fell asleep. Publishing takes these moves
// if all are written, or finds them itself.
bool tni_events_are_in_order(const tn_world *world);
void tni_events_write_move(const tn_world *world, const tni_body *body);
// These serve contacts and bodies that are created and destroyed: they make room for the end of a
// contact, add its begin and end, and drop a body's note.
bool tni_events_reserve_end(tn_world *world);
void tni_events_add_begin(tn_world *world, const tni_contact *contact);
void tni_events_add_end(tn_world *world, const tni_contact *contact);
void tni_events_forget_body(tn_world *world, uint32_t body);

// ---- joints (world/joints/joint.c) --------------------------------------------------------------

void tni_joint_destroy_at(tn_world *world, uint32_t joint);
void tni_body_destroy_joints(tn_world *world, uint32_t body);
// Call it after the body was enabled or disabled: updates its joints in the list of awake ones.
void tni_body_update_joints_awake(tn_world *world, uint32_t body);
// Recomputes frame_a and frame_b about the centres of mass (after mass or type changed).
void tni_joint_update_frames(tn_world *world, uint32_t joint);
// Returns the motion of a body, or of the world, which is TNI_NONE.
tni_body_motion tni_joint_get_body_motion(const tn_world *world, uint32_t body);
// Call it after a body's type changed. Gives every function joint another centre body, a dynamic
// one if there is any: world/joints/joint_function.c.
void tni_functions_center(tn_world *world);
// Call it after the body became affine or ceased to be, which makes its function joints spans or
// not.
void tni_body_update_functions(tn_world *world, uint32_t body);
// Destroys the ties of a function joint, and takes it out of the list, before it is destroyed.
void tni_function_untie(tn_world *world, uint32_t joint);
// Finds the shape of a rope at its bodies' present poses: world/joints/joint_rope.c.
struct tni_function_place;
struct tni_rope_shape;
void tni_rope_read_shape(const tn_world *world, const struct tni_function *function,
                         struct tni_rope_shape *out_shape);
void tni_rope_respread(tn_world *world, struct tni_function *own);
// Returns the error, and the energy in J, that the last step left.
tn_joint_error tni_function_read_error(const tni_joint *joint);
double tni_function_read_elastic_energy(const tni_joint *joint);
// Frees the memory of a function joint that is being destroyed. Does nothing for others.
void tni_function_drop(tn_world *world, tni_joint *joint);
// Returns the centre of mass of one of its bodies, in the body's frame.
tni_dvec3 tni_function_get_center(const tn_world *world, const struct tni_function *function,
                                  uint32_t body);
// Fills in the present places of all its bodies.
void tni_function_find_place(const tn_world *world, const struct tni_function *function,
                             struct tni_function_place *out_place);
// Makes the frames of a record that is in no list yet.
void tni_joint_make_frames(const tn_world *world, tni_joint *joint);
// Returns whether time passes on the path of a motion path joint. If so, its bodies do not sleep.
bool tni_joint_is_led(const tni_joint *joint);
// Returns whether a joint's callback gives finite numbers now. Reports if it does not.
bool tni_joint_gives_numbers(const tn_world *world, const tni_joint *joint, const char *function);
// Call it after the body was placed elsewhere: joints that count its turns take the nearest count.
void tni_body_remember_turns(tn_world *world, uint32_t body);
// Returns whether a joint that forbids contact ties the two bodies.
bool tni_bodies_are_joined_without_contact(const tn_world *world, uint32_t body_a, uint32_t body_b);
// Returns the present motions of both ends. That of the world is the identity at rest.
void tni_joint_get_motions(const tn_world *world, const tni_joint *joint, tni_body_motion *out_a,
                           tni_body_motion *out_b);
// Return the reaction of the last step on body b at the origin of frame b, N and N·m, and the
// length of the violated part of its rows then, m and rad.
tn_reaction tni_joint_get_reaction(const tn_world *world, const tni_joint *joint);
double tni_joint_get_linear_error(const tn_world *world, const tni_joint *joint);
double tni_joint_get_angular_error(const tn_world *world, const tni_joint *joint);
// Call it before a joint, a mass, a choice of solver or the set of awake bodies changes: what the
// last step learned about joints is then invalid (world/step/joint_plan.h). The records of joints
// receive what only the plan had.
void tni_joint_plan_drop(tn_world *world);
// Returns the energy in the joint's springs now, J.
double tni_joint_get_elastic_energy(const tn_world *world, const tni_joint *joint);

// ---- forces (world/api/force.c) -----------------------------------------------------------------

void tni_force_destroy_at(tn_world *world, uint32_t force);
void tni_force_wake_bodies(tn_world *world, uint32_t force);

// ---- bodies that are given by coordinates (world/movers/reduced.c) ------------------------------

// Creates a reduced object. If `affine` is null, the definition has a callback.
tn_reduced_id tni_reduced_create(tn_world *world, const tn_reduced_def *def,
                                 const tn_affine_def *affine, const char *function);
// Returns the index of a live object, or TNI_NONE after a report (none for a null world).
uint32_t tni_world_find_reduced(const tn_world *world, tn_reduced_id id, const char *function);
void tni_reduced_wake(tn_world *world, const tni_reduced *reduced);
// Returns the object of an affine body, or null.
const tni_reduced *tni_body_get_affine(const tn_world *world, const tni_body *body);
void tni_reduced_destroy_at(tn_world *world, uint32_t reduced);
// Frees what reduced objects own outside their records.
void tni_world_drop_reduced(tn_world *world);
// Reads the masses of its bodies, so that the callback can be called between steps.
void tni_reduced_read_masses(const tn_world *world, tni_reduced *reduced);
// Returns true, after a report of WRONG_TYPE, if only coordinates may move the body.
bool tni_body_is_led(const tn_world *world, uint32_t body, const char *function);
// Returns whether both belong to one object whose bodies do not touch each other.
bool tni_bodies_are_of_one_without_contact(const tn_world *world, uint32_t body_a, uint32_t body_b);
// Returns whether the joint has no span of its own, and has a reduced body or is solved with joints
// that have one.
bool tni_joint_is_reduced(const tn_world *world, const tni_joint *joint);

// ---- sleep (world/step/sleep.c) -----------------------------------------------------------------

// Adds a body that stands in no list to the list of awake bodies alone.
void tni_body_list_awake(tn_world *world, uint32_t body);
// Puts the body, its joints and its contacts into the awake lists, with everything that sleeps with
// it. The awake lists always have room for everything that exists, so this cannot fail. A body that
// just became dynamic or enabled (sleep_next and awake_index both TNI_NONE) is taken in too;
// nothing happens to a static or disabled one.
void tni_body_wake(tn_world *world, uint32_t body);
// Takes one body out of the awake lists when it becomes static, is disabled or falls asleep.
void tni_body_leave_awake(tn_world *world, uint32_t body);
// Puts the body, and everything that is tied to it or touches it, to sleep at once.
void tni_body_sleep(tn_world *world, uint32_t body);
// Wakes the body, and everything that touches it or is tied to it.
void tni_body_wake_neighbours(tn_world *world, uint32_t body);

#endif
