// solver/span_contact.h: contacts with bodies that are given by coordinates, each a span of rows.
//
// Derivation: solver/span_contact.c.
#ifndef TNI_SOLVER_SPAN_CONTACT_H
#define TNI_SOLVER_SPAN_CONTACT_H

#include "solver/reduced.h"
#include "solver/solver.h"

// Solver bodies that a contact's rows reach: two objects of two slots each.
#define TNI_SPAN_CONTACT_ENTRIES (2 * TNI_REDUCED_MAX_SLOTS)

// Its rows: the normals of its points, then these.
typedef enum tni_span_contact_row {
    TNI_SPAN_SLIDE = TNI_LANES,     // along the two tangents
    TNI_SPAN_TWIST = TNI_LANES + 2, // about the normal
    TNI_SPAN_ROLL = TNI_LANES + 3,  // about the two tangents
    TNI_SPAN_CONTACT_ROWS = TNI_LANES + 5,
} tni_span_contact_row;

typedef struct tni_span_contact_end {
    uint32_t body;        // the solver's
    tni_reduced *reduced; // whose body it is, or null
    uint32_t member;      // and which of its bodies
    uint32_t entry;       // where its columns begin
    bool has_entry;       // it moves, or may
    // How it has moved since the step began: to first order, as contacts do.
    tni_dvec3 start;    // its centre of mass then, m
    tni_dquat rotation; // when it was last looked at
    vec3s way, turn;    // m, rad
    // Of an affine body, of each point and of their middle: the material, and where that began.
    tni_dvec3 material[TNI_LANES + 1], begun[TNI_LANES];
} tni_span_contact_end;

// Numbers of one row. N·s or N·m·s
typedef struct tni_span_contact_state {
    float impulse, warm; // as in tni_row_state
    float step, impact;  // over the step: of the solves, of impacts
    float phase;         // at the start of the phase, for the work
    float mass;          // of the row alone
} tni_span_contact_state;

struct tni_span_contact {
    tni_contact_record record; // from the world and back
    tni_span_contact_end ends[2];
    uint32_t entry_count;
    uint32_t bodies[TNI_SPAN_CONTACT_ENTRIES];
    bool moves[TNI_SPAN_CONTACT_ENTRIES];
    bool is_of_one; // both ends are bodies of one object
    bool is_shut;   // it pushes, or may: see contact_prepare.c
    bool is_sound;  // all rows were numbers at every refresh
    uint32_t row_count;
    vec3s tangent[2], middle; // middle: r_a, at the step's start
    // As the rows have them: r_a of the points and of their middle, r_b - r_a; and which end takes
    // the points along, if one does: see solver/contact_arms.h.
    vec3s arms[TNI_LANES + 1], offset;
    uint32_t carrier;
    bool has_carrier;
    float twist_bound;    // cap per unit of normal impulse, m
    float gap[TNI_LANES]; // m, now
    float response[TNI_LANES][TNI_LANES];
    float inverse[TNI_LANES * TNI_LANES]; // of the response, slightly regularised
    float slide_mass[3], roll_mass[3];    // inverses of 2 x 2 matrices: 00, 11, 01
    float kick_speed[TNI_LANES];          // J v before the kick, m/s
    float acceleration[TNI_LANES];        // and what it changes J v by, m/s^2
    tni_span_contact_state states[TNI_SPAN_CONTACT_ROWS];
    float jacobian[TNI_SPAN_CONTACT_ROWS][TNI_SPAN_CONTACT_ENTRIES * 8];
    float pushes[TNI_SPAN_CONTACT_ROWS][TNI_SPAN_CONTACT_ENTRIES * 8]; // W J^T
    // Of impacts in the phase, for the work: J^T x with the arms that they had, of the points and
    // of friction.
    float phase_blow[TNI_SPAN_CONTACT_ENTRIES * 8], phase_rub[TNI_SPAN_CONTACT_ENTRIES * 8];
};

// ---- rows: solver/span_contact_row.c -----------------------------------------------------------

// Frames, bounds and impulses that the step begins with.
void tni_span_contact_make(tni_solver *solver, tni_span_contact *contact);
// Where its bodies have gone since the step began, and its gaps.
void tni_span_contact_follow(const tni_solver *solver, tni_span_contact *contact);
// Takes friction to the centre of pressure. Arms are to be moved there.
void tni_span_contact_center(tni_span_contact *contact);
// J, W J^T and masses at the present poses.
void tni_span_contact_refresh(const tni_solver *solver, tni_span_contact *contact);
// J v
float tni_span_contact_get_speed(const tni_solver *solver, const tni_span_contact *contact,
                                 uint32_t row);
// v += W J^T x
void tni_span_contact_push(const tni_solver *solver, const tni_span_contact *contact, uint32_t row,
                           float x);

// ---- arms: solver/span_contact_arms.c ----------------------------------------------------------

// Those of the step's start.
void tni_span_contact_begin_arms(tni_span_contact *contact);
// Whether its bodies turn so much that arms follow them.
bool tni_span_contact_turns(const tni_solver *solver, const tni_span_contact *contact);
// As they are `ahead` s from now by the bodies' present velocities. Rows are to be made anew.
void tni_span_contact_move_arms(const tni_solver *solver, tni_span_contact *contact, float ahead);
// As they are when the surfaces meet, `ahead` s from now: not to the middle of the gap any more.
void tni_span_contact_meet(const tni_solver *solver, tni_span_contact *contact, float ahead);

// The gap of its nearest point, m.
static inline float tni_span_contact_get_least(const tni_span_contact *contact) {
    float least = contact->gap[0];
    for (uint32_t p = 1; p < contact->record.point_count; ++p) {
        least = maths_min(least, contact->gap[p]);
    }
    return least;
}

// ---- phases: solver/span_contact.c -------------------------------------------------------------

// Once, before the first kick.
void tni_span_contacts_start(tni_solver *solver);
// After the drift.
void tni_span_contacts_refresh(tni_solver *solver);
void tni_span_contacts_warm_start(tni_solver *solver, bool is_first_half);
void tni_span_contacts_sweep(tni_solver *solver, bool use_bias);
// After each substep, and once after the last one: to the records.
void tni_span_contacts_store(tni_solver *solver);
void tni_span_contacts_finish(tni_solver *solver);
// As tni_work_begin_phase and tni_work_end_phase.
void tni_span_contacts_begin_phase(tni_solver *solver);
void tni_span_contacts_end_phase(tni_solver *solver, bool is_first_half);

// ---- impacts that bounce: solver/span_impact.c -------------------------------------------------

// Before the passes of a substep.
void tni_span_impacts_begin(tni_solver *solver);
// One pass. True if something hit.
bool tni_span_impacts_solve(tni_solver *solver);

#endif
