// world/records/sensing.h: what a world knows of its sensors.
#ifndef TNI_WORLD_RECORDS_SENSING_H
#define TNI_WORLD_RECORDS_SENSING_H

#include "collision/tree.h"
#include "tenon/area.h"
#include "world/objects.h"

typedef struct tni_area {
    uint32_t shape;
    tn_area numbers;
} tni_area;

// An overlap is a key: the sensor's handle in the high half, the other shape's in the low one, each
// with its index before its generation, so that sorted keys stand in the order of indices.
typedef struct tni_sensing {
    tni_index_list sensors;               // all that are enabled
    tni_index_list planes;                // those that are half-spaces, which have no leaf
    tni_tree tree;                        // the others
    uint64_t *overlaps, *found, *scratch; // sorted, after the last look; and room for the next
    uint32_t overlap_count, overlap_capacity, found_count, found_capacity, scratch_capacity;
    // The number of the next look. The list has the bodies that changed since the last one, whose
    // `sensed_change` is this number.
    uint32_t look;
    tni_index_list changes;
    tni_area *areas; // in the order in which they act
    uint32_t area_count, area_capacity;
    bool is_missed; // there was no memory to look, or to note a change: all bodies count as changed
} tni_sensing;

#endif
