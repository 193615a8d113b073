// solver/touches/touch_row.c: where a touch's points are, its rows, and their responses.
//
// The shapes are measured anew in every substep, and followed through the next one
// (solver/touches/touch_way.c), for a link that spins fast comes down on other corners than those
// that it had at the start of the step. With n the normal, r_a and r_b the arms of a point,
//     J = [-n, -(r_a x n), n, r_b x n].
// Friction acts at the middle of the points, weighed by their impulses.
// Maths and source: solver/touches/touch.h. Test: tests/world/mechanisms/test_mechanism_contacts.c
#include <string.h>

#include "solver/contacts/grain.h"
#include "solver/exact/mechanism_span.h"
#include "solver/touches/touch.h"

// A row whose response falls under this share of that of its bodies alone is held by the joints.
#define TOUCH_HELD 1e-6
// m: points this near that have changed their features are the same.
#define TOUCH_SAME 0.01
// A blow is beside the load before it if it is off by more than this share of the points' spread.
#define TOUCH_ASIDE 0.05
// Impulses are not carried to a normal that is off by more than the angle of this cosine. A round
// shape may have left an edge far behind, and its impulse goes to the face that carries it now, by
// way of this touch (solver/touches/touch_ghosts.c).
#define TOUCH_ALIKE       0.8
#define TOUCH_ALIKE_ROUND 0.0

// ---- where it is -------------------------------------------------------------------------------

tni_dvec3 tni_touch_get_center(const tni_touch_end *end) {
    return dvec3_add(end->motion->position, dquat_rotate(end->motion->rotation, end->position));
}

static tni_frame touch_get_frame(const tni_touch_end *end, tni_dvec3 origin) {
    tni_dquat rotation = dquat_mul(end->motion->rotation, end->rotation);
    tni_frame frame = {dvec3_to_float(dvec3_sub(tni_touch_get_center(end), origin)),
                       maths_quat_normalize(dquat_to_float(rotation))};
    return frame;
}

// Returns how far the surfaces can come nearer in two substeps.
float tni_touch_get_margin(const tni_solver *solver, const tni_touch *touch) {
    const tni_body_motion *a = touch->ends[0].motion, *b = touch->ends[1].motion;
    double speed = dvec3_length(dvec3_sub(b->velocity, a->velocity)) +
                   touch->ends[0].reach * dvec3_length(a->angular_velocity) +
                   touch->ends[1].reach * dvec3_length(b->angular_velocity);
    return touch->margin + (float)(2.0 * solver->dh * speed);
}

static void touch_set_row(tni_touch_row *row, tni_dvec3 lin, tni_dvec3 ang_a, tni_dvec3 ang_b) {
    const tni_dvec3 parts[2][2] = {{dvec3_scale(lin, -1.0), dvec3_scale(ang_a, -1.0)},
                                   {lin, ang_b}};
    for (uint32_t e = 0; e < 2; ++e) {
        for (uint32_t p = 0; p < 2; ++p) {
            row->jacobian[e][3 * p] = parts[e][p].x;
            row->jacobian[e][3 * p + 1] = parts[e][p].y;
            row->jacobian[e][3 * p + 2] = parts[e][p].z;
        }
    }
    row->drive = 0.0;
    row->is_made = false;
}

// Returns the nearest old point, of those that are not yet matched, or TNI_NONE.
static uint32_t touch_find_nearest(const tni_touch *old, const bool *is_taken, tni_dvec3 at) {
    double least = TOUCH_SAME * TOUCH_SAME;
    uint32_t nearest = TNI_NONE;
    for (uint32_t q = 0; q < old->point_count; ++q) {
        tni_dvec3 way = dvec3_sub(at, old->at[q]);
        double square = dvec3_dot(way, way);
        if (!is_taken[q] && square < least) {
            least = square;
            nearest = q;
        }
    }
    return nearest;
}

// Finds which old point each point is: by its feature, else by its place, since the feature of
// crossing edges changes while they turn.
static void touch_match(const tni_touch *old, const tni_touch *touch, uint32_t *from) {
    bool is_taken[TNI_LANES] = {false};
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        from[p] = TNI_NONE;
        for (uint32_t q = 0; q < old->point_count; ++q) {
            if (touch->features[p] == old->features[q]) {
                from[p] = q;
                is_taken[q] = true;
            }
        }
    }
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        if (from[p] == TNI_NONE) {
            from[p] = touch_find_nearest(old, is_taken, touch->at[p]);
            if (from[p] != TNI_NONE) {
                is_taken[from[p]] = true;
            }
        }
    }
}

// Is one of its shapes round, and is one of its ends on a mechanism?
static bool touch_may_roll_off(const tni_touch *touch) {
    const tni_touch_end *a = &touch->ends[0], *b = &touch->ends[1];
    return (a->mechanism != NULL || b->mechanism != NULL) &&
           (tni_geometry_may_roll(a->geometry) || tni_geometry_may_roll(b->geometry));
}

tni_dvec3 tni_touch_get_slide(const tni_touch *touch, const double x[2]) {
    return dvec3_add(dvec3_scale(touch->tangents[0], touch->grip[0] * x[0]),
                     dvec3_scale(touch->tangents[1], touch->grip[1] * x[1]));
}

void tni_touch_split_slide(const tni_touch *touch, tni_dvec3 slide, double out[2]) {
    for (uint32_t t = 0; t < 2; ++t) {
        out[t] = maths_inverse_or_zero_d(touch->grip[t]) * dvec3_dot(touch->tangents[t], slide);
    }
}

// Carries impulses to the new points. Those of points that are gone are dropped; those of friction
// turn to the new tangents.
static void touch_carry(const tni_touch *old, const uint32_t *from, const double *x,
                        const tni_touch *touch, double *out) {
    uint32_t n = touch->point_count, m = old->point_count;
    memset(out, 0, TNI_TOUCH_ROWS * sizeof *out);
    bool has_match = false;
    double least = touch_may_roll_off(touch) ? TOUCH_ALIKE_ROUND : TOUCH_ALIKE;
    for (uint32_t p = 0; p < n && dvec3_dot(old->normal, touch->normal) > least; ++p) {
        if (from[p] != TNI_NONE) {
            out[p] = x[from[p]];
            has_match = true;
        }
    }
    if (!has_match) {
        return;
    }
    tni_touch_split_slide(touch, tni_touch_get_slide(old, x + m), out + n);
    out[n + 2] = x[m + 2];
    if (touch->slide_count == TNI_TOUCH_SLIDES) {
        tni_dvec3 roll = dvec3_add(dvec3_scale(old->tangents[0], x[m + 3]),
                                   dvec3_scale(old->tangents[1], x[m + 4]));
        out[n + 3] = dvec3_dot(touch->tangents[0], roll);
        out[n + 4] = dvec3_dot(touch->tangents[1], roll);
    }
}

// Returns how far the body of an end has turned since grains were measured. All static bodies are
// the solver's body 0.
static tni_dquat touch_get_turned(const tni_touch_end *end, const tni_grain *grain) {
    return end->body == 0 ? dquat_identity()
                          : tni_grain_get_turned_to(grain, end->motion->rotation);
}

static void touch_set_directions(tni_touch *touch, vec3s normal) {
    const tni_contact_extras *extras = touch->record->extras;
    vec3s across = maths_vec3_perpendicular(normal);
    touch->normal = dvec3_from_float(normal);
    touch->tangents[0] = dvec3_from_float(across);
    touch->tangents[1] = dvec3_cross(touch->normal, touch->tangents[0]);
    touch->grip[0] = touch->grip[1] = 1.0;
    touch->has_grain = tni_grain_is_any(extras);
    if (touch->has_grain) {
        const tni_dquat turned[2] = {touch_get_turned(&touch->ends[0], &extras->grains[0]),
                                     touch_get_turned(&touch->ends[1], &extras->grains[1])};
        tni_grain_axes axes;
        tni_grain_find_axes(extras, turned, touch->normal, &axes);
        for (uint32_t t = 0; t < 2; ++t) {
            touch->tangents[t] = axes.axis[t];
            touch->grip[t] = axes.scale[t];
        }
    }
}

// Sets what surfaces that move along their bodies add to the speeds of friction's rows, at a point.
static void touch_set_drives(tni_touch *touch, const tni_contact_extras *extras, tni_dvec3 at) {
    vec3s arm = dvec3_to_float(dvec3_sub(at, extras->center));
    tni_dvec3 speed = dvec3_from_float(contact_extras_get_speed(extras, arm));
    tni_touch_row *rows = &touch->rows[touch->point_count];
    rows[0].drive = touch->grip[0] * dvec3_dot(touch->tangents[0], speed);
    rows[1].drive = touch->grip[1] * dvec3_dot(touch->tangents[1], speed);
    rows[2].drive = dvec3_dot(touch->normal, dvec3_from_float(extras->turn));
}

// Sets the rows of friction about the middle of the points.
static void touch_set_friction(tni_touch *touch, tni_dvec3 arms[TNI_LANES][2]) {
    const tni_contact_record *record = touch->record;
    uint32_t n = touch->point_count;
    double total = 0.0, radius = 0.0, share[TNI_LANES];
    for (uint32_t p = 0; p < n; ++p) {
        total += touch->impulse[p];
    }
    tni_dvec3 r[2] = {dvec3_make(0.0, 0.0, 0.0), dvec3_make(0.0, 0.0, 0.0)};
    for (uint32_t p = 0; p < n; ++p) {
        share[p] = total > 0.0 ? touch->impulse[p] / total : 1.0 / n;
        r[0] = dvec3_add_scaled(r[0], share[p], arms[p][0]);
        r[1] = dvec3_add_scaled(r[1], share[p], arms[p][1]);
    }
    for (uint32_t p = 0; p < n; ++p) {
        radius += share[p] * dvec3_length(dvec3_sub(arms[p][0], r[0]));
    }
    double mean = touch->has_grain ? tni_grain_get_mean(touch->grip) : 1.0;
    touch->twist_bound =
        (double)record->friction * mean * radius + (double)record->twisting_resistance;
    for (uint32_t t = 0; t < 2; ++t) {
        tni_dvec3 tangent = dvec3_scale(touch->tangents[t], touch->grip[t]);
        touch_set_row(&touch->rows[n + t], tangent, dvec3_cross(r[0], tangent),
                      dvec3_cross(r[1], tangent));
    }
    const tni_dvec3 turns[3] = {touch->normal, touch->tangents[0], touch->tangents[1]};
    for (uint32_t t = 2; t < touch->slide_count; ++t) {
        touch_set_row(&touch->rows[n + t], dvec3_make(0.0, 0.0, 0.0), turns[t - 2], turns[t - 2]);
    }
    if (record->extras != NULL && n > 0) {
        touch_set_drives(touch, record->extras, dvec3_add(touch->ends[0].motion->position, r[0]));
    }
}

// Takes the arms to the surfaces: friction acts once the gap has closed, not at the middle of the
// gap that there is when the arms are right.
static void touch_meet(const tni_touch *touch, float gap, tni_dvec3 arms[2]) {
    double half = gap > 0.0f ? 0.5 * (double)gap : 0.0;
    arms[0] = dvec3_add_scaled(arms[0], -half, touch->normal);
    arms[1] = dvec3_add_scaled(arms[1], half, touch->normal);
}

// Finds the points' arms when they meet.
static void touch_get_arms(const tni_touch *touch, tni_dvec3 arms[TNI_LANES][2]) {
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        arms[p][0] = dvec3_sub(touch->at[p], touch->ends[0].motion->position);
        arms[p][1] = dvec3_add(arms[p][0], touch->offset);
        touch_meet(touch, touch->gap_then[p], arms[p]);
    }
}

// Returns the impulse at points that began the substep without a load, less that at the others. N·s
static double touch_get_blow(const tni_touch *touch) {
    double blow = 0.0;
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        blow += touch->fed[p] == 0.0 ? touch->impulse[p] : -touch->impulse[p];
    }
    return blow;
}

bool tni_touch_is_struck_aside(const tni_touch *touch) {
    if (touch->point_count < 2 || !(touch_get_blow(touch) > 0.0)) {
        return false;
    }
    tni_dvec3 arms[TNI_LANES][2], center = dvec3_make(0.0, 0.0, 0.0);
    double total = 0.0, before = 0.0, off = 0.0, spread = 0.0;
    touch_get_arms(touch, arms);
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        total += touch->impulse[p];
        before += touch->fed[p];
        center = dvec3_add_scaled(center, touch->impulse[p], arms[p][0]);
    }
    center = dvec3_scale(center, 1.0 / total);
    tni_dvec3 old = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t p = 0; p < touch->point_count; ++p) {
        double share = before > 0.0 ? touch->fed[p] / before : 1.0 / touch->point_count;
        old = dvec3_add_scaled(old, share, arms[p][0]);
        spread = maths_max_d(spread, dvec3_length(dvec3_sub(arms[p][0], center)));
    }
    off = dvec3_length(dvec3_sub(center, old));
    return off > TOUCH_ASIDE * spread;
}

void tni_touch_center_friction(tni_touch *touch) {
    tni_dvec3 arms[TNI_LANES][2];
    touch_get_arms(touch, arms);
    touch_set_friction(touch, arms);
}

// Sets points, gaps and rows from a manifold about the origin, with the arms' offset and the gaps
// at the time when it holds.
static void touch_take(tni_touch *touch, tni_dvec3 origin, const tni_manifold *manifold,
                       tni_dvec3 offset, const float gaps[TNI_LANES]) {
    tni_touch old = *touch;
    touch->point_count = manifold->point_count;
    touch->offset = offset;
    memcpy(touch->gap_then, gaps, sizeof touch->gap_then);
    if (manifold->point_count > 0) {
        touch_set_directions(touch, manifold->normal);
    }
    tni_dvec3 arms[TNI_LANES][2];
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        tni_dvec3 at = dvec3_add(origin, dvec3_from_float(manifold->points[p].position));
        arms[p][0] = dvec3_sub(at, touch->ends[0].motion->position);
        arms[p][1] = dvec3_add(arms[p][0], offset);
        touch->at[p] = at;
        touch->features[p] = manifold->points[p].feature;
        touch->gap[p] = (double)manifold->points[p].separation;
        touch_set_row(&touch->rows[p], touch->normal, dvec3_cross(arms[p][0], touch->normal),
                      dvec3_cross(arms[p][1], touch->normal));
        touch_meet(touch, gaps[p], arms[p]);
    }
    uint32_t from[TNI_LANES] = {0};
    touch_match(&old, touch, from);
    touch_carry(&old, from, old.impulse, touch, touch->impulse);
    touch_carry(&old, from, old.before, touch, touch->before);
    touch_carry(&old, from, old.fed, touch, touch->fed);
    touch_carry(&old, from, old.loose_fed, touch, touch->loose_fed);
    if (manifold->point_count > 0) {
        touch_set_friction(touch, arms);
    }
}

static tni_dvec3 touch_get_origin(const tni_touch *touch) {
    const tni_touch_end *a = &touch->ends[0], *b = &touch->ends[1];
    bool is_of_a = a->mechanism != NULL || (a->is_loose && b->mechanism == NULL);
    return tni_touch_get_center(is_of_a ? a : b);
}

static void touch_get_gaps(const tni_manifold *manifold, float gaps[TNI_LANES]) {
    for (uint32_t p = 0; p < manifold->point_count; ++p) {
        gaps[p] = manifold->points[p].separation;
    }
}

void tni_touch_measure(const tni_solver *solver, tni_touch *touch, double ahead) {
    const tni_touch_end *a = &touch->ends[0], *b = &touch->ends[1];
    tni_dvec3 origin = touch_get_origin(touch);
    tni_frame frame_a = touch_get_frame(a, origin), frame_b = touch_get_frame(b, origin);
    tni_manifold manifold;
    tni_manifold_cache axis = touch->cache;
    float margin = tni_touch_get_margin(solver, touch);
    tni_manifold_compute(a->geometry, &frame_a, b->geometry, &frame_b, margin, &touch->cache,
                         &manifold);
    touch->apart = (double)(manifold.point_count > 0 ? tni_manifold_get_least(&manifold) : margin);
    touch->is_confirmed = touch->is_confirmed && axis.axis_kind == touch->cache.axis_kind &&
                          axis.index_a == touch->cache.index_a &&
                          axis.index_b == touch->cache.index_b;
    touch->is_walked = false;
    tni_dvec3 offset = dvec3_sub(a->motion->position, b->motion->position);
    float gaps[TNI_LANES] = {0.0f};
    touch_get_gaps(&manifold, gaps);
    if (ahead > 0.0 && manifold.point_count > 0) {
        tni_touch_follow(solver, touch, origin, ahead, &manifold, &offset, gaps);
    }
    touch_take(touch, origin, &manifold, offset, gaps);
}

void tni_touch_measure_plane(const tni_solver *solver, tni_touch *touch, uint32_t e,
                             tni_dvec3 normal, tni_dvec3 at) {
    tni_dvec3 origin = touch_get_origin(touch);
    tni_frame frames[2] = {touch_get_frame(&touch->ends[0], origin),
                           touch_get_frame(&touch->ends[1], origin)};
    tni_geometry plane = {.type = TNI_GEOMETRY_HALF_SPACE};
    const tni_geometry *shapes[2] = {touch->ends[0].geometry, touch->ends[1].geometry};
    shapes[e] = &plane;
    frames[e].position = dvec3_to_float(dvec3_sub(at, origin));
    frames[e].rotation = maths_quat_between(maths_vec3(0.0f, 1.0f, 0.0f), dvec3_to_float(normal));
    tni_manifold manifold;
    tni_manifold_cache cache = {0};
    tni_manifold_compute(shapes[0], &frames[0], shapes[1], &frames[1],
                         tni_touch_get_margin(solver, touch), &cache, &manifold);
    tni_dvec3 offset = dvec3_sub(touch->ends[0].motion->position, touch->ends[1].motion->position);
    float gaps[TNI_LANES] = {0.0f};
    touch_get_gaps(&manifold, gaps);
    touch->is_walked = false;
    touch_take(touch, origin, &manifold, offset, gaps);
}

// ---- what an impulse does ----------------------------------------------------------------------

// Returns J W J^T of one end alone, without joints.
static double touch_get_bare_response(const tni_mechanism_body *body, const double *j) {
    tni_dvec3 lin = dvec3_make(j[0], j[1], j[2]), ang = dvec3_make(j[3], j[4], j[5]);
    tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, body->motion.rotation);
    return body->inv_mass * dvec3_dot(lin, lin) + dvec3_dot(ang, dmat3_mul_vec(&inverse, ang));
}

static void touch_pull(const tni_touch_end *end, const double *j) {
    double *change = end->mechanism->bodies[end->local].change;
    for (uint32_t c = 0; c < 6; ++c) {
        change[c] += j[c];
    }
}

// Makes the column of the mechanism at one end, and of the other end where it is on the same
// mechanism.
static void touch_make_column(tni_touch *touch, tni_touch_row *row, uint32_t e, bool has_both) {
    tni_mechanism *mechanism = touch->ends[e].mechanism;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memset(mechanism->bodies[i].change, 0, sizeof mechanism->bodies[i].change);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        double *x = tni_mechanism_of_joint(mechanism, i);
        memset(x, 0, mechanism->joints[i].row_count * sizeof(double));
    }
    tni_mechanism_spans_clear(mechanism);
    touch_pull(&touch->ends[e], row->jacobian[e]);
    if (has_both) {
        touch_pull(&touch->ends[1 - e], row->jacobian[1 - e]);
    }
    tni_mechanism_solve(mechanism, false);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memcpy(row->columns[e] + 6 * i, mechanism->bodies[i].change, 6 * sizeof(double));
    }
}

static void touch_weigh(const tni_solver *solver, tni_touch_row *row, const tni_touch_end *end,
                        uint32_t e) {
    const tni_body_state *state = &solver->bodies.states[end->body];
    const double *j = row->jacobian[e];
    vec3s ang = maths_vec3((float)j[3], (float)j[4], (float)j[5]);
    vec3s turn = sym3_mul(state->inv_inertia, ang);
    for (uint32_t c = 0; c < 3; ++c) {
        row->weighted[e][c] = (double)state->inv_mass.raw[c] * j[c];
        row->weighted[e][3 + c] = (double)turn.raw[c];
    }
}

void tni_touch_make_row(const tni_solver *solver, tni_touch *touch, tni_touch_row *row) {
    const tni_touch_end *ends = touch->ends;
    bool is_same = ends[0].mechanism != NULL && ends[0].mechanism == ends[1].mechanism;
    double response = 0.0, bare = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        if (ends[e].is_loose) {
            touch_weigh(solver, row, &ends[e], e);
            double own = touch_dot6(row->jacobian[e], row->weighted[e]);
            response += own;
            bare += own;
        } else if (ends[e].mechanism != NULL) {
            if (row->columns[e] != NULL) {
                touch_make_column(touch, row, e, is_same);
            }
            const double *column = row->columns[is_same ? 0 : e] + 6 * ends[e].local;
            response += touch_dot6(row->jacobian[e], column);
            bare += touch_get_bare_response(&ends[e].mechanism->bodies[ends[e].local],
                                            row->jacobian[e]);
        }
    }
    row->inverse = response > TOUCH_HELD * bare ? 1.0 / response : 0.0;
    row->is_made = true;
}

// ---- velocities and poses ----------------------------------------------------------------------

static void touch_push_motion(tni_body_motion *motion, const double *d, double x) {
    motion->velocity = dvec3_add_scaled(motion->velocity, x, dvec3_make(d[0], d[1], d[2]));
    motion->angular_velocity =
        dvec3_add_scaled(motion->angular_velocity, x, dvec3_make(d[3], d[4], d[5]));
}

// Notes a blow on a body; the joints' answer to it is found once for all: tni_mechanism_note_blows.
static void touch_add_blow(tni_mechanism *mechanism, uint32_t local, const double *j, double x) {
    tni_mechanism_body *body = &mechanism->bodies[local];
    body->blow.linear = dvec3_add_scaled(body->blow.linear, x, dvec3_make(j[0], j[1], j[2]));
    body->blow.angular = dvec3_add_scaled(body->blow.angular, x, dvec3_make(j[3], j[4], j[5]));
    mechanism->touch.has_blow = true;
}

static void touch_push_column(tni_mechanism *mechanism, const double *column, double x) {
    if (column == NULL) {
        return;
    }
    if (mechanism->touch.pushes_near) {
        for (uint32_t i = mechanism->touch.first_near; i != TNI_NONE;
             i = mechanism->bodies[i].next_near) {
            touch_push_motion(&mechanism->bodies[i].motion, column + 6 * i, x);
        }
        return;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        touch_push_motion(&mechanism->bodies[i].motion, column + 6 * i, x);
    }
}

void tni_touch_push_end(tni_touch *touch, const tni_touch_row *row, uint32_t e, double x) {
    const tni_touch_end *end = &touch->ends[e];
    if (end->is_loose) {
        touch_push_motion(end->motion, row->weighted[e], x);
    } else if (end->mechanism != NULL) {
        touch_add_blow(end->mechanism, end->local, row->jacobian[e], x);
        touch_push_column(end->mechanism, row->columns[e], x);
    }
}

void tni_touch_push(tni_touch *touch, tni_touch_row *row, double x) {
    row->owed += x;
    for (uint32_t e = 0; e < 2 && x != 0.0; ++e) {
        tni_touch_push_end(touch, row, e, x);
    }
}

// ---- many pushes -------------------------------------------------------------------------------

// A mechanism of fewer bodies than this moves all of them, and so does one of which a greater share
// than this is touched.
#define PUSHES_BODIES 16
#define PUSHES_SHARE  0.5

static void pushes_add_near(tni_mechanism *mechanism, uint32_t local) {
    tni_mechanism_body *body = &mechanism->bodies[local];
    if (!body->is_near) {
        body->is_near = true;
        body->next_near = mechanism->touch.first_near;
        mechanism->touch.first_near = local;
        mechanism->touch.near_count += 1;
    }
}

static void pushes_clear(const tni_solver *solver) {
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        tni_mechanism *mechanism = solver->exact.mechanisms[m];
        for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
            mechanism->bodies[i].is_near = false;
        }
        mechanism->touch.first_near = TNI_NONE;
        mechanism->touch.near_count = 0;
        mechanism->touch.pushes_near = false;
    }
}

// Starts pushes that move only touched bodies: sweeps read no other velocities than theirs.
void tni_touches_start_pushes(const tni_solver *solver, tni_touch_set *set) {
    if (set->count == 0) {
        return;
    }
    pushes_clear(solver);
    for (uint32_t i = 0; i < set->count; ++i) {
        tni_touch *touch = &set->touches[i];
        for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
            touch->rows[r].owed = 0.0;
        }
        for (uint32_t e = 0; e < 2; ++e) {
            if (touch->ends[e].mechanism != NULL) {
                pushes_add_near(touch->ends[e].mechanism, touch->ends[e].local);
            }
        }
    }
    for (uint32_t m = 0; m < solver->exact.count; ++m) {
        tni_mechanism *mechanism = solver->exact.mechanisms[m];
        mechanism->touch.pushes_near =
            mechanism->moving_count >= PUSHES_BODIES &&
            mechanism->touch.near_count < PUSHES_SHARE * mechanism->moving_count;
    }
}

static void pushes_pay(const tni_mechanism *mechanism, const double *column, double x) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        if (!mechanism->bodies[i].is_near) {
            touch_push_motion(&mechanism->bodies[i].motion, column + 6 * i, x);
        }
    }
}

// Ends these pushes: the other bodies get the sum of each row's impulses.
void tni_touches_end_pushes(const tni_solver *solver, tni_touch_set *set) {
    for (uint32_t i = 0; i < set->count; ++i) {
        const tni_touch *touch = &set->touches[i];
        for (uint32_t r = 0; r < touch_get_row_count(touch); ++r) {
            const tni_touch_row *row = &touch->rows[r];
            for (uint32_t e = 0; e < 2 && row->owed != 0.0; ++e) {
                const tni_mechanism *mechanism = touch->ends[e].mechanism;
                if (mechanism != NULL && mechanism->touch.pushes_near && row->columns[e] != NULL) {
                    pushes_pay(mechanism, row->columns[e], row->owed);
                }
            }
        }
    }
    for (uint32_t m = 0; m < solver->exact.count && set->count > 0; ++m) {
        solver->exact.mechanisms[m]->touch.pushes_near = false;
    }
}

// ---- speeds and poses --------------------------------------------------------------------------

double tni_touch_get_end_speed(const tni_body_motion *m, const double *j) {
    return j[0] * m->velocity.x + j[1] * m->velocity.y + j[2] * m->velocity.z +
           j[3] * m->angular_velocity.x + j[4] * m->angular_velocity.y +
           j[5] * m->angular_velocity.z;
}

double tni_touch_get_speed(const tni_touch *touch, const tni_touch_row *row) {
    return tni_touch_get_end_speed(touch->ends[0].motion, row->jacobian[0]) +
           tni_touch_get_end_speed(touch->ends[1].motion, row->jacobian[1]);
}

double tni_touch_get_stiffened(const tni_solver *solver, const tni_touch *touch,
                               const tni_touch_row *row, uint32_t e, double x) {
    const tni_touch_end *end = &touch->ends[e];
    const double *j = row->jacobian[e], *u = row->weighted[e];
    tni_dvec3 turned = dvec3_scale(dvec3_make(u[3], u[4], u[5]), x);
    tni_dvec3 torque = dvec3_scale(dvec3_make(j[3], j[4], j[5]), x);
    tni_dvec3 mean = dvec3_add_scaled(end->motion->angular_velocity, 0.5, turned);
    return tni_work_get_stiffened(solver, end->body, mean, turned, torque);
}

double tni_touch_push_loose(const tni_solver *solver, tni_touch *touch, tni_touch_row *row,
                            double x) {
    double work = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        if (touch->ends[e].is_loose) {
            const double *j = row->jacobian[e];
            touch_weigh(solver, row, &touch->ends[e], e);
            work += x * (tni_touch_get_end_speed(touch->ends[e].motion, j) +
                         0.5 * x * touch_dot6(j, row->weighted[e]));
            work += tni_touch_get_stiffened(solver, touch, row, e, x);
            touch_push_motion(touch->ends[e].motion, row->weighted[e], x);
        }
    }
    return work;
}

double tni_touch_get_shift(const tni_touch *touch, const tni_touch_row *row) {
    double sum = 0.0;
    for (uint32_t e = 0; e < 2; ++e) {
        const double *shift = touch->ends[e].shift;
        sum += shift != NULL ? touch_dot6(row->jacobian[e], shift) : 0.0;
    }
    return sum;
}

void tni_touch_shift(tni_touch *touch, const tni_touch_row *row, double x) {
    for (uint32_t e = 0; e < 2 && x != 0.0; ++e) {
        const tni_touch_end *end = &touch->ends[e];
        if (end->is_loose) {
            for (uint32_t c = 0; c < 6; ++c) {
                end->shift[c] += x * row->weighted[e][c];
            }
        } else if (row->columns[e] != NULL) {
            uint32_t count = 6 * end->mechanism->moving_count;
            const double *restrict column = row->columns[e];
            double *restrict shift = end->mechanism->touch.shift;
            for (uint32_t c = 0; c < count; ++c) {
                shift[c] += x * column[c];
            }
        }
    }
}
