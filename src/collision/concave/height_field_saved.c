// collision/concave/height_field_saved.c: a height field as bytes.
// Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/height_field.h"

static void field_visit_grid(tni_stream *s, tni_height_field_grid *grid) {
    stream_u32(s, &grid->columns);
    stream_u32(s, &grid->rows);
    stream_bool(s, &grid->has_holes);
    stream_bool(s, &grid->has_materials);
    stream_f32(s, &grid->spacing_x);
    stream_f32(s, &grid->spacing_z);
}

static void field_visit_samples(tni_stream *s, const tni_height_field *field) {
    size_t cells = (size_t)(field->columns - 1) * (field->rows - 1);
    stream_f32s(s, field->heights, (size_t)field->columns * field->rows);
    stream_u8s(s, field->holes, field->holes != NULL ? cells : 0);
    stream_u16s(s, field->materials, field->materials != NULL ? cells : 0);
}

void tni_height_field_save(tni_stream *stream, const void *object) {
    const tni_height_field *field = object;
    tni_height_field_grid grid = {.columns = field->columns,
                                  .rows = field->rows,
                                  .has_holes = field->holes != NULL,
                                  .has_materials = field->materials != NULL,
                                  .spacing_x = field->spacing_x,
                                  .spacing_z = field->spacing_z};
    field_visit_grid(stream, &grid);
    field_visit_samples(stream, field);
}

tni_shared *tni_height_field_load(tni_stream *stream, const tni_allocator *allocator,
                                  tn_result *out_result) {
    tni_height_field_grid grid = {.columns = 0};
    field_visit_grid(stream, &grid);
    bool is_right = grid.columns >= 2 && grid.columns <= TNI_HEIGHT_FIELD_MOST && grid.rows >= 2 &&
                    grid.rows <= TNI_HEIGHT_FIELD_MOST &&
                    tni_stream_has(stream, (uint64_t)grid.columns * grid.rows, 4);
    *out_result = TN_RESULT_DAMAGED_DATA;
    if (!tni_stream_expect(stream, is_right)) {
        return NULL;
    }
    tni_height_field *field = tni_height_field_allocate(allocator, &grid);
    if (field == NULL) {
        *out_result = TN_RESULT_OUT_OF_MEMORY;
        return NULL;
    }
    field_visit_samples(stream, field);
    if (!tni_stream_is_done(stream)) {
        tni_shared_release(&field->base.shared);
        return NULL;
    }
    tni_height_field_finish(field);
    *out_result = TN_RESULT_OK;
    return &field->base.shared;
}
