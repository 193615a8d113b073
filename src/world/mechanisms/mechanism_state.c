// world/mechanisms/mechanism_state.c: what a mechanism carries from step to step, as bytes.
//
// A snapshot has it by the mechanism's signature. The world keeps these bytes until a step makes
// the mechanism, which may be long asleep, and then gives it its state. Only then can the bytes be
// checked, for until then nobody knows how many bodies, joints and rows the mechanism has. A state
// that does not fit is forgotten, and the mechanism begins as one that is new.
// Test: tests/world/snapshot/test_snapshot.c, tests/world/snapshot/test_snapshot_links.c
#include "core/stream.h"
#include "world/step/step_mechanisms.h"

TNI_KERNEL void state_visit_twist(tni_stream *s, tni_twist *twist) {
    stream_dvec3(s, &twist->linear);
    stream_dvec3(s, &twist->angular);
}

TNI_KERNEL void state_visit_body(tni_stream *s, void *record) {
    tni_mechanism_body *body = record;
    state_visit_twist(s, &body->fed);
    state_visit_twist(s, &body->fed_friction);
    state_visit_twist(s, &body->blow);
    stream_u32(s, &body->next_near);
    stream_bool(s, &body->is_near);
    state_visit_twist(s, &body->carry.lead);
    state_visit_twist(s, &body->carry.push);
    state_visit_twist(s, &body->carry.push_before);
    state_visit_twist(s, &body->carry.left);
    for (uint32_t k = 0; k < TNI_MECHANISM_RISES; ++k) {
        state_visit_twist(s, &body->carry.rises[k]);
    }
}

TNI_KERNEL void state_visit_actor(tni_stream *s, void *record) {
    tni_mechanism_actor *actor = record;
    stream_u32(s, &actor->row);
    int kind = stream_choice(s, (int)actor->kind, TNI_ACTOR_LIMIT);
    if (s->mode == TNI_STREAM_LOADS) {
        actor->kind = (tni_actor_kind)kind;
    }
    stream_u32(s, &actor->group);
    stream_f64(s, &actor->target_speed);
    stream_f64(s, &actor->stiffness);
    stream_f64(s, &actor->damping);
    stream_u8(s, &actor->form);
    stream_f64s(s, actor->given, 2);
    stream_f64(s, &actor->end_share);
    stream_bool(s, &actor->is_one_sided);
    stream_bool(s, &actor->is_inside);
    stream_f64(s, &actor->open_share);
    stream_f64(s, &actor->max_force);
    stream_f64(s, &actor->error);
    stream_bool(s, &actor->is_out);
    stream_bool(s, &actor->is_held);
    stream_u32(s, &actor->held_by);
    stream_bool(s, &actor->is_stalled);
    stream_bool(s, &actor->holds);
    stream_bool(s, &actor->may_pull);
    stream_bool(s, &actor->has_come_back);
    stream_bool(s, &actor->closes);
    stream_f64(s, &actor->passed);
    stream_f64(s, &actor->open);
    stream_f64(s, &actor->restitution);
    stream_f64(s, &actor->arrival);
    stream_u8(s, &actor->role);
}

static uint32_t state_count_rows(const tni_mechanism_joint *joint) {
    return (uint32_t)(joint->impulse_kept - joint->impulse);
}

// The numbers by row have room for all rows of the definition. (The joint's record may have moved
// since the last step of this mechanism.)
TNI_KERNEL void state_visit_numbers(tni_stream *s, void *record) {
    tni_mechanism_joint *joint = record;
    uint32_t rows = state_count_rows(joint);
    uint32_t row_count = joint->row_count, all_count = joint->all_count;
    stream_u32(s, &row_count);
    stream_u32(s, &all_count);
    if (tni_stream_expect(s, row_count >= joint->equality_count && row_count <= all_count &&
                                 all_count == joint->all_count)) {
        joint->row_count = row_count;
    }
    stream_u32(s, &joint->awake);
    stream_bool(s, &joint->knows_limits);
    stream_f64s(s, joint->impulse, rows);
    stream_f64s(s, joint->softness, rows);
    stream_f64s(s, joint->lead, rows);
    for (uint32_t k = 0; k < TNI_MECHANISM_RISES; ++k) {
        stream_f64s(s, joint->given[k], rows);
    }
    stream_u32(s, &joint->dependent_rows);
    stream_f64s(s, joint->fault, TNI_JOINT_MAX_EQUALITY_ROWS);
}

// The actors that do not rest stand in the order of their rows, and `awake` says which they are,
// or that none was ever asked. `kinds` are those that a new mechanism has, by row. Their groups
// are set before a stage reads them.
static bool state_actors_are_sound(const tni_mechanism_joint *joint, const tni_actor_kind *kinds) {
    uint32_t first = joint->equality_count, last = first, awake = 0;
    bool is_sound = true;
    for (uint32_t r = first; r < joint->row_count && is_sound; ++r) {
        const tni_mechanism_actor *actor = &joint->actors[r];
        is_sound =
            actor->row >= last && actor->row < joint->all_count && actor->kind == kinds[actor->row];
        last = actor->row + 1;
        awake |= is_sound ? 1u << (actor->row - first) : 0;
    }
    for (uint32_t r = first; r < joint->all_count; ++r) {
        uint32_t by = joint->actors[r].held_by;
        is_sound = is_sound && (by == TNI_NONE || by < joint->all_count);
    }
    bool was_asked = joint->awake != UINT32_MAX;
    return is_sound && (was_asked ? joint->awake == awake : joint->row_count == joint->all_count);
}

static void state_visit_joint(tni_stream *s, tni_mechanism_joint *joint) {
    uint32_t rows = state_count_rows(joint);
    tni_actor_kind kinds[TNI_MECHANISM_MAX_ROWS] = {TNI_ACTOR_SPEED};
    bool has_actors = joint->actors != NULL;
    for (uint32_t r = 0; r < rows && has_actors; ++r) {
        kinds[r] = joint->actors[r].kind;
    }
    stream_same(s, rows);
    if (s->is_other) {
        return;
    }
    tni_stream_record(s, joint, state_visit_numbers);
    for (uint32_t r = 0; r < rows && has_actors; ++r) {
        tni_stream_record(s, &joint->actors[r], state_visit_actor);
    }
    if (s->mode == TNI_STREAM_LOADS && !s->is_damaged) {
        tni_stream_expect(s, !has_actors || state_actors_are_sound(joint, kinds));
    }
}

static void state_visit_stage(tni_stream *s, tni_mechanism_stage_state *stage) {
    stream_bool(s, &stage->is_hung_still);
    stream_bool(s, &stage->is_open);
    stream_f64(s, &stage->length);
    stream_f64(s, &stage->debt);
    stream_bool(s, &stage->is_resting);
    stream_u32(s, &stage->taut_stages);
    stream_u32(s, &stage->hard_substeps);
    stream_bool(s, &stage->is_piece);
    stream_bool(s, &stage->is_smallest_piece);
    stream_bool(s, &stage->leaves_limits);
    stream_bool(s, &stage->is_active);
    stream_bool(s, &stage->has_lost);
    stream_bool(s, &stage->is_waiting);
    stream_bool(s, &stage->is_deep);
    stream_bool(s, &stage->is_fed);
    stream_bool(s, &stage->has_let_go);
    stream_bool(s, &stage->asks_for_changes);
}

static void state_visit_touch(tni_stream *s, tni_mechanism_touch *touch) {
    stream_f64(s, &touch->energy);
    stream_f64(s, &touch->work);
    stream_bool(s, &touch->has_blow);
    stream_bool(s, &touch->is_unsettled);
    stream_bool(s, &touch->pushes_near);
    stream_u32(s, &touch->first_near);
    stream_u32(s, &touch->near_count);
    stream_f64(s, &touch->wedged_load);
    stream_f64(s, &touch->wedged_share);
    stream_f64(s, &touch->wedged_stiffness);
    stream_f64(s, &touch->wedged_late);
    stream_bool(s, &touch->is_alone);
    stream_f64(s, &touch->half);
    stream_bool(s, &touch->is_shifted);
    int bend = stream_choice(s, (int)touch->bend, TNI_BEND_MADE);
    if (s->mode == TNI_STREAM_LOADS) {
        touch->bend = (tni_mechanism_bend)bend;
    }
    stream_bool(s, &touch->is_crowded);
    stream_u32(s, &touch->count);
    stream_bool(s, &touch->is_touched);
}

static void state_visit_traits(tni_stream *s, tni_mechanism_traits *traits) {
    bool has_sways = traits->has_sways, has_memories = traits->has_memories;
    stream_bool(s, &traits->is_prescribed);
    stream_bool(s, &traits->has_sways);
    stream_bool(s, &traits->has_memories);
    tni_stream_expect(s, traits->has_sways == has_sways && traits->has_memories == has_memories);
    stream_bool(s, &traits->is_contradictory);
    stream_bool(s, &traits->may_break);
    stream_bool(s, &traits->is_coupled);
    stream_bool(s, &traits->alternates);
}

static void state_visit_past(tni_stream *s, tni_mechanism *mechanism) {
    tni_mechanism_past *past = &mechanism->past;
    stream_bool(s, &past->was_left_closed);
    stream_bool(s, &past->is_ahead);
    stream_u32(s, &past->followers);
    stream_u32(s, &past->jammed_steps);
    tni_mechanism_carry *carry = &mechanism->carry;
    stream_bool(s, &carry->has_paces);
    stream_bool(s, &carry->is_resolved);
    stream_f64(s, &carry->lead_step);
    stream_f64(s, &carry->rise_step);
    stream_u32(s, &carry->last_rise);
    stream_u32(s, &carry->rise_count);
    tni_stream_expect(s, carry->last_rise < TNI_MECHANISM_RISES &&
                             carry->rise_count <= TNI_MECHANISM_RISES);
    tni_mechanism_matrix *matrix = &mechanism->matrix;
    stream_u32(s, &matrix->dependent_rows);
    stream_u32(s, &matrix->found_rows);
    stream_u32(s, &matrix->found_key);
    for (int k = 0; k < 2; ++k) {
        stream_f64(s, &matrix->rates[k].first_move);
        stream_f64(s, &matrix->rates[k].share);
        stream_u32(s, &matrix->rates[k].stages);
    }
    stream_u32(s, &matrix->own_stages);
}

// Bodies that contacts touched are in a list, while these push them alone.
static bool state_near_are_sound(const tni_mechanism *mechanism) {
    uint32_t count = 0, at = mechanism->touch.first_near;
    while (mechanism->touch.pushes_near && at != TNI_NONE && count < mechanism->moving_count) {
        if (at >= mechanism->moving_count) {
            return false;
        }
        at = mechanism->bodies[at].next_near;
        count += 1;
    }
    return !mechanism->touch.pushes_near || at == TNI_NONE;
}

static void state_visit(tni_stream *s, tni_mechanism *mechanism) {
    stream_same(s, mechanism->body_count);
    stream_same(s, mechanism->joint_count);
    for (uint32_t i = 0; i < mechanism->body_count && !s->is_other; ++i) {
        tni_stream_record(s, &mechanism->bodies[i], state_visit_body);
    }
    for (uint32_t k = 0; k < mechanism->joint_count && !s->is_other && !s->is_damaged; ++k) {
        state_visit_joint(s, &mechanism->joints[k]);
    }
    if (!s->is_other) {
        state_visit_traits(s, &mechanism->traits);
        state_visit_stage(s, &mechanism->stage);
        state_visit_touch(s, &mechanism->touch);
        state_visit_past(s, mechanism);
        tni_stream_expect(s, state_near_are_sound(mechanism));
    }
}

TNI_KERNEL void state_visit_row(tni_stream *s, void *record) {
    tni_exact_row *row = record;
    stream_f64s(s, row->jacobian, 12);
    stream_f64(s, &row->error);
}

// The rows of the last substep, from which leads are predicted (solver/exact/mechanism_carry.c).
// Snapshots of the first version lack them.
static void state_visit_rows(tni_stream *s, tni_mechanism *mechanism) {
    for (uint32_t k = 0; k < mechanism->joint_count && !s->is_other; ++k) {
        tni_mechanism_joint *joint = &mechanism->joints[k];
        for (uint32_t r = 0; r < joint->all_count; ++r) {
            tni_stream_record(s, &joint->rows[r], state_visit_row);
        }
    }
}

// ---- entries ------------------------------------------------------------------------------------

// In front of each state stand its signature and its size; a signature of 0 ends the list.
static void state_save_entry(tni_stream *s, uint64_t signature, tni_mechanism *mechanism) {
    tni_stream counter = {.mode = TNI_STREAM_COUNTS};
    state_visit(&counter, mechanism);
    state_visit_rows(&counter, mechanism);
    uint64_t size = counter.at;
    stream_u64(s, &signature);
    stream_u64(s, &size);
    state_visit(s, mechanism);
    state_visit_rows(s, mechanism);
}

// Reads what stands in front of an entry. Returns false behind the last.
static bool state_read_entry(tni_stream *s, uint64_t *out_signature, uint64_t *out_size) {
    stream_u64(s, out_signature);
    if (*out_signature == 0) {
        return false;
    }
    stream_u64(s, out_size);
    return tni_stream_expect(s, tni_stream_has(s, *out_size, 1));
}

static tni_stream state_open_kept(const tn_world *world) {
    return (tni_stream){
        .mode = TNI_STREAM_LOADS, .bytes = world->kept_states, .size = world->kept_states_size};
}

// Entries that wait for their mechanisms go on as they are.
static void state_save_kept(const tn_world *world, tni_stream *s) {
    tni_stream kept = state_open_kept(world);
    uint64_t signature = 0, size = 0;
    while (state_read_entry(&kept, &signature, &size)) {
        if (signature != TNI_MECHANISM_STATE_TAKEN) {
            stream_u64(s, &signature);
            stream_u64(s, &size);
            tni_stream_fields(s, kept.bytes + kept.at, (size_t)size, 1);
        }
        kept.at += size;
    }
}

void tni_mechanism_save_states(tn_world *world, tni_stream *s) {
    for (uint32_t i = 0; i < world->mechanism_capacity; ++i) {
        tni_mechanism_record *record = &world->mechanisms[i];
        if (record->memory != NULL) {
            state_save_entry(s, record->signature, &record->mechanism);
        }
    }
    state_save_kept(world, s);
    uint64_t end = 0;
    stream_u64(s, &end);
}

bool tni_mechanism_check_states(tni_stream *s) {
    uint64_t signature = 0, size = 0;
    while (state_read_entry(s, &signature, &size)) {
        s->at += size;
    }
    return !s->is_damaged;
}

void tni_mechanism_forget_states(tn_world *world) {
    tni_free(&world->allocator, world->kept_states, (size_t)world->kept_states_size);
    world->kept_states = NULL;
    world->kept_states_size = 0;
}

void tni_mechanisms_forget_all(tn_world *world) {
    for (uint32_t i = 0; i < world->mechanism_capacity; ++i) {
        if (world->mechanisms[i].memory != NULL) {
            tni_mechanism_record_clear(world, &world->mechanisms[i]);
        }
    }
    tni_mechanism_forget_states(world);
    world->mechanism_count = world->gradients_count = 0;
    world->choice_count = world->told_choice_count = 0;
    world->has_notes = false;
}

bool tni_mechanism_resume(tn_world *world, tni_mechanism_record *record) {
    if (world->kept_states == NULL) {
        return true;
    }
    tni_stream s = state_open_kept(world);
    uint64_t signature = 0, size = 0;
    while (state_read_entry(&s, &signature, &size)) {
        if (signature != record->signature) {
            s.at += size;
            continue;
        }
        const uint64_t taken = TNI_MECHANISM_STATE_TAKEN;
        tni_stream_copy(s.bytes + s.at - 16, &taken, 1, 8);
        s.size = s.at + size;
        state_visit(&s, &record->mechanism);
        if (s.at < s.size && !s.is_damaged && !s.is_other) {
            state_visit_rows(&s, &record->mechanism);
        }
        if (s.is_other || !tni_stream_is_done(&s)) {
            return false;
        }
        tni_mechanism_lay_out(&record->mechanism);
        return true;
    }
    return true;
}
