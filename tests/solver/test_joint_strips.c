// Nets cut into strips: where, what is left uncut, and that the motion is the same on workers.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <tenon/tenon.h>

#include "scenes/scene.h"
#include "solver/joint_group.h"
#include "solver/joint_strips.h"
#include "tests/support/places.h"

// ---- cuts -------------------------------------------------------------------------------------

#define MOST_BODIES 2000

typedef struct cut_net {
    tni_allocator allocator;
    tni_arena arena;
    tni_solver solver;
    tni_body_mass masses[MOST_BODIES + 1];
    tni_joint_block joints[3 * MOST_BODIES];
    uint32_t strip_of[MOST_BODIES + 1];
} cut_net;

static cut_net *cut_net_create(uint32_t bodies) {
    cut_net *net = calloc(1, sizeof *net);
    tni_allocator_init(&net->allocator, NULL, NULL, NULL);
    tni_arena_init(&net->arena, &net->allocator);
    net->solver.masses = net->masses;
    net->solver.joints = net->joints;
    net->solver.body_count = bodies + 1;
    for (uint32_t i = 1; i <= bodies; ++i) {
        net->masses[i].is_dynamic = true;
    }
    return net;
}

static void cut_net_destroy(cut_net *net) {
    tni_arena_destroy(&net->arena);
    free(net);
}

static void cut_net_tie(cut_net *net, uint32_t a, uint32_t b) {
    net->joints[net->solver.swept_count++] = (tni_joint_block){.body_a = a, .body_b = b};
}

static cut_net *cut_net_of_rows(uint32_t rows, uint32_t width) {
    cut_net *net = cut_net_create(rows * width);
    for (uint32_t i = 1; i <= rows * width; ++i) {
        if ((i - 1) % width > 0) {
            cut_net_tie(net, i - 1, i);
        }
        if (i > width) {
            cut_net_tie(net, i - width, i);
        }
    }
    return net;
}

static void cut_net_cut(cut_net *net) {
    cr_assert(tni_joint_strips_cut(&net->solver, &net->arena, &net->arena, net->strip_of));
}

Test(joint_strips, a_net_is_cut_between_its_rows_into_like_parts) {
    cut_net *net = cut_net_of_rows(40, 40);
    cut_net_cut(net);
    cr_assert(net->solver.strip_count == 4, "%u", net->solver.strip_count);
    uint32_t begin = 1;
    for (uint32_t s = 0; s < net->solver.strip_count; ++s) {
        const tni_joint_strip *strip = &net->solver.strips[s];
        cr_assert(strip->first_body == begin && (begin - 1) % 40 == 0);
        cr_assert(strip->end_body - begin == 400);
        begin = strip->end_body;
    }
    cr_assert(begin == net->solver.body_count);
    cut_net_destroy(net);
}

Test(joint_strips, no_body_has_two_joints_of_seams) {
    cut_net *net = cut_net_of_rows(30, 52);
    uint32_t seams[MOST_BODIES + 1] = {0};
    cut_net_cut(net);
    cr_assert(net->solver.strip_count > 1);
    for (uint32_t i = 0; i < net->solver.swept_count; ++i) {
        const tni_joint_block *block = &net->joints[i];
        if (joint_is_seam(&net->solver, block, net->strip_of)) {
            cr_assert(net->strip_of[block->body_a] + 1 == net->strip_of[block->body_b]);
            cr_assert(++seams[block->body_a] == 1 && ++seams[block->body_b] == 1);
        }
    }
    cut_net_destroy(net);
}

// Rows of 801 are longer than a strip, and end where no batch of four does.
Test(joint_strips, what_has_no_place_to_cut_stays_whole) {
    cut_net *net = cut_net_of_rows(2, 801);
    cut_net_cut(net);
    cr_assert(net->solver.strip_count == 0);
    cut_net_destroy(net);
}

Test(joint_strips, a_body_that_is_tied_twice_across_the_net_leaves_it_whole) {
    cut_net *net = cut_net_of_rows(40, 40);
    cut_net_tie(net, 3, 1590);
    cut_net_tie(net, 3, 1595);
    cut_net_cut(net);
    cr_assert(net->solver.strip_count == 0);
    cut_net_destroy(net);
}

// ---- worlds -----------------------------------------------------------------------------------

// Wide enough for strips whose seams are not all alike, and under a tension that stiffens some.
#define SIDE  36
#define STEPS 40

typedef struct net {
    tn_world *world;
    tn_body_id balls[SIDE * SIDE];
} net;

static net *net_create(uint32_t workers, uint32_t iterations, double weight) {
    net *n = calloc(1, sizeof *n);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.enable_sleep = false;
    def.worker_count = workers;
    def.joint_iterations = iterations;
    n->world = tn_world_create(&def, NULL);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int row = i / SIDE, column = i % SIDE;
        tn_body_def body = tn_body_def_default();
        bool is_fixed = row == 0 && (column == 0 || column == SIDE - 1);
        body.type = is_fixed ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
        body.pose.position = (tn_position){0.5 * column, -0.4 * row, 0.3 * row};
        n->balls[i] = tn_body_create(n->world, &body);
        tn_shape_def shape = tn_shape_def_default();
        shape.filter.mask = 0;
        shape.density = row == SIDE - 1 ? (float)(1000.0 * weight) : 1000.0f;
        tn_sphere_shape_create(n->world, n->balls[i], &shape, 0.2f);
        const int others[2] = {column > 0 ? i - 1 : -1, row > 0 ? i - SIDE : -1};
        for (int k = 0; k < 2; ++k) {
            if (others[k] < 0) {
                continue;
            }
            tn_position p = tn_body_get_center(n->world, n->balls[others[k]]);
            tn_position q = body.pose.position;
            tn_position middle = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
            tn_ball_joint_def joint = tn_ball_joint_def_default();
            cr_assert(tn_joint_def_set_frames(n->world, &joint.base, n->balls[others[k]],
                                              n->balls[i], middle, (tn_dvec3){1.0, 0.0, 0.0}));
            tn_ball_joint_create(n->world, &joint);
        }
    }
    return n;
}

static void net_destroy(net *n) {
    tn_world_destroy(n->world);
    free(n);
}

static void check_workers(uint32_t iterations, double weight) {
    const uint32_t workers[3] = {1, 2, 8};
    uint64_t hashes[3];
    for (int i = 0; i < 3; ++i) {
        net *n = net_create(workers[i], iterations, weight);
        for (int step = 0; step < STEPS; ++step) {
            cr_assert(tn_world_step(n->world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        }
        hashes[i] = tn_world_get_hash(n->world);
        net_destroy(n);
    }
    cr_assert(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

Test(joint_strips, a_net_moves_the_same_on_any_number_of_workers) {
    check_workers(0, 1.0);
}

Test(joint_strips, so_does_one_whose_links_are_stiffened) {
    check_workers(0, 30.0);
}

Test(joint_strips, so_does_one_that_is_swept_once_or_often) {
    check_workers(1, 1.0);
    check_workers(7, 1.0);
}

// More loops than a plan has room for.
Test(joint_strips, so_does_one_that_is_swept_more_often_than_strips_are_for) {
    check_workers(60, 1.0);
}

// What is told of the joint that is farthest off does not depend on who looked at it.
Test(joint_strips, the_worst_joint_is_told) {
    net *one = net_create(1, 0, 30.0), *two = net_create(2, 0, 30.0);
    for (int step = 0; step < 5; ++step) {
        tn_world_step(one->world, 1.0 / 60.0, 4);
        tn_world_step(two->world, 1.0 / 60.0, 4);
        tn_telemetry p = tn_world_get_telemetry(one->world), q = tn_world_get_telemetry(two->world);
        cr_assert(p.worst_joint_linear > 0.0 && p.worst_joint_linear == q.worst_joint_linear);
        cr_assert(p.worst_linear_joint.value == q.worst_linear_joint.value);
        // Of the same pose, in double; lanes have floats.
        double off = tn_joint_get_error(one->world, p.worst_linear_joint).linear_length;
        cr_assert(fabs(off - p.worst_joint_linear) <= 1e-5, "%g %g", off, p.worst_joint_linear);
    }
    net_destroy(one);
    net_destroy(two);
}

// ---- from step to step ------------------------------------------------------------------------

static double net_compare(const net *m, const net *n) {
    return test_compare_places(m->world, m->balls, n->world, n->balls, SIDE * SIDE);
}

// A body that comes and goes: nothing is kept from the last step.
static void net_forget(net *n) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_position){-100.0, 0.0, 0.0};
    tn_body_destroy(n->world, tn_body_create(n->world, &def));
}

// The rows of a step's end are those of the next one's start.
static void check_kept_rows(double weight, bool moves_a_ball) {
    net *kept = net_create(1, 0, weight), *made = net_create(1, 0, weight);
    for (int step = 0; step < 12; ++step) {
        net_forget(made);
        net *both[2] = {kept, made};
        for (int i = 0; i < 2 && moves_a_ball && step % 4 == 3; ++i) {
            tn_body_id ball = both[i]->balls[step % 8 == 3 ? 7 * SIDE + 5 : SIDE - 1];
            tn_pose pose = tn_body_get_pose(both[i]->world, ball);
            pose.position.z += 0.01;
            tn_body_set_pose(both[i]->world, ball, pose);
        }
        tn_world_step(kept->world, 1.0 / 60.0, 4);
        tn_world_step(made->world, 1.0 / 60.0, 4);
        double off = net_compare(kept, made);
        cr_assert(off == 0.0, "%g m after %d steps", off, step + 1);
    }
    net_destroy(kept);
    net_destroy(made);
}

Test(joint_strips, rows_that_are_kept_are_those_that_would_be_made) {
    check_kept_rows(1.0, false);
    check_kept_rows(30.0, false);
}

Test(joint_strips, a_ball_that_was_put_elsewhere_has_new_rows) {
    check_kept_rows(1.0, true);
}

// ---- boxes ------------------------------------------------------------------------------------

// Balls of a net that pass through each other have larger boxes; what they may touch is found.
Test(joint_strips, a_ball_that_is_thrown_at_a_net_is_caught) {
    const scene *source = scene_find("joint_grid");
    const double values[SCENE_MAX_OPTIONS] = {SIDE, 1.0, 0.0};
    tn_world_def world_def = tn_world_def_default();
    world_def.solver = TN_SOLVER_PGS;
    scene_run *run = scene_run_create(source, values, &world_def);
    tn_body_def def = tn_body_def_default();
    tn_shape_def shape = tn_shape_def_default();
    for (int step = 0; step < 20; ++step) {
        tn_world_step(run->world, 1.0 / 60.0, 4);
    }
    def.pose.position = (tn_position){0.0, -0.25 * SIDE, 3.0};
    def.velocity.linear = (tn_dvec3){0.0, 5.0, -10.0};
    tn_body_id ball = tn_body_create(run->world, &def);
    tn_sphere_shape_create(run->world, ball, &shape, 0.5f);
    uint32_t most = 0;
    for (int step = 0; step < 60; ++step) {
        tn_world_step(run->world, 1.0 / 60.0, 4);
        uint32_t contacts = tn_world_get_telemetry(run->world).contacts;
        most = contacts > most ? contacts : most;
    }
    double off = tn_body_get_pose(run->world, ball).position.z;
    cr_assert(most > 0 && off > -5.0, "%u contacts, %g m", most, off);
    scene_run_destroy(run);
}
