# SPDX-License-Identifier: MIT
#
# Physics engines of adapters/engines/engines.def: each is a separate program
# impactcheck-engine-NAME, run by `impactcheck audit --engine`. IC_ENGINES=AUTO builds those that
# are found and names the others, ON requires all of Debian's. OFF is the default, since DART's
# headers alone take half a minute and 0.8 GB.

set(IC_ENGINES OFF CACHE STRING "Programs of physics engines: AUTO builds those that are found, ON all, OFF none")
set_property(CACHE IC_ENGINES PROPERTY STRINGS AUTO ON OFF)

# ic_read_engines(): IC_ENGINE_NAMES, and for each NAME_LANGUAGE and NAME_DEBIAN; IC_NODE_ENGINE_NAMES, and for
# each NAME_PACKAGE.
function(ic_read_engines)
    set(line "IC_ENGINE[(] *([a-z][a-z0-9_]*) *, *(c|cpp) *, *\"([^\"]*)\" *[)]")
    set(node_line "IC_NODE_ENGINE[(] *([a-z][a-z0-9_]*) *, *\"([^\"]*)\" *[)]")
    # lines of other macros are read elsewhere
    ic_read_def(lines adapters/engines/engines.def "IC_[A-Z_]*ENGINE[(][^)]*[)]"
        "IC_ENGINE(name, c or cpp, \"PACKAGE\") or IC_NODE_ENGINE(name, \"PACKAGE\")")
    list(FILTER lines INCLUDE REGEX "${line}|${node_line}")
    set(names "")
    set(node_names "")
    foreach(engine IN LISTS lines)
        if(engine MATCHES "^${node_line}$")
            list(APPEND node_names ${CMAKE_MATCH_1})
            set(${CMAKE_MATCH_1}_PACKAGE "${CMAKE_MATCH_2}" PARENT_SCOPE)
            continue()
        endif()
        string(REGEX REPLACE "${line}" "\\1" name "${engine}")
        string(REGEX REPLACE "${line}" "\\2" language "${engine}")
        string(REGEX REPLACE "${line}" "\\3" debian "${engine}")
        list(APPEND names ${name})
        set(${name}_LANGUAGE ${language} PARENT_SCOPE)
        set(${name}_DEBIAN "${debian}" PARENT_SCOPE)
    endforeach()
    set(IC_ENGINE_NAMES "${names}" PARENT_SCOPE)
    set(IC_NODE_ENGINE_NAMES "${node_names}" PARENT_SCOPE)
endfunction()

# ic_engine_pkgconfig(NAME MODULE [HEADER-FOLDER...]): searches by pkg-config; sets NAME_FOUND, _INCLUDES and
# _LIBRARIES. Flags other than folders, such as DART's -std=c++11, are dropped.
macro(ic_engine_pkgconfig name module)
    pkg_check_modules(IC_ENGINE_${name} QUIET ${module})
    set(${name}_FOUND "${IC_ENGINE_${name}_FOUND}")
    set(${name}_INCLUDES ${IC_ENGINE_${name}_INCLUDE_DIRS} ${ARGN})
    set(${name}_LIBRARIES ${IC_ENGINE_${name}_LINK_LIBRARIES})
endmacro()

# ic_engine_library(NAME HEADER LIBRARY [SUBFOLDER]): searches the file system, where neither pkg-config nor CMake
# knows the library.
macro(ic_engine_library name header library)
    find_path(IC_ENGINE_${name}_ROOT "${header}")
    find_library(IC_ENGINE_${name}_LIBRARY ${library})
    set(${name}_FOUND OFF)
    if(IC_ENGINE_${name}_ROOT AND IC_ENGINE_${name}_LIBRARY)
        set(${name}_FOUND ON)
    endif()
    set(${name}_INCLUDES "${IC_ENGINE_${name}_ROOT}")
    foreach(folder ${ARGN})
        list(APPEND ${name}_INCLUDES "${IC_ENGINE_${name}_ROOT}/${folder}")
    endforeach()
    set(${name}_LIBRARIES "${IC_ENGINE_${name}_LIBRARY}")
endmacro()

macro(ic_find_engines)
    ic_engine_pkgconfig(ode ode)
    ic_engine_library(chipmunk chipmunk/chipmunk.h chipmunk)
    ic_engine_library(mujoco mujoco/mujoco.h mujoco)
    # its headers include each other by both paths
    ic_engine_library(siconos siconos/numerics/SiconosNumerics.h siconos_numerics siconos siconos/numerics)
    ic_engine_pkgconfig(bullet bullet)
    ic_engine_pkgconfig(box2d box2d)
    ic_engine_pkgconfig(simbody simbody)
    ic_engine_pkgconfig(dart dart)
    # dart/dart.hpp includes a header of a package on which DART's package does not depend
    find_path(IC_ENGINE_dart_IKFAST external/ikfast/ikfast.h HINTS ${dart_INCLUDES} PATH_SUFFIXES dart)
    if(NOT IC_ENGINE_dart_IKFAST)
        set(dart_FOUND OFF)
    endif()
    list(APPEND dart_INCLUDES "${IC_ENGINE_dart_IKFAST}")
endmacro()

# ic_engine_program(NAME): adds the program impactcheck-engine-NAME, of NAME.c or .cpp and NAME_*.c or .cpp.
function(ic_engine_program name)
    set(program impactcheck-engine-${name})
    file(GLOB parts CONFIGURE_DEPENDS adapters/engines/${name}_*.${${name}_LANGUAGE})
    add_executable(${program} adapters/engines/${name}.${${name}_LANGUAGE} ${parts})
    target_include_directories(${program} SYSTEM PRIVATE ${${name}_INCLUDES})
    target_link_libraries(${program} PRIVATE ic_options ic_engine_scene ${${name}_LIBRARIES})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/impactcheck" COMPONENT engines)
endfunction()

# ic_find_node(OUT): the command of Node 18 or later, or "".
function(ic_find_node out)
    set(${out} "" PARENT_SCOPE)
    find_program(IC_NODE NAMES node nodejs)
    if(IC_NODE)
        execute_process(COMMAND "${IC_NODE}" --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
        string(REGEX REPLACE "^v" "" version "${version}")
        if(version VERSION_GREATER_EQUAL 18)
            set(${out} "${IC_NODE}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# ic_node_engines(): copies adapters/engines/node to the folder node of the build, and writes a program
# impactcheck-engine-NAME for each engine whose package npm has installed there (tools/npm-engines.sh).
function(ic_node_engines)
    ic_find_node(node)
    set(folder "${CMAKE_BINARY_DIR}/node")
    set(source_folder "${CMAKE_SOURCE_DIR}/adapters/engines/node")
    file(GLOB sources RELATIVE "${source_folder}" CONFIGURE_DEPENDS "${source_folder}/*.mjs")
    foreach(source IN LISTS sources)
        configure_file("${source_folder}/${source}" "${folder}/${source}" COPYONLY)
    endforeach()
    set(missing "")
    foreach(name IN LISTS IC_NODE_ENGINE_NAMES)
        set(program "${CMAKE_BINARY_DIR}/impactcheck-engine-${name}")
        if(node AND EXISTS "${folder}/node_modules/${${name}_PACKAGE}/package.json")
            file(CONFIGURE OUTPUT "${program}" CONTENT "#!/bin/sh\nexec '${node}' '${folder}/${name}.mjs' \"$@\"\n" @ONLY)
            file(CHMOD "${program}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
        else()
            file(REMOVE "${program}")
            string(APPEND missing " ${name}")
        endif()
    endforeach()
    if(NOT node)
        message(STATUS "Not built: engines${missing} (they need Node 18 or later)")
    elseif(missing)
        message(STATUS "Not built: engines${missing} (their npm packages are not installed; ./run engines does)")
    endif()
endfunction()

# The protocol of docs/engines.md, for engines in C and C++.
add_library(ic_engine_scene STATIC EXCLUDE_FROM_ALL
    adapters/engines/scene_read.c adapters/engines/scene_write.c adapters/engines/scene_geometry.c
    adapters/engines/scene_limits.c adapters/engines/scene_tree.c)
target_link_libraries(ic_engine_scene PRIVATE ic_options)

if(IC_ENGINES)
    ic_read_engines()
    ic_node_engines()
    ic_enable_cxx()
    ic_find_engines()
    set(missing "")
    foreach(name IN LISTS IC_ENGINE_NAMES)
        if(${name}_FOUND AND (${name}_LANGUAGE STREQUAL c OR CMAKE_CXX_COMPILER))
            ic_engine_program(${name})
        else()
            message(STATUS "Not built: engine ${name} (Debian package ${${name}_DEBIAN})")
            string(APPEND missing " ${${name}_DEBIAN}")
        endif()
    endforeach()
    include(ImpactcheckGranular)
    ic_script_engines()
    if(missing AND NOT IC_ENGINES STREQUAL "AUTO")
        message(FATAL_ERROR "Missing for physics engines: Debian packages${missing}; `./run setup engine` installs them")
    endif()
endif()
