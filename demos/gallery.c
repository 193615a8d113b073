// demos/gallery.c: runs scenes for their time and shows what came of them: a table on the terminal,
// a picture of each in out/ (paler the earlier) and out/index.html with all of them.
//
//     demo_gallery [SCENE...]       without a name: all of them
//
// The page needs nothing but the pictures beside it, and is dark where the reader's system is.
#define _POSIX_C_SOURCE 200809L // isatty
#include "scenes/scene.h"
#include "tools/plot/strobe.h"
#include "tools/plot/svg.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GALLERY_HZ       60
#define GALLERY_SUBSTEPS 4

static const char *const gallery_head =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>tenon: scenes</title>\n<style>\n"
    ":root { color-scheme: light dark; --paper: #fbfbfa; --card: #ffffff; --ink: #2b3138;\n"
    "  --faint: #6b7785; --line: #dcdfe3; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --paper: #14171a; --card: #1c2024; --ink: #dfe3e7; --faint: #98a3ae;\n"
    "    --line: #30363c; }\n"
    "  img { filter: invert(0.9) hue-rotate(180deg); }\n}\n"
    "body { margin: 0 auto; max-width: 1500px; padding: 1.5rem; background: var(--paper);\n"
    "  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.4rem; margin: 0 0 0.5rem; }\n"
    "nav { columns: 9rem; font-size: 0.85rem; margin-bottom: 1.5rem; }\n"
    "nav a { display: block; color: inherit; }\n"
    "main { display: grid; gap: 1rem;\n"
    "  grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); }\n"
    "figure { margin: 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden;\n"
    "  background: var(--card); }\n"
    "img { display: block; width: 100%; height: 20rem; object-fit: contain; background: #fbfbfa; "
    "}\n"
    "figcaption { padding: 0.6rem 0.9rem 0.9rem; border-top: 1px solid var(--line); }\n"
    "h2 { font-size: 1rem; margin: 0; }\n"
    "p { margin: 0; }\n.faint { color: var(--faint); font-size: 0.8rem; }\n"
    "table { border-collapse: collapse; font-size: 0.8rem; margin-top: 0.4rem; }\n"
    "td { padding: 0 0.9rem 0 0; }\ntd + td { text-align: right; padding: 0;\n"
    "  font-variant-numeric: tabular-nums; }\n"
    "</style>\n</head>\n<body>\n<h1>tenon: scenes</h1>\n";

// ---- the page ----------------------------------------------------------------------------------

static void gallery_write_text(FILE *page, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        const char one[2] = {*c, '\0'}, *escaped = svg_escape(*c);
        fputs(escaped != NULL ? escaped : one, page);
    }
}

static FILE *gallery_open_page(const scene *const *items, uint32_t count) {
    FILE *page = fopen("out/index.html", "w");
    if (page == NULL) {
        return NULL;
    }
    fprintf(page, "%s<p class=\"faint\">%u scenes at %d Hz in %d substeps</p>\n<nav>\n",
            gallery_head, (unsigned)count, GALLERY_HZ, GALLERY_SUBSTEPS);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(page, "<a href=\"#%s\">%s</a>\n", items[i]->name, items[i]->name);
    }
    fputs("</nav>\n<main>\n", page);
    return page;
}

static void gallery_write_figure(FILE *page, const scene_run *run, uint32_t steps, double step_ms) {
    const char *name = run->scene->name;
    fprintf(page, "<figure id=\"%s\"><a href=\"%s.svg\"><img src=\"%s.svg\" alt=\"", name, name,
            name);
    gallery_write_text(page, run->scene->summary);
    fprintf(page, "\" loading=\"lazy\"></a>\n<figcaption><h2>%s</h2>\n<p>", name);
    gallery_write_text(page, run->scene->summary);
    fprintf(page,
            "</p>\n<p class=\"faint\">%u bodies, %u joints, %g s, %.3g ms a step</p>\n<table>\n",
            (unsigned)tn_world_count_bodies(run->world),
            (unsigned)tn_world_count_joints(run->world), (double)steps / GALLERY_HZ, step_ms);
    for (uint32_t i = 0; i < run->figure_count; i++) {
        fprintf(page, "<tr><td>%s</td><td>%.6g</td></tr>\n", run->figures[i].name,
                run->figures[i].value);
    }
    fputs("</table></figcaption></figure>\n", page);
    fflush(page); // the page can be read while the rest still runs
}

// ---- running -----------------------------------------------------------------------------------

static void gallery_print(const scene_run *run, uint32_t steps, double step_ms, bool is_saved) {
    tn_telemetry telemetry = tn_world_get_telemetry(run->world);
    printf("%-16s %5u bodies %5u joints %5u steps %8.3f ms/step%s%s\n", run->scene->name,
           tn_world_count_bodies(run->world), tn_world_count_joints(run->world), steps, step_ms,
           telemetry.reports > 0 ? "  REPORTS" : "", is_saved ? "" : "  no picture");
    for (uint32_t i = 0; i < run->figure_count; i++) {
        printf("    %-34s %12.6g\n", run->figures[i].name, run->figures[i].value);
    }
    fflush(stdout);
}

// On a terminal, one line that is written over: which scene of how many, and how far it has come.
static void gallery_show_progress(const char *name, uint32_t index, uint32_t count, uint32_t step,
                                  uint32_t steps) {
    static uint32_t shown = UINT32_MAX;
    uint32_t percent = 100 * step / steps;
    if (percent != shown && isatty(fileno(stderr))) {
        fprintf(stderr, "\r[%u of %u] %s: %u %%   \r", (unsigned)index + 1, (unsigned)count, name,
                (unsigned)percent);
        fflush(stderr);
    }
    shown = percent;
}

// Runs to the scene's end; the mean time of a step, ms, or a negative number when a step failed.
static double gallery_run_steps(scene_run *run, strobe *picture, uint32_t steps, uint32_t index,
                                uint32_t count) {
    double total = 0.0;
    strobe_step(picture, 0);
    for (uint32_t i = 0; i < steps; i++) {
        if (scene_run_step(run, 1.0 / GALLERY_HZ, GALLERY_SUBSTEPS) != TN_RESULT_OK) {
            return -1.0;
        }
        total += tn_world_get_telemetry(run->world).step_ms;
        strobe_step(picture, i + 1);
        gallery_show_progress(run->scene->name, index, count, i + 1, steps);
    }
    return total / steps;
}

static bool gallery_show(const scene *item, FILE *page, uint32_t index, uint32_t count) {
    scene_run *run = scene_run_create(item, NULL, NULL);
    if (run == NULL) {
        fprintf(stderr, "%s: could not be built\n", item->name);
        return false;
    }
    uint32_t steps = (uint32_t)(item->time * GALLERY_HZ + 0.5);
    strobe picture;
    bool is_drawn = strobe_create(&picture, run->world, run, item->name, item->summary, steps,
                                  1.0 / GALLERY_HZ);
    double step_ms = gallery_run_steps(run, &picture, steps, index, count);
    char path[256];
    snprintf(path, sizeof path, "out/%s.svg", item->name);
    is_drawn = strobe_save(&picture, path) && is_drawn;

    scene_run_measure(run);
    gallery_print(run, steps, step_ms, is_drawn);
    gallery_write_figure(page, run, steps, step_ms);
    scene_run_destroy(run);
    return step_ms >= 0.0 && is_drawn;
}

static int gallery_show_all(const scene *const *items, uint32_t count) {
    FILE *page = gallery_open_page(items, count);
    if (page == NULL) {
        fprintf(stderr, "could not write into out/ (does the folder exist?)\n");
        return 1;
    }
    bool is_good = true;
    for (uint32_t i = 0; i < count; i++) {
        is_good = gallery_show(items[i], page, i, count) && is_good;
    }
    fputs("</main>\n</body>\n</html>\n", page);
    is_good = fclose(page) == 0 && is_good;
    printf("wrote %u pictures and out/index.html\n", (unsigned)count);
    return is_good ? 0 : 1;
}

int main(int argc, char **argv) {
    const scene *chosen[256];
    uint32_t count = 0;
    const scene *const *all = scene_get_all(&count);
    if (argc == 1) {
        return gallery_show_all(all, count);
    }
    for (count = 0; count + 1 < (uint32_t)argc && count < 256; count++) {
        chosen[count] = scene_find(argv[count + 1]);
        if (chosen[count] == NULL) {
            fprintf(stderr, "no scene is called %s\n", argv[count + 1]);
            return 2;
        }
    }
    return gallery_show_all(chosen, count);
}
