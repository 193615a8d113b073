// tools/plot/drawing_scenery.c: what is around the bodies: water, springs, the feet of bearings.
#include "tools/plot/drawing_sheet.h"

#include <math.h>
#include <stdlib.h>

#define SCENERY_END_ON       0.9 // cosine of an axis with the line of sight, from which it is a pin
#define SCENERY_MAX_BEARINGS 8   // more would be clutter

// The water of a buoyancy force, through which what floats is seen.
static void scenery_add_water(drawing_sheet *sheet, const tn_world *world, tn_force_id force) {
    tn_force_buoyancy water = tn_buoyancy_force_get(world, force);
    double length = sqrt(drawing_dot(water.up, water.up));
    double across = drawing_dot(water.up, sheet->right) / length;
    double above = drawing_dot(water.up, sheet->up) / length;
    if (hypot(across, above) < 0.999) {
        return; // seen from above
    }
    double share = water.level / length;
    svg_point edge = drawing_project(
        sheet, (tn_vec3){share * water.up.x, share * water.up.y, share * water.up.z});
    svg_point points[2] = {edge, {edge.x - across, edge.y - above}};
    svg_style style = {.fill = DRAWING_WATER, .stroke = DRAWING_WATER_LINE, .stroke_width = 1.4};
    drawing_add(sheet, DRAWING_LAYER_WATER, DRAWING_KIND_HALF_PLANE, points, 2, style);
}

// A thin line between what a spring force ties.
static void scenery_add_spring(drawing_sheet *sheet, const tn_world *world, tn_force_id force) {
    tn_vec3 ends[2];
    for (uint32_t i = 0; i < 2; i++) {
        tn_connector connector = tn_force_get_connector(world, force, i);
        tn_vec3 at = connector.point;
        tn_pose frame = {{at.x, at.y, at.z}, {0.0, 0.0, 0.0, 1.0}};
        ends[i] = connector.is_at_center
                      ? tn_body_get_center(world, connector.body)
                      : drawing_joint_frame(world, connector.body, &frame).position;
    }
    drawing_add_line(sheet, DRAWING_PEN_THREAD, ends, 2);
}

// Calls `add` for each force of a type.
static void scenery_add_forces(drawing_sheet *sheet, const tn_world *world, tn_force_type type,
                               void (*add)(drawing_sheet *, const tn_world *, tn_force_id)) {
    uint32_t count = tn_world_count_forces(world);
    tn_force_id *forces = drawing_alloc_ids(count, sizeof *forces);
    if (forces == NULL) {
        sheet->failed = true;
        return;
    }
    tn_world_get_forces(world, forces, count);
    for (uint32_t i = 0; i < count; i++) {
        if (tn_force_get_type(world, forces[i]) == type) {
            add(sheet, world, forces[i]);
        }
    }
    free(forces);
}

void drawing_add_water(drawing_sheet *sheet, const tn_world *world) {
    scenery_add_forces(sheet, world, TN_FORCE_TYPE_BUOYANCY, scenery_add_water);
}

void drawing_add_springs(drawing_sheet *sheet, const tn_world *world) {
    scenery_add_forces(sheet, world, TN_FORCE_TYPE_SPRING, scenery_add_spring);
}

bool drawing_is_end_on(const drawing_sheet *sheet, const tn_pose *hinge) {
    tn_vec3 axis = drawing_rotate(hinge->rotation, (tn_vec3){1.0, 0.0, 0.0});
    return fabs(drawing_dot(axis, sheet->toward)) > SCENERY_END_ON;
}

static bool scenery_is_ground(const tn_world *world, tn_body_id body) {
    return body.value == 0 || tn_body_get_type(world, body) == TN_BODY_TYPE_STATIC;
}

// The hinge's frame where it holds a moving body to the ground and is seen as a pin.
static bool scenery_find_bearing(const drawing_sheet *sheet, const tn_world *world,
                                 tn_joint_id joint, tn_pose *out_frame) {
    if (tn_joint_get_type(world, joint) != TN_JOINT_TYPE_HINGE) {
        return false;
    }
    tn_joint_def def = tn_joint_get_def(world, joint);
    *out_frame = drawing_joint_frame(world, def.body_a, &def.frame_a);
    return (scenery_is_ground(world, def.body_a) || scenery_is_ground(world, def.body_b)) &&
           drawing_is_end_on(sheet, out_frame);
}

void drawing_add_bearings(drawing_sheet *sheet, const tn_world *world, const tn_joint_id *joints,
                          uint32_t count) {
    svg_point pins[SCENERY_MAX_BEARINGS];
    uint32_t pin_count = 0;
    tn_pose frame;
    for (uint32_t i = 0; i < count; i++) {
        if (scenery_find_bearing(sheet, world, joints[i], &frame)) {
            if (pin_count == SCENERY_MAX_BEARINGS) {
                return;
            }
            pins[pin_count++] = drawing_project(sheet, frame.position);
        }
    }
    svg_style style = {.fill = DRAWING_GROUND, .stroke = DRAWING_GROUND_LINE, .stroke_width = 1.1};
    for (uint32_t i = 0; i < pin_count; i++) {
        drawing_add(sheet, DRAWING_LAYER_STATIC, DRAWING_KIND_BEARING, &pins[i], 1, style);
        drawing_box_include(&sheet->moving, pins[i], 0.0);
    }
}
