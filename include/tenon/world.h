/// tenon/world.h: makes a world from a definition, steps it, and reads its state.
#ifndef TENON_WORLD_H
#define TENON_WORLD_H

#include "tenon/base.h"
#include "tenon/contact.h"

TN_EXTERN_C_BEGIN

/// Chooses how position error is fed back into the velocity rows.
typedef enum tn_bias_mode {
    TN_BIAS_MODE_SOFT = 0,  ///< a critically damped or over-damped spring: `hertz`, `damping_ratio`
    TN_BIAS_MODE_BAUMGARTE, ///< rate beta / h * C of error beyond `slop` (contacts: or 3 g h^2), at
                            ///< most `max_speed`
} tn_bias_mode;

/// Sets the feedback of position error, for joints or for contacts.
typedef struct tn_bias {
    tn_bias_mode mode;
    float hertz;         ///< Hz, > 0. SOFT; capped at 0.25 (contacts: 0.2) of the substep rate
    float damping_ratio; ///< >= 0. SOFT
    float beta;          ///< 0 to 1: share of the error removed per substep. BAUMGARTE
    float slop; ///< m or rad, >= 0: error that is left alone, for contacts the depth. Both modes
    float max_speed; ///< m/s or rad/s, > 0: cap on the correcting speed
} tn_bias;

/// Chooses what keeps joints from drifting apart under an integrator that does not close them
/// itself.
typedef enum tn_stabilization_mode {
    TN_STABILIZATION_MODE_AUTO = 0, ///< RK4: PROJECT_AFTER, the others: FEEDBACK
    TN_STABILIZATION_MODE_NONE,
    TN_STABILIZATION_MODE_FEEDBACK,       ///< EULER: `beta`; the others: `stiffness`, `damping`
    TN_STABILIZATION_MODE_PROJECT_BEFORE, ///< puts the poses back onto the joints before each
                                          ///< substep
    TN_STABILIZATION_MODE_PROJECT_AFTER,  ///< does so with the poses, then the velocities, after
                                          ///< each substep
} tn_stabilization_mode;

/// Sets the stabilization of the integrators that are there for comparison. MIDPOINT and RATTLE
/// close their joints themselves and ignore it; PENALTY reads only its own two numbers.
typedef struct tn_stabilization {
    tn_stabilization_mode mode;
    double beta;                  ///< 0 to 1: share of the error that EULER removes per substep
    double stiffness;             ///< 1/s^2, >= 0: correcting acceleration per metre of error
    double damping;               ///< 1/s, >= 0: correcting acceleration per m/s of its rate
    double penalty_hertz;         ///< Hz, >= 0. 0 means a tenth of the substep rate
    double penalty_damping_ratio; ///< >= 0
} tn_stabilization;
/// Returns the default: AUTO, beta 0.2, 100 1/s^2, 20 1/s, penalty 0 Hz with ratio 0.2.
TN_API tn_stabilization tn_stabilization_default(void);

/// Chooses the preconditioner of conjugate gradients, which lets them take fewer iterations.
typedef enum tn_preconditioner {
    TN_PRECONDITIONER_AUTO = 0,     ///< GAUSS_SEIDEL where most rows are redundant, else JACOBI
    TN_PRECONDITIONER_JACOBI,       ///< inverts each joint alone
    TN_PRECONDITIONER_GAUSS_SEIDEL, ///< sweeps over the joints and back: half the iterations, each
                                    ///< twice as costly
} tn_preconditioner;

/// Sets how joints are solved with TN_SOLVER_CG.
typedef struct tn_cg {
    tn_preconditioner preconditioner;
    uint32_t iterations; ///< at most this many in a solve, 4 to 1000; they bound how stiff rigid
                         ///< joints are. 0 means 32, and 100 where most rows are redundant
    float tolerance; ///< a solve ends at this residual, relative to its right side. Above 0, less
                     ///< than 1
} tn_cg;
/// Returns the default: AUTO, 0 iterations (32 or 100), tolerance 0.01.
TN_API tn_cg tn_cg_default(void);

/// Settings for the study of methods. A game keeps the defaults.
typedef struct tn_research {
    tn_integrator integrator;       ///< for mechanisms that have rigid joints alone. Default AUTO
    tn_stabilization stabilization; ///< for the integrators to compare
    tn_cg cg;                       ///< for TN_SOLVER_CG
} tn_research;

/// Chooses what a force does to a body.
typedef enum tn_dynamics {
    TN_DYNAMICS_SECOND_ORDER = 0, ///< f = m a: bodies keep their momentum
    TN_DYNAMICS_FIRST_ORDER,      ///< f = m v: bodies move as long as something pushes them
} tn_dynamics;

/// Defines a world. Start from tn_world_def_default().
typedef struct tn_world_def {
    tn_vec3 gravity; ///< m/s^2, rounded to floats. Default (0, -9.81, 0)

    tn_dynamics dynamics; ///< default SECOND_ORDER
    double mobility;      ///< s, > 0: FIRST_ORDER has v = mobility f / m. Default 1

    tn_solver solver;   ///< for rigid joints: AUTO (default), PGS, DIRECT or CG
    tn_bias joint_bias; ///< default SOFT, ratio 2, as stiff as the substep allows, at most 100 m/s
    tn_bias contact_bias;      ///< default SOFT, 60 Hz, ratio 14, slop 0, at most 3 m/s
    uint32_t joint_iterations; ///< sweeps over joints per substep, 1 to 255. 0 (default) means 4
    /// Sweeps over contacts, 1 to 255. 0 (default) means 8 with BAUMGARTE, and else 2 to 6, by the
    /// error that the last step left in slow piles.
    uint32_t contact_iterations;
    uint32_t relax_iterations; ///< sweeps without bias per substep, 0 to 255. Default 1

    tn_research research; ///< for comparing methods

    double joint_tolerance; ///< m, >= 0: telemetry reports whether every joint is within it. AUTO
                            ///< may solve others exactly. 0 (default): no tolerance
    double joint_tolerance_angular; ///< rad, >= 0: the same for angles. Default 0

    float restitution_threshold; ///< m/s, rad/s: slower impacts do not bounce. Default 1
    float hit_event_threshold;   ///< m/s: faster impacts make a hit event. Default 1
    /// One of two filters suffices: shapes may touch if the mask of either holds a bit of the
    /// other's category. Default false: both masks must
    bool is_one_mask_enough;
    float contact_margin; ///< m: contacts that are this far apart are prepared ahead. Default 0.02

    bool is_sleep_allowed; ///< default true
    /// An island whose bodies are slower than these speeds for the sleep time falls asleep. A motor
    /// or a kinematic body that moves one of them keeps it awake, and so does a change of a body's
    /// mean velocity from one third of that time to the next by more than 1/40 of these speeds
    /// (times 1 + n/7 in an island of n bodies). A body that touches nothing sleeps only below
    /// 1/2,000 of them: by default what speeds up by less than 1.5e-4 m/s^2 or rad/s^2 may. In
    /// gravity below 9.81 m/s^2 both shares are smaller in proportion.
    float sleep_linear_speed;  ///< m/s. Default 0.05
    float sleep_angular_speed; ///< rad/s. Default 0.05
    float sleep_time;          ///< s that an island must be slow before it sleeps. Default 0.5

    bool has_energy_ledger; ///< accounts for the work of motors, friction, damping and impacts.
                            ///< Sums are then taken in another order, which changes the last bits.
                            ///< Default false

    bool keeps_previous_poses; ///< for tn_world_get_blended_poses: 64 bytes for each body, and
                               ///< some nanoseconds a step for each awake one. Default false

    tn_alloc_fn alloc; ///< null: the C library's allocator
    tn_free_fn free;
    void *memory_user_data;
    tn_report_fn report; ///< null: reports are only counted (telemetry)
    void *report_user_data;
    tn_task_enqueue_fn enqueue; ///< null: more than one worker are threads of the world's own
    tn_task_finish_fn finish;
    void *task_user_data;
    /// Uses only instructions that every CPU of this build's kind has, even if the CPU has better
    /// ones. This is slower and gives the same bits. Default false
    bool is_baseline_only;
    /// Sets how many threads step the world, 1 to 64, including the calling one. They come from
    /// `enqueue`; without it the world makes worker_count - 1 threads, which sleep between steps.
    /// On a platform without threads (WebAssembly without threads, MSVC without C11's atomics) the
    /// calling thread does all the work. Motion is the same to the last bit for any number. Default
    /// 1: no thread is made
    uint32_t worker_count;
    /// Sets where the generations of handles start, 0 (default) to 1022. A world refuses the
    /// handles of a world with another seed (INVALID_ID).
    uint16_t handle_seed;
    void *user_data;
} tn_world_def;

/// Returns the default definition. Thread: any.
TN_API tn_world_def tn_world_def_default(void);

/// Makes an empty world. Returns null when there is no memory or the definition is out of range;
/// `out_result` (may be null) then says why, and the definition's report hook is called. A null
/// `def` stands for the default.
///
/// In C and C++ this is a macro that also passes the version of the caller's headers. The library
/// refuses headers of another version or build, whose structs may differ (WRONG_HEADER).
TN_API tn_world *tn_world_create(const tn_world_def *def, tn_result *out_result);
/// Makes a world as tn_world_create does, which in C and C++ is a macro for this. `version` is
/// TN_VERSION_NUMBER, `def_size` the size of a tn_world_def. Errors: WRONG_HEADER.
TN_API tn_world *tn_world_create_checked(const tn_world_def *def, tn_result *out_result,
                                         uint32_t version, uint32_t def_size);
#define tn_world_create(def, out_result)                                                           \
    tn_world_create_checked((def), (out_result), TN_VERSION_NUMBER, (uint32_t)sizeof(tn_world_def))
/// Destroys the world and everything in it. A null world is allowed. Errors: WORLD_LOCKED.
TN_API void tn_world_destroy(tn_world *world);

/// Moves the world on by `dt` seconds in `substeps` equal parts.
/// Range: dt > 0, finite; substeps 1 to 64 (4 is a good start at dt = 1/60).
/// Returns OK, INVALID_TIME_STEP, WORLD_LOCKED, or OUT_OF_MEMORY (then no time has passed).
/// Forces and torques applied since the last step act during this one and are then cleared.
/// A step computes in the library's floating-point environment (rounds to nearest, with subnormal
/// numbers, without traps) whatever the calling thread's is, and gives that back at the end, but
/// for the flags of exceptions; so do queries, and all calls that make or change something.
/// Callbacks run in the library's. docs/manual/determinism.md lists the rest.
TN_API tn_result tn_world_step(tn_world *world, double dt, uint32_t substeps);

/// Forgets what the steps before left for the next one to begin with: the impulses of contacts and
/// joints, what they remember of their shapes and errors, how exact mechanisms moved, which methods
/// AUTO chose, the loads that joints have borne (break_force), and how long awake bodies have been
/// slow. For a world whose poses and velocities were set by hand: it goes on as another one that
/// was made with them, but for the order of contacts, who sleeps, applied forces, the turns that
/// joints count, the teeth of ratchets, the rope between sheaves, and the time. To go on bit for
/// bit, load a snapshot (tenon/snapshot.h). Contacts of awake bodies keep their handles and have no
/// points until the next step; those that touched end, and the next step reports that beside their
/// new begin. Wakes nothing. Errors: WORLD_LOCKED.
TN_API tn_result tn_world_clear_warm_start(tn_world *world);
/// Destroys everything in the world: bodies, shapes, joints, forces, and the pairs that may not
/// touch. Their handles are stale (those of contacts for 1,000 clears), and no event reports their
/// end. Time, steps and the ledger begin at 0. The world keeps its present settings, hooks and
/// callbacks, its threads, and most of its memory. It then goes on, bit for bit, as a new world
/// with these settings in which the same is made; only the handles have other values. It takes no
/// memory. Meshes, hulls and graphs stay with those who hold them. Errors: WORLD_LOCKED.
TN_API tn_result tn_world_clear(tn_world *world);

/// Set and return gravity, m/s^2. Setting wakes every body.
TN_API tn_result tn_world_set_gravity(tn_world *world, tn_vec3 gravity);
TN_API tn_vec3 tn_world_get_gravity(const tn_world *world);
/// Chooses what a force does to a body, from the next step on. A change sets the velocities of
/// dynamic bodies to 0 and wakes them.
/// FIRST_ORDER is for geometry that is pulled into place: each substep takes v = mobility f / m and
/// w = mobility I^-1 t, with joints, springs, dampers, motors and contacts as usual. No velocity is
/// carried on, and velocities that are set have no effect; after a step a body has the velocity
/// that its forces give it there. Rigid joints are solved by Gauss-Seidel or by conjugate
/// gradients, which take DIRECT's place; joints that contradict each other come to rest where their
/// errors balance. Nothing bounces, and the energy ledger is empty. Range: mobility > 0, finite.
/// Errors: INVALID_ARGUMENT, NOT_FINITE.
/// Source: A. Witkin, M. Gleicher, W. Welch, "Interactive dynamics", 1990, first-order worlds.
TN_API tn_result tn_world_set_dynamics(tn_world *world, tn_dynamics dynamics, double mobility);
TN_API tn_dynamics tn_world_get_dynamics(const tn_world *world);
TN_API double tn_world_get_mobility(const tn_world *world);
/// Return the simulated time, s, and the count of steps taken.
TN_API double tn_world_get_time(const tn_world *world);
TN_API uint64_t tn_world_get_step_count(const tn_world *world);
TN_API void *tn_world_get_user_data(const tn_world *world);
TN_API tn_result tn_world_set_user_data(tn_world *world, void *user_data);

/// Set and return the solver of the rigid joints that do not choose one themselves. Takes effect
/// with the next step. Errors: INVALID_ARGUMENT.
TN_API tn_result tn_world_set_solver(tn_world *world, tn_solver solver);
TN_API tn_solver tn_world_get_solver(const tn_world *world);
/// Set and return the integrator of mechanisms that DIRECT solves (or AUTO gives to DIRECT) and
/// that have rigid joints alone. Takes effect with the next step. It is not used for a mechanism
/// that has contacts, limits, motors, springs, friction or soft joints, or is coupled to something
/// else: MIDPOINT or the projected Gauss-Seidel step takes its place, and tn_mechanism_info says
/// so. Errors: INVALID_ARGUMENT.
TN_API tn_result tn_world_set_integrator(tn_world *world, tn_integrator integrator);
TN_API tn_integrator tn_world_get_integrator(const tn_world *world);
/// Set and return the integrator's stabilization. Takes effect with the next step.
/// Errors: INVALID_ARGUMENT, NOT_FINITE.
TN_API tn_result tn_world_set_stabilization(tn_world *world, tn_stabilization stabilization);
TN_API tn_stabilization tn_world_get_stabilization(const tn_world *world);
/// Set and return how joints are solved with TN_SOLVER_CG. Takes effect with the next step.
/// Errors: INVALID_ARGUMENT, NOT_FINITE.
TN_API tn_result tn_world_set_cg(tn_world *world, tn_cg cg);
TN_API tn_cg tn_world_get_cg(const tn_world *world);
/// Set and return the feedback of position error. Takes effect with the next step.
/// Errors: INVALID_ARGUMENT, NOT_FINITE.
TN_API tn_result tn_world_set_joint_bias(tn_world *world, tn_bias bias);
TN_API tn_bias tn_world_get_joint_bias(const tn_world *world);
TN_API tn_result tn_world_set_contact_bias(tn_world *world, tn_bias bias);
TN_API tn_bias tn_world_get_contact_bias(const tn_world *world);
/// Allows or forbids sleep. Forbidding it wakes every body.
TN_API tn_result tn_world_set_sleep_allowed(tn_world *world, bool is_allowed);
TN_API bool tn_world_is_sleep_allowed(const tn_world *world);
TN_API tn_result tn_world_set_restitution_threshold(tn_world *world, float speed);
TN_API float tn_world_get_restitution_threshold(const tn_world *world);

/// Return how many there are. The latter three also fill in at most `capacity` handles, in a fixed
/// order.
TN_API uint32_t tn_world_count_bodies(const tn_world *world);
TN_API uint32_t tn_world_count_joints(const tn_world *world);
TN_API uint32_t tn_world_count_contacts(const tn_world *world);
TN_API uint32_t tn_world_get_bodies(const tn_world *world, tn_body_id *out_bodies,
                                    uint32_t capacity);
TN_API uint32_t tn_world_get_joints(const tn_world *world, tn_joint_id *out_joints,
                                    uint32_t capacity);
TN_API uint32_t tn_world_get_contacts(const tn_world *world, tn_contact_id *out_contacts,
                                      uint32_t capacity);

/// Set and return whether two bodies may touch, whatever the filters of their shapes allow. An
/// exception (false) lasts until it is taken back (true) or one of the bodies is gone. Setting
/// wakes both bodies. Sensors and queries do not ask. Default: true. Errors: INVALID_ID, SAME_BODY,
/// OUT_OF_MEMORY.
TN_API tn_result tn_world_set_pair_collision(tn_world *world, tn_body_id body_a, tn_body_id body_b,
                                             bool is_allowed);
TN_API bool tn_world_get_pair_collision(const tn_world *world, tn_body_id body_a,
                                        tn_body_id body_b);

/// Returns a hash of all poses, velocities and counted turns. It is equal for two runs that did the
/// same.
TN_API uint64_t tn_world_get_hash(const tn_world *world);

/// Set callbacks, which tn_world_step calls; null removes one. They may read the world but not
/// change it.
TN_API tn_result tn_world_set_contact_filter(tn_world *world, tn_contact_filter_fn filter,
                                             void *user_data);
TN_API tn_result tn_world_set_pre_solve(tn_world *world, tn_pre_solve_fn pre_solve,
                                        void *user_data);

TN_EXTERN_C_END

#endif
