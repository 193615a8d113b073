// solver/joints/joint_press.c: what the equalities of a joint carry, and how far that opens them.
//
// The impulses x of a substep of length h give the joint's own errors the speeds K x, K = J W J^T.
// Soft rows that bear x in every substep come to rest where their errors balance it, and that is at
// a fixed share of h K x: see solver/joints/joint_machine.c.
// Joints in lanes count for their points alone, rods and ropes in lanes for nothing: what they are
// tied to counts. Test: tests/joints/test_driven_jams.c
#include "solver/joints/joint_press.h"

#include "solver/joints/joint_group.h"
#include "solver/rows/equality.h"
#include "solver/rows/pin.h"

static float press_length(tni_f4 x) {
    return sqrtf(f4_dot3(x, x));
}

static tni_joint_press press_of_pin(const tni_pin_block *pin, uint32_t turns) {
    tni_pin_numbers zero = tni_pin_zero(), x = {pin->impulse, zero.turn};
    x.turn = turns > 0 ? pin->turns->impulse : x.turn;
    tni_velocities v = tni_velocities_zero();
    tni_pin_subtract(pin, turns, TNI_ENDS_BOTH, x, &v);
    tni_pin_numbers speed = tni_pin_speed(pin, turns, TNI_ENDS_BOTH, &v, zero);
    return (tni_joint_press){press_length(speed.point), press_length(speed.turn),
                             press_length(x.point), press_length(x.turn)};
}

static tni_joint_press press_of_rows(const tni_solver *solver, const tni_joint_block *block) {
    const float *impulse = tni_equality_impulse(block->equality, block->lanes);
    tni_f4 zero = f4_splat(0.0f), speed[2] = {zero, zero};
    tni_f4 x[2] = {f4_load(impulse), block->lanes > 4 ? f4_load(impulse + 4) : zero};
    tni_velocities v = tni_velocities_zero();
    tni_equality_add(block->equality, block->lanes, block->equality_count, x, &v);
    tni_equality_add_speed(block->equality, block->lanes, &v, speed);
    float speeds[8];
    f4_store(speeds, speed[0]);
    f4_store(speeds + 4, speed[1]);
    tni_joint_press press = {0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < block->equality_count; ++i) {
        bool is_angular = solver->joints.rows[block->first_row + i].is_angular;
        float *most_speed = is_angular ? &press.turn_speed : &press.point_speed;
        float *most = is_angular ? &press.twist : &press.push;
        *most_speed = maths_max(*most_speed, fabsf(speeds[i]));
        *most = maths_max(*most, fabsf(impulse[i]));
    }
    return press;
}

// Adds what an impulse at an arm gives the point of a body there.
static tni_f4 press_add_speed(const tni_body_state *body, tni_f4 arm, tni_f4 x, tni_f4 sum) {
    tni_f4 inertia[3];
    f4_load_symmetric(&body->numbers[TNI_STATE_INV_INERTIA], inertia);
    tni_f4 turn = f4_mul_columns(inertia, f4_cross(arm, x));
    sum = f4_add_product(sum, f4_load(body->numbers + TNI_STATE_INV_MASS), x);
    return f4_add(sum, f4_cross(turn, arm));
}

static tni_joint_press press_of_lane(const tni_solver *solver, const tni_joint_block *block) {
    const tni_joint_group *group = block->group;
    tni_joint_press press = {0.0f, 0.0f, 0.0f, 0.0f};
    if (joint_group_rest(solver, block)->threads != NULL) {
        return press;
    }
    tni_f4 x = joint_group_get(&group->impulse, block->lane), speed = f4_splat(0.0f);
    speed = press_add_speed(&solver->bodies.states[block->body_a],
                            joint_group_get(&group->r_a, block->lane), x, speed);
    speed = press_add_speed(&solver->bodies.states[block->body_b],
                            joint_group_get(&group->r_b, block->lane), x, speed);
    press.point_speed = press_length(speed);
    press.push = press_length(x);
    return press;
}

tni_joint_press tni_joint_press_get(const tni_solver *solver, const tni_joint_block *block) {
    if (block->group != NULL) {
        return press_of_lane(solver, block);
    }
    if (block->equality_count == 0) {
        return (tni_joint_press){0.0f, 0.0f, 0.0f, 0.0f};
    }
    return block->point_rows > 0 ? press_of_pin(block->pin, block->turns)
                                 : press_of_rows(solver, block);
}

float tni_joint_press_get_error(const tni_solver *solver, const tni_joint_block *block) {
    float errors[TNI_JOINT_MAX_ROWS], most = 0.0f;
    tni_joint_block_get_errors(solver, block, errors);
    for (uint32_t r = 0; r < block->equality_count; ++r) {
        most = maths_max(most, fabsf(errors[r]));
    }
    return most;
}

float tni_joint_press_get_arm(const tni_solver *solver, const tni_joint_block *block) {
    const tni_body_mass *masses = solver->bodies.masses;
    float arm = 0.0f;
    if (block->group == NULL && block->point_rows > 0) {
        arm = masses[block->body_a].is_dynamic ? press_length(block->pin->r_a) : 0.0f;
        arm =
            maths_max(arm, masses[block->body_b].is_dynamic ? press_length(block->pin->r_b) : 0.0f);
    }
    return arm;
}

static float press_get_greatest(float x, float y, float z) {
    return maths_max(x, maths_max(y, z));
}

// Returns the mass and the least moment of inertia.
static void press_get_masses(const tni_body_state *state, float *out_mass, float *out_inertia) {
    const tni_sym3 *w = &state->inv_inertia;
    *out_mass = maths_inverse_or_zero(
        press_get_greatest(state->inv_mass.x, state->inv_mass.y, state->inv_mass.z));
    *out_inertia = maths_inverse_or_zero(press_get_greatest(w->xx, w->yy, w->zz));
}

float tni_joint_press_get_radius(const tni_body_state *state) {
    float mass, inertia;
    press_get_masses(state, &mass, &inertia);
    return sqrtf(inertia * maths_inverse_or_zero(mass));
}

float tni_joint_press_get_momentum(const tni_body_state *state) {
    float mass, inertia;
    press_get_masses(state, &mass, &inertia);
    return mass * glms_vec3_norm(state->v) + sqrtf(mass * inertia) * glms_vec3_norm(state->w);
}
