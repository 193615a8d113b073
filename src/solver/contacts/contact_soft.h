// solver/contacts/contact_soft.h: soft contacts, lane by lane.
//
// A soft contact is a spring with a damper along its normal, of the frequency f and the damping
// ratio zeta that its materials give. With the mass m that it feels when all closed points give way
// alike, m = 1^T K^-1 1, and w = 2 pi f, it has the stiffness m w^2 and the damping 2 zeta m w, and
// each of its n closed points an n-th part. Both halves of a substep, the one before the drift and
// the one after it, are implicit Euler steps of h/2 (solver/rows/softness.c has the derivation):
//     J v + rate s + gamma x = 0,   x >= 0,   rate = w / a1,   gamma = n / (m (h/2) w a1),
//     a1 = 2 zeta + (h/2) w,
// with s the gap, and x the impulse of that half: T - H in solve A, and in solve B what T has grown
// by since. So solve A notes its impulses in `given`. The points are swept on their small matrix;
// open ones do not push, however fast they close. At rest x is half the weight's impulse, and
// s = -g / w^2.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_SOFT_H
#define TNI_SOLVER_CONTACTS_CONTACT_SOFT_H

#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/contact_sweep_work.h"

// The points of one contact are swept this many times.
#define SOFT_SWEEPS 8

static tni_contact_extras *soft_get(const sweep_work *work, uint32_t lane) {
    const tni_contact_group *group = work->group;
    if (lane >= group->count) {
        return NULL;
    }
    tni_contact_extras *extras = work->solver->contacts.records[group->first + lane].extras;
    return extras != NULL && extras->hertz > 0.0f ? extras : NULL;
}

// Finds the lanes that are not soft.
static TNI_NO_INLINE tni_m8 soft_find_rigid(const sweep_work *work) {
    float is_soft[TNI_CONTACTS];
    for (uint32_t lane = 0; lane < TNI_CONTACTS; ++lane) {
        is_soft[lane] = soft_get(work, lane) != NULL ? 1.0f : 0.0f;
    }
    return f8_less(f8_load(is_soft), f8_splat(0.5f));
}

// Returns whether a point is there and touches.
static bool soft_is_closed(const tni_contact_wide *wide, uint32_t lane, uint32_t p, float gap) {
    return gap <= 0.0f && wide->response[contact_entry(p, p)][lane] > 0.0f;
}

// Returns the mass that the contact feels if its points give way alike, kg.
static float soft_get_mass(const tni_contact_wide *wide, uint32_t lane) {
    float sum = 0.0f;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        for (uint32_t q = 0; q < TNI_LANES; ++q) {
            sum += wide->inverse[contact_entry(p, q)][lane];
        }
    }
    return sum;
}

// The points of a lane: J v, gap, and the impulse of this half.
typedef struct soft_points {
    float speed[TNI_LANES], gap[TNI_LANES], x[TNI_LANES];
} soft_points;

static void soft_solve(const tni_contact_wide *wide, uint32_t lane, float rate, float gamma,
                       soft_points *points) {
    for (uint32_t sweep = 0; sweep < SOFT_SWEEPS; ++sweep) {
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            float k = wide->response[contact_entry(p, p)][lane], old = points->x[p];
            bool is_closed = soft_is_closed(wide, lane, p, points->gap[p]);
            float missing = points->speed[p] + rate * points->gap[p] + gamma * old;
            float x = is_closed ? maths_max(old - missing / (k + gamma), 0.0f) : 0.0f;
            points->x[p] = x;
            for (uint32_t q = 0; q < TNI_LANES; ++q) {
                points->speed[q] += wide->response[contact_entry(p, q)][lane] * (x - old);
            }
        }
    }
}

// Solves one lane, whose points come with T - H in solve A, and with T in solve B; `out` gets what
// these become.
static void soft_push_lane(const tni_contact_wide *wide, uint32_t lane, float h, bool use_bias,
                           tni_contact_extras *extras, soft_points *points, float out[TNI_LANES]) {
    float half = 0.5f * h, w = 2.0f * (float)MATHS_PI * extras->hertz;
    float a1 = 2.0f * extras->damping_ratio + half * w, count = 0.0f, before[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        float own = use_bias ? 0.0f : extras->given[p];
        before[p] = points->x[p];
        points->x[p] -= own;
        count += soft_is_closed(wide, lane, p, points->gap[p]) ? 1.0f : 0.0f;
    }
    float gamma = count * maths_inverse_or_zero(soft_get_mass(wide, lane) * half * w * a1);
    float started[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        started[p] = points->x[p];
    }
    soft_solve(wide, lane, w / a1, gamma, points);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        out[p] = before[p] + (points->x[p] - started[p]);
        extras->given[p] = use_bias ? points->x[p] : extras->given[p];
    }
}

// Replaces the impulses x of the soft lanes.
static TNI_NO_INLINE void soft_push(const sweep_work *work, const sweep_points *points,
                                    bool use_bias, tni_f8 x[TNI_LANES]) {
    float speed[TNI_LANES][TNI_CONTACTS], gap[TNI_LANES][TNI_CONTACTS];
    float old[TNI_LANES][TNI_CONTACTS], now[TNI_LANES][TNI_CONTACTS];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        f8_store(speed[p], points->speed[p]);
        f8_store(gap[p], points->gap[p]);
        f8_store(old[p], points->x[p]);
        f8_store(now[p], x[p]);
    }
    for (uint32_t lane = 0; lane < TNI_CONTACTS; ++lane) {
        tni_contact_extras *extras = soft_get(work, lane);
        if (extras == NULL) {
            continue;
        }
        soft_points own;
        float out[TNI_LANES];
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            own.speed[p] = speed[p][lane];
            own.gap[p] = gap[p][lane];
            own.x[p] = old[p][lane];
        }
        soft_push_lane(work->wide, lane, work->solver->h, use_bias, extras, &own, out);
        for (uint32_t p = 0; p < TNI_LANES; ++p) {
            now[p][lane] = out[p];
        }
    }
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        x[p] = f8_load(now[p]);
    }
}

#endif
