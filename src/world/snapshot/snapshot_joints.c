// world/snapshot/snapshot_joints.c: the records of joints.
//
// A snapshot does not hold a joint's graph, curve, profile, path or callback: the world that loads
// it has the joint, with all that. It holds the numbers in them that change
// (snapshot_joint_defs.c).
// Test: tests/world/snapshot/test_snapshot.c
#include "joints/functions/function_joint.h"
#include "joints/kind.h"
#include "solver/step/choice.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/snapshot/snapshot.h"
#include "world/snapshot/snapshot_joint.h"

TNI_KERNEL void joints_visit_frames(tni_stream *s, tni_joint *joint) {
    stream_dvec3(s, &joint->frame_a.position);
    stream_dquat(s, &joint->frame_a.rotation);
    stream_dvec3(s, &joint->frame_b.position);
    stream_dquat(s, &joint->frame_b.rotation);
    stream_f64s(s, joint->vectors_a.origin_x, 6);
    stream_f64s(s, joint->vectors_a.y_z, 6);
    stream_f64s(s, joint->vectors_b.origin_x, 6);
    stream_f64s(s, joint->vectors_b.y_z, 6);
}

// Before this version only motors drove limits.
#define JOINTS_DRIVES_VERSION 3u

TNI_KERNEL void joints_visit_links(tni_stream *s, tni_joint *joint) {
    for (int e = 0; e < 2; ++e) {
        stream_u32(s, &joint->edges[e].previous);
        stream_u32(s, &joint->edges[e].next);
    }
    stream_u32(s, &joint->awake_index);
    stream_bool(s, &joint->is_disabled);
    stream_u32(s, &joint->limits.lower);
    stream_u32(s, &joint->limits.upper);
    stream_u64(s, &joint->row_kinds);
    stream_u32(s, &joint->rows.rows);
    stream_u32(s, &joint->rows.equalities);
    stream_u32(s, &joint->rows.point_rows);
    stream_u32(s, &joint->rows.lengths);
    stream_bool(s, &joint->has_limits);
    stream_bool(s, &joint->has_motors);
    if (s->mode != TNI_STREAM_LOADS || s->version >= JOINTS_DRIVES_VERSION) {
        stream_bool(s, &joint->drives_limits);
    } else {
        joint->drives_limits = joint->has_motors;
    }
}

TNI_KERNEL void joints_visit_choice(tni_stream *s, tni_joint *joint) {
    stream_u32(s, &joint->exact_pause);
    stream_u32(s, &joint->exact_hold);
    stream_u32(s, &joint->alternation);
    stream_u8(s, &joint->choice);
    stream_u8(s, &joint->choice_reason);
    stream_bool(s, &joint->needs_more);
    stream_bool(s, &joint->is_strained);
    stream_bool(s, &joint->starts_cold);
    stream_bool(s, &joint->is_opposed);
    stream_f32(s, &joint->open_time);
    stream_f64(s, &joint->open_error);
    stream_f64(s, &joint->gain);
    stream_f64(s, &joint->gain_scale);
    stream_f32(s, &joint->yield);
    stream_bool(s, &joint->presses);
    stream_bool(s, &joint->whips);
    stream_bool(s, &joint->goes_with_reduced);
    stream_u32(s, &joint->choice_group);
    stream_u64(s, &joint->work_signature);
    stream_f64(s, &joint->work);
}

TNI_KERNEL void joints_visit_memory(tni_stream *s, tni_joint *joint) {
    tni_joint_memory *memory = &joint->memory;
    for (int k = 0; k < 2; ++k) {
        stream_i64(s, &memory->turns[k].count);
        stream_f64(s, &memory->turns[k].rest);
        stream_f64(s, &memory->turns[k].ahead);
        stream_dvec3(s, &memory->directions[k]);
    }
    stream_f64s(s, memory->starts, 2);
    stream_f64(s, &memory->phase);
    stream_i64(s, &memory->tooth);
    tni_joint_bearing *bearing = &joint->bearing;
    stream_f64s(s, bearing->mean, TNI_LOAD_NUMBERS);
    stream_f64s(s, bearing->since, TNI_LOAD_NUMBERS);
}

TNI_KERNEL void joints_visit_results(tni_stream *s, tni_joint *joint) {
    stream_f32s(s, joint->impulses, TNI_JOINT_MAX_ROWS);
    stream_vec3(s, &joint->reaction_force);
    stream_vec3(s, &joint->reaction_torque);
    stream_f32s(s, joint->motor_efforts, TNI_JOINT_MAX_VALUES);
    stream_f64(s, &joint->motor_work);
    stream_f64(s, &joint->linear_error);
    stream_f64(s, &joint->angular_error);
    stream_u32(s, &joint->dependent_rows);
    stream_f64(s, &joint->linear_rest);
    stream_f64(s, &joint->angular_rest);
}

// Visits all of a record but its definition; the type comes before it.
TNI_KERNEL void joints_visit(tni_stream *s, void *record) {
    tni_joint *joint = record;
    stream_u32(s, &joint->handle);
    stream_u32(s, &joint->body_a);
    stream_u32(s, &joint->body_b);
    joints_visit_frames(s, joint);
    joints_visit_links(s, joint);
    joints_visit_choice(s, joint);
    joints_visit_memory(s, joint);
    joints_visit_results(s, joint);
}

static uint32_t joints_get_end(uint32_t key) {
    return key != TNI_NONE ? key >> 1 : key;
}

static bool joints_are_sound(const tni_snapshot *snapshot, uint32_t index, const tni_joint *joint) {
    bool is_linked = true;
    for (int e = 0; e < 2; ++e) {
        is_linked =
            is_linked &&
            tni_snapshot_names(snapshot, TNI_SNAPSHOT_JOINTS,
                               joints_get_end(joint->edges[e].previous)) &&
            tni_snapshot_names(snapshot, TNI_SNAPSHOT_JOINTS, joints_get_end(joint->edges[e].next));
    }
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_JOINTS];
    return is_linked && joint->handle == tni_pool_handle(pool, index) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_BODIES, joint->body_a) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_BODIES, joint->body_b) &&
           joint->rows.rows <= TNI_JOINT_MAX_ROWS && joint->body_a != joint->body_b &&
           joint->choice <= TNI_CHOICE_CG && joint->choice_reason <= TN_MECHANISM_REASON_FAILED &&
           (joint->awake_index == TNI_NONE || joint->awake_index < pool->live_count);
}

// Returns the world's joint at this index if it is the one of the snapshot, or null.
static const tni_joint *joints_find_own(tni_snapshot *snapshot, uint32_t index, int type) {
    bool is_there = tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_JOINTS, index);
    const tni_joint *own = is_there ? tni_joint_at(snapshot->world, index) : NULL;
    return own != NULL && own->type == (tn_joint_type)type ? own : NULL;
}

static void joints_save(tni_snapshot *snapshot, uint32_t index) {
    tni_stream *s = &snapshot->stream;
    tni_joint copy = *tni_joint_at(snapshot->world, index);
    stream_choice(s, (int)copy.type, TN_JOINT_TYPE_BELT);
    tni_joint_plan_read(snapshot->world, &copy);
    tni_stream_record(s, &copy, joints_visit);
    tni_snapshot_visit_def(s, &copy);
}

// A joint has the rows that follow from its definition.
static bool joints_have_their_rows(const tni_joint *joint) {
    tni_row_count count = tni_joint_count_rows(joint);
    return count.rows == joint->rows.rows && count.equalities == joint->rows.equalities &&
           count.point_rows == joint->rows.point_rows && count.lengths == joint->rows.lengths;
}

// Reads the definition. What lies beside the record is read into scratch memory; what the world's
// joint has there is the record's afterwards. Notes what a list goes by in the links.
static void joints_read_def(tni_stream *s, tni_joint *record, const tni_joint *own,
                            tni_snapshot_link *link) {
    tni_snapshot_apart apart;
    if (own != NULL) {
        record->kind = own->kind;
        record->def = own->def;
        tni_snapshot_copy_apart(record, &apart);
    }
    tni_snapshot_visit_def(s, record);
    if (!s->is_other && !s->is_damaged) {
        tni_stream_expect(s,
                          tni_snapshot_def_is_sound(record, own) && joints_have_their_rows(record));
    }
    if (own != NULL && tni_joint_is_function(record) && !tni_joint_is_tie(record)) {
        link->places[TNI_SNAPSHOT_MADE] = record->def.function.apart->place;
        link->is_span = record->def.function.apart->is_span;
    }
    if (own != NULL) {
        record->def = own->def;
    }
}

// Reads a record, and what the check notes of its definition.
static void joints_read(tni_snapshot *snapshot, uint32_t index, tni_joint *record,
                        tni_snapshot_link *link) {
    tni_stream *s = &snapshot->stream;
    int type = stream_choice(s, 0, TN_JOINT_TYPE_BELT);
    const tni_joint *own = joints_find_own(snapshot, index, type);
    tni_stream_record(s, record, joints_visit);
    if (!tni_stream_expect(s, joints_are_sound(snapshot, index, record))) {
        return;
    }
    record->type = (tn_joint_type)type;
    record->kind = tni_snapshot_find_kind(record->type);
    if (own == NULL && record->kind == NULL) {
        s->is_other = true;
        return;
    }
    joints_read_def(s, record, record->kind == NULL ? own : NULL, link);
}

void tni_snapshot_read_joints(tni_snapshot *snapshot, tni_snapshot_joint_fn take, void *context) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_JOINTS];
    snapshot->stream.at = snapshot->sections_at[TNI_SNAPSHOT_JOINT_SECTION];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (tni_pool_handle(pool, i) != 0) {
            tni_joint saved = {.handle = 0};
            tni_snapshot_link link;
            joints_read(snapshot, i, &saved, &link);
            take(context, i, &saved);
        }
    }
}

static void joints_check(tni_snapshot *snapshot, uint32_t index) {
    tni_joint record = {.handle = 0};
    tni_snapshot_link link = {.places = {[TNI_SNAPSHOT_MADE] = TNI_NONE}};
    joints_read(snapshot, index, &record, &link);
    bool is_function = link.places[TNI_SNAPSHOT_MADE] != TNI_NONE;
    snapshot->links.items[TNI_SNAPSHOT_JOINTS][index] = (tni_snapshot_link){
        .bodies = {record.body_a, record.body_b},
        .previous = {record.edges[0].previous, record.edges[1].previous},
        .next = {record.edges[0].next, record.edges[1].next},
        .places = {[TNI_SNAPSHOT_AWAKE] = record.awake_index,
                   [TNI_SNAPSHOT_MADE] = link.places[TNI_SNAPSHOT_MADE]},
        .is_span = is_function && link.is_span,
    };
}

// Frees what a joint has beside its record.
static void joints_drop(tn_world *world, uint32_t index) {
    tni_joint_def_drop(world, tni_joint_at(world, index));
    tni_function_drop(world, tni_joint_at(world, index));
}

static void joints_load(tni_snapshot *snapshot, uint32_t index) {
    tni_stream *s = &snapshot->stream;
    tni_joint *joint = tni_joint_at(snapshot->world, index);
    int type = stream_choice(s, 0, TN_JOINT_TYPE_BELT);
    if (joints_find_own(snapshot, index, type) == NULL) {
        if (tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_JOINTS, index)) {
            joints_drop(snapshot->world, index); // its handle was given twice, as a shape's may be
        }
        memset(joint, 0, sizeof *joint);
        joint->type = (tn_joint_type)type;
        joint->kind = tni_snapshot_find_kind(joint->type);
    }
    joint->lane = TNI_NONE;
    tni_stream_record(s, joint, joints_visit);
    tni_snapshot_visit_def(s, joint);
}

bool tni_snapshot_visit_joints(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_JOINTS];
    for (uint32_t i = 0; i < pool->slot_count && !s->is_damaged && !s->is_other; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        if (!tni_stream_is_reading(s)) {
            joints_save(snapshot, i);
        } else if (snapshot->checks) {
            joints_check(snapshot, i);
        } else {
            joints_load(snapshot, i);
        }
    }
    tni_allocator *allocator = &world->allocator;
    return !snapshot->checks ||
           (tni_joints_make_room(world, pool->slot_count) &&
            tni_index_list_reserve(allocator, &world->awake_joints, pool->live_count) &&
            tni_index_list_reserve(allocator, &world->function_joints, pool->live_count));
}

// Frees what joints have beside their records that the snapshot does not have.
void tni_snapshot_drop_joints(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) != 0 &&
            !tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_JOINTS, i)) {
            joints_drop(world, i);
        }
    }
}
