// tools/tenon/record_output.c: joint reactions and named outputs as lines of t,name,value.
//
// For each joint: its force (N) and torque (N·m) on the second body, at the joint, in world axes,
// as NAME.force_x and so on, and NAME.motor (N or N·m) where it has a motor. Then the case's named
// outputs.
//
// A reaction is the mean over a step and so belongs to the step's middle. The value at the time
// between two steps is the mean of both, which is right to second order; at the start of the run it
// is what the first two steps lead back to, 1.5 R1 - 0.5 R2. Hence lines are written one step late.
#include "tools/tenon/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_PARTS 7 // of a joint: force, torque, motor

struct output_record {
    FILE *file;
    case_output_list *named; // null for a scene
    uint32_t joint_count, count;
    uint64_t steps;
    double *before, *now, *start; // values after the last step, after this one, and after the first
    double pending_time;
    bool is_pending, start_is_pending;
    double *start_values; // of named values that are no forces, at t = 0
};

static bool output_is_on(tn_axis axis) {
    return axis.motor.mode != TN_MOTOR_MODE_OFF;
}

static bool output_drives_axis(const tn_world *world, tn_joint_id joint) {
    tn_six_axis_joint_def def = tn_six_axis_joint_get_def(world, joint);
    bool drives = false;
    for (int i = 0; i < TN_SIX_AXIS_COUNT; i++) {
        drives |=
            (def.locks & TN_SIX_AXIS_LOCK(i)) == 0 && def.axes[i].motor.mode != TN_MOTOR_MODE_OFF;
    }
    return drives;
}

// Of a joint with several values, on the first one: it is the one whose effort is told.
static bool output_has_motor(const tn_world *world, tn_joint_id joint) {
    switch (tn_joint_get_type(world, joint)) {
    case TN_JOINT_TYPE_MOUSE:
        return true;
    case TN_JOINT_TYPE_DISTANCE:
        return tn_distance_joint_get_def(world, joint).motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_BALL:
        return tn_ball_joint_get_def(world, joint).motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_HINGE:
        return tn_hinge_joint_get_def(world, joint).motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_SLIDER:
        return tn_slider_joint_get_def(world, joint).motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_UNIVERSAL:
        return output_is_on(tn_universal_joint_get_def(world, joint).first);
    case TN_JOINT_TYPE_CYLINDRICAL:
        return output_is_on(tn_cylindrical_joint_get_def(world, joint).slide);
    case TN_JOINT_TYPE_PLANAR:
        return output_is_on(tn_planar_joint_get_def(world, joint).y);
    case TN_JOINT_TYPE_SWING_TWIST:
        return tn_swing_twist_joint_get_def(world, joint).motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_SIX_AXIS:
        return output_drives_axis(world, joint);
    case TN_JOINT_TYPE_WHEEL:
        return tn_wheel_joint_get_def(world, joint).spin_motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_CURVE:
        return tn_curve_joint_get_def(world, joint).motor.mode != TN_MOTOR_MODE_OFF;
    case TN_JOINT_TYPE_FIXED:
    case TN_JOINT_TYPE_CUSTOM:
    case TN_JOINT_TYPE_FUNCTION:
    case TN_JOINT_TYPE_ROPE:
    case TN_JOINT_TYPE_SURFACE:
    case TN_JOINT_TYPE_MOTION_PATH:
    case TN_JOINT_TYPE_GEAR:
    case TN_JOINT_TYPE_BELT:
    case TN_JOINT_TYPE_RACK_PINION:
    case TN_JOINT_TYPE_SCREW:
    case TN_JOINT_TYPE_PULLEY:
    case TN_JOINT_TYPE_CAM:
    case TN_JOINT_TYPE_RATCHET:
    case TN_JOINT_TYPE_ESCAPEMENT:
        return false;
    }
    return false;
}

// NaN for what is not there: a joint that is gone, the motor of one that has none.
static void output_gather_joint(const tn_world *world, tn_joint_id joint, double *values) {
    for (uint32_t i = 0; i < OUTPUT_PARTS; i++) {
        values[i] = (double)NAN;
    }
    if (!tn_joint_is_valid(world, joint)) {
        return;
    }
    tn_reaction reaction = tn_joint_get_reaction(world, joint);
    values[0] = reaction.force.x;
    values[1] = reaction.force.y;
    values[2] = reaction.force.z;
    values[3] = reaction.torque.x;
    values[4] = reaction.torque.y;
    values[5] = reaction.torque.z;
    if (output_has_motor(world, joint)) {
        values[6] = (double)tn_joint_get_motor_effort(world, joint);
    }
}

static void output_gather(output_record *list, const run_subject *subject, double *values) {
    for (uint32_t i = 0; i < list->joint_count; i++) {
        output_gather_joint(subject->world, subject->joints[i].id, values + OUTPUT_PARTS * i);
    }
    for (uint32_t i = OUTPUT_PARTS * list->joint_count; i < list->count; i++) {
        values[i] = case_output_list_get_value(list->named, i - OUTPUT_PARTS * list->joint_count);
    }
}

output_record *output_record_create(FILE *file, const run_subject *subject) {
    output_record *list = calloc(1, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    list->joint_count = subject->joint_count;
    list->count = OUTPUT_PARTS * subject->joint_count;
    if (subject->file != NULL) {
        list->named = case_output_list_create(subject->model, subject->file);
        list->count += list->named != NULL ? case_output_list_count(list->named) : 0;
    }
    list->before = calloc(list->count + 1, sizeof(double));
    list->now = calloc(list->count + 1, sizeof(double));
    list->start = calloc(list->count + 1, sizeof(double));
    list->start_values = calloc(list->count + 1, sizeof(double));
    bool lacks_list = subject->file != NULL && list->named == NULL;
    if (list->before == NULL || list->now == NULL || list->start == NULL ||
        list->start_values == NULL || lacks_list) {
        output_record_destroy(list);
        return NULL;
    }
    list->file = file;
    fputs("t,name,value\n", file);
    return list;
}

static bool output_is_force(const output_record *list, uint32_t index) {
    uint32_t named = OUTPUT_PARTS * list->joint_count;
    return index < named || case_output_list_is_force(list->named, index - named);
}

static void output_write_name(const output_record *list, const run_subject *subject,
                              uint32_t index) {
    static const char *const parts[OUTPUT_PARTS] = {"force_x",  "force_y",  "force_z", "torque_x",
                                                    "torque_y", "torque_z", "motor"};
    uint32_t named = OUTPUT_PARTS * list->joint_count;
    if (index >= named) {
        record_write_text(list->file, case_output_list_get_name(list->named, index - named));
        return;
    }
    char name[CASE_NAME_SIZE + 16];
    snprintf(name, sizeof name, "%s.%s", subject->joints[index / OUTPUT_PARTS].name,
             parts[index % OUTPUT_PARTS]);
    record_write_text(list->file, name);
}

// `first` and `second` weigh the values of forces; what is no force comes from `values`.
static void output_write(const output_record *list, const run_subject *subject, double time,
                         const double *values, const double *first, const double *second,
                         double weight) {
    for (uint32_t i = 0; i < list->count; i++) {
        double value = values[i];
        if (output_is_force(list, i)) {
            value = (1.0 - weight) * first[i] + weight * second[i];
            value = isnan(value) ? first[i] : value;
        }
        if (!isnan(value)) {
            fprintf(list->file, "%.17g,", time);
            output_write_name(list, subject, i);
            fprintf(list->file, ",%.17g\n", value);
        }
    }
}

void output_record_step(output_record *list, const run_subject *subject, double time,
                        bool is_sample) {
    output_gather(list, subject, list->now);
    if (list->steps == 0) {
        list->start_is_pending = true;
        memcpy(list->start_values, list->now, list->count * sizeof(double));
    } else if (list->steps == 1) {
        memcpy(list->start, list->now, list->count * sizeof(double));
    } else if (list->steps == 2 && list->start_is_pending) {
        output_write(list, subject, 0.0, list->start_values, list->start, list->now, -0.5);
        list->start_is_pending = false;
    }
    if (list->is_pending) {
        output_write(list, subject, list->pending_time, list->before, list->before, list->now, 0.5);
    }
    list->is_pending = is_sample && list->steps > 0;
    list->pending_time = time;
    list->steps += 1;
    double *swapped = list->before;
    list->before = list->now;
    list->now = swapped;
}

bool output_record_is_pending(const output_record *list) {
    return list->is_pending || list->start_is_pending;
}

bool output_record_destroy(output_record *list) {
    bool is_whole = true;
    if (list->file != NULL) {
        is_whole = ferror(list->file) == 0;
        is_whole = fclose(list->file) == 0 && is_whole;
    }
    case_output_list_destroy(list->named);
    free(list->before);
    free(list->now);
    free(list->start);
    free(list->start_values);
    free(list);
    return is_whole;
}
