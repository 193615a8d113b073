// world/joints/joint_internal.h: declares how the files of joints check, make and change
// definitions.
#ifndef TNI_WORLD_JOINTS_JOINT_INTERNAL_H
#define TNI_WORLD_JOINTS_JOINT_INTERNAL_H

#include "core/same.h"
#include "joints/kind.h"
#include "world/world.h"

// Checks every number of a definition. Bodies are checked where they are used.
tni_check tni_joint_def_check(tn_joint_type type, const tni_joint_def *def);
tni_check tni_joint_check_belt(const tn_belt_joint_def *def);
tni_check tni_joint_check_cam(const tn_cam_joint_def *def);
tni_check tni_joint_check_ratchet(const tn_ratchet_joint_def *def);
tni_check tni_joint_check_escapement(const tn_escapement_joint_def *def);
// Check definitions that lead a point along something, and actors on a length that may be negative.
tni_check tni_joint_check_curve(const tn_curve_joint_def *def);
tni_check tni_joint_check_surface(const tn_surface_joint_def *def);
tni_check tni_joint_check_motion_path(const tn_motion_path_joint_def *def);
tni_check tni_joint_check_translation(const tn_limit *limit, const tn_motor *motor,
                                      const tn_spring *spring, float friction,
                                      float viscous_friction);
// Checks a joint of these bodies (TNI_NONE: the world) if one is a particle: world/api/particle.c.
tni_check tni_particle_check_joint(const tn_world *world, tn_joint_type type,
                                   const tni_joint_def *def, uint32_t body_a, uint32_t body_b);
// Checks a point, in the body's frame, of a joint that names its points itself.
tni_check tni_particle_check_point(const tn_world *world, uint32_t body, tni_dvec3 at);
// Normalises the quaternions of the frames.
void tni_joint_def_normalize(tni_joint_def *def);

// Keep a checked definition in a record whose type is set, load it, and free its memory beside the
// record. Keep returns false, with nothing changed, if a new joint has no memory; a joint that has
// some never fails.
bool tni_joint_def_keep(tn_world *world, const tni_joint_def *def, tni_joint *joint);
void tni_joint_def_load(const tni_joint *joint, tni_joint_def *out_def);
void tni_joint_def_drop(tn_world *world, tni_joint *joint);

// Checks the rows of a custom joint or a function joint.
tni_check tni_custom_rows_check(const tn_custom_row_def *rows, uint32_t count);

// Make a function joint or a rope with its own data, whose memory the joint owns from here on,
// whatever happens.
struct tni_function;
tn_joint_id tni_function_insert(tn_world *world, tn_joint_type type, const tn_joint_def *base,
                                struct tni_function *own, const char *function);
void tni_function_free(tn_world *world, struct tni_function *own);
// Returns whether rows are of the time or of more than two bodies: then the joint has none of its
// own.
bool tni_function_is_wide(const struct tni_function *function);
// Checks all numbers of a rope's definition but its base.
tni_check tni_joint_check_rope(const tn_rope_joint_def *def);
// Wakes all its bodies, and drops what a step kept of its old rows.
void tni_function_wake(tn_world *world, const struct tni_function *function);

// These set field by field. Padding keeps its bytes, so that definitions can be compared as a
// whole. So does a value of the same meaning in other bits: no cap as 0 or INFINITY, a rotation as
// a quaternion of either sign and any length.
bool tni_cap_set(float *cap, float given);
bool tni_rotation_set(tn_quat *rotation, const tn_quat *given);
void tni_motor_set(tn_motor *motor, const tn_motor *given);
void tni_ball_motor_set(tn_ball_motor *motor, const tn_ball_motor *given);
void tni_spring_set(tn_spring *spring, const tn_spring *given);
void tni_limit_set(tn_limit *limit, const tn_limit *given);
void tni_joint_axis_set(tn_axis *axis, const tn_axis *given);
bool tni_custom_row_set(tn_custom_row_def *row, const tn_custom_row_def *given);

// Makes room for the records of so many slots. Returns false without memory.
bool tni_joints_make_room(tn_world *world, uint32_t slots);
// Makes room for `count` more joints in all lists of joints. Returns false after a report.
bool tni_joints_reserve(tn_world *world, uint32_t count, const char *function);
// Makes a joint of that type and kind from a copy of `size` bytes of the user's definition. A null
// `def` is refused.
tn_joint_id tni_joint_create(tn_world *world, tn_joint_type type, const tni_joint_kind *kind,
                             const void *def, size_t size, const char *function);

// A change of a joint: begin copies its definition, the caller edits the copy, commit checks it and
// puts it in force, keeps the impulses of the rows that are still there and wakes both bodies. An
// unchanged definition changes nothing and wakes nobody.
typedef struct tni_joint_change {
    uint32_t joint; // or TNI_NONE after a report: then edits have no effect
    const char *function;
    tni_joint_def def;
} tni_joint_change;
tni_joint_change tni_joint_begin_change(tn_world *world, tn_joint_id id, tn_joint_type type,
                                        const char *function);
tni_joint_change tni_joint_begin_change_of_any(tn_world *world, tn_joint_id id,
                                               const char *function);
tn_result tni_joint_commit_change(tn_world *world, const tni_joint_change *change);

// Return a definition of one type, and the output of one of its motors; zero after a report.
tni_joint_def tni_joint_read_def(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                 const char *function);
float tni_joint_read_effort(const tn_world *world, tn_joint_id id, tn_joint_type type,
                            uint32_t motor, const char *function);
// Returns the present value of a joint of one type; zero after a report.
tni_joint_value tni_joint_read_value(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                     const char *function);
// Returns one value of a joint that has several.
tni_joint_value tni_joint_read_value_at(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                        uint32_t value, const char *function);
// Return the rotation of frame b in frame a of a joint of one type, and its relative angular
// velocity in the axes of frame a, rad/s; zero after a report.
tn_quat tni_joint_read_rotation(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                const char *function);
tn_vec3 tni_joint_read_velocity(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                const char *function);
// Returns the error of the row that counts whole turns, m or rad; zero after a report.
double tni_joint_read_phase_error(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                  const char *function);
// Returns one of the angles that a joint counts, rad since it began to; zero after a report.
double tni_joint_read_turn(const tn_world *world, tn_joint_id id, tn_joint_type type,
                           uint32_t angle, const char *function);
// Returns the joint of that type, or null after a report; null without one when the world is null.
const tni_joint *tni_joint_read(const tn_world *world, tn_joint_id id, tn_joint_type type,
                                const char *function);

// Put one end of a joint into its body's list, and take it out.
void tni_joint_link(tn_world *world, uint32_t joint, uint32_t end);
void tni_joint_unlink(tn_world *world, uint32_t joint, uint32_t end);
// Puts the joint into the list of awake joints, or takes it out, as its bodies ask.
void tni_joint_update_awake(tn_world *world, uint32_t joint);
void tni_joint_wake_bodies(tn_world *world, uint32_t joint);
// Has the pairs between the two bodies' shapes looked for again. Either may be TNI_NONE.
// Resets a joint to a new one at its bodies' poses: its last impulses, its loads and its turns. A
// tie resets the joint that it serves.
void tni_joint_forget(tn_world *world, uint32_t joint);
// Takes the joint out of steps or puts it back, for joint_api.c.
void tni_joint_set_disabled(tn_world *world, uint32_t joint, bool is_disabled);
void tni_joint_allow_contacts(tn_world *world, uint32_t body_a, uint32_t body_b);

#endif
