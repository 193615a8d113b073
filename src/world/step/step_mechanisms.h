// world/step/step_mechanisms.h: what the files that gather mechanisms share.
#ifndef TNI_WORLD_STEP_STEP_MECHANISMS_H
#define TNI_WORLD_STEP_STEP_MECHANISMS_H

#include "core/union_find.h"
#include "joints/function_joint.h"
#include "solver/touches/touch.h"
#include "world/step/step_internal.h"

// The price of contacts: doubles that their responses through the joints take, each a part of a
// solve. Where mechanisms that touch each other would pay more together, those of like masses
// alternate with sweeps, for so many steps at least, and until they would pay less than half. Any
// other that would pay more by itself is left to Gauss-Seidel.
#define TNI_MECHANISM_MOST_COLUMNS 60000
// The same of a chain or tree that AUTO knows to be loaded: a response is linear in its joints.
#define TNI_MECHANISM_MOST_COLUMNS_OF_TREE 400000
#define TNI_MECHANISM_ALTERNATION          60

// Steps that a mechanism is left to Gauss-Seidel at least, once it had to be.
#define TNI_MECHANISM_PAUSE 60

// m or rad: Gauss-Seidel, which gives way, brings joints together that are farther apart.
#define TNI_MECHANISM_FARTHEST 0.1

// A tree of the joints of one mechanism that tie, by local body: scratch of mechanism_load.c.
typedef struct tni_mechanism_tree {
    uint32_t *start, *links; // the neighbours of a body: links from start[i] to start[i + 1]
    uint32_t *order, *parent;
    bool *is_root;         // it hangs on what does not move
    double *mass, *beyond; // kg: of the body, and with all that hangs on it
    double *piece;         // kg: by its first body
    bool is_hung;
} tni_mechanism_tree;

// Which joint belongs to which mechanism.
typedef struct tni_mechanism_plan {
    uint32_t *roots;    // by solver body: union-find over exact joints
    uint32_t *group_of; // by root: which mechanism, or TNI_NONE
    uint32_t *joints;   // exact blocks, by mechanism
    uint32_t *first;    // by mechanism, and one more: its first block in `joints`
    union {
        uint32_t *bodies;   // by root, until the mechanisms are numbered: how many
        uint32_t *local_of; // by solver body: its place in the mechanism at work
    };
    union {
        uint32_t *contacts; // by root, until then: of its bodies
        uint32_t *stamp;    // by solver body: for which mechanism `local_of` holds
    };
    bool *is_barred;  // by root: something in it only Gauss-Seidel does
    bool *is_crowded; // by root: AUTO does not want it any more
    bool *is_loaded;  // by root: AUTO knows that light bodies of it carry heavy ones
    bool *is_left;    // by body: of a mechanism that AUTO left for its contacts
    uint32_t *heaps;  // by solver body: union-find over what touches
    uint64_t *prices; // by root of a heap: see TNI_MECHANISM_MOST_COLUMNS
    bool *alternates; // by root: solver/exact/mechanism_alternate.c closes it
    uint32_t *welds;  // scratch of mechanism_choice.c, by local body; then joints, by root
    tni_mechanism_tree tree;
    uint32_t group_count;
    bool is_arranged; // the records of mechanisms that are known stand at their places
} tni_mechanism_plan;

// The bodies of a mechanism in the order its joints name them: those that move, then the others.
typedef struct tni_mechanism_cast {
    uint32_t *bodies; // solver bodies
    uint32_t count, moving;
    bool alternates; // without rows that are bounded
    uint64_t signature;
} tni_mechanism_cast;

static inline bool tni_mechanism_moves(const tni_solver *solver, uint32_t body) {
    return solver->bodies.masses[body].is_dynamic;
}

static inline bool tni_mechanism_is_far(const tni_joint *joint) {
    return joint->linear_error > TNI_MECHANISM_FARTHEST ||
           joint->angular_error > TNI_MECHANISM_FARTHEST;
}

// ---- world/mechanisms/mechanism_groups.c: in this order
// ---------------------------------------------------

// A joint is exact when it is asked for or chosen and ties something that moves by rows of its own.
// Whether there is any.
bool tni_mechanism_plan_mark(const tn_world *world, tni_solver *solver);
// Whether there is a direct solver: its steps are of second order.
static inline bool tni_mechanism_has_direct(const tn_world *world) {
    return world->def.dynamics == TN_DYNAMICS_SECOND_ORDER;
}
// The joint itself, or of a tie the one that it is there for.
static inline const tni_joint *tni_mechanism_get_owner(const tn_world *world,
                                                       const tni_joint *joint) {
    return tni_joint_is_tie(joint) ? tni_joint_at(world, joint->def.function.owner) : joint;
}
// What a joint of this step has whose rows are a span's, or null.
static inline const tni_function *tni_mechanism_get_function(const tni_joint *joint) {
    bool is_span = tni_joint_is_function(joint) && !tni_joint_is_tie(joint) &&
                   joint->def.function.apart->is_span &&
                   joint->def.function.apart->span != TNI_NONE;
    return is_span ? joint->def.function.apart : NULL;
}
// Of a rope all pieces are one.
static inline uint32_t tni_mechanism_count_span_rows(const tni_function *function) {
    return function->rope != NULL ? 1 : function->row_count;
}
// How many rows it has in a step, with those of a span.
static inline uint32_t tni_mechanism_count_rows(const tni_joint_block *block) {
    const tni_function *function = tni_mechanism_get_function(block->joint);
    return block->row_count + (function != NULL ? tni_mechanism_count_span_rows(function) : 0);
}
// The method its definition or else its world asks for.
static inline tn_solver tni_mechanism_get_solver(const tn_world *world, const tni_joint *joint) {
    tn_solver solver = tni_mechanism_get_owner(world, joint)->def.base.solver;
    solver = solver == TN_SOLVER_AUTO ? world->def.solver : solver;
    return solver != TN_SOLVER_DIRECT || tni_mechanism_has_direct(world) ? solver : TN_SOLVER_CG;
}
// Whether AUTO chose for it, and no joint of its mechanism asks for anything.
static inline bool tni_mechanism_is_chosen(const tn_world *world, const tni_joint *joint) {
    return tni_mechanism_get_solver(world, joint) == TN_SOLVER_AUTO &&
           joint->choice_reason != TN_MECHANISM_REASON_ASKED;
}
// Of a joint's bodies, where both move.
static inline double tni_mechanism_get_mass_ratio(const tni_solver *solver,
                                                  const tni_joint_block *block) {
    double a = solver->bodies.masses[block->body_a].inv_mass,
           b = solver->bodies.masses[block->body_b].inv_mass;
    double least = a < b ? a : b, most = a < b ? b : a;
    return least > 0.0 ? most / least : 1.0;
}
// Whether its rows, or those of the span that it is part of, can be part of a mechanism at all.
bool tni_mechanism_takes(const tn_world *world, const tni_solver *solver,
                         const tni_joint_block *block);
bool tni_mechanism_plan_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_plan *plan);
// `total`: of all joints, exact or not.
void tni_mechanism_plan_join(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);
// What hangs on a joint that is not exact is moved by Gauss-Seidel as a whole; what touches too
// much as well, or is not exact any more.
bool tni_mechanism_plan_bar(tn_world *world, tni_solver *solver, tni_mechanism_plan *plan,
                            uint32_t total);
// Of a joint: the root of its bodies, one of which moves.
static inline uint32_t tni_mechanism_plan_root(const tni_solver *solver,
                                               const tni_mechanism_plan *plan,
                                               const tni_joint_block *block) {
    bool moves = tni_mechanism_moves(solver, block->body_a);
    return union_find_root(plan->roots, moves ? block->body_a : block->body_b);
}
// Mechanisms numbered by their first joint; then their joints sorted by number, in order.
void tni_mechanism_plan_number(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);

// ---- world/mechanisms/mechanism_load.c
// --------------------------------------------------------------------

bool tni_mechanism_tree_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_tree *out);
// Load, ropes and whether it is hung. Its cycles are known, and what is fixed together is tied in
// `welds` of the plan.
void tni_mechanism_find_load(const tn_world *world, const tni_solver *solver,
                             const tni_mechanism_plan *plan, uint32_t group,
                             const tni_mechanism_cast *cast, tni_choice_traits *out);

// ---- world/mechanisms/mechanism_heaps.c
// -------------------------------------------------------------------

// Those whose contacts would be too dear through their joints.
bool tni_mechanism_plan_alternate(tn_world *world, const tni_solver *solver,
                                  tni_mechanism_plan *plan, uint32_t total);

// ---- world/mechanisms/mechanism_records.c
// -----------------------------------------------------------------

bool tni_mechanism_records_reserve(tn_world *world, uint32_t count);
void tni_mechanism_find_cast(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t group,
                             tni_mechanism_cast *cast);
bool tni_mechanism_record_stands(const tn_world *world, uint32_t place, uint64_t signature);
// From this mechanism on, the records of all that are known to their places: when one is new, or
// they come in another order, none may be made where another's record stands.
void tni_mechanism_records_arrange(tn_world *world, const tni_solver *solver,
                                   tni_mechanism_plan *plan, uint32_t first,
                                   tni_mechanism_cast *cast);
// Puts the record of this composition at a place, made anew where there is none. Those before the
// place stay where they are. On failure it is empty.
bool tni_mechanism_record_place(tn_world *world, const tni_solver *solver,
                                const tni_mechanism_plan *plan, uint32_t group,
                                const tni_mechanism_cast *cast, uint32_t place);

// ---- world/mechanisms/mechanism_choice.c
// ------------------------------------------------------------------

// A mechanism that was chosen to be exact goes to Gauss-Seidel for a while.
void tni_mechanism_leave(tn_world *world, uint32_t joint, tn_mechanism_reason reason);
// After a step: what the mechanisms tell that were left to Gauss-Seidel, and the end of pauses.
void tni_mechanism_note_choices(tn_world *world, const tni_step *step);
// Steps for which a mechanism stays exact, or a net conjugate gradients', after the last one in
// which it was asked for.
#define TNI_CHOICE_HOLD 60
// The choice for the mechanism of a body's joints, or null.
tni_mechanism_choice *tni_mechanism_find_choice(tn_world *world, const tni_body *body);
// Holds for so long the joints of each mechanism whose choice asks for it.
void tni_mechanism_hold_exact(tn_world *world, const tni_solver *solver,
                              bool (*is_asked)(const tni_mechanism_choice *choice));

// ---- world/mechanisms/mechanism_press.c and mechanism_jam.c
// -----------------------------------------------

// Which nets something heavy lies in after the step: these are conjugate gradients' for some steps.
void tni_mechanism_hold_nets(tn_world *world, const tni_solver *solver);
// Rows of all joints that are exact because they opened, or of a mechanism that presses something.
// Figures have more, and stay with Gauss-Seidel: they land by the hundred, and an exact one with
// its contacts costs six times as much.
#define TNI_CHOICE_MOST_HELD_ROWS 60
// More mechanisms than this are a crowd, of which none is worth it.
#define TNI_CHOICE_CROWD 8
// After a step: mechanisms that press a loose body harder than sweeps can hold are exact for a
// while.
void tni_mechanism_hold_jams(tn_world *world, const tni_solver *solver);

// ---- world/mechanisms/mechanism_notes.c
// -------------------------------------------------------------------

// One more joint, whose errors have been stored.
void tni_mechanism_info_add(const tn_world *world, const tni_joint *joint, uint32_t rows,
                            tn_mechanism_info *info);

// ---- world/mechanisms/mechanism_wedged.c
// ------------------------------------------------------------------

// By body: of a loose one that is wedged between a mechanism and something else the number of the
// mechanism, else TNI_NONE. Null where there is none. False when memory cannot be had.
bool tni_mechanism_find_wedged(tn_world *world, const tni_solver *solver, uint32_t **out_beside);

// ---- world/mechanisms/mechanism_fill.c and mechanism_contacts.c
// -------------------------------------------

bool tni_mechanism_fill(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                        uint32_t group, const tni_mechanism_cast *cast,
                        tni_mechanism_record *record);
// The same into a mechanism that nothing has changed about since.
void tni_mechanism_refill(const tni_solver *solver, tni_mechanism *mechanism);
bool tni_mechanism_contacts_gather(tn_world *world, tni_solver *solver);
// Does it take its own step, with its contacts?
bool tni_mechanism_has_contacts(const tni_mechanism *mechanism);
// What a touch has of its contact's record: points, shapes and their frames in the bodies of its
// ends, which are set.
void tni_step_set_touch(const tn_world *world, const tni_solver *solver, tni_contact_record *record,
                        tni_touch *touch);

#endif
