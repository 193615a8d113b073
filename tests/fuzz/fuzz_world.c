// tests/fuzz/fuzz_world.c: worlds, bodies and convex shapes at random, and what is told of faults.
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

// The block begins at a multiple of 64; what malloc gave stands before it.
void *fuzz_alloc(size_t size, size_t alignment, void *user_data) {
    fuzz *f = user_data;
    if (!f->has_threads && f->failure_share > 0 && fuzz_chance(f, f->failure_share)) {
        return NULL;
    }
    unsigned char *block = malloc(size + 2 * 64);
    if (block == NULL) {
        return NULL;
    }
    (void)alignment; // at most 64
    unsigned char *memory = block + 64 + (64 - (uintptr_t)block % 64) % 64;
    memcpy(memory - sizeof block, &block, sizeof block);
    f->allocated += size;
    return memory;
}

void fuzz_free(void *memory, size_t size, void *user_data) {
    fuzz *f = user_data;
    unsigned char *block;
    memcpy(&block, (unsigned char *)memory - sizeof block, sizeof block);
    f->allocated -= size;
    free(block);
}

// ---- faults -------------------------------------------------------------------------------------

void fuzz_expect(fuzz *f, bool is_right, const char *what) {
    if (!is_right && !f->is_wrong) {
        printf("%s, seed %u: %s\n", f->target, f->seed, what);
        fflush(stdout);
        f->is_wrong = true;
    }
}

static void fuzz_report(const tn_report *report, void *user_data) {
    fuzz *f = user_data;
    fuzz_expect(f, report->result > TN_RESULT_OK && report->result < TN_RESULT_COUNT,
                "a report of no result");
    fuzz_expect(f, report->message != NULL && report->message[0] != 0, "a report without text");
    bool is_odd = report->result == TN_RESULT_BODY_NOT_FINITE && !f->is_hostile;
    fuzz_expect(f, !is_odd, "a body came to have no place");
}

bool fuzz_is_finite(tn_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// ---- worlds -------------------------------------------------------------------------------------

tn_world_def fuzz_world_def(fuzz *f) {
    tn_world_def def = tn_world_def_default();
    def.alloc = fuzz_alloc;
    def.free = fuzz_free;
    def.memory_user_data = f;
    def.report = fuzz_report;
    def.report_user_data = f;
    def.worker_count = f->has_threads ? 2 : 1;
    def.is_baseline_only = fuzz_chance(f, 4);
    return def;
}

tn_world *fuzz_world(fuzz *f) {
    tn_world_def def = fuzz_world_def(f);
    uint32_t failure_share = f->failure_share;
    f->failure_share = 0;
    tn_world *world = tn_world_create(&def, NULL);
    f->failure_share = failure_share;
    return world;
}

tn_body_id fuzz_body(fuzz *f, tn_world *world, tn_body_type type) {
    tn_body_def def = tn_body_def_default();
    def.type = type;
    def.pose = fuzz_pose(f);
    return tn_body_create(world, &def);
}

tn_hull *fuzz_make_hull(fuzz *f, const tn_vec3 *points, uint32_t count, tn_result *out_result) {
    tn_hull_def def = tn_hull_def_default();
    def.points = points;
    def.point_count = count;
    def.alloc = fuzz_alloc;
    def.free = fuzz_free;
    def.memory_user_data = f;
    return tn_hull_create(&def, out_result);
}

static tn_shape_id fuzz_hull_shape(fuzz *f, tn_world *world, tn_body_id body,
                                   const tn_shape_def *def) {
    tn_vec3 points[FUZZ_MOST_POINTS];
    uint32_t count = fuzz_cloud(f, points);
    tn_hull *hull = fuzz_make_hull(f, points, count, NULL);
    tn_shape_id shape = tn_hull_shape_create(world, body, def, hull);
    tn_hull_release(hull);
    return shape;
}

tn_shape_id fuzz_shape(fuzz *f, tn_world *world, tn_body_id body) {
    tn_shape_def def = tn_shape_def_default();
    def.rounding = fuzz_chance(f, 4) ? (float)(0.1 * fuzz_length(f)) : 0.0f;
    if (fuzz_chance(f, 3)) {
        def.local_pose = fuzz_pose(f);
    }
    uint32_t kind = fuzz_below(f, 10);
    float a = (float)fuzz_length(f), b = (float)fuzz_length(f), c = (float)fuzz_length(f);
    tn_vec3 half = {(double)a, (double)b, (double)c};
    switch (kind) {
    case 0:
        return tn_sphere_shape_create(world, body, &def, a);
    case 1:
        return tn_capsule_shape_create(world, body, &def, a, b);
    case 2:
        return tn_cylinder_shape_create(world, body, &def, a, b);
    case 3:
        return tn_cone_shape_create(world, body, &def, a, b);
    case 4:
        return tn_tapered_cylinder_shape_create(world, body, &def, a, b, c);
    case 5:
        return tn_tapered_capsule_shape_create(world, body, &def, a, b, c);
    case 6:
        return tn_ellipsoid_shape_create(world, body, &def, half);
    case 7:
        return fuzz_hull_shape(f, world, body, &def);
    case 8:
        def.rounding = 0.0f;
        return tn_body_get_type(world, body) == TN_BODY_TYPE_STATIC && fuzz_chance(f, 2)
                   ? tn_half_space_shape_create(world, body, &def)
                   : tn_box_shape_create(world, body, &def, half);
    default:
        return tn_box_shape_create(world, body, &def, half);
    }
}

void fuzz_step(fuzz *f, tn_world *world, uint32_t steps) {
    for (uint32_t i = 0; i < steps; ++i) {
        tn_world_step(world, 1.0 / 60.0, 2);
    }
    tn_body_id bodies[32];
    uint32_t count = tn_world_get_bodies(world, bodies, 32);
    for (uint32_t i = 0; i < count && i < 32; ++i) {
        tn_pose pose = tn_body_get_pose(world, bodies[i]);
        fuzz_expect(f, fuzz_is_finite(pose.position), "a body is nowhere");
        fuzz_expect(f, isfinite(pose.rotation.w), "a body has no rotation");
    }
}
