// collision/narrow.h: the files of the narrow phase share these: relative frames, features,
// helpers.
//
// Every family of pairs fills the manifold in the axes and about the origin of a's own frame;
// manifold.c turns it to the pair's axes and undoes a swap of the two shapes.
#ifndef TNI_COLLISION_NARROW_H
#define TNI_COLLISION_NARROW_H

#include "collision/hull.h"
#include "collision/manifold/manifold.h"

// ---- relative frames -----------------------------------------------------------------------

// A rotation is given by its columns: the axes of one frame seen from another.
typedef struct tni_basis {
    vec3s x, y, z;
} tni_basis;

// This is the frame of b seen from a.
typedef struct tni_relative {
    tni_basis basis;
    vec3s position;
} tni_relative;

static inline tni_basis basis_from_quat(versors q) {
    float x = q.raw[0], y = q.raw[1], z = q.raw[2], w = q.raw[3];
    float xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    float wx = w * x, wy = w * y, wz = w * z;
    tni_basis b;
    b.x = maths_vec3(1.0f - 2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy));
    b.y = maths_vec3(2.0f * (xy - wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + wx));
    b.z = maths_vec3(2.0f * (xz + wy), 2.0f * (yz - wx), 1.0f - 2.0f * (xx + yy));
    return b;
}

static inline float narrow_dot(vec3s a, vec3s b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3s basis_mul(const tni_basis *b, vec3s v) {
    return maths_vec3(b->x.x * v.x + b->y.x * v.y + b->z.x * v.z,
                      b->x.y * v.x + b->y.y * v.y + b->z.y * v.z,
                      b->x.z * v.x + b->y.z * v.y + b->z.z * v.z);
}

static inline vec3s basis_mul_transposed(const tni_basis *b, vec3s v) {
    return maths_vec3(narrow_dot(b->x, v), narrow_dot(b->y, v), narrow_dot(b->z, v));
}

// Do the same in double.
static inline tni_dvec3 basis_mul_d(const tni_basis *b, tni_dvec3 v) {
    tni_dvec3 out = dvec3_scale(dvec3_from_float(b->x), v.x);
    out = dvec3_add_scaled(out, v.y, dvec3_from_float(b->y));
    return dvec3_add_scaled(out, v.z, dvec3_from_float(b->z));
}

static inline tni_dvec3 basis_mul_transposed_d(const tni_basis *b, tni_dvec3 v) {
    return dvec3_make(dvec3_dot(dvec3_from_float(b->x), v), dvec3_dot(dvec3_from_float(b->y), v),
                      dvec3_dot(dvec3_from_float(b->z), v));
}

static inline vec3s relative_point(const tni_relative *r, vec3s p) {
    return glms_vec3_add(basis_mul(&r->basis, p), r->position);
}

static inline vec3s relative_point_inverse(const tni_relative *r, vec3s p) {
    return basis_mul_transposed(&r->basis, glms_vec3_sub(p, r->position));
}

// Returns the frame of a seen from b.
static inline tni_relative relative_invert(const tni_relative *r) {
    tni_relative i;
    i.basis.x = maths_vec3(r->basis.x.x, r->basis.y.x, r->basis.z.x);
    i.basis.y = maths_vec3(r->basis.x.y, r->basis.y.y, r->basis.z.y);
    i.basis.z = maths_vec3(r->basis.x.z, r->basis.y.z, r->basis.z.z);
    i.position = glms_vec3_negate(basis_mul(&i.basis, r->position));
    return i;
}

// Turns a manifold given in b's frame to a's; the normal's sense is left alone.
static inline void relative_manifold(const tni_relative *r, tni_manifold *manifold) {
    manifold->normal = basis_mul(&r->basis, manifold->normal);
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        manifold->points[i].position = relative_point(r, manifold->points[i].position);
    }
}

// ---- features ------------------------------------------------------------------------------

// Returns the feature of a corner. A contact point is named by the parts that made it, not by how
// it was found: a corner of a, a corner of b, or an edge of a across an edge of b. So the name
// outlives a change of the reference face, of the incident face, and of the kind of axis. Kinds
// start at 1: a feature is never 0.
static inline uint32_t feature_of_vertex(bool is_a, uint32_t vertex) {
    return (is_a ? 1u << 24 : 2u << 24) | vertex;
}

static inline uint32_t feature_of_edges(uint32_t edge_a, uint32_t edge_b) {
    return 3u << 24 | edge_a << 12 | edge_b;
}

// Returns the feature of a round shape's point: the end of a capsule, or the only point there is.
static inline uint32_t feature_of_other(uint32_t number) {
    return TNI_FEATURE_OF_OTHER << 24 | number;
}

// ---- tolerances ----------------------------------------------------------------------------

// Returns by how much another axis must be better before the manifold leaves the one that it has,
// and an edge axis better than a face: a fiftieth of the thinner shape's inner radius, 2 mm at
// most. m
static inline float narrow_axis_tolerance(float inner_radius_a, float inner_radius_b) {
    return maths_min(0.02f * maths_min(inner_radius_a, inner_radius_b), 2e-3f);
}

// Returns the distance by which a corner may lie outside of the reference face's side and still
// count as inside: a two-hundredth of the inner radius, 1 mm at most. Without it equal boxes in a
// stack gain and lose points by round-off.
static inline float narrow_clip_tolerance(float inner_radius_a, float inner_radius_b) {
    return maths_min(0.005f * maths_min(inner_radius_a, inner_radius_b), 1e-3f);
}

// Sines below this give no axis: the cross product is mostly round-off.
#define NARROW_PARALLEL_SINE2 1e-4f

// ---- the cache -----------------------------------------------------------------------------

enum {
    NARROW_AXIS_NONE,
    NARROW_AXIS_FACE_A,
    NARROW_AXIS_FACE_B,
    NARROW_AXIS_EDGES,
    NARROW_AXIS_FREE
};

static inline void narrow_cache_set(tni_manifold_cache *cache, uint32_t kind, uint32_t index_a,
                                    uint32_t index_b) {
    cache->axis_kind = (uint16_t)kind;
    cache->index_a = (uint16_t)index_a;
    cache->index_b = (uint16_t)index_b;
}

// Notes a separating axis that belongs to no feature, in a's frame, on the unfolded octahedron
// (Meyer et al., "On Floating-Point Normal Vectors", 2010) with 16 bits a side.
static inline void narrow_cache_set_free(tni_manifold_cache *cache, vec3s n) {
    float sum = fabsf(n.x) + fabsf(n.y) + fabsf(n.z);
    float inverse = maths_inverse_or_zero(sum);
    float u = n.x * inverse, v = n.y * inverse;
    if (n.z < 0.0f) {
        float folded = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        v = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
        u = folded;
    }
    narrow_cache_set(cache, NARROW_AXIS_FREE, (uint32_t)(32767.0f * (u + 1.0f)),
                     (uint32_t)(32767.0f * (v + 1.0f)));
}

static inline vec3s narrow_cache_free(const tni_manifold_cache *cache) {
    float u = (float)cache->index_a / 32767.0f - 1.0f;
    float v = (float)cache->index_b / 32767.0f - 1.0f;
    vec3s n = maths_vec3(u, v, 1.0f - fabsf(u) - fabsf(v));
    if (n.z < 0.0f) {
        n.x = (1.0f - fabsf(v)) * (u < 0.0f ? -1.0f : 1.0f);
        n.y = (1.0f - fabsf(u)) * (v < 0.0f ? -1.0f : 1.0f);
    }
    return maths_vec3_normalize_or(n, maths_vec3(0.0f, 1.0f, 0.0f));
}

// ---- edges ---------------------------------------------------------------------------------

// An edge is given as a segment: its middle, unit direction and half length.
typedef struct narrow_segment {
    vec3s middle, direction;
    float half_length;
} narrow_segment;

// gap.c: adds the point where two edges cross, one of a and one of b; the normal goes from a to b.
// The separation is measured along the normal. Returns false when the closest points of the two
// lines lie off the edges by more than the tolerance.
bool tni_collide_edges(const narrow_segment *a, const narrow_segment *b, vec3s normal,
                       float tolerance, uint32_t feature, tni_manifold *manifold);

// ---- the parts -----------------------------------------------------------------------------

// clip.c: keeps at most four of the points, spread out, the deepest (within a millimetre) first.
void tni_manifold_reduce(const tni_manifold_point *points, uint32_t count, vec3s normal,
                         tni_manifold *manifold);

// clip.c: clips the face of `incident` that meets the reference face to the sides of this one.
// `relative` is the incident hull seen from the reference hull; `support` is its corner farthest
// against the face. It fills normal (outward from the reference hull) and points, in the reference
// hull's frame.
void tni_clip_faces(const tni_hull *reference, uint32_t face, const tni_hull *incident,
                    uint32_t support, const tni_relative *relative, bool reference_is_a,
                    float margin, tni_manifold *manifold);

// manifold_stretched.c: makes the manifold where at least one of the shapes is stretched.
void tni_manifold_compute_stretched(const tni_geometry *a, const tni_frame *frame_a,
                                    const tni_geometry *b, const tni_frame *frame_b, float margin,
                                    tni_manifold_cache *cache, tni_manifold *manifold);

// These are the families; a's type is never after b's.
void tni_collide_spheres(float radius_a, float radius_b, const tni_relative *relative, float margin,
                         tni_manifold *manifold);
void tni_collide_sphere_capsule(float radius_a, float half_length, float radius_b,
                                const tni_relative *relative, float margin, tni_manifold *manifold);
void tni_collide_capsules(const tni_geometry *a, const tni_geometry *b,
                          const tni_relative *relative, float margin, tni_manifold *manifold);
void tni_collide_sphere_box(float radius, vec3s half_extents, const tni_relative *relative,
                            float margin, tni_manifold *manifold);
void tni_collide_sphere_hull(float radius, const tni_hull *hull, const tni_relative *relative,
                             float margin, tni_manifold *manifold);
void tni_collide_capsule_hull(float half_length, float radius, const tni_hull *hull,
                              const tni_relative *relative, float margin, tni_manifold *manifold);
// manifold_convex.c: at least one of the shapes is a cylinder, a tapered capsule or an ellipsoid.
// It is made with the roundings; the others leave them out.
void tni_collide_convex(const tni_geometry *a, const tni_geometry *b, const tni_relative *relative,
                        float margin, tni_manifold_cache *cache, tni_manifold *manifold);
void tni_collide_half_space(const tni_geometry *a, const tni_frame *frame_a,
                            const tni_frame *frame_b, float margin, tni_manifold *manifold);
void tni_collide_hulls(const tni_hull *a, const tni_hull *b, const tni_relative *relative,
                       float margin, tni_manifold_cache *cache, tni_manifold *manifold);

// gap.c: finds the one closest pair of points of two hulls that are apart, by GJK. Returns false
// when they overlap or are farther apart than the margin; then *out_axis is a separating axis or
// zero.
bool tni_collide_gap(const tni_hull *a, const tni_hull *b, const tni_relative *relative,
                     float margin, vec3s *out_axis, tni_manifold *manifold);

#endif
