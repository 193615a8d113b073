// A stub: see tests/platforms/check_syntax.sh.
#undef assert
void stub_fail(const char *text);
#define assert(condition) ((condition) ? (void)0 : stub_fail(#condition))
