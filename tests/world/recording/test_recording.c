// A world that records steps as without it, and writes little where little changes.
#include "tests/world/recording/recording_test.h"

TestSuite(recording, .timeout = 120);

// Returns how many bytes one step takes.
static uint64_t record_step(tn_world *world, recorded *all) {
    uint64_t before = all->size;
    recorded_go(world, 1);
    return all->size - before;
}

Test(recording, changes_nothing_in_the_world) {
    recorded all = {.bytes = NULL};
    uint64_t hash = recorded_make(&all, 300, NULL);
    tn_body_id bodies[RECORDED_BOXES];
    tn_world *world = tn_world_create(NULL, NULL);
    recorded_make_heap(world, bodies);
    for (int i = 0; i < RECORDED_STEPS; ++i) {
        if (i >= 30 && i < 42) {
            recorded_change(world, bodies, i - 30);
        }
        recorded_go(world, 1);
    }
    cr_assert(tn_world_get_hash(world) == hash);
    tn_world_destroy(world);
    recorded_free(&all);
}

// Each body that moves takes at most 110 bytes, and the parts of a step 200 around these.
Test(recording, writes_a_change_and_not_the_world_again) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id bodies[60];
    for (int i = 0; i < 60; ++i) {
        bodies[i] = test_box_create(world, TN_BODY_TYPE_STATIC, 2.0 * i, 0.0, 0.0,
                                    (tn_vec3){0.5, 0.5, 0.5});
    }
    tn_body_id ball = test_ball_create(world, 0.0, 9.0, 0.0, 0.4f);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 1000);
    uint64_t whole = tn_world_save(world, NULL, 0);
    cr_assert(record_step(world, &all) > whole);
    cr_expect(record_step(world, &all) <= 110 + 200);
    tn_body_set_gravity_scale(world, ball, 0.5f);
    cr_expect(record_step(world, &all) <= 110 + 300);
    // A body from among the others goes, and another comes: all that is saved behind them moves.
    tn_body_destroy(world, bodies[20]);
    cr_expect(record_step(world, &all) < whole / 8);
    test_ball_create(world, 8.0, 9.0, 0.0, 0.4f);
    cr_expect(record_step(world, &all) < whole / 8);
    tn_record_stop(world);
    tn_world_destroy(world);
    recorded_free(&all);
}

Test(recording, without_motions_is_shorter) {
    uint64_t sizes[2];
    for (int i = 0; i < 2; ++i) {
        tn_body_id bodies[RECORDED_BOXES];
        tn_world *world = tn_world_create(NULL, NULL);
        recorded_make_heap(world, bodies);
        recorded all = {.bytes = NULL};
        tn_record_def def = recorded_def(&all);
        def.has_motions = i > 0;
        cr_assert(tn_record_start(world, &def) == TN_RESULT_OK);
        recorded_go(world, 60);
        tn_world_destroy(world);
        sizes[i] = all.size;
        recorded_free(&all);
    }
    cr_assert(sizes[0] + 40u * 60 * RECORDED_BOXES < sizes[1]);
}

Test(recording, has_a_key_frame_at_each_interval) {
    recorded all = {.bytes = NULL};
    recorded_make(&all, 25, NULL);
    tn_recording_info info;
    cr_assert(tn_recording_get_info(all.bytes, all.size, &info) == TN_RESULT_OK);
    cr_expect(info.step_count == RECORDED_STEPS);
    cr_expect(info.key_count >= 5 && info.key_count < 20);
    cr_expect(info.version == TN_VERSION_NUMBER);
    cr_expect(!info.is_cut && !info.has_filter && !info.has_pre_solve);
    cr_expect(strcmp(info.note, "") == 0);
    recorded_free(&all);
}

static bool accept_all(const tn_world *world, tn_shape_id a, tn_shape_id b, void *user_data) {
    (void)world, (void)a, (void)b, (void)user_data;
    return true;
}

Test(recording, tells_its_note_and_which_callbacks_there_were) {
    tn_world *world = tn_world_create(NULL, NULL);
    recorded all = {.bytes = NULL};
    tn_record_def def = recorded_def(&all);
    def.note = "level 3, the crane tips over";
    cr_assert(tn_record_start(world, &def) == TN_RESULT_OK);
    recorded_go(world, 1);
    tn_world_set_contact_filter(world, accept_all, NULL);
    recorded_go(world, 1);
    tn_world_set_contact_filter(world, NULL, NULL);
    recorded_go(world, 1);
    tn_world_destroy(world); // ends it
    tn_recording_info info;
    cr_assert(tn_recording_get_info(all.bytes, all.size, &info) == TN_RESULT_OK);
    cr_expect(strcmp(info.note, "level 3, the crane tips over") == 0);
    cr_expect(info.step_count == 3 && info.has_filter && !info.has_pre_solve && !info.is_cut);
    recorded_free(&all);
}

Test(recording, ends_with_a_report_when_its_bytes_are_not_taken) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id bodies[RECORDED_BOXES];
    recorded_make_heap(world, bodies);
    recorded all = {.bytes = NULL};
    recorded_start(world, &all, 300);
    recorded_go(world, 5);
    cr_assert(tn_record_is_active(world) && reports.count == 0);
    all.most = all.size + 10;
    recorded_go(world, 1); // which steps all the same
    cr_assert(tn_world_get_step_count(world) == 6 && !tn_record_is_active(world));
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_CANCELLED);
    cr_assert(strcmp(reports.function, "tn_world_step") == 0);
    cr_assert(tn_record_stop(world) == TN_RESULT_OK);
    tn_recording_info info;
    cr_assert(tn_recording_get_info(all.bytes, all.size, &info) == TN_RESULT_OK);
    cr_assert(info.step_count == 5 && info.is_cut);
    tn_world_destroy(world);
    recorded_free(&all);
}

Test(recording, is_refused_without_a_writer_or_an_interval) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_record_def def = tn_record_def_default();
    cr_assert(tn_record_start(world, NULL) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_record_start(world, &def) == TN_RESULT_INVALID_ARGUMENT);
    recorded all = {.bytes = NULL};
    def = recorded_def(&all);
    def.key_interval = 0;
    cr_assert(tn_record_start(world, &def) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(reports.count == 3 && !tn_record_is_active(world) && all.size == 0);
    cr_assert(tn_record_start(NULL, &def) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_record_stop(NULL) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(!tn_record_is_active(NULL));
    tn_world_destroy(world);
}

static bool change_world(const void *bytes, uint64_t size, void *user_data) {
    (void)bytes, (void)size;
    tn_world **world = user_data;
    cr_assert(tn_world_set_gravity(*world, (tn_vec3){0.0, 0.0, 0.0}) == TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_record_stop(*world) == TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_world_step(*world, 1.0, 1) == TN_RESULT_WORLD_LOCKED);
    return true;
}

Test(recording, its_writer_may_not_change_the_world) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_record_def def = tn_record_def_default();
    def.write = change_world;
    def.user_data = &world;
    cr_assert(tn_record_start(world, &def) == TN_RESULT_OK);
    recorded_go(world, 3);
    cr_assert(tn_world_get_step_count(world) == 3);
    cr_assert(tn_record_stop(world) == TN_RESULT_OK);
    tn_world_destroy(world);
}

// ---- memory -------------------------------------------------------------------------------------

typedef struct scarce_memory {
    uint32_t taken, fails_at; // 0: at none
    uint64_t bytes;
} scarce_memory;

static void *scarce_alloc(size_t size, size_t alignment, void *user_data) {
    scarce_memory *memory = user_data;
    (void)alignment;
    memory->taken += 1;
    memory->bytes += memory->taken == memory->fails_at ? 0 : size;
    return memory->taken == memory->fails_at ? NULL : aligned_alloc(64, (size + 63) / 64 * 64);
}

static void scarce_free(void *block, size_t size, void *user_data) {
    scarce_memory *memory = user_data;
    memory->bytes -= size;
    free(block);
}

// Returns the hash after ten steps with changes, of which one allocation fails. Each part that was
// written can be read.
static uint64_t record_scarcely(uint32_t fails_at, tn_result *out_started, bool *out_has_failed) {
    scarce_memory memory = {0, 0, 0};
    tn_world_def def = tn_world_def_default();
    def.alloc = scarce_alloc;
    def.free = scarce_free;
    def.memory_user_data = &memory;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id bodies[RECORDED_BOXES];
    recorded_make_heap(world, bodies);
    recorded_go(world, 60); // what the world itself needs
    memory.taken = 0;
    memory.fails_at = fails_at;
    recorded all = {.bytes = NULL};
    tn_record_def record = recorded_def(&all);
    *out_started = tn_record_start(world, &record);
    for (int i = 0; i < 10; ++i) {
        tn_body_set_linear_velocity(world, bodies[i], (tn_vec3){0.0, 0.001, 0.0});
        while (tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OUT_OF_MEMORY) {
        }
    }
    *out_has_failed = memory.taken >= fails_at;
    cr_assert(*out_started != TN_RESULT_OK || tn_record_is_active(world) || *out_has_failed);
    tn_recording_info info;
    cr_assert(*out_started != TN_RESULT_OK ||
              tn_recording_get_info(all.bytes, all.size, &info) == TN_RESULT_OK);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    cr_assert(memory.bytes == 0);
    recorded_free(&all);
    return hash;
}

Test(recording, without_memory_ends_and_the_world_goes_on) {
    tn_result started;
    bool has_failed;
    uint64_t hash = record_scarcely(UINT32_MAX, &started, &has_failed);
    uint32_t failures = 0;
    for (uint32_t k = 1;; ++k) {
        cr_assert(record_scarcely(k, &started, &has_failed) == hash);
        if (!has_failed) {
            break;
        }
        failures += 1;
    }
    cr_assert(failures > 5);
}
