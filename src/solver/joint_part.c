// solver/joint_part.c: joints in parts for workers to keep to, as contacts have them: see
// solver/part.c.
//
// Joints may tie bodies together to many trees of a few (the bones of a doll), which share none. A
// part is some of them that follow each other by their first body, no tree is cut through, and so
// parts need nothing of each other. Where one tree is more than a part there are none. Nets are cut
// too, by solver/joint_strips.c. Test: tests/solver/test_joint_group.c
#include <string.h>

#include "core/union_find.h"
#include "solver/joint_group.h"

// Joints that are worth a second part, and each time so many as often more two others.
#define JOINT_PART_LEAST 600u
#define JOINT_PART_MORE  8u

static uint32_t joint_part_find_levels(uint32_t joint_count) {
    uint32_t levels = 0;
    for (uint64_t least = JOINT_PART_LEAST; levels < TNI_PART_MAX_LEVELS && joint_count >= least;
         least *= JOINT_PART_MORE) {
        levels += 1;
    }
    return levels;
}

// Of each body that moves the first of its tree.
static void joint_part_tie(const tni_solver *solver, uint32_t *roots) {
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        roots[i] = i;
    }
    for (uint32_t i = 0; i < solver->swept_count; ++i) {
        uint32_t a = solver->joints[i].body_a, b = solver->joints[i].body_b;
        if (solver->masses[a].is_dynamic && solver->masses[b].is_dynamic) {
            union_find_join(roots, a, b);
        }
    }
}

static uint32_t joint_part_get_root(const tni_solver *solver, uint32_t *roots, uint32_t joint) {
    const tni_joint_block *block = &solver->joints[joint];
    bool has_a = solver->masses[block->body_a].is_dynamic;
    return union_find_root(roots, has_a ? block->body_a : block->body_b);
}

uint32_t tni_joint_parts_find(const tni_solver *solver, uint32_t *parts, uint32_t *scratch) {
    uint32_t *roots = scratch, *counts = scratch + solver->body_count, most = 0;
    uint32_t levels = joint_part_find_levels(solver->swept_count), total = solver->swept_count;
    if (levels == 0 || total == 0) {
        return 1;
    }
    joint_part_tie(solver, roots);
    memset(counts, 0, solver->body_count * sizeof *counts);
    for (uint32_t i = 0; i < total; ++i) {
        uint32_t count = ++counts[joint_part_get_root(solver, roots, i)];
        most = count > most ? count : most;
    }
    while (levels > 0 && (uint64_t)most << (levels + 2) > total) {
        levels -= 1;
    }
    // From how many there are in a tree to the part it is in.
    uint32_t before = 0;
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        uint32_t count = counts[i];
        counts[i] = (uint32_t)(((uint64_t)before << levels) / total);
        before += count;
    }
    for (uint32_t i = 0; i < total; ++i) {
        parts[i] = counts[joint_part_get_root(solver, roots, i)];
    }
    return 1u << levels;
}
