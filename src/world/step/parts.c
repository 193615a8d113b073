// world/step/parts.c: chooses how many parts a world is cut into, and orders bodies so that few
// contacts cross parts.
//
// solver/step/part.c cuts the parts and says why. Each step cuts them anew along the solver's
// bodies, whose order decides how many contacts cross a cut. A body keeps its place in space as a
// key, by which the solver's bodies are sorted (world/step/step_gather.c). Bodies of one key stay
// in the order of the list, and most likely in that of memory. solver/step/part_order.c makes the
// keys. They are good for as long as the bodies stay where they are, and are made anew when half as
// many contacts again cross as when they were new. If joints are in parts
// (solver/joints/joint_part.c), contacts use these.
//
// Loops over the list of contacts (world/collide/manifold_pass.c,
// world/collide/contact_order_list.c) give each worker a half of it. If that half were not the one
// of its sweeps, half of the contacts would move between the processors twice in a step. So in
// worlds of two parts the list is put in their order too, after the keys are new.
// Test: tests/world/step/test_parts.c, tests/world/step/test_joint_parts.c
#include "world/step/parts.h"

#include <string.h>

#include "world/joints.h"
#include "world/step/joint_plan.h"

// A world with this many contacts is cut once, twice, and so on.
static const uint32_t parts_least_contacts[TNI_PART_MAX_LEVELS] = {700, 3600, 9600, 40000};

// Passes spend this much on a body: see the weights in solver/step/cluster_find.c.
#define PARTS_BODY_WEIGHT 6u
// At most this many of a thousand contacts between moving bodies may cross cuts. The order is made
// anew if half as many again as when it was new, plus the second number, cross.
#define PARTS_MOST_ACROSS 200u
#define PARTS_MORE_ACROSS 10u
// One key has this many bodies.
#define PARTS_KEY_BODIES 64u
// If more than the first number of a thousand cross, a new order is tried each time after the
// second number of steps.
#define PARTS_FEW_ACROSS  20u
#define PARTS_TRIAL_STEPS 64u
// In worlds of this many levels the workers' caches keep contacts from one loop to the next.
#define PARTS_CACHED_LEVELS 1u
// Contacts give up this many levels if joints are in fewer parts.
#define PARTS_LEVELS_GIVEN_UP 1u
// The weight of the axis along gravity, against others, in the choice of an axis to cut across.
#define PARTS_UPRIGHT 0.25
// The weight of z against x, so that a square layout is cut the same way every time.
#define PARTS_ALONG_Z 0.8

struct tni_space_order {
    uint32_t *weights;           // by solver body
    uint32_t *sums, *tied;       // by solver body
    uint32_t *roots;             // by place in the list of awake bodies
    tni_part_body *bodies;       // with room for twice as many, as scratch
    uint32_t room;               // of bodies
    tni_awake_contact *contacts; // by place in the list of awake contacts, as scratch
    uint32_t contact_room;
};

// ---- cuts -------------------------------------------------------------------------------------

static bool parts_allocate(tn_world *world, tni_step *step) {
    tni_arena *arena = &world->arena;
    size_t bodies = step->solver.bodies.count;
    tni_space_order *order = tni_arena_alloc_zeroed(arena, sizeof *order);
    step->parts.of = tni_arena_alloc(arena, bodies);
    step->space_order = order;
    if (order == NULL || step->parts.of == NULL) {
        return false;
    }
    order->room = (uint32_t)bodies;
    order->weights = tni_arena_alloc(arena, 4 * bodies * sizeof *order->weights);
    order->bodies = tni_arena_alloc(arena, 2 * bodies * sizeof *order->bodies);
    order->contact_room = world->awake_contacts.count;
    order->contacts = tni_arena_alloc(arena, order->contact_room * sizeof *order->contacts);
    if (order->weights == NULL || order->bodies == NULL || order->contacts == NULL) {
        return false;
    }
    order->sums = order->weights + bodies;
    order->tied = order->sums + bodies;
    order->roots = order->tied + bodies;
    return true;
}

// Weighs the bodies that no cluster has. Returns how many contacts these have.
static uint32_t parts_weigh(const tni_step *step, uint32_t *weights) {
    const tni_cluster_bodies *clusters = &step->clusters;
    uint32_t sum = 0;
    weights[0] = 0;
    for (uint32_t i = 1; i < step->solver.bodies.count; ++i) {
        bool is_clustered = clusters->of != NULL && clusters->of[i] != TNI_NONE;
        uint32_t lines = is_clustered ? 0 : clusters->contact_lines[i];
        sum += lines;
        weights[i] = is_clustered ? 0 : lines + PARTS_BODY_WEIGHT;
    }
    return sum / TNI_CLUSTER_CONTACT_LINES;
}

static uint32_t parts_find_levels(uint32_t contact_count) {
    uint32_t levels = 0;
    while (levels < TNI_PART_MAX_LEVELS && contact_count >= parts_least_contacts[levels]) {
        levels += 1;
    }
    return levels;
}

static uint32_t parts_get_joint_levels(const tni_solver *solver) {
    uint32_t levels = 0;
    while (1u << levels < solver->joint_parts.count) {
        levels += 1;
    }
    return levels;
}

// Returns whether contacts use the parts of joints, or unions of them, so that both go through the
// substeps in one chain. They do unless contacts are worth many more parts.
static bool parts_follow_joints(const tni_step *step) {
    return tni_joint_parts_suit(&step->solver) &&
           step->parts.levels <= parts_get_joint_levels(&step->solver) + PARTS_LEVELS_GIVEN_UP;
}

// Takes the parts of joints. The part of a later body is never read: these do not move.
static void parts_take_joints(tni_step *step) {
    const tni_solver *solver = &step->solver;
    tni_parts *parts = &step->parts;
    uint32_t levels = parts_get_joint_levels(solver), known = step->plan->body_count;
    parts->levels = parts->levels < levels ? parts->levels : levels;
    parts->follows_joints = true;
    for (uint32_t i = 0; i < solver->bodies.count; ++i) {
        uint32_t part = i < known ? solver->joint_parts.part_of[i] : 0;
        parts->of[i] = (uint8_t)(part >> (levels - parts->levels));
    }
}

// (Without contact_lines no clusters were sought: see world/step/clusters.c.)
bool tni_step_find_parts(tn_world *world, tni_step *step) {
    tni_parts *parts = &step->parts;
    parts->levels = 0;
    if (step->clusters.contact_lines == NULL) {
        return true;
    }
    if (!parts_allocate(world, step)) {
        return false;
    }
    uint32_t *weights = step->space_order->weights;
    parts->levels = parts_find_levels(parts_weigh(step, weights));
    if (parts_follow_joints(step)) {
        parts_take_joints(step);
    } else if (parts->levels > 0) {
        tni_parts_cut(weights, step->solver.bodies.count, parts);
    }
    return true;
}

// Keeps as many cuts as few enough contacts cross. For a new order of bodies, notes how many cross.
void tni_step_choose_parts(const tn_world *world, tni_step *step,
                           const uint32_t across[TNI_PART_MAX_LEVELS], uint32_t count) {
    tni_parts *parts = &step->parts;
    uint32_t levels = 0, all = 0, most = parts->levels;
    for (uint32_t level = most; level > 0; --level) {
        all += across[level - 1];
        if ((uint64_t)all * 1000 <= (uint64_t)PARTS_MOST_ACROSS * count && levels == most - level) {
            levels += 1;
        }
    }
    uint32_t share = count > 0 ? (uint32_t)((uint64_t)1000 * all / count) : 0;
    step->has_new_parts = world->has_new_keys;
    step->parts_across = world->has_new_keys ? share : world->parts_across;
    bool is_worse = share > step->parts_across + step->parts_across / 2 + PARTS_MORE_ACROSS;
    bool is_tried = share > PARTS_FEW_ACROSS && world->step_count % PARTS_TRIAL_STEPS == 0;
    step->wants_order = most > 0 && (is_worse || is_tried);
    tni_parts_join(parts, step->solver.bodies.count, levels);
}

// ---- order ------------------------------------------------------------------------------------

static void parts_get_axes(const tn_world *world, double axes[3]) {
    tni_dvec3 g = tni_world_get_gravity(world);
    double pull[3] = {fabs(g.x), fabs(g.y), fabs(g.z)};
    axes[0] = 1.0;
    axes[1] = axes[2] = PARTS_ALONG_Z;
    for (uint32_t k = 0; k < 3; ++k) {
        bool is_upright =
            pull[k] > 0.0 && pull[k] >= pull[(k + 1) % 3] && pull[k] >= pull[(k + 2) % 3];
        axes[k] = is_upright ? PARTS_UPRIGHT : axes[k];
    }
}

// Returns the first body of those that joints tie to the body, which are not torn apart. Returns 0
// for a body that woke after bodies were gathered.
static uint32_t parts_get_root(const tni_step *step, const tni_body *body, uint32_t index) {
    uint32_t i = body->solver_index;
    bool is_known = i < step->space_order->room && step->body_of[i] == index;
    bool is_tied = is_known && step->plan != NULL && i < step->plan->body_count;
    return is_tied ? step->plan->islands[i] : (is_known ? i : 0);
}

// Sums the weight and the number of bodies that are tied together, by their root. Lists the roots
// with their places, and returns how many.
static uint32_t parts_list_roots(const tn_world *world, const tni_step *step,
                                 tni_space_order *order) {
    const tni_index_list *list = &world->awake_bodies;
    const tni_dvec3 origin = tni_body_at(world, list->items[0])->position;
    uint32_t count = 0;
    memset(order->sums, 0, order->room * sizeof *order->sums);
    memset(order->tied, 0, order->room * sizeof *order->tied);
    for (uint32_t i = 0; i < list->count; ++i) {
        const tni_body *body = tni_body_at(world, list->items[i]);
        uint32_t root = parts_get_root(step, body, list->items[i]);
        order->roots[i] = root;
        order->sums[root] += 1 + (root != 0 ? order->weights[body->solver_index] : 0);
        order->tied[root] += 1;
    }
    for (uint32_t i = 0; i < order->room; ++i) {
        if (order->tied[i] > 0) {
            tni_dvec3 place = step->solver.bodies.motions[i].position;
            vec3s from = dvec3_to_float(dvec3_sub(place, origin));
            order->bodies[count++] =
                (tni_part_body){{from.x, from.y, from.z}, i, order->sums[i], 0};
        }
    }
    return count;
}

// Gives the bodies keys, each to about the same number of bodies.
static void parts_set_keys(tn_world *world, const tni_space_order *order, uint32_t root_count) {
    uint32_t before = 0;
    for (uint32_t k = 0; k < root_count; ++k) {
        uint32_t root = order->bodies[k].body, key = before / PARTS_KEY_BODIES;
        before += order->tied[root];
        order->sums[root] = key < TNI_SPACE_KEYS ? key : TNI_SPACE_KEYS - 1;
    }
    for (uint32_t i = 0; i < world->awake_bodies.count; ++i) {
        world->space_keys.items[i] = order->sums[order->roots[i]];
    }
}

// Returns the earlier part of the contact's moving bodies, because a contact that crosses counts
// for the earlier part. Returns the last part if both were asleep in this step.
static uint32_t parts_get_contact_part(const tn_world *world, const tni_step *step,
                                       const tni_contact *contact) {
    const uint32_t ends[2] = {contact->body_a, contact->body_b};
    uint32_t part = part_count(&step->parts) - 1;
    for (uint32_t e = 0; e < 2; ++e) {
        const tni_body *body = tni_body_at(world, ends[e]);
        uint32_t i = body->solver_index;
        bool moves = body->type == TN_BODY_TYPE_DYNAMIC && body->awake_index != TNI_NONE;
        if (moves && i < step->space_order->room && step->body_of[i] == ends[e]) {
            part = step->parts.of[i] < part ? step->parts.of[i] : part;
        }
    }
    return part;
}

// Sorts contacts by their part, so that loops over the list give a worker the contacts of its
// sweeps, which its cache still has. Within a part they keep their order.
static void parts_sort_contacts(const tn_world *world, const tni_step *step) {
    const tni_awake_contact_list *list = &world->awake_contacts;
    const tni_space_order *order = step->space_order;
    uint32_t next[1 << TNI_PART_MAX_LEVELS] = {0}, start = 0;
    if (list->count > order->contact_room) {
        return;
    }
    for (uint32_t i = 0; i < list->count; ++i) {
        tni_contact *contact = tni_contact_at(world, list->items[i].contact);
        contact->awake_index = parts_get_contact_part(world, step, contact); // its place comes next
        next[contact->awake_index] += 1;
    }
    for (uint32_t p = 0; p < part_count(&step->parts); ++p) {
        uint32_t count = next[p];
        next[p] = start;
        start += count;
    }
    memcpy(order->contacts, list->items, list->count * sizeof *list->items);
    for (uint32_t i = 0; i < list->count; ++i) {
        tni_contact *contact = tni_contact_at(world, order->contacts[i].contact);
        contact->awake_index = next[contact->awake_index]++;
        list->items[contact->awake_index] = order->contacts[i];
    }
}

void tni_step_order_in_space(tn_world *world, const tni_step *step) {
    tni_space_order *order = step->space_order;
    uint32_t count = world->awake_bodies.count;
    if (step->has_new_parts) {
        world->parts_across = step->parts_across;
        world->has_new_keys = false;
    }
    // Parts of joints do not halve the contacts.
    if (step->has_new_parts && step->parts.levels == PARTS_CACHED_LEVELS &&
        !step->parts.follows_joints) {
        parts_sort_contacts(world, step);
    }
    if (!step->wants_order || count == 0 || count > order->room) {
        return;
    }
    double axes[3];
    parts_get_axes(world, axes);
    uint32_t root_count = parts_list_roots(world, step, order);
    tni_part_order(order->bodies, order->bodies + root_count, root_count, axes);
    parts_set_keys(world, order, root_count);
    tni_joint_plan_drop(world);
    world->has_space_keys = world->has_new_keys = true;
}
