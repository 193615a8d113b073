// solver/stacks/stack_matrix.c: a stack's impulses at given velocities, and the matrix of the rows
// that give way.
//
// The projection P and the matrix M + J^T D J are derived in stack.c. With G = J^T D J of a contact
// about the centre of a, and X the map of a push about a's centre to one about b's, the contact
// adds G to the block of a, X G X^T to that of b, and -G X^T between them.
// Test: tests/solver/stacks/test_stack.c
#include <string.h>

#include "solver/solver.h"
#include "solver/stacks/stack_rows.h"

// ---- impulses ---------------------------------------------------------------------------------

void tni_stack_project(const tni_stack *stack, tni_stack_contact *c, double along) {
    double y[TNI_STACK_ROWS], *x = c->wanted;
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        double speed = c->speed[r] + c->change[r] + along * c->step[r];
        y[r] = c->center[r] - stack->hardness * c->stiffness[r] * speed;
    }
    c->set = 0;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        bool is_open = (c->open >> p & 1) != 0, pushes = !is_open && y[p] > 0.0;
        x[p] = is_open ? c->old[p] : (pushes ? y[p] : 0.0);
        c->set |= pushes ? (uint8_t)(1u << p) : 0;
    }
    double *slide = &x[TNI_STACK_SLIDE], y1 = y[TNI_STACK_SLIDE], y2 = y[TNI_STACK_SLIDE + 1];
    double square = y1 * y1 + y2 * y2, cap = c->slide_cap;
    c->slides = square > cap * cap;
    slide[0] = y1;
    slide[1] = y2;
    if (c->slides) {
        double inverse = 1.0 / sqrt(square);
        c->slide_along[0] = y1 * inverse;
        c->slide_along[1] = y2 * inverse;
        c->slide_share = cap * inverse;
        slide[0] = cap * c->slide_along[0];
        slide[1] = cap * c->slide_along[1];
        c->slides = c->slide_share * stack->hardness > STACK_SOFTNESS;
    } else {
        c->set |= STACK_STICKS;
    }
    double twist = y[TNI_STACK_TWIST], most = c->twist_cap;
    bool holds = twist <= most && twist >= -most;
    x[TNI_STACK_TWIST] = holds ? twist : (twist > 0.0 ? most : -most);
    c->set |= holds ? STACK_TWISTS : 0;
}

// Adds `x` times the rows to the pushes of the bodies.
static void stack_push(tni_stack *stack, const tni_stack_contact *c,
                       const double x[TNI_STACK_ROWS]) {
    double push[STACK_N] = {0.0};
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        for (uint32_t k = 0; k < STACK_N; ++k) {
            push[k] += x[r] * c->rows[r][k];
        }
    }
    if (c->a != TNI_STACK_NOBODY) {
        for (uint32_t k = 0; k < STACK_N; ++k) {
            stack->bodies[c->a].push[k] -= push[k];
        }
    }
    if (c->b != TNI_STACK_NOBODY) {
        double *to = stack->bodies[c->b].push;
        for (uint32_t k = 0; k < STACK_N; ++k) {
            to[k] += push[k];
        }
        tni_stack_add_cross(to + 3, c->offset, push);
    }
}

// Adds up the pushes that the change of the impulses gives the bodies.
static void stack_push_all(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        memset(stack->bodies[i].push, 0, sizeof stack->bodies[i].push);
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        const tni_stack_contact *c = &stack->contacts[i];
        double difference[TNI_STACK_ROWS];
        if (c->is_shut) {
            for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
                difference[r] = c->wanted[r] - c->old[r];
            }
            stack_push(stack, c, difference);
        }
    }
}

bool tni_stack_evaluate(tni_stack *stack) {
    bool is_exact = true;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (c->is_shut) {
            tni_stack_project(stack, c, 0.0);
        }
        bool is_same = c->set == c->factored && !c->slides;
        stack->matrix.is_factored = stack->matrix.is_factored && is_same;
        is_exact = is_exact && ((c->set & STACK_STICKS) != 0 || !(c->slide_cap > 0.0));
    }
    stack_push_all(stack);
    return is_exact && stack->matrix.is_factored;
}

// ---- the matrix -------------------------------------------------------------------------------

// Adds J^T D J of a row about the centre of a, lower triangle and upper.
static void stack_add_row(double g[STACK_N][STACK_N], const double row[STACK_N], double stiffness) {
    for (uint32_t k = 0; k < STACK_N; ++k) {
        double scaled = stiffness * row[k];
        for (uint32_t l = k & ~1u; l < STACK_N; ++l) { // in pairs
            g[k][l] += scaled * row[l];
        }
    }
}

// Adds friction that slides: across its direction, and a share along it.
static void stack_add_slide(const tni_stack *stack, const tni_stack_contact *c,
                            double g[STACK_N][STACK_N]) {
    const double *t1 = c->rows[TNI_STACK_SLIDE], *t2 = c->rows[TNI_STACK_SLIDE + 1];
    double stiffness = stack->hardness * c->stiffness[TNI_STACK_SLIDE] * c->slide_share;
    double across[STACK_N], along[STACK_N];
    for (uint32_t k = 0; k < STACK_N; ++k) {
        across[k] = c->slide_along[0] * t2[k] - c->slide_along[1] * t1[k];
        along[k] = c->slide_along[0] * t1[k] + c->slide_along[1] * t2[k];
    }
    stack_add_row(g, across, stiffness);
    if (stack->roundness > 0.0) {
        stack_add_row(g, along, stiffness * stack->roundness);
    }
}

static void stack_weigh_contact(const tni_stack *stack, const tni_stack_contact *c,
                                double g[STACK_N][STACK_N]) {
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        if ((c->set >> r & 1) != 0) {
            stack_add_row(g, c->rows[r], stack->hardness * c->stiffness[r]);
        }
    }
    if (c->slides) {
        stack_add_slide(stack, c, g);
    }
    for (uint32_t k = 1; k < STACK_N; ++k) {
        for (uint32_t l = 0; l < k; ++l) {
            g[k][l] = g[l][k];
        }
    }
}

static void stack_add_block(double *restrict block, const double from[STACK_N][STACK_N],
                            double sign) {
    for (uint32_t k = 0; k < STACK_N; ++k) {
        for (uint32_t l = 0; l < STACK_N; ++l) {
            block[k * STACK_N + l] += sign * from[k][l];
        }
    }
}

// Adds G, G X^T and X G X^T of a contact, where X maps a push about a's centre to b's. Blocks are
// column by column, so that the block of rows of b and columns of a is the one that is written as G
// X^T.
static void stack_assemble_contact(tni_stack *stack, const tni_stack_contact *c) {
    double g[STACK_N][STACK_N] = {{0.0}}, h[STACK_N][STACK_N];
    stack_weigh_contact(stack, c, g);
    if (c->a != TNI_STACK_NOBODY) {
        stack_add_block(stack->matrix.diagonal + (size_t)c->a * TNI_STACK_BLOCK, (void *)g, 1.0);
    }
    if (c->b == TNI_STACK_NOBODY) {
        return;
    }
    if (c->a != TNI_STACK_NOBODY) {
        uint32_t first = c->a < c->b ? c->a : c->b, second = c->a < c->b ? c->b : c->a;
        tni_stack_put(tni_stack_get_set(stack, stack->matrix.filled, first), second);
    }
    for (uint32_t k = 0; k < STACK_N; ++k) {
        tni_stack_add_cross(&g[k][3], c->offset, g[k]);
    }
    if (c->a != TNI_STACK_NOBODY && c->a < c->b) {
        stack_add_block(tni_stack_get_block(stack, c->a, c->b), (void *)g, -1.0);
    }
    for (uint32_t k = 0; k < STACK_N; ++k) {
        for (uint32_t l = 0; l < STACK_N; ++l) {
            h[l][k] = g[k][l];
        }
    }
    if (c->a != TNI_STACK_NOBODY && c->a > c->b) {
        stack_add_block(tni_stack_get_block(stack, c->b, c->a), (void *)h, -1.0);
    }
    for (uint32_t k = 0; k < STACK_N; ++k) {
        tni_stack_add_cross(&h[k][3], c->offset, h[k]);
    }
    stack_add_block(stack->matrix.diagonal + (size_t)c->b * TNI_STACK_BLOCK, (void *)h, 1.0);
}

static void stack_set_mass(const tni_stack_body *body, double *d) {
    static const uint8_t entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    memset(d, 0, TNI_STACK_BLOCK * sizeof *d);
    for (uint32_t k = 0; k < 3; ++k) {
        d[k * STACK_N + k] = body->mass;
        for (uint32_t l = 0; l < 3; ++l) {
            d[(3 + k) * STACK_N + 3 + l] = body->inertia[entry[k][l]];
        }
    }
}

// Locks the freedoms of a body: a locked one has a row and a column of its own.
static void stack_lock(tni_stack *stack, uint32_t i) {
    uint32_t locks = stack->bodies[i].locks;
    for (uint32_t k = 0; k < STACK_N; ++k) {
        double *d = stack->matrix.diagonal + (size_t)i * TNI_STACK_BLOCK;
        if ((locks >> k & 1) == 0) {
            continue;
        }
        for (uint32_t l = 0; l < STACK_N; ++l) {
            d[k * STACK_N + l] = d[l * STACK_N + k] = l == k ? 1.0 : 0.0;
        }
        for (uint32_t j = 0; j < stack->body_count; ++j) {
            bool is_first = i < j;
            uint32_t first = is_first ? i : j, second = is_first ? j : i;
            bool has = tni_stack_has(tni_stack_get_set(stack, stack->matrix.filled, first), second);
            double *block = j == i || !has ? NULL : tni_stack_get_block(stack, first, second);
            for (uint32_t l = 0; l < STACK_N && block != NULL; ++l) {
                block[is_first ? k * STACK_N + l : l * STACK_N + k] = 0.0;
            }
        }
    }
}

void tni_stack_assemble(tni_stack *stack) {
    memset(stack->matrix.filled, 0,
           (size_t)stack->body_count * stack->matrix.words * sizeof *stack->matrix.filled);
    memset(stack->matrix.blocks, 0,
           (size_t)stack->matrix.block_count * TNI_STACK_BLOCK * sizeof(double));
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        stack_set_mass(&stack->bodies[i], stack->matrix.diagonal + (size_t)i * TNI_STACK_BLOCK);
    }
    stack->matrix.is_factored = true;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        c->factored = c->is_shut ? c->set : 0;
        if (c->factored != 0 || c->slides) {
            stack_assemble_contact(stack, c);
        }
    }
    tni_stack_fill(stack);
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        if (stack->bodies[i].locks != 0) {
            stack_lock(stack, i);
        }
    }
}
