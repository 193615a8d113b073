// Shapes of other people's files: those of the glTF extensions OMI_physics_body and
// OMI_physics_shape, as their authors wrote them.
#include <stdio.h>

#include "tests/support/gltf.h"
#include "tests/world/world_test.h"

typedef struct gltf_case {
    const char *name;
    int body_count, shape_count, dynamic_count;
    tn_shape_type type; // of the first shape
} gltf_case;

static const gltf_case cases[] = {
    {"box_collider", 1, 1, 0, TN_SHAPE_TYPE_BOX},
    {"sphere_collider", 1, 1, 0, TN_SHAPE_TYPE_SPHERE},
    {"capsule_collider", 1, 1, 0, TN_SHAPE_TYPE_CAPSULE},
    {"convex_hull", 1, 1, 0, TN_SHAPE_TYPE_HULL},
    {"dynamic_box", 1, 1, 1, TN_SHAPE_TYPE_BOX},
    {"two_boxes", 2, 2, 0, TN_SHAPE_TYPE_BOX},
    {"compound_trigger", 1, 3, 0, TN_SHAPE_TYPE_BOX},
    {"indirect_children", 6, 6, 0, TN_SHAPE_TYPE_BOX},
    {"hanging_rope", 4, 4, 3, TN_SHAPE_TYPE_BOX},
    {"pendulum_balls", 4, 4, 3, TN_SHAPE_TYPE_BOX},
    {"slider_ball", 2, 2, 1, TN_SHAPE_TYPE_BOX},
    {"weld_joint", 3, 3, 2, TN_SHAPE_TYPE_CAPSULE},
};

static void check_case(const gltf_case *it) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    char path[512];
    snprintf(path, sizeof path, "%s/gltf/%s.gltf", TENON_DATA_PATH, it->name);
    gltf_scene scene;
    cr_assert(gltf_load(world, path, &scene), "%s: %s", it->name, scene.error);
    cr_expect(scene.body_count == it->body_count, "%s: %d bodies", it->name, scene.body_count);
    cr_expect(scene.shape_count == it->shape_count, "%s: %d shapes", it->name, scene.shape_count);
    cr_expect(tn_shape_get_type(world, scene.shapes[0]) == it->type, "%s", it->name);
    int dynamic_count = 0;
    for (int i = 0; i < scene.body_count; i++) {
        dynamic_count += tn_body_get_type(world, scene.bodies[i]) == TN_BODY_TYPE_DYNAMIC;
    }
    cr_expect(dynamic_count == it->dynamic_count, "%s: %d dynamic", it->name, dynamic_count);
    for (int s = 0; s < 120; s++) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    cr_expect(reports.count == 0, "%s", it->name);
    tn_world_destroy(world);
}

Test(gltf_shapes, files_of_others_load_and_run) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i]);
    }
}
