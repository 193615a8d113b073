// What is refused, and what becomes of forces whose bodies, memory or callbacks fail.
#include "../support/budget.h"
#include "force_world.h"

TestSuite(force_misuse, .timeout = 60);

static void pull(const tn_force_input *input, tn_force_output *out, void *context) {
    (void)input;
    out->force[0] = (tn_vec3){*(const double *)context, 0.0, 0.0};
}

static tn_force_def pull_def(tn_body_id body, double *newtons) {
    tn_force_def def = tn_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.function = pull;
    def.function_user_data = newtons;
    return def;
}

static void expect(const tn_world *world, test_reports *reports, tn_result result,
                   const char *function) {
    (void)world;
    cr_assert(reports->last == result, "%s: %s, not %s", function, tn_result_name(reports->last),
              tn_result_name(result));
    cr_assert(strcmp(reports->function, function) == 0, "%s", reports->function);
    reports->last = TN_RESULT_OK;
}

Test(force_misuse, every_number_of_a_definition_is_looked_at) {
    test_reports reports;
    tn_world *world = world_make(force_no_gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1.0, 1.0);
    tn_body_id floor = static_body_make(world, 0, 0, 0);
    double one = 1.0;
    const char *name = "tn_force_create";
    cr_assert(tn_force_create(world, NULL).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, name);
    tn_force_def def = pull_def(body, &one);
    def.base.connector_count = 0;
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, name);
    def.base.connector_count = 17;
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, name);
    def = pull_def(body, &one);
    def.function = NULL;
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, name);
    def = pull_def(body, &one);
    def.base.connectors[0].point.y = (double)NAN;
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_NOT_FINITE, name);
    def = pull_def(body, &one);
    def.base.connectors[0].amount = (double)INFINITY;
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_NOT_FINITE, name);
    def = pull_def(body, &one);
    def.base.connectors[0].axis = (tn_vec3){0, 0, 0};
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_ZERO_AXIS, name);
    def = pull_def(floor, &one);
    cr_assert(tn_force_create(world, &def).value == 0);
    expect(world, &reports, TN_RESULT_NO_DYNAMIC_BODY, name);
    def = pull_def((tn_body_id){12345}, &one);
    cr_assert(tn_force_create(world, &def).value == 0);
    cr_assert(reports.last == TN_RESULT_INVALID_ID);
    cr_assert(tn_force_create(NULL, &def).value == 0);
    cr_assert(tn_world_count_forces(world) == 0);
    tn_world_destroy(world);
}

Test(force_misuse, ready_made_forces_refuse_numbers_out_of_range) {
    test_reports reports;
    tn_world *world = world_make(force_no_gravity, &reports);
    tn_body_id a = body_make(world, 0, 0, 0, 1.0, 1.0), b = body_make(world, 1, 0, 0, 1.0, 1.0);
    tn_spring_force_def spring = tn_spring_force_def_default();
    spring.base.connectors[0].body = a;
    spring.base.connectors[1].body = b;
    spring.spring.stiffness = -1.0;
    cr_assert(tn_spring_force_create(world, &spring).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_spring_force_create");
    spring.spring.stiffness = 1.0;
    spring.base.connectors[1].body = a;
    cr_assert(tn_spring_force_create(world, &spring).value == 0);
    expect(world, &reports, TN_RESULT_SAME_BODY, "tn_spring_force_create");
    spring.base.connector_count = 1;
    cr_assert(tn_spring_force_create(world, &spring).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_spring_force_create");
    tn_air_force_def air = tn_air_force_def_default();
    air.base.connector_count = 1;
    air.base.connectors[0].body = a;
    air.base.connectors[0].amount = -2.0;
    cr_assert(tn_air_force_create(world, &air).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_air_force_create");
    air.base.connectors[0].amount = 2.0;
    air.air.gust_count = 9;
    cr_assert(tn_air_force_create(world, &air).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_air_force_create");
    air.air.gust_count = 1;
    air.air.gusts[0].hertz = (double)NAN;
    cr_assert(tn_air_force_create(world, &air).value == 0);
    expect(world, &reports, TN_RESULT_NOT_FINITE, "tn_air_force_create");
    tn_buoyancy_force_def water = tn_buoyancy_force_def_default();
    water.base.connector_count = 1;
    cr_assert(tn_buoyancy_force_create(world, &water).value == 0);
    expect(world, &reports, TN_RESULT_NO_DYNAMIC_BODY, "tn_buoyancy_force_create");
    water.base.connector_count = 2;
    water.base.connectors[0].body = a;
    cr_assert(tn_buoyancy_force_create(world, &water).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_buoyancy_force_create");
    water.base.connectors[1].body = b;
    water.buoyancy.up = (tn_vec3){0, 0, 0};
    cr_assert(tn_buoyancy_force_create(world, &water).value == 0);
    expect(world, &reports, TN_RESULT_ZERO_AXIS, "tn_buoyancy_force_create");
    tn_magnet_force_def magnet = tn_magnet_force_def_default();
    magnet.base.connector_count = 2;
    magnet.base.connectors[0].body = a;
    magnet.magnet.core = 0.0;
    cr_assert(tn_magnet_force_create(world, &magnet).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_magnet_force_create");
    tn_motor_force_def motor = tn_motor_force_def_default();
    motor.base.connectors[0].body = a;
    motor.motor.no_load_speed = 0.0;
    cr_assert(tn_motor_force_create(world, &motor).value == 0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_motor_force_create");
    cr_assert(tn_world_count_forces(world) == 0);
    tn_world_destroy(world);
}

Test(force_misuse, stale_handles_and_wrong_types_are_refused) {
    test_reports reports;
    tn_world *world = world_make(force_no_gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1.0, 1.0);
    tn_force_id spring = spring_make(world, connector_at(world_body, 0, 0, 0),
                                     connector_at(body, 0, 0, 0), 1.0, 2.0, 3.0);
    tn_motor_force_set(world, spring, (tn_force_motor){1.0, 1.0});
    expect(world, &reports, TN_RESULT_WRONG_TYPE, "tn_motor_force_set");
    cr_assert(tn_air_force_get(world, spring).density == 0.0);
    expect(world, &reports, TN_RESULT_WRONG_TYPE, "tn_air_force_get");
    tn_spring_force_set(world, spring, (tn_force_spring){(double)NAN, 0.0, 0.0});
    expect(world, &reports, TN_RESULT_NOT_FINITE, "tn_spring_force_set");
    cr_assert(tn_spring_force_get(world, spring).length == 3.0);
    tn_spring_force_set(world, spring, (tn_force_spring){4.0, 5.0, 6.0});
    cr_assert(tn_spring_force_get(world, spring).stiffness == 4.0);
    cr_assert(tn_spring_force_get(world, spring).damping == 5.0);
    tn_force_set_amount(world, spring, 2, 1.0);
    expect(world, &reports, TN_RESULT_INVALID_ARGUMENT, "tn_force_set_amount");
    tn_force_set_amount(world, spring, 1, (double)NAN);
    expect(world, &reports, TN_RESULT_NOT_FINITE, "tn_force_set_amount");
    tn_force_set_amount(world, spring, 1, 7.0);
    tn_connector connector = tn_force_get_connector(world, spring, 1);
    cr_assert(connector.amount == 7.0 && connector.body.value == body.value);
    cr_assert(tn_force_get_type(world, spring) == TN_FORCE_TYPE_SPRING);
    tn_force_destroy(world, spring);
    cr_assert(!tn_force_is_valid(world, spring));
    tn_force_destroy(world, spring);
    expect(world, &reports, TN_RESULT_INVALID_ID, "tn_force_destroy");
    tn_force_set_enabled(world, spring, true);
    expect(world, &reports, TN_RESULT_INVALID_ID, "tn_force_set_enabled");
    cr_assert(tn_force_get_force(world, spring, 0).x == 0.0);
    expect(world, &reports, TN_RESULT_INVALID_ID, "tn_force_get_force");
    tn_world_destroy(world);
}

Test(force_misuse, bodies_take_their_forces_with_them) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id a = body_make(world, 0, 0, 0, 1.0, 1.0), b = body_make(world, 1, 0, 0, 1.0, 1.0);
    tn_force_id ids[4], told[4];
    for (int i = 0; i < 4; ++i) {
        tn_body_id first = i == 2 ? b : a, second = i == 1 ? world_body : i == 2 ? world_body : b;
        ids[i] = spring_make(world, connector_at(first, 0, 0, 0), connector_at(second, 0, 0, 0),
                             1.0, 0.0, 0.0);
    }
    tn_force_destroy(world, ids[0]);
    cr_assert(tn_world_get_forces(world, told, 4) == 3);
    cr_assert(told[0].value == ids[1].value && told[2].value == ids[3].value);
    tn_body_destroy(world, a);
    cr_assert(tn_world_count_forces(world) == 1);
    cr_assert(tn_force_is_valid(world, ids[2]) && !tn_force_is_valid(world, ids[3]));
    run(world, 0.1, 60.0, 1);
    tn_world_destroy(world);
}

// It does nothing, and the world says so once.
Test(force_misuse, a_callback_that_gives_no_numbers_is_told_once) {
    test_reports reports;
    tn_world *world = world_make(force_no_gravity, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1.0, 1.0);
    double newtons = (double)NAN;
    tn_force_def def = pull_def(body, &newtons);
    tn_force_id force = tn_force_create(world, &def);
    run(world, 0.2, 60.0, 4);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_NOT_FINITE);
    cr_assert(velocity_of(world, body).x == 0.0);
    newtons = 2.0;
    run(world, 0.1, 60.0, 4);
    cr_assert(fabs(velocity_of(world, body).x - 0.2) < 1e-9);
    tn_force_set_enabled(world, force, true);
    newtons = (double)INFINITY;
    run(world, 0.1, 60.0, 4);
    cr_assert(reports.count == 2);
    tn_world_destroy(world);
}

static void bad_slope(const tn_force_input *input, tn_force_output *out, void *context) {
    (void)input;
    out->force[0].x = 1.0;
    if (*(const double *)context > 0.0) {
        tn_force_output_add_slope(out, 3, 0, false);
    } else {
        out->slope_count = 1000;
    }
}

Test(force_misuse, slopes_between_connectors_that_are_not_there_are_told) {
    for (int i = 0; i < 2; ++i) {
        test_reports reports;
        tn_world *world = world_make(force_no_gravity, &reports);
        double kind = i;
        tn_force_def def = pull_def(body_make(world, 0, 0, 0, 1.0, 1.0), &kind);
        def.function = bad_slope;
        tn_force_create(world, &def);
        run(world, 0.1, 60.0, 4);
        cr_assert(reports.count == 1 && reports.last == TN_RESULT_NOT_FINITE);
        tn_world_destroy(world);
    }
    tn_force_output out;
    out.slope_count = TN_FORCE_MAX_SLOPES;
    cr_assert_null(tn_force_output_add_slope(&out, 0, 1, false));
    cr_assert_null(tn_force_output_add_slope(NULL, 0, 1, false));
}

typedef struct meddler {
    tn_world *world;
    tn_body_id body;
    tn_force_id force;
} meddler;

static void meddle(const tn_force_input *input, tn_force_output *out, void *context) {
    (void)input;
    (void)out;
    const meddler *it = context;
    tn_force_destroy(it->world, it->force);
    tn_body_destroy(it->world, it->body);
    tn_force_set_enabled(it->world, it->force, false);
    cr_assert(tn_world_step(it->world, 0.1, 1) == TN_RESULT_WORLD_LOCKED);
}

Test(force_misuse, a_callback_cannot_change_the_world) {
    test_reports reports;
    meddler it = {.world = world_make(force_no_gravity, &reports)};
    it.body = body_make(it.world, 0, 0, 0, 1.0, 1.0);
    tn_force_def def = pull_def(it.body, NULL);
    def.function = meddle;
    def.function_user_data = &it;
    it.force = tn_force_create(it.world, &def);
    run(it.world, 1.0 / 60.0, 60.0, 1);
    cr_assert(reports.count == 4 && reports.last == TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_force_is_valid(it.world, it.force) && tn_body_is_valid(it.world, it.body));
    tn_world_destroy(it.world);
}

// Each allocation of creation and of the first step fails in turn; what failed changed nothing.
Test(force_misuse, memory_that_runs_out_leaves_the_world_as_it_was) {
    for (int budget = 0; budget < 40; ++budget) {
        test_budget = 1000;
        tn_world_def settings = tn_world_def_default();
        settings.alloc = test_alloc;
        settings.free = test_free;
        tn_world *world = tn_world_create(&settings, NULL);
        tn_body_id body = box_make(world, (tn_vec3){0, 0, 0}, (tn_vec3){1, 1, 1}, 500.0f);
        test_budget = budget;
        double one = 1.0;
        tn_force_def def = pull_def(body, &one);
        tn_buoyancy_force_def water = tn_buoyancy_force_def_default();
        water.base.connectors[0].body = body;
        water.base.connector_count = 1;
        uint32_t made = tn_force_create(world, &def).value != 0 ? 1 : 0;
        made += tn_buoyancy_force_create(world, &water).value != 0 ? 1 : 0;
        cr_assert(tn_world_count_forces(world) == made);
        tn_result result = tn_world_step(world, 1.0 / 60.0, 2);
        cr_assert(result == TN_RESULT_OK || center_of(world, body).x == 0.0);
        test_budget = 1000;
        cr_assert(tn_world_step(world, 1.0 / 60.0, 2) == TN_RESULT_OK);
        tn_world_destroy(world);
    }
}
