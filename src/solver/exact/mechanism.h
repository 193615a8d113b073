// solver/exact/mechanism.h: bodies tied together by equality rows, stepped together and exactly.
//
// A mechanism copies everything that its step needs, in double: its bodies (the moving ones first,
// then those that it hangs on), its joints, and the pattern of its matrix. tni_mechanism_step moves
// it through one substep: solver/exact/midpoint.c takes the implicit midpoint step,
// solver/exact/mechanism_project.c puts poses and velocities back on the rows,
// solver/exact/mechanism_system.c fills the matrix that both solve with. Nothing here knows a
// handle.
#ifndef TNI_SOLVER_EXACT_MECHANISM_H
#define TNI_SOLVER_EXACT_MECHANISM_H

#include "core/inertia.h"
#include "core/simd_double.h"
#include "joints/joint.h"
#include "solver/matrix/block_ldl.h"
#include "tenon/body.h"

// Velocities are in m/s and rad/s, along the world's axes.
typedef struct tni_twist {
    tni_dvec3 linear, angular;
} tni_twist;

// A body that is eliminated beforehand has no more joints than this, and no more pairs of them.
#define TNI_MECHANISM_MOST_ENDS  4
#define TNI_MECHANISM_MOST_PAIRS 6

// A mechanism has leads only if it has no more joints than this: solver/exact/mechanism_carry.c.
// With more it is a chain that whips, where iterations cost more and change nothing that could be
// seen. Loops may have more: they pass singular positions, where what a stage leaves open decides
// about the way on.
#define TNI_PRECISE_MOST_JOINTS      16
#define TNI_PRECISE_MOST_LOOP_JOINTS 128

// A guess uses no more than this many earlier stages.
#define TNI_MECHANISM_RISES 4
// m or rad: a mechanism whose errors are this small is closed.
#define TNI_MECHANISM_CLOSED 1e-7
// m or rad: joints that are open by no more may be left as far open.
#define TNI_MECHANISM_RESTS 1e-5

typedef struct tni_mechanism_joint tni_mechanism_joint;

// A body has this place in the matrix, chosen with the pattern.
typedef struct tni_mechanism_place {
    uint32_t node;                                   // of a body with many joints, else TNI_NONE
    uint32_t end_count;                              // of the others, until it is anchored one more
    uint32_t ends[TNI_MECHANISM_MOST_ENDS + 1];      // joint * 2 + end (0: a)
    tni_block_place pairs[TNI_MECHANISM_MOST_PAIRS]; // joints e < f: f (f - 1) / 2 + e
    uint32_t pair_edges[TNI_MECHANISM_MOST_PAIRS];   // of the pattern
    uint32_t share_count; // it and its copies: solver/exact/mechanism_tear.c
    bool hangs_on_balls;  // no node, no locks, at most two joints and all of them balls
    // Holds joint * 2 + end of the joint that leaves it one freedom against something that does not
    // move, and is none of its ends, or TNI_NONE: solver/exact/mechanism_anchor.c.
    uint32_t anchor;
    // An anchored body has these: its carrier, which is the body that its anchor hangs on if that
    // moves, or TNI_NONE; where its ends stand among the carrier's ends, after the `own_count` of
    // the carrier itself; the first body that it carries, and the next one that its carrier
    // carries.
    uint32_t carrier, first_end, own_count, first_rider, next_rider;
} tni_mechanism_place;

// A body has this block in the matrix: mass, inertia in world axes, curvature K of its joints.
typedef struct tni_mechanism_block {
    double mass;
    tni_dmat3 inertia;
    double curvature[6][6];
    bool has_curvature, has_linear_curvature;
    double inverse[6][6]; // of the block, where it has no node
    bool is_parted;       // only inverse[0][0] for v and the lower right part for w
    bool is_held;         // by contacts: what they add is in `curvature`
} tni_mechanism_block;

// An anchored body keeps this from its inversion on.
typedef struct tni_mechanism_anchored {
    // Members in the order of these symbols: its anchor; s^T M s and M s; r and h of the anchor, j
    // and k of the row that may stand beside it; s . (r - M d), e and its right side; the impulses
    // of the joints at its ends.
    const tni_mechanism_joint *joint;
    bool has_actor; // that row is there
    double freedom_mass, freedom_momentum[6], lever, actor_share, pull, actor_fault;
    double given[6], pushed[6];
    tni_dvec3 arm, dual[3];
    // A body that rides also has the vector from its carrier's centre to its own, M f, and k j (s .
    // M X s_c).
    tni_dvec3 ride_arm;
    double ride_momentum[6], ride_share;
} tni_mechanism_anchored;

// A body carries this from one stage to the next: solver/exact/mechanism_carry.c.
typedef struct tni_mechanism_body_carry {
    tni_twist lead;        // given to the velocities at the start of a stage
    tni_twist push;        // what the joints gave it until halfway, lead and all
    tni_twist push_before; // of the stage before it
    tni_twist left;        // the velocities it left behind
    // Their gains until halfway in it and in those before it, or their values there: a ring.
    tni_twist rises[TNI_MECHANISM_RISES];
} tni_mechanism_body_carry;

typedef struct tni_mechanism_body {
    uint32_t solver_body;
    tni_body_motion motion;      // at the start; after a step at its end
    tni_body_motion middle, end; // halfway and at the end, while a step runs
    tni_inertia inertia;
    double mass, inv_mass;
    tni_dvec3 acceleration, torque; // of gravity and applied forces: m/s^2; world axes, N·m
    tni_twist fed,
        fed_friction;   // of that what contacts add: solver/touches/touch.h; its part of friction
    tni_twist blow;     // N·s, N·m·s: what contacts gave at once, and is not noted yet
    uint32_t next_near; // touched, or TNI_NONE; see tni_mechanism_touch.pushes_near
    bool is_near;
    double linear_damping, angular_damping; // 1/s
    uint32_t locks;                         // TN_BODY_LOCK_...
    // While a step runs.
    tni_body_motion before;    // what a stage that failed is put back to
    tni_dvec3 momentum;        // angular, about the centre, at the start, world axes
    tni_dquat back;            // from the axes halfway to those at the start
    tni_dvec3 linear, angular; // impulses of the joints, over half a substep
    double change[6];          // right side, then solution: v, w
    tni_mechanism_place place;
    tni_mechanism_block block;
    tni_mechanism_anchored anchored;
    tni_mechanism_body_carry carry;
} tni_mechanism_body;

// One joint has no more rows than this: equalities, then motors, springs and friction.
#define TNI_MECHANISM_MAX_ROWS TNI_BLOCK_MAX

typedef enum tni_actor_kind {
    TNI_ACTOR_SPEED,  // holds a speed: motor, friction
    TNI_ACTOR_SPRING, // also a motor with a target position, and a soft limit
    TNI_ACTOR_LIMIT,  // C >= 0, impulse >= 0
} tni_actor_kind;

// An actor's work and impulses are summed here over a step; the caller clears them.
typedef struct tni_actor_sums {
    double step_impulse, work; // N·s or N·m·s, J
} tni_actor_sums;

// An actor is a row after the equalities: solver/exact/mechanism_actor.c.
typedef struct tni_mechanism_actor {
    uint32_t row; // of the joint's rows, as row.h counts them
    tni_actor_kind kind;
    uint32_t group;            // as in row.h: 3, then 0 and 0, or 1
    double target_speed;       // m/s or rad/s
    double stiffness, damping; // of a spring
    uint8_t form;     // tni_row_kind: it is given by these instead where that is not SPRING;
    double given[2];  // the stage finds the other two
    double end_share; // p: how far it is too stiff for the midpoint rule
    bool is_one_sided, is_inside; // a soft limit; it was passed at the start
    double open_share;            // of a limit: p for the open share of its way
    double max_force;             // N or N·m, of the group
    double error;                 // C: of a spring halfway, of a limit at the end
    bool is_out;                  // at its cap, held, or a limit that does not push
    bool is_held;                 // a motor that pushes into a limit that bears what it gives
    uint32_t held_by;             // that limit's row; of a limit: of a motor about all axes
    bool is_stalled;              // a motor that some other limit of the mechanism stands against
    bool holds;                   // a limit: it holds its value where it is
    bool may_pull;                // a limit that a stage has to end at
    bool has_come_back;           // from its cap, or to push, in this stage
    bool closes;                  // a limit that poses would pass while they are closed
    double passed, open;          // of a limit: C where a stage begins, not above 0 and not below
    double restitution, arrival;  // of a limit that bounces; the speed it was met at, or 0
    uint8_t role;                 // tni_row_role
    tni_actor_sums sums, sums_before, sums_kept; // as those of its joint
} tni_mechanism_actor;

// A joint's impulses and work are summed here over a step; the caller clears them.
typedef struct tni_mechanism_sums {
    tni_dvec3 force, torque_a, torque_b;   // impulses on body b, turns of a and b
    double rows[TN_CUSTOM_MAX_EQUALITIES]; // of equalities of a joint that may break by rows
} tni_mechanism_sums;

struct tni_mechanism_joint {
    tni_joint *joint;       // what it remembers is written
    uint32_t block;         // of the solver
    uint32_t a, b;          // bodies
    uint32_t first_unknown; // of the pattern
    tni_block_place diagonal;
    tni_block_place hubs[2]; // to the node of a and of b; row_step 0: none
    uint32_t hub_edges[2];   // of the pattern, or TNI_NONE
    // `row_count` without limits that rest in this step, `all_count` with them.
    uint32_t equality_count, row_count, all_count;
    uint32_t awake; // which of the rows after the equalities do not rest, as bits
    // It has room for the unknowns of its sways (joints/exact_row.h) beside those of its rows;
    // `sway_count` of them stand there now, after its rows.
    uint32_t sway_room, sway_count;
    bool has_limits;
    bool knows_limits; // their errors are those of the end poses
    bool is_pin;    // three rows of a point along the axes of the world, then turns, nothing else
    bool is_free;   // a pin between bodies without locks: its rows as arms and turns, see below
    bool is_ball;   // one of three rows
    bool is_slide;  // two rows of a point across a direction, then turns
    bool is_anchor; // of a body: it has no part in the matrix
    bool may_break; // under its load
    bool is_broken; // in this step: its rows are nothing
    uint32_t sharer_count; // shares of E beside its own: mechanism_system.c, mechanism_tear.c
    // These arrays go by row, with room for the rows of its definition:
    // solver/exact/mechanism_rows.c.
    tni_exact_row *rows;
    tni_mechanism_actor *actors; // from equality_count on; null where all are equalities
    double *impulse;             // over half a substep
    double *impulse_kept;        // before a substep that may be taken again, in pieces
    double *softness;            // E: keeps redundant rows apart
    // These are its impulses in the leads, and those with the leads in the last four stages, as
    // rises: solver/exact/mechanism_carry.c.
    double *lead, *given[TNI_MECHANISM_RISES];
    uint32_t dependent_rows;                   // that say what others say, after the step
    double rest[TNI_JOINT_MAX_EQUALITY_ROWS];  // C* that other joints leave open
    double fault[TNI_JOINT_MAX_EQUALITY_ROWS]; // J d: how fast the last stage left its rows
    tni_mechanism_sums sums, sums_before;      // the second before a stage that may fail
    tni_mechanism_sums sums_kept;              // as impulse_kept
    tni_turns turns_kept[2];                   // likewise: what it remembers
    int64_t tooth_kept;                        // and this
};

// Adds to the sums the impulse x of row r, whose Jacobian is `row`.
static inline void tni_mechanism_note_row(tni_mechanism_joint *joint, uint32_t r,
                                          const tni_exact_row *row, double x) {
    tni_mechanism_sums *sums = &joint->sums;
    sums->force = dvec3_add_scaled(sums->force, x, row->lin_b);
    sums->torque_a = dvec3_add_scaled(sums->torque_a, x, row->ang_a);
    sums->torque_b = dvec3_add_scaled(sums->torque_b, x, row->ang_b);
    if (joint->may_break && r < joint->equality_count) {
        sums->rows[r] += x;
    }
}

// A hold is one end of a contact of a mechanism that alternates.
typedef struct tni_hold {
    uint32_t contact, end; // of the solver; 0: a
    uint32_t local;        // the body there
} tni_hold;

// Spans are rows over several bodies: solver/exact/mechanism_span.h.
typedef struct tni_mechanism_span tni_mechanism_span;
typedef struct tni_mechanism_span_row tni_mechanism_span_row;

// The report counts the events of a step, summed over its substeps.
typedef struct tni_mechanism_report {
    uint32_t stages, iterations, splits;
    uint32_t backward;        // stages by backward Euler
    uint32_t failures;        // stages that did not converge at all: velocities were scaled down
    uint32_t jams;            // and that were given up: the bodies kept their velocities
    uint32_t unclosed;        // stages whose rows did not close; of a coupled mechanism: substeps
    uint32_t refusals;        // substeps that the world's integrator did not take
    uint32_t dependent_rows;  // likely, in one factorisation; after the step:
                              // solver/exact/mechanism_rank.c
    uint32_t dependent_joint; // one of theirs, or TNI_NONE
} tni_mechanism_report;

// The first two iterations of a stage tell stages like it how fast they converge:
// solver/exact/midpoint.c.
typedef struct tni_newton_rate {
    double first_move, share; // m, of the first; the second over it
    uint32_t stages;          // that may still go by it
} tni_newton_rate;

// A mechanism knows, or does not yet know, how its joints bend the ways of its bodies: see
// solver/touches/touch_way.c.
typedef enum tni_mechanism_bend {
    TNI_BEND_UNKNOWN,
    TNI_BEND_NONE,
    TNI_BEND_MADE,
} tni_mechanism_bend;

// A mechanism has these traits by the joints that it is made of.
typedef struct tni_mechanism_traits {
    bool is_prescribed;    // its joints and motors leave it no motion of its own
    bool has_sways;        // some joint has room for them
    bool has_memories;     // some joint counts whole turns
    bool is_contradictory; // some joint has a rest
    bool may_break;        // some joint of it does under its load
    bool is_coupled; // Gauss-Seidel moves it, with what touches it; it is projected afterwards
    bool alternates; // and that by solver/exact/mechanism_alternate.c: it touches too much
} tni_mechanism_traits;

// A mechanism has this matrix: block_ldl.h.
typedef struct tni_mechanism_matrix {
    tni_block_pattern pattern;                    // made by tni_mechanism_analyze
    double *values, *scratch, *scales, *unknowns; // see block_ldl.h
    double *kept;                                 // see solver/exact/mechanism_secant.c
    tni_exact_row *fresh_rows; // by unknown: of poses newer than the factor; none of large ones
    bool has_scales;           // some stage has taken them
    uint32_t dependent_rows;   // likely, in the last factorisation
    uint32_t found_rows, found_key; // that depend on others, after the last step; what that is for
    // The first is of stages that begin with a factor of their own, the second of those that begin
    // with the factor of the projection before.
    tni_newton_rate rates[2];
    bool has_factor;     // that of the projection is there, and may serve the next stage
    uint32_t own_stages; // that begin with their own in any case
    bool is_factored;    // the projection's factor is that of the present poses
    bool is_stuck;       // there is none
} tni_mechanism_matrix;

// One stage hands this to the next: solver/exact/mechanism_carry.c.
typedef struct tni_mechanism_carry {
    bool has_paces;      // the rises are velocities halfway
    bool is_resolved;    // the last stage was solved far enough for leads
    double lead_step;    // s: of the stage that the leads are for, 0: there are none
    double rise_step;    // s: of the stages that the rises are of
    uint32_t last_rise;  // where those of the last stage are: they lie in a ring
    uint32_t rise_count; // of how many stages there are
} tni_mechanism_carry;

// The stage at hand has this state. It may be a piece of one that failed, and one that is not cut
// further: solver/exact/mechanism.c.
typedef struct tni_mechanism_stage_state {
    bool is_hung_still;     // what it hangs on does not move in the stage at hand
    bool is_open;           // its velocities were not projected after the last stage
    double length;          // s: of the stage at hand
    double debt;            // J: what its joints have given and no motion could pay
    bool is_resting;        // its joints are left as far open as they were in this step
    uint32_t taut_stages;   // stages for which it stays taut: solver/exact/mechanism.c
    uint32_t hard_substeps; // that are cut to begin with, because a whole one did not converge
    bool is_piece, is_smallest_piece;
    bool leaves_limits;           // to the projection, since no stage with them converges
    bool is_active;               // takes the stage at hand
    bool has_lost;                // one has in the stage at hand, which has to be taken again
    bool is_waiting;              // its stage stands, while others take theirs again
    bool is_deep;                 // its last one brought it down too deep
    bool is_fed;                  // contacts push during the stage
    bool has_let_go;              // they did, but with them it did not converge
    double restitution_threshold; // m/s and rad/s: slower, and limits do not bounce
    bool asks_for_changes;        // of bodies alone in the next solve: anchors give no impulses
} tni_mechanism_stage_state;

// A mechanism's contacts leave this: solver/touches/touch.h.
typedef struct tni_mechanism_touch {
    double energy;       // J, of motion, before what is measured
    double work;         // J, of contacts that pushed at once, since then
    bool has_blow;       // they did since the joints' part in it was noted
    double *shift;       // of its poses, six numbers for each moving body
    bool is_unsettled;   // sweeps over its contacts change much
    bool pushes_near;    // these move its touched bodies alone: solver/touches/touch_row.c
    uint32_t first_near; // of these, or TNI_NONE
    uint32_t near_count;
    // N·s: loose bodies that are wedged beside it bear these loads, of which this share is fed.
    double wedged_load, wedged_share, wedged_stiffness, wedged_late;
    bool is_alone;   // it touches only itself and what nothing moves
    double half;     // s: springs hold contacts with what they give over it on either side
    bool is_shifted; // the shift has been dealt with
    tni_mechanism_bend bend;
    double
        *bends; // m/s and rad/s, six numbers for each moving body: see solver/touches/touch_way.c
    bool is_crowded; // coupled, and touches too much to ask it of every contact
    uint32_t count;
    bool is_touched; // a contact pushes it, or did in the last substep
} tni_mechanism_touch;

// The last substep and step left it like this.
typedef struct tni_mechanism_past {
    bool is_fresh;            // its first substep in a step is to come
    bool was_left_closed;     // by the last step, and nothing but poses says how far it is open
    bool is_closed;           // and it is where it was left
    bool is_ahead;            // which takes it through all of the step
    uint32_t followers;       // substeps that nothing comes before but the last one
    tn_integrator integrator; // that moved it last
    uint32_t jammed_steps;    // steps that gave up stages, less those that did not
} tni_mechanism_past;

// A mechanism's functions and ropes have rows, which are a border to its matrix; `room` is scratch
// for K.
typedef struct tni_mechanism_spans {
    uint32_t count, row_count;
    const struct tni_mechanism_span_ops *ops; // where it has spans
    tni_mechanism_span *spans;
    tni_mechanism_span_row *rows;
    double *border, *room;
} tni_mechanism_spans;

// s. The functions of spans are asked about the poses at these times: `motion`, `middle`, `end`;
// the first as it was before a stage, and a substep, that may be taken again.
typedef struct tni_mechanism_times {
    double now, middle, end, before, kept;
} tni_mechanism_times;

typedef struct tni_mechanism {
    uint32_t body_count, moving_count, joint_count;
    tni_mechanism_body *bodies;
    tni_mechanism_joint *joints;
    void *row_memory; // of the joints: solver/exact/mechanism_rows.c
    size_t row_memory_size;
    uint32_t hub_count;  // bodies with a node; the nodes of the joints follow theirs
    uint32_t copy_count; // and those of the ties theirs: solver/exact/mechanism_tear.c
    tni_mechanism_body *copies;
    tni_mechanism_joint *ties; // by copy
    uint32_t hold_count;
    tni_hold *holds;
    tni_mechanism_report report;
    double solve_ms; // of the step: for telemetry only
    tni_mechanism_traits traits;
    tni_mechanism_matrix matrix;
    tni_mechanism_carry carry;
    tni_mechanism_stage_state stage;
    tni_mechanism_touch touch;
    tni_mechanism_past past;
    tni_mechanism_spans spans;
    tni_mechanism_times times;
} tni_mechanism;

// Returns the energy of motion, J: solver/exact/mechanism_work.c.
double tni_mechanism_get_energy(const tni_mechanism *mechanism);
// Moves the mechanism by h seconds. Bodies that it hangs on move on with their velocities.
void tni_mechanism_step(tni_mechanism *mechanism, double h);

// ---- solver/exact/mechanism_rows.c
// -------------------------------------------------------------------

// Makes room for the rows of the joints, whose definitions are known. Returns false when memory
// cannot be had.
bool tni_mechanism_make_rows(tni_mechanism *mechanism, tni_allocator *allocator);
void tni_mechanism_forget_rows(tni_mechanism *mechanism, tni_allocator *allocator);

// ---- solver/exact/mechanism_graph.c
// ------------------------------------------------------------------

// Chooses which bodies are nodes and makes the pattern. It is called again when bodies or joints
// come or go. Returns false when memory cannot be had.
bool tni_mechanism_analyze(tni_mechanism *mechanism, tni_allocator *allocator, tni_arena *arena);
// Finds the places in the pattern anew; it is needed when some joint's row_count has changed.
void tni_mechanism_lay_out(tni_mechanism *mechanism);
// Frees the memory that tni_mechanism_analyze took.
void tni_mechanism_forget(tni_mechanism *mechanism, tni_allocator *allocator);

// ---- solver/exact/mechanism_anchor_choice.c
// -----------------------------------------------------------

// An anchor has this many equalities, and one more row at most.
#define TNI_MECHANISM_ANCHOR_ROWS 5

// Finds which bodies are anchored, and which ride on these: after their ends and nodes are known.
// Their anchors leave the ends.
void tni_mechanism_find_anchors(tni_mechanism *mechanism);
// Returns the end of a body that would be its anchor, or TNI_NONE.
uint32_t tni_mechanism_choose_anchor(const tni_mechanism *mechanism,
                                     const tni_mechanism_body *body);

// ---- solver/exact/mechanism_sway.c
// -------------------------------------------------------------------

// Returns whether a joint's definition allows for sways: room for their rows is made in any case.
bool tni_mechanism_may_sway(const tni_joint *joint);
// Finds which joints have unknowns for sways; it is called after the anchors are known.
void tni_mechanism_find_sways(tni_mechanism *mechanism);
// These set the scales of sways, and their right sides to zero.
void tni_mechanism_scale_sways(const tni_mechanism *mechanism);
void tni_mechanism_clear_sways(const tni_mechanism *mechanism);
// Counts the rows of a joint in the matrix, its sways among them.
static inline uint32_t tni_mechanism_count_live(const tni_mechanism_joint *joint) {
    return joint->row_count + joint->sway_count;
}

// ---- solver/exact/mechanism_loss.c
// -------------------------------------------------------------------

// Handles a joint that has broken: it stays in the matrix to the end of the step, as rows that hold
// nothing. It is no anchor.
void tni_mechanism_lose_joint(tni_mechanism *mechanism, tni_mechanism_joint *joint);

// ---- solver/exact/mechanism_actor.c
// ------------------------------------------------------------------

// Finds the joint's motors, springs and friction and counts its rows; the joint's equality_count is
// set. To be called after tni_mechanism_make_rows and before tni_mechanism_analyze.
void tni_mechanism_find_actors(tni_mechanism_joint *joint);
// At the start of a step of `time` s this takes the limits that nothing will meet in it out of the
// joint's rows, unless they push (`pushes`, by row), and brings others back. Returns true where
// that changed something: then tni_mechanism_lay_out has to follow. It is not for joints of limits
// alone, nor for joints without limits.
// `driven` is how far motors and springs of any of the mechanism's joints may go in the step.
bool tni_actors_rest(tni_mechanism_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                     const bool *pushes, double time, double driven);
// Returns how far the motors and springs of one joint may go in a time, m or rad.
double tni_actors_get_driven_way(const tni_mechanism_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double time);
// Takes motors and friction with a cap out of the projection of a mechanism that touches something:
// as rigid rows they would stop a piston in front of a wall, with any force. The next stage knows
// what they can do beside the force that contacts feed it.
void tni_actors_give_way(tni_mechanism *mechanism);
// Sets actors at the start of a stage, when the rows are there: they are at their cap if they were
// in the last one, and limits stay as they were, as far passed as they are.
void tni_actors_start(tni_mechanism *mechanism, double half);
// Is anything at its cap that tni_actors_start would find so?
bool tni_actors_are_at_cap(const tni_mechanism *mechanism, double half);
// Is there no spring, and nothing at its cap?
bool tni_actors_hold_speeds(const tni_mechanism *mechanism);
// Are its actors only motors and friction that give no more than half of what they may?
bool tni_actors_hold_easily(const tni_mechanism *mechanism, double half);
// These emit the rows of actors at the middle poses, and set E of springs and of actors at their
// cap.
void tni_actors_emit(tni_mechanism_joint *joint, const tni_body_motion *a,
                     const tni_body_motion *b);
void tni_actors_soften(tni_mechanism_joint *joint, const double *scales, double half);
// Finds the residuals of their rows; `way` is the time to the end of the stage.
void tni_actors_balance(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                        double half, double way, double *residual);
// Measures C of limits at the end poses.
void tni_actors_measure_limits(tni_mechanism_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b);
// Holds the impulses of a joint's actors within what they may, and says what that did to the
// equations. Only when the stage is about to be accepted (`is_close`) do limits let go and motors
// come back from their cap.
typedef enum tni_actor_change {
    TNI_ACTOR_SAME,
    TNI_ACTOR_CHANGED,
    TNI_ACTOR_FAR, // and so much that what the iteration found is of no use
} tni_actor_change;
tni_actor_change tni_actors_clamp(tni_mechanism *mechanism, uint32_t index, double half,
                                  bool is_close);
// Finds the motors that are held. A motor and a limit of the same value that stands in its way are
// one row: the limit's, whose impulse may fall by as much as the motor's cap allows. Returns true
// if a motor is held now that was not, or the other way round.
bool tni_actors_hold(tni_mechanism_joint *joint);
// Finds out if a motor works against a limit elsewhere, through joints: when its impulse x, within
// its cap over half a substep, is more than any mass could ask for, it takes no part while the
// limit is reached and then holds its value, until no limit pushes any more. Returns true if so.
bool tni_actors_stall(const tni_mechanism *mechanism, tni_mechanism_joint *joint, uint32_t r,
                      double x, double half);
// Returns the speed that a motor holds, m/s or rad/s.
static inline double tni_actor_get_target(const tni_mechanism_actor *actor) {
    return actor->holds ? 0.0 : actor->target_speed;
}
// Takes all limits out of the stage.
void tni_actors_leave_limits(tni_mechanism *mechanism);
// While poses are closed: notes how far limits are passed, has those take part that have come to be
// passed farther, and returns whether there are any; and leaves them to the stage again.
void tni_actors_note_passed(tni_mechanism *mechanism);
bool tni_actors_take_passed(tni_mechanism *mechanism);
void tni_actors_leave_passed(tni_mechanism *mechanism);
// Takes limits out that are not reached where a stage begins.
void tni_actors_leave_far_limits(tni_mechanism *mechanism);
// Returns how far below zero the impulse of a limit may be, over half a substep.
double tni_actors_get_push(const tni_mechanism_joint *joint, uint32_t limit, double half);
// Takes a limit out whose motor is at its cap from now on.
void tni_actors_leave_limit(tni_mechanism_joint *joint, uint32_t limit, double half);
// Lets limits that the stage would pass take part, once all other actors are settled. Returns true
// if there are any.
bool tni_actors_meet(tni_mechanism *mechanism);

// ---- solver/exact/mechanism_spring.c
// -----------------------------------------------------------------

// Returns whether its stiffness and damping follow from the mass it moves.
static inline bool tni_springs_go_by_mass(const tni_mechanism_actor *actor) {
    return actor->form == TNI_ROW_FREQUENCY || actor->form == TNI_ROW_ACCELERATION;
}
// Starts the springs of a joint, at the middle poses.
void tni_springs_start(const tni_mechanism *mechanism, tni_mechanism_joint *joint);

// ---- solver/exact/mechanism_force.c
// ------------------------------------------------------------------

// These add J^T l to the bodies' impulses, and K to their curvature.
void tni_mechanism_apply_joints(tni_mechanism *mechanism);
// Sets the impulses of all joints to zero, and what they do to bodies.
void tni_mechanism_clear_joints(tni_mechanism *mechanism);
void tni_mechanism_add_curvatures(tni_mechanism *mechanism, double half);
// Adds J^T l by rows of the present poses, while those of the factor stay where they are.
void tni_mechanism_apply_fresh(tni_mechanism *mechanism);
// Returns the rows of a joint's equalities, if they were kept.
static inline const tni_exact_row *tni_mechanism_get_fresh(const tni_mechanism *mechanism,
                                                           const tni_mechanism_joint *joint) {
    return mechanism->matrix.fresh_rows + joint->first_unknown;
}

// ---- solver/exact/mechanism_turns.c
// ------------------------------------------------------------------

// These are as tni_joint_expect: the first says that poses will be asked about `time` after those
// of the bodies; the second notes the poses where the bodies are now.
void tni_mechanism_expect(tni_mechanism *mechanism, double time);
void tni_mechanism_remember(tni_mechanism *mechanism);

// ---- solver/exact/mechanism_carry.c
// ------------------------------------------------------------------

// Adds the leads to the velocities, if a stage of the same h left these; else there are none, and
// no rises. `has_paces`: whether velocities halfway stand for rises.
void tni_mechanism_give_lead(tni_mechanism *mechanism, double h, bool has_paces);
// These set the velocities halfway that a stage begins its iterations with, and the impulses.
void tni_mechanism_guess(tni_mechanism *mechanism);
void tni_mechanism_guess_impulses(tni_mechanism *mechanism);
// Keeps what the stage just done leaves behind, for the next one of h.
void tni_mechanism_leave_rises(tni_mechanism *mechanism, double h);
// Notes the rises of the stage at hand, with the velocities halfway that it ended with.
void tni_mechanism_note_rises(tni_mechanism *mechanism);
// These make the leads of the next stage of h, if it is like the one just done. The changes that
// the projection of its velocities made are in place. The first returns true where a solve is
// needed, with the projection's factor and right sides of bodies that are zero; then the second
// takes the leads from it, with no more energy than `most`, which is twice that energy.
bool tni_mechanism_ask_for_lead(tni_mechanism *mechanism, double *out_most);
void tni_mechanism_take_lead(tni_mechanism *mechanism, double h, double most);

// ---- solver/exact/mechanism_secant.c
// -----------------------------------------------------------------

// Returns how many doubles the secant keeps.
size_t tni_mechanism_secant_count(const tni_mechanism *mechanism);
// Keeps the solution at hand, which was the step as well.
void tni_mechanism_keep_solution(tni_mechanism *mechanism);
// Makes the solution at hand the step by the secant through it and the one that was kept; both are
// kept.
void tni_mechanism_take_secant(tni_mechanism *mechanism);

// ---- solver/exact/mechanism_project.c
// ----------------------------------------------------------------

// Moves poses onto C = 0 and velocities onto J v = 0, in the metric of the masses, with one
// factorisation; limits that would be passed within h take part from now on. Returns false, with
// nothing changed, where the poses are too far off. `out_has_stops` says whether poses were put
// back to limits that bounce.
bool tni_mechanism_project(tni_mechanism *mechanism, double h, bool *out_has_stops);
// Returns the error of the worst row now, m or rad, with its rest in it.
double tni_mechanism_get_worst_error(const tni_mechanism *mechanism);
// Returns the largest shift of a body, m, or turn, rad, in the changes at hand.
double tni_mechanism_get_move(const tni_mechanism *mechanism);
// Makes the factor of the projection at the present poses.
bool tni_mechanism_project_start(tni_mechanism *mechanism, double half);
// These project in parts, without limits: they make the factor, find the changes of the poses, move
// by them, and change the velocities.
// Springs hold with what they give over `half` on either side, or not at all where that is 0.
bool tni_mechanism_project_begin(tni_mechanism *mechanism, double half);
void tni_mechanism_project_poses(tni_mechanism *mechanism);
void tni_mechanism_project_move(tni_mechanism *mechanism);
void tni_mechanism_project_velocities(tni_mechanism *mechanism);
// Adds the unknowns, as impulses of the joints, to what these did over the step. The mean of the
// velocities before and after is the present ones with the share `middle` of the changes.
void tni_mechanism_note_unknowns(tni_mechanism *mechanism, double middle);
// Does the same for the impulses of joints while contacts pushed at once, with the factor at hand.
// The velocities are those after it.
void tni_mechanism_note_blows(tni_mechanism *mechanism);

// ---- solver/exact/mechanism_bounce.c
// -----------------------------------------------------------------

// Is called after a stage of h, when the rows are those of its end: lets limits that were passed
// take part in the projection, and notes the speed at which bouncing ones were met. Returns true if
// there are any.
bool tni_mechanism_meet_stops(tni_mechanism *mechanism, double h);
// Returns whether the limit is about to be passed so fast that it bounces after the next stage.
bool tni_mechanism_lets_pass(const tni_mechanism *mechanism, const tni_mechanism_actor *actor,
                             double speed);
// Is called after the projection, when these limits have thrown back.
void tni_mechanism_leave_stops(tni_mechanism *mechanism);

// ---- solver/exact/mechanism_rank.c
// -------------------------------------------------------------------

// Is called after a step: counts the rows that depend on others, by joint and in the report, if a
// factorisation has met pivots of possibly dependent rows. The factor may be lost, and so may the
// masses, until the next step fills them in.
void tni_mechanism_find_dependent(tni_mechanism *mechanism);

// ---- solver/exact/mechanism_close.c
// ------------------------------------------------------------------

// Closes poses without speed where they are open; finds the rests, zero before, of joints that
// contradict each other. The mechanism is not coupled.
void tni_mechanism_close(tni_mechanism *mechanism);
// Leaves the joints as far open as they are, until the step ends.
void tni_mechanism_note_rests(tni_mechanism *mechanism);
void tni_mechanism_clear_rests(tni_mechanism *mechanism);
// Returns the most, J, that a mechanism may owe: solver/exact/mechanism_stage.c.
double tni_mechanism_get_most_debt(const tni_mechanism *mechanism);
// Returns the length of a joint's error that cannot be closed, m or rad; 0 if it has no rest. The
// rows are those last emitted.
double tni_mechanism_get_rest(const tni_mechanism_joint *joint, bool is_angular);

// ---- solver/exact/mechanism_system.c
// -----------------------------------------------------------------

// Stores six numbers of a body, v and w, two at once, as they will be read: otherwise the processor
// waits.
static inline void tni_mechanism_store6(double *out, tni_dvec3 v, tni_dvec3 w) {
    d2_store(out, d2_make(v.x, v.y));
    d2_store(out + 2, d2_make(v.z, w.x));
    d2_store(out + 4, d2_make(w.y, w.z));
}

// Adds: y += s x.
static inline void tni_mechanism_add6(double *y, double s, const double *x) {
    tni_d2 factor = d2_splat(s);
    for (uint32_t c = 0; c < 6; c += 2) {
        d2_store(y + c, d2_add_product(d2_load(y + c), factor, d2_load(x + c)));
    }
}

// Returns x . y from two sums side by side, as in lanes of two.
static inline double tni_mechanism_dot6(const double *x, const double *y) {
    return (x[0] * y[0] + x[2] * y[2] + x[4] * y[4]) + (x[1] * y[1] + x[3] * y[3] + x[5] * y[5]);
}

// Sets the right side of a body for the next solve.
static inline void tni_mechanism_set_change(tni_mechanism_body *body, const tni_twist *twist) {
    const double change[6] = {twist->linear.x,  twist->linear.y,  twist->linear.z,
                              twist->angular.x, twist->angular.y, twist->angular.z};
    for (uint32_t i = 0; i < 6; ++i) {
        body->change[i] = change[i];
    }
}

// Emits the rows of all joints at the bodies' middle poses.
void tni_mechanism_emit(tni_mechanism *mechanism);
// Takes locked axes out of a joint's rows, as tni_mechanism_emit has done.
bool tni_mechanism_lock_rows(const tni_mechanism *mechanism, tni_mechanism_joint *joint);
// Sets the scale of each row, its own J W J^T. It changes little over a stage: the projection uses
// the scales of its stage.
void tni_mechanism_scale(tni_mechanism *mechanism);
// Sets E of each row from its scale.
void tni_mechanism_soften(tni_mechanism *mechanism, double half);
// Fills and factors [M -J^T; -J -E] from the rows and the bodies' blocks. Returns false where the
// factor is not sound.
bool tni_mechanism_factor(tni_mechanism *mechanism);
// Solves with that factor: the bodies' changes and the joints' unknowns are right sides, then the
// solution. `bodies_rest`: the right sides of the bodies are zero.
void tni_mechanism_solve(tni_mechanism *mechanism, bool bodies_rest);
// Returns where the unknowns of a joint (one for each row) lie.
static inline double *tni_mechanism_of_joint(const tni_mechanism *mechanism, uint32_t joint) {
    return mechanism->matrix.unknowns + mechanism->joints[joint].first_unknown;
}
// Returns the locks of a body that impulses move; others have no unknown to lock.
static inline uint32_t tni_mechanism_get_locks(const tni_mechanism *mechanism, uint32_t body) {
    return body < mechanism->moving_count ? mechanism->bodies[body].locks : 0;
}
// Returns r, the arm from the centre (-r of body a). The turns of a ball joint's rows are r x e_i,
// so that J^T x is r x x, and J v is v x r, at either end.
static inline tni_dvec3 tni_exact_rows_get_arm(const tni_exact_row *rows, uint32_t end) {
    const double *x = rows[0].jacobian + 6 * end + 3;
    const double *y = rows[1].jacobian + 6 * end + 3;
    return dvec3_make(y[2], -x[2], x[1]);
}
static inline tni_dvec3 tni_mechanism_get_arm(const tni_mechanism_joint *joint, uint32_t end) {
    return tni_exact_rows_get_arm(joint->rows, end);
}
// Returns the sum of x j over the rows after these, which turn both bodies alike, b by j and a by
// -j. Those of the equalities stand in `rows`.
static inline tni_dvec3 tni_mechanism_sum_turns(const tni_mechanism_joint *joint,
                                                const tni_exact_row *rows, const double *x) {
    tni_dvec3 sum = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t r = 3; r < joint->row_count; ++r) {
        const tni_exact_row *row = r < joint->equality_count ? &rows[r] : &joint->rows[r];
        sum = dvec3_add_scaled(sum, x[r], row->ang_b);
    }
    return sum;
}
// Adds s x to the impulses of a free pin over the step, by these rows of its equalities.
static inline void tni_mechanism_note_pin(tni_mechanism_joint *joint, const tni_exact_row *rows,
                                          const double *x, double s) {
    tni_dvec3 force = dvec3_make(s * x[0], s * x[1], s * x[2]);
    tni_dvec3 turn = dvec3_scale(tni_mechanism_sum_turns(joint, rows, x), s);
    tni_dvec3 of_a = dvec3_cross(tni_exact_rows_get_arm(rows, 0), force);
    tni_dvec3 of_b = dvec3_cross(tni_exact_rows_get_arm(rows, 1), force);
    joint->sums.force = dvec3_add(joint->sums.force, force);
    joint->sums.torque_a = dvec3_add(joint->sums.torque_a, dvec3_sub(of_a, turn));
    joint->sums.torque_b = dvec3_add(joint->sums.torque_b, dvec3_add(of_b, turn));
}
// Finds J v of the first rows of a free pin, three at least.
static inline void tni_mechanism_get_pin_speeds(const tni_mechanism_joint *joint, uint32_t count,
                                                const tni_twist *a, const tni_twist *b,
                                                double *speeds) {
    tni_dvec3 of_a = dvec3_cross(a->angular, tni_mechanism_get_arm(joint, 0));
    tni_dvec3 of_b = dvec3_cross(b->angular, tni_mechanism_get_arm(joint, 1));
    tni_dvec3 speed = dvec3_add(dvec3_sub(b->linear, a->linear), dvec3_add(of_a, of_b));
    tni_dvec3 turn = dvec3_sub(b->angular, a->angular);
    speeds[0] = speed.x;
    speeds[1] = speed.y;
    speeds[2] = speed.z;
    for (uint32_t r = 3; r < count; ++r) {
        speeds[r] = dvec3_dot(joint->rows[r].ang_b, turn);
    }
}
// Returns J v of a row for the velocities of two motions.
static inline double tni_exact_row_speed(const tni_exact_row *row, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    return dvec3_dot(row->lin_a, a->velocity) + dvec3_dot(row->ang_a, a->angular_velocity) +
           dvec3_dot(row->lin_b, b->velocity) + dvec3_dot(row->ang_b, b->angular_velocity);
}
// Returns whether an axis is locked: some rows may hold it, and no component of a locked axis
// changes.
static inline bool tni_mechanism_is_locked(const tni_mechanism_body *body, uint32_t axis) {
    return (body->locks & (TN_BODY_LOCK_LINEAR_X << axis)) != 0;
}
// Returns whether no axis of its turns is free and all others are, as with particles.
static inline bool tni_mechanism_only_shifts(const tni_mechanism_body *body) {
    return body->locks ==
           (TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y | TN_BODY_LOCK_ANGULAR_Z);
}
static inline uint32_t tni_count_freedoms(uint32_t locks) {
    uint32_t count = 6;
    for (uint32_t axis = 0; axis < 6; ++axis) {
        count -= (locks & (TN_BODY_LOCK_LINEAR_X << axis)) != 0 ? 1 : 0;
    }
    return count;
}
// Has it limits that may leave its rows while they are far from their ends? Where it has only
// limits they never do.
static inline bool tni_mechanism_limits_may_rest(const tni_mechanism_joint *joint) {
    return joint->has_limits && joint->equality_count > 0 &&
           joint->all_count > joint->equality_count;
}
// Is it there only for the bodies that it ties, with no row of its own?
static inline bool tni_mechanism_is_bare(const tni_mechanism_joint *joint) {
    return joint->all_count == 0;
}
// Returns whether nothing pushes it and it is no taut net: then Newton's method converges from
// stage to stage as it did. Things that it passes and does not touch make no difference.
static inline bool tni_mechanism_is_smooth(const tni_mechanism *mechanism) {
    return !mechanism->touch.is_touched && mechanism->stage.taut_stages == 0;
}
static inline bool tni_mechanism_has_loops(const tni_mechanism *mechanism) {
    return mechanism->joint_count > mechanism->moving_count;
}
// Is it small and free enough that its stages are solved far enough for leads?
static inline bool tni_mechanism_is_precise(const tni_mechanism *mechanism) {
    bool has_loops = tni_mechanism_has_loops(mechanism);
    uint32_t most = has_loops ? TNI_PRECISE_MOST_LOOP_JOINTS : TNI_PRECISE_MOST_JOINTS;
    return mechanism->joint_count <= most && !mechanism->touch.is_touched &&
           mechanism->spans.count == 0;
}

#endif
