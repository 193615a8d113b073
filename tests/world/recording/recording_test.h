// tests/world/recording/recording_test.h: recordings in memory, and a world to record.
#ifndef TESTS_WORLD_RECORDING_RECORDING_TEST_H
#define TESTS_WORLD_RECORDING_RECORDING_TEST_H

#include <stdlib.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

typedef struct recorded {
    unsigned char *bytes;
    uint64_t size, capacity;
    uint64_t most; // more is not taken; 0: all is
    uint32_t parts;
} recorded;

static inline bool recorded_take(const void *bytes, uint64_t size, void *user_data) {
    recorded *all = user_data;
    if (all->most > 0 && all->size + size > all->most) {
        return false;
    }
    if (all->size + size > all->capacity) {
        all->capacity = 2 * (all->size + size);
        all->bytes = realloc(all->bytes, (size_t)all->capacity);
        cr_assert_not_null(all->bytes);
    }
    memcpy(all->bytes + all->size, bytes, (size_t)size);
    all->size += size;
    all->parts += 1;
    return true;
}

static inline tn_record_def recorded_def(recorded *into) {
    tn_record_def def = tn_record_def_default();
    def.write = recorded_take;
    def.user_data = into;
    return def;
}

static inline void recorded_start(tn_world *world, recorded *into, uint32_t key_interval) {
    tn_record_def def = recorded_def(into);
    def.key_interval = key_interval;
    cr_assert(tn_record_start(world, &def) == TN_RESULT_OK);
}

static inline void recorded_go(tn_world *world, int steps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

#define RECORDED_BOXES 12

// Makes boxes that fall in a heap on a floor, two of them on a joint.
static inline void recorded_make_heap(tn_world *world, tn_body_id bodies[RECORDED_BOXES]) {
    test_floor_create(world);
    for (int i = 0; i < RECORDED_BOXES; ++i) {
        bodies[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * (i % 3), 0.6 + 1.1 * i,
                                    0.2 * (i % 2), (tn_vec3){0.5, 0.5, 0.5});
    }
    test_bodies_tie(world, bodies[10], bodies[11]);
}

// Makes one change of another kind before each of twelve steps.
static inline void recorded_change(tn_world *world, const tn_body_id bodies[RECORDED_BOXES],
                                   int step) {
    static const tn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tn_shape_def shape = tn_shape_def_default();
    tn_pose pose = {{3.0, 2.0, 0.5}, {0.0, 0.0, 0.0, 1.0}};
    tn_body_id made;
    switch (step % 12) {
    case 0:
        tn_body_destroy(world, bodies[3]);
        break;
    case 1:
        made = test_ball_create(world, 0.1, 9.0, 0.1, 0.4f);
        test_bodies_tie(world, made, bodies[8]);
        break;
    case 2:
        tn_body_set_pose(world, bodies[4], pose);
        break;
    case 3:
        tn_body_apply_force(world, bodies[5], (tn_vec3){500.0, 900.0, 0.0});
        break;
    case 4:
        tn_body_set_type(world, bodies[6], TN_BODY_TYPE_STATIC);
        break;
    case 5:
        tn_body_set_enabled(world, bodies[7], false);
        break;
    case 6:
        tn_world_set_gravity(world, (tn_vec3){1.0, -3.0, 0.0});
        break;
    case 7:
        tn_world_set_pair_collision(world, bodies[0], bodies[1], false);
        break;
    case 8:
        made = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.2, 12.0, 0.0);
        hull_shape_make(world, made, &shape, points, 4);
        break;
    case 9:
        tn_shape_destroy(world, test_first_shape(world, bodies[9]));
        break;
    case 10:
        tn_body_destroy(world, bodies[10]); // and its joint
        break;
    default:
        tn_body_set_linear_velocity(world, bodies[0], (tn_vec3){1.0, 5.0, 0.0});
        tn_body_set_angular_velocity(world, bodies[0], (tn_vec3){0.0, 1.0, 0.0});
        break;
    }
}

// Records a heap for 30 steps, then each change before a step, then 60 steps. Returns the hash at
// the end; `hashes` (may be null) gets those after each of the 102 steps.
#define RECORDED_STEPS 102
static inline uint64_t recorded_make(recorded *into, uint32_t key_interval,
                                     uint64_t hashes[RECORDED_STEPS]) {
    tn_body_id bodies[RECORDED_BOXES];
    tn_world *world = tn_world_create(NULL, NULL);
    recorded_make_heap(world, bodies);
    recorded_start(world, into, key_interval);
    for (int i = 0; i < RECORDED_STEPS; ++i) {
        if (i >= 30 && i < 42) {
            recorded_change(world, bodies, i - 30);
        }
        recorded_go(world, 1);
        if (hashes != NULL) {
            hashes[i] = tn_world_get_hash(world);
        }
    }
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(tn_record_stop(world) == TN_RESULT_OK);
    tn_world_destroy(world);
    return hash;
}

static inline void recorded_free(recorded *all) {
    free(all->bytes);
    *all = (recorded){.bytes = NULL};
}

#endif
