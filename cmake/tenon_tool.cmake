# The command-line tool: target tenon_tool, program tenon. cJSON reads the cases.

file(GLOB tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/tenon/*.c)
if(tool_sources)
    include(GNUInstallDirs)
    tenon_add_program(tenon_tool ${tool_sources})
    set_target_properties(tenon_tool PROPERTIES OUTPUT_NAME tenon
                          INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    target_include_directories(tenon_tool SYSTEM PRIVATE ${TENON_CJSON_INCLUDE_DIR})
    target_link_libraries(tenon_tool PRIVATE ${TENON_CJSON_LIBRARY})
endif()
