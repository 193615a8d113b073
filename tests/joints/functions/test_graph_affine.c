// A graph's numbers go with the freedoms of affine bodies as differences of them show.
#include "joints/functions/graph.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#define BODIES 3 // the first two are affine
#define STEP   1e-6
#define CENTER dvec3_make(0.1, -0.2, 0.3)

static uint32_t seed = 1;

static double draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1.0;
}

typedef struct place {
    tni_body_motion motions[BODIES];
    tni_affine_motion affine[2];
} place;

static place draw_place(void) {
    place p;
    for (int i = 0; i < BODIES; ++i) {
        double numbers[13];
        for (int k = 0; k < 13; ++k) {
            numbers[k] = draw();
        }
        p.motions[i].position = dvec3_make(2.0 * i + numbers[0], numbers[1], numbers[2]);
        p.motions[i].rotation =
            dquat_normalize(dquat_make(numbers[3], numbers[4], numbers[5], numbers[6]));
        p.motions[i].velocity = dvec3_make(numbers[7], numbers[8], numbers[9]);
        p.motions[i].angular_velocity = dvec3_make(numbers[10], numbers[11], numbers[12]);
    }
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 9; ++k) {
            p.affine[i].gradient.m[k / 3][k % 3] = (k % 4 == 0 ? 1.0 : 0.0) + 0.5 * draw();
            p.affine[i].rate.m[k / 3][k % 3] = draw();
        }
    }
    return p;
}

// One of the twelve freedoms of an affine body moved.
static place moved(const place *p, uint32_t body, int freedom, double by) {
    place q = *p;
    double way[3] = {0.0};
    if (freedom < 3) {
        way[freedom] = by;
        q.motions[body].position =
            dvec3_add(p->motions[body].position, dvec3_make(way[0], way[1], way[2]));
    } else {
        q.affine[body].gradient.m[(freedom - 3) / 3][(freedom - 3) % 3] += by;
    }
    return q;
}

// All twelve freedoms of the two go on evenly; the rigid body stands.
static place later(const place *p, double time) {
    place q = *p;
    for (int i = 0; i < 2; ++i) {
        q.motions[i].position =
            dvec3_add_scaled(p->motions[i].position, time, p->motions[i].velocity);
        q.affine[i].gradient = dmat3_add_scaled(&p->affine[i].gradient, time, &p->affine[i].rate);
    }
    return q;
}

static tni_graph_value evaluate(const tn_graph *graph, const tni_graph_values *values,
                                uint32_t number, const place *p) {
    tni_graph_body bodies[BODIES];
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] = (tni_graph_body){.motion = &p->motions[i], .center = CENTER};
        bodies[i].affine = i < 2 ? &p->affine[i] : NULL;
    }
    tni_graph_evaluate(graph, bodies, 0.0, values);
    return values->numbers[number];
}

static void check_gradient(const tn_graph *graph, const tni_graph_values *values, uint32_t number,
                           const place *p, const char *name) {
    double *adjoints = calloc(graph->number_count, sizeof *adjoints);
    evaluate(graph, values, number, p);
    tni_graph_find_adjoints(graph, values, number, adjoints);
    for (uint32_t body = 0; body < 2; ++body) {
        double gradient[TNI_GRAPH_AFFINE_NUMBERS];
        tni_graph_get_affine_gradient(graph, body, CENTER, adjoints, gradient);
        for (int k = 0; k < TNI_GRAPH_AFFINE_NUMBERS; ++k) {
            place up = moved(p, body, k, STEP), down = moved(p, body, k, -STEP);
            double slope = evaluate(graph, values, number, &up).value;
            slope = (slope - evaluate(graph, values, number, &down).value) / (2.0 * STEP);
            double fault = fabs(gradient[k] - slope);
            cr_assert(fault < 1e-7 * fmax(1.0, fabs(slope)), "%s: body %u, %d: %g, not %g", name,
                      body, k, gradient[k], slope);
        }
    }
    free(adjoints);
}

static void check(const tn_graph *graph, tn_node node, const char *name) {
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_OK, "%s", name);
    uint32_t number = graph->nodes[node.value - 1].first;
    void *memory = malloc(tni_graph_values_size(graph));
    tni_graph_values values = tni_graph_values_make(graph, memory);
    for (int trial = 0; trial < 20; ++trial) {
        place p = draw_place();
        p.motions[2].velocity = p.motions[2].angular_velocity = dvec3_make(0.0, 0.0, 0.0);
        check_gradient(graph, &values, number, &p, name);
        tni_graph_value now = evaluate(graph, &values, number, &p);
        place up = later(&p, 1e-4), down = later(&p, -1e-4);
        tni_graph_value after = evaluate(graph, &values, number, &up);
        tni_graph_value before = evaluate(graph, &values, number, &down);
        double first = (after.value - before.value) / 2e-4;
        double second = (after.first - before.first) / 2e-4;
        cr_assert(fabs(now.first - first) < 1e-5 * fmax(1.0, fabs(first)), "%s: %g, not %g", name,
                  now.first, first);
        cr_assert(fabs(now.second - second) < 1e-5 * fmax(1.0, fabs(second)), "%s: %g, not %g",
                  name, now.second, second);
    }
    free(memory);
}

static void square_of(const double *x, uint32_t count, tn_function_value *out, void *context) {
    (void)count;
    (void)context;
    *out = (tn_function_value){.value = x[0] * x[1]};
    out->first[0] = x[1];
    out->first[1] = x[0];
    out->second[0][1] = out->second[1][0] = 1.0;
}

Test(graph_affine, points_and_directions_have_the_gradients_of_the_material, .timeout = 60) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p[5], d[3];
    for (uint32_t i = 0; i < 5; ++i) {
        double by = 0.3 * i;
        p[i] = tn_graph_add_point(graph, i % 3, (tn_vec3){0.5 - by, 0.2 + by, by * by - 0.4});
    }
    for (uint32_t i = 0; i < 3; ++i) {
        double by = 0.4 * i;
        d[i] = tn_graph_add_direction(graph, i % 2, (tn_vec3){1.0 - by, 0.3 + by, by - 0.2});
    }
    check(graph, tn_graph_add_component(graph, p[0], 1), "point");
    check(graph, tn_graph_add_component(graph, d[0], 2), "direction");
    check(graph, tn_graph_add_norm(graph, d[1]), "stretch");
    check(graph, tn_graph_add_component(graph, tn_graph_add_unit(graph, d[2]), 0), "unit");
    check(graph, tn_graph_add_distance(graph, p[0], p[1]), "distance");
    check(graph, tn_graph_add_distance(graph, p[1], p[2]), "distance to a rigid body");
    check(graph, tn_graph_add_distance(graph, p[0], p[3]), "distance within a body");
    check(graph, tn_graph_add_dot(graph, d[0], d[1]), "dot");
    check(graph, tn_graph_add_angle(graph, d[0], d[1]), "angle");
    check(graph, tn_graph_add_area(graph, p[0], p[1], p[2]), "area");
    check(graph, tn_graph_add_volume(graph, p[0], p[1], p[3], p[4]), "volume");
    tn_node numbers[2] = {tn_graph_add_dot(graph, p[0], d[2]), tn_graph_add_norm(graph, p[1])};
    check(graph, tn_graph_add_function(graph, square_of, NULL, numbers, 2), "function");
    tn_graph_destroy(graph);
}
