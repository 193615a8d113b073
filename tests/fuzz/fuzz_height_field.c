// tests/fuzz/fuzz_height_field.c: grounds of any heights, walked over by shapes and queries.
#include "fuzz.h"

#include <math.h>
#include <stddef.h>

#define FIELD_MOST 9

typedef struct field_data {
    float heights[FIELD_MOST * FIELD_MOST];
    uint8_t holes[FIELD_MOST * FIELD_MOST];
    uint16_t materials[FIELD_MOST * FIELD_MOST];
    tn_height_field_def def;
} field_data;

static void field_fill(fuzz *f, field_data *data) {
    double tall = fuzz_spread(f, 1e-6, 1.0);
    uint32_t kind = fuzz_below(f, 4);
    for (uint32_t i = 0; i < FIELD_MOST * FIELD_MOST; ++i) {
        double height = kind == 0   ? 0.0
                        : kind == 1 ? f->scale * (double)fuzz_below(f, 2)
                                    : fuzz_number(f);
        data->heights[i] = (float)(kind == 2 ? tall * height : height);
        data->holes[i] = fuzz_chance(f, 6) ? (uint8_t)fuzz_below(f, 256) : 0;
        data->materials[i] = (uint16_t)fuzz_below(f, 2);
    }
    tn_height_field_def *def = &data->def;
    *def = tn_height_field_def_default();
    def->heights = data->heights;
    def->holes = fuzz_chance(f, 2) ? data->holes : NULL;
    def->materials = fuzz_chance(f, 2) ? data->materials : NULL;
    def->columns = (f->is_hostile ? 0 : 2) + fuzz_below(f, FIELD_MOST - 2);
    def->rows = (f->is_hostile ? 0 : 2) + fuzz_below(f, FIELD_MOST - 2);
    def->spacing_x = (float)fuzz_length(f);
    def->spacing_z = fuzz_chance(f, 2) ? def->spacing_x : (float)fuzz_length(f);
    def->alloc = fuzz_alloc;
    def->free = fuzz_free;
    def->memory_user_data = f;
}

static void field_check_heights(fuzz *f, const tn_height_field *field) {
    tn_bounds bounds = tn_height_field_get_bounds(field);
    fuzz_expect(f, fuzz_is_finite(bounds.lower) && fuzz_is_finite(bounds.upper),
                "a height field has no bounds");
    double slack = 1e-5 * (fabs(bounds.lower.y) + fabs(bounds.upper.y));
    for (uint32_t i = 0; i < 8; ++i) {
        double x = fuzz_between(f, bounds.lower.x, bounds.upper.x);
        double z = fuzz_between(f, bounds.lower.z, bounds.upper.z);
        double height = (double)tn_height_field_get_height(field, (float)x, (float)z);
        bool is_beside = height == 0.0; // rounding took it out
        fuzz_expect(
            f, is_beside || (height >= bounds.lower.y - slack && height <= bounds.upper.y + slack),
            "a height is out of bounds");
        height =
            (double)tn_height_field_get_height(field, (float)fuzz_number(f), (float)fuzz_number(f));
        fuzz_expect(f, isfinite(height), "a height is none");
    }
}

static void field_use(fuzz *f, tn_height_field *field) {
    tn_world *world = fuzz_world(f);
    tn_shape_def def = tn_shape_def_default();
    const tn_material materials[2] = {def.material, def.material};
    for (uint32_t i = 0; i < 2; ++i) {
        tn_body_id body = fuzz_body(f, world, TN_BODY_TYPE_STATIC);
        tn_height_field_shape_create(world, body, &def, field, materials, 2);
        tn_height_field_release(i == 1 ? field : NULL);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        fuzz_shape(f, world, fuzz_body(f, world, TN_BODY_TYPE_DYNAMIC));
    }
    fuzz_ask(f, world);
    fuzz_step(f, world, 6);
    fuzz_ask(f, world);
    tn_world_destroy(world);
}

void fuzz_height_field(fuzz *f) {
    static field_data data;
    field_fill(f, &data);
    tn_result result = TN_RESULT_COUNT;
    tn_height_field *field = tn_height_field_create(&data.def, &result);
    fuzz_expect(f, (field != NULL) == (result == TN_RESULT_OK), "a field has another result");
    if (field != NULL) {
        field_check_heights(f, field);
        field_use(f, field);
    }
}
