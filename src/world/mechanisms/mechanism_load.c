// world/mechanisms/mechanism_load.c: finds what the bodies of a mechanism carry, for
// TN_SOLVER_AUTO.
//
// Gauss-Seidel lets a joint open by about load g h^2, where
//
//     load = mass that hangs beyond a body / mass of that body
//
// (predicted and seen: door 0.17 and 0.17 mm, hanging lamp 4.3 and 10, chain 4.9 and 4.2 rms, with
// 1,000 kg at its end 173 and 113). A breadth-first tree of the tying joints shows what hangs
// beyond each body. Its root does not move or, if everything moves, is the body with no more than
// half of the mass on any of its sides. A spring ties nothing.
//
// In a loose mechanism bodies that are fixed together count as one: a plate that lies carries
// nothing.
//
// A loose mechanism may also stand on its light parts, and a heavy part throws a light one about:
// so the mass ratios at joints that hold a point count as well. Wheels on suspensions hold no
// point: their springs carry.
//
// Ropes tie unless they make a net. A body hangs if a rope's piece, or a pulley's side, goes from
// it to a point that does not move: both weights of an Atwood machine do.
// Test: tests/world/mechanisms/test_auto.c, tests/world/mechanisms/test_auto_ropes.c
#include <math.h>
#include <string.h>

#include "joints/functions/rope_joint.h"
#include "world/step/step_mechanisms.h"

bool tni_mechanism_tree_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_tree *out) {
    size_t bodies = solver->bodies.count, joints = solver->joints.count;
    out->start = tni_arena_alloc(&world->arena, (bodies + 2) * sizeof(uint32_t));
    out->links = tni_arena_alloc(&world->arena, 2 * joints * sizeof(uint32_t));
    out->order = tni_arena_alloc(&world->arena, bodies * sizeof(uint32_t));
    out->parent = tni_arena_alloc(&world->arena, bodies * sizeof(uint32_t));
    out->is_root = tni_arena_alloc(&world->arena, bodies * sizeof(bool));
    out->mass = tni_arena_alloc(&world->arena, bodies * sizeof(double));
    out->beyond = tni_arena_alloc(&world->arena, bodies * sizeof(double));
    out->piece = tni_arena_alloc(&world->arena, bodies * sizeof(double));
    return out->start != NULL && out->links != NULL && out->order != NULL && out->parent != NULL &&
           out->is_root != NULL && out->mass != NULL && out->beyond != NULL && out->piece != NULL;
}

// ---- ties --------------------------------------------------------------------------------------

// Returns the number of its rope rows.
static uint32_t load_count_rope_rows(const tni_joint *joint) {
    const tni_function *function = tni_mechanism_get_function(joint);
    if (joint->type == TN_JOINT_TYPE_PULLEY && !joint->def.pulley.is_rigid) {
        return joint->rows.rows;
    }
    if (joint->type == TN_JOINT_TYPE_DISTANCE && joint->def.distance.limit.is_enabled) {
        return joint->def.distance.limit.lower > 0.0f ? 2 : 1;
    }
    bool is_rope = function != NULL && function->rope != NULL && !tni_function_is_rod(function);
    return is_rope ? 1 : 0;
}

static bool load_is_rigid(const tni_joint *joint, const tni_joint_block *block) {
    const tni_function *function = tni_mechanism_get_function(joint);
    return block->equality_count > 0 || tni_function_is_rod(function) ||
           (function != NULL && function->equality_count > 0);
}

static bool load_ties(const tn_world *world, const tni_joint_block *block, bool ropes_tie) {
    const tni_joint *joint = tni_mechanism_get_owner(world, block->joint);
    return load_is_rigid(joint, block) || (ropes_tie && load_count_rope_rows(joint) > 0);
}

// ---- the tree ----------------------------------------------------------------------------------

// These mark a body that was not reached yet, and one that has no parent.
#define LOAD_NEW  UINT32_MAX
#define LOAD_NONE (UINT32_MAX - 1)

typedef struct load_input {
    const tn_world *world;
    const tni_solver *solver;
    const tni_mechanism_plan *plan;
    const tni_mechanism_cast *cast;
    uint32_t group;
    bool ropes_tie;
} load_input;

static const tni_joint_block *load_get_block(const load_input *in, uint32_t k) {
    return &in->solver->joints.blocks[in->plan->joints[k]];
}

static void load_start(const load_input *in, tni_mechanism_tree *tree) {
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        double inverse = (double)in->solver->bodies.masses[in->cast->bodies[i]].inv_mass;
        tree->mass[i] = inverse > 0.0 ? 1.0 / inverse : (double)INFINITY;
        tree->parent[i] = LOAD_NEW;
        tree->is_root[i] = false;
    }
    memset(tree->start, 0, (in->cast->moving + 2) * sizeof *tree->start);
}

static bool load_is_still(const tn_world *world, const tni_function *function, uint32_t point) {
    uint32_t body = function->bodies[function->rope->slots[point]];
    return body == TNI_NONE || tni_body_at(world, body)->type != TN_BODY_TYPE_DYNAMIC;
}

// Returns whether a piece of the rope goes from the body to a point that does not move.
static bool load_hangs_on_rope(const tn_world *world, const tni_function *function, uint32_t body) {
    bool hangs = false;
    for (uint32_t k = 0; k + 1 < function->rope->settings.point_count; ++k) {
        uint32_t first = function->bodies[function->rope->slots[k]];
        uint32_t last = function->bodies[function->rope->slots[k + 1]];
        hangs = hangs || (first == body && load_is_still(world, function, k + 1)) ||
                (last == body && load_is_still(world, function, k));
    }
    return hangs;
}

// Returns whether the joint itself holds a body to something that does not move, beside the two
// bodies of its block.
static bool load_hangs(const tn_world *world, const tni_joint *joint, uint32_t body) {
    const tni_joint *owner = tni_mechanism_get_owner(world, joint);
    const tni_function *function = tni_mechanism_get_function(owner);
    bool is_rope = function != NULL && function->rope != NULL;
    return joint->type == TN_JOINT_TYPE_PULLEY ||
           (is_rope && load_hangs_on_rope(world, function, body));
}

static void load_mark_root(const load_input *in, const tni_joint *joint, uint32_t body,
                           uint32_t local, tni_mechanism_tree *tree) {
    if (local < in->cast->moving && load_hangs(in->world, joint, body)) {
        tree->is_root[local] = true;
    }
}

// Links a body to another: the first pass counts, the second fills in.
static void load_link(const load_input *in, uint32_t from, uint32_t to, bool is_counted,
                      tni_mechanism_tree *tree) {
    if (from >= in->cast->moving) {
        return;
    }
    if (to >= in->cast->moving) {
        tree->is_root[from] = true;
    } else if (is_counted) {
        tree->links[tree->start[from + 1]++] = to;
    } else {
        tree->start[from + 2] += 1;
    }
}

static void load_link_all(const load_input *in, bool is_counted, tni_mechanism_tree *tree) {
    for (uint32_t k = in->plan->first[in->group]; k < in->plan->first[in->group + 1]; ++k) {
        const tni_joint_block *block = load_get_block(in, k);
        uint32_t a = in->plan->local_of[block->body_a], b = in->plan->local_of[block->body_b];
        if (load_ties(in->world, block, in->ropes_tie)) {
            load_mark_root(in, block->joint, block->joint->body_a, a, tree);
            load_mark_root(in, block->joint, block->joint->body_b, b, tree);
            load_link(in, a, b, is_counted, tree);
            load_link(in, b, a, is_counted, tree);
        }
    }
}

static void load_list_links(const load_input *in, tni_mechanism_tree *tree) {
    load_link_all(in, false, tree);
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        tree->start[i + 2] += tree->start[i + 1];
    }
    load_link_all(in, true, tree);
}

// Goes on breadth first from the bodies in the order. Returns the order's new end.
static uint32_t load_walk(uint32_t first, uint32_t end, tni_mechanism_tree *tree) {
    for (uint32_t at = first; at < end; ++at) {
        uint32_t body = tree->order[at];
        for (uint32_t k = tree->start[body]; k < tree->start[body + 1]; ++k) {
            uint32_t next = tree->links[k];
            if (tree->parent[next] == LOAD_NEW) {
                tree->parent[next] = body;
                tree->order[end++] = next;
            }
        }
    }
    return end;
}

static void load_sum(uint32_t first, uint32_t end, tni_mechanism_tree *tree) {
    for (uint32_t at = first; at < end; ++at) {
        tree->beyond[tree->order[at]] = tree->mass[tree->order[at]];
    }
    for (uint32_t at = end; at-- > first;) {
        uint32_t body = tree->order[at];
        if (tree->parent[body] != LOAD_NONE) {
            tree->beyond[tree->parent[body]] += tree->beyond[body];
        }
    }
}

static uint32_t load_walk_from(uint32_t body, uint32_t first, tni_mechanism_tree *tree) {
    tree->parent[body] = LOAD_NONE;
    tree->order[first] = body;
    return load_walk(first, first + 1, tree);
}

// Walks from the last body that has at least half of the mass beyond it.
static uint32_t load_walk_loose(uint32_t body, uint32_t first, tni_mechanism_tree *tree) {
    uint32_t end = load_walk_from(body, first, tree), middle = body;
    load_sum(first, end, tree);
    for (uint32_t at = first; at < end; ++at) {
        bool is_half = 2.0 * tree->beyond[tree->order[at]] >= tree->beyond[body];
        middle = is_half ? tree->order[at] : middle;
    }
    for (uint32_t at = first; at < end; ++at) {
        tree->parent[tree->order[at]] = LOAD_NEW;
    }
    return load_walk_from(middle, first, tree);
}

static void load_grow(const load_input *in, tni_mechanism_tree *tree) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        if (tree->is_root[i]) {
            tree->parent[i] = LOAD_NONE;
            tree->order[end++] = i;
        }
    }
    tree->is_hung = end > 0;
    end = load_walk(0, end, tree);
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        end = tree->parent[i] == LOAD_NEW ? load_walk_loose(i, end, tree) : end;
    }
    load_sum(0, end, tree);
}

// ---- loads -------------------------------------------------------------------------------------

// Measures pieces: bodies that are fixed together if the mechanism is loose, single bodies if it
// hangs.
static void load_measure_pieces(const load_input *in, tni_mechanism_tree *tree) {
    uint32_t *pieces = in->plan->welds;
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        tree->piece[i] = 0.0;
        pieces[i] = tree->is_hung ? i : pieces[i];
    }
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        tree->piece[union_find_root(pieces, i)] += tree->mass[i];
    }
}

static uint32_t load_count_pieces(const load_input *in) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        count += union_find_root(in->plan->welds, i) == i ? 1 : 0;
    }
    return count;
}

static double load_get_most(const load_input *in, const tni_mechanism_tree *tree) {
    uint32_t *pieces = in->plan->welds;
    double most = 0.0;
    for (uint32_t i = 0; i < in->cast->moving; ++i) {
        uint32_t own = union_find_root(pieces, i), parent = tree->parent[i];
        uint32_t next = parent != LOAD_NONE ? union_find_root(pieces, parent) : own;
        double load = next != own ? tree->beyond[i] / tree->piece[next] : 0.0;
        most = load > most ? load : most;
    }
    return most;
}

// Returns the largest ratio of masses at a joint that holds a point.
static double load_get_ratio(const load_input *in) {
    double most = 1.0;
    for (uint32_t k = in->plan->first[in->group]; k < in->plan->first[in->group + 1]; ++k) {
        const tni_joint_block *block = load_get_block(in, k);
        if (block->joint->rows.lengths == 3) {
            double ratio = tni_mechanism_get_mass_ratio(in->solver, block);
            most = ratio > most ? ratio : most;
        }
    }
    return most;
}

void tni_mechanism_find_load(const tn_world *world, const tni_solver *solver,
                             const tni_mechanism_plan *plan, uint32_t group,
                             const tni_mechanism_cast *cast, tni_choice_traits *out) {
    bool is_net = tni_choice_is_dense(out);
    load_input in = {world, solver, plan, cast, group, !is_net};
    tni_mechanism_tree tree = plan->tree;
    uint32_t *ropes = is_net ? &out->net_ropes : &out->ropes;
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        *ropes += load_count_rope_rows(load_get_block(&in, k)->joint);
    }
    load_start(&in, &tree);
    load_list_links(&in, &tree);
    load_grow(&in, &tree);
    load_measure_pieces(&in, &tree);
    out->is_hung |= tree.is_hung;
    out->load = load_get_most(&in, &tree);
    out->pieces = load_count_pieces(&in);
    out->point_ratio = load_get_ratio(&in);
}
