// tests/hostile/hostile_setters.c: recordings have what every setter does.
//
// A world with some of everything steps and records, and before each step one of the functions is
// called that set something, with ordinary values. A world that was built by the same calls
// replays. It must go the same way, and then all functions that read something must return the
// same of both. So a setter whose effect is not in the bytes is found, also where it moves nothing.
// Whoever adds a setter has it called here without a change.
#include "hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTERS_MOST_FUNCTIONS 2048
#define SETTERS_TRIES          400 // calls of a function, with other values, until
#define SETTERS_TAKEN          3   // so many were taken
#define SETTERS_READ           4   // calls of a reading function

// How often each setter was taken.
static uint32_t setters_taken[SETTERS_MOST_FUNCTIONS];

typedef struct setters_bytes {
    unsigned char *bytes;
    uint64_t size, capacity;
} setters_bytes;

typedef struct setters {
    setters_bytes recorded;
    uint32_t order[SETTERS_MOST_FUNCTIONS]; // the setter called before each step
    uint32_t count;
    uint64_t noted[SETTERS_MOST_FUNCTIONS]; // what the readers returned, by function
} setters;

static bool setters_take(const void *bytes, uint64_t size, void *user_data) {
    setters_bytes *all = user_data;
    if (all->size + size > all->capacity) {
        all->capacity = 2 * (all->size + size);
        all->bytes = realloc(all->bytes, (size_t)all->capacity);
    }
    memcpy(all->bytes + all->size, bytes, (size_t)size);
    all->size += size;
    return true;
}

// Makes the world that both runs begin with.
static tn_world *setters_make(hostile *h, uint64_t seed) {
    hostile_begin(h, seed);
    h->is_calm = true;
    h->malice = UINT32_MAX;
    hostile_make_worlds(h, 0);
    hostile_make_all(h);
    tn_world *world = h->places[0].world;
    for (int i = 0; i < 3; ++i) {
        tn_world_step(world, 1.0 / 60.0, 2);
    }
    return world;
}

// Puts the setters in an order by chance.
static void setters_shuffle(hostile *h, setters *all) {
    uint32_t count;
    const hostile_function *functions = hostile_get_functions(&count);
    all->count = 0;
    for (uint32_t i = 0; i < count && i < SETTERS_MOST_FUNCTIONS; ++i) {
        if (functions[i].sets) {
            uint32_t at = hostile_below(h, all->count + 1);
            all->order[all->count++] = all->order[at];
            all->order[at] = i;
        }
    }
}

// The values depend on the function and not on what was called before it.
static void setters_call(hostile *h, uint64_t seed, uint32_t index) {
    uint32_t count;
    const hostile_function *function = &hostile_get_functions(&count)[index];
    h->random = seed << 32 ^ index;
    uint32_t taken = 0;
    for (int i = 0; i < SETTERS_TRIES && taken < SETTERS_TAKEN; ++i) {
        uint64_t report_count = h->report_count;
        h->is_null = false;
        function->call(h);
        taken += h->report_count == report_count && !h->is_null ? 1 : 0;
    }
    setters_taken[index] += taken;
}

// Asks all that can be asked, with the same values in both runs.
static void setters_read(hostile *h, uint64_t seed, uint64_t *noted) {
    uint32_t count;
    const hostile_function *functions = hostile_get_functions(&count);
    for (uint32_t i = 0; i < count && i < SETTERS_MOST_FUNCTIONS; ++i) {
        h->random = seed << 32 ^ i;
        h->noted = 0;
        for (int k = 0; k < SETTERS_READ && functions[i].reads; ++k) {
            functions[i].call(h);
        }
        noted[i] = h->noted;
    }
}

static void setters_record(hostile *h, uint64_t seed, setters *all) {
    tn_world *world = setters_make(h, seed);
    tn_record_def def = tn_record_def_default();
    def.write = setters_take;
    def.user_data = &all->recorded;
    setters_shuffle(h, all);
    tn_record_start(world, &def);
    for (uint32_t i = 0; i < all->count; ++i) {
        setters_call(h, seed, all->order[i]);
        tn_world_step(world, 1.0 / 60.0, 2);
    }
    tn_record_stop(world);
    setters_read(h, seed, all->noted);
    hostile_end(h);
}

static bool setters_replay(hostile *h, uint64_t seed, const setters *all) {
    uint32_t count;
    const hostile_function *functions = hostile_get_functions(&count);
    tn_world *world = setters_make(h, seed);
    tn_result result = tn_replay_start(world, all->recorded.bytes, all->recorded.size);
    uint64_t step = 0;
    for (; step < tn_replay_count_steps(world) && result == TN_RESULT_OK; ++step) {
        result = tn_replay_step(world);
    }
    if (result != TN_RESULT_OK) {
        tn_divergence divergence = tn_replay_get_divergence(world);
        printf("seed %llu: a replay says %s in step %llu, after %s: body %u, number %d, axis %u, "
               "%.17g and not %.17g\n",
               (unsigned long long)seed, tn_result_name(result), (unsigned long long)step,
               step > 0 ? functions[all->order[step - 1]].name : "start", divergence.body.value,
               (int)divergence.member, divergence.axis, divergence.replayed, divergence.recorded);
        hostile_end(h);
        return false;
    }
    static uint64_t noted[SETTERS_MOST_FUNCTIONS];
    setters_read(h, seed, noted);
    bool is_same = true;
    for (uint32_t i = 0; i < count; ++i) {
        if (noted[i] != all->noted[i]) {
            printf("seed %llu: after a replay %s returns something else\n",
                   (unsigned long long)seed, functions[i].name);
            is_same = false;
        }
    }
    hostile_end(h);
    return is_same;
}

bool hostile_check_setters(uint64_t seed, bool is_traced) {
    // At one place, since user data is an address and recordings have it.
    static hostile memory;
    static setters all;
    memset(&all, 0, sizeof all);
    if (is_traced) {
        printf("setters, seed %llu\n", (unsigned long long)seed);
        fflush(stdout);
    }
    setters_record(&memory, seed, &all);
    bool is_same = setters_replay(&memory, seed, &all);
    free(all.recorded.bytes);
    return is_same;
}

bool hostile_has_set_all(void) {
    uint32_t count;
    const hostile_function *functions = hostile_get_functions(&count);
    bool has_all = count <= SETTERS_MOST_FUNCTIONS;
    for (uint32_t i = 0; i < count; ++i) {
        if (functions[i].sets && setters_taken[i] == 0) {
            printf("%s was always refused while a world recorded\n", functions[i].name);
            has_all = false;
        }
    }
    return has_all;
}
