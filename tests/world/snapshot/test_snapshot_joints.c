// Worlds with a joint of each type go on bit for bit from a snapshot. (Those that joint_make does
// not make are in scenes: test_snapshot.c.)
#include <stdlib.h>

#include "tests/joints/joint_world.h"
#include "tests/support/budget.h"

static tn_world *make_world_of(const tn_world_def *def, tn_joint_type type) {
    tn_world *world = tn_world_create(def, NULL);
    tn_body_id bodies[3] = {static_body_make(world, 0, 0, 0), body_make(world, 1, 0, 0, 1, 0.1),
                            body_make(world, 2, 0, 0, 1, 0.1)};
    for (int i = 0; i < 2; ++i) {
        tn_vec3 anchor = {0.5 + i, 0.1, 0};
        cr_assert(joint_make(world, type, bodies[i], bodies[i + 1], anchor, (tn_vec3){0.3, 0.1, 1})
                      .value != 0);
    }
    tn_body_set_velocity(world, bodies[2], (tn_velocity){{0.1, 0.5, 0.3}, {0.7, 0.2, 2}});
    return world;
}

static tn_world *make_world(tn_joint_type type, tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    return make_world_of(&def, type);
}

static void go(tn_world *world, int steps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

static void check_type(tn_joint_type type, tn_solver solver) {
    tn_world *world = make_world(type, solver), *other = make_world(type, solver);
    go(world, 50);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *bytes = malloc((size_t)size);
    cr_assert(tn_world_save(world, bytes, size) == size);
    go(world, 600);
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(tn_world_load(world, bytes, size) == TN_RESULT_OK);
    go(world, 600);
    cr_assert(tn_world_get_hash(world) == hash, "type %d, solver %d", (int)type, (int)solver);
    go(other, 7);
    cr_assert(tn_world_load(other, bytes, size) == TN_RESULT_OK);
    go(other, 600);
    cr_assert(tn_world_get_hash(other) == hash, "type %d, solver %d", (int)type, (int)solver);
    free(bytes);
    tn_world_destroy(world);
    tn_world_destroy(other);
}

Test(snapshot_joints, go_on_bit_for_bit_under_every_solver) {
    for (int type = 0; type <= TN_JOINT_TYPE_ESCAPEMENT; ++type) {
        for (int solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
            check_type((tn_joint_type)type, (tn_solver)solver);
        }
    }
}

// A joint that came after a load may have the handle of one that another snapshot brings back.
Test(snapshot_joints, give_back_their_memory_where_another_takes_their_handle) {
    tn_world_def def = tn_world_def_default();
    def.alloc = test_alloc;
    def.free = test_free;
    test_budget = 1000000;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 0.1), b = body_make(world, 1, 0, 0, 1, 0.1);
    unsigned char bytes[2][8192];
    uint64_t sizes[2];
    tn_joint_id joints[2];
    sizes[0] = tn_world_save(world, bytes[0], sizeof bytes[0]);
    tn_vec3 anchor = {0.5, 0, 0}, axis = {0, 0, 1};
    joints[0] = joint_make(world, TN_JOINT_TYPE_HINGE, a, b, anchor, axis);
    sizes[1] = tn_world_save(world, bytes[1], sizeof bytes[1]);
    cr_assert(sizes[0] < sizes[1] && sizes[1] <= sizeof bytes[1]);
    cr_assert(tn_world_load(world, bytes[0], sizes[0]) == TN_RESULT_OK);
    joints[1] = joint_make(world, TN_JOINT_TYPE_SIX_AXIS, a, b, anchor, axis);
    cr_assert(joints[0].value != 0 && joints[0].value == joints[1].value);
    cr_assert(tn_world_load(world, bytes[1], sizes[1]) == TN_RESULT_OK);
    cr_assert(tn_joint_get_type(world, joints[1]) == TN_JOINT_TYPE_HINGE);
    go(world, 5);
    tn_world_destroy(world);
    cr_assert(test_taken == 0);
}

// What is given back reads as other numbers than those that stood there.
static void scrub_free(void *block, size_t size, void *user_data) {
    test_free(memset(block, 0x7e, size), size, user_data);
}

// The room for the snapshot's joints moved the records that the next step still read.
Test(snapshot_joints, of_a_snapshot_that_is_refused_move_none_of_the_world) {
    tn_world_def def = tn_world_def_default();
    tn_world *large = make_world_of(&def, TN_JOINT_TYPE_HINGE);
    tn_body_id end = body_make(large, 3, 0, 0, 1, 0.1);
    for (int i = 0; i < 200; ++i) {
        tn_body_id next = body_make(large, 3, 1 + i, 0, 1, 0.1);
        tn_vec3 anchor = {3, 0.5 + i, 0};
        joint_make(large, TN_JOINT_TYPE_BALL, end, next, anchor, (tn_vec3){0, 0, 1});
        end = next;
    }
    tn_spring_force_def spring = tn_spring_force_def_default(); // what the other world lacks
    spring.base.connector_count = 2;
    spring.base.connectors[0].body = end;
    spring.base.connectors[1].point.y = 300;
    cr_assert(tn_spring_force_create(large, &spring).value != 0);
    uint64_t size = tn_world_save(large, NULL, 0);
    void *bytes = malloc((size_t)size);
    cr_assert(tn_world_save(large, bytes, size) == size);
    def.alloc = test_alloc;
    def.free = scrub_free;
    test_budget = 1000000;
    tn_world *worlds[2];
    for (int i = 0; i < 2; ++i) {
        worlds[i] = make_world_of(&def, TN_JOINT_TYPE_HINGE);
        go(worlds[i], 10);
    }
    cr_assert(tn_world_load(worlds[0], bytes, size) == TN_RESULT_UNKNOWN_OBJECT);
    go(worlds[0], 10);
    go(worlds[1], 10);
    cr_assert(tn_world_get_hash(worlds[0]) == tn_world_get_hash(worlds[1]));
    free(bytes);
    tn_world_destroy(worlds[0]);
    tn_world_destroy(worlds[1]);
    tn_world_destroy(large);
}

// It was taken for damage: the rows that it has now were counted, not those that it had.
Test(snapshot_joints, a_lock_that_was_opened_since_is_shut_again) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    tn_body_id body = body_make(world, 1, 0, 0, 1, 0.1);
    tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, body, (tn_vec3){0, 0, 0},
                            (tn_vec3){0, 0, 1});
    tn_joint_id joint = tn_six_axis_joint_create(world, &def);
    go(world, 5);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *bytes = malloc((size_t)size);
    tn_world_save(world, bytes, size);
    cr_assert(tn_six_axis_joint_set_locks(world, joint, TN_SIX_AXIS_LOCK(0)) == TN_RESULT_OK);
    go(world, 5);
    cr_assert(tn_world_load(world, bytes, size) == TN_RESULT_OK);
    cr_assert(tn_six_axis_joint_get_def(world, joint).locks == TN_SIX_AXIS_LOCK_ALL);
    go(world, 5);
    free(bytes);
    tn_world_destroy(world);
}

static tn_world *make_hoist(tn_joint_id *out_rope) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_def hung = tn_body_def_default();
    hung.type = TN_BODY_TYPE_DYNAMIC;
    hung.pose.position.y = -2.0;
    tn_body_id load = tn_body_create(world, &hung);
    tn_shape_def shape = tn_shape_def_default();
    tn_sphere_shape_create(world, load, &shape, 0.2f);
    tn_rope_joint_def rope = tn_rope_joint_def_default();
    rope.point_count = 2;
    rope.points[1].body = load;
    rope.is_rigid = true;
    *out_rope = tn_rope_joint_create(world, &rope);
    cr_assert(out_rope->value != 0);
    return world;
}

// It pays out so slowly that its load would sleep if nothing kept it awake. The world that loaded
// did not know that the rope goes by the time.
Test(snapshot_joints, a_rope_that_began_to_pay_out_does_so_in_a_world_where_it_does_not) {
    tn_joint_id rope, still;
    tn_world *world = make_hoist(&rope), *other = make_hoist(&still);
    cr_assert(tn_rope_joint_set_payout(world, rope, 1e-5f, INFINITY) == TN_RESULT_OK);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *bytes = malloc((size_t)size);
    tn_world_save(world, bytes, size);
    cr_assert(tn_world_load(other, bytes, size) == TN_RESULT_OK);
    go(world, 120);
    go(other, 120);
    cr_assert(tn_world_get_hash(other) == tn_world_get_hash(world));
    free(bytes);
    tn_world_destroy(world);
    tn_world_destroy(other);
}
