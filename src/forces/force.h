// forces/force.h: the record of a force, and the callbacks of ready-made forces.
//
// A ready-made force is a callback like a user's whose context is the record itself. If it needs
// more of a body than its connectors, a step or a query sets that in the record for the duration.
#ifndef TNI_FORCES_FORCE_H
#define TNI_FORCES_FORCE_H

#include "collision/geometry.h"
#include "joints/row.h"
#include "tenon/force_kinds.h"
#include "tenon/goal_force.h"

// A force stands in the lists of its bodies by its ends: key = force * 16 + end.
#define TNI_FORCE_END_BITS 4
#define TNI_FORCE_END_MASK ((1u << TNI_FORCE_END_BITS) - 1u)

// The end of a force at a connector.
typedef struct tni_force_end {
    uint32_t body;           // the world's index, or TNI_NONE
    uint32_t previous, next; // keys in the body's list, or TNI_NONE
    bool is_at_center;
    tni_dvec3 point, axis; // in the body's frame, as given
    double amount;
    tni_dvec3 force, torque; // of the last substep
} tni_force_end;

// The body of an end, for water.
typedef struct tni_force_body {
    tni_dpose frame;                    // the body's frame in the world
    const tni_geometry *const *members; // its shapes
    uint32_t member_count;
} tni_force_body;

typedef struct tni_force {
    uint32_t handle;
    uint32_t place; // in the world's list, by creation
    tn_force_type type;
    tn_force_fn function;
    void *user_data; // of the user's callback
    bool acts_once_per_step, keeps_awake, is_enabled;
    bool is_faulty; // its numbers were not finite lately
    bool is_told;   // this was reported
    uint32_t end_count;
    tni_force_end *ends;
    union {
        tn_force_spring spring;
        tn_force_air air;
        tn_force_buoyancy buoyancy;
        tn_force_magnet magnet;
        tn_force_motor motor;
        struct {
            tn_force_goal numbers;
            struct tni_goal *apart; // its own memory: forces/goal.h
        } goal;
    };
    tni_dvec3 gravity;            // m/s^2: for water, during a step
    const tni_force_body *bodies; // by end: for water, while its callback runs
} tni_force;

// Returns the most slopes that a force of its type gives.
uint32_t tni_force_count_slopes(const tni_force *force);

void tni_force_spring(const tn_force_input *input, tn_force_output *out, void *own);
void tni_force_air(const tn_force_input *input, tn_force_output *out, void *own);
void tni_force_buoyancy(const tn_force_input *input, tn_force_output *out, void *own);
void tni_force_magnet(const tn_force_input *input, tn_force_output *out, void *own);
void tni_force_motor(const tn_force_input *input, tn_force_output *out, void *own);

// ---- water -------------------------------------------------------------------------------------

// The part of a body under a plane, whose points are up . x = level.
typedef struct tni_submerged {
    double volume, whole; // m^3: under water, and of the whole
    tni_dvec3 moment;     // volume times its centre
} tni_submerged;
// Adds one geometry of a body with this frame. Half-spaces have no volume.
void tni_submerged_add(const tni_geometry *geometry, const tni_dpose *frame, tni_dvec3 up,
                       double level, tni_submerged *sum);

// ---- vectors at the boundary -------------------------------------------------------------------

static inline tni_dvec3 force_get_place(const tn_connector_state *state) {
    return dvec3_from_plain(state->position);
}

static inline void force_add(tn_vec3 *sum, tni_dvec3 v) {
    *sum = dvec3_to_plain(dvec3_add(dvec3_from_plain(*sum), v));
}

// m += s (1 - d d^T) + t d d^T
static inline void force_add_about(double m[3][3], tni_dvec3 d, double s, double t) {
    const double axis[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) {
        m[i][i] += s;
        for (int j = 0; j < 3; ++j) {
            m[i][j] += (t - s) * axis[i] * axis[j];
        }
    }
}

#endif
