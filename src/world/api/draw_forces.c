// world/api/draw_forces.c: draws forces as lines: their connectors, the lines that they pull along,
// and the forces there. Test: tests/forces/test_force_world.c
#include "world/api/draw_internal.h"

#define DRAW_COLOR_CONNECTOR 0x8c564bffu
#define DRAW_COLOR_SPRING    0x17becfffu

static tni_dvec3 draw_get_connector(const tn_world *world, const tni_force_end *end) {
    if (end->body == TNI_NONE) {
        return end->point;
    }
    const tni_body *body = tni_body_at(world, end->body);
    if (end->is_at_center) {
        return body->position;
    }
    tni_dvec3 arm = dvec3_sub(end->point, body->local_center);
    return dvec3_add(body->position, dquat_rotate(body->rotation, arm));
}

void tni_draw_force(tni_draw_sink *sink, const tn_world *world, uint32_t force,
                    const tn_draw_options *options) {
    const tni_force *record = tni_force_at(world, force);
    for (uint32_t i = 0; i < record->end_count; ++i) {
        const tni_force_end *end = &record->ends[i];
        tni_dvec3 at = draw_get_connector(world, end);
        if (options->draws_joints) {
            tni_draw_add_cross(sink, at, DRAW_COLOR_CONNECTOR);
        }
        if (options->draws_forces) {
            tni_dvec3 tip = dvec3_add_scaled(at, (double)options->force_scale, end->force);
            tni_draw_add_line(sink, at, tip, DRAW_COLOR_FORCE);
        }
    }
    if (options->draws_joints && record->type == TN_FORCE_TYPE_SPRING) {
        tni_draw_add_line(sink, draw_get_connector(world, &record->ends[0]),
                          draw_get_connector(world, &record->ends[1]), DRAW_COLOR_SPRING);
    }
}
