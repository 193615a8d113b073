// solver/joint_block.c: the rows of joints under projected Gauss-Seidel.
//
// A block's equality rows are one dense system: see solver/equality.h. In solve A the bias carries
// the error C to its soft target at the end of the substep,
//     bias = rate C + h/2 Jdot v
// where the second term is the part of C(q + h v) that J v leaves out (the centripetal drift); in
// solve B, at the new pose, bias and softness are zero and J v = 0.
//
// Bounded rows come one at a time, after the equalities, which they leave as they are: a bounded
// row b acts through the joint it belongs to: with y = K^-1 J_E W J_b^T its impulse x takes -y x of
// the equality rows along, so that it leaves J_E v as it is; its mass is that of J' = J_b - y J_E.
// Without that, the motor of a hinge far from the centre of mass would feel the bare inertia and
// fight the hinge for many sweeps. In solve A the equalities are soft, K + gamma K in place of K,
// and (K + gamma K)^-1 = mass_scale K^-1: there it is mass_scale y. With all of y the equalities
// would give way next sweep to more than was put on them, and the two would drive each other up.
//     LIMIT   C >= 0 with x >= 0: J v >= -C/h while it is open, soft bias when it is passed
//     SPEED   J v = target with |x| <= max_force h, half of that in solve A
//     SPRING  one theta step. Solve A applies x = -theta h [k (C + theta h J v) + c (J v -
//     target)],
//             implicit in J v; the second kick applies (1 - theta)/theta x. theta = 1/2 is the
//             implicit midpoint rule: second order, no loss of energy. For springs too stiff for
//             the substep theta rises to 1, implicit Euler, which damps what it cannot resolve.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (rows, J W J^T); E. Catto,
// "Iterative dynamics with temporal coherence", 2005 (accumulated impulses, clamping).
#include "solver/equality.h"

// Springs with h^2 k/m + h c/m up to the first figure use the midpoint rule, from the second on
// Euler.
#define JOINT_SPRING_MIDPOINT 0.5f
#define JOINT_SPRING_EULER    2.0f
// The greatest h^2 k/m and h c/m of a spring.
#define JOINT_SPRING_STIFFEST 1e6f
// rad: the prediction of Jdot v fades out from one radian before this turn in a substep to it.
#define JOINT_PREDICTION_END 1.5f
// rad: the bias of angular rows fades out likewise. What they correct turns with the body while the
// correction acts, and past half a turn it would push the wrong way.
#define JOINT_BIAS_TURN 2.5f
// A limit without impulse is left alone while it is open by this much (m or rad), and by what it
// would close in this many substeps at its present speed.
#define JOINT_DORMANT_ERROR    0.02f
#define JOINT_DORMANT_SUBSTEPS 4.0f
// A bounded row whose response through the joint falls under this share of its own is held by it.
#define JOINT_RESPONSE_FLOOR 1e-5f

// ---- rows on velocities ----------------------------------------------------------------------

static inline float joint_row_speed(const tni_row *row, const tni_body_state *a,
                                    const tni_body_state *b) {
    return glms_vec3_dot(row->lin_a, a->v) + glms_vec3_dot(row->ang_a, a->w) +
           glms_vec3_dot(row->lin_b, b->v) + glms_vec3_dot(row->ang_b, b->w);
}

// How much of y the equalities give.
static inline float joint_answer_share(const tni_joint_block *block, bool use_bias) {
    return use_bias ? block->softness.mass_scale : 1.0f;
}

// Adds the impulse x on a bounded row, with what the equalities of its joint do about it.
static inline void joint_bounded_apply(const tni_solver *solver, const tni_joint_block *block,
                                       uint32_t index, float x, tni_body_state *a,
                                       tni_body_state *b, bool use_bias) {
    const tni_row *row = &solver->rows[block->first_row + index];
    const tni_row_response *answer = &solver->row_responses[block->first_row + index];
    float back = -joint_answer_share(block, use_bias);
    vec3s lin_a = maths_vec3_add_scaled(row->lin_a, back, answer->lin_a);
    vec3s ang_a = maths_vec3_add_scaled(row->ang_a, back, answer->ang_a);
    vec3s lin_b = maths_vec3_add_scaled(row->lin_b, back, answer->lin_b);
    vec3s ang_b = maths_vec3_add_scaled(row->ang_b, back, answer->ang_b);
    a->v = maths_vec3_add_scaled(a->v, x, glms_vec3_mul(a->inv_mass, lin_a));
    a->w = maths_vec3_add_scaled(a->w, x, sym3_mul(a->inv_inertia, ang_a));
    b->v = maths_vec3_add_scaled(b->v, x, glms_vec3_mul(b->inv_mass, lin_b));
    b->w = maths_vec3_add_scaled(b->w, x, sym3_mul(b->inv_inertia, ang_b));
    solver->row_states[block->first_row + index].impulse += x;
    if (block->equality_count > 0) {
        float *impulse = tni_equality_impulse(block->equality, block->lanes);
        for (uint32_t i = 0; i < block->equality_count; ++i) {
            impulse[i] += back * answer->through[i] * x;
        }
    }
}

// The sum over rows first, then one multiplication by the inverse masses.
static inline void joint_rows_apply(const tni_row *rows, const float *x, uint32_t n,
                                    tni_body_state *a, tni_body_state *b) {
    vec3s pa = maths_vec3_zero(), qa = pa, pb = pa, qb = pa;
    for (uint32_t i = 0; i < n; ++i) {
        pa = maths_vec3_add_scaled(pa, x[i], rows[i].lin_a);
        qa = maths_vec3_add_scaled(qa, x[i], rows[i].ang_a);
        pb = maths_vec3_add_scaled(pb, x[i], rows[i].lin_b);
        qb = maths_vec3_add_scaled(qb, x[i], rows[i].ang_b);
    }
    a->v = glms_vec3_add(a->v, glms_vec3_mul(a->inv_mass, pa));
    a->w = glms_vec3_add(a->w, sym3_mul(a->inv_inertia, qa));
    b->v = glms_vec3_add(b->v, glms_vec3_mul(b->inv_mass, pb));
    b->w = glms_vec3_add(b->w, sym3_mul(b->inv_inertia, qb));
}

// ---- refresh ----------------------------------------------------------------------------------

// The biases of solve A: the soft feedback of the error, and the drift that J v leaves out.
static void joint_set_biases(tni_joint_block *block, const tni_row *rows) {
    float *bias = tni_equality_bias(block->equality, block->lanes);
    for (uint32_t i = 0; i < block->equality_count; ++i) {
        float error = rows[i].error;
        error -= maths_clamp(error, -block->slop, block->slop);
        error *= rows[i].is_angular ? block->angular_share : 1.0f;
        bias[i] = maths_clamp(block->softness.rate * error, -block->max_speed, block->max_speed) +
                  block->prediction * rows[i].velocity_term;
    }
}

static void joint_refresh_equalities(tni_joint_block *block, const tni_row *rows,
                                     const tni_body_state *a, const tni_body_state *b) {
    switch (block->equality_count) {
    case 1:
        tni_equality_refresh(block->equality, 4, rows, 1, a, b);
        break;
    case 3:
        tni_equality_refresh(block->equality, 4, rows, 3, a, b);
        break;
    case 5:
        tni_equality_refresh(block->equality, 8, rows, 5, a, b);
        break;
    default:
        tni_equality_refresh(block->equality, 8, rows, 6, a, b);
        break;
    }
    joint_set_biases(block, rows);
}

// Of a spring that the joint holds already (k_row zero) nothing is left. One stiffer than a float
// can tell from a rigid row is taken as that stiff.
static void joint_prepare_spring(const tni_row *row, tni_row_state *state, float k_row,
                                 float soft_k_row, float h) {
    float mass = maths_inverse_or_zero(k_row);
    float stiffest = JOINT_SPRING_STIFFEST * mass * maths_inverse_or_zero(h * h);
    float stiffness = row->stiffness, damping = row->damping;
    if (row->kind == TNI_ROW_FREQUENCY) {
        float omega = 2.0f * (float)MATHS_PI * row->stiffness;
        stiffness = mass * omega * omega;
        damping = 2.0f * mass * row->damping * omega;
    }
    stiffness = maths_min(stiffness, stiffest);
    damping = maths_min(damping, stiffest * h);
    float speed = h * (h * stiffness + damping) * k_row;
    float rise = (speed - JOINT_SPRING_MIDPOINT) / (JOINT_SPRING_EULER - JOINT_SPRING_MIDPOINT);
    float theta = 0.5f + 0.5f * maths_clamp(rise, 0.0f, 1.0f);
    float part = theta * h;
    state->share = theta;
    state->gamma = maths_inverse_or_zero(part * (part * stiffness + damping));
    state->bias = part * (stiffness * row->error - damping * row->target_speed) * state->gamma;
    state->soft_mass = state->gamma > 0.0f ? 1.0f / (soft_k_row + state->gamma) : 0.0f;
}

// What the block's equalities do about an impulse on a bounded row. Returns the row's own response
// J_b W J_b^T, and what of it they take back, J_b W (y J_E)^T.
static float joint_project_bounded(const tni_joint_block *block, const tni_row *rows,
                                   const tni_row *row, const tni_body_state *a,
                                   const tni_body_state *b, tni_row_response *response,
                                   float *out_answer) {
    vec3s la = glms_vec3_mul(a->inv_mass, row->lin_a);
    vec3s aa = sym3_mul(a->inv_inertia, row->ang_a);
    vec3s lb = glms_vec3_mul(b->inv_mass, row->lin_b);
    vec3s ab = sym3_mul(b->inv_inertia, row->ang_b);
    float k = glms_vec3_dot(la, row->lin_a) + glms_vec3_dot(aa, row->ang_a) +
              glms_vec3_dot(lb, row->lin_b) + glms_vec3_dot(ab, row->ang_b);
    float coupling[8] = {0};
    for (uint32_t i = 0; i < block->equality_count; ++i) {
        coupling[i] = glms_vec3_dot(la, rows[i].lin_a) + glms_vec3_dot(aa, rows[i].ang_a) +
                      glms_vec3_dot(lb, rows[i].lin_b) + glms_vec3_dot(ab, rows[i].ang_b);
    }
    if (block->equality_count > 0) {
        tni_equality_solve_system(block->equality, block->lanes, block->equality_count, coupling,
                                  response->through);
    }
    response->lin_a = response->ang_a = maths_vec3_zero();
    response->lin_b = response->ang_b = maths_vec3_zero();
    float answer = 0.0f;
    for (uint32_t i = 0; i < block->equality_count; ++i) {
        float y = response->through[i];
        answer += y * coupling[i];
        response->lin_a = maths_vec3_add_scaled(response->lin_a, y, rows[i].lin_a);
        response->ang_a = maths_vec3_add_scaled(response->ang_a, y, rows[i].ang_a);
        response->lin_b = maths_vec3_add_scaled(response->lin_b, y, rows[i].lin_b);
        response->ang_b = maths_vec3_add_scaled(response->ang_b, y, rows[i].ang_b);
    }
    *out_answer = answer;
    return k;
}

static bool joint_is_dormant(const tni_solver *solver, const tni_row *row,
                             const tni_row_state *state, const tni_body_state *a,
                             const tni_body_state *b) {
    if (row->kind != TNI_ROW_LIMIT || state->impulse > 0.0f || state->warm > 0.0f) {
        return false;
    }
    float closing = maths_max(-joint_row_speed(row, a, b), 0.0f);
    return row->error > JOINT_DORMANT_ERROR + JOINT_DORMANT_SUBSTEPS * solver->h * closing;
}

static void joint_prepare_bounded(const tni_solver *solver, const tni_joint_block *block,
                                  uint32_t index, const tni_body_state *a,
                                  const tni_body_state *b) {
    const tni_row *rows = solver->rows + block->first_row;
    const tni_row *row = &rows[index];
    tni_row_state *state = &solver->row_states[block->first_row + index];
    tni_row_response *response = &solver->row_responses[block->first_row + index];
    state->is_dormant = joint_is_dormant(solver, row, state, a, b);
    if (state->is_dormant) {
        return;
    }
    float answer;
    float own = joint_project_bounded(block, rows, row, a, b, response, &answer);
    float k = own - answer, soft_k = own - joint_answer_share(block, true) * answer;
    if (!(k > JOINT_RESPONSE_FLOOR * own)) {
        k = soft_k = 0.0f; // the equalities hold the row already
    }
    if (row->kind == TNI_ROW_SPRING || row->kind == TNI_ROW_FREQUENCY) {
        joint_prepare_spring(row, state, k, soft_k, solver->h);
    } else {
        state->mass = maths_inverse_or_zero(k);
        state->soft_mass = maths_inverse_or_zero(soft_k);
    }
}

static void joint_fade_with_turn(const tni_solver *solver, tni_joint_block *block,
                                 const tni_body_state *a, const tni_body_state *b) {
    float turn = solver->h * sqrtf(maths_max(glms_vec3_dot(a->w, a->w), glms_vec3_dot(b->w, b->w)));
    float bias_fade = turn / JOINT_BIAS_TURN;
    block->prediction = 0.5f * solver->h * maths_clamp(JOINT_PREDICTION_END - turn, 0.0f, 1.0f);
    block->angular_share = maths_max(0.0f, 1.0f - bias_fade * bias_fade);
}

static void joint_block_refresh(tni_solver *solver, tni_joint_block *block) {
    const tni_body_state *a = &solver->states[block->body_a];
    const tni_body_state *b = &solver->states[block->body_b];
    tni_row *rows = solver->rows + block->first_row;
    tni_joint_emit(block->joint, &solver->motions[block->body_a], &solver->motions[block->body_b],
                   rows);
    joint_fade_with_turn(solver, block, a, b);
    if (block->equality_count > 0) {
        joint_refresh_equalities(block, rows, a, b);
    }
    for (uint32_t i = block->equality_count; i < block->row_count; ++i) {
        joint_prepare_bounded(solver, block, i, a, b);
    }
}

void tni_joint_blocks_refresh(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        joint_block_refresh(solver, &solver->joints[i]);
    }
}

// ---- warm start -------------------------------------------------------------------------------

static bool joint_row_is_spring(const tni_row *row) {
    return row->kind == TNI_ROW_SPRING || row->kind == TNI_ROW_FREQUENCY;
}

// First half: half of the last impulse; a spring, whose impulse is that of solve A, all of it.
// Second half: the other half; a spring what is left of its step.
static float joint_row_warm_impulse(const tni_row *row, tni_row_state *state, bool is_first_half) {
    if (joint_row_is_spring(row)) {
        return is_first_half
                   ? state->impulse
                   : state->impulse * (1.0f - state->share) * maths_inverse_or_zero(state->share);
    }
    if (is_first_half) {
        state->warm = 0.5f * state->impulse;
        state->impulse = state->warm;
    } else {
        state->impulse += state->warm;
    }
    return state->warm;
}

static void joint_warm_start_equalities(tni_joint_block *block, bool is_first_half,
                                        tni_body_state *a, tni_body_state *b) {
    switch (block->equality_count) {
    case 1:
        tni_equality_warm_start(block->equality, 4, 1, is_first_half, a, b);
        break;
    case 3:
        tni_equality_warm_start(block->equality, 4, 3, is_first_half, a, b);
        break;
    case 5:
        tni_equality_warm_start(block->equality, 8, 5, is_first_half, a, b);
        break;
    default:
        tni_equality_warm_start(block->equality, 8, 6, is_first_half, a, b);
        break;
    }
}

void tni_joint_blocks_warm_start(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        tni_joint_block *block = &solver->joints[i];
        tni_body_state *a = &solver->states[block->body_a];
        tni_body_state *b = &solver->states[block->body_b];
        if (block->equality_count > 0) {
            joint_warm_start_equalities(block, is_first_half, a, b);
        }
        uint32_t bounded = (uint32_t)block->row_count - block->equality_count;
        if (bounded == 0) {
            continue;
        }
        uint32_t first = block->first_row + block->equality_count;
        float x[TNI_JOINT_MAX_ROWS];
        for (uint32_t r = 0; r < bounded; ++r) {
            x[r] = joint_row_warm_impulse(&solver->rows[first + r], &solver->row_states[first + r],
                                          is_first_half);
        }
        joint_rows_apply(&solver->rows[first], x, bounded, a, b);
    }
}

// ---- solve ------------------------------------------------------------------------------------

static float joint_limit_impulse(const tni_solver *solver, const tni_joint_block *block,
                                 const tni_row *row, const tni_row_state *state, float speed,
                                 bool use_bias) {
    float bias = 0.0f, mass_scale = 1.0f, impulse_scale = 0.0f;
    float mass = use_bias ? state->soft_mass : state->mass;
    float drift = use_bias ? block->prediction * row->velocity_term : 0.0f;
    if (row->error > 0.0f) {
        bias = row->error / solver->h + drift;
    } else if (use_bias) {
        bias = maths_max(block->softness.rate * row->error, -block->max_speed) + drift;
        mass_scale = block->softness.mass_scale;
        impulse_scale = block->softness.impulse_scale;
    }
    float x = state->impulse - mass_scale * mass * (speed + bias) - impulse_scale * state->impulse;
    return maths_max(x, 0.0f);
}

// The row's new accumulated impulse, clamped to its own bounds.
static float joint_bounded_impulse(const tni_solver *solver, const tni_joint_block *block,
                                   const tni_row *row, const tni_row_state *state, float speed,
                                   bool use_bias) {
    if (row->kind == TNI_ROW_LIMIT) {
        return joint_limit_impulse(solver, block, row, state, speed, use_bias);
    }
    float mass = use_bias ? state->soft_mass : state->mass;
    if (row->kind == TNI_ROW_SPEED) {
        return state->impulse - mass * (speed - row->target_speed);
    }
    return state->impulse - mass * (speed + state->bias + state->gamma * state->impulse);
}

static float joint_bounded_cap(const tni_solver *solver, const tni_row *row,
                               const tni_row_state *state, bool use_bias) {
    if (row->kind == TNI_ROW_LIMIT) {
        return INFINITY;
    }
    if (joint_row_is_spring(row)) {
        return row->max_force * state->share * solver->h;
    }
    return row->max_force * solver->h * (use_bias ? 0.5f : 1.0f);
}

static void joint_solve_single(const tni_solver *solver, const tni_joint_block *block,
                               uint32_t index, tni_body_state *a, tni_body_state *b,
                               bool use_bias) {
    const tni_row *row = &solver->rows[block->first_row + index];
    const tni_row_state *state = &solver->row_states[block->first_row + index];
    float speed = joint_row_speed(row, a, b);
    float cap = joint_bounded_cap(solver, row, state, use_bias);
    float x = joint_bounded_impulse(solver, block, row, state, speed, use_bias);
    x = maths_clamp(x, -cap, cap);
    joint_bounded_apply(solver, block, index, x - state->impulse, a, b, use_bias);
}

// Three rows whose impulse is one vector: each is solved freely, then the vector is shortened to
// the cap.
static void joint_solve_group(const tni_solver *solver, const tni_joint_block *block,
                              uint32_t index, tni_body_state *a, tni_body_state *b, bool use_bias) {
    const tni_row *rows = &solver->rows[block->first_row + index];
    const tni_row_state *states = &solver->row_states[block->first_row + index];
    float square = 0.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        float speed = joint_row_speed(&rows[i], a, b);
        float x = joint_bounded_impulse(solver, block, &rows[i], &states[i], speed, use_bias);
        joint_bounded_apply(solver, block, index + i, x - states[i].impulse, a, b, use_bias);
        square += x * x;
    }
    float length = sqrtf(square);
    float cap = joint_bounded_cap(solver, &rows[0], &states[0], use_bias);
    if (!(length > cap)) {
        return;
    }
    float excess = cap / length - 1.0f;
    for (uint32_t i = 0; i < 3; ++i) {
        joint_bounded_apply(solver, block, index + i, excess * states[i].impulse, a, b, use_bias);
    }
}

static void joint_solve_bounded(const tni_solver *solver, const tni_joint_block *block,
                                tni_body_state *a, tni_body_state *b, bool use_bias) {
    const tni_row *rows = solver->rows + block->first_row;
    const tni_row_state *states = solver->row_states + block->first_row;
    for (uint32_t i = block->equality_count; i < block->row_count; ++i) {
        bool is_at_rest = joint_row_is_spring(&rows[i]) && !use_bias;
        if (is_at_rest || states[i].is_dormant) {
            continue;
        }
        if (rows[i].group == 3) {
            joint_solve_group(solver, block, i, a, b, use_bias);
        } else if (rows[i].group == 1) {
            joint_solve_single(solver, block, i, a, b, use_bias);
        }
    }
}

static void joint_solve_equalities(const tni_joint_block *block, tni_body_state *a,
                                   tni_body_state *b, bool use_bias) {
    switch (block->equality_count) {
    case 1:
        tni_equality_solve(block->equality, 4, 1, block->softness, use_bias, a, b);
        break;
    case 3:
        tni_equality_solve(block->equality, 4, 3, block->softness, use_bias, a, b);
        break;
    case 5:
        tni_equality_solve(block->equality, 8, 5, block->softness, use_bias, a, b);
        break;
    default:
        tni_equality_solve(block->equality, 8, 6, block->softness, use_bias, a, b);
        break;
    }
}

void tni_joint_blocks_solve(tni_solver *solver, bool use_bias) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        tni_joint_block *block = &solver->joints[i];
        tni_body_state *a = &solver->states[block->body_a];
        tni_body_state *b = &solver->states[block->body_b];
        if (block->equality_count > 0) {
            joint_solve_equalities(block, a, b, use_bias);
        }
        if (block->row_count > block->equality_count) {
            joint_solve_bounded(solver, block, a, b, use_bias);
        }
    }
}

// ---- store ------------------------------------------------------------------------------------

// Impulse times the mean of the row's speed at both ends of the substep. With a ledger it is
// measured by phases instead: see work.c.
static void joint_store_motor_work(tni_solver *solver, const tni_joint_block *block, uint32_t index,
                                   uint32_t r, float x) {
    tni_row_state *state = &solver->row_states[block->first_row + r];
    float speed = joint_row_speed(&solver->rows[block->first_row + r],
                                  &solver->states[block->body_a], &solver->states[block->body_b]);
    solver->motor_work[index] += (double)(0.5f * x * (state->speed + speed));
    state->speed = speed;
}

// The speeds of motor rows at the start of the step.
void tni_joint_blocks_start(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
            solver->row_states[block->first_row + r].speed =
                joint_row_speed(&solver->rows[block->first_row + r], &solver->states[block->body_a],
                                &solver->states[block->body_b]);
        }
    }
}

void tni_joint_blocks_sync(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        for (uint32_t r = 0; r < block->equality_count; ++r) {
            solver->row_states[block->first_row + r].impulse =
                tni_equality_impulse(block->equality, block->lanes)[r];
        }
    }
}

// The stiffness of the impulses that the step starts from: warm start knows them before any solve.
void tni_joint_blocks_stiffen(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        const tni_row *rows = solver->rows + block->first_row;
        vec3s impulse = maths_vec3_zero();
        for (uint32_t r = 0; r < block->equality_count; ++r) {
            float x = tni_equality_impulse(block->equality, block->lanes)[r];
            impulse = maths_vec3_add_scaled(impulse, x, rows[r].lin_b);
        }
        for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
            float x = solver->row_states[block->first_row + r].impulse;
            impulse = maths_vec3_add_scaled(impulse, x, rows[r].lin_b);
        }
        tni_geometric_stiffness_add(solver, block, impulse);
    }
}

// The impulse of a bounded row over the substep. A spring's is that of solve A and of the kick.
static float joint_store_bounded(tni_solver *solver, uint32_t index, uint32_t r) {
    const tni_joint_block *block = &solver->joints[index];
    const tni_row *row = &solver->rows[block->first_row + r];
    tni_row_state *state = &solver->row_states[block->first_row + r];
    float x = state->impulse;
    if (joint_row_is_spring(row)) {
        x *= maths_inverse_or_zero(state->share);
    }
    state->step_impulse += x;
    if (row->role == TNI_ROLE_MOTOR && !solver->measures_work) {
        joint_store_motor_work(solver, block, index, r, x);
    }
    return x;
}

// The reaction of all rows: x times their Jacobian.
static void joint_store_reaction(tni_solver *solver, uint32_t index) {
    tni_joint_block *block = &solver->joints[index];
    const float *impulse = tni_equality_impulse(block->equality, block->lanes);
    tni_f4 sum[3] = {f4_load(block->reaction), f4_load(block->reaction + 4),
                     f4_load(block->reaction + 8)};
    for (uint32_t r = 0; r < block->row_count; ++r) {
        const float *jacobian = solver->rows[block->first_row + r].jacobian;
        float x = r < block->equality_count ? impulse[r] : joint_store_bounded(solver, index, r);
        for (uint32_t p = 0; p < 3; ++p) {
            tni_f4 part = f4_load(jacobian + 4 * p);
            sum[p] = f4_add_product(sum[p], f4_splat(x), part);
        }
    }
    for (uint32_t p = 0; p < 3; ++p) {
        f4_store(block->reaction + 4 * p, sum[p]);
    }
}

void tni_joint_blocks_store(tni_solver *solver) {
    tni_geometric_stiffness_clear(solver);
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        vec3s before = block->force;
        joint_store_reaction(solver, i);
        tni_geometric_stiffness_add(solver, block, glms_vec3_sub(block->force, before));
    }
}
