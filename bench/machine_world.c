// bench/machine_world.c: random machines.
//
// Each new body hangs by a joint on one of those that are there, with a common anchor near the
// surface of each. What closes a loop ties two bodies at a point between them. At the start all
// joints are closed, all values are zero and inside their limits, and the machine is at rest or
// turns as a whole: no error is built in.
#include "bench/machine_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const machine_words[] = {"hung", "loops", "limits", "motors", "floor"};
#define MACHINE_WORDS 5

// ---- numbers ----------------------------------------------------------------------------------

typedef struct machine_random {
    uint64_t state;
} machine_random;

static machine_random random_start(uint64_t seed) {
    machine_random random = {seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u};
    return random;
}

static double random_share(machine_random *random) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random->state >> 11) / 9007199254740992.0;
}

static double random_even(machine_random *random, double lower, double upper) {
    return lower + (upper - lower) * random_share(random);
}

// Even on a logarithmic scale.
static double random_between(machine_random *random, double lower, double upper) {
    return lower * pow(upper / lower, random_share(random));
}

static bool random_is(machine_random *random, double chance) {
    return random_share(random) < chance;
}

static uint32_t random_below(machine_random *random, uint32_t count) {
    return (uint32_t)(count * random_share(random));
}

static tn_vec3 random_direction(machine_random *random) {
    for (;;) {
        tn_vec3 v = {random_even(random, -1.0, 1.0), random_even(random, -1.0, 1.0),
                     random_even(random, -1.0, 1.0)};
        double length = quality_length(v);
        if (length > 0.1 && length < 1.0) {
            return quality_add((tn_vec3){0}, 1.0 / length, v);
        }
    }
}

// ---- kinds ------------------------------------------------------------------------------------

uint32_t machine_pick_kind(uint64_t seed) {
    machine_random random = random_start(~seed);
    random_share(&random);
    return random_below(&random, MACHINE_KIND_COUNT);
}

const char *machine_kind_name(uint32_t kind) {
    static char text[64];
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < MACHINE_WORDS; i++) {
        if (kind >> i & 1) {
            int written = snprintf(text + length, sizeof text - length, "%s%s",
                                   length == 0 ? "" : "+", machine_words[i]);
            length += (size_t)written;
        }
    }
    return text[0] == '\0' ? "tree" : text;
}

uint32_t machine_read_kind(const char *name) {
    uint32_t kind = 0;
    if (strcmp(name, "tree") == 0) {
        return kind;
    }
    for (;;) {
        size_t length = strcspn(name, "+");
        uint32_t word = 0;
        while (word < MACHINE_WORDS && (strlen(machine_words[word]) != length ||
                                        strncmp(machine_words[word], name, length) != 0)) {
            word++;
        }
        if (word == MACHINE_WORDS) {
            return MACHINE_KIND_COUNT;
        }
        kind |= 1u << word;
        if (name[length] == '\0') {
            return kind;
        }
        name += length + 1;
    }
}

// ---- bodies -----------------------------------------------------------------------------------

typedef struct machine_maker {
    machine made;
    machine_random random;
    tn_shape_def material;
    double least_mass, most_mass;     // kg
    tn_body_def defs[MACHINE_BODIES]; // as they are before the machine is lifted and turned
    quality_shape shapes[MACHINE_BODIES];
    double masses[MACHINE_BODIES];
} machine_maker;

static double maker_get_volume(const quality_shape *shape) {
    tn_vec3 half = shape->half;
    switch (shape->kind) {
    case QUALITY_BALL:
        return 4.0 / 3.0 * QUALITY_PI * half.x * half.x * half.x;
    case QUALITY_CAPSULE:
        return QUALITY_PI * half.x * half.x * (2.0 * half.y + 4.0 / 3.0 * half.x);
    case QUALITY_BOX:
        return 8.0 * half.x * half.y * half.z;
    default:
        return 16.0 * tan(QUALITY_PI / 8.0) * half.x * half.x * half.y;
    }
}

// The body's shape, turn and mass; it lies against its parent along a random direction.
static void maker_add_body(machine_maker *maker, uint32_t index, uint32_t parent) {
    machine_random *random = &maker->random;
    quality_shape *shape = &maker->shapes[index];
    shape->kind = random_is(random, 0.4) ? QUALITY_BOX : (quality_kind)random_below(random, 4);
    double size = random_between(random, 0.1, 0.5);
    shape->half.x = size * random_between(random, 0.2, 1.0);
    shape->half.y = size * random_between(random, 0.2, 1.0);
    shape->half.z = size * random_between(random, 0.2, 1.0);
    maker->masses[index] = random_between(random, maker->least_mass, maker->most_mass);
    tn_body_def *def = &maker->defs[index];
    *def = tn_body_def_default();
    quality_body_turn(def, random_direction(random), random_even(random, 0.0, 3.0));
    if (index > 0) {
        const tn_body_def *other = &maker->defs[parent];
        tn_vec3 along = random_direction(random);
        double apart =
            quality_shape_get_reach(&maker->shapes[parent], other->pose.rotation, along) +
            quality_shape_get_reach(shape, def->pose.rotation,
                                    quality_add((tn_vec3){0}, -1.0, along)) +
            random_even(random, 0.0, 0.1);
        def->pose.position.x = other->pose.position.x + apart * along.x;
        def->pose.position.y = other->pose.position.y + apart * along.y;
        def->pose.position.z = other->pose.position.z + apart * along.z;
    }
}

// Lifts the machine above the floor, and lets one that is free turn as a whole.
static void maker_place(machine_maker *maker) {
    machine_random *random = &maker->random;
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < maker->made.body_count; i++) {
        tn_vec3 down = {0.0, -1.0, 0.0};
        const tn_pose *pose = &maker->defs[i].pose;
        lowest = fmin(lowest, pose->position.y -
                                  quality_shape_get_reach(&maker->shapes[i], pose->rotation, down));
    }
    double rise = random_between(random, 0.1, 3.0) - lowest;
    tn_vec3 spin =
        quality_add((tn_vec3){0}, random_even(random, 0.0, 6.0), random_direction(random));
    for (uint32_t i = 0; i < maker->made.body_count; i++) {
        tn_body_def *def = &maker->defs[i];
        if (!(maker->made.kind & MACHINE_HUNG)) {
            tn_vec3 at = def->pose.position;
            def->velocity.angular = spin;
            def->velocity.linear = quality_cross(spin, quality_vector(at.x, at.y, at.z));
        }
        def->pose.position.y += rise;
        maker->material.density = (float)(maker->masses[i] / maker_get_volume(&maker->shapes[i]));
        maker->made.bodies[i] =
            quality_body_create(maker->made.world, def, &maker->material, &maker->shapes[i]);
    }
}

// ---- joints -----------------------------------------------------------------------------------

// What limits and motors of a joint are measured by.
typedef struct machine_scale {
    double force;  // N: some share or multiple of the lighter body's weight
    double length; // m
} machine_scale;

static void maker_add_limit(machine_maker *maker, tn_limit *limit, double range) {
    machine_random *random = &maker->random;
    if (!(maker->made.kind & MACHINE_LIMITS) || !random_is(random, 0.8)) {
        return;
    }
    limit->is_enabled = true;
    limit->lower = (float)(random_is(random, 0.1) ? 0.0 : -range * random_share(random));
    limit->upper = (float)(random_is(random, 0.1) ? 0.0 : range * random_share(random));
    limit->restitution = random_is(random, 0.2) ? (float)random_share(random) : 0.0f;
}

// Forces of motors are N, or N·m where the value is an angle.
static void maker_add_motor(machine_maker *maker, tn_motor *motor, double range, double force) {
    machine_random *random = &maker->random;
    if (!(maker->made.kind & MACHINE_MOTORS) || !random_is(random, 0.4)) {
        return;
    }
    motor->max_force = (float)(force * random_between(random, 0.1, 30.0));
    if (random_is(random, 0.5)) {
        motor->mode = TN_MOTOR_MODE_SPEED;
        motor->target_speed = (float)(range * random_even(random, -5.0, 5.0));
    } else {
        motor->mode = TN_MOTOR_MODE_POSITION;
        motor->target_position = (float)(range * random_even(random, -1.0, 1.0));
        motor->stiffness = (float)(force / range * random_between(random, 0.3, 30.0));
        motor->damping = motor->stiffness * (float)random_between(random, 0.01, 1.0);
    }
}

static void maker_add_angle(machine_maker *maker, tn_limit *limit, tn_motor *motor,
                            machine_scale scale) {
    maker_add_limit(maker, limit, 1.5);
    maker_add_motor(maker, motor, 1.0, scale.force * scale.length);
}

static void maker_add_slide(machine_maker *maker, tn_limit *limit, tn_motor *motor,
                            machine_scale scale) {
    maker_add_limit(maker, limit, 0.5);
    maker_add_motor(maker, motor, 0.3, scale.force);
}

// What slides always has a range, of 5 cm each way at least.
static void maker_bound_slide(tn_limit *limit) {
    limit->is_enabled = true;
    limit->lower = fminf(limit->lower, -0.05f);
    limit->upper = fmaxf(limit->upper, 0.05f);
}

static tn_joint_id maker_create_distance(machine_maker *maker, const tn_joint_def *base,
                                         bool is_rope) {
    machine_random *random = &maker->random;
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = base->body_a;
    def.base.body_b = base->body_b;
    // From a's middle to b's: its length is that of now, a rope's a little more.
    tn_vec3 from = {0}, to = tn_body_get_center(maker->made.world, base->body_b);
    if (tn_body_is_valid(maker->made.world, base->body_a)) {
        from = tn_body_get_center(maker->made.world, base->body_a);
    } else {
        from = base->frame_a.position;
        from.y += 0.3;
        def.base.frame_a.position = from;
    }
    double length = quality_length(quality_between(from, to));
    def.length = (float)length;
    if (is_rope) {
        def.is_rigid = false;
        def.limit.is_enabled = true;
        def.limit.upper = (float)(length * random_even(random, 1.0, 1.5));
    }
    return tn_distance_joint_create(maker->made.world, &def);
}

static void maker_add_joint(machine_maker *maker, tn_body_id a, tn_body_id b, tn_vec3 anchor,
                            machine_scale scale) {
    machine_random *random = &maker->random;
    tn_world *world = maker->made.world;
    tn_joint_def base = tn_joint_def_default();
    tn_joint_def_set_frames(world, &base, a, b, anchor, random_direction(random));
    tn_joint_id joint = {0};
    bool has_limits = (maker->made.kind & MACHINE_LIMITS) != 0;
    uint32_t pick = random_below(random, 10);
    if (!has_limits && (pick == 5 || pick == 7)) {
        pick = 6; // what slides without an end may rightly go anywhere
    }
    switch (pick) {
    case 0:
    case 1:
    case 2: {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.base = base;
        maker_add_angle(maker, &def.limit, &def.motor, scale);
        joint = tn_hinge_joint_create(world, &def);
        break;
    }
    case 3:
    case 4: {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base = base;
        if (has_limits && random_is(random, 0.7)) {
            def.cone_limit.is_enabled = true;
            def.cone_limit.upper = (float)random_even(random, 0.1, 1.5);
        }
        maker_add_limit(maker, &def.twist_limit, 1.5);
        joint = tn_ball_joint_create(world, &def);
        break;
    }
    case 5: {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.base = base;
        maker_add_slide(maker, &def.limit, &def.motor, scale);
        maker_bound_slide(&def.limit);
        joint = tn_slider_joint_create(world, &def);
        break;
    }
    case 6: {
        tn_universal_joint_def def = tn_universal_joint_def_default();
        def.base = base;
        maker_add_angle(maker, &def.first.limit, &def.first.motor, scale);
        maker_add_angle(maker, &def.second.limit, &def.second.motor, scale);
        joint = tn_universal_joint_create(world, &def);
        break;
    }
    case 7: {
        tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
        def.base = base;
        maker_add_slide(maker, &def.slide.limit, &def.slide.motor, scale);
        maker_bound_slide(&def.slide.limit);
        maker_add_angle(maker, &def.turn.limit, &def.turn.motor, scale);
        joint = tn_cylindrical_joint_create(world, &def);
        break;
    }
    case 8: {
        tn_fixed_joint_def def = tn_fixed_joint_def_default();
        def.base = base;
        joint = tn_fixed_joint_create(world, &def);
        break;
    }
    default:
        joint = maker_create_distance(maker, &base, has_limits && random_is(random, 0.6));
    }
    maker->made.joints[maker->made.joint_count++] = joint;
}

static machine_scale maker_get_scale(const machine_maker *maker, uint32_t a, uint32_t b) {
    double mass = fmin(maker->masses[a], maker->masses[b]);
    machine_scale scale = {mass * QUALITY_GRAVITY, 0.3};
    return scale;
}

// The point between the middles of two bodies.
static tn_vec3 maker_get_anchor(const machine_maker *maker, uint32_t a, uint32_t b) {
    tn_vec3 from = tn_body_get_center(maker->made.world, maker->made.bodies[a]);
    tn_vec3 to = tn_body_get_center(maker->made.world, maker->made.bodies[b]);
    tn_vec3 middle = {0.5 * (from.x + to.x), 0.5 * (from.y + to.y), 0.5 * (from.z + to.z)};
    return middle;
}

static void maker_add_loops(machine_maker *maker) {
    machine_random *random = &maker->random;
    if (!(maker->made.kind & MACHINE_LOOPS)) {
        return;
    }
    uint32_t count = 1 + random_below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = random_below(random, maker->made.body_count);
        uint32_t b = random_below(random, maker->made.body_count);
        if (a != b) {
            maker_add_joint(maker, maker->made.bodies[a], maker->made.bodies[b],
                            maker_get_anchor(maker, a, b), maker_get_scale(maker, a, b));
        }
    }
}

machine machine_create(uint64_t seed, uint32_t kind, tn_solver solver) {
    machine_maker maker = {.random = random_start(seed), .material = tn_shape_def_default()};
    machine_random *random = &maker.random;
    random_share(random);
    maker.made.kind = kind;
    maker.made.body_count = 2 + random_below(random, MACHINE_BODIES - 1);
    // Half of the machines are of like masses, the others of any.
    bool is_wide = random_is(random, 0.5);
    maker.least_mass = is_wide ? 1e-3 : random_between(random, 1e-3, 100.0);
    maker.most_mass = is_wide ? 1e3 : 10.0 * maker.least_mass;
    maker.material.material.friction = (float)random_even(random, 0.0, 1.0);
    maker.material.material.restitution = random_is(random, 0.2) ? 0.4f : 0.0f;
    maker.material.filter.group = -1; // nothing of a machine touches another part of it

    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.has_energy_ledger = true;
    if (!(kind & (MACHINE_HUNG | MACHINE_FLOOR))) {
        def.gravity = (tn_vec3){0};
    }
    maker.made.world = tn_world_create(&def, NULL);
    uint32_t parents[MACHINE_BODIES] = {0};
    for (uint32_t i = 0; i < maker.made.body_count; i++) {
        parents[i] = i == 0 ? 0 : random_below(random, i);
        maker_add_body(&maker, i, parents[i]);
    }
    maker_place(&maker);
    if (kind & MACHINE_FLOOR) {
        tn_shape_def ground = quality_material((double)maker.material.material.friction);
        quality_plane_create(maker.made.world, &ground, 0.0);
    }
    if (kind & MACHINE_HUNG) {
        tn_vec3 top = tn_body_get_center(maker.made.world, maker.made.bodies[0]);
        top.x += random_even(random, 0.0, 0.5);
        maker_add_joint(&maker, (tn_body_id){0}, maker.made.bodies[0], top,
                        maker_get_scale(&maker, 0, 0));
    }
    for (uint32_t i = 1; i < maker.made.body_count; i++) {
        maker_add_joint(&maker, maker.made.bodies[parents[i]], maker.made.bodies[i],
                        maker_get_anchor(&maker, parents[i], i),
                        maker_get_scale(&maker, parents[i], i));
    }
    maker_add_loops(&maker);
    return maker.made;
}
