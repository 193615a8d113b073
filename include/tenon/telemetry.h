/// tenon/telemetry.h: what a step cost, how well the joints hold, where the energy went.
#ifndef TENON_TELEMETRY_H
#define TENON_TELEMETRY_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// One step in numbers. Times in ms.
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
    double deepest_penetration;                          ///< m, >= 0

    uint64_t bytes;       ///< of the world's allocator, in use
    uint64_t allocations; ///< made during this step: 0 after warm-up
    uint64_t reports;     ///< refused calls and faults since the world was made
} tn_telemetry;

/// Of the last step.
TN_API tn_telemetry tn_world_get_telemetry(const tn_world *world);

/// Energy and momentum now. J, kg·m/s, kg·m²/s about the world's origin. Dynamic bodies only.
typedef struct tn_energy {
    double kinetic;
    double potential; ///< of gravity: zero at the world's origin
    double elastic;   ///< in joints' springs
    tn_dvec3 linear_momentum, angular_momentum;

    /// The ledger since the world was made, when the world was made with enable_energy_ledger. J.
    /// Work put in is positive, taken is negative; the sum of all equals the change of kinetic
    /// energy.
    double gravity_work;
    double motor_work;
    double spring_work;   ///< of joints' springs, with their damping
    double force_work;    ///< of applied forces and torques
    double joint_work;    ///< of rigid joint rows and limits: error of the method and impacts
    double friction_work; ///< of contacts and joints
    double impact_work;   ///< of contact normals
    double damping_work;  ///< of linear and angular damping
} tn_energy;
TN_API tn_energy tn_world_get_energy(const tn_world *world);

TN_EXTERN_C_END

#endif
