/// tenon/telemetry.h: what a step cost, how well the joints hold, where the energy went.
#ifndef TENON_TELEMETRY_H
#define TENON_TELEMETRY_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// One step in numbers. Times in ms. With fewer than 32 bodies and contacts awake the clock is read
/// before and after the step alone, and solve_ms is all of it.
typedef struct tn_telemetry {
    double step_ms;      ///< the whole step
    double pairs_ms;     ///< bounds, broad phase
    double manifolds_ms; ///< narrow phase
    double islands_ms;   ///< islands, order of blocks
    double solve_ms;     ///< all substeps
    double finish_ms;    ///< poses, sleep, events

    uint32_t awake_bodies; ///< dynamic and kinematic bodies that took part
    uint32_t contacts;     ///< pairs whose bounds overlap, awake
    uint32_t manifolds;    ///< of these, with at least one point
    uint32_t points;
    uint32_t joints;  ///< awake
    uint32_t rows;    ///< of joints and contacts, per substep
    uint32_t islands; ///< awake
    uint32_t substeps;

    double worst_joint_linear;                           ///< m: largest joint error after the step
    double worst_joint_angular;                          ///< rad
    tn_joint_id worst_linear_joint, worst_angular_joint; ///< null when there are no awake joints
    /// Every awake joint is within the definition's joint_tolerance and joint_tolerance_angular.
    /// True where none is asked for.
    bool meets_tolerance;
    double deepest_penetration; ///< m, >= 0

    uint64_t bytes;       ///< of the world's allocator, in use
    uint64_t peak_bytes;  ///< the most that ever were
    uint64_t allocations; ///< made during this step: 0 after warm-up
    uint64_t reports;     ///< refused calls and faults since the world was made
} tn_telemetry;

/// Of the last step.
TN_API tn_telemetry tn_world_get_telemetry(const tn_world *world);

/// The vector unit that the world's inner loops run on: "AVX2", "SSE2", "NEON", "WebAssembly SIMD"
/// or "none". The bits are the same on each. Static text. Null world: "none". Thread: any.
TN_API const char *tn_world_get_vector_unit(const tn_world *world);

/// What moves a mechanism.
typedef enum tn_mechanism_method {
    TN_MECHANISM_METHOD_DIRECT = 0,  ///< a step of its own, all its joints together
    TN_MECHANISM_METHOD_PGS_CLOSED,  ///< coupled to other things: Gauss-Seidel with them, and its
                                     ///< rigid joints closed after every substep
    TN_MECHANISM_METHOD_CG,          ///< conjugate gradients
    TN_MECHANISM_METHOD_PGS,         ///< Gauss-Seidel: AUTO chose it
    TN_MECHANISM_METHOD_ALTERNATING, ///< it touches too much to ask every contact through the
                                     ///< joints: sweeps of Gauss-Seidel, and after every substep
                                     ///< its rigid joints closed together, contacts holding
} tn_mechanism_method;

/// Why a mechanism is solved as it is: asked for, or what TN_SOLVER_AUTO went by.
typedef enum tn_mechanism_reason {
    TN_MECHANISM_REASON_ASKED = 0, ///< the world's solver or that of one of its joints says so
    // Chosen to be exact:
    TN_MECHANISM_REASON_MASSES,    ///< a body in it carries more than 8 times its own mass, or a
                                   ///< joint holds a point between very different masses; or such
                                   ///< a body lies in a net of particles
    TN_MECHANISM_REASON_LOOPS,     ///< its joints form closed loops
    TN_MECHANISM_REASON_HUNG,      ///< it hangs on something that does not move, and has an energy
                                   ///< to keep, many bodies or a load
    TN_MECHANISM_REASON_TOLERANCE, ///< Gauss-Seidel did not keep the world's joint tolerance
    TN_MECHANISM_REASON_CHAIN,     ///< rigid joints alone tie more than two pieces to a tree
    TN_MECHANISM_REASON_OPENED,    ///< Gauss-Seidel let a joint of it open visibly just now
    // Left to Gauss-Seidel:
    TN_MECHANISM_REASON_LIGHT,    ///< a tree of joints that carries little and is loose or
                                  ///< dissipates, or springs alone, or a net of ropes
    TN_MECHANISM_REASON_DEAR,     ///< an exact solution would cost too much: a large mesh of joints
                                  ///< with motors, limits or friction, or a large net of particles
    TN_MECHANISM_REASON_CONTACTS, ///< what it touches is better solved with it by Gauss-Seidel:
                                  ///< more than 16 contacts (by which its bodies make more than
                                  ///< 640; of a chain under a load 5,000), or one with a mechanism
                                  ///< that was left for its contacts
    TN_MECHANISM_REASON_FAILED,   ///< the direct solver did not converge lately
} tn_mechanism_reason;

/// One mechanism in the last step.
typedef struct tn_mechanism_info {
    tn_mechanism_method method;
    tn_mechanism_reason reason;
    tn_integrator integrator; ///< that moved it last; of PGS_CLOSED and ALTERNATING always AUTO
    uint32_t refusals;        ///< substeps that the world's integrator did not take: there were
                              ///< contacts, limits, motors, springs or friction, or its equations
                              ///< had no solution. MIDPOINT took them. AUTO refuses none
    uint32_t bodies;          ///< dynamic
    uint32_t joints;
    uint32_t rows;               ///< of its joints, also of limits, motors, springs and friction
    uint32_t dependent_rows;     ///< of these, rows that say what others say. Rank: rows less these
    tn_joint_id dependent_joint; ///< has such rows; null when there are none. All of them:
                                 ///< tn_joint_get_redundancy
    uint32_t fighting_joints;    ///< that contradict each other: they cannot all be closed. Under
                                 ///< other solvers than DIRECT: far open, they made energy
    tn_joint_id fighting_joint;  ///< the worst of them; null when there are none
    uint32_t fill;               ///< numbers (doubles) in the factor of its matrix
    uint32_t stages;     ///< tried in the step. This and the next two are 0 when Gauss-Seidel
                         ///< moves it
    uint32_t iterations; ///< of Newton's method, each with a factorisation, but for the first of a
                         ///< stage that begins with the last projection's; of CG
    uint32_t splits;     ///< stages that did not converge and were taken as two
    uint32_t failures; ///< DIRECT: the bodies were slowed down because no stage converged, and the
                       ///< joints are left to PGS for a while. PGS_CLOSED, ALTERNATING: substeps
                       ///< in which the joints could not be closed. CG: 1 when a solve went wrong,
                       ///< joints were far open or contradicted each other: as PGS, or as soft, for
                       ///< the rest
    double residual;   ///< CG: the worst that a solve ended with, relative to its right side
    double worst_joint_linear;                           ///< m: largest joint error after the step
    double worst_joint_angular;                          ///< rad
    tn_joint_id worst_linear_joint, worst_angular_joint; ///< never null
    /// ms of tn_telemetry's solve_ms; all of it in a small world that has no other. 0 with PGS: a
    /// sweep goes over the joints of all mechanisms, and a share of its time by rows would not be
    /// theirs.
    double solve_ms;
} tn_mechanism_info;

/// The mechanisms of the last step: those of DIRECT, of CG, then those that AUTO left to
/// Gauss-Seidel, each in the order of their first joints: fills at most `capacity`
/// (`out_mechanisms` may be null), returns the count. Joints that ask for PGS, or whose world does,
/// are in none. Handles are those of the step: a joint that broke in it or was destroyed since is
/// stale. None after a step that failed for want of memory. Thread: any, between steps.
TN_API uint32_t tn_world_get_mechanisms(const tn_world *world, tn_mechanism_info *out_mechanisms,
                                        uint32_t capacity);

/// Energy and momentum now. J, kg·m/s, kg·m²/s about the world's origin. Dynamic bodies only.
typedef struct tn_energy {
    double kinetic;
    double potential; ///< of gravity: zero at the world's origin
    double elastic;   ///< in joints' springs and soft limits
    tn_vec3 linear_momentum, angular_momentum;

    /// The ledger since the world was made, when the world was made with has_energy_ledger. J.
    /// Work put in is positive, taken is negative; the sum of all equals the change of kinetic
    /// energy.
    double gravity_work;
    double motor_work;
    double spring_work;   ///< of joints' springs and soft limits, with their damping
    double force_work;    ///< of applied forces and torques, of tn_force, and of what leads
                          ///< kinematic bodies against what they touch or hold
    double joint_work;    ///< of rigid joint rows and limits: error of the method and impacts, and
                          ///< what motion paths do
    double friction_work; ///< of contacts and joints
    double impact_work;   ///< of contact normals
    double damping_work;  ///< of linear and angular damping, and what bodies that fall asleep lose
} tn_energy;
TN_API tn_energy tn_world_get_energy(const tn_world *world);

TN_EXTERN_C_END

#endif
