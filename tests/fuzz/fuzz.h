// tests/fuzz/fuzz.h: what the files of the fuzzer share.
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <tenon/machines.h>

#include "scenes/scene.h"

#define FUZZ_MOST_POINTS 400

typedef struct fuzz {
    uint64_t random;
    const char *target;
    uint32_t seed;
    double scale;    // m: of most lengths of this seed, 1e-4 to 1e4
    bool is_hostile; // numbers may be NaN, infinite or huge
    bool is_wrong;
    bool has_threads;       // worlds have a second worker, and memory never fails
    uint64_t allocated;     // bytes that the library has now
    uint32_t failure_share; // one allocation in so many fails; 0: none does
} fuzz;

// ---- seeds that once failed (fuzz_failed.c) -----------------------------------------------------

typedef struct fuzz_seed {
    const char *target;
    uint32_t seed;
} fuzz_seed;

extern const fuzz_seed fuzz_failed[];
extern const uint32_t fuzz_failed_count;

// ---- values (fuzz_values.c) ---------------------------------------------------------------------

uint32_t fuzz_below(fuzz *f, uint32_t end);
bool fuzz_chance(fuzz *f, uint32_t one_in);
double fuzz_unit(fuzz *f);
double fuzz_between(fuzz *f, double lower, double upper);
// Returns a number whose logarithm is spread evenly, of two positive bounds.
double fuzz_spread(fuzz *f, double lower, double upper);
// Returns a coordinate about as large as the scale; of a hostile seed at times any number.
double fuzz_number(fuzz *f);
// Returns a positive length; of a hostile seed at times any number.
double fuzz_length(fuzz *f);
tn_vec3 fuzz_lengths(fuzz *f);
tn_vec3 fuzz_vector(fuzz *f);
tn_quat fuzz_rotation(fuzz *f);
tn_pose fuzz_pose(fuzz *f);
// Fills in points: a ball, a needle, a sheet, a grid, few places many times, and others. Returns
// how many there are, at most FUZZ_MOST_POINTS.
uint32_t fuzz_cloud(fuzz *f, tn_vec3 *points);

// ---- worlds (fuzz_world.c) ----------------------------------------------------------------------

void *fuzz_alloc(size_t size, size_t alignment, void *user_data);
void fuzz_free(void *memory, size_t size, void *user_data);

// Says what is wrong, and notes it.
void fuzz_expect(fuzz *f, bool is_right, const char *what);
bool fuzz_is_finite(tn_vec3 v);
// Returns a definition with the fuzzer's memory, and its reports.
tn_world_def fuzz_world_def(fuzz *f);
tn_world *fuzz_world(fuzz *f);
tn_body_id fuzz_body(fuzz *f, tn_world *world, tn_body_type type);
// Makes a hull, with the caller as its user, or null. `out_result` may be null.
tn_hull *fuzz_make_hull(fuzz *f, const tn_vec3 *points, uint32_t count, tn_result *out_result);
// Makes a convex shape of any kind.
tn_shape_id fuzz_shape(fuzz *f, tn_world *world, tn_body_id body);
// Lets things move, which stay finite.
void fuzz_step(fuzz *f, tn_world *world, uint32_t steps);

// ---- worlds of all kinds (fuzz_machine.c) -------------------------------------------------------

// A world of boxes and joints, or of a scene.
typedef struct fuzz_machine {
    tn_world *world;
    scene_run *run; // null: it is of no scene
} fuzz_machine;

// Makes a world, chooses its solver, and lets it go for some steps. The same numbers at random give
// the same world.
fuzz_machine fuzz_make_machine(fuzz *f);
// Makes a world that is to load what was saved of another. That one was made when the numbers at
// random stood at `recipe`. This one is built by the same calls, and may have gone on; or it is
// another one, or empty.
fuzz_machine fuzz_make_machine_like(fuzz *f, uint64_t recipe);
tn_result fuzz_machine_step(const fuzz_machine *machine);
void fuzz_machine_destroy(fuzz_machine *machine);

// ---- forged bytes (fuzz_forge.c) ----------------------------------------------------------------

typedef struct fuzz_bytes {
    unsigned char *bytes;
    uint64_t size, capacity;
} fuzz_bytes;

fuzz_bytes fuzz_bytes_save(const tn_world *world);
void fuzz_bytes_add(fuzz_bytes *to, const void *bytes, uint64_t size);
// Saves the world and expects these bytes.
void fuzz_expect_saved(fuzz *f, const tn_world *world, const fuzz_bytes *bytes, const char *what);
void fuzz_bytes_free(fuzz_bytes *bytes);
// Changes numbers of one to eight bytes within these.
void fuzz_forge(fuzz *f, unsigned char *bytes, uint64_t size);

// ---- questions (fuzz_ask.c) ---------------------------------------------------------------------

// Asks the world by every query and probe, and checks the answers.
void fuzz_ask(fuzz *f, tn_world *world);

// ---- targets, by file ---------------------------------------------------------------------------

void fuzz_hull(fuzz *f);
void fuzz_mesh(fuzz *f);
void fuzz_height_field(fuzz *f);
void fuzz_compound(fuzz *f);
void fuzz_query(fuzz *f);
void fuzz_snapshot(fuzz *f);
void fuzz_record(fuzz *f);

#endif
