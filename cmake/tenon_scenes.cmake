# The scenes and the plot code, shared by the tool, the demos, the benchmark and the tests.
# Includes are written from the project's root: "scenes/pyramid.h", "tools/plot/plot.h".

include_guard()

# Their own code takes longer to compile than to run in the tests: one text takes 15 s at -O1.
option(TENON_PLAIN_SCENES "Compile the scenes and the plot code at -O0 (gcc and clang)" OFF)

function(tenon_add_shared_part name)
    file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
    if(sources)
        tenon_unite(texts ${name} ${sources})
        add_library(${name} STATIC ${texts})
        tenon_use_house_flags(${name})
        tenon_link_libm(${name})
        target_link_libraries(${name} PUBLIC tenon)
        target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
        if(TENON_PLAIN_SCENES)
            target_compile_options(${name} PRIVATE $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-O0>)
        endif()
    endif()
endfunction()

# A program of ours: links what of the shared parts there is.
function(tenon_add_program name)
    add_executable(${name} ${ARGN})
    tenon_use_house_flags(${name})
    tenon_link_libm(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:tenon_plot>
                          $<TARGET_NAME_IF_EXISTS:tenon_scenes> tenon)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

tenon_add_shared_part(tenon_scenes ${PROJECT_SOURCE_DIR}/scenes/*.c)
tenon_add_shared_part(tenon_plot ${PROJECT_SOURCE_DIR}/tools/plot/*.c)
