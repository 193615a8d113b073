// bench/stack_families.h: the families of tenon_stacks, by the file that runs them.
#ifndef BENCH_STACK_FAMILIES_H
#define BENCH_STACK_FAMILIES_H

#include "bench/quality.h"

// stack_stand.c: what must stand, still and without a sink worth seeing.
void stack_stand_run_towers(quality *report);
void stack_stand_run_rates(quality *report);
void stack_stand_run_sizes(quality *report);
void stack_stand_run_small(quality *report);
void stack_stand_run_heavy_tops(quality *report);
void stack_stand_run_pyramids(quality *report);
void stack_stand_run_sleep(quality *report);
void stack_stand_run_baumgarte(quality *report);
void stack_stand_run_hit(quality *report);
void stack_stand_run_scenes(quality *report);
// stack_sink.c: piles that are too large to be solved at once.
void stack_sink_run_large(quality *report);
// stack_limit.c: thresholds: what stands on one side of them and falls or slides on the other.
void stack_limit_run_overhang(quality *report);
void stack_limit_run_arch(quality *report);
void stack_limit_run_friction(quality *report);
void stack_limit_run_tipping(quality *report);
// stack_motion.c: motion through contacts that stay: dominoes, ladders, slides, a shaken table.
void stack_motion_run_dominoes(quality *report);
void stack_motion_run_ladder(quality *report);
void stack_motion_run_pivot(quality *report);
void stack_motion_run_tiny_inertia(quality *report);
void stack_motion_run_shake_table(quality *report);
// stack_energy.c: falls that may not gain energy.
void stack_energy_run_drops(quality *report);
void stack_energy_run_plates(quality *report);
void stack_energy_run_edges(quality *report);
void stack_energy_run_exact(quality *report);

#endif
