#!/usr/bin/env bash
# Builds examples/hello.c in every way a user may embed tenon, as C99 and as C++11, static and
# shared, and runs it; all must print the same. Programs of other languages read the headers too. Use:
# run.sh BUILD_FOLDER, where the static library is built. All else happens in a temporary folder.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
built="$(cd "$1" && pwd)"
temp="$(mktemp -d)"
trap 'rm -rf "$temp"' EXIT
mkdir "$temp/printed"
generator="Unix Makefiles"
if command -v ninja > /dev/null; then
    generator=Ninja
fi

# Each of the ways that run beside each other has a log of its own, `log`.
quietly() {
    "$@" > "$log" 2>&1 || {
        cat "$log"
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

run_program() {
    quietly "$2"
    cp "$log" "$temp/printed/$1"
}

# The static library is what the tests run with. The shared one is not optimised, which takes a fourth
# of the time of -O3; all print the same.
install_library() {
    local kind="$1" folder="$built"
    if [[ $kind == shared ]]; then
        folder="$temp/shared"
        build "$folder" -S "$root" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DBUILD_SHARED_LIBS=ON \
            -DTENON_BUILD_TESTS=OFF -DTENON_BUILD_TOOL=OFF -DTENON_BUILD_DEMOS=OFF \
            -DTENON_BUILD_BENCH=OFF -DCMAKE_INSTALL_LIBDIR=lib
    fi
    quietly cmake --install "$folder" --prefix "$temp/built-$kind"
    # Moved after the install: a package must not remember where it was.
    mv "$temp/built-$kind" "$temp/prefix-$kind"
    libraries="$(dirname "$(find "$temp/prefix-$kind" -name 'libtenon.*' -print -quit)")"
    export LD_LIBRARY_PATH="$libraries"
}

run_find_package() {
    local kind="$1"
    build "$temp/find-$kind" -S "$root/tests/consumer" -DHELLO="$root/examples/hello.c" \
        -DCMAKE_PREFIX_PATH="$temp/prefix-$kind"
    run_program "find_package, $kind, C99" "$temp/find-$kind/hello_c"
    run_program "find_package, $kind, C++11" "$temp/find-$kind/hello_cpp"
}

run_pkg_config() {
    local kind="$1" flags
    flags="$(PKG_CONFIG_PATH="$libraries/pkgconfig" pkg-config --cflags --libs tenon)"
    # The flags are words to be split.
    # shellcheck disable=SC2086
    quietly gcc -std=c99 "$root/examples/hello.c" $flags -o "$temp/hello_c-$kind"
    run_program "pkg-config, $kind, C99" "$temp/hello_c-$kind"
    # shellcheck disable=SC2086
    quietly g++ -std=c++11 -x c++ "$root/examples/hello.c" -x none $flags -o "$temp/hello_cpp-$kind"
    run_program "pkg-config, $kind, C++11" "$temp/hello_cpp-$kind"
}

# What a program never creates a linker drops: see src/world/records/features.h.
check_left_out() {
    local flags name names="$temp/plain.names"
    flags="$(PKG_CONFIG_PATH="$libraries/pkgconfig" pkg-config --cflags --libs tenon)"
    # shellcheck disable=SC2086
    quietly gcc "$root/tests/consumer/plain.c" $flags -Wl,--gc-sections -o "$temp/plain"
    quietly "$temp/plain"
    nm "$temp/plain" | awk '{ print $NF }' > "$names"
    for name in tni_hinge_joint_kind tni_mechanisms_run tni_gradients_run; do
        grep -qx "$name" "$names" || fail "a plain program has no $name"
    done
    for name in tni_gear_joint_kind tni_six_axis_joint_kind tni_function_joint_kind tni_curve_make \
        tni_forces_run tni_goal_solve tn_graph_create tni_spans_ops tni_spans_sweep \
        tni_spanned_emit tni_span_rope_sweep tni_closings_close tni_span_contacts_sweep \
        tni_reduced_start tni_affine_deform tni_manifold_compute_stretched tni_parts_feature \
        tni_mesh_build tni_box_tree_find tni_snapshot_save tni_recording_part_write \
        tni_replay_read; do
        if grep -qx "$name" "$names"; then
            fail "a program of boxes and hinges has $name"
        fi
    done
    echo "consumer: a program of boxes and hinges takes $(size -A "$temp/plain" |
        awk '$1 == ".text" { print int($2 / 1000) }') kB of code"
}

# As a binding for Python would, with Debian's cffi. The first python3 may be another than Debian's.
read_by_python() {
    local python=/usr/bin/python3
    if python3 -c 'import cffi' 2> /dev/null; then
        python=python3
    fi
    quietly "$python" "$root/tests/consumer/ball.py" "$temp/prefix-shared/include" \
        "$libraries/libtenon.so" "$root/bindings/api.json"
    cat "$log"
}

# As a binding for Rust would. What bindgen writes has tests of how structs lie, which ask for rustc.
read_by_rust() {
    local include="$temp/prefix-shared/include" header="$temp/all.h" count
    printf '#include <tenon/tenon.h>\n#include <tenon/machines.h>\n' > "$header"
    quietly bindgen --allowlist-function 'tn_.*' --allowlist-type 'tn_.*' -o "$temp/tenon.rs" \
        "$header" -- "-I$include"
    count="$(grep -c 'pub fn tn_' "$temp/tenon.rs")"
    if [[ $count -ne $("$root/tools/list_functions.sh" | wc -l) ]]; then
        fail "bindgen finds $count functions"
    fi
    if command -v rustc > /dev/null; then
        quietly rustc --test -A warnings "$temp/tenon.rs" -o "$temp/tenon_rs" -l tenon -L "$libraries"
        quietly "$temp/tenon_rs"
        echo "bindgen: $count functions, $(grep -oE '[0-9]+ passed' "$log") of rustc's tests of structs"
    else
        echo "bindgen: $count functions; rustc is not installed, so its tests of structs did not run"
    fi
}

run_package() {
    local log="$temp/$1.log" libraries
    install_library "$1"
    run_find_package "$1"
    run_pkg_config "$1"
    if [[ $1 == static ]]; then
        check_left_out
    else
        read_by_python
        read_by_rust
    fi
}

run_subdirectory() {
    local log="$temp/sub.log"
    build "$temp/sub" -S "$root/tests/consumer" -DHELLO="$root/examples/hello.c" \
        -DTENON_SUBDIRECTORY="$root" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0
    run_program "add_subdirectory, C99" "$temp/sub/hello_c"
    run_program "add_subdirectory, C++11" "$temp/sub/hello_cpp"
}

# What CMake makes of a machine where nothing of the system is found, and of a project that has cglm
# itself and says no build type. Only configured.
configure_bare() {
    local log="$temp/bare.log" found
    local bare=(-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF
        "-DCMAKE_C_COMPILER=$(command -v gcc)" "-DCMAKE_CXX_COMPILER=$(command -v g++)"
        "-DCMAKE_MAKE_PROGRAM=$(command -v ninja || command -v make)")
    local cglm
    cglm="$("$root/tools/find_cglm.sh")"
    quietly cmake -G "$generator" -S "$root" -B "$temp/bare" "${bare[@]}" \
        -DTENON_CGLM_INCLUDE_DIR="$cglm"
    for found in 'test program is left out' 'command-line tool is left out' \
        'benchmark is left out'; do
        grep -q "$found" "$log" || fail "a bare configuration does not say: the $found"
    done
    quietly cmake -G "$generator" -S "$root/tests/consumer" -B "$temp/fetched" "${bare[@]}" \
        -DHELLO="$root/examples/hello.c" -DTENON_SUBDIRECTORY="$root" -DCONSUMER_CGLM="$cglm" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    grep -q -- '-O3 .*united/tenon/src_world_step_' "$temp/fetched/compile_commands.json" ||
        fail "without a build type the library is not optimised"
    if cmake -G "$generator" -S "$root" -B "$temp/strict" "${bare[@]}" \
        -DTENON_CGLM_INCLUDE_DIR="$cglm" -DTENON_BUILD_TESTS=ON > "$log" 2>&1; then
        fail "TENON_BUILD_TESTS=ON is taken without Criterion"
    fi
}

fail() {
    echo "consumer: $1"
    exit 1
}

# The first output is the reference for all others.
compare_printed() {
    local printed expected="" passed=0 failed=0
    for printed in "$temp"/printed/*; do
        expected="${expected:-$printed}"
        if [[ -s $printed ]] && diff "$expected" "$printed"; then
            passed=$((passed + 1))
            echo "  passed: ${printed##*/}"
        else
            failed=$((failed + 1))
            echo "  failed: ${printed##*/} printed nothing, or something else than ${expected##*/}"
        fi
    done
    echo "consumer: $passed passed, $failed failed"
    [[ $failed -eq 0 ]]
}

# Beside each other: much of their time is CMake's, which keeps one processor busy.
ways=()
run_package static &
ways+=($!)
run_package shared &
ways+=($!)
run_subdirectory &
ways+=($!)
configure_bare &
ways+=($!)
unfinished=0
for way in "${ways[@]}"; do
    wait "$way" || unfinished=$((unfinished + 1))
done
if [[ $unfinished -ne 0 ]]; then
    echo "consumer: $unfinished of ${#ways[@]} ways of embedding did not come to their end"
fi
compare_printed && [[ $unfinished -eq 0 ]]
