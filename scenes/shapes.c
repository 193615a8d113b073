// scenes/shapes.c: one of each convex shape lies on the ground.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define SHAPES_COUNT 10
#define SHAPES_APART 1.1 // m

static const scene_option shapes_options[] = {
    {"drop", 0.1, 0, 2, "m over the ground"},
};

typedef struct shapes_state {
    tn_body_id bodies[SHAPES_COUNT];
} shapes_state;

static const char *const shapes_names[SHAPES_COUNT] = {
    "sphere", "ellipsoid",        "capsule", "tapered_capsule", "cylinder",
    "cone",   "tapered_cylinder", "box",     "rounded_box",     "hull",
};

// A pyramid over a square.
static tn_shape_id shapes_add_hull(scene_run *run, tn_body_id body, const tn_shape_def *def) {
    const tn_vec3 corners[5] = {{-0.35, -0.3, -0.35},
                                {0.35, -0.3, -0.35},
                                {0.35, -0.3, 0.35},
                                {-0.35, -0.3, 0.35},
                                {0.1, 0.4, 0.0}};
    tn_hull_def hull_def = tn_hull_def_default();
    hull_def.points = corners;
    hull_def.point_count = 5;
    tn_hull *hull = tn_hull_create(&hull_def, NULL);
    tn_shape_id shape = tn_hull_shape_create(run->world, body, def, hull);
    tn_hull_release(hull);
    return shape;
}

static tn_shape_id shapes_add(scene_run *run, tn_body_id body, int kind) {
    tn_world *world = run->world;
    tn_shape_def def = tn_shape_def_default();
    def.material.rolling_resistance = 0.02f; // what is round comes to rest
    switch (kind) {
    case 0:
        return tn_sphere_shape_create(world, body, &def, 0.35f);
    case 1:
        return tn_ellipsoid_shape_create(world, body, &def, build_point(0.42, 0.25, 0.32));
    case 2:
        return tn_capsule_shape_create(world, body, &def, 0.3f, 0.2f);
    case 3:
        return tn_tapered_capsule_shape_create(world, body, &def, 0.25f, 0.28f, 0.14f);
    case 4:
        return tn_cylinder_shape_create(world, body, &def, 0.35f, 0.3f);
    case 5:
        return tn_cone_shape_create(world, body, &def, 0.35f, 0.35f);
    case 6:
        return tn_tapered_cylinder_shape_create(world, body, &def, 0.35f, 0.38f, 0.2f);
    case 7:
        return tn_box_shape_create(world, body, &def, build_point(0.32, 0.32, 0.32));
    case 8:
        def.rounding = 0.1f;
        return tn_box_shape_create(world, body, &def, build_point(0.22, 0.22, 0.22));
    default:
        return shapes_add_hull(run, body, &def);
    }
}

static bool shapes_build(scene_run *run) {
    shapes_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    for (int i = 0; i < SHAPES_COUNT; i++) {
        build_part part = build_part_at(SHAPES_APART * (i % 5), 0.0, SHAPES_APART * (i / 5));
        bool lies = i == 2 || i == 3; // capsules
        if (lies) {
            build_turn(&part.pose, build_axis_z(), 0.5 * BUILD_PI);
        }
        state->bodies[i] = build_body(run, &part);
        run->has_failed |= shapes_add(run, state->bodies[i], i).value == 0;
        double low = tn_body_get_bounds(run->world, state->bodies[i]).lower.y;
        part.pose.position.y = scene_run_get_value(run, "drop") - low;
        tn_body_set_pose(run->world, state->bodies[i], part.pose);
        scene_run_name_body(run, state->bodies[i], "%s", shapes_names[i]);
    }
    return true;
}

static void shapes_measure(scene_run *run) {
    const shapes_state *state = run->state;
    double speed = 0.0, aside = 0.0, low = 0.0;
    for (int i = 0; i < SHAPES_COUNT; i++) {
        tn_velocity v = tn_body_get_velocity(run->world, state->bodies[i]);
        tn_vec3 at = tn_body_get_pose(run->world, state->bodies[i]).position;
        speed = fmax(speed, build_length(v.linear) + 0.3 * build_length(v.angular));
        aside = fmax(aside, hypot(at.x - SHAPES_APART * (i % 5), at.z - SHAPES_APART * (i / 5)));
        low = fmax(low, fabs((double)tn_body_get_bounds(run->world, state->bodies[i]).lower.y));
    }
    scene_run_add_figure(run, "speed_max_m_s", speed);
    scene_run_add_figure(run, "aside_max_m", aside);
    scene_run_add_figure(run, "off_ground_max_m", low);
}

const scene scene_shapes = {
    .name = "shapes",
    .summary = "one of each convex shape lies on the ground",
    .time = 3.0,
    .options = shapes_options,
    .option_count = 1,
    .build = shapes_build,
    .measure = shapes_measure,
    .picture = {.moments = 1, .view = SCENE_VIEW_CORNER},
};
