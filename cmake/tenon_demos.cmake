# demos/trebuchet.c becomes demo_trebuchet, examples/hello.c becomes example_hello, and so on.

foreach(kind IN ITEMS demo example)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${kind}s/*.c)
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME_WE)
        tenon_add_program(${kind}_${name} ${source})
    endforeach()
endforeach()
