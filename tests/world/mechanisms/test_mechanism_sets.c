// Mechanisms of one shape beside each other: each does what it does by itself.
#include "tests/world/world_test.h"

#include <stdlib.h>

#define SETS_KINDS  4
#define SETS_COPIES 7
#define SETS_ALL    (SETS_KINDS * SETS_COPIES)
#define SETS_LINKS  8
#define SETS_BODIES (SETS_ALL * SETS_LINKS)
#define SETS_MASK   ((1u << SETS_ALL) - 1)

typedef struct sets_world {
    tn_world *world;
    test_reports reports;
    tn_body_id links[SETS_ALL][SETS_LINKS];
    int counts[SETS_ALL];
    tn_joint_id ropes[SETS_ALL]; // of chains
} sets_world;

static tn_body_id add_link(sets_world *w, int index, double x, double y, double z, double mass) {
    tn_body_id link = test_body_create(w->world, TN_BODY_TYPE_DYNAMIC, x, y, z);
    tn_mass given = {.mass = mass};
    given.inertia.xx = 0.01 * mass;
    given.inertia.yy = 0.02 * mass;
    given.inertia.zz = 0.025 * mass;
    tn_body_set_mass(w->world, link, given);
    w->links[index][w->counts[index]++] = link;
    return link;
}

static void add_hinge(sets_world *w, tn_body_id a, tn_body_id b, tn_vec3 at, tn_motor motor,
                      tn_limit limit) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(w->world, &def.base, a, b, at, (tn_vec3){0.0, 0.0, 1.0}));
    def.motor = motor;
    def.limit = limit;
    cr_assert(tn_hinge_joint_create(w->world, &def).value != 0);
}

static void add_ball(sets_world *w, tn_body_id a, tn_body_id b, tn_vec3 at) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(w->world, &def.base, a, b, at, (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_ball_joint_create(w->world, &def).value != 0);
}

// A chain that is thrown, a weld and a distance at its end.
static void add_chain(sets_world *w, int index, double z, double speed) {
    tn_body_id before = {0}, link = {0};
    for (int i = 0; i < 5; ++i) {
        link = add_link(w, index, 0.25 + 0.5 * i, 0.0, z, 1.0 + i);
        add_ball(w, before, link, (tn_vec3){0.5 * i, 0.0, z});
        before = link;
    }
    tn_fixed_joint_def weld = tn_fixed_joint_def_default();
    tn_body_id end = add_link(w, index, 2.75, 0.1, z, 0.5);
    tn_joint_def_set_frames(w->world, &weld.base, link, end, (tn_vec3){2.5, 0.0, z},
                            (tn_vec3){1.0, 0.0, 0.0});
    cr_assert(tn_fixed_joint_create(w->world, &weld).value != 0);
    tn_distance_joint_def rope = tn_distance_joint_def_default();
    tn_body_id ball = add_link(w, index, 2.75, -0.6, z, 3.0);
    tn_joint_def_set_frames(w->world, &rope.base, end, ball, (tn_vec3){2.75, 0.0, z},
                            (tn_vec3){0.0, 1.0, 0.0});
    rope.base.frame_b.position = (tn_vec3){0.0, 0.0, 0.0};
    rope.length = 0.6f;
    w->ropes[index] = tn_distance_joint_create(w->world, &rope);
    cr_assert(w->ropes[index].value != 0);
    tn_body_set_velocity(w->world, ball, (tn_velocity){.linear = {speed, 0.0, 0.5 * speed}});
}

// A crank that a motor turns, with three rods and pistons: a hub in loops.
static void add_engine(sets_world *w, int index, double z, double speed) {
    tn_motor none = {0}, motor = {.mode = TN_MOTOR_MODE_SPEED,
                                  .target_speed = (float)speed,
                                  .max_force = 20.0f};
    tn_limit free = tn_hinge_joint_def_default().limit;
    tn_body_id crank = add_link(w, index, 0.0, 0.0, z, 5.0);
    add_hinge(w, (tn_body_id){0}, crank, (tn_vec3){0.0, 0.0, z}, motor, free);
    for (int i = 0; i < 3; ++i) {
        double x = i % 2 == 0 ? 0.1 : -0.1, way = i % 2 == 0 ? 1.0 : -1.0;
        tn_body_id rod = add_link(w, index, x + 0.2 * way, 0.0, z, 1.0);
        tn_body_id piston = add_link(w, index, x + 0.4 * way, 0.0, z, 0.5);
        add_hinge(w, crank, rod, (tn_vec3){x, 0.0, z}, none, free);
        add_hinge(w, rod, piston, (tn_vec3){x + 0.4 * way, 0.0, z}, none, free);
        tn_slider_joint_def slider = tn_slider_joint_def_default();
        tn_joint_def_set_frames(w->world, &slider.base, (tn_body_id){0}, piston,
                                (tn_vec3){x + 0.4 * way, 0.0, z}, (tn_vec3){1.0, 0.0, 0.0});
        cr_assert(tn_slider_joint_create(w->world, &slider).value != 0);
    }
}

// A flail that tumbles: its hinge meets its limits, and their rows turn with it.
static void add_flail(sets_world *w, int index, double z, double speed) {
    tn_limit limit = {.is_enabled = true, .lower = -0.4f, .upper = 0.3f};
    tn_motor none = {0};
    tn_body_id first = add_link(w, index, 0.25, 0.0, z, 2.0);
    tn_body_id second = add_link(w, index, 0.75, 0.0, z, 1.0);
    add_ball(w, (tn_body_id){0}, first, (tn_vec3){0.0, 0.0, z});
    add_hinge(w, first, second, (tn_vec3){0.5, 0.0, z}, none, limit);
    tn_velocity velocity = {.angular = {speed, 0.5 * speed, 2.0 * speed}};
    tn_body_set_velocity(w->world, second, velocity);
}

// A pendulum with a load that slides along it on a spring.
static void add_spring(sets_world *w, int index, double z, double speed) {
    tn_body_id rod = add_link(w, index, 0.0, -0.5, z, 2.0);
    tn_body_id load = add_link(w, index, 0.0, -1.0, z, 0.7);
    add_ball(w, (tn_body_id){0}, rod, (tn_vec3){0.0, 0.0, z});
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    tn_joint_def_set_frames(w->world, &slider.base, rod, load, (tn_vec3){0.0, -1.0, z},
                            (tn_vec3){0.0, 1.0, 0.0});
    slider.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 1.5f};
    cr_assert(tn_slider_joint_create(w->world, &slider).value != 0);
    tn_velocity velocity = {.linear = {0.5 * speed, 0.0, 0.2}, .angular = {0.0, 1.0, 0.0}};
    tn_body_set_velocity(w->world, load, velocity);
}

// Those of the mask, each where it stands among all.
static sets_world *make_world(uint32_t mask, bool is_baseline_only, uint32_t workers) {
    sets_world *w = calloc(1, sizeof *w);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.is_sleep_allowed = false;
    def.is_baseline_only = is_baseline_only;
    def.worker_count = workers;
    w->world = test_def_world_create(def, &w->reports);
    void (*const makers[SETS_KINDS])(sets_world *, int, double, double) = {add_chain, add_engine,
                                                                           add_flail, add_spring};
    for (int i = 0; i < SETS_ALL; ++i) {
        if ((mask >> i & 1) != 0) {
            makers[i % SETS_KINDS](w, i, 3.0 * i, 1.0 + 1.7 * (i / SETS_KINDS));
        }
    }
    return w;
}

static void destroy_world(sets_world *w) {
    test_world_destroy_quiet(w->world, &w->reports);
    free(w);
}

// Every body of `a` has the bits of that in `b`, which holds it too.
static void check_same(const sets_world *a, const sets_world *b) {
    for (int i = 0; i < SETS_ALL; ++i) {
        for (int k = 0; k < a->counts[i]; ++k) {
            tn_pose of_a = tn_body_get_pose(a->world, a->links[i][k]);
            tn_pose of_b = tn_body_get_pose(b->world, b->links[i][k]);
            tn_velocity v_a = tn_body_get_velocity(a->world, a->links[i][k]);
            tn_velocity v_b = tn_body_get_velocity(b->world, b->links[i][k]);
            cr_assert(memcmp(&of_a, &of_b, sizeof of_a) == 0, "machine %d, link %d", i, k);
            cr_assert(memcmp(&v_a, &v_b, sizeof v_a) == 0, "machine %d, link %d", i, k);
        }
    }
}

// All copies of a kind beside each other, and each of them by itself.
static void check_kind(int kind) {
    sets_world *alone[SETS_COPIES];
    uint32_t mask = 0;
    for (int i = 0; i < SETS_COPIES; ++i) {
        alone[i] = make_world(1u << (SETS_KINDS * i + kind), false, 1);
        mask |= 1u << (SETS_KINDS * i + kind);
    }
    sets_world *all = make_world(mask, false, 1);
    for (int frame = 0; frame < 60; ++frame) {
        test_step(all->world, 1);
        for (int i = 0; i < SETS_COPIES; ++i) {
            test_step(alone[i]->world, 1);
            check_same(alone[i], all);
        }
    }
    for (int i = 0; i < SETS_COPIES; ++i) {
        destroy_world(alone[i]);
    }
    destroy_world(all);
}

Test(mechanism_sets, give_chains_the_bits_they_have_alone) {
    check_kind(0);
}

Test(mechanism_sets, give_engines_the_bits_they_have_alone) {
    check_kind(1);
}

Test(mechanism_sets, give_limits_that_come_and_go_the_bits_they_have_alone) {
    check_kind(2);
}

Test(mechanism_sets, give_springs_the_bits_they_have_alone) {
    check_kind(3);
}

// What Gauss-Seidel closes comes before the others: all of them move, and two are new.
Test(mechanism_sets, keep_what_is_known_of_machines_when_others_change) {
    sets_world *alone[SETS_ALL];
    for (int i = 0; i < SETS_ALL; ++i) {
        alone[i] = make_world(1u << i, false, 1);
    }
    sets_world *all = make_world(SETS_MASK, false, 1);
    for (int frame = 0; frame < 12; ++frame) {
        for (int i = 0; i < SETS_ALL && frame == 5; i += SETS_KINDS) {
            tn_joint_set_solver(all->world, all->ropes[i], TN_SOLVER_PGS);
        }
        test_step(all->world, 1);
        for (int i = 0; i < SETS_ALL; ++i) {
            test_step(alone[i]->world, 1);
            if (i % SETS_KINDS != 0) {
                check_same(alone[i], all);
            }
        }
    }
    for (int i = 0; i < SETS_ALL; ++i) {
        destroy_world(alone[i]);
    }
    destroy_world(all);
}

Test(mechanism_sets, have_the_same_bits_on_every_vector_unit_and_number_of_workers) {
    sets_world *wide = make_world(SETS_MASK, false, 1);
    sets_world *narrow = make_world(SETS_MASK, true, 1);
    sets_world *many = make_world(SETS_MASK, false, 3);
    for (int frame = 0; frame < 120; ++frame) {
        test_step(wide->world, 1);
        test_step(narrow->world, 1);
        test_step(many->world, 1);
        check_same(wide, narrow);
        check_same(wide, many);
    }
    destroy_world(wide);
    destroy_world(narrow);
    destroy_world(many);
}
