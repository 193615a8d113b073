// bench/limit_quality.c: tenon_limits: the ranges and numbers of docs/limits.md, each tried.
//
// Each family goes through a range, or to a number, with answers known beforehand; the last goes
// beyond and shows what happens there. The program measures and always ends with 0.
#include "bench/limit_families.h"

static const quality_family limit_families[] = {
    {"sizes", "of the size off", limit_ranges_run_sizes},
    {"lengths", "of its length open", limit_ranges_run_lengths},
    {"masses", "m off or open", limit_ranges_run_masses},
    {"steps", "m off or open", limit_ranges_run_steps},
    {"places", "m off or open", limit_ranges_run_places},
    {"bodies", "m off", limit_counts_run_bodies},
    {"joints", "m off or open", limit_counts_run_joints},
    {"shapes", "m off", limit_counts_run_shapes},
    {"beyond", "off", limit_ranges_run_beyond},
};

int main(int argc, char **argv) {
    quality report;
    if (quality_read_options(&report, argc, argv)) {
        quality_run_families(&report, limit_families,
                             sizeof limit_families / sizeof limit_families[0]);
    }
    return 0;
}
