// scenes/card_house.c: a house of cards: pairs of leaning cards, a floor of flat cards, and again.
//
// A card of length L and thickness t that leans by the angle a from the vertical has the half
// height (L cos a + t sin a) / 2 and the half width (L sin a + t cos a) / 2. Two such cards touch
// along the edge at half their height minus t sin a below the top, and stand when the friction at
// their feet reaches tan(a) at most.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define CARD_LENGTH    1.0   // m
#define CARD_WIDTH     0.7   // m
#define CARD_THICKNESS 0.03  // m
#define CARD_DENSITY   700.0 // kg/m^3, of cardboard

static const scene_option card_house_options[] = {
    {"stories", 3, 1, 10, "layers of leaning cards"},
    {"lean", 20, 5, 30, "deg between a card and the vertical"},
};

static void card_house_add(scene_run *run, double x, double y, double angle) {
    build_part part = build_part_turned(x, y, angle);
    part.density = CARD_DENSITY;
    build_box(run, &part, CARD_THICKNESS, CARD_LENGTH, CARD_WIDTH);
}

static bool card_house_build(scene_run *run) {
    int stories = (int)scene_run_get_value(run, "stories");
    double lean = scene_run_get_value(run, "lean") * BUILD_PI / 180.0;
    double half_height =
        0.5 * (CARD_LENGTH * portable_cos(lean) + CARD_THICKNESS * portable_sin(lean));
    double half_width =
        0.5 * (CARD_LENGTH * portable_sin(lean) + CARD_THICKNESS * portable_cos(lean));

    // Flat cards lie end to end from peak to peak, so the pairs stand a card's length apart.
    double pitch = fmax(CARD_LENGTH, 4.0 * half_width) + 0.01;
    double floor = 0.0;
    build_ground(run, 0.0);
    for (int story = 0; story < stories; story++) {
        int pairs = stories - story;
        for (int i = 0; i < pairs; i++) {
            double peak = pitch * (i - 0.5 * (pairs - 1));
            card_house_add(run, peak - half_width, floor + half_height, -lean);
            card_house_add(run, peak + half_width, floor + half_height, lean);
        }
        floor += 2.0 * half_height;
        for (int i = 0; i + 1 < pairs; i++) {
            build_part part = build_part_at(pitch * (i - 0.5 * (pairs - 2)), 0.0, 0.0);
            part.pose.position.y = floor + 0.5 * CARD_THICKNESS;
            part.density = CARD_DENSITY;
            build_box(run, &part, pitch - 0.002, CARD_THICKNESS, CARD_WIDTH);
        }
        floor += CARD_THICKNESS;
    }
    return true;
}

static void card_house_measure(scene_run *run) {
    figure_add_stability(run, 0.1);
}

const scene scene_card_house = {
    .name = "card_house",
    .summary = "a house of cards",
    .time = 5.0,
    .options = card_house_options,
    .option_count = 2,
    .build = card_house_build,
    .measure = card_house_measure,
};
