# The benchmark: tenon_bench runs tenon alone, tenon_peers the same cases on Bullet and ODE too, and on
# MuJoCo where it is installed, as the distribution packages them. They differ in their list of engines.

# A saved run is read as the tool reads its cases.
function(tenon_add_bench name)
    tenon_add_program(${name} ${ARGN} ${PROJECT_SOURCE_DIR}/tools/tenon/file.c
                      ${PROJECT_SOURCE_DIR}/tools/tenon/json_reader.c)
    target_include_directories(${name} SYSTEM PRIVATE ${TENON_CJSON_INCLUDE_DIR})
    target_link_libraries(${name} PRIVATE ${TENON_CJSON_LIBRARY})
endfunction()

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)

# tenon_contacts and tenon_stacks: families of runs whose right answers are known; tenon_machines:
# random machines that may not burst; tenon_ledgers: the energy ledger of every scene; tenon_limits:
# ranges and numbers.
set(quality_sources ${bench_sources})
list(FILTER quality_sources INCLUDE REGEX "/bench/(quality[a-z_]*|clock)\\.c$")
foreach(family IN ITEMS contact stack machine ledger limit)
    set(family_sources ${bench_sources})
    list(FILTER family_sources INCLUDE REGEX "/bench/${family}_[a-z_]*\\.c$")
    if(family_sources)
        tenon_add_program(tenon_${family}s ${quality_sources} ${family_sources})
    endif()
endforeach()
# tenon_soak: worlds that are edited at random for as long as one likes.
set(soak_sources ${bench_sources})
list(FILTER soak_sources INCLUDE REGEX "/bench/(soak[a-z_]*|clock|memory|ledger_watch)\\.c$")
tenon_add_program(tenon_soak ${soak_sources})
list(FILTER bench_sources EXCLUDE REGEX
     "/bench/(quality|contact_|stack_|machine_|ledger_|limit_|soak)[a-z_]*\\.c$")
tenon_add_bench(tenon_bench ${bench_sources})

if(TENON_BUILD_PEERS)
    enable_language(CXX)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(BULLET IMPORTED_TARGET bullet)
    pkg_check_modules(ODE IMPORTED_TARGET ode)
    if(NOT BULLET_FOUND OR NOT ODE_FOUND)
        message(FATAL_ERROR "The peers need Bullet and ODE (Debian: libbullet-dev libode-dev).")
    endif()
    file(GLOB peer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/peers/*.cpp)
    find_path(TENON_MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
    find_library(TENON_MUJOCO_LIBRARY mujoco)
    if(NOT TENON_MUJOCO_INCLUDE_DIR OR NOT TENON_MUJOCO_LIBRARY)
        list(FILTER peer_sources EXCLUDE REGEX "/mujoco")
    endif()
    list(REMOVE_ITEM bench_sources ${PROJECT_SOURCE_DIR}/bench/engines.c)
    tenon_add_bench(tenon_peers ${bench_sources} ${peer_sources})
    target_compile_features(tenon_peers PRIVATE cxx_std_17)
    target_link_libraries(tenon_peers PRIVATE PkgConfig::BULLET PkgConfig::ODE)
    if(TENON_MUJOCO_INCLUDE_DIR AND TENON_MUJOCO_LIBRARY)
        target_compile_definitions(tenon_peers PRIVATE TENON_BENCH_MUJOCO)
        target_include_directories(tenon_peers SYSTEM PRIVATE ${TENON_MUJOCO_INCLUDE_DIR})
        target_link_libraries(tenon_peers PRIVATE ${TENON_MUJOCO_LIBRARY})
    endif()
endif()
