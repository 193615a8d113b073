// Tests of solver/stacks/stack.c, stack_rows.c, stack_matrix.c, stack_order.c and
// stack_factor_wide.c: small islands solved at once. The matrix against dense elimination; towers,
// overhangs and arches against what statics says.
#include "solver/solver.h"
#include "solver/stacks/stack_rows.h"
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

// ---- the matrix -------------------------------------------------------------------------------

// More than there are bits in a word.
#define ROOM  70u
#define WORDS ((ROOM + 63) / 64)
#define ALL   (ROOM * TNI_STACK_FREEDOMS)

// A stack of 70 bodies with nothing but its matrix.
typedef struct plan {
    tni_stack stack;
    tni_stack_body bodies[ROOM];
    double diagonal[ROOM][TNI_STACK_BLOCK];
    double blocks[ROOM * ROOM][TNI_STACK_BLOCK], column[ROOM][TNI_STACK_BLOCK];
    uint64_t sets[3][ROOM * WORDS];
    uint32_t first[ROOM];
    double dense[ALL][ALL];
    uint32_t seed;
} plan;

// The one of a test, all zero when it begins. Criterion's processes would look for leaks in what is
// static.
static plan *tested;

static void plan_allocate(void) {
    tested = calloc(1, sizeof *tested);
    cr_assert_not_null(tested);
}

static void plan_free(void) {
    free(tested);
    tested = NULL;
}

TestSuite(stack, .init = plan_allocate, .fini = plan_free);

static double plan_draw(plan *p) {
    p->seed = p->seed * 1664525u + 1013904223u;
    return (double)(p->seed >> 8) / 8388608.0 - 1.0;
}

static void plan_start(plan *p) {
    tni_stack_matrix *matrix = &p->stack.matrix;
    matrix->words = tni_stack_get_words(ROOM);
    matrix->beside = p->sets[0];
    matrix->below = p->sets[1];
    matrix->filled = p->sets[2];
    matrix->first_block = p->first;
    matrix->column = &p->column[0][0];
}

static void plan_join(plan *p, uint32_t a, uint32_t b) {
    tni_stack_put(tni_stack_get_set(&p->stack, p->stack.matrix.beside, a), b);
    tni_stack_put(tni_stack_get_set(&p->stack, p->stack.matrix.beside, b), a);
}

static void plan_order(plan *p, uint32_t count) {
    uint16_t order[TNI_STACK_MAX_BODIES];
    p->stack.body_count = count;
    tni_stack_order(&p->stack, order);
}

// Random blocks below the diagonal, and a diagonal that outweighs them.
static void plan_fill(plan *p) {
    tni_stack *stack = &p->stack;
    stack->bodies = p->bodies;
    stack->matrix.diagonal = &p->diagonal[0][0];
    stack->matrix.blocks = &p->blocks[0][0];
    for (uint32_t i = 0; i < ALL; ++i) {
        p->dense[i][i] = 20.0;
    }
    memcpy(p->sets[2], p->sets[1], sizeof p->sets[1]);
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        const uint64_t *below = tni_stack_get_set(stack, stack->matrix.below, i);
        for (uint32_t j = i + 1; j < stack->body_count; ++j) {
            for (uint32_t k = 0; k < TNI_STACK_BLOCK; ++k) {
                bool has = tni_stack_has(below, j);
                uint32_t column = 6 * i + k / 6, row = 6 * j + k % 6;
                p->dense[row][column] = p->dense[column][row] = has ? plan_draw(p) : 0.0;
            }
        }
    }
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        for (uint32_t k = 0; k < TNI_STACK_BLOCK; ++k) {
            p->diagonal[i][k] = p->dense[6 * i + k % 6][6 * i + k / 6];
        }
        const uint64_t *below = tni_stack_get_set(stack, stack->matrix.below, i);
        for (uint32_t j = i + 1; j < stack->body_count; ++j) {
            bool has = tni_stack_has(below, j);
            for (uint32_t k = 0; k < TNI_STACK_BLOCK && has; ++k) {
                tni_stack_get_block(stack, i, j)[k] = p->dense[6 * j + k % 6][6 * i + k / 6];
            }
        }
    }
}

Test(stack, a_tower_is_eliminated_without_fill) {
    plan_start(tested);
    for (uint32_t i = 0; i + 1 < ROOM; ++i) {
        plan_join(tested, i, i + 1);
    }
    plan_order(tested, ROOM);
    cr_assert(tested->stack.matrix.block_count == ROOM - 1, "%u", tested->stack.matrix.block_count);
}

Test(stack, a_star_is_eliminated_from_its_points) {
    plan_start(tested);
    for (uint32_t i = 1; i < ROOM; ++i) {
        plan_join(tested, 0, i);
    }
    plan_order(tested, ROOM);
    cr_assert(tested->stack.matrix.block_count == ROOM - 1, "%u", tested->stack.matrix.block_count);
}

// Of a loop with chords every pair that elimination joins has a block. b = A x of a random x; the
// matrix is diagonally dominant, so that round-off stays near 1e-15.
Test(stack, the_factor_solves_what_the_matrix_says) {
    tested->seed = 7;
    plan_start(tested);
    for (uint32_t i = 0; i < ROOM; ++i) {
        plan_join(tested, i, (i + 1) % ROOM);
    }
    plan_join(tested, 1, 5);
    plan_join(tested, 2, 66);
    plan_join(tested, 30, 69);
    plan_order(tested, ROOM);
    plan_fill(tested);
    double x[ALL];
    for (uint32_t i = 0; i < ALL; ++i) {
        x[i] = plan_draw(tested);
    }
    for (uint32_t i = 0; i < ALL; ++i) {
        double sum = 0.0;
        for (uint32_t j = 0; j < ALL; ++j) {
            sum += tested->dense[i][j] * x[j];
        }
        tested->bodies[i / 6].step[i % 6] = sum;
    }
    tni_stack_factor_baseline(&tested->stack);
    tni_stack_backsolve_baseline(&tested->stack);
    for (uint32_t i = 0; i < ALL; ++i) {
        TEST_NEAR(tested->bodies[i / 6].step[i % 6], x[i], 1e-13);
    }
}

// ---- bodies -----------------------------------------------------------------------------------

static void multiply(const tni_sym3 *w, const double x[3], double out[3]) {
    out[0] = (double)w->xx * x[0] + (double)w->xy * x[1] + (double)w->xz * x[2];
    out[1] = (double)w->xy * x[0] + (double)w->yy * x[1] + (double)w->yz * x[2];
    out[2] = (double)w->xz * x[0] + (double)w->yz * x[1] + (double)w->zz * x[2];
}

// With a turn W L the momentum is L, for any W; one about a locked axis has none.
Test(stack, a_body_resists_by_the_inverse_of_what_its_state_responds_with) {
    const tni_sym3 free = {.xx = 2.0f, .yy = 3.0f, .zz = 1.5f, .xy = 0.4f, .xz = -0.3f, .yz = 0.5f};
    const tni_sym3 held[] = {{.yy = 3.0f, .zz = 1.5f, .yz = 0.5f},
                             {.xx = 2.0f, .zz = 1.5f, .xz = -0.3f},
                             {.xx = 2.0f, .yy = 3.0f, .xy = 0.4f}};
    const uint32_t locks[] = {TN_BODY_LOCK_ANGULAR_X, TN_BODY_LOCK_ANGULAR_Y,
                              TN_BODY_LOCK_ANGULAR_Z};
    for (int k = 0; k < 4; ++k) {
        tni_inertia inertia = {.inverse = 1.0};
        tni_body_mass mass = {
            .is_dynamic = true, .inertia = &inertia, .locks = k < 3 ? locks[k] : 0};
        tni_body_state state = {.inv_inertia = k < 3 ? held[k] : free,
                                .inv_mass = maths_vec3(0.25f, 0.25f, 0.25f)};
        tni_body_pull pull = {.unused = 0.0};
        tni_solver solver = {
            .bodies.states = &state, .bodies.masses = &mass, .bodies.pulls = &pull};
        tni_stack stack = {0};
        tni_stack_body body = {0};
        tni_stack_start_body(&solver, &stack, &body);
        for (int c = 0; c < 3; ++c) {
            double l[3] = {c == 0, c == 1, c == 2}, x[6] = {1.0, 2.0, 3.0}, out[6];
            multiply(&state.inv_inertia, l, x + 3);
            tni_stack_weigh(&body, x, out);
            for (int i = 0; i < 3; ++i) {
                TEST_NEAR(out[i], 4.0 * x[i], 1e-6);
                TEST_NEAR(out[3 + i], i == k || c == k ? 0.0 : l[i], 1e-6);
            }
        }
    }
}

// ---- the matrix of rows -----------------------------------------------------------------------

#define PAIR_ALL (2 * TNI_STACK_FREEDOMS)

// Two bodies, one of which lies on the ground, and a contact of each.
typedef struct pair {
    plan plan;
    tni_stack_contact contacts[2];
} pair;

static void pair_fill_contact(pair *it, tni_stack_contact *c, double cap) {
    plan *p = &it->plan;
    memset(c, 0, sizeof *c);
    c->is_shut = true;
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        for (uint32_t k = 0; k < TNI_STACK_FREEDOMS; ++k) {
            bool is_point = r < TNI_STACK_SLIDE, is_line = k < 3;
            c->rows[r][k] = plan_draw(p);
            c->rows[r][k] = is_point && is_line ? c->rows[0][k] : c->rows[r][k];
            c->rows[r][k] = r == TNI_STACK_TWIST && is_line ? 0.0 : c->rows[r][k];
        }
        c->stiffness[r] = 2.0 + plan_draw(p);
        c->center[r] = 3.0 + plan_draw(p);
    }
    c->stiffness[TNI_STACK_SLIDE + 1] = c->stiffness[TNI_STACK_SLIDE];
    for (uint32_t k = 0; k < 3; ++k) {
        c->offset[k] = plan_draw(p);
    }
    c->slide_cap = cap;
    c->twist_cap = 100.0;
}

static void pair_make(pair *it, bool is_turned, double cap, uint32_t locks) {
    plan *p = &it->plan;
    tni_stack *stack = &p->stack;
    memset(it, 0, sizeof *it);
    plan_start(p);
    p->seed = 11;
    plan_join(p, 0, 1);
    plan_order(p, 2);
    stack->bodies = p->bodies;
    stack->contacts = it->contacts;
    stack->contact_count = 2;
    stack->hardness = 1.0;
    stack->matrix.diagonal = &p->diagonal[0][0];
    stack->matrix.blocks = &p->blocks[0][0];
    for (uint32_t i = 0; i < 2; ++i) {
        tni_stack_body own = {.mass = 2.0 + i, .inertia = {3.0, 4.0, 5.0, 0.2, -0.3, 0.4}};
        p->bodies[i] = own;
        pair_fill_contact(it, &it->contacts[i], cap);
    }
    p->bodies[0].locks = locks;
    it->contacts[0].a = TNI_STACK_NOBODY;
    it->contacts[1].a = is_turned ? 1 : 0;
    it->contacts[1].b = is_turned ? 0 : 1;
}

// What the rows push the bodies with at a velocity `along` coordinate k.
static void pair_get_push(pair *it, uint32_t k, double along, double out[PAIR_ALL]) {
    tni_stack *stack = &it->plan.stack;
    double v[2][TNI_STACK_FREEDOMS] = {{0.0}};
    v[k / 6][k % 6] = along;
    for (uint32_t i = 0; i < 2; ++i) {
        tni_stack_contact *c = &it->contacts[i];
        tni_stack_get_speeds(c, c->a != TNI_STACK_NOBODY ? v[c->a] : NULL, v[c->b], c->change);
    }
    tni_stack_evaluate(stack);
    for (uint32_t i = 0; i < PAIR_ALL; ++i) {
        out[i] = stack->bodies[i / 6].push[i % 6];
    }
}

static double pair_get_entry(const pair *it, uint32_t row, uint32_t column) {
    uint32_t i = column / 6, j = row / 6, k = 6 * (column % 6) + row % 6;
    if (i == j) {
        return it->plan.diagonal[i][k];
    }
    // Rows of the body that is eliminated later.
    return i < j ? it->plan.blocks[0][k] : it->plan.blocks[0][6 * (row % 6) + column % 6];
}

static void pair_check(bool is_turned, double cap, uint32_t locks) {
    pair *it = calloc(1, sizeof *it);
    cr_assert_not_null(it);
    const double step = 1e-5;
    double high[PAIR_ALL], low[PAIR_ALL];
    pair_make(it, is_turned, cap, locks);
    pair_get_push(it, 0, 0.0, low);
    cr_assert(it->contacts[1].slides == (cap < 1.0));
    tni_stack_assemble(&it->plan.stack);
    for (uint32_t k = 0; k < PAIR_ALL; ++k) {
        double x[TNI_STACK_FREEDOMS] = {0.0}, of_mass[TNI_STACK_FREEDOMS];
        x[k % 6] = 1.0;
        tni_stack_weigh(&it->plan.bodies[k / 6], x, of_mass);
        pair_get_push(it, k, step, high);
        pair_get_push(it, k, -step, low);
        for (uint32_t r = 0; r < PAIR_ALL; ++r) {
            double slope = (r / 6 == k / 6 ? of_mass[r % 6] : 0.0);
            bool is_locked = (r < 6 && (locks >> r & 1) != 0) || (k < 6 && (locks >> k & 1) != 0);
            slope -= (high[r] - low[r]) / (2.0 * step);
            slope = is_locked ? (r == k ? 1.0 : 0.0) : slope;
            TEST_NEAR(pair_get_entry(it, r, k), slope, 1e-6);
        }
    }
    free(it);
}

// M + J^T D J is how what the bodies need, M dv, less what the rows push them with grows with dv;
// whichever body of a contact is eliminated first, where friction holds and where it slides.
Test(stack, the_matrix_is_the_slope_of_what_the_rows_push_with) {
    for (int k = 0; k < 4; ++k) {
        pair_check(k % 2 == 1, k < 2 ? 100.0 : 0.5, 0);
        pair_check(k % 2 == 1, k < 2 ? 100.0 : 0.5,
                   TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y);
    }
}

// ---- fill -------------------------------------------------------------------------------------

Test(stack, what_is_filled_is_what_elimination_joins) {
    plan_start(tested);
    tested->stack.body_count = ROOM;
    uint64_t *sets = tested->stack.matrix.filled;
    tni_stack_put(tni_stack_get_set(&tested->stack, sets, 0), 1);
    tni_stack_put(tni_stack_get_set(&tested->stack, sets, 0), 68);
    tni_stack_put(tni_stack_get_set(&tested->stack, sets, 1), 66);
    tni_stack_fill(&tested->stack);
    cr_assert(tni_stack_has(tni_stack_get_set(&tested->stack, sets, 1), 68));
    cr_assert(tni_stack_count(tni_stack_get_set(&tested->stack, sets, 1), WORDS) == 2);
    cr_assert(tni_stack_has(tni_stack_get_set(&tested->stack, sets, 66), 68));
    cr_assert(tni_stack_count(tni_stack_get_set(&tested->stack, sets, 66), WORDS) == 1);
}

// ---- towers -----------------------------------------------------------------------------------

#define MOST 256

typedef struct tower {
    tn_world *world;
    tn_body_id boxes[MOST];
    int count;
    double size, gravity;
} tower;

static tower tower_create_in(tn_world_def def, int count, double size, double ratio) {
    double gravity = -(double)def.gravity.y;
    tower t = {.world = tn_world_create(&def, NULL), .count = count, .size = size};
    t.gravity = gravity;
    cr_assert_not_null(t.world);
    test_floor_create(t.world);
    for (int i = 0; i < count; ++i) {
        t.boxes[i] = test_body_create(t.world, TN_BODY_TYPE_DYNAMIC, 0.0, size * (i + 0.5), 0.0);
        tn_shape_def box = tn_shape_def_default();
        box.density = i + 1 == count ? (float)(1000.0 * ratio) : 1000.0f;
        float half = (float)(0.5 * size);
        cr_assert(tn_box_shape_create(t.world, t.boxes[i], &box,
                                      (tn_vec3){(double)half, (double)half, (double)half})
                      .value != 0);
    }
    return t;
}

static tower tower_create(int count, double size, double gravity, double ratio, bool sleeps) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, -gravity, 0.0};
    def.is_sleep_allowed = sleeps;
    return tower_create_in(def, count, size, ratio);
}

// How far the top has come down, of a box's size.
static double tower_get_sink(const tower *t) {
    double top = tn_body_get_center(t->world, t->boxes[t->count - 1]).y;
    return (t->size * (t->count - 0.5) - top) / t->size;
}

static double tower_get_drift(const tower *t) {
    double most = 0.0;
    for (int i = 0; i < t->count; ++i) {
        tn_vec3 p = tn_body_get_center(t->world, t->boxes[i]);
        most = fmax(most, hypot(p.x, p.z));
    }
    return most;
}

static double tower_get_kinetic(const tower *t) {
    double sum = 0.0;
    for (int i = 0; i < t->count; ++i) {
        sum += tn_body_get_kinetic_energy(t->world, t->boxes[i]);
    }
    return sum;
}

static double tower_get_energy(const tower *t) {
    double sum = tower_get_kinetic(t);
    for (int i = 0; i < t->count; ++i) {
        double mass = tn_body_get_mass(t->world, t->boxes[i]).mass;
        sum += mass * t->gravity * tn_body_get_center(t->world, t->boxes[i]).y;
    }
    return sum;
}

// Whether all are asleep within so many seconds.
static bool tower_falls_asleep(const tower *t, double seconds) {
    bool is_awake = true;
    for (int i = 0; i < (int)(60.0 * seconds) && is_awake; ++i) {
        test_step(t->world, 1);
        is_awake = false;
        for (int k = 0; k < t->count; ++k) {
            is_awake = is_awake || tn_body_is_awake(t->world, t->boxes[k]);
        }
    }
    return !is_awake;
}

// Points rest 2e-5 of the size deep, and so does each box in the one below it. Twice that is what
// the first substeps may leave.
Test(stack, a_tower_of_forty_stands_without_sinking) {
    tower t = tower_create(40, 1.0, 9.81, 1.0, false);
    test_step(t.world, 300);
    cr_assert(tower_get_sink(&t) < 40.0 * 4e-5, "%g", tower_get_sink(&t));
    cr_assert(tower_get_drift(&t) < 1e-3, "%g m", tower_get_drift(&t));
    cr_assert(tower_get_kinetic(&t) < 0.1, "%g J", tower_get_kinetic(&t));
    tn_world_destroy(t.world);
}

// The largest that a stack may be. Swept it falls within its first second.
Test(stack, a_tower_of_256_stands) {
    tower t = tower_create(256, 1.0, 9.81, 1.0, false);
    test_step(t.world, 120);
    cr_assert(tower_get_sink(&t) < 256.0 * 4e-5, "%g", tower_get_sink(&t));
    cr_assert(tower_get_drift(&t) < 1e-3, "%g m", tower_get_drift(&t));
    tn_world_destroy(t.world);
}

Test(stack, a_tower_of_sixty_falls_asleep_at_once) {
    tower t = tower_create(60, 1.0, 9.81, 1.0, true);
    cr_assert(tower_falls_asleep(&t, 1.0));
    cr_assert(tower_get_sink(&t) < 60.0 * 4e-5, "%g", tower_get_sink(&t));
    tn_world_destroy(t.world);
}

// What a box falls in the first substep before anything holds it, g h^2 / 2, is 8.5 times the size
// of the smallest under the strongest pull: they are to be held at once, not pushed out later.
Test(stack, sink_is_a_ten_thousandth_of_the_size_whatever_the_size_and_the_pull) {
    static const double sizes[] = {0.001, 0.05, 1.0, 50.0}, pulls[] = {1.6, 9.81, 310.0, 981.0};
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            tower t = tower_create(5, sizes[i], pulls[k], 1.0, true);
            cr_assert(tower_falls_asleep(&t, 2.5), "%g m, %g m/s^2", sizes[i], pulls[k]);
            double sink = tower_get_sink(&t);
            cr_assert(sink < 5e-4, "%g m, %g m/s^2: %g", sizes[i], pulls[k], sink);
            cr_assert(tower_get_drift(&t) < 1e-3 * sizes[i]);
            tn_world_destroy(t.world);
        }
    }
}

// In a substep the smallest cubes would fall by 270 times their size. (With an answer that was
// right to a thousandth of a substep's kick, whatever their size, they flew apart within 8 s.)
Test(stack, millimetre_cubes_stand_at_a_hundred_times_the_pull_of_the_earth) {
    static const uint32_t substeps[] = {4, 1};
    for (int i = 0; i < 2; ++i) {
        tower t = tower_create(5, 0.001, 981.0, 1.0, false);
        for (int k = 0; k < 600; ++k) {
            tn_world_step(t.world, 1.0 / 60.0, substeps[i]);
        }
        cr_assert(tower_get_sink(&t) < 5e-3, "%u: %g", substeps[i], tower_get_sink(&t));
        cr_assert(tower_get_drift(&t) < 1e-6, "%u: %g m", substeps[i], tower_get_drift(&t));
        tn_world_destroy(t.world);
    }
}

Test(stack, bears_a_box_a_hundred_and_a_thousand_times_as_heavy) {
    static const int counts[] = {2, 5, 5};
    static const double ratios[] = {1000.0, 100.0, 1000.0};
    for (int i = 0; i < 3; ++i) {
        tower t = tower_create(counts[i], 1.0, 9.81, ratios[i], true);
        cr_assert(tower_falls_asleep(&t, 2.5));
        cr_assert(tower_get_sink(&t) < 1e-4 * counts[i], "%g", tower_get_sink(&t));
        tn_world_destroy(t.world);
    }
}

// A body so small that sweeps would let it sink by more than a ten thousandth of its size.
Test(stack, one_small_cube_does_not_sink) {
    static const double sizes[] = {0.001, 0.05}, pulls[] = {9.81, 981.0};
    for (int i = 0; i < 4; ++i) {
        tower t = tower_create(1, sizes[i / 2], pulls[i % 2], 1.0, true);
        cr_assert(tower_falls_asleep(&t, 2.5));
        cr_assert(tower_get_sink(&t) < 1e-4, "%g", tower_get_sink(&t));
        tn_world_destroy(t.world);
    }
}

// A heavy box on four light feet: each bears 250 times its own weight.
Test(stack, four_light_feet_bear_a_heavy_box) {
    tn_world *world = tn_world_create(NULL, NULL);
    test_floor_create(world);
    tn_shape_def material = tn_shape_def_default();
    for (int i = 0; i < 4; ++i) {
        tn_body_id foot = test_body_create(world, TN_BODY_TYPE_DYNAMIC, i % 2 == 0 ? -0.8 : 0.8,
                                           0.1, i < 2 ? -0.8 : 0.8);
        tn_box_shape_create(world, foot, &material, (tn_vec3){0.1, 0.1, 0.1});
    }
    tn_body_id top = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.2, 0.0);
    tn_box_shape_create(world, top, &material, (tn_vec3){1.0, 1.0, 1.0});
    test_step(world, 300);
    TEST_NEAR(tn_body_get_center(world, top).y, 1.2, 2 * 0.2 * 1e-4);
    tn_world_destroy(world);
}

// Its rows follow the arms, as those of sweeps do. (With the rows of the step's start a tower crept
// outward by 0.11 m in 10 s.)
Test(stack, a_tower_on_a_turntable_goes_round_with_it) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    tn_shape_def material = tn_shape_def_default();
    material.material.friction = 0.9f;
    tn_body_id table = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0);
    tn_box_shape_create(world, table, &material, (tn_vec3){5.0, 0.5, 5.0});
    tn_body_id boxes[4];
    for (int i = 0; i < 4; ++i) {
        boxes[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 1.5, 0.5 + i, 0.0);
        tn_box_shape_create(world, boxes[i], &material, (tn_vec3){0.5, 0.5, 0.5});
    }
    for (int k = 0; k < 300; ++k) {
        tn_velocity velocity = {.angular = {0.0, fmin(k / 120.0, 1.0), 0.0}};
        tn_body_set_velocity(world, table, velocity);
        test_step(world, 1);
    }
    for (int i = 0; i < 4; ++i) {
        tn_vec3 p = tn_body_get_center(world, boxes[i]);
        TEST_NEAR(hypot(p.x, p.z), 1.5, 1e-3);
    }
    tn_world_destroy(world);
}

Test(stack, stands_at_other_rates) {
    static const double rates[] = {30.0, 240.0};
    static const int substeps[] = {4, 4};
    for (int i = 0; i < 2; ++i) {
        tower t = tower_create(20, 1.0, 9.81, 1.0, false);
        for (int k = 0; k < (int)(4.0 * rates[i]); ++k) {
            tn_world_step(t.world, 1.0 / rates[i], (uint32_t)substeps[i]);
        }
        cr_assert(tower_get_sink(&t) < 20.0 * 1e-4, "%g Hz: %g", rates[i], tower_get_sink(&t));
        cr_assert(tower_get_drift(&t) < 1e-3, "%g Hz: %g m", rates[i], tower_get_drift(&t));
        tn_world_destroy(t.world);
    }
}

// Baumgarte's bias has no softness that could hide what sweeps leave undone: swept, ten boxes shake
// and twenty fall.
Test(stack, stands_under_baumgartes_bias) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.contact_bias.mode = TN_BIAS_MODE_BAUMGARTE;
    tower t = tower_create_in(def, 30, 1.0, 1.0);
    test_step(t.world, 300);
    cr_assert(tower_get_sink(&t) < 30.0 * 4e-5, "%g", tower_get_sink(&t));
    cr_assert(tower_get_drift(&t) < 1e-3, "%g m", tower_get_drift(&t));
    cr_assert(tower_get_kinetic(&t) < 0.1, "%g J", tower_get_kinetic(&t));
    tn_world_destroy(t.world);
}

// And shakes what is swept more than twice: a stack is not, however often others are.
Test(stack, stands_under_baumgartes_bias_whatever_the_sweeps) {
    double drift[2], sink[2];
    for (int i = 0; i < 2; ++i) {
        tn_world_def def = tn_world_def_default();
        def.is_sleep_allowed = false;
        def.contact_bias.mode = TN_BIAS_MODE_BAUMGARTE;
        def.contact_iterations = i == 0 ? 2 : 16;
        tower t = tower_create_in(def, 30, 1.0, 1.0);
        test_step(t.world, 300);
        drift[i] = tower_get_drift(&t);
        sink[i] = tower_get_sink(&t);
        tn_world_destroy(t.world);
    }
    cr_assert(drift[0] < 1e-3, "%g m", drift[0]);
    cr_assert(drift[0] == drift[1] && sink[0] == sink[1]);
}

// Solve B adds no energy (the head of stack.c). What points are lifted by after the blow is a few
// depths of 2e-5 m under 196 kN: some joules. A hundredth of the blow's 500 J may be left.
Test(stack, a_blow_in_the_middle_leaves_no_energy_behind) {
    tower t = tower_create(20, 1.0, 9.81, 1.0, false);
    test_step(t.world, 30);
    tn_velocity blow = {.linear = {1.0, 0.0, 0.0}};
    tn_body_set_velocity(t.world, t.boxes[10], blow);
    double least = (double)INFINITY, rise = 0.0;
    for (int i = 0; i < 180; ++i) {
        test_step(t.world, 1);
        double energy = tower_get_energy(&t);
        least = fmin(least, energy);
        rise = fmax(rise, energy - least);
    }
    cr_assert(rise < 20.0, "%g J", rise);
    cr_assert(tower_get_kinetic(&t) < 5.0, "%g J", tower_get_kinetic(&t));
    cr_assert(tower_get_drift(&t) < 0.05, "%g m", tower_get_drift(&t));
    tn_world_destroy(t.world);
}

// After 100 s a blow of 0.5 m/s shakes it; what is kept of that is a shift, which does not grow.
LONG_TEST(stack, a_tower_stands_for_two_hundred_seconds) {
    tower t = tower_create(10, 1.0, 9.81, 1.0, false);
    test_step(t.world, 6000);
    cr_assert(tower_get_drift(&t) < 1e-3, "%g m", tower_get_drift(&t));
    tn_velocity blow = {.linear = {0.5, 0.0, 0.0}};
    tn_body_set_velocity(t.world, t.boxes[5], blow);
    test_step(t.world, 600);
    double shift = tower_get_drift(&t);
    cr_assert(shift < 0.05, "%g m", shift);
    test_step(t.world, 5400);
    TEST_NEAR(tower_get_drift(&t), shift, 1e-3);
    cr_assert(tower_get_sink(&t) < 10.0 * 4e-5, "%g", tower_get_sink(&t));
    cr_assert(tower_get_kinetic(&t) < 1e-3, "%g J", tower_get_kinetic(&t));
    tn_world_destroy(t.world);
}

// ---- statics ----------------------------------------------------------------------------------

// Eight blocks of length L: the k-th from the top may reach L / 2k over the one below it (C. Hall,
// "Fun with stacking blocks", Am. J. Phys. 73, 2005).
static double fall_of_overhang(double factor, double rate) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id blocks[8];
    double reach = 0.0, lowest = 0.0;
    for (int i = 7; i >= 0; --i) {
        tn_body_type type = i == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
        blocks[i] = test_box_create(world, type, reach, 0.5 * i, 0.0, (tn_vec3){1.0, 0.25, 0.5});
        reach -= factor * 2.0 / (2.0 * (8 - i));
    }
    for (int k = 0; k < (int)(5.0 * rate); ++k) {
        tn_world_step(world, 1.0 / rate, 4);
    }
    for (int i = 0; i < 8; ++i) {
        lowest = fmax(lowest, 0.5 * i - tn_body_get_center(world, blocks[i]).y);
    }
    tn_world_destroy(world);
    return lowest;
}

LONG_TEST(stack, an_overhang_of_eight_falls_beyond_the_harmonic_sum_and_not_before) {
    static const double rates[] = {30.0, 60.0, 240.0};
    for (int i = 0; i < 3; ++i) {
        double stands = fall_of_overhang(0.97, rates[i]), falls = fall_of_overhang(1.03, rates[i]);
        cr_assert(stands < 1e-3, "%g Hz: %g m", rates[i], stands);
        cr_assert(falls > 0.1, "%g Hz: %g m", rates[i], falls);
    }
}

// Three boxes on a slope slide together, each on the next at the same angle: they rest up to
// atan(friction), and beyond it all of them go down with g (sin - friction cos).
Test(stack, a_stack_on_a_slope_slides_beyond_the_angle_of_friction) {
    for (int i = 0; i < 2; ++i) {
        double angle = atan(0.5) * (i == 0 ? 0.97 : 1.1);
        tn_world_def def = tn_world_def_default();
        def.is_sleep_allowed = false;
        def.gravity = (tn_vec3){9.81 * sin(angle), -9.81 * cos(angle), 0.0};
        tn_world *world = tn_world_create(&def, NULL);
        tn_material material = {.friction = 0.5f};
        tn_shape_set_material(world, test_first_shape(world, test_floor_create(world)), material);
        tn_body_id first = {0};
        for (int k = 0; k < 3; ++k) {
            tn_body_id body =
                test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.1 + 0.2 * k, 0.0);
            tn_shape_def box = tn_shape_def_default();
            box.material = material;
            tn_box_shape_create(world, body, &box, (tn_vec3){0.5, 0.1, 0.5});
            first = k == 0 ? body : first;
        }
        test_step(world, 60);
        double pull = fmax(9.81 * (sin(angle) - 0.5 * cos(angle)), 0.0);
        TEST_NEAR(tn_body_get_center(world, first).x, 0.5 * pull, 0.01 * 0.5 * pull + 1e-3);
        tn_world_destroy(world);
    }
}

// Freedoms that are locked take no part, and the others find what they bear.
Test(stack, a_tower_in_a_plane_stands) {
    tn_world_def def = tn_world_def_default();
    tn_world *world = tn_world_create(&def, NULL);
    test_floor_create(world);
    tn_body_id top = {0};
    for (int i = 0; i < 10; ++i) {
        tn_body_def body = tn_body_def_default();
        body.pose.position.y = i + 0.5;
        body.locks = TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y;
        top = tn_body_create(world, &body);
        tn_shape_def box = tn_shape_def_default();
        tn_box_shape_create(world, top, &box, (tn_vec3){0.5, 0.5, 0.5});
    }
    test_step(world, 60);
    tn_vec3 p = tn_body_get_center(world, top);
    TEST_NEAR(p.y, 9.5, 10.0 * 4e-5);
    TEST_NEAR(p.x, 0.0, 1e-3);
    TEST_NEAR(p.z, 0.0, 0.0);
    cr_assert(!tn_body_is_awake(world, top));
    tn_world_destroy(world);
}

// A box whose inertia is a hundredth or a hundred thousandth of its own slides v^2 / (2 friction g)
// as any other does, and lies flat. (Swept, it slides 0.46 m and 7 m, jumping.) A sixth of the way
// is left to the tilt by which so little inertia answers friction.
Test(stack, a_box_of_tiny_inertia_slides_without_jumping) {
    static const double shares[] = {0.01, 1e-3, 1e-5};
    for (int i = 0; i < 3; ++i) {
        tn_world_def def = tn_world_def_default();
        def.is_sleep_allowed = false;
        tn_world *world = tn_world_create(&def, NULL);
        test_floor_create(world);
        tn_body_id box =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
        tn_mass mass = tn_body_get_mass(world, box);
        mass.inertia.xx *= shares[i];
        mass.inertia.yy *= shares[i];
        mass.inertia.zz *= shares[i];
        tn_body_set_mass(world, box, mass);
        tn_velocity velocity = {.linear = {2.0, 0.0, 0.0}};
        tn_body_set_velocity(world, box, velocity);
        double highest = 0.0;
        for (int k = 0; k < 120; ++k) {
            test_step(world, 1);
            highest = fmax(highest, tn_body_get_center(world, box).y);
        }
        double way = 2.0 * 2.0 / (2.0 * 0.6 * 9.81);
        TEST_NEAR(tn_body_get_center(world, box).x, way, way / 6.0);
        cr_assert(highest < 0.501, "%g: %g m", shares[i], highest);
        tn_world_destroy(world);
    }
}
