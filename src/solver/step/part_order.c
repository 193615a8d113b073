// solver/step/part_order.c: bodies in an order in which those near each other in space follow each
// other.
//
// Halves are cut by a plane, and these again, until few are left: recursive coordinate bisection.
// The plane lies across the axis along which the bodies are spread widest, and halves their
// weight. It leans a little, so that it goes through a layer of a grid along the next axis instead
// of through all of its bodies at once. A range that is not cut any more stays in its order.
// Source: M. Berger, S. Bokhari, "A partitioning strategy for nonuniform problems on
// multiprocessors", IEEE Transactions on Computers C-36, 1987. Test: tests/solver/step/test_part.c
#include <math.h>
#include <string.h>

#include "solver/step/part.h"

// A range of this many bodies, or fewer, is not cut any more.
#define PART_LEAF 32u
// A histogram has this many bins, and reaches this far to either side of the mean, in deviations:
// bodies that are farther count at its end.
#define PART_BINS  256
#define PART_REACH 2.5
// A plane leans by this toward the next axis.
#define PART_LEAN 0.0625

// This is a half under way.
typedef struct part_range {
    tni_part_body *bodies, *scratch;
    uint32_t count;
} part_range;

// A ruler measures places along the direction that is cut across: the bin is scale (direction ·
// position - start).
typedef struct part_ruler {
    double direction[3], start, scale;
} part_ruler;

// ---- the direction ----------------------------------------------------------------------------

typedef struct part_moments {
    double weight, mean[3], variance[3];
} part_moments;

static part_moments part_get_moments(const part_range *range) {
    part_moments moments = {0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (uint32_t i = 0; i < range->count; ++i) {
        const tni_part_body *body = &range->bodies[i];
        double weight = (double)body->weight;
        moments.weight += weight;
        for (uint32_t k = 0; k < 3; ++k) {
            double x = (double)body->position[k];
            moments.mean[k] += weight * x;
            moments.variance[k] += weight * x * x;
        }
    }
    for (uint32_t k = 0; k < 3 && moments.weight > 0.0; ++k) {
        moments.mean[k] /= moments.weight;
        double square = moments.variance[k] / moments.weight - moments.mean[k] * moments.mean[k];
        moments.variance[k] = square > 0.0 ? square : 0.0;
    }
    return moments;
}

// Sorts the axes by how much there is to cut across, the most first.
static void part_sort_axes(const double spread[3], uint32_t order[3]) {
    for (uint32_t k = 0; k < 3; ++k) {
        uint32_t at = k;
        for (; at > 0 && spread[k] > spread[order[at - 1]]; --at) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

static part_ruler part_get_ruler(const part_moments *moments, const double axes[3]) {
    double spread[3];
    uint32_t order[3];
    for (uint32_t k = 0; k < 3; ++k) {
        spread[k] = axes[k] * moments->variance[k];
    }
    part_sort_axes(spread, order);
    part_ruler ruler;
    ruler.direction[order[0]] = 1.0;
    ruler.direction[order[1]] = PART_LEAN;
    ruler.direction[order[2]] = PART_LEAN * PART_LEAN;
    double middle = 0.0, reach = PART_REACH * sqrt(moments->variance[order[0]]);
    for (uint32_t k = 0; k < 3; ++k) {
        middle += ruler.direction[k] * moments->mean[k];
    }
    ruler.start = middle - reach;
    ruler.scale = reach > 0.0 ? PART_BINS / (2.0 * reach) : 0.0;
    return ruler;
}

// ---- the cut ----------------------------------------------------------------------------------

static uint32_t part_get_bin(const part_ruler *ruler, const float position[3]) {
    double place = ruler->scale * (ruler->direction[0] * (double)position[0] +
                                   ruler->direction[1] * (double)position[1] +
                                   ruler->direction[2] * (double)position[2] - ruler->start);
    place = place > 0.0 ? place : 0.0;
    return place < PART_BINS ? (uint32_t)place : PART_BINS - 1;
}

// Returns the first bin of the second half.
static uint32_t part_find_cut(const part_range *range, const part_ruler *ruler) {
    uint64_t bins[PART_BINS] = {0}, total = 0, before = 0;
    for (uint32_t i = 0; i < range->count; ++i) {
        tni_part_body *body = &range->bodies[i];
        body->bin = part_get_bin(ruler, body->position);
        bins[body->bin] += body->weight;
        total += body->weight;
    }
    uint32_t cut = 0;
    while (cut < PART_BINS - 1 && 2 * (before + bins[cut]) <= total) {
        before += bins[cut++];
    }
    // The bin in which the middle lies goes to where most of it is.
    return 2 * before + bins[cut] < total ? cut + 1 : cut;
}

// Splits the range into two halves, which keep their order. Returns how many are in the first.
static uint32_t part_split(const part_range *range, uint32_t cut) {
    uint32_t first = 0, second = 0;
    for (uint32_t i = 0; i < range->count; ++i) {
        if (range->bodies[i].bin < cut) {
            range->bodies[first++] = range->bodies[i];
        } else {
            range->scratch[second++] = range->bodies[i];
        }
    }
    memcpy(range->bodies + first, range->scratch, second * sizeof *range->scratch);
    return first;
}

static void part_order_range(const part_range *range, const double axes[3]) {
    if (range->count <= PART_LEAF) {
        return;
    }
    part_moments moments = part_get_moments(range);
    part_ruler ruler = part_get_ruler(&moments, axes);
    uint32_t first = part_split(range, part_find_cut(range, &ruler));
    if (first == 0 || first == range->count) {
        return; // all in one place
    }
    part_range lower = {range->bodies, range->scratch, first};
    part_range upper = {range->bodies + first, range->scratch + first, range->count - first};
    part_order_range(&lower, axes);
    part_order_range(&upper, axes);
}

void tni_part_order(tni_part_body *bodies, tni_part_body *scratch, uint32_t count,
                    const double axes[3]) {
    part_range all = {bodies, scratch, count};
    part_order_range(&all, axes);
}
