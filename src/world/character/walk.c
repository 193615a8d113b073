// world/character/walk.c: slides a convex shape along what is in its way.
//
// A slide casts the shape along the remaining way, goes up to the skin's thickness before the
// first surface, and takes from the way the part into this and all earlier surfaces: along one
// plane, then along the line of two, then not at all (P. Fauerby, "Improved Collision Detection and
// Response", 2003). Surfaces that the shape overlaps at the start stop it only if it goes into
// them. Test: tests/world/character/test_character.c
#include "world/bodies.h"
#include "world/character/character_internal.h"
#include "world/queries/query_probe.h"
#include "world/records/convert.h"

// The most surfaces that one slide meets, and shapes that are looked at in one place.
#define WALK_PLANES 6u
#define WALK_HITS   8u
// A way shorter than this is not gone, m.
#define WALK_LEAST 1e-6
// The skin is kept across surfaces that are met at less than this, as a cosine.
#define WALK_LEAST_COSINE 0.05
// Rounds of getting out of what overlaps.
#define WALK_PARTS 6u
// A surface nearer than this share of the skin is moved away from.
#define WALK_NEAR 0.25
// A ray looks for the face at a point from so far beside and over it, as shares of the skin.
#define WALK_BESIDE 1.0
#define WALK_OVER   2.0
// A cosine of rounding: directions within it count as equal.
#define WALK_ROUNDING 1e-6

static bool walk_accept(const tn_world *world, tn_shape_id shape, void *user_data) {
    const tni_walk *walk = user_data;
    const tn_query_filter *own = walk->character->filter;
    return tn_shape_get_body(world, shape).value != walk->passed.value &&
           (own == NULL || own->accept == NULL || own->accept(world, shape, own->user_data));
}

void tni_walk_begin(tni_walk *walk, tn_world *world, tn_character *character, double dt,
                    const char *function) {
    const tn_query_filter *own = character->filter;
    tni_dvec3 up = dvec3_from_plain(character->up);
    *walk = (tni_walk){.world = world, .character = character, .function = function, .dt = dt};
    walk->position = dvec3_from_plain(character->probe.pose.position);
    walk->up = dvec3_scale(up, 1.0 / dvec3_length(up));
    walk->skin = (double)character->skin;
    walk->steepest = tni_maths_cos((double)character->max_slope) - WALK_ROUNDING;
    walk->filter = own != NULL ? *own : tn_query_filter_default();
    walk->filter.accept = walk_accept;
    walk->filter.user_data = walk;
}

static tn_probe walk_make_probe(const tni_walk *walk, tni_dvec3 way) {
    tn_probe probe = walk->character->probe;
    probe.pose.position = dvec3_to_plain(walk->position);
    probe.translation = dvec3_to_plain(way);
    probe.filter = &walk->filter;
    probe.inside = TN_QUERY_INSIDE_REPORT;
    probe.has_depth = true;
    return probe;
}

double tni_walk_get_feet(const tni_walk *walk) {
    tn_probe given = walk_make_probe(walk, dvec3_make(0.0, 0.0, 0.0));
    tni_probe probe;
    tni_probe_read(walk->world, &given, &probe);
    tni_dvec3 down = dvec3_scale(walk->up, -1.0);
    return dvec3_dot(walk->up, tni_placed_get_point(&probe.placed, down));
}

// ---- looking ----------------------------------------------------------------------------------

bool tni_walk_look(const tni_walk *walk, tni_dvec3 way, tni_walk_hit *out_hit) {
    double length = dvec3_length(way);
    if (!(length > WALK_LEAST)) {
        return false;
    }
    tn_probe probe = walk_make_probe(walk, way);
    tn_probe_hit hits[WALK_HITS];
    uint32_t count = tn_world_cast_probe_all(walk->world, &probe, hits, WALK_HITS);
    for (uint32_t i = 0; i < count && i < WALK_HITS; ++i) {
        tni_dvec3 normal = dvec3_from_plain(hits[i].normal);
        double cosine = -dvec3_dot(normal, way) / length;
        if (cosine <= WALK_ROUNDING) {
            continue;
        }
        double gap = walk->skin / maths_max_d(cosine, WALK_LEAST_COSINE);
        *out_hit = (tni_walk_hit){.shape = hits[i].shape, .normal = normal};
        out_hit->point = dvec3_from_plain(hits[i].point);
        out_hit->way = maths_max_d(hits[i].fraction * length - gap, 0.0);
        return true;
    }
    return false;
}

// The normal at an edge lies between those of its faces. A ray from just over the point, a little
// farther away from the character's middle, meets the face that is walked on.
bool tni_walk_is_ground(const tni_walk *walk, const tni_walk_hit *hit, tni_dvec3 *out_normal) {
    *out_normal = hit->normal;
    if (dvec3_dot(hit->normal, walk->up) >= walk->steepest) {
        return true;
    }
    double rise = dvec3_dot(hit->normal, walk->up);
    tni_dvec3 aside = dvec3_add_scaled(hit->normal, -rise, walk->up);
    tni_dvec3 from = dvec3_add_scaled(hit->point, WALK_OVER * walk->skin, walk->up);
    from = dvec3_add_scaled(from, -WALK_BESIDE * walk->skin / dvec3_length(aside), aside);
    tni_dvec3 way = dvec3_scale(walk->up, -2.0 * WALK_OVER * walk->skin);
    tn_ray ray = tn_ray_make(dvec3_to_plain(from), dvec3_to_plain(way));
    ray.filter = &walk->filter;
    tn_ray_hit face;
    if (rise <= 0.0 || !tn_world_cast_ray(walk->world, &ray, &face) || face.fraction == 0.0) {
        return false;
    }
    *out_normal = dvec3_from_plain(face.normal);
    return dvec3_dot(*out_normal, walk->up) >= walk->steepest;
}

// ---- pushing ----------------------------------------------------------------------------------

// Pushes a dynamic body away so that it goes as fast as the character comes, if the force allows
// it. What is below is not pushed: the character's weight rests on it.
static void walk_push(const tni_walk *walk, const tni_walk_hit *hit, tni_dvec3 velocity) {
    tn_body_id body = tn_shape_get_body(walk->world, hit->shape);
    if (!walk->pushes || tn_body_get_type(walk->world, body) != TN_BODY_TYPE_DYNAMIC ||
        dvec3_dot(hit->normal, walk->up) >= walk->steepest) {
        return;
    }
    tn_vec3 point = dvec3_to_plain(hit->point);
    tni_dvec3 own = dvec3_from_plain(tn_body_get_point_velocity(walk->world, body, point));
    double faster = dvec3_dot(dvec3_sub(own, velocity), hit->normal);
    if (faster > 0.0) {
        double most = (double)walk->character->max_push_force * walk->dt;
        double impulse = maths_min_d(faster * tn_body_get_mass(walk->world, body).mass, most);
        tn_vec3 push = dvec3_to_plain(dvec3_scale(hit->normal, -impulse));
        tn_body_apply_impulse_at(walk->world, body, push, point);
    }
}

// ---- sliding ----------------------------------------------------------------------------------

// Returns the normal by which a slide is stopped: that of an upright wall if a level slide meets
// something steep.
static tni_dvec3 walk_choose_normal(const tni_walk *walk, tni_dvec3 normal, tni_walk_slide slide) {
    double rise = dvec3_dot(normal, walk->up);
    tni_dvec3 level = dvec3_add_scaled(normal, -rise, walk->up);
    double length = dvec3_length(level);
    bool is_wall = slide == TNI_WALK_LEVEL && rise < walk->steepest && length > WALK_ROUNDING;
    return is_wall ? dvec3_scale(level, 1.0 / length) : normal;
}

// Takes from a way the part into a surface. On a slope that is walked up, the way keeps its level
// part and rises.
static tni_dvec3 walk_turn(const tni_walk *walk, tni_dvec3 way, tni_dvec3 normal,
                           tni_walk_slide slide) {
    double into = dvec3_dot(way, normal), rise = dvec3_dot(normal, walk->up);
    if (into >= 0.0) {
        return way;
    }
    bool is_slope = slide == TNI_WALK_LEVEL && rise >= walk->steepest && rise > 0.0;
    return is_slope ? dvec3_add_scaled(way, -into / rise, walk->up)
                    : dvec3_add_scaled(way, -into, normal);
}

static bool walk_is_free(tni_dvec3 way, const tni_dvec3 *planes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (dvec3_dot(way, planes[i]) < -WALK_ROUNDING * dvec3_length(way)) {
            return false;
        }
    }
    return true;
}

// Returns the way that is left of `way` beside all planes, the last of which is new.
static tni_dvec3 walk_clip(const tni_walk *walk, tni_dvec3 way, const tni_dvec3 *planes,
                           uint32_t count, tni_walk_slide slide) {
    tni_dvec3 turned = walk_turn(walk, way, planes[count - 1], slide);
    if (walk_is_free(turned, planes, count)) {
        return turned;
    }
    for (uint32_t i = 0; i + 1 < count; ++i) {
        tni_dvec3 line = dvec3_cross(planes[i], planes[count - 1]);
        double square = dvec3_dot(line, line);
        if (square > WALK_ROUNDING) {
            turned = dvec3_scale(line, dvec3_dot(line, way) / square);
            if (walk_is_free(turned, planes, count)) {
                return turned;
            }
        }
    }
    return dvec3_make(0.0, 0.0, 0.0);
}

bool tni_walk_go(tni_walk *walk, tni_dvec3 way, tni_walk_slide slide) {
    tni_dvec3 planes[WALK_PLANES], velocity = dvec3_scale(way, 1.0 / walk->dt);
    bool meets_wall = false;
    for (uint32_t count = 0; count < WALK_PLANES; ++count) {
        tni_walk_hit hit;
        if (!tni_walk_look(walk, way, &hit)) {
            walk->position = dvec3_add(walk->position, way);
            return meets_wall;
        }
        double length = dvec3_length(way), gone = maths_min_d(hit.way / length, 1.0);
        walk->position = dvec3_add_scaled(walk->position, gone, way);
        way = dvec3_scale(way, 1.0 - gone);
        walk_push(walk, &hit, velocity);
        tni_dvec3 ground;
        if (slide == TNI_WALK_FALL && tni_walk_is_ground(walk, &hit, &ground)) {
            return meets_wall;
        }
        planes[count] = walk_choose_normal(walk, hit.normal, slide);
        meets_wall = meets_wall || dvec3_dot(planes[count], walk->up) < walk->steepest;
        way = walk_clip(walk, way, planes, count + 1, slide);
    }
    return meets_wall;
}

// ---- parting ----------------------------------------------------------------------------------

bool tni_walk_part(tni_walk *walk) {
    double near = WALK_NEAR * walk->skin;
    for (uint32_t round = 0; round < WALK_PARTS; ++round) {
        tn_probe probe = walk_make_probe(walk, dvec3_make(0.0, 0.0, 0.0));
        probe.max_distance = near;
        tn_probe_hit hits[WALK_HITS];
        uint32_t count = tn_world_find_nearest(walk->world, &probe, hits, WALK_HITS);
        if (count == 0) {
            return true;
        }
        tni_dvec3 out = dvec3_make(0.0, 0.0, 0.0);
        for (uint32_t i = 0; i < count; ++i) { // each adds what the others have not moved yet
            tni_dvec3 normal = dvec3_from_plain(hits[i].normal);
            double lack = 2.0 * near - hits[i].distance - dvec3_dot(out, normal);
            out = dvec3_add_scaled(out, maths_max_d(lack, 0.0), normal);
        }
        walk->position = dvec3_add(walk->position, out);
    }
    tn_probe probe = walk_make_probe(walk, dvec3_make(0.0, 0.0, 0.0));
    probe.max_distance = 0.0;
    tn_probe_hit hit;
    return tn_world_find_nearest(walk->world, &probe, &hit, 1) == 0;
}
