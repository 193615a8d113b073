// bench/contact_kinds.c: the same faults with other floors and other bodies: tiles that are hulls,
// lie in a staggered grid, in a plane, or turned; bodies on joints, and affine ones.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum kinds_floor {
    KINDS_FLOOR_HULLS = 0, // tiles that are hulls
    KINDS_FLOOR_GRID,      // tiles of 0.5 m, every other row shifted, crossed at a slant
    KINDS_FLOOR_FLUSH,     // tiles in a plane, level with it
    KINDS_FLOOR_THIN,      // tiles 5 mm thick
    KINDS_FLOOR_TURNED,    // the whole scene turned about a slanted axis
    KINDS_FLOOR_SLAB,      // one slab: what the others should be like
    KINDS_FLOOR_COUNT,
} kinds_floor;

static const char *const kinds_floor_names[] = {
    "hull tiles", "a staggered grid", "tiles in a plane", "thin tiles", "turned tiles", "a slab"};

// A frame whose y is up; the floor's top is y = 0 in it.
typedef struct kinds_frame {
    tn_body_def def; // its pose turns the scene
    tn_vec3 along;   // way of the body, in the frame
} kinds_frame;

static tn_vec3 kinds_turn(const kinds_frame *frame, tn_vec3 local) {
    return quality_rotate(frame->def.pose.rotation, local);
}

static void kinds_place(const kinds_frame *frame, tn_body_def *def, tn_vec3 local) {
    tn_vec3 place = kinds_turn(frame, local);
    *def = frame->def;
    def->pose.position.x = place.x;
    def->pose.position.y = place.y;
    def->pose.position.z = place.z;
}

static void kinds_add_box(tn_world *world, const kinds_frame *frame, tn_vec3 middle, tn_vec3 half,
                          bool is_hull) {
    tn_shape_def ice = quality_material(0.0);
    tn_body_def def;
    kinds_place(frame, &def, middle);
    def.type = TN_BODY_TYPE_STATIC;
    quality_shape box = {QUALITY_BOX, half};
    if (!is_hull) {
        quality_body_create(world, &def, &ice, &box);
        return;
    }
    tn_vec3 corners[8];
    for (uint32_t i = 0; i < 8; i++) {
        corners[i].x = (i & 1 ? half.x : -half.x);
        corners[i].y = (i & 2 ? half.y : -half.y);
        corners[i].z = (i & 4 ? half.z : -half.z);
    }
    quality_hull_shape_create(world, tn_body_create(world, &def), &ice, corners, 8);
}

static void kinds_add_floor(tn_world *world, const kinds_frame *frame, kinds_floor floor_kind,
                            double length) {
    double thick = floor_kind == KINDS_FLOOR_THIN ? 0.0025 : 0.25;
    if (floor_kind == KINDS_FLOOR_SLAB) {
        kinds_add_box(world, frame, quality_vector(0.5 * length, -thick, 0.0),
                      quality_vector(0.5 * length + 3.0, thick, 20.0), false);
        return;
    }
    if (floor_kind == KINDS_FLOOR_FLUSH) {
        tn_shape_def ice = quality_material(0.0);
        quality_plane_create(world, &ice, 0.0);
    }
    bool is_grid = floor_kind == KINDS_FLOOR_GRID;
    double side = is_grid ? 0.5 : 1.0;
    int count = (int)ceil((length + 4.0) / side);
    for (int i = 0; i < count; i++) {
        double x = -2.0 + side * (i + 0.5);
        if (!is_grid) {
            kinds_add_box(world, frame, quality_vector(x, -thick, 0.0),
                          quality_vector(0.5 * side, thick, 5.0), floor_kind == KINDS_FLOOR_HULLS);
            continue;
        }
        int middle = (int)floor(0.4 * x / side); // rows around the way, which has the slope 0.4
        for (int row = middle - 4; row <= middle + 4; row++) {
            double shift = row % 2 == 0 ? 0.0 : 0.21;
            kinds_add_box(world, frame, quality_vector(x + shift, -thick, side * (row + 0.5)),
                          quality_vector(0.5 * side, thick, 0.5 * side), false);
        }
    }
}

typedef struct kinds_case {
    kinds_floor floor_kind;
    quality_kind kind;
    double speed;
    bool is_affine, is_train; // a body that stretches; two bodies on a ball joint
    tn_solver solver;
} kinds_case;

static tn_body_id kinds_add_body(tn_world *world, const kinds_frame *frame, const kinds_case *item,
                                 double back) {
    tn_shape_def ice = quality_material(0.0);
    quality_shape shape = quality_shape_of(item->kind, 0.25);
    tn_body_def def;
    kinds_place(frame, &def,
                quality_vector(-0.35 - back * frame->along.x, 0.25, 0.1 - back * frame->along.z));
    if (item->kind == QUALITY_CAPSULE) {
        quality_body_turn(&def, kinds_turn(frame, quality_vector(0.0, 0.0, 1.0)), 0.5 * QUALITY_PI);
    }
    def.velocity.linear = quality_add((tn_vec3){0}, item->speed, kinds_turn(frame, frame->along));
    tn_body_id body = quality_body_create(world, &def, &ice, &shape);
    if (item->is_affine) {
        tn_affine_def affine = tn_affine_def_default();
        affine.body = body;
        affine.youngs_modulus = 1e7;
        affine.viscosity = 0.01;
        tn_affine_create(world, &affine);
    }
    return body;
}

typedef struct kinds_result {
    double way, rise, aside; // m, m/s, m
} kinds_result;

static kinds_result kinds_slide(const kinds_case *item, double seconds) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_solver(world, item->solver);
    kinds_frame frame = {.def = tn_body_def_default(), .along = {1.0, 0.0, 0.0}};
    if (item->floor_kind == KINDS_FLOOR_TURNED) {
        quality_body_turn(&frame.def, quality_vector(1.0, 2.0, 3.0), 0.7);
    } else if (item->floor_kind == KINDS_FLOOR_GRID) {
        frame.along = quality_vector(1.0 / hypot(1.0, 0.4), 0.0, 0.4 / hypot(1.0, 0.4));
    }
    tn_vec3 down = kinds_turn(&frame, quality_vector(0.0, -QUALITY_GRAVITY, 0.0));
    tn_vec3 gravity = down;
    tn_world_set_gravity(world, gravity);
    kinds_add_floor(world, &frame, item->floor_kind, item->speed * seconds);
    tn_body_id body = kinds_add_body(world, &frame, item, 0.0);
    if (item->is_train) {
        tn_body_id wagon = kinds_add_body(world, &frame, item, 0.6);
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_vec3 anchor = tn_body_get_center(world, body);
        anchor.x -= 0.3;
        tn_joint_def_set_frames(world, &joint.base, body, wagon, anchor,
                                quality_vector(1.0, 0.0, 0.0));
        tn_ball_joint_create(world, &joint);
    }
    tn_vec3 start = tn_body_get_center(world, body);
    tn_vec3 up = kinds_turn(&frame, quality_vector(0.0, 1.0, 0.0));
    tn_vec3 along = kinds_turn(&frame, frame.along), across = quality_cross(along, up);
    kinds_result result = {0};
    uint32_t steps = quality_count_steps(seconds, 60.0);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        double rise = fabs(quality_dot(up, tn_body_get_velocity(world, body).linear));
        result.rise = i >= 6 || !item->is_affine ? fmax(result.rise, rise) : 0.0;
    }
    tn_vec3 moved = quality_between(start, tn_body_get_center(world, body));
    result.way = quality_dot(along, moved);
    result.aside = fabs(quality_dot(across, moved));
    tn_world_destroy(world);
    return result;
}

static void kinds_report(quality *report, const kinds_case *item, const char *name) {
    double seconds = item->speed < 1.0 ? 2.0 : 1.0;
    kinds_result result = kinds_slide(item, seconds);
    double off = fabs(result.way / (item->speed * seconds) - 1.0);
    double figure = fmax(fmax(off / 0.003, result.rise / 0.02), result.aside / 1e-3);
    quality_report(report, figure <= 1.0, figure,
                   "%s %g m/s over %s: way %.2g off, vertical %.2g m/s, aside %.2g m", name,
                   item->speed, kinds_floor_names[item->floor_kind], off, result.rise,
                   result.aside);
}

static const double kinds_speeds[] = {0.3, 2.0, 7.0, 40.0};

void contact_kinds_run_floors(quality *report) {
    for (uint32_t i = 0; i < 4 * 4 * KINDS_FLOOR_COUNT; i++) {
        kinds_case item = {.kind = (quality_kind)(i % 4),
                           .speed = kinds_speeds[i / 4 % 4],
                           .floor_kind = (kinds_floor)(i / 16)};
        kinds_report(report, &item, quality_kind_name(item.kind));
    }
}

// Two bodies on a ball joint, under each solver, and bodies that stretch a little, over hull and
// box tiles and a slab. An affine body is left 0.1 s to settle.
void contact_kinds_run_bodies(quality *report) {
    static const kinds_floor floors[] = {KINDS_FLOOR_HULLS, KINDS_FLOOR_THIN, KINDS_FLOOR_SLAB};
    for (uint32_t i = 0; i < 4 * 3 * 3; i++) {
        kinds_case item = {.kind = i / 12 == 2 ? QUALITY_BALL : QUALITY_BOX,
                           .speed = kinds_speeds[i % 4],
                           .floor_kind = floors[i / 4 % 3],
                           .is_train = i / 12 == 0,
                           .is_affine = i / 12 > 0};
        kinds_report(report, &item,
                     item.is_train               ? "two boxes on a joint"
                     : item.kind == QUALITY_BALL ? "affine ball"
                                                 : "affine box");
    }
    for (uint32_t i = 0; i < 4 * 3 * 4 * QUALITY_SOLVER_COUNT; i++) {
        char name[QUALITY_TEXT];
        kinds_case item = {.kind = (quality_kind)(i / 12 % 4),
                           .speed = kinds_speeds[i % 4],
                           .floor_kind = floors[i / 4 % 3],
                           .is_train = true,
                           .solver = quality_solvers[i / 48]};
        snprintf(name, sizeof name, "two of %s, %s", quality_kind_name(item.kind),
                 quality_solver_name(item.solver));
        kinds_report(report, &item, name);
    }
}

// A bob on a hinge, or on two, swings past a block that ends `clear` below the lowest point that it
// gets to without the block: it ends as it does without. Under Gauss-Seidel joints give way to what
// pulls at them, by millimetres at 20 m/s: so the bob's distance from the axis is measured.
typedef struct kinds_swing {
    quality_kind kind;
    tn_solver solver;
    int links;
    double clear, speed;
} kinds_swing;

// The farthest that any point of the bob gets from its middle, as it hangs.
static double kinds_get_bob_reach(quality_kind kind, double distance) {
    if (kind == QUALITY_BOX) {
        return hypot(distance + 0.1, 0.1) - distance + 0.01;
    }
    return kind == QUALITY_BALL ? 0.1 : 0.2;
}

static tn_body_id kinds_add_links(tn_world *world, const kinds_swing *item,
                                  const tn_shape_def *material) {
    tn_body_id before = {0};
    double length = 1.0, angle = 1.0; // of a link, m; rad from hanging down
    quality_shape shape = quality_shape_of(item->kind, 0.1);
    quality_shape small = {QUALITY_BALL, {0.08, 0.08, 0.08}};
    for (int i = 0; i < item->links; i++) {
        bool is_bob = i + 1 == item->links;
        double radius = length * (i + 1);
        tn_body_def def = quality_body_at(-radius * sin(angle), -radius * cos(angle), 0.0);
        quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), -angle);
        double turn = item->speed / (length * item->links);
        def.velocity.angular.z = turn;
        def.velocity.linear =
            quality_vector(turn * radius * cos(angle), -turn * radius * sin(angle), 0.0);
        tn_body_id body = quality_body_create(world, &def, material, is_bob ? &shape : &small);
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_vec3 anchor = {-length * i * sin(angle), -length * i * cos(angle), 0.0};
        tn_joint_def_set_frames(world, &hinge.base, before, body, anchor,
                                quality_vector(0.0, 0.0, 1.0));
        tn_hinge_joint_create(world, &hinge);
        before = body;
    }
    return before;
}

// Past a block whose top is so far below the axis, or none at 0. Returns the velocity at the end;
// `farthest` takes the bob's greatest distance from the axis.
static tn_velocity kinds_swing_run(const kinds_swing *item, double top, double *farthest) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_solver(world, item->solver);
    tn_shape_def material = quality_material(0.6);
    tn_body_id bob = kinds_add_links(world, item, &material);
    if (top > 0.0) {
        tn_vec3 lower = {-0.15, -top - 0.5, -1.0}, upper = {0.15, -top, 1.0};
        quality_block_create(world, &material, lower, upper);
    }
    uint32_t steps = quality_count_steps(0.4 + 0.3 * item->links, 60.0);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / 60.0, 4);
        tn_vec3 center = tn_body_get_center(world, bob);
        *farthest = fmax(*farthest, hypot(center.x, center.y));
    }
    tn_velocity end = tn_body_get_velocity(world, bob);
    tn_world_destroy(world);
    return end;
}

// Equal to the last bit.
void contact_kinds_run_swings(quality *report) {
    static const double clears[] = {0.001, 0.003, 0.01};
    static const double speeds[] = {0.0, 5.0, 20.0};
    static const quality_kind kinds[] = {QUALITY_BALL, QUALITY_BOX, QUALITY_CAPSULE};
    for (uint32_t i = 0; i < 3 * 3 * 3 * 2 * QUALITY_SOLVER_COUNT; i++) {
        kinds_swing item = {.clear = clears[i % 3],
                            .speed = speeds[i / 3 % 3],
                            .kind = kinds[i / 9 % 3],
                            .solver = quality_solvers[i / 27 % QUALITY_SOLVER_COUNT],
                            .links = i / 108 == 0 ? 1 : 2};
        double farthest = item.links, unused = 0.0;
        tn_velocity free_end = kinds_swing_run(&item, 0.0, &farthest);
        double top = farthest + kinds_get_bob_reach(item.kind, farthest) + item.clear;
        double change = quality_velocity_change(free_end, kinds_swing_run(&item, top, &unused));
        quality_report(report, change == 0.0, change, "%s on %d hinges, %g m/s, %g mm clear, %s",
                       quality_kind_name(item.kind), item.links, item.speed, 1e3 * item.clear,
                       quality_solver_name(item.solver));
    }
}
