// world/step/step_areas.c: what areas do to bodies, as forces of the step.
//
// With g the gravity that the areas leave, c the dampings and drags together, and W the sum of drag
// times wind, a body of mass m gets in a step of dt
//     force  m ((g - g_world) gravity_scale + (W - c v) / (1 + c dt)),
//     torque -c_w / (1 + c_w dt) times its angular momentum,
// by implicit Euler over the step, so that no drag turns a velocity around.
//
// The forces are added to those that the user applied, which the step clears at its end. If the
// step has no memory and no time passes, they are taken back. Test: tests/world/api/test_area.c
#include "world/step/step_areas.h"
#include "world/bodies.h"
#include "world/sensors.h"

// The effect of areas on a body, and the loads that it had before.
struct tni_area_effect {
    bool is_met, was_pushed;
    uint32_t last; // the place of the area that met it last, from 1
    tni_dvec3 gravity, wind;
    double drag, spin_drag;
    tni_dvec3 old_force, old_torque;
};

static void areas_add(const tn_area *area, tni_area_effect *effect) {
    tni_dvec3 gravity = dvec3_from_plain(area->gravity);
    if (area->gravity_mode == TN_AREA_GRAVITY_ADD) {
        effect->gravity = dvec3_add(effect->gravity, gravity);
    } else if (area->gravity_mode == TN_AREA_GRAVITY_REPLACE) {
        effect->gravity = gravity;
    }
    double drag = (double)area->wind_drag;
    effect->wind = dvec3_add_scaled(effect->wind, drag, dvec3_from_plain(area->wind));
    effect->drag += drag + (double)area->linear_damping;
    effect->spin_drag += (double)area->angular_damping;
}

// Meets the bodies that the area's sensor noticed, each once.
static void areas_meet(const tn_world *world, uint32_t place, tni_area_effect *effects) {
    const tni_area *area = &world->sensing.areas[place];
    uint32_t count;
    const uint64_t *overlaps = tni_sensing_find(world, area->shape, &count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t index = tni_pool_find(&world->shape_pool, tni_overlap_get_shape(overlaps[i]));
        if (index == TNI_POOL_NONE || tni_shape_at(world, index)->is_sensor) {
            continue;
        }
        const tni_body *body = tni_body_at(world, tni_shape_at(world, index)->body);
        if (body->type != TN_BODY_TYPE_DYNAMIC || body->awake_index == TNI_NONE) {
            continue;
        }
        tni_area_effect *effect = &effects[body->awake_index];
        if (!effect->is_met) {
            effect->is_met = true;
            effect->gravity = tni_world_get_gravity(world);
        }
        if (effect->last != place + 1) {
            effect->last = place + 1;
            areas_add(&area->numbers, effect);
        }
    }
}

static void areas_push(const tn_world *world, double dt, tni_body *body, tni_area_effect *effect) {
    tni_dvec3 gravity = dvec3_sub(effect->gravity, tni_world_get_gravity(world));
    tni_dvec3 slowing = dvec3_add_scaled(effect->wind, -effect->drag, body->velocity);
    tni_dvec3 pull = dvec3_scale(gravity, (double)body->gravity_scale);
    pull = dvec3_add_scaled(pull, 1.0 / (1.0 + effect->drag * dt), slowing);
    double rate = effect->spin_drag / (1.0 + effect->spin_drag * dt);
    effect->old_force = body->force;
    effect->old_torque = body->torque;
    effect->was_pushed = body->is_pushed;
    body->force = dvec3_add_scaled(body->force, body->mass, pull);
    if (rate > 0.0 && !body->is_particle) {
        body->torque = dvec3_add_scaled(body->torque, -rate, tni_body_spin(world, body));
    }
    body->is_pushed = true;
}

bool tni_step_apply_areas(tn_world *world, double dt, tni_step_areas *areas) {
    areas->count = 0;
    if (world->sensing.area_count == 0) {
        return true;
    }
    uint32_t count = world->awake_bodies.count;
    areas->effects = tni_arena_alloc_zeroed(&world->arena, count * sizeof *areas->effects);
    if (areas->effects == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < world->sensing.area_count; ++i) {
        areas_meet(world, i, areas->effects);
    }
    areas->bodies = tni_arena_alloc(&world->arena, count * sizeof *areas->bodies);
    if (areas->bodies == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        areas->bodies[i] = world->awake_bodies.items[i];
        if (areas->effects[i].is_met) {
            areas_push(world, dt, tni_body_at(world, areas->bodies[i]), &areas->effects[i]);
        }
    }
    areas->count = count;
    return true;
}

void tni_step_take_back_areas(tn_world *world, const tni_step_areas *areas) {
    for (uint32_t i = 0; i < areas->count; ++i) {
        const tni_area_effect *effect = &areas->effects[i];
        tni_body *body = tni_body_at(world, areas->bodies[i]);
        if (effect->is_met) {
            body->force = effect->old_force;
            body->torque = effect->old_torque;
            body->is_pushed = effect->was_pushed;
        }
    }
}
