#!/usr/bin/env bash
# Builds examples/hello.c in every way a user may embed tenon, as C17 and as C++17, static and
# shared, and runs it; all must print the same. Everything happens in a temporary folder.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
temp="$(mktemp -d)"
trap 'rm -rf "$temp"' EXIT
passed=0
generator="Unix Makefiles"
if command -v ninja > /dev/null; then
    generator=Ninja
fi

quietly() {
    "$@" > "$temp/log" 2>&1 || {
        cat "$temp/log"
        echo "consumer: failed: $*"
        exit 1
    }
}

build() {
    local folder="$1"
    shift
    quietly cmake -G "$generator" -B "$folder" "$@"
    quietly cmake --build "$folder" --parallel "$(nproc)"
}

# The first output is the reference for all others.
expect_same_output() {
    local what="$1"
    shift
    quietly "$@"
    if [[ ! -s $temp/log ]]; then
        echo "consumer: $what printed nothing"
        exit 1
    fi
    if [[ ! -e $temp/expected ]]; then
        cp "$temp/log" "$temp/expected"
    fi
    diff "$temp/expected" "$temp/log" || {
        echo "consumer: $what printed something else than the first"
        exit 1
    }
    passed=$((passed + 1))
    echo "  passed: $what"
}

# One of them optimised, so that both print the same: they differ in how they are packed, and -O1 and
# -O0 take a half and a fourth of the time of -O3.
install_library() {
    local kind="$1" shared="$2" build_type="$3"
    build "$temp/$kind" -S "$root" -DCMAKE_BUILD_TYPE="$build_type" -DBUILD_SHARED_LIBS="$shared" \
        -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" \
        -DTENON_BUILD_TESTS=OFF -DTENON_BUILD_TOOL=OFF -DTENON_BUILD_DEMOS=OFF -DTENON_BUILD_BENCH=OFF \
        -DCMAKE_INSTALL_LIBDIR=lib
    quietly cmake --install "$temp/$kind" --prefix "$temp/built-$kind"
    # Moved after the install: a package must not remember where it was.
    mv "$temp/built-$kind" "$temp/prefix-$kind"
    export LD_LIBRARY_PATH="$temp/prefix-$kind/lib"
}

run_find_package() {
    local kind="$1"
    build "$temp/find-$kind" -S "$root/tests/consumer" -DHELLO="$root/examples/hello.c" \
        -DCMAKE_PREFIX_PATH="$temp/prefix-$kind"
    expect_same_output "find_package, $kind, C17" "$temp/find-$kind/hello_c"
    expect_same_output "find_package, $kind, C++17" "$temp/find-$kind/hello_cpp"
}

run_subdirectory() {
    build "$temp/sub" -S "$root/tests/consumer" -DHELLO="$root/examples/hello.c" \
        -DTENON_SUBDIRECTORY="$root" -DCMAKE_BUILD_TYPE=Debug
    expect_same_output "add_subdirectory, C17" "$temp/sub/hello_c"
    expect_same_output "add_subdirectory, C++17" "$temp/sub/hello_cpp"
}

run_pkg_config() {
    local kind="$1" flags
    flags="$(PKG_CONFIG_PATH="$temp/prefix-$kind/lib/pkgconfig" pkg-config --cflags --libs tenon)"
    # The flags are words to be split.
    # shellcheck disable=SC2086
    quietly gcc -std=c17 "$root/examples/hello.c" $flags -o "$temp/hello_c"
    expect_same_output "pkg-config, $kind, C17" "$temp/hello_c"
    # shellcheck disable=SC2086
    quietly g++ -std=c++17 -x c++ "$root/examples/hello.c" -x none $flags -o "$temp/hello_cpp"
    expect_same_output "pkg-config, $kind, C++17" "$temp/hello_cpp"
}

run_package() {
    local kind="$1"
    install_library "$@"
    run_find_package "$kind"
    run_pkg_config "$kind"
}

run_package static OFF Release
run_package shared ON Debug
run_subdirectory
echo "consumer: $passed passed, 0 failed"
