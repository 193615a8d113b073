// solver/joint_column_wide.c: the phases of eight ball joints of a net, on columns of bodies.
//
// See solver/body_columns.h. What a group does with the velocities of its bodies is what
// solver/joint_round_wide.c does, and beside a body with added inertia what
// solver/joint_group_wide.c does; here is how they come in and out. In a row of bodies i, i + 1,
// ... every second one is had of two vectors by evens and odds, which take them lane by lane in the
// order of columns_pair_order (solver/joint_columns.c), and zips put them back as they lay.
// Test: tests/solver/test_joint_columns.c
#include "solver/body_columns.h"
#include "solver/joint_round_lanes.h"

// A base and the way from a column to the next, where no store can change them.
typedef struct column_view {
    float *numbers;
    size_t stride;
    const uint32_t *column_of;
    const tni_solver *solver;
} column_view;

TNI_FORCE_INLINE column_view column_get_view(const tni_solver *solver) {
    column_view view = {solver->columns, solver->column_stride, solver->column_of, solver};
    return view;
}

// ---- in and out -------------------------------------------------------------------------------

// At most so many columns at once.
#define COLUMN_MOST (COLUMN_PLACE_END - COLUMN_ROTATION)

TNI_FORCE_INLINE void column_gather(const column_view *view, const float *x,
                                    const uint32_t body[WIDE_LANES], uint32_t count, tni_f8 *out) {
    float lanes[COLUMN_MOST][WIDE_LANES];
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        const float *own = x + view->column_of[body[lane]];
        for (uint32_t i = 0; i < count; ++i) {
            lanes[i][lane] = own[i * view->stride];
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        out[i] = f8_load(lanes[i]);
    }
}

// Only of bodies that move: workers would take the others' cache lines from each other, and all
// lanes that no joint is in have the world.
TNI_FORCE_INLINE void column_scatter(const column_view *view, float *x,
                                     const uint32_t body[WIDE_LANES], const float mass[WIDE_LANES],
                                     uint32_t count, const tni_f8 *numbers) {
    float lanes[COLUMN_MOST][WIDE_LANES];
    for (uint32_t i = 0; i < count; ++i) {
        f8_store(lanes[i], numbers[i]);
    }
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        float *own = x + view->column_of[body[lane]];
        if (!(mass[lane] > 0.0f)) {
            continue;
        }
        for (uint32_t i = 0; i < count; ++i) {
            own[i * view->stride] = lanes[i][lane];
        }
    }
}

// So many columns from `first` on, of both bodies.
TNI_FORCE_INLINE void column_load(const column_view *view, const tni_joint_group *group,
                                  uint32_t first, uint32_t count, tni_f8 *a, tni_f8 *b) {
    const float *x = view->numbers + first * view->stride;
    if (group->reach == TNI_REACH_RUNS) {
        const float *of_a = x + group->column_a, *of_b = x + group->column_b;
        for (uint32_t i = 0; i < count; ++i) {
            a[i] = f8_load(of_a + i * view->stride);
            b[i] = f8_load(of_b + i * view->stride);
        }
    } else if (group->reach == TNI_REACH_PAIRS) {
        x += group->column_a;
        for (uint32_t i = 0; i < count; ++i) {
            tni_f8 low = f8_load(x + i * view->stride);
            tni_f8 high = f8_load(x + i * view->stride + WIDE_LANES);
            a[i] = f8_evens(low, high);
            b[i] = f8_odds(low, high);
        }
    } else {
        column_gather(view, x, group->body_a, count, a);
        column_gather(view, x, group->body_b, count, b);
    }
}

TNI_FORCE_INLINE void column_store_run(float *x, size_t stride, uint32_t count,
                                       const tni_f8 *numbers) {
    for (uint32_t i = 0; i < count; ++i) {
        f8_store(x + i * stride, numbers[i]);
    }
}

TNI_FORCE_INLINE void column_store(const column_view *view, const tni_joint_group *group,
                                   uint32_t first, uint32_t count, const tni_f8 *a,
                                   const tni_f8 *b) {
    float *x = view->numbers + first * view->stride;
    if (group->reach == TNI_REACH_RUNS) {
        float *of_a = x + group->column_a, *of_b = x + group->column_b;
        if (group->round.mass_a[0] > 0.0f) {
            column_store_run(of_a, view->stride, count, a);
        }
        if (group->round.mass_b[0] > 0.0f) {
            column_store_run(of_b, view->stride, count, b);
        }
    } else if (group->reach == TNI_REACH_PAIRS) {
        x += group->column_a;
        for (uint32_t i = 0; i < count; ++i) {
            f8_store(x + i * view->stride, f8_zip_low(a[i], b[i]));
            f8_store(x + i * view->stride + WIDE_LANES, f8_zip_high(a[i], b[i]));
        }
    } else {
        column_scatter(view, x, group->body_a, group->round.mass_a, count, a);
        column_scatter(view, x, group->body_b, group->round.mass_b, count, b);
    }
}

TNI_FORCE_INLINE round_ends column_load_ends(const column_view *view,
                                             const tni_joint_group *group) {
    tni_f8 a[6], b[6];
    column_load(view, group, COLUMN_V, 6, a, b);
    round_ends ends = {v8_make(a[0], a[1], a[2]), v8_make(a[3], a[4], a[5]),
                       v8_make(b[0], b[1], b[2]), v8_make(b[3], b[4], b[5])};
    return ends;
}

TNI_FORCE_INLINE void column_store_ends(const column_view *view, const tni_joint_group *group,
                                        const round_ends *ends) {
    const tni_f8 a[6] = {ends->v_a.x, ends->v_a.y, ends->v_a.z,
                         ends->w_a.x, ends->w_a.y, ends->w_a.z};
    const tni_f8 b[6] = {ends->v_b.x, ends->v_b.y, ends->v_b.z,
                         ends->w_b.x, ends->w_b.y, ends->w_b.z};
    column_store(view, group, COLUMN_V, 6, a, b);
}

TNI_FORCE_INLINE group_places column_get_places(const tni_f8 n[COLUMN_MOST]) {
    const uint32_t high = COLUMN_HIGH - COLUMN_ROTATION, low = COLUMN_LOW - COLUMN_ROTATION;
    const uint32_t w = COLUMN_PLACE_W - COLUMN_ROTATION;
    group_places all = {.u = {n[0], n[1], n[2]},
                        .real = n[3],
                        .high = {n[high], n[high + 1], n[high + 2]},
                        .low = {n[low], n[low + 1], n[low + 2]},
                        .w = {n[w], n[w + 1], n[w + 2]}};
    return all;
}

TNI_FORCE_INLINE void column_move(const column_view *view, tni_joint_group *group,
                                  tni_joint_group_rest *rest) {
    tni_f8 a[COLUMN_MOST], b[COLUMN_MOST];
    column_load(view, group, COLUMN_ROTATION, COLUMN_MOST, a, b);
    group_places at_a = column_get_places(a), at_b = column_get_places(b);
    group_move_to(view->solver, group, rest, &at_a, &at_b);
}

// ---- round groups -----------------------------------------------------------------------------

TNI_FORCE_INLINE void column_sweep(const column_view *view, tni_joint_group *group,
                                   tni_softness soft, bool use_bias) {
    round_ends ends = column_load_ends(view, group);
    round_solve(group, soft, use_bias, &ends);
    column_store_ends(view, group, &ends);
}

void WIDE_NAME(tni_joint_column_solve)(const tni_solver *solver, tni_joint_group *groups,
                                       uint32_t count, tni_softness soft, bool use_bias) {
    column_view view = column_get_view(solver);
    for (uint32_t i = 0; i < count && use_bias; ++i) {
        column_sweep(&view, &groups[i], soft, true);
    }
    for (uint32_t i = 0; i < count && !use_bias; ++i) {
        column_sweep(&view, &groups[i], soft, false);
    }
}

void WIDE_NAME(tni_joint_column_settle)(const tni_solver *solver, tni_joint_group *groups,
                                        tni_joint_group_rest *rests, uint32_t count) {
    const tni_softness none = {0.0f, 1.0f, 0.0f};
    column_view view = column_get_view(solver);
    for (uint32_t i = 0; i < count; ++i) {
        column_sweep(&view, &groups[i], none, false);
        round_note(&groups[i], &rests[i]);
    }
}

TNI_FORCE_INLINE void column_start(const column_view *view, tni_joint_group *group,
                                   bool is_first_half) {
    round_ends ends = column_load_ends(view, group);
    round_push(group, is_first_half, &ends);
    column_store_ends(view, group, &ends);
}

void WIDE_NAME(tni_joint_column_warm_start)(const tni_solver *solver, tni_joint_group *groups,
                                            uint32_t count, bool is_first_half) {
    column_view view = column_get_view(solver);
    for (uint32_t i = 0; i < count; ++i) {
        column_start(&view, &groups[i], is_first_half);
    }
}

bool WIDE_NAME(tni_joint_column_renew)(const tni_solver *solver, tni_joint_group *group,
                                       tni_joint_group_rest *rest) {
    column_view view = column_get_view(solver);
    column_move(&view, group, rest);
    column_start(&view, group, false);
    return round_invert(group);
}

// ---- any inertia ------------------------------------------------------------------------------

// What is not in columns comes from the states.
TNI_FORCE_INLINE void column_load_bodies(const column_view *view, const tni_joint_group *group,
                                         tni_wide_body *a, tni_wide_body *b) {
    round_ends ends = column_load_ends(view, group);
    *a = wide_body_load(view->solver->states, group->body_a);
    *b = wide_body_load(view->solver->states, group->body_b);
    a->v = ends.v_a;
    a->w = ends.w_a;
    b->v = ends.v_b;
    b->w = ends.w_b;
}

TNI_FORCE_INLINE void column_store_bodies(const column_view *view, const tni_joint_group *group,
                                          const tni_wide_body *a, const tni_wide_body *b) {
    round_ends ends = {a->v, a->w, b->v, b->w};
    column_store_ends(view, group, &ends);
}

void WIDE_NAME(tni_joint_column_solve_any)(const tni_solver *solver, tni_joint_group *group,
                                           tni_softness soft, bool use_bias) {
    column_view view = column_get_view(solver);
    tni_wide_body a, b;
    column_load_bodies(&view, group, &a, &b);
    group_solve_bodies(group, soft, use_bias, &a, &b);
    column_store_bodies(&view, group, &a, &b);
}

void WIDE_NAME(tni_joint_column_warm_start_any)(const tni_solver *solver, tni_joint_group *group,
                                                bool is_first_half) {
    column_view view = column_get_view(solver);
    tni_wide_body a, b;
    column_load_bodies(&view, group, &a, &b);
    group_push_bodies(group, is_first_half, &a, &b);
    column_store_bodies(&view, group, &a, &b);
}

void WIDE_NAME(tni_joint_column_rebias)(const tni_solver *solver, tni_joint_group *group,
                                        const tni_joint_group_rest *rest) {
    column_view view = column_get_view(solver);
    tni_f8 a[3], b[3];
    column_load(&view, group, COLUMN_PLACE_W, 3, a, b);
    tni_v8 w_a = v8_make(a[0], a[1], a[2]), w_b = v8_make(b[0], b[1], b[2]);
    group_set_bias(solver, group, rest, w_a, w_b, group_load(&rest->error),
                   group_find_prediction(solver, w_a, w_b));
}

bool WIDE_NAME(tni_joint_column_refresh)(const tni_solver *solver, tni_joint_group *group,
                                         tni_joint_group_rest *rest) {
    column_view view = column_get_view(solver);
    column_move(&view, group, rest);
    if (joint_group_is_round(group, rest)) {
        return round_invert(group);
    }
    tni_wide_body a = wide_body_load(solver->states, group->body_a);
    tni_wide_body b = wide_body_load(solver->states, group->body_b);
    tni_s8 k = group_matrix(group_load(&group->r_a), group_load(&group->r_b), &a, &b);
    return group_invert_into(&k, group);
}
