// world/step/sleep.c: puts bodies at rest to sleep: no list that a step reads contains them.
//
// An island whose bodies have all been slow for long enough falls asleep as a whole. Its bodies are
// linked in a ring (sleep_next), and waking one wakes the ring. A contact or joint is awake if one
// of its bodies is. The awake lists have room for everything that exists, so nothing here can fail.
//
// A slow body need not be at rest: one that is driven or speeds up has to stay awake, however slow
// it is. So a body that is slow for the sleep time is followed through the thirds of that time.
// Between the last two its mean velocity, u = (x - x') / t, must not have changed: |u - u'| = a t
// for a body of acceleration a, before and after a turning point as well. Means over a third do not
// see the jitter of a pile, whose speeds change by more in every step. A body that touches nothing
// has no jitter and nothing to stop it either, so u itself must be next to nothing. A joint that
// its motor turns is driven, and so is a body that touches a moving kinematic one.
#include <string.h>

#include "solver/movers/affine.h"
#include "solver/movers/span_contact.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/parts.h"
#include "world/sensors.h"
#include "world/step/step_internal.h"

// m: a contact deeper than this keeps its island awake.
#define SLEEP_DEEP_OVERLAP 0.05f
// In a stack, so does one that is this many times as deep as it should be, for this many seconds.
#define SLEEP_SUNK_DEPTHS 4.0f
#define SLEEP_SUNK_TIME   2.0f
// A mean velocity may change by this share of the sleep speeds from a third of the sleep time to
// the next, plus the same for each further group of the second number of bodies: a larger pile
// sways more.
#define SLEEP_STEADY        0.025f
#define SLEEP_STEADY_BODIES 7.0f
// A share too: a body that touches nothing may be this fast, and its velocity may change by it.
#define SLEEP_STILL 5e-4f
// m/s²: these shares are for gravity of this size or none. In weaker gravity they are as much
// smaller: what falls or swings there is slower, and what rests trembles less.
#define SLEEP_GRAVITY 9.81
// A motor moves its joint at this share of its target speed or more; otherwise something holds it.
#define SLEEP_MOVED 0.01

// ---- the awake lists --------------------------------------------------------------------------

static void sleep_remove_joint(tn_world *world, uint32_t index) {
    tni_joint *joint = tni_joint_at(world, index);
    if (joint->awake_index == TNI_NONE) {
        return;
    }
    tni_joint_plan_drop(world);
    uint32_t last = world->awake_joints.items[--world->awake_joints.count];
    world->awake_joints.items[joint->awake_index] = last;
    tni_joint_at(world, last)->awake_index = joint->awake_index;
    joint->awake_index = TNI_NONE;
}

static bool sleep_body_is_awake(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && tni_body_at(world, body)->awake_index != TNI_NONE;
}

static uint32_t sleep_other_end(const tn_world *world, uint32_t joint_key) {
    const tni_joint *joint = tni_joint_at(world, joint_key >> 1);
    return (joint_key & 1) != 0 ? joint->body_a : joint->body_b;
}

static bool sleep_is_on(const tn_world *world, uint32_t joint_key) {
    return !tni_joint_at(world, joint_key >> 1)->is_disabled;
}

static uint32_t sleep_other_body(const tn_world *world, uint32_t contact_key) {
    const tni_contact *contact = tni_contact_at(world, contact_key >> 1);
    return (contact_key & 1) != 0 ? contact->body_a : contact->body_b;
}

static uint32_t sleep_next_joint(const tn_world *world, uint32_t key) {
    return tni_joint_at(world, key >> 1)->edges[key & 1].next;
}

// Its key is 0: its place in space is not determined yet.
void tni_body_list_awake(tn_world *world, uint32_t index) {
    uint32_t place = world->awake_bodies.count++;
    tni_body_at(world, index)->awake_index = place;
    world->awake_bodies.items[place] = index;
    world->space_keys.items[world->space_keys.count++] = 0;
}

// Puts one body with its contacts and joints into the awake lists.
static void sleep_enter_awake(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    tni_joint_plan_drop(world);
    body->sleep_next = TNI_NONE;
    body->rest_time = 0.0f;
    tni_body_list_awake(world, index);
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        tni_contact_enter_awake(world, key >> 1);
    }
    for (uint32_t key = body->joint_head; key != TNI_NONE; key = sleep_next_joint(world, key)) {
        tni_joint_update_awake(world, key >> 1);
    }
    tni_events_note_sleep(world, index);
}

void tni_body_leave_awake(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    if (body->awake_index == TNI_NONE) {
        return;
    }
    tni_joint_plan_drop(world);
    tni_sensing_note_change(world, index);
    uint32_t last = world->awake_bodies.items[--world->awake_bodies.count];
    world->awake_bodies.items[body->awake_index] = last;
    world->space_keys.items[body->awake_index] = world->space_keys.items[--world->space_keys.count];
    tni_body_at(world, last)->awake_index = body->awake_index;
    body->awake_index = TNI_NONE;
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        tni_shape_motion_at(world, i)->is_awake = false;
        if (tni_shape_at(world, i)->concave != NULL) {
            world->features.parts->forget_motions(world, i);
        }
    }
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        if (!sleep_body_is_awake(world, sleep_other_body(world, key))) {
            tni_contact_leave_awake(world, key >> 1);
        }
    }
    for (uint32_t key = body->joint_head; key != TNI_NONE; key = sleep_next_joint(world, key)) {
        if (!body->is_enabled || !sleep_body_is_awake(world, sleep_other_end(world, key))) {
            sleep_remove_joint(world, key >> 1);
        }
    }
    tni_events_note_sleep(world, index);
}

// ---- waking -----------------------------------------------------------------------------------

// Wakes the other bodies of a reduced object: some may have been enabled since.
static void sleep_wake_object(tn_world *world, uint32_t index) {
    uint32_t object = tni_body_at(world, index)->reduced;
    const tni_reduced *reduced = object != TNI_NONE ? tni_reduced_at(world, object) : NULL;
    for (uint32_t i = 0; reduced != NULL && i < reduced->body_count; ++i) {
        tni_body_wake(world, reduced->bodies[i].world_body);
    }
}

void tni_body_wake(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    if (!body->is_enabled || body->type == TN_BODY_TYPE_STATIC) {
        return;
    }
    body->rest_time = 0.0f;
    if (body->awake_index != TNI_NONE) {
        return;
    }
    uint32_t next = body->sleep_next;
    sleep_enter_awake(world, index);
    while (next != TNI_NONE && next != index) {
        uint32_t current = next;
        next = tni_body_at(world, current)->sleep_next;
        sleep_enter_awake(world, current);
    }
    sleep_wake_object(world, index);
}

void tni_body_wake_neighbours(tn_world *world, uint32_t index) {
    tni_body_wake(world, index);
    const tni_body *body = tni_body_at(world, index);
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        tni_body_wake(world, sleep_other_body(world, key));
    }
    for (uint32_t key = body->joint_head; key != TNI_NONE; key = sleep_next_joint(world, key)) {
        uint32_t other = sleep_other_end(world, key);
        if (other != TNI_NONE && sleep_is_on(world, key)) {
            tni_body_wake(world, other);
        }
    }
    for (uint32_t key = body->force_head; key != TNI_NONE;
         key = tni_force_end_at(world, key)->next) {
        world->features.forces->wake_bodies(world, key >> TNI_FORCE_END_BITS);
    }
}

// ---- falling asleep ---------------------------------------------------------------------------

// Puts a body to sleep and links it behind `tail` into the ring that is being made.
static uint32_t sleep_append(tn_world *world, uint32_t tail, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    tni_body_leave_awake(world, index);
    if (tni_world_keeps_ledger(world)) {
        world->ledger.damping -= tni_body_kinetic_energy(world, body);
    }
    body->velocity = dvec3_make(0.0, 0.0, 0.0);
    body->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    body->force = body->torque = body->velocity;
    body->sleep_next = index;
    if (tail != TNI_NONE) {
        body->sleep_next = tni_body_at(world, tail)->sleep_next;
        tni_body_at(world, tail)->sleep_next = index;
    }
    return index;
}

static bool sleep_may_follow(const tn_world *world, uint32_t index) {
    return index != TNI_NONE && tni_body_at(world, index)->awake_index != TNI_NONE &&
           tni_body_at(world, index)->type == TN_BODY_TYPE_DYNAMIC;
}

// Appends the bodies that a force ties to the body.
static uint32_t sleep_append_forced(tn_world *world, uint32_t tail, uint32_t index) {
    for (uint32_t key = tni_body_at(world, index)->force_head; key != TNI_NONE;
         key = tni_force_end_at(world, key)->next) {
        const tni_force *force = tni_force_at(world, key >> TNI_FORCE_END_BITS);
        for (uint32_t i = 0; i < force->end_count && force->is_enabled; ++i) {
            if (sleep_may_follow(world, force->ends[i].body)) {
                tail = sleep_append(world, tail, force->ends[i].body);
            }
        }
    }
    return tail;
}

// Appends the bodies of its reduced object, whose speeds become 0.
static uint32_t sleep_append_object(tn_world *world, uint32_t tail, uint32_t index) {
    uint32_t object = tni_body_at(world, index)->reduced;
    if (object == TNI_NONE) {
        return tail;
    }
    tni_reduced *reduced = tni_reduced_at(world, object);
    memset(reduced->speeds, 0, sizeof reduced->speeds);
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        if (sleep_may_follow(world, reduced->bodies[i].world_body)) {
            tail = sleep_append(world, tail, reduced->bodies[i].world_body);
        }
    }
    return tail;
}

// Walks over joints, forces, reduced objects and touching contacts. The ring itself is the queue.
void tni_body_sleep(tn_world *world, uint32_t index) {
    if (tni_body_at(world, index)->awake_index == TNI_NONE) {
        return;
    }
    uint32_t tail = sleep_append(world, TNI_NONE, index);
    uint32_t current = index;
    do {
        const tni_body *body = tni_body_at(world, current);
        bool spreads = body->type == TN_BODY_TYPE_DYNAMIC;
        for (uint32_t key = body->contact_head; spreads && key != TNI_NONE;
             key = tni_contact_edge_next(world, key)) {
            uint32_t other = sleep_other_body(world, key);
            if (tni_contact_at(world, key >> 1)->is_touching && sleep_may_follow(world, other)) {
                tail = sleep_append(world, tail, other);
            }
        }
        for (uint32_t key = body->joint_head; spreads && key != TNI_NONE;
             key = sleep_next_joint(world, key)) {
            uint32_t other = sleep_other_end(world, key);
            if (sleep_is_on(world, key) && sleep_may_follow(world, other)) {
                tail = sleep_append(world, tail, other);
            }
        }
        if (spreads) {
            tail = sleep_append_forced(world, tail, current);
            tail = sleep_append_object(world, tail, current);
        }
        current = body->sleep_next;
    } while (current != index);
}

// Ends a third of the sleep time if it is over, and begins the next; or begins the first.
static void sleep_follow(const tn_world *world, tni_body *body, bool began, float dt) {
    tni_rest *rest = &body->rest;
    if (began) {
        rest->thirds = 0;
        rest->since = 0.0f;
    }
    float time = body->rest_time - rest->since;
    if (time + 0.5f * dt < world->def.sleep_time / (float)TNI_REST_THIRDS) {
        return;
    }
    if (rest->thirds > 0) {
        double rate = 1.0 / (double)time;
        tni_dvec3 way = dvec3_sub(body->position, rest->position);
        tni_dvec3 turn = dquat_get_turn(rest->rotation, body->rotation);
        vec3s velocity = dvec3_to_float(dvec3_scale(way, rate));
        vec3s spin = dvec3_to_float(dvec3_scale(turn, rate));
        rest->velocity_change = glms_vec3_norm(glms_vec3_sub(velocity, rest->velocity));
        rest->spin_change = glms_vec3_norm(glms_vec3_sub(spin, rest->spin));
        rest->velocity = velocity;
        rest->spin = spin;
    }
    rest->position = body->position;
    rest->rotation = body->rotation;
    rest->since = body->rest_time;
    rest->thirds = rest->thirds < TNI_REST_THIRDS ? rest->thirds + 1 : TNI_REST_THIRDS;
}

// Counts how long a body has been slow: 0 if it may not sleep, or is kinematic and moves.
static void sleep_count_rest(const tn_world *world, tni_body *body, float dt) {
    double v = dvec3_dot(body->velocity, body->velocity);
    double w = dvec3_dot(body->angular_velocity, body->angular_velocity);
    const tni_reduced *affine = tni_body_get_affine(world, body);
    if (affine != NULL) { // straining moves points as turning does
        double rate = tni_affine_get_strain_rate(affine);
        w += rate * rate;
    }
    double v_limit = (double)world->def.sleep_linear_speed;
    double w_limit = (double)world->def.sleep_angular_speed;
    bool is_dynamic = body->type == TN_BODY_TYPE_DYNAMIC;
    bool is_slow = v <= v_limit * v_limit && w <= w_limit * w_limit;
    bool rests = is_dynamic ? is_slow : v == 0.0 && w == 0.0;
    bool began = body->rest_time == 0.0f;
    body->rest_time = rests && body->is_sleep_allowed ? body->rest_time + dt : 0.0f;
    if (is_dynamic && body->rest_time > 0.0f) {
        sleep_follow(world, body, began, dt);
    }
}

// Returns the share of the bounds that the world's gravity leaves.
static float sleep_get_scale(const tn_world *world) {
    double gravity = dvec3_length(dvec3_from_plain(world->def.gravity));
    return gravity > 0.0 && gravity < SLEEP_GRAVITY ? (float)(gravity / SLEEP_GRAVITY) : 1.0f;
}

// Returns whether a slow body moves on steadily, or stands still.
static bool sleep_is_steady(const tn_world *world, const tni_rest *rest, float scale, float count,
                            bool is_touched) {
    float v = scale * world->def.sleep_linear_speed, w = scale * world->def.sleep_angular_speed;
    float steady = is_touched ? SLEEP_STEADY * (1.0f + count / SLEEP_STEADY_BODIES) : SLEEP_STILL;
    bool is_still = glms_vec3_norm(rest->velocity) <= SLEEP_STILL * v &&
                    glms_vec3_norm(rest->spin) <= SLEEP_STILL * w;
    return rest->thirds == TNI_REST_THIRDS && rest->velocity_change <= steady * v &&
           rest->spin_change <= steady * w && (is_touched || is_still);
}

// Marks those islands restless that are slow and not steady.
static void sleep_mark_unsteady(const tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    float scale = sleep_get_scale(world);
    memset(step->island_sizes, 0, solver->bodies.count * sizeof *step->island_sizes);
    for (uint32_t i = 1; i < solver->bodies.count; ++i) {
        step->island_sizes[step->island_of[i]] += 1;
    }
    for (uint32_t i = 1; i < solver->bodies.count; ++i) {
        uint32_t root = step->island_of[i];
        if (step->is_restless[root] || step->body_of[i] == TNI_NONE) {
            continue;
        }
        const tni_body *body = tni_body_at(world, step->body_of[i]);
        bool follows = body->awake_index != TNI_NONE && body->type == TN_BODY_TYPE_DYNAMIC;
        if (follows && !sleep_is_steady(world, &body->rest, scale, (float)step->island_sizes[root],
                                        step->is_touched[root])) {
            step->is_restless[root] = true;
        }
    }
}

// Returns whether a motor with a target speed moves its joint.
static bool sleep_is_moved(const tni_solver *solver, const tni_joint_block *block) {
    const tni_body_motion *a = &solver->bodies.motions[block->body_a],
                          *b = &solver->bodies.motions[block->body_b];
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = tni_joint_count_rows(block->joint);
    if (count.rows == count.equalities) {
        return false;
    }
    tni_joint_emit_actors(block->joint, a, b, rows);
    bool is_moved = false;
    for (uint32_t r = count.equalities; r < count.rows; ++r) {
        const tni_row *row = &rows[r];
        double least = SLEEP_MOVED * fabs((double)row->target_speed);
        is_moved |= row->role == TNI_ROLE_MOTOR && row->target_speed != 0.0f &&
                    fabs(tni_row_get_speed(row, a, b)) >= least;
    }
    return is_moved;
}

// Keeps a body awake that touches or is tied to a moving kinematic one.
static void sleep_mark_driven(tni_step *step, uint32_t a, uint32_t b) {
    const tni_solver *solver = &step->solver;
    for (int side = 0; side < 2; ++side) {
        uint32_t driver = side == 0 ? a : b, driven = side == 0 ? b : a;
        const tni_body_motion *motion = &solver->bodies.motions[driver];
        if (!solver->bodies.masses[driver].is_dynamic && !tni_motion_is_still(motion)) {
            step->is_restless[step->island_of[driven]] = true;
        }
    }
}

static void sleep_mark_touched(tni_step *step, uint32_t a, uint32_t b) {
    step->is_touched[step->island_of[a]] = true;
    step->is_touched[step->island_of[b]] = true;
}

// Keeps bodies awake that are being pushed out of a deep overlap: bias moves them without a speed.
static void sleep_mark_overlapping(tni_step *step, float least, uint32_t a, uint32_t b) {
    if (least < -SLEEP_DEEP_OVERLAP) {
        step->is_restless[step->island_of[a]] = true;
        step->is_restless[step->island_of[b]] = true;
    }
}

// Does the same in a stack, whose contacts rest at `depth`, but only for SLEEP_SUNK_TIME.
static void sleep_mark_sunk(const tn_world *world, tni_step *step, const tni_contact_gate *gate,
                            float depth) {
    uint32_t body =
        step->solver.bodies.masses[gate->body_a].is_dynamic ? gate->body_a : gate->body_b;
    if (depth > 0.0f && gate->least < -SLEEP_SUNK_DEPTHS * depth) {
        float rest = tni_body_at(world, step->body_of[body])->rest_time;
        step->is_restless[step->island_of[body]] |= rest < world->def.sleep_time + SLEEP_SUNK_TIME;
    }
}

static void sleep_mark_contacts(const tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    const float *depths = solver->contacts.depths;
    for (uint32_t i = 0; i < solver->contacts.count; ++i) {
        const tni_contact_gate *gate = &solver->contacts.gates[i];
        sleep_mark_driven(step, gate->body_a, gate->body_b);
        if (gate->is_shut) {
            sleep_mark_touched(step, gate->body_a, gate->body_b);
            if (!gate->is_soft) {
                sleep_mark_overlapping(step, gate->least, gate->body_a, gate->body_b);
            }
            sleep_mark_sunk(world, step, gate, depths != NULL ? depths[i] : 0.0f);
        }
    }
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        const tni_span_contact *contact = &solver->movers.span_contacts[i];
        uint32_t a = contact->ends[0].body, b = contact->ends[1].body;
        sleep_mark_driven(step, a, b);
        if (contact->is_shut) {
            sleep_mark_touched(step, a, b);
            sleep_mark_overlapping(step, tni_span_contact_get_least(contact), a, b);
        }
    }
}

// Keeps bodies awake that a surface carries along, or rubs.
static void sleep_mark_carried(const tni_body *a, const tni_body *b, void *context) {
    tni_step *step = context;
    const tni_body *bodies[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        if (bodies[i]->awake_index != TNI_NONE) {
            step->is_restless[step->island_of[bodies[i]->solver_index]] = true;
        }
    }
}

static void sleep_mark_joints(const tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (tni_pool_handle(&world->joint_pool, block->world_joint) == 0) {
            continue; // it broke in this step
        }
        uint32_t a = step->island_of[block->body_a], b = step->island_of[block->body_b];
        sleep_mark_driven(step, block->body_a, block->body_b);
        bool may_rest = !step->is_restless[a] || !step->is_restless[b];
        if (may_rest && (tni_joint_is_led(block->joint) || sleep_is_moved(solver, block))) {
            step->is_restless[a] = true;
            step->is_restless[b] = true;
        }
    }
}

void tni_step_sleep(tn_world *world, tni_step *step, double dt) {
    const tni_solver *solver = &step->solver;
    uint32_t *islands = step->island_of;
    // One restless body keeps its island awake. The mark stands at the island's root.
    bool may_sleep = false;
    for (uint32_t i = 1; i < solver->bodies.count; ++i) {
        if (step->body_of[i] == TNI_NONE) {
            continue; // it holds the speeds of coordinates
        }
        tni_body *body = tni_body_at(world, step->body_of[i]);
        if (body->awake_index == TNI_NONE) {
            continue;
        }
        sleep_count_rest(world, body, (float)dt);
        if (body->rest_time < world->def.sleep_time) {
            step->is_restless[islands[i]] = true;
        } else {
            may_sleep = true;
        }
    }
    if (!may_sleep) {
        return;
    }
    sleep_mark_contacts(world, step);
    tni_world_visit_driven(world, false, sleep_mark_carried, step);
    sleep_mark_unsteady(world, step);
    sleep_mark_joints(world, step);
    for (uint32_t i = 1; i < solver->bodies.count; ++i) {
        uint32_t index = step->body_of[i];
        if (index != TNI_NONE && !step->is_restless[islands[i]] &&
            tni_body_at(world, index)->awake_index != TNI_NONE) {
            tni_body_sleep(world, index);
        }
    }
}
