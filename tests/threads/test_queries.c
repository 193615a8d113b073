// Queries from many threads at once say what one thread is told, also in the first moment after a
// step, when what was thrown out of its box is looked for. Other threads may meanwhile read joints,
// and make calls that are refused. A plain program, for sanitizers of
// threads.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/tenon.h"

#define THREADS 6
#define RAYS    200
#define STEPS   40
#define ROUNDS  4
#define READS   100

typedef struct queries_asker {
    const tn_world *world;
    const tn_ray *rays;
    tn_joint_id joint;
    tn_ray_hit hits[RAYS], alone[RAYS];
    tn_shape_id shapes[512];
    uint32_t count;
    int failures;
} queries_asker;

static bool accept_all(const tn_world *world, tn_shape_id shape, void *user_data) {
    (void)user_data;
    return tn_shape_is_valid(world, shape);
}

static void *ask(void *context) {
    queries_asker *asker = context;
    tn_bounds box = {{-1.0, 0.0, -1.0}, {4.0, 6.0, 4.0}};
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < RAYS; ++i) {
            tn_world_cast_ray(asker->world, &asker->rays[i], &asker->alone[i]);
        }
        tn_world_cast_rays(asker->world, asker->rays, RAYS, asker->hits);
        asker->count = tn_world_find_shapes(asker->world, box, NULL, asker->shapes, 512);
        for (int i = 0; i < READS; ++i) {
            asker->failures +=
                !(tn_joint_get_error(asker->world, asker->joint).linear_length < 0.1);
            asker->failures += tn_joint_get_limits(asker->world, asker->joint).lower > 1;
            asker->failures += !(fabs(tn_hinge_joint_get_angle(asker->world, asker->joint)) < 4.0);
        }
        tn_body_get_pose(asker->world, (tn_body_id){0}); // is refused
    }
    return NULL;
}

static uint32_t count_differences(const tn_ray_hit *a, const tn_ray_hit *b) {
    uint32_t count = 0;
    for (int i = 0; i < RAYS; ++i) {
        count += a[i].shape.value != b[i].shape.value || a[i].fraction != b[i].fraction ||
                 a[i].point.y != b[i].point.y || a[i].normal.x != b[i].normal.x;
    }
    return count;
}

static void count_report(const tn_report *report, void *user_data) {
    *(int *)user_data += report->result != TN_RESULT_INVALID_ID;
}

static void throw_a_ball(tn_world *world, int i) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){-3.0 - i, 1.0, 1.5};
    def.velocity.linear.x = 80.0;
    tn_shape_def shape = tn_shape_def_default();
    tn_sphere_shape_create(world, tn_body_create(world, &def), &shape, 0.4f);
}

static tn_world *make_world(int *reports) {
    tn_world_def def = tn_world_def_default();
    def.report = count_report;
    def.report_user_data = reports;
    def.worker_count = 2;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    tn_shape_def shape = tn_shape_def_default();
    tn_body_def ground = tn_body_def_default();
    ground.type = TN_BODY_TYPE_STATIC;
    tn_half_space_shape_create(world, tn_body_create(world, &ground), &shape);
    for (int i = 0; i < 250; ++i) {
        tn_body_def body = tn_body_def_default();
        body.pose.position = (tn_vec3){0.7 * (i % 5), 0.4 + 0.7 * (i / 25), 0.7 * (i / 5 % 5)};
        tn_sphere_shape_create(world, tn_body_create(world, &body), &shape, 0.3f);
    }
    return world;
}

static tn_joint_id hang_a_door(tn_world *world) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){8.0, 3.0, 0.0};
    tn_body_id door = tn_body_create(world, &def);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    hinge.limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, door, (tn_vec3){7.5, 3.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    return tn_hinge_joint_create(world, &hinge);
}

int main(void) {
    static queries_asker askers[THREADS];
    static tn_ray rays[RAYS];
    tn_query_filter filter = tn_query_filter_default();
    filter.accept = accept_all;
    for (int i = 0; i < RAYS; ++i) {
        rays[i] = tn_ray_make((tn_vec3){0.02 * i, 9.0, 0.5 + 0.01 * i}, (tn_vec3){0.1, -10.0, 0.1});
        rays[i].filter = i % 3 == 0 ? &filter : NULL;
    }
    int failures = 0, reports = 0;
    tn_world *world = make_world(&reports);
    tn_joint_id door = hang_a_door(world);
    for (int step = 0; step < STEPS; ++step) {
        if (step % 10 == 0) {
            throw_a_ball(world, step);
        }
        tn_world_step(world, 1.0 / 60.0, 4);
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; ++t) {
            askers[t].world = world;
            askers[t].rays = rays;
            askers[t].joint = door;
            failures += pthread_create(&threads[t], NULL, ask, &askers[t]) != 0;
        }
        for (int t = 0; t < THREADS; ++t) {
            pthread_join(threads[t], NULL);
        }
        for (int t = 0; t < THREADS; ++t) {
            failures += count_differences(askers[t].hits, askers[0].hits) != 0;
            failures += count_differences(askers[t].alone, askers[0].hits) != 0;
            failures += askers[t].count != askers[0].count || askers[t].count < 100;
            failures += memcmp(askers[t].shapes, askers[0].shapes, sizeof askers[t].shapes) != 0;
        }
    }
    for (int t = 0; t < THREADS; ++t) {
        failures += askers[t].failures;
    }
    // Each refused call is counted, and nothing else is refused.
    failures += tn_world_get_telemetry(world).reports != (uint64_t)STEPS * ROUNDS * THREADS;
    tn_world_destroy(world);
    failures += reports;
    printf("test_queries: %d threads, %d steps, %d failures\n", THREADS, STEPS, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
