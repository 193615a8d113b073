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
// A limit that bounces is met in solve A like any other and leaves in solve B, at -e u, u its speed
// where it is met: with v that before the substep, k the row's J W J^T through its joint and A the
// work that forces did on the way of the bodies,  u^2 = v^2 + 2 k A. So no energy comes of where in
// a substep it is met, nor of how far the soft joint gave way to the blow. A joint without
// equalities leaves all motion across the row free, and the work done on that is no share of the
// blow: there u^2 = v^2 + 2 a s, s the way along the row, a = J W f + J' v its pull by forces f and
// by its turning.
//
// A motor or spring that drives a value does not push it past a rigid limit of its own: it gives no
// more than takes the value there, and the limit is left with what others do. Together they would
// add up what cancels: without end if the motor has no cap, and the limit's softness is a share of
// it. The sweeps are in solver/joints/joint_bounded_sweep.h.
//
// A joint with a motor meets its rigid limits where the drift ends. J v is the rate at its begin
// alone: the direction of a twist or a swing goes on with the bodies, and h^2/2 J' v and more of it
// would be passed while a motor holds its speed. So each pass of solve A takes the error C_1 of the
// pose that the drift at the present velocities leads to, and asks for
//     J v + bend >= -C/h,    bend = (C_1 - C)/h - J v,
// which is C_1 >= 0 to all orders in h once v does not change any more. There limits are hard, too:
// the give of soft ones is a share of what they bear, and a motor has no end of that. The target of
// a motor about all axes is the nearest that all limits let it have (Hildreth's method).
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (rows, J W J^T); E. Catto,
// "Iterative dynamics with temporal coherence", 2005 (accumulated impulses, clamping);
// C. Hildreth, "A quadratic programming procedure", Naval Research Logistics Quarterly 4, 1957.
// Test: tests/solver/joints/test_joint_bounded.c, tests/joints/test_joint_physics.c,
// tests/joints/test_hinge_joint.c
#include "solver/joints/joint_bounded.h"

#include "core/simd_double.h"
#include "solver/bodies/integrate.h"
#include "solver/joints/joint_group.h"
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
// m or rad: a way that bends by more in a substep is not foreseen.
#define BOUNDED_MOST_BEND 0.5f
// A way may bend by so many times what is reckoned before a limit counts as out of reach.
#define BOUNDED_BEND_TIMES 2.0f
// Rounds over the limits that a motor about all axes meets.
#define BOUNDED_CUTS 16

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

// Do both rows bound the same value? 1 where they go the same way, -1 where they go against each
// other, else 0.
static float bounded_compare(const tni_row *row, const tni_row *other) {
    bool is_same = true, is_turned = true;
    for (uint32_t i = 0; i < 12; ++i) {
        is_same = is_same && row->jacobian[i] == other->jacobian[i];
        is_turned = is_turned && row->jacobian[i] == -other->jacobian[i];
    }
    return is_same ? 1.0f : is_turned ? -1.0f : 0.0f;
}

static bool bounded_any_drives(const tni_row *rows, uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count && !any; ++i) {
        any = tni_row_drives(&rows[i]);
    }
    return any;
}

// A motor about all axes, which is three rows.
static bool bounded_is_turning_motor(const tni_row *row) {
    return row->group == 3 && row->kind == TNI_ROW_SPEED && row->role == TNI_ROLE_MOTOR;
}

// The turn of a limit along the axes of a motor like that.
static vec3s bounded_get_turn(const tni_row *motor, const tni_row *limit) {
    return maths_vec3(glms_vec3_dot(motor[0].ang_b, limit->ang_b),
                      glms_vec3_dot(motor[1].ang_b, limit->ang_b),
                      glms_vec3_dot(motor[2].ang_b, limit->ang_b));
}

static vec3s bounded_get_target(const tni_row *motor) {
    return maths_vec3(motor[0].target_speed, motor[1].target_speed, motor[2].target_speed);
}

// Returns how fast a drive may make its own value in a substep: a stiff spring goes all its way.
static float bounded_get_drive_speed(const tni_solver *solver, const tni_row *drive) {
    float way = tni_row_is_spring(drive) ? fabsf(drive->error) : 0.0f;
    return fabsf(drive->target_speed) + way * solver->inv_h;
}

// Returns how fast the motors and springs of its joint may make a limit's value; an angle's also by
// those that turn about other axes.
static float bounded_get_driven_speed(const tni_solver *solver, const tni_row *limit,
                                      const tni_row *rows, uint32_t count) {
    float speed = 0.0f, turning = 0.0f;
    for (uint32_t i = 0; i < count; ++i) {
        if (!tni_row_drives(&rows[i])) {
            continue;
        }
        float its = bounded_get_drive_speed(solver, &rows[i]);
        if (limit->is_angular && rows[i].is_angular) {
            float square = glms_vec3_dot(rows[i].ang_b, rows[i].ang_b);
            float along = fabsf(glms_vec3_dot(rows[i].ang_b, limit->ang_b));
            turning += its * along * maths_inverse_or_zero(square);
        } else if (bounded_compare(&rows[i], limit) != 0.0f) {
            speed = maths_max(speed, its);
        }
    }
    return maths_max(speed, turning);
}

// Finds the ends of the value that a row drives.
static void bounded_find_ends(const tni_row *row, const tni_row *rows, uint32_t count,
                              tni_bounded_row *bounded) {
    bounded->ends[0] = bounded->ends[1] = 0;
    for (uint32_t i = 0; i < count && row->group == 1 && tni_row_drives(row); ++i) {
        float way = rows[i].kind == TNI_ROW_LIMIT ? bounded_compare(row, &rows[i]) : 0.0f;
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

static void bounded_answer(const tni_joint_block *block, const tni_velocities *v, tni_f4 y[2],
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

// m/s: how fast the body went in the last drift. If the second kick has come already it is taken
// off.
static vec3s bounded_get_drift(const tni_solver *solver, uint32_t body, vec3s acceleration) {
    const float kick = solver->has_second_kick ? 0.5f * solver->h : 0.0f;
    return glms_vec3_sub(solver->bodies.states[body].v, glms_vec3_scale(acceleration, kick));
}

// J: what gravity and applied forces gave the joint's bodies on the way of the last drift.
static float bounded_get_work(const tni_solver *solver, const tni_joint_block *block) {
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    float work = 0.0f;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body_mass *mass = &solver->bodies.masses[bodies[e]];
        float m = (float)maths_inverse_or_zero_d(mass->inv_mass);
        vec3s a = dvec3_to_float(mass->acceleration);
        vec3s v = bounded_get_drift(solver, bodies[e], a);
        work += m * glms_vec3_dot(a, v) +
                glms_vec3_dot(dvec3_to_float(mass->torque), solver->bodies.states[bodies[e]].w);
    }
    return work * solver->h;
}

// The last drift's share in the square of the row's speed: 2 k A, or 2 a s of a joint without
// equalities.
static float bounded_get_gain(const tni_solver *solver, const tni_joint_block *block,
                              const tni_row *row, const tni_velocities *bare, float k) {
    if (block->equality_count > 0) {
        return 2.0f * k * bounded_get_work(solver, block);
    }
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    const vec3s linear[2] = {row->lin_a, row->lin_b}, angular[2] = {row->ang_a, row->ang_b};
    const tni_f4 turns[2] = {bare->w_a, bare->w_b};
    float speed = 0.0f, pull = row->velocity_term;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body_mass *mass = &solver->bodies.masses[bodies[e]];
        vec3s a = dvec3_to_float(mass->acceleration), torque = dvec3_to_float(mass->torque);
        vec3s v = bounded_get_drift(solver, bodies[e], a);
        tni_f4 turn = f4_mul(f4_make(torque.x, torque.y, torque.z, 0.0f), turns[e]);
        speed += glms_vec3_dot(linear[e], v) +
                 glms_vec3_dot(angular[e], solver->bodies.states[bodies[e]].w);
        pull += glms_vec3_dot(linear[e], a) + f4_sum3(turn);
    }
    return 2.0f * pull * (speed * solver->h);
}

// The speed that a limit that bounces was met at in the substep, below zero, or 0.
static float bounded_get_arrival(const tni_solver *solver, const tni_joint_block *block,
                                 const tni_row *row, const tni_row_state *state,
                                 const tni_velocities *bare, float k) {
    float v = state->speed;
    if (!(state->impulse > 0.0f) || !(v < 0.0f)) {
        return 0.0f;
    }
    float square = v * v + bounded_get_gain(solver, block, row, bare, k);
    float speed = -sqrtf(maths_max(square, 0.0f));
    return speed < -solver->settings.restitution_threshold ? speed : 0.0f;
}

// Solve B does not slow down what is about to bounce: its speed counts, also where it has come to
// the end without being met.
static void bounded_drive_bounce(const tni_solver *solver, const tni_joint_block *block,
                                 const tni_row *row, tni_row_state *state, tni_bounded_row *bounded,
                                 float k, tni_velocities v) {
    tni_row_drive *drive = &bounded->drive[0];
    float arrival = bounded_get_arrival(solver, block, row, state, &bounded->bare, k);
    if (arrival < 0.0f) {
        drive->bias = row->restitution * arrival;
    } else if (tni_velocities_dot(&bounded->jacobian, &v) <
               -solver->settings.restitution_threshold) {
        drive->mass = 0.0f;
    }
}

// Sets what sweeps ask of every row, also of one that is dormant.
static inline void bounded_set_form(const tni_row *row, tni_bounded_row *bounded) {
    bounded->group = row->group;
    bounded->is_spring = tni_row_is_spring(row);
}

static void bounded_prepare(const tni_solver *solver, const tni_joint_block *block,
                            const tni_row *row, tni_row_state *state, tni_bounded_row *bounded,
                            const tni_body_state *a, const tni_body_state *b) {
    bounded->share = 0.0f;
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
    bounded_answer(block, &bounded->bare, bounded->through, &answer);
    const float shares[2] = {1.0f, block->softness.mass_scale};
    float own = tni_velocities_dot(&bounded->jacobian, &bounded->bare);
    float taken = tni_velocities_dot(&bounded->jacobian, &answer);
    for (int phase = 0; phase < 2; ++phase) {
        bounded->change[phase] = bounded->bare;
        tni_velocities_add(&bounded->change[phase], -shares[phase], &answer);
    }
    float k = own - taken, soft_k = own - shares[1] * taken;
    bool is_locked = tni_state_is_locked(a) || tni_state_is_locked(b);
    float whole = is_locked ? tni_row_get_whole(row, a, b) : 0.0f;
    if (!(k > JOINT_RESPONSE_FLOOR * own) || own < LOCKS_LEAST_LEFT * whole) {
        k = soft_k = 0.0f; // the equalities hold the row already
    }
    tni_velocities v = tni_velocities_load(a, b);
    const tni_drive_setting setting = {.solver = solver,
                                       .softness = block->softness,
                                       .max_speed = block->max_speed,
                                       .k = k,
                                       .soft_k = soft_k,
                                       .speed = row->kind == TNI_ROW_SOFT_LIMIT
                                                    ? tni_velocities_dot(&bounded->jacobian, &v)
                                                    : 0.0f,
                                       .drift = block->prediction * row->velocity_term};
    float share = tni_drive_make(&setting, row, bounded->drive);
    if (row->kind == TNI_ROW_SOFT_LIMIT) {
        bounded->share = share;
    } else if (bounded->is_spring) {
        state->share = share;
    } else if (row->kind == TNI_ROW_LIMIT && row->restitution > 0.0f) {
        bounded_drive_bounce(solver, block, row, state, bounded, k, v);
    }
    if (state->cap != 0.0f) {
        tni_drive_cap(solver, row, state, bounded->drive);
    }
}

// Bounds the target of a motor about all axes by one limit, which has turned it by `share` so far.
// Returns whether it changed.
static bool bounded_cut_target(const tni_row *motor, const tni_row *limit,
                               const tni_row_drive *drive, float *share, vec3s *target) {
    vec3s turn = bounded_get_turn(motor, limit);
    float missing = -drive->bias - glms_vec3_dot(turn, *target);
    float more = missing * maths_inverse_or_zero(glms_vec3_dot(turn, turn));
    more = maths_max(more, -*share);
    *share += more;
    *target = glms_vec3_add(*target, glms_vec3_scale(turn, more));
    return more != 0.0f;
}

// Takes the nearest target that all limits of the joint let a motor about all axes have.
static void bounded_cut_targets(const tni_row *rows, uint32_t count, uint32_t motor, int phase,
                                tni_bounded_row *bounded) {
    float shares[TNI_JOINT_MAX_ROWS] = {0.0f};
    vec3s target = bounded_get_target(&rows[motor]);
    bool goes_on = true;
    for (uint32_t round = 0; round < BOUNDED_CUTS && goes_on; ++round) {
        goes_on = false;
        for (uint32_t i = motor + 3; i < count; ++i) {
            if (rows[i].kind == TNI_ROW_LIMIT && rows[i].is_angular && !bounded[i].is_dormant) {
                goes_on |= bounded_cut_target(&rows[motor], &rows[i], &bounded[i].drive[phase],
                                              &shares[i], &target);
            }
        }
    }
    for (uint32_t i = 0; i < 3; ++i) {
        bounded[motor + i].drive[phase].bias = -target.raw[i];
    }
}

static void bounded_cut(const tni_row *rows, uint32_t count, int phase, tni_bounded_row *bounded) {
    for (uint32_t i = 0; i + 3 < count; ++i) {
        if (bounded_is_turning_motor(&rows[i])) {
            bounded_cut_targets(rows, count, i, phase, bounded);
        }
    }
}

// ---- limits where the drift ends ---------------------------------------------------------------

// Returns the motion of a body after the drift at its present velocity.
static tni_body_motion bounded_drift(const tni_solver *solver, uint32_t body) {
    tni_body_motion motion = solver->bodies.motions[body];
    motion.velocity = dvec3_from_float(solver->bodies.states[body].v);
    motion.angular_velocity = dvec3_from_float(solver->bodies.states[body].w);
    motion.position = dvec3_add_scaled(motion.position, solver->dh, motion.velocity);
    tni_integrate_rotate(&motion, &solver->bodies.masses[body], solver->dh, 1);
    return motion;
}

static float bounded_foresee_limit(const tni_solver *solver, const tni_joint_block *block,
                                   const tni_row *row, const tni_row *later, float speed,
                                   tni_row_drive *drive) {
    float bend = (later->error - row->error) * solver->inv_h - speed, before = drive->bias;
    if (fabsf(bend) * solver->h < BOUNDED_MOST_BEND) {
        drive->bias =
            tni_drive_get_approach(solver, block->softness, block->max_speed, row->error) + bend;
    }
    if (drive->keep < 1.0f) {
        drive->keep = 1.0f;
        drive->mass *= maths_inverse_or_zero(block->softness.mass_scale);
    }
    return fabsf(drive->bias - before) * solver->h;
}

// May a limit be met in the drift, however the way bends? The bend of an angle's way is of the
// order of the turn's square, that of a length's of turn times way and turn times turn times arm.
static bool bounded_may_meet(const tni_solver *solver, const tni_row *limit, float speed,
                             float turn) {
    float arm = maths_max(glms_vec3_dot(limit->ang_a, limit->ang_a),
                          glms_vec3_dot(limit->ang_b, limit->ang_b));
    float way = speed * solver->h, bend = turn * (turn * sqrtf(maths_max(arm, 1.0f)) + fabsf(way));
    return limit->error + way < BOUNDED_BEND_TIMES * bend;
}

// Lists the limits that the joint may meet, of those that are awake; returns how many.
static uint32_t bounded_list_met(const tni_solver *solver, const tni_joint_block *block,
                                 const tni_velocities *v, uint8_t out_rows[TNI_JOINT_MAX_ROWS]) {
    uint32_t first = block->first_row + block->equality_count, met = 0;
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    const tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    float turn = solver->h * sqrtf(maths_max(f4_dot3(v->w_a, v->w_a), f4_dot3(v->w_b, v->w_b)));
    for (uint32_t i = 0; i < count; ++i) {
        const tni_row *row = &solver->joints.rows[first + i];
        if (row->kind == TNI_ROW_LIMIT && !bounded[i].is_dormant &&
            (solver->joints.row_states[first + i].impulse > 0.0f ||
             bounded_may_meet(solver, row, tni_velocities_dot(&bounded[i].jacobian, v), turn))) {
            out_rows[met++] = (uint8_t)i;
        }
    }
    return met;
}

float tni_joint_bounded_foresee(const tni_solver *solver, const tni_joint_block *block) {
    uint32_t first = block->first_row + block->equality_count;
    tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    const tni_row *rows = solver->joints.rows + first;
    tni_velocities v = tni_velocities_load(&solver->bodies.states[block->body_a],
                                           &solver->bodies.states[block->body_b]);
    uint8_t met[TNI_JOINT_MAX_ROWS];
    uint32_t met_count = bounded_list_met(solver, block, &v, met);
    if (met_count == 0) {
        return 0.0f;
    }
    tni_body_motion a = bounded_drift(solver, block->body_a);
    tni_body_motion b = bounded_drift(solver, block->body_b);
    float change = 0.0f;
    tni_row later[TNI_JOINT_MAX_ROWS];
    tni_joint_emit_bounded(block->joint, &a, &b, later);
    for (uint32_t k = 0; k < met_count; ++k) {
        uint32_t i = met[k];
        float speed = tni_velocities_dot(&bounded[i].jacobian, &v);
        float its =
            bounded_foresee_limit(solver, block, &rows[i], &later[block->equality_count + i], speed,
                                  &bounded[i].drive[1]);
        change = maths_max(change, its);
    }
    if (change > 0.0f) {
        bounded_cut(rows, (uint32_t)block->row_count - block->equality_count, 1, bounded);
    }
    return change;
}

// Is there a motor, and a limit that it may meet?
static bool bounded_foresees(const tni_row *rows, uint32_t count, const tni_bounded_row *bounded) {
    bool has_motor = false, has_limit = false;
    for (uint32_t i = 0; i < count; ++i) {
        has_motor = has_motor || rows[i].role == TNI_ROLE_MOTOR;
        has_limit = has_limit || (rows[i].kind == TNI_ROW_LIMIT && !bounded[i].is_dormant);
    }
    return has_motor && has_limit;
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

void tni_joint_bounded_refresh(const tni_solver *solver, tni_joint_block *block) {
    const tni_body_state *a = &solver->bodies.states[block->body_a];
    const tni_body_state *b = &solver->bodies.states[block->body_b];
    uint32_t first = block->first_row + block->equality_count;
    uint32_t count = (uint32_t)block->row_count - block->equality_count;
    const tni_row *rows = solver->joints.rows + first;
    tni_row_state *states = solver->joints.row_states + first;
    tni_bounded_row *bounded = solver->joints.bounded_rows + block->first_bounded;
    bool has_awake = false, has_drives = bounded_any_drives(rows, count);
    for (uint32_t i = 0; i < count; ++i) {
        bounded_set_form(&rows[i], &bounded[i]);
        float driven = tni_joint_machine_get_driven(solver, block);
        if (has_drives && tni_row_is_limit(&rows[i])) {
            driven = maths_max(driven, bounded_get_driven_speed(solver, &rows[i], rows, count));
        } else if (has_drives) {
            bounded_find_ends(&rows[i], rows, count, &bounded[i]);
        }
        bounded[i].is_dormant = bounded_is_dormant(solver, &rows[i], &states[i], a, b, driven);
        if (!bounded[i].is_dormant) {
            bounded_prepare(solver, block, &rows[i], &states[i], &bounded[i], a, b);
            has_awake = true;
        }
    }
    block->foresees = has_drives && bounded_foresees(rows, count, bounded);
    if (has_drives) {
        bounded_cut(rows, count, 0, bounded);
        bounded_cut(rows, count, 1, bounded);
    }
    block->has_awake_bounded = has_awake;
    block->limit_room = has_awake ? 0.0f : bounded_measure_room(rows, count);
}
