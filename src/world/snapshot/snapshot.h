// world/snapshot/snapshot.h: a world's state as bytes.
//
// Each record has one function that visits its fields, in both directions (core/stream.h). Loading
// goes over the bytes twice: first it only checks them, and makes room; then it writes, and nothing
// can fail any more.
//
// Kept apart from the state: meshes, height fields and compounds, graphs, curves and profiles, and
// the callbacks. Objects that have some keep it: the world that loads has such an object under the
// same handle. Not kept either: what the next step makes anew (the plan about joints, the order of
// contacts, quads of trees) and the events of the last step.
#ifndef TNI_WORLD_SNAPSHOT_SNAPSHOT_H
#define TNI_WORLD_SNAPSHOT_SNAPSHOT_H

#include "core/stream.h"
#include "world/world.h"

// The version of the bytes. A change of what is visited raises it.
#define TNI_SNAPSHOT_VERSION 4u

// The settings and numbers of a world beside its objects.
typedef struct tni_snapshot_numbers {
    tn_world_def def;
    double time, inverse_dt, previous_h;
    uint64_t step_count, change_count, known_changes;
    tni_ledger ledger;
    uint32_t contact_sweeps, parts_across, limit_event_joints, tie_count;
    bool is_quiet, has_notes, has_max_speeds, is_choice_stale, has_adopted, has_space_keys;
    bool has_new_keys, has_persists, has_driven, has_set_drives, mixes_materials;
} tni_snapshot_numbers;

typedef enum tni_snapshot_kind {
    TNI_SNAPSHOT_BODIES,
    TNI_SNAPSHOT_SHAPES,
    TNI_SNAPSHOT_CONTACTS,
    TNI_SNAPSHOT_JOINTS,
    TNI_SNAPSHOT_FORCES,
    TNI_SNAPSHOT_REDUCED,
    TNI_SNAPSHOT_KINDS,
} tni_snapshot_kind;

// The lists in which an object says where it stands.
typedef enum tni_snapshot_place {
    TNI_SNAPSHOT_AWAKE,  // bodies, contacts, joints
    TNI_SNAPSHOT_NOTED,  // bodies: that they fell asleep
    TNI_SNAPSHOT_MOVED,  // shapes
    TNI_SNAPSHOT_PLANE,  // half-spaces
    TNI_SNAPSHOT_SENSED, // half-spaces that are sensors
    TNI_SNAPSHOT_SENSOR, // shapes
    TNI_SNAPSHOT_MADE,   // forces, reduced objects, function joints without their ties
    TNI_SNAPSHOT_PLACES,
} tni_snapshot_place;

// The links of a record, and the places in lists that it names.
typedef struct tni_snapshot_link {
    uint32_t bodies[2]; // of a shape, a contact or a joint; of a part its parent and child
    // A body has its first shape, contact, joint and force here, a contact its shapes, a concave
    // shape its first part.
    uint32_t heads[4];
    uint32_t sizes[3];    // of the first three of a body; of a part its contacts
    uint32_t previous[2]; // by end, or of a part
    uint32_t next[2];     // likewise; of a shape the next one, of a body that sleeps likewise
    uint32_t places[TNI_SNAPSHOT_PLACES];
    uint32_t mover; // of a body: the reduced object that has it
    bool is_followed;
    bool is_part, is_listed, is_spare; // in the lists of all parts, and of free ones
    bool is_static;                    // a body
    bool is_sensor, has_leaf;          // a shape; a tree has it
    bool is_area;                      // likewise, until its numbers are met
    bool is_concave, is_deformed;      // likewise
    bool has_part;                     // a contact
    bool is_span;                      // a function joint
} tni_snapshot_link;

// The end of a force.
typedef struct tni_snapshot_end {
    uint32_t body, previous, next;
} tni_snapshot_end;

typedef struct tni_snapshot_links {
    tni_snapshot_link *items[TNI_SNAPSHOT_KINDS]; // by kind and index
    uint32_t counts[TNI_SNAPSHOT_KINDS];
    tni_snapshot_end *ends; // by key
    uint32_t end_count;
} tni_snapshot_links;

// The hulls of shapes, by their numbers: see snapshot_hulls.c.
#define TNI_SNAPSHOT_RECENT 32u
typedef struct tni_snapshot_hulls {
    const tni_hull *recent[TNI_SNAPSHOT_RECENT]; // while saving: by number, the last ones
    tni_shared_hull **items;                     // while loading, each with a user of its own
    uint32_t count;                              // in this pass so far
    uint32_t checked, capacity;                  // of the items
    bool lacks_memory;
} tni_snapshot_hulls;

// The parts of the bytes that a load of some bodies reads once more.
typedef enum tni_snapshot_section {
    TNI_SNAPSHOT_BODY_SECTION = 2,
    TNI_SNAPSHOT_CONTACT_SECTION = 5,
    TNI_SNAPSHOT_JOINT_SECTION = 6,
    TNI_SNAPSHOT_SECTIONS = 9,
} tni_snapshot_section;

// A load keeps these between its two passes.
typedef struct tni_snapshot {
    tn_world *world;
    tni_stream stream;
    bool checks; // the first pass, which changes no record
    tni_snapshot_numbers numbers;
    tni_pool pools[TNI_SNAPSHOT_KINDS]; // of the snapshot, in memory of their own until the end
    tni_snapshot_hulls hulls;
    tni_snapshot_links links; // of the check
    // Parts that the world does not have, in memory that the check allocates.
    struct tni_part **spare_parts;
    uint32_t needed_parts, spare_count, spare_capacity;
    uint32_t exception_count;                    // pairs that may not touch
    uint64_t sections_at[TNI_SNAPSHOT_SECTIONS]; // where the check found them
    unsigned char *states;                       // of mechanisms, in memory of their own
    uint64_t states_size;
} tni_snapshot;

// Does what tn_world_save does, and says where the states of mechanisms begin: they are the end of
// the bytes, but for the checksum.
uint64_t tni_snapshot_save(const tn_world *world, void *out_memory, uint64_t capacity,
                           uint64_t *out_states_at);

// Opens bytes and checks them for a world, which they may then be read into. The snapshot is freed
// whatever it returns.
tn_result tni_snapshot_open(tni_snapshot *snapshot, tn_world *world, const void *memory,
                            uint64_t size);
void tni_snapshot_free(tni_snapshot *snapshot);

// The world's pool of a kind.
tni_pool *tni_snapshot_get_pool(tn_world *world, uint32_t kind);
// Returns whether an index names an object of the snapshot, or is TNI_NONE.
static inline bool tni_snapshot_names(const tni_snapshot *snapshot, uint32_t kind, uint32_t index) {
    return index == TNI_NONE || tni_pool_handle(&snapshot->pools[kind], index) != 0;
}
// Returns whether the world now has the object that stands at this index in the snapshot.
static inline bool tni_snapshot_is_there(tni_snapshot *snapshot, uint32_t kind, uint32_t index) {
    uint32_t handle = tni_pool_handle(&snapshot->pools[kind], index);
    return handle != 0 &&
           tni_pool_handle(tni_snapshot_get_pool(snapshot->world, kind), index) == handle;
}

// Each visits one section: it writes it, or checks it, or reads it. They return false without
// memory, which only a check may be; what is wrong with the bytes stands in the stream.
bool tni_snapshot_visit_numbers(tni_snapshot *snapshot);
bool tni_snapshot_visit_pools(tni_snapshot *snapshot);
bool tni_snapshot_visit_bodies(tni_snapshot *snapshot);
bool tni_snapshot_visit_shapes(tni_snapshot *snapshot);
bool tni_snapshot_visit_trees(tni_snapshot *snapshot);
bool tni_snapshot_visit_contacts(tni_snapshot *snapshot);
bool tni_snapshot_visit_joints(tni_snapshot *snapshot);
bool tni_snapshot_visit_movers(tni_snapshot *snapshot);
bool tni_snapshot_visit_lists(tni_snapshot *snapshot);

// These read the records of bytes that were checked into scratch memory, and hand them over.
typedef void (*tni_snapshot_body_fn)(void *context, uint32_t index, const tni_body *saved);
typedef void (*tni_snapshot_contact_fn)(void *context, uint32_t index, const tni_contact *saved);
typedef void (*tni_snapshot_joint_fn)(void *context, uint32_t index, const tni_joint *saved);
void tni_snapshot_read_bodies(tni_snapshot *snapshot, tni_snapshot_body_fn take, void *context);
void tni_snapshot_read_contacts(tni_snapshot *snapshot, tni_snapshot_contact_fn take,
                                void *context);
void tni_snapshot_read_joints(tni_snapshot *snapshot, tni_snapshot_joint_fn take, void *context);

// The check fills in the links, and then asks whether they are sound (OK, DAMAGED_DATA, or
// OUT_OF_MEMORY), whether an object stands at a place of a list, and how many objects say that they
// stand in it.
bool tni_snapshot_reserve_links(tni_snapshot *snapshot);
void tni_snapshot_free_links(tni_snapshot *snapshot);
tn_result tni_snapshot_check_links(tni_snapshot *snapshot);
bool tni_snapshot_is_place(const tni_snapshot *snapshot, uint32_t kind, uint32_t index,
                           tni_snapshot_place place, uint32_t at);
uint32_t tni_snapshot_count_parts(const tni_snapshot *snapshot, bool are_free);
uint32_t tni_snapshot_count_places(const tni_snapshot *snapshot, uint32_t kind,
                                   tni_snapshot_place place);

// These are for the hull of one shape. The check returns null after damage, or without memory; the
// shape that loads the hull becomes its user.
void tni_snapshot_save_hull(tni_snapshot *snapshot, const tni_hull *hull);
const tni_hull *tni_snapshot_check_hull(tni_snapshot *snapshot, uint32_t shape);
tni_shared_hull *tni_snapshot_load_hull(tni_snapshot *snapshot);
void tni_snapshot_free_hulls(tni_snapshot *snapshot);

// These take objects out of the world that the snapshot does not have, before records are written.
void tni_snapshot_drop_shapes(tni_snapshot *snapshot);
void tni_snapshot_drop_joints(tni_snapshot *snapshot);
void tni_snapshot_drop_movers(tni_snapshot *snapshot);
// These bring what is not saved in line with the records that were written.
void tni_snapshot_finish_shapes(tni_snapshot *snapshot);
void tni_snapshot_finish_lists(tni_snapshot *snapshot);
// Frees the parts that no load has taken.
void tni_snapshot_free_parts(tni_snapshot *snapshot);

#endif
