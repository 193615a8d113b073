// Hulls, meshes, height fields and compounds that are saved and loaded: the same to the bit, and
// bytes that are damaged do no harm.
#include <stdlib.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

TestSuite(saved_geometry, .timeout = 120);

// ---- one of each, behind the same functions -----------------------------------------------------

typedef enum saved_kind {
    SAVED_MESH,
    SAVED_FIELD,
    SAVED_COMPOUND,
    SAVED_HULL,
    SAVED_KINDS
} saved_kind;

// Memory that counts what is taken, and fails at one block.
typedef struct saved_memory {
    uint32_t blocks, taken, fails_at; // 0: at none
} saved_memory;

static void *saved_alloc(size_t size, size_t alignment, void *user_data) {
    saved_memory *memory = user_data;
    memory->taken += 1;
    if (memory->taken == memory->fails_at) {
        return NULL;
    }
    memory->blocks += 1;
    (void)alignment;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void saved_free(void *block, size_t size, void *user_data) {
    (void)size;
    ((saved_memory *)user_data)->blocks -= 1;
    free(block);
}

// An octahedron, closed, whose triangles have materials; one stands alone and has no area.
static tn_mesh *make_mesh(void) {
    static const float points[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    static const uint32_t corners[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0,
                                       5, 1, 2, 5, 3, 1, 5, 0, 3, 5, 0, 0, 1};
    static const uint16_t materials[9] = {0, 1, 0, 1, 0, 1, 0, 1, 1};
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = points;
    def.indices = corners;
    def.materials = materials;
    def.position_count = 6;
    def.triangle_count = 9;
    return tn_mesh_create(&def, NULL);
}

static tn_height_field *make_field(void) {
    static const float heights[] = {0, 0.2f, 0, 0.1f, 0.5f, 0, 0.3f, 0, 0, 0.1f, 0, 0};
    static const uint8_t holes[6] = {0, 0, 1, 0, 0, 0};
    static const uint16_t materials[6] = {0, 1, 0, 1, 1, 0};
    tn_height_field_def def = tn_height_field_def_default();
    def.heights = heights;
    def.holes = holes;
    def.materials = materials;
    def.columns = 4;
    def.rows = 3;
    def.spacing_z = 1.5f;
    return tn_height_field_create(&def, NULL);
}

// Corners of a hull, and a point inside.
static const tn_vec3 points[] = {{1, 0, 0},     {-1, 0, 0},      {0, 1, 0},
                                 {0, -1, 0},    {0, 0, 1},       {0, 0, -1},
                                 {0.7, 0.7, 0}, {0.6, 0.3, 0.5}, {0.1, 0.1, 0}};

static tn_compound *make_compound(void) {
    tn_compound_child children[6];
    for (int i = 0; i < 6; ++i) {
        children[i] = tn_compound_child_default();
        children[i].type = i < 4 ? (tn_shape_type)i : TN_SHAPE_TYPE_BOX;
        children[i].radius = 0.5f;
        children[i].half_length = 0.25f;
        children[i].local_pose.position = (tn_vec3){1.5 * i - 4.0, 0.1 * i, 0.0};
        children[i].local_pose.rotation = (tn_quat){0.1 * i, 0.0, 0.2, 1.0};
        children[i].points = points;
        children[i].point_count = 9;
        children[i].material = (uint32_t)i % 2;
    }
    tn_compound_def def = tn_compound_def_default();
    def.children = children;
    def.child_count = 6;
    return tn_compound_create(&def, NULL);
}

static void *make(saved_kind kind) {
    void *made = kind == SAVED_MESH    ? (void *)make_mesh()
                 : kind == SAVED_FIELD ? (void *)make_field()
                 : kind == SAVED_HULL  ? (void *)hull_make(points, 9)
                                       : (void *)make_compound();
    cr_assert_not_null(made);
    return made;
}

static void release(saved_kind kind, void *object) {
    if (kind == SAVED_MESH) {
        tn_mesh_release(object);
    } else if (kind == SAVED_FIELD) {
        tn_height_field_release(object);
    } else if (kind == SAVED_HULL) {
        tn_hull_release(object);
    } else {
        tn_compound_release(object);
    }
}

static uint64_t save(saved_kind kind, const void *object, void *memory, uint64_t capacity) {
    return kind == SAVED_MESH    ? tn_mesh_save(object, memory, capacity)
           : kind == SAVED_FIELD ? tn_height_field_save(object, memory, capacity)
           : kind == SAVED_HULL  ? tn_hull_save(object, memory, capacity)
                                 : tn_compound_save(object, memory, capacity);
}

static void *load(saved_kind kind, const void *bytes, uint64_t size, saved_memory *memory,
                  tn_result *result) {
    tn_alloc_fn alloc = memory != NULL ? saved_alloc : NULL;
    tn_free_fn give_back = memory != NULL ? saved_free : NULL;
    return kind == SAVED_MESH ? (void *)tn_mesh_load(bytes, size, alloc, give_back, memory, result)
           : kind == SAVED_FIELD
               ? (void *)tn_height_field_load(bytes, size, alloc, give_back, memory, result)
           : kind == SAVED_HULL
               ? (void *)tn_hull_load(bytes, size, alloc, give_back, memory, result)
               : (void *)tn_compound_load(bytes, size, alloc, give_back, memory, result);
}

// Returns the bytes of one, which the caller frees.
static unsigned char *save_one(saved_kind kind, uint64_t *out_size) {
    void *made = make(kind);
    uint64_t size = save(kind, made, NULL, 0);
    unsigned char *bytes = malloc((size_t)size);
    cr_assert(save(kind, made, bytes, size) == size);
    release(kind, made);
    *out_size = size;
    return bytes;
}

// Balls and boxes fall onto it, and rays meet it. Returns the world's hash.
static uint64_t play(saved_kind kind, void *object, int steps, uint32_t material_count) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id ground = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    tn_material materials[2] = {def.material, def.material};
    materials[1].friction = 0.1f;
    const tn_material *list = material_count > 0 ? materials : NULL;
    tn_shape_id shape =
        kind == SAVED_MESH ? tn_mesh_shape_create(world, ground, &def, object, list, material_count)
        : kind == SAVED_FIELD
            ? tn_height_field_shape_create(world, ground, &def, object, list, material_count)
        : kind == SAVED_HULL
            ? tn_hull_shape_create(world, ground, &def, object)
            : tn_compound_shape_create(world, ground, &def, object, list, material_count);
    cr_assert(shape.value != 0, "%s", reports.message);
    for (int i = 0; i < 6; ++i) {
        test_ball_create(world, 0.5 * i - 1.0, 2.0, 0.3 * i, 0.3f);
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.5 * i - 1.0, 3.0, 0.2 * i,
                        (tn_vec3){0.2, 0.2, 0.3});
    }
    test_step(world, steps);
    uint64_t hash = tn_world_get_hash(world);
    for (int i = 0; i < 40; ++i) {
        tn_ray ray =
            tn_ray_make((tn_vec3){0.2 * i - 3.0, 4.0, 0.05 * i}, (tn_vec3){0.3, -9.0, 0.1});
        tn_ray_hit hit;
        tn_world_cast_ray(world, &ray, &hit);
        hash = hash * 31 + (uint64_t)(1e9 * hit.fraction) + (uint64_t)(1e6 * (1.0 + hit.normal.x));
    }
    tn_world_destroy(world);
    return hash;
}

// ---- sound bytes --------------------------------------------------------------------------------

Test(saved_geometry, gives_the_same_bits_when_it_is_loaded) {
    for (int kind = 0; kind < SAVED_KINDS; ++kind) {
        uint64_t size;
        unsigned char *bytes = save_one(kind, &size), *again = malloc((size_t)size);
        saved_memory memory = {0};
        tn_result result = TN_RESULT_COUNT;
        void *made = make(kind), *loaded = load(kind, bytes, size, &memory, &result);
        cr_assert(loaded != NULL && result == TN_RESULT_OK, "kind %d: %s", kind,
                  tn_result_name(result));
        cr_assert(save(kind, loaded, again, size) == size);
        cr_assert(memcmp(bytes, again, (size_t)size) == 0, "kind %d", kind);
        cr_assert(play(kind, made, 120, 2) == play(kind, loaded, 120, 2), "kind %d", kind);
        release(kind, made);
        release(kind, loaded);
        cr_assert(memory.blocks == 0);
        free(again);
        free(bytes);
    }
}

Test(saved_geometry, keeps_the_mass_and_the_numbers_of_a_mesh) {
    uint64_t size;
    unsigned char *bytes = save_one(SAVED_MESH, &size);
    tn_mesh *made = make_mesh(), *loaded = tn_mesh_load(bytes, size, NULL, NULL, NULL, NULL);
    cr_assert(tn_mesh_get_volume(made) > 1.3f);
    cr_assert(tn_mesh_get_volume(made) == tn_mesh_get_volume(loaded));
    cr_assert(tn_mesh_get_triangle_count(loaded) == 9 && tn_mesh_get_position_count(loaded) == 6);
    cr_assert(tn_mesh_get_byte_count(made) == tn_mesh_get_byte_count(loaded));
    tn_bounds a = tn_mesh_get_bounds(made), b = tn_mesh_get_bounds(loaded);
    cr_assert(memcmp(&a, &b, sizeof a) == 0);
    tn_mesh_release(made);
    tn_mesh_release(loaded);
    free(bytes);
}

Test(saved_geometry, writes_nothing_without_room) {
    for (int kind = 0; kind < SAVED_KINDS; ++kind) {
        void *made = make(kind);
        uint64_t size = save(kind, made, NULL, 0);
        unsigned char *bytes = calloc(1, (size_t)size);
        cr_assert(save(kind, made, bytes, size - 1) == size && bytes[0] == 0);
        cr_assert(save(kind, NULL, bytes, size) == 0);
        release(kind, made);
        free(bytes);
    }
}

// ---- others -------------------------------------------------------------------------------------

Test(saved_geometry, refuses_what_is_not_its_own) {
    for (int kind = 0; kind < SAVED_KINDS; ++kind) {
        uint64_t size;
        unsigned char *bytes = save_one(kind, &size);
        tn_result result = TN_RESULT_OK;
        cr_assert(!load((saved_kind)((kind + 1) % SAVED_KINDS), bytes, size, NULL, &result));
        cr_assert(result == TN_RESULT_FOREIGN_DATA);
        cr_assert(!load(kind, NULL, size, NULL, &result) && result == TN_RESULT_INVALID_ARGUMENT);
        cr_assert(!tn_mesh_load(bytes, size, saved_alloc, NULL, NULL, &result) &&
                  result == TN_RESULT_INVALID_ARGUMENT);
        bytes[12] += 1; // the version
        cr_assert(!load(kind, bytes, size, NULL, &result) && result == TN_RESULT_NEWER_DATA);
        free(bytes);
    }
}

Test(saved_geometry, refuses_bytes_that_are_cut_or_changed) {
    for (int kind = 0; kind < SAVED_KINDS; ++kind) {
        uint64_t size;
        unsigned char *bytes = save_one(kind, &size);
        saved_memory memory = {0};
        for (uint64_t i = 0; i < size; ++i) {
            tn_result result = TN_RESULT_OK;
            cr_assert(!load(kind, bytes, i, &memory, &result) && result != TN_RESULT_OK);
            for (int flip = 1; flip < 256; flip *= 2) {
                bytes[i] ^= (unsigned char)flip;
                cr_assert(!load(kind, bytes, size, &memory, &result) && result != TN_RESULT_OK);
                bytes[i] ^= (unsigned char)flip;
            }
        }
        cr_assert(memory.blocks == 0 && memory.taken == 0);
        free(bytes);
    }
}

static void seal(unsigned char *bytes, uint64_t size) {
    uint32_t crc = UINT32_MAX;
    for (uint64_t i = 0; i < size - 4; ++i) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    for (uint32_t i = 0; i < 4; ++i) {
        bytes[size - 4 + i] = (unsigned char)(~crc >> 8 * i);
    }
}

// Who changes the bytes may change the checksum, too: then they are refused, or make something that
// a world can use.
Test(saved_geometry, takes_no_harm_from_bytes_that_were_forged) {
    static const unsigned char flips[] = {1, 2, 0x10, 0x80, 0xff};
    for (int kind = 0; kind < SAVED_KINDS; ++kind) {
        uint64_t size, refused = 0, taken = 0;
        unsigned char *bytes = save_one(kind, &size);
        saved_memory memory = {0};
        for (uint64_t i = 16; i < size - 4; ++i) {
            for (size_t k = 0; k < sizeof flips; ++k) {
                bytes[i] ^= flips[k];
                seal(bytes, size);
                tn_result result = TN_RESULT_COUNT;
                void *loaded = load(kind, bytes, size, &memory, &result);
                cr_assert((loaded != NULL) == (result == TN_RESULT_OK));
                cr_assert(loaded != NULL || result == TN_RESULT_DAMAGED_DATA);
                refused += loaded == NULL ? 1 : 0;
                taken += loaded != NULL ? 1 : 0;
                if (loaded != NULL) {
                    play(kind, loaded, 2, 0);
                    release(kind, loaded);
                }
                bytes[i] ^= flips[k];
            }
        }
        cr_assert(memory.blocks == 0 && refused > 100 && taken > 100);
        free(bytes);
    }
}

Test(saved_geometry, leaves_nothing_behind_without_memory) {
    for (int kind = 0; kind < SAVED_KINDS; ++kind) {
        uint64_t size;
        unsigned char *bytes = save_one(kind, &size);
        saved_memory memory = {0};
        tn_result result;
        void *loaded = load(kind, bytes, size, &memory, &result);
        uint32_t most = memory.taken;
        release(kind, loaded);
        for (uint32_t i = 1; i <= most; ++i) {
            memory = (saved_memory){.fails_at = i};
            cr_assert(!load(kind, bytes, size, &memory, &result));
            cr_assert(result == TN_RESULT_OUT_OF_MEMORY && memory.blocks == 0);
        }
        free(bytes);
    }
}
