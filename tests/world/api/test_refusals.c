// A call that is refused for want of memory leaves no trace: two worlds are the same to the last
// bit, one of which makes every call once, the other as often as it takes with one allocation more
// each time. Each allocation of each call fails once that way, while lists and pools grow.
#include <stdlib.h>

#include "tests/support/hull_make.h"
#include "tests/world/world_test.h"

TestSuite(refusals, .timeout = 60);

#define BODIES 13
#define TURNS  14

typedef struct twin {
    tn_world *world;
    tn_body_id bodies[BODIES];
    tn_shape_id shapes[BODIES];
    tn_hull *hull;
    tn_graph *graph;
    tn_node node;
    uint32_t budget; // allocations that succeed
    uint32_t failures;
} twin;

#define PLENTY UINT32_MAX

static void *twin_alloc(size_t size, size_t alignment, void *user_data) {
    twin *t = user_data;
    if (t->budget == 0) {
        t->failures += 1;
        return NULL;
    }
    t->budget -= t->budget == PLENTY ? 0 : 1;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void twin_free(void *block, size_t size, void *user_data) {
    (void)size, (void)user_data;
    free(block);
}

static void check_report(const tn_report *report, void *user_data) {
    (void)user_data;
    cr_assert(report->result == TN_RESULT_OUT_OF_MEMORY, "%s: %s", report->function,
              report->message);
}

// ---- the worlds --------------------------------------------------------------------------------

// The first two bodies are static, six lie on the floor and fall asleep, four hang as a chain and
// swing, the last one may be affine. Each has a box and a ball.
static void make_bodies(twin *t) {
    for (uint32_t i = 0; i < BODIES; ++i) {
        tn_body_def def = tn_body_def_default();
        bool hangs = i >= 8 && i < 12;
        def.type = i < 2 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
        def.pose.position =
            hangs ? (tn_vec3){i - 7.0, 5.0, 0.0} : (tn_vec3){1.2 * i, i < 2 ? -2.0 : 0.3, 4.0};
        t->bodies[i] = tn_body_create(t->world, &def);
        tn_shape_def shape = tn_shape_def_default();
        t->shapes[i] =
            tn_box_shape_create(t->world, t->bodies[i], &shape, (tn_vec3){0.3, 0.3, 0.3});
        tn_sphere_shape_create(t->world, t->bodies[i], &shape, 0.2f);
        if (hangs) {
            tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
            tn_body_id before = i > 8 ? t->bodies[i - 1] : (tn_body_id){0};
            tn_joint_def_set_frames(t->world, &hinge.base, before, t->bodies[i],
                                    (tn_vec3){i - 7.5, 5.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0});
            tn_hinge_joint_create(t->world, &hinge);
        }
    }
}

static void twin_make(twin *t, tn_solver solver, bool has_affine) {
    memset(t, 0, sizeof *t);
    t->budget = PLENTY;
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.alloc = twin_alloc;
    def.free = twin_free;
    def.memory_user_data = t;
    def.report = check_report;
    t->world = tn_world_create(&def, NULL);
    test_floor_create(t->world);
    make_bodies(t);
    tn_affine_def affine = tn_affine_def_default();
    affine.body = t->bodies[12];
    if (has_affine) {
        tn_affine_create(t->world, &affine);
    }
    tn_vec3 points[8];
    for (int i = 0; i < 8; ++i) {
        points[i] = (tn_vec3){i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3};
    }
    t->hull = hull_make(points, 8);
    t->graph = tn_graph_create(NULL, NULL, NULL);
    t->node = tn_graph_add_number(t->graph, 0.0);
    for (uint32_t i = 0; i < 4; ++i) {
        tn_node point = tn_graph_add_point(t->graph, i, (tn_vec3){0.0, 0.0, 0.0});
        t->node = tn_graph_add_sum(t->graph, t->node, tn_graph_add_component(t->graph, point, 2));
    }
    test_step(t->world, 60);
}

static void twin_end(twin *t) {
    tn_world_destroy(t->world);
    tn_graph_destroy(t->graph);
    tn_hull_release(t->hull);
}

static void check_same(const twin *a, const twin *b, const char *name, const char *when) {
    cr_assert(tn_world_get_hash(a->world) == tn_world_get_hash(b->world), "%s: other poses %s",
              name, when);
    cr_assert(tn_world_get_time(a->world) == tn_world_get_time(b->world), "%s %s", name, when);
    tn_body_id of_a[256], of_b[256];
    uint32_t count = tn_world_get_bodies(a->world, of_a, 256);
    cr_assert(count <= 256 && count == tn_world_get_bodies(b->world, of_b, 256), "%s %s", name,
              when);
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert(of_a[i].value == of_b[i].value, "%s: other handles %s", name, when);
        cr_assert(tn_body_is_awake(a->world, of_a[i]) == tn_body_is_awake(b->world, of_b[i]),
                  "%s: body %u is awake in one world only %s", name, i, when);
    }
    cr_assert(tn_world_count_joints(a->world) == tn_world_count_joints(b->world), "%s %s", name,
              when);
    cr_assert(tn_world_count_contacts(a->world) == tn_world_count_contacts(b->world),
              "%s: other contacts %s", name, when);
}

// ---- the calls ---------------------------------------------------------------------------------

static const tn_shape_def *get_shape_def(void) {
    static tn_shape_def def;
    def = tn_shape_def_default();
    return &def;
}

static uint32_t call_body(twin *t, uint32_t turn) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){turn, 20.0, 0.0};
    return tn_body_create(t->world, &def).value;
}

static uint32_t call_sphere(twin *t, uint32_t turn) {
    return tn_sphere_shape_create(t->world, t->bodies[turn % BODIES], get_shape_def(), 0.2f).value;
}

static uint32_t call_hull_shape(twin *t, uint32_t turn) {
    return tn_hull_shape_create(t->world, t->bodies[turn % 2 + 6], get_shape_def(), t->hull).value;
}

static uint32_t call_half_space(twin *t, uint32_t turn) {
    tn_shape_def def = tn_shape_def_default();
    def.local_pose.position.y = -5.0;
    return tn_half_space_shape_create(t->world, t->bodies[turn % 2], &def).value;
}

static void set_ends(twin *t, uint32_t turn, tn_joint_def *base) {
    base->body_a = t->bodies[2 + turn % 5];
    base->body_b = t->bodies[3 + turn % 5];
    tn_joint_def_set_frames(t->world, base, base->body_a, base->body_b,
                            tn_body_get_center(t->world, base->body_a), (tn_vec3){0.0, 1.0, 0.0});
}

static uint32_t call_distance_joint(twin *t, uint32_t turn) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    set_ends(t, turn, &def.base);
    return tn_distance_joint_create(t->world, &def).value;
}

static uint32_t call_six_axis_joint(twin *t, uint32_t turn) {
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    set_ends(t, turn, &def.base);
    return tn_six_axis_joint_create(t->world, &def).value;
}

static void give_nothing(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    (void)a, (void)b, (void)context;
    rows[0].linear_b.x = 1.0;
    rows[0].linear_a.x = -1.0;
}

static uint32_t call_custom_joint(twin *t, uint32_t turn) {
    tn_custom_joint_def def = tn_custom_joint_def_default();
    set_ends(t, turn, &def.base);
    def.evaluate = give_nothing;
    def.row_count = 1;
    return tn_custom_joint_create(t->world, &def).value;
}

static uint32_t call_cam_joint(twin *t, uint32_t turn) {
    static const double radii[8] = {1.0, 1.1, 1.2, 1.1, 1.0, 0.9, 0.8, 0.9};
    tn_cam_joint_def def = tn_cam_joint_def_default();
    set_ends(t, turn, &def.base);
    def.radii = radii;
    def.radius_count = 8;
    return tn_cam_joint_create(t->world, &def).value;
}

static const tn_vec3 path[3] = {{0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {2.0, 0.0, 0.0}};

static uint32_t call_curve_joint(twin *t, uint32_t turn) {
    tn_curve_joint_def def = tn_curve_joint_def_default();
    set_ends(t, turn, &def.base);
    def.points = path;
    def.point_count = 3;
    return tn_curve_joint_create(t->world, &def).value;
}

static uint32_t call_motion_path_joint(twin *t, uint32_t turn) {
    static const double times[3] = {0.0, 1.0, 2.0};
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    set_ends(t, turn, &def.base);
    def.points = path;
    def.times = times;
    def.point_count = 3;
    return tn_motion_path_joint_create(t->world, &def).value;
}

static uint32_t call_function_joint(twin *t, uint32_t turn) {
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = t->graph;
    def.body_count = 4;
    for (uint32_t i = 0; i < 4; ++i) {
        def.bodies[i] = t->bodies[2 + (turn + i) % 6];
    }
    def.row_count = 1;
    def.nodes[0] = t->node;
    return tn_function_joint_create(t->world, &def).value;
}

static uint32_t call_rope_joint(twin *t, uint32_t turn) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.point_count = 4;
    def.length = 20.0;
    for (uint32_t i = 0; i < 4; ++i) {
        def.points[i].body = t->bodies[2 + (turn + i) % 6];
    }
    return tn_rope_joint_create(t->world, &def).value;
}

static void set_connectors(const twin *t, uint32_t turn, tn_force_base *base) {
    base->connector_count = 2;
    for (uint32_t i = 0; i < 2; ++i) {
        base->connectors[i] = tn_connector_default();
        base->connectors[i].body = t->bodies[2 + (turn + i) % 6];
    }
}

static uint32_t call_spring_force(twin *t, uint32_t turn) {
    tn_spring_force_def def = tn_spring_force_def_default();
    set_connectors(t, turn, &def.base);
    return tn_spring_force_create(t->world, &def).value;
}

static uint32_t call_goal_force(twin *t, uint32_t turn) {
    tn_goal_force_def def = tn_goal_force_def_default();
    def.graph = t->graph;
    def.node = t->node;
    def.base.connector_count = 4;
    for (uint32_t i = 0; i < 4; ++i) {
        def.base.connectors[i] = tn_connector_default();
        def.base.connectors[i].body = t->bodies[2 + (turn + i) % 6];
    }
    return tn_goal_force_create(t->world, &def).value;
}

static void slide(const tn_reduced_input *input, tn_reduced_output *out_output, void *context) {
    (void)context;
    out_output->bodies[0].pose.position =
        (tn_vec3){input->coordinates[0], 9.0, -3.0 - input->coordinates[0]};
    out_output->bodies[0].linear[0] = (tn_vec3){1.0, 0.0, -1.0};
}

// A second object of a body is refused for another reason: each turn has its own body.
static uint32_t call_reduced(twin *t, uint32_t turn) {
    static const uint32_t places[] = {2, 3, 4, 5, 6, 7};
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 1;
    def.bodies[0] = t->bodies[places[turn % 6]];
    def.function = slide;
    def.coordinates[0] = 2.0 * turn;
    tn_reduced_id id = tn_reduced_create(t->world, &def);
    if (id.value != 0 && turn % 6 == 5) {
        for (uint32_t i = 0; i < 6; ++i) {
            tn_reduced_destroy(t->world, tn_body_get_reduced(t->world, t->bodies[places[i]]));
        }
    }
    return id.value;
}

static uint32_t call_affine(twin *t, uint32_t turn) {
    tn_affine_def def = tn_affine_def_default();
    def.body = t->bodies[2 + turn % 6];
    tn_reduced_id id = tn_affine_create(t->world, &def);
    if (id.value != 0 && turn % 6 == 5) {
        for (uint32_t i = 2; i < 8; ++i) {
            tn_reduced_destroy(t->world, tn_body_get_reduced(t->world, t->bodies[i]));
        }
    }
    return id.value;
}

static uint32_t call_set_type(twin *t, uint32_t turn) {
    tn_body_id body = t->bodies[2 + turn % 6];
    tn_body_type type = turn / 6 % 2 == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    tn_body_set_type(t->world, body, type);
    return tn_body_get_type(t->world, body) == type;
}

static uint32_t call_set_enabled(twin *t, uint32_t turn) {
    tn_body_id body = t->bodies[2 + turn % 6];
    bool enabled = turn / 6 % 2 == 1;
    tn_body_set_enabled(t->world, body, enabled);
    return tn_body_is_enabled(t->world, body) == enabled;
}

// Without a category a shape leaves the broad phase.
static uint32_t call_set_filter(twin *t, uint32_t turn) {
    tn_filter filter = tn_shape_def_default().filter;
    filter.mask = turn / 6 % 2 == 0 ? 0 : filter.mask;
    filter.category = turn / 6 % 2 == 0 ? 0 : filter.category;
    tn_shape_id shape = t->shapes[2 + turn % 6];
    tn_shape_set_filter(t->world, shape, filter);
    return tn_shape_get_filter(t->world, shape).mask == filter.mask;
}

static uint32_t call_set_shape_enabled(twin *t, uint32_t turn) {
    tn_shape_id shape = t->shapes[2 + turn % 6];
    bool enabled = turn / 6 % 2 == 1;
    tn_shape_set_enabled(t->world, shape, enabled);
    return tn_shape_is_enabled(t->world, shape) == enabled;
}

static uint32_t call_set_pair(twin *t, uint32_t turn) {
    tn_body_id a = t->bodies[2 + turn % 6], b = t->bodies[2 + (turn / 6 + 1 + turn) % 6];
    if (a.value == b.value) {
        return 1;
    }
    tn_world_set_pair_collision(t->world, a, b, false);
    return !tn_world_get_pair_collision(t->world, a, b);
}

static uint32_t call_set_sensor(twin *t, uint32_t turn) {
    tn_shape_id shape = t->shapes[2 + turn % 6];
    bool is_sensor = turn / 6 % 2 == 0;
    tn_shape_set_sensor(t->world, shape, is_sensor);
    return tn_shape_is_sensor(t->world, shape) == is_sensor;
}

static uint32_t call_draw(twin *t, uint32_t turn) {
    (void)turn;
    tn_draw draw;
    return tn_world_draw(t->world, NULL, &draw) == TN_RESULT_OK;
}

static const struct {
    const char *name;
    uint32_t (*call)(twin *t, uint32_t turn);
} calls[] = {
    {"tn_body_create", call_body},
    {"tn_sphere_shape_create", call_sphere},
    {"tn_hull_shape_create", call_hull_shape},
    {"tn_half_space_shape_create", call_half_space},
    {"tn_distance_joint_create", call_distance_joint},
    {"tn_six_axis_joint_create", call_six_axis_joint},
    {"tn_custom_joint_create", call_custom_joint},
    {"tn_cam_joint_create", call_cam_joint},
    {"tn_curve_joint_create", call_curve_joint},
    {"tn_motion_path_joint_create", call_motion_path_joint},
    {"tn_function_joint_create", call_function_joint},
    {"tn_rope_joint_create", call_rope_joint},
    {"tn_spring_force_create", call_spring_force},
    {"tn_goal_force_create", call_goal_force},
    {"tn_reduced_create", call_reduced},
    {"tn_affine_create", call_affine},
    {"tn_body_set_type", call_set_type},
    {"tn_body_set_enabled", call_set_enabled},
    {"tn_shape_set_filter", call_set_filter},
    {"tn_shape_set_enabled", call_set_shape_enabled},
    {"tn_shape_set_sensor", call_set_sensor},
    {"tn_world_set_pair_collision", call_set_pair},
    {"tn_world_draw", call_draw},
};

#define CALLS (sizeof calls / sizeof *calls)

// ---- the tests ---------------------------------------------------------------------------------

// Refused once for each of its allocations, with a step after each, and then made.
static uint32_t call_until_it_is_made(twin *a, twin *b, size_t k, uint32_t turn) {
    uint32_t made = 0;
    for (uint32_t budget = 0; made == 0; ++budget) {
        cr_assert(budget < 50, "%s is refused for ever", calls[k].name);
        a->budget = budget;
        a->failures = 0;
        made = calls[k].call(a, turn);
        a->budget = PLENTY;
        cr_assert((made == 0) == (a->failures > 0), "%s tells nothing", calls[k].name);
        if (made == 0) {
            check_same(a, b, calls[k].name, "after it was refused");
            test_step(a->world, 1);
            test_step(b->world, 1);
            check_same(a, b, calls[k].name, "a step after it was refused");
        }
    }
    return made;
}

static void check_call(size_t k, tn_solver solver) {
    twin a, b;
    twin_make(&a, solver, true);
    twin_make(&b, solver, true);
    for (uint32_t turn = 0; turn < TURNS; ++turn) {
        uint32_t of_a = call_until_it_is_made(&a, &b, k, turn);
        uint32_t of_b = calls[k].call(&b, turn);
        cr_assert(of_a == of_b, "%s: handles %x and %x", calls[k].name, of_a, of_b);
        check_same(&a, &b, calls[k].name, "after it was made");
        test_step(a.world, 1);
        test_step(b.world, 1);
        check_same(&a, &b, calls[k].name, "a step after it was made");
    }
    twin_end(&a);
    twin_end(&b);
}

Test(refusals, leave_no_trace_in_the_world) {
    for (size_t k = 0; k < CALLS; ++k) {
        check_call(k, TN_SOLVER_AUTO);
    }
}

Test(refusals, leave_no_trace_in_a_world_of_gauss_seidel) {
    for (size_t k = 0; k < CALLS; ++k) {
        check_call(k, TN_SOLVER_PGS);
    }
}

// A step that was refused for each of its allocations, and then taken. Without an affine body:
// manifolds that a refused step made anew for one may differ when they are made once more.
static void step_until_it_is_taken(twin *t, const char *name) {
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    for (uint32_t budget = 0; result != TN_RESULT_OK; ++budget) {
        cr_assert(budget < 500, "%s: a step is refused for ever", name);
        t->budget = budget;
        result = tn_world_step(t->world, 1.0 / 60.0, 4);
        t->budget = PLENTY;
    }
}

Test(refusals, of_steps_leave_no_trace_either) {
    for (size_t k = 0; k < CALLS; ++k) {
        twin a, b;
        twin_make(&a, TN_SOLVER_AUTO, false);
        twin_make(&b, TN_SOLVER_AUTO, false);
        for (uint32_t turn = 0; turn < TURNS; ++turn) {
            calls[k].call(&a, turn);
            calls[k].call(&b, turn);
            step_until_it_is_taken(&a, calls[k].name);
            test_step(b.world, 1);
            check_same(&a, &b, calls[k].name, "after steps that were refused");
        }
        twin_end(&a);
        twin_end(&b);
    }
}
