// A stub: see tests/platforms/check_syntax.sh.
