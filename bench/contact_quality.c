// bench/contact_quality.c: tenon_contacts: what touches is felt, and what does not is not.
//
// Each family is a sweep over shapes, speeds, rates and gaps, and each run has an answer known
// beforehand: a closed form, the same run without the obstacle, or what cannot happen (a bullet
// behind the sheet). The limits are written beside the runs. The program measures: it always ends
// with 0.
#include "bench/contact_families.h"

static const quality_family contact_families[] = {
    {"slide_seams", "times what is allowed", contact_slide_run_seams},
    {"slide_yawed", "times what is allowed", contact_slide_run_yawed},
    {"slide_lower", "times what is allowed", contact_slide_run_lower},
    {"slide_steps", "of its speed left", contact_slide_run_steps},
    {"slide_blocks", "times what is allowed", contact_slide_run_blocks},
    {"fall_on_seam", "m off", contact_slide_run_falls},
    {"slide_far", "times what is allowed", contact_slide_run_far},
    {"slide_straddle", "times what is allowed", contact_slide_run_straddle},
    {"slide_floors", "times what is allowed", contact_kinds_run_floors},
    {"slide_bodies", "times what is allowed", contact_kinds_run_bodies},
    {"roll_seams", "times what is allowed", contact_roll_run_seams},
    {"roll_car", "times what is allowed", contact_roll_run_car},
    {"roll_off_edge", "m from the edge's arc", contact_roll_run_edge},
    {"plank_tips", "m off", contact_roll_run_plank},
    {"pass_corner", "m/s changed", contact_pass_run_corner},
    {"pass_pairs", "m/s changed", contact_pass_run_pairs},
    {"pass_over_block", "m/s changed", contact_pass_run_over_block},
    {"pass_beside_wall", "m/s changed", contact_pass_run_beside_wall},
    {"pass_swing", "m/s changed", contact_kinds_run_swings},
    {"ball_on_edge", "of its speed off", contact_pass_run_ball_edge},
    {"pass_far", "m/s changed", contact_pass_run_far},
    {"mirror", "m apart", contact_pass_run_mirror},
    {"bullets", "m behind the sheet", contact_fast_run_bullets},
    {"thrown", "m behind the sheet", contact_fast_run_thrown},
    {"blade", "rad past the rod, or m/s that the rod lacks", contact_fast_run_blade},
    {"room", "m outside", contact_fast_run_room},
    {"room_crowd", "balls out", contact_fast_run_crowd},
    {"room_corner", "m outside, or of its speed off", contact_fast_run_room_corner},
    {"stick", "rad past the rod", contact_fast_run_stick},
    {"flail", "m of joint gap, or of its energy gained", contact_fast_run_flail},
    {"random_passes", "m/s changed", contact_random_run_passes},
    {"random_meetings", "m/s not felt", contact_random_run_meetings},
    {"random_throws", "of its energy gained", contact_random_run_throws},
    {"turntable", "m off", contact_turn_run_table},
    {"turntable_ball", "m off", contact_turn_run_table_ball},
    {"bowl", "m off", contact_turn_run_bowl},
    {"spinning_ball", "m rms", contact_turn_run_spinning_ball},
    {"turning_bar", "m rms", contact_turn_run_bar},
    {"random_bars", "m rms", contact_turn_run_bars},
    {"reduced_passes", "m/s changed", contact_reduced_run_passes},
    {"reduced_seams", "times what is allowed", contact_reduced_run_seams},
    {"reduced_bullets", "m behind the sheet", contact_reduced_run_bullets},
    {"reduced_blade", "rad past the rod, or m/s that the rod lacks", contact_reduced_run_blade},
    {"reduced_blows", "m/s off", contact_reduced_run_blows},
    {"reduced_table", "m off", contact_reduced_run_table},
    {"reduced_valley", "m off", contact_reduced_run_valley},
    {"affine_passes", "m/s changed", contact_affine_run_passes},
    {"affine_seams", "times what is allowed", contact_affine_run_seams},
    {"affine_bullets", "m behind the sheet", contact_affine_run_bullets},
    {"affine_table", "m off", contact_affine_run_table},
    {"affine_valley", "m off", contact_affine_run_valley},
};

int main(int argc, char **argv) {
    quality report;
    if (quality_read_options(&report, argc, argv)) {
        quality_run_families(&report, contact_families,
                             sizeof contact_families / sizeof contact_families[0]);
    }
    return 0;
}
