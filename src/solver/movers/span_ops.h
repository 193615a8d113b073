// solver/movers/span_ops.h: what the solver asks of spans, and of bodies that are given by
// coordinates.
//
// Only the files that make them (world/joints/joint_function.c, world/movers/reduced.c) name the
// table below, so that a linker drops this code from programs without spans. A step without spans
// has no table.
#ifndef TNI_SOLVER_MOVERS_SPAN_OPS_H
#define TNI_SOLVER_MOVERS_SPAN_OPS_H

#include "solver/solver.h"
#include "solver/step/breaking.h"

// The phases of a substep: see solver/movers/span.h, closing.h, span_contact.h and reduced.h.
typedef struct tni_span_ops {
    void (*refresh)(tni_solver *solver);
    void (*warm_start)(tni_solver *solver, bool is_first_half);
    void (*sweep)(tni_solver *solver, bool use_bias);
    void (*store)(tni_solver *solver);
    bool (*break_worst)(tni_solver *solver);
    void (*accept)(tni_solver *solver);
    void (*sweep_marked)(tni_solver *solver);

    void (*refresh_closings)(tni_solver *solver);
    void (*close)(tni_solver *solver);
    void (*sweep_closings)(tni_solver *solver, bool use_bias);
    void (*sweep_marked_closings)(tni_solver *solver);

    void (*start_contacts)(tni_solver *solver);
    void (*refresh_contacts)(tni_solver *solver);
    void (*warm_start_contacts)(tni_solver *solver, bool is_first_half);
    void (*sweep_contacts)(tni_solver *solver, bool use_bias);
    void (*store_contacts)(tni_solver *solver);
    void (*finish_contacts)(tni_solver *solver);
    void (*begin_impacts)(tni_solver *solver);
    bool (*solve_impacts)(tni_solver *solver);

    void (*start_reduced)(tni_solver *solver);
    void (*kick_reduced)(tni_solver *solver);
    void (*collect_reduced)(tni_solver *solver);
    void (*drift_reduced)(tni_solver *solver);

    // These enclose a phase whose work is measured: see solver/step/work.c.
    void (*begin_phase)(tni_solver *solver);
    void (*end_phase)(tni_solver *solver, bool is_first_half);
    void (*measure_reduced)(tni_solver *solver);

    // Spans in mechanisms, and their breaking: see solver/exact/mechanism_span.h.
    const struct tni_mechanism_span_ops *in_mechanism;
    bool (*weigh_in_mechanisms)(tni_solver *solver, tni_look look);
    void (*break_in_mechanisms)(tni_solver *solver, tni_look look);
    void (*accept_in_mechanisms)(tni_solver *solver);
    void (*end_substep_in_mechanisms)(tni_solver *solver);
} tni_span_ops;

extern const tni_span_ops tni_spans_ops;

#endif
