// bench/contact_random.c: random shapes that pass, meet, and are thrown among others.
//
// What is right is known apart from the library: how near two shapes come is found by conservative
// advancement on the poses that each has alone, with the distance of their cores by the algorithm
// of E. Gilbert, D. Johnson, S. Keerthi, 1988. The same seed gives the same runs everywhere.
#include "bench/contact_families.h"
#include "bench/quality_world.h"

#include <math.h>
#include <string.h>

typedef struct random_body {
    quality_shape shape;
    tn_pose pose;
    tn_velocity velocity;
    bool is_static;
} random_body;

// ---- numbers ----------------------------------------------------------------------------------

static uint64_t random_state;

static double random_share(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

// Even on a logarithmic scale.
static double random_between(double lower, double upper) {
    return lower * pow(upper / lower, random_share());
}

static tn_vec3 random_direction(void) {
    for (;;) {
        tn_vec3 v = {2.0 * random_share() - 1.0, 2.0 * random_share() - 1.0,
                     2.0 * random_share() - 1.0};
        double length = quality_length(v);
        if (length > 0.1 && length < 1.0) {
            return quality_add((tn_vec3){0}, 1.0 / length, v);
        }
    }
}

static void random_make(random_body *body, double size) {
    *body = (random_body){.shape = {.kind = (quality_kind)(4.0 * random_share())}};
    body->shape.half.x = size * random_between(0.2, 1.0);
    body->shape.half.y = size * random_between(0.2, 1.0);
    body->shape.half.z = size * random_between(0.2, 1.0);
    tn_vec3 axis = random_direction();
    double half = 1.5 * random_share();
    body->pose.rotation.x = axis.x * sin(half);
    body->pose.rotation.y = axis.y * sin(half);
    body->pose.rotation.z = axis.z * sin(half);
    body->pose.rotation.w = cos(half);
}

static void random_spin(random_body *body, double most) {
    double spin = random_share() < 0.4 ? 0.0 : random_between(0.1, most);
    body->velocity.angular = quality_add((tn_vec3){0}, spin, random_direction());
}

static tn_body_id random_create(tn_world *world, const random_body *body, double restitution,
                                double friction) {
    tn_body_def def = tn_body_def_default();
    def.pose = body->pose;
    def.velocity = body->velocity;
    def.type = body->is_static ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    tn_shape_def material = quality_material(friction);
    material.material.restitution = (float)restitution;
    return quality_body_create(world, &def, &material, &body->shape);
}

// ---- distance ---------------------------------------------------------------------------------

static bool random_is_round(const quality_shape *shape) {
    return shape->kind == QUALITY_BALL || shape->kind == QUALITY_CAPSULE;
}

static double random_reach(const quality_shape *s) {
    switch (s->kind) {
    case QUALITY_BALL:
        return s->half.x;
    case QUALITY_CAPSULE:
        return s->half.x + s->half.y;
    case QUALITY_BOX:
        return quality_length(s->half);
    default:
        return hypot(s->half.x / cos(QUALITY_PI / 8.0), s->half.y);
    }
}

// The point of a core, the shape without its radius, that is farthest along d.
static tn_vec3 random_support(const quality_shape *shape, const tn_pose *pose, tn_vec3 d) {
    tn_quat back = {-pose->rotation.x, -pose->rotation.y, -pose->rotation.z, pose->rotation.w};
    tn_vec3 own = quality_rotate(back, d), h = shape->half, best = {0};
    if (shape->kind == QUALITY_CAPSULE) {
        best.y = copysign(h.y, own.y);
    } else if (shape->kind == QUALITY_BOX) {
        best = quality_vector(copysign(h.x, own.x), copysign(h.y, own.y), copysign(h.z, own.z));
    } else if (shape->kind == QUALITY_HULL) {
        double most = -HUGE_VAL, radius = h.x / cos(QUALITY_PI / 8.0);
        for (int i = 0; i < 16; i++) {
            double angle = ((i & 7) + 0.5) * QUALITY_PI / 4.0;
            tn_vec3 corner =
                quality_vector(radius * cos(angle), i < 8 ? -h.y : h.y, radius * sin(angle));
            if (quality_dot(corner, own) > most) {
                most = quality_dot(corner, own);
                best = corner;
            }
        }
    }
    tn_vec3 center = pose->position;
    return quality_add(center, 1.0, quality_rotate(pose->rotation, best));
}

// The weights of `count` points whose sum is nearest to the origin on the plane through them.
// False when that lies outside of them.
static bool random_weigh(const tn_vec3 *points, int count, double weights[4]) {
    double a[3][4] = {{0}};
    int n = count - 1;
    for (int i = 0; i < n; i++) {
        tn_vec3 edge = quality_subtract(points[i + 1], points[0]);
        for (int j = 0; j < n; j++) {
            a[i][j] = quality_dot(edge, quality_subtract(points[j + 1], points[0]));
        }
        a[i][n] = -quality_dot(edge, points[0]);
    }
    for (int i = 0; i < n; i++) { // the matrix is positive definite: no exchange of rows
        if (a[i][i] < 1e-18) {
            return false;
        }
        for (int r = 0; r < n; r++) {
            double factor = r == i ? 0.0 : a[r][i] / a[i][i];
            for (int c = i; c <= n; c++) {
                a[r][c] -= factor * a[i][c];
            }
        }
    }
    weights[0] = 1.0;
    bool is_inside = true;
    for (int i = 0; i < n; i++) {
        weights[i + 1] = a[i][n] / a[i][i];
        weights[0] -= weights[i + 1];
        is_inside = is_inside && weights[i + 1] >= -1e-12;
    }
    return is_inside && weights[0] >= -1e-12;
}

// The point of the simplex nearest to the origin; keeps the corners that it needs.
static tn_vec3 random_reduce(tn_vec3 simplex[4], int *count) {
    tn_vec3 best = {0};
    double least = HUGE_VAL;
    int kept = 0;
    for (int mask = 1; mask < 1 << *count; mask++) {
        tn_vec3 points[4], sum = {0};
        double weights[4];
        int n = 0;
        for (int i = 0; i < *count; i++) {
            if (mask >> i & 1) {
                points[n++] = simplex[i];
            }
        }
        if (!random_weigh(points, n, weights)) {
            continue;
        }
        for (int i = 0; i < n; i++) {
            sum = quality_add(sum, weights[i], points[i]);
        }
        if (quality_dot(sum, sum) < least) {
            least = quality_dot(sum, sum);
            best = sum;
            kept = mask;
        }
    }
    int n = 0;
    for (int i = 0; i < *count; i++) {
        if (kept >> i & 1) {
            simplex[n++] = simplex[i];
        }
    }
    *count = n;
    return best;
}

// m; 0 or less where they overlap.
static double random_distance(const random_body *a, const random_body *b) {
    tn_vec3 simplex[4], x = quality_between(b->pose.position, a->pose.position);
    double radius = (random_is_round(&a->shape) ? a->shape.half.x : 0.0) +
                    (random_is_round(&b->shape) ? b->shape.half.x : 0.0);
    int count = 0;
    for (int i = 0; i < 60; i++) {
        tn_vec3 back = quality_add((tn_vec3){0}, -1.0, x);
        tn_vec3 w = quality_subtract(random_support(&a->shape, &a->pose, back),
                                     random_support(&b->shape, &b->pose, x));
        double square = quality_dot(x, x);
        if (count == 4) {
            return -radius;
        }
        if (count > 0 && square - quality_dot(x, w) < 1e-9 * square) {
            break;
        }
        simplex[count++] = w;
        x = random_reduce(simplex, &count);
        if (quality_dot(x, x) < 1e-14) {
            return -radius;
        }
    }
    return quality_length(x) - radius;
}

// ---- pairs ------------------------------------------------------------------------------------

static tn_pose random_mix(const tn_pose *from, const tn_pose *to, double t) {
    tn_pose pose = *from;
    tn_vec3 way = quality_between(from->position, to->position);
    pose.position.x += t * way.x;
    pose.position.y += t * way.y;
    pose.position.z += t * way.z;
    tn_quat p = from->rotation, q = to->rotation;
    double half = 0.5 * quality_angle_between(p, q);
    double a = half < 1e-6 ? 1.0 - t : sin((1.0 - t) * half) / sin(half);
    double b = half < 1e-6 ? t : sin(t * half) / sin(half);
    b = copysign(b, p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
    pose.rotation =
        (tn_quat){a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w};
    return pose;
}

// How near they come on the way from these poses to those.
static double random_find_nearest(const random_body from[2], const random_body to[2]) {
    double speed = quality_length(
        quality_subtract(quality_between(from[0].pose.position, to[0].pose.position),
                         quality_between(from[1].pose.position, to[1].pose.position)));
    for (int k = 0; k < 2; k++) {
        speed += random_reach(&from[k].shape) *
                 quality_angle_between(from[k].pose.rotation, to[k].pose.rotation);
    }
    double least = HUGE_VAL;
    for (double t = 0.0; t <= 1.0;) {
        random_body now[2] = {from[0], from[1]};
        for (int k = 0; k < 2; k++) {
            now[k].pose = random_mix(&from[k].pose, &to[k].pose, t);
        }
        double distance = random_distance(&now[0], &now[1]);
        least = fmin(least, distance);
        if (distance < 1e-5) {
            return 0.0;
        }
        double step = fmax(distance / fmax(speed, 1e-9), 1e-4);
        t = t < 1.0 && t + step > 1.0 ? 1.0 : t + step;
    }
    return least;
}

typedef struct random_pair {
    random_body bodies[2];
    double hz, speed, least, change;
    uint32_t substeps, steps;
} random_pair;

static void random_make_pair(random_pair *pair, uint64_t seed) {
    static const double rates[] = {30.0, 60.0, 60.0, 240.0};
    random_state = seed * 0x9e3779b97f4a7c15u;
    random_share();
    *pair = (random_pair){.hz = rates[(int)(4.0 * random_share())]};
    pair->substeps = random_share() < 0.5 ? 1 : 4;
    random_body *a = &pair->bodies[0], *b = &pair->bodies[1];
    random_make(a, random_between(0.01, 5.0));
    random_make(b, random_between(0.01, 5.0));
    a->is_static = random_share() < 0.3;
    // Half a radian a step is as far as turning is followed.
    random_spin(a, a->is_static ? 0.1 : fmin(50.0, 0.5 * pair->hz));
    random_spin(b, fmin(50.0, 0.5 * pair->hz));
    if (a->is_static) {
        a->velocity = (tn_velocity){0};
    }
    pair->speed = random_between(0.1, 200.0);
    tn_vec3 along = random_direction(), aside = quality_cross(along, random_direction());
    double reach = random_reach(&a->shape) + random_reach(&b->shape);
    double offset = 1.2 * reach * random_share() / quality_length(aside);
    double before =
        fmin((3.0 + 4.0 * random_share()) / pair->hz + reach / pair->speed, 60.0 / pair->hz);
    tn_vec3 place =
        quality_add(quality_add((tn_vec3){0}, offset, aside), -pair->speed * before, along);
    b->pose.position = place;
    b->velocity.linear = quality_add((tn_vec3){0}, pair->speed, along);
    pair->steps = (uint32_t)fmin((before + reach / pair->speed) * pair->hz + 4.0, 100.0);
}

// Boxes and hulls may overlap by 2 % of their inner radius, and by 2 mm at most.
static void random_shrink(random_body *body) {
    tn_vec3 *half = &body->shape.half;
    double depth = fmin(0.02 * fmin(half->x, fmin(half->y, half->z)), 2e-3);
    bool is_round = random_is_round(&body->shape);
    *half = quality_vector(half->x - depth, half->y - (is_round ? 0.0 : depth), half->z - depth);
}

// Each alone, and both together. False when they begin too near. With `is_deep` the nearest
// distance is that of the shapes less what they may overlap by.
static bool random_run_pair(random_pair *pair, bool is_deep) {
    pair->least = random_distance(&pair->bodies[0], &pair->bodies[1]);
    if (pair->least < 2e-3) {
        return false;
    }
    tn_world *worlds[3];
    tn_body_id alone[2], together[2];
    worlds[2] = quality_world_create(0.0);
    for (int k = 0; k < 2; k++) {
        worlds[k] = quality_world_create(0.0);
        alone[k] = random_create(worlds[k], &pair->bodies[k], 0.3, 0.5);
        together[k] = random_create(worlds[2], &pair->bodies[k], 0.3, 0.5);
    }
    random_body now[2] = {pair->bodies[0], pair->bodies[1]};
    for (int k = 0; k < 2 && is_deep; k++) {
        random_shrink(&now[k]);
    }
    for (uint32_t i = 0; i < pair->steps; i++) {
        random_body before[2] = {now[0], now[1]};
        for (int k = 0; k < 3; k++) {
            tn_world_step(worlds[k], 1.0 / pair->hz, pair->substeps);
        }
        for (int k = 0; k < 2; k++) {
            now[k].pose = tn_body_get_pose(worlds[k], alone[k]);
        }
        if (pair->least > 0.0) {
            pair->least = fmin(pair->least, random_find_nearest(before, now));
        }
    }
    for (int k = 0; k < 2; k++) {
        tn_velocity free_end = tn_body_get_velocity(worlds[k], alone[k]);
        tn_velocity end = tn_body_get_velocity(worlds[2], together[k]);
        pair->change = fmax(pair->change, quality_velocity_change(free_end, end));
    }
    for (int k = 0; k < 3; k++) {
        tn_world_destroy(worlds[k]);
    }
    return true;
}

// m: nearer than this counts neither as passing nor as meeting.
#define RANDOM_CLEAR 1e-3
// m/s: a body that turns is carried by other arithmetic where a contact is near.
#define RANDOM_ROUND_OFF 1e-6

// The same pairs for both: `wants_pass` those that pass, else those that meet.
static void random_run_pairs(quality *report, bool wants_pass) {
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        random_pair pair;
        random_make_pair(&pair, seed);
        bool has_run = random_run_pair(&pair, !wants_pass);
        if (!has_run || (wants_pass ? pair.least <= RANDOM_CLEAR : pair.least > 0.0)) {
            continue;
        }
        bool is_right = (pair.change < RANDOM_ROUND_OFF) == wants_pass;
        quality_report(report, is_right,
                       wants_pass ? pair.change
                       : is_right ? 0.0
                                  : pair.speed,
                       "seed %llu: %s and %s, %.3g m/s, %g Hz x %u, %.2g mm clear",
                       (unsigned long long)seed, quality_kind_name(pair.bodies[0].shape.kind),
                       quality_kind_name(pair.bodies[1].shape.kind), pair.speed, pair.hz,
                       pair.substeps, 1e3 * pair.least);
    }
}

void contact_random_run_passes(quality *report) {
    random_run_pairs(report, true);
}

void contact_random_run_meetings(quality *report) {
    random_run_pairs(report, false);
}

// ---- thrown among ten static shapes -----------------------------------------------------------

#define RANDOM_OBSTACLES 10

// A shape whose core reaches only four fifths as far.
static random_body random_get_core(const random_body *body) {
    random_body core = *body;
    core.shape.half = quality_add((tn_vec3){0}, 0.8, body->shape.half);
    return core;
}

static bool random_is_free(const random_body *body, const random_body *obstacles, double margin) {
    for (int k = 0; k < RANDOM_OBSTACLES; k++) {
        if (random_distance(body, &obstacles[k]) <= margin) {
            return false;
        }
    }
    return true;
}

static bool random_find_place(random_body *body, const random_body *obstacles) {
    for (int i = 0; i < 200; i++) {
        tn_vec3 place = quality_add((tn_vec3){0}, 3.0 * random_share(), random_direction());
        body->pose.position = place;
        if (random_is_free(body, obstacles, 0.01)) {
            return true;
        }
    }
    return false;
}

static void random_throw(quality *report, uint64_t seed) {
    static const double rates[] = {30.0, 60.0, 60.0, 240.0}, restitutions[] = {0.0, 0.5, 1.0};
    random_state = seed * 0x9e3779b97f4a7c15u;
    random_share();
    double hz = rates[(int)(4.0 * random_share())];
    double restitution = restitutions[(int)(3.0 * random_share())];
    double friction = random_share() < 0.5 ? 0.0 : 0.5;
    uint32_t substeps = random_share() < 0.5 ? 1 : 4;
    random_body obstacles[RANDOM_OBSTACLES], body;
    tn_world *world = quality_world_create(0.0);
    for (int k = 0; k < RANDOM_OBSTACLES; k++) {
        random_make(&obstacles[k], random_between(0.3, 1.5));
        tn_vec3 place = quality_add((tn_vec3){0}, 1.5 + 3.0 * random_share(), random_direction());
        obstacles[k].pose.position = place;
        obstacles[k].is_static = true;
        random_create(world, &obstacles[k], restitution, friction);
    }
    random_make(&body, random_between(0.05, 0.8));
    double speed = random_between(0.5, 60.0);
    body.velocity.linear = quality_add((tn_vec3){0}, speed, random_direction());
    random_spin(&body, 20.0);
    if (random_find_place(&body, obstacles)) {
        tn_body_id id = random_create(world, &body, restitution, friction);
        double start = tn_body_get_kinetic_energy(world, id), most = start;
        uint32_t steps = quality_count_steps(fmin(2.0, 30.0 / speed + 0.5), hz);
        for (uint32_t i = 0; i < steps; i++) {
            tn_world_step(world, 1.0 / hz, substeps);
            most = fmax(most, tn_body_get_kinetic_energy(world, id));
        }
        body.pose = tn_body_get_pose(world, id);
        random_body core = random_get_core(&body);
        bool is_out = random_is_free(&core, obstacles, 0.0);
        quality_report(report, most < 1.001 * start && is_out, most / start - 1.0,
                       "seed %llu: %s, %.3g m/s, restitution %g, friction %g, %g Hz x %u%s",
                       (unsigned long long)seed, quality_kind_name(body.shape.kind), speed,
                       restitution, friction, hz, substeps, is_out ? "" : ": inside");
    }
    tn_world_destroy(world);
}

void contact_random_run_throws(quality *report) {
    for (uint64_t seed = 1; seed <= 600; seed++) {
        random_throw(report, seed);
    }
}
