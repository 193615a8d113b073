// A graph's numbers have the derivatives that differences of them show, block by block, and blocks
// that make no sense are refused.
#include "joints/functions/graph.h"
#include "tests/support/budget.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODIES 4
#define STEP   1e-6

static tn_graph *make(void) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    cr_assert_not_null(graph);
    return graph;
}

// ---- poses -------------------------------------------------------------------------------------

static uint32_t seed = 1;

static double draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1.0;
}

static tni_dvec3 draw_vector(void) {
    double x = draw(), y = draw();
    return dvec3_make(x, y, draw());
}

typedef struct place {
    tni_body_motion motions[BODIES];
    double time;
} place;

static place draw_place(void) {
    place p = {.time = draw()};
    for (int i = 0; i < BODIES; ++i) {
        tni_dvec3 axis = draw_vector();
        p.motions[i].position = dvec3_add(draw_vector(), dvec3_make(2.0 * i, 0.0, 0.0));
        p.motions[i].rotation = dquat_normalize(dquat_make(axis.x, axis.y, axis.z, draw()));
        p.motions[i].velocity = draw_vector();
        p.motions[i].angular_velocity = draw_vector();
    }
    return p;
}

// Turned by the rotation vector t, exactly to the fourth order in it.
static tni_dquat turned(tni_dquat q, tni_dvec3 t) {
    double angle = dvec3_length(t), s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    tni_dquat by = dquat_make(s * t.x, s * t.y, s * t.z, cos(0.5 * angle));
    return dquat_normalize(dquat_mul(by, q));
}

static place later(const place *p, double time) {
    place q = *p;
    q.time += time;
    for (int i = 0; i < BODIES; ++i) {
        const tni_body_motion *m = &p->motions[i];
        q.motions[i].position = dvec3_add_scaled(m->position, time, m->velocity);
        q.motions[i].rotation = turned(m->rotation, dvec3_scale(m->angular_velocity, time));
    }
    return q;
}

// One of its 24 coordinates moved.
static place moved(const place *p, int body, int axis, double by) {
    place q = *p;
    double way[6] = {0.0};
    way[axis] = by;
    tni_body_motion *m = &q.motions[body];
    m->position = dvec3_add(m->position, dvec3_make(way[0], way[1], way[2]));
    m->rotation = turned(m->rotation, dvec3_make(way[3], way[4], way[5]));
    return q;
}

typedef struct room {
    void *memory;
    tni_graph_values values;
} room;

static room room_make(const tn_graph *graph) {
    room r = {.memory = malloc(tni_graph_values_size(graph))};
    r.values = tni_graph_values_make(graph, r.memory);
    return r;
}

static tni_graph_value evaluate(const tn_graph *graph, room *r, tn_node node, const place *p) {
    tni_graph_body bodies[BODIES];
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] =
            (tni_graph_body){.motion = &p->motions[i], .center = dvec3_make(0.1, -0.2, 0.3)};
    }
    tni_graph_evaluate(graph, bodies, p->time, &r->values);
    return r->values.numbers[graph->nodes[node.value - 1].first];
}

// The second derivatives by all coordinates against differences of the gradient. These are of turns
// one after the other, and so differ by what is not symmetric in them.
static void check_curvature(const tn_graph *graph, tn_node node, const place *p, const char *name) {
    enum {
        SIZE = 6 * BODIES
    };
    static double curvature[SIZE * SIZE], differences[SIZE][SIZE];
    uint32_t number = graph->nodes[node.value - 1].first;
    room r = room_make(graph);
    double *weights = calloc(graph->number_count, sizeof *weights), most = 1.0;
    tni_graph_body bodies[BODIES];
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] =
            (tni_graph_body){.motion = &p->motions[i], .center = dvec3_make(0.1, -0.2, 0.3)};
    }
    evaluate(graph, &r, node, p);
    weights[number] = 1.0;
    tni_graph_find_curvature(graph, bodies, BODIES, &r.values, weights, curvature);
    for (int k = 0; k < SIZE; ++k) {
        place at[2] = {moved(p, k / 6, k % 6, STEP), moved(p, k / 6, k % 6, -STEP)};
        memset(differences[k], 0, sizeof differences[k]);
        for (int side = 0; side < 2; ++side) {
            evaluate(graph, &r, node, &at[side]);
            for (int i = 0; i < SIZE; ++i) {
                const double *g = tni_graph_get_gradient(graph, &r.values, number, (uint32_t)i / 6);
                double slope = g != NULL ? g[i % 6] : 0.0;
                differences[k][i] += (side == 0 ? slope : -slope) / (2.0 * STEP);
                most = fmax(most, fabs(differences[k][i]));
            }
        }
    }
    for (int k = 0; k < SIZE; ++k) {
        for (int i = 0; i < SIZE; ++i) {
            double expected = 0.5 * (differences[k][i] + differences[i][k]);
            double fault = fabs(curvature[k * SIZE + i] - expected);
            cr_assert(fault < 1e-7 * most, "%s: %d by %d: %g of %g", name, k, i, fault, expected);
        }
    }
    free(weights);
    free(r.memory);
}

// The gradient and the derivatives in time of a number against differences, at many poses.
static void check_derivatives(const tn_graph *graph, tn_node node, const char *name) {
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_OK, "%s", name);
    uint32_t number = graph->nodes[node.value - 1].first;
    room r = room_make(graph);
    for (int trial = 0; trial < 20; ++trial) {
        place p = draw_place();
        check_curvature(graph, node, &p, name);
        tni_graph_value now = evaluate(graph, &r, node, &p);
        double gradient[BODIES][6] = {{0.0}};
        for (uint32_t i = 0; i < BODIES; ++i) {
            const double *g = tni_graph_get_gradient(graph, &r.values, number, i);
            for (int c = 0; c < 6 && g != NULL; ++c) {
                gradient[i][c] = g[c];
            }
        }
        for (int i = 0; i < BODIES; ++i) {
            for (int c = 0; c < 6; ++c) {
                place up = moved(&p, i, c, STEP), down = moved(&p, i, c, -STEP);
                double slope =
                    evaluate(graph, &r, node, &up).value - evaluate(graph, &r, node, &down).value;
                double fault = fabs(slope / (2.0 * STEP) - gradient[i][c]);
                cr_assert(fault < 1e-7 * (1.0 + fabs(gradient[i][c])), "%s: body %d, %d: %g", name,
                          i, c, fault);
            }
        }
        double h = 1e-4;
        place after = later(&p, h), before = later(&p, -h);
        double f = evaluate(graph, &r, node, &after).value;
        double b = evaluate(graph, &r, node, &before).value;
        double first = (f - b) / (2.0 * h), second = (f - 2.0 * now.value + b) / (h * h);
        cr_assert(fabs(first - now.first) < 1e-5 * (1.0 + fabs(first)), "%s: %g, not %g", name,
                  now.first, first);
        cr_assert(fabs(second - now.second) < 1e-4 * (1.0 + fabs(second)), "%s: %g, not %g", name,
                  now.second, second);
    }
    free(r.memory);
}

// ---- blocks ------------------------------------------------------------------------------------

// x y^2 + 3 z
static void of_three(const double *x, uint32_t count, tn_function_value *out, void *context) {
    cr_assert_eq(count, 3);
    out->value = x[0] * x[1] * x[1] + *(const double *)context * x[2];
    out->first[0] = x[1] * x[1];
    out->first[1] = 2.0 * x[0] * x[1];
    out->first[2] = *(const double *)context;
    out->second[0][1] = out->second[1][0] = 2.0 * x[1];
    out->second[1][1] = 2.0 * x[0];
}

typedef struct nodes {
    tn_node p[4], d[4], x, y, z;
} nodes;

static nodes add_connectors(tn_graph *graph) {
    nodes n;
    for (uint32_t i = 0; i < 4; ++i) {
        n.p[i] = tn_graph_add_point(graph, i, (tn_vec3){0.3, -0.4 + 0.1 * i, 0.2});
        n.d[i] = tn_graph_add_direction(graph, i, (tn_vec3){1.0, 0.5, -0.2 * i});
    }
    n.x = tn_graph_add_component(graph, n.p[0], 0);
    n.y = tn_graph_add_component(graph, n.p[1], 1);
    n.z = tn_graph_add_component(graph, n.d[2], 2);
    return n;
}

Test(graph, gives_the_derivatives_of_every_block_that_differences_show, .timeout = 60) {
    double three = 3.0;
    for (int block = 0; block < 19; ++block) {
        tn_graph *graph = make();
        nodes n = add_connectors(graph);
        const tn_node arguments[3] = {n.x, n.y, n.z};
        tn_node far = tn_graph_add_sum(graph, n.x, tn_graph_add_number(graph, 20.0));
        tn_node made[] = {
            n.x,
            n.z,
            tn_graph_add_sum(graph, n.x, n.y),
            tn_graph_add_difference(graph, n.x, n.z),
            tn_graph_add_product(graph, n.x, tn_graph_add_product(graph, n.y, n.y)),
            tn_graph_add_quotient(graph, n.y, far),
            tn_graph_add_root(graph, far),
            tn_graph_add_sine(graph, n.x),
            tn_graph_add_cosine(graph, n.y),
            tn_graph_add_angle_of(graph, n.y, far),
            tn_graph_add_minimum(graph, n.x, far),
            tn_graph_add_maximum(graph, n.y, far),
            tn_graph_add_function(graph, of_three, &three, arguments, 3),
            tn_graph_add_dot(graph, tn_graph_add_cross(graph, n.d[0], n.d[1]), n.p[3]),
            tn_graph_add_distance(graph, n.p[0], n.p[3]),
            tn_graph_add_angle(graph, n.d[0], tn_graph_add_difference(graph, n.p[3], n.p[1])),
            tn_graph_add_area(graph, n.p[0], n.p[1], n.p[3]),
            tn_graph_add_volume(graph, n.p[0], n.p[1], n.p[2], n.p[3]),
            tn_graph_add_product(graph, tn_graph_add_sine(graph, tn_graph_add_time(graph)),
                                 tn_graph_add_dot(graph, tn_graph_add_unit(graph, n.p[3]), n.d[0])),
        };
        char name[16];
        (void)snprintf(name, sizeof name, "block %d", block);
        check_derivatives(graph, made[block], name);
        tn_graph_destroy(graph);
    }
}

Test(graph, measures_what_geometry_says) {
    tn_graph *graph = make();
    tn_node p[4];
    const tn_vec3 corners[4] = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {0, 0, 2}};
    for (int i = 0; i < 4; ++i) {
        p[i] = tn_graph_add_vector(graph, corners[i]);
    }
    tn_node found[] = {tn_graph_add_distance(graph, p[1], p[2]),
                       tn_graph_add_area(graph, p[0], p[1], p[2]),
                       tn_graph_add_volume(graph, p[0], p[1], p[2], p[3]),
                       tn_graph_add_angle(graph, p[1], tn_graph_add_sum(graph, p[1], p[3])),
                       tn_graph_add_norm(graph, tn_graph_add_unit(graph, p[2])),
                       tn_graph_add_input(graph, 7.5)};
    const double expected[] = {5.0, 6.0, 4.0, atan2(2.0, 3.0), 1.0, 7.5};
    room r = room_make(graph);
    place anywhere = draw_place();
    for (int i = 0; i < 6; ++i) {
        double value = evaluate(graph, &r, found[i], &anywhere).value;
        cr_assert(fabs(value - expected[i]) < 1e-14, "%d: %g", i, value);
    }
    free(r.memory);
    tn_graph_destroy(graph);
}

// A gradient has room for the bodies that a number depends on, and for no others.
Test(graph, keeps_gradients_sparse) {
    tn_graph *graph = make();
    tn_node near = tn_graph_add_point(graph, 3, (tn_vec3){0, 0, 0});
    tn_node far = tn_graph_add_point(graph, 15, (tn_vec3){0, 0, 0});
    tn_node d = tn_graph_add_distance(graph, near, far);
    uint32_t number = graph->nodes[d.value - 1].first;
    cr_assert_eq(graph->numbers[number].bodies, (1u << 3) | (1u << 15));
    cr_assert_eq(graph->bodies, (1u << 3) | (1u << 15));
    room r = room_make(graph);
    cr_assert_null(tni_graph_get_gradient(graph, &r.values, number, 0));
    const double *of_near = tni_graph_get_gradient(graph, &r.values, number, 3);
    cr_assert_eq(tni_graph_get_gradient(graph, &r.values, number, 15), of_near + 6);
    free(r.memory);
    tn_graph_destroy(graph);
}

// Where a derivative does not exist there is none, and nothing becomes infinite.
Test(graph, has_no_derivatives_where_there_are_none) {
    tn_graph *graph = make();
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0, 0, 0});
    tn_node zero = tn_graph_add_distance(graph, p, p);
    tn_node nothing = tn_graph_add_component(graph, tn_graph_add_unit(graph, zero), 0);
    cr_assert_eq(nothing.value, 0); // of a number
    tn_node one = tn_graph_add_quotient(graph, zero, zero);
    tn_graph *other = make();
    cr_assert_neq(tn_graph_get_result(graph), TN_RESULT_OK);
    room r = room_make(graph);
    place somewhere = draw_place();
    tni_graph_value value = evaluate(graph, &r, one, &somewhere);
    cr_assert(value.value == 0.0 && value.first == 0.0 && value.second == 0.0);
    value = evaluate(graph, &r, zero, &somewhere);
    cr_assert(value.value == 0.0 && value.first == 0.0 && value.second == 0.0);
    free(r.memory);
    tn_graph_destroy(graph);
    tn_graph_destroy(other);
}

// ---- misuse ------------------------------------------------------------------------------------

Test(graph, refuses_what_makes_no_sense_and_says_why_first) {
    tn_graph *graph = make();
    tn_node vector = tn_graph_add_point(graph, 0, (tn_vec3){0, 0, 0});
    tn_node number = tn_graph_add_number(graph, 1.0), none = {0}, wild = {12345};
    const tn_node wrong[2] = {number, vector};
    cr_assert_eq(tn_graph_get_width(graph, vector), 3);
    cr_assert_eq(tn_graph_get_width(graph, number), 1);
    cr_assert_eq(tn_graph_get_width(graph, wild), 0);
    cr_assert_eq(tn_graph_add_sum(graph, vector, number).value, 0);
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_INVALID_ARGUMENT);
    cr_assert_eq(tn_graph_add_number(graph, (double)NAN).value, 0);
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_INVALID_ARGUMENT, "the first reason stays");
    cr_assert_eq(tn_graph_add_sum(graph, none, none).value, 0);
    cr_assert_eq(tn_graph_add_product(graph, vector, vector).value, 0);
    cr_assert_eq(tn_graph_add_quotient(graph, number, vector).value, 0);
    cr_assert_eq(tn_graph_add_root(graph, vector).value, 0);
    cr_assert_eq(tn_graph_add_component(graph, vector, 3).value, 0);
    cr_assert_eq(tn_graph_add_component(graph, number, 0).value, 0);
    cr_assert_eq(tn_graph_add_vector_of(graph, number, number, vector).value, 0);
    cr_assert_eq(tn_graph_add_dot(graph, number, number).value, 0);
    cr_assert_eq(tn_graph_add_norm(graph, wild).value, 0);
    cr_assert_eq(tn_graph_add_function(graph, NULL, NULL, &number, 1).value, 0);
    cr_assert_eq(tn_graph_add_function(graph, of_three, NULL, &number, 0).value, 0);
    cr_assert_eq(tn_graph_add_function(graph, of_three, NULL, &number, 9).value, 0);
    cr_assert_eq(tn_graph_add_function(graph, of_three, NULL, wrong, 2).value, 0);
    cr_assert_eq(tn_graph_add_point(graph, 16, (tn_vec3){0, 0, 0}).value, 0);
    cr_assert_eq(tn_graph_add_direction(graph, 0, (tn_vec3){0, (double)INFINITY, 0}).value, 0);
    tn_graph_destroy(graph);
    cr_assert_eq(tn_graph_add_number(NULL, 1.0).value, 0);
    cr_assert_eq(tn_graph_add_point(NULL, 0, (tn_vec3){0, 0, 0}).value, 0);
    cr_assert_eq(tn_graph_add_norm(NULL, none).value, 0);
    cr_assert_eq(tn_graph_get_result(NULL), TN_RESULT_INVALID_ARGUMENT);
    tn_graph_destroy(NULL);
}

Test(graph, refuses_more_numbers_than_it_may_have) {
    tn_graph *graph = make();
    tn_node last = tn_graph_add_number(graph, 1.0);
    for (int i = 0; i < TN_GRAPH_MAX_NUMBERS + 10 && last.value != 0; ++i) {
        last = tn_graph_add_sum(graph, last, last);
    }
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_TOO_LARGE);
    tn_graph_destroy(graph);
}

// ---- memory ------------------------------------------------------------------------------------

Test(graph, says_when_there_is_no_memory_and_keeps_none) {
    for (int most = 0; most < 12; ++most) {
        test_budget = most;
        tn_graph *graph = tn_graph_create(test_alloc, test_free, NULL);
        if (graph == NULL) {
            cr_assert_eq(most, 0);
            continue;
        }
        nodes n = add_connectors(graph);
        const tn_node arguments[3] = {n.x, n.y, n.z};
        tn_node last = tn_graph_add_function(graph, of_three, NULL, arguments, 3);
        tn_result expected = last.value == 0 ? TN_RESULT_OUT_OF_MEMORY : TN_RESULT_OK;
        cr_assert_eq(tn_graph_get_result(graph), expected);
        tn_graph_destroy(graph);
        cr_assert_eq(test_taken, 0);
    }
}
