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
    BAR_TIMES_ODE,     // the same of ODE's quick step
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
    {"rockfall", BAR_TIMES_BULLET, 1.0},
    {"rockfall", BAR_TIMES_ODE, 1.0},
    {"furniture", BAR_TIMES_BULLET, 1.0},
    {"furniture", BAR_TIMES_ODE, 1.0},
    {"ragdolls_mesh", BAR_TIMES_BULLET, 1.0},
    {"ragdolls_mesh", BAR_TIMES_ODE, 1.0},
    {"junkyard", BAR_TIMES_BULLET, 1.0},
    {"junkyard", BAR_TIMES_ODE, 1.0},
    {"gates", BAR_TIMES_BULLET, 1.0},
    {"gates", BAR_TIMES_ODE, 1.0},
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
    [BAR_TIMES_ODE] = "times as fast as ODE's quick step, at least",
    [BAR_EXACT_STEP] = "µs a step with exact joints, at most",
    [BAR_DEFAULT_COST] = "times Gauss-Seidel by default, at most",
    [BAR_SECOND_WORKER] = "times as fast with two workers, at least",
};

static const char *const bar_heading =
    "\n"
    "## What was aimed at\n"
    "\n"
    "The aims were set before the work, from what the best of the peers reach. This table compares "
    "this run with them. A bar\n"
    "that is missed stays in the table.\n"
    "\n"
    "| scene | bar | | this run | |\n"
    "|---|---|---|---|---|\n";

static const char *const bar_withdrawn_text =
    "\n"
    "Two bars are withdrawn: 2 µs a step for the piston and the trebuchet with Gauss-Seidel. Only "
    "a private path came near\n"
    "them (3.75 and 2.82 µs). It served machines of up to four joints that are alone in their "
    "world, and hardly ever ran\n"
    "unless you asked for Gauss-Seidel, because AUTO solves those machines directly. Without it, "
    "and without pins that are\n"
    "refreshed four at a time, a step with Gauss-Seidel takes 1.4 times as long for the piston, "
    "1.45 times for the trebuchet\n"
    "and 1.2 times for an engine of four cylinders (measured in turns); their joints open by as "
    "much as before. Separate\n"
    "kernels for ball joints between round bodies are gone, too: a step of `joint_grid` takes 6.3 "
    "% more instructions with\n"
    "Gauss-Seidel and 0.6 % more under AUTO, with the same bits. Nets and chains of ball joints "
    "alone keep the order of their\n"
    "joints, like all others: with Gauss-Seidel a net of 10 by 10 takes 8 % more instructions, one "
    "of 25 by 25 4 % more, and\n"
    "a chain 7 % fewer.\n"
    "\n"
    "Mechanisms of one shape no longer run four at a time with a matrix in each lane, because that "
    "brought too little. With\n"
    "it, steps of 100 hinged doors took 11 % more instructions, of 100 double pendulums 8 % more, "
    "of 100 cranks with a piston\n"
    "as many, and of `torus` 3 % more; those of 100 lamps on four links took 10 % fewer, of 40 "
    "lamps on twenty links 19 %\n"
    "fewer, of `pendulum_wave` 5 % fewer and of `newtons_cradle` 1 % fewer.\n";

static const char *const bar_contact_text =
    "\n"
    "The work on right contacts (docs/maths/contact.md) was allowed to cost at most 5 % on "
    "pyramid, pile, washer, ragdolls\n"
    "and resting, and 10 % on heap and junkyard. This table has the change in the instructions of "
    "steps, in per cent of those\n"
    "before, with the energy ledger that `tenon run` keeps and without it. Callgrind counted them "
    "over 0.5 s of pyramid,\n"
    "ragdolls and resting, 0.3 s of the pile and 1 s of the others.\n"
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
    "*Walks* follow pairs along their path, take blows in their order and find ghosts. *In "
    "substeps*, arms follow bodies that\n"
    "turn, and contacts that roll over edges are made again. *Stacks* are found and solved. "
    "*Gather* reads and writes larger\n"
    "records. With the ledger, which takes a quarter of its time before, ragdolls and the junkyard "
    "miss their bars. Without\n"
    "it all scenes but the washer miss them, each for its own reason. (The first two columns are "
    "from a later count than the\n"
    "others. By then contacts cost 2 to 6 % less, because bounds and edges go in lanes and fewer "
    "bodies are tested. Ragdolls\n"
    "do not cost less, because the step watches the energy that joints make. Since then the net "
    "also looks at the ends of\n"
    "bodies that a blow makes spin: 1 % of washer and heap and 3 % of the junkyard.)\n"
    "\n";

static const char *const bar_reason_text =
    "- The pyramid makes a third and a fourth sweep while it settles. Over 4 s awake it costs 4.7 "
    "% more. If it may sleep, it\n"
    "  does so after 53 steps; with two sweeps it did after 102, and before that after 173. So "
    "over its life it takes 0.4 times\n"
    "  as long. Ragdolls sweep their joints four times instead of twice; with two sweeps, nets of "
    "joints gained energy without\n"
    "  end.\n"
    "- Resting and the pile spend 1 to 2 % each on many tests whether something has to be done. "
    "The least gap of a pair is\n"
    "  now found once for all of its tests, the net predicts only bodies that went far, and three "
    "numbers settle most pairs:\n"
    "  that saved 1 %. The tests themselves remain.\n"
    "- A rope that runs over a wheel (`atwood`, 114 bodies, 36 contacts) takes 87 M instructions a "
    "step. It took 111 before\n"
    "  its right sides left out zeros, and its sweeps left out the bodies that nothing touches. "
    "Factorisations take 2 %.\n"
    "  Responses take a third: 108 rows of contacts are solved for at each new pose, about 1,100 "
    "solves a step of 114 bodies\n"
    "  each. Sweeps over them take a fifth. The next improvement would be a response at touched "
    "bodies alone, with one solve\n"
    "  for the others at the end.\n"
    "- Machines that are solved exactly take 1.2 to 1.4 times the instructions that they took "
    "before the work on limits and\n"
    "  energy and before each joint wrote its rows in one place: a piston 0.18 M a step, not 0.13, "
    "a trebuchet 0.60, not\n"
    "  0.46, a crane 1.43, not 1.09, a chain of 20 links 1.06, not 0.79. Of what a crane takes "
    "more, 40 % is matrix code\n"
    "  that is no longer compiled a second time for AVX2, which saves 0.6 MB and 38 s of building; "
    "15 % are rows in double\n"
    "  that serve all solvers; limits, motors and accounts of energy take the rest. Two attempts "
    "to get it back: minima and\n"
    "  maxima are no longer calls into libm (2 to 3 % of cars, ragdolls and towers), and all code "
    "compiled for AVX2 takes 6\n"
    "  to 9 % less. What AUTO now solves exactly costs more as well: `newtons_cradle` 2.1 times as "
    "much. What it now sweeps\n"
    "  costs less: `car` 0.35, `arm` 0.44 and `door` 0.53 times as much.\n"
    "- A rope of 1,000 beads (`bead_rope`) takes 51 M instructions a step, in 4 stages and 8 "
    "iterations. Its beads are\n"
    "  eliminated as 3 x 3 already. Their stages take 13 %; elimination, factorisation and solves "
    "take 10, 10 and 7 %; 20\n"
    "  passes over joints and bodies take 2 to 5 % each.\n"
    "- If something heavy lies in a net, conjugate gradients solve the net: 44 M instructions a "
    "step for 684 ropes, and 11\n"
    "  when it is swept. Sweeps alone cannot hold it. A swept thread is a spring of its knots' "
    "mass: 64 sweeps instead of 4 do\n"
    "  not change that (-0.48 m instead of -0.51 m), 64 relaxing ones help little (-0.38 m), and "
    "threads that do not give way\n"
    "  gain energy under a load of 1,000 knots.\n";

static const char *const bar_collision_text =
    "- Hulls on a height field, bodies of several shapes, ragdolls on a mesh, the junkyard and "
    "gates were to be faster than\n"
    "  Bullet and ODE. Four of them miss ODE's quick step, and two of these Bullet as well. Most "
    "of their time goes to\n"
    "  contacts: a rock is near 19 triangles and a limb near 16, and each is a contact of its own, "
    "with points, a path and\n"
    "  ghosts, for four substeps. Bullet keeps four points for a body and the whole ground, and "
    "ODE eight, once a step,\n"
    "  without a path. So they sink: rocks by 131 and 93 mm where tenon's sink by 22 mm, ragdolls "
    "by 276 and 375 mm (25 mm),\n"
    "  and ODE loses three of their bodies. Gates notice what overlaps them in 6 % of a step; the "
    "rest of it is the pile\n"
    "  below them. Four attempts: the search for ghosts no longer walks all contacts of a ground "
    "(ragdolls on a mesh took\n"
    "  nine times as long), and tries a contact again only when one beside it has changed (half of "
    "what ghosts take); the\n"
    "  narrow phase is compiled for speed (21 % of the instructions of rocks); and the corners of "
    "triangles are tested at\n"
    "  once (3 %). A capsule beside a triangle, which now takes a search to find out, would save 1 "
    "%. The next improvement\n"
    "  would be one contact for triangles that lie level.\n";

static const char *const bar_more_text =
    "- The washer makes 19,100 walks in a second. Each makes 1.8 manifolds, at 2,800 instructions, "
    "and the last one gives the\n"
    "  contact its points. Swept axes in closed form could save the others, 1.5 %. Arms that wait "
    "while nothing pushes would\n"
    "  save 0.5 %, but they let a spinning stick through a sheet of 1 mm, and testing whether "
    "anything pushes costs more than\n"
    "  it saves.\n"
    "- Stacks took 12 % of the heap, mostly for islands that move too much to be one: nine factors "
    "a solve. In worlds of 512\n"
    "  contacts and more they now give up sooner, and the search looks only at bodies whose "
    "islands have contacts: they take 5\n"
    "  %. Arms and walks cost as much as in the washer.\n"
    "- The junkyard was at 68 % and is at 50 %: corners of hulls are tested four at once (6 %), "
    "the followers of a group are\n"
    "  made together (4 %), and stacks give up sooner (5 %). Its 9,100 walks of hulls take two "
    "manifolds each, at 6,000\n"
    "  instructions. Manifolds begin without the axis of the last step, which would break ties in "
    "another way at each step of a\n"
    "  walk.\n"
    "- A joint with motors and limits measures its limits where the drift ends: a car takes 7 % "
    "more instructions, and twists\n"
    "  no longer pass their ends by 33 mrad. With the ledger it takes another 9 % more, for the "
    "swing of rotations in each\n"
    "  drift.\n"
    "- Joints with limits alone measure them there too if a motor of their machine may drive them. "
    "Of 300 chains of two joints,\n"
    "  95 passed an end by more than 1 mrad under sweeps, by up to 190 mrad; none does now. Car, "
    "walker and puppet take no more\n"
    "  instructions for it. If joints that nothing drives did the same, a ragdoll would take 12 % "
    "more, or 2 % more if they did\n"
    "  it once in a substep. Their cones and twists use Jdot v instead, which costs an arm 1 %.\n"
    "- Each joint writes its rows once, in double. This costs swept joints 1 to 3 % more "
    "instructions, exact ones 4 to 5 %\n"
    "  (trebuchet, crane, piston), and a rope of beads 7 %. A car takes 2 % more to test whether "
    "its drives press a joint open.\n"
    "- The walking machine takes 2.9 ms a step; the aim was 2. It has 546 rows, 108 of which "
    "depend on others. A third of the\n"
    "  time goes to their factorisation, whose order is that of least fill. While it touches three "
    "to seven contacts, it is\n"
    "  factored again at each new pose.\n";

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
    const bench_result *ode = bar_find(report, bar->scene, "ODE quick");
    switch (bar->kind) {
    case BAR_TIMES_BULLET:
        return tenon && bullet ? bar_divide(bullet->mean_ms, tenon->mean_ms) : 0.0;
    case BAR_TIMES_ODE:
        return tenon && ode ? bar_divide(ode->mean_ms, tenon->mean_ms) : 0.0;
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
    fputs(bar_reason_text, file);
    fputs(bar_collision_text, file);
    fputs(bar_more_text, file);
    fputs(is_missed[BAR_EXACT_STEP] ? bar_exact_text : "", file);
    fputs(is_missed[BAR_SECOND_WORKER] ? bar_worker_text : "", file);
}
