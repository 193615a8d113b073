# The library itself: everything under src/, with only include/ visible to its users.

# A project that has cglm already gives its own: cglm::cglm from a package, cglm or cglm_headers from
# its sources.
foreach(cglm IN ITEMS cglm::cglm cglm cglm_headers)
    if(TARGET ${cglm} AND NOT TENON_CGLM_INCLUDE_DIR)
        get_target_property(TENON_CGLM_INCLUDE_DIR ${cglm} INTERFACE_INCLUDE_DIRECTORIES)
    endif()
endforeach()
if(NOT TENON_CGLM_INCLUDE_DIR)
    find_path(TENON_CGLM_INCLUDE_DIR cglm/struct.h DOC "The folder that holds cglm/struct.h")
endif()
if(NOT TENON_CGLM_INCLUDE_DIR)
    message(FATAL_ERROR "tenon needs cglm's headers to build. Debian: apt install libcglm-dev; "
                        "macOS: brew install cglm; Windows: vcpkg install cglm, or fetch "
                        "https://github.com/recp/cglm. Or set TENON_CGLM_INCLUDE_DIR to the folder "
                        "that holds cglm/.")
endif()

file(GLOB tenon_sources CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/*/*.c ${PROJECT_SOURCE_DIR}/src/*/*/*.c)

tenon_choose_levels(${tenon_sources})
tenon_unite(tenon_texts tenon ${tenon_sources})
add_library(tenon ${tenon_texts})
add_library(tenon::tenon ALIAS tenon)
tenon_use_house_flags(tenon)
tenon_optimise(tenon)
tenon_link_libm(tenon)
# Windows has its threads in the system's own library, and WebAssembly without threads runs every loop
# on the caller.
if(NOT WIN32 AND NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    find_package(Threads REQUIRED)
    target_link_libraries(tenon PRIVATE Threads::Threads)
endif()
set_target_properties(tenon PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
                      VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(tenon
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(tenon SYSTEM PRIVATE ${TENON_CGLM_INCLUDE_DIR})
file(GLOB tenon_wide_sources CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/*/*_wide.c ${PROJECT_SOURCE_DIR}/src/*/*/*_wide.c)
tenon_unite(tenon_wide_texts tenon_avx2 ${tenon_wide_sources})
tenon_add_avx2(tenon ${tenon_wide_texts})
# A linker that is told to leaves out functions that nothing calls: each has a section of its own.
if(NOT BUILD_SHARED_LIBS AND NOT MSVC)
    foreach(target IN ITEMS tenon tenon_avx2)
        if(TARGET ${target})
            target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
        endif()
    endforeach()
endif()
if(BUILD_SHARED_LIBS)
    target_compile_definitions(tenon PUBLIC TN_SHARED PRIVATE TN_BUILD)
endif()
