// collision/concave/height_field_saved.c: a height field as bytes.
// Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/height_field.h"

void tni_height_field_save(tni_saver *saver, const void *object) {
    const tni_height_field *field = object;
    const float spacings[2] = {field->spacing_x, field->spacing_z};
    size_t samples = (size_t)field->columns * field->rows;
    size_t cells = (size_t)(field->columns - 1) * (field->rows - 1);
    tni_save_u32(saver, field->columns);
    tni_save_u32(saver, field->rows);
    tni_save_u8(saver, field->holes != NULL);
    tni_save_u8(saver, field->materials != NULL);
    tni_save_f32s(saver, spacings, 2);
    tni_save_f32s(saver, field->heights, samples);
    tni_save_u8s(saver, field->holes, field->holes != NULL ? cells : 0);
    tni_save_u16s(saver, field->materials, field->materials != NULL ? cells : 0);
}

tni_concave *tni_height_field_load(tni_loader *loader, const tni_allocator *allocator,
                                   tn_result *out_result) {
    tni_height_field_grid grid = {.columns = tni_load_u32(loader)};
    grid.rows = tni_load_u32(loader);
    uint8_t has_holes = tni_load_u8(loader), has_materials = tni_load_u8(loader);
    float spacings[2] = {0.0f, 0.0f};
    tni_load_f32s(loader, spacings, 2);
    grid.spacing_x = spacings[0];
    grid.spacing_z = spacings[1];
    grid.has_holes = has_holes == 1;
    grid.has_materials = has_materials == 1;
    bool is_right = grid.columns >= 2 && grid.columns <= TNI_HEIGHT_FIELD_MOST && grid.rows >= 2 &&
                    grid.rows <= TNI_HEIGHT_FIELD_MOST && has_holes <= 1 && has_materials <= 1 &&
                    tni_loader_has(loader, (uint64_t)grid.columns * grid.rows, 4);
    *out_result = TN_RESULT_DAMAGED_DATA;
    if (!tni_loader_expect(loader, is_right)) {
        return NULL;
    }
    tni_height_field *field = tni_height_field_allocate(allocator, &grid);
    if (field == NULL) {
        *out_result = TN_RESULT_OUT_OF_MEMORY;
        return NULL;
    }
    size_t cells = (size_t)(grid.columns - 1) * (grid.rows - 1);
    tni_load_f32s(loader, field->heights, (size_t)grid.columns * grid.rows);
    tni_load_u8s(loader, field->holes, grid.has_holes ? cells : 0);
    tni_load_u16s(loader, field->materials, grid.has_materials ? cells : 0);
    if (!tni_loader_is_done(loader)) {
        tni_concave_release(&field->base);
        return NULL;
    }
    tni_height_field_finish(field);
    *out_result = TN_RESULT_OK;
    return &field->base;
}
