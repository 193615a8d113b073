// world/snapshot/snapshot_bodies.c: the records of bodies.
// Test: tests/world/snapshot/test_snapshot.c
#include "world/bodies.h"
#include "world/snapshot/snapshot.h"

TNI_KERNEL void bodies_visit_inertia(tni_stream *s, tni_inertia *inertia) {
    stream_f64(s, &inertia->moment);
    stream_f64(s, &inertia->inverse);
    stream_u8(s, &inertia->axis_i);
    stream_bool(s, &inertia->is_turned);
    stream_bool(s, &inertia->is_round);
    stream_f64(s, &inertia->ratio_j);
    stream_f64(s, &inertia->ratio_k);
    stream_f64(s, &inertia->rate_j);
    stream_f64(s, &inertia->rate_k);
    stream_dquat(s, &inertia->axes);
}

TNI_KERNEL void bodies_visit_rest(tni_stream *s, tni_rest *rest) {
    stream_dquat(s, &rest->rotation);
    stream_dvec3(s, &rest->position);
    stream_vec3(s, &rest->velocity);
    stream_vec3(s, &rest->spin);
    stream_f32(s, &rest->velocity_change);
    stream_f32(s, &rest->spin_change);
    stream_f32(s, &rest->since);
    stream_u32(s, &rest->thirds);
}

TNI_KERNEL void bodies_visit_bits(tni_stream *s, tni_body *body) {
    bool has_target = stream_bit(s, body->has_target), met_target = stream_bit(s, body->met_target);
    bool is_particle = stream_bit(s, body->is_particle);
    bool is_touched = stream_bit(s, body->is_touched), has_parts = stream_bit(s, body->has_parts);
    bool has_many_solids = stream_bit(s, body->has_many_solids);
    if (s->mode == TNI_STREAM_LOADS) {
        body->has_target = has_target;
        body->met_target = met_target;
        body->is_particle = is_particle;
        body->is_touched = is_touched;
        body->has_parts = has_parts;
        body->has_many_solids = has_many_solids;
    }
    stream_bool(s, &body->is_enabled);
    stream_bool(s, &body->is_sleep_allowed);
    stream_bool(s, &body->has_given_mass);
    stream_bool(s, &body->is_isotropic);
    stream_bool(s, &body->is_exact);
    stream_bool(s, &body->is_pushed);
    stream_bool(s, &body->was_awake);
}

TNI_KERNEL void bodies_visit_links(tni_stream *s, tni_body *body) {
    stream_u32(s, &body->awake_index);
    stream_u32(s, &body->shape_head);
    stream_u32(s, &body->contact_head);
    stream_u32(s, &body->joint_head);
    stream_u32(s, &body->shape_count);
    stream_u32(s, &body->contact_count);
    stream_u32(s, &body->joint_count);
    stream_u32(s, &body->sleep_next);
    stream_u32(s, &body->sleep_note);
    stream_u32(s, &body->force_head);
    stream_u32(s, &body->reduced);
}

// Whatever is not visited is only of a step: the solver's index.
TNI_KERNEL void bodies_visit(tni_stream *s, void *record) {
    tni_body *body = record;
    stream_u32(s, &body->handle);
    int type = stream_choice(s, (int)body->type, TN_BODY_TYPE_DYNAMIC);
    void *user_data = stream_pointer(s, body->user_data);
    if (s->mode == TNI_STREAM_LOADS) {
        body->type = (tn_body_type)type;
        body->user_data = user_data;
    }
    stream_dvec3(s, &body->position);
    stream_dquat(s, &body->rotation);
    stream_dvec3(s, &body->velocity);
    stream_dvec3(s, &body->angular_velocity);
    stream_u32(s, &body->locks);
    bodies_visit_bits(s, body);
    bodies_visit_links(s, body);
    stream_f32(s, &body->rest_time);
    stream_f32(s, &body->linear_damping);
    stream_f32(s, &body->angular_damping);
    stream_f32(s, &body->gravity_scale);
    stream_f64(s, &body->inv_mass);
    stream_dvec3(s, &body->local_center);
    bodies_visit_inertia(s, &body->principal);
    stream_dvec3(s, &body->force);
    stream_dvec3(s, &body->torque);
    stream_f64(s, &body->mass);
    stream_f64s(s, &body->inertia.xx, 6);
    stream_u32(s, &body->stack_resume);
    stream_vec3(s, &body->bend);
    bodies_visit_rest(s, &body->rest);
    stream_f32(s, &body->max_linear_speed);
    stream_f32(s, &body->max_angular_speed);
    stream_u32(s, &body->sensed_change);
}

static bool bodies_are_sound(const tni_snapshot *snapshot, uint32_t index, const tni_body *body) {
    bool is_listed = body->awake_index == TNI_NONE ||
                     body->awake_index < snapshot->pools[TNI_SNAPSHOT_BODIES].live_count;
    bool is_noted = body->sleep_note == TNI_NONE ||
                    body->sleep_note < snapshot->pools[TNI_SNAPSHOT_BODIES].live_count;
    uint32_t contact = body->contact_head, joint = body->joint_head;
    contact = contact != TNI_NONE ? contact >> 1 : contact;
    joint = joint != TNI_NONE ? joint >> 1 : joint;
    bool is_placed = dvec3_is_finite(body->position) && dquat_is_normal(body->rotation);
    bool may_wake = body->type != TN_BODY_TYPE_STATIC && body->is_enabled;
    return is_listed && is_noted && (may_wake || body->awake_index == TNI_NONE) &&
           body->principal.axis_i < 3 && is_placed &&
           body->handle == tni_pool_handle(&snapshot->pools[TNI_SNAPSHOT_BODIES], index) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_SHAPES, body->shape_head) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_CONTACTS, contact) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_JOINTS, joint) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_REDUCED, body->reduced) &&
           tni_snapshot_names(snapshot, TNI_SNAPSHOT_BODIES, body->sleep_next);
}

void tni_snapshot_read_bodies(tni_snapshot *snapshot, tni_snapshot_body_fn take, void *context) {
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_BODIES];
    snapshot->stream.at = snapshot->sections_at[TNI_SNAPSHOT_BODY_SECTION];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (tni_pool_handle(pool, i) != 0) {
            tni_body saved = {.handle = 0};
            tni_stream_record(&snapshot->stream, &saved, bodies_visit);
            take(context, i, &saved);
        }
    }
}

static void bodies_note_links(const tni_snapshot *snapshot, uint32_t index, const tni_body *body) {
    snapshot->links.items[TNI_SNAPSHOT_BODIES][index] = (tni_snapshot_link){
        .heads = {body->shape_head, body->contact_head, body->joint_head, body->force_head},
        .sizes = {body->shape_count, body->contact_count, body->joint_count},
        .next = {body->sleep_next, TNI_NONE},
        .places =
            {[TNI_SNAPSHOT_AWAKE] = body->awake_index, [TNI_SNAPSHOT_NOTED] = body->sleep_note},
        .mover = body->reduced,
        .is_static = body->type == TN_BODY_TYPE_STATIC,
    };
}

bool tni_snapshot_visit_bodies(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    const tni_pool *pool = &snapshot->pools[TNI_SNAPSHOT_BODIES];
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        tni_body scratch = {.handle = 0};
        tni_body *body = snapshot->checks ? &scratch : tni_body_at(world, i);
        if (!snapshot->checks && tni_stream_is_reading(&snapshot->stream) &&
            !tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_BODIES, i)) {
            memset(body, 0, sizeof *body);
        }
        tni_stream_record(&snapshot->stream, body, bodies_visit);
        if (snapshot->checks) {
            bodies_note_links(snapshot, i, body);
            if (!tni_stream_expect(&snapshot->stream, bodies_are_sound(snapshot, i, body))) {
                return true;
            }
        }
    }
    uint32_t count = pool->live_count;
    tni_allocator *allocator = &world->allocator;
    return !snapshot->checks ||
           (tni_pages_reserve(&world->bodies, pool->slot_count) &&
            tni_blend_reserve(world, pool->slot_count) &&
            tni_index_list_reserve(allocator, &world->awake_bodies, count) &&
            tni_index_list_reserve(allocator, &world->space_keys, count) &&
            tni_index_list_reserve(allocator, &world->events.sleep_notes, count));
}
