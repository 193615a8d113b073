// solver/drift_column_wide.c: four bodies of a net through the phases of a pass, in columns.
//
// See solver/body_columns.h. The sums are those of solver/integrate_wide.c, but here every number
// of four bodies is a vector as it lies, and only the start and the end of a step turn records into
// columns. In between a velocity is what rows see of it, a float: beside what sweeps round off the
// rounding of a kick is nothing. At the end the body's double velocity gets what the float has
// changed by, so that an untouched one keeps every bit.
// Test: tests/solver/test_joint_columns.c
#include <string.h>

#include "core/wide_double.h"
#include "solver/body_columns.h"
#include "solver/integrate.h"
#include "solver/rotate_lanes.h"

// What a pass reads of the solver, where no store can change it. Where four bodies stand in columns
// is their shift from their indices, with which `numbers` and `poses` begin.
typedef struct column_pass {
    const tni_solver *solver;
    tni_body_motion *motions;
    const tni_body_pull *pulls;
    float *numbers;
    double *poses;
    size_t stride; // of both
    tni_d4 h;      // s
} column_pass;

// ---- records and columns ----------------------------------------------------------------------

// Of four bodies that follow each other the same vector, component by component.
TNI_FORCE_INLINE void column_turn_in(const double *of_first, size_t stride, tni_d4 out[4]) {
    for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
        out[i] = d4_load(of_first + i * stride);
    }
    d4_transpose(out);
}

TNI_FORCE_INLINE void column_turn_out(double *of_first, size_t stride, tni_d4 in[4]) {
    d4_transpose(in);
    for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
        d4_store(of_first + i * stride, in[i]);
    }
}

#define COLUMN_MOTION_DOUBLES (sizeof(tni_body_motion) / sizeof(double))
#define COLUMN_PULL_DOUBLES   (sizeof(tni_body_pull) / sizeof(double))

TNI_FORCE_INLINE tni_f4 column_to_float(tni_d4 v) {
    return f4_flush(d4_to_f4(v), MATHS_TINY);
}

TNI_FORCE_INLINE float *column_at(const column_pass *pass, uint32_t column, uint32_t body) {
    return pass->numbers + column * pass->stride + body;
}

TNI_FORCE_INLINE double *column_pose_at(const column_pass *pass, uint32_t column, uint32_t body) {
    return pass->poses + column * pass->stride + body;
}

// ---- one number of four bodies ----------------------------------------------------------------

// See tni_joint_place.
TNI_FORCE_INLINE void column_set_position(const column_pass *pass, uint32_t c, uint32_t body,
                                          tni_d4 x) {
    tni_f4 high = d4_to_f4(x);
    d4_store(column_pose_at(pass, POSE_COLUMN_POSITION + c, body), x);
    f4_store(column_at(pass, COLUMN_HIGH + c, body), high);
    f4_store(column_at(pass, COLUMN_LOW + c, body), d4_to_f4(d4_sub(x, d4_from_f4(high))));
}

TNI_FORCE_INLINE void column_set_rotation(const column_pass *pass, uint32_t body,
                                          const rotate_lanes *q) {
    const tni_d4 numbers[4] = {q->x, q->y, q->z, q->w};
    for (uint32_t c = 0; c < 4; ++c) {
        d4_store(column_pose_at(pass, POSE_COLUMN_ROTATION + c, body), numbers[c]);
        f4_store(column_at(pass, COLUMN_ROTATION + c, body), d4_to_f4(numbers[c]));
    }
}

TNI_FORCE_INLINE rotate_lanes column_get_rotation(const column_pass *pass, uint32_t body) {
    rotate_lanes q = {d4_load(column_pose_at(pass, POSE_COLUMN_ROTATION, body)),
                      d4_load(column_pose_at(pass, POSE_COLUMN_ROTATION + 1, body)),
                      d4_load(column_pose_at(pass, POSE_COLUMN_ROTATION + 2, body)),
                      d4_load(column_pose_at(pass, POSE_COLUMN_ROTATION + 3, body))};
    return q;
}

// ---- the phases -------------------------------------------------------------------------------

// By how much the poses are others than those in columns: 0 where a step begins where the last one
// ended.
TNI_FORCE_INLINE tni_f4 column_find_shift(const column_pass *pass, uint32_t body, const tni_d4 x[4],
                                          const tni_d4 q[4]) {
    tni_f4 most = f4_zero();
    for (uint32_t c = 0; c < POSE_COLUMN_COUNT; ++c) {
        tni_d4 now = c < POSE_COLUMN_ROTATION ? x[c] : q[c - POSE_COLUMN_ROTATION];
        tni_d4 off = d4_sub(now, d4_load(column_pose_at(pass, c, body)));
        most = f4_max(f4_abs(d4_to_f4(off)), most);
    }
    return most;
}

// True where some pose is not as it is in columns.
TNI_FORCE_INLINE bool column_start(const column_pass *pass, uint32_t body) {
    const tni_body_motion *motion = &pass->motions[body];
    tni_d4 x[4], q[4], v[4], w[4], pull[4];
    column_turn_in(&motion->position.x, COLUMN_MOTION_DOUBLES, x);
    column_turn_in(&motion->rotation.x, COLUMN_MOTION_DOUBLES, q);
    column_turn_in(&motion->velocity.x, COLUMN_MOTION_DOUBLES, v);
    column_turn_in(&motion->angular_velocity.x, COLUMN_MOTION_DOUBLES, w);
    column_turn_in(&pass->pulls[body].acceleration.x, COLUMN_PULL_DOUBLES, pull);
    tni_d4 half = d4_mul(d4_splat(0.5), pass->h);
    tni_f4 shift = column_find_shift(pass, body, x, q);
    for (uint32_t c = 0; c < 3; ++c) {
        tni_f4 spin = column_to_float(w[c]);
        column_set_position(pass, c, body, x[c]);
        f4_store(column_at(pass, COLUMN_V + c, body), column_to_float(v[c]));
        f4_store(column_at(pass, COLUMN_W + c, body), spin);
        f4_store(column_at(pass, COLUMN_PLACE_W + c, body), spin);
        f4_store(column_at(pass, COLUMN_KICK + c, body), d4_to_f4(d4_mul(half, pull[c])));
    }
    rotate_lanes rotation = {q[0], q[1], q[2], q[3]};
    column_set_rotation(pass, body, &rotation);
    return m4_any(f4_less(f4_zero(), shift));
}

TNI_FORCE_INLINE void column_kick(const column_pass *pass, uint32_t body) {
    for (uint32_t c = 0; c < 3; ++c) {
        float *v = column_at(pass, COLUMN_V + c, body);
        tni_f4 kick = f4_load(column_at(pass, COLUMN_KICK + c, body));
        f4_store(v, f4_flush(f4_add(f4_load(v), kick), MATHS_TINY));
    }
}

// Of those that turn; see round_rotate in solver/integrate_wide.c.
static void column_rotate_one_by_one(const column_pass *pass, uint32_t first) {
    const tni_solver *solver = pass->solver;
    for (uint32_t body = first; body < first + INTEGRATE_LANES; ++body) {
        tni_body_motion motion = {.rotation = columns_get_rotation(solver, body)};
        double *w = &motion.angular_velocity.x, *q = &motion.rotation.x;
        for (uint32_t c = 0; c < 3; ++c) {
            w[c] = (double)*column_at(pass, COLUMN_W + c, body);
        }
        tni_integrate_rotate(&motion, &solver->masses[body], solver->dh, 1);
        for (uint32_t c = 0; c < 4; ++c) {
            *column_pose_at(pass, POSE_COLUMN_ROTATION + c, body) = q[c];
            *column_at(pass, COLUMN_ROTATION + c, body) = (float)q[c];
        }
    }
}

TNI_FORCE_INLINE void column_rotate(const column_pass *pass, uint32_t body) {
    tni_d4 r[3];
    for (uint32_t c = 0; c < 3; ++c) {
        float *own = column_at(pass, COLUMN_W + c, body);
        tni_f4 w = f4_flush(f4_load(own), MATHS_TINY);
        f4_store(own, w);
        f4_store(column_at(pass, COLUMN_PLACE_W + c, body), w);
        r[c] = d4_mul(d4_from_f4(w), pass->h);
    }
    const tni_dv4 way = {r[0], r[1], r[2]};
    tni_d4 x2 = d4_mul(d4_splat(0.25), dv4_dot(way, way));
    rotate_lanes q = column_get_rotation(pass, body);
    rotate_lanes p = lanes_precess(&q, r[0], r[1], r[2], x2, false);
    tni_d4 excess = lanes_get_excess(&p);
    tni_f4 small = d4_to_f4(x2), off = f4_abs(d4_to_f4(excess));
    tni_m4 turn = m4_and(f4_less(f4_zero(), small), f4_less(small, f4_splat((float)LANES_SMALL)));
    tni_m4 are_near = f4_less(off, f4_splat((float)LANES_NEAR_UNIT));
    if (m4_bits(m4_and(turn, are_near)) == (1u << INTEGRATE_LANES) - 1) {
        rotate_lanes unit = lanes_to_unit(&p, excess);
        column_set_rotation(pass, body, &unit);
    } else {
        column_rotate_one_by_one(pass, body);
    }
}

// With the kick behind it.
TNI_FORCE_INLINE void column_drift(const column_pass *pass, uint32_t body) {
    for (uint32_t c = 0; c < 3; ++c) {
        float *own = column_at(pass, COLUMN_V + c, body);
        tni_f4 v = f4_load(own), kick = f4_load(column_at(pass, COLUMN_KICK + c, body));
        tni_d4 x = d4_load(column_pose_at(pass, POSE_COLUMN_POSITION + c, body));
        column_set_position(pass, c, body, d4_add_product(x, pass->h, d4_from_f4(v)));
        f4_store(own, f4_flush(f4_add(v, kick), MATHS_TINY));
    }
    column_rotate(pass, body);
}

// And into the columns what the next step would read of that, which may have it from here.
TNI_FORCE_INLINE void column_add_change(const column_pass *pass, uint32_t column, uint32_t body,
                                        double *of_first) {
    tni_d4 v[4];
    column_turn_in(of_first, COLUMN_MOTION_DOUBLES, v);
    for (uint32_t c = 0; c < 3; ++c) {
        float *own = column_at(pass, column + c, body);
        tni_d4 now = d4_from_f4(f4_load(own));
        v[c] = d4_add(v[c], d4_sub(now, d4_from_f4(column_to_float(v[c]))));
        tni_f4 next = column_to_float(v[c]);
        f4_store(own, next);
        if (column == COLUMN_W) {
            f4_store(column_at(pass, COLUMN_PLACE_W + c, body), next);
        }
    }
    column_turn_out(of_first, COLUMN_MOTION_DOUBLES, v);
}

TNI_FORCE_INLINE void column_end(const column_pass *pass, uint32_t body) {
    tni_body_motion *motion = &pass->motions[body];
    rotate_lanes rotation = column_get_rotation(pass, body);
    tni_d4 x[4], q[4] = {rotation.x, rotation.y, rotation.z, rotation.w};
    for (uint32_t c = 0; c < 3; ++c) {
        x[c] = d4_load(column_pose_at(pass, POSE_COLUMN_POSITION + c, body));
    }
    x[3] = d4_splat(0.0);
    column_turn_out(&motion->position.x, COLUMN_MOTION_DOUBLES, x);
    column_turn_out(&motion->rotation.x, COLUMN_MOTION_DOUBLES, q);
    column_add_change(pass, COLUMN_V, body, &motion->velocity.x);
    column_add_change(pass, COLUMN_W, body, &motion->angular_velocity.x);
}

// ---- added inertia ----------------------------------------------------------------------------

// Only of bodies that have some, or had: the inertia of the others never changes. True where there
// is one.
static bool column_refresh_inertias(tni_solver *solver, uint32_t first) {
    bool has_one = false;
    uint32_t has_added, knows_added; // a byte of each
    memcpy(&has_added, &solver->has_added_inertia[first], sizeof has_added);
    memcpy(&knows_added, &solver->knows_added[first], sizeof knows_added);
    if ((has_added | knows_added) == 0) {
        return false;
    }
    for (uint32_t body = first; body < first + INTEGRATE_LANES; ++body) {
        if (solver->has_added_inertia[body] || solver->knows_added[body]) {
            tni_body_refresh_inertia(solver, body);
            solver->knows_added[body] = solver->has_added_inertia[body];
            has_one = true;
        }
    }
    return has_one;
}

// ---- a pass -----------------------------------------------------------------------------------

bool WIDE_NAME(tni_drift_columns)(tni_solver *solver, uint32_t first_batch, uint32_t count,
                                  uint32_t phases) {
    column_pass pass = {.solver = solver,
                        .motions = solver->motions,
                        .pulls = solver->pulls,
                        .stride = solver->column_stride,
                        .h = d4_splat(solver->dh)};
    bool starts = (phases & TNI_PASS_START) != 0, drifts = (phases & TNI_PASS_DRIFT) != 0;
    bool kicks = (phases & TNI_PASS_KICK) != 0 && !drifts;
    if (starts && solver->has_start) {
        return false;
    }
    bool has_new_inertia = (starts || drifts) && solver->was_stiffened, has_news = false;
    for (uint32_t b = first_batch; b < first_batch + count; ++b) {
        uint32_t body = solver->batch_bodies[b].body[0];
        pass.numbers = solver->columns + (solver->column_of[body] - body);
        pass.poses = solver->pose_columns + (solver->column_of[body] - body);
        if (drifts) {
            column_drift(&pass, body);
        } else if (starts) {
            has_news = column_start(&pass, body) || has_news;
        } else if (kicks) {
            column_kick(&pass, body);
        } else {
            column_end(&pass, body);
        }
        if (has_new_inertia && column_refresh_inertias(solver, body)) {
            has_news = has_news || drifts;
        }
    }
    return has_news;
}
