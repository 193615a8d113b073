/// tenon/affine.h: makes elastic bodies that stretch and shear as a whole.
///
/// An affine body has 12 freedoms: every point of it is at c + A X, where X is its place from the
/// centre of mass in the body at rest, c is the centre of mass now, and A is a 3 x 3 matrix. In a
/// rigid body A is a rotation; an affine body resists the rest of A as an elastic solid does.
///
/// It is a reduced object (tenon/reduced.h) of one body, with a handle of that kind. Its
/// coordinates are c (m) and A row by row, and its speeds are their rates. The functions of reduced
/// objects read, set and destroy it; after that the body goes on as a rigid one. The body is read
/// as any other: its rotation is the one nearest to A, its mass and inertia are those at rest, its
/// energy and momenta are those of the affine motion. A joint holds points of the material, and
/// turns with that rotation; the points and directions of a function joint's graph (tenon/graph.h)
/// are c + A X and A l. Shapes touch as they are deformed, spheres as ellipsoids, and contacts hold
/// points of the material; if the body is crushed flat or turned inside out, its shapes have
/// principal stretches of 1/20 to 20. Linear damping slows c, and angular damping slows all of A,
/// turning and straining alike. Affine bodies refuse what reduced bodies refuse (WRONG_TYPE).
///
/// Thread rule and errors are as in tenon/base.h.
#ifndef TENON_AFFINE_H
#define TENON_AFFINE_H

#include "tenon/base.h"
#include "tenon/reduced.h"

TN_EXTERN_C_BEGIN

#define TN_AFFINE_FREEDOMS 12

/// Chooses a size of the body that keeps its value at rest, however the body is strained.
typedef enum tn_affine_kept {
    TN_AFFINE_KEPT_NOTHING = 0,
    TN_AFFINE_KEPT_VOLUME, ///< det A = 1
    TN_AFFINE_KEPT_AREA,   ///< the area of every section across the body's z axis: for sheets
} tn_affine_kept;

typedef struct tn_affine_def {
    tn_body_id body; ///< dynamic, with shapes, in no other object
    /// Young's modulus of its material, Pa. Range >= 0, finite. Default 1e5, a soft rubber
    double youngs_modulus;
    double poisson_ratio; ///< Range 0 to less than 0.5. Default 0.3
    /// s: a rate of strain resists as a strain of this times the rate does. Range >= 0, finite.
    /// Default 0
    double viscosity;
    /// m^3: the volume with elastic energy. Range >= 0, finite. Default 0: that of its shapes
    double volume;
    tn_affine_kept kept; ///< held exactly. Default TN_AFFINE_KEPT_NOTHING
} tn_affine_def;

TN_API tn_affine_def tn_affine_def_default(void);
/// Makes the body affine as it is: A is its rotation, and it keeps its speeds. Its contacts end and
/// begin anew. Errors: those of tn_reduced_create; INVALID_ARGUMENT and NOT_FINITE for numbers out
/// of range or a body without shapes and volume, INVALID_MASS for a flat body: returns null.
TN_API tn_reduced_id tn_affine_create(tn_world *world, const tn_affine_def *def);
/// Returns whether the handle names a live affine body.
TN_API bool tn_affine_is_valid(const tn_world *world, tn_reduced_id affine);
/// Returns the definition, with the volume filled in. Errors: INVALID_ID, WRONG_TYPE.
TN_API tn_affine_def tn_affine_get_def(const tn_world *world, tn_reduced_id affine);
/// Sets Young's modulus, Pa, Poisson's ratio, and viscosity, s. Wakes the body. Errors: INVALID_ID,
/// WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_affine_set_material(tn_world *world, tn_reduced_id affine,
                                        double youngs_modulus, double poisson_ratio,
                                        double viscosity);
/// Returns where the point of the material is now, m, that is at `local` in the body's frame at
/// rest.
TN_API tn_vec3 tn_affine_get_point(const tn_world *world, tn_reduced_id affine, tn_vec3 local);
/// Returns the energy of stretch and shear, J.
TN_API double tn_affine_get_elastic_energy(const tn_world *world, tn_reduced_id affine);

TN_EXTERN_C_END

#endif
