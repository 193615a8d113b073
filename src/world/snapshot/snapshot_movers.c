// world/snapshot/snapshot_movers.c: the records of forces and of bodies by coordinates.
//
// All of them have memory and callbacks beside their records: the world has them already.
// Test: tests/world/snapshot/test_snapshot.c
#include "forces/goal.h"
#include "solver/movers/affine.h"
#include "world/joints.h"
#include "world/snapshot/snapshot.h"

// ---- forces -------------------------------------------------------------------------------------

static void forces_visit_air(tni_stream *s, tn_force_air *air) {
    stream_f64(s, &air->density);
    stream_f64(s, &air->coefficient);
    stream_plain(s, &air->wind);
    for (uint32_t i = 0; i < TN_FORCE_MAX_GUSTS; ++i) {
        stream_plain(s, &air->gusts[i].amplitude);
        stream_f64(s, &air->gusts[i].hertz);
        stream_f64(s, &air->gusts[i].phase);
    }
    stream_u32(s, &air->gust_count);
}

static void forces_visit_buoyancy(tni_stream *s, tn_force_buoyancy *buoyancy) {
    stream_f64(s, &buoyancy->density);
    stream_plain(s, &buoyancy->up);
    stream_f64(s, &buoyancy->level);
    stream_f64(s, &buoyancy->linear_drag);
    stream_f64(s, &buoyancy->quadratic_drag);
    stream_plain(s, &buoyancy->current);
}

static void forces_visit_goal(tni_stream *s, tni_force *force) {
    tni_goal *goal = force->goal.apart;
    stream_f64(s, &force->goal.numbers.strength);
    stream_same(s, goal->graph->number_count);
    if (!s->is_other) {
        stream_f64s(s, goal->values.inputs, goal->graph->number_count);
    }
}

static void forces_visit_kind(tni_stream *s, tni_force *force) {
    switch (force->type) {
    case TN_FORCE_TYPE_SPRING:
        stream_f64(s, &force->spring.stiffness);
        stream_f64(s, &force->spring.damping);
        stream_f64(s, &force->spring.length);
        break;
    case TN_FORCE_TYPE_AIR:
        forces_visit_air(s, &force->air);
        break;
    case TN_FORCE_TYPE_BUOYANCY:
        forces_visit_buoyancy(s, &force->buoyancy);
        break;
    case TN_FORCE_TYPE_MAGNET:
        stream_f64(s, &force->magnet.core);
        break;
    case TN_FORCE_TYPE_MOTOR:
        stream_f64(s, &force->motor.stall_torque);
        stream_f64(s, &force->motor.no_load_speed);
        break;
    case TN_FORCE_TYPE_GOAL:
        forces_visit_goal(s, force);
        break;
    default: // CUSTOM
        break;
    }
}

static void forces_visit_end(tni_stream *s, tni_force_end *end) {
    stream_u32(s, &end->body);
    stream_u32(s, &end->previous);
    stream_u32(s, &end->next);
    stream_bool(s, &end->is_at_center);
    stream_dvec3(s, &end->point);
    stream_dvec3(s, &end->axis);
    stream_f64(s, &end->amount);
    stream_dvec3(s, &end->force);
    stream_dvec3(s, &end->torque);
}

static void forces_visit(tni_stream *s, tni_force *force) {
    stream_same(s, (uint32_t)force->type);
    stream_same(s, force->end_count);
    if (s->is_other) {
        return;
    }
    stream_u32(s, &force->place);
    stream_bool(s, &force->acts_once_per_step);
    stream_bool(s, &force->keeps_awake);
    stream_bool(s, &force->is_enabled);
    stream_bool(s, &force->is_faulty);
    stream_bool(s, &force->is_told);
    for (uint32_t e = 0; e < force->end_count; ++e) {
        forces_visit_end(s, &force->ends[e]);
    }
    forces_visit_kind(s, force);
}

// ---- bodies by coordinates ----------------------------------------------------------------------

static void reduced_visit_body(tni_stream *s, tni_reduced_body *body, uint32_t freedoms) {
    stream_u32(s, &body->world_body);
    stream_dvec3(s, &body->center);
    stream_dvec3(s, &body->position);
    stream_dquat(s, &body->rotation);
    stream_f64s(s, &body->world_inertia.m[0][0], 9);
    for (uint32_t k = 0; k < freedoms; ++k) {
        stream_dvec3(s, &body->linear[k]);
        stream_dvec3(s, &body->angular[k]);
    }
    stream_dvec3(s, &body->drift);
    stream_dvec3(s, &body->angular_drift);
}

static void reduced_visit_affine(tni_stream *s, tni_affine *affine) {
    stream_f64(s, &affine->material.youngs_modulus);
    stream_f64(s, &affine->material.poisson_ratio);
    stream_f64(s, &affine->material.viscosity);
    stream_f64(s, &affine->material.volume);
    stream_f64s(s, &affine->gradient.m[0][0], 9);
    stream_f64s(s, &affine->rotation.m[0][0], 9);
    stream_f64s(s, &affine->stretch.m[0][0], 9);
    stream_f64s(s, &affine->turn.m[0][0], 9);
    stream_f64s(s, &affine->moment.m[0][0], 9);
    stream_dvec3(s, &affine->spin);
    stream_f64s(s, affine->soft_inverse, 36);
    stream_f64s(s, affine->inverse, 81);
    stream_f64s(s, affine->kept_row, TNI_AFFINE_STRAINS);
    stream_f64(s, &affine->kept_response);
    stream_f64s(s, &affine->kept_push.m[0][0], 9);
}

static void reduced_visit_numbers(tni_stream *s, tni_reduced *reduced) {
    uint32_t n = reduced->freedoms;
    stream_f64s(s, reduced->coordinates, n);
    stream_f64s(s, reduced->speeds, n);
    stream_f64s(s, reduced->start_coordinates, n);
    stream_f64s(s, reduced->start_speeds, n);
    stream_f64s(s, reduced->speeds_before, n);
    stream_f64s(s, reduced->drift_from, n);
    stream_f64s(s, reduced->inverse, (size_t)n * n);
    stream_f64s(s, reduced->drag, n);
    stream_f64s(s, reduced->kick, n);
    stream_f64s(s, reduced->shift, n);
    stream_f64(s, &reduced->way_kept);
}

static void reduced_visit(tni_stream *s, tni_reduced *reduced) {
    stream_same(s, reduced->freedoms);
    stream_same(s, reduced->body_count);
    stream_same(s, reduced->affine != NULL ? 1 : 0);
    if (s->is_other) {
        return;
    }
    stream_u32(s, &reduced->place);
    stream_bool(s, &reduced->is_collision_allowed);
    stream_bool(s, &reduced->has_damping);
    stream_bool(s, &reduced->stops);
    stream_bool(s, &reduced->is_shifted);
    stream_bool(s, &reduced->is_sound);
    stream_bool(s, &reduced->is_active);
    stream_bool(s, &reduced->is_told);
    reduced_visit_numbers(s, reduced);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        reduced_visit_body(s, &reduced->bodies[b], reduced->freedoms);
    }
    if (reduced->affine != NULL) {
        reduced_visit_affine(s, reduced->affine);
    }
}

// ---- all ----------------------------------------------------------------------------------------

// Visits the objects of a kind. All that the snapshot has must be in the world: a check passes over
// their bytes without writing.
static void movers_visit(tni_snapshot *snapshot, uint32_t kind) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    const tni_pool *pool = &snapshot->pools[kind];
    tni_stream_mode mode = s->mode;
    for (uint32_t i = 0; i < pool->slot_count && !s->is_damaged && !s->is_other; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        if (snapshot->checks && !tni_snapshot_is_there(snapshot, kind, i)) {
            s->is_other = true;
            return;
        }
        s->mode = snapshot->checks ? TNI_STREAM_SKIPS : mode;
        if (kind == TNI_SNAPSHOT_FORCES) {
            forces_visit(s, tni_force_at(world, i));
        } else {
            reduced_visit(s, tni_reduced_at(world, i));
        }
        s->mode = mode;
    }
}

bool tni_snapshot_visit_movers(tni_snapshot *snapshot) {
    movers_visit(snapshot, TNI_SNAPSHOT_FORCES);
    movers_visit(snapshot, TNI_SNAPSHOT_REDUCED);
    return true;
}

void tni_snapshot_drop_movers(tni_snapshot *snapshot) {
    tn_world *world = snapshot->world;
    for (uint32_t i = 0; i < world->force_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->force_pool, i) != 0 &&
            !tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_FORCES, i)) {
            tni_force_free(world, tni_force_at(world, i));
        }
    }
    for (uint32_t i = 0; i < world->reduced_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->reduced_pool, i) != 0 &&
            !tni_snapshot_is_there(snapshot, TNI_SNAPSHOT_REDUCED, i)) {
            tni_reduced_free(world, tni_reduced_at(world, i));
        }
    }
}
