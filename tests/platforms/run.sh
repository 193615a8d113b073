#!/usr/bin/env bash
# The golden hashes on other platforms: 64-bit ARM under an emulator, Windows where wine is, WebAssembly
# with SIMD and in plain C under node. On Windows a DLL gives them, on one to four workers, and the tests
# of threads run too. And the sources are in the language of compilers that are not here.
# Use: run.sh BUILD_FOLDER. The packages are listed in ./dev.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
folder="$1"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"
failed=0
generator="Unix Makefiles"
if command -v ninja > /dev/null; then
    generator=Ninja
fi

# A cross compiler must not see this machine's own headers: cglm's alone.
cglm="$("$root/tools/find_cglm.sh")"
mkdir -p "$folder/include"
ln -sfn "$cglm/cglm" "$folder/include/cglm"

# Bits do not depend on how well a compiler optimises: WebAssembly with SIMD is what a web page loads,
# most of it at -Oz (cmake/tenon_hot.cmake). The others are at -O1, which takes a compiler half the time
# of -O3, and what is only compiled at -O0. So are the scenes, but not on Windows: there -O0 calls
# the C library for what gcc else computes, and two hashes of ragdolls differ.
# build NAME TOOLCHAIN LEVEL C_FLAGS TARGET OPTION...
build() {
    cmake -G "$generator" -S "$root" -B "$folder/$1" -DCMAKE_BUILD_TYPE=Release \
        --toolchain "$root/cmake/toolchains/$2.cmake" \
        -DCMAKE_C_FLAGS_RELEASE="$3 -DNDEBUG" -DCMAKE_C_FLAGS="$4" \
        -DTENON_CGLM_INCLUDE_DIR="$folder/include" -DTENON_BUILD_PLATFORM_TEST=ON \
        -DTENON_BUILD_TESTS=OFF -DTENON_BUILD_TOOL=OFF -DTENON_BUILD_DEMOS=OFF \
        -DTENON_BUILD_BENCH=OFF -DTENON_WERROR=ON "${@:6}" > "$folder/$1.log" 2>&1 &&
        cmake --build "$folder/$1" --parallel "$(nproc)" --target "$5" \
            >> "$folder/$1.log" 2>&1 && return
    cat "$folder/$1.log"
    echo "platforms: $1 does not build"
    exit 1
}

# Runs a command beside the builds that follow, of which each leaves a processor idle now and then:
# beside NAME COMMAND...
names=()
processes=()
beside() {
    "${@:2}" > "$folder/$1.out" 2>&1 &
    processes+=($!)
    names+=("$1")
}

# Says what those said, in their order.
wait_for_all() {
    local i
    for i in "${!names[@]}"; do
        wait "${processes[$i]}" || failed=1
        cat "$folder/${names[$i]}.out"
    done
}

# build_wasm NAME UNIT LEVEL C_FLAGS
build_wasm() {
    build "$1" wasm32-wasi "$3" "$4" tenon_platform_hashes -DTENON_PLAIN_SCENES=ON
    # On one thread: node ends with a fault now and then where it is still compiling when the program
    # is done, after the result was printed.
    beside "$1" node --single-threaded --no-warnings "$root/tests/platforms/run_wasi.mjs" \
        "$folder/$1/tenon_platform_hashes" "$2" 1
}

# What a DLL exports is what the public headers declare.
check_exports() {
    x86_64-w64-mingw32-objdump -p "$folder/windows/libtenon.dll" |
        sed -n '/Name Pointer\] Table/,/^$/s/^\t\[ *[0-9]*\] //p' | sort > "$folder/exports"
    "$root/tools/list_functions.sh" | diff - "$folder/exports" > "$folder/exports.diff" && return
    sed -n 's/^< /declared but not exported: /p; s/^> /exported but not declared: /p' "$folder/exports.diff"
    failed=1
}

# wine starts once for all of them: the first program keeps it awake.
run_on_windows() {
    local name unit=SSE2 hashes failed=0
    if grep -q '^flags.* avx2 ' /proc/cpuinfo; then
        unit=AVX2
    fi
    export WINEPREFIX="$folder/wine" WINEDEBUG=-all
    wine "$folder/windows/tenon_platform_hashes.exe" "$unit" 4 2> "$folder/wine.log" &
    hashes=$!
    for name in test_tasks test_queries test_hulls test_workers; do
        wine "$folder/windows/$name.exe" 2> "$folder/wine-$name.log" || {
            cat "$folder/wine-$name.log"
            echo "platforms: $name fails on Windows"
            failed=1
        }
    done
    wait "$hashes" || failed=1
    return $failed
}

# Configures for 32-bit x86, which has two units for sums. Says whether CMake refuses the one that is asked for.
is_refused() {
    rm -rf "$folder/x86"
    cmake -G "$generator" -S "$root" -B "$folder/x86" -DCMAKE_C_COMPILER=clang \
        -DCMAKE_C_COMPILER_TARGET=i686-linux-gnu -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
        "-DCMAKE_C_FLAGS=-ffreestanding $1" -DTENON_CGLM_INCLUDE_DIR="$folder/include" \
        > "$folder/x86.log" 2>&1
    grep -q 'round every sum' "$folder/x86.log"
}

# Compiles where structs, enums and constants are as described: check_layouts NAME COMPILER...
check_layouts() {
    "${@:2}" -std=c17 "-I$root/include" -fsyntax-only "$folder/layouts.c" 2> "$folder/layouts.log" && return
    head -n 20 "$folder/layouts.log"
    echo "platforms: the interface lies in another way for $1"
    failed=1
}

python3 "$root/tests/platforms/write_layouts.py" "$folder/layouts.c"
check_layouts "gcc" gcc
check_layouts "64-bit ARM" aarch64-linux-gnu-gcc
check_layouts "Windows" x86_64-w64-mingw32-gcc
check_layouts "WebAssembly" clang --target=wasm32-wasi -isystem /usr/include/wasm32-wasi
"$root/tests/platforms/check_syntax.sh" "$folder/include" "$folder/layouts.c" || failed=1
if ! is_refused -mno-sse || is_refused -msse2; then
    cat "$folder/x86.log"
    echo "platforms: CMake has to refuse 32-bit x86 without SSE2, and with SSE2 to take it"
    failed=1
fi

build arm aarch64-linux-gnu -O1 "" tenon_platform_hashes -DTENON_PLAIN_SCENES=ON
beside arm qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/arm/tenon_platform_hashes" NEON 1
level=-O0
if command -v wine > /dev/null; then
    level=-O1
fi
build windows x86_64-w64-mingw32 "$level" "" tenon_platform_tests -DBUILD_SHARED_LIBS=ON
check_exports
if command -v wine > /dev/null; then
    beside windows run_on_windows
else
    echo "wine is not installed: the library builds for Windows, and its hashes were not tried (apt install wine64)"
fi
build_wasm wasm-simd "WebAssembly SIMD" -O3 -msimd128
build_wasm wasm none -O1 ""
wait_for_all
exit $failed
