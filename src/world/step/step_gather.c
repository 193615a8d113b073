// world/step/step_gather.c: copies the world's records into the solver's dense arrays.
#include <string.h>

#include "solver/bodies/integrate.h"
#include "solver/contacts/contact_sweeps.h"
#include "solver/contacts/contact_work.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_machine.h"
#include "solver/movers/span_contact.h"
#include "solver/step/breaking.h"
#include "world/bodies.h"
#include "world/step/clusters.h"
#include "world/step/joint_plan.h"

// The loop over bodies prefetches this many bodies ahead.
#define GATHER_AHEAD 4
// From this many contacts on a second worker pays for finding islands: some microseconds.
#define GATHER_LEAST_SHARED 512u
// Times g h^2: a column of 30 that settles would lose and find again a shallower resting depth.
#define GATHER_REST_FALLS 3.0f
// Times g h: a load at rest changes by this speed in a substep.
#define GATHER_CALM_FALLS 3.0f

// First-order dynamics, v = T f / m, is second-order dynamics of lighter bodies that stop before
// every kick. From rest half a kick gives them the velocity of their drift: h/2 f / m', which is
// that of the first order with m' = m h / (2 T). Springs, dampers and motors use the same masses,
// so their linearly implicit step is of first order too.
static void gather_ease(tni_step *step, uint32_t i) {
    tni_solver *solver = &step->solver;
    tni_body_mass *mass = &solver->bodies.masses[i];
    tni_body_state *state = &solver->bodies.states[i];
    double ease = step->ease;
    step->inertias[i] = *mass->inertia;
    step->inertias[i].moment /= ease;
    step->inertias[i].inverse *= ease;
    mass->inertia = &step->inertias[i];
    mass->inv_mass *= ease;
    mass->gravity_scale *= ease;
    tni_dvec3 *pull = &solver->bodies.pulls[i].acceleration;
    *pull = dvec3_scale(*pull, ease);
    mass->linear_damping *= (float)ease;
    mass->angular_damping *= (float)ease;
    mass->stops = mass->is_dynamic;
    for (uint32_t k = 0; k < 3; ++k) {
        state->inv_mass.raw[k] *= (float)ease;
    }
    for (uint32_t k = 0; k < 6; ++k) {
        state->numbers[TNI_STATE_INV_INERTIA + k] *= (float)ease;
    }
    tni_integrate_stop(&solver->bodies.motions[i], mass);
}

static void gather_mass(const tni_body *body, tni_body_mass *mass) {
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    mass->inertia = &body->principal;
    mass->inv_mass = body->inv_mass;
    mass->gravity_scale = (double)body->gravity_scale;
    mass->torque = body->is_pushed ? body->torque : zero;
    mass->locks = body->locks;
    mass->linear_damping = body->linear_damping;
    mass->angular_damping = body->angular_damping;
    mass->is_dynamic = body->type == TN_BODY_TYPE_DYNAMIC;
    mass->is_kinematic = body->type == TN_BODY_TYPE_KINEMATIC;
    mass->has_damping = body->linear_damping > 0.0f || body->angular_damping > 0.0f;
    mass->stops = false;
}

static tni_dvec3 gather_get_pull(const tni_solver *solver, const tni_body *body) {
    tni_dvec3 pull = dvec3_make(0.0, 0.0, 0.0);
    if (body->type == TN_BODY_TYPE_DYNAMIC) {
        pull = dvec3_scale(solver->gravity, (double)body->gravity_scale);
        pull = body->is_pushed ? dvec3_add_scaled(pull, body->inv_mass, body->force) : pull;
    }
    return tni_body_unlocked(pull, body->locks, TN_BODY_LOCK_LINEAR_X);
}

static void gather_apply_locks(tni_body_motion *motion, tni_body_mass *mass) {
    uint32_t locks = mass->locks;
    mass->torque = tni_body_unlocked(mass->torque, locks, TN_BODY_LOCK_ANGULAR_X);
    if (mass->is_dynamic) {
        motion->velocity = tni_body_unlocked(motion->velocity, locks, TN_BODY_LOCK_LINEAR_X);
        motion->angular_velocity =
            tni_body_unlocked(motion->angular_velocity, locks, TN_BODY_LOCK_ANGULAR_X);
    }
}

// Gathers a body. Of its state only the members that do not follow from the motion are set.
static void gather_awake_body(const tn_world *world, tni_step *step, uint32_t i) {
    tni_solver *solver = &step->solver;
    uint32_t index = step->body_of[i];
    tni_body *body = tni_body_at(world, index);
    tni_body_motion *motion = &solver->bodies.motions[i];
    tni_body_mass *mass = &solver->bodies.masses[i];
    body->solver_index = i;
    step->has_given_mass[i] = body->has_given_mass;
    *motion = tni_body_get_motion(body);
    gather_mass(body, mass);
    solver->bodies.pulls[i] = (tni_body_pull){.acceleration = gather_get_pull(solver, body)};
    solver->bodies.states[i] = (tni_body_state){.inv_mass = tni_body_axis_inv_mass(body)};
    if (body->principal.is_round) {
        float inverse = (float)body->principal.inverse;
        solver->bodies.states[i].inv_inertia =
            (tni_sym3){inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
    }
    if (body->locks != 0) {
        gather_apply_locks(motion, mass);
    }
    if (step->inertias != NULL) {
        gather_ease(step, i);
    }
    tni_dvec3 torque = mass->torque;
    mass->has_torque = torque.x != 0.0 || torque.y != 0.0 || torque.z != 0.0;
    solver->bodies.is_free[i] = !mass->has_torque;
    solver->bodies.kinds[i] = (uint8_t)integrate_find_kind(mass, motion);
}

typedef struct gather_pass {
    tn_world *world;
    tni_step *step;
    bool has_batches; // their memory was obtained
} gather_pass;

static void gather_awake_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const gather_pass *pass = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (i + GATHER_AHEAD <= last) {
            tni_body_fetch(tni_body_at(pass->world, pass->step->body_of[i + GATHER_AHEAD]));
        }
        gather_awake_body(pass->world, pass->step, i);
    }
}

// Lists the awake bodies in the order of the world's list, or sorted by their place in space if
// that is known: see world/step/parts.c.
static void gather_order_awake(const tn_world *world, tni_step *step) {
    const tni_index_list *awake = &world->awake_bodies;
    uint32_t *body_of = step->body_of + 1;
    if (!world->has_space_keys) {
        if (awake->count > 0) {
            memcpy(body_of, awake->items, awake->count * sizeof *body_of);
        }
        return;
    }
    const uint32_t *keys = world->space_keys.items;
    uint32_t next[TNI_SPACE_KEYS] = {0}, start = 0;
    for (uint32_t i = 0; i < awake->count; ++i) {
        next[keys[i]] += 1;
    }
    for (uint32_t k = 0; k < TNI_SPACE_KEYS; ++k) {
        uint32_t count = next[k];
        next[k] = start;
        start += count;
    }
    for (uint32_t i = 0; i < awake->count; ++i) {
        body_of[next[keys[i]]++] = awake->items[i];
    }
}

static void gather_awake(tn_world *world, tni_step *step) {
    gather_pass pass = {world, step, true};
    step->solver.bodies.count = 1 + world->awake_bodies.count;
    world->telemetry.awake_bodies = world->awake_bodies.count;
    gather_order_awake(world, step);
    tni_tasks_run(&world->tasks, gather_awake_range, world->awake_bodies.count,
                  tni_world_cut(world, TNI_STEP_MIN_RANGE), &pass);
}

// Makes a solver body of infinite mass at rest.
static void gather_fixed(tni_step *step, uint32_t i, tni_dvec3 position, tni_dquat rotation) {
    tni_solver *solver = &step->solver;
    solver->bodies.motions[i] = (tni_body_motion){.position = position, .rotation = rotation};
    solver->bodies.masses[i] = (tni_body_mass){.inertia = &step->infinite_inertia};
    solver->bodies.pulls[i] = (tni_body_pull){.unused = 0.0};
    solver->bodies.states[i] = (tni_body_state){.unused = 0.0f};
    solver->bodies.kinds[i] = TNI_BATCH_NONE;
    solver->bodies.is_free[i] = true;
}

uint32_t tni_step_add_fixed_body(tn_world *world, tni_step *step, uint32_t index) {
    tni_solver *solver = &step->solver;
    tni_body *body = tni_body_at(world, index);
    if (body->solver_index != TNI_NONE) {
        return body->solver_index;
    }
    uint32_t i = solver->bodies.count++;
    body->solver_index = i;
    step->body_of[i] = index;
    gather_fixed(step, i, body->position, body->rotation);
    return i;
}

tni_softness tni_softness_from_bias(const tn_bias *bias, float h) {
    if (bias->mode == TN_BIAS_MODE_BAUMGARTE) {
        tni_softness baumgarte = {bias->beta / h, 1.0f, 0.0f};
        return baumgarte;
    }
    float hertz = maths_min(bias->hertz, 0.25f / h);
    return tni_softness_make(hertz, bias->damping_ratio, h);
}

// With the cap of joints, l a is about b h (world/collide/contact_lift.h) and piles shake. Contacts
// have two thirds of that stiffness.
#define GATHER_CONTACT_CAP 0.2f

static tni_softness gather_get_contact_softness(const tn_world *world, float stiffer, float h) {
    tn_bias bias = world->def.contact_bias;
    bias.hertz = maths_min(stiffer * bias.hertz, GATHER_CONTACT_CAP / h);
    return tni_softness_from_bias(&bias, h);
}

// Counts the ends of awake joints at sleeping and static bodies: the most that these can number.
static size_t gather_count_fixed_ends(const tn_world *world) {
    size_t count = 0;
    for (uint32_t i = 0; i < world->awake_joints.count; ++i) {
        const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        const uint32_t ends[2] = {joint->body_a, joint->body_b};
        for (int e = 0; e < 2; ++e) {
            bool is_fixed =
                ends[e] != TNI_NONE && tni_body_at(world, ends[e])->awake_index == TNI_NONE;
            count += is_fixed ? 1 : 0;
        }
    }
    return count;
}

// Allocates the solver's arrays of `n` bodies and their world indices. One block holds the flags.
static bool gather_allocate_bodies(tni_arena *arena, size_t n, tni_step *step) {
    tni_solver *solver = &step->solver;
    solver->bodies.states = tni_arena_alloc(arena, n * sizeof(tni_body_state));
    solver->bodies.motions = tni_arena_alloc(arena, n * sizeof(tni_body_motion));
    solver->bodies.masses = tni_arena_alloc(arena, n * sizeof(tni_body_mass));
    solver->bodies.pulls = tni_arena_alloc(arena, n * sizeof(tni_body_pull));
    step->body_of = tni_arena_alloc(arena, n * sizeof(uint32_t));
    bool *flags = tni_arena_alloc_zeroed(arena, 3 * n * sizeof(bool));
    if (solver->bodies.states == NULL || solver->bodies.motions == NULL ||
        solver->bodies.masses == NULL || solver->bodies.pulls == NULL || step->body_of == NULL ||
        flags == NULL) {
        return false;
    }
    solver->bodies.is_free = flags;
    solver->bodies.has_added_inertia = flags + n;
    solver->bodies.kinds = (uint8_t *)(flags + 2 * n);
    return true;
}

// Allocates one block for the flags and one for the indices, because every block has its cost.
static bool gather_allocate(tn_world *world, tni_step *step) {
    tni_arena *arena = &world->arena;
    step->infinite_inertia = tni_inertia_infinite();
    size_t fixed_ends =
        step->has_kept_joints ? world->joint_plan->fixed_count : gather_count_fixed_ends(world);
    size_t slots = tni_step_count_reduced_slots(world);
    size_t n = (size_t)world->awake_bodies.count + fixed_ends + slots + 1;
    bool *flags = tni_arena_alloc_zeroed(arena, 7 * n * sizeof(bool));
    uint32_t *indices = tni_arena_alloc(arena, 5 * n * sizeof(uint32_t));
    bool has_bodies = gather_allocate_bodies(arena, n, step);
    step->shares = tni_arena_alloc(arena, n * sizeof *step->shares);
    bool has_joints = world->awake_joints.count > 0;
    if (has_joints) {
        step->balances = tni_arena_alloc(arena, n * tni_step_balance_size());
    }
    if (!has_bodies || flags == NULL || indices == NULL || step->shares == NULL ||
        (has_joints && step->balances == NULL)) {
        return false;
    }
    step->is_restless = flags;
    step->solver.bodies.is_exact = flags + n;
    step->is_broken = flags + 2 * n;
    step->has_given_mass = flags + 3 * n;
    step->is_touched = flags + 4 * n;
    step->is_lost = flags + 5 * n;
    step->is_watched = flags + 6 * n;
    if (world->def.dynamics == TN_DYNAMICS_FIRST_ORDER) {
        step->ease = 2.0 * world->def.mobility / step->solver.dh;
        step->inertias = tni_arena_alloc(arena, n * sizeof(tni_inertia));
        if (step->inertias == NULL) {
            return false;
        }
    }
    step->island_of = indices;
    step->solver.bodies.island_of = indices;
    step->broken = indices + n;
    step->tied = indices + 2 * n;
    step->island_sizes = indices + 3 * n;
    step->balance_of = indices + 4 * n;
    return true;
}

static bool gather_find_leads(const tni_solver *solver) {
    bool has_any = false;
    for (uint32_t i = 1; i < solver->bodies.count && !has_any; ++i) {
        has_any = solver->bodies.masses[i].is_kinematic &&
                  !tni_motion_is_still(&solver->bodies.motions[i]);
    }
    return has_any;
}

// Opens the ledger for the bodies that no cluster has. Returns false without memory.
static bool gather_open_ledger(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    tni_arena *arena = &world->arena;
    size_t n = solver->bodies.count, workers = world->def.worker_count;
    size_t groups = solver->contacts.group_count, most = solver->clusters.most_groups;
    uint32_t *bodies = tni_arena_alloc(arena, n * sizeof *bodies), count = 0;
    solver->ledger.measures_work = true;
    solver->ledger.has_leads = gather_find_leads(solver);
    solver->ledger.motions_before = tni_arena_alloc_zeroed(arena, n * sizeof(tni_body_motion));
    solver->contacts.starts = tni_arena_alloc(arena, groups * sizeof(tni_contact_start));
    solver->clusters.starts = tni_arena_alloc(arena, workers * most * sizeof(tni_contact_start));
    if (bodies == NULL || solver->ledger.motions_before == NULL ||
        solver->contacts.starts == NULL || solver->clusters.starts == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < n; ++i) {
        if (step->clusters.of == NULL || step->clusters.of[i] == TNI_NONE) {
            bodies[count++] = i;
        }
    }
    solver->ledger.bodies = bodies;
    solver->ledger.body_count = count;
    return true;
}

// Allocates arrays that only bodies held by rows need.
static bool gather_allocate_held(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    tni_arena *arena = &world->arena;
    size_t n = solver->bodies.count;
    if (tni_world_keeps_ledger(world) && !gather_open_ledger(world, step)) {
        return false;
    }
    if (solver->contacts.count > 0) {
        solver->bodies.deltas = tni_arena_alloc_zeroed(arena, n * sizeof(tni_body_delta));
    }
    if (solver->joints.count > 0) {
        solver->bodies.added_inertia = tni_arena_alloc(arena, n * sizeof(tni_dmat3));
    }
    return (solver->bodies.deltas != NULL || solver->contacts.count == 0) &&
           (solver->bodies.added_inertia != NULL || solver->joints.count == 0);
}

// Returns the number of sweeps: as many as the user asks for, or by residual
// (solver/contacts/contact_sweeps.h). BAUMGARTE needs more, as long as a pile settles.
static uint32_t gather_get_contact_sweeps(const tn_world *world) {
    const tn_world_def *def = &world->def;
    uint32_t own = def->contact_bias.mode == TN_BIAS_MODE_BAUMGARTE
                       ? TNI_CONTACT_SWEEPS_BAUMGARTE
                       : contact_sweeps_count(world->contact_sweeps);
    return def->contact_iterations != 0 ? def->contact_iterations : own;
}

// A body at rest may stand off by this share of its fall in a substep and count as touching. Points
// of one face that stand 1e-7 m to either side of s = 0 are then equally soft.
#define GATHER_CLOSED 0.001f

static float gather_get_contact_closed(const tn_world *world, float h) {
    return GATHER_CLOSED * h * h * glms_vec3_norm(dvec3_to_float(tni_world_get_gravity(world)));
}

// Returns the depth, m, up to which BAUMGARTE leaves points alone: some times a substep's fall.
static float gather_get_contact_rest(const tn_world *world, float h) {
    vec3s g = dvec3_to_float(tni_world_get_gravity(world));
    bool is_rigid = world->def.contact_bias.mode == TN_BIAS_MODE_BAUMGARTE;
    return is_rigid ? GATHER_REST_FALLS * glms_vec3_norm(g) * h * h : 0.0f;
}

static float gather_get_contact_calm(const tn_world *world, float h) {
    vec3s g = dvec3_to_float(tni_world_get_gravity(world));
    return GATHER_CALM_FALLS * glms_vec3_norm(g) * h;
}

static void gather_settings(const tn_world *world, tni_solver *solver, double dt,
                            uint32_t substeps) {
    const tn_world_def *def = &world->def;
    solver->substeps = substeps;
    solver->times_stages = world->times_stages;
    solver->gravity = tni_world_get_gravity(world);
    solver->movers.time = world->time;
    solver->movers.span_ops = world->features.spans != NULL ? world->features.spans->ops : NULL;
    solver->uses_avx2 = world->uses_avx2;
    solver->tasks = &world->tasks;
    solver->dh = dt / (double)substeps;
    solver->h = (float)solver->dh;
    solver->inv_h = 1.0f / solver->h;
    solver->settings.integrator = def->research.integrator;
    solver->settings.stabilization = def->research.stabilization;
    solver->settings.joint_bias = def->joint_bias;
    solver->settings.contact_bias = def->contact_bias;
    solver->settings.contact_iterations = gather_get_contact_sweeps(world);
    solver->settings.contact_closed = gather_get_contact_closed(world, solver->h);
    solver->settings.contact_calm = gather_get_contact_calm(world, solver->h);
    solver->settings.contact_rest = gather_get_contact_rest(world, solver->h);
    solver->settings.relax_iterations = def->relax_iterations;
    solver->settings.restitution_threshold = def->restitution_threshold;
    if (world->awake_contacts.count > 0) {
        solver->settings.contact_softness = gather_get_contact_softness(world, 1.0f, solver->h);
        solver->settings.static_softness = gather_get_contact_softness(world, 2.0f, solver->h);
        tn_bias bias = def->contact_bias; // contacts that are not lifted are as stiff as joints
        solver->settings.span_softness = tni_softness_from_bias(&bias, solver->h);
        bias.hertz *= 2.0f;
        solver->settings.span_static_softness = tni_softness_from_bias(&bias, solver->h);
    }
}

static void gather_find_free(const tni_step *step, tni_solver *solver) {
    const tni_joint_plan *plan = step->plan;
    const uint32_t *cluster_of = step->clusters.of;
    for (uint32_t i = 1; i < solver->bodies.count; ++i) {
        bool is_held = plan != NULL && i < plan->body_count && plan->is_held[i];
        bool is_clustered = cluster_of != NULL && cluster_of[i] != TNI_NONE;
        solver->bodies.is_free[i] = solver->bodies.is_free[i] && !is_held && !is_clustered;
    }
    uint32_t joints = plan != NULL ? 0 : solver->joints.count + solver->joints.exact_count;
    for (uint32_t i = 0; i < joints; ++i) {
        solver->bodies.is_free[solver->joints.blocks[i].body_a] = false;
        solver->bodies.is_free[solver->joints.blocks[i].body_b] = false;
    }
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        solver->bodies.is_free[solver->contacts.gates[i].body_a] = false;
        solver->bodies.is_free[solver->contacts.gates[i].body_b] = false;
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        solver->bodies.is_free[solver->movers.span_contacts[i].ends[0].body] = false;
        solver->bodies.is_free[solver->movers.span_contacts[i].ends[1].body] = false;
    }
}

// solver_index marks gathered bodies. Others must not keep the mark of an earlier step.
static void gather_clear_marks(tn_world *world) {
    for (uint32_t i = 0; i < world->awake_joints.count; ++i) {
        const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        if (joint->body_a != TNI_NONE) {
            tni_body_at(world, joint->body_a)->solver_index = TNI_NONE;
        }
        if (joint->body_b != TNI_NONE) {
            tni_body_at(world, joint->body_b)->solver_index = TNI_NONE;
        }
    }
}

// Gathers the joints' blocks. Kept joints are ready.
static bool gather_joints(tn_world *world, tni_step *step) {
    if (step->has_kept_joints) {
        tni_joint_plan_take(world, step);
        return true;
    }
    const tni_span_feature *spans = world->features.spans;
    bool is_done = world->awake_joints.count == 0 ||
                   ((spans == NULL || spans->adopt_joints(world)) && tni_step_order_joints(world) &&
                    tni_step_gather_joints(world, step));
    step->joint_body_count = step->solver.bodies.count;
    return is_done;
}

static bool gather_mechanisms(tn_world *world, tni_step *step) {
    return step->has_kept_joints || !step->has_mechanisms ||
           (tni_step_choose_solvers(world, step) && tni_step_gather_gradients(world, step) &&
            tni_step_gather_mechanisms(world, step));
}

static bool gather_start_joints(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    if (step->has_kept_joints) {
        tni_step_restart_joints(world, step);
        tni_step_refill_mechanisms(solver);
        tni_step_restart_gradients(solver);
        return tni_joint_parts_make_solvers(solver, &world->arena);
    }
    tni_step_shift_gradients(solver);
    if (!tni_breaking_make(solver, step->joint_body_count, &world->joint_arena)) {
        return false;
    }
    return solver->joints.count + solver->joints.exact_count == 0 ||
           (tni_joint_machines_find(solver, &world->joint_arena, &world->arena) &&
            tni_joint_groups_make(solver, &world->joint_arena, &world->arena) &&
            tni_step_start_joints(world, step) && tni_joint_plan_make(world, step) &&
            tni_joint_parts_make_solvers(solver, &world->arena));
}

// Runs one of two independent tasks: how each body goes through the substeps, and the islands.
static void gather_end_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    gather_pass *pass = context;
    for (uint32_t turn = first; turn < last; ++turn) {
        if (turn == 0) {
            gather_find_free(pass->step, &pass->step->solver);
            pass->has_batches = tni_step_plan_bodies(pass->world, pass->step);
        } else {
            tni_step_find_islands(pass->world, pass->step);
        }
    }
}

// Gathers spans, forces, and contacts of reduced bodies, in this order.
static bool gather_features(tn_world *world, tni_step *step) {
    const tni_span_feature *spans = world->features.spans;
    const tni_force_feature *forces = world->features.forces;
    return (spans == NULL || (spans->gather_reduced(world, step) && spans->gather(world, step))) &&
           (forces == NULL || forces->gather(world, step)) &&
           (spans == NULL || spans->gather_contacts(world, step));
}

static bool gather_closings(tn_world *world, tni_step *step) {
    const tni_span_feature *spans = world->features.spans;
    return spans == NULL || spans->gather_closings(world, step);
}

// In the step that makes a plan, the parts of joints are found after those of contacts, which take
// them in all later steps. So that it does not matter when a plan is made, contacts are gathered
// once more.
static bool gather_follow_joints(tn_world *world, tni_step *step) {
    bool may_follow = !step->has_kept_joints && step->plan != NULL && !step->parts.follows_joints &&
                      world->awake_contacts.count > 0 && tni_joint_parts_suit(&step->solver);
    return !may_follow || tni_step_gather_contacts(world, step);
}

bool tni_step_gather(tn_world *world, tni_step *step, double dt, uint32_t substeps) {
    gather_settings(world, &step->solver, dt, substeps);
    step->has_kept_joints = tni_joint_plan_is_kept(world, &step->solver);
    if (!gather_allocate(world, step)) {
        return false;
    }
    if (!step->has_kept_joints) {
        gather_clear_marks(world);
    }
    tni_solver *solver = &step->solver;
    gather_fixed(step, 0, dvec3_make(0.0, 0.0, 0.0), dquat_identity());
    solver->bodies.is_free[0] = false;
    step->body_of[0] = TNI_NONE;
    gather_awake(world, step);
    if (!gather_joints(world, step) || !gather_features(world, step) ||
        (world->awake_contacts.count > 0 && !tni_step_gather_contacts(world, step)) ||
        !gather_mechanisms(world, step) || !gather_closings(world, step) ||
        !gather_allocate_held(world, step) || !gather_start_joints(world, step) ||
        !gather_follow_joints(world, step)) {
        return false;
    }
    gather_pass pass = {world, step, true};
    uint32_t shared = solver->contacts.count >= GATHER_LEAST_SHARED ? 1 : 2;
    tni_tasks_run(&world->tasks, gather_end_range, 2, shared, &pass);
    return pass.has_batches && tni_step_find_stacks(world, step);
}
