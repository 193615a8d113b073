// scenes/house.c: a house of blocks joined by breakable joints, hit by a wrecking ball.
//
// Four walls of blocks, each block joined to its neighbours, and a gable roof of planks. A joint
// gives way to `break_force` or to the torque of that force on a lever of half a metre.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#define HOUSE_COLUMNS   5      // blocks along each wall
#define HOUSE_ROWS      4      // blocks up
#define HOUSE_PLANKS    5      // of each side of the roof
#define HOUSE_BLOCK     0.8    // m, length and height
#define HOUSE_THICKNESS 0.3    // m
#define HOUSE_DENSITY   1800.0 // kg/m^3, of brickwork
#define HOUSE_PITCH     0.55   // rad of the roof
#define HOUSE_BALL      0.7    // m, radius
#define HOUSE_ROPE      7.0    // m
#define HOUSE_LEVER     0.5    // m

static const scene_option house_options[] = {
    {"break_force", 20000, 0, 1e9, "N that a joint bears"},
    {"ball", 8000, 1, 100000, "kg of the wrecking ball"},
    {"angle", 70, 0, 90, "deg from which it swings"},
};

typedef struct house_wall {
    tn_body_id blocks[HOUSE_COLUMNS][HOUSE_ROWS];
} house_wall;

typedef struct house_state {
    tn_body_id ball;
    uint32_t joint_count; // at the start, without the ball's
} house_state;

static void house_join(scene_run *run, tn_body_id a, tn_body_id b) {
    if (a.value == 0 || b.value == 0) {
        return;
    }
    tn_vec3 p = tn_body_get_center(run->world, a);
    tn_vec3 q = tn_body_get_center(run->world, b);
    tn_vec3 middle = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
    tn_joint_id joint = build_fixed(run, a, b, middle);
    double force = scene_run_get_value(run, "break_force");
    tn_joint_set_break_force(run->world, joint, (float)force, (float)(force * HOUSE_LEVER));
    tn_joint_set_collision_allowed(run->world, joint, false);
}

// A wall along x at a depth z, or along z at a place x; the front one has a door.
static house_wall house_add_wall(scene_run *run, bool along_x, double place, bool has_door) {
    house_wall wall = {{{{0}}}};
    double length = HOUSE_COLUMNS * HOUSE_BLOCK - (along_x ? 0.0 : 2.0 * HOUSE_THICKNESS);
    double block = length / HOUSE_COLUMNS;
    for (int i = 0; i < HOUSE_COLUMNS; i++) {
        for (int j = 0; j < HOUSE_ROWS; j++) {
            if (has_door && i == HOUSE_COLUMNS / 2 && j < 2) {
                continue;
            }
            double along = (i + 0.5) * block - 0.5 * length;
            build_part part = build_part_at(along_x ? along : place, (j + 0.5) * HOUSE_BLOCK,
                                            along_x ? place : along);
            part.density = HOUSE_DENSITY;
            wall.blocks[i][j] = build_box(run, &part, along_x ? block : HOUSE_THICKNESS,
                                          HOUSE_BLOCK, along_x ? HOUSE_THICKNESS : block);
            house_join(run, wall.blocks[i][j], i > 0 ? wall.blocks[i - 1][j] : (tn_body_id){0});
            house_join(run, wall.blocks[i][j], j > 0 ? wall.blocks[i][j - 1] : (tn_body_id){0});
        }
    }
    return wall;
}

static void house_join_corner(scene_run *run, const house_wall *a, int column_a,
                              const house_wall *b, int column_b) {
    for (int j = 0; j < HOUSE_ROWS; j++) {
        house_join(run, a->blocks[column_a][j], b->blocks[column_b][j]);
    }
}

// One plank of the roof, from the eaves over a wall (side -1 or 1 in z) up to the ridge.
static tn_body_id house_add_plank(scene_run *run, int index, double side) {
    double half = 0.5 * HOUSE_COLUMNS * HOUSE_BLOCK;
    double thickness = 0.12;
    double length = (half + 0.3) / portable_cos(HOUSE_PITCH);
    double eaves = HOUSE_ROWS * HOUSE_BLOCK;
    double x = (index + 0.5) * HOUSE_BLOCK - half;

    // The underside rests on the wall's outer edge.
    double rise = (half + 0.3) * portable_tan(HOUSE_PITCH);
    double outer = eaves - 0.3 * portable_tan(HOUSE_PITCH);
    double lift = 0.5 * thickness / portable_cos(HOUSE_PITCH) + 0.01;
    build_part part = build_part_at(x, outer + 0.5 * rise + lift, side * 0.5 * (half + 0.3));
    part.density = 600.0;
    build_turn(&part.pose, build_axis_x(), side * HOUSE_PITCH);
    return build_box(run, &part, HOUSE_BLOCK, thickness,
                     length - thickness * portable_sin(HOUSE_PITCH) - 0.02);
}

static void house_add_roof(scene_run *run, const house_wall *front, const house_wall *back) {
    tn_body_id last_front = {0};
    tn_body_id last_back = {0};
    for (int i = 0; i < HOUSE_PLANKS; i++) {
        tn_body_id plank_front = house_add_plank(run, i, 1.0);
        tn_body_id plank_back = house_add_plank(run, i, -1.0);
        house_join(run, plank_front, plank_back);
        house_join(run, plank_front, front->blocks[i][HOUSE_ROWS - 1]);
        house_join(run, plank_back, back->blocks[i][HOUSE_ROWS - 1]);
        house_join(run, plank_front, last_front);
        house_join(run, plank_back, last_back);
        last_front = plank_front;
        last_back = plank_back;
    }
}

// The ball hangs in front of the house so that it meets the wall at the bottom of its swing.
static tn_body_id house_add_ball(scene_run *run) {
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    double front = 0.5 * HOUSE_COLUMNS * HOUSE_BLOCK + HOUSE_BALL;
    tn_vec3 crane = build_point(0.6, HOUSE_ROPE + 1.6, front);
    build_part part = build_part_at(crane.x, crane.y - HOUSE_ROPE * portable_cos(angle),
                                    crane.z + HOUSE_ROPE * portable_sin(angle));
    part.mass = scene_run_get_value(run, "ball");
    tn_body_id ball = build_sphere(run, &part, HOUSE_BALL);
    tn_joint_id rope =
        build_rope(run, (tn_body_id){0}, ball, crane, part.pose.position, HOUSE_ROPE);
    scene_run_name_body(run, ball, "ball");
    scene_run_name_joint(run, rope, "rope");
    return ball;
}

static bool house_build(scene_run *run) {
    house_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double half = 0.5 * (HOUSE_COLUMNS * HOUSE_BLOCK - HOUSE_THICKNESS);
    int last = HOUSE_COLUMNS - 1;
    build_ground(run, 0.0);
    house_wall front = house_add_wall(run, true, half, true);
    house_wall back = house_add_wall(run, true, -half, false);
    house_wall left = house_add_wall(run, false, -half, false);
    house_wall right = house_add_wall(run, false, half, false);
    house_join_corner(run, &front, 0, &left, last);
    house_join_corner(run, &front, last, &right, last);
    house_join_corner(run, &back, 0, &left, 0);
    house_join_corner(run, &back, last, &right, 0);
    house_add_roof(run, &front, &back);
    state->joint_count = tn_world_count_joints(run->world);
    state->ball = house_add_ball(run);
    return true;
}

static void house_measure(scene_run *run) {
    const house_state *state = run->state;
    uint32_t left = tn_world_count_joints(run->world) - 1;
    uint32_t fallen = 0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 now = tn_body_get_center(run->world, run->starts[i].body);
        bool is_ball = run->starts[i].body.value == state->ball.value;
        fallen += !is_ball && run->starts[i].center.y - now.y > 0.5 * HOUSE_BLOCK;
    }
    scene_run_add_figure(run, "joints", state->joint_count);
    scene_run_add_figure(run, "joints_broken", state->joint_count - left);
    scene_run_add_figure(run, "blocks_fallen", fallen);
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_house = {
    .name = "house",
    .summary = "a house of blocks with breakable joints, hit by a wrecking ball",
    .time = 8.0,
    .options = house_options,
    .option_count = 3,
    .build = house_build,
    .measure = house_measure,
};
