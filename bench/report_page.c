// bench/report_page.c: the page docs/performance.md.

#include "bench/report.h"

#include "bench/report_bars.h"
#include "bench/report_floor.h"
#include "bench/report_text.h"
#include "bench/report_threads.h"

#include <inttypes.h>
#include <string.h>

#define LINE_LENGTH 256

static const char *const page_introduction =
    "# Performance\n"
    "\n"
    "The benchmark writes this page. This command writes it again:\n"
    "\n"
    "    ./dev docs performance\n"
    "\n"
    "`./dev bench` prints the same figures; without `--peers` only tenon runs. `--scene NAME` runs "
    "one case, `--steps N` and\n"
    "`--quick` shorten the runs, `--json FILE` saves every figure, `--compare FILE` says what has "
    "changed since a saved run,\n"
    "`--plot FILE` draws the times, and `--workers N` adds threads.\n"
    "\n"
    "## How it is measured\n"
    "\n"
    "- A scene is written once, in `scenes/`. The other engines get all that tenon's world holds "
    "after it is built: bodies\n"
    "  with mass, centre and inertia, shapes, materials, and joints with frames, limits and "
    "motors.\n"
    "- Each engine runs at its own defaults on one thread, with sleeping off except in the case of "
    "boxes asleep. tenon takes\n"
    "  4 substeps. It runs with Gauss-Seidel, like its peers, and scenes with joints run once more "
    "with `AUTO`, which solves\n"
    "  directly where it matters. Times are processor time of a step after some steps of warm-up. "
    "The engines of a case run\n"
    "  side by side, in turns of about 30 ms, so that anything that slows the machine down hits "
    "all alike. Cases run three\n"
    "  times, large ones once and small ones twelve times. A run makes the same steps each time, "
    "so the lowest time of each\n"
    "  step counts, and means and percentiles are those of these times. Ratios come from one run; "
    "a gap under 15 % is a tie.\n"
    "- The same code computes quality from the poses of all engines: how far boxes drift sideways "
    "and sink, when one first\n"
    "  comes down by half its height, how deep boxes overlap (separating axes), how far a joint's "
    "anchors are apart, energy and\n"
    "  momentum. It repeats exactly.\n"
    "- In four cases bodies fall on a ground. The peers get a height field as their own height "
    "field, which cuts its squares along\n"
    "  the same diagonal, and a mesh as the same triangles. *In the ground* is how deep a corner "
    "of a "
    "box or hull, or an end of\n"
    "  a ball or capsule, is below the triangle at its place; a body whose centre of mass is below "
    "the ground *fell through*. The\n"
    "  mean height and speed at the end are the potential and kinetic energy of all bodies, per "
    "mass. "
    "Sensors in Bullet are\n"
    "  bodies without contact response, whose touching manifolds are counted outside of the time; "
    "in "
    "ODE the callback of the space\n"
    "  asks for one contact. *Notices* is how many overlaps of bodies and sensors an engine "
    "reported, "
    "over those that poses show:\n"
    "  the peers tell of the poses before a step.\n"
    "- Some engines lack something. A rope is a one-sided row of its own in Bullet, and a "
    "frictionless contact along the line\n"
    "  in ODE. A cone in ODE is three stops of an angular motor. Bullet leaves out the friction of "
    "a limited ball joint.\n"
    "- MuJoCo 2.2.2, as Debian 12 packages it, runs the small cases that it can express: joints as "
    "a forest of reduced\n"
    "  coordinates, one or two soft points to close a loop, and a damper toward its speed as a "
    "motor. *Burst* means that it\n"
    "  gave up its state and started again.\n"
    "- The peers step with denormal numbers rounded to zero, as applications set it: in flat "
    "machines denormals cost Bullet\n"
    "  up to seven times the time. tenon steps without that help.\n";

// Engines side by side: without tenon's workers, which have a part of their own.
static uint32_t page_count_columns(const bench_report *report) {
    bool has_workers = report->engines[report->engine_count - 1]->worker_count > 1;
    return report->engine_count - (has_workers ? 1 : 0);
}

static bool page_has_peers(const bench_report *report) {
    for (uint32_t i = 0; i < report->engine_count; ++i) {
        if (!report->engines[i]->is_tenon) {
            return true;
        }
    }
    return false;
}

// The picture's path from the folder of the page, where it lies in that folder.
static const char *page_get_link(const bench_report *report) {
    const char *slash = strrchr(report->page_path, '/');
    size_t length = slash != NULL ? (size_t)(slash - report->page_path) + 1 : 0;
    bool is_inside = strncmp(report->plot_path, report->page_path, length) == 0;
    return report->plot_path + (is_inside ? length : 0);
}

// The processor's name where the system tells it.
static void page_write_machine(FILE *file) {
    FILE *source = fopen("/proc/cpuinfo", "r");
    char line[LINE_LENGTH];
    while (source != NULL && fgets(line, sizeof(line), source) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", strlen("model name")) == 0 && colon != NULL) {
            fprintf(file, "\nMachine: %s", colon + 2);
            break;
        }
    }
    if (source != NULL) {
        fclose(source);
    }
#if defined(__clang__)
    fprintf(file, "\nCompiler: %s\n", __VERSION__);
#elif defined(__GNUC__)
    fprintf(file, "\nCompiler: gcc %s\n", __VERSION__);
#endif
}

static void page_write_times(const bench_report *report, FILE *file) {
    uint32_t columns = page_count_columns(report);
    fprintf(file, "\n## Time\n\nMean ms per step.%s\n\n| scene |",
            page_has_peers(report) ? " The last columns say how many times faster tenon is." : "");
    for (uint32_t i = 0; i < columns; ++i) {
        fprintf(file, " %s |", report->engines[i]->name);
    }
    for (uint32_t i = 1; i < columns; ++i) {
        fprintf(file, " %s / tenon |", report->engines[i]->name);
    }
    fprintf(file, "\n|---|");
    for (uint32_t i = 1; i < 2 * columns; ++i) {
        fprintf(file, "---|");
    }
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *results = &report->results[i * report->engine_count];
        if (report->cases[i]->is_series) {
            continue;
        }
        fprintf(file, "\n| %s: %s |", report->cases[i]->name, report->cases[i]->about);
        for (uint32_t j = 0; j < columns; ++j) {
            fprintf(file, results[j].has_run ? " %.3g |" : " |", results[j].mean_ms);
        }
        for (uint32_t j = 1; j < columns; ++j) {
            char ratio[REPORT_TEXT_LENGTH];
            report_describe_ratio(&results[0], &results[j], ratio);
            fprintf(file, " %s |", results[j].has_run ? ratio : "");
        }
    }
    fprintf(file, "\n");
    if (report->plot_path != NULL) {
        fprintf(file, "\n![Median time of a step](%s)\n", page_get_link(report));
    }
}

// What a body costs should not grow with how many there are.
static void page_write_series(const bench_report *report, FILE *file) {
    bool has_heading = false;
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        uint32_t bodies = result->report.telemetry.awake_bodies;
        if (!report->cases[i]->is_series || !result->has_run || bodies == 0) {
            continue;
        }
        if (!has_heading) {
            fprintf(file, "\n## Cost per body\n\ntenon alone, Gauss-Seidel.\n\n"
                          "| scene | mean ms | µs per body |\n|---|---|---|\n");
            has_heading = true;
        }
        fprintf(file, "| %s | %.3g | %.2f |\n", report->cases[i]->about, result->mean_ms,
                1e3 * result->mean_ms / bodies);
    }
}

static void page_write_stages(const bench_report *report, FILE *file) {
    fprintf(
        file,
        "\n## Where tenon's time goes\n\nThis table has the share of each stage in the time of a "
        "step, in percent.\n\n"
        "| scene | pairs | manifolds | islands | solve | finish |\n|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        bench_stages shares = report_get_shares(&result->stages);
        if (result->has_run) {
            fprintf(file, "| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", report->cases[i]->name,
                    shares.pairs, shares.manifolds, shares.islands, shares.solve, shares.finish);
        }
    }
}

static void page_write_quality(const bench_report *report, FILE *file) {
    uint32_t columns = page_count_columns(report);
    fprintf(file,
            "\n## Quality\n\n"
            "The last column has the figures of Box3D 0.1 on the same scenes, on this kind of "
            "machine. They were measured\nbefore, not in this run.\n\n| scene |");
    for (uint32_t i = 0; i < columns; ++i) {
        fprintf(file, " %s |", report->engines[i]->name);
    }
    fprintf(file, " Box3D |\n|---|---|");
    for (uint32_t i = 0; i < columns; ++i) {
        fprintf(file, "---|");
    }
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_case *item = report->cases[i];
        if (item->is_series) {
            continue;
        }
        fprintf(file, "\n| %s |", item->name);
        for (uint32_t j = 0; j < columns; ++j) {
            const bench_result *result = &report->results[i * report->engine_count + j];
            char text[REPORT_TEXT_LENGTH] = "";
            if (result->has_run) {
                report_describe_quality(item->figures, &result->quality, text);
            }
            fprintf(file, " %s |", text);
        }
        fprintf(file, " %s |", item->box3d != NULL ? item->box3d : "");
    }
    fprintf(file, "\n");
}

static void page_write_own(const bench_report *report, FILE *file) {
    fprintf(file, "\n## Percentiles, memory and repeatability\n\n");
    if (report->memory.is_known) {
        fprintf(file,
                "A box costs %.0f bytes, a contact of four points %.0f, a ball joint %.0f by "
                "Gauss-Seidel and %.0f\nsolved directly, alone in its mechanism: differences "
                "between worlds of 5,000 boxes, with what growing\narrays keep in reserve.\n\n",
                report->memory.body_bytes, report->memory.contact_bytes, report->memory.joint_bytes,
                report->memory.exact_bytes);
    }
    fprintf(
        file,
        "This table has percentiles of a step's time, and instructions in millions per step "
        "(\"-\" if the machine does not\ncount them).\n\n"
        "| scene | median ms | p95 ms | p99 ms | instructions | MB at most | allocations in timed "
        "steps | hash |\n|---|---|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < report->case_count; ++i) {
        const bench_result *result = &report->results[i * report->engine_count];
        if (result->has_run) {
            char instructions[REPORT_TEXT_LENGTH];
            report_describe_instructions(result, instructions);
            fprintf(file,
                    "| %s | %.3g | %.3g | %.3g | %s | %.2f | %" PRIu64 " | %016" PRIx64 " |\n",
                    report->cases[i]->name, result->median_ms, result->p95_ms, result->p99_ms,
                    instructions, 1e-6 * (double)result->report.peak_bytes,
                    result->step_allocations, result->report.hash);
        }
    }
}

// Builds are not measured here: the figures are those that ./dev size printed.
static const char page_weight[] =
    "\n"
    "## What it weighs\n"
    "\n"
    "`./dev size` prints these figures and compares them with the budgets. The shared library is "
    "stripped. WebAssembly is\n"
    "packed by brotli, once with every public function and once with those of a game of bodies, "
    "contacts, queries and the\n"
    "common joints (ball, hinge, slider, fixed, distance, wheel, mouse). The compilers are gcc 12 "
    "and clang 14. Files that a\n"
    "step does not run are compiled for size, and in WebAssembly all files but the sweeps over "
    "contacts and the passes over\n"
    "bodies: `cmake/tenon_hot.cmake`. A program does not contain the joint types, forces, "
    "functions, ropes and reduced bodies\n"
    "that it never creates ([architecture](architecture.md#pay-for-what-you-use)). A plain game "
    "still contains all that\n"
    "`TN_SOLVER_AUTO` may choose for any joint (75 kB of the exact solver, and 18 kB of conjugate "
    "gradients), joints in lanes\n"
    "(29 kB), and the methods to compare (4 kB), because a number in a definition selects them.\n"
    "\n"
    "| what | kB | budget |\n"
    "|---|---|---|\n"
    "| shared library | 2276 | 2200 |\n"
    "| WebAssembly of everything | 457 | 340 |\n"
    "| WebAssembly of a plain game | 364 | 210 |\n"
    "\n"
    "A clean build of the library for a release takes 50 s of processor time, with one vector "
    "width or two: about 27 s on two\n"
    "cores that do nothing else, where 60 s and 40 s were aimed at. Through ccache a second clean "
    "build takes one second. In\n"
    "node, a step of the pyramid of base 30 takes 2.1 to 2.2 ms; 2.9 ms were aimed at.\n"
    "\n"
    "A box that touches nothing costs 1,606 bytes, and its contact of four points 1,372 more, "
    "counted in worlds of 10,000 boxes; 1,200 and\n"
    "1,300 were aimed at. Of the first, 576 are its record, 400 what a step copies of it and keeps "
    "spare, 176 the motion and bounds of its shape,\n"
    "176 the shape, 93 the tree, and most of the rest room for its events. Two attempts brought "
    "147 bytes: the step keeps an acceleration\n"
    "once, and finds gravity and the axes of boxes where it needs them. The other 400 would be "
    "poses and velocities that a step moves in\n"
    "place, without a copy, but then a step that runs out of memory could not leave the world as "
    "it was.\n"
    "\n";

static const char page_lines[] =
    "This table has the lines of source, with comments, beside those of a review from which a "
    "redesign began:\n"
    "\n"
    "| | review | now | aimed at |\n"
    "|---|---|---|---|\n"
    "| `src/solver` and `src/world` | 62,051 | 73,200 | 50,000 |\n"
    "| `src` | 84,000 | 95,900 | 72,000 |\n"
    "| ways of a joint through the solver | 22 | 10 | 10 |\n"
    "\n"
    "About 8,000 lines of paths that served single benchmarks are gone (machines of four joints "
    "alone, pins and mechanisms four at a time,\n"
    "strips and columns of joints, an exact solver compiled twice), and 1,200 lines that wrote the "
    "geometry of joints twice. But more was added\n"
    "meanwhile: stacks that are solved at once (2,200), contacts that follow their paths, in their "
    "order (2,800), contacts of mechanisms and of\n"
    "elastic bodies that neither sink nor tunnel (2,500), code that keeps machines from gaining "
    "energy, tearing or jamming (2,800), and checks\n"
    "of every argument. Two more ways to shrink were tried. Rows of several bodies cannot become "
    "blocks, because the impulses of swept ropes\n"
    "depend on the order in which a block would take them (one table of six operations is left of "
    "33). Helpers for repeated code saved 600\n"
    "lines, but every further one would have more arguments than lines that it saves. The ten ways "
    "are: swept joints one by one (a pin, or\n"
    "dense rows) and in lanes (points with or without angles, threads); exact; exact in turns with "
    "sweeps; conjugate gradients; accelerated\n"
    "sweeps; rows of several bodies; and these closed together.\n"
    "\n"
    "These things were tried for the sizes:\n"
    "\n"
    "- Files that a step does not run are compiled at -Os (a third of the library), and in "
    "WebAssembly at -Oz (except one\n"
    "  file, which then had other bits).\n"
    "- One copy of the code that inverts singular joints saved 49 kB.\n"
    "- The compiler makes no copies of functions and loops for one of their cases, except in the "
    "matrix: this saved 41 kB,\n"
    "  for 0 to 0.8 % more instructions.\n"
    "- Not aligning loops would save 33 kB. This was not kept, because other processors want the "
    "alignment.\n"
    "- Leaving out unwind tables would save 170 kB. This was not kept, because no debugger or "
    "crash report of a game could\n"
    "  see through the library.\n";

void report_write_page(const bench_report *report, FILE *file) {
    fputs(page_introduction, file);
    if (report->is_quick) {
        fputs("\nThis page is of shortened runs (`--quick` or `--steps`).\n", file);
    }
    page_write_machine(file);
    page_write_times(report, file);
    report_write_bars(report, file);
    page_write_series(report, file);
    report_write_threads(report, file);
    page_write_stages(report, file);
    report_write_floor(report, file);
    page_write_quality(report, file);
    page_write_own(report, file);
    fputs(page_weight, file);
    fputs(page_lines, file);
}
