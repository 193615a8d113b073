// world/step/events.c: publishes what happened in a step as flat sorted arrays.
//
// Nothing here may fail while a step runs: room is reserved before it starts. Contacts also end
// between steps (a body is destroyed). These ends wait in pending_ends for the next publication,
// and their room was reserved when the contact was created. A body's sleep is not an event at once
// either: it is noted, and reported at the end of the step if its state differs from the last
// report.
// Test: tests/world/step/test_events.c
#include <string.h>

#include "world/bodies.h"
#include "world/contacts.h"
#include "world/parts.h"
#include "world/records/convert.h"
#include "world/step/step_internal.h"

// The lists that are sorted in parallel, and the number of events from which a second worker pays.
#define EVENTS_LISTS        3u
#define EVENTS_LEAST_SHARED 100u

// ---- room -------------------------------------------------------------------------------------

// Grows one list so that it holds `needed` elements. Is false without memory.
#define EVENTS_GROW(world, array, count, capacity, needed)                                         \
    events_grow_list(world, &(world)->events.array, (world)->events.count,                         \
                     &(world)->events.capacity, (needed), sizeof *(world)->events.array)

// `slot` is the address of the list's pointer, which has any type and is therefore copied.
static bool events_grow_list(tn_world *world, void *slot, uint32_t count, uint32_t *capacity,
                             uint32_t needed, size_t element_size) {
    if (needed <= *capacity) {
        return true;
    }
    void *array;
    memcpy(&array, slot, sizeof array);
    array = tni_array_grow(&world->allocator, array, count, capacity, needed, element_size);
    if (!array) {
        return false;
    }
    memcpy(slot, &array, sizeof array);
    return true;
}

// A contact ends at most once before publication, which swaps pending_ends and ends: both need
// room.
bool tni_events_reserve_end(tn_world *world) {
    uint32_t needed = world->events.pending_end_count + world->contact_pool.live_count + 1;
    return EVENTS_GROW(world, pending_ends, pending_end_count, pending_end_capacity, needed) &&
           EVENTS_GROW(world, ends, end_count, end_capacity, needed);
}

// Reserves less than one hit for each contact: nine of ten contacts in a heap are only near.
bool tni_events_reserve_hits(tn_world *world, uint32_t needed) {
    return EVENTS_GROW(world, hits, hit_count, hit_capacity, needed);
}

bool tni_events_reserve(tn_world *world) {
    uint32_t contacts = world->contact_pool.live_count;
    uint32_t bodies = world->body_pool.live_count;
    return tni_events_reserve_end(world) &&
           EVENTS_GROW(world, persists, persist_count, persist_capacity,
                       world->has_persists ? contacts : 0) &&
           EVENTS_GROW(world, begins, begin_count, begin_capacity, contacts) &&
           EVENTS_GROW(world, joint_breaks, joint_break_count, joint_break_capacity,
                       world->joint_pool.live_count) &&
           EVENTS_GROW(world, joint_limits, joint_limit_count, joint_limit_capacity,
                       world->limit_event_joints) &&
           EVENTS_GROW(world, moves, move_count, move_capacity, bodies) &&
           EVENTS_GROW(world, sleeps, sleep_count, sleep_capacity, bodies) &&
           EVENTS_GROW(world, sort_keys, move_count, sort_key_capacity, bodies) &&
           EVENTS_GROW(world, sort_scratch, move_count, sort_scratch_capacity, bodies);
}

void tni_events_clear(tn_world *world) {
    tni_event_lists *events = &world->events;
    events->begin_count = 0;
    events->end_count = 0;
    events->hit_count = 0;
    events->joint_break_count = 0;
    events->joint_limit_count = 0;
    events->move_count = 0;
    events->sleep_count = 0;
    events->persist_count = 0;
    events->sensor_begin_count = 0;
    events->sensor_end_count = 0;
}

bool tni_events_reserve_sensors(tn_world *world, uint32_t begins, uint32_t ends) {
    return EVENTS_GROW(world, sensor_begins, sensor_begin_count, sensor_begin_capacity, begins) &&
           EVENTS_GROW(world, sensor_ends, sensor_end_count, sensor_end_capacity, ends);
}

// ---- adding -----------------------------------------------------------------------------------

static tn_contact_event events_describe(const tn_world *world, const tni_contact *contact) {
    tn_contact_event event = {{tni_shape_at(world, contact->shape_a)->handle},
                              {tni_shape_at(world, contact->shape_b)->handle},
                              {contact->handle}};
    return event;
}

void tni_events_add_begin(tn_world *world, const tni_contact *contact) {
    tni_event_lists *events = &world->events;
    if (contact->has_part && !world->features.parts->count_touch(world, contact, true)) {
        return;
    }
    TN_ASSERT(events->begin_count < events->begin_capacity);
    events->begins[events->begin_count] = events_describe(world, contact);
    events->begin_count += 1;
}

void tni_events_add_end(tn_world *world, const tni_contact *contact) {
    tni_event_lists *events = &world->events;
    if (contact->has_part && !world->features.parts->count_touch(world, contact, false)) {
        return;
    }
    TN_ASSERT(events->pending_end_count < events->pending_end_capacity);
    events->pending_ends[events->pending_end_count] = events_describe(world, contact);
    events->pending_end_count += 1;
}

void tni_events_add_hit(tn_world *world, const tn_hit_event *event) {
    tni_event_lists *events = &world->events;
    TN_ASSERT(events->hit_count < events->hit_capacity);
    events->hits[events->hit_count] = *event;
    events->hit_count += 1;
}

void tni_events_add_joint_break(tn_world *world, const tn_joint_break_event *event) {
    tni_event_lists *events = &world->events;
    TN_ASSERT(events->joint_break_count < events->joint_break_capacity);
    events->joint_breaks[events->joint_break_count] = *event;
    events->joint_break_count += 1;
}

void tni_events_note_sleep(tn_world *world, uint32_t index) {
    tni_index_list *notes = &world->events.sleep_notes;
    tni_body *body = tni_body_at(world, index);
    if (body->sleep_note != TNI_NONE) {
        return;
    }
    TN_ASSERT(notes->count < notes->capacity);
    body->sleep_note = notes->count;
    notes->items[notes->count] = index;
    notes->count += 1;
}

void tni_events_forget_body(tn_world *world, uint32_t index) {
    tni_index_list *notes = &world->events.sleep_notes;
    tni_body *body = tni_body_at(world, index);
    if (body->sleep_note == TNI_NONE) {
        return;
    }
    notes->count -= 1;
    uint32_t last = notes->items[notes->count];
    notes->items[body->sleep_note] = last;
    tni_body_at(world, last)->sleep_note = body->sleep_note;
    body->sleep_note = TNI_NONE;
}

// ---- contacts that last -----------------------------------------------------------------------

static bool events_wants_persist(const tn_world *world, const tni_contact *contact) {
    return contact->is_touching && contact->was_touching && !contact->is_disabled &&
           (tni_shape_at(world, contact->shape_a)->has_persist_events ||
            tni_shape_at(world, contact->shape_b)->has_persist_events);
}

static tn_persist_event events_describe_persist(const tn_world *world, const tni_contact *contact) {
    const tni_manifold *manifold = &contact->manifold;
    double impulse = tni_contact_get_impulse(contact);
    vec3s middle = maths_vec3_zero();
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        double share = impulse > 0.0 ? (double)contact->step_impulses[p] / impulse
                                     : 1.0 / (double)manifold->point_count;
        middle = maths_vec3_add_scaled(middle, (float)share, manifold->points[p].position);
    }
    tni_dvec3 point = dvec3_add(contact->origin, dvec3_from_float(middle));
    return (tn_persist_event){.shape_a = {tni_shape_at(world, contact->shape_a)->handle},
                              .shape_b = {tni_shape_at(world, contact->shape_b)->handle},
                              .contact = {contact->handle},
                              .point = dvec3_to_plain(point),
                              .normal = convert_from_float(manifold->normal),
                              .impulse = (float)impulse};
}

void tni_events_gather_persists(tn_world *world) {
    tni_event_lists *events = &world->events;
    for (uint32_t i = 0; i < world->awake_contacts.count && world->has_persists; ++i) {
        const tni_contact *contact = tni_contact_at(world, world->awake_contacts.items[i].contact);
        if (events_wants_persist(world, contact)) {
            TN_ASSERT(events->persist_count < events->persist_capacity);
            events->persists[events->persist_count++] = events_describe_persist(world, contact);
        }
    }
}

// ---- sorting ----------------------------------------------------------------------------------

typedef uint64_t (*events_key_fn)(const void *event);

static uint64_t events_pair_key(tn_shape_id a, tn_shape_id b) {
    return (uint64_t)(a.value & TNI_POOL_INDEX_MASK) << 32 | (b.value & TNI_POOL_INDEX_MASK);
}

static uint64_t events_contact_key(const void *event) {
    const tn_contact_event *contact = event;
    return events_pair_key(contact->shape_a, contact->shape_b);
}

static uint64_t events_hit_key(const void *event) {
    const tn_hit_event *hit = event;
    return events_pair_key(hit->shape_a, hit->shape_b);
}

static uint64_t events_persist_key(const void *event) {
    const tn_persist_event *persist = event;
    return events_pair_key(persist->shape_a, persist->shape_b);
}

static uint64_t events_break_key(const void *event) {
    const tn_joint_break_event *joint_break = event;
    return joint_break->joint.value & TNI_POOL_INDEX_MASK;
}

static uint64_t events_limit_key(const void *event) {
    const tn_joint_limit_event *limit = event;
    return limit->joint.value & TNI_POOL_INDEX_MASK;
}

static void events_swap(uint8_t *a, uint8_t *b, size_t size) {
    uint8_t copy[sizeof(tn_hit_event) > sizeof(tn_joint_break_event)
                     ? sizeof(tn_hit_event)
                     : sizeof(tn_joint_break_event)];
    TN_ASSERT(size <= sizeof copy);
    memcpy(copy, a, size);
    memcpy(a, b, size);
    memcpy(b, copy, size);
}

static void events_sift_down(uint8_t *array, uint32_t root, uint32_t count, size_t size,
                             events_key_fn get_key) {
    for (uint32_t child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        uint8_t *larger = array + child * size;
        if (child + 1 < count && get_key(larger) < get_key(larger + size)) {
            child += 1;
            larger += size;
        }
        if (get_key(larger) <= get_key(array + root * size)) {
            return;
        }
        events_swap(array + root * size, larger, size);
    }
}

// Sorts in place by heap sort (J. Williams, 1964), because nothing may allocate here. The lists are
// short: a lasting contact makes no event.
static void events_sort(void *events, uint32_t count, size_t size, events_key_fn get_key) {
    uint8_t *array = events;
    for (uint32_t i = count / 2; i-- > 0;) {
        events_sift_down(array, i, count, size, get_key);
    }
    for (uint32_t last = count; last > 1;) {
        last -= 1;
        events_swap(array, array + last * size, size);
        events_sift_down(array, 0, last, size, get_key);
    }
}

// ---- publication ------------------------------------------------------------------------------

static void events_publish_ends(tn_world *world) {
    tni_event_lists *events = &world->events;
    tn_contact_event *array = events->ends;
    uint32_t capacity = events->end_capacity;
    events->ends = events->pending_ends;
    events->end_capacity = events->pending_end_capacity;
    events->end_count = events->pending_end_count;
    events->pending_ends = array;
    events->pending_end_capacity = capacity;
    events->pending_end_count = 0;
    for (uint32_t i = 0; i < events->end_count; ++i) {
        tn_contact_event *end = &events->ends[i];
        if (tni_pool_find(&world->contact_pool, end->contact.value) == TNI_POOL_NONE) {
            end->contact.value = 0;
        }
    }
}

static bool events_fell_asleep(const tni_body *body) {
    return body->was_awake && body->awake_index == TNI_NONE && body->is_enabled &&
           body->type != TN_BODY_TYPE_STATIC;
}

static bool events_is_moving(const tni_body *body) {
    if (body->type == TN_BODY_TYPE_DYNAMIC) {
        return true;
    }
    tni_dvec3 v = body->velocity, w = body->angular_velocity;
    bool is_still =
        v.x == 0.0 && v.y == 0.0 && v.z == 0.0 && w.x == 0.0 && w.y == 0.0 && w.z == 0.0;
    return !is_still || body->met_target;
}

static tn_body_move_event events_describe_move(const tni_body *body) {
    return (tn_body_move_event){.body = {body->handle},
                                .pose = tni_body_get_frame(body),
                                .user_data = body->user_data,
                                .fell_asleep = events_fell_asleep(body)};
}

// Writes the same member by member. A body whose frame is at its centre of mass needs no rotation.
static void events_write_move(const tni_body *body, tn_body_move_event *move) {
    tni_dvec3 center = body->local_center;
    if (center.x != 0.0 || center.y != 0.0 || center.z != 0.0) {
        *move = events_describe_move(body);
        return;
    }
    move->body.value = body->handle;
    move->pose = convert_to_pose(body->position, body->rotation);
    move->user_data = body->user_data;
    move->fell_asleep = events_fell_asleep(body);
}

static void events_add_move(tn_world *world, const tni_body *body) {
    world->events.moves[world->events.move_count++] = events_describe_move(body);
}

// Gathers the bodies whose moves are reported, as sorted keys. Returns how many.
static uint32_t events_gather_moves(tn_world *world) {
    uint64_t *keys = world->events.sort_keys;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->awake_bodies.count; ++i) {
        uint32_t index = world->awake_bodies.items[i];
        if (events_is_moving(tni_body_at(world, index))) {
            keys[count++] = index;
        }
    }
    for (uint32_t i = 0; i < world->events.sleep_notes.count; ++i) {
        uint32_t index = world->events.sleep_notes.items[i];
        if (events_fell_asleep(tni_body_at(world, index))) {
            keys[count++] = index;
        }
    }
    TN_ASSERT(count <= world->events.move_capacity);
    tni_sort_u64(keys, world->events.sort_scratch, count);
    return count;
}

// Returns an array that says by place in the list of awake bodies whether the body does not move.
static uint8_t *events_get_still(const tn_world *world) {
    return (uint8_t *)world->events.sort_keys;
}

bool tni_events_are_in_order(const tn_world *world) {
    const tni_index_list *awake = &world->awake_bodies;
    bool is_in_order = world->events.sleep_notes.count == 0;
    for (uint32_t i = 1; i < awake->count; ++i) {
        is_in_order &= awake->items[i - 1] < awake->items[i];
    }
    return is_in_order;
}

void tni_events_write_move(const tn_world *world, const tni_body *body) {
    uint32_t place = body->awake_index;
    events_get_still(world)[place] = !events_is_moving(body);
    events_write_move(body, &world->events.moves[place]);
}

static void events_leave_out_still(tni_event_lists *events, const uint8_t *is_still,
                                   uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (is_still[i] == 0) {
            events->moves[events->move_count++] = events->moves[i];
        }
    }
}

// Publishes the moves that the pass over the bodies wrote.
static void events_publish_written(tn_world *world) {
    tni_event_lists *events = &world->events;
    uint32_t count = world->awake_bodies.count;
    const uint8_t *is_still = events_get_still(world);
    if (count > 0 && memchr(is_still, 1, count) != NULL) {
        events_leave_out_still(events, is_still, count);
    } else {
        events->move_count = count;
    }
}

static void events_publish_moves(tn_world *world, bool has_moves) {
    world->events.move_count = 0;
    if (has_moves && world->events.sleep_notes.count == 0) {
        events_publish_written(world);
        return;
    }
    uint32_t count = events_gather_moves(world);
    for (uint32_t i = 0; i < count; ++i) {
        events_add_move(world, tni_body_at(world, (uint32_t)world->events.sort_keys[i]));
    }
}

static void events_publish_sleeps(tn_world *world) {
    tni_event_lists *events = &world->events;
    tni_index_list *notes = &events->sleep_notes;
    for (uint32_t i = 0; i < notes->count; ++i) {
        events->sort_keys[i] = notes->items[i];
        tni_body_at(world, notes->items[i])->sleep_note = TNI_NONE;
    }
    tni_sort_u64(events->sort_keys, events->sort_scratch, notes->count);
    for (uint32_t i = 0; i < notes->count; ++i) {
        tni_body *body = tni_body_at(world, (uint32_t)events->sort_keys[i]);
        bool is_awake = body->awake_index != TNI_NONE;
        if (is_awake != body->was_awake) {
            events->sleeps[events->sleep_count] = (tn_sleep_event){{body->handle}, is_awake};
            events->sleep_count += 1;
        }
        body->was_awake = is_awake;
    }
    notes->count = 0;
}

// Sorts the lists from `first` to before `last`. (Moves and sleeps are in order already.)
static void events_sort_lists(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_event_lists *events = context;
    for (uint32_t list = first; list < last; ++list) {
        if (list == 0) {
            events_sort(events->begins, events->begin_count, sizeof *events->begins,
                        events_contact_key);
            events_sort(events->joint_breaks, events->joint_break_count,
                        sizeof *events->joint_breaks, events_break_key);
            events_sort(events->joint_limits, events->joint_limit_count,
                        sizeof *events->joint_limits, events_limit_key);
        } else if (list == 1) {
            events_sort(events->ends, events->end_count, sizeof *events->ends, events_contact_key);
            events_sort(events->persists, events->persist_count, sizeof *events->persists,
                        events_persist_key);
        } else {
            events_sort(events->hits, events->hit_count, sizeof *events->hits, events_hit_key);
        }
    }
}

void tni_events_publish(tn_world *world, bool has_moves) {
    tni_event_lists *events = &world->events;
    events_publish_ends(world);
    events_publish_moves(world, has_moves);
    events_publish_sleeps(world);
    bool are_many =
        events->begin_count + events->end_count + events->hit_count >= EVENTS_LEAST_SHARED;
    tni_tasks_run(&world->tasks, events_sort_lists, EVENTS_LISTS, are_many ? 1 : EVENTS_LISTS,
                  events);
}

tn_events tn_world_get_events(const tn_world *world) {
    if (!world) {
        return (tn_events){0};
    }
    const tni_event_lists *lists = &world->events;
    tn_events events = {
        .begins = lists->begins,
        .ends = lists->ends,
        .hits = lists->hits,
        .joint_breaks = lists->joint_breaks,
        .joint_limits = lists->joint_limits,
        .moves = lists->moves,
        .sleeps = lists->sleeps,
        .begin_count = lists->begin_count,
        .end_count = lists->end_count,
        .hit_count = lists->hit_count,
        .joint_break_count = lists->joint_break_count,
        .joint_limit_count = lists->joint_limit_count,
        .move_count = lists->move_count,
        .sleep_count = lists->sleep_count,
        .persists = lists->persists,
        .persist_count = lists->persist_count,
        .sensor_begins = lists->sensor_begins,
        .sensor_ends = lists->sensor_ends,
        .sensor_begin_count = lists->sensor_begin_count,
        .sensor_end_count = lists->sensor_end_count,
    };
    return events;
}

void tni_pose_write(const tn_pose *pose, tn_vec3 origin, float *out_pose) {
    out_pose[0] = maths_to_float(pose->position.x - origin.x);
    out_pose[1] = maths_to_float(pose->position.y - origin.y);
    out_pose[2] = maths_to_float(pose->position.z - origin.z);
    out_pose[3] = maths_to_float(pose->rotation.x);
    out_pose[4] = maths_to_float(pose->rotation.y);
    out_pose[5] = maths_to_float(pose->rotation.z);
    out_pose[6] = maths_to_float(pose->rotation.w);
}

uint32_t tn_world_get_moved_poses(const tn_world *world, tn_vec3 origin, float *out_poses,
                                  tn_body_id *out_bodies, uint32_t capacity) {
    uint32_t count = world ? world->events.move_count : 0;
    tni_float_environment host = tni_float_environment_enter();
    for (uint32_t i = 0; i < count && i < capacity; ++i) {
        const tn_body_move_event *move = &world->events.moves[i];
        if (out_poses) {
            tni_pose_write(&move->pose, origin, out_poses + 7 * (size_t)i);
        }
        if (out_bodies) {
            out_bodies[i] = move->body;
        }
    }
    tni_float_environment_leave(host);
    return count;
}
