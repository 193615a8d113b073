# The benchmark: tenon_bench runs tenon alone, tenon_peers the same cases on Bullet and ODE too, as the
# distribution packages them. The two differ in their list of engines.

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
if(bench_sources)
    tenon_add_program(tenon_bench ${bench_sources})
endif()

if(TENON_BUILD_PEERS)
    enable_language(CXX)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(BULLET IMPORTED_TARGET bullet)
    pkg_check_modules(ODE IMPORTED_TARGET ode)
    if(NOT BULLET_FOUND OR NOT ODE_FOUND)
        message(FATAL_ERROR "The peers need Bullet and ODE (Debian: libbullet-dev libode-dev).")
    endif()
    file(GLOB peer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/peers/*.cpp)
    list(REMOVE_ITEM bench_sources ${PROJECT_SOURCE_DIR}/bench/engines.c)
    tenon_add_program(tenon_peers ${bench_sources} ${peer_sources})
    target_compile_features(tenon_peers PRIVATE cxx_std_17)
    target_link_libraries(tenon_peers PRIVATE PkgConfig::BULLET PkgConfig::ODE)
endif()
