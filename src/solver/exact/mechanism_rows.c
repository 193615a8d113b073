// solver/exact/mechanism_rows.c: room for the rows of joints, by how many each has.
//
// A ball joint has three rows and nothing else; room for the twelve that a joint may have, with
// motors and springs, would be three times as much memory, and its mechanism would be spread over
// as many lines of the cache. All rows of a mechanism lie in one block: each joint has the rows
// themselves, then the arrays of numbers by row, then the actors where there are any.
// Test: tests/solver/exact/test_mechanism_rows.c
#include "solver/exact/mechanism.h"

// A joint has this many arrays of doubles by row.
#define ROWS_NUMBERS (4 + TNI_MECHANISM_RISES)

static uint32_t rows_count(const tni_row_count *count) {
    return count->rows < TNI_MECHANISM_MAX_ROWS ? count->rows : TNI_MECHANISM_MAX_ROWS;
}

static uint32_t rows_count_sways(const tni_joint *joint) {
    return tni_mechanism_may_sway(joint) ? TNI_MOST_SWAYS : 0;
}

static size_t rows_get_size(const tni_joint *joint, const tni_row_count *count) {
    size_t one = sizeof(tni_exact_row) + ROWS_NUMBERS * sizeof(double);
    one += count->rows > count->equalities ? sizeof(tni_mechanism_actor) : 0;
    return rows_count(count) * one + rows_count_sways(joint) * sizeof(tni_exact_row);
}

static void rows_place(tni_mechanism_joint *joint, const tni_row_count *count, void *memory) {
    uint32_t rows = rows_count(count);
    joint->rows = memory;
    double *numbers = (double *)(joint->rows + rows + rows_count_sways(joint->joint));
    joint->impulse = numbers;
    joint->impulse_kept = numbers + rows;
    joint->softness = numbers + 2 * rows;
    joint->lead = numbers + 3 * rows;
    for (uint32_t k = 0; k < TNI_MECHANISM_RISES; ++k) {
        joint->given[k] = numbers + (4 + k) * rows;
    }
    joint->actors = count->rows > count->equalities
                        ? (tni_mechanism_actor *)(numbers + ROWS_NUMBERS * rows)
                        : NULL;
}

bool tni_mechanism_make_rows(tni_mechanism *mechanism, tni_allocator *allocator) {
    size_t size = sizeof(double); // so that there is something where no joint has rows: spans
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_row_count count = tni_joint_count_rows(mechanism->joints[i].joint);
        size += rows_get_size(mechanism->joints[i].joint, &count);
    }
    uint8_t *memory = tni_alloc_zeroed(allocator, size);
    if (memory == NULL) {
        return false;
    }
    mechanism->row_memory = memory;
    mechanism->row_memory_size = size;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_row_count count = tni_joint_count_rows(mechanism->joints[i].joint);
        rows_place(&mechanism->joints[i], &count, memory);
        memory += rows_get_size(mechanism->joints[i].joint, &count);
    }
    return true;
}

void tni_mechanism_forget_rows(tni_mechanism *mechanism, tni_allocator *allocator) {
    tni_free(allocator, mechanism->row_memory, mechanism->row_memory_size);
    mechanism->row_memory = NULL;
    mechanism->row_memory_size = 0;
}
