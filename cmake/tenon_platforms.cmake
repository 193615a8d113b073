# Plain programs for platforms that have no test framework: the golden hashes, and where there are
# threads their tests. See tests/platforms/run.sh.

include(tenon_scenes)
tenon_add_program(tenon_platform_hashes ${PROJECT_SOURCE_DIR}/tests/platforms/hashes.c)
add_custom_target(tenon_platform_tests DEPENDS tenon_platform_hashes)
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    include(tenon_threads)
    add_dependencies(tenon_platform_tests test_hulls test_queries test_tasks test_workers)
endif()
