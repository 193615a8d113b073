// world/collide/manifold_update.c: makes the manifold of a contact, once per step.
//
// A contact is computed by itself, on any worker, and writes only itself.
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
#include "world/collide/narrow.h"
#include "world/contacts.h"

// m: a touching contact may open by this much, so that a contact at rest does not flicker.
#define UPDATE_OPEN_GAP 0.0005
// Rounding may leave shapes that were put together this far apart, as a share of the larger one's
// size, and at most the second number, m.
#define UPDATE_PLACED      5e-7f
#define UPDATE_PLACED_MOST 1e-5f
// A factor of float bounds that leaves room for their round-off.
#define UPDATE_ROUND_OFF 1.0001f

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

uint32_t tni_contact_update(tn_world *world, tni_awake_contact *entry, double dt) {
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
    uint32_t left = contact->is_walked ? TNI_UPDATE_WALKED : 0;
    left |= may_lose && tni_contact_note_lost(world, contact, &before) ? TNI_UPDATE_LOSER : 0;
    bool is_new = contact->is_walked || contact->is_touching; // other boxes are no ghosts
    bool follows = contact->follows != TNI_FOLLOWS_NOTHING;
    bool may_be_ghost = follows || !entry->has_plane; // a plane has no edges
    bool is_suspect = may_meet && may_be_ghost &&
                      (is_new || !pair.path.a->is_box || !pair.path.b->is_box) &&
                      tni_contact_is_suspect(world, contact, pair.path.a, pair.path.b, dt);
    left |= follows ? TNI_UPDATE_FOLLOWER : 0;
    return left | (is_suspect ? TNI_UPDATE_SUSPECT : 0);
}

void tni_contact_note_changed(tni_awake_contact *entry, tni_contact *contact) {
    if (contact->manifold.point_count == 0) {
        update_part(contact);
    }
    contact->may_wake = contact->may_wake && contact->is_touching;
    update_note(entry, contact, false);
}
