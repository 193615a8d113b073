#!/usr/bin/env bash
# Prints the folder that holds cglm/, as this machine's gcc finds it: for builds that must not see
# the machine's other headers.
set -euo pipefail

dirname "$(dirname "$(printf '#include <cglm/cglm.h>' | gcc -E -H - 2>&1 > /dev/null |
    sed -n 's|^\. \(.*/cglm/cglm.h\)$|\1|p')")"
