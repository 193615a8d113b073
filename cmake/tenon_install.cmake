# What an installed tenon is: the library, its headers, a CMake package, a pkg-config file, the tool.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(tenon_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)

install(TARGETS tenon EXPORT tenonTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET tenon_tool)
    install(TARGETS tenon_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT tenonTargets NAMESPACE tenon:: DESTINATION ${tenon_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tenonConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/tenonConfig.cmake
                              INSTALL_DESTINATION ${tenon_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenonConfig.cmake ${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake
        DESTINATION ${tenon_package_dir})

# The prefix in tenon.pc is relative to the file, so that an installed tree may be moved.
file(RELATIVE_PATH tenon_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
if(BUILD_SHARED_LIBS)
    set(tenon_pc_cflags "-DTN_SHARED")
    set(tenon_pc_libs "")
else()
    set(tenon_pc_cflags "")
    set(tenon_pc_libs "-lm")
    if(NOT WIN32)
        string(APPEND tenon_pc_libs " -pthread")
    endif()
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/tenon.pc.in ${PROJECT_BINARY_DIR}/tenon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
