// tools/tenon/subject.h: what is run: a scene, or one model of a case, behind one face.
#ifndef TOOLS_TENON_SUBJECT_H
#define TOOLS_TENON_SUBJECT_H

#include "tools/tenon/case_world.h"

#include "scenes/scene.h"

typedef struct subject_body {
    tn_body_id id;
    char name[CASE_NAME_SIZE];
    bool is_static;
} subject_body;

typedef struct subject_joint {
    tn_joint_id id;
    char name[CASE_NAME_SIZE];
} subject_joint;

// Exactly one of `scene` and `model` is not null.
typedef struct run_subject {
    char name[2 * CASE_NAME_SIZE];
    tn_world *world;
    scene_run *scene;
    case_world *model;
    const case_file *file;
    double time;          // s, how long to run
    double sample;        // s between rows of the CSV
    bool every_step;      // a row for every step, unless the user says otherwise
    subject_body *bodies; // as they were at the start, in the world's order
    uint32_t body_count;
    subject_joint *joints;
    uint32_t joint_count;
    uint32_t *body_order; // indices into `bodies`, sorted by handle
} run_subject;

// Takes over the scene's run or the case's world, even when it fails for want of memory.
bool subject_init_scene(run_subject *subject, scene_run *run);
bool subject_init_case(run_subject *subject, const case_file *file, case_world *model);
void subject_destroy(run_subject *subject);
tn_result subject_step(run_subject *subject, double dt, uint32_t substeps);
// Names; "?" for what is not known, and for bodies that are gone.
const char *subject_get_body_name(const run_subject *subject, tn_body_id body);
const char *subject_get_joint_name(const run_subject *subject, tn_joint_id joint);

#endif
