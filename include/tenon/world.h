/// tenon/world.h: the world: made from a definition, stepped, asked for its state.
#ifndef TENON_WORLD_H
#define TENON_WORLD_H

#include "tenon/base.h"
#include "tenon/contact.h"

TN_EXTERN_C_BEGIN

/// How position error is fed back into the velocity rows.
typedef enum tn_bias_mode {
    TN_BIAS_MODE_SOFT = 0,  ///< a critically or over-damped spring: `hertz`, `damping_ratio`
    TN_BIAS_MODE_BAUMGARTE, ///< beta / h * C beyond `slop` (contacts: or 3 g h^2), to `max_speed`
} tn_bias_mode;

/// Feedback of position error, for joints or for contacts.
typedef struct tn_bias {
    tn_bias_mode mode;
    float hertz;         ///< Hz, > 0. SOFT; at most 0.25 (contacts: 0.2) of the substep rate
    float damping_ratio; ///< >= 0. SOFT
    float beta;          ///< 0 to 1, share of the error removed per substep. BAUMGARTE
    float slop;      ///< m or rad, >= 0: error that is left alone. Both modes; contacts: depth kept
    float max_speed; ///< m/s or rad/s, > 0: cap on the correcting speed
} tn_bias;

/// What keeps joints from drifting apart under an integrator that does not close them itself.
typedef enum tn_stabilization_mode {
    TN_STABILIZATION_MODE_AUTO = 0, ///< RK4: PROJECT_AFTER, the others: FEEDBACK
    TN_STABILIZATION_MODE_NONE,
    TN_STABILIZATION_MODE_FEEDBACK,       ///< EULER: `beta`; the others: `stiffness`, `damping`
    TN_STABILIZATION_MODE_PROJECT_BEFORE, ///< poses back onto the joints before each substep
    TN_STABILIZATION_MODE_PROJECT_AFTER,  ///< poses, then velocities, after each substep
} tn_stabilization_mode;

/// Stabilization of the integrators that are there to be compared. MIDPOINT and RATTLE close their
/// joints themselves and read none of it, PENALTY reads its own two numbers alone.
typedef struct tn_stabilization {
    tn_stabilization_mode mode;
    double beta;                  ///< 0 to 1, share of the error that EULER removes per substep
    double stiffness;             ///< 1/s^2, >= 0: acceleration back per metre of error
    double damping;               ///< 1/s, >= 0: acceleration back per m/s of its rate
    double penalty_hertz;         ///< Hz, >= 0. 0: a tenth of the substep rate
    double penalty_damping_ratio; ///< >= 0
} tn_stabilization;

/// What conjugate gradients work on instead of the rows themselves, to need fewer iterations.
typedef enum tn_preconditioner {
    TN_PRECONDITIONER_AUTO = 0,     ///< GAUSS_SEIDEL where most rows are redundant, else JACOBI
    TN_PRECONDITIONER_JACOBI,       ///< each joint alone
    TN_PRECONDITIONER_GAUSS_SEIDEL, ///< a sweep over the joints and one back: half the iterations,
                                    ///< each twice as dear
} tn_preconditioner;

/// How joints are solved with TN_SOLVER_CG.
typedef struct tn_cg {
    tn_preconditioner preconditioner;
    uint32_t iterations; ///< most in a solve, 4 to 1000. Rigid joints are as stiff as so many can
                         ///< solve. 0: 32, and 100 where most rows are redundant
    float tolerance;     ///< a solve ends at this residual relative to its right side; above 0,
                         ///< below 1
} tn_cg;

/// Settings for the study of methods. No game needs another than the default.
typedef struct tn_research {
    tn_integrator integrator;       ///< of mechanisms of rigid joints alone. Default AUTO
    tn_stabilization stabilization; ///< of the integrators to compare. Default AUTO, beta 0.2,
                                    ///< 100 1/s^2, 20 1/s, penalty 0 Hz with ratio 0.2
    tn_cg cg;                       ///< of TN_SOLVER_CG. Default AUTO, 0, 0.01
} tn_research;

/// What a force does to a body.
typedef enum tn_dynamics {
    TN_DYNAMICS_SECOND_ORDER = 0, ///< f = m a: bodies keep their momentum
    TN_DYNAMICS_FIRST_ORDER,      ///< f = m v: they move as long as something pushes, and stop when
                                  ///< it lets go
} tn_dynamics;

/// What a world is made from. Start from tn_world_def_default().
typedef struct tn_world_def {
    tn_vec3 gravity; ///< m/s^2, kept as the nearest floats. Default (0, -9.81, 0)

    tn_dynamics dynamics; ///< default SECOND_ORDER
    double mobility;      ///< s, > 0: of FIRST_ORDER, v = mobility f / m. Default 1

    tn_solver solver;            ///< of rigid joints: AUTO (default), PGS, DIRECT or CG
    tn_bias joint_bias;          ///< default SOFT, ratio 2, as stiff as the substep allows, 100 m/s
    tn_bias contact_bias;        ///< default SOFT 60 Hz, ratio 14, slop 0, 3 m/s
    uint32_t joint_iterations;   ///< sweeps over joints per substep, 1 to 255. 0 (default): 4
    uint32_t contact_iterations; ///< over contacts, 1 to 255. 0 (default): 2 to 4, by what the
                                 ///< last step left of slow piles; 8 where their bias is BAUMGARTE
    uint32_t relax_iterations;   ///< sweeps without bias per substep, 0 to 255. Default 1

    tn_research research; ///< for comparing methods: a game leaves it alone

    double joint_tolerance;         ///< m, >= 0: telemetry tells whether every joint is within it.
                                    ///< Changes no motion. 0 (default): not asked
    double joint_tolerance_angular; ///< rad: the same. Default 0

    float restitution_threshold; ///< m/s, rad/s: slower impacts do not bounce. Default 1
    float hit_event_threshold;   ///< m/s: faster impacts make a hit event. Default 1
    float contact_margin;        ///< m: contacts this far apart are prepared ahead. Default 0.02

    bool is_sleep_allowed; ///< default true
    /// A body that is slower for the sleep time falls asleep, unless a motor or a kinematic body
    /// moves it or it speeds up: from one third of that time to the next its mean velocity must
    /// stay within 1/40 of these speeds, in an island of n bodies (1 + n/7) times that. A body that
    /// touches nothing sleeps only below 1/250 of them.
    float sleep_linear_speed;  ///< m/s. Default 0.05
    float sleep_angular_speed; ///< rad/s. Default 0.05
    float sleep_time;          ///< s at rest before an island sleeps. Default 0.5

    bool has_energy_ledger; ///< account for the work of motors, friction, damping, impacts.
                            ///< Sums are then taken in another order: other last bits.
                            ///< Default false

    tn_alloc_fn alloc; ///< null: the C library's
    tn_free_fn free;
    void *memory_user_data;
    tn_report_fn report; ///< null: reports are only counted (telemetry)
    void *report_user_data;
    tn_task_enqueue_fn enqueue; ///< null: with more than one worker, threads of the world's own
    tn_task_finish_fn finish;
    void *task_user_data;
    /// Only instructions that every CPU of this build's kind has, also where better ones are there:
    /// slower, and the same to the last bit. Default false
    bool is_baseline_only;
    /// How many threads step the world, 1 to 64, the calling one counted: those of `enqueue`, or
    /// else worker_count - 1 of its own, made with the world and asleep between steps. Where the
    /// platform has none (WebAssembly without threads, Windows) the calling one does all. Motion is
    /// the same to the last bit for any number. Default 1: no thread is made
    uint32_t worker_count;
    /// Where the generations of handles start, 0 (default) to 1022. Give worlds different seeds,
    /// and the handles of one are refused by another (INVALID_ID).
    uint16_t handle_seed;
    void *user_data;
} tn_world_def;

/// The default definition. Thread: any.
TN_API tn_world_def tn_world_def_default(void);

/// Makes an empty world. Null when memory cannot be had or the definition is out of range;
/// `out_result` (may be null) tells why, and the definition's report hook is called. `def` null:
/// the default.
///
/// In C and C++ the call tells the library which headers it was made with; those of another version
/// or build are refused (WRONG_HEADER), for their structs may have other members.
TN_API tn_world *tn_world_create(const tn_world_def *def, tn_result *out_result);
/// The same by what tn_world_create is in C and C++: `version` is TN_VERSION_NUMBER, `def_size` the
/// size of a tn_world_def. Errors: WRONG_HEADER.
TN_API tn_world *tn_world_create_checked(const tn_world_def *def, tn_result *out_result,
                                         uint32_t version, uint32_t def_size);
#define tn_world_create(def, out_result)                                                           \
    tn_world_create_checked((def), (out_result), TN_VERSION_NUMBER, (uint32_t)sizeof(tn_world_def))
/// Destroys the world and all that is in it. Null is allowed. Errors: WORLD_LOCKED.
TN_API void tn_world_destroy(tn_world *world);

/// Moves the world on by `dt` seconds in `substeps` equal parts.
/// Range: dt > 0, finite; substeps 1 to 64 (4 is a good start at dt = 1/60).
/// Returns OK, INVALID_TIME_STEP, WORLD_LOCKED, or OUT_OF_MEMORY (then no time has passed).
/// Forces and torques applied since the last step act during this one and are then cleared.
TN_API tn_result tn_world_step(tn_world *world, double dt, uint32_t substeps);

/// Gravity, m/s^2. Setting wakes every body.
TN_API tn_result tn_world_set_gravity(tn_world *world, tn_vec3 gravity);
TN_API tn_vec3 tn_world_get_gravity(const tn_world *world);
/// What a force does to a body; takes effect with the next step. Setting another one takes all
/// velocities of dynamic bodies away and wakes them.
/// FIRST_ORDER is for geometry that is pulled into place: v = mobility f / m, w = mobility I^-1 t
/// in each substep, with joints, springs, dampers, motors and contacts as ever, and no velocity is
/// carried on (those that are set are not used). What a body has at the end of a step is the
/// velocity that its forces give it there. Rigid joints are solved by Gauss-Seidel or
/// conjugate gradients (which take DIRECT's place); where they contradict each other bodies rest
/// where the errors balance. Nothing bounces, and the energy ledger is empty. Range: mobility > 0,
/// finite. Errors: INVALID_ARGUMENT, NOT_FINITE. Source: A. Witkin, M. Gleicher, W. Welch,
/// "Interactive dynamics", 1990, first-order worlds.
TN_API tn_result tn_world_set_dynamics(tn_world *world, tn_dynamics dynamics, double mobility);
TN_API tn_dynamics tn_world_get_dynamics(const tn_world *world);
TN_API double tn_world_get_mobility(const tn_world *world);
/// Seconds simulated, and steps taken.
TN_API double tn_world_get_time(const tn_world *world);
TN_API uint64_t tn_world_get_step_count(const tn_world *world);
TN_API void *tn_world_get_user_data(const tn_world *world);
TN_API tn_result tn_world_set_user_data(tn_world *world, void *user_data);

/// The solver of rigid joints that do not choose one themselves; takes effect with the next step.
/// Errors: INVALID_ARGUMENT.
TN_API tn_result tn_world_set_solver(tn_world *world, tn_solver solver);
TN_API tn_solver tn_world_get_solver(const tn_world *world);
/// The integrator of mechanisms that are solved with DIRECT (of AUTO, those it gives to DIRECT) and
/// have rigid joints alone; takes effect with the next step. Where there are contacts, limits,
/// motors, springs, friction or soft joints, or a mechanism is coupled to something else, it is
/// refused: MIDPOINT or the projected Gauss-Seidel step has its place, and tn_mechanism_info tells.
/// Errors: INVALID_ARGUMENT.
TN_API tn_result tn_world_set_integrator(tn_world *world, tn_integrator integrator);
TN_API tn_integrator tn_world_get_integrator(const tn_world *world);
/// Its stabilization; takes effect with the next step. Errors: INVALID_ARGUMENT, NOT_FINITE.
TN_API tn_result tn_world_set_stabilization(tn_world *world, tn_stabilization stabilization);
TN_API tn_stabilization tn_world_get_stabilization(const tn_world *world);
/// How joints are solved with TN_SOLVER_CG; takes effect with the next step.
/// Errors: INVALID_ARGUMENT, NOT_FINITE.
TN_API tn_result tn_world_set_cg(tn_world *world, tn_cg cg);
TN_API tn_cg tn_world_get_cg(const tn_world *world);
/// Feedback of position error for joints and contacts; takes effect with the next step.
TN_API tn_result tn_world_set_joint_bias(tn_world *world, tn_bias bias);
TN_API tn_bias tn_world_get_joint_bias(const tn_world *world);
TN_API tn_result tn_world_set_contact_bias(tn_world *world, tn_bias bias);
TN_API tn_bias tn_world_get_contact_bias(const tn_world *world);
/// Sleep on or off; off wakes every body.
TN_API tn_result tn_world_set_sleep_allowed(tn_world *world, bool is_allowed);
TN_API bool tn_world_is_sleep_allowed(const tn_world *world);
TN_API tn_result tn_world_set_restitution_threshold(tn_world *world, float speed);
TN_API float tn_world_get_restitution_threshold(const tn_world *world);

/// How many there are, and their handles in a fixed order: fills at most `capacity`, returns the
/// count.
TN_API uint32_t tn_world_count_bodies(const tn_world *world);
TN_API uint32_t tn_world_count_joints(const tn_world *world);
TN_API uint32_t tn_world_count_contacts(const tn_world *world);
TN_API uint32_t tn_world_get_bodies(const tn_world *world, tn_body_id *out_bodies,
                                    uint32_t capacity);
TN_API uint32_t tn_world_get_joints(const tn_world *world, tn_joint_id *out_joints,
                                    uint32_t capacity);
TN_API uint32_t tn_world_get_contacts(const tn_world *world, tn_contact_id *out_contacts,
                                      uint32_t capacity);

/// A hash of all poses, velocities and turns counted: equal for two runs that did the same.
TN_API uint64_t tn_world_get_hash(const tn_world *world);

/// Callbacks. Null takes one out. Called from tn_world_step; they may read the world, not change
/// it.
TN_API tn_result tn_world_set_contact_filter(tn_world *world, tn_contact_filter_fn filter,
                                             void *user_data);
TN_API tn_result tn_world_set_pre_solve(tn_world *world, tn_pre_solve_fn pre_solve,
                                        void *user_data);

TN_EXTERN_C_END

#endif
