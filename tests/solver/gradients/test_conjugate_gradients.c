// Conjugate gradients against dense elimination: nets of joints, redundant and contradictory rows,
// warm start, budget, and what stays the same.
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/gradients/gradient_block.h"
#include "solver/gradients/gradient_lanes.h"
#include "solver/joints/joint_bounded.h"

#define BODIES 24 // the first does not move
#define JOINTS 60
#define ROWS   3 // of a joint
#define SIZE   (JOINTS * ROWS)

// Joints with random rows between random bodies.
typedef struct net {
    tni_solver solver;
    tni_gradients gradients;
    tni_body_state states[BODIES];
    tni_joint_block blocks[JOINTS];
    tni_row rows[JOINTS][ROWS];
    _Alignas(16) float data[JOINTS][192];
    tni_f4 vectors[3][JOINTS];
    tni_body_mass masses[BODIES];
    tni_allocator allocator;
    tni_arena arena;
    uint32_t bodies[BODIES], gradient_bodies[BODIES];
    tni_row_state row_states[JOINTS * ROWS]; // none of the rows is bounded
    tni_bounded_row bounded_rows[1];
} net;

static const tni_inertia round_inertia = {.is_round = true};

static float next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

static vec3s random_vec3(uint32_t *seed) {
    float x = next_random(seed), y = next_random(seed), z = next_random(seed);
    return maths_vec3(x, y, z);
}

static void net_set_body(net *n, uint32_t body, uint32_t *seed) {
    tni_body_state *state = &n->states[body];
    n->masses[body].is_dynamic = true;
    state->v = random_vec3(seed);
    state->w = random_vec3(seed);
    float inv_mass = 1.0f + 0.5f * next_random(seed);
    state->inv_mass = maths_vec3(inv_mass, inv_mass, inv_mass);
    // Diagonally dominant, so positive definite.
    state->inv_inertia = (tni_sym3){2.0f, 3.0f, 2.5f, 0.3f, -0.4f, 0.2f};
}

// Joints as they now are, all as soft as this.
static void net_set_softness(net *n, float gamma) {
    for (uint32_t i = 0; i < n->gradients.count; ++i) {
        n->blocks[i].softness = (tni_softness){0.0f, 1.0f / (1.0f + gamma), gamma / (1.0f + gamma)};
    }
    n->gradients.has_lanes = false;
    cr_assert(tni_gradient_lanes_pack(&n->solver, &n->gradients, &n->arena));
}

static void net_set_joint(net *n, uint32_t joint, uint32_t a, uint32_t b, uint32_t *seed) {
    tni_joint_block *block = &n->blocks[joint];
    block->body_a = a;
    block->body_b = b;
    block->first_row = ROWS * joint;
    for (uint32_t i = 0; i < ROWS; ++i) {
        tni_row *row = &n->rows[joint][i];
        *row = (tni_row){0};
        row->lin_b = random_vec3(seed);
        row->lin_a = glms_vec3_negate(row->lin_b);
        row->ang_a = random_vec3(seed);
        row->ang_b = random_vec3(seed);
    }
    block->equality_count = block->row_count = ROWS;
    float none[ROWS] = {0.0f};
    tni_joint_block_start(block, n->data[joint], none);
    tni_equality_refresh(n->data[joint], 4, n->rows[joint], ROWS, &n->states[a], &n->states[b]);
    for (uint32_t i = 0; i < ROWS; ++i) {
        tni_equality_bias(n->data[joint], 4)[i] = next_random(seed);
    }
}

// A chain from the body that stands still through all others, and joints from anywhere to anywhere.
static net *net_create(uint32_t joints, uint32_t seed, bool is_swept) {
    net *n = calloc(1, sizeof *n);
    cr_assert_not_null(n);
    for (uint32_t i = 1; i < BODIES; ++i) {
        net_set_body(n, i, &seed);
        n->bodies[i - 1] = n->gradient_bodies[i] = i;
    }
    for (uint32_t i = 0; i < joints; ++i) {
        uint32_t b = 1 + i % (BODIES - 1);
        uint32_t a = i < BODIES - 1 ? i : (b * 7 + i) % BODIES;
        net_set_joint(n, i, a == b ? 0 : a, b, &seed);
    }
    n->solver.bodies.states = n->states;
    n->solver.bodies.masses = n->masses;
    for (uint32_t i = 0; i < BODIES; ++i) {
        n->masses[i].inertia = &round_inertia;
    }
    n->solver.joints.blocks = n->blocks;
    n->solver.gradients.bodies = n->gradient_bodies;
    n->solver.joints.rows = n->rows[0];
    n->solver.joints.count = joints;
    n->solver.joints.row_states = n->row_states;
    n->solver.joints.bounded_rows = n->bounded_rows;
    n->gradients = (tni_gradients){.count = joints,
                                   .equality_count = joints * ROWS,
                                   .body_count = BODIES - 1,
                                   .bodies = n->bodies,
                                   .state.is_swept = is_swept,
                                   .most_iterations = 400,
                                   .tolerance = 1e-5f,
                                   .step = n->vectors[0],
                                   .search = n->vectors[1],
                                   .weighted = n->vectors[2]};
    tni_allocator_init(&n->allocator, NULL, NULL, NULL);
    tni_arena_init(&n->arena, &n->allocator);
    net_set_softness(n, 0.1f);
    return n;
}

static void net_destroy(net *n) {
    tni_arena_destroy(&n->arena);
    free(n);
}

// ---- the same, dense ---------------------------------------------------------------------------

static void row_numbers(const tni_row *row, double out[12]) {
    const vec3s parts[4] = {row->lin_a, row->ang_a, row->lin_b, row->ang_b};
    for (int i = 0; i < 12; ++i) {
        out[i] = (double)parts[i / 3].raw[i % 3];
    }
}

// W of a body times six numbers.
static void weigh(const tni_body_state *s, const double in[6], double out[6]) {
    const tni_sym3 m = s->inv_inertia;
    const float inertia[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    for (int i = 0; i < 3; ++i) {
        out[i] = (double)s->inv_mass.raw[i] * in[i];
        out[3 + i] = 0.0;
        for (int k = 0; k < 3; ++k) {
            out[3 + i] += (double)inertia[i][k] * in[3 + k];
        }
    }
}

// Two rows' J W J^T, which meet in the bodies that they share.
static double dense_couple(const net *n, uint32_t r, uint32_t s) {
    const tni_joint_block *first = &n->blocks[r / ROWS], *second = &n->blocks[s / ROWS];
    const uint32_t a[2] = {first->body_a, first->body_b}, b[2] = {second->body_a, second->body_b};
    double of_r[12], of_s[12], moved[6], sum = 0.0;
    row_numbers(&n->rows[r / ROWS][r % ROWS], of_r);
    row_numbers(&n->rows[s / ROWS][s % ROWS], of_s);
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            weigh(&n->states[a[i]], of_r + 6 * i, moved);
            for (int c = 0; c < 6 && a[i] == b[k]; ++c) {
                sum += moved[c] * of_s[6 * k + c];
            }
        }
    }
    return sum;
}

static double get_speed(const net *n, uint32_t r) {
    const tni_joint_block *block = &n->blocks[r / ROWS];
    const tni_body_state *ends[2] = {&n->states[block->body_a], &n->states[block->body_b]};
    double row[12], sum = 0.0;
    row_numbers(&n->rows[r / ROWS][r % ROWS], row);
    for (int i = 0; i < 12; ++i) {
        const tni_body_state *s = ends[i / 6];
        sum += row[i] * (double)(i % 6 < 3 ? s->v.raw[i % 3] : s->w.raw[i % 3]);
    }
    return sum;
}

static double get_bias(net *n, uint32_t r) {
    return (double)tni_equality_bias(n->data[r / ROWS], 4)[r % ROWS];
}

static double get_impulse(net *n, uint32_t r) {
    return (double)tni_equality_impulse(n->data[r / ROWS], 4)[r % ROWS];
}

static void dense_build(const net *n, double gamma, double *matrix) {
    uint32_t size = n->gradients.count * ROWS;
    for (uint32_t r = 0; r < size; ++r) {
        for (uint32_t s = 0; s < size; ++s) {
            double own = r / ROWS == s / ROWS ? 1.0 + gamma : 1.0;
            matrix[r * SIZE + s] = own * dense_couple(n, r, s);
        }
    }
}

// Elimination of a positive definite matrix, in place.
static void dense_solve(double *matrix, double *x, uint32_t size) {
    for (uint32_t k = 0; k < size; ++k) {
        for (uint32_t r = k + 1; r < size; ++r) {
            double factor = matrix[r * SIZE + k] / matrix[k * SIZE + k];
            for (uint32_t s = k; s < size; ++s) {
                matrix[r * SIZE + s] -= factor * matrix[k * SIZE + s];
            }
            x[r] -= factor * x[k];
        }
    }
    for (uint32_t k = size; k-- > 0;) {
        for (uint32_t s = k + 1; s < size; ++s) {
            x[k] -= matrix[k * SIZE + s] * x[s];
        }
        x[k] /= matrix[k * SIZE + k];
    }
}

// The impulses that meet every row, from velocities without any.
static double *dense_impulses(net *n, double gamma) {
    uint32_t size = n->gradients.count * ROWS;
    double *matrix = calloc((size_t)SIZE * SIZE, sizeof(double)), *x = calloc(SIZE, sizeof(double));
    dense_build(n, gamma, matrix);
    for (uint32_t r = 0; r < size; ++r) {
        x[r] = -(get_speed(n, r) + get_bias(n, r));
    }
    dense_solve(matrix, x, size);
    free(matrix);
    return x;
}

// |x - y| / |y|
static double get_difference(net *n, const double *y) {
    double difference = 0.0, square = 0.0;
    for (uint32_t r = 0; r < n->gradients.count * ROWS; ++r) {
        double d = get_impulse(n, r) - y[r];
        difference += d * d;
        square += y[r] * y[r];
    }
    return sqrt(difference / square);
}

// ---- tests -------------------------------------------------------------------------------------

Test(conjugate_gradients, find_what_elimination_finds) {
    const float gammas[3] = {1.0f, 0.1f, 0.01f};
    for (uint32_t k = 0; k < 12; ++k) {
        // Fewer and more rows than freedoms.
        net *n = net_create(k % 2 == 0 ? 30 : JOINTS, 5 + k, k % 4 >= 2);
        net_set_softness(n, gammas[k / 4]);
        double *x = dense_impulses(n, (double)gammas[k / 4]);
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        // The residual of floats, 1e-5, times the condition number over 100.
        double difference = get_difference(n, x);
        cr_assert(difference < 5e-4, "net %u: %g", k, difference);
        cr_assert(n->gradients.report.residual <= 1e-5);
        free(x);
        net_destroy(n);
    }
}

Test(conjugate_gradients, leave_velocities_that_meet_every_row) {
    net *n = net_create(20, 3, false);
    net_set_softness(n, 0.0f);
    cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
    for (uint32_t r = 0; r < 20 * ROWS; ++r) {
        double left = get_speed(n, r) + get_bias(n, r);
        cr_assert(fabs(left) < 2e-4, "row %u: %g", r, left);
    }
    // Solve B takes the bias out again.
    cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, false));
    for (uint32_t r = 0; r < 20 * ROWS; ++r) {
        cr_assert(fabs(get_speed(n, r)) < 2e-4, "row %u: %g", r, get_speed(n, r));
    }
    net_destroy(n);
}

static tni_f4 random_numbers(uint32_t *seed) {
    vec3s v = random_vec3(seed);
    return f4_make(v.x, v.y, v.z, 0.0f);
}

// A pin in the place of a joint's rows, its turns orthogonal or not.
static void net_set_pin(net *n, uint32_t joint, uint32_t turns, uint32_t *seed) {
    tni_joint_block *block = &n->blocks[joint];
    const tni_body_state *a = &n->states[block->body_a], *b = &n->states[block->body_b];
    tni_pin pin;
    memset(&pin, 0, sizeof pin);
    pin.r_a = random_numbers(seed);
    pin.r_b = random_numbers(seed);
    for (uint32_t k = 0; k < turns; ++k) {
        pin.axis[k] = f4_set_lane(random_numbers(seed), k, 2.0f);
    }
    block->point_rows = 3;
    block->turns = (uint8_t)turns;
    block->equality_count = block->row_count = (uint8_t)(3 + turns);
    memset(n->data[joint], 0, sizeof n->data[joint]);
    float none[6] = {0.0f};
    tni_joint_block_start(block, n->data[joint], none);
    tni_pin_refresh(block->pin, &pin, turns, TNI_ENDS_BOTH, a, b);
    block->pin->bias = random_numbers(seed);
    if (turns > 0) {
        block->pin->turns->bias = f4_set_lane(random_numbers(seed), 2, 0.5f);
    }
}

// J v + bias
static tni_pin_numbers get_speeds(const net *n, const tni_joint_block *block, bool use_bias) {
    tni_velocities v = tni_velocities_load(&n->states[block->body_a], &n->states[block->body_b]);
    tni_pin_numbers speeds = use_bias ? gradient_get_bias(block) : tni_pin_zero();
    if (block->point_rows > 0) {
        return tni_pin_speed(block->pin, block->turns, TNI_ENDS_BOTH, &v, speeds);
    }
    tni_f4 rows[2] = {speeds.point, speeds.turn};
    tni_equality_add_speed(block->equality, 4, &v, rows);
    speeds.point = rows[0];
    return speeds;
}

static float get_worst_speed(const net *n, bool use_bias) {
    float worst = 0.0f;
    for (uint32_t i = 0; i < n->gradients.count; ++i) {
        const tni_joint_block *block = &n->blocks[i];
        tni_pin_numbers speed = get_speeds(n, block, use_bias);
        float numbers[8];
        f4_store(numbers, speed.point);
        f4_store(numbers + 4, speed.turn);
        for (uint32_t r = 0; r < 4u + block->turns; ++r) {
            worst = fmaxf(worst, r == 3 ? 0.0f : fabsf(numbers[r]));
        }
    }
    return worst;
}

Test(conjugate_gradients, meet_points_crosses_hinges_welds_and_rows_side_by_side) {
    const uint32_t turns[4] = {0, 1, 2, 3};
    for (uint32_t k = 0; k < 5; ++k) {
        net *n = net_create(18, 40 + k, k % 2 == 1);
        uint32_t seed = 60 + k;
        n->gradients.state.is_wide = true;
        for (uint32_t i = 0; i < 18; ++i) {
            if ((i + k) % 5 < 4) {
                net_set_pin(n, i, turns[(i + k) % 5], &seed);
            }
        }
        net_set_softness(n, 0.0f);
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        cr_assert(get_worst_speed(n, true) < 5e-4f, "%g", (double)get_worst_speed(n, true));
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, false));
        cr_assert(get_worst_speed(n, false) < 5e-4f, "%g", (double)get_worst_speed(n, false));
        net_destroy(n);
    }
}

// Every joint twice: velocities as with one, its impulse shared.
Test(conjugate_gradients, bear_rows_that_say_what_others_say) {
    for (int swept = 0; swept < 2; ++swept) {
        net *once = net_create(20, 9, swept == 1), *twice = net_create(40, 9, swept == 1);
        for (uint32_t i = 0; i < 20; ++i) {
            memcpy(twice->rows[20 + i], twice->rows[i], sizeof twice->rows[i]);
            memcpy(twice->data[20 + i], twice->data[i], sizeof twice->data[i]);
            twice->blocks[20 + i] = twice->blocks[i];
            twice->blocks[20 + i].equality = twice->data[20 + i];
        }
        net_set_softness(once, 5e-5f);
        net_set_softness(twice, 1e-4f); // half of the load on each
        cr_assert(tni_gradients_solve_equalities(&once->solver, &once->gradients, true));
        cr_assert(tni_gradients_solve_equalities(&twice->solver, &twice->gradients, true));
        for (uint32_t i = 1; i < BODIES; ++i) {
            vec3s apart = glms_vec3_sub(once->states[i].v, twice->states[i].v);
            cr_assert(glms_vec3_norm(apart) < 1e-3f, "body %u: %g", i,
                      (double)glms_vec3_norm(apart));
        }
        for (uint32_t r = 0; r < 20 * ROWS; ++r) {
            double half = get_impulse(twice, r), other = get_impulse(twice, 20 * ROWS + r);
            double whole = get_impulse(once, r);
            cr_assert(fabs(half + other - whole) < 3e-3 * (1.0 + fabs(whole)));
            // A sweep favours the first that it meets.
            cr_assert(swept == 1 || fabs(half - other) < 1e-3, "row %u: %g, %g", r, half, other);
        }
        net_destroy(once);
        net_destroy(twice);
    }
}

// Two joints that want opposite speeds of the same points: neither gets its way by more than the
// other, the least squares of both.
Test(conjugate_gradients, meet_contradictory_rows_half_way) {
    for (int swept = 0; swept < 2; ++swept) {
        net *n = net_create(21, 21, swept == 1);
        memcpy(n->rows[20], n->rows[5], sizeof n->rows[5]);
        memcpy(n->data[20], n->data[5], sizeof n->data[5]);
        n->blocks[20] = n->blocks[5];
        n->blocks[20].equality = n->data[20];
        for (uint32_t i = 0; i < ROWS; ++i) {
            tni_equality_bias(n->data[20], 4)[i] = 2.0f - tni_equality_bias(n->data[5], 4)[i];
        }
        net_set_softness(n, 1e-3f);
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        for (uint32_t r = 5 * ROWS; r < 6 * ROWS; ++r) {
            // Half way between -bias and bias - 2.
            cr_assert(fabs(get_speed(n, r) + 1.0) < 1e-2, "%g", get_speed(n, r));
            double impulse = get_impulse(n, r), other = get_impulse(n, r + 15 * ROWS);
            // Finite: half of the difference over gamma D, D of order 10.
            cr_assert(fabs(impulse) < 1e4 && fabs(other) < 1e4);
        }
        // The others do not feel it.
        for (uint32_t r = 0; r < 5 * ROWS; ++r) {
            double left = get_speed(n, r) + get_bias(n, r);
            cr_assert(fabs(left) < 2e-2, "row %u: %g", r, left);
        }
        net_destroy(n);
    }
}

Test(conjugate_gradients, begin_where_the_last_solve_ended) {
    for (int swept = 0; swept < 2; ++swept) {
        net *n = net_create(JOINTS, 2, swept == 1);
        n->gradients.tolerance = 1e-3f;
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        uint32_t cold = n->gradients.report.iterations;
        cr_assert(cold > 5);
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        cr_assert(n->gradients.report.iterations == cold, "it is solved already");
        // A little elsewhere, a few iterations.
        for (uint32_t i = 0; i < JOINTS; ++i) {
            tni_equality_bias(n->data[i], 4)[0] *= 1.01f;
        }
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        uint32_t warm = n->gradients.report.iterations - cold;
        cr_assert(warm > 0 && 2 * warm < cold, "%u, then %u", cold, warm);
        net_destroy(n);
    }
}

// Each iteration gets nearer, in the norm that conjugate gradients minimise: e.A e.
Test(conjugate_gradients, get_nearer_with_every_iteration_of_the_budget) {
    double *matrix = calloc((size_t)SIZE * SIZE, sizeof(double));
    double before = 1e300;
    for (uint32_t budget = 1; budget <= 32; budget += 1) {
        net *n = net_create(JOINTS, 77, false);
        dense_build(n, 0.1, matrix);
        double *x = dense_impulses(n, 0.1), square = 0.0;
        n->gradients.most_iterations = budget;
        tni_gradients_solve_equalities(&n->solver, &n->gradients, true);
        cr_assert(n->gradients.report.iterations == budget);
        for (uint32_t r = 0; r < SIZE; ++r) {
            for (uint32_t s = 0; s < SIZE; ++s) {
                square +=
                    (get_impulse(n, r) - x[r]) * matrix[r * SIZE + s] * (get_impulse(n, s) - x[s]);
            }
        }
        cr_assert(square < before * (1.0 + 1e-6), "%u iterations: %g after %g", budget, square,
                  before);
        before = square;
        free(x);
        net_destroy(n);
    }
    free(matrix);
}

// In exact arithmetic they end after as many iterations as there are rows; round-off leaves little.
Test(conjugate_gradients, are_done_after_as_many_iterations_as_there_are_rows) {
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        net *n = net_create(2, seed, false);
        n->gradients.tolerance = 1e-9f;
        n->gradients.most_iterations = 2 * ROWS;
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        double residual = n->gradients.report.residual;
        cr_assert(residual < 1e-6, "seed %u: %g", seed, residual);
        net_destroy(n);
    }
}

// A sweep as preconditioner: fewer iterations.
Test(conjugate_gradients, need_fewer_iterations_with_a_sweep) {
    uint32_t iterations[2];
    for (int swept = 0; swept < 2; ++swept) {
        net *n = net_create(JOINTS, 4, swept == 1);
        n->gradients.tolerance = 1e-4f;
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
        iterations[swept] = n->gradients.report.iterations;
        net_destroy(n);
    }
    cr_assert(3 * iterations[1] < 2 * iterations[0], "%u, %u", iterations[0], iterations[1]);
}

Test(conjugate_gradients, give_the_same_bits_every_time) {
    for (int swept = 0; swept < 2; ++swept) {
        net *first = net_create(JOINTS, 6, swept == 1), *second = net_create(JOINTS, 6, swept == 1);
        for (int i = 0; i < 3; ++i) {
            cr_assert(tni_gradients_solve_equalities(&first->solver, &first->gradients, i != 1));
            cr_assert(tni_gradients_solve_equalities(&second->solver, &second->gradients, i != 1));
        }
        cr_assert(memcmp(first->states, second->states, sizeof first->states) == 0);
        cr_assert(memcmp(first->data, second->data, sizeof first->data) == 0);
        net_destroy(first);
        net_destroy(second);
    }
}

Test(conjugate_gradients, change_nothing_where_numbers_are_not_finite) {
    net *n = net_create(30, 8, false);
    tni_equality_bias(n->data[3], 4)[1] = NAN;
    tni_body_state before[BODIES];
    memcpy(before, n->states, sizeof before);
    cr_assert(!tni_gradients_solve_equalities(&n->solver, &n->gradients, true));
    cr_assert(memcmp(before, n->states, sizeof before) == 0);
    for (uint32_t r = 0; r < 30 * ROWS; ++r) {
        cr_assert(get_impulse(n, r) == 0.0);
    }
    net_destroy(n);
}

// Also not of the bodies that stand still, whose velocity sweeps read.
Test(conjugate_gradients, leave_no_forces_behind) {
    for (int k = 0; k < 4; ++k) {
        net *n = net_create(30, 8, k % 2 == 1);
        n->gradients.state.is_soft = true; // so that nobody asks what strains the joints
        // Of one that hangs on a body that stands still.
        tni_equality_impulse(n->data[0], 4)[1] = k < 2 ? 0.5f : NAN;
        cr_assert(tni_gradients_solve_equalities(&n->solver, &n->gradients, true) == (k < 2));
        tni_gradients_solve_bounded(&n->solver, &n->gradients, true);
        tni_gradient_motion still[BODIES];
        memset(still, 0, sizeof still);
        cr_assert(memcmp(n->gradients.change, still, sizeof still) == 0);
        net_destroy(n);
    }
}

// ---- sweeps, accelerated -----------------------------------------------------------------------

Test(conjugate_gradients, of_sweeps_find_the_same) {
    net *n = net_create(JOINTS, 12, false);
    double *x = dense_impulses(n, 0.1);
    cr_assert(tni_gradients_solve_bounded(&n->solver, &n->gradients, true));
    double difference = get_difference(n, x);
    cr_assert(difference < 1e-3, "%g", difference);
    free(x);
    net_destroy(n);
}

Test(conjugate_gradients, of_sweeps_get_further_than_sweeps) {
    net *n = net_create(JOINTS, 12, false), *plain = net_create(JOINTS, 12, false);
    net_set_softness(n, 0.02f);
    net_set_softness(plain, 0.02f);
    double *x = dense_impulses(n, 0.02);
    n->gradients.most_iterations = 24;
    cr_assert(tni_gradients_solve_bounded(&n->solver, &n->gradients, true));
    for (int i = 0; i < 24; ++i) {
        tni_joint_blocks_solve(&plain->solver, 0, JOINTS, true);
    }
    double here = get_difference(n, x), there = get_difference(plain, x);
    cr_assert(here < 0.5 * there, "%g, %g", here, there);
    free(x);
    net_destroy(n);
    net_destroy(plain);
}
