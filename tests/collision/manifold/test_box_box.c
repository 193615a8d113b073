// Boxes: what a resting, stacked, tilted, thin or huge box must get from the narrow phase.
#include <criterion/criterion.h>
#include <string.h>

#include "collision/narrow.h"
#include "tests/collision/probe.h"

typedef struct pair {
    tni_geometry a, b;
    tni_frame frame_a, frame_b;
    tni_manifold_cache cache;
} pair;

static tni_manifold compute(pair *p, float margin) {
    tni_manifold manifold;
    tni_manifold_compute(&p->a, &p->frame_a, &p->b, &p->frame_b, margin, &p->cache, &manifold);
    return manifold;
}

static pair box_on_box(vec3s half_a, vec3s half_b, float gap) {
    pair p = {probe_box(half_a.x, half_a.y, half_a.z),
              probe_box(half_b.x, half_b.y, half_b.z),
              probe_frame(0.0f, -half_a.y, 0.0f),
              probe_frame(0.0f, half_b.y + gap, 0.0f),
              {0}};
    return p;
}

static bool has_feature(const tni_manifold *m, uint32_t feature) {
    for (uint32_t i = 0; i < m->point_count; ++i) {
        if (m->points[i].feature == feature) {
            return true;
        }
    }
    return false;
}

static void assert_same_features(const tni_manifold *a, const tni_manifold *b) {
    cr_assert_eq(a->point_count, b->point_count);
    for (uint32_t i = 0; i < a->point_count; ++i) {
        cr_assert(has_feature(b, a->points[i].feature));
    }
}

static void tremble(probe_random *random, tni_frame *frame, float size) {
    frame->position = glms_vec3_add(frame->position, probe_vec(random, size));
    vec3s r = probe_vec(random, 0.5f * size);
    frame->rotation =
        maths_quat_normalize(maths_quat_mul(maths_quat(r.x, r.y, r.z, 1.0f), frame->rotation));
}

Test(box_box, a_resting_box_has_its_four_corners_step_after_step) {
    const vec3s halves[][2] = {
        {{{50.0f, 0.5f, 50.0f}}, {{0.5f, 0.5f, 0.5f}}},     // a floor
        {{{0.5f, 0.5f, 0.5f}}, {{0.5f, 0.5f, 0.5f}}},       // a stack of equals
        {{{0.5f, 0.5f, 0.5f}}, {{0.4f, 0.1f, 0.3f}}},       // a smaller one
        {{{0.4f, 0.1f, 0.3f}}, {{0.5f, 0.5f, 0.5f}}},       // a larger one
        {{{5.0f, 0.5f, 5.0f}}, {{0.5f, 0.005f, 0.5f}}},     // a plate of a centimetre
        {{{5.0f, 0.5f, 5.0f}}, {{0.01f, 0.05f, 0.025f}}},   // a domino, 2 cm thin
        {{{20.0f, 0.5f, 20.0f}}, {{6.0f, 0.025f, 0.025f}}}, // a beam, 12 m by 5 cm
    };
    probe_random random = {3};
    for (size_t k = 0; k < sizeof halves / sizeof halves[0]; ++k) {
        pair p = box_on_box(halves[k][0], halves[k][1], -1e-3f);
        tni_manifold first = compute(&p, 0.02f);
        cr_assert_eq(first.point_count, 4, "case %zu", k);
        cr_assert_float_eq(first.normal.y, 1.0f, 1e-6f);
        tni_frame rest = p.frame_b;
        for (int step = 0; step < 500; ++step) {
            p.frame_b = rest;
            tremble(&random, &p.frame_b, 2e-5f);
            tni_manifold m = compute(&p, 0.02f);
            assert_same_features(&first, &m);
            for (uint32_t i = 0; i < 4; ++i) {
                // A turn of 2e-5 lifts the end of 6 m by 1.2e-4.
                cr_assert_float_eq(m.points[i].separation, -1e-3f, 2.5e-4f);
            }
        }
    }
}

Test(box_box, corners_of_a_box_on_a_huge_floor_are_exact) {
    probe_random random = {5};
    for (int round = 0; round < 300; ++round) {
        pair p = box_on_box(maths_vec3(50.0f, 0.5f, 50.0f), maths_vec3(0.5f, 0.5f, 0.5f), 0.0f);
        float gap = probe_between(&random, -0.01f, 0.015f);
        // The pair's origin is near the small box; the floor's middle is up to 60 m away.
        p.frame_a.position = maths_vec3(probe_between(&random, -45.0f, 45.0f), -0.5f,
                                        probe_between(&random, -45.0f, 45.0f));
        p.frame_b.position = maths_vec3(0.0f, 0.5f + gap, 0.0f);
        p.frame_b.rotation = probe_turn(maths_vec3(0.0f, 1.0f, 0.0f), 6.0 * probe_unit(&random));
        tni_manifold m = compute(&p, 0.02f);
        cr_assert_eq(m.point_count, 4);
        for (uint32_t i = 0; i < 4; ++i) {
            cr_assert_float_eq(m.points[i].separation, gap, 2e-6f);
            cr_assert_float_eq(m.points[i].position.y, 0.5f * gap, 5e-6f);
            float radius = sqrtf(m.points[i].position.x * m.points[i].position.x +
                                 m.points[i].position.z * m.points[i].position.z);
            cr_assert_float_eq(radius, sqrtf(0.5f), 1e-5f);
        }
    }
}

Test(box_box, on_a_tilted_huge_floor_the_round_off_stays_below_twenty_micrometres) {
    probe_random random = {6};
    for (int round = 0; round < 300; ++round) {
        pair p = box_on_box(maths_vec3(50.0f, 0.5f, 50.0f), maths_vec3(0.5f, 0.5f, 0.5f), 0.0f);
        versors tilt = probe_turn(probe_direction(&random), 0.5);
        vec3s local = maths_vec3(probe_between(&random, -45.0f, 45.0f), 1.001f,
                                 probe_between(&random, -45.0f, 45.0f));
        p.frame_a.rotation = p.frame_b.rotation = tilt;
        p.frame_b.position = maths_vec3_zero();
        p.frame_a.position = glms_vec3_negate(maths_rotate(tilt, local));
        tni_manifold m = compute(&p, 0.02f);
        cr_assert_eq(m.point_count, 4);
        for (uint32_t i = 0; i < 4; ++i) {
            cr_assert_float_eq(m.points[i].separation, 1e-3f, 2e-5f);
        }
    }
}

Test(box_box, a_box_on_its_edge_has_two_points) {
    float h = 0.5f, d = h * sqrtf(2.0f);
    pair p = box_on_box(maths_vec3(5.0f, 0.5f, 5.0f), maths_vec3(h, h, h), 0.0f);
    p.frame_b.position = maths_vec3(0.0f, d - 1e-3f, 0.0f);
    p.frame_b.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.25 * MATHS_PI);
    tni_manifold first = compute(&p, 0.02f);
    cr_assert_eq(first.point_count, 2);
    probe_random random = {8};
    tni_frame rest = p.frame_b;
    for (int step = 0; step < 300; ++step) {
        // Which of the two faces at the edge is the incident one changes; the corners do not.
        p.frame_b = rest;
        tremble(&random, &p.frame_b, 1e-4f);
        tni_manifold m = compute(&p, 0.02f);
        assert_same_features(&first, &m);
        for (uint32_t i = 0; i < 2; ++i) {
            cr_assert_float_eq(fabsf(m.points[i].position.z), h, 1e-3f);
            cr_assert_float_eq(m.points[i].separation, -1e-3f, 3e-4f);
        }
    }
}

Test(box_box, a_box_on_its_corner_has_one_point) {
    pair p = box_on_box(maths_vec3(5.0f, 0.5f, 5.0f), maths_vec3(0.5f, 0.5f, 0.5f), 0.0f);
    vec3s diagonal = glms_vec3_normalize(maths_vec3(1.0f, 1.0f, 1.0f));
    p.frame_b.rotation = maths_quat_between(diagonal, maths_vec3(0.0f, -1.0f, 0.0f));
    p.frame_b.position = maths_vec3(0.3f, 0.5f * sqrtf(3.0f) - 0.002f, 0.2f);
    tni_manifold m = compute(&p, 0.02f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.points[0].separation, -0.002f, 1e-5f);
    cr_assert_float_eq(m.points[0].position.x, 0.3f, 1e-5f);
}

Test(box_box, crossed_edges_touch_in_one_point_between_them) {
    // Two bars turned onto their edges, one over the other, at right angles.
    pair p = box_on_box(maths_vec3(1.0f, 0.1f, 0.1f), maths_vec3(0.1f, 0.1f, 1.0f), 0.0f);
    float d = 0.1f * sqrtf(2.0f);
    p.frame_a.position = maths_vec3_zero();
    p.frame_a.rotation = probe_turn(maths_vec3(1.0f, 0.0f, 0.0f), 0.25 * MATHS_PI);
    p.frame_b.rotation = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), 0.25 * MATHS_PI);
    const float gaps[] = {-0.005f, -0.001f, 0.0f, 0.001f, 0.01f};
    uint32_t feature = 0;
    for (int k = 0; k < 5; ++k) {
        p.frame_b.position = maths_vec3(0.3f, 2.0f * d + gaps[k], -0.2f);
        tni_manifold m = compute(&p, 0.02f);
        cr_assert_eq(m.point_count, 1);
        cr_assert_float_eq(m.points[0].separation, gaps[k], 1e-5f);
        cr_assert_float_eq(m.normal.y, 1.0f, 1e-5f);
        cr_assert_float_eq(m.points[0].position.x, 0.3f, 1e-4f);
        cr_assert_float_eq(m.points[0].position.z, 0.0f, 1e-4f);
        cr_assert(k == 0 || m.points[0].feature == feature);
        feature = m.points[0].feature;
    }
}

Test(box_box, a_brick_across_a_joint_has_two_corners_and_two_crossings) {
    pair p = box_on_box(maths_vec3(0.5f, 0.5f, 0.5f), maths_vec3(0.5f, 0.5f, 0.5f), -1e-3f);
    p.frame_b.position.x = 0.5f;
    tni_manifold first = compute(&p, 0.02f);
    cr_assert_eq(first.point_count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        float x = first.points[i].position.x;
        cr_assert(fabsf(x) < 1e-5f || fabsf(x - 0.5f) < 1e-5f);
        cr_assert_float_eq(fabsf(first.points[i].position.z), 0.5f, 1e-5f);
    }
    probe_random random = {21};
    tni_frame rest = p.frame_b;
    for (int step = 0; step < 300; ++step) {
        p.frame_b = rest;
        tremble(&random, &p.frame_b, 5e-5f);
        tni_manifold m = compute(&p, 0.02f);
        assert_same_features(&first, &m);
    }
}

// The two boxes of a stack have equal faces: whichever is the reference, the names are the same.
Test(box_box, features_do_not_depend_on_the_reference_face) {
    probe_random random = {22};
    for (int round = 0; round < 500; ++round) {
        pair p = box_on_box(maths_vec3(0.5f, 0.5f, 0.5f), maths_vec3(0.5f, 0.5f, 0.5f), -1e-3f);
        // Not within the millimetre in which a corner counts as lying on the other box's side.
        float x = probe_between(&random, 0.01f, 0.4f), z = probe_between(&random, 0.01f, 0.4f);
        p.frame_b.position.x = round % 2 == 0 ? x : -x;
        p.frame_b.position.z = round % 3 == 0 ? z : -z;
        pair q = p;
        p.cache = (tni_manifold_cache){1, 1, 0};
        q.cache = (tni_manifold_cache){2, 0, 1};
        tni_manifold m = compute(&p, 0.02f), n = compute(&q, 0.02f);
        cr_assert_eq(p.cache.axis_kind, 1);
        cr_assert_eq(q.cache.axis_kind, 2);
        assert_same_features(&m, &n);
    }
}

Test(box_box, a_falling_box_is_seen_within_the_margin_only) {
    for (int k = 0; k < 60; ++k) {
        float gap = 0.005f * (float)k;
        pair p = box_on_box(maths_vec3(50.0f, 0.5f, 50.0f), maths_vec3(0.02f, 0.02f, 0.02f), gap);
        tni_manifold m = compute(&p, 0.1501f);
        cr_assert_eq(m.point_count, gap <= 0.1501f ? 4 : 0, "gap %g", (double)gap);
        for (uint32_t i = 0; i < m.point_count; ++i) {
            // The lower face, although the upper one is within the margin too.
            cr_assert_float_eq(m.points[i].separation, gap, 1e-5f);
        }
    }
}

Test(box_box, corner_past_corner_gives_the_true_distance) {
    // Diagonally apart: no face looks at the other box.
    pair p = box_on_box(maths_vec3(0.5f, 0.5f, 0.5f), maths_vec3(0.5f, 0.5f, 0.5f), 0.0f);
    p.frame_a.position = maths_vec3_zero();
    p.frame_b.position = maths_vec3(1.03f, 1.03f, 1.03f);
    float distance = 0.03f * sqrtf(3.0f);
    tni_manifold m = compute(&p, 0.1f);
    cr_assert_eq(m.point_count, 1);
    cr_assert_float_eq(m.points[0].separation, distance, 1e-5f);
    cr_assert_float_eq(m.normal.x, 1.0f / sqrtf(3.0f), 1e-4f);
    cr_assert_eq(compute(&p, 0.05f).point_count, 0);
    // The separating direction is remembered, and let go when the boxes come near.
    cr_assert_eq(compute(&p, 0.05f).point_count, 0);
    cr_assert_eq(compute(&p, 0.06f).point_count, 1);
}

Test(box_box, leaning_dominoes_meet_edge_on_face) {
    pair p = {probe_box(0.01f, 0.05f, 0.025f),
              probe_box(0.01f, 0.05f, 0.025f),
              probe_frame(0.0f, 0.05f, 0.0f),
              probe_frame(0.045f, 0.05f, 0.0f),
              {0}};
    // The first leans over until its upper edge meets the second.
    double lean = 0.3;
    versors q = probe_turn(maths_vec3(0.0f, 0.0f, 1.0f), -lean);
    vec3s pivot = maths_vec3(0.01f, 0.0f, 0.0f);
    p.frame_a.rotation = q;
    p.frame_a.position = glms_vec3_add(pivot, maths_rotate(q, maths_vec3(-0.01f, 0.05f, 0.0f)));
    vec3s top = glms_vec3_add(pivot, maths_rotate(q, maths_vec3(0.0f, 0.1f, 0.0f)));
    p.frame_b.position.x = top.x + 0.01f - 1e-4f;
    tni_manifold m = compute(&p, 0.002f);
    cr_assert_eq(m.point_count, 2);
    cr_assert_float_eq(m.normal.x, 1.0f, 1e-5f);
    for (uint32_t i = 0; i < 2; ++i) {
        cr_assert_float_eq(m.points[i].separation, -1e-4f, 1e-6f);
        cr_assert_float_eq(m.points[i].position.y, top.y, 1e-4f);
        cr_assert_float_eq(fabsf(m.points[i].position.z), 0.025f, 1e-6f);
    }
}

Test(box_box, deep_overlap_leaves_by_the_nearest_face) {
    pair p = box_on_box(maths_vec3(1.0f, 1.0f, 1.0f), maths_vec3(0.3f, 0.3f, 0.3f), 0.0f);
    p.frame_a.position = maths_vec3_zero();
    p.frame_b.position = maths_vec3(0.6f, 0.1f, -0.2f);
    tni_manifold m = compute(&p, 0.02f);
    cr_assert_eq(m.point_count, 4);
    cr_assert_float_eq(m.normal.x, 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -0.7f, 1e-5f);
}

Test(box_box, concentric_boxes_have_a_finite_manifold) {
    pair p = box_on_box(maths_vec3(0.5f, 0.5f, 0.5f), maths_vec3(0.5f, 0.5f, 0.5f), 0.0f);
    p.frame_a.position = p.frame_b.position = maths_vec3_zero();
    tni_manifold m = compute(&p, 0.02f);
    cr_assert_gt(m.point_count, 0);
    cr_assert_float_eq(glms_vec3_norm(m.normal), 1.0f, 1e-6f);
    cr_assert_float_eq(m.points[0].separation, -1.0f, 1e-5f);
}

// The same face clipped side by side (clip.c), with the boxes as hulls.
static tni_manifold clip_as_hulls(const pair *p, float margin) {
    tni_box_hull a, b;
    tni_box_hull_set(&a, p->a.box.half_extents);
    tni_box_hull_set(&b, p->b.box.half_extents);
    tni_relative relative;
    relative.basis = basis_from_quat(
        maths_quat_mul(maths_quat_conjugate(p->frame_a.rotation), p->frame_b.rotation));
    relative.position = maths_rotate_inverse(
        p->frame_a.rotation, glms_vec3_sub(p->frame_b.position, p->frame_a.position));
    bool is_of_a = p->cache.axis_kind == NARROW_AXIS_FACE_A;
    if (!is_of_a) {
        relative = relative_invert(&relative);
    }
    const tni_hull *reference = is_of_a ? &a.hull : &b.hull;
    const tni_hull *incident = is_of_a ? &b.hull : &a.hull;
    uint32_t k = is_of_a ? p->cache.index_a : p->cache.index_b;
    uint32_t face = 2 * k + (relative.position.raw[k] > 0.0f ? 1 : 0);
    vec3s normal = basis_mul_transposed(&relative.basis, reference->planes[face].normal);
    uint32_t support = 0;
    for (uint32_t v = 1; v < 8; ++v) {
        if (narrow_dot(incident->vertices[v], normal) <
            narrow_dot(incident->vertices[support], normal)) {
            support = v;
        }
    }
    tni_manifold manifold;
    tni_clip_faces(reference, face, incident, support, &relative, is_of_a, margin, &manifold);
    return manifold;
}

static bool has_point_like(const tni_manifold *m, const tni_manifold_point *point) {
    for (uint32_t i = 0; i < m->point_count; ++i) {
        if (m->points[i].feature == point->feature) {
            return fabsf(m->points[i].separation - point->separation) < 2e-4f;
        }
    }
    return false;
}

static float get_least(const tni_manifold *m) {
    float least = FLT_MAX;
    for (uint32_t i = 0; i < m->point_count; ++i) {
        least = maths_min(least, m->points[i].separation);
    }
    return least;
}

// Two ways to clip. Where a corner lies within the tolerance of a side they may name it otherwise,
// and of more than four points they may keep others.
Test(box_box, clipping_in_lanes_finds_what_clipping_side_by_side_finds) {
    probe_random random = {31};
    uint32_t faces = 0, points = 0, others = 0;
    for (int round = 0; round < 40000; ++round) {
        pair p = {.a = probe_box(probe_between(&random, 0.2f, 0.5f), 0.4f, 0.3f),
                  .b = probe_box(0.3f, probe_between(&random, 0.1f, 0.5f), 0.4f)};
        p.frame_a = (tni_frame){probe_vec(&random, 0.1f), probe_rotation(&random)};
        p.frame_b = (tni_frame){probe_vec(&random, 0.9f), probe_rotation(&random)};
        tni_manifold m = compute(&p, 0.05f);
        bool is_face =
            p.cache.axis_kind == NARROW_AXIS_FACE_A || p.cache.axis_kind == NARROW_AXIS_FACE_B;
        bool is_whole = m.point_count > 0 && m.point_count < TNI_MANIFOLD_MAX_POINTS;
        // Across a gap the closest points may come from elsewhere (gap.c).
        if (!is_face || !is_whole || get_least(&m) > 0.0f) {
            continue;
        }
        tni_manifold wanted = clip_as_hulls(&p, 0.05f);
        faces += 1;
        points += wanted.point_count;
        others += wanted.point_count == m.point_count ? 0 : 1;
        for (uint32_t i = 0; i < m.point_count; ++i) {
            others += has_point_like(&wanted, &m.points[i]) ? 0 : 1;
        }
    }
    cr_assert(faces > 2000, "%u", faces);
    cr_assert(others < points / 1000, "%u of %u", others, points);
}

static tni_oriented_box orient(const tni_geometry *g, const tni_frame *frame) {
    tni_oriented_box box;
    tni_oriented_box_set(&box, frame->rotation, g->box.half_extents);
    return box;
}

Test(box_box, boxes_in_the_axes_of_the_world_give_the_same_points) {
    probe_random random = {32};
    uint32_t touching = 0;
    for (int round = 0; round < 5000; ++round) {
        pair p = box_on_box(maths_vec3(0.5f, 0.4f, 0.3f), maths_vec3(0.3f, 0.2f, 0.6f), 0.0f);
        p.frame_a = (tni_frame){probe_vec(&random, 0.2f), probe_rotation(&random)};
        p.frame_b = (tni_frame){probe_vec(&random, 0.9f), probe_rotation(&random)};
        tni_manifold m = compute(&p, 0.05f), n;
        tni_oriented_box a = orient(&p.a, &p.frame_a), b = orient(&p.b, &p.frame_b);
        // Far from home, where only the difference of the centres counts.
        tni_dvec3 far = dvec3_make(1e7, -2e6, 3e5);
        tni_dvec3 to = dvec3_add(far, dvec3_from_float(p.frame_b.position));
        tni_dvec3 from = dvec3_add(far, dvec3_from_float(p.frame_a.position));
        tni_manifold_cache cache = {0};
        tni_manifold_compute_boxes(&a, &b, dvec3_sub(to, from), 0.05f, &cache, &n);
        cr_assert_eq(m.point_count, n.point_count);
        touching += m.point_count > 0 ? 1 : 0;
        for (uint32_t i = 0; i < m.point_count; ++i) {
            vec3s at = glms_vec3_add(n.points[i].position, p.frame_a.position);
            cr_assert(glms_vec3_distance(at, m.points[i].position) < 1e-5f);
            cr_assert_eq(m.points[i].feature, n.points[i].feature);
        }
    }
    cr_assert_gt(touching, 1000);
}
