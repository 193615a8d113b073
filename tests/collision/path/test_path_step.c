// How long a plane parts two shapes that move and turn: never too long.
#include <criterion/criterion.h>
#include <math.h>

#include "collision/path/path_step.h"

#define DT    (1.0 / 60.0) // s
#define DEPTH 1e-3         // m

static float next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f; // -1 to 1
}

static tni_dvec3 random_vector(uint32_t *seed, double size) {
    double x = (double)next_random(seed), y = (double)next_random(seed);
    return dvec3_make(size * x, size * y, size * (double)next_random(seed));
}

static tni_path_end random_end(const tni_geometry *geometry, tni_dvec3 place, double speed,
                               double spin, uint32_t *seed) {
    tni_path_end end = {.geometry = geometry, .center = place};
    tni_dvec3 turn = random_vector(seed, 2.0);
    end.rotation = maths_quat_normalize(dquat_to_float(dquat_cayley(turn)));
    end.position = dvec3_add(place, random_vector(seed, 0.1));
    end.velocity = random_vector(seed, speed);
    end.angular_velocity = random_vector(seed, spin);
    return end;
}

static tni_geometry box_of(float x, float y, float z) {
    tni_geometry box = {.type = TNI_GEOMETRY_BOX};
    box.box.half_extents = maths_vec3(x, y, z);
    box.rotation = maths_quat_identity();
    return box;
}

static tni_geometry capsule_of(float half_length, float radius) {
    tni_geometry capsule = {.type = TNI_GEOMETRY_CAPSULE};
    capsule.capsule.half_length = half_length;
    capsule.capsule.radius = radius;
    capsule.rotation = maths_quat_identity();
    return capsule;
}

// The farthest that a shape, `t` later, reaches along n from the origin: its corners, and its ends
// with their radius.
static double get_top(const tni_path_end *end, double t, tni_dvec3 n) {
    tni_path_end then = tni_path_end_move(end, t);
    const tni_geometry *g = end->geometry;
    bool is_box = g->type == TNI_GEOMETRY_BOX;
    vec3s h = is_box ? g->box.half_extents : maths_vec3(0.0f, g->capsule.half_length, 0.0f);
    double most = -HUGE_VAL;
    for (int corner = 0; corner < 8; ++corner) {
        vec3s local = maths_vec3((corner & 1) != 0 ? h.x : -h.x, (corner & 2) != 0 ? h.y : -h.y,
                                 (corner & 4) != 0 ? h.z : -h.z);
        tni_dvec3 arm = dvec3_from_float(maths_rotate(then.rotation, local));
        most = fmax(most, dvec3_dot(n, dvec3_add(then.center, arm)));
    }
    return most + (is_box ? 0.0 : (double)g->capsule.radius);
}

static double get_gap(const tni_path *path, double t, tni_dvec3 n) {
    return -get_top(&path->b, t, dvec3_scale(n, -1.0)) - get_top(&path->a, t, n);
}

static void assert_step(const tni_geometry *a, const tni_geometry *b, double spin, uint32_t *seed) {
    tni_path path = {.dt = DT};
    path.a = random_end(a, dvec3_make(0.0, 0.0, 0.0), 20.0, spin, seed);
    path.b = random_end(b, dvec3_add(dvec3_make(0.0, 1.2, 0.0), random_vector(seed, 0.3)), 20.0,
                        spin, seed);
    path.reach_speed =
        tni_path_get_turn_speed(&path.a, 0.9f) + tni_path_get_turn_speed(&path.b, 0.9f);
    tni_dvec3 n = dvec3_make(0.0, 1.0, 0.0);
    double start = 0.2 * DT;
    if (get_gap(&path, start, n) < 0.0) {
        return;
    }
    double step = tni_path_get_step(&path, start, dvec3_to_float(n), DEPTH);
    cr_assert(step >= 0.0 && step <= DT - start + 1e-12);
    for (int i = 0; i <= 50; ++i) {
        double gap = get_gap(&path, start + step * i / 50.0, n);
        cr_assert(gap > -DEPTH - 1e-5, "%g m deep after %d of 50 of the step", -gap, i);
    }
    double left = get_gap(&path, start + step, n);
    cr_assert(spin > 0.0 || step > DT - start - 1e-9 || left < 0.0, "%g m are left", left);
}

static void assert_steps(double spin) {
    tni_geometry box = box_of(0.4f, 0.2f, 0.5f), capsule = capsule_of(0.4f, 0.15f);
    uint32_t seed = 5;
    for (int i = 0; i < 300; ++i) {
        assert_step(&box, &box, spin, &seed);
        assert_step(&box, &capsule, spin, &seed);
        assert_step(&capsule, &capsule, spin, &seed);
    }
}

Test(path_step, a_plane_parts_what_turns_for_as_long_as_it_says) {
    assert_steps(15.0);
}

Test(path_step, a_plane_parts_what_goes_straight_up_to_the_hit) {
    assert_steps(0.0);
}

Test(path_step, nothing_is_said_of_half_spaces) {
    tni_geometry ball = {.type = TNI_GEOMETRY_SPHERE}, plane = {.type = TNI_GEOMETRY_HALF_SPACE};
    ball.sphere.radius = 0.5f;
    uint32_t seed = 3;
    tni_path path = {.dt = DT};
    path.a = random_end(&plane, dvec3_make(0.0, 0.0, 0.0), 0.0, 0.0, &seed);
    path.b = random_end(&ball, dvec3_make(0.0, 2.0, 0.0), 1.0, 1.0, &seed);
    cr_assert(tni_path_get_step(&path, 0.0, maths_vec3(0.0f, 1.0f, 0.0f), DEPTH) == 0.0);
}
