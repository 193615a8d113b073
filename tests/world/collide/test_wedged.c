// A body that begins in two things that do not move, which push it against each other: no place is
// free of both, or none nearby, and friction holds it there. It may be pushed out, and not thrown.
#include "tests/support/long_test.h"
#include "tests/world/collide/contact_world.h"

#define WEDGED_SEEDS 200
#define WEDGED_STEPS 200
// m/s, beside its fall. Sweeps that pull at both sides leave up to 46; before, it was 600.
#define WEDGED_SPEED 60.0
#define WEDGED_ARM   0.3 // m, by which a spin counts

typedef struct wedged {
    uint64_t state; // of the numbers
    tn_world *world;
    tn_body_id body;
} wedged;

static double wedged_get(wedged *w, double from, double to) {
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    return from + (double)(w->state >> 11) / 9007199254740992.0 * (to - from);
}

static tn_vec3 wedged_get_vector(wedged *w, double size) {
    double x = wedged_get(w, -size, size), y = wedged_get(w, -size, size);
    return (tn_vec3){x, y, wedged_get(w, -size, size)};
}

static void wedged_add_shape(wedged *w, tn_body_id body) {
    tn_shape_def def = tn_shape_def_default();
    def.density = (float)pow(10.0, wedged_get(w, 1.5, 3.5));
    def.material.friction = (float)wedged_get(w, 0.0, 1.0);
    double size = wedged_get(w, 0.1, 0.5), other = wedged_get(w, 0.1, 0.5);
    switch ((int)wedged_get(w, 0.0, 5.999)) {
    case 0:
        tn_box_shape_create(w->world, body, &def, (tn_vec3){size, other, 0.3});
        break;
    case 1:
        tn_capsule_shape_create(w->world, body, &def, (float)size, (float)other);
        break;
    case 2:
        tn_cylinder_shape_create(w->world, body, &def, (float)size, (float)other);
        break;
    case 3:
        tn_ellipsoid_shape_create(w->world, body, &def, (tn_vec3){size, other, 0.3});
        break;
    case 4:
        tn_cone_shape_create(w->world, body, &def, (float)size, (float)other);
        break;
    default:
        tn_sphere_shape_create(w->world, body, &def, (float)size);
        break;
    }
}

static void wedged_build(wedged *w) {
    w->world = contact_world_create(9.81);
    for (int i = 0; i < 3; ++i) {
        tn_vec3 at = wedged_get_vector(w, i == 0 ? 0.0 : 0.5), axis = wedged_get_vector(w, 1.0);
        tn_body_def def = tn_body_def_default();
        def.type = i == 0 ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC;
        def.pose = (tn_pose){at, {axis.x, axis.y, axis.z, 1.5}};
        tn_body_id body = tn_body_create(w->world, &def);
        wedged_add_shape(w, body);
        w->body = i == 0 ? body : w->body;
    }
}

// Returns the highest speed, without what the fall may give.
static double wedged_get_speed(const wedged *w, double time) {
    tn_velocity v = tn_body_get_velocity(w->world, w->body);
    double speed =
        sqrt(v.linear.x * v.linear.x + v.linear.y * v.linear.y + v.linear.z * v.linear.z);
    double spin =
        sqrt(v.angular.x * v.angular.x + v.angular.y * v.angular.y + v.angular.z * v.angular.z);
    return fmax(speed - 9.81 * time, WEDGED_ARM * spin);
}

// Rates and substeps of 0 change from step to step.
static void assert_nothing_is_thrown(double rate, uint32_t count) {
    static const double rates[] = {30.0, 60.0, 60.0, 120.0, 240.0};
    for (uint64_t seed = 1; seed <= WEDGED_SEEDS; ++seed) {
        wedged w = {.state = 77777u * seed + 5u};
        wedged_build(&w);
        double time = 0.0;
        for (int i = 0; i < WEDGED_STEPS; ++i) {
            double hz = rate > 0.0 ? rate : rates[(int)wedged_get(&w, 0.0, 4.999)];
            uint32_t substeps = count > 0 ? count : 1 + (uint32_t)wedged_get(&w, 0.0, 7.999);
            cr_assert(tn_world_step(w.world, 1.0 / hz, substeps) == TN_RESULT_OK);
            time += 1.0 / hz;
            double speed = wedged_get_speed(&w, time);
            cr_assert(speed < WEDGED_SPEED, "seed %d, step %d, %g Hz x %u: %g m/s", (int)seed, i,
                      hz, substeps, speed);
        }
        tn_world_destroy(w.world);
    }
}

// A stack of one body was solved at once, with 2,000 m/s of push from each side.
LONG_TEST(wedged, a_body_between_two_walls_is_not_thrown_out) {
    assert_nothing_is_thrown(60.0, 4);
    assert_nothing_is_thrown(60.0, 1);
    assert_nothing_is_thrown(240.0, 4);
}

// Pushes out of an overlap are the larger the shorter a substep is: a long one does not begin with
// what many short ones would have.
LONG_TEST(wedged, nor_when_steps_change_their_length) {
    assert_nothing_is_thrown(0.0, 0);
}
