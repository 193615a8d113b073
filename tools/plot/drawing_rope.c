// tools/plot/drawing_rope.c: ropes over wheels: pulley and rope joints.
#include "tools/plot/drawing_sheet.h"

#include <math.h>

#define ROPE_TAUT       0.999 // of a rope, that its pieces make: less is slack
#define ROPE_WHEEL      0.06  // radius of a pulley's wheels, of the way between them
#define ROPE_MAX_FALLS  12    // strands that are drawn
#define ROPE_ARC_PIECES 10
#define ROPE_SHEAVE     5.0 // px, radius

// A wheel in the corner at `at` of a rope from `from` to `to`, which touches both strands.
typedef struct rope_wheel {
    svg_point center, arc[ROPE_ARC_PIECES + 1]; // the rope around it
    double radius;
} rope_wheel;

static svg_point rope_find_direction(svg_point from, svg_point to) {
    double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    return length > 0.0 ? (svg_point){x / length, y / length} : (svg_point){1.0, 0.0};
}

// With the angle 2 h between the strands the centre is r / sin h away along their bisector, and the
// strands are touched r / tan h away.
static rope_wheel rope_find_wheel(svg_point from, svg_point at, svg_point to, double radius) {
    svg_point u = rope_find_direction(at, from), v = rope_find_direction(at, to);
    double half = 0.5 * acos(fmax(-1.0, fmin(1.0, u.x * v.x + u.y * v.y)));
    double sine = fmax(sin(half), 0.1), away = radius / sine, along = away * cos(half);
    svg_point middle =
        rope_find_direction((svg_point){0.0, 0.0}, (svg_point){u.x + v.x, u.y + v.y});
    rope_wheel wheel = {.radius = radius};
    wheel.center = (svg_point){at.x + away * middle.x, at.y + away * middle.y};
    svg_point first = {at.x + along * u.x, at.y + along * u.y};
    svg_point last = {at.x + along * v.x, at.y + along * v.y};
    double start = atan2(first.y - wheel.center.y, first.x - wheel.center.x);
    double turn = atan2(last.y - wheel.center.y, last.x - wheel.center.x) - start;
    turn = remainder(turn, 6.283185307179586);
    for (int i = 0; i <= ROPE_ARC_PIECES; i++) {
        double angle = start + turn * i / ROPE_ARC_PIECES;
        wheel.arc[i] =
            (svg_point){wheel.center.x + radius * cos(angle), wheel.center.y + radius * sin(angle)};
    }
    return wheel;
}

static void rope_add_wheel(drawing_sheet *sheet, svg_point center, double radius,
                           svg_style stroke) {
    svg_style rim = {.fill = svg_color_mix(stroke.stroke, DRAWING_PAPER, 0.75),
                     .stroke = stroke.stroke,
                     .stroke_width = 1.1};
    drawing_item *item =
        drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_CIRCLE, &center, 1, rim);
    if (item != NULL) {
        item->radius = radius;
        drawing_box_include(&sheet->moving, center, radius);
    }
    drawing_add_mark(sheet, center, 1.8, drawing_get_dot(stroke));
}

// The strands of a tackle from its upper wheel to the one at the load.
static void rope_add_falls(drawing_sheet *sheet, svg_point top, svg_point load, int falls,
                           double radius, svg_style stroke) {
    svg_point way = rope_find_direction(top, load);
    for (int i = 0; i < falls; i++) {
        double aside = falls > 1 ? radius * (2.0 * i / (falls - 1) - 1.0) : 0.0;
        svg_point strand[2] = {{top.x - aside * way.y, top.y + aside * way.x},
                               {load.x - aside * way.y, load.y + aside * way.x}};
        drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, strand, 2, stroke);
    }
}

// A rope of ratio n goes n times to and fro on the side of b.
void drawing_add_pulley(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                        const svg_point ends[2], svg_style stroke) {
    tn_pulley_joint_def def = tn_pulley_joint_get_def(world, joint);
    svg_point a = drawing_project(sheet, def.ground_a), b = drawing_project(sheet, def.ground_b);
    double radius = ROPE_WHEEL * hypot(b.x - a.x, b.y - a.y);
    int falls = (int)fmax(1.0, fmin(floor(def.ratio + 0.5), ROPE_MAX_FALLS));
    rope_wheel wheels[2] = {rope_find_wheel(ends[0], a, b, radius),
                            rope_find_wheel(a, b, ends[1], radius)};
    svg_point rope[2 * ROPE_ARC_PIECES + 4];
    size_t count = 0;
    rope[count++] = ends[0];
    for (int w = 0; w < 2; w++) {
        for (int i = 0; i <= ROPE_ARC_PIECES; i++) {
            rope[count++] = wheels[w].arc[i];
        }
    }
    rope[count] = ends[1];
    count += falls == 1;
    rope_add_wheel(sheet, wheels[0].center, radius, stroke);
    if (falls > 1) {
        svg_point way = rope_find_direction(b, ends[1]);
        svg_point low = {ends[1].x - radius * way.x, ends[1].y - radius * way.y};
        svg_point high = {b.x + radius * way.x, b.y + radius * way.y};
        rope_add_falls(sheet, high, low, falls, radius, stroke);
        rope_add_wheel(sheet, low, radius, stroke);
        rope_add_wheel(sheet, high, radius, stroke);
        count -= ROPE_ARC_PIECES / 2; // down to the wheel's outer side the strands are drawn
    } else {
        rope_add_wheel(sheet, wheels[1].center, radius, stroke);
    }
    drawing_add(sheet, DRAWING_LAYER_MARK, DRAWING_KIND_POLYLINE, rope, count, stroke);
    drawing_add_mark(sheet, ends[0], 1.8, drawing_get_dot(stroke));
}

// Its pieces from point to point, dashed where it is slack, with a wheel at each sheave.
void drawing_add_rope(drawing_sheet *sheet, const tn_world *world, tn_joint_id joint,
                      svg_style stroke) {
    tn_rope_joint_def def = tn_rope_joint_get_def(world, joint);
    svg_point rope[TN_ROPE_MAX_POINTS];
    double depth = 0.0;
    for (uint32_t k = 0; k < def.point_count; k++) {
        const tn_vec3 *at = &def.points[k].position;
        tn_pose frame = {{at->x, at->y, at->z}, {0.0, 0.0, 0.0, 1.0}};
        tn_vec3 place = drawing_joint_frame(world, def.points[k].body, &frame).position;
        rope[k] = drawing_project(sheet, place);
        depth += drawing_get_depth(sheet, place) / def.point_count;
    }
    svg_style line = stroke;
    bool is_slack = tn_rope_joint_get_extent(world, joint) < ROPE_TAUT * def.length;
    line.dash = is_slack ? 3.0 : 0.0;
    drawing_add_thread(sheet, rope, def.point_count, depth, line);
    for (uint32_t k = 0; k < def.point_count; k++) {
        bool is_sheave = k > 0 && k + 1 < def.point_count;
        drawing_add_mark(sheet, rope[k], is_sheave ? ROPE_SHEAVE : 1.8, drawing_get_dot(stroke));
        if (is_sheave) {
            drawing_add_mark(sheet, rope[k], 1.4, drawing_get_dot(stroke));
        }
    }
}
