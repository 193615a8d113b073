// Meshes and compounds float as the solids do that they enclose.
#include "tests/world/collide/mesh_world.h"

TestSuite(buoyancy, .timeout = 60);

static const tn_vec3 half = {1.0, 0.25, 1.0};

typedef enum raft_kind {
    RAFT_BOX,
    RAFT_MESH,
    RAFT_COMPOUND,
    RAFT_OPEN_MESH
} raft_kind;

// A raft of 2 m^3 and 600 kg, as one box, as triangles, or as two boxes side by side.
static tn_body_id raft_create(tn_world *world, raft_kind kind, tn_quat rotation) {
    tn_body_def def = contact_body_at(0.3, 0.1, 0.2);
    def.pose.rotation = rotation;
    tn_body_id body = tn_body_create(world, &def);
    tn_mass mass = {.mass = 600.0,
                    .inertia = {.xx = 600.0 / 3.0 * (0.0625 + 1.0),
                                .yy = 600.0 / 3.0 * 2.0,
                                .zz = 600.0 / 3.0 * (0.0625 + 1.0)}};
    cr_assert(tn_body_set_mass(world, body, mass) == TN_RESULT_OK);
    tn_shape_def shape = tn_shape_def_default();
    if (kind == RAFT_BOX) {
        tn_box_shape_create(world, body, &shape, half);
    } else if (kind == RAFT_MESH) {
        tn_mesh *mesh = mesh_box_create(half, 3);
        cr_assert(tn_mesh_shape_create(world, body, &shape, mesh, NULL, 0).value != 0);
        tn_mesh_release(mesh);
    } else if (kind == RAFT_COMPOUND) {
        tn_compound_child children[2] = {tn_compound_child_default(), tn_compound_child_default()};
        for (int i = 0; i < 2; ++i) {
            children[i].half_extents = (tn_vec3){0.5, 0.25, 1.0};
            children[i].local_pose.position.x = i == 0 ? -0.5 : 0.5;
        }
        tn_compound_def compound_def = tn_compound_def_default();
        compound_def.children = children;
        compound_def.child_count = 2;
        tn_compound *compound = tn_compound_create(&compound_def, NULL);
        cr_assert(tn_compound_shape_create(world, body, &shape, compound, NULL, 0).value != 0);
        tn_compound_release(compound);
    } else {
        mesh_ground ground = {
            .columns = 2, .rows = 2, .size = 1.0, .x = -1.0, .z = -1.0, .height = mesh_flat};
        tn_mesh *mesh = mesh_ground_create(&ground);
        cr_assert(tn_mesh_shape_create(world, body, &shape, mesh, NULL, 0).value != 0);
        tn_mesh_release(mesh);
    }
    return body;
}

static tn_force_id water_create(tn_world *world, tn_body_id body) {
    tn_buoyancy_force_def def = tn_buoyancy_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.buoyancy.linear_drag = 2.0;
    tn_force_id water = tn_buoyancy_force_create(world, &def);
    cr_assert(water.value != 0);
    return water;
}

Test(buoyancy, meshes_and_compounds_are_under_as_the_box_that_they_make) {
    const tn_quat turned = {0.3, 0.1, 0.2, 0.9273618495495704};
    double volumes[3];
    for (int kind = RAFT_BOX; kind <= RAFT_COMPOUND; ++kind) {
        tn_world *world = contact_world_create(0.0);
        tn_body_id body = raft_create(world, (raft_kind)kind, turned);
        tn_force_id water = water_create(world, body);
        volumes[kind] = tn_buoyancy_force_get_volume(world, water, 0);
        tn_world_destroy(world);
    }
    cr_assert(volumes[0] > 0.5 && volumes[0] < 1.5, "%g", volumes[0]);
    cr_assert(fabs(volumes[1] - volumes[0]) < 1e-6, "%g, not %g", volumes[1], volumes[0]);
    cr_assert(fabs(volumes[2] - volumes[0]) < 1e-6, "%g, not %g", volumes[2], volumes[0]);
}

Test(buoyancy, rafts_of_every_make_float_at_the_same_draught) {
    for (int kind = RAFT_BOX; kind <= RAFT_COMPOUND; ++kind) {
        tn_world *world = contact_world_create(9.81);
        tn_body_id body = raft_create(world, (raft_kind)kind, (tn_quat){0.0, 0.0, 0.0, 1.0});
        water_create(world, body);
        contact_step(world, 1200, 60.0, 4);
        double draught = 0.25 - tn_body_get_center(world, body).y;
        cr_expect(fabs(draught - 0.15) < 1e-5, "kind %d: %.9f m", kind, draught);
        tn_world_destroy(world);
    }
}

Test(buoyancy, an_open_surface_displaces_nothing) {
    tn_world *world = contact_world_create(0.0);
    tn_body_id body = raft_create(world, RAFT_OPEN_MESH, (tn_quat){0.0, 0.0, 0.0, 1.0});
    tn_force_id water = water_create(world, body);
    cr_assert(tn_buoyancy_force_get_volume(world, water, 0) == 0.0);
    tn_world_destroy(world);
}
