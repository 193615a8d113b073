// world/step/joint_order.c: sorts the joints of each mechanism from heavy to light.
//
// A Gauss-Seidel sweep leaves its last joint closed, and leaves errors at the joints whose bodies
// it moved later. So the order matters. Take a crank of 15 kg with a rod and a piston of half a
// kilogram. If the joint of crank and rod comes first and that of rod and piston second, the rod
// takes up the crank's motion and hands it on in the same sweep. In the other order the piston gets
// it a sweep later, and the rod is bent back between the two. At a third of a radian in a substep
// that error feeds itself: engines whose joints were created in this order flew apart in five
// steps. Heavy bodies hardly give way to light ones, so the joints at the heavier bodies go first,
// and the order in which an application creates joints matters little.
//
// Only joints of one mechanism change places with each other, and only if their masses differ by
// more than a factor of about four: joints of one class of mass stay in the order of their
// creation. They are sorted after the list of awake joints or a mass has changed. The figures are
// in docs/manual/solver.md.
// Test: tests/world/step/test_joint_order.c
#include <math.h>
#include <string.h>

#include "core/sort.h"
#include "core/union_find.h"
#include "world/step/step_internal.h"

// Added to any exponent of a double, this gives a positive number.
#define ORDER_EXPONENTS 2048

typedef struct joint_order {
    uint32_t *parents; // by awake body: a union-find forest of mechanisms
    uint32_t *last;    // by root: the class of the last joint seen
    uint32_t *heads;   // by root: the first of its places in the list that is not filled yet
    uint32_t *nexts;   // by place: the mechanism's next place
    uint32_t *joints;  // the new list
    uint64_t *keys, *scratch;
} joint_order;

static bool order_allocate(tn_world *world, joint_order *order) {
    tni_arena *arena = &world->arena;
    size_t bodies = world->awake_bodies.count, joints = world->awake_joints.count;
    *order = (joint_order){
        .parents = tni_arena_alloc(arena, bodies * sizeof(uint32_t)),
        .last = tni_arena_alloc(arena, bodies * sizeof(uint32_t)),
        .heads = tni_arena_alloc(arena, bodies * sizeof(uint32_t)),
        .nexts = tni_arena_alloc(arena, joints * sizeof(uint32_t)),
        .joints = tni_arena_alloc(arena, joints * sizeof(uint32_t)),
        .keys = tni_arena_alloc(arena, joints * sizeof(uint64_t)),
        .scratch = tni_arena_alloc(arena, joints * sizeof(uint64_t)),
    };
    return order->parents != NULL && order->last != NULL && order->heads != NULL &&
           order->nexts != NULL && order->joints != NULL && order->keys != NULL &&
           order->scratch != NULL;
}

// Returns the place of a dynamic body in the list of awake ones, or TNI_NONE.
static uint32_t order_get_place(const tn_world *world, uint32_t body) {
    if (body == TNI_NONE || tni_body_at(world, body)->type != TN_BODY_TYPE_DYNAMIC) {
        return TNI_NONE;
    }
    return tni_body_at(world, body)->awake_index;
}

static void order_tie(const tn_world *world, const joint_order *order) {
    for (uint32_t i = 0; i < world->awake_bodies.count; ++i) {
        order->parents[i] = i;
    }
    for (uint32_t i = 0; i < world->awake_joints.count; ++i) {
        const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[i]);
        uint32_t a = order_get_place(world, joint->body_a);
        uint32_t b = order_get_place(world, joint->body_b);
        if (a != TNI_NONE && b != TNI_NONE) {
            union_find_join(order->parents, a, b);
        }
    }
}

static uint32_t order_find(const tn_world *world, const joint_order *order, uint32_t place) {
    const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[place]);
    uint32_t a = order_get_place(world, joint->body_a);
    uint32_t b = order_get_place(world, joint->body_b);
    uint32_t body = a != TNI_NONE ? a : b;
    return body != TNI_NONE ? union_find_root(order->parents, body) : TNI_NONE;
}

// Returns the mass class of the joint's heavier body. Classes are factors of four.
static uint32_t order_get_class(const tn_world *world, uint32_t place) {
    const tni_joint *joint = tni_joint_at(world, world->awake_joints.items[place]);
    const uint32_t ends[2] = {joint->body_a, joint->body_b};
    uint32_t class = 0;
    for (int e = 0; e < 2; ++e) {
        if (order_get_place(world, ends[e]) != TNI_NONE) {
            int exponent;
            (void)frexp(tni_body_at(world, ends[e])->mass, &exponent);
            uint32_t own = (uint32_t)(exponent + ORDER_EXPONENTS) / 2;
            class = own > class ? own : class;
        }
    }
    return class;
}

static bool order_holds(const tn_world *world, const joint_order *order) {
    bool holds = true;
    for (uint32_t i = 0; i < world->awake_bodies.count; ++i) {
        order->last[i] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < world->awake_joints.count && holds; ++i) {
        uint32_t root = order_find(world, order, i);
        uint32_t class = order_get_class(world, i);
        if (root != TNI_NONE) {
            holds = class <= order->last[root];
            order->last[root] = class;
        }
    }
    return holds;
}

// Links the places of each mechanism, from its first to its last.
static void order_link_places(const tn_world *world, const joint_order *order) {
    for (uint32_t i = 0; i < world->awake_bodies.count; ++i) {
        order->heads[i] = TNI_NONE;
    }
    for (uint32_t i = world->awake_joints.count; i-- > 0;) {
        uint32_t root = order_find(world, order, i);
        if (root != TNI_NONE) {
            order->nexts[i] = order->heads[root];
            order->heads[root] = i;
        }
    }
}

static void order_sort(tn_world *world, const joint_order *order) {
    uint32_t count = world->awake_joints.count, *items = world->awake_joints.items;
    // Keys ascend where classes descend.
    for (uint32_t i = 0; i < count; ++i) {
        order->keys[i] = (uint64_t)~order_get_class(world, i) << 32 | i;
    }
    tni_sort_u64(order->keys, order->scratch, count);
    order_link_places(world, order);
    for (uint32_t k = 0; k < count; ++k) {
        uint32_t place = (uint32_t)order->keys[k], root = order_find(world, order, place);
        uint32_t to = root != TNI_NONE ? order->heads[root] : place;
        if (root != TNI_NONE) {
            order->heads[root] = order->nexts[to];
        }
        order->joints[to] = items[place];
    }
    memcpy(items, order->joints, count * sizeof *items);
    for (uint32_t i = 0; i < count; ++i) {
        tni_joint_at(world, items[i])->awake_index = i;
    }
}

bool tni_step_order_joints(tn_world *world) {
    joint_order order;
    if (!world->is_joint_order_stale || world->awake_joints.count < 2) {
        return true;
    }
    if (!order_allocate(world, &order)) {
        return false;
    }
    order_tie(world, &order);
    if (!order_holds(world, &order)) {
        order_sort(world, &order);
    }
    world->is_joint_order_stale = false;
    return true;
}
