// solver/contacts/contact_prepare_wide.c: groups of eight contacts made from their records, and
// stored back.
//
// The file contact_sweep_wide.c derives the numbers that a group holds. The arms of friction are
// those of the centre of pressure: the points weighed by their last impulses, or evenly in a new
// contact. K^-1 is by K = L D L^T, L of ones on the diagonal: with M = L^-1, (K^-1)_ij = sum_k M_ki
// M_kj / d_k. A point that is not there has a row of zeros, and zero for its inverse.
#include "solver/contacts/contact_grains.h"
#include "solver/contacts/contact_kernels.h"
#include "solver/contacts/contact_shares.h"

// K gets this share of its diagonal added before it is inverted.
#define PREPARE_REGULARIZATION 1e-3f
// A body that has sunk in by more than this many of its least radii of gyration keeps its arms.
#define PREPARE_DEEP 4.0f
// A divisor is at least this, so that nothing is divided by zero.
#define PREPARE_TINY 1e-30f

// Returns 1/x where x is positive, else 0.
TNI_KERNEL tni_f8 prepare_invert(tni_f8 x) {
    tni_m8 is_positive = f8_less(f8_splat(PREPARE_TINY), x);
    tni_f8 one = f8_splat(1.0f);
    return f8_pick(is_positive, f8_div(one, f8_pick(is_positive, x, one)), f8_zero());
}

TNI_KERNEL tni_f8 prepare_mask(tni_m8 m, tni_f8 x) {
    return f8_pick(m, x, f8_zero());
}

// ---- records into lanes -----------------------------------------------------------------------

// A source has the records of a group; lanes behind the last record have the first one once more.
typedef struct prepare_source {
    tni_contact_record *record[TNI_CONTACTS];
    uint32_t body_a[TNI_CONTACTS], body_b[TNI_CONTACTS]; // 0 of lanes that are not made
    tni_m8 is_made, has_point[TNI_LANES];
    tni_f8 count;
    float is_spared[TNI_CONTACTS]; // 1 of those in stacks
} prepare_source;

static prepare_source prepare_find(const tni_solver *solver, const tni_contact_group *group,
                                   uint32_t lanes) {
    prepare_source source;
    float is_made[TNI_CONTACTS], count[TNI_CONTACTS];
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        bool is_lane = (lanes >> i & 1) != 0;
        uint32_t index = group->first + (i < group->count ? i : 0);
        source.record[i] = &solver->contacts.records[index];
        source.body_a[i] = is_lane ? source.record[i]->body_a : 0;
        source.body_b[i] = is_lane ? source.record[i]->body_b : 0;
        is_made[i] = is_lane ? 1.0f : 0.0f;
        source.is_spared[i] =
            solver->contacts.depths != NULL && solver->contacts.depths[index] > 0.0f ? 1.0f : 0.0f;
        count[i] = is_lane ? (float)source.record[i]->point_count : 0.0f;
    }
    source.is_made = f8_less(f8_zero(), f8_load(is_made));
    source.count = f8_load(count);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        source.has_point[p] = f8_less(f8_splat((float)p), source.count);
    }
    return source;
}

static inline void prepare_gather(const float *const from[TNI_CONTACTS], tni_f8 out[4]) {
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_load_halves(from[i], from[i + 4]);
    }
    f8_transpose(&out[0], &out[1], &out[2], &out[3]);
}

// Gathers four numbers of each record, from `member` on.
#define PREPARE_GATHER(source, member, out)                                                        \
    do {                                                                                           \
        const float *from[TNI_CONTACTS];                                                           \
        for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {                                              \
            from[i] = (const float *)&(source)->record[i]->member;                                 \
        }                                                                                          \
        prepare_gather(from, out);                                                                 \
    } while (false)

// Sets the points' shares of the load. One that is too small to be inverted is none.
static void prepare_get_shares(const prepare_source *source, const tni_f8 impulse[TNI_LANES],
                               tni_f8 share[TNI_LANES]) {
    tni_f8 total = f8_add(f8_add(impulse[0], impulse[1]), f8_add(impulse[2], impulse[3]));
    tni_m8 has_load = f8_less(f8_splat(PREPARE_TINY), total);
    tni_f8 inverse = prepare_invert(total), even = prepare_invert(source->count);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 own = f8_pick(has_load, f8_mul(impulse[p], inverse), even);
        share[p] = prepare_mask(source->has_point[p], own);
    }
}

// Returns some unit vector perpendicular to n, as maths_vec3_perpendicular does.
static tni_v8 prepare_perpendicular(tni_v8 n) {
    tni_f8 x = f8_abs(n.x), y = f8_abs(n.y), z = f8_abs(n.z), zero = f8_zero();
    tni_f8 back_y = f8_sub(zero, n.y), back_z = f8_sub(zero, n.z);
    tni_m8 drops_z = f8_less(z, y);
    tni_v8 flat = v8_pick(drops_z, v8_make(back_y, n.x, zero), v8_make(back_z, zero, n.x));
    tni_m8 keeps_x = m8_or(f8_less(y, x), f8_less(z, x));
    tni_v8 across = v8_pick(keeps_x, flat, v8_make(zero, back_z, n.y));
    tni_f8 length = f8_sqrt(f8_max(v8_dot(across, across), f8_splat(PREPARE_TINY)));
    return v8_scale(f8_div(f8_splat(1.0f), length), across);
}

// Sets arms, turns, and the bounds of friction.
static void prepare_set_geometry(const prepare_source *source, const tni_f8 share[TNI_LANES],
                                 float closed, tni_contact_wide *out) {
    tni_f8 normal[4], offset[4], x[TNI_LANES], y[TNI_LANES], z[TNI_LANES];
    tni_f8 friction[4], axis[4];
    PREPARE_GATHER(source, normal, normal);
    PREPARE_GATHER(source, axis, axis);
    PREPARE_GATHER(source, offset, offset);
    PREPARE_GATHER(source, friction_impulse, friction);
    PREPARE_GATHER(source, arm.x, x);
    PREPARE_GATHER(source, arm.y, y);
    PREPARE_GATHER(source, arm.z, z);
    tni_v8 n = v8_make(normal[0], normal[1], normal[2]), middle = v8_zero();
    tni_v8 t1 = prepare_perpendicular(n);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_v8 arm = v8_make(x[p], y[p], z[p]);
        middle = v8_add_scaled(middle, share[p], arm);
        lanes_store(&out->turn[p], v8_cross(arm, n));
    }
    tni_f8 radius = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_v8 away = v8_sub(v8_make(x[p], y[p], z[p]), middle);
        radius = f8_add_product(radius, share[p], f8_sqrt(v8_dot(away, away)));
    }
    lanes_store(&out->normal, n);
    tni_v8 e = v8_make(axis[0], axis[1], axis[2]);
    lanes_store(&out->axis, e);
    lanes_store(&out->pivot, arms_get_pivot(n, e));
    f8_store(out->closed, f8_mul(f8_splat(closed), axis[3]));
    lanes_store(&out->tangent[0], t1);
    lanes_store(&out->tangent[1], v8_cross(n, t1));
    lanes_store(&out->offset, v8_make(offset[0], offset[1], offset[2]));
    lanes_store(&out->middle, middle);
    f8_store(out->friction, prepare_mask(source->is_made, normal[3]));
    f8_store(out->rolling_resistance, prepare_mask(source->is_made, offset[3]));
    tni_f8 bound = f8_add_product(friction[3], normal[3], radius);
    f8_store(out->twist_bound, prepare_mask(source->is_made, bound));
    f8_store(out->is_spared, f8_load(source->is_spared));
}

// Starts the sums over the step without the impulses that the step begins with.
static void prepare_set_sum(float total[TNI_CONTACTS], float warm[TNI_CONTACTS],
                            float step[TNI_CONTACTS], tni_f8 x) {
    f8_store(total, x);
    f8_store(warm, f8_zero());
    f8_store(step, f8_sub(f8_zero(), x));
}

static void prepare_set_impulses(const prepare_source *source, const tni_f8 impulse[TNI_LANES],
                                 tni_contact_wide *out) {
    tni_f8 friction[4], turning[4], separation[TNI_LANES];
    PREPARE_GATHER(source, friction_impulse, friction);
    PREPARE_GATHER(source, rolling_impulse, turning);
    PREPARE_GATHER(source, separation, separation);
    tni_v8 slide = v8_make(friction[0], friction[1], friction[2]);
    tni_v8 spin = v8_make(turning[0], turning[1], turning[2]), n = lanes_load(&out->normal);
    tni_f8 twist = prepare_mask(source->is_made, v8_dot(n, spin));
    tni_f8 of_t1 = v8_dot(lanes_load(&out->tangent[0]), slide);
    tni_f8 of_t2 = v8_dot(lanes_load(&out->tangent[1]), slide);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 none = f8_splat(TNI_CONTACT_NO_POINT);
        f8_store(out->separation[p], f8_pick(source->has_point[p], separation[p], none));
        prepare_set_sum(out->impulse[p], out->warm[p], out->step_impulse[p], impulse[p]);
    }
    prepare_set_sum(out->slide[0], out->slide_warm[0], out->step_slide[0],
                    prepare_mask(source->is_made, of_t1));
    prepare_set_sum(out->slide[1], out->slide_warm[1], out->step_slide[1],
                    prepare_mask(source->is_made, of_t2));
    prepare_set_sum(out->slide[2], out->slide_warm[2], out->step_slide[2], twist);
    tni_m8 rolls = f8_less(f8_zero(), f8_load(out->rolling_resistance));
    tni_v8 rolling = v8_add_scaled(spin, f8_sub(f8_zero(), twist), n);
    lanes_store(&out->rolling, v8_pick(rolls, rolling, v8_zero()));
    lanes_store(&out->rolling_warm, v8_zero());
    f8_store(out->borne, prepare_mask(source->is_made, turning[3]));
    f8_store(out->kept, f8_splat(1.0f));
}

// Sets a direction of friction and its impulse; `impulse` is the whole of it.
static void prepare_set_direction(tni_contact_wide *out, uint32_t lane, uint32_t t, vec3s axis,
                                  float scale, vec3s impulse) {
    out->tangent[t].x[lane] = scale * axis.x;
    out->tangent[t].y[lane] = scale * axis.y;
    out->tangent[t].z[lane] = scale * axis.z;
    float x = maths_inverse_or_zero(scale) * glms_vec3_dot(axis, impulse);
    out->slide[t][lane] = x;
    out->step_slide[t][lane] = -x;
}

// Sets the directions of friction in lanes that have a grain. Lanes that are made late have the
// geometry of the step's start, from which they follow.
static TNI_NO_INLINE void prepare_set_grains(const tni_solver *solver,
                                             const tni_contact_group *group, uint32_t lanes,
                                             bool is_at_start, tni_contact_wide *out) {
    for (uint32_t lane = 0; lane < group->count; ++lane) {
        const tni_contact_record *record = &solver->contacts.records[group->first + lane];
        const tni_contact_extras *extras = record->extras;
        if ((lanes >> lane & 1) == 0 || !tni_grain_is_any(extras)) {
            continue;
        }
        const tni_dquat turned[2] = {
            tni_grain_get_turned(solver, &extras->grains[0], record->body_a),
            tni_grain_get_turned(solver, &extras->grains[1], record->body_b)};
        tni_grain_axes axes;
        tni_grain_find_axes(extras, is_at_start ? turned : NULL, dvec3_from_float(record->normal),
                            &axes);
        for (uint32_t t = 0; t < 2; ++t) {
            prepare_set_direction(out, lane, t, dvec3_to_float(axes.axis[t]), (float)axes.scale[t],
                                  record->friction_impulse);
        }
        float of_patch = out->twist_bound[lane] - record->twisting_resistance;
        out->twist_bound[lane] =
            record->twisting_resistance + (float)tni_grain_get_mean(axes.scale) * of_patch;
    }
}

// Returns the mean scale of friction in lanes that have a grain, and 1 in others.
static TNI_NO_INLINE tni_f8 prepare_get_grain_mean(const tni_solver *solver,
                                                   const tni_contact_group *group) {
    const tni_contact_vec *tangent = group->wide.tangent;
    const grains_lanes lanes = grains_find(solver, group);
    tni_v8 t1 = lanes_load(&tangent[0]), t2 = lanes_load(&tangent[1]);
    tni_f8 square = f8_mul(f8_splat(0.5f), f8_add(v8_dot(t1, t1), v8_dot(t2, t2)));
    return f8_pick(lanes.has_grain, f8_sqrt(square), f8_splat(1.0f));
}

// Adds what the impulses do to the bodies.
static void prepare_add_pushes(tni_solver *solver, const tni_contact_group *group, uint32_t lanes,
                               const tni_contact_wide *wide) {
    tni_v8 torque, force = lanes_get_force(wide, &torque);
    shares_push(solver, group, lanes, force, torque, lanes_load(&wide->offset));
}

// ---- masses -----------------------------------------------------------------------------------

// Returns t·W t of one end and of the other, added up.
TNI_KERNEL tni_f8 prepare_get_response(const tni_wide_body *a, const tni_wide_body *b, tni_v8 on_a,
                                       tni_v8 on_b, tni_v8 by_a, tni_v8 by_b) {
    tni_f8 of_a = v8_dot(by_a, s8_mul(&a->inv_inertia, on_a));
    return lanes_add_dot(of_a, by_b, s8_mul(&b->inv_inertia, on_b));
}

// Makes the points' K, where `straight` is what the motion of the centres of mass adds.
static void prepare_weigh_points(const tni_wide_body *a, const tni_wide_body *b, tni_f8 straight,
                                 tni_contact_wide *wide) {
    tni_v8 n = lanes_load(&wide->normal), across = v8_cross(lanes_load(&wide->offset), n);
    tni_m8 has_point[TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        has_point[p] = f8_less(f8_splat(TNI_CONTACT_NO_POINT), f8_load(wide->separation[p]));
        tni_v8 turn_a = lanes_load(&wide->turn[p]), turn_b = v8_add(turn_a, across);
        tni_v8 spin_a = s8_mul(&a->inv_inertia, turn_a);
        tni_v8 spin_b = s8_mul(&b->inv_inertia, turn_b);
        for (uint32_t q = 0; q <= p; ++q) {
            tni_v8 other_a = lanes_load(&wide->turn[q]), other_b = v8_add(other_a, across);
            tni_f8 k = lanes_add_dot(straight, other_a, spin_a);
            k = lanes_add_dot(k, other_b, spin_b);
            k = prepare_mask(m8_and(has_point[p], has_point[q]), k);
            f8_store(wide->response[contact_entry(p, q)], k);
            if (q == p) {
                f8_store(wide->point_mass[p], prepare_invert(k));
            }
        }
    }
}

// Sets K^-1: see the head. A single point is inverted as it is.
static void prepare_invert_points(tni_contact_wide *wide) {
    tni_m8 has_second = f8_less(f8_splat(TNI_CONTACT_NO_POINT), f8_load(wide->separation[1]));
    tni_f8 share = prepare_mask(has_second, f8_splat(PREPARE_REGULARIZATION));
    tni_f8 k[TNI_CONTACT_MATRIX], inverse[TNI_LANES], l[TNI_LANES][TNI_LANES];
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        for (uint32_t q = 0; q <= p; ++q) {
            tni_f8 entry = f8_load(wide->response[contact_entry(p, q)]);
            k[contact_entry(p, q)] = q == p ? f8_add_product(entry, entry, share) : entry;
        }
    }
    // L is made in the place of K's lower half, with 1/d beside it.
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        for (uint32_t q = 0; q < p; ++q) {
            tni_f8 sum = k[contact_entry(p, q)];
            for (uint32_t r = 0; r < q; ++r) {
                sum = f8_sub_product(sum, l[q][r], k[contact_entry(p, r)]);
            }
            k[contact_entry(p, q)] = sum;
            l[p][q] = f8_mul(sum, inverse[q]);
        }
        tni_f8 d = k[contact_entry(p, p)];
        for (uint32_t r = 0; r < p; ++r) {
            d = f8_sub_product(d, l[p][r], k[contact_entry(p, r)]);
        }
        inverse[p] = prepare_invert(d);
    }
    // M = L^-1 is made in the place of L.
    for (uint32_t p = 1; p < TNI_LANES; ++p) {
        for (uint32_t q = 0; q < p; ++q) {
            tni_f8 sum = l[p][q];
            for (uint32_t r = q + 1; r < p; ++r) {
                sum = f8_add_product(sum, l[p][r], l[r][q]);
            }
            l[p][q] = f8_sub(f8_zero(), sum);
        }
    }
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        for (uint32_t q = 0; q <= p; ++q) {
            tni_f8 sum = p == q ? inverse[p] : f8_mul(inverse[p], l[p][q]);
            for (uint32_t r = p + 1; r < TNI_LANES; ++r) {
                sum = f8_add_product(sum, f8_mul(inverse[r], l[r][p]), l[r][q]);
            }
            f8_store(wide->inverse[contact_entry(p, q)], sum);
        }
    }
}

// Sets the 2x2 mass of the tangents, and that of twist.
static void prepare_weigh_slides(const tni_wide_body *a, const tni_wide_body *b, tni_v8 inv_mass,
                                 tni_contact_wide *wide) {
    tni_v8 pivot = lanes_load(&wide->pivot), middle = lanes_load(&wide->middle);
    tni_v8 reach = v8_add(middle, lanes_load(&wide->offset));
    tni_v8 t1 = lanes_load(&wide->tangent[0]), t2 = lanes_load(&wide->tangent[1]);
    tni_v8 a1 = v8_cross(middle, t1), a2 = v8_cross(middle, t2);
    tni_v8 b1 = v8_cross(reach, t1), b2 = v8_cross(reach, t2);
    tni_f8 k00 =
        f8_add(prepare_get_response(a, b, a1, b1, a1, b1), v8_dot(t1, v8_mul(inv_mass, t1)));
    tni_f8 k01 =
        f8_add(prepare_get_response(a, b, a1, b1, a2, b2), v8_dot(t1, v8_mul(inv_mass, t2)));
    tni_f8 k11 =
        f8_add(prepare_get_response(a, b, a2, b2, a2, b2), v8_dot(t2, v8_mul(inv_mass, t2)));
    tni_m8 has_point = f8_less(f8_splat(TNI_CONTACT_NO_POINT), f8_load(wide->separation[0]));
    tni_f8 det = f8_sub_product(f8_mul(k00, k11), k01, k01);
    tni_f8 inverse = prepare_mask(has_point, prepare_invert(det));
    f8_store(wide->slide_mass[0], f8_mul(k11, inverse));
    f8_store(wide->slide_mass[1], f8_mul(k00, inverse));
    f8_store(wide->slide_mass[2], f8_mul(f8_sub(f8_zero(), k01), inverse));
    tni_f8 twist = prepare_invert(prepare_get_response(a, b, pivot, pivot, pivot, pivot));
    f8_store(wide->twist_mass, prepare_mask(has_point, twist));
}

// Sets the inverse of the sum of the two inverse inertias, which is the mass of the relative
// angular velocity.
static void prepare_weigh_rolling(const tni_s8 *p, const tni_s8 *q, tni_contact_wide *wide) {
    tni_f8 xx = f8_add(p->xx, q->xx), yy = f8_add(p->yy, q->yy), zz = f8_add(p->zz, q->zz);
    tni_f8 xy = f8_add(p->xy, q->xy), xz = f8_add(p->xz, q->xz), yz = f8_add(p->yz, q->yz);
    tni_f8 minor_x = f8_sub_product(f8_mul(yy, zz), yz, yz);
    tni_f8 minor_y = f8_sub_product(f8_mul(xz, yz), xy, zz);
    tni_f8 minor_z = f8_sub_product(f8_mul(xy, yz), xz, yy);
    tni_f8 det = f8_mul(xx, minor_x);
    det = f8_add_product(f8_add_product(det, xy, minor_y), xz, minor_z);
    tni_m8 rolls = f8_less(f8_zero(), f8_load(wide->rolling_resistance));
    tni_f8 s = prepare_mask(rolls, prepare_invert(det));
    f8_store(wide->rolling_mass[0], f8_mul(s, minor_x));
    f8_store(wide->rolling_mass[1], f8_mul(s, f8_sub_product(f8_mul(xx, zz), xz, xz)));
    f8_store(wide->rolling_mass[2], f8_mul(s, f8_sub_product(f8_mul(xx, yy), xy, xy)));
    f8_store(wide->rolling_mass[3], f8_mul(s, minor_y));
    f8_store(wide->rolling_mass[4], f8_mul(s, minor_z));
    f8_store(wide->rolling_mass[5], f8_mul(s, f8_sub_product(f8_mul(xy, xz), xx, yz)));
}

// Sets everything that depends on the bodies' inverse inertia.
static void prepare_weigh(const tni_wide_body *a, const tni_wide_body *b, bool has_rolling,
                          tni_contact_wide *wide) {
    tni_v8 n = lanes_load(&wide->normal), inv_mass = v8_add(a->inv_mass, b->inv_mass);
    prepare_weigh_points(a, b, v8_dot(n, v8_mul(inv_mass, n)), wide);
    prepare_invert_points(wide);
    prepare_weigh_slides(a, b, inv_mass, wide);
    if (has_rolling) {
        prepare_weigh_rolling(&a->inv_inertia, &b->inv_inertia, wide);
    }
}

void WIDE_NAME(tni_contact_weigh)(const tni_solver *solver, tni_contact_group *group) {
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
    if (group->has_shares) {
        shares_scale(solver, group, &a, &b);
    }
    prepare_weigh(&a, &b, group->has_rolling, &group->wide);
}

// Sets the bound of twisting by the points' mean distance from the middle, weighed by their
// impulses.
static void prepare_bound_twist(const tni_solver *solver, tni_contact_group *group, tni_m8 lanes) {
    tni_contact_wide *wide = &group->wide;
    tni_v8 n = lanes_load(&wide->normal), turn = v8_cross(lanes_load(&wide->middle), n);
    tni_f8 sum = f8_zero(), radius = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 x = f8_load(wide->impulse[p]);
        tni_v8 away = v8_sub(lanes_load(&wide->turn[p]), turn); // as long as across n
        sum = f8_add(sum, x);
        radius = f8_add_product(radius, x, f8_sqrt(v8_dot(away, away)));
    }
    float resistance[TNI_CONTACTS] = {0.0f};
    for (uint32_t i = 0; i < group->count; ++i) {
        resistance[i] = solver->contacts.records[group->first + i].twisting_resistance;
    }
    radius = f8_mul(radius, prepare_invert(sum));
    if (group->has_grain) {
        radius = f8_mul(radius, prepare_get_grain_mean(solver, group));
    }
    tni_f8 bound = f8_add_product(f8_load(resistance), f8_load(wide->friction), radius);
    f8_store(wide->twist_bound, f8_pick(lanes, bound, f8_load(wide->twist_bound)));
}

void WIDE_NAME(tni_contact_weigh_slides)(const tni_solver *solver, tni_contact_group *group,
                                         const float moved[TNI_CONTACTS]) {
    tni_contact_wide *wide = &group->wide;
    tni_wide_body a = wide_body_load(solver->bodies.states, group->body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, group->body_b);
    if (group->has_shares) {
        shares_scale(solver, group, &a, &b);
    }
    tni_m8 lanes = f8_less(f8_zero(), f8_load(moved));
    tni_f8 old[4] = {f8_load(wide->slide_mass[0]), f8_load(wide->slide_mass[1]),
                     f8_load(wide->slide_mass[2]), f8_load(wide->twist_mass)};
    prepare_weigh_slides(&a, &b, v8_add(a.inv_mass, b.inv_mass), wide);
    for (uint32_t k = 0; k < 3; ++k) {
        f8_store(wide->slide_mass[k], f8_pick(lanes, f8_load(wide->slide_mass[k]), old[k]));
    }
    f8_store(wide->twist_mass, f8_pick(lanes, f8_load(wide->twist_mass), old[3]));
    prepare_bound_twist(solver, group, lanes);
}

// ---- a group ----------------------------------------------------------------------------------

// Notes J v when a contact first pushes or may, and when its first point then meets.
static void prepare_note_approach(const tni_solver *solver, const prepare_source *source,
                                  const tni_wide_body *a, const tni_wide_body *b,
                                  const tni_contact_wide *wide, uint32_t lanes) {
    lanes_motion m = lanes_get_motion(a->v, a->w, b->v, b->w, lanes_load(&wide->offset));
    tni_f8 common = v8_dot(lanes_load(&wide->normal), m.u), speed[TNI_LANES];
    float left = (float)(solver->substeps) * solver->h - solver->elapsed, soonest[TNI_CONTACTS];
    tni_f8 first = f8_splat(left);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        speed[p] = lanes_add_dot(common, lanes_load(&wide->turn[p]), m.w);
        tni_f8 time = f8_mul(f8_load(wide->gap[p]), prepare_invert(f8_sub(f8_zero(), speed[p])));
        tni_m8 closes = m8_and(source->has_point[p], f8_less(speed[p], f8_zero()));
        first = f8_pick(closes, f8_min(first, time), first);
    }
    f8_store(soonest, f8_max(first, f8_zero()));
    f8_transpose(&speed[0], &speed[1], &speed[2], &speed[3]);
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        if ((lanes >> i & 1) != 0) {
            tni_f8 row = speed[i & 3];
            f4_store(source->record[i]->approach_speed, i < 4 ? f8_low(row) : f8_high(row));
            source->record[i]->sums.time = solver->elapsed + soonest[i];
        }
    }
}

static void prepare_set_gaps(const tni_solver *solver, const prepare_source *source,
                             tni_contact_wide *wide) {
    tni_f8 gaps[TNI_LANES];
    lanes_get_gaps(solver, source->body_a, source->body_b, wide, gaps);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        f8_store(wide->gap[p], gaps[p]);
    }
}

// Makes the arms of lanes that are made late in a step follow.
static TNI_NO_INLINE void prepare_follow(const tni_solver *solver, const tni_contact_group *group,
                                         const prepare_source *source, const tni_wide_body *a,
                                         const tni_wide_body *b, tni_contact_wide *wide) {
    if (m8_any(arms_find_turning(solver, a->w, b->w, wide))) {
        // Nothing has pushed.
        grains_follow(solver, group, source->body_a, source->body_b, a, b, wide);
        prepare_set_gaps(solver, source, wide);
    }
}

// Finds the lanes in which a body has sunk in by more than it is thick: a ball by 1.5 of its
// radius, a cube by 1.9 half sides, a rod by 1.6 of its thickness. The radius of gyration is judged
// by the trace of the inverse inertia.
TNI_KERNEL tni_m8 prepare_find_deep(const tni_wide_body *body, tni_f8 gap) {
    tni_f8 depth = f8_min(gap, f8_zero()), trace = body->inv_inertia.xx;
    trace = f8_add(f8_add(trace, body->inv_inertia.yy), body->inv_inertia.zz);
    tni_f8 inv_mass = f8_max(body->inv_mass.x, f8_max(body->inv_mass.y, body->inv_mass.z));
    tni_f8 least = f8_mul(f8_splat(PREPARE_DEEP * PREPARE_DEEP), inv_mass);
    tni_m8 is_deep = f8_less(least, f8_mul(f8_mul(depth, depth), trace));
    return m8_and(is_deep, f8_less(f8_zero(), inv_mass));
}

// Sets which parts turn with which body. Arms of a later time in the step are right then and stay,
// but for those that are made anew as the shape rolls, which are right now.
// The points of an edge or a corner turn with the body that the normal does not turn with, those of
// a capsule that lies with the capsule. They lie in the middle of the gap, except those of a round
// surface, which lie on it: with an arm that is shorter by half of what it has sunk in, a ball
// would roll as a smaller one. A body that has sunk in deep neither rolls nor stands on the other:
// the points lie outside of it, and if they went round with a rod, the load would turn it ever
// faster.
static void prepare_set_carriers(const prepare_source *source, const tni_f8 share[TNI_LANES],
                                 const tni_wide_body *a, const tni_wide_body *b,
                                 tni_contact_wide *wide) {
    tni_f8 gap = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        gap = f8_add_product(gap, share[p], f8_load(wide->gap[p]));
    }
    float is_deep[TNI_CONTACTS];
    tni_m8 deep = m8_or(prepare_find_deep(a, gap), prepare_find_deep(b, gap));
    f8_store(is_deep, f8_pick(deep, f8_splat(1.0f), f8_zero()));
    for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
        const tni_contact_record *record = source->record[i];
        float face = (float)record->face;
        wide->face[i] = face;
        if (face != 0.0f && record->point_count <= 2) {
            wide->carrier[i] = -face;
        }
        if (record->lying != 0) {
            wide->carrier[i] = (float)record->lying;
        }
        wide->radius[i] = wide->carrier[i] > 0.0f ? record->radius_b : record->radius_a;
        bool is_later = record->time > 0.0f && !record->is_now;
        wide->carrier[i] = is_later || is_deep[i] > 0.0f ? 0.0f : wide->carrier[i];
        wide->rolls[i] = record->rolls && record->lying == 0 ? 1.0f : 0.0f;
    }
    tni_f8 half = f8_mul(f8_splat(0.5f), gap), radius = f8_load(wide->radius), zero = f8_zero();
    tni_m8 is_round = f8_less(zero, radius);
    f8_store(wide->radius, f8_pick(is_round, radius, half));
    tni_f8 out = f8_pick(is_round, f8_mul(half, f8_load(wide->carrier)), zero);
    tni_v8 middle = v8_add_scaled(lanes_load(&wide->middle), out, lanes_load(&wide->normal));
    lanes_store(&wide->middle, middle);
}

void WIDE_NAME(tni_contact_make)(tni_solver *solver, const tni_contact_group *group, uint32_t lanes,
                                 bool is_at_start, tni_contact_wide *out) {
    const prepare_source source = prepare_find(solver, group, lanes);
    tni_f8 impulse[TNI_LANES], share[TNI_LANES];
    PREPARE_GATHER(&source, impulse, impulse);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        impulse[p] = prepare_mask(source.has_point[p], impulse[p]);
    }
    prepare_get_shares(&source, impulse, share);
    prepare_set_geometry(&source, share, solver->settings.contact_closed, out);
    prepare_set_impulses(&source, impulse, out);
    if (group->has_grain) {
        prepare_set_grains(solver, group, lanes, is_at_start, out);
    }
    tni_wide_body a = wide_body_load(solver->bodies.states, source.body_a);
    tni_wide_body b = wide_body_load(solver->bodies.states, source.body_b);
    arms_begin(&a, &b, out);
    prepare_set_gaps(solver, &source, out);
    prepare_set_carriers(&source, share, &a, &b, out);
    if (!is_at_start) {
        prepare_follow(solver, group, &source, &a, &b, out);
    }
    if (group->has_shares) {
        shares_scale(solver, group, &a, &b);
    }
    prepare_weigh(&a, &b, group->has_rolling, out);
    prepare_note_approach(solver, &source, &a, &b, out, lanes);
    prepare_add_pushes(solver, group, lanes, out);
}

// ---- the end of the step ----------------------------------------------------------------------

// Writes four columns to four numbers of each record that has a lane.
#define PREPARE_SCATTER(solver, group, member, columns)                                            \
    do {                                                                                           \
        f8_transpose(&(columns)[0], &(columns)[1], &(columns)[2], &(columns)[3]);                  \
        for (uint32_t i = 0; i < (group)->count; ++i) {                                            \
            uint32_t index = (group)->first + i;                                                   \
            if ((solver)->contacts.gates[index].is_shut &&                                         \
                !(solver)->contacts.gates[index].is_touch) {                                       \
                tni_f4 row = i < 4 ? f8_low((columns)[i & 3]) : f8_high((columns)[i & 3]);         \
                f4_store((float *)&(solver)->contacts.records[index].member, row);                 \
            }                                                                                      \
        }                                                                                          \
    } while (false)

static tni_v8 prepare_get_friction(const tni_contact_wide *wide, tni_f8 x, tni_f8 y) {
    tni_v8 force = v8_scale(x, lanes_load(&wide->tangent[0]));
    return v8_add_scaled(force, y, lanes_load(&wide->tangent[1]));
}

// Returns leak x / (mass_scale rate m), with m by K^-1, or how deep the points lie where that is
// less. Stacks do not sink.
static tni_f8 prepare_get_sink(const tni_solver *solver, const tni_contact_group *group) {
    const tni_softness *soft =
        group->is_static ? &solver->settings.static_softness : &solver->settings.contact_softness;
    const tni_contact_wide *wide = &group->wide;
    tni_f8 load = f8_zero(), depth = f8_zero(), mass = f8_zero(), twice = f8_zero();
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 x = f8_load(wide->impulse[p]);
        load = f8_add(load, x);
        depth = f8_sub_product(depth, x, f8_load(wide->gap[p]));
        mass = f8_add(mass, f8_load(wide->inverse[contact_entry(p, p)]));
        for (uint32_t q = 0; q < p; ++q) {
            twice = f8_add(twice, f8_load(wide->inverse[contact_entry(p, q)]));
        }
    }
    mass = f8_add(mass, f8_add(twice, twice));
    float by_load = maths_inverse_or_zero(2.0f * soft->mass_scale * soft->rate);
    tni_f8 sink =
        f8_mul(f8_splat(soft->impulse_scale * by_load), f8_mul(load, prepare_invert(mass)));
    sink = f8_max(f8_min(sink, f8_mul(depth, prepare_invert(load))), f8_zero());
    return f8_pick(f8_less(f8_zero(), f8_load(wide->is_spared)), f8_zero(), sink);
}

void WIDE_NAME(tni_contact_store)(tni_solver *solver, const tni_contact_group *group) {
    const tni_contact_wide *wide = &group->wide;
    tni_f8 impulse[TNI_LANES], step[TNI_LANES], slide[3], sum[3], kept = f8_load(wide->kept);
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f8 last = f8_load(wide->impulse[p]);
        impulse[p] = f8_mul(kept, last);
        step[p] = f8_add(f8_load(wide->step_impulse[p]), last);
    }
    for (uint32_t t = 0; t < 3; ++t) {
        tni_f8 last = f8_load(wide->slide[t]);
        slide[t] = f8_mul(kept, last);
        sum[t] = f8_add(f8_load(wide->step_slide[t]), last);
    }
    tni_v8 now = prepare_get_friction(wide, slide[0], slide[1]);
    tni_v8 over_step = prepare_get_friction(wide, sum[0], sum[1]);
    tni_v8 rolling = v8_scale(kept, lanes_load(&wide->rolling));
    tni_v8 spin = v8_add_scaled(rolling, slide[2], lanes_load(&wide->normal));
    tni_f8 friction[4] = {now.x, now.y, now.z, f8_zero()};
    tni_f8 total[4] = {over_step.x, over_step.y, over_step.z, prepare_get_sink(solver, group)};
    tni_f8 turning[4] = {spin.x, spin.y, spin.z, f8_load(wide->borne)};
    PREPARE_SCATTER(solver, group, impulse, impulse);
    PREPARE_SCATTER(solver, group, sums.step, step);
    PREPARE_SCATTER(solver, group, friction_impulse, friction);
    PREPARE_SCATTER(solver, group, sums.step_friction, total);
    PREPARE_SCATTER(solver, group, rolling_impulse, turning);
}
