// tests/fuzz/fuzz_compound.c: compounds of any children, met by shapes and queries.
#include "fuzz.h"

#include <math.h>
#include <stddef.h>

#define COMPOUND_MOST 12

typedef struct compound_data {
    tn_vec3 points[COMPOUND_MOST][FUZZ_MOST_POINTS];
    tn_compound_child children[COMPOUND_MOST];
    tn_compound_def def;
} compound_data;

static void compound_fill(fuzz *f, compound_data *data) {
    static const tn_shape_type types[] = {TN_SHAPE_TYPE_SPHERE, TN_SHAPE_TYPE_CAPSULE,
                                          TN_SHAPE_TYPE_BOX, TN_SHAPE_TYPE_HULL};
    data->def = tn_compound_def_default();
    data->def.children = data->children;
    data->def.child_count = (f->is_hostile ? 0 : 1) + fuzz_below(f, COMPOUND_MOST);
    data->def.alloc = fuzz_alloc;
    data->def.free = fuzz_free;
    data->def.memory_user_data = f;
    for (uint32_t i = 0; i < data->def.child_count; ++i) {
        tn_compound_child *child = &data->children[i];
        *child = tn_compound_child_default();
        child->type = f->is_hostile && fuzz_chance(f, 30) ? (tn_shape_type)fuzz_below(f, 20)
                                                          : types[fuzz_below(f, 4)];
        child->local_pose = fuzz_pose(f);
        child->radius = (float)fuzz_length(f);
        child->half_length = (float)fuzz_length(f);
        child->half_extents = fuzz_lengths(f);
        child->points = data->points[i];
        child->point_count = fuzz_cloud(f, data->points[i]);
        child->material = fuzz_below(f, 2);
    }
}

static void compound_use(fuzz *f, tn_compound *compound) {
    tn_world *world = fuzz_world(f);
    tn_shape_def def = tn_shape_def_default();
    const tn_material materials[2] = {def.material, def.material};
    for (uint32_t i = 0; i < 2; ++i) {
        tn_body_type type = fuzz_chance(f, 2) ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_KINEMATIC;
        tn_compound_shape_create(world, fuzz_body(f, world, type), &def, compound, materials, 2);
        tn_compound_release(i == 1 ? compound : NULL);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        fuzz_shape(f, world, fuzz_body(f, world, TN_BODY_TYPE_DYNAMIC));
    }
    fuzz_ask(f, world);
    fuzz_step(f, world, 6);
    fuzz_ask(f, world);
    tn_world_destroy(world);
}

void fuzz_compound(fuzz *f) {
    static compound_data data;
    compound_fill(f, &data);
    tn_result result = TN_RESULT_COUNT;
    tn_compound *compound = tn_compound_create(&data.def, &result);
    fuzz_expect(f, (compound != NULL) == (result == TN_RESULT_OK), "a compound has another result");
    if (compound != NULL) {
        tn_bounds bounds = tn_compound_get_bounds(compound);
        bool are_bounds = !isnan(bounds.lower.x) && bounds.lower.x <= bounds.upper.x;
        fuzz_expect(f, are_bounds, "a compound has no bounds");
        compound_use(f, compound);
    }
}
