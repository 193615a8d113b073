# Thread tests are plain programs: a sanitizer for threads does not bear Criterion's forks, and other
# platforms have no Criterion.

find_package(Threads REQUIRED)
file(GLOB thread_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/threads/*.c)
foreach(source IN LISTS thread_sources)
    get_filename_component(name ${source} NAME_WE)
    tenon_add_program(${name} ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE Threads::Threads)
    if(MINGW)
        target_link_options(${name} PRIVATE -static) # its pthreads are a library that users lack
    endif()
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(TARGET tenon_test_programs)
        add_dependencies(tenon_test_programs ${name})
    endif()
endforeach()

# It calls tni_ functions, which a shared library hides: so it takes the library's objects.
if(BUILD_SHARED_LIBS)
    target_compile_definitions(test_tasks PRIVATE TN_BUILD)
    target_sources(test_tasks PRIVATE $<TARGET_OBJECTS:tenon>
                   $<$<TARGET_EXISTS:tenon_avx2>:$<TARGET_OBJECTS:tenon_avx2>>)
endif()
