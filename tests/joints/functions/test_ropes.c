// Ropes in crowds: whatever they are told, by each solver, on workers, without memory, far out.
#include "tests/joints/joint_world.h"
#include "tests/support/long_test.h"

#include <stdlib.h>

static const tn_vec3 weightless = {0.0, 0.0, 0.0};

static uint64_t random_state;

static double unit(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static double any(double size) {
    return size * (2.0 * unit() - 1.0);
}

static tn_rope_point point_of(tn_body_id body, double x, double y, double z) {
    tn_rope_point point = {.body = body, .position = {x, y, z}};
    return point;
}

// ---- whatever they are told --------------------------------------------------------------------

#define ANY_BODIES 6

static void any_bodies(tn_world *world, tn_body_id *bodies) {
    for (int i = 0; i < ANY_BODIES; ++i) {
        bodies[i] = body_make(world, any(3), any(3), any(3), pow(10.0, any(1.5)), 0.1 + unit());
        tn_velocity velocity = {.linear = {any(3), any(3), any(3)},
                                .angular = {any(3), any(3), any(3)}};
        tn_body_set_velocity(world, bodies[i], velocity);
    }
}

// Of one that is solved exactly: without friction and stretch.
static tn_rope_joint_def any_rope(const tn_body_id *bodies, bool is_exact) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.point_count = 2 + (uint32_t)(15.0 * unit());
    for (uint32_t k = 0; k < def.point_count; ++k) {
        bool is_end = k == 0 || k + 1 == def.point_count;
        uint32_t body = (uint32_t)(ANY_BODIES * unit());
        tn_body_id own = k == 0 ? bodies[0] : k == 1 ? bodies[1] : bodies[body];
        def.points[k] = point_of(k > 1 && unit() < 0.3 ? world_body : own, any(1), any(1), any(1));
        def.points[k].friction = is_end || unit() < 0.4 ? 0.0f : (float)(0.5 * unit());
        def.points[k].turns = unit() < 0.8 ? 0 : 3;
    }
    def.base.hertz = unit() < 0.8 ? 0.0f : (float)(20.0 * unit());
    def.axial_stiffness = unit() < 0.7 ? 0.0f : (float)pow(10.0, 6.0 * unit());
    def.axial_damping = (float)(100.0 * unit());
    def.max_tension = unit() < 0.7 ? INFINITY : (float)(100.0 * unit());
    for (uint32_t k = 0; k < def.point_count && is_exact; ++k) {
        def.points[k].friction = 0.0f;
    }
    def.base.hertz = is_exact ? 0.0f : def.base.hertz;
    def.axial_stiffness = is_exact ? 0.0f : def.axial_stiffness;
    def.max_tension = is_exact ? INFINITY : def.max_tension;
    return def;
}

// They pull, and give no energy; a spring's is its own. Half of them exactly.
LONG_TEST(ropes, pull_and_give_no_energy_whatever_they_are_told, .timeout = 60) {
    for (uint64_t seed = 0; seed < 600; ++seed) {
        bool is_exact = seed >= 300;
        random_state = seed * 7919 + 1;
        unit();
        tn_world *world = world_make(weightless, NULL);
        tn_world_set_solver(world, is_exact ? TN_SOLVER_DIRECT : TN_SOLVER_AUTO);
        tn_body_id bodies[ANY_BODIES];
        any_bodies(world, bodies);
        tn_rope_joint_def def = any_rope(bodies, is_exact);
        tn_joint_id rope = tn_rope_joint_create(world, &def);
        cr_assert(rope.value != 0, "%d", (int)seed);
        double before = tn_world_get_energy(world).kinetic;
        for (int i = 0; i < 60; ++i) {
            cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
            for (uint32_t k = 0; k + 1 < def.point_count; ++k) {
                float tension = tn_rope_joint_get_tension(world, rope, k);
                cr_assert(tension >= 0.0f && isfinite(tension), "%d: %g", (int)seed,
                          (double)tension);
            }
        }
        double after = tn_world_get_energy(world).kinetic;
        cr_assert(after < 1.02 * before, "%d: %g, %g J", (int)seed, before, after);
        tn_world_destroy(world);
    }
}

// Numbers of any size, and bodies put anywhere: what comes of it is finite.
Test(ropes, stay_finite_with_whatever_winch_and_wherever_their_bodies_are_put, .timeout = 60) {
    for (uint64_t seed = 0; seed < 400; ++seed) {
        bool is_exact = seed >= 200;
        random_state = seed * 104729 + 7;
        unit();
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_world_set_solver(world, is_exact ? TN_SOLVER_DIRECT : TN_SOLVER_AUTO);
        tn_body_id bodies[ANY_BODIES];
        any_bodies(world, bodies);
        tn_rope_joint_def def = any_rope(bodies, is_exact);
        def.payout_speed = (float)any(20.0);
        tn_joint_id rope = tn_rope_joint_create(world, &def);
        for (int i = 0; i < 40; ++i) {
            if (i % 10 == 9) {
                tn_pose pose = {{any(5), any(5), any(5)}, {any(1), any(1), any(1), any(1) + 1.5}};
                tn_body_set_pose(world, bodies[i % ANY_BODIES], pose);
                tn_rope_joint_set_length(world, rope, 0.01 + 20.0 * unit());
                tn_rope_joint_set_payout(world, rope, (float)any(20.0), (float)(1e4 * unit()));
            }
            cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 1 + (uint32_t)(4.0 * unit())),
                         TN_RESULT_OK);
        }
        for (int i = 0; i < ANY_BODIES; ++i) {
            tn_vec3 at = tn_body_get_pose(world, bodies[i]).position;
            cr_assert(isfinite(at.x + at.y + at.z), "%d", (int)seed);
        }
        cr_assert(isfinite(tn_rope_joint_get_length(world, rope)));
        tn_world_destroy(world);
    }
}

// ---- by each solver ----------------------------------------------------------------------------

// A boom on a hinge, held up by a tackle from its tip to a mast, with a load at its tip on a ball.
typedef struct crane {
    tn_body_id boom, load;
    tn_joint_id rope;
} crane;

static crane crane_make(tn_world *world, double x, float friction) {
    crane it = {.boom = body_make(world, x + 2, 0, 0, 100, 50)};
    it.load = body_make(world, x + 4, -1, 0, 50, 1);
    joint_make(world, TN_JOINT_TYPE_HINGE, world_body, it.boom, (tn_vec3){x, 0, 0},
               (tn_vec3){0, 0, 1});
    joint_make(world, TN_JOINT_TYPE_BALL, it.boom, it.load, (tn_vec3){x + 4, 0, 0},
               (tn_vec3){0, 1, 0});
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(world_body, x, 3, 0);
    def.points[1] = point_of(it.boom, 2, 0, 0);
    def.points[2] = point_of(world_body, x, 3, 0);
    def.points[3] = point_of(it.boom, 2, 0, 0);
    def.points[4] = point_of(world_body, x, 3, 0);
    for (uint32_t k = 1; k < 4; ++k) {
        def.points[k].friction = friction;
    }
    def.point_count = 5;
    it.rope = tn_rope_joint_create(world, &def);
    cr_assert(it.rope.value != 0);
    return it;
}

// About the hinge: 4 T sin(a) 4 m = g (100 kg 2 m + 50 kg 4 m), sin(a) = 3 / 5. Conjugate gradients
// and the rope take turns, each with what the other left in the sweep before.
Test(ropes, hold_a_boom_beside_any_solver, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    const double most[] = {1e-3, 1e-3, 1e-3, 5e-2};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        tn_world_set_solver(world, solvers[i]);
        crane it = crane_make(world, 0.0, 0.0f);
        run(world, 5.0, 60.0, 4);
        double expected = 9.81 * 400.0 / (4.0 * 0.6 * 4.0);
        for (uint32_t k = 0; k < 4; ++k) {
            double tension = (double)tn_rope_joint_get_tension(world, it.rope, k);
            cr_assert(fabs(tension - expected) < most[i] * expected, "solver %d: %g N, not %g", i,
                      tension, expected);
        }
        cr_assert(tn_joint_get_error(world, it.rope).linear_length < 1e-3);
        cr_assert(fabs(tn_body_get_pose(world, it.boom).position.y) < 2e-3);
        tn_world_destroy(world);
    }
}

// ---- to whoever looks --------------------------------------------------------------------------

Test(ropes, are_one_joint_to_whoever_counts, .timeout = 60) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id bodies[4];
    tn_rope_joint_def def = tn_rope_joint_def_default();
    for (uint32_t i = 0; i < 4; ++i) {
        bodies[i] = body_make(world, i, i % 2, 0, 1, 1);
        def.points[i] = point_of(bodies[i], 0, 0, 0);
    }
    def.point_count = 4;
    tn_joint_id rope = tn_rope_joint_create(world, &def), listed[4];
    cr_assert_eq(tn_world_get_joints(world, listed, 4), 1u);
    cr_assert_eq(listed[0].value, rope.value);
    for (int i = 0; i < 4; ++i) {
        cr_assert_eq(tn_body_get_joints(world, bodies[i], listed, 4), 1u);
        cr_assert_eq(listed[0].value, rope.value);
    }
    run(world, 0.1, 60.0, 4);
    cr_assert_eq(tn_world_get_telemetry(world).joints, 1u);
    tn_joint_destroy(world, rope);
    cr_assert_eq(tn_world_count_joints(world), 0u);
    run(world, 0.1, 60.0, 4);
    tn_world_destroy(world);
}

// A line for each piece, and three for the cross on each sheave.
Test(ropes, are_drawn_from_point_to_point, .timeout = 60) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0] = point_of(body, 0, 0, 0);
    def.points[1] = point_of(world_body, 1, 2, 3);
    def.points[2] = point_of(world_body, 4, 5, 6);
    def.point_count = 3;
    tn_rope_joint_create(world, &def);
    tn_draw_options options = tn_draw_options_default();
    options.draws_shapes = options.draws_wireframe = options.draws_contacts = false;
    tn_draw draw;
    cr_assert_eq(tn_world_draw(world, &options, &draw), TN_RESULT_OK);
    cr_assert_eq(draw.line_count, 2u + 3u, "%u", draw.line_count);
    const float *from = draw.lines[1].a, *to = draw.lines[1].b;
    cr_assert(from[0] == 1.0f && from[2] == 3.0f && to[0] == 4.0f && to[2] == 6.0f);
    tn_world_destroy(world);
}

// ---- determinism -------------------------------------------------------------------------------

static uint64_t run_cranes(uint32_t workers, bool is_baseline_only) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_baseline_only = is_baseline_only;
    tn_world *world = tn_world_create(&def, NULL);
    for (int i = 0; i < 12; ++i) {
        crane it = crane_make(world, 10.0 * i, 0.02f * (float)i);
        tn_rope_joint_set_payout(world, it.rope, 0.05f * (float)(i - 6), 5000.0f);
    }
    run(world, 2.0, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(ropes, go_alike_on_any_number_of_workers_and_any_vector_unit, .timeout = 60) {
    uint64_t hash = run_cranes(1, false);
    cr_assert_eq(run_cranes(2, false), hash);
    cr_assert_eq(run_cranes(8, false), hash);
    cr_assert_eq(run_cranes(1, true), hash);
}

// What a rope remembers is in the hash: how much of it is before a sheave.
Test(ropes, are_in_the_hash_with_what_they_remember, .timeout = 60) {
    tn_world *world = world_make(weightless, NULL);
    crane it = crane_make(world, 0.0, 0.0f);
    uint64_t before = tn_world_get_hash(world);
    double length = tn_rope_joint_get_length(world, it.rope);
    tn_rope_joint_set_length(world, it.rope, 2.0 * length);
    cr_assert_neq(tn_world_get_hash(world), before);
    tn_rope_joint_set_length(world, it.rope, length);
    cr_assert_eq(tn_world_get_hash(world), before);
    tn_world_destroy(world);
}

// A hundred kilometres out it is what it is at the origin, to what a double tells there.
Test(ropes, are_the_same_far_out, .timeout = 60) {
    double tips[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        double x = i == 0 ? 0.0 : 1e5;
        crane it = crane_make(world, x, 0.05f);
        tn_rope_joint_set_payout(world, it.rope, -0.2f, INFINITY);
        run(world, 3.0, 60.0, 4);
        tips[i] = tn_body_get_pose(world, it.boom).position.y;
        tn_world_destroy(world);
    }
    cr_assert(tips[0] > 0.1 && fabs(tips[0] - tips[1]) < 1e-5, "%g, %g m", tips[0], tips[1]);
}

// ---- memory ------------------------------------------------------------------------------------

typedef struct purse {
    int left;
    size_t held;
} purse;

static void *purse_alloc(size_t size, size_t alignment, void *user_data) {
    purse *own = user_data;
    if (own->left-- <= 0) {
        return NULL;
    }
    own->held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void purse_free(void *memory, size_t size, void *user_data) {
    purse *own = user_data;
    own->held -= size;
    free(memory);
}

Test(ropes, are_whole_or_not_there_when_memory_ends, .timeout = 60) {
    bool has_failed = false;
    for (int left = 0; left < 40; ++left) {
        purse own = {1000000, 0};
        tn_world_def world_def = tn_world_def_default();
        world_def.alloc = purse_alloc;
        world_def.free = purse_free;
        world_def.memory_user_data = &own;
        tn_world *world = tn_world_create(&world_def, NULL);
        tn_body_id bodies[40];
        for (int i = 0; i < 40; ++i) {
            bodies[i] = body_make(world, i, 0, 0, 1, 1);
        }
        own.left = left;
        for (int i = 0; i < 40; i += 4) {
            tn_rope_joint_def def = tn_rope_joint_def_default();
            def.point_count = 4;
            for (uint32_t k = 0; k < 4; ++k) {
                def.points[k] = point_of(bodies[i + (int)k], 0, 0, 0);
            }
            tn_joint_id rope = tn_rope_joint_create(world, &def);
            has_failed = has_failed || rope.value == 0;
            uint32_t joints = rope.value != 0 ? 1 : 0;
            cr_assert_eq(tn_body_get_joints(world, bodies[i], NULL, 0), joints, "%d", left);
        }
        own.left = 1000000;
        run(world, 0.1, 60.0, 4);
        tn_world_destroy(world);
        cr_assert_eq(own.held, 0, "%zu bytes", own.held);
    }
    cr_assert(has_failed);
}
