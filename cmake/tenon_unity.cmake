# The files of a folder are compiled together, as one text: without optimisation two thirds of a
# file's time go into starting the compiler and reading headers, for a release one third. The object
# code is the same but for what the compiler inlines from file to file.

option(TENON_UNITY "Compile the files of a folder together, which takes less time" ON)

# core/platform.c says which POSIX it wants before it includes anything; and no compiler may move
# arithmetic across a change of the floating-point environment.
set(TENON_ALONE src/core/float_environment.c src/core/platform.c)

# tenon_unite(RESULT NAME SOURCE...): the list of files to be compiled in place of SOURCE. Files with
# different options, as tenon_hot.cmake gives them, stay apart, and so do folders, whose files may
# share names: a project's own CMAKE_UNITY_BUILD has to leave these targets alone.
function(tenon_unite result name)
    if(NOT TENON_UNITY)
        set(${result} ${ARGN} PARENT_SCOPE)
        return()
    endif()
    set(alone "")
    set(keys "")
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
        if(path IN_LIST TENON_ALONE)
            list(APPEND alone ${source})
            continue()
        endif()
        get_source_file_property(options ${source} COMPILE_OPTIONS)
        get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
        get_filename_component(folder ${path} DIRECTORY)
        string(MD5 hash "${options} ${definitions}")
        string(SUBSTRING ${hash} 0 6 hash)
        string(MAKE_C_IDENTIFIER "${folder}" key)
        set(key ${key}_${hash})
        if(NOT key IN_LIST keys)
            list(APPEND keys ${key})
            set(text_${key} "")
            set(options_${key} "${options}")
            set(definitions_${key} "${definitions}")
        endif()
        string(APPEND text_${key} "#include \"${source}\"\n")
    endforeach()
    set(united "")
    foreach(key IN LISTS keys)
        set(file ${PROJECT_BINARY_DIR}/united/${name}/${key}.c)
        file(CONFIGURE OUTPUT ${file} CONTENT "${text_${key}}" @ONLY)
        if(options_${key})
            set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options_${key}}")
        endif()
        if(definitions_${key})
            set_source_files_properties(${file} PROPERTIES
                                        COMPILE_DEFINITIONS "${definitions_${key}}")
        endif()
        list(APPEND united ${file})
    endforeach()
    set(${result} ${united} ${alone} PARENT_SCOPE)
endfunction()
