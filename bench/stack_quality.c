// bench/stack_quality.c: tenon_stacks: stacks stand, arches hold, falls gain nothing.
//
// Each family is a sweep with answers known beforehand. The limits are written beside the runs; the
// program measures and always ends with 0.
#include "bench/stack_families.h"

static const quality_family stack_families[] = {
    {"towers", "of the size, sink of a box", stack_stand_run_towers},
    {"tower_rates", "of the size, sink of a box", stack_stand_run_rates},
    {"sizes", "of the size, sink of a box", stack_stand_run_sizes},
    {"small", "of the size, sink of a box", stack_stand_run_small},
    {"heavy_tops", "of the size, sink of a box", stack_stand_run_heavy_tops},
    {"pyramids", "m of drift", stack_stand_run_pyramids},
    {"large_sinks", "m of sink", stack_sink_run_large},
    {"sleep", "s until asleep", stack_stand_run_sleep},
    {"baumgarte", "of the size, sink of a box", stack_stand_run_baumgarte},
    {"tower_hit", "J of rise", stack_stand_run_hit},
    {"standing", "m of drift after the blow", stack_stand_run_scenes},
    {"overhang", "m off", stack_limit_run_overhang},
    {"arch", "m off", stack_limit_run_arch},
    {"friction", "m off", stack_limit_run_friction},
    {"tipping", "rad off", stack_limit_run_tipping},
    {"dominoes", "of the speed of fine steps off", stack_motion_run_dominoes},
    {"ladder", "of the energy off", stack_motion_run_ladder},
    {"pivot", "of the energy off", stack_motion_run_pivot},
    {"tiny_inertia", "m off", stack_motion_run_tiny_inertia},
    {"shake_table", "m off", stack_motion_run_shake_table},
    {"drops", "of the largest kinetic energy, rise", stack_energy_run_drops},
    {"plates_dropped", "J more than at the start", stack_energy_run_plates},
    {"plates_by_edge", "J more than at the start", stack_energy_run_edges},
    {"plates_exact", "J of motion within the plate, or more than at the start",
     stack_energy_run_exact},
};

int main(int argc, char **argv) {
    quality report;
    if (quality_read_options(&report, argc, argv)) {
        quality_run_families(&report, stack_families,
                             sizeof stack_families / sizeof stack_families[0]);
    }
    return 0;
}
