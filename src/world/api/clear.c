// world/api/clear.c: empties a world, which keeps its settings, hooks, threads and memory.
//
// Objects are destroyed one by one, so that all that belongs to them goes with them; then every
// number and list that a step leaves is set to what it is in a new world. The slots of handles keep
// their generations, so that no old handle ever names a new object, and are reused in the order of
// their indices: what is created next has the order, and goes on to the same bits, as in a new
// world. Contacts begin at index 0 again. Test: tests/world/api/test_clear.c
#include <string.h>

#include "solver/contacts/contact_sweeps.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/parts.h"
#include "world/sensors.h"
#include "world/step/step_mechanisms.h"

static void clear_objects(tn_world *world) {
    while (world->force_list.count > 0) {
        world->features.forces->destroy(world,
                                        world->force_list.items[world->force_list.count - 1]);
    }
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->body_pool, i) != 0) {
            tni_body_destroy_at(world, i);
        }
    }
    TN_ASSERT(world->joint_pool.live_count == 0 && world->contact_pool.live_count == 0 &&
              world->reduced_pool.live_count == 0 &&
              world->shape_pool.live_count == world->parts.count);
    if (world->features.parts != NULL) {
        world->features.parts->drop_all(world); // parts outlive the shapes that they are of
    }
    tni_pool *const pools[] = {&world->body_pool, &world->shape_pool, &world->joint_pool,
                               &world->force_pool, &world->reduced_pool};
    for (size_t i = 0; i < sizeof pools / sizeof *pools; ++i) {
        tni_pool_clear(pools[i]);
    }
    tni_pool_restart(&world->contact_pool); // the order of contacts hangs on their indices
}

// Nothing is left that an event could name.
static void clear_events(tn_world *world) {
    tni_events_clear(world);
    world->events.pending_end_count = 0;
    world->exceptions.count = 0;
    tni_map_clear(&world->exceptions.places);
    tni_sensing *sensing = &world->sensing;
    sensing->look = 1;
    sensing->changes.count = sensing->overlap_count = sensing->found_count = 0;
    sensing->is_missed = false;
}

static void clear_numbers(tn_world *world) {
    world->time = 0.0;
    world->step_count = 0;
    world->ledger = (tni_ledger){0};
    world->telemetry = (tn_telemetry){.meets_tolerance = true};
    world->contact_sweeps = TNI_CONTACT_SWEEPS_LEAST;
    world->inverse_dt = world->previous_h = 0.0;
    world->parts_across = world->follower_count = 0;
    world->has_space_keys = world->has_new_keys = false;
    world->has_max_speeds = world->has_set_drives = world->has_adopted = false;
    world->has_persists = world->has_driven = false;
    world->mixes_materials = world->pre_solve != NULL;
    world->is_quiet = world->is_choice_stale = false;
}

tn_result tn_world_clear(tn_world *world) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    tni_joint_plan_drop(world);
    clear_objects(world);
    tni_mechanisms_forget_all(world);
    clear_events(world);
    clear_numbers(world);
    tni_latch_reopen(&world->knows_strays);
    tni_latch_reopen(&world->knows_boxes);
    world->strays.count = 0;
    return tni_world_end_change(world);
}
