#!/usr/bin/env bash
# Prints the names of the public functions, as include/tenon/ declares them, in order.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cat include/tenon/*.h | tr '\n' ' ' | grep -oE 'TN_API [^(;]*\(' |
    sed -E 's/.*[ *](tn_[a-z0-9_]+)\($/\1/; /^tn_/!d' | sort -u
