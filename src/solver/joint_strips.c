// solver/joint_strips.c: where a net is cut into strips, and their substeps.
//
// See solver/joint_strips.h. A joint between bodies i < j crosses every cut c with i < c <= j. So
// of body i two joints or more cross the cuts from i + 1 to the second greatest j that it is tied
// to; and likewise from behind. These cuts are out, and of the others those that lie nearest to
// equal parts are taken. Where that comes to nothing there are fewer strips. Test:
// tests/solver/test_joint_strips.c
#include "solver/joint_strips.h"

#include <string.h>

#include "core/weave.h"
#include "solver/body_columns.h"
#include "solver/integrate.h"
#include "solver/joint_group.h"

// Bodies: fewer are not worth a turn of their own: a microsecond and more.
#define STRIP_LEAST_BODIES 400
// What a group beside added inertia takes more than another, which is 1.
#define STRIP_STIFF_COST 2
// Enough for eight workers.
#define STRIP_MOST TNI_WEAVE_MOST_STRANDS

// Loops in a plan, at most; those of a substep that are no sweeps; and at the ends of a step.
#define STRIP_LOOPS       64
#define STRIP_OTHER_LOOPS 6
#define STRIP_END_LOOPS   4
// Phases in one loop, at most.
#define STRIP_PHASES 8

// ---- cuts -------------------------------------------------------------------------------------

// The second greatest of those a body is tied to behind it, and the second least before it.
typedef struct strip_reach {
    uint32_t behind[2], before[2];
} strip_reach;

typedef struct strip_cuts {
    strip_reach *reach; // by body
    uint32_t *shut;     // by cut: changes of how many bodies say no
    uint8_t *is_sewn;   // by body: a joint of a seam has it
    uint32_t end;       // one more than the last body that moves
} strip_cuts;

static void strips_note(strip_reach *reach, uint32_t own, uint32_t other) {
    uint32_t *two = other > own ? reach->behind : reach->before;
    bool is_first = other > own ? other > two[0] : other < two[0];
    bool is_second = other > own ? other > two[1] : other < two[1];
    if (is_first) {
        two[1] = two[0];
        two[0] = other;
    } else if (is_second) {
        two[1] = other;
    }
}

static bool strips_are_tied(const tni_solver *solver, const tni_joint_block *block) {
    return solver->masses[block->body_a].is_dynamic && solver->masses[block->body_b].is_dynamic;
}

// Of cuts from `first` to `last`.
static void strips_shut(const strip_cuts *cuts, uint32_t first, uint32_t last) {
    cuts->shut[first] += 1;
    cuts->shut[last + 1] -= 1;
}

static void strips_find_shut(const tni_solver *solver, strip_cuts *cuts) {
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        cuts->reach[i] = (strip_reach){{i, i}, {i, i}};
        cuts->end = solver->masses[i].is_dynamic ? i + 1 : cuts->end;
    }
    for (uint32_t i = 0; i < solver->swept_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (strips_are_tied(solver, block)) {
            strips_note(&cuts->reach[block->body_a], block->body_a, block->body_b);
            strips_note(&cuts->reach[block->body_b], block->body_b, block->body_a);
        }
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        const strip_reach *reach = &cuts->reach[i];
        if (reach->behind[1] > i) {
            strips_shut(cuts, i + 1, reach->behind[1]);
        }
        if (reach->before[1] < i) {
            strips_shut(cuts, reach->before[1] + 1, i);
        }
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        cuts->shut[i + 1] += cuts->shut[i];
    }
}

// The open cut that is nearest, before which there are whole batches; 0 where there is none.
static uint32_t strips_find_cut(const strip_cuts *cuts, uint32_t wish, uint32_t most) {
    for (uint32_t off = 0; off < most; ++off) {
        const uint32_t either[2] = {wish - off, wish + off};
        for (uint32_t k = 0; k < 2; ++k) {
            if ((either[k] - 1) % INTEGRATE_LANES == 0 && cuts->shut[either[k]] == 0) {
                return either[k];
            }
        }
    }
    return 0;
}

// So many strips. False where some cut is not found.
static bool strips_place(tni_solver *solver, const strip_cuts *cuts, uint32_t count) {
    uint32_t bodies = cuts->end - 1, begin = 1;
    for (uint32_t s = 0; s < count; ++s) {
        uint32_t wish = 1 + (uint32_t)((uint64_t)bodies * (s + 1) / count);
        uint32_t end =
            s + 1 < count ? strips_find_cut(cuts, wish, bodies / (2 * count)) : solver->body_count;
        if (end <= begin) {
            return false;
        }
        solver->strips[s] = (tni_joint_strip){.first_body = begin, .end_body = end};
        begin = end;
    }
    solver->strip_count = count;
    return true;
}

static void strips_number(const tni_solver *solver, uint32_t *strip_of) {
    memset(strip_of, 0, solver->body_count * sizeof *strip_of);
    for (uint32_t s = 0; s < solver->strip_count; ++s) {
        for (uint32_t i = solver->strips[s].first_body; i < solver->strips[s].end_body; ++i) {
            strip_of[i] = s;
        }
    }
}

// Whether seams lead from each strip to the next one, and share no body.
static bool strips_hold(const tni_solver *solver, const strip_cuts *cuts,
                        const uint32_t *strip_of) {
    memset(cuts->is_sewn, 0, solver->body_count);
    for (uint32_t i = 0; i < solver->swept_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        uint32_t a = block->body_a, b = block->body_b;
        if (!joint_is_seam(solver, block, strip_of)) {
            continue;
        }
        bool is_next = strip_of[a] + 1 == strip_of[b] || strip_of[b] + 1 == strip_of[a];
        if (!is_next || cuts->is_sewn[a] != 0 || cuts->is_sewn[b] != 0) {
            return false;
        }
        cuts->is_sewn[a] = cuts->is_sewn[b] = 1;
    }
    return true;
}

bool tni_joint_strips_cut(tni_solver *solver, tni_arena *arena, tni_arena *scratch,
                          uint32_t *strip_of) {
    size_t bodies = solver->body_count;
    uint32_t most = (uint32_t)(bodies / STRIP_LEAST_BODIES);
    solver->strips = tni_arena_alloc(arena, STRIP_MOST * sizeof *solver->strips);
    strip_cuts cuts = {
        .reach = tni_arena_alloc(scratch, bodies * sizeof *cuts.reach),
        .shut = tni_arena_alloc_zeroed(scratch, (bodies + 1) * sizeof *cuts.shut),
        .is_sewn = tni_arena_alloc(scratch, bodies),
    };
    if (solver->strips == NULL || cuts.reach == NULL || cuts.shut == NULL || cuts.is_sewn == NULL) {
        return false;
    }
    strips_find_shut(solver, &cuts);
    for (uint32_t count = most < STRIP_MOST ? most : STRIP_MOST; count > 1; count /= 2) {
        if (strips_place(solver, &cuts, count)) {
            strips_number(solver, strip_of);
            if (strips_hold(solver, &cuts, strip_of)) {
                return true;
            }
        }
    }
    solver->strip_count = 0;
    return true;
}

bool tni_joint_strips_find_batches(const tni_solver *solver) {
    uint32_t batch = 0;
    // More sweeps than a plan has room for are for colors.
    size_t sweeps = (size_t)solver->joint_iterations + solver->relax_iterations;
    if (solver->strip_count == 0 ||
        2 * sweeps + STRIP_OTHER_LOOPS + STRIP_END_LOOPS > STRIP_LOOPS) {
        return false;
    }
    for (uint32_t s = 0; s < solver->strip_count; ++s) {
        tni_joint_strip *strip = &solver->strips[s];
        strip->first_batch = batch;
        for (; batch < solver->batch_count; ++batch) {
            const uint32_t *body = solver->batch_bodies[batch].body;
            if (body[0] >= strip->end_body) {
                break;
            }
            bool is_within = body[0] >= strip->first_body;
            for (uint32_t i = 1; i < INTEGRATE_LANES; ++i) {
                is_within = is_within && body[i] < strip->end_body;
            }
            if (!is_within) {
                return false;
            }
        }
        strip->batch_count = batch - strip->first_batch;
    }
    return batch == solver->batch_count;
}

// ---- a substep --------------------------------------------------------------------------------

typedef enum strip_phase {
    STRIP_START,   // of a step
    STRIP_STIFFEN, // by the impulses of the last substep
    STRIP_KICK,
    STRIP_PUSH, // the first half of the last impulses
    STRIP_SOLVE,
    STRIP_MOVE,
    STRIP_RENEW, // refresh, and the second half
    STRIP_RELAX,
    STRIP_SETTLE, // relax for the last time
    STRIP_END,    // of a step
} strip_phase;

typedef struct strip_loop {
    bool is_of_seams;
    uint32_t phase_count;
    strip_phase phases[STRIP_PHASES];
} strip_loop;

// Of strips and of seams by turns.
typedef struct strip_plan {
    tni_solver *solver;
    uint32_t loop_count;
    strip_loop loops[STRIP_LOOPS];
} strip_plan;

// To the last loop, if it is of the same kind.
static void strips_add(strip_plan *plan, bool is_of_seams, strip_phase phase) {
    strip_loop *loop = &plan->loops[plan->loop_count > 0 ? plan->loop_count - 1 : 0];
    if (plan->loop_count == 0 || loop->is_of_seams != is_of_seams) {
        loop = &plan->loops[plan->loop_count++];
        *loop = (strip_loop){.is_of_seams = is_of_seams};
    }
    TN_ASSERT(loop->phase_count < STRIP_PHASES);
    loop->phases[loop->phase_count++] = phase;
}

static void strips_add_both(strip_plan *plan, strip_phase phase) {
    strips_add(plan, false, phase);
    strips_add(plan, true, phase);
}

static void strips_plan_substep(strip_plan *plan, bool is_first) {
    uint32_t solves = plan->solver->joint_iterations, relaxes = plan->solver->relax_iterations;
    strips_add(plan, true, STRIP_PUSH);
    if (!is_first) {
        strips_add(plan, false, STRIP_STIFFEN);
    }
    strips_add(plan, false, STRIP_KICK);
    strips_add(plan, false, STRIP_PUSH);
    for (uint32_t i = 0; i < solves; ++i) {
        strips_add_both(plan, STRIP_SOLVE);
    }
    strips_add(plan, false, STRIP_MOVE);
    strips_add_both(plan, STRIP_RENEW);
    for (uint32_t i = 0; i < relaxes; ++i) {
        strips_add_both(plan, i + 1 < relaxes ? STRIP_RELAX : STRIP_SETTLE);
    }
}

// Bodies of a strip.
static void strips_move(tni_solver *solver, strip_phase phase, uint32_t index) {
    tni_joint_strip *strip = &solver->strips[index];
    uint32_t kick = TNI_PASS_COLLECT | TNI_PASS_KICK;
    uint32_t passes = phase == STRIP_START  ? TNI_PASS_START
                      : phase == STRIP_MOVE ? kick | TNI_PASS_DRIFT
                      : phase == STRIP_END  ? TNI_PASS_COLLECT
                                            : kick;
    strip->has_news = tni_integrate_range(solver, strip->first_batch,
                                          strip->first_batch + strip->batch_count, passes);
}

static bool strips_have_news(const tni_solver *solver, uint32_t strip, bool is_of_seams) {
    return solver->strips[strip].has_news || (is_of_seams && solver->strips[strip + 1].has_news);
}

// Inertia that joints add to bodies of the strip alone, cell by cell as they lie: so each gets its
// sum in the order that it has on one thread. Seams have been pushed by then.
static void strips_stiffen_own(tni_solver *solver, uint32_t index) {
    const tni_joint_strip *strip = &solver->strips[index];
    uint32_t colors = solver->cell_colors, last = (index + 1) * colors;
    memset(solver->has_added_inertia + strip->first_body, 0,
           (strip->end_body - strip->first_body) * sizeof *solver->has_added_inertia);
    for (uint32_t i = index > 0 ? index * colors - 1 : 0; i < last; ++i) {
        if (solver->cells[i].may_stiffen) {
            bool is_of_seams = (i + 1) % colors == 0;
            tni_joint_groups_stiffen_within(solver, joint_cell_begin(solver, i),
                                            solver->cells[i].end, is_of_seams, strip->first_body,
                                            strip->end_body);
        }
    }
}

static void strips_note_stiff(const tni_solver *solver, tni_joint_cell *cell, uint32_t first) {
    cell->stiff_count = 0;
    for (uint32_t g = first; g < cell->end; ++g) {
        cell->stiff_count += solver->groups[g].is_stiff ? 1 : 0;
    }
}

// At the start of a step.
static void strips_refresh(const tni_solver *solver, tni_joint_cell *cell, uint32_t first,
                           bool has_news) {
    tni_joint_groups_clear_range(solver, first, cell->end);
    if (cell->has_rows && !has_news) {
        tni_joint_groups_rebias_range(solver, first, cell->end);
    } else {
        tni_joint_groups_refresh_range(solver, first, cell->end, false);
    }
    if (cell->stiff_count > 0 || !solver->has_start) {
        strips_note_stiff(solver, cell, first);
    }
}

// Where inertia was added or taken away.
static void strips_renew_stiff(const tni_solver *solver, tni_joint_cell *cell, uint32_t first) {
    tni_joint_groups_refresh_range(solver, first, cell->end, true);
    strips_note_stiff(solver, cell, first);
}

// Groups of a cell.
static void strips_sweep(tni_solver *solver, strip_phase phase, uint32_t strip, uint32_t color) {
    uint32_t index = strip * solver->cell_colors + color;
    bool is_of_seams = color + 1 == solver->cell_colors;
    tni_joint_cell *cell = &solver->cells[index];
    uint32_t first = joint_cell_begin(solver, index), last = cell->end;
    switch (phase) {
    case STRIP_START:
        strips_refresh(solver, cell, first, strips_have_news(solver, strip, is_of_seams));
        break;
    case STRIP_PUSH:
        tni_joint_groups_sweep(solver, TNI_SWEEP_WARM_FIRST, first, last, cell->stiff_count > 0);
        break;
    case STRIP_RENEW:
        if (strips_have_news(solver, strip, is_of_seams)) {
            strips_renew_stiff(solver, cell, first);
        }
        tni_joint_groups_sweep(solver, TNI_SWEEP_WARM_SECOND, first, last, cell->stiff_count > 0);
        break;
    case STRIP_SOLVE:
        tni_joint_groups_sweep(solver, TNI_SWEEP_SOLVE, first, last, cell->stiff_count > 0);
        break;
    case STRIP_RELAX:
        tni_joint_groups_sweep(solver, TNI_SWEEP_RELAX, first, last, cell->stiff_count > 0);
        break;
    case STRIP_SETTLE:
        tni_joint_groups_sweep(solver, TNI_SWEEP_SETTLE, first, last, cell->stiff_count > 0);
        cell->may_stiffen = tni_joint_groups_store_range(solver, first, last);
        cell->is_known = cell->has_rows = true;
        break;
    default:
        break;
    }
}

static void strips_run_phase(tni_solver *solver, bool is_of_seams, strip_phase phase,
                             uint32_t index) {
    bool moves =
        phase == STRIP_START || phase == STRIP_KICK || phase == STRIP_MOVE || phase == STRIP_END;
    if (moves && !is_of_seams) {
        strips_move(solver, phase, index);
    }
    if (phase == STRIP_STIFFEN) {
        strips_stiffen_own(solver, index);
    }
    uint32_t seams = solver->cell_colors - 1;
    uint32_t first = is_of_seams ? seams : 0, last = is_of_seams ? seams + 1 : seams;
    for (uint32_t color = first; color < last; ++color) {
        strips_sweep(solver, phase, index, color);
    }
}

// What another worker may have written last comes at once, and not line by line. Of a seam a strip
// asks for its own bodies alone: those of its neighbor are for that one to keep.
TNI_FORCE_INLINE void strips_fetch_bodies(const tni_solver *solver, uint32_t body) {
    for (uint32_t c = COLUMN_V; c < COLUMN_ROTATION; ++c) {
        TNI_PREFETCH_TO_WRITE(columns_get(solver, c) + solver->column_of[body]);
    }
}

TNI_FORCE_INLINE void strips_fetch_seam(const tni_solver *solver, uint32_t seam, uint32_t first,
                                        uint32_t end) {
    uint32_t cell = (seam + 1) * solver->cell_colors - 1;
    for (uint32_t g = joint_cell_begin(solver, cell); g < solver->cells[cell].end; ++g) {
        const tni_joint_group *group = &solver->groups[g];
        uint32_t a = group->body_a[0], b = group->body_b[0];
        if (a >= first && a < end) {
            strips_fetch_bodies(solver, a);
        }
        if (b >= first && b < end) {
            strips_fetch_bodies(solver, b);
        }
    }
}

static void strips_fetch(const tni_solver *solver, bool is_of_seams, uint32_t index) {
    const tni_joint_strip *strip = &solver->strips[index];
    uint32_t first = strip->first_body, end = strip[is_of_seams ? 1 : 0].end_body;
    if (!is_of_seams && index > 0) {
        strips_fetch_seam(solver, index - 1, first, end);
    }
    if (is_of_seams || index + 1 < solver->strip_count) {
        strips_fetch_seam(solver, index, first, end);
    }
}

static void strips_run_turn(uint32_t round, uint32_t turn, bool is_shared, void *context) {
    const strip_plan *plan = context;
    const strip_loop *loop = &plan->loops[round];
    if (is_shared) {
        strips_fetch(plan->solver, loop->is_of_seams, turn);
    }
    for (uint32_t i = 0; i < loop->phase_count; ++i) {
        strips_run_phase(plan->solver, loop->is_of_seams, loop->phases[i], turn);
    }
}

// What a strip and its seam will take, by the last refresh, in groups of round bodies.
static uint32_t strips_find_cost(const tni_solver *solver, uint32_t strip) {
    uint32_t first = strip * solver->cell_colors, last = first + solver->cell_colors;
    uint32_t cost = solver->cells[last - 1].end - joint_cell_begin(solver, first);
    for (uint32_t i = first; i < last; ++i) {
        cost += STRIP_STIFF_COST * solver->cells[i].stiff_count;
    }
    return cost;
}

static void strips_run_plan(strip_plan *plan) {
    uint32_t costs[STRIP_MOST];
    const tni_weave weave = {.strand_count = plan->solver->strip_count,
                             .round_count = plan->loop_count,
                             .begins_with_knots = plan->loops[0].is_of_seams,
                             .task = strips_run_turn,
                             .context = plan,
                             .costs = costs};
    for (uint32_t i = 0; i < plan->solver->strip_count; ++i) {
        costs[i] = strips_find_cost(plan->solver, i);
    }
    tni_weave_run(plan->solver->tasks, &weave);
}

// ---- a step -----------------------------------------------------------------------------------

// What is not known may.
static void strips_stiffen(tni_solver *solver) {
    for (uint32_t i = 0; i < joint_cell_count(solver); ++i) {
        const tni_joint_cell *cell = &solver->cells[i];
        if (!cell->is_known) {
            tni_joint_groups_look_range(solver, joint_cell_begin(solver, i), cell->end);
        }
        if (cell->may_stiffen || !cell->is_known) {
            tni_joint_groups_stiffen_range(solver, joint_cell_begin(solver, i), cell->end);
        }
    }
}

static void strips_forget_rows(tni_solver *solver) {
    for (uint32_t i = 0; i < joint_cell_count(solver); ++i) {
        solver->cells[i].has_rows = false;
    }
}

// Flags that workers would all set are set before: then every body is asked.
static void strips_begin(tni_solver *solver) {
    strips_stiffen(solver);
    solver->has_start = solver->has_kept_bodies && !solver->was_stiffened;
    if (!solver->has_kept_bodies && tni_joint_groups_place(solver)) {
        strips_forget_rows(solver);
    }
    solver->has_stiffened = solver->was_stiffened = true;
    solver->defers_refresh = true;
}

// As many substeps in one plan as it has room for.
void tni_joint_strips_run(tni_solver *solver) {
    strip_plan plan = {.solver = solver};
    uint32_t sweeps = solver->joint_iterations + solver->relax_iterations;
    strips_begin(solver);
    strips_add_both(&plan, STRIP_START);
    for (uint32_t i = 0; i < solver->substeps; ++i) {
        if (plan.loop_count + 2 * sweeps + STRIP_OTHER_LOOPS + STRIP_END_LOOPS > STRIP_LOOPS) {
            strips_run_plan(&plan);
            plan.loop_count = 0;
        }
        strips_plan_substep(&plan, i == 0);
    }
    strips_add(&plan, false, STRIP_END);
    strips_run_plan(&plan);
    solver->defers_refresh = false;
}

void tni_joint_strips_forget(tni_solver *solver) {
    strips_forget_rows(solver);
    for (uint32_t i = 0; i < joint_cell_count(solver); ++i) {
        solver->cells[i].is_known = false;
    }
}
