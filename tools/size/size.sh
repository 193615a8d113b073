#!/usr/bin/env bash
# What the library weighs, beside its budgets: seconds of a clean build, the shared library, and
# WebAssembly of everything and of what a plain game uses. Use: size.sh BUILD_FOLDER [--check]. With
# --check it fails where a size is more than 3 % over its budget (seconds depend on the machine).
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
check="${2:-}"
failed=0
library_only=(-DTENON_BUILD_TESTS=OFF -DTENON_BUILD_TOOL=OFF -DTENON_BUILD_DEMOS=OFF
    -DTENON_BUILD_BENCH=OFF)
generator="Unix Makefiles"
if command -v ninja > /dev/null; then
    generator=Ninja
fi

# A game with bodies, contacts, queries and the common joints.
common='world|body|shape|sphere|box|capsule|hull|material|filter|joint|ball|hinge|slider|fixed|distance|wheel|mouse|get'

# build NAME OPTIONS...
build() {
    local name="$1"
    shift
    rm -rf "${folder:?}/$name"
    cmake -G "$generator" -S "$root" -B "$folder/$name" -DCMAKE_BUILD_TYPE=Release "${library_only[@]}" \
        "$@" > "$folder/$name.log" 2>&1 &&
        CCACHE_DISABLE=1 cmake --build "$folder/$name" --parallel "$(nproc)" >> "$folder/$name.log" 2>&1 ||
        { cat "$folder/$name.log"; exit 1; }
}

# report WHAT FIGURE UNIT BUDGET [counts]
report() {
    local verdict=""
    if awk "BEGIN { exit !($2 > 1.03 * $4) }"; then
        verdict="over"
        [[ ${5:-} == counts ]] && failed=1
    fi
    printf '%-52s %9.1f %-4s budget %7.1f  %s\n' "$1" "$2" "$3" "$4" "$verdict"
}

# link NAME PATTERN: a module that exports the public functions whose first word is of the pattern.
link() {
    local exports=()
    mapfile -t exports < <(llvm-nm --defined-only "$folder/wasm/libtenon.a" 2> /dev/null |
        awk -v words="^tn_($2)(_|\$)" '$2 == "T" && $3 ~ words { print "-Wl,--export=" $3 }' | sort -u)
    clang --target=wasm32-wasi -nostartfiles -Wl,--no-entry,--gc-sections,--strip-all,-O2 "${exports[@]}" \
        "$folder/wasm/libtenon.a" -lm -o "$folder/$1.wasm"
    node "$root/tools/size/brotli.mjs" "$folder/$1.wasm"
}

kilobytes() {
    awk "BEGIN { print $1 / 1000 }"
}

begin=$SECONDS
build shared -DBUILD_SHARED_LIBS=ON
report "clean build, seconds on $(nproc) cores" $((SECONDS - begin)) s 60
begin=$SECONDS
build developer -DTENON_AVX2=OFF
report "clean build, one vector width" $((SECONDS - begin)) s 40
strip -o "$folder/libtenon.so" "$(readlink -f "$folder/shared/libtenon.so")"
report "shared library, stripped" "$(kilobytes "$(stat -c %s "$folder/libtenon.so")")" kB 2200 counts

# A cross compiler must not see this machine's own headers: cglm's alone.
cglm="$("$root/tools/find_cglm.sh")"
mkdir -p "$folder/include"
ln -sfn "$cglm/cglm" "$folder/include/cglm"
build wasm --toolchain "$root/cmake/toolchains/wasm32-wasi.cmake" -DCMAKE_C_FLAGS=-msimd128 \
    -DTENON_CGLM_INCLUDE_DIR="$folder/include"
read -r raw packed < <(link everything '[a-z0-9]+')
report "WebAssembly of everything, brotli (raw $((raw / 1000)) kB)" "$(kilobytes "$packed")" kB 340 counts
read -r raw packed < <(link common "$common")
report "WebAssembly of a plain game, brotli (raw $((raw / 1000)) kB)" "$(kilobytes "$packed")" kB 210 counts
clang --target=wasm32-wasi -O2 -msimd128 -I"$root/include" -c "$root/tools/size/pyramid.c" -o "$folder/pyramid.o"
clang --target=wasm32-wasi "$folder/pyramid.o" "$folder/wasm/libtenon.a" -lm -o "$folder/pyramid.wasm"
printf '%-52s %s\n' "pyramid of 30 in node" \
    "$(node --single-threaded --no-warnings "$root/tests/platforms/run_wasi.mjs" "$folder/pyramid.wasm")"
[[ $check != --check || $failed -eq 0 ]]
