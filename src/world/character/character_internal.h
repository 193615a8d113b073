// world/character/character_internal.h: a character's move while it goes on.
#ifndef TNI_WORLD_CHARACTER_CHARACTER_INTERNAL_H
#define TNI_WORLD_CHARACTER_CHARACTER_INTERNAL_H

#include "tenon/character.h"
#include "world/world.h"

typedef struct tni_walk {
    tn_world *world;
    tn_character *character;
    const char *function;
    tni_dvec3 position, up;
    double dt, skin, steepest; // steepest: the cosine of max_slope
    tn_query_filter filter;    // passes what the character's own does, except the body `passed`
    tn_body_id passed;         // is not met, or null
    bool pushes;               // bodies in the way
} tni_walk;

// Begins a walk of a character whose numbers were checked.
void tni_walk_begin(tni_walk *walk, tn_world *world, tn_character *character, double dt,
                    const char *function);
// Finds what is in the way from here, at a gap of the skin. Returns false if nothing is.
typedef struct tni_walk_hit {
    tn_shape_id shape;
    tni_dvec3 point, normal;
    double way; // m: how far the character may go
} tni_walk_hit;
bool tni_walk_look(const tni_walk *walk, tni_dvec3 way, tni_walk_hit *out_hit);

// Chooses what a slide makes of a surface.
typedef enum tni_walk_slide {
    TNI_WALK_LEVEL, // goes up slopes at the speed on the level, and takes steep ones for walls
    TNI_WALK_FALL,  // stops on ground, and slides along all else
    TNI_WALK_CARRY, // slides along everything
} tni_walk_slide;
// Goes a way, sliding along what it meets. Returns whether a wall was in the way.
bool tni_walk_go(tni_walk *walk, tni_dvec3 way, tni_walk_slide slide);
// Moves out of what the character overlaps or is nearer to than its skin. Returns false if that is
// impossible.
bool tni_walk_part(tni_walk *walk);
// Returns whether a hit below is ground: its surface at that point, or the face beside an edge.
bool tni_walk_is_ground(const tni_walk *walk, const tni_walk_hit *hit, tni_dvec3 *out_normal);
// Returns how high the character's lowest point is, m along `up`.
double tni_walk_get_feet(const tni_walk *walk);

#endif
