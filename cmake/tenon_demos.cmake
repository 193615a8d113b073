# demos/trebuchet.c becomes demo_trebuchet, and so on.

file(GLOB demo_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/demos/*.c)
foreach(source IN LISTS demo_sources)
    get_filename_component(name ${source} NAME_WE)
    tenon_add_program(demo_${name} ${source})
endforeach()
