// A stub: see tests/platforms/check_syntax.sh.
#include <stdint.h>

uintptr_t _beginthreadex(void *security, unsigned stack_size, unsigned(__stdcall *run)(void *),
                         void *argument, unsigned flags, unsigned *out_id);
