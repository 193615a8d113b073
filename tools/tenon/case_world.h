// tools/tenon/case_world.h: a case's model as a world of tenon that can be stepped and measured.
#ifndef TOOLS_TENON_CASE_WORLD_H
#define TOOLS_TENON_CASE_WORLD_H

#include "tools/tenon/case.h"

#include <tenon/machines.h>

// Who a shape belongs to, for the contact filter.
typedef struct case_tag {
    int body;    // index, or CASE_WORLD
    int contact; // of a static shape: its entry
} case_tag;

// An entry of a file's list.
typedef struct case_place {
    const char *list; // null: none
    uint32_t index;
} case_place;

typedef struct case_world {
    const case_model *model;
    tn_world *world;
    tn_body_id *bodies;
    tn_body_id *statics;  // of each contact entry; null where it is between bodies
    tn_joint_id *joints;  // of a motor: the hinge that it drives
    tn_joint_id *springs; // of each force; null where it is no spring
    double *motor_signs;  // of each joint: the hinge's axis against the motor's
    case_tag *tags;       // of each body, then of each contact entry
    case_place place;     // what is being made
    bool is_released;
    double release_time;
    // Called at the release, which lies between two steps' ends. May be null.
    void (*on_release)(double time, void *user_data);
    void *user_data;
    tn_report_fn report; // of the definition, for what no world reports; may be null
    void *report_user_data;
} case_world;

// `def` holds what the user asked for; gravity comes from the model. Null when something was
// refused, which the definition's report hook has told; `out_place` (may be null) says where.
case_world *case_world_create(const case_model *model, const tn_world_def *def,
                              case_place *out_place);
void case_world_destroy(case_world *run);
// Applies the forces, and takes the sling off at the moment the release asks for.
tn_result case_world_step(case_world *run, double dt, uint32_t substeps);

// case_contact.c: materials before the shapes are made, the filter and the rest after.
tn_material case_contact_body_material(const case_model *model);
tn_material case_contact_static_material(const case_model *model, uint32_t contact);
void case_contact_install(case_world *run);
// case_shape.c
bool case_shape_add(case_world *run, uint32_t body);
// case_transmission.c: a gear, a rack, a screw or a pulley.
tn_joint_id case_add_transmission(case_world *run, const case_joint *joint);

// case_force.c
void case_force_apply(case_world *run);

// case_criteria.c: what a scenario asks for, watched step by step.
typedef struct case_watch {
    const case_world *run;
    double *tilt_times; // of each body: first tilted over 0.1 rad, and over 0.3
    double *fall_times;
    double time, dt;
    double height; // m, of the first body
} case_watch;
bool case_watch_create(case_watch *watch, const case_world *run, double dt);
void case_watch_destroy(case_watch *watch);
void case_watch_step(case_watch *watch, double time);
// False when the quantity's name is not known.
bool case_watch_get(const case_watch *watch, const char *quantity, double *out);
// The names of all quantities, by index; null after the last.
const char *case_watch_get_name(uint32_t index);

// case_output.c: the named outputs of a case's reference.
typedef struct case_output_list case_output_list;
case_output_list *case_output_list_create(const case_world *run, const case_file *file);
void case_output_list_destroy(case_output_list *list);
uint32_t case_output_list_count(const case_output_list *list);
const char *case_output_list_get_name(const case_output_list *list, uint32_t index);
// A force belongs to the middle of a step rather than to its end.
bool case_output_list_is_force(const case_output_list *list, uint32_t index);
double case_output_list_get_value(case_output_list *list, uint32_t index);

#endif
