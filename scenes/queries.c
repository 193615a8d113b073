// scenes/queries.c: a fan of rays, a ball that is cast, what is nearest to a point, and what
// overlaps a ball, among some shapes.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define QUERIES_RAYS   25u
#define QUERIES_LENGTH 6.0 // m of a ray
#define QUERIES_CAST   0.3 // m: the radius of the ball that is cast
#define QUERIES_AREA   0.9 // m: the radius of the ball that overlaps
#define QUERIES_ROUND  32u // corners of a drawn circle
#define QUERIES_BALL   0.4 // m: the radius of the ball that lies there
#define QUERIES_WALL   6.0 // m: where the wall begins
#define QUERIES_HITS   8u

static const scene_option queries_options[] = {
    {"eye", 1.5, 0.2, 4, "m: the height of the eye that the rays come from"},
};

typedef struct queries_state {
    tn_body_id ball;
} queries_state;

static bool queries_build(scene_run *run) {
    queries_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    build_part ball = build_part_at(2.0, QUERIES_BALL, 0.0);
    ball.material.rolling_resistance = 0.02f;
    state->ball = build_sphere(run, &ball, QUERIES_BALL);
    scene_run_name_body(run, state->ball, "ball");
    build_part box = build_part_turned(3.5, 0.9, 0.4);
    box.type = TN_BODY_TYPE_STATIC;
    build_box(run, &box, 1.0, 0.7, 1.0);
    build_part wall = build_part_at(QUERIES_WALL + 0.25, 1.75, 0.0);
    wall.type = TN_BODY_TYPE_STATIC;
    build_box(run, &wall, 0.5, 3.5, 1.0);
    build_part bar = build_part_turned(-2.4, 1.6, 1.0);
    bar.type = TN_BODY_TYPE_STATIC;
    build_capsule(run, &bar, 1.0, 0.2);
    build_part stone = build_part_at(-1.5, 0.35, 0.0);
    stone.type = TN_BODY_TYPE_STATIC;
    build_box(run, &stone, 0.9, 0.7, 1.0);
    return true;
}

static tn_ray queries_get_ray(const scene_run *run, uint32_t i) {
    double angle = BUILD_PI * i / (QUERIES_RAYS - 1) * 1.2 - 0.1 * BUILD_PI + BUILD_PI;
    tn_vec3 way = build_point(QUERIES_LENGTH * portable_cos(angle),
                              QUERIES_LENGTH * portable_sin(angle), 0.0);
    return tn_ray_make(build_point(0.0, scene_run_get_value(run, "eye"), 0.0), way);
}

// A ball over all that lies on the ground, toward the wall.
static tn_probe queries_get_cast(void) {
    tn_probe probe = tn_sphere_probe_make(build_point(0.0, 2.6, 0.0), (float)QUERIES_CAST);
    probe.translation = build_point(8.0, 0.0, 0.0);
    return probe;
}

static tn_probe queries_get_point(void) {
    return tn_point_probe_make(build_point(2.0, 1.6, 0.0));
}

static tn_probe queries_get_area(void) {
    return tn_sphere_probe_make(build_point(-2.0, 1.1, 0.0), (float)QUERIES_AREA);
}

static void queries_measure(scene_run *run) {
    uint32_t met = 0;
    double shortest = 1.0;
    for (uint32_t i = 0; i < QUERIES_RAYS; i++) {
        tn_ray ray = queries_get_ray(run, i);
        tn_ray_hit hit;
        if (tn_world_cast_ray(run->world, &ray, &hit)) {
            met += 1;
            shortest = fmin(shortest, hit.fraction);
        }
    }
    tn_probe cast = queries_get_cast(), point = queries_get_point(), area = queries_get_area();
    tn_probe_hit touched = {0}, nearest = {0}, inside[QUERIES_HITS];
    tn_world_cast_probe(run->world, &cast, &touched);
    tn_world_find_nearest(run->world, &point, &nearest, 1);
    uint32_t overlaps = tn_world_overlap_probe(run->world, &area, inside, QUERIES_HITS);
    scene_run_add_figure(run, "rays_met", met);
    scene_run_add_figure(run, "ray_shortest_m", QUERIES_LENGTH * shortest);
    scene_run_add_figure(run, "cast_m", 8.0 * touched.fraction);
    scene_run_add_figure(run, "nearest_m", nearest.distance);
    scene_run_add_figure(run, "overlaps", overlaps);
}

static void queries_sketch_circle(const scene_sketch *sketch, tn_vec3 middle, double radius,
                                  scene_pen pen) {
    tn_vec3 rim[QUERIES_ROUND + 1];
    for (uint32_t i = 0; i <= QUERIES_ROUND; i++) {
        double angle = 2.0 * BUILD_PI * i / QUERIES_ROUND;
        rim[i] = build_point(middle.x + radius * portable_cos(angle),
                             middle.y + radius * portable_sin(angle), 0.0);
    }
    sketch->add(sketch->context, pen, rim, QUERIES_ROUND + 1);
}

static void queries_sketch(const scene_run *run, const scene_sketch *sketch) {
    for (uint32_t i = 0; i < QUERIES_RAYS; i++) {
        tn_ray ray = queries_get_ray(run, i);
        tn_ray_hit hit;
        bool meets = tn_world_cast_ray(run->world, &ray, &hit);
        tn_vec3 end =
            build_point(ray.origin.x + ray.translation.x, ray.origin.y + ray.translation.y, 0.0);
        const tn_vec3 line[2] = {ray.origin, meets ? hit.point : end};
        sketch->add(sketch->context, SCENE_PEN_THREAD, line, 2);
        if (meets) {
            queries_sketch_circle(sketch, hit.point, 0.03, SCENE_PEN_PLATE);
        }
    }
    tn_probe cast = queries_get_cast(), point = queries_get_point(), area = queries_get_area();
    tn_probe_hit hit = {0};
    tn_world_cast_probe(run->world, &cast, &hit);
    tn_vec3 from = cast.pose.position, to = from;
    to.x += hit.fraction * cast.translation.x;
    queries_sketch_circle(sketch, from, QUERIES_CAST, SCENE_PEN_CURVE);
    queries_sketch_circle(sketch, to, QUERIES_CAST, SCENE_PEN_CURVE);
    const tn_vec3 way[2] = {from, to};
    sketch->add(sketch->context, SCENE_PEN_CURVE, way, 2);
    tn_world_find_nearest(run->world, &point, &hit, 1);
    const tn_vec3 gap[2] = {point.pose.position, hit.point};
    sketch->add(sketch->context, SCENE_PEN_CURVE, gap, 2);
    queries_sketch_circle(sketch, point.pose.position, 0.04, SCENE_PEN_PLATE);
    queries_sketch_circle(sketch, area.pose.position, QUERIES_AREA, SCENE_PEN_CURVE);
}

const scene scene_queries = {
    .name = "queries",
    .summary = "rays, a cast, what is nearest and what overlaps among some shapes",
    .time = 1.0,
    .options = queries_options,
    .option_count = 1,
    .build = queries_build,
    .measure = queries_measure,
    .picture = {.moments = 1, .view = SCENE_VIEW_FRONT, .sketch = queries_sketch},
};
