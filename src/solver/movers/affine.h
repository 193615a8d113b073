// solver/movers/affine.h: one body whose coordinates are its centre and a 3 x 3 matrix. Derivation:
// solver/movers/affine.c.
#ifndef TNI_SOLVER_MOVERS_AFFINE_H
#define TNI_SOLVER_MOVERS_AFFINE_H

#include "collision/hull.h"
#include "collision/stretch.h"
#include "joints/graph.h"
#include "solver/movers/reduced.h"
#include "tenon/affine.h"

#define TNI_AFFINE_STRAINS 6u
#define TNI_AFFINE_TURNS   3u
#define TNI_AFFINE_WAYS    (TNI_AFFINE_STRAINS + TNI_AFFINE_TURNS)

struct tni_affine {
    tn_affine_def material;
    double h; // s, of a substep; 0 between steps
    // As last asked.
    tni_dmat3 gradient;      // A
    tni_dmat3 rotation;      // R
    tni_dmat3 stretch;       // U
    tni_dmat3 turn;          // (tr U 1 - U)^-1
    tni_dmat3 moment;        // S, kg·m²
    tni_dvec3 spin;          // rad/s, world axes
    double soft_inverse[36]; // P: of the mass by strains alone, with the stiffness of the substep
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

// A shape of an affine body as it was last asked for: see solver/movers/affine_shape.c.
typedef struct tni_deformed {
    tni_geometry geometry; // a hull or a stretched round shape, in the frame of the body's rotation
    tni_hull *hull;        // or null
    tni_stretch stretch;   // where there is no hull
    float reach;           // m: of the shape at rest, from the centre of mass
} tni_deformed;

// ---- place (solver/movers/affine.c)
// --------------------------------------------------------------------

// Finds from coordinates and speeds the body's place, columns and drift.
void tni_affine_place(tni_reduced *reduced, const double *coordinates, const double *speeds);
// Gives it other speeds at the same place: its drift.
void tni_affine_set_speeds(tni_reduced *reduced, const double *speeds);
// Looks at it as a rigid body with its frame's rotation and the motion of the material point `arm`
// from the centre at rest, so that rows of a rigid body with that arm are those of the point.
tni_reduced_body tni_affine_look(const tni_reduced *reduced, tni_dvec3 arm);
// The same without columns, and what a row over the point's velocities is over the speeds.
tni_affine_point tni_affine_see(const tni_reduced *reduced, tni_dvec3 arm);
void tni_affine_project(const tni_reduced *reduced, const tni_affine_point *point, tni_dvec3 linear,
                        tni_dvec3 angular, double *out_row);
// c + A X, and the X of a point in the world: where A has no inverse, of the rotation.
tni_dvec3 tni_affine_get_point(const tni_reduced *reduced, tni_dvec3 arm);
tni_dvec3 tni_affine_find_arm(const tni_reduced *reduced, tni_dvec3 point);
// A, and A' while it moves.
tni_affine_motion tni_affine_get_motion(const tni_reduced *reduced, bool moves);
// The stretch that contacts see, and the X of points of its surface: see
// solver/movers/affine_shape.c.
tni_dmat3 tni_affine_get_shape(const tni_reduced *reduced);
// The hull that a shape is at rest; a box's is made in `storage`. Null of round shapes and planes.
const tni_hull *tni_affine_get_rest(const tni_geometry *geometry, tni_box_hull *storage);
// The shape anew from the one at rest, in a body with this centre of mass.
void tni_affine_deform(const tni_reduced *reduced, const tni_geometry *rest, tni_dvec3 center,
                       tni_deformed *deformed);
void tni_affine_find_material(const tni_reduced *reduced, const tni_dvec3 *points, uint32_t count,
                              tni_dvec3 *out_material);
double tni_affine_get_kinetic_energy(const tni_reduced *reduced);
double tni_affine_get_elastic_energy(const tni_reduced *reduced);
// Returns the spin about the centre of mass.
tni_dvec3 tni_affine_get_spin(const tni_reduced *reduced);
// 1/s: how fast it is strained.
double tni_affine_get_strain_rate(const tni_reduced *reduced);

// ---- motion (solver/movers/affine_motion.c)
// ------------------------------------------------------------

// For substeps of h, of what was last asked: what tni_affine_set_mass needs of the material. False
// where the body has no mass, or no extent in some direction.
bool tni_affine_set_substep(tni_reduced *reduced, double h);
// M^-1 of what was last asked.
void tni_affine_set_mass(tni_reduced *reduced);
// The speeds that half a substep of all forces leaves of these.
void tni_affine_kick(const struct tni_solver *solver, const tni_reduced *reduced, double *speeds);
// Takes from the speeds what damping takes after a kick.
void tni_affine_damp(const struct tni_solver *solver, tni_reduced *reduced, double *speeds);
// Books in the ledger what stresses and damping did in a phase: as a spring and as damping.
void tni_affine_measure(struct tni_solver *solver, const tni_reduced *reduced);
// Corrects `moved`, where a drift leads from the coordinates: the speeds keep the volume or area of
// both.
void tni_affine_keep(struct tni_solver *solver, tni_reduced *reduced, double *moved,
                     double *speeds);
// Takes what changes it out of the speeds.
void tni_affine_keep_rate(struct tni_solver *solver, const tni_reduced *reduced, double *speeds);
// Scales A so that it has what it keeps. False where it has none of it, or is inside out.
bool tni_affine_fit(const tni_reduced *reduced, double *coordinates);

// ---- strains and turns (solver/movers/affine_strain.c)
// -------------------------------------------------

// The six numbers of a symmetric matrix: xx, yy, zz, yz, xz, xy.
tni_dmat3 tni_affine_join_strains(const double *six);
// Reads what a matrix does by each strain: the symmetric parts, doubled for a number that stands
// twice.
void tni_affine_read_dual(const tni_dmat3 *matrix, double *out_six);
// U' and w of R^T A' = Y.
tni_dvec3 tni_affine_split(const tni_affine *affine, const tni_dmat3 *y, tni_dmat3 *out_rate);
tni_dvec3 tni_affine_split_speeds(const tni_affine *affine, const double *speeds,
                                  tni_dmat3 *out_rate);
// A' of strains and turns.
tni_dmat3 tni_affine_join(const tni_affine *affine, const double *ways);
// K times a strain: by strains, J.
void tni_affine_stress(const tni_affine *affine, const tni_dmat3 *strain, double *out_six);
// K, 6 x 6
void tni_affine_fill_stiffness(const tni_affine *affine, double *out_stiffness);
// sum of stresses times strains
double tni_affine_work(const double *six, const tni_dmat3 *rate);
// U - 1
tni_dmat3 tni_affine_get_strain(const tni_affine *affine);

#endif
