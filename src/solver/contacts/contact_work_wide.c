// solver/contacts/contact_work_wide.c: the work of eight contacts over a phase, for the ledger
// (solver/step/work.c).
//
// The impulses that act on one contact in a phase are one force at each end and one torque about
// each centre of mass, for the normals and for friction apart. With T the sums that the groups hold
// and H the halves of the last substep's (solver/contacts/contact_sweep_wide.c), the first half of
// a substep gave T - H, and the second T - (T - H of its start). Arms are those of the end of the
// phase. Test: tests/solver/step/test_work.c
#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/contact_lanes.h"
#include "solver/contacts/contact_work.h"

typedef struct work_lanes {
    tni_f8 normal[TNI_LANES], slide[3];
    tni_v8 rolling;
} work_lanes;

// Returns T - H.
static work_lanes work_get_impulses(const tni_contact_group *group) {
    const tni_contact_wide *wide = &group->wide;
    work_lanes lanes = {.rolling = v8_zero()};
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        lanes.normal[p] = f8_sub(f8_load(wide->impulse[p]), f8_load(wide->warm[p]));
    }
    for (uint32_t t = 0; t < 3; ++t) {
        lanes.slide[t] = f8_sub(f8_load(wide->slide[t]), f8_load(wide->slide_warm[t]));
    }
    if (group->has_rolling) {
        lanes.rolling = v8_sub(lanes_load(&wide->rolling), lanes_load(&wide->rolling_warm));
    }
    return lanes;
}

// Returns T less that of the start.
static work_lanes work_get_changes(const tni_contact_group *group, const tni_contact_start *start) {
    const tni_contact_wide *wide = &group->wide;
    work_lanes lanes = {.rolling = v8_zero()};
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        lanes.normal[p] = f8_sub(f8_load(wide->impulse[p]), f8_load(start->impulse[p]));
    }
    for (uint32_t t = 0; t < 3; ++t) {
        lanes.slide[t] = f8_sub(f8_load(wide->slide[t]), f8_load(start->slide[t]));
    }
    if (group->has_rolling) {
        lanes.rolling = v8_sub(lanes_load(&wide->rolling), lanes_load(&start->rolling));
    }
    return lanes;
}

static void work_store(tni_contact_effort *out, tni_v8 offset, tni_v8 force, tni_v8 torque) {
    lanes_store(&out->force, force);
    lanes_store(&out->turn_a, torque);
    lanes_store(&out->turn_b, v8_add(torque, v8_cross(offset, force)));
}

void WIDE_NAME(tni_contact_begin_work)(const tni_contact_group *group, tni_contact_start *start) {
    work_lanes lanes = work_get_impulses(group);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        f8_store(start->impulse[p], lanes.normal[p]);
    }
    for (uint32_t t = 0; t < 3; ++t) {
        f8_store(start->slide[t], lanes.slide[t]);
    }
    lanes_store(&start->rolling, lanes.rolling);
}

void WIDE_NAME(tni_contact_end_work)(const tni_contact_group *group, const tni_contact_start *start,
                                     tni_contact_effort *normal, tni_contact_effort *friction) {
    const tni_contact_wide *wide = &group->wide;
    work_lanes lanes = start != NULL ? work_get_changes(group, start) : work_get_impulses(group);
    tni_v8 offset = lanes_load(&wide->offset), n = lanes_load(&wide->normal), torque = v8_zero();
    tni_f8 sum = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        sum = f8_add(sum, lanes.normal[p]);
        torque = v8_add_scaled(torque, lanes.normal[p], lanes_load(&wide->turn[p]));
    }
    work_store(normal, offset, v8_scale(sum, n), torque);
    tni_v8 rub = v8_scale(lanes.slide[0], lanes_load(&wide->tangent[0]));
    rub = v8_add_scaled(rub, lanes.slide[1], lanes_load(&wide->tangent[1]));
    torque = v8_add_scaled(lanes.rolling, lanes.slide[2], lanes_load(&wide->pivot));
    torque = v8_add(torque, v8_cross(lanes_load(&wide->middle), rub));
    work_store(friction, offset, rub, torque);
}
