// bench/lowest.c: see bench/lowest.h.

#include "bench/lowest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lowest_add(lowest_times *lowest, const double *times, uint32_t count) {
    if (lowest->times == NULL) {
        lowest->times = calloc((size_t)count + 1, sizeof(double));
        if (lowest->times == NULL) {
            return false;
        }
        lowest->count = count;
        memcpy(lowest->times, times, count * sizeof(double));
        return true;
    }
    lowest->count = count < lowest->count ? count : lowest->count;
    for (uint32_t i = 0; i < lowest->count; ++i) {
        lowest->times[i] = fmin(lowest->times[i], times[i]);
    }
    return true;
}

static int lowest_compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

lowest_summary lowest_summarize(const double *times, uint32_t count) {
    double sum = 0.0, *sorted = calloc((size_t)count + 1, sizeof(double));
    if (sorted == NULL || count == 0) {
        free(sorted);
        return (lowest_summary){0};
    }
    for (uint32_t i = 0; i < count; ++i) {
        sorted[i] = times[i];
        sum += times[i];
    }
    qsort(sorted, count, sizeof(double), lowest_compare);
    lowest_summary summary = {sum / count, sorted[count / 2], sorted[(uint64_t)count * 95 / 100],
                              sorted[(uint64_t)count * 99 / 100]};
    free(sorted);
    return summary;
}

void lowest_clear(lowest_times *lowest) {
    free(lowest->times);
    *lowest = (lowest_times){0};
}
