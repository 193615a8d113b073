// Tests of solver/bodies/integrate_wide.c: four bodies at once move as each would by itself, bit
// for bit.
#include <criterion/criterion.h>
#include <string.h>

#include "core/cpu.h"
#include "solver/bodies/integrate.h"
#include "solver/joints/joint_group.h"

#include "tests/joints/joint_motion.h"

#define BODIES  41 // with the world: ten batches
#define BATCHES 10

typedef struct pass_bodies {
    tni_body_state states[BODIES];
    tni_body_delta deltas[BODIES];
    tni_body_motion motions[BODIES];
    tni_body_mass masses[BODIES];
    tni_body_pull pulls[BODIES];
    tni_body_place places[BODIES];
    tni_inertia inertias[BODIES];
    tni_contact_push pushes[BODIES];
    uint8_t kinds[BODIES], batches[BATCHES];
    tni_batch_bodies batch_bodies[BATCHES];
    bool is_contact_body[BODIES];
    bool is_free[BODIES], is_exact[BODIES], has_added_inertia[BODIES];
} pass_bodies;

// Equal moments, two of them, none, and none along the axes of the body.
static tni_inertia make_inertia(test_random *random, uint32_t kind) {
    double moments[3] = {0.3, 0.3, 0.3};
    for (int i = 0; kind > 0 && i < (kind == 1 ? 1 : 3); ++i) {
        moments[(i + (int)random_between(random, 0.0, 2.99)) % 3] =
            random_between(random, 0.2, 0.4);
    }
    tni_dmat3 inertia = {{{moments[0], 0.0, 0.0}, {0.0, moments[1], 0.0}, {0.0, 0.0, moments[2]}}};
    inertia.m[0][1] = inertia.m[1][0] = kind == 3 ? 0.02 : 0.0;
    return tni_inertia_make(&inertia);
}

static void make_body(test_random *random, pass_bodies *all, uint32_t i) {
    all->motions[i] = random_motion(random);
    all->inertias[i] = make_inertia(random, 0);
    all->masses[i] =
        (tni_body_mass){.inertia = &all->inertias[i], .inv_mass = 0.5, .is_dynamic = true};
    vec3s v = dvec3_to_float(random_vector(random, 3.0));
    all->states[i] = (tni_body_state){.v = v, .w = v, .inv_mass = maths_vec3(0.5f, 0.5f, 0.5f)};
    float inverse = (float)all->inertias[i].inverse; // as they come from the world
    all->states[i].inv_inertia = (tni_sym3){inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
    all->deltas[i].position = maths_vec3(0.1f, -0.2f, 0.3f);
    all->deltas[i].rotation = maths_vec3(-0.1f, 0.2f, 0.1f);
    all->pulls[i].acceleration = dvec3_make(0.1 * i, -9.81, 0.0);
    all->kinds[i] = TNI_BATCH_ROUND;
    all->is_contact_body[i] = i % 3 == 0;
    for (int k = 0; k < 8; ++k) {
        bool is_unused = k == 3 || k == 7;
        all->pushes[i].total[k] = is_unused ? 0.0f : (float)random_between(random, -1.0, 1.0);
        all->pushes[i].warm[k] = 0.25f * all->pushes[i].total[k];
    }
    // At rest, hardly turning, too fast for the short series, for contacts to follow, and for any.
    const double speeds[7] = {0.0, 1e-30, 1e-3, 1.0, 40.0, 200.0, 1e4};
    tni_dvec3 *w = &all->motions[i].angular_velocity;
    *w = dvec3_scale(*w, i % 4 == 2 ? speeds[i / 4 % 7] : 1.0);
    all->states[i].w = glms_vec3_scale(v, (float)speeds[i % 7]);
    if (i % 4 == 2) {
        all->states[i].w = dvec3_to_float(*w); // the solve left it alone
    }
}

static tni_solver make_solver(pass_bodies *all, bool has_rows) {
    tni_solver solver = {.h = 1.0f / 240.0f,
                         .dh = 1.0 / 240.0,
                         .bodies.count = BODIES,
                         .bodies.states = all->states,
                         .bodies.deltas = all->deltas,
                         .bodies.motions = all->motions,
                         .bodies.masses = all->masses,
                         .bodies.pulls = all->pulls,
                         .bodies.kinds = all->kinds,
                         .batches.kinds = all->batches,
                         .batches.bodies = all->batch_bodies,
                         .batches.count = BATCHES,
                         .contacts.is_pushed = all->is_contact_body,
                         .contacts.pushes = all->pushes,
                         .bodies.is_free = all->is_free,
                         .bodies.is_exact = all->is_exact,
                         .bodies.has_added_inertia = all->has_added_inertia,
                         .lanes.places = has_rows ? all->places : NULL,
                         .contacts.own_count = has_rows ? 1 : 0};
    return solver;
}

// Bodies from 1 on; in the order of their numbers, or each a step from the last.
static bool plan_batches(const tni_solver *solver, pass_bodies *all, uint32_t count,
                         uint32_t stride) {
    uint32_t bodies[BODIES];
    for (uint32_t i = 0; i < count; ++i) {
        bodies[i] = 1 + i * stride % (BODIES - 1);
    }
    return tni_integrate_plan(solver, bodies, count, all->batch_bodies, all->batches);
}

static void assert_same_pass(const pass_bodies *start, uint32_t count, uint32_t phases,
                             bool has_rows, bool uses_avx2) {
    static pass_bodies four, one;
    four = one = *start;
    for (uint32_t i = 0; i < BODIES; ++i) {
        four.masses[i].inertia = &four.inertias[i];
        one.masses[i].inertia = &one.inertias[i];
    }
    tni_solver by_four = make_solver(&four, has_rows), by_one = make_solver(&one, has_rows);
    by_four.uses_avx2 = uses_avx2;
    plan_batches(&by_four, &four, count, 1);
    plan_batches(&by_one, &one, count, 1);
    for (uint32_t b = 0; b < BATCHES; ++b) {
        cr_assert(four.batches[b] == start->batches[b]);
        one.batches[b] = TNI_BATCH_MIXED;
    }
    tni_integrate_pass(&by_four, phases);
    tni_integrate_pass(&by_one, phases);
    for (uint32_t i = 0; i < BODIES; ++i) {
        cr_assert(memcmp(&four.motions[i].position, &one.motions[i].position, 24) == 0, "%u", i);
        cr_assert(memcmp(&four.motions[i].rotation, &one.motions[i].rotation, 32) == 0, "%u", i);
        cr_assert(memcmp(&four.motions[i].velocity, &one.motions[i].velocity, 24) == 0, "%u", i);
        cr_assert(memcmp(&four.motions[i].angular_velocity, &one.motions[i].angular_velocity, 24) ==
                  0);
    }
    cr_assert(memcmp(four.states, one.states, sizeof one.states) == 0, "phases %u", phases);
    cr_assert(memcmp(four.pushes, one.pushes, sizeof one.pushes) == 0, "phases %u", phases);
    cr_assert(memcmp(four.deltas, one.deltas, sizeof one.deltas) == 0, "phases %u", phases);
    cr_assert(memcmp(four.places, one.places, sizeof one.places) == 0, "phases %u", phases);
}

// The last batch has four bodies, three, two and one.
static void assert_same_passes(const pass_bodies *start) {
    for (uint32_t phases = 1; phases < 64; ++phases) {
        for (uint32_t count = BODIES - 4; count < BODIES; ++count) {
            assert_same_pass(start, count, phases, true, false);
            assert_same_pass(start, count, phases, false, false);
            if (tni_cpu_has_avx2()) {
                assert_same_pass(start, count, phases, true, true);
                assert_same_pass(start, count, phases, false, true);
            }
        }
    }
}

Test(integrate_pass, four_balls_move_as_each_alone) {
    static pass_bodies start;
    test_random random = {7};
    for (uint32_t i = 0; i < BODIES; ++i) {
        make_body(&random, &start, i);
        start.batches[(i - 1) / 4 % BATCHES] = TNI_BATCH_ROUND;
    }
    assert_same_passes(&start);
}

// Of their way, of their turn, of both or neither.
static void damp_body(pass_bodies *all, uint32_t i) {
    tni_body_mass *mass = &all->masses[i];
    mass->linear_damping = i % 4 != 0 ? 0.3f * (float)i : 0.0f;
    mass->angular_damping = i % 4 > 1 ? 0.2f * (float)i : 0.0f;
    mass->has_damping = i % 4 != 0;
    all->kinds[i] = (uint8_t)integrate_find_kind(mass, &all->motions[i]);
}

Test(integrate_pass, four_damped_balls_move_as_each_alone) {
    static pass_bodies start;
    test_random random = {11};
    for (uint32_t i = 0; i < BODIES; ++i) {
        make_body(&random, &start, i);
        damp_body(&start, i);
        start.batches[(i - 1) / 4 % BATCHES] = TNI_BATCH_DAMPED;
    }
    assert_same_passes(&start);
}

// The third of each batch is a ball, and the fourth has no damping.
Test(integrate_pass, four_damped_bodies_move_as_each_alone) {
    static pass_bodies start;
    test_random random = {13};
    for (uint32_t i = 0; i < BODIES; ++i) {
        make_body(&random, &start, i);
        start.inertias[i] = make_inertia(&random, (i + 1) % 4);
        damp_body(&start, i);
        start.batches[(i - 1) / 4 % BATCHES] = TNI_BATCH_DAMPED_PLAIN;
    }
    assert_same_passes(&start);
}

// Batches of one kind, and of all of them.
Test(integrate_pass, four_bodies_move_as_each_alone) {
    static pass_bodies start;
    test_random random = {5};
    for (uint32_t i = 0; i < BODIES; ++i) {
        make_body(&random, &start, i);
        uint32_t kind = (i - 1) / 4 % 5;
        start.inertias[i] = make_inertia(&random, kind == 0 ? i % 4 : kind == 4 ? 2 : kind);
        start.kinds[i] = (uint8_t)integrate_find_kind(&start.masses[i], &start.motions[i]);
        start.batches[(i - 1) / 4 % BATCHES] = TNI_BATCH_PLAIN;
    }
    assert_same_passes(&start);
}

static uint8_t find_kind(const pass_bodies *all, uint32_t i) {
    return (uint8_t)integrate_find_kind(&all->masses[i], &all->motions[i]);
}

Test(integrate_pass, bodies_on_which_more_than_rows_and_gravity_acts_go_alone) {
    static pass_bodies all;
    test_random random = {3};
    for (uint32_t i = 0; i < 7; ++i) {
        make_body(&random, &all, i);
    }
    all.masses[1].has_torque = true;
    all.masses[2].stops = true;
    all.masses[3].locks = TN_BODY_LOCK_ANGULAR_X;
    all.inertias[4].is_round = false;
    all.masses[5].is_dynamic = false; // moves, as a kinematic body does
    all.masses[6].is_dynamic = false;
    all.motions[6].velocity = all.motions[6].angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    cr_assert(find_kind(&all, 0) == TNI_BATCH_ROUND);
    for (uint32_t i = 1; i < 6; ++i) {
        uint8_t wanted = i == 4 ? TNI_BATCH_PLAIN : TNI_BATCH_MIXED;
        cr_assert(find_kind(&all, i) == wanted, "body %u", i);
    }
    cr_assert(find_kind(&all, 6) == TNI_BATCH_NONE);
    all.masses[2].stops = false;
    all.masses[2].has_damping = true;
    cr_assert(find_kind(&all, 2) == TNI_BATCH_DAMPED);
    all.inertias[2].is_round = false;
    cr_assert(find_kind(&all, 2) == TNI_BATCH_DAMPED_PLAIN);
}

Test(integrate_pass, batches_are_what_their_bodies_have_in_common) {
    static pass_bodies all;
    test_random random = {3};
    for (uint32_t i = 0; i < BODIES; ++i) {
        make_body(&random, &all, i);
    }
    tni_solver solver = make_solver(&all, false);
    all.kinds[1] = TNI_BATCH_MIXED;
    all.kinds[39] = TNI_BATCH_PLAIN;
    all.kinds[36] = TNI_BATCH_DAMPED;
    all.kinds[32] = TNI_BATCH_DAMPED;
    all.kinds[31] = TNI_BATCH_PLAIN;
    all.is_free[8] = true;
    for (uint32_t i = 9; i < 13; ++i) {
        all.is_exact[i] = true;
        all.is_free[i + 4] = true;
        all.kinds[i + 8] = TNI_BATCH_NONE;
    }
    const tni_batch wanted[BATCHES] = {TNI_BATCH_MIXED, TNI_BATCH_MIXED,        TNI_BATCH_NONE,
                                       TNI_BATCH_NONE,  TNI_BATCH_NONE,         TNI_BATCH_ROUND,
                                       TNI_BATCH_ROUND, TNI_BATCH_DAMPED_PLAIN, TNI_BATCH_DAMPED,
                                       TNI_BATCH_PLAIN};
    cr_assert(plan_batches(&solver, &all, BODIES - 1, 1));
    for (uint32_t b = 0; b < BATCHES; ++b) {
        cr_assert(all.batches[b] == (uint8_t)wanted[b], "batch %u is %u", b, all.batches[b]);
    }
    // One body fewer, and the last four are not whole.
    plan_batches(&solver, &all, BODIES - 2, 1);
    cr_assert(all.batches[BATCHES - 1] == TNI_BATCH_PLAIN);
    cr_assert(all.batch_bodies[BATCHES - 1].body[2] == BODIES - 2);
    cr_assert(all.batch_bodies[BATCHES - 1].body[3] == 0);
    // Those that turn no inertia.
    cr_assert(!tni_integrate_plan(&solver, (uint32_t[]){21, 22, 23, 24}, 4, all.batch_bodies,
                                  all.batches));
}

// The four of a batch need not lie together, and there may be fewer.
Test(integrate_pass, bodies_from_anywhere_move_as_those_that_lie_together) {
    static pass_bodies together, apart;
    const uint32_t phases = TNI_PASS_COLLECT | TNI_PASS_DRIFT | TNI_PASS_KICK | TNI_PASS_PUSH_B;
    const uint32_t count = BODIES - 3;
    test_random random = {11};
    for (uint32_t i = 0; i < BODIES; ++i) {
        make_body(&random, &together, i);
    }
    apart = together;
    for (uint32_t i = 0; i < BODIES; ++i) {
        apart.masses[i].inertia = &apart.inertias[i];
    }
    tni_solver first = make_solver(&together, true), second = make_solver(&apart, true);
    plan_batches(&first, &together, BODIES - 1, 1);
    plan_batches(&second, &apart, count, 7);
    tni_integrate_pass(&first, phases);
    tni_integrate_pass(&second, phases);
    bool is_in[BODIES] = {false};
    for (uint32_t i = 0; i < count; ++i) {
        is_in[1 + i * 7 % (BODIES - 1)] = true;
    }
    for (uint32_t i = 1; i < BODIES; ++i) {
        bool is_same =
            memcmp(&together.motions[i], &apart.motions[i], sizeof(tni_body_motion)) == 0 &&
            memcmp(&together.states[i], &apart.states[i], sizeof(tni_body_state)) == 0;
        cr_assert(is_same == is_in[i], "body %u", i);
    }
}
