// solver/small_machine.c: which machines are small, and what they bring along.
//
// See solver/small_machine.h; the substeps are in solver/small_machine_wide.c. A body's axes are
// here the principal ones: with P from these to the body's own, R_here = R P and a vector of the
// body is P^-1 times what it was. Test: tests/world/test_small_machine.c
#include "solver/small_machine.h"

#include <string.h>

#include "solver/joint_group.h"
#include "solver/pin.h"

// ---- which ------------------------------------------------------------------------------------

static bool small_takes_type(const tni_joint_block *block) {
    uint32_t rows = block->row_count, bounded = rows - block->equality_count;
    bool is_point = block->point_rows == TNI_PIN_POINT_ROWS;
    switch (block->joint->type) {
    case TN_JOINT_TYPE_HINGE:
        return is_point && block->turns == 2 && bounded <= 1;
    case TN_JOINT_TYPE_SLIDER:
        return block->point_rows == TNI_PIN_SLIDE_ROWS && block->turns == 3 && bounded == 0;
    case TN_JOINT_TYPE_BALL:
        return is_point && block->turns == 0 && bounded == 0;
    case TN_JOINT_TYPE_FIXED:
        return is_point && block->turns == 3 && bounded == 0;
    case TN_JOINT_TYPE_DISTANCE:
        return rows == 1;
    default:
        return false;
    }
}

// The row behind the equalities of a pin, or the only one of a line, as it is now; null where there
// is none.
static const tni_row *small_emit_last(const tni_solver *solver, const tni_joint_block *block) {
    const tni_body_motion *a = &solver->motions[block->body_a];
    const tni_body_motion *b = &solver->motions[block->body_b];
    tni_row *rows = solver->rows + block->first_row;
    if (block->point_rows == 0) {
        tni_joint_emit(block->joint, a, b, rows);
    } else if (block->row_count > block->equality_count) {
        tni_joint_emit_bounded(block->joint, a, b, rows);
    } else {
        return NULL;
    }
    return &rows[block->row_count - 1];
}

// A motor or friction of a hinge, a rope, a rod.
static bool small_takes_joint(const tni_solver *solver, const tni_joint_block *block) {
    if (!small_takes_type(block)) {
        return false;
    }
    const tni_row *row = small_emit_last(solver, block);
    if (row == NULL) {
        return true;
    }
    bool is_rope = row->kind == TNI_ROW_LIMIT && !(row->restitution > 0.0f);
    return block->point_rows > 0 ? row->kind == TNI_ROW_SPEED && row->group == 1
                                 : is_rope || row->kind == TNI_ROW_RIGID;
}

bool tni_small_machine_make(tni_solver *solver, tni_arena *arena) {
    solver->small = NULL;
    bool is_small = solver->joint_count >= 1 && solver->joint_count <= SMALL_LANES &&
                    solver->swept_count == solver->joint_count && solver->exact_count == 0 &&
                    solver->group_count == 0 && solver->gradients_count == 0 &&
                    solver->breakable_count == 0 && !solver->has_memories;
    for (uint32_t i = 0; i < solver->joint_count && is_small; ++i) {
        is_small = small_takes_joint(solver, &solver->joints[i]);
    }
    if (!is_small) {
        return true;
    }
    tni_small_machine *small = tni_arena_alloc_zeroed(arena, sizeof *small);
    void *room = tni_arena_alloc(arena, SMALL_ROOM);
    if (small == NULL || room == NULL) {
        return false;
    }
    small->room = room;
    solver->small = small;
    return true;
}

// Nothing else for Gauss-Seidel to do.
static bool small_is_alone(const tni_solver *solver) {
    return solver->mechanism_count == 0 && solver->contact_count == 0 &&
           solver->span_contact_count == 0 && solver->span_count == 0 &&
           solver->closing_count == 0 && solver->reduced_count == 0 && solver->forces == NULL &&
           !solver->measures_work;
}

// ---- bodies -----------------------------------------------------------------------------------

static bool small_takes_body(const tni_body_mass *mass) {
    return mass->locks == 0 && !mass->has_torque && !mass->has_damping && !mass->stops &&
           mass->inertia->inverse > 0.0;
}

static bool small_is_still(const tni_body_motion *motion) {
    tni_dvec3 v = motion->velocity, w = motion->angular_velocity;
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0 && w.x == 0.0 && w.y == 0.0 && w.z == 0.0;
}

// Its place in a list of so many, a new one if it is not there, or one too many.
static uint32_t small_find(uint32_t *list, uint32_t *count, uint32_t body) {
    uint32_t i = 0;
    while (i < *count && list[i] != body) {
        i += 1;
    }
    if (i == *count && i < SMALL_LANES) {
        list[i] = body;
        *count += 1;
    }
    return i;
}

// The lane of an end's body. False where there is none.
static bool small_place_end(const tni_solver *solver, tni_small_machine *m, uint32_t body,
                            uint32_t *out_lane) {
    const tni_body_mass *mass = &solver->masses[body];
    bool moves = mass->is_dynamic;
    if (moves ? !small_takes_body(mass) : !small_is_still(&solver->motions[body])) {
        return false;
    }
    uint32_t lane = moves ? small_find(m->body, &m->body_count, body)
                          : small_find(m->fixed, &m->fixed_count, body);
    *out_lane = lane + (moves ? 0 : SMALL_LANES);
    return lane < SMALL_LANES;
}

static bool small_place_bodies(const tni_solver *solver, tni_small_machine *m) {
    m->body_count = m->fixed_count = 0;
    for (uint32_t l = 0; l < m->joint_count; ++l) {
        const tni_joint_block *block = &solver->joints[l];
        if (!small_place_end(solver, m, block->body_a, &m->end[l]) ||
            !small_place_end(solver, m, block->body_b, &m->end[SMALL_LANES + l]) ||
            m->end[l] == m->end[SMALL_LANES + l]) {
            return false;
        }
    }
    return m->body_count == solver->held_count;
}

static void small_load_body(const tni_solver *solver, tni_small_machine *m, uint32_t l) {
    const tni_body_mass *mass = &solver->masses[m->body[l]];
    const tni_inertia *inertia = mass->inertia;
    m->is_turned[l] = inertia->is_turned;
    m->has_turned = m->has_turned || inertia->is_turned;
    m->axes[l] = inertia->is_turned ? inertia->axes : dquat_identity();
    m->axis_i[l] = (double)inertia->axis_i;
    m->has_order = m->has_order || inertia->axis_i != 0;
    m->inverse[l] = inertia->inverse;
    m->ratio_j[l] = inertia->ratio_j;
    m->ratio_k[l] = inertia->ratio_k;
    m->rate_j[l] = inertia->rate_j;
    m->rate_k[l] = inertia->rate_k;
    m->has_unequal = m->has_unequal || inertia->rate_j != 0.0;
    m->acceleration[0][l] = mass->acceleration.x;
    m->acceleration[1][l] = mass->acceleration.y;
    m->acceleration[2][l] = mass->acceleration.z;
}

static void small_load_fixed(const tni_solver *solver, tni_small_machine *m, uint32_t l) {
    const tni_body_motion *motion = &solver->motions[m->fixed[l]];
    const double *x = &motion->position.x, *q = &motion->rotation.x;
    for (uint32_t c = 0; c < 3; ++c) {
        m->fixed_high[c][l] = (float)x[c];
        m->fixed_low[c][l] = (float)(x[c] - (double)m->fixed_high[c][l]);
    }
    for (uint32_t c = 0; c < 4; ++c) {
        m->fixed_rotation[c][l] = (float)q[c];
    }
}

// ---- joints -----------------------------------------------------------------------------------

// A vector of one end. By name: what (&v.x)[c] reads beyond x, compilers may take for unwritten.
static void small_set_end(small_ends numbers[3], uint32_t e, tni_dvec3 v) {
    numbers[0][e] = maths_to_float(v.x);
    numbers[1][e] = maths_to_float(v.y);
    numbers[2][e] = maths_to_float(v.z);
}

static void small_load_end(const tni_solver *solver, tni_small_machine *m, uint32_t e,
                           uint32_t body, const tni_dpose *frame) {
    tni_dvec3 origin = frame->position;
    tni_dquat rotation = frame->rotation;
    float mass = 0.0f;
    if (m->end[e] < SMALL_LANES) {
        mass = (float)solver->masses[body].inv_mass;
        if (m->is_turned[m->end[e]]) {
            tni_dquat axes = m->axes[m->end[e]];
            origin = dquat_rotate_inverse(axes, origin);
            rotation = dquat_mul(dquat_conjugate(axes), rotation);
        }
    }
    small_set_end(m->origin, e, origin);
    small_set_end(m->axis_x, e, dquat_axis_x(rotation));
    small_set_end(m->axis_y, e, dquat_axis_y(rotation));
    small_set_end(m->frame, e, (tni_dvec3){rotation.x, rotation.y, rotation.z});
    m->frame[3][e] = maths_to_float(rotation.w);
    m->mass[e] = mass;
    m->mass_of_solve[e] = e < SMALL_LANES ? mass : -mass;
}

static void small_load_kind(const tni_joint_block *block, tni_small_machine *m, uint32_t l) {
    bool is_line = block->joint->type == TN_JOINT_TYPE_DISTANCE;
    bool slides = block->point_rows == TNI_PIN_SLIDE_ROWS;
    m->lines[l] = is_line ? 1.0f : 0.0f;
    m->holds[l] = 1.0f - m->lines[l];
    m->slides[l] = slides ? 1.0f : 0.0f;
    m->angles[l] = block->turns == 3 ? 1.0f : 0.0f;
    for (uint32_t k = 0; k < 3; ++k) {
        m->turns[k][l] = k < block->turns ? 1.0f : 0.0f;
    }
    m->at_world[l] = block->body_b == 0 ? 1.0f : 0.0f;
    m->slop[l] = block->slop;
    m->rate[l] = block->softness.rate;
    m->most[l] = block->max_speed;
    m->mass_scale[l] = block->softness.mass_scale;
    m->impulse_scale[l] = block->softness.impulse_scale;
    m->threshold[l] = block->stiffness_threshold;
    m->has_slides = m->has_slides || slides;
    m->has_angles = m->has_angles || block->turns == 3;
    m->has_lines = m->has_lines || is_line;
}

static void small_load_bounded(const tni_solver *solver, tni_small_machine *m, uint32_t l) {
    const tni_joint_block *block = &solver->joints[l];
    const tni_row *row = small_emit_last(solver, block);
    if (row == NULL) {
        return;
    }
    if (m->holds[l] != 0.0f) {
        m->twists[l] = 1.0f;
        m->motors[l] = row->role == TNI_ROLE_MOTOR ? 1.0f : 0.0f;
        m->target[l] = row->target_speed;
        m->cap[l] = row->max_force * solver->h;
        m->has_twists = true;
        return;
    }
    const tn_distance_joint_def *def = &block->joint->def.distance;
    bool is_rope = row->kind == TNI_ROW_LIMIT;
    m->ropes[l] = is_rope ? 1.0f : 0.0f;
    m->length[l] = is_rope ? def->limit.upper : def->length;
}

// ---- colors -----------------------------------------------------------------------------------

static bool small_has_end_at(const tni_small_machine *m, const struct small_color *color,
                             uint32_t body) {
    bool has = false;
    for (uint32_t e = 0; e < 2 * SMALL_LANES; ++e) {
        uint32_t l = e % SMALL_LANES;
        has = has || (l < m->joint_count && color->has[l] != 0.0f && m->end[e] == body);
    }
    return has;
}

static bool small_is_free_for(const tni_small_machine *m, const struct small_color *color,
                              uint32_t l) {
    for (uint32_t e = l; e < 2 * SMALL_LANES; e += SMALL_LANES) {
        if (m->end[e] < SMALL_LANES && small_has_end_at(m, color, m->end[e])) {
            return false;
        }
    }
    return true;
}

static void small_find_back(const tni_small_machine *m, struct small_color *color) {
    for (uint32_t e = 0; e < 2 * SMALL_LANES; ++e) {
        uint32_t l = e % SMALL_LANES, body = m->end[e];
        if (l < m->joint_count && color->has[l] != 0.0f && body < SMALL_LANES) {
            color->back[body] = e;
            color->gets[body] = 1.0f;
        }
    }
}

// The first color that has none of its bodies, in the order of the joints.
static void small_find_colors(tni_small_machine *m) {
    m->color_count = 0;
    memset(m->colors, 0, sizeof m->colors);
    for (uint32_t l = 0; l < m->joint_count; ++l) {
        uint32_t c = 0;
        while (c < m->color_count && !small_is_free_for(m, &m->colors[c], l)) {
            c += 1;
        }
        m->color_count = c < m->color_count ? m->color_count : c + 1;
        m->colors[c].has[l] = 1.0f;
    }
    for (uint32_t c = 0; c < m->color_count; ++c) {
        small_find_back(m, &m->colors[c]);
    }
}

// ---- edges ------------------------------------------------------------------------------------

// False where two joints share two bodies.
static bool small_add_edge(tni_small_machine *m, uint32_t source, uint32_t target) {
    uint32_t from = source % SMALL_LANES, to = target % SMALL_LANES, e = m->edge_count++;
    if ((m->ties[from] >> to & 1u) != 0) {
        return false;
    }
    m->ties[from] |= 1u << to;
    m->edge_source[e] = source;
    m->edge_target[e] = target;
    m->edge_place[e] = SMALL_LANES * from + to;
    m->edge_sign[e] = target < SMALL_LANES ? -1.0f : 1.0f;
    return true;
}

static bool small_find_edges(tni_small_machine *m) {
    for (uint32_t s = 0; s < 2 * SMALL_LANES; ++s) {
        for (uint32_t t = 0; t < 2 * SMALL_LANES; ++t) {
            uint32_t from = s % SMALL_LANES, to = t % SMALL_LANES;
            bool is_edge = from != to && from < m->joint_count && to < m->joint_count &&
                           m->end[s] == m->end[t] && m->end[s] < SMALL_LANES;
            if (is_edge && !small_add_edge(m, s, t)) {
                return false;
            }
        }
    }
    return true;
}

// How each row of a joint takes part: its point, its bounded row, its turns.
static void small_set_scales(tni_small_machine *m, uint32_t l) {
    m->is_bounded_row[SMALL_BOUNDED_ROW] = 1.0f;
    m->kind[l] = (m->holds[l] != 0.0f ? SMALL_HOLDS : 0u) |
                 (m->lines[l] + m->twists[l] != 0.0f ? SMALL_IS_BOUNDED : 0u);
    for (uint32_t r = 0; r < 7; ++r) {
        float has = r == SMALL_BOUNDED_ROW ? 0.0f : m->holds[l];
        m->mass_scales[0][l][r] = has;
        m->mass_scales[1][l][r] = has * m->mass_scale[l];
        m->impulse_scales[l][r] = has * m->impulse_scale[l];
    }
}

// ---- in and out -------------------------------------------------------------------------------

// What the last step had is there still, where nothing was changed.
static bool small_load(const tni_solver *solver, tni_small_machine *m) {
    void *room = m->room;
    memset(m, 0, sizeof *m);
    m->room = room;
    m->joint_count = solver->joint_count;
    if (!small_place_bodies(solver, m)) {
        return false;
    }
    for (uint32_t l = 0; l < m->body_count; ++l) {
        small_load_body(solver, m, l);
    }
    for (uint32_t l = 0; l < m->fixed_count; ++l) {
        small_load_fixed(solver, m, l);
    }
    for (uint32_t l = 0; l < m->joint_count; ++l) {
        const tni_joint_block *block = &solver->joints[l];
        small_load_end(solver, m, l, block->body_a, &block->joint->frame_a);
        small_load_end(solver, m, SMALL_LANES + l, block->body_b, &block->joint->frame_b);
        small_load_kind(block, m, l);
        small_load_bounded(solver, m, l);
        small_set_scales(m, l);
    }
    if (!small_find_edges(m)) {
        return false;
    }
    m->has_bounded = m->has_lines || m->has_twists;
    small_find_colors(m);
    m->is_loaded = true;
    return true;
}

// Blocks as a step begins with them.
static void small_leave(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        tni_joint_block *block = &solver->joints[i];
        float impulses[TNI_JOINT_MAX_ROWS];
        for (uint32_t r = 0; r < block->row_count; ++r) {
            impulses[r] = solver->row_states[block->first_row + r].impulse;
        }
        if (tni_joint_block_size(block) > 0) {
            tni_joint_block_start(block, block->pin, impulses);
        }
    }
}

bool tni_small_machine_run(tni_solver *solver) {
    tni_small_machine *m = solver->small;
    if (m == NULL) {
        return false;
    }
    bool is_ready = small_is_alone(solver) && (solver->has_kept_small || small_load(solver, m));
    if (is_ready && WIDE_CALL(solver->uses_avx2, tni_small_machine_step, solver, m)) {
        return true;
    }
    m->is_loaded = m->has_rows = false;
    if (solver->has_kept_small) {
        small_leave(solver);
    }
    return false;
}
