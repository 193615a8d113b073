// tools/tenon/case_transmission.c: a case's gears, racks, screws and pulleys into a world.
#include "tools/tenon/case_world.h"

#include "tools/tenon/vector.h"

// A frame of its own for each body: they need not agree.
static bool case_set_frame(const case_world *run, tn_body_id body, tn_vec3 anchor, tn_vec3 axis,
                           tn_pose *out_frame) {
    tn_joint_def def = tn_joint_def_default();
    tn_body_id none = {0};
    bool ok = tn_joint_def_set_frames(run->world, &def, body, none, anchor, axis);
    *out_frame = def.frame_a;
    return ok;
}

static bool case_set_ends(const case_world *run, const case_joint *joint, tn_joint_def *def) {
    tn_body_id none = {0};
    def->body_a = joint->a == CASE_WORLD ? none : run->bodies[joint->a];
    def->body_b = joint->b == CASE_WORLD ? none : run->bodies[joint->b];
    return case_set_frame(run, def->body_a, joint->anchor_a, joint->axis, &def->frame_a) &&
           case_set_frame(run, def->body_b, joint->anchor_b, joint->axis_b, &def->frame_b);
}

tn_joint_id case_add_transmission(case_world *run, const case_joint *joint) {
    tn_joint_def base = tn_joint_def_default();
    tn_joint_id none = {0};
    if (!case_set_ends(run, joint, &base)) {
        return none;
    }
    tn_gear_joint_def gear = tn_gear_joint_def_default();
    tn_rack_pinion_joint_def rack = tn_rack_pinion_joint_def_default();
    tn_screw_joint_def screw = tn_screw_joint_def_default();
    tn_pulley_joint_def pulley = tn_pulley_joint_def_default();
    switch (joint->type) {
    case CASE_JOINT_TYPE_GEAR:
        gear.base = base;
        gear.reference = joint->reference;
        gear.ratio = joint->ratio;
        return tn_gear_joint_create(run->world, &gear);
    case CASE_JOINT_TYPE_RACK_PINION:
        rack.base = base;
        rack.radius = joint->ratio;
        return tn_rack_pinion_joint_create(run->world, &rack);
    case CASE_JOINT_TYPE_SCREW:
        screw.base = base;
        screw.lead = joint->ratio;
        return tn_screw_joint_create(run->world, &screw);
    default:
        pulley.base = base;
        pulley.ground_a = joint->ground_a;
        pulley.ground_b = joint->ground_b;
        pulley.ratio = joint->ratio;
        pulley.length = joint->length;
        return tn_pulley_joint_create(run->world, &pulley);
    }
}
