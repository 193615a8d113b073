// world/step_contacts.c: manifolds into contact blocks, and back: impulses and hits.
#include <string.h>

#include "world/step_internal.h"

static uint32_t contacts_solver_body(const tn_world *world, uint32_t body) {
    const tni_body *record = &world->bodies[body];
    return record->awake_index != TNI_NONE ? record->solver_index : 0;
}

static vec3s contacts_arm(const tn_world *world, const tni_contact *contact, uint32_t body,
                          vec3s position) {
    tni_dvec3 offset = dvec3_sub(contact->origin, world->bodies[body].position);
    return dvec3_to_float(dvec3_add(offset, dvec3_from_float(position)));
}

// The middle of the points weighed by their impulses (the centre of pressure), or the plain middle
// of a new contact; and the mean distance from it.
static void contacts_set_patch(tni_contact_block *block, tni_contact_record *record) {
    float total = 0.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        total += block->impulse[p];
    }
    float even = 1.0f / (float)block->point_count;
    float share[TNI_LANES];
    block->r_a = block->r_b = maths_vec3_zero();
    for (uint32_t p = 0; p < block->point_count; ++p) {
        share[p] = total > 0.0f ? block->impulse[p] / total : even;
        block->r_a = maths_vec3_add_scaled(block->r_a, share[p], record->arm_a[p]);
        block->r_b = maths_vec3_add_scaled(block->r_b, share[p], record->arm_b[p]);
    }
    for (uint32_t p = 0; p < block->point_count; ++p) {
        vec3s out = glms_vec3_sub(record->arm_a[p], block->r_a);
        record->patch_radius += share[p] * glms_vec3_norm(out);
    }
}

static void contacts_fill(const tn_world *world, uint32_t index, float scale,
                          tni_contact_block *block, tni_contact_record *record) {
    const tni_contact *contact = &world->contacts[index];
    const tni_manifold *manifold = &contact->manifold;
    memset(record, 0, sizeof *record);
    if (manifold->point_count < TNI_LANES) {
        memset(block, 0, sizeof *block); // unused lanes; the rest is set below or when prepared
    }
    record->contact = index;
    block->body_a = contacts_solver_body(world, contact->body_a);
    block->body_b = contacts_solver_body(world, contact->body_b);
    block->normal = manifold->normal;
    block->tangent[0] = maths_vec3_perpendicular(manifold->normal);
    block->tangent[1] = glms_vec3_cross(manifold->normal, block->tangent[0]);
    block->friction = contact->friction;
    record->restitution = contact->restitution;
    block->rolling_resistance = contact->rolling_resistance;
    block->has_rolling = contact->rolling_resistance > 0.0f;
    block->point_count = (uint16_t)manifold->point_count;
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        vec3s position = manifold->points[p].position;
        record->arm_a[p] = contacts_arm(world, contact, contact->body_a, position);
        record->arm_b[p] = contacts_arm(world, contact, contact->body_b, position);
        block->separation[p] = manifold->points[p].separation;
        block->impulse[p] = scale * contact->normal_impulses[p];
    }
    contacts_set_patch(block, record);
    block->twist_radius = contact->friction * record->patch_radius + contact->twisting_resistance;
    vec3s friction = glms_vec3_scale(contact->friction_impulse, scale);
    vec3s rolling = glms_vec3_scale(contact->rolling_impulse, scale);
    block->tangent_impulse[0] = glms_vec3_dot(block->tangent[0], friction);
    block->tangent_impulse[1] = glms_vec3_dot(block->tangent[1], friction);
    block->twist_impulse = glms_vec3_dot(block->normal, rolling);
    block->rolling_impulse =
        block->has_rolling ? maths_vec3_add_scaled(rolling, -block->twist_impulse, block->normal)
                           : maths_vec3_zero();
}

static bool contacts_has_static_body(const tn_world *world, const tni_contact *contact) {
    return world->bodies[contact->body_a].type != TN_BODY_TYPE_DYNAMIC ||
           world->bodies[contact->body_b].type != TN_BODY_TYPE_DYNAMIC;
}

bool tni_step_gather_contacts(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        const tni_contact *contact = &world->contacts[world->awake_contacts.items[i]];
        count += contact->manifold.point_count > 0 && !contact->is_disabled ? 1 : 0;
    }
    solver->contacts = tni_arena_alloc(&world->arena, count * sizeof(tni_contact_block));
    solver->contact_records = tni_arena_alloc(&world->arena, count * sizeof(tni_contact_record));
    solver->bouncing = tni_arena_alloc(&world->arena, count * sizeof(uint32_t));
    if (solver->contacts == NULL || solver->contact_records == NULL || solver->bouncing == NULL) {
        return false;
    }
    float scale = world->previous_h > 0.0 ? (float)(solver->dh / world->previous_h) : 1.0f;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
            uint32_t index = world->awake_contacts.items[i];
            const tni_contact *contact = &world->contacts[index];
            bool is_static = contacts_has_static_body(world, contact);
            if (contact->manifold.point_count == 0 || contact->is_disabled ||
                is_static != (pass == 1)) {
                continue;
            }
            tni_contact_block *block = &solver->contacts[solver->contact_count];
            contacts_fill(world, index, scale, block,
                          &solver->contact_records[solver->contact_count]);
            block->is_static = is_static;
            if (contact->restitution > 0.0f) {
                solver->bouncing[solver->bouncing_count++] = solver->contact_count;
            }
            solver->contact_count += 1;
        }
    }
    return true;
}

// ---- back -------------------------------------------------------------------------------------

static void contacts_store(tni_contact *contact, const tni_contact_block *block,
                           const tni_contact_record *record) {
    for (uint32_t p = 0; p < block->point_count; ++p) {
        contact->normal_impulses[p] = block->impulse[p];
        contact->step_impulses[p] = record->step_impulse[p];
        contact->approach_speeds[p] = -record->approach_speed[p];
    }
    vec3s friction = glms_vec3_scale(block->tangent[0], block->tangent_impulse[0]);
    contact->friction_impulse =
        maths_vec3_add_scaled(friction, block->tangent_impulse[1], block->tangent[1]);
    contact->rolling_impulse =
        maths_vec3_add_scaled(block->rolling_impulse, block->twist_impulse, block->normal);
    vec3s total = glms_vec3_scale(block->tangent[0], record->step_tangent_impulse[0]);
    contact->step_friction_impulse =
        maths_vec3_add_scaled(total, record->step_tangent_impulse[1], block->tangent[1]);
}

// One event per contact: its fastest point that was pushed.
static void contacts_note_hit(tn_world *world, const tni_contact *contact,
                              const tni_contact_block *block, const tni_contact_record *record) {
    const tni_shape *shape_a = &world->shapes[contact->shape_a];
    const tni_shape *shape_b = &world->shapes[contact->shape_b];
    if (!shape_a->enable_hit_events || !shape_b->enable_hit_events) {
        return;
    }
    float speed = world->def.hit_event_threshold;
    uint32_t fastest = TNI_NONE;
    float impulse = 0.0f;
    for (uint32_t p = 0; p < block->point_count; ++p) {
        impulse += record->step_impulse[p];
        if (record->step_impulse[p] > 0.0f && -record->approach_speed[p] > speed) {
            speed = -record->approach_speed[p];
            fastest = p;
        }
    }
    if (fastest == TNI_NONE) {
        return;
    }
    tni_dvec3 point =
        dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[fastest].position));
    tn_hit_event event = {{shape_a->handle},
                          {shape_b->handle},
                          {point.x, point.y, point.z},
                          {block->normal.x, block->normal.y, block->normal.z},
                          speed,
                          impulse};
    tni_events_add_hit(world, &event);
}

void tni_step_scatter_contacts(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t points = 0;
    double deepest = 0.0;
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_block *block = &solver->contacts[i];
        const tni_contact_record *record = &solver->contact_records[i];
        tni_contact *contact = &world->contacts[record->contact];
        contacts_store(contact, block, record);
        contacts_note_hit(world, contact, block, record);
        points += block->point_count;
        float separations[TNI_LANES];
        tni_contact_separations(solver, block, separations);
        for (uint32_t p = 0; p < block->point_count; ++p) {
            double depth = -(double)separations[p];
            deepest = depth > deepest ? depth : deepest;
        }
    }
    world->telemetry.contacts = world->awake_contacts.count;
    world->telemetry.manifolds = solver->contact_count;
    world->telemetry.points = points;
    world->telemetry.rows = points + 2 * solver->contact_count;
    world->telemetry.deepest_penetration = deepest;
}
