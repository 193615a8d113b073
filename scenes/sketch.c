// scenes/sketch.c: lines, circles and boxes of the sketches in scene_picture.
#include "scenes/sketch.h"

#include "scenes/build.h"

#include <math.h>

#define SKETCH_SIDES       48
#define SKETCH_MAX_CORNERS 256

void sketch_line(const scene_sketch *sketch, scene_pen pen, tn_vec3 from, tn_vec3 to) {
    tn_vec3 ends[2] = {from, to};
    sketch->add(sketch->context, pen, ends, 2);
}

void sketch_circle(const scene_sketch *sketch, scene_pen pen, tn_vec3 center, double radius) {
    tn_vec3 corners[SKETCH_SIDES + 1];
    for (int i = 0; i <= SKETCH_SIDES; i++) {
        double angle = 2.0 * BUILD_PI * i / SKETCH_SIDES;
        corners[i] =
            build_point(center.x + radius * cos(angle), center.y + radius * sin(angle), center.z);
    }
    sketch->add(sketch->context, pen, corners, SKETCH_SIDES + 1);
}

void sketch_plate(const scene_sketch *sketch, scene_pen pen, tn_vec3 middle, tn_vec3 along,
                  tn_vec3 across) {
    static const double signs[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    tn_vec3 corners[5];
    for (int i = 0; i < 5; i++) {
        double a = signs[i][0], b = signs[i][1];
        corners[i] = build_point(middle.x + a * along.x + b * across.x,
                                 middle.y + a * along.y + b * across.y,
                                 middle.z + a * along.z + b * across.z);
    }
    sketch->add(sketch->context, pen, corners, 5);
}

void sketch_thread(const scene_sketch *sketch, scene_pen pen, const tn_world *world,
                   const tn_body_id *bodies, uint32_t count, bool is_closed) {
    tn_vec3 points[SKETCH_MAX_CORNERS];
    uint32_t last = count + (is_closed ? 1u : 0u);
    if (count == 0 || last > SKETCH_MAX_CORNERS) {
        return;
    }
    for (uint32_t i = 0; i < last; i++) {
        points[i] = tn_body_get_center(world, bodies[i % count]);
    }
    sketch->add(sketch->context, pen, points, last);
}
