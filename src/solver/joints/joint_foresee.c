// solver/joints/joint_foresee.c: limits of driven joints, where the drift ends.
//
// A joint with a motor meets its rigid limits where the drift ends. J v is the rate at its begin
// alone: the direction of a twist or a swing goes on with the bodies, and what Jdot v does not tell
// of that would be passed while a motor holds its speed. So each pass of solve A takes the error
// C_1 of the pose that the drift at the present velocities leads to, and asks for
//     J v + bend >= -C/h,    bend = (C_1 - C)/h - J v,
// which is C_1 >= 0 to all orders in h once v does not change any more. There limits are hard, too:
// the give of soft ones is a share of what they bear, and a motor has no end of that. The same is
// done where a motor of another joint of the machine may drive the limit. What that presses in the
// end, when nothing turns any more, is for solver/joints/joint_machine.c, and soft. The target of a
// motor about all axes is the nearest that all limits let it have (Hildreth's method). A limit
// whose row turns by half a radian on the way cannot be met by one impulse along it; the joint
// notes that it whips, so that TN_SOLVER_AUTO has the direct solver cut the next steps. A motor
// that is fast enough does that in one substep: before the step AUTO asks whether one may.
//
// A swept joint that bears a load X opens by what its softness leaves of that: solve A ends with
// mass_scale rate C = impulse_scale K X / 2, since half of X acts before it. So the load alone says
// how far C goes.
// Source: C. Hildreth, "A quadratic programming procedure", Naval Research Logistics Quarterly 4,
// 1957. Test: tests/joints/test_driven_turns.c, tests/joints/test_driven_values.c
#include "core/simd_double.h"
#include "solver/bodies/integrate.h"
#include "solver/joints/joint_bounded.h"

// m or rad: a way that bends by more in a substep is not foreseen.
#define FORESEE_MOST_BEND 0.5f
// m or rad: where a motor elsewhere drives a limit, it is soft while its way bends by less.
#define FORESEE_LEAST_BEND 1e-5f
// m or rad: a limit that is passed by more was not met, but made so. It gives way, so that it comes
// back without more force than its joint can bear.
#define FORESEE_MOST_PASSED 0.1f
// A limit is out of reach while its way, bent by this many times the expected bend, does not meet
// it.
#define FORESEE_BEND_TIMES 2.0f
// rad: a body that turns by less in a substep whips no limit. A limit is whipped if its impulse has
// less than this share of its effect left where the drift ends: from about half of it on, one
// impulse no longer takes the value there.
#define FORESEE_WHIP_TURN  0.25f
#define FORESEE_WHIP_SHARE 0.7f
// An expected way is rough: a limit is taken to be whipped on it if its impulse has less than this
// share of its effect left somewhere. The way is looked at in turns of this many rad, in so many
// pieces at most.
#define FORESEE_MAY_WHIP_SHARE 0.9
#define FORESEE_MAY_BEND       0.05
#define FORESEE_PIECE_TURN     0.5
#define FORESEE_MOST_PIECES    8.0
// A drive is taken to meet an end if its speed takes the value there within so many steps.
#define FORESEE_STEPS 2
// Rounds over the limits that a motor about all axes meets.
#define FORESEE_CUTS 16

// ---- motors about all axes ---------------------------------------------------------------------

// Returns whether a row begins a motor about all axes, which has three.
static bool foresee_is_turning_motor(const tni_row *row) {
    return row->group == 3 && row->kind == TNI_ROW_SPEED && row->role == TNI_ROLE_MOTOR;
}

// Returns the turn of a limit along the axes of a motor like that.
static vec3s foresee_get_turn(const tni_row *motor, const tni_row *limit) {
    return maths_vec3(glms_vec3_dot(motor[0].ang_b, limit->ang_b),
                      glms_vec3_dot(motor[1].ang_b, limit->ang_b),
                      glms_vec3_dot(motor[2].ang_b, limit->ang_b));
}

static vec3s foresee_get_target(const tni_row *motor) {
    return maths_vec3(motor[0].target_speed, motor[1].target_speed, motor[2].target_speed);
}

// Bounds the target of a motor about all axes by one limit, which has turned it by `share` so far.
// Returns whether it changed.
static bool foresee_cut_target(const tni_row *motor, const tni_row *limit,
                               const tni_row_drive *drive, float *share, vec3s *target) {
    vec3s turn = foresee_get_turn(motor, limit);
    float missing = -drive->bias - glms_vec3_dot(turn, *target);
    float more = missing * maths_inverse_or_zero(glms_vec3_dot(turn, turn));
    more = maths_max(more, -*share);
    *share += more;
    *target = glms_vec3_add(*target, glms_vec3_scale(turn, more));
    return more != 0.0f;
}

// Takes the nearest target that all limits of the joint let a motor about all axes have.
static void foresee_cut_targets(const tni_row *rows, uint32_t count, uint32_t motor, int phase,
                                tni_bounded_row *bounded) {
    float shares[TNI_JOINT_MAX_ROWS] = {0.0f};
    vec3s target = foresee_get_target(&rows[motor]);
    bool goes_on = true;
    for (uint32_t round = 0; round < FORESEE_CUTS && goes_on; ++round) {
        goes_on = false;
        for (uint32_t i = motor + 3; i < count; ++i) {
            if (rows[i].kind == TNI_ROW_LIMIT && rows[i].is_angular && !bounded[i].is_dormant) {
                goes_on |= foresee_cut_target(&rows[motor], &rows[i], &bounded[i].drive[phase],
                                              &shares[i], &target);
            }
        }
    }
    for (uint32_t i = 0; i < 3; ++i) {
        bounded[motor + i].drive[phase].bias = -target.raw[i];
    }
}

void tni_joint_bounded_cut(const tni_row *rows, uint32_t count, int phase,
                           tni_bounded_row *bounded) {
    for (uint32_t i = 0; i + 3 < count; ++i) {
        if (foresee_is_turning_motor(&rows[i])) {
            foresee_cut_targets(rows, count, i, phase, bounded);
        }
    }
}

// ---- limits where the drift ends ---------------------------------------------------------------

// Returns the motion of a body after the drift at its present velocity.
static tni_body_motion foresee_drift(const tni_solver *solver, uint32_t body) {
    tni_body_motion motion = solver->bodies.motions[body];
    motion.velocity = dvec3_from_float(solver->bodies.states[body].v);
    motion.angular_velocity = dvec3_from_float(solver->bodies.states[body].w);
    motion.position = dvec3_add_scaled(motion.position, solver->dh, motion.velocity);
    tni_integrate_rotate(&motion, &solver->bodies.masses[body], solver->dh, 1);
    return motion;
}

// Has a limit ask for where the drift ends. Returns by how far that is off what it asked for, m or
// rad.
static float foresee_limit(const tni_solver *solver, const tni_joint_block *block,
                           const tni_row *row, const tni_row *later, float speed,
                           tni_row_drive *drive) {
    float bend = (later->error - row->error) * solver->inv_h - speed, before = drive->bias;
    if (fabsf(bend) * solver->h < FORESEE_MOST_BEND) {
        drive->bias =
            tni_drive_get_approach(solver, block->softness, block->max_speed, row->error) + bend;
    }
    bool is_driven = block->joint->has_motors ||
                     (block->joint->drives_limits && row->error > -FORESEE_MOST_PASSED);
    bool is_hard = is_driven || fabsf(bend) * solver->h > FORESEE_LEAST_BEND;
    if (drive->keep < 1.0f && is_hard) {
        drive->keep = 1.0f;
        drive->mass *= maths_inverse_or_zero(block->softness.mass_scale);
    }
    return fabsf(drive->bias - before) * solver->h;
}

// Returns whether a limit that pushes turns far in the drift: W J^T of its begin no longer moves
// the value of its end.
static bool foresee_is_whipped(const tni_row *later, const tni_bounded_row *bounded,
                               const tni_row_state *state) {
    tni_velocities end = {f4_load3(later->lin_a.raw), f4_load3(later->ang_a.raw),
                          f4_load3(later->lin_b.raw), f4_load3(later->ang_b.raw)};
    const tni_velocities *change = &bounded->change[1];
    return state->impulse > 0.0f &&
           tni_velocities_dot(&end, change) <
               FORESEE_WHIP_SHARE * tni_velocities_dot(&bounded->jacobian, change);
}

// Returns whether a limit may be met in the drift, however the way bends. The bend of an angle's
// way is of the order of the turn's square, that of a length's of turn times way and turn times
// turn times arm.
static bool foresee_may_meet(const tni_solver *solver, const tni_row *limit, float speed,
                             float turn) {
    float arm = maths_max(glms_vec3_dot(limit->ang_a, limit->ang_a),
                          glms_vec3_dot(limit->ang_b, limit->ang_b));
    float way = speed * solver->h, bend = turn * (turn * sqrtf(maths_max(arm, 1.0f)) + fabsf(way));
    return limit->error + way < FORESEE_BEND_TIMES * bend;
}

// Returns whether a joint may meet one of its limits, where that is awake.
static bool foresee_is_met(const tni_solver *solver, const tni_joint_block *block, uint32_t i,
                           const tni_velocities *v, float turn) {
    uint32_t row = block->first_row + block->equality_count + i;
    const tni_row *limit = &solver->joints.rows[row];
    const tni_bounded_row *bounded = &solver->joints.bounded_rows[block->first_bounded + i];
    return limit->kind == TNI_ROW_LIMIT && !bounded->is_dormant &&
           (solver->joints.row_states[row].impulse > 0.0f ||
            foresee_may_meet(solver, limit, tni_velocities_dot(&bounded->jacobian, v), turn));
}

// Adds the other end of the last value in the list, which is the row before it or behind it. With
// the way straight for one end and bent for the other nothing could lie between them.
static uint32_t foresee_add_other_end(const tni_solver *solver, const tni_joint_block *block,
                                      uint32_t count, uint32_t met,
                                      uint8_t out_rows[TNI_JOINT_MAX_ROWS]) {
    const tni_row *rows = &solver->joints.rows[block->first_row + block->equality_count];
    const tni_bounded_row *bounded = &solver->joints.bounded_rows[block->first_bounded];
    uint32_t i = out_rows[met - 1];
    const uint32_t others[2] = {i - 1, i + 1};
    for (uint32_t k = i > 0 ? 0 : 1; k < 2; ++k) {
        uint32_t other = others[k];
        bool is_listed = met > 1 && out_rows[met - 2] == other;
        if (other < count && !is_listed && rows[other].kind == TNI_ROW_LIMIT &&
            !bounded[other].is_dormant && tni_row_compare(&rows[i], &rows[other]) < 0.0f) {
            out_rows[met++] = (uint8_t)other;
            return met;
        }
    }
    return met;
}

// Lists the limits that the joint may meet, with the other ends of these values, of those that are
// awake; returns how many.
static uint32_t foresee_list_met(const tni_solver *solver, const tni_joint_block *block,
                                 const tni_velocities *v, float turn,
                                 uint8_t out_rows[TNI_JOINT_MAX_ROWS]) {
    uint32_t count = (uint32_t)block->row_count - block->equality_count, met = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool is_listed = met > 0 && out_rows[met - 1] == i;
        if (!is_listed && foresee_is_met(solver, block, i, v, turn)) {
            out_rows[met++] = (uint8_t)i;
            met = foresee_add_other_end(solver, block, count, met, out_rows);
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
    float turn = solver->h * sqrtf(maths_max(f4_dot3(v.w_a, v.w_a), f4_dot3(v.w_b, v.w_b)));
    uint32_t met_count = foresee_list_met(solver, block, &v, turn, met);
    if (met_count == 0) {
        return 0.0f;
    }
    tni_body_motion a = foresee_drift(solver, block->body_a);
    tni_body_motion b = foresee_drift(solver, block->body_b);
    float change = 0.0f;
    tni_row later[TNI_JOINT_MAX_ROWS];
    tni_joint_emit_bounded(block->joint, &a, &b, later);
    for (uint32_t k = 0; k < met_count; ++k) {
        uint32_t i = met[k];
        float speed = tni_velocities_dot(&bounded[i].jacobian, &v);
        const tni_row *end = &later[block->equality_count + i];
        float its = foresee_limit(solver, block, &rows[i], end, speed, &bounded[i].drive[1]);
        change = maths_max(change, its);
        block->joint->whips |=
            turn > FORESEE_WHIP_TURN &&
            foresee_is_whipped(end, &bounded[i], &solver->joints.row_states[first + i]);
    }
    if (change > 0.0f) {
        tni_joint_bounded_cut(rows, (uint32_t)block->row_count - block->equality_count, 1, bounded);
    }
    return change;
}

// ---- before the step ---------------------------------------------------------------------------

// W J^T of one body.
typedef struct foresee_change {
    tni_dvec3 linear, angular;
} foresee_change;

// Returns the rate at which a drive may close a limit of its value, as its target speed or a stiff
// spring does; 0: not at all.
static float foresee_get_closing(const tni_solver *solver, const tni_row *drive,
                                 const tni_row *limit) {
    float speed = drive->target_speed;
    speed -= tni_row_is_spring(drive) ? drive->error * solver->inv_h : 0.0f;
    bool may_close = drive->group == 1 && limit->kind == TNI_ROW_LIMIT && speed != 0.0f;
    float way = may_close ? tni_row_compare(drive, limit) : 0.0f;
    return maths_max(-way * speed, 0.0f);
}

// Returns W J^T of a body in this pose.
static foresee_change foresee_respond(const tni_body_mass *mass, const tni_body_motion *motion,
                                      vec3s linear, vec3s angular) {
    foresee_change change = {.linear = dvec3_scale(dvec3_from_float(linear), mass->inv_mass)};
    if (mass->is_dynamic && mass->inertia->inverse > 0.0 && mass->locks < TN_BODY_LOCK_ANGULAR_X) {
        tni_dmat3 inverse = inertia_inverse_in_world(mass->inertia, motion->rotation);
        change.angular = dmat3_mul_vec(&inverse, dvec3_from_float(angular));
    }
    return change;
}

static double foresee_dot(const tni_row *row, const foresee_change change[2]) {
    return dvec3_dot(dvec3_from_float(row->lin_a), change[0].linear) +
           dvec3_dot(dvec3_from_float(row->ang_a), change[0].angular) +
           dvec3_dot(dvec3_from_float(row->lin_b), change[1].linear) +
           dvec3_dot(dvec3_from_float(row->ang_b), change[1].angular);
}

// Returns the impulse that a drive gives in a substep along the limit of its value, whose J v is
// `speed` and whose J W J^T is `response`. A spring takes it implicitly.
static double foresee_get_impulse(const tni_solver *solver, const tni_row *drive,
                                  const tni_row *limit, double speed, double response) {
    double way = (double)tni_row_compare(drive, limit);
    if (tni_row_is_spring(drive)) {
        tni_row_drive spring[2];
        float k = (float)response;
        tni_drive_make_spring(drive, k, k, solver->h, 1.0f, spring);
        return way * (double)tni_drive_get_impulse(&spring[1], 0.0f, (float)(way * speed));
    }
    double cap = (double)drive->max_force * solver->dh;
    double x = (way * (double)drive->target_speed - speed) * maths_inverse_or_zero_d(response);
    return fmin(fmax(x, -cap), cap);
}

// Gives the bodies the speeds at which the drive makes the limit close, or as fast as the limit
// lets it. Returns by how much the faster of them turns in a substep, rad.
static double foresee_drive(const tni_solver *solver, const tni_joint_block *block,
                            const tni_row *drive, const tni_row *limit, tni_body_motion ends[2],
                            foresee_change change[2]) {
    const tni_body_mass *masses[2] = {&solver->bodies.masses[block->body_a],
                                      &solver->bodies.masses[block->body_b]};
    double h = solver->dh, turn = 0.0;
    change[0] = foresee_respond(masses[0], &ends[0], limit->lin_a, limit->ang_a);
    change[1] = foresee_respond(masses[1], &ends[1], limit->lin_b, limit->ang_b);
    double now = tni_row_get_speed(limit, &ends[0], &ends[1]);
    double response = foresee_dot(limit, change);
    double stop = (-fmax((double)limit->error, 0.0) / h - now) * maths_inverse_or_zero_d(response);
    double x = fmax(foresee_get_impulse(solver, drive, limit, now, response), stop);
    for (uint32_t e = 0; e < 2; ++e) {
        tni_body_motion *end = &ends[e];
        end->velocity = dvec3_add_scaled(end->velocity, x, change[e].linear);
        end->angular_velocity = dvec3_add_scaled(end->angular_velocity, x, change[e].angular);
        turn = fmax(turn, h * sqrt(dvec3_dot(end->angular_velocity, end->angular_velocity)));
    }
    return turn;
}

// Takes the bodies through a substep that they turn this far in. Returns whether the limit is
// whipped; `rows` are those at the beginning, then at the end.
static bool foresee_move(const tni_solver *solver, const tni_joint_block *block, uint32_t limit,
                         double turn, const foresee_change change[2], tni_body_motion ends[2],
                         tni_row *rows) {
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    double least = FORESEE_MAY_WHIP_SHARE * foresee_dot(&rows[limit], change);
    double pieces = fmin(ceil(turn / FORESEE_PIECE_TURN), FORESEE_MOST_PIECES);
    double h = solver->dh / pieces, way = (double)rows[limit].error;
    double rate = tni_row_get_speed(&rows[limit], &ends[0], &ends[1]);
    bool is_whipped = false;
    for (uint32_t i = 0; i < (uint32_t)pieces && !is_whipped; ++i) {
        for (uint32_t e = 0; e < 2; ++e) {
            ends[e].position = dvec3_add_scaled(ends[e].position, h, ends[e].velocity);
            tni_integrate_rotate(&ends[e], &solver->bodies.masses[bodies[e]], h, 1);
        }
        tni_joint_emit_bounded(block->joint, &ends[0], &ends[1], rows);
        way += h * rate;
        is_whipped = foresee_dot(&rows[limit], change) < least ||
                     fabs((double)rows[limit].error - way) > FORESEE_MAY_BEND;
    }
    return is_whipped;
}

// Returns whether the limit is whipped on the way on which the drive of its value takes it there,
// or in what the bodies do there.
static bool foresee_would_whip(const tni_solver *solver, const tni_joint_block *block,
                               uint32_t drive, uint32_t limit) {
    tni_body_motion ends[2] = {solver->bodies.motions[block->body_a],
                               solver->bodies.motions[block->body_b]};
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_joint_emit_bounded(block->joint, &ends[0], &ends[1], rows);
    bool goes_on = true, would_whip = false;
    for (uint32_t i = 0; i < FORESEE_STEPS * solver->substeps && goes_on; ++i) {
        foresee_change change[2];
        double turn = foresee_drive(solver, block, &rows[drive], &rows[limit], ends, change);
        would_whip = turn > (double)FORESEE_WHIP_TURN &&
                     foresee_move(solver, block, limit, turn, change, ends, rows);
        goes_on = turn > (double)FORESEE_WHIP_TURN && !would_whip;
    }
    return would_whip;
}

// Returns whether the drive turns a body far enough for that in its first substep, or nearly so:
// these rows may be a substep old.
static bool foresee_turns(const tni_solver *solver, const tni_joint_block *block,
                          const tni_row *drive, const tni_row *limit) {
    tni_body_motion ends[2] = {solver->bodies.motions[block->body_a],
                               solver->bodies.motions[block->body_b]};
    foresee_change change[2];
    return foresee_drive(solver, block, drive, limit, ends, change) >
           0.5 * (double)FORESEE_WHIP_TURN;
}

bool tni_joint_bounded_may_whip(const tni_solver *solver, const tni_joint_block *block,
                                const tni_row *rows) {
    float time = solver->h * (float)(FORESEE_STEPS * solver->substeps);
    bool may_whip = false;
    for (uint32_t i = block->equality_count; i < block->row_count; ++i) {
        bool drives = tni_row_drives(&rows[i]);
        for (uint32_t k = block->equality_count; k < block->row_count && drives && !may_whip; ++k) {
            float closing = foresee_get_closing(solver, &rows[i], &rows[k]);
            may_whip = closing > 0.0f && rows[k].error < closing * time &&
                       foresee_turns(solver, block, &rows[i], &rows[k]) &&
                       foresee_would_whip(solver, block, i, k);
        }
    }
    return may_whip;
}

// ---- what a load opens --------------------------------------------------------------------------

// Returns what impulses on the rows of a joint change of the motion of one of its ends.
static tni_body_motion foresee_push(const tni_solver *solver, const tni_joint_block *block,
                                    const tni_row *rows, const float *impulses, uint32_t e) {
    uint32_t body = e == 0 ? block->body_a : block->body_b;
    vec3s linear = GLMS_VEC3_ZERO, angular = GLMS_VEC3_ZERO;
    for (uint32_t r = 0; r < block->row_count; ++r) {
        linear = maths_vec3_add_scaled(linear, impulses[r], e == 0 ? rows[r].lin_a : rows[r].lin_b);
        angular =
            maths_vec3_add_scaled(angular, impulses[r], e == 0 ? rows[r].ang_a : rows[r].ang_b);
    }
    foresee_change given = foresee_respond(&solver->bodies.masses[body],
                                           &solver->bodies.motions[body], linear, angular);
    return (tni_body_motion){.velocity = given.linear, .angular_velocity = given.angular};
}

// Returns N·s: the load of a substep that the weight of a body puts on a row.
static float foresee_weigh(const tni_solver *solver, uint32_t body, vec3s linear) {
    double mass = maths_inverse_or_zero_d(solver->bodies.masses[body].inv_mass);
    tni_dvec3 pull = solver->bodies.pulls[body].acceleration;
    return (float)(-mass * solver->dh * dvec3_dot(dvec3_from_float(linear), pull));
}

void tni_joint_foresee_weight(const tni_solver *solver, const tni_joint_block *block,
                              const tni_row *rows, float *out_impulses) {
    for (uint32_t r = 0; r < block->row_count; ++r) {
        bool bears = rows[r].kind == TNI_ROW_RIGID && !rows[r].is_angular;
        float weight = foresee_weigh(solver, block->body_a, rows[r].lin_a) +
                       foresee_weigh(solver, block->body_b, rows[r].lin_b);
        out_impulses[r] = bears ? weight : 0.0f;
    }
}

tni_joint_sag tni_joint_foresee_sag(const tni_solver *solver, const tni_joint_block *block,
                                    const tni_row *rows, const float *impulses) {
    double give =
        (double)(block->softness.impulse_scale *
                 maths_inverse_or_zero(block->softness.mass_scale * block->softness.rate));
    tni_body_motion change[2] = {foresee_push(solver, block, rows, impulses, 0),
                                 foresee_push(solver, block, rows, impulses, 1)};
    tni_joint_sag sag = {0.0, 0.0};
    for (uint32_t r = 0; r < block->row_count; ++r) {
        double *most = rows[r].is_angular ? &sag.angular : &sag.linear;
        double way = 0.5 * give * fabs(tni_row_get_speed(&rows[r], &change[0], &change[1]));
        *most = rows[r].kind == TNI_ROW_RIGID ? fmax(*most, way) : *most;
    }
    return sag;
}
