// world/contact_order.c: which contacts are swept, in which order, and which of them side by side.
//
// Contacts with static bodies are swept last, for they must not give way; and those that push
// before those that are only near, so that groups are full of either. These four classes are
// colored each by itself (solver/colors.h), and a color is cut into groups of eight.
//
// Workers count what each piece of the list of awake contacts has of each class; from the sums over
// the pieces before it a piece knows where its contacts go, so that all are filled at once and in
// the order of the list. Colors are found one contact after the other, but of the classes at once.
//
// Where the world is cut into parts (world/parts.h) there are cells of two classes each, in loops
// of turns that are swept side by side. A body that a contact across a cut holds is of the first
// cut so crossed, counted from the one through all there is. The first loop has what shares no body
// with any turn but its own, which is most: a turn for each part, with its contacts between bodies
// of no cut, and with those across one of the cuts whose bodies are of no cut before it. There is
// one cut fewer than there are parts, and each has a turn of its own: that of the last part before
// it. Then come, level by level, the few contacts across a cut that hold a body of one before it,
// and in the last loop for each part the others between its bodies and then those with static ones.
// So what goes across is no work that the others have to wait for. A worker has as much to do as
// another, for what goes across counts for the part whose turn has it (solver/cluster_find.c).
//
// Where there is one part colors are the loops, and a few groups of them a turn. What goes through
// the substeps in clusters (world/clusters.h) has cells as well, one of two bodies that move and
// one of static ones, behind those of everything else.
#include <string.h>

#include "solver/colors.h"
#include "solver/integrate.h"
#include "world/clusters.h"
#include "world/contact_order.h"
#include "world/narrow.h"
#include "world/parts.h"

// Contacts of the list in one piece.
#define ORDER_PIECE 64u
// Contacts ahead of the one that is filled in: little is done about each.
#define ORDER_AHEAD 16u
// Fewer are colored before another thread has looked.
#define ORDER_LEAST_SHARED 256u
// Shares of the list when its contacts go to their classes: how many contacts at least, and how
// many shares at most.
#define ORDER_SHARE  128u
#define ORDER_SHARES 16u
// Groups of a color whose sweep is worth a second worker: about a microsecond.
#define ORDER_TURN_GROUPS 8u

typedef enum order_kind {
    ORDER_PUSHING,
    ORDER_NEAR,
    ORDER_PUSHING_STATIC,
    ORDER_NEAR_STATIC,
    ORDER_KINDS,
} order_kind;

// A piece of the list: how many there are, then where the next one goes.
typedef struct order_piece {
    uint32_t kept;
    uint32_t of_kind[ORDER_KINDS];
} order_piece;

typedef struct order_class {
    uint32_t start, count;
    uint32_t color_count;
} order_class;

typedef struct order_pass {
    const tn_world *world;
    const tni_solver *solver;
    const tni_cluster_bodies *clusters;
    const tni_parts *parts;
    order_piece *pieces;
    tni_kept_contact *kept;
    uint32_t *kept_at;       // as the order's
    tni_touching *touching;  // of what is kept
    tni_color_block *blocks; // class by class
    uint32_t *kept_of;       // of the blocks
    bool *is_driven;         // of the blocks as they are listed: see world/clusters.h
    uint32_t *color_ends;    // of each class from its start on, in contacts of all
    tni_color_block *rests;  // the same: see solver/color_rests.c
    tni_color_rest *rest_colors;
    // By solver body: of each kind, and of what goes between parts.
    tni_color_body *bodies[ORDER_KINDS + 2];
    order_class listed[ORDER_KINDS];
    order_class *classes; // two of each cell: those that push, and those that are only near
    uint32_t own_cells, cell_count;
    // For the way from what is listed to the classes.
    uint32_t block_count, share_size;
    uint32_t across[ORDER_SHARES][TNI_PART_MAX_LEVELS];
    uint32_t *crossing; // the blocks that go across, by share from its first on
    uint32_t crossing_count[ORDER_SHARES];
    uint8_t *cut_of; // by body: the level of the first cut that one of its contacts goes across
    uint32_t *share_counts; // by share and class: how many, then where the next one goes
    uint32_t *class_of;     // of the blocks as they are listed
    tni_color_block *moved_blocks;
    tni_kept_contact *moved_kept;
    uint32_t *moved_kept_of;
} order_pass;

// ---- pieces of the list
// --------------------------------------------------------------------------

static bool order_keeps(const tn_world *world, const tni_awake_contact *entry) {
    return entry->has_points &&
           (world->pre_solve == NULL || !tni_contact_at(world, entry->contact)->is_disabled);
}

static order_kind order_get_kind(const tni_awake_contact *entry) {
    return (order_kind)((entry->has_static ? ORDER_PUSHING_STATIC : ORDER_PUSHING) +
                        (entry->is_near ? 1 : 0));
}

static uint32_t order_get_piece_end(const tn_world *world, uint32_t piece) {
    uint32_t end = (piece + 1) * ORDER_PIECE, count = world->awake_contacts.count;
    return end < count ? end : count;
}

static void order_count_pieces(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_pass *pass = context;
    for (uint32_t piece = first; piece < last; ++piece) {
        order_piece counts = {0};
        for (uint32_t i = piece * ORDER_PIECE; i < order_get_piece_end(pass->world, piece); ++i) {
            const tni_awake_contact *entry = &pass->world->awake_contacts.items[i];
            if (order_keeps(pass->world, entry)) {
                counts.kept += 1;
                counts.of_kind[order_get_kind(entry)] += 1;
            }
        }
        pass->pieces[piece] = counts;
    }
}

// Counts to places. Returns how many are kept.
static uint32_t order_place_pieces(order_pass *pass, uint32_t piece_count) {
    uint32_t kept = 0, start = 0;
    for (uint32_t piece = 0; piece < piece_count; ++piece) {
        uint32_t count = pass->pieces[piece].kept;
        pass->pieces[piece].kept = kept;
        kept += count;
    }
    for (uint32_t kind = 0; kind < ORDER_KINDS; ++kind) {
        pass->listed[kind].start = start;
        for (uint32_t piece = 0; piece < piece_count; ++piece) {
            uint32_t count = pass->pieces[piece].of_kind[kind];
            pass->pieces[piece].of_kind[kind] = start;
            start += count;
        }
        pass->listed[kind].count = start - pass->listed[kind].start;
    }
    return kept;
}

TNI_FORCE_INLINE void order_fetch(const tn_world *world, uint32_t at, uint32_t end) {
    const tni_awake_contact *items = world->awake_contacts.items;
    if (at + ORDER_AHEAD < end && items[at + ORDER_AHEAD].has_points) {
        TNI_PREFETCH(tni_contact_at(world, items[at + ORDER_AHEAD].contact));
    }
    if (at + ORDER_AHEAD / 2 < end && items[at + ORDER_AHEAD / 2].has_points) {
        const tni_contact *contact = tni_contact_at(world, items[at + ORDER_AHEAD / 2].contact);
        TNI_PREFETCH(&tni_body_at(world, contact->body_a)->solver_index);
        TNI_PREFETCH(&tni_body_at(world, contact->body_b)->solver_index);
    }
}

static uint32_t order_get_moving(const tn_world *world, uint32_t body) {
    const tni_body *record = tni_body_at(world, body);
    bool moves = record->type == TN_BODY_TYPE_DYNAMIC && record->awake_index != TNI_NONE;
    return moves ? record->solver_index : TNI_COLOR_NO_BODY;
}

// A body that moves and does not give way: it goes through the substeps with all it touches.
static bool order_drives(const order_pass *pass, uint32_t body) {
    const tni_body *record = tni_body_at(pass->world, body);
    return record->type == TN_BODY_TYPE_KINEMATIC && record->awake_index != TNI_NONE &&
           pass->solver->kinds[record->solver_index] != TNI_BATCH_NONE;
}

static void order_fill_pieces(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_pass *pass = context;
    const tn_world *world = pass->world;
    for (uint32_t piece = first; piece < last; ++piece) {
        order_piece *at = &pass->pieces[piece];
        uint32_t end = order_get_piece_end(world, piece);
        for (uint32_t i = piece * ORDER_PIECE; i < end; ++i) {
            const tni_awake_contact *entry = &world->awake_contacts.items[i];
            order_fetch(world, i, end);
            if (!order_keeps(world, entry)) {
                continue;
            }
            const tni_contact *contact = tni_contact_at(world, entry->contact);
            uint32_t k = at->kept++, to = at->of_kind[order_get_kind(entry)]++;
            pass->kept[k] = (tni_kept_contact){entry->contact, i, TNI_NONE, entry->has_static};
            pass->kept_of[to] = k;
            pass->is_driven[to] = entry->has_static && (order_drives(pass, contact->body_a) ||
                                                        order_drives(pass, contact->body_b));
            uint32_t a = order_get_moving(world, contact->body_a);
            uint32_t b = order_get_moving(world, contact->body_b);
            pass->blocks[to] = (tni_color_block){a, b, entry->contact, 0};
            bool holds = contact->is_touching && a != TNI_COLOR_NO_BODY && b != TNI_COLOR_NO_BODY;
            pass->touching[k] = holds ? (tni_touching){a, b} : (tni_touching){0, 0};
        }
    }
}

// ---- cells --------------------------------------------------------------------------------------

// Cells of a part are of one kind; a cut's cells are early, with the first loop, or late.
static uint32_t order_get_inside_cell(uint32_t part) {
    return 2 * part + 1;
}

static uint32_t order_get_late_cell(const tni_parts *parts, uint32_t node) {
    return 2 * part_count(parts) + node;
}

static uint32_t order_get_border_cell(const tni_parts *parts, uint32_t part) {
    return order_get_late_cell(parts, part_count_inner(parts)) + 2 * part;
}

static uint32_t order_get_level(uint32_t node) {
    uint32_t level = 0;
    while ((node + 1) >> (level + 1) != 0) {
        level += 1;
    }
    return level;
}

// In the turn of the last part before the cut.
static uint32_t order_get_early_cell(const tni_parts *parts, uint32_t node) {
    uint32_t level = order_get_level(node), width = part_count(parts) >> level;
    uint32_t part = (node + 1 - (1u << level)) * width + width / 2 - 1;
    return 2 * part;
}

static uint32_t order_count_own_cells(const tni_parts *parts) {
    return parts->levels > 0 ? order_get_border_cell(parts, part_count(parts)) : 2;
}

// Of contacts across cuts, whose classes are colored with the same bodies.
static bool order_is_between(const tni_parts *parts, uint32_t cell) {
    uint32_t of_first = 2 * part_count(parts), behind = order_get_border_cell(parts, 0);
    return cell < of_first ? cell % 2 == 0 : cell < behind;
}

static uint32_t order_get_own_cell(const order_pass *pass, uint32_t a, uint32_t b) {
    const tni_parts *parts = pass->parts;
    uint32_t p = parts->of[a], q = parts->of[b];
    uint8_t cut_a = pass->cut_of[a], cut_b = pass->cut_of[b];
    if (p == q) {
        bool is_inside = cut_a == TNI_PART_MAX_LEVELS && cut_b == TNI_PART_MAX_LEVELS;
        return is_inside ? order_get_inside_cell(p) : order_get_border_cell(parts, p);
    }
    uint32_t node = part_find_node(parts, p, q), first = cut_a < cut_b ? cut_a : cut_b;
    return first == order_get_level(node) ? order_get_early_cell(parts, node)
                                          : order_get_late_cell(parts, node);
}

static uint32_t order_get_cell(const order_pass *pass, uint32_t kind,
                               const tni_color_block *block) {
    uint32_t a = block->body_a, b = block->body_b, is_static = kind >= ORDER_PUSHING_STATIC;
    a = a != TNI_COLOR_NO_BODY ? a : b;
    b = b != TNI_COLOR_NO_BODY ? b : a;
    const tni_parts *parts = pass->parts;
    if (pass->clusters->of != NULL && pass->clusters->of[a] != TNI_NONE) {
        return pass->own_cells + 2 * pass->clusters->of[a] + is_static;
    }
    if (parts->levels == 0) {
        return is_static;
    }
    return is_static ? order_get_border_cell(parts, parts->of[a]) + 1
                     : order_get_own_cell(pass, a, b);
}

static uint32_t order_find_kind(const order_pass *pass, uint32_t k) {
    uint32_t kind = 0;
    while (k >= pass->listed[kind].start + pass->listed[kind].count) {
        kind += 1;
    }
    return kind;
}

static uint32_t order_get_share_end(const order_pass *pass, uint32_t share) {
    uint32_t end = (share + 1) * pass->share_size;
    return end < pass->block_count ? end : pass->block_count;
}

// The class of each block, and how many of each there are in a share of the list.
static void order_count_shares(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_pass *pass = context;
    for (uint32_t share = first; share < last; ++share) {
        uint32_t *counts = pass->share_counts + (size_t)share * 2 * pass->cell_count;
        memset(counts, 0, 2 * pass->cell_count * sizeof *counts);
        uint32_t k = share * pass->share_size, end = order_get_share_end(pass, share);
        while (k < end) {
            uint32_t kind = order_find_kind(pass, k);
            uint32_t stop = pass->listed[kind].start + pass->listed[kind].count;
            for (stop = stop < end ? stop : end; k < stop; ++k) {
                uint32_t cell = order_get_cell(pass, kind, &pass->blocks[k]);
                pass->class_of[k] = 2 * cell + (kind & 1);
                counts[pass->class_of[k]] += 1;
            }
        }
    }
}

// Counts to places.
static void order_place_shares(const order_pass *pass, uint32_t share_count) {
    uint32_t start = 0, class_count = 2 * pass->cell_count;
    for (uint32_t class = 0; class < class_count; ++class) {
        pass->classes[class].start = start;
        for (uint32_t share = 0; share < share_count; ++share) {
            uint32_t *at = &pass->share_counts[(size_t)share * class_count + class];
            uint32_t count = *at;
            *at = start;
            start += count;
        }
        pass->classes[class].count = start - pass->classes[class].start;
    }
}

static void order_move_shares(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const order_pass *pass = context;
    for (uint32_t share = first; share < last; ++share) {
        uint32_t *next = pass->share_counts + (size_t)share * 2 * pass->cell_count;
        uint32_t end = order_get_share_end(pass, share);
        for (uint32_t k = share * pass->share_size; k < end; ++k) {
            uint32_t at = next[pass->class_of[k]]++;
            pass->moved_blocks[at] = pass->blocks[k];
            pass->moved_kept[at] = pass->kept[pass->kept_of[k]];
            pass->moved_kept_of[at] = at;
        }
    }
}

static bool order_split(tn_world *world, order_pass *pass, tni_contact_order *order) {
    tni_arena *arena = &world->arena;
    uint32_t share_count = (order->count + pass->share_size - 1) / pass->share_size;
    size_t class_count = (size_t)2 * pass->cell_count;
    pass->moved_blocks = tni_arena_alloc(arena, order->count * sizeof *pass->blocks);
    pass->moved_kept_of = tni_arena_alloc(arena, order->count * sizeof *pass->kept_of);
    pass->moved_kept = tni_arena_alloc(arena, order->count * sizeof *pass->kept);
    pass->class_of = tni_arena_alloc(arena, order->count * sizeof *pass->class_of);
    pass->share_counts =
        tni_arena_alloc(arena, share_count * class_count * sizeof *pass->share_counts);
    order->clusters = tni_arena_alloc(arena, pass->clusters->count * sizeof *order->clusters);
    pass->classes = tni_arena_alloc_zeroed(arena, class_count * sizeof *pass->classes);
    order->kept_at = pass->kept_at = tni_arena_alloc(arena, order->count * sizeof *pass->kept_at);
    if (pass->moved_blocks == NULL || pass->moved_kept_of == NULL || pass->moved_kept == NULL ||
        pass->class_of == NULL || pass->share_counts == NULL || order->clusters == NULL ||
        pass->classes == NULL || pass->kept_at == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_count_shares, share_count, 1, pass);
    order_place_shares(pass, share_count);
    tni_tasks_run(&world->tasks, order_move_shares, share_count, 1, pass);
    pass->blocks = pass->moved_blocks;
    pass->kept_of = pass->moved_kept_of;
    order->kept = pass->kept = pass->moved_kept;
    return true;
}

// ---- across cuts --------------------------------------------------------------------------------

// Of the shares, how many contacts between moving bodies go across the cuts of each level.
static void order_count_across(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    order_pass *pass = context;
    const uint8_t *of = pass->parts->of;
    uint32_t moving = pass->listed[ORDER_PUSHING_STATIC].start;
    for (uint32_t share = first; share < last; ++share) {
        uint32_t *across = pass->across[share], end = order_get_share_end(pass, share);
        uint32_t start = share * pass->share_size, count = 0;
        memset(across, 0, sizeof pass->across[share]);
        end = end < moving ? end : moving;
        for (uint32_t k = start; k < end; ++k) {
            const tni_color_block *block = &pass->blocks[k];
            uint32_t differ = (uint32_t)(of[block->body_a] ^ of[block->body_b]), level = 0;
            if (differ == 0) {
                continue;
            }
            while (differ >> level > 1) {
                level += 1;
            }
            across[level] += 1;
            pass->crossing[start + count++] = k;
        }
        pass->crossing_count[share] = count;
    }
}

static void order_note_cut(const order_pass *pass, uint32_t body, uint32_t level) {
    uint8_t *cut = &pass->cut_of[body];
    *cut = level < *cut ? (uint8_t)level : *cut;
}

// Of the cuts that are left.
static void order_find_cut_bodies(const order_pass *pass, uint32_t share_count) {
    const tni_parts *parts = pass->parts;
    memset(pass->cut_of, TNI_PART_MAX_LEVELS, pass->solver->body_count);
    for (uint32_t share = 0; share < share_count; ++share) {
        const uint32_t *crossing = pass->crossing + share * pass->share_size;
        for (uint32_t i = 0; i < pass->crossing_count[share]; ++i) {
            const tni_color_block *block = &pass->blocks[crossing[i]];
            uint32_t p = parts->of[block->body_a], q = parts->of[block->body_b];
            if (p != q) {
                uint32_t level = order_get_level(part_find_node(parts, p, q));
                order_note_cut(pass, block->body_a, level);
                order_note_cut(pass, block->body_b, level);
            }
        }
    }
}

static bool order_choose_parts(tn_world *world, tni_step *step, order_pass *pass) {
    uint32_t share_count = (pass->block_count + pass->share_size - 1) / pass->share_size;
    uint32_t sums[TNI_PART_MAX_LEVELS] = {0};
    if (pass->parts->levels == 0) {
        return true;
    }
    pass->crossing = tni_arena_alloc(&world->arena, pass->block_count * sizeof *pass->crossing);
    pass->cut_of = tni_arena_alloc(&world->arena, pass->solver->body_count);
    if (pass->crossing == NULL || pass->cut_of == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_count_across, share_count, 1, pass);
    for (uint32_t share = 0; share < share_count; ++share) {
        for (uint32_t level = 0; level < TNI_PART_MAX_LEVELS; ++level) {
            sums[level] += pass->across[share][level];
        }
    }
    tni_step_choose_parts(world, step, sums, pass->listed[ORDER_PUSHING_STATIC].start);
    order_find_cut_bodies(pass, share_count);
    return true;
}

// ---- colors -------------------------------------------------------------------------------------

// Of a class, which nobody else colors with the same bodies meanwhile.
static tni_color_body *order_get_bodies(const order_pass *pass, uint32_t class) {
    uint32_t cell = class / 2, is_near = class & 1, behind = order_get_border_cell(pass->parts, 0);
    if (pass->parts->levels > 0 && order_is_between(pass->parts, cell)) {
        return pass->bodies[ORDER_KINDS + is_near];
    }
    bool is_of_first = pass->parts->levels > 0 && cell < behind;
    uint32_t is_static = is_of_first ? 0 : (cell - (pass->parts->levels > 0 ? behind : 0)) & 1;
    return pass->bodies[2 * is_static + is_near];
}

// The one that stands for no body others have, too.
static void order_clear_bodies(const tni_color_block *blocks, uint32_t count,
                               tni_color_body *bodies) {
    for (uint32_t i = 0; i < count; ++i) {
        if (blocks[i].body_a != TNI_COLOR_NO_BODY) {
            bodies[blocks[i].body_a] = (tni_color_body){0, 0};
        }
        if (blocks[i].body_b != TNI_COLOR_NO_BODY) {
            bodies[blocks[i].body_b] = (tni_color_body){0, 0};
        }
    }
}

// Colors of a class one after the other.
static void order_color_class(const order_pass *pass, uint32_t index) {
    order_class *class = &pass->classes[index];
    tni_color_block *blocks = pass->blocks + class->start;
    tni_color_body *bodies = order_get_bodies(pass, index);
    order_clear_bodies(blocks, class->count, bodies);
    class->color_count = tni_colors_find(blocks, class->count, bodies);
    const tni_color_scratch scratch = {pass->rests + class->start, pass->rest_colors + class->start,
                                       bodies};
    class->color_count =
        tni_colors_join_rests(blocks, class->count, class->color_count, TNI_CONTACTS, &scratch);
    uint32_t *next = pass->color_ends + class->start; // first counts, then where the next one goes
    memset(next, 0, class->color_count * sizeof *next);
    for (uint32_t i = 0; i < class->count; ++i) {
        next[blocks[i].color] += 1;
    }
    uint32_t start = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        uint32_t count = next[c];
        next[c] = start;
        start += count;
    }
    for (uint32_t i = 0; i < class->count; ++i) {
        uint32_t k = pass->kept_of[class->start + i], at = next[blocks[i].color]++;
        pass->kept[k].index = at;
        if (index >= 2 * pass->own_cells) {
            pass->kept_at[at] = k;
        }
    }
}

static void order_color_cell(const order_pass *pass, uint32_t cell, uint32_t is_near) {
    uint32_t class = 2 * cell + is_near;
    if (pass->classes[class].count > 0) {
        order_color_class(pass, class);
    }
}

static void order_color_between(const order_pass *pass) {
    for (uint32_t cell = 0; cell < pass->own_cells; ++cell) {
        if (order_is_between(pass->parts, cell)) {
            order_color_cell(pass, cell, 0);
            order_color_cell(pass, cell, 1);
        }
    }
}

// What is colored at once: what goes between parts; four turns for each part, of which those of the
// contacts between its own bodies have two cells each; and each class of what is behind.
static uint32_t order_count_color_turns(const order_pass *pass) {
    uint32_t behind = 2 * (pass->cell_count - pass->own_cells);
    return pass->parts->levels > 0 ? 1 + 4 * part_count(pass->parts) + behind
                                   : 2 * pass->own_cells + behind;
}

static void order_color_turn(const order_pass *pass, uint32_t turn) {
    const tni_parts *parts = pass->parts;
    uint32_t of_parts = parts->levels > 0 ? 4 * part_count(parts) : 0;
    if (parts->levels > 0 && turn-- == 0) {
        order_color_between(pass);
        return;
    }
    if (turn >= of_parts) {
        uint32_t class = turn - of_parts + (parts->levels > 0 ? 2 * pass->own_cells : 0);
        order_color_cell(pass, class / 2, class & 1);
        return;
    }
    uint32_t part = turn / 4, is_near = turn & 1, border = order_get_border_cell(parts, part);
    if ((turn & 2) != 0) {
        order_color_cell(pass, border + 1, is_near);
    } else {
        order_color_cell(pass, order_get_inside_cell(part), is_near);
        order_color_cell(pass, border, is_near);
    }
}

static void order_color_turns(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    for (uint32_t turn = first; turn < last; ++turn) {
        order_color_turn(context, turn);
    }
}

// ---- groups, turns and loops --------------------------------------------------------------------

static void order_add_loop(tni_contact_order *order) {
    order->loop_ends[order->loop_count++] = order->turn_count;
}

// A color's groups, as a loop of turns.
static void order_add_color(tni_contact_order *order, uint32_t first_group) {
    uint32_t count = order->group_count - first_group, turns = count / ORDER_TURN_GROUPS;
    turns = turns > 0 ? turns : 1;
    for (uint32_t t = 1; t <= turns; ++t) {
        order->turn_ends[order->turn_count++] =
            first_group + (uint32_t)((uint64_t)count * t / turns);
    }
    order_add_loop(order);
}

static void order_add_groups(const order_pass *pass, uint32_t index, tni_contact_order *order) {
    const order_class *class = &pass->classes[index];
    const uint32_t *color_ends = pass->color_ends + class->start;
    bool has_loops = pass->parts->levels == 0 && index < 2 * pass->own_cells;
    uint32_t at = class->start;
    for (uint32_t c = 0; c < class->color_count; ++c) {
        uint32_t first_group = order->group_count;
        for (; at < color_ends[c]; at += TNI_CONTACTS) {
            order->groups[order->group_count++] = at;
        }
        at = color_ends[c];
        if (has_loops) {
            order_add_color(order, first_group);
        }
    }
}

// Cells that follow each other. Returns how many contacts they have.
static uint32_t order_add_cells(const order_pass *pass, uint32_t first, uint32_t count,
                                tni_contact_order *order) {
    uint32_t contacts = 0;
    for (uint32_t class = 2 * first; class < 2 * (first + count); ++class) {
        order_add_groups(pass, class, order);
        contacts += pass->classes[class].count;
    }
    return contacts;
}

// Turns of so many cells each, as a loop; without contacts there is none, unless it is needed.
static void order_add_turns(const order_pass *pass, uint32_t first, uint32_t turns,
                            uint32_t cells_of_each, bool is_needed, tni_contact_order *order) {
    uint32_t before = order->turn_count, contacts = 0;
    for (uint32_t t = 0; t < turns; ++t) {
        contacts += order_add_cells(pass, first + t * cells_of_each, cells_of_each, order);
        order->turn_ends[order->turn_count++] = order->group_count;
    }
    if (contacts > 0 || is_needed) {
        order_add_loop(order);
    } else {
        order->turn_count = before;
    }
    order->own_count += contacts;
}

// The first loop, what goes across late level by level, and the last one.
static void order_add_own_groups(const order_pass *pass, tni_contact_order *order) {
    const tni_parts *parts = pass->parts;
    uint32_t count = part_count(parts);
    if (parts->levels == 0) {
        order->own_count = order_add_cells(pass, 0, pass->own_cells, order);
    } else {
        order_add_turns(pass, 0, count, 2, true, order);
        for (uint32_t level = 1; level < parts->levels; ++level) {
            uint32_t nodes = 1u << level;
            order_add_turns(pass, order_get_late_cell(parts, nodes - 1), nodes, 1, false, order);
        }
        order_add_turns(pass, order_get_border_cell(parts, 0), count, 2, true, order);
    }
    order->own_group_count = order->group_count;
}

static void order_add_all_groups(const order_pass *pass, tni_contact_order *order) {
    order_add_own_groups(pass, order);
    for (uint32_t c = 0; c < pass->clusters->count; ++c) {
        uint32_t first_cell = pass->own_cells + 2 * c;
        tni_cluster *cluster = &order->clusters[c];
        *cluster = (tni_cluster){.first_group = order->group_count,
                                 .first_contact = pass->classes[2 * first_cell].start};
        cluster->contact_count = order_add_cells(pass, first_cell, 2, order);
        cluster->group_count = order->group_count - cluster->first_group;
    }
    order->groups[order->group_count] = order->count;
}

// ---- all of it ----------------------------------------------------------------------------------

static bool order_allocate_bodies(tni_arena *arena, order_pass *pass) {
    size_t size = pass->solver->body_count * sizeof *pass->bodies[0];
    bool has_all = true;
    for (uint32_t kind = 0; kind < ORDER_KINDS + 2 && has_all; ++kind) {
        bool is_used = kind < ORDER_KINDS ? pass->listed[kind].count > 0 : pass->parts->levels > 0;
        if (is_used) {
            pass->bodies[kind] = tni_arena_alloc(arena, size);
            has_all = pass->bodies[kind] != NULL;
        }
    }
    return has_all;
}

static bool order_allocate(tn_world *world, order_pass *pass, tni_contact_order *order) {
    tni_arena *arena = &world->arena;
    size_t count = order->count, cells = 5u << TNI_PART_MAX_LEVELS;
    order->kept = pass->kept = tni_arena_alloc(arena, count * sizeof *pass->kept);
    pass->blocks = tni_arena_alloc(arena, count * sizeof *pass->blocks);
    pass->kept_of = tni_arena_alloc(arena, count * sizeof *pass->kept_of);
    order->groups = tni_arena_alloc(arena, (count + 1) * sizeof *order->groups);
    order->turn_ends = tni_arena_alloc(arena, (count + cells) * sizeof *order->turn_ends);
    order->loop_ends = tni_arena_alloc(arena, (count + cells) * sizeof *order->loop_ends);
    pass->color_ends = tni_arena_alloc(arena, count * sizeof *pass->color_ends);
    pass->rests = tni_arena_alloc(arena, count * sizeof *pass->rests);
    pass->rest_colors = tni_arena_alloc(arena, count * sizeof *pass->rest_colors);
    pass->is_driven = tni_arena_alloc(arena, count * sizeof *pass->is_driven);
    order->touching = pass->touching = tni_arena_alloc(arena, count * sizeof *pass->touching);
    return pass->kept && pass->touching && pass->blocks && pass->kept_of && order->groups &&
           order->turn_ends && order->loop_ends && pass->color_ends && pass->is_driven &&
           pass->rests && pass->rest_colors;
}

// Which islands make clusters, what parts there are of the others, and so which cells.
static bool order_find_cells(tn_world *world, tni_step *step, order_pass *pass,
                             tni_contact_order *order) {
    const tni_cluster_contacts contacts = {pass->blocks, pass->is_driven, order->count};
    if (!tni_step_find_clusters(world, step, &contacts) || !tni_step_find_parts(world, step)) {
        return false;
    }
    pass->block_count = order->count;
    pass->share_size = (order->count + ORDER_SHARES - 1) / ORDER_SHARES;
    pass->share_size = pass->share_size > ORDER_SHARE ? pass->share_size : ORDER_SHARE;
    if (!order_choose_parts(world, step, pass)) {
        return false;
    }
    pass->own_cells = order_count_own_cells(pass->parts);
    pass->cell_count = pass->own_cells + 2 * pass->clusters->count;
    bool is_split = pass->cell_count > 2;
    return !is_split || order_split(world, pass, order);
}

bool tni_contact_order_find(tn_world *world, tni_step *step, tni_contact_order *order) {
    uint32_t piece_count = (world->awake_contacts.count + ORDER_PIECE - 1) / ORDER_PIECE;
    order_pass pass = {.world = world,
                       .solver = &step->solver,
                       .clusters = &step->clusters,
                       .parts = &step->parts};
    pass.classes = pass.listed;
    pass.pieces = tni_arena_alloc(&world->arena, piece_count * sizeof *pass.pieces);
    if (pass.pieces == NULL) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_count_pieces, piece_count, 16, &pass);
    order->count = order_place_pieces(&pass, piece_count);
    if (!order_allocate(world, &pass, order)) {
        return false;
    }
    tni_tasks_run(&world->tasks, order_fill_pieces, piece_count, 1, &pass);
    if (!order_find_cells(world, step, &pass, order) ||
        !order_allocate_bodies(&world->arena, &pass)) {
        return false;
    }
    // The smaller of the classes are not worth a loop.
    uint32_t count = order_count_color_turns(&pass);
    uint32_t shared = order->count >= ORDER_LEAST_SHARED ? 1 : count;
    tni_tasks_run(&world->tasks, order_color_turns, count, shared, &pass);
    order_add_all_groups(&pass, order);
    return true;
}
