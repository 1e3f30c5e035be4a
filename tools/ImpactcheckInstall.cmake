# SPDX-License-Identifier: MIT
#
# The library for other programs, and the files that `cmake --install` installs; components are
# Debian packages (ImpactcheckPackages.cmake).
#
# The library consists of core, cases and our own solvers, and needs only the C library. Solvers of
# other packages are part of the command alone.

include(CMakePackageConfigHelpers)

# The library's ABI version is that of the header's structs, with which a program is compiled.
file(STRINGS "${CMAKE_SOURCE_DIR}/include/impactcheck/impactcheck.h" line REGEX "#define IC_ABI_VERSION [0-9]+u")
string(REGEX REPLACE ".* ([0-9]+)u.*" "\\1" abi "${line}")
if(NOT abi MATCHES "^[0-9]+$")
    message(FATAL_ERROR "impactcheck.h has no line #define IC_ABI_VERSION NUMBERu")
endif()

# ---- the library

# A registry without peers replaces ic_registry.
add_library(ic_registry_own OBJECT registry/registry.c)
target_link_libraries(ic_registry_own PRIVATE ic_options)
foreach(target ic_core ic_laws ic_cases ic_solvers ic_registry_own ic_registry ic_casefile) # the last two: for Python
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition) # calls within a file are direct
endforeach()
set(objects $<TARGET_OBJECTS:ic_core> $<TARGET_OBJECTS:ic_registry_own> $<TARGET_OBJECTS:ic_laws>
    $<TARGET_OBJECTS:ic_cases> $<TARGET_OBJECTS:ic_solvers>)
set(exports "${CMAKE_SOURCE_DIR}/core/exports.map")

add_library(impactcheck-shared SHARED ${objects})
target_link_options(impactcheck-shared PRIVATE "LINKER:--version-script=${exports}")
target_link_libraries(impactcheck-shared PRIVATE $<BUILD_INTERFACE:ic_options>) # sanitizers and counters, on request
if(NOT IC_SANITIZE AND NOT IC_FUZZ) # their functions are in the program
    target_link_options(impactcheck-shared PRIVATE LINKER:--no-undefined)
endif()
set_target_properties(impactcheck-shared PROPERTIES
    LINK_DEPENDS "${exports}" VERSION ${abi}.${PROJECT_VERSION} SOVERSION ${abi} EXPORT_NAME impactcheck)
add_library(impactcheck-static STATIC ${objects})
foreach(target impactcheck-shared impactcheck-static)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME impactcheck LINKER_LANGUAGE C)
    target_link_libraries(${target} PUBLIC m)
    target_include_directories(${target} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()

# ---- installed files

install(TARGETS impactcheck RUNTIME COMPONENT command)
if(TARGET impactcheck-proof)
    install(TARGETS impactcheck-proof RUNTIME COMPONENT command)
endif()
if(TARGET impactcheck-gsl)
    install(TARGETS impactcheck-gsl RUNTIME COMPONENT gsl)
endif()
if(TARGET impactcheck-mpi)
    install(TARGETS impactcheck-mpi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/impactcheck" COMPONENT mpi)
endif()

# The Python package for Debian's python3, by its component alone; python/setup.py makes the wheel. pytest finds the plugin
# by the entry point.
set(python_folder "lib/python3/dist-packages")
install(DIRECTORY python/impactcheck DESTINATION "${python_folder}" COMPONENT python EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(FILES "$<TARGET_FILE:impactcheck-python>" "${CMAKE_BINARY_DIR}/impactcheck-python.txt"
    DESTINATION "${python_folder}/impactcheck" COMPONENT python EXCLUDE_FROM_ALL)
file(STRINGS python/pyproject.toml python_plugin REGEX "^impactcheck = \"impactcheck[.]")
string(REPLACE "\"" "" python_plugin "${python_plugin}")
set(python_info "${CMAKE_BINARY_DIR}/impactcheck-${PROJECT_VERSION}.dist-info")
file(WRITE "${python_info}/METADATA" "Metadata-Version: 2.1\nName: impactcheck\nVersion: ${PROJECT_VERSION}\nLicense: MIT\n")
file(WRITE "${python_info}/entry_points.txt" "[pytest11]\n${python_plugin}\n")
install(DIRECTORY "${python_info}" DESTINATION "${python_folder}" COMPONENT python EXCLUDE_FROM_ALL)

install(TARGETS impactcheck-shared EXPORT impactcheck
    LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS impactcheck-static EXPORT impactcheck ARCHIVE COMPONENT development)
install(FILES include/impactcheck/impactcheck.h
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/impactcheck" COMPONENT development)

set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/impactcheck")
install(EXPORT impactcheck NAMESPACE impactcheck:: FILE impactcheck-targets.cmake
    DESTINATION "${cmake_folder}" COMPONENT development)
configure_package_config_file(tools/package/impactcheck-config.cmake.in
    "${CMAKE_BINARY_DIR}/impactcheck-config.cmake" INSTALL_DESTINATION "${cmake_folder}")
# Before version 1, a minor version may change the interface with which a program is compiled.
write_basic_package_version_file("${CMAKE_BINARY_DIR}/impactcheck-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/impactcheck-config.cmake" "${CMAKE_BINARY_DIR}/impactcheck-config-version.cmake"
    DESTINATION "${cmake_folder}" COMPONENT development)

foreach(folder includedir libdir)
    string(TOUPPER "${folder}" variable)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${variable}}")
        set(pc_${folder} "${CMAKE_INSTALL_${variable}}")
    else()
        set(pc_${folder} "\${prefix}/${CMAKE_INSTALL_${variable}}")
    endif()
endforeach()
# The prefix follows the file, wherever it is installed or moved. An absolute library folder does not move.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
    string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
configure_file(tools/package/impactcheck.pc.in "${CMAKE_BINARY_DIR}/impactcheck.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/impactcheck.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

# Manual pages are made of what --help says, by the command itself.
find_program(IC_HELP2MAN help2man)
if(IC_HELP2MAN AND NOT CMAKE_CROSSCOMPILING)
    file(GLOB page_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/cli/man/*")
    add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/man/impactcheck.1"
        COMMAND "${CMAKE_SOURCE_DIR}/tools/make-pages.sh" $<TARGET_FILE:impactcheck> "${CMAKE_BINARY_DIR}/man"
        DEPENDS impactcheck tools/make-pages.sh ${page_sources} COMMENT "Manual pages" VERBATIM)
    add_custom_target(impactcheck-pages ALL DEPENDS "${CMAKE_BINARY_DIR}/man/impactcheck.1")
    install(DIRECTORY "${CMAKE_BINARY_DIR}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT command)
else()
    message(STATUS "Not made: manual pages (Debian package help2man)")
endif()
# Schemas for editors are written by the command itself, too.
if(NOT CMAKE_CROSSCOMPILING)
    set(schemas "")
    foreach(kind case scene ci)
        set(schema "${CMAKE_BINARY_DIR}/schema/${kind}.schema.json")
        add_custom_command(OUTPUT "${schema}"
            COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/schema"
            COMMAND impactcheck schema ${kind} --out "${schema}" DEPENDS impactcheck VERBATIM)
        list(APPEND schemas "${schema}")
    endforeach()
    add_custom_target(impactcheck-schemas ALL DEPENDS ${schemas})
    install(FILES ${schemas} DESTINATION "${CMAKE_INSTALL_DATADIR}/impactcheck/schema" COMPONENT command)
endif()

# Documents and examples.
file(GLOB documents CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/docs/*.md")
install(FILES ${documents} README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT command)
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATADIR}/impactcheck" COMPONENT command)
install(FILES cli/completion/impactcheck.bash RENAME impactcheck
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT command)
install(FILES cli/completion/_impactcheck
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT command)
