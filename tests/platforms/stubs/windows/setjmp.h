// A stub: see tests/platforms/check_syntax.sh.
typedef struct jmp_buf {
    long long words[32];
} jmp_buf[1];
