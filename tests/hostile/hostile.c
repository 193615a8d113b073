// tests/hostile/hostile.c: a generated caller over the whole public interface.
//
//     tenon_hostile [--first SEED] [--seeds N] [--calls N] [--setters N] [--trace]
//
// Each seed makes two worlds and calls public functions at random, with values at random: ordinary
// ones, so that things get built, and among them NaN, infinities, huge and tiny numbers, stale and
// foreign handles, null pointers, callbacks that call back and an allocator that fails. Nothing is
// asked of the results. Of two seeds one also runs with a caller that rounds upward: no call may
// change that, and the worlds must be the same to the last bit. The program runs
// under sanitizers, which find the faults inside, and checks memory itself: a world gives back all
// that it took, with the sizes it asked for. In a run of at least HOSTILE_FULL_RUN calls every
// public function must have been called, and each that makes something must have made it.
// tests/hostile/write_calls.py writes the calls from the headers. Without --first the seeds that
// once failed come before the others. After them so many seeds check that recordings have what
// setters do: see hostile_setters.c.
#include "hostile.h"

#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE_FULL_RUN     100000
#define HOSTILE_FULL_SETTERS 8
#ifdef FE_UPWARD
#define HOSTILE_OTHER_ROUNDING FE_UPWARD
#else
#define HOSTILE_OTHER_ROUNDING FE_TONEAREST // WebAssembly has no other
#endif

// Seeds that once failed. A new public function changes what a seed calls.
static const uint32_t hostile_failed[] = {
    5213, // It wrote the load of a fixed end behind those of bodies.
};

static void set_tn_query_filter(hostile *h, tn_query_filter *value, bool all);

static const tn_query_filter *hostile_query_filter(hostile *h) {
    h->query_filter = tn_query_filter_default();
    set_tn_query_filter(h, &h->query_filter, false);
    return hostile_chance(h, 3) ? NULL : &h->query_filter;
}

#include "hostile_calls.h"

#define HOSTILE_FUNCTIONS ((uint32_t)(sizeof hostile_functions / sizeof *hostile_functions))

const hostile_function *hostile_get_functions(uint32_t *out_count) {
    *out_count = HOSTILE_FUNCTIONS;
    return hostile_functions;
}

// How often each function was called; of those that make something, without being refused.
static uint32_t hostile_counts[HOSTILE_FUNCTIONS];

static tn_world *hostile_create_world(hostile_place *place, bool is_hostile) {
    hostile *h = place->h;
    tn_world_def def = tn_world_def_default();
    place->has_threads = false;
    if (is_hostile) {
        set_tn_bias(h, &def.joint_bias, false);
        set_tn_bias(h, &def.contact_bias, false);
        set_tn_cg(h, &def.research.cg, false);
        def.solver = (tn_solver)hostile_below(h, 4);
        def.research.integrator = (tn_integrator)hostile_below(h, 4);
        def.dynamics = (tn_dynamics)hostile_chance(h, 8);
        def.is_sleep_allowed = hostile_bool(h);
        def.has_energy_ledger = hostile_bool(h);
        def.contact_margin = hostile_chance(h, 4) ? hostile_float(h) : def.contact_margin;
        def.handle_seed = hostile_uint16_t(h);
        def.is_baseline_only = hostile_bool(h);
        def.worker_count = hostile_chance(h, 2) ? 1 + hostile_below(h, 4) : 1;
        place->has_threads = def.worker_count > 1 && hostile_chance(h, 4);
        if (!place->has_threads) {
            def.enqueue = hostile_cut_loop;
            def.finish = hostile_finish_loop;
        }
    }
    def.alloc = hostile_alloc;
    def.free = hostile_free;
    def.memory_user_data = place;
    def.report = hostile_report;
    def.report_user_data = place;
    hostile_begin_call(h);
    tn_world *world = tn_world_create(&def, NULL);
    hostile_end_call(h);
    return world;
}

// A graph of a distance, an angle and what they are made of.
static void hostile_make_sound_graph(hostile *h) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node *nodes = h->sound_nodes;
    nodes[0] = tn_graph_add_point(graph, 0, (tn_vec3){0.1, 0.2, 0.3});
    nodes[1] = tn_graph_add_point(graph, 1, (tn_vec3){-0.3, 0.1, 0.0});
    nodes[2] = tn_graph_add_distance(graph, nodes[0], nodes[1]);
    nodes[3] = tn_graph_add_component(graph, nodes[0], 1);
    nodes[4] = tn_graph_add_function(graph, hostile_evaluate_function, &h->places[HOSTILE_WORLDS],
                                     &nodes[2], 1);
    nodes[5] = tn_graph_add_sum(graph, nodes[3], tn_graph_add_time(graph));
    nodes[6] = tn_graph_add_input(graph, 0.5);
    h->sound_graph = graph;
}

// Two triangles above each other, which everything falls on.
static void hostile_make_sound_mesh(hostile *h) {
    static const float places[] = {-5, 0, -5, -5, 0, 5, 5, 0, 0, -5, 1, -5, -5, 1, 5, 5, 1, 0};
    static const uint32_t corners[] = {0, 1, 2, 3, 4, 5};
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = places;
    def.indices = corners;
    def.position_count = 6;
    def.triangle_count = 2;
    h->mesh = tn_mesh_create(&def, NULL);
}

// A hull of a definition of which anything may be wrong takes the place of the one before.
static void hostile_change_hull(hostile *h, bool is_sound) {
    static const tn_vec3 corners[5] = {
        {-0.5, -0.4, -0.3}, {0.5, -0.4, -0.3}, {0.5, -0.4, 0.3}, {-0.5, -0.4, 0.3}, {0, 0.5, 0}};
    tn_hull_def def = tn_hull_def_default();
    set_tn_hull_def(h, &def, hostile_chance(h, 4));
    def.memory_user_data = &h->places[HOSTILE_WORLDS]; // lives as long as any hull
    if (is_sound) {
        def = (tn_hull_def){.points = corners, .point_count = 5};
    }
    tn_result result = TN_RESULT_OK;
    const tn_hull_def *given = hostile_chance(h, 20) && !is_sound ? NULL : &def;
    hostile_begin_call(h);
    tn_hull *hull = tn_hull_create(given, &result);
    hostile_end_call(h);
    h->is_wrong |= (hull != NULL) != (result == TN_RESULT_OK);
    tn_hull_retain(hull);
    tn_hull_release(hull);
    if (hull != NULL) {
        tn_hull_release(h->hull);
        h->hull = hull;
    }
}

// Heights of a definition of which anything may be wrong but their number.
static void hostile_change_heights(hostile *h, bool is_sound) {
    tn_height_field_def def = tn_height_field_def_default();
    set_tn_height_field_def(h, &def, hostile_chance(h, 4));
    def.memory_user_data = &h->places[HOSTILE_WORLDS];
    def.columns = hostile_below(h, 6);
    def.rows = hostile_below(h, 6);
    if (is_sound) {
        static const float flat[4] = {0};
        def = (tn_height_field_def){.heights = flat, .columns = 2, .rows = 2};
        def.spacing_x = def.spacing_z = 3.0f;
    }
    tn_result result = TN_RESULT_OK;
    const tn_height_field_def *given = hostile_chance(h, 20) && !is_sound ? NULL : &def;
    hostile_begin_call(h);
    tn_height_field *field = tn_height_field_create(given, &result);
    hostile_end_call(h);
    h->is_wrong |= (field != NULL) != (result == TN_RESULT_OK);
    tn_height_field_retain(field);
    tn_height_field_release(field);
    if (field != NULL) {
        tn_height_field_release(h->height_field);
        h->height_field = field;
    }
}

// Children of which anything may be wrong.
static void hostile_change_compound(hostile *h, bool is_sound) {
    tn_compound_child children[4];
    tn_compound_def def = tn_compound_def_default();
    def.alloc = hostile_alloc_fn(h);
    def.free = def.alloc != NULL ? hostile_free : hostile_free_fn(h);
    def.memory_user_data = &h->places[HOSTILE_WORLDS];
    def.children = hostile_chance(h, h->malice) && !is_sound ? NULL : children;
    def.child_count = is_sound ? 1 : hostile_below(h, 5);
    for (uint32_t i = 0; i < def.child_count; ++i) {
        children[i] = tn_compound_child_default();
        if (!is_sound) {
            set_tn_compound_child(h, &children[i], hostile_chance(h, 4));
        }
    }
    def.free = is_sound && def.alloc == NULL ? NULL : def.free;
    tn_result result = TN_RESULT_OK;
    hostile_begin_call(h);
    tn_compound *compound = tn_compound_create(&def, &result);
    hostile_end_call(h);
    h->is_wrong |= (compound != NULL) != (result == TN_RESULT_OK);
    tn_compound_retain(compound);
    tn_compound_release(compound);
    if (compound != NULL) {
        tn_compound_release(h->compound);
        h->compound = compound;
    }
}

// A mesh of a definition of which anything may be wrong takes the place of the one before.
static void hostile_change_mesh(hostile *h) {
    tn_mesh_def def = tn_mesh_def_default();
    set_tn_mesh_def(h, &def, hostile_chance(h, 4));
    hostile_place *last = &h->places[HOSTILE_WORLDS]; // lives as long as any mesh
    def.memory_user_data = def.progress_user_data = def.task_user_data = last;
    if (!hostile_chance(h, h->malice)) { // else one hook may lack the other
        def.enqueue = hostile_chance(h, 2) ? hostile_cut_loop : NULL;
        def.finish = def.enqueue != NULL ? hostile_finish_loop : NULL;
    }
    tn_result result = TN_RESULT_OK;
    const tn_mesh_def *given = hostile_chance(h, 20) ? NULL : &def;
    hostile_begin_call(h);
    tn_mesh *mesh = tn_mesh_create(given, &result);
    hostile_end_call(h);
    h->is_wrong |= (mesh != NULL) != (result == TN_RESULT_OK);
    tn_mesh_retain(mesh);
    tn_mesh_release(mesh);
    if (mesh != NULL) {
        tn_mesh_release(h->mesh);
        h->mesh = mesh;
    }
}

// Bytes that were saved, of which one may be changed, and the end may be missing.
static uint64_t hostile_damage(hostile *h, uint64_t size) {
    uint64_t end = hostile_chance(h, 8) ? hostile_below(h, (uint32_t)size + 1) : size;
    if (hostile_chance(h, 2)) {
        h->saved[hostile_below(h, (uint32_t)size)] ^= (unsigned char)(1 + hostile_below(h, 255));
    }
    return end;
}

// Saves a hull and what is concave, and loads it again: what was not damaged takes the place of the
// one before.
static void hostile_save_and_load(hostile *h) {
    hostile_place *last = &h->places[HOSTILE_WORLDS];
    uint64_t room = hostile_chance(h, 8) ? hostile_below(h, HOSTILE_SAVED) : HOSTILE_SAVED;
    const void *from = hostile_chance(h, 20) ? NULL : h->saved;
    tn_result result = TN_RESULT_OK;
    uint64_t size = tn_hull_save(h->hull, h->saved, room);
    tn_hull *hull = size > room ? NULL
                                : tn_hull_load(from, hostile_damage(h, size), hostile_alloc,
                                               hostile_free, last, &result);
    h->is_wrong |= size <= room && (hull != NULL) != (result == TN_RESULT_OK);
    if (hull != NULL) {
        tn_hull_release(h->hull);
        h->hull = hull;
    }
    size = tn_mesh_save(h->mesh, h->saved, room);
    tn_mesh *mesh = size > room ? NULL
                                : tn_mesh_load(from, hostile_damage(h, size), hostile_alloc,
                                               hostile_free, last, &result);
    h->is_wrong |= size <= room && (mesh != NULL) != (result == TN_RESULT_OK);
    if (mesh != NULL) {
        tn_mesh_release(h->mesh);
        h->mesh = mesh;
    }
    size = tn_height_field_save(h->height_field, h->saved, room);
    tn_height_field *field = size > room
                                 ? NULL
                                 : tn_height_field_load(from, hostile_damage(h, size),
                                                        hostile_alloc, hostile_free, last, &result);
    h->is_wrong |= size <= room && (field != NULL) != (result == TN_RESULT_OK);
    if (field != NULL) {
        tn_height_field_release(h->height_field);
        h->height_field = field;
    }
    size = tn_compound_save(h->compound, h->saved, room);
    tn_compound *compound = size > room
                                ? NULL
                                : tn_compound_load(from, hostile_damage(h, size), hostile_alloc,
                                                   hostile_free, last, &result);
    h->is_wrong |= size <= room && (compound != NULL) != (result == TN_RESULT_OK);
    if (compound != NULL) {
        tn_compound_release(h->compound);
        h->compound = compound;
    }
}

// Saves a world, or goes back to what was saved of it or of another one: whole, cut or changed; all
// of it, or some bodies.
static void hostile_go_back(hostile *h) {
    tn_world *world = h->places[h->at].world;
    if (h->snapshot == NULL || hostile_chance(h, 3)) {
        free(h->snapshot);
        h->snapshot_size = tn_world_save(world, NULL, 0);
        h->snapshot = malloc((size_t)h->snapshot_size + 1);
        uint64_t size = tn_world_save(world, h->snapshot, h->snapshot_size);
        h->is_wrong |= h->snapshot == NULL || size != h->snapshot_size;
        return;
    }
    if (h->snapshot_size == 0) { // there was no world
        return;
    }
    uint64_t size = h->snapshot_size;
    uint64_t given = hostile_chance(h, 4) ? hostile_below(h, (uint32_t)size + 1) : size;
    uint64_t at = hostile_below(h, (uint32_t)size);
    unsigned char bits = hostile_chance(h, 4) ? (unsigned char)(1 + hostile_below(h, 255)) : 0;
    uint32_t count = hostile_chance(h, 3) ? 1 + hostile_below(h, 4) : 0;
    const tn_body_id *bodies = count > 0 ? hostile_bodies(h) : NULL;
    h->snapshot[at] ^= bits;
    hostile_begin_call(h);
    tn_result result = count == 0 ? tn_world_load(world, h->snapshot, given)
                                  : tn_world_load_bodies(world, h->snapshot, given, bodies, count);
    hostile_end_call(h);
    h->snapshot[at] ^= bits;
    h->is_wrong |= result == TN_RESULT_OK && (given != size || bits != 0);
}

// A floor, a body that is led and two that fall.
static void hostile_make_bodies(hostile *h, tn_world *world) {
    tn_body_def def = tn_body_def_default();
    tn_shape_def shape = tn_shape_def_default();
    for (uint32_t i = 0; i < 4; ++i) {
        def.type = i == 0   ? TN_BODY_TYPE_STATIC
                   : i == 1 ? TN_BODY_TYPE_KINEMATIC
                            : TN_BODY_TYPE_DYNAMIC;
        def.pose.position.y = i;
        tn_body_id body = tn_body_create(world, &def);
        hostile_keep(h, HOSTILE_BODY_ID, 0, body.value);
        if (i == 0) {
            tn_half_space_shape_create(world, body, &shape);
        } else {
            tn_box_shape_create(world, body, &shape, (tn_vec3){0.5, 0.4, 0.3});
        }
    }
}

// The world has its first memory, whatever fails later.
static void hostile_make_world(hostile *h, hostile_place *place) {
    uint32_t failure_share = h->failure_share;
    h->failure_share = 0;
    place->world = hostile_create_world(place, !h->is_calm && hostile_chance(h, 2));
    if (place->world == NULL) {
        place->world = hostile_create_world(place, false);
    }
    hostile_make_bodies(h, place->world);
    h->failure_share = failure_share;
    if (!h->is_calm && hostile_chance(h, 2)) {
        tn_world_set_contact_filter(place->world, hostile_filter, place);
        tn_world_set_pre_solve(place->world, hostile_pre_solve, place);
    }
}

void hostile_make_worlds(hostile *h, uint32_t failure_share) {
    for (uint32_t i = 0; i <= HOSTILE_WORLDS; ++i) {
        h->places[i].h = h;
    }
    for (uint32_t i = 0; i < HOSTILE_WORLDS; ++i) {
        hostile_make_world(h, &h->places[i]);
    }
    h->graph = tn_graph_create(hostile_alloc, hostile_free, &h->places[HOSTILE_WORLDS]);
    hostile_make_sound_graph(h);
    tn_tree_def tree_def = tn_tree_def_default();
    tree_def.margin = 0.1;
    h->tree = tn_tree_create(&tree_def, NULL);
    hostile_change_hull(h, true);
    hostile_make_sound_mesh(h);
    hostile_change_heights(h, true);
    hostile_change_compound(h, true);
    h->failure_share = failure_share;
}

// A world of a definition of which anything may be wrong lives for a moment, and one of the two is
// made anew.
static void hostile_change_worlds(hostile *h) {
    hostile_place *place = &h->places[h->at];
    hostile_place moment = {.h = h};
    tn_world_def def = tn_world_def_default();
    set_tn_world_def(h, &def, hostile_chance(h, 4));
    def.memory_user_data = def.report_user_data = def.task_user_data = &moment;
    tn_result result = TN_RESULT_OK;
    moment.world = tn_world_create(hostile_chance(h, 10) ? NULL : &def, &result);
    h->is_wrong |= (moment.world != NULL) != (result == TN_RESULT_OK);
    uint32_t version = TN_VERSION_NUMBER + 1 + hostile_below(h, 1 << 20);
    h->is_wrong |= tn_world_create_checked(&def, &result, version, sizeof def) != NULL ||
                   result != TN_RESULT_WRONG_HEADER;
    hostile_make_bodies(h, moment.world);
    tn_world_step(moment.world, 1.0 / 60.0, 4);
    tn_world_destroy(moment.world);
    tn_world_destroy(place->world);
    place->world = NULL; // a report of the next one's creation may call back
    hostile_make_world(h, place);
}

void hostile_call_any(hostile *h) {
    uint32_t total = 0;
    for (uint32_t i = 0; i < HOSTILE_FUNCTIONS; ++i) {
        total += hostile_functions[i].weight;
    }
    uint32_t at = hostile_below(h, total), chosen = 0;
    while (at >= hostile_functions[chosen].weight) {
        at -= hostile_functions[chosen++].weight;
    }
    if (h->is_traced) {
        printf("    %s%s\n", h->depth > 0 ? "    (from a callback) " : "",
               hostile_functions[chosen].name);
        fflush(stdout);
    }
    uint64_t report_count = h->report_count;
    h->is_null = false;
    hostile_functions[chosen].call(h);
    if (h->has_changed_rounding) {
        printf("%s changed how its caller rounds\n", hostile_functions[chosen].name);
        h->has_changed_rounding = false;
        h->is_wrong = true;
    }
    bool is_refused = h->report_count != report_count || h->is_null;
    hostile_counts[chosen] += is_refused && hostile_functions[chosen].makes ? 0 : 1;
}

// Each kind of function finds an object that it is for.
void hostile_make_all(hostile *h) {
    uint32_t malice = h->malice, failure_share = h->failure_share;
    h->malice = UINT32_MAX;
    h->failure_share = 0;
    hostile_make_bodies(h, h->places[h->at].world);
    for (uint32_t i = 0; i < HOSTILE_FUNCTIONS; ++i) {
        for (uint32_t k = 0; k < 3 && hostile_functions[i].makes; ++k) {
            hostile_functions[i].call(h);
        }
    }
    h->malice = malice;
    h->failure_share = failure_share;
}

// Notes contacts, and destroys what is too much for a run to take its time.
static void hostile_tend(hostile *h) {
    tn_world *world = h->places[h->at].world;
    tn_contact_id contacts[4];
    uint32_t contact_count = tn_world_get_contacts(world, contacts, 4);
    for (uint32_t i = 0; i < contact_count && i < 4; ++i) {
        hostile_keep(h, HOSTILE_CONTACT_ID, 0, contacts[i].value);
    }
    tn_body_id bodies[HOSTILE_MOST_BODIES];
    uint32_t count = tn_world_get_bodies(world, bodies, HOSTILE_MOST_BODIES);
    if (count == HOSTILE_MOST_BODIES) {
        for (uint32_t i = 0; i < count; i += 8) {
            tn_body_destroy(world, bodies[i]);
        }
    }
    tn_joint_id joints[HOSTILE_MOST_JOINTS];
    count = tn_world_get_joints(world, joints, HOSTILE_MOST_JOINTS);
    if (count == HOSTILE_MOST_JOINTS) {
        for (uint32_t i = 0; i < count; i += 8) {
            tn_joint_destroy(world, joints[i]);
        }
    }
}

// Adds the state of both worlds to the hash.
static void hostile_add_hash(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_WORLDS; ++i) {
        h->hash = (h->hash ^ tn_world_get_hash(h->places[i].world)) * 0x100000001b3u;
    }
}

void hostile_begin(hostile *h, uint64_t seed) {
    memset(h, 0, sizeof *h);
    h->random = seed;
    h->rounding = FE_TONEAREST;
}

void hostile_end(hostile *h) {
    for (uint32_t i = 0; i < HOSTILE_WORLDS; ++i) {
        tn_world_destroy(h->places[i].world);
        h->places[i].world = NULL; // the end of the other's recording may call back
    }
    hostile_forget_recordings(h);
    free(h->snapshot);
    tn_hull_release(h->hull);
    tn_mesh_release(h->mesh);
    tn_height_field_release(h->height_field);
    tn_compound_release(h->compound);
    tn_graph_destroy(h->graph);
    tn_graph_destroy(h->sound_graph);
    tn_tree_destroy(h->tree);
}

static bool hostile_run(uint32_t seed, uint32_t calls, int rounding, bool is_traced,
                        uint64_t *out_hash) {
    // At one place, since user data is an address and recordings have it: the second run of a seed
    // writes the same bytes.
    static hostile memory;
    hostile *h = &memory;
    hostile_begin(h, seed);
    h->rounding = rounding;
    h->is_traced = is_traced;
    h->malice = 8u << hostile_below(h, 4);
    hostile_make_worlds(h, hostile_chance(h, 3) ? 10u << hostile_below(h, 6) : 0);
    if (hostile_chance(h, 2)) {
        hostile_make_all(h);
    }
    for (uint32_t i = 0; i < calls; ++i) {
        h->at = hostile_chance(h, 8) ? 1 : 0;
        if (hostile_chance(h, 500)) {
            hostile_change_worlds(h);
        }
        if (hostile_chance(h, 100)) {
            hostile_change_hull(h, false);
            hostile_change_mesh(h);
            hostile_change_heights(h, false);
            hostile_change_compound(h, false);
            hostile_save_and_load(h);
        }
        if (hostile_chance(h, 60)) {
            hostile_go_back(h);
        }
        if (hostile_chance(h, 60)) {
            hostile_record(h);
        }
        hostile_call_any(h);
        hostile_tend(h);
        hostile_add_hash(h);
    }
    hostile_end(h);
    *out_hash = h->hash;
    bool is_right = !h->is_wrong && h->allocated == 0;
    if (!is_right) {
        printf("seed %u: %llu bytes were not given back%s\n", seed,
               (unsigned long long)h->allocated,
               h->is_wrong ? ", or something else was wrong" : "");
    }
    return is_right;
}

// Names the functions that were never called, or made nothing.
static bool hostile_has_called_all(void) {
    bool has_all = true;
    for (uint32_t i = 0; i < HOSTILE_FUNCTIONS; ++i) {
        if (hostile_counts[i] == 0) {
            printf("%s was never called, or always refused\n", hostile_functions[i].name);
            has_all = false;
        }
    }
    return has_all;
}

static bool hostile_read_number(const char *text, uint32_t *out_number) {
    char *end = NULL;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    *out_number = (uint32_t)number;
    return errno == 0 && end != text && *end == '\0' && number <= UINT32_MAX;
}

static uint32_t hostile_run_traced(uint32_t seed, uint32_t calls, bool is_traced) {
    if (is_traced) {
        printf("seed %u\n", seed);
    }
    uint64_t hash = 0, hash_up = 0;
    bool is_right = hostile_run(seed, calls, FE_TONEAREST, is_traced, &hash);
    if (seed % 2 == 0) {
        is_right &= hostile_run(seed, calls, HOSTILE_OTHER_ROUNDING, is_traced, &hash_up);
        if (hash_up != hash) {
            printf("seed %u: the worlds of a caller that rounds upward differ\n", seed);
            is_right = false;
        }
    }
    return is_right ? 0 : 1;
}

int main(int count, char **arguments) {
    uint32_t first = 0, seeds = 100, calls = 1000, setters = 8, wrong = 0; // first: 0: not given
    bool is_traced = false;
    for (int i = 1; i < count; ++i) {
        uint32_t *number = strcmp(arguments[i], "--first") == 0     ? &first
                           : strcmp(arguments[i], "--seeds") == 0   ? &seeds
                           : strcmp(arguments[i], "--calls") == 0   ? &calls
                           : strcmp(arguments[i], "--setters") == 0 ? &setters
                                                                    : NULL;
        if (strcmp(arguments[i], "--trace") == 0) {
            is_traced = true;
        } else if (number == NULL || ++i == count || !hostile_read_number(arguments[i], number)) {
            fprintf(stderr,
                    "usage: %s [--first SEED] [--seeds N] [--calls N] [--setters N] [--trace]\n",
                    arguments[0]);
            return 2;
        }
    }
    for (size_t i = 0; first == 0 && i < sizeof hostile_failed / sizeof *hostile_failed; ++i) {
        wrong += hostile_run_traced(hostile_failed[i], calls, is_traced);
    }
    first = first == 0 ? 1 : first;
    for (uint32_t i = 0; i < seeds; ++i) {
        wrong += hostile_run_traced(first + i, calls, is_traced);
    }
    bool is_full = (uint64_t)seeds * calls >= HOSTILE_FULL_RUN;
    bool is_right = wrong == 0 && (!is_full || hostile_has_called_all());
    printf("%u seeds of %u calls, %u wrong\n", seeds, calls, wrong);
    for (uint32_t i = 0; i < setters; ++i) {
        is_right &= hostile_check_setters(first + i, is_traced);
    }
    is_right &= setters < HOSTILE_FULL_SETTERS || hostile_has_set_all();
    printf("%u recordings of setters\n", setters);
    return is_right ? 0 : 1;
}
