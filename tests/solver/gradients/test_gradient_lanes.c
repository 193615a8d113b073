// Groups of eight joints: every joint in one lane, no body that moves twice in a group.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "joints/kind.h"
#include "solver/gradients/gradient_lanes.h"

#define BODIES 40 // the first does not move
#define JOINTS 120

typedef struct pack {
    tni_solver solver;
    tni_gradients gradients;
    tni_joint_block blocks[JOINTS];
    tni_body_mass masses[BODIES];
    uint32_t gradient_bodies[BODIES];
    tni_joint joint; // every block's
    tni_allocator allocator;
    tni_arena arena;
} pack;

static const tni_inertia round_inertia = {.is_round = true};

static pack *pack_create(void) {
    pack *p = calloc(1, sizeof *p);
    cr_assert_not_null(p);
    p->masses[0].inertia = &round_inertia;
    for (uint32_t i = 1; i < BODIES; ++i) {
        p->masses[i].inertia = &round_inertia;
        p->masses[i].is_dynamic = true;
        p->gradient_bodies[i] = i;
    }
    p->solver.gradients.bodies = p->gradient_bodies;
    p->gradients.body_count = BODIES - 1;
    p->joint.kind = &tni_distance_joint_kind;
    p->solver.joints.blocks = p->blocks;
    p->solver.bodies.masses = p->masses;
    tni_allocator_init(&p->allocator, NULL, NULL, NULL);
    tni_arena_init(&p->arena, &p->allocator);
    return p;
}

static void pack_destroy(pack *p) {
    tni_arena_destroy(&p->arena);
    free(p);
}

// A point, a cross, a hinge, a weld or a rod.
static void pack_add(pack *p, uint32_t a, uint32_t b, uint32_t kind) {
    const uint8_t points[5] = {3, 3, 3, 3, 0}, turns[5] = {0, 1, 2, 3, 0};
    const uint8_t rows[5] = {3, 4, 5, 6, 1};
    tni_joint_block *block = &p->blocks[p->gradients.count++];
    block->joint = &p->joint;
    block->body_a = a;
    block->body_b = b;
    block->point_rows = points[kind];
    block->turns = turns[kind];
    block->equality_count = rows[kind];
}

// Packs, checks what must hold and returns how many groups there are.
static uint32_t pack_check(pack *p) {
    cr_assert(tni_gradient_lanes_pack(&p->solver, &p->gradients, &p->arena));
    uint32_t lanes_of[JOINTS] = {0}, rows = 0;
    for (uint32_t i = 0; i < p->gradients.lanes_count; ++i) {
        const tni_gradient_lanes *group = &p->gradients.lanes[i];
        const tni_lanes_members *members = &group->members;
        uint32_t uses[BODIES] = {0};
        cr_assert(members->count >= 1 && members->count <= TNI_GRADIENT_LANES);
        cr_assert(group->first_row == rows);
        rows += lanes_rows(members->kind);
        for (uint32_t k = 0; k < TNI_GRADIENT_LANES; ++k) {
            const tni_joint_block *block = &p->blocks[members->joint[k]];
            bool is_used = k < members->count;
            cr_assert(members->body_a[k] == (is_used ? block->body_a : 0));
            cr_assert(members->body_b[k] == (is_used ? block->body_b : 0));
            cr_assert(members->own_a[k] == p->gradient_bodies[members->body_a[k]]);
            cr_assert(members->own_b[k] == p->gradient_bodies[members->body_b[k]]);
            cr_assert((members->kind == TNI_LANES_ROWS) == (block->point_rows == 0));
            cr_assert(members->is_grouped ==
                      (p->gradients.count > 64 && members->kind == TNI_LANES_POINT &&
                       block->body_a != 0 && block->body_b != 0));
            cr_assert((members->kind == TNI_LANES_UNIVERSAL) == (block->turns == 1));
            cr_assert((members->kind == TNI_LANES_HINGE) == (block->turns == 2));
            cr_assert((members->kind == TNI_LANES_FRAME) == (block->turns == 3));
            lanes_of[members->joint[k]] += is_used ? 1 : 0;
            uses[members->body_a[k]] += 1;
            uses[members->body_b[k]] += 1;
        }
        for (uint32_t body = 1; body < BODIES; ++body) {
            cr_assert(uses[body] <= 1, "body %u %u times in group %u", body, uses[body], i);
        }
    }
    for (uint32_t i = 0; i < p->gradients.count; ++i) {
        cr_assert(lanes_of[i] == (p->blocks[i].equality_count > 0 ? 1 : 0), "joint %u", i);
    }
    return p->gradients.lanes_count;
}

Test(gradient_lanes, take_every_joint_once_and_no_body_twice) {
    for (uint32_t seed = 1; seed <= 20; ++seed) {
        pack *p = pack_create();
        uint32_t state = seed;
        for (uint32_t i = 0; i < JOINTS; ++i) {
            state = state * 1664525u + 1013904223u;
            uint32_t a = (state >> 8) % BODIES,
                     b = 1 + (a + (state >> 16) % (BODIES - 2)) % (BODIES - 1);
            pack_add(p, a == b ? 0 : a, b, (state >> 24) % 5);
        }
        p->blocks[7].equality_count = 0; // springs alone
        pack_check(p);
        pack_destroy(p);
    }
}

// Of a chain every second joint may go together, and double joints of a chain every fourth.
Test(gradient_lanes, are_full_in_chains) {
    for (uint32_t twice = 1; twice <= 2; ++twice) {
        pack *p = pack_create();
        for (uint32_t i = 0; i < 32 * twice; ++i) {
            pack_add(p, i / twice, 1 + i / twice, 0);
        }
        cr_assert(pack_check(p) == 4 * twice);
        pack_destroy(p);
    }
}

// Joints that all hang on one body go one by one; on one that does not move, eight by eight.
Test(gradient_lanes, of_one_hub_go_one_by_one) {
    pack *p = pack_create();
    for (uint32_t i = 2; i < 34; ++i) {
        pack_add(p, 1, i, 3);
    }
    cr_assert(pack_check(p) == 32);
    p->masses[1].is_dynamic = false;
    p->gradient_bodies[1] = 0;
    for (uint32_t i = 0; i < 32; ++i) {
        p->blocks[i].body_a = 0;
    }
    cr_assert(pack_check(p) == 4);
    pack_destroy(p);
}
