// joints/joint.h: the record of a joint, and the functions that all joint types share.
//
// Joints know geometry; solvers know rows. Each joint type has one file, which fills in the
// functions of joints/kind.h for that type; joint.c and joint_exact.c call them.
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

// Stands in a function joint's record in place of its definition: see
// joints/functions/function_joint.h.
typedef struct tni_function_def {
    tn_joint_def base;          // its frames are those of the bodies
    struct tni_function *apart; // owned by the record; null in a tie
    uint32_t owner;             // in a tie: the joint it serves, or TNI_NONE
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

// The part of a six-axis joint's definition that is its own. It is larger than that of any other
// joint, so that it lies apart.
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
        struct tni_custom *apart; // owned by the record
    } custom;
    tni_function_def function;
    struct {
        tn_joint_def base;
        struct tni_profile *profile; // owned by the record: parts/profile.h
        tn_cam_follower follower;
        bool is_desmodromic;
        double roller_radius;
    } cam;
    tn_ratchet_joint_def ratchet;
    tn_escapement_joint_def escapement;
    struct {
        tn_joint_def base;
        struct tni_curve *apart; // owned by the record: joints/paths/curve.h
    } curve;
    tn_surface_joint_def surface;
    struct {
        tn_joint_def base;
        struct tni_motion_path *apart; // owned by the record: joints/paths/motion_path.h
    } motion_path;
} tni_joint_kept_def;

// The axes of a frame.
typedef struct tni_axes {
    tni_dvec3 x, y, z;
} tni_axes;

// The origin and the axes of a frame as pairs of vectors, with x, y and z of both in turn. See
// parts/turn.h.
typedef struct tni_frame_vectors {
    double origin_x[6], y_z[6];
} tni_frame_vectors;

// One end of a joint in the list of its body's joints. A key is joint index * 2 + end.
typedef struct tni_joint_edge {
    uint32_t previous, next; // keys, or TNI_NONE
} tni_joint_edge;

// The limit on the free values of a joint that something may act on.
#define TNI_JOINT_MAX_VALUES 3

// Counts the rows that a joint emits, and the equalities among them, which come first. The
// definition alone decides both.
typedef struct tni_row_count {
    uint32_t rows, equalities;
    uint32_t point_rows; // if the equalities are a tni_pin: those of its point, else 0
    uint32_t lengths;    // of the equalities, the first ones, which are lengths and not angles
} tni_row_count;

// The memory of a joint that counts whole turns; zero in all others. These joints mesh when they
// are made and when their frames or their ratio change.
typedef struct tni_joint_memory {
    tni_turns turns[2];      // of the angles that it counts
    double starts[2];        // rad: these angles when the joint meshed
    double phase;            // m or rad: the joint's value less this is its error
    tni_dvec3 directions[2]; // in the world, for joints that need them
    int64_t tooth;           // the last one that has passed, for joints that count teeth or beats
} tni_joint_memory;

// Force and torque on body b at the origin of frame b, in the axes of frame a, or their impulses.
#define TNI_LOAD_NUMBERS 6

// The load of a joint that may break: see solver/step/breaking.h. It is zero in all others.
typedef struct tni_joint_bearing {
    double mean[TNI_LOAD_NUMBERS];  // N, N·m
    double since[TNI_LOAD_NUMBERS]; // N·s, N·m·s: in the last substep, after the last look
    bool is_broken;                 // broke in this step, at whose end it is destroyed; then:
    uint8_t cause, row;             // tn_break_cause, and the row of TN_BREAK_CAUSE_ROW
    float load, threshold;          // N or N·m
} tni_joint_bearing;

// The load of each row, for a joint that its own rows may break.
typedef struct tni_row_bearing {
    double mean[TN_CUSTOM_MAX_ROWS];  // N or N·m
    double since[TN_CUSTOM_MAX_ROWS]; // N·s or N·m·s
} tni_row_bearing;

// A custom joint's own memory.
typedef struct tni_custom {
    tn_custom_joint_def def;
    tni_row_bearing bearing;
} tni_custom;

typedef struct tni_joint {
    tn_joint_type type;
    const struct tni_joint_kind *kind; // the functions of its type: joints/kind.h
    uint32_t handle;
    uint32_t body_a, body_b; // indices, or TNI_NONE for the world
    tni_joint_kept_def def;  // as the user gave it, with normalised frames
    // The frames about each body's centre of mass, in body axes; for the world, in world
    // coordinates.
    tni_dpose frame_a, frame_b;
    tni_frame_vectors vectors_a, vectors_b; // the same as vectors
    tni_joint_edge edges[2];
    uint32_t awake_index;        // in the world's list of awake joints, or TNI_NONE
    bool is_disabled;            // the user switched it off: it takes part in nothing
    tn_joint_limits limits;      // as its last limit event reported them
    uint64_t row_kinds;          // a hash of the kinds of its rows in order
    tni_row_count rows;          // as tni_joint_count_rows() says
    bool has_limits, has_motors; // among its rows; has_limits counts rigid limits
    bool drives_limits;          // it has motors, or springs that end beyond a rigid limit

    uint32_t exact_pause; // steps for which exact methods leave it alone, after a failure
    uint32_t exact_hold;  // steps for which AUTO keeps it exact, since it stood open
    uint32_t alternation; // steps for which its mechanism alternates:
                          // world/mechanisms/mechanism_groups.c
    // The choice of TN_SOLVER_AUTO for its mechanism: see world/mechanisms/mechanism_choice.c.
    uint8_t choice, choice_reason; // tni_choice_method, tn_mechanism_reason
    bool needs_more;               // its error was larger than the tolerance
    bool is_strained;              // it made energy while far open: see world/step/step_balance.c
    bool starts_cold;              // a joint of its island is strained
    bool is_opposed;               // it stands open and carries a load that nothing exerts:
    float open_time;               // s: world/step/step_fights.c; time for which it stands open
    double open_error;             // m and rad: by which it stands open
    double gain, gain_scale; // J: its share of its island's account: world/step/step_balance.c
    float yield;  // share of the last impulse its drives may give; 0: all. See joint_machine.c
    bool presses; // its drives yield because they press a joint of their machine open
    bool whips;   // a limit that drives press turned far in a substep of the last step
    bool goes_with_reduced;  // rigid at both ends, it hangs on a reduced body:
                             // world/movers/step_reduced.c
    uint32_t choice_group;   // in the world's list of choices
    uint64_t work_signature; // the composition that `work` belongs to
    double work;             // multiply-adds of a factorisation

    tni_joint_memory memory;
    tni_joint_bearing bearing;

    // If this is not TNI_NONE, a lane keeps the members below between steps: see
    // world/step/joint_plan.h.
    uint32_t lane;
    // The impulse of each row over one substep, for warm starting. The solver writes it.
    float impulses[TNI_JOINT_MAX_ROWS];
    // Results of the last step. The solver's end of step writes them.
    vec3s reaction_force, reaction_torque; // mean, on body b at the origin of frame b, world axes
    float motor_efforts[TNI_JOINT_MAX_VALUES]; // of the motor on each of its values
    double motor_work;                         // J since creation
    double linear_error, angular_error;        // length of the violated part of its rows, m and rad
    uint32_t dependent_rows;          // in a mechanism: those of its rows that follow from others
    double linear_rest, angular_rest; // in a mechanism: m and rad that other joints leave open
} tni_joint;

// Returns whether it stands open by its error, because other joints contradict it.
static inline bool tni_joint_is_held_open(const tni_joint *joint) {
    return joint->is_strained || joint->is_opposed;
}

// Returns whether it contradicts other joints, so that not all of them can be closed.
static inline bool tni_joint_fights(const tni_joint *joint) {
    return joint->linear_rest > 0.0 || joint->angular_rest > 0.0 || tni_joint_is_held_open(joint);
}

// Sets the frames about the centres of mass, with their axes.
void tni_joint_set_frames(tni_joint *joint, const tni_dpose *frame_a, const tni_dpose *frame_b);

tni_row_count tni_joint_count_rows(const tni_joint *joint);

// Returns whether its equalities are springs: see joint.c.
static inline bool tni_joint_is_soft(const tni_joint *joint) {
    return joint->def.base.hertz > 0.0f;
}

// Returns the members that all definitions have.
static inline const tn_joint_def *tni_joint_get_base(const tni_joint *joint) {
    return &joint->def.base;
}

// Return whether some load breaks it, and whether a load of one of its own rows does.
bool tni_joint_may_break(const tni_joint *joint);
bool tni_joint_rows_may_break(const tni_joint *joint);
// Return the rows of a custom or function joint and their loads; null for any other joint.
const tn_custom_row_def *tni_joint_get_own_rows(const tni_joint *joint, uint32_t *out_count);
tni_row_bearing *tni_joint_get_row_bearing(const tni_joint *joint);

// Sets row_kinds, has_limits, has_motors and drives_limits from the definition.
void tni_joint_note_row_kinds(tni_joint *joint);

// Returns whether its definition is a tni_function_def: see joints/functions/function_joint.h,
// joints/functions/rope_joint.h.
static inline bool tni_joint_is_function(const tni_joint *joint) {
    return joint->type == TN_JOINT_TYPE_FUNCTION || joint->type == TN_JOINT_TYPE_ROPE;
}

// Returns whether it only serves another joint. Ties of ropes are of type FUNCTION, too.
static inline bool tni_joint_is_tie(const tni_joint *joint) {
    return joint->type == TN_JOINT_TYPE_FUNCTION && joint->def.function.apart == NULL;
}

// Writes the joint's rows for two poses. The world as `a` or `b` is the identity at the origin, at
// rest.
void tni_joint_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    tni_row *rows);
// Writes only the rows after the equalities, at their places.
void tni_joint_emit_bounded(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_row *rows);
// Writes the same without Jdot v, or only the errors of these rows, at their places. Both need only
// the poses.
void tni_joint_emit_actors(const tni_joint *joint, const tni_body_motion *a,
                           const tni_body_motion *b, tni_row *rows);
void tni_joint_measure_limits(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, double *errors);
// Writes the equalities of a joint in the compact form of a pin, and its bounded rows, which may be
// null if they are limits alone.
void tni_joint_emit_pin(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_pin *pin, tni_row *bounded);

// Write the equalities alone, in double and in the same order, or only their errors. Both need only
// the poses. They write zeros for a joint that is broken, and so does tni_joint_measure_terms.
void tni_joint_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_exact_row *rows);
void tni_joint_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *errors);
// Writes Jdot v of those rows: the second derivative of their errors at zero acceleration.
void tni_joint_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *terms);
// Return whether the errors depend on time as well, and write the rate dC/dt that this gives them;
// J v has to be its opposite.
bool tni_joint_has_rates(const tni_joint *joint);
void tni_joint_measure_rates(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, double *rates);
// Adds K of exact_row.h for strengths x of the equalities; nothing if the joint is broken.
void tni_joint_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, const double *x, tni_curvature *curvature);

// ---- forms for lanes ----------------------------------------------------------------------------

// The limits of a joint that has, beside its point and its held turns, nothing but rigid limits
// that do not bounce. Null where it has none.
typedef struct tni_joint_ranges {
    const tn_limit *cone, *twist;
} tni_joint_ranges;

// A joint along the line between two points: held at `length`, kept to `upper`, drawn to `rest`.
typedef struct tni_joint_line {
    float length, upper, rest; // m
    bool is_rod, is_rope, is_spring;
} tni_joint_line;

// Return whether the joint has that form.
bool tni_joint_get_ranges(const tni_joint *joint, tni_joint_ranges *out_ranges);
bool tni_joint_get_line(const tni_joint *joint, tni_joint_line *out_line);

// Returns how far the joint is from satisfying its rows, per axis of frame a.
tn_joint_error tni_joint_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                       const tni_body_motion *b);

// ---- whole turns -------------------------------------------------------------------------------

// Returns which of two angles the joint counts, as bits.
#define TNI_COUNTS_BOTH 3u
uint32_t tni_joint_get_counted(const tni_joint *joint);
// Return whether the joint remembers, whether its memory serves an equality, as in gears, and
// whether it counts teeth.
bool tni_joint_has_memory(const tni_joint *joint);
bool tni_joint_meshes(const tni_joint *joint);
bool tni_joint_has_teeth(const tni_joint *joint);
// Returns whether its angles have a reference now. True for joints without a memory.
bool tni_joint_has_reference(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b);
// Return the error of the row that its memory serves, m or rad, or 0 if it has none; and begin to
// count: that error becomes `error`, and the angles among these bits get their first turns.
double tni_joint_get_phase_error(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b);
void tni_joint_mesh(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                    double error, uint32_t angles);
// Returns an angle that it counts, from its start, rad. For joints with a memory.
double tni_joint_get_turn(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, uint32_t angle);
// Returns teeth_b / teeth_a, or the ratio that is given.
double tni_gear_get_ratio(const tn_gear_joint_def *def);
// The state of a belt on its pulleys now: rad, m, N.
typedef struct tni_belt_shape {
    double wrap_a, wrap_b, length, slip_force;
} tni_belt_shape;
tni_belt_shape tni_belt_measure(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b);
// Returns the length of a pulley's side, m.
double tni_pulley_measure_side(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, bool is_a);
// Announce that the poses asked about next are those after `time`, as the speeds foretell, and
// remember the present poses. For joints with a memory.
void tni_joint_expect(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      double time);
void tni_joint_remember(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
// Begins to remember anew after the bodies were put elsewhere, if the joint remembers a place.
void tni_joint_seek(tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);

// The mobility of a body: its inverse mass per axis of the world, and its inverse inertia, in world
// axes.
typedef struct tni_body_mobility {
    vec3s inv_mass;
    tni_sym3 inv_inertia;
} tni_body_mobility;

// Returns the energy stored in the joint's springs, J, without the stiffness of POSITION motors.
// Springs given by frequency have a stiffness that follows from the bodies' mobilities.
double tni_joint_measure_elastic_energy(const tni_joint *joint, const tni_body_motion *a,
                                        const tni_body_motion *b, const tni_body_mobility *of_a,
                                        const tni_body_mobility *of_b);

// A value that getters return, in double.
typedef struct tni_joint_value {
    double position; // angle (-pi, pi] or wound, translation or length; a ball joint's twist
    double speed;    // its rate
} tni_joint_value;
// Measures value `index` of a joint that has several, in the order of its definition.
tni_joint_value tni_joint_measure_value(const tni_joint *joint, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b);
// Return whether a callback or a graph gives its rows, and whether these are finite for these
// poses.
bool tni_joint_has_callback(const tni_joint *joint);
bool tni_joint_is_finite(const tni_joint *joint, const tni_body_motion *a,
                         const tni_body_motion *b);
// Returns which value the nth motor among the joint's rows acts on.
uint32_t tni_joint_get_motor_value(const tni_joint *joint, uint32_t motor);

// Returns the pose of a joint's frame in the world.
static inline tni_dpose tni_joint_world_frame(const tni_dpose *frame, const tni_body_motion *body) {
    tni_dpose world;
    world.position = dvec3_add(body->position, dquat_rotate(body->rotation, frame->position));
    world.rotation = dquat_mul(body->rotation, frame->rotation);
    return world;
}

#endif
