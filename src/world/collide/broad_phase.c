// world/collide/broad_phase.c: keeps shapes in the trees.
//
// Static shapes stand in one tree, all others in a second; half-spaces, which are everywhere, in a
// short list that is tested by their planes. A leaf's box is enlarged: by half the contact margin,
// by its body's motion within one step, and, for a moving body, by another margin, so that a slow
// body leaves its box only once in several steps. A shape whose box was renewed enters the move
// list, and the next search (world/collide/pairs.c) looks for its pairs. A shape whose filter lets
// it touch nothing stays out. Sensors stand in a tree of their own, and have no pairs
// (world/collide/sensing.c).
//
// Source: C. Ericson, "Real-Time Collision Detection", 2005, chapter 6 (bounding-volume
// hierarchies).
// Test: tests/world/collide/test_broad_phase.c
#include "core/lanes.h"
#include "core/simd_double.h"
#include "world/bodies.h"
#include "world/parts.h"
#include "world/records/convert.h"
#include "world/sensors.h"

// A moving shape's margin is a tenth of its size, within these multiples of the contact margin.
#define BROAD_MARGIN_SHARE 0.1f
#define BROAD_MARGIN_MIN   2.5f
#define BROAD_MARGIN_MAX   10.0f
// A renewed box is made to last for this many steps of motion beyond the next one.
#define BROAD_STEPS_AHEAD 3.0f
// A box with this many times the edges of the needed box is renewed: its body was fast.
#define BROAD_SLACK 2.0f

// A body on joints may leave its straight path by this share of the contact margin unnoticed.
#define BROAD_BEND 0.1f

// ---- boxes ------------------------------------------------------------------------------------

// Stands out of line, because few bodies have their centre of mass elsewhere.
static TNI_NO_INLINE tni_dvec3 broad_shift_place(const tni_body *body) {
    return dvec3_sub(body->position, dquat_rotate(body->rotation, body->local_center));
}

TNI_KERNEL void broad_set_place(const tni_body *body, tni_dpose *place) {
    tni_dvec3 center = body->local_center;
    place->position = body->position;
    place->rotation = body->rotation;
    if (center.x != 0.0 || center.y != 0.0 || center.z != 0.0) {
        place->position = broad_shift_place(body);
    }
}

tni_dpose tni_body_get_place(const tni_body *body) {
    tni_dpose place;
    broad_set_place(body, &place);
    return place;
}

// Makes the numbers of a box finite.
static tni_bounds broad_make_finite(tni_bounds bounds) {
    for (int i = 0; i < 3; ++i) {
        float lower = bounds.lower.raw[i], upper = bounds.upper.raw[i];
        bounds.lower.raw[i] = lower > -FLT_MAX ? maths_min(lower, FLT_MAX) : -FLT_MAX;
        bounds.upper.raw[i] = upper < FLT_MAX ? maths_max(upper, -FLT_MAX) : FLT_MAX;
    }
    return bounds;
}

TNI_KERNEL tni_bounds_lanes broad_widen(tni_bounds_lanes bounds, float by) {
    tni_f4 margin = f4_splat(by);
    return (tni_bounds_lanes){f4_sub(bounds.lower, margin), f4_add(bounds.upper, margin)};
}

tni_bounds tni_shape_tight_bounds(const tn_world *world, uint32_t index) {
    const tni_shape *shape = tni_shape_at(world, index);
    tni_dpose pose = tni_body_get_place(tni_body_at(world, shape->body));
    return broad_make_finite(tni_geometry_bounds(tni_shape_get_geometry(shape), &pose));
}

TNI_KERNEL tni_bounds_lanes broad_sweep(tni_bounds_lanes bounds, vec3s by) {
    tni_f4 way = f4_load3(by.raw), zero = f4_zero();
    return (tni_bounds_lanes){f4_add(bounds.lower, f4_min(way, zero)),
                              f4_add(bounds.upper, f4_max(way, zero))};
}

TNI_KERNEL tni_bounds broad_store(tni_bounds_lanes lanes) {
    tni_bounds bounds;
    f4_store3(bounds.lower.raw, lanes.lower);
    f4_store3(bounds.upper.raw, lanes.upper);
    return bounds;
}

float tni_shape_turn_way(const tni_shape *shape, double turn) {
    double way = turn * (double)shape->turn_reach, limit = (double)shape->turn_limit;
    return (float)(way < limit ? way : limit);
}

// The place of a body, and its path within a step.
typedef struct broad_motion {
    tni_dpose pose;
    vec3s way;  // m
    vec3s pull; // m: how far gravity and forces take it from there
    bool is_pulled;
    vec3s bent;  // m: the path to which joints bend the body
    float sag;   // m: how far it may leave both straight paths in between
    double turn; // rad, see tni_body_turn_reach
    double dt;
} broad_motion;

// Returns how far the path of a body on joints leaves the straight lines to its end, m.
static float broad_get_sag(const tni_body *body, double dt) {
    return tni_body_is_hung(body) ? 0.125f * (float)(dt * dt) * glms_vec3_norm(body->bend) : 0.0f;
}

// Returns whether joints bend the body's path beyond what the margin covers.
static bool broad_bends(const tn_world *world, const tni_body *body, double dt) {
    return broad_get_sag(body, dt) > BROAD_BEND * world->def.contact_margin;
}

static bool broad_goes_straight(const tn_world *world, const tni_body *body, double dt) {
    return !broad_bends(world, body, dt) &&
           !tni_body_is_pulled(world, tni_body_get_pull(world, body, dt), dt);
}

static vec3s broad_get_way(const tni_body *body, double dt) {
    return dvec3_to_float(dvec3_scale(body->velocity, dt));
}

static void broad_set_motion(const tn_world *world, const tni_body *body, double dt,
                             broad_motion *motion) {
    broad_set_place(body, &motion->pose);
    motion->way = broad_get_way(body, dt);
    motion->turn = tni_body_turn_reach(body, dt);
    motion->dt = dt;
    tni_dvec3 pull = tni_body_get_pull(world, body, dt);
    motion->is_pulled = tni_body_is_pulled(world, pull, dt);
    if (motion->is_pulled) {
        motion->pull = dvec3_to_float(dvec3_scale(pull, dt));
    }
    motion->bent = motion->way;
    motion->sag = broad_get_sag(body, dt);
    if (motion->sag > 0.0f) {
        motion->bent = dvec3_to_float(dvec3_scale(tni_body_bend_velocity(body, dt), dt));
    }
}

// Returns the box that the shape needs for the step: its place, its motion, and half the contact
// margin. The numbers may not be finite. An affine body's shape is deformed first.
static tni_bounds broad_predict(tn_world *world, uint32_t index, const broad_motion *motion) {
    const tni_shape *shape = tni_shape_at(world, index);
    float strain_way = 0.0f;
    if (shape->deformed != NULL) {
        world->features.spans->deform_shape(world, index);
        strain_way = tni_shape_get_strain_way(world, shape, motion->dt);
    }
    float margin = 0.5f * world->def.contact_margin + tni_shape_turn_way(shape, motion->turn);
    margin += strain_way + motion->sag;
    tni_bounds bounds = tni_geometry_bounds(tni_shape_get_geometry(shape), &motion->pose);
    tni_bounds_lanes swept = broad_sweep(bounds_load(&bounds), motion->way);
    if (motion->is_pulled) {
        swept = broad_sweep(swept, motion->pull);
    }
    if (motion->sag > 0.0f) {
        swept = broad_sweep(swept, glms_vec3_sub(motion->bent, motion->way));
    }
    return broad_store(broad_widen(swept, margin));
}

tni_bounds tni_shape_predict_bounds(tn_world *world, uint32_t index, double dt) {
    broad_motion motion;
    broad_set_motion(world, tni_body_at(world, tni_shape_at(world, index)->body), dt, &motion);
    return broad_make_finite(broad_predict(world, index, &motion));
}

float tni_shape_get_box_margin(const tn_world *world, const tni_shape *shape) {
    float unit = world->def.contact_margin;
    return maths_clamp(BROAD_MARGIN_SHARE * shape->size, BROAD_MARGIN_MIN * unit,
                       BROAD_MARGIN_MAX * unit);
}

static tni_bounds broad_enlarge(const tn_world *world, const tni_shape *shape, tni_bounds bounds,
                                vec3s way) {
    if (tni_body_at(world, shape->body)->type != TN_BODY_TYPE_STATIC) {
        vec3s ahead = glms_vec3_scale(way, BROAD_STEPS_AHEAD);
        tni_bounds_lanes swept = broad_sweep(bounds_load(&bounds), ahead);
        bounds = broad_store(broad_widen(swept, tni_shape_get_box_margin(world, shape)));
    }
    return broad_make_finite(bounds);
}

static float broad_measure(const tni_bounds *bounds) {
    return bounds->upper.x - bounds->lower.x + bounds->upper.y - bounds->lower.y + bounds->upper.z -
           bounds->lower.z;
}

// ---- entering and leaving ---------------------------------------------------------------------

void tni_shape_queue(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    bool is_present = shape->leaf != TNI_NONE || shape->plane_index != TNI_NONE;
    if (!is_present || shape->move_index != TNI_NONE || shape->is_sensor) {
        return;
    }
    TN_ASSERT(world->move_list.count < world->move_list.capacity);
    shape->move_index = world->move_list.count;
    world->move_list.items[shape->move_index] = index;
    world->move_list.count += 1;
}

void tni_body_queue_shapes(tn_world *world, uint32_t body) {
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
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
    tni_shape_at(world, last)->move_index = shape->move_index;
    shape->move_index = TNI_NONE;
}

static tni_tree *broad_get_tree(tn_world *world, tn_body_type type) {
    return type == TN_BODY_TYPE_STATIC ? &world->static_tree : &world->moving_tree;
}

// Return the tree and the list that a shape stands in: sensors have their own.
static tni_tree *broad_get_own_tree(tn_world *world, const tni_shape *shape) {
    return shape->is_sensor ? &world->sensing.tree
                            : broad_get_tree(world, tni_body_at(world, shape->body)->type);
}
static tni_index_list *broad_get_planes(tn_world *world, const tni_shape *shape) {
    return shape->is_sensor ? &world->sensing.planes : &world->half_spaces;
}

// Returns whether a filter lets anything touch. With a positive group a shape may touch shapes of
// the same group, whatever its mask.
static bool broad_can_touch(const tn_world *world, const tn_filter *filter) {
    bool has_both = filter->category != 0 && filter->mask != 0;
    bool has_one = filter->category != 0 || filter->mask != 0;
    return filter->group > 0 || (world->def.is_one_mask_enough ? has_one : has_both);
}

static bool broad_is_wanted(const tn_world *world, const tni_shape *shape) {
    return !shape->is_disabled && broad_can_touch(world, &shape->filter);
}

// Puts a shape into its tree, or a half-space into its list. Returns false without memory.
static bool broad_place(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    const tni_body *body = tni_body_at(world, shape->body);
    if (shape->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
        tni_index_list *planes = broad_get_planes(world, shape);
        if (!tni_index_list_add(&world->allocator, planes, index)) {
            return false;
        }
        shape->plane_index = planes->count - 1;
    } else {
        broad_motion motion;
        broad_set_motion(world, body, 0.0, &motion);
        tni_shape_boxes *boxes = tni_shape_boxes_at(world, index);
        boxes->needed = broad_make_finite(broad_predict(world, index, &motion));
        boxes->enlarged = broad_enlarge(world, shape, boxes->needed, motion.way);
        if (shape->concave != NULL) {
            world->features.parts->enlarge(world, index);
        }
        uint32_t leaf = tni_tree_insert(broad_get_own_tree(world, shape), boxes->enlarged, index);
        if (leaf == TNI_NONE) {
            return false;
        }
        shape->leaf = leaf;
    }
    return true;
}

bool tni_shape_enter_broad_phase(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    bool is_present = shape->leaf != TNI_NONE || shape->plane_index != TNI_NONE;
    if (!tni_body_at(world, shape->body)->is_enabled || is_present ||
        !broad_is_wanted(world, shape)) {
        return true;
    }
    if ((shape->is_sensor && !tni_sensing_add(world, index)) || !broad_place(world, index)) {
        tni_sensing_remove(world, index);
        return false;
    }
    tni_sensing_note_change(world, shape->body);
    tni_shape_queue(world, index);
    return true;
}

void tni_shape_leave_broad_phase(tn_world *world, uint32_t index) {
    tni_shape *shape = tni_shape_at(world, index);
    broad_leave_move_list(world, shape);
    tni_latch_reopen(&world->knows_strays);
    tni_sensing_remove(world, index);
    tni_sensing_note_change(world, shape->body);
    if (shape->plane_index != TNI_NONE) {
        tni_index_list *planes = broad_get_planes(world, shape);
        planes->count -= 1;
        uint32_t last = planes->items[planes->count];
        planes->items[shape->plane_index] = last;
        tni_shape_at(world, last)->plane_index = shape->plane_index;
        shape->plane_index = TNI_NONE;
    }
    if (shape->leaf != TNI_NONE) {
        tni_tree_remove(broad_get_own_tree(world, shape), shape->leaf);
        shape->leaf = TNI_NONE;
    }
}

bool tni_shape_update_presence(tn_world *world, uint32_t index) {
    if (broad_is_wanted(world, tni_shape_at(world, index))) {
        return tni_shape_enter_broad_phase(world, index);
    }
    tni_shape_leave_broad_phase(world, index);
    return true;
}

void tni_body_leave_broad_phase(tn_world *world, uint32_t body) {
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        tni_shape_leave_broad_phase(world, i);
    }
}

bool tni_body_enter_broad_phase(tn_world *world, uint32_t body) {
    for (uint32_t i = tni_body_at(world, body)->shape_head; i != TNI_NONE;
         i = tni_shape_at(world, i)->next) {
        if (!tni_shape_enter_broad_phase(world, i)) {
            tni_body_leave_broad_phase(world, body);
            return false;
        }
    }
    return true;
}

// Makes all new leaves before any old one is removed.
static bool broad_make_spare_leaves(tn_world *world, const tni_body *body, tni_tree *tree) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        tni_shape *shape = tni_shape_at(world, i);
        if (shape->leaf == TNI_NONE || shape->is_sensor) {
            continue;
        }
        shape->spare_leaf = tni_tree_insert(tree, tni_shape_boxes_at(world, i)->enlarged, i);
        if (shape->spare_leaf == TNI_NONE) {
            return false;
        }
    }
    return true;
}

static void broad_drop_spare_leaves(tn_world *world, const tni_body *body, tni_tree *tree) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        tni_shape *shape = tni_shape_at(world, i);
        if (shape->spare_leaf != TNI_NONE) {
            tni_tree_remove(tree, shape->spare_leaf);
            shape->spare_leaf = TNI_NONE;
        }
    }
}

bool tni_body_change_tree(tn_world *world, uint32_t index, tn_body_type type) {
    const tni_body *body = tni_body_at(world, index);
    tni_tree *from = broad_get_tree(world, body->type), *to = broad_get_tree(world, type);
    if (!body->is_enabled) {
        return true;
    }
    if (from != to) {
        if (!broad_make_spare_leaves(world, body, to)) {
            broad_drop_spare_leaves(world, body, to);
            return false;
        }
        for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
            tni_shape *shape = tni_shape_at(world, i);
            if (shape->leaf != TNI_NONE && !shape->is_sensor) {
                tni_tree_remove(from, shape->leaf);
                shape->leaf = shape->spare_leaf;
                shape->spare_leaf = TNI_NONE;
            }
        }
    }
    tni_body_queue_shapes(world, index);
    return true;
}

// Loads a position in lanes, of which the fourth has no meaning.
static tni_f4 broad_round(const double *position, double off) {
    tni_d2 by = d2_splat(off);
    return f4_from_d2(d2_add(d2_load(position), by), d2_add(d2_load(position + 2), by));
}

// Returns whether the box holds little more than it would if it were renewed.
static inline bool broad_is_close(const tn_world *world, const tni_shape *shape,
                                  const tni_shape_boxes *boxes, const float way[3]) {
    float renewed = broad_measure(&boxes->needed) + 6.0f * tni_shape_get_box_margin(world, shape) +
                    BROAD_STEPS_AHEAD * (fabsf(way[0]) + fabsf(way[1]) + fabsf(way[2]));
    return broad_measure(&boxes->enlarged) <= BROAD_SLACK * renewed;
}

// Does the sums of broad_predict() and broad_fits() in lanes, for a ball in the middle of its body.
static bool broad_keep_ball(const tn_world *world, const tni_body *body, const tni_shape *shape,
                            tni_shape_boxes *boxes, double dt) {
    const double *x = &body->position.x, *v = &body->velocity.x;
    double radius = (double)shape->geometry.sphere.radius;
    tni_d2 step = d2_splat(dt);
    tni_f4 zero = f4_splat(0.0f), eps = f4_splat(FLT_EPSILON), least = f4_splat(FLT_MIN);
    tni_f4 margin = f4_splat(0.5f * world->def.contact_margin);
    tni_f4 way = f4_from_d2(d2_mul(d2_load(v), step), d2_mul(d2_load(v + 2), step));
    way = f4_flush(way, MATHS_TINY);
    tni_f4 low = broad_round(x, -radius), high = broad_round(x, radius);
    low = f4_sub(f4_sub(low, f4_mul(f4_abs(low), eps)), least);
    high = f4_add(f4_add(high, f4_mul(f4_abs(high), eps)), least);
    low = f4_sub(f4_add(low, f4_min(way, zero)), margin);
    high = f4_add(f4_add(high, f4_max(way, zero)), margin);
    float ways[3];
    f4_store3(ways, way);
    f4_store3(boxes->needed.lower.raw, low);
    f4_store3(boxes->needed.upper.raw, high);
    tni_m4 is_low = f4_less(low, f4_load3(boxes->enlarged.lower.raw));
    tni_m4 is_high = f4_less(f4_load3(boxes->enlarged.upper.raw), high);
    bool is_within = ((m4_bits(is_low) | m4_bits(is_high)) & 7) == 0; // false for a NaN
    return is_within && broad_is_close(world, shape, boxes, ways);
}

// Returns whether the box still holds the needed one.
static bool broad_fits(const tn_world *world, const tni_shape *shape, const tni_shape_boxes *boxes,
                       vec3s way) {
    return tni_bounds_contain(&boxes->enlarged, &boxes->needed) &&
           broad_is_close(world, shape, boxes, way.raw);
}

bool tni_body_predict_bounds(tn_world *world, uint32_t index, double dt) {
    const tni_body *body = tni_body_at(world, index);
    bool fits = true;
    broad_motion motion;
    bool is_known = false;
    for (uint32_t i = body->shape_head; i != TNI_NONE && body->is_enabled;
         i = tni_shape_at(world, i)->next) {
        const tni_shape *shape = tni_shape_at(world, i);
        if (shape->leaf == TNI_NONE) {
            fits = fits && shape->plane_index == TNI_NONE; // a shape that meets nothing has no box
            continue;
        }
        tni_shape_boxes *boxes = tni_shape_boxes_at(world, i);
        if (shape->concave != NULL) {
            fits = world->features.parts->predict(world, i, dt) && fits;
            continue;
        }
        if (shape->is_central_ball && broad_goes_straight(world, body, dt)) {
            fits = broad_keep_ball(world, body, shape, boxes, dt) && fits;
            continue;
        }
        if (!is_known) {
            broad_set_motion(world, body, dt, &motion);
            is_known = true;
        }
        boxes->needed = broad_predict(world, i, &motion);
        fits = fits && broad_fits(world, shape, boxes, motion.way);
    }
    return fits;
}

void tni_body_move_bounds(tn_world *world, uint32_t index, double dt) {
    const tni_body *body = tni_body_at(world, index);
    vec3s way = broad_get_way(body, dt);
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        tni_shape *shape = tni_shape_at(world, i);
        tni_shape_boxes *boxes = tni_shape_boxes_at(world, i);
        if (shape->leaf == TNI_NONE) {
            tni_shape_queue(world, i);
        } else if (shape->concave != NULL) {
            if (!world->features.parts->predict(world, i, dt)) {
                world->features.parts->enlarge(world, i);
                tni_tree_move(broad_get_own_tree(world, shape), shape->leaf, boxes->enlarged);
                tni_shape_queue(world, i);
            }
        } else if (!broad_fits(world, shape, boxes, way)) {
            boxes->needed = broad_make_finite(boxes->needed);
            boxes->enlarged = broad_enlarge(world, shape, boxes->needed, way);
            tni_tree_move(broad_get_own_tree(world, shape), shape->leaf, boxes->enlarged);
            tni_shape_queue(world, i);
        }
    }
}

void tni_body_update_bounds(tn_world *world, uint32_t index, double dt) {
    tni_sensing_note_change(world, index);
    if (!tni_body_predict_bounds(world, index, dt)) {
        tni_body_move_bounds(world, index, dt);
    }
}
