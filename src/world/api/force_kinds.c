// world/api/force_kinds.c: the public functions of the ready-made forces.
// Test: tests/forces/test_force_kinds.c, test_force_misuse.c
#include "world/api/force_internal.h"
#include "world/bodies.h"

static tn_force_base kinds_get_base(uint32_t connectors) {
    tn_force_base base = tn_force_def_default().base;
    base.connector_count = connectors;
    return base;
}

// ---- spring ------------------------------------------------------------------------------------

tn_spring_force_def tn_spring_force_def_default(void) {
    tn_spring_force_def def = {.base = kinds_get_base(2)};
    return def;
}

tn_force_id tn_spring_force_create(tn_world *world, const tn_spring_force_def *def) {
    tni_force given = {.type = TN_FORCE_TYPE_SPRING, .function = tni_force_spring};
    if (def != NULL) {
        given.spring = def->spring;
    }
    return tni_force_create(world, &given, def != NULL ? &def->base : NULL, __func__);
}

tn_result tn_spring_force_set(tn_world *world, tn_force_id id, tn_force_spring spring) {
    tni_force changed = {.type = TN_FORCE_TYPE_SPRING, .spring = spring};
    return tni_force_change(world, id, &changed, __func__);
}

tn_force_spring tn_spring_force_get(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_SPRING, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->spring : (tn_force_spring){0};
}

// ---- air ---------------------------------------------------------------------------------------

tn_air_force_def tn_air_force_def_default(void) {
    tn_air_force_def def = {kinds_get_base(0), {.density = 1.2, .coefficient = 1.0}};
    return def;
}

tn_force_id tn_air_force_create(tn_world *world, const tn_air_force_def *def) {
    tni_force given = {.type = TN_FORCE_TYPE_AIR, .function = tni_force_air};
    if (def != NULL) {
        given.air = def->air;
    }
    return tni_force_create(world, &given, def != NULL ? &def->base : NULL, __func__);
}

tn_result tn_air_force_set(tn_world *world, tn_force_id id, tn_force_air air) {
    tni_force changed = {.type = TN_FORCE_TYPE_AIR, .air = air};
    return tni_force_change(world, id, &changed, __func__);
}

tn_force_air tn_air_force_get(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_AIR, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->air : (tn_force_air){0};
}

// ---- buoyancy ----------------------------------------------------------------------------------

tn_buoyancy_force_def tn_buoyancy_force_def_default(void) {
    tn_buoyancy_force_def def = {kinds_get_base(0), {.density = 1000.0, .up = {0.0, 1.0, 0.0}}};
    return def;
}

tn_force_id tn_buoyancy_force_create(tn_world *world, const tn_buoyancy_force_def *def) {
    tni_force given = {.type = TN_FORCE_TYPE_BUOYANCY, .function = tni_force_buoyancy};
    if (def != NULL) {
        given.buoyancy = def->buoyancy;
    }
    return tni_force_create(world, &given, def != NULL ? &def->base : NULL, __func__);
}

tn_result tn_buoyancy_force_set(tn_world *world, tn_force_id id, tn_force_buoyancy buoyancy) {
    tni_force changed = {.type = TN_FORCE_TYPE_BUOYANCY, .buoyancy = buoyancy};
    return tni_force_change(world, id, &changed, __func__);
}

tn_force_buoyancy tn_buoyancy_force_get(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_BUOYANCY, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->buoyancy : (tn_force_buoyancy){0};
}

double tn_buoyancy_force_get_volume(const tn_world *world, tn_force_id id, uint32_t connector) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_BUOYANCY, __func__);
    const tni_force_end *end = tni_force_find_end(world, index, connector, __func__);
    if (end == NULL) {
        return 0.0;
    }
    const tni_force *force = tni_force_at(world, index);
    const tni_body *body = tni_body_at(world, end->body);
    tni_dpose frame = tni_body_get_place(body);
    tni_dvec3 up = dvec3_from_plain(force->buoyancy.up);
    up = dvec3_scale(up, 1.0 / dvec3_length(up));
    tni_submerged under = {0};
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        if (tni_shape_is_solid(tni_shape_at(world, i))) {
            tni_submerged_add(&tni_shape_at(world, i)->geometry, &frame, up, force->buoyancy.level,
                              &under);
        }
    }
    return under.volume;
}

// ---- magnet ------------------------------------------------------------------------------------

tn_magnet_force_def tn_magnet_force_def_default(void) {
    tn_magnet_force_def def = {kinds_get_base(0), {.core = 0.001}};
    return def;
}

tn_force_id tn_magnet_force_create(tn_world *world, const tn_magnet_force_def *def) {
    tni_force given = {.type = TN_FORCE_TYPE_MAGNET, .function = tni_force_magnet};
    if (def != NULL) {
        given.magnet = def->magnet;
    }
    return tni_force_create(world, &given, def != NULL ? &def->base : NULL, __func__);
}

tn_result tn_magnet_force_set(tn_world *world, tn_force_id id, tn_force_magnet magnet) {
    tni_force changed = {.type = TN_FORCE_TYPE_MAGNET, .magnet = magnet};
    return tni_force_change(world, id, &changed, __func__);
}

tn_force_magnet tn_magnet_force_get(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_MAGNET, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->magnet : (tn_force_magnet){0};
}

// ---- motor -------------------------------------------------------------------------------------

tn_motor_force_def tn_motor_force_def_default(void) {
    tn_motor_force_def def = {kinds_get_base(2), {.no_load_speed = (double)INFINITY}};
    return def;
}

tn_force_id tn_motor_force_create(tn_world *world, const tn_motor_force_def *def) {
    tni_force given = {.type = TN_FORCE_TYPE_MOTOR, .function = tni_force_motor};
    if (def != NULL) {
        given.motor = def->motor;
    }
    return tni_force_create(world, &given, def != NULL ? &def->base : NULL, __func__);
}

tn_result tn_motor_force_set(tn_world *world, tn_force_id id, tn_force_motor motor) {
    tni_force changed = {.type = TN_FORCE_TYPE_MOTOR, .motor = motor};
    return tni_force_change(world, id, &changed, __func__);
}

tn_force_motor tn_motor_force_get(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force_of_type(world, id, TN_FORCE_TYPE_MOTOR, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->motor : (tn_force_motor){0};
}
