// The way of two shapes: when they meet, and planes that are in nobody's way when they do not.
#include <criterion/criterion.h>
#include <math.h>

#include "collision/path/path.h"
#include "tests/collision/probe.h"

#define DT (1.0 / 60.0) // s

// ---- pairs ------------------------------------------------------------------------------------

static tni_path_end end_at(const tni_geometry *geometry, tni_dvec3 place, tni_dvec3 velocity) {
    tni_path_end end = {.geometry = geometry, .center = place, .position = place};
    end.rotation = maths_quat_identity();
    end.velocity = velocity;
    return end;
}

// How far the points of a shape reach from its middle.
static float get_reach(const tni_geometry *g) {
    switch (g->type) {
    case TNI_GEOMETRY_SPHERE:
        return g->sphere.radius;
    case TNI_GEOMETRY_CAPSULE:
        return g->capsule.half_length + g->capsule.radius;
    case TNI_GEOMETRY_BOX:
        return glms_vec3_norm(g->box.half_extents);
    default:
        return glms_vec3_norm(g->hull.hull->upper) + glms_vec3_norm(g->hull.hull->lower);
    }
}

static tni_path path_of(tni_path_end a, tni_path_end b) {
    tni_path path = {.a = a, .b = b, .origin = a.center, .dt = DT};
    path.tolerance = tni_path_get_tolerance(a.geometry, b.geometry);
    path.reach_speed = tni_path_get_turn_speed(&a, get_reach(a.geometry)) +
                       tni_path_get_turn_speed(&b, get_reach(b.geometry));
    double way = dvec3_length(dvec3_sub(a.velocity, b.velocity)) * DT;
    path.margin = (float)(way + path.reach_speed * DT + 0.02);
    return path;
}

static tni_path_meeting follow(const tni_path *path) {
    tni_manifold start;
    tni_path_look(path, 0.0, &start);
    tni_path_meeting meeting;
    tni_path_follow(path, &start, &meeting);
    if (!meeting.is_walked) {
        meeting.manifold = start;
    }
    return meeting;
}

// Without turning, the gap of each plane changes at the rate n.(v_a - v_b): it may be crossed
// neither at the start nor at the end, and then it is not between.
static void assert_in_nobodys_way(const tni_path *path, const tni_path_meeting *meeting) {
    tni_dvec3 n = dvec3_from_float(meeting->manifold.normal);
    double closing = dvec3_dot(n, dvec3_sub(path->a.velocity, path->b.velocity));
    for (uint32_t i = 0; i < meeting->manifold.point_count; ++i) {
        double start = (double)meeting->manifold.points[i].separation;
        double end = start - closing * path->dt;
        cr_assert(start > -path->tolerance - 1e-6, "%g m at the start", start);
        cr_assert(end > -1e-6, "%g m at the end", end);
    }
}

static double get_least_gap_on_the_way(const tni_path *path) {
    double least = HUGE_VAL;
    for (int i = 0; i <= 400; ++i) {
        tni_manifold manifold;
        least = fmin(least, tni_path_look(path, path->dt * i / 400.0, &manifold));
    }
    return least;
}

static void assert_finite(const tni_path_meeting *meeting) {
    cr_assert(isfinite(meeting->time) && isfinite(meeting->blow));
    cr_assert(maths_vec3_is_finite(meeting->manifold.normal));
    for (uint32_t i = 0; i < meeting->manifold.point_count; ++i) {
        cr_assert(isfinite(meeting->manifold.points[i].separation));
        cr_assert(maths_vec3_is_finite(meeting->manifold.points[i].position));
    }
}

// ---- balls: closed forms ----------------------------------------------------------------------

// Ball b passes ball a along x at a distance of `aside` between the ways of their middles.
static tni_path path_of_balls(const tni_geometry *a, const tni_geometry *b, double speed,
                              double aside) {
    tni_dvec3 place = dvec3_make(-0.5 * speed * DT, aside, 0.0);
    return path_of(end_at(a, dvec3_make(0.0, 0.0, 0.0), dvec3_make(0.0, 0.0, 0.0)),
                   end_at(b, place, dvec3_make(speed, 0.0, 0.0)));
}

Test(path, balls_that_miss_are_parted_by_a_plane_for_all_of_their_way) {
    tni_geometry a = probe_sphere(0.1f), b = probe_sphere(0.15f);
    const double clears[3] = {0.001, 0.003, 0.01}, speeds[3] = {10.0, 40.0, 200.0};
    for (int i = 0; i < 9; ++i) {
        tni_path path = path_of_balls(&a, &b, speeds[i % 3], 0.25 + clears[i / 3]);
        tni_path_meeting meeting = follow(&path);
        cr_assert_not(meeting.hits);
        cr_assert(meeting.blow == DT);
        assert_in_nobodys_way(&path, &meeting);
    }
}

// They meet where |d + u t| is the sum of their radii, at the normal along d + u t there.
Test(path, balls_that_meet_do_so_at_their_time_and_normal) {
    tni_geometry a = probe_sphere(0.1f), b = probe_sphere(0.15f);
    const double asides[4] = {0.0, 0.1, 0.2, 0.24}, speeds[2] = {40.0, 200.0};
    for (int i = 0; i < 8; ++i) {
        double speed = speeds[i / 4], aside = asides[i % 4], sum = 0.25;
        tni_path path = path_of_balls(&a, &b, speed, aside);
        tni_path_meeting meeting = follow(&path);
        cr_assert(meeting.hits && meeting.is_walked);
        double x = -sqrt(sum * sum - aside * aside), t = (0.5 * speed * DT + x) / speed;
        double closing = speed * -x / sum;
        // It stops where the balls are between a tolerance apart and two deep.
        cr_assert(fabs(meeting.time - t) <= 2.5 * path.tolerance / closing,
                  "at %g s, not %g: %g m off", meeting.time, t, closing * (meeting.time - t));
        cr_assert(meeting.blow == meeting.time);
        // The normal turns by (1 / closing) (speed / sum) for each metre of depth, at most.
        double turn = 2.5 * path.tolerance * speed / (closing * sum);
        cr_assert(fabs((double)meeting.manifold.normal.x - x / sum) <= turn + 1e-6);
        cr_assert(fabs((double)meeting.manifold.normal.y - aside / sum) <= turn + 1e-6);
        // In terms of the start the gap is right at the time of the meeting.
        double rate = -speed * (double)meeting.manifold.normal.x;
        double gap = (double)meeting.manifold.points[0].separation - rate * meeting.time;
        cr_assert(fabs(gap) < 2.5 * path.tolerance, "gap %g m", gap);
        cr_assert(fabs(meeting.offset.x - (0.5 * speed * DT - speed * meeting.time)) < 1e-9);
        cr_assert(fabs(meeting.offset.y + aside) < 1e-9);
    }
}

Test(path, only_the_relative_way_counts) {
    tni_geometry a = probe_sphere(0.1f), b = probe_sphere(0.15f);
    tni_path path = path_of_balls(&a, &b, 40.0, 0.2), carried = path;
    tni_dvec3 wind = dvec3_make(-300.0, 70.0, 20.0);
    carried.a.velocity = dvec3_add(path.a.velocity, wind);
    carried.b.velocity = dvec3_add(path.b.velocity, wind);
    tni_path_meeting still = follow(&path), moved = follow(&carried);
    cr_assert(fabs(still.time - moved.time) < 1e-6);
    cr_assert(fabsf(still.manifold.normal.y - moved.manifold.normal.y) < 1e-4f);
    cr_assert(fabsf(still.manifold.points[0].separation - moved.manifold.points[0].separation) <
              1e-5f);
    cr_assert(glms_vec3_distance(still.manifold.points[0].position,
                                 moved.manifold.points[0].position) < 2e-5f);
}

// ---- boxes over a seam ------------------------------------------------------------------------

// A box slides to the next tile, whose top it lies in by `depth`. The top carries, not the side
// that its front is going to cross.
static void assert_top_carries(double speed, double depth, bool is_exchanged) {
    tni_geometry tile = probe_box(0.5f, 0.5f, 0.5f), box = probe_box(0.25f, 0.25f, 0.25f);
    double before = fmin(0.5 * speed * DT, 0.1);
    tni_path_end floor = end_at(&tile, dvec3_make(0.5, -0.5, 0.0), dvec3_make(0.0, 0.0, 0.0));
    tni_path_end slider =
        end_at(&box, dvec3_make(-0.25 - before, 0.25 - depth, 0.1), dvec3_make(speed, 0.0, 0.0));
    tni_path path = is_exchanged ? path_of(slider, floor) : path_of(floor, slider);
    tni_path_meeting meeting = follow(&path);
    double up = is_exchanged ? -1.0 : 1.0;
    cr_assert(fabs((double)meeting.manifold.normal.y - up) < 1e-6,
              "%g m/s, %g m deep%s: normal (%g, %g, %g)", speed, depth,
              is_exchanged ? ", exchanged" : "", (double)meeting.manifold.normal.x,
              (double)meeting.manifold.normal.y, (double)meeting.manifold.normal.z);
    cr_assert(meeting.manifold.point_count > 0);
    for (uint32_t i = 0; i < meeting.manifold.point_count; ++i) {
        cr_assert(fabs((double)meeting.manifold.points[i].separation + depth) < 1e-6);
    }
}

Test(path, a_box_that_slides_to_a_level_tile_is_carried_by_its_top) {
    const double speeds[5] = {0.05, 0.3, 2.0, 7.0, 40.0}, depths[4] = {1e-6, 3.5e-5, 3e-4, 1.1e-3};
    for (int i = 0; i < 40; ++i) {
        assert_top_carries(speeds[i % 5], depths[i / 5 % 4], i / 20 == 1);
    }
}

Test(path, a_real_step_is_met_head_on) {
    tni_geometry step = probe_box(0.5f, 0.5f, 0.5f), box = probe_box(0.25f, 0.25f, 0.25f);
    for (int i = 0; i < 2; ++i) {
        tni_path_end b = end_at(&step, dvec3_make(0.5, -0.495, 0.0), dvec3_make(0.0, 0.0, 0.0));
        tni_path_end a =
            end_at(&box, dvec3_make(-0.3, 0.25 - 3.5e-5, 0.1), dvec3_make(7.0, 0.0, 0.0));
        tni_path path = i == 0 ? path_of(a, b) : path_of(b, a);
        tni_path_meeting meeting = follow(&path);
        cr_assert(meeting.hits);
        cr_assert(fabs((double)meeting.manifold.normal.x - (i == 0 ? 1.0 : -1.0)) < 1e-6);
        cr_assert(fabs((double)meeting.manifold.points[0].separation - 0.05) < 1e-5);
    }
}

// ---- what passes ------------------------------------------------------------------------------

// A shape that begins left of a block and below its top, and ends above it: neither the side, which
// it crosses later, nor the top, which it was behind at first, is in nobody's way.
static void assert_corner_is_passed(const tni_geometry *shape, double reach, double clear) {
    tni_geometry block = probe_box(0.5f, 0.5f, 0.5f);
    double c = sqrt(0.5), speed = 30.0, before = 0.5 * speed * DT;
    // Its lower right corner, or that of a ball's box, comes nearest at the middle of the step.
    bool is_ball = shape->type == TNI_GEOMETRY_SPHERE;
    double off = is_ball ? (reach + clear) * c : clear * c;
    double x = is_ball ? -off : -off - reach, y = is_ball ? off : off + reach;
    tni_path_end a = end_at(&block, dvec3_make(0.5, -0.5, 0.0), dvec3_make(0.0, 0.0, 0.0));
    tni_path_end b = end_at(shape, dvec3_make(x - c * before, y - c * before, 0.1),
                            dvec3_make(c * speed, c * speed, 0.0));
    tni_path path = path_of(a, b);
    cr_assert(get_least_gap_on_the_way(&path) > 0.9 * clear);
    tni_path_meeting meeting = follow(&path);
    cr_assert_not(meeting.hits);
    // Only planes of about the nearest approach are in nobody's way for the whole step: within
    // clear^2 / (speed dt / 2) of it, so many metres of the way. Twelve halvings may miss that of
    // 1 mm, and then there are no planes at all.
    cr_assert(meeting.manifold.point_count > 0 || clear < 0.002, "no guard at %g m", clear);
    assert_in_nobodys_way(&path, &meeting);
}

Test(path, a_slantwise_pass_is_guarded_by_the_plane_of_its_nearest_approach) {
    tni_geometry ball = probe_sphere(0.1f), box = probe_box(0.1f, 0.1f, 0.1f);
    const double clears[3] = {0.001, 0.003, 0.01};
    for (int i = 0; i < 3; ++i) {
        assert_corner_is_passed(&ball, 0.1, clears[i]);
        assert_corner_is_passed(&box, 0.1, clears[i]);
    }
}

// ---- turning ----------------------------------------------------------------------------------

Test(path, turning_about_the_axis_of_a_round_shape_moves_nothing) {
    tni_geometry ball = probe_sphere(0.1f), capsule = probe_capsule(0.3f, 0.1f);
    tni_geometry box = probe_box(0.1f, 0.1f, 0.1f);
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    tni_path_end end = end_at(&ball, zero, zero);
    end.angular_velocity = dvec3_make(0.0, 50.0, 0.0);
    cr_assert(tni_path_get_turn_speed(&end, 0.1f) == 0.0);
    end.geometry = &capsule;
    cr_assert(tni_path_get_turn_speed(&end, 0.4f) == 0.0);
    end.angular_velocity = dvec3_make(0.0, 0.0, 50.0);
    cr_assert(fabs(tni_path_get_turn_speed(&end, 0.4f) - 15.0) < 1e-5);
    end.geometry = &box;
    cr_assert(fabs(tni_path_get_turn_speed(&end, 0.2f) - 10.0) < 1e-5);
    // Off the centre of mass a ball goes round it.
    end.geometry = &ball;
    end.center = dvec3_make(0.2, 0.0, 0.0);
    cr_assert(fabs(tni_path_get_turn_speed(&end, 0.3f) - 10.0) < 1e-6);
}

Test(path, a_shape_turns_about_the_centre_of_mass_of_its_body) {
    tni_geometry box = probe_box(0.1f, 0.2f, 0.3f);
    tni_path_end end = end_at(&box, dvec3_make(1.0, 0.0, 0.0), dvec3_make(0.0, 0.0, 3.0));
    end.center = dvec3_make(1.5, 0.0, 0.0);
    end.angular_velocity = dvec3_make(0.0, 0.0, 0.5 * MATHS_PI);
    tni_path_end then = tni_path_end_move(&end, 1.0); // a quarter of a turn
    cr_assert(dvec3_length(dvec3_sub(then.position, dvec3_make(1.0, 0.0, 3.0))) < 1e-12);
    cr_assert(dvec3_length(dvec3_sub(then.center, dvec3_make(1.0, 0.5, 3.0))) < 1e-9);
    cr_assert(fabsf(then.rotation.raw[2] - sqrtf(0.5f)) < 1e-6f);
}

// A capsule lies at the height h over a floor and turns: the cap of its end meets the floor when
// half_length sin(w t) = h - radius.
Test(path, the_end_of_a_turning_stick_meets_the_floor_at_its_time) {
    tni_geometry floor = probe_box(2.0f, 0.5f, 2.0f), stick = probe_capsule(0.5f, 0.02f);
    const double heights[3] = {0.05, 0.1, 0.2};
    for (int i = 0; i < 3; ++i) {
        tni_path_end a = end_at(&floor, dvec3_make(0.0, -0.5, 0.0), dvec3_make(0.0, 0.0, 0.0));
        tni_path_end b =
            end_at(&stick, dvec3_make(0.0, heights[i], 0.0), dvec3_make(0.0, 0.0, 0.0));
        b.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.5 * MATHS_PI);
        b.angular_velocity = dvec3_make(0.0, 0.0, 40.0);
        tni_path path = path_of(a, b);
        double t = asin((heights[i] - 0.02) / 0.5) / 40.0;
        cr_assert(t < DT);
        tni_path_meeting meeting = follow(&path);
        cr_assert(meeting.hits);
        double least = 40.0 * 0.5 * cos(40.0 * t); // m/s: of the end where it meets
        cr_assert(fabs(meeting.time - t) < 3.0 * path.tolerance / least,
                  "%g m high: at %g s, not %g", heights[i], meeting.time, t);
        cr_assert(meeting.manifold.normal.y > 0.999f);
    }
}

// It turns by three quarters of a radian: by first order the end that leaves would have been in the
// floor.
Test(path, of_a_stick_that_turns_far_the_end_that_comes_is_met_and_not_the_one_that_leaves) {
    tni_geometry floor = probe_box(2.0f, 0.5f, 2.0f), stick = probe_capsule(0.5f, 0.02f);
    for (int i = 0; i < 3; ++i) {
        double tilt = 0.55 + 0.05 * i, height = 0.5 * sin(tilt) + 0.021;
        tni_path_end a = end_at(&floor, dvec3_make(0.0, -0.5, 0.0), dvec3_make(0.0, 0.0, 0.0));
        tni_path_end b = end_at(&stick, dvec3_make(0.0, height, 0.0), dvec3_make(0.0, -18.0, 0.0));
        b.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), tilt - 0.5 * MATHS_PI);
        b.angular_velocity = dvec3_make(0.0, 0.0, -45.0);
        tni_path path = path_of(a, b);
        tni_path_meeting meeting = follow(&path);
        cr_assert(meeting.hits && meeting.is_walked, "%g rad", tilt);
        cr_assert(meeting.manifold.point_count == 1 && meeting.manifold.points[0].position.x > 0.3f,
                  "%g rad: %u points", tilt, meeting.manifold.point_count);
    }
}

Test(path, the_end_of_a_turning_stick_that_stays_above_the_floor_meets_nothing) {
    tni_geometry floor = probe_box(2.0f, 0.5f, 2.0f), stick = probe_capsule(0.5f, 0.02f);
    tni_path_end a = end_at(&floor, dvec3_make(0.0, -0.5, 0.0), dvec3_make(0.0, 0.0, 0.0));
    tni_path_end b = end_at(&stick, dvec3_make(0.0, 0.53, 0.0), dvec3_make(0.0, 0.0, 0.0));
    b.angular_velocity = dvec3_make(0.0, 0.0, 40.0); // it stands, 10 mm clear
    tni_path path = path_of(a, b);
    cr_assert_not(follow(&path).hits);
}

// A box that tumbles past another, 1 mm clear or more: at the rates of what games throw no plane of
// the pair may be crossed at the end of the step, followed to first order as the solver does.
static double get_end_gap(const tni_path *path, const tni_path_meeting *meeting) {
    tni_dvec3 n = dvec3_from_float(meeting->manifold.normal);
    double least = 0.0;
    for (uint32_t i = 0; i < meeting->manifold.point_count; ++i) {
        const tni_manifold_point *p = &meeting->manifold.points[i];
        tni_dvec3 at = dvec3_add(path->origin, dvec3_from_float(p->position));
        tni_dvec3 r_b = dvec3_sub(at, path->b.position);
        if (meeting->is_walked) {
            r_b = dvec3_add(dvec3_sub(at, path->a.position), meeting->offset);
        }
        tni_dvec3 u = dvec3_sub(path->a.velocity, path->b.velocity);
        u = dvec3_sub(u, dvec3_cross(path->b.angular_velocity, r_b));
        least = fmin(least, (double)p->separation - dvec3_dot(n, u) * path->dt);
    }
    return least;
}

// ---- degenerate -------------------------------------------------------------------------------

Test(path, what_stands_still_keeps_the_planes_that_it_has) {
    tni_geometry box = probe_box(0.5f, 0.5f, 0.5f);
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    const double gaps[3] = {0.005, 0.0, -0.001};
    for (int i = 0; i < 3; ++i) {
        tni_path path = path_of(end_at(&box, zero, zero),
                                end_at(&box, dvec3_make(0.0, 1.0 + gaps[i], 0.0), zero));
        tni_path_meeting meeting = follow(&path);
        cr_assert_not(meeting.is_walked);
        cr_assert(meeting.manifold.point_count == 4);
        cr_assert(fabs((double)meeting.manifold.normal.y - 1.0) < 1e-6);
        assert_finite(&meeting);
    }
}

Test(path, a_deep_overlap_is_not_followed) {
    tni_geometry box = probe_box(0.5f, 0.5f, 0.5f);
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    tni_path path = path_of(end_at(&box, zero, zero),
                            end_at(&box, dvec3_make(0.0, 0.99, 0.0), dvec3_make(9.0, 0.0, 0.0)));
    tni_path_meeting meeting = follow(&path);
    cr_assert(meeting.hits);
    cr_assert_not(meeting.is_walked);
}

Test(path, middles_in_one_place_do_no_harm) {
    tni_geometry ball = probe_sphere(0.1f), box = probe_box(0.1f, 0.1f, 0.1f);
    tni_geometry capsule = probe_capsule(0.1f, 0.1f);
    const tni_geometry *shapes[3] = {&ball, &box, &capsule};
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 18; ++i) {
        tni_dvec3 velocity = dvec3_make(i / 9 * 20.0, 0.0, 0.0);
        tni_path path =
            path_of(end_at(shapes[i % 3], zero, zero), end_at(shapes[i / 3 % 3], zero, velocity));
        tni_path_meeting meeting = follow(&path);
        assert_finite(&meeting);
        cr_assert(meeting.hits || dvec3_length(velocity) == 0.0);
    }
}

// Head on through the very middle of the other.
Test(path, a_way_through_the_middle_does_no_harm) {
    tni_geometry ball = probe_sphere(0.1f);
    tni_path path = path_of_balls(&ball, &ball, 2000.0, 0.0);
    tni_path_meeting meeting = follow(&path);
    assert_finite(&meeting);
    cr_assert(meeting.hits);
    cr_assert(fabs((double)meeting.manifold.normal.x + 1.0) < 1e-4);
}

// ---- any pair ---------------------------------------------------------------------------------

static tni_geometry get_any_shape(probe_random *random) {
    switch (probe_below(random, 3)) {
    case 0:
        return probe_sphere(probe_between(random, 0.05f, 0.3f));
    case 1:
        return probe_capsule(probe_between(random, 0.05f, 0.4f),
                             probe_between(random, 0.05f, 0.2f));
    default:
        return probe_box(probe_between(random, 0.05f, 0.4f), probe_between(random, 0.05f, 0.4f),
                         probe_between(random, 0.05f, 0.4f));
    }
}

static tni_path path_of_any(probe_random *random, const tni_geometry *a, const tni_geometry *b) {
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    tni_dvec3 place = dvec3_scale(dvec3_from_float(probe_direction(random)),
                                  (double)probe_between(random, 0.5f, 1.5f));
    tni_dvec3 velocity = dvec3_scale(dvec3_from_float(probe_direction(random)), 30.0);
    velocity = dvec3_add_scaled(velocity, -50.0, place); // toward the other, more or less
    tni_path_end end_a = end_at(a, zero, zero), end_b = end_at(b, place, velocity);
    end_a.rotation = probe_rotation(random);
    end_b.rotation = probe_rotation(random);
    return path_of(end_a, end_b);
}

Test(path, any_pair_that_goes_straight_meets_or_is_parted) {
    probe_random random = {0x5eed1234u};
    int met = 0, passed = 0;
    for (int i = 0; i < 400; ++i) {
        tni_geometry a = get_any_shape(&random), b = get_any_shape(&random);
        tni_path path = path_of_any(&random, &a, &b);
        tni_manifold start;
        if (tni_path_look(&path, 0.0, &start) < 0.01) {
            continue;
        }
        double least = get_least_gap_on_the_way(&path);
        tni_path_meeting meeting = follow(&path);
        assert_finite(&meeting);
        if (least > 1e-3) {
            cr_assert_not(meeting.hits, "pair %d, %g m apart", i, least);
            assert_in_nobodys_way(&path, &meeting);
            passed += 1;
        } else if (least < -4.0 * path.tolerance) {
            cr_assert(meeting.hits, "pair %d, %g m deep", i, least);
            met += 1;
        }
    }
    cr_assert(met > 60 && passed > 60, "%d met, %d passed", met, passed);
}

Test(path, any_pair_that_passes_tumbling_is_not_held_up) {
    const double spins[3] = {1.0, 10.0, 30.0}; // rad/s
    probe_random random = {0x5eed1234u};
    int passed = 0;
    for (int i = 0; i < 900; ++i) {
        tni_geometry a = get_any_shape(&random), b = get_any_shape(&random);
        tni_path path = path_of_any(&random, &a, &b);
        path.b.angular_velocity =
            dvec3_scale(dvec3_from_float(probe_direction(&random)), spins[i % 3]);
        path = path_of(path.a, path.b);
        tni_manifold start;
        if (tni_path_look(&path, 0.0, &start) < 1e-3 || get_least_gap_on_the_way(&path) < 1e-3) {
            continue;
        }
        tni_path_meeting meeting = follow(&path);
        cr_assert_not(meeting.hits, "pair %d", i);
        double gap = get_end_gap(&path, &meeting);
        cr_assert(gap > -1e-6, "pair %d, %g rad/s: held up by %g m", i, spins[i % 3], -gap);
        passed += 1;
    }
    cr_assert(passed > 200, "%d passed", passed);
}
