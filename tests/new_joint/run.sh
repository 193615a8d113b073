#!/usr/bin/env bash
# Adds the joint of docs/adding_a_joint.md to a copy of the library, as the page says, and tries it.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
temp="$(mktemp -d)"
trap 'rm -rf "$temp"' EXIT
generator="Unix Makefiles"
if command -v ninja > /dev/null; then
    generator=Ninja
fi

mkdir -p "$temp/tenon/tests"
cp -r "$root/CMakeLists.txt" "$root/cmake" "$root/include" "$root/src" "$temp/tenon"
cp -r "$root/tests/joints" "$temp/tenon/tests"
python3 "$root/tests/new_joint/add.py" "$root/docs/adding_a_joint.md" "$temp/tenon"

# What a joint does is the same at any level of optimisation.
cmake -G "$generator" -S "$temp/tenon" -B "$temp/build" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG="-O0" -DTENON_WERROR=ON -DTENON_AVX2=OFF -DTENON_BUILD_TESTS=OFF \
    -DTENON_BUILD_TOOL=OFF -DTENON_BUILD_DEMOS=OFF -DTENON_BUILD_BENCH=OFF > "$temp/log" 2>&1 &&
    cmake --build "$temp/build" --parallel "$(nproc)" --target tenon >> "$temp/log" 2>&1 || {
    cat "$temp/log"
    echo "new_joint: the library does not build with the joint of docs/adding_a_joint.md"
    exit 1
}
"${CC:-cc}" -std=c17 -O1 -ffp-contract=off -Wall -Wextra -Werror -I "$temp/tenon/include" \
    -I "$temp/tenon/src" -isystem "$("$root/tools/find_cglm.sh")" -I "$temp/tenon/tests/joints" \
    "$root/docs/adding_a_joint/try.c" "$temp/build/libtenon.a" -lm -lpthread -o "$temp/try"
"$temp/try"
