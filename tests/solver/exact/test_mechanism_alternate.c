// Poses closed while contacts hold: who gives way, and how far.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "solver/solver.h"
#include "tests/joints/joint_kinds.h"

// A trunk of 10 kg above a foot of 2 kg, tied at the height 0 by a ball joint, or a hinge about z,
// that is open by GAP along y; the foot may rest on a floor.
#define GAP 0.01
enum {
    TRUNK,
    FOOT,
    WORLD,
    BODIES
};

typedef struct pair {
    tni_mechanism mechanism;
    tni_mechanism_body bodies[BODIES];
    tni_mechanism_joint joint;
    tni_joint record;
    tni_contact_gate gate;
    tni_contact_record contact;
    tni_contact_group group;
    tni_hold hold;
    tni_solver solver;
    tni_allocator allocator;
    tni_arena arena;
} pair;

static void pair_add_body(pair *p, uint32_t index, double mass, double y) {
    tni_mechanism_body *body = &p->bodies[index];
    tni_dmat3 inertia = {{{0.1 * mass, 0, 0}, {0, 0.2 * mass, 0}, {0, 0, 0.3 * mass}}};
    body->inertia = mass > 0.0 ? tni_inertia_make(&inertia) : tni_inertia_infinite();
    body->mass = mass;
    body->inv_mass = mass > 0.0 ? 1.0 / mass : 0.0;
    body->motion.position = dvec3_make(0.0, y, 0.0);
    body->motion.rotation = dquat_identity();
}

static pair *pair_create(tn_joint_type type) {
    pair *p = calloc(1, sizeof *p);
    tni_allocator_init(&p->allocator, NULL, NULL, NULL);
    tni_arena_init(&p->arena, &p->allocator);
    pair_add_body(p, TRUNK, 10.0, 0.5);
    pair_add_body(p, FOOT, 2.0, -0.5 - GAP);
    pair_add_body(p, WORLD, 0.0, 0.0);
    tni_dpose frame_a = {{0.0, -0.5, 0.0}, dquat_identity()};
    tni_dpose frame_b = {{0.0, 0.5, 0.0}, dquat_identity()};
    joint_set_type(&p->record, type);
    tni_joint_set_frames(&p->record, &frame_a, &frame_b);
    p->joint.joint = &p->record;
    p->joint.a = TRUNK;
    p->joint.b = FOOT;
    tni_mechanism *mechanism = &p->mechanism;
    mechanism->bodies = p->bodies;
    mechanism->joints = &p->joint;
    mechanism->moving_count = WORLD;
    mechanism->body_count = BODIES;
    mechanism->joint_count = 1;
    cr_assert(tni_mechanism_make_rows(mechanism, &p->allocator));
    tni_mechanism_find_actors(&p->joint);
    cr_assert(tni_mechanism_analyze(mechanism, &p->allocator, &p->arena));
    mechanism->matrix.values = malloc(mechanism->matrix.pattern.value_count * sizeof(double));
    mechanism->matrix.scratch =
        malloc((mechanism->matrix.pattern.scratch_count + 1) * sizeof(double));
    mechanism->matrix.scales = malloc(mechanism->matrix.pattern.unknown_count * sizeof(double));
    mechanism->matrix.unknowns = malloc(mechanism->matrix.pattern.unknown_count * sizeof(double));
    p->solver.contacts.gates = &p->gate;
    p->solver.contacts.records = &p->contact;
    p->solver.contacts.groups = &p->group;
    return p;
}

// A floor under the foot, the contact's a.
static void pair_stand(pair *p, float x, float gap, bool is_fixed) {
    p->gate.is_shut = true;
    p->contact.point_count = 1;
    p->contact.is_static = is_fixed;
    p->contact.normal.y = 1.0f;
    p->contact.offset.x = x; // of the foot's arm
    p->contact.offset.y = -1.0f;
    p->group.wide.gap[0][0] = gap;
    p->group.wide.impulse[0][0] = 1.0f;
    p->hold = (tni_hold){0, 1, FOOT};
    p->mechanism.holds = &p->hold;
    p->mechanism.hold_count = 1;
}

static void pair_destroy(pair *p) {
    free(p->mechanism.matrix.values);
    free(p->mechanism.matrix.scratch);
    free(p->mechanism.matrix.scales);
    free(p->mechanism.matrix.unknowns);
    tni_mechanism_forget(&p->mechanism, &p->allocator);
    tni_arena_destroy(&p->arena);
    cr_assert(p->allocator.bytes == 0);
    free(p);
}

static double pair_get_rise(const pair *p, uint32_t body) {
    return p->bodies[body].motion.position.y - (body == TRUNK ? 0.5 : -0.5 - GAP);
}

static const tn_joint_type types[2] = {TN_JOINT_TYPE_BALL, TN_JOINT_TYPE_HINGE};

Test(mechanism_alternate, bodies_in_the_air_meet_by_their_masses) {
    for (uint32_t k = 0; k < 2; ++k) {
        pair *p = pair_create(types[k]);
        cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
        cr_assert(tni_mechanism_get_worst_error(&p->mechanism) < 1e-8);
        cr_assert_float_eq(pair_get_rise(p, FOOT), GAP * 10.0 / 12.0, 1e-9);
        cr_assert_float_eq(pair_get_rise(p, TRUNK), -GAP * 2.0 / 12.0, 1e-9);
        pair_destroy(p);
    }
}

// M dq + k n (n.dq) with k = 1000 m: the foot is 1001 times as heavy along n.
Test(mechanism_alternate, a_foot_that_stands_stays_and_the_trunk_comes_to_it) {
    for (uint32_t k = 0; k < 2; ++k) {
        pair *p = pair_create(types[k]);
        pair_stand(p, 0.0f, 0.0f, true);
        cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
        cr_assert(tni_mechanism_get_worst_error(&p->mechanism) < 1e-8);
        cr_assert_float_eq(pair_get_rise(p, FOOT), GAP * 10.0 / (10.0 + 2002.0), 1e-9);
        // Beside its middle it holds as well, and the trunk still comes straight down.
        pair_destroy(p);
        p = pair_create(types[k]);
        pair_stand(p, 0.3f, 0.0f, true);
        cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
        cr_assert(tni_mechanism_get_worst_error(&p->mechanism) < 1e-6);
        cr_assert(fabs(pair_get_rise(p, FOOT) + 0.3 * 2.0 * p->bodies[FOOT].motion.rotation.z) <
                  0.05 * GAP);
        // What does not push does not hold.
        pair_destroy(p);
        p = pair_create(types[k]);
        pair_stand(p, 0.0f, 0.0f, true);
        p->group.wide.impulse[0][0] = 0.0f;
        cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
        cr_assert_float_eq(pair_get_rise(p, FOOT), GAP * 10.0 / 12.0, 1e-9);
        pair_destroy(p);
    }
}

// A fifth of what is deeper than 2 mm, or half of that where the other end gives way as well.
Test(mechanism_alternate, what_is_deep_is_lifted_by_a_share) {
    for (uint32_t k = 0; k < 4; ++k) {
        pair *p = pair_create(types[k % 2]);
        pair_stand(p, 0.0f, -0.052f, k < 2);
        cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
        cr_assert(tni_mechanism_get_worst_error(&p->mechanism) < 1e-8);
        cr_assert_float_eq(pair_get_rise(p, FOOT), k < 2 ? 0.01 : 0.005, 1e-4);
        pair_destroy(p);
    }
}

// Its axes 1.2 rad apart, its anchors 0.6 m.
Test(mechanism_alternate, closes_what_is_far_open_and_leaves_what_is_farther) {
    pair *p = pair_create(TN_JOINT_TYPE_HINGE);
    p->bodies[FOOT].motion.rotation = dquat_cayley(dvec3_make(1.1, 0.6, 0.0));
    p->bodies[FOOT].motion.position.x = 0.5;
    pair_stand(p, 0.1f, 0.0f, true);
    cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
    cr_assert(tni_mechanism_get_worst_error(&p->mechanism) < 1e-5);
    p->bodies[FOOT].motion.position.x = 5.0;
    tni_body_motion before = p->bodies[FOOT].motion;
    cr_assert(!tni_mechanism_alternate(&p->solver, &p->mechanism));
    cr_assert(memcmp(&before, &p->bodies[FOOT].motion, sizeof before) == 0);
    p->bodies[FOOT].motion.position.x = (double)NAN;
    cr_assert(!tni_mechanism_alternate(&p->solver, &p->mechanism));
    pair_destroy(p);
}

// No component along a locked axis.
Test(mechanism_alternate, locked_axes_stay) {
    pair *p = pair_create(TN_JOINT_TYPE_BALL);
    pair_stand(p, 0.2f, -0.055f, true);
    p->bodies[FOOT].locks = TN_BODY_LOCK_ANGULAR_Z | TN_BODY_LOCK_LINEAR_X;
    cr_assert(tni_mechanism_alternate(&p->solver, &p->mechanism));
    cr_assert(tni_mechanism_get_worst_error(&p->mechanism) < 1e-6);
    cr_assert(p->bodies[FOOT].motion.rotation.z == 0.0);
    cr_assert(p->bodies[FOOT].motion.position.x == 0.0);
    pair_destroy(p);
}
