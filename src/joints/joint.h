// joints/joint.h: the record of a joint, and what each joint type must provide.
//
// Joints know geometry; solvers know rows. One file per joint type implements the four functions
// below for that type; joint.c picks by type.
#ifndef TNI_JOINTS_JOINT_H
#define TNI_JOINTS_JOINT_H

#include "joints/parts/turns.h"
#include "joints/rows.h"
#include "tenon/ball_joint.h"
#include "tenon/belt_joint.h"
#include "tenon/cam_joint.h"
#include "tenon/curve_joint.h"
#include "tenon/custom_joint.h"
#include "tenon/cylindrical_joint.h"
#include "tenon/distance_joint.h"
#include "tenon/escapement_joint.h"
#include "tenon/fixed_joint.h"
#include "tenon/function_joint.h"
#include "tenon/gear_joint.h"
#include "tenon/hinge_joint.h"
#include "tenon/motion_path_joint.h"
#include "tenon/mouse_joint.h"
#include "tenon/planar_joint.h"
#include "tenon/pulley_joint.h"
#include "tenon/rack_pinion_joint.h"
#include "tenon/ratchet_joint.h"
#include "tenon/screw_joint.h"
#include "tenon/six_axis_joint.h"
#include "tenon/slider_joint.h"
#include "tenon/surface_joint.h"
#include "tenon/swing_twist_joint.h"
#include "tenon/universal_joint.h"
#include "tenon/wheel_joint.h"

// What a function joint's record has in place of its definition: see joints/function_joint.h.
typedef struct tni_function_def {
    tn_joint_def base;          // with frames that are those of the bodies
    struct tni_function *apart; // owned by the record; null of a tie
    uint32_t owner;             // of a tie: the joint it is for, or TNI_NONE
} tni_function_def;

// Every definition begins with the common part.
typedef union tni_joint_def {
    tn_joint_def base;
    tn_distance_joint_def distance;
    tn_ball_joint_def ball;
    tn_hinge_joint_def hinge;
    tn_slider_joint_def slider;
    tn_fixed_joint_def fixed;
    tn_universal_joint_def universal;
    tn_cylindrical_joint_def cylindrical;
    tn_planar_joint_def planar;
    tn_swing_twist_joint_def swing_twist;
    tn_six_axis_joint_def six_axis;
    tn_wheel_joint_def wheel;
    tn_gear_joint_def gear;
    tn_belt_joint_def belt;
    tn_rack_pinion_joint_def rack_pinion;
    tn_screw_joint_def screw;
    tn_pulley_joint_def pulley;
    tn_mouse_joint_def mouse;
    tn_custom_joint_def custom;
    tni_function_def function;
    tn_cam_joint_def cam;
    tn_ratchet_joint_def ratchet;
    tn_escapement_joint_def escapement;
    tn_curve_joint_def curve;
    tn_surface_joint_def surface;
    tn_motion_path_joint_def motion_path;
} tni_joint_def;

// Of a six-axis joint what is its own: more than all other joints have, so that it lies apart.
typedef struct tni_six_axes {
    uint32_t locks;
    tn_axis axes[TN_SIX_AXIS_COUNT];
    tn_round_limit linear_limit, angular_limit;
} tni_six_axes;

// A definition as a joint's record keeps it: see world/step/joint_keep.c.
typedef union tni_joint_kept_def {
    tn_joint_def base;
    tn_distance_joint_def distance;
    tn_ball_joint_def ball;
    tn_hinge_joint_def hinge;
    tn_slider_joint_def slider;
    tn_fixed_joint_def fixed;
    tn_universal_joint_def universal;
    tn_cylindrical_joint_def cylindrical;
    tn_planar_joint_def planar;
    tn_swing_twist_joint_def swing_twist;
    struct {
        tn_joint_def base;
        tni_six_axes *apart; // owned by the record
    } six_axis;
    tn_wheel_joint_def wheel;
    tn_gear_joint_def gear;
    tn_belt_joint_def belt;
    tn_rack_pinion_joint_def rack_pinion;
    tn_screw_joint_def screw;
    tn_pulley_joint_def pulley;
    tn_mouse_joint_def mouse;
    struct {
        tn_joint_def base;
        struct tni_custom *apart; // likewise
    } custom;
    tni_function_def function;
    struct {
        tn_joint_def base;
        struct tni_profile *profile; // likewise: parts/profile.h
        tn_cam_follower follower;
        bool is_desmodromic;
        double roller_radius;
    } cam;
    tn_ratchet_joint_def ratchet;
    tn_escapement_joint_def escapement;
    struct {
        tn_joint_def base;
        struct tni_curve *apart; // likewise; joints/curve.h
    } curve;
    tn_surface_joint_def surface;
    struct {
        tn_joint_def base;
        struct tni_motion_path *apart; // likewise; joints/motion_path.h
    } motion_path;
} tni_joint_kept_def;

// The axes of a frame.
typedef struct tni_axes {
    tni_dvec3 x, y, z;
} tni_axes;

// The origin and the axes of a frame, two vectors side by side: x, y and z of each in turn. See
// parts/turn.h.
typedef struct tni_frame_vectors {
    double origin_x[6], y_z[6];
} tni_frame_vectors;

// One end of a joint in the list of its body's joints. A key is joint index * 2 + end.
typedef struct tni_joint_edge {
    uint32_t previous, next; // keys, or TNI_NONE
} tni_joint_edge;

// The most values a joint leaves free that something may act on.
#define TNI_JOINT_MAX_VALUES 3

// How many rows a joint emits, and how many of them (the first ones) are equalities: a function of
// the definition alone.
typedef struct tni_row_count {
    uint32_t rows, equalities;
    uint32_t point_rows; // where the equalities are a tni_pin, how many are of its point, else 0
    uint32_t lengths;    // of the equalities, the first ones, that are of lengths and not of turns
} tni_row_count;

// What joints remember that count whole turns; zero of all others. They mesh when they are made and
// when their frames or their ratio change.
typedef struct tni_joint_memory {
    tni_turns turns[2];      // of the angles that it counts
    double starts[2];        // rad: of these angles, when they meshed
    double phase;            // m or rad: what is taken from the joint's value to make its error
    tni_dvec3 directions[2]; // of the world, for those that need such
    int64_t tooth;           // that has passed, of those that count teeth or beats
} tni_joint_memory;

// Force and torque on body b at the origin of frame b, in the axes of frame a; or impulses of them.
#define TNI_LOAD_NUMBERS 6

// A joint that may break notes its load: see solver/step/breaking.h. All others have zeroes.
typedef struct tni_joint_bearing {
    double mean[TNI_LOAD_NUMBERS];  // N, N·m
    double since[TNI_LOAD_NUMBERS]; // N·s, N·m·s: in the last substep, after it was looked at
    bool is_broken;                 // in this step, at whose end it goes; and then
    uint8_t cause, row;             // tn_break_cause; of TN_BREAK_CAUSE_ROW
    float load, threshold;          // N or N·m
} tni_joint_bearing;

// The same by row, where rows of the user's own may break it.
typedef struct tni_row_bearing {
    double mean[TN_CUSTOM_MAX_ROWS];  // N or N·m
    double since[TN_CUSTOM_MAX_ROWS]; // N·s or N·m·s
} tni_row_bearing;

// What is a custom joint's own.
typedef struct tni_custom {
    tn_custom_joint_def def;
    tni_row_bearing bearing;
} tni_custom;

typedef struct tni_joint {
    tn_joint_type type;
    const struct tni_joint_kind *kind; // what its type does: joints/kind.h
    uint32_t handle;
    uint32_t body_a, body_b; // indices; TNI_NONE: the world
    tni_joint_kept_def def;  // as the user gave it; frames normalised
    // The frames about each body's centre of mass, in body axes. Of the world: in world
    // coordinates.
    tni_dpose frame_a, frame_b;
    tni_frame_vectors vectors_a, vectors_b; // the same as vectors
    tni_joint_edge edges[2];
    uint32_t awake_index;        // in the world's list of awake joints, or TNI_NONE
    bool is_disabled;            // by the user: it takes part in nothing
    tn_joint_limits limits;      // it was at when its last limit event was told
    uint64_t row_kinds;          // a hash of the kinds of its rows in order
    tni_row_count rows;          // as tni_joint_count_rows() says
    bool has_limits, has_motors; // among its rows, limits that are rigid

    uint32_t exact_pause; // steps for which the direct solver leaves it alone, having failed
    uint32_t exact_hold;  // steps for which AUTO keeps it exact, having seen it open
    uint32_t alternation; // steps for which its mechanism alternates:
                          // world/mechanisms/mechanism_groups.c
    // TN_SOLVER_AUTO chose this for its mechanism: see world/mechanisms/mechanism_choice.c.
    uint8_t choice, choice_reason; // tni_choice_method, tn_mechanism_reason
    bool needs_more;               // it was off by more than the tolerance asked for
    bool is_strained;              // far open, it made energy: see world/step/step_balance.c
    bool starts_cold;              // its island has one that is strained
    bool is_opposed;               // it stands open and bears what nothing loads it with:
    float open_time;               // s: world/step/step_fights.c; for so long it stands open
    double open_error;             // by so much, m and rad
    double gain, gain_scale; // J: its share of its island's account: world/step/step_balance.c
    float yield;  // share of their last impulse that its drives may give, 0: all: joint_machine.c
    bool presses; // they yield because they press a joint of their machine open
    bool goes_with_reduced;  // rigid on both ends, it hangs on a reduced body:
                             // world/movers/step_reduced.c
    uint32_t choice_group;   // in the world's list of choices
    uint64_t work_signature; // the composition that `work` was found for
    double work;             // multiply-adds of a factorisation

    tni_joint_memory memory;
    tni_joint_bearing bearing;

    // A lane keeps what follows between steps instead, or this is TNI_NONE: see
    // world/step/joint_plan.h.
    uint32_t lane;
    // Impulses over one substep, by row, kept for warm starting. Written by the solver.
    float impulses[TNI_JOINT_MAX_ROWS];
    // Of the last step. Written by the solver's end of step.
    vec3s reaction_force, reaction_torque; // mean, on body b at the origin of frame b, world axes
    float motor_efforts[TNI_JOINT_MAX_VALUES]; // of the motor on each of its values
    double motor_work;                         // J since creation
    double linear_error, angular_error;        // length of the violated part of its rows, m and rad
    uint32_t dependent_rows;                   // of its rows, in a mechanism
    double linear_rest, angular_rest; // m and rad that other joints leave open, in a mechanism
} tni_joint;

// Whether it stands open by what its error says, since others contradict it.
static inline bool tni_joint_is_held_open(const tni_joint *joint) {
    return joint->is_strained || joint->is_opposed;
}

// Whether it contradicts others: all of them cannot be closed.
static inline bool tni_joint_fights(const tni_joint *joint) {
    return joint->linear_rest > 0.0 || joint->angular_rest > 0.0 || tni_joint_is_held_open(joint);
}

// Frames about the centres of mass, with their axes.
void tni_joint_set_frames(tni_joint *joint, const tni_dpose *frame_a, const tni_dpose *frame_b);

tni_row_count tni_joint_count_rows(const tni_joint *joint);

// Its equalities are springs: see joint.c.
static inline bool tni_joint_is_soft(const tni_joint *joint) {
    return joint->def.base.hertz > 0.0f;
}

// All definitions have these members, the loads that break a joint among them.
static inline const tn_joint_def *tni_joint_get_base(const tni_joint *joint) {
    return &joint->def.base;
}

// Whether some load breaks it; and whether one of a row of the user's own does.
bool tni_joint_may_break(const tni_joint *joint);
bool tni_joint_rows_may_break(const tni_joint *joint);
// Rows of the user's own, and what they bear; null where it has none.
const tn_custom_row_def *tni_joint_get_own_rows(const tni_joint *joint, uint32_t *out_count);
tni_row_bearing *tni_joint_get_row_bearing(const tni_joint *joint);

// row_kinds, has_limits and has_motors by its definition.
void tni_joint_note_row_kinds(tni_joint *joint);

// Is its definition a tni_function_def? See joints/function_joint.h, joints/rope_joint.h.
static inline bool tni_joint_is_function(const tni_joint *joint) {
    return joint->type == TN_JOINT_TYPE_FUNCTION || joint->type == TN_JOINT_TYPE_ROPE;
}

// Is it there for another one? Ties of ropes are of the same type as those of functions.
static inline bool tni_joint_is_tie(const tni_joint *joint) {
    return joint->type == TN_JOINT_TYPE_FUNCTION && joint->def.function.apart == NULL;
}

// Writes the joint's rows for two poses. `a` or `b` of the world: identity at the origin, at rest.
void tni_joint_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    tni_row *rows);
// Only those after the equalities, at their places.
void tni_joint_emit_bounded(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_row *rows);
// The same without Jdot v; and the errors of limits among them, at their places. They need only the
// poses.
void tni_joint_emit_actors(const tni_joint *joint, const tni_body_motion *a,
                           const tni_body_motion *b, tni_row *rows);
void tni_joint_measure_limits(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, double *errors);
// As tni_joint_emit_bounded, of a joint whose equalities are a pin: these in compact form, and only
// the bounded rows as rows, which may be null where they are limits alone.
void tni_joint_emit_pin(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_pin *pin, tni_row *bounded);

// What follows is nothing of a joint that is broken.
// The equality rows alone in double, in the same order, only their errors, and K of exact_row.h for
// strengths x of them, added to what is there. They need only the poses.
void tni_joint_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_exact_row *rows);
void tni_joint_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *errors);
// Jdot v of those rows: the second derivative of their errors at zero acceleration.
void tni_joint_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *terms);
// Is their error a function of time too? Then how fast that makes it grow, dC/dt: what J v has to
// be the opposite of.
bool tni_joint_has_rates(const tni_joint *joint);
void tni_joint_measure_rates(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *rates);
void tni_joint_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, const double *x, tni_curvature *curvature);

// ---- what stands in lanes ----------------------------------------------------------------------

// Limits of a joint that has nothing but them beside its point and its held turns: rigid ones that
// do not bounce. Null where it has none.
typedef struct tni_joint_ranges {
    const tn_limit *cone, *twist;
} tni_joint_ranges;

// A joint along the line between two points: at `length`, at most `upper`, drawn to `rest`.
typedef struct tni_joint_line {
    float length, upper, rest; // m
    bool is_rod, is_rope, is_spring;
} tni_joint_line;

// Return whether the joint is of that form.
bool tni_joint_get_ranges(const tni_joint *joint, tni_joint_ranges *out_ranges);
bool tni_joint_get_line(const tni_joint *joint, tni_joint_line *out_line);

// How far the joint is from what it should be: per axis of frame a.
tn_joint_error tni_joint_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                       const tni_body_motion *b);

// ---- whole turns -------------------------------------------------------------------------------

// Which of two angles the joint counts, as bits.
#define TNI_COUNTS_BOTH 3u
uint32_t tni_joint_get_counted(const tni_joint *joint);
// Does the joint remember? Is its memory for an equality, as of gears? And does it count teeth?
bool tni_joint_has_memory(const tni_joint *joint);
bool tni_joint_meshes(const tni_joint *joint);
bool tni_joint_has_teeth(const tni_joint *joint);
// Is there what its angles are measured against? True of joints that have no memory.
bool tni_joint_has_reference(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b);
// The error of the row that its memory is for, m or rad; 0 where it has none. And begins to count:
// from now on that error is what it is told to be, and the angles among these bits have the turns
// they begin with.
double tni_joint_get_phase_error(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b);
void tni_joint_mesh(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    double error, uint32_t angles);
// An angle that it counts, from where it began to, rad. Of joints with a memory.
double tni_joint_get_turn(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, uint32_t angle);
// teeth_b / teeth_a, or the ratio that is given.
double tni_gear_get_ratio(const tn_gear_joint_def *def);
// What a belt comes to as its pulleys stand: rad, m, N.
typedef struct tni_belt_shape {
    double wrap_a, wrap_b, length, slip_force;
} tni_belt_shape;
tni_belt_shape tni_belt_measure(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b);
// A pulley's side, m.
double tni_pulley_measure_side(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, bool is_a);
// Poses that are asked about from now on are those after `time`, as far as the speeds tell; and
// these are the poses now. Both of joints with a memory only.
void tni_joint_expect(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      double time);
void tni_joint_remember(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
// The bodies were put elsewhere: what is remembered begins anew from there, where it is of a place.
void tni_joint_seek(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);

// How easily a body moves: its inverse mass per axis of the world, and inverse inertia, world axes.
typedef struct tni_body_mobility {
    vec3s inv_mass;
    tni_sym3 inv_inertia;
} tni_body_mobility;

// The energy stored in the joint's springs, J (the stiffness of POSITION motors is not counted).
// The mobilities of both bodies are for springs given by frequency, whose stiffness follows from
// them.
double tni_joint_measure_elastic_energy(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b, const tni_body_mobility *of_a,
                                        const tni_body_mobility *of_b);

// The values that getters return, in double.
typedef struct tni_joint_value {
    double position; // angle (-pi, pi], translation or length; of a ball joint the twist
    double speed;    // its rate
} tni_joint_value;
// `index` counts the values of a joint that has several, in the order of its definition.
tni_joint_value tni_joint_measure_value(const tni_joint *joint, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b);
// Does a callback, or a graph, say what the joint is? And does it give numbers for these poses?
bool tni_joint_has_callback(const tni_joint *joint);
bool tni_joint_is_finite(const tni_joint *joint, const tni_body_motion *a,
                         const tni_body_motion *b);
// Which value the nth motor among the joint's rows acts on.
uint32_t tni_joint_get_motor_value(const tni_joint *joint, uint32_t motor);

// The pose of a joint's frame in the world.
static inline tni_dpose tni_joint_world_frame(const tni_dpose *frame, const tni_body_motion *body) {
    tni_dpose world;
    world.position = dvec3_add(body->position, dquat_rotate(body->rotation, frame->position));
    world.rotation = dquat_mul(body->rotation, frame->rotation);
    return world;
}

#endif
