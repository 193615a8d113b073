// An application's job system whose threads start late, take pieces late and in any order, and
// serve several worlds, each stepped by a thread of its own: every world ends with the bits of one
// that is alone. A plain program, for sanitizers of threads.
#define _POSIX_C_SOURCE 200809L // nanosleep

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scenes/scene.h"

#define WORKERS     4
#define WORLDS      3
#define MOST_JOBS   8     // that wait at once: each world has one
#define START_DELAY 20000 // microseconds, after the first job has come
#define MOST_DELAY  200   // before a piece

typedef struct job {
    tn_task_fn task;
    void *context;
    uint32_t next, count, size; // of a piece
    uint32_t running;
    bool is_used;
} job;

typedef struct job_system {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    job jobs[MOST_JOBS];
    bool ends;
    pthread_t threads[WORKERS];
    uint32_t started; // the next thread takes this number
} job_system;

static void wait_for(long microseconds) {
    struct timespec time = {0, 1000 * microseconds};
    nanosleep(&time, NULL);
}

// Returns a job that has pieces to take. With the lock.
static job *find_job(job_system *system, uint32_t first) {
    for (uint32_t i = 0; i < MOST_JOBS; ++i) {
        job *it = &system->jobs[(first + i) % MOST_JOBS];
        if (it->is_used && it->next < it->count) {
            return it;
        }
    }
    return NULL;
}

static void run_piece(job_system *system, job *it, uint32_t worker, uint32_t chance) {
    uint32_t first = it->next, last = it->count - first > it->size ? first + it->size : it->count;
    it->next = last;
    it->running += 1;
    pthread_mutex_unlock(&system->lock);
    if (chance % 4 == 0) {
        wait_for(chance % MOST_DELAY);
    }
    it->task(first, last, worker, it->context);
    pthread_mutex_lock(&system->lock);
    it->running -= 1;
    pthread_cond_broadcast(&system->changed);
}

static void *serve(void *argument) {
    job_system *system = argument;
    pthread_mutex_lock(&system->lock);
    uint32_t worker = system->started++, chance = 17 * worker + 1;
    bool is_first = true;
    while (!system->ends) {
        job *it = find_job(system, chance % MOST_JOBS);
        if (it == NULL) {
            pthread_cond_wait(&system->changed, &system->lock);
        } else if (is_first) {
            is_first = false;
            pthread_mutex_unlock(&system->lock);
            wait_for(START_DELAY * (long)worker);
            pthread_mutex_lock(&system->lock);
        } else {
            chance = chance * 1664525u + 1013904223u;
            run_piece(system, it, worker, chance >> 16);
        }
    }
    pthread_mutex_unlock(&system->lock);
    return NULL;
}

static void *enqueue(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                     void *user_data) {
    job_system *system = user_data;
    pthread_mutex_lock(&system->lock);
    job *it = NULL;
    for (uint32_t i = 0; i < MOST_JOBS && it == NULL; ++i) {
        it = system->jobs[i].is_used ? NULL : &system->jobs[i];
    }
    if (it != NULL) {
        *it = (job){.task = task,
                    .context = context,
                    .count = count,
                    .size = min_range > 0 ? min_range : 1,
                    .is_used = true};
        pthread_cond_broadcast(&system->changed);
    }
    pthread_mutex_unlock(&system->lock);
    if (it == NULL) { // it runs here: nobody else of this world does now
        task(0, count, 0, context);
    }
    return it;
}

static void finish(void *task, void *user_data) {
    job_system *system = user_data;
    job *it = task;
    pthread_mutex_lock(&system->lock);
    while (it->next < it->count || it->running > 0) {
        pthread_cond_wait(&system->changed, &system->lock);
    }
    it->is_used = false;
    pthread_mutex_unlock(&system->lock);
}

typedef struct stepped {
    job_system *system; // null: alone
    const char *scene;
    scene_choice options[3];
    uint64_t hash; // 0 where something fails
} stepped;

static void *step_world(void *argument) {
    stepped *it = argument;
    tn_world_def def = tn_world_def_default();
    if (it->system != NULL) {
        def.worker_count = WORKERS;
        def.enqueue = enqueue;
        def.finish = finish;
        def.task_user_data = it->system;
    }
    const scene *found = scene_find(it->scene);
    double values[SCENE_MAX_OPTIONS];
    it->hash = 0;
    if (found == NULL || !scene_get_values(found, it->options, 3, values)) {
        return NULL;
    }
    scene_run *run = scene_run_create(found, values, &def);
    bool is_good = run != NULL;
    for (int i = 0; i < 12 && is_good; ++i) {
        is_good = scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK;
    }
    it->hash = is_good ? tn_world_get_hash(run->world) : 0;
    if (run != NULL) {
        scene_run_destroy(run);
    }
    return NULL;
}

int main(void) {
    static job_system system = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                .changed = PTHREAD_COND_INITIALIZER};
    stepped alone[WORLDS] = {{.scene = "pile", .options = {{"count", 300}, {"side", 7}}},
                             {.scene = "ragdolls", .options = {{"count", 30}, {"side", 3}}},
                             {.scene = "net", .options = {{"side", 16}}}};
    stepped shared[WORLDS];
    int failures = 0;
    for (int i = 0; i < WORLDS; ++i) {
        step_world(&alone[i]);
        failures += alone[i].hash == 0;
        shared[i] = alone[i];
        shared[i].system = &system;
    }
    for (int i = 0; i < WORKERS; ++i) {
        failures += pthread_create(&system.threads[i], NULL, serve, &system) != 0;
    }
    pthread_t steppers[WORLDS];
    for (int i = 0; i < WORLDS; ++i) {
        failures += pthread_create(&steppers[i], NULL, step_world, &shared[i]) != 0;
    }
    for (int i = 0; i < WORLDS; ++i) {
        pthread_join(steppers[i], NULL);
        if (shared[i].hash != alone[i].hash) {
            fprintf(stderr, "test_jobs: %s goes another way\n", alone[i].scene);
            failures += 1;
        }
    }
    pthread_mutex_lock(&system.lock);
    system.ends = true;
    pthread_cond_broadcast(&system.changed);
    pthread_mutex_unlock(&system.lock);
    for (int i = 0; i < WORKERS; ++i) {
        pthread_join(system.threads[i], NULL);
    }
    printf("test_jobs: %s\n", failures == 0 ? "passed" : "failed");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
