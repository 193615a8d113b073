// solver/rows/drive.h: what a bounded row asks of its impulse in a substep.
//
// See solver/rows/drive.c. Sweeps over joints and over spans ask alike.
#ifndef TNI_SOLVER_ROWS_DRIVE_H
#define TNI_SOLVER_ROWS_DRIVE_H

#include "joints/row.h"
#include "solver/solver.h"

// A bounded row whose response through the joint falls under this share of its own is held by it.
#define DRIVE_RESPONSE_FLOOR 1e-5f
// N·s or N·m·s: an impulse below this becomes zero. One that fades away would otherwise become a
// denormal number, which is slow: see MATHS_TINY.
#define DRIVE_TINY_IMPULSE 1e-20f

// The row's new accumulated impulse is  keep X - mass (J v + bias),  X the old one, held between
// lower and upper (of a group: its length to upper).
typedef struct tni_row_drive {
    float keep, mass, bias, lower, upper;
} tni_row_drive;

// The state of the joint and of the substep that a row is asked in.
typedef struct tni_drive_setting {
    const tni_solver *solver;
    tni_softness softness; // of the equalities of its joint
    float max_speed;       // cap of the bias, m/s or rad/s
    float k, soft_k;       // J W J^T through the equalities, and through these while they are soft
    float speed;           // J v, of a soft limit
    float rate;            // dC/dt while the bodies stand
    float drift;           // what J v leaves out of the way, over the substep: m/s or rad/s
} tni_drive_setting;

// Sets k and soft_k from the row's own J W J^T and the part that the equalities take of it.
static inline void tni_drive_set_response(tni_drive_setting *setting, float own, float taken) {
    setting->k = own - taken;
    setting->soft_k = own - setting->softness.mass_scale * taken;
    if (!(setting->k > DRIVE_RESPONSE_FLOOR * own)) {
        setting->k = setting->soft_k = 0.0f; // the equalities hold the row already
    }
}

// Makes the drives of solve B and of solve A. Returns the share of a spring or a soft limit,
// theta, or 0.
float tni_drive_make(const tni_drive_setting *setting, const tni_row *row, tni_row_drive drive[2]);
// Makes the drive of solve A of a spring row, whose J W J^T is k (soft_k while the equalities of
// its joint are soft), over h. Returns theta, which is at least `least_share`.
float tni_drive_make_spring(const tni_row *row, float k, float soft_k, float h, float least_share,
                            tni_row_drive drive[2]);
// Holds a row that drives to `cap`, an impulse over the substep: see solver/joints/joint_machine.c.
// `theta` is that of a spring.
void tni_drive_cap(const tni_solver *solver, const tni_row *row, float cap, float theta,
                   tni_row_drive drive[2]);

// Returns the speed at which a limit gives way in solve A, less what J v leaves out of the way.
static inline float tni_drive_get_approach(const tni_solver *solver, tni_softness softness,
                                           float max_speed, float error) {
    return error > 0.0f ? error * solver->inv_h : maths_max(softness.rate * error, -max_speed);
}

static inline float tni_drive_get_free_impulse(const tni_row_drive *drive, float impulse,
                                               float speed) {
    return drive->keep * impulse - drive->mass * (speed + drive->bias);
}

// Returns the impulse of a row that is no group.
static inline float tni_drive_get_impulse(const tni_row_drive *drive, float impulse, float speed) {
    return maths_clamp(tni_drive_get_free_impulse(drive, impulse, speed), drive->lower,
                       drive->upper);
}

// Returns half of the last impulse in the first kick, and the other half in the second, and keeps
// the books of both.
static inline float tni_drive_halve(float *impulse, float *warm, bool is_first_half) {
    if (is_first_half) {
        float half = 0.5f * *impulse;
        *warm = fabsf(half) < DRIVE_TINY_IMPULSE ? 0.0f : half;
        *impulse = *warm;
    } else {
        *impulse += *warm;
    }
    return *warm;
}

// Returns the impulse that a bounded row begins with in the first and in the second kick, and keeps
// its books. In the first that is half of the last impulse, for a spring, whose impulse is that of
// solve A, all of it; in the second the other half, for a spring what is left of its step, whose
// theta `share` is where it is not 0.
static inline float tni_drive_warm(tni_row_state *state, bool is_spring, float share,
                                   bool is_first_half) {
    if (is_spring) {
        state->share = is_first_half && share > 0.0f ? share : state->share;
        return is_first_half ? state->impulse : tni_row_get_rest(state);
    }
    return tni_drive_halve(&state->impulse, &state->warm, is_first_half);
}

#endif
