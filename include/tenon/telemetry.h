/// tenon/telemetry.h: reports the cost of a step, how well the joints hold, where the energy went.
#ifndef TENON_TELEMETRY_H
#define TENON_TELEMETRY_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// One step in numbers. Times are in ms. With fewer than 32 bodies and contacts awake the clock is
/// read only before and after the step, and solve_ms is all of it.
typedef struct tn_telemetry {
    double step_ms;      ///< the whole step
    double pairs_ms;     ///< bounds, broad phase
    double manifolds_ms; ///< narrow phase
    double islands_ms;   ///< islands, order of blocks
    double solve_ms;     ///< all substeps
    double finish_ms;    ///< poses, sleep, events

    uint32_t awake_bodies; ///< dynamic and kinematic bodies that took part
    uint32_t contacts;     ///< awake pairs whose bounds overlap
    uint32_t manifolds;    ///< those with at least one point
    uint32_t points;
    uint32_t joints;  ///< awake
    uint32_t rows;    ///< of joints and contacts, per substep
    uint32_t islands; ///< awake
    uint32_t substeps;

    double worst_joint_linear;                           ///< m: largest joint error after the step
    double worst_joint_angular;                          ///< rad
    tn_joint_id worst_linear_joint, worst_angular_joint; ///< null when there are no awake joints
    /// Whether every awake joint is within the definition's joint_tolerance and
    /// joint_tolerance_angular. True where there is none.
    bool meets_tolerance;
    double deepest_penetration; ///< m, >= 0

    uint64_t bytes;       ///< of the world's allocator that are in use
    uint64_t peak_bytes;  ///< the most that were ever in use
    uint64_t allocations; ///< made during this step: 0 after warm-up
    uint64_t reports;     ///< refused calls and faults since the world was made
} tn_telemetry;

/// Returns the telemetry of the last step.
TN_API tn_telemetry tn_world_get_telemetry(const tn_world *world);

/// Returns the vector unit that the world's inner loops use: "AVX2", "SSE2", "NEON", "WebAssembly
/// SIMD" or "none". Results have the same bits on each. The text is static. Null world: "none".
/// Thread: any.
TN_API const char *tn_world_get_vector_unit(const tn_world *world);

/// Names the method that moves a mechanism.
typedef enum tn_mechanism_method {
    TN_MECHANISM_METHOD_DIRECT = 0,  ///< a step of its own solves all its joints together
    TN_MECHANISM_METHOD_PGS_CLOSED,  ///< it is coupled to other things: Gauss-Seidel solves it with
                                     ///< them, and its rigid joints are closed after every substep
    TN_MECHANISM_METHOD_CG,          ///< conjugate gradients
    TN_MECHANISM_METHOD_PGS,         ///< Gauss-Seidel, because AUTO chose it
    TN_MECHANISM_METHOD_ALTERNATING, ///< it touches too much to solve every contact through the
                                     ///< joints: Gauss-Seidel sweeps it, and after every substep
                                     ///< its rigid joints are closed together while contacts hold
} tn_mechanism_method;

/// Says why a mechanism is solved as it is: ASKED, or the reason of TN_SOLVER_AUTO.
typedef enum tn_mechanism_reason {
    TN_MECHANISM_REASON_ASKED = 0, ///< the world's solver or that of one of its joints asks for it
    // AUTO solves it exactly:
    TN_MECHANISM_REASON_MASSES, ///< a body in it carries more than 8 times its own mass, a joint
                                ///< holds a point between very different masses, or a heavy body
                                ///< lies in a net of particles
    TN_MECHANISM_REASON_LOOPS,  ///< its joints form closed loops
    TN_MECHANISM_REASON_HUNG,   ///< it hangs on something that does not move, and keeps its energy,
                                ///< has many bodies or carries a load
    TN_MECHANISM_REASON_TOLERANCE, ///< Gauss-Seidel did not keep the world's joint tolerance
    TN_MECHANISM_REASON_CHAIN,     ///< rigid joints alone tie more than two pieces into a tree
    TN_MECHANISM_REASON_OPENED,    ///< Gauss-Seidel has just let one of its joints open visibly, or
                                   ///< is about to
    // AUTO leaves it to Gauss-Seidel:
    TN_MECHANISM_REASON_LIGHT,    ///< it is a tree of joints that carries little and is loose or
                                  ///< dissipates, or has springs alone, or is a net of ropes
    TN_MECHANISM_REASON_DEAR,     ///< an exact solution would cost too much: it is a large mesh of
                                  ///< joints with motors, limits or friction, or a large net of
                                  ///< particles
    TN_MECHANISM_REASON_CONTACTS, ///< Gauss-Seidel solves it better together with what it touches:
                                  ///< it has more than 16 contacts, and contacts times bodies above
                                  ///< 640 (above 5,000 for a loaded chain), or a contact with a
                                  ///< mechanism that was left for its contacts
    TN_MECHANISM_REASON_FAILED,   ///< the direct solver failed to converge recently
} tn_mechanism_reason;

/// Describes one mechanism in the last step.
typedef struct tn_mechanism_info {
    tn_mechanism_method method;
    tn_mechanism_reason reason;
    tn_integrator integrator; ///< moved it last; PGS_CLOSED and ALTERNATING always have AUTO
    uint32_t refusals; ///< substeps that the world's integrator refused and MIDPOINT took: there
                       ///< were contacts, limits, motors, springs or friction, or its equations had
                       ///< no solution. AUTO refuses none
    uint32_t bodies;   ///< dynamic
    uint32_t joints;
    uint32_t rows;               ///< of its joints, including limits, motors, springs and friction
    uint32_t dependent_rows;     ///< those that follow from others. The rank is rows less these
    tn_joint_id dependent_joint; ///< a joint with those rows, or null. tn_joint_get_redundancy
                                 ///< finds all of them
    uint32_t fighting_joints;    ///< joints that contradict others; without DIRECT, those that made
                                 ///< energy while far open
    tn_joint_id fighting_joint;  ///< the worst of them, or null
    uint32_t fill;               ///< numbers (doubles) in the factor of its matrix
    uint32_t stages;     ///< tried in the step. 0 if Gauss-Seidel moves it, as are the next two
    uint32_t iterations; ///< of CG, or of Newton's method, each with a factorisation unless a stage
                         ///< begins with that of the last projection
    uint32_t splits;     ///< stages that did not converge and were halved
    uint32_t failures; ///< DIRECT: no stage converged, so the bodies were slowed down, and PGS has
                       ///< the joints for a while. PGS_CLOSED, ALTERNATING: substeps in which the
                       ///< joints could not be closed. CG: 1 if a solve went wrong or joints were
                       ///< far open or contradicted each other; PGS then solves them, or they are
                       ///< soft, for the remaining step
    double residual;   ///< CG: the largest that a solve ended with, relative to its right side
    double worst_joint_linear;                           ///< m: largest joint error after the step
    double worst_joint_angular;                          ///< rad
    tn_joint_id worst_linear_joint, worst_angular_joint; ///< never null
    /// ms: its part of tn_telemetry's solve_ms, and all of that in a small world without others. 0
    /// with PGS, whose sweeps go over the joints of all mechanisms at once.
    double solve_ms;
} tn_mechanism_info;

/// Fills in at most `capacity` mechanisms of the last step (`out_mechanisms` may be null) and
/// returns how many there are: those of DIRECT, of CG, then those that AUTO left to Gauss-Seidel,
/// each in the order of their first joints. Joints with PGS as their solver are in none. The handle
/// of a joint that broke in the step or was destroyed since is stale. There are none after a step
/// that ran out of memory. Thread: any, between steps.
TN_API uint32_t tn_world_get_mechanisms(const tn_world *world, tn_mechanism_info *out_mechanisms,
                                        uint32_t capacity);

/// Energy and momentum now, of dynamic bodies: J, kg·m/s, and kg·m²/s about the world's origin.
typedef struct tn_energy {
    double kinetic;
    double potential; ///< of gravity: zero at the world's origin
    double elastic;   ///< in joints' springs and soft limits
    tn_vec3 linear_momentum, angular_momentum;

    /// The ledger, J, since the world was made; it is kept if the definition has has_energy_ledger.
    /// Work that is put in is positive, work that is taken negative. The sum of all equals the
    /// change of kinetic energy.
    double gravity_work;
    double motor_work;
    double spring_work;   ///< of joints' springs and soft limits, with their damping
    double force_work;    ///< of applied forces and torques, of tn_force, and of the drive of
                          ///< kinematic bodies against what they touch or hold
    double joint_work;    ///< of rigid joint rows and limits: the method's error, impacts, and the
                          ///< work of motion paths
    double friction_work; ///< of contacts and joints
    double impact_work;   ///< of contact normals
    double damping_work; ///< of linear and angular damping, and the loss of bodies that fall asleep
} tn_energy;
TN_API tn_energy tn_world_get_energy(const tn_world *world);

TN_EXTERN_C_END

#endif
