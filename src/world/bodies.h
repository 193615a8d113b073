// world/bodies.h: the functions of bodies and shapes that rooms of the world share: mass, motion,
// bounds, sleep.
#ifndef TNI_WORLD_BODIES_H
#define TNI_WORLD_BODIES_H

#include "world/world.h"

// ---- bodies (world/api/body.c, body_mass.c) -----------------------------------------------------

// Converts between the body's frame and the pose of its centre of mass.
tn_pose tni_body_get_frame(const tni_body *body);
void tni_body_set_frame(tni_body *body, const tn_pose *pose);
// Call it after local_center changed. Puts the centre where the frame, which stays, now has it,
// with the velocity that the body has there.
void tni_body_move_center(tni_body *body, const tn_pose *frame, tni_dvec3 old_center);
// Returns the motion of the body as joints see it.
static inline tni_body_motion tni_body_get_motion(const tni_body *body) {
    return body->motion;
}
// Recomputes mass, centre and inertia, from the shapes unless they were given, and the frames of
// the joints. The body's frame stays in place.
void tni_body_update_mass(tn_world *world, uint32_t body);
// Sets a mass that passed the check; update_mass must follow.
void tni_body_give_mass(tni_body *body, const tn_mass *mass);
tn_mass tni_body_get_mass(const tni_body *body);
// Checks whether a particle may have this shape, and whether a body may have this angular velocity:
// a particle only 0. (world/api/particle.c)
tni_check tni_particle_check_shape(const tn_shape_def *def, const tni_geometry *geometry);
bool tni_body_may_turn(const tni_body *body, tni_dvec3 angular_velocity);
// Destroys the body with its shapes, contacts, joints and forces, and wakes what touched it.
void tni_body_destroy_at(tn_world *world, uint32_t body);
// Make room for the poses that a world keeps to blend with, and take the present pose of a body, or
// of all, which was made or placed by hand, as its previous one. They do nothing in a world that
// keeps none. (world/step/blend.c)
bool tni_blend_reserve(tn_world *world, uint32_t count);
void tni_blend_place(tn_world *world, uint32_t body);
void tni_blend_place_all(tn_world *world);
// Takes the body out of the simulation: contacts, trees and awake lists. Never fails.
void tni_body_disable(tn_world *world, uint32_t body);
// Checks whether a body of this type, or a particle, may have this mass.
tni_check tni_mass_check(const tn_mass *mass, tn_body_type type, bool is_particle);
// Return the inertia in world axes, and its inverse with angular locks applied.
tni_dmat3 tni_body_world_inertia(const tni_body *body);
tni_dmat3 tni_body_world_inv_inertia_exact(const tni_body *body);
// Return the angular momentum about the centre of mass, world axes, N·m·s, and kinetic energy, J.
tni_dvec3 tni_body_spin(const tn_world *world, const tni_body *body);
double tni_body_kinetic_energy(const tn_world *world, const tni_body *body);
// Check, set and note the greatest speeds with which a body leaves a step: world/api/body_speeds.c.
tni_check tni_body_check_max_speeds(float linear, float angular);
void tni_body_give_max_speeds(tni_body *body, float linear, float angular);
void tni_body_note_max_speeds(tn_world *world, const tni_body *body);
tni_sym3 tni_body_world_inv_inertia(const tni_body *body);
vec3s tni_body_axis_inv_mass(const tni_body *body);

// ---- shapes and the broad phase (world/api/shape.c, broad_phase.c) ------------------------------

// The first puts a shape into its tree, unless it is there, its body is disabled, or its filter
// lets it touch nothing; it returns false without memory. The second takes it out.
bool tni_shape_enter_broad_phase(tn_world *world, uint32_t shape);
void tni_shape_leave_broad_phase(tn_world *world, uint32_t shape);
// Enters or leaves, as the shape's changed filter requires.
bool tni_shape_update_presence(tn_world *world, uint32_t shape);
// The same for all shapes of a body. The first takes in all of them, or none if it returns false.
bool tni_body_enter_broad_phase(tn_world *world, uint32_t body);
void tni_body_leave_broad_phase(tn_world *world, uint32_t body);
// Call it before a body's type changes. Moves its leaves to the tree of the new type. Returns false
// without memory, and then changes nothing.
bool tni_body_change_tree(tn_world *world, uint32_t body, tn_body_type type);
// Returns the box that a shape needs in a step of dt, as above.
tni_bounds tni_shape_predict_bounds(tn_world *world, uint32_t shape, double dt);
// Returns the margin of the box of a moving shape, m.
float tni_shape_get_box_margin(const tn_world *world, const tni_shape *shape);
// Computes a shape's motion for a step of dt: world/api/shape_motion.c.
void tni_shape_update_motion(tn_world *world, uint32_t shape, double dt);
// Call it after the geometry or the body's centre of mass changed.
void tni_shape_update_reach(tn_world *world, uint32_t shape);
// Returns the body's frame in double.
tni_dpose tni_body_get_place(const tni_body *body);
// Returns the box around a shape now, not enlarged.
tni_bounds tni_shape_tight_bounds(const tn_world *world, uint32_t shape);
// The same; for an affine body, the box around the deformed shape.
tni_bounds tni_shape_get_bounds(const tn_world *world, uint32_t shape);
// The place of a half-space's plane. The functions return it, and the height of a box's deepest
// corner over it, m.
typedef struct tni_plane_place {
    tni_dvec3 normal, point;
} tni_plane_place;
tni_plane_place tni_shape_get_plane(const tn_world *world, const tni_shape *half_space);
double tni_plane_get_height(const tni_plane_place *plane, const tni_bounds *bounds);
// Returns whether the enlarged bounds of two shapes overlap. One may be a half-space.
bool tni_shapes_are_near(const tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Returns whether the boxes of this step overlap: if not, the shapes cannot meet in it. One must be
// a half-space; for two other shapes compare their tni_shape_boxes.
bool tni_shapes_may_meet(const tn_world *world, uint32_t shape_a, uint32_t shape_b);
// Wake the bodies whose bounds overlap those of a shape, and of all shapes of a body.
void tni_shape_wake_overlapping(tn_world *world, uint32_t index);
void tni_body_wake_overlapping(tn_world *world, uint32_t body);
// Put a shape into its body's list, in which sensors come last, and take it out.
void tni_shape_link(tn_world *world, uint32_t shape);
void tni_shape_unlink(tn_world *world, uint32_t shape);
// Checks the numbers of a convex shape from a snapshot: world/api/shape_def.c.
tni_check tni_shape_check_saved(const tni_shape *shape);
// Destroys a shape without touching its body's mass.
void tni_shape_destroy_at(tn_world *world, uint32_t shape);
void tni_shape_destroy_contacts(tn_world *world, uint32_t shape);
// Ends the shape's use of its hull, if it has one.
void tni_shape_drop_hull(tn_world *world, uint32_t shape);
void tni_world_drop_hulls(tn_world *world);
// Returns an inverse mass along the world's axes: 0 along those that are locked.
static inline tni_dvec3 tni_locks_get_inv_mass(uint32_t locks, double inverse) {
    return dvec3_make((locks & TN_BODY_LOCK_LINEAR_X) != 0 ? 0.0 : inverse,
                      (locks & TN_BODY_LOCK_LINEAR_Y) != 0 ? 0.0 : inverse,
                      (locks & TN_BODY_LOCK_LINEAR_Z) != 0 ? 0.0 : inverse);
}
// A dynamic body with one shape seldom has level neighbours: boxes and hulls in a heap have none.
// See world/collide/contact_ghosts.c.
static inline bool tni_body_may_have_neighbours(const tni_body *body) {
    return body->type != TN_BODY_TYPE_DYNAMIC || body->has_many_solids || body->has_parts;
}
// Returns whether the body hangs on joints or coordinates, and so may leave a straight path.
static inline bool tni_body_is_hung(const tni_body *body) {
    return body->type == TN_BODY_TYPE_DYNAMIC &&
           (body->joint_head != TNI_NONE || body->reduced != TNI_NONE);
}
// rad per step: see tni_body_turn_ahead.
#define TNI_BODY_MAX_TURN 1.0
// Returns the angle, rad, by which the body turns within dt, as far as a gap that this turning
// closes counts as closed. Looking ahead follows the tangents, because the solver follows gaps to
// first order. That holds for half a radian. A body that turns by more than one radian in a step
// gets 0, or it could push itself off things that it would never reach.
static inline double tni_body_turn_ahead(const tni_body *body, double dt) {
    double turn = dvec3_length(body->angular_velocity) * dt;
    double rest = turn <= 0.5 * TNI_BODY_MAX_TURN ? turn : TNI_BODY_MAX_TURN - turn;
    return rest > 0.0 ? rest : 0.0;
}
// Returns the angle, rad, by which points are sought ahead of the body. Contacts of bodies on
// joints are measured anew in every substep (solver/touches/touch.h), or looked at before they push
// (solver/contacts/contact_look.c). They must know everything that their bodies may come near,
// however fast these turn. A kinematic body turns regardless of what it meets, and is followed
// along its arc (collision/path/path.c).
static inline double tni_body_turn_reach(const tni_body *body, double dt) {
    bool turns_on = tni_body_is_hung(body) || body->type == TN_BODY_TYPE_KINEMATIC;
    return turns_on ? dvec3_length(body->angular_velocity) * dt : tni_body_turn_ahead(body, dt);
}
// A body that gravity and forces take out of its way by less than this share of the contact margin
// is found in time all the same.
#define TNI_BODY_LEAST_PULL 0.5
// m: one that they take farther within a step is lost, and must not meet all others before that.
#define TNI_BODY_MOST_PULL 1e6
// Returns what gravity and the force applied for the step add to the body's mean velocity over dt.
static inline tni_dvec3 tni_body_get_pull(const tn_world *world, const tni_body *body, double dt) {
    double half = body->type == TN_BODY_TYPE_DYNAMIC ? 0.5 * dt : 0.0;
    tni_dvec3 gravity = tni_world_get_gravity(world);
    tni_dvec3 pull = dvec3_scale(body->force, half * body->inv_mass);
    return dvec3_add_scaled(pull, half * (double)body->gravity_scale, gravity);
}
// Returns whether that takes it out of its way. Gravity does so at no usual rate.
static inline bool tni_body_is_pulled(const tn_world *world, tni_dvec3 pull, double dt) {
    double least = TNI_BODY_LEAST_PULL * (double)world->def.contact_margin;
    double square = dvec3_dot(pull, pull) * dt * dt;
    return square > least * least && square < TNI_BODY_MOST_PULL * TNI_BODY_MOST_PULL;
}
// Returns the mean velocity over dt of a body on joints, whose path these bend.
tni_dvec3 tni_body_bend_velocity(const tni_body *body, double dt);
// Returns how far that velocity takes it from its straight path within dt, m.
double tni_body_get_sag(const tni_body *body, double dt);
// Returns how far outward turning by an angle, rad, moves the shape's surface, m.
float tni_shape_turn_way(const tni_shape *shape, double turn);
// Makes new bounds for those shapes of a body that leave their enlarged bounds within the next dt
// seconds at the body's speed. Never allocates: move_list has room for every shape. Call it for
// every awake body at the start of a step, after all changes by the user.
void tni_body_update_bounds(tn_world *world, uint32_t body, double dt);
// Its two halves. The first runs on any worker: it deforms the shapes of affine bodies, writes only
// the shapes' boxes, and returns whether all fit into their enlarged ones. The second runs on one
// thread, and writes the trees and move_list.
bool tni_body_predict_bounds(tn_world *world, uint32_t body, double dt);
void tni_body_move_bounds(tn_world *world, uint32_t body, double dt);
// Finds new pairs for the shapes of move_list and makes their contacts. Returns false without
// memory; the list then stays as it was.
bool tni_world_update_pairs(tn_world *world);
// Makes the next step look for the pairs of a shape, or of all the body's shapes (after a joint
// that forbade them is gone).
void tni_shape_queue(tn_world *world, uint32_t shape);
void tni_body_queue_shapes(tn_world *world, uint32_t body);
// Returns the key of a pair of shapes, in either order. Never 0.
static inline uint64_t tni_pair_key(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// ---- shapes of affine bodies (world/api/shape_deform.c) -----------------------------------------

// Returns the geometry that contacts see.
static inline const tni_geometry *tni_shape_get_geometry(const tni_shape *shape) {
    return shape->deformed != NULL ? &shape->deformed->geometry : &shape->geometry;
}
// Returns the frame of that geometry, in the world (world/api/shape_motion.c).
tni_dpose tni_shape_get_frame(const tn_world *world, const tni_shape *shape);
// Returns how fast the surface of a shape moves along its body at a point of the world: a part of a
// mesh as the whole. (world/api/shape_motion.c)
tni_dvec3 tni_shape_get_surface_speed(const tn_world *world, const tni_shape *shape,
                                      tni_dvec3 point);
// Refuses what an affine body cannot deform.
tni_check tni_geometry_check_affine(const tni_geometry *geometry);
// The first two make room for the deformed form of one shape, or of all shapes of a body that is to
// be affine; they return false without memory, and then reserve nothing. The others free it.
bool tni_shape_reserve_deformed(tn_world *world, uint32_t shape);
bool tni_body_reserve_deformed(tn_world *world, uint32_t body);
void tni_shape_drop_deformed(tn_world *world, uint32_t shape);
// Begins the deformed form anew with the shape at rest, which it has room for.
void tni_shape_renew_deformed(tn_world *world, uint32_t shape);
void tni_body_drop_deformed(tn_world *world, uint32_t body);
// Deforms the shape to the body's present coordinates. Does nothing if its body is not affine.
void tni_shape_deform(tn_world *world, uint32_t shape);
// Returns how far straining moves its surface within dt, m: 0 if its body is not affine.
float tni_shape_get_strain_way(const tn_world *world, const tni_shape *shape, double dt);
// Call it after a body became affine or ceased to be. Destroys the contacts of its shapes.
void tni_body_renew_shapes(tn_world *world, uint32_t body);
// Frees all deformed shapes when the world is destroyed.
void tni_world_drop_deformed(tn_world *world);

// ---- sleep (world/step/sleep.c) -----------------------------------------------------------------

// Adds a body that stands in no list to the list of awake bodies alone.
void tni_body_list_awake(tn_world *world, uint32_t body);
// Puts the body, its joints and its contacts into the awake lists, with everything that sleeps with
// it. The awake lists always have room for everything that exists, so this cannot fail. A body that
// just became dynamic or enabled (sleep_next and awake_index both TNI_NONE) is taken in too;
// nothing happens to a static or disabled one.
void tni_body_wake(tn_world *world, uint32_t body);
// Takes one body out of the awake lists when it becomes static, is disabled or falls asleep.
void tni_body_leave_awake(tn_world *world, uint32_t body);
// Puts the body, and everything that is tied to it or touches it, to sleep at once.
void tni_body_sleep(tn_world *world, uint32_t body);
// Wakes the body, and everything that touches it or is tied to it.
void tni_body_wake_neighbours(tn_world *world, uint32_t body);

#endif
