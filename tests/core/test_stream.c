#include "core/stream.h"

#include <criterion/criterion.h>

// A record with padding, which the bytes leave out.
typedef struct record {
    uint8_t small;
    double wide;
    bool bit;
    uint16_t numbers[3];
    float single;
} record;

static void visit(tni_stream *s, record *r) {
    stream_u8(s, &r->small);
    stream_f64(s, &r->wide);
    stream_bool(s, &r->bit);
    tni_stream_fields(s, r->numbers, 3, 2);
    stream_f32(s, &r->single);
}

#define RECORD_BYTES 20u

static const record sample = {7, 1.0, true, {0x102, 3, 4}, -2.0f};

static uint64_t save(unsigned char *bytes) {
    record copy = sample;
    tni_stream s = {.mode = bytes != NULL ? TNI_STREAM_SAVES : TNI_STREAM_COUNTS, .bytes = bytes};
    visit(&s, &copy);
    return s.at;
}

Test(stream, counts_what_it_saves_and_leaves_out_padding) {
    unsigned char bytes[RECORD_BYTES];
    cr_assert(save(NULL) == RECORD_BYTES && save(bytes) == RECORD_BYTES);
}

Test(stream, puts_the_least_byte_first) {
    static const unsigned char expected[RECORD_BYTES] = {7, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 1,
                                                         2, 1, 3, 0, 4, 0, 0, 0,    0,    0xc0};
    unsigned char bytes[RECORD_BYTES];
    save(bytes);
    cr_assert(memcmp(bytes, expected, sizeof bytes) == 0);
}

Test(stream, loads_what_was_saved) {
    unsigned char bytes[RECORD_BYTES];
    save(bytes);
    record read = {0};
    tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = RECORD_BYTES};
    visit(&s, &read);
    cr_assert(!s.is_damaged && s.at == RECORD_BYTES);
    cr_assert(read.small == 7 && read.wide == 1.0 && read.bit && read.single == -2.0f);
    cr_assert(read.numbers[0] == 0x102 && read.numbers[1] == 3 && read.numbers[2] == 4);
}

Test(stream, skips_without_writing) {
    unsigned char bytes[RECORD_BYTES];
    save(bytes);
    record read = {.small = 1, .numbers = {9, 9, 9}};
    tni_stream s = {.mode = TNI_STREAM_SKIPS, .bytes = bytes, .size = RECORD_BYTES};
    visit(&s, &read);
    cr_assert(!s.is_damaged && s.at == RECORD_BYTES);
    cr_assert(read.small == 1 && read.numbers[0] == 9 && !read.bit);
}

Test(stream, behind_the_end_gives_zeros_and_notes_damage) {
    unsigned char bytes[RECORD_BYTES];
    save(bytes);
    record read = sample;
    tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = RECORD_BYTES - 1};
    visit(&s, &read);
    cr_assert(s.is_damaged && read.single == 0.0f && read.wide == 1.0);
}

Test(stream, a_bool_is_a_bit_and_a_choice_is_in_its_range) {
    unsigned char bytes[4] = {2, 0, 0, 0};
    bool bit = true;
    tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = 4};
    stream_bool(&s, &bit);
    cr_assert(s.is_damaged && !bit);
    s = (tni_stream){.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = 4};
    cr_assert(stream_choice(&s, 0, 2) == 2 && !s.is_damaged);
    s = (tni_stream){.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = 4};
    cr_assert(stream_choice(&s, 0, 1) == 0 && s.is_damaged);
}

Test(stream, notes_a_number_that_is_another) {
    unsigned char bytes[4] = {2, 0, 0, 0};
    tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = 4};
    stream_same(&s, 2);
    cr_assert(!s.is_other && s.at == 4);
    s.at = 0;
    stream_same(&s, 3);
    cr_assert(s.is_other && !s.is_damaged);
}

// ---- records ------------------------------------------------------------------------------------

TNI_KERNEL void visit_record(tni_stream *s, void *record_) {
    visit(s, record_);
}

Test(stream, a_record_has_the_bytes_of_its_fields) {
    unsigned char bytes[RECORD_BYTES], alone[RECORD_BYTES];
    record copy = sample;
    tni_stream counter = {.mode = TNI_STREAM_COUNTS};
    tni_stream_record(&counter, &copy, visit_record);
    tni_stream s = {.mode = TNI_STREAM_SAVES, .bytes = bytes};
    tni_stream_record(&s, &copy, visit_record);
    save(alone);
    cr_assert(counter.at == RECORD_BYTES && s.at == RECORD_BYTES);
    cr_assert(memcmp(bytes, alone, sizeof bytes) == 0);
}

// The first has many bytes behind it, the last has none, and one is cut.
Test(stream, a_record_is_loaded_wherever_it_stands) {
    static unsigned char bytes[200 * RECORD_BYTES];
    for (uint64_t i = 0; i < 200; ++i) {
        save(bytes + i * RECORD_BYTES);
        bytes[i * RECORD_BYTES] = (unsigned char)i;
    }
    tni_stream s = {.mode = TNI_STREAM_LOADS, .bytes = bytes, .size = sizeof bytes - 1};
    for (uint64_t i = 0; i < 199; ++i) {
        record read = {0};
        tni_stream_record(&s, &read, visit_record);
        cr_assert(!s.is_damaged && s.at == (i + 1) * RECORD_BYTES && s.bytes == bytes);
        cr_assert(read.small == i && read.wide == 1.0 && read.single == -2.0f);
    }
    record read = {.single = 7.0f};
    tni_stream_record(&s, &read, visit_record);
    cr_assert(s.is_damaged && s.at == 199 * RECORD_BYTES && s.size == sizeof bytes - 1);
    cr_assert(read.single >= -2.0f && read.single <= 0.0f, "a float without its last byte");
}

Test(stream, a_record_of_damaged_bytes_is_zero) {
    unsigned char bytes[RECORD_BYTES];
    save(bytes);
    record read = sample;
    tni_stream s = {
        .mode = TNI_STREAM_LOADS, .bytes = bytes, .size = RECORD_BYTES, .is_damaged = true};
    tni_stream_record(&s, &read, visit_record);
    cr_assert(s.is_damaged && s.at == 0 && read.small == 0 && read.wide == 0.0 && !read.bit);
}
