// solver/contacts/contact.h: contacts as the solver sees them: records, gates, and groups of eight.
//
// The world fills a record and a gate for each contact; both lie in the order in which the contacts
// are swept. A group holds up to eight that follow each other there and share no body that moves,
// one in each lane of a tni_f8 (core/wide.h): it has the numbers that the sweeps read.
// Only the files contact_*.c look into groups; others ask for a view of one contact.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_H
#define TNI_SOLVER_CONTACTS_CONTACT_H

#include <stdbool.h>

#include "core/base.h"
#include "core/maths.h"
#include "tenon/contact.h"

typedef struct tni_solver tni_solver;
typedef struct tni_contact_follow tni_contact_follow;
typedef struct tni_contact_start tni_contact_start;

// A manifold has up to TNI_LANES points, and a group TNI_CONTACTS contacts.
#define TNI_LANES    TN_CONTACT_MAX_POINTS
#define TNI_CONTACTS 8
// A symmetric matrix of four rows has this many numbers: 00, 10, 11, 20, 21, 22, 30, ..
#define TNI_CONTACT_MATRIX 10
// m: lanes without a point have this separation, which is never in the way.
#define TNI_CONTACT_NO_POINT (-1e9f)

// A sweep must know this about a contact that does not push. Most of a pile's contacts are only
// near; they have no lane until their gap may close. See contact_prepare.c.
typedef struct tni_contact_gate {
    _Alignas(16) float normal[4]; // from a to b, and 0
    // Per axis, turning by 1 rad moves any of the points along the normal by this at most, m; the
    // last is 0.
    float reach_a[4], reach_b[4];
    float least; // separation of the nearest point, m: at the start of the step, and once
                 // a contact that is shut is stored, at its end
    uint32_t body_a, body_b; // solver indices
    uint32_t slot;           // group * TNI_CONTACTS + lane
    bool is_shut;            // pushes, or may: its lane is made
    bool is_touch;           // of a mechanism that takes its own step
    bool is_soft;            // it may rest deep: see contact_soft.h
} tni_contact_gate;

// These are vectors, one for each point.
typedef struct tni_contact_lanes {
    _Alignas(16) float x[TNI_LANES];
    float y[TNI_LANES], z[TNI_LANES];
} tni_contact_lanes;

// The grain of one body's surface: see solver/contacts/grain.h. Friction is scaled by D, which is
// in world axes when the body had this rotation.
typedef struct tni_grain {
    tni_sym3 scale;
    versors rotation;
    bool is_any; // else friction is the same in all directions
} tni_grain;

// A contact sees the inverse masses of a and b, and their inverse inertias, times these shares: it
// gives each body this share of its impulses. See solver/contacts/contact_shares.h.
typedef struct tni_contact_shares {
    float mass[2], inertia[2];
} tni_contact_shares;

// Coefficients that few contacts have. Surfaces that move along their bodies add to the velocity of
// b past a that friction sees: `speed` at the point `center`, and `turn`.
typedef struct tni_contact_extras {
    tni_dvec3 center; // of mass of body a, when the step began
    vec3s speed;      // m/s
    vec3s turn;       // rad/s
    vec3s spin;       // rad/s, of both surfaces together: see contact_sweep_surfaces.h
    // A contact is soft if hertz is not 0. The solver writes what its points gave in solve A. N·s
    float hertz, damping_ratio;
    float given[TNI_LANES];
    tni_grain grains[2]; // of a and of b
    tni_contact_shares shares;
    bool has_shares; // one of them is not 1
} tni_contact_extras;

// Returns that velocity at an arm of body a.
static inline vec3s contact_extras_get_speed(const tni_contact_extras *extras, vec3s arm) {
    return glms_vec3_add(extras->speed, glms_vec3_cross(extras->turn, arm));
}

// A contact gives b this impulse, which turns a and b by these, about their centres of mass. N·s,
// N·m·s
typedef struct tni_contact_blow {
    vec3s force, turn_a, turn_b;
} tni_contact_blow;

// Impulses are summed here over a step and its phases. N·s
typedef struct tni_contact_sums {
    _Alignas(16) float step[TNI_LANES]; // over the step, with the impacts
    vec3s step_friction;                // on b, world axes
    float sink; // m: how deep the load presses the contact in, if it lies so deep: see the head of
                // world/collide/contact_lift.h
    float impact[TNI_LANES];
    vec3s impact_friction;
    float time; // s into the step: of the first impact, or when points first push or may
    tni_contact_blow phase_blow, phase_rub; // for the work: those of impacts in the phase
} tni_contact_sums;

// The record comes from the world and goes back to it. Numbers that are read in rows of four stand
// in rows of four.
typedef struct tni_contact_record {
    _Alignas(16) vec3s normal;
    float friction;
    vec3s offset; // r_b - r_a: from the centre of b to that of a, the same for all points
    float rolling_resistance;
    vec3s friction_impulse; // of the last substep, on b, world axes
    float twisting_resistance;
    vec3s rolling_impulse; // rolling and twisting
    // Its points bore this in the last substep, all together. It is below 0 if joints hold one of
    // the bodies: they give their blows again, so the contact does, too. It is read with the vector
    // before it.
    float borne;
    vec3s axis;   // of a capsule that lies, else 0
    float closed; // 1 where points that nearly touch are closed, of a capsule that lies; else 0
    tni_contact_lanes arm; // r_a: from the centre of mass of a to the points
    float separation[TNI_LANES];
    float impulse[TNI_LANES]; // of the last substep

    uint32_t contact;        // the world's index, to write back
    uint32_t place;          // in the world's list of awake contacts
    uint32_t body_a, body_b; // solver indices
    uint16_t point_count;
    float restitution;
    bool is_static;             // one body has infinite mass: stiffer, solved last
    int8_t face;                // the body that the normal turns with: -1 is a, 1 is b
    int8_t lying;               // the body of the capsule that lies, likewise
    bool rolls;                 // one of the shapes is curved: tni_geometry_is_curved
    bool is_now;                // of one that rolls: it was made anew, and its arms go on from now
    float radius_a, radius_b;   // of the round surfaces of one that bounces, else 0, m
    float time;                 // s: when in the step its normal, arms and offset are right
    float gap_then[TNI_LANES];  // m: of the points of one that bounces, at that time
    tni_contact_follow *follow; // where the manifold is made anew in each substep, or null
    tni_contact_extras *extras; // or null

    // The solver writes these.
    _Alignas(16) float approach_speed[TNI_LANES]; // m/s, J v when the contact first pushes or may
    tni_contact_sums sums;
} tni_contact_record;

static inline void tni_contact_stand(tni_contact_record *record) {
    record->axis = maths_vec3_zero();
    record->closed = 0.0f;
    record->lying = 0;
}

// Sets the axis of a capsule that lies: turning about that axis moves none of its points, however
// it leans. So the contact twists about the normal without the part along the axis, and a capsule
// that spins fast rolls straight on with one end a little deeper than the other. An end that stands
// round-off above the surface is closed like the other one, for it would bear its load rigidly and
// the other one softly, and the axis would lean.
static inline void tni_contact_lie(tni_contact_record *record, tni_dvec3 axis, bool is_of_b) {
    record->axis = dvec3_to_float(axis);
    record->closed = 1.0f;
    record->lying = is_of_b ? 1 : -1;
}

// These are vectors, one for each contact of a group.
typedef struct tni_contact_vec {
    float x[TNI_CONTACTS], y[TNI_CONTACTS], z[TNI_CONTACTS];
} tni_contact_vec;

// Every impulse is that of the substep so far, with the half of the last substep's that the second
// kick adds: see contact_sweep_wide.c. `slide` are the rows along t1 and t2 and the twist about n.
// Lanes without a contact that pushes have no mass and no impulse.
typedef struct tni_contact_wide {
    _Alignas(64) tni_contact_vec normal;
    tni_contact_vec tangent[2];
    tni_contact_vec offset;          // r_b - r_a
    tni_contact_vec middle;          // r_a of the points' middle
    tni_contact_vec turn[TNI_LANES]; // r_a x n of each point
    tni_contact_vec pivot; // about which it twists: the normal without the part along `axis`
    float inverse[TNI_CONTACT_MATRIX][TNI_CONTACTS]; // of K = J W J^T, slightly regularised, kg
    float gap[TNI_LANES][TNI_CONTACTS];              // m, now
    float impulse[TNI_LANES][TNI_CONTACTS], warm[TNI_LANES][TNI_CONTACTS]; // warm: half the last's
    float slide_mass[3][TNI_CONTACTS]; // inverse of the 2x2 matrix: 00, 11, 01. kg
    float twist_mass[TNI_CONTACTS];    // kg·m²
    float twist_bound[TNI_CONTACTS];   // cap per unit of normal impulse, m
    float friction[TNI_CONTACTS];
    float closed[TNI_CONTACTS];    // m: points that are farther apart are open
    float is_spared[TNI_CONTACTS]; // 1 in a stack (solver/stacks/stack.h), else 0
    // The load that the points bore in the last substep, all together; and the share of all
    // impulses that the next substep begins with, from the end of solve B on.
    float borne[TNI_CONTACTS], kept[TNI_CONTACTS];
    float slide[3][TNI_CONTACTS], slide_warm[3][TNI_CONTACTS];
    float step_impulse[TNI_LANES][TNI_CONTACTS]; // over the substeps before this one
    float step_slide[3][TNI_CONTACTS];

    // m, at the start of the step; with arms that have followed, what gives the same gap now
    float separation[TNI_LANES][TNI_CONTACTS];

    // The arms have followed the bodies this far since: see solver/contacts/contact_arms.h.
    tni_contact_vec followed_way, followed_turn_a, followed_turn_b;
    float carrier[TNI_CONTACTS], face[TNI_CONTACTS];
    float radius[TNI_CONTACTS]; // of the carrier's surface about what turns with it, m
    float rolls[TNI_CONTACTS];  // 1 where a curved shape does not lie, else 0
    tni_contact_vec axis;       // of the carrier, where it is a capsule that lies, else 0

    // Only contacts whose points do not all push read these.
    float response[TNI_CONTACT_MATRIX][TNI_CONTACTS]; // K, 1/kg
    float point_mass[TNI_LANES][TNI_CONTACTS];        // kg

    // Only rolling contacts read these.
    float rolling_resistance[TNI_CONTACTS]; // m
    tni_contact_vec rolling, rolling_warm;
    float rolling_mass[6][TNI_CONTACTS]; // xx, yy, zz, xy, xz, yz
} tni_contact_wide;

typedef struct tni_contact_group {
    tni_contact_wide wide;
    uint32_t body_a[TNI_CONTACTS], body_b[TNI_CONTACTS]; // solver indices; 0 of lanes not in use
    uint32_t first;                                      // the contact in the first lane
    uint16_t count, shut_count;
    uint8_t moving_a, moving_b; // a bit for each lane in use whose body can be moved
    uint16_t move_count;        // how often its arms have followed the bodies in this step
    uint8_t follows;            // a bit for each lane whose manifold is made anew: contact_follow.h
    bool is_static;             // of contacts with a body of infinite mass: stiffer, solved last
    bool has_rolling;
    bool has_extras, has_soft;  // has_soft: see contact_soft.h
    bool has_grain, has_shares; // see grain.h, contact_shares.h
    // The last relaxing sweep of a step, over the normals, changed impulses by `change` and left
    // `slow_load` on slow bodies, and `load` on all. N·s. See solver/contacts/contact_sweeps.h
    float change, slow_load, load;
} tni_contact_group;

// rad per substep: turning by less than this moves no arm.
#define TNI_CONTACT_LEAST_TURN 1e-4f
// m/s: bodies of contacts that are slower than this count as slow.
#define TNI_CONTACT_SLOW_SPEED 0.5f
// Friction goes along with the centre of pressure where a patch slides faster than this, m/s, and
// where holding it would take this many times the impulse that friction can give.
#define TNI_CONTACT_FAST_SLIDE 0.05f
#define TNI_CONTACT_FAST_SHARE 10.0f

// A body gets this momentum and angular momentum from contacts' impulses; a zero follows the first.
typedef struct tni_contact_push {
    _Alignas(32) float total[8]; // by the impulses as they stand in the groups
    float warm[8];               // by the halves of the last substep's, added in each kick
} tni_contact_push;

// The last float of `total` says how much of the substep is left after the body's first blow in it,
// as a share; 0 without one. Each substep begins at 0.
static inline float tni_contact_push_get_left(const tni_contact_push *push) {
    return push->total[7];
}
static inline void tni_contact_push_note(tni_contact_push *push, float left) {
    push->total[7] = maths_max(push->total[7], left);
}
static inline void tni_contact_push_forget(tni_contact_push *push) {
    push->total[7] = 0.0f;
}
// These are shares of `contact_calm`: an open gap that closes with the first is a blow, and a
// contact without load is open by the second at least.
#define TNI_CONTACT_BLOW        0.3f
#define TNI_CONTACT_STANDS_OPEN 0.03f

// A view is one contact out of its group. N·s, kg
typedef struct tni_contact_view {
    vec3s normal, tangent[2], pivot, offset, middle;
    vec3s turn[TNI_LANES];
    float gap[TNI_LANES], impulse[TNI_LANES], warm[TNI_LANES], point_mass[TNI_LANES];
    float response[TNI_LANES][TNI_LANES];
    float slide_mass[3], slide[3], slide_warm[3];
    float twist_mass, twist_bound;
} tni_contact_view;

// A load has the numbers of a contact that change in a sweep.
typedef struct tni_contact_load {
    float gap[TNI_LANES], impulse[TNI_LANES], warm[TNI_LANES];
    float slide[3], slide_warm[3];
    uint16_t move_count; // of its group
} tni_contact_load;

// Turning adds this to J v of a contact's rows in half a substep (solver/contacts/contact_arms.h):
// along + (r x n)·spin for a point, slide for the tangents.
typedef struct tni_contact_bend {
    vec3s spin;
    float along, slide[2];
} tni_contact_bend;

// contact_prepare.c, contact_group.c, contact_sweep_wide.c, contact_prepare_wide.c, impact.c.
// Makes a gate from its record, all but its slot.
void tni_contact_gate_make(const tni_contact_record *record, tni_contact_gate *gate);
void tni_contacts_prepare(tni_solver *solver);
// Makes lanes of a group, a bit for each, whose contacts' gates were open.
void tni_contact_shut_lanes(tni_solver *solver, tni_contact_group *group, uint32_t lanes);
// Is called after the drift: makes new masses for the contacts of bodies whose inertia has turned.
void tni_contacts_refresh(tni_solver *solver);
void tni_contacts_warm_start(tni_solver *solver, bool is_first_half);
// Makes one sweep.
void tni_contacts_solve(tni_solver *solver, bool use_bias);
// Is called after a substep whose last sweep did not know that it was the last: see
// contact_sweep_wide.c.
void tni_contacts_forget_blows(tni_solver *solver);
// Is called once, after the last substep: stores impulses and sums over the step in the records.
void tni_contacts_store(tni_solver *solver);
// Returns whether there was a blow.
bool tni_impact_solve(tni_solver *solver);
// Returns when a point hits within the substep, s, that comes at -v_middle after the kick and is
// drawn away by `acceleration`; and its J v then. Returns -1 where it does not hit, or too slowly
// to bounce.
float tni_impact_find_time(const tni_solver *solver, float gap, float v_middle, float acceleration,
                           float *out_speed);
// Turns a body freely for t, s, with its angular velocity.
void tni_impact_rotate(tni_solver *solver, uint32_t body, float t);
// Finds impulses of the points of a manifold that hit: they change its speeds by `missing`, and
// none pulls. Points that are alike get the same impulse.
void tni_impact_begin_points(float response[TNI_LANES][TNI_LANES], const float missing[TNI_LANES],
                             const bool is_hit[TNI_LANES], uint32_t count,
                             float impulse[TNI_LANES]);
// Returns a view of a contact that is shut.
void tni_contact_get_view(const tni_solver *solver, uint32_t index, tni_contact_view *view);
// Sets the gaps, m, that the rows of points that do not push expect at the end of the substep.
void tni_contact_expect(tni_solver *solver, uint32_t index, const float gaps[TNI_LANES]);
void tni_contact_get_bend(const tni_solver *solver, uint32_t index, tni_contact_bend *bend);
void tni_contact_get_load(const tni_solver *solver, uint32_t index, tni_contact_load *load);
// Adds to its impulses; the caller adds them to the bodies.
void tni_contact_add_impulses(tni_solver *solver, uint32_t index, const double normal[TNI_LANES],
                              const double slide[3]);
// Is called after the step, for a contact that is shut: returns the separation of its nearest
// point, m.
float tni_contact_get_least(const tni_solver *solver, uint32_t index);

#endif
