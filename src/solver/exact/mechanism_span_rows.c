// solver/exact/mechanism_span_rows.c: what the rows of a mechanism's spans have beside their
// bodies: E, right sides, impulses, and what is put back where a stage fails.
//
// As of joints: solver/exact/mechanism_stage.c, solver/exact/mechanism_project.c,
// solver/exact/mechanism_run.c. Test: tests/solver/exact/test_mechanism_span.c
#include "solver/exact/mechanism_span.h"

// A limit that takes no part has an E this many times its own response.
#define SPAN_OUT 1e12
// m or another unit of C: a limit passed by less is where it should be.
#define SPAN_PASSED 1e-9
// m/s and so on: a speed into a limit that is round-off.
#define SPAN_TINY_SPEED 1e-12

const tni_body_motion *tni_mechanism_span_get_motion(const tni_mechanism *mechanism, uint32_t body,
                                                     tni_mechanism_pose pose) {
    static const tni_body_motion at_rest = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    if (body == TNI_NONE) {
        return &at_rest;
    }
    const tni_mechanism_body *record = &mechanism->bodies[body];
    return pose == TNI_MECHANISM_START ? &record->motion
           : pose == TNI_MECHANISM_END ? &record->end
                                       : &record->middle;
}

static double span_dot_motion(const double j[6], const tni_body_motion *motion) {
    return dvec3_dot(dvec3_make(j[0], j[1], j[2]), motion->velocity) +
           dvec3_dot(dvec3_make(j[3], j[4], j[5]), motion->angular_velocity);
}

double tni_mechanism_span_get_speed(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                                    uint32_t row, tni_mechanism_pose pose) {
    double speed = 0.0;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        speed += span_dot_motion(tni_mechanism_span_at(span, row, i),
                                 tni_mechanism_span_get_motion(mechanism, span->bodies[i], pose));
    }
    return speed;
}

void tni_mechanism_spans_scale(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            double scale = 0.0;
            for (uint32_t i = 0; i < span->span->body_count; ++i) {
                if (span->bodies[i] >= mechanism->moving_count) {
                    continue; // it does not move, or is the world
                }
                const tni_mechanism_body *body = &mechanism->bodies[span->bodies[i]];
                const double *j = tni_mechanism_span_at(span, r, i);
                tni_dvec3 lin = dvec3_make(j[0], j[1], j[2]), ang = dvec3_make(j[3], j[4], j[5]);
                scale += body->inv_mass * dvec3_dot(lin, lin) +
                         dvec3_dot(ang, dmat3_mul_vec(&body->block.inertia, ang));
            }
            span->rows[r].scale = scale > DBL_MIN ? scale : 1.0;
        }
    }
}

void tni_mechanism_spans_soften(tni_mechanism *mechanism, double share) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->softness = (row->is_out ? SPAN_OUT : share) * row->scale;
    }
}

// ---- right sides -------------------------------------------------------------------------------

static void spans_measure(const tni_mechanism *mechanism, tni_mechanism_pose pose) {
    if (mechanism->spans.count > 0) {
        mechanism->spans.ops->measure(mechanism, pose);
    }
}

void tni_mechanism_spans_begin(tni_mechanism *mechanism) {
    spans_measure(mechanism, TNI_MECHANISM_START);
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->passed = row->is_limit ? maths_min_d(row->measured, 0.0) : 0.0;
    }
}

void tni_mechanism_spans_fill_ends(tni_mechanism *mechanism, double inv_h) {
    spans_measure(mechanism, TNI_MECHANISM_END);
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        double error = row->measured - row->passed;
        row->unknown = row->is_out ? 0.0 : error * inv_h + row->softness * row->impulse;
    }
}

void tni_mechanism_spans_fill_poses(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].unknown = mechanism->spans.rows[r].error;
    }
}

void tni_mechanism_spans_fill_rest(tni_mechanism *mechanism) {
    spans_measure(mechanism, TNI_MECHANISM_START);
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        bool rests = row->is_limit && (row->is_out || row->measured > 0.0);
        row->unknown = rests ? 0.0 : row->measured;
    }
}

void tni_mechanism_spans_fill_speeds(tni_mechanism *mechanism, double inv_h) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            tni_mechanism_span_row *row = &span->rows[r];
            row->unknown =
                tni_mechanism_span_get_speed(mechanism, span, r, TNI_MECHANISM_START) + row->rate;
            row->unknown += row->is_limit && row->error > 0.0 ? row->error * inv_h : 0.0;
        }
    }
}

void tni_mechanism_spans_clear(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].unknown = 0.0;
    }
}

// ---- errors ------------------------------------------------------------------------------------

double tni_mechanism_spans_get_emitted_error(const tni_mechanism *mechanism) {
    double worst = 0.0;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        const tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        worst = row->is_limit ? worst : maths_max_d(worst, fabs(row->error));
    }
    return worst;
}

double tni_mechanism_spans_get_error(const tni_mechanism *mechanism) {
    double worst = 0.0;
    spans_measure(mechanism, TNI_MECHANISM_START);
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        const tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        worst = row->is_limit ? worst : maths_max_d(worst, fabs(row->measured + row->rest));
    }
    return worst;
}

void tni_mechanism_spans_note_rests(tni_mechanism *mechanism) {
    spans_measure(mechanism, TNI_MECHANISM_START);
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->rest += row->is_limit ? 0.0 : row->measured;
    }
}

// ---- impulses ----------------------------------------------------------------------------------

void tni_mechanism_span_push(tni_mechanism *mechanism, uint32_t index, const double j[6],
                             double x) {
    if (index < mechanism->moving_count) {
        tni_mechanism_body *body = &mechanism->bodies[index];
        body->linear = dvec3_add_scaled(body->linear, x, dvec3_make(j[0], j[1], j[2]));
        body->angular = dvec3_add_scaled(body->angular, x, dvec3_make(j[3], j[4], j[5]));
    }
}

void tni_mechanism_spans_apply(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            for (uint32_t i = 0; i < span->span->body_count; ++i) {
                tni_mechanism_span_push(mechanism, span->bodies[i],
                                        tni_mechanism_span_at(span, r, i), span->rows[r].impulse);
            }
        }
    }
}

void tni_mechanism_spans_update(tni_mechanism *mechanism, double times) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].impulse += times * mechanism->spans.rows[r].unknown;
    }
}

void tni_mechanism_spans_scale_impulses(tni_mechanism *mechanism, double factor) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        double *impulse = &mechanism->spans.rows[r].impulse;
        *impulse = factor > 0.0 ? factor * *impulse : 0.0;
    }
}

// Returns the work, J, that an impulse x along a row does on bodies that its rows do not move.
static double spans_get_lead(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                             uint32_t r, double x) {
    double work = 0.0;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        uint32_t body = span->bodies[i];
        if (body != TNI_NONE && body >= mechanism->moving_count) {
            const tni_body_motion *motion = &mechanism->bodies[body].motion;
            tni_dvec3 v = motion->velocity, w = motion->angular_velocity;
            const double *j = tni_mechanism_span_at(span, r, i);
            const double twist[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
            work += x * tni_mechanism_dot6(j, twist);
        }
    }
    return work;
}

static void spans_note_row(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                           uint32_t r, double x) {
    span->rows[r].sum += x;
    span->rows[r].lead += spans_get_lead(mechanism, span, r, x);
}

void tni_mechanism_spans_note(tni_mechanism *mechanism, double share) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            spans_note_row(mechanism, span, r, share * span->rows[r].impulse);
        }
    }
}

void tni_mechanism_spans_note_unknowns(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            spans_note_row(mechanism, span, r, span->rows[r].unknown);
        }
    }
}

// ---- limits ------------------------------------------------------------------------------------

bool tni_mechanism_spans_have_limits(const tni_mechanism *mechanism) {
    bool any = false;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        any |= mechanism->spans.rows[r].is_limit;
    }
    return any;
}

void tni_mechanism_spans_meet(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->is_out = row->is_out && !(row->error < -SPAN_PASSED);
    }
}

bool tni_mechanism_spans_let_go(tni_mechanism *mechanism) {
    bool changed = false;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        if (row->is_limit && !row->is_out && row->impulse < 0.0) {
            row->impulse = 0.0;
            row->is_out = changed = true;
        }
    }
    return changed;
}

void tni_mechanism_spans_leave_limits(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->impulse = row->is_limit && row->is_out ? 0.0 : row->impulse;
    }
}

// J v with the changes in place, and what the time does.
static double span_get_new_speed(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                                 uint32_t r) {
    double speed =
        tni_mechanism_span_get_speed(mechanism, span, r, TNI_MECHANISM_START) + span->rows[r].rate;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        if (span->bodies[i] < mechanism->moving_count) {
            speed += tni_mechanism_dot6(tni_mechanism_span_at(span, r, i),
                                        mechanism->bodies[span->bodies[i]].change);
        }
    }
    return speed;
}

bool tni_mechanism_spans_change_limits(tni_mechanism *mechanism, double inv_h) {
    bool changed = false;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            tni_mechanism_span_row *row = &span->rows[r];
            double open = row->error > 0.0 ? row->error * inv_h : 0.0;
            bool passes = span_get_new_speed(mechanism, span, r) + open < -SPAN_TINY_SPEED;
            bool pulls = 2.0 * row->impulse + row->unknown < 0.0;
            if (row->is_limit && (row->is_out ? passes : pulls)) {
                row->is_out = !row->is_out;
                changed = true;
            }
        }
    }
    return changed;
}

void tni_mechanism_spans_set_limits(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            float x = span->shape != NULL ? maths_to_float(span->span->rope->own->tensions[0])
                                          : span->span->rows[r].state.impulse;
            span->rows[r].is_out =
                span->rows[r].is_limit && (mechanism->traits.alternates || !(x > 0.0f));
        }
    }
}

// ---- what is put back --------------------------------------------------------------------------

void tni_mechanism_spans_keep_stage(tni_mechanism *mechanism) {
    mechanism->times.before = mechanism->times.now;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum_before = mechanism->spans.rows[r].sum;
        mechanism->spans.rows[r].lead_before = mechanism->spans.rows[r].lead;
    }
}

void tni_mechanism_spans_put_stage_back(tni_mechanism *mechanism) {
    mechanism->times.now = mechanism->times.before;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum = mechanism->spans.rows[r].sum_before;
        mechanism->spans.rows[r].lead = mechanism->spans.rows[r].lead_before;
    }
}

void tni_mechanism_spans_keep(tni_mechanism *mechanism) {
    mechanism->times.kept = mechanism->times.now;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum_kept = mechanism->spans.rows[r].sum;
        mechanism->spans.rows[r].lead_kept = mechanism->spans.rows[r].lead;
        mechanism->spans.rows[r].impulse_kept = mechanism->spans.rows[r].impulse;
    }
}

void tni_mechanism_spans_put_back(tni_mechanism *mechanism, double share) {
    mechanism->times.now = mechanism->times.kept;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum = mechanism->spans.rows[r].sum_kept;
        mechanism->spans.rows[r].lead = mechanism->spans.rows[r].lead_kept;
        mechanism->spans.rows[r].impulse = share * mechanism->spans.rows[r].impulse_kept;
    }
}
