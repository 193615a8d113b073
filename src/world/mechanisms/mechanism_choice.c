// world/mechanisms/mechanism_choice.c: makes TN_SOLVER_AUTO's choice for each mechanism.
//
// The rule is in solver/step/choice.c. It looks at a mechanism's bodies and joints, not at its
// contacts or motion, so a choice stands until joints or masses change or something wakes. Then all
// awake mechanisms choose anew, with the same outcome where nothing changed. Two things end the
// choice of an exact solution early, for TNI_MECHANISM_PAUSE steps at least: contacts that would
// cost too much through the joints, and stages that failed. One thing ends the choice of
// Gauss-Seidel: a joint that it has left visibly open. A light mechanism that runs hard into its
// own limits, or into the ground, opens by 2 to 10 mm, and either stays open for some steps or
// gives back the energy that opened it. So a small one is then exact for TNI_CHOICE_HOLD steps, and
// so is a small one that whips a driven limit, or is about to (solver/joints/joint_foresee.c), or
// presses loose bodies hard (mechanism_jam.c), and a pair that hangs, from before it runs into a
// limit (mechanism_strike.c). Test: tests/world/mechanisms/test_auto.c
#include <string.h>

#include "core/union_find.h"
#include "joints/functions/rope_joint.h"
#include "solver/joints/joint_bounded.h"

#include "world/joints.h"
#include "world/step/step_mechanisms.h"

// m and rad: a light mechanism becomes exact after one step that leaves a joint of it far open, or
// after several in a row that leave one open. A car's joints stay below that.
#define CHOICE_FAR_OPEN   1.5e-3
#define CHOICE_FAR_BENT   1.5e-2
#define CHOICE_OPEN       1e-3
#define CHOICE_BENT       1e-2
#define CHOICE_OPEN_STEPS 4

static bool choice_is_auto(const tn_world *world, const tni_joint *joint) {
    return tni_mechanism_get_solver(world, joint) == TN_SOLVER_AUTO;
}

// Marks all joints that may be part of a mechanism; the others are Gauss-Seidel's.
static void choice_mark(tn_world *world, tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        tni_joint_block *block = &solver->joints.blocks[i];
        tni_joint *joint = tni_joint_at(world, block->world_joint);
        tn_solver wanted = tni_mechanism_get_solver(world, joint);
        block->is_projected = (wanted == TN_SOLVER_AUTO || wanted == TN_SOLVER_DIRECT) &&
                              tni_mechanism_takes(world, solver, block);
        joint->choice = TNI_CHOICE_PGS;
        joint->choice_group = TNI_NONE;
    }
}

// The kinds of joints that choice_count_cycles() counts apart.
typedef enum choice_kind {
    CHOICE_KIND_WELD,
    CHOICE_KIND_PLANAR,
    CHOICE_KIND_OTHER
} choice_kind;

static choice_kind choice_get_kind(const tni_joint *joint) {
    switch (joint->type) {
    case TN_JOINT_TYPE_FIXED:
        return CHOICE_KIND_WELD;
    case TN_JOINT_TYPE_HINGE:
    case TN_JOINT_TYPE_SLIDER:
        return CHOICE_KIND_PLANAR;
    case TN_JOINT_TYPE_SWING_TWIST:
    case TN_JOINT_TYPE_SIX_AXIS:
        return joint->rows.equalities == 6   ? CHOICE_KIND_WELD
               : joint->rows.equalities == 5 ? CHOICE_KIND_PLANAR
                                             : CHOICE_KIND_OTHER;
    default:
        return CHOICE_KIND_OTHER;
    }
}

static bool choice_are_points(const tni_solver *solver, const tni_mechanism_cast *cast) {
    bool are_points = true;
    for (uint32_t i = 0; i < cast->moving && are_points; ++i) {
        are_points = !(solver->bodies.masses[cast->bodies[i]].inertia->inverse > 0.0);
    }
    return are_points;
}

static void choice_untie(const tni_mechanism_plan *plan, const tni_mechanism_cast *cast) {
    for (uint32_t i = 0; i < cast->count; ++i) {
        plan->welds[i] = i < cast->moving ? i : cast->moving;
    }
}

// Ties the bodies of all joints of one kind. Returns how many tie bodies that are tied already.
static uint32_t choice_tie(const tni_solver *solver, const tni_mechanism_plan *plan, uint32_t group,
                           choice_kind kind) {
    uint32_t cycles = 0;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[k]];
        if (choice_get_kind(block->joint) != kind) {
            continue;
        }
        uint32_t a = plan->local_of[block->body_a], b = plan->local_of[block->body_b];
        cycles += union_find_join(plan->welds, a, b) ? 0 : 1;
    }
    return cycles;
}

// Counts cycles. With welds tied first, the other joints close loops; with hinges and sliders tied
// first, balls, rods and welds close the cycles of a mesh. Leaves the welds tied.
static void choice_count_cycles(const tni_solver *solver, const tni_mechanism_plan *plan,
                                uint32_t group, const tni_mechanism_cast *cast,
                                tni_choice_traits *out) {
    choice_untie(plan, cast);
    uint32_t welded = choice_tie(solver, plan, group, CHOICE_KIND_WELD);
    out->loops = choice_tie(solver, plan, group, CHOICE_KIND_PLANAR);
    out->loops += choice_tie(solver, plan, group, CHOICE_KIND_OTHER);
    out->cycles = welded + out->loops;
    choice_untie(plan, cast);
    out->mesh_cycles = out->cycles - choice_tie(solver, plan, group, CHOICE_KIND_PLANAR);
    choice_untie(plan, cast);
    choice_tie(solver, plan, group, CHOICE_KIND_WELD);
}

// Adds a span: a function of several bodies closes a loop with all of them, and one of the time
// leads them.
static void choice_add_span(const tni_joint *joint, tni_choice_traits *traits) {
    const tni_function *function = tni_mechanism_get_function(joint);
    if (function != NULL) {
        traits->rows += tni_mechanism_count_span_rows(function);
        traits->equalities += function->equality_count + (tni_function_is_rod(function) ? 1 : 0);
        traits->span_rows += tni_mechanism_count_span_rows(function);
        traits->loops += function->tie_count > 0 ? 1 : 0;
        traits->is_led |= function->has_time;
    }
}

// Returns a mechanism's traits. `out_pause` is the reason for which one of its joints pauses, or
// ASKED.
static tni_choice_traits choice_get_traits(const tn_world *world, const tni_solver *solver,
                                           const tni_mechanism_plan *plan, uint32_t group,
                                           const tni_mechanism_cast *cast,
                                           tn_mechanism_reason *out_pause) {
    tni_choice_traits traits = {
        .bodies = cast->moving, .are_points = choice_are_points(solver, cast), .mass_ratio = 1.0};
    *out_pause = TN_MECHANISM_REASON_ASKED;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[k]];
        const tni_joint *joint = block->joint;
        double ratio = tni_mechanism_get_mass_ratio(solver, block);
        traits.joints += 1;
        traits.rows += block->row_count;
        traits.equalities += block->equality_count;
        traits.is_asked |= tni_mechanism_get_solver(world, joint) == TN_SOLVER_DIRECT;
        traits.needs_more |= joint->needs_more;
        traits.is_led |= tni_joint_has_rates(joint);
        traits.mass_ratio = ratio > traits.mass_ratio ? ratio : traits.mass_ratio;
        traits.has_opened |= joint->exact_hold > 0;
        if (joint->exact_pause > 0) {
            *out_pause = (tn_mechanism_reason)joint->choice_reason;
        }
    }
    choice_count_cycles(solver, plan, group, cast, &traits);
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        choice_add_span(solver->joints.blocks[plan->joints[k]].joint, &traits);
    }
    tni_mechanism_find_load(world, solver, plan, group, cast, &traits);
    double tolerance = world->def.joint_tolerance;
    traits.needs_exact = traits.needs_more || (tolerance > 0.0 && tolerance < TNI_CHOICE_CG_KEEPS);
    traits.needs_more |= tolerance > 0.0 && tolerance < TNI_CHOICE_PGS_KEEPS;
    return traits;
}

// Wakes its limits, for the choice must not depend on which of them rested in the last step.
static void choice_wake_limits(const tni_solver *solver, const tni_mechanism_plan *plan,
                               uint32_t group, tni_mechanism *mechanism) {
    for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
        tni_mechanism_joint *joint = &mechanism->joints[k];
        joint->joint = solver->joints.blocks[plan->joints[plan->first[group] + k]].joint;
        tni_mechanism_find_actors(joint);
    }
    tni_mechanism_lay_out(mechanism);
}

// Finds the work of a factorisation from the symbolic one, which is made at `place` if it has no
// record yet. The record is recognised by the first joint.
static bool choice_find_work(tn_world *world, const tni_solver *solver,
                             const tni_mechanism_plan *plan, uint32_t group,
                             const tni_mechanism_cast *cast, uint32_t place, double *out_work) {
    const tni_joint_block *block = &solver->joints.blocks[plan->joints[plan->first[group]]];
    tni_joint *joint = tni_joint_at(world, block->world_joint);
    if (joint->work_signature != cast->signature) {
        if (!tni_mechanism_records_reserve(world, place + 1) ||
            !tni_mechanism_record_place(world, solver, plan, group, cast, place)) {
            return false;
        }
        choice_wake_limits(solver, plan, group, &world->mechanisms[place].mechanism);
        joint->work = tni_choice_get_work(&world->mechanisms[place].mechanism.matrix.pattern);
        joint->work_signature = cast->signature;
    }
    *out_work = joint->work;
    return true;
}

// Returns whether a mechanism of this size may be held, by what it has and the other mechanisms.
static bool choice_is_small(const tn_world *world, uint32_t group, uint32_t rows) {
    for (uint32_t g = 0; g < group; ++g) {
        bool is_held = world->choices[g].choice.reason == TN_MECHANISM_REASON_OPENED;
        rows += is_held ? world->choices[g].rows : 0;
    }
    return rows <= TNI_CHOICE_MOST_HELD_ROWS;
}

static bool choice_has_driven_limits(const tni_joint_block *block) {
    return block->joint->drives_limits && block->joint->has_limits &&
           block->row_count > block->equality_count;
}

// Returns whether a motor of the joint is about to whip a limit, before a step has made its rows.
static bool choice_may_whip(const tni_solver *solver, const tni_joint_block *block) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    if (!choice_has_driven_limits(block)) {
        return false;
    }
    tni_joint_emit_bounded(block->joint, &solver->bodies.motions[block->body_a],
                           &solver->bodies.motions[block->body_b], rows);
    return tni_joint_bounded_may_whip(solver, block, rows);
}

static bool choice_is_hung_few(const tni_choice_traits *traits) {
    return traits->is_hung && traits->bodies <= 2;
}

// Returns for how many steps a light mechanism is held whose motors are about to whip a limit, or
// that is about to have a blow.
static uint32_t choice_foresee(const tni_solver *solver, const tni_mechanism_plan *plan,
                               uint32_t group, const tni_choice_traits *traits) {
    uint32_t steps = 0;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        const tni_joint_block *block = &solver->joints.blocks[plan->joints[k]];
        if (choice_may_whip(solver, block)) {
            return TNI_CHOICE_HOLD;
        }
        if (choice_is_hung_few(traits) && tni_mechanism_strikes(solver, block, traits->bodies)) {
            steps = TNI_STRIKE_HOLD;
        }
    }
    return steps;
}

// Holds a light mechanism before what sweeps would not bear. Returns whether it does.
static bool choice_hold(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                        uint32_t group, const tni_choice_traits *traits) {
    bool may_be_held =
        plan->group_count <= TNI_CHOICE_CROWD && choice_is_small(world, group, traits->rows);
    uint32_t steps = may_be_held ? choice_foresee(solver, plan, group, traits) : 0;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1] && steps > 0; ++k) {
        uint32_t joint = solver->joints.blocks[plan->joints[k]].world_joint;
        tni_joint_at(world, joint)->exact_hold = steps;
    }
    return steps > 0;
}

static bool choice_decide(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                          uint32_t group, const tni_mechanism_cast *cast, uint32_t place) {
    tni_mechanism_choice *record = &world->choices[group];
    tn_mechanism_reason pause;
    tni_choice_traits traits = choice_get_traits(world, solver, plan, group, cast, &pause);
    tni_choice choice = tni_choice_from_traits(&traits);
    if (choice.method == TNI_CHOICE_PGS && !traits.has_opened &&
        traits.equalities + traits.ropes > 0 && choice_hold(world, solver, plan, group, &traits)) {
        traits.has_opened = true;
        choice = tni_choice_from_traits(&traits);
    }
    double work = 0.0;
    if (tni_choice_asks_for_work(choice, &traits) &&
        !choice_find_work(world, solver, plan, group, cast, place, &work)) {
        return false;
    }
    choice = tni_choice_afford(choice, &traits, work);
    if (pause != TN_MECHANISM_REASON_ASKED && !traits.is_asked) {
        choice = (tni_choice){TNI_CHOICE_PGS, pause};
    }
    if (choice.method == TNI_CHOICE_DIRECT && !tni_mechanism_has_direct(world)) {
        choice.method = TNI_CHOICE_CG;
    }
    *record =
        (tni_mechanism_choice){.choice = choice,
                               .rows = traits.rows,
                               .has_ties = traits.equalities + traits.ropes > 0,
                               .is_hung_few = choice_is_hung_few(&traits),
                               .is_net = tni_choice_may_bear(&traits) &&
                                         (choice.method == TNI_CHOICE_PGS || traits.has_opened),
                               .is_loaded = traits.load > TNI_CHOICE_MOST_LOAD &&
                                            traits.mass_ratio > TNI_CHOICE_MASS_RATIO};
    record->info.bodies = traits.bodies;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[plan->joints[k]].world_joint);
        joint->choice = (uint8_t)choice.method;
        joint->choice_reason = (uint8_t)choice.reason;
        joint->choice_group = group;
    }
    return true;
}

static bool choice_reserve(tn_world *world, uint32_t count) {
    if (count <= world->choice_capacity) {
        return true;
    }
    void *grown = tni_array_grow(&world->allocator, world->choices, world->choice_count,
                                 &world->choice_capacity, count, sizeof *world->choices);
    world->choices = grown != NULL ? grown : world->choices;
    return grown != NULL;
}

static bool choice_make_all(tn_world *world, tni_solver *solver, tni_mechanism_plan *plan,
                            tni_mechanism_cast *cast) {
    world->choice_count = world->told_choice_count = 0;
    choice_mark(world, solver);
    tni_mechanism_plan_join(solver, plan, solver->joints.count);
    tni_mechanism_plan_number(solver, plan, solver->joints.count);
    if (!choice_reserve(world, plan->group_count)) {
        return false;
    }
    uint32_t exact = 0;
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        tni_mechanism_find_cast(solver, plan, g, cast);
        if (!choice_decide(world, solver, plan, g, cast, exact)) {
            return false;
        }
        exact += world->choices[g].choice.method == TNI_CHOICE_DIRECT ? 1 : 0;
    }
    world->choice_count = plan->group_count;
    world->is_choice_stale = false;
    return true;
}

// Returns whether a mechanism that AUTO left to Gauss-Seidel as a light one may be held.
static bool choice_is_small_light(const tn_world *world, const tni_mechanism_choice *record) {
    return record->choice.reason == TN_MECHANISM_REASON_LIGHT &&
           record->rows <= TNI_CHOICE_MOST_HELD_ROWS && world->choice_count <= TNI_CHOICE_CROWD;
}

// Returns whether a mechanism that AUTO left to Gauss-Seidel is about to whip a limit, which was
// not so after the last step, when a motor had not been set.
static bool choice_any_whips(const tn_world *world, const tni_solver *solver) {
    bool any = false;
    for (uint32_t i = 0; i < solver->joints.count && !any; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        uint32_t group = block->joint->choice_group;
        any = group < world->choice_count && choice_is_small_light(world, &world->choices[group]) &&
              world->choices[group].has_ties && choice_may_whip(solver, block);
    }
    return any;
}

static bool choice_is_due(const tn_world *world, const tni_solver *solver) {
    bool any = !world->is_choice_stale && world->has_set_drives && choice_any_whips(world, solver);
    for (uint32_t i = 0; i < solver->joints.count && world->is_choice_stale && !any; ++i) {
        any = choice_is_auto(world, solver->joints.blocks[i].joint);
    }
    return any;
}

bool tni_step_choose_solvers(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    tni_mechanism_plan plan = {.group_count = 0};
    tni_mechanism_cast cast = {.count = 0};
    bool is_due = choice_is_due(world, solver);
    world->has_set_drives = false;
    if (!is_due) {
        world->is_choice_stale = false; // nothing awake asks for a choice
        return true;
    }
    cast.bodies = tni_arena_alloc(&world->arena, solver->bodies.count * sizeof(uint32_t));
    if (cast.bodies == NULL || !tni_mechanism_plan_allocate(world, solver, &plan) ||
        !tni_mechanism_tree_allocate(world, solver, &plan.tree)) {
        return false;
    }
    bool is_made = choice_make_all(world, solver, &plan, &cast);
    for (uint32_t i = 0; i < solver->joints.count; ++i) {
        solver->joints.blocks[i].is_projected = false; // marks of the plan
    }
    return is_made;
}

void tni_mechanism_leave(tn_world *world, uint32_t index, tn_mechanism_reason reason) {
    tni_joint_plan_drop(world);
    tni_joint *joint = tni_joint_at(world, index);
    joint->exact_pause = TNI_MECHANISM_PAUSE;
    joint->choice_reason = (uint8_t)reason;
    if (choice_is_auto(world, joint)) {
        joint->choice = TNI_CHOICE_PGS;
        if (joint->choice_group < world->choice_count) {
            world->choices[joint->choice_group].choice = (tni_choice){TNI_CHOICE_PGS, reason};
        }
    }
}

// ---- after the step ----------------------------------------------------------------------------

// Notes a joint of a mechanism that AUTO left to Gauss-Seidel.
static void choice_note_joint(tn_world *world, const tni_solver *solver,
                              const tni_joint_block *block) {
    const tni_joint *joint = block->joint;
    if (tni_joint_is_tie(joint) || !choice_is_auto(world, joint) ||
        joint->choice_group >= world->choice_count ||
        world->choices[joint->choice_group].choice.method != TNI_CHOICE_PGS) {
        return;
    }
    tni_mechanism_choice *record = &world->choices[joint->choice_group];
    if (!record->is_seen) {
        record->is_seen = true;
        record->whips = false;
        record->info = (tn_mechanism_info){.method = TN_MECHANISM_METHOD_PGS,
                                           .reason = record->choice.reason,
                                           .bodies = record->info.bodies};
    }
    tni_mechanism_info_add(world, joint, tni_mechanism_count_rows(block), &record->info);
    record->whips |=
        joint->whips ||
        (choice_is_small_light(world, record) && choice_has_driven_limits(block) &&
         tni_joint_bounded_may_whip(solver, block, solver->joints.rows + block->first_row));
}

static bool choice_has_sweeps(const tn_world *world) {
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        if (world->choices[g].choice.method == TNI_CHOICE_PGS) {
            return true;
        }
    }
    return false;
}

static bool choice_may_be_held(const tni_mechanism_choice *record) {
    bool is_torn = !(record->info.worst_joint_linear < TNI_MECHANISM_FARTHEST &&
                     record->info.worst_joint_angular < TNI_MECHANISM_FARTHEST);
    return record->is_seen && record->choice.method == TNI_CHOICE_PGS &&
           record->choice.reason == TN_MECHANISM_REASON_LIGHT && record->has_ties && !is_torn;
}

// Returns whether it is open very far, has been open too far for some steps, or whips a limit that
// drives press, which is about to open.
static bool choice_is_open(tni_mechanism_choice *record) {
    double linear = record->info.worst_joint_linear, angular = record->info.worst_joint_angular;
    bool is_seen = linear > CHOICE_OPEN || angular > CHOICE_BENT;
    record->open_steps = is_seen ? record->open_steps + 1 : 0;
    return linear > CHOICE_FAR_OPEN || angular > CHOICE_FAR_BENT || record->whips ||
           record->open_steps >= CHOICE_OPEN_STEPS;
}

// Finds the first open mechanisms, as many as are cheap together.
static bool choice_find_open(tn_world *world) {
    uint32_t rows = 0;
    bool any = false, is_crowd = world->choice_count > TNI_CHOICE_CROWD;
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        const tni_mechanism_choice *record = &world->choices[g];
        rows += record->choice.reason == TN_MECHANISM_REASON_OPENED ? record->rows : 0;
    }
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        tni_mechanism_choice *record = &world->choices[g];
        record->is_held = !is_crowd && choice_may_be_held(record) && choice_is_open(record) &&
                          rows + record->rows <= TNI_CHOICE_MOST_HELD_ROWS;
        rows += record->is_held ? record->rows : 0;
        any |= record->is_held;
    }
    return any;
}

// Counts down a hold. When it ends the other method goes on with the impulses, or joints would sag
// under their load and lift it again. A joint whose drives press its limits starts cold, because
// impulses that push against each other are no start; but nets that conjugate gradients had go
// on.
static void choice_count_hold(tn_world *world, tni_joint *joint) {
    bool was_held = joint->exact_hold > 0;
    joint->exact_hold -= was_held ? 1 : 0;
    if (was_held && joint->exact_hold == 0) {
        if (joint->choice != TNI_CHOICE_CG && joint->drives_limits) {
            memset(joint->impulses, 0, sizeof joint->impulses);
        }
        world->is_choice_stale = true;
    }
}

tni_mechanism_choice *tni_mechanism_find_choice(tn_world *world, const tni_body *body) {
    if (body->joint_head == TNI_NONE) {
        return NULL;
    }
    const tni_joint *joint = tni_joint_at(world, body->joint_head >> 1);
    return joint->choice_group < world->choice_count ? &world->choices[joint->choice_group] : NULL;
}

void tni_mechanism_hold_exact(tn_world *world, const tni_solver *solver,
                              bool (*is_asked)(const tni_mechanism_choice *choice),
                              uint32_t steps) {
    bool is_new = false;
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[i].world_joint);
        if (joint->choice_group < world->choice_count &&
            is_asked(&world->choices[joint->choice_group])) {
            is_new |= joint->exact_hold == 0;
            joint->exact_hold = joint->exact_hold > steps ? joint->exact_hold : steps;
        }
    }
    if (is_new) {
        tni_joint_plan_drop(world);
        world->is_choice_stale = true;
    }
}

static void choice_hold_open(tn_world *world, const tni_solver *solver) {
    if (!choice_find_open(world)) {
        return;
    }
    tni_joint_plan_drop(world);
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[i].world_joint);
        bool is_held = joint->choice_group < world->choice_count && choice_is_auto(world, joint) &&
                       world->choices[joint->choice_group].is_held;
        if (is_held) {
            joint->exact_hold = TNI_CHOICE_HOLD;
            memset(joint->impulses, 0, sizeof joint->impulses);
        }
    }
    world->is_choice_stale = true;
}

// Notes the choices after a step. If joints are kept none of them pauses.
void tni_mechanism_note_choices(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    world->told_choice_count = world->choice_count;
    if (step->has_kept_joints && !choice_has_sweeps(world)) {
        return;
    }
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        world->choices[g].is_seen = false;
    }
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[i].world_joint);
        if (joint->exact_pause > 0) {
            joint->exact_pause -= 1;
            world->is_choice_stale |= joint->exact_pause == 0;
        }
        choice_count_hold(world, joint);
        choice_note_joint(world, solver, &solver->joints.blocks[i]);
        joint->whips = false;
    }
    choice_hold_open(world, solver);
    tni_mechanism_hold_nets(world, solver);
    tni_mechanism_hold_jams(world, solver);
    tni_mechanism_hold_strikes(world, step);
}
