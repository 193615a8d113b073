// core/timer.h: a monotonic clock, for telemetry only: no result ever depends on it.
#ifndef TNI_CORE_TIMER_H
#define TNI_CORE_TIMER_H

// Returns the milliseconds since some fixed point in the past.
double tni_timer_ms(void);

#endif
