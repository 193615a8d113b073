// bench/contact_turn.c: geometry that turns or curves within a step: turntables, a bowl, impacts of
// turning bodies.
#include "bench/contact_families.h"
#include "bench/quality_world.h"
#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A body on a turntable stays where it stands: its distance from the axis is kept.
typedef struct turn_table {
    const char *name;
    quality_kind kind;
    double hz, speed, tilt, friction;
    uint32_t substeps;
    bool is_driven; // a dynamic table on a hinge with a motor; else kinematic
    bool has_crowd; // 800 boxes stand beside it
} turn_table;

#define TURN_RADIUS 1.5 // m from the axis
#define TURN_ASIDE  2e-3

static void turn_add_crowd(tn_world *world) {
    tn_shape_def material = quality_material(0.6);
    quality_plane_create(world, &material, -2.0);
    quality_shape box = {QUALITY_BOX, {0.25, 0.25, 0.25}};
    for (int i = 0; i < 800; i++) {
        tn_body_def def =
            quality_body_at(10.0 + i % 20, -1.75 + 0.5 * (i / 400), -10.0 + i / 20 % 20);
        quality_body_create(world, &def, &material, &box);
    }
}

static tn_body_id turn_add_table(tn_world *world, const turn_table *item, tn_vec3 axis) {
    tn_body_def def = quality_body_at(-0.1 * axis.x, -0.1 * axis.y, -0.1 * axis.z);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), item->tilt);
    def.type = item->is_driven ? TN_BODY_TYPE_DYNAMIC : TN_BODY_TYPE_KINEMATIC;
    tn_vec3 zero = {0};
    def.velocity.angular = quality_add(zero, item->speed, axis);
    tn_shape_def material = quality_material(item->friction);
    quality_shape shape = {QUALITY_BOX, {3.0, 0.1, 3.0}};
    tn_body_id table = quality_body_create(world, &def, &material, &shape);
    if (item->is_driven) {
        tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
        tn_body_id ground = {0};
        tn_joint_def_set_frames(world, &hinge.base, ground, table, def.pose.position, axis);
        hinge.motor.mode = TN_MOTOR_MODE_SPEED;
        hinge.motor.target_speed = (float)item->speed;
        tn_hinge_joint_create(world, &hinge);
    }
    return table;
}

static void turn_run_table(quality *report, const turn_table *item) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_vec3 axis = {-sin(item->tilt), cos(item->tilt), 0.0};
    tn_vec3 out = {cos(item->tilt), sin(item->tilt), 0.0};
    turn_add_table(world, item, axis);
    tn_shape_def material = quality_material(item->friction);
    tn_vec3 place = quality_add(quality_add((tn_vec3){0}, TURN_RADIUS, out), 0.15, axis);
    tn_body_def def = quality_body_at(place.x, place.y, place.z);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), item->tilt);
    def.velocity.angular = quality_add((tn_vec3){0}, item->speed, axis);
    def.velocity.linear = quality_cross(def.velocity.angular, place);
    quality_shape shape = quality_shape_of(item->kind, 0.15);
    tn_body_id body = quality_body_create(world, &def, &material, &shape);
    if (item->has_crowd) {
        turn_add_crowd(world);
    }
    quality_world_run(world, 10.0, item->hz, item->substeps);
    tn_vec3 origin = {0};
    tn_vec3 end = quality_between(origin, tn_body_get_center(world, body));
    double distance = quality_length(quality_add(end, -quality_dot(end, axis), axis));
    double off = fabs(distance - TURN_RADIUS);
    quality_report(report, off < TURN_ASIDE, off, "%s: %.4f m from the axis for 1.5", item->name,
                   distance);
    tn_world_destroy(world);
}

// 2 rad/s asks for 6 m/s^2, which friction 0.6 does not give.
void contact_turn_run_table(quality *report) {
    static const turn_table tables[] = {
        {"60 x 4", QUALITY_BOX, 60.0, 1.0, 0.0, 0.6, 4, false, false},
        {"60 x 1", QUALITY_BOX, 60.0, 1.0, 0.0, 0.6, 1, false, false},
        {"240 x 4", QUALITY_BOX, 240.0, 1.0, 0.0, 0.6, 4, false, false},
        {"2 rad/s", QUALITY_BOX, 60.0, 2.0, 0.0, 1.0, 4, false, false},
        {"hull", QUALITY_HULL, 60.0, 1.0, 0.0, 0.6, 4, false, false},
        {"tilted by 0.1 rad", QUALITY_BOX, 60.0, 1.0, 0.1, 0.6, 4, false, false},
        {"on a motor", QUALITY_BOX, 60.0, 1.0, 0.0, 0.6, 4, true, false},
        {"tilted, on a motor", QUALITY_BOX, 60.0, 1.0, 0.1, 0.6, 4, true, false},
        {"800 boxes beside", QUALITY_BOX, 60.0, 1.0, 0.0, 0.6, 4, false, true},
        {"hull, 800 beside", QUALITY_HULL, 60.0, 1.0, 0.0, 0.6, 4, false, true},
    };
    for (uint32_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        turn_run_table(report, &tables[i]);
    }
}

// A ball that rolls on a turntable without slip: dv/dt = 2/7 W x v, so it runs a circle in the
// world at 2/7 of the table's speed (J. A. Burns, "Ball rolling on a turntable", Am. J. Phys. 49,
// 1981).
static void turn_run_table_ball(quality *report, double speed, double hz, uint32_t substeps,
                                bool has_crowd) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    turn_table table = {.speed = 1.0, .friction = 0.6};
    turn_add_table(world, &table, quality_vector(0.0, 1.0, 0.0));
    if (has_crowd) {
        turn_add_crowd(world);
    }
    double radius = 0.15, distance = 0.8;
    tn_body_def def = quality_body_at(distance, radius, 0.0);
    def.velocity.linear = quality_vector(speed, 0.0, 0.0);
    // Spin w with v + w x (-r up) = W x p, so w = up x (v - W x p) / r.
    tn_vec3 up = {0.0, 1.0, 0.0};
    tn_vec3 slip = quality_subtract(def.velocity.linear,
                                    quality_cross(up, quality_vector(distance, 0.0, 0.0)));
    def.velocity.angular = quality_add((tn_vec3){0}, 1.0 / radius, quality_cross(up, slip));
    tn_shape_def material = quality_material(0.6);
    quality_shape ball = {QUALITY_BALL, {radius, radius, radius}};
    tn_body_id body = quality_body_create(world, &def, &material, &ball);
    double worst = 0.0, rate = 2.0 / 7.0;
    uint32_t steps = quality_count_steps(10.0, hz);
    for (uint32_t i = 1; i <= steps; i++) {
        tn_world_step(world, 1.0 / hz, substeps);
        double turn = rate * i / hz; // about up: x goes to -z
        double x = distance + speed / rate * sin(turn);
        double z = -speed / rate * (1.0 - cos(turn));
        tn_vec3 place = tn_body_get_center(world, body);
        worst = fmax(worst, hypot(place.x - x, place.z - z));
    }
    quality_report(report, worst < 0.01, worst, "%g m/s, %g Hz x %u%s", speed, hz, substeps,
                   has_crowd ? ", 800 boxes beside" : "");
    tn_world_destroy(world);
}

void contact_turn_run_table_ball(quality *report) {
    turn_run_table_ball(report, 0.3, 60.0, 4, false);
    turn_run_table_ball(report, -0.3, 60.0, 4, false);
    turn_run_table_ball(report, 0.3, 60.0, 1, false);
    turn_run_table_ball(report, 0.3, 240.0, 4, false);
    turn_run_table_ball(report, 0.3, 60.0, 4, true);
}

// The scene `bowl`: the height of its ball at the end is 0.381 m (at 1920 Hz).
void contact_turn_run_bowl(quality *report) {
    static const double rates[] = {60.0, 120.0, 240.0};
    for (uint32_t i = 0; i < 3; i++) {
        scene_run *run = scene_run_create(scene_find("bowl"), NULL, NULL);
        if (run == NULL) {
            quality_report(report, false, NAN, "no such scene");
            continue;
        }
        uint32_t steps = quality_count_steps(run->scene->time, rates[i]);
        for (uint32_t k = 0; k < steps; k++) {
            scene_run_step(run, 1.0 / rates[i], 4);
        }
        scene_run_measure(run);
        double height = NAN;
        for (uint32_t k = 0; k < run->figure_count; k++) {
            if (strcmp(run->figures[k].name, "height_end_m") == 0) {
                height = run->figures[k].value;
            }
        }
        double off = fabs(height - 0.381);
        quality_report(report, off < 0.02, off, "%g Hz: height %.3f m for 0.381", rates[i], height);
        scene_run_destroy(run);
    }
}

// A ball in flight and over its impacts on the plane y = 0, in closed form. Slip u = vx + w r; an
// impact gives (1 + e) m |vy| upward, and along the plane -2/7 m u, if friction gives as much.
typedef struct turn_ball {
    double x, y, vx, vy, w; // y: of the lowest point
    double radius, restitution, friction;
} turn_ball;

static void turn_ball_advance(turn_ball *ball, double dt) {
    while (dt > 0.0) {
        double root = sqrt(ball->vy * ball->vy + 2.0 * QUALITY_GRAVITY * ball->y);
        double until = (ball->vy + root) / QUALITY_GRAVITY;
        double t = fmin(dt, until);
        ball->x += ball->vx * t;
        ball->y += ball->vy * t - 0.5 * QUALITY_GRAVITY * t * t;
        ball->vy -= QUALITY_GRAVITY * t;
        dt -= t;
        if (t == until) {
            ball->y = 0.0;
            double push = (1.0 + ball->restitution) * -ball->vy;
            double most = ball->friction * push;
            double slip = ball->vx + ball->w * ball->radius;
            double drag = fmax(-most, fmin(most, -2.0 / 7.0 * slip));
            ball->vx += drag;
            ball->w += drag * 2.5 / ball->radius;
            ball->vy *= -ball->restitution;
        }
    }
}

static void turn_run_spinning_ball(quality *report, turn_ball ball, bool is_plane, double hz) {
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_restitution_threshold(world, 0.0f);
    tn_shape_def material = quality_material(ball.friction);
    material.material.restitution = (float)ball.restitution;
    if (is_plane) {
        quality_plane_create(world, &material, 0.0);
    } else {
        tn_vec3 lower = {-20.0, -2.0, -20.0}, upper = {20.0, 0.0, 20.0};
        quality_block_create(world, &material, lower, upper);
    }
    tn_body_def def = quality_body_at(0.0, ball.y + ball.radius, 0.0);
    def.velocity.linear = quality_vector(ball.vx, ball.vy, 0.0);
    def.velocity.angular.z = ball.w;
    quality_shape shape = {QUALITY_BALL, {ball.radius, 0.0, 0.0}};
    tn_body_id body = quality_body_create(world, &def, &material, &shape);
    turn_ball start = ball;
    double sum = 0.0;
    uint32_t steps = quality_count_steps(1.75, hz); // three bounces
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / hz, 4);
        turn_ball_advance(&ball, 1.0 / hz);
        tn_vec3 place = tn_body_get_center(world, body);
        double off = hypot(place.x - ball.x, place.y - ball.y - ball.radius);
        sum += off * off;
    }
    double rms = sqrt(sum / steps);
    double spin = fabs(tn_body_get_velocity(world, body).angular.z - ball.w);
    quality_report(report, rms < 2e-3 && spin < 0.05, rms,
                   "%g m/s, %g rad/s, friction %g, on a %s, %g Hz: spin %.2g rad/s off", start.vx,
                   start.w, start.friction, is_plane ? "plane" : "block", hz, spin);
    tn_world_destroy(world);
}

void contact_turn_run_spinning_ball(quality *report) {
    for (uint32_t i = 0; i < 24; i++) {
        turn_ball ball = {.y = 1.0,
                          .vx = i & 1 ? 3.0 : 0.0,
                          .w = i & 2 ? 60.0 : 15.0,
                          .radius = 0.1,
                          .restitution = 0.7,
                          .friction = i & 4 ? 0.6 : 0.2};
        turn_run_spinning_ball(report, ball, (i & 8) == 0, i < 16 ? 60.0 : 240.0);
    }
}

// A bar without friction in flight and over its impacts on the plane y = 0. At each the lowest
// corner, rx beside its middle, gets (1 + e) times the impulse that stops it:
// -(1 + e) (vy + w rx) / (1/m + rx^2 / I).
typedef struct turn_bar {
    double y, vy, angle, w;
    double half_length, half_height, restitution; // of a capsule: of its axis, and its radius
    bool is_capsule;
} turn_bar;

// The height of the lowest corner, or end of a capsule, and how far beside the middle it is.
static double turn_bar_get_lowest(const turn_bar *bar, double *out_beside) {
    double lowest = 1e9, radius = bar->is_capsule ? bar->half_height : 0.0;
    for (int i = 0; i < 4; i++) {
        double x = i & 1 ? bar->half_length : -bar->half_length;
        double y = i & 2 ? bar->half_height : -bar->half_height;
        y = bar->is_capsule ? 0.0 : y;
        double height = bar->y + x * sin(bar->angle) + y * cos(bar->angle) - radius;
        if (height < lowest) {
            lowest = height;
            *out_beside = x * cos(bar->angle) - y * sin(bar->angle);
        }
    }
    return lowest;
}

// About its middle, across its length, per kg. A capsule is a cylinder and two half balls, whose
// centers of mass lie 3/8 of the radius beyond its ends.
static double turn_bar_get_inertia(const turn_bar *bar) {
    double l = bar->half_length, r = bar->half_height;
    if (!bar->is_capsule) {
        return (l * l + r * r) / 3.0;
    }
    double rod = 2.0 * l, caps = 4.0 / 3.0 * r; // volumes over pi r^2
    double of_rod = l * l / 3.0 + 0.25 * r * r;
    double of_caps = 0.4 * r * r + l * l + 0.75 * l * r;
    return (rod * of_rod + caps * of_caps) / (rod + caps);
}

// Moves the bar on; true when a corner struck in this time, which is meant to be short.
static bool turn_bar_advance(turn_bar *bar, double dt) {
    bar->y += bar->vy * dt - 0.5 * QUALITY_GRAVITY * dt * dt;
    bar->vy -= QUALITY_GRAVITY * dt;
    bar->angle += bar->w * dt;
    double beside = 0.0;
    double lowest = turn_bar_get_lowest(bar, &beside);
    double speed = bar->vy + bar->w * beside;
    if (lowest > 0.0 || speed >= 0.0) {
        return false;
    }
    double inertia = turn_bar_get_inertia(bar);
    double push = -(1.0 + bar->restitution) * speed / (1.0 + beside * beside / inertia);
    bar->vy += push;
    bar->w += push * beside / inertia;
    return true;
}

// s, steps of the integration: of the few bars, and of the many.
#define TURN_BAR_FINE  1e-6
#define TURN_BARS_FINE 1e-5

typedef enum turn_floor {
    TURN_PLANE,
    TURN_BLOCK,
    TURN_TILES
} turn_floor;

// With `is_planar` locks keep it in its plane. Without them the two corners of the edge that
// strikes must get equal shares, or it tumbles.
typedef struct turn_fall {
    turn_bar bar;
    double hz, fine; // fine: s, steps of the integration
    uint32_t substeps;
    quality_kind kind; // not a ball
    turn_floor floor;
    bool is_planar;
    double times[3]; // of its strikes, s
    double fastest;  // rad/s, until it is compared for the last time
} turn_fall;

static void turn_create_floor(tn_world *world, const tn_shape_def *material, turn_floor kind) {
    tn_vec3 lower = {-5.0, -1.0, -5.0}, upper = {5.0, 0.0, 5.0};
    quality_floor tiles = {{0.013, 0.0, 0.0}, -3.0, 3.0, 0.37, false, *material};
    if (kind == TURN_PLANE) {
        quality_plane_create(world, material, 0.0);
    } else if (kind == TURN_BLOCK) {
        quality_block_create(world, material, lower, upper);
    } else {
        quality_floor_create(world, &tiles);
    }
}

// Along x, thin across, so that it turns about its axis of largest inertia.
static tn_body_id turn_create_bar(tn_world *world, tn_body_def *def, const tn_shape_def *material,
                                  const turn_fall *fall) {
    const turn_bar *bar = &fall->bar;
    quality_shape shape = {fall->kind, {bar->half_length, bar->half_height, 0.03}};
    if (fall->kind == QUALITY_CAPSULE) {
        quality_body_turn(def, quality_vector(0.0, 0.0, 1.0), -0.5 * QUALITY_PI);
        shape.half = quality_vector(bar->half_height, bar->half_length, 0.0);
    }
    if (fall->kind != QUALITY_HULL) {
        return quality_body_create(world, def, material, &shape);
    }
    tn_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i].x = (i & 1 ? shape.half.x : -shape.half.x);
        corners[i].y = (i & 2 ? shape.half.y : -shape.half.y);
        corners[i].z = (i & 4 ? shape.half.z : -shape.half.z);
    }
    tn_body_id body = tn_body_create(world, def);
    quality_hull_shape_create(world, body, material, corners, 8);
    return body;
}

// When its strikes come. Returns until when it is compared.
static double turn_foresee(turn_fall *fall) {
    turn_bar ahead = fall->bar;
    int strikes = 0;
    fall->times[0] = fall->times[1] = fall->times[2] = 9.0;
    fall->fastest = fabs(ahead.w);
    double until = 9.0;
    for (int i = 0; i * fall->fine < fmin(until, 2.0); i++) {
        if (turn_bar_advance(&ahead, fall->fine) && strikes < 3) {
            fall->times[strikes++] = (i + 1) * fall->fine;
            until = strikes == 2 ? fall->times[1] + 0.17 : until;
        }
        fall->fastest = fmax(fall->fastest, fabs(ahead.w));
    }
    return fmin(fall->times[1] + 0.15, fall->times[2] - 0.02);
}

static void turn_run_bar(quality *report, turn_fall *fall, double until) {
    turn_bar bar = fall->bar;
    tn_world *world = quality_world_create(QUALITY_GRAVITY);
    tn_world_set_restitution_threshold(world, 0.0f);
    tn_shape_def material = quality_material(0.0);
    material.material.restitution = (float)bar.restitution;
    turn_create_floor(world, &material, fall->floor);
    tn_body_def def = quality_body_at(0.0, bar.y, 0.0);
    quality_body_turn(&def, quality_vector(0.0, 0.0, 1.0), bar.angle);
    def.velocity.linear.y = bar.vy;
    def.velocity.angular.z = bar.w;
    if (fall->is_planar) {
        def.locks = TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y;
    }
    tn_body_id body = turn_create_bar(world, &def, &material, fall);
    tn_vec3 tip = fall->kind == QUALITY_CAPSULE ? quality_vector(0.0, bar.half_length, 0.0)
                                                : quality_vector(bar.half_length, 0.0, 0.0);
    double sum = 0.0;
    uint32_t steps = (uint32_t)(until * fall->hz);
    uint32_t fine = quality_count_steps(1.0 / fall->hz, 1.0 / fall->fine);
    for (uint32_t i = 0; i < steps; i++) {
        tn_world_step(world, 1.0 / fall->hz, fall->substeps);
        for (uint32_t k = 0; k < fine; k++) {
            turn_bar_advance(&bar, 1.0 / fall->hz / fine);
        }
        tn_vec3 end = tn_body_get_world_point(world, body, tip);
        double off = hypot(end.x - bar.half_length * cos(bar.angle),
                           end.y - bar.y - bar.half_length * sin(bar.angle));
        sum += off * off;
    }
    double rms = sqrt(sum / steps);
    double spin = fabs(tn_body_get_velocity(world, body).angular.z - bar.w);
    static const char *const floors[] = {"plane", "block", "tiles"};
    quality_report(report, rms < 2e-3 && spin < 0.05, rms,
                   "%s, angle %g, %g rad/s, %g Hz x %u%s, %s: strikes at %.3f, %.3f, %.3f s; spin "
                   "%.2g off",
                   quality_kind_name(fall->kind), fall->bar.angle, fall->bar.w, fall->hz,
                   fall->substeps, fall->is_planar ? ", in a plane" : "", floors[fall->floor],
                   fall->times[0], fall->times[1], fall->times[2], spin);
    tn_world_destroy(world);
}

// Starts after which the second strike comes long after the first and long before the third.
void contact_turn_run_bar(quality *report) {
    static const double angles[] = {0.25, 0.7, 1.0, 1.3, 0.4, 0.85};
    static const double spins[] = {4.0, 1.0, 2.5, -0.5, -3.5, -5.0};
    for (uint32_t i = 0; i < 18; i++) {
        turn_fall fall = {.hz = i / 6 == 1 ? 240.0 : 60.0,
                          .fine = TURN_BAR_FINE,
                          .substeps = 4,
                          .kind = QUALITY_BOX,
                          .is_planar = i / 6 < 2};
        fall.bar = (turn_bar){.y = 1.2,
                              .angle = angles[i % 6],
                              .w = spins[i % 6],
                              .half_length = 0.5,
                              .half_height = 0.05,
                              .restitution = 0.5};
        turn_run_bar(report, &fall, turn_foresee(&fall));
    }
}

// Shares of a golden ratio and its powers: points that fill a box evenly.
static double turn_share(uint32_t i, int axis) {
    static const double steps[] = {0.8566748838545029, 0.7338918566271260, 0.6287067210378087,
                                   0.5385972572236101};
    double x = 0.5 + steps[axis] * i;
    return x - floor(x);
}

// Bars of three kinds on three floors. Left out are those that strike again within 0.03 s, when the
// order of the corners of one end is a matter of round-off, and those that turn by more than half
// a radian in a step, farther than turning is followed.
void contact_turn_run_bars(quality *report) {
    static const double rates[] = {60.0, 60.0, 240.0, 30.0, 30.0, 240.0};
    static const uint32_t substeps[] = {4, 1, 4, 4, 1, 1};
    static const double restitutions[] = {0.3, 0.5, 0.9};
    static const quality_kind kinds[] = {QUALITY_BOX, QUALITY_CAPSULE, QUALITY_HULL};
    for (uint32_t i = 0; i < 432; i++) {
        turn_fall fall = {.hz = rates[i / 9 % 6],
                          .fine = TURN_BARS_FINE,
                          .substeps = substeps[i / 9 % 6],
                          .kind = kinds[i % 3],
                          .floor = (turn_floor)(i / 3 % 3),
                          .is_planar = true};
        fall.bar = (turn_bar){.y = 1.2,
                              .angle = 0.1 + 1.3 * turn_share(i, 0),
                              .w = -6.0 + 12.0 * turn_share(i, 1),
                              .half_length = 0.3 + 0.4 * turn_share(i, 2),
                              .half_height = 0.03 + 0.05 * turn_share(i, 3),
                              .restitution = restitutions[i / 54 % 3],
                              .is_capsule = fall.kind == QUALITY_CAPSULE};
        double until = turn_foresee(&fall);
        bool is_clear = fall.times[1] - fall.times[0] > 0.03 && until > fall.times[1] + 0.005;
        if (is_clear && fall.fastest < 0.5 * fall.hz) {
            turn_run_bar(report, &fall, until);
        }
    }
}
