// solver/rotate_wide.c: four bodies of unequal moments through a substep at constant momentum.
//
// The algorithm, its symbols and the order of its sums are those of solver/rotate.c, which also
// does what is not usual: turns too large for the long series. Bodies with two equal moments and
// with three different ones go different ways there; lanes take both where both are among the four,
// and each body keeps its own. The axes that this ends with are what the inertia in the world is
// made of, so that comes along (solver/world_inertia.c). Test: tests/solver/test_integrate_pass.c
#include "solver/integrate.h"
#include "solver/rotate_four.h"

// Four bodies, and where they are.
typedef struct four_bodies {
    tni_body_motion *motion[INTEGRATE_LANES];
    const tni_inertia *inertia[INTEGRATE_LANES];
    four_turning turning;
    tni_d4 behind_w; // what stands there
    bool has_unequal, has_others;
} four_bodies;

// Lanes that no body is in follow the first one.
TNI_FORCE_INLINE void four_load(const tni_solver *solver, const tni_batch_bodies *batch,
                                uint32_t count, four_bodies *b) {
    tni_d4 q[INTEGRATE_LANES], w[INTEGRATE_LANES], rates[INTEGRATE_LANES];
    double inverse[INTEGRATE_LANES];
    b->has_others = b->has_unequal = false;
    for (uint32_t l = 0; l < INTEGRATE_LANES; ++l) {
        uint32_t body = batch->body[l < count ? l : 0];
        const tni_body_motion *motion = b->motion[l] = &solver->motions[body];
        const tni_inertia *own = b->inertia[l] = solver->masses[body].inertia;
        tni_dquat turned = inertia_turn_to_axes(own, motion->rotation);
        q[l] = d4_load_turned(&turned.x, own->axis_i);
        w[l] = d4_load_turned(&motion->angular_velocity.x, own->axis_i);
        rates[l] = d4_load(&own->ratio_j);
        inverse[l] = own->inverse;
        b->has_unequal |= own->rate_j != 0.0;
        b->has_others |= own->rate_j == 0.0;
    }
    d4_transpose(q);
    d4_transpose(w);
    d4_transpose(rates);
    b->turning = (four_turning){.q = {q[0], q[1], q[2], q[3]},
                                .w = {w[0], w[1], w[2]},
                                .inverse = d4_load(inverse),
                                .ratio_j = rates[0],
                                .ratio_k = rates[1],
                                .rate_j = rates[2],
                                .rate_k = rates[3]};
    b->behind_w = w[3];
}

// ---- out --------------------------------------------------------------------------------------

// The same, a body after the other.
typedef struct four_rows {
    tni_d4 q[INTEGRATE_LANES], w[INTEGRATE_LANES];
    float own[3][INTEGRATE_LANES], mixed[3][INTEGRATE_LANES];
} four_rows;

TNI_FORCE_INLINE void four_make_rows(const four_bodies *b, const four_results *from,
                                     four_rows *rows) {
    tni_f4 tiny = four_get_tiny(&b->turning);
    for (uint32_t c = 0; c < 3; ++c) {
        f4_store(rows->own[c], four_flush(from->inertia.own[c], tiny));
        f4_store(rows->mixed[c], four_flush(from->inertia.mixed[c], tiny));
    }
    rows->q[0] = from->q.x, rows->q[1] = from->q.y, rows->q[2] = from->q.z;
    rows->q[3] = from->q.w;
    rows->w[0] = from->w.x, rows->w[1] = from->w.y, rows->w[2] = from->w.z;
    rows->w[3] = b->behind_w;
    d4_transpose(rows->q);
    d4_transpose(rows->w);
}

TNI_FORCE_INLINE void four_write(const four_rows *rows, uint32_t lane, const tni_inertia *inertia,
                                 tni_body_motion *motion, tni_body_state *state) {
    uint32_t i = inertia->axis_i;
    const uint32_t axes[3] = {i, i == 2 ? 0 : i + 1, i == 0 ? 2 : i - 1};
    float *numbers = state->numbers + TNI_STATE_INV_INERTIA;
    for (uint32_t c = 0; c < 3; ++c) {
        numbers[axes[c]] = rows->own[c][lane];
        numbers[5 - axes[c]] = rows->mixed[c][lane];
    }
    d4_store_turned(&motion->rotation.x, rows->q[lane], i);
    d4_store_turned(&motion->angular_velocity.x, rows->w[lane], i);
}

// Of bodies whose moments are all unequal, or of the others; without results one by one.
TNI_FORCE_INLINE void four_finish(tni_solver *solver, const tni_batch_bodies *batch, uint32_t count,
                                  const four_bodies *b, const four_results *results,
                                  bool are_unequal) {
    four_rows rows;
    if (results != NULL) {
        four_make_rows(b, results, &rows);
    }
    for (uint32_t l = 0; l < count; ++l) {
        uint32_t body = batch->body[l];
        tni_body_motion *motion = b->motion[l];
        const tni_inertia *inertia = b->inertia[l];
        tni_dvec3 w = motion->angular_velocity;
        if (b->has_unequal && b->has_others && (inertia->rate_j != 0.0) != are_unequal) {
            continue;
        }
        if (results == NULL || inertia->is_round || (w.x == 0.0 && w.y == 0.0 && w.z == 0.0)) {
            tni_integrate_rotate(motion, &solver->masses[body], solver->dh, 1);
            tni_body_refresh_inertia(solver, body);
            continue;
        }
        four_write(&rows, l, inertia, motion, &solver->states[body]);
        if (inertia->is_turned) {
            motion->rotation = dquat_mul(motion->rotation, dquat_conjugate(inertia->axes));
            tni_body_refresh_inertia(solver, body);
        }
    }
}

void WIDE_NAME(tni_rotate_four)(tni_solver *solver, const tni_batch_bodies *batch, uint32_t count) {
    four_bodies b;
    four_results results;
    tni_d4 h = d4_splat(solver->dh);
    four_load(solver, batch, count, &b);
    bool is_long = !four_is_slow(&b.turning, h);
    if (b.has_unequal) {
        bool is_done = !is_long && four_rotate_unequal(&b.turning, h, false, &results);
        is_done = is_done || four_rotate_unequal(&b.turning, h, true, &results);
        four_finish(solver, batch, count, &b, is_done ? &results : NULL, true);
    }
    if (b.has_others) {
        bool is_done = !is_long && four_rotate_symmetric(&b.turning, h, false, &results);
        is_done = is_done || four_rotate_symmetric(&b.turning, h, true, &results);
        four_finish(solver, batch, count, &b, is_done ? &results : NULL, false);
    }
}
