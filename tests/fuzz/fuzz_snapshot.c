// tests/fuzz/fuzz_snapshot.c: forged snapshots, with checksums that are right.
//
// A world of some bodies, shapes and joints takes steps and is saved. Fields of the bytes are then
// changed: to numbers that are near, to the ends of their range, to what stands elsewhere. The
// checksum is made right again. A world that refuses such bytes must be as it was; one that takes
// them must go on, answer queries, and give back its memory.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/seal.h"

#define FORGED_HEADER 24u // bytes
#define FORGERIES     4u  // of one world

// ---- worlds -------------------------------------------------------------------------------------

static void forged_add_joint(fuzz *f, tn_world *world, tn_body_id a, tn_body_id b) {
    tn_vec3 anchor = {0.5, 0.5, 0.0}, axis = {0.0, 0.0, 1.0};
    if (fuzz_chance(f, 2)) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.limit.is_enabled = fuzz_chance(f, 2);
        def.limit.upper = 9.0f;
        def.motor.mode = fuzz_chance(f, 2) ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
        def.motor.max_force = 10.0f;
        def.base.break_force = fuzz_chance(f, 4) ? 50.0f : def.base.break_force;
        tn_joint_def_set_frames(world, &def.base, a, b, anchor, axis);
        tn_hinge_joint_create(world, &def);
    } else {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, a, b, anchor, axis);
        tn_slider_joint_create(world, &def);
    }
}

// Boxes, balls and other shapes about a metre large on a floor; some of them in a chain. It has no
// mechanisms that are solved exactly: a load takes the indices in what they carry as they stand.
static tn_world *forged_make_world(fuzz *f) {
    tn_world *world = fuzz_world(f);
    if (world == NULL) {
        return NULL;
    }
    tn_world_set_solver(world, TN_SOLVER_PGS);
    tn_body_def def = tn_body_def_default();
    tn_shape_def shape = tn_shape_def_default();
    def.type = TN_BODY_TYPE_STATIC;
    tn_body_id before = tn_body_create(world, &def);
    tn_half_space_shape_create(world, before, &shape);
    uint32_t count = 2 + fuzz_below(f, 6);
    for (uint32_t i = 0; i < count; ++i) {
        def.type = fuzz_chance(f, 6) ? TN_BODY_TYPE_KINEMATIC : TN_BODY_TYPE_DYNAMIC;
        def.pose.position = (tn_vec3){0.3 * fuzz_unit(f), 0.5 + 0.9 * i, 0.3 * fuzz_unit(f)};
        tn_body_id body = tn_body_create(world, &def);
        shape.is_sensor = fuzz_chance(f, 8);
        if (fuzz_chance(f, 2)) {
            tn_box_shape_create(world, body, &shape, (tn_vec3){0.5, 0.5, 0.5});
        } else {
            fuzz_shape(f, world, body);
        }
        if (fuzz_chance(f, 3)) {
            forged_add_joint(f, world, before, body);
        }
        before = body;
    }
    for (uint32_t i = 0; i < 2 && fuzz_chance(f, 4); ++i) {
        tn_body_destroy(world, before);
    }
    uint32_t steps = fuzz_chance(f, 6) ? 200 : fuzz_below(f, 40);
    for (uint32_t i = 0; i < steps; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    return world;
}

// ---- forging ------------------------------------------------------------------------------------

typedef struct forged_bytes {
    unsigned char *bytes;
    uint64_t size;
} forged_bytes;

static forged_bytes forged_take(const tn_world *world) {
    forged_bytes taken = {.size = tn_world_save(world, NULL, 0)};
    taken.bytes = malloc((size_t)taken.size);
    tn_world_save(world, taken.bytes, taken.size);
    return taken;
}

static bool forged_is_same(const forged_bytes *p, const forged_bytes *q) {
    return p->size == q->size && memcmp(p->bytes, q->bytes, (size_t)p->size) == 0;
}

// Changes a number of one to eight bytes.
static void forged_change(fuzz *f, const forged_bytes *forged) {
    uint64_t room = forged->size - FORGED_HEADER - 4;
    unsigned char *at = forged->bytes + FORGED_HEADER + fuzz_below(f, (uint32_t)room);
    const unsigned char *end = forged->bytes + forged->size - 4;
    size_t width = (size_t)1 << fuzz_below(f, 4);
    width = (size_t)(end - at) < width ? (size_t)(end - at) : width;
    static const double doubles[] = {0.0, -1.0, 1e300, -1e300, 1e-320, 1e10, 3.0};
    double number = doubles[fuzz_below(f, sizeof doubles / sizeof *doubles)];
    float single = (float)number;
    switch (fuzz_below(f, 7)) {
    case 0:
        *at ^= (unsigned char)(1u << fuzz_below(f, 8));
        break;
    case 1:
        memset(at, 0, width);
        break;
    case 2:
        memset(at, 0xff, width);
        break;
    case 3: // one more or one less
        *at = (unsigned char)(*at + (fuzz_chance(f, 2) ? 1 : 255));
        break;
    case 4: // what stands elsewhere
        memmove(at, forged->bytes + FORGED_HEADER + fuzz_below(f, (uint32_t)(room - 8)), width);
        break;
    case 5:
        memcpy(at, width == 8 ? (const void *)&number : (const void *)&single,
               width < 4    ? width
               : width == 8 ? 8
                            : 4);
        break;
    default: // a small number
        memset(at, 0, width);
        *at = (unsigned char)fuzz_below(f, 32);
        break;
    }
}

// A world that has taken the bytes goes on.
static void forged_go_on(fuzz *f, tn_world *world) {
    for (uint32_t i = 0; i < 4; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    fuzz_ask(f, world);
    forged_bytes again = forged_take(world);
    free(again.bytes);
    tn_body_id bodies[16];
    uint32_t count = tn_world_get_bodies(world, bodies, 16);
    for (uint32_t i = 0; i < count && i < 16; i += 2) {
        tn_body_destroy(world, bodies[i]);
    }
    tn_world_step(world, 1.0 / 60.0, 4);
}

static void forged_try(fuzz *f, const forged_bytes *taken) {
    forged_bytes forged = {malloc((size_t)taken->size), taken->size};
    memcpy(forged.bytes, taken->bytes, (size_t)taken->size);
    uint32_t changes = 1 + (fuzz_chance(f, 2) ? fuzz_below(f, 4) : 0);
    for (uint32_t i = 0; i < changes; ++i) {
        forged_change(f, &forged);
    }
    seal(forged.bytes, forged.size);
    tn_world *world = fuzz_chance(f, 2) ? forged_make_world(f) : fuzz_world(f);
    forged_bytes before = forged_take(world);
    tn_result result = tn_world_load(world, forged.bytes, forged.size);
    if (result == TN_RESULT_OK) {
        forged_go_on(f, world);
    } else {
        forged_bytes after = forged_take(world);
        fuzz_expect(f, forged_is_same(&before, &after), "a world that refuses bytes has changed");
        free(after.bytes);
    }
    tn_world_destroy(world);
    free(before.bytes);
    free(forged.bytes);
}

// Bodies may come to be anywhere: the reports of that are no fault.
void fuzz_snapshot(fuzz *f) {
    f->is_hostile = true;
    f->failure_share = 0;
    f->scale = 1.0;
    tn_world *world = forged_make_world(f);
    forged_bytes taken = forged_take(world);
    tn_world_destroy(world);
    uint32_t crc;
    memcpy(&crc, taken.bytes + taken.size - 4, sizeof crc);
    seal(taken.bytes, taken.size);
    fuzz_expect(f, memcmp(&crc, taken.bytes + taken.size - 4, sizeof crc) == 0, "another checksum");
    for (uint32_t i = 0; i < FORGERIES && !f->is_wrong; ++i) {
        forged_try(f, &taken);
    }
    free(taken.bytes);
}
