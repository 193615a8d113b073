/// tenon/affine.h: elastic bodies that stretch and shear as a whole.
///
/// An affine body has 12 freedoms: every point of it is at c + A X, where X is its place in the
/// body at rest, from the centre of mass, c where that centre is, and A a 3 x 3 matrix. A rigid
/// body is one whose A is a rotation; this one resists what A is beside that as an elastic solid
/// does.
///
/// It is a reduced object (tenon/reduced.h) of one body, and its handle one of those: its twelve
/// coordinates are c (m) and A row by row, its speeds their rates, read and set by the functions of
/// reduced objects, and destroyed by theirs: the body then goes on as a rigid one. The body itself
/// is read as any other: its rotation is the one nearest to A, its mass and inertia are those at
/// rest, its energy and momenta are those of the affine motion. A joint holds points of the
/// material, and turns with that rotation; the points and directions of a function joint's graph
/// (tenon/graph.h) are those of the material, c + A X and A l. Shapes touch as they are deformed,
/// spheres as ellipsoids, and contacts hold points of the material; of a body that is crushed flat
/// or turned inside out they see principal stretches of 1/20 to 20. The body's linear damping slows
/// c, its angular damping all of A: turning and straining alike. What reduced bodies refuse, affine
/// ones refuse (WRONG_TYPE).
///
/// Thread rule and errors as in tenon/base.h.
#ifndef TENON_AFFINE_H
#define TENON_AFFINE_H

#include "tenon/base.h"
#include "tenon/reduced.h"

TN_EXTERN_C_BEGIN

#define TN_AFFINE_FREEDOMS 12

/// What of it stays as large as it is at rest, whatever strains it.
typedef enum tn_affine_kept {
    TN_AFFINE_KEPT_NOTHING = 0,
    TN_AFFINE_KEPT_VOLUME, ///< det A = 1
    TN_AFFINE_KEPT_AREA,   ///< of every section across the body's z axis: for sheets
} tn_affine_kept;

typedef struct tn_affine_def {
    tn_body_id body; ///< dynamic, in no other object, with its shapes
    /// Pa, of its material. Range >= 0, finite. Default 1e5, a soft rubber
    double youngs_modulus;
    double poisson_ratio; ///< Range 0 to less than 0.5. Default 0.3
    /// s: a rate of strain resists as this times it does. Range >= 0, finite. Default 0
    double viscosity;
    /// m^3: what the elastic energy is summed over. Range >= 0, finite. Default 0: its shapes'
    double volume;
    tn_affine_kept kept; ///< exactly. Default TN_AFFINE_KEPT_NOTHING
} tn_affine_def;

TN_API tn_affine_def tn_affine_def_default(void);
/// Makes the body an affine one, as it is: A is its rotation, and its speeds go on. Its contacts
/// end and begin anew. Errors: those of tn_reduced_create; INVALID_ARGUMENT and NOT_FINITE for
/// numbers out of range or a body without shapes and volume, INVALID_MASS for a body that is flat:
/// returns null.
TN_API tn_reduced_id tn_affine_create(tn_world *world, const tn_affine_def *def);
/// Is it a live reduced object of this kind?
TN_API bool tn_affine_is_valid(const tn_world *world, tn_reduced_id affine);
/// As it was made, with its volume filled in. Errors: INVALID_ID, WRONG_TYPE.
TN_API tn_affine_def tn_affine_get_def(const tn_world *world, tn_reduced_id affine);
/// Pa, of its Poisson's ratio and s. Wakes the body. Errors: INVALID_ID, WRONG_TYPE,
/// INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_affine_set_material(tn_world *world, tn_reduced_id affine,
                                        double youngs_modulus, double poisson_ratio,
                                        double viscosity);
/// Where a point of the material is now, that at rest is at `local` of the body's frame. m
TN_API tn_vec3 tn_affine_get_point(const tn_world *world, tn_reduced_id affine, tn_vec3 local);
/// J, of stretch and shear.
TN_API double tn_affine_get_elastic_energy(const tn_world *world, tn_reduced_id affine);

TN_EXTERN_C_END

#endif
