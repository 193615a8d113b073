// solver/exact.h: the steps of exact mechanisms, for any CPU or for AVX2: see solver/exact_wide.c.
#ifndef TNI_SOLVER_EXACT_H
#define TNI_SOLVER_EXACT_H

#include "solver/solver.h"

// One of tni_mechanisms_start, _run, _run_alone, _settle and _store.
#ifdef TNI_HAS_AVX2_KERNELS
void tni_mechanisms_start_avx2(tni_solver *solver);
void tni_mechanisms_run_avx2(tni_solver *solver);
bool tni_mechanisms_run_alone_avx2(tni_solver *solver);
void tni_mechanisms_settle_avx2(tni_solver *solver);
void tni_mechanisms_store_avx2(tni_solver *solver);
#define TNI_EXACT_CALL(name, solver) ((solver)->uses_avx2 ? name##_avx2(solver) : name(solver))
#else
#define TNI_EXACT_CALL(name, solver) name(solver)
#endif

#endif
