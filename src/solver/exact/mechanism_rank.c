// solver/exact/mechanism_rank.c: finds which rows of a mechanism are redundant.
//
// They have a combination c that no body feels, J^T c = 0. The part of the matrix that the bodies
// leave,
//     S = J A^-1 J^T + E,   c^T S c = c^T E c,
// knows of it by E alone, which keeps dependent rows apart. The pivot of a row is the least of x^T
// S x over the x that are 1 there and 0 in the rows after it: that of the last row of c is
// proportional to E, the others stand. So the matrix is factored with E and with a part of E, and
// the rows are counted whose pivots shrink with it: as many as J lacks in rank. The result stands
// while the stages and projections of a step meet as many pivots of possibly dependent rows. That
// rank does not depend on the masses, but in double a slender link leaves as little to a row that
// stands for itself as E does, 1e-5 of its scale. So all bodies have the mass 1 here and turn alike
// about all axes. When a hub is torn (mechanism_tear.c) round-off is nearer to E, so a multiple of
// E is compared there, with a part that is not as small. Source: symmetric quasidefinite matrices:
// R. Vanderbei, SIAM J. Optim. 5(1), 1995.
// Test: tests/world/mechanisms/test_mechanism_rank.c
#include "solver/exact/mechanism.h"

// The part of E is a power of two, which loses no bit; a pivot that depends on E is smaller with it
// by this factor at least: the square root.
#define RANK_PART   (1.0 / 256.0)
#define RANK_SHRINK 16.0
// A mechanism with a torn hub is factored with this many times E, and with this many times its
// part.
#define RANK_MULTIPLE 16.0

// Sets unit masses; radii of gyration stay as they are in the mean.
static void rank_set_masses(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (body->inertia.inverse > 0.0) {
            double moment = inertia_trace(&body->inertia) / (3.0 * body->mass);
            tni_dmat3 round = {{{moment, 0.0, 0.0}, {0.0, moment, 0.0}, {0.0, 0.0, moment}}};
            body->inertia = tni_inertia_make(&round);
        }
        body->mass = body->inv_mass = 1.0;
    }
    mechanism->matrix.has_scales = false;
}

// Returns a link by its number: joints come first, then ties.
static tni_mechanism_joint *rank_get_link(const tni_mechanism *mechanism, uint32_t link) {
    return link < mechanism->joint_count ? &mechanism->joints[link]
                                         : &mechanism->ties[link - mechanism->joint_count];
}

// Returns the joint that has a link's rows: for a tie, the first one on its copy.
static tni_mechanism_joint *rank_get_joint(const tni_mechanism *mechanism, uint32_t link) {
    uint32_t joint = link < mechanism->joint_count
                         ? link
                         : mechanism->copies[link - mechanism->joint_count].place.ends[0] >> 1;
    return &mechanism->joints[joint];
}

// Returns true for rows that hold; springs yield, and so do rows at their cap and broken ones.
static bool rank_is_firm(const tni_mechanism_joint *joint, uint32_t r) {
    bool holds = r < joint->equality_count ||
                 (!joint->actors[r].is_out && joint->actors[r].kind != TNI_ACTOR_SPRING);
    return holds && !joint->is_broken;
}

static void rank_scale_softness(tni_mechanism_joint *joint, double factor) {
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        joint->softness[r] *= rank_is_firm(joint, r) ? factor : 1.0;
    }
}

static void rank_scale_all(const tni_mechanism *mechanism, double factor) {
    for (uint32_t i = 0; i < mechanism->joint_count + mechanism->copy_count; ++i) {
        rank_scale_softness(rank_get_link(mechanism, i), factor);
    }
}

// Finds 1/D of a link's first row in the last factorisation, and the unknown of that row.
static const double *rank_get_inverse(const tni_mechanism *mechanism, uint32_t link,
                                      uint32_t *out_step, uint32_t *out_unknown) {
    const tni_block_pattern *pattern = &mechanism->matrix.pattern;
    uint32_t position = pattern->position_of[mechanism->hub_count + link];
    *out_step = pattern->strides[position] + 1;
    *out_unknown = pattern->unknowns[position];
    return mechanism->matrix.values + pattern->diagonals[position];
}

static void rank_keep(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count + mechanism->copy_count; ++i) {
        uint32_t step, unknown;
        const double *inverse = rank_get_inverse(mechanism, i, &step, &unknown);
        for (uint32_t r = 0; r < rank_get_link(mechanism, i)->row_count; ++r) {
            mechanism->matrix.unknowns[unknown + r] = inverse[r * step];
        }
    }
}

// Counts the rows of a link whose D has shrunk from what was kept.
static uint32_t rank_count(const tni_mechanism *mechanism, uint32_t link) {
    uint32_t step, unknown, count = 0;
    const double *inverse = rank_get_inverse(mechanism, link, &step, &unknown);
    const tni_mechanism_joint *joint = rank_get_link(mechanism, link);
    for (uint32_t r = 0; r < joint->row_count; ++r) {
        double before = mechanism->matrix.unknowns[unknown + r];
        bool shrinks = -inverse[r * step] > -before * RANK_SHRINK;
        count += shrinks && rank_is_firm(joint, r) ? 1 : 0;
    }
    return count;
}

// Factors with `factor` times E.
static bool rank_factor(tni_mechanism *mechanism, double factor) {
    rank_scale_all(mechanism, factor);
    bool is_sound = tni_mechanism_factor(mechanism);
    rank_scale_all(mechanism, 1.0 / factor);
    return is_sound;
}

static void rank_find(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        mechanism->joints[i].dependent_rows = 0;
    }
    mechanism->matrix.found_rows = 0;
    rank_set_masses(mechanism);
    if (!tni_mechanism_project_start(mechanism, 0.0)) {
        return;
    }
    bool is_torn = mechanism->copy_count > 0;
    bool is_sound = !is_torn || rank_factor(mechanism, RANK_MULTIPLE);
    rank_keep(mechanism);
    is_sound = is_sound && rank_factor(mechanism, is_torn ? RANK_MULTIPLE * RANK_PART : RANK_PART);
    for (uint32_t i = 0; is_sound && i < mechanism->joint_count + mechanism->copy_count; ++i) {
        uint32_t count = rank_count(mechanism, i);
        rank_get_joint(mechanism, i)->dependent_rows += count;
        mechanism->matrix.found_rows += count;
    }
}

// Returns a key of the facts that would change the answer: how many pivots look dependent, and
// which rows hold.
static uint32_t rank_get_key(const tni_mechanism *mechanism) {
    uint32_t key = mechanism->report.dependent_rows;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            key = 31 * key + (rank_is_firm(joint, r) ? 1 : 0);
        }
    }
    return key;
}

void tni_mechanism_find_dependent(tni_mechanism *mechanism) {
    tni_mechanism_report *report = &mechanism->report;
    uint32_t key = rank_get_key(mechanism);
    if (report->dependent_rows > 0 && key != mechanism->matrix.found_key) {
        rank_find(mechanism);
    }
    bool any = report->dependent_rows > 0 && mechanism->matrix.found_rows > 0;
    mechanism->matrix.found_key = report->dependent_rows > 0 ? key : 0;
    mechanism->matrix.found_rows = any ? mechanism->matrix.found_rows : 0;
    report->dependent_rows = mechanism->matrix.found_rows;
    report->dependent_joint = TNI_NONE;
    for (uint32_t i = mechanism->joint_count; i-- > 0;) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        joint->dependent_rows = any ? joint->dependent_rows : 0;
        report->dependent_joint = joint->dependent_rows > 0 ? i : report->dependent_joint;
    }
}
