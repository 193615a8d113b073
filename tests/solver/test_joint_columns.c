// Nets whose bodies stand in columns: groups of bodies that follow each other, the same motion as
// without columns.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

#include "solver/body_columns.h"
#include "solver/joint_group.h"
#include "solver/joint_strips.h"
#include "tests/support/places.h"

#define JOINTS 43

// ---- order ------------------------------------------------------------------------------------

static tni_group_reach find_reach(const tni_joint_block *joints, const uint32_t *order) {
    tni_joint_group group = {.body_a = {0}};
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        group.body_a[lane] = joints[order[lane]].body_a;
        group.body_b[lane] = joints[order[lane]].body_b;
        group.round.mass_a[lane] = group.round.mass_b[lane] = 1.0f;
    }
    return tni_joint_columns_find_reach(&group, WIDE_LANES);
}

// Twenty pairs side by side, twelve from row to row, eleven that lead anywhere, shuffled together.
Test(joint_columns, what_follows_each_other_fills_groups_and_nothing_is_lost) {
    tni_joint_block joints[JOINTS] = {{.body_a = 0}};
    uint32_t order[JOINTS], scratch[JOINTS], seen[JOINTS] = {0};
    for (uint32_t i = 0, pairs = 0, rows = 0; i < JOINTS; ++i) {
        bool is_pair = i % 2 == 0 && pairs < 20, is_row = !is_pair && i % 4 != 3 && rows < 12;
        uint32_t a = is_pair ? 10 + 2 * pairs++ : is_row ? 100 + rows++ : 200 + i * i;
        joints[i].body_a = a;
        joints[i].body_b = a + (is_pair ? 1 : is_row ? 30 : 50 + 7 * i);
        order[i] = i;
    }
    tni_joint_columns_sort(joints, order, JOINTS, scratch);
    for (uint32_t i = 0; i < JOINTS; ++i) {
        seen[order[i]] += 1;
    }
    for (uint32_t i = 0; i < JOINTS; ++i) {
        cr_assert(seen[i] == 1, "joint %u stands %u times", i, seen[i]);
    }
    cr_assert(find_reach(joints, order) == TNI_REACH_PAIRS);
    cr_assert(find_reach(joints, order + WIDE_LANES) == TNI_REACH_PAIRS);
    cr_assert(find_reach(joints, order + 2 * WIDE_LANES) == TNI_REACH_RUNS);
    cr_assert(find_reach(joints, order + 3 * WIDE_LANES) == TNI_REACH_ANY);
}

Test(joint_columns, a_group_with_an_empty_lane_reaches_anywhere) {
    tni_joint_group group = {.body_a = {0}};
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        group.body_a[lane] = 5 + lane;
        group.body_b[lane] = 25 + lane;
    }
    cr_assert(tni_joint_columns_find_reach(&group, WIDE_LANES) == TNI_REACH_RUNS);
    cr_assert(tni_joint_columns_find_reach(&group, WIDE_LANES - 1) == TNI_REACH_ANY);
    group.body_b[3] += 1;
    cr_assert(tni_joint_columns_find_reach(&group, WIDE_LANES) == TNI_REACH_ANY);
}

// What does not move is not to be written.
Test(joint_columns, a_run_is_of_bodies_that_all_move_or_all_do_not) {
    tni_joint_group group = {.body_a = {0}};
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        group.body_a[lane] = 5 + lane;
        group.body_b[lane] = 25 + lane;
        group.round.mass_b[lane] = 1.0f;
    }
    cr_assert(tni_joint_columns_find_reach(&group, WIDE_LANES) == TNI_REACH_RUNS);
    group.round.mass_a[3] = 1.0f;
    cr_assert(tni_joint_columns_find_reach(&group, WIDE_LANES) == TNI_REACH_ANY);
}

Test(joint_columns, columns_do_not_share_sets_of_the_cache) {
    for (uint32_t count = 1; count < 5000; count += 37) {
        size_t lines = columns_get_stride(count) * sizeof(float) / TNI_CACHE_LINE;
        cr_assert(columns_get_stride(count) >= count && lines % 2 == 1);
    }
}

// Eight joints from 1 to 9, from 2 to 10 and so on, in strips of 16 and 10 bodies before three that
// do not move. What each worker writes is lines of the cache away from what another reads.
Test(joint_columns, the_world_strips_and_what_does_not_move_stand_apart) {
    const uint32_t apart = COLUMN_STRIP_GAP * COLUMN_LINE;
    tni_allocator allocator;
    tni_arena arena;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_arena_init(&arena, &allocator);
    tni_joint_strip strips[] = {{.first_body = 1, .end_body = 17},
                                {.first_body = 17, .end_body = 30}};
    static tni_body_mass masses[30];
    static tni_joint_group groups[2];
    static tni_joint_group_rest rests[2];
    for (uint32_t i = 0; i < 30; ++i) {
        masses[i].is_dynamic = i > 0 && i < 27;
    }
    for (uint32_t g = 0; g < 2; ++g) {
        groups[g].reach = TNI_REACH_RUNS;
        rests[g].is_round = true;
        for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
            groups[g].body_a[lane] = 1 + 12 * g + lane; // the second from one strip to the next
            groups[g].body_b[lane] = groups[g].body_a[lane] + 8;
        }
    }
    tni_tasks tasks = {.workers = tni_workers_create(&allocator, 2)};
    tni_solver solver = {.tasks = &tasks,
                         .body_count = 30,
                         .masses = masses,
                         .strips = strips,
                         .strip_count = 2,
                         .groups = groups,
                         .group_rests = rests,
                         .group_count = 2};
    cr_assert(tni_joint_columns_make(&solver, &arena));
    const uint32_t *of = solver.column_of;
    cr_assert(of[1] > of[0] + apart && of[17] > of[16] + apart && of[27] > of[26] + apart);
    cr_assert(of[1] % COLUMN_LINE == 0 && of[17] % COLUMN_LINE == 0 && of[27] % COLUMN_LINE == 0);
    cr_assert(of[16] == of[1] + 15 && of[26] == of[17] + 9 && of[29] < solver.column_stride);
    cr_assert(groups[0].reach == TNI_REACH_RUNS && groups[1].reach == TNI_REACH_ANY);
    cr_assert(groups[0].column_a == of[1] && groups[0].column_b == of[9]);
    tni_workers_destroy(&allocator, tasks.workers);
    tni_arena_destroy(&arena);
}

// ---- worlds -----------------------------------------------------------------------------------

#define SIDE 40
// Of a net that swings freely: what a float rounds off grows to as much as this and not yet to
// something else. In columns a kick is rounded to float; turning gravity up by 1e-7 does the same.
#define STEPS 20
#define NEAR  5e-6 // m

typedef struct net {
    tn_world *world;
    tn_body_id balls[SIDE * SIDE];
} net;

static tn_body_id net_add(net *n, int row, int column) {
    tn_body_def def = tn_body_def_default();
    bool is_fixed = row == 0 && (column == 0 || column == SIDE - 1);
    def.type = is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    // Half of it turned up, so that it swings.
    def.pose.position = (tn_position){0.5 * column, 20.0 - 0.3 * row, 0.4 * row};
    tn_body_id body = tn_body_create(n->world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.filter.mask = 0;
    tn_sphere_shape_create(n->world, body, &shape, 0.2f);
    return body;
}

static void net_tie(net *n, int a, int b) {
    tn_position p = tn_body_get_center(n->world, n->balls[a]);
    tn_position q = tn_body_get_center(n->world, n->balls[b]);
    tn_position middle = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    tn_ball_joint_def joint = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(n->world, &joint.base, n->balls[a], n->balls[b], middle,
                                      (tn_dvec3){1.0, 0.0, 0.0}));
    tn_ball_joint_create(n->world, &joint);
}

static net *net_create(uint32_t workers) {
    net *n = calloc(1, sizeof *n);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    def.worker_count = workers;
    n->world = tn_world_create(&def, NULL);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        n->balls[i] = net_add(n, i / SIDE, i % SIDE);
        if (i % SIDE > 0) {
            net_tie(n, i - 1, i);
        }
        if (i >= SIDE) {
            net_tie(n, i - SIDE, i);
        }
    }
    return n;
}

static void net_destroy(net *n) {
    tn_world_destroy(n->world);
    free(n);
}

// Where something touches, bodies stand in records.
static void net_add_contact(net *n) {
    for (int i = 0; i < 2; ++i) {
        tn_body_def def = tn_body_def_default();
        tn_shape_def shape = tn_shape_def_default();
        def.type = i == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
        def.pose.position = (tn_position){-100.0, i, 0.0};
        tn_body_id body = tn_body_create(n->world, &def);
        tn_box_shape_create(n->world, body, &shape, (tn_vec3){0.5f, 0.5f, 0.5f});
    }
}

static double net_compare(const net *m, const net *n) {
    return test_compare_places(m->world, m->balls, n->world, n->balls, SIDE * SIDE);
}

Test(joint_columns, a_net_moves_as_it_does_without_columns) {
    net *plain = net_create(1), *beside = net_create(1);
    net_add_contact(beside);
    double fall = tn_body_get_pose(plain->world, plain->balls[SIDE * SIDE - 1]).position.y;
    for (int step = 0; step < STEPS; ++step) {
        tn_world_step(plain->world, 1.0 / 60.0, 4);
        tn_world_step(beside->world, 1.0 / 60.0, 4);
    }
    fall -= tn_body_get_pose(plain->world, plain->balls[SIDE * SIDE - 1]).position.y;
    cr_assert(tn_world_get_telemetry(beside->world).contacts > 0 && fall > 0.1);
    double off = net_compare(plain, beside);
    cr_assert(off < NEAR, "%g m", off);
    net_destroy(plain);
    net_destroy(beside);
}

Test(joint_columns, a_net_moves_the_same_with_workers) {
    net *one = net_create(1), *three = net_create(3);
    for (int step = 0; step < 4 * STEPS; ++step) {
        tn_world_step(one->world, 1.0 / 60.0, 4);
        tn_world_step(three->world, 1.0 / 60.0, 4);
    }
    cr_assert(net_compare(one, three) == 0.0);
    net_destroy(one);
    net_destroy(three);
}

// In the middle of its way something begins to touch, and then no longer does.
Test(joint_columns, a_net_may_leave_columns_and_come_back) {
    net *plain = net_create(1), *changing = net_create(1);
    tn_body_id box = {0};
    for (int step = 0; step < STEPS; ++step) {
        if (step == 6) {
            net_add_contact(changing);
            tn_body_id bodies[SIDE * SIDE + 2];
            uint32_t count = tn_world_get_bodies(changing->world, bodies, SIDE * SIDE + 2);
            box = bodies[count - 1];
        } else if (step == 13) {
            tn_body_destroy(changing->world, box);
        }
        tn_world_step(plain->world, 1.0 / 60.0, 4);
        tn_world_step(changing->world, 1.0 / 60.0, 4);
    }
    double off = net_compare(plain, changing);
    cr_assert(off < NEAR, "%g m", off);
    net_destroy(plain);
    net_destroy(changing);
}
