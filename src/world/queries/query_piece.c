// world/queries/query_piece.c: the convex pieces that shapes are made of, and rays at them.
//
// Test: tests/world/queries/test_query_rays.c
#include "core/dmat3.h"
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/parts.h"
#include "world/queries/query_internal.h"

static tni_query_piece piece_make(const tn_world *world, const tni_shape *shape, uint32_t index) {
    tni_dpose frame = tni_shape_get_frame(world, shape);
    return (tni_query_piece){.shape = index,
                             .geometry = &shape->geometry,
                             .position = frame.position,
                             .rotation = frame.rotation,
                             .affine = tni_body_get_affine(world, tni_body_at(world, shape->body))};
}

tni_query_piece tni_query_get_whole(const tn_world *world, uint32_t shape) {
    return piece_make(world, tni_shape_at(world, shape), shape);
}

typedef struct piece_visit {
    const tn_world *world;
    uint32_t shape;
    tni_query_piece_fn *visit;
    void *context;
} piece_visit;

static void piece_visit_part(const tni_shape *part, void *context) {
    const piece_visit *parts = context;
    tni_query_piece piece = piece_make(parts->world, part, parts->shape);
    parts->visit(&piece, parts->context);
}

void tni_query_visit_pieces(const tn_world *world, uint32_t shape, const tni_bounds *bounds,
                            tni_query_piece_fn *visit, void *context) {
    if (tni_shape_at(world, shape)->concave != NULL) {
        piece_visit parts = {world, shape, visit, context};
        world->features.parts->visit(world, shape, bounds, piece_visit_part, &parts);
        return;
    }
    tni_query_piece piece = tni_query_get_whole(world, shape);
    visit(&piece, context);
}

void tni_query_visit_pieces_along(const tn_world *world, uint32_t shape, const tni_ray *ray,
                                  tni_dvec3 reach, const double *limit, tni_query_piece_fn *visit,
                                  void *context) {
    if (tni_shape_at(world, shape)->concave != NULL) {
        piece_visit parts = {world, shape, visit, context};
        world->features.parts->visit_along(world, shape, ray, reach, limit, piece_visit_part,
                                           &parts);
        return;
    }
    tni_query_piece piece = tni_query_get_whole(world, shape);
    visit(&piece, context);
}

// Casts the ray in the shape at rest: an affine map p = c + A X takes straight lines to straight
// lines and keeps fractions. A normal returns by the inverse transposed, which is the cofactor
// matrix up to its length and, if the body is inside out, its sign.
static bool piece_cast_affine(const tni_query_piece *piece, const tni_ray *ray, tni_ray_way way,
                              tni_ray_hit *out_hit) {
    const tni_reduced *affine = piece->affine;
    const tni_geometry *geometry = piece->geometry;
    tni_dvec3 center = affine->bodies[0].center;
    tni_dvec3 end = dvec3_add(ray->origin, ray->translation);
    tni_dvec3 from = dvec3_add(tni_affine_find_arm(affine, ray->origin), center);
    tni_dvec3 to = dvec3_add(tni_affine_find_arm(affine, end), center);
    tni_dquat turn = dquat_from_float(geometry->rotation);
    tni_dvec3 position = dvec3_from_float(geometry->position);
    tni_ray local = {dquat_rotate_inverse(turn, dvec3_sub(from, position)),
                     dquat_rotate_inverse(turn, dvec3_sub(to, from))};
    if (!tni_geometry_cast_ray(geometry, &local, way, out_hit)) {
        return false;
    }
    const tni_dmat3 *a = &affine->affine->gradient;
    tni_dmat3 cofactor = dmat3_cofactor(a);
    tni_dvec3 normal = dmat3_mul_vec(&cofactor, dquat_rotate(turn, out_hit->normal));
    double length = dvec3_length(normal);
    double sign = dmat3_determinant(a) < 0.0 ? -1.0 : 1.0;
    out_hit->normal = length > 0.0 ? dvec3_scale(normal, sign / length) : normal;
    return true;
}

bool tni_query_cast_piece(const tni_query_piece *piece, const tni_ray *ray, tni_ray_way way,
                          tni_ray_hit *out_hit) {
    if (piece->affine != NULL) {
        return piece_cast_affine(piece, ray, way, out_hit);
    }
    tni_ray local = ray_in_frame(ray, piece->position, piece->rotation);
    if (!tni_geometry_cast_ray(piece->geometry, &local, way, out_hit)) {
        return false;
    }
    out_hit->normal = dquat_rotate(piece->rotation, out_hit->normal);
    return true;
}

// The points of an affine shape are c + A (p + R X - m): X in the frame of the shape at rest, p and
// R of that frame in the body's, m the centre of mass in it.
void tni_query_place_piece(const tni_query_piece *piece, tni_placed *placed) {
    const tni_geometry *geometry = piece->geometry;
    if (piece->affine == NULL) {
        tni_placed_set(placed, geometry, piece->position, piece->rotation);
        return;
    }
    tni_dmat3 turn = dmat3_from_quat(dquat_from_float(geometry->rotation));
    tni_dmat3 map = dmat3_mul(&piece->affine->affine->gradient, &turn);
    tni_dvec3 arm =
        dvec3_sub(dvec3_from_float(geometry->position), piece->affine->bodies[0].center);
    tni_placed_set_mapped(placed, geometry, tni_affine_get_point(piece->affine, arm), &map);
}
