// world/queries/public_tree.c: the tree of boxes for applications, over collision/tree.h.
//
// The inner tree keeps boxes in float, rounded outward and enlarged; the given ones stand beside
// them in double and decide. A handle checks its generation, as in a world. Test:
// tests/world/queries/test_public_tree.c
#include "collision/tree.h"
#include "core/counter.h"
#include "core/float_environment.h"
#include "core/memory/pool.h"
#include "tenon/tree.h"
#include "world/records/check.h"
#include "world/records/convert.h"

typedef struct public_leaf {
    tn_bounds bounds; // as given
    uint64_t number;
    uint32_t leaf; // in the inner tree
} public_leaf;

struct tn_tree {
    tni_allocator allocator;
    tn_tree_def def;
    tni_tree tree;
    tni_pool pool;
    public_leaf *leaves; // parallel to the pool
    uint32_t leaf_capacity;
    tni_counter asked; // visits that are under way
    tni_latch renewed; // closed while the inner tree is ready for searches: until a change
};

// ---- reports ----------------------------------------------------------------------------------

static tn_result public_report(const tn_tree *tree, tni_check check, const char *function,
                               uint32_t id) {
    if (check.result != TN_RESULT_OK && tree->def.report != NULL) {
        tn_report report = {check.result, function, check.message, id};
        tree->def.report(&report, tree->def.report_user_data);
    }
    return check.result;
}

static bool public_accepts(const tn_tree *tree, tni_check check, const char *function) {
    return public_report(tree, check, function, 0) == TN_RESULT_OK;
}

static tni_check public_check_bounds(const tn_bounds *b) {
    bool is_finite = convert_is_finite_float(b->lower) && convert_is_finite_float(b->upper);
    bool is_box = b->lower.x <= b->upper.x && b->lower.y <= b->upper.y && b->lower.z <= b->upper.z;
    return tni_check_number(is_finite, is_box,
                            "A box must be finite, and its lower corner not above the upper one.");
}

static tni_check public_check_amounts(tn_vec3 v) {
    return tni_check_number(convert_is_finite_float(v), v.x >= 0.0 && v.y >= 0.0 && v.z >= 0.0,
                            "Half extents must be finite and not negative.");
}

// Returns OK unless a callback of the tree runs.
static tni_check public_check_change(const tn_tree *tree) {
    return tni_check_that(tni_counter_read(&tree->asked) == 0, TN_RESULT_WORLD_LOCKED,
                          "A tree cannot be changed from inside its own callback.");
}

// Returns the leaf, or null after a report.
static public_leaf *public_find(const tn_tree *tree, tn_leaf_id id, const char *function) {
    uint32_t index = tni_pool_find(&tree->pool, id.value);
    if (index == TNI_POOL_NONE) {
        tni_check check = {TN_RESULT_INVALID_ID, "The handle names no leaf of this tree."};
        public_report(tree, check, function, id.value);
        return NULL;
    }
    return &tree->leaves[index];
}

// ---- creation ---------------------------------------------------------------------------------

tn_tree_def tn_tree_def_default(void) {
    return (tn_tree_def){0};
}

tn_tree *tn_tree_create(const tn_tree_def *given, tn_result *out_result) {
    tn_tree_def def = given != NULL ? *given : tn_tree_def_default();
    tni_check check = tni_check_number(isfinite(def.margin) && def.margin <= (double)FLT_MAX,
                                       def.margin >= 0.0, "A margin must be finite and >= 0.");
    if (check.result == TN_RESULT_OK) {
        check = tni_check_that((def.alloc == NULL) == (def.free == NULL),
                               TN_RESULT_INVALID_ARGUMENT, "Give both memory hooks or neither.");
    }
    tn_tree *tree = NULL;
    if (check.result == TN_RESULT_OK) {
        tni_allocator allocator;
        tni_allocator_init(&allocator, def.alloc, def.free, def.memory_user_data);
        tree = tni_alloc_zeroed(&allocator, sizeof *tree);
        check =
            tni_check_that(tree != NULL, TN_RESULT_OUT_OF_MEMORY, "There is no memory for a tree.");
        if (tree != NULL) {
            tree->allocator = allocator;
        }
    }
    if (out_result != NULL) {
        *out_result = check.result;
    }
    if (tree == NULL) {
        tn_tree refused = {.def = def};
        public_report(&refused, check, __func__, 0);
        return NULL;
    }
    tree->def = def;
    tni_tree_init(&tree->tree, &tree->allocator, &tree->renewed);
    tni_pool_init(&tree->pool, &tree->allocator, 1);
    return tree;
}

void tn_tree_destroy(tn_tree *tree) {
    if (tree == NULL || !public_accepts(tree, public_check_change(tree), __func__)) {
        return;
    }
    tni_allocator allocator = tree->allocator;
    tni_free(&tree->allocator, tree->leaves, tree->leaf_capacity * sizeof *tree->leaves);
    tni_tree_destroy(&tree->tree);
    tni_pool_destroy(&tree->pool);
    tni_free(&allocator, tree, sizeof *tree);
}

// ---- leaves -----------------------------------------------------------------------------------

static tni_bounds public_round(const tn_bounds *bounds, double margin) {
    tni_dvec3 by = dvec3_make(margin, margin, margin);
    tni_bounds box = tni_bounds_round(dvec3_sub(dvec3_from_plain(bounds->lower), by),
                                      dvec3_add(dvec3_from_plain(bounds->upper), by));
    for (int i = 0; i < 3; ++i) {
        box.lower.raw[i] = maths_max(box.lower.raw[i], -FLT_MAX);
        box.upper.raw[i] = maths_min(box.upper.raw[i], FLT_MAX);
    }
    return box;
}

static bool public_reserve(tn_tree *tree, uint32_t index) {
    if (index < tree->leaf_capacity) {
        return true;
    }
    public_leaf *leaves = tni_array_grow(&tree->allocator, tree->leaves, tree->leaf_capacity,
                                         &tree->leaf_capacity, index + 1, sizeof *leaves);
    tree->leaves = leaves != NULL ? leaves : tree->leaves;
    return leaves != NULL;
}

static tn_leaf_id public_add(tn_tree *tree, const tn_bounds *bounds, uint64_t user_number,
                             const char *function) {
    tn_leaf_id id = {0};
    if (tree == NULL || !public_accepts(tree, public_check_change(tree), function) ||
        !public_accepts(tree, public_check_bounds(bounds), function)) {
        return id;
    }
    uint32_t index = tni_pool_next_index(&tree->pool);
    if (index >= TNI_POOL_MAX_SLOTS) {
        tni_check check = {TN_RESULT_TOO_LARGE, "A tree holds no more leaves."};
        public_report(tree, check, function, 0);
        return id;
    }
    bool has_room = public_reserve(tree, index);
    id.value = has_room ? tni_pool_acquire(&tree->pool) : 0;
    uint32_t leaf = TNI_NONE;
    if (id.value != 0) {
        leaf = tni_tree_insert(&tree->tree, public_round(bounds, tree->def.margin), index);
    }
    if (leaf == TNI_NONE) {
        if (id.value != 0) {
            tni_pool_release(&tree->pool, id.value);
        }
        tni_check check = {TN_RESULT_OUT_OF_MEMORY, "There is no memory for a leaf."};
        public_report(tree, check, function, 0);
        return (tn_leaf_id){0};
    }
    tree->leaves[index] = (public_leaf){*bounds, user_number, leaf};
    return id;
}

tn_leaf_id tn_tree_add(tn_tree *tree, tn_bounds bounds, uint64_t user_number) {
    tni_float_environment host = tni_float_environment_enter();
    tn_leaf_id id = public_add(tree, &bounds, user_number, __func__);
    tni_float_environment_leave(host);
    return id;
}

static tn_result public_move(tn_tree *tree, tn_leaf_id id, const tn_bounds *bounds,
                             const char *function) {
    if (tree == NULL) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tni_check check = public_check_change(tree);
    check = check.result == TN_RESULT_OK ? public_check_bounds(bounds) : check;
    if (public_report(tree, check, function, id.value) != TN_RESULT_OK) {
        return check.result;
    }
    public_leaf *leaf = public_find(tree, id, function);
    if (leaf == NULL) {
        return TN_RESULT_INVALID_ID;
    }
    leaf->bounds = *bounds;
    tni_bounds kept = tni_tree_bounds(&tree->tree, leaf->leaf), tight = public_round(bounds, 0.0);
    tni_bounds wide = public_round(bounds, 2.0 * tree->def.margin);
    if (!tni_bounds_contain(&kept, &tight) || !tni_bounds_contain(&wide, &kept)) {
        tni_tree_move(&tree->tree, leaf->leaf, public_round(bounds, tree->def.margin));
    }
    return TN_RESULT_OK;
}

tn_result tn_tree_move(tn_tree *tree, tn_leaf_id id, tn_bounds bounds) {
    tni_float_environment host = tni_float_environment_enter();
    tn_result result = public_move(tree, id, &bounds, __func__);
    tni_float_environment_leave(host);
    return result;
}

tn_result tn_tree_remove(tn_tree *tree, tn_leaf_id id) {
    if (tree == NULL) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tni_check check = public_check_change(tree);
    if (public_report(tree, check, __func__, id.value) != TN_RESULT_OK) {
        return check.result;
    }
    public_leaf *leaf = public_find(tree, id, __func__);
    if (leaf == NULL) {
        return TN_RESULT_INVALID_ID;
    }
    tni_tree_remove(&tree->tree, leaf->leaf);
    tni_pool_release(&tree->pool, id.value);
    return TN_RESULT_OK;
}

tn_bounds tn_tree_get_bounds(const tn_tree *tree, tn_leaf_id id) {
    const public_leaf *leaf = tree != NULL ? public_find(tree, id, __func__) : NULL;
    return leaf != NULL ? leaf->bounds : (tn_bounds){0};
}

uint64_t tn_tree_get_number(const tn_tree *tree, tn_leaf_id id) {
    const public_leaf *leaf = tree != NULL ? public_find(tree, id, __func__) : NULL;
    return leaf != NULL ? leaf->number : 0;
}

bool tn_tree_has_leaf(const tn_tree *tree, tn_leaf_id id) {
    return tree != NULL && tni_pool_find(&tree->pool, id.value) != TNI_POOL_NONE;
}

uint32_t tn_tree_count(const tn_tree *tree) {
    return tree != NULL ? tree->pool.live_count : 0;
}

// ---- searches ---------------------------------------------------------------------------------

typedef struct public_search {
    const tn_tree *tree;
    tn_tree_visit_fn visit;
    void *user_data;
    double limit;
    tni_dvec3 lower, upper; // the box that asks, or the half extents as a box about the origin
    tni_ray ray;
} public_search;

static double public_visit(public_search *search, uint32_t index, double value) {
    tni_counter *asked = &((tn_tree *)search->tree)->asked;
    tn_leaf_id id = {tni_pool_handle(&search->tree->pool, index)};
    tni_counter_raise(asked);
    double limit = search->visit(search->tree, id, value, search->limit, search->user_data);
    tni_counter_lower(asked);
    search->limit = limit < search->limit ? limit : search->limit;
    return search->limit;
}

static bool public_visit_overlap(uint32_t index, void *context) {
    public_search *search = context;
    const tn_bounds *b = &search->tree->leaves[index].bounds;
    tni_dvec3 lower = search->lower, upper = search->upper;
    bool overlaps = b->lower.x <= upper.x && b->upper.x >= lower.x && b->lower.y <= upper.y &&
                    b->upper.y >= lower.y && b->lower.z <= upper.z && b->upper.z >= lower.z;
    return !overlaps || public_visit(search, index, 0.0) >= 0.0;
}

// Clips the part of the ray so far by one axis of the box. Returns false when nothing is left.
static bool public_clip(double lower, double upper, double way, double *enter, double *leave) {
    if (way == 0.0) {
        return lower <= 0.0 && upper >= 0.0;
    }
    double a = lower / way, b = upper / way;
    *enter = maths_max_d(*enter, maths_min_d(a, b));
    *leave = maths_min_d(*leave, maths_max_d(a, b));
    return *enter <= *leave;
}

static double public_visit_cast(uint32_t index, double limit, void *context) {
    public_search *search = context;
    const tn_bounds *b = &search->tree->leaves[index].bounds;
    tni_dvec3 o = search->ray.origin, t = search->ray.translation, reach = search->upper;
    tni_dvec3 lower = dvec3_sub(dvec3_sub(dvec3_from_plain(b->lower), reach), o);
    tni_dvec3 upper = dvec3_sub(dvec3_add(dvec3_from_plain(b->upper), reach), o);
    double enter = 0.0, leave = limit;
    bool meets = public_clip(lower.x, upper.x, t.x, &enter, &leave) &&
                 public_clip(lower.y, upper.y, t.y, &enter, &leave) &&
                 public_clip(lower.z, upper.z, t.z, &enter, &leave);
    return meets ? public_visit(search, index, enter) : limit;
}

static double public_get_gap(double lower, double upper, double from, double to) {
    return maths_max_d(maths_max_d(lower - to, from - upper), 0.0);
}

static double public_visit_near(uint32_t index, double limit, void *context) {
    public_search *search = context;
    const tn_bounds *b = &search->tree->leaves[index].bounds;
    tni_dvec3 gap =
        dvec3_make(public_get_gap(b->lower.x, b->upper.x, search->lower.x, search->upper.x),
                   public_get_gap(b->lower.y, b->upper.y, search->lower.y, search->upper.y),
                   public_get_gap(b->lower.z, b->upper.z, search->lower.z, search->upper.z));
    double distance = dvec3_length(gap);
    return distance <= limit ? public_visit(search, index, distance) : limit;
}

static bool public_begin(const tn_tree *tree, tni_check check, tn_tree_visit_fn visit,
                         const char *function) {
    if (check.result == TN_RESULT_OK) {
        check = tni_check_that(visit != NULL, TN_RESULT_INVALID_ARGUMENT, "There is no callback.");
    }
    return public_accepts(tree, check, function);
}

// Without memory a search takes longer.
static const tni_tree *public_prepare(const tn_tree *given) {
    tn_tree *tree = (tn_tree *)given;
    if (tni_latch_begin(&tree->renewed)) {
        tni_tree_renew_quads(&tree->tree);
        tni_latch_end(&tree->renewed, true);
    }
    return &tree->tree;
}

static public_search public_make_search(const tn_tree *tree, tn_tree_visit_fn visit,
                                        void *user_data, double limit) {
    return (public_search){.tree = tree, .visit = visit, .user_data = user_data, .limit = limit};
}

void tn_tree_overlap(const tn_tree *tree, tn_bounds bounds, tn_tree_visit_fn visit,
                     void *user_data) {
    tni_float_environment host = tni_float_environment_enter();
    if (tree != NULL && public_begin(tree, public_check_bounds(&bounds), visit, __func__)) {
        public_search search = public_make_search(tree, visit, user_data, 0.0);
        search.lower = dvec3_from_plain(bounds.lower);
        search.upper = dvec3_from_plain(bounds.upper);
        tni_bounds box = public_round(&bounds, 0.0);
        tni_tree_query(&tree->tree, &box, public_visit_overlap, &search);
    }
    tni_float_environment_leave(host);
}

static tni_check public_check_ray(tn_vec3 origin, tn_vec3 translation, tn_vec3 half_extents) {
    bool is_finite = convert_is_finite(origin) && convert_is_finite_float(translation);
    tni_check check = tni_check_number(is_finite, true, "A ray must be finite.");
    return check.result == TN_RESULT_OK ? public_check_amounts(half_extents) : check;
}

void tn_tree_cast(const tn_tree *tree, tn_vec3 origin, tn_vec3 translation, tn_vec3 half_extents,
                  tn_tree_visit_fn visit, void *user_data) {
    tni_float_environment host = tni_float_environment_enter();
    tni_check check = public_check_ray(origin, translation, half_extents);
    if (tree != NULL && public_begin(tree, check, visit, __func__)) {
        public_search search = public_make_search(tree, visit, user_data, 1.0);
        search.ray.origin = dvec3_from_plain(origin);
        search.ray.translation = dvec3_from_plain(translation);
        search.upper = dvec3_from_plain(half_extents);
        tni_tree_cast_box(public_prepare(tree), &search.ray, search.upper, 1.0, public_visit_cast,
                          &search);
    }
    tni_float_environment_leave(host);
}

static tni_check public_check_near(const tn_bounds *bounds, double max_distance) {
    tni_check check = public_check_bounds(bounds);
    return check.result != TN_RESULT_OK
               ? check
               : tni_check_number(!isnan(max_distance), max_distance >= 0.0,
                                  "The greatest distance must not be negative.");
}

void tn_tree_find_near(const tn_tree *tree, tn_bounds bounds, double max_distance,
                       tn_tree_visit_fn visit, void *user_data) {
    tni_float_environment host = tni_float_environment_enter();
    tni_check check = public_check_near(&bounds, max_distance);
    if (tree != NULL && public_begin(tree, check, visit, __func__)) {
        public_search search = public_make_search(tree, visit, user_data, max_distance);
        search.lower = dvec3_from_plain(bounds.lower);
        search.upper = dvec3_from_plain(bounds.upper);
        tni_bounds box = public_round(&bounds, 0.0);
        tni_tree_find_near(public_prepare(tree), &box, max_distance, public_visit_near, &search);
    }
    tni_float_environment_leave(host);
}
