// bench/lengths.c: chains and loops of 10 to 10,000 links under the direct solver, and as many
// joints on one body.
//
// Links of 1 kg and 0.5 m on ball joints: a chain held at one end and released level, a ring held
// at one link. Both whip and fall freely: nothing touches. A joint that comes or goes makes the
// mechanism's matrix anew: the steps after it, less those between, are its cost. The joint ties
// the middle of the chain to itself two links on, by a rope that stays slack. The joints on one
// body are hinges on one axis: five rows of all of them are enough to hold it.
#include "bench/lengths.h"

#include <math.h>
#include <stdio.h>
#include <tenon/tenon.h>

#include "bench/clock.h"
#include "tools/plot/plot.h"

#define LENGTHS_COUNT 7
#define LINK_LENGTH   0.5 // m
#define STEP_TIME     (1.0 / 60.0)
#define SUBSTEPS      4
#define WARM_UP       5
#define STEPS_ALL     20000 // links times steps, about
#define LEAST_STEPS   12
#define MOST_STEPS    300
#define CHANGES       12 // joints made, and as many destroyed
#define PI            3.14159265358979323846

static const uint32_t lengths[LENGTHS_COUNT] = {10, 30, 100, 300, 1000, 3000, 10000};

typedef enum lengths_kind {
    LENGTHS_CHAIN,
    LENGTHS_LOOP,
    LENGTHS_CROWD, // joints on one body
} lengths_kind;

typedef struct lengths_cost {
    double step_ms, change_ms; // a step; what a joint that comes or goes adds to it
    double fill;               // doubles in the factor by joint
} lengths_cost;

// ---- scenes -----------------------------------------------------------------------------------

static tn_body_id lengths_make_link(tn_world *world, double x, double y, double angle) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.position = (tn_vec3){x, y, 0.0};
    def.pose.rotation.z = sin(0.5 * angle);
    def.pose.rotation.w = cos(0.5 * angle);
    tn_body_id link = tn_body_create(world, &def);
    tn_mass mass = {.mass = 1.0};
    mass.inertia.xx = 0.002;
    mass.inertia.yy = mass.inertia.zz = LINK_LENGTH * LINK_LENGTH / 12.0;
    tn_body_set_mass(world, link, mass);
    return link;
}

static void lengths_tie(tn_world *world, tn_body_id a, tn_body_id b, double of_a) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position.x = of_a;
    def.base.frame_b.position.x = -0.5 * LINK_LENGTH;
    tn_ball_joint_create(world, &def);
}

// Returns two links of the middle, one of them between.
static void lengths_make_chain(tn_world *world, uint32_t count, tn_body_id *out_middle) {
    tn_body_id before = {0};
    for (uint32_t i = 0; i < count; ++i) {
        tn_body_id link = lengths_make_link(world, LINK_LENGTH * (i + 0.5), 0.0, 0.0);
        lengths_tie(world, before, link, i == 0 ? 0.0 : 0.5 * LINK_LENGTH);
        before = link;
        if (i == count / 2 || i == count / 2 + 2) {
            out_middle[i == count / 2 ? 0 : 1] = link;
        }
    }
}

static void lengths_make_loop(tn_world *world, uint32_t count) {
    double turn = 2.0 * PI / count, radius = 0.5 * LINK_LENGTH / tan(0.5 * turn);
    tn_body_id first = {0}, before = {0};
    for (uint32_t i = 0; i < count; ++i) {
        double angle = turn * i;
        tn_body_id link =
            lengths_make_link(world, radius * cos(angle), radius * sin(angle), angle + 0.5 * PI);
        if (i == 0) {
            first = link;
            tn_ball_joint_def def = tn_ball_joint_def_default();
            tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, link,
                                    (tn_vec3){radius, 0.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0});
            tn_ball_joint_create(world, &def);
        } else {
            lengths_tie(world, before, link, 0.5 * LINK_LENGTH);
        }
        before = link;
    }
    lengths_tie(world, before, first, 0.5 * LINK_LENGTH);
}

static void lengths_make_crowd(tn_world *world, uint32_t count) {
    tn_body_id body = lengths_make_link(world, LINK_LENGTH, 0.0, 0.0);
    for (uint32_t i = 0; i < count; ++i) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, body,
                                (tn_vec3){0.0, 0.0, (double)i / count}, (tn_vec3){0.0, 0.0, 1.0});
        tn_hinge_joint_create(world, &def);
    }
}

// ---- measuring --------------------------------------------------------------------------------

static double lengths_time_step(tn_world *world) {
    double start = bench_clock_get_seconds();
    tn_world_step(world, STEP_TIME, SUBSTEPS);
    return 1e3 * (bench_clock_get_seconds() - start);
}

static double lengths_time_steps(tn_world *world, uint32_t count) {
    uint32_t steps = STEPS_ALL / count;
    steps = steps < LEAST_STEPS ? LEAST_STEPS : steps > MOST_STEPS ? MOST_STEPS : steps;
    double sum = 0.0;
    for (uint32_t i = 0; i < steps; ++i) {
        sum += lengths_time_step(world);
    }
    return sum / steps;
}

// The lowest of the steps after a change less the lowest of those between.
static double lengths_time_changes(tn_world *world, const tn_body_id *middle) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = middle[0];
    def.base.body_b = middle[1];
    def.is_rigid = false;
    def.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = 2.0f};
    tn_joint_id rope = {0};
    double changed = HUGE_VAL, quiet = HUGE_VAL;
    for (uint32_t i = 0; i < CHANGES; ++i) {
        rope = tn_distance_joint_create(world, &def);
        changed = fmin(changed, lengths_time_step(world));
        tn_joint_destroy(world, rope);
        changed = fmin(changed, lengths_time_step(world));
        quiet = fmin(quiet, lengths_time_step(world));
    }
    return fmax(changed - quiet, 0.0);
}

static bool lengths_measure(uint32_t count, lengths_kind kind, lengths_cost *cost) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    if (world == NULL) {
        return false;
    }
    tn_body_id middle[2] = {{0}, {0}};
    if (kind == LENGTHS_LOOP) {
        lengths_make_loop(world, count);
    } else if (kind == LENGTHS_CROWD) {
        lengths_make_crowd(world, count);
    } else {
        lengths_make_chain(world, count, middle);
    }
    for (int i = 0; i < WARM_UP; ++i) {
        tn_world_step(world, STEP_TIME, SUBSTEPS);
    }
    cost->step_ms = lengths_time_steps(world, count);
    tn_mechanism_info info = {.fill = 0};
    tn_world_get_mechanisms(world, &info, 1);
    cost->fill = (double)info.fill / fmax(1.0, (double)info.joints);
    cost->change_ms = kind == LENGTHS_CHAIN ? lengths_time_changes(world, middle) : 0.0;
    tn_world_destroy(world);
    return true;
}

// ---- output -----------------------------------------------------------------------------------

static bool lengths_plot(const char *path, const lengths_cost *chains, const lengths_cost *loops,
                         const lengths_cost *crowds) {
    double x[LENGTHS_COUNT], chain[LENGTHS_COUNT], loop[LENGTHS_COUNT], change[LENGTHS_COUNT];
    double crowd[LENGTHS_COUNT];
    for (uint32_t i = 0; i < LENGTHS_COUNT; ++i) {
        x[i] = lengths[i];
        chain[i] = chains[i].step_ms;
        loop[i] = loops[i].step_ms;
        crowd[i] = crowds[i].step_ms;
        change[i] = chains[i].change_ms;
    }
    plot_figure *figure = plot_figure_create("Direct solver: cost by length");
    plot_panel *panel = plot_figure_add_panel(figure, "60 Hz, 4 substeps", "links", "ms");
    plot_panel_set_log(panel, true, true);
    plot_panel_add_points(panel, "a step of a chain", x, chain, LENGTHS_COUNT);
    plot_panel_add_points(panel, "a step of a loop", x, loop, LENGTHS_COUNT);
    plot_panel_add_points(panel, "a step of joints on one body", x, crowd, LENGTHS_COUNT);
    plot_panel_add_points(panel, "a joint more or less in a chain", x, change, LENGTHS_COUNT);
    for (uint32_t i = 0; i < LENGTHS_COUNT; ++i) {
        chain[i] *= 1e3 / lengths[i];
        loop[i] *= 1e3 / lengths[i];
        crowd[i] *= 1e3 / lengths[i];
    }
    panel = plot_figure_add_panel(figure, "the same by link", "links", "µs");
    plot_panel_set_log(panel, true, false);
    plot_panel_add_points(panel, "chain", x, chain, LENGTHS_COUNT);
    plot_panel_add_points(panel, "loop", x, loop, LENGTHS_COUNT);
    plot_panel_add_points(panel, "joints on one body", x, crowd, LENGTHS_COUNT);
    bool is_saved = plot_figure_save(figure, path);
    plot_figure_destroy(figure);
    return is_saved;
}

static void lengths_print_cost(uint32_t count, const lengths_cost *cost) {
    printf(" %.3g | %.1f | %.1f |", cost->step_ms, cost->step_ms * 1e3 / count, cost->fill);
}

bool lengths_run(const char *plot_path) {
    lengths_cost chains[LENGTHS_COUNT], loops[LENGTHS_COUNT], crowds[LENGTHS_COUNT];
    puts("| links | chain, ms a step | µs a link | doubles a joint | loop, ms a step | µs a link | "
         "doubles a joint | joints on one body, ms a step | µs a joint | doubles a joint | a joint "
         "more or less in the chain, ms |\n|---|---|---|---|---|---|---|---|---|---|---|");
    for (uint32_t i = 0; i < LENGTHS_COUNT; ++i) {
        if (!lengths_measure(lengths[i], LENGTHS_CHAIN, &chains[i]) ||
            !lengths_measure(lengths[i], LENGTHS_LOOP, &loops[i]) ||
            !lengths_measure(lengths[i], LENGTHS_CROWD, &crowds[i])) {
            fputs("tenon_bench: out of memory\n", stderr);
            return false;
        }
        printf("| %u |", (unsigned)lengths[i]);
        lengths_print_cost(lengths[i], &chains[i]);
        lengths_print_cost(lengths[i], &loops[i]);
        lengths_print_cost(lengths[i], &crowds[i]);
        printf(" %.2g |\n", chains[i].change_ms);
    }
    if (plot_path != NULL && !lengths_plot(plot_path, chains, loops, crowds)) {
        fprintf(stderr, "tenon_bench: cannot write %s\n", plot_path);
        return false;
    }
    return true;
}
