// Snapshots that older versions wrote load for ever, and go on as they did.
//
// Files in tests/data/snapshots stay, with the hash of a world that loaded them and took sixty
// steps. A version of the bytes that is new gets files of its own: see the README beside them.
#include <stdio.h>
#include <stdlib.h>

#include "tests/joints/joint_world.h"
#include "tests/support/hull_make.h"

#define FILES      TENON_DATA_PATH "/snapshots/"
#define STEPS      60
#define PATH_SIZE  512
#define MOST_BYTES (1 << 20)

static void go(tn_world *world, int steps) {
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
}

// ---- worlds -------------------------------------------------------------------------------------

static tn_body_id make_body(tn_world *world, double x, double y, double z) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, z};
    return tn_body_create(world, &def);
}

static void make_floor(tn_world *world) {
    tn_shape_def shape = tn_shape_def_default();
    tn_half_space_shape_create(world, static_body_make(world, 0, 0, 0), &shape);
}

// A shape of each convex kind, on the way down onto each other.
static void make_pile(tn_world *world) {
    static const tn_vec3 corners[] = {{0.5, 0, 0},   {-0.4, 0, 0.1}, {0, 0.6, 0},    {0.1, -0.5, 0},
                                      {0, 0.1, 0.5}, {0, 0, -0.6},   {0.3, 0.3, 0.3}};
    tn_shape_def shape = tn_shape_def_default();
    make_floor(world);
    double y = 0.6;
    tn_sphere_shape_create(world, make_body(world, 0.0, y, 0.0), &shape, 0.5f);
    tn_capsule_shape_create(world, make_body(world, 0.1, y += 0.9, 0.0), &shape, 0.4f, 0.3f);
    tn_cylinder_shape_create(world, make_body(world, 0.0, y += 0.9, 0.1), &shape, 0.4f, 0.4f);
    tn_cone_shape_create(world, make_body(world, 0.1, y += 0.9, 0.1), &shape, 0.4f, 0.5f);
    tn_tapered_cylinder_shape_create(world, make_body(world, 0.0, y += 0.9, 0.0), &shape, 0.4f,
                                     0.5f, 0.3f);
    tn_tapered_capsule_shape_create(world, make_body(world, 0.1, y += 0.9, 0.0), &shape, 0.4f, 0.4f,
                                    0.2f);
    tn_ellipsoid_shape_create(world, make_body(world, 0.0, y += 0.9, 0.1), &shape,
                              (tn_vec3){0.6, 0.3, 0.4});
    hull_shape_make(world, make_body(world, 0.1, y += 0.9, 0.1), &shape, corners,
                    sizeof corners / sizeof *corners);
    shape.rounding = 0.05f;
    tn_box_shape_create(world, make_body(world, 0.0, y += 0.9, 0.0), &shape,
                        (tn_vec3){0.4, 0.3, 0.5});
    go(world, 50);
}

// Two wheels on the world, and a belt about them.
static void make_belt(tn_world *world, double x) {
    tn_belt_joint_def def = tn_belt_joint_def_default();
    tn_body_id wheels[2];
    for (int i = 0; i < 2; ++i) {
        tn_vec3 center = {x + 1.5 * i, 0, 0}, axis = {0, 0, 1};
        wheels[i] = body_make(world, center.x, 0, 0, 1, 0.1);
        joint_make(world, TN_JOINT_TYPE_HINGE, world_body, wheels[i], center, axis);
        tn_joint_def base = def.base;
        set_frames(world, &base, wheels[0], wheels[i], center, axis);
        def.base.body_a = wheels[0];
        def.base.body_b = wheels[i];
        def.base.frame_a = i == 0 ? base.frame_a : def.base.frame_a;
        def.base.frame_b = base.frame_b;
    }
    cr_assert(tn_belt_joint_create(world, &def).value != 0);
    tn_body_set_angular_velocity(world, wheels[0], (tn_vec3){0, 0, 3});
}

// A joint of each kind that a snapshot can make, from a fixed body to another.
static void make_joints(tn_world *world) {
    tn_body_id fixed = static_body_make(world, 0, 0, 0);
    for (int type = 0; type <= TN_JOINT_TYPE_BELT; ++type) {
        if (type == TN_JOINT_TYPE_SIX_AXIS || type == TN_JOINT_TYPE_CUSTOM ||
            type == TN_JOINT_TYPE_CAM || type > TN_JOINT_TYPE_ESCAPEMENT) {
            continue;
        }
        double x = 4.0 * type;
        tn_body_id b = body_make(world, x + 1, 0, 0, 1, 0.1);
        tn_joint_id joint = joint_make(world, (tn_joint_type)type, fixed, b,
                                       (tn_vec3){x + 0.5, 0.1, 0}, (tn_vec3){0.3, 0.1, 1});
        cr_assert(joint.value != 0, "type %d", type);
        tn_body_set_velocity(world, b, (tn_velocity){{0.1, 0.5, 0.3}, {0.7, 0.2, 2}});
    }
    make_belt(world, -4.0);
    go(world, 50);
}

// A tower that sleeps, and a ball that comes to wake it.
static void make_sleepers(tn_world *world) {
    tn_shape_def shape = tn_shape_def_default();
    make_floor(world);
    tn_body_id bodies[4];
    for (int i = 0; i < 4; ++i) {
        bodies[i] = make_body(world, 0, 0.5 + i, 0);
        tn_box_shape_create(world, bodies[i], &shape, (tn_vec3){0.5, 0.5, 0.5});
    }
    go(world, 300);
    cr_assert(!tn_body_is_awake(world, bodies[0]));
    tn_body_id ball = make_body(world, 4.0, 1.5, 0.0);
    tn_sphere_shape_create(world, ball, &shape, 0.4f);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){9.0, 2.0, 0.0});
    go(world, 2);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){-9.0, 2.0, 0.0});
}

// ---- files --------------------------------------------------------------------------------------

typedef struct snapshot_world {
    const char *name;
    void (*make)(tn_world *world);
    uint64_t hash; // sixty steps after it was saved
} snapshot_world;

static const snapshot_world worlds[] = {{"pile", make_pile, 0x6195c7c2a5f32462u},
                                        {"joints", make_joints, 0xe8a0fb27c0e50939u},
                                        {"sleepers", make_sleepers, 0x0c8f0c1e28077352u}};
#define WORLDS (sizeof worlds / sizeof *worlds)

// Of the bytes: there are files of these.
static const uint32_t versions[] = {2, 4};

// Returns what a file holds, which the caller frees.
static unsigned char *read_file(uint32_t version, const char *name, uint64_t *out_size) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, FILES "%u_%s.bin", (unsigned)version, name);
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    unsigned char *bytes = malloc(MOST_BYTES);
    *out_size = fread(bytes, 1, MOST_BYTES, file);
    fclose(file);
    return bytes;
}

static void check_file(uint32_t version, const snapshot_world *expected) {
    uint64_t size;
    unsigned char *bytes = read_file(version, expected->name, &size);
    tn_world *world = tn_world_create(NULL, NULL);
    tn_result result = tn_world_load(world, bytes, size);
    cr_assert(result == TN_RESULT_OK, "%u_%s: %s", (unsigned)version, expected->name,
              tn_result_name(result));
    go(world, STEPS);
    uint64_t hash = tn_world_get_hash(world);
    cr_assert(hash == expected->hash, "%u_%s: 0x%016llx", (unsigned)version, expected->name,
              (unsigned long long)hash);
    tn_world_destroy(world);
    free(bytes);
}

Test(snapshot_files, of_each_version_load_and_go_on_as_they_did) {
    for (size_t v = 0; v < sizeof versions / sizeof *versions; ++v) {
        for (size_t i = 0; i < WORLDS; ++i) {
            check_file(versions[v], &worlds[i]);
        }
    }
}

static void write_file(const char *folder, const char *name, const void *bytes, uint64_t size) {
    uint32_t version = ((const unsigned char *)bytes)[12];
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%u_%s.bin", folder, (unsigned)version, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, (size_t)size, file) == size, "%s", path);
    fclose(file);
}

// With TENON_SNAPSHOT_FOLDER in the environment this writes the files of the present version.
Test(snapshot_files, hold_worlds_that_an_empty_one_can_load) {
    const char *folder = getenv("TENON_SNAPSHOT_FOLDER");
    for (size_t i = 0; i < WORLDS; ++i) {
        tn_world *world = tn_world_create(NULL, NULL), *other = tn_world_create(NULL, NULL);
        worlds[i].make(world);
        uint64_t size = tn_world_save(world, NULL, 0);
        void *bytes = malloc((size_t)size);
        tn_world_save(world, bytes, size);
        cr_assert(tn_world_load(other, bytes, size) == TN_RESULT_OK);
        if (folder != NULL) {
            write_file(folder, worlds[i].name, bytes, size);
        }
        go(world, STEPS);
        go(other, STEPS);
        cr_assert(tn_world_get_hash(world) == tn_world_get_hash(other), "%s", worlds[i].name);
        free(bytes);
        tn_world_destroy(world);
        tn_world_destroy(other);
    }
}
