// solver/joints/joint_part.c: joints in parts for workers to keep to, as contacts have them: see
// solver/step/part.c.
//
// Joints may tie bodies together to many small trees (the bones of a doll), which share no body. A
// part has some trees that follow each other by their first body; no tree is cut through, and so
// parts need nothing from each other. If one tree is larger than a part there are no parts. Parts
// go through all substeps one by one (solver/step/part_alone.c), or with the contacts of the same
// parts (solver/step/part_rounds.c). Test: tests/solver/joints/test_joint_group.c,
// tests/world/step/test_joint_parts.c
#include <string.h>

#include "core/union_find.h"
#include "solver/joints/joint_group.h"

// Parts are cut once, twice, and so on, from these numbers of joints on: they are about those of
// contacts (world/step/parts.c).
static const uint32_t joint_part_least[TNI_PART_MAX_LEVELS] = {600, 3000, 9600, 40000};

static uint32_t joint_part_find_levels(uint32_t joint_count) {
    uint32_t levels = 0;
    while (levels < TNI_PART_MAX_LEVELS && joint_count >= joint_part_least[levels]) {
        levels += 1;
    }
    return levels;
}

void tni_joint_blocks_tie(const tni_solver *solver, uint32_t count, uint32_t *roots) {
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        roots[i] = i;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t a = solver->joints.blocks[i].body_a, b = solver->joints.blocks[i].body_b;
        if (solver->bodies.masses[a].is_dynamic && solver->bodies.masses[b].is_dynamic) {
            union_find_join(roots, a, b);
        }
    }
}

uint32_t tni_joint_block_get_root(const tni_solver *solver, uint32_t *roots,
                                  const tni_joint_block *block) {
    bool has_a = solver->bodies.masses[block->body_a].is_dynamic;
    return union_find_root(roots, has_a ? block->body_a : block->body_b);
}

// Replaces the count of joints of each tree, which stands at its root, by the number of its part,
// which follows from the joints in the trees before it.
static void joint_part_number(uint32_t *counts, uint32_t body_count, uint32_t levels,
                              uint32_t total) {
    uint32_t before = 0, last = (1u << levels) - 1;
    for (uint32_t i = 0; i < body_count; ++i) {
        uint32_t count = counts[i], part = (uint32_t)(((uint64_t)before << levels) / total);
        counts[i] = part < last ? part : last;
        before += count;
    }
}

// Notes the part of each body; one that no joint holds gets the part of those around it in the
// order of bodies.
static bool joint_part_note(tni_solver *solver, tni_arena *arena, uint32_t *roots,
                            const uint32_t *part_of_root) {
    solver->joint_parts.part_of = tni_arena_alloc(arena, solver->bodies.count);
    for (uint32_t i = 0; solver->joint_parts.part_of != NULL && i < solver->bodies.count; ++i) {
        solver->joint_parts.part_of[i] = (uint8_t)part_of_root[union_find_root(roots, i)];
    }
    return solver->joint_parts.part_of != NULL;
}

bool tni_joint_parts_find(tni_solver *solver, tni_arena *arena, uint32_t *parts,
                          uint32_t *scratch) {
    uint32_t *roots = scratch, *counts = scratch + solver->bodies.count, most = 0;
    uint32_t levels = joint_part_find_levels(solver->joints.swept_count),
             total = solver->joints.swept_count;
    solver->joint_parts.count = 1;
    if (levels == 0 || total == 0) {
        return true;
    }
    tni_joint_blocks_tie(solver, total, roots);
    memset(counts, 0, solver->bodies.count * sizeof *counts);
    for (uint32_t i = 0; i < total; ++i) {
        uint32_t count =
            ++counts[tni_joint_block_get_root(solver, roots, &solver->joints.blocks[i])];
        most = count > most ? count : most;
    }
    while (levels > 0 && (uint64_t)most << (levels + 2) > total) {
        levels -= 1;
    }
    if (levels == 0) {
        return true;
    }
    joint_part_number(counts, solver->bodies.count, levels, total);
    for (uint32_t i = 0; i < total; ++i) {
        parts[i] = counts[tni_joint_block_get_root(solver, roots, &solver->joints.blocks[i])];
    }
    solver->joint_parts.count = 1u << levels;
    return joint_part_note(solver, arena, roots, counts);
}

// ---- what is of each --------------------------------------------------------------------------

static void joint_part_add_turn(tni_joint_part *part, const tni_joint_turn *turn) {
    part->group_count += turn->group_count;
    part->single_count += turn->single_count;
    part->turn_count += 1;
}

// Adds places to their parts. Bodies that do not move stand before those of parts: see
// group_find_bodies.
static void joint_part_add_places(const tni_solver *solver) {
    for (uint32_t i = 0; i < solver->lanes.place_count; ++i) {
        uint32_t body = solver->lanes.place_bodies[i];
        if (solver->bodies.masses[body].is_dynamic) {
            tni_joint_part *part = &solver->joint_parts.parts[solver->joint_parts.part_of[body]];
            part->first_place = part->place_count == 0 ? i : part->first_place;
            part->place_count += 1;
        }
    }
}

// Copies the items, and counts their groups and single blocks from the first of their part.
static void joint_part_copy_items(const tni_solver *solver) {
    for (uint32_t p = 0, i = 0; p < solver->joint_parts.count; ++p) {
        const tni_joint_part *part = &solver->joint_parts.parts[p];
        for (; i < solver->joint_parts.ends[p]; ++i) {
            tni_joint_item item = solver->lanes.items[i];
            item.group -= item.group != TNI_NONE ? part->first_group : 0;
            item.first_single -= item.single_count > 0 ? part->first_single : 0;
            solver->joint_parts.items[i] = item;
        }
    }
}

bool tni_joint_parts_make(tni_solver *solver, tni_arena *arena) {
    uint32_t count = solver->joint_parts.count;
    if (count <= 1) {
        return true;
    }
    solver->joint_parts.parts =
        tni_arena_alloc_zeroed(arena, count * sizeof *solver->joint_parts.parts);
    solver->joint_parts.items =
        tni_arena_alloc(arena, solver->lanes.item_count * sizeof *solver->joint_parts.items);
    if (solver->joint_parts.parts == NULL || solver->joint_parts.items == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < solver->lanes.turn_count; ++t) {
        joint_part_add_turn(&solver->joint_parts.parts[solver->lanes.turns[t].part],
                            &solver->lanes.turns[t]);
    }
    for (uint32_t p = 1; p < count; ++p) {
        tni_joint_part *part = &solver->joint_parts.parts[p], *before = part - 1;
        part->first_group = before->first_group + before->group_count;
        part->first_single = before->first_single + before->single_count;
        part->first_turn = before->first_turn + before->turn_count;
    }
    joint_part_add_places(solver);
    joint_part_copy_items(solver);
    return true;
}
