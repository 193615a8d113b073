#!/usr/bin/env bash
# Reads the library's sources as MSVC's dialect on Windows and as macOS's: clang looks for faults of
# both and makes no code. Their C libraries are stubs (tests/platforms/stubs), which declare what the
# library calls there and nothing else. Use: check_syntax.sh FOLDER LAYOUTS, where FOLDER holds cglm/,
# none of this machine's headers, and has room for the texts that clang reads, and LAYOUTS is the text of
# write_layouts.py.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
folder="$(cd "$1" && pwd)"
stubs="$root/tests/platforms/stubs"
common=("-I$root/include" "-I$root/src" -isystem "$stubs/libc" -isystem "$folder")
warnings=(-Werror -Wall -Wextra -Wpedantic -Wvla -Wshadow -Wstrict-prototypes -Wmissing-prototypes)

# The files of a folder are one text, as in cmake/tenon_unity.cmake: write_texts NAME PATTERN.
write_texts() {
    local source directory text
    rm -rf "$folder/$1"
    mkdir -p "$folder/$1"
    while read -r source; do
        directory="$(dirname "$source")"
        text="$folder/$1/${directory//\//_}.c"
        echo "#include \"$root/$source\"" >> "$text"
    done < <(cd "$root" && find src -name "$2" | sort)
}

# read_texts NAME TEXTS COMMAND...
read_texts() {
    local name="$1" texts="$2"
    shift 2
    if ! find "$folder/$texts" -name '*.c' -print0 |
        xargs -0 -n 4 -P "$(nproc)" "$@" -- > "$folder/$name.log" 2>&1; then
        cat "$folder/$name.log"
        echo "platforms: the sources have faults for $name"
        failed=1
    fi
}

failed=0
write_texts all '*.c'
write_texts wide '*_wide.c'
# Only files of these two folders know systems and compilers: see tools/check_layers.py.
mkdir -p "$folder/systems"
cp "$folder"/all/src_core*.c "$2" "$folder/systems"

# clang with MSVC's options; without __clang__ it reads what is meant for MSVC itself. __forceinline and
# a pragma about fused multiply-adds are MSVC's own.
msvc=(clang --driver-mode=cl --target=x86_64-pc-windows-msvc -Xclang -nostdsysteminc
    "${common[@]/#-isystem/-imsvc}" -imsvc "$stubs/windows" /std:c17 /Zs "${warnings[@]/#-Wall//W4}"
    -Wno-language-extension-token -Wno-unknown-pragmas -DTNI_HAS_AVX2_KERNELS)
read_texts "MSVC" all "${msvc[@]}" -U__clang__ -D__STDC_NO_ATOMICS__ -DTNI_HAS_C11_ATOMICS \
    -DTN_SHARED -DTN_BUILD
read_texts "MSVC, AVX2" wide "${msvc[@]}" -U__clang__ -DTNI_WIDE_AVX2 /arch:AVX2
read_texts "MSVC without atomics" systems "${msvc[@]}" -U__clang__ -D__STDC_NO_ATOMICS__
read_texts "clang on Windows" systems "${msvc[@]}"
macos=("${common[@]}" -nostdlibinc -isystem "$stubs/macos" -std=c17 -fsyntax-only "${warnings[@]}")
read_texts "macOS on ARM" all clang --target=arm64-apple-macos11 "${macos[@]}"
read_texts "macOS on x86-64" systems clang --target=x86_64-apple-macos11 "${macos[@]}"
exit $failed
