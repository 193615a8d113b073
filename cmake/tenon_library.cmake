# The library itself: everything under src/, with only include/ visible to its users.

find_path(TENON_CGLM_INCLUDE_DIR cglm/struct.h DOC "The folder that holds cglm/struct.h")
if(NOT TENON_CGLM_INCLUDE_DIR)
    message(FATAL_ERROR "tenon needs cglm's headers to build (Debian: libcglm-dev). "
                        "Install them, or set TENON_CGLM_INCLUDE_DIR.")
endif()

file(GLOB tenon_sources CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/src/*/*.c ${PROJECT_SOURCE_DIR}/src/*/*/*.c)

add_library(tenon ${tenon_sources})
add_library(tenon::tenon ALIAS tenon)
tenon_use_house_flags(tenon)
tenon_link_libm(tenon)
# WebAssembly without threads runs every loop on the caller.
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
    find_package(Threads REQUIRED)
    target_link_libraries(tenon PRIVATE Threads::Threads)
endif()
set_target_properties(tenon PROPERTIES POSITION_INDEPENDENT_CODE ON VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(tenon
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(tenon SYSTEM PRIVATE ${TENON_CGLM_INCLUDE_DIR})
file(GLOB tenon_wide_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*_wide.c)
tenon_add_avx2(tenon ${tenon_wide_sources})
if(BUILD_SHARED_LIBS)
    target_compile_definitions(tenon PUBLIC TN_SHARED PRIVATE TN_BUILD)
endif()
