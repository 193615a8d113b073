// world/joints/joint_rope.c: the public functions of rope joints.
//
// A rope is a joint of its bodies, each once, as a function joint is: world/joints/joint_function.c
// has the code that they share. Test: tests/joints/functions/test_rope_joint.c
#include "joints/functions/rope_joint.h"

#include <string.h>

#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

static const tn_joint_id rope_null = {0};

tn_rope_joint_def tn_rope_joint_def_default(void) {
    tn_rope_joint_def def = {.base = tn_joint_def_default(), .max_tension = INFINITY};
    def.base.is_collision_allowed = true;
    return def;
}

// ---- checks ------------------------------------------------------------------------------------

static tni_check rope_check_payout(float speed, float max_tension, bool is_rigid) {
    const tni_check checks[] = {
        tni_check_that(isfinite(speed) && !isnan(max_tension), TN_RESULT_NOT_FINITE,
                       "A rope's payout must be of numbers."),
        tni_check_cap(max_tension, "A rope's max_tension must be >= 0."),
        tni_check_that(!is_rigid || !isfinite(tni_row_get_cap(max_tension)),
                       TN_RESULT_INVALID_ARGUMENT, "What pushes has no max_tension."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check rope_check_elasticity(float stiffness, float damping) {
    return tni_check_both(
        tni_check_amount(stiffness, "A rope's axial_stiffness must be finite and >= 0."),
        tni_check_amount(damping, "A rope's axial_damping must be finite and >= 0."));
}

static tni_check rope_check_point(const tn_rope_joint_def *def, uint32_t k) {
    const tn_rope_point *point = &def->points[k];
    bool may_rub = k > 0 && k + 1 < def->point_count && !def->is_rigid;
    const tni_check checks[] = {
        tni_check_that(convert_is_finite(point->position), TN_RESULT_NOT_FINITE,
                       "A point of a rope must be finite."),
        tni_check_that(!(point->friction > 0.0f) || may_rub, TN_RESULT_INVALID_ARGUMENT,
                       "The ends of a rope have no friction, nor has one that pushes."),
        tni_check_amount(point->friction, "A rope's friction must be finite and >= 0."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check rope_check_length(double length, bool may_be_zero) {
    bool is_within = length > 0.0 || (may_be_zero && length == 0.0);
    return tni_check_both(
        tni_check_that(isfinite(length), TN_RESULT_NOT_FINITE, "A rope's length must be finite."),
        tni_check_that(is_within, TN_RESULT_INVALID_ARGUMENT, "A rope's length must be above 0."));
}

tni_check tni_joint_check_rope(const tn_rope_joint_def *def) {
    if (def->point_count < 2 || def->point_count > TN_ROPE_MAX_POINTS) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "point_count must be from 2 to 16."};
    }
    tni_check check = rope_check_length(def->length, true);
    for (uint32_t k = 0; k < def->point_count; ++k) {
        check = tni_check_both(check, rope_check_point(def, k));
    }
    const tni_check checks[] = {
        check,
        rope_check_payout(def->payout_speed, def->max_tension, def->is_rigid),
        rope_check_elasticity(def->axial_stiffness, def->axial_damping),
    };
    return tni_check_all(checks, sizeof checks);
}

// ---- creation ----------------------------------------------------------------------------------

static tn_joint_id rope_refuse(tn_world *world, tn_result result, const char *function,
                               const char *message) {
    tni_world_report(world, result, function, message, 0);
    return rope_null;
}

// Finds the bodies, each once, and the body of each point. Returns false after a report.
static bool rope_find_bodies(tn_world *world, const tn_rope_joint_def *def, const char *function,
                             tni_function *own) {
    for (uint32_t k = 0; k < def->point_count; ++k) {
        uint32_t body = TNI_NONE, slot = 0;
        if (def->points[k].body.value != 0) {
            body = tni_world_find_body(world, def->points[k].body, function);
            if (body == TNI_NONE) {
                return false;
            }
        }
        while (slot < own->body_count && own->bodies[slot] != body) {
            slot += 1;
        }
        own->bodies[slot] = body;
        own->body_count += slot == own->body_count ? 1 : 0;
        own->rope->slots[k] = (uint8_t)slot;
    }
    if (own->body_count == 1) {
        rope_refuse(world, TN_RESULT_SAME_BODY, function, "All points are of one body.");
        return false;
    }
    return true;
}

// Centres points on particles, if they are off by rounding alone. Returns false after a report.
static bool rope_suits_particles(tn_world *world, tni_function *own, const char *function) {
    tni_rope *rope = own->rope;
    for (uint32_t k = 0; k < rope->settings.point_count; ++k) {
        tn_vec3 *at = &rope->settings.points[k].position;
        uint32_t body = own->bodies[rope->slots[k]];
        tni_check check = tni_particle_check_point(world, body, dvec3_from_plain(*at));
        if (!tni_world_accepts(world, check, function, 0)) {
            return false;
        }
        if (body != TNI_NONE && tni_body_at(world, body)->is_particle) {
            *at = (tn_vec3){0.0, 0.0, 0.0};
        }
    }
    return true;
}

// Returns null without memory.
static tni_function *rope_make(tn_world *world, const tn_rope_joint_def *def) {
    tni_function *own = tni_alloc_zeroed(&world->allocator, sizeof *own);
    tni_rope *rope = own != NULL ? tni_alloc_zeroed(&world->allocator, sizeof *rope) : NULL;
    if (rope == NULL) {
        tni_free(&world->allocator, own, sizeof *own);
        return NULL;
    }
    rope->settings = *def;
    rope->settings.max_tension = tni_row_get_cap(def->max_tension);
    rope->piece_count = def->point_count - 1;
    own->rope = rope;
    own->is_span = true;
    own->has_time = def->payout_speed != 0.0f;
    return own;
}

void tni_rope_read_shape(const tn_world *world, const tni_function *own,
                         tni_rope_shape *out_shape) {
    tni_function_place place;
    tni_function_find_place(world, own, &place);
    tni_rope_measure(own->rope, place.bodies, out_shape);
}

// Spreads a rope of this length over the pieces in proportion to their lengths.
static void rope_spread(const tn_world *world, const tni_function *own, double length) {
    tni_rope *rope = own->rope;
    tni_rope_shape shape;
    tni_rope_read_shape(world, own, &shape);
    double extent = tni_rope_get_extent(rope, &shape), sum = 0.0;
    double scale = length > 0.0 && extent > 0.0 ? length / extent : 1.0;
    for (uint32_t i = 0; i < rope->piece_count; ++i) {
        sum += scale * shape.lengths[i];
        rope->marks[i] = sum;
    }
    rope->marks[rope->piece_count - 1] = length > 0.0 ? length : sum;
}

static tn_joint_id rope_create(tn_world *world, const tn_rope_joint_def *def,
                               const char *function) {
    if (def == NULL) {
        return rope_refuse(world, TN_RESULT_INVALID_ARGUMENT, function, "The definition is null.");
    }
    if (!tni_world_accepts(world, tni_joint_check_rope(def), function, 0)) {
        return rope_null;
    }
    tni_function *own = rope_make(world, def);
    if (own == NULL) {
        return rope_refuse(world, TN_RESULT_OUT_OF_MEMORY, function,
                           "There is no memory for another joint.");
    }
    if (!rope_find_bodies(world, def, function, own) ||
        !rope_suits_particles(world, own, function)) {
        tni_function_free(world, own);
        return rope_null;
    }
    rope_spread(world, own, def->length);
    return tni_function_insert(world, TN_JOINT_TYPE_ROPE, &def->base, own, function);
}

tn_joint_id tn_rope_joint_create(tn_world *world, const tn_rope_joint_def *def) {
    tn_joint_id made = rope_null;
    if (tni_world_begin_change(world, __func__)) {
        made = rope_create(world, def, __func__);
    }
    tni_world_end_change(world);
    return made;
}

// Spreads the rope anew over its pieces, keeping its length, or at theirs if that is no number.
void tni_rope_respread(tn_world *world, tni_function *own) {
    double length = own->rope->marks[own->rope->piece_count - 1];
    if (!isfinite(length)) {
        tni_rope_shape shape;
        tni_rope_read_shape(world, own, &shape);
        length = tni_rope_get_extent(own->rope, &shape);
    }
    rope_spread(world, own, length);
}

// ---- changing ----------------------------------------------------------------------------------

// Returns the rope's function, or null after a report.
static tni_function *rope_read(const tn_world *world, tn_joint_id id, const char *function) {
    const tni_joint *joint = tni_joint_read(world, id, TN_JOINT_TYPE_ROPE, function);
    return joint != NULL ? joint->def.function.apart : NULL;
}

static tni_function *rope_begin_change(tn_world *world, tn_joint_id id, const char *function) {
    return tni_world_begin_change(world, function) ? rope_read(world, id, function) : NULL;
}

// Returns whether a value is sound and differs from before. Reports an unsound one; wakes the
// bodies for one that is to be set.
static bool rope_accept(tn_world *world, tn_joint_id id, const tni_function *own, bool is_new,
                        tni_check check, const char *function) {
    bool takes = tni_world_accepts(world, check, function, id.value) && is_new;
    if (takes) {
        tni_function_wake(world, own);
    }
    return takes;
}

tn_result tn_rope_joint_set_length(tn_world *world, tn_joint_id joint, double length) {
    tni_function *own = rope_begin_change(world, joint, __func__);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    tni_rope *rope = own->rope;
    uint32_t last = rope->piece_count - 1;
    double before = rope->marks[last];
    if (!rope_accept(world, joint, own, length != before, rope_check_length(length, false),
                     __func__)) {
        return tni_world_end_change(world);
    }
    if (!(before > 0.0)) {
        rope_spread(world, own, length);
        return tni_world_end_change(world);
    }
    for (uint32_t i = 0; i < last; ++i) {
        rope->marks[i] *= length / before;
    }
    rope->marks[last] = length;
    return tni_world_end_change(world);
}

tn_result tn_rope_joint_set_payout(tn_world *world, tn_joint_id joint, float payout_speed,
                                   float max_tension) {
    tni_function *own = rope_begin_change(world, joint, __func__);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    const tn_rope_joint_def *before = &own->rope->settings;
    tni_check check = rope_check_payout(payout_speed, max_tension, before->is_rigid);
    float most = tni_row_get_cap(max_tension);
    bool is_new = before->payout_speed != payout_speed || before->max_tension != most;
    if (rope_accept(world, joint, own, is_new, check, __func__)) {
        own->rope->settings.payout_speed = payout_speed;
        own->rope->settings.max_tension = most;
        own->has_time = payout_speed != 0.0f;
    }
    return tni_world_end_change(world);
}

tn_result tn_rope_joint_set_friction(tn_world *world, tn_joint_id joint, uint32_t sheave,
                                     float friction, uint32_t turns) {
    tni_function *own = rope_begin_change(world, joint, __func__);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    tn_rope_joint_def def = own->rope->settings;
    bool is_new = false;
    tni_check check = {TN_RESULT_INVALID_ARGUMENT, "The rope has no such sheave between its ends."};
    if (sheave > 0 && sheave < def.point_count - 1) { // a rope has at least two points
        def.points[sheave].friction = friction;
        def.points[sheave].turns = turns;
        check = rope_check_point(&def, sheave);
        const tn_rope_point *before = &own->rope->settings.points[sheave];
        is_new = before->friction != friction || before->turns != turns;
    }
    if (rope_accept(world, joint, own, is_new, check, __func__)) {
        own->rope->settings = def;
    }
    return tni_world_end_change(world);
}

tn_result tn_rope_joint_set_elasticity(tn_world *world, tn_joint_id joint, float axial_stiffness,
                                       float axial_damping) {
    tni_function *own = rope_begin_change(world, joint, __func__);
    if (own == NULL) {
        return tni_world_end_change(world);
    }
    const tn_rope_joint_def *before = &own->rope->settings;
    bool is_new =
        before->axial_stiffness != axial_stiffness || before->axial_damping != axial_damping;
    if (rope_accept(world, joint, own, is_new,
                    rope_check_elasticity(axial_stiffness, axial_damping), __func__)) {
        own->rope->settings.axial_stiffness = axial_stiffness;
        own->rope->settings.axial_damping = axial_damping;
    }
    return tni_world_end_change(world);
}

// ---- reading -----------------------------------------------------------------------------------

tn_rope_joint_def tn_rope_joint_get_def(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_ROPE, __func__);
    tn_rope_joint_def none = {.base = {.break_force = 0.0f}};
    if (record == NULL) {
        return none;
    }
    const tni_rope *rope = record->def.function.apart->rope;
    tn_rope_joint_def def = rope->settings;
    def.base = record->def.base;
    def.length = rope->marks[rope->piece_count - 1];
    return def;
}

double tn_rope_joint_get_length(const tn_world *world, tn_joint_id joint) {
    const tni_function *own = rope_read(world, joint, __func__);
    return own != NULL ? own->rope->marks[own->rope->piece_count - 1] : 0.0;
}

double tn_rope_joint_get_extent(const tn_world *world, tn_joint_id joint) {
    const tni_function *own = rope_read(world, joint, __func__);
    if (own == NULL) {
        return 0.0;
    }
    tni_rope_shape shape;
    tni_rope_read_shape(world, own, &shape);
    return tni_rope_get_extent(own->rope, &shape);
}

float tn_rope_joint_get_tension(const tn_world *world, tn_joint_id joint, uint32_t piece) {
    const tni_function *own = rope_read(world, joint, __func__);
    return own != NULL && piece < own->rope->piece_count ? own->rope->forces[piece] : 0.0f;
}

double tn_rope_joint_get_piece(const tn_world *world, tn_joint_id joint, uint32_t piece) {
    const tni_function *own = rope_read(world, joint, __func__);
    if (own == NULL || piece >= own->rope->piece_count) {
        return 0.0;
    }
    tni_rope_shape shape;
    tni_rope_read_shape(world, own, &shape);
    return shape.lengths[piece];
}

static bool rope_has_sheave(const tni_function *own, uint32_t sheave) {
    return own != NULL && sheave > 0 && sheave < own->rope->piece_count;
}

double tn_rope_joint_get_wrap(const tn_world *world, tn_joint_id joint, uint32_t sheave) {
    const tni_function *own = rope_read(world, joint, __func__);
    if (!rope_has_sheave(own, sheave)) {
        return 0.0;
    }
    tni_rope_shape shape;
    tni_rope_read_shape(world, own, &shape);
    return tni_rope_get_wrap(own->rope, &shape, sheave - 1);
}

double tn_rope_joint_get_passed(const tn_world *world, tn_joint_id joint, uint32_t sheave) {
    const tni_function *own = rope_read(world, joint, __func__);
    return rope_has_sheave(own, sheave) ? own->rope->marks[sheave - 1] : 0.0;
}

bool tn_rope_joint_is_slack(const tn_world *world, tn_joint_id joint) {
    const tni_function *own = rope_read(world, joint, __func__);
    bool is_slack = own != NULL;
    for (uint32_t i = 0; is_slack && i < own->rope->piece_count; ++i) {
        is_slack = own->rope->forces[i] == 0.0f;
    }
    return is_slack;
}

bool tn_rope_joint_is_slipping(const tn_world *world, tn_joint_id joint, uint32_t point) {
    const tni_function *own = rope_read(world, joint, __func__);
    if (own == NULL || point == 0 || point > own->rope->piece_count) {
        return false;
    }
    const tni_rope *rope = own->rope;
    bool may_stick = point == rope->piece_count || rope->settings.points[point].friction > 0.0f;
    return may_stick && rope->holds[point - 1] != TNI_ROPE_STUCK && rope->forces[point - 1] != 0.0f;
}
