// bench/contact_families.h: the families of tenon_contacts, by the file that runs them.
#ifndef BENCH_CONTACT_FAMILIES_H
#define BENCH_CONTACT_FAMILIES_H

#include "bench/quality.h"

// contact_slide.c: over level tiles, and what is not level.
void contact_slide_run_seams(quality *report);
void contact_slide_run_yawed(quality *report);
void contact_slide_run_lower(quality *report);
void contact_slide_run_steps(quality *report);
void contact_slide_run_blocks(quality *report);
void contact_slide_run_falls(quality *report);
void contact_slide_run_far(quality *report);
void contact_slide_run_straddle(quality *report);
// contact_roll.c: balls, capsules and wheels; edges that are real.
void contact_roll_run_seams(quality *report);
void contact_roll_run_car(quality *report);
void contact_roll_run_edge(quality *report);
void contact_roll_run_plank(quality *report);
// contact_pass.c: what does not touch, and what just touches.
void contact_pass_run_corner(quality *report);
void contact_pass_run_pairs(quality *report);
void contact_pass_run_over_block(quality *report);
void contact_pass_run_beside_wall(quality *report);
void contact_pass_run_ball_edge(quality *report);
void contact_pass_run_far(quality *report);
void contact_pass_run_mirror(quality *report);
// contact_kinds.c: other floors, other bodies.
void contact_kinds_run_floors(quality *report);
void contact_kinds_run_bodies(quality *report);
void contact_kinds_run_swings(quality *report);
// contact_fast.c: nothing tunnels.
void contact_fast_run_bullets(quality *report);
void contact_fast_run_thrown(quality *report);
void contact_fast_run_blade(quality *report);
void contact_fast_run_room(quality *report);
void contact_fast_run_crowd(quality *report);
void contact_fast_run_room_corner(quality *report);
void contact_fast_run_stick(quality *report);
void contact_fast_run_flail(quality *report);
// contact_random.c: pairs and worlds by chance.
void contact_random_run_passes(quality *report);
void contact_random_run_meetings(quality *report);
void contact_random_run_throws(quality *report);
// contact_turn.c: geometry that turns within the step.
void contact_turn_run_table(quality *report);
void contact_turn_run_table_ball(quality *report);
void contact_turn_run_bowl(quality *report);
void contact_turn_run_spinning_ball(quality *report);
void contact_turn_run_bar(quality *report);
void contact_turn_run_bars(quality *report);
// contact_reduced.c: bodies that coordinates give, and affine ones.
void contact_reduced_run_passes(quality *report);
void contact_reduced_run_seams(quality *report);
void contact_reduced_run_bullets(quality *report);
void contact_reduced_run_blade(quality *report);
void contact_reduced_run_blows(quality *report);
void contact_reduced_run_table(quality *report);
void contact_reduced_run_valley(quality *report);
void contact_affine_run_passes(quality *report);
void contact_affine_run_seams(quality *report);
void contact_affine_run_bullets(quality *report);
void contact_affine_run_table(quality *report);
void contact_affine_run_valley(quality *report);

#endif
