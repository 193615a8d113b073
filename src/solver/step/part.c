// solver/step/part.c: bodies that no cluster has are cut into parts of equal work that touch
// little.
//
// Two workers that sweep one pile color by color both need all of its bodies: a body's numbers go
// to and fro between their caches, and every color ends with a wait. So bodies are kept in an order
// in which those near each other in space follow each other (solver/step/part_order.c), and the
// list is cut where the contacts before and after are as many, and each half again. Few contacts go
// across. A sweep begins with those that do and, side by side with them, all contacts in a part
// whose bodies have no contact across; and it ends with the others of each part, those with static
// bodies last (world/collide/contact_order_cells.h). A part is the same bodies in all loops of a
// step, and goes to the same worker; as its bodies lie together in memory, too, no worker fetches
// numbers that others are about to change. If nothing acts but contacts, and joints of trees that
// no cut goes through, workers meet twice in a sweep (solver/step/part_rounds.c).
//
// Parts depend on bodies and contacts alone, not on workers. Test: tests/solver/step/test_part.c
#include "solver/step/part.h"

#include <string.h>

void tni_parts_cut(const uint32_t *weights, uint32_t body_count, tni_parts *parts) {
    uint64_t total = 0, before = 0;
    for (uint32_t i = 1; i < body_count; ++i) {
        total += weights[i];
    }
    uint32_t count = part_count(parts), at = 1;
    parts->of[0] = 0;
    for (uint32_t p = 0; p < count; ++p) {
        uint32_t first = at;
        while (at < body_count && (p + 1 == count || before * count < total * (p + 1))) {
            before += weights[at++];
        }
        parts->ends[p] = at;
        memset(parts->of + first, (int)p, at - first);
    }
}

void tni_parts_join(tni_parts *parts, uint32_t body_count, uint32_t levels) {
    uint32_t fewer = parts->levels - levels;
    if (fewer == 0) {
        return;
    }
    for (uint32_t i = 0; i < body_count; ++i) {
        parts->of[i] = (uint8_t)(parts->of[i] >> fewer);
    }
    for (uint32_t p = 0; p < 1u << levels; ++p) {
        parts->ends[p] = parts->ends[((p + 1) << fewer) - 1];
    }
    parts->levels = levels;
}
