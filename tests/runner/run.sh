#!/usr/bin/env bash
# Checks that the runner of sanitized tests, suite_runner.c, tells each way in which a test ends:
# tests/runner/run.sh FOLDER builds sample.c there.
set -euo pipefail
here="$(dirname "${BASH_SOURCE[0]}")"
folder="$1"
mkdir -p "$folder"

gcc -g -O0 -fsanitize=address "$here/sample.c" "$here/suite_runner.c" -lcriterion -o "$folder/sample"
if "$folder/sample" -j1 > "$folder/said" 2> "$folder/sanitizer"; then
    echo "runner: a program with failing tests ended well"
    exit 1
fi
sed "s|$here/||" "$folder/said" | diff - "$here/expected.txt"
grep -q 'SEGV' "$folder/sanitizer"
grep -q '16 byte(s) leaked' "$folder/sanitizer"

"$folder/sample" --filter '*/!([a-f]_*|is_found*)' > "$folder/said"
grep -q 'Tested: 2 | Passing: 2 | Failing: 0 | Crashing: 0' "$folder/said"
echo "runner: every way in which a test ends is told"
