// Contacts of very small and very large bodies: no product of their inertias leaves the floats.
#include "tests/world/world_test.h"

TestSuite(contact_sizes, .timeout = 60);

// A cone of a size is thrown onto a slab, and tumbles and rolls there.
static void tumble(float size) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    double s = (double)size;
    tn_box_shape_create(world, ground, &def, (tn_vec3){50.0 * s, s, 50.0 * s});
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 2.5 * s, 0.0);
    tn_cone_shape_create(world, body, &def, size, size);
    double rate = sqrt(9.81 / s);
    tn_world_set_gravity(world, (tn_vec3){0.0, -9.81, 0.0});
    tn_body_set_angular_velocity(world, body, (tn_vec3){rate, 0.5 * rate, 0.3 * rate});
    for (int i = 0; i < 400; ++i) {
        tn_world_step(world, 0.02 / rate, 4);
    }
    tn_vec3 center = tn_body_get_center(world, body);
    cr_expect(reports.count == 0, "size %g: %s", s, reports.message);
    cr_expect(center.y > s && center.y < 3.0 * s, "size %g: at %g", s, center.y / s);
    tn_world_destroy(world);
}

Test(contact_sizes, a_cone_rolls_at_any_size) {
    tumble(1e-4f);
    tumble(1e-2f);
    tumble(1.0f);
    tumble(100.0f);
    tumble(1e4f);
}
