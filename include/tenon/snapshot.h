/// tenon/snapshot.h: a world's state as bytes, to go back to or to go on from.
///
/// A snapshot has everything that decides how the world goes on: bodies, shapes and their hulls,
/// joints, contacts with what they remember, sleep, the settings and the time. A world that loads
/// it goes on bit for bit as the one that was saved, on any platform. The bytes are of this form:
/// the kind of data, a version and a checksum, and every field in a fixed order, little-endian.
///
/// Not in a snapshot: meshes, height fields and compounds, callbacks, graphs, curves, profiles, the
/// world's own user_data, and the events of the last step. A world that loads keeps its own. So
/// load into the world that was saved, which may have gone on since, or into one that was built by
/// the same calls. Bodies, joints and convex shapes that are gone from it are made again under
/// their handles, and those that came since are destroyed. These must be there still, under their
/// handles, or the world refuses the snapshot (UNKNOWN_OBJECT): forces; reduced and affine bodies,
/// and the hulls of the latter; six-axis, custom, cam, curve, surface, motion path, function and
/// rope joints; shapes of meshes, height fields and compounds.
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
/// Takes on the state that these bodies had, and leaves the others as they are: poses, velocities,
/// forces applied since a step, and sleep. Joints and touching contacts whose bodies all come back,
/// or are static, begin with the impulses that they had then, and joints with the turns that they
/// had counted. Settings, shapes and masses stay as they are now. A body that was saved awake
/// wakes, with what it touches and is tied to, and with what stands where it comes to stand. One
/// that slept sleeps, unless it touches or is tied to something that does not, or a force acts on
/// it. The bytes are those of tn_world_save, and must be such as tn_world_load takes in this world.
/// A body may stand in the list more than once. Effect: deterministic, but unlike a world that
/// loads everything this one may go on otherwise than the one that was saved. If it does not return
/// OK the world is as it was. Thread: not during a step. Errors: those of tn_world_load; INVALID_ID
/// (a body is not in the world), UNKNOWN_OBJECT (it is not in the bytes), WRONG_TYPE (it was of
/// another type, or coordinates move it), INVALID_ARGUMENT (null list).
TN_API tn_result tn_world_load_bodies(tn_world *world, const void *memory, uint64_t size,
                                      const tn_body_id *bodies, uint32_t count);

TN_EXTERN_C_END

#endif
