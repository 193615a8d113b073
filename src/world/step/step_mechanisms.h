// world/step/step_mechanisms.h: what the files that gather mechanisms share.
#ifndef TNI_WORLD_STEP_STEP_MECHANISMS_H
#define TNI_WORLD_STEP_STEP_MECHANISMS_H

#include "core/stream.h"
#include "core/union_find.h"
#include "joints/functions/function_joint.h"
#include "solver/touches/touch.h"
#include "world/step/step_internal.h"

// The most that contacts may cost: the doubles of their responses through the joints, each a part
// of a solve. If touching mechanisms would cost more together, those of similar masses alternate
// with sweeps, for TNI_MECHANISM_ALTERNATION steps at least and until they would cost less than
// half. A mechanism that costs more by itself is left to Gauss-Seidel.
#define TNI_MECHANISM_MOST_COLUMNS 60000
// The same for a chain or tree that AUTO knows to be loaded: a response is linear in its joints.
#define TNI_MECHANISM_MOST_COLUMNS_OF_TREE 400000
#define TNI_MECHANISM_ALTERNATION          60

// A mechanism that had to be left to Gauss-Seidel stays there for this many steps at least.
#define TNI_MECHANISM_PAUSE 60

// m or rad: Gauss-Seidel, which gives way, closes joints that are farther open.
#define TNI_MECHANISM_FARTHEST 0.1

// A tree of the tying joints of one mechanism, by local body: scratch of mechanism_load.c.
typedef struct tni_mechanism_tree {
    uint32_t *start, *links; // the neighbours of a body: links from start[i] to start[i + 1]
    uint32_t *order, *parent;
    bool *is_root;         // it hangs on something that does not move
    double *mass, *beyond; // kg: of the body, and with everything that hangs on it
    double *piece;         // kg, by the piece's first body
    bool is_hung;
} tni_mechanism_tree;

// Assigns joints to mechanisms.
typedef struct tni_mechanism_plan {
    uint32_t *roots;    // by solver body: union-find over exact joints
    uint32_t *group_of; // by root: its mechanism, or TNI_NONE
    uint32_t *joints;   // exact blocks, by mechanism
    uint32_t *first;    // by mechanism, and one more: its first block in `joints`
    union {
        uint32_t *bodies;   // by root, until the mechanisms are numbered: how many it has
        uint32_t *local_of; // by solver body: its place in the mechanism at work
    };
    union {
        uint32_t *contacts; // by root, until then: how many its bodies have
        uint32_t *stamp;    // by solver body: for which mechanism `local_of` holds
    };
    bool *is_barred;  // by root: only Gauss-Seidel can solve something in it
    bool *is_crowded; // by root: AUTO no longer wants it
    bool *is_loaded;  // by root: AUTO knows that light bodies carry heavy ones
    bool *is_left;    // by body: AUTO left its mechanism because of contacts
    uint32_t *heaps;  // by solver body: union-find over touching bodies
    uint64_t *prices; // by root of a heap: see TNI_MECHANISM_MOST_COLUMNS
    bool *presses;    // by root: a large clump of loose bodies
    bool *alternates; // by root: solver/exact/mechanism_alternate.c closes it
    uint32_t *welds;  // scratch of mechanism_choice.c, by local body; then joints, by root
    tni_mechanism_tree tree;
    uint32_t group_count;
    bool is_arranged; // the records of known mechanisms stand at their places
} tni_mechanism_plan;

// ---- world/mechanisms/mechanism_state.c ---------------------------------------------------------

// An entry whose mechanism has been made has this signature instead of its own.
#define TNI_MECHANISM_STATE_TAKEN 1u
// Write what all mechanisms carry from step to step, and check the bytes.
void tni_mechanism_save_states(tn_world *world, tni_stream *stream);
bool tni_mechanism_check_states(tni_stream *stream);
// Frees the bytes that wait for their mechanisms.
void tni_mechanism_forget_states(tn_world *world);
// Forgets all mechanisms, and the choices of TN_SOLVER_AUTO: the next step finds them anew.
void tni_mechanisms_forget_all(tn_world *world);
// Gives a mechanism that was just made the state that waits for it, if there is one. Returns false
// if that does not fit, and has spoilt the mechanism, which has to be made once more.
bool tni_mechanism_resume(tn_world *world, tni_mechanism_record *record);

// The bodies of a mechanism in the order its joints name them: those that move, then the others.
typedef struct tni_mechanism_cast {
    uint32_t *bodies; // solver bodies
    uint32_t count, moving;
    bool alternates; // see tni_mechanism_plan; then it has no bounded rows
    uint64_t signature;
} tni_mechanism_cast;

static inline bool tni_mechanism_moves(const tni_solver *solver, uint32_t body) {
    return solver->bodies.masses[body].is_dynamic;
}

static inline bool tni_mechanism_is_far(const tni_joint *joint) {
    return joint->linear_error > TNI_MECHANISM_FARTHEST ||
           joint->angular_error > TNI_MECHANISM_FARTHEST;
}

// ---- world/mechanisms/mechanism_groups.c: called in this order ----------------------------------

// Marks exact joints: those that are asked for or chosen, and tie a moving body by rows of their
// own. Returns whether there are any.
bool tni_mechanism_plan_mark(const tn_world *world, tni_solver *solver);
// Returns whether there is a direct solver, whose steps are of second order.
static inline bool tni_mechanism_has_direct(const tn_world *world) {
    return world->def.dynamics == TN_DYNAMICS_SECOND_ORDER;
}
// Returns the joint itself, or for a tie the joint that owns it.
static inline const tni_joint *tni_mechanism_get_owner(const tn_world *world,
                                                       const tni_joint *joint) {
    return tni_joint_is_tie(joint) ? tni_joint_at(world, joint->def.function.owner) : joint;
}
// Returns the joint's function if its rows are a span's in this step, or null.
static inline const tni_function *tni_mechanism_get_function(const tni_joint *joint) {
    bool is_span = tni_joint_is_function(joint) && !tni_joint_is_tie(joint) &&
                   joint->def.function.apart->is_span &&
                   joint->def.function.apart->span != TNI_NONE;
    return is_span ? joint->def.function.apart : NULL;
}
// Returns the number of rows. All pieces of a rope are one row.
static inline uint32_t tni_mechanism_count_span_rows(const tni_function *function) {
    return function->rope != NULL ? 1 : function->row_count;
}
// Returns how many rows the joint has in a step, including those of a span.
static inline uint32_t tni_mechanism_count_rows(const tni_joint_block *block) {
    const tni_function *function = tni_mechanism_get_function(block->joint);
    return block->row_count + (function != NULL ? tni_mechanism_count_span_rows(function) : 0);
}
// Returns the method for which its definition, or else its world, asks.
static inline tn_solver tni_mechanism_get_solver(const tn_world *world, const tni_joint *joint) {
    tn_solver solver = tni_mechanism_get_owner(world, joint)->def.base.solver;
    solver = solver == TN_SOLVER_AUTO ? world->def.solver : solver;
    return solver != TN_SOLVER_DIRECT || tni_mechanism_has_direct(world) ? solver : TN_SOLVER_CG;
}
// Returns whether AUTO chose for it, and no joint of its mechanism asks for a method.
static inline bool tni_mechanism_is_chosen(const tn_world *world, const tni_joint *joint) {
    return tni_mechanism_get_solver(world, joint) == TN_SOLVER_AUTO &&
           joint->choice_reason != TN_MECHANISM_REASON_ASKED;
}
// Returns the ratio of the masses of the joint's bodies, or 1 if one does not move.
static inline double tni_mechanism_get_mass_ratio(const tni_solver *solver,
                                                  const tni_joint_block *block) {
    double a = solver->bodies.masses[block->body_a].inv_mass,
           b = solver->bodies.masses[block->body_b].inv_mass;
    double least = a < b ? a : b, most = a < b ? b : a;
    return least > 0.0 ? most / least : 1.0;
}
// Returns whether its rows, or those of the span to which it belongs, can be part of a mechanism.
bool tni_mechanism_takes(const tn_world *world, const tni_solver *solver,
                         const tni_joint_block *block);
bool tni_mechanism_plan_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_plan *plan);
// `total` counts all joints, exact or not.
void tni_mechanism_plan_join(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);
// Leaves mechanisms to Gauss-Seidel as a whole if they hang on a joint that is not exact, touch too
// much, or are no longer exact.
bool tni_mechanism_plan_bar(tn_world *world, tni_solver *solver, tni_mechanism_plan *plan,
                            uint32_t total);
// Returns the root of the joint's bodies, one of which moves.
static inline uint32_t tni_mechanism_plan_root(const tni_solver *solver,
                                               const tni_mechanism_plan *plan,
                                               const tni_joint_block *block) {
    bool moves = tni_mechanism_moves(solver, block->body_a);
    return union_find_root(plan->roots, moves ? block->body_a : block->body_b);
}
// Numbers mechanisms by their first joint, then sorts their joints by number, in order.
void tni_mechanism_plan_number(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total);

// ---- world/mechanisms/mechanism_load.c ----------------------------------------------------------

bool tni_mechanism_tree_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_tree *out);
// Finds load, ropes and whether the mechanism is hung. Its cycles must be known, and `welds` of the
// plan must tie bodies that are fixed together.
void tni_mechanism_find_load(const tn_world *world, const tni_solver *solver,
                             const tni_mechanism_plan *plan, uint32_t group,
                             const tni_mechanism_cast *cast, tni_choice_traits *out);

// ---- world/mechanisms/mechanism_heaps.c ---------------------------------------------------------

// Finds the mechanisms that alternate, because contacts through their joints would cost too much or
// because they press loose bodies that the sweeps solve.
bool tni_mechanism_plan_alternate(tn_world *world, const tni_solver *solver,
                                  tni_mechanism_plan *plan, uint32_t total);

// ---- world/mechanisms/mechanism_records.c -------------------------------------------------------

bool tni_mechanism_records_reserve(tn_world *world, uint32_t count);
void tni_mechanism_find_cast(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t group,
                             tni_mechanism_cast *cast);
bool tni_mechanism_record_stands(const tn_world *world, uint32_t place, uint64_t signature);
// Moves the records of all known mechanisms, from `first` on, to their places. It is needed if one
// is new or the order differs, because no record may be made where another's stands.
void tni_mechanism_records_arrange(tn_world *world, const tni_solver *solver,
                                   tni_mechanism_plan *plan, uint32_t first,
                                   tni_mechanism_cast *cast);
// Puts the record of this composition at a place, or makes it there. The records before the place
// stay. On failure the record is empty.
bool tni_mechanism_record_place(tn_world *world, const tni_solver *solver,
                                const tni_mechanism_plan *plan, uint32_t group,
                                const tni_mechanism_cast *cast, uint32_t place);

// ---- world/mechanisms/mechanism_choice.c --------------------------------------------------------

// Leaves a mechanism that was chosen to be exact to Gauss-Seidel for a while.
void tni_mechanism_leave(tn_world *world, uint32_t joint, tn_mechanism_reason reason);
// Stores, after a step, the information about mechanisms left to Gauss-Seidel, and ends pauses.
void tni_mechanism_note_choices(tn_world *world, const tni_step *step);
// A mechanism stays exact, or a net stays with conjugate gradients, for this many steps after the
// last one that asked for it.
#define TNI_CHOICE_HOLD 60
// Returns the choice for the mechanism of a body's joints, or null.
tni_mechanism_choice *tni_mechanism_find_choice(tn_world *world, const tni_body *body);
// Holds the joints of each mechanism whose choice asks for it, for so many steps.
void tni_mechanism_hold_exact(tn_world *world, const tni_solver *solver,
                              bool (*is_asked)(const tni_mechanism_choice *choice), uint32_t steps);

// ---- world/mechanisms/mechanism_press.c, mechanism_jam.c and mechanism_strike.c --------

// Leaves nets in which something heavy lies after a step to conjugate gradients for some steps.
void tni_mechanism_hold_nets(tn_world *world, const tni_solver *solver);
// The most rows of all joints that are exact because they opened, or of a mechanism that presses
// something. Figures have more and stay with Gauss-Seidel: they land by the hundred, and an exact
// one with its contacts costs six times as much.
#define TNI_CHOICE_MOST_HELD_ROWS 60
// More mechanisms than this are a crowd, and none of them is worth it.
#define TNI_CHOICE_CROWD 8
// Makes mechanisms exact for a while that press a loose body, after a step, too hard for sweeps.
void tni_mechanism_hold_jams(tn_world *world, const tni_solver *solver);
// A pair of bodies that hang, or one, is exact for this many steps after the last that asks for it.
#define TNI_STRIKE_HOLD 8
// Returns whether a joint of two bodies that hang is about to have a blow: it is about to meet a
// limit of its own, or its bodies move as it does not allow; or whether it leans on a limit, or its
// load is too much for sweeps. Of one body: whether it is at a limit, and would open there.
bool tni_mechanism_strikes(const tni_solver *solver, const tni_joint_block *block, uint32_t bodies);
// Makes one or two bodies that hang exact for a while before they run into a limit of their own,
// and while they lean on it.
void tni_mechanism_hold_strikes(tn_world *world, const tni_step *step);

// ---- world/mechanisms/mechanism_notes.c ---------------------------------------------------------

// Adds a joint whose errors have been stored.
void tni_mechanism_info_add(const tn_world *world, const tni_joint *joint, uint32_t rows,
                            tn_mechanism_info *info);

// ---- world/mechanisms/mechanism_wedged.c --------------------------------------------------------

// Finds loose bodies that are wedged between a mechanism and something else: `out_beside` has the
// mechanism's number by body, or TNI_NONE; null if there are none. Returns false without memory.
bool tni_mechanism_find_wedged(tn_world *world, const tni_solver *solver, uint32_t **out_beside);
// Finds the mechanisms of a plan that press loose bodies which are between them and something else,
// but too many to be wedged in. Returns false without memory.
bool tni_mechanism_plan_find_pressing(tn_world *world, const tni_solver *solver,
                                      tni_mechanism_plan *plan, uint32_t total);

// ---- world/mechanisms/mechanism_fill.c and mechanism_contacts.c ---------------------------------

bool tni_mechanism_fill(tn_world *world, const tni_solver *solver, const tni_mechanism_plan *plan,
                        uint32_t group, const tni_mechanism_cast *cast,
                        tni_mechanism_record *record);
// Fills in a mechanism whose bodies and joints have not changed.
void tni_mechanism_refill(const tni_solver *solver, tni_mechanism *mechanism);
bool tni_mechanism_contacts_gather(tn_world *world, tni_solver *solver);
// Returns whether the mechanism takes its own step, with its contacts.
bool tni_mechanism_has_contacts(const tni_mechanism *mechanism);
// Sets a touch from its contact's record: points, shapes and their frames in the bodies of its
// ends, which must be set.
void tni_step_set_touch(const tn_world *world, const tni_solver *solver, tni_contact_record *record,
                        tni_touch *touch);

#endif
