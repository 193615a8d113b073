// solver/movers/affine.h: one body whose coordinates are its centre and a 3 x 3 matrix. Derivation:
// solver/movers/affine.c.
#ifndef TNI_SOLVER_MOVERS_AFFINE_H
#define TNI_SOLVER_MOVERS_AFFINE_H

#include "collision/hull.h"
#include "collision/stretch.h"
#include "joints/functions/graph.h"
#include "solver/movers/reduced.h"
#include "tenon/affine.h"

#define TNI_AFFINE_STRAINS 6u
#define TNI_AFFINE_TURNS   3u
#define TNI_AFFINE_WAYS    (TNI_AFFINE_STRAINS + TNI_AFFINE_TURNS)

struct tni_affine {
    tn_affine_def material;
    double h; // s, of a substep; 0 between steps
    // The state that was last asked for.
    tni_dmat3 gradient;      // A
    tni_dmat3 rotation;      // R
    tni_dmat3 stretch;       // U
    tni_dmat3 turn;          // (tr U 1 - U)^-1
    tni_dmat3 moment;        // S, kg·m²
    tni_dvec3 spin;          // rad/s, world axes
    double soft_inverse[36]; // P, of the mass by strains alone with the substep's stiffness
    double inverse[81];      // M^-1 by strains and turns
    // The row of the volume or area that it keeps: J by strains, M^-1 J as A', and J M^-1 J.
    double kept_row[TNI_AFFINE_STRAINS], kept_response;
    tni_dmat3 kept_push;
};

// A material point for rows that take the body for a rigid one: see solver/movers/affine.c.
typedef struct tni_affine_point {
    tni_dvec3 arm, turned;               // X and R X
    tni_dvec3 position, velocity, drift; // of c + (A - R) X
} tni_affine_point;

// An affine body's shape when it was last asked for: see solver/movers/affine_shape.c.
typedef struct tni_deformed {
    tni_geometry geometry; // a hull or a stretched round shape, in the frame of the body's rotation
    tni_hull *hull;        // or null
    tni_stretch stretch;   // where there is no hull
    float reach;           // m from the centre of mass, of the shape at rest
} tni_deformed;

// ---- place (solver/movers/affine.c)
// --------------------------------------------------------------------

// Finds from coordinates and speeds the body's place, columns and drift.
void tni_affine_place(tni_reduced *reduced, const double *coordinates, const double *speeds);
// Gives the body other speeds at the same place, and finds its drift.
void tni_affine_set_speeds(tni_reduced *reduced, const double *speeds);
// Returns a rigid body with the frame's rotation and the motion of the material point that is `arm`
// from the centre at rest: a rigid body's rows at that arm are then the rows of the point.
tni_reduced_body tni_affine_look(const tni_reduced *reduced, tni_dvec3 arm);
// Returns that point without columns, with the map of a row over its velocities to the speeds.
tni_affine_point tni_affine_see(const tni_reduced *reduced, tni_dvec3 arm);
void tni_affine_project(const tni_reduced *reduced, const tni_affine_point *point, tni_dvec3 linear,
                        tni_dvec3 angular, double *out_row);
// Return c + A X, and the X of a point in the world, by the rotation alone if A has no inverse.
tni_dvec3 tni_affine_get_point(const tni_reduced *reduced, tni_dvec3 arm);
tni_dvec3 tni_affine_find_arm(const tni_reduced *reduced, tni_dvec3 point);
// Returns A, and A' if the body moves.
tni_affine_motion tni_affine_get_motion(const tni_reduced *reduced, bool moves);
// Return the stretch that contacts see, and the X of a point on its surface: see
// solver/movers/affine_shape.c.
tni_dmat3 tni_affine_get_shape(const tni_reduced *reduced);
// Returns the hull of a shape at rest, a box's in `storage`; null for round shapes and planes.
const tni_hull *tni_affine_get_rest(const tni_geometry *geometry, tni_box_hull *storage);
// Deforms the shape at rest anew, in a body with this centre of mass.
void tni_affine_deform(const tni_reduced *reduced, const tni_geometry *rest, tni_dvec3 center,
                       tni_deformed *deformed);
void tni_affine_find_material(const tni_reduced *reduced, const tni_dvec3 *points, uint32_t count,
                              tni_dvec3 *out_material);
double tni_affine_get_kinetic_energy(const tni_reduced *reduced);
double tni_affine_get_elastic_energy(const tni_reduced *reduced);
// Returns the spin about the centre of mass.
tni_dvec3 tni_affine_get_spin(const tni_reduced *reduced);
// Returns how fast the body is strained, 1/s.
double tni_affine_get_strain_rate(const tni_reduced *reduced);

// ---- motion (solver/movers/affine_motion.c)
// ------------------------------------------------------------

// Finds what tni_affine_set_mass needs of the material in substeps of h, in the state last asked
// for. Returns false if the body has no mass, or no extent in some direction.
bool tni_affine_set_substep(tni_reduced *reduced, double h);
// Sets M^-1 of the state last asked for.
void tni_affine_set_mass(tni_reduced *reduced);
// Changes the speeds by half a substep of all forces.
void tni_affine_kick(const struct tni_solver *solver, const tni_reduced *reduced, double *speeds);
// Takes from the speeds what damping takes after a kick.
void tni_affine_damp(const struct tni_solver *solver, tni_reduced *reduced, double *speeds);
// Books in the ledger the work of stresses as a spring's and that of damping as damping.
void tni_affine_measure(struct tni_solver *solver, const tni_reduced *reduced);
// Corrects `moved`, coordinates after a drift, and the speeds so that both keep volume or area.
void tni_affine_keep(struct tni_solver *solver, tni_reduced *reduced, double *moved,
                     double *speeds);
// Takes out of the speeds what changes that volume or area.
void tni_affine_keep_rate(struct tni_solver *solver, const tni_reduced *reduced, double *speeds);
// Scales A to the volume or area that the body keeps. Returns false if A has none or is inside out.
bool tni_affine_fit(const tni_reduced *reduced, double *coordinates);

// ---- strains and turns (solver/movers/affine_strain.c)
// -------------------------------------------------

// Returns the symmetric matrix of six numbers: xx, yy, zz, yz, xz, xy.
tni_dmat3 tni_affine_join_strains(const double *six);
// Reads the matrix's product with each unit strain: its symmetric parts, doubled off the diagonal.
void tni_affine_read_dual(const tni_dmat3 *matrix, double *out_six);
// Splits R^T A' = Y: returns w and writes U'.
tni_dvec3 tni_affine_split(const tni_affine *affine, const tni_dmat3 *y, tni_dmat3 *out_rate);
tni_dvec3 tni_affine_split_speeds(const tni_affine *affine, const double *speeds,
                                  tni_dmat3 *out_rate);
// Returns A' of strains and turns.
tni_dmat3 tni_affine_join(const tni_affine *affine, const double *ways);
// Writes K times a strain: stresses by strain, J.
void tni_affine_stress(const tni_affine *affine, const tni_dmat3 *strain, double *out_six);
// Writes K, 6 x 6.
void tni_affine_fill_stiffness(const tni_affine *affine, double *out_stiffness);
// Returns the sum of stresses times strains.
double tni_affine_work(const double *six, const tni_dmat3 *rate);
// Returns U - 1.
tni_dmat3 tni_affine_get_strain(const tni_affine *affine);

#endif
