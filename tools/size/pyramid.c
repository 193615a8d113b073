// tools/size/pyramid.c: a pyramid of 30 rows that settles, timed; for ./dev size, which runs it in
// WebAssembly. Prints the mean of a step in milliseconds, and where the top box ends.
#include <stdio.h>
#include <time.h>

#include <tenon/tenon.h>

#define ROWS  30
#define STEPS 300

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static tn_body_id make_box(tn_world *world, tn_body_type type, tn_vec3 at, tn_vec3 half) {
    tn_body_def body = tn_body_def_default();
    body.type = type;
    body.pose.position = at;
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id box = tn_body_create(world, &body);
    tn_box_shape_create(world, box, &shape, half);
    return box;
}

int main(void) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    make_box(world, TN_BODY_TYPE_STATIC, (tn_vec3){0.0, -1.0, 0.0}, (tn_vec3){40.0, 1.0, 40.0});
    tn_body_id top = {0};
    for (int row = 0; row < ROWS; ++row) {
        for (int i = 0; i < ROWS - row; ++i) {
            tn_vec3 at = {1.05 * (i - 0.5 * (ROWS - row)), 0.5 + 1.01 * row, 0.0};
            top = make_box(world, TN_BODY_TYPE_DYNAMIC, at, (tn_vec3){0.5, 0.5, 0.5});
        }
    }
    double start = now();
    for (int i = 0; i < STEPS; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    double mean = (now() - start) / STEPS;
    printf("%.3f ms a step, top at %.9f m\n", mean, tn_body_get_center(world, top).y);
    tn_world_destroy(world);
}
