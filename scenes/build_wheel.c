// scenes/build_wheel.c: teeth are boxes, high enough to be seen.
#include "scenes/build_wheel.h"

#include "scenes/portable.h"

#define WHEEL_RIM_SIDES 30

// From the pitch line a module out and a module in.
static tn_vec3 wheel_get_tooth(const build_teeth *teeth) {
    double width = 0.5 * BUILD_PI * teeth->module;
    return build_point(2.0 * teeth->module, 0.8 * width, teeth->thickness);
}

// `along`: how far from the axis its middle is.
static void wheel_add_teeth(scene_run *run, tn_body_id body, const build_part *part,
                            const build_teeth *teeth, double along) {
    for (int i = 0; i < teeth->count; i++) {
        double angle = 2.0 * BUILD_PI * i / teeth->count;
        tn_vec3 place = build_point(along * portable_cos(angle), along * portable_sin(angle), 0.0);
        build_add_turned_box(run, body, part, place, angle, wheel_get_tooth(teeth));
    }
}

tn_body_id build_wheel(scene_run *run, const build_part *part, const build_teeth *teeth) {
    build_part own = *part;
    own.filter.mask = 0;
    double radius = build_pitch_radius(teeth);
    tn_body_id body = build_body(run, &own);
    build_add_disc(run, body, &own, build_point(0.0, 0.0, 0.0), radius - teeth->module,
                   teeth->thickness);
    wheel_add_teeth(run, body, &own, teeth, radius);
    return body;
}

tn_body_id build_ring(scene_run *run, const build_part *part, const build_teeth *teeth) {
    build_part own = *part;
    own.filter.mask = 0;
    double rim = build_pitch_radius(teeth) + 2.0 * teeth->module;
    double side = 2.0 * rim * portable_sin(BUILD_PI / WHEEL_RIM_SIDES);
    tn_body_id body = build_body(run, &own);
    for (int i = 0; i < WHEEL_RIM_SIDES; i++) {
        double angle = 2.0 * BUILD_PI * i / WHEEL_RIM_SIDES;
        tn_vec3 place = build_point(rim * portable_cos(angle), rim * portable_sin(angle), 0.0);
        tn_vec3 size = build_point(2.0 * teeth->module, 1.1 * side, teeth->thickness);
        build_add_turned_box(run, body, &own, place, angle, size);
    }
    wheel_add_teeth(run, body, &own, teeth, build_pitch_radius(teeth));
    return body;
}

tn_body_id build_rack(scene_run *run, const build_part *part, const build_teeth *teeth) {
    build_part own = *part;
    own.filter.mask = 0;
    double pitch = BUILD_PI * teeth->module, length = teeth->count * pitch;
    tn_body_id body = build_body(run, &own);
    build_add_box(run, body, &own, build_point(0.0, -2.0 * teeth->module, 0.0),
                  build_point(length, 2.0 * teeth->module, teeth->thickness));
    tn_vec3 tooth = wheel_get_tooth(teeth), size = {tooth.y, tooth.x, tooth.z};
    for (int i = 0; i < teeth->count; i++) {
        int from_middle = (i + 1) / 2 * (i % 2 == 0 ? 1 : -1);
        build_add_box(run, body, &own, build_point(from_middle * pitch, 0.0, 0.0), size);
    }
    return body;
}

tn_joint_id build_gear(scene_run *run, tn_body_id a, tn_body_id b, int teeth_a, int teeth_b) {
    tn_gear_joint_def def = tn_gear_joint_def_default();
    tn_joint_def of_a = tn_joint_def_default(), of_b = of_a;
    tn_body_id none = {0};
    run->has_failed |= !tn_joint_def_set_frames(
        run->world, &of_a, a, none, tn_body_get_pose(run->world, a).position, build_axis_z());
    run->has_failed |= !tn_joint_def_set_frames(
        run->world, &of_b, b, none, tn_body_get_pose(run->world, b).position, build_axis_z());
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a = of_a.frame_a;
    def.base.frame_b = of_b.frame_a;
    def.teeth_a = teeth_a;
    def.teeth_b = teeth_b;
    tn_joint_id joint = tn_gear_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}
