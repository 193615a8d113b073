// Snapshots whose fields were changed, and whose checksum is right, are refused where these fields
// would lead a step astray.
#include <stdlib.h>

#include "tests/support/seal.h"
#include "tests/world/world_test.h"

typedef struct links_bytes {
    unsigned char *bytes;
    uint64_t size;
} links_bytes;

static links_bytes take(const tn_world *world) {
    links_bytes taken = {.size = tn_world_save(world, NULL, 0)};
    taken.bytes = malloc((size_t)taken.size);
    tn_world_save(world, taken.bytes, taken.size);
    return taken;
}

// Boxes in a tower that is tied together, beside a sensor.
static tn_world *make_tower(void) {
    tn_world *world = tn_world_create(NULL, NULL);
    test_floor_create(world);
    tn_body_id bodies[3];
    for (int i = 0; i < 3; ++i) {
        bodies[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0, 0.5 + 1.001 * i, 0,
                                    (tn_vec3){0.5, 0.5, 0.5});
    }
    test_bodies_tie(world, bodies[1], bodies[2]);
    tn_shape_def shape = tn_shape_def_default();
    shape.is_sensor = true;
    tn_sphere_shape_create(world, bodies[0], &shape, 0.7f);
    test_step(world, 5);
    return world;
}

// Whatever stands at a place becomes one of these numbers, and the world takes it or refuses it. If
// it takes it, it goes on, and all its objects can be destroyed.
Test(snapshot_links, no_number_that_is_forged_leads_a_world_astray, .timeout = 600) {
    tn_world *world = make_tower();
    links_bytes taken = take(world);
    uint32_t refused = 0, tried = 0;
    for (uint64_t at = 24; at + 8 <= taken.size; ++at) {
        static const uint32_t forged[] = {0, 1, 2, 5, 7, UINT32_MAX, 0x7f800000u};
        uint32_t was, number = forged[tried % (sizeof forged / sizeof *forged)];
        memcpy(&was, taken.bytes + at, sizeof was);
        memcpy(taken.bytes + at, &number, sizeof number);
        seal(taken.bytes, taken.size);
        tn_world *other = tn_world_create(NULL, NULL);
        tn_result result = tn_world_load(other, taken.bytes, taken.size);
        tried += 1;
        refused += result != TN_RESULT_OK ? 1 : 0;
        cr_assert(result == TN_RESULT_OK || tn_world_count_bodies(other) == 0);
        for (int i = 0; i < 2 && result == TN_RESULT_OK; ++i) {
            tn_world_step(other, 1.0 / 60.0, 4);
        }
        tn_world_clear(other);
        cr_assert(tn_world_count_bodies(other) == 0 && tn_world_count_contacts(other) == 0);
        tn_world_destroy(other);
        memcpy(taken.bytes + at, &was, sizeof was);
    }
    cr_assert(tried > 1000 && 8 * refused > tried, "%u of %u", refused, tried);
    free(taken.bytes);
    tn_world_destroy(world);
}

// Finds the only place where these numbers stand one after the other.
static unsigned char *find(const links_bytes *taken, const uint32_t *numbers, uint32_t count) {
    unsigned char *found = NULL;
    for (uint64_t at = 24; at + 4 * count <= taken->size; ++at) {
        if (memcmp(taken->bytes + at, numbers, 4 * count) == 0) {
            cr_assert(found == NULL, "more than one place");
            found = taken->bytes + at;
        }
    }
    cr_assert(found != NULL);
    return found;
}

// The record of a contact begins with its handle, its shapes and its bodies.
Test(snapshot_links, a_contact_between_others_than_the_bodies_of_its_shapes_is_refused) {
    tn_world *world = make_tower();
    tn_contact_id contacts[8];
    cr_assert(tn_world_get_contacts(world, contacts, 8) > 0);
    tn_contact contact = tn_contact_get(world, contacts[0]);
    links_bytes taken = take(world);
    const uint32_t mask = (1u << 22) - 1u;
    const uint32_t numbers[5] = {contacts[0].value, contact.shape_a.value & mask,
                                 contact.shape_b.value & mask, contact.body_a.value & mask,
                                 contact.body_b.value & mask};
    unsigned char *at = find(&taken, numbers, 5);
    memcpy(at + 12, &numbers[4], 4);
    seal(taken.bytes, taken.size);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_DAMAGED_DATA);
    memcpy(at + 12, &numbers[3], 4);
    seal(taken.bytes, taken.size);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    free(taken.bytes);
    tn_world_destroy(world);
}

// It was taken, and a ray met a surface whose normal was of no length.
Test(snapshot_links, a_rotation_of_no_length_is_refused) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0, 0, 0, (tn_vec3){0.5, 0.5, 0.5});
    tn_pose pose = tn_body_get_pose(world, body);
    pose.rotation = (tn_quat){0.6, 0.0, 0.0, 0.8};
    cr_assert(tn_body_set_pose(world, body, pose) == TN_RESULT_OK);
    pose = tn_body_get_pose(world, body);
    links_bytes taken = take(world);
    uint64_t at = 0;
    while (at + 32 <= taken.size && memcmp(taken.bytes + at, &pose.rotation, 32) != 0) {
        ++at;
    }
    cr_assert(at + 32 <= taken.size);
    memset(taken.bytes + at, 0, 32);
    seal(taken.bytes, taken.size);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_DAMAGED_DATA);
    free(taken.bytes);
    tn_world_destroy(world);
}

// ---- mechanisms ---------------------------------------------------------------------------------

// A chain whose last link pushes against a limit with its motor and lies on a ball: solved exactly.
static tn_world *make_machine(void) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    test_floor_create(world);
    test_ball_create(world, 2.0, 0.5, 0, 0.5f);
    tn_body_id before = {0};
    for (int i = 0; i < 3; ++i) {
        tn_body_id link = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.5 + i, 1.3, 0,
                                          (tn_vec3){0.45, 0.1, 0.1});
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, before, link, (tn_vec3){i, 1.3, 0},
                                (tn_vec3){0, 0, 1});
        def.limit = (tn_limit){.is_enabled = true, .lower = -0.4f, .upper = 0.4f};
        def.motor.mode = i == 2 ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
        def.motor.target_speed = -3.0f;
        def.motor.max_force = 5.0f;
        tn_hinge_joint_create(world, &def);
        before = link;
    }
    test_step(world, 40);
    return world;
}

// The states of mechanisms end the bytes. What does not fit there is forgotten by the step that
// makes the mechanism.
Test(snapshot_links, no_number_that_is_forged_in_a_mechanism_leads_a_world_astray, .timeout = 600) {
    tn_world *world = make_machine();
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1 && info.joints == 3);
    links_bytes taken = take(world);
    for (uint64_t at = taken.size / 2; at + 8 <= taken.size; ++at) {
        static const uint32_t forged[] = {0, 1, 2, 5, UINT32_MAX, 0x7f800000u, 1u << 20};
        uint32_t was, number = forged[at % (sizeof forged / sizeof *forged)];
        memcpy(&was, taken.bytes + at, sizeof was);
        memcpy(taken.bytes + at, &number, sizeof number);
        seal(taken.bytes, taken.size);
        if (tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK) {
            test_step(world, 2);
        }
        memcpy(taken.bytes + at, &was, sizeof was);
    }
    seal(taken.bytes, taken.size);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    free(taken.bytes);
    tn_world_destroy(world);
}
