// world/step/step_contacts.c: makes groups of contacts from manifolds, and stores their results.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "collision/narrow.h"
#include "collision/path/path_hold.h"
#include "solver/contacts/contact_follow.h"
#include "solver/contacts/contact_sweeps.h"
#include "world/bodies.h"
#include "world/collide/contact_lift.h"
#include "world/collide/contact_order.h"
#include "world/collide/narrow.h"
#include "world/contacts.h"
#include "world/records/convert.h"
#include "world/step/step_internal.h"

// The bytes of a contact from its impulses on, which a step writes back.
#define CONTACTS_STORED (sizeof(tni_contact) - offsetof(tni_contact, normal_impulses))

// A part of a loop has this many contacts, which take some microseconds.
#define CONTACTS_PART 64u

// The sums over a part of the contacts.
typedef struct contacts_sum {
    uint32_t points, hits;
    double deepest; // m
    tni_contact_residual residual;
} contacts_sum;

static uint32_t contacts_solver_body(const tni_body *record) {
    return record->awake_index != TNI_NONE ? record->solver_index : 0;
}

// Returns the contact's origin from the centre of mass. The difference is taken in double: far from
// the world's origin both are large numbers.
static vec3s contacts_get_origin(const tni_contact *contact, const tni_body *body) {
    return dvec3_to_float(dvec3_sub(contact->origin, body->position));
}

// Flushes tiny components, the round-off of bodies at rest, to 0, because products would make
// denormal numbers of them: see MATHS_TINY.
static vec3s contacts_flush(vec3s v) {
    return maths_vec3(maths_to_float((double)v.x), maths_to_float((double)v.y),
                      maths_to_float((double)v.z));
}

// ---- gather -----------------------------------------------------------------------------------

TNI_KERNEL void contacts_fetch(const tn_world *world, uint32_t contact) {
    tni_narrow_fetch(tni_contact_at(world, contact), sizeof(tni_contact));
}

TNI_KERNEL void contacts_fetch_bodies(const tn_world *world, uint32_t index) {
    const tni_contact *contact = tni_contact_at(world, index);
    const uint32_t ends[2] = {contact->body_a, contact->body_b};
    for (int e = 0; e < 2; ++e) {
        TNI_PREFETCH(&tni_body_at(world, ends[e])->position.x);
        TNI_PREFETCH(&tni_body_at(world, ends[e])->position.z);
        TNI_PREFETCH(&tni_body_at(world, ends[e])->solver_index);
    }
}

// Prefetches a contact ahead, and the bodies of a nearer one.
TNI_KERNEL void contacts_fetch_kept(const tn_world *world, const tni_contact_order *order,
                                    uint32_t at) {
    if (at + TNI_NARROW_AHEAD < order->count) {
        contacts_fetch(world, order->kept[at + TNI_NARROW_AHEAD].contact);
    }
    if (at + TNI_NARROW_AHEAD / 2 < order->count) {
        contacts_fetch_bodies(world, order->kept[at + TNI_NARROW_AHEAD / 2].contact);
    }
}

// The same for the contacts of a cluster, before `last`.
TNI_KERNEL void contacts_fetch_clustered(const tn_world *world, const tni_contact_order *order,
                                         uint32_t at, uint32_t last) {
    if (at + TNI_NARROW_AHEAD < last) {
        contacts_fetch(world, order->kept[order->kept_at[at + TNI_NARROW_AHEAD]].contact);
    }
    if (at + TNI_NARROW_AHEAD / 2 < last) {
        contacts_fetch_bodies(world,
                              order->kept[order->kept_at[at + TNI_NARROW_AHEAD / 2]].contact);
    }
}

static void contacts_set_pivot(const tn_world *world, const tni_contact *contact,
                               tni_contact_record *record) {
    const uint32_t shapes[2] = {contact->shape_a, contact->shape_b};
    tni_contact_stand(record);
    for (uint32_t i = 0; i < 2 && tni_manifold_has_line(&contact->manifold); ++i) {
        const tni_shape *shape = tni_shape_at(world, shapes[i]);
        const tni_geometry *geometry = tni_shape_get_geometry(shape);
        if (tni_geometry_may_lie(geometry)) {
            tni_dquat turn = dquat_from_float(geometry->rotation);
            turn = dquat_mul(tni_body_at(world, shape->body)->rotation, turn);
            tni_dvec3 axis = dquat_axis_y(turn);
            if (tni_manifold_lies_along(&contact->manifold, geometry, axis)) {
                tni_contact_lie(record, axis, i == 1);
                return;
            }
        }
    }
}

// Returns the lift, m. Contacts that are made anew, or meet, within the step have none.
TNI_KERNEL float contacts_get_lift(const tni_contact *contact) {
    bool rests =
        contact->follows == TNI_FOLLOWS_NOTHING && !contact->is_walked && !contact->is_soft;
    return rests ? contact->lift : 0.0f;
}

TNI_KERNEL void contacts_fill(const tn_world *world, const tni_kept_contact *kept, float scale,
                              tni_contact_record *record) {
    const tni_contact *contact = tni_contact_at(world, kept->contact);
    const tni_manifold *manifold = &contact->manifold;
    memset(record, 0, offsetof(tni_contact_record, approach_speed));
    record->contact = kept->contact;
    record->place = kept->place;
    const tni_body *a = tni_body_at(world, contact->body_a);
    const tni_body *b = tni_body_at(world, contact->body_b);
    record->body_a = contacts_solver_body(a);
    record->body_b = contacts_solver_body(b);
    record->point_count = (uint16_t)manifold->point_count;
    record->friction = contact_get_friction(contact);
    record->extras =
        contact->has_extras ? &tni_contact_memory_at(world, kept->contact)->extras : NULL;
    record->restitution = contact->restitution;
    record->rolling_resistance = contact->rolling_resistance;
    record->twisting_resistance = contact->twisting_resistance;
    record->normal = contacts_flush(manifold->normal);
    record->friction_impulse = contacts_flush(glms_vec3_scale(contact->friction_impulse, scale));
    record->rolling_impulse = glms_vec3_scale(contact->rolling_impulse, scale);
    bool is_tied = a->joint_head != TNI_NONE || b->joint_head != TNI_NONE;
    record->borne = is_tied ? -1.0f : scale * maths_max(contact->borne, 0.0f);
    vec3s from_a = contacts_get_origin(contact, a);
    vec3s from_b = contacts_get_origin(contact, b);
    record->time = contact->is_walked ? tni_contact_memory_at(world, kept->contact)->time : 0.0f;
    record->offset = contact->is_walked ? tni_contact_memory_at(world, kept->contact)->offset
                                        : glms_vec3_sub(from_b, from_a);
    float lift = contacts_get_lift(contact);
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        const tni_manifold_point *point = &manifold->points[p];
        record->arm.x[p] = from_a.x + point->position.x;
        record->arm.y[p] = from_a.y + point->position.y;
        record->arm.z[p] = from_a.z + point->position.z;
        record->separation[p] = point->separation - lift;
        record->impulse[p] = scale * contact->normal_impulses[p];
    }
    contacts_set_pivot(world, contact, record);
}

// Returns the radius with which the points go round on a shape's surface. Three points and more lie
// on a face, which carries them.
static float contacts_get_radius(const tn_world *world, const tni_contact *contact, uint32_t index,
                                 bool is_b) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_geometry *geometry = &shape->geometry;
    if (!tni_geometry_is_curved(geometry)) {
        return tni_geometry_roundness(geometry);
    }
    if (contact->manifold.point_count > 2) {
        return geometry->rounding;
    }
    const tni_body *body = tni_body_at(world, shape->body);
    tni_dquat turn = dquat_mul(body->rotation, dquat_from_float(geometry->rotation));
    tni_dvec3 n = dvec3_from_float(contact->manifold.normal);
    n = dquat_rotate_inverse(turn, is_b ? dvec3_scale(n, -1.0) : n);
    tni_dvec3 spin = dquat_rotate_inverse(turn, body->angular_velocity);
    return tni_geometry_get_roll_radius(geometry, dvec3_to_float(n), dvec3_to_float(spin),
                                        tni_manifold_has_line(&contact->manifold));
}

// Sets the radii of round surfaces, and the body with which the normal turns: see
// solver/contacts/contact_arms.h. A pair of boxes or hulls knows its axis.
static void contacts_fill_turning(const tn_world *world, const tni_contact *contact,
                                  tni_contact_record *record) {
    uint16_t kind = contact->cache.axis_kind;
    if (kind == NARROW_AXIS_NONE || kind == NARROW_AXIS_FREE) {
        const tni_geometry *a = &tni_shape_at(world, contact->shape_a)->geometry;
        const tni_geometry *b = &tni_shape_at(world, contact->shape_b)->geometry;
        record->radius_a = contacts_get_radius(world, contact, contact->shape_a, false);
        record->radius_b = contacts_get_radius(world, contact, contact->shape_b, true);
        record->rolls = tni_geometry_is_curved(a) || tni_geometry_is_curved(b);
        bool is_of_a = a->type == TNI_GEOMETRY_HALF_SPACE;
        record->face = is_of_a ? -1 : b->type == TNI_GEOMETRY_HALF_SPACE ? 1 : 0;
    } else if (!contact->is_walked) { // a walked contact may have another axis
        record->face = kind == NARROW_AXIS_FACE_A ? -1 : kind == NARROW_AXIS_FACE_B ? 1 : 0;
    }
}

void tni_step_fill_contact(const tn_world *world, const tni_kept_contact *kept, float scale,
                           tni_contact_record *record) {
    contacts_fill(world, kept, scale, record);
    record->is_static = kept->is_static;
    contacts_fill_turning(world, tni_contact_at(world, kept->contact), record);
    if (record->restitution > 0.0f) {
        memcpy(record->gap_then, tni_contact_memory_at(world, kept->contact)->gaps,
               sizeof record->gap_then);
    }
}

// Allocates the rows of contacts in no cluster, and for each worker those of one cluster.
static bool contacts_allocate_rows(tn_world *world, tni_solver *solver,
                                   const tni_contact_order *order) {
    tni_arena *arena = &world->arena;
    size_t own = order->own_count, own_groups = order->own_group_count;
    size_t workers = world->def.worker_count, contacts = 0, groups = 0;
    for (uint32_t c = 0; c < solver->clusters.count; ++c) {
        const tni_cluster *cluster = &order->clusters[c];
        contacts = cluster->contact_count > contacts ? cluster->contact_count : contacts;
        groups = cluster->group_count > groups ? cluster->group_count : groups;
    }
    solver->clusters.most_contacts = (uint32_t)contacts;
    solver->clusters.most_groups = (uint32_t)groups;
    solver->contacts.records = tni_arena_alloc(arena, own * sizeof(tni_contact_record));
    solver->contacts.groups = tni_arena_alloc(arena, own_groups * sizeof(tni_contact_group));
    solver->clusters.records =
        tni_arena_alloc(arena, workers * contacts * sizeof(tni_contact_record));
    solver->clusters.groups = tni_arena_alloc(arena, workers * groups * sizeof(tni_contact_group));
    return solver->contacts.records != NULL && solver->contacts.groups != NULL &&
           solver->clusters.records != NULL && solver->clusters.groups != NULL;
}

static bool contacts_allocate(tn_world *world, tni_solver *solver, const tni_contact_order *order) {
    tni_arena *arena = &world->arena;
    size_t n = order->count, bodies = solver->bodies.count;
    solver->contacts.gates = tni_arena_alloc(arena, n * sizeof(tni_contact_gate));
    solver->contacts.bouncing = tni_arena_alloc(arena, n * sizeof(uint32_t));
    solver->contacts.first_hits = tni_arena_alloc(arena, bodies * sizeof(float));
    solver->contacts.pushes = tni_arena_alloc(arena, bodies * sizeof(tni_contact_push));
    solver->contacts.inertias = tni_arena_alloc(arena, bodies * sizeof(tni_sym3));
    solver->contacts.has_new_inertia = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    solver->contacts.is_pushed = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    return solver->contacts.gates != NULL && solver->contacts.bouncing != NULL &&
           solver->contacts.first_hits != NULL && contacts_allocate_rows(world, solver, order) &&
           solver->contacts.pushes != NULL && solver->contacts.inertias != NULL &&
           solver->contacts.has_new_inertia != NULL && solver->contacts.is_pushed != NULL;
}

// A contact whose bodies met fast enough, and the fastest of its points.
typedef struct contacts_hit {
    uint32_t contact, point;
    float speed; // m/s, closing
    float time;  // s into the step
} contacts_hit;

// The data that loops over contacts need, and clusters while they run.
typedef struct contacts_pass {
    tn_world *world;
    tni_solver *solver;
    tni_contact_order order;
    float scale;                 // the factor of impulses, for a substep of another length
    bool *has_bouncing;          // by part of the kept contacts
    contacts_sum *sums;          // by part of the contacts in no cluster, then by cluster
    contacts_hit *hits;          // by contact: those of a part or a cluster begin at its first
    tni_contact_follow *follows; // by number, or null
} contacts_pass;

static void contacts_set_follow_end(const tn_world *world, uint32_t index, uint32_t solver_body,
                                    tni_contact_follow_end *end) {
    const tni_shape *shape = tni_shape_at(world, index);
    const tni_body *body = tni_body_at(world, shape->body);
    end->geometry = tni_shape_get_geometry(shape);
    end->is_fixed = solver_body == 0;
    end->reach = shape->turn_reach;
    end->center = body->position;
    tni_dvec3 local = dvec3_sub(dvec3_from_float(end->geometry->position), body->local_center);
    end->position = local;
    end->rotation = dquat_from_float(end->geometry->rotation);
    if (end->is_fixed) {
        end->position = dvec3_add(body->position, dquat_rotate(body->rotation, local));
        end->rotation = dquat_mul(body->rotation, end->rotation);
    }
}

// Turns an arm from a body's centre of mass into its frame; for a fixed body, into a world point.
static tni_dvec3 contacts_turn_back(const tni_body *body, bool is_fixed, tni_dvec3 arm) {
    return is_fixed ? dvec3_add(body->position, arm) : dquat_rotate_inverse(body->rotation, arm);
}

static void contacts_set_plane(const tn_world *world, const tni_contact *contact,
                               const tni_contact_record *record, tni_contact_follow *follow) {
    const tni_geometry *a = tni_shape_get_geometry(tni_shape_at(world, contact->shape_a));
    const tni_geometry *b = tni_shape_get_geometry(tni_shape_at(world, contact->shape_b));
    bool is_of_b = follow->is_of_b = !tni_geometry_may_roll(a);
    const tni_body *round = tni_body_at(world, is_of_b ? contact->body_b : contact->body_a);
    const tni_body *flat = tni_body_at(world, is_of_b ? contact->body_a : contact->body_b);
    bool is_fixed = is_of_b ? follow->a.is_fixed : follow->b.is_fixed;
    tni_dvec3 n = dvec3_from_float(record->normal); // out of the plane
    n = is_of_b ? n : dvec3_scale(n, -1.0);
    follow->normal = is_fixed ? n : dquat_rotate_inverse(flat->rotation, n);
    follow->radius = (double)tni_geometry_roundness(is_of_b ? b : a);
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        const tni_manifold_point *point = &contact->manifold.points[p];
        tni_dvec3 at = dvec3_add(contact->origin, dvec3_from_float(point->position));
        double half = 0.5 * (double)point->separation;
        tni_dvec3 core = dvec3_sub(dvec3_add_scaled(at, half + follow->radius, n), round->position);
        follow->cores[p] = dquat_rotate_inverse(round->rotation, core);
        if (p == 0) {
            tni_dvec3 surface = dvec3_sub(dvec3_add_scaled(at, -half, n), flat->position);
            follow->surface = contacts_turn_back(flat, is_fixed, surface);
        }
    }
}

// Returns whether the shape turns farther in the step than gaps can follow.
static bool contacts_turns_far(const tn_world *world, uint32_t shape) {
    const tni_shape_motion *motion = tni_shape_motion_at(world, shape);
    return motion->is_awake && motion->turn_reach > (float)TNI_PATH_FAR_TURN;
}

static void contacts_set_follow(const tn_world *world, const tni_contact *contact,
                                tni_contact_record *record, tni_contact_follow *follow) {
    record->follow = follow;
    contacts_set_follow_end(world, contact->shape_a, record->body_a, &follow->a);
    contacts_set_follow_end(world, contact->shape_b, record->body_b, &follow->b);
    follow->margin = world->def.contact_margin;
    follow->looks = tni_contact_memory_at(world, record->contact)->looks;
    follow->has_met = follow->is_new = false;
    follow->turns_far =
        contacts_turns_far(world, contact->shape_a) || contacts_turns_far(world, contact->shape_b);
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        follow->features[p] = contact->manifold.points[p].feature;
    }
    follow->is_plane = contact->follows == TNI_FOLLOWS_PLANE;
    if (follow->is_plane) {
        contacts_set_plane(world, contact, record, follow);
    }
}

// Fills a contact in as number `index` of a solver. Returns whether it bounces.
static bool contacts_fill_kept(const contacts_pass *pass, const tni_kept_contact *kept,
                               tni_solver *solver, uint32_t index) {
    tni_contact_record *record = &solver->contacts.records[index];
    tni_step_fill_contact(pass->world, kept, pass->scale, record);
    const tni_contact *contact = tni_contact_at(pass->world, kept->contact);
    if (contact->follows != TNI_FOLLOWS_NOTHING) {
        contacts_set_follow(
            pass->world, contact, record,
            &pass->follows[tni_contact_memory_at(pass->world, kept->contact)->follower]);
    }
    tni_contact_gate_make(record, &solver->contacts.gates[index]);
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
            const tni_kept_contact *kept = &order->kept[k];
            if (kept->index < order->own_count) {
                contacts_fetch_kept(pass->world, order, k);
                has_bouncing |= contacts_fill_kept(pass, kept, pass->solver, kept->index);
            }
        }
        pass->has_bouncing[part] = has_bouncing;
    }
}

// Sets where a solver's group g begins, and the slot of each of its contacts. `starts` holds the
// starts of this group and the next, counted from `base`.
static void contacts_set_group(tni_solver *solver, uint32_t g, const uint32_t *starts,
                               uint32_t base) {
    tni_contact_group *group = &solver->contacts.groups[g];
    group->first = starts[0] - base;
    group->count = (uint16_t)(starts[1] - starts[0]);
    group->is_static = solver->contacts.records[group->first].is_static;
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        solver->contacts.gates[group->first + lane].slot = g * TNI_CONTACTS + lane;
    }
}

static void contacts_set_groups(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const contacts_pass *pass = context;
    for (uint32_t g = first; g < last; ++g) {
        contacts_set_group(pass->solver, g, &pass->order.groups[g], 0);
    }
}

// Fills the contacts of some turns of a sweep over parts. They are consecutive in `kept` too.
static void contacts_fill_turns(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const contacts_pass *pass = context;
    const tni_contact_order *order = &pass->order;
    for (uint32_t turn = first; turn < last; ++turn) {
        uint32_t from = turn > 0 ? order->turn_ends[turn - 1] : 0, to = order->turn_ends[turn];
        bool has_bouncing = false;
        for (uint32_t k = order->groups[from]; k < order->groups[to]; ++k) {
            contacts_fetch_kept(pass->world, order, k);
            const tni_kept_contact *kept = &order->kept[k];
            has_bouncing |= contacts_fill_kept(pass, kept, pass->solver, kept->index);
        }
        pass->has_bouncing[turn] = has_bouncing;
        contacts_set_groups(from, to, worker, context);
    }
}

static uint32_t contacts_list_bouncing(const tni_solver *solver, uint32_t count,
                                       uint32_t *bouncing) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (solver->contacts.records[i].restitution > 0.0f) {
            bouncing[found++] = i;
        }
    }
    return found;
}

static bool contacts_go_by_residual(const tn_world *world) {
    return world->def.contact_iterations == 0 &&
           world->def.contact_bias.mode != TN_BIAS_MODE_BAUMGARTE;
}

static void contacts_load_cluster(uint32_t index, tni_solver *its, void *context) {
    const contacts_pass *pass = context;
    const tni_contact_order *order = &pass->order;
    const tni_cluster *cluster = &order->clusters[index];
    uint32_t first = cluster->first_contact, last = first + cluster->contact_count;
    bool has_bouncing = false;
    uint32_t sweeps = TNI_CONTACT_SWEEPS_LEAST;
    for (uint32_t i = first; i < last; ++i) {
        contacts_fetch_clustered(pass->world, order, i, last);
        const tni_kept_contact *kept = &order->kept[order->kept_at[i]];
        uint32_t own = tni_contact_at(pass->world, kept->contact)->sweeps;
        sweeps = own > sweeps ? own : sweeps;
        has_bouncing |= contacts_fill_kept(pass, kept, its, i - first);
    }
    if (contacts_go_by_residual(pass->world)) {
        its->settings.contact_iterations = contact_sweeps_count(sweeps);
    }
    for (uint32_t g = 0; g < cluster->group_count; ++g) {
        contacts_set_group(its, g, &order->groups[cluster->first_group + g], first);
    }
    if (has_bouncing) {
        its->contacts.bouncing_count =
            contacts_list_bouncing(its, cluster->contact_count, its->contacts.bouncing);
    }
}

static uint32_t contacts_count_parts(uint32_t count) {
    return (count + CONTACTS_PART - 1) / CONTACTS_PART;
}

static void contacts_store_cluster(uint32_t index, tni_solver *its, void *context);

static void contacts_take_order(tni_step *step, contacts_pass *pass) {
    tni_solver *solver = &step->solver;
    const tni_contact_order *order = &pass->order;
    solver->contacts.count = order->count;
    solver->contacts.own_count = order->own_count;
    solver->contacts.bouncing_count = 0;
    solver->contacts.group_count = order->own_group_count;
    solver->contacts.turn_ends = order->turn_ends;
    solver->contacts.loop_count = order->loop_count;
    solver->contacts.loop_ends = order->loop_ends;
    solver->clusters.count = step->clusters.count;
    solver->clusters.clusters = order->clusters;
    solver->clusters.load = contacts_load_cluster;
    solver->clusters.store = contacts_store_cluster;
    solver->clusters.context = pass;
    step->touching = order->touching;
    step->order = order;
}

bool tni_step_gather_contacts(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    contacts_pass *pass = tni_arena_alloc_zeroed(&world->arena, sizeof *pass);
    if (pass == NULL || !tni_contact_order_find(world, step, &pass->order)) {
        return false;
    }
    contacts_take_order(step, pass);
    if (!contacts_allocate(world, solver, &pass->order)) {
        return false;
    }
    bool has_parts = step->parts.levels > 0;
    uint32_t chunks = contacts_count_parts(pass->order.count);
    uint32_t piece_count = has_parts ? pass->order.turn_count : chunks;
    size_t sum_count = (size_t)chunks + step->clusters.count;
    pass->has_bouncing = tni_arena_alloc(&world->arena, piece_count * sizeof *pass->has_bouncing);
    pass->sums = tni_arena_alloc(&world->arena, sum_count * sizeof *pass->sums);
    pass->hits = tni_arena_alloc(&world->arena, pass->order.count * sizeof *pass->hits);
    if (world->follower_count > 0) {
        pass->follows =
            tni_arena_alloc(&world->arena, world->follower_count * sizeof *pass->follows);
        if (pass->follows == NULL) {
            return false;
        }
        memset(pass->follows, 0, world->follower_count * sizeof *pass->follows);
        solver->contacts.follows = pass->follows;
        solver->contacts.follow_count = world->follower_count;
    }
    if (pass->has_bouncing == NULL || pass->sums == NULL || pass->hits == NULL ||
        !tni_events_reserve_hits(world, pass->order.count + solver->movers.span_contact_count)) {
        return false;
    }
    pass->world = world;
    pass->solver = solver;
    pass->scale = (float)step_contact_impulse_scale(world, solver);
    if (solver->contacts.own_count > 0) {
        if (has_parts) {
            solver->batches.part_count = part_count(&step->parts);
            tni_parts_run_turns(solver, contacts_fill_turns, pass);
        } else {
            tni_tasks_run(&world->tasks, contacts_fill_parts, chunks, 1, pass);
            tni_tasks_run(&world->tasks, contacts_set_groups, solver->contacts.group_count,
                          CONTACTS_PART, pass);
        }
        if (memchr(pass->has_bouncing, true, piece_count) != NULL) {
            solver->contacts.bouncing_count = contacts_list_bouncing(
                solver, solver->contacts.own_count, solver->contacts.bouncing);
        }
    }
    return true;
}

// ---- back -------------------------------------------------------------------------------------

// Keeps for the step the manifold that a contact found when it looked before it pushed.
static void contacts_store_meeting(tni_contact *contact, const tni_contact_follow *follow) {
    contact->manifold = follow->manifold;
    vec3s from = dvec3_to_float(dvec3_sub(follow->origin, contact->origin));
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        tni_manifold_point *point = &contact->manifold.points[p];
        point->position = glms_vec3_add(from, point->position);
    }
    contact->is_remembered = false;
}

static void contacts_store(tni_contact *contact, const tni_contact_record *record) {
    if (record->follow != NULL && record->follow->has_met) {
        contacts_store_meeting(contact, record->follow);
    }
    for (uint32_t p = 0; p < record->point_count; ++p) {
        contact->normal_impulses[p] = record->impulse[p];
        contact->step_impulses[p] = record->sums.step[p];
    }
    contact->friction_impulse = record->friction_impulse;
    contact->rolling_impulse = record->rolling_impulse;
    contact->borne = record->borne;
    contact->step_friction_impulse = record->sums.step_friction;
}

// Returns the fastest point that was pushed, if it came fast enough, or TNI_NONE.
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

// Adds the contact's one hit event.
static void contacts_tell_hit(tn_world *world, const contacts_hit *hit) {
    const tni_contact *contact = tni_contact_at(world, hit->contact);
    const tni_shape *shape_a = tni_shape_at(world, contact->shape_a);
    const tni_shape *shape_b = tni_shape_at(world, contact->shape_b);
    if (!shape_a->has_hit_events || !shape_b->has_hit_events) {
        return;
    }
    float impulse = 0.0f;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        impulse += contact->step_impulses[p];
    }
    vec3s normal = contacts_flush(contact->manifold.normal);
    tni_dvec3 point =
        dvec3_add(contact->origin, dvec3_from_float(contact->manifold.points[hit->point].position));
    tn_hit_event event = {{shape_a->handle},
                          {shape_b->handle},
                          {point.x, point.y, point.z},
                          convert_from_float(normal),
                          hit->speed,
                          impulse,
                          hit->time};
    tni_events_add_hit(world, &event);
}

// Returns whether one of its bodies turns on the other.
static bool contacts_turns(const tni_solver *solver, const tni_contact_record *record) {
    vec3s w_a = solver->bodies.states[record->body_a].w,
          w_b = solver->bodies.states[record->body_b].w;
    float most = LIFT_TURN * solver->inv_h;
    return glms_vec3_norm2(glms_vec3_sub(w_b, w_a)) > most * most;
}

// Updates the contact's lift, which only sweeps need: mechanisms let nothing sink.
static void contacts_lift(tni_contact *contact, const tni_solver *solver, uint32_t index) {
    const tni_contact_record *record = &solver->contacts.records[index];
    bool is_swept = !solver->contacts.gates[index].is_touch;
    float sink = is_swept ? record->sums.sink : 0.0f;
    float lift = is_swept ? contacts_get_lift(contact) : 0.0f;
    float next = tni_contact_lift_follow(lift, sink, solver->substeps);
    contact->lift = contacts_turns(solver, record) ? maths_min(lift, next) : next;
}

void tni_step_store_contact(tn_world *world, const tni_contact_record *record) {
    tni_contact *contact = tni_contact_at(world, record->contact);
    contacts_store(contact, record);
    contact->lift = 0.0f;
    uint32_t point = contacts_find_hit(world, record);
    if (point != TNI_NONE) {
        contacts_tell_hit(world,
                          &(contacts_hit){record->contact, point, -record->approach_speed[point],
                                          record->sums.time});
    }
}

static void contacts_add_residual(const tni_contact_group *group, tni_contact_residual *sum) {
    sum->change += (double)group->change;
    sum->slow_load += (double)group->slow_load;
    sum->load += (double)group->load;
}

// Stores the contacts of a solver from `first` to before `last`. Hits go to `hits`.
static contacts_sum contacts_store_range(tn_world *world, const tni_solver *solver, uint32_t first,
                                         uint32_t last, contacts_hit *hits) {
    contacts_sum sum = {0};
    for (uint32_t i = first; i < last; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        tni_contact_gate *gate = &solver->contacts.gates[i];
        if (i + TNI_NARROW_AHEAD < last && solver->contacts.gates[i + TNI_NARROW_AHEAD].is_shut) {
            uint32_t next = solver->contacts.records[i + TNI_NARROW_AHEAD].contact;
            tni_narrow_fetch(tni_contact_at(world, next)->normal_impulses, CONTACTS_STORED);
        }
        sum.points += record->point_count;
        if (gate->slot % TNI_CONTACTS == 0) {
            contacts_add_residual(&solver->contacts.groups[gate->slot / TNI_CONTACTS],
                                  &sum.residual);
        }
        tni_contact *contact = tni_contact_at(world, record->contact);
        if (!gate->is_shut) {
            contact->lift = 0.0f;
            continue; // it has nothing else to store
        }
        contacts_store(contact, record);
        gate->least = tni_contact_get_least(solver, i) + contacts_get_lift(contact);
        contacts_lift(contact, solver, i);
        sum.deepest = maths_max_d(sum.deepest, -(double)gate->least);
        uint32_t point = contacts_find_hit(world, record);
        if (point != TNI_NONE) {
            float speed = -record->approach_speed[point];
            hits[sum.hits++] = (contacts_hit){record->contact, point, speed, record->sums.time};
        }
    }
    return sum;
}

static uint32_t contacts_get_part_end(const tni_solver *solver, uint32_t part) {
    uint32_t end = (part + 1) * CONTACTS_PART;
    return end < solver->contacts.own_count ? end : solver->contacts.own_count;
}

static void contacts_store_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const contacts_pass *pass = context;
    for (uint32_t part = first; part < last; ++part) {
        uint32_t begin = part * CONTACTS_PART;
        pass->sums[part] =
            contacts_store_range(pass->world, pass->solver, begin,
                                 contacts_get_part_end(pass->solver, part), pass->hits + begin);
    }
}

// Returns the sweeps that a cluster had, in eighths.
static uint32_t contacts_get_sweeps(const tn_world *world, const tni_solver *its) {
    uint32_t sweeps = TNI_CONTACT_SWEEPS_LEAST;
    bool is_least = its->settings.contact_iterations == contact_sweeps_count(sweeps);
    for (uint32_t i = 0; i < its->contacts.count && !is_least; ++i) {
        uint32_t own = tni_contact_at(world, its->contacts.records[i].contact)->sweeps;
        sweeps = own > sweeps ? own : sweeps;
    }
    return sweeps;
}

// Notes a cluster's sweeps for the next step at its contacts. In a cluster that keeps the least
// number, as most do, they know no other.
static void contacts_note_sweeps(tn_world *world, const tni_solver *its,
                                 const tni_contact_residual *residual) {
    uint32_t sweeps = contacts_get_sweeps(world, its);
    uint32_t next = tni_contact_sweeps_choose(sweeps, residual);
    bool is_known = sweeps == TNI_CONTACT_SWEEPS_LEAST && next == sweeps;
    for (uint32_t i = 0; i < its->contacts.count && !is_known; ++i) {
        tni_contact_at(world, its->contacts.records[i].contact)->sweeps = (uint16_t)next;
    }
}

static void contacts_store_cluster(uint32_t index, tni_solver *its, void *context) {
    const contacts_pass *pass = context;
    const tni_cluster *cluster = &pass->solver->clusters.clusters[index];
    uint32_t parts = contacts_count_parts(pass->solver->contacts.own_count);
    contacts_sum *sum = &pass->sums[parts + index];
    *sum = contacts_store_range(pass->world, its, 0, cluster->contact_count,
                                pass->hits + cluster->first_contact);
    if (contacts_go_by_residual(pass->world)) {
        contacts_note_sweeps(pass->world, its, &sum->residual);
    }
}

// Adds hit events in the order of the contacts.
static void contacts_tell_hits(const contacts_pass *pass, uint32_t parts) {
    const tni_solver *solver = pass->solver;
    for (uint32_t i = 0; i < parts + solver->clusters.count; ++i) {
        uint32_t first =
            i < parts ? i * CONTACTS_PART : solver->clusters.clusters[i - parts].first_contact;
        for (uint32_t k = 0; k < pass->sums[i].hits; ++k) {
            contacts_tell_hit(pass->world, &pass->hits[first + k]);
        }
    }
}

// Chooses the sweeps over contacts in no cluster for the next step.
static void contacts_choose_sweeps(tn_world *world, const contacts_pass *pass, uint32_t parts) {
    tni_contact_residual sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < parts; ++i) {
        sum.change += pass->sums[i].residual.change;
        sum.slow_load += pass->sums[i].residual.slow_load;
        sum.load += pass->sums[i].residual.load;
    }
    world->contact_sweeps = tni_contact_sweeps_choose(world->contact_sweeps, &sum);
}

void tni_step_scatter_contacts(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    contacts_pass *pass = solver->clusters.context;
    uint32_t parts = contacts_count_parts(solver->contacts.own_count), points = 0;
    double deepest = 0.0;
    tni_tasks_run(&world->tasks, contacts_store_parts, parts, 1, pass);
    // There are two loops because gcc 12 fails to compile both sums in one for ARM.
    for (uint32_t i = 0; i < parts + solver->clusters.count; ++i) {
        points += pass->sums[i].points;
    }
    for (uint32_t i = 0; i < parts + solver->clusters.count; ++i) {
        deepest = maths_max_d(deepest, pass->sums[i].deepest);
    }
    contacts_choose_sweeps(world, pass, parts);
    if (solver->contacts.count > 0) {
        contacts_tell_hits(pass, parts);
    }
    world->telemetry.contacts = world->awake_contacts.count;
    world->telemetry.manifolds = solver->contacts.count;
    world->telemetry.points = points;
    world->telemetry.rows = points + 2 * solver->contacts.count;
    world->telemetry.deepest_penetration = deepest;
}
