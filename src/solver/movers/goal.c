// solver/movers/goal.c: goals in the solve of forces, Newton's method where they are strong.
//
// Symbols: E the expression at the middle y of the substep h, g = dE/dq and H = d2E/dq2 by the
// coordinates of its n bodies (six each), k the strength; W the inverse masses, V the velocities,
// dv their change. The force -k g is taken with its change, as in solver/movers/force.c,
//
//     impulse = -h k g - B (V + dv)        B = s h^2 k H + m W^-1
//
// with the implicit share s. For V = 0 and a world of first order that is a step of Newton's method
// as k grows; m is Levenberg's term. With W = S S^T, z = S^T impulse and x = S^-1 v
//
//     (1 + S^T B S) z = -S^T (h k g + B (V + dv'))      S^T B S = s h^2 k S^T H S + m 1
//
// where dv' is the change that all other forces make; one Cholesky factorisation solves it. m is 0
// at first. It is raised until B is positive, which sweeps over several goals require, and until E
// does not rise at the place to which the goal alone would take its bodies. So a goal of any
// strength goes downhill, whatever E is; and because B acts on motion only, a body at rest feels
// exactly -k g.
//
// S has the roots of the inverse masses and a Cholesky factor of the inverse inertias, without the
// freedoms that are locked. Sources: K. Levenberg, "A method for the solution of certain non-linear
// problems in least squares", 1944; J. Nocedal, S. Wright, "Numerical optimization", 2nd ed. 2006,
// chapters 3.4 and 4; D. Baraff, A. Witkin, "Large steps in cloth simulation", SIGGRAPH 1998.
// Test: tests/forces/test_goal_force.c
#include "solver/movers/force.h"

#include <string.h>

#define GOAL_MAX_SIZE (6u * TN_GRAPH_MAX_BODIES)
// Levenberg's term: its first value as a share of 1 and of the norm of S^T H S, its growth, and how
// often it grows.
#define GOAL_FIRST_STIFFENER 1e-3
#define GOAL_GROWTH          4.0
#define GOAL_TRIES           26
// The share of E below which a change of E is rounding.
#define GOAL_ROUNDING 1e-12
// The shares of a diagonal, and of 1 and the norm of S^T H S, below which there is only rounding.
#define GOAL_TINY_PIVOT     1e-14
#define GOAL_TINY_CURVATURE 1e-10

// ---- freedoms ----------------------------------------------------------------------------------

static void goal_add_freedom(tni_goal_link *link, uint32_t body, uint32_t first,
                             const double *column) {
    tni_goal_freedom *freedom = &link->goal->freedoms[link->freedom_count++];
    freedom->body = body;
    freedom->first = first;
    memcpy(freedom->column, column, sizeof freedom->column);
}

// Adds the columns of a Cholesky factor of the inverse inertia.
static void goal_add_turns(tni_goal_link *link, uint32_t index, const tni_forced_body *body) {
    double l[3][3] = {{0.0}};
    for (uint32_t j = 0; j < 3; ++j) {
        double pivot = body->inv_inertia.m[j][j];
        for (uint32_t k = 0; k < j; ++k) {
            pivot -= l[j][k] * l[j][k];
        }
        if (!(pivot > GOAL_TINY_PIVOT * body->inv_inertia.m[j][j])) {
            continue;
        }
        double column[6] = {0.0};
        l[j][j] = sqrt(pivot);
        for (uint32_t i = j + 1; i < 3; ++i) {
            double rest = body->inv_inertia.m[i][j];
            for (uint32_t k = 0; k < j; ++k) {
                rest -= l[i][k] * l[j][k];
            }
            l[i][j] = rest / l[j][j];
        }
        for (uint32_t i = j; i < 3; ++i) {
            column[3 + i] = l[i][j];
        }
        goal_add_freedom(link, index, 3 + j, column);
    }
}

static void goal_find_freedoms(const tni_forces *forces, tni_goal_link *link) {
    for (uint32_t i = 0; i < link->goal->body_count; ++i) {
        const tni_forced_body *body = tni_force_body_of(forces, &forces->actors[link->actor], i);
        const double masses[3] = {body->inv_mass.x, body->inv_mass.y, body->inv_mass.z};
        link->stops = link->stops || body->stops;
        if (!body->moves) {
            continue;
        }
        for (uint32_t c = 0; c < 3; ++c) {
            double column[6] = {0.0};
            column[c] = sqrt(masses[c]);
            if (masses[c] > 0.0) {
                goal_add_freedom(link, i, c, column);
            }
        }
        goal_add_turns(link, i, body);
    }
}

// Returns one number of S^T times a vector of all coordinates.
static double goal_project(const tni_goal_freedom *freedom, const double *vector) {
    const double *own = vector + (size_t)6 * freedom->body;
    double sum = 0.0;
    for (uint32_t c = freedom->first; c < 6; ++c) {
        sum += freedom->column[c] * own[c];
    }
    return sum;
}

// Multiplies by S^-1, by substitution: each column of S has nothing above its first number.
static void goal_scale(const tni_goal_link *link, const double *vector, double *out_scaled) {
    double left[GOAL_MAX_SIZE];
    memcpy(left, vector, (size_t)6 * link->goal->body_count * sizeof *left);
    for (uint32_t a = 0; a < link->freedom_count; ++a) {
        const tni_goal_freedom *freedom = &link->goal->freedoms[a];
        double *own = left + (size_t)6 * freedom->body;
        out_scaled[a] = own[freedom->first] / freedom->column[freedom->first];
        for (uint32_t c = freedom->first; c < 6; ++c) {
            own[c] -= out_scaled[a] * freedom->column[c];
        }
    }
}

// Multiplies by S^-T: turns z into the impulse on the free coordinates.
static void goal_unproject(const tni_goal_link *link, const double *z, double *impulse) {
    for (uint32_t a = link->freedom_count; a-- > 0;) {
        const tni_goal_freedom *freedom = &link->goal->freedoms[a];
        double *own = impulse + (size_t)6 * freedom->body + freedom->first;
        *own = 0.0;
        *own = (z[a] - goal_project(freedom, impulse)) / freedom->column[freedom->first];
    }
}

// ---- the system --------------------------------------------------------------------------------

// Finds S^T H S and returns its norm.
static double goal_scale_curvature(const tni_goal_link *link) {
    const tni_goal *goal = link->goal;
    uint32_t n = link->freedom_count, size = 6 * goal->body_count;
    double squares = 0.0;
    for (uint32_t a = 0; a < n; ++a) {
        const tni_goal_freedom *of_a = &goal->freedoms[a];
        double row[GOAL_MAX_SIZE] = {0.0};
        for (uint32_t c = of_a->first; c < 6; ++c) {
            const double *h = goal->curvature + (size_t)(6 * of_a->body + c) * size;
            for (uint32_t i = 0; i < size && of_a->column[c] != 0.0; ++i) {
                row[i] += of_a->column[c] * h[i];
            }
        }
        for (uint32_t b = 0; b < n; ++b) {
            double number = goal_project(&goal->freedoms[b], row);
            goal->scaled[(size_t)a * n + b] = number;
            squares += number * number;
        }
    }
    return sqrt(squares);
}

// Factors S^T B S plus `diagonal` times 1 as L L^T. Returns false if there is no factor.
static bool goal_factorize(const tni_goal_link *link, double diagonal) {
    uint32_t n = link->freedom_count;
    double *l = link->goal->factor;
    for (uint32_t i = 0; i < n; ++i) {
        double *of_i = l + (size_t)i * n;
        for (uint32_t j = 0; j <= i; ++j) {
            const double *of_j = l + (size_t)j * n;
            double sum = link->scale * link->goal->scaled[(size_t)i * n + j];
            sum += i == j ? diagonal + link->stiffener : 0.0;
            for (uint32_t k = 0; k < j; ++k) {
                sum -= of_i[k] * of_j[k];
            }
            if (i == j && !(sum > 0.0 && isfinite(sum))) {
                return false;
            }
            of_i[j] = i == j ? sqrt(sum) : sum / of_j[j];
        }
    }
    return true;
}

static void goal_substitute(const tni_goal_link *link, double *z) {
    uint32_t n = link->freedom_count;
    const double *l = link->goal->factor;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            z[i] -= l[(size_t)i * n + k] * z[k];
        }
        z[i] /= l[(size_t)i * n + i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; ++k) {
            z[i] -= l[(size_t)k * n + i] * z[k];
        }
        z[i] /= l[(size_t)i * n + i];
    }
}

// ---- the step by itself ------------------------------------------------------------------------

static void goal_describe(const tni_forces *forces, const tni_goal_link *link,
                          tni_body_motion *motions, tni_graph_body *bodies) {
    for (uint32_t i = 0; i < link->goal->body_count; ++i) {
        const tni_forced_body *body = tni_force_body_of(forces, &forces->actors[link->actor], i);
        motions[i] = body->motion;
        bodies[i] = (tni_graph_body){.motion = &motions[i], .center = body->center};
    }
}

// Returns E after the changes of velocity that z makes have acted.
static double goal_try(const tni_forces *forces, const tni_goal_link *link, const double *z) {
    double way = link->stops ? 0.5 * link->h : link->h;
    tni_body_motion motions[TN_GRAPH_MAX_BODIES];
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
    double moved[GOAL_MAX_SIZE] = {0.0};
    goal_describe(forces, link, motions, bodies);
    for (uint32_t a = 0; a < link->freedom_count; ++a) {
        const tni_goal_freedom *freedom = &link->goal->freedoms[a];
        for (uint32_t c = freedom->first; c < 6; ++c) {
            moved[6 * freedom->body + c] += way * z[a] * freedom->column[c];
        }
    }
    for (uint32_t i = 0; i < link->goal->body_count; ++i) {
        const double *by = moved + (size_t)6 * i;
        motions[i].position = dvec3_add(motions[i].position, dvec3_make(by[0], by[1], by[2]));
        motions[i].rotation =
            dquat_mul(dquat_cayley(dvec3_make(by[3], by[4], by[5])), motions[i].rotation);
    }
    return tni_goal_evaluate(link->goal, bodies, link->time);
}

// Returns one number of -S^T h k g.
static double goal_pull(const tni_goal_link *link, uint32_t freedom) {
    return -link->h * link->strength *
           goal_project(&link->goal->freedoms[freedom], link->goal->gradient);
}

// Returns whether the goal by itself does not raise E.
static bool goal_descends(const tni_forces *forces, const tni_goal_link *link, double value) {
    double z[GOAL_MAX_SIZE] = {0.0};
    for (uint32_t a = 0; a < link->freedom_count; ++a) {
        z[a] = goal_pull(link, a);
    }
    goal_substitute(link, z);
    return goal_try(forces, link, z) <= value + GOAL_ROUNDING * fabs(value);
}

// Factors the system. Returns whether B is positive, up to rounding, and the factor exists.
static bool goal_prepare(const tni_goal_link *link, double rise) {
    bool is_soft = link->scale == 0.0 && link->stiffener == 0.0;
    return (is_soft || goal_factorize(link, GOAL_TINY_CURVATURE * (1.0 + rise))) &&
           goal_factorize(link, 1.0);
}

// Chooses s and m. Returns false if no system has a factor.
static bool goal_stiffen(const tni_forces *forces, tni_goal_link *link) {
    double value = link->goal->values.numbers[link->goal->number].value;
    double whole = link->h * link->h * link->strength, rise = whole * goal_scale_curvature(link);
    double next = GOAL_FIRST_STIFFENER * (1.0 + rise);
    link->scale = whole * (link->stops ? 0.5 : tni_force_get_share(rise));
    link->stiffener = 0.0;
    bool is_there = goal_prepare(link, rise);
    for (uint32_t i = 0; i < GOAL_TRIES && !(is_there && goal_descends(forces, link, value)); ++i) {
        link->scale = link->stops ? link->scale : whole;
        link->stiffener = next;
        next *= GOAL_GROWTH;
        is_there = goal_prepare(link, rise);
    }
    return is_there;
}

// ---- the solve ---------------------------------------------------------------------------------

// Adds S z to the changes of velocity.
static void goal_push(const tni_forces *forces, const tni_goal_link *link, const double *z) {
    const tni_force_actor *actor = &forces->actors[link->actor];
    for (uint32_t a = 0; a < link->freedom_count; ++a) {
        const tni_goal_freedom *freedom = &link->goal->freedoms[a];
        const double *s = freedom->column;
        tni_forced_body *body = tni_force_body_of(forces, actor, freedom->body);
        body->velocity_change =
            dvec3_add_scaled(body->velocity_change, z[a], dvec3_make(s[0], s[1], s[2]));
        body->turn_change = dvec3_add_scaled(body->turn_change, z[a], dvec3_make(s[3], s[4], s[5]));
    }
}

// Gets V + dv of all coordinates.
static void goal_get_motion(const tni_forces *forces, const tni_goal_link *link, double *out) {
    for (uint32_t i = 0; i < link->goal->body_count; ++i, out += 6) {
        const tni_forced_body *body = tni_force_body_of(forces, &forces->actors[link->actor], i);
        tni_dvec3 v = dvec3_add(body->motion.velocity, body->velocity_change);
        tni_dvec3 w = dvec3_add(body->motion.angular_velocity, body->turn_change);
        const double numbers[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        memcpy(out, numbers, sizeof numbers);
    }
}

// Multiplies a motion by s h^2 k H.
static void goal_bend(const tni_goal_link *link, const double *motion, double *out) {
    uint32_t size = 6 * link->goal->body_count;
    for (uint32_t i = 0; i < size; ++i) {
        const double *row = link->goal->curvature + (size_t)i * size;
        double sum = 0.0;
        for (uint32_t j = 0; j < size; ++j) {
            sum += row[j] * motion[j];
        }
        out[i] = link->scale * sum;
    }
}

bool tni_goal_solve(const tni_forces *forces, const tni_goal_link *link, double settled) {
    uint32_t n = link->freedom_count;
    double motion[GOAL_MAX_SIZE] = {0.0}, bent[GOAL_MAX_SIZE] = {0.0};
    double x[GOAL_MAX_SIZE] = {0.0}, z[GOAL_MAX_SIZE] = {0.0};
    double *old = link->goal->impulse, change = 0.0, whole = 0.0;
    for (uint32_t a = 0; a < n; ++a) {
        z[a] = -old[a];
    }
    goal_push(forces, link, z);
    goal_get_motion(forces, link, motion);
    goal_bend(link, motion, bent);
    goal_scale(link, motion, x);
    for (uint32_t a = 0; a < n; ++a) {
        z[a] = goal_pull(link, a) - goal_project(&link->goal->freedoms[a], bent) -
               link->stiffener * x[a];
    }
    goal_substitute(link, z);
    goal_push(forces, link, z);
    for (uint32_t a = 0; a < n; ++a) {
        change = maths_max_d(change, fabs(z[a] - old[a]));
        whole = maths_max_d(whole, fabs(z[a]));
        old[a] = z[a];
    }
    return change > settled * whole;
}

// ---- a substep ---------------------------------------------------------------------------------

static bool goal_is_sound(const tni_goal_link *link) {
    double sum = 0.0;
    for (uint32_t i = 0; i < 6 * link->goal->body_count; ++i) {
        sum += fabs(link->goal->gradient[i]);
    }
    return isfinite(link->h * link->strength * sum);
}

bool tni_goal_ask(tni_forces *forces, uint32_t actor, double time, double h) {
    const tni_force *force = forces->actors[actor].force;
    tni_goal_link *link = &forces->goals[forces->goal_count];
    tni_body_motion motions[TN_GRAPH_MAX_BODIES];
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
    *link = (tni_goal_link){.actor = actor,
                            .goal = force->goal.apart,
                            .time = time,
                            .h = h,
                            .strength = force->goal.numbers.strength};
    goal_describe(forces, link, motions, bodies);
    goal_find_freedoms(forces, link);
    bool is_sound = tni_goal_derive(link->goal, bodies, time) && goal_is_sound(link) &&
                    goal_stiffen(forces, link);
    if (!is_sound) {
        return false;
    }
    memset(link->goal->impulse, 0, link->freedom_count * sizeof *link->goal->impulse);
    forces->goal_count += 1;
    return true;
}

void tni_goal_book(const tni_forces *forces, const tni_goal_link *link) {
    const tni_force_actor *actor = &forces->actors[link->actor];
    double motion[GOAL_MAX_SIZE] = {0.0}, impulse[GOAL_MAX_SIZE] = {0.0};
    goal_get_motion(forces, link, motion);
    goal_bend(link, motion, impulse);
    // If nothing moves, or everything that moves is locked, only m stays.
    for (uint32_t i = 0; i < 6 * link->goal->body_count; ++i) {
        impulse[i] = -link->h * link->strength * link->goal->gradient[i] - impulse[i];
    }
    goal_unproject(link, link->goal->impulse, impulse);
    for (uint32_t i = 0; i < link->goal->body_count; ++i) {
        const double *p = impulse + (size_t)6 * i;
        tni_force_book(tni_force_body_of(forces, actor, i), &actor->force->ends[i],
                       dvec3_scale(dvec3_make(p[0], p[1], p[2]), 1.0 / link->h),
                       dvec3_scale(dvec3_make(p[3], p[4], p[5]), 1.0 / link->h));
    }
}
