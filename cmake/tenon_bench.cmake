# The benchmark, and the same scenes on other engines from the distribution's packages. Both are made
# of the same parts; which engines a program has is decided by the file that lists them.

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
list(REMOVE_ITEM bench_sources ${PROJECT_SOURCE_DIR}/bench/engines.c)
add_library(tenon_bench_parts STATIC ${bench_sources})
tenon_use_house_flags(tenon_bench_parts)
tenon_link_libm(tenon_bench_parts)
target_include_directories(tenon_bench_parts PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(tenon_bench_parts PUBLIC tenon_scenes tenon)

tenon_add_program(tenon_bench ${PROJECT_SOURCE_DIR}/bench/engines.c)
target_link_libraries(tenon_bench PRIVATE tenon_bench_parts)

if(TENON_BUILD_PEERS)
    enable_language(CXX)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(BULLET IMPORTED_TARGET bullet)
    pkg_check_modules(ODE IMPORTED_TARGET ode)
    if(NOT BULLET_FOUND OR NOT ODE_FOUND)
        message(FATAL_ERROR "The peers need Bullet and ODE (Debian: libbullet-dev libode-dev).")
    endif()
    file(GLOB peer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/peers/*.cpp)
    add_executable(tenon_peers ${peer_sources})
    target_compile_features(tenon_peers PRIVATE cxx_std_17)
    target_compile_options(tenon_peers PRIVATE -Wall -Wextra $<$<BOOL:${TENON_WERROR}>:-Werror>)
    target_link_libraries(tenon_peers PRIVATE tenon_bench_parts PkgConfig::BULLET PkgConfig::ODE)
    set_target_properties(tenon_peers PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()
