# All Criterion tests in one program, so that one line sums them up. Tests of internal files reach
# tni_ functions, which a shared library hides: hence the static library only.

enable_testing()

function(tenon_use_test_paths target)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(${target} SYSTEM PRIVATE ${TENON_CGLM_INCLUDE_DIR}
                               ${TENON_CRITERION_INCLUDE_DIR})
endfunction()

file(GLOB test_sources CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/tests/*/test_*.c ${PROJECT_SOURCE_DIR}/tests/*/*/test_*.c
     ${PROJECT_SOURCE_DIR}/tests/*/*_wide.c ${PROJECT_SOURCE_DIR}/tests/support/*.c)
list(FILTER test_sources EXCLUDE REGEX /tests/threads/)

# CI runs the others with sanitizers alone, and compiles them once: see ./dev.
option(TENON_LONG_TESTS_ONLY "Leave files without a long test out of tenon_tests" OFF)
if(TENON_LONG_TESTS_ONLY)
    foreach(source IN LISTS test_sources)
        file(STRINGS ${source} long_tests REGEX "LONG_TEST\\(" LIMIT_COUNT 1)
        if(NOT long_tests AND source MATCHES "/test_[^/]*$")
            list(REMOVE_ITEM test_sources ${source})
        endif()
    endforeach()
endif()

# What of the benchmark is tested by itself.
foreach(name IN ITEMS clock ground ledger_watch lowest machine_watch machine_world model model_concave
                      overlap quality_world)
    list(APPEND test_sources ${PROJECT_SOURCE_DIR}/bench/${name}.c)
endforeach()

if(test_sources)
    tenon_add_program(tenon_tests ${test_sources})
    tenon_use_test_paths(tenon_tests)
    file(GLOB test_wide_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*/*_wide.c)
    list(FILTER test_wide_sources EXCLUDE REGEX /test_)
    tenon_add_avx2(tenon_tests ${test_wide_sources})
    target_link_libraries(tenon_tests PRIVATE ${TENON_CRITERION_LIBRARY})
    # Their own code takes longer to compile than to run.
    target_compile_options(tenon_tests PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-O0>)
    if(TENON_SANITIZE)
        # A process for each test would take as long to start as to run.
        target_sources(tenon_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests/runner/suite_runner.c)
        # The notes of the sanitizer for undefined behaviour about the tests themselves are three
        # times as large as those about all that they test, so it looks at the latter alone. At -O0 a
        # sanitizer makes no warning wrong.
        target_compile_options(tenon_tests PRIVATE -fno-sanitize=undefined -Werror)
    endif()
    if(TARGET tenon_tool)
        # The tests of the tool run it, and read cases as it does.
        add_dependencies(tenon_tests tenon_tool)
        target_include_directories(tenon_tests SYSTEM PRIVATE ${TENON_CJSON_INCLUDE_DIR})
        target_link_libraries(tenon_tests PRIVATE ${TENON_CJSON_LIBRARY})
        target_compile_definitions(tenon_tests PRIVATE
            TENON_TOOL_PATH="$<TARGET_FILE:tenon_tool>"
            TENON_DATA_PATH="${PROJECT_SOURCE_DIR}/tests/data"
            TENON_SCRATCH_PATH="${PROJECT_BINARY_DIR}")
    endif()
    if(TARGET tenon_bench)
        add_dependencies(tenon_tests tenon_bench)
        target_compile_definitions(tenon_tests PRIVATE
            TENON_BENCH_PATH="$<TARGET_FILE:tenon_bench>")
    endif()
    add_test(NAME tenon_tests COMMAND tenon_tests WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()

# The generated caller: its calls are written from the public headers when CMake runs.
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tenon/*.h)
set(hostile_folder ${PROJECT_SOURCE_DIR}/tests/hostile)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hostile_folder}/write_calls.py
             ${public_headers})
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/hostile)
execute_process(COMMAND ${TENON_PYTHON} ${hostile_folder}/write_calls.py
                        ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/hostile/hostile_calls.h
                RESULT_VARIABLE hostile_result)
if(hostile_result)
    message(FATAL_ERROR "tests/hostile/write_calls.py does not understand a public header.")
endif()
tenon_add_program(tenon_hostile ${hostile_folder}/hostile.c ${hostile_folder}/hostile_callbacks.c
                  ${hostile_folder}/hostile_recording.c ${hostile_folder}/hostile_setters.c
                  ${hostile_folder}/hostile_values.c)
target_include_directories(tenon_hostile PRIVATE ${PROJECT_BINARY_DIR}/hostile)
add_test(NAME tenon_hostile COMMAND tenon_hostile)

# The builders of geometry and the queries, with generated points and numbers.
file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*.c)
tenon_add_program(tenon_fuzz ${fuzz_sources})
add_test(NAME tenon_fuzz COMMAND tenon_fuzz)

# All that `./dev test` runs; tenon_threads.cmake adds its programs.
add_custom_target(tenon_test_programs DEPENDS tenon_tests tenon_hostile tenon_fuzz)
