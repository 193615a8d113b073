// tests/scenes/test_standing.c: what stands goes on standing: for 200 s, at three rates, with a
// blow in the middle of that time. Most of it passes asleep; a tower that is kept awake must come
// to rest, too.
#include "scenes/figure.h"
#include "scenes/scene.h"
#include "tests/support/long_test.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define STANDING_HALF    100.0 // s, before and after the blow
#define STANDING_KINETIC 1e-6  // J per kg: what is slower than 1.4 mm/s is still

typedef struct standing_scene {
    const char *name, *option;
    double value, blow; // m/s
} standing_scene;

static const standing_scene standing_scenes[] = {
    {"tower", "height", 30.0, 0.1},           {"tower", "height", 40.0, 0.05},
    {"pyramid", "base", 14.0, 0.1},           {"wall", "rows", 8.0, 0.1},
    {"arch", "stones", 15.0, 0.05},           {"card_house", "stories", 3.0, 0.02},
    {"top_heavy_stack", "ratio", 100.0, 0.1}, {"card_house", "stories", 5.0, 0.1},
};

static void standing_run(scene_run *run, double hz) {
    for (uint32_t i = 0; i < (uint32_t)(STANDING_HALF * hz); i++) {
        scene_run_step(run, 1.0 / hz, 4);
    }
    scene_run_measure(run);
}

static void standing_expect(scene_run *run, const standing_scene *item, double hz) {
    double mass = 0.0;
    bool is_asleep = true;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_body_id body = run->starts[i].body;
        mass += tn_body_get_type(run->world, body) == TN_BODY_TYPE_DYNAMIC
                    ? (double)tn_body_get_mass(run->world, body).mass
                    : 0.0;
        is_asleep = is_asleep && !tn_body_is_awake(run->world, body);
    }
    double kinetic = tn_world_get_energy(run->world).kinetic;
    cr_expect(is_asleep || kinetic < STANDING_KINETIC * mass, "%s %g at %g Hz moves: %g J",
              item->name, item->value, hz, kinetic);
    for (uint32_t i = 0; i < run->figure_count; i++) {
        if (strcmp(run->figures[i].name, "stands") == 0) {
            cr_expect_eq(run->figures[i].value, 1.0, "%s %g at %g Hz has fallen", item->name,
                         item->value, hz);
        }
    }
}

static scene_run *standing_create(const standing_scene *item, bool is_sleep_allowed) {
    const scene *found = scene_find(item->name);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, &(scene_choice){item->option, item->value}, 1, values));
    scene_run *run = scene_run_create(found, values, NULL);
    tn_world_set_sleep_allowed(run->world, is_sleep_allowed);
    return run;
}

static void standing_hit(scene_run *run, double speed) {
    tn_velocity velocity = {{speed, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    tn_body_set_velocity(run->world, run->starts[run->start_count / 2].body, velocity);
}

static void standing_check(double hz) {
    for (uint32_t i = 0; i < sizeof standing_scenes / sizeof standing_scenes[0]; i++) {
        const standing_scene *item = &standing_scenes[i];
        scene_run *run = standing_create(item, true);
        standing_run(run, hz);
        standing_expect(run, item, hz);
        standing_hit(run, item->blow);
        standing_run(run, hz);
        standing_expect(run, item, hz);
        scene_run_destroy(run);
    }
}

Test(standing, for_200_s_at_60_hz_with_a_blow, .timeout = 120) {
    standing_check(60.0);
}

Test(standing, for_200_s_at_30_hz_with_a_blow, .timeout = 120) {
    standing_check(30.0);
}

LONG_TEST(standing, for_200_s_at_240_hz_with_a_blow, .timeout = 120) {
    standing_check(240.0);
}

// Awake it swayed ever more: 0.02 J after 18 s, 0.2 J after 48 s.
LONG_TEST(standing, a_high_tower_that_may_not_sleep_sways_ever_less, .timeout = 120) {
    static const double rates[] = {60.0, 30.0};
    for (uint32_t k = 0; k < 2; k++) {
        scene_run *run = standing_create(&(standing_scene){"tower", "height", 40.0, 0.0}, false);
        double largest[3] = {0.0};
        standing_hit(run, 0.05);
        for (uint32_t i = 0; i < (uint32_t)(60.0 * rates[k]); i++) {
            scene_run_step(run, 1.0 / rates[k], 4);
            double *most = &largest[(uint32_t)(i / (20.0 * rates[k]))];
            *most = fmax(*most, tn_world_get_energy(run->world).kinetic);
        }
        cr_expect(largest[1] < 0.5 * largest[0] && largest[2] < 0.5 * largest[1],
                  "%g Hz: %g, %g, %g J", rates[k], largest[0], largest[1], largest[2]);
        scene_run_destroy(run);
    }
}

// Corners that were put on cards without a gap are up to 3e-8 m off them. Houses of seven stories
// have 77 cards; swept they fell at 30 Hz.
LONG_TEST(standing, houses_of_cards_stand_as_they_were_built, .timeout = 120) {
    static const double rates[] = {60.0, 30.0, 240.0};
    for (uint32_t k = 0; k < 3 * 7; k++) {
        double stories = 2.0 + k / 3, hz = rates[k % 3];
        if (stories > 6.0 && hz > 60.0) {
            continue; // they take their time
        }
        scene_run *run =
            standing_create(&(standing_scene){"card_house", "stories", stories, 0.0}, false);
        for (uint32_t i = 0; i < (uint32_t)hz; i++) {
            scene_run_step(run, 1.0 / hz, 4);
        }
        scene_run_measure(run);
        cr_expect_str_eq(run->figures[0].name, "drift_max_m");
        cr_expect(run->figures[0].value < 1e-4, "%g stories at %g Hz: %g m", stories, hz,
                  run->figures[0].value);
        scene_run_destroy(run);
    }
}
