// world/step_contacts.c: manifolds into groups of contacts, and back: impulses and hits.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "world/contact_order.h"
#include "world/narrow.h"
#include "world/step_internal.h"

// Bytes of a contact from its impulses on: what a step writes back.
#define CONTACTS_STORED (sizeof(tni_contact) - offsetof(tni_contact, normal_impulses))

// Contacts of one part of a loop: some microseconds.
#define CONTACTS_PART 64u

// What a part of the contacts adds up to.
typedef struct contacts_sum {
    uint32_t points;
    bool has_hits;
    double deepest; // m
} contacts_sum;

static uint32_t contacts_solver_body(const tn_world *world, uint32_t body) {
    const tni_body *record = tni_body_at(world, body);
    return record->awake_index != TNI_NONE ? record->solver_index : 0;
}

// The contact's origin from the centre of mass, in double: far out both are large numbers.
static vec3s contacts_get_origin(const tn_world *world, const tni_contact *contact, uint32_t body) {
    return dvec3_to_float(dvec3_sub(contact->origin, tni_body_at(world, body)->position));
}

// Rounding of what lies still, which products would make denormal numbers of: see MATHS_TINY.
static vec3s contacts_flush(vec3s v) {
    return maths_vec3(maths_to_float((double)v.x), maths_to_float((double)v.y),
                      maths_to_float((double)v.z));
}

// ---- gather -----------------------------------------------------------------------------------

// The next ones, and their bodies.
TNI_FORCE_INLINE void contacts_fetch(const tn_world *world, const tni_contact_order *order,
                                     uint32_t at) {
    if (at + TNI_NARROW_AHEAD < order->count) {
        tni_narrow_fetch(tni_contact_at(world, order->kept[at + TNI_NARROW_AHEAD].contact),
                         sizeof(tni_contact));
    }
    if (at + TNI_NARROW_AHEAD / 2 < order->count) {
        const tni_contact *contact =
            tni_contact_at(world, order->kept[at + TNI_NARROW_AHEAD / 2].contact);
        const uint32_t ends[2] = {contact->body_a, contact->body_b};
        for (int e = 0; e < 2; ++e) {
            TNI_PREFETCH(&tni_body_at(world, ends[e])->position);
            TNI_PREFETCH(&tni_body_at(world, ends[e])->solver_index);
        }
    }
}

static void contacts_fill(const tn_world *world, const tni_kept_contact *kept, float scale,
                          tni_contact_record *record) {
    const tni_contact *contact = tni_contact_at(world, kept->contact);
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

static bool contacts_allocate(tn_world *world, tni_solver *solver, const tni_contact_order *order) {
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

// What loops over contacts ask for, and clusters while they are run.
typedef struct contacts_pass {
    tn_world *world;
    tni_solver *solver;
    tni_contact_order order;
    float scale;        // of impulses, for a substep of another length
    bool *has_bouncing; // by part of what is kept
    bool *is_hit;       // of what is shut: it was hit fast enough
    contacts_sum *sums; // by part of what is in no cluster, then by cluster
} contacts_pass;

// Returns whether it bounces.
static bool contacts_fill_kept(const contacts_pass *pass, const tni_kept_contact *kept) {
    tni_contact_record *record = &pass->solver->contact_records[kept->index];
    contacts_fill(pass->world, kept, pass->scale, record);
    record->is_static = kept->is_static;
    tni_contact_gate_make(record, &pass->solver->contact_gates[kept->index]);
    return record->restitution > 0.0f;
}

static void contacts_fill_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const contacts_pass *pass = context;
    const tni_contact_order *order = &pass->order;
    for (uint32_t part = first; part < last; ++part) {
        bool has_bouncing = false;
        for (uint32_t k = part * CONTACTS_PART; k < order->count && k < (part + 1) * CONTACTS_PART;
             ++k) {
            if (order->kept[k].index < order->own_count) {
                contacts_fetch(pass->world, order, k);
                has_bouncing |= contacts_fill_kept(pass, &order->kept[k]);
            }
        }
        pass->has_bouncing[part] = has_bouncing;
    }
}

// Where each group begins, and the place of each contact in them.
static void contacts_set_groups(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const contacts_pass *pass = context;
    const tni_contact_order *order = &pass->order;
    for (uint32_t g = first; g < last; ++g) {
        tni_contact_group *group = &pass->solver->contact_groups[g];
        group->first = order->groups[g];
        group->count = (uint16_t)(order->groups[g + 1] - group->first);
        group->is_static = pass->solver->contact_records[group->first].is_static;
        for (uint32_t lane = 0; lane < group->count; ++lane) {
            pass->solver->contact_gates[group->first + lane].slot = g * TNI_CONTACTS + lane;
        }
    }
}

// A part at once, whose contacts lie together in `kept`, too.
static void contacts_fill_turns(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const contacts_pass *pass = context;
    const tni_contact_order *order = &pass->order;
    for (uint32_t turn = first; turn < last; ++turn) {
        uint32_t from = turn > 0 ? order->turn_ends[turn - 1] : 0, to = order->turn_ends[turn];
        bool has_bouncing = false;
        for (uint32_t k = order->groups[from]; k < order->groups[to]; ++k) {
            contacts_fetch(pass->world, order, k);
            has_bouncing |= contacts_fill_kept(pass, &order->kept[k]);
        }
        pass->has_bouncing[turn] = has_bouncing;
        contacts_set_groups(from, to, worker, context);
    }
}

static uint32_t contacts_list_bouncing(const tni_solver *solver, uint32_t first, uint32_t count,
                                       uint32_t *bouncing) {
    uint32_t found = 0;
    for (uint32_t i = first; i < first + count; ++i) {
        if (solver->contact_records[i].restitution > 0.0f) {
            bouncing[found++] = i;
        }
    }
    return found;
}

static void contacts_load_cluster(uint32_t index, void *context) {
    const contacts_pass *pass = context;
    const tni_contact_order *order = &pass->order;
    tni_cluster *cluster = &pass->solver->clusters[index];
    uint32_t last = cluster->first_contact + cluster->contact_count;
    bool has_bouncing = false;
    for (uint32_t i = cluster->first_contact; i < last; ++i) {
        if (i + TNI_NARROW_AHEAD < last) {
            uint32_t next = order->kept[order->kept_at[i + TNI_NARROW_AHEAD]].contact;
            tni_narrow_fetch(tni_contact_at(pass->world, next), sizeof(tni_contact));
        }
        has_bouncing |= contacts_fill_kept(pass, &order->kept[order->kept_at[i]]);
    }
    contacts_set_groups(cluster->first_group, cluster->first_group + cluster->group_count, 0,
                        context);
    cluster->bouncing = pass->solver->bouncing + cluster->first_contact;
    if (has_bouncing) {
        cluster->bouncing_count = contacts_list_bouncing(pass->solver, cluster->first_contact,
                                                         cluster->contact_count, cluster->bouncing);
    }
}

static uint32_t contacts_count_parts(uint32_t count) {
    return (count + CONTACTS_PART - 1) / CONTACTS_PART;
}

static void contacts_store_cluster(uint32_t index, void *context);

static void contacts_take_order(tni_step *step, contacts_pass *pass) {
    tni_solver *solver = &step->solver;
    const tni_contact_order *order = &pass->order;
    solver->contact_count = order->count;
    solver->own_contact_count = order->own_count;
    solver->contact_group_count = order->own_group_count;
    solver->contact_turn_ends = order->turn_ends;
    solver->contact_loop_count = order->loop_count;
    solver->contact_loop_ends = order->loop_ends;
    solver->cluster_count = step->clusters.count;
    solver->clusters = order->clusters;
    solver->load_cluster = contacts_load_cluster;
    solver->store_cluster = contacts_store_cluster;
    solver->cluster_context = pass;
    step->touching = order->touching;
}

bool tni_step_gather_contacts(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    contacts_pass *pass = tni_arena_alloc_zeroed(&world->arena, sizeof *pass);
    if (pass == NULL || !tni_contact_order_find(world, step, &pass->order) ||
        !contacts_allocate(world, solver, &pass->order)) {
        return false;
    }
    bool has_parts = step->parts.levels > 0;
    uint32_t part_count = contacts_count_parts(pass->order.count);
    uint32_t piece_count = has_parts ? pass->order.turn_count : part_count;
    size_t sum_count = (size_t)part_count + step->clusters.count;
    pass->has_bouncing = tni_arena_alloc(&world->arena, piece_count * sizeof *pass->has_bouncing);
    pass->sums = tni_arena_alloc(&world->arena, sum_count * sizeof *pass->sums);
    pass->is_hit = tni_arena_alloc(&world->arena, pass->order.count * sizeof *pass->is_hit);
    if (pass->has_bouncing == NULL || pass->sums == NULL || pass->is_hit == NULL) {
        return false;
    }
    pass->world = world;
    pass->solver = solver;
    pass->scale = world->previous_h > 0.0 ? (float)(solver->dh / world->previous_h) : 1.0f;
    contacts_take_order(step, pass);
    if (solver->own_contact_count > 0) {
        if (has_parts) {
            tni_tasks_run_chain(&world->tasks, contacts_fill_turns, pass->order.loop_ends,
                                pass->order.loop_count, 1, pass);
        } else {
            tni_tasks_run(&world->tasks, contacts_fill_parts, part_count, 1, pass);
            tni_tasks_run(&world->tasks, contacts_set_groups, solver->contact_group_count,
                          CONTACTS_PART, pass);
        }
        if (memchr(pass->has_bouncing, true, piece_count) != NULL) {
            solver->bouncing_count =
                contacts_list_bouncing(solver, 0, solver->own_contact_count, solver->bouncing);
        }
    }
    return true;
}

// ---- back -------------------------------------------------------------------------------------

static void contacts_store(tni_contact *contact, const tni_contact_record *record) {
    for (uint32_t p = 0; p < record->point_count; ++p) {
        contact->normal_impulses[p] = record->impulse[p];
        contact->step_impulses[p] = record->sums.step[p];
    }
    contact->friction_impulse = record->friction_impulse;
    contact->rolling_impulse = record->rolling_impulse;
    contact->step_friction_impulse = record->sums.step_friction;
}

// The fastest point that was pushed, if it came fast enough, or TNI_NONE.
static uint32_t contacts_find_hit(const tn_world *world, const tni_contact_record *record) {
    float speed = world->def.hit_event_threshold;
    uint32_t fastest = TNI_NONE;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        if (record->sums.step[p] > 0.0f && -record->approach_speed[p] > speed) {
            speed = -record->approach_speed[p];
            fastest = p;
        }
    }
    return fastest;
}

// One event per contact.
static void contacts_note_hit(tn_world *world, const tni_contact_record *record) {
    const tni_contact *contact = tni_contact_at(world, record->contact);
    const tni_shape *shape_a = tni_shape_at(world, contact->shape_a);
    const tni_shape *shape_b = tni_shape_at(world, contact->shape_b);
    uint32_t fastest = contacts_find_hit(world, record);
    if (fastest == TNI_NONE || !shape_a->enable_hit_events || !shape_b->enable_hit_events) {
        return;
    }
    float impulse = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        impulse += record->sums.step[p];
    }
    tni_dvec3 point =
        dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[fastest].position));
    tn_hit_event event = {{shape_a->handle},
                          {shape_b->handle},
                          {point.x, point.y, point.z},
                          {record->normal.x, record->normal.y, record->normal.z},
                          -record->approach_speed[fastest],
                          impulse};
    tni_events_add_hit(world, &event);
}

// Contacts from `first` on, before `last`.
static contacts_sum contacts_store_range(const contacts_pass *pass, uint32_t first, uint32_t last) {
    const tni_solver *solver = pass->solver;
    tn_world *world = pass->world;
    contacts_sum sum = {0, false, 0.0};
    for (uint32_t i = first; i < last; ++i) {
        const tni_contact_record *record = &solver->contact_records[i];
        if (i + TNI_NARROW_AHEAD < last && solver->contact_gates[i + TNI_NARROW_AHEAD].is_shut) {
            uint32_t next = solver->contact_records[i + TNI_NARROW_AHEAD].contact;
            tni_narrow_fetch(tni_contact_at(world, next)->normal_impulses, CONTACTS_STORED);
        }
        sum.points += record->point_count;
        if (!solver->contact_gates[i].is_shut) {
            continue; // nothing came of it
        }
        contacts_store(tni_contact_at(world, record->contact), record);
        pass->is_hit[i] = contacts_find_hit(world, record) != TNI_NONE;
        sum.has_hits |= pass->is_hit[i];
        sum.deepest = fmax(sum.deepest, -(double)tni_contact_get_least(solver, i));
    }
    return sum;
}

static uint32_t contacts_get_part_end(const tni_solver *solver, uint32_t part) {
    uint32_t end = (part + 1) * CONTACTS_PART;
    return end < solver->own_contact_count ? end : solver->own_contact_count;
}

static void contacts_store_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const contacts_pass *pass = context;
    for (uint32_t part = first; part < last; ++part) {
        pass->sums[part] = contacts_store_range(pass, part * CONTACTS_PART,
                                                contacts_get_part_end(pass->solver, part));
    }
}

static void contacts_store_cluster(uint32_t index, void *context) {
    const contacts_pass *pass = context;
    const tni_cluster *cluster = &pass->solver->clusters[index];
    uint32_t parts = contacts_count_parts(pass->solver->own_contact_count);
    pass->sums[parts + index] = contacts_store_range(
        pass, cluster->first_contact, cluster->first_contact + cluster->contact_count);
}

static void contacts_note_hits(const contacts_pass *pass, uint32_t first, uint32_t last) {
    const tni_solver *solver = pass->solver;
    for (uint32_t i = first; i < last; ++i) {
        if (solver->contact_gates[i].is_shut && pass->is_hit[i]) {
            contacts_note_hit(pass->world, &solver->contact_records[i]);
        }
    }
}

// In the order of the contacts.
static void contacts_note_all_hits(const contacts_pass *pass, uint32_t parts) {
    const tni_solver *solver = pass->solver;
    for (uint32_t part = 0; part < parts; ++part) {
        if (pass->sums[part].has_hits) {
            contacts_note_hits(pass, part * CONTACTS_PART, contacts_get_part_end(solver, part));
        }
    }
    for (uint32_t c = 0; c < solver->cluster_count; ++c) {
        uint32_t first = solver->clusters[c].first_contact;
        if (pass->sums[parts + c].has_hits) {
            contacts_note_hits(pass, first, first + solver->clusters[c].contact_count);
        }
    }
}

void tni_step_scatter_contacts(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    contacts_pass *pass = solver->cluster_context;
    uint32_t parts = contacts_count_parts(solver->own_contact_count), points = 0;
    double deepest = 0.0;
    tni_tasks_run(&world->tasks, contacts_store_parts, parts, 1, pass);
    // Two loops, for gcc 12 cannot make code for ARM of the two sums in one.
    for (uint32_t i = 0; i < parts + solver->cluster_count; ++i) {
        points += pass->sums[i].points;
    }
    for (uint32_t i = 0; i < parts + solver->cluster_count; ++i) {
        deepest = fmax(deepest, pass->sums[i].deepest);
    }
    if (solver->contact_count > 0) {
        contacts_note_all_hits(pass, parts);
    }
    world->telemetry.contacts = world->awake_contacts.count;
    world->telemetry.manifolds = solver->contact_count;
    world->telemetry.points = points;
    world->telemetry.rows = points + 2 * solver->contact_count;
    world->telemetry.deepest_penetration = deepest;
}
