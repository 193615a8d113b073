// world/step_contacts.c: manifolds into groups of contacts, and back: impulses and hits.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "solver/colors.h"
#include "world/narrow.h"
#include "world/step_internal.h"

// Bytes of a contact from its impulses on: what a step writes back.
#define CONTACTS_STORED (sizeof(tni_contact) - offsetof(tni_contact, normal_impulses))

static uint32_t contacts_solver_body(const tn_world *world, uint32_t body) {
    const tni_body *record = &world->bodies[body];
    return record->awake_index != TNI_NONE ? record->solver_index : 0;
}

// The contact's origin from the centre of mass, in double: far out both are large numbers.
static vec3s contacts_get_origin(const tn_world *world, const tni_contact *contact, uint32_t body) {
    return dvec3_to_float(dvec3_sub(contact->origin, world->bodies[body].position));
}

// Rounding of what lies still, which products would make denormal numbers of: see MATHS_TINY.
static vec3s contacts_flush(vec3s v) {
    return maths_vec3(maths_to_float((double)v.x), maths_to_float((double)v.y),
                      maths_to_float((double)v.z));
}

// ---- order ------------------------------------------------------------------------------------

// Contacts with static bodies are swept last, for they must not give way; and those that push
// before those that are only near, so that groups are full of either.
typedef enum contacts_class {
    CONTACTS_PUSHING,
    CONTACTS_NEAR,
    CONTACTS_PUSHING_STATIC,
    CONTACTS_NEAR_STATIC,
    CONTACTS_CLASSES,
} contacts_class;

static uint32_t contacts_get_moving(const tn_world *world, uint32_t body) {
    const tni_body *record = &world->bodies[body];
    bool moves = record->type == TN_BODY_TYPE_DYNAMIC && record->awake_index != TNI_NONE;
    return moves ? record->solver_index : TNI_COLOR_NO_BODY;
}

// A contact that has points.
typedef struct contacts_kept {
    uint32_t contact, place; // in the list of awake contacts
    uint32_t index;          // as they will be swept
    contacts_class class;
} contacts_kept;

typedef struct contacts_order {
    contacts_kept *kept; // in the order of the list, as they most likely lie in memory
    uint32_t count, counts[CONTACTS_CLASSES];
    tni_color_block *blocks; // by class
    uint32_t *kept_of;       // of the blocks
    tni_color_body *bodies;
    uint32_t *groups; // where each group begins, and the end of the last
    uint32_t group_count;
    uint32_t *color_ends; // in groups, class by class
    uint32_t color_count;
} contacts_order;

static void contacts_keep(const tn_world *world, contacts_order *order) {
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        const tni_awake_contact *entry = &world->awake_contacts.items[i];
        if (!entry->has_points ||
            (world->pre_solve != NULL && world->contacts[entry->contact].is_disabled)) {
            continue;
        }
        uint32_t class = (entry->has_static ? CONTACTS_PUSHING_STATIC : CONTACTS_PUSHING) +
                         (entry->is_near ? 1 : 0);
        order->kept[order->count++] =
            (contacts_kept){entry->contact, i, TNI_NONE, (contacts_class) class};
        order->counts[class] += 1;
    }
}

TNI_FORCE_INLINE void contacts_fetch(const tn_world *world, const contacts_order *order,
                                     uint32_t at, size_t size) {
    if (at + TNI_NARROW_AHEAD < order->count) {
        tni_narrow_fetch(&world->contacts[order->kept[at + TNI_NARROW_AHEAD].contact], size);
    }
    if (at + TNI_NARROW_AHEAD / 2 < order->count) {
        const tni_contact *contact =
            &world->contacts[order->kept[at + TNI_NARROW_AHEAD / 2].contact];
        const uint32_t ends[2] = {contact->body_a, contact->body_b};
        for (int e = 0; e < 2; ++e) {
            TNI_PREFETCH(&world->bodies[ends[e]].position);
            TNI_PREFETCH(&world->bodies[ends[e]].solver_index);
        }
    }
}

// Each class in a part of `blocks` of its own, in the order of the list.
static void contacts_make_blocks(const tn_world *world, contacts_order *order) {
    uint32_t at[CONTACTS_CLASSES], start = 0;
    for (uint32_t c = 0; c < CONTACTS_CLASSES; ++c) {
        at[c] = start;
        start += order->counts[c];
    }
    for (uint32_t k = 0; k < order->count; ++k) {
        contacts_fetch(world, order, k, TNI_CACHE_LINE);
        const contacts_kept *kept = &order->kept[k];
        const tni_contact *contact = &world->contacts[kept->contact];
        uint32_t to = at[kept->class]++;
        order->kept_of[to] = k;
        order->blocks[to] =
            (tni_color_block){contacts_get_moving(world, contact->body_a),
                              contacts_get_moving(world, contact->body_b), kept->contact, 0};
    }
}

// Colors of a class one after the other, each in groups.
static bool contacts_add_class(tn_world *world, uint32_t start, uint32_t count, uint32_t colors,
                               contacts_order *order) {
    const tni_color_block *blocks = order->blocks + start;
    uint32_t *at = tni_arena_alloc_zeroed(&world->arena, (colors + 1) * sizeof *at);
    if (at == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        at[blocks[i].color + 1] += 1;
    }
    at[0] = start;
    for (uint32_t c = 0; c < colors; ++c) {
        at[c + 1] += at[c];
        for (uint32_t i = at[c]; i < at[c + 1]; i += TNI_CONTACTS) {
            order->groups[order->group_count++] = i;
        }
        order->color_ends[order->color_count++] = order->group_count;
    }
    order->groups[order->group_count] = start + count;
    for (uint32_t i = 0; i < count; ++i) {
        order->kept[order->kept_of[start + i]].index = at[blocks[i].color]++;
    }
    return true;
}

// False when memory cannot be had.
static bool contacts_find_order(tn_world *world, const tni_solver *solver, contacts_order *order) {
    tni_arena *arena = &world->arena;
    size_t most = world->awake_contacts.count, bodies = solver->body_count;
    order->kept = tni_arena_alloc(arena, most * sizeof *order->kept);
    if (order->kept == NULL) {
        return false;
    }
    contacts_keep(world, order);
    size_t count = order->count;
    order->blocks = tni_arena_alloc(arena, count * sizeof *order->blocks);
    order->kept_of = tni_arena_alloc(arena, count * sizeof *order->kept_of);
    order->groups = tni_arena_alloc(arena, (count + 1) * sizeof *order->groups);
    order->bodies = tni_arena_alloc(arena, bodies * sizeof *order->bodies);
    order->color_ends = tni_arena_alloc(arena, count * sizeof *order->color_ends);
    if (order->blocks == NULL || order->kept_of == NULL || order->groups == NULL ||
        order->bodies == NULL || order->color_ends == NULL) {
        return false;
    }
    contacts_make_blocks(world, order);
    for (uint32_t c = 0, start = 0; c < CONTACTS_CLASSES; start += order->counts[c], ++c) {
        uint32_t of_class = order->counts[c];
        if (of_class > 0) {
            memset(order->bodies, 0, bodies * sizeof *order->bodies);
            uint32_t colors = tni_colors_find(order->blocks + start, of_class, order->bodies);
            if (!contacts_add_class(world, start, of_class, colors, order)) {
                return false;
            }
        }
    }
    return true;
}

// ---- gather -----------------------------------------------------------------------------------

static void contacts_fill(const tn_world *world, const contacts_kept *kept, float scale,
                          tni_contact_record *record) {
    const tni_contact *contact = &world->contacts[kept->contact];
    const tni_manifold *manifold = &contact->manifold;
    memset(record, 0, offsetof(tni_contact_record, approach_speed));
    record->contact = kept->contact;
    record->place = kept->place;
    record->body_a = contacts_solver_body(world, contact->body_a);
    record->body_b = contacts_solver_body(world, contact->body_b);
    record->point_count = (uint16_t)manifold->point_count;
    record->friction = contact->friction;
    record->restitution = contact->restitution;
    record->rolling_resistance = contact->rolling_resistance;
    record->twisting_resistance = contact->twisting_resistance;
    record->is_touching = contact->is_touching;
    record->normal = contacts_flush(manifold->normal);
    record->friction_impulse = contacts_flush(glms_vec3_scale(contact->friction_impulse, scale));
    record->rolling_impulse = glms_vec3_scale(contact->rolling_impulse, scale);
    vec3s from_a = contacts_get_origin(world, contact, contact->body_a);
    vec3s from_b = contacts_get_origin(world, contact, contact->body_b);
    record->offset = glms_vec3_sub(from_b, from_a);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        const tni_manifold_point *point = &manifold->points[p];
        record->arm.x[p] = from_a.x + point->position.x;
        record->arm.y[p] = from_a.y + point->position.y;
        record->arm.z[p] = from_a.z + point->position.z;
        record->separation[p] = point->separation;
        record->impulse[p] = scale * contact->normal_impulses[p];
    }
}

static bool contacts_allocate(tn_world *world, tni_solver *solver, const contacts_order *order) {
    tni_arena *arena = &world->arena;
    size_t n = order->count, bodies = solver->body_count, groups = order->group_count;
    solver->contact_gates = tni_arena_alloc(arena, n * sizeof(tni_contact_gate));
    solver->contact_records = tni_arena_alloc(arena, n * sizeof(tni_contact_record));
    solver->contact_groups = tni_arena_alloc(arena, groups * sizeof(tni_contact_group));
    solver->bouncing = tni_arena_alloc(arena, n * sizeof(uint32_t));
    solver->contact_pushes = tni_arena_alloc_zeroed(arena, bodies * sizeof(tni_contact_push));
    solver->contact_inertias = tni_arena_alloc(arena, bodies * sizeof(tni_sym3));
    solver->has_new_inertia = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    solver->is_contact_body = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    return solver->contact_gates != NULL && solver->contact_records != NULL &&
           solver->contact_groups != NULL && solver->bouncing != NULL &&
           solver->contact_pushes != NULL && solver->contact_inertias != NULL &&
           solver->has_new_inertia != NULL && solver->is_contact_body != NULL;
}

// Where each group begins, and the place of each contact in them.
static void contacts_set_groups(tni_solver *solver, const contacts_order *order) {
    uint32_t first_static = order->counts[CONTACTS_PUSHING] + order->counts[CONTACTS_NEAR];
    for (uint32_t g = 0; g < order->group_count; ++g) {
        tni_contact_group *group = &solver->contact_groups[g];
        group->first = order->groups[g];
        group->count = (uint16_t)(order->groups[g + 1] - group->first);
        group->is_static = group->first >= first_static;
        for (uint32_t lane = 0; lane < group->count; ++lane) {
            solver->contact_gates[group->first + lane].slot = g * TNI_CONTACTS + lane;
        }
    }
    solver->contact_group_count = order->group_count;
    solver->contact_color_count = order->color_count;
    solver->contact_color_ends = order->color_ends;
}

bool tni_step_gather_contacts(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    contacts_order order = {0};
    if (!contacts_find_order(world, solver, &order) || !contacts_allocate(world, solver, &order)) {
        return false;
    }
    float scale = world->previous_h > 0.0 ? (float)(solver->dh / world->previous_h) : 1.0f;
    uint32_t first_static = order.counts[CONTACTS_PUSHING] + order.counts[CONTACTS_NEAR];
    bool has_bouncing = false;
    for (uint32_t k = 0; k < order.count; ++k) {
        const contacts_kept *kept = &order.kept[k];
        tni_contact_record *record = &solver->contact_records[kept->index];
        contacts_fetch(world, &order, k, sizeof(tni_contact));
        contacts_fill(world, kept, scale, record);
        record->is_static = kept->index >= first_static;
        tni_contact_gate_make(record, &solver->contact_gates[kept->index]);
        has_bouncing |= record->restitution > 0.0f;
    }
    for (uint32_t i = 0; i < order.count && has_bouncing; ++i) {
        if (solver->contact_records[i].restitution > 0.0f) {
            solver->bouncing[solver->bouncing_count++] = i;
        }
    }
    solver->contact_count = order.count;
    contacts_set_groups(solver, &order);
    return true;
}

// ---- back -------------------------------------------------------------------------------------

static void contacts_store(tni_contact *contact, const tni_contact_record *record) {
    for (uint32_t p = 0; p < record->point_count; ++p) {
        contact->normal_impulses[p] = record->impulse[p];
        contact->step_impulses[p] = record->sums.step[p];
        contact->approach_speeds[p] = -record->approach_speed[p];
    }
    contact->friction_impulse = record->friction_impulse;
    contact->rolling_impulse = record->rolling_impulse;
    contact->step_friction_impulse = record->sums.step_friction;
}

// One event per contact: its fastest point that was pushed.
static void contacts_note_hit(tn_world *world, const tni_contact *contact,
                              const tni_contact_record *record) {
    float speed = world->def.hit_event_threshold;
    uint32_t fastest = TNI_NONE;
    float impulse = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        impulse += record->sums.step[p];
        if (record->sums.step[p] > 0.0f && -record->approach_speed[p] > speed) {
            speed = -record->approach_speed[p];
            fastest = p;
        }
    }
    const tni_shape *shape_a = &world->shapes[contact->shape_a];
    const tni_shape *shape_b = &world->shapes[contact->shape_b];
    if (fastest == TNI_NONE || !shape_a->enable_hit_events || !shape_b->enable_hit_events) {
        return;
    }
    tni_dvec3 point =
        dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[fastest].position));
    tn_hit_event event = {{shape_a->handle},
                          {shape_b->handle},
                          {point.x, point.y, point.z},
                          {record->normal.x, record->normal.y, record->normal.z},
                          speed,
                          impulse};
    tni_events_add_hit(world, &event);
}

void tni_step_scatter_contacts(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t points = 0;
    double deepest = 0.0;
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_record *record = &solver->contact_records[i];
        if (i + TNI_NARROW_AHEAD < solver->contact_count &&
            solver->contact_gates[i + TNI_NARROW_AHEAD].is_shut) {
            uint32_t next = solver->contact_records[i + TNI_NARROW_AHEAD].contact;
            tni_narrow_fetch(world->contacts[next].normal_impulses, CONTACTS_STORED);
        }
        points += record->point_count;
        if (!solver->contact_gates[i].is_shut) {
            continue; // nothing came of it
        }
        tni_contact *contact = &world->contacts[record->contact];
        contacts_store(contact, record);
        contacts_note_hit(world, contact, record);
        deepest = fmax(deepest, -(double)tni_contact_get_least(solver, i));
    }
    world->telemetry.contacts = world->awake_contacts.count;
    world->telemetry.manifolds = solver->contact_count;
    world->telemetry.points = points;
    world->telemetry.rows = points + 2 * solver->contact_count;
    world->telemetry.deepest_penetration = deepest;
}
