// bench/contact_reduced.c: contacts of bodies that coordinates give, and of affine ones.
//
// They obey the same rule as those of free bodies: nothing that does not touch is deflected, seams
// are not felt, nothing tunnels, blows come at their time. A reduced body with all six freedoms is
// a free body, and one with an angle is a pendulum, so the answers are those of a free body or of
// the same run without the obstacle.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdio.h>

// ---- bodies -----------------------------------------------------------------------------------

// An arm of 1 m about z through the origin, hanging down at the angle 0.
static void reduced_arm(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    double q = input->coordinates[0], w = input->speeds[0], s = sin(q), c = cos(q);
    tn_reduced_motion *motion = &out->bodies[0];
    motion->pose.position = (tn_vec3){s, -c, 0.0};
    motion->pose.rotation.z = sin(0.5 * q);
    motion->pose.rotation.w = cos(0.5 * q);
    motion->linear[0] = quality_vector(c, s, 0.0);
    motion->angular[0] = quality_vector(0.0, 0.0, 1.0);
    motion->acceleration = quality_vector(-w * w * s, w * w * c, 0.0);
}

static void reduced_make(tn_world *world, tn_body_id body, tn_reduced_fn function,
                         uint32_t freedoms, const double *u, const double *v) {
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = freedoms;
    def.body_count = 1;
    def.bodies[0] = body;
    def.function = function;
    for (uint32_t k = 0; k < freedoms; k++) {
        def.coordinates[k] = u[k];
        def.speeds[k] = v[k];
    }
    tn_reduced_create(world, &def);
}

typedef enum reduced_way {
    REDUCED_WAY,
    REDUCED_AFFINE,
    REDUCED_RIGID
} reduced_way;

static void reduced_make_affine(tn_world *world, tn_body_id body, double youngs_modulus) {
    tn_affine_def affine = tn_affine_def_default();
    affine.body = body;
    affine.youngs_modulus = youngs_modulus;
    affine.viscosity = 0.01;
    tn_affine_create(world, &affine);
}

// A body at u with the speeds v of quality_reduced_free.
static tn_body_id reduced_add(tn_world *world, reduced_way way, const quality_shape *shape,
                              const tn_shape_def *material, const double u[6], const double v[6]) {
    tn_body_def def = quality_body_at(u[0], u[1], u[2]);
    tn_body_id body = quality_body_create(world, &def, material, shape);
    reduced_make(world, body, quality_reduced_free, 6, u, v);
    if (way != REDUCED_WAY) {
        tn_reduced_destroy(world, tn_body_get_reduced(world, body));
    }
    if (way == REDUCED_AFFINE) {
        reduced_make_affine(world, body, 1e7);
    }
    return body;
}

// ---- passes -----------------------------------------------------------------------------------

static double reduced_get_reach(quality_kind kind, double distance) {
    if (kind == QUALITY_BOX) {
        return hypot(distance + 0.1, 0.1) - distance;
    }
    return kind == QUALITY_BALL ? 0.1 : 0.2;
}

typedef struct reduced_swing {
    quality_kind kind;
    double clear, speed, hz;
    uint32_t substeps;
    bool is_first; // made before the block
} reduced_swing;

static void reduced_add_bottom(tn_world *world, const reduced_swing *item,
                               const tn_shape_def *material) {
    double top = 1.0 + reduced_get_reach(item->kind, 1.0) + item->clear;
    tn_vec3 lower = {-0.15, -top - 0.5, -1.0}, upper = {0.15, -top, 1.0};
    quality_block_create(world, material, lower, upper);
}

static tn_velocity reduced_swing_past(const reduced_swing *item, bool has_block) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.6);
    quality_shape shape = quality_shape_of(item->kind, 0.1);
    tn_body_def def = tn_body_def_default();
    if (has_block && !item->is_first) {
        reduced_add_bottom(world, item, &material);
    }
    tn_body_id bob = quality_body_create(world, &def, &material, &shape);
    double u = -1.0, v = item->speed;
    reduced_make(world, bob, reduced_arm, 1, &u, &v);
    if (has_block && item->is_first) {
        reduced_add_bottom(world, item, &material);
    }
    quality_world_run(world, 0.7, item->hz, item->substeps);
    tn_velocity end = tn_body_get_velocity(world, bob);
    tn_world_destroy(world);
    return end;
}

static void reduced_run_swing(quality *report, const reduced_swing *item) {
    tn_velocity free_end = reduced_swing_past(item, false);
    double change = quality_velocity_change(free_end, reduced_swing_past(item, true));
    quality_report(report, change == 0.0, change, "%s on an arm, %g rad/s, %g mm clear, %g Hz x %u",
                   quality_kind_name(item->kind), item->speed, 1e3 * item->clear, item->hz,
                   item->substeps);
}

// Past a block: an arm whose bob comes near it, and free bodies that fly over its edge.
static void reduced_run_pass(quality *report, reduced_way way, quality_kind kind, double speed,
                             double clear, uint32_t substeps) {
    tn_velocity ends[2];
    for (int i = 0; i < 2; i++) {
        tn_world *world = quality_world_create(0.0);
        tn_shape_def material = quality_material(0.6);
        quality_shape shape = quality_shape_of(kind, 0.1);
        const double slant = 0.6, before = 0.3 + 0.11 * speed;
        double offset = quality_length(quality_vector(shape.half.x, shape.half.y, shape.half.z));
        offset = kind == QUALITY_BALL ? shape.half.x : offset;
        offset += clear;
        const double u[6] = {offset * sin(slant) - before * cos(slant),
                             offset * cos(slant) + before * sin(slant),
                             0.1,
                             0.2,
                             0.3,
                             0.4};
        const double v[6] = {speed * cos(slant), -speed * sin(slant)};
        tn_body_id body = reduced_add(world, way, &shape, &material, u, v);
        if (i == 1) {
            tn_vec3 lower = {-2.0, -2.0, -2.0}, upper = {0.0, 0.0, 2.0};
            quality_block_create(world, &material, lower, upper);
        }
        quality_world_run(world, 0.25 + 0.6 / speed, 60.0, substeps);
        ends[i] = tn_body_get_velocity(world, body);
        tn_world_destroy(world);
    }
    double change = quality_velocity_change(ends[0], ends[1]);
    quality_report(report, change == 0.0, change, "%s %s %g m/s, %g mm clear, 60 Hz x %u",
                   way == REDUCED_AFFINE ? "affine" : "reduced", quality_kind_name(kind), speed,
                   1e3 * clear, substeps);
}

static const double reduced_clears[] = {0.001, 0.003, 0.01};

static void reduced_run_free_passes(quality *report, reduced_way way) {
    static const double speeds[] = {1.0, 7.0, 31.0};
    for (uint32_t i = 0; i < 3 * 3 * 2 * 2; i++) {
        reduced_run_pass(report, way, i % 2 == 0 ? QUALITY_BALL : QUALITY_BOX, speeds[i / 2 % 3],
                         reduced_clears[i / 6 % 3], i / 18 == 0 ? 4 : 1);
    }
}

void contact_reduced_run_passes(quality *report) {
    static const quality_kind kinds[] = {QUALITY_BALL, QUALITY_BOX, QUALITY_CAPSULE};
    static const double speeds[] = {0.0, 5.0, 20.0};
    static const double rates[] = {60.0, 60.0, 30.0, 240.0};
    for (uint32_t i = 0; i < 3 * 3 * 3 * 4; i++) {
        reduced_swing item = {.kind = kinds[i % 3],
                              .clear = reduced_clears[i / 3 % 3],
                              .speed = speeds[i / 9 % 3],
                              .hz = rates[i / 27],
                              .substeps = i / 27 == 0 ? 4 : 1,
                              .is_first = i % 2 == 0};
        reduced_run_swing(report, &item);
    }
    reduced_run_free_passes(report, REDUCED_WAY);
}

void contact_affine_run_passes(quality *report) {
    reduced_run_free_passes(report, REDUCED_AFFINE);
}

// ---- seams ------------------------------------------------------------------------------------

typedef struct reduced_slide {
    reduced_way way;
    quality_kind kind;
    double speed, tile, hz;
    uint32_t substeps;
    bool is_one_body, rolls;
} reduced_slide;

typedef struct reduced_result {
    double off, rise, aside; // of its way; m/s; m
} reduced_result;

static reduced_result reduced_slide_over(const reduced_slide *item, double tile) {
    double seconds = item->speed < 1.0 ? 2.0 : 1.0;
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    quality_floor tiles = {.from = -2.0,
                           .to = item->speed * seconds + 2.0,
                           .tile = tile,
                           .is_one_body = item->is_one_body,
                           .material = quality_material(item->rolls ? 0.6 : 0.0)};
    quality_floor_create(world, &tiles);
    quality_shape shape = quality_shape_of(item->kind, 0.25);
    const double u[6] = {-0.35, item->kind == QUALITY_BALL ? shape.half.x : shape.half.y, 0.1};
    const double v[6] = {item->speed, 0.0, 0.0,
                         0.0,         0.0, item->rolls ? -item->speed / shape.half.x : 0.0};
    tn_body_id body = reduced_add(world, item->way, &shape, &tiles.material, u, v);
    reduced_result result = {0};
    uint32_t steps = quality_count_steps(seconds, item->hz);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / item->hz, item->substeps);
        double up = fabs(tn_body_get_velocity(world, body).linear.y);
        bool counts = item->way != REDUCED_AFFINE || i >= 0.1 * item->hz;
        result.rise = counts ? fmax(result.rise, up) : 0.0;
    }
    tn_vec3 end = tn_body_get_center(world, body);
    tn_world_destroy(world);
    result.off = fabs((end.x - u[0]) / (item->speed * seconds) - 1.0);
    result.aside = fabs(end.z - u[2]);
    return result;
}

static double reduced_get_figure(const reduced_result *result) {
    return fmax(fmax(result->off / 0.003, result->rise / 0.02), result->aside / 1e-3);
}

// Over level tiles, without friction, or rolling with it: straight on at the speed that it has. An
// affine body is left 0.1 s to settle. When it rolls it also stretches as it turns: no more over
// tiles than over one.
static void reduced_run_slide(quality *report, const reduced_slide *item) {
    reduced_result result = reduced_slide_over(item, item->tile);
    double figure = reduced_get_figure(&result), allowed = 1.0;
    if (item->rolls && item->way == REDUCED_AFFINE) {
        reduced_result over_one = reduced_slide_over(item, 1e4);
        allowed = fmax(allowed, 1.1 * reduced_get_figure(&over_one));
    }
    quality_report(report, figure <= allowed, figure / allowed,
                   "%s%s %s %g m/s, tiles %g m of %s, %g Hz x %u: way %.2g off, vertical %.2g m/s, "
                   "aside %.2g m",
                   item->rolls ? "rolling " : "",
                   item->way == REDUCED_AFFINE ? "affine" : "reduced",
                   quality_kind_name(item->kind), item->speed, item->tile,
                   item->is_one_body ? "one body" : "many", item->hz, item->substeps, result.off,
                   result.rise, result.aside);
}

static const double reduced_speeds[] = {0.3, 2.0, 7.0, 40.0};

static void reduced_run_slides(quality *report, reduced_way way) {
    const uint32_t kinds = 4;
    static const quality_kind all[] = {QUALITY_BALL, QUALITY_BOX, QUALITY_BALL, QUALITY_HULL};
    for (uint32_t i = 0; i < kinds * 4 * 3 * 2; i++) {
        uint32_t rate = i / kinds / 4 % 3;
        reduced_slide item = {.way = way,
                              .kind = all[i % kinds],
                              .rolls = i % kinds == 2,
                              .speed = reduced_speeds[i / kinds % 4],
                              .tile = rate == 1 ? 1.0 : 0.37,
                              .hz = rate == 2 ? 240.0 : 60.0,
                              .substeps = rate == 0 ? 4 : 1,
                              .is_one_body = i / kinds / 12 == 1};
        // A ball that stretches turns by an eighth of a radian in a substep at most.
        bool is_slow = item.speed / (0.25 * item.hz * item.substeps) < 0.125;
        if (way != REDUCED_AFFINE || !item.rolls || is_slow) {
            reduced_run_slide(report, &item);
        }
    }
}

void contact_reduced_run_seams(quality *report) {
    reduced_run_slides(report, REDUCED_WAY);
}

void contact_affine_run_seams(quality *report) {
    reduced_run_slides(report, REDUCED_AFFINE);
}

// ---- bullets ----------------------------------------------------------------------------------

typedef struct reduced_bullet {
    reduced_way way;
    quality_shape shape;
    const char *name;
    double speed, spin, thickness, phase;
} reduced_bullet;

// A bullet and a sheet of 4 m x 4 m across its way, x = 0.
static void reduced_run_bullet(quality *report, const reduced_bullet *item) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.6);
    tn_vec3 lower = {-0.5 * item->thickness, -2.0, -2.0}, upper = {0.5 * item->thickness, 2.0, 2.0};
    quality_block_create(world, &material, lower, upper);
    double before = 0.6 + item->speed * (3.0 + item->phase) / 60.0;
    const double u[6] = {-before, 0.1, 0.2, 0.3, 0.2, 0.5};
    const double v[6] = {item->speed, 0.0, 0.0, 0.0, 0.0, item->spin};
    tn_body_id bullet = reduced_add(world, item->way, &item->shape, &material, u, v);
    double behind = 0.0;
    for (int i = 0; i < 24; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 now = tn_body_get_center(world, bullet);
        bool is_beside = fabs(now.y) > 2.0 || fabs(now.z) > 2.0;
        behind = is_beside ? behind : fmax(behind, now.x);
    }
    quality_report(report, behind <= 0.0, behind, "%s %s%s %g m/s, sheet of %g mm, phase %.2g",
                   item->way == REDUCED_AFFINE ? "affine" : "reduced", item->name,
                   item->spin > 0.0 ? " spinning" : "", item->speed, 1e3 * item->thickness,
                   item->phase);
    tn_world_destroy(world);
}

static void reduced_run_bullets(quality *report, reduced_way way) {
    static const char *const names[] = {"ball", "box", "stick"};
    static const quality_shape shapes[] = {{QUALITY_BALL, {0.05, 0.05, 0.05}},
                                           {QUALITY_BOX, {0.05, 0.05, 0.05}},
                                           {QUALITY_BOX, {0.25, 0.01, 0.01}}};
    static const double speeds[] = {30.0, 100.0, 900.0};
    static const double sheets[] = {0.001, 0.005, 0.05};
    static const double phases[] = {0.03, 0.4, 0.77};
    for (uint32_t i = 0; i < 3 * 2 * 3 * 3 * 3; i++) {
        reduced_bullet item = {.way = way,
                               .shape = shapes[i % 3],
                               .name = names[i % 3],
                               .spin = i / 3 % 2 == 0 ? 0.0 : 40.0,
                               .speed = speeds[i / 6 % 3],
                               .thickness = sheets[i / 18 % 3],
                               .phase = phases[i / 54]};
        reduced_run_bullet(report, &item);
    }
}

void contact_reduced_run_bullets(quality *report) {
    reduced_run_bullets(report, REDUCED_WAY);
}

void contact_affine_run_bullets(quality *report) {
    reduced_run_bullets(report, REDUCED_AFFINE);
}

// A blade of 1 m turns about the origin at the speed of an arm's angle, and a thin rod stands
// across its way. A rod that is fixed stops it; one that is free gets half of the speed of the
// place that strikes it, or more.
typedef struct reduced_blade {
    double speed, phase, radius;
    uint32_t substeps;
    bool is_rod_free;
} reduced_blade;

static void reduced_turn(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    out->bodies[0].pose.rotation.z = sin(0.5 * input->coordinates[0]);
    out->bodies[0].pose.rotation.w = cos(0.5 * input->coordinates[0]);
    out->bodies[0].angular[0] = quality_vector(0.0, 0.0, 1.0);
}

static void reduced_run_blade(quality *report, const reduced_blade *item) {
    tn_world *world = quality_world_create(0.0);
    tn_shape_def material = quality_material(0.3);
    tn_body_def def = tn_body_def_default();
    quality_shape shape = {QUALITY_BOX, {0.5, 0.02, 0.05}};
    tn_body_id blade = quality_body_create(world, &def, &material, &shape);
    double turn = -1.6 + 0.3 * item->phase, speed = item->speed, fastest = 0.0;
    reduced_make(world, blade, reduced_turn, 1, &turn, &speed);
    tn_reduced_id object = tn_body_get_reduced(world, blade);
    def = quality_body_at(0.4, 0.0, 0.0);
    quality_body_turn(&def, quality_vector(1.0, 0.0, 0.0), 0.5 * QUALITY_PI);
    def.type = item->is_rod_free ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_STATIC;
    quality_shape rod_shape = {QUALITY_CAPSULE, {item->radius, 0.3, 0.0}};
    tn_body_id rod = quality_body_create(world, &def, &material, &rod_shape);
    double greatest = turn, angle = turn;
    for (int i = 0; i < 12; i++) {
        tn_world_step(world, 1.0 / 60.0, item->substeps);
        tn_reduced_get_coordinates(world, object, &angle, 1);
        greatest = fmax(greatest, angle);
        fastest = fmax(fastest, quality_length(tn_body_get_velocity(world, rod).linear));
    }
    double lacks = fmax(0.5 * 0.4 * item->speed - fastest, 0.0), figure = fmax(greatest, 0.0);
    figure = item->is_rod_free ? lacks : figure;
    quality_report(report, figure <= 0.01, figure, "%g rad/s, %s rod of %g mm, phase %g, x %u",
                   item->speed, item->is_rod_free ? "free" : "fixed", 2e3 * item->radius,
                   item->phase, item->substeps);
    tn_world_destroy(world);
}

void contact_reduced_run_blade(quality *report) {
    for (uint32_t i = 0; i < 4 * 2 * 2 * 2 * 2; i++) {
        reduced_blade item = {.phase = i % 4,
                              .is_rod_free = i / 4 % 2 == 1,
                              .radius = i / 8 % 2 == 0 ? 0.005 : 0.001,
                              .speed = i / 16 % 2 == 0 ? 120.0 : 30.0,
                              .substeps = i / 32 == 0 ? 4 : 1};
        reduced_run_blade(report, &item);
    }
}

// ---- blows ------------------------------------------------------------------------------------

// A tilted box falls on a corner, with or without restitution. Returns its velocity a while after:
// without, before the next corner falls, whose friction rigid bodies put where the first one lies.
static tn_velocity reduced_fall(reduced_way way, double hz, uint32_t substeps, double restitution,
                                double tilt) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.5);
    material.material.restitution = (float)restitution;
    quality_plane_create(world, &material, 0.0);
    quality_shape shape = {QUALITY_BOX, {0.5, 0.5, 0.5}};
    const double u[6] = {0.9, 1.1, 0.1, 0.2, 0.1, tilt};
    const double v[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.5};
    tn_body_id body = reduced_add(world, way, &shape, &material, u, v);
    quality_world_run(world, restitution > 0.5 ? 0.4 : 0.3, hz, substeps);
    tn_velocity end = tn_body_get_velocity(world, body);
    tn_world_destroy(world);
    return end;
}

// Compared with a rigid body at 240 Hz x 16.
void contact_reduced_run_blows(quality *report) {
    static const double kept[] = {0.0, 0.4, 0.9};
    static const double tilts[] = {0.25, 0.5, 0.7};
    for (uint32_t i = 0; i < 3 * 3 * 3; i++) {
        double restitution = kept[i % 3], tilt = tilts[i / 3 % 3];
        double hz = i / 9 == 0 ? 30.0 : i / 9 == 1 ? 60.0 : 240.0;
        tn_velocity right = reduced_fall(REDUCED_RIGID, 240.0, 16, restitution, tilt);
        tn_velocity end = reduced_fall(REDUCED_WAY, hz, 4, restitution, tilt);
        tn_velocity rigid = reduced_fall(REDUCED_RIGID, hz, 4, restitution, tilt);
        double off = quality_velocity_change(right, end);
        double allowed = fmax(2.0 * quality_velocity_change(right, rigid), 0.01);
        quality_report(report, off <= allowed, off,
                       "restitution %g, tilted by %g rad, %g Hz: a rigid one is %.2g off",
                       restitution, tilt, hz, quality_velocity_change(right, rigid));
    }
}

// ---- what turns -------------------------------------------------------------------------------

// On a kinematic turntable of 1 rad/s for 5 s at 1.5 m from its axis.
static void reduced_run_table(quality *report, reduced_way way, double hz, uint32_t substeps) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def material = quality_material(0.9);
    tn_body_def def = quality_body_at(0.0, -0.5, 0.0);
    def.type = TN_BODY_TYPE_KINEMATIC;
    def.velocity.angular.y = 1.0;
    quality_shape plate = {QUALITY_BOX, {4.0, 0.5, 4.0}};
    quality_body_create(world, &def, &material, &plate);
    quality_shape shape = {QUALITY_BOX, {0.25, 0.25, 0.25}};
    const double u[6] = {1.5, 0.25, 0.0};
    const double v[6] = {0.0, 0.0, -1.5, 1.0};
    tn_body_id body = reduced_add(world, way, &shape, &material, u, v);
    quality_world_run(world, 5.0, hz, substeps);
    tn_vec3 end = tn_body_get_center(world, body);
    tn_world_destroy(world);
    double off = fabs(hypot(end.x, end.z) - 1.5);
    quality_report(report, off <= 2e-3, off, "%s box on a turntable, %g Hz x %u",
                   way == REDUCED_AFFINE ? "affine" : "reduced", hz, substeps);
}

static void reduced_run_tables(quality *report, reduced_way way) {
    reduced_run_table(report, way, 60.0, 4);
    reduced_run_table(report, way, 60.0, 1);
    reduced_run_table(report, way, 240.0, 4);
}

void contact_reduced_run_table(quality *report) {
    reduced_run_tables(report, REDUCED_WAY);
}

void contact_affine_run_table(quality *report) {
    reduced_run_tables(report, REDUCED_AFFINE);
}

// ---- beside a pile ----------------------------------------------------------------------------

// A ball swings without friction in a round valley of flat blocks, beside a pile of free boxes that
// a world cuts into parts where nothing else is in it.
typedef struct reduced_valley {
    reduced_way way;
    double hz;
    uint32_t substeps;
    bool has_pile;
} reduced_valley;

#define VALLEY_BLOCKS 48
#define VALLEY_RADIUS 2.0

static void reduced_add_valley(tn_world *world, const tn_shape_def *ice) {
    quality_shape block = {QUALITY_BOX, {0.14, 0.2, 1.0}};
    for (int i = 0; i < VALLEY_BLOCKS; i++) {
        double angle = 2.0 * QUALITY_PI * (i + 0.5) / VALLEY_BLOCKS;
        double far = VALLEY_RADIUS + block.half.y;
        tn_body_def def = quality_body_at(far * sin(angle), -far * cos(angle), 0.0);
        quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), angle);
        def.type = TN_BODY_TYPE_STATIC;
        quality_body_create(world, &def, ice, &block);
    }
}

static void reduced_add_pile(tn_world *world) {
    tn_shape_def material = quality_material(0.6);
    tn_vec3 lower = {-20.0, -4.0, 10.0}, upper = {20.0, -3.0, 30.0};
    quality_block_create(world, &material, lower, upper);
    quality_shape box = {QUALITY_BOX, {0.2, 0.2, 0.2}};
    for (int i = 0; i < 10 * 10 * 3; i++) {
        tn_body_def def = quality_body_at(-4.0 + 0.45 * (i % 10), -2.8 + 0.4 * (i / 100),
                                          15.0 + 0.45 * (i / 10 % 10));
        quality_body_create(world, &def, &material, &box);
    }
}

// The highest that it gets in the third half of its swing.
static double reduced_swing_in(const reduced_valley *item) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_shape_def ice = quality_material(0.0);
    reduced_add_valley(world, &ice);
    if (item->has_pile) {
        reduced_add_pile(world);
    }
    quality_shape ball = {QUALITY_BALL, {0.1, 0.1, 0.1}};
    double angle = -0.9, radius = VALLEY_RADIUS - 0.1, highest = -VALLEY_RADIUS;
    const double u[6] = {radius * sin(angle), -radius * cos(angle) + 1e-4, 0.0}, v[6] = {0};
    tn_body_id body = reduced_add(world, item->way, &ball, &ice, u, v);
    uint32_t steps = quality_count_steps(3.2, item->hz);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / item->hz, item->substeps);
        double y = tn_body_get_center(world, body).y;
        highest = i > 2.2 * item->hz ? fmax(highest, y) : highest;
    }
    tn_world_destroy(world);
    return highest;
}

// Against a rigid ball at the same rate.
static void reduced_run_valley(quality *report, reduced_way way) {
    for (int i = 0; i < 4; i++) {
        reduced_valley item = {way, i == 1 ? 240.0 : 60.0, i == 2 ? 1 : 4, i == 3}, rigid = item;
        rigid.way = REDUCED_RIGID;
        rigid.has_pile = false;
        double right = reduced_swing_in(&rigid), height = reduced_swing_in(&item);
        double off = fabs(height - right);
        quality_report(report, off <= 0.005, off,
                       "%s ball in a valley, %g Hz x %u%s: %.3f m for %.3f",
                       way == REDUCED_AFFINE ? "affine" : "reduced", item.hz, item.substeps,
                       item.has_pile ? ", beside a pile" : "", height, right);
    }
}

void contact_reduced_run_valley(quality *report) {
    reduced_run_valley(report, REDUCED_WAY);
}

void contact_affine_run_valley(quality *report) {
    reduced_run_valley(report, REDUCED_AFFINE);
}
