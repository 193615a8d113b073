// solver/joints/joint_bounded.c: motors, limits, springs and friction under projected Gauss-Seidel.
//
// Bounded rows come one at a time, after the equalities of their joint, which they leave as they
// are: a bounded row b acts through its joint: with y = K^-1 J_E W J_b^T its impulse x takes -y x
// of the equality rows along, so that it leaves J_E v as it is; its mass is that of J' = J_b - y
// J_E. Without that, the motor of a hinge far from the centre of mass would feel the bare inertia
// and fight the hinge for many sweeps. In solve A the equalities are soft, K + gamma K in place of
// K, and (K + gamma K)^-1 = mass_scale K^-1: there it is mass_scale y. With all of y the equalities
// would give way next sweep to more than was put on them, and the two would drive each other up.
// solver/rows/drive.c says what each row asks for.
//
// A limit that bounces is met in solve A like any other and leaves in solve B
// (solver/joints/joint_bounce.c).
//
// A motor or spring that drives a value does not push it past a rigid limit of its own: it gives no
// more than takes the value there, and the limit is left with what others do. Together they would
// add up what cancels: without end if the motor has no cap, and the limit's softness is a share of
// it. The sweeps are in solver/joints/joint_bounded_sweep.h.
//
// A joint with a motor meets its rigid limits where the drift ends (solver/joints/joint_foresee.c),
// and one with rows of several values has its limits solved last (solver/joints/joint_limits.c),
// unless it is of a machine, whose limits come last in any case.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (rows, J W J^T); E. Catto,
// "Iterative dynamics with temporal coherence", 2005 (accumulated impulses, clamping).
// Test: tests/solver/joints/test_joint_bounded.c, tests/joints/test_joint_physics.c,
// tests/joints/test_hinge_joint.c
#include "solver/joints/joint_bounded.h"

#include "solver/joints/joint_group.h"
#include "solver/joints/joint_limits.h"
#include "solver/joints/joint_machine.h"
#include "solver/rows/equality.h"
#include "solver/rows/locks.h"
#include "solver/rows/pin.h"

// rad, and the square of the row's angular part: limits may be counted on for so far at most while
// their rows are so long. The row of a twist grows with the swing, but on the way not beyond the
// second length.
#define JOINT_REST_ROOM          0.5f
#define JOINT_REST_LENGTH_SQUARE 2.25f
#define JOINT_REST_LONGEST       2.0f
// A little more than the turn of a substep, for rounding.
#define JOINT_REST_TURN 1.01f

// ---- refresh ----------------------------------------------------------------------------------

static inline tni_velocities bounded_jacobian(const tni_row *row) {
    tni_velocities j = {f4_load3(row->lin_a.raw), f4_load3(row->ang_a.raw),
                        f4_load3(row->lin_b.raw), f4_load3(row->ang_b.raw)};
    return j;
}

// W J^T of one body.
static inline void bounded_respond(const tni_body_state *body, tni_f4 linear, tni_f4 angular,
                                   tni_f4 *out_v, tni_f4 *out_w) {
    tni_f4 inertia[3]; // columns of I^-1
    f4_load_symmetric(&body->numbers[TNI_STATE_INV_INERTIA], inertia);
    *out_v = f4_mul(f4_load(body->numbers + TNI_STATE_INV_MASS), linear);
    *out_w = f4_mul_columns(inertia, angular);
}

static bool bounded_any_drives(const tni_row *rows, uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count && !any; ++i) {
        any = tni_row_drives(&rows[i]);
    }
    return any;
}

// Returns how fast a drive may make its own value in a substep: a stiff spring goes all its way.
static float bounded_get_drive_speed(const tni_solver *solver, const tni_row *drive) {
    float way = tni_row_is_spring(drive) ? fabsf(drive->error) : 0.0f;
    return fabsf(drive->target_speed) + way * solver->inv_h;
}

// Returns how fast a drive makes a limit's value; an angle's also while other rows hold what the
// drive would turn besides. `bounded` is that of the drive, of whose value the joint's bodies take
// the limit's along. Where the joint gives way to a blow of the drive, other drives pass that on to
// any value: at sqrt(k_l / k_d) of the drive's speed at most, k the J W J^T of both.
static float bounded_get_driven_share(const tni_solver *solver, const tni_joint_block *block,
                                      const tni_row *limit, const tni_row *drive,
                                      const tni_bounded_row *bounded) {
    tni_velocities jacobian = bounded_jacobian(limit);
    float own = tni_velocities_dot(&bounded->jacobian, &bounded->change[0]);
    float taken = tni_velocities_dot(&jacobian, &bounded->change[0]);
    float share = fabsf(taken * maths_inverse_or_zero(own));
    if (limit->is_angular && drive->is_angular) {
        float square = glms_vec3_dot(drive->ang_b, drive->ang_b);
        float along = fabsf(glms_vec3_dot(drive->ang_b, limit->ang_b));
        share = maths_max(share, along * maths_inverse_or_zero(square));
    }
    float whole = tni_row_get_whole(limit, &solver->bodies.states[block->body_a],
                                    &solver->bodies.states[block->body_b]);
    float give = block->equality_count > 0 ? 1.0f - block->softness.mass_scale : 0.0f;
    return maths_max(share, give * sqrtf(whole * maths_inverse_or_zero(own)));
}

// Returns how fast the motors and springs of its joint may make a limit's value.
static float bounded_get_driven_speed(const tni_solver *solver, const tni_joint_block *block,
                                      const tni_row *limit, const tni_row *rows, uint32_t count,
                                      const tni_bounded_row *bounded) {
    float speed = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        if (tni_row_drives(&rows[i])) {
            speed += bounded_get_drive_speed(solver, &rows[i]) *
                     bounded_get_driven_share(solver, block, limit, &rows[i], &bounded[i]);
        }
    }
    return speed;
}

// Finds the ends of the value that a row drives.
static void bounded_find_ends(const tni_row *row, const tni_row *rows, uint32_t count,
                              tni_bounded_row *bounded) {
    bounded->ends[0] = bounded->ends[1] = 0;
    bool may_have = row->group == 1 && tni_row_drives(row);
    for (uint32_t i = 0; i < count && may_have; ++i) {
        float way = rows[i].kind == TNI_ROW_LIMIT ? tni_row_compare(row, &rows[i]) : 0.0f;
        if (way != 0.0f) {
            bounded->ends[way < 0.0f] = (uint8_t)(i + 1);
            bounded->group = TNI_GROUP_LIMITED;
        }
    }
}

static bool bounded_is_dormant(const tni_solver *solver, const tni_row *row,
                               const tni_row_state *state, const tni_body_state *a,
                               const tni_body_state *b, float driven_speed) {
    if (!tni_row_is_limit(row) || row->error < JOINT_DORMANT_ERROR || state->impulse > 0.0f ||
        state->warm > 0.0f) {
        return false;
    }
    float speed = glms_vec3_dot(row->lin_a, a->v) + glms_vec3_dot(row->ang_a, a->w) +
                  glms_vec3_dot(row->lin_b, b->v) + glms_vec3_dot(row->ang_b, b->w);
    float closing = maths_max(-speed, driven_speed);
    return row->error > JOINT_DORMANT_ERROR + JOINT_DORMANT_SUBSTEPS * solver->h * closing;
}

// Solves the equalities for the velocities v: y = K^-1 J_E v, and what W J_E^T y changes.
TNI_KERNEL void bounded_answer_pin(const tni_pin_block *pin, uint32_t turns,
                                   const tni_velocities *v, tni_f4 y[2],
                                   tni_velocities *out_change) {
    tni_pin_numbers zero = tni_pin_zero();
    tni_pin_numbers speed = tni_pin_speed(pin, turns, TNI_ENDS_BOTH, v, zero);
    tni_pin_numbers x = tni_pin_invert(pin, turns, speed, zero);
    tni_pin_subtract(pin, turns, TNI_ENDS_BOTH, tni_pin_scale(x, -1.0f), out_change);
    y[0] = x.point;
    y[1] = x.turn;
}

TNI_KERNEL void bounded_answer_rows(const float *equality, uint32_t lanes, uint32_t n,
                                    const tni_velocities *v, tni_f4 y[2],
                                    tni_velocities *out_change) {
    tni_f4 speed[2] = {f4_splat(0.0f), f4_splat(0.0f)};
    tni_equality_add_speed(equality, lanes, v, speed);
    tni_equality_invert(equality, lanes, n, speed, y);
    tni_equality_add(equality, lanes, n, y, out_change);
}

void tni_joint_bounded_answer(const tni_joint_block *block, const tni_velocities *v, tni_f4 y[2],
                              tni_velocities *out_change) {
    y[0] = y[1] = f4_splat(0.0f);
    *out_change = tni_velocities_zero();
    if (block->point_rows > 0) {
        switch (block->turns) {
        case 0:
            bounded_answer_pin(block->pin, 0, v, y, out_change);
            break;
        case 1:
            bounded_answer_pin(block->pin, 1, v, y, out_change);
            break;
        case 2:
            bounded_answer_pin(block->pin, 2, v, y, out_change);
            break;
        default:
            bounded_answer_pin(block->pin, 3, v, y, out_change);
            break;
        }
    } else if (block->equality_count > 0) {
        bounded_answer_rows(block->equality, block->lanes, block->equality_count, v, y, out_change);
    }
}

// Sets what sweeps ask of every row, also of one that is dormant.
static inline void bounded_set_form(const tni_row *row, tni_bounded_row *bounded) {
    bounded->group = row->group;
    bounded->is_spring = tni_row_is_spring(row);
}

// Sets what a unit impulse on a row changes, alone and through its joint. Returns its J W J^T, and
// in `out_taken` the part that the equalities take of it.
static float bounded_set_changes(const tni_joint_block *block, const tni_row *row,
                                 tni_bounded_row *bounded, const tni_body_state *a,
                                 const tni_body_state *b, float *out_taken) {
    bounded->jacobian = bounded_jacobian(row);
    bounded->bare = tni_velocities_zero();
    if (block->ends != TNI_ENDS_ONLY_B) {
        bounded_respond(a, bounded->jacobian.v_a, bounded->jacobian.w_a, &bounded->bare.v_a,
                        &bounded->bare.w_a);
    }
    if (block->ends != TNI_ENDS_ONLY_A) {
        bounded_respond(b, bounded->jacobian.v_b, bounded->jacobian.w_b, &bounded->bare.v_b,
                        &bounded->bare.w_b);
    }
    tni_velocities answer;
    tni_joint_bounded_answer(block, &bounded->bare, bounded->through, &answer);
    const float shares[2] = {1.0f, block->softness.mass_scale};
    for (int phase = 0; phase < 2; ++phase) {
        bounded->change[phase] = bounded->bare;
        tni_velocities_add(&bounded->change[phase], -shares[phase], &answer);
    }
    *out_taken = tni_velocities_dot(&bounded->jacobian, &answer);
    return tni_velocities_dot(&bounded->jacobian, &bounded->bare);
}

static void bounded_prepare(const tni_solver *solver, const tni_joint_block *block,
                            const tni_row *row, tni_row_state *state, tni_bounded_row *bounded,
                            const tni_body_state *a, const tni_body_state *b) {
    float taken, own = bounded_set_changes(block, row, bounded, a, b, &taken);
    tni_velocities v = tni_velocities_load(a, b);
    bool is_soft = row->kind == TNI_ROW_SOFT_LIMIT;
    tni_drive_setting setting = {.solver = solver,
                                 .softness = block->softness,
                                 .max_speed = block->max_speed,
                                 .speed =
                                     is_soft ? tni_velocities_dot(&bounded->jacobian, &v) : 0.0f,
                                 .drift = block->prediction * row->velocity_term};
    tni_drive_set_response(&setting, own, taken);
    bool is_locked = tni_state_is_locked(a) || tni_state_is_locked(b);
    if (is_locked && own < LOCKS_LEAST_LEFT * tni_row_get_whole(row, a, b)) {
        setting.k = setting.soft_k = 0.0f; // its locks hold the row already
    }
    bounded->share = tni_drive_make(&setting, row, bounded->drive);
    if (state->cap != 0.0f) {
        tni_drive_cap(solver, row, state->cap, bounded->share, bounded->drive);
    }
}

// Returns how far the limits are, where there is nothing else.
static float bounded_measure_room(const tni_row *rows, uint32_t count) {
    float room = JOINT_REST_ROOM;
    for (uint32_t i = 0; i < count; ++i) {
        float square = glms_vec3_dot(rows[i].ang_b, rows[i].ang_b);
        bool is_limit = tni_row_is_limit(&rows[i]) && rows[i].is_angular;
        room =
            is_limit && square < JOINT_REST_LENGTH_SQUARE ? maths_min(room, rows[i].error) : 0.0f;
    }
    return room;
}

bool tni_joint_bounded_rests(const tni_solver *solver, tni_joint_block *block) {
    if (!(block->limit_room > JOINT_DORMANT_ERROR) || block->machine > 0) {
        return false;
    }
    vec3s w_a = solver->bodies.states[block->body_a].w,
          w_b = solver->bodies.states[block->body_b].w;
    float turn = solver->h * JOINT_REST_LONGEST * glms_vec3_norm(glms_vec3_sub(w_b, w_a));
    block->limit_room -= JOINT_REST_TURN * turn;
    return block->limit_room > JOINT_DORMANT_ERROR + JOINT_DORMANT_SUBSTEPS * turn;
}

// Prepares motors, springs and friction. Returns whether there are any.
static bool bounded_prepare_actors(const tni_solver *solver, const tni_joint_block *block,
                                   const tni_row *rows, uint32_t count, tni_bounded_row *bounded) {
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    const tni_body_state *a = &solver->bodies.states[block->body_a];
    const tni_body_state *b = &solver->bodies.states[block->body_b];
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        bounded_set_form(&rows[i], &bounded[i]);
        if (!tni_row_is_limit(&rows[i])) {
            bounded_find_ends(&rows[i], rows, count, &bounded[i]);
            bounded[i].is_dormant = false;
            bounded_prepare(solver, block, &rows[i], &states[i], &bounded[i], a, b);
            any = true;
        }
    }
    return any;
}

// Prepares limits that may be met; what drives them is prepared. Returns whether there are any, and
// notes in the block whether one of them bounces.
static bool bounded_prepare_limits(const tni_solver *solver, tni_joint_block *block,
                                   const tni_row *rows, uint32_t count, bool has_drives,
                                   tni_bounded_row *bounded) {
    tni_row_state *states = solver->joints.row_states + block->first_row + block->equality_count;
    const tni_body_state *a = &solver->bodies.states[block->body_a];
    const tni_body_state *b = &solver->bodies.states[block->body_b];
    float machine = tni_joint_machine_get_driven(solver, block);
    bool any = false;
    block->bounces = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (!tni_row_is_limit(&rows[i])) {
            continue;
        }
        bool rests = bounded_is_dormant(solver, &rows[i], &states[i], a, b, machine);
        if (rests && has_drives) {
            float driven = bounded_get_driven_speed(solver, block, &rows[i], rows, count, bounded);
            rests = bounded_is_dormant(solver, &rows[i], &states[i], a, b, driven);
        }
        bounded[i].is_dormant = rests;
        if (!rests) {
            bounded_prepare(solver, block, &rows[i], &states[i], &bounded[i], a, b);
            block->bounces |= rows[i].kind == TNI_ROW_LIMIT && rows[i].restitution > 0.0f &&
                              bounded[i].drive[1].mass > 0.0f;
            any = true;
        }
    }
    return any;
}

// Returns whether the rows act on several values.
static bool bounded_has_values(const tni_row *rows, uint32_t count) {
    bool has_values = false;
    for (uint32_t i = 1; i < count && !has_values; ++i) {
        has_values = tni_row_compare(&rows[0], &rows[i]) == 0.0f;
    }
    return has_values;
}

// Returns whether the joint has a point and, beside that, limits of turns alone. These have the
// softness that they have in lanes.
static bool bounded_are_turns(const tni_joint_block *block, const tni_row *rows, uint32_t count) {
    bool are_turns = block->equality_count == TNI_PIN_POINT_ROWS;
    for (uint32_t i = 0; i < count && are_turns; ++i) {
        are_turns = rows[i].is_angular && tni_row_is_limit(&rows[i]);
    }
    return are_turns;
}

void tni_joint_bounded_refresh(const tni_solver *solver, tni_joint_block *block) {
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    const tni_row *rows = solver->joints.rows + block->first_row + block->equality_count;
    tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    bool has_drives = bounded_any_drives(rows, count);
    bool has_actors = bounded_prepare_actors(solver, block, rows, count, bounded);
    bool has_limits = bounded_prepare_limits(solver, block, rows, count, has_drives, bounded);
    bool has_awake = has_actors || has_limits;
    if (has_drives) {
        tni_joint_bounded_cut(rows, count, 0, bounded);
        tni_joint_bounded_cut(rows, count, 1, bounded);
    }
    block->foresees = has_limits && (block->joint->drives_limits || block->machine > 0);
    block->has_awake_bounded = has_awake;
    if (block->bounces) {
        tni_joint_limits_bounce(solver, block);
    }
    block->limits_last = has_limits && block->machine == 0 &&
                         !bounded_are_turns(block, rows, count) && bounded_has_values(rows, count);
    block->limit_room = has_awake ? 0.0f : bounded_measure_room(rows, count);
}
