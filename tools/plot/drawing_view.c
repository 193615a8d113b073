// tools/plot/drawing_view.c: from where a world is looked at.
#include "tools/plot/drawing_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t drawing_largest(const double v[3]) {
    uint32_t largest = fabs(v[1]) > fabs(v[0]) ? 1 : 0;
    return fabs(v[2]) > fabs(v[largest]) ? 2 : largest;
}

tn_reduced_id drawing_get_affine(const tn_world *world, tn_body_id body) {
    tn_reduced_id none = {0}, id = tn_body_get_reduced(world, body);
    return id.value != 0 && tn_affine_is_valid(world, id) ? id : none;
}

// Frames of a joint in the world; a null body's frame is there already.
tn_pose drawing_joint_frame(const tn_world *world, tn_body_id body, const tn_pose *frame) {
    if (body.value == 0) {
        return *frame;
    }
    tn_pose pose = tn_body_get_pose(world, body);
    tn_pose result = *frame;
    tn_reduced_id affine = drawing_get_affine(world, body);
    result.position = affine.value != 0 ? tn_affine_get_point(world, affine, frame->position)
                                        : drawing_transform(&pose, frame->position);
    result.rotation = drawing_multiply(&pose, frame).rotation;
    return result;
}

// How much each world axis would lose when looked along: the extent of what moves, less the number
// of hinges that turn about it, which is what a mechanism is looked along for.
static void drawing_measure(const tn_world *world, double extent[3], double hinges[3]) {
    uint32_t count = tn_world_count_bodies(world);
    tn_body_id *bodies = drawing_alloc_ids(count, sizeof *bodies);
    uint32_t joint_count = tn_world_count_joints(world);
    tn_joint_id *joints = drawing_alloc_ids(joint_count, sizeof *joints);
    if (bodies != NULL && joints != NULL) {
        double far = (double)INFINITY;
        double lower[3] = {far, far, far};
        double upper[3] = {-far, -far, -far};
        tn_world_get_bodies(world, bodies, count);
        for (uint32_t i = 0; i < count; i++) {
            if (tn_body_get_type(world, bodies[i]) != TN_BODY_TYPE_STATIC) {
                tn_bounds b = tn_body_get_bounds(world, bodies[i]);
                double low[3] = {b.lower.x, b.lower.y, b.lower.z};
                double high[3] = {b.upper.x, b.upper.y, b.upper.z};
                for (uint32_t k = 0; k < 3; k++) {
                    lower[k] = fmin(lower[k], low[k]);
                    upper[k] = fmax(upper[k], high[k]);
                    extent[k] = upper[k] - lower[k];
                }
            }
        }
        tn_world_get_joints(world, joints, joint_count);
        for (uint32_t i = 0; i < joint_count; i++) {
            if (tn_joint_get_type(world, joints[i]) == TN_JOINT_TYPE_HINGE) {
                tn_joint_def def = tn_joint_get_def(world, joints[i]);
                tn_pose frame = drawing_joint_frame(world, def.body_a, &def.frame_a);
                tn_vec3 axis = drawing_rotate(frame.rotation, (tn_vec3){1.0, 0.0, 0.0});
                double parts[3] = {axis.x, axis.y, axis.z};
                hinges[drawing_largest(parts)] += 1.0;
            }
        }
    }
    free(bodies);
    free(joints);
}

static void drawing_choose_view(drawing_sheet *sheet, const tn_world *world) {
    tn_vec3 g = tn_world_get_gravity(world);
    double down[3] = {g.x, g.y, g.z};
    uint32_t up = drawing_largest(down);
    double sign = down[up] > 0.0 ? -1.0 : 1.0;
    if (down[up] == 0.0) {
        up = 1;
    }
    double extent[3] = {0.0, 0.0, 0.0};
    double hinges[3] = {0.0, 0.0, 0.0};
    drawing_measure(world, extent, hinges);
    uint32_t first = up == 0 ? 1 : 0;
    uint32_t second = 3 - up - first;
    bool along_first = hinges[first] > hinges[second] ||
                       (hinges[first] == hinges[second] && extent[first] < extent[second]);
    sheet->up = drawing_axis(up, sign);
    sheet->right = drawing_axis(along_first ? second : first, 1.0);
    sheet->toward = drawing_cross(sheet->right, sheet->up);
    if (along_first && sheet->toward.x + sheet->toward.y + sheet->toward.z < 0.0) {
        sheet->right = drawing_axis(second, -1.0);
        sheet->toward = drawing_cross(sheet->right, sheet->up);
    }
}

void drawing_set_view(drawing_sheet *sheet, const tn_world *world) {
    const double third = 1.0 / 3.0; // sine of the height of the corner view, about 19 degrees
    const double level = sqrt(1.0 - third * third);
    const double cosine = cos(0.55); // the corner view is turned 0.55 rad about the vertical
    const double sine = sin(0.55);
    sheet->has_view = true;
    switch (sheet->options.view) {
    case DRAWING_VIEW_FRONT:
        sheet->right = drawing_axis(0, 1.0);
        sheet->up = drawing_axis(1, 1.0);
        break;
    case DRAWING_VIEW_SIDE:
        sheet->right = drawing_axis(2, -1.0);
        sheet->up = drawing_axis(1, 1.0);
        break;
    case DRAWING_VIEW_TOP:
        sheet->right = drawing_axis(0, 1.0);
        sheet->up = drawing_axis(2, -1.0);
        break;
    case DRAWING_VIEW_CORNER:
        sheet->right = (tn_vec3){cosine, 0.0, -sine};
        sheet->up = (tn_vec3){-sine * third, level, -cosine * third};
        break;
    case DRAWING_VIEW_AUTO:
        drawing_choose_view(sheet, world);
        return;
    }
    sheet->toward = drawing_cross(sheet->right, sheet->up);
}
