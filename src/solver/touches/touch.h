// solver/touches/touch.h: contacts of mechanisms, solved through their joints.
//
// A touch is a contact with at least one end on a mechanism. Its rows: one for each point along the
// normal, then friction along two tangents, about the normal and, where it has rolling resistance,
// about the tangents. With
//     u_i = W J_i^T - W J_E^T (J_E W J_E^T)^-1 J_E W J_i^T,     d_i = J_i u_i
// the changes of velocity that a unit impulse on row i makes at all bodies of the mechanism while
// its joints hold (one solve with the factor of the projection), sweeps over the rows of the
// touches alone,
//     x_i <- clamp(x_i + (b_i - J_i v) / d_i),     v <- v + u_i dx_i,
// leave every joint closed. An end on something else takes part with its own mass. If both ends are
// on mechanisms both give way, each with its joints.
// Source: the Schur complement of the joint rows; D. Baraff, "Fast contact force computation for
// nonpenetrating rigid bodies", SIGGRAPH 1994 (contacts through other constraints).
#ifndef TNI_SOLVER_TOUCHES_TOUCH_H
#define TNI_SOLVER_TOUCHES_TOUCH_H

#include "collision/manifold/manifold.h"
#include "solver/solver.h"

// A touch has no more rows than these: points, and five of friction, the last two where it has
// rolling resistance.
#define TNI_TOUCH_SLIDES 5
#define TNI_TOUCH_ROWS   (TNI_LANES + TNI_TOUCH_SLIDES)

typedef struct tni_touch_row {
    double jacobian[2][6];
    double weighted[2][6]; // W J^T at ends that are on no mechanism
    double *columns[2];    // u of the end's mechanism: six numbers for each body; or NULL
    double inverse;        // 1 / d, 0 where the joints hold the row
    double drive;          // of friction: what moving surfaces add to J v. m/s, rad/s
    double owed;           // of what it gave in these sweeps to bodies that nothing touches
    bool is_made;          // columns and the inverse are there
} tni_touch_row;

typedef struct tni_touch_end {
    uint32_t body;            // of the solver
    tni_mechanism *mechanism; // or NULL
    uint32_t local;           // its body there
    bool is_loose;            // on no mechanism, but pushed by the touch
    tni_body_motion *motion;
    double *shift; // of its pose, six numbers, or NULL: of what nothing moves
    // This is the shape, and its frame in the body's.
    const tni_geometry *geometry;
    tni_dvec3 position;
    tni_dquat rotation;
    double reach;        // m per rad: how fast turning moves its surface
    bool has_neighbours; // others may lie level with the shape
    // An end that no mechanism moves has a bend, its mean velocity in the next substep less its
    // present one, and its motion before the last drift, if that is known.
    tni_twist bend;
    const tni_body_motion *before;
} tni_touch_end;

struct tni_touch {
    uint32_t contact;
    tni_contact_record *record;
    tni_touch_end ends[2];
    // A touch of a loose body that is wedged between mechanisms and something else has the first of
    // these mechanisms here, else NULL. All of them take their stages together.
    tni_mechanism *beside;
    float margin; // m: how far ahead points are looked for, beside what may close in a substep
    // The cache has the points where the shapes touch, or will within a substep.
    tni_manifold_cache cache;
    bool is_confirmed; // the axis of `cache` was found to carry: see collision/path/path.h
    bool is_walked;    // its planes are those of a later time
    uint32_t point_count, features[TNI_LANES];
    tni_dvec3 at[TNI_LANES]; // the points, world
    // At the time when the planes are right, these go from b's centre of mass to a's, and are the
    // points' gaps. m
    tni_dvec3 offset;
    float gap_then[TNI_LANES];
    double apart;          // m: how far the shapes are apart now, or the margin
    uint32_t slide_count;  // rows of friction
    double gap[TNI_LANES]; // m
    tni_dvec3 normal, tangents[2];
    double grip[2]; // rows of friction along the tangents are this long: solver/contacts/grain.h
    bool has_grain;
    double twist_bound; // cap of the row about the normal per unit of normal impulse, m
    tni_touch_row rows[TNI_TOUCH_ROWS];
    double moved[TNI_LANES]; // impulses of the pass over poses
    // Accelerated sweeps need these: the impulses that the last one began with, and the direction.
    double start[TNI_TOUCH_ROWS], direction[TNI_TOUCH_ROWS];
    // N·s: the impulses of this substep, of the one before, and the part that acted as a force
    // during the stage.
    double impulse[TNI_TOUCH_ROWS], before[TNI_TOUCH_ROWS], fed[TNI_TOUCH_ROWS];
    double kept[TNI_TOUCH_ROWS];      // before the settling that may be taken back
    double load;                      // N·s: what friction's caps are of, once they stand
    double change;                    // m/s: of its rows in the last sweep
    double loose_fed[TNI_TOUCH_ROWS]; // of it, what a loose end has been given
    double late;                      // the share of it that comes after the drift
    double late_time;                 // s: for which nothing else acted on loose ends yet
    double least;                     // m: the deepest point's gap before the stage
    uint32_t pieces;                  // of a substep that its impulses are for: see tni_touches_cut
    uint32_t lanes[TNI_LANES];        // features of the contact's points at the start of the step
    double lasting; // the share of the impulses it begins with that pushed for two substeps
};

static inline double touch_dot6(const double *x, const double *y) {
    double sum = 0.0;
    for (uint32_t c = 0; c < 6; ++c) {
        sum += x[c] * y[c];
    }
    return sum;
}

static inline uint32_t touch_get_row_count(const tni_touch *touch) {
    return touch->point_count > 0 ? touch->point_count + touch->slide_count : 0;
}

// Does it take the stage at hand, by one of its mechanisms?
static inline bool touch_is_active(const tni_touch *touch) {
    const tni_mechanism *a = touch->ends[0].mechanism, *b = touch->ends[1].mechanism;
    const tni_mechanism *beside = touch->beside;
    return (a != NULL && a->stage.is_active) || (b != NULL && b->stage.is_active) ||
           (beside != NULL && beside->stage.is_active);
}

// Is it a touch of a mechanism with itself or with something that nothing moves? No other body can
// give way, or drive the mechanism.
static inline bool touch_is_inner(const tni_touch *touch) {
    const tni_touch_end *a = &touch->ends[0], *b = &touch->ends[1];
    return !a->is_loose && !b->is_loose &&
           (a->mechanism == NULL || b->mechanism == NULL || a->mechanism == b->mechanism);
}

// Is it a touch of mechanisms that touch nothing that could give way? See tni_touches_feed.
static inline bool touch_is_alone(const tni_touch *touch) {
    const tni_mechanism *a = touch->ends[0].mechanism, *b = touch->ends[1].mechanism;
    return touch->beside == NULL && (a == NULL || a->touch.is_alone) &&
           (b == NULL || b->touch.is_alone);
}

// Returns the account of the ledger that takes a row's work.
static inline double *touch_work_of(tni_solver *solver, const tni_touch *touch, uint32_t r) {
    return r < touch->point_count ? &solver->ledger.work.impact : &solver->ledger.work.friction;
}

// ---- solver/touches/touch_row.c
// ------------------------------------------------------------------------

// Measures where the shapes touch: points, gaps and Jacobians, of planes that hold for the time
// `ahead`, or of now alone if that is 0. Impulses stay with their features. The rows' responses
// have to be made anew.
void tni_touch_measure(const tni_solver *solver, tni_touch *touch, double ahead);
// Does the same on a plane through `at` in place of end `e`, with the normal away from it.
void tni_touch_measure_plane(const tni_solver *solver, tni_touch *touch, uint32_t e,
                             tni_dvec3 normal, tni_dvec3 at);
// Do points that began the substep without a load take more than the others, beside the place of
// that load? Friction's rows then have to go to the points that push now.
bool tni_touch_is_struck_aside(const tni_touch *touch);
void tni_touch_center_friction(tni_touch *touch);
// Returns the impulse on b, world axes, of the rows along the tangents; and splits one on to them.
tni_dvec3 tni_touch_get_slide(const tni_touch *touch, const double x[2]);
void tni_touch_split_slide(const tni_touch *touch, tni_dvec3 slide, double out[2]);
// These return the middle of an end's shape, and how far ahead points are looked for.
tni_dvec3 tni_touch_get_center(const tni_touch_end *end);
float tni_touch_get_margin(const tni_solver *solver, const tni_touch *touch);
// Finds u and d of a row, which a unit impulse on it makes; the mechanisms' factors are those of
// the present poses.
void tni_touch_make_row(const tni_solver *solver, tni_touch *touch, tni_touch_row *row);
// These return J v, of one end and of both.
double tni_touch_get_end_speed(const tni_body_motion *motion, const double *jacobian);
double tni_touch_get_speed(const tni_touch *touch, const tni_touch_row *row);
// These add v += u x, at one end and at both; and at loose ends alone, at their present inertia,
// where the work is returned.
void tni_touch_push_end(tni_touch *touch, const tni_touch_row *row, uint32_t e, double x);
void tni_touch_push(tni_touch *touch, tni_touch_row *row, double x);
// Between these two calls, a mechanism that has many more bodies than touched ones moves only the
// touched ones.
void tni_touches_start_pushes(const tni_solver *solver, tni_touch_set *set);
void tni_touches_end_pushes(const tni_solver *solver, tni_touch_set *set);
// Returns the work that a push on a loose end has to be given beside its own: see
// tni_work_get_stiffened.
double tni_touch_get_stiffened(const tni_solver *solver, const tni_touch *touch,
                               const tni_touch_row *row, uint32_t e, double x);
double tni_touch_push_loose(const tni_solver *solver, tni_touch *touch, tni_touch_row *row,
                            double x);
// These do the same for the poses' changes.
double tni_touch_get_shift(const tni_touch *touch, const tni_touch_row *row);
void tni_touch_shift(tni_touch *touch, const tni_touch_row *row, double x);

// ---- solver/touches/touch_net.c
// ------------------------------------------------------------------------

// Returns, after a stage that is not accepted yet, the share of it up to which no shape has gone
// through one that it touches; it is above 1 where none has at all. Marks the mechanisms that have
// as deep.
double tni_touches_find_passed(tni_solver *solver);
// Does the same for one touch: it sweeps the core of each end that is on a mechanism, or that gives
// way and whose way is known otherwise.
double tni_touch_find_passed(const tni_solver *solver, const tni_touch *touch);

// ---- solver/touches/touch_ghosts.c
// ---------------------------------------------------------------------

// Drops or turns touches with edges that cannot be met. They have just been measured for a time
// `ahead`.
void tni_touches_lay_ghosts(const tni_solver *solver, tni_touch_set *set, double ahead);
// Does so for one of them. Returns true when it was dropped or turned.
bool tni_touch_lay_ghost(const tni_solver *solver, tni_touch_set *set, tni_touch *touch,
                         double ahead);

// ---- solver/touches/touch_way.c
// ------------------------------------------------------------------------

// Forgets how the joints have bent the ways: poses or velocities have changed.
void tni_touches_straighten(tni_touch_set *set);
// Makes nothing bend until then: there is no factor to find bends with.
void tni_touches_hold_straight(tni_touch_set *set);
// Puts planes that hold for `ahead` in the place of the present ones; `offset` then goes from b's
// centre of mass to a's at the time when they hold, and `gaps` are the points' gaps at that time.
// The gaps of the manifold fit both ends' present velocities.
void tni_touch_follow(const tni_solver *solver, tni_touch *touch, tni_dvec3 origin, double ahead,
                      tni_manifold *manifold, tni_dvec3 *offset, float gaps[TNI_LANES]);

// ---- solver/touches/touch.c
// ----------------------------------------------------------------------------

// Makes the factor of a mechanism at its present poses. Returns false without one: then nothing
// pushes it.
bool tni_touch_factor(tni_mechanism *mechanism);
// Starts factors anew: a matrix that could not be factored before may be by now.
void tni_touches_start_factors(const tni_solver *solver, tni_touch_set *set);
bool tni_touch_takes_part(const tni_solver *solver, const tni_touch_set *set,
                          const tni_touch *touch);
// Measures all touches that take part, for a time `ahead`, except those that cannot be met.
void tni_touches_measure(const tni_solver *solver, tni_touch_set *set, double ahead);
// Makes the row's response if it is not there. Returns false where the joints hold the row.
bool tni_touch_ready_row(const tni_solver *solver, tni_touch *touch, tni_touch_row *row);
// Changes an impulse to the wanted one. Returns how much that changes the row's speed.
double tni_touch_set_impulse(tni_solver *solver, tni_touch *touch, uint32_t r, double wanted);

// ---- solver/touches/touch_pose.c
// -----------------------------------------------------------------------

void tni_touches_clear_shifts(tni_touch_set *set);
// Moves the poses by their shifts, as far as the joints bear it; then everything is measured anew.
void tni_touches_move(tni_solver *solver, tni_touch_set *set);
// Puts poses right, so that no gap closes further than to touching, and each depth shrinks.
void tni_touches_settle_poses(tni_solver *solver, tni_touch_set *set);

// ---- solver/touches/touch_speed_up.c
// -------------------------------------------------------------------

// These come before and after a sweep over impulses, or over shifts of poses, that another one
// follows: the second goes on along a conjugate direction. `before` is the number that it returned
// after the sweep before, and 0 after the first.
void tni_touches_begin_sweep(const tni_solver *solver, tni_touch_set *set, bool is_of_poses);
double tni_touches_end_sweep(tni_solver *solver, tni_touch_set *set, bool is_of_poses,
                             double before);

// ---- solver/touches/touch_friction.c
// -------------------------------------------------------------------

// Takes the impulses of friction back into their bounds, which the points' sum sets.
void tni_touch_clamp_friction(const tni_touch *touch, double total, double *x);
// Makes one sweep over the rows of friction, with the caps of the points' sum `total`. Returns the
// sum of the rows' changes, m/s.
double tni_touch_settle_friction(tni_solver *solver, tni_touch *touch, double total);
// Finds the friction of a blow.
void tni_touch_rub(const tni_solver *solver, tni_touch *touch, double cap, double out[2]);
// Makes one sweep over the rows of friction, whose caps are those of touch->load. It never raises
// the energy of motion. Returns the sum of the rows' changes, m/s.
double tni_touch_slide_capped(tni_solver *solver, tni_touch *touch);

// ---- solver/touches/touch_store.c
// ----------------------------------------------------------------------

// Loads the contact's impulses, as rows of the touch; the sums are started below, without the
// impulses that it begins with.
void tni_touch_load(tni_touch *touch);
// Returns the contact's lane that point p is in, or the first.
uint32_t tni_touch_find_lane(const tni_touch *touch, uint32_t p);
void tni_touch_start_sums(tni_contact_record *record);
// Replaces the impulses of the record, which join those of the step.
void tni_touch_store(const tni_touch *touch, const double *x);
// Adds a blow on point p, and along the tangents, to the contact's sums.
void tni_touch_note_impact(const tni_touch *touch, uint32_t p, double x, const double slides[2]);

// ---- solver/touches/touch_feed.c
// -----------------------------------------------------------------------

// Chooses the impulses that the next stage is fed, from those of the last two substeps; the sweeps
// begin with them.
void tni_touch_choose_fed(tni_touch *touch);
// Returns the lesser of two loads of one row, and 0 where they are opposite.
double tni_touch_get_lesser(double x, double y);
// Scales impulses for stages of another length, of the mechanisms that are active.
void tni_touches_scale(tni_solver *solver, double factor);

// ---- solver/touches/touch_late.c
// -----------------------------------------------------------------------

// Finds the share of their loads that wedged bodies are fed; it comes before tni_touch_choose_fed.
void tni_touches_share_wedged(tni_solver *solver);
// These take the late part of gravity and forces back from half a substep's kick; and its work from
// the ledger.
void tni_touches_hold_late(tni_solver *solver);
void tni_touches_measure_late(tni_solver *solver);
// Feeds wedged bodies the part that they have not been given yet.
void tni_touches_feed_late(tni_solver *solver);

#endif
