// Joints in groups of eight: the plan keeps the order of the sweep, and worlds of many joints move
// as worlds of few do.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

#include "joints/kind.h"
#include "solver/joints/joint_group.h"

#define BODIES 60 // the first is the world, the second does not move either
#define JOINTS 300
#define ROOM   1300 // of both

// ---- the plan ---------------------------------------------------------------------------------

typedef struct plan {
    tni_solver solver;
    tni_joint_block blocks[ROOM];
    tni_joint joint; // of them all
    tni_body_mass masses[ROOM];
    tni_inertia inertia; // of them all
    tni_allocator allocator;
    tni_arena arena;
} plan;

static plan *plan_create(void) {
    plan *p = calloc(1, sizeof *p);
    cr_assert_not_null(p);
    for (uint32_t i = 2; i < ROOM; ++i) {
        p->masses[i].is_dynamic = true;
        p->masses[i].inertia = &p->inertia;
    }
    p->joint.kind = &tni_distance_joint_kind;
    p->solver.joints.blocks = p->blocks;
    p->solver.bodies.masses = p->masses;
    p->solver.bodies.count = BODIES;
    tni_allocator_init(&p->allocator, NULL, NULL, NULL);
    tni_arena_init(&p->arena, &p->allocator);
    return p;
}

static void plan_destroy(plan *p) {
    tni_arena_destroy(&p->arena);
    free(p);
}

static void plan_add(plan *p, uint32_t a, uint32_t b, uint8_t turns) {
    uint32_t i = p->solver.joints.swept_count++;
    p->blocks[i] = (tni_joint_block){.body_a = a,
                                     .body_b = b,
                                     .point_rows = TNI_PIN_POINT_ROWS,
                                     .turns = turns,
                                     .row_count = 3,
                                     .equality_count = 3,
                                     .first_row = 3 * i,
                                     .joint = &p->joint};
    p->solver.joints.count = p->solver.joints.swept_count;
}

// When each joint's turn comes: joints of one group at once.
static void plan_get_turns(const plan *p, uint32_t out_turn[ROOM]) {
    uint32_t group = 0, single = 0, now = 0;
    for (uint32_t i = 0; i < p->solver.joints.swept_count; ++i) {
        out_turn[i] = UINT32_MAX;
    }
    for (uint32_t t = 0; t < p->solver.lanes.turn_count; ++t) {
        for (uint32_t g = 0; g < p->solver.lanes.turns[t].group_count; ++g, ++group, ++now) {
            const tni_joint_group_rest *rest = &p->solver.lanes.rests[group];
            for (uint32_t lane = 0; lane < rest->count; ++lane) {
                cr_assert(out_turn[rest->block[lane]] == UINT32_MAX);
                out_turn[rest->block[lane]] = now;
            }
        }
        for (uint32_t s = 0; s < p->solver.lanes.turns[t].single_count; ++s, ++single, ++now) {
            cr_assert(out_turn[p->solver.lanes.singles[single]] == UINT32_MAX);
            out_turn[p->solver.lanes.singles[single]] = now;
        }
    }
    cr_assert(group == p->solver.lanes.group_count && single == p->solver.lanes.single_count);
}

static bool plan_ties(const plan *p, uint32_t i, uint32_t j) {
    const tni_joint_block *x = &p->blocks[i], *y = &p->blocks[j];
    return (x->body_a > 1 && (x->body_a == y->body_a || x->body_a == y->body_b)) ||
           (x->body_b > 1 && (x->body_b == y->body_a || x->body_b == y->body_b));
}

// Every joint once, and those that share a body that moves in their order.
static void plan_check(plan *p) {
    cr_assert(tni_joint_groups_make(&p->solver, &p->arena, &p->arena));
    for (uint32_t i = 0; i < p->solver.joints.swept_count; ++i) {
        const float impulses[TNI_JOINT_MAX_ROWS] = {(float)i};
        if (p->blocks[i].group != NULL) {
            tni_joint_group_start(&p->solver, &p->blocks[i], impulses);
        }
    }
    static uint32_t turn[ROOM];
    plan_get_turns(p, turn);
    for (uint32_t i = 0; i < p->solver.joints.swept_count; ++i) {
        cr_assert(turn[i] != UINT32_MAX);
        for (uint32_t j = 0; j < i; ++j) {
            cr_assert(!plan_ties(p, i, j) || turn[j] < turn[i], "%u before %u", i, j);
        }
    }
    for (uint32_t g = 0; g < p->solver.lanes.group_count; ++g) {
        const tni_joint_group_rest *rest = &p->solver.lanes.rests[g];
        for (uint32_t lane = 0; lane < rest->count; ++lane) {
            const tni_joint_block *block = &p->blocks[rest->block[lane]];
            cr_assert(block->group == &p->solver.lanes.groups[g] && block->lane == lane);
            cr_assert(block->group->impulse.n[0][lane] == (float)rest->block[lane]);
            cr_assert(block->turns == p->blocks[rest->block[0]].turns);
            cr_assert((rest->angles != NULL) == (block->turns > 0 || block->body_a == 0));
            cr_assert(block->body_b != 0);
        }
        for (uint32_t lane = rest->count; lane < WIDE_LANES; ++lane) {
            cr_assert(p->solver.lanes.groups[g].body_a[lane] == 0);
        }
    }
}

Test(joint_group, the_plan_keeps_the_order_of_joints_that_share_a_body) {
    plan *p = plan_create();
    uint32_t seed = 7;
    for (uint32_t i = 0; i < JOINTS; ++i) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t a = (seed >> 8) % BODIES, b = (a + 1 + (seed >> 20) % (BODIES - 1)) % BODIES;
        plan_add(p, a, b, i % 7 == 3 ? 2 : 0);
        p->blocks[i].is_projected = i % 5 == 2;
    }
    plan_check(p);
    cr_assert(p->solver.lanes.group_count > 10 && p->solver.lanes.angles_count > 1);
    cr_assert(p->solver.lanes.angles_count < p->solver.lanes.group_count);
    cr_assert(p->solver.lanes.single_count > JOINTS / 5);
    plan_destroy(p);
}

// Of a group the part, as the items of its sweep have it.
static uint32_t plan_get_part(const plan *p, uint32_t item) {
    uint32_t part = 0;
    while (item >= p->solver.joint_parts.ends[part]) {
        part += 1;
    }
    cr_assert(part < p->solver.joint_parts.count);
    return part;
}

// Groups, single blocks, items and bodies of each part, which follow each other.
static void plan_check_parts(const plan *p) {
    const tni_solver *solver = &p->solver;
    uint32_t group = 0, single = 0, turn = 0, place = solver->joint_parts.parts[0].first_place;
    for (uint32_t k = 0; k < solver->joint_parts.count; ++k) {
        const tni_joint_part *part = &solver->joint_parts.parts[k];
        cr_assert(part->first_group == group && part->first_single == single);
        cr_assert(part->first_turn == turn && part->first_place == place);
        group += part->group_count;
        single += part->single_count;
        turn += part->turn_count;
        place += part->place_count;
        for (uint32_t i = part->first_place; i < place; ++i) {
            cr_assert(solver->joint_parts.part_of[solver->lanes.place_bodies[i]] == k);
        }
        for (uint32_t i = k > 0 ? solver->joint_parts.ends[k - 1] : 0;
             i < solver->joint_parts.ends[k]; ++i) {
            const tni_joint_item *item = &solver->lanes.items[i],
                                 *its = &solver->joint_parts.items[i];
            cr_assert(item->group == TNI_NONE ? its->group == TNI_NONE
                                              : its->group + part->first_group == item->group);
            cr_assert(item->single_count == 0 ||
                      its->first_single + part->first_single == item->first_single);
            cr_assert(its->single_count == item->single_count);
        }
    }
    cr_assert(group == solver->lanes.group_count && single == solver->lanes.single_count);
    cr_assert(turn == solver->lanes.turn_count && place == solver->lanes.place_count);
}

Test(joint_group, many_dolls_are_in_parts_and_none_is_cut_through) {
    plan *p = plan_create();
    uint32_t part_of[ROOM] = {0}, joints_of[4] = {0};
    p->solver.bodies.count = 2 + 6 * 200;
    for (uint32_t doll = 0; doll < 200; ++doll) {
        for (uint32_t k = 1; k < 6; ++k) {
            plan_add(p, 2 + 6 * doll + k / 2, 2 + 6 * doll + k, k == 3 ? 2 : 0);
        }
    }
    plan_check(p);
    cr_assert(p->solver.joint_parts.count == 2, "%u parts", p->solver.joint_parts.count);
    for (uint32_t i = 0; i < p->solver.lanes.item_count; ++i) {
        const tni_joint_item *item = &p->solver.lanes.items[i];
        uint32_t part = plan_get_part(p, i), count = item->single_count;
        const uint32_t *joints = p->solver.lanes.singles + item->first_single;
        if (item->group != TNI_NONE) {
            joints = p->solver.lanes.rests[item->group].block;
            count = p->solver.lanes.rests[item->group].count;
        }
        for (uint32_t k = 0; k < count; ++k) {
            uint32_t doll = (p->blocks[joints[k]].body_a - 2) / 6;
            cr_assert(part_of[doll] == 0 || part_of[doll] == 1 + part);
            part_of[doll] = 1 + part;
            joints_of[part] += 1;
        }
    }
    cr_assert(joints_of[0] == 500 && joints_of[1] == 500);
    plan_check_parts(p);
    plan_destroy(p);
}

Test(joint_group, what_is_tied_together_has_no_parts) {
    plan *p = plan_create();
    p->solver.bodies.count = 602;
    for (uint32_t i = 1; i < 600; ++i) {
        plan_add(p, 2 + i / 4, 2 + i, 2); // a tree
    }
    plan_check(p);
    cr_assert(p->solver.joint_parts.count <= 1);
    plan_destroy(p);
}

static void plan_check_chain(uint8_t turns) {
    plan *p = plan_create();
    for (uint32_t i = 0; i < 5; ++i) {
        for (uint32_t k = 2; k + 1 < BODIES; ++k) {
            plan_add(p, k, k + 1, turns);
        }
    }
    plan_check(p);
    cr_assert(p->solver.lanes.group_count <= 6 * BODIES / 3); // where the five follow each other
    for (uint32_t t = 0; t < p->solver.lanes.turn_count; ++t) {
        cr_assert(p->solver.lanes.turns[t].group_count <= 2 * BODIES);
    }
    plan_destroy(p);
    p = plan_create();
    for (uint32_t k = 2; k + 1 < BODIES; ++k) {
        plan_add(p, k, k + 1, turns);
        plan_add(p, k, k + 1, turns);
    }
    plan_check(p);
    cr_assert(p->solver.lanes.group_count == 0 &&
              p->solver.lanes.single_count == p->solver.joints.swept_count);
    plan_destroy(p);
}

Test(joint_group, a_chain_of_hinges_or_ball_joints_stays_one_by_one) {
    plan_check_chain(0);
    plan_check_chain(2);
}

Test(joint_group, few_joints_have_no_groups) {
    for (uint8_t turns = 0; turns <= 2; turns += 2) {
        plan *p = plan_create();
        uint32_t most = 64;
        for (uint32_t i = 0; i < most; ++i) {
            plan_add(p, 1, 2 + i % 50, turns);
        }
        cr_assert(tni_joint_groups_make(&p->solver, &p->arena, &p->arena));
        cr_assert(p->solver.lanes.group_count == 0 && p->solver.lanes.turn_count == 0);
        plan_add(p, 1, 2 + most % 50, turns);
        cr_assert(tni_joint_groups_make(&p->solver, &p->arena, &p->arena));
        cr_assert(p->solver.lanes.group_count > 0);
        plan_destroy(p);
    }
}

Test(joint_group, joints_of_another_softness_stay_one_by_one) {
    plan *p = plan_create();
    for (uint32_t i = 0; i < 80; ++i) {
        plan_add(p, 1, 2 + i % 40, 0);
        p->blocks[i].softness.rate = i % 2 == 0 ? 0.0f : 4.8f;
    }
    plan_check(p);
    cr_assert(p->solver.lanes.group_count > 0 && p->solver.lanes.single_count >= 40);
    plan_destroy(p);
}

// A net of many joints, whose levels are wide: by color, in loops that share no body.
Test(joint_group, a_large_net_goes_by_color) {
    enum {
        SIDE = 40
    };
    tni_solver solver = {.bodies.count = 1 + SIDE * SIDE};
    tni_inertia inertia = {.is_round = true, .inverse = 2.0};
    tni_body_mass *masses = calloc(solver.bodies.count, sizeof *masses);
    tni_joint_block *blocks = calloc((size_t)2 * SIDE * SIDE, sizeof *blocks);
    uint32_t *last = calloc(solver.bodies.count, sizeof *last);
    tni_joint joint = {.type = TN_JOINT_TYPE_BALL, .kind = &tni_ball_joint_kind};
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        masses[1 + i] = (tni_body_mass){.is_dynamic = true, .inv_mass = 1.0, .inertia = &inertia};
        for (uint32_t way = 0; way < 2; ++way) {
            bool is_inside = way == 0 ? (i + 1) % SIDE != 0 : i + SIDE < SIDE * SIDE;
            tni_joint_block block = {.body_a = 1 + i,
                                     .body_b = 1 + i + (way == 0 ? 1 : SIDE),
                                     .point_rows = TNI_PIN_POINT_ROWS,
                                     .row_count = 3,
                                     .equality_count = 3,
                                     .joint = &joint};
            if (is_inside) {
                blocks[solver.joints.swept_count++] = block;
            }
        }
    }
    tni_allocator allocator;
    tni_arena arena;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_arena_init(&arena, &allocator);
    solver.joints.blocks = blocks;
    solver.bodies.masses = masses;
    solver.joints.count = solver.joints.swept_count;
    cr_assert(tni_joint_groups_make(&solver, &arena, &arena));
    cr_assert(solver.lanes.loop_count >= 4 && solver.lanes.loop_count <= 8, "%u",
              solver.lanes.loop_count);
    uint32_t joints = solver.lanes.single_count, begin = 0;
    for (uint32_t loop = 0; loop < solver.lanes.loop_count;
         begin = solver.lanes.loop_ends[loop++]) {
        for (uint32_t i = begin; i < solver.lanes.loop_ends[loop]; ++i) {
            const tni_joint_item *item = &solver.lanes.items[i];
            for (uint32_t lane = 0; item->group != TNI_NONE && lane < WIDE_LANES; ++lane) {
                const tni_joint_group *group = &solver.lanes.groups[item->group];
                const uint32_t ends[2] = {group->body_a[lane], group->body_b[lane]};
                for (uint32_t e = 0; e < 2 && ends[e] != 0; ++e) {
                    cr_assert(last[ends[e]] != loop + 1, "body %u twice in loop %u", ends[e], loop);
                    last[ends[e]] = loop + 1;
                }
                joints += ends[0] != 0 ? 1 : 0;
            }
        }
    }
    cr_assert(joints == solver.joints.swept_count && solver.lanes.single_count < 8);
    tni_arena_destroy(&arena);
    free(masses);
    free(blocks);
    free(last);
}

// ---- worlds -----------------------------------------------------------------------------------

#define FEW  6
#define MANY 96
// Pendulums of two balls, of as many kinds as FEW; z tells them apart.
typedef struct swings {
    tn_world *world;
    tn_joint_id joints[2 * MANY];
    tn_body_id balls[2 * MANY];
    uint32_t count;
} swings;

static tn_ball_joint_def swing_define(uint32_t kind) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    switch (kind % FEW) {
    case 1:
        def.cone_limit = (tn_limit){.is_enabled = true, .upper = 0.5f};
        break;
    case 2:
        def.friction = 0.4f;
        break;
    case 3:
        def.twist_limit = (tn_limit){.is_enabled = true, .lower = -0.2f, .upper = 0.1f};
        break;
    case 4:
        def.motor.mode = TN_MOTOR_MODE_SPEED;
        def.motor.max_torque = 2.0f;
        def.motor.target_velocity = (tn_vec3){0.5, 0.0, 1.0};
        break;
    case 5:
        def.base.break_force = 25.0f;
        break;
    default:
        break;
    }
    return def;
}

static void swing_add(swings *s, uint32_t i) {
    double x = 10.0 * (i / FEW), z = 3.0 * (i % FEW);
    tn_body_def frame = tn_body_def_default();
    frame.type = TN_BODY_TYPE_STATIC;
    frame.pose.position = (tn_vec3){x, 0.0, z};
    tn_body_id last = tn_body_create(s->world, &frame);
    tn_shape_def shape = tn_shape_def_default();
    for (uint32_t k = 0; k < 2; ++k) {
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){x + 0.4 * (k + 1), 0.1 * k, z};
        def.locks = i % FEW == 0 && k == 1 ? TN_BODY_LOCK_LINEAR_Z : 0;
        tn_body_id ball = tn_body_create(s->world, &def);
        tn_sphere_shape_create(s->world, ball, &shape, 0.08f + 0.02f * (float)k);
        tn_ball_joint_def joint = swing_define(i);
        tn_vec3 at = {x + 0.4 * k, 0.1 * k, z};
        cr_assert(tn_joint_def_set_frames(s->world, &joint.base, last, ball, at,
                                          (tn_vec3){1.0, 0.0, 0.0}));
        s->balls[2 * i + k] = ball;
        s->joints[2 * i + k] = tn_ball_joint_create(s->world, &joint);
        last = ball;
    }
}

static swings *swings_create(uint32_t count, bool ledger) {
    swings *s = calloc(1, sizeof *s);
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_PGS;
    def.joint_iterations = 3;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = ledger;
    s->world = tn_world_create(&def, NULL);
    s->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        swing_add(s, i);
    }
    return s;
}

static void swings_destroy(swings *s) {
    tn_world_destroy(s->world);
    free(s);
}

// The second ball of one, from where its frame stands.
static tn_vec3 swing_get(const swings *s, uint32_t i, uint32_t k) {
    tn_vec3 p = tn_body_get_pose(s->world, s->balls[2 * i + k]).position;
    return (tn_vec3){p.x - 10.0 * (i / FEW), p.y, p.z};
}

static void assert_close(const swings *many, const swings *few, uint32_t i, double tolerance) {
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t there = 2 * i + k, here = 2 * (i % FEW) + k;
        tn_vec3 p = swing_get(many, i, k), q = swing_get(few, i % FEW, k);
        double off = fmax(fabs(p.x - q.x), fmax(fabs(p.y - q.y), fabs(p.z - q.z)));
        cr_assert(off < tolerance, "swing %u, ball %u: %g m", i, k, off);
        bool is_there = tn_joint_is_valid(many->world, many->joints[there]);
        cr_assert(is_there == tn_joint_is_valid(few->world, few->joints[here]));
        if (!is_there) {
            continue;
        }
        tn_reaction r = tn_joint_get_reaction(many->world, many->joints[there]);
        tn_reaction t = tn_joint_get_reaction(few->world, few->joints[here]);
        cr_assert(fabs(r.force.x - t.force.x) < 0.05 && fabs(r.force.y - t.force.y) < 0.05 &&
                  fabs(r.torque.z - t.torque.z) < 0.05);
        double work = tn_joint_get_motor_work(many->world, many->joints[there]);
        cr_assert(fabs(work - tn_joint_get_motor_work(few->world, few->joints[here])) < 1e-3);
    }
}

// Past the first stops, and not so long that these drive round-off up.
static void compare_swings(bool ledger) {
    swings *many = swings_create(MANY, ledger), *few = swings_create(FEW, ledger);
    uint32_t broken = 0;
    for (int step = 0; step < 18; ++step) {
        tn_world_step(many->world, 1.0 / 60.0, 4);
        tn_world_step(few->world, 1.0 / 60.0, 4);
        for (uint32_t i = 0; i < MANY; ++i) {
            assert_close(many, few, i, 1e-6);
        }
    }
    for (uint32_t i = 0; i < 2 * FEW; ++i) {
        broken += tn_joint_is_valid(few->world, few->joints[i]) ? 0 : 1;
    }
    cr_assert(broken > 0 && broken < 3, "%u", broken);
    tn_telemetry t = tn_world_get_telemetry(many->world), u = tn_world_get_telemetry(few->world);
    cr_assert(fabs(t.worst_joint_linear - u.worst_joint_linear) < 1e-5);
    if (ledger) {
        tn_energy e = tn_world_get_energy(many->world), f = tn_world_get_energy(few->world);
        double scale = (double)MANY / FEW;
        cr_assert(fabs(e.joint_work - scale * f.joint_work) < 0.01 * scale);
        cr_assert(fabs(e.motor_work - scale * f.motor_work) < 0.01 * scale);
        cr_assert(fabs(e.friction_work - scale * f.friction_work) < 0.01 * scale);
    }
    swings_destroy(many);
    swings_destroy(few);
}

Test(joint_group, many_swings_move_as_few_do) {
    compare_swings(false);
}

Test(joint_group, many_swings_have_the_ledger_of_few) {
    compare_swings(true);
}

// The frames stand at 1,000 km, where a float tells no more than 6 cm.
Test(joint_group, joints_far_from_the_origin_hold_as_near_it) {
    double gaps[2];
    for (int far = 0; far < 2; ++far) {
        tn_world_def def = tn_world_def_default();
        def.solver = TN_SOLVER_PGS;
        tn_world *world = tn_world_create(&def, NULL);
        gaps[far] = 0.0;
        for (uint32_t i = 0; i < MANY; ++i) {
            tn_body_def body = tn_body_def_default();
            tn_shape_def shape = tn_shape_def_default();
            body.type = TN_BODY_TYPE_STATIC;
            body.pose.position = (tn_vec3){far * 1e6 + 3.0 * i, 0.0, 0.0};
            tn_vec3 at = body.pose.position;
            tn_body_id frame = tn_body_create(world, &body);
            body.type = TN_BODY_TYPE_DYNAMIC;
            body.pose.position.x += 0.5;
            tn_body_id ball = tn_body_create(world, &body);
            tn_sphere_shape_create(world, ball, &shape, 0.1f);
            tn_ball_joint_def joint = tn_ball_joint_def_default();
            tn_joint_def_set_frames(world, &joint.base, frame, ball, at, (tn_vec3){1.0, 0.0, 0.0});
            tn_ball_joint_create(world, &joint);
        }
        for (int step = 0; step < 120; ++step) {
            tn_world_step(world, 1.0 / 60.0, 4);
            gaps[far] = fmax(gaps[far], tn_world_get_telemetry(world).worst_joint_linear);
        }
        tn_world_destroy(world);
    }
    cr_assert(gaps[1] < 1.01 * gaps[0] + 1e-7, "%g and %g m", gaps[0], gaps[1]);
}
