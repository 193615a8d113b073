// joints/paths/motion_path_joint.c: leads a point or a frame of b along a path in time, given in
// frame a.
//
// Symbols: P(t) the path in frame a, F(t) its rotation there; V, A and W, E their velocities and
// accelerations; d = p_b - p_a; e_i axes of frame a; q the rotation of frame b in the path's frame,
// whose axes are f_i; t the path's time, s its rate.
//
// Rows (3):  C_i = e_i . d - P_i       those of a point along e_i fixed to a, see parts/along.c
//     (+3):  C_i = 2 f_i . V(q)        those of a relative rotation, see parts/angle.c
// C depends on time as well as on the poses, so that
//     C' = J v + dC/dt,   dC/dt = -s V_i,   for turns -j_i . s W
//     C'' at zero acceleration: Jdot v - s^2 A_i; for turns that of a frame a which turns with
//           w_a + s W, less j_i . (w_a x s W + s^2 E)
// A solver makes J v = -dC/dt where other joints have J v = 0: Gauss-Seidel by row->target_speed
// (solver/joints/joint_block.c), an exact mechanism by tni_joint_measure_rates
// (solver/exact/mechanism_project.c), whose stages close C at the time at which they end. The joint
// remembers the time as turns (parts/turns.h): a turn that advances with s and never wraps. Body a
// bears the reaction of the path, which adds -f . s V to the energy.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (constraints that depend
// on time); A. Shabana, "Dynamics of multibody systems", 2005, section 3.4 (driving constraints).
// Test: tests/joints/paths/test_motion_path_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/paths/motion_path.h"

// The path now. Its turns are in world axes, its lengths along e_i.
typedef struct path_spot {
    tni_point point;
    tni_axes a;    // of frame a
    tni_axes path; // of the path's frame
    tni_path_place place;
    tni_dvec3 off; // e_i . d - P_i
    tni_dquat q;
    bool turns;
} path_spot;

static const tni_motion_path *path_of(const tni_joint *joint) {
    return joint->def.motion_path.apart;
}

static double path_get_time(const tni_joint *joint) {
    const tni_turns *turns = &joint->memory.turns[0];
    return path_of(joint)->def.start_time + turns->rest + turns->ahead;
}

// Measures the path now, with the rate of its time: turns in world axes, lengths along e_i.
static path_spot path_measure(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    const tn_motion_path_joint_def *def = &path_of(joint)->def;
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, a);
    tni_dpose frame_b = tni_joint_world_frame(&joint->frame_b, b);
    path_spot spot = {.point = tni_point_measure(joint, a, b), .turns = def->leads_rotation};
    spot.place = tni_motion_path_get_place(path_of(joint), path_get_time(joint));
    spot.a = tni_axes_from_rotation(frame_a.rotation);
    spot.off = dvec3_sub(tni_axes_turn_back(&spot.a, spot.point.d), spot.place.position);
    tni_path_place *place = &spot.place;
    tni_dquat rotation = dquat_mul(frame_a.rotation, place->rotation);
    spot.path = tni_axes_from_rotation(rotation);
    spot.q = tni_angle_get_relative(rotation, frame_b.rotation);
    place->velocity = dvec3_scale(place->velocity, def->speed);
    place->acceleration = dvec3_scale(place->acceleration, def->speed * def->speed);
    place->angular_velocity =
        tni_axes_turn(&spot.a, dvec3_scale(place->angular_velocity, def->speed));
    place->angular_acceleration =
        tni_axes_turn(&spot.a, dvec3_scale(place->angular_acceleration, def->speed * def->speed));
    return spot;
}

// ---- rows --------------------------------------------------------------------------------------

// Adds C_i, their dC/dt and C'' at zero acceleration.
static void path_add_lengths(const path_spot *spot, tni_rows *out) {
    const tni_dvec3 axes[3] = {spot->a.x, spot->a.y, spot->a.z};
    const tni_dvec3 v = spot->place.velocity, gain = spot->place.acceleration;
    const double off[3] = {spot->off.x, spot->off.y, spot->off.z};
    const double speeds[3] = {v.x, v.y, v.z}, gains[3] = {gain.x, gain.y, gain.z};
    tni_rows_add_along(out, &spot->point, axes, 3);
    for (uint32_t i = 0; i < 3; ++i) {
        tni_rows_set_error(out, i, off[i]);
        if (out->rates != NULL) {
            out->rates[i] = -speeds[i];
        }
        if (out->terms != NULL) {
            out->terms[i] -= gains[i];
        }
    }
}

// The turns are those of a frame a that turns with the path.
static void path_add_turns(const path_spot *spot, tni_rows *out) {
    tni_body_motion turning = *out->ends[0];
    tni_dvec3 w_a = turning.angular_velocity, w = spot->place.angular_velocity;
    tni_dvec3 gain = dvec3_add(dvec3_cross(w_a, w), spot->place.angular_acceleration);
    tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_rows own = *out;
    turning.angular_velocity = dvec3_add(w_a, w);
    own.ends[0] = &turning;
    own.exact = out->exact != NULL ? out->exact : rows;
    tni_rows_add_angle(&own, &spot->path, spot->q);
    for (uint32_t i = out->count; i < own.count; ++i) {
        if (out->rates != NULL) {
            out->rates[i] = -dvec3_dot(own.exact[i].ang_b, w);
        }
        if (out->terms != NULL) {
            out->terms[i] -= dvec3_dot(own.exact[i].ang_b, gain);
        }
    }
    out->count = own.count;
    out->turns = own.turns;
    out->turn_count = own.turn_count;
}

static tni_row_count path_count_rows(const tni_joint *joint) {
    uint32_t rows = path_of(joint)->def.leads_rotation ? 6 : 3;
    tni_row_count count = {rows, rows, 0, 3};
    return count;
}

// A path that is not finite holds nothing.
static void path_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_rows *out) {
    path_spot spot = path_measure(joint, a, b);
    uint32_t count = path_count_rows(joint).rows;
    out->is_not_finite = !spot.place.is_finite;
    while (out->is_not_finite && out->count < count) {
        uint32_t r = tni_rows_begin(out, out->count >= 3);
        if (out->rates != NULL) {
            out->rates[r] = 0.0;
        }
    }
    if (!out->is_not_finite) {
        path_add_lengths(&spot, out);
    }
    if (!out->is_not_finite && spot.turns) {
        path_add_turns(&spot, out);
    }
}

// ---- values ------------------------------------------------------------------------------------

// The error is the distance from the path.
static tn_joint_error path_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    path_spot spot = path_measure(joint, a, b);
    tni_dvec3 none = dvec3_make(0.0, 0.0, 0.0), angular = none;
    if (spot.turns) {
        angular = tni_axes_turn(&spot.path, tni_angle_get_rotation_vector(spot.q));
    }
    return spot.place.is_finite ? tni_error_make(&spot.a, tni_axes_turn(&spot.a, spot.off), angular)
                                : tni_error_make(&spot.a, none, none);
}

// Returns the time on the path and its rate.
static tni_joint_value path_measure_value(const tni_joint *joint, uint32_t index,
                                          const tni_body_motion *a, const tni_body_motion *b) {
    (void)index, (void)a, (void)b;
    tni_joint_value value = {path_get_time(joint), path_of(joint)->def.speed};
    return value;
}

static bool path_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, tni_joint_value turning[2]) {
    (void)a, (void)b;
    const tni_turns *turns = &joint->memory.turns[0];
    turning[0] = (tni_joint_value){turns->rest + turns->ahead, path_of(joint)->def.speed};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return true;
}

// ---- the definition -----------------------------------------------------------------------------

// The times and points stay as they were made.
static bool motion_path_keep(tni_allocator *allocator, const tni_joint_def *given,
                             tni_joint *joint) {
    const tn_motion_path_joint_def *def = &given->motion_path;
    tni_motion_path *apart = joint->def.motion_path.apart;
    apart = apart != NULL ? apart : tni_motion_path_make(allocator, def);
    if (apart == NULL) {
        return false;
    }
    const tn_motion_path_joint_def before = apart->def;
    apart->def = *def;
    apart->def.times = before.times;
    apart->def.points = before.points;
    joint->def.motion_path.base = def->base;
    joint->def.motion_path.apart = apart;
    return true;
}

static void motion_path_load(const tni_joint *joint, tni_joint_def *out_def) {
    out_def->motion_path = joint->def.motion_path.apart->def;
}

static void motion_path_drop(tni_allocator *allocator, tni_joint *joint) {
    tni_motion_path_forget(allocator, joint->def.motion_path.apart);
    joint->def.motion_path.apart = NULL;
}

static const tni_joint_keeper motion_path_keeper = {
    .keep = motion_path_keep, .load = motion_path_load, .drop = motion_path_drop};

static const tni_joint_counter path_counter = {.measure_turning = path_measure_turning,
                                               .has_rates = true};

const tni_joint_kind tni_motion_path_joint_kind = {.count_rows = path_count_rows,
                                                   .emit = path_emit,
                                                   .measure_error = path_measure_error,
                                                   .measure_value = path_measure_value,
                                                   .counter = &path_counter,
                                                   .keeper = &motion_path_keeper,
                                                   .has_callback = true};
