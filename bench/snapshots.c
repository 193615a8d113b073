// bench/snapshots.c: what it costs to keep a world's last frames, and to go back to them.
//
// A world of boxes in a heap, or of chains that hang from the world, goes on for a second. Then it
// saves its state after each of eight steps, each into memory of its own, as a game does that may
// have to roll back, and loads the eight, the last one first. The quickest of several rounds
// counts. Each load comes after a save, so it finds the objects that it brings.
#include "bench/snapshots.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tenon/tenon.h>

#include "bench/clock.h"

#define FRAMES    8
#define ROUNDS    7
#define WARM_UP   60 // steps
#define STEP_TIME (1.0 / 60.0)
#define SUBSTEPS  4
#define BOX_HALF  0.25 // m
#define SPACING   0.6  // m, between the centres of boxes at the start
#define LAYERS    10   // of a heap
#define LINKS     10   // of a chain

typedef struct snapshots_case {
    const char *name;
    uint32_t body_count;
    bool is_chained;
} snapshots_case;

static const snapshots_case snapshots_cases[] = {
    {"heap", 1000, false},
    {"heap", 10000, false},
    {"chains", 1000, true},
    {"chains", 10000, true},
};

typedef struct snapshots_frames {
    unsigned char *bytes[FRAMES];
    uint64_t sizes[FRAMES], used[FRAMES];
    double save_ms, load_ms; // of one
    double all_save_ms, all_load_ms;
} snapshots_frames;

static tn_body_id snapshots_add_box(tn_world *world, tn_vec3 at) {
    tn_body_def body_def = tn_body_def_default();
    body_def.pose.position = at;
    tn_shape_def shape_def = tn_shape_def_default();
    tn_vec3 half_extents = {BOX_HALF, BOX_HALF, BOX_HALF};
    tn_body_id body = tn_body_create(world, &body_def);
    tn_box_shape_create(world, body, &shape_def, half_extents);
    return body;
}

static void snapshots_add_ground(tn_world *world) {
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_STATIC;
    tn_shape_def shape_def = tn_shape_def_default();
    tn_half_space_shape_create(world, tn_body_create(world, &body_def), &shape_def);
}

// Boxes over one another, each layer a little aside of the one below it.
static void snapshots_add_heap(tn_world *world, uint32_t count) {
    uint32_t side = (uint32_t)ceil(sqrt((double)count / LAYERS));
    snapshots_add_ground(world);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t layer = i / (side * side), place = i % (side * side);
        double aside = 0.1 * (layer % 3);
        snapshots_add_box(world,
                          (tn_vec3){aside + SPACING * (place % side), BOX_HALF + SPACING * layer,
                                    aside + SPACING * (place / side)});
    }
}

// Chains that hang in rows, each from the world, and swing.
static void snapshots_add_chains(tn_world *world, uint32_t count) {
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_STATIC;
    tn_body_id ceiling = tn_body_create(world, &body_def);
    uint32_t side = (uint32_t)ceil(sqrt((double)count / LINKS));
    for (uint32_t i = 0; i < count / LINKS; ++i) {
        tn_vec3 at = {4.0 * LINKS * SPACING * (i % side), 0.0, 2.0 * (i / side)};
        tn_body_id before = ceiling;
        for (uint32_t k = 0; k < LINKS; ++k) {
            tn_vec3 anchor = at;
            at.x += 0.5 * SPACING;
            tn_body_id body = snapshots_add_box(world, at);
            tn_ball_joint_def def = tn_ball_joint_def_default();
            tn_joint_def_set_frames(world, &def.base, before, body, anchor, (tn_vec3){0, 0, 1});
            tn_ball_joint_create(world, &def);
            at.x += 0.5 * SPACING;
            before = body;
        }
    }
}

static bool snapshots_step(tn_world *world) {
    return tn_world_step(world, STEP_TIME, SUBSTEPS) == TN_RESULT_OK;
}

// Saves after each of eight steps, then loads the eight.
static bool snapshots_go_round(tn_world *world, snapshots_frames *frames) {
    double saved = 0.0, loaded = 0.0;
    for (uint32_t i = 0; i < FRAMES; ++i) {
        if (!snapshots_step(world)) {
            return false;
        }
        uint64_t size = tn_world_save(world, NULL, 0);
        if (size > frames->sizes[i]) {
            free(frames->bytes[i]);
            frames->bytes[i] = malloc((size_t)size);
            frames->sizes[i] = frames->bytes[i] != NULL ? size : 0;
        }
        double start = bench_clock_get_seconds();
        frames->used[i] = tn_world_save(world, frames->bytes[i], frames->sizes[i]);
        double took = 1e3 * (bench_clock_get_seconds() - start);
        frames->save_ms = fmin(frames->save_ms, took);
        saved += took;
    }
    for (uint32_t i = FRAMES; i-- > 0;) {
        double start = bench_clock_get_seconds();
        bool is_loaded = tn_world_load(world, frames->bytes[i], frames->used[i]) == TN_RESULT_OK;
        double took = 1e3 * (bench_clock_get_seconds() - start);
        if (!is_loaded) {
            return false;
        }
        frames->load_ms = fmin(frames->load_ms, took);
        loaded += took;
    }
    frames->all_save_ms = fmin(frames->all_save_ms, saved);
    frames->all_load_ms = fmin(frames->all_load_ms, loaded);
    return true;
}

static bool snapshots_measure(const snapshots_case *item) {
    tn_world *world = tn_world_create(NULL, NULL);
    if (world == NULL) {
        return false;
    }
    if (item->is_chained) {
        snapshots_add_chains(world, item->body_count);
    } else {
        snapshots_add_heap(world, item->body_count);
    }
    snapshots_frames frames = {
        .save_ms = HUGE_VAL, .load_ms = HUGE_VAL, .all_save_ms = HUGE_VAL, .all_load_ms = HUGE_VAL};
    bool is_good = true;
    for (uint32_t i = 0; i < WARM_UP && is_good; ++i) {
        is_good = snapshots_step(world);
    }
    for (uint32_t i = 0; i < ROUNDS && is_good; ++i) {
        is_good = snapshots_go_round(world, &frames);
    }
    if (is_good) {
        printf("| %s | %u | %u | %u | %.2f | %.3f | %.3f | %.2f | %.2f |\n", item->name,
               (unsigned)item->body_count, (unsigned)tn_world_count_contacts(world),
               (unsigned)tn_world_count_joints(world), 1e-6 * (double)frames.used[0],
               frames.save_ms, frames.load_ms, frames.all_save_ms, frames.all_load_ms);
    }
    for (uint32_t i = 0; i < FRAMES; ++i) {
        free(frames.bytes[i]);
    }
    tn_world_destroy(world);
    return is_good;
}

bool snapshots_run(void) {
    puts("| scene | bodies | contacts | joints | MB | a save, ms | a load, ms | 8 saves, ms | 8 "
         "loads, ms |\n|---|---|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof snapshots_cases / sizeof *snapshots_cases; ++i) {
        if (!snapshots_measure(&snapshots_cases[i])) {
            fputs("tenon_bench: a world could not be made, saved or loaded\n", stderr);
            return false;
        }
    }
    return true;
}
