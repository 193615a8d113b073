// A stub: see tests/platforms/check_syntax.sh.
int sched_yield(void);
