// A world that loads a snapshot goes on bit for bit, and one that refuses it is as it was.
#include <stdlib.h>

#include "scenes/scene.h"
#include "tests/support/hull_make.h"
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

TestSuite(snapshot, .timeout = 600);

typedef struct snapshot {
    unsigned char *bytes;
    uint64_t size;
} snapshot;

static snapshot take(const tn_world *world) {
    snapshot taken = {.size = tn_world_save(world, NULL, 0)};
    cr_assert(taken.size > 0);
    taken.bytes = malloc((size_t)taken.size);
    cr_assert(tn_world_save(world, taken.bytes, taken.size) == taken.size);
    return taken;
}

static bool is_same(const snapshot *p, const snapshot *q) {
    return p->size == q->size && memcmp(p->bytes, q->bytes, (size_t)p->size) == 0;
}

static void go(tn_world *world, int steps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

// ---- scenes -------------------------------------------------------------------------------------

// Back in the world that was saved, and in another that was built alike and went another way.
static void check_scene(const scene *item, int before, int after) {
    scene_run *run = scene_run_create(item, NULL, NULL);
    scene_run *other = scene_run_create(item, NULL, NULL);
    before = long_test_steps(run->world, before);
    after = long_test_steps(run->world, after);
    go(run->world, before);
    snapshot taken = take(run->world);
    go(run->world, after);
    uint64_t hash = tn_world_get_hash(run->world);
    cr_assert(tn_world_load(run->world, taken.bytes, taken.size) == TN_RESULT_OK, "%s", item->name);
    snapshot again = take(run->world);
    cr_assert(is_same(&taken, &again), "%s", item->name);
    go(run->world, after);
    cr_assert(tn_world_get_hash(run->world) == hash, "%s", item->name);
    go(other->world, before / 3);
    cr_assert(tn_world_load(other->world, taken.bytes, taken.size) == TN_RESULT_OK, "%s",
              item->name);
    go(other->world, after);
    cr_assert(tn_world_get_hash(other->world) == hash, "%s", item->name);
    free(taken.bytes);
    free(again.bytes);
    scene_run_destroy(run);
    scene_run_destroy(other);
}

LONG_TEST(snapshot, every_scene_goes_on_bit_for_bit) {
    uint32_t count;
    const scene *const *scenes = scene_get_all(&count);
    for (uint32_t i = 0; i < count; ++i) {
        check_scene(scenes[i], 30, 30);
    }
}

static void check_scenes_of_each_kind(int before, int after) {
    static const char *const names[] = {"four_bar", "pinball", "tackle", "belt_drive",  "net",
                                        "car",      "arch",    "buggy",  "shake_table", "raft",
                                        "bridge",   "jelly",   "puppet", "torus",       "coaster"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        check_scene(scene_find(names[i]), before, after);
    }
}

Test(snapshot, scenes_of_each_kind_go_on_bit_for_bit) {
    check_scenes_of_each_kind(30, 30);
}

LONG_TEST(snapshot, scenes_of_each_kind_go_on_bit_for_bit_for_ten_seconds) {
    check_scenes_of_each_kind(60, long_test_count(600));
}

// A scene that acts on its world before each step, as it goes and after a load.
static void check_acting_scene(const char *name, int at) {
    scene_run *run = scene_run_create(scene_find(name), NULL, NULL);
    scene_run *other = scene_run_create(scene_find(name), NULL, NULL);
    for (int i = 0; i < at + 20; ++i) {
        if (i == at) {
            snapshot taken = take(other->world);
            cr_assert(tn_world_load(other->world, taken.bytes, taken.size) == TN_RESULT_OK);
            free(taken.bytes);
        }
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        cr_assert(scene_run_step(other, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    cr_assert(tn_world_get_hash(run->world) == tn_world_get_hash(other->world), "%s", name);
    scene_run_destroy(run);
    scene_run_destroy(other);
}

Test(snapshot, scenes_that_drive_their_motors_go_on_bit_for_bit) {
    check_acting_scene("winch", 20);
    check_acting_scene("bridge", 20);
    check_acting_scene("arm", 30);
    check_acting_scene("crane", 30);
}

// Their joints are in parts, which contacts take. The load comes where the world had kept them for
// some steps, while dolls fall on each other.
LONG_TEST(snapshot, crowds_of_dolls_go_on_bit_for_bit) {
    check_scene(scene_find("ragdolls"), 58, 12);
    check_scene(scene_find("rain"), 80, 12);
}

// ---- rollback -----------------------------------------------------------------------------------

// Boxes in a heap on a floor, some of them in a chain.
static tn_world *make_heap(tn_body_id bodies[12], const tn_world_def *def) {
    tn_world *world = tn_world_create(def, NULL);
    test_floor_create(world);
    for (int i = 0; i < 12; ++i) {
        bodies[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * (i % 3), 0.6 + 1.1 * i,
                                    0.2 * (i % 2), (tn_vec3){0.5, 0.5, 0.5});
    }
    test_bodies_tie(world, bodies[10], bodies[11]);
    return world;
}

// Destroys, makes and changes things of many kinds.
static void churn(tn_world *world, const tn_body_id bodies[12]) {
    tn_body_destroy(world, bodies[3]);
    tn_body_destroy(world, bodies[10]); // and its joint
    tn_shape_destroy(world, test_first_shape(world, bodies[5]));
    tn_body_set_type(world, bodies[6], TN_BODY_TYPE_STATIC);
    tn_body_set_enabled(world, bodies[7], false);
    tn_world_set_pair_collision(world, bodies[0], bodies[1], false);
    tn_world_set_gravity(world, (tn_vec3){1.0, -3.0, 0.0});
    tn_body_id ball = test_ball_create(world, 0.1, 9.0, 0.1, 0.4f);
    test_bodies_tie(world, ball, bodies[8]);
    static const tn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tn_shape_def shape = tn_shape_def_default();
    hull_shape_make(world, ball, &shape, points, 4);
    shape.is_sensor = true;
    tn_box_shape_create(world, bodies[9], &shape, (tn_vec3){1.0, 1.0, 1.0});
    tn_six_axis_joint_def joint = tn_six_axis_joint_def_default();
    tn_joint_def_set_frames(world, &joint.base, bodies[0], bodies[2], (tn_vec3){0, 1, 0},
                            (tn_vec3){1, 0, 0});
    tn_six_axis_joint_create(world, &joint);
}

Test(snapshot, brings_back_what_was_destroyed_and_takes_away_what_was_made) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    go(world, 50);
    snapshot taken = take(world);
    go(world, 600);
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    for (int i = 0; i < 3; ++i) {
        go(world, 20);
        churn(world, bodies);
        go(world, 20);
        cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
        snapshot again = take(world);
        cr_assert(is_same(&taken, &again));
        free(again.bytes);
    }
    cr_assert(tn_body_is_valid(world, bodies[3]) && tn_body_is_valid(world, bodies[10]));
    cr_assert(tn_world_count_joints(world) == 1);
    go(world, 600);
    cr_assert(tn_world_get_hash(world) == hash);
    free(taken.bytes);
    tn_world_destroy(world);
}

// Handles that are given after a load are those that were given before it.
Test(snapshot, gives_the_same_handles_again) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    tn_body_destroy(world, bodies[4]);
    snapshot taken = take(world);
    tn_body_id first = test_ball_create(world, 9.0, 1.0, 0.0, 0.5f);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    cr_assert(!tn_body_is_valid(world, first));
    tn_body_id second = test_ball_create(world, 9.0, 1.0, 0.0, 0.5f);
    cr_assert(second.value == first.value);
    free(taken.bytes);
    tn_world_destroy(world);
}

// Clearing a world makes the generations of contacts go on, apart from those of bodies.
Test(snapshot, new_contacts_and_bodies_get_the_same_handles_in_a_world_of_another_seed) {
    tn_world_def def = tn_world_def_default();
    def.handle_seed = 40;
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, &def), *other = tn_world_create(NULL, NULL);
    go(world, 60);
    cr_assert(tn_world_clear(world) == TN_RESULT_OK);
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 2.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    cr_assert(tn_world_count_contacts(world) == 0);
    snapshot taken = take(world);
    cr_assert(tn_world_load(other, taken.bytes, taken.size) == TN_RESULT_OK);
    uint32_t begins = 0;
    for (int i = 0; i < 60; ++i) {
        go(world, 1);
        go(other, 1);
        tn_events events = tn_world_get_events(world), others = tn_world_get_events(other);
        cr_assert(events.begin_count == others.begin_count);
        for (uint32_t k = 0; k < events.begin_count; ++k) {
            cr_assert(events.begins[k].contact.value == others.begins[k].contact.value);
            begins += 1;
        }
    }
    cr_assert(begins > 0);
    tn_body_id ball = test_ball_create(world, 9.0, 1.0, 0.0, 0.5f);
    tn_body_id same = test_ball_create(other, 9.0, 1.0, 0.0, 0.5f);
    cr_assert(ball.value == same.value);
    free(taken.bytes);
    tn_world_destroy(world);
    tn_world_destroy(other);
}

// Also in a world that never had a contact.
Test(snapshot, every_contact_that_a_load_brings_may_end) {
    tn_body_id bodies[12], others[12];
    tn_world *world = make_heap(bodies, NULL), *other = make_heap(others, NULL);
    go(world, 300);
    snapshot taken = take(world);
    cr_assert(tn_world_load(other, taken.bytes, taken.size) == TN_RESULT_OK);
    for (int i = 0; i < 12; ++i) {
        tn_body_destroy(other, others[i]);
    }
    go(other, 1);
    cr_assert(tn_world_get_events(other).end_count > 3);
    free(taken.bytes);
    tn_world_destroy(world);
    tn_world_destroy(other);
}

Test(snapshot, finds_a_sleeping_world_asleep) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    go(world, 900);
    cr_assert(!tn_body_is_awake(world, bodies[0]));
    snapshot taken = take(world);
    tn_body_apply_impulse(world, bodies[0], (tn_vec3){500.0, 900.0, 0.0});
    go(world, 100);
    uint64_t pushed = tn_world_get_hash(world);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    cr_assert(!tn_body_is_awake(world, bodies[0]));
    tn_body_apply_impulse(world, bodies[0], (tn_vec3){500.0, 900.0, 0.0});
    go(world, 100);
    cr_assert(tn_world_get_hash(world) == pushed);
    free(taken.bytes);
    tn_world_destroy(world);
}

Test(snapshot, goes_on_alike_with_any_number_of_workers) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    go(world, 40);
    snapshot taken = take(world);
    go(world, 60);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_def def = tn_world_def_default();
    def.worker_count = 3;
    tn_world *other = make_heap(bodies, &def);
    cr_assert(tn_world_load(other, taken.bytes, taken.size) == TN_RESULT_OK);
    go(other, 60);
    cr_assert(tn_world_get_hash(other) == hash);
    free(taken.bytes);
    tn_world_destroy(world);
    tn_world_destroy(other);
}

// ---- refusals -----------------------------------------------------------------------------------

// Loads bytes that have to be refused, and compares the world with what it was.
static void check_refused(tn_world *world, const void *bytes, uint64_t size, tn_result expected) {
    snapshot before = take(world);
    tn_result result = tn_world_load(world, bytes, size);
    cr_assert(result == expected, "%s, not %s", tn_result_name(result), tn_result_name(expected));
    snapshot after = take(world);
    cr_assert(is_same(&before, &after));
    free(before.bytes);
    free(after.bytes);
}

Test(snapshot, damaged_cut_foreign_and_newer_bytes_leave_the_world_as_it_was) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    go(world, 30);
    snapshot taken = take(world);
    go(world, 5);
    check_refused(world, NULL, 0, TN_RESULT_INVALID_ARGUMENT);
    check_refused(world, "glTF and more", 13, TN_RESULT_FOREIGN_DATA);
    for (uint64_t size = 8; size < taken.size; size += 1 + size / 7) {
        check_refused(world, taken.bytes, size, TN_RESULT_DAMAGED_DATA);
    }
    for (uint64_t at = 24; at < taken.size; at += 1 + at / 7) {
        taken.bytes[at] ^= 0x10;
        check_refused(world, taken.bytes, taken.size, TN_RESULT_DAMAGED_DATA);
        taken.bytes[at] ^= 0x10;
    }
    taken.bytes[12] += 1; // the version
    check_refused(world, taken.bytes, taken.size, TN_RESULT_NEWER_DATA);
    taken.bytes[12] -= 1;
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    free(taken.bytes);
    tn_world_destroy(world);
}

Test(snapshot, is_refused_where_the_world_lacks_what_cannot_be_made_from_bytes) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connector_count = 2;
    def.base.connectors[0].body = bodies[0];
    def.base.connectors[1].body = bodies[1];
    tn_force_id force = tn_spring_force_create(world, &def);
    cr_assert(force.value != 0);
    snapshot taken = take(world);
    go(world, 5);
    cr_assert(tn_world_load(world, taken.bytes, taken.size) == TN_RESULT_OK);
    tn_force_destroy(world, force);
    check_refused(world, taken.bytes, taken.size, TN_RESULT_UNKNOWN_OBJECT);
    free(taken.bytes);
    tn_world_destroy(world);
}

// Memory that fails at one block.
typedef struct scarce_memory {
    uint32_t taken, fails_at; // 0: at none
} scarce_memory;

static void *scarce_alloc(size_t size, size_t alignment, void *user_data) {
    scarce_memory *memory = user_data;
    (void)alignment;
    memory->taken += 1;
    return memory->taken == memory->fails_at ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
}

static void scarce_free(void *block, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(block);
}

Test(snapshot, without_memory_the_world_is_as_it_was) {
    tn_body_id bodies[12];
    scarce_memory memory = {0, 0};
    tn_world_def def = tn_world_def_default();
    def.alloc = scarce_alloc;
    def.free = scarce_free;
    def.memory_user_data = &memory;
    tn_world *large = make_heap(bodies, NULL);
    go(large, 60);
    snapshot taken = take(large);
    uint32_t failures = 0;
    for (uint32_t k = 1;; ++k) {
        tn_world *world = tn_world_create(&def, NULL);
        test_floor_create(world);
        memory = (scarce_memory){0, k};
        snapshot before = take(world);
        tn_result result = tn_world_load(world, taken.bytes, taken.size);
        memory.fails_at = 0;
        snapshot after = take(world);
        bool is_whole = result == TN_RESULT_OK;
        cr_assert(is_whole ? is_same(&taken, &after) : is_same(&before, &after));
        cr_assert(is_whole || result == TN_RESULT_OUT_OF_MEMORY);
        free(before.bytes);
        free(after.bytes);
        if (is_whole) {
            go(world, 60);
        }
        bool is_done = is_whole;
        tn_world_destroy(world);
        if (is_done) {
            break;
        }
        failures += 1;
    }
    cr_assert(failures > 10);
    free(taken.bytes);
    tn_world_destroy(large);
}

// Memory in which every byte that was never set is the same.
static void *marked_alloc(size_t size, size_t alignment, void *user_data) {
    (void)alignment;
    void *block = aligned_alloc(64, (size + 63) / 64 * 64);
    return block != NULL ? memset(block, *(const int *)user_data, size) : NULL;
}

// Returns what a world with such memory saves once it has loaded `taken` and become soft.
static snapshot load_into_marked(const snapshot *taken, tn_body_id body, int mark) {
    tn_world_def def = tn_world_def_default();
    def.alloc = marked_alloc;
    def.free = scarce_free;
    def.memory_user_data = &mark;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert(tn_world_load(world, taken->bytes, taken->size) == TN_RESULT_OK);
    tn_shape_id shape = test_first_shape(world, body);
    tn_material material = tn_shape_get_material(world, shape);
    material.hertz = 30.0f;
    cr_assert(tn_shape_set_material(world, shape, material) == TN_RESULT_OK);
    snapshot after = take(world);
    tn_world_destroy(world);
    return after;
}

Test(snapshot, holds_nothing_that_was_never_set) {
    tn_body_id bodies[12];
    tn_world *world = make_heap(bodies, NULL);
    go(world, 60);
    snapshot taken = take(world);
    snapshot one = load_into_marked(&taken, bodies[0], 0x55);
    snapshot other = load_into_marked(&taken, bodies[0], 0xaa);
    cr_assert(is_same(&one, &other));
    free(taken.bytes);
    free(one.bytes);
    free(other.bytes);
    tn_world_destroy(world);
}

Test(snapshot, is_neither_taken_nor_loaded_without_a_world) {
    cr_assert(tn_world_save(NULL, NULL, 0) == 0);
    cr_assert(tn_world_load(NULL, "tenon", 5) == TN_RESULT_INVALID_ARGUMENT);
}

// Its bytes were taken for damage.
Test(snapshot, an_area_that_became_solid_is_saved_and_loaded) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0, 0, 0);
    tn_shape_id shape = tn_sphere_shape_create(world, body, &def, 1.0f);
    tn_area area = tn_area_default();
    area.linear_damping = 2.0f;
    cr_assert(tn_shape_set_area(world, shape, &area) == TN_RESULT_OK);
    cr_assert(tn_shape_set_sensor(world, shape, false) == TN_RESULT_OK);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *bytes = malloc((size_t)size);
    tn_world_save(world, bytes, size);
    cr_assert(tn_world_load(world, bytes, size) == TN_RESULT_OK);
    cr_assert(tn_shape_get_area(world, shape, &area) && area.linear_damping == 2.0f);
    free(bytes);
    tn_world_destroy(world);
}
