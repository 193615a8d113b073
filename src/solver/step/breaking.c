// solver/step/breaking.c: which joints break, and when: see solver/step/breaking.h.
#include "solver/step/breaking.h"

#include "core/union_find.h"
#include "solver/movers/span_ops.h"
#include "tenon/events.h"

#include <string.h>

double tni_breaking_get_share(double h, double t) {
    if (!(t > 0.0)) {
        return 1.0;
    }
    double x = h / t, grown = x * (1.0 + x * (0.5 + x / 6.0)); // e^x - 1
    return isfinite(grown) ? grown / (1.0 + grown) : 1.0;
}

// ---- loads ------------------------------------------------------------------------------------

static tni_joint_push breaking_get_exact_push(const tni_breakable *it) {
    const tni_mechanism_sums *sums = &it->exact->sums;
    tni_joint_push push = {.angular_a = dvec3_sub(sums->torque_a, it->before.torque_a),
                           .linear_b = dvec3_sub(sums->force, it->before.force),
                           .angular_b = dvec3_sub(sums->torque_b, it->before.torque_b)};
    return push;
}

static bool breaking_is_exact(const tni_solver *solver, const tni_breakable *it) {
    return it->block >= solver->joints.count;
}

static bool breaking_is_looked_at(const tni_solver *solver, const tni_breakable *it,
                                  tni_look look) {
    return breaking_is_exact(solver, it) == (look != TNI_LOOK_SWEPT);
}

static void breaking_store(tni_dvec3 force, tni_dvec3 torque, double out[TNI_LOAD_NUMBERS]) {
    const double numbers[TNI_LOAD_NUMBERS] = {force.x,  force.y,  force.z,
                                              torque.x, torque.y, torque.z};
    memcpy(out, numbers, sizeof numbers);
}

static tni_dvec3 breaking_get_arm(const tni_body_motion *motion, const tni_dpose *frame) {
    return dquat_rotate(motion->rotation, frame->position);
}

// Measures the impulse that the joint has given in this substep so far, in world axes: on b at the
// origin of frame b, or at that of frame a if b is the world, as reactions are.
static void breaking_measure(const tni_solver *solver, const tni_breakable *it,
                             double out[TNI_LOAD_NUMBERS]) {
    const tni_joint_block *block = &solver->joints.blocks[it->block];
    const tni_joint *joint = block->joint;
    bool is_b_world = joint->body_b == TNI_NONE;
    tni_joint_push push = breaking_is_exact(solver, it) ? breaking_get_exact_push(it)
                                                        : tni_joint_block_get_push(solver, block);
    tni_dvec3 force = push.linear_b;
    tni_dvec3 torque = is_b_world ? dvec3_scale(push.angular_a, -1.0) : push.angular_b;
    tni_dvec3 arm = is_b_world
                        ? breaking_get_arm(&solver->bodies.motions[block->body_a], &joint->frame_a)
                        : breaking_get_arm(&solver->bodies.motions[block->body_b], &joint->frame_b);
    torque = dvec3_sub(torque, dvec3_cross(arm, force));
    breaking_store(force, torque, out);
}

// Turns numbers from world axes to those of frame a.
static void breaking_turn(const tni_solver *solver, const tni_joint_block *block,
                          const double in[TNI_LOAD_NUMBERS], double out[TNI_LOAD_NUMBERS]) {
    const tni_body_motion *a = &solver->bodies.motions[block->body_a];
    tni_dquat back = dquat_conjugate(dquat_mul(a->rotation, block->joint->frame_a.rotation));
    breaking_store(dquat_rotate(back, dvec3_make(in[0], in[1], in[2])),
                   dquat_rotate(back, dvec3_make(in[3], in[4], in[5])), out);
}

// There are this many causes.
#define BREAKING_CAUSES (TN_BREAK_CAUSE_ANGULAR_Z + 1)

double tni_breaking_compare(tni_joint *joint, const double mean[TNI_LOAD_NUMBERS]) {
    const tn_joint_def *def = tni_joint_get_base(joint);
    const double *m = mean;
    double most = 0.0;
    const double bears[BREAKING_CAUSES] = {(double)def->break_force, (double)def->break_torque,
                                           def->break_linear.x,      def->break_linear.y,
                                           def->break_linear.z,      def->break_angular.x,
                                           def->break_angular.y,     def->break_angular.z};
    const double loads[BREAKING_CAUSES] = {dvec3_length(dvec3_make(m[0], m[1], m[2])),
                                           dvec3_length(dvec3_make(m[3], m[4], m[5])),
                                           fabs(m[0]),
                                           fabs(m[1]),
                                           fabs(m[2]),
                                           fabs(m[3]),
                                           fabs(m[4]),
                                           fabs(m[5])};
    for (uint32_t cause = 0; cause < BREAKING_CAUSES; ++cause) {
        bool is_over = loads[cause] > bears[cause];
        double excess = bears[cause] > 0.0 ? loads[cause] / bears[cause] : HUGE_VAL;
        if (is_over && excess > most) {
            most = excess;
            joint->bearing.cause = (uint8_t)cause;
            joint->bearing.load = (float)loads[cause];
            joint->bearing.threshold = (float)bears[cause];
        }
    }
    return most;
}

double tni_breaking_compare_rows(tni_joint *joint, const double *mean, double most) {
    uint32_t count;
    const tn_custom_row_def *rows = tni_joint_get_own_rows(joint, &count);
    for (uint32_t r = 0; r < count; ++r) {
        double bears = (double)rows[r].break_load, load = fabs(mean[r]);
        if (bears > 0.0 && load > bears && load / bears > most) {
            most = load / bears;
            joint->bearing.cause = TN_BREAK_CAUSE_ROW;
            joint->bearing.row = (uint8_t)r;
            joint->bearing.load = (float)load;
            joint->bearing.threshold = rows[r].break_load;
        }
    }
    return most;
}

// Measures the impulses that its rows have given in this substep so far, in the order of its
// definition.
static void breaking_measure_rows(const tni_solver *solver, const tni_breakable *it,
                                  double out[TN_CUSTOM_MAX_ROWS]) {
    const tni_joint_block *block = &solver->joints.blocks[it->block];
    memset(out, 0, TN_CUSTOM_MAX_ROWS * sizeof *out);
    if (!breaking_is_exact(solver, it)) {
        float impulses[TNI_JOINT_MAX_ROWS];
        tni_joint_block_get_row_impulses(solver, block, impulses);
        for (uint32_t r = 0; r < block->row_count; ++r) {
            out[r] = (double)impulses[r];
        }
        return;
    }
    for (uint32_t r = 0; r < it->exact->row_count; ++r) {
        const tni_mechanism_actor *actor = &it->exact->actors[r];
        bool is_actor = r >= it->exact->equality_count;
        uint32_t row = is_actor ? actor->row : r;
        out[row] =
            (is_actor ? actor->sums.step_impulse : it->exact->sums.rows[r]) - it->rows->before[row];
    }
}

static double breaking_get_least(float a, tn_vec3 b) {
    return maths_min_d(maths_min_d((double)a, b.x), maths_min_d(b.y, b.z));
}

// Does it bear by far the largest load that its impulses can make? The question is for substeps
// whose load is not kept, and for joints that hold a point of b where it is in a, and turns: these
// push with no more than their impulses, and about the point with no more than those of their
// turns. Any axis is at most of unit length; half of what it bears is left for round-off.
static bool breaking_is_far(const tni_solver *solver, const tni_breakable *it, tni_look look) {
    const tni_joint_block *block = &solver->joints.blocks[it->block];
    const tn_joint_def *def = tni_joint_get_base(block->joint);
    if (look != TNI_LOOK_SWEPT || solver->is_last_substep || def->break_time > 0.0f ||
        it->rows != NULL || block->point_rows != TNI_PIN_POINT_ROWS ||
        block->row_count != block->equality_count) {
        return false;
    }
    float x[TNI_JOINT_MAX_ROWS];
    tni_joint_block_get_impulses(solver, block, x);
    double force = 0.0, torque = 0.0, half = 0.5 * (double)solver->h;
    for (uint32_t r = 0; r < block->row_count; ++r) {
        double impulse = fabs((double)x[r]);
        force += r < TNI_PIN_POINT_ROWS ? impulse : 0.0;
        torque += r < TNI_PIN_POINT_ROWS ? 0.0 : impulse;
    }
    return force < half * breaking_get_least(def->break_force, def->break_linear) &&
           torque < half * breaking_get_least(def->break_torque, def->break_angular);
}

static bool breaking_are_equal(const double *a, const double *b) {
    bool are_equal = true;
    for (uint32_t i = 0; i < TNI_LOAD_NUMBERS; ++i) {
        are_equal = are_equal && a[i] == b[i];
    }
    return are_equal;
}

static void breaking_weigh_rows(const tni_solver *solver, tni_breakable *it, tni_look look,
                                double share, double before) {
    tni_joint *joint = solver->joints.blocks[it->block].joint;
    const tni_row_bearing *bearing = tni_joint_get_row_bearing(joint);
    double now[TN_CUSTOM_MAX_ROWS];
    breaking_measure_rows(solver, it, now);
    if (look != TNI_LOOK_BLOW) {
        memcpy(it->rows->given, now, sizeof now);
    }
    for (uint32_t r = 0; r < TN_CUSTOM_MAX_ROWS; ++r) {
        double load = (before * bearing->since[r] + now[r]) / (double)solver->h;
        it->rows->mean[r] = tni_breaking_follow(bearing->mean[r], load, share);
    }
    it->excess = tni_breaking_compare_rows(joint, it->rows->mean, it->excess);
}

// Weighs a joint by its mean with this substep: for a mechanism's joint also with the impulses
// after its last stage; or with those that contacts have given since the stage.
static void breaking_weigh(const tni_solver *solver, tni_breakable *it, tni_look look) {
    const tni_joint_block *block = &solver->joints.blocks[it->block];
    tni_joint_bearing *bearing = &block->joint->bearing;
    double h = (double)solver->h; // dh is that of a piece, where the substep is cut
    double share = tni_breaking_get_share(h, (double)tni_joint_get_base(block->joint)->break_time);
    double before = look == TNI_LOOK_STAGE ? 1.0 : 0.0;
    double now[TNI_LOAD_NUMBERS], given[TNI_LOAD_NUMBERS];
    it->excess = 0.0;
    it->is_far = breaking_is_far(solver, it, look);
    if (it->is_far) {
        return;
    }
    breaking_measure(solver, it, now);
    if (look == TNI_LOOK_BLOW && breaking_are_equal(it->given, now)) {
        return;
    }
    if (look != TNI_LOOK_BLOW) {
        memcpy(it->given, now, sizeof now);
    }
    breaking_turn(solver, block, now, given);
    for (uint32_t i = 0; i < TNI_LOAD_NUMBERS; ++i) {
        double load = (before * bearing->since[i] + given[i]) / h;
        it->mean[i] = tni_breaking_follow(bearing->mean[i], load, share);
    }
    it->excess = tni_breaking_compare(block->joint, it->mean);
    if (it->rows != NULL) {
        breaking_weigh_rows(solver, it, look, share, before);
    }
}

// ---- who breaks -------------------------------------------------------------------------------

// Returns a body of the joint that moves, if there is one.
static uint32_t breaking_get_body(const tni_solver *solver, const tni_breakable *it) {
    const tni_joint_block *block = &solver->joints.blocks[it->block];
    return solver->bodies.masses[block->body_a].is_dynamic ? block->body_a : block->body_b;
}

static bool breaking_is_over(const tni_solver *solver, const tni_breakable *it, tni_look look) {
    return breaking_is_looked_at(solver, it, look) && it->excess > 0.0 &&
           !solver->joints.blocks[it->block].joint->bearing.is_broken;
}

// Finds, by the root of its bodies, the worst joint of each set that would break; the first one if
// several are as bad.
static void breaking_find_worst(tni_solver *solver, tni_look look) {
    uint32_t *roots = solver->breaking.sets, *worst = roots + solver->breaking.body_count;
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[solver->breaking.breakables[i].block];
        roots[block->body_a] = block->body_a;
        roots[block->body_b] = block->body_b;
        worst[block->body_a] = worst[block->body_b] = TNI_NONE;
    }
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[solver->breaking.breakables[i].block];
        if (breaking_is_over(solver, &solver->breaking.breakables[i], look) &&
            solver->bodies.masses[block->body_a].is_dynamic &&
            solver->bodies.masses[block->body_b].is_dynamic) {
            union_find_join(roots, block->body_a, block->body_b);
        }
    }
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        const tni_breakable *it = &solver->breaking.breakables[i];
        uint32_t *own = &worst[union_find_root(roots, breaking_get_body(solver, it))];
        if (breaking_is_over(solver, it, look) &&
            (*own == TNI_NONE || it->excess > solver->breaking.breakables[*own].excess)) {
            *own = i;
        }
    }
}

static void breaking_take_out(tni_solver *solver, tni_breakable *it, tni_look look) {
    tni_joint_bearing *bearing = &solver->joints.blocks[it->block].joint->bearing;
    bearing->is_broken = true;
    memcpy(bearing->mean, it->mean, sizeof bearing->mean);
    if (look == TNI_LOOK_SWEPT) {
        tni_breaking_mark(solver, &solver->joints.blocks[it->block]);
        it->has_taken = solver->ledger.measures_work;
        it->taken = tni_joint_block_get_first_push(solver, &solver->joints.blocks[it->block]);
        tni_gradients_leave(solver, it->block);
        tni_joint_block_leave(solver, it->block);
    }
    if (it->exact != NULL) {
        tni_mechanism_lose_joint(it->mechanism, it->exact);
        it->mechanism->stage.has_lost = look == TNI_LOOK_STAGE;
    }
}

bool tni_breaking_weigh(tni_solver *solver, tni_look look) {
    bool are_over = false;
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        tni_breakable *it = &solver->breaking.breakables[i];
        bool is_whole = !solver->joints.blocks[it->block].joint->bearing.is_broken;
        if (is_whole && breaking_is_looked_at(solver, it, look)) {
            breaking_weigh(solver, it, look);
            are_over |= it->excess > 0.0;
        }
    }
    if (look != TNI_LOOK_SWEPT && solver->breaking.has_spans) {
        are_over |= solver->movers.span_ops->weigh_in_mechanisms(solver, look);
    }
    return are_over;
}

void tni_breaking_break(tni_solver *solver, tni_look look) {
    if (look != TNI_LOOK_SWEPT && solver->breaking.has_spans) {
        solver->movers.span_ops->break_in_mechanisms(solver, look);
    }
    if (solver->breaking.count == 0) {
        return;
    }
    breaking_find_worst(solver, look);
    const uint32_t *worst = solver->breaking.sets + solver->breaking.body_count;
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        tni_breakable *it = &solver->breaking.breakables[i];
        uint32_t root = union_find_root(solver->breaking.sets, breaking_get_body(solver, it));
        if (breaking_is_over(solver, it, look) && worst[root] == i) {
            breaking_take_out(solver, it, look);
        }
    }
}

bool tni_breaking_look(tni_solver *solver, tni_look look) {
    bool are_over = tni_breaking_weigh(solver, look);
    if (are_over) {
        tni_breaking_break(solver, look);
    }
    return are_over;
}

static void breaking_accept_rows(const tni_solver *solver, const tni_breakable *it) {
    if (it->rows != NULL) {
        tni_row_bearing *own = tni_joint_get_row_bearing(solver->joints.blocks[it->block].joint);
        memcpy(own->mean, it->rows->mean, sizeof own->mean);
    }
}

void tni_breaking_accept(tni_solver *solver, tni_look look) {
    if (look != TNI_LOOK_SWEPT && solver->breaking.has_spans) {
        solver->movers.span_ops->accept_in_mechanisms(solver);
    }
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        const tni_breakable *it = &solver->breaking.breakables[i];
        tni_joint_bearing *bearing = &solver->joints.blocks[it->block].joint->bearing;
        if (!bearing->is_broken && !it->is_far && breaking_is_looked_at(solver, it, look)) {
            memcpy(bearing->mean, it->mean, sizeof bearing->mean);
            breaking_accept_rows(solver, it);
        }
    }
}

// Adds the impulses of rows after the last look at a mechanism's joint.
static void breaking_end_rows(const tni_solver *solver, tni_breakable *it) {
    if (it->rows == NULL) {
        return;
    }
    tni_row_bearing *own = tni_joint_get_row_bearing(solver->joints.blocks[it->block].joint);
    double now[TN_CUSTOM_MAX_ROWS];
    breaking_measure_rows(solver, it, now);
    for (uint32_t r = 0; r < TN_CUSTOM_MAX_ROWS; ++r) {
        bool is_exact = breaking_is_exact(solver, it);
        own->since[r] = is_exact ? now[r] - it->rows->given[r] : 0.0;
        it->rows->before[r] += is_exact ? now[r] : 0.0;
    }
}

void tni_breaking_end_substep(tni_solver *solver) {
    if (solver->breaking.has_spans) {
        solver->movers.span_ops->end_substep_in_mechanisms(solver);
    }
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        tni_breakable *it = &solver->breaking.breakables[i];
        const tni_joint_block *block = &solver->joints.blocks[it->block];
        double *since = block->joint->bearing.since, given[TNI_LOAD_NUMBERS];
        breaking_end_rows(solver, it);
        if (!breaking_is_exact(solver, it)) {
            memset(since, 0, sizeof block->joint->bearing.since);
            continue;
        }
        breaking_measure(solver, it, given);
        for (uint32_t k = 0; k < TNI_LOAD_NUMBERS; ++k) {
            given[k] -= it->given[k];
        }
        breaking_turn(solver, block, given, since);
        it->before = it->exact->sums;
    }
}

// ---- the list ---------------------------------------------------------------------------------

// Finds which joints of mechanisms the breakable ones are. `of_block` is scratch, by block.
static void breaking_find_exact(tni_solver *solver, uint32_t *of_block) {
    for (uint32_t i = 0; i < solver->breaking.count; ++i) {
        of_block[solver->breaking.breakables[i].block] = i;
    }
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        tni_mechanism *mechanism = solver->exact.mechanisms[m];
        for (uint32_t k = 0; k < mechanism->joint_count; ++k) {
            tni_mechanism_joint *joint = &mechanism->joints[k];
            if (solver->joints.blocks[joint->block].may_break) {
                tni_breakable *it = &solver->breaking.breakables[of_block[joint->block]];
                it->mechanism = mechanism;
                it->exact = joint;
            }
        }
    }
}

static bool breaking_make_rows(tni_solver *solver, tni_arena *arena) {
    bool is_made = true;
    for (uint32_t i = 0; i < solver->breaking.count && is_made; ++i) {
        tni_breakable *it = &solver->breaking.breakables[i];
        if (tni_joint_rows_may_break(solver->joints.blocks[it->block].joint)) {
            it->rows = tni_arena_alloc_zeroed(arena, sizeof *it->rows);
            is_made = it->rows != NULL;
        }
    }
    return is_made;
}

bool tni_breaking_make(tni_solver *solver, uint32_t body_count, tni_arena *arena) {
    uint32_t blocks = solver->joints.count + solver->joints.exact_count, count = 0;
    for (uint32_t i = 0; i < blocks; ++i) {
        count += solver->joints.blocks[i].may_break ? 1 : 0;
    }
    if (count == 0 && solver->movers.span_count == 0) {
        return true;
    }
    solver->breaking.body_count = body_count;
    solver->breaking.marks = tni_arena_alloc_zeroed(arena, body_count * sizeof(bool));
    if (solver->breaking.marks == NULL || count == 0) {
        return solver->breaking.marks != NULL || body_count == 0;
    }
    solver->breaking.breakables =
        tni_arena_alloc_zeroed(arena, count * sizeof *solver->breaking.breakables);
    solver->breaking.sets = tni_arena_alloc(arena, 2 * (size_t)body_count * sizeof(uint32_t));
    uint32_t *of_block = tni_arena_alloc(arena, blocks * sizeof *of_block);
    if (solver->breaking.breakables == NULL || solver->breaking.sets == NULL || of_block == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < blocks; ++i) {
        if (solver->joints.blocks[i].may_break) {
            solver->breaking.breakables[solver->breaking.count++].block = i;
        }
    }
    breaking_find_exact(solver, of_block);
    return breaking_make_rows(solver, arena);
}
