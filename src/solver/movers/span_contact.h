// solver/movers/span_contact.h: contacts with bodies that are given by coordinates, each a span of
// rows.
//
// Derivation: solver/movers/span_contact.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_CONTACT_H
#define TNI_SOLVER_MOVERS_SPAN_CONTACT_H

#include "solver/movers/affine.h"
#include "solver/touches/touch.h"

// Points of any contact hit at once if their gaps differ by no more than the first number, m (the
// rounding of gaps), or if they follow within the second, a share of a substep.
#define TNI_IMPACT_ROUNDED 1e-5f
#define TNI_IMPACT_AT_ONCE 0.02f

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
    uint32_t body;          // the solver's
    tni_reduced *reduced;   // whose body it is, or null
    uint32_t member;        // and the body's index within it
    uint32_t entry;         // where its columns begin
    bool has_entry;         // it moves, or may move
    bool is_free;           // it gives way freely: no coordinates and no joints hold it
    tni_body_motion motion; // as the touch sees it, with the rows' velocities
    tni_body_motion before; // the last drift
    // An affine body has its shape, deformed anew from the one at rest, and the material that the
    // points and their middle take hold of.
    tni_deformed *deformed;
    const tni_geometry *rest;
    tni_dvec3 material[TNI_LANES + 1];
} tni_span_contact_end;

// The numbers of one row, in N·s or N·m·s.
typedef struct tni_span_contact_state {
    float impulse, warm; // as in tni_row_state
    float phase;         // at the start of the phase, for the work
    float mass;          // of the row alone
    float bend;          // m/s: see solver/movers/span_contact_arms.c
} tni_span_contact_state;

struct tni_span_contact {
    tni_contact_record record; // from the world and back
    tni_touch *touch;          // its geometry; its rows belong to this contact
    tni_span_contact_end ends[2];
    uint32_t entry_count;
    uint32_t bodies[TNI_SPAN_CONTACT_ENTRIES];
    bool moves[TNI_SPAN_CONTACT_ENTRIES];
    bool is_of_one; // both ends are bodies of one object
    bool is_shut;   // it pushes, or may: see contact_prepare.c
    bool is_sound;  // all rows were numbers at every refresh
    // State of a substep: see solver/movers/span_contact_blow.c.
    bool stands_open; // it began without a load, whatever the contact gave before
    bool is_lifted;   // a blow has lifted it off, and it stays as it was before
    bool is_left;     // it gives no more than it gave before a blow
    uint32_t point_count, row_count;
    double way_kept; // share of the last drift: see solver/movers/span_contact_net.c
    vec3s normal, tangent[2];
    float grip[2];                // rows along the tangents are this long: solver/contacts/grain.h
    vec3s arms[2][TNI_LANES + 1]; // r_a and r_b, of the points and of their middle
    float twist_bound;            // cap per unit of normal impulse, m
    float gap[TNI_LANES];         // m, now
    float response[TNI_LANES][TNI_LANES];
    float inverse[TNI_LANES * TNI_LANES]; // of the response, slightly regularised
    float slide_mass[3], roll_mass[3];    // inverses of 2 x 2 matrices: 00, 11, 01
    // By entry: velocities before the kick, and the acceleration that it gives.
    float kick[TNI_SPAN_CONTACT_ENTRIES * 8], pull[TNI_SPAN_CONTACT_ENTRIES * 8];
    tni_span_contact_state states[TNI_SPAN_CONTACT_ROWS];
    float jacobian[TNI_SPAN_CONTACT_ROWS][TNI_SPAN_CONTACT_ENTRIES * 8];
    float pushes[TNI_SPAN_CONTACT_ROWS][TNI_SPAN_CONTACT_ENTRIES * 8]; // W J^T
    // The impacts in the phase, to measure their work: J^T x of the points and of friction, with
    // the arms at the impact.
    float phase_blow[TNI_SPAN_CONTACT_ENTRIES * 8], phase_rub[TNI_SPAN_CONTACT_ENTRIES * 8];
};

// Returns whether the contact pushes, or pushed in the substep before.
static inline bool tni_span_contact_is_loaded(const tni_span_contact *contact) {
    float most = 0.0f;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        most = maths_max(most, contact->states[p].impulse);
    }
    return most > 0.0f;
}

static inline bool tni_span_contact_is_affine(const tni_span_contact_end *end) {
    return end->reduced != NULL && end->reduced->affine != NULL;
}

// Makes an end that is an affine body touch by this shape of it, at rest or deformed.
static inline void tni_span_contact_use_shape(const tni_span_contact_end *end,
                                              const tni_geometry *geometry,
                                              tni_touch_end *touched) {
    tni_dvec3 place = dvec3_from_float(geometry->position);
    touched->geometry = geometry;
    touched->position = dvec3_sub(place, end->reduced->bodies[end->member].center);
    touched->rotation = dquat_from_float(geometry->rotation); // a capsule's turns as it shears
}

// ---- geometry: solver/movers/span_contact_place.c
// -----------------------------------------------------

// Measures normal, points, gaps and arms by planes that hold for the time `ahead`, or for the
// present alone if that is 0. Impulses are carried over; the caller makes the rows anew.
void tni_span_contact_measure(tni_solver *solver, tni_span_contact *contact, double ahead);
// Measures all contacts except those that cannot be met. The first time they take the impulses that
// the step begins with.
void tni_span_contacts_measure(tni_solver *solver, bool is_first);
// Measures a contact again before it pushes for the first time, with the present velocities.
// Returns false, with nothing changed, if it is too far away to be met within the substep.
bool tni_span_contact_look(tni_solver *solver, tni_span_contact *contact);
// Updates the motions of both ends by the rows' present velocities.
void tni_span_contact_see(const tni_solver *solver, tni_span_contact *contact);
// Puts back what went through something. Is called after the drift, before the next measure.
void tni_span_contacts_cast_net(tni_solver *solver);
// Moves friction to the centre of pressure of these impulses.
void tni_span_contact_center(tni_span_contact *contact, const float impulses[TNI_LANES]);
// Finds the bends that rows add in the middle of the drift: solver/movers/span_contact_arms.c.
void tni_span_contact_bend(const tni_solver *solver, tni_span_contact *contact);

// ---- rows: solver/movers/span_contact_row.c
// -----------------------------------------------------------

// Makes J, W J^T and masses at the present poses.
void tni_span_contact_refresh(const tni_solver *solver, tni_span_contact *contact);
// Returns J v.
float tni_span_contact_get_speed(const tni_solver *solver, const tni_span_contact *contact,
                                 uint32_t row);
// Returns what surfaces that move along their bodies add to the speed of a row of friction.
float tni_span_contact_get_drive(const tni_span_contact *contact, uint32_t row);
// Returns J times numbers by entry.
float tni_span_contact_get_product(const tni_span_contact *contact, uint32_t row,
                                   const float *numbers);
// Applies the impulse x: v += W J^T x.
void tni_span_contact_push(const tni_solver *solver, const tni_span_contact *contact, uint32_t row,
                           float x);

// Returns the gap of the nearest point, m.
static inline float tni_span_contact_get_least(const tni_span_contact *contact) {
    float least = FLT_MAX;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        least = maths_min(least, contact->gap[p]);
    }
    return least;
}

// ---- what was given before a blow: solver/movers/span_contact_blow.c
// ----------------------------------

// Is called before solve A, when nothing has been struck yet.
void tni_span_contacts_begin_blows(tni_solver *solver);
// In solve A, before the impulses x are applied: if open gaps of unloaded points close fast, notes
// on the bodies that move how much of the substep is left then.
void tni_span_contact_note_blow(const tni_solver *solver, const tni_span_contact *contact,
                                const float speed[TNI_LANES], const float x[TNI_LANES]);
// In solve B: finds the points' least impulses. Returns false if no body was struck.
bool tni_span_contact_find_given(const tni_solver *solver, const tni_span_contact *contact,
                                 float given[TNI_LANES]);
// After the drift: returns whether a blow has lifted the contact off. Then its gaps follow the
// drift, and the normal and points along which it gave its impulse are to stay.
bool tni_span_contact_lift(const tni_solver *solver, tni_span_contact *contact);

// ---- phases: solver/movers/span_contact.c
// -------------------------------------------------------------

// Is called once, before the first kick.
void tni_span_contacts_start(tni_solver *solver);
// Is called after the drift.
void tni_span_contacts_refresh(tni_solver *solver);
void tni_span_contacts_warm_start(tni_solver *solver, bool is_first_half);
void tni_span_contacts_sweep(tni_solver *solver, bool use_bias);
// Store to the records, after each substep and once after the last one.
void tni_span_contacts_store(tni_solver *solver);
void tni_span_contacts_finish(tni_solver *solver);
// Do what tni_work_begin_phase and tni_work_end_phase do.
void tni_span_contacts_begin_phase(tni_solver *solver);
void tni_span_contacts_end_phase(tni_solver *solver, bool is_first_half);

// ---- impacts that bounce: solver/movers/span_impact.c
// -------------------------------------------------

// Is called before the passes of a substep.
void tni_span_impacts_begin(tni_solver *solver);
// Does one pass. Returns whether something hit.
bool tni_span_impacts_solve(tni_solver *solver);

#endif
