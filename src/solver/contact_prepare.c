// solver/contact_prepare.c: contact blocks made from records: rows, masses, and what the impulses
// of the last substep do to the bodies.
//
// A contact that pushed in the last step, or whose surfaces overlap, is shut and gets its block at
// once. One that is only near starts open: until its gap may close it needs no block, only the
// bound by which a sweep sees that (see contact_block.c). With D the displacement of its bodies
// and T their turning since the manifold was made, a point's separation is
//     s + n·(D_b - D_a) + turn_b·T_b - turn_a·T_a  >=  least + n·(D_b - D_a) - reach_a·|T_a| - ...
// component by component, reach the largest |turn| of any point.
//
// The blocks hold W J^T of the angular part. It is made anew for bodies whose inertia has turned,
// so that an impulse changes the angular momentum by its torque.
#include <string.h>

#include "solver/contact_rows.h"

// Share of its diagonal that is added to K before it is inverted.
#define CONTACT_REGULARIZATION 1e-3f
// Change of an inverse inertia, relative to its trace, from which contacts get new masses.
#define CONTACT_NEW_INERTIA 1e-3f
// m: the separation of lanes without a point: never in the way.
#define CONTACT_NO_POINT (-1e9f)
// The bound of the cone's lanes, per unit of normal impulse: none.
#define CONTACT_NO_BOUND 1e30f

// ---- gates ------------------------------------------------------------------------------------

typedef struct contact_vectors {
    tni_f4 x, y, z;
} contact_vectors;

static contact_vectors contact_load_lanes(const tni_contact_lanes *lanes) {
    contact_vectors v = {f4_load_aligned(lanes->x), f4_load_aligned(lanes->y),
                         f4_load_aligned(lanes->z)};
    return v;
}

// r x n for all points.
static contact_vectors contact_turns(const tni_contact_lanes *arm, vec3s n) {
    contact_vectors r = contact_load_lanes(arm);
    tni_f4 x = f4_splat(n.x), y = f4_splat(n.y), z = f4_splat(n.z);
    contact_vectors turn = {f4_sub(f4_mul(r.y, z), f4_mul(r.z, y)),
                            f4_sub(f4_mul(r.z, x), f4_mul(r.x, z)),
                            f4_sub(f4_mul(r.x, y), f4_mul(r.y, x))};
    return turn;
}

static void contact_set_reach(const tni_contact_lanes *arm, vec3s n, float reach[4]) {
    contact_vectors turn = contact_turns(arm, n);
    tni_f4 none = f4_zero(), x = f4_abs(turn.x), y = f4_abs(turn.y), z = f4_abs(turn.z);
    f4_transpose(&none, &x, &y, &z); // now one point each
    f4_store_aligned(reach, f4_max(f4_max(none, x), f4_max(y, z)));
}

static bool contact_is_zero(vec3s v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

void tni_contact_gate_make(const tni_contact_record *record, tni_contact_gate *gate) {
    vec3s n = record->normal;
    gate->normal[0] = n.x;
    gate->normal[1] = n.y;
    gate->normal[2] = n.z;
    gate->normal[3] = 0.0f;
    gate->body_a = record->body_a;
    gate->body_b = record->body_b;
    float least = record->separation[0], pushing = 0.0f;
    for (uint32_t p = 0; p < record->point_count; ++p) {
        least = maths_min(least, record->separation[p]);
        pushing = maths_max(pushing, record->impulse[p]);
    }
    gate->least = least;
    gate->is_touch = false;
    gate->is_shut = pushing > 0.0f || !(least > 0.0f) || record->restitution > 0.0f ||
                    record->rolling_resistance > 0.0f ||
                    !contact_is_zero(record->friction_impulse) ||
                    !contact_is_zero(record->rolling_impulse);
    if (gate->is_shut) {
        // Read where a mechanism takes the contact over, which opens the gate for good.
        memset(gate->reach_a, 0, sizeof gate->reach_a);
        memset(gate->reach_b, 0, sizeof gate->reach_b);
    } else {
        contact_set_reach(&record->arm_a, n, gate->reach_a);
        contact_set_reach(&record->arm_b, n, gate->reach_b);
    }
}

// ---- normals ----------------------------------------------------------------------------------

// W J^T of the angular part: lanes of points in, one row per point out.
static void contact_set_spins(const tni_sym3 *w, const tni_contact_lanes *turn,
                              tni_contact_spins *spin) {
    contact_vectors t = contact_load_lanes(turn);
    tni_f4 xy = f4_splat(w->xy), xz = f4_splat(w->xz), yz = f4_splat(w->yz), none = f4_zero();
    tni_f4 x = f4_add_product(f4_mul(f4_splat(w->xx), t.x), xy, t.y);
    tni_f4 y = f4_add_product(f4_mul(xy, t.x), f4_splat(w->yy), t.y);
    tni_f4 z = f4_add_product(f4_mul(xz, t.x), yz, t.y);
    x = f4_add_product(x, xz, t.z);
    y = f4_add_product(y, yz, t.z);
    z = f4_add_product(z, f4_splat(w->zz), t.z);
    f4_transpose(&x, &y, &z, &none);
    f4_store_aligned(spin->row[0], x);
    f4_store_aligned(spin->row[1], y);
    f4_store_aligned(spin->row[2], z);
    f4_store_aligned(spin->row[3], none);
}

// turn·spin in each lane.
static tni_f4 contact_turn_response(const tni_contact_lanes *turn, const float spin[4]) {
    contact_vectors t = contact_load_lanes(turn);
    tni_f4 s = f4_load_aligned(spin);
    tni_f4 sum = f4_mul(t.x, f4_splat_lane(s, 0));
    sum = f4_add_product(sum, t.y, f4_splat_lane(s, 1));
    return f4_add_product(sum, t.z, f4_splat_lane(s, 2));
}

// One step of Gauss-Jordan: column i of k becomes that of the identity.
TNI_FORCE_INLINE void contact_eliminate(tni_f4 k[TNI_LANES], tni_f4 inverse[TNI_LANES],
                                        uint32_t count, uint32_t i) {
    tni_f4 scale = f4_splat(maths_inverse_or_zero(f4_lane(k[i], i)));
    k[i] = f4_mul(k[i], scale);
    inverse[i] = f4_mul(inverse[i], scale);
    for (uint32_t r = 0; r < count; ++r) {
        if (r != i) {
            tni_f4 factor = f4_splat_lane(k[r], i);
            k[r] = f4_sub(k[r], f4_mul(factor, k[i]));
            inverse[r] = f4_sub(inverse[r], f4_mul(factor, inverse[i]));
        }
    }
}

// The inverse of K with its diagonal raised a little: positive definite, so no pivoting is needed.
// Unused lanes are zero. A single point is inverted as it is.
static void contact_invert_response(tni_contact_block *block) {
    static const float units[TNI_LANES][4] = {{1.0f, 0.0f, 0.0f, 0.0f},
                                              {0.0f, 1.0f, 0.0f, 0.0f},
                                              {0.0f, 0.0f, 1.0f, 0.0f},
                                              {0.0f, 0.0f, 0.0f, 1.0f}};
    uint32_t n = block->point_count;
    tni_f4 k[TNI_LANES], inverse[TNI_LANES], share = f4_splat(CONTACT_REGULARIZATION);
    for (uint32_t i = 0; i < TNI_LANES; ++i) {
        tni_f4 unit = f4_load(units[i]);
        k[i] = f4_load_aligned(block->response[i]);
        k[i] = n > 1 ? f4_add_product(k[i], f4_mul(k[i], unit), share) : k[i];
        inverse[i] = i < n ? unit : f4_zero();
    }
    if (n == TNI_LANES) {
        contact_eliminate(k, inverse, TNI_LANES, 0);
        contact_eliminate(k, inverse, TNI_LANES, 1);
        contact_eliminate(k, inverse, TNI_LANES, 2);
        contact_eliminate(k, inverse, TNI_LANES, 3);
    } else {
        for (uint32_t i = 0; i < n; ++i) {
            contact_eliminate(k, inverse, n, i);
        }
    }
    for (uint32_t i = 0; i < TNI_LANES; ++i) {
        f4_store_aligned(block->inverse[i], inverse[i]);
    }
}

static void contact_prepare_normals(tni_contact_block *block, const tni_body_state *a,
                                    const tni_body_state *b) {
    contact_set_spins(&a->inv_inertia, &block->turn_a, &block->spin_a);
    contact_set_spins(&b->inv_inertia, &block->turn_b, &block->spin_b);
    vec3s n = maths_vec3(block->normal[0], block->normal[1], block->normal[2]);
    float straight = glms_vec3_dot(n, glms_vec3_mul(glms_vec3_add(a->inv_mass, b->inv_mass), n));
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        tni_f4 turning = f4_add(contact_turn_response(&block->turn_a, block->spin_a.row[p]),
                                contact_turn_response(&block->turn_b, block->spin_b.row[p]));
        f4_store_aligned(block->response[p], f4_add(f4_splat(straight), turning));
        bool is_used = p < block->point_count;
        block->normal_mass[p] = is_used ? maths_inverse_or_zero(block->response[p][p]) : 0.0f;
    }
    contact_invert_response(block);
}

// ---- friction ---------------------------------------------------------------------------------

static void contact_set_row(float row[4], vec3s v) {
    row[0] = v.x;
    row[1] = v.y;
    row[2] = v.z;
    row[3] = 0.0f;
}

static void contact_set_lane(tni_contact_lanes *lanes, uint32_t lane, vec3s v) {
    lanes->x[lane] = v.x;
    lanes->y[lane] = v.y;
    lanes->z[lane] = v.z;
}

static void contact_set_tangent_turns(tni_contact_lanes *turn, vec3s r, const vec3s tangent[2],
                                      vec3s n) {
    contact_set_lane(turn, 0, glms_vec3_cross(r, tangent[0]));
    contact_set_lane(turn, 1, glms_vec3_cross(r, tangent[1]));
    contact_set_lane(turn, 2, n);
    contact_set_lane(turn, 3, maths_vec3_zero());
}

// Adds one body's share to the matrix of the rows along t1 and t2 (00, 01, 11) and of twist.
static void contact_add_tangent_body(const tni_contact_block *block, const tni_body_state *body,
                                     const tni_contact_lanes *turn, tni_contact_spins *spin,
                                     float k[4]) {
    contact_set_spins(&body->inv_inertia, turn, spin);
    tni_f4 inv_mass = contact_inv_mass(body);
    tni_f4 t1 = f4_load_aligned(block->tangent[0]), t2 = f4_load_aligned(block->tangent[1]);
    tni_f4 along_1 = contact_turn_response(turn, spin->row[0]);
    tni_f4 along_2 = contact_turn_response(turn, spin->row[1]);
    k[0] += f4_sum(f4_mul(t1, f4_mul(inv_mass, t1))) + f4_lane(along_1, 0);
    k[1] += f4_sum(f4_mul(t1, f4_mul(inv_mass, t2))) + f4_lane(along_1, 1);
    k[2] += f4_sum(f4_mul(t2, f4_mul(inv_mass, t2))) + f4_lane(along_2, 1);
    k[3] += f4_lane(contact_turn_response(turn, spin->row[2]), 2);
}

static void contact_prepare_friction(tni_contact_block *block, const tni_body_state *a,
                                     const tni_body_state *b) {
    float k[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    contact_add_tangent_body(block, a, &block->tangent_turn_a, &block->tangent_spin_a, k);
    contact_add_tangent_body(block, b, &block->tangent_turn_b, &block->tangent_spin_b, k);
    float inverse = maths_inverse_or_zero(k[0] * k[2] - k[1] * k[1]);
    block->tangent_mass[0] = k[2] * inverse;
    block->tangent_mass[1] = k[0] * inverse;
    block->tangent_mass[2] = maths_inverse_or_zero(k[3]);
    block->tangent_mass[3] = 0.0f;
    block->tangent_coupling[0] = block->tangent_coupling[1] = -k[1] * inverse;
    block->tangent_coupling[2] = block->tangent_coupling[3] = 0.0f;
}

// The inverse of the two inverse inertias' sum: the mass of the relative angular velocity.
static tni_sym3 contact_rolling_mass(const tni_body_state *a, const tni_body_state *b) {
    tni_sym3 p = a->inv_inertia, q = b->inv_inertia;
    float xx = p.xx + q.xx, yy = p.yy + q.yy, zz = p.zz + q.zz;
    float xy = p.xy + q.xy, xz = p.xz + q.xz, yz = p.yz + q.yz;
    float cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    float det = xx * cxx + xy * cxy + xz * cxz;
    float s = maths_inverse_or_zero(det);
    tni_sym3 m = {s * cxx, s * (xx * zz - xz * xz), s * (xx * yy - xy * xy), s * cxy,
                  s * cxz, s * (xy * xz - xx * yz)};
    return m;
}

// Everything that depends on the bodies' inverse inertia.
static void contact_prepare_masses(tni_contact_block *block, const tni_body_state *a,
                                   const tni_body_state *b) {
    contact_prepare_normals(block, a, b);
    contact_prepare_friction(block, a, b);
    if (block->has_rolling) {
        block->rolling_mass = contact_rolling_mass(a, b);
    }
}

// ---- the block --------------------------------------------------------------------------------

static vec3s contact_get_lane(const tni_contact_lanes *lanes, uint32_t lane) {
    return maths_vec3(lanes->x[lane], lanes->y[lane], lanes->z[lane]);
}

// The middle of the points weighed by their impulses (the centre of pressure), or the plain middle
// of a new contact. Returns the mean distance from it, m.
static float contact_find_patch(tni_contact_record *record) {
    uint32_t count = record->point_count;
    float total = 0.0f, share[TNI_LANES], radius = 0.0f;
    for (uint32_t p = 0; p < count; ++p) {
        total += record->impulse[p];
    }
    float inverse = total > 0.0f ? 1.0f / total : 0.0f;
    float even = total > 0.0f ? 0.0f : 1.0f / (float)count;
    record->r_a = record->r_b = maths_vec3_zero();
    for (uint32_t p = 0; p < count; ++p) {
        share[p] = record->impulse[p] * inverse + even;
        vec3s arm_a = contact_get_lane(&record->arm_a, p),
              arm_b = contact_get_lane(&record->arm_b, p);
        record->r_a = maths_vec3_add_scaled(record->r_a, share[p], arm_a);
        record->r_b = maths_vec3_add_scaled(record->r_b, share[p], arm_b);
    }
    for (uint32_t p = 0; p < count; ++p) {
        vec3s out = glms_vec3_sub(contact_get_lane(&record->arm_a, p), record->r_a);
        radius += share[p] * glms_vec3_norm(out);
    }
    return radius;
}

static void contact_set_turns(const tni_contact_lanes *arm, vec3s n, tni_contact_lanes *turn) {
    contact_vectors v = contact_turns(arm, n);
    f4_store_aligned(turn->x, v.x);
    f4_store_aligned(turn->y, v.y);
    f4_store_aligned(turn->z, v.z);
}

static void contact_set_geometry(tni_contact_block *block, tni_contact_record *record) {
    vec3s n = record->normal;
    float radius = contact_find_patch(record);
    record->tangent[0] = maths_vec3_perpendicular(n);
    record->tangent[1] = glms_vec3_cross(n, record->tangent[0]);
    contact_set_row(block->normal, n);
    contact_set_row(block->tangent[0], record->tangent[0]);
    contact_set_row(block->tangent[1], record->tangent[1]);
    contact_set_turns(&record->arm_a, n, &block->turn_a);
    contact_set_turns(&record->arm_b, n, &block->turn_b);
    contact_set_tangent_turns(&block->tangent_turn_a, record->r_a, record->tangent, n);
    contact_set_tangent_turns(&block->tangent_turn_b, record->r_b, record->tangent, n);
    block->tangent_bound[0] = block->tangent_bound[1] = CONTACT_NO_BOUND;
    block->tangent_bound[2] = record->friction * radius + record->twisting_resistance;
    block->tangent_bound[3] = 0.0f;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        block->separation[p] = p < record->point_count ? record->separation[p] : CONTACT_NO_POINT;
    }
}

// The sums over the step leave out what the step begins with.
static void contact_set_impulses(tni_contact_block *block, tni_contact_record *record) {
    memset(&record->sums, 0, sizeof record->sums);
    tni_f4 x = f4_load_aligned(record->impulse);
    f4_store_aligned(block->impulse, x);
    f4_store_aligned(block->warm, f4_zero());
    f4_store_aligned(block->step_impulse, f4_sub(f4_zero(), x));
    float twist = glms_vec3_dot(record->normal, record->rolling_impulse);
    block->tangent_impulse[0] = glms_vec3_dot(record->tangent[0], record->friction_impulse);
    block->tangent_impulse[1] = glms_vec3_dot(record->tangent[1], record->friction_impulse);
    block->tangent_impulse[2] = twist;
    block->tangent_impulse[3] = 0.0f;
    tni_f4 tangents = f4_load(block->tangent_impulse);
    f4_store_aligned(block->tangent_warm, f4_zero());
    f4_store_aligned(block->tangent_step_impulse, f4_sub(f4_zero(), tangents));
    block->rolling_impulse =
        block->has_rolling ? maths_vec3_add_scaled(record->rolling_impulse, -twist, record->normal)
                           : maths_vec3_zero();
    block->rolling_warm = maths_vec3_zero();
}

void tni_contact_block_prepare(tni_solver *solver, uint32_t index) {
    tni_contact_block *block = &solver->contact_blocks[index];
    tni_contact_record *record = &solver->contact_records[index];
    const tni_body_state *a = &solver->states[record->body_a];
    const tni_body_state *b = &solver->states[record->body_b];
    solver->contact_gates[index].is_shut = true;
    block->body_a = record->body_a;
    block->body_b = record->body_b;
    block->point_count = record->point_count;
    block->is_static = record->is_static;
    block->friction = record->friction;
    block->rolling_resistance = record->rolling_resistance;
    block->has_rolling = record->rolling_resistance > 0.0f;
    contact_set_geometry(block, record);
    contact_set_impulses(block, record);
    contact_prepare_masses(block, a, b);
    tni_f4 speeds = contact_rows(block, contact_get_velocity(a), contact_get_velocity(b));
    f4_store(record->approach_speed, speeds);
    f4_store_aligned(block->gap, contact_separations(solver, block));
}

// ---- all of them ------------------------------------------------------------------------------

// Adds what impulses of all rows do to both bodies; `of_warm` to what the kicks add.
static void contact_add_effect(tni_solver *solver, const tni_contact_block *block, bool of_warm) {
    const tni_body_state *a = &solver->states[block->body_a], *b = &solver->states[block->body_b];
    contact_changes normals = contact_normal_changes(
        block, a, b, f4_load_aligned(of_warm ? block->warm : block->impulse));
    contact_changes tangents = contact_tangent_changes(
        block, a, b, f4_load_aligned(of_warm ? block->tangent_warm : block->tangent_impulse));
    contact_motion on_a = contact_add(normals.a, tangents.a);
    contact_motion on_b = contact_add(normals.b, tangents.b);
    if (block->has_rolling) {
        vec3s x = of_warm ? block->rolling_warm : block->rolling_impulse;
        on_a = contact_add(on_a, contact_turn(sym3_mul(a->inv_inertia, x)));
        on_b = contact_add(on_b, contact_turn(sym3_mul(b->inv_inertia, x)));
    }
    tni_contact_push *push_a = &solver->contact_pushes[block->body_a];
    tni_contact_push *push_b = &solver->contact_pushes[block->body_b];
    contact_take_from(of_warm ? push_a->warm : push_a->total, on_a);
    contact_add_to(of_warm ? push_b->warm : push_b->total, on_b);
}

// The list of bodies is made here; that it has a body is marked where new inertias will be.
static void contact_note_body(tni_solver *solver, uint32_t body) {
    if (body == 0 || solver->has_new_inertia[body]) {
        return;
    }
    solver->has_new_inertia[body] = true;
    solver->contact_bodies[solver->contact_body_count++] = body;
    solver->contact_inertias[body] = solver->states[body].inv_inertia;
}

void tni_contact_blocks_prepare(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        contact_note_body(solver, solver->contact_gates[i].body_a);
        contact_note_body(solver, solver->contact_gates[i].body_b);
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        if (solver->contact_gates[i].is_shut) {
            tni_contact_block_prepare(solver, i);
            contact_add_effect(solver, &solver->contact_blocks[i], false);
        }
    }
}

static bool contact_inertia_differs(const tni_sym3 *p, const tni_sym3 *q) {
    float limit = CONTACT_NEW_INERTIA * (q->xx + q->yy + q->zz);
    return fabsf(p->xx - q->xx) > limit || fabsf(p->yy - q->yy) > limit ||
           fabsf(p->zz - q->zz) > limit || fabsf(p->xy - q->xy) > limit ||
           fabsf(p->xz - q->xz) > limit || fabsf(p->yz - q->yz) > limit;
}

static bool contact_find_new_inertias(tni_solver *solver) {
    bool has_any = false;
    for (uint32_t i = 0; i < solver->contact_body_count; ++i) {
        uint32_t body = solver->contact_bodies[i];
        const tni_sym3 *now = &solver->states[body].inv_inertia;
        bool is_new = contact_inertia_differs(&solver->contact_inertias[body], now);
        solver->has_new_inertia[body] = is_new;
        if (is_new) {
            solver->contact_inertias[body] = *now;
            has_any = true;
        }
    }
    return has_any;
}

// New spins change what the impulses do, so the pushes are summed anew.
void tni_contact_blocks_refresh(tni_solver *solver) {
    if (solver->contact_count == 0 || !contact_find_new_inertias(solver)) {
        return;
    }
    memset(solver->contact_pushes, 0, solver->body_count * sizeof(tni_contact_push));
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_gate *gate = &solver->contact_gates[i];
        if (!gate->is_shut) {
            continue;
        }
        tni_contact_block *block = &solver->contact_blocks[i];
        if (solver->has_new_inertia[gate->body_a] || solver->has_new_inertia[gate->body_b]) {
            contact_prepare_masses(block, &solver->states[gate->body_a],
                                   &solver->states[gate->body_b]);
        }
        contact_add_effect(solver, block, false);
        contact_add_effect(solver, block, true);
    }
}
