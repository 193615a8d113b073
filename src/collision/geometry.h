// collision/geometry.h: the shapes that collide, as plain geometry in a body's local frame.
#ifndef TNI_COLLISION_GEOMETRY_H
#define TNI_COLLISION_GEOMETRY_H

#include "core/lanes.h"
#include "core/maths.h"
#include "core/memory/alloc.h"

typedef enum tni_geometry_type {
    TNI_GEOMETRY_SPHERE,
    TNI_GEOMETRY_CAPSULE,
    TNI_GEOMETRY_BOX,
    TNI_GEOMETRY_HULL,
    TNI_GEOMETRY_CYLINDER,
    TNI_GEOMETRY_TAPERED_CAPSULE,
    TNI_GEOMETRY_ELLIPSOID,
    TNI_GEOMETRY_HALF_SPACE,
    TNI_GEOMETRY_CONVEX_COUNT,
    TNI_GEOMETRY_MESH = TNI_GEOMETRY_CONVEX_COUNT,
    TNI_GEOMETRY_HEIGHT_FIELD,
    TNI_GEOMETRY_COMPOUND
} tni_geometry_type;

typedef struct tni_plane {
    vec3s normal;
    float offset; // points with dot(normal, p) <= offset are inside
} tni_plane;

// A half edge runs along its face counter-clockwise seen from outside. The twin runs the other way
// and is always stored next to it: twin = index ^ 1.
typedef struct tni_half_edge {
    uint16_t next;   // along the same face
    uint16_t origin; // vertex
    uint16_t face;
} tni_half_edge;

// A hull is a convex polyhedron. Coplanar triangles are merged into faces. It has at most
// TNI_HULL_MAX_VERTICES corners.
#define TNI_HULL_MAX_VERTICES 255
typedef struct tni_hull {
    uint32_t vertex_count, half_edge_count, face_count;
    uint32_t lane_count; // vertices, and the first once more up to a multiple of four
    vec3s *vertices;
    float *lanes;           // x of all of them, then y, then z
    vec3s *edge_directions; // unit, one per pair of half edges (index half_edge / 2)
    tni_half_edge *half_edges;
    uint16_t *face_edges;   // some half edge of each face
    uint16_t *vertex_edges; // some half edge that leaves each vertex
    tni_plane *planes;      // one per face
    vec3s center;           // centroid of the volume
    vec3s lower, upper;     // local bounds
    float inner_radius;     // distance from center to the nearest face
    float ball_radius;      // of a ball around center that it holds: 0 for a triangle
    uint32_t sides;         // 0, or of a triangle: see collision/concave/triangle.h
    float volume;           // m^3
    tni_dmat3 unit_inertia; // about the centroid, per kg, local axes
    size_t byte_size;       // of the one block that holds the hull and its arrays
} tni_hull;

typedef struct tni_geometry {
    tni_geometry_type type;
    vec3s position; // of the geometry's own frame in the body's frame
    versors rotation;
    union {
        struct {
            float radius;
        } sphere; // about the frame's origin
        struct {
            float half_length, radius;
        } capsule; // segment along the frame's y axis, from -half_length to +half_length
        struct {
            vec3s half_extents;
        } box;
        struct {
            const tni_hull *hull;
        } hull;
        // The caps are discs at y = -half_length and y = +half_length of the frame. One of the
        // radii may be 0: a cone.
        struct {
            float half_length, radius_bottom, radius_top;
        } cylinder;
        // This is the convex hull of two balls, about y = -half_length and y = +half_length of the
        // frame. Neither ball holds the other.
        struct {
            float half_length, radius_bottom, radius_top;
        } tapered_capsule;
        struct {
            vec3s radii; // half axes along the frame's axes
        } ellipsoid;
        struct {
            int unused;
        } half_space; // the frame's y axis is the outward normal; the solid is y <= 0
        const struct tni_concave *concave; // of a mesh, a height field or a compound
    };
    // m: a ball of this radius goes round all of the above. Spheres and capsules of both kinds have
    // it in their radii, and 0 here; so has a half-space.
    float rounding;
    // This is the map of a sphere or a capsule that an affine body has deformed, else null:
    // collision/stretch.h.
    const struct tni_stretch *stretch;
} tni_geometry;

// These are volume (m^3), centroid (body frame) and inertia per kg about the centroid (body axes).
// A half-space has zero volume.
typedef struct tni_mass_properties {
    double volume;
    tni_dvec3 center;
    tni_dmat3 unit_inertia;
} tni_mass_properties;

tni_mass_properties tni_geometry_mass_properties(const tni_geometry *geometry);

// m: no number of a geometry is greater, so that no product of two overflows.
#define TNI_GEOMETRY_FARTHEST 1e9f

// Returns how far the geometry reaches from a point of the body's frame: the radius of the sphere
// around `point` that holds it. It is infinite for a half-space.
float tni_geometry_reach(const tni_geometry *geometry, vec3s point);

// Returns the radius of the largest ball about its middle that the geometry holds, m. A half-space
// has FLT_MAX.
float tni_geometry_inner_radius(const tni_geometry *geometry);
// Returns the centroid of a convex geometry in its own frame, m. That of a tapered capsule is that
// of the frustum between its balls; a half-space has that frame's origin.
vec3s tni_geometry_get_centroid(const tni_geometry *geometry);

// Returns how far the geometry reaches along a direction of its own frame, from that frame's
// origin: m times the direction's length. It is not for shapes that an affine body stretches; for a
// half-space it is only for the outward direction.
float tni_geometry_extent(const tni_geometry *geometry, vec3s direction);

// Is it a ball or a capsule: a point or a segment with a radius?
static inline bool tni_geometry_is_round(const tni_geometry *geometry) {
    return geometry->type == TNI_GEOMETRY_SPHERE || geometry->type == TNI_GEOMETRY_CAPSULE;
}

// Returns the radius of a round surface about its core, m: the rounding of others, and 0 for shapes
// that an affine body stretches.
static inline float tni_geometry_roundness(const tni_geometry *geometry) {
    if (geometry->stretch != NULL) {
        return 0.0f;
    }
    return geometry->type == TNI_GEOMETRY_SPHERE    ? geometry->sphere.radius
           : geometry->type == TNI_GEOMETRY_CAPSULE ? geometry->capsule.radius
                                                    : geometry->rounding;
}

// May it have a rounding of its own, beside its radii?
static inline bool tni_geometry_has_rounding(const tni_geometry *geometry) {
    return geometry->type == TNI_GEOMETRY_BOX || geometry->type == TNI_GEOMETRY_HULL ||
           geometry->type == TNI_GEOMETRY_CYLINDER || geometry->type == TNI_GEOMETRY_ELLIPSOID;
}

// Is it a cylinder or a capsule with two radii?
static inline bool tni_geometry_is_revolution(const tni_geometry *geometry) {
    return geometry->type == TNI_GEOMETRY_CYLINDER ||
           geometry->type == TNI_GEOMETRY_TAPERED_CAPSULE;
}

// Is it round about an axis, along which it may lie?
static inline bool tni_geometry_may_lie(const tni_geometry *geometry) {
    return (geometry->type == TNI_GEOMETRY_CAPSULE && geometry->stretch == NULL) ||
           tni_geometry_is_revolution(geometry);
}

// Is it one of the shapes that collision/manifold/manifold_convex.c is for?
static inline bool tni_geometry_is_curved(const tni_geometry *geometry) {
    return tni_geometry_is_revolution(geometry) || geometry->type == TNI_GEOMETRY_ELLIPSOID;
}

// Adds a rounding to a geometry without one: round shapes have it in their radii.
static inline void tni_geometry_round(tni_geometry *geometry, float rounding) {
    switch (geometry->type) {
    case TNI_GEOMETRY_SPHERE:
        geometry->sphere.radius += rounding;
        break;
    case TNI_GEOMETRY_CAPSULE:
        geometry->capsule.radius += rounding;
        break;
    case TNI_GEOMETRY_TAPERED_CAPSULE:
        geometry->tapered_capsule.radius_bottom += rounding;
        geometry->tapered_capsule.radius_top += rounding;
        break;
    default:
        geometry->rounding = rounding;
        break;
    }
}

// Is it many children, each of which collides by itself (collision/concave/concave.h)?
static inline bool tni_geometry_is_concave(tni_geometry_type type) {
    return type >= TNI_GEOMETRY_MESH;
}

// Is it a triangle, which has a surface and no inside?
static inline bool tni_geometry_is_triangle(const tni_geometry *geometry) {
    return geometry->type == TNI_GEOMETRY_HULL && geometry->hull.hull->sides != 0;
}
// Does it roll over edges? Other shapes slide over them.
static inline bool tni_geometry_may_roll(const tni_geometry *geometry) {
    return tni_geometry_is_round(geometry) || tni_geometry_is_curved(geometry);
}

// Returns how far the place that touches a plane is from the point about which it goes round, m:
// the radius of curvature, in the direction in which a turn `spin` moves the place. `outward` is
// the unit normal of the plane, out of the shape; both are in the geometry's own frame.
// With `is_line` a cylinder or a capsule touches along its side: the place is the line's middle.
float tni_geometry_get_roll_radius(const tni_geometry *geometry, vec3s outward, vec3s spin,
                                   bool is_line);

static inline bool tni_geometry_is_polyhedron(const tni_geometry *geometry) {
    return geometry->type == TNI_GEOMETRY_BOX || geometry->type == TNI_GEOMETRY_HULL;
}
// Has it sharp edges, so that it meets others of its kind along one of finitely many axes?
static inline bool tni_geometry_is_sharp(const tni_geometry *geometry) {
    return tni_geometry_is_polyhedron(geometry) && geometry->rounding == 0.0f;
}

// ---- bounds --------------------------------------------------------------------------------

// Bounds are in float, rounded outward, so that they enclose the shape at its double pose even 1000
// km out.
typedef struct tni_bounds {
    vec3s lower, upper;
} tni_bounds;

tni_bounds tni_bounds_round(tni_dvec3 lower, tni_dvec3 upper);
// Returns the bounds with so much more on each side.
static inline tni_bounds tni_bounds_widen(const tni_bounds *bounds, tni_dvec3 by) {
    return tni_bounds_round(dvec3_sub(dvec3_from_float(bounds->lower), by),
                            dvec3_add(dvec3_from_float(bounds->upper), by));
}
// Returns the bounds. `pose` is that of the body's frame. A half-space gives all of space (-FLT_MAX
// to FLT_MAX).
tni_bounds tni_geometry_bounds(const tni_geometry *geometry, const tni_dpose *pose);

// The corners of bounds stand in the first three lanes.
typedef struct tni_bounds_lanes {
    tni_f4 lower, upper;
} tni_bounds_lanes;

static inline tni_bounds_lanes bounds_load(const tni_bounds *bounds) {
    const float *numbers = (const float *)bounds; // six in a row
    tni_bounds_lanes lanes = {f4_load(numbers), f4_rotate(f4_load(numbers + 2))};
    return lanes;
}

// Returns whether bounds overlap. All sides are compared at once: no processor predicts which side
// parts two boxes.
static inline bool bounds_overlap(const tni_bounds_lanes *a, const tni_bounds_lanes *b) {
    tni_m4 overlaps = m4_and(f4_at_most(a->lower, b->upper), f4_at_most(b->lower, a->upper));
    return (m4_bits(overlaps) & 7u) == 7u;
}

static inline tni_bounds tni_bounds_everywhere(void) {
    return (tni_bounds){maths_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX),
                        maths_vec3(FLT_MAX, FLT_MAX, FLT_MAX)};
}

static inline bool tni_bounds_overlap(const tni_bounds *a, const tni_bounds *b) {
    tni_bounds_lanes lanes_a = bounds_load(a), lanes_b = bounds_load(b);
    return bounds_overlap(&lanes_a, &lanes_b);
}

static inline bool tni_bounds_contain(const tni_bounds *outer, const tni_bounds *inner) {
    tni_bounds_lanes o = bounds_load(outer), i = bounds_load(inner);
    tni_m4 is_within = m4_and(f4_at_most(o.lower, i.lower), f4_at_most(i.upper, o.upper));
    return (m4_bits(is_within) & 7u) == 7u;
}

#endif
