// world/movers/affine.c: creates, reads and changes elastic bodies that stretch and shear as a
// whole.
//
// An affine body is a reduced object (world/movers/reduced.c) of one body without a callback.
// solver/movers/affine.c moves it.
// Test: tests/world/movers/test_affine.c, tests/world/movers/test_affine_misuse.c
#include "solver/movers/affine.h"

#include "world/bodies.h"
#include "world/joints.h"

static const tn_reduced_id affine_null = {0};

tn_affine_def tn_affine_def_default(void) {
    return (tn_affine_def){.youngs_modulus = 1e5, .poisson_ratio = 0.3};
}

const tni_reduced *tni_body_get_affine(const tn_world *world, const tni_body *body) {
    const tni_reduced *reduced =
        body->reduced != TNI_NONE ? tni_reduced_at(world, body->reduced) : NULL;
    return reduced != NULL && reduced->affine != NULL ? reduced : NULL;
}

// ---- checks ------------------------------------------------------------------------------------

static bool affine_check_material(const tn_world *world, double modulus, double ratio,
                                  double viscosity, const char *function) {
    if (!isfinite(modulus) || !isfinite(ratio) || !isfinite(viscosity)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, function,
                         "The numbers of an affine body must be finite.", 0);
        return false;
    }
    if (modulus < 0.0 || ratio < 0.0 || !(ratio < 0.5) || viscosity < 0.0) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "Young's modulus and viscosity are not negative, Poisson's ratio is 0 to "
                         "less than 0.5.",
                         0);
        return false;
    }
    return true;
}

static double affine_sum_volume(const tn_world *world, const tni_body *body) {
    double sum = 0.0;
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        const tni_shape *shape = tni_shape_at(world, i);
        sum +=
            tni_shape_is_solid(shape) ? tni_geometry_mass_properties(&shape->geometry).volume : 0.0;
    }
    return sum;
}

static bool affine_check(const tn_world *world, const tn_affine_def *def, const char *function) {
    if (def == NULL) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function, "The definition is null.", 0);
        return false;
    }
    if (!affine_check_material(world, def->youngs_modulus, def->poisson_ratio, def->viscosity,
                               function)) {
        return false;
    }
    if ((uint32_t)def->kept > TN_AFFINE_KEPT_AREA) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "An affine body keeps nothing, its volume or an area.", 0);
        return false;
    }
    if (!isfinite(def->volume) || def->volume < 0.0) {
        tni_world_report(world,
                         isfinite(def->volume) ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE,
                         function, "The volume is finite and not negative.", 0);
        return false;
    }
    return true;
}

// Refuses a body with a shape that cannot be deformed.
static bool affine_check_shapes(const tn_world *world, const tni_body *body, const char *function) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        const tni_shape *shape = tni_shape_at(world, i);
        tni_check check = tni_geometry_check_affine(&shape->geometry);
        if (!tni_world_accepts(world, check, function, shape->handle)) {
            return false;
        }
    }
    return true;
}

// ---- creation ----------------------------------------------------------------------------------

// Sets the coordinates to the rigid body's state: c, R and their rates.
static void affine_set_state(const tni_body *body, tn_reduced_def *def) {
    tni_dmat3 r = dmat3_from_quat(body->rotation);
    tni_dvec3 w = body->angular_velocity;
    const double center[3] = {body->position.x, body->position.y, body->position.z};
    const double velocity[3] = {body->velocity.x, body->velocity.y, body->velocity.z};
    for (int j = 0; j < 3; ++j) {
        tni_dvec3 axis = dvec3_make(r.m[0][j], r.m[1][j], r.m[2][j]), rate = dvec3_cross(w, axis);
        const double a[3] = {axis.x, axis.y, axis.z}, b[3] = {rate.x, rate.y, rate.z};
        def->coordinates[j] = center[j];
        def->speeds[j] = velocity[j];
        for (int i = 0; i < 3; ++i) {
            def->coordinates[3 + 3 * i + j] = a[i];
            def->speeds[3 + 3 * i + j] = b[i];
        }
    }
}

// Creates the object with deformed shapes, or nothing.
static tn_reduced_id affine_create(tn_world *world, uint32_t body, const tn_reduced_def *reduced,
                                   const tn_affine_def *def, const char *function) {
    if (tni_body_at(world, body)->reduced == TNI_NONE && !tni_body_reserve_deformed(world, body)) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory for the shapes of an affine body.", def->body.value);
        return affine_null;
    }
    tn_reduced_id id = tni_reduced_create(world, reduced, def, function);
    if (id.value != 0) {
        tni_body_renew_shapes(world, body);
        tni_body_update_functions(world, body);
    } else if (tni_body_at(world, body)->reduced == TNI_NONE) {
        tni_body_drop_deformed(world, body);
    }
    return id;
}

static tn_reduced_id affine_make(tn_world *world, const tn_affine_def *def, const char *function) {
    if (!affine_check(world, def, function)) {
        return affine_null;
    }
    uint32_t index = tni_world_find_body(world, def->body, function);
    if (index == TNI_NONE) {
        return affine_null;
    }
    const tni_body *body = tni_body_at(world, index);
    if (!affine_check_shapes(world, body, function)) {
        return affine_null;
    }
    tn_affine_def whole = *def;
    whole.volume = def->volume > 0.0 ? def->volume : affine_sum_volume(world, body);
    if (!(whole.volume > 0.0) && def->youngs_modulus > 0.0) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "An elastic body without shapes needs a volume.", def->body.value);
        return affine_null;
    }
    tn_reduced_def reduced = {.freedoms = TN_AFFINE_FREEDOMS, .body_count = 1};
    reduced.bodies[0] = def->body;
    affine_set_state(body, &reduced);
    return affine_create(world, index, &reduced, &whole, function);
}

tn_reduced_id tn_affine_create(tn_world *world, const tn_affine_def *def) {
    tn_reduced_id made = affine_null;
    if (tni_world_begin_change(world, __func__)) {
        made = affine_make(world, def, __func__);
    }
    tni_world_end_change(world);
    return made;
}

// ---- reading and setting -----------------------------------------------------------------------

// Returns null after a report.
static tni_reduced *affine_find(const tn_world *world, tn_reduced_id id, const char *function) {
    uint32_t index = tni_world_find_reduced(world, id, function);
    tni_reduced *reduced = index != TNI_NONE ? tni_reduced_at(world, index) : NULL;
    if (reduced != NULL && reduced->affine == NULL) {
        tni_world_report(world, TN_RESULT_WRONG_TYPE, function,
                         "The object is given by a callback and is no affine body.", id.value);
        return NULL;
    }
    return reduced;
}

bool tn_affine_is_valid(const tn_world *world, tn_reduced_id id) {
    uint32_t index =
        world != NULL ? tni_pool_find(&world->reduced_pool, id.value) : (uint32_t)TNI_POOL_NONE;
    return index != TNI_POOL_NONE && tni_reduced_at(world, index)->affine != NULL;
}

tn_affine_def tn_affine_get_def(const tn_world *world, tn_reduced_id id) {
    const tni_reduced *reduced = affine_find(world, id, __func__);
    return reduced != NULL ? reduced->affine->material : (tn_affine_def){.volume = 0.0};
}

tn_result tn_affine_set_material(tn_world *world, tn_reduced_id id, double youngs_modulus,
                                 double poisson_ratio, double viscosity) {
    tni_reduced *reduced =
        tni_world_begin_change(world, __func__) ? affine_find(world, id, __func__) : NULL;
    if (reduced == NULL ||
        !affine_check_material(world, youngs_modulus, poisson_ratio, viscosity, __func__)) {
        return tni_world_end_change(world);
    }
    tn_affine_def *def = &reduced->affine->material;
    if (def->youngs_modulus != youngs_modulus || def->poisson_ratio != poisson_ratio ||
        def->viscosity != viscosity) {
        def->youngs_modulus = youngs_modulus;
        def->poisson_ratio = poisson_ratio;
        def->viscosity = viscosity;
        tni_reduced_wake(world, reduced);
    }
    return tni_world_end_change(world);
}

tn_vec3 tn_affine_get_point(const tn_world *world, tn_reduced_id id, tn_vec3 local) {
    const tni_reduced *reduced = affine_find(world, id, __func__);
    if (reduced == NULL) {
        return (tn_vec3){0.0, 0.0, 0.0};
    }
    tni_dvec3 center = tni_body_at(world, reduced->bodies[0].world_body)->local_center;
    tni_dvec3 x = dvec3_sub(dvec3_from_plain(local), center);
    tni_dvec3 point = tni_affine_get_point(reduced, x);
    return dvec3_to_plain(point);
}

double tn_affine_get_elastic_energy(const tn_world *world, tn_reduced_id id) {
    const tni_reduced *reduced = affine_find(world, id, __func__);
    return reduced != NULL ? tni_affine_get_elastic_energy(reduced) : 0.0;
}
