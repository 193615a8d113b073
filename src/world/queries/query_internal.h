// world/queries/query_internal.h: what all queries share: filters, the pieces of a shape, the walk
// through the trees, and lists of the first answers.
#ifndef TNI_WORLD_QUERIES_QUERY_INTERNAL_H
#define TNI_WORLD_QUERIES_QUERY_INTERNAL_H

#include "collision/placed.h"
#include "collision/ray.h"
#include "collision/tree.h"
#include "tenon/query.h"
#include "world/world.h"

// ---- begin and filter (query.c) -----------------------------------------------------------------

// Finds the strays unless they are known, and prepares the trees for rays unless they are; the
// first thread that asks does it for all. Returns false after a report if the world is locked or
// there is no memory, and for a null world.
bool tni_query_begin(const tn_world *world, const char *function);

// The filter of a query, or the default filter if the user gave none.
typedef struct tni_query_filter {
    tn_query_filter own;
    tn_filter bits;
} tni_query_filter;

tni_query_filter tni_query_read_filter(const tn_query_filter *filter);
bool tni_query_check_filter(const tn_world *world, const tn_query_filter *filter,
                            const char *function);
// Returns whether a shape passes all but the callback, and whether that accepts it. The callback is
// asked last, about shapes that are an answer otherwise.
bool tni_query_passes(const tn_world *world, const tni_query_filter *filter,
                      const tni_shape *shape);
bool tni_query_accepts(const tn_world *world, const tni_query_filter *filter,
                       const tni_shape *shape);

// ---- pieces (query_piece.c) ---------------------------------------------------------------------

// A piece of a shape, where it is now: a geometry in its own frame, and the place of that frame.
// The geometry of an affine body's shape is that at rest, and the body's map places it.
typedef struct tni_query_piece {
    uint32_t shape;
    const tni_geometry *geometry;
    tni_dvec3 position;
    tni_dquat rotation;
    const tni_reduced *affine; // or null
} tni_query_piece;

// Returns a shape as one piece, convex or not: for rays, which the geometry meets by itself.
tni_query_piece tni_query_get_whole(const tn_world *world, uint32_t shape);
// Calls `visit` with each convex piece of a shape that may reach into the box: the shape itself, or
// triangles of a mesh.
typedef void tni_query_piece_fn(const tni_query_piece *piece, void *context);
void tni_query_visit_pieces(const tn_world *world, uint32_t shape, const tni_bounds *bounds,
                            tni_query_piece_fn *visit, void *context);
// Does the same for the pieces that a box of half the edges `reach` may meet along a ray at no more
// than *limit, which `visit` may lower: near ones first.
void tni_query_visit_pieces_along(const tn_world *world, uint32_t shape, const tni_ray *ray,
                                  tni_dvec3 reach, const double *limit, tni_query_piece_fn *visit,
                                  void *context);
// Casts a ray in the world at a piece: as tni_geometry_cast_ray, with the normal in world axes.
bool tni_query_cast_piece(const tni_query_piece *piece, const tni_ray *ray, tni_ray_way way,
                          tni_ray_hit *out_hit);

// Places a piece for measures and casts.
void tni_query_place_piece(const tni_query_piece *piece, tni_placed *placed);

// ---- the walk (query.c) -------------------------------------------------------------------------

// Visits each shape whose box may overlap `bounds`, once: of half-spaces all that reach into it.
typedef void tni_query_shape_fn(uint32_t shape, void *context);
// Sensors are visited if the filter finds them.
void tni_query_visit_shapes(const tn_world *world, const tni_query_filter *filter,
                            const tni_bounds *bounds, tni_query_shape_fn *visit, void *context);
// Visits the shapes whose boxes a ray, or a box of half the edges `reach` along it, may enter at no
// more than the limit that the last visit returned, each once: see tni_tree_cast_ray. Returns the
// last limit.
double tni_query_visit_along(const tn_world *world, const tni_query_filter *filter,
                             const tni_ray *ray, tni_dvec3 reach, tni_tree_cast_fn visit,
                             void *context);
// Does the same for shapes whose boxes are no farther from `bounds` than the limit, m.
double tni_query_visit_near(const tn_world *world, const tni_query_filter *filter,
                            const tni_bounds *bounds, double limit, tni_tree_cast_fn visit,
                            void *context);

// ---- lists of answers (query_list.c) ------------------------------------------------------------

// Keeps the first `capacity` answers of all that are added, in the caller's array.
typedef int tni_query_compare_fn(const void *a, const void *b);
typedef struct tni_query_list {
    char *items;              // a heap, with the last on top
    size_t size;              // of one
    uint32_t capacity, count; // count: added, even beyond the capacity
    tni_query_compare_fn *compare;
} tni_query_list;

void tni_query_list_add(tni_query_list *list, const void *item);
// Returns the answer that comes last of those kept, or null while there is room for more.
const void *tni_query_list_get_last(const tni_query_list *list);
// Puts the answers that were kept in order. Returns how many were added.
uint32_t tni_query_list_sort(tni_query_list *list);

// ---- batches (query_batch.c) --------------------------------------------------------------------

// A batch answers query `index` by its function. Queries that begin near each other come one after
// the other, for they look at the same boxes: `get_line` returns where a query begins and, for one
// that moves, where it ends.
typedef struct tni_query_batch {
    void (*answer)(const void *context, uint32_t index);
    void (*get_line)(const void *context, uint32_t index, tni_dvec3 out_ends[2]);
    const void *context;
    uint32_t count, piece; // queries, and those in one piece of a loop
} tni_query_batch;

// Runs a batch on the world's workers, unless another thread uses them.
void tni_query_run_batch(const tn_world *world, const tni_query_batch *batch);

#endif
