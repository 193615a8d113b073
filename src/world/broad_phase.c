// world/broad_phase.c: where shapes stand in the trees, and which pairs come near each other.
//
// Static shapes stand in one tree, all others in a second; half-spaces, which are everywhere, in a
// short list that is tested by their planes. A leaf's box is enlarged: by half the contact margin,
// by the way its body goes within one step, and, for what moves, by a margin of its own, so that a
// slow body leaves its box only every so many steps. A shape whose box was renewed enters the move
// list, and the next search looks for its pairs. A shape whose filter lets it touch nothing stays
// out.
//
// A search gathers all candidate pairs as keys, sorts them, and then makes contacts, so that the
// order of contacts depends neither on the shape of the trees nor on the order of the list.
// Source: C. Ericson, "Real-Time Collision Detection", 2005, chapter 6 (bounding-volume
// hierarchies).
// Test: tests/world/test_broad_phase.c
#include "world/convert.h"
#include "world/world_internal.h"

// The margin of a moving shape's box: a tenth of its size, between these many contact margins.
#define BROAD_MARGIN_SHARE 0.1f
#define BROAD_MARGIN_MIN   2.5f
#define BROAD_MARGIN_MAX   10.0f
// Steps of motion beyond the next one that a renewed box is made to last for.
#define BROAD_STEPS_AHEAD 3.0f
// A box whose edges add up to this many times what is needed is renewed: its body was fast once.
#define BROAD_SLACK 2.0f

// rad per step: see tni_body_turn_ahead.
#define BROAD_MAX_TURN 1.0

// ---- boxes ------------------------------------------------------------------------------------

static tni_dpose broad_body_pose(const tni_body *body) {
    tni_dpose pose = {body->position, body->rotation};
    tni_dvec3 center = body->local_center;
    if (center.x != 0.0 || center.y != 0.0 || center.z != 0.0) {
        pose.position = dvec3_sub(pose.position, dquat_rotate(body->rotation, center));
    }
    return pose;
}

// A box of finite numbers, whatever the sums came to.
static tni_bounds broad_make_finite(tni_bounds bounds) {
    for (int i = 0; i < 3; ++i) {
        float lower = bounds.lower.raw[i], upper = bounds.upper.raw[i];
        bounds.lower.raw[i] = lower > -FLT_MAX ? maths_min(lower, FLT_MAX) : -FLT_MAX;
        bounds.upper.raw[i] = upper < FLT_MAX ? maths_max(upper, -FLT_MAX) : FLT_MAX;
    }
    return bounds;
}

static tni_bounds broad_widen(tni_bounds bounds, float margin) {
    vec3s lower = bounds.lower, upper = bounds.upper;
    tni_bounds wider = {maths_vec3(lower.x - margin, lower.y - margin, lower.z - margin),
                        maths_vec3(upper.x + margin, upper.y + margin, upper.z + margin)};
    return wider;
}

tni_bounds tni_shape_tight_bounds(const tn_world *world, uint32_t index) {
    const tni_shape *shape = &world->shapes[index];
    tni_dpose pose = broad_body_pose(&world->bodies[shape->body]);
    return broad_make_finite(tni_geometry_bounds(&shape->geometry, &pose));
}

static tni_bounds broad_sweep(tni_bounds bounds, vec3s way) {
    vec3s down = maths_vec3(maths_min(way.x, 0.0f), maths_min(way.y, 0.0f), maths_min(way.z, 0.0f));
    vec3s up = maths_vec3(maths_max(way.x, 0.0f), maths_max(way.y, 0.0f), maths_max(way.z, 0.0f));
    tni_bounds swept = {glms_vec3_add(bounds.lower, down), glms_vec3_add(bounds.upper, up)};
    return swept;
}

// Ahead means along the tangents, for the solver follows gaps to first order. That holds for half a
// radian; a body that turns by more than one in a step is not looked ahead for at all, lest it push
// itself off things it would never have reached.
double tni_body_turn_ahead(const tni_body *body, double dt) {
    double turn = dvec3_length(body->angular_velocity) * dt;
    double rest = turn <= 0.5 * BROAD_MAX_TURN ? turn : BROAD_MAX_TURN - turn;
    return rest > 0.0 ? rest : 0.0;
}

// Contacts of mechanisms are measured anew in every substep (solver/touch.h): these need to know
// all that their bodies may come near, however fast they turn.
double tni_body_turn_reach(const tni_body *body, double dt) {
    return body->is_exact ? dvec3_length(body->angular_velocity) * dt
                          : tni_body_turn_ahead(body, dt);
}

static float broad_turn_way(const tni_shape *shape, double turn) {
    double way = turn * (double)shape->turn_reach, limit = (double)shape->turn_limit;
    return (float)(way < limit ? way : limit);
}

float tni_shape_turn_way(const tn_world *world, const tni_shape *shape, double dt) {
    return broad_turn_way(shape, tni_body_turn_reach(&world->bodies[shape->body], dt));
}

// Where a body is and goes within a step.
typedef struct broad_motion {
    tni_dpose pose;
    vec3s way;   // m
    double turn; // rad, see tni_body_turn_reach
} broad_motion;

static broad_motion broad_get_motion(const tni_body *body, double dt) {
    broad_motion motion;
    motion.pose = broad_body_pose(body);
    motion.way = dvec3_to_float(dvec3_scale(body->velocity, dt));
    motion.turn = tni_body_turn_reach(body, dt);
    return motion;
}

// The box the shape needs for the step: where it is, where it goes, and half the contact margin.
// Its numbers may not be finite.
static tni_bounds broad_predict(const tn_world *world, const tni_shape *shape,
                                const broad_motion *motion) {
    float margin = 0.5f * world->def.contact_margin + broad_turn_way(shape, motion->turn);
    tni_bounds bounds = tni_geometry_bounds(&shape->geometry, &motion->pose);
    return broad_widen(broad_sweep(bounds, motion->way), margin);
}

static float broad_margin(const tn_world *world, const tni_shape *shape) {
    float unit = world->def.contact_margin;
    return maths_clamp(BROAD_MARGIN_SHARE * shape->size, BROAD_MARGIN_MIN * unit,
                       BROAD_MARGIN_MAX * unit);
}

static tni_bounds broad_enlarge(const tn_world *world, const tni_shape *shape, tni_bounds bounds,
                                const broad_motion *motion) {
    if (world->bodies[shape->body].type != TN_BODY_TYPE_STATIC) {
        bounds = broad_sweep(bounds, glms_vec3_scale(motion->way, BROAD_STEPS_AHEAD));
        bounds = broad_widen(bounds, broad_margin(world, shape));
    }
    return broad_make_finite(bounds);
}

static float broad_measure(const tni_bounds *bounds) {
    return bounds->upper.x - bounds->lower.x + bounds->upper.y - bounds->lower.y + bounds->upper.z -
           bounds->lower.z;
}

// ---- entering and leaving ---------------------------------------------------------------------

void tni_shape_queue(tn_world *world, uint32_t index) {
    tni_shape *shape = &world->shapes[index];
    bool is_present = shape->leaf != TNI_NONE || shape->plane_index != TNI_NONE;
    if (!is_present || shape->move_index != TNI_NONE) {
        return;
    }
    TN_ASSERT(world->move_list.count < world->move_list.capacity);
    shape->move_index = world->move_list.count;
    world->move_list.items[shape->move_index] = index;
    world->move_list.count += 1;
}

void tni_body_queue_shapes(tn_world *world, uint32_t body) {
    for (uint32_t i = world->bodies[body].shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        tni_shape_queue(world, i);
    }
}

static void broad_leave_move_list(tn_world *world, tni_shape *shape) {
    if (shape->move_index == TNI_NONE) {
        return;
    }
    world->move_list.count -= 1;
    uint32_t last = world->move_list.items[world->move_list.count];
    world->move_list.items[shape->move_index] = last;
    world->shapes[last].move_index = shape->move_index;
    shape->move_index = TNI_NONE;
}

static tni_tree *broad_get_tree(tn_world *world, tn_body_type type) {
    return type == TN_BODY_TYPE_STATIC ? &world->static_tree : &world->moving_tree;
}

// A positive group can let a shape touch its like, whatever its mask.
static bool broad_can_touch(const tn_filter *filter) {
    return filter->group > 0 || (filter->category != 0 && filter->mask != 0);
}

bool tni_shape_enter_broad_phase(tn_world *world, uint32_t index) {
    tni_shape *shape = &world->shapes[index];
    const tni_body *body = &world->bodies[shape->body];
    bool is_present = shape->leaf != TNI_NONE || shape->plane_index != TNI_NONE;
    if (!body->is_enabled || is_present || !broad_can_touch(&shape->filter)) {
        return true;
    }
    if (shape->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        if (!tni_index_list_add(&world->allocator, &world->half_spaces, index)) {
            return false;
        }
        shape->plane_index = world->half_spaces.count - 1;
    } else {
        broad_motion motion = broad_get_motion(body, 0.0);
        tni_shape_boxes *boxes = &world->shape_boxes[index];
        boxes->needed = broad_make_finite(broad_predict(world, shape, &motion));
        boxes->enlarged = broad_enlarge(world, shape, boxes->needed, &motion);
        uint32_t leaf = tni_tree_insert(broad_get_tree(world, body->type), boxes->enlarged, index);
        if (leaf == TNI_NONE) {
            return false;
        }
        shape->leaf = leaf;
    }
    tni_shape_queue(world, index);
    return true;
}

void tni_shape_leave_broad_phase(tn_world *world, uint32_t index) {
    tni_shape *shape = &world->shapes[index];
    broad_leave_move_list(world, shape);
    if (shape->plane_index != TNI_NONE) {
        world->half_spaces.count -= 1;
        uint32_t last = world->half_spaces.items[world->half_spaces.count];
        world->half_spaces.items[shape->plane_index] = last;
        world->shapes[last].plane_index = shape->plane_index;
        shape->plane_index = TNI_NONE;
    }
    if (shape->leaf != TNI_NONE) {
        tni_tree_remove(broad_get_tree(world, world->bodies[shape->body].type), shape->leaf);
        shape->leaf = TNI_NONE;
    }
}

bool tni_shape_update_presence(tn_world *world, uint32_t index) {
    if (broad_can_touch(&world->shapes[index].filter)) {
        return tni_shape_enter_broad_phase(world, index);
    }
    tni_shape_leave_broad_phase(world, index);
    return true;
}

void tni_body_leave_broad_phase(tn_world *world, uint32_t body) {
    for (uint32_t i = world->bodies[body].shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        tni_shape_leave_broad_phase(world, i);
    }
}

bool tni_body_enter_broad_phase(tn_world *world, uint32_t body) {
    for (uint32_t i = world->bodies[body].shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        if (!tni_shape_enter_broad_phase(world, i)) {
            tni_body_leave_broad_phase(world, body);
            return false;
        }
    }
    return true;
}

// All new leaves are made before any old one goes.
static bool broad_make_spare_leaves(tn_world *world, const tni_body *body, tni_tree *tree) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        tni_shape *shape = &world->shapes[i];
        if (shape->leaf == TNI_NONE) {
            continue;
        }
        shape->spare_leaf = tni_tree_insert(tree, world->shape_boxes[i].enlarged, i);
        if (shape->spare_leaf == TNI_NONE) {
            return false;
        }
    }
    return true;
}

static void broad_drop_spare_leaves(tn_world *world, const tni_body *body, tni_tree *tree) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        tni_shape *shape = &world->shapes[i];
        if (shape->spare_leaf != TNI_NONE) {
            tni_tree_remove(tree, shape->spare_leaf);
            shape->spare_leaf = TNI_NONE;
        }
    }
}

bool tni_body_change_tree(tn_world *world, uint32_t index, tn_body_type type) {
    const tni_body *body = &world->bodies[index];
    tni_tree *from = broad_get_tree(world, body->type), *to = broad_get_tree(world, type);
    if (!body->is_enabled) {
        return true;
    }
    if (from != to) {
        if (!broad_make_spare_leaves(world, body, to)) {
            broad_drop_spare_leaves(world, body, to);
            return false;
        }
        for (uint32_t i = body->shape_head; i != TNI_NONE; i = world->shapes[i].next) {
            tni_shape *shape = &world->shapes[i];
            if (shape->leaf != TNI_NONE) {
                tni_tree_remove(from, shape->leaf);
                shape->leaf = shape->spare_leaf;
                shape->spare_leaf = TNI_NONE;
            }
        }
    }
    tni_body_queue_shapes(world, index);
    return true;
}

// Does the box still hold what is needed, and not much more than it would hold if it were renewed?
static bool broad_fits(const tn_world *world, const tni_shape *shape, const tni_shape_boxes *boxes,
                       const broad_motion *motion) {
    if (!tni_bounds_contain(&boxes->enlarged, &boxes->needed)) {
        return false;
    }
    vec3s way = motion->way;
    float renewed = broad_measure(&boxes->needed) + 6.0f * broad_margin(world, shape) +
                    BROAD_STEPS_AHEAD * (fabsf(way.x) + fabsf(way.y) + fabsf(way.z));
    return broad_measure(&boxes->enlarged) <= BROAD_SLACK * renewed;
}

bool tni_body_predict_bounds(tn_world *world, uint32_t index, double dt) {
    const tni_body *body = &world->bodies[index];
    bool fits = true;
    broad_motion motion = {.turn = -1.0}; // not known yet
    for (uint32_t i = body->shape_head; i != TNI_NONE && body->is_enabled;
         i = world->shapes[i].next) {
        const tni_shape *shape = &world->shapes[i];
        if (shape->leaf == TNI_NONE) {
            fits = false;
            continue;
        }
        if (motion.turn < 0.0) {
            motion = broad_get_motion(body, dt);
        }
        tni_shape_boxes *boxes = &world->shape_boxes[i];
        boxes->needed = broad_predict(world, shape, &motion);
        fits = fits && broad_fits(world, shape, boxes, &motion);
    }
    return fits;
}

void tni_body_move_bounds(tn_world *world, uint32_t index, double dt) {
    const tni_body *body = &world->bodies[index];
    broad_motion motion = broad_get_motion(body, dt);
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        tni_shape *shape = &world->shapes[i];
        tni_shape_boxes *boxes = &world->shape_boxes[i];
        if (shape->leaf == TNI_NONE) {
            tni_shape_queue(world, i);
        } else if (!broad_fits(world, shape, boxes, &motion)) {
            boxes->needed = broad_make_finite(boxes->needed);
            boxes->enlarged = broad_enlarge(world, shape, boxes->needed, &motion);
            tni_tree_move(broad_get_tree(world, body->type), shape->leaf, boxes->enlarged);
            tni_shape_queue(world, i);
        }
    }
}

void tni_body_update_bounds(tn_world *world, uint32_t index, double dt) {
    if (!tni_body_predict_bounds(world, index, dt)) {
        tni_body_move_bounds(world, index, dt);
    }
}

// ---- half-spaces ------------------------------------------------------------------------------

typedef struct broad_plane {
    tni_dvec3 normal, point;
} broad_plane;

static broad_plane broad_get_plane(const tn_world *world, const tni_shape *half_space) {
    tni_dpose pose = broad_body_pose(&world->bodies[half_space->body]);
    const tni_geometry *geometry = &half_space->geometry;
    tni_dquat rotation = dquat_mul(pose.rotation, dquat_from_float(geometry->rotation));
    broad_plane plane;
    plane.normal = dquat_rotate(rotation, dvec3_make(0.0, 1.0, 0.0));
    plane.point =
        dvec3_add(pose.position, dquat_rotate(pose.rotation, dvec3_from_float(geometry->position)));
    return plane;
}

// Does the deepest corner of the box reach the plane (the half-space counts for its half of the
// contact margin)?
static bool broad_reaches_plane(const tn_world *world, const broad_plane *plane,
                                const tni_bounds *bounds) {
    tni_dvec3 n = plane->normal;
    tni_dvec3 corner = dvec3_make((double)(n.x > 0.0 ? bounds->lower.x : bounds->upper.x),
                                  (double)(n.y > 0.0 ? bounds->lower.y : bounds->upper.y),
                                  (double)(n.z > 0.0 ? bounds->lower.z : bounds->upper.z));
    return dvec3_dot(n, dvec3_sub(corner, plane->point)) <= 0.5 * (double)world->def.contact_margin;
}

// Of two boxes, the one of a half-space does not count: its plane does.
static bool broad_overlaps(const tn_world *world, const tni_shape *a, const tni_bounds *bounds_a,
                           const tni_shape *b, const tni_bounds *bounds_b) {
    if (a->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        broad_plane plane = broad_get_plane(world, a);
        return broad_reaches_plane(world, &plane, bounds_b);
    }
    if (b->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        broad_plane plane = broad_get_plane(world, b);
        return broad_reaches_plane(world, &plane, bounds_a);
    }
    return tni_bounds_overlap(bounds_a, bounds_b);
}

bool tni_shapes_are_near(const tn_world *world, uint32_t index_a, uint32_t index_b) {
    const tni_shape *a = &world->shapes[index_a], *b = &world->shapes[index_b];
    return broad_overlaps(world, a, &world->shape_boxes[index_a].enlarged, b,
                          &world->shape_boxes[index_b].enlarged);
}

bool tni_shapes_may_meet(const tn_world *world, uint32_t index_a, uint32_t index_b) {
    const tni_shape *a = &world->shapes[index_a], *b = &world->shapes[index_b];
    return broad_overlaps(world, a, &world->shape_boxes[index_a].needed, b,
                          &world->shape_boxes[index_b].needed);
}

// ---- the search for pairs ---------------------------------------------------------------------

typedef struct broad_search {
    tn_world *world;
    uint32_t shape;
    const broad_plane *plane; // of a half-space, or null
    bool is_out_of_memory;
} broad_search;

static bool broad_add_key(tn_world *world, uint64_t key) {
    uint64_t *keys =
        tni_array_grow(&world->allocator, world->pair_keys, world->pair_key_count,
                       &world->pair_key_capacity, world->pair_key_count + 1, sizeof *keys);
    if (!keys) {
        return false;
    }
    world->pair_keys = keys;
    keys[world->pair_key_count] = key;
    world->pair_key_count += 1;
    return true;
}

static bool broad_is_candidate(const broad_search *search, uint32_t other) {
    const tn_world *world = search->world;
    const tni_shape *a = &world->shapes[search->shape], *b = &world->shapes[other];
    // Of two shapes in the list, the one with the smaller index speaks for both.
    bool is_others_turn = b->move_index != TNI_NONE && other < search->shape;
    if (a->body == b->body || is_others_turn) {
        return false;
    }
    return !search->plane ||
           broad_reaches_plane(world, search->plane, &world->shape_boxes[other].enlarged);
}

static bool broad_visit(uint32_t other, void *context) {
    broad_search *search = context;
    if (!broad_is_candidate(search, other)) {
        return true;
    }
    tn_world *world = search->world;
    uint64_t key = tni_pair_key(search->shape, other);
    bool is_new = tni_map_get(&world->pairs, key) == TNI_NONE;
    if (is_new && !broad_add_key(world, key)) {
        search->is_out_of_memory = true;
        return false;
    }
    return true;
}

static bool broad_search_half_spaces(broad_search *search, const tni_bounds *bounds) {
    tn_world *world = search->world;
    for (uint32_t i = 0; i < world->half_spaces.count; ++i) {
        uint32_t other = world->half_spaces.items[i];
        broad_plane plane = broad_get_plane(world, &world->shapes[other]);
        if (broad_reaches_plane(world, &plane, bounds)) {
            broad_visit(other, search);
        }
    }
    return !search->is_out_of_memory;
}

static bool broad_search_shape(tn_world *world, uint32_t index) {
    const tni_shape *shape = &world->shapes[index];
    const tni_bounds *bounds = &world->shape_boxes[index].enlarged;
    broad_search search = {world, index, NULL, false};
    if (shape->plane_index != TNI_NONE) {
        tni_bounds everywhere = {maths_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX),
                                 maths_vec3(FLT_MAX, FLT_MAX, FLT_MAX)};
        broad_plane plane = broad_get_plane(world, shape);
        search.plane = &plane;
        tni_tree_query(&world->moving_tree, &everywhere, broad_visit, &search);
        return !search.is_out_of_memory;
    }
    tni_tree_query(&world->moving_tree, bounds, broad_visit, &search);
    if (search.is_out_of_memory || world->bodies[shape->body].type == TN_BODY_TYPE_STATIC) {
        return !search.is_out_of_memory;
    }
    tni_tree_query(&world->static_tree, bounds, broad_visit, &search);
    return !search.is_out_of_memory && broad_search_half_spaces(&search, bounds);
}

static bool broad_sort_keys(tn_world *world) {
    uint64_t *scratch =
        tni_array_grow(&world->allocator, world->pair_scratch, 0, &world->pair_scratch_capacity,
                       world->pair_key_count, sizeof *scratch);
    if (world->pair_key_count > 0 && !scratch) {
        return false;
    }
    world->pair_scratch = scratch;
    tni_sort_u64(world->pair_keys, world->pair_scratch, world->pair_key_count);
    return true;
}

static bool broad_create_contacts(tn_world *world) {
    uint64_t previous = 0;
    for (uint32_t i = 0; i < world->pair_key_count; ++i) {
        uint64_t key = world->pair_keys[i];
        uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
        bool is_wanted = key != previous && tni_shapes_may_touch(world, a, b);
        previous = key;
        if (is_wanted && tni_contact_create(world, a, b) == TNI_NONE) {
            return false;
        }
    }
    return true;
}

bool tni_world_update_pairs(tn_world *world) {
    world->pair_key_count = 0;
    for (uint32_t i = 0; i < world->move_list.count; ++i) {
        if (!broad_search_shape(world, world->move_list.items[i])) {
            return false;
        }
    }
    if (!broad_sort_keys(world) || !broad_create_contacts(world)) {
        return false;
    }
    for (uint32_t i = 0; i < world->move_list.count; ++i) {
        world->shapes[world->move_list.items[i]].move_index = TNI_NONE;
    }
    world->move_list.count = 0;
    return true;
}

// ---- waking -----------------------------------------------------------------------------------

static bool broad_wake_visit(uint32_t other, void *context) {
    broad_search *search = context;
    tn_world *world = search->world;
    const tni_shape *shape = &world->shapes[other];
    const tni_bounds *bounds = &world->shape_boxes[other].enlarged;
    bool is_reached = !search->plane || broad_reaches_plane(world, search->plane, bounds);
    if (is_reached && world->bodies[shape->body].awake_index == TNI_NONE) {
        tni_body_wake(world, shape->body);
    }
    return true;
}

void tni_body_wake_overlapping(tn_world *world, uint32_t body) {
    for (uint32_t i = world->bodies[body].shape_head; i != TNI_NONE; i = world->shapes[i].next) {
        const tni_shape *shape = &world->shapes[i];
        broad_search search = {world, i, NULL, false};
        if (shape->leaf != TNI_NONE) {
            tni_tree_query(&world->moving_tree, &world->shape_boxes[i].enlarged, broad_wake_visit,
                           &search);
        } else if (shape->plane_index != TNI_NONE) {
            tni_bounds everywhere = {maths_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX),
                                     maths_vec3(FLT_MAX, FLT_MAX, FLT_MAX)};
            broad_plane plane = broad_get_plane(world, shape);
            search.plane = &plane;
            tni_tree_query(&world->moving_tree, &everywhere, broad_wake_visit, &search);
        }
    }
}
