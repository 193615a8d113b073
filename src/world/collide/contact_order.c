// world/collide/contact_order.c: decides which contacts are swept, in which order, and which of
// them side by side.
//
// Contacts with static bodies are swept last, for they must not give way, and those that push
// before those that are only near, so that a group has only one kind. Each of these four kinds is
// listed by itself (contact_order_list.c) and, with parts or clusters, cut into cells
// (contact_order_cuts.c, contact_order_cells.h). In a cell the contacts that push are one class,
// and those that are only near another. A class is colored by itself (contact_order_colors.c), and
// a color is cut into groups of eight (contact_order_groups.c).
// Test: tests/world/step/test_parts.c, test_clusters.c
#include "world/collide/contact_order.h"
#include "world/collide/contact_order_cells.h"
#include "world/step/clusters.h"
#include "world/step/parts.h"

// Finds which islands make clusters, the parts of the others, and so the cells.
static bool order_find_cells(tni_step *step, tni_order_pass *pass) {
    uint32_t count = pass->order->count;
    const tni_cluster_contacts contacts = {pass->blocks, pass->is_driven, count};
    if (!tni_step_find_clusters(pass->world, step, &contacts) ||
        !tni_step_find_parts(pass->world, step)) {
        return false;
    }
    uint32_t share_size = (count + TNI_ORDER_SHARES - 1) / TNI_ORDER_SHARES;
    pass->share_size = share_size > TNI_ORDER_SHARE ? share_size : TNI_ORDER_SHARE;
    if (pass->parts->levels > 0 && !tni_contact_order_choose_parts(step, pass)) {
        return false;
    }
    pass->own_cells = order_count_own_cells(pass->parts);
    pass->cell_count = pass->own_cells + 2 * pass->clusters->count;
    bool is_sorted = pass->cell_count == 2; // each kind is a class
    return is_sorted || tni_contact_order_sort(pass);
}

bool tni_contact_order_find(tn_world *world, tni_step *step, tni_contact_order *order) {
    tni_order_pass pass = {.world = world,
                           .solver = &step->solver,
                           .clusters = &step->clusters,
                           .parts = &step->parts,
                           .order = order};
    pass.classes = pass.listed;
    return tni_contact_order_list(&pass) && order_find_cells(step, &pass) &&
           tni_contact_order_color(&pass) && tni_contact_order_group(&pass);
}
