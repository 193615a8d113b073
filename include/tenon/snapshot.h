/// tenon/snapshot.h: a world's state as bytes, to go back to or to go on from.
///
/// A snapshot has everything that decides how the world goes on: bodies, shapes and their hulls,
/// joints, contacts with what they remember, sleep, the settings and the time. A world that loads
/// it goes on bit for bit as the one that was saved, on any platform. The bytes are of this form:
/// the kind of data, a version and a checksum, and every field in a fixed order, little-endian.
///
/// Not in a snapshot: meshes, height fields and compounds, callbacks, graphs, curves, profiles, and
/// the events of the last step. A world that loads keeps its own. So load into the world that was
/// saved, which may have gone on since, or into one that was built by the same calls. Bodies,
/// joints and convex shapes that are gone from it are made again under their handles, and those
/// that came since are destroyed. These must be there still, under their handles, or the world
/// refuses the snapshot (UNKNOWN_OBJECT): forces; reduced and affine bodies, and the hulls of the
/// latter; six-axis, custom, cam, curve, surface, motion path, function and rope joints; shapes of
/// meshes, height fields and compounds.
///
/// A shape keeps its hull if that is equal to the saved one. Otherwise it takes an equal one that
/// another shape of the world uses. If there is none, the world makes one, which takes its memory
/// from the functions of the world's definition: they must serve for as long as the hull is used.
#ifndef TENON_SNAPSHOT_H
#define TENON_SNAPSHOT_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// Writes the world's state into the caller's memory, unless that is null or too small. Returns how
/// many bytes it takes; 0 during a step or for a null world. Pointers of the user's (user_data) are
/// saved as they are.
TN_API uint64_t tn_world_save(const tn_world *world, void *out_memory, uint64_t capacity);
/// Takes on a state that was saved. The events of the last step are empty afterwards. If it does
/// not return OK the world is as it was. Errors: FOREIGN_DATA, NEWER_DATA, DAMAGED_DATA,
/// UNKNOWN_OBJECT, OUT_OF_MEMORY, INVALID_ARGUMENT (null memory), WORLD_LOCKED. The checksum finds
/// accidents; do not load bytes from strangers.
TN_API tn_result tn_world_load(tn_world *world, const void *memory, uint64_t size);

TN_EXTERN_C_END

#endif
