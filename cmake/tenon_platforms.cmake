# The golden hashes as a plain program, for platforms that have no test framework: see
# tests/platforms/run.sh.

include(tenon_scenes)
tenon_add_program(tenon_platform_hashes ${PROJECT_SOURCE_DIR}/tests/platforms/hashes.c)
