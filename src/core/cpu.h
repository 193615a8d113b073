// core/cpu.h: asks for the abilities of this CPU beyond others of its kind.
//
// The library is built for any CPU of a kind. If inner loops were built for AVX2 too (the files
// *_wide.c, see core/wide.h), a world asks once when it is made.
#ifndef TNI_CORE_CPU_H
#define TNI_CORE_CPU_H

#include "core/base.h"

// Returns true if there are inner loops for AVX2 beside the others, and CPU and system can run
// them.
bool tni_cpu_has_avx2(void);

// Returns the name of the vector unit that inner loops run on.
const char *tni_cpu_get_unit(bool uses_avx2);

#endif
