// world/collide/manifold_update.c: does the narrow phase of all awake contacts, once per step.
//
// Each contact is computed by itself, on any worker, and writes only itself. Then one thread walks
// the parts with news in order: events, waking, and the end of contacts whose boxes parted.
//
// A pair is computed relative to an origin near it (the middle of the moving shape), so that floats
// are as good far from the world's origin as near it. With n from a to b and r_a, r_b the arms of a
// point, the gap there closes at
//
//     -s' = n . (v_a + w_a x r_a - v_b - w_b x r_b)
//
// and the surfaces meet within the step when s + s' dt <= 0, with turning limited to the arm's
// length. Points are sought as far ahead as the bodies can go, so that a fast body is stopped
// at the surface and not behind it.
// Test: tests/world/collide/test_manifold_update.c
#include <string.h>

#include "solver/contacts/contact_follow.h"
#include "world/bodies.h"
#include "world/collide/contact_ghosts.h"
#include "world/collide/contact_hand_on.h"
#include "world/collide/contact_path.h"
#include "world/contacts.h"

// The number of contacts in one part of the list, and of bodies, that is worth another worker.
#define UPDATE_PART       64u
#define UPDATE_MIN_BODIES 128u
// Suspects are tried in at most this many rounds.
#define UPDATE_GHOST_ROUNDS 3u
// Memory is fetched for this many contacts ahead of the one that ends.
#define UPDATE_AHEAD 8u
// m: a touching contact may open by this much, so that a contact at rest does not flicker.
#define UPDATE_OPEN_GAP 0.0005
// Rounding may leave shapes that were put together this far apart, as a share of the larger one's
// size, and at most the second number, m.
#define UPDATE_PLACED      5e-7f
#define UPDATE_PLACED_MOST 1e-5f
// A factor of float bounds that leaves room for their round-off.
#define UPDATE_ROUND_OFF 1.0001f

// Notes on a part of the list, with a bit for each contact.
typedef struct update_notes {
    uint64_t news;      // began or ended, or may wake a body
    uint64_t apart;     // ends at the end of the pass
    uint64_t walked;    // made along the path of its pair
    uint64_t suspects;  // may be a ghost
    uint64_t tried;     // of the suspects, those that are none unless contacts beside them change
    uint64_t followers; // to be made anew in each substep
    uint64_t losers;    // points that bore a load have gone
} update_notes;

typedef struct update_pass {
    tn_world *world;
    double dt;
    uint32_t first, last; // in awake_contacts
    uint32_t moving;      // in awake_bodies: earlier ones are known
    update_notes *notes;  // by part of awake_contacts
} update_pass;

// ---- geometry ---------------------------------------------------------------------------------

// A contact that is being made, and the motions of its shapes.
typedef struct update_pair {
    tni_contact *contact;
    tni_contact_path path;
    float least, most; // m: of the gaps of its points
    bool bears;        // it pushed when it was solved last
} update_pair;

// Returns whether the axis that parted two boxes before still does.
static bool update_is_clear(update_pair *pair) {
    return pair->path.a->is_box && pair->path.b->is_box &&
           tni_contact_is_apart(pair->contact, &pair->path);
}

static tni_frame update_frame(const tni_shape_motion *motion, tni_dvec3 origin) {
    tni_frame frame = {dvec3_to_float(dvec3_sub(motion->center, origin)), motion->rotation};
    return frame;
}

// Returns how far turning by an angle can carry a point of a body along `direction`, on its circle.
static double update_turn_limit(const tni_shape_motion *motion, tni_dvec3 point,
                                tni_dvec3 direction, double turn) {
    tni_dvec3 arm = dvec3_sub(point, tni_shape_motion_get_position(motion));
    double length = dvec3_length(arm);
    return maths_max_d(maths_min_d(turn * length, length - dvec3_dot(arm, direction)), 0.0);
}

// Returns how far turning at the present speed does so.
static double update_turn_way(const tni_shape_motion *motion, tni_dvec3 point, tni_dvec3 direction,
                              double dt) {
    tni_dvec3 arm = dvec3_sub(point, tni_shape_motion_get_position(motion));
    double speed = dvec3_dot(direction, dvec3_cross(motion->angular_velocity, arm));
    return maths_min_d(speed * dt,
                       update_turn_limit(motion, point, direction, (double)motion->turn));
}

// Returns how far the surfaces of a and b approach at a point within dt.
static double update_closing(const update_pair *pair, const tni_manifold_point *p) {
    const tni_contact *contact = pair->contact;
    const tni_shape_motion *a = pair->path.a, *b = pair->path.b;
    tni_dvec3 normal = dvec3_from_float(contact->manifold.normal);
    tni_dvec3 middle = dvec3_add(contact->origin, dvec3_from_float(p->position));
    double half = 0.5 * (double)p->separation;
    double way = dvec3_dot(normal, dvec3_sub(a->velocity, b->velocity)) * pair->path.dt;
    way += update_turn_way(a, dvec3_add_scaled(middle, -half, normal), normal, pair->path.dt);
    tni_dvec3 opposite = dvec3_scale(normal, -1.0);
    way += update_turn_way(b, dvec3_add_scaled(middle, half, normal), opposite, pair->path.dt);
    return maths_max_d(way + pair->path.strain, 0.0);
}

// Returns whether the surfaces meet now or will within dt.
static bool update_is_touching(const update_pair *pair) {
    const tni_contact *contact = pair->contact;
    double tolerance = contact->was_touching ? UPDATE_OPEN_GAP : 0.0;
    if ((double)pair->least - tolerance > (double)(UPDATE_ROUND_OFF * pair->path.reach)) {
        return false;
    }
    for (uint32_t i = 0; i < contact->manifold.point_count; ++i) {
        const tni_manifold_point *p = &contact->manifold.points[i];
        double gap = (double)p->separation - tolerance;
        bool may_close = gap <= (double)(UPDATE_ROUND_OFF * pair->path.reach);
        if (gap <= 0.0 || (may_close && gap <= update_closing(pair, p))) {
            return true;
        }
    }
    return false;
}

// Returns whether a point may close within dt, in whatever direction the bodies are sent.
static bool update_is_reachable(const update_pair *pair, const tni_manifold_point *p) {
    const tni_contact *contact = pair->contact;
    const tni_shape_motion *a = pair->path.a, *b = pair->path.b;
    tni_dvec3 normal = dvec3_from_float(contact->manifold.normal);
    tni_dvec3 middle = dvec3_add(contact->origin, dvec3_from_float(p->position));
    double half = 0.5 * (double)p->separation;
    tni_dvec3 point_a = dvec3_add_scaled(middle, -half, normal);
    tni_dvec3 point_b = dvec3_add_scaled(middle, half, normal);
    tni_dvec3 opposite = dvec3_scale(normal, -1.0);
    double reach = pair->path.way + update_turn_limit(a, point_a, normal, (double)a->turn_reach) +
                   update_turn_limit(b, point_b, opposite, (double)b->turn_reach);
    return p->separation <= (float)reach;
}

// Takes out the points that are farther than the contact margin and cannot close, with their
// impulses: the search used the margin of the whole shapes.
static void update_drop_unreachable(const tn_world *world, const update_pair *pair) {
    tni_contact *contact = pair->contact;
    tni_manifold *manifold = &contact->manifold;
    uint32_t count = 0;
    if (!(pair->most > world->def.contact_margin)) {
        return;
    }
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        const tni_manifold_point *p = &manifold->points[i];
        if (p->separation > world->def.contact_margin && !update_is_reachable(pair, p)) {
            contact->normal_impulses[i] = 0.0f;
            continue;
        }
        if (count < i) {
            manifold->points[count] = *p;
            contact->normal_impulses[count] = contact->normal_impulses[i];
            contact->normal_impulses[i] = 0.0f;
        }
        count += 1;
    }
    manifold->point_count = count;
}

// ---- impulses carried over --------------------------------------------------------------------

static void update_clear_sums(tni_contact *contact) {
    memset(contact->step_impulses, 0, sizeof contact->step_impulses);
    contact->step_friction_impulse = maths_vec3_zero();
}

// The features of a manifold that is to be made anew, 0 for a missing point.
typedef struct update_features {
    uint32_t of[TNI_MANIFOLD_MAX_POINTS];
} update_features;

static update_features update_get_features(const tni_manifold *manifold) {
    update_features features;
    for (uint32_t i = 0; i < TNI_MANIFOLD_MAX_POINTS; ++i) {
        features.of[i] = i < manifold->point_count ? manifold->points[i].feature : 0;
    }
    return features;
}

// Returns whether a contact pushed when last solved. Most contacts of a pile have nothing to match.
static bool update_bears(const tni_contact *contact) {
    uint64_t bits[5]; // the bits of ten floats
    char *to = (char *)bits;
    memcpy(to, contact->normal_impulses, sizeof contact->normal_impulses);
    memcpy(to + 16, &contact->friction_impulse, sizeof(vec3s));
    memcpy(to + 28, &contact->rolling_impulse, sizeof(vec3s));
    return (bits[0] | bits[1] | bits[2] | bits[3] | bits[4]) != 0;
}

// Matches impulses to points. Most pushing contacts keep their points; else all are compared with
// all, without a branch, for the matches cannot be foreseen.
static void update_match_impulses(tni_contact *contact, const update_features *old) {
    update_features now = update_get_features(&contact->manifold);
    float impulses[TNI_MANIFOLD_MAX_POINTS];
    bool has_match = false;
    if (now.of[0] != 0 && memcmp(&now, old, sizeof now) == 0) {
        for (uint32_t i = 1; i < TNI_MANIFOLD_MAX_POINTS; ++i) {
            contact->normal_impulses[i] = now.of[i] != 0 ? contact->normal_impulses[i] : 0.0f;
        }
        return;
    }
    for (uint32_t i = 0; i < TNI_MANIFOLD_MAX_POINTS; ++i) {
        impulses[i] = 0.0f;
        for (uint32_t j = 0; j < TNI_MANIFOLD_MAX_POINTS; ++j) {
            bool is_same = (now.of[i] == old->of[j]) & (now.of[i] != 0);
            impulses[i] = is_same ? contact->normal_impulses[j] : impulses[i];
            has_match |= is_same;
        }
    }
    memcpy(contact->normal_impulses, impulses, sizeof impulses);
    if (!has_match) {
        contact->friction_impulse = maths_vec3_zero();
        contact->rolling_impulse = maths_vec3_zero();
    }
}

// Drops the loads of open points: a blow to come bears nothing yet.
static void update_drop_loads(tni_contact *contact) {
    bool has_load = false;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        bool is_open = (double)contact->manifold.points[p].separation > UPDATE_OPEN_GAP;
        contact->normal_impulses[p] = is_open ? 0.0f : contact->normal_impulses[p];
        has_load |= contact->normal_impulses[p] > 0.0f;
    }
    if (!has_load) {
        contact->borne = 0.0f;
        contact->friction_impulse = maths_vec3_zero();
        contact->rolling_impulse = maths_vec3_zero();
    }
}

// ---- one contact ------------------------------------------------------------------------------

static void update_make_boxes(update_pair *pair) {
    tni_contact *contact = pair->contact;
    tni_manifold *manifold = &contact->manifold;
    tni_dvec3 d = dvec3_sub(pair->path.b->center, pair->path.a->center);
    tni_contact_path_set_boxes(&pair->path);
    tni_manifold_compute_boxes(&pair->path.box_a, &pair->path.box_b, d, pair->path.margin,
                               &contact->cache, manifold);
    if (pair->path.a->is_dynamic) {
        return;
    }
    // The origin is at b's centre.
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        tni_dvec3 position = dvec3_from_float(manifold->points[i].position);
        manifold->points[i].position = dvec3_to_float(dvec3_sub(position, d));
    }
}

static void update_make(const tn_world *world, update_pair *pair) {
    tni_contact *contact = pair->contact;
    contact->origin = pair->path.a->is_dynamic ? pair->path.a->center : pair->path.b->center;
    if (pair->path.a->is_box && pair->path.b->is_box) {
        update_make_boxes(pair);
    } else {
        const tni_shape *a = tni_shape_at(world, contact->shape_a);
        const tni_shape *b = tni_shape_at(world, contact->shape_b);
        tni_frame frame_a = update_frame(pair->path.a, contact->origin);
        tni_frame frame_b = update_frame(pair->path.b, contact->origin);
        tni_manifold_compute(tni_shape_get_geometry(a), &frame_a, tni_shape_get_geometry(b),
                             &frame_b, pair->path.margin, &contact->cache, &contact->manifold);
    }
    tni_contact_remember(contact, &pair->path);
}

static bool update_is_axis(const tni_manifold_cache *a, const tni_manifold_cache *b) {
    return a->axis_kind == b->axis_kind && a->index_a == b->index_a && a->index_b == b->index_b;
}

static void update_measure(update_pair *pair) {
    const tni_manifold *manifold = &pair->contact->manifold;
    pair->least = FLT_MAX;
    pair->most = -FLT_MAX;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        pair->least = maths_min(pair->least, manifold->points[i].separation);
        pair->most = maths_max(manifold->points[i].separation, pair->most);
    }
}

// Follows the pair if its planes do not hold for the step. Returns whether it meets on its path.
static bool update_follow(update_pair *pair) {
    tni_contact *contact = pair->contact;
    contact->is_walked = false;
    contact->follows = TNI_FOLLOWS_NOTHING;
    update_measure(pair);
    if (tni_contact_path_is_short(pair->least, pair->path.a, pair->path.b, pair->path.reach)) {
        return false;
    }
    bool hits = tni_contact_path_follow(&pair->path, contact, pair->least);
    if (contact->is_walked) {
        update_measure(pair);
    }
    return hits;
}

// Returns whether a contact looks before it pushes.
static bool update_looks(const tn_world *world, const tni_contact *contact) {
    uint32_t index = contact->handle & TNI_POOL_INDEX_MASK;
    return contact->follows != TNI_FOLLOWS_NOTHING && tni_contact_memory_at(world, index)->looks;
}

// Returns whether the bodies move alike, except for the speed that gravity gives in the step.
static bool update_is_at_rest(const update_pair *pair) {
    tni_dvec3 v = dvec3_sub(pair->path.a->velocity, pair->path.b->velocity);
    double kick = tni_contact_path_get_kick(&pair->path);
    return dvec3_dot(v, v) < kick * kick;
}

// Closes the gap that the rounding of coordinates leaves between shapes that were put together. A
// pair that falls freely as one would not close it, and a pile of many layers would catch itself
// layer by layer, one in each substep.
static void update_close_placed(const tn_world *world, const update_pair *pair) {
    tni_contact *contact = pair->contact;
    for (uint32_t p = 0; p < contact->manifold.point_count; ++p) {
        float *gap = &contact->manifold.points[p].separation;
        if (*gap > 0.0f && *gap < UPDATE_PLACED_MOST && update_is_at_rest(pair)) {
            float a = tni_shape_at(world, contact->shape_a)->size;
            float b = tni_shape_at(world, contact->shape_b)->size;
            *gap = *gap < UPDATE_PLACED * maths_max(a, b) ? 0.0f : *gap;
        }
    }
}

// Makes the manifold of shapes that may meet. Returns whether they do if their path was followed.
static bool update_manifold(tn_world *world, update_pair *pair) {
    tni_contact *contact = pair->contact;
    update_features old;
    bool bears = update_bears(contact);
    pair->bears = bears;
    if (bears) {
        old = update_get_features(&contact->manifold);
    }
    uint32_t old_count = contact->manifold.point_count;
    bool was_walked = contact->is_walked;
    bool is_same = tni_contact_recycle(contact, &pair->path);
    if (!is_same) {
        tni_manifold_cache axis = contact->cache;
        update_make(world, pair);
        contact->is_confirmed = contact->is_confirmed && update_is_axis(&axis, &contact->cache);
    }
    if (old_count == 0) {
        update_close_placed(world, pair);
    }
    bool hits = update_follow(pair);
    // Points that were dropped in the last step may be back.
    bool may_differ =
        !is_same || contact->is_walked || was_walked || contact->manifold.point_count != old_count;
    if (bears && may_differ) {
        update_match_impulses(contact, &old);
    }
    if (contact->is_walked) {
        update_drop_loads(contact);
    } else if (!update_looks(world, contact) && !tni_contact_is_led(world, contact)) {
        update_drop_unreachable(world, pair);
    }
    return hits;
}

static void update_part(tni_contact *contact) {
    update_clear_sums(contact);
    contact->manifold.point_count = 0;
    contact->borne = 0.0f;
    contact->is_walked = false;
    contact->follows = TNI_FOLLOWS_NOTHING;
    update_match_impulses(contact, &(update_features){{0}});
}

// Updates the contact of shapes that may meet.
static void update_meeting(tn_world *world, update_pair *pair) {
    tni_contact *contact = pair->contact;
    update_clear_sums(contact);
    if (contact->has_extras) {
        tni_contact_set_extras(world, contact);
    }
    bool asks = contact->static_friction > contact->friction;
    bool is_judged = asks && tni_contact_judge_slip(world, contact);
    bool hits = update_manifold(world, pair);
    if (asks && !is_judged) {
        tni_contact_judge_new_slip(world, contact);
    }
    if (world->mixes_materials && contact->has_pre_solve) {
        tni_contact_mix_materials(world, contact);
    }
    bool is_followed = contact->is_walked || update_looks(world, contact);
    contact->is_touching = is_followed ? hits : update_is_touching(pair);
    contact->may_wake = contact->is_touching && pair->path.a->is_awake != pair->path.b->is_awake &&
                        !pair->path.a->is_static && !pair->path.b->is_static;
}

// Returns whether this step's boxes overlap; if not, notes whether the enlarged ones are apart.
static bool update_may_meet(const tn_world *world, tni_awake_contact *entry) {
    entry->is_apart = false;
    if (entry->has_plane) {
        bool may_meet = tni_shapes_may_meet(world, entry->shape_a, entry->shape_b);
        entry->is_apart = !may_meet && !tni_shapes_are_near(world, entry->shape_a, entry->shape_b);
        return may_meet;
    }
    const tni_shape_boxes *a = tni_shape_boxes_at(world, entry->shape_a);
    const tni_shape_boxes *b = tni_shape_boxes_at(world, entry->shape_b);
    if (tni_bounds_overlap(&a->needed, &b->needed)) {
        return true;
    }
    entry->is_apart = !tni_bounds_overlap(&a->enlarged, &b->enlarged);
    return false;
}

// Returns the likely gate of the contact: see tni_contact_gate_make.
static bool update_is_near(const tni_contact *contact, bool is_free) {
    bool is_near = !(contact->restitution > 0.0f) && !(contact->rolling_resistance > 0.0f);
    for (uint32_t p = 0; p < contact->manifold.point_count && !is_free; ++p) {
        is_near = is_near && contact->manifold.points[p].separation > 0.0f &&
                  !(contact->normal_impulses[p] > 0.0f);
    }
    return is_near;
}

// Writes the flags of a contact into the list, once its manifold is made. `is_free`: no point of it
// touches or pushed.
TNI_KERNEL void update_note(tni_awake_contact *entry, const tni_contact *contact, bool is_free) {
    entry->has_points = contact->manifold.point_count > 0;
    entry->is_near = update_is_near(contact, is_free);
    entry->is_quiet = !entry->has_points && !contact->is_touching && !contact->was_touching;
    entry->has_news = contact->is_touching != contact->was_touching || contact->may_wake;
}

// The work that remains to be done for a contact on one thread.
enum {
    UPDATE_WALKED = 1,   // it was made along the path of its pair
    UPDATE_SUSPECT = 2,  // it may be a ghost
    UPDATE_FOLLOWER = 4, // its geometry turns within the step
    UPDATE_LOSER = 8,    // points that bore a load have gone
};

// Takes the points that push if the pair goes so far that they may be left behind.
static bool update_take_before(const tn_world *world, const update_pair *pair, bool may_meet,
                               tni_contact_before *before) {
    const tni_contact *contact = pair->contact;
    bool goes_far = !may_meet || pair->path.way > (double)world->def.contact_margin;
    if (!goes_far || !contact->was_touching || contact->manifold.point_count == 0) {
        return false;
    }
    tni_shape_motion own[2];
    const tni_shape_motion *a = pair->path.a, *b = pair->path.b;
    if (!may_meet) {
        a = tni_shape_get_motion(world, contact->shape_a, pair->path.dt, &own[0]);
        b = tni_shape_get_motion(world, contact->shape_b, pair->path.dt, &own[1]);
    }
    tni_contact_take_before(world, contact, a, b, pair->path.dt, before);
    return before->count > 0;
}

static uint32_t update_contact(tn_world *world, tni_awake_contact *entry, double dt) {
    bool may_meet = update_may_meet(world, entry);
    entry->has_news = false;
    if (!may_meet && entry->is_quiet) {
        return 0;
    }
    tni_contact *contact = tni_contact_at(world, entry->contact);
    tni_shape_motion motion_a, motion_b;
    update_pair pair = {.contact = contact, .path = {.world = world, .dt = dt}};
    if (may_meet) {
        pair.path.a = tni_shape_get_motion(world, entry->shape_a, dt, &motion_a);
        pair.path.b = tni_shape_get_motion(world, entry->shape_b, dt, &motion_b);
        tni_contact_path_reach(&pair.path, contact);
        if (entry->is_quiet && update_is_clear(&pair)) {
            return 0;
        }
        entry->has_static = !pair.path.a->is_dynamic || !pair.path.b->is_dynamic;
    }
    contact->was_touching = contact->is_touching;
    contact->is_disabled = contact->is_touching = contact->may_wake = false;
    tni_contact_before before;
    bool may_lose = update_take_before(world, &pair, may_meet, &before);
    if (may_meet) {
        update_meeting(world, &pair);
    } else if (entry->has_points) {
        update_part(contact);
    }
    update_note(entry, contact, may_meet && !pair.bears && pair.least > 0.0f);
    uint32_t left = contact->is_walked ? UPDATE_WALKED : 0;
    left |= may_lose && tni_contact_note_lost(world, contact, &before) ? UPDATE_LOSER : 0;
    bool is_new = contact->is_walked || contact->is_touching; // other boxes are no ghosts
    bool follows = contact->follows != TNI_FOLLOWS_NOTHING;
    bool may_be_ghost = follows || !entry->has_plane; // a plane has no edges
    bool is_suspect = may_meet && may_be_ghost &&
                      (is_new || !pair.path.a->is_box || !pair.path.b->is_box) &&
                      tni_contact_is_suspect(world, contact, pair.path.a, pair.path.b, dt);
    left |= follows ? UPDATE_FOLLOWER : 0;
    return left | (is_suspect ? UPDATE_SUSPECT : 0);
}

// Fetches the contact at `at` in the list, if it needs work.
TNI_KERNEL void update_fetch(const tn_world *world, uint32_t at, uint32_t last) {
    if (at + TNI_NARROW_AHEAD < last) {
        const tni_awake_contact *entry = &world->awake_contacts.items[at + TNI_NARROW_AHEAD];
        if (entry->has_points) {
            tni_narrow_fetch(tni_contact_at(world, entry->contact), sizeof(tni_contact));
        } else {
            TNI_PREFETCH(tni_contact_at(world, entry->contact));
        }
    }
}

static uint32_t update_get_end(const update_pass *pass, uint32_t part) {
    uint32_t end = (part + 1) * UPDATE_PART;
    return end < pass->last ? end : pass->last;
}

static uint32_t update_get_start(const update_pass *pass, uint32_t part) {
    uint32_t start = part * UPDATE_PART;
    return start > pass->first ? start : pass->first;
}

// Updates parts, counted from that of pass->first.
static void update_parts(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const update_pass *pass = context;
    tn_world *world = pass->world;
    uint32_t base = pass->first / UPDATE_PART;
    uint32_t fetched_end = update_get_end(pass, base + last - 1); // beyond, others write
    for (uint32_t part = base + first; part < base + last; ++part) {
        uint32_t end = update_get_end(pass, part);
        update_notes notes = {0};
        for (uint32_t i = update_get_start(pass, part); i < end; ++i) {
            tni_awake_contact *entry = &world->awake_contacts.items[i];
            update_fetch(world, i, fetched_end);
            uint32_t left = update_contact(world, entry, pass->dt);
            if (left != 0) { // seldom
                notes.walked |= (uint64_t)((left & UPDATE_WALKED) != 0) << i % UPDATE_PART;
                notes.suspects |= (uint64_t)((left & UPDATE_SUSPECT) != 0) << i % UPDATE_PART;
                notes.followers |= (uint64_t)((left & UPDATE_FOLLOWER) != 0) << i % UPDATE_PART;
                notes.losers |= (uint64_t)((left & UPDATE_LOSER) != 0) << i % UPDATE_PART;
            }
            notes.news |= (uint64_t)entry->has_news << i % UPDATE_PART;
            notes.apart |= (uint64_t)entry->is_apart << i % UPDATE_PART;
        }
        pass->notes[part].news = notes.news; // old ones too, if a round began within the part
        pass->notes[part].walked = notes.walked;
        pass->notes[part].suspects = notes.suspects;
        pass->notes[part].followers = notes.followers;
        pass->notes[part].losers = notes.losers;
        pass->notes[part].apart |= notes.apart;
    }
}

// Finds the motions of bodies that woke in this step; the others' were found with their bounds.
static void update_motions(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const update_pass *pass = context;
    tn_world *world = pass->world;
    for (uint32_t i = pass->moving + first; i < pass->moving + last; ++i) {
        tni_body_update_motions(world, world->awake_bodies.items[i], pass->dt);
    }
}

// ---- on one thread, in order ------------------------------------------------------------------

// Wakes a sleeping body when something comes to touch it. A kinematic body that stays in touch lets
// it sleep.
static void update_wake(tn_world *world, const tni_contact *contact) {
    const tni_body *a = tni_body_at(world, contact->body_a),
                   *b = tni_body_at(world, contact->body_b);
    bool is_a_awake = a->awake_index != TNI_NONE, is_b_awake = b->awake_index != TNI_NONE;
    if (is_a_awake == is_b_awake) {
        return; // another contact woke it
    }
    const tni_body *waker = is_a_awake ? a : b;
    if (waker->type == TN_BODY_TYPE_DYNAMIC || !contact->was_touching) {
        tni_body_wake(world, is_a_awake ? contact->body_b : contact->body_a);
    }
}

static void update_tell(tn_world *world, const tni_contact *contact) {
    if (contact->is_touching && !contact->was_touching) {
        if (!contact->has_part) { // else it has been reported
            tni_events_add_begin(world, contact);
        }
    } else if (!contact->is_touching && contact->was_touching) {
        tni_events_add_end(world, contact);
    }
    if (contact->may_wake) {
        update_wake(world, contact);
    }
}

// A function that may change a contact which stands in a body's list with others.
typedef bool (*update_fn)(tn_world *world, uint32_t contact, double dt);

// Writes the flags of a contact that has just been changed.
static void update_note_change(const update_pass *pass, uint32_t part, uint32_t bit) {
    tni_awake_contact *entry = &pass->world->awake_contacts.items[part * UPDATE_PART + bit];
    tni_contact *contact = tni_contact_at(pass->world, entry->contact);
    if (contact->manifold.point_count == 0) {
        update_part(contact);
    }
    contact->may_wake = contact->may_wake && contact->is_touching;
    update_note(entry, contact, false);
    uint64_t mask = (uint64_t)1 << bit, *news = &pass->notes[part].news;
    *news = entry->has_news ? *news | mask : *news & ~mask;
    pass->notes[part].followers |= contact->follows != TNI_FOLLOWS_NOTHING ? mask : 0;
}

// Whatever stands in a dynamic body's list with a contact that changed may be a ghost after all.
static void update_renew_trials(const update_pass *pass, uint32_t body) {
    const tn_world *world = pass->world;
    if (tni_body_at(world, body)->type != TN_BODY_TYPE_DYNAMIC) {
        return;
    }
    for (uint32_t key = tni_body_at(world, body)->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        uint32_t index = tni_contact_at(world, key >> 1)->awake_index;
        if (index != TNI_NONE) {
            pass->notes[index / UPDATE_PART].tried &= ~((uint64_t)1 << index % UPDATE_PART);
        }
    }
}

// Changes a contact, on one thread, as it depends on its bodies' others. Returns whether it did.
static bool update_change(const update_pass *pass, uint32_t part, uint32_t bit, update_fn change) {
    uint32_t index = pass->world->awake_contacts.items[part * UPDATE_PART + bit].contact;
    if (!change(pass->world, index, pass->dt)) {
        return false;
    }
    update_note_change(pass, part, bit);
    const tni_contact *contact = tni_contact_at(pass->world, index);
    update_renew_trials(pass, contact->body_a);
    update_renew_trials(pass, contact->body_b);
    return true;
}

// Tries the suspects of a part that are worth a trial. Returns whether one was a ghost.
static bool update_lay_ghosts_of(const update_pass *pass, uint32_t part) {
    update_notes *notes = &pass->notes[part];
    bool has_changed = false;
    for (uint32_t bit = 0; bit < UPDATE_PART; ++bit) {
        uint64_t mask = (uint64_t)1 << bit;
        if ((notes->suspects & ~notes->tried & mask) == 0) { // a ghost renews trials of others
            continue;
        }
        notes->tried |= mask;
        if (update_change(pass, part, bit, tni_contact_lay_ghost)) {
            notes->suspects &= ~mask;
            has_changed = true;
        }
    }
    return has_changed;
}

// Lays ghosts in rounds: a round ghost that was turned may make ghosts of others.
static void update_lay_ghosts(const update_pass *pass) {
    bool has_changed = true;
    for (uint32_t round = 0; round < UPDATE_GHOST_ROUNDS && has_changed; ++round) {
        has_changed = false;
        for (uint32_t part = pass->first / UPDATE_PART; part * UPDATE_PART < pass->last; ++part) {
            const update_notes *notes = &pass->notes[part];
            if ((notes->suspects & ~notes->tried) != 0) {
                has_changed |= update_lay_ghosts_of(pass, part);
            }
        }
    }
}

static void update_number_followers(const update_pass *pass, uint32_t part) {
    tn_world *world = pass->world;
    uint64_t followers = pass->notes[part].followers;
    for (uint32_t bit = 0; followers != 0; ++bit, followers >>= 1) {
        uint32_t contact = world->awake_contacts.items[part * UPDATE_PART + bit].contact;
        if ((followers & 1) != 0 &&
            tni_contact_at(world, contact)->follows != TNI_FOLLOWS_NOTHING) {
            tni_contact_memory_at(world, contact)->follower = world->follower_count++;
        }
    }
}

static void update_hand_on(const update_pass *pass) {
    for (uint32_t part = pass->first / UPDATE_PART; part * UPDATE_PART < pass->last; ++part) {
        uint64_t losers = pass->notes[part].losers;
        for (uint32_t bit = 0; losers != 0; ++bit, losers >>= 1) {
            if ((losers & 1) != 0) {
                tni_contact_hand_on(
                    pass->world,
                    pass->world->awake_contacts.items[part * UPDATE_PART + bit].contact);
            }
        }
    }
}

// Puts the blows of a part in their order. Returns whether this changed one.
static bool update_order_blows_of(const update_pass *pass, uint32_t part) {
    update_notes *notes = &pass->notes[part];
    uint64_t walked = notes->walked, changed = 0;
    for (uint32_t bit = 0; walked != 0; ++bit, walked >>= 1) {
        if ((walked & 1) != 0 && update_change(pass, part, bit, tni_contact_order_blow)) {
            changed |= (uint64_t)1 << bit;
        }
    }
    notes->suspects |= changed;
    return changed != 0;
}

// Puts blows in their order. Ghosts give none. What changes may be a ghost after all.
static void update_order_blows(const update_pass *pass) {
    bool has_changed = false;
    for (uint32_t part = pass->first / UPDATE_PART; part * UPDATE_PART < pass->last; ++part) {
        has_changed |= update_order_blows_of(pass, part);
    }
    if (has_changed) {
        update_lay_ghosts(pass);
    }
}

static void update_change_all(const update_pass *pass) {
    pass->notes[pass->first / UPDATE_PART].tried = 0; // bodies that woke have other contacts
    update_lay_ghosts(pass);
    update_order_blows(pass);
    update_hand_on(pass);
    for (uint32_t part = pass->first / UPDATE_PART; part * UPDATE_PART < pass->last; ++part) {
        update_number_followers(pass, part);
    }
}

// Reports the begins of parts, before others end: a ball that rolls from one triangle of a mesh to
// the next touches the mesh all the time.
static void update_tell_parts(const update_pass *pass) {
    tn_world *world = pass->world;
    for (uint32_t part = pass->first / UPDATE_PART; part * UPDATE_PART < pass->last; ++part) {
        uint64_t news = pass->notes[part].news;
        for (uint32_t i = part * UPDATE_PART; news != 0; ++i, news >>= 1) {
            const tni_contact *contact = NULL;
            if ((news & 1) != 0) {
                contact = tni_contact_at(world, world->awake_contacts.items[i].contact);
            }
            if (contact && contact->has_part && contact->is_touching && !contact->was_touching) {
                tni_events_add_begin(world, contact);
            }
        }
    }
}

static void update_finish(const update_pass *pass) {
    tn_world *world = pass->world;
    if (world->features.parts != NULL) {
        update_tell_parts(pass);
    }
    for (uint32_t part = pass->first / UPDATE_PART; part * UPDATE_PART < pass->last; ++part) {
        uint64_t news = pass->notes[part].news;
        for (uint32_t i = part * UPDATE_PART; news != 0; ++i, news >>= 1) {
            if ((news & 1) != 0) {
                const tni_awake_contact entry = world->awake_contacts.items[i];
                update_tell(world, tni_contact_at(world, entry.contact));
            }
        }
    }
}

// ---- the end of contacts ----------------------------------------------------------------------

// A backward walk: the last of the list moves into the gap, and earlier contacts keep their places.
typedef struct update_walk {
    const update_pass *pass;
    uint32_t part;  // under way
    uint64_t apart; // its contacts that remain
} update_walk;

static uint32_t update_find_highest(uint64_t bits) {
    uint32_t at = 0;
    for (uint32_t step = 32; step > 0; step >>= 1) {
        bool is_above = bits >> step != 0;
        bits = is_above ? bits >> step : bits;
        at += is_above ? step : 0;
    }
    return at;
}

// Returns the next contact that ends, or TNI_NONE.
static uint32_t update_find_apart(update_walk *walk) {
    while (walk->apart == 0) {
        if (walk->part == 0) {
            return TNI_NONE;
        }
        walk->part -= 1;
        walk->apart = walk->pass->notes[walk->part].apart;
    }
    uint32_t bit = update_find_highest(walk->apart);
    walk->apart ^= (uint64_t)1 << bit;
    return walk->pass->world->awake_contacts.items[walk->part * UPDATE_PART + bit].contact;
}

// Fetch what the end of a contact reads first, and then its neighbors in the lists of both bodies.
TNI_KERNEL void update_fetch_apart(const tn_world *world, uint32_t index) {
    TNI_PREFETCH(tni_contact_at(world, index));
    TNI_PREFETCH(tni_contact_edge_at(world, 2 * index));
    TNI_PREFETCH(&world->contact_pool.slots[index]);
}

TNI_KERNEL void update_fetch_neighbors(const tn_world *world, uint32_t index) {
    const tni_contact *contact = tni_contact_at(world, index);
    TNI_PREFETCH(&tni_body_at(world, contact->body_a)->contact_head);
    TNI_PREFETCH(&tni_body_at(world, contact->body_b)->contact_head);
    TNI_PREFETCH(tni_map_get_home(&world->pairs, tni_pair_key(contact->shape_a, contact->shape_b)));
    for (uint32_t key = 2 * index; key < 2 * index + 2; ++key) {
        const tni_contact_edge *edge = tni_contact_edge_at(world, key);
        if (edge->previous != TNI_NONE) {
            TNI_PREFETCH(tni_contact_edge_at(world, edge->previous));
        }
        if (edge->next != TNI_NONE) {
            TNI_PREFETCH(tni_contact_edge_at(world, edge->next));
        }
    }
}

// Destroys contacts. They wait in a ring, so that their memory has arrived when it is their turn.
static void update_destroy_apart(const update_pass *pass) {
    tn_world *world = pass->world;
    uint32_t count = world->awake_contacts.count;
    update_walk walk = {pass, (count + UPDATE_PART - 1) / UPDATE_PART, 0};
    uint32_t ring[UPDATE_AHEAD];
    for (uint32_t i = 0; i < UPDATE_AHEAD; ++i) {
        ring[i] = TNI_NONE;
    }
    uint32_t ends = 0; // turns since the walk came to its end
    for (uint32_t turn = 0; ends < UPDATE_AHEAD; ++turn) {
        uint32_t *place = &ring[turn % UPDATE_AHEAD];
        uint32_t due = *place, half = ring[(turn + UPDATE_AHEAD / 2) % UPDATE_AHEAD];
        *place = update_find_apart(&walk);
        if (*place != TNI_NONE) {
            update_fetch_apart(world, *place);
        } else {
            ends += 1;
        }
        if (half != TNI_NONE) {
            update_fetch_neighbors(world, half);
        }
        if (due != TNI_NONE) {
            tni_contact_destroy(world, due);
        }
    }
}

bool tni_world_update_manifolds(tn_world *world, double dt, uint32_t known) {
    // Waking appends bodies and contacts to the lists, which have room; another round computes
    // them.
    const tni_awake_contact_list *list = &world->awake_contacts;
    update_pass pass = {.world = world, .dt = dt, .moving = known};
    size_t parts_most = list->capacity / UPDATE_PART + 1;
    pass.notes = tni_arena_alloc_zeroed(&world->arena, parts_most * sizeof *pass.notes);
    if (pass.notes == NULL) {
        return false;
    }
    world->follower_count = 0;
    while (pass.first < list->count) {
        pass.last = list->count;
        uint32_t bodies = world->awake_bodies.count - pass.moving;
        tni_tasks_run(&world->tasks, update_motions, bodies,
                      tni_world_cut(world, UPDATE_MIN_BODIES), &pass);
        pass.moving += bodies;
        uint32_t parts = (pass.last - 1) / UPDATE_PART - pass.first / UPDATE_PART + 1;
        tni_tasks_run(&world->tasks, update_parts, parts, tni_world_cut(world, 1), &pass);
        update_change_all(&pass);
        update_finish(&pass);
        pass.first = pass.last;
    }
    update_destroy_apart(&pass);
    tni_world_call_pre_solve(world);
    return true;
}
