// joints/motion_path_joint.c: a point or a frame of b is led along a path in time beside frame a.
//
// Symbols: P(t) the path in frame a, F(t) its rotation there; V, A and W, E their velocities and
// accelerations; d = p_b - p_a; e_i axes of frame a; q the rotation of frame b in the path's frame,
// whose axes are f_i; t the path's time, s its rate.
//
// Rows (3):  C_i = e_i . d - P_i       those of a point along e_i fixed to a, see parts/along.c
//     (+3):  C_i = 2 f_i . V(q)        those of a relative rotation, see parts/angle.c
// C depends on time beside the poses, so that with w_a and w_b alone
//     C' = J v + dC/dt,   dC/dt = -s V_i,   of turns -j_i . s W
//     C'' at zero acceleration: Jdot v - s^2 A_i; of turns that of a frame a which turns with
//           w_a + s W, less j_i . (w_a x s W + s^2 E)
// A solver makes J v = -dC/dt where it makes it 0 of other joints: in Gauss-Seidel
// row->target_speed (solver/joints/joint_block.c), in the exact path tni_joint_measure_rates
// (solver/exact/mechanism_project.c), whose stages close C at the time they end. Time is what the
// joint remembers of turns (parts/turns.h): a turn that advances with s, of which no round is ever
// taken off. The force on the path's side is body a's: what the path adds to the energy is -f . s
// V. Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (constraints that
// depend on time); A. Shabana, "Dynamics of multibody systems", 2005, section 3.4 (driving
// constraints). Test: tests/joints/test_motion_path_joint.c
#include "joints/kind.h"
#include "joints/motion_path.h"
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/plain_rows.h"

// The path now, in world axes.
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

static tni_dvec3 path_turn(const tni_axes *axes, tni_dvec3 v) {
    tni_dvec3 turned = dvec3_scale(axes->x, v.x);
    turned = dvec3_add_scaled(turned, v.y, axes->y);
    return dvec3_add_scaled(turned, v.z, axes->z);
}

// Turns are in world axes, with the rate of the path's time; of lengths what is along e_i.
static path_spot path_measure(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    const tn_motion_path_joint_def *def = &path_of(joint)->def;
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, a);
    tni_dpose frame_b = tni_joint_world_frame(&joint->frame_b, b);
    path_spot spot = {.point = tni_point_measure(joint, a, b), .turns = def->leads_rotation};
    spot.place = tni_motion_path_get_place(path_of(joint), path_get_time(joint));
    spot.a = tni_axes_from_rotation(frame_a.rotation);
    spot.off = dvec3_make(dvec3_dot(spot.a.x, spot.point.d), dvec3_dot(spot.a.y, spot.point.d),
                          dvec3_dot(spot.a.z, spot.point.d));
    spot.off = dvec3_sub(spot.off, spot.place.position);
    tni_path_place *place = &spot.place;
    tni_dquat rotation = dquat_mul(frame_a.rotation, place->rotation);
    spot.path = tni_axes_from_rotation(rotation);
    spot.q = tni_angle_get_relative(rotation, frame_b.rotation);
    place->velocity = dvec3_scale(place->velocity, def->speed);
    place->acceleration = dvec3_scale(place->acceleration, def->speed * def->speed);
    place->angular_velocity = path_turn(&spot.a, dvec3_scale(place->angular_velocity, def->speed));
    place->angular_acceleration =
        path_turn(&spot.a, dvec3_scale(place->angular_acceleration, def->speed * def->speed));
    return spot;
}

static uint32_t path_count(const path_spot *spot) {
    return spot->turns ? 6 : 3;
}

// ---- rows --------------------------------------------------------------------------------------

static void path_emit_spot(const path_spot *spot, tni_exact_row *rows) {
    const double off[3] = {spot->off.x, spot->off.y, spot->off.z};
    tni_exact_emit_along(&spot->point, spot->a.x, &rows[0]);
    tni_exact_emit_along(&spot->point, spot->a.y, &rows[1]);
    tni_exact_emit_along(&spot->point, spot->a.z, &rows[2]);
    if (spot->turns) {
        tni_exact_emit_angle(&spot->path, spot->q, rows + 3);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        rows[i].error = off[i];
    }
    for (uint32_t i = 0; i < path_count(spot) && !spot->place.is_finite; ++i) {
        rows[i] = (tni_exact_row){.error = 0.0};
    }
}

// dC/dt
static void path_get_rates(const path_spot *spot, const tni_exact_row *rows, double *rates) {
    const tni_dvec3 v = spot->place.velocity;
    const double speeds[3] = {v.x, v.y, v.z};
    for (uint32_t i = 0; i < path_count(spot); ++i) {
        double rate = i < 3 ? speeds[i] : dvec3_dot(rows[i].ang_b, spot->place.angular_velocity);
        rates[i] = spot->place.is_finite ? -rate : 0.0;
    }
}

static void path_get_turn_terms(const path_spot *spot, const tni_exact_row *rows,
                                const tni_body_motion *a, const tni_body_motion *b, double *terms) {
    tni_body_motion turning = *a;
    tni_dvec3 w = spot->place.angular_velocity;
    turning.angular_velocity = dvec3_add(a->angular_velocity, w);
    tni_exact_measure_angle_terms(&spot->path, spot->q, &turning, b, terms);
    tni_dvec3 gain =
        dvec3_add(dvec3_cross(a->angular_velocity, w), spot->place.angular_acceleration);
    for (uint32_t i = 0; i < 3; ++i) {
        terms[i] -= dvec3_dot(rows[i].ang_b, gain);
    }
}

// C'' at zero acceleration.
static void path_get_terms(const path_spot *spot, const tni_exact_row *rows,
                           const tni_body_motion *a, const tni_body_motion *b, double *terms) {
    tni_dvec3 g = tni_along_get_drift(&spot->point, a, b);
    terms[0] = dvec3_dot(spot->a.x, g) - spot->place.acceleration.x;
    terms[1] = dvec3_dot(spot->a.y, g) - spot->place.acceleration.y;
    terms[2] = dvec3_dot(spot->a.z, g) - spot->place.acceleration.z;
    if (spot->turns) {
        path_get_turn_terms(spot, rows + 3, a, b, terms + 3);
    }
    for (uint32_t i = 0; i < path_count(spot) && !spot->place.is_finite; ++i) {
        terms[i] = 0.0;
    }
}

static tni_row_count path_count_rows(const tni_joint *joint) {
    uint32_t rows = path_of(joint)->def.leads_rotation ? 6 : 3;
    tni_row_count count = {rows, rows, 0, 3};
    return count;
}

static void path_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_pin *pin, tni_row *rows) {
    (void)pin;
    path_spot spot = path_measure(joint, a, b);
    tni_exact_row exact[TNI_JOINT_MAX_EQUALITY_ROWS];
    double rates[TNI_JOINT_MAX_EQUALITY_ROWS], terms[TNI_JOINT_MAX_EQUALITY_ROWS];
    path_emit_spot(&spot, exact);
    path_get_rates(&spot, exact, rates);
    path_get_terms(&spot, exact, a, b, terms);
    for (uint32_t i = 0; i < path_count(&spot); ++i) {
        tni_plain_row_emit(&exact[i], terms[i], i >= 3, &rows[i]);
        rows[i].target_speed = (float)-rates[i];
    }
}

static void path_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_exact_row *rows) {
    path_spot spot = path_measure(joint, a, b);
    path_emit_spot(&spot, rows);
}

static void path_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *errors) {
    path_spot spot = path_measure(joint, a, b);
    tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
    path_emit_spot(&spot, rows);
    for (uint32_t i = 0; i < path_count(&spot); ++i) {
        errors[i] = rows[i].error;
    }
}

static void path_measure_rates(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *rates) {
    path_spot spot = path_measure(joint, a, b);
    tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
    path_emit_spot(&spot, rows);
    path_get_rates(&spot, rows, rates);
}

static void path_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, const double *x,
                               tni_curvature *curvature) {
    path_spot spot = path_measure(joint, a, b);
    if (!spot.place.is_finite) {
        return;
    }
    tni_dvec3 force = path_turn(&spot.a, dvec3_make(x[0], x[1], x[2]));
    tni_curvature_add_along(&spot.point, force, 1.0, curvature);
    if (spot.turns) {
        tni_curvature_add_angle(spot.q, x + 3, curvature);
    }
}

static void path_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *terms) {
    path_spot spot = path_measure(joint, a, b);
    tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
    path_emit_spot(&spot, rows);
    path_get_terms(&spot, rows, a, b, terms);
}

// ---- values ------------------------------------------------------------------------------------

// Off the path.
static tn_joint_error path_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    path_spot spot = path_measure(joint, a, b);
    tni_dvec3 none = dvec3_make(0.0, 0.0, 0.0), angular = none;
    if (spot.turns) {
        angular = path_turn(&spot.path, tni_angle_get_rotation_vector(spot.q));
    }
    return spot.place.is_finite ? tni_error_make(&spot.a, path_turn(&spot.a, spot.off), angular)
                                : tni_error_make(&spot.a, none, none);
}

// The time on the path, and its rate.
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

static bool path_gives_numbers(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b) {
    (void)a, (void)b;
    return tni_motion_path_get_place(path_of(joint), path_get_time(joint)).is_finite;
}

// ---- the definition -----------------------------------------------------------------------------

// Its times and points stay as they are.
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

const tni_joint_kind tni_motion_path_joint_kind = {.count_rows = path_count_rows,
                                                   .emit = path_emit,
                                                   .emit_exact = path_emit_exact,
                                                   .measure_exact = path_measure_exact,
                                                   .add_curvature = path_add_curvature,
                                                   .measure_terms = path_measure_terms,
                                                   .measure_error = path_measure_error,
                                                   .measure_value = path_measure_value,
                                                   .measure_turning = path_measure_turning,
                                                   .measure_rates = path_measure_rates,
                                                   .gives_numbers = path_gives_numbers,
                                                   .keeper = &motion_path_keeper};
