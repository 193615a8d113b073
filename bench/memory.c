// bench/memory.c: counts bytes through the world's allocator hooks.
//
// Costs are differences of the peak between worlds of the same number of boxes: floating apart,
// each on a half-space, each on a ball joint, swept or solved directly. The peak holds what growing
// arrays keep in reserve.

#include "bench/memory.h"

#include <stdlib.h>

#define BOX_COUNT  5000
#define BOX_SIDE   64  // boxes along an edge
#define BOX_PITCH  3.0 // m, so that no two touch
#define STEP_COUNT 10  // enough for contacts to be made and buffers to reach their size
#define CACHE_LINE 64  // the largest alignment the hooks ask for
#define STEP_TIME  (1.0 / 60.0)

typedef enum memory_scene {
    MEMORY_SCENE_FLOATING,
    MEMORY_SCENE_RESTING,
    MEMORY_SCENE_JOINTED,
    MEMORY_SCENE_EXACT,
} memory_scene;

static size_t memory_round_up(size_t size) {
    return (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

// The size that is counted is the one asked for.
static void *memory_alloc(size_t size, size_t alignment, void *user_data) {
    memory_counter *counter = user_data;
    (void)alignment;
    void *memory = aligned_alloc(CACHE_LINE, memory_round_up(size));
    if (memory != NULL) {
        counter->bytes += size;
        counter->calls += 1;
        if (counter->bytes > counter->peak_bytes) {
            counter->peak_bytes = counter->bytes;
        }
    }
    return memory;
}

static void memory_free(void *memory, size_t size, void *user_data) {
    memory_counter *counter = user_data;
    if (memory != NULL) {
        counter->bytes -= size;
    }
    free(memory);
}

void memory_counter_use(memory_counter *counter, tn_world_def *def) {
    def->alloc = memory_alloc;
    def->free = memory_free;
    def->memory_user_data = counter;
}

static void memory_add_ground(tn_world *world) {
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape_def = tn_shape_def_default();
    tn_half_space_shape_create(world, tn_body_create(world, &body_def), &shape_def);
}

static void memory_add_box(tn_world *world, uint32_t index, memory_scene scene) {
    tn_body_def body_def = tn_body_def_default();
    tn_shape_def shape_def = tn_shape_def_default();
    body_def.pose.position.x = BOX_PITCH * (index % BOX_SIDE);
    body_def.pose.position.z = BOX_PITCH * (index / BOX_SIDE);
    body_def.pose.position.y = scene == MEMORY_SCENE_RESTING ? 0.5 : BOX_PITCH;
    body_def.gravity_scale = scene == MEMORY_SCENE_RESTING ? 1.0f : 0.0f;
    tn_body_id body = tn_body_create(world, &body_def);
    tn_box_shape_create(world, body, &shape_def, (tn_vec3){0.5, 0.5, 0.5});
    if (scene == MEMORY_SCENE_JOINTED || scene == MEMORY_SCENE_EXACT) {
        tn_ball_joint_def joint_def = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &joint_def.base, body, (tn_body_id){0},
                                body_def.pose.position, (tn_vec3){1.0, 0.0, 0.0});
        tn_ball_joint_create(world, &joint_def);
    }
}

// Peak bytes of the scene; 0 when it could not be made or stepped.
static double memory_measure_scene(memory_scene scene, uint32_t *out_contacts) {
    *out_contacts = 0;
    memory_counter counter = {0};
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.solver = scene == MEMORY_SCENE_EXACT ? TN_SOLVER_DIRECT : TN_SOLVER_PGS;
    memory_counter_use(&counter, &def);
    tn_world *world = tn_world_create(&def, NULL);
    if (world == NULL) {
        return 0.0;
    }
    memory_add_ground(world);
    for (uint32_t i = 0; i < BOX_COUNT; ++i) {
        memory_add_box(world, i, scene);
    }
    bool has_stepped = true;
    for (int i = 0; i < STEP_COUNT; ++i) {
        has_stepped = has_stepped && tn_world_step(world, STEP_TIME, 4) == TN_RESULT_OK;
    }
    *out_contacts = tn_world_count_contacts(world);
    tn_world_destroy(world);
    return has_stepped ? (double)counter.peak_bytes : 0.0;
}

memory_cost memory_measure(void) {
    uint32_t floating_contacts, resting_contacts, jointed_contacts, exact_contacts;
    double floating = memory_measure_scene(MEMORY_SCENE_FLOATING, &floating_contacts);
    double resting = memory_measure_scene(MEMORY_SCENE_RESTING, &resting_contacts);
    double jointed = memory_measure_scene(MEMORY_SCENE_JOINTED, &jointed_contacts);
    double exact = memory_measure_scene(MEMORY_SCENE_EXACT, &exact_contacts);
    memory_cost cost = {.is_known = floating > 0.0 && resting > 0.0 && jointed > 0.0 &&
                                    exact > 0.0 && resting_contacts == BOX_COUNT};
    if (cost.is_known) {
        cost.body_bytes = floating / BOX_COUNT;
        cost.contact_bytes = (resting - floating) / BOX_COUNT;
        cost.joint_bytes = (jointed - floating) / BOX_COUNT;
        cost.exact_bytes = (exact - floating) / BOX_COUNT;
    }
    return cost;
}
