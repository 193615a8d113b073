// Whichever way a joint is solved, it moves, pulls and breaks the same: swept, exact and by
// conjugate gradients; alone, and as one of many, which sweeps take eight at a time.
#include "driven_value.h"
#include "tests/support/long_test.h"

#define WAYS_MOST   72   // from 65 on they go in lanes
#define WAYS_APART  10.0 // m
#define WAYS_HZ     240.0
#define WAYS_STEPS  60
#define WAYS_JERK   3
#define WAYS_LAST   12
#define WEIGHT_MASS 3.0 // kg
// m and rad; of the largest force and torque. Measured: 2e-6 and 5e-6; 3e-5.
#define WAYS_NEAR 1e-5
#define WAYS_PULL 1e-4
#define WAYS_GRIP 1e-2 // N or N·m: what a joint pulls with at least, or it shows nothing

typedef struct joint_way {
    const char *name;
    tn_solver solver;
    uint32_t copies;
} joint_way;

static const joint_way ways[] = {
    {"exact", TN_SOLVER_DIRECT, 1},
    {"swept", TN_SOLVER_PGS, 1},
    {"swept, of many", TN_SOLVER_PGS, WAYS_MOST},
    {"gradients", TN_SOLVER_CG, 1},
    {"gradients, of many", TN_SOLVER_CG, WAYS_MOST},
    {"as chosen", TN_SOLVER_AUTO, 1},
};

#define WAYS ((int)(sizeof ways / sizeof ways[0]))

static const tn_joint_type kinds[] = {
    TN_JOINT_TYPE_DISTANCE,    TN_JOINT_TYPE_BALL,        TN_JOINT_TYPE_HINGE,
    TN_JOINT_TYPE_SLIDER,      TN_JOINT_TYPE_FIXED,       TN_JOINT_TYPE_UNIVERSAL,
    TN_JOINT_TYPE_CYLINDRICAL, TN_JOINT_TYPE_PLANAR,      TN_JOINT_TYPE_MOUSE,
    TN_JOINT_TYPE_SWING_TWIST, TN_JOINT_TYPE_SIX_AXIS,    TN_JOINT_TYPE_WHEEL,
    TN_JOINT_TYPE_GEAR,        TN_JOINT_TYPE_RACK_PINION, TN_JOINT_TYPE_SCREW,
    TN_JOINT_TYPE_PULLEY,      TN_JOINT_TYPE_CAM,         TN_JOINT_TYPE_RATCHET,
    TN_JOINT_TYPE_ESCAPEMENT,
};

#define KINDS ((int)(sizeof kinds / sizeof kinds[0]))

// Two free bodies and the joint between them, as often as the way has it.
typedef struct joint_pairs {
    tn_world *world;
    tn_body_id a[WAYS_MOST], b[WAYS_MOST];
    tn_joint_id joints[WAYS_MOST];
    uint32_t count;
} joint_pairs;

// What the last of them did.
typedef struct pair_motion {
    tn_pose a, b;
    double forces[WAYS_STEPS], torques[WAYS_STEPS]; // N, N·m
    int broken;                                     // the step, or -1
} pair_motion;

// Wheels turn against each other and parts move away from each other, so that pawls and ropes hold.
static void pairs_push(const joint_pairs *pairs, tn_joint_type type, uint32_t i) {
    bool ticks = type == TN_JOINT_TYPE_RATCHET || type == TN_JOINT_TYPE_ESCAPEMENT;
    double way = ticks ? -1.0 : 1.0;
    tn_velocity of_a = {{0.2, -0.4, 0.6}, {0.5, -1.0, 0.25}};
    tn_velocity of_b = {{0.0, -0.2, 0.0}, {0.0, 1.2 * way, 1.6 * way}};
    cr_assert(tn_body_set_velocity(pairs->world, pairs->a[i], of_a) == TN_RESULT_OK);
    cr_assert(tn_body_set_velocity(pairs->world, pairs->b[i], of_b) == TN_RESULT_OK);
}

static void pairs_make(joint_pairs *pairs, const joint_way *way, tn_joint_type type) {
    pairs->world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
    pairs->count = way->copies;
    cr_assert(tn_world_set_solver(pairs->world, way->solver) == TN_RESULT_OK);
    for (uint32_t i = 0; i < pairs->count; ++i) {
        double x = WAYS_APART * (i + 1 - pairs->count); // the last one is where a single one is
        pairs->a[i] = body_make(pairs->world, x, 0.0, 0.0, 1.0, 0.2);
        pairs->b[i] = body_make(pairs->world, x + 1.0, 0.3, 0.0, 2.0, 0.3);
        pairs->joints[i] = joint_make(pairs->world, type, pairs->a[i], pairs->b[i],
                                      (tn_vec3){x + 0.5, 0.2, 0.1}, (tn_vec3){0.0, 0.6, 0.8});
        cr_assert(pairs->joints[i].value != 0);
        pairs_push(pairs, type, i);
    }
}

static void pairs_run(joint_pairs *pairs, pair_motion *motion) {
    uint32_t last = pairs->count - 1;
    motion->broken = -1;
    for (int s = 0; s < WAYS_STEPS; ++s) {
        run(pairs->world, 1.0 / WAYS_HZ, WAYS_HZ, 4);
        if (!tn_joint_is_valid(pairs->world, pairs->joints[last])) {
            motion->broken = motion->broken < 0 ? s : motion->broken;
            continue;
        }
        tn_reaction reaction = tn_joint_get_reaction(pairs->world, pairs->joints[last]);
        motion->forces[s] = length_of(reaction.force);
        motion->torques[s] = length_of(reaction.torque);
    }
    motion->a = tn_body_get_pose(pairs->world, pairs->a[last]);
    motion->b = tn_body_get_pose(pairs->world, pairs->b[last]);
    tn_world_destroy(pairs->world);
}

static void pairs_let_go(const joint_way *way, tn_joint_type type, pair_motion *motion) {
    static joint_pairs pairs;
    pairs_make(&pairs, way, type);
    pairs_run(&pairs, motion);
}

static double pose_get_way(const tn_pose *a, const tn_pose *b) {
    tn_vec3 d = {a->position.x - b->position.x, a->position.y - b->position.y,
                 a->position.z - b->position.z};
    return length_of(d);
}

// rad.
static double pose_get_turn(const tn_pose *a, const tn_pose *b) {
    const tn_quat *p = &a->rotation, *q = &b->rotation;
    double x = p->w * q->x - p->x * q->w - p->y * q->z + p->z * q->y;
    double y = p->w * q->y - p->y * q->w - p->z * q->x + p->x * q->z;
    double z = p->w * q->z - p->z * q->w - p->x * q->y + p->y * q->x;
    return 2.0 * hypot(hypot(x, y), z);
}

static double list_get_most(const double list[WAYS_STEPS]) {
    double most = 0.0;
    for (int s = 0; s < WAYS_STEPS; ++s) {
        most = fmax(most, list[s]);
    }
    return most;
}

// After the jerk of the first steps, which each way shares out over them as it may.
static double list_get_difference(const double a[WAYS_STEPS], const double b[WAYS_STEPS]) {
    double most = 0.0;
    for (int s = WAYS_JERK; s < WAYS_STEPS; ++s) {
        most = fmax(most, fabs(a[s] - b[s]));
    }
    return most;
}

// A spring to the pointer, which sweeps integrate by implicit Euler, and blows of teeth, which come
// within a substep, are off by twenty times as much.
static void motion_check(const pair_motion *motion, const pair_motion *right, const char *name,
                         tn_joint_type type) {
    bool is_rough = type == TN_JOINT_TYPE_MOUSE || type == TN_JOINT_TYPE_ESCAPEMENT;
    double slack = is_rough ? 20.0 : 1.0;
    double moved = fmax(pose_get_way(&motion->a, &right->a), pose_get_way(&motion->b, &right->b));
    double turned =
        fmax(pose_get_turn(&motion->a, &right->a), pose_get_turn(&motion->b, &right->b));
    double force = list_get_difference(motion->forces, right->forces);
    double torque = list_get_difference(motion->torques, right->torques);
    double size = list_get_most(right->forces) + list_get_most(right->torques);
    cr_assert(moved < WAYS_NEAR * slack && turned < WAYS_NEAR * slack,
              "type %d %s: %g m and %g rad off", (int)type, name, moved, turned);
    cr_assert(force < WAYS_PULL * slack * size && torque < WAYS_PULL * slack * size,
              "type %d %s: %g N and %g N m off of %g", (int)type, name, force, torque, size);
}

LONG_TEST(joint_ways, every_kind_moves_and_pulls_the_same) {
    static pair_motion right, motion;
    for (int k = 0; k < KINDS; ++k) {
        pairs_let_go(&ways[0], kinds[k], &right);
        cr_assert(list_get_most(right.forces) + list_get_most(right.torques) > WAYS_GRIP);
        for (int w = 1; w < WAYS; ++w) {
            pairs_let_go(&ways[w], kinds[k], &motion);
            motion_check(&motion, &right, ways[w].name, kinds[k]);
        }
    }
}

// ---- motors, springs and limits ---------------------------------------------------------------

// A weight that hangs or stands out level from the world.
static tn_joint_id drive_make(tn_world *world, driven_value value, double x,
                              const driven_actors *actors) {
    const tn_vec3 along = {1.0, 0.0, 0.0}, across = {0.0, 0.0, 1.0}, up = {0.0, 1.0, 0.0};
    bool is_across = driven_is_angle(value) || value == DRIVEN_PLANAR_Y || value == DRIVEN_PLANAR_Z;
    tn_body_id body = body_make(world, x + 0.5, 0.0, 0.0, 2.0, 0.3);
    tn_joint_def base = tn_joint_def_default();
    set_frames(world, &base, world_body, body, (tn_vec3){x, 0.0, 0.0},
               value == DRIVEN_STEERING ? up
               : is_across              ? across
                                        : along);
    return driven_make(world, value, base, actors);
}

typedef struct drive_motion {
    double values[WAYS_STEPS], efforts[WAYS_STEPS];
} drive_motion;

static void drive_run(const joint_way *way, driven_value value, const driven_actors *actors,
                      drive_motion *motion) {
    tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
    cr_assert(tn_world_set_solver(world, way->solver) == TN_RESULT_OK);
    tn_joint_id joint = {0};
    for (uint32_t i = 0; i < way->copies; ++i) {
        joint = drive_make(world, value, WAYS_APART * (i + 1 - way->copies), actors);
        cr_assert(joint.value != 0);
    }
    for (int s = 0; s < WAYS_STEPS; ++s) {
        run(world, 1.0 / WAYS_HZ, WAYS_HZ, 4);
        motion->values[s] = driven_get(world, value, joint);
        motion->efforts[s] = driven_get_effort(world, value, joint);
    }
    tn_world_destroy(world);
}

typedef struct drive_case {
    const char *name;
    driven_actors actors; // about the start
} drive_case;

static const drive_case drives[] = {
    {"limit", {.limit = {.is_enabled = true, .lower = -0.05f, .upper = 0.05f}}},
    {"motor", {.motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 0.5f, .max_force = 1000.0f}}},
    {"weak motor",
     {.motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 2.0f, .max_force = 3.0f}}},
    {"motor to a limit",
     {.limit = {.is_enabled = true, .lower = -0.05f, .upper = 0.05f},
      .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = 200.0f}}},
};

// m or rad: half a substep of a motor's speed, by which exact stages are ahead.
#define DRIVES_NEAR 1e-3
// Of 1 N or N·m and the effort: measured 5e-4.
#define DRIVES_EFFORT 2e-3

#define DRIVES ((int)(sizeof drives / sizeof drives[0]))

// Mean of the last twentieth of a second: at a limit one way may stop a motor a step before
// another.
static double list_get_last(const double list[WAYS_STEPS]) {
    double sum = 0.0;
    for (int s = WAYS_STEPS - WAYS_LAST; s < WAYS_STEPS; ++s) {
        sum += list[s] / WAYS_LAST;
    }
    return sum;
}

static void drive_check(const drive_motion *motion, const drive_motion *right, driven_value value,
                        const drive_case *drive, const joint_way *way) {
    double off = list_get_difference(motion->values, right->values);
    double due = list_get_last(right->efforts), effort = list_get_last(motion->efforts);
    cr_assert(off < DRIVES_NEAR, "%s, %s, %s: %g off", driven_names[value], drive->name, way->name,
              off);
    cr_assert(fabs(effort - due) < DRIVES_EFFORT * (1.0 + fabs(due)), "%s, %s, %s: %g of %g",
              driven_names[value], drive->name, way->name, effort, due);
}

LONG_TEST(joint_ways, every_motor_and_limit_acts_the_same) {
    static drive_motion right, motion;
    for (int v = 0; v < DRIVEN_VALUES; ++v) {
        driven_value value = (driven_value)v;
        for (int d = 0; d < DRIVES; ++d) {
            driven_actors actors = drives[d].actors;
            if (actors.limit.is_enabled) {
                actors.limit.lower += (float)driven_get_start(value);
                actors.limit.upper += (float)driven_get_start(value);
            }
            drive_run(&ways[0], value, &actors, &right);
            for (int w = 1; w < WAYS; ++w) {
                drive_run(&ways[w], value, &actors, &motion);
                drive_check(&motion, &right, value, &drives[d], &ways[w]);
            }
        }
    }
}

// ---- breaking ---------------------------------------------------------------------------------

// A weight under the point that it hangs at; a rod reaches down to it.
static tn_joint_id weight_hang(tn_world *world, tn_joint_type type, double x) {
    const tn_vec3 down = {0.0, -1.0, 0.0};
    tn_body_id body = body_make(world, x, -1.0, 0.0, WEIGHT_MASS, 0.1);
    tn_joint_id joint = joint_make(world, type, world_body, body, (tn_vec3){x, 0.0, 0.0},
                                   type == TN_JOINT_TYPE_DISTANCE ? down : carrying_axis(type));
    cr_assert(joint.value != 0);
    return joint;
}

static uint32_t weights_break_above(tn_world *world, const tn_joint_id *joints, uint32_t count,
                                    double share) {
    uint32_t broken = 0;
    for (uint32_t i = 0; i < count; ++i) {
        float most = (float)(share * 9.81 * WEIGHT_MASS);
        cr_assert(tn_joint_set_break_force(world, joints[i], most, INFINITY) == TN_RESULT_OK);
    }
    run(world, 3.0 / WAYS_HZ, WAYS_HZ, 4);
    for (uint32_t i = 0; i < count; ++i) {
        broken += tn_joint_is_valid(world, joints[i]) ? 0 : 1;
    }
    return broken;
}

LONG_TEST(joint_ways, every_kind_breaks_above_its_force_and_not_below) {
    static tn_joint_id joints[WAYS_MOST];
    for (int type = 0; type < JOINT_TYPES; ++type) {
        for (int w = 0; w < WAYS; ++w) {
            tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
            cr_assert(tn_world_set_solver(world, ways[w].solver) == TN_RESULT_OK);
            for (uint32_t i = 0; i < ways[w].copies; ++i) {
                joints[i] = weight_hang(world, (tn_joint_type)type, WAYS_APART * i);
            }
            run(world, 0.25, WAYS_HZ, 4);
            uint32_t below = weights_break_above(world, joints, ways[w].copies, 1.01);
            cr_assert(below == 0, "type %d, %s: %u broke", type, ways[w].name, below);
            uint32_t above = weights_break_above(world, joints, ways[w].copies, 0.99);
            cr_assert(above == ways[w].copies, "type %d, %s: %u of %u broke", type, ways[w].name,
                      above, ways[w].copies);
            tn_world_destroy(world);
        }
    }
}
