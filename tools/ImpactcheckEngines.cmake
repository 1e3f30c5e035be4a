# SPDX-License-Identifier: MIT
#
# Physics engines of adapters/engines/engines.def: each is a separate program
# impactcheck-engine-NAME, run by `impactcheck audit --engine`. IC_ENGINES=AUTO builds those that
# are found and names the others, ON requires all. OFF is the default, since DART's headers alone
# take half a minute and 0.8 GB.

set(IC_ENGINES OFF CACHE STRING "Programs of physics engines: AUTO builds those that are found, ON all, OFF none")
set_property(CACHE IC_ENGINES PROPERTY STRINGS AUTO ON OFF)

# ic_read_engines(): IC_ENGINE_NAMES, and for each NAME_LANGUAGE and NAME_DEBIAN.
function(ic_read_engines)
    set(line "IC_ENGINE[(] *([a-z][a-z0-9_]*) *, *(c|cpp) *, *\"([^\"]*)\" *[)]")
    # lines of other macros are read elsewhere
    ic_read_def(lines adapters/engines/engines.def "IC_[A-Z_]*ENGINE[(][^)]*[)]" "IC_ENGINE(name, c or cpp, \"PACKAGE\")")
    list(FILTER lines INCLUDE REGEX "${line}")
    set(names "")
    foreach(engine IN LISTS lines)
        string(REGEX REPLACE "${line}" "\\1" name "${engine}")
        string(REGEX REPLACE "${line}" "\\2" language "${engine}")
        string(REGEX REPLACE "${line}" "\\3" debian "${engine}")
        list(APPEND names ${name})
        set(${name}_LANGUAGE ${language} PARENT_SCOPE)
        set(${name}_DEBIAN "${debian}" PARENT_SCOPE)
    endforeach()
    set(IC_ENGINE_NAMES "${names}" PARENT_SCOPE)
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

# ic_engine_program(NAME): adds the program impactcheck-engine-NAME.
function(ic_engine_program name)
    set(program impactcheck-engine-${name})
    add_executable(${program} adapters/engines/${name}.${${name}_LANGUAGE})
    target_include_directories(${program} SYSTEM PRIVATE ${${name}_INCLUDES})
    target_link_libraries(${program} PRIVATE ic_options ic_engine_scene ${${name}_LIBRARIES})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/impactcheck" COMPONENT engines)
endfunction()

if(IC_ENGINES)
    ic_read_engines()
    ic_enable_cxx()
    ic_find_engines()
    add_library(ic_engine_scene STATIC EXCLUDE_FROM_ALL adapters/engines/scene.c)
    target_link_libraries(ic_engine_scene PRIVATE ic_options)
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
