// world/objects.h: the records of the objects that a world holds.
//
// Objects live in arrays parallel to a pool of handles: body i belongs to slot i of body_pool. The
// arrays grow by pages; tni_body_at and the functions like it (world/world.h) find an element.
// Lists thread through the arrays by index.
#ifndef TNI_WORLD_OBJECTS_H
#define TNI_WORLD_OBJECTS_H

#include "collision/manifold/manifold.h"
#include "collision/shared_hull.h"
#include "core/inertia.h"
#include "joints/joint.h"
#include "solver/contacts/contact.h"
#include "solver/exact/mechanism.h"
#include "solver/movers/affine.h"
#include "solver/step/choice.h"
#include "tenon/machines.h"

// The pose of a body when the last step began, and the step in which it last moved: see
// world/step/blend.c.
typedef struct tni_previous_pose {
    tn_pose pose; // of its frame
    uint64_t step;
} tni_previous_pose;

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
    bool is_isotropic;        // inertia is a multiple of the identity
    bool has_target : 1;      // kinematic: velocity came from a target pose, for one step
    bool met_target : 1;      // the last step took it to a target pose
    bool is_particle : 1;     // never turns: its inertia is 0 and `principal` infinite
    bool is_touched : 1;      // a contact pushed it in the last step, or could have
    bool has_parts : 1;       // a shape of it is concave
    bool has_many_solids : 1; // more than one of its shapes is no sensor
    bool is_exact;            // a mechanism moved it in the last step
    bool is_pushed;           // force or torque is not 0
    bool was_awake;           // whether it was when an event last reported it
    uint32_t shape_head;      // first shape, or TNI_NONE
    float rest_time;          // s: for how long it has been slow
    float linear_damping, angular_damping, gravity_scale;
    double inv_mass; // zero for static and kinematic bodies

    tni_dvec3 local_center; // centre of mass in the body's frame
    void *user_data;
    tni_inertia principal; // inertia by its principal axes; infinite for static and kinematic ones

    tni_dvec3 force, torque;   // applied since the last step; world axes, torque about the centre
    double mass;               // kg, as given; of static and kinematic bodies only the inverse is 0
    tn_mat3_symmetric inertia; // about the centre of mass, body axes
    uint32_t contact_head;     // first contact edge key (contact index * 2 + end), or TNI_NONE
    uint32_t joint_head;       // first joint edge key, or TNI_NONE
    uint32_t shape_count, contact_count, joint_count;
    uint32_t sleep_next;   // ring of the bodies that fell asleep together, or TNI_NONE when awake
    uint32_t sleep_note;   // in events.sleep_notes, or TNI_NONE
    uint32_t force_head;   // first force end key (force index * 16 + end), or TNI_NONE
    uint32_t reduced;      // the reduced object whose coordinates give its pose, or TNI_NONE
    uint32_t stack_resume; // step_count from which its stack is solved at once: world/step/stacks.c
    vec3s bend;            // m/s^2: how the velocity of a body on joints changed over the last step
    tni_rest rest;
    float max_linear_speed, max_angular_speed; // m/s, rad/s; INFINITY means no bound
    uint32_t
        sensed_change; // the look of the sensors that has to see it anew: see records/sensing.h
} tni_body;

// Prefetches a body. A pass over the awake bodies calls this for bodies some places ahead.
TNI_KERNEL void tni_body_fetch(const tni_body *body) {
    const char *bytes = (const char *)body;
    for (uint32_t line = 0; line < 4; ++line) {
        TNI_PREFETCH(bytes + line * TNI_CACHE_LINE);
    }
}

// The data of a shape and its body that the narrow phase reads, in two cache lines: see
// world/api/shape_motion.c.
typedef struct tni_shape_motion {
    tni_dvec3 center;   // of the geometry's frame, in the world
    tni_dvec3 velocity; // of the body's centre of mass; in free fall that of mid step
    tni_dvec3 angular_velocity;
    vec3s offset;           // of that frame from the body's centre of mass, in world axes
    vec3s half_extents;     // of a box
    versors rotation;       // of the geometry's frame
    float turn_way;         // m: how far rotation carries the surface outward in this step
    float turn, turn_reach; // rad: see tni_body_turn_ahead and tni_body_turn_reach
    bool is_box : 1, is_dynamic : 1, is_static : 1;
    bool is_bent : 1;     // joints bend its body's path: see tni_body_bend_velocity
    bool is_deformed : 1; // its body is affine
    bool is_awake;        // or a part that stands still; if not, the other members are stale
} tni_shape_motion;

// Returns the place of the body's centre of mass.
static inline tni_dvec3 tni_shape_motion_get_position(const tni_shape_motion *motion) {
    return dvec3_sub(motion->center, dvec3_from_float(motion->offset));
}

// The two boxes of a shape. Every step reads them for every pair in the list of contacts.
typedef struct tni_shape_boxes {
    tni_bounds needed;   // where it may be in this step, with half the contact margin added
    tni_bounds enlarged; // as it stands in the tree
} tni_shape_boxes;

typedef struct tni_shape {
    uint32_t handle;
    uint32_t body;
    uint32_t next; // the next shape of the same body
    tni_geometry geometry;
    tni_shared_hull *hull;  // one user is the shape; null if its geometry is no hull
    tni_deformed *deformed; // null unless its body is affine
    // Null unless its geometry is concave, and null unless it is a part of such a shape: see
    // world/parts.h.
    struct tni_concave_shape *concave;
    struct tni_part *part;
    float density;
    tn_material material;
    tn_surface_velocity surface;
    tn_filter filter;
    bool has_hit_events;
    bool is_central_ball; // a ball in the middle of its body: rotation does not move it
    bool is_sensor, detects_sensors, is_area;
    bool is_disabled;
    bool has_pre_solve, has_persist_events;
    bool has_surface;      // its surface velocity is not 0
    uint32_t sensor_index; // in world->sensing.sensors, or TNI_NONE
    uint32_t move_index;   // in move_list, whose pairs the next step looks for; or TNI_NONE
    uint32_t leaf;         // in the tree of its body's type, or TNI_NONE
    uint32_t spare_leaf;   // while the body changes its type: the leaf in the other tree
    uint32_t plane_index;  // half-space: in world->half_spaces, or TNI_NONE
    float turn_reach;      // m per rad: how fast rotation about the body's centre moves the surface
    float turn_limit;      // m: the most by which rotation can move it outward
    float size;            // m: about half its extent, for the margin of its bounds
    void *user_data;
} tni_shape;

// Returns whether a shape has mass and may touch others.
static inline bool tni_shape_is_solid(const tni_shape *shape) {
    return !shape->is_sensor && !shape->is_disabled;
}

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
    tni_contact_extras extras;           // if the contact has_extras
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
    uint16_t sweeps; // of its cluster, in eighths, 0 for the least: see contact_sweeps.h
    bool is_touching, was_touching;
    bool is_disabled;   // the pre-solve callback disabled it for this step
    bool may_wake;      // touches, and one of the bodies is not awake
    bool is_remembered; // its memory is valid
    bool is_walked;     // its manifold is of a later time in the step: see contact_path.c
    bool is_confirmed;  // no other axis of the two shapes carries load while they touch as they do
    uint8_t follows;    // tni_follows: its normal or arms turn within the step
    bool has_pre_solve; // the callback is asked about it
    bool is_soft;       // one of the materials has a frequency
    bool has_extras;    // its memory has some: see world/collide/contact_extras.c
    bool has_part;      // a shape is a part of a concave one: see world/parts.h
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
    tn_sensor_event *sensor_begins, *sensor_ends;
    uint32_t sensor_begin_count, sensor_end_count, sensor_begin_capacity, sensor_end_capacity;
    tn_persist_event *persists;
    uint32_t persist_count, persist_capacity;
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
    bool is_hung_few;       // one or two bodies, one of which hangs on something that does not move
    bool strikes;           // it is about to run into a limit of its own
    bool whips;             // a limit in it that drives press turned far in a substep of that step
    uint32_t open_steps;    // how many steps in a row they were open
    uint32_t rows;          // how many its joints have
} tni_mechanism_choice;

#endif
