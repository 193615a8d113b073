// What the library computes does not depend on how its host rounds, or treats subnormal numbers.
#include "tests/support/host_environment.h"
#include "tests/support/hull_make.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene.h"
#include "tests/scenes/golden_hashes.h"
#include "tests/support/long_test.h"

// What a run leaves: a hash of the world, of answers, and whether each call gave the host's
// environment back.
typedef struct outcome {
    uint64_t hash;
    tn_ray_hit ray;
    tn_probe_hit cast, overlap;
    bool is_host_back;
} outcome;

static void check_host(outcome *out, uint64_t host) {
    out->is_host_back = out->is_host_back && host_get() == host;
}

// ---- worlds that are made under the host's environment ------------------------------------------

// Numbers that have no end in binary.
static const tn_vec3 slope_points[] = {{-3.1, -0.3, -3.3}, {3.1, -0.3, -3.3}, {-3.1, -0.3, 3.3},
                                       {3.1, -0.3, 3.3},   {0.1, 0.7, 0.2},   {1.7, 0.1, 1.3}};
static const float ground_places[] = {-9.1f, -0.7f, -9.3f, -9.2f, -0.6f, 9.7f,
                                      9.3f,  -0.8f, 9.1f,  9.9f,  -0.7f, -9.1f};
static const uint32_t ground_corners[] = {0, 1, 2, 0, 2, 3};

static void make_ground(tn_world *world, outcome *out, uint64_t host) {
    tn_shape_def shape = tn_shape_def_default();
    tn_body_def body = tn_body_def_default();
    body.type = TN_BODY_TYPE_STATIC;
    tn_body_id ground = tn_body_create(world, &body);
    tn_mesh_def mesh_def = tn_mesh_def_default();
    mesh_def.positions = ground_places;
    mesh_def.indices = ground_corners;
    mesh_def.position_count = 4;
    mesh_def.triangle_count = 2;
    tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
    check_host(out, host);
    tn_mesh_shape_create(world, ground, &shape, mesh, NULL, 0);
    tn_mesh_release(mesh);
    tn_hull *hull = hull_make(slope_points, 6);
    check_host(out, host);
    tn_hull_shape_create(world, ground, &shape, hull);
    tn_hull_release(hull);
    check_host(out, host);
}

static void make_bodies(tn_world *world, outcome *out, uint64_t host) {
    static const tn_vec3 places[] = {{0.13, 1.9, 0.27}, {0.31, 3.1, -0.17}, {-0.71, 2.3, 0.37}};
    tn_shape_def shape = tn_shape_def_default();
    tn_body_id bodies[3];
    for (int i = 0; i < 3; ++i) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = places[i];
        def.pose.rotation = (tn_quat){0.1, 0.2, 0.3, 0.7}; // is made a unit
        bodies[i] = tn_body_create(world, &def);
        check_host(out, host);
    }
    tn_box_shape_create(world, bodies[0], &shape, (tn_vec3){0.31, 0.17, 0.43});
    tn_ellipsoid_shape_create(world, bodies[1], &shape, (tn_vec3){0.3, 0.4, 0.21});
    tn_capsule_shape_create(world, bodies[2], &shape, 0.31f, 0.17f);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, bodies[0], bodies[1], (tn_vec3){0.2, 2.5, 0.1},
                            (tn_vec3){0.3, 0.1, 0.9});
    check_host(out, host);
    tn_joint_id joint = tn_hinge_joint_create(world, &hinge);
    check_host(out, host);
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.3f, .max_force = 0.7f};
    tn_hinge_joint_set_motor(world, joint, motor);
    check_host(out, host);
    tn_body_apply_impulse_at(world, bodies[2], (tn_vec3){3.1, 0.2, 0.3}, (tn_vec3){0.1, 2.2, 0.3});
    tn_body_apply_force(world, bodies[2], (tn_vec3){0.1, 0.2, 0.3});
    tn_body_set_pose(world, bodies[0], (tn_pose){{0.17, 2.1, 0.23}, {0.3, 0.1, 0.2, 0.9}});
    check_host(out, host);
}

// Drifts by subnormal numbers of metres.
static void make_drifter(tn_world *world) {
    tn_body_def def = tn_body_def_default();
    def.gravity_scale = 0.0f;
    tn_body_set_velocity(world, tn_body_create(world, &def),
                         (tn_velocity){{3e-308, 3e-309, 0.0}, {0.0, 0.0, 0.0}});
}

static outcome run_all_under(uint64_t host) {
    outcome out = {.is_host_back = true};
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.1, -9.7, 0.3};
    host_set(host);
    tn_world *world = tn_world_create(&def, NULL);
    check_host(&out, host);
    make_ground(world, &out, host);
    make_bodies(world, &out, host);
    make_drifter(world);
    for (int i = 0; i < 90; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        check_host(&out, host);
    }
    tn_ray ray = tn_ray_make((tn_vec3){0.1, 9.3, 0.1}, (tn_vec3){0.3, -19.1, 0.7});
    tn_world_cast_ray(world, &ray, &out.ray);
    tn_probe probe = tn_sphere_probe_make((tn_vec3){0.3, 7.1, 0.3}, 0.31f);
    probe.translation = (tn_vec3){0.1, -13.3, 0.2};
    tn_world_cast_probe(world, &probe, &out.cast);
    probe.pose.position = (tn_vec3){0.3, 0.1, 0.2};
    tn_world_overlap_probe(world, &probe, &out.overlap, 1);
    check_host(&out, host);
    host_set(host_environments[0].control);
    out.hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return out;
}

Test(host_environment, changes_nothing_that_is_made_stepped_or_asked) {
    outcome right = run_all_under(host_environments[0].control);
    cr_assert(right.ray.shape.value != 0 && right.cast.shape.value != 0);
    for (int i = 1; i < HOST_ENVIRONMENTS; ++i) {
        const host_environment *host = &host_environments[i];
        outcome now = run_all_under(host->control);
        cr_assert(now.is_host_back, "%s", host->name);
        cr_assert(now.hash == right.hash, "%s", host->name);
        cr_assert(memcmp(&now.ray, &right.ray, sizeof now.ray) == 0, "%s", host->name);
        cr_assert(memcmp(&now.cast, &right.cast, sizeof now.cast) == 0, "%s", host->name);
        cr_assert(memcmp(&now.overlap, &right.overlap, sizeof now.overlap) == 0, "%s", host->name);
    }
}

// ---- threads ------------------------------------------------------------------------------------

// A tight pile of boxes that turn, at places that every environment computes alike: enough that a
// step's loops are shared. All is made and stepped under the host's environment.
static uint64_t run_pile_under(const tn_world_def *def, uint64_t host) {
    host_set(host);
    tn_world *world = tn_world_create(def, NULL);
    tn_shape_def shape = tn_shape_def_default();
    for (int i = 0; i < 600; ++i) {
        tn_body_def body = tn_body_def_default();
        body.type = i == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
        body.pose.position = (tn_vec3){i % 9, i / 81, i / 9 % 9};
        tn_body_id id = tn_body_create(world, &body);
        tn_body_set_angular_velocity(world, id, (tn_vec3){0.1, 0.2, 0.3});
        tn_box_shape_create(world, id, &shape,
                            i == 0 ? (tn_vec3){90.0, 0.5, 90.0} : (tn_vec3){0.5, 0.5, 0.5});
    }
    bool is_host_back = true;
    for (int i = 0; i < 6; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        is_host_back = is_host_back && host_get() == host;
    }
    host_set(host_environments[0].control);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    cr_assert(is_host_back);
    return hash;
}

// An application's threads, which have an environment of their own.
typedef struct foreign_tasks {
    uint64_t host;
    uint32_t loop_count;
    bool is_host_back;
} foreign_tasks;

static void *run_foreign(tn_task_fn task, uint32_t count, uint32_t min_range, void *context,
                         void *user_data) {
    foreign_tasks *tasks = user_data;
    uint64_t caller = host_get();
    uint32_t middle = count / 2;
    (void)min_range;
    host_set(tasks->host);
    task(middle, count, 1, context);
    tasks->is_host_back = tasks->is_host_back && host_get() == tasks->host;
    task(0, middle, 0, context);
    host_set(caller);
    tasks->loop_count += 1;
    return NULL;
}

static void finish_foreign(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

Test(host_environment, of_an_application_s_threads_changes_no_step) {
    tn_world_def def = tn_world_def_default();
    uint64_t right = run_pile_under(&def, host_environments[0].control);
    for (int i = 1; i < HOST_ENVIRONMENTS; ++i) {
        foreign_tasks tasks = {host_environments[i].control, 0, true};
        def.worker_count = 2;
        def.enqueue = run_foreign;
        def.finish = finish_foreign;
        def.task_user_data = &tasks;
        uint64_t hash = run_pile_under(&def, host_environments[0].control);
        cr_assert(hash == right && tasks.is_host_back, "%s", host_environments[i].name);
        cr_assert(tasks.loop_count > 0);
    }
}

// A thread begins with the environment of the thread that makes it.
Test(host_environment, changes_no_step_on_the_world_s_own_threads) {
    tn_world_def def = tn_world_def_default();
    uint64_t right = run_pile_under(&def, host_environments[0].control);
    def.worker_count = 2;
    for (int i = 0; i < HOST_ENVIRONMENTS; ++i) {
        uint64_t hash = run_pile_under(&def, host_environments[i].control);
        cr_assert(hash == right, "%s", host_environments[i].name);
    }
}

// ---- scenes -------------------------------------------------------------------------------------

static const golden_hash *find_golden(const char *name) {
    for (size_t i = 0; i < golden_tables[0].count; ++i) {
        if (strcmp(golden_tables[0].hashes[i].scene, name) == 0) {
            return &golden_tables[0].hashes[i];
        }
    }
    cr_assert_fail("no golden hash of %s", name);
    return NULL;
}

// Makes the scene under the default environment, since scenes compute their places, and steps it
// under the host's. These scenes do nothing of their own before a step.
static void check_scene_under(const char *name, const tn_world_def *def,
                              const host_environment *host) {
    const golden_hash *golden = find_golden(name);
    const scene *found = scene_find(name);
    scene_run *run = scene_run_create(found, NULL, def);
    cr_assert(run != NULL && found->before_step == NULL);
    bool is_host_back = true;
    host_set(host->control);
    for (int i = 0; i < golden->steps; ++i) {
        tn_world_step(run->world, 1.0 / 60.0, 4);
        is_host_back = is_host_back && host_get() == host->control;
    }
    host_set(host_environments[0].control);
    cr_assert(is_host_back, "%s: %s", name, host->name);
    cr_assert(tn_world_get_hash(run->world) == golden->hash, "%s: %s", name, host->name);
    scene_run_destroy(run);
}

LONG_TEST(host_environment, changes_no_golden_hash) {
    static const char *const names[] = {"four_bar", "chain", "arch", "bowl"};
    tn_world_def def = tn_world_def_default();
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < HOST_ENVIRONMENTS; ++i) {
            check_scene_under(names[k], &def, &host_environments[i]);
        }
    }
}

LONG_TEST(host_environment, changes_no_golden_hash_with_two_workers) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = 2;
    for (int i = 0; i < HOST_ENVIRONMENTS; ++i) {
        check_scene_under("pile", &def, &host_environments[i]);
    }
}

LONG_TEST(host_environment, changes_no_golden_hash_in_a_job_system) {
    for (int i = 0; i < HOST_ENVIRONMENTS; ++i) {
        foreign_tasks tasks = {host_environments[i].control, 0, true};
        tn_world_def def = tn_world_def_default();
        def.worker_count = 2;
        def.enqueue = run_foreign;
        def.finish = finish_foreign;
        def.task_user_data = &tasks;
        check_scene_under("pile", &def, &host_environments[HOST_ENVIRONMENTS - 1 - i]);
        cr_assert(tasks.is_host_back && tasks.loop_count > 0, "%s", host_environments[i].name);
    }
}

// ---- snapshots ----------------------------------------------------------------------------------

// Saves, goes on, goes back and goes on again.
Test(host_environment, changes_nothing_that_is_saved_and_loaded) {
    scene_run *run = scene_run_create(scene_find("ragdolls"), NULL, NULL);
    cr_assert_not_null(run);
    uint64_t size = tn_world_save(run->world, NULL, 0), right = 0;
    unsigned char *first = malloc(size), *again = malloc(size);
    cr_assert(tn_world_save(run->world, first, size) == size);
    for (int i = 0; i < HOST_ENVIRONMENTS; ++i) {
        uint64_t host = host_environments[i].control;
        host_set(host);
        tn_result result = tn_world_load(run->world, first, size);
        uint64_t written = tn_world_save(run->world, again, size);
        bool is_host_back = host_get() == host;
        for (int k = 0; k < 5; ++k) {
            tn_world_step(run->world, 1.0 / 60.0, 4);
        }
        host_set(host_environments[0].control);
        uint64_t hash = tn_world_get_hash(run->world);
        right = i == 0 ? hash : right;
        cr_assert(result == TN_RESULT_OK && written == size && is_host_back);
        cr_assert(memcmp(first, again, size) == 0 && hash == right, "%s",
                  host_environments[i].name);
    }
    free(first);
    free(again);
    scene_run_destroy(run);
}

// ---- trees, lines and poses to draw -------------------------------------------------------------

// What is asked of a tree, drawn, and read in bulk.
typedef struct extras {
    double fractions[8], near;
    uint32_t count;
    tn_draw_line line;
    float pose[7];
} extras;

static double note_fraction(const tn_tree *tree, tn_leaf_id leaf, double value, double limit,
                            void *user_data) {
    extras *out = user_data;
    (void)tree;
    (void)leaf;
    out->fractions[out->count++ % 8] = value;
    return limit;
}

static void ask_tree(extras *out) {
    tn_tree_def def = tn_tree_def_default();
    def.margin = 0.1;
    tn_tree *tree = tn_tree_create(&def, NULL);
    tn_leaf_id leaf = tn_tree_add(tree, (tn_bounds){{0.1, 0.1, 0.1}, {0.3, 0.7, 0.9}}, 1);
    tn_tree_add(tree, (tn_bounds){{1.1, 0.1, 0.1}, {1.3, 0.7, 0.9}}, 2);
    tn_tree_move(tree, leaf, (tn_bounds){{0.2, 0.1, 0.1}, {0.4, 0.7, 0.9}});
    tn_tree_cast(tree, (tn_vec3){-0.7, 0.3, 0.3}, (tn_vec3){3.1, 0.0, 0.1}, (tn_vec3){0.1, 0.1, 0},
                 note_fraction, out);
    tn_tree_find_near(tree, (tn_bounds){{-0.3, -0.3, 0.1}, {-0.1, -0.2, 0.3}}, (double)INFINITY,
                      note_fraction, out);
    tn_tree_find_near(tree, (tn_bounds){{(double)NAN, 0, 0}, {1, 1, 1}}, 1.0, note_fraction, out);
    tn_tree_destroy(tree);
}

static extras ask_extras_under(uint64_t host) {
    extras out = {.count = 0};
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_def def = tn_body_def_default();
    def.pose = (tn_pose){{0.1, 0.7, 0.3}, {0.1, 0.2, 0.3, 0.7}};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_cylinder_shape_create(world, body, &shape, 0.3f, 0.7f);
    tn_world_step(world, 1.0 / 60.0, 4);
    host_set(host);
    ask_tree(&out);
    tn_draw draw;
    tn_world_draw(world, NULL, &draw);
    tn_world_get_moved_poses(world, (tn_vec3){0.3, 0.1, 0.1}, out.pose, NULL, 1);
    bool is_host_back = host_get() == host;
    host_set(host_environments[0].control);
    cr_assert(is_host_back && draw.line_count > 0);
    out.line = draw.lines[draw.line_count - 1];
    tn_world_destroy(world);
    return out;
}

Test(host_environment, changes_no_answer_of_a_tree_and_nothing_to_draw) {
    extras right = ask_extras_under(host_environments[0].control);
    cr_assert(right.count == 4);
    for (int i = 1; i < HOST_ENVIRONMENTS; ++i) {
        extras now = ask_extras_under(host_environments[i].control);
        cr_assert(now.count == right.count, "%s", host_environments[i].name);
        cr_assert(memcmp(now.fractions, right.fractions, sizeof now.fractions) == 0, "%s",
                  host_environments[i].name);
        cr_assert(memcmp(&now.line, &right.line, sizeof now.line) == 0, "%s",
                  host_environments[i].name);
        cr_assert(memcmp(now.pose, right.pose, sizeof now.pose) == 0, "%s",
                  host_environments[i].name);
    }
}
