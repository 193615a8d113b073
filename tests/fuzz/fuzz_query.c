// tests/fuzz/fuzz_query.c: queries and probes in worlds of convex shapes at random.
#include "fuzz.h"

void fuzz_query(fuzz *f) {
    tn_world *world = fuzz_world(f);
    uint32_t count = 1 + fuzz_below(f, 8);
    for (uint32_t i = 0; i < count; ++i) {
        tn_body_id body = fuzz_body(f, world, (tn_body_type)fuzz_below(f, 3));
        uint32_t shape_count = 1 + fuzz_below(f, 2);
        for (uint32_t k = 0; k < shape_count; ++k) {
            fuzz_shape(f, world, body);
        }
    }
    for (uint32_t i = 0; i < 3; ++i) {
        fuzz_ask(f, world);
    }
    fuzz_step(f, world, 2);
    fuzz_ask(f, world);
    tn_world_destroy(world);
}
