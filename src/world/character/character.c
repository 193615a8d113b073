// world/character/character.c: a character's move: level, up a step, down to the ground, and on
// with what it stands on.
//
// The level part comes first. If a wall stops it, the same way is tried from the height of a step,
// and taken if it leads farther and down to ground that is no higher than a step above the feet.
// Then a character that stood on the ground follows it down, and any other falls. What moves under
// it carries it last, and is not met then: it will have moved on when the step is done.
// Test: tests/world/character/test_character.c
#include "world/character/character_internal.h"

#include "world/bodies.h"
#include "world/queries/query_probe.h"
#include "world/records/check.h"
#include "world/records/convert.h"

// A step must lead farther than the way without it by this, m.
#define CHARACTER_GAIN 1e-5
// The character touches what it could go down to by this many skins. The search goes farther down,
// because the skin is kept across a surface, and so is thicker upright beside an edge.
#define CHARACTER_REACH 1.5
#define CHARACTER_LOOK  20.0

// ---- making -----------------------------------------------------------------------------------

tn_character tn_character_make(tn_probe probe) {
    return (tn_character){.probe = probe,
                          .up = {0.0, 1.0, 0.0},
                          .max_slope = 0.87f,
                          .step_height = 0.35f,
                          .snap_height = 0.35f,
                          .skin = 0.01f,
                          .mass = 70.0f,
                          .max_push_force = 500.0f};
}

static tni_check character_check(const tn_character *c) {
    if (c == NULL) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "There is no character."};
    }
    double square = c->up.x * c->up.x + c->up.y * c->up.y + c->up.z * c->up.z;
    const tni_check checks[] = {
        tni_check_that(convert_is_finite_float(c->up), TN_RESULT_NOT_FINITE,
                       "A character's up must be finite."),
        tni_check_that(square > 1e-24, TN_RESULT_ZERO_AXIS, "A character's up must have a length."),
        tni_check_number(isfinite(c->max_slope),
                         c->max_slope >= 0.0f && c->max_slope <= (float)(0.5 * MATHS_PI),
                         "The steepest slope is from 0 to pi / 2."),
        tni_check_amount(c->step_height, "The height of a step must be finite and >= 0."),
        tni_check_amount(c->snap_height, "The snap height must be finite and >= 0."),
        tni_check_number(isfinite(c->skin), c->skin > 0.0f, "The skin must be finite and > 0."),
        tni_check_amount(c->mass, "A character's mass must be finite and >= 0."),
        tni_check_amount(c->max_push_force, "The greatest push must be finite and >= 0."),
        tni_check_that(convert_is_finite_float(c->ground_velocity) &&
                           convert_is_finite_float(c->ground_normal),
                       TN_RESULT_NOT_FINITE, "What a character stands on must be finite."),
    };
    return tni_check_all(checks, sizeof checks);
}

// Checks a character, a shape of it and the world. Returns OK, or what was reported.
static tn_result character_begin(const tn_world *world, const tn_character *character,
                                 const tn_probe *probe, const char *function) {
    tni_check check = character_check(character);
    if (!tni_world_accepts(world, check, function, 0)) {
        return check.result;
    }
    tn_probe asks = probe != NULL ? *probe : character->probe;
    asks.filter = character->filter;
    asks.translation = (tn_vec3){0};
    asks.inside = TN_QUERY_INSIDE_REPORT;
    return tni_probe_begin(world, &asks, 1, world, function) ? TN_RESULT_OK
                                                             : TN_RESULT_INVALID_ARGUMENT;
}

// ---- ground -----------------------------------------------------------------------------------

static void character_leave_ground(tn_character *c) {
    c->state = TN_CHARACTER_STATE_AIR;
    c->ground = (tn_shape_id){0};
    c->ground_normal = c->ground_point = c->ground_velocity = (tn_vec3){0};
}

// Returns how fast the surface that the character stands on moves along its body, at a point.
static tni_dvec3 character_get_surface(const tni_walk *walk, tni_dvec3 point) {
    uint32_t index = tni_world_get_shape_index(walk->world, walk->character->ground);
    tni_dvec3 v = tni_shape_get_surface_speed(walk->world, tni_shape_at(walk->world, index), point);
    tni_dvec3 normal = dvec3_from_plain(walk->character->ground_normal);
    return dvec3_add_scaled(v, -dvec3_dot(v, normal), normal);
}

static void character_find_ground(const tni_walk *walk) {
    tn_character *c = walk->character;
    tni_walk_hit hit;
    tni_dvec3 normal;
    character_leave_ground(c);
    if (!tni_walk_look(walk, dvec3_scale(walk->up, -CHARACTER_LOOK * walk->skin), &hit) ||
        hit.way > CHARACTER_REACH * walk->skin) {
        return;
    }
    bool is_ground = tni_walk_is_ground(walk, &hit, &normal);
    c->state = is_ground ? TN_CHARACTER_STATE_GROUND : TN_CHARACTER_STATE_STEEP;
    c->ground = hit.shape;
    c->ground_normal = dvec3_to_plain(normal);
    c->ground_point = dvec3_to_plain(hit.point);
    tn_body_id body = tn_shape_get_body(walk->world, hit.shape);
    tni_dvec3 carry =
        dvec3_from_plain(tn_body_get_point_velocity(walk->world, body, c->ground_point));
    carry = dvec3_add(carry, character_get_surface(walk, hit.point));
    c->ground_velocity = dvec3_to_plain(carry);
}

// Goes down to ground at most `way` below. Returns whether there is some, at most `highest` m along
// `up`; if not, the character stays.
static bool character_go_down(tni_walk *walk, double way, double highest) {
    tni_walk_hit hit;
    tni_dvec3 normal;
    if (!tni_walk_look(walk, dvec3_scale(walk->up, -way), &hit)) {
        return false;
    }
    bool is_ground = tni_walk_is_ground(walk, &hit, &normal);
    if (is_ground && dvec3_dot(walk->up, hit.point) <= highest) {
        walk->position = dvec3_add_scaled(walk->position, -hit.way, walk->up);
        return true;
    }
    return false;
}

// ---- the level way ----------------------------------------------------------------------------

static double character_get_level_square(const tni_walk *walk, tni_dvec3 from) {
    tni_dvec3 gone = dvec3_sub(walk->position, from);
    gone = dvec3_add_scaled(gone, -dvec3_dot(gone, walk->up), walk->up);
    return dvec3_dot(gone, gone);
}

// Tries the way from the height of a step. Returns whether it leads on to ground; if not, the
// character stays.
static bool character_step_up(tni_walk *walk, tni_dvec3 way, double least_square) {
    tni_dvec3 start = walk->position;
    double height = (double)walk->character->step_height, feet = tni_walk_get_feet(walk);
    tni_walk_hit hit;
    if (tni_walk_look(walk, dvec3_scale(walk->up, height + walk->skin), &hit)) {
        height = maths_min_d(height, hit.way);
    }
    bool pushes = walk->pushes;
    walk->pushes = false;
    walk->position = dvec3_add_scaled(start, height, walk->up);
    tni_walk_go(walk, way, TNI_WALK_LEVEL);
    walk->pushes = pushes;
    double highest = feet + (double)walk->character->step_height + walk->skin;
    double least = sqrt(least_square) + CHARACTER_GAIN;
    bool leads_on = character_get_level_square(walk, start) > least * least &&
                    character_go_down(walk, height + walk->skin, highest);
    if (!leads_on) {
        walk->position = start;
    }
    return leads_on;
}

static void character_go_level(tni_walk *walk, tni_dvec3 velocity, bool was_on_ground) {
    tni_dvec3 way = dvec3_scale(velocity, walk->dt), start = walk->position, along = way;
    tni_dvec3 normal = dvec3_from_plain(walk->character->ground_normal);
    double rise = dvec3_dot(normal, walk->up);
    if (was_on_ground && rise >= walk->steepest && rise > 0.0) { // along the slope, up or down
        along = dvec3_add_scaled(way, -dvec3_dot(way, normal) / rise, walk->up);
    }
    bool meets_wall = tni_walk_go(walk, along, TNI_WALK_LEVEL);
    if (meets_wall && was_on_ground && walk->character->step_height > 0.0f) {
        tni_dvec3 reached = walk->position;
        double square = character_get_level_square(walk, start);
        walk->position = start;
        if (!character_step_up(walk, way, square)) {
            walk->position = reached;
        }
    }
}

// ---- what moves it, and what it moves ---------------------------------------------------------

// Returns how far the body under the character takes it within the step, turning included.
static tni_dvec3 character_get_carry(const tni_walk *walk, tn_body_id body) {
    tni_dvec3 w = dvec3_from_plain(tn_body_get_angular_velocity(walk->world, body));
    tni_dvec3 v = dvec3_from_plain(tn_body_get_linear_velocity(walk->world, body));
    tni_dvec3 center = dvec3_from_plain(tn_body_get_center(walk->world, body));
    tni_dvec3 arm = dvec3_sub(walk->position, center);
    double turn = dvec3_length(w) * walk->dt, half = 0.5 * turn;
    if (turn > 0.0) {
        double scale = tni_maths_sin(half) * walk->dt / turn;
        tni_dquat q = dquat_make(w.x * scale, w.y * scale, w.z * scale, tni_maths_cos(half));
        arm = dvec3_sub(dquat_rotate(q, arm), arm);
    } else {
        arm = dvec3_make(0.0, 0.0, 0.0);
    }
    return dvec3_add_scaled(arm, walk->dt, v);
}

// Lets a conveyor or a turntable carry the character: with the speed of mid step, so that a
// turntable keeps it in its circle.
static void character_ride_surface(tni_walk *walk) {
    tni_dvec3 point = dvec3_from_plain(walk->character->ground_point);
    tni_dvec3 v = character_get_surface(walk, point);
    if (dvec3_dot(v, v) > 0.0) {
        v = character_get_surface(walk, dvec3_add_scaled(point, 0.5 * walk->dt, v));
        tni_walk_go(walk, dvec3_scale(v, walk->dt), TNI_WALK_CARRY);
    }
}

// Lets what it stands on carry the character, and bear its weight.
static void character_ride(tni_walk *walk) {
    tn_character *c = walk->character;
    if (c->state != TN_CHARACTER_STATE_GROUND) {
        return;
    }
    walk->pushes = false;
    character_ride_surface(walk);
    tn_body_id body = tn_shape_get_body(walk->world, c->ground);
    tn_body_type type = tn_body_get_type(walk->world, body);
    if (type == TN_BODY_TYPE_STATIC) {
        return;
    }
    if (type == TN_BODY_TYPE_DYNAMIC && c->mass > 0.0f) {
        tni_dvec3 weight =
            dvec3_scale(tni_world_get_gravity(walk->world), (double)c->mass * walk->dt);
        tn_body_apply_impulse_at(walk->world, body, dvec3_to_plain(weight), c->ground_point);
    }
    walk->passed = body;
    tni_walk_go(walk, character_get_carry(walk, body), TNI_WALK_CARRY);
    walk->passed = (tn_body_id){0};
}

// ---- the move ---------------------------------------------------------------------------------

// Falls or rises by the velocity along `up`; a character on the ground follows it down. Returns the
// speed at which it fell or rose, and not that of steps and slopes.
static double character_go_upright(tni_walk *walk, double rise, bool was_on_ground) {
    if (was_on_ground) {
        double way =
            maths_max_d(-rise * walk->dt, 0.0) + (double)walk->character->snap_height + walk->skin;
        if (character_go_down(walk, way, DBL_MAX)) {
            return 0.0;
        }
    }
    tni_dvec3 start = walk->position;
    tni_walk_go(walk, dvec3_scale(walk->up, rise * walk->dt), TNI_WALK_FALL);
    return dvec3_dot(dvec3_sub(walk->position, start), walk->up) / walk->dt;
}

static tn_result character_move(tn_world *world, tn_character *character, tn_vec3 velocity,
                                double dt, const char *function) {
    tn_result result = character_begin(world, character, NULL, function);
    if (result != TN_RESULT_OK) {
        return result;
    }
    const tni_check checks[] = {
        tni_check_that(convert_is_finite_float(velocity), TN_RESULT_NOT_FINITE,
                       "A character's velocity must be finite."),
        tni_check_that(isfinite(dt) && dt > 0.0, TN_RESULT_INVALID_TIME_STEP,
                       "The time of a move must be finite and > 0."),
    };
    tni_check check = tni_check_all(checks, sizeof checks);
    if (!tni_world_accepts(world, check, function, 0)) {
        return check.result;
    }
    tni_walk walk;
    tni_walk_begin(&walk, world, character, dt, function);
    tni_dvec3 wanted = dvec3_from_plain(velocity);
    double rise = dvec3_dot(wanted, walk.up);
    bool was_on_ground = character->state == TN_CHARACTER_STATE_GROUND && rise <= 0.0;
    character->is_stuck = !tni_walk_part(&walk);
    tni_dvec3 start = walk.position;
    walk.pushes = true;
    character_go_level(&walk, dvec3_add_scaled(wanted, -rise, walk.up), was_on_ground);
    rise = character_go_upright(&walk, rise, was_on_ground);
    tni_dvec3 moved = dvec3_scale(dvec3_sub(walk.position, start), 1.0 / dt);
    moved = dvec3_add_scaled(moved, rise - dvec3_dot(moved, walk.up), walk.up);
    character->velocity = dvec3_to_plain(moved);
    character_find_ground(&walk);
    character_ride(&walk);
    character->probe.pose.position = dvec3_to_plain(walk.position);
    return TN_RESULT_OK;
}

tn_result tn_character_move(tn_world *world, tn_character *character, tn_vec3 velocity, double dt) {
    tn_result result = world != NULL ? TN_RESULT_WORLD_LOCKED : TN_RESULT_INVALID_ARGUMENT;
    if (tni_world_begin_change(world, __func__)) {
        result = character_move(world, character, velocity, dt, __func__);
    }
    tni_world_end_change(world);
    return result;
}

static bool character_set_probe(const tn_world *world, tn_character *character,
                                const tn_probe *probe, const char *function) {
    if (world && probe == NULL) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function, "There is no probe.", 0);
    }
    if (probe == NULL || !world ||
        character_begin(world, character, NULL, function) != TN_RESULT_OK) {
        return false;
    }
    tn_character other = *character;
    other.probe = *probe;
    other.probe.pose.position = character->probe.pose.position;
    if (character_begin(world, &other, NULL, function) != TN_RESULT_OK) {
        return false;
    }
    tni_walk before, after; // walks that only look
    tni_walk_begin(&before, (tn_world *)world, character, 1.0, function);
    tni_walk_begin(&after, (tn_world *)world, &other, 1.0, function);
    double lower = tni_walk_get_feet(&before) - tni_walk_get_feet(&after);
    tni_dvec3 position = dvec3_add_scaled(after.position, lower, after.up);
    other.probe.pose.position = dvec3_to_plain(position);
    tn_probe fits = other.probe;
    fits.filter = character->filter;
    fits.has_depth = false;
    if (tn_world_overlap_probe(world, &fits, NULL, 0) > 0) {
        return false;
    }
    *character = other;
    return true;
}

bool tn_character_set_probe(const tn_world *world, tn_character *character, const tn_probe *probe) {
    tni_float_environment host = tni_float_environment_enter();
    bool fits = character_set_probe(world, character, probe, __func__);
    tni_float_environment_leave(host);
    return fits;
}

tn_result tn_character_set_position(const tn_world *world, tn_character *character,
                                    tn_vec3 position) {
    if (!world || character == NULL) {
        tni_check none = {TN_RESULT_INVALID_ARGUMENT, "There is no character."};
        if (world) {
            tni_world_accepts(world, none, __func__, 0);
        }
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tni_check check = tni_check_that(convert_is_finite_float(position), TN_RESULT_NOT_FINITE,
                                     "A position must be finite.");
    if (tni_world_accepts(world, check, __func__, 0)) {
        character->probe.pose.position = position;
        character->velocity = (tn_vec3){0};
        character->is_stuck = false;
        character_leave_ground(character);
    }
    return check.result;
}
