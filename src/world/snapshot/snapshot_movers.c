// world/snapshot/snapshot_movers.c: the records of forces and of bodies by coordinates.
//
// All of them have memory and callbacks beside their records: the world has them already. A check
// reads what a step goes by into scratch records, and passes over the other numbers.
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

// A check passes over the inputs.
static void forces_visit_goal(tni_stream *s, tni_force *force, bool checks) {
    tni_goal *goal = force->goal.apart;
    stream_f64(s, &force->goal.numbers.strength);
    stream_same(s, goal->graph->number_count);
    if (!s->is_other) {
        stream_f64s_or_skip(s, checks ? NULL : goal->values.inputs, goal->graph->number_count);
    }
}

static void forces_visit_kind(tni_stream *s, tni_force *force, bool checks) {
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
        forces_visit_goal(s, force, checks);
        break;
    default: // CUSTOM
        break;
    }
}

static void forces_visit_end(tni_stream *s, tni_force_end *end) {
    stream_same(s, end->body);
    stream_u32(s, &end->previous);
    stream_u32(s, &end->next);
    stream_bool(s, &end->is_at_center);
    stream_dvec3(s, &end->point);
    stream_dvec3(s, &end->axis);
    stream_f64(s, &end->amount);
    stream_dvec3(s, &end->force);
    stream_dvec3(s, &end->torque);
}

static void forces_visit(tni_stream *s, tni_force *force, bool checks) {
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
    forces_visit_kind(s, force, checks);
}

static void forces_note_links(const tni_snapshot *snapshot, uint32_t index,
                              const tni_force *force) {
    const tni_snapshot_links *links = &snapshot->links;
    tni_snapshot_link *link = &links->items[TNI_SNAPSHOT_FORCES][index];
    link->places[TNI_SNAPSHOT_MADE] = force->place;
    for (uint32_t e = 0; e < force->end_count; ++e) {
        const tni_force_end *end = &force->ends[e];
        links->ends[index << TNI_FORCE_END_BITS | e] =
            (tni_snapshot_end){end->body, end->previous, end->next};
    }
}

static void forces_check(tni_snapshot *snapshot, uint32_t index) {
    tni_force scratch = *tni_force_at(snapshot->world, index);
    tni_force_end ends[TN_FORCE_MAX_CONNECTORS];
    memcpy(ends, scratch.ends, scratch.end_count * sizeof *ends);
    scratch.ends = ends;
    forces_visit(&snapshot->stream, &scratch, true);
    forces_note_links(snapshot, index, &scratch);
    tni_stream_expect(&snapshot->stream,
                      scratch.place < snapshot->pools[TNI_SNAPSHOT_FORCES].live_count &&
                          tni_force_check_numbers(&scratch).result == TN_RESULT_OK);
}

// ---- bodies by coordinates ----------------------------------------------------------------------

static void reduced_visit_body(tni_stream *s, tni_reduced_body *body, uint32_t freedoms) {
    stream_same(s, body->world_body);
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

// Visits all but the numbers.
static void reduced_visit_state(tni_stream *s, tni_reduced *reduced) {
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
}

static void reduced_visit(tni_stream *s, tni_reduced *reduced) {
    reduced_visit_state(s, reduced);
    if (s->is_other) {
        return;
    }
    reduced_visit_numbers(s, reduced);
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        reduced_visit_body(s, &reduced->bodies[b], reduced->freedoms);
    }
    if (reduced->affine != NULL) {
        reduced_visit_affine(s, reduced->affine);
    }
}

static void reduced_check(tni_snapshot *snapshot, uint32_t index) {
    tni_stream *s = &snapshot->stream, start = *s;
    tni_reduced *own = tni_reduced_at(snapshot->world, index), scratch = *own;
    reduced_visit_state(s, &scratch);
    snapshot->links.items[TNI_SNAPSHOT_REDUCED][index].places[TNI_SNAPSHOT_MADE] = scratch.place;
    tni_stream_expect(s, scratch.place < snapshot->pools[TNI_SNAPSHOT_REDUCED].live_count);
    s->at = start.at;
    s->mode = TNI_STREAM_SKIPS;
    reduced_visit(s, own);
    s->mode = TNI_STREAM_LOADS;
}

// ---- all ----------------------------------------------------------------------------------------

// Visits the objects of a kind. All that the snapshot has must be in the world.
static void movers_visit(tni_snapshot *snapshot, uint32_t kind) {
    tn_world *world = snapshot->world;
    tni_stream *s = &snapshot->stream;
    const tni_pool *pool = &snapshot->pools[kind];
    for (uint32_t i = 0; i < pool->slot_count && !s->is_damaged && !s->is_other; ++i) {
        if (tni_pool_handle(pool, i) == 0) {
            continue;
        }
        if (snapshot->checks && !tni_snapshot_is_there(snapshot, kind, i)) {
            s->is_other = true;
            return;
        }
        if (kind == TNI_SNAPSHOT_FORCES && snapshot->checks) {
            forces_check(snapshot, i);
        } else if (kind == TNI_SNAPSHOT_FORCES) {
            forces_visit(s, tni_force_at(world, i), false);
        } else if (snapshot->checks) {
            reduced_check(snapshot, i);
        } else {
            reduced_visit(s, tni_reduced_at(world, i));
        }
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
