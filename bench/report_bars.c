// bench/report_bars.c: what tenon set out to reach, beside what the run shows.
//
// The bars were set before the work, from what the best of the peers reached. Those of times are
// ratios to Bullet in the same run, but for single machines: there they are microseconds, and move
// with the clock of the processor.
// Test: tests/bench/test_bench.c

#include "bench/report_bars.h"

#include <string.h>

typedef enum bar_kind {
    BAR_TIMES_BULLET,  // mean step of Bullet over that of tenon
    BAR_EXACT_STEP,    // mean step as the world chooses for itself, µs
    BAR_DEFAULT_COST,  // the median of that over that of Gauss-Seidel
    BAR_SECOND_WORKER, // median step on one thread over that with two workers
    BAR_KIND_COUNT
} bar_kind;

typedef struct page_bar {
    const char *scene;
    bar_kind kind;
    double value;
} page_bar;

static const page_bar page_bars[] = {
    {"pyramid", BAR_TIMES_BULLET, 3.0},
    {"pile", BAR_TIMES_BULLET, 3.5},
    {"heap", BAR_TIMES_BULLET, 2.3},
    {"joint_grid_row", BAR_TIMES_BULLET, 8.0},
    {"joint_grid_corners", BAR_TIMES_BULLET, 8.0},
    {"ragdolls", BAR_TIMES_BULLET, 3.0},
    {"piston_60", BAR_EXACT_STEP, 10.0},
    {"trebuchet", BAR_EXACT_STEP, 10.0},
    {"game", BAR_DEFAULT_COST, 1.15},
    {"car", BAR_DEFAULT_COST, 1.15},
    {"door", BAR_DEFAULT_COST, 1.15},
    {"pyramid", BAR_SECOND_WORKER, 1.5},
    {"ragdolls", BAR_SECOND_WORKER, 1.5},
    {"pile", BAR_SECOND_WORKER, 1.75},
    {"heap", BAR_SECOND_WORKER, 1.75},
    {"joint_grid_row", BAR_SECOND_WORKER, 1.75},
    {"joint_grid_corners", BAR_SECOND_WORKER, 1.75},
    {"joint_grid_large", BAR_SECOND_WORKER, 1.75},
    {"pyramid_large", BAR_SECOND_WORKER, 1.75},
    {"washer", BAR_SECOND_WORKER, 1.75},
};
#define PAGE_BAR_COUNT (sizeof page_bars / sizeof page_bars[0])

// How much more the dearest of the series' bodies may cost than the cheapest.
#define BAR_SERIES_TIMES 1.5

static const char *const bar_about[] = {
    [BAR_TIMES_BULLET] = "times as fast as Bullet, at least",
    [BAR_EXACT_STEP] = "µs a step with exact joints, at most",
    [BAR_DEFAULT_COST] = "times Gauss-Seidel by default, at most",
    [BAR_SECOND_WORKER] = "times as fast with two workers, at least",
};

static const char *const bar_heading =
    "\n## What was aimed at\n\n"
    "Aims were set before the work, from what the best of the peers reach, and this run is held\n"
    "against them. A bar that is missed stays in the table.\n\n"
    "| scene | bar | | this run | |\n|---|---|---|---|---|\n";

static const char *const bar_withdrawn_text =
    "\nTwo bars are withdrawn: 2 µs a step of the piston and of the trebuchet with\n"
    "Gauss-Seidel. Only a private path came near them (3.75 and 2.82 µs), for machines of\n"
    "up to four joints that are alone in their world, and hardly ever without asking for\n"
    "Gauss-Seidel: AUTO solves those machines directly. Without it, and without pins that are\n"
    "refreshed four at a time, a step with Gauss-Seidel takes 1.4 times as long for the\n"
    "piston, 1.45 for the trebuchet and 1.2 for an engine of four cylinders (measured by\n"
    "turns); their joints open by as much as before.\n";

static const char *const bar_contact_text =
    "\n"
    "Right contacts (docs/maths/contact.md) were to cost no more than 5 % on pyramid, pile,\n"
    "washer, ragdolls and resting, and 10 % on heap and junkyard, against what was before\n"
    "them. Instructions of steps, counted by callgrind over 0.5 s of pyramid, ragdolls and\n"
    "resting, 0.3 s of the pile and 1 s of the others, have changed as follows, in per cent of\n"
    "those before, with the energy ledger that `tenon run` keeps and without it:\n"
    "\n"
    "| scene | with | without | walks | in substeps | stacks | sweeps | net | gather |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
    "| pyramid | -22 | +24 | 3.1 | 0.9 | 0.3 | 22.5 | 0.5 | 1 |\n"
    "| resting | -28 | +10 | 4.0 | 0 | 2.4 | 2.8 | 1.5 | 1.5 |\n"
    "| pile | -4 | +9 | 1.0 | 0.3 | 2.8 | 2.0 | 0.3 | 1 |\n"
    "| ragdolls | +9 | +17 | 0.2 | 0.1 | 0.7 | 9.4 | 0.4 | 0 |\n"
    "| washer | -3 | +4 | 7.6 | 4.7 | 0.7 | -0.3 | 2.0 | 1 |\n"
    "| heap | +3 | +16 | 6.8 | 5.0 | 4.6 | 1.3 | 1.2 | 1 |\n"
    "| junkyard | +31 | +50 | 26.5 | 14.7 | 7.5 | 1.6 | 2.5 | 1 |\n"
    "\n"
    "*Walks*: pairs followed along their way, blows in their order, ghosts. *In substeps*:\n"
    "arms that follow what turns, and what rolls over edges, made anew. *Stacks*: they are\n"
    "found and solved. *Gather*: records that hold more. With the ledger, which takes a\n"
    "quarter of what it took, ragdolls and the junkyard miss their bars. Without it all but\n"
    "the washer do, each for a reason of its own. (The first two columns are of a later count\n"
    "than the others: contacts then cost 2 to 6 % less, by bounds and edges in lanes and by\n"
    "questions that are asked of fewer bodies; ragdolls do not, for joints are watched for\n"
    "what they make. Ends of what a blow makes spin are looked at since, 1 % of washer and\n"
    "heap and 3 % of the junkyard.)\n"
    "\n"
    "- The pyramid makes a third and a fourth sweep while it settles. Over 4 s awake it costs\n"
    "  4.7 % more; where it may sleep it does so after 53 steps, with two sweeps after 102,\n"
    "  and before after 173: over its life it takes 0.4 times as long. Ragdolls sweep their\n"
    "  joints four times for two; with two, nets of joints gained energy without end.\n"
    "- Resting and the pile have 1 to 2 % each of many things that ask whether something is\n"
    "  to be done. The least gap of a pair is found once for all of its tests, the net asks\n"
    "  where a body would be only of what went far, and most pairs are told by three numbers:\n"
    "  together 1 %. The questions themselves remain.\n"
    "- Of the washer's 19,100 walks in a second each makes 1.8 manifolds, at 2,800 instructions,\n"
    "  the last of which gives the contact its points. Swept axes in closed form could save the\n"
    "  others, 1.5 %. Arms that wait while nothing pushes saved 0.5 %, and let a spinning stick\n"
    "  through a sheet of 1 mm; to ask whether anything pushes costs more than it saves.\n"
    "- Stacks took 12 % of the heap, mostly for what moves too much to be one: nine factors a\n"
    "  solve. In worlds of 512 contacts and more they give up sooner now, and only bodies whose\n"
    "  islands have contacts are looked at: 5 %. Arms and walks are what they are in the washer.\n"
    "- The junkyard was 68 % and is 50 %: corners of hulls are looked at four at once (6 %),\n"
    "  the followers of a group are made together (4 %), stacks give up sooner (5 %). Its 9,100\n"
    "  walks of hulls take two manifolds each, at 6,000 instructions. Manifolds begin without\n"
    "  the axis of the last step, which would break ties in another way at each step of a walk.\n"
    "- A joint with motors and limits asks where its limits stand when the drift ends: a car\n"
    "  takes 7 % more instructions, and twists no longer pass their ends by 33 mrad. With the\n"
    "  ledger it takes 9 % more beside that, for the swing of rotations in each drift.\n";

static const char *const bar_exact_text =
    "\nExact joints take 98,800 instructions in a step of the piston and 100,800 in one of the "
    "trebuchet\n(counted by callgrind, with AVX2). Of the trebuchet's, 91,500 are four substeps, "
    "each with one or two\nrounds of Newton's method for the midpoint rule, a projection and "
    "between four and five solves of the\nwhole machine: 20,400 for the solves, 8,400 for "
    "factoring, the rest spread over a hundred functions.\n";

static const char *const bar_worker_text =
    "\nWhether the machine had two whole processors for two threads is told by *apart* in "
    "[Threads](#threads).\n";

static const bench_result *bar_find(const bench_report *report, const char *item,
                                    const char *engine) {
    for (uint32_t i = 0; i < report->case_count; ++i) {
        for (uint32_t j = 0; j < report->engine_count; ++j) {
            const bench_result *result = &report->results[i * report->engine_count + j];
            if (strcmp(report->cases[i]->name, item) == 0 &&
                strcmp(report->engines[j]->name, engine) == 0 && result->has_run) {
                return result;
            }
        }
    }
    return NULL;
}

static double bar_divide(double above, double below) {
    return below > 0.0 ? above / below : 0.0;
}

// Of two workers to one, or 0 where others were asked for.
static double bar_find_speed_up(const bench_report *report, const char *item) {
    bool has_two = report->engines[report->engine_count - 1]->worker_count == 2;
    for (uint32_t i = 0; has_two && i < report->case_count; ++i) {
        if (strcmp(report->cases[i]->name, item) == 0) {
            return report_get_speed_up(report, i);
        }
    }
    return 0.0;
}

// What the run shows, or 0 where it does not.
static double bar_measure(const bench_report *report, const page_bar *bar) {
    const bench_result *tenon = bar_find(report, bar->scene, "tenon");
    const bench_result *exact = bar_find(report, bar->scene, "tenon AUTO");
    const bench_result *bullet = bar_find(report, bar->scene, "Bullet");
    switch (bar->kind) {
    case BAR_TIMES_BULLET:
        return tenon && bullet ? bar_divide(bullet->mean_ms, tenon->mean_ms) : 0.0;
    case BAR_EXACT_STEP:
        return exact ? 1e3 * exact->mean_ms : 0.0;
    case BAR_DEFAULT_COST:
        return exact && tenon ? bar_divide(exact->median_ms, tenon->median_ms) : 0.0;
    case BAR_SECOND_WORKER:
        return bar_find_speed_up(report, bar->scene);
    default:
        return 0.0;
    }
}

static const char *bar_judge(bool is_met) {
    return is_met ? "met" : "**missed**";
}

static bool bar_is_met(const page_bar *bar, double measured) {
    bool is_most = bar->kind == BAR_EXACT_STEP || bar->kind == BAR_DEFAULT_COST;
    return is_most ? measured <= bar->value : measured >= bar->value;
}

// The dearest body of the series over the cheapest, or 0 without a series.
static double bar_measure_series(const bench_report *report) {
    double least = 0.0, most = 0.0;
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        uint32_t bodies = result->report.telemetry.awake_bodies;
        if (!report->cases[i]->is_series || !result->has_run || bodies == 0) {
            continue;
        }
        double cost = result->mean_ms / bodies;
        least = least == 0.0 || cost < least ? cost : least;
        most = cost > most ? cost : most;
    }
    return bar_divide(most, least);
}

void report_write_bars(const bench_report *report, FILE *file) {
    bool has_heading = false, has_machine = false, is_missed[BAR_KIND_COUNT] = {false};
    for (uint32_t i = 0; i < PAGE_BAR_COUNT; ++i) {
        const page_bar *bar = &page_bars[i];
        double measured = bar_measure(report, bar);
        if (measured == 0.0) {
            continue;
        }
        fputs(has_heading ? "" : bar_heading, file);
        has_heading = true;
        bool is_met = bar_is_met(bar, measured);
        is_missed[bar->kind] = is_missed[bar->kind] || !is_met;
        has_machine = has_machine || bar->kind == BAR_EXACT_STEP;
        fprintf(file, "| %s | %.3g | %s | %.3g | %s |\n", bar->scene, bar->value,
                bar_about[bar->kind], measured, bar_judge(is_met));
    }
    double series = bar_measure_series(report);
    if (series > 0.0) {
        fputs(has_heading ? "" : bar_heading, file);
        fprintf(file,
                "| a box at rest among 1,000 to 100,000 | %.3g | times the cost, at most | "
                "%.3g | %s |\n",
                BAR_SERIES_TIMES, series, bar_judge(series <= BAR_SERIES_TIMES));
    }
    fputs(has_machine ? bar_withdrawn_text : "", file);
    fputs(bar_contact_text, file);
    fputs(is_missed[BAR_EXACT_STEP] ? bar_exact_text : "", file);
    fputs(is_missed[BAR_SECOND_WORKER] ? bar_worker_text : "", file);
}
