// world/snapshot/snapshot_joint_defs.c: the definitions of joints, as their records keep them.
// Test: tests/world/snapshot/test_snapshot.c
#include "joints/kind.h"
#include "world/joints/joint_internal.h"
#include "world/snapshot/snapshot_joint.h"

// ---- parts of definitions -----------------------------------------------------------------------

static void defs_visit_pose(tni_stream *s, tn_pose *pose) {
    stream_plain(s, &pose->position);
    stream_f64s(s, &pose->rotation.x, 4);
}

static void defs_visit_base(tni_stream *s, tn_joint_def *def) {
    stream_u32(s, &def->body_a.value);
    stream_u32(s, &def->body_b.value);
    defs_visit_pose(s, &def->frame_a);
    defs_visit_pose(s, &def->frame_b);
    stream_bool(s, &def->is_collision_allowed);
    stream_bool(s, &def->has_limit_events);
    stream_f32(s, &def->break_force);
    stream_f32(s, &def->break_torque);
    stream_plain(s, &def->break_linear);
    stream_plain(s, &def->break_angular);
    stream_f32(s, &def->break_time);
    stream_f32(s, &def->hertz);
    stream_f32(s, &def->damping_ratio);
    int solver = stream_choice(s, (int)def->solver, TN_SOLVER_CG);
    void *user_data = stream_pointer(s, def->user_data);
    if (s->mode == TNI_STREAM_LOADS) {
        def->solver = (tn_solver)solver;
        def->user_data = user_data;
    }
}

static void defs_visit_limit(tni_stream *s, tn_limit *limit) {
    stream_bool(s, &limit->is_enabled);
    stream_f32(s, &limit->lower);
    stream_f32(s, &limit->upper);
    stream_f32(s, &limit->stiffness);
    stream_f32(s, &limit->damping);
    stream_f32(s, &limit->restitution);
}

static void defs_visit_motor(tni_stream *s, tn_motor *motor) {
    int mode = stream_choice(s, (int)motor->mode, TN_MOTOR_MODE_POSITION);
    int drive = stream_choice(s, (int)motor->drive, TN_DRIVE_MODE_ACCELERATION);
    if (s->mode == TNI_STREAM_LOADS) {
        motor->mode = (tn_motor_mode)mode;
        motor->drive = (tn_drive_mode)drive;
    }
    stream_f32(s, &motor->target_speed);
    stream_f32(s, &motor->target_position);
    stream_f32(s, &motor->stiffness);
    stream_f32(s, &motor->damping);
    stream_f32(s, &motor->max_force);
}

static void defs_visit_ball_motor(tni_stream *s, tn_ball_motor *motor) {
    int mode = stream_choice(s, (int)motor->mode, TN_MOTOR_MODE_POSITION);
    int drive = stream_choice(s, (int)motor->drive, TN_DRIVE_MODE_ACCELERATION);
    if (s->mode == TNI_STREAM_LOADS) {
        motor->mode = (tn_motor_mode)mode;
        motor->drive = (tn_drive_mode)drive;
    }
    stream_plain(s, &motor->target_velocity);
    stream_f64s(s, &motor->target_rotation.x, 4);
    stream_f32(s, &motor->stiffness);
    stream_f32(s, &motor->damping);
    stream_f32(s, &motor->max_torque);
}

static void defs_visit_spring(tni_stream *s, tn_spring *spring) {
    int mode = stream_choice(s, (int)spring->mode, TN_SPRING_MODE_STIFFNESS);
    if (s->mode == TNI_STREAM_LOADS) {
        spring->mode = (tn_spring_mode)mode;
    }
    stream_f32(s, &spring->hertz);
    stream_f32(s, &spring->damping_ratio);
    stream_f32(s, &spring->stiffness);
    stream_f32(s, &spring->damping);
    stream_f32(s, &spring->rest);
}

static void defs_visit_axis(tni_stream *s, tn_axis *axis) {
    defs_visit_limit(s, &axis->limit);
    defs_visit_motor(s, &axis->motor);
    defs_visit_spring(s, &axis->spring);
    stream_f32(s, &axis->friction);
    stream_f32(s, &axis->viscous_friction);
}

static void defs_visit_round(tni_stream *s, tn_round_limit *limit) {
    stream_bool(s, &limit->x);
    stream_bool(s, &limit->y);
    stream_bool(s, &limit->z);
    stream_f32(s, &limit->lower);
    stream_f32(s, &limit->upper);
}

static void defs_visit_row(tni_stream *s, tn_custom_row_def *row) {
    int kind = stream_choice(s, (int)row->kind, TN_CUSTOM_ROW_SPRING);
    if (s->mode == TNI_STREAM_LOADS) {
        row->kind = (tn_custom_row_kind)kind;
    }
    stream_bool(s, &row->is_angular);
    stream_f32(s, &row->target_speed);
    stream_f32(s, &row->stiffness);
    stream_f32(s, &row->damping);
    stream_f32(s, &row->max_force);
    stream_f32(s, &row->break_load);
}

static void defs_visit_bearing(tni_stream *s, tni_row_bearing *bearing) {
    stream_f64s(s, bearing->mean, TN_CUSTOM_MAX_ROWS);
    stream_f64s(s, bearing->since, TN_CUSTOM_MAX_ROWS);
}

// ---- joints that leave values free --------------------------------------------------------------

static void defs_visit_distance(tni_stream *s, tn_distance_joint_def *def) {
    stream_bool(s, &def->is_rigid);
    stream_f32(s, &def->length);
    defs_visit_limit(s, &def->limit);
    defs_visit_spring(s, &def->spring);
    defs_visit_motor(s, &def->motor);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->viscous_friction);
}

static void defs_visit_ball(tni_stream *s, tn_ball_joint_def *def) {
    defs_visit_limit(s, &def->cone_limit);
    defs_visit_limit(s, &def->twist_limit);
    defs_visit_ball_motor(s, &def->motor);
    defs_visit_spring(s, &def->spring);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->viscous_friction);
}

static void defs_visit_hinge(tni_stream *s, tn_hinge_joint_def *def) {
    defs_visit_limit(s, &def->limit);
    defs_visit_motor(s, &def->motor);
    defs_visit_spring(s, &def->spring);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->viscous_friction);
}

static void defs_visit_slider(tni_stream *s, tn_slider_joint_def *def) {
    defs_visit_limit(s, &def->limit);
    defs_visit_motor(s, &def->motor);
    defs_visit_spring(s, &def->spring);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->viscous_friction);
}

static void defs_visit_swing_twist(tni_stream *s, tn_swing_twist_joint_def *def) {
    defs_visit_limit(s, &def->swing_limit_y);
    defs_visit_limit(s, &def->swing_limit_z);
    defs_visit_limit(s, &def->twist_limit);
    defs_visit_ball_motor(s, &def->motor);
    defs_visit_spring(s, &def->spring);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->viscous_friction);
}

static void defs_visit_wheel(tni_stream *s, tn_wheel_joint_def *def) {
    defs_visit_spring(s, &def->suspension);
    defs_visit_limit(s, &def->suspension_limit);
    stream_bool(s, &def->has_steering);
    defs_visit_limit(s, &def->steering_limit);
    defs_visit_motor(s, &def->steering_motor);
    defs_visit_motor(s, &def->spin_motor);
}

static void defs_visit_six_axis(tni_stream *s, tni_six_axes *axes) {
    stream_u32(s, &axes->locks);
    for (uint32_t i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        defs_visit_axis(s, &axes->axes[i]);
    }
    defs_visit_round(s, &axes->linear_limit);
    defs_visit_round(s, &axes->angular_limit);
}

// ---- transmissions ------------------------------------------------------------------------------

static void defs_visit_gear(tni_stream *s, tn_gear_joint_def *def) {
    int reference = stream_choice(s, (int)def->reference, TN_GEAR_REFERENCE_WORLD);
    if (s->mode == TNI_STREAM_LOADS) {
        def->reference = (tn_gear_reference)reference;
    }
    stream_f64(s, &def->ratio);
    stream_i32(s, &def->teeth_a);
    stream_i32(s, &def->teeth_b);
}

static void defs_visit_belt(tni_stream *s, tn_belt_joint_def *def) {
    stream_f64(s, &def->radius_a);
    stream_f64(s, &def->radius_b);
    stream_i32(s, &def->teeth_a);
    stream_i32(s, &def->teeth_b);
    stream_bool(s, &def->is_crossed);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->pretension);
}

static void defs_visit_pulley(tni_stream *s, tn_pulley_joint_def *def) {
    stream_plain(s, &def->ground_a);
    stream_plain(s, &def->ground_b);
    stream_f64(s, &def->ratio);
    stream_f64(s, &def->length);
    stream_bool(s, &def->is_rigid);
    defs_visit_limit(s, &def->limit_a);
    defs_visit_limit(s, &def->limit_b);
}

static void defs_visit_ratchet(tni_stream *s, tn_ratchet_joint_def *def) {
    stream_i32(s, &def->teeth);
    stream_i32(s, &def->direction);
    stream_bool(s, &def->is_engaged);
    stream_f32(s, &def->drag);
}

static void defs_visit_escapement(tni_stream *s, tn_escapement_joint_def *def) {
    stream_i32(s, &def->teeth);
    stream_i32(s, &def->direction);
    stream_f64(s, &def->lift_angle);
    stream_f64(s, &def->lock_angle);
    stream_f64(s, &def->drop_angle);
}

static void defs_visit_cam(tni_stream *s, tni_joint_kept_def *def) {
    int follower = stream_choice(s, (int)def->cam.follower, TN_CAM_FOLLOWER_FLAT);
    if (s->mode == TNI_STREAM_LOADS) {
        def->cam.follower = (tn_cam_follower)follower;
    }
    stream_bool(s, &def->cam.is_desmodromic);
    stream_f64(s, &def->cam.roller_radius);
}

// ---- paths and callbacks ------------------------------------------------------------------------

static void defs_visit_curve(tni_stream *s, tn_curve_joint_def *def) {
    stream_same(s, def->point_count);
    defs_visit_limit(s, &def->limit);
    defs_visit_motor(s, &def->motor);
    defs_visit_spring(s, &def->spring);
    stream_f32(s, &def->friction);
    stream_f32(s, &def->viscous_friction);
}

static void defs_visit_surface(tni_stream *s, tn_surface_joint_def *def) {
    int shape = stream_choice(s, (int)def->shape, TN_SURFACE_SHAPE_IMPLICIT);
    int side = stream_choice(s, (int)def->side, TN_SURFACE_SIDE_INSIDE);
    if (s->mode == TNI_STREAM_LOADS) {
        def->shape = (tn_surface_shape)shape;
        def->side = (tn_surface_side)side;
    }
    stream_f64(s, &def->radius);
    stream_f64(s, &def->tube_radius);
    stream_plain(s, &def->half_axes);
}

static void defs_visit_motion_path(tni_stream *s, tn_motion_path_joint_def *def) {
    stream_same(s, def->point_count);
    stream_f64(s, &def->start_time);
    stream_f64(s, &def->speed);
}

static void defs_visit_custom(tni_stream *s, tni_custom *custom) {
    stream_same(s, custom->def.row_count);
    for (uint32_t r = 0; r < custom->def.row_count; ++r) {
        defs_visit_row(s, &custom->def.rows[r]);
    }
    defs_visit_bearing(s, &custom->bearing);
}

static void defs_visit_rope_points(tni_stream *s, tni_rope *rope) {
    for (uint32_t i = 0; i < rope->piece_count + 1; ++i) {
        tn_rope_point *point = &rope->settings.points[i];
        stream_u32(s, &point->body.value);
        stream_plain(s, &point->position);
        stream_f32(s, &point->friction);
        stream_u32(s, &point->turns);
    }
}

static void defs_visit_rope(tni_stream *s, tni_rope *rope) {
    stream_same(s, rope->piece_count);
    defs_visit_rope_points(s, rope);
    stream_f64(s, &rope->settings.length);
    stream_bool(s, &rope->settings.is_rigid);
    stream_f32(s, &rope->settings.axial_stiffness);
    stream_f32(s, &rope->settings.axial_damping);
    stream_f32(s, &rope->settings.payout_speed);
    stream_f32(s, &rope->settings.max_tension);
    stream_f64s(s, rope->marks, rope->piece_count);
    tni_stream_fields(s, rope->holds, rope->piece_count, 1);
    stream_f64s(s, rope->tensions, rope->piece_count);
    stream_f32s(s, rope->forces, rope->piece_count);
    stream_f64(s, &rope->error);
    stream_f64(s, &rope->elastic_energy);
    stream_f64(s, &rope->motor_work);
}

// A tie has nothing beside its record. A rope has no graph.
static void defs_visit_function(tni_stream *s, tni_function_def *def) {
    tni_function *function = def->apart;
    stream_same(s, def->owner);
    stream_same(s, function != NULL ? 1 : 0);
    if (function == NULL || s->is_other) {
        return;
    }
    uint32_t number_count = function->graph != NULL ? function->graph->number_count : 0;
    stream_same(s, number_count);
    stream_same(s, function->row_count);
    stream_same(s, function->body_count);
    stream_bool(s, &function->is_span);
    for (uint32_t i = 0; i < function->body_count; ++i) {
        stream_same(s, function->bodies[i]);
    }
    stream_same(s, function->tie_count);
    for (uint32_t i = 0; i < TN_GRAPH_MAX_BODIES; ++i) {
        stream_same(s, function->ties[i]);
    }
    for (uint32_t r = 0; r < function->row_count; ++r) {
        defs_visit_row(s, &function->rows[r]);
    }
    stream_f64s_or_skip(s, function->values.inputs, number_count);
    stream_f32s(s, function->impulses, function->row_count);
    stream_f32s(s, function->forces, function->row_count);
    stream_f64s(s, function->errors, function->row_count);
    defs_visit_bearing(s, &function->bearing);
    stream_u32(s, &function->place);
    if (function->rope != NULL) {
        defs_visit_rope(s, function->rope);
        if (s->mode == TNI_STREAM_LOADS) {
            function->has_time = function->rope->settings.payout_speed != 0.0f;
        }
    }
}

// ---- all ----------------------------------------------------------------------------------------

static void defs_visit_axes(tni_stream *s, tni_joint *joint) {
    switch (joint->type) {
    case TN_JOINT_TYPE_UNIVERSAL:
        defs_visit_axis(s, &joint->def.universal.first);
        defs_visit_axis(s, &joint->def.universal.second);
        break;
    case TN_JOINT_TYPE_CYLINDRICAL:
        defs_visit_axis(s, &joint->def.cylindrical.slide);
        defs_visit_axis(s, &joint->def.cylindrical.turn);
        break;
    case TN_JOINT_TYPE_PLANAR:
        defs_visit_axis(s, &joint->def.planar.y);
        defs_visit_axis(s, &joint->def.planar.z);
        defs_visit_axis(s, &joint->def.planar.turn);
        break;
    default: // FIXED
        defs_visit_spring(s, &joint->def.fixed.linear_spring);
        defs_visit_spring(s, &joint->def.fixed.angular_spring);
        break;
    }
}

static void defs_visit_apart(tni_stream *s, tni_joint *joint) {
    switch (joint->type) {
    case TN_JOINT_TYPE_SIX_AXIS:
        defs_visit_six_axis(s, joint->def.six_axis.apart);
        break;
    case TN_JOINT_TYPE_CUSTOM:
        defs_visit_custom(s, joint->def.custom.apart);
        break;
    case TN_JOINT_TYPE_CAM:
        defs_visit_cam(s, &joint->def);
        break;
    case TN_JOINT_TYPE_CURVE:
        defs_visit_curve(s, &joint->def.curve.apart->def);
        break;
    case TN_JOINT_TYPE_SURFACE:
        defs_visit_surface(s, &joint->def.surface);
        break;
    case TN_JOINT_TYPE_MOTION_PATH:
        defs_visit_motion_path(s, &joint->def.motion_path.apart->def);
        break;
    default: // FUNCTION, ROPE
        defs_visit_function(s, &joint->def.function);
        break;
    }
}

static void defs_visit_plain(tni_stream *s, tni_joint *joint) {
    switch (joint->type) {
    case TN_JOINT_TYPE_GEAR:
        defs_visit_gear(s, &joint->def.gear);
        break;
    case TN_JOINT_TYPE_BELT:
        defs_visit_belt(s, &joint->def.belt);
        break;
    case TN_JOINT_TYPE_RACK_PINION:
        stream_f64(s, &joint->def.rack_pinion.radius);
        break;
    case TN_JOINT_TYPE_SCREW:
        stream_f64(s, &joint->def.screw.lead);
        break;
    case TN_JOINT_TYPE_PULLEY:
        defs_visit_pulley(s, &joint->def.pulley);
        break;
    case TN_JOINT_TYPE_MOUSE:
        stream_f32(s, &joint->def.mouse.max_force);
        break;
    case TN_JOINT_TYPE_RATCHET:
        defs_visit_ratchet(s, &joint->def.ratchet);
        break;
    case TN_JOINT_TYPE_ESCAPEMENT:
        defs_visit_escapement(s, &joint->def.escapement);
        break;
    default:
        defs_visit_apart(s, joint);
        break;
    }
}

void tni_snapshot_visit_def(tni_stream *s, tni_joint *joint) {
    defs_visit_base(s, &joint->def.base);
    switch (joint->type) {
    case TN_JOINT_TYPE_DISTANCE:
        defs_visit_distance(s, &joint->def.distance);
        break;
    case TN_JOINT_TYPE_BALL:
        defs_visit_ball(s, &joint->def.ball);
        break;
    case TN_JOINT_TYPE_HINGE:
        defs_visit_hinge(s, &joint->def.hinge);
        break;
    case TN_JOINT_TYPE_SLIDER:
        defs_visit_slider(s, &joint->def.slider);
        break;
    case TN_JOINT_TYPE_SWING_TWIST:
        defs_visit_swing_twist(s, &joint->def.swing_twist);
        break;
    case TN_JOINT_TYPE_WHEEL:
        defs_visit_wheel(s, &joint->def.wheel);
        break;
    case TN_JOINT_TYPE_FIXED:
    case TN_JOINT_TYPE_UNIVERSAL:
    case TN_JOINT_TYPE_CYLINDRICAL:
    case TN_JOINT_TYPE_PLANAR:
        defs_visit_axes(s, joint);
        break;
    default:
        defs_visit_plain(s, joint);
        break;
    }
}

// ---- checks -------------------------------------------------------------------------------------

void tni_snapshot_copy_apart(tni_joint *joint, tni_snapshot_apart *copy) {
    tni_joint_kept_def *def = &joint->def;
    switch (joint->type) {
    case TN_JOINT_TYPE_SIX_AXIS:
        copy->six_axes = *def->six_axis.apart;
        def->six_axis.apart = &copy->six_axes;
        break;
    case TN_JOINT_TYPE_CUSTOM:
        copy->custom = *def->custom.apart;
        def->custom.apart = &copy->custom;
        break;
    case TN_JOINT_TYPE_CURVE:
        copy->curve = *def->curve.apart;
        def->curve.apart = &copy->curve;
        break;
    case TN_JOINT_TYPE_MOTION_PATH:
        copy->motion_path = *def->motion_path.apart;
        def->motion_path.apart = &copy->motion_path;
        break;
    default:
        if (tni_joint_is_function(joint) && !tni_joint_is_tie(joint)) {
            copy->function = *def->function.apart;
            copy->function.values.inputs = NULL;
            def->function.apart = &copy->function;
            if (copy->function.rope != NULL) {
                copy->rope = *copy->function.rope;
                copy->function.rope = &copy->rope;
            }
        }
        break;
    }
}

// A rope's length is that of its marks.
static bool defs_rope_is_sound(const tni_rope *rope, const tni_rope *own) {
    bool are_holds = true;
    for (uint32_t i = 0; i < rope->piece_count; ++i) {
        are_holds = are_holds && rope->holds[i] <= TNI_ROPE_FORTH;
    }
    return are_holds && rope->settings.is_rigid == own->settings.is_rigid &&
           tni_joint_check_rope(&rope->settings).result == TN_RESULT_OK;
}

static bool defs_function_is_sound(const tni_joint *joint, const tni_joint *own) {
    const tni_function *function = joint->def.function.apart;
    if (function == NULL) { // a tie
        return true;
    }
    bool are_rows = true;
    for (uint32_t r = 0; r < function->row_count; ++r) {
        const tn_custom_row_def *before = &own->def.function.apart->rows[r];
        are_rows = are_rows && function->rows[r].kind == before->kind &&
                   function->rows[r].is_angular == before->is_angular;
    }
    return function->rope != NULL
               ? defs_rope_is_sound(function->rope, own->def.function.apart->rope)
               : are_rows && tni_custom_rows_check(function->rows, function->row_count).result ==
                                 TN_RESULT_OK;
}

bool tni_snapshot_def_is_sound(const tni_joint *joint, const tni_joint *own) {
    tni_joint_def def;
    tni_joint_def_load(joint, &def);
    return tni_joint_def_check(joint->type, &def).result == TN_RESULT_OK &&
           (!tni_joint_is_function(joint) || defs_function_is_sound(joint, own));
}

const tni_joint_kind *tni_snapshot_find_kind(tn_joint_type type) {
    static const tni_joint_kind *const kinds[] = {
        [TN_JOINT_TYPE_DISTANCE] = &tni_distance_joint_kind,
        [TN_JOINT_TYPE_BALL] = &tni_ball_joint_kind,
        [TN_JOINT_TYPE_HINGE] = &tni_hinge_joint_kind,
        [TN_JOINT_TYPE_SLIDER] = &tni_slider_joint_kind,
        [TN_JOINT_TYPE_FIXED] = &tni_fixed_joint_kind,
        [TN_JOINT_TYPE_UNIVERSAL] = &tni_universal_joint_kind,
        [TN_JOINT_TYPE_CYLINDRICAL] = &tni_cylindrical_joint_kind,
        [TN_JOINT_TYPE_PLANAR] = &tni_planar_joint_kind,
        [TN_JOINT_TYPE_SWING_TWIST] = &tni_swing_twist_joint_kind,
        [TN_JOINT_TYPE_WHEEL] = &tni_wheel_joint_kind,
        [TN_JOINT_TYPE_GEAR] = &tni_gear_joint_kind,
        [TN_JOINT_TYPE_RACK_PINION] = &tni_rack_pinion_joint_kind,
        [TN_JOINT_TYPE_SCREW] = &tni_screw_joint_kind,
        [TN_JOINT_TYPE_PULLEY] = &tni_pulley_joint_kind,
        [TN_JOINT_TYPE_MOUSE] = &tni_mouse_joint_kind,
        [TN_JOINT_TYPE_RATCHET] = &tni_ratchet_joint_kind,
        [TN_JOINT_TYPE_ESCAPEMENT] = &tni_escapement_joint_kind,
        [TN_JOINT_TYPE_BELT] = &tni_belt_joint_kind,
    };
    uint32_t count = (uint32_t)(sizeof kinds / sizeof *kinds);
    return (uint32_t)type < count ? kinds[type] : NULL;
}
