// bench/contact_slide.c: bodies without friction on floors of tiles, blocks and steps.
//
// Over level neighbours nothing happens: x = v t, and the vertical speed stays that of the sag at
// the start. On tiles that lie lower a body may only gain speed and lose height. A real step of
// 5 mm stops a box: with the impulse at its lower front edge it keeps at most 0.6 of its speed, or
// 0.375 if the floor takes up the tipping.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdlib.h>

#define SLIDE_HALF        0.25  // m: of all bodies, from their middle to the floor
#define SLIDE_LEAST_SHARE 0.003 // of the way that x may be off
#define SLIDE_RISE_SPEED  0.02  // m/s: vertical speed that is allowed
#define SLIDE_FELT        0.7   // of its speed that a body may keep after a real step

typedef struct slide_case {
    quality_kind kind;
    double speed, tile, hz, yaw;
    uint32_t substeps;
    bool is_one_body;
    tn_vec3 origin;
} slide_case;

static const double slide_speeds[] = {0.05, 0.3, 2.0, 7.0, 20.0, 40.0};
#define SLIDE_SPEED_COUNT 6

// Long enough to pass a seam, which lies 0.1 m ahead of the front (of round shapes: the middle).
static double slide_get_time(double speed) {
    return speed < 0.1 ? 5.0 : speed < 1.0 ? 2.0 : 1.0;
}

static tn_body_def slide_get_body(const slide_case *item) {
    bool is_round = item->kind == QUALITY_BALL || item->kind == QUALITY_CAPSULE;
    double x = is_round ? -0.1 : -0.1 - SLIDE_HALF;
    tn_body_def def =
        quality_body_at(item->origin.x + x, item->origin.y + SLIDE_HALF, item->origin.z + 0.1);
    if (item->kind == QUALITY_CAPSULE) { // it lies along its way, until yawed
        quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), 0.5 * QUALITY_PI);
    }
    if (item->yaw != 0.0) {
        quality_body_turn(&def, quality_vector(0.0, 1.0, 0.0), item->yaw);
    }
    def.velocity.linear.x = item->speed;
    return def;
}

// How far the body has left the way that it should take, as a multiple of what is allowed.
static double slide_follow(tn_world *world, tn_body_id body, const slide_case *item) {
    double start = tn_body_get_center(world, body).x;
    double rise = 0.0;
    uint32_t steps = quality_count_steps(slide_get_time(item->speed), item->hz);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / item->hz, item->substeps);
        rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
    }
    double way = item->speed * steps / item->hz;
    double off = fabs(tn_body_get_center(world, body).x - start - way) / way;
    return fmax(off / SLIDE_LEAST_SHARE, rise / SLIDE_RISE_SPEED);
}

static void slide_report(quality *report, double figure, const slide_case *item) {
    quality_report(report, figure <= 1.0, figure, "%s %g m/s, tiles %g m of %s, yaw %g, %g Hz x %u",
                   quality_kind_name(item->kind), item->speed, item->tile,
                   item->is_one_body ? "one body" : "many", item->yaw, item->hz, item->substeps);
}

static void slide_run_one(quality *report, const slide_case *item) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    quality_floor tiles = {item->origin,
                           -2.0,
                           item->speed * slide_get_time(item->speed) + 2.0,
                           item->tile,
                           item->is_one_body,
                           quality_material(0.0)};
    quality_floor_create(world, &tiles);
    tn_body_def def = slide_get_body(item);
    quality_shape shape = quality_shape_of(item->kind, SLIDE_HALF);
    tn_body_id body = quality_body_create(world, &def, &tiles.material, &shape);
    slide_report(report, slide_follow(world, body, item), item);
    tn_world_destroy(world);
}

// 4 shapes x 6 speeds x 3 tiles x one body or many x 1 or 4 substeps, and some at 240 Hz.
void contact_slide_run_seams(quality *report) {
    static const double tiles[] = {0.37, 1.0, 4.0};
    slide_case item = {.hz = 60.0};
    for (uint32_t i = 0; i < 4 * SLIDE_SPEED_COUNT * 3 * 2 * 2; i++) {
        item.kind = (quality_kind)(i % 4);
        item.speed = slide_speeds[i / 4 % SLIDE_SPEED_COUNT];
        item.tile = tiles[i / 24 % 3];
        item.is_one_body = i / 72 % 2 == 0;
        item.substeps = i / 144 == 0 ? 4 : 1;
        slide_run_one(report, &item);
    }
    item.hz = 240.0;
    item.substeps = 4;
    item.tile = 1.0;
    for (uint32_t i = 0; i < 4 * SLIDE_SPEED_COUNT * 2; i++) {
        item.kind = (quality_kind)(i % 4);
        item.speed = slide_speeds[i / 4 % SLIDE_SPEED_COUNT];
        item.is_one_body = i / 24 == 0;
        slide_run_one(report, &item);
    }
}

void contact_slide_run_yawed(quality *report) {
    static const quality_kind kinds[] = {QUALITY_BOX, QUALITY_HULL, QUALITY_CAPSULE};
    static const double speeds[] = {0.3, 2.0, 7.0, 40.0};
    slide_case item = {.hz = 60.0, .substeps = 4, .tile = 1.0};
    for (uint32_t i = 0; i < 3 * 4 * 3; i++) {
        item.kind = kinds[i % 3];
        item.speed = speeds[i / 3 % 4];
        item.yaw = 0.3 * (i / 12 + 1);
        item.is_one_body = i % 2 == 0;
        slide_run_one(report, &item);
    }
}

void contact_slide_run_far(quality *report) {
    static const double speeds[] = {0.3, 2.0, 7.0, 40.0};
    slide_case item = {.hz = 60.0, .substeps = 4, .tile = 1.0, .origin = {1e5, 1e4, -1e5}};
    for (uint32_t i = 0; i < 4 * 4 * 2; i++) {
        item.kind = (quality_kind)(i % 4);
        item.speed = speeds[i / 4 % 4];
        item.is_one_body = i / 16 == 0;
        slide_run_one(report, &item);
    }
}

// From tiles at height 0 to tiles that lie lower: the body may not be slowed (by more than 0.3 %)
// nor rise (by more than 0.2 mm). It may gain what it falls.
static void slide_run_lower(quality *report, const slide_case *item, double drop) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    quality_floor tiles = {{0}, -3.0, 0.0, item->tile, item->is_one_body, quality_material(0.0)};
    quality_floor_create(world, &tiles);
    tiles.from = 0.0;
    tiles.to = item->speed * slide_get_time(item->speed) + 3.0;
    tiles.origin.y = -drop;
    quality_floor_create(world, &tiles);
    tn_body_def def = slide_get_body(item);
    quality_shape shape = quality_shape_of(item->kind, SLIDE_HALF);
    tn_body_id body = quality_body_create(world, &def, &tiles.material, &shape);

    double slowest = item->speed, highest = 0.0;
    uint32_t steps = quality_count_steps(slide_get_time(item->speed), item->hz);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / item->hz, item->substeps);
        slowest = fmin(slowest, tn_body_get_velocity(world, body).linear.x);
        highest = fmax(highest, tn_body_get_center(world, body).y - SLIDE_HALF);
    }
    double figure = fmax((item->speed - slowest) / item->speed / SLIDE_LEAST_SHARE, highest / 2e-4);
    quality_report(report, figure <= 1.0, figure, "%s %g m/s, next tile %g mm lower, %s",
                   quality_kind_name(item->kind), item->speed, 1e3 * drop,
                   item->is_one_body ? "two bodies" : "many");
    tn_world_destroy(world);
}

void contact_slide_run_lower(quality *report) {
    slide_case item = {.hz = 60.0, .substeps = 4, .tile = 1.0};
    for (uint32_t i = 0; i < 4 * SLIDE_SPEED_COUNT * 2 * 2; i++) {
        item.kind = (quality_kind)(i % 4);
        item.speed = slide_speeds[i / 4 % SLIDE_SPEED_COUNT];
        item.is_one_body = i / 48 == 0;
        slide_run_lower(report, &item, i / 24 % 2 == 0 ? 0.001 : 0.005);
    }
}

static void slide_run_step(quality *report, const slide_case *item, double rise) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def ice = quality_material(0.0);
    double length = item->speed * slide_get_time(item->speed) + 3.0;
    tn_vec3 low = {-3.0, -1.0, -5.0}, edge = {0.0, 0.0, 5.0};
    quality_block_create(world, &ice, low, edge);
    tn_vec3 inner = {0.0, -1.0, -5.0}, upper = {length, rise, 5.0};
    quality_block_create(world, &ice, inner, upper);
    tn_body_def def = slide_get_body(item);
    quality_shape shape = quality_shape_of(item->kind, SLIDE_HALF);
    tn_body_id body = quality_body_create(world, &def, &ice, &shape);
    double slowest = item->speed;
    uint32_t steps = quality_count_steps(slide_get_time(item->speed), item->hz);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / item->hz, item->substeps);
        slowest = fmin(slowest, tn_body_get_velocity(world, body).linear.x);
    }
    double left = slowest / item->speed;
    quality_report(report, left <= SLIDE_FELT, left, "%s %g m/s, a step of %g mm",
                   quality_kind_name(item->kind), item->speed, 1e3 * rise);
    tn_world_destroy(world);
}

void contact_slide_run_steps(quality *report) {
    static const double rises[] = {0.005, 0.01, 0.05};
    slide_case item = {.hz = 60.0, .substeps = 4};
    for (uint32_t i = 0; i < 2 * SLIDE_SPEED_COUNT * 3; i++) {
        item.kind = i % 2 == 0 ? QUALITY_BOX : QUALITY_HULL;
        item.speed = slide_speeds[i / 2 % SLIDE_SPEED_COUNT];
        slide_run_step(report, &item, rises[i / 12]);
    }
}

// Two free blocks of 1 m side by side on a plane, and what slides over both. Contacts give way by
// tens of micrometres, so the blocks tilt by as many microradians and 1 % of the way is allowed.
void contact_slide_run_blocks(quality *report) {
    static const double speeds[] = {0.3, 1.0, 2.0, 7.0};
    slide_case item = {.hz = 60.0, .tile = 1.0};
    for (uint32_t i = 0; i < 4 * 4 * 2; i++) {
        item.kind = (quality_kind)(i % 4);
        item.speed = speeds[i / 4 % 4];
        item.substeps = i / 16 == 0 ? 4 : 1;
        tn_world *world = quality_world_create(QUALITY_GRAVITY);
        tn_shape_def rough = quality_material(0.6), ice = quality_material(0.0);
        quality_plane_create(world, &rough, -1.0);
        for (int side = 0; side < 2; side++) {
            tn_body_def block = quality_body_at(side == 0 ? -0.5 : 0.5, -0.5, 0.0);
            quality_shape cube = {QUALITY_BOX, {0.5, 0.5, 0.5}};
            quality_body_create(world, &block, &rough, &cube);
        }
        tn_body_def def = slide_get_body(&item);
        def.pose.position.z = 0.0;
        def.velocity.linear.x = 0.0;
        quality_shape shape = quality_shape_of(item.kind, SLIDE_HALF);
        tn_body_id body = quality_body_create(world, &def, &ice, &shape);
        quality_world_run(world, 0.5, item.hz, item.substeps); // it settles
        tn_velocity velocity = {{item.speed, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        tn_body_set_velocity(world, body, velocity);
        double start = tn_body_get_center(world, body).x, figure = 0.0, rise = 0.0;
        // As long as its middle is 0.05 m or more from the far end.
        uint32_t steps = quality_count_steps(fmin(5.0, (0.95 - start) / item.speed), item.hz);
        for (uint32_t k = 0; k < steps; k++) {
            tn_world_step(world, 1.0 / item.hz, item.substeps);
            rise = fmax(rise, fabs(tn_body_get_velocity(world, body).linear.y));
            double way = item.speed * (k + 1) / item.hz;
            double off = fabs(tn_body_get_center(world, body).x - start - way);
            figure = fmax(figure, fmax(off / fmax(way, 0.1) / 0.01, rise / SLIDE_RISE_SPEED));
        }
        quality_report(report, figure <= 1.0, figure, "%s %g m/s over two free blocks, 60 Hz x %u",
                       quality_kind_name(item.kind), item.speed, item.substeps);
        tn_world_destroy(world);
    }
}

// A fall on a seam: it comes to rest where it fell, unturned, at its height: balls within 1 mm,
// boxes within 6 mm, for a box on one slab is that far off after a fall of 5 m.
static void slide_run_fall(quality *report, quality_kind kind, double height, double aside) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    quality_floor tiles = {{0}, -3.0, 3.0, 1.0, false, quality_material(0.6)};
    quality_floor_create(world, &tiles);
    tn_body_def def = quality_body_at(aside, SLIDE_HALF + height, 0.1);
    quality_shape shape = quality_shape_of(kind, SLIDE_HALF);
    tn_body_id body = quality_body_create(world, &def, &tiles.material, &shape);
    quality_world_run(world, sqrt(2.0 * height / QUALITY_GRAVITY) + 0.5, 60.0, 4);
    tn_pose pose = tn_body_get_pose(world, body);
    double off = fmax(hypot(pose.position.x - aside, pose.position.z - 0.1),
                      fabs(pose.position.y - SLIDE_HALF));
    off = fmax(off, SLIDE_HALF * quality_angle_between(def.pose.rotation, pose.rotation));
    quality_report(report, off < (kind == QUALITY_BALL ? 1e-3 : 6e-3), off,
                   "%s from %g m, %g m beside the seam", quality_kind_name(kind), height, aside);
    tn_world_destroy(world);
}

void contact_slide_run_falls(quality *report) {
    static const double heights[] = {0.01, 0.1, 0.5, 1.0, 5.0};
    static const double asides[] = {0.0, 0.001, 0.05, 0.2};
    for (uint32_t i = 0; i < 2 * 5 * 4; i++) {
        slide_run_fall(report, i % 2 == 0 ? QUALITY_BOX : QUALITY_BALL, heights[i / 2 % 5],
                       asides[i / 10]);
    }
}

// With friction, along the seam of two long tiles, half on each: v^2 / (2 mu g), straight on, and
// unturned. On one slab it is the same.
static void slide_run_straddle(quality *report, quality_kind kind, double speed, int tiles) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.3);
    for (int i = 0; i < tiles; i++) {
        tn_vec3 lower = {-2.0, -1.0, i == 0 ? -3.0 : 0.0};
        tn_vec3 upper = {20.0, 0.0, i + 1 < tiles ? 0.0 : 3.0};
        quality_block_create(world, &material, lower, upper);
    }
    tn_body_def def = quality_body_at(0.0, SLIDE_HALF, 0.0);
    def.velocity.linear.x = speed;
    quality_shape shape = quality_shape_of(kind, SLIDE_HALF);
    tn_body_id body = quality_body_create(world, &def, &material, &shape);
    quality_world_run(world, speed / (0.3 * QUALITY_GRAVITY) + 0.5, 60.0, 4);
    tn_pose pose = tn_body_get_pose(world, body);
    double want = speed * speed / (2.0 * 0.3 * QUALITY_GRAVITY);
    double off = fabs(pose.position.x - want) / want, aside = fabs(pose.position.z);
    double turn = quality_angle_between(def.pose.rotation, pose.rotation);
    double figure = fmax(fmax(off / SLIDE_LEAST_SHARE, aside / 1e-3), turn / 2e-3);
    quality_report(report, figure <= 1.0, figure,
                   "%s %g m/s on %s: way %.2g off, aside %.2g m, turned %.2g rad",
                   quality_kind_name(kind), speed, tiles == 1 ? "a slab" : "two tiles", off, aside,
                   turn);
    tn_world_destroy(world);
}

void contact_slide_run_straddle(quality *report) {
    static const double speeds[] = {1.0, 4.0, 8.0};
    for (uint32_t i = 0; i < 3 * 2 * 2; i++) {
        slide_run_straddle(report, i / 3 % 2 == 0 ? QUALITY_BOX : QUALITY_HULL, speeds[i % 3],
                           i / 6 == 0 ? 1 : 2);
    }
}
