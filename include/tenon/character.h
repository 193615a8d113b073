/// tenon/character.h: moves a character through the world: a convex shape that is no body.
///
/// A character goes where it is told, slides along what is in its way, climbs steps, stays on
/// stairs and slopes, rides on what it stands on, pushes dynamic bodies with a limited force, and
/// is pushed by what moves into it. The application adds gravity and jumps to the velocity it asks
/// for, and reads what became of it. Bodies do not feel a character, except by its pushes and its
/// weight. A tn_character is a plain struct: copy it to save it.
///
/// Call tn_character_move once before each tn_world_step, with the same dt. Several characters pass
/// through each other. Thread: a move changes bodies, so it is one of the calls that one thread at
/// a time may make.
#ifndef TENON_CHARACTER_H
#define TENON_CHARACTER_H

#include "tenon/query.h"

TN_EXTERN_C_BEGIN

/// Says what a character stands on.
typedef enum tn_character_state {
    TN_CHARACTER_STATE_AIR = 0, ///< nothing
    TN_CHARACTER_STATE_GROUND,  ///< something no steeper than `max_slope`
    TN_CHARACTER_STATE_STEEP,   ///< something steeper, which it slides down
} tn_character_state;

/// A character. Start from tn_character_make().
typedef struct tn_character {
    tn_probe probe; ///< its shape and pose. `translation`, `inside` and `filter` are not used
    tn_vec3 up;     ///< of any length but 0; default y
    const tn_query_filter *filter; ///< what it meets; null: the default. Read during calls only
    float max_slope;   ///< rad, 0 to pi/2: the steepest ground to stand on. Default 0.87 (50 deg)
    float step_height; ///< m, >= 0: the highest step that it climbs. Default 0.35
    float snap_height; ///< m, >= 0: how far it follows the ground down. Default 0.35
    float skin;        ///< m, > 0: the gap that it keeps to everything. Default 0.01
    float mass;        ///< kg, >= 0: its weight rests on dynamic bodies. Default 70
    float max_push_force; ///< N, >= 0: the most with which it pushes a body. Default 500

    // Written by tn_character_move:
    tn_vec3 velocity; ///< m/s: how it really moved, without what carried it
    tn_character_state state;
    tn_shape_id ground;      ///< what it stands on, or null
    tn_vec3 ground_normal;   ///< of length 1, or 0 in the air
    tn_vec3 ground_point;    ///< m
    tn_vec3 ground_velocity; ///< m/s: of what it stands on, at that point, with the velocity of its
                             ///< surface: it rides along
    bool is_stuck;           ///< it overlaps something that it could not get out of
} tn_character;

/// Returns a character of that shape, in the air, at rest. Thread: any.
TN_API tn_character tn_character_make(tn_probe probe);
/// Moves the character by `velocity`, m/s, for `dt`, s. On the ground, a velocity that is not
/// upward follows the ground, and one with an upward part of more than 0 jumps. Effect: pushes wake
/// bodies. Errors: those of tn_world_cast_probe, INVALID_ARGUMENT (no character, a number out of
/// its range), ZERO_AXIS (up), NOT_FINITE, INVALID_TIME_STEP: the call is ignored.
TN_API tn_result tn_character_move(tn_world *world, tn_character *character, tn_vec3 velocity,
                                   double dt);
/// Gives the character another shape and rotation, those of `probe`, with its lowest point as high
/// as before (a character crouches and gets up so), if nothing is in the way. Returns whether it
/// fits; if not, the character stays as it is. Errors: as above.
TN_API bool tn_character_set_probe(const tn_world *world, tn_character *character,
                                   const tn_probe *probe);
/// Puts the character to another place, in the air and at rest. Errors: NOT_FINITE (call ignored).
TN_API tn_result tn_character_set_position(const tn_world *world, tn_character *character,
                                           tn_vec3 position);

TN_EXTERN_C_END

#endif
