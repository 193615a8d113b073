// world/joints.h: the functions of joints, forces and bodies by coordinates that rooms of the world
// share.
#ifndef TNI_WORLD_JOINTS_H
#define TNI_WORLD_JOINTS_H

#include "world/world.h"

// ---- joints (world/joints/joint.c) --------------------------------------------------------------

void tni_joint_destroy_at(tn_world *world, uint32_t joint);
void tni_body_destroy_joints(tn_world *world, uint32_t body);
// Call it after the body was enabled or disabled: updates its joints in the list of awake ones.
void tni_body_update_joints_awake(tn_world *world, uint32_t body);
// Recomputes frame_a and frame_b about the centres of mass (after mass or type changed).
void tni_joint_update_frames(tn_world *world, uint32_t joint);
// Returns the motion of a body, or of the world, which is TNI_NONE.
tni_body_motion tni_joint_get_body_motion(const tn_world *world, uint32_t body);
// Call it after a body's type changed. Gives every function joint another centre body, a dynamic
// one if there is any: world/joints/joint_function.c.
void tni_functions_center(tn_world *world);
// Call it after the body became affine or ceased to be, which makes its function joints spans or
// not.
void tni_body_update_functions(tn_world *world, uint32_t body);
// Destroys the ties of a function joint, and takes it out of the list, before it is destroyed.
void tni_function_untie(tn_world *world, uint32_t joint);
// Finds the shape of a rope at its bodies' present poses: world/joints/joint_rope.c.
struct tni_function_place;
struct tni_rope_shape;
void tni_rope_read_shape(const tn_world *world, const struct tni_function *function,
                         struct tni_rope_shape *out_shape);
void tni_rope_respread(tn_world *world, struct tni_function *own);
// Returns the error, and the energy in J, that the last step left.
tn_joint_error tni_function_read_error(const tni_joint *joint);
double tni_function_read_elastic_energy(const tni_joint *joint);
// Frees the memory of a function joint that is being destroyed. Does nothing for others.
void tni_function_drop(tn_world *world, tni_joint *joint);
// Returns the centre of mass of one of its bodies, in the body's frame.
tni_dvec3 tni_function_get_center(const tn_world *world, const struct tni_function *function,
                                  uint32_t body);
// Fills in the present places of all its bodies.
void tni_function_find_place(const tn_world *world, const struct tni_function *function,
                             struct tni_function_place *out_place);
// Makes the frames of a record that is in no list yet.
void tni_joint_make_frames(const tn_world *world, tni_joint *joint);
// Returns whether time passes on the path of a motion path joint. If so, its bodies do not sleep.
bool tni_joint_is_led(const tni_joint *joint);
// Returns whether a joint's callback gives finite numbers now. Reports if it does not.
bool tni_joint_gives_numbers(const tn_world *world, const tni_joint *joint, const char *function);
// Call it after the body was placed elsewhere: joints that count its turns take the nearest count.
void tni_body_remember_turns(tn_world *world, uint32_t body);
// Returns whether a joint that forbids contact ties the two bodies.
bool tni_bodies_are_joined_without_contact(const tn_world *world, uint32_t body_a, uint32_t body_b);
// Returns the present motions of both ends. That of the world is the identity at rest.
void tni_joint_get_motions(const tn_world *world, const tni_joint *joint, tni_body_motion *out_a,
                           tni_body_motion *out_b);
// Return the reaction of the last step on body b at the origin of frame b, N and N·m, and the
// length of the violated part of its rows then, m and rad.
tn_reaction tni_joint_get_reaction(const tn_world *world, const tni_joint *joint);
double tni_joint_get_linear_error(const tn_world *world, const tni_joint *joint);
double tni_joint_get_angular_error(const tn_world *world, const tni_joint *joint);
// Call it before a joint, a mass, a choice of solver or the set of awake bodies changes: what the
// last step learned about joints is then invalid (world/step/joint_plan.h). The records of joints
// receive what only the plan had.
void tni_joint_plan_drop(tn_world *world);
// Writes into a copy of a record what only the plan has.
void tni_joint_plan_read(const tn_world *world, tni_joint *copy);
// Returns the energy in the joint's springs now, J.
double tni_joint_get_elastic_energy(const tn_world *world, const tni_joint *joint);
// Frees what joints own outside their records.
void tni_world_drop_joint_defs(tn_world *world);

// ---- forces (world/api/force.c) -----------------------------------------------------------------

void tni_force_destroy_at(tn_world *world, uint32_t force);
// Frees what a force has beside its record.
void tni_force_free(tn_world *world, tni_force *force);
// Checks the numbers that a force of its type has (world/api/force_check.c).
tni_check tni_force_check_numbers(const tni_force *force);
void tni_force_wake_bodies(tn_world *world, uint32_t force);

// ---- bodies that are given by coordinates (world/movers/reduced.c) ------------------------------

// Creates a reduced object. If `affine` is null, the definition has a callback.
tn_reduced_id tni_reduced_create(tn_world *world, const tn_reduced_def *def,
                                 const tn_affine_def *affine, const char *function);
// Returns the index of a live object, or TNI_NONE after a report (none for a null world).
uint32_t tni_world_find_reduced(const tn_world *world, tn_reduced_id id, const char *function);
void tni_reduced_wake(tn_world *world, const tni_reduced *reduced);
// Returns the object of an affine body, or null.
const tni_reduced *tni_body_get_affine(const tn_world *world, const tni_body *body);
void tni_reduced_destroy_at(tn_world *world, uint32_t reduced);
// Frees what an object has beside its record.
void tni_reduced_free(tn_world *world, tni_reduced *reduced);
// Frees what reduced objects own outside their records.
void tni_world_drop_reduced(tn_world *world);
// Reads the masses of its bodies, so that the callback can be called between steps.
void tni_reduced_read_masses(const tn_world *world, tni_reduced *reduced);
// Returns true, after a report of WRONG_TYPE, if only coordinates may move the body.
bool tni_body_is_led(const tn_world *world, uint32_t body, const char *function);
// Returns whether both belong to one object whose bodies do not touch each other.
bool tni_bodies_are_of_one_without_contact(const tn_world *world, uint32_t body_a, uint32_t body_b);
// Returns whether the joint has no span of its own, and has a reduced body or is solved with joints
// that have one.
bool tni_joint_is_reduced(const tn_world *world, const tni_joint *joint);

#endif
