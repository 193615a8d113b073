// A replay goes as its recording went, or says where it first does not.
#include "scenes/scene.h"
#include "tests/support/long_test.h"
#include "tests/support/seal.h"
#include "tests/world/recording/recording_test.h"

TestSuite(replay, .timeout = 600);

static tn_result replay_all(tn_world *world) {
    tn_result result = TN_RESULT_OK;
    while (result == TN_RESULT_OK && tn_replay_get_step(world) < tn_replay_count_steps(world)) {
        result = tn_replay_step(world);
    }
    return result;
}

// ---- the same bits ------------------------------------------------------------------------------

Test(replay, goes_through_changes_of_many_kinds_in_an_empty_world) {
    static const uint32_t intervals[] = {1, 7, 300};
    for (int k = 0; k < 3; ++k) {
        recorded all = {.bytes = NULL};
        uint64_t hash = recorded_make(&all, intervals[k], NULL);
        test_reports reports;
        tn_world *world = test_world_create(&reports);
        cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
        cr_assert(tn_replay_count_steps(world) == RECORDED_STEPS);
        cr_assert(replay_all(world) == TN_RESULT_OK);
        cr_assert(tn_world_get_hash(world) == hash);
        cr_assert(!tn_replay_get_divergence(world).has_diverged);
        test_world_destroy_quiet(world, &reports);
        recorded_free(&all);
    }
}

Test(replay, sought_to_any_step_has_the_hash_of_that_step) {
    recorded all = {.bytes = NULL};
    uint64_t hashes[RECORDED_STEPS];
    recorded_make(&all, 10, hashes);
    tn_world *world = tn_world_create(NULL, NULL);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    static const uint64_t steps[] = {50, 1, 102, 30, 31, 42, 11, 10};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        cr_assert(tn_replay_seek(world, steps[i]) == TN_RESULT_OK);
        cr_assert(tn_replay_get_step(world) == steps[i]);
        cr_assert(tn_world_get_hash(world) == hashes[steps[i] - 1]);
    }
    cr_assert(tn_replay_seek(world, 0) == TN_RESULT_OK && replay_all(world) == TN_RESULT_OK);
    cr_assert(tn_world_get_hash(world) == hashes[RECORDED_STEPS - 1]);
    tn_world_destroy(world);
    recorded_free(&all);
}

Test(replay, is_the_same_with_any_number_of_workers_and_another_seed_of_handles) {
    recorded all = {.bytes = NULL};
    uint64_t hash = recorded_make(&all, 300, NULL);
    tn_world_def def = tn_world_def_default();
    def.worker_count = 3;
    def.handle_seed = 77;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(replay_all(world) == TN_RESULT_OK);
    cr_assert(tn_world_get_hash(world) == hash);
    tn_world_destroy(world);
    recorded_free(&all);
}

// A rollback is a change like any other.
Test(replay, goes_back_where_the_world_loaded_a_snapshot) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id bodies[RECORDED_BOXES];
    recorded_make_heap(world, bodies);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 20);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *snapshot = malloc((size_t)size);
    tn_world_save(world, snapshot, size);
    for (int i = 0; i < 3; ++i) {
        tn_body_set_linear_velocity(world, bodies[i], (tn_vec3){0.0, 9.0, 1.0});
        recorded_go(world, 15);
        cr_assert(tn_world_load(world, snapshot, size) == TN_RESULT_OK);
    }
    recorded_go(world, 30);
    uint64_t hash = tn_world_get_hash(world);
    tn_record_stop(world);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(replay_all(world) == TN_RESULT_OK);
    cr_assert(tn_world_get_hash(world) == hash);
    free(snapshot);
    tn_world_destroy(world);
    recorded_free(&all);
}

// The scene's own functions change its world before and after steps, and are not called here.
static void check_scene(const scene *item, int steps, uint32_t key_interval) {
    scene_run *run = scene_run_create(item, NULL, NULL);
    scene_run *other = scene_run_create(item, NULL, NULL);
    recorded all = {.bytes = NULL};
    recorded_start(run->world, &all, key_interval);
    steps = long_test_steps(run->world, steps);
    for (int i = 0; i < steps; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    cr_assert(tn_record_stop(run->world) == TN_RESULT_OK);
    cr_assert(tn_replay_start(other->world, all.bytes, all.size) == TN_RESULT_OK, "%s", item->name);
    tn_result result = replay_all(other->world);
    tn_divergence divergence = tn_replay_get_divergence(other->world);
    cr_expect(result == TN_RESULT_OK, "%s: %s, step %d", item->name, tn_result_name(result),
              (int)divergence.step);
    scene_run_destroy(run);
    scene_run_destroy(other);
    recorded_free(&all);
}

LONG_TEST(replay, every_scene_goes_as_it_was_recorded) {
    uint32_t count;
    const scene *const *scenes = scene_get_all(&count);
    for (uint32_t i = 0; i < count; ++i) {
        check_scene(scenes[i], 60, 25);
    }
}

Test(replay, scenes_that_act_on_their_worlds_go_as_they_were_recorded) {
    static const char *const names[] = {"trebuchet", "car",     "door_bolt", "crane",
                                        "catapult",  "pinball", "arm",       "shake_table"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const scene *item = scene_find(names[i]);
        cr_assert_not_null(item, "%s", names[i]);
        check_scene(item, 240, 50);
    }
}

// ---- divergence ---------------------------------------------------------------------------------

Test(replay, reports_the_first_step_body_and_number_that_differ) {
    recorded all = {.bytes = NULL};
    uint64_t hashes[RECORDED_STEPS];
    recorded_make(&all, 300, hashes);
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(tn_replay_seek(world, 5) == TN_RESULT_OK);
    tn_body_id bodies[RECORDED_BOXES + 1];
    tn_world_get_bodies(world, bodies, RECORDED_BOXES + 1);
    tn_body_id planted = bodies[12]; // the highest box, which nothing touches
    tn_vec3 velocity = tn_body_get_linear_velocity(world, planted);
    velocity.z += 0.25;
    tn_body_set_linear_velocity(world, planted, velocity);
    cr_assert(tn_replay_step(world) == TN_RESULT_DIVERGED);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_DIVERGED);
    tn_divergence divergence = tn_replay_get_divergence(world);
    cr_assert(divergence.has_diverged && !divergence.lacks_callback && !divergence.lacks_change);
    cr_expect(divergence.step == 5);
    tn_vec3 now = tn_body_get_center(world, divergence.body);
    cr_expect(divergence.member == TN_DIVERGENCE_MEMBER_POSITION);
    const double axes[] = {now.x, now.y, now.z};
    cr_assert(divergence.axis < 3);
    cr_expect(divergence.replayed == axes[divergence.axis]);
    cr_expect(divergence.recorded != divergence.replayed);
    cr_expect(divergence.recorded_hash == hashes[5]);
    cr_expect(divergence.replayed_hash == tn_world_get_hash(world));
    // The first stays, until the replay seeks.
    cr_expect(tn_replay_step(world) == TN_RESULT_DIVERGED);
    cr_expect(tn_replay_get_divergence(world).step == 5);
    cr_expect(tn_replay_seek(world, 8) == TN_RESULT_OK);
    cr_expect(!tn_replay_get_divergence(world).has_diverged);
    cr_expect(tn_world_get_hash(world) == hashes[7]);
    tn_world_destroy(world);
    recorded_free(&all);
}

// Two balls fly apart. The second gets another spin.
Test(replay, names_the_member_and_both_its_values) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id balls[] = {test_ball_create(world, 0.0, 0.0, 0.0, 0.5f),
                          test_ball_create(world, 5.0, 0.0, 0.0, 0.5f)};
    tn_body_set_linear_velocity(world, balls[0], (tn_vec3){-1.0, 0.0, 0.0});
    tn_body_set_linear_velocity(world, balls[1], (tn_vec3){1.0, 0.0, 0.0});
    tn_body_set_angular_velocity(world, balls[1], (tn_vec3){0.0, 0.0, 2.0});
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 10);
    tn_record_stop(world);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(tn_replay_seek(world, 4) == TN_RESULT_OK);
    tn_body_set_pose(world, balls[1],
                     (tn_pose){{5.0, 0.5, 0.0}, tn_body_get_pose(world, balls[1]).rotation});
    cr_assert(tn_replay_step(world) == TN_RESULT_DIVERGED);
    tn_divergence divergence = tn_replay_get_divergence(world);
    cr_expect(divergence.body.value == balls[1].value);
    cr_expect(divergence.member == TN_DIVERGENCE_MEMBER_POSITION && divergence.axis == 0);
    cr_expect_float_eq(divergence.recorded, 5.0 + 5.0 / 60.0, 1e-9);
    cr_expect_float_eq(divergence.replayed, 5.0 + 1.0 / 60.0, 1e-9);
    cr_assert(tn_replay_seek(world, 4) == TN_RESULT_OK);
    tn_body_set_linear_velocity(world, balls[1], (tn_vec3){1.0, 0.0, 0.0});
    tn_body_set_angular_velocity(world, balls[1], (tn_vec3){0.0, 3.0, 2.0});
    cr_assert(tn_replay_step(world) == TN_RESULT_DIVERGED);
    divergence = tn_replay_get_divergence(world);
    cr_expect(divergence.body.value == balls[1].value && divergence.step == 4);
    cr_expect(divergence.member == TN_DIVERGENCE_MEMBER_ROTATION);
    tn_world_destroy(world);
    recorded_free(&all);
}

Test(replay, without_motions_reports_the_step_alone) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    recorded all = {.bytes = NULL};
    tn_record_def def = recorded_def(&all);
    def.has_motions = false;
    tn_record_start(world, &def);
    recorded_go(world, 10);
    tn_record_stop(world);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(tn_replay_seek(world, 7) == TN_RESULT_OK);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){1.0, 0.0, 0.0});
    cr_assert(tn_replay_step(world) == TN_RESULT_DIVERGED);
    tn_divergence divergence = tn_replay_get_divergence(world);
    cr_expect(divergence.has_diverged && divergence.step == 7 && divergence.body.value == 0);
    cr_expect(divergence.member == TN_DIVERGENCE_MEMBER_NONE);
    tn_world_destroy(world);
    recorded_free(&all);
}

static bool pass_through(const tn_world *world, const tn_contact *contact,
                         tn_contact_settings *settings, void *user_data) {
    (void)world, (void)contact, (void)settings, (void)user_data;
    return false;
}

Test(replay, says_that_it_lacks_the_callback_of_the_recorded_world) {
    tn_world *world = tn_world_create(NULL, NULL);
    test_floor_create(world);
    test_ball_create(world, 0.0, 1.0, 0.0, 0.5f);
    tn_world_set_pre_solve(world, pass_through, NULL);
    test_want_pre_solve(world);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 60);
    tn_record_stop(world);
    tn_world_destroy(world);
    world = tn_world_create(NULL, NULL);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(replay_all(world) == TN_RESULT_DIVERGED);
    tn_divergence divergence = tn_replay_get_divergence(world);
    cr_expect(divergence.lacks_callback && divergence.step > 5 && divergence.body.value != 0);
    // With the callback it goes as it was recorded.
    tn_world_set_pre_solve(world, pass_through, NULL);
    cr_assert(tn_replay_seek(world, 0) == TN_RESULT_OK && replay_all(world) == TN_RESULT_OK);
    tn_world_destroy(world);
    recorded_free(&all);
}

Test(replay, does_not_step_where_the_changes_do_not_fit) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    for (int i = 1; i < 20; ++i) {
        test_ball_create(world, 2.0 * i, 0.0, 0.0, 0.5f);
    }
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 3);
    tn_body_set_gravity_scale(world, ball, 0.5f);
    recorded_go(world, 3);
    tn_record_stop(world);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(tn_replay_seek(world, 3) == TN_RESULT_OK);
    test_ball_create(world, 9.0, 9.0, 9.0, 0.5f);
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(tn_replay_step(world) == TN_RESULT_DIVERGED);
    cr_assert(tn_world_get_hash(world) == hash && tn_replay_get_step(world) == 3);
    tn_divergence divergence = tn_replay_get_divergence(world);
    cr_assert(divergence.has_diverged && divergence.lacks_change && divergence.step == 3);
    cr_assert(tn_replay_seek(world, 6) == TN_RESULT_OK);
    tn_world_destroy(world);
    recorded_free(&all);
}

// ---- what is left of a recording ----------------------------------------------------------------

// A step that fails is not one of the recording, but what was changed before it is.
Test(replay, passes_over_steps_that_were_refused) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 3);
    tn_body_set_gravity_scale(world, ball, 0.5f);
    cr_assert(tn_world_step(world, -1.0, 4) == TN_RESULT_INVALID_TIME_STEP);
    recorded_go(world, 3);
    tn_record_stop(world);
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(tn_replay_count_steps(world) == 6);
    cr_assert(replay_all(world) == TN_RESULT_OK && tn_world_get_hash(world) == hash);
    tn_world_destroy(world);
    recorded_free(&all);
}

// Wherever a crash cuts it, all whole parts are left, with the step that crashed.
Test(replay, of_a_recording_that_was_cut_ends_with_its_last_step) {
    recorded all = {.bytes = NULL};
    uint64_t hashes[RECORDED_STEPS];
    recorded_make(&all, 300, hashes);
    tn_recording_info whole, info;
    cr_assert(tn_recording_get_info(all.bytes, all.size, &whole) == TN_RESULT_OK);
    uint64_t steps = 0;
    for (uint64_t size = 100; size < all.size; size += 97) {
        cr_assert(tn_recording_get_info(all.bytes, size, &info) == TN_RESULT_OK);
        cr_assert(info.is_cut && info.step_count >= steps);
        cr_assert(info.step_count <= whole.step_count);
        steps = info.step_count;
    }
    tn_world *world = tn_world_create(NULL, NULL);
    uint64_t size = all.size * 2 / 3;
    cr_assert(tn_recording_get_info(all.bytes, size, &info) == TN_RESULT_OK);
    cr_assert(tn_replay_start(world, all.bytes, size) == TN_RESULT_OK);
    cr_assert(replay_all(world) == TN_RESULT_OK);
    cr_assert(tn_world_get_hash(world) == hashes[info.step_count - 1]);
    tn_world_destroy(world);
    recorded_free(&all);
}

// ---- refusals -----------------------------------------------------------------------------------

static void check_refused(tn_world *world, const void *bytes, uint64_t size, tn_result expected) {
    uint64_t hash = tn_world_get_hash(world);
    tn_recording_info info;
    tn_result read = tn_recording_get_info(bytes, size, &info);
    cr_assert(read == expected, "%s, not %s", tn_result_name(read), tn_result_name(expected));
    cr_assert(info.step_count == 0 && info.note == NULL);
    cr_assert(tn_replay_start(world, bytes, size) == expected);
    cr_assert(tn_world_get_hash(world) == hash && tn_replay_count_steps(world) == 0);
}

Test(replay, of_damaged_foreign_and_newer_bytes_leaves_the_world_as_it_was) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id bodies[RECORDED_BOXES];
    recorded_make_heap(world, bodies);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 4);
    tn_record_stop(world);
    check_refused(world, NULL, 0, TN_RESULT_INVALID_ARGUMENT);
    check_refused(world, "glTF and more", 13, TN_RESULT_FOREIGN_DATA);
    check_refused(world, all.bytes, 0, TN_RESULT_DAMAGED_DATA);
    check_refused(world, all.bytes, 20, TN_RESULT_DAMAGED_DATA);
    uint64_t size = tn_world_save(world, NULL, 0);
    void *snapshot = malloc((size_t)size);
    tn_world_save(world, snapshot, size);
    check_refused(world, snapshot, size, TN_RESULT_FOREIGN_DATA);
    free(snapshot);
    all.bytes[12] += 1; // the version of the first part
    check_refused(world, all.bytes, all.size, TN_RESULT_NEWER_DATA);
    all.bytes[12] -= 1;
    // Each byte, but for the kind and the version of the first part, which have codes of their own.
    // A last part that claims to be longer is one that was cut.
    for (uint64_t at = 16; at < all.size; at += at < all.size - 64 ? 11 : 1) {
        all.bytes[at] ^= 0x10;
        tn_recording_info info;
        tn_result read = tn_recording_get_info(all.bytes, all.size, &info);
        cr_assert(read != TN_RESULT_OK || (info.is_cut && at > all.size - 64), "byte %d", (int)at);
        cr_assert(read == TN_RESULT_OK || tn_replay_start(world, all.bytes, all.size) == read);
        all.bytes[at] ^= 0x10;
    }
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    tn_world_destroy(world);
    recorded_free(&all);
}

Test(replay, is_refused_where_the_world_lacks_what_cannot_be_made_from_bytes) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id bodies[RECORDED_BOXES];
    recorded_make_heap(world, bodies);
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connector_count = 2;
    def.base.connectors[0].body = bodies[0];
    def.base.connectors[1].body = bodies[1];
    tn_spring_force_create(world, &def);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 4);
    tn_record_stop(world);
    tn_world *other = tn_world_create(NULL, NULL);
    uint64_t hash = tn_world_get_hash(other);
    cr_assert(tn_replay_start(other, all.bytes, all.size) == TN_RESULT_UNKNOWN_OBJECT);
    cr_assert(tn_world_get_hash(other) == hash && tn_replay_count_steps(other) == 0);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(replay_all(world) == TN_RESULT_OK);
    tn_world_destroy(world);
    tn_world_destroy(other);
    recorded_free(&all);
}

Test(replay, refuses_what_it_cannot_do) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    cr_assert(tn_replay_step(world) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_replay_seek(world, 0) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_replay_stop(world) == TN_RESULT_OK && reports.count == 2);
    recorded all = {.bytes = NULL};
    recorded_make(&all, 300, NULL);
    cr_assert(tn_replay_start(world, all.bytes, all.size) == TN_RESULT_OK);
    cr_assert(tn_replay_seek(world, RECORDED_STEPS + 1) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_replay_seek(world, RECORDED_STEPS) == TN_RESULT_OK);
    cr_assert(tn_replay_step(world) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_replay_stop(world) == TN_RESULT_OK && tn_replay_get_step(world) == 0);
    cr_assert(tn_replay_start(NULL, all.bytes, all.size) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_replay_step(NULL) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_replay_count_steps(NULL) == 0 && !tn_replay_get_divergence(NULL).has_diverged);
    tn_world_destroy(world);
    recorded_free(&all);
}

// ---- forgeries ----------------------------------------------------------------------------------

// Parts begin with 24 bytes, the last eight of which are the size. Of a STEP follow its kind, its
// number, time, substeps and callbacks, and its form; then what changed.
#define STEP_CHANGES_AT 56u
#define STEP_FORM_AT    52u
#define STEP_PATCHED    1

static unsigned char *find_patch(const recorded *all, uint64_t *out_size) {
    for (uint64_t at = 0; at < all->size; at += *out_size) {
        memcpy(out_size, all->bytes + at + 16, sizeof *out_size);
        bool is_step = all->bytes[at + 24] == 2;
        if (is_step && all->bytes[at + STEP_FORM_AT] == STEP_PATCHED) {
            return all->bytes + at;
        }
    }
    return NULL;
}

// It wrote the checksum of a snapshot of four bytes, which stands behind 24.
Test(replay, refuses_a_patch_that_leaves_nothing) {
    recorded all = {.bytes = NULL};
    recorded_make(&all, 300, NULL);
    uint64_t size = 0;
    unsigned char *part = find_patch(&all, &size);
    cr_assert_not_null(part);
    memset(part + STEP_CHANGES_AT + 4, 0, 4 + 1 + 8); // no bytes, and no states of mechanisms
    part[STEP_CHANGES_AT + 8] = 1;
    uint64_t step, short_size = STEP_CHANGES_AT + 4 + 4 + 1 + 8 + 4;
    memcpy(&step, part + 28, sizeof step);
    memcpy(part + 16, &short_size, sizeof short_size);
    seal(part, short_size);
    uint64_t rest = (uint64_t)(all.bytes + all.size - part) - size;
    memmove(part + short_size, part + size, (size_t)rest);
    tn_world *world = tn_world_create(NULL, NULL);
    cr_assert(tn_replay_start(world, all.bytes, all.size - size + short_size) == TN_RESULT_OK);
    cr_assert(tn_replay_seek(world, step) == TN_RESULT_OK);
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(tn_replay_step(world) == TN_RESULT_DAMAGED_DATA);
    cr_assert(tn_world_get_hash(world) == hash);
    tn_world_destroy(world);
    recorded_free(&all);
}
