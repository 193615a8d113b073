// Tests of solver/pin_lanes.h: pins refreshed together come to what each comes to alone.
#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "core/cpu.h"
#include "solver/joint_bounded.h"
#include "solver/pin.h"
#include "solver/pin_lanes.h"

#include "../joints/joint_motion.h"

#define HINGES 7  // four, and three with
#define PINS   12 // five sliders: four of them, and one
#define BODIES 6  // the first is the world, the last has neither mass nor inertia that gives way
#define FLOATS ((sizeof(tni_pin_block) + sizeof(tni_pin_turns)) / sizeof(float))

typedef struct pin_room {
    _Alignas(16) float numbers[FLOATS]; // a tni_pin_block
} pin_room;

typedef struct pins {
    tni_joint joints[PINS];
    tni_joint_block blocks[PINS];
    pin_room rooms[PINS];
    tni_body_motion motions[BODIES];
    tni_body_state states[BODIES];
    tni_solver solver;
} pins;

static void make_bodies(test_random *random, pins *all) {
    all->motions[0].rotation = dquat_identity();
    for (uint32_t i = 1; i < BODIES; ++i) {
        all->motions[i] = random_motion(random);
        tni_body_state *state = &all->states[i];
        state->w = dvec3_to_float(all->motions[i].angular_velocity);
        if (i < BODIES - 1) {
            float inv_mass = (float)random_between(random, 0.1, 2.0);
            state->inv_mass = maths_vec3(inv_mass, inv_mass, inv_mass);
            // Diagonally dominant, so positive definite.
            state->inv_inertia = (tni_sym3){2.0f, 3.0f, 2.5f, 0.3f, -0.4f, 0.2f};
        }
    }
}

// Frame b where frame a is, but for a little, or far from it.
static void set_frames(test_random *random, pins *all, uint32_t i, double turn) {
    const tni_body_motion *a = &all->motions[all->blocks[i].body_a];
    const tni_body_motion *b = &all->motions[all->blocks[i].body_b];
    tni_dpose frame_a = {random_vector(random, 0.5), random_rotation(random)};
    tni_dpose world = tni_joint_world_frame(&frame_a, a);
    tni_dquat away = dquat_conjugate(b->rotation);
    tni_dvec3 arm = dvec3_sub(dvec3_add(world.position, random_vector(random, 0.01)), b->position);
    tni_dquat turned = dquat_mul(world.rotation, rotation_by(dvec3_make(0.01, turn, -0.02)));
    tni_dpose frame_b = {dquat_rotate(away, arm), dquat_mul(away, turned)};
    tni_joint_set_frames(&all->joints[i], &frame_a, &frame_b);
}

// Between two bodies, on the world, on a body that does not give way; one is wide open, and one has
// nothing to move.
static void make_pins(test_random *random, pins *all) {
    const uint32_t ends[PINS][2] = {{1, 2}, {0, 1}, {2, 3}, {3, 0}, {3, 4}, {5, 5},
                                    {4, 5}, {1, 3}, {0, 2}, {2, 4}, {4, 0}, {1, 4}};
    make_bodies(random, all);
    for (uint32_t i = 0; i < PINS; ++i) {
        tni_joint *joint = &all->joints[i];
        bool slides = i >= HINGES;
        joint->type = slides ? TN_JOINT_TYPE_SLIDER : TN_JOINT_TYPE_HINGE;
        if (slides) {
            joint->def.slider = tn_slider_joint_def_default();
        } else {
            joint->def.hinge = tn_hinge_joint_def_default();
        }
        tni_joint_ends which = ends[i][0] == 0   ? TNI_ENDS_ONLY_B
                               : ends[i][1] == 0 ? TNI_ENDS_ONLY_A
                                                 : TNI_ENDS_BOTH;
        all->blocks[i] =
            (tni_joint_block){.joint = joint,
                              .body_a = ends[i][0],
                              .body_b = ends[i][1],
                              .point_rows = slides ? TNI_PIN_SLIDE_ROWS : TNI_PIN_POINT_ROWS,
                              .turns = slides ? 3 : 2,
                              .row_count = 5,
                              .equality_count = 5,
                              .ends = (uint8_t)which,
                              .is_for_lanes = true,
                              .softness = {10.0f + (float)i, 0.9f, 0.1f},
                              .slop = 0.001f,
                              .max_speed = 0.5f};
        set_frames(random, all, i, i == 4 || i == 9 ? 2.2 : 0.03);
        const float impulses[TNI_JOINT_MAX_ROWS] = {1.0f, -2.0f, 0.5f, 3.0f, 0.25f};
        tni_joint_block_start(&all->blocks[i], &all->rooms[i], impulses);
    }
}

static tni_solver make_solver(pins *all, uint32_t first, uint32_t count, bool uses_avx2) {
    static tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_solver solver = {.h = 1.0f / 240.0f,
                         .dh = 1.0 / 240.0,
                         .joints = &all->blocks[first],
                         .joint_count = count,
                         .swept_count = count,
                         .rows = rows,
                         .motions = all->motions,
                         .states = all->states,
                         .uses_avx2 = uses_avx2};
    return solver;
}

static void refresh(pins *all, uint32_t first, uint32_t count, bool uses_avx2) {
    tni_solver solver = make_solver(all, first, count, uses_avx2);
    tni_joint_blocks_refresh(&solver);
}

static void rebias(pins *all, uint32_t first, uint32_t count, bool uses_avx2) {
    tni_solver solver = make_solver(all, first, count, uses_avx2);
    tni_joint_blocks_rebias(&solver);
}

static void turn_bodies(pins *all) {
    for (uint32_t i = 1; i < BODIES; ++i) {
        tni_dquat turn = rotation_by(dvec3_make(0.02 * i, -0.03, 0.05));
        all->motions[i].rotation = dquat_mul(turn, all->motions[i].rotation);
    }
}

// One so fast that neither drift nor angular bias is counted on, one so that they are in part.
static void speed_up(pins *all) {
    for (uint32_t i = 1; i < BODIES; ++i) {
        double speed = i == 2 ? 700.0 : i == 3 ? 260.0 : 3.0;
        all->motions[i].velocity.y += 0.5 * i;
        all->motions[i].angular_velocity.z += speed;
        all->states[i].w = dvec3_to_float(all->motions[i].angular_velocity);
    }
}

static bool is_third(size_t number, size_t offset) {
    size_t first = (offsetof(tni_pin_block, turns) + offset + 2 * sizeof(tni_f4)) / sizeof(float);
    return number >= first && number < first + 4;
}

// What sweeps read: vectors of three; of a hinge no third turn and no plane.
static bool is_read(const tni_joint_block *block, size_t i) {
    size_t bias = (offsetof(tni_pin_block, turns) + offsetof(tni_pin_turns, bias)) / sizeof(float);
    bool is_of_three = is_third(i, offsetof(tni_pin_turns, inverse)) ||
                       is_third(i, offsetof(tni_pin_turns, to_point)) ||
                       is_third(i, offsetof(tni_pin_turns, spin_a)) ||
                       is_third(i, offsetof(tni_pin_turns, spin_b)) ||
                       (i >= bias - 8 && i < bias) || i == bias + 2;
    return i % 4 != 3 && (block->turns > 2 || !is_of_three);
}

static void assert_same(const pins *together, const pins *alone, uint32_t pin) {
    for (size_t i = 0; i < FLOATS; ++i) {
        cr_assert(!is_read(&together->blocks[pin], i) ||
                      together->rooms[pin].numbers[i] == alone->rooms[pin].numbers[i],
                  "pin %u, number %zu: %g, %g", pin, i, (double)together->rooms[pin].numbers[i],
                  (double)alone->rooms[pin].numbers[i]);
    }
}

// The second time with impulses that turn with the plane of the first.
static void check(bool uses_avx2) {
    static pins together, alone;
    test_random random = {11};
    for (int round = 0; round < 50; ++round) {
        memset(&together, 0, sizeof together);
        memset(&alone, 0, sizeof alone);
        test_random same = random;
        make_pins(&random, &together);
        make_pins(&same, &alone);
        for (int time = 0; time < 2; ++time) {
            refresh(&together, 0, PINS, uses_avx2);
            for (uint32_t i = 0; i < PINS; ++i) {
                alone.blocks[i].is_for_lanes = false;
                refresh(&alone, i, 1, uses_avx2);
                assert_same(&together, &alone, i);
            }
            turn_bodies(&together);
            turn_bodies(&alone);
        }
        cr_assert(f4_first(together.blocks[0].pin->inverse[0]) > 0.0f);
    }
}

Test(pin_lanes, pins_at_once_come_to_what_each_comes_to) {
    check(false);
    if (tni_cpu_has_avx2()) {
        check(true);
    }
}

static void check_biases(bool uses_avx2) {
    static pins together, alone;
    test_random random = {5}, same = {5};
    make_pins(&random, &together);
    make_pins(&same, &alone);
    refresh(&together, 0, PINS, uses_avx2);
    refresh(&alone, 0, PINS, uses_avx2);
    tni_f4 before = together.blocks[0].pin->bias;
    speed_up(&together);
    speed_up(&alone);
    rebias(&together, 0, PINS, uses_avx2);
    for (uint32_t i = 0; i < PINS; ++i) {
        alone.blocks[i].is_for_lanes = false;
        rebias(&alone, i, 1, uses_avx2);
        assert_same(&together, &alone, i);
        cr_assert(together.blocks[i].prediction == alone.blocks[i].prediction);
    }
    cr_assert(f4_first(before) != f4_first(together.blocks[0].pin->bias));
    refresh(&together, 0, PINS, uses_avx2);
    for (uint32_t i = 0; i < PINS; ++i) {
        refresh(&alone, i, 1, uses_avx2);
        assert_same(&together, &alone, i);
    }
}

Test(pin_lanes, biases_at_once_follow_the_velocities_as_alone) {
    check_biases(false);
    if (tni_cpu_has_avx2()) {
        check_biases(true);
    }
}

static bool are_equal(const tni_row *p, const tni_row *q) {
    bool are_equal = p->error == q->error && p->target_speed == q->target_speed &&
                     p->max_force == q->max_force && p->kind == q->kind && p->role == q->role;
    for (int i = 0; i < 12; ++i) {
        are_equal = are_equal && p->jacobian[i] == q->jacobian[i];
    }
    return are_equal;
}

// Rows that look at no angle are made once, and then turned with the axes that lanes find.
static void check_turned_rows(bool uses_avx2) {
    enum {
        ROWS = 7
    }; // five, friction and a motor
    static pins all;
    static tni_row rows[ROWS * PINS_LANES];
    static tni_row_state states[ROWS * PINS_LANES];
    static tni_bounded_row bounded[2 * PINS_LANES];
    test_random random = {19};
    make_pins(&random, &all);
    for (uint32_t i = 0; i < PINS_LANES; ++i) {
        tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 3.0f, .max_force = 5.0f};
        all.joints[i].def.hinge.motor = motor;
        all.joints[i].def.hinge.friction = 0.5f;
        all.blocks[i].row_count = ROWS;
        all.blocks[i].first_row = ROWS * i;
        all.blocks[i].first_bounded = 2 * i;
    }
    tni_solver solver = make_solver(&all, 0, PINS_LANES, uses_avx2);
    solver.rows = rows;
    solver.row_states = states;
    solver.bounded_rows = bounded;
    for (int time = 0; time < 3; ++time) {
        tni_joint_blocks_refresh(&solver);
        for (uint32_t i = 0; i < PINS_LANES; ++i) {
            const tni_joint_block *block = &all.blocks[i];
            tni_row wanted[TNI_JOINT_MAX_ROWS];
            tni_joint_emit_bounded(block->joint, &all.motions[block->body_a],
                                   &all.motions[block->body_b], wanted);
            cr_assert(are_equal(&rows[ROWS * i + 5], &wanted[5]), "hinge %u, time %d", i, time);
            cr_assert(are_equal(&rows[ROWS * i + 6], &wanted[6]), "hinge %u, time %d", i, time);
            cr_assert(block->only_turns_rows);
        }
        turn_bodies(&all);
    }
}

Test(pin_lanes, motors_turn_with_the_axes_of_their_hinges) {
    check_turned_rows(false);
    if (tni_cpu_has_avx2()) {
        check_turned_rows(true);
    }
}

// The ones that are not done in lanes: wide open, and without anything that gives way.
Test(pin_lanes, what_is_out_of_the_ordinary_is_left) {
    static pins all;
    test_random random = {3};
    make_pins(&random, &all);
    tni_joint_block *blocks[PINS_LANES] = {&all.blocks[0], &all.blocks[4], &all.blocks[5],
                                           &all.blocks[9]};
    tni_solver solver = {.motions = all.motions, .states = all.states};
    cr_assert(tni_pins_refresh_baseline(&solver, blocks, 3) == 6);
    cr_assert(tni_pins_refresh_baseline(&solver, blocks, 4) == 14);
    cr_assert(tni_pins_refresh_baseline(&solver, blocks, 1) == 0);
}
